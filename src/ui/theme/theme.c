#include "ui/theme/theme.h"

#include "base/buf.h"
#include "base/self.h"
#include "process/caller.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ALIAS_MAX = 64, ALIAS_SIZE = 32, LINE_MAX_BYTES = 256 };

struct reading_theme {
	struct theme t;
	const char *path;
	unsigned line, naliases;
	enum section {
		SECTION_TOP,
		SECTION_COLORS,
		SECTION_STYLE,
		SECTION_GRADIENT,
		SECTION_MONO
	} section;
	char alias[ALIAS_MAX][ALIAS_SIZE];
	struct theme_color color[ALIAS_MAX];
};

/* clang-format off */
static const char *const section_name[] = {
	[SECTION_TOP] = "", [SECTION_COLORS] = "colors",
	[SECTION_STYLE] = "style", [SECTION_GRADIENT] = "gradient",
	[SECTION_MONO] = "mono",
};
static const struct {
	const char *name;
	unsigned bit;
} attribute[] = {
	{ "bold", THEME_BOLD }, { "dim", THEME_DIM },
	{ "underline", THEME_UNDERLINE }, { "reverse", THEME_REVERSE },
};
/* clang-format on */

static bool
theme_refuse(const struct reading_theme *r, struct err *e, const char *what,
	     const char *which)
{
	return err_set(e, ERR_USAGE,
		       "theme %s:%u: %s \"%s\"; see ktop-theme(5)", r->path,
		       r->line, what, which);
}

