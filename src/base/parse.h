/* Strict parsers of numbers, durations and lists */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Parses a decimal or 0x hexadecimal number within 0..max, without sign or
 * blanks. */
bool parse_u64(const char *s, uint64_t max, uint64_t *out);

/* Parses "2", "0.5" (seconds), "250ms", "1.5s", "10m", "500us", "1h" to ns. */
bool parse_duration(const char *s, int64_t *ns);

/* Parses "1:30" (minutes, seconds) or "1:02:03" (with hours) to ns. */
bool parse_clock(const char *s, int64_t *ns);

/* Parses a JSON number without an exponent, in any locale. */
bool parse_double(const char *s, double *out);

/* Calls add for each number of a CPU list ("0-3,5,7-9\n"; "" is empty). False,
 * without a call: bad syntax, a descending range, or a number above max. */
bool parse_list(const char *s, unsigned max, void (*add)(void *, unsigned),
		void *arg);

/* Returns the length of the first word of a comma-separated list. Commas
 * between slashes belong to the word, as in "cpu/event=1,umask=2/". */
size_t parse_word(const char *s);

#endif
