/* What the files of the kperf source's examination share (source/examine.h). */
#ifndef SOURCE_KPERF_EXAMINE_H
#define SOURCE_KPERF_EXAMINE_H

#include "source/examine.h"
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

/* Sections: files examine_database.c, _kernel.c, _loops.c, _rows.c. */
void kperf_examine_database(struct examine *x);
void kperf_examine_kernel(struct examine *x);
void kperf_examine_loops(struct examine *x);
void kperf_examine_tracing(struct examine *x);
void kperf_examine_reads(struct examine *x);
enum source_status kperf_examine_read(struct examine *x, unsigned n, char *key,
				      size_t size);

/* "key: 0x2 0x8c ...", or "-". */
void kperf_examine_words(FILE *out, const char *key,
			 const struct kperf_words *w);

/* What a row is filled with before it is read. */
#define KPERF_SENTINEL 0xfedcba9876543210ull

/* One all-CPU reading of the classes as the kernel writes it: the errno. */
int kperf_examine_rows(const struct kperf_source *s, uint64_t *rows,
		       uint32_t classes, unsigned stride);

enum { KPERF_TRIAL_NS = 20 * 1000 * 1000 };

/*
 * Asks the scheduler for a fast or a slow core; what it asked, in words. File
 * mac/core.c or linux/core.c.
 */
const char *kperf_core(bool fast);

#endif
