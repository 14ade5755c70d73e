/* Processes: readings of a source, and rows of a frame. Identity is (pid,
 * start), as pids are reused. */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include "base/clock.h"
#include "model/event.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- derived values ---- */

/* Constant; name in files; label; unit; decimals; meaning; needed PROCESS_HAS_
 * bits; formula in process_rest.c (o: struct operands). Parts 0 and 1 are the
 * kinds of core with split counts (P and E; S and others). Each row is a
 * column; those not in ui/panels/process_table.c are displayed before the trend
 * if there is room or if they are the sort key. */
/* clang-format off */
#define PROCESS_METRIC_TABLE(ROW) \
	ROW(PROCESS_CPU, "cpu_pct", "CPU%", "%", 1, "CPU time in percent of the interval: 100 is one core", PROCESS_HAS_TIMES, 100 * quotient_or_nan(o->cpu_ns, o->wall_ns)) \
	ROW(PROCESS_P_TIME, "p_time_pct", "P%", "%", 0, "share of its CPU time on the fastest kind of core", PROCESS_HAS_PART_TIMES, part_time(o)) \
	ROW(PROCESS_P_WORK, "p_work_pct", "P wk%", "%", 0, "share of its cycles on the fastest kind of core", PROCESS_HAS_PARTS, part_work(o)) \
	ROW(PROCESS_CYCLES_PCT, "cycles_pct", "cyc%", "%", 1, "its cycles in percent of the cycles of all cores", PROCESS_HAS_COUNTS, part_of_all_pct(o->cycles, o->all_cycles)) \
	ROW(PROCESS_IPC, "ipc", "IPC", "", 2, "instructions per cycle", PROCESS_HAS_COUNTS, quotient_or_nan(o->instructions, o->cycles)) \
	ROW(PROCESS_IPC_0, "ipc_0", "IPC P", "", 2, "IPC on the fastest kind of core", PROCESS_HAS_PARTS, operand_part_ipc(o, 0)) \
	ROW(PROCESS_IPC_1, "ipc_1", "IPC E", "", 2, "IPC on all other kinds of core", PROCESS_HAS_PARTS, operand_part_ipc(o, 1)) \
	ROW(PROCESS_GIPS, "gips", "Gi/s", "G/s", 1, "billions of instructions per second", PROCESS_HAS_COUNTS, quotient_or_nan(o->instructions, o->wall_ns)) \
	ROW(PROCESS_GHZ, "ghz", "GHz", "GHz", 2, "cycles per second of its CPU time", PROCESS_HAS_COUNTS | PROCESS_HAS_TIMES, clock_rate(o))
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

/* Or -1. */
int process_metric_find(const char *name);

/* ---- readings ---- */

enum {
	PROCESS_NAME_SIZE = 64,
	PROCESS_USER_SIZE = 32,
	PROCESS_PARTS = 4,       /* kinds of core with split counts */
	PROCESS_ROWS_MAX = 4096, /* more are dropped, with a notice */
	PROCESS_THREADS_MAX = 256,
	PROCESS_COMMAND_SIZE = 256, /* longer ones are cut */
	PROCESS_TOP = 24 /* at most so many processes have counters (Linux), as
			    each costs time */
};

/* Constant, word in files; new rows at the end. "ended": a zombie, or gone. */
/* clang-format off */
#define PROCESS_STATES(ROW) \
	ROW(PROCESS_STATE_UNKNOWN, "") \
	ROW(PROCESS_RUNS, "runs") \
	ROW(PROCESS_SLEEPS, "sleeps") \
	ROW(PROCESS_STOPPED, "stopped") \
	ROW(PROCESS_ENDED, "ended")

