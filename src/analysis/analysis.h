/* Recordings boiled down, and set side by side: summary and compare. */
#ifndef ANALYSIS_ANALYSIS_H
#define ANALYSIS_ANALYSIS_H

#include "model/frame.h"
#include "model/process.h"
#include "model/stat.h"
#include "monitor/account.h"
#include "options/options.h"
#include "source/source.h"

/* ---- processes, each over all frames of a recording ---- */

enum {
	DIGEST_PROCESSES_MAX = 1 << 16,
	DIGEST_EVENTS = 24 /* of processes; more are left out, counted */
};

/*
 * An event, and the instructions that were counted together with it in the same
 * modes; 0: none were.
 */
struct digest_counted {
	uint64_t count, instructions;
};

/* One by its identity: two lives of a pid are two. */
struct digest_process {
	int32_t pid;
	uint64_t start;
	char name[PROCESS_NAME_SIZE]; /* the last that it had */
	char user[PROCESS_USER_SIZE];
	uint32_t known;    /* of one frame or more; parts of all that count */
	uint32_t unsplit;  /* parts that a frame lacks */
	uint32_t flags;    /* of any frame */
	uint64_t frames;   /* with a row of it */
	uint64_t denied;   /* of those, where the system refused its counts */
	double interval_s; /* that they cover */
	struct process_totals d;
	/* Where events of processes were counted: its cycles in those frames,
	   and of them what was seen with the events. */
	uint64_t counted_cycles, event_cycles;
	struct digest_counted event[DIGEST_EVENTS];
};

struct digest_processes {
	unsigned n, room;
	struct digest_process *row; /* [n], by CPU time when finished */
	unsigned *slot;             /* hash: index + 1; 0 is free */
	unsigned slots;
	uint64_t frames; /* that say what processes did */
	double seconds;  /* of those frames */
	struct digest_process others, rest;
	bool has_rest, has_others;
	struct process_parts parts; /* of the last frame */
	uint32_t domains;           /* 1 << enum domain of the frames */
	unsigned nevents;
	char event[DIGEST_EVENTS][EVENT_NAME_SIZE];
	/* What the cores counted in the frames in which processes' events were,
	   and 1 << event that they did not in one of them. */
	struct digest_process cores;
	uint32_t unknown_events;
	unsigned left_out_events;
};

/* NULL and *e when memory is short. */
struct digest_processes *digest_processes_new(struct err *e);
void digest_processes_free(struct digest_processes *p);

/* What the cores counted in a frame. */
struct digest_cores {
	const struct span *span;
	enum domain domain; /* of the events */
	const struct eventset *set;
};

/*
 * Those of one frame, as of a recording. Where its rest is unknown since counts
 * came late, it is what is between the cores and the rows: less than nothing,
 * and as much more in another frame. False and *e: memory is short.
 */
bool digest_processes_add(struct digest_processes *p,
			  const struct process_reading *r,
			  const struct digest_cores *cores, int64_t interval_ns,
			  struct err *e);

/* After the last frame: the most CPU time first. */
void digest_processes_finish(struct digest_processes *p);

/*
 * After that: those of one name become one, with pid -1, in the order of names.
 */
void digest_processes_by_name(struct digest_processes *p);
/* Then; NULL: there is none of that name. */
const struct digest_process *
digest_process_named(const struct digest_processes *p, const char *name);

enum digest_number {
	DIGEST_CPU_S,
	DIGEST_P_SHARE, /* of its time on the first kind of core, in percent */
	DIGEST_GCYCLES,
	DIGEST_GINSTRUCTIONS,
	DIGEST_IPC,
	DIGEST_IPC_P,     /* on the first kind of core, and */
	DIGEST_IPC_OTHER, /* on all others */
	DIGEST_JOULES,
	DIGEST_NUMBERS
};

/* All of these are NAN where it is not known. */
double digest_process_number(const struct digest_process *p,
			     enum digest_number n);
/*
 * Of an event: its count, per 1000 instructions, and the part (0 to 1) that it
 * is of the cores' counts.
 */
double digest_process_events(const struct digest_processes *in,
			     const struct digest_process *p, unsigned event);
double digest_process_rate(const struct digest_process *p, unsigned event);
double digest_process_part(const struct digest_processes *in,
			   const struct digest_process *p, unsigned event);

/* ---- a recording ---- */

/*
 * Frame values are kept to a number that bounds memory; when it is reached,
 * every second is given up, so that they stay evenly spread.
 */
enum {
	DIGEST_KEPT_MAX = 8192,
	DIGEST_KEPT_MIN = 256,
	DIGEST_SETS_MAX = 64, /* different event sets in one recording */
	DIGEST_METRICS = METRIC_MAX + 16 /* with those of power.c */
};

enum digest_keep {
	DIGEST_VALUES, /* the frames' values, for percentiles */
	DIGEST_SERIES, /* what they are made of */
	DIGEST_NO_FRAMES
};

