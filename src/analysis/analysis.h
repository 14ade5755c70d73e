/* Digests and comparisons of recordings, for summary and compare. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "model/frame.h"
#include "model/process.h"
#include "model/stat.h"
#include "monitor/account.h"
#include "options/options.h"
#include "source/source.h"

enum {
	DIGEST_PROCESSES_MAX = 1 << 16,
	DIGEST_EVENTS = 24 /* most events of processes; others are left out and
			      counted */
};

/* instructions: counted together with the event in the same modes; 0: none. */
struct digest_counted {
	uint64_t count, instructions;
};

/* By (pid, start). */
struct digest_process {
	int32_t pid;
	uint64_t start;
	char name[PROCESS_NAME_SIZE];
	char user[PROCESS_USER_SIZE];
	uint32_t known; /* known in any frame; parts: in every frame that counts
			 */
	uint32_t unsplit; /* bits of parts that some frame lacks */
	uint32_t flags;   /* of any frame */
	uint64_t frames;
	uint64_t denied; /* frames in which its counts were denied */
	double interval_s;
	struct process_totals d;
	/* In frames with events of processes: its cycles, and those counted
	 * together with the events. */
	uint64_t counted_cycles, event_cycles;
	struct digest_counted event[DIGEST_EVENTS];
};

struct digest_processes {
	unsigned n, room;
	struct digest_process *row; /* [n], sorted by CPU time when finished */
	unsigned *slot;             /* hash: index + 1; 0 is free */
	unsigned slots;
	uint64_t frames; /* with processes */
	double seconds;
	struct digest_process others, rest;
	bool has_rest, has_others;
	struct process_parts parts; /* of the last frame */
	uint32_t domains;           /* 1 << enum domain of the frames */
	unsigned nevents;
	char event[DIGEST_EVENTS][EVENT_NAME_SIZE];
	/* Counts of the cores in frames with events of processes;
	 * unknown_events: 1 << event that some frame lacks. */
	struct digest_process cores;
	uint32_t unknown_events;
	unsigned left_out_events;
};

struct digest_processes *digest_processes_new(struct err *e);
void digest_processes_free(struct digest_processes *p);

struct digest_cores {
	const struct span *span;
	enum domain domain;
	const struct eventset *set;
};

/* If delays leave (unattributed) unknown, uses cores minus rows, negative in
 * one frame and too large in another. False and *e: no memory. */
bool digest_processes_add(struct digest_processes *p,
			  const struct process_reading *r,
			  const struct digest_cores *cores, int64_t interval_ns,
			  struct err *e);

/* Call after the last frame: sorts by CPU time. */
void digest_processes_finish(struct digest_processes *p);

/* Call next: merges processes of one name into one with pid -1. */
void digest_processes_by_name(struct digest_processes *p);
/* Call after merging. NULL: no such name. */
const struct digest_process *
digest_process_named(const struct digest_processes *p, const char *name);

enum digest_number {
	DIGEST_CPU_S,
	DIGEST_P_SHARE, /* % of its time on the first kind of core */
	DIGEST_GCYCLES,
	DIGEST_GINSTRUCTIONS,
	DIGEST_IPC,
	DIGEST_IPC_P,     /* on the first kind of core */
	DIGEST_IPC_OTHER, /* on all others */
	DIGEST_JOULES,
	DIGEST_NUMBERS
};

/* NAN: unknown. */
double digest_process_number(const struct digest_process *p,
			     enum digest_number n);
/* An event's count, rate per 1000 instructions, or part (0 to 1) of the cores'
 * counts. */
double digest_process_events(const struct digest_processes *in,
			     const struct digest_process *p, unsigned event);
double digest_process_rate(const struct digest_process *p, unsigned event);
double digest_process_part(const struct digest_processes *in,
			   const struct digest_process *p, unsigned event);

/* Limit of kept values: when it is reached, every second one is dropped. */
enum {
	DIGEST_KEPT_MAX = 8192,
	DIGEST_KEPT_MIN = 256,
	DIGEST_SETS_MAX = 64,            /* event sets of one recording */
	DIGEST_METRICS = METRIC_MAX + 16 /* including those of power.c */
};

enum digest_keep {
	DIGEST_VALUES, /* the frames' values, for percentiles */
	DIGEST_SERIES, /* numerators and denominators */
	DIGEST_NO_FRAMES
};

