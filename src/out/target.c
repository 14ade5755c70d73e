#include "out/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/fd.h"
#include "process/caller.h"

void
target_lock_for_pid(int fd)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	(void)fcntl(fd, F_SETLK, &all);
}

/* flock(2) locks until the file is closed. A POSIX lock ends when any
 * descriptor of the file is closed, but shows the pid of its holder. File
 * systems without flock(2) get no lock. */
static bool
file_lock_take(const char *name, int fd, struct err *e)
{
	struct flock who = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char other[64] = "another program, such as a ktop,";

	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		target_lock_for_pid(fd);
		return true;
	}
	if (errno != EWOULDBLOCK)
		return true;
	if (fcntl(fd, F_GETLK, &who) == 0 && who.l_type != F_UNLCK &&
	    who.l_pid > 0)
		snprintf(other, sizeof other, "another ktop (pid %ld)",
			 (long)who.l_pid);
	return err_set(
		e, ERR_FAIL,
		"cannot write %s: %s is recording to it; choose another name, or stop that recording",
		name, other);
}

bool
target_is_free(const char *name, struct err *e)
{
	int fd = open_as_caller(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	bool ok = fd < 0 || file_lock_take(name, fd, e);

	if (fd >= 0)
		close(fd);
	return ok;
}

bool
target_explain_errno(const struct target *t, struct err *e, const char *what)
{
	enum err_code code =
		errno == EACCES || errno == EPERM ? ERR_PERM : ERR_FAIL;

	return err_set(e, code, "%s %s: %s", what, t->name, strerror(errno));
}

bool
target_explain_exists(const char *name, struct err *e)
{
	return err_set(
		e, ERR_FAIL,
		"%s exists; choose another name, append with --append, or replace it with --force",
		name);
}

/* True for a FIFO: sockets and missing devices give ENXIO, too. */
static bool
path_is_fifo(const char *path)
{
	struct stat st;
	bool fifo = stat(path, &st) == 0 && S_ISFIFO(st.st_mode);

	errno = ENXIO; /* for the caller's message */
	return fifo;
}

static int
target_open_existing(struct target *t, enum target_mode mode, struct err *e)
{
	struct stat st;
	int fd = open_as_caller(t->name, O_WRONLY | O_APPEND | O_NONBLOCK |
						 O_CLOEXEC | O_NOCTTY);

	if (fd < 0 && errno == ENXIO && path_is_fifo(t->name))
		err_set(e, ERR_FAIL,
			"%s is a FIFO without a reader; start the reader first",
			t->name);
	else if (fd < 0 && fd_names_socket(t->name))
		err_set(e, ERR_FAIL,
			"%s is a socket, which cannot be opened as a file; record to - and pipe the recording to a program that connects to the socket",
			t->name);
	else if (fd < 0)
		(void)target_explain_errno(t, e, "cannot open");
	if (fd < 0)
		return -1;
	bool ok = fstat(fd, &st) == 0;

	if (!ok)
		(void)target_explain_errno(t, e, "cannot examine");
	else if (S_ISREG(st.st_mode) && mode == TARGET_NEW)
		ok = target_explain_exists(t->name, e);
	else if (S_ISREG(st.st_mode) && !file_lock_take(t->name, fd, e))
		ok = false;
	else if (S_ISREG(st.st_mode) && mode == TARGET_REPLACE &&
		 ftruncate(fd, 0) != 0)
		ok = target_explain_errno(t, e, "cannot empty");
	if (ok)
		return fd;
	close(fd);
	return -1;
}

static int
target_open_name(struct target *t, enum target_mode mode, struct err *e)
{
	int fd =
		open_as_caller(t->name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND |
						O_NONBLOCK | O_CLOEXEC);

	t->created = fd >= 0;
	if (fd >= 0 && file_lock_take(t->name, fd, e))
		return fd;
	if (fd >= 0) {
		t->created = false; /* another ktop has locked the file */
		close(fd);
		return -1;
	}
	if (errno != EEXIST) {
		(void)target_explain_errno(t, e, "cannot create");
		return -1;
	}
	return target_open_existing(t, mode, e);
}

/* A write to a slow pipe must not block, because signals are handled only while
 * waiting. Writes to files and terminals may block. */
static bool
target_set_blocking(struct target *t, struct err *e)
{
	struct stat st;
	int flags = fcntl(t->fd, F_GETFL);

	if (flags < 0 || fstat(t->fd, &st) != 0)
		return target_explain_errno(t, e, "cannot use");
	if ((flags & O_ACCMODE) == O_RDONLY) /* as opened by fd_keep_standard */
		return err_set(e, ERR_FAIL,
			       "%s is closed or read-only; open it for writing",
			       t->name);
	t->pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
	int want = t->pipe ? flags | O_NONBLOCK : flags & ~O_NONBLOCK;

	t->regular = S_ISREG(st.st_mode);
	if (want == flags)
		return true;
	if (!t->owned && t->pipe)
		t->flags_before = flags;
	else if (!t->owned)
		return true;
	if (fcntl(t->fd, F_SETFL, want) != 0)
		return target_explain_errno(t, e, "cannot use");
	return true;
}

/* For "out.csv" and 7 "out.0007.csv", so that names sort by time. */
static void
segment_set_name(const char *path, unsigned n, char *name, size_t size)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash != NULL ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	size_t stem =
		dot != NULL && dot > base ? (size_t)(dot - path) : strlen(path);

	if (n == 0)
		snprintf(name, size, "%s", path);
	else
		snprintf(name, size, "%.*s.%04u%s", (int)stem, path, n,
			 path + stem);
}

