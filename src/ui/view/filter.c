/* The filter of the list: "P0", "E,P1", "4-7", "die1", "ipc<1 busy>=50". */
#include "ui/view/view.h"

#include "ui/view/value.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_SIZE = VIEW_FILTER_SIZE };

struct comparison { /* "name op number" */
	char name[WORD_SIZE];
	char op; /* < > =; 0: the word compares nothing */
	bool equal;
	double number;
	bool whole; /* the number is there */
};

static bool
same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

static bool
contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text != 0; text++) {
		size_t i = 0;

		while (i < n && text[i] != 0 && same_letter(text[i], part[i]))
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

/* The next word up to a blank or one of `ends`; false behind the last. */
static bool
next_word(const char **at, const char *ends, char word[WORD_SIZE])
{
	size_t n;

	while (**at == ' ' || (**at != 0 && strchr(ends, **at) != NULL))
		++*at;
	for (n = 0; (*at)[n] != 0 && (*at)[n] != ' ' &&
		    strchr(ends, (*at)[n]) == NULL && n + 1 < WORD_SIZE;)
		n++;
	memcpy(word, *at, n);
	word[n] = 0;
	*at += n;
	return n > 0;
}

static struct comparison
comparison_of(const char *word)
{
	struct comparison c = { .op = 0 };
	size_t n = strcspn(word, "<>=");
	const char *at = word + n;
	char *end;

	if (*at == 0 || n == 0)
		return c;
	memcpy(c.name, word, n);
	c.op = *at++;
	if (*at == '=') {
		c.equal = true;
		at++;
	}
	c.number = strtod(at, &end);
	c.whole = end != at && *end == 0;
	return c;
}

/* As on the screen or in the recording, without the sign at its end. */
static bool
is_called(const char *label, const char *name)
{
	size_t i = 0;

	while (label[i] != 0 && name[i] != 0 && same_letter(label[i], name[i]))
		i++;
	return name[i] == 0 &&
	       (label[i] == 0 || (strchr("%~", label[i]) && label[i + 1] == 0));
}

/* COLUMN_BUSY, a metric, or SORT_CPU for no such column. */
static int
column_called(const struct view *v, const char *name)
{
	if (is_called("busy%", name))
		return COLUMN_BUSY;
	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric != COLUMN_BUSY &&
		    is_called(view_label(v, v->column[i].metric), name))
			return v->column[i].metric;
	for (unsigned i = 0; i < metric_count + v->nuser_metrics; i++)
		if (is_called(view_metric(v, (int)i)->label, name) ||
		    is_called(view_metric(v, (int)i)->name, name))
			return (int)i;
	return SORT_CPU;
}

static bool
compares(const struct view *v, unsigned scope, const struct comparison *c)
{
	int column = column_called(v, c->name);

	if (!c->whole || column == SORT_CPU ||
	    (column >= 0 && column >= (int)v->f->nmetrics))
		return true; /* as long as it is typed */
	double value = column == COLUMN_BUSY
			       ? v->f->tally[scope].busy_pct
			       : frame_value(v->f, scope, (unsigned)column);

	if (isnan(value))
		return false;
	if ((c->equal || c->op == '=') && fabs(value - c->number) < 1e-9)
		return true;
	return c->op == '<' ? value < c->number
			    : c->op == '>' && value > c->number;
}

/* "4" or "4-7"; false if the word is neither. */
static bool
range_of(const char *word, long *from, long *to)
{
	char *end;

	if (!isdigit((unsigned char)word[0]))
		return false;
	*from = *to = strtol(word, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*to = strtol(end + 1, &end, 10);
	else if (*end == '-' && end[1] == 0)
		end++; /* still typed */
	return *end == 0;
}

static bool
cpu_matches(const struct topology *t, unsigned cpu, const char *word)
{
	const struct topology_cpu *at = &t->cpu[cpu];
	const struct topology_cluster *cluster = &t->cluster[at->cluster];
	long from, to;

	if (range_of(word, &from, &to))
		return at->id >= from && at->id <= to;
	if (strncmp(word, "die", 3) == 0 && range_of(word + 3, &from, &to))
		return at->die >= from && at->die <= to;
	return contains(cluster->label, word) ||
	       (strlen(word) > 2 && contains(t->kind[at->kind].name, word));
}

/* A row of a group passes with any of its CPUs. */
static bool
place_matches(const struct view *v, unsigned scope, const char *word)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	if (s->level == SCOPE_CORE)
		return cpu_matches(t, s->index, word);
	for (unsigned i = 0; i < t->ncpus; i++)
		if ((s->level != SCOPE_CLUSTER ||
		     t->cpu[i].cluster == s->index) &&
		    (s->level != SCOPE_KIND || t->cpu[i].kind == s->index) &&
		    cpu_matches(t, i, word))
			return true;
	return false;
}

static bool
term_matches(const struct view *v, unsigned scope, const char *term)
{
	struct comparison c = comparison_of(term);
	char word[WORD_SIZE];

	if (c.op != 0)
		return compares(v, scope, &c);
	while (next_word(&term, ",", word))
		if (place_matches(v, scope, word))
			return true;
	return false;
}

bool
view_filter_matches(const struct view *v, unsigned scope)
{
	const char *at = v->filter;
	char term[WORD_SIZE];

	if (scope >= v->f->nscopes)
		return true;
	while (next_word(&at, "", term))
		if (strcmp(term, ",") != 0 && !term_matches(v, scope, term))
			return false;
	return true;
}

const char *
view_filter_wrong(const struct view *v)
{
	const char *at = v->filter;
	char term[WORD_SIZE];

	while (next_word(&at, "", term)) {
		struct comparison c = comparison_of(term);

		if (c.op == 0)
			continue;
		if (column_called(v, c.name) == SORT_CPU)
			return "no column has that name";
		if (!c.whole)
			return "a number goes behind < or >";
	}
	return NULL;
}
