#include "sim/inside.h"

/* Debugids of osfmk/kperf/buffer.h and of class 7 (TRACE). */
enum {
	GEN_EVENT = 0x25000000,
	TI_DATA = 0x25010004,
	TM_FIRE = 0x25030000,
	TM_HNDLR = 0x25030008,
	KPC_DATA_THREAD = 0x25060020,
	TK_INFO_DATA = 0x25080010,
	NEWTHREAD = 0x07000004,
	TERMINATE_PID = 0x07000010
};

#define RUNNING 1
#define PET_THREAD 99
#define LAUNCHD_THREAD ((UINT64_C(1) << 45) + 1)

static bool
sim_sample_passes(const struct sim_kernel *k, uint32_t action,
		  const struct sim_traced *t)
{
	if (action == 0 || action > k->s->kperf.action_count)
		return false;
	int32_t pid = k->s->kperf.action[action].pid;
	return k->s->kperf.action[action].samplers != 0 &&
	       (pid == -1 || pid == t->pid);
}

static void
emit_record(struct sim_kernel *k, unsigned cpu, int64_t at, uint64_t thread,
	    uint32_t debugid, const uint64_t arg[4])
{
	struct sim_record r = {
		.arg = { arg[0], arg[1], arg[2], arg[3] },
		.thread = thread,
		.debugid = debugid,
		.cpu = cpu,
	};

	if (k->s->skew)
		r.timestamp = cpu + k->tracing.nth++;
	sim_kd_emit(k, at, &r);
}

static void
emit_counters(struct sim_kernel *k, unsigned cpu, int64_t at,
	      const struct sim_traced *t)
{
	const struct sim_fault *drop = sim_fault_now(k, SIM_FAULT_DROP);
	uint64_t value[32];
	unsigned n = sim_traced_values(k, t->at, value), keep = n;

	if (drop != NULL && ++k->s->pet.samples % (uint64_t)drop->arg == 0)
		keep = (n - 1) / 4 * 4;
	for (unsigned i = 0; i < keep; i += 4) {
		uint32_t which = i == 0       ? SIM_KD_START
				 : i + 4 >= n ? SIM_KD_END
					      : 0;
		emit_record(k, cpu, at, t->thread, KPC_DATA_THREAD | which,
			    value + i);
	}
}

/* Emits a sample of thread `of`, which thread `by` takes with its own
 * counters. */
static void
emit_sample(struct sim_kernel *k, unsigned cpu, int64_t at,
	    const struct sim_traced *of, const struct sim_traced *by,
	    uint32_t action)
{
	const struct sim_action *a = &k->s->kperf.action[action];
	uint64_t begin[4] = { a->samplers, action, a->userdata, 0 };
	uint64_t end[4] = { a->samplers, 0 };
	/* With TH_INFO, a sample of an idle thread has no data. */
	bool idle = of->idle && (a->samplers & SIM_SAMPLER_TH_INFO);

	emit_record(k, cpu, at, by->thread, GEN_EVENT | SIM_KD_START, begin);
	if (!idle && a->samplers & SIM_SAMPLER_TH_INFO)
		emit_record(k, cpu, at, by->thread, TI_DATA,
			    (uint64_t[4]){ (uint64_t)of->pid, of->thread, 0,
					   RUNNING });
	if (!idle && a->samplers & SIM_SAMPLER_TK_INFO)
		emit_record(k, cpu, at, by->thread, TK_INFO_DATA,
			    (uint64_t[4]){ (uint64_t)of->pid });
	if (!idle && a->samplers & SIM_SAMPLER_PMC_THREAD && k->pmu != NULL)
		emit_counters(k, cpu, at, by);
	end[1] = idle;
	emit_record(k, cpu, at, by->thread, GEN_EVENT | SIM_KD_END, end);
	k->tracing.nth = 0;
}

/* PET's thread began before thread counting, so it has no counter buffer. */
static void
sim_sample_walked(struct sim_kernel *k, unsigned cpu, int64_t at,
		  const struct sim_traced *t, uint32_t action)
{
	struct sim_traced pet;

	sim_traced_idle(cpu, &pet);
	pet.thread = PET_THREAD;
	if (sim_sample_passes(k, action, t))
		emit_sample(k, cpu, at, t, &pet, action);
}

