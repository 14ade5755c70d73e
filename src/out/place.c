#include "out/place.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The folder that a name is in, to be freed; NULL: no memory. */
static char *
folder_of(const char *path)
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
last_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static bool
same_thing(const char *a, const char *b, bool *both)
{
	struct stat x, y;
	bool there = stat(a, &x) == 0, too = stat(b, &y) == 0;

	*both = there && too;
	/* Devices take what several write: /dev/null for one. */
	return *both && x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
	       !S_ISCHR(x.st_mode);
}

bool
place_same(const char *a, const char *b)
{
	bool both;

	if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
		return strcmp(a, b) == 0;
	if (same_thing(a, b, &both))
		return true;
	if (both || strcmp(last_name(a), last_name(b)) != 0)
		return false;
	char *x = folder_of(a), *y = folder_of(b);
	bool same = x != NULL && y != NULL && same_thing(x, y, &both);

	free(x);
	free(y);
	return same;
}

static bool
refuse(const char *what, const char *path, int error, struct err *e)
{
	return err_set(e,
		       error == EACCES || error == EPERM ? ERR_PERM : ERR_FAIL,
		       "%s %s: %s", what, path, strerror(error));
}

static bool
check_folder(const char *path, struct err *e)
{
	char *folder = folder_of(path);

	if (folder == NULL)
		return err_set(e, ERR_FAIL, "out of memory for %s", path);
	bool ok = access(folder, W_OK | X_OK) == 0;
	int error = errno;

	free(folder);
	return ok || refuse("cannot create", path, error, e);
}

bool
place_check(const char *path, enum target_mode mode, struct err *e)
{
	struct stat st;

	if (strcmp(path, "-") == 0)
		return true;
	if (lstat(path, &st) != 0)
		return errno == ENOENT
			       ? check_folder(path, e)
			       : refuse("cannot create", path, errno, e);
	if (stat(path, &st) != 0)
		return refuse("cannot open", path, errno, e);
	if (S_ISDIR(st.st_mode))
		return refuse("cannot open", path, EISDIR, e);
	if (!S_ISREG(st.st_mode))
		return true;
	if (mode == TARGET_NEW)
		return target_exists(path, e);
	if (access(path, W_OK) != 0)
		return refuse("cannot open", path, errno, e);
	return target_is_free(path, e);
}

uint64_t
place_bytes(const char *path)
{
	struct stat st;
	uint64_t all = 0;

	for (unsigned n = 0; target_segment_stat(path, n, &st); n++)
		all += S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
	return all;
}
