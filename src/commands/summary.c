/* ktop summary: what a recording comes to. */
#include "commands/command.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/digest.h"
#include "base/buf.h"
#include "base/plural.h"
#include "commands/report.h"
#include "commands/summary_processes.h"
#include "model/verdict_say.h"
#include "recording/recording.h"
#include "recording/replay.h"

/* One line of the table. */
struct line {
	double value, p5, p50, p95;
	unsigned n; /* frame values that the percentiles are of */
	uint64_t frames;
};

static struct line
line_of(const struct digest *d, unsigned row, unsigned metric, double *work)
{
	const struct digest_cell *c = digest_at(d, row, metric);
	struct line l = { .value = c->value, .frames = c->frames };

	l.n = digest_values(d, row, metric, work);
	l.p5 = digest_quantile(work, l.n, 0.05);
	l.p50 = digest_quantile(work, l.n, 0.5);
	l.p95 = digest_quantile(work, l.n, 0.95);
	return l;
}

/* "stale 3 s; swap 1 s"; "" if nothing was. */
static const char *
poor_text(const struct account_row *r, char *text, unsigned size)
{
	struct buf b = buf_over(text, size);

	for (unsigned q = 0; q < QUALITY_BITS; q++) {
		if (!(r->poor_s[q] > 0))
			continue;
		buf_str(&b, b.len > 0 ? "; " : "");
		buf_str(&b, quality_table[q].word);
		buf_char(&b, ' ');
		buf_decimal(&b, r->poor_s[q], 4);
		buf_str(&b, " s");
	}
	return buf_cstr(&b);
}

static double
coverage_pct(const struct account_row *r)
{
	return r->measured_s > 0 ? 100 * r->event_s / r->measured_s : NAN;
}

static double
busy_pct(const struct account_row *r)
{
	return r->busy.seen > 0 ? 100 * r->busy.busy / r->busy.seen : NAN;
}

/* 10^9 cycles; NAN where no frame tells. */
static double
lost_cycles(const struct account_row *r)
{
	return r->verdicts.lost_any ? r->verdicts.lost : NAN;
}

/* ---- as text ---- */

static void
put_number(struct buf *b, double v, int decimals)
{
	char text[32];
	struct buf n = buf_over(text, sizeof text);

	buf_fixed(&n, v, decimals);
	if (n.len == 0)
		buf_char(&n, '-');
	buf_char(b, ' ');
	for (size_t i = n.len + 1; i < 10; i++)
		buf_char(b, ' ');
	buf_bytes(b, text, n.len);
}

/* Rates of events may have long names: of all that have a line. */
static unsigned
name_width(const struct digest *d)
{
	size_t most = 22;

	for (unsigned m = 0; m < d->nmetrics; m++) {
		size_t n = strlen(d->metric[m]->name);
		bool any = false;

		for (unsigned r = 0; r < d->nrows && n > most && !any; r++)
			any = digest_at(d, r, m)->frames > 0;
		if (any)
			most = n;
	}
	return (unsigned)most;
}

static void
print_line(FILE *out, const struct metric *m, const struct line *l,
	   unsigned width)
{
	char text[200];
	struct buf b = buf_over(text, sizeof text);
	/* Billions a second have no room, and few have no millions. */
	bool many = m->event && l->value >= 1e6;
	double by = many ? 1e-6 : 1;
	int d = many ? 3 : m->event ? 0 : m->decimals + 1;

	buf_str(&b, "  ");
	buf_str(&b, m->name);
	buf_pad(&b, 0, 2 + width);
	put_number(&b, l->value * by, d);
	put_number(&b, l->p5 * by, d);
	put_number(&b, l->p50 * by, d);
	put_number(&b, l->p95 * by, d);
	buf_printf(&b, " %8llu  %s%s", (unsigned long long)l->frames,
		   many ? "10^6 " : "", metric_unit_name[m->unit]);
	fprintf(out, "%s\n", buf_cstr(&b));
}

/* "memory 51.2%, computes 30.0%", the longest first. */
static void
put_verdicts(struct buf *b, const struct account_row *r)
{
	bool said[VERDICT_COUNT] = { false };

	for (;;) {
		int most = -1;

		for (int w = 0; w < VERDICT_COUNT; w++)
			if (!said[w] && r->verdicts.time_s[w] > 0 &&
			    (most < 0 ||
			     r->verdicts.time_s[w] > r->verdicts.time_s[most]))
				most = w;
		if (most < 0)
			return;
		said[most] = true;
		buf_str(b, b->len > 0 ? ", " : "");
		buf_str(b, verdict_words[most].word);
		buf_char(b, ' ');
		buf_fixed(b, account_verdict_pct(r, (enum verdict_word)most),
			  1);
		buf_char(b, '%');
	}
}

