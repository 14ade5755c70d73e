#include "sim/sample.h"

#include "sim/kdebug.h"

/* osfmk/kperf/buffer.h, and class 7 of the threads' own. */
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

#define RUNNING 1 /* run mode of who is on a CPU */
#define PET_THREAD 99
#define LAUNCHD_THREAD ((UINT64_C(1) << 45) + 1)

bool
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
emit(struct sim_kernel *k, unsigned cpu, int64_t at, uint64_t thread,
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

/* Four values a record: the first begins, the last ends, one alone begins. */
static void
counters(struct sim_kernel *k, unsigned cpu, int64_t at,
	 const struct sim_traced *t)
{
	const struct sim_fault *drop = sim_fault_now(k, SIM_FAULT_DROP);
	uint64_t value[32];
	unsigned n = sim_traced_values(k, t->at, value), keep = n;

	/* Of some samples the last record is not there. */
	if (drop != NULL && ++k->s->pet.samples % (uint64_t)drop->arg == 0)
		keep = (n - 1) / 4 * 4;
	for (unsigned i = 0; i < keep; i += 4) {
		uint32_t which = i == 0       ? SIM_KD_START
				 : i + 4 >= n ? SIM_KD_END
					      : 0;
		emit(k, cpu, at, t->thread, KPC_DATA_THREAD | which, value + i);
	}
}

/* Of a thread, by the one that runs: counters are those of who reads them. */
static void
emit_sample(struct sim_kernel *k, unsigned cpu, int64_t at,
	    const struct sim_traced *of, const struct sim_traced *by,
	    uint32_t action)
{
	const struct sim_action *a = &k->s->kperf.action[action];
	uint64_t begin[4] = { a->samplers, action, a->userdata, 0 };
	uint64_t end[4] = { a->samplers, 0 };
	/* Of idle threads nobody wants to know more than that. */
	bool idle = of->idle && (a->samplers & SIM_SAMPLER_TH_INFO);

	emit(k, cpu, at, by->thread, GEN_EVENT | SIM_KD_START, begin);
	if (!idle && a->samplers & SIM_SAMPLER_TH_INFO)
		emit(k, cpu, at, by->thread, TI_DATA,
		     (uint64_t[4]){ (uint64_t)of->pid, of->thread, 0,
				    RUNNING });
	if (!idle && a->samplers & SIM_SAMPLER_TK_INFO)
		emit(k, cpu, at, by->thread, TK_INFO_DATA,
		     (uint64_t[4]){ (uint64_t)of->pid });
	if (!idle && a->samplers & SIM_SAMPLER_PMC_THREAD && k->pmu != NULL)
		counters(k, cpu, at, by);
	end[1] = idle;
	emit(k, cpu, at, by->thread, GEN_EVENT | SIM_KD_END, end);
	k->tracing.nth = 0;
}

void
sim_sample_emit(struct sim_kernel *k, unsigned cpu, int64_t at,
		const struct sim_traced *t, uint32_t action)
{
	emit_sample(k, cpu, at, t, t, action);
}

/* It is older than all counting of threads, so it has no buffer. */
void
sim_sample_walked(struct sim_kernel *k, unsigned cpu, int64_t at,
		  const struct sim_traced *t, uint32_t action)
{
	struct sim_traced pet;

	sim_traced_idle(cpu, &pet);
	pet.thread = PET_THREAD;
	if (sim_sample_passes(k, action, t))
		emit_sample(k, cpu, at, t, &pet, action);
}

void
sim_sample_tick(struct sim_kernel *k, unsigned cpu, int64_t at,
		const struct sim_traced *t, unsigned timer, bool first)
{
	const struct sim_timer *it = &k->s->kperf.timer[timer];

	k->tracing.nth = 0;
	if (first)
		emit(k, cpu, at, t->thread, TM_FIRE,
		     (uint64_t[4]){ timer, k->s->kperf.pet_timer == timer,
				    it->period, it->action });
	emit(k, cpu, at, t->thread, TM_HNDLR | SIM_KD_START,
	     (uint64_t[4]){ 0 });
}

/* Where threads begin and end: the first CPU that is on. */
static unsigned
some_cpu(const struct sim_kernel *k, int64_t at)
{
	unsigned cpu = 0;

	while (cpu + 1 < k->ncpus && !sim_online(k, cpu, at))
		cpu++;
	return cpu;
}

/* Is it one of the tracepoints whose emitters are sampled? */
static bool
triggers(const struct sim_kernel *k, uint32_t debugid)
{
	/* How much of an event's number each type looks at. */
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

/* It is sampled where it passes, if kdebug's own filter lets it. */
static void
passing(struct sim_kernel *k, unsigned cpu, int64_t at,
	const struct sim_traced *t, uint32_t debugid)
{
	uint32_t action = k->s->kperf.trigger.action;

	if (triggers(k, debugid) && sim_kd_traced(k, debugid) &&
	    sim_sample_passes(k, action, t))
		sim_sample_emit(k, cpu, at, t, action);
}

/* A process's number that is never used again: here its first thread's. */
static uint64_t
unique(const struct sim_traced *t)
{
	return (t->thread - 1) / 64 * 64 + 1;
}

void
sim_sample_begins(struct sim_kernel *k, int64_t at, const struct sim_traced *t)
{
	unsigned cpu = some_cpu(k, at);
	struct sim_traced parent;

	emit(k, cpu, at, LAUNCHD_THREAD, NEWTHREAD,
	     (uint64_t[4]){ t->thread, (uint64_t)t->pid, 0, unique(t) });
	/* A sleeper has no buffer, as an idle one. */
	sim_traced_idle(cpu, &parent);
	parent.thread = LAUNCHD_THREAD;
	parent.pid = 1;
	parent.idle = false;
	passing(k, cpu, at, &parent, NEWTHREAD);
}

void
sim_sample_ends(struct sim_kernel *k, int64_t at, const struct sim_traced *t)
{
	unsigned cpu = some_cpu(k, at);

	emit(k, cpu, at, t->thread, TERMINATE_PID,
	     (uint64_t[4]){ (uint64_t)t->pid, unique(t) });
	passing(k, cpu, at, t, TERMINATE_PID);
}
