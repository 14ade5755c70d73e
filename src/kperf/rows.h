/* A reading of every CPU: rows, and which of them the kernel has written. */
#ifndef KPERF_ROWS_H
#define KPERF_ROWS_H

#include "kperf/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Reads all CPUs to row[0..len), a row of kpc_get_counter_count(classes) each.
 * len must have room for hw.ncpu rows: libkperf writes them whatever happens.
 * 0 or the errno.
 */
int kperf_rows_read(const struct kperf_api *k, uint32_t classes, uint64_t *row,
		    size_t len);

/*
 * Did the reading write the row? a and b are two fixed counters. As many rows
 * at the end are left alone as CPUs are off. One that was written may still be
 * an old one: the kernel's buffer is never cleared, and what it holds of a CPU
 * that is off can be anybody's reading, nothing at all, or the heap's bytes.
 */
bool kperf_row_written(const uint64_t *row, unsigned a, unsigned b);

#endif
