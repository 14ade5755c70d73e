/*
 * The schema of recordings, ktop/1: the same on every machine. One table of raw
 * fields drives writing (CSV, JSON), reading, --list-columns and ktop-csv(5);
 * metrics are columns by metric_table.
 */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define COLUMN_SCHEMA_TEXT "ktop/1"

/* The events whose slots are the columns ev_cycles and ev_instructions. */
#define COLUMN_CYCLES_EVENT "CORE_ACTIVE_CYCLE"
#define COLUMN_INSTRUCTIONS_EVENT "INST_ALL"

enum column_type {
	COLUMN_TEXT,
	COLUMN_TIME, /* ns since 1970 */
	COLUMN_INTEGER,
	COLUMN_REAL,
	COLUMN_SECONDS, /* a real, kept as ns */
	COLUMN_WORDS    /* text with a semicolon between two */
};
extern const char *const column_type_name[]; /* "text", "time", ... */

/*
 * Constant, name, type, largest integer that is read (0: any, and where it has
 * a unit also negative ones), unit, what it is. The columns from COLUMN_PID on
 * are in files that have processes only. In a file metrics stand before the
 * verdict: new rows go behind that, or of processes to the end.
 */
/* clang-format off */
#define SLOT_COLUMNS(ROW, n) \
	ROW(COLUMN_E##n, "e" #n, COLUMN_TEXT, 0, "", "Name of the event in slot " #n) \
	ROW(COLUMN_C##n, "c" #n, COLUMN_INTEGER, 0, "events", "Raw count of slot " #n " in event_s")
#define COLUMN_TABLE(ROW) \
	ROW(COLUMN_SCHEMA, "schema", COLUMN_TEXT, 0, "", COLUMN_SCHEMA_TEXT " on every row: the layout that this list describes") \
	ROW(COLUMN_ROW, "row", COLUMN_TEXT, 0, "", "What the row is: core, cluster, kind, all; process, others, rest; or mark, swap, lost") \
	ROW(COLUMN_RUN, "run", COLUMN_TEXT, 0, "", "Id drawn at the start of the recording") \
	ROW(COLUMN_FRAME, "frame", COLUMN_INTEGER, 0, "", "Number of the frame: 0, 1, 2") \
	ROW(COLUMN_WALL_TIME, "time", COLUMN_TIME, 0, "", "Wall clock at the end of the frame (of a mark: its own), UTC, ISO 8601") \
	ROW(COLUMN_ELAPSED_S, "elapsed_s", COLUMN_SECONDS, 0, "s", "Time since the first reading, running through sleep") \
	ROW(COLUMN_INTERVAL_S, "interval_s", COLUMN_SECONDS, 0, "s", "Awake time that cycles and instructions cover; of a group the mean over its CPUs that delivered") \
	ROW(COLUMN_EVENT_S, "event_s", COLUMN_SECONDS, 0, "s", "Time that the event slots counted") \
	ROW(COLUMN_SOURCE, "source", COLUMN_TEXT, 0, "", "Where the counts come from: kperf, perf, sim") \
	ROW(COLUMN_MODEL, "model", COLUMN_TEXT, 0, "", "The machine's processor") \
	ROW(COLUMN_CHIP, "chip", COLUMN_TEXT, 0, "", "Event database or PMU") \
	ROW(COLUMN_PACKAGE, "package", COLUMN_INTEGER, 1000000, "", "Package of the cluster or core") \
	ROW(COLUMN_DIE, "die", COLUMN_INTEGER, 1000000, "", "Die of the cluster or core") \
	ROW(COLUMN_CLUSTER, "cluster", COLUMN_TEXT, 0, "", "Label of the cluster: P0, E, CCX1, CPU") \
	ROW(COLUMN_KIND, "kind", COLUMN_TEXT, 0, "", "Kind of core, in the system's words") \
	ROW(COLUMN_LEVEL, "level", COLUMN_INTEGER, 1000000, "", "Rank of the kind; 0 is the fastest") \
	ROW(COLUMN_CORE, "core", COLUMN_INTEGER, 1000000, "", "Physical core, counted over the machine") \
	ROW(COLUMN_CPU, "cpu", COLUMN_INTEGER, 1000000, "", "The system's number of the CPU; threads of a core differ") \
	ROW(COLUMN_N_CPUS, "n_cpus", COLUMN_INTEGER, 0, "", "CPUs of a cluster, kind or the machine") \
	ROW(COLUMN_N_OK, "n_ok", COLUMN_INTEGER, 0, "", "How many of them delivered in this frame") \
	ROW(COLUMN_PRESET, "preset", COLUMN_TEXT, 0, "", "The event set in force; empty in IPC mode") \
	ROW(COLUMN_DOMAIN, "domain", COLUMN_TEXT, 0, "", "Modes that the slots count: all, user, kernel, mixed") \
	ROW(COLUMN_QUALITY, "quality", COLUMN_WORDS, 0, "", "Words for trouble, separated by a semicolon; empty is fine") \
	ROW(COLUMN_COVERAGE, "coverage", COLUMN_REAL, 0, "", "event_s / interval_s") \
	ROW(COLUMN_NOTE, "note", COLUMN_TEXT, 0, "", "Text of a mark, swap or lost row; events that count nothing or that kinds count unlike; what only some kinds count") \
	ROW(COLUMN_BUSY_PCT, "busy_pct", COLUMN_REAL, 0, "%", "Share of the interval not idle, by the system's own accounting") \
	ROW(COLUMN_CYCLES, "cycles", COLUMN_INTEGER, 0, "cycles", "Fixed counter, in all modes; on IPC and rates see the metrics") \
	ROW(COLUMN_INSTRUCTIONS, "instructions", COLUMN_INTEGER, 0, "instructions", "Fixed counter, in all modes") \
	ROW(COLUMN_EV_CYCLES, "ev_cycles", COLUMN_INTEGER, 0, "cycles", COLUMN_CYCLES_EVENT " of the slots, in their domain; on Linux cycles in event_s") \
	ROW(COLUMN_EV_INSTRUCTIONS, "ev_instructions", COLUMN_INTEGER, 0, "instructions", COLUMN_INSTRUCTIONS_EVENT " of the slots, in their domain; on Linux instructions in event_s") \
	SLOT_COLUMNS(ROW, 1) SLOT_COLUMNS(ROW, 2) SLOT_COLUMNS(ROW, 3) \
	SLOT_COLUMNS(ROW, 4) SLOT_COLUMNS(ROW, 5) SLOT_COLUMNS(ROW, 6) \
	SLOT_COLUMNS(ROW, 7) SLOT_COLUMNS(ROW, 8) SLOT_COLUMNS(ROW, 9) \
	SLOT_COLUMNS(ROW, 10) \
	ROW(COLUMN_VERDICT, "verdict", COLUMN_TEXT, 0, "", "What the row's cycles go to: computes, memory, branches, starves, kernel, mixed, idle, off; unknown where the events do not tell") \
	ROW(COLUMN_PID, "pid", COLUMN_INTEGER, INT32_MAX, "", "Number of the process") \
	ROW(COLUMN_START, "start", COLUMN_INTEGER, 0, "", "When it began, in the system's own unit: with pid its identity") \
	ROW(COLUMN_PROCESS, "process", COLUMN_TEXT, 0, "", "Name of the process") \
	ROW(COLUMN_USER, "user", COLUMN_TEXT, 0, "", "Name of its user") \
	ROW(COLUMN_UID, "uid", COLUMN_INTEGER, UINT32_MAX, "", "The same by number") \
	ROW(COLUMN_THREADS, "threads", COLUMN_INTEGER, UINT32_MAX, "", "Its threads at the end of the frame; of others, how many processes they are") \
	ROW(COLUMN_PCYCLES, "pcycles", COLUMN_INTEGER, 0, "cycles", "Of its cycles, those on the fastest kind of core") \
	ROW(COLUMN_PINSTRUCTIONS, "pinstructions", COLUMN_INTEGER, 0, "instructions", "Of its instructions, those on the fastest kind of core") \
	ROW(COLUMN_USER_NS, "user_ns", COLUMN_INTEGER, 0, "ns", "CPU time in user mode") \
	ROW(COLUMN_SYSTEM_NS, "system_ns", COLUMN_INTEGER, 0, "ns", "CPU time in the kernel") \
	ROW(COLUMN_PTIME_NS, "ptime_ns", COLUMN_INTEGER, 0, "ns", "CPU time on the fastest kind of core") \
	ROW(COLUMN_ENERGY_NJ, "energy_nj", COLUMN_INTEGER, 0, "nJ", "The system's estimate of its cores' energy") \
	ROW(COLUMN_P_SHARE, "p_share_pct", COLUMN_REAL, 0, "%", "Share of its CPU time on the fastest kind of core") \
	ROW(COLUMN_OTHER_NS, "other_ns", COLUMN_INTEGER, 0, "ns", "CPU time on all other kinds of core") \
	ROW(COLUMN_PENERGY_NJ, "penergy_nj", COLUMN_INTEGER, 0, "nJ", "Of its energy, that on the fastest kind of core") \
	ROW(COLUMN_CPU_PCT, "cpu_pct", COLUMN_REAL, 0, "%", "CPU time in percent of the interval: 100 is one CPU, so this may be more") \
	ROW(COLUMN_STATE, "state", COLUMN_TEXT, 0, "", "runs, sleeps, stopped, ended; empty: unknown") \
	ROW(COLUMN_PARENT, "ppid", COLUMN_INTEGER, INT32_MAX, "", "Number of the process that started it") \
	ROW(COLUMN_STARTED, "started", COLUMN_TIME, 0, "", "Wall clock when it began, UTC, ISO 8601") \
	ROW(COLUMN_BEGAN, "began", COLUMN_INTEGER, UINT32_MAX, "", "Of others: processes and threads that began in the frame, those that nobody saw too (Linux: forks)") \
	ROW(COLUMN_BEGAN_SEEN, "began_seen", COLUMN_INTEGER, UINT32_MAX, "", "Of others: processes that were seen to begin in the frame") \
	ROW(COLUMN_EVENT_CYCLES, "event_cycles", COLUMN_INTEGER, 0, "cycles", "Cycles that were counted together with its events; of the rest, those that no process's were") \
	ROW(COLUMN_EVENT_INSTRUCTIONS, "event_instructions", COLUMN_INTEGER, 0, "instructions", "Instructions that were counted together with its events; of the rest, those that no process's were")
/* clang-format on */

#define COLUMN_ID(id, ...) id,
enum column_id { COLUMN_TABLE(COLUMN_ID) COLUMN_FIELDS };
#undef COLUMN_ID

enum {
	COLUMN_SLOTS = COLUMN_E1,        /* e1; c1, e2, c2 ... follow */
	COLUMN_METRICS = COLUMN_VERDICT, /* where metrics begin in a file */
	/* Where the verdict is: columns only come at the end. */
	COLUMN_VERDICT_AT = COLUMN_METRICS + 106,
	PROCESS_COLUMNS = COLUMN_FIELDS - COLUMN_PID,
	COLUMNS_MAX = COLUMN_FIELDS + METRIC_MAX
};

struct column {
	unsigned id; /* enum column_id; COLUMN_FIELDS + row of metric_table */
	const char *name;
	enum column_type type;
	uint64_t limit;
	const char *unit; /* "" where there is none */
	const char *text; /* one sentence without its full stop */
};

/* Without those of processes, and with them. */
unsigned column_count(void);
unsigned column_count_all(void);

/* Column i of column_count_all(), in the order of files. */
struct column column_at(unsigned i);

/* The column of a field, wherever it is. */
const struct column *column_of(enum column_id id);

/* Index of the column with that name, or -1. */
int column_find(const char *name);

/* The values of one row of a recording. */
struct record {
	bool known[COLUMN_FIELDS];
	bool negative; /* counts are in two's complement: those of (rest) */
	union {
		uint64_t count;
		int64_t ns;
		double real;
		const char *text; /* borrowed */
	} v[COLUMN_FIELDS];
	double metric[METRIC_MAX]; /* NAN: unknown */
};

static inline void
record_count(struct record *r, enum column_id id, bool known, uint64_t v)
{
	r->known[id] = known;
	r->v[id].count = v;
}

/* Less than 0: it has none. */
static inline void
record_index(struct record *r, enum column_id id, int v)
{
	record_count(r, id, v >= 0, (uint64_t)v);
}

static inline void
record_time(struct record *r, enum column_id id, bool known, int64_t wall_ns)
{
	r->known[id] = known;
	r->v[id].ns = wall_ns;
}

static inline void
record_real(struct record *r, enum column_id id, bool known, double v)
{
	r->known[id] = known && !isnan(v);
	r->v[id].real = v;
}

static inline void
record_seconds(struct record *r, enum column_id id, double s)
{
	r->known[id] = s >= 0 && s <= 9e9;
	r->v[id].ns = r->known[id] ? (int64_t)(s * 1e9 + 0.5) : 0;
}

static inline void
record_text(struct record *r, enum column_id id, const char *text)
{
	r->known[id] = text[0] != '\0';
	r->v[id].text = text;
}

#endif