static void
sim_sample_tick(struct sim_kernel *k, unsigned cpu, int64_t at,
		const struct sim_traced *t, unsigned timer, bool first)
{
	const struct sim_timer *it = &k->s->kperf.timer[timer];

	k->tracing.nth = 0;
	if (first)
		emit_record(k, cpu, at, t->thread, TM_FIRE,
			    (uint64_t[4]){ timer,
					   k->s->kperf.pet_timer == timer,
					   it->period, it->action });
	emit_record(k, cpu, at, t->thread, TM_HNDLR | SIM_KD_START,
		    (uint64_t[4]){ 0 });
}

static unsigned
some_cpu(const struct sim_kernel *k, int64_t at)
{
	unsigned cpu = 0;

	while (cpu + 1 < k->ncpus && !sim_online(k, cpu, at))
		cpu++;
	return cpu;
}

static bool
is_trigger(const struct sim_kernel *k, uint32_t debugid)
{
	/* Bits of the debugid that each type of trigger compares. */
	static const uint32_t masks[] = { 0xff000000, 0xff000003, 0xffff0000,
					  0xffff0003, 0xfffffffc, 0xffffffff };
	const struct sim_trigger *t = &k->s->kperf.trigger;

	for (unsigned i = 0; i < t->n && i < SIM_TRIGGERS; i++) {
		unsigned type = t->type[i / 2] >> (i % 2 * 4) & 0xf;

		if (type < sizeof masks / sizeof *masks &&
		    ((debugid ^ t->id[i]) & masks[type]) == 0)
			return true;
	}
	return false;
}

static void
emit_tracepoint(struct sim_kernel *k, unsigned cpu, int64_t at,
		const struct sim_traced *t, uint32_t debugid)
{
	uint32_t action = k->s->kperf.trigger.action;

	if (is_trigger(k, debugid) && sim_kd_traced(k, debugid) &&
	    sim_sample_passes(k, action, t))
		emit_sample(k, cpu, at, t, t, action);
}

/* A process's unique id is the id of its first thread. */
static uint64_t
unique_id(const struct sim_traced *t)
{
	return (t->thread - 1) / 64 * 64 + 1;
}

static void
sim_sample_begins(struct sim_kernel *k, int64_t at, const struct sim_traced *t)
{
	unsigned cpu = some_cpu(k, at);
	struct sim_traced parent;

	emit_record(
		k, cpu, at, LAUNCHD_THREAD, NEWTHREAD,
		(uint64_t[4]){ t->thread, (uint64_t)t->pid, 0, unique_id(t) });
	/* launchd's thread sleeps, so it has no counter buffer. */
	sim_traced_idle(cpu, &parent);
	parent.thread = LAUNCHD_THREAD;
	parent.pid = 1;
	parent.idle = false;
	emit_tracepoint(k, cpu, at, &parent, NEWTHREAD);
}

static void
sim_sample_ends(struct sim_kernel *k, int64_t at, const struct sim_traced *t)
{
	unsigned cpu = some_cpu(k, at);

	emit_record(k, cpu, at, t->thread, TERMINATE_PID,
		    (uint64_t[4]){ (uint64_t)t->pid, unique_id(t) });
	emit_tracepoint(k, cpu, at, t, TERMINATE_PID);
}

#define PERIOD_MOST UINT64_C(10000000000000000)

/* A period in which no thread starts or ends and no CPU powers on or off */
struct pet_walk {
	struct sim_kernel *k;
	uint64_t online;
	bool shifted;
	int64_t off_ns[SIM_MAX_CPUS]; /* awake time minus CPU's own time */
	int64_t next[SIM_MAX_CPUS];
	int64_t tick[SIM_TIMERS];
};

static bool
is_counting(const struct sim_kernel *k)
{
	return k->s->threads.classes != 0 && k->pmu != NULL;
}

