#include "sim/kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/inside.h"

static bool
rates_fill(struct sim_kernel *k, uint64_t seed, bool wide)
{
	unsigned n = k->pmu != NULL ? k->pmu->nevents : 0;
	bool recovery = k->pmu != NULL &&
			pmu_event_find(k->pmu, "MAP_RECOVERY") != NULL;

	k->rates.event =
		calloc((size_t)n * k->m->nkinds + 1, sizeof *k->rates.event);
	k->rates.at = calloc(1 << 16, sizeof *k->rates.at);
	if (k->rates.event == NULL || k->rates.at == NULL)
		return false;
	/* If several names have one selector (Intel thresholds), the first name
	 * with a rule is used, else the first name. */
	for (unsigned own = 0; own < 2; own++)
		for (unsigned i = n; i-- > 0;)
			if (k->pmu->events[i].fixed < 0 &&
			    (!own || work_rate_known(k->pmu->events[i].name)))
				k->rates.at[pmu_selector(&k->pmu->events[i])] =
					(uint16_t)(i + 1);
	for (unsigned kind = 0; kind < k->m->nkinds; kind++) {
		const struct sim_kind *q = &k->m->kind[kind];
		struct work_physics *by = &k->rates.physics[kind];

		work_physics_draw(by, seed, kind, q->class == SIM_CLASS_SLOW,
				  wide);
		work_rate_of(q, by, "FIXED_CYCLES", false,
			     &k->rates.cycles[kind]);
		work_rate_of(q, by, "FIXED_INSTRUCTIONS", false,
			     &k->rates.inst[kind]);
		for (unsigned i = 0; i < n; i++)
			work_rate_of(q, by, k->pmu->events[i].name, recovery,
				     &k->rates.event[kind * n + i]);
	}
	return true;
}

static void
faults_copy(struct sim_state *s, const struct sim_spec *spec)
{
	s->nfaults = spec->nfaults;
	for (unsigned i = 0; i < spec->nfaults; i++) {
		s->fault[i] = spec->fault[i];
		s->fault[i].from_ns += SIM_START_NS;
		if (s->fault[i].to_ns != SIM_NEVER)
			s->fault[i].to_ns += SIM_START_NS;
	}
}

/* kpc's row buffer is uninitialized heap memory (kern_kpc.c, lines 86 to 107).
 * It gets zeros, small numbers, addresses and random words. */
static void
heap_bytes(struct sim_state *s)
{
	for (unsigned i = 0; i < SIM_BUFFER_LEN; i++) {
		uint64_t d = work_draw(s->seed, 5, i, 0);

		s->kpc.buffer[i] = d % 4 == 0   ? 0
				   : d % 4 == 1 ? d >> 48
				   : d % 4 == 2 ? 0xfffffe0000000000 | d >> 24
						: d;
	}
}

static void
state_boot(struct sim_kernel *k, const struct sim_spec *spec)
{
	struct sim_state *s = k->s;

	for (size_t i = 0; i < sizeof s->machine - 1 && k->m->name[i]; i++)
		s->machine[i] = k->m->name[i];
	s->seed = spec->seed;
	s->os = spec->os;
	s->step = spec->step;
	s->skew = spec->skew;
	s->wide = spec->wide;
	/* In spec->pm, bits 0 and 1 are the fixed counters. */
	s->pm = spec->pm >> 2;
	s->raw_words = spec->raw17 ? 17 : 7;
	s->has_pm = !spec->no_pm && k->m->pmu == 2;
	s->time.awake_ns = s->time.now_ns = SIM_START_NS;
	s->time.idle_ns = s->threads.off_ns = SIM_NEVER;
	s->kperf.pet_idle_rate = 15;
	s->kperf.pet_timer = SIM_NO_TIMER;
	s->pet.done_ns = SIM_START_NS;
	heap_bytes(s);
	for (unsigned i = 0; i <= SIM_ACTIONS; i++)
		s->kperf.action[i].task = s->kperf.action[i].pid = -1;
	memcpy(s->program, spec->program, sizeof s->program);
	faults_copy(s, spec);
	sim_procs_boot(k, spec->procs != 0 ? spec->procs : SIM_PROCS_WANTED,
		       spec->rest);
	if (!s->step) {
		struct stamp t;
		clock_now(k->real, &t);
		s->time.origin_ns = t.awake_ns;
	}
}

