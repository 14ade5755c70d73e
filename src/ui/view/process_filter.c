/* The filter of processes: "clang", "ana", "4411", "400-499", "ipc<1 cpu>5". */
#include "ui/view/processes.h"

#include <string.h>

enum { NO_METRIC = -1, IS_PID = -2 };

/* As on the screen, blanks left out, or as in files. */
static int
metric_called(const struct process_list *l, const char *name)
{
	if (clause_called("pid", name))
		return IS_PID;
	for (int m = 0; m < PROCESS_METRICS; m++) {
		char text[32], plain[32];
		struct buf b = buf_over(text, sizeof text);
		size_t n = 0;

		processes_label(l, (enum process_metric)m, &b);
		for (const char *p = buf_cstr(&b); *p != 0; p++)
			if (*p != ' ')
				plain[n++] = *p;
		plain[n] = 0;
		if (clause_called(plain, name) ||
		    clause_called(process_metrics[m].label, name) ||
		    clause_called(process_metrics[m].name, name))
			return m;
	}
	return NO_METRIC;
}

static bool
compares(const struct process_row *row, const struct process_clause *c)
{
	if (!c->is.whole || c->metric == NO_METRIC)
		return true; /* as long as it is typed */
	return clause_holds(&c->is, c->metric == IS_PID
					    ? (double)row->pid
					    : row->value[c->metric]);
}

static bool
is_called(const struct process_row *row, const char *word)
{
	long from, to;

	if (clause_range(word, &from, &to) && row->pid >= from &&
	    row->pid <= to)
		return true;
	return clause_contains(row->name, word) ||
	       clause_contains(row->user, word);
}

static bool
passes(const struct process_row *row, const struct process_clause *c)
{
	return c->is.op != 0 ? compares(row, c) : is_called(row, c->text);
}

/* Names of columns are looked up once, not for each row. */
void
processes_filter_read(struct process_list *l)
{
	struct process_clause *c = l->clause;
	size_t at = 0;

	for (l->nclauses = 0; l->nclauses < PROCESS_CLAUSES; c++) {
		if (!clause_next(l->filter, &at, c->text, &c->either))
			break;
		c->is = clause_of(c->text);
		c->metric = c->is.op != 0 ? metric_called(l, c->is.name)
					  : NO_METRIC;
		l->nclauses++;
	}
}

bool
processes_match(const struct process_list *l, const struct process_row *row)
{
	bool any = true;

	for (unsigned i = 0; i < l->nclauses; i++) {
		const struct process_clause *c = &l->clause[i];

		if (!c->either && !any)
			return false;
		any = (c->either && any) || passes(row, c);
	}
	return any;
}

const char *
processes_filter_wrong(const struct process_list *l)
{
	for (unsigned i = 0; i < l->nclauses; i++) {
		const struct process_clause *c = &l->clause[i];

		if (c->is.op == 0)
			continue;
		if (c->metric == NO_METRIC)
			return "no column has that name";
		if (!c->is.whole)
			return "a number goes behind < or >";
	}
	return NULL;
}