static bool
is_sampling(const struct sim_kernel *k)
{
	return k->s->kperf.sampling && sim_kd_live(k);
}

static bool
is_ring_elsewhere(const struct sim_kernel *k)
{
	return k->shared && k->s->kperf.sampling && k->s->kd.enabled &&
	       k->s->kd.logs && !sim_kd_ring(k);
}

/* How long a thread runs in the slice at `own`, in ns; 0: the CPU is less than
 * 1 % busy */
static int64_t
on_ns(const struct sim_kernel *k, unsigned cpu, int64_t own)
{
	const struct work_cpu *c = &k->work.cpu[cpu];
	const struct work_mix *x =
		&c->mix[(uint64_t)(own / WORK_GRAIN_NS) % c->grains];
	int64_t busy = 0;

	for (int a = 0; a < WORK_ACTIVITIES; a++)
		busy += x->share[a];
	return busy * 100 < WORK_SHARE ? 0 : busy * SIM_SLICE_NS / WORK_SHARE;
}

static void
cpu_thread(const struct pet_walk *w, unsigned cpu, int64_t own,
	   struct sim_traced *out)
{
	if (own % SIM_SLICE_NS < on_ns(w->k, cpu, own))
		sim_traced_owner(w->k, cpu, own, w->k->s->pet.done_ns, out);
	else
		sim_traced_idle(cpu, out);
}

static int64_t
next_switch(const struct pet_walk *w, unsigned cpu, int64_t own)
{
	int64_t slice = own - own % SIM_SLICE_NS;
	int64_t idle = slice + on_ns(w->k, cpu, own);

	return w->off_ns[cpu] + (idle > own ? idle : slice + SIM_SLICE_NS);
}

static int64_t
ticks_ns(const struct sim_kernel *k, uint64_t ticks)
{
	return (int64_t)(k->m->cputype == 7
				 ? ticks
				 : ticks / 3 * 125 + ticks % 3 * 125 / 3);
}

/* Timers fire at start_ns + n * period. */
static int64_t
next_tick(const struct sim_kernel *k, unsigned timer, int64_t after_change)
{
	const struct sim_pet *p = &k->s->pet;
	uint64_t period = k->s->kperf.timer[timer].period, n;
	int64_t t;

	if (timer >= k->s->kperf.timer_count || period == 0 ||
	    period > PERIOD_MOST || after_change < p->start_ns)
		return SIM_NEVER;
	n = sim_ticks(k, (uint64_t)(after_change - p->start_ns)) / period;
	do
		t = p->start_ns + ticks_ns(k, n++ * period);
	while (t <= after_change);
	return t;
}

static uint64_t
continuous(const struct sim_kernel *k, int64_t at)
{
	return sim_ticks(k, (uint64_t)(at + sim_kernel_slept(k, at)));
}

static uint64_t
generation(const struct sim_kernel *k, int64_t at)
{
	const struct sim_state *s = k->s;

	if (s->os < SIM_OS(15, 4))
		return s->pet.fired;
	if (s->kperf.pet_timer >= s->kperf.timer_count ||
	    s->kperf.timer[s->kperf.pet_timer].period == 0)
		return 0;
	return (continuous(k, at) - s->pet.start_ticks) /
	       s->kperf.timer[s->kperf.pet_timer].period;
}

/* If CPUs were off for different times, a thread may be on two CPUs at once. It
 * gets the counts of both. */
static void
switch_elsewhere(struct pet_walk *w, int64_t at, const struct sim_traced *t)
{
	for (unsigned cpu = 0; cpu < w->k->ncpus; cpu++) {
		struct sim_traced other;

		if ((w->online >> cpu & 1) == 0)
			continue;
		sim_traced_owner(w->k, cpu, at - w->off_ns[cpu] - 1,
				 w->k->s->pet.done_ns, &other);
		if (other.at == t->at)
			sim_traced_switch(w->k, cpu, t->at, at);
	}
}

