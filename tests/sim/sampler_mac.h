/* A simulated Mac under libkperf-sampler, and a look at its counters. */
#ifndef TESTS_SIM_SAMPLER_MAC_H
#define TESTS_SIM_SAMPLER_MAC_H

#include "kperf/sampler.h"
#include "sim/machine.h"
#include "sim/machine_state.h"
#include "sim/sim.h"

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define LEN(a) ((unsigned)(sizeof(a) / sizeof((a)[0])))
#define MS 1000000LL

/* Four events that every chip has, the first two on fixed counters. */
static const char *const four[] = { "FixedInstructions", "FIXED_CYCLES",
				    "BranchMispredNonspec",
				    "L1D_CACHE_MISS_LD_NONSPEC" };

static inline struct kps_options
through(const struct kperf_api *kperf, const struct kperfdata_api *kperfdata)
{
	struct kps_options o;

	memset(&o, 0, sizeof(o));
	o.kperf = kperf;
	o.kperfdata = kperfdata;
	o.cpus = 32;
	return o;
}

static inline struct kps_options
in_process(void)
{
	return through(sim_kperf(), sim_kperfdata());
}

static inline struct kps_sampler *
sampler_new(void)
{
	struct kps_options o = in_process();
	struct kps_error e;
	struct kps_sampler *s = kps_sampler_new(&o, &e);

	if (s == NULL)
		fail_msg("%s", e.text);
	return s;
}

static inline struct kps_thread *
thread_new(struct kps_sampler *s, const char *const *names, unsigned n)
{
	struct kps_error e;
	struct kps_thread *t = kps_thread_new(s, names, n, &e);

	if (t == NULL)
		fail_msg("%s", e.text);
	return t;
}

static inline void
thread_start(struct kps_thread *t)
{
	struct kps_error e;

	if (!kps_thread_start(t, &e))
		fail_msg("%s", e.text);
}

static inline void
thread_read(struct kps_thread *t, uint64_t *values)
{
	struct kps_error e;

	if (!kps_thread_sample(t, values, &e))
		fail_msg("%s", e.text);
}

static inline int64_t
now_ns(void)
{
	struct stamp now;

	clock_now(&sim_host()->clock, &now);
	return now.awake_ns;
}

static inline void
step_ns(int64_t ns)
{
	const struct clock *c = &sim_host()->clock;

	c->step(c->self, now_ns() + ns);
}

/* Also after a test that failed half way. */
static inline int
stop(void **state)
{
	(void)state;
	sim_stop();
	return 0;
}

#endif
