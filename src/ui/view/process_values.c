#include "ui/view/processes.h"

#include <math.h>

static int
metric_part(enum process_metric metric)
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
	int part = metric_part(metric);
	const struct process_parts *parts = &l->parts;

	if (part < 0 || (unsigned)part >= parts->n) {
		buf_str(out, part < 0 ? process_metrics[metric].label : "");
		return;
	}
	if (metric == PROCESS_IPC_0 || metric == PROCESS_IPC_1) {
		buf_printf(out, "IPC %s", parts->label[part]);
	} else {
		buf_str(out, parts->label[part]);
		buf_str(out, metric == PROCESS_P_TIME ? "%" : " wk%");
	}
}

bool
processes_has_metric(const struct process_list *l, enum process_metric metric)
{
	if (metric_part(metric) >= 0 && l->parts.n < 2)
		return false;
	if (metric == PROCESS_CYCLES_PCT && !l->cores_known)
		return false;
	return (process_metrics[metric].needs & ~l->known) == 0;
}

enum process_metric
processes_trend(const struct process_list *l)
{
	return processes_has_metric(l, PROCESS_IPC) ? PROCESS_IPC : PROCESS_CPU;
}

/* True if the process was idle: its event counts are of an earlier interval. */
static bool
was_process_idle(const struct process_row *row)
{
	return (row->known & PROCESS_HAS_COUNTS) != 0 &&
	       isnan(row->value[PROCESS_IPC]);
}

const struct span *
processes_events(const struct process_row *row)
{
	return was_process_idle(row) ? NULL : row->events;
}

double
processes_event_rate(const struct process_list *l,
		     const struct process_row *row, int metric, bool *few)
{
	const struct span *counts = processes_events(row);

	*few = true;
	return counts != NULL && l->past.traced != NULL && metric >= 0
		       ? l->past.traced(l->past.self, counts, (unsigned)metric,
					few)
		       : NAN;
}

static int
process_core_kind(const struct process_list *l, const struct process_row *row)
{
	const struct process_parts *parts = &l->t->parts;

	if (parts->n == 0)
		return 0;
	for (unsigned i = 0;
	     i < parts->n && (row->known & PROCESS_HAS_PARTS) != 0; i++)
		if (row->d.part[i].cycles >= row->d.cycles / 10 * 9)
			return parts->kind[i];
	return -1;
}

enum bottleneck_word
processes_bottleneck(const struct process_list *l,
		     const struct process_row *row)
{
	const struct span *c = processes_events(row);
	int kind = c != NULL && l->past.word != NULL ? process_core_kind(l, row)
						     : -1;

	return kind >= 0 ? l->past.word(l->past.self, c, (unsigned)kind)
			 : BOTTLENECK_UNKNOWN;
}

void
processes_trace_question(const struct process_list *l, struct buf *say)
{
	if (l->tracer.owner != 0)
		buf_printf(say, "Process %d traces the kernel now. ",
			   (int)l->tracer.owner);
	buf_str(say,
		"Count events per process? This takes over kernel tracing (Instruments cannot record meanwhile). y/n");
}

void
processes_trace_answer(struct process_list *l, bool yes, struct buf *say)
{
	struct process_tracer *t = &l->tracer;

	t->wanted = yes;
	buf_printf(say, "events per process: %s; v switches them %s",
		   yes ? "on" : "off", yes ? "off" : "on");
}

bool
processes_trace_key(struct process_list *l, bool replay, struct buf *say)
{
	const struct process_tracer *t = &l->tracer;

	if (replay && !t->wanted)
		buf_str(say,
			t->state == PROCESS_TRACING_ON
				? "this recording has events of processes: they are shown"
				: "no events of processes were recorded (--trace-processes)");
	else if (t->wanted)
		processes_trace_answer(l, false, say);
	else if (!t->known)
		buf_str(say,
			"processes are being read for the first time; press v again when they are listed");
	else if (t->state == PROCESS_TRACING_NONE)
		buf_str(say,
			"events per process need kernel tracing (macOS) or counters of each process (Linux): this system has neither");
	else if (t->own)
		processes_trace_answer(l, true, say);
	else
		return true;
	return false;
}
