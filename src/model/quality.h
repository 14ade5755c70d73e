/* How far a value can be trusted: words for files, letters for the screen. */
#ifndef MODEL_QUALITY_H
#define MODEL_QUALITY_H

#include <stdint.h>

/* Of a row (a core, cluster, kind or the machine) in one frame; a bit set. */
enum quality {
	QUALITY_IDLE = 1 << 0,    /* too few cycles to divide */
	QUALITY_OFF = 1 << 1,     /* powered down or off line */
	QUALITY_STALE = 1 << 2,   /* no trustworthy row came this time */
	QUALITY_LATE = 1 << 3,    /* the tick was late by half a period */
	QUALITY_CATCHUP = 1 << 4, /* covers several frames' time at once */
	QUALITY_STOLEN = 1 << 5,  /* another tool reprogrammed the counters */
	QUALITY_SWAP = 1 << 6,    /* the event set changed in this interval */
	QUALITY_GAP = 1 << 7,     /* the machine slept in this interval */
	QUALITY_MUX = 1 << 8,     /* slots took turns; see coverage */
	QUALITY_APPROX = 1 << 9,  /* implausible or approximate */
	QUALITY_LOST =
		1 << 10, /* counters were reset; counts before are gone */
	QUALITY_DENIED = 1 << 11, /* the CPU may not be counted any more */
	QUALITY_BITS = 12
};

struct quality_text {
	const char *word; /* in files */
	char letter;      /* on the screen */
	const char *text; /* one sentence for the help */
};
extern const struct quality_text quality_table[QUALITY_BITS];

/* Words joined by ';' into buf (cut at size); "" for 0. Returns buf. */
const char *quality_words(uint32_t q, char *buf, unsigned size);

/* Bits of the words in text; *unknown is set when one is not known. */
uint32_t quality_parse(const char *text, int *unknown);

#endif
