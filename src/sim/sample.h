/* The records of kperf's samples and of threads that come and go. */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include "sim/traced.h"

enum {
	SIM_SAMPLER_TH_INFO = 0x1,
	SIM_SAMPLER_PMC_THREAD = 0x10,
	SIM_SAMPLER_TK_INFO = 0x2000
};

/* Is there such an action, and does its filter let the thread pass? */
bool sim_sample_passes(const struct sim_kernel *k, uint32_t action,
		       const struct sim_traced *t);
void sim_sample_emit(struct sim_kernel *k, unsigned cpu, int64_t at,
		     const struct sim_traced *t, uint32_t action);
/* The same by traditional PET's own thread, with what that one counts. */
void sim_sample_walked(struct sim_kernel *k, unsigned cpu, int64_t at,
		       const struct sim_traced *t, uint32_t action);
/* A timer's interrupt on a CPU. */
void sim_sample_tick(struct sim_kernel *k, unsigned cpu, int64_t at,
		     const struct sim_traced *t, unsigned timer, bool first);
void sim_sample_begins(struct sim_kernel *k, int64_t at,
		       const struct sim_traced *t);
void sim_sample_ends(struct sim_kernel *k, int64_t at,
		     const struct sim_traced *t);

#endif
