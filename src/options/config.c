#include "options/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/parse.h"
#include "model/term.h"

enum { NAME_MAX_BYTES = 31 };

/* What a section is read into. */
struct reader {
	struct user *u;
	const char *path;
	unsigned line, column; /* of what is read, from 1 */
	unsigned section_line, section_column;
	const char *start; /* of the line */
	struct metric *m;  /* [metric], or NULL */
	int preset;        /* [preset], an index in u, or -1 */
	unsigned said;     /* 1 << index in section_key: of this section */
};

static bool
wrong(const struct reader *r, const char *what, const char *word, struct err *e)
{
	return err_set(e, ERR_USAGE, "%s:%u:%u: %s '%s'", r->path, r->line,
		       r->column, what, word);
}

/* What follows is about this part of the line. */
static void
look_at(struct reader *r, const char *part)
{
	r->column = (unsigned)(part - r->start) + 1;
}

/* An error without a place gets that of what is read. */
static bool
place(const struct reader *r, struct err *e)
{
	struct err why = *e;

	return err_set(e, ERR_USAGE, "%s:%u:%u: %s", r->path, r->line,
		       r->column, why.text);
}

/* A section says each of its keys once. */
static bool
once(struct reader *r, const char *name, struct err *e)
{
	static const char *const section_key[] = {
		"formula", "label",    "text", "unit",   "good",
		"bad",     "decimals", "key",  "events", "metrics"
	};

	for (unsigned i = 0; i < sizeof section_key / sizeof *section_key;
	     i++) {
		if (strcmp(section_key[i], name) != 0)
			continue;
		if ((r->said >> i & 1) != 0)
			return wrong(r, "said twice:", name, e);
		r->said |= 1u << i;
	}
	return true;
}

static char *
trim(char *s)
{
	size_t n;

	s += strspn(s, " \t");
	for (n = strlen(s); n > 0 && strchr(" \t\r", s[n - 1]) != NULL;)
		s[--n] = '\0';
	return s;
}

/* The next line of *text into line; false at the end or when it is too long. */
static bool
next_line(const char **text, char line[CONFIG_LINE_SIZE], bool *too_long)
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
good_name(const char *s)
{
	size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-");

	return n > 0 && n <= NAME_MAX_BYTES && s[n] == '\0';
}

/* Names noted since `from` have their place now, behind what is looked at. */
static bool
place_names(struct reader *r, unsigned from, struct err *e)
{
	struct user *u = r->u;

	for (; from < u->nnames; from++) {
		u->name[from].line = r->line;
		u->name[from].column += r->column;
	}
	if (u->path == NULL)
		u->path = user_keep(u, r->path, strlen(r->path), e);
	return u->path != NULL;
}

/* sections */

static bool
metric_begin(struct reader *r, const char *name, struct err *e)
{
	if (user_metric_find(r->u, name) != NULL)
		return wrong(r, "there is already a metric", name, e);
	if (r->u->nmetrics == USER_METRICS ||
	    metric_count + r->u->nmetrics >= METRIC_MAX)
		return wrong(r, "no room for one more metric,", name, e);
	r->m = &r->u->metric[r->u->nmetrics++];
	*r->m = (struct metric){ .decimals = 2 };
	r->m->name = user_keep(r->u, name, strlen(name), e);
	r->m->label = r->m->name;
	r->m->text = "own metric";
	return r->m->name != NULL;
}

static bool
preset_begin(struct reader *r, const char *name, struct err *e)
{
	struct user *u = r->u;

	if (user_preset_find(u, name) >= 0)
		return wrong(r, "there is already a preset", name, e);
	if (u->npresets == USER_PRESETS || user_preset_count(u) >= 32)
		return wrong(r, "no room for one more preset,", name, e);
	r->preset = (int)u->npresets++;
	u->preset[r->preset] = (struct preset){ .text = "own preset" };
	u->nevents[r->preset] = 0;
	const char *kept = user_keep(u, name, strlen(name), e);

	u->preset[r->preset].name = u->preset[r->preset].label = kept;
	return kept != NULL;
}

/* A section is whole when it says what is counted. */
static bool
section_end(struct reader *r, struct err *e)
{
	unsigned at = r->line, column = r->column;

	r->line = r->section_line;
	r->column = r->section_column;
	if (r->m != NULL && r->m->num[0].event == NULL)
		return wrong(r, "no formula in metric", r->m->name, e);
	if (r->preset >= 0 && r->u->nevents[r->preset] == 0 &&
	    r->u->preset[r->preset].metrics[0] == NULL)
		return wrong(r, "neither events nor metrics in preset",
			     r->u->preset[r->preset].name, e);
	r->m = NULL;
	r->said = 0;
	r->preset = -1;
	r->line = r->section_line = at;
	r->column = r->section_column = column;
	return true;
}

