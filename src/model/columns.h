/* The columns of a recording, schema ktop/1: the same on every machine. */
#ifndef MODEL_COLUMNS_H
#define MODEL_COLUMNS_H

#define COLUMN_SCHEMA_TEXT "ktop/1"

enum column_type { COLUMN_TEXT, COLUMN_TIME, COLUMN_INTEGER, COLUMN_REAL };
extern const char *const column_type_name[];

enum column_id { /* the columns that are not metrics, in their order */
		 COLUMN_SCHEMA,
		 COLUMN_ROW,
		 COLUMN_RUN,
		 COLUMN_FRAME,
		 COLUMN_WALL_TIME,
		 COLUMN_ELAPSED_S,
		 COLUMN_INTERVAL_S,
		 COLUMN_EVENT_S,
		 COLUMN_SOURCE,
		 COLUMN_MODEL,
		 COLUMN_CHIP,
		 COLUMN_PACKAGE,
		 COLUMN_DIE,
		 COLUMN_CLUSTER,
		 COLUMN_KIND,
		 COLUMN_LEVEL,
		 COLUMN_CORE,
		 COLUMN_CPU,
		 COLUMN_N_CPUS,
		 COLUMN_N_OK,
		 COLUMN_PRESET,
		 COLUMN_DOMAIN,
		 COLUMN_QUALITY,
		 COLUMN_COVERAGE,
		 COLUMN_NOTE,
		 COLUMN_BUSY_PCT,
		 COLUMN_CYCLES,
		 COLUMN_INSTRUCTIONS,
		 COLUMN_EV_CYCLES,
		 COLUMN_EV_INSTRUCTIONS,
		 COLUMN_SLOTS, /* e1; c1, e2, c2 ... follow */
		 COLUMN_METRICS =
			 COLUMN_SLOTS + 20, /* metric_table from here on */
		 /* Between two metrics, since columns only come at the end. */
		 COLUMN_VERDICT = COLUMN_METRICS + 106
};

/*
 * Those of processes, behind all others: name, type, unit, what it is. Files
 * without processes do not have them.
 */
/* clang-format off */
#define PROCESS_COLUMN_TABLE(ROW) \
	ROW(PROCESS_COLUMN_PID, "pid", COLUMN_INTEGER, "", "Number of the process") \
	ROW(PROCESS_COLUMN_START, "start", COLUMN_INTEGER, "", "When it began, in the system's own unit: with pid its identity") \
	ROW(PROCESS_COLUMN_NAME, "process", COLUMN_TEXT, "", "Name of the process") \
	ROW(PROCESS_COLUMN_USER, "user", COLUMN_TEXT, "", "Name of its user") \
	ROW(PROCESS_COLUMN_UID, "uid", COLUMN_INTEGER, "", "The same by number") \
	ROW(PROCESS_COLUMN_THREADS, "threads", COLUMN_INTEGER, "", "Its threads at the end of the frame; of others, how many processes they are") \
	ROW(PROCESS_COLUMN_PCYCLES, "pcycles", COLUMN_INTEGER, "cycles", "Of its cycles, those on the fastest kind of core") \
	ROW(PROCESS_COLUMN_PINSTRUCTIONS, "pinstructions", COLUMN_INTEGER, "instructions", "Of its instructions, those on the fastest kind of core") \
	ROW(PROCESS_COLUMN_USER_NS, "user_ns", COLUMN_INTEGER, "ns", "CPU time in user mode") \
	ROW(PROCESS_COLUMN_SYSTEM_NS, "system_ns", COLUMN_INTEGER, "ns", "CPU time in the kernel") \
	ROW(PROCESS_COLUMN_PTIME_NS, "ptime_ns", COLUMN_INTEGER, "ns", "CPU time on the fastest kind of core") \
	ROW(PROCESS_COLUMN_ENERGY_NJ, "energy_nj", COLUMN_INTEGER, "nJ", "The system's estimate of its cores' energy") \
	ROW(PROCESS_COLUMN_P_SHARE, "p_share_pct", COLUMN_REAL, "%", "Share of its CPU time on the fastest kind of core") \
	ROW(PROCESS_COLUMN_OTHER_NS, "other_ns", COLUMN_INTEGER, "ns", "CPU time on all other kinds of core") \
	ROW(PROCESS_COLUMN_PENERGY_NJ, "penergy_nj", COLUMN_INTEGER, "nJ", "Of its energy, that on the fastest kind of core") \
	ROW(PROCESS_COLUMN_CPU_PCT, "cpu_pct", COLUMN_REAL, "%", "CPU time in percent of the interval: 100 is one CPU, so this may be more") \
	ROW(PROCESS_COLUMN_STATE, "state", COLUMN_TEXT, "", "runs, sleeps, stopped, ended; empty: unknown") \
	ROW(PROCESS_COLUMN_PARENT, "ppid", COLUMN_INTEGER, "", "Number of the process that started it") \
	ROW(PROCESS_COLUMN_STARTED, "started", COLUMN_TIME, "", "Wall clock when it began, UTC, ISO 8601") \
	ROW(PROCESS_COLUMN_BEGAN, "began", COLUMN_INTEGER, "", "Of others: processes and threads that began in the frame, those that nobody saw too (Linux: forks)") \
	ROW(PROCESS_COLUMN_BEGAN_SEEN, "began_seen", COLUMN_INTEGER, "", "Of others: processes that were seen to begin in the frame") \
	ROW(PROCESS_COLUMN_EVENT_CYCLES, "event_cycles", COLUMN_INTEGER, "cycles", "Cycles that were counted together with its events; of the rest, those that no process's were") \
	ROW(PROCESS_COLUMN_EVENT_INSTRUCTIONS, "event_instructions", COLUMN_INTEGER, "instructions", "Instructions that were counted together with its events; of the rest, those that no process's were")
/* clang-format on */

#define PROCESS_COLUMN_ID(id, name, type, unit, text) id,
enum process_column { /* in their order */
		      PROCESS_COLUMN_TABLE(PROCESS_COLUMN_ID) PROCESS_COLUMNS
};
#undef PROCESS_COLUMN_ID

/* The events whose slots are the columns ev_cycles and ev_instructions. */
#define COLUMN_CYCLES_EVENT "CORE_ACTIVE_CYCLE"
#define COLUMN_INSTRUCTIONS_EVENT "INST_ALL"

struct column {
	const char *name;
	enum column_type type;
	const char *unit; /* "" where there is none */
	const char *text; /* one sentence without its full stop */
};

/* COLUMN_METRICS, the verdict, and one for each row of metric_table. */
unsigned column_count(void);

/* The same, and then those of processes. */
unsigned column_count_all(void);

/* Column i of column_count_all(). */
struct column column_at(unsigned i);

/* Index of the column with that name, or -1. */
int column_find(const char *name);

#endif
