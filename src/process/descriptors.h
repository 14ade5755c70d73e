/* Descriptors that a process inherited and has no use for. */
#ifndef PROCESS_DESCRIPTORS_H
#define PROCESS_DESCRIPTORS_H

#include <stdbool.h>
#include <stdint.h>

/* How many may be open, as the soft limit is now; 0: not known. */
uint64_t descriptors_limit(void);

/*
 * Closes all from `from` on but the n that are kept (any order; -1: none),
 * whatever their number, also where the limit was lowered since they were
 * opened. May allocate: not for a signal's handler.
 */
void descriptors_close(int from, const int *keep, unsigned n);

/*
 * The system's own call for first..last; false where it has none or refuses.
 * For descriptors_close; file linux/descriptors.c or mac/descriptors.c.
 */
bool descriptors_os_close(unsigned first, unsigned last);

/* The two ways without that call, of which the first can fail; for tests. */
bool descriptors_close_listed(int from, const int *keep, unsigned n);
void descriptors_close_counted(int from, const int *keep, unsigned n);

#endif
