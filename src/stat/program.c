#include "stat/program.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bits.h"

enum {
	HEAD = 4096,
	PARTS = 256, /* of a file's own tables, at most */
	SCRIPTS = 4, /* that run each other */
	PATH_SIZE = 1024,
};

/* ---- which file ---- */

static bool
is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

bool
program_find(const char *word, char *path, size_t size)
{
	const char *all = getenv("PATH");

	if (strchr(word, '/') != NULL || all == NULL)
		return snprintf(path, size, "%s", word) < (int)size &&
		       is_program(path);
	for (const char *at = all;; at++) {
		size_t n = strcspn(at, ":");
		int len = snprintf(path, size, "%.*s%s%s", (int)n, at,
				   n > 0 ? "/" : "", word);

		if (len < (int)size && is_program(path))
			return true;
		at += n;
		if (*at == '\0')
			return false;
	}
}

/* ---- numbers in a file ---- */

struct file {
	int fd;
	const char *path;
	bool big; /* its numbers have their highest byte first */
};

static bool
read_at(const struct file *f, uint64_t at, void *to, size_t n)
{
	return at <= INT64_MAX && pread(f->fd, to, n, (off_t)at) == (ssize_t)n;
}

static uint64_t
number(const struct file *f, const unsigned char *at, unsigned bytes)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < bytes; i++)
		v = v << 8 | at[f->big ? i : bytes - 1 - i];
	return v;
}

static bool
refuse(const struct file *f, struct err *e, const char *why)
{
	return err_set(e, ERR_USAGE,
		       "--inject: no library is loaded into %s: %s", f->path,
		       why);
}

/* ---- ELF: the simulated Mac's programs are this system's ---- */

enum {
	ELF_HEADER = 64,
	ELF_PHOFF = 32,
	ELF_PHENTSIZE = 54,
	ELF_PHNUM = 56,
	ELF_CLASS_64 = 2,
	ELF_INTERP = 3
};

static bool
takes_elf(struct file *f, const unsigned char *head, struct err *e)
{
	if (head[4] != ELF_CLASS_64)
		return refuse(f, e, "it is of 32 bits");
	f->big = head[5] == 2;
	uint64_t at = number(f, head + ELF_PHOFF, 8);
	unsigned size = (unsigned)number(f, head + ELF_PHENTSIZE, 2);
	unsigned n = (unsigned)number(f, head + ELF_PHNUM, 2);

	for (unsigned i = 0; i < n && i < PARTS; i++) {
		unsigned char type[4];

		if (!read_at(f, at + (uint64_t)i * size, type, sizeof type) ||
		    number(f, type, 4) == ELF_INTERP)
			return true;
	}
	return n >= PARTS || refuse(f, e, "it is linked statically");
}

/* ---- Mach-O ---- */

#define MACHO_64 UINT32_C(0xfeedfacf)
#define MACHO_FAT UINT32_C(0xcafebabe)
#define MACHO_ARM64 UINT32_C(0x0100000c)
#define MACHO_SIGNATURE 0x1du /* LC_CODE_SIGNATURE */
#define SIGNATURES UINT32_C(0xfade0cc0)
#define SIGNED_CODE UINT32_C(0xfade0c02)
#define SIGNED_RIGHTS UINT32_C(0xfade7171)
#define CODE_RESTRICT UINT64_C(0x800)
#define CODE_RUNTIME UINT64_C(0x10000) /* hardened */

/* The entitlement that lets DYLD_INSERT_LIBRARIES through. */
static const char allowed[] =
	"com.apple.security.cs.allow-dyld-environment-variables";

static bool
has_right(const struct file *f, uint64_t at, uint64_t size)
{
	static const uint64_t most = 1 << 16;
	size_t n = (size_t)(size < most ? size : most);
	char *text = calloc(1, n + 1);
	bool has = false;

	if (text != NULL && read_at(f, at, text, n))
		for (size_t i = 0; !has && i + sizeof allowed <= n + 1; i++)
			has = memcmp(text + i, allowed, sizeof allowed - 1) ==
			      0;
	free(text);
	return has;
}

