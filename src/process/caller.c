#include "process/caller.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "process/rights.h"

bool
caller_named(uid_t *uid, gid_t *gid)
{
	const char *user = getenv("SUDO_UID"), *group = getenv("SUDO_GID");
	uint64_t u, g;

	/* (uid_t)-1 means "leave as it is" to the calls that set ids. */
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
	/* Groups first: without root nobody may change them. */
	if (setgroups(1, &gid) != 0)
		return false;
	const struct passwd *pw = getpwuid(uid);

	if (pw != NULL)
		(void)caller_os_groups(pw->pw_name, gid);
	return setgid(gid) == 0 && setuid(uid) == 0;
}

bool
caller_stays(uid_t uid, gid_t gid)
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
			"root's rights could not be given up (%s), so nothing of anybody else's is opened",
			strerror(errno));
	return caller_stays(uid, gid) ||
	       err_set(e, ERR_PERM,
		       "root's rights were not given up, so nothing of anybody else's is opened");
}

bool
drop_rights(struct err *e)
{
	if (!rights_held())
		return drop_root(e);
	rights_bound();
	return drop_root(e) && rights_strip(e);
}
