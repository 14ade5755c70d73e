#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cells.h"
#include "base/plural.h"
#include "commands/command.h"
#include "commands/report.h"
#include "recording/replay.h"

static const char *const outcome_text[] = {
	[COMPARE_DIFFERS] = "differs",
	[COMPARE_SMALL] = "under --at-least",
	[COMPARE_NOISE] = "within noise",
	[COMPARE_TOO_FEW] = "too few",
	[COMPARE_DRIFTS] = "drifts",
	[COMPARE_NOT] = "not compared",
	[COMPARE_DESCRIBED] = "not judged",
};

/* Programs read these words, which therefore must not change. */
static const char *
line_outcome_text(const struct compare *c, const struct compare_line *l)
{
	if (l->outcome == COMPARE_TOO_FEW)
		return c->runs ? "too few runs" : "too few samples";
	return outcome_text[l->outcome];
}

enum { CELL_SIZE = 96 };
enum { NAME, SIDE_A, SIDE_B, CHANGE, CHANGE_PCT, LOW, HIGH, CHANCE, COLUMNS };

static const struct {
	const char *head;
	unsigned width;
} columns[COLUMNS] = {
	[NAME] = { "metric", 22 }, [SIDE_A] = { "A", 9 },
	[SIDE_B] = { "B", 9 },     [CHANGE] = { "B - A", 9 },
	[CHANGE_PCT] = { "", 8 },  [LOW] = { "low", 9 },
	[HIGH] = { "high", 9 },    [CHANCE] = { "p", 8 },
};

struct widths {
	unsigned of[COLUMNS];
};

struct line_text {
	unsigned n;
	char at[COLUMNS][CELL_SIZE];
};

/* Writes "+1.5%"; NAN: "-" and, in place of a unit, a blank. */
static void
number_text(char *to, size_t size, double v, int decimals, bool sign,
	    const char *unit)
{
	snprintf(to, size, "%s%s%s", sign && v > 0 ? "+" : "",
		 isnan(v) ? "-" : FIXED(v, decimals),
		 isnan(v) && unit[0] != '\0' ? " " : unit);
}

static void
line_text_add(struct line_text *t, double v, int decimals, bool sign,
	      const char *unit)
{
	number_text(t->at[t->n++], CELL_SIZE, v, decimals, sign, unit);
}

static void
line_text_fill(const struct compare_line *l, struct line_text *t)
{
	int d = l->decimals;

	snprintf(t->at[NAME], CELL_SIZE, "%s", l->name);
	t->n = SIDE_A;
	line_text_add(t, l->a, d, false, "");
	line_text_add(t, l->b, d, false, "");
	if (l->metric != NULL && l->why != NULL)
		return;
	line_text_add(t, l->b - l->a, d, true, "");
	if (l->metric == NULL)
		return;
	line_text_add(t, compare_change_pct(l), 1, true, "%");
	line_text_add(t, l->of.low, d, true, "");
	line_text_add(t, l->of.high, d, true, "");
	if (l->adjusted < 0.0001)
		memcpy(t->at[t->n++], "<0.0001", sizeof "<0.0001");
	else
		line_text_add(t, l->adjusted, 4, false, "");
}

static bool
line_is_printed(const struct compare_line *l)
{
	return l->metric != NULL || l->a > 0 || l->b > 0;
}

static struct widths
lines_measure(const struct compare *c)
{
	struct widths w;

	for (unsigned k = 0; k < COLUMNS; k++)
		w.of[k] = columns[k].width;
	for (unsigned i = 0; i < c->nlines; i++) {
		struct line_text t;

		if (!line_is_printed(&c->line[i]))
			continue;
		line_text_fill(&c->line[i], &t);
		for (unsigned k = 0; k < t.n; k++)
			if (cells_wide(t.at[k]) > w.of[k])
				w.of[k] = cells_wide(t.at[k]);
	}
	return w;
}

static void
table_print_cell(FILE *out, const struct widths *w, unsigned column,
		 const char *text)
{
	int blanks = (int)(w->of[column] - cells_wide(text));

	if (column == NAME)
		fprintf(out, "  %s%*s", text, blanks, "");
	else
		fprintf(out, " %*s%s", blanks, "", text);
}

static void
table_print_heads(FILE *out, const struct widths *w, unsigned ncolumns)
{
	for (unsigned k = 0; k < ncolumns; k++)
		table_print_cell(out, w, k, columns[k].head);
	fprintf(out, "\n");
}

