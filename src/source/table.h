/* source/all/{linux,mac}/table.c list the sources of each build. */
#ifndef SOURCE_TABLE_H
#define SOURCE_TABLE_H

#include "source/source.h"

extern const struct source_ops source_kperf;
extern const struct source_ops source_sim;
extern const struct source_ops source_perf;
extern const struct source_ops source_replay;

#endif
