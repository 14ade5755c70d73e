#include "kperf/abi.h"
#include "sim/inside.h"

#define SECOND 1000000000LL
/* A thief looks whether its words still stand this often. */
#define STEAL_EVERY_NS (SECOND / 2)
/* Every core is idle for a moment at least this soon. */
#define IDLE_AFTER_NS 1000000LL

static const struct sim_holder taker = { .pid = 667, .born = 1, .task = 667 };

static void
off_add(struct sim_kernel *k, unsigned cpu, struct sim_off w)
{
	struct sim_off *list = k->off[cpu];
	unsigned n = 0;

	/* Windows that touch become one; the list stays in order. */
	for (unsigned i = 0; i < k->off_len[cpu]; i++) {
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
	k->off_len[cpu] = n + 1;
	for (; n > 0 && list[n - 1].from_ns > list[n].from_ns; n--) {
		struct sim_off x = list[n];
		list[n] = list[n - 1];
		list[n - 1] = x;
	}
}

void
sim_faults_prepare(struct sim_kernel *k)
{
	bool given = false;

	for (unsigned i = 0; i < k->s->nfaults; i++) {
		const struct sim_fault *f = &k->s->fault[i];
		if (f->kind != SIM_FAULT_OFF)
			continue;
		given = true;
		for (unsigned c = 0; c < k->ncpus; c++)
			if (f->cpus >> c & 1)
				off_add(k, c,
					(struct sim_off){ f->from_ns,
							  f->to_ns });
	}
	if (!k->m->power_down || given)
		return;
	/* By itself, unless the faults say when: see docs/SIMULATION.md. */
	unsigned last = k->m->nclusters - 1;
	uint64_t draw = work_draw(k->s->seed, 4, 0, 0);
	for (unsigned c = 0; c < k->m->cluster[last].ncpus; c++)
		k->nap_cpus |= UINT64_C(1)
			       << (sim_machine_first(k->m, last) + c);
	k->nap_every_ns = 48 * SECOND;
	k->nap_first_ns = SIM_START_NS + (12 + (int64_t)(draw % 17)) * SECOND;
	k->nap_len_ns = (6 + (int64_t)(draw / 17 % 5)) * SECOND;
}

/* Naps begin at first + n * every and last len. */
static int64_t
nap_ns(const struct sim_kernel *k, int64_t at)
{
	if (at <= k->nap_first_ns)
		return 0;
	int64_t since = at - k->nap_first_ns;
	int64_t part = since % k->nap_every_ns;
	return since / k->nap_every_ns * k->nap_len_ns +
	       (part < k->nap_len_ns ? part : k->nap_len_ns);
}

int64_t
sim_off_ns(const struct sim_kernel *k, unsigned cpu, int64_t at_ns)
{
	int64_t sum = k->s->off_ns[cpu];

	if (k->nap_cpus >> cpu & 1)
		sum += nap_ns(k, at_ns);

	for (unsigned i = 0; i < k->off_len[cpu]; i++) {
		const struct sim_off *w = &k->off[cpu][i];
		if (at_ns > w->from_ns)
			sum += (at_ns < w->to_ns ? at_ns : w->to_ns) -
			       w->from_ns;
	}
	return sum;
}

bool
sim_online(const struct sim_kernel *k, unsigned cpu, int64_t at_ns)
{
	for (unsigned i = 0; i < k->off_len[cpu]; i++)
		if (at_ns >= k->off[cpu][i].from_ns &&
		    at_ns < k->off[cpu][i].to_ns)
			return false;
	if ((k->nap_cpus >> cpu & 1) == 0 || at_ns < k->nap_first_ns)
		return true;
	return (at_ns - k->nap_first_ns) % k->nap_every_ns >= k->nap_len_ns;
}

static bool
in_window(const struct sim_fault *f, int64_t at)
{
	return at >= f->from_ns && at < f->to_ns;
}

const struct sim_fault *
sim_fault_now(const struct sim_kernel *k, enum sim_fault_kind kind)
{
	for (unsigned i = 0; i < k->s->nfaults; i++)
		if (k->s->fault[i].kind == (int32_t)kind &&
		    in_window(&k->s->fault[i], k->s->now_ns))
			return &k->s->fault[i];
	return NULL;
}

static bool
selector_hit(const struct sim_kernel *k, enum sim_fault_kind kind,
	     uint64_t selector, int64_t at)
{
	for (unsigned i = 0; i < k->s->nfaults; i++) {
		const struct sim_fault *f = &k->s->fault[i];

		if (f->kind == (int32_t)kind &&
		    (f->arg == SIM_SELECTOR_ALL
			     ? selector != 0
			     : (uint64_t)f->arg == selector) &&
		    in_window(f, at))
			return true;
	}
	return false;
}

bool
sim_fault_refuses(const struct sim_kernel *k, uint64_t selector)
{
	return selector_hit(k, SIM_FAULT_REFUSE, selector, k->s->now_ns);
}

bool
sim_fault_dead(const struct sim_kernel *k, uint64_t selector)
{
	return selector_hit(k, SIM_FAULT_DEAD, selector,
			    k->s->now_ns - (k->before_edge ? 1 : 0));
}

static void
sooner(int64_t *best, int64_t t, int64_t after)
{
	if (t > after && t < *best)
		*best = t;
}

static int64_t
nap_edge(const struct sim_kernel *k, int64_t after)
{
	if (after < k->nap_first_ns)
		return k->nap_first_ns;
	int64_t begin = after - (after - k->nap_first_ns) % k->nap_every_ns;
	return after < begin + k->nap_len_ns ? begin + k->nap_len_ns
					     : begin + k->nap_every_ns;
}

/* a64/mt.c: on idle exit the enables are rebuilt from what is "running". */
static uint32_t
enabled_after_idle(const struct sim_kernel *k)
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
	uint32_t after = enabled_after_idle(k);

	for (unsigned c = 0; c < k->ncpus; c++)
		if (k->s->enabled[c] != after && sim_online(k, c, k->s->now_ns))
			return true;
	return false;
}