/* Seconds of work whose verdict is known. */
static double
judged_s(const struct account_row *r)
{
	double s = 0;

	for (unsigned w = 0; w < VERDICT_COUNT; w++)
		if (w != VERDICT_UNKNOWN && w != VERDICT_IDLE &&
		    w != VERDICT_OFF)
			s += r->verdicts.time_s[w];
	return s;
}

static void
print_verdicts(FILE *out, const struct account_row *r)
{
	char text[256];
	struct buf b = buf_over(text, sizeof text);

	put_verdicts(&b, r);
	if (b.len == 0)
		return;
	fprintf(out, "  verdicts: %s of its time", buf_cstr(&b));
	if (r->verdicts.lost_any && r->event_s > 0 && judged_s(r) > 0)
		fprintf(out, "; %.4g x 10^9 cycles lost", lost_cycles(r));
	fprintf(out, "\n");
}

static void
print_row(FILE *out, const struct digest *d, unsigned row, unsigned width,
	  double *work)
{
	const struct account_row *r = &d->account.row[row];
	char name[48], poor[256];
	bool any = false;

	fprintf(out, "\n%s %s", digest_row_level(d, row),
		digest_row_name(d, row, name, sizeof name));
	if (digest_row_kind(d, row)[0] != '\0' &&
	    strcmp(digest_row_level(d, row), "kind") != 0)
		fprintf(out, " (%s)", digest_row_kind(d, row));
	/* Machines without counters have the kernel's own events at most. */
	if (r->measured_s > 0)
		fprintf(out, ": %.10g s measured", r->measured_s);
	else
		fprintf(out, ": cycles not measured");
	if (r->event_s > 0 && r->measured_s > 0)
		fprintf(out, ", events in %.3g%%", coverage_pct(r));
	else if (r->event_s > 0)
		fprintf(out, ", events in %.10g s", r->event_s);
	if (r->busy.seen > 0)
		fprintf(out, ", busy %.1f%%", busy_pct(r));
	fprintf(out, "\n");
	if (poor_text(r, poor, sizeof poor)[0] != '\0')
		fprintf(out, "  not to be relied on: %s\n", poor);
	print_verdicts(out, r);
	for (unsigned m = 0; m < d->nmetrics; m++) {
		struct line l = line_of(d, row, m, work);

		if (l.frames == 0 && isnan(l.value))
			continue;
		if (!any)
			fprintf(out, "  %-*s %9s %9s %9s %9s   frames\n",
				(int)width, "metric", "whole", "p5", "p50",
				"p95");
		any = true;
		print_line(out, d->metric[m], &l, width);
	}
	if (!any)
		fprintf(out, "  nothing was measured\n");
}

static void
print_head(FILE *out, const struct digest *d)
{
	const struct source_info *i = &d->source->info;
	unsigned long long marks = d->notes[RECORDING_MARK];
	unsigned long long swaps = d->notes[RECORDING_SWAP];
	unsigned long long losses = d->notes[RECORDING_LOST];

	fprintf(out, "%s: %s%s%s%s, recorded by %s\n", d->name,
		i->model[0] != '\0' ? i->model : "unknown machine",
		i->chip[0] != '\0' ? " (" : "", i->chip,
		i->chip[0] != '\0' ? ")" : "", i->origin);
	fprintf(out,
		"%llu %s in %.10g s; %llu %s, %llu %s of events, %llu %s\n",
		(unsigned long long)d->frames,
		plural(d->frames, "frame", "frames"), d->length_s, marks,
		plural(marks, "mark", "marks"), swaps,
		plural(swaps, "change", "changes"), losses,
		plural(losses, "loss", "losses"));
	fprintf(out,
		"whole: of the counts added up over all frames; p5, p50, p95: of the frames' own values");
	if (d->stride > 1)
		fprintf(out, ", of every %lluth frame",
			(unsigned long long)d->stride);
	fprintf(out, "\n");
}

/* ---- the answer before the numbers ---- */

