/*
 * Processes next to CPUs: what a source reads of them, and what a frame says of
 * them. A process is (pid, start): a pid comes back, a start time does not.
 */
#ifndef MODEL_PROCESS_H
#define MODEL_PROCESS_H

#include "base/clock.h"
#include "model/event.h"
#include "model/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- what is derived of a process: one row each ---- */

/*
 * Constant; name in files; label on the screen; unit; decimals; what it is;
 * what must be known for it (PROCESS_HAS_...); what it is made of, as an
 * expression of process_rest.c (o: struct operands). Of "part 0" and "part
 * 1": the first kinds of core that counts are split by (P and E; S and all
 * others). Each is a column; one without a place in ui/panels/process_table.c
 * stands before the trend where there is room, or where it sorts.
 */
/* clang-format off */
#define PROCESS_METRIC_TABLE(ROW) \
	ROW(PROCESS_CPU, "cpu_pct", "CPU%", "%", 1, "CPU time in percent of the interval: 100 is one core", PROCESS_HAS_TIMES, 100 * quotient_or_nan(o->cpu_ns, o->wall_ns)) \
	ROW(PROCESS_P_TIME, "p_time_pct", "P t%", "%", 0, "share of its CPU time on the fastest kind of core", PROCESS_HAS_PART_TIMES, part_time(o)) \
	ROW(PROCESS_P_WORK, "p_work_pct", "P wk%", "%", 0, "share of its cycles on the fastest kind of core", PROCESS_HAS_PARTS, part_work(o)) \
	ROW(PROCESS_CYCLES_PCT, "cycles_pct", "cyc%", "%", 1, "its cycles in percent of the cycles of all cores", PROCESS_HAS_COUNTS, part_of_all_pct(o->cycles, o->all_cycles)) \
	ROW(PROCESS_IPC, "ipc", "IPC", "", 2, "instructions per cycle", PROCESS_HAS_COUNTS, quotient_or_nan(o->instructions, o->cycles)) \
	ROW(PROCESS_IPC_0, "ipc_0", "IPC P", "", 2, "IPC on the fastest kind of core", PROCESS_HAS_PARTS, operand_part_ipc(o, 0)) \
	ROW(PROCESS_IPC_1, "ipc_1", "IPC E", "", 2, "IPC on all other kinds of core", PROCESS_HAS_PARTS, operand_part_ipc(o, 1)) \
	ROW(PROCESS_GIPS, "gips", "Gi/s", "G/s", 1, "billions of instructions per second", PROCESS_HAS_COUNTS, quotient_or_nan(o->instructions, o->wall_ns)) \
	ROW(PROCESS_GHZ, "ghz", "GHz", "GHz", 2, "cycles per second of its CPU time", PROCESS_HAS_COUNTS | PROCESS_HAS_TIMES, clock_rate(o)) \
	ROW(PROCESS_WATTS, "watts", "W~", "W", 2, "power of the cores for this process, estimated by the system", PROCESS_HAS_ENERGY, quotient_or_nan(o->energy_nj, o->wall_ns)) \
	ROW(PROCESS_NJ, "nj_inst", "nJ/i~", "nJ", 2, "energy per instruction, estimated by the system", PROCESS_HAS_ENERGY | PROCESS_HAS_COUNTS, quotient_or_nan(o->energy_nj, o->instructions))
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

/* ---- what a source reads ---- */

enum {
	PROCESS_NAME_SIZE = 64,
	PROCESS_USER_SIZE = 32,
	PROCESS_PARTS = 4,       /* kinds of core that counts are split by */
	PROCESS_ROWS_MAX = 4096, /* of a reading; what is more is dropped, said
				  */
	PROCESS_THREADS_MAX = 256,
	PROCESS_COMMAND_SIZE = 256, /* what is longer is cut */
	PROCESS_TOP = 24 /* that are counted where counting costs (Linux) */
};

/*
 * Constant, and the word in files; a new one at the end. "ended": a zombie, or
 * gone since the last look.
 */
/* clang-format off */
#define PROCESS_STATES(ROW) \
	ROW(PROCESS_STATE_UNKNOWN, "") \
	ROW(PROCESS_RUNS, "runs") \
	ROW(PROCESS_SLEEPS, "sleeps") \
	ROW(PROCESS_STOPPED, "stopped") \
	ROW(PROCESS_ENDED, "ended")