static bool
section_begin(struct reader *r, char *s, struct err *e)
{
	char *end = strchr(s, ']'), *name;

	if (!section_end(r, e))
		return false;
	if (end == NULL || end[1] != '\0')
		return wrong(r,
			     "a section is [metric NAME] or [preset NAME], "
			     "not",
			     s, e);
	*end = '\0';
	s = trim(s + 1);
	name = s + strcspn(s, " \t");
	if (*name != '\0')
		*name++ = '\0';
	name = trim(name);
	look_at(r, s);
	if (strcmp(s, "metric") != 0 && strcmp(s, "preset") != 0)
		return wrong(r, "unknown section", s, e);
	look_at(r, name);
	if (!good_name(name))
		return wrong(r, "a name has 1 to 31 of a-z 0-9 _ -, not", name,
			     e);
	return s[0] == 'm' ? metric_begin(r, name, e)
			   : preset_begin(r, name, e);
}

static bool
metric_unit(struct reader *r, const char *value, struct err *e)
{
	for (int i = 0; i <= UNIT_PER_KLDST; i++)
		if (strcmp(metric_unit_name[i], value) == 0) {
			r->m->unit = (enum metric_unit)i;
			return true;
		}
	return wrong(r, "unknown unit", value, e);
}

static bool
metric_line(struct reader *r, const char *name, const char *value,
	    struct err *e)
{
	unsigned at = 0, names = r->u->nnames;
	uint64_t n;

	if (strcmp(name, "formula") == 0) {
		if (user_formula(r->u, value, r->m, &at, e))
			return place_names(r, names, e);
		r->column += at - 1;
		return place(r, e);
	}
	if (strcmp(name, "label") == 0) {
		if (value[0] == '\0' || strlen(value) > 7)
			return wrong(r, "a label has 1 to 7 signs, not", value,
				     e);
		r->m->label = user_keep(r->u, value, strlen(value), e);
		return r->m->label != NULL;
	}
	if (strcmp(name, "text") == 0) {
		r->m->text = user_keep(r->u, value, strlen(value), e);
		return r->m->text != NULL;
	}
	if (strcmp(name, "unit") == 0)
		return metric_unit(r, value, e);
	if (strcmp(name, "good") == 0 || strcmp(name, "bad") == 0)
		return parse_double(value, name[0] == 'g' ? &r->m->good
							  : &r->m->bad) ||
		       wrong(r, "no number:", value, e);
	if (strcmp(name, "decimals") == 0) {
		if (!parse_u64(value, 6, &n))
			return wrong(r, "decimals are 0 to 6, not", value, e);
		r->m->decimals = (int)n;
		return true;
	}
	look_at(r, name);
	return wrong(r, "a metric has no key", name, e);
}

/* Calls for each word of "A, B C". */
static bool
words(struct reader *r, const char *list, struct err *e,
      bool (*take)(struct reader *, const char *, struct err *))
{
	for (;;) {
		list += strspn(list, ", \t");
		size_t n = strcspn(list, ", \t");

		if (n == 0)
			return true;
		look_at(r, list);
		const char *word = user_keep(r->u, list, n, e);

		if (word == NULL || !take(r, word, e))
			return false;
		list += n;
	}
}

static bool
take_event(struct reader *r, const char *word, struct err *e)
{
	unsigned *n = &r->u->nevents[r->preset];

	if (*n == EVENTSET_MAX)
		return wrong(r, "a preset has at most 10 events; one too many:",
			     word, e);
	r->u->event[r->preset][(*n)++] = word;
	user_note_name(r->u, word, 0, false);
	return place_names(r, r->u->nnames - 1, e);
}

static bool
take_metric(struct reader *r, const char *word, struct err *e)
{
	struct preset *p = &r->u->preset[r->preset];
	unsigned n = 0;

	while (n < PRESET_METRICS && p->metrics[n] != NULL)
		n++;
	if (n == PRESET_METRICS)
		return wrong(r, "too many metrics; one too many:", word, e);
	if (user_metric_find(r->u, word) == NULL)
		return wrong(r, "unknown metric (own ones stand above)", word,
			     e);
	p->metrics[n] = word;
	return true;
}

