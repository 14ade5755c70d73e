/* Closes inherited file descriptors. */
#ifndef PROCESS_DESCRIPTORS_H
#define PROCESS_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

/* The soft limit now; 0: unknown. */
uint64_t descriptors_limit(void);

/* Closes all from `from` on except keep[n] (any order; -1: ignored), also those
 * above a lowered limit. May allocate: not for a signal handler. */
void descriptors_close(int from, const int *keep, unsigned n);

/* The system's call for first..last; false: none, or refused.
 * {linux,mac}/descriptors.c. */
bool descriptors_os_close(unsigned first, unsigned last);

/* The fallbacks, in order; public for tests. */
bool descriptors_close_listed(int from, const int *keep, unsigned n);
void descriptors_close_counted(int from, const int *keep, unsigned n);

#endif