/* Why a process has no counts (cycles, instructions), and the word for it. */
#define PROCESS_ACCESSES(ROW) \
	ROW(PROCESS_COUNTED, "", "") \
	ROW(PROCESS_NEW, "new", "seen for the first time; numbers follow with the next sample") \
	ROW(PROCESS_DENIED, "denied", "another user's process, or protected by the system") \
	ROW(PROCESS_NO_COUNTERS, "no counters", "this machine has no counters per process") \
	ROW(PROCESS_NOT_TRACKED, "not counted", "only the busiest are counted") \
	ROW(PROCESS_NO_ROOM, "no room", "the limit on open files leaves no counter for it") \
	ROW(PROCESS_UNREADABLE, "unreadable", "the system returned invalid data") \
	ROW(PROCESS_HELD, "in-use", "the counters are in use, by the events of the cores or by another program")
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

/* What is known of a process: bits of `known`. */
enum {
	PROCESS_HAS_TIMES = 1 << 0,      /* user_ns, system_ns */
	PROCESS_HAS_COUNTS = 1 << 1,     /* cycles, instructions */
	PROCESS_HAS_PARTS = 1 << 2,      /* the same of each part */
	PROCESS_HAS_PART_TIMES = 1 << 3, /* cpu_ns of each part */
	PROCESS_HAS_ENERGY = 1 << 4,     /* energy_nj */
	PROCESS_HAS_PART_ENERGY = 1 << 5 /* of each part */
};

/* The counter server sends these as they are: no gaps (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* What a process did on one kind of core. */
struct process_part {
	uint64_t cycles, instructions, cpu_ns, energy_nj;
};

/*
 * Running totals, or differences of two. Parts sum up to the whole where all
 * are known. Energy is the system's own estimate of its time on cores.
 */
struct process_totals {
	uint64_t cycles, instructions;
	uint64_t user_ns, system_ns;
	uint64_t energy_nj;
	struct process_part part[PROCESS_PARTS];
};

enum {                             /* flags of a process in one frame */
       PROCESS_PARTIAL = 1 << 0,   /* not all it did was seen */
       PROCESS_SCALED = 1 << 1,    /* its counters were shared: estimated */
       PROCESS_CATCHUP = 1 << 2,   /* covers more than one interval */
       PROCESS_GAP = 1 << 3,       /* the machine slept, or ktop did */
       PROCESS_SKEW = 1 << 4,      /* (rest) unknown: late counts came */
       PROCESS_RESTARTED = 1 << 5, /* counts fell: it is taken for a new one */
       PROCESS_BORN = 1 << 6,      /* since the frame before; all it did is in
				      this one */
       PROCESS_KEPT = 1 << 7       /* it slept and was not looked at this time:
				      its totals are those of its last look, and
				      the next difference covers all since then
				      (CATCHUP) */
};

/* Of a recording, a row for all processes that have none of their own. */
#define PROCESS_OTHERS_PID (-1)
#define PROCESS_OTHERS_NAME "(others)"

/* One process (or thread), as read. */
struct process_read {
	int32_t pid, parent; /* parent -1: unknown */
	uint64_t start;      /* with pid its identity; the source's own unit */
	int64_t started_ns;  /* the same by the wall clock; 0: unknown */
	int64_t started_awake_ns; /* by the source's clock; 0: unknown */
	uint32_t uid;
	unsigned threads; /* 0: unknown */
	uint64_t thread;  /* of a thread its id, else 0 */
	uint8_t state;    /* enum process_state */
	uint8_t access;   /* enum process_access: of the counts */
	uint8_t unused[2];
	uint32_t flags; /* PROCESS_PARTIAL, PROCESS_SCALED, PROCESS_KEPT */
	uint32_t known; /* PROCESS_HAS_... */
	/* Another number than at the last look: its counts began again, and no
	   difference can be made. Times go on. */
	uint32_t counting;
	int64_t interval_ns; /* of a recorded difference: awake time that it
				covers; 0: the frame's */
	char name[PROCESS_NAME_SIZE]; /* as the system has it, NUL at the end;
					 may hold anything */
	char user[PROCESS_USER_SIZE]; /* "": unknown */
	struct process_totals total;
};

/* How counts of processes are split by kind of core; n 0: they are not. */
struct process_parts {
	unsigned n;
	char label[PROCESS_PARTS][16]; /* "P", "E"; "not S" of several kinds */
	int kind[PROCESS_PARTS]; /* of the topology; -1: several of them */
};

/* The fastest kind, and all others; a machine of one kind has no parts. */
void process_parts_of(const struct topology *t, struct process_parts *out);

#pragma GCC diagnostic pop

/*
 * The events of the set in force, of each process that ran: by a trace of the
 * kernel (macOS), or by counters of its own threads (Linux). Only while a
 * person wants it.
 */
