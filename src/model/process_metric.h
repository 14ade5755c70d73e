/* What is derived of a process: one row each. */
#ifndef MODEL_PROCESS_METRIC_H
#define MODEL_PROCESS_METRIC_H

#include <stdint.h>

/*
 * Constant; name in files; label on the screen; unit; decimals; what it is;
 * what must be known for it (PROCESS_HAS_...); what it is made of, as an
 * expression of process_metric.c (o: struct operands). Of "part 0" and "part
 * 1": the first kinds of core that counts are split by (P and E; S and all
 * others). Each is a column; one without a place in ui/panels/process_table.c
 * stands before the trend where there is room, or where it sorts.
 */
/* clang-format off */
#define PROCESS_METRIC_TABLE(ROW) \
	ROW(PROCESS_CPU, "cpu_pct", "CPU%", "%", 1, "CPU time in percent of the interval: 100 is one core", PROCESS_HAS_TIMES, 100 * over(o->cpu_ns, o->wall_ns)) \
	ROW(PROCESS_P_TIME, "p_time_pct", "P t%", "%", 0, "its share of time on the first kind of core", PROCESS_HAS_PART_TIMES, part_time(o)) \
	ROW(PROCESS_P_WORK, "p_work_pct", "P wk%", "%", 0, "its share of cycles on the first kind of core", PROCESS_HAS_PARTS, part_work(o)) \
	ROW(PROCESS_CYCLES_PCT, "cycles_pct", "cyc%", "%", 1, "its cycles in percent of all cores' cycles", PROCESS_HAS_COUNTS, share(o->cycles, o->all_cycles)) \
	ROW(PROCESS_IPC, "ipc", "IPC", "", 2, "instructions per cycle", PROCESS_HAS_COUNTS, over(o->instructions, o->cycles)) \
	ROW(PROCESS_IPC_0, "ipc_0", "IPC P", "", 2, "the same on the first kind of core", PROCESS_HAS_PARTS, part_ipc(o, 0)) \
	ROW(PROCESS_IPC_1, "ipc_1", "IPC E", "", 2, "the same on the second, or all others", PROCESS_HAS_PARTS, part_ipc(o, 1)) \
	ROW(PROCESS_GIPS, "gips", "Ginst/s", "G/s", 2, "instructions a second", PROCESS_HAS_COUNTS, over(o->instructions, o->wall_ns)) \
	ROW(PROCESS_GHZ, "ghz", "GHz", "GHz", 2, "cycles per second of its CPU time", PROCESS_HAS_COUNTS | PROCESS_HAS_TIMES, clock_rate(o)) \
	ROW(PROCESS_WATTS, "watts", "W~", "W", 2, "the system's estimate of its cores' power", PROCESS_HAS_ENERGY, over(o->energy_nj, o->wall_ns)) \
	ROW(PROCESS_NJ, "nj_inst", "nJ/i~", "nJ", 2, "the same energy per instruction", PROCESS_HAS_ENERGY | PROCESS_HAS_COUNTS, over(o->energy_nj, o->instructions))
/* clang-format on */

#define PROCESS_METRIC_NAME(name, ...) name,
enum process_metric {
	PROCESS_METRIC_TABLE(PROCESS_METRIC_NAME) PROCESS_METRICS
};
#undef PROCESS_METRIC_NAME

struct process_metric_texts {
	const char *name, *label, *unit;
	int decimals;
	const char *text;
	uint32_t needs;
};
extern const struct process_metric_texts process_metrics[PROCESS_METRICS];

/* Index of the name, or -1. */
int process_metric_find(const char *name);

struct process_row;
struct process_table;

/*
 * Fills row->value from its differences. all: the cores' own, for shares; NULL
 * cycles_pct stays NAN. Ratios of a part with less than a hundredth of the
 * row's cycles, or less than a million, are NAN: too few.
 */
void process_metrics_of(struct process_row *row,
			const struct process_row *cores, unsigned parts);

#endif
