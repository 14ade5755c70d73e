/* The known sources; {linux,mac}/table.c of all/ list a build's. */
#ifndef SOURCE_TABLE_H
#define SOURCE_TABLE_H

#include "source/source.h"

extern const struct source_ops source_kperf;
extern const struct source_ops source_sim;
extern const struct source_ops source_perf;
extern const struct source_ops source_replay;

#endif
