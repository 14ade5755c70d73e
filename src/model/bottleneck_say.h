/* A frame's bottlenecks as one sentence: where, what, how much, what tells
 * more.
 */
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

#define BOTTLENECK_NO_COUNTERS "Without counters nothing is judged."
#define BOTTLENECK_NO_EVENTS \
	"IPC only: no events are counted, so no cause can be named."

enum { SENTENCE_SIZE = 240, SENTENCE_PARTS = 16 };

struct bottleneck_sentence {
	char text[SENTENCE_SIZE]; /* ASCII, but for labels of clusters */
	unsigned nparts;
	struct {
		enum bottleneck_part part;
		unsigned end; /* behind its last byte */
	} part[SENTENCE_PARTS];
	unsigned scope; /* that it is of; the machine's where of none */
	bool flagged;
};

struct bottleneck_voice {
	unsigned room; /* cells for the sentence */
	bool paper;    /* no keys can be pressed: options are named */
	/* The digit that chooses a preset, or 0. NULL: as in preset_table. */
	char (*key)(const void *self, int preset);
	const void *self;
};

/*
 * The worst that stands out, as in "P1 waits for memory: 60% of its slots; 25
 * L1D misses per 1000 instructions. 4 shows caches."; what has become slow for
 * a reason that is not counted; what is calm, as in "Nothing stands out: 8
 * cores compute, 3 are idle."; or why no cause can be named. In as many words
 * as there is room for: the evidence goes before the share, place and
 * bottleneck stay. Empty where the frame has no bottlenecks.
 */
void bottleneck_headline(const struct frame *f,
			 const struct bottleneck_voice *voice,
			 struct bottleneck_sentence *out);

/* The same of one row, whatever it is. */
void bottleneck_say(const struct frame *f, unsigned scope,
		    const struct bottleneck_voice *voice,
		    struct bottleneck_sentence *out);

/* "4", "0 then os" or "--preset l1d" into b; nothing without a preset. */
void bottleneck_say_key(const struct bottleneck_voice *voice, int preset,
			struct buf *b);

/* What the word's preset shows: "caches"; "" where it has none. */
const char *bottleneck_shows(enum bottleneck_word word);

#endif
