#include "kperf/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool
kperf_privileged(void)
{
	return geteuid() == 0 || getuid() != geteuid() ||
	       getgid() != getegid() || kperf_privileged_os();
}

/*
 * `given` is what the user wrote, `path` the part of it looked at, a regular
 * file (S_IFREG) or a directory (S_IFDIR). A directory that others may write
 * to is harmless with the sticky bit: only root can replace an entry that is
 * root's, and the entry below has been checked.
 */
static bool
is_roots(const char *path, mode_t type, const char *given, struct err *e)
{
	const char *why = "not loaded as root";
	struct stat st;

	if (lstat(path, &st) != 0)
		return err_set(e, ERR_PERM, "%s: %s: %s: %s", given, why, path,
			       strerror(errno));
	if ((st.st_mode & S_IFMT) != type)
		return err_set(e, ERR_PERM, "%s: %s: it is not a regular file",
			       given, why);
	if (st.st_uid != 0)
		return err_set(
			e, ERR_PERM,
			"%s: %s: %s belongs to user %lu, not to root; copy the library to a directory of root's",
			given, why, path, (unsigned long)st.st_uid);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) == 0 ||
	    (type == S_IFDIR && (st.st_mode & S_ISVTX) != 0))
		return true;
	return err_set(
		e, ERR_PERM,
		"%s: %s: others than root may write to %s; take that away (chmod go-w) or copy the library elsewhere",
		given, why, path);
}

bool
kperf_path_check(const char *path, char *resolved, struct err *e)
{
	char *real = realpath(path, NULL);
	char parent[KPERF_PATH_SIZE];
	size_t len;

	resolved[0] = '\0';
	if (real == NULL)
		return err_set(e,
			       errno == ENOENT || errno == ENOTDIR ? ERR_NO_PMU
								   : ERR_PERM,
			       "cannot load %s: %s", path, strerror(errno));
	len = strlen(real);
	if (len >= KPERF_PATH_SIZE) {
		free(real);
		return err_set(e, ERR_PERM, "%s: the path is too long", path);
	}
	memcpy(parent, real, len + 1);
	free(real);
	if (!is_roots(parent, S_IFREG, path, e))
		return false;
	memcpy(resolved, parent, len + 1);
	for (char *slash; (slash = strrchr(parent, '/')) != NULL;) {
		bool top = slash == parent;

		slash[top ? 1 : 0] = '\0';
		if (!is_roots(parent, S_IFDIR, path, e)) {
			resolved[0] = '\0';
			return false;
		}
		if (top)
			break;
	}
	return true;
}
