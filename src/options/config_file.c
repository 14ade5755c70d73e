/* The config file as a text: on disk, changed line by line, and printed. */
#include "options/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "process/home.h"
#include "process/open_as.h"

bool
config_path(char path[CONFIG_PATH_MAX])
{
	struct buf b = buf_over(path, CONFIG_PATH_MAX);

	if (!home_by_variable("XDG_CONFIG_HOME", &b) &&
	    !home_by_user("/.config", &b))
		return false;
	buf_str(&b, "/ktoprc");
	buf_cstr(&b);
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
	close(fd);
	return false;
}

bool
config_read(const char *path, char text[CONFIG_MAX], bool *roots, struct err *e)
{
	char usual[CONFIG_PATH_MAX];
	bool given = path != NULL;
	struct stat st;

	text[0] = '\0';
	if (!given && !config_path(usual))
		return true;
	if (!given)
		path = usual;
	/* A pipe that nobody writes to must not hold the start up. */
	int fd = open_as_caller(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	int error = errno;

	if (fd < 0 && !given && error == EACCES && is_closed_to_caller(path)) {
		err_print(
			"config %s is not read: its folder is not open to this user",
			path);
		return true;
	}
	if (fd < 0)
		return (!given && (error == ENOENT || error == ENOTDIR)) ||
		       err_set(e,
			       error == EACCES || error == EPERM ? ERR_PERM
								 : ERR_USAGE,
			       "config %s: %s", path, strerror(error));
	if (roots != NULL)
		*roots = fstat(fd, &st) == 0 && st.st_uid == 0 &&
			 (st.st_mode & (S_IWGRP | S_IWOTH)) == 0;
	bool ok = read_fd(fd, path, text, e);

	close(fd);
	return ok;
}

bool
config_write(const char *path, const char *text, struct err *e)
{
	char usual[CONFIG_PATH_MAX], fresh[CONFIG_PATH_MAX + 8];
	struct buf b = buf_over(fresh, sizeof fresh);
	size_t len = strlen(text);

	if (path == NULL && !config_path(usual))
		return err_set(
			e, ERR_FAIL,
			"no home to save in; set HOME or give --config FILE");
	if (path == NULL)
		path = usual;
	buf_str(&b, path);
	buf_str(&b, ".new");
	make_folders_as_caller(path, 0777);
	int fd = open_as_caller(buf_cstr(&b),
				O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);

	if (fd < 0)
		return err_set(e, ERR_FAIL, "%s: %s", fresh, strerror(errno));
	bool ok = write(fd, text, len) == (ssize_t)len;

	ok = close(fd) == 0 && ok;
	if (ok && rename_as_caller(fresh, path) == 0)
		return true;
	err_set(e, ERR_FAIL, "%s was not saved: %s", path, strerror(errno));
	(void)unlink_as_caller(fresh);
	return false;
}

/* ---- one more line, or another ---- */

/* The line of an option before the first section; NULL if it has none. */
static const char *
find_option(const char *text, const char *name, const char **sections)
{
	size_t n = strlen(name);

	for (const char *at = text; *at != '\0';) {
		const char *s = at + strspn(at, " \t"), *behind = s + n;

		*sections = at;
		if (*s == '[')
			return NULL;
		if (strncmp(s, name, n) == 0 &&
		    behind[strspn(behind, " \t")] == '=')
			return at;
		at += strcspn(at, "\n");
		at += *at == '\n';
		*sections = at;
	}
	return NULL;
}

/* n bytes at `at` give way to s. */
static bool
splice(char text[CONFIG_MAX], char *at, size_t n, const char *s)
{
	size_t tail = strlen(at + n) + 1, len = strlen(s);

	if ((size_t)(at - text) + len + tail > CONFIG_MAX)
		return false;
	memmove(at + len, at + n, tail);
	memcpy(at, s, len);
	return true;
}

bool
config_set(char text[CONFIG_MAX], const char *name, const char *value)
{
	char line[CONFIG_LINE_SIZE];
	struct buf b = buf_over(line, sizeof line);
	const char *end = text, *found = find_option(text, name, &end);
	char *at = text + ((found != NULL ? found : end) - text);
	size_t n = found != NULL ? strcspn(at, "\n") : 0;

	if (found != NULL && at[n] == '\n')
		n++;
	if (found == NULL) /* behind the others, before the blank lines */
		while (at > text + 1 && at[-1] == '\n' && at[-2] == '\n')
			at--;
	if (value != NULL) {
		if (at > text && at[-1] != '\n')
			buf_char(&b, '\n');
		buf_str(&b, name);
		buf_str(&b, " = ");
		buf_str(&b, value);
		buf_char(&b, '\n');
	}
	buf_cstr(&b);
	return !b.full && splice(text, at, n, line);
}

bool
config_has(const char *text, const char *name)
{
	const char *end;

	return find_option(text, name, &end) != NULL;
}

bool
config_add_preset(char text[CONFIG_MAX], const struct user *u, int preset)
{
	char section[CONFIG_LINE_SIZE];
	struct buf b = buf_over(section, sizeof section);
	unsigned k = (unsigned)preset - preset_count;
	const struct preset *p = user_preset(u, preset);
	size_t len = strlen(text);

	buf_printf(&b, "%s[preset %s]\n",
		   len > 0 && text[len - 1] != '\n' ? "\n\n" : "\n", p->name);
	if (p->key != 0)
		buf_printf(&b, "key = %c\n", p->key);
	buf_str(&b, "events = ");
	for (unsigned i = 0; i < u->nevents[k]; i++)
		buf_printf(&b, "%s%s", i > 0 ? ", " : "", u->event[k][i]);
	buf_char(&b, '\n');
	buf_cstr(&b);
	return !b.full && splice(text, text + len, 0, section);
}

/* ---- --write-config ---- */

static void
print_option(const struct options *o, const struct option *opt)
{
	const char *value = o->config.given[opt - option_table];

	printf("\n# %s\n", opt->text);
	if (opt->set == options_replay && o->replay.n > 1) {
		/* The only one that is a list: a line for each. */
		for (unsigned i = 0; i < o->replay.n; i++)
			printf("%s = %s\n", opt->name, o->replay.file[i]);
		return;
	}
	if (value != NULL && value[0] != '\0')
		printf("%s = %s\n", opt->name, value);
	else
		printf("# %s = %s\n", opt->name,
		       opt->type == OPTION_FLAG ? "yes" : opt->arg);
}

int
config_print(const struct options *o)
{
	static const struct err none = { ERR_NONE, "" };
	char text[CONFIG_MAX], path[CONFIG_PATH_MAX] = "";
	struct err e = none;

	if (!config_read(o->config.path, text, NULL, &e))
		return err_fail(&e);
	(void)config_path(path);
	printf("# ktop reads this from %s\n# or from --config FILE.\n",
	       path[0] != '\0' ? path : "~/.config/ktop/ktoprc");
	for (unsigned i = 0; i < option_count; i++)
		if (option_is_setting(&option_table[i]))
			print_option(o, &option_table[i]);
	/* Own presets stay as they are written. */
	const char *at = text[0] == '[' ? text : strstr(text, "\n[");

	if (at != NULL)
		printf("\n%s", at + (at[0] == '\n'));
	return 0;
}