static void
table_print_outcome(FILE *out, const struct compare *c, bool brief,
		    const struct compare_line *l)
{
	double missed_pct = compare_missed_pct(l);

	if (l->metric == NULL) {
		fprintf(out, "%s", l->unit);
		return;
	}
	if (l->outcome == COMPARE_TOO_FEW)
		fprintf(out, "too few %s", c->runs ? "runs" : "samples");
	else
		fprintf(out, "%s", outcome_text[l->outcome]);
	if (l->why != NULL)
		fprintf(out, ": %s", l->why);
	else if (l->outcome == COMPARE_TOO_FEW && !brief)
		fprintf(out, ": at least %u of each are needed", l->needs);
	else if (l->outcome == COMPARE_DRIFTS)
		fprintf(out, "; compare several runs");
	else if (l->outcome == COMPARE_NOISE && !isnan(missed_pct))
		fprintf(out, ": up to %s%% may be missed",
			FIXED(missed_pct, 1));
	if (l->why == NULL && l->mark != NULL)
		fprintf(out, "  *");
}

static void
table_print_line(FILE *out, const struct compare *c, const struct widths *w,
		 unsigned ncolumns, bool brief, const struct compare_line *l)
{
	struct line_text t;

	line_text_fill(l, &t);
	for (unsigned k = 0; k < t.n && k < ncolumns; k++)
		table_print_cell(out, w, k, t.at[k]);
	fprintf(out, "  ");
	table_print_outcome(out, c, brief, l);
	fprintf(out, "\n");
}

static void
compare_print_side(FILE *out, char letter, const struct compare_side *side,
		   const char *part)
{
	for (unsigned i = 0; i < side->n; i++) {
		const struct digest *d = side->run[i].digest;
		const struct source_info *s = &d->source->info;

		fprintf(out, "%c", letter);
		if (side->n > 1)
			fprintf(out, "%u", i + 1);
		fprintf(out, ": %s%s%s: %s (%s), %llu %s in %.10g s\n", d->name,
			part != NULL ? ", " : "", part != NULL ? part : "",
			s->model, s->origin, (unsigned long long)d->frames,
			plural(d->frames, "sample", "samples"), d->length_s);
	}
}

static void
compare_print_chance(FILE *out, const struct compare *c)
{
	char text[400];
	struct buf b = buf_over(text, sizeof text);

	if (c->judged > 0) {
		buf_printf(
			&b,
			"p: the probability of so large a difference if there is none, corrected for the %u %s that are tested together (Benjamini-Hochberg, for positively dependent rows): of the rows that differ (p up to 0.01), about one in a hundred does so by chance.",
			c->judged, plural(c->judged, "row", "rows"));
		report_wrap(out, buf_cstr(&b));
	}
	if (c->at_least_pct > 0) {
		b = buf_over(text, sizeof text);
		buf_str(&b, "Differences under ");
		buf_decimal(&b, c->at_least_pct, 6);
		buf_str(&b, "% of A count as none (--at-least).");
		report_wrap(out, buf_cstr(&b));
	}
}

static void
compare_print_foot(FILE *to, const struct compare *c, const struct options *o)
{
	fprintf(to, "\n");
	if (c->runs) {
		report_wrap(
			to,
			"A, B: means of the runs' values, each from the summed counts of its samples. low, high: the 99% confidence interval of B - A, from the differences between the runs of each side (Welch's t test).");
	} else {
		report_wrap(
			to,
			"A, B: from the summed counts of all samples. low, high: the 99% confidence interval of B - A, from the differences between six equal parts of each side (Welch's t test).");
		report_wrap(
			to,
			o->compare.vs != NULL
				? "This compares two parts of one run and does not show how much runs differ. To include that, compare several runs of each: A1 A2 -- B1 B2."
				: "This compares two runs, not two programs: a second run of A differs from A too. To include that, compare several runs of each: A1 A2 -- B1 B2.");
	}
	if (o->compare.all)
		report_wrap(
			to,
			"bottleneck_...: percent of its time with that bottleneck; lost_pct: lost slots, percent of the machine's. These rows are not tested: they have no p.");
	compare_print_chance(to, c);
	if (c->hardware != NULL)
		fprintf(to, "* %s\n", c->hardware);
}

