#include "process/caller.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/fd.h"
#include "base/parse.h"
#include "process/rights.h"

bool
caller_named(uid_t *uid, gid_t *gid)
{
	const char *user = getenv("SUDO_UID"), *group = getenv("SUDO_GID");
	uint64_t u, g;

	/* (uid_t)-1 means "do not change" to the calls that set ids. */
	if (user == NULL || group == NULL ||
	    !parse_u64(user, UINT32_MAX - 1, &u) ||
	    !parse_u64(group, UINT32_MAX - 1, &g))
		return false;
	*uid = (uid_t)u;
	*gid = (gid_t)g;
	return true;
}

bool
caller_of_sudo(uid_t *uid, gid_t *gid)
{
	uid_t u;
	gid_t g;

	if (geteuid() != 0 || !caller_named(&u, &g) || u == 0)
		return false;
	*uid = u;
	*gid = g;
	return true;
}

bool
caller_become(uid_t uid, gid_t gid)
{
	/* Only root can set groups, so setgroups comes before setuid. */
	if (setgroups(1, &gid) != 0)
		return false;
	const struct passwd *pw = getpwuid(uid);

	if (pw != NULL)
		(void)caller_os_groups(pw->pw_name, gid);
	return setgid(gid) == 0 && setuid(uid) == 0;
}

bool
caller_is_permanent(uid_t uid, gid_t gid)
{
	static const gid_t roots = 0;

	if (getuid() != uid || geteuid() != uid || getgid() != gid ||
	    getegid() != gid)
		return false;
	if (setuid(0) == 0 || seteuid(0) == 0)
		return false;
	if (gid != 0 && (setgid(0) == 0 || setegid(0) == 0))
		return false;
	return setgroups(1, &roots) != 0;
}

bool
drop_root(struct err *e)
{
	uid_t uid = getuid();
	gid_t gid = getgid();
	bool root = geteuid() == 0, ok;

	if (root && uid == 0 && !caller_of_sudo(&uid, &gid))
		return true;
	if (!root && geteuid() == uid && getegid() == gid)
		return true;
	ok = root ? caller_become(uid, gid)
		  : setgid(gid) == 0 && setuid(uid) == 0;
	if (!ok)
		return err_set(
			e, ERR_PERM,
			"cannot give up root privileges (%s), so no library is opened",
			strerror(errno));
	return caller_is_permanent(uid, gid) ||
	       err_set(e, ERR_PERM,
		       "root privileges were not given up, so no library is opened");
}

bool
drop_rights(struct err *e)
{
	if (!rights_any())
		return drop_root(e);
	rights_drop_bounding(-1);
	return drop_root(e) && rights_drop_all(e);
}

enum { GROUPS_MAX = 256 };

struct identity {
	uid_t uid;
	gid_t gid;
	unsigned short ngroups; /* setgroups() takes int or size_t */
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

static bool
switch_to_caller(const struct identity *who)
{
	return setgroups(who->ngroups, who->group) == 0 &&
	       setegid(who->gid) == 0 && seteuid(who->uid) == 0;
}

static bool
switch_back(const struct identity *self)
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

static int
refuse_endless(int fd)
{
	if (fd < 0 || !fd_is_endless(fd))
		return fd;
	close(fd);
	errno = EOPNOTSUPP;
	return -1;
}

static int
file_act_perform(enum file_act act, const char *path, const char *to, int how)
{
	switch (act) {
	case FILE_OPEN:
		return refuse_endless(open(path, how | O_NOCTTY, 0666));
	case FILE_PRIVATE:
		return refuse_endless(open(path, how | O_NOCTTY, 0600));
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
act_as_caller(enum file_act act, const char *path, const char *to, int how)
{
	struct identity who, self;

	if (!find_caller(&who))
		return file_act_perform(act, path, to, how);
	self.uid = geteuid();
	self.gid = getegid();
	int n = getgroups(GROUPS_MAX, self.group);

	if (n < 0)
		return -1;
	self.ngroups = (unsigned short)n;
	int result = switch_to_caller(&who)
			     ? file_act_perform(act, path, to, how)
			     : -1;
	int error = errno;

	if (!switch_back(&self)) {
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
	return act_as_caller(FILE_OPEN, path, NULL, flags);
}

int
open_private_as_caller(const char *path, int flags)
{
	return act_as_caller(FILE_PRIVATE, path, NULL, flags);
}

int
rename_as_caller(const char *from, const char *to)
{
	return act_as_caller(FILE_RENAME, from, to, 0);
}

int
unlink_as_caller(const char *path)
{
	return act_as_caller(FILE_UNLINK, path, NULL, 0);
}

void
make_folders_as_caller(const char *path, unsigned mode)
{
	char part[PATH_MAX];

	if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
		return;
	for (char *at = part; (at = strchr(at + 1, '/')) != NULL;) {
		*at = '\0';
		(void)act_as_caller(FILE_MKDIR, part, NULL, (int)mode);
		*at = '/';
	}
}

int
link_as_caller(const char *from, const char *to)
{
	return act_as_caller(FILE_LINK, from, to, 0);
}

static bool
is_absolute(const char *path)
{
	return path != NULL && path[0] == '/';
}

static const char *
home_in_passwd(uid_t uid)
{
	const struct passwd *pw = getpwuid(uid);

	return pw != NULL && is_absolute(pw->pw_dir) ? pw->pw_dir : NULL;
}

const char *
home_of_user(void)
{
	const char *env = getenv("HOME"), *home = NULL;
	uid_t uid;
	gid_t gid;

	if (caller_of_sudo(&uid, &gid))
		home = home_in_passwd(uid);
	else if (getenv("SUDO_UID") != NULL || !is_absolute(env))
		home = home_in_passwd(getuid());
	if (home == NULL && is_absolute(env))
		home = env;
	return home;
}

bool
home_by_variable(const char *variable, struct buf *b)
{
	const char *path = getenv(variable);

	/* The XDG specification ignores relative paths. */
	if (!is_absolute(path))
		return false;
	buf_str(b, path);
	buf_str(b, "/ktop");
	return true;
}

bool
home_by_user(const char *usual, struct buf *b)
{
	const char *home = home_of_user();

	if (home == NULL)
		return false;
	buf_str(b, home);
	buf_str(b, usual);
	buf_str(b, "/ktop");
	return true;
}
