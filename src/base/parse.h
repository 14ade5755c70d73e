/* Numbers, durations and lists out of text, strictly: all of it or nothing. */
#ifndef BASE_PARSE_H
#define BASE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal, or hexadecimal with 0x; no sign, no blanks; within 0..max. */
bool parse_u64(const char *s, uint64_t max, uint64_t *out);

/* "2", "0.5", "250ms", "1.5s", "10m", "500us", "1h" to ns; bare: seconds. */
bool parse_duration(const char *s, int64_t *ns);

/* "1:30" or "1:02:03" to ns. */
bool parse_clock(const char *s, int64_t *ns);

/* A decimal number as in JSON without exponent, point whatever the locale. */
bool parse_double(const char *s, double *out);

/*
 * The kernel's CPU list ("0-3,5,7-9\n"; "" is none) calls add for each number
 * in order; false on bad syntax, a falling range, or a number above max.
 */
bool parse_list(const char *s, unsigned max, void (*add)(void *, unsigned),
		void *arg);

/* Bytes of a list's word: to a comma outside of slashes (pmu/a=1,b=2/). */
size_t parse_word(const char *s);

#endif