/* Reasons for missing counts, and their words. */
#define PROCESS_ACCESSES(ROW) \
	ROW(PROCESS_COUNTED, "", "") \
	ROW(PROCESS_NEW, "new", "seen for the first time; numbers follow with the next sample") \
	ROW(PROCESS_DENIED, "denied", "another user's process, or protected by the system") \
	ROW(PROCESS_NO_COUNTERS, "no counters", "this machine has no counters per process") \
	ROW(PROCESS_NOT_TRACKED, "not counted", "only the busiest are counted") \
	ROW(PROCESS_NO_ROOM, "no room", "the limit on open files leaves no counter for it") \
	ROW(PROCESS_UNREADABLE, "unreadable", "the system returned invalid data") \
	ROW(PROCESS_IN_USE, "in-use", "the counters are in use, by the events of the cores or by another program")
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

/* Bits of `known`. */
enum {
	PROCESS_HAS_TIMES = 1 << 0,      /* user_ns, system_ns */
	PROCESS_HAS_COUNTS = 1 << 1,     /* cycles, instructions */
	PROCESS_HAS_PARTS = 1 << 2,      /* of each part */
	PROCESS_HAS_PART_TIMES = 1 << 3, /* cpu_ns of each part */
	PROCESS_HAS_ENERGY = 1 << 4,     /* energy_nj */
	PROCESS_HAS_PART_ENERGY = 1 << 5 /* of each part */
};

/* Sent as is by the counter server: no padding (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* On one kind of core. */
struct process_part {
	uint64_t cycles, instructions, cpu_ns, energy_nj;
};

/* Totals, or differences. Known parts add up to the whole. Energy is the
 * system's estimate. */
struct process_totals {
	uint64_t cycles, instructions;
	uint64_t user_ns, system_ns;
	uint64_t energy_nj;
	struct process_part part[PROCESS_PARTS];
};

enum {                           /* of a row */
       PROCESS_PARTIAL = 1 << 0, /* incomplete */
       PROCESS_SCALED = 1 << 1, /* counters were shared: values are estimates */
       PROCESS_CATCHUP = 1 << 2, /* covers more than one interval */
       PROCESS_GAP = 1 << 3,     /* the machine or ktop slept */
       PROCESS_SKEW = 1 << 4, /* delayed counts make (unattributed) unknown */
       PROCESS_RESTARTED = 1 << 5, /* counts fell: treated as new */
       PROCESS_BORN = 1 << 6, /* started in this interval; has all its counts */
       PROCESS_KEPT = 1 << 7  /* asleep and not read: totals are old, and the
				 next difference covers this time (CATCHUP) */
};

/* A recording's row for processes without a row. */
#define PROCESS_OTHERS_PID (-1)
#define PROCESS_OTHERS_NAME "(other processes)"
#define PROCESS_REST_NAME "(unattributed)"

/* A process or thread, as read. */
struct process_read {
	int32_t pid, parent; /* parent -1: unknown */
	uint64_t start; /* identifies a process, with pid; in the source's unit
			 */
	int64_t started_ns;       /* wall clock; 0: unknown */
	int64_t started_awake_ns; /* source's clock; 0: unknown */
	uint32_t uid;
	unsigned threads; /* 0: unknown */
	uint64_t thread;  /* 0: a process */
	uint8_t state;    /* enum process_state */
	uint8_t access;   /* enum process_access of counts */
	uint8_t unused[2];
	uint32_t flags; /* PROCESS_PARTIAL, _SCALED, _KEPT */
	uint32_t known; /* PROCESS_HAS_... */
	/* If it changes, counts start over: no difference; times do not. */
	uint32_t counting;
	int64_t interval_ns; /* awake time of a recorded difference; 0: the
				frame's */
	char name[PROCESS_NAME_SIZE]; /* unescaped, with NUL */
	char user[PROCESS_USER_SIZE]; /* "": unknown */
	struct process_totals total;
};

/* Kinds of core with split counts; n 0: none. */
struct process_parts {
	unsigned n;
	char label[PROCESS_PARTS][16]; /* "P", "E"; "not S": several kinds */
	int kind[PROCESS_PARTS];       /* -1: several */
};

/* The fastest kind and the others; none on machines with one kind. */
void process_parts_of(const struct topology *t, struct process_parts *out);

#pragma GCC diagnostic pop

/* The set's events by process, on request: from kernel tracing (macOS) or from
 * counters of its threads (Linux). */