/* A metric of a row: over the whole time, and frame by frame. */
struct digest_cell {
	double value;    /* of the counts summed over all frames; NAN */
	uint64_t frames; /* that have it */
	float *kept;     /* [digest.kept_max], NAN where a frame has none */
	/* For DIGEST_SERIES, [kept_max] each: what the metric was divided by,
	   and that times its value. */
	double *num, *den;
	uint32_t domains;   /* 1 << enum domain of the frames that have it */
	double sum, weight; /* of `value` over several event sets */
	uint8_t marks;      /* of energy and traffic: POWER_AT_LEAST, ... */
};

struct digest {
	struct source *source; /* the recording, at its end */
	const struct topology *topology;
	const struct metric *metric[DIGEST_METRICS];
	struct user user; /* the options', and the recording's own events */
	unsigned nrows, nmetrics;
	struct account account;   /* rows are the scopes of a frame */
	struct digest_cell *cell; /* [nrows * nmetrics] */
	uint64_t frames;          /* in the part asked for */
	double length_s;          /* of that part, through sleep */
	uint64_t stride;          /* frames that are one kept entry */
	unsigned kept, kept_max;
	uint64_t notes[3]; /* by enum recording_note_kind */
	char name[128];    /* of the file, fit for a terminal */
	unsigned nsets;
	struct digest_sums *sums;           /* [nsets], of event sets */
	struct digest_processes *processes; /* NULL: the recording has none */
	struct digest_bound *bound;         /* NULL but for DIGEST_SERIES */
	struct trends *trends;              /* NULL but for DIGEST_VALUES */
	enum digest_keep keep;
	bool piped; /* cannot be read twice */
	bool grew;  /* CPUs came that the first frames lack: read it again */
};

/*
 * Reads the segments, the part that --from, --to and --mark say. Gives up
 * root's rights first. NULL and *e on failure.
 */
struct digest *digest_new(const char *const *path, unsigned n,
			  const struct options *o, enum digest_keep keep,
			  struct err *e);
void digest_free(struct digest *d);

static inline struct digest_cell *
digest_at(const struct digest *d, unsigned row, unsigned metric)
{
	return &d->cell[(size_t)row * d->nmetrics + metric];
}

/* What a row is; -1 and "" where the columns of a recording are empty. */
struct digest_row {
	const char *level; /* as the column row of recordings has it */
	const char *name;  /* "all", a cluster's label, "cpu 3" (in text) */
	const char *kind, *cluster;
	int level_index, core, cpu;
	char text[24];
	char title[64]; /* "cluster P0", "cpu 3", "machine" */
};
void digest_row(const struct digest *d, unsigned row, struct digest_row *out);

/* Rows in the order people read: the machine, kinds, clusters, cores. */
unsigned digest_order(const struct digest *d, unsigned i);

/*
 * The kept frame values that are there, in order of time, into out
 * [digest.kept]; how many. Of DIGEST_SERIES what they are made of.
 */
unsigned digest_values(const struct digest *d, unsigned row, unsigned metric,
		       double *out);
unsigned digest_series(const struct digest *d, unsigned row, unsigned metric,
		       double *num, double *den);

/* Is the metric made of the fixed pair and times alone? */
bool digest_is_fixed(const struct metric *m);

/* Linear between the two nearest by size; NAN for none. Moves values of v. */
double digest_quantile(double *v, unsigned n, double q);

/* kept.c for digest.c, with the sizes of *d known. False: no memory. */
bool kept_init(struct digest *d);
void kept_free(struct digest *d);
/* A frame, false: nothing of it is kept; then each of its values. */
bool kept_begin(struct digest *d, const struct frame *f);
bool kept_add(struct digest *d, const struct frame *f, unsigned row,
	      unsigned metric);
/* by: what the value was divided by. */
bool kept_add_value(struct digest *d, struct digest_cell *c, double v,
		    double by);

/* ---- power.c: energy, memory traffic, throttling ---- */

/*
 * Metrics of a digest behind those of its frames. Of their cells `sum` is in J
 * (of DIGEST_POWER_NJ in nJ), in 10^9 bytes or in percent of seconds, `weight`
 * what it is over: seconds, or instructions.
 */
enum digest_power {
	DIGEST_POWER_W, /* of CPUs; then the wholes of model/power.h */
	DIGEST_POWER_WHOLE_W,
	DIGEST_POWER_NJ = DIGEST_POWER_WHOLE_W + POWER_WHOLES,
	DIGEST_POWER_GBS,
	DIGEST_POWER_READ_GBS,
	DIGEST_POWER_WRITE_GBS,
	DIGEST_POWER_THROTTLED,
	DIGEST_POWERS
};

void digest_power_add_metrics(struct digest *d);
/* What was published in a frame; false: no memory. */
bool digest_power_take(struct digest *d, const struct frame *f, double since_s,
		       bool keeping);

static inline const struct digest_cell *
digest_power_at(const struct digest *d, unsigned row, enum digest_power what)
{
	return digest_at(d, row, d->nmetrics - DIGEST_POWERS + what);
}

/* ---- changes.c: when the IPC of a cluster changed for long ---- */