/* Says when the next thing happens by itself; after any change. */
void
sim_faults_plan(struct sim_kernel *k)
{
	struct sim_state *s = k->s;
	int64_t now = s->now_ns, best = SIM_NEVER;

	if (k->pmu != NULL && s->idle_ns == SIM_NEVER && idle_matters(k))
		s->idle_ns = now + IDLE_AFTER_NS;
	for (unsigned i = 0; i < s->nfaults; i++) {
		const struct sim_fault *f = &s->fault[i];
		sooner(&best, f->from_ns, now);
		sooner(&best, f->to_ns, now);
		if (f->kind == SIM_FAULT_STEAL && in_window(f, now))
			sooner(&best,
			       now + STEAL_EVERY_NS -
				       (now - f->from_ns) % STEAL_EVERY_NS,
			       now);
	}
	if (k->nap_cpus != 0)
		sooner(&best, nap_edge(k, now), now);
	sooner(&best, s->idle_ns, now);
	s->next_edge_ns = best;
}

/* Words of the thief: every place counts the first plain event. */
static void
steal(struct sim_kernel *k)
{
	uint64_t words[SIM_PMCS], mine = 0;

	for (unsigned i = 0; i < k->pmu->nevents && mine == 0; i++)
		if (k->pmu->events[i].fixed < 0)
			mine = k->pmu->events[i].number;
	mine = sim_word_normal(k, mine | KPC_CONFIG_EL0_64);
	for (unsigned i = 0; i < SIM_PMCS; i++)
		words[i] = mine;
	bool stands = sim_counting(k) & KPC_CLASS_CONFIGURABLE_MASK;
	for (unsigned i = 0; i < k->m->nconfig; i++)
		if (sim_config_mask(k) >> i & 1 && k->s->live[i] != mine)
			stands = false;
	if (stands)
		return;
	(void)sim_counting_set(k, 0);
	sim_words_set(k, words);
	(void)sim_counting_set(k, KPC_CLASS_FIXED_MASK |
					  KPC_CLASS_CONFIGURABLE_MASK);
}

static void
fault_edge(struct sim_kernel *k, const struct sim_fault *f, int64_t t)
{
	if (k->pmu == NULL)
		return;
	if (f->kind == SIM_FAULT_STEAL) {
		if (in_window(f, t) && (t - f->from_ns) % STEAL_EVERY_NS == 0)
			steal(k);
		else if (t == f->to_ns)
			(void)sim_counting_set(k, 0);
	}
	if (f->kind == SIM_FAULT_TAKEN) {
		/* Too late if somebody else holds it. */
		if (t == f->from_ns)
			(void)sim_force_set(k, &taker, true);
		else if (t == f->to_ns && k->s->force &&
			 k->s->force_by.pid == taker.pid)
			(void)sim_force_set(k, &taker, false);
	}
}

