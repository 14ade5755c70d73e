/* Writes the headline: row, cause, amount, evidence, preset with details. */
#ifndef MODEL_BOTTLENECK_SAY_H
#define MODEL_BOTTLENECK_SAY_H

#include "base/buf.h"
#include "model/frame.h"

enum bottleneck_part {
	PART_WORDS,
	PART_WHERE,  /* "P1", "cpu 7" */
	PART_NUMBER, /* a share, a metric's value or traffic */
	PART_KEY     /* the key to press */
};

#define BOTTLENECK_NO_COUNTERS "Without counters bottlenecks are unknown"
#define BOTTLENECK_NO_EVENTS \
	"Fixed counters only: no event shows the cause of a bottleneck"

enum { SENTENCE_SIZE = 240, SENTENCE_PARTS = 40 };

/* Above this share of the bandwidth, bandwidth is the limit. */
#define BOTTLENECK_BANDWIDTH 0.7

struct bottleneck_sentence {
	char text[SENTENCE_SIZE]; /* ASCII except for cluster labels */
	unsigned nparts;
	struct {
		enum bottleneck_part part;
		unsigned end; /* offset after the part's last byte */
	} part[SENTENCE_PARTS];
	unsigned scope; /* row that the sentence describes */
	bool flagged;
	int see; /* preset that the sentence recommends; -1: none */
};

struct bottleneck_style {
	unsigned room; /* available cells */
	bool paper;    /* output without keys: recommend options instead */
	/* Returns a preset's digit key; 0: none. NULL: keys of preset_table. */
	char (*key)(const void *self, int preset);
	const void *self;
};

/* The limit of memory-bound work: "bandwidth" or "latency"; "": unknown. share:
 * traffic / bandwidth. marks: bits POWER_AT_LEAST etc. */
const char *bottleneck_memory_kind(double share, unsigned marks);

/* Writes "P1 is memory bound: ~55% of its slots; 22 L1D-ld MPKI. Press 4 for
 * caches." A share of the last seconds is followed by "in the last 5 s".
 * Without a flagged row the sentence reports a slowed or throttled cluster,
 * that there is no bottleneck, or why the bottleneck is unknown. To fit,
 * clauses are dropped from the end, but never row and cause. The text is empty
 * if f->bottleneck is NULL. */
void bottleneck_headline(const struct frame *f,
			 const struct bottleneck_style *style,
			 struct bottleneck_sentence *out);

#endif