static void
sample_thread(struct pet_walk *w, unsigned cpu, int64_t at,
	      const struct sim_traced *t, uint32_t action)
{
	struct sim_kernel *k = w->k;

	if (!sim_sample_passes(k, action, t))
		return;
	k->s->pet.thread[t->at].generation = generation(k, at);
	if (k->pmu != NULL && k->s->pet.thread[t->at].has &&
	    k->s->kperf.action[action].samplers & SIM_SAMPLER_PMC_THREAD) {
		sim_traced_switch(k, cpu, t->at, at);
		if (w->shifted && is_counting(k))
			switch_elsewhere(w, at, t);
	}
	emit_sample(k, cpu, at, t, t, action);
}

/* With lightweight PET, samples the thread unless it was sampled since the last
 * tick. */
static void
switch_in(struct pet_walk *w, unsigned cpu, int64_t at,
	  const struct sim_traced *t)
{
	const struct sim_state *s = w->k->s;

	if (s->kperf.lightweight_pet && s->kperf.pet_action != 0 &&
	    s->pet.thread[t->at].generation != generation(w->k, at)) {
		w->k->tracing.nth = 0; /* no tick record precedes the sample */
		sample_thread(w, cpu, at, t, s->kperf.pet_action);
	}
}

static void
give_buffer(struct sim_kernel *k, unsigned cpu, int64_t at,
	    const struct sim_traced *t)
{
	if (!is_counting(k) || !t->user || k->s->pet.thread[t->at].has)
		return;
	sim_traced_switch(k, cpu, t->at, at);
	sim_traced_give(k, t->at);
}

static void
switch_out(struct pet_walk *w, unsigned cpu, int64_t at)
{
	int64_t own = at - w->off_ns[cpu];
	struct sim_traced t;

	if (own % WORK_GRAIN_NS != 0 || !is_counting(w->k))
		return;
	sim_traced_owner(w->k, cpu, own - 1, w->k->s->pet.done_ns, &t);
	sim_traced_switch(w->k, cpu, t.at, at);
}

static void
slice_begins(struct pet_walk *w, unsigned cpu, int64_t at)
{
	int64_t own = at - w->off_ns[cpu];
	struct sim_traced t;

	if (on_ns(w->k, cpu, own) == 0)
		return;
	sim_traced_owner(w->k, cpu, own, w->k->s->pet.done_ns, &t);
	if (t.idle)
		return;
	give_buffer(w->k, cpu, at, &t);
	switch_in(w, cpu, at, &t);
}

static void
cpu_event(struct pet_walk *w, unsigned cpu, int64_t at)
{
	int64_t own = at - w->off_ns[cpu];
	struct sim_traced idle;

	if (own % SIM_SLICE_NS == 0) {
		slice_begins(w, cpu, at);
	} else {
		sim_traced_idle(cpu, &idle);
		switch_in(w, cpu, at, &idle);
	}
	w->next[cpu] = next_switch(w, cpu, own);
}

/* The kernel has a thread on each CPU, a program on each CPU that runs it. */
static bool
has_thread(const struct sim_kernel *k, unsigned slot, unsigned i, int64_t at)
{
	const struct sim_slot *s = &k->s->procs.slot[slot];

	if (!s->there || sim_slot_zombie(s, at))
		return false;
	if (slot == 0)
		return i < k->ncpus;
	if (slot >= SIM_SLOT_PROGRAM)
		return i < k->ncpus &&
		       k->s->program[i] == 1 + slot - SIM_SLOT_PROGRAM;
	return i < sim_slot_threads(k, slot) &&
	       !sim_thread_ended(k, slot, i, at);
}

static void
walk_slot(struct sim_kernel *k, unsigned slot, unsigned cpu, int64_t at)
{
	struct sim_traced t;

	for (unsigned i = 0; i < SIM_PROC_THREADS || i < k->ncpus; i++) {
		if (!has_thread(k, slot, i, at))
			continue;
		sim_traced_thread(k, slot, i, &t);
		sim_sample_walked(k, cpu, at, &t, k->s->kperf.pet_action);
	}
}

/* Traditional PET (XNU's osfmk/kperf/pet.c): after the interrupts, PET's thread
 * on the first online CPU samples all threads. */
