/* The sources there are; which of them a build has is in registry_*.c. */
#ifndef SOURCE_TABLE_H
#define SOURCE_TABLE_H

#include "source/source.h"

extern const struct source_ops source_kperf, source_sim, source_perf,
	source_replay;

#endif
