/* What the files of the kperf source's examination share (source/examine.h). */
#ifndef SOURCE_KPERF_EXAMINE_H
#define SOURCE_KPERF_EXAMINE_H

#include "source/examine.h"
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

/* What a row is filled with before it is read. */
#define KPERF_SENTINEL 0xfedcba9876543210ull

/* One all-CPU reading of the classes as the kernel writes it: the errno. */
int kperf_examine_rows(const struct kperf_source *s, uint64_t *rows,
		       uint32_t classes, unsigned stride);

#endif
