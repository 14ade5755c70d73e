#include "process/marks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf8.h"
#include "process/caller.h"

enum { RAW_MAX = 1024 };

static uid_t
marks_owner(void)
{
	uid_t uid;
	gid_t gid;

	return caller_of_sudo(&uid, &gid) ? uid : getuid();
}

static bool
join_path(char to[MARKS_PATH_SIZE], const char *a, const char *b)
{
	int n = snprintf(to, MARKS_PATH_SIZE, "%s%s", a, b);

	return n > 0 && n < MARKS_PATH_SIZE;
}

static unsigned
count_uncut(struct buf *b, bool there)
{
	buf_cstr(b);
	return there && !b->full;
}

unsigned
marks_folders(char folder[MARKS_FOLDERS][MARKS_PATH_SIZE])
{
	struct buf b = buf_over(folder[0], MARKS_PATH_SIZE);
	unsigned n = count_uncut(&b, home_by_variable("XDG_STATE_HOME", &b));

	b = buf_over(folder[n], MARKS_PATH_SIZE);
	return n + count_uncut(&b, home_by_user("/.local/state", &b));
}

/* The lock ends with the process: files left by a crash are not locked. */
static bool
lock_file(int fd)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, F_SETLK, &all) == 0;
}

void
marks_open(struct marks *m)
{
	char folder[MARKS_FOLDERS][MARKS_PATH_SIZE], name[40];

	m->fd = -1;
	if (marks_folders(folder) == 0)
		return;
	snprintf(name, sizeof name, "/%ld.run", (long)getpid());
	if (!join_path(m->run, folder[0], name))
		return;
	make_folders_as_caller(m->run, 0700);
	snprintf(name, sizeof name, "/%ld.mark", (long)getpid());
	if (!join_path(m->text, folder[0], name))
		return;
	(void)unlink_as_caller(m->run);
	(void)unlink_as_caller(m->text);
	m->fd = open_private_as_caller(m->run, O_RDWR | O_CREAT | O_EXCL |
						       O_CLOEXEC | O_NOFOLLOW);
	if (m->fd < 0)
		return;
	char line[40];
	int n = snprintf(line, sizeof line, "ktop %ld\n", (long)getpid());

	if (n <= 0 || !lock_file(m->fd) || write(m->fd, line, (size_t)n) != n)
		marks_close(m);
}

void
marks_close(struct marks *m)
{
	if (m->fd < 0)
		return;
	(void)unlink_as_caller(m->run);
	(void)unlink_as_caller(m->text);
	close(m->fd);
	m->fd = -1;
}

bool
marks_take(struct marks *m, char text[MARKS_TEXT_SIZE])
{
	char raw[RAW_MAX];
	struct stat st;

	if (m->fd < 0)
		return false;
	int fd = open_as_caller(m->text,
				O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) {
		if (errno != ENOENT)
			(void)unlink_as_caller(m->text);
		return false;
	}
	bool mine = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		    st.st_uid == marks_owner() && (st.st_mode & 077) == 0;
	ssize_t n = mine ? read(fd, raw, sizeof raw) : -1;

	close(fd);
	(void)unlink_as_caller(m->text);
	if (n < 0)
		return false;
	utf8_clean(text, MARKS_TEXT_SIZE, raw, (size_t)n);
	return text[0] != '\0';
}
