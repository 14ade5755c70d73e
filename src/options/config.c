#include "options/config.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cells.h"
#include "process/caller.h"

enum { NAME_MAX_BYTES = 31, LABEL_CELLS = 8 };

struct reader {
	struct options *o;
	struct user *u;
	bool sections;
	const char *path, *text;
	const char *start;
	unsigned line, column;
	struct preset *p;
	const char **event;
	unsigned *nevents;
	unsigned head_line, head_column;
	bool in_section, lost; /* lost: the section names a removed metric */
	bool reported;         /* a [metric] section was reported */
	unsigned said;         /* bit i: the section has keys[i] */
};

static bool
fail_word(const struct reader *r, const char *what, const char *word,
	  struct err *e)
{
	return err_set(e, ERR_USAGE, "%s:%u:%u: %s '%s'", r->path, r->line,
		       r->column, what, word);
}

static void
set_position(struct reader *r, const char *part)
{
	r->column = (unsigned)(part - r->start) + 1;
}

static bool
place_error(const struct reader *r, struct err *e)
{
	struct err why = *e;

	return err_set(e, ERR_USAGE, "%s:%u:%u: %s", r->path, r->line,
		       r->column, why.text);
}

static char *
trim_blanks(char *s)
{
	size_t n;

	s += strspn(s, " \t");
	for (n = strlen(s); n > 0 && strchr(" \t\r", s[n - 1]) != NULL;)
		s[--n] = '\0';
	return s;
}

static bool
copy_next_line(const char **text, char line[CONFIG_LINE_SIZE], bool *too_long)
{
	size_t n = strcspn(*text, "\n");

	*too_long = n >= CONFIG_LINE_SIZE;
	if (**text == '\0' || *too_long)
		return false;
	memcpy(line, *text, n);
	line[n] = '\0';
	*text += n + ((*text)[n] == '\n');
	return true;
}

static bool
is_valid_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	return n > 0 && n <= NAME_MAX_BYTES && s[n] == '\0';
}

static void
add_config_notice(struct options *o, const struct err *e)
{
	static const char more[] = "; ...";
	char *odd = o->config.odd;
	size_t n = strlen(odd), room = sizeof o->config.odd - n;

	if (strlen(e->text) + 2 + sizeof more <= room)
		snprintf(odd + n, room, "%s%s", n > 0 ? "; " : "", e->text);
	else if (strstr(odd, more) == NULL)
		memcpy(odd + n, more, sizeof more);
}

static bool
preset_begin(struct reader *r, const char *name, struct err *e)
{
	struct user *u = r->u;
	unsigned i = u->npresets;

	if (user_preset_find(u, name) >= 0)
		return fail_word(r, "there is already a preset", name, e);
	if (i == USER_PRESETS || user_preset_count(u) >= 32)
		return fail_word(
			r,
			"there are too many presets; remove one from ktoprc,",
			name, e);
	u->npresets++;
	r->p = &u->preset[i];
	r->event = u->event[i];
	r->nevents = &u->nevents[i];
	*r->p = (struct preset){ .text = "own preset" };
	*r->nevents = 0;
	r->p->name = r->p->label = user_keep(u, name, strlen(name), e);
	return r->p->name != NULL;
}

static bool
preset_end(const struct reader *r, struct err *e)
{
	struct reader head = *r;

	if (r->p == NULL || *r->nevents > 0 || r->p->metrics[0] != NULL)
		return true;
	if (r->lost) {
		r->u->npresets--;
		if (r->u->nlost < USER_PRESETS)
			r->u->lost[r->u->nlost++] =
				(struct user_name){ r->p->name, r->head_line,
						    r->head_column };
		return true;
	}
	head.line = r->head_line;
	head.column = r->head_column;
	return fail_word(&head, "neither events nor metrics in preset",
			 r->p->name, e);
}

/* Limits the bytes, too, because combining characters have no width. */
static bool
set_preset_label(struct reader *r, const char *value, struct err *e)
{
	if (value[0] == '\0' || cells_wide(value) > LABEL_CELLS ||
	    strlen(value) > (size_t)USER_SIGN_SIZE * LABEL_CELLS)
		return err_set(
			e, ERR_USAGE,
			"%s:%u:%u: a label is 1 to %d columns wide, not '%s'",
			r->path, r->line, r->column, LABEL_CELLS, value);
	r->p->label = user_keep(r->u, value, strlen(value), e);
	return r->p->label != NULL;
}

static bool
set_preset_key(struct reader *r, const char *value, struct err *e)
{
	if (value[0] < '1' || value[0] > '9' || value[1] != '\0')
		return fail_word(r, "a key is one of 1 to 9, not", value, e);
	if (!user_key_free(r->u, value[0], e))
		return place_error(r, e);
	r->p->key = value[0];
	return true;
}

static bool
preset_add_event(struct reader *r, const char *word, struct err *e)
{
	struct user *u = r->u;

	if (*r->nevents == EVENTSET_MAX)
		return fail_word(
			r,
			"a preset has at most 10 events; one too many:", word,
			e);
	r->event[(*r->nevents)++] = word;
	if (u->nnames < USER_NAMES)
		u->name[u->nnames++] =
			(struct user_name){ word, r->line, r->column };
	u->path = r->o->config.name;
	return true;
}