static char *
text_trim(char *s)
{
	while (*s == ' ' || *s == '\t')
		s++;
	size_t n = strlen(s);

	while (n > 0 &&
	       (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
		s[--n] = 0;
	return s;
}

static char *
text_next_word(char **s)
{
	char *from = *s + strspn(*s, " \t");

	if (*from == 0)
		return NULL;
	size_t n = strcspn(from, " \t");

	*s = from + n;
	if (**s != 0)
		*(*s)++ = 0;
	return from;
}

static bool
text_number(const char *s, int base, unsigned long max, unsigned long *out)
{
	char *end;

	if (s[0] == 0 || strspn(s, "0123456789abcdefABCDEF") != strlen(s) ||
	    strlen(s) > 8)
		return false;
	*out = strtoul(s, &end, base);
	return *end == 0 && *out <= max;
}

/* Parses "#RRGGBB [: 256 [: 16]]"; a missing index is the nearest colour's. */
static bool
theme_color_parse(const struct reading_theme *r, char *s,
		  struct theme_color *out, struct err *e)
{
	char *second = strchr(s, ':'), *third = NULL;
	unsigned long v;

	if (second != NULL) {
		*second++ = 0;
		third = strchr(second, ':');
		if (third != NULL)
			*third++ = 0;
	}
	s = text_trim(s);
	if (s[0] != '#' || strlen(s) != 7 ||
	    !text_number(s + 1, 16, 0xffffff, &v))
		return theme_refuse(
			r, e, "a colour is #RRGGBB [: 0-255 [: name]], not", s);
	*out = (struct theme_color){ .set = true,
				     .rgb = (uint32_t)v,
				     .x256 = theme_nearest_256((uint32_t)v),
				     .x16 = theme_nearest_16((uint32_t)v) };
	if (second != NULL) {
		second = text_trim(second);
		if (!text_number(second, 10, 255, &v))
			return theme_refuse(r, e,
					    "not one of 256 colours:", second);
		out->x256 = (int)v;
	}
	if (third == NULL)
		return true;
	third = text_trim(third);
	out->x16 = theme_find_16(third);
	return out->x16 >= 0 || strcmp(third, "default") == 0 ||
	       theme_refuse(r, e, "not one of the 16 colours:", third);
}

static const struct theme_color *
theme_alias_find(const struct reading_theme *r, const char *name)
{
	for (unsigned i = 0; i < r->naliases; i++)
		if (strcmp(r->alias[i], name) == 0)
			return &r->color[i];
	return NULL;
}

static bool
color_named(const struct reading_theme *r, const char *name,
	    struct theme_color *out, struct err *e)
{
	const struct theme_color *found = theme_alias_find(r, name);

	*out = (struct theme_color){ 0 };
	if (strcmp(name, "default") == 0)
		return true;
	if (found == NULL)
		return theme_refuse(r, e, "[colors] has no", name);
	*out = *found;
	return true;
}

static unsigned
attribute_find(const char *word)
{
	for (unsigned i = 0; i < sizeof attribute / sizeof *attribute; i++)
		if (strcmp(attribute[i].name, word) == 0)
			return attribute[i].bit;
	return 0;
}

static bool
theme_alias_add(struct reading_theme *r, const char *key, char *value,
		struct err *e)
{
	if (strlen(key) >= ALIAS_SIZE || r->naliases == ALIAS_MAX)
		return theme_refuse(r, e,
				    "too long, or one colour too many:", key);
	if (!theme_color_parse(r, value, &r->color[r->naliases], e))
		return false;
	memcpy(r->alias[r->naliases++], key, strlen(key) + 1);
	return true;
}

/* Parses "colour [on colour] [attributes]". */
static bool
theme_style_parse(struct reading_theme *r, const char *key, char *value,
		  struct err *e)
{
	int role = role_find(key);

	if (role < 0)
		return theme_refuse(r, e, "no such role:", key);
	struct theme_style s = { .mono = r->t.style[role].mono };
	char *word = text_next_word(&value);

	if (word == NULL)
		return theme_refuse(r, e, "no colour for", key);
	if (!color_named(r, word, &s.fg, e))
		return false;
	while ((word = text_next_word(&value)) != NULL) {
		unsigned bit = attribute_find(word);

		if (bit != 0) {
			s.attrs |= bit;
			continue;
		}
		if (strcmp(word, "on") != 0)
			return theme_refuse(r, e, "no such attribute:", word);
		word = text_next_word(&value);
		if (word == NULL)
			return theme_refuse(r, e, "no colour behind \"on\" for",
					    key);
		if (!color_named(r, word, &s.bg, e))
			return false;
	}
	r->t.style[role] = s;
	return true;
}

static bool
theme_mono_parse(struct reading_theme *r, const char *key, char *value,
		 struct err *e)
{
	int role = role_find(key);

	if (role < 0)
		return theme_refuse(r, e, "no such role:", key);
	unsigned attrs = 0;
	char *word;

	while ((word = text_next_word(&value)) != NULL) {
		unsigned bit = attribute_find(word);

		if (bit == 0 && strcmp(word, "plain") != 0)
			return theme_refuse(r, e, "no such attribute:", word);
		attrs |= bit;
	}
	r->t.style[role].mono = attrs;
	return true;
}

static bool
gradient_parse(struct reading_theme *r, const char *key, char *value,
	       struct err *e)
{
	struct theme_color *at = strcmp(key, "heat") == 0   ? r->t.heat
				 : strcmp(key, "fade") == 0 ? &r->t.fade
							    : NULL;
	unsigned want = at == r->t.heat ? 3 : 1;

	if (at == NULL)
		return theme_refuse(r, e, "no such gradient:", key);
	for (unsigned i = 0; i < want; i++) {
		char *word = text_next_word(&value);

		if (word == NULL)
			return theme_refuse(r, e, "too few colours for", key);
		if (!color_named(r, word, &at[i], e))
			return false;
	}
	char *rest = text_next_word(&value);

	return rest == NULL || theme_refuse(r, e, "one colour too many:", rest);
}

static bool
theme_top_parse(struct reading_theme *r, const char *key, char *value,
		struct err *e)
{
	if (strcmp(key, "name") == 0) {
		snprintf(r->t.name, sizeof r->t.name, "%s", value);
		return true;
	}
	if (strcmp(key, "author") == 0)
		return true;
	if (strcmp(key, "mode") == 0) {
		r->t.light = strcmp(value, "light") == 0;
		r->t.dark = strcmp(value, "dark") == 0;
		return r->t.light || r->t.dark || strcmp(value, "any") == 0 ||
		       theme_refuse(r, e, "mode is dark, light or any, not",
				    value);
	}
	if (strcmp(key, "version") == 0)
		return strcmp(value, "1") == 0 ||
		       theme_refuse(r, e, "this ktop reads version 1, not",
				    value);
	if (strcmp(key, "background") == 0)
		return theme_color_parse(r, value, &r->t.background, e);
	return theme_refuse(r, e, "no such key:", key);
}

static bool
theme_section_parse(struct reading_theme *r, char *s, struct err *e)
{
	size_t n = strlen(s);

	if (s[n - 1] != ']')
		return theme_refuse(r, e, "no ] at the end of", s);
	s[n - 1] = 0;
	for (int i = SECTION_COLORS; i <= SECTION_MONO; i++)
		if (strcmp(section_name[i], s + 1) == 0) {
			r->section = (enum section)i;
			return true;
		}
	return theme_refuse(r, e, "no such section:", s + 1);
}

/* A comment is a line, or follows "  # ", since # also begins a colour. */
static void
theme_comment_cut(char *s)
{
	for (char *at = s; (at = strstr(at, "  #")) != NULL; at++)
		if (at[3] == 0 || at[3] == ' ') {
			*at = 0;
			break;
		}
	if (s[strspn(s, " \t")] == '#')
		*s = 0;
}

static bool
theme_line_parse(struct reading_theme *r, char *s, struct err *e)
{
	theme_comment_cut(s);
	s = text_trim(s);
	if (*s == 0)
		return true;
	if (*s == '[')
		return theme_section_parse(r, s, e);
	char *value = strchr(s, '=');

	if (value == NULL)
		return theme_refuse(r, e, "a line is \"key = value\", not", s);
	*value++ = 0;
	s = text_trim(s);
	value = text_trim(value);
	switch (r->section) {
	case SECTION_TOP:
		return theme_top_parse(r, s, value, e);
	case SECTION_COLORS:
		return theme_alias_add(r, s, value, e);
	case SECTION_STYLE:
		return theme_style_parse(r, s, value, e);
	case SECTION_GRADIENT:
		return gradient_parse(r, s, value, e);
	case SECTION_MONO:
		return theme_mono_parse(r, s, value, e);
	}
	return false;
}

bool
theme_parse(const char *text, size_t len, const char *path,
	    const struct theme *base, struct theme *out, struct err *e)
{
	struct reading_theme r = { .path = path };
	char line[LINE_MAX_BYTES];
	const char *end = text + len;

	if (base != NULL)
		r.t = *base;
	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((stop != NULL ? stop : end) - text);

		r.line++;
		if (n >= sizeof line || memchr(text, 0, n) != NULL)
			return theme_refuse(
				&r, e, "a line too long, or not text in", path);
		memcpy(line, text, n);
		line[n] = 0;
		if (!theme_line_parse(&r, line, e))
			return false;
		text = stop != NULL ? stop + 1 : end;
	}
	*out = r.t;
	return true;
}

void
theme_default(struct theme *out)
{
	static const char text[] =
#include "default_theme.h"
		;

	*out = (struct theme){ .name = "" };
	(void)theme_parse(text, sizeof text - 1, "built-in", NULL, out, NULL);
	out->path[0] = 0;
}

enum { FILE_MAX_BYTES = 65536, FOLDER_SIZE = 900 };

/* clang-format off */
const char *const theme_names[] = { "default", "light", "dark", "high-contrast",
	"okabe-ito", "okabe-ito-light", "nord", "gruvbox", "solarized-dark", "solarized-light", "tty16",
	"mono", NULL };
/* clang-format on */

/* Opens regular files. O_NONBLOCK: opening a FIFO would wait for a writer. */
static FILE *
theme_file_open(const char *path, struct err *e)
{
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;
	FILE *fp = NULL;

	if (fd < 0 || fstat(fd, &st) != 0)
		err_set(e, ERR_USAGE, "theme %s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode))
		err_set(e, ERR_USAGE, "theme %s is not a regular file", path);
	else if ((fp = fdopen(fd, "r")) == NULL)
		err_set(e, ERR_USAGE, "theme %s: %s", path, strerror(errno));
	if (fp == NULL && fd >= 0)
		close(fd);
	return fp;
}

static bool
theme_file_load(const char *path, struct theme *out, struct err *e)
{
	FILE *fp = theme_file_open(path, e);

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
		err_set(e, ERR_USAGE, "theme %s cannot be read", path);
	else if (n == FILE_MAX_BYTES)
		err_set(e, ERR_USAGE, "theme %s is longer than 64 kB", path);
	else
		ok = theme_parse(text, n, path, &base, out, e);
	free(text);
	if (ok)
		snprintf(out->path, sizeof out->path, "%s", path);
	return ok;
}

static void
themes_beside_program(struct buf *b, int up, const char *below)
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
	buf_printf(b, "%s%s", path, below);
}

/* Folder i of the search path; NULL: there is none; "": skip it. */
static const char *
theme_folder(unsigned i, char *path, size_t size)
{
	struct buf b = buf_over(path, size);

	if (i == 0 && (home_by_variable("XDG_CONFIG_HOME", &b) ||
		       home_by_user("/.config", &b))) {
		buf_str(&b, "/themes");
	} else if (i == 1) {
		themes_beside_program(&b, 1, "/share/ktop/themes");
	} else if (i == 2) {
		themes_beside_program(&b, 0, "/themes"); /* of a source tree */
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
		return theme_file_load(spec, out, e);
	for (unsigned i = 0; theme_folder(i, dir, sizeof dir) != NULL; i++) {
		struct buf b = buf_over(path, sizeof path);

		buf_printf(&b, "%s/%s.theme", dir, spec);
		if (dir[0] == 0 || access(buf_cstr(&b), R_OK) != 0)
			continue;
		return theme_file_load(path, out, e);
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

static bool
theme_is_listed(const struct theme_list *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (strcmp(l->name[i], name) == 0)
			return true;
	return false;
}

static void
theme_list_add(struct theme_list *l, const char *name, size_t len)
{
	char text[THEME_NAME_SIZE];

	if (len == 0 || len >= sizeof text || l->n == THEME_LIST_MAX)
		return;
	memcpy(text, name, len);
	text[len] = 0;
	if (!theme_is_listed(l, text))
		memcpy(l->name[l->n++], text, len + 1);
}

static void
theme_list_folder(struct theme_list *l, const char *path)
{
	static const char end[] = ".theme";
	DIR *d = path[0] != 0 ? opendir(path) : NULL;

	if (d == NULL)
		return;
	for (struct dirent *f; (f = readdir(d)) != NULL;) {
		size_t n = strlen(f->d_name), tail = sizeof end - 1;

		if (n > tail && f->d_name[0] != '.' &&
		    strcmp(f->d_name + n - tail, end) == 0)
			theme_list_add(l, f->d_name, n - tail);
	}
	closedir(d);
}

/* Index in theme_names; all other themes rank after these. */
static unsigned
theme_rank(const char *name)
{
	unsigned i = 0;

	while (theme_names[i] != NULL && strcmp(theme_names[i], name) != 0)
		i++;
	return i;
}

static int
theme_compare_rank(const void *a, const void *b)
{
	unsigned ra = theme_rank(a), rb = theme_rank(b);

	return ra != rb ? (ra < rb ? -1 : 1) : strcmp(a, b);
}

void
theme_list_make(struct theme_list *l)
{
	char dir[FOLDER_SIZE];

	l->n = 0;
	theme_list_add(l, theme_names[0], strlen(theme_names[0]));
	for (unsigned i = 1; theme_folder(i, dir, sizeof dir) != NULL; i++)
		theme_list_folder(l, dir);
	unsigned shipped = l->n;

	qsort(l->name, shipped, sizeof l->name[0], theme_compare_rank);
	theme_list_folder(l, theme_folder(0, dir, sizeof dir));
	qsort(l->name + shipped, l->n - shipped, sizeof l->name[0],
	      theme_compare_rank);
}
