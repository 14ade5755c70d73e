#include "commands/command.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/analysis.h"
#include "base/buf.h"
#include "base/cells.h"
#include "base/plural.h"
#include "commands/report.h"
#include "model/columns.h"
#include "model/process.h"
#include "model/bottleneck_say.h"
#include "model/shares.h"
#include "recording/recording.h"
#include "recording/replay.h"

struct line {
	double value, p5, p50, p95;
	unsigned n; /* number of values for the percentiles */
	uint64_t frames;
};

static struct line
summary_line(const struct digest *d, unsigned row, unsigned metric,
	     double *work)
{
	const struct digest_cell *c = digest_at(d, row, metric);
	struct line l = { .value = c->value, .frames = c->frames };

	l.n = digest_values(d, row, metric, work);
	l.p5 = digest_quantile(work, l.n, 0.05);
	l.p50 = digest_quantile(work, l.n, 0.5);
	l.p95 = digest_quantile(work, l.n, 0.95);
	return l;
}

static const char *
account_poor_text(const struct account_row *r, char *text, unsigned size)
{
	struct buf b = buf_over(text, size);

	for (unsigned q = 0; q < QUALITY_BITS; q++) {
		if (!(r->poor_s[q] > 0))
			continue;
		buf_printf(&b, "%s%s ", b.len > 0 ? "; " : "",
			   quality_table[q].word);
		buf_decimal(&b, r->poor_s[q], 4);
		buf_str(&b, " s");
	}
	return buf_cstr(&b);
}

static double
coverage_pct(const struct account_row *r)
{
	return r->frames > 0 ? 100 * r->event_s / span_interval_s(&r->span)
			     : NAN;
}

static double
busy_pct(const struct account_row *r)
{
	return r->busy.seen > 0 ? 100 * r->busy.busy / r->busy.seen : NAN;
}

/* Lost cycles in 10^9; NAN: unknown. */
static double
lost_cycles(const struct account_row *r)
{
	return r->bottlenecks.lost_any ? r->bottlenecks.lost : NAN;
}

static const char *
or_dash(const char *text)
{
	return text[0] != '\0' ? text : "-";
}

static unsigned
metrics_name_width(const struct digest *d)
{
	size_t most = 22;

	for (unsigned m = 0; m < d->nmetrics; m++)
		for (unsigned r = 0; r < d->nrows; r++)
			if (digest_at(d, r, m)->frames > 0 &&
			    strlen(d->metric[m]->name) > most)
				most = strlen(d->metric[m]->name);
	return (unsigned)most;
}

static void
summary_print_line(FILE *out, const struct metric *m, const struct line *l,
		   unsigned width)
{
	const double v[] = { l->value, l->p5, l->p50, l->p95 };
	/* Large rates are in 10^6 per second. */
	bool many = m->event && l->value >= 1e6;
	int d = many ? 3 : m->event ? 0 : m->decimals + 1;

	fprintf(out, "  %-*s", (int)width, m->name);
	for (unsigned i = 0; i < 4; i++)
		fprintf(out, " %9s",
			or_dash(FIXED(v[i] * (many ? 1e-6 : 1), d)));
	fprintf(out, " %8llu  %s%s\n", (unsigned long long)l->frames,
		many ? "10^6 " : "", metric_unit_name[m->unit]);
}

/* words: bits 1 << bottleneck. Returns the longest; -1: none has time. */
static int
longest_word(const struct account_row *r, uint32_t words)
{
	int most = -1;

	for (int w = 0; w < BOTTLENECK_COUNT; w++)
		if ((words >> w & 1) != 0 && r->bottlenecks.time_s[w] > 0 &&
		    (most < 0 ||
		     r->bottlenecks.time_s[w] > r->bottlenecks.time_s[most]))
			most = w;
	return most;
}

static void
put_bottlenecks(struct buf *b, const struct account_row *r)
{
	uint32_t left = UINT32_MAX;
	int w;

	while ((w = longest_word(r, left)) >= 0) {
		buf_printf(b, "%s%s %s%%", b->len > 0 ? ", " : "",
			   bottleneck_words[w].word,
			   FIXED(account_bottleneck_pct(r, (unsigned)w), 1));
		left &= ~(UINT32_C(1) << w);
	}
}

static double
judged_s(const struct account_row *r)
{
	double s = 0;

	for (unsigned w = 0; w < BOTTLENECK_COUNT; w++)
		if (w > BOTTLENECK_IDLE)
			s += r->bottlenecks.time_s[w];
	return s;
}

