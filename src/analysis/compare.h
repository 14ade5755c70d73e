/* Two recordings, or runs, row by row: what differs, and how sure that is. */
#ifndef ANALYSIS_COMPARE_H
#define ANALYSIS_COMPARE_H

#include "analysis/digest.h"
#include "model/student.h"

/* Runs of a side, where there are several. */
enum { COMPARE_RUNS_MIN = 2 };

enum compare_verdict {
	COMPARE_STANDS_OUT,
	COMPARE_SMALL, /* would, but is under --at-least */
	COMPARE_NOISE,
	COMPARE_TOO_FEW,
	COMPARE_DRIFTS,
	COMPARE_NOT,      /* what they count is not the same */
	COMPARE_DESCRIBED /* no test says how sure it is */
};

enum { COMPARE_LOST = VERDICT_COUNT };

/* A recording, and where the rows and metrics of A's first one are in it. */
struct compare_run {
	struct digest *digest;
	int *row;               /* [rows of A's first]; -1: it has none */
	int metric[METRIC_MAX]; /* the same */
};

struct compare_side {
	struct compare_run *run; /* [n] */
	unsigned n;
};

struct compare_line {
	unsigned row;                /* of A's first */
	const struct metric *metric; /* NULL: of what the row was said to do */
	int word;                    /* then its share of time, in percent;
					COMPARE_LOST: 10^9 cycles lost a second */
	double a, b;
	unsigned na, nb; /* entries of frames, or runs, that have it */
	enum compare_verdict verdict;
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
};

/* For a difference by chance; the interval is that of one row alone. */
#define COMPARE_LEVEL 0.01

/* Percent of A, NAN where A is 0 or the line was not compared or judged. */
double compare_change_pct(const struct compare_line *l);

/* The largest difference in the interval, in percent of A; NAN: is none. */
double compare_missed_pct(const struct compare_line *l);

/* Is there a row of that level and name? -1: no. */
int compare_row(const struct digest *in, const struct digest *of, unsigned row);

/* The first na arguments are A's, the rest B's. False and *e; free it then,
 * too. */
bool compare_read(struct compare *c, const struct options *o, unsigned na,
		  struct err *e);

/* With both sides read: fills `line`. */
bool compare_judge(struct compare *c, struct err *e);

/* But not *c itself. */
void compare_free(struct compare *c);

#endif
