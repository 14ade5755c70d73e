/* The first line: where, what, how much, by which evidence, what tells more. */
#ifndef MODEL_BOTTLENECK_SAY_H
#define MODEL_BOTTLENECK_SAY_H

#include "base/buf.h"
#include "model/frame.h"

enum bottleneck_part {
	PART_WORDS,
	PART_WHERE,  /* "P1", "cpu 7" */
	PART_NUMBER, /* of the share, or of the evidence */
	PART_KEY     /* to press */
};

#define BOTTLENECK_NO_COUNTERS "Without counters bottlenecks are unknown"
#define BOTTLENECK_NO_EVENTS \
	"Fixed counters only: no event shows the cause of a bottleneck"

enum { SENTENCE_SIZE = 240, SENTENCE_PARTS = 40 };

/* Traffic over this part of the memory's ceiling limits it. */
#define BOTTLENECK_BANDWIDTH 0.7

struct bottleneck_sentence {
	char text[SENTENCE_SIZE]; /* ASCII, but for labels of clusters */
	unsigned nparts;
	struct {
		enum bottleneck_part part;
		unsigned end; /* behind its last byte */
	} part[SENTENCE_PARTS];
	unsigned scope; /* that it is of; the machine's where of none */
	bool flagged;
	int see; /* preset that it advises; -1: none */
};

struct bottleneck_style {
	unsigned room; /* cells for the sentence */
	bool paper;    /* no keys can be pressed: options are named */
	/* The digit that chooses a preset, or 0. NULL: as in preset_table. */
	char (*key)(const void *self, int preset);
	const void *self;
};

/* What memory bound work waits for: "bandwidth" or "latency", by its traffic as
 * a part of the ceiling; "" where it is not known. marks: of the traffic. */
const char *bottleneck_memory_kind(double share, unsigned marks);

/*
 * "P1 is memory bound: ~55% of its slots; 22 L1D-ld MPKI. Press 4 for caches."
 * of the row that the first line is of; what has slowed; that there is no
 * bottleneck; or why none is known. Where there is too little room it is
 * shortened from the end, clause by clause: where and what always stay. Empty
 * where the frame has no bottlenecks.
 */
void bottleneck_headline(const struct frame *f,
			 const struct bottleneck_style *style,
			 struct bottleneck_sentence *out);

#endif