enum {
	PROCESS_TRACED_MAX = 512, /* rows; more are dropped, said */
	PROCESS_TRACED_THREADS = 256,
	PROCESS_TRACED_WHY = 160
};

enum process_tracing {
	PROCESS_TRACING_NONE, /* there is none on this source */
	PROCESS_TRACING_OFF,  /* it could be */
	PROCESS_TRACING_ON,
	PROCESS_TRACING_REFUSED /* it was wanted: `why` */
};

/* The counter server sends these as they are: no gaps (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Counts of one interval. */
struct process_counts {
	int32_t pid, unused;
	uint64_t thread; /* of a process 0 */
	uint64_t cycles, instructions;
	uint64_t slot[EVENTSET_MAX];
};

struct process_traced {
	uint64_t files;   /* that counters of their own take, or would take */
	uint64_t cycles;  /* of all rows */
	uint64_t gaps;    /* times that records were lost, since it began */
	uint64_t dropped; /* differences that no CPU can have counted */
	uint64_t period_ns;
	int64_t cost_ns;   /* of reading it, this time */
	int32_t owner;     /* pid of who traces the kernel now; 0: nobody */
	uint32_t slots;    /* 1 << slot that is counted */
	unsigned left_out; /* rows for want of room */
	unsigned n, nthreads;
	uint8_t state; /* enum process_tracing */
	bool own;      /* by counters of their own: nothing is traced */
	bool recorded; /* of a recording, which has rows and slots alone */
	uint8_t unused;
	char why[PROCESS_TRACED_WHY];                  /* a sentence; "" */
	struct process_counts row[PROCESS_TRACED_MAX]; /* [n] by pid */
	/* Of the process that is open, by thread. */
	struct process_counts thread[PROCESS_TRACED_THREADS];
};
#pragma GCC diagnostic pop

/*
 * What a person wants to know; borrowed for the call. Nothing at all (top 0, no
 * pins, none opened): nobody looks any more, and what costs is let go.
 */
struct process_request {
	unsigned top;       /* at most so many are counted, where that costs */
	int32_t opened;     /* pid whose threads are wanted; -1: none */
	uint64_t opened_at; /* its start */
	const int32_t *pin; /* [npins] these too are counted */
	unsigned npins;
	bool first; /* they matter more than the cores' events, which may have
		       all counters (Linux) */
	bool trace; /* their events: takes tracing of the kernel (macOS), or
		       counters of their own (Linux) */
};

#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/*
 * What a process was started as: its arguments, a blank between two. Read once,
 * when it is opened, and when it has become another program.
 */
struct process_command {
	int32_t pid; /* -1: of none */
	uint32_t unused;
	uint64_t start;
	char text[PROCESS_COMMAND_SIZE]; /* ""; unknown, or not told */
};

/* All processes at one moment, right after the cores were read. */
struct process_reading {
	struct stamp stamp;
	int64_t cost_ns;
	uint64_t started; /* forks since boot: threads count, too; of a
			     recording, in its frame; UINT64_MAX: unknown */
	struct process_command command; /* of the process that is opened; may
					   hold anything */
	struct process_parts parts;
	enum domain domain; /* of cycles and instructions */
	unsigned n;         /* rows */
	unsigned nthreads;  /* of the process that is opened */
	unsigned left_out;  /* processes that found no room in `row` */
	char notice[160];   /* "counters for 31 of 212 processes ..."; "" */
	/* Whatever runs on the cores is in here, but for what ended unseen or
	   is denied even to root: what is missing is a row of its own, (rest).
	 */
	bool everything;
	bool recorded; /* differences instead of totals, with flags of a row and
			  a rest row; (rest) may be negative, in two's
			  complement */
	bool has_rest; /* of a recording: `rest` is what nobody had */
	uint8_t unused;
	unsigned born; /* processes that were seen to begin, where known */
	/* From here on of this process. */
	unsigned room; /* rows that `row` can hold */
	struct process_read *row;
	struct process_read thread[PROCESS_THREADS_MAX];
	struct process_read rest;
	struct process_traced traced;
};
#pragma GCC diagnostic pop

