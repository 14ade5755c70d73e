/* The filter of the list: "P0", "E,P1", "4-7", "die1", "ipc<1 busy>=50". */
#include "ui/view/view.h"

#include "ui/view/clause.h"

#include <string.h>

/* COLUMN_BUSY, a metric, or SORT_CPU for no such column. */
static int
column_called(const struct view *v, const char *name)
{
	if (clause_called("busy%", name))
		return COLUMN_BUSY;
	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric != COLUMN_BUSY &&
		    clause_called(view_label(v, v->column[i].metric), name))
			return v->column[i].metric;
	for (unsigned i = 0; i < metric_count + v->nuser_metrics; i++)
		if (clause_called(view_metric(v, (int)i)->label, name) ||
		    clause_called(view_metric(v, (int)i)->name, name))
			return (int)i;
	return SORT_CPU;
}

static bool
compares(const struct view *v, unsigned scope, const struct clause *c)
{
	int column = column_called(v, c->name);

	if (!c->whole || column == SORT_CPU ||
	    (column >= 0 && column >= (int)v->f->nmetrics))
		return true; /* as long as it is typed */
	double value = column == COLUMN_BUSY
			       ? span_busy_pct(&v->f->span[scope])
			       : frame_value(v->f, scope, (unsigned)column);

	return clause_holds(c, value);
}

static bool
cpu_matches(const struct topology *t, unsigned cpu, const char *word)
{
	const struct topology_cpu *at = &t->cpu[cpu];
	const struct topology_cluster *cluster = &t->cluster[at->cluster];
	long from, to;

	if (clause_range(word, &from, &to))
		return at->id >= from && at->id <= to;
	if (strncmp(word, "die", 3) == 0 && clause_range(word + 3, &from, &to))
		return at->die >= from && at->die <= to;
	return clause_contains(cluster->label, word) ||
	       (strlen(word) > 2 &&
		clause_contains(t->kind[at->kind].name, word));
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
word_matches(const struct view *v, unsigned scope, const char *word)
{
	struct clause c = clause_of(word);

	return c.op != 0 ? compares(v, scope, &c)
			 : place_matches(v, scope, word);
}

bool
view_filter_matches(const struct view *v, unsigned scope)
{
	char word[CLAUSE_SIZE];
	bool either, any = true;
	size_t at = 0;

	if (scope >= v->f->nscopes)
		return true;
	while (clause_next(v->filter, &at, word, &either)) {
		if (!either && !any)
			return false;
		any = (either && any) || word_matches(v, scope, word);
	}
	return any;
}

const char *
view_filter_wrong(const struct view *v)
{
	char word[CLAUSE_SIZE];
	bool either;
	size_t at = 0;

	while (clause_next(v->filter, &at, word, &either)) {
		struct clause c = clause_of(word);

		if (c.op == 0)
			continue;
		if (column_called(v, c.name) == SORT_CPU)
			return "no column has that name";
		if (!c.whole)
			return "a number goes behind < or >";
	}
	return NULL;
}
