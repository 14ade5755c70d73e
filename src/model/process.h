/* Processes: readings of a source, and rows of a frame. (pid, start) identifies
 * a process, as pids are reused. */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include "base/clock.h"
#include "model/event.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- derived values ---- */

/* Columns: constant; name in files; label; unit; decimals; meaning;
 * PROCESS_HAS_ bits that the formula needs; formula (o: struct operands). Parts
 * 0 and 1 are the fastest kind of core and the others. */
/* clang-format off */
#define PROCESS_METRIC_TABLE(ROW) \
	ROW(PROCESS_CPU, "cpu_pct", "CPU%", "%", 1, "CPU time in percent of the interval: 100 is one core", PROCESS_HAS_TIMES, 100 * quotient_or_nan(o->cpu_ns, o->wall_ns)) \
	ROW(PROCESS_P_TIME, "p_time_pct", "P%", "%", 0, "share of the process's CPU time on the fastest kind of core", PROCESS_HAS_PART_TIMES, part_time(o)) \
	ROW(PROCESS_P_WORK, "p_work_pct", "P wk%", "%", 0, "share of the process's cycles on the fastest kind of core", PROCESS_HAS_PARTS, part_work(o)) \
	ROW(PROCESS_CYCLES_PCT, "cycles_pct", "cyc%", "%", 1, "cycles of the process in percent of the cycles of all cores", PROCESS_HAS_COUNTS, part_of_all_pct(o->cycles, o->all_cycles)) \
	ROW(PROCESS_IPC, "ipc", "IPC", "", 2, "instructions per cycle", PROCESS_HAS_COUNTS, quotient_or_nan(o->instructions, o->cycles)) \
	ROW(PROCESS_IPC_0, "ipc_0", "IPC P", "", 2, "IPC on the fastest kind of core", PROCESS_HAS_PARTS, operand_part_ipc(o, 0)) \
	ROW(PROCESS_IPC_1, "ipc_1", "IPC E", "", 2, "IPC on all other kinds of core", PROCESS_HAS_PARTS, operand_part_ipc(o, 1)) \
	ROW(PROCESS_GIPS, "gips", "Gi/s", "G/s", 1, "billions of instructions per second", PROCESS_HAS_COUNTS, quotient_or_nan(o->instructions, o->wall_ns)) \
	ROW(PROCESS_GHZ, "ghz", "GHz", "GHz", 2, "cycles per second of CPU time", PROCESS_HAS_COUNTS | PROCESS_HAS_TIMES, clock_rate(o))
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

int process_metric_find(const char *name);

/* ---- readings ---- */

enum {
	PROCESS_NAME_SIZE = 64,
	PROCESS_USER_SIZE = 32,
	PROCESS_PARTS = 4,       /* most kinds of core with separate counts */
	PROCESS_ROWS_MAX = 4096, /* more are dropped, with a notice */
	PROCESS_THREADS_MAX = 256,
	PROCESS_COMMAND_SIZE = 256,
	PROCESS_TOP = 24 /* most processes with counters (Linux) */
};

/* Columns: constant, word in files. Add rows at the end. "ended": a zombie, or
 * gone. */
/* clang-format off */
#define PROCESS_STATES(ROW) \
	ROW(PROCESS_STATE_UNKNOWN, "") \
	ROW(PROCESS_RUNS, "runs") \
	ROW(PROCESS_SLEEPS, "sleeps") \
	ROW(PROCESS_STOPPED, "stopped") \
	ROW(PROCESS_ENDED, "ended")

/* Reasons for missing counts. Columns: constant, word in files, explanation. */
#define PROCESS_ACCESSES(ROW) \
	ROW(PROCESS_COUNTED, "", "") \
	ROW(PROCESS_NEW, "new", "seen for the first time; numbers follow with the next sample") \
	ROW(PROCESS_DENIED, "denied", "another user's process, or protected by the system") \
	ROW(PROCESS_NO_COUNTERS, "no counters", "this machine has no counters per process") \
	ROW(PROCESS_NOT_TRACKED, "not counted", "only the busiest processes are counted") \
	ROW(PROCESS_NO_ROOM, "no room", "the limit on open files leaves no counter for this process") \
	ROW(PROCESS_UNREADABLE, "unreadable", "the system returned invalid data") \
	ROW(PROCESS_IN_USE, "in-use", "the events of the cores or another program use the counters")