/* Counts up to the edge are those of before it. */
static void
dead_edges(struct sim_kernel *k, int64_t t)
{
	bool any = false;

	for (unsigned i = 0; i < k->s->nfaults; i++) {
		const struct sim_fault *f = &k->s->fault[i];

		any = any || (f->kind == SIM_FAULT_DEAD &&
			      (f->from_ns == t || f->to_ns == t));
	}
	/* Another fault may join in the same moment: once is enough. */
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
	uint32_t after = enabled_after_idle(k);

	sim_counts_close(k);
	for (unsigned c = 0; c < k->ncpus; c++) {
		bool back = sim_online(k, c, t) && !sim_online(k, c, t - 1);

		if (back && sim_cpc(k))
			sim_cpc_back(k, c);
		if (back || (all && sim_online(k, c, t)))
			k->s->enabled[c] = after;
	}
	sim_counts_open(k);
}

/* Lets the next planned thing happen. */
void
sim_faults_advance(struct sim_kernel *k)
{
	struct sim_state *s = k->s;
	int64_t t = s->next_edge_ns;
	bool all = s->idle_ns <= t;

	s->now_ns = t;
	dead_edges(k, t);
	for (unsigned i = 0; i < s->nfaults; i++)
		fault_edge(k, &s->fault[i], t);
	if (k->pmu != NULL)
		idle_run(k, all, t);
	if (all)
		s->idle_ns = SIM_NEVER;
	sim_faults_plan(k);
}

/* Faults come and go. */

static bool
off_is_over(const struct sim_kernel *k)
{
	for (unsigned i = 0; i < k->s->nfaults; i++)
		if (k->s->fault[i].kind == SIM_FAULT_OFF &&
		    k->s->fault[i].to_ns > k->s->now_ns)
			return false;
	return true;
}

/* The clocks are through a sleep at its beginning. */
static bool
is_over(const struct sim_fault *f, int64_t now_ns)
{
	return (f->kind == SIM_FAULT_SLEEP ? f->from_ns : f->to_ns) <= now_ns;
}

/* Forgets what is over, but for the time it took. */
static void
forget(struct sim_kernel *k)
{
	struct sim_state *s = k->s;
	bool off = off_is_over(k); /* windows may overlap: all or none */
	unsigned n = 0;

	for (unsigned c = 0; off && c < k->ncpus; c++) {
		for (unsigned i = 0; i < k->off_len[c]; i++)
			s->off_ns[c] +=
				k->off[c][i].to_ns - k->off[c][i].from_ns;
		k->off_len[c] = 0;
	}
	for (unsigned i = 0; i < s->nfaults; i++) {
		const struct sim_fault *f = &s->fault[i];
		bool over =
			f->kind == SIM_FAULT_OFF ? off : is_over(f, s->now_ns);

		if (!over)
			s->fault[n++] = *f;
		else if (f->kind == SIM_FAULT_SLEEP)
			s->slept_ns += f->to_ns - f->from_ns;
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
		return err_set(e, ERR_USAGE,
			       "faults join a running simulation only with "
			       "clock=step and without a state file");
	if (f.kind == SIM_FAULT_OFF && (f.cpus & k->nap_cpus) != 0)
		return err_set(e, ERR_USAGE,
			       "these CPUs power down by themselves");
	sim_kernel_enter(k);
	forget(k);
	if (s->nfaults == SIM_FAULTS_MAX)
		return err_set(e, ERR_USAGE, "at most %d faults at a time",
			       SIM_FAULTS_MAX);
	f.from_ns += s->now_ns;
	if (f.to_ns != SIM_NEVER)
		f.to_ns += s->now_ns;
	/* Counts up to now are those without it. */
	if (k->pmu != NULL && f.kind == SIM_FAULT_DEAD)
		sim_counts_close(k);
	s->fault[s->nfaults++] = f;
	if (k->pmu != NULL && f.kind == SIM_FAULT_DEAD)
		sim_counts_open(k);
	k->dead_done_ns = s->now_ns + 1;
	for (unsigned c = 0; f.kind == SIM_FAULT_OFF && c < k->ncpus; c++)
		if (f.cpus >> c & 1)
			off_add(k, c, (struct sim_off){ f.from_ns, f.to_ns });
	/* One that begins at once begins now. */
	s->next_edge_ns = s->now_ns;
	sim_faults_advance(k);
	return true;
}
