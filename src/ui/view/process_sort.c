/* What processes are sorted by, and what their columns are called. */
#include "ui/view/processes.h"

#include <string.h>

enum { FIXED = 3 }; /* choices that are no metric: worst, name, pid */

/* Which part of the machine a metric is of; -1: all of it. */
static int
part_of(enum process_metric metric)
{
	switch (metric) {
	case PROCESS_P_TIME:
	case PROCESS_P_WORK:
	case PROCESS_IPC_0:
		return 0;
	case PROCESS_IPC_1:
		return 1;
	default:
		return -1;
	}
}

void
processes_label(const struct process_list *l, enum process_metric metric,
		struct buf *out)
{
	int part = part_of(metric);
	const struct process_parts *parts = &l->parts;

	if (part < 0 || (unsigned)part >= parts->n) {
		buf_str(out, part < 0 ? process_metrics[metric].label : "");
		return;
	}
	if (metric == PROCESS_IPC_0 || metric == PROCESS_IPC_1) {
		buf_str(out, "IPC ");
		buf_str(out, parts->label[part]);
	} else {
		buf_str(out, parts->label[part]);
		buf_str(out, metric == PROCESS_P_TIME ? " t%" : " wk%");
	}
}

bool
processes_has(const struct process_list *l, enum process_metric metric)
{
	if (part_of(metric) >= 0 && l->parts.n < 2)
		return false;
	if (metric == PROCESS_CYCLES_PCT && !l->cores_known)
		return false;
	return (process_metrics[metric].needs & ~l->known) == 0;
}

enum process_metric
processes_trend(const struct process_list *l)
{
	return processes_has(l, PROCESS_IPC) ? PROCESS_IPC : PROCESS_CPU;
}

/* The least first, where nobody turned it round? */
static bool
begins_low(int by)
{
	return by < 0;
}

bool
processes_goes_up(const struct process_list *l)
{
	return begins_low(l->sort) != l->reverse;
}

const char *
processes_arrow(const struct process_list *l, bool ascii)
{
	bool up = processes_goes_up(l);

	return ascii ? (up ? "^" : "v") : up ? "↑" : "↓";
}

void
processes_sort(struct process_list *l, int by)
{
	l->reverse = by == l->sort && by != PROCESS_BY_WORST && !l->reverse;
	l->sort = by;
	l->resort = true;
}

void
processes_worst(struct process_list *l)
{
	processes_sort(l, l->sort == PROCESS_BY_WORST ? PROCESS_CPU
						      : PROCESS_BY_WORST);
}

void
processes_reverse(struct process_list *l)
{
	l->reverse = !l->reverse && l->sort != PROCESS_BY_WORST;
	l->resort = true;
}

static int
fixed_choice(unsigned i)
{
	static const int fixed[FIXED] = { PROCESS_BY_WORST, PROCESS_BY_NAME,
					  PROCESS_BY_PID };

	return fixed[i];
}

unsigned
processes_choices(const struct process_list *l)
{
	unsigned n = FIXED;

	for (int m = 0; m < PROCESS_METRICS; m++)
		n += processes_has(l, (enum process_metric)m) ||
		     m == PROCESS_CPU;
	return n;
}

/* CPU%, then what has no column, then the others. */
int
processes_choice(const struct process_list *l, unsigned i)
{
	if (i == 0)
		return PROCESS_CPU;
	if (--i < FIXED)
		return fixed_choice(i);
	i -= FIXED;
	for (int m = 0; m < PROCESS_METRICS; m++)
		if (m != PROCESS_CPU &&
		    processes_has(l, (enum process_metric)m) && i-- == 0)
			return m;
	return PROCESS_CPU;
}

void
processes_sort_word(const struct process_list *l, int by, struct buf *out)
{
	switch (by) {
	case PROCESS_BY_PID:
		buf_str(out, "pid");
		break;
	case PROCESS_BY_NAME:
		buf_str(out, "name");
		break;
	case PROCESS_BY_WORST:
		buf_str(out, "worst IPC");
		break;
	default:
		processes_label(l, (enum process_metric)by, out);
	}
}

/* As options have it. */
static const struct {
	const char *name;
	int by;
} sort_table[] = { { "cpu", PROCESS_CPU },
		   { "busy", PROCESS_CPU },
		   { "worst", PROCESS_BY_WORST },
		   { "pid", PROCESS_BY_PID },
		   { "name", PROCESS_BY_NAME } };

bool
processes_sort_find(const char *name, int *by)
{
	for (unsigned i = 0; i < sizeof sort_table / sizeof *sort_table; i++)
		if (strcmp(sort_table[i].name, name) == 0) {
			*by = sort_table[i].by;
			return true;
		}
	*by = process_metric_find(name);
	return *by >= 0;
}

const char *
processes_sort_name(const struct process_list *l)
{
	for (unsigned i = 0; i < sizeof sort_table / sizeof *sort_table; i++)
		if (sort_table[i].by == l->sort)
			return sort_table[i].name;
	return process_metrics[l->sort].name;
}

const char *
processes_sort_text(int by)
{
	switch (by) {
	case PROCESS_BY_PID:
		return "The number that the system gave it";
	case PROCESS_BY_NAME:
		return "Its name, letter by letter";
	case PROCESS_BY_WORST:
		return "The lowest IPC first, of those over 5% CPU; l does it, too";
	default:
		return process_metrics[by].text;
	}
}