/* A row of a frame: differences since the frame before, and what they mean. */
struct process_row {
	int32_t pid, parent;
	uint64_t start;
	int64_t started_ns;
	uint32_t uid;
	unsigned threads;
	uint64_t thread;
	uint8_t state, access;
	uint32_t flags, known;
	bool still;   /* all differences are 0 */
	bool flagged; /* slow for some frames, and with enough of the machine's
		       cycles to matter */
	const char *name, *user; /* of the table; clean UTF-8, no controls */
	struct process_totals d;
	/* Events of the set, and cycles and instructions seen with them, of
	   this interval; NULL: none were counted of it. */
	const struct span *events;
	double interval_s;             /* awake seconds that it covers */
	double value[PROCESS_METRICS]; /* NAN: unknown */
};

/* The processes of one frame; see monitor/processes.h for who owns it. */
struct process_table {
	unsigned n;
	const struct process_row *row; /* [n] by pid, then start */
	unsigned nthreads;             /* of the process `opened` */
	const struct process_row *thread;
	int32_t opened; /* -1: none */
	uint64_t opened_at;
	/* Of the one that is opened, though it has no threads; clean. */
	const struct process_command *command;
	bool has_rest;
	/* The cores' less all rows'. Its differences may be negative, in two's
	   complement: counts that came late. Only shares are made of those. */
	struct process_row rest;
	struct process_row own; /* all rows together */
	struct process_row cores;
	struct process_parts parts;
	enum domain domain;
	bool everything;
	double capacity_pct;  /* of the machine in cpu_pct: 100 a CPU */
	uint64_t started;     /* forks of this interval; UINT64_MAX: unknown */
	unsigned born, ended; /* processes that were seen to */
	int64_t cost_ns;
	const char *notice;
	/* How the rows' events were counted, without rows; NULL: of a frame of
	   the past. */
	const struct process_traced *traced;
};

void process_traced_reset(struct process_traced *t);

/* Counts of both, in to. */
void process_counts_add(struct process_counts *to,
			const struct process_counts *c);

/* Puts rows in order, once all are there. */
void process_traced_sort(struct process_traced *t);

/* Of a process, or of one of its threads; NULL: it has none. */
const struct process_counts *process_traced_find(const struct process_traced *t,
						 int32_t pid, uint64_t thread);

bool process_reading_init(struct process_reading *r, unsigned room);
void process_reading_free(struct process_reading *r);

/* From len bytes of arguments, each with a NUL at its end, or cut. */
void process_command_make(struct process_command *c, int32_t pid,
			  uint64_t start, const char *args, size_t len);

/* Room for n rows at least, up to PROCESS_ROWS_MAX; false: there is none. */
bool process_reading_grow(struct process_reading *r, unsigned n);

/* ---- Totals of a process: subtracted, added up, compared ---- */

/* All that begins again where process_read.counting is another number. */
enum {
	PROCESS_HAS_COUNTED = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
			      PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY |
			      PROCESS_HAS_PART_ENERGY
};

/* Which of the known numbers (PROCESS_HAS_...) went down? */
uint32_t process_totals_fell(const struct process_totals *before,
			     const struct process_totals *now, uint32_t known);

/*
 * *d is now less before; a time that rounding took back stood still. What is
 * not known is 0.
 */
void process_totals_since(const struct process_totals *before,
			  const struct process_totals *now, uint32_t known,
			  struct process_totals *d);

/* Adds what is known. */
void process_totals_add(struct process_totals *sum,
			const struct process_totals *add, uint32_t known);

/* Parts (PROCESS_HAS_PART...) without which the known whole stands there. */
uint32_t process_lacks(uint32_t known);

/* Of n rows by pid, then start; NULL: it is not among them. */
const struct process_row *process_find(const struct process_row *row,
				       unsigned n, int32_t pid, uint64_t start);

/*
 * Fills row->value from its differences. all: the cores' own, for shares; NULL
 * cycles_pct stays NAN. Ratios of a part with less than a hundredth of the
 * row's cycles, or less than a million, are NAN: too few.
 */
void process_metrics_of(struct process_row *row,
			const struct process_row *cores, unsigned parts);

/* What is to be known of a row of a process, in the words of files. */

/*
 * The bit, its word in files, and what it says. The word of why there are no
 * counts (PROCESS_ACCESSES) stands before them.
 */
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

/* "denied;partial"; "" where there is nothing to say. Returns buf. */
const char *process_words(const struct process_row *r, char *buf,
			  unsigned size);

/*
 * One of these words, s[0..n): sets what it stands for. False: it is none of
 * them.
 */
bool process_word_parse(const char *s, size_t n, uint32_t *flags,
			uint8_t *access);

/* "" where it is not known. */
const char *process_state_name(uint8_t state);

/* The state that a word of files names, s[0..n). False: it names none. */
bool process_state_parse(const char *s, size_t n, uint8_t *state);

#endif