static void
summary_print_bottlenecks(FILE *out, const struct account_row *r)
{
	char text[256];
	struct buf b = buf_over(text, sizeof text);

	put_bottlenecks(&b, r);
	if (b.len == 0)
		return;
	fprintf(out, "  bottleneck: %s of its time", buf_cstr(&b));
	if (r->bottlenecks.lost_any && r->event_s > 0 && judged_s(r) > 0)
		fprintf(out, "; %.4g x 10^9 cycles lost", lost_cycles(r));
	fprintf(out, "\n");
}

static void
summary_print_row(FILE *out, const struct digest *d, unsigned row,
		  unsigned width, double *work)
{
	const struct account_row *r = &d->account.row[row];
	struct digest_row is;
	char poor[256];
	bool any = false;

	digest_row(d, row, &is);
	fprintf(out, "\n%s", is.title);
	if (is.kind[0] != '\0' && is.name != is.kind)
		fprintf(out, " (%s)", is.kind);
	/* Software events are measured even without counters. */
	if (r->frames > 0)
		fprintf(out, ": %.10g s measured", span_interval_s(&r->span));
	else
		fprintf(out, ": cycles not measured");
	if (r->event_s > 0 && r->frames > 0)
		fprintf(out, ", events in %.3g%%", coverage_pct(r));
	else if (r->event_s > 0)
		fprintf(out, ", events in %.10g s", r->event_s);
	if (r->busy.seen > 0)
		fprintf(out, ", busy %.1f%%", busy_pct(r));
	fprintf(out, "\n");
	if (account_poor_text(r, poor, sizeof poor)[0] != '\0')
		fprintf(out, "  unreliable: %s\n", poor);
	summary_print_bottlenecks(out, r);
	summary_power_print(out, d, row);
	for (unsigned m = 0; m < d->nmetrics; m++) {
		struct line l = summary_line(d, row, m, work);

		if (l.frames == 0 && isnan(l.value))
			continue;
		if (!any)
			fprintf(out, "  %-*s %9s %9s %9s %9s  samples\n",
				(int)width, "metric", "whole", "p5", "p50",
				"p95");
		any = true;
		summary_print_line(out, d->metric[m], &l, width);
	}
	if (!any)
		fprintf(out, "  nothing was measured\n");
}

static void
summary_print_head(FILE *out, const struct digest *d)
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
		"%llu %s in %.10g s; %llu %s, %llu event %s, %llu lost %s\n",
		(unsigned long long)d->frames,
		plural(d->frames, "sample", "samples"), d->length_s, marks,
		plural(marks, "marker", "markers"), swaps,
		plural(swaps, "change", "changes"), losses,
		plural(losses, "interval", "intervals"));
	fprintf(out,
		"whole: from the summed counts of all samples; p5, p50, p95: percentiles of the samples' values");
	if (d->stride > 1)
		fprintf(out, ", of every %lluth sample",
			(unsigned long long)d->stride);
	fprintf(out, "\n");
}

static int
longest_cause(const struct account_row *r)
{
	uint32_t causes = 0;

	for (int w = 0; w < BOTTLENECK_COUNT; w++)
		if (bottleneck_is_cause((enum bottleneck_word)w))
			causes |= UINT32_C(1) << w;
	return longest_word(r, causes);
}

/* Returns the row of `level` that lost most to a cause; kernel: that lost most
 * while mostly in the kernel. UINT_MAX: none. */
static unsigned
digest_most_lost(const struct digest *d, enum scope_level level, bool kernel)
{
	unsigned most = UINT_MAX;
	double most_lost = 0;

	for (unsigned i = 0; i < d->account.nrows; i++) {
		const struct account_row *r = &d->account.row[i];
		double lost = kernel ? r->bottlenecks.lost : r->bottlenecks.own;
		bool counts = kernel ? account_bottleneck_pct(
					       r, BOTTLENECK_KERNEL) > 50
				     : longest_cause(r) >= 0;

		if (scope_at(d->topology, i).level == level && counts &&
		    lost > most_lost) {
			most_lost = lost;
			most = i;
		}
	}
	return most;
}

/* Returns the worst core if it lost more than the worst cluster or, inside that
 * cluster, more than half as much; else the cluster. UINT_MAX: none. */
