#include "commands/summary_processes.h"

#include <math.h>
#include <string.h>

#include "base/buf.h"
#include "base/cells.h"
#include "base/plural.h"
#include "model/process_word.h"

enum { TOP = 10 };

/* ---- numbers ---- */

static double
known(const struct digest_process *p, uint32_t bit, uint64_t n, double scale)
{
	return (p->known & bit) != 0 ? (double)(int64_t)n * scale : NAN;
}

static double
gcycles(const struct digest_process *p)
{
	return known(p, PROCESS_HAS_COUNTS, p->d.cycles, 1e-9);
}

static double
ginstructions(const struct digest_process *p)
{
	return known(p, PROCESS_HAS_COUNTS, p->d.instructions, 1e-9);
}

static double
joules(const struct digest_process *p)
{
	return known(p, PROCESS_HAS_ENERGY, p->d.energy_nj, 1e-9);
}

static double
ipc_first(const struct digest_process *p)
{
	return digest_process_ipc_on(p, 0);
}

static double
ipc_others(const struct digest_process *p)
{
	return digest_process_ipc_on(p, 1);
}

/*
 * The label of one that is of a kind of core has that kind's letter behind it.
 * In columns of text, and in records by name and unit.
 */
static const struct number {
	const char *label, *name, *unit;
	double (*of)(const struct digest_process *p);
	int decimals, width, part; /* part: -1: of all; else of which kinds */
} numbers[] = {
	{ "CPU s", "cpu_s", "s", digest_process_cpu_s, 3, 9, -1 },
	{ "t%", "p_share_pct", "%", digest_process_p_share, 1, 6, 0 },
	{ "Gcycles", "gcycles", "10^9 cycles", gcycles, 3, 9, -1 },
	{ "Ginst", "ginst", "10^9 instructions", ginstructions, 3, 9, -1 },
	{ "IPC", "ipc", "", digest_process_ipc, 2, 5, -1 },
	{ "IPC", "ipc_p", "", ipc_first, 2, 6, 0 },
	{ "IPC", "ipc_other", "", ipc_others, 2, 6, 1 },
	{ "J~", "energy_j", "J", joules, 2, 7, -1 },
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

/* Does any have it? What none has is no column. */
static bool
is_there(const struct digest_processes *p, const struct number *n)
{
	for (unsigned i = 0; i < p->n; i++)
		if (!isnan(n->of(&p->row[i])))
			return true;
	return (p->has_others && !isnan(n->of(&p->others))) ||
	       (p->has_rest && !isnan(n->of(&p->rest)));
}

/* ---- as text ---- */

static void
put_right(struct buf *b, const char *s, size_t n, int width)
{
	buf_char(b, ' ');
	for (int i = (int)n; i < width; i++)
		buf_char(b, ' ');
	buf_bytes(b, s, n);
}

static void
put_label(struct buf *b, const struct digest_processes *p,
	  const struct number *n)
{
	char text[48];
	struct buf l = buf_over(text, sizeof text);
	bool share = n->part == 0 && n->of == digest_process_p_share;

	if (share) {
		buf_str(&l, p->parts.label[0]);
		buf_char(&l, ' ');
	}
	buf_str(&l, n->label);
	if (n->part >= 0 && !share) {
		buf_char(&l, ' ');
		buf_str(&l, p->parts.label[n->part]);
	}
	put_right(b, l.at, l.len, n->width);
}

static void
print_heads(FILE *out, const struct digest_processes *p)
{
	char text[256];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "     PID USER    ");
	for (unsigned i = 0; i < NUMBERS; i++)
		if (is_there(p, &numbers[i]))
			put_label(&b, p, &numbers[i]);
	fprintf(out, "%s  frames  PROCESS\n", buf_cstr(&b));
}

static void
put_user(struct buf *b, const char *user)
{
	enum { CELLS = 8 };
	unsigned cells;
	size_t n = cells_fit(user, CELLS, &cells);

	buf_char(b, ' ');
	buf_bytes(b, n > 0 ? user : "-", n > 0 ? n : 1);
	for (unsigned i = n > 0 ? cells : 1; i < CELLS; i++)
		buf_char(b, ' ');
}

