/* The frameworks' calls in the test's hand: any may be replaced, at any time.
 */
#ifndef TESTS_SIM_CALLS_H
#define TESTS_SIM_CALLS_H

#include "sim/machine_state.h"

static struct kperf_api kpc;
static struct kperfdata_api kpep;

static inline void
boot_with_calls(const char *spec)
{
	boot(spec);
	kpc = *sim_kperf();
	kpep = *sim_kperfdata();
}

#endif
