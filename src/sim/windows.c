#include "sim/inside.h"

#include "kperf/abi.h"

/* After a change of counters, every CPU idles within this time. */
#define IDLE_AFTER_NS 1000000LL

void
sim_off_add(struct sim_kernel *k, unsigned cpu, struct sim_off w)
{
	struct sim_off *list = k->power.off[cpu];
	unsigned n = 0;

	for (unsigned i = 0; i < k->power.off_len[cpu]; i++) {
		if (list[i].to_ns >= w.from_ns && list[i].from_ns <= w.to_ns) {
			if (list[i].from_ns < w.from_ns)
				w.from_ns = list[i].from_ns;
			if (list[i].to_ns > w.to_ns)
				w.to_ns = list[i].to_ns;
		} else {
			list[n++] = list[i];
		}
	}
	list[n] = w;
	k->power.off_len[cpu] = n + 1;
	for (; n > 0 && list[n - 1].from_ns > list[n].from_ns; n--) {
		struct sim_off x = list[n];
		list[n] = list[n - 1];
		list[n - 1] = x;
	}
}

const struct sim_fault *
sim_fault_next(const struct sim_kernel *k, enum sim_fault_kind kind,
	       const struct sim_fault *f)
{
	f = f != NULL ? f + 1 : k->s->fault;
	while (f < k->s->fault + k->s->nfaults && f->kind != (int32_t)kind)
		f++;
	return f < k->s->fault + k->s->nfaults ? f : NULL;
}

void
sim_faults_prepare(struct sim_kernel *k)
{
	bool given = false;

	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_OFF, f)) != NULL;) {
		given = true;
		for (unsigned c = 0; c < k->ncpus; c++)
			if (f->cpus >> c & 1)
				sim_off_add(k, c,
					    (struct sim_off){ f->from_ns,
							      f->to_ns });
	}
	if (!k->m->power_down || given)
		return;
	/* The last cluster powers down automatically (docs/SIMULATION.md). */
	unsigned last = k->m->nclusters - 1;
	uint64_t draw = work_draw(k->s->seed, 4, 0, 0);
	for (unsigned c = 0; c < k->m->cluster[last].ncpus; c++)
		k->power.nap_cpus |= UINT64_C(1)
				     << (sim_machine_first(k->m, last) + c);
	k->power.nap_every_ns = 48 * SIM_SECOND_NS;
	k->power.nap_first_ns =
		SIM_START_NS + (12 + (int64_t)(draw % 17)) * SIM_SECOND_NS;
	k->power.nap_len_ns = (6 + (int64_t)(draw / 17 % 5)) * SIM_SECOND_NS;
}

static int64_t
nap_ns(const struct sim_kernel *k, int64_t at)
{
	if (at <= k->power.nap_first_ns)
		return 0;
	int64_t since = at - k->power.nap_first_ns;
	int64_t part = since % k->power.nap_every_ns;
	return since / k->power.nap_every_ns * k->power.nap_len_ns +
	       (part < k->power.nap_len_ns ? part : k->power.nap_len_ns);
}

int64_t
sim_off_ns(const struct sim_kernel *k, unsigned cpu, int64_t at_ns)
{
	int64_t sum = k->s->time.off_ns[cpu];

	if (k->power.nap_cpus >> cpu & 1)
		sum += nap_ns(k, at_ns);

	for (unsigned i = 0; i < k->power.off_len[cpu]; i++) {
		const struct sim_off *w = &k->power.off[cpu][i];
		if (at_ns > w->from_ns)
			sum += (at_ns < w->to_ns ? at_ns : w->to_ns) -
			       w->from_ns;
	}
	return sum;
}

bool
sim_online(const struct sim_kernel *k, unsigned cpu, int64_t at_ns)
{
	for (unsigned i = 0; i < k->power.off_len[cpu]; i++)
		if (at_ns >= k->power.off[cpu][i].from_ns &&
		    at_ns < k->power.off[cpu][i].to_ns)
			return false;
	if ((k->power.nap_cpus >> cpu & 1) == 0 ||
	    at_ns < k->power.nap_first_ns)
		return true;
	return (at_ns - k->power.nap_first_ns) % k->power.nap_every_ns >=
	       k->power.nap_len_ns;
}

bool
sim_fault_in(const struct sim_fault *f, int64_t at)
{
	return at >= f->from_ns && at < f->to_ns;
}

const struct sim_fault *
sim_fault_at(const struct sim_kernel *k, enum sim_fault_kind kind, int64_t at)
{
	const struct sim_fault *f = NULL;

	while ((f = sim_fault_next(k, kind, f)) != NULL && !sim_fault_in(f, at))
		;
	return f;
}

const struct sim_fault *
sim_fault_now(const struct sim_kernel *k, enum sim_fault_kind kind)
{
	return sim_fault_at(k, kind, k->s->time.now_ns);
}

