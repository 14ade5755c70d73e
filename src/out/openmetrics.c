/*
 * Prometheus' text format in a file that is replaced as a whole each frame, for
 * the textfile collector of node_exporter. A strict OpenMetrics parser wants
 * TYPE lines of counters without _total, which that collector does not take;
 * Prometheus' own takes both. UNIT and EOF are comments in this format.
 */
#include "out/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"
#include "process/open_as.h"
#include "out/openmetrics.h"

struct openmetrics {
	struct sink sink; /* first: the ops cast back */
	struct openmetrics_page page;
	char *path, *temporary;
	char *at; /* [size] */
	size_t size;
	uint64_t lost;
	int said; /* errno of the trouble reported last; 0: none */
};

static struct openmetrics *
openmetrics_of(struct sink *s)
{
	return (struct openmetrics *)(void *)s;
}

static bool
trouble(struct openmetrics *o, int error, struct err *e)
{
	o->lost++;
	e->text[0] = '\0';
	if (o->said == error)
		return false;
	o->said = error;
	return err_set(e, ERR_FAIL,
		       "cannot write %s: %s; it keeps its last contents until "
		       "that works again",
		       o->path, strerror(error));
}

/* 0, or the errno. The file under its own name is always a whole one. */
static int
replace(struct openmetrics *o, size_t len)
{
	int fd = open_as_caller(o->temporary,
				O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);
	int error = 0;
	size_t at = 0;

	if (fd < 0)
		return errno;
	while (at < len && error == 0) {
		ssize_t n = write(fd, o->at + at, len - at);

		if (n > 0)
			at += (size_t)n;
		else if (n == 0 || errno != EINTR)
			error = n == 0 ? EIO : errno;
	}
	if (close(fd) != 0 && error == 0)
		error = errno;
	if (error == 0 && rename_as_caller(o->temporary, o->path) != 0)
		error = errno;
	if (error != 0)
		(void)unlink_as_caller(o->temporary);
	return error;
}

static bool
openmetrics_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct openmetrics *o = openmetrics_of(s);
	struct buf b = buf_over(o->at, o->size);

	totals_add(&o->page.totals, f);
	openmetrics_write(&b, &o->page, f);
	if (b.full)
		return trouble(o, EFBIG, e);
	int error = replace(o, b.len);

	if (error != 0)
		return trouble(o, error, e);
	o->said = 0;
	return true;
}

static void
openmetrics_state(const struct sink *s, uint64_t *lost, bool *dead)
{
	*lost = ((const struct openmetrics *)(const void *)s)->lost;
	*dead = false;
}

static int
openmetrics_waiting(const struct sink *s)
{
	(void)s;
	return -1;
}

static bool
openmetrics_flush(struct sink *s, struct err *e)
{
	(void)s;
	(void)e;
	return true;
}

static void
openmetrics_close(struct sink *s)
{
	if (s == NULL)
		return;
	struct openmetrics *o = openmetrics_of(s);

	openmetrics_page_free(&o->page);
	free(o->path);
	free(o->temporary);
	free(o->at);
	free(o);
}

/* Only what an earlier ktop wrote there is replaced unasked. */
static bool
may_replace(const char *path, bool force, struct err *e)
{
	char first[sizeof OPENMETRICS_BEGINS - 1];
	int fd = open_as_caller(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return true;
	if (fd < 0 && fd_names_socket(path))
		return err_set(
			e, ERR_FAIL,
			"%s is a socket, and a page is a file that is replaced; choose another name",
			path);
	if (fd < 0)
		return err_set(e, errno == EACCES ? ERR_PERM : ERR_FAIL,
			       "cannot replace %s: %s", path, strerror(errno));
	bool ours = read(fd, first, sizeof first) == (ssize_t)sizeof first &&
		    memcmp(first, OPENMETRICS_BEGINS, sizeof first) == 0;

	(void)close(fd);
	if (ours || force)
		return true;
	return err_set(e, ERR_FAIL,
		       "%s exists and is not ktop's; choose another name, or "
		       "replace it with --force",
		       path);
}

static bool
prepare(struct openmetrics *o, const char *target, const struct sink_about *a,
	struct err *e)
{
	size_t size = strlen(target) + 32;

	if (strcmp(target, "-") == 0)
		return err_set(e, ERR_USAGE,
			       "--openmetrics replaces a file each frame; "
			       "give it a name instead of -");
	if (!may_replace(target, a->force, e))
		return false;
	o->path = strdup(target);
	o->temporary = malloc(size);
	bool ok = openmetrics_page_init(&o->page, a);

	o->size = ok ? openmetrics_size(&o->page) : 1;
	o->at = malloc(o->size);
	if (!ok || o->path == NULL || o->temporary == NULL || o->at == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", target);
	/* The collector reads *.prom only. */
	(void)snprintf(o->temporary, size, "%s.%ld.tmp", target,
		       (long)getpid());
	(void)unlink_as_caller(o->temporary);
	int fd = open_as_caller(o->temporary,
				O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC);

	if (fd < 0)
		return err_set(
			e,
			errno == EACCES || errno == EPERM ? ERR_PERM : ERR_FAIL,
			"cannot write beside %s: %s", target, strerror(errno));
	(void)close(fd);
	(void)unlink_as_caller(o->temporary);
	return true;
}

static struct sink *
openmetrics_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct openmetrics *o = calloc(1, sizeof *o);

	if (o == NULL) {
		(void)err_set(e, ERR_FAIL, "out of memory for %s", target);
		return NULL;
	}
	o->sink.ops = &sink_openmetrics;
	if (prepare(o, target, a, e))
		return &o->sink;
	openmetrics_close(&o->sink);
	return NULL;
}

static bool
openmetrics_machine(struct sink *s, const struct sink_about *a,
		    const struct topology *was, struct err *e)
{
	struct openmetrics *o = openmetrics_of(s);
	bool ok = openmetrics_page_move(&o->page, a, was);
	size_t size = ok ? openmetrics_size(&o->page) : 0;
	char *at = ok ? realloc(o->at, size) : NULL;

	if (at == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", o->path);
	o->at = at;
	o->size = size;
	return true;
}

const struct sink_ops sink_openmetrics = {
	.name = "openmetrics",
	.open = openmetrics_open,
	.frame = openmetrics_frame,
	.machine = openmetrics_machine,
	.state = openmetrics_state,
	.waiting = openmetrics_waiting,
	.flush = openmetrics_flush,
	.close = openmetrics_close,
};