static bool
preset_line(struct reader *r, const char *name, const char *value,
	    struct err *e)
{
	struct preset *p = &r->u->preset[r->preset];

	if (strcmp(name, "key") == 0) {
		/* Digits choose presets; other keys have other meanings. */
		if (value[0] < '1' || value[0] > '9' || value[1] != '\0')
			return wrong(r, "a key is one of 1 to 9, not", value,
				     e);
		if (!user_key_free(r->u, value[0], e))
			return place(r, e);
		p->key = value[0];
		return true;
	}
	if (strcmp(name, "text") == 0) {
		p->text = user_keep(r->u, value, strlen(value), e);
		return p->text != NULL;
	}
	if (strcmp(name, "label") == 0) {
		if (value[0] == '\0' || strlen(value) > 8)
			return wrong(r, "a label has 1 to 8 signs, not", value,
				     e);
		p->label = user_keep(r->u, value, strlen(value), e);
		return p->label != NULL;
	}
	if (strcmp(name, "events") == 0)
		return words(r, value, e, take_event);
	if (strcmp(name, "metrics") == 0)
		return words(r, value, e, take_metric);
	look_at(r, name);
	return wrong(r, "a preset has no key", name, e);
}

/*
 * What chooses and sorts the rows can be wrong for this machine alone, or be of
 * another version: that must not keep anybody from looking.
 */
static bool
is_of_the_list(const char *name)
{
	return strcmp(name, "sort") == 0 || strcmp(name, "filter") == 0 ||
	       strcmp(name, "pin") == 0;
}

static bool
take_option(struct reader *r, struct options *o, const char *name,
	    const char *value, config_assign *assign, struct err *e)
{
	const char *sort = o->ui.sort;
	bool ok;

	o->line = r->line;
	ok = assign(o, name, value, e);
	o->line = 0;
	if (ok)
		return true;
	(void)place(r, e);
	if (!is_of_the_list(name))
		return false;
	o->ui.sort = sort;
	(void)snprintf(o->odd, sizeof o->odd, "%.239s", e->text);
	return true;
}

/* One line: an option goes to `assign` unless that is NULL. */
static bool
read_line(struct reader *r, struct options *o, char *line,
	  config_assign *assign, bool sections, struct err *e)
{
	char *s = trim(line), *value = strchr(s, '=');

	r->start = line;
	look_at(r, s);
	if (*s == '\0' || *s == '#')
		return true;
	if (*s == '[') {
		if (!sections) {
			r->preset = 0; /* what follows is no option */
			return true;
		}
		return section_begin(r, s, e);
	}
	if (value == NULL)
		return wrong(r, "a line is 'name = value', not", s, e);
	*value++ = '\0';
	s = trim(s);
	value = trim(value);
	if (!sections && !option_known(s) && r->preset < 0)
		return take_option(r, o, s, value, assign, e);
	if (sections && (r->m != NULL || r->preset >= 0) && !once(r, s, e))
		return false;
	look_at(r, value);
	if (sections && r->m != NULL)
		return metric_line(r, s, value, e);
	if (sections && r->preset >= 0)
		return preset_line(r, s, value, e);
	if (sections || r->preset >= 0)
		return true;
	return take_option(r, o, s, value, assign, e);
}

static bool
read_all(struct reader *r, struct options *o, const char *text,
	 config_assign *assign, bool sections, struct err *e)
{
	char line[CONFIG_LINE_SIZE];
	bool too_long;

	while (next_line(&text, line, &too_long)) {
		r->line++;
		if (!read_line(r, o, line, assign, sections, e))
			return false;
	}
	if (too_long)
		return err_set(e, ERR_USAGE,
			       "%s:%u: a line of more than %d bytes", r->path,
			       r->line + 1, CONFIG_LINE_SIZE - 1);
	return !sections || section_end(r, e);
}

bool
config_sections(struct user *u, const char *path, const char *text,
		struct err *e)
{
	struct reader r = { .u = u, .path = path, .preset = -1 };

	return read_all(&r, NULL, text, NULL, true, e);
}

/* Sections first: an option may name a preset that stands below it. */
bool
config_parse(struct options *o, const char *path, const char *text,
	     config_assign *assign, struct err *e)
{
	struct reader r = { .path = path, .preset = -1 };

	o->config_name = user_keep_once(&o->user, path, e);
	return o->config_name != NULL &&
	       config_sections(&o->user, path, text, e) &&
	       read_all(&r, o, text, assign, false, e);
}
