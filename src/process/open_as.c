#include "process/open_as.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "process/caller.h"

enum { GROUPS_MAX = 256 };

struct identity {
	uid_t uid;
	gid_t gid;
	unsigned short ngroups; /* fits setgroups' int and size_t alike */
	gid_t group[GROUPS_MAX];
};

static bool
find_caller(struct identity *who)
{
	if (!caller_of_sudo(&who->uid, &who->gid))
		return false;
	who->ngroups = 1;
	who->group[0] = who->gid;
	return true;
}

/* Groups go first on the way down, the user first on the way back. */
static bool
become(const struct identity *who)
{
	return setgroups(who->ngroups, who->group) == 0 &&
	       setegid(who->gid) == 0 && seteuid(who->uid) == 0;
}

static bool
return_to(const struct identity *self)
{
	return seteuid(self->uid) == 0 && setegid(self->gid) == 0 &&
	       setgroups(self->ngroups, self->group) == 0;
}

enum file_act {
	FILE_OPEN,
	FILE_PRIVATE,
	FILE_RENAME,
	FILE_UNLINK,
	FILE_MKDIR,
	FILE_LINK
};

/* What would never take or give a byte is not for us: -1 and errno. */
static int
of_use(int fd)
{
	if (fd < 0 || !fd_is_endless(fd))
		return fd;
	close(fd);
	errno = EOPNOTSUPP;
	return -1;
}

static int
do_act(enum file_act act, const char *path, const char *to, int how)
{
	switch (act) {
	case FILE_OPEN:
		return of_use(open(path, how | O_NOCTTY, 0666));
	case FILE_PRIVATE:
		return of_use(open(path, how | O_NOCTTY, 0600));
	case FILE_RENAME:
		return rename(path, to);
	case FILE_UNLINK:
		return unlink(path);
	case FILE_MKDIR:
		return mkdir(path, (mode_t)how);
	case FILE_LINK:
		return link(path, to);
	}
	return -1;
}

static int
as_caller(enum file_act act, const char *path, const char *to, int how)
{
	struct identity who, self;

	if (!find_caller(&who))
		return do_act(act, path, to, how);
	self.uid = geteuid();
	self.gid = getegid();
	int n = getgroups(GROUPS_MAX, self.group);

	if (n < 0)
		return -1;
	self.ngroups = (unsigned short)n;
	int result = become(&who) ? do_act(act, path, to, how) : -1;
	int error = errno;

	if (!return_to(&self)) {
		error = errno;
		if (act <= FILE_PRIVATE && result >= 0)
			close(result);
		result = -1;
	}
	errno = error;
	return result;
}

int
open_as_caller(const char *path, int flags)
{
	return as_caller(FILE_OPEN, path, NULL, flags);
}

int
open_private_as_caller(const char *path, int flags)
{
	return as_caller(FILE_PRIVATE, path, NULL, flags);
}

int
rename_as_caller(const char *from, const char *to)
{
	return as_caller(FILE_RENAME, from, to, 0);
}

int
unlink_as_caller(const char *path)
{
	return as_caller(FILE_UNLINK, path, NULL, 0);
}

void
make_folders_as_caller(const char *path, unsigned mode)
{
	char part[PATH_MAX];

	if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
		return;
	for (char *at = part; (at = strchr(at + 1, '/')) != NULL;) {
		*at = '\0';
		(void)as_caller(FILE_MKDIR, part, NULL, (int)mode);
		*at = '/';
	}
}

int
link_as_caller(const char *from, const char *to)
{
	return as_caller(FILE_LINK, from, to, 0);
}