static void
compare_report_line(struct report *out, const struct compare *c,
		    const struct compare_line *l)
{
	struct digest_row is = { .level = "process", .kind = "" };
	const char *why = l->why != NULL    ? l->why
			  : l->mark != NULL ? l->mark
					    : "";

	is.name = l->process;
	if (l->process == NULL)
		digest_row(c->a.run[0].digest, l->row, &is);
	report_text(out, "row", is.level);
	report_text(out, "name", is.name);
	report_text(out, "kind", is.kind);
	report_text(out, "metric", l->name);
	report_text(out, "unit", l->unit);
	report_number(out, "a", l->a);
	report_number(out, "b", l->b);
	report_number(out, "difference", l->why == NULL ? l->b - l->a : NAN);
	report_number(out, "difference_pct", compare_change_pct(l));
	report_number(out, "low", l->of.low);
	report_number(out, "high", l->of.high);
	report_text(out, "outcome", line_outcome_text(c, l));
	report_text(out, "why", why);
	report_number(out, "needs",
		      l->outcome == COMPARE_TOO_FEW ? l->needs : (double)NAN);
	report_number(out, "p", l->of.p);
	report_number(out, "p_adjusted", l->adjusted);
	report_number(out, "df", l->of.df);
	report_text(out, "units", c->runs ? "runs" : "samples");
	report_count(out, "n_a", l->na);
	report_count(out, "n_b", l->nb);
	report_end(out);
}

static bool
compare_b_has_row(const struct compare *c, unsigned row)
{
	for (unsigned i = 0; i < c->b.n; i++)
		if (c->b.run[i].row[row] >= 0)
			return true;
	return false;
}

static void
compare_print_row(FILE *out, const struct compare *c, const struct widths *w,
		  unsigned row)
{
	struct digest_row is;

	digest_row(c->a.run[0].digest, row, &is);
	fprintf(out, "\n%s%s\n", is.title,
		compare_b_has_row(c, row) ? "" : ": only A has it");
	if (!compare_b_has_row(c, row))
		return;
	table_print_heads(out, w, COLUMNS);
	for (unsigned i = 0; i < c->nlines; i++)
		if (c->line[i].row == row && line_is_printed(&c->line[i]))
			table_print_line(out, c, w, COLUMNS, false,
					 &c->line[i]);
}

static const struct compare_line *
process_line(const struct compare *c, unsigned process, unsigned value)
{
	return &c->process[(size_t)process * c->nvalues + value];
}

static void
process_print_number(FILE *out, double v, int decimals, int width)
{
	fprintf(out, "%*s", width, isnan(v) ? "-" : FIXED(v, decimals));
}

static void
process_print_change(FILE *out, const struct compare_line *l)
{
	char text[CELL_SIZE];

	number_text(text, sizeof text, compare_change_pct(l), 1, true, "%");
	fprintf(out, "%10s", text);
}

static void
processes_print_event(FILE *out, const struct compare *c, unsigned event)
{
	enum { MOST = 3 };
	unsigned printed = 0;

	fprintf(out, "  %s\n", process_line(c, 0, event)->name);
	for (unsigned i = 0; i < c->nprocesses && printed < MOST; i++) {
		const struct compare_line *l = process_line(c, i, event);

		if (isnan(l->a) || isnan(l->b))
			continue;
		process_print_number(out, l->a, 2, 9);
		process_print_number(out, l->b, 2, 9);
		process_print_change(out, l);
		fprintf(out, "  %s\n", l->process);
		printed++;
	}
}

static void
compare_print_processes(FILE *out, const struct compare *c)
{
	enum { TOP = 10 };
	static const struct {
		const char *label;
		int decimals, width;
	} values[COMPARE_EVENTS] = {
		[COMPARE_CPU] = { "CPU%", 1, 8 },
		[COMPARE_GIPS] = { "Ginst/s", 3, 11 },
		[COMPARE_IPC] = { "IPC", 2, 8 },
	};
	unsigned n = 0;

	while (n < TOP && n < c->nprocesses &&
	       (process_line(c, n, COMPARE_CPU)->a > 0 ||
		process_line(c, n, COMPARE_CPU)->b > 0))
		n++;
	if (n == 0)
		return;
	fprintf(out, "\nprocesses, by name: %s%u %s CPU time in A or B\n",
		n < c->nprocesses ? "the " : "", n,
		n < c->nprocesses ? "with the most" : "with");
	for (unsigned k = 0; k < COMPARE_EVENTS; k++)
		fprintf(out, "%*s A%*s B", values[k].width - 2, values[k].label,
			values[k].width - 2, values[k].label);
	fprintf(out, "     B - A  PROCESS\n");
	for (unsigned i = 0; i < n; i++) {
		const struct compare_line *l = process_line(c, i, 0);

		for (unsigned k = 0; k < COMPARE_EVENTS; k++) {
			process_print_number(out, l[k].a, values[k].decimals,
					     values[k].width);
			process_print_number(out, l[k].b, values[k].decimals,
					     values[k].width);
		}
		process_print_change(out, &l[COMPARE_IPC]);
		fprintf(out, "  %s\n",
			l->process[0] != '\0' ? l->process : "-");
	}
	fprintf(out,
		"These differences are not tested for significance.\n"
		"A process counts only in the samples that have its row; - elsewhere.\n");
	if (c->nvalues == COMPARE_EVENTS ||
	    c->b.run[0].digest->processes->nevents == 0)
		return;
	fprintf(out,
		"\nevents of processes per 1000 of their instructions: A, B, B - A\n");
	for (unsigned k = COMPARE_EVENTS; k < c->nvalues; k++)
		processes_print_event(out, c, k);
}