/* clang-format on */

#define PROCESS_CONSTANT(constant, word) constant,
enum process_state { PROCESS_STATES(PROCESS_CONSTANT) PROCESS_STATE_COUNT };
#undef PROCESS_CONSTANT
#define PROCESS_CONSTANT(constant, word, text) constant,
enum process_access { PROCESS_ACCESSES(PROCESS_CONSTANT) PROCESS_ACCESS_COUNT };
#undef PROCESS_CONSTANT

extern const char *const process_state_word[PROCESS_STATE_COUNT];
extern const char *const process_access_word[PROCESS_ACCESS_COUNT];
extern const char *const process_access_text[PROCESS_ACCESS_COUNT];

enum {
	PROCESS_HAS_TIMES = 1 << 0,
	PROCESS_HAS_COUNTS = 1 << 1,
	PROCESS_HAS_PARTS = 1 << 2,      /* cycles, instructions of each part */
	PROCESS_HAS_PART_TIMES = 1 << 3, /* cpu_ns of each part */
	PROCESS_HAS_ENERGY = 1 << 4,
	PROCESS_HAS_PART_ENERGY = 1 << 5 /* energy_nj of each part */
};

/* No padding: the counter server sends these bytes (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
struct process_part {
	uint64_t cycles, instructions, cpu_ns, energy_nj;
};

/* Totals, or differences of totals. energy_nj is the system's estimate. */
struct process_totals {
	uint64_t cycles, instructions;
	uint64_t user_ns, system_ns;
	uint64_t energy_nj;
	struct process_part part[PROCESS_PARTS];
};

enum {
	PROCESS_PARTIAL = 1 << 0,
	PROCESS_SCALED = 1 << 1,
	PROCESS_CATCHUP = 1 << 2,
	PROCESS_GAP = 1 << 3,
	PROCESS_SKEW = 1 << 4,
	PROCESS_RESTARTED = 1 << 5,
	PROCESS_BORN = 1 << 6,
	PROCESS_KEPT = 1 << 7
};

/* A recording's row for all processes that have no row. */
#define PROCESS_OTHERS_PID (-1)
#define PROCESS_OTHERS_NAME "(other processes)"
#define PROCESS_REST_NAME "(unattributed)"

struct process_read {
	int32_t pid, parent;      /* parent -1: unknown */
	uint64_t start;           /* start time in the source's unit */
	int64_t started_ns;       /* start by the wall clock, ns since 1970; 0:
				     unknown */
	int64_t started_awake_ns; /* start by the clock of stamp.awake_ns; 0:
				     unknown */
	uint32_t uid;
	unsigned threads; /* 0: unknown */
	uint64_t thread;  /* id; 0: a process */
	uint8_t state;
	uint8_t access;
	uint8_t unused[2];
	uint32_t flags; /* PROCESS_PARTIAL, _SCALED, _KEPT */
	uint32_t known;
	/* Changes when counters of the process are opened again, as their
	 * counts then start at 0. */
	uint32_t counting;
	int64_t interval_ns; /* time awake of a recorded row; 0: the frame's */
	char name[PROCESS_NAME_SIZE]; /* unescaped, with NUL */
	char user[PROCESS_USER_SIZE]; /* "": unknown */
	struct process_totals total;
};

/* Groups of kinds of core for which counts are separate; n 0: none. */
struct process_parts {
	unsigned n;
	char label[PROCESS_PARTS][16]; /* "P", "E"; "not S": several kinds */
	int kind[PROCESS_PARTS];       /* -1: several kinds */
};

/* Sets two parts, the fastest kind and the others; none if there is only one
 * kind. */
void process_parts_of(const struct topology *t, struct process_parts *out);

#pragma GCC diagnostic pop

/* Counts of the set's events by process come from kernel tracing (macOS) or
 * from counters of the process's threads (Linux). */
enum {
	PROCESS_TRACED_MAX = 512, /* left_out counts further rows */
	PROCESS_TRACED_THREADS = 256,
	PROCESS_TRACED_WHY = 160
};

