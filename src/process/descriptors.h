/* Closes inherited file descriptors. */
#ifndef PROCESS_DESCRIPTORS_H
#define PROCESS_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

/* The soft limit on open files; 0: unknown. */
uint64_t descriptors_limit(void);

/* Closes all descriptors >= from except keep[n] (any order; -1: ignored), even
 * above a lowered limit if possible. May allocate: not for a signal handler. */
void descriptors_close(int from, const int *keep, unsigned n);

/* False: there is no such system call, or it failed. In
 * {linux,mac}/descriptors.c. */
bool descriptors_os_close(unsigned first, unsigned last);

/* Fallbacks of descriptors_close, in this order; public for tests. */
bool descriptors_close_listed(int from, const int *keep, unsigned n);
void descriptors_close_counted(int from, const int *keep, unsigned n);

#endif
