#include "commands/compare_by_name.h"

#include <math.h>

#include "base/buf.h"

enum { TOP = 10 };

static const struct {
	const char *name, *unit, *label;
	int decimals, width;
} values[COMPARE_PROCESS_VALUES] = {
	[COMPARE_PROCESS_CPU] = { "cpu_pct", "%", "CPU%", 1, 8 },
	[COMPARE_PROCESS_GIPS] = { "gips", "10^9/s", "Ginst/s", 3, 11 },
	[COMPARE_PROCESS_IPC] = { "ipc", "ratio", "IPC", 2, 8 },
};

static void
put_text(struct buf *b, const struct buf *text, int width)
{
	for (int i = (int)text->len; i < width; i++)
		buf_char(b, ' ');
	buf_bytes(b, text->at, text->len);
}

static void
put(struct buf *b, double v, int decimals, int width)
{
	char text[40];
	struct buf n = buf_over(text, sizeof text);

	buf_fixed(&n, v, decimals);
	if (isnan(v))
		buf_char(&n, '-');
	put_text(b, &n, width);
}

static void
put_change(struct buf *b, double pct)
{
	char text[40];
	struct buf n = buf_over(text, sizeof text);

	buf_str(&n, pct > 0 ? "+" : "");
	buf_fixed(&n, pct, 1);
	buf_str(&n, isnan(pct) ? "- " : "%");
	put_text(b, &n, 10);
}

static double
change_pct(double a, double b)
{
	return a > 0 ? 100 * (b - a) / a : NAN;
}

static void
print_one(FILE *out, const struct compare_process *p)
{
	char text[320];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned k = 0; k < COMPARE_PROCESS_VALUES; k++) {
		put(&b, p->a.value[k], values[k].decimals, values[k].width);
		put(&b, p->b.value[k], values[k].decimals, values[k].width);
	}
	put_change(&b, change_pct(p->a.value[COMPARE_PROCESS_IPC],
				  p->b.value[COMPARE_PROCESS_IPC]));
	buf_str(&b, "  ");
	buf_str(&b, p->name[0] != '\0' ? p->name : "-");
	fprintf(out, "%s\n", buf_cstr(&b));
}

static void
print_heads(FILE *out)
{
	char text[160];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned k = 0; k < COMPARE_PROCESS_VALUES; k++)
		for (char side = 'A'; side <= 'B'; side++) {
			char head[24];
			struct buf h = buf_over(head, sizeof head);

			buf_str(&h, values[k].label);
			buf_char(&h, ' ');
			buf_char(&h, side);
			put_text(&b, &h, values[k].width);
		}
	fprintf(out, "%s     B - A  PROCESS\n", buf_cstr(&b));
}

/* Is it more than nothing on a side? */
static bool
is_seen(const struct compare_process *p)
{
	return p->a.value[COMPARE_PROCESS_CPU] > 0 ||
	       p->b.value[COMPARE_PROCESS_CPU] > 0;
}

/* ---- their events, where both sides counted them ---- */

/* Those of A, in its order; NULL past the last. */
static const char *
event_at(const struct compare *c, unsigned i)
{
	const struct digest_processes *in = c->a.run[0].digest->processes;

	return in != NULL && i < in->nevents ? in->event[i] : NULL;
}

static void
print_event(FILE *out, const struct compare *c,
	    const struct compare_processes *p, const char *event)
{
	enum { MOST = 3 };
	unsigned told = 0;

	for (unsigned i = 0; i < p->n && told < MOST; i++) {
		const char *name = p->row[i].name;
		double a = compare_process_rate(&c->a, name, event);
		double b = compare_process_rate(&c->b, name, event);
		char text[160];
		struct buf t = buf_over(text, sizeof text);

		if (isnan(a) || isnan(b))
			continue;
		put(&t, a, 2, 9);
		put(&t, b, 2, 9);
		put_change(&t, change_pct(a, b));
		fprintf(out, "%s  %s\n", buf_cstr(&t), name);
		told++;
	}
}

static void
print_events(FILE *out, const struct compare *c,
	     const struct compare_processes *p)
{
	const char *event;

	if (event_at(c, 0) == NULL || c->b.run[0].digest->processes == NULL ||
	    c->b.run[0].digest->processes->nevents == 0)
		return;
	fprintf(out,
		"\nevents of processes per 1000 of their instructions: A, B, B - A\n");
	for (unsigned i = 0; (event = event_at(c, i)) != NULL; i++) {
		fprintf(out, "  %s\n", event);
		print_event(out, c, p, event);
	}
}

void
compare_print_processes(FILE *out, const struct compare *c,
			const struct compare_processes *p)
{
	unsigned n = 0;

	while (n < TOP && n < p->n && is_seen(&p->row[n]))
		n++;
	if (n == 0)
		return;
	fprintf(out, "\nprocesses, by name: %s%u %s CPU time in A or B\n",
		n < p->n ? "the " : "", n, n < p->n ? "with the most" : "with");
	print_heads(out);
	for (unsigned i = 0; i < n; i++)
		print_one(out, &p->row[i]);
	fprintf(out,
		"Described, not judged: nothing here tells what of it is chance.\n"
		"A name has what the frames with a row of it say; nothing (-) elsewhere.\n");
	print_events(out, c, p);
}

static void
report_value(struct report *out, const struct compare *c, const char *process,
	     const char *metric, const char *unit, double a, double b,
	     uint64_t na, uint64_t nb)
{
	report_text(out, "row", "process");
	report_text(out, "name", process);
	report_text(out, "kind", "");
	report_text(out, "metric", metric);
	report_text(out, "unit", unit);
	report_number(out, "a", a);
	report_number(out, "b", b);
	report_number(out, "difference", b - a);
	report_number(out, "difference_pct", change_pct(a, b));
	report_number(out, "low", NAN);
	report_number(out, "high", NAN);
	report_text(out, "verdict", "not judged");
	report_text(out, "why", "");
	report_number(out, "needs", NAN);
	report_number(out, "p", NAN);
	report_number(out, "p_adjusted", NAN);
	report_number(out, "df", NAN);
	report_text(out, "units", c->runs ? "runs" : "frames");
	report_count(out, "n_a", na);
	report_count(out, "n_b", nb);
	report_end(out);
}

static void
report_one(struct report *out, const struct compare *c,
	   const struct compare_process *p, enum compare_process_value k)
{
	report_value(out, c, p->name, values[k].name, values[k].unit,
		     p->a.value[k], p->b.value[k], p->a.n[k], p->b.n[k]);
}

/* As many frames, or runs, as have its CPU time. */
static void
report_events(struct report *out, const struct compare *c,
	      const struct compare_process *p)
{
	const char *event;

	for (unsigned i = 0; (event = event_at(c, i)) != NULL; i++) {
		double a = compare_process_rate(&c->a, p->name, event);
		double b = compare_process_rate(&c->b, p->name, event);

		if (!isnan(a) || !isnan(b))
			report_value(out, c, p->name, event,
				     "per 1000 instructions", a, b,
				     p->a.n[COMPARE_PROCESS_CPU],
				     p->b.n[COMPARE_PROCESS_CPU]);
	}
}

void
compare_report_processes(struct report *out, const struct compare *c,
			 const struct compare_processes *p)
{
	for (unsigned i = 0; i < p->n; i++) {
		for (unsigned k = 0; k < COMPARE_PROCESS_VALUES; k++)
			if (p->row[i].a.n[k] > 0 || p->row[i].b.n[k] > 0)
				report_one(out, c, &p->row[i],
					   (enum compare_process_value)k);
		report_events(out, c, &p->row[i]);
	}
}
