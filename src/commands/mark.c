#include "commands/command.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/utf8.h"
#include "process/marks.h"
#include "process/caller.h"

enum {
	PATIENCE = 200, /* most waits of PAUSE_NS for an answer */
	PAUSE_NS = 10000000,
	TEXT_MAX = 4096
};

struct search {
	char text[TEXT_MAX];
	unsigned running, taken;
	struct err *e; /* the last error */
};

static void
pause_shortly(void)
{
	const struct timespec t = { 0, PAUSE_NS };

	(void)nanosleep(&t, NULL);
}

/* Does process `pid` hold the lock of the file, which must name `pid`? */
static bool
is_running(const char *path, long pid)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open_as_caller(path,
				O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	char line[40] = "", want[40];

	if (fd < 0)
		return false;
	snprintf(want, sizeof want, "ktop %ld\n", pid);
	bool running = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		       read(fd, line, sizeof line - 1) > 0 &&
		       strcmp(line, want) == 0 &&
		       fcntl(fd, F_GETLK, &all) == 0 && all.l_type != F_UNLCK &&
		       (long)all.l_pid == pid;

	close(fd);
	return running;
}

/* Links a file with the text to `path`. False and *e: an error or timeout. */
static bool
leave_text(const char *folder, long pid, const char *path, const char *text,
	   struct err *e)
{
	char own[MARKS_PATH_SIZE];
	int n = snprintf(own, sizeof own, "%s/%ld.%ld.new", folder, pid,
			 (long)getpid());
	size_t len = strlen(text);

	if (n < 0 || n >= (int)sizeof own)
		return err_set(e, ERR_FAIL, "%s: the path is too long", folder);
	(void)unlink_as_caller(own);
	int fd = open_private_as_caller(own, O_WRONLY | O_CREAT | O_EXCL |
						     O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return err_set(e, ERR_FAIL, "cannot write %s: %s", own,
			       strerror(errno));
	ssize_t written = write(fd, text, len);
	int error = written < 0 ? errno : written == (ssize_t)len ? 0 : ENOSPC;

	if (close(fd) != 0 && error == 0)
		error = errno;
	for (unsigned i = 0; error == 0 && link_as_caller(own, path) != 0;
	     i++) {
		error = errno != EEXIST || i == PATIENCE ? errno : 0;
		pause_shortly();
	}
	(void)unlink_as_caller(own);
	if (error == EEXIST)
		return err_set(
			e, ERR_FAIL,
			"ktop (process %ld) has not read the previous marker yet; try again",
			pid);
	return error == 0 || err_set(e, ERR_FAIL, "cannot write %s: %s", own,
				     strerror(error));
}

static bool
was_taken(const char *path)
{
	struct stat st;

	for (unsigned i = 0; i < PATIENCE; i++) {
		if (lstat(path, &st) != 0 && errno == ENOENT)
			return true;
		pause_shortly();
	}
	return false;
}

static bool
mark_tell_program(const char *folder, long pid, const char *text, struct err *e)
{
	char path[MARKS_PATH_SIZE];
	int n = snprintf(path, sizeof path, "%s/%ld.mark", folder, pid);

	if (n < 0 || n >= (int)sizeof path ||
	    !leave_text(folder, pid, path, text, e))
		return false;
	if (kill((pid_t)pid, SIGUSR1) != 0) {
		int error = errno;

		(void)unlink_as_caller(path);
		if (error == EPERM)
			return err_set(
				e, ERR_PERM,
				"ktop (process %ld) runs as another user; try: sudo ktop mark TEXT",
				pid);
		return err_set(e, ERR_FAIL, "cannot signal process %ld: %s",
			       pid, strerror(error));
	}
	if (was_taken(path))
		return true;
	(void)unlink_as_caller(path);
	return err_set(
		e, ERR_FAIL,
		"ktop (process %ld) did not read the marker; continue the process if it is stopped",
		pid);
}

static void
mark_look_at_file(struct search *s, const char *folder, const char *name)
{
	char path[MARKS_PATH_SIZE], number[24];
	size_t digits = strspn(name, "0123456789");
	uint64_t pid;
	int n = snprintf(path, sizeof path, "%s/%s", folder, name);

	if (n < 0 || n >= (int)sizeof path || digits == 0 ||
	    digits >= sizeof number || strcmp(name + digits, ".run") != 0)
		return;
	memcpy(number, name, digits);
	number[digits] = '\0';
	if (!parse_u64(number, INT32_MAX, &pid) || pid < 2)
		return;
	if (!is_running(path, (long)pid)) {
		(void)unlink_as_caller(path); /* a crashed ktop left the file */
		return;
	}
	s->running++;
	s->taken += mark_tell_program(folder, (long)pid, s->text, s->e);
}

static void
mark_look_in_folder(struct search *s, const char *folder)
{
	DIR *dir = opendir(folder);
	const struct dirent *d;

	while (dir != NULL && (d = readdir(dir)) != NULL)
		mark_look_at_file(s, folder, d->d_name);
	if (dir != NULL)
		(void)closedir(dir);
}

static bool
mark_join_words(const struct options *o, char *text, size_t size)
{
	char raw[TEXT_MAX];
	size_t at = 0;

	for (unsigned i = 0; i < o->cmd.nargs; i++) {
		int n = snprintf(raw + at, sizeof raw - at, "%s%s",
				 i > 0 ? " " : "", o->cmd.arg[i]);

		if (n < 0)
			return false;
		at = at + (size_t)n < sizeof raw ? at + (size_t)n
						 : sizeof raw - 1;
	}
	utf8_clean(text, size, raw, at);
	return text[0] != '\0';
}

int
command_mark(const struct options *o)
{
	char folder[MARKS_FOLDERS][MARKS_PATH_SIZE];
	struct err e = { ERR_NONE, "" };
	struct search s = { .e = &e };
	/* The ktop that reads the marker cuts longer texts. */
	char text[MARKS_TEXT_SIZE];

	if (!mark_join_words(o, text, sizeof text)) {
		err_set(&e, ERR_USAGE,
			"mark needs a text: ktop mark 'after the patch'");
		return err_fail(&e);
	}
	memcpy(s.text, text, sizeof text);
	unsigned n = marks_folders(folder);

	for (unsigned i = 0; i < n; i++)
		if (i == 0 || strcmp(folder[i], folder[0]) != 0)
			mark_look_in_folder(&s, folder[i]);
	if (s.running == 0)
		err_set(&e, ERR_FAIL,
			"no ktop of this user is recording; start one with --csv FILE or key c");
	return e.text[0] == '\0' ? 0 : err_fail(&e);
}
