/*
 * A simulated Mac whose calls the test has in hand: boot_with_calls(), replace
 * what is to be replaced, open_booted(); or replace it later.
 */
#ifndef TESTS_SOURCE_MAC_CALLS_H
#define TESTS_SOURCE_MAC_CALLS_H

#include "source/kperf/kperf.h"

#include "sim/calls.h"
#include "source/mac.h"

static inline void
open_booted(bool ipc)
{
	static const struct source_ops ops = { .name = "sim",
					       .program = kperf_program,
					       .read = kperf_read,
					       .close = kperf_close };
	struct source_options o = { .ipc = ipc };
	struct err e;

	source = kperf_open_with(&kpc, &kpep, sim_host(), "sim", &o, &e);
	assert_non_null(source);
	source->ops = &ops;
	sample = sample_new(source->info.topology->ncpus, &e);
	assert_non_null(sample);
}

/* The source alone: the simulation is there to be looked at. */
static inline void
close_source(void)
{
	source->ops->close(source);
	source = NULL;
}

static inline int
shut(void **state)
{
	stop(state);
	sim_stop();
	return 0;
}

#endif
