/* Which programs take a library, by what their files say. */
#include "stat/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 600 };

static char folder[] = "/tmp/ktop-program-XXXXXX";
static unsigned char file[SIZE];
static char path[64];

static int
begin(void **state)
{
	(void)state;
	memset(file, 0, sizeof file);
	return 0;
}

static void
put(unsigned at, unsigned bytes, uint64_t v, bool big)
{
	for (unsigned i = 0; i < bytes; i++)
		file[at + (big ? bytes - 1 - i : i)] =
			(unsigned char)(v >> (8 * i));
}

static const char *
write_file(const char *name, const void *bytes, size_t n, mode_t mode)
{
	snprintf(path, sizeof path, "%s/%s", folder, name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, n), n);
	close(fd);
	assert_int_equal(chmod(path, mode), 0);
	return path;
}

static void
assert_takes(const void *bytes, size_t n)
{
	struct err e;

	if (!program_takes_library(write_file("it", bytes, n, 0755), &e))
		fail_msg("%s", e.text);
}

static void
assert_refuses(const void *bytes, size_t n, const char *why)
{
	struct err e = { ERR_NONE, "" };

	assert_false(
		program_takes_library(write_file("it", bytes, n, 0755), &e));
	if (strstr(e.text, why) == NULL)
		fail_msg("%s does not say %s", e.text, why);
}

/* An ELF file with two entries, the second of this type. */
static void
make_elf(unsigned bits, unsigned type, bool big)
{
	memcpy(file, "\177ELF", 4);
	file[4] = bits == 64 ? 2 : 1;
	file[5] = big ? 2 : 1;
	put(32, 8, 100, big);
	put(54, 2, 56, big);
	put(56, 2, 2, big);
	put(100, 4, 6, big);
	put(156, 4, type, big);
}

static void
elf_files(void **state)
{
	(void)state;
	for (int big = 0; big < 2; big++) {
		make_elf(64, 3, big);
		assert_takes(file, sizeof file);
		make_elf(64, 1, big);
		assert_refuses(file, sizeof file, "statically");
		assert_takes(file, 120); /* cut: it may be tried */
	}
	make_elf(32, 3, false);
	assert_refuses(file, sizeof file, "32 bits");
	memset(file, 0, sizeof file);
	assert_takes(file, sizeof file);
	assert_takes("", 0);
}

enum { SIGNATURE_AT = 200, CODE_AT = 40, RIGHTS_AT = 100 };

/* A Mach-O file at `from` whose signature has these flags and this text. */
static void
make_macho(unsigned from, uint64_t flags, const char *rights)
{
	unsigned s = from + SIGNATURE_AT;

	put(from, 4, 0xfeedfacf, false);
	put(from + 16, 4, 2, false);
	put(from + 32, 4, 0x19, false); /* a command of another kind */
	put(from + 36, 4, 72, false);
	put(from + 104, 4, 0x1d, false);
	put(from + 108, 4, 16, false);
	put(from + 112, 4, SIGNATURE_AT, false);
	put(s, 4, 0xfade0cc0, true);
	put(s + 8, 4, 2, true);
	put(s + 16, 4, CODE_AT, true);
	put(s + 24, 4, RIGHTS_AT, true);
	put(s + CODE_AT, 4, 0xfade0c02, true);
	put(s + CODE_AT + 12, 4, flags, true);
	put(s + RIGHTS_AT, 4, 0xfade7171, true);
	put(s + RIGHTS_AT + 4, 4, 8 + strlen(rights), true);
	memcpy(file + s + RIGHTS_AT + 8, rights, strlen(rights));
}

static void
macho_files(void **state)
{
	static const char right[] =
		"<key>com.apple.security.cs.allow-dyld-environment-variables</key>";

	(void)state;
	make_macho(0, 0x20002, "");
	assert_takes(file, sizeof file);
	make_macho(0, 0x10000, "");
	assert_refuses(file, sizeof file, "hardened runtime");
	make_macho(0, 0x10000, right);
	assert_takes(file, sizeof file);
	make_macho(0, 0x10800, right);
	assert_refuses(file, sizeof file, "restricts");
	/* One of two machines' programs, which is read at its place. */
	memset(file, 0, sizeof file);
	put(0, 4, 0xcafebabe, true);
	put(4, 4, 2, true);
	put(8, 4, 0x01000007, true);
	put(28, 4, 0x0100000c, true);
	put(36, 4, 64, true);
	make_macho(64, 0x10000, "");
	assert_refuses(file, sizeof file, "hardened runtime");
	make_macho(64, 2, "");
	assert_takes(file, sizeof file);
}

static void
any_bytes_are_survived(void **state)
{
	static const uint32_t heads[] = { 0x464c457f, 0xfeedfacf, 0xbebafeca };
	uint32_t x = 12345;

	(void)state;
	for (unsigned turn = 0; turn < 300; turn++) {
		struct err e;

		for (unsigned i = 0; i < SIZE; i++) {
			x = x * 1664525 + 1013904223;
			file[i] = (unsigned char)(x >> 24);
		}
		memcpy(file, &heads[turn % 3], 4);
		file[4] = 2;
		(void)program_takes_library(
			write_file("it", file, 1 + x % SIZE, 0755), &e);
	}
}

static void
scripts_are_their_interpreter(void **state)
{
	char text[200];

	(void)state;
	make_elf(64, 1, false);
	write_file("still", file, sizeof file, 0755);
	snprintf(text, sizeof text, "#! %s -x\necho\n", path);
	assert_refuses(text, strlen(text), "still: it is linked statically");
	make_elf(64, 3, false);
	write_file("still", file, sizeof file, 0755);
	assert_takes(text, strlen(text));
	snprintf(text, sizeof text, "#!%s/it\n", folder); /* itself */
	assert_takes(text, strlen(text));
	assert_takes("#!\n", 3);
	assert_takes("#!/not/there\n", 13);
}

static void
set_uid_ones_are_refused(void **state)
{
	struct err e;

	(void)state;
	assert_false(program_takes_library(
		write_file("it", file, sizeof file, 04755), &e));
	assert_non_null(strstr(e.text, "set-uid"));
	assert_true(program_takes_library("/not/there", &e));
}

static void
found_as_exec_does(void **state)
{
	char found[64], all[100];

	(void)state;
	snprintf(all, sizeof all, "/not/there:%s::/bin", folder);
	assert_int_equal(setenv("PATH", all, 1), 0);
	write_file("it", file, sizeof file, 0755);
	assert_true(program_find("it", found, sizeof found));
	assert_string_equal(found, path);
	assert_true(program_find(path, found, sizeof found));
	assert_string_equal(found, path);
	write_file("it", file, sizeof file, 0644);
	assert_false(program_find("it", found, sizeof found));
	assert_false(program_find("no-such-program", found, sizeof found));
	assert_false(program_find("it", found, 3));
	assert_true(program_find("sh", found, sizeof found));
	assert_string_equal(found, "/bin/sh");
}

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL;
}

static int
remove_folder(void **state)
{
	static const char *const names[] = { "it", "still" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		snprintf(path, sizeof path, "%s/%s", folder, names[i]);
		(void)unlink(path);
	}
	return rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(elf_files, begin),
		cmocka_unit_test_setup(macho_files, begin),
		cmocka_unit_test_setup(any_bytes_are_survived, begin),
		cmocka_unit_test_setup(scripts_are_their_interpreter, begin),
		cmocka_unit_test_setup(set_uid_ones_are_refused, begin),
		cmocka_unit_test_setup(found_as_exec_does, begin),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