enum process_tracing {
	PROCESS_TRACING_NONE,
	PROCESS_TRACING_OFF,
	PROCESS_TRACING_ON,
	PROCESS_TRACING_REFUSED
};

/* No padding: the counter server sends these bytes (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Counts of one interval. */
struct process_counts {
	int32_t pid, unused;
	uint64_t thread; /* id; 0: a process */
	uint64_t cycles, instructions;
	uint64_t slot[EVENTSET_MAX];
};

struct process_traced {
	uint64_t files;
	uint64_t cycles;  /* of all processes */
	uint64_t gaps;    /* how often trace records were lost */
	uint64_t dropped; /* number of impossible differences */
	uint64_t period_ns;
	int64_t cost_ns;
	int32_t owner; /* pid that owns kernel tracing; 0: none */
	uint32_t slots;
	unsigned left_out; /* rows that did not fit */
	unsigned n, nthreads;
	uint8_t state;
	bool own;      /* from counters, not from kernel tracing */
	bool recorded; /* from a recording, which has only rows and slots */
	uint8_t unused;
	char why[PROCESS_TRACED_WHY];
	struct process_counts row[PROCESS_TRACED_MAX]; /* [n], sorted by pid */
	/* [nthreads], threads of the opened process, sorted by id. */
	struct process_counts thread[PROCESS_TRACED_THREADS];
};
#pragma GCC diagnostic pop

/* The source borrows the request during the call. */
struct process_request {
	unsigned top;   /* most processes to count, where that is costly */
	int32_t opened; /* process whose threads to read; -1: none */
	uint64_t opened_at;
	/* [npins], pids of processes that are always counted. */
	const int32_t *pin;
	unsigned npins;
	bool first; /* processes get counters before the cores' events, which
		       may otherwise use all (Linux) */
	bool trace; /* count the set's events of each process */
};

#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* The arguments of a process, joined by blanks. */
struct process_command {
	int32_t pid; /* -1: none */
	uint32_t unused;
	uint64_t start;
	char text[PROCESS_COMMAND_SIZE]; /* "": unknown or denied */
};

struct process_reading {
	struct stamp stamp;
	int64_t cost_ns;
	uint64_t started; /* processes and threads started since boot; in a
			     replay, in the recorded interval; UINT64_MAX:
			     unknown */
	struct process_command command; /* of the opened process */
	struct process_parts parts;
	enum domain domain; /* modes of cycles and instructions */
	unsigned n;
	unsigned nthreads;
	unsigned left_out;
	char notice[160]; /* "counters for 31 of 212 processes ...", or "" */
	/* All processes have a row except those that ended before the reading
	 * or that root cannot read, so the remaining counts of the cores are
	 * (unattributed). */
	bool everything;
	bool recorded; /* from a recording: rows are differences, and `rest` may
			  be negative, in two's complement */
	bool has_rest; /* the recording has `rest` */
	uint8_t unused;
	unsigned born;
	/* The counter server sends the struct up to here. */
	unsigned room;
	struct process_read *row;
	struct process_read thread[PROCESS_THREADS_MAX];
	struct process_read rest;
	struct process_traced traced;
};
#pragma GCC diagnostic pop

struct process_row {
	int32_t pid, parent;
	uint64_t start;
	int64_t started_ns;
	uint32_t uid;
	unsigned threads;
	uint64_t thread;
	uint8_t state, access;
	uint32_t flags, known;
	bool still;   /* no total changed */
	bool flagged; /* used few issue slots and many cycles for several
			 intervals */
	/* Borrowed; UTF-8 without control characters. */
	const char *name, *user;
	struct process_totals d;
	/* Counts of the set's events; NULL: none. */
	const struct span *events;
	double interval_s;             /* seconds awake that the row covers */
	double value[PROCESS_METRICS]; /* NAN: unknown */
};