static unsigned
digest_worst_row(const struct digest *d)
{
	unsigned cluster = digest_most_lost(d, SCOPE_CLUSTER, false);
	unsigned core = digest_most_lost(d, SCOPE_CORE, false);

	if (cluster == UINT_MAX || core == UINT_MAX)
		return cluster == UINT_MAX ? core : cluster;
	unsigned its = d->topology->ncpus + d->topology->cpu[core].cluster;
	double least = d->account.row[cluster].bottlenecks.own;

	if (its == cluster)
		least /= 2;
	return d->account.row[core].bottlenecks.own > least ? core : cluster;
}

/* True: the row's loss in the whole recording reaches the limit of flags, or
 * the row was flagged for more than half of the time. */
static bool
row_is_flagged(const struct digest *d, const struct account_row *r)
{
	double all_s = d->account.interval_s;

	return r->bottlenecks.own >=
		       100 * share_constants[CONSTANT_FLAG].middle * all_s ||
	       2 * r->bottlenecks.flagged_s > all_s;
}

static void
summary_print_no_bottleneck(FILE *out, const struct digest *d,
			    const struct account_row *all)
{
	unsigned unjudged = 0, ncpus = d->topology->ncpus;
	unsigned kernel = digest_most_lost(d, SCOPE_CLUSTER, true);

	for (const struct account_row *r = d->account.row;
	     r < d->account.row + ncpus; r++)
		unjudged +=
			judged_s(r) < r->bottlenecks.time_s[BOTTLENECK_UNKNOWN];
	if (all->span.cycles == 0)
		fprintf(out, BOTTLENECK_NO_COUNTERS ".\n");
	else if (!(all->event_s > 0))
		fprintf(out, BOTTLENECK_NO_EVENTS ".\n");
	else if (unjudged * 2 >= ncpus)
		fprintf(out,
			"%u of %u cores: unknown bottleneck with these events.\n",
			unjudged, ncpus);
	else if (kernel != UINT_MAX) {
		struct digest_row is;

		digest_row(d, kernel, &is);
		fprintf(out, "No bottleneck flagged; %s %s.\n", is.name,
			bottleneck_words[BOTTLENECK_KERNEL].said);
	} else if (all->bottlenecks.lost_any)
		fprintf(out,
			"No bottleneck flagged; %.1f%% of the machine's cycles were lost.\n",
			1e11 * all->bottlenecks.lost /
				(double)all->span.cycles);
}

static void
summary_print_answer(FILE *out, const struct digest *d)
{
	const struct account_row *all = &d->account.row[d->account.nrows - 1];
	unsigned worst = digest_worst_row(d);
	double cycles = (double)all->span.cycles / 1e9;

	if (!all->bottlenecks.lost_any || !(cycles > 0) || worst == UINT_MAX ||
	    !row_is_flagged(d, &d->account.row[worst])) {
		summary_print_no_bottleneck(out, d, all);
		return;
	}
	const struct account_row *r = &d->account.row[worst];
	enum bottleneck_word word = (enum bottleneck_word)longest_cause(r);
	struct digest_row is;

	digest_row(d, worst, &is);
	fprintf(out,
		"%s lost %.1f%% of the machine's cycles; it %s %.0f%% of its time.\n",
		is.name, 100 * r->bottlenecks.lost / cycles,
		bottleneck_words[word].said, account_bottleneck_pct(r, word));
}

/* label: for text, to which a kind's letter is added; name: for rows. */
static const struct number {
	const char *label, *name, *unit;
	int decimals, width,
		part; /* part: index of a kind of core; -1: the whole process */
} numbers[DIGEST_NUMBERS] = {
	[DIGEST_CPU_S] = { "CPU s", "cpu_s", "s", 3, 9, -1 },
	[DIGEST_P_SHARE] = { "t%", "p_share_pct", "%", 1, 6, 0 },
	[DIGEST_GCYCLES] = { "Gcycles", "gcycles", "10^9 cycles", 3, 9, -1 },
	[DIGEST_GINSTRUCTIONS] = { "Ginst", "ginst", "10^9 instructions", 3, 9,
				   -1 },
	[DIGEST_IPC] = { "IPC", "ipc", "", 2, 5, -1 },
	[DIGEST_IPC_P] = { "IPC", "ipc_p", "", 2, 6, 0 },
	[DIGEST_IPC_OTHER] = { "IPC", "ipc_other", "", 2, 6, 1 },
	[DIGEST_JOULES] = { "J~", "energy_j", "J", 2, 7, -1 },
};