bool
sim_kernel_init(struct sim_kernel *k, struct sim_state *s, bool old,
		const struct sim_spec *spec, struct err *e)
{
	memset(k, 0, sizeof *k);
	k->s = s;
	k->fd = -1;
	k->m = spec->machine;
	k->pmu = pmu_by_db(k->m->db);
	k->ncpus = sim_machine_ncpus(k->m);
	k->pmu_version = k->m->pmu;
	k->cpusubtype = spec->cpusubtype;
	k->cpufamily = spec->new_chip ? SIM_NEW_FAMILY : k->m->cpufamily;
	k->real = clock_system();
	k->watch = sim_pet_watch();
	if (!work_init(&k->work, k->m, spec->seed,
		       old ? s->program : spec->program, e))
		return false;
	if (!rates_fill(k, spec->seed, old ? s->wide : spec->wide)) {
		sim_kernel_free(k);
		return err_set(e, ERR_FAIL,
			       "out of memory for the simulated counters");
	}
	sim_slots_prepare(k);
	if (!old)
		state_boot(k, spec);
	sim_slots_list(k);
	sim_faults_prepare(k);
	if (!old) {
		k->s->time.next_edge_ns = k->s->time.now_ns;
		sim_faults_advance(k);
	}
	return true;
}

void
sim_kernel_free(struct sim_kernel *k)
{
	work_free(&k->work);
	free(k->rates.event);
	free(k->rates.at);
	sim_ring_free(k->tracing.ring);
	free(k->tracing.map.entry);
	k->tracing.ring = NULL;
	k->tracing.map.entry = NULL;
	k->rates.event = NULL;
	k->rates.at = NULL;
}

static void
pass_kernel_time(struct sim_kernel *k, int64_t ns)
{
	if (k->s->step)
		k->s->time.awake_ns += ns;
	else if (k->pause != NULL)
		k->pause(ns);
	sim_kernel_enter(k);
}

int
sim_kernel_sysctl(struct sim_kernel *k, const struct sim_caller *who,
		  const char *name, void *old, size_t *old_size,
		  const void *fresh, size_t fresh_size)
{
	struct sim_req r = { .k = k,
			     .who = who,
			     .old = old,
			     .old_size = old_size != NULL ? *old_size : 0,
			     .fresh = fresh,
			     .fresh_size = fresh != NULL ? fresh_size : 0 };
	const struct sim_fault *slow;
	int code;

	sim_kernel_enter(k);
	bool sampling = k->s->kperf.sampling != 0;
	if (strncmp(name, "kperf.", 6) == 0 ||
	    strcmp(name, "kpc.thread_counting") == 0 ||
	    (who->table_thread != 0 &&
	     strcmp(name, "kpc.thread_counters") == 0))
		sim_pet_advance(k);
	if (strncmp(name, "kpc.", 4) == 0 &&
	    (slow = sim_fault_now(k, SIM_FAULT_SLOW)) != NULL)
		pass_kernel_time(k, slow->arg);
	r.root = who->euid == 0 && sim_fault_now(k, SIM_FAULT_EPERM) == NULL;
	if (strncmp(name, "kpc.", 4) == 0)
		code = sim_kpc(&r, name + 4);
	else if (strncmp(name, "kperf.", 6) == 0)
		code = sim_kperf_node(&r, name + 6);
	else if (strncmp(name, "ktrace.", 7) == 0)
		code = sim_ktrace_node(&r, name + 7);
	else
		code = sim_hw(&r, name);
	if (!sampling && k->s->kperf.sampling != 0)
		sim_pet_start(k);
	if (old_size != NULL && (code == 0 || code == ENOMEM))
		*old_size = r.old_at;
	return code;
}

#define LOOK_NS 10000000LL

int
sim_kernel_kdebug(struct sim_kernel *k, const struct sim_caller *who,
		  const int *mib, unsigned n, void *old, size_t *old_size,
		  const void *fresh)
{
	struct sim_kd_call c = {
		.req = { .k = k,
			 .who = who,
			 .old = old,
			 .old_size = old_size != NULL ? *old_size : 0 },
		.mib = mib,
		.n = n,
	};

	if (fresh != NULL)
		return EPERM;
	sim_kernel_enter(k);
	sim_pet_advance(k);
	c.req.root =
		who->euid == 0 && sim_fault_now(k, SIM_FAULT_EPERM) == NULL;
	int code = sim_kdebug(&c);
	while (c.wait_ns > 0 && !(c.until_half && sim_kd_half(k))) {
		int64_t step = c.until_half && c.wait_ns > LOOK_NS ? LOOK_NS
								   : c.wait_ns;
		pass_kernel_time(k, step);
		c.wait_ns -= step;
	}
	if (c.until_half)
		c.out = sim_kd_half(k);
	if (old_size != NULL && code == 0)
		*old_size = c.out;
	return code;
}

/* As task.c: force and open devices end with the task, tracing does not. */
void
sim_kernel_exec(struct sim_kernel *k, const struct sim_caller *who)
{
	struct sim_state *s = k->s;

	sim_kernel_enter(k);
	struct sim_holder holder = s->kpc.force_by;
	if (s->kpc.force && sim_holds(&holder, who))
		sim_force_set(k, &holder, false);
	if (sim_holds(&s->kpc.perfmon, who)) {
		s->kpc.perfmon.pid = 0;
		s->kpc.cpmu_owned = false;
	}
	if (sim_holds(&s->kpc.uncore, who))
		s->kpc.uncore.pid = 0;
}

