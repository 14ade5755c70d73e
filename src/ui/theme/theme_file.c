/* Themes on disk: where they are looked for, and which there are. */
#include "ui/theme/theme.h"

#include "base/buf.h"
#include "base/self.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_MAX_BYTES = 65536, FOLDER_SIZE = 900 };

/* clang-format off */
const char *const theme_names[] = { "default", "light", "dark", "high-contrast",
	"okabe-ito", "okabe-ito-light", "nord", "gruvbox", "solarized-dark", "solarized-light", "tty16",
	"mono", NULL };
/* clang-format on */

/* A pipe that nobody writes to would be waited for: only a file is opened. */
static FILE *
file_open(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	FILE *fp = NULL;

	if (fd < 0 || fstat(fd, &st) != 0)
		err_set(e, ERR_USAGE, "theme %s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		err_set(e, ERR_USAGE, "theme %s: not a regular file", path);
	else if ((fp = fdopen(fd, "r")) == NULL)
		err_set(e, ERR_USAGE, "theme %s: %s", path, strerror(errno));
	if (fp == NULL && fd >= 0)
		(void)close(fd);
	return fp;
}

static bool
file_load(const char *path, struct theme *out, struct err *e)
{
	FILE *fp = file_open(path, e);

	if (fp == NULL)
		return false;
	char *text = malloc(FILE_MAX_BYTES);
	size_t n = text != NULL ? fread(text, 1, FILE_MAX_BYTES, fp) : 0;
	bool failed = text == NULL || ferror(fp) != 0;

	fclose(fp);
	struct theme base;
	bool ok = false;

	theme_default(&base);
	if (failed)
		err_set(e, ERR_USAGE, "theme %s: cannot be read", path);
	else if (n == FILE_MAX_BYTES)
		err_set(e, ERR_USAGE, "theme %s: longer than 64 kB", path);
	else
		ok = theme_parse(text, n, path, &base, out, e);
	free(text);
	if (ok) {
		struct buf b = buf_over(out->path, sizeof out->path);

		buf_str(&b, path);
		buf_cstr(&b);
	}
	return ok;
}

/* The folder that the program lies in, or one up from it, and then below. */
static void
beside_program(struct buf *b, int up, const char *below)
{
	char path[FOLDER_SIZE];

	if (!self_path(path, sizeof path))
		return;
	for (; up >= 0; up--) {
		char *slash = strrchr(path, '/');

		if (slash == NULL)
			return;
		*slash = 0;
	}
	buf_str(b, path);
	buf_str(b, below);
}

/* Folder i of the search, or NULL behind the last; "" is skipped. */
static const char *
folder(unsigned i, char *path, size_t size)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct buf b = buf_over(path, size);

	if (i == 0 && xdg != NULL && xdg[0] == '/') {
		buf_str(&b, xdg);
		buf_str(&b, "/ktop/themes");
	} else if (i == 0 && home != NULL && home[0] == '/') {
		buf_str(&b, home);
		buf_str(&b, "/.config/ktop/themes");
	} else if (i == 1) {
		beside_program(&b, 1, "/share/ktop/themes");
	} else if (i == 2) {
		beside_program(&b, 0, "/themes"); /* as in a checkout */
	} else if (i == 3) {
		buf_str(&b, KTOP_THEMES);
	} else if (i == 4) {
		buf_str(&b, "./themes");
	}
	return i > 4 ? NULL : buf_cstr(&b);
}

bool
theme_load(const char *spec, struct theme *out, struct err *e)
{
	char dir[FOLDER_SIZE], path[1024];

	if (strchr(spec, '/') != NULL)
		return file_load(spec, out, e);
	for (unsigned i = 0; folder(i, dir, sizeof dir) != NULL; i++) {
		struct buf b = buf_over(path, sizeof path);

		buf_str(&b, dir);
		buf_char(&b, '/');
		buf_str(&b, spec);
		buf_str(&b, ".theme");
		if (dir[0] == 0 || access(buf_cstr(&b), R_OK) != 0)
			continue;
		return file_load(path, out, e);
	}
	if (strcmp(spec, "default") == 0) {
		theme_default(out);
		return true;
	}
	return err_set(
		e, ERR_USAGE,
		"theme \"%s\" was not found in ~/.config/ktop/themes, ../share/ktop/themes or themes of ktop's own folder, %s or ./themes; give a path with a slash, or --theme default",
		spec, KTOP_THEMES);
}

/* what there is */

static bool
listed(const struct theme_list *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->name[i], name) == 0)
			return true;
	return false;
}

static void
list_add(struct theme_list *l, const char *name, size_t len)
{
	char text[THEME_NAME_SIZE];

	if (len == 0 || len >= sizeof text || l->n == THEME_LIST_MAX)
		return;
	memcpy(text, name, len);
	text[len] = 0;
	if (!listed(l, text))
		memcpy(l->name[l->n++], text, len + 1);
}

/* The names in the folder that end in .theme. */
static void
list_folder(struct theme_list *l, const char *path)
{
	static const char end[] = ".theme";
	DIR *d = path[0] != 0 ? opendir(path) : NULL;

	if (d == NULL)
		return;
	for (struct dirent *f; (f = readdir(d)) != NULL;) {
		size_t n = strlen(f->d_name), tail = sizeof end - 1;

		if (n > tail && f->d_name[0] != '.' &&
		    strcmp(f->d_name + n - tail, end) == 0)
			list_add(l, f->d_name, n - tail);
	}
	closedir(d);
}

/* The place among those that have one; behind them all for others. */
static unsigned
rank(const char *name)
{
	unsigned i = 0;

	while (theme_names[i] != NULL && strcmp(theme_names[i], name) != 0)
		i++;
	return i;
}

static int
by_rank(const void *a, const void *b)
{
	unsigned ra = rank(a), rb = rank(b);

	return ra != rb ? (ra < rb ? -1 : 1) : strcmp(a, b);
}

void
theme_list_make(struct theme_list *l)
{
	char dir[FOLDER_SIZE];

	l->n = 0;
	list_add(l, theme_names[0], strlen(theme_names[0])); /* built in */
	for (unsigned i = 1; folder(i, dir, sizeof dir) != NULL; i++)
		list_folder(l, dir);
	unsigned shipped = l->n;

	qsort(l->name, shipped, sizeof l->name[0], by_rank);
	list_folder(l, folder(0, dir, sizeof dir));
	qsort(l->name + shipped, l->n - shipped, sizeof l->name[0], by_rank);
}