/* False: no row has a value, so the column is omitted. */
static bool
processes_have(const struct digest_processes *p, enum digest_number n)
{
	for (unsigned i = 0; i < p->n; i++)
		if (!isnan(digest_process_number(&p->row[i], n)))
			return true;
	return (p->has_others &&
		!isnan(digest_process_number(&p->others, n))) ||
	       (p->has_rest && !isnan(digest_process_number(&p->rest, n)));
}

static void
print_process_heads(FILE *out, const struct digest_processes *p)
{
	fprintf(out, "     PID USER    ");
	for (unsigned i = 0; i < DIGEST_NUMBERS; i++) {
		const struct number *n = &numbers[i];
		char text[48];

		if (!processes_have(p, (enum digest_number)i))
			continue;
		if (i == DIGEST_P_SHARE)
			snprintf(text, sizeof text, "%s %s", p->parts.label[0],
				 n->label);
		else
			snprintf(text, sizeof text, "%s%s%s", n->label,
				 n->part >= 0 ? " " : "",
				 n->part >= 0 ? p->parts.label[n->part] : "");
		fprintf(out, " %*s", n->width, text);
	}
	fprintf(out, " samples  PROCESS\n");
}

static void
summary_print_process(FILE *out, const struct digest_processes *p,
		      const struct digest_process *one)
{
	enum { CELLS = 8 };
	char pid[16] = "-";
	const char *user = or_dash(one->user);
	unsigned cells;
	int bytes = (int)cells_fit(user, CELLS, &cells);

	if (one->pid >= 0)
		snprintf(pid, sizeof pid, "%d", (int)one->pid);
	fprintf(out, "%8s %.*s%*s", pid, bytes, user, (int)(CELLS - cells), "");
	for (unsigned i = 0; i < DIGEST_NUMBERS; i++) {
		enum digest_number n = (enum digest_number)i;

		if (processes_have(p, n))
			fprintf(out, " %*s", numbers[i].width,
				or_dash(FIXED(digest_process_number(one, n),
					      numbers[i].decimals)));
	}
	fprintf(out, " %7llu  %s%s\n", (unsigned long long)one->frames,
		or_dash(one->name),
		one->denied > 0 && one->known == 0 ? "  denied" : "");
}

static void
summary_print_busiest(FILE *out, const struct digest_processes *p)
{
	const struct digest_process *most = p != NULL ? p->row : NULL;

	if (p == NULL || p->n == 0 || !(p->seconds > 0) ||
	    !(digest_process_number(most, DIGEST_CPU_S) > 0))
		return;
	fprintf(out, "The busiest process was %s (%d): %.0f%% of one CPU",
		most->name[0] != '\0' ? most->name : "one without a name",
		(int)most->pid,
		100 * digest_process_number(most, DIGEST_CPU_S) / p->seconds);
	if (!isnan(digest_process_number(most, DIGEST_IPC)))
		fprintf(out, " at IPC %.2f",
			digest_process_number(most, DIGEST_IPC));
	fprintf(out, ".\n");
}

static void
summary_print_processes(FILE *out, const struct digest_processes *p,
			unsigned top)
{
	if (p == NULL)
		return;
	unsigned most = top > 0 ? top : 10, n = 0;

	while (n < most && n < p->n &&
	       digest_process_number(&p->row[n], DIGEST_CPU_S) > 0)
		n++;
	fprintf(out, "\nprocesses: %u %s in %llu %s", p->n,
		plural(p->n, "has rows", "have rows"),
		(unsigned long long)p->frames,
		plural(p->frames, "sample", "samples"));
	if (n < p->n)
		fprintf(out, ", here the %u with the most CPU time", n);
	if ((p->domains & 1u << DOMAIN_ALL) == 0 &&
	    (p->domains & 1u << DOMAIN_USER) != 0)
		fprintf(out, "; counts are of user mode");
	fprintf(out, "\n");
	print_process_heads(out, p);
	for (unsigned i = 0; i < n; i++)
		summary_print_process(out, p, &p->row[i]);
	if (p->has_others)
		summary_print_process(out, p, &p->others);
	if (p->has_rest)
		summary_print_process(out, p, &p->rest);
	if (p->has_others)
		fprintf(out,
			"  a process counts here only in samples that have its row; elsewhere in (other processes)\n");
	process_events_print(out, p);
}

/* Fields that all rows of a core, group of cores or process have. */
struct head {
	const char *row, *name, *quality;
	double measured_s, coverage_pct, busy_pct;
	bool counts; /* cycles and instructions are known */
	uint64_t cycles, instructions;
	struct digest_row is;
	const struct digest_process *of; /* NULL: no process */
};