/* Code signatures have the highest byte first, whatever the program has. */
static bool
takes_signed(const struct file *of, uint64_t at, struct err *e)
{
	struct file f = { of->fd, of->path, true };
	unsigned char head[12], index[8], blob[16];
	uint64_t flags = 0;
	bool right = false;

	if (!read_at(&f, at, head, sizeof head) ||
	    number(&f, head, 4) != SIGNATURES)
		return true;
	uint64_t n = number(&f, head + 8, 4);

	for (uint64_t i = 0; i < n && i < PARTS; i++) {
		if (!read_at(&f, at + sizeof head + i * sizeof index, index,
			     sizeof index))
			return true;
		uint64_t to = at + number(&f, index + 4, 4);

		if (!read_at(&f, to, blob, sizeof blob))
			return true;
		if (number(&f, blob, 4) == SIGNED_CODE)
			flags |= number(&f, blob + 12, 4);
		if (number(&f, blob, 4) == SIGNED_RIGHTS)
			right = right ||
				has_right(&f, to, number(&f, blob + 4, 4));
	}
	if ((flags & CODE_RESTRICT) != 0)
		return refuse(&f, e, "its signature restricts it");
	return (flags & CODE_RUNTIME) == 0 || right ||
	       refuse(&f, e,
		      "it has the hardened runtime; sign a copy of it without (codesign -f -s - COPY)");
}

static bool
takes_macho(struct file *f, uint64_t from, struct err *e)
{
	enum { HEADER = 32 };
	unsigned char head[HEADER], command[16];
	uint64_t at = from + HEADER;

	f->big = false;
	if (!read_at(f, from, head, sizeof head) ||
	    number(f, head, 4) != MACHO_64)
		return true;
	uint64_t n = number(f, head + 16, 4);

	for (uint64_t i = 0; i < n && i < PARTS; i++) {
		if (!read_at(f, at, command, sizeof command))
			return true;
		if (number(f, command, 4) == MACHO_SIGNATURE)
			return takes_signed(f, from + number(f, command + 8, 4),
					    e);
		at += number(f, command + 4, 4);
	}
	return true;
}

/* Of several machines' programs that of Apple silicon; each has 20 bytes. */
static bool
takes_fat(struct file *f, const unsigned char *head, struct err *e)
{
	enum { ENTRY = 20 };

	f->big = true;
	uint64_t n = number(f, head + 4, 4);

	for (uint64_t i = 0; i < n && i < PARTS; i++) {
		unsigned char entry[ENTRY];

		if (!read_at(f, 8 + i * ENTRY, entry, sizeof entry))
			return true;
		f->big = true;
		if (number(f, entry, 4) == MACHO_ARM64)
			return takes_macho(f, number(f, entry + 8, 4), e);
	}
	return true;
}

/* ---- any file ---- */

/* "#!/bin/sh -e": the interpreter is what is loaded into. */
static bool
names_interpreter(const char *head, char *path)
{
	const char *at = head + 2;
	size_t n;

	if (head[0] != '#' || head[1] != '!')
		return false;
	at += strspn(at, " \t");
	n = strcspn(at, " \t\r\n");
	if (n == 0 || n >= PATH_SIZE)
		return false;
	memcpy(path, at, n);
	path[n] = '\0';
	return true;
}

static bool
takes_kind(struct file *f, const unsigned char *head, struct err *e)
{
	f->big = true;
	if (memcmp(head, "\177ELF", 4) == 0)
		return takes_elf(f, head, e);
	if (number(f, head, 4) == MACHO_FAT)
		return takes_fat(f, head, e);
	return takes_macho(f, 0, e);
}

static bool
takes_file(struct file *f, const struct stat *st, char *next, struct err *e)
{
	unsigned char head[HEAD + 1] = { 0 };
	bool ok;

	next[0] = '\0';
	if ((st->st_mode & (S_ISUID | S_ISGID)) != 0)
		return refuse(f, e, "it is set-uid or set-gid");
	if (program_is_protected(f->path))
		return refuse(
			f, e,
			"it is one of those that System Integrity Protection keeps; use a copy or another build of it");
	f->fd = open(f->path, O_RDONLY | O_CLOEXEC);
	if (f->fd < 0)
		return true;
	ok = pread(f->fd, head, HEAD, 0) < (ssize_t)ELF_HEADER;
	if (!names_interpreter((const char *)head, next) && !ok)
		ok = takes_kind(f, head, e);
	else
		ok = true;
	close(f->fd);
	return ok;
}

bool
program_takes_library(const char *path, struct err *e)
{
	char one[PATH_SIZE], two[PATH_SIZE];
	struct stat st;

	if (snprintf(one, sizeof one, "%s", path) >= (int)sizeof one)
		return true;
	for (unsigned i = 0; i < SCRIPTS; i++) {
		struct file f = { .fd = -1, .path = one };

		if (stat(one, &st) != 0 || !S_ISREG(st.st_mode))
			return true;
		if (!takes_file(&f, &st, two, e))
			return false;
		if (two[0] == '\0')
			return true;
		memcpy(one, two, sizeof one);
	}
	return true;
}