static size_t
segment_name_size(const char *path)
{
	return strlen(path) + sizeof "standard output.4294967295";
}

/* Untouched pages of the queue cost no memory. */
static bool
target_make_queue(struct target *t, struct err *e)
{
	if (!t->pipe)
		return true;
	t->out_size = TARGET_QUEUE + t->size;
	t->out = malloc(t->out_size);
	t->end = malloc(TARGET_FRAMES * sizeof *t->end);
	return (t->out != NULL && t->end != NULL) ||
	       err_set(e, ERR_FAIL, "out of memory for %s", t->name);
}

bool
target_open(struct target *t, const char *path, enum target_mode mode,
	    size_t size, struct err *e)
{
	bool standard = strcmp(path, "-") == 0;

	*t = (struct target){ TARGET_NONE, .size = size };
	t->path = strdup(standard ? "standard output" : path);
	t->name = malloc(segment_name_size(path));
	t->at = t->out = malloc(size);
	t->out_size = size;
	bool ok = t->path != NULL && t->name != NULL && t->at != NULL;

	if (!ok) {
		err_set(e, ERR_FAIL, "out of memory for %s", path);
	} else {
		segment_set_name(t->path, 0, t->name, segment_name_size(path));
		t->owned = !standard;
		t->fd = standard ? STDOUT_FILENO : target_open_name(t, mode, e);
		ok = t->fd >= 0 && target_set_blocking(t, e) &&
		     target_make_queue(t, e);
	}
	if (!ok) {
		target_remove_created(t);
		(void)target_close(t);
	}
	return ok;
}

static bool
buffer_grow(char **at, size_t *have, size_t size)
{
	char *grown = realloc(*at, size);

	if (grown == NULL)
		return false;
	*at = grown;
	*have = size;
	return true;
}

bool
target_grow(struct target *t, size_t size, struct err *e)
{
	if (size <= t->size)
		return true;
	if (t->end != NULL &&
	    !buffer_grow(&t->out, &t->out_size, TARGET_QUEUE + size))
		return err_set(e, ERR_FAIL, "out of memory for %s", t->name);
	if (!buffer_grow(&t->at, &t->size, size))
		return err_set(e, ERR_FAIL, "out of memory for %s", t->name);
	if (t->end == NULL) {
		t->out = t->at;
		t->out_size = t->size;
	}
	return true;
}