static void
report_place(struct report *out, const char *name, int v)
{
	report_number(out, name, v < 0 ? NAN : (double)v);
}

static void
report_fixed(struct report *out, const char *name, bool known, uint64_t n)
{
	if (known && (int64_t)n >= 0)
		report_count(out, name, n);
	else
		report_number(out, name, known ? (double)(int64_t)n : NAN);
}

/* exact: the value as an integer; NULL: l->value. */
static void
summary_report_line(struct report *out, const struct digest *d,
		    const struct head *h, const char *metric, const char *unit,
		    const struct line *l, const uint64_t *exact)
{
	bool pid = h->of != NULL && h->of->pid >= 0;

	report_text(out, "file", d->name);
	report_text(out, "row", h->row);
	report_text(out, "name", h->name);
	report_text(out, "kind", h->is.kind);
	report_number(out, "measured_s", h->measured_s);
	report_number(out, "coverage_pct", h->coverage_pct);
	report_number(out, "busy_pct", h->busy_pct);
	report_text(out, "quality", h->quality);
	report_fixed(out, "cycles", h->counts, h->cycles);
	report_fixed(out, "instructions", h->counts, h->instructions);
	report_text(out, "metric", metric);
	report_text(out, "unit", unit);
	if (exact != NULL)
		report_count(out, "whole", *exact);
	else
		report_number(out, "whole", l->value);
	report_number(out, "p5", l->p5);
	report_number(out, "p50", l->p50);
	report_number(out, "p95", l->p95);
	report_count(out, "samples", l->frames);
	report_text(out, "cluster", h->is.cluster);
	report_place(out, "level", h->is.level_index);
	report_place(out, "core", h->is.core);
	report_place(out, "cpu", h->is.cpu);
	if (d->processes != NULL) {
		report_number(out, "pid", pid ? (double)h->of->pid : NAN);
		if (pid)
			report_count(out, "start", h->of->start);
		else
			report_number(out, "start", NAN);
		report_text(out, "user", h->of != NULL ? h->of->user : "");
	}
	report_end(out);
}

static void
summary_report_bottlenecks(struct report *out, const struct digest *d,
			   const struct head *h, const struct account_row *r)
{
	struct line l = { NAN, NAN, NAN, NAN, 0, 0 };
	uint64_t judged = 0;

	for (unsigned w = 0; w < BOTTLENECK_COUNT; w++) {
		char metric[32];

		snprintf(metric, sizeof metric, "bottleneck_%s",
			 bottleneck_words[w].word);
		l.value = account_bottleneck_pct(r, w);
		l.frames = r->bottlenecks.frames[w];
		if (w != BOTTLENECK_UNKNOWN && w != BOTTLENECK_OFF)
			judged += l.frames;
		summary_report_line(out, d, h, metric, "% of time", &l, NULL);
	}
	l.value = lost_cycles(r);
	l.frames = judged;
	summary_report_line(out, d, h, "lost_cycles", "10^9 cycles", &l, NULL);
}

struct power_report {
	struct report *out;
	const struct digest *d;
	struct head head;
};

static void
summary_report_power(void *self, const char *metric, const char *unit,
		     double value, uint64_t frames, const char *quality)
{
	struct power_report *p = self;
	const struct line l = { value, NAN, NAN, NAN, 0, frames };

	p->head.quality = quality;
	summary_report_line(p->out, p->d, &p->head, metric, unit, &l, NULL);
}

static void
summary_report_row(struct report *out, const struct digest *d, unsigned row,
		   double *work)
{
	const struct account_row *r = &d->account.row[row];
	char poor[256];
	struct head h = { .quality = account_poor_text(r, poor, sizeof poor),
			  .measured_s = span_interval_s(&r->span),
			  .coverage_pct = coverage_pct(r),
			  .busy_pct = busy_pct(r),
			  .counts = true,
			  .cycles = r->span.cycles,
			  .instructions = r->span.instructions };

	digest_row(d, row, &h.is);
	h.row = h.is.level;
	h.name = h.is.name;
	for (unsigned m = 0; m < d->nmetrics; m++) {
		const struct metric *metric = d->metric[m];
		struct line l = summary_line(d, row, m, work);

		if (l.frames > 0 || !isnan(l.value))
			summary_report_line(out, d, &h, metric->name,
					    metric_unit_name[metric->unit], &l,
					    NULL);
	}
	summary_report_bottlenecks(out, d, &h, r);
	summary_power_report(d, row, summary_report_power,
			     &(struct power_report){ out, d, h });
}