/* The cause that the row had for most of its time; -1: none. */
static int
longest_cause(const struct account_row *r)
{
	int most = -1;

	for (int w = 0; w < VERDICT_COUNT; w++)
		if (verdict_is_cause((enum verdict_word)w) &&
		    r->verdicts.time_s[w] > 0 &&
		    (most < 0 ||
		     r->verdicts.time_s[w] > r->verdicts.time_s[most]))
			most = w;
	return most;
}

/* The row of that level that lost most to a cause; UINT_MAX: none did. */
static unsigned
most_lost(const struct digest *d, enum scope_level level)
{
	unsigned most = UINT_MAX;
	double lost = 0;

	for (unsigned i = 0; i < d->account.nrows; i++) {
		const struct account_row *r = &d->account.row[i];

		if (scope_at(d->topology, i).level != level ||
		    !(r->verdicts.lost > lost) || longest_cause(r) < 0)
			continue;
		lost = r->verdicts.lost;
		most = i;
	}
	return most;
}

/* A core that lost more than half of what its cluster did is the answer. */
static unsigned
worst_row(const struct digest *d)
{
	unsigned cluster = most_lost(d, SCOPE_CLUSTER);
	unsigned core = most_lost(d, SCOPE_CORE);

	if (cluster == UINT_MAX || core == UINT_MAX)
		return cluster == UINT_MAX ? core : cluster;
	unsigned its = d->topology->ncpus + d->topology->cpu[core].cluster;
	double least = d->account.row[cluster].verdicts.lost;

	if (its == cluster)
		least /= 2;
	return d->account.row[core].verdicts.lost > least ? core : cluster;
}

/* CPUs with some work in most of the time. */
static unsigned
at_work(const struct digest *d)
{
	static const double idle_pct = 5;
	unsigned n = 0;

	for (unsigned i = 0; i < d->topology->ncpus; i++)
		n += busy_pct(&d->account.row[i]) >= idle_pct;
	return n > 0 ? n : d->topology->ncpus;
}

/* Where nothing stands out: could a cause have been found at all? */
static void
print_calm(FILE *out, const struct digest *d, const struct account_row *all)
{
	unsigned unjudged = 0, ncpus = d->topology->ncpus;

	for (unsigned i = 0; i < ncpus; i++) {
		const struct account_row *r = &d->account.row[i];

		unjudged += r->verdicts.time_s[VERDICT_UNKNOWN] > judged_s(r);
	}
	if (all->cycles == 0)
		fprintf(out, VERDICT_NO_COUNTERS "\n");
	else if (!(all->event_s > 0))
		fprintf(out, VERDICT_NO_EVENTS "\n");
	else if (unjudged * 2 >= ncpus)
		fprintf(out,
			"%u of %u cores cannot be judged by what is counted.\n",
			unjudged, ncpus);
	else if (all->verdicts.lost_any)
		fprintf(out,
			"Nothing stands out: %.1f%% of the machine's cycles were lost to a cause.\n",
			100 * all->verdicts.lost / ((double)all->cycles / 1e9));
}

static void
print_answer(FILE *out, const struct digest *d)
{
	const struct account_row *all = &d->account.row[d->account.nrows - 1];
	unsigned worst = worst_row(d);
	double cycles = (double)all->cycles / 1e9;
	char name[48];

	if (!all->verdicts.lost_any || !(cycles > 0) || worst == UINT_MAX ||
	    d->account.row[worst].verdicts.lost <
		    cycles * verdict_stands_out(at_work(d))) {
		print_calm(out, d, all);
		return;
	}
	const struct account_row *r = &d->account.row[worst];
	enum verdict_word word = (enum verdict_word)longest_cause(r);

	fprintf(out,
		"%s lost %.1f%% of the machine's cycles; it %s %.0f%% of its time.\n",

		digest_row_name(d, worst, name, sizeof name),
		100 * r->verdicts.lost / cycles, verdict_words[word].said,
		account_verdict_pct(r, word));
}

/* ---- as rows ---- */

static void
report_place(struct report *out, const char *name, int v)
{
	report_number(out, name, v < 0 ? NAN : (double)v);
}

/* What a line of a row is named, and measured in. */
struct line_head {
	const char *metric, *unit;
};

static void
report_line(struct report *out, const struct digest *d, unsigned row,
	    struct line_head head, const struct line *l)
{
	const struct account_row *r = &d->account.row[row];
	const struct digest_place p = digest_row_place(d, row);
	char name[48], poor[256];