static bool
was_own_metric(const struct reader *r, const char *name)
{
	for (const char *at = r->text; at != NULL; at = strchr(at, '\n')) {
		char found[NAME_MAX_BYTES + 1];

		at += strspn(at, " \t\n");
		if (sscanf(at, "[ metric %31[^] \t\n]", found) == 1 &&
		    strcmp(found, name) == 0)
			return true;
	}
	return false;
}

static bool
preset_add_metric(struct reader *r, const char *word, struct err *e)
{
	unsigned n = 0;

	while (n < PRESET_METRICS && r->p->metrics[n] != NULL)
		n++;
	if (n == PRESET_METRICS)
		return fail_word(r, "too many metrics; one too many:", word, e);
	if (metric_find(word) >= 0) {
		r->p->metrics[n] = word;
		return true;
	}
	if (!was_own_metric(r, word))
		return fail_word(r, "unknown metric", word, e);
	r->lost = true;
	return true;
}

static bool
add_each_name(struct reader *r, const char *list, struct err *e,
	      bool (*add)(struct reader *, const char *, struct err *))
{
	for (;;) {
		list += strspn(list, ", \t");
		size_t n = strcspn(list, ", \t");

		if (n == 0)
			return true;
		set_position(r, list);
		const char *word = user_keep(r->u, list, n, e);

		if (word == NULL || !add(r, word, e))
			return false;
		list += n;
	}
}

static bool
section_begin(struct reader *r, char *s, struct err *e)
{
	char *end = strchr(s, ']'), *name;

	if (!preset_end(r, e))
		return false;
	r->p = NULL;
	r->head_line = r->line;
	r->head_column = r->column;
	r->said = 0;
	r->lost = false;
	if (end == NULL || end[1] != '\0')
		return fail_word(r, "a section is [preset NAME], not", s, e);
	*end = '\0';
	s = trim_blanks(s + 1);
	name = s + strcspn(s, " \t");
	if (*name != '\0')
		*name++ = '\0';
	name = trim_blanks(name);
	set_position(r, s);
	const char *instead = option_withdrawn("section ", s, strlen(s));

	if (instead != NULL) {
		struct err gone;

		err_set(&gone, ERR_USAGE,
			"%s:%u:%u: ktop does not have user-defined %ss: %s",
			r->path, r->line, r->column, s, instead);
		if (!r->reported)
			add_config_notice(r->o, &gone);
		r->reported = true;
		return true;
	}
	if (strcmp(s, "preset") != 0)
		return fail_word(r, "unknown section", s, e);
	set_position(r, name);
	if (!is_valid_name(name))
		return fail_word(r, "a name has 1 to 31 of a-z 0-9 _ -, not",
				 name, e);
	return preset_begin(r, name, e);
}

static bool
parse_key_line(struct reader *r, const char *name, const char *value,
	       struct err *e)
{
	static const char *const keys[] = { "key", "label", "text", "events",
					    "metrics" };
	enum { KEYS = sizeof keys / sizeof *keys };
	unsigned i = 0;

	while (i < KEYS && strcmp(keys[i], name) != 0)
		i++;
	if (i == KEYS)
		return err_set(e, ERR_USAGE,
			       "%s:%u:%u: a preset has no key '%s'", r->path,
			       r->line, r->column, name);
	if ((r->said >> i & 1) != 0)
		return fail_word(r, "given twice:", name, e);
	r->said |= 1u << i;
	set_position(r, value);
	switch (name[0]) {
	case 'k':
		return set_preset_key(r, value, e);
	case 'l':
		return set_preset_label(r, value, e);
	case 't':
		r->p->text = user_keep(r->u, value, strlen(value), e);
		return r->p->text != NULL;
	case 'e':
		return add_each_name(r, value, e, preset_add_event);
	default:
		return add_each_name(r, value, e, preset_add_metric);
	}
}

static bool
has_lost_preset(const struct user *u, const char *list)
{
	for (unsigned i = 0; i < u->nlost; i++) {
		size_t n = strlen(u->lost[i].text);

		for (const char *at = list; at != NULL; at = strchr(at, ',')) {
			at += *at == ',';
			if (strncmp(at, u->lost[i].text, n) == 0 &&
			    (at[n] == ',' || at[n] == '\0'))
				return true;
		}
	}
	return false;
}

/* True: an error in the line becomes a notice, so that ktop starts. */
static bool
may_be_wrong(const struct user *u, const char *name, const char *value)
{
	bool preset =
		strcmp(name, "preset") == 0 || strcmp(name, "rotate") == 0;

	return strcmp(name, "sort") == 0 || strcmp(name, "filter") == 0 ||
	       strcmp(name, "pin") == 0 ||
	       (preset && has_lost_preset(u, value)) ||
	       option_withdrawn("--", name, strlen(name)) != NULL;
}

static bool
parse_file_option(struct reader *r, const char *name, const char *value,
		  struct err *e)
{
	struct options *o = r->o;