static void
walk_threads(const struct pet_walk *w, int64_t at)
{
	unsigned cpu = 0;

	while (cpu + 1 < w->k->ncpus && (w->online >> cpu & 1) == 0)
		cpu++;
	for (unsigned slot = 0; slot < SIM_SLOTS; slot++)
		walk_slot(w->k, slot, cpu, at);
}

/* Samples the online CPUs. A timer that is not traditional PET's omits idle
 * CPUs. The first CPU sampled emits the record of the timer. */
static void
timer_fires(struct pet_walk *w, unsigned timer, int64_t at)
{
	struct sim_state *s = w->k->s;
	bool all = s->kperf.pet_timer == timer && !s->kperf.lightweight_pet;
	bool first = true;

	for (unsigned cpu = 0; cpu < w->k->ncpus; cpu++) {
		struct sim_traced t;

		if ((w->online >> cpu & 1) == 0)
			continue;
		cpu_thread(w, cpu, at - w->off_ns[cpu] - 1, &t);
		if (t.idle && !all)
			continue;
		if (first && s->kperf.pet_timer == timer)
			s->pet.fired++;
		sim_sample_tick(w->k, cpu, at, &t, timer, first);
		first = false;
		sample_thread(w, cpu, at, &t, s->kperf.timer[timer].action);
	}
	if (all)
		walk_threads(w, at);
	w->tick[timer] = next_tick(w->k, timer, at);
}

static int64_t
next_event(const struct pet_walk *w, int64_t to)
{
	for (unsigned i = 0; i < SIM_TIMERS; i++)
		if (w->tick[i] < to)
			to = w->tick[i];
	for (unsigned cpu = 0; cpu < w->k->ncpus; cpu++)
		if (w->online >> cpu & 1 && w->next[cpu] < to)
			to = w->next[cpu];
	return to;
}

static void
run_events(struct pet_walk *w, int64_t to)
{
	struct sim_kernel *k = w->k;
	int64_t at = k->s->pet.done_ns;

	for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
		w->next[cpu] = next_switch(w, cpu, at - w->off_ns[cpu]);
	for (unsigned i = 0; i < SIM_TIMERS; i++)
		w->tick[i] = next_tick(k, i, at);
	while (at < to) {
		at = next_event(w, to);
		for (unsigned i = 0; i < SIM_TIMERS; i++)
			if (w->tick[i] == at)
				timer_fires(w, i, at);
		/* A thread leaves its CPU before it enters another. */
		for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
			if (w->online >> cpu & 1 && w->next[cpu] == at)
				switch_out(w, cpu, at);
		for (unsigned cpu = 0; cpu < k->ncpus; cpu++)
			if (w->online >> cpu & 1 && w->next[cpu] == at)
				cpu_event(w, cpu, at);
	}
}

/* Without samples, whole grains give the same counts as slices. */
static void
run_grains(struct pet_walk *w, unsigned cpu, int64_t to)
{
	struct sim_kernel *k = w->k;
	int64_t now = k->s->pet.done_ns, off = w->off_ns[cpu], own = now - off;
	struct sim_traced t;

	for (to -= off; own < to;) {
		int64_t end = own - own % WORK_GRAIN_NS + WORK_GRAIN_NS;
		int64_t slice = own - own % SIM_SLICE_NS + SIM_SLICE_NS;
		int64_t pet_advance = end < to ? end : to;

		sim_traced_owner(k, cpu, own, now, &t);
		if (slice <= pet_advance && slice < end)
			give_buffer(k, cpu, slice + off, &t);
		sim_traced_switch(k, cpu, t.at, pet_advance + off);
		own = pet_advance;
		if (own != end)
			break;
		sim_traced_owner(k, cpu, own, now, &t);
		give_buffer(k, cpu, own + off, &t);
	}
}

static void
switch_all(struct pet_walk *w, int64_t to)
{
	for (unsigned cpu = 0; cpu < w->k->ncpus; cpu++) {
		struct sim_traced t;

		if ((w->online >> cpu & 1) == 0)
			continue;
		sim_traced_until(w->k, cpu, to - w->off_ns[cpu],
				 w->k->s->pet.done_ns, &t);
		sim_traced_switch(w->k, cpu, t.at, to);
	}
}

