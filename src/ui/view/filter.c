/* Filters of rows. CPUs: "P0", "E,P1", "4-7", "die1"; processes: "clang",
 * "ana", "400-499"; both: "ipc<1 busy>=50". */
#include "ui/view/view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Compares without case; ignores blanks and a final % or ~ of the label. */
static bool
label_matches(const char *label, const char *name)
{
	for (; *name != 0; label++) {
		if (*label == ' ')
			continue;
		if (*label == 0 || !same_letter(*label, *name++))
			return false;
	}
	return *label == 0 || (strchr("%~", *label) != NULL && label[1] == 0);
}

/* Parses "4", "4-7", or "4-" while the user types. False: not a range. */
static bool
parse_cpu_range(const char *word, long *from, long *to)
{
	char *end;

	if (!isdigit((unsigned char)word[0]))
		return false;
	*from = *to = strtol(word, &end, 10);
	if (*end == '-' && isdigit((unsigned char)end[1]))
		*to = strtol(end + 1, &end, 10);
	else if (*end == '-' && end[1] == 0)
		end++;
	return *end == 0;
}

static bool
column_is_called(const struct view *v, int column, const char *name)
{
	char label[32];
	struct buf b = buf_over(label, sizeof label);

	view_column_label(v, column, &b);
	return label_matches(buf_cstr(&b), name);
}

static int
process_column_called(const struct view *v, const char *name)
{
	if (label_matches("pid", name))
		return SORT_NUMBER;
	for (int m = 0; m < PROCESS_METRICS; m++)
		if (column_is_called(v, COLUMN_PROCESS + m, name) ||
		    label_matches(process_metrics[m].label, name) ||
		    label_matches(process_metrics[m].name, name))
			return COLUMN_PROCESS + m;
	return COLUMN_NONE;
}

static int
column_called(const struct view *v, bool processes, const char *name)
{
	int of_process =
		processes ? process_column_called(v, name) : COLUMN_NONE;

	if (of_process != COLUMN_NONE)
		return of_process;
	if (!processes && label_matches("busy%", name))
		return COLUMN_BUSY;
	for (unsigned i = 0; i < v->cols.n; i++)
		if (v->cols.column[i].metric != COLUMN_BUSY &&
		    (!processes ||
		     view_of_process(v, v->cols.column[i].metric)) &&
		    label_matches(view_label(v, v->cols.column[i].metric),
				  name))
			return v->cols.column[i].metric;
	for (int i = 0; i < (int)(metric_count + v->user.nmetrics); i++)
		if ((label_matches(view_metric(v, i)->label, name) ||
		     label_matches(view_metric(v, i)->name, name)) &&
		    (!processes || view_of_process(v, i)))
			return i;
	return COLUMN_NONE;
}

static void
filter_word_parse(const struct view *v, bool processes, struct filter_word *w)
{
	size_t n = strcspn(w->text, "<>=");
	const char *at = w->text + n;
	char name[VIEW_FILTER_SIZE] = "", *end;

	w->op = 0;
	if (*at == 0 || n == 0)
		return;
	memcpy(name, w->text, n);
	w->column = column_called(v, processes, name);
	w->op = *at++;
	w->equal = *at == '=';
	at += w->equal;
	w->number = strtod(at, &end);
	w->whole = end != at && *end == 0;
}

void
view_filter_read(const struct view *v, const struct rows *r, struct filter *out)
{
	bool processes = r == &v->procs->list;
	const char *text = r->filter;

	for (out->n = 0; out->n < FILTER_WORDS; out->n++) {
		struct filter_word *w = &out->word[out->n];

		w->either = false;
		for (; *text == ' ' || *text == ','; text++)
			w->either |= *text == ',' && out->n > 0;
		size_t n = strcspn(text, " ,");

		if (n == 0)
			break;
		memcpy(w->text, text, n);
		w->text[n] = 0;
		text += n;
		filter_word_parse(v, processes, w);
	}
}

const char *
view_filter_wrong(const struct view *v, const struct rows *r)
{
	struct filter f;

	view_filter_read(v, r, &f);
	for (unsigned i = 0; i < f.n; i++) {
		if (f.word[i].op != 0 && !f.word[i].whole)
			return "<, > and = compare numbers; enter a name or a user alone";
		if (f.word[i].op != 0 && f.word[i].column == COLUMN_NONE)
			return "no column has that name";
	}
	return NULL;
}

bool
view_filter_missing(const struct view *v, const struct rows *r, struct buf *why)
{
	struct filter f;

	view_filter_read(v, r, &f);
	for (unsigned i = 0; i < f.n; i++) {
		size_t before = why->len;

		if (f.word[i].op == 0)
			continue;
		view_column_label(v, f.word[i].column, why);
		buf_str(why, " is ");
		if (view_column_missing(v, r, f.word[i].column, why))
			return true;
		why->len = before;
	}
	return false;
}

static bool
process_matches(const struct process_row *row, const char *word)
{
	long from, to;

	return (parse_cpu_range(word, &from, &to) && row->pid >= from &&
		row->pid <= to) ||
	       contains(row->name, word) || contains(row->user, word);
}

static bool
cpu_matches(const struct topology *t, unsigned cpu, const char *word)
{
	const struct topology_cpu *at = &t->cpu[cpu];
	const struct topology_cluster *cluster = &t->cluster[at->cluster];
	long from, to;

	if (parse_cpu_range(word, &from, &to))
		return at->id >= from && at->id <= to;
	if (strncmp(word, "die", 3) == 0 &&
	    parse_cpu_range(word + 3, &from, &to))
		return at->die >= from && at->die <= to;
	return contains(cluster->label, word) ||
	       (strlen(word) > 2 && contains(t->kind[at->kind].name, word));
}

static bool
scope_matches(const struct view *v, unsigned scope, const char *word)
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
value_passes(const struct filter_word *w, double value)
{
	if (isnan(value))
		return false;
	if ((w->equal || w->op == '=') && fabs(value - w->number) < 1e-9)
		return true;
	return w->op == '<' ? value < w->number
			    : w->op == '>' && value > w->number;
}

static bool
word_passes(const struct view *v, const struct filter_word *w,
	    struct view_row row)
{
	if (w->op == 0)
		return row.process != NULL
			       ? process_matches(row.process, w->text)
			       : scope_matches(v, row.scope, w->text);
	/* Incomplete comparisons and unknown columns pass all rows. */
	if (!w->whole || w->column == COLUMN_NONE ||
	    (row.process == NULL && w->column >= (int)v->f->nmetrics))
		return true;
	return value_passes(w, view_row_value(v, row, w->column));
}

bool
view_filter_passes(const struct view *v, const struct filter *f,
		   struct view_row row)
{
	bool any = true;

	for (unsigned i = 0; i < f->n; i++) {
		const struct filter_word *w = &f->word[i];

		if (!w->either && !any)
			return false;
		any = (w->either && any) || word_passes(v, w, row);
	}
	return any;
}