static uint32_t
compare_asked_levels(const struct options *o)
{
	static const uint32_t levels[] = {
		[COMPARE_ROWS_ALL] = UINT32_MAX,
		[COMPARE_ROWS_MACHINE] = 1u << SCOPE_ALL,
		[COMPARE_ROWS_KIND] = 1u << SCOPE_KIND,
		[COMPARE_ROWS_CLUSTER] = 1u << SCOPE_CLUSTER,
		[COMPARE_ROWS_CPU] = 1u << SCOPE_CORE,
		[COMPARE_ROWS_PROCESS] = 0,
	};

	return levels[o->compare.rows];
}

/* With all levels, omits kinds and a single cluster: both repeat rows. */
static uint32_t
compare_levels_apart(const struct compare *c, uint32_t levels)
{
	if (levels != UINT32_MAX)
		return levels;
	levels &= ~(1u << SCOPE_KIND);
	if (c->a.run[0].digest->topology->nclusters == 1)
		levels &= ~(1u << SCOPE_CLUSTER);
	return levels;
}

static bool
compare_print_largest(FILE *out, const struct compare *c,
		      const struct widths *w, uint32_t levels)
{
	unsigned *order = malloc(((size_t)c->nlines + 1) * sizeof *order);
	unsigned n, shown, wide = 3, columns_shown = LOW, needs = 0;
	struct digest_row is;

	if (order == NULL)
		return false;
	n = compare_order(c, compare_levels_apart(c, levels), order);
	shown = n < COMPARE_MOST ? n : COMPARE_MOST;
	for (unsigned i = 0; i < shown; i++) {
		digest_row(c->a.run[0].digest, c->line[order[i]].row, &is);
		if (cells_wide(is.title) > wide)
			wide = cells_wide(is.title);
		if (!isnan(c->line[order[i]].of.p))
			columns_shown = COLUMNS;
	}
	if (shown > 0)
		fprintf(out, "\n%-*s", (int)wide, "row");
	if (shown > 0)
		table_print_heads(out, w, columns_shown);
	for (unsigned i = 0; i < shown; i++) {
		digest_row(c->a.run[0].digest, c->line[order[i]].row, &is);
		fprintf(out, "%s%*s", is.title,
			(int)(wide - cells_wide(is.title)), "");
		table_print_line(out, c, w, columns_shown, true,
				 &c->line[order[i]]);
		if (c->line[order[i]].outcome == COMPARE_TOO_FEW)
			needs = c->line[order[i]].needs;
	}
	if (n > shown)
		fprintf(out,
			"The %u largest changes of %u; --all has all of them.\n",
			shown, n);
	if (needs > 0)
		fprintf(out,
			"To tell a difference from noise, at least %u %s of each are needed.\n",
			needs, c->runs ? "runs" : "samples");
	free(order);
	return true;
}

static void
compare_print_rows(FILE *out, const struct compare *c, const struct widths *w,
		   uint32_t levels)
{
	const struct digest *a = c->a.run[0].digest, *b = c->b.run[0].digest;
	struct digest_row is;

	for (unsigned i = 0; i < a->nrows; i++) {
		unsigned row = digest_order(a, i);

		if ((levels >> scope_at(a->topology, row).level & 1) != 0)
			compare_print_row(out, c, w, row);
	}
	for (unsigned i = 0; i < b->nrows; i++) {
		unsigned row = digest_order(b, i);

		if (compare_row(a, b, row) >= 0 ||
		    (levels >> scope_at(b->topology, row).level & 1) == 0)
			continue;
		digest_row(b, row, &is);
		fprintf(out, "\n%s: only B has it\n", is.title);
	}
}