static void
pet_walk(struct sim_kernel *k, int64_t to)
{
	struct sim_pet *p = &k->s->pet;
	bool gap = to - p->done_ns > SIM_PET_GAP_NS;
	struct pet_walk w = { .k = k };

	if (to <= p->done_ns)
		return;
	for (unsigned cpu = 0; cpu < k->ncpus; cpu++) {
		w.off_ns[cpu] = sim_off_ns(k, cpu, p->done_ns);
		if (sim_online(k, cpu, p->done_ns))
			w.online |= UINT64_C(1) << cpu;
		w.shifted = w.shifted || w.off_ns[cpu] != w.off_ns[0];
	}
	if (is_sampling(k) && !gap)
		run_events(&w, to);
	else if (is_sampling(k) || is_ring_elsewhere(k))
		k->s->kd.flags |= SIM_KD_WRAPPED;
	for (unsigned cpu = 0; is_counting(k) && cpu < k->ncpus; cpu++)
		if ((!is_sampling(k) || gap) && w.online >> cpu & 1)
			run_grains(&w, cpu, to);
	if (is_counting(k) && is_sampling(k) && !gap)
		switch_all(&w, to);
	p->done_ns = to;
}

static void
pet_advance(struct sim_kernel *k, int64_t at)
{
	if (is_ring_elsewhere(k) || !(is_counting(k) || is_sampling(k)))
		return;
	pet_walk(k, at);
	for (unsigned slot = 1; slot < SIM_SLOT_PROGRAM; slot++) {
		const struct sim_slot *s = &k->s->procs.slot[slot];
		unsigned n = sim_slot_threads(k, slot);
		struct sim_traced t;

		if (!s->there || n < 2 || s->now.born_ns + SIM_THREAD_NS != at)
			continue;
		sim_traced_thread(k, slot, n - 1, &t);
		sim_sample_ends(k, at, &t);
		k->s->pet.thread[t.at].has = false;
	}
}

/* The ended process may have used any thread of the slot. */
static void
slot_turned(struct sim_kernel *k, unsigned slot, int64_t at)
{
	const struct sim_slot *s = &k->s->procs.slot[slot];
	bool aged = at - s->before.born_ns >= SIM_THREAD_NS;

	for (unsigned i = 0; i < sim_slot_threads(k, slot); i++) {
		struct sim_traced t, old;

		sim_traced_thread(k, slot, i, &t);
		old = t;
		old.pid = s->before.pid;
		old.thread = sim_thread_id(slot, s->before.k, i);
		if (!aged || i == 0 || i + 1 < sim_slot_threads(k, slot))
			sim_sample_ends(k, at, &old);
		k->s->pet.thread[t.at] = (struct sim_counted){ .has = false };
		if (is_counting(k))
			sim_traced_give(k, t.at);
		sim_sample_begins(k, at, &t);
	}
}

void
sim_pet_advance(struct sim_kernel *k)
{
	if (is_ring_elsewhere(k))
		return;
	if (is_counting(k) || is_sampling(k)) {
		sim_procs_advance(k);
		pet_walk(k, k->s->time.now_ns);
	}
	k->s->pet.done_ns = k->s->time.now_ns;
}

void
sim_pet_start(struct sim_kernel *k)
{
	k->s->pet.start_ns = k->s->time.now_ns;
	k->s->pet.start_ticks = continuous(k, k->s->time.now_ns);
}

static void
before_change(struct sim_kernel *k)
{
	if (is_ring_elsewhere(k))
		pet_walk(k, k->s->time.now_ns);
	sim_pet_advance(k);
	if (k->s->threads.kept != 0)
		sim_traced_save(k);
}

static void
after_change(struct sim_kernel *k)
{
	if (k->s->threads.kept != 0)
		sim_traced_resume(k);
}

const struct sim_watch *
sim_pet_watch(void)
{
	static const struct sim_watch watch = { pet_advance, slot_turned,
						before_change, after_change };

	return &watch;
}
