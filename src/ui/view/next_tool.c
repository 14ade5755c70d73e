#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* Events to sample for each bottleneck; the first that exists is used. */
static const struct {
	enum bottleneck_word word;
	enum bottleneck_measure measure[3];
} sampled[] = {
	{ BOTTLENECK_MEMORY,
	  { MEASURE_L1D_LOAD, MEASURE_L1D_FILL, MEASURE_LLC } },
	{ BOTTLENECK_BACKEND,
	  { MEASURE_L1D_LOAD, MEASURE_L1D_FILL, MEASURE_LLC } },
	{ BOTTLENECK_FRONTEND, { MEASURE_L1I, MEASURE_L1ITLB, MEASURE_L1I } },
	{ BOTTLENECK_BAD_SPEC,
	  { MEASURE_BRANCH, MEASURE_BRANCH_ANY, MEASURE_BRANCH } },
};

static const struct event *
find_sampled_event(const struct view *v, enum bottleneck_word word)
{
	for (unsigned i = 0; i < sizeof sampled / sizeof *sampled; i++)
		for (unsigned k = 0; k < 3 && sampled[i].word == word; k++) {
			int metric = v->metric.measure[sampled[i].measure[k]];
			const struct event *event =
				metric < 0 || v->s->catalog == NULL
					? NULL
					: catalog_find_any(v->s->catalog,
							   metric_table[metric]
								   .num[0]
								   .event);

			if (event != NULL && event->native != NULL)
				return event;
		}
	return NULL;
}

/* Adds a sampling period of 1000, 2000, 5000, ... events, for at most 1000
 * samples/s at the event's rate in the last interval. */
static void
period_add(const struct view *v, const struct process_row *row,
	   const struct event *event, struct buf *out)
{
	const struct span *s = processes_events(row);
	const struct eventset *set = v->f->set;
	double wanted = NAN;
	uint64_t n = 1000;
	unsigned step = 0;

	for (unsigned i = 0; s != NULL && i < set->len; i++)
		if (set->slot[i].event == event && (s->have_all >> i & 1) != 0)
			wanted = (double)s->slot[i] / row->interval_s / 1000;
	if (!(wanted > 0)) { /* not counted: the kernel sets the period */
		buf_str(out, " -F 999");
		return;
	}
	for (; (double)n < wanted; step++)
		n = step % 3 == 1 ? n / 2 * 5 : n * 2;
	buf_printf(out, " -c %llu", (unsigned long long)n);
}

/* Writes "pmu/event=0xbf/u" for each PMU with the event; u: user mode. */
static void
native_add(const char *native, struct buf *out)
{
	for (bool first = true; *native != '\0'; first = false) {
		size_t n = strcspn(native, " ");

		buf_printf(out, "%s%.*s%s", first ? "" : ",", (int)n, native,
			   native[n - 1] == '/' ? "u" : ":u");
		native += n;
		native += strspn(native, " ");
	}
}

bool
view_next_tool(const struct view *v, const struct process_row *row,
	       struct buf *out)
{
	if (v->s == NULL || v->f == NULL || row->pid <= 0)
		return false;
	if (strncmp(v->s->os, "macOS", 5) == 0) {
		buf_printf(
			out,
			"xctrace record --template 'CPU Counters' --attach %d",
			(int)row->pid);
		return true;
	}
	if (strncmp(v->s->os, "Linux", 5) != 0)
		return false;
	const struct event *event =
		find_sampled_event(v, processes_bottleneck(v->procs, row));

	buf_str(out, "perf record -e ");
	native_add(event != NULL ? event->native : "cycles", out);
	period_add(v, row, event, out);
	buf_printf(out, " -g -p %d", (int)row->pid);
	return true;
}
