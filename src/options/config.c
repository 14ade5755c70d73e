#include "options/config.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cells.h"
#include "base/parse.h"
#include "model/term.h"

enum { NAME_MAX_BYTES = 31 };

struct reader {
	struct options *o; /* NULL: the sections are read, else the options */
	struct user *u;
	const char *path, *start;      /* of the file, of the line */
	unsigned line, column;         /* of what is read, from 1 */
	const struct section *section; /* NULL: before the first */
	unsigned section_line, section_column;
	unsigned said;         /* 1 << index of its keys */
	const struct key *key; /* the one of the line */
	/* what it is read into: */
	char *into; /* one of these two */
	struct metric *m;
	struct preset *p;
	const char **event; /* of p */
	unsigned *nevents;
};

struct key {
	const char *name;
	bool (*set)(struct reader *r, const char *value, struct err *e);
	size_t offset; /* in struct metric or preset */
	unsigned most; /* signs */
	bool (*add)(struct reader *r, const char *word, struct err *e);
};

enum { KEYS_MAX = 8 };

struct section {
	const char *name;
	bool (*begin)(struct reader *r, const char *name, struct err *e);
	bool (*is_whole)(const struct reader *r, struct err *e);
	struct key key[KEYS_MAX]; /* ended by no name */
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
place_error(const struct reader *r, struct err *e)
{
	struct err why = *e;

	return err_set(e, ERR_USAGE, "%s:%u:%u: %s", r->path, r->line,
		       r->column, why.text);
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

/* ---- keys of both sections ---- */

static void *
field(const struct reader *r)
{
	return r->into + r->key->offset;
}

static bool
keep_text(struct reader *r, const char *value, struct err *e)
{
	const char **text = field(r);

	*text = user_keep(r->u, value, strlen(value), e);
	return *text != NULL;
}

/* In cells of a terminal; signs that stand on others are of no end of bytes. */
static bool
keep_label(struct reader *r, const char *value, struct err *e)
{
	if (value[0] != '\0' && cells_wide(value) <= r->key->most &&
	    strlen(value) <= (size_t)USER_SIGN_SIZE * r->key->most)
		return keep_text(r, value, e);
	return err_set(e, ERR_USAGE,
		       "%s:%u:%u: a label is 1 to %u columns wide, not '%s'",
		       r->path, r->line, r->column, r->key->most, value);
}

static bool
keep_number(struct reader *r, const char *value, struct err *e)
{
	return parse_double(value, field(r)) ||
	       wrong(r, "no number:", value, e);
}

/* ---- [metric NAME] ---- */

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
	r->into = (char *)r->m;
	r->m->name = user_keep(r->u, name, strlen(name), e);
	r->m->label = r->m->name;
	r->m->text = "own metric";
	return r->m->name != NULL;
}

static bool
metric_is_whole(const struct reader *r, struct err *e)
{
	return r->m->num[0].event != NULL ||
	       wrong(r, "no formula in metric", r->m->name, e);
}

static bool
take_formula(struct reader *r, const char *value, struct err *e)
{
	unsigned at = 0, names = r->u->nnames;

	if (user_formula(r->u, value, r->m, &at, e))
		return place_names(r, names, e);
	r->column += at - 1;
	return place_error(r, e);
}

static bool
take_unit(struct reader *r, const char *value, struct err *e)
{
	for (int i = 0; i < UNIT_GCYCLES; i++)
		if (strcmp(metric_unit_name[i], value) == 0) {
			r->m->unit = (enum metric_unit)i;
			return true;
		}
	return wrong(r, "unknown unit", value, e);
}

static bool
take_decimals(struct reader *r, const char *value, struct err *e)
{
	uint64_t n;

	if (!parse_u64(value, 6, &n))
		return wrong(r, "decimals are 0 to 6, not", value, e);
	r->m->decimals = (int)n;
	return true;
}

/* ---- [preset NAME] ---- */

static bool
preset_begin(struct reader *r, const char *name, struct err *e)
{
	struct user *u = r->u;
	unsigned i = u->npresets;

	if (user_preset_find(u, name) >= 0)
		return wrong(r, "there is already a preset", name, e);
	if (i == USER_PRESETS || user_preset_count(u) >= 32)
		return wrong(r, "no room for one more preset,", name, e);
	u->npresets++;
	r->p = &u->preset[i];
	r->into = (char *)r->p;
	r->event = u->event[i];
	r->nevents = &u->nevents[i];
	*r->p = (struct preset){ .text = "own preset" };
	*r->nevents = 0;
	r->p->name = r->p->label = user_keep(u, name, strlen(name), e);
	return r->p->name != NULL;
}

static bool
preset_is_whole(const struct reader *r, struct err *e)
{
	return *r->nevents > 0 || r->p->metrics[0] != NULL ||
	       wrong(r, "neither events nor metrics in preset", r->p->name, e);
}

static bool
take_key(struct reader *r, const char *value, struct err *e)
{
	/* Digits choose presets; other keys have other meanings. */
	if (value[0] < '1' || value[0] > '9' || value[1] != '\0')
		return wrong(r, "a key is one of 1 to 9, not", value, e);
	if (!user_key_free(r->u, value[0], e))
		return place_error(r, e);
	r->p->key = value[0];
	return true;
}

static bool
add_event(struct reader *r, const char *word, struct err *e)
{
	if (*r->nevents == EVENTSET_MAX)
		return wrong(r, "a preset has at most 10 events; one too many:",
			     word, e);
	r->event[(*r->nevents)++] = word;
	user_note_name(r->u, word, 0, false);
	return place_names(r, r->u->nnames - 1, e);
}

static bool
add_metric(struct reader *r, const char *word, struct err *e)
{
	unsigned n = 0;

	while (n < PRESET_METRICS && r->p->metrics[n] != NULL)
		n++;
	if (n == PRESET_METRICS)
		return wrong(r, "too many metrics; one too many:", word, e);
	if (user_metric_find(r->u, word) == NULL)
		return wrong(r, "unknown metric (own ones stand above)", word,
			     e);
	r->p->metrics[n] = word;
	return true;
}

/* "A, B C" */
static bool
take_names(struct reader *r, const char *list, struct err *e)
{
	for (;;) {
		list += strspn(list, ", \t");
		size_t n = strcspn(list, ", \t");

		if (n == 0)
			return true;
		look_at(r, list);
		const char *word = user_keep(r->u, list, n, e);

		if (word == NULL || !r->key->add(r, word, e))
			return false;
		list += n;
	}
}

/* ---- sections ---- */

/* clang-format off */
#define IN(type, field) .offset = offsetof(struct type, field)
static const struct section section_table[] = {
	{ "metric", metric_begin, metric_is_whole, {
		{ "formula", .set = take_formula },
		{ "label", keep_label, IN(metric, label), .most = 7 },
		{ "text", keep_text, IN(metric, text) },
		{ "unit", .set = take_unit },
		{ "good", keep_number, IN(metric, good) },
		{ "bad", keep_number, IN(metric, bad) },
		{ "decimals", .set = take_decimals } } },
	{ "preset", preset_begin, preset_is_whole, {
		{ "key", .set = take_key },
		{ "label", keep_label, IN(preset, label), .most = 8 },
		{ "text", keep_text, IN(preset, text) },
		{ "events", take_names, .add = add_event },
		{ "metrics", take_names, .add = add_metric } } },
};
/* clang-format on */
enum { SECTIONS = sizeof section_table / sizeof *section_table };

/* What it lacks is said where it began. */
static bool
section_end(const struct reader *r, struct err *e)
{
	struct reader head = *r;

	head.line = r->section_line;
	head.column = r->section_column;
	return r->section == NULL || r->section->is_whole(&head, e);
}

static bool
section_begin(struct reader *r, char *s, struct err *e)
{
	char *end = strchr(s, ']'), *name;

	if (!section_end(r, e))
		return false;
	r->section_line = r->line;
	r->section_column = r->column;
	r->said = 0;
	if (end == NULL || end[1] != '\0')
		return wrong(r,
			     "a section is [metric NAME] or [preset NAME], not",
			     s, e);
	*end = '\0';
	s = trim(s + 1);
	name = s + strcspn(s, " \t");
	if (*name != '\0')
		*name++ = '\0';
	name = trim(name);
	look_at(r, s);
	r->section = NULL;
	for (unsigned i = 0; i < SECTIONS; i++)
		if (strcmp(s, section_table[i].name) == 0)
			r->section = &section_table[i];
	if (r->section == NULL)
		return wrong(r, "unknown section", s, e);
	look_at(r, name);
	if (!good_name(name))
		return wrong(r, "a name has 1 to 31 of a-z 0-9 _ -, not", name,
			     e);
	return r->section->begin(r, name, e);
}

/* A section says each of its keys once. */
static bool
take_line(struct reader *r, const char *name, const char *value, struct err *e)
{
	for (unsigned i = 0; i < KEYS_MAX; i++) {
		const struct key *key = &r->section->key[i];

		if (key->name == NULL)
			break;
		if (strcmp(key->name, name) != 0)
			continue;
		if ((r->said >> i & 1) != 0)
			return wrong(r, "said twice:", name, e);
		r->said |= 1u << i;
		r->key = key;
		look_at(r, value);
		return key->set(r, value, e);
	}
	return err_set(e, ERR_USAGE, "%s:%u:%u: a %s has no key '%s'", r->path,
		       r->line, r->column, r->section->name, name);
}

/* ---- options ---- */

/*
 * What chooses and sorts the rows can be wrong for this machine alone, and any
 * option of another version: that must not keep anybody from looking.
 */
static bool
may_be_wrong(const char *name)
{
	return strcmp(name, "sort") == 0 || strcmp(name, "filter") == 0 ||
	       strcmp(name, "pin") == 0 ||
	       option_withdrawn("--", name, strlen(name)) != NULL;
}

static bool
take_option(struct reader *r, const char *name, const char *value,
	    struct err *e)
{
	struct options *o = r->o;
	const char *sort = o->ui.sort;