static void
print_one(FILE *out, const struct digest_processes *p,
	  const struct digest_process *one)
{
	char text[320], cell[40];
	struct buf b = buf_over(text, sizeof text);

	if (one->pid >= 0)
		buf_printf(&b, "%8d", (int)one->pid);
	else
		buf_str(&b, "       -");
	put_user(&b, one->user);
	for (unsigned i = 0; i < NUMBERS; i++) {
		struct buf n = buf_over(cell, sizeof cell);
		double v = numbers[i].of(one);

		if (!is_there(p, &numbers[i]))
			continue;
		buf_fixed(&n, v, numbers[i].decimals);
		if (isnan(v))
			buf_char(&n, '-');
		put_right(&b, n.at, n.len, numbers[i].width);
	}
	fprintf(out, "%s %7llu  %s%s\n", buf_cstr(&b),
		(unsigned long long)one->frames,
		one->name[0] != '\0' ? one->name : "-",
		one->denied > 0 && one->known == 0 ? "  denied" : "");
}

void
summary_answer_processes(FILE *out, const struct digest *d)
{
	const struct digest_processes *p = d->processes;
	const struct digest_process *most = p != NULL ? p->row : NULL;

	if (p == NULL || p->n == 0 || !(digest_process_cpu_s(most) > 0) ||
	    !(p->seconds > 0))
		return;
	fprintf(out, "The busiest process was %s (%d): %.0f%% of one CPU",
		most->name[0] != '\0' ? most->name : "one without a name",
		(int)most->pid, 100 * digest_process_cpu_s(most) / p->seconds);
	if (!isnan(digest_process_ipc(most)))
		fprintf(out, " at IPC %.2f", digest_process_ipc(most));
	fprintf(out, ".\n");
}

/* ---- events: who has most of each ---- */

enum { MOST = 3 }; /* processes of a line */

/* The next of them in order, after `before` (NULL: the first); NULL: none. */
static const struct digest_process *
next_most(const struct digest_processes *p, unsigned event,
	  const struct digest_process *before)
{
	const struct digest_process *best = NULL;

	for (unsigned i = 0; i < p->n; i++) {
		const struct digest_process *one = &p->row[i];
		uint64_t n = one->event[event].count;
		uint64_t than = before != NULL ? before->event[event].count : 0;

		if (n == 0 || (before != NULL &&
			       (n > than || (n == than && one <= before))))
			continue;
		if (best == NULL || n > best->event[event].count)
			best = one;
	}
	return best;
}

static void
print_part(FILE *out, double part)
{
	if (isnan(part))
		fprintf(out, "   -%% ");
	else
		fprintf(out, "%4.1f%% ", 100 * part);
}

static void
print_event(FILE *out, const struct digest_processes *p, unsigned event,
	    int width)
{
	const struct digest_process *one = NULL;

	fprintf(out, "  %-*s", width, p->event[event]);
	for (unsigned i = 0; i < MOST; i++) {
		one = next_most(p, event, one);
		if (one == NULL)
			break;
		fprintf(out, "  ");
		print_part(out, digest_process_part(p, one, event));
		fprintf(out, "%s (%d)", one->name, (int)one->pid);
		if (!isnan(digest_process_rate(one, event)))
			fprintf(out, " %.1f", digest_process_rate(one, event));
	}
	if (!isnan(digest_process_part(p, &p->rest, event))) {
		fprintf(out, "  ");
		print_part(out, digest_process_part(p, &p->rest, event));
		fprintf(out, "of no process");
	}
	fprintf(out, "\n");
}

static void
print_events(FILE *out, const struct digest_processes *p)
{
	int width = 0;

	if (p->nevents == 0)
		return;
	fprintf(out, "\nevents of processes");
	if (p->cores.counted_cycles > 0)
		fprintf(out, ", seen with %.1f%% of the cores' cycles",
			100 * (double)p->cores.event_cycles /
				(double)p->cores.counted_cycles);
	fprintf(out,
		": part of the cores' counts, and per 1000 instructions\n");
	for (unsigned i = 0; i < p->nevents; i++)
		if ((int)strlen(p->event[i]) > width)
			width = (int)strlen(p->event[i]);
	for (unsigned i = 0; i < p->nevents; i++)
		print_event(out, p, i, width);
	if (p->left_out_events > 0)
		fprintf(out, "  of more than %d events the last are left out\n",
			DIGEST_EVENTS);
}