enum {
	PROCESS_TRACED_MAX = 512, /* more are dropped, with a notice */
	PROCESS_TRACED_THREADS = 256,
	PROCESS_TRACED_WHY = 160
};

enum process_tracing {
	PROCESS_TRACING_NONE, /* impossible with this source */
	PROCESS_TRACING_OFF,  /* possible */
	PROCESS_TRACING_ON,
	PROCESS_TRACING_REFUSED /* failed: `why` */
};

/* Sent as is by the counter server: no padding (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Of one interval. */
struct process_counts {
	int32_t pid, unused;
	uint64_t thread; /* 0: a process */
	uint64_t cycles, instructions;
	uint64_t slot[EVENTSET_MAX];
};

struct process_traced {
	uint64_t files;   /* descriptors for its counters */
	uint64_t cycles;  /* of all rows */
	uint64_t gaps;    /* number of times that records were lost */
	uint64_t dropped; /* impossible differences */
	uint64_t period_ns;
	int64_t cost_ns;   /* of this reading */
	int32_t owner;     /* pid of the kernel trace's owner; 0: none */
	uint32_t slots;    /* bits of counted slots */
	unsigned left_out; /* rows without room */
	unsigned n, nthreads;
	uint8_t state; /* enum process_tracing */
	bool own;      /* from counters, not from kernel tracing */
	bool recorded; /* from a recording: has only rows and slots */
	uint8_t unused;
	char why[PROCESS_TRACED_WHY];                  /* sentence, or "" */
	struct process_counts row[PROCESS_TRACED_MAX]; /* [n], by pid */
	/* Of the opened process, by thread. */
	struct process_counts thread[PROCESS_TRACED_THREADS];
};
#pragma GCC diagnostic pop

/* Process data that the user wants; borrowed during the call. All empty:
 * release costly resources. */
struct process_request {
	unsigned top; /* limit of counted processes where counting is costly */
	int32_t opened;     /* show its threads; -1: none */
	uint64_t opened_at; /* its start */
	const int32_t *pin; /* [npins], also counted */
	unsigned npins;
	bool first; /* take counters before the cores' events, which may
		       otherwise use all (Linux) */
	bool trace; /* count the set's events of each process: kernel tracing
		       (macOS) or counters (Linux) */
};

#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* The arguments, joined by blanks; read when opened, and after exec. */
struct process_command {
	int32_t pid; /* -1: none */
	uint32_t unused;
	uint64_t start;
	char text[PROCESS_COMMAND_SIZE]; /* "": unknown or denied */
};

/* All processes, right after the cores were read. */
struct process_reading {
	struct stamp stamp;
	int64_t cost_ns;
	uint64_t started; /* processes and threads started since boot;
			     recording: in its frame; UINT64_MAX: unknown */
	struct process_command command; /* of the opened process, unescaped */
	struct process_parts parts;
	enum domain domain; /* of cycles and instructions */
	unsigned n;
	unsigned nthreads; /* of the opened process */
	unsigned left_out; /* processes without room */
	char notice[160];  /* "counters for 31 of 212 processes ...", or "" */
	/* Contains all processes, except those that ended unseen or that root
	 * cannot read: the remainder is (unattributed). */
	bool everything;
	bool recorded; /* differences with flags and (unattributed), which may
			  be negative in two's complement */
	bool has_rest; /* recording: `rest` is given */
	uint8_t unused;
	unsigned born; /* processes seen to start */
	/* The struct is sent as it is up to here. */
	unsigned room; /* capacity of `row` */
	struct process_read *row;
	struct process_read thread[PROCESS_THREADS_MAX];
	struct process_read rest;
	struct process_traced traced;
};
#pragma GCC diagnostic pop