static bool
compare_print_text(FILE *out, const struct compare *c, const struct options *o)
{
	const struct widths w = lines_measure(c);
	const char *vs = o->compare.vs;
	uint32_t levels = compare_asked_levels(o);
	bool ok = true;

	compare_print_side(out, 'A', &c->a, vs != NULL ? o->source.mark : NULL);
	compare_print_side(out, 'B', &c->b, vs);
	compare_print_answer(out, c);
	if (o->compare.all)
		compare_print_rows(out, c, &w, levels);
	else
		ok = compare_print_largest(out, c, &w, levels);
	if (levels == 0 || (o->compare.all && levels == UINT32_MAX))
		compare_print_processes(out, c);
	if (levels != 0)
		compare_print_foot(out, c, o);
	return ok;
}

/* Omits rows that B lacks. */
static void
compare_report_lines(struct report *out, const struct compare *c,
		     uint32_t levels)
{
	const struct topology *t = c->a.run[0].digest->topology;
	bool processes = levels == 0 || levels == UINT32_MAX;

	for (unsigned i = 0; i < c->nlines; i++)
		if (compare_b_has_row(c, c->line[i].row) &&
		    (levels >> scope_at(t, c->line[i].row).level & 1) != 0)
			compare_report_line(out, c, &c->line[i]);
	for (unsigned i = 0; processes && i < c->nprocesses * c->nvalues; i++)
		if (!isnan(c->process[i].a) || !isnan(c->process[i].b))
			compare_report_line(out, c, &c->process[i]);
}

static void
side_print_notices(const struct compare_side *side)
{
	for (unsigned i = 0; i < side->n; i++) {
		const struct digest *d = side->run[i].digest;

		if (replay_notice(d->source)[0] != '\0')
			err_print("%s: %s", d->name, replay_notice(d->source));
	}
}

static bool
compare_write(const struct compare *c, const struct options *o, struct err *e)
{
	struct report out;
	bool ok = true;

	if (!report_open(&out, o, e))
		return false;
	if (out.form == REPORT_TEXT)
		ok = compare_print_text(out.out, c, o) ||
		     err_set(e, ERR_FAIL, "out of memory for a comparison");
	else
		compare_report_lines(&out, c, compare_asked_levels(o));
	return report_close(&out, ok ? e : NULL) && ok;
}

static unsigned
compare_check_parts(const struct options *o, struct err *e)
{
	if (o->cmd.nargs != 1 || o->source.mark == NULL)
		err_set(e, ERR_USAGE,
			"--vs compares two parts of one recording: ktop compare FILE --mark A..B --vs C..D");
	else if (strcmp(o->cmd.arg[0], "-") == 0)
		err_set(e, ERR_USAGE,
			"--vs reads the recording twice, which is impossible with a pipe; save the recording in a file first");
	else
		return 1;
	return 0;
}

/* Returns the number of recordings of side A; 0 and *e: invalid arguments. */
static unsigned
compare_count_a(const struct options *o, struct err *e)
{
	if (o->compare.vs != NULL)
		return compare_check_parts(o, e);
	unsigned a = o->cmd.split > 0 && o->cmd.split < o->cmd.nargs
			     ? o->cmd.split
			     : 1;
	unsigned b = o->cmd.nargs - a;

	if (o->cmd.nargs < 2) {
		err_set(e, ERR_USAGE,
			"compare needs two recordings: ktop compare A B");
		return 0;
	}
	if (a == 1 && b == 1)
		return 1;
	if (a == 1 && o->cmd.split != 1) {
		err_set(e, ERR_USAGE,
			"compare takes two recordings, or several runs of each with -- between them: compare A1 A2 -- B1 B2");
		return 0;
	}
	if (a < COMPARE_RUNS_MIN || b < COMPARE_RUNS_MIN) {
		err_set(e, ERR_USAGE,
			"one run cannot be compared with several, because it does not show how much runs vary; give two or more of each");
		return 0;
	}
	for (unsigned i = 0; i < o->cmd.nargs; i++)
		for (unsigned k = 0; k < i; k++)
			if (strcmp(o->cmd.arg[i], o->cmd.arg[k]) == 0) {
				err_set(e, ERR_USAGE,
					"'%s' is given twice; give each run once",
					o->cmd.arg[i]);
				return 0;
			}
	return a;
}

int
command_compare(const struct options *o)
{
	struct err e = { ERR_NONE, "" };
	unsigned na = compare_count_a(o, &e);
	struct compare c = { .runs = na > 1,
			     .at_least_pct = o->compare.at_least_pct };
	bool ok = na > 0 && compare_read(&c, o, na, &e);

	side_print_notices(&c.a);
	side_print_notices(&c.b);
	ok = ok && compare_judge(&c, &e) && compare_write(&c, o, &e);
	compare_free(&c);
	return ok ? 0 : err_fail(&e);
}
