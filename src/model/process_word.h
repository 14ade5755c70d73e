/* What is to be known of a row of a process, in the words of files. */
#ifndef MODEL_PROCESS_WORD_H
#define MODEL_PROCESS_WORD_H

#include "model/process.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The bit, its word in files, and what it says. The word of why there are no
 * counts (PROCESS_ACCESSES) stands before them.
 */
/* clang-format off */
#define PROCESS_FLAGS(ROW) \
	ROW(PROCESS_PARTIAL, "partial", "Not all that it did was seen.") \
	ROW(PROCESS_SCALED, "scaled", "Its counters were shared with others: its counts are estimated.") \
	ROW(PROCESS_CATCHUP, "catchup", "Covers the time of several frames at once; see interval_s.") \
	ROW(PROCESS_GAP, "gap", "The machine slept, or ktop was stopped, in this interval.") \
	ROW(PROCESS_SKEW, "skew", "Of a rest: unknown, since processes have more than the cores counted.") \
	ROW(PROCESS_RESTARTED, "restarted", "Its counts fell, so it is taken for a new process.") \
	ROW(PROCESS_BORN, "born", "It began in this interval: all that it did is in this row.") \
	ROW(PROCESS_KEPT, "kept", "It slept and was not looked at: its next row covers this time as well.")
/* clang-format on */

/* "denied;partial"; "" where there is nothing to say. Returns buf. */
const char *process_words(const struct process_row *r, char *buf,
			  unsigned size);

/*
 * One of these words, s[0..n): sets what it stands for. False: it is none of
 * them.
 */
bool process_word_parse(const char *s, size_t n, uint32_t *flags,
			uint8_t *access);

/* "" where it is not known. */
const char *process_state_name(uint8_t state);

/* The state that a word of files names, s[0..n). False: it names none. */
bool process_state_parse(const char *s, size_t n, uint8_t *state);

#endif