void
summary_print_processes(FILE *out, const struct digest *d, unsigned top)
{
	const struct digest_processes *p = d->processes;

	if (p == NULL)
		return;
	unsigned most = top > 0 ? top : TOP, n = 0;

	while (n < most && n < p->n && digest_process_cpu_s(&p->row[n]) > 0)
		n++;
	fprintf(out, "\nprocesses: %u %s in %llu %s", p->n,
		plural(p->n, "has rows", "have rows"),
		(unsigned long long)p->frames,
		plural(p->frames, "frame", "frames"));
	if (n < p->n)
		fprintf(out, ", here the %u with the most CPU time", n);
	if ((p->domains & 1u << DOMAIN_ALL) == 0 &&
	    (p->domains & 1u << DOMAIN_USER) != 0)
		fprintf(out, "; counts are of user mode");
	fprintf(out, "\n");
	print_heads(out, p);
	for (unsigned i = 0; i < n; i++)
		print_one(out, p, &p->row[i]);
	if (p->has_others)
		print_one(out, p, &p->others);
	if (p->has_rest)
		print_one(out, p, &p->rest);
	if (p->has_others)
		fprintf(out,
			"  a process is summed up over the frames that have a row of it; elsewhere it is one of (others)\n");
	print_events(out, p);
}

/* ---- as rows ---- */

void
summary_report_identity(struct report *out, const struct digest *d,
			const struct digest_process *p)
{
	if (d->processes == NULL)
		return;
	report_number(out, "pid",
		      p != NULL && p->pid >= 0 ? (double)p->pid : NAN);
	if (p != NULL && p->pid >= 0)
		report_count(out, "start", p->start);
	else
		report_number(out, "start", NAN);
	report_text(out, "user", p != NULL ? p->user : "");
}

static const char *
words_of(const struct digest_process *p, char *buf, unsigned size)
{
	const struct process_row row = {
		.flags = p->flags,
		.access = p->known == 0 && p->denied > 0 ? PROCESS_DENIED
							 : PROCESS_COUNTED,
	};

	return process_words(&row, buf, size);
}

static void
report_fixed(struct report *out, const char *name,
	     const struct digest_process *p, uint64_t n)
{
	double v = known(p, PROCESS_HAS_COUNTS, n, 1);

	if (v >= 0)
		report_count(out, name, n);
	else
		report_number(out, name, v);
}

/* One number of it; exact: v as a count, or NULL. */
static void
report_value(struct report *out, const struct digest *d, const char *row,
	     const struct digest_process *p, const char *metric,
	     const char *unit, double v, const uint64_t *exact)
{
	char words[128];

	if (isnan(v))
		return;
	report_text(out, "file", d->name);
	report_text(out, "row", row);
	report_text(out, "name", p->name);
	report_text(out, "kind", "");
	report_number(out, "measured_s", p->interval_s);
	report_number(out, "coverage_pct", NAN);
	report_number(out, "busy_pct", NAN);
	report_text(out, "quality", words_of(p, words, sizeof words));
	report_fixed(out, "cycles", p, p->d.cycles);
	report_fixed(out, "instructions", p, p->d.instructions);
	report_text(out, "metric", metric);
	report_text(out, "unit", unit);
	if (exact != NULL)
		report_count(out, "whole", *exact);
	else
		report_number(out, "whole", v);
	report_number(out, "p5", NAN);
	report_number(out, "p50", NAN);
	report_number(out, "p95", NAN);
	report_count(out, "frames", p->frames);
	report_text(out, "cluster", "");
	report_number(out, "level", NAN);
	report_number(out, "core", NAN);
	report_number(out, "cpu", NAN);
	summary_report_identity(out, d, p);
	report_end(out);
}

/* Sums of what was seen, and the cycles that it was seen with. */
static void
report_events(struct report *out, const struct digest *d, const char *row,
	      const struct digest_process *p)
{
	const struct digest_processes *in = d->processes;

	if (p->event_cycles > 0)
		report_value(out, d, row, p, "event_cycles", "cycles",
			     (double)p->event_cycles, &p->event_cycles);
	for (unsigned i = 0; i < in->nevents; i++)
		report_value(out, d, row, p, in->event[i], "events",
			     digest_process_events(in, p, i),
			     &p->event[i].count);
}

static void
report_one(struct report *out, const struct digest *d, const char *row,
	   const struct digest_process *p)
{
	for (unsigned i = 0; i < NUMBERS; i++)
		report_value(out, d, row, p, numbers[i].name, numbers[i].unit,
			     numbers[i].of(p), NULL);
	report_events(out, d, row, p);
}

void
summary_report_processes(struct report *out, const struct digest *d)
{
	const struct digest_processes *p = d->processes;

	if (p == NULL)
		return;
	for (unsigned i = 0; i < p->n; i++)
		report_one(out, d, "process", &p->row[i]);
	if (p->has_others)
		report_one(out, d, "others", &p->others);
	if (p->has_rest)
		report_one(out, d, "rest", &p->rest);
}
