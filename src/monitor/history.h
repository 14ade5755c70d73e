/* The past of every row: what frames said, in rings sized once. */
#ifndef MONITOR_HISTORY_H
#define MONITOR_HISTORY_H

#include "base/err.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The last 900 frames, a quarter of an hour at one a second, of everything the
 * screen shows: metrics with their states, counts, busy share, quality,
 * verdicts, the event set. Only what a frame's set counted takes room, about
 * 120 bytes a row and frame. Rows of groups (clusters, kinds, the machine) and
 * of CPUs are kept apart; more than 16 MB in all is not taken, so that with
 * many CPUs their rows go back less far, and never below 60 frames. The memory
 * is touched as it fills.
 */
enum {
	HISTORY_BYTES = 16 << 20,
	HISTORY_FRAMES = 900,
	HISTORY_FRAMES_MIN = 60,
	HISTORY_ROW_WORDS = 48, /* room is made for: metrics, counts, rest */
	HISTORY_SETS = 24,      /* event sets told apart at a time */
	HISTORY_MASK = METRIC_MAX / 64,
	HISTORY_BUSY = METRIC_MAX /* to read: no metric, the busy share */
};

struct history_ring { /* of words: float bits, or counts */
	unsigned rows;
	uint32_t *word;
	size_t size, head; /* in words */
	uint64_t first;    /* oldest frame there is */
};

struct history_entry {               /* of one frame */
	size_t at[2];                /* first word in the rings */
	size_t len[2];               /* 0: not kept */
	unsigned layout;             /* another where mask or len is; not 0 */
	uint64_t mask[HISTORY_MASK]; /* metrics it has */
	uint64_t seq, set;           /* set: number of the set */
	struct stamp stamp;
	double elapsed_s, interval_s;
	uint32_t quality;
	enum domain domain;
};

struct history {
	unsigned ncpus, ngroups, nmetrics;
	uint64_t pushed;             /* frames so far */
	struct history_entry *entry; /* [HISTORY_FRAMES] */
	struct history_ring ring[2]; /* of CPUs, of groups */
	struct eventset *set;        /* [HISTORY_SETS] */
	unsigned layouts;            /* so far */
	uint64_t nsets;              /* so far; number n is set[n % ...] */
	uint64_t since[METRIC_MAX];  /* frames before it: of another metric */
	int impact;                  /* the metric; -1: there is none */
};

/* Arrays for a frame out of the past; the caller's. */
struct history_rows {
	struct eventset *set;
	struct span *span; /* [nscopes] */
	double *value;     /* [nscopes * nmetrics] */
	uint8_t *state;
	struct verdict *verdict; /* [nscopes]; NULL: not wanted */
};

bool history_init(struct history *h, unsigned ncpus, unsigned ngroups,
		  unsigned nmetrics, struct err *e);
void history_done(struct history *h);

/* Forgets everything. */
void history_clear(struct history *h);

/* From the next frame on this is another metric, without a past. */
void history_redefined(struct history *h, unsigned metric);

/* Was the metric the same in the frame `back` before the newest? */
bool history_means(const struct history *h, unsigned back, unsigned metric);

/*
 * The set of the frame `back` before the newest; NULL where it is no longer
 * known.
 */
const struct eventset *history_set(const struct history *h, unsigned back);

/*
 * Keeps the frame; mask: metrics its set counts. Of a frame with QUALITY_GAP
 * the values stay out of columns (they are means over a hole), not out of
 * history_then. Allocates nothing.
 */
void history_push(struct history *h, const struct frame *f,
		  const uint64_t mask[HISTORY_MASK]);

/*
 * As monitor_history, or HISTORY_BUSY. scope < ncpus is a CPU, else a group.
 */
unsigned history_read(const struct history *h, unsigned scope, unsigned metric,
		      unsigned n, float *out);
/*
 * The words of up to n frames, as enum verdict_word; VERDICT_COUNT where there
 * was none.
 */
unsigned history_words(const struct history *h, unsigned scope, unsigned n,
		       uint8_t *out);
unsigned history_times(const struct history *h, unsigned n, float *out);

/* A frame that was not like the others: sleep, or ktop stood still. */
struct history_gap {
	unsigned back;         /* frames before the newest */
	double begin_s, end_s; /* elapsed, of the frame before it and of it */
	bool slept;            /* most of it */
};

/*
 * The gaps longer than least_s among the newest n frames, newest first, at
 * most `most`.
 */
unsigned history_gaps(const struct history *h, unsigned n, double least_s,
		      struct history_gap *out, unsigned most);

/*
 * As monitor_last, `back` frames before the newest: the last value not younger
 * than that frame, and its age as of then.
 */
double history_last(const struct history *h, unsigned back, unsigned scope,
		    unsigned metric, double *age_s);

/* Frames before the newest that still have everything. */
unsigned history_depth(const struct history *h);

/* When that one was; there is one. */
struct stamp history_stamp(const struct history *h, unsigned back);

/*
 * The frame `back` before the newest. *f brings topology, scopes and sizes, and
 * the rest of it is overwritten; its pointers become those of rows. States of
 * metrics it did not count stay VALUE_UNSUPPORTED where they were so in *f. Its
 * verdicts are as they were, but for the value of the evidence. False where it
 * is no longer kept.
 */
bool history_then(const struct history *h, unsigned back, struct frame *f,
		  const struct history_rows *rows);

#endif