static bool
selector_hit(const struct sim_kernel *k, enum sim_fault_kind kind,
	     uint64_t selector, int64_t at)
{
	const struct sim_fault *f = NULL;

	while ((f = sim_fault_next(k, kind, f)) != NULL)
		if ((f->arg == SIM_SELECTOR_ALL
			     ? selector != 0
			     : (uint64_t)f->arg == selector) &&
		    sim_fault_in(f, at))
			return true;
	return false;
}

bool
sim_fault_refuses(const struct sim_kernel *k, uint64_t selector)
{
	return selector_hit(k, SIM_FAULT_REFUSE, selector, k->s->time.now_ns);
}

bool
sim_fault_dead(const struct sim_kernel *k, uint64_t selector)
{
	return selector_hit(k, SIM_FAULT_DEAD, selector,
			    k->s->time.now_ns - (k->before_edge ? 1 : 0));
}

static int64_t
nap_edge(const struct sim_kernel *k, int64_t after)
{
	if (after < k->power.nap_first_ns)
		return k->power.nap_first_ns;
	int64_t begin =
		after - (after - k->power.nap_first_ns) % k->power.nap_every_ns;
	return after < begin + k->power.nap_len_ns
		       ? begin + k->power.nap_len_ns
		       : begin + k->power.nap_every_ns;
}

/* As a64/mt.c: after idle, PMCs are enabled by the running classes. */
uint32_t
sim_enabled_after_idle(const struct sim_kernel *k)
{
	uint32_t g = sim_counting(k);

	if (sim_cpc(k))
		return sim_cpc_enabled(k);
	return (g & KPC_CLASS_CONFIGURABLE_MASK ? sim_config_mask(k) : 0) |
	       (g & KPC_CLASS_POWER_MASK ? sim_power_mask(k) : 0);
}

static bool
idle_matters(const struct sim_kernel *k)
{
	uint32_t after = sim_enabled_after_idle(k);

	for (unsigned c = 0; c < k->ncpus; c++)
		if (k->s->kpc.enabled[c] != after &&
		    sim_online(k, c, k->s->time.now_ns))
			return true;
	return false;
}

void
sim_faults_plan(struct sim_kernel *k)
{
	struct sim_state *s = k->s;
	int64_t now = s->time.now_ns, best = SIM_NEVER;

	if (k->pmu != NULL && s->time.idle_ns == SIM_NEVER && idle_matters(k))
		s->time.idle_ns = now + IDLE_AFTER_NS;
	for (unsigned i = 0; i < s->nfaults; i++) {
		const struct sim_fault *f = &s->fault[i];
		sim_earliest(&best, f->from_ns, now);
		sim_earliest(&best, f->to_ns, now);
		if (f->kind == SIM_FAULT_STEAL && sim_fault_in(f, now))
			sim_earliest(&best,
				     now + SIM_STEAL_EVERY_NS -
					     (now - f->from_ns) %
						     SIM_STEAL_EVERY_NS,
				     now);
	}
	if (k->power.nap_cpus != 0)
		sim_earliest(&best, nap_edge(k, now), now);
	sim_earliest(&best, s->time.idle_ns, now);
	s->time.next_edge_ns = best;
}

/* With clock=real, awake time is the system's awake time minus simulated
 * sleeps. A sleep starts at an awake time; its length is in elapsed time. */
static int64_t
real_awake_ns(const struct sim_kernel *k, int64_t elapsed)
{
	int64_t awake = elapsed;

	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_SLEEP, f)) != NULL;) {
		int64_t len = f->to_ns - f->from_ns;

		if (awake > f->from_ns)
			awake = awake - len > f->from_ns ? awake - len
							 : f->from_ns;
	}
	return awake;
}

int64_t
sim_kernel_slept(const struct sim_kernel *k, int64_t awake_ns)
{
	int64_t sum = k->s->time.slept_ns;

	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_SLEEP, f)) != NULL;)
		if (awake_ns >= f->from_ns)
			sum += f->to_ns - f->from_ns;
	return sum;
}

static int64_t
wall_offset_ns(const struct sim_kernel *k, int64_t awake)
{
	int64_t sum = 0;

	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_WALL, f)) != NULL;)
		if (sim_fault_in(f, awake))
			sum += f->arg;
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
			       wall_offset_ns(k, out->awake_ns);
		return;
	}
	clock_now(k->real, out);
	out->elapsed_ns = SIM_START_NS + out->awake_ns - k->s->time.origin_ns;
	out->awake_ns = real_awake_ns(k, out->elapsed_ns);
	out->wall_ns += wall_offset_ns(k, out->awake_ns);
}

void
sim_kernel_step(struct sim_kernel *k, int64_t until_ns)
{
	if (k->s->step && until_ns > k->s->time.awake_ns)
		k->s->time.awake_ns = until_ns;
}
