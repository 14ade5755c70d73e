/* The schema ktop/2: the same columns on every machine. COLUMN_TABLE lists the
 * raw fields; the metrics of metric_table follow. */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#include "model/metric.h"
#include "model/bottleneck.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define COLUMN_SCHEMA_TEXT "ktop/2"
#define COLUMN_LABEL "label_"
#define COLUMN_SCHEMA_BEFORE "ktop/1"

/* The events that ev_cycles and ev_instructions count. */
#define COLUMN_CYCLES_EVENT "CORE_ACTIVE_CYCLE"
#define COLUMN_INSTRUCTIONS_EVENT "INST_ALL"

enum column_type {
	COLUMN_TEXT,
	COLUMN_TIME, /* ns since 1970 */
	COLUMN_INTEGER,
	COLUMN_REAL,
	COLUMN_SECONDS, /* written as a real number, stored in ns */
	COLUMN_WORDS
};
extern const char *const column_type_name[];

/* Columns: constant, name, type, largest integer (0: no limit), unit, meaning.
 * The format is fixed: add rows at the end, and rename none. */
/* clang-format off */
#define SLOT_COLUMNS(ROW, n) \
	ROW(COLUMN_E##n, "e" #n, COLUMN_TEXT, 0, "", "Name of event " #n) \
	ROW(COLUMN_C##n, "c" #n, COLUMN_INTEGER, 0, "events", "Count of event " #n " in event_s")
#define COLUMN_TABLE(ROW) \
	ROW(COLUMN_SCHEMA, "schema", COLUMN_TEXT, 0, "", COLUMN_SCHEMA_TEXT " in every row: the columns of this list") \
	ROW(COLUMN_ROW, "row", COLUMN_TEXT, 0, "", "Subject of the row: cpu, cluster, kind, machine; process, other-processes, unattributed; power (of a cluster or the machine); or marker, event-change, lost") \
	ROW(COLUMN_RUN, "run", COLUMN_TEXT, 0, "", "Random id of the run") \
	ROW(COLUMN_SAMPLE, "sample", COLUMN_INTEGER, 0, "", "Number of the sample in its run, from 0") \
	ROW(COLUMN_WALL_TIME, "time", COLUMN_TIME, 0, "", "Wall clock at the end of the sample, or at the marker: UTC, ISO 8601") \
	ROW(COLUMN_ELAPSED_S, "elapsed_s", COLUMN_SECONDS, 0, "s", "Time since the first reading, sleep included") \
	ROW(COLUMN_INTERVAL_S, "interval_s", COLUMN_SECONDS, 0, "s", "Time awake that cycles and instructions cover; for a group, the mean over its CPUs that were read") \
	ROW(COLUMN_EVENT_S, "event_s", COLUMN_SECONDS, 0, "s", "Time that the events were counted") \
	ROW(COLUMN_SOURCE, "source", COLUMN_TEXT, 0, "", "Where the counts come from: kperf, perf, sim") \
	ROW(COLUMN_MODEL, "model", COLUMN_TEXT, 0, "", "The machine's processor") \
	ROW(COLUMN_CHIP, "chip", COLUMN_TEXT, 0, "", "Event database or PMU") \
	ROW(COLUMN_PACKAGE, "package", COLUMN_INTEGER, 1000000, "", "Package of the cluster or CPU") \
	ROW(COLUMN_DIE, "die", COLUMN_INTEGER, 1000000, "", "Die of the cluster or CPU") \
	ROW(COLUMN_CLUSTER, "cluster", COLUMN_TEXT, 0, "", "Label of the cluster: P0, E, CCX1, CPU") \
	ROW(COLUMN_KIND, "kind", COLUMN_TEXT, 0, "", "Kind of core, as the system names it") \
	ROW(COLUMN_LEVEL, "level", COLUMN_INTEGER, 1000000, "", "Rank of the kind; 0 is the fastest") \
	ROW(COLUMN_CORE, "core", COLUMN_INTEGER, 1000000, "", "Physical core, numbered over the machine") \
	ROW(COLUMN_CPU, "cpu", COLUMN_INTEGER, 1000000, "", "The system's number of the CPU; threads of a core differ") \
	ROW(COLUMN_N_CPUS, "n_cpus", COLUMN_INTEGER, 0, "", "CPUs of a cluster, kind or the machine") \
	ROW(COLUMN_N_OK, "n_ok", COLUMN_INTEGER, 0, "", "How many of them were read in this sample") \
	ROW(COLUMN_PRESET, "preset", COLUMN_TEXT, 0, "", "Name of the event set; empty with the fixed counters only") \
	ROW(COLUMN_DOMAIN, "domain", COLUMN_TEXT, 0, "", "Modes in which the events were counted (of a process: its cycles and instructions): all, user, kernel, mixed") \
	ROW(COLUMN_QUALITY, "quality", COLUMN_WORDS, 0, "", "Problems, as words separated by semicolons; empty if there are none") \
	ROW(COLUMN_COVERAGE, "coverage", COLUMN_REAL, 0, "", "event_s / interval_s; for a process, event_cycles / cycles") \
	ROW(COLUMN_NOTE, "note", COLUMN_TEXT, 0, "", "Text of a marker, event change or loss; events that count nothing, or differently on kinds of core; metrics of some kinds only") \
	ROW(COLUMN_BUSY_PCT, "busy_pct", COLUMN_REAL, 0, "%", "Share of the interval not idle, by the system's accounting") \
	ROW(COLUMN_BOTTLENECK, "bottleneck", COLUMN_TEXT, 0, "", "Bottleneck of the row: none, memory, backend, frontend, bad-spec, mixed, kernel; idle, off; unknown; empty if these events cannot show any") \
	ROW(COLUMN_BOTTLENECK_EST, "bottleneck_est", COLUMN_TEXT, 0, "", "Most likely bottleneck where bottleneck is unknown: an estimate") \
	ROW(COLUMN_LOST_PCT, "lost_pct", COLUMN_REAL, 0, "%", "Lost issue slots as share of the machine's slots in use; for a group, the sum of its CPUs") \
	ROW(COLUMN_LOST_CYCLES, "lost_cycles", COLUMN_INTEGER, 0, "cycles", "Cycles whose issue slots were lost; for a group, the sum of its CPUs") \
	ROW(COLUMN_CYCLES, "cycles", COLUMN_INTEGER, 0, "cycles", "Cycles by the fixed counter, user and kernel mode; for a process, in the modes of domain") \
	ROW(COLUMN_INSTRUCTIONS, "instructions", COLUMN_INTEGER, 0, "instructions", "Instructions by the fixed counter, in the modes of cycles") \
	ROW(COLUMN_EV_CYCLES, "ev_cycles", COLUMN_INTEGER, 0, "cycles", COLUMN_CYCLES_EVENT " of the event set, in its domain; on Linux cycles in event_s") \
	ROW(COLUMN_EV_INSTRUCTIONS, "ev_instructions", COLUMN_INTEGER, 0, "instructions", COLUMN_INSTRUCTIONS_EVENT " of the event set, in its domain; on Linux instructions in event_s") \
	SLOT_COLUMNS(ROW, 1) SLOT_COLUMNS(ROW, 2) SLOT_COLUMNS(ROW, 3) \
	SLOT_COLUMNS(ROW, 4) SLOT_COLUMNS(ROW, 5) SLOT_COLUMNS(ROW, 6) \
	SLOT_COLUMNS(ROW, 7) SLOT_COLUMNS(ROW, 8) SLOT_COLUMNS(ROW, 9) \
	SLOT_COLUMNS(ROW, 10) \
	ROW(COLUMN_POWER_W, "power_w", COLUMN_REAL, 0, "W", "Power of the cluster, or of all CPUs of the machine, over power_span_s; this and the next columns have values only in rows power") \
	ROW(COLUMN_POWER_SPAN_S, "power_span_s", COLUMN_SECONDS, 0, "s", "Time that power_w and nj_per_instruction cover") \
	ROW(COLUMN_NJ_PER_INSTRUCTION, "nj_per_instruction", COLUMN_REAL, 0, "nJ", "Energy of an instruction, user and kernel, over power_span_s") \
	ROW(COLUMN_DRAM_W, "dram_w", COLUMN_REAL, 0, "W", "Power of the memory") \
	ROW(COLUMN_DRAM_W_SPAN_S, "dram_w_span_s", COLUMN_SECONDS, 0, "s", "Time that dram_w covers") \
	ROW(COLUMN_GPU_W, "gpu_w", COLUMN_REAL, 0, "W", "Power of the GPU") \
	ROW(COLUMN_GPU_W_SPAN_S, "gpu_w_span_s", COLUMN_SECONDS, 0, "s", "Time that gpu_w covers") \
	ROW(COLUMN_PACKAGE_W, "package_w", COLUMN_REAL, 0, "W", "Power of the packages, with their CPUs and GPU") \
	ROW(COLUMN_PACKAGE_W_SPAN_S, "package_w_span_s", COLUMN_SECONDS, 0, "s", "Time that package_w covers") \
	ROW(COLUMN_PLATFORM_W, "platform_w", COLUMN_REAL, 0, "W", "Power of the whole platform, with the packages") \
	ROW(COLUMN_PLATFORM_W_SPAN_S, "platform_w_span_s", COLUMN_SECONDS, 0, "s", "Time that platform_w covers") \
	ROW(COLUMN_DRAM_GBS, "dram_gbs", COLUMN_REAL, 0, "GB/s", "Memory traffic, 10^9 bytes a second, read and written") \
	ROW(COLUMN_DRAM_READ_GBS, "dram_read_gbs", COLUMN_REAL, 0, "GB/s", "The part of dram_gbs that was read") \
	ROW(COLUMN_DRAM_WRITE_GBS, "dram_write_gbs", COLUMN_REAL, 0, "GB/s", "The part of dram_gbs that was written") \
	ROW(COLUMN_DRAM_GBS_SPAN_S, "dram_gbs_span_s", COLUMN_SECONDS, 0, "s", "Time that dram_gbs, dram_read_gbs and dram_write_gbs cover") \
	ROW(COLUMN_POWER_FLAGS, "power_flags", COLUMN_TEXT, 0, "", "at-least, at-most: of dram_gbs; own-clock: spans are timed by ktop; sum-differs: clusters do not add up to the total; scaled: counters were shared, and the traffic that they did not count is an estimate") \
	ROW(COLUMN_CLOCK_GHZ, "clock_ghz", COLUMN_REAL, 0, "GHz", "Clock that was requested of the cluster while it was active") \
	ROW(COLUMN_THERMAL_PRESSURE, "thermal_pressure", COLUMN_TEXT, 0, "", "Thermal pressure that macOS reports: nominal, moderate, heavy, trapping, sleeping") \
	ROW(COLUMN_THROTTLED, "throttled", COLUMN_INTEGER, 1, "", "1: slower than requested by a tenth for three samples, or the system says so; empty: unknown") \
	ROW(COLUMN_PID, "pid", COLUMN_INTEGER, INT32_MAX, "", "Number of the process") \
	ROW(COLUMN_START, "start", COLUMN_INTEGER, 0, "", "Start time in the system's own unit: with pid its identity") \
	ROW(COLUMN_PROCESS, "process", COLUMN_TEXT, 0, "", "Name of the process") \
	ROW(COLUMN_USER, "user", COLUMN_TEXT, 0, "", "Name of its user") \
	ROW(COLUMN_UID, "uid", COLUMN_INTEGER, UINT32_MAX, "", "Number of its user") \
	ROW(COLUMN_THREADS, "threads", COLUMN_INTEGER, UINT32_MAX, "", "Threads at the end of the sample; for other-processes, the number of processes") \
	ROW(COLUMN_PCYCLES, "pcycles", COLUMN_INTEGER, 0, "cycles", "Cycles on the fastest kind of core") \
	ROW(COLUMN_PINSTRUCTIONS, "pinstructions", COLUMN_INTEGER, 0, "instructions", "Instructions on the fastest kind of core") \
	ROW(COLUMN_USER_NS, "user_ns", COLUMN_INTEGER, 0, "ns", "CPU time in user mode") \
	ROW(COLUMN_SYSTEM_NS, "system_ns", COLUMN_INTEGER, 0, "ns", "CPU time in the kernel") \
	ROW(COLUMN_PTIME_NS, "ptime_ns", COLUMN_INTEGER, 0, "ns", "CPU time on the fastest kind of core") \
	ROW(COLUMN_ENERGY_NJ, "energy_nj", COLUMN_INTEGER, 0, "nJ", "The system's estimate of its cores' energy") \
	ROW(COLUMN_P_SHARE, "p_share_pct", COLUMN_REAL, 0, "%", "Share of its CPU time on the fastest kind of core") \
	ROW(COLUMN_OTHER_NS, "other_ns", COLUMN_INTEGER, 0, "ns", "CPU time on all other kinds of core") \
	ROW(COLUMN_PENERGY_NJ, "penergy_nj", COLUMN_INTEGER, 0, "nJ", "Energy on the fastest kind of core") \
	ROW(COLUMN_CPU_PCT, "cpu_pct", COLUMN_REAL, 0, "%", "CPU time in percent of the interval: 100 is one CPU, several threads can have more") \
	ROW(COLUMN_STATE, "state", COLUMN_TEXT, 0, "", "runs, sleeps, stopped, ended; empty: unknown") \
	ROW(COLUMN_PARENT, "ppid", COLUMN_INTEGER, INT32_MAX, "", "Number of the parent process") \
	ROW(COLUMN_STARTED, "started", COLUMN_TIME, 0, "", "Wall clock at its start, UTC, ISO 8601") \
	ROW(COLUMN_BEGAN, "began", COLUMN_INTEGER, UINT32_MAX, "", "Of other-processes: processes and threads started in the sample, those that ended unseen too (Linux: forks)") \
	ROW(COLUMN_BEGAN_SEEN, "began_seen", COLUMN_INTEGER, UINT32_MAX, "", "Of other-processes: processes that were seen to start in the sample") \
	ROW(COLUMN_EVENT_CYCLES, "event_cycles", COLUMN_INTEGER, 0, "cycles", "Cycles counted together with its events; for unattributed, those of no process") \
	ROW(COLUMN_EVENT_INSTRUCTIONS, "event_instructions", COLUMN_INTEGER, 0, "instructions", "Instructions counted together with its events; for unattributed, those of no process") \
	ROW(COLUMN_ANE_W, "ane_w", COLUMN_REAL, 0, "W", "Power of the neural engine") \
	ROW(COLUMN_ANE_W_SPAN_S, "ane_w_span_s", COLUMN_SECONDS, 0, "s", "Time that ane_w covers")
/* clang-format on */

#define COLUMN_ID(id, ...) id,
enum column_id { COLUMN_TABLE(COLUMN_ID) COLUMN_FIELDS };
#undef COLUMN_ID

enum {
	COLUMN_SLOTS = COLUMN_E1, /* e1; c1, e2, c2 ... follow */
	COLUMNS_MAX = COLUMN_FIELDS + METRIC_MAX
};

enum column_row { /* the first four are in the order of enum scope_level */
		  ROW_OF_CPU,
		  ROW_OF_CLUSTER,
		  ROW_OF_KIND,
		  ROW_OF_MACHINE,
		  ROW_OF_PROCESS,
		  ROW_OF_OTHERS,
		  ROW_OF_NOBODY,
		  ROW_OF_MARKER,
		  ROW_OF_CHANGE,
		  ROW_OF_LOSS,
		  ROW_OF_POWER,
		  COLUMN_ROWS
};
extern const char *const column_row_name[COLUMN_ROWS];

/* Finds a word of ktop/2 or ktop/1; COLUMN_ROWS: unknown word. */
enum column_row column_row_find(const char *word, size_t n);

struct column {
	unsigned id; /* enum column_id, or COLUMN_FIELDS + metric's index */
	const char *name;
	enum column_type type;
	uint64_t limit;
	const char *unit;
	const char *text; /* meaning, without a full stop */
};

unsigned column_count(void);

struct column column_at(unsigned i);

const struct column *column_of(enum column_id id);

/* Index for column_at of a name of ktop/2 or ktop/1; -1: none. */
int column_find(const char *name);

struct record {
	bool known[COLUMN_FIELDS];
	bool negative; /* counts may be negative, in two's complement:
			  (unattributed) */
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

/* A negative v means no value. */
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
