/* The kernel's clocks: awake, elapsed and wall time, with sleeps. */
#include "sim/inside.h"

/*
 * Awake time with clock=real: the system's, less the sleeps so far. A sleep
 * begins at a moment of awake time and lasts in elapsed time.
 */
static int64_t
real_awake(const struct sim_kernel *k, int64_t elapsed)
{
	int64_t awake = elapsed;

	for (unsigned i = 0; i < k->s->nfaults; i++) {
		const struct sim_fault *f = &k->s->fault[i];
		if (f->kind != SIM_FAULT_SLEEP || awake <= f->from_ns)
			continue;
		int64_t len = f->to_ns - f->from_ns;
		awake = awake - len > f->from_ns ? awake - len : f->from_ns;
	}
	return awake;
}

int64_t
sim_kernel_slept(const struct sim_kernel *k, int64_t awake_ns)
{
	int64_t sum = k->s->time.slept_ns;

	for (unsigned i = 0; i < k->s->nfaults; i++) {
		const struct sim_fault *f = &k->s->fault[i];
		if (f->kind == SIM_FAULT_SLEEP && awake_ns >= f->from_ns)
			sum += f->to_ns - f->from_ns;
	}
	return sum;
}

/* How far the wall clock is from where it would be. */
static int64_t
wall_set(const struct sim_kernel *k, int64_t awake)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < k->s->nfaults; i++) {
		const struct sim_fault *f = &k->s->fault[i];
		if (f->kind == SIM_FAULT_WALL && awake >= f->from_ns &&
		    awake < f->to_ns)
			sum += f->arg;
	}
	return sum;
}

void
sim_kernel_now(struct sim_kernel *k, struct stamp *out)
{
	if (k->s->step) {
		out->awake_ns = k->s->time.awake_ns;
		out->elapsed_ns =
			out->awake_ns + sim_kernel_slept(k, out->awake_ns);
		out->wall_ns = SIM_WALL_NS + out->elapsed_ns - SIM_START_NS +
			       wall_set(k, out->awake_ns);
		return;
	}
	clock_now(k->real, out);
	out->elapsed_ns = SIM_START_NS + out->awake_ns - k->s->time.origin_ns;
	out->awake_ns = real_awake(k, out->elapsed_ns);
	out->wall_ns += wall_set(k, out->awake_ns);
}

void
sim_kernel_step(struct sim_kernel *k, int64_t until_ns)
{
	if (k->s->step && until_ns > k->s->time.awake_ns)
		k->s->time.awake_ns = until_ns;
}
