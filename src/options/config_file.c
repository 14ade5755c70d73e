/* The config file on disk: where it is, read and written as the caller. */
#include "options/config.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/parse.h"
#include "process/open_as.h"

/*
 * The home of who called sudo, which may have set HOME to root's by its
 * policy; also when root's rights were given up before. NULL: nobody did.
 */
static const char *
home_of_caller(void)
{
	const char *sudo = getenv("SUDO_UID");
	uint64_t uid;

	if (sudo == NULL || !parse_u64(sudo, UINT32_MAX - 1, &uid) ||
	    uid == 0 || (geteuid() != 0 && geteuid() != (uid_t)uid))
		return NULL;
	const struct passwd *p = getpwuid((uid_t)uid);

	return p != NULL ? p->pw_dir : NULL;
}

bool
config_path(char path[CONFIG_PATH_MAX])
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home;
	struct buf b = buf_over(path, CONFIG_PATH_MAX);

	if (xdg != NULL && xdg[0] == '/') {
		buf_str(&b, xdg);
	} else {
		home = home_of_caller();
		if (home == NULL)
			home = getenv("HOME");
		if (home == NULL || home[0] != '/')
			return false;
		buf_str(&b, home);
		buf_str(&b, "/.config");
	}
	buf_str(&b, "/ktop/ktoprc");
	(void)buf_cstr(&b);
	return !b.full;
}

static bool
read_fd(int fd, const char *path, char text[CONFIG_MAX], struct err *e)
{
	size_t len = 0;

	for (;;) {
		ssize_t n = read(fd, text + len, CONFIG_MAX - len);

		if (n < 0)
			return err_set(e, ERR_USAGE, "%s: %s", path,
				       strerror(errno));
		if (n == 0)
			break;
		len += (size_t)n;
		if (len == CONFIG_MAX)
			return err_set(e, ERR_USAGE, "%s: longer than %d bytes",
				       path, CONFIG_MAX - 1);
	}
	if (memchr(text, 0, len) != NULL)
		return err_set(e, ERR_USAGE, "%s: not text", path);
	text[len] = '\0';
	return true;
}

/*
 * A folder that the caller may not look into: another person's, as HOME may
 * still name after su. What stands there is not the caller's word.
 */
static bool
is_closed_to_caller(const char *path)
{
	char folder[CONFIG_PATH_MAX];
	size_t n = (size_t)(strrchr(path, '/') - path);
	int fd;

	memcpy(folder, path, n);
	folder[n] = '\0';
	fd = open_as_caller(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return errno == EACCES;
	(void)close(fd);
	return false;
}

bool
config_read(const char *path, char text[CONFIG_MAX], struct err *e)
{
	char usual[CONFIG_PATH_MAX];
	bool given = path != NULL;

	text[0] = '\0';
	if (!given && !config_path(usual))
		return true;
	if (!given)
		path = usual;
	/* A pipe that nobody writes to must not hold the start up. */
	int fd = open_as_caller(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	int error = errno;

	if (fd < 0 && !given && error == EACCES && is_closed_to_caller(path)) {
		err_print("config %s is not read: its folder is not open to "
			  "this user",
			  path);
		return true;
	}
	if (fd < 0)
		return (!given && (error == ENOENT || error == ENOTDIR)) ||
		       err_set(e,
			       error == EACCES || error == EPERM ? ERR_PERM
								 : ERR_USAGE,
			       "config %s: %s", path, strerror(error));
	bool ok = read_fd(fd, path, text, e);

	(void)close(fd);
	return ok;
}

static void
make_folders(const char *path)
{
	char part[CONFIG_PATH_MAX];
	struct buf b = buf_over(part, sizeof part);

	buf_str(&b, path);
	(void)buf_cstr(&b);
	for (char *at = part + 1; (at = strchr(at, '/')) != NULL; at++) {
		*at = '\0';
		(void)mkdir_as_caller(part, 0777);
		*at = '/';
	}
}

bool
config_write(const char *path, const char *text, struct err *e)
{
	char usual[CONFIG_PATH_MAX], fresh[CONFIG_PATH_MAX + 8];
	struct buf b = buf_over(fresh, sizeof fresh);
	size_t len = strlen(text);

	if (path == NULL && !config_path(usual))
		return err_set(e, ERR_FAIL,
			       "no home to save in; set HOME or give "
			       "--config FILE");
	if (path == NULL)
		path = usual;
	buf_str(&b, path);
	buf_str(&b, ".new");
	make_folders(path);
	int fd = open_as_caller(buf_cstr(&b),
				O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return err_set(e, ERR_FAIL, "%s: %s", fresh, strerror(errno));
	bool ok = write(fd, text, len) == (ssize_t)len;

	ok = close(fd) == 0 && ok;
	if (ok && rename_as_caller(fresh, path) == 0)
		return true;
	(void)err_set(e, ERR_FAIL, "%s was not saved: %s", path,
		      strerror(errno));
	(void)unlink_as_caller(fresh);
	return false;
}