bool
target_segment_stat(const char *path, unsigned n, struct stat *st)
{
	size_t size = segment_name_size(path);
	char *name = malloc(size);

	if (name == NULL)
		return false;
	segment_set_name(path, n, name, size);
	bool there = lstat(name, st) == 0;

	free(name);
	return there;
}

bool
target_has_segment(const char *path, unsigned n)
{
	struct stat st;

	return target_segment_stat(path, n, &st);
}

/* Returns 0 or errno. A reader that is slow is no error. */
static int
target_write_some(struct target *t)
{
	ssize_t n;

	do
		n = write(t->fd, t->out + t->pos, t->len - t->pos);
	while (n < 0 && errno == EINTR && t->regular);
	if (n < 0)
		return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR
			       ? 0
			       : errno;
	t->pos += (size_t)n;
	t->bytes += (size_t)n;
	while (t->end != NULL && t->first_frame < t->frames &&
	       t->end[t->first_frame % TARGET_FRAMES] <= t->bytes)
		t->first_frame++;
	if (t->pos == t->len)
		t->pos = t->len = 0;
	return 0;
}

/* keep: segment 0 stays open for its lock. */
static bool
target_switch_file(struct target *t, enum target_mode mode, bool keep,
		   struct err *e)
{
	int before = t->fd, fd = target_open_name(t, mode, e);

	if (fd < 0)
		return false;
	t->fd = fd;
	if (!target_set_blocking(t, e)) {
		t->fd = before;
		close(fd);
		return false;
	}
	if (keep)
		t->first = before;
	else
		close(before);
	t->pos = t->len = 0;
	t->bytes = 0;
	return true;
}

bool
target_open_segment(struct target *t, unsigned n, enum target_mode mode,
		    struct err *e)
{
	size_t size = segment_name_size(t->path);

	segment_set_name(t->path, n, t->name, size);
	if (target_switch_file(t, mode, t->first < 0, e)) {
		t->segment = n;
		return true;
	}
	segment_set_name(t->path, t->segment, t->name, size);
	return false;
}

bool
target_remove_segments(const char *path, bool remove, struct err *e)
{
	size_t size = segment_name_size(path);
	char *name = malloc(size);
	struct stat st;
	bool ok = name != NULL || err_set(e, ERR_FAIL, "out of memory");

	for (unsigned n = 1; ok && target_segment_stat(path, n, &st); n++) {
		segment_set_name(path, n, name, size);
		if (S_ISREG(st.st_mode))
			ok = target_is_free(name, e);
		if (ok && remove && S_ISREG(st.st_mode) &&
		    unlink_as_caller(name) != 0)
			ok = err_set(e, ERR_FAIL, "cannot remove %s: %s", name,
				     strerror(errno));
	}
	free(name);
	return ok;
}

bool
target_was_deleted(const struct target *t)
{
	struct stat st;

	return t->regular && t->owned && fstat(t->fd, &st) == 0 &&
	       st.st_nlink == 0;
}

bool
target_was_truncated(struct target *t)
{
	struct stat st;

	if (!t->regular || fstat(t->fd, &st) != 0 ||
	    (uint64_t)st.st_size >= t->bytes || ftruncate(t->fd, 0) != 0)
		return false;
	(void)lseek(t->fd, 0, SEEK_SET); /* standard output may lack O_APPEND */
	t->pos = t->len = 0;
	t->bytes = 0;
	return true;
}

bool
target_reopen_deleted(struct target *t, struct err *e)
{
	if (target_switch_file(t, TARGET_NEW, false, e)) {
		t->reported_errno = 0;
		return true;
	}
	/* reported_errno ENOENT: the deletion was reported. */
	if (t->reported_errno == ENOENT) {
		e->text[0] = '\0';
		return false;
	}
	t->reported_errno = ENOENT;
	return err_set(
		e, e->code,
		"%s was deleted; %s; samples are lost until it can be created",
		t->name, e->text);
}

