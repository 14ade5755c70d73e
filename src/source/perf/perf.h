/* The perf source with another kernel behind it, for tests. */
#ifndef SOURCE_PERF_PERF_H
#define SOURCE_PERF_PERF_H

#include "source/perf/ops.h"
#include "source/source.h"

/* source_perf.open with calls through `ops` (borrowed), also with o->root.
 */
struct source *perf_open_with(const struct source_options *o,
			      const struct perf_ops *ops, struct err *e);

#endif