/* Differences since the previous frame. */
struct process_row {
	int32_t pid, parent;
	uint64_t start;
	int64_t started_ns;
	uint32_t uid;
	unsigned threads;
	uint64_t thread;
	uint8_t state, access;
	uint32_t flags, known;
	bool still;   /* all 0 */
	bool flagged; /* used few of its slots for several frames, and enough of
			 the machine's cycles */
	const char *name, *user; /* the table's strings; clean UTF-8 */
	struct process_totals d;
	/* Counts of the set's events in this interval; NULL: none. */
	const struct span *events;
	double interval_s;             /* awake time covered */
	double value[PROCESS_METRICS]; /* NAN: unknown */
};

/* Belongs to monitor/processes.h. */
struct process_table {
	unsigned n;
	const struct process_row *row; /* [n], by pid, start */
	unsigned nthreads;             /* of `opened` */
	const struct process_row *thread;
	int32_t opened; /* -1: none */
	uint64_t opened_at;
	/* Of `opened`, without control characters. */
	const struct process_command *command;
	bool has_rest;
	/* The cores' counts minus those of rows; if negative (delayed counts)
	 * they are not `known`. */
	struct process_row rest;
	struct process_row own; /* sum of rows */
	struct process_row cores;
	struct process_parts parts;
	enum domain domain;
	bool everything;
	double capacity_pct;  /* of the machine in cpu_pct: 100 per CPU */
	uint64_t started;     /* forks; UINT64_MAX: unknown */
	unsigned born, ended; /* seen */
	int64_t cost_ns;
	const char *notice;
	/* How events were counted, without rows; NULL: a past frame. */
	const struct process_traced *traced;
};

void process_traced_reset(struct process_traced *t);

void process_counts_add(struct process_counts *to,
			const struct process_counts *c);

/* After all rows were added. */
void process_traced_sort(struct process_traced *t);

/* NULL: none. */
const struct process_counts *process_traced_find(const struct process_traced *t,
						 int32_t pid, uint64_t thread);

bool process_reading_init(struct process_reading *r, unsigned room);
void process_reading_free(struct process_reading *r);

/* args: len bytes, each argument ends in NUL; may be cut. */
void process_command_make(struct process_command *c, int32_t pid,
			  uint64_t start, const char *args, size_t len);

/* Makes room for n rows; false: above PROCESS_ROWS_MAX, or no memory. */
bool process_reading_grow(struct process_reading *r, unsigned n);

/* ---- totals ---- */

/* The fields that restart when process_read.counting changes. */
enum {
	PROCESS_HAS_COUNTED = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
			      PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY |
			      PROCESS_HAS_PART_ENERGY
};

/* Bits of the known fields that decreased. */
uint32_t process_totals_fell(const struct process_totals *before,
			     const struct process_totals *now, uint32_t known);

/* *d = now - before; 0 for unknown fields, and for a time that decreased. */
void process_totals_since(const struct process_totals *before,
			  const struct process_totals *now, uint32_t known,
			  struct process_totals *d);

/* Adds the known fields. */
void process_totals_add(struct process_totals *sum,
			const struct process_totals *add, uint32_t known);

/* PROCESS_HAS_PART bits that are unknown although the process's total is known.
 */
uint32_t process_lacks(uint32_t known);

/* Searches rows sorted by pid, start; NULL: none. */
const struct process_row *process_find(const struct process_row *row,
				       unsigned n, int32_t pid, uint64_t start);

/* Sets row->value. cores: for shares; NULL: cycles_pct is NAN. The IPC of a
 * part with under 1 % of the row's cycles, or under 10^6, is NAN. */
void process_metrics_of(struct process_row *row,
			const struct process_row *cores, unsigned parts);

/* ---- words of a row in files ---- */

/* Bit, word, sentence. A row's word of PROCESS_ACCESSES precedes these. */
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

/* Writes "denied;partial" or ""; returns buf. */
const char *process_words(const struct process_row *r, char *buf,
			  unsigned size);

/* Sets the flag or access that s[0..n) names; false: unknown word. */
bool process_word_parse(const char *s, size_t n, uint32_t *flags,
			uint8_t *access);

/* "": unknown. */
const char *process_state_name(uint8_t state);

/* False: unknown word. */
bool process_state_parse(const char *s, size_t n, uint8_t *state);

#endif