/* Reports an error only if it differs from the error reported last. */
static bool
target_report_trouble(struct target *t, int error, struct err *e)
{
	t->reader_gone =
		t->reader_gone || error == EPIPE || error == ECONNRESET;
	if (e != NULL)
		e->text[0] = '\0';
	if (t->reported_errno == error)
		return false;
	t->reported_errno = error;
	return err_set(
		e, ERR_FAIL,
		"cannot write %s: %s; samples are lost until writing succeeds",
		t->name, strerror(error));
}

static bool
target_queue_has_room(const struct target *t)
{
	return t->end != NULL && t->frames - t->first_frame < TARGET_FRAMES &&
	       t->len - t->pos + t->size <= t->out_size;
}

bool
target_flush(struct target *t, struct err *e)
{
	if (t->reader_gone)
		return target_report_trouble(t, EPIPE, e);
	if (t->len == 0)
		return true;
	int error = target_write_some(t);

	if (error != 0)
		return target_report_trouble(t, error, e);
	if (t->len == 0 || target_queue_has_room(t))
		return true;
	if (e != NULL)
		e->text[0] = '\0';
	return false;
}

static bool
target_send_queued(struct target *t, size_t len, struct err *e)
{
	if (t->len + len > t->out_size) {
		t->len -= t->pos;
		memmove(t->out, t->out + t->pos, t->len);
		t->pos = 0;
	}
	memcpy(t->out + t->len, t->at, len);
	t->len += len;
	t->last = len;
	t->end[t->frames++ % TARGET_FRAMES] = t->bytes + t->len - t->pos;
	int error = target_write_some(t);

	if (error == 0) {
		t->reported_errno = 0;
		return true;
	}
	t->len -= len; /* no byte of the frame was written */
	t->frames--;
	target_drop(t);
	return target_report_trouble(t, error, e);
}

bool
target_send(struct target *t, size_t len, struct err *e)
{
	if (t->end != NULL)
		return target_send_queued(t, len, e);
	t->pos = 0;
	t->len = t->last = len;
	int error = target_write_some(t);

	if (error == 0) {
		t->reported_errno = 0;
		return true;
	}
	t->len = 0;
	target_drop(t);
	return target_report_trouble(t, error, e);
}

void
target_drop(struct target *t)
{
	t->lost++;
}

int
target_fd(const struct target *t)
{
	/* A full disk never becomes writable by waiting. */
	return t->len != 0 && t->reported_errno == 0 && !t->reader_gone ? t->fd
									: -1;
}

/* Removes the written part of a frame, but keeps a complete header. */
static void
target_cut_torn_frame(struct target *t)
{
	off_t end = lseek(t->fd, 0, SEEK_END);
	size_t keep = t->pos >= t->head ? t->head : 0;

	if (end >= (off_t)(t->pos - keep))
		(void)!ftruncate(t->fd, end - (off_t)(t->pos - keep));
}

void
target_remove_created(struct target *t)
{
	struct stat ours, there;

	if (t->created && t->fd >= 0 && fstat(t->fd, &ours) == 0 &&
	    lstat(t->name, &there) == 0 && ours.st_dev == there.st_dev &&
	    ours.st_ino == there.st_ino)
		(void)unlink_as_caller(t->name);
	t->created = false;
}

uint64_t
target_close(struct target *t)
{
	uint64_t given_up = 0;

	if (t->fd >= 0 && t->len != 0 && !target_flush(t, NULL) && t->owned &&
	    t->regular) {
		target_cut_torn_frame(t);
		given_up = 1;
	}
	if (t->end != NULL && !t->reader_gone)
		given_up = t->frames - t->first_frame;
	if (t->flags_before >= 0)
		(void)fcntl(t->fd, F_SETFL, t->flags_before);
	if (t->owned && t->fd >= 0)
		close(t->fd);
	if (t->first >= 0)
		close(t->first);
	free(t->path);
	free(t->name);
	if (t->out != t->at)
		free(t->out);
	free(t->at);
	free(t->end);
	*t = (struct target){ TARGET_NONE };
	return given_up;
}