	if (option_known(name))
		look_at(r, value);
	o->line = r->line;
	bool ok = option_assign(o, name, value, e);

	o->line = 0;
	if (ok)
		return true;
	(void)place_error(r, e);
	if (!may_be_wrong(name))
		return false;
	o->ui.sort = sort;
	size_t n = strlen(o->odd);

	snprintf(o->odd + n, sizeof o->odd - n, "%s%.239s", n > 0 ? "; " : "",
		 e->text);
	return true;
}

/* ---- lines ---- */

static bool
read_line(struct reader *r, char *line, struct err *e)
{
	char *s = trim(line), *value = strchr(s, '=');

	r->start = line;
	look_at(r, s);
	if (*s == '\0' || *s == '#')
		return true;
	if (*s == '[' && r->o == NULL)
		return section_begin(r, s, e);
	if (*s == '[') {
		r->section = section_table; /* whichever: no option follows */
		return true;
	}
	if (value == NULL)
		return wrong(r, "a line is 'name = value', not", s, e);
	*value++ = '\0';
	s = trim(s);
	value = trim(value);
	if (r->o == NULL)
		return r->section == NULL || take_line(r, s, value, e);
	return r->section != NULL || take_option(r, s, value, e);
}

static bool
read_all(struct reader *r, const char *text, struct err *e)
{
	char line[CONFIG_LINE_SIZE];
	bool too_long;

	while (next_line(&text, line, &too_long)) {
		r->line++;
		if (!read_line(r, line, e))
			return false;
	}
	if (too_long)
		return err_set(e, ERR_USAGE,
			       "%s:%u: a line of more than %d bytes", r->path,
			       r->line + 1, CONFIG_LINE_SIZE - 1);
	return r->o != NULL || section_end(r, e);
}

/* Sections first: an option may name a preset that stands below it. */
bool
config_parse(struct options *o, const char *path, const char *text,
	     struct err *e)
{
	struct reader sections = { .u = &o->user, .path = path };
	struct reader options = { .o = o, .path = path };

	o->config_name = user_keep_once(&o->user, path, e);
	return o->config_name != NULL && read_all(&sections, text, e) &&
	       read_all(&options, text, e);
}
