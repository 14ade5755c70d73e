/* Writes the headline: row, cause, amount, evidence, preset with details. */
#ifndef MODEL_BOTTLENECK_SAY_H
#define MODEL_BOTTLENECK_SAY_H

#include "base/buf.h"
#include "model/frame.h"

enum bottleneck_part {
	PART_WORDS,
	PART_WHERE,  /* "P1", "cpu 7" */
	PART_NUMBER, /* of the share, or of the evidence */
	PART_KEY     /* the key to press */
};

#define BOTTLENECK_NO_COUNTERS "Without counters bottlenecks are unknown"
#define BOTTLENECK_NO_EVENTS \
	"Fixed counters only: no event shows the cause of a bottleneck"

enum { SENTENCE_SIZE = 240, SENTENCE_PARTS = 40 };

/* With traffic above this share of the bandwidth, bandwidth is the limit. */
#define BOTTLENECK_BANDWIDTH 0.7

struct bottleneck_sentence {
	char text[SENTENCE_SIZE]; /* ASCII except for cluster labels */
	unsigned nparts;
	struct {
		enum bottleneck_part part;
		unsigned end; /* offset after its last byte */
	} part[SENTENCE_PARTS];
	unsigned scope; /* row of the sentence; else the machine's */
	bool flagged;
	int see; /* preset that the sentence recommends; -1: none */
};

struct bottleneck_style {
	unsigned room; /* available cells */
	bool paper;    /* for output without keys: recommend options instead */
	/* The digit key of a preset, or 0. NULL: keys as in preset_table. */
	char (*key)(const void *self, int preset);
	const void *self;
};

/* The limit of memory-bound work: "bandwidth" or "latency"; "": unknown. share:
 * traffic / bandwidth. marks: POWER_AT_LEAST etc. of the traffic. */
const char *bottleneck_memory_kind(double share, unsigned marks);

/* Writes "P1 is memory bound: ~55% of its slots; 22 L1D-ld MPKI. Press 4 for
 * caches." If the share is not of this interval, its window follows: "in the
 * last 5 s". Without such a row the sentence reports that a cluster slowed,
 * that there is no bottleneck, or why it is unknown. To fit, clauses are
 * dropped from the end, but never row and cause. Empty if the frame has no
 * bottlenecks. */
void bottleneck_headline(const struct frame *f,
			 const struct bottleneck_style *style,
			 struct bottleneck_sentence *out);

#endif
