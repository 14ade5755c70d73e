#include "recording/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "pack/pack.h"

enum { RAW_SIZE = 128 << 10, MAGIC_SIZE = 4 };

const char *
input_name(const struct input *in)
{
	return strcmp(in->path, "-") == 0 ? "standard input" : in->path;
}

bool
input_open(struct input *in, const char *path, struct err *e)
{
	struct stat st;

	*in = (struct input){ .path = path, .fd = -1 };
	if (strcmp(path, "-") == 0) {
		in->fd = STDIN_FILENO;
		return true;
	}
	in->fd = fd_open_input(path);
	if (in->fd < 0 && fd_names_socket(path))
		return err_set(
			e, ERR_FORMAT,
			"recording %s is a socket, which cannot be opened as a file; read it with a program that connects to it, and give - for its output",
			path);
	if (in->fd < 0)
		return err_set(e, errno == EACCES ? ERR_PERM : ERR_FORMAT,
			       "recording %s: %s", path, strerror(errno));
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(e, ERR_FORMAT,
			       "recording %s is a folder; name the files in it",
			       path);
	if (fd_is_endless(in->fd))
		return err_set(e, ERR_FORMAT,
			       "recording %s has no bytes to read", path);
	return true;
}

void
input_close(struct input *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
	unpacker_free(in->unpacker);
	in->unpacker = NULL;
	free(in->raw);
	in->raw = NULL;
}

static ptrdiff_t
read_some(struct input *in, char *to, size_t n, struct err *e)
{
	ssize_t got = 0;

	/* Who is asked to end reads no further: it ends in good order. */
	if (fd_await_input(in->fd))
		do
			got = read(in->fd, to, n);
		while (got < 0 && errno == EINTR);
	if (got < 0) {
		err_set(e, ERR_FORMAT, "recording %s: %s", input_name(in),
			strerror(errno));
		return -1;
	}
	in->eof = got == 0;
	in->bytes += (uint64_t)got;
	return got;
}

/* ---- unpacking ---- */

/* The first bytes, at most RAW_SIZE, are those of a compressed file. */
static bool
begin_unpacking(struct input *in, const char *first, size_t n, struct err *e)
{
	in->unpacker = unpacker_new(e);
	if (in->unpacker == NULL)
		return false;
	in->raw = malloc(RAW_SIZE);
	if (in->raw == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a recording");
	in->at = 0;
	in->end = n;
	memcpy(in->raw, first, n);
	in->apart = 1;
	return true;
}

/* Every second place is given up where there is no room for another. */
static void
note_place(struct input *in)
{
	unsigned n = in->nplaces;

	if (n > 0 && in->text - in->place[n - 1].text < in->apart)
		return;
	if (n == INPUT_PLACES) {
		for (unsigned i = 0; i < n / 2; i++)
			in->place[i] = in->place[2 * i];
		in->nplaces = n /= 2;
		in->apart = 2 * (in->text / INPUT_PLACES);
	}
	in->place[n].raw = in->base + (int64_t)in->at;
	in->place[n].text = in->text;
	in->nplaces++;
}

static ptrdiff_t
refill_raw(struct input *in, struct err *e)
{
	in->base += (int64_t)in->end;
	in->at = in->end = 0;
	ptrdiff_t n = read_some(in, in->raw, RAW_SIZE, e);

	in->end = n > 0 ? (size_t)n : 0;
	return n;
}

static bool
damaged(const struct input *in, const char *why, struct err *e)
{
	return err_set(
		e, ERR_FORMAT,
		"recording %s is damaged at byte %lld of the compressed file (%s); zstd -dc %s writes what is before it",
		input_name(in), (long long)(in->base + (int64_t)in->at), why,
		input_name(in));
}

static enum input_end
ending(const struct unpacker *u)
{
	if (unpacker_between(u))
		return INPUT_CLOSED;
	return unpacker_in_block(u) ? INPUT_CUT : INPUT_OPEN;
}

/* Text of what is there; a file may end anywhere: then there is no more. */
static ptrdiff_t
unpack_some(struct input *in, char *to, size_t n, struct err *e)
{
	const char *why;

	for (;;) {
		size_t from = in->end - in->at, out = n;

		if (from > 0 && unpacker_between(in->unpacker))
			note_place(in);
		if (!unpack(in->unpacker, in->raw + in->at, &from, to, &out,
			    &why)) {
			(void)damaged(in, why, e);
			return -1;
		}
		in->at += from;
		in->text += (int64_t)out;
		if (out > 0)
			return (ptrdiff_t)out;
		if (in->at < in->end)
			continue;
		ptrdiff_t got = refill_raw(in, e);

		if (got == 0)
			in->ending = ending(in->unpacker);
		if (got <= 0)
			return got;
	}
}

static ptrdiff_t
unpack_wanted(struct input *in, char *to, size_t n, struct err *e)
{
	for (;;) {
		ptrdiff_t got = unpack_some(in, to, n, e);

		if (got <= 0 || in->unread == 0)
			return got;
		size_t pass =
			in->unread < got ? (size_t)in->unread : (size_t)got;

		in->unread -= (int64_t)pass;
		memmove(to, to + pass, (size_t)got - pass);
		if ((size_t)got > pass)
			return got - (ptrdiff_t)pass;
	}
}

/* ---- both ---- */

ptrdiff_t
input_read(struct input *in, char *to, size_t n, struct err *e)
{
	ptrdiff_t have = 0, got;

	if (in->unpacker != NULL)
		return unpack_wanted(in, to, n, e);
	if (in->begun)
		return read_some(in, to, n, e);
	in->begun = true;
	n = n < RAW_SIZE ? n : RAW_SIZE;
	do { /* a pipe may give them one by one */
		got = read_some(in, to + have, n - (size_t)have, e);
		if (got < 0)
			return -1;
		have += got;
	} while (got > 0 && have < MAGIC_SIZE && to[0] == '\x28');
	if (!pack_magic(to, (size_t)have))
		return have;
	if (!begin_unpacking(in, to, (size_t)have, e))
		return -1;
	return unpack_wanted(in, to, n, e);
}

bool
input_seek(struct input *in, int64_t offset, struct err *e)
{
	unsigned i = in->nplaces;
	int64_t raw = offset;

	while (i > 0 && in->place[i - 1].text > offset)
		i--;
	if (in->unpacker != NULL)
		raw = i > 0 ? in->place[i - 1].raw : 0;
	if (lseek(in->fd, (off_t)raw, SEEK_SET) != (off_t)raw)
		return err_set(e, ERR_FAIL,
			       "recording %s: cannot go back in it: %s",
			       input_name(in), strerror(errno));
	in->eof = false;
	if (in->unpacker == NULL)
		return true;
	unpacker_reset(in->unpacker);
	in->base = raw;
	in->at = in->end = 0;
	in->text = i > 0 ? in->place[i - 1].text : 0;
	in->unread = offset - in->text;
	return true;
}