enum { CHANGES_MAX = 5 };

struct change {
	unsigned row;         /* a cluster's */
	double at_s, until_s; /* since the begin, as --from has it */
	bool lasts;           /* to the end */
	double before, after; /* IPC of the stretches before and after it */
	double size;          /* by which the largest are chosen */
};

/* For digest.c; false: no memory. */
bool changes_init(struct digest *d);
void changes_add(struct digest *d, const struct frame *f, double end_s);

/*
 * The largest, in order of time; -1: there are too few frames to tell. How
 * often it finds one where there is none: tests/e2e/summary_test.py.
 */
int changes_find(const struct digest *d, struct change out[CHANGES_MAX]);

/* ---- two recordings, or runs, row by row ---- */

/* Runs of a side, where there are several. */
enum { COMPARE_RUNS_MIN = 2 };

enum compare_outcome {
	COMPARE_DIFFERS,
	COMPARE_DRIFTS,
	COMPARE_TOO_FEW,
	COMPARE_SMALL, /* differs, but is under --at-least */
	COMPARE_NOISE,
	COMPARE_NOT,      /* what they count is not the same */
	COMPARE_DESCRIBED /* no test says how sure it is */
};

enum { COMPARE_LOST = BOTTLENECK_COUNT };

/* A recording, and where the rows and metrics of A's first one are in it. */
struct compare_run {
	struct digest *digest;
	int *row;                   /* [rows of A's first]; -1: it has none */
	int metric[DIGEST_METRICS]; /* the same */
};

struct compare_side {
	struct compare_run *run; /* [n] */
	unsigned n;
};

struct compare_line {
	unsigned row;                /* of A's first */
	const struct metric *metric; /* NULL: of what the row was said to do */
	const char *process;         /* or of all processes of that name */
	const char *name, *unit;     /* as in the rows of a summary */
	int decimals;
	int word; /* then its share of time, in percent;
		     COMPARE_LOST: of the machine's slots */
	double a, b;
	unsigned na, nb; /* entries of frames, or runs, that have it */
	enum compare_outcome outcome;
	const char *why;  /* for COMPARE_NOT */
	const char *mark; /* compared, but with this in mind; NULL: nothing */
	unsigned needs;   /* of frames or runs, on each side */
	struct difference of;
	double adjusted; /* p, by all the rows that are judged; NAN: is not */
};

struct compare {
	struct compare_side a, b;
	bool runs;            /* several of each: they are the units */
	const char *hardware; /* why like names may be unlike events, NULL */
	double at_least_pct;
	struct compare_line *line; /* [nlines], by row in the order of A */
	unsigned nlines, judged;
	/* Processes by name, as a pid is of one run alone: the most CPU time
	   in A or B first, nvalues lines each, which may be of NANs. */
	struct compare_line *process;
	unsigned nprocesses, nvalues;
	char word_name[BOTTLENECK_COUNT][32];
};

/* Of the values of a process; its events, those of A's first, follow. */
enum { COMPARE_CPU, COMPARE_GIPS, COMPARE_IPC, COMPARE_EVENTS };

/* For a difference by chance; the interval is that of one row alone. */
#define COMPARE_LEVEL 0.01

/* Percent of A, NAN where A is 0 or nothing of the kind is to be said. */
double compare_change_pct(const struct compare_line *l);

/* The largest difference in the interval, in percent of A; NAN: is none. */
double compare_missed_pct(const struct compare_line *l);

/* The lines of the ten rows that matter, and what the machine's IPC is from. */
enum { COMPARE_MOST = 10 };

/*
 * Lines of the levels (1 << enum scope_level), the largest changes first: those
 * that differ before those that drift or have too few frames, then noise. What
 * is large: the way between a metric's good and bad, times the row's part of
 * the machine's cycles; without what did not change. to: [nlines]; how many.
 */
unsigned compare_order(const struct compare *c, uint32_t levels, unsigned *to);

/* The cluster that most of the change of the machine's IPC comes from. */
struct compare_source {
	const struct compare_line *ipc;  /* of the machine; NULL: unknown */
	const struct compare_line *from; /* of the cluster; NULL: none */
	const struct compare_line *with; /* what got worse as it fell, or better
					    as it rose; NULL: nothing did */
	double part;                     /* of the change: 1 is all of it */
	bool share; /* not its IPC, but its part of the cycles: */
	double share_a, share_b;
};
void compare_find_source(const struct compare *c, struct compare_source *out);

/* Is there a row of that level and name? -1: no. */
int compare_row(const struct digest *in, const struct digest *of, unsigned row);

/*
 * The first na arguments are A's, the rest B's; with --vs both are parts of the
 * only one. False and *e; free it then, too.
 */
bool compare_read(struct compare *c, const struct options *o, unsigned na,
		  struct err *e);

/*
 * With both sides read: fills `line` and `process`, once; the digests have
 * their processes by name then.
 */
bool compare_judge(struct compare *c, struct err *e);

/* But not *c itself. */
void compare_free(struct compare *c);

#endif