/* A metric of a row. */
struct digest_cell {
	double value; /* derived from the counts of all frames */
	uint64_t frames;
	float *kept; /* [digest.kept_max]; NAN: none */
	/* DIGEST_SERIES: den is what the metric was divided by, num that times
	 * its value; [kept_max] each. */
	double *num, *den;
	uint32_t domains;   /* 1 << enum domain of the frames that have it */
	double sum, weight; /* sums for `value` over several event sets */
	uint8_t marks;      /* of energy and traffic: POWER_AT_LEAST, ... */
};

struct digest {
	struct source *source; /* the recording */
	const struct topology *topology;
	const struct metric *metric[DIGEST_METRICS];
	struct user user;
	unsigned nrows, nmetrics;
	struct account account;   /* rows: scopes of a frame */
	struct digest_cell *cell; /* [nrows * nmetrics] */
	uint64_t frames;          /* of the part */
	double length_s;          /* of the part, sleep included */
	uint64_t stride;          /* frames per kept entry */
	unsigned kept, kept_max;
	uint64_t notes[3]; /* by enum recording_note_kind */
	char name[128];    /* printable */
	unsigned nsets;
	struct digest_sums *sums;           /* [nsets] */
	struct digest_processes *processes; /* NULL: the recording has none */
	struct digest_bound *bound;         /* DIGEST_SERIES */
	struct trends *trends;              /* DIGEST_VALUES */
	enum digest_keep keep;
	bool piped;
	bool grew; /* CPUs came on line: read the recording again */
};

/* Reads the part of --from, --to and --mark. Drops root privileges first. NULL
 * and *e on failure. */
struct digest *digest_new(const char *const *path, unsigned n,
			  const struct options *o, enum digest_keep keep,
			  struct err *e);
void digest_free(struct digest *d);

static inline struct digest_cell *
digest_at(const struct digest *d, unsigned row, unsigned metric)
{
	return &d->cell[(size_t)row * d->nmetrics + metric];
}

/* -1 and "": an empty column of recordings. */
struct digest_row {
	const char *level; /* as in column row */
	const char *name;  /* "all", a cluster's label, "cpu 3" (in text) */
	const char *kind, *cluster;
	int level_index, core, cpu;
	char text[24];
	char title[64]; /* "cluster P0", "cpu 3", "machine" */
};
void digest_row(const struct digest *d, unsigned row, struct digest_row *out);

/* Row i in the order machine, kinds, clusters, cores. */
unsigned digest_order(const struct digest *d, unsigned i);

/* Copies the values to [digest.kept], by time; returns their number. */
unsigned digest_values(const struct digest *d, unsigned row, unsigned metric,
		       double *out);
unsigned digest_series(const struct digest *d, unsigned row, unsigned metric,
		       double *num, double *den);

/* Is the metric derived from fixed counters and times alone? */
bool digest_is_fixed(const struct metric *m);

/* Linear interpolation; NAN for none. Reorders v. */
double digest_quantile(double *v, unsigned n, double q);

/* kept.c, for digest.c. False: no memory. */
bool kept_init(struct digest *d);
void kept_free(struct digest *d);
/* Begins a frame; false: the frame is not kept. Then call for each value: */
bool kept_begin(struct digest *d, const struct frame *f);
bool kept_add(struct digest *d, const struct frame *f, unsigned row,
	      unsigned metric);
/* by: the value's denominator. */
bool kept_add_value(struct digest *d, struct digest_cell *c, double v,
		    double by);

/* power.c */

/* The last metrics of a digest. Units of cells: sum in J (DIGEST_POWER_NJ: nJ),
 * 10^9 bytes or % x seconds; weight in seconds or instructions. */
enum digest_power {
	DIGEST_POWER_NJ = POWER_TOTALS, /* after enum power_total_of */
	DIGEST_POWER_THROTTLED,
	DIGEST_POWERS
};

void digest_power_add_metrics(struct digest *d);
/* False: no memory. */
bool digest_power_take(struct digest *d, const struct frame *f, double since_s,
		       bool keeping);

static inline const struct digest_cell *
digest_power_at(const struct digest *d, unsigned row, unsigned what)
{
	return digest_at(d, row, d->nmetrics - DIGEST_POWERS + what);
}

/* changes.c: lasting changes of a cluster's IPC. */

enum { CHANGES_MAX = 5 };

