#include "sim/inside.h"

#include "kperf/abi.h"

static const struct sim_holder force_taker = { .pid = 667,
					       .born = 1,
					       .task = 667 };

/* Acts as another program: sets the database's first event that is not fixed on
 * each counter, and starts counting. */
static void
reprogram_counters(struct sim_kernel *k)
{
	uint64_t words[SIM_PMCS], mine = 0;

	for (unsigned i = 0; i < k->pmu->nevents && mine == 0; i++)
		if (k->pmu->events[i].fixed < 0)
			mine = k->pmu->events[i].number;
	mine = sim_word_normal(k, mine | KPC_CONFIG_EL0_64);
	for (unsigned i = 0; i < SIM_PMCS; i++)
		words[i] = mine;
	bool unchanged = sim_counting(k) & KPC_CLASS_CONFIGURABLE_MASK;
	for (unsigned i = 0; i < k->m->nconfig; i++)
		if (sim_config_mask(k) >> i & 1 && k->s->kpc.live[i] != mine)
			unchanged = false;
	if (unchanged)
		return;
	(void)sim_counting_set(k, 0);
	sim_words_set(k, words);
	(void)sim_counting_set(k, KPC_CLASS_FIXED_MASK |
					  KPC_CLASS_CONFIGURABLE_MASK);
}

static void
fault_edge(struct sim_kernel *k, const struct sim_fault *f, int64_t t)
{
	if (t == f->from_ns || t == f->to_ns)
		sim_ktrace_fault(k, f, t == f->from_ns);
	if (k->pmu == NULL)
		return;
	if (f->kind == SIM_FAULT_STEAL) {
		if (sim_fault_in(f, t) &&
		    (t - f->from_ns) % SIM_STEAL_EVERY_NS == 0)
			reprogram_counters(k);
		else if (t == f->to_ns)
			(void)sim_counting_set(k, 0);
	}
	if (f->kind == SIM_FAULT_TAKEN) {
		if (t == f->from_ns)
			(void)sim_force_set(k, &force_taker, true);
		else if (t == f->to_ns && k->s->kpc.force &&
			 k->s->kpc.force_by.pid == force_taker.pid)
			(void)sim_force_set(k, &force_taker, false);
	}
}

/* If a `dead` fault starts or ends at t, saves the counts up to t - 1 ns. Does
 * this once for each t. */
static void
dead_edges(struct sim_kernel *k, int64_t t)
{
	bool any = false;

	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_DEAD, f)) != NULL;)
		any = any || f->from_ns == t || f->to_ns == t;
	if (!any || k->pmu == NULL || t < k->dead_done_ns)
		return;
	k->dead_done_ns = t + 1;
	k->before_edge = true;
	sim_counts_close(k);
	k->before_edge = false;
	sim_counts_open(k);
}

static void
idle_run(struct sim_kernel *k, bool all, int64_t t)
{
	uint32_t after = sim_enabled_after_idle(k);

	sim_counts_close(k);
	for (unsigned c = 0; c < k->ncpus; c++) {
		bool back = sim_online(k, c, t) && !sim_online(k, c, t - 1);

		if (back && sim_cpc(k))
			sim_cpc_back(k, c);
		if (back || (all && sim_online(k, c, t)))
			k->s->kpc.enabled[c] = after;
	}
	sim_counts_open(k);
}

void
sim_faults_advance(struct sim_kernel *k)
{
	struct sim_state *s = k->s;
	int64_t t = s->time.next_edge_ns;
	bool all = s->time.idle_ns <= t;

	s->time.now_ns = t;
	k->before_edge = true;
	if (k->watch != NULL)
		k->watch->before(k);
	k->before_edge = false;
	dead_edges(k, t);
	for (unsigned i = 0; i < s->nfaults; i++)
		fault_edge(k, &s->fault[i], t);
	if (k->pmu != NULL)
		idle_run(k, all, t);
	if (all)
		s->time.idle_ns = SIM_NEVER;
	sim_faults_plan(k);
}

/* Reads the clock once, so that the whole call has one time, and runs the
 * planned events that are due. */
void
sim_kernel_enter(struct sim_kernel *k)
{
	struct stamp t;

	sim_kernel_now(k, &t);
	if (t.awake_ns > k->s->time.now_ns ||
	    k->s->time.next_edge_ns <= t.awake_ns) {
		while (k->s->time.next_edge_ns <= t.awake_ns)
			sim_faults_advance(k);
		k->s->time.now_ns = t.awake_ns;
	}
}

static bool
off_is_over(const struct sim_kernel *k)
{
	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_OFF, f)) != NULL;)
		if (f->to_ns > k->s->time.now_ns)
			return false;
	return true;
}

/* Adds the time asleep and the time off of the removed faults to the sums in
 * s->time. */
static void
remove_ended_faults(struct sim_kernel *k)
{
	struct sim_state *s = k->s;
	bool off = off_is_over(k);
	unsigned n = 0;

	for (unsigned c = 0; off && c < k->ncpus; c++) {
		for (unsigned i = 0; i < k->power.off_len[c]; i++)
			s->time.off_ns[c] += k->power.off[c][i].to_ns -
					     k->power.off[c][i].from_ns;
		k->power.off_len[c] = 0;
	}
	for (unsigned i = 0; i < s->nfaults; i++) {
		const struct sim_fault *f = &s->fault[i];
		/* A sleep takes no awake time. */
		int64_t end =
			f->kind == SIM_FAULT_SLEEP ? f->from_ns : f->to_ns;
		bool over =
			f->kind == SIM_FAULT_OFF ? off : end <= s->time.now_ns;

		if (!over)
			s->fault[n++] = *f;
		else if (f->kind == SIM_FAULT_SLEEP)
			s->time.slept_ns += f->to_ns - f->from_ns;
	}
	s->nfaults = n;
}

bool
sim_kernel_fault(struct sim_kernel *k, const struct sim_fault *asked,
		 struct err *e)
{
	struct sim_state *s = k->s;
	struct sim_fault f = *asked;

	if (k->shared || !s->step)
		return err_set(
			e, ERR_USAGE,
			"faults can be added to a running simulation only with clock=step and without a state file");
	if (f.kind == SIM_FAULT_OFF && (f.cpus & k->power.nap_cpus) != 0)
		return err_set(
			e, ERR_USAGE,
			"these CPUs power down by themselves, so fault=off does not apply to them");
	sim_kernel_enter(k);
	sim_procs_flush(k);
	if (k->watch != NULL)
		k->watch->before(k);
	remove_ended_faults(k);
	if (s->nfaults == SIM_FAULTS_MAX)
		return err_set(e, ERR_USAGE,
			       "a simulation has at most %d faults at a time",
			       SIM_FAULTS_MAX);
	f.from_ns += s->time.now_ns;
	if (f.to_ns != SIM_NEVER)
		f.to_ns += s->time.now_ns;
	if (k->pmu != NULL && f.kind == SIM_FAULT_DEAD)
		sim_counts_close(k);
	s->fault[s->nfaults++] = f;
	if (k->pmu != NULL && f.kind == SIM_FAULT_DEAD)
		sim_counts_open(k);
	k->dead_done_ns = s->time.now_ns + 1;
	for (unsigned c = 0; f.kind == SIM_FAULT_OFF && c < k->ncpus; c++)
		if (f.cpus >> c & 1)
			sim_off_add(k, c,
				    (struct sim_off){ f.from_ns, f.to_ns });
	s->time.next_edge_ns = s->time.now_ns;
	sim_faults_advance(k);
	return true;
}
