/* Fields of a recording: bytes to numbers. */
#ifndef RECORDING_TEXT_H
#define RECORDING_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of these take s[0..n), not terminated, and are strict. */

/* A whole number; ".0" behind it is what spreadsheets add. */
bool recording_count(const char *s, size_t n, uint64_t *out);
bool recording_small(const char *s, size_t n, int *out);

/* A whole number of either sign, as the two's complement. */
bool recording_difference(const char *s, size_t n, uint64_t *out);

/* Decimal seconds to ns; a tenth digit behind the point is cut off. */
bool recording_seconds(const char *s, size_t n, int64_t *ns);

bool recording_real(const char *s, size_t n, double *out);

/*
 * "2026-11-20T14:03:22.118Z" to ns since 1970; after 2261 the most there are.
 * As other programs write it: a blank for the T, and "+00", "+05:30", "-0330"
 * or nothing for the Z.
 */
bool recording_time(const char *s, size_t n, int64_t *ns);

#endif
