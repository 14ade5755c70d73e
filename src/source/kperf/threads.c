/* Counters of threads, for threads that read their own. */
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

#include <string.h>

bool
kperf_threads(struct source *base, struct source_threads *out, struct err *e)
{
	struct kperf_source *s = kperf_of(base);
	struct kperf_fault f;

	if (s->mode != SOURCE_FULL)
		return err_set(
			e, s->why.code != ERR_NONE ? s->why.code : ERR_FAIL,
			"%s",
			s->why.text[0] != '\0' ? s->why.text
					       : "no events are counted now");
	if (s->stolen)
		return err_set(
			e, ERR_TAKEN,
			"another tool programs the counters; quit it and try again");
	if (!s->held.threads &&
	    !kperf_hold_threads(s->kpc, &s->found, &s->held, KPERF_BOTH, &f))
		return kperf_fault_err(e, &f);
	*out = (struct source_threads){
		.epoch = s->epoch,
		.counters = s->stride,
		.cycles = s->fixed[FIXED_CYCLES],
		.instructions = s->fixed[FIXED_INSTRUCTIONS],
		.left_out = s->left_out,
	};
	memcpy(out->slot, s->column, sizeof out->slot);
	return true;
}