	report_text(out, "file", d->name);
	report_text(out, "row", digest_row_level(d, row));
	report_text(out, "name", digest_row_name(d, row, name, sizeof name));
	report_text(out, "kind", digest_row_kind(d, row));
	report_number(out, "measured_s", r->measured_s);
	report_number(out, "coverage_pct", coverage_pct(r));
	report_number(out, "busy_pct", busy_pct(r));
	report_text(out, "quality", poor_text(r, poor, sizeof poor));
	report_count(out, "cycles", r->cycles);
	report_count(out, "instructions", r->instructions);
	report_text(out, "metric", head.metric);
	report_text(out, "unit", head.unit);
	report_number(out, "whole", l->value);
	report_number(out, "p5", l->p5);
	report_number(out, "p50", l->p50);
	report_number(out, "p95", l->p95);
	report_count(out, "frames", l->frames);
	report_text(out, "cluster", p.cluster);
	report_place(out, "level", p.level);
	report_place(out, "core", p.core);
	report_place(out, "cpu", p.cpu);
	summary_report_identity(out, d, NULL);
	report_end(out);
}

/* One for each word, 0 of the time or not; and what was lost to them. */
static void
report_verdicts(struct report *out, const struct digest *d, unsigned row)
{
	const struct account_row *r = &d->account.row[row];
	struct line l = { NAN, NAN, NAN, NAN, 0, 0 };
	uint64_t judged = 0;

	for (unsigned w = 0; w < VERDICT_COUNT; w++) {
		char metric[32];

		snprintf(metric, sizeof metric, "verdict_%s",
			 verdict_words[w].word);
		l.value = account_verdict_pct(r, (enum verdict_word)w);
		l.frames = r->verdicts.frames[w];
		judged +=
			w == VERDICT_UNKNOWN || w == VERDICT_OFF ? 0 : l.frames;
		report_line(out, d, row,
			    (struct line_head){ metric, "% of time" }, &l);
	}
	l.value = lost_cycles(r);
	l.frames = judged;
	report_line(out, d, row,
		    (struct line_head){ "cycles_lost", "10^9 cycles" }, &l);
}

static void
report_row(struct report *out, const struct digest *d, unsigned row,
	   double *work)
{
	for (unsigned m = 0; m < d->nmetrics; m++) {
		const struct metric *metric = d->metric[m];
		struct line l = line_of(d, row, m, work);

		if (l.frames == 0 && isnan(l.value))
			continue;
		report_line(
			out, d, row,
			(struct line_head){ metric->name,
					    metric_unit_name[metric->unit] },
			&l);
	}
	report_verdicts(out, d, row);
}

static bool
write_all(const struct digest *d, const struct options *o, struct err *e)
{
	double *work = malloc((d->kept + 1) * sizeof *work);
	unsigned width = name_width(d);
	struct report out;

	if (work == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a summary");
	if (!report_open(&out, o, e)) {
		free(work);
		return false;
	}
	if (out.form == REPORT_TEXT) {
		print_head(out.out, d);
		print_answer(out.out, d);
		summary_answer_processes(out.out, d);
	}
	for (unsigned i = 0; i < d->nrows; i++) {
		unsigned row = digest_order(d, i);

		if (out.form == REPORT_TEXT)
			print_row(out.out, d, row, width, work);
		else
			report_row(&out, d, row, work);
	}
	if (out.form == REPORT_TEXT)
		summary_print_processes(out.out, d, o->out.processes);
	else
		summary_report_processes(&out, d);
	free(work);
	return report_close(&out, e);
}

int
command_summary(const struct options *o)
{
	struct err e = { ERR_NONE, "" };
	struct digest *d;
	bool ok;

	if (o->cmd.nargs == 0) {
		err_set(&e, ERR_USAGE, "summary needs the FILE of a recording");
		return err_fail(&e);
	}
	d = digest_new(o->cmd.arg, o->cmd.nargs, o, DIGEST_VALUES, &e);
	if (d == NULL)
		return err_fail(&e);
	if (replay_notice(d->source)[0] != '\0')
		err_print("%s: %s", d->name, replay_notice(d->source));
	ok = write_all(d, o, &e);
	digest_free(d);
	return ok ? 0 : err_fail(&e);
}
