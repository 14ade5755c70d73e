#include "options/config.h"

#include <stdio.h>
#include <string.h>

#include "base/cells.h"

enum { NAME_MAX_BYTES = 31, LABEL_CELLS = 8 };

struct reader {
	struct options *o;
	struct user *u; /* of o */
	bool sections;  /* they are read, else the options before the first */
	const char *path, *start; /* of the file, of the line */
	unsigned line, column;    /* of what is read, from 1 */
	struct preset *p;         /* its section is read; NULL: none is */
	const char **event;       /* of p */
	unsigned *nevents;
	unsigned head_line, head_column; /* where the section began */
	bool in_section, lost;           /* p lacks metrics that were removed */
	unsigned said;                   /* 1 << index of its keys */
};

struct key {
	const char *name;
	bool (*set)(struct reader *r, const char *value, struct err *e);
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

/* What cannot be used is told, and ktop starts. */
static void
leave_out(struct options *o, const struct err *e)
{
	size_t n = strlen(o->config.odd);

	snprintf(o->config.odd + n, sizeof o->config.odd - n, "%s%.239s",
		 n > 0 ? "; " : "", e->text);
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
	r->event = u->event[i];
	r->nevents = &u->nevents[i];
	*r->p = (struct preset){ .text = "own preset" };
	*r->nevents = 0;
	r->p->name = r->p->label = user_keep(u, name, strlen(name), e);
	return r->p->name != NULL;
}

/* What it lacks is said where it began. */
static bool
preset_end(const struct reader *r, struct err *e)
{
	struct reader head = *r;

	if (r->p == NULL || *r->nevents > 0 || r->p->metrics[0] != NULL)
		return true;
	if (r->lost) {
		r->u->npresets--;
		return true;
	}
	head.line = r->head_line;
	head.column = r->head_column;
	return wrong(&head, "neither events nor metrics in preset", r->p->name,
		     e);
}

static bool
keep_text(struct reader *r, const char *value, struct err *e)
{
	r->p->text = user_keep(r->u, value, strlen(value), e);
	return r->p->text != NULL;
}

/* In cells of a terminal; signs that stand on others are of no end of bytes. */
static bool
keep_label(struct reader *r, const char *value, struct err *e)
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
	struct user *u = r->u;

	if (*r->nevents == EVENTSET_MAX)
		return wrong(r, "a preset has at most 10 events; one too many:",
			     word, e);
	r->event[(*r->nevents)++] = word;
	if (u->nnames < USER_NAMES)
		u->name[u->nnames++] =
			(struct user_name){ word, r->line, r->column };
	u->path = r->o->config.name;
	return true;
}

static bool
add_metric(struct reader *r, const char *word, struct err *e)
{
	unsigned n = 0;

	while (n < PRESET_METRICS && r->p->metrics[n] != NULL)
		n++;
	if (n == PRESET_METRICS)
		return wrong(r, "too many metrics; one too many:", word, e);
	if (metric_find(word) >= 0) {
		r->p->metrics[n] = word;
		return true;
	}
	/* It may be one of the file's own, which were told of. */
	r->lost = r->u->lost_metrics;
	return r->lost || wrong(r, "unknown metric", word, e);
}

/* "A, B C" */
static bool
take_names(struct reader *r, const char *list, struct err *e,
	   bool (*add)(struct reader *, const char *, struct err *))
{
	for (;;) {
		list += strspn(list, ", \t");
		size_t n = strcspn(list, ", \t");

		if (n == 0)
			return true;
		look_at(r, list);
		const char *word = user_keep(r->u, list, n, e);

		if (word == NULL || !add(r, word, e))
			return false;
		list += n;
	}
}

static bool
take_events(struct reader *r, const char *value, struct err *e)
{
	return take_names(r, value, e, add_event);
}

static bool
take_metrics(struct reader *r, const char *value, struct err *e)
{
	return take_names(r, value, e, add_metric);
}

static const struct key preset_key[] = {
	{ "key", take_key },         { "label", keep_label },
	{ "text", keep_text },       { "events", take_events },
	{ "metrics", take_metrics },
};

/* ---- sections ---- */

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
		return wrong(r, "a section is [preset NAME], not", s, e);
	*end = '\0';
	s = trim(s + 1);
	name = s + strcspn(s, " \t");
	if (*name != '\0')
		*name++ = '\0';
	name = trim(name);
	look_at(r, s);
	const char *instead = option_withdrawn("section ", s, strlen(s));

	if (instead != NULL) {
		struct err gone;

		err_set(&gone, ERR_USAGE, "%s:%u:%u: own %ss were removed: %s",
			r->path, r->line, r->column, s, instead);
		if (!r->u->lost_metrics)
			leave_out(r->o, &gone);
		r->u->lost_metrics = true;
		return true;
	}
	if (strcmp(s, "preset") != 0)
		return wrong(r, "unknown section", s, e);
	look_at(r, name);
	if (!good_name(name))
		return wrong(r, "a name has 1 to 31 of a-z 0-9 _ -, not", name,
			     e);
	return preset_begin(r, name, e);
}

/* A section says each of its keys once. */
static bool
take_line(struct reader *r, const char *name, const char *value, struct err *e)
{
	for (unsigned i = 0; i < sizeof preset_key / sizeof *preset_key; i++) {
		if (strcmp(preset_key[i].name, name) != 0)
			continue;
		if ((r->said >> i & 1) != 0)
			return wrong(r, "said twice:", name, e);
		r->said |= 1u << i;
		look_at(r, value);
		return preset_key[i].set(r, value, e);
	}
	return err_set(e, ERR_USAGE, "%s:%u:%u: a preset has no key '%s'",
		       r->path, r->line, r->column, name);
}

/* ---- options ---- */

/*
 * What chooses and sorts the rows can be wrong for this machine alone, what an
 * earlier ktop had for any: that must not keep anybody from looking.
 */
static bool
may_be_wrong(const struct user *u, const char *name)
{
	bool preset =
		strcmp(name, "preset") == 0 || strcmp(name, "rotate") == 0;

	return strcmp(name, "sort") == 0 || strcmp(name, "filter") == 0 ||
	       strcmp(name, "pin") == 0 || (preset && u->lost_metrics) ||
	       option_withdrawn("--", name, strlen(name)) != NULL;
}

static bool
take_option(struct reader *r, const char *name, const char *value,
	    struct err *e)
{
	struct options *o = r->o;

	if (option_known(name))
		look_at(r, value);
	o->config.line = r->line;
	bool ok = option_assign(o, name, value, e);

	o->config.line = 0;
	if (ok)
		return true;
	(void)place_error(r, e);
	if (!may_be_wrong(r->u, name))
		return false;
	leave_out(o, e);
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
	if (*s == '[') {
		r->in_section = true; /* no option follows */
		return !r->sections || section_begin(r, s, e);
	}
	if (value == NULL)
		return wrong(r, "a line is 'name = value', not", s, e);
	*value++ = '\0';
	s = trim(s);
	value = trim(value);
	if (r->sections)
		return r->p == NULL || take_line(r, s, value, e);
	return r->in_section || take_option(r, s, value, e);
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
	return !r->sections || preset_end(r, e);
}

/* Sections first: an option may name a preset that stands below it. */
bool
config_parse(struct options *o, const char *path, const char *text,
	     struct err *e)
{
	struct reader sections = {
		.o = o, .u = &o->user, .path = path, .sections = true
	};
	struct reader options = { .o = o, .u = &o->user, .path = path };

	o->config.name = user_keep_once(&o->user, path, e);
	return o->config.name != NULL && read_all(&sections, text, e) &&
	       read_all(&options, text, e);
}