/* A frame's processes; monitor/processes.h owns the memory. */
struct process_table {
	unsigned n;
	const struct process_row *row; /* [n], sorted by pid, start */
	unsigned nthreads;
	const struct process_row *thread;
	int32_t opened; /* pid; -1: none */
	uint64_t opened_at;
	/* Of the opened process; UTF-8 without control characters; or NULL. */
	const struct process_command *command;
	bool has_rest;
	/* The cores' counts minus those of the rows. Negative differences,
	 * caused by delayed counts, are unknown. */
	struct process_row rest;
	struct process_row own;
	struct process_row cores;
	struct process_parts parts;
	enum domain domain;
	bool everything;
	double capacity_pct; /* cpu_pct of the whole machine: 100 per CPU */
	uint64_t started;    /* processes and threads started in the interval;
				UINT64_MAX: unknown */
	/* Numbers of processes that were seen to start, and to end. */
	unsigned born, ended;
	int64_t cost_ns;
	const char *notice;
	/* State of the event counts, without rows; NULL in past frames. */
	const struct process_traced *traced;
};

void process_traced_reset(struct process_traced *t);

void process_counts_add(struct process_counts *to,
			const struct process_counts *c);

/* Call after the last row was added, before process_traced_find. */
void process_traced_sort(struct process_traced *t);

/* Finds a thread, or with thread 0 the process; NULL: none. */
const struct process_counts *process_traced_find(const struct process_traced *t,
						 int32_t pid, uint64_t thread);

bool process_reading_init(struct process_reading *r, unsigned room);
void process_reading_free(struct process_reading *r);

/* args: len bytes of arguments, each ended by NUL. */
void process_command_make(struct process_command *c, int32_t pid,
			  uint64_t start, const char *args, size_t len);

/* Makes room for n rows; false: over PROCESS_ROWS_MAX, or out of memory. */
bool process_reading_grow(struct process_reading *r, unsigned n);

/* ---- totals ---- */

/* The fields that restart when process_read.counting changes. */
enum {
	PROCESS_HAS_COUNTED = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
			      PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY |
			      PROCESS_HAS_PART_ENERGY
};

/* Returns the bits of known fields that decreased. */
uint32_t process_totals_fell(const struct process_totals *before,
			     const struct process_totals *now, uint32_t known);

/* *d = now - before; unknown fields and times that decreased are 0. */
void process_totals_since(const struct process_totals *before,
			  const struct process_totals *now, uint32_t known,
			  struct process_totals *d);

void process_totals_add(struct process_totals *sum,
			const struct process_totals *add, uint32_t known);

/* PROCESS_HAS_PART bits that are unknown although the total is known. */
uint32_t process_lacks(uint32_t known);

/* Rows must be sorted by pid and start. NULL: none. */
const struct process_row *process_find(const struct process_row *row,
				       unsigned n, int32_t pid, uint64_t start);

/* Sets row->value. Without cores cycles_pct is NAN. The IPC of a part with
 * under 1 % of the row's cycles, or under 10^6, is NAN. */
void process_metrics_of(struct process_row *row,
			const struct process_row *cores, unsigned parts);

/* ---- words of a row in files ---- */

/* Columns: bit, word, sentence. In files a word of PROCESS_ACCESSES comes
 * first. */
/* clang-format off */
#define PROCESS_FLAGS(ROW) \
	ROW(PROCESS_PARTIAL, "partial", "Only a part of its counts is known.") \
	ROW(PROCESS_SCALED, "scaled", "Its counters were shared with other events: the counts are estimated.") \
	ROW(PROCESS_CATCHUP, "catchup", "Covers several samples; see interval_s.") \
	ROW(PROCESS_GAP, "gap", "The machine slept, or ktop was stopped, in this interval.") \
	ROW(PROCESS_SKEW, "delayed", "Unattributed counts are unknown: delayed counts gave the processes more than the cores.") \
	ROW(PROCESS_RESTARTED, "restarted", "Its counts decreased, so it is treated as a new process.") \
	ROW(PROCESS_BORN, "born", "It started in this interval: the row has all its counts.") \
	ROW(PROCESS_KEPT, "kept", "It slept and was not read: its next row covers this time too.")
/* clang-format on */

/* Writes "denied;partial" or "" into buf, and returns buf. */
const char *process_words(const struct process_row *r, char *buf,
			  unsigned size);

/* Sets the flag or access that the word s[0..n) names. False: unknown word. */
bool process_word_parse(const char *s, size_t n, uint32_t *flags,
			uint8_t *access);

const char *process_state_name(uint8_t state);

/* False: unknown word. */
bool process_state_parse(const char *s, size_t n, uint8_t *state);

#endif
