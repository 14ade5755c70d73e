/* The frameworks, or libraries that stand in for them, as options name them. */
#ifndef SOURCE_KPERF_LIBS_H
#define SOURCE_KPERF_LIBS_H

#include "kperf/load.h"
#include "source/source.h"

#include <stdbool.h>

/* Off a Mac they exist only where somebody points at them. */
bool libs_asked_for(const struct source_options *o);

/*
 * kperf_load, which whoever needs the frameworks calls here. Off a Mac it gives
 * all rights up before, whether it succeeds or not: what it loads is the code
 * of whoever named it.
 */
bool libs_load(const struct source_options *o, struct kperf_libs *out,
	       struct err *e);

#endif