static void
summary_report_process(struct report *out, const struct digest *d,
		       enum column_row row, const struct digest_process *p)
{
	const struct digest_processes *in = d->processes;
	const struct process_row words_of = {
		.flags = p->flags,
		.access = p->known == 0 && p->denied > 0 ? PROCESS_DENIED
							 : PROCESS_COUNTED,
	};
	char words[128];
	const struct head h = {
		.row = column_row_name[row],
		.name = p->name,
		.quality = process_words(&words_of, words, sizeof words),
		.measured_s = p->interval_s,
		.coverage_pct = NAN,
		.busy_pct = NAN,
		.counts = (p->known & PROCESS_HAS_COUNTS) != 0,
		.cycles = p->d.cycles,
		.instructions = p->d.instructions,
		.is = { .kind = "",
			.cluster = "",
			.level_index = -1,
			.core = -1,
			.cpu = -1 },
		.of = p,
	};
	struct line l = { NAN, NAN, NAN, NAN, 0, p->frames };

	for (unsigned i = 0; i < DIGEST_NUMBERS; i++) {
		l.value = digest_process_number(p, (enum digest_number)i);
		if (!isnan(l.value))
			summary_report_line(out, d, &h, numbers[i].name,
					    numbers[i].unit, &l, NULL);
	}
	if (p->event_cycles > 0)
		summary_report_line(out, d, &h, "event_cycles", "cycles", &l,
				    &p->event_cycles);
	for (unsigned i = 0; i < in->nevents; i++)
		if (!isnan(digest_process_events(in, p, i)))
			summary_report_line(out, d, &h, in->event[i], "events",
					    &l, &p->event[i].count);
}

static void
summary_report_processes(struct report *out, const struct digest *d)
{
	const struct digest_processes *p = d->processes;

	for (unsigned i = 0; p != NULL && i < p->n; i++)
		summary_report_process(out, d, ROW_OF_PROCESS, &p->row[i]);
	if (p != NULL && p->has_others)
		summary_report_process(out, d, ROW_OF_OTHERS, &p->others);
	if (p != NULL && p->has_rest)
		summary_report_process(out, d, ROW_OF_NOBODY, &p->rest);
}

static void
summary_report_changes(struct report *out, const struct digest *d)
{
	struct change c[CHANGES_MAX];
	int n = changes_find(d, c);

	for (int i = 0; i < n; i++) {
		const struct account_row *r = &d->account.row[c[i].row];
		struct line l = { c[i].at_s, NAN, NAN, NAN, 0, r->frames };
		struct head h = { .quality = "",
				  .measured_s = span_interval_s(&r->span),
				  .coverage_pct = coverage_pct(r),
				  .busy_pct = busy_pct(r),
				  .counts = true,
				  .cycles = r->span.cycles,
				  .instructions = r->span.instructions };

		digest_row(d, c[i].row, &h.is);
		h.row = h.is.level;
		h.name = h.is.name;
		summary_report_line(out, d, &h, "ipc_change_at", "s", &l, NULL);
		l.value = c[i].before;
		summary_report_line(out, d, &h, "ipc_change_from", "ratio", &l,
				    NULL);
		l.value = c[i].after;
		summary_report_line(out, d, &h, "ipc_change_to", "ratio", &l,
				    NULL);
	}
}

static bool
summary_write(const struct digest *d, const struct options *o, struct err *e)
{
	double *work = malloc((d->kept + 1) * sizeof *work);
	unsigned width = metrics_name_width(d);
	struct report out;

	if (work == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a summary");
	if (!report_open(&out, o, e)) {
		free(work);
		return false;
	}
	if (out.form == REPORT_TEXT) {
		summary_print_head(out.out, d);
		summary_print_answer(out.out, d);
		changes_print(out.out, d);
		summary_print_busiest(out.out, d->processes);
	}
	for (unsigned i = 0; i < d->nrows; i++) {
		unsigned row = digest_order(d, i);

		if (out.form == REPORT_TEXT)
			summary_print_row(out.out, d, row, width, work);
		else
			summary_report_row(&out, d, row, work);
	}
	if (out.form == REPORT_TEXT)
		summary_print_processes(out.out, d->processes,
					o->out.processes);
	else
		summary_report_processes(&out, d);
	if (out.form != REPORT_TEXT)
		summary_report_changes(&out, d);
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
	ok = summary_write(d, o, &e);
	digest_free(d);
	return ok ? 0 : err_fail(&e);
}
