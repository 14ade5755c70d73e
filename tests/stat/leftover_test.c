/* Files of --inject whose ktop was killed: removed, and nothing else is. */
#include "stat/inject.h"
#include "stat/leftover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/ktop-leftover-XXXXXX";

static int
make_folder(void **state)
{
	(void)state;
	return mkdtemp(folder) == NULL || setenv("TMPDIR", folder, 1) != 0;
}

static int
remove_folder(void **state)
{
	(void)state;
	return rmdir(folder);
}

static unsigned
files(void)
{
	DIR *d = opendir(folder);
	const struct dirent *f;
	unsigned n = 0;

	assert_non_null(d);
	while ((f = readdir(d)) != NULL)
		n += f->d_name[0] != '.';
	closedir(d);
	return n;
}

static struct inject *
open_one(void)
{
	struct err e;
	struct inject *i =
		inject_open_with("/lib/ours.so", "/lib/kperf", NULL, &e);

	assert_non_null(i);
	return i;
}

static struct inject *
begin_one(void)
{
	struct inject *i = open_one();
	struct err e;

	assert_true(inject_begin_run(i, 2, &e));
	return i;
}

/* A run of a ktop that dies in the midst of it. */
static void
leave_one(void)
{
	pid_t pid = fork();
	int status;

	assert_true(pid >= 0);
	if (pid == 0) {
		(void)begin_one();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
of_the_dead(void **state)
{
	(void)state;
	leave_one();
	assert_int_equal(files(), 1);
	assert_int_equal(leftover_remove(), 1);
	assert_int_equal(files(), 0);
	assert_int_equal(leftover_remove(), 0);
	leave_one();
	inject_close(open_one()); /* the next one that begins */
	assert_int_equal(files(), 0);
}

static void
of_the_living(void **state)
{
	struct inject *i = begin_one();
	struct inject_seen seen;
	struct err e;

	(void)state;
	assert_int_equal(leftover_remove(), 0);
	leave_one(); /* it looks, too */
	assert_int_equal(leftover_remove(), 1);
	assert_int_equal(files(), 1);
	assert_true(inject_end_run(i, &seen, &e));
	inject_close(i);
	assert_int_equal(files(), 0);
}

static const char *
path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

static void
write_one(const char *name, const void *what, size_t n)
{
	int fd = open(path_of(name), O_WRONLY | O_CREAT | O_EXCL, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, what, n), n);
	close(fd);
}

static void
of_others(void **state)
{
	static const char *const made[] = {
		"ktop-inject-empty", "ktop-inject-short", "ktop-inject-magic",
		"ktop-inject-size",  "ktop-inject-pipe",  "ktop-inject-link",
		"other-name"
	};
	struct inject_record r = { .magic = INJECT_MAGIC, .size = sizeof r };

	(void)state;
	write_one(made[0], "", 0);
	write_one(made[1], &r, 8);
	write_one(made[6], &r, sizeof r);
	r.magic++;
	write_one(made[2], &r, sizeof r);
	r.magic--;
	r.size++;
	write_one(made[3], &r, sizeof r);
	assert_int_equal(mkfifo(path_of(made[4]), 0600), 0);
	assert_int_equal(symlink("other-name", path_of(made[5])), 0);
	assert_int_equal(leftover_remove(), 0);
	assert_int_equal(files(), sizeof made / sizeof *made);
	for (unsigned i = 0; i < sizeof made / sizeof *made; i++)
		assert_int_equal(unlink(path_of(made[i])), 0);
}

static void
without_a_folder(void **state)
{
	(void)state;
	assert_int_equal(setenv("TMPDIR", "/not/there", 1), 0);
	assert_int_equal(leftover_remove(), 0);
	assert_int_equal(setenv("TMPDIR", "not absolute", 1), 0);
	assert_string_equal(leftover_folder(), "/tmp");
	assert_int_equal(setenv("TMPDIR", folder, 1), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_the_dead),
		cmocka_unit_test(of_the_living),
		cmocka_unit_test(of_others),
		cmocka_unit_test(without_a_folder),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