struct change {
	unsigned row;         /* a cluster's */
	double at_s, until_s; /* since the beginning, as --from */
	bool lasts;           /* to the end */
	double before, after; /* IPC */
	double size;          /* sort key for the largest */
};

/* False: no memory. */
bool changes_init(struct digest *d);
void changes_add(struct digest *d, const struct frame *f, double end_s);

/* The largest, in order of time; -1: too few frames. False alarms: see
 * tests/e2e/summary_test.py. */
int changes_find(const struct digest *d, struct change out[CHANGES_MAX]);

enum { COMPARE_RUNS_MIN = 2 };

enum compare_outcome {
	COMPARE_DIFFERS,
	COMPARE_DRIFTS,
	COMPARE_TOO_FEW,
	COMPARE_SMALL, /* differs by less than --at-least */
	COMPARE_NOISE,
	COMPARE_NOT,      /* other events or modes */
	COMPARE_DESCRIBED /* not tested */
};

enum { COMPARE_LOST = BOTTLENECK_COUNT };

/* Indices of the rows and metrics of A's first recording; -1: none. */
struct compare_run {
	struct digest *digest;
	int *row; /* [rows of A's first] */
	int metric[DIGEST_METRICS];
};

struct compare_side {
	struct compare_run *run; /* [n] */
	unsigned n;
};

struct compare_line {
	unsigned row;                /* of A's first */
	const struct metric *metric; /* NULL: a bottleneck's line */
	const char *process;     /* or the line of processes with that name */
	const char *name, *unit; /* as in the rows of a summary */
	int decimals;
	int word; /* bottleneck, in % of time, or COMPARE_LOST, in % of the
		     machine's slots */
	double a, b;
	unsigned na, nb; /* frames or runs with a value */
	enum compare_outcome outcome;
	const char *why;  /* for COMPARE_NOT */
	const char *mark; /* a reservation; NULL: none */
	unsigned needs;   /* frames or runs that each side needs */
	struct difference of;
	double adjusted; /* corrected p; NAN: not tested */
};

struct compare {
	struct compare_side a, b;
	bool runs; /* each side has several runs */
	const char
		*hardware; /* why equal names may mean different events; NULL */
	double at_least_pct;
	struct compare_line *line; /* [nlines] */
	unsigned nlines, judged;
	/* Matched by name, as pids differ between runs; sorted by CPU time in A
	 * or B; nvalues lines each. */
	struct compare_line *process;
	unsigned nprocesses, nvalues;
	char word_name[BOTTLENECK_COUNT][32];
};

/* Values of a process; then the events of A's first recording. */
enum { COMPARE_CPU, COMPARE_GIPS, COMPARE_IPC, COMPARE_EVENTS };

/* Level of significance; intervals are for single rows. */
#define COMPARE_LEVEL 0.01

/* % of A; NAN: none. */
double compare_change_pct(const struct compare_line *l);

/* Largest difference within the interval, % of A; NAN: none. */
double compare_missed_pct(const struct compare_line *l);

enum { COMPARE_MOST = 10 };

/* Indices of lines of these levels (1 << enum scope_level), sorted by outcome,
 * causes before effects, then by size: the change relative to good and bad of
 * the metric, times the row's part of the machine's cycles. to: [nlines];
 * returns the number. */
unsigned compare_order(const struct compare *c, uint32_t levels, unsigned *to);

/* The line of a row and metric that both sides have, or NULL. */
const struct compare_line *compare_line_find(const struct compare *c,
					     unsigned row, const char *metric);

/* The cluster that contributes most to the change of the machine's IPC. */
struct compare_source {
	const struct compare_line *ipc;  /* the machine's IPC; NULL: unknown */
	const struct compare_line *from; /* the cluster's IPC; NULL: none */
	const struct compare_line *with; /* metric that changed with it; NULL */
	double part; /* part of the change that it explains, 0 to 1 */
	bool share;  /* through its part of the cycles, not its IPC */
	double share_a, share_b;
};
void compare_find_source(const struct compare *c, struct compare_source *out);

/* The row of the same level and name; -1: none. */
int compare_row(const struct digest *in, const struct digest *of, unsigned row);

/* Reads recordings; the first na are A's. False and *e; call compare_free then,
 * too. */
bool compare_read(struct compare *c, const struct options *o, unsigned na,
		  struct err *e);

/* Fills `line` and `process`, once. Merges processes of one name. */
bool compare_judge(struct compare *c, struct err *e);

void compare_free(struct compare *c);

#endif