	if (option_known(name))
		set_position(r, value);
	o->config.line = r->line;
	bool ok = option_assign(o, name, value, e);

	o->config.line = 0;
	if (ok)
		return true;
	(void)place_error(r, e);
	if (!may_be_wrong(r->u, name, value))
		return false;
	add_config_notice(o, e);
	return true;
}

static bool
read_line(struct reader *r, char *line, struct err *e)
{
	char *s = trim_blanks(line), *value = strchr(s, '=');

	r->start = line;
	set_position(r, s);
	if (*s == '\0' || *s == '#')
		return true;
	if (*s == '[') {
		r->in_section = true;
		return !r->sections || section_begin(r, s, e);
	}
	if (value == NULL)
		return fail_word(r, "a line is 'name = value', not", s, e);
	*value++ = '\0';
	s = trim_blanks(s);
	value = trim_blanks(value);
	if (r->sections)
		return r->p == NULL || parse_key_line(r, s, value, e);
	return r->in_section || parse_file_option(r, s, value, e);
}

static bool
read_sections(struct reader *r, struct err *e)
{
	const char *text = r->text;
	char line[CONFIG_LINE_SIZE];
	bool too_long;

	while (copy_next_line(&text, line, &too_long)) {
		r->line++;
		if (!read_line(r, line, e))
			return false;
	}
	if (too_long)
		return err_set(e, ERR_USAGE,
			       "%s:%u: the line has more than %d bytes",
			       r->path, r->line + 1, CONFIG_LINE_SIZE - 1);
	return !r->sections || preset_end(r, e);
}

/* The first pass reads sections, because options can name their presets. */
bool
config_parse(struct options *o, const char *path, const char *text,
	     struct err *e)
{
	struct reader options = {
		.o = o, .u = &o->user, .path = path, .text = text
	};
	struct reader sections = options;

	sections.sections = true;
	o->config.name = user_keep_once(&o->user, path, e);
	return o->config.name != NULL && read_sections(&sections, e) &&
	       read_sections(&options, e);
}

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
read_config_fd(int fd, const char *path, char text[CONFIG_MAX], struct err *e)
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
			return err_set(e, ERR_USAGE,
				       "%s: the file has more than %d bytes",
				       path, CONFIG_MAX - 1);
	}
	if (memchr(text, 0, len) != NULL)
		return err_set(e, ERR_USAGE, "%s: the file is not text", path);
	text[len] = '\0';
	return true;
}

/* True: no permission. After su, HOME can be another user's folder. */
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
	/* O_NONBLOCK: opening a FIFO without a writer does not block. */
	int fd = open_as_caller(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	int error = errno;

	if (fd < 0 && !given && error == EACCES && is_closed_to_caller(path)) {
		err_print("config %s is not read: no permission for its folder",
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
	bool ok = read_config_fd(fd, path, text, e);

	close(fd);
	return ok;
}

bool
config_write(const char *path, const char *text, struct err *e)
{
	char usual[CONFIG_PATH_MAX], fresh[CONFIG_PATH_MAX + 8];
	size_t len = strlen(text);

	if (path == NULL && !config_path(usual))
		return err_set(
			e, ERR_FAIL,
			"no home folder for the configuration file; set HOME or give --config FILE");
	if (path == NULL)
		path = usual;
	snprintf(fresh, sizeof fresh, "%s.new", path);
	make_folders_as_caller(path, 0777);
	int fd =
		open_as_caller(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC);

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

/* Returns the option's line, or NULL. *sections: where the search ended. */
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

static bool
replace_text(char text[CONFIG_MAX], char *at, size_t n, const char *s)
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
	char line[CONFIG_LINE_SIZE] = "";
	const char *end = text, *found = find_option(text, name, &end);
	char *at = text + ((found != NULL ? found : end) - text);
	size_t n = found != NULL ? strcspn(at, "\n") : 0;

	if (found != NULL && at[n] == '\n')
		n++;
	if (found == NULL)
		while (at > text + 1 && at[-1] == '\n' && at[-2] == '\n')
			at--;
	int len = value == NULL
			  ? 0
			  : snprintf(line, sizeof line, "%s%s = %s\n",
				     at > text && at[-1] != '\n' ? "\n" : "",
				     name, value);

	return len >= 0 && len < (int)sizeof line &&
	       replace_text(text, at, n, line);
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
	for (unsigned i = 0; i < u->nevents[k]; i++)
		buf_printf(&b, "%s%s",
			   i > 0 ? ", " : "events = ", u->event[k][i]);
	buf_printf(&b, "\n");
	buf_cstr(&b);
	return !b.full && replace_text(text, text + len, 0, section);
}

static void
print_option(const struct options *o, const struct option *opt)
{
	const char *value = o->config.given[opt - option_table];

	printf("\n# %s\n", opt->text);
	if (opt->set == options_replay && o->replay.n > 1) {
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
	const char *at = text[0] == '[' ? text : strstr(text, "\n[");

	if (at != NULL)
		printf("\n%s", at + (at[0] == '\n'));
	return 0;
}
