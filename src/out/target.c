#include "out/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "out/open_as.h"

static bool
fail(struct target *t, struct err *e, const char *what)
{
	enum err_code code =
		errno == EACCES || errno == EPERM ? ERR_PERM : ERR_FAIL;

	return err_set(e, code, "%s %s: %s", what, t->name, strerror(errno));
}

/* Opens what is already there; it is not ours to create. */
static bool
open_existing(struct target *t, bool force, struct err *e)
{
	struct stat st;

	t->fd = open_as_caller(t->name,
			       O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	if (t->fd < 0 && errno == ENXIO)
		return err_set(e, ERR_FAIL,
			       "%s is a FIFO that nobody reads; "
			       "start its reader first",
			       t->name);
	if (t->fd < 0)
		return fail(t, e, "cannot open");
	if (fstat(t->fd, &st) != 0)
		return fail(t, e, "cannot examine");
	if (!S_ISREG(st.st_mode))
		return true;
	if (!force)
		return err_set(e, ERR_FAIL,
			       "%s exists; choose another name, "
			       "or replace it with --force",
			       t->name);
	if (ftruncate(t->fd, 0) != 0)
		return fail(t, e, "cannot empty");
	return true;
}

static bool
open_path(struct target *t, bool force, struct err *e)
{
	t->owned = true;
	t->fd = open_as_caller(t->name, O_WRONLY | O_CREAT | O_EXCL |
						O_NONBLOCK | O_CLOEXEC);
	if (t->fd >= 0)
		return true;
	if (errno != EEXIST)
		return fail(t, e, "cannot create");
	return open_existing(t, force, e);
}

/*
 * A reader that stalls must not stop the program, which takes signals only
 * where it sleeps: pipes do not block. Files and terminals keep to blocking.
 */
static bool
set_blocking(struct target *t, struct err *e)
{
	struct stat st;
	int flags = fcntl(t->fd, F_GETFL);

	if (flags < 0 || fstat(t->fd, &st) != 0)
		return fail(t, e, "cannot use");
	bool pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
	int want = pipe ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;

	t->regular = S_ISREG(st.st_mode);
	if (want == flags)
		return true;
	if (!t->owned && pipe)
		t->flags_before = flags;
	else if (!t->owned)
		return true;
	if (fcntl(t->fd, F_SETFL, want) != 0)
		return fail(t, e, "cannot use");
	return true;
}

bool
target_open(struct target *t, const char *path, bool force, size_t size,
	    struct err *e)
{
	bool standard = strcmp(path, "-") == 0;

	*t = (struct target){ .fd = -1, .flags_before = -1, .size = size };
	t->name = strdup(standard ? "standard output" : path);
	t->at = malloc(size);
	bool ok = t->name != NULL && t->at != NULL;

	if (!ok)
		(void)err_set(e, ERR_FAIL, "out of memory for %s", path);
	else if (standard)
		t->fd = STDOUT_FILENO;
	else
		ok = open_path(t, force, e);
	ok = ok && set_blocking(t, e);
	if (!ok)
		target_close(t);
	return ok;
}

/* Says a trouble once; later frames lost to the same one are only counted. */
static bool
trouble(struct target *t, int error, struct err *e)
{
	t->dead = t->dead || error == EPIPE || error == ECONNRESET;
	if (e != NULL)
		e->text[0] = '\0';
	if (t->said == error)
		return false;
	t->said = error;
	return err_set(e, ERR_FAIL,
		       "cannot write %s: %s; frames are lost "
		       "until it works again",
		       t->name, strerror(error));
}

/* 0, or the errno. A far side that is only slow is no error. */
static int
push(struct target *t)
{
	ssize_t n;

	do
		n = write(t->fd, t->at + t->pos, t->len - t->pos);
	while (n < 0 && errno == EINTR && t->regular);
	if (n < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR
			       ? 0
			       : errno;
	t->pos += (size_t)n;
	if (t->pos == t->len)
		t->pos = t->len = 0;
	return 0;
}

bool
target_flush(struct target *t, struct err *e)
{
	if (t->dead)
		return trouble(t, EPIPE, e);
	if (t->len == 0)
		return true;
	int error = push(t);

	if (error != 0)
		return trouble(t, error, e);
	if (t->len == 0)
		return true;
	if (e != NULL)
		e->text[0] = '\0';
	return false;
}

bool
target_send(struct target *t, size_t len, struct err *e)
{
	t->pos = 0;
	t->len = len;
	int error = push(t);

	if (error == 0) {
		t->said = 0;
		return true;
	}
	t->len = 0;
	target_drop(t);
	return trouble(t, error, e);
}

void
target_drop(struct target *t)
{
	t->lost++;
}

int
target_fd(const struct target *t)
{
	/* A full disk does not get better by waiting for the descriptor. */
	return t->len != 0 && t->said == 0 && !t->dead ? t->fd : -1;
}

/* Takes the torn last row back off the file's end. */
static void
cut_torn(struct target *t)
{
	off_t end = lseek(t->fd, 0, SEEK_END);
	size_t keep = t->pos;

	while (keep > 0 && t->at[keep - 1] != '\n')
		keep--;
	if (end >= (off_t)(t->pos - keep))
		(void)!ftruncate(t->fd, end - (off_t)(t->pos - keep));
}

void
target_close(struct target *t)
{
	if (t->fd >= 0 && t->len != 0 && !target_flush(t, NULL) && t->owned &&
	    t->regular)
		cut_torn(t);
	if (t->flags_before >= 0)
		(void)fcntl(t->fd, F_SETFL, t->flags_before);
	if (t->owned && t->fd >= 0)
		(void)close(t->fd);
	free(t->name);
	free(t->at);
	*t = (struct target){ .fd = -1, .flags_before = -1 };
}
