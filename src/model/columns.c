#include "model/columns.h"

#include <assert.h>
#include <string.h>

#include "model/metric.h"

static_assert(COLUMN_METRICS == COLUMN_SLOTS + 2 * EVENTSET_MAX,
	      "two columns for each slot of a set");

const char *const column_type_name[] = { "text", "time", "integer", "real" };

#define SLOT_COLUMNS(n)                                               \
	{ "e" #n, COLUMN_TEXT, "", "Name of the event in slot " #n }, \
	{                                                             \
		"c" #n, COLUMN_INTEGER, "events",                     \
			"Raw count of slot " #n " in event_s"         \
	}

/* clang-format off */
static const struct column fixed[COLUMN_METRICS] = {
	{ "schema", COLUMN_TEXT, "",
	    COLUMN_SCHEMA_TEXT " on every row: the layout that this list describes" },
	{ "row", COLUMN_TEXT, "",
	    "What the row is: core, cluster, kind, all; process, others, rest; or mark, swap, lost" },
	{ "run", COLUMN_TEXT, "", "Id drawn at the start of the recording" },
	{ "frame", COLUMN_INTEGER, "", "Number of the frame: 0, 1, 2" },
	{ "time", COLUMN_TIME, "",
	    "Wall clock at the end of the frame (of a mark: its own), UTC, ISO 8601" },
	{ "elapsed_s", COLUMN_REAL, "s",
	    "Time since the first reading, running through sleep" },
	{ "interval_s", COLUMN_REAL, "s",
	    "Awake time that cycles and instructions cover; of a group the mean over its CPUs that delivered" },
	{ "event_s", COLUMN_REAL, "s", "Time that the event slots counted" },
	{ "source", COLUMN_TEXT, "", "Where the counts come from: kperf, perf, sim" },
	{ "model", COLUMN_TEXT, "", "The machine's processor" },
	{ "chip", COLUMN_TEXT, "", "Event database or PMU" },
	{ "package", COLUMN_INTEGER, "", "Package of the cluster or core" },
	{ "die", COLUMN_INTEGER, "", "Die of the cluster or core" },
	{ "cluster", COLUMN_TEXT, "", "Label of the cluster: P0, E, CCX1, CPU" },
	{ "kind", COLUMN_TEXT, "", "Kind of core, in the system's words" },
	{ "level", COLUMN_INTEGER, "", "Rank of the kind; 0 is the fastest" },
	{ "core", COLUMN_INTEGER, "", "Physical core, counted over the machine" },
	{ "cpu", COLUMN_INTEGER, "",
	    "The system's number of the CPU; threads of a core differ" },
	{ "n_cpus", COLUMN_INTEGER, "", "CPUs of a cluster, kind or the machine" },
	{ "n_ok", COLUMN_INTEGER, "", "How many of them delivered in this frame" },
	{ "preset", COLUMN_TEXT, "", "The event set in force; empty in IPC mode" },
	{ "domain", COLUMN_TEXT, "",
	    "Modes that the slots count: all, user, kernel, mixed" },
	{ "quality", COLUMN_TEXT, "",
	    "Words for trouble, separated by a semicolon; empty is fine" },
	{ "coverage", COLUMN_REAL, "", "event_s / interval_s" },
	{ "note", COLUMN_TEXT, "", "Text of a mark, swap or lost row; events that count nothing or that kinds count unlike; what only some kinds count" },
	{ "busy_pct", COLUMN_REAL, "%",
	    "Share of the interval not idle, by the system's own accounting" },
	{ "cycles", COLUMN_INTEGER, "cycles",
	    "Fixed counter, in all modes; on IPC and rates see the metrics" },
	{ "instructions", COLUMN_INTEGER, "instructions",
	    "Fixed counter, in all modes" },
	{ "ev_cycles", COLUMN_INTEGER, "cycles",
	    COLUMN_CYCLES_EVENT
	    " of the slots, in their domain; on Linux cycles in event_s" },
	{ "ev_instructions", COLUMN_INTEGER, "instructions",
	    COLUMN_INSTRUCTIONS_EVENT
	    " of the slots, in their domain; on Linux instructions in event_s" },
	SLOT_COLUMNS(1), SLOT_COLUMNS(2), SLOT_COLUMNS(3), SLOT_COLUMNS(4),
	SLOT_COLUMNS(5), SLOT_COLUMNS(6), SLOT_COLUMNS(7), SLOT_COLUMNS(8),
	SLOT_COLUMNS(9), SLOT_COLUMNS(10),
};
/* clang-format on */

static const struct column verdict = {
	"verdict", COLUMN_TEXT, "",
	"What the row's cycles go to: computes, memory, branches, starves, kernel, mixed, idle, off; unknown where the events do not tell"
};

#define PROCESS_COLUMN(id, name, type, unit, text) { name, type, unit, text },
static const struct column of_process[PROCESS_COLUMNS] = { PROCESS_COLUMN_TABLE(
	PROCESS_COLUMN) };
#undef PROCESS_COLUMN

unsigned
column_count(void)
{
	return COLUMN_METRICS + metric_count + 1;
}

unsigned
column_count_all(void)
{
	return column_count() + PROCESS_COLUMNS;
}

struct column
column_at(unsigned i)
{
	if (i < COLUMN_METRICS)
		return fixed[i];
	if (i == COLUMN_VERDICT)
		return verdict;
	if (i >= column_count())
		return of_process[i - column_count()];
	const struct metric *m =
		&metric_table[i - COLUMN_METRICS - (i > COLUMN_VERDICT)];

	return (struct column){ m->name, COLUMN_REAL, metric_unit_name[m->unit],
				m->text };
}

int
column_find(const char *name)
{
	for (unsigned i = 0; i < column_count_all(); i++)
		if (strcmp(column_at(i).name, name) == 0)
			return (int)i;
	return -1;
}