void
sim_kernel_exit(struct sim_kernel *k, const struct sim_caller *who)
{
	sim_kernel_exec(k, who);
	for (unsigned i = 0; i < SIM_THREADS; i++)
		if (k->s->threads.thread[i].pid == who->pid)
			k->s->threads.thread[i].id = 0;
	sim_ktrace_ended(k, who);
}

/* As bsd/dev/monotonic.c, and dev_perfmon.c of macOS 12.0 to 14.3. */
int
sim_kernel_open(struct sim_kernel *k, const struct sim_caller *who,
		const char *device)
{
	struct sim_state *s = k->s;
	struct sim_holder h = sim_holder_of(who);

	sim_kernel_enter(k);
	if (strcmp(device, "/dev/perfmon_core") == 0) {
		if (s->os < SIM_OS(12, 0) || s->os >= SIM_OS(14, 4) ||
		    k->pmu == NULL)
			return ENOENT;
		if (s->kpc.force || s->kpc.cpmu_owned)
			return ETXTBSY;
		s->kpc.cpmu_owned = true;
		s->kpc.perfmon = h;
		return 0;
	}
	if (strcmp(device, "/dev/monotonic/uncore") != 0 || k->pmu == NULL)
		return ENOENT;
	if (s->kpc.uncore.pid != 0)
		return EBUSY;
	if (sim_force_set(k, &h, true) != 0)
		return ECONNREFUSED;
	s->kpc.uncore = h;
	return 0;
}

int
sim_kernel_close(struct sim_kernel *k, const struct sim_caller *who,
		 const char *device)
{
	struct sim_state *s = k->s;

	sim_kernel_enter(k);
	if (strcmp(device, "/dev/perfmon_core") == 0 &&
	    sim_holds(&s->kpc.perfmon, who)) {
		s->kpc.perfmon.pid = 0;
		s->kpc.cpmu_owned = false;
		return 0;
	}
	if (strcmp(device, "/dev/monotonic/uncore") == 0 &&
	    sim_holds(&s->kpc.uncore, who)) {
		struct sim_holder h = s->kpc.force_by;
		s->kpc.uncore.pid = 0;
		return sim_force_set(k, &h, false);
	}
	return EBADF;
}

uint64_t
sim_kernel_loop(struct sim_kernel *k, unsigned kind, unsigned loop, int *cpu)
{
	static const unsigned as[] = { WORK_COMPUTE, WORK_STEADY, WORK_GUESS,
				       WORK_MEMORY };
	const uint64_t cycles = 1000000000;

	sim_kernel_enter(k);
	for (unsigned c = 0; c < k->ncpus; c++) {
		if (k->work.cpu[c].kind != kind ||
		    !sim_online(k, c, k->s->time.now_ns))
			continue;
		k->s->kpc.looped[c][as[loop]] += cycles;
		*cpu = (int)c;
		return work_scale(cycles, k->rates.inst[kind].q20[as[loop]]);
	}
	return 0;
}

void
sim_kernel_idle(struct sim_kernel *k)
{
	sim_kernel_enter(k);
	k->s->time.idle_ns = k->s->time.now_ns;
	k->s->time.next_edge_ns = k->s->time.now_ns;
	sim_faults_advance(k);
}

void
sim_kernel_load(struct sim_kernel *k, unsigned cpu, struct host_cpu_load *out)
{
	const uint64_t tick = 10000000;
	struct work_done d;

	sim_kernel_enter(k);
	sim_counts_done(k, cpu, k->s->time.now_ns, &d);
	out->user = d.user_ns / tick;
	out->system = d.kernel_ns / tick;
	out->idle =
		((uint64_t)k->s->time.now_ns - d.user_ns - d.kernel_ns) / tick;
	out->nice = 0;
}

bool
sim_kernel_total(const struct sim_kernel *k, unsigned cpu, const char *event,
		 bool user, int64_t awake_ns, uint64_t *out)
{
	struct work_rate r;
	struct work_done d;
	unsigned long number = strtoul(event, NULL, 0);

	if (k->pmu == NULL || cpu >= k->ncpus)
		return false;
	unsigned n = k->work.cpu[cpu].kind;
	if (event[0] >= '0' && event[0] <= '9') {
		int i = sim_counts_event(k, number);
		if (i < 0)
			return false;
		event = k->pmu->events[i].name;
	} else if (pmu_event_find(k->pmu, event) == NULL &&
		   strncmp(event, "slots.", 6) != 0) {
		return false;
	}
	work_rate_of(&k->m->kind[n], &k->rates.physics[n], event,
		     pmu_event_find(k->pmu, "MAP_RECOVERY") != NULL, &r);
	sim_counts_done(k, cpu, awake_ns, &d);
	*out = work_user(&d, &r) + (user ? 0 : work_kernel(&d, &r));
	return true;
}
