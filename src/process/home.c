#include "process/home.h"

#include <pwd.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>

#include "process/caller.h"

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

	/* The XDG rules: a path that is not absolute is to be ignored. */
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
