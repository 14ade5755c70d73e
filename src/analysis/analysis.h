/* Digests and comparisons of recordings, for summary and compare. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "model/frame.h"
#include "model/process.h"
#include "model/stat.h"
#include "monitor/account.h"
#include "options/options.h"
#include "source/source.h"

enum { DIGEST_PROCESSES_MAX = 1 << 16, DIGEST_EVENTS = 24 };

/* instructions: those executed while the event was counted, in the same modes;
 * 0: unknown. */
struct digest_counted {
	uint64_t count, instructions;
};

/* A process, identified by pid and start. */
struct digest_process {
	int32_t pid;
	uint64_t start;
	char name[PROCESS_NAME_SIZE];
	char user[PROCESS_USER_SIZE];
	uint32_t known;   /* PROCESS_HAS_ bits of any frame; when finished,
			     without `unsplit` */
	uint32_t unsplit; /* bits that some frame lacks */
	uint32_t flags;
	uint64_t frames;
	uint64_t denied; /* frames with denied counts */
	double interval_s;
	struct process_totals d;
	/* Cycles of the process in frames with events of processes: all, and
	 * those while the events were counted. */
	uint64_t counted_cycles, event_cycles;
	struct digest_counted event[DIGEST_EVENTS];
};

struct digest_processes {
	unsigned n, room;
	struct digest_process *row;
	unsigned *slot; /* hash table of row index + 1; 0: free */
	unsigned slots;
	uint64_t frames;
	double seconds;
	struct digest_process others, rest;
	bool has_rest, has_others;
	struct process_parts parts;
	uint32_t domains; /* bits 1 << enum domain, over all frames */
	unsigned nevents;
	char event[DIGEST_EVENTS][EVENT_NAME_SIZE];
	/* Counts of all cores in frames with events of processes.
	 * unknown_events has bit 1 << event if the event is missing in a frame.
	 */
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

/* Adds one frame's processes. Where delayed counts leave (unattributed)
 * unknown, adds the cores' counts minus the processes': too small in one frame,
 * too large in the next. False and *e: no memory. */
bool digest_processes_add(struct digest_processes *p,
			  const struct process_reading *r,
			  const struct digest_cores *cores, int64_t interval_ns,
			  struct err *e);

/* Sorts by CPU time; call once, after the last frame. */
void digest_processes_finish(struct digest_processes *p);

/* After digest_processes_finish: merges processes of the same name into one
 * with pid -1. */
void digest_processes_by_name(struct digest_processes *p);
/* After digest_processes_by_name. NULL: no process has this name. */
const struct digest_process *
digest_process_named(const struct digest_processes *p, const char *name);

enum digest_number {
	DIGEST_CPU_S,
	DIGEST_P_SHARE, /* % of its time on the first kind of core */
	DIGEST_GCYCLES,
	DIGEST_GINSTRUCTIONS,
	DIGEST_IPC,
	DIGEST_IPC_P, /* IPC on the first kind of core */
	DIGEST_IPC_OTHER,
	DIGEST_JOULES,
	DIGEST_NUMBERS
};

/* NAN: unknown. */
double digest_process_number(const struct digest_process *p,
			     enum digest_number n);
/* The next three functions return an event's count, its rate per 1000
 * instructions, and its part (0 to 1) of the cores' count. NAN: unknown. */
double digest_process_events(const struct digest_processes *in,
			     const struct digest_process *p, unsigned event);
double digest_process_rate(const struct digest_process *p, unsigned event);
double digest_process_part(const struct digest_processes *in,
			   const struct digest_process *p, unsigned event);

enum {
	DIGEST_KEPT_MAX = 8192,
	DIGEST_KEPT_MIN = 256,
	DIGEST_SETS_MAX = 64,
	DIGEST_METRICS =
		METRIC_MAX + 16 /* metrics of frames, and those of power.c */
};

enum digest_keep {
	DIGEST_VALUES,
	DIGEST_SERIES, /* numerators and denominators */
	DIGEST_NO_FRAMES
};

struct digest_cell {
	double value; /* derived from the counts of all frames */
	uint64_t frames;
	float *kept; /* [digest.kept_max]; NAN: not measured */
	/* With DIGEST_SERIES, [kept_max] each: sums of the metric's denominator
	 * (den), and of value times denominator (num). */
	double *num, *den;
	uint32_t domains;   /* 1 << enum domain, of frames with a value */
	double sum, weight; /* weighted sum of values, and the sum of weights */
	uint8_t marks; /* POWER_AT_LEAST, ...; of energy and traffic only */
};

struct digest {
	struct source *source;
	const struct topology *topology;
	const struct metric *metric[DIGEST_METRICS];
	struct user user;
	unsigned nrows, nmetrics;
	struct account account;
	struct digest_cell *cell;
	uint64_t frames;
	double length_s; /* seconds of the part, sleep included */
	uint64_t stride; /* frames per kept entry */
	unsigned kept, kept_max;
	uint64_t notes[3];
	char name[128];
	unsigned nsets;
	struct digest_sums *sums;
	struct digest_processes *processes; /* NULL: the recording has none */
	struct digest_bound *bound;         /* NULL without DIGEST_SERIES */
	struct trends *trends;              /* NULL without DIGEST_VALUES */
	enum digest_keep keep;
	bool piped;
	bool grew; /* CPUs came online: read the recording again */
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

/* Fields that do not apply to the row are -1 or "". */
struct digest_row {
	const char *level;
	const char *name;
	const char *kind, *cluster;
	int level_index, core, cpu;
	char text[24];
	char title[64];
};
void digest_row(const struct digest *d, unsigned row, struct digest_row *out);

/* The i-th row in the order machine, kinds, clusters, cores. */
unsigned digest_order(const struct digest *d, unsigned i);

/* Copies the measured values, by time; returns their number (<= d->kept). */
unsigned digest_values(const struct digest *d, unsigned row, unsigned metric,
		       double *out);
unsigned digest_series(const struct digest *d, unsigned row, unsigned metric,
		       double *num, double *den);

/* Is the metric derived from fixed counters and times alone? */
bool digest_is_fixed(const struct metric *m);

/* The quantile q (0 to 1) by linear interpolation; NAN if n is 0. Reorders v.
 */
double digest_quantile(double *v, unsigned n, double q);

/* Functions of kept.c for digest.c. False: no memory. */
bool kept_init(struct digest *d);
void kept_free(struct digest *d);
/* Begins a frame. False: the frame is not kept. True: call kept_add or
 * kept_add_value for each value. */
bool kept_begin(struct digest *d, const struct frame *f);
bool kept_add(struct digest *d, const struct frame *f, unsigned row,
	      unsigned metric);
/* by: the value's denominator. */
bool kept_add_value(struct digest *d, struct digest_cell *c, double v,
		    double by);

/* The last metrics of a digest. In their cells `sum` is in J (DIGEST_POWER_NJ:
 * nJ), 10^9 bytes or % x seconds, `weight` in seconds or instructions. */
enum digest_power {
	DIGEST_POWER_NJ =
		POWER_TOTALS, /* follows those of enum power_total_of */
	DIGEST_POWER_THROTTLED,
	DIGEST_POWERS
};

void digest_power_add_metrics(struct digest *d);
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
	unsigned row;
	double at_s,
		until_s; /* seconds since the recording's start, as in --from */
	bool lasts;      /* until the end of the part */
	double before, after; /* IPC */
	double size;          /* |ln(after / before)| x part of all cycles */
};

bool changes_init(struct digest *d);
void changes_add(struct digest *d, const struct frame *f, double end_s);

/* Fills in the largest changes in order of time; returns their number, or -1:
 * too few frames. tests/e2e/summary_test.py measures the rate of false alarms.
 */
int changes_find(const struct digest *d, struct change out[CHANGES_MAX]);

enum { COMPARE_RUNS_MIN = 2 };

enum compare_outcome {
	COMPARE_DIFFERS,
	COMPARE_DRIFTS,
	COMPARE_TOO_FEW,
	COMPARE_SMALL, /* differs by less than --at-least */
	COMPARE_NOISE,
	COMPARE_NOT,      /* not comparable: other events or modes */
	COMPARE_DESCRIBED /* not tested */
};

enum { COMPARE_LOST = BOTTLENECK_COUNT };

/* row[i] and metric[i]: index in this recording of row or metric i of A's first
 * recording; -1: none. */
struct compare_run {
	struct digest *digest;
	int *row;
	int metric[DIGEST_METRICS];
};

struct compare_side {
	struct compare_run *run;
	unsigned n;
};

struct compare_line {
	unsigned row;
	const struct metric *metric; /* NULL: a bottleneck's line */
	const char
		*process; /* not NULL: the line of processes with this name */
	const char *name, *unit;
	int decimals;
	int word; /* a bottleneck (values in % of time) or COMPARE_LOST (values
		     in % of the machine's slots) */
	double a, b;
	unsigned na, nb; /* frames or runs with a value */
	enum compare_outcome outcome;
	const char *why;
	const char *mark; /* a caveat to print; NULL: none */
	unsigned needs;   /* frames or runs that each side needs */
	struct difference of;
	double adjusted; /* corrected p; NAN: not tested */
};

struct compare {
	struct compare_side a, b;
	bool runs;            /* each side has several runs */
	const char *hardware; /* why equal event names may mean different
				 events; NULL: they do not */
	double at_least_pct;
	struct compare_line *line;
	unsigned nlines, judged;
	/* [nprocesses * nvalues]: processes, matched by name as pids differ
	 * between runs, sorted by the larger CPU time. */
	struct compare_line *process;
	unsigned nprocesses, nvalues;
	char word_name[BOTTLENECK_COUNT][32];
};

/* Lines of a process. COMPARE_EVENTS is the first event of A's first recording.
 */
enum { COMPARE_CPU, COMPARE_GIPS, COMPARE_IPC, COMPARE_EVENTS };

/* Level of significance of the corrected p. Confidence intervals are
 * uncorrected. */
#define COMPARE_LEVEL 0.01

/* Change from A to B in % of A; NAN: unknown. */
double compare_change_pct(const struct compare_line *l);

/* Largest difference in the confidence interval, in % of A; NAN: unknown. */
double compare_missed_pct(const struct compare_line *l);

enum { COMPARE_MOST = 10 };

/* Writes to `to` [nlines] the indices of the lines of these levels (1 << enum
 * scope_level); returns their number. Sorted by outcome, causes before effects,
 * then by size: the change in units of the metric's bad minus good, times the
 * row's part of the machine's cycles. */
unsigned compare_order(const struct compare *c, uint32_t levels, unsigned *to);

/* The line of a row and metric that both sides have, or NULL. */
const struct compare_line *compare_line_find(const struct compare *c,
					     unsigned row, const char *metric);

/* The cluster that contributes most to the change of the machine's IPC. */
struct compare_source {
	const struct compare_line *ipc;
	const struct compare_line *from;
	const struct compare_line
		*with; /* line of a metric that changed with it; NULL: none */
	double part;   /* 1: all of the machine's change; can exceed 1 */
	bool share;    /* the change of its part of the cycles contributed more
			  than that of its IPC */
	double share_a, share_b;
};
void compare_find_source(const struct compare *c, struct compare_source *out);

/* The row in `in` with the level and name of `row` in `of`; -1: none. */
int compare_row(const struct digest *in, const struct digest *of, unsigned row);

/* Reads the recordings; the first na are side A. False and *e on failure; call
 * compare_free then, too. */
bool compare_read(struct compare *c, const struct options *o, unsigned na,
		  struct err *e);

/* Fills c->line and c->process; call once. */
bool compare_judge(struct compare *c, struct err *e);

void compare_free(struct compare *c);

#endif
