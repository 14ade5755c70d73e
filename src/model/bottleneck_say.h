/* Writes the headline: row, cause, amount, evidence, preset with details. */
#ifndef MODEL_BOTTLENECK_SAY_H
#define MODEL_BOTTLENECK_SAY_H

#include "base/buf.h"
#include "model/frame.h"

enum bottleneck_part { PART_WORDS, PART_WHERE, PART_NUMBER, PART_KEY };

#define BOTTLENECK_NO_COUNTERS "Without counters bottlenecks are unknown"
#define BOTTLENECK_NO_EVENTS \
	"Fixed counters only: no event shows the cause of a bottleneck"

enum { SENTENCE_SIZE = 240, SENTENCE_PARTS = 40 };

/* Work that uses a larger share of the memory bandwidth is limited by
 * bandwidth. */
#define BOTTLENECK_BANDWIDTH 0.7

struct bottleneck_sentence {
	char text[SENTENCE_SIZE];
	unsigned nparts;
	struct {
		enum bottleneck_part part;
		unsigned end; /* offset after the part's last byte */
	} part[SENTENCE_PARTS];
	unsigned scope;
	bool flagged;
	int see;
};

struct bottleneck_style {
	unsigned room;
	bool paper; /* output without keys: the text recommends options */
	/* Returns the key of a preset; 0: none. If `key` is NULL, preset_table
	 * has the keys. */
	char (*key)(const void *self, int preset);
	const void *self;
};

/* Returns what limits memory-bound work, "bandwidth" or "latency"; "": unknown.
 * share: traffic / bandwidth. marks: POWER_AT_LEAST etc. of the traffic. */
const char *bottleneck_memory_kind(double share, unsigned marks);

/* Writes "P1 is memory bound: ~55% of its slots; 22 L1D-ld MPKI. Press 4 for
 * caches." Without a headline row the sentence reports a throttled cluster,
 * that there is no bottleneck, or why the bottleneck is unknown. Clauses are
 * left out to fit style->room; the shortest sentence may still be longer. The
 * text is empty if f->bottleneck is NULL. */
void bottleneck_headline(const struct frame *f,
			 const struct bottleneck_style *style,
			 struct bottleneck_sentence *out);

#endif
