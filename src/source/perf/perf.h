/* The perf source with replaced kernel calls, for tests. */
#ifndef SOURCE_PERF_PERF_H
#define SOURCE_PERF_PERF_H

#include "source/perf/ops.h"
#include "source/source.h"

/* As source_perf.open, but calls `ops` (borrowed), even with o->root. */
struct source *perf_open_with(const struct source_options *o,
			      const struct perf_ops *ops, struct err *e);

#endif
