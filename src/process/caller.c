#include "process/caller.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/child.h"
#include "base/parse.h"

/* Whom to become; false: stay. */
static bool
caller(uid_t *uid, gid_t *gid)
{
	const char *u = getenv("SUDO_UID"), *g = getenv("SUDO_GID");
	uint64_t user, group;

	*uid = getuid();
	*gid = getgid();
	if (geteuid() != 0)
		return geteuid() != *uid || getegid() != *gid;
	if (*uid != 0)
		return true;
	if (u == NULL || g == NULL || !parse_u64(u, UINT32_MAX - 1, &user) ||
	    !parse_u64(g, UINT32_MAX - 1, &group) || user == 0)
		return false;
	*uid = (uid_t)user;
	*gid = (gid_t)group;
	return true;
}

/* Root's own first; then the user's, where the system knows them. */
static bool
take_groups(uid_t uid, gid_t gid)
{
	const struct passwd *pw;

	if (setgroups(1, &gid) != 0)
		return false;
	pw = getpwuid(uid);
	if (pw != NULL)
		(void)child_take_groups(pw->pw_name, gid);
	return true;
}

bool
drop_root(struct err *e)
{
	uid_t uid;
	gid_t gid;

	if (!caller(&uid, &gid))
		return true;
	/* Groups first: the user may not change them any more. */
	if ((geteuid() == 0 && !take_groups(uid, gid)) || setgid(gid) != 0 ||
	    setuid(uid) != 0)
		return err_set(e, ERR_PERM,
			       "root's rights could not be given up (%s), so "
			       "no recording is opened",
			       strerror(errno));
	if (setuid(0) == 0 || geteuid() != uid || getegid() != gid)
		return err_set(e, ERR_PERM,
			       "root's rights were not given up, so no "
			       "recording is opened");
	return true;
}
