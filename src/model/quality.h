/* The quality of values: words in files, letters on the screen. */
#ifndef MODEL_QUALITY_H
#define MODEL_QUALITY_H

#include <stdint.h>

/* Columns: bit; word in files; letter on the screen; help sentence. Add rows at
 * the end. */
/* clang-format off */
#define QUALITIES(ROW) \
	ROW(QUALITY_IDLE, "idle", 'i', "Under a million cycles a second: too few for a ratio.") \
	ROW(QUALITY_OFF, "off", 'o', "The CPU is powered down or offline.") \
	ROW(QUALITY_STALE, "stale", 's', "No reliable reading in this interval; the counts follow with the next.") \
	ROW(QUALITY_LATE, "late", 'L', "The reading was late by half an interval or more.") \
	ROW(QUALITY_CATCHUP, "catchup", 'c', "The counts cover several intervals, since the last reliable reading.") \
	ROW(QUALITY_TAKEN_OVER, "taken-over", '!', "Another program reprogrammed the counters: these event counts are not shown.") \
	ROW(QUALITY_SWAP, "event-change", 'w', "The events changed: they were counted for less than 95 % of the interval.") \
	ROW(QUALITY_GAP, "gap", 'g', "The machine slept, or ktop was stopped, in this interval.") \
	ROW(QUALITY_MUX, "mux", '%', "Events shared counters and were counted a part of the time; see coverage.") \
	ROW(QUALITY_APPROX, "approx", '~', "Implausible counts of a virtual PMU: nothing is calculated from them (?).") \
	ROW(QUALITY_LOST, "lost", 'x', "The counters were reset: earlier counts are lost.") \
	ROW(QUALITY_DENIED, "denied", 'd', "No permission to count this CPU since it came back online.")
/* clang-format on */

#define QUALITY_BIT(name, ...) name##_BIT,
#define QUALITY_MASK(name, ...) name = 1 << name##_BIT,
enum quality_bit { QUALITIES(QUALITY_BIT) QUALITY_BITS };
enum quality { QUALITIES(QUALITY_MASK) };
#undef QUALITY_BIT
#undef QUALITY_MASK

struct quality_text {
	const char *word;
	char letter;
	const char *text;
};
extern const struct quality_text quality_table[QUALITY_BITS];

/* Writes the words, joined by ';', into buf; words that do not fit are cut.
 * Returns buf. */
const char *quality_words(uint32_t q, char *buf, unsigned size);

/* Parses words joined by ';'. *unknown is 1 if a word is unknown, else 0. */
uint32_t quality_parse(const char *text, int *unknown);

#endif