/* From malloc. NULL: out of memory. */
static char *
path_folder(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	char *folder = malloc(n + 2);

	if (folder == NULL)
		return NULL;
	memcpy(folder, n > 0 ? path : ".", n > 0 ? n : 1);
	folder[n > 0 ? n : 1] = '\0';
	return folder;
}

static const char *
path_last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool
paths_same_inode(const char *a, const char *b, bool *both)
{
	struct stat x, y;
	bool there = stat(a, &x) == 0, too = stat(b, &y) == 0;

	*both = there && too;
	/* Several outputs may share a device such as /dev/null. */
	return *both && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       !S_ISCHR(x.st_mode);
}

bool
paths_same_file(const char *a, const char *b)
{
	bool both;

	if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
		return strcmp(a, b) == 0;
	if (paths_same_inode(a, b, &both))
		return true;
	if (both || strcmp(path_last_name(a), path_last_name(b)) != 0)
		return false;
	char *x = path_folder(a), *y = path_folder(b);
	bool same = x != NULL && y != NULL && paths_same_inode(x, y, &both);

	free(x);
	free(y);
	return same;
}

static bool
explain_path_error(const char *what, const char *path, int error, struct err *e)
{
	return err_set(e,
		       error == EACCES || error == EPERM ? ERR_PERM : ERR_FAIL,
		       "%s %s: %s", what, path, strerror(error));
}

static bool
folder_check_writable(const char *path, struct err *e)
{
	char *folder = path_folder(path);

	if (folder == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", path);
	bool ok = access(folder, W_OK | X_OK) == 0;
	int error = errno;

	free(folder);
	return ok || explain_path_error("cannot create", path, error, e);
}

bool
path_check_writable(const char *path, enum target_mode mode, struct err *e)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return true;
	if (lstat(path, &st) != 0)
		return errno == ENOENT ? folder_check_writable(path, e)
				       : explain_path_error("cannot create",
							    path, errno, e);
	if (stat(path, &st) != 0)
		return explain_path_error("cannot open", path, errno, e);
	if (S_ISDIR(st.st_mode))
		return explain_path_error("cannot open", path, EISDIR, e);
	if (!S_ISREG(st.st_mode))
		return true;
	if (mode == TARGET_NEW)
		return target_explain_exists(path, e);
	if (access(path, W_OK) != 0)
		return explain_path_error("cannot open", path, errno, e);
	return target_is_free(path, e);
}

bool
path_check_suffix(const char *path, bool piped, struct err *e)
{
	static const char *const by[][2] = { { ".zst", "zstd" },
					     { ".gz", "gzip" },
					     { ".bz2", "bzip2" },
					     { ".xz", "xz" },
					     { ".lz4", "lz4" } };
	const char *end = strrchr(path_last_name(path), '.');

	for (unsigned i = 0; end != NULL && i < sizeof by / sizeof *by; i++) {
		if (strcasecmp(end, by[i][0]) != 0)
			continue;
		if (!piped)
			return err_set(
				e, ERR_USAGE,
				"%s: ktop does not compress; choose a name without %s",
				path, end);
		return err_set(
			e, ERR_USAGE,
			"%s: ktop does not compress; write to - and compress in a pipe: | %s > %s",
			path, by[i][1], path);
	}
	return true;
}

uint64_t
path_recorded_bytes(const char *path)
{
	struct stat st;
	uint64_t all = 0;

	for (unsigned n = 0; target_segment_stat(path, n, &st); n++)
		all += S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	return all;
}
