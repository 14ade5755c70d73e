/* The headline: row, cause, amount, evidence, and the preset with details. */
#ifndef MODEL_BOTTLENECK_SAY_H
#define MODEL_BOTTLENECK_SAY_H

#include "base/buf.h"
#include "model/frame.h"

enum bottleneck_part {
	PART_WORDS,
	PART_WHERE,  /* "P1", "cpu 7" */
	PART_NUMBER, /* unit: of the share, or of the evidence */
	PART_KEY     /* to press */
};

#define BOTTLENECK_NO_COUNTERS "Without counters bottlenecks are unknown"
#define BOTTLENECK_NO_EVENTS \
	"Fixed counters only: no event shows the cause of a bottleneck"

enum { SENTENCE_SIZE = 240, SENTENCE_PARTS = 40 };

/* Above this part of the memory bandwidth, traffic is the limit. */
#define BOTTLENECK_BANDWIDTH 0.7

struct bottleneck_sentence {
	char text[SENTENCE_SIZE]; /* ASCII except for cluster labels */
	unsigned nparts;
	struct {
		enum bottleneck_part part;
		unsigned end; /* behind its last byte */
	} part[SENTENCE_PARTS];
	unsigned scope; /* row that the part describes; the machine's if none */
	bool flagged;
	int see; /* preset that the sentence recommends; -1: none */
};

struct bottleneck_style {
	unsigned room; /* cells for the sentence */
	bool paper;    /* output without keys: recommends options instead */
	/* The digit that chooses a preset, or 0. NULL: as in preset_table. */
	char (*key)(const void *self, int preset);
	const void *self;
};

/* Limit of memory-bound work: "bandwidth" or "latency", by traffic as a part of
 * the bandwidth; "" if unknown. marks: of the traffic. */
const char *bottleneck_memory_kind(double share, unsigned marks);

/* "P1 is memory bound: ~55% of its slots; 22 L1D-ld MPKI. Press 4 for caches."
 * A share that is not of this interval has its window: "in the last 5 s".
 * for the headline's row; or that a cluster slowed, that there is no
 * bottleneck, or why the bottleneck is unknown. Shortened clause by clause from
 * the end to fit; row and cause always stay. Empty if the frame has no
 * bottlenecks. */
void bottleneck_headline(const struct frame *f,
			 const struct bottleneck_style *style,
			 struct bottleneck_sentence *out);

#endif
