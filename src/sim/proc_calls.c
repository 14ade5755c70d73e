/* Process calls, as in bsd/kern/proc_info.c and kern_resource.c. */
#include "sim/inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/buf.h"

/* A real child of the caller is in the table as an adopted process, so that
 * commands started by ktop have counts. From the first request for its pid on,
 * an adopted process uses 100 % of one CPU. */

/* An adopted process runs the last 10 ms of every 160 ms on the slowest kind,
 * the rest on the fastest. */
#define TURN_NS 160000000
#define FAST_NS 150000000
#define KERNEL_PART 16

enum child { CHILD_NONE, CHILD_LIVES, CHILD_ENDED };

static enum child
child_state(int32_t pid)
{
	siginfo_t info;

	memset(&info, 0, sizeof info);
	if (pid <= 0 ||
	    waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
		return CHILD_NONE;
	return info.si_pid == 0 ? CHILD_LIVES : CHILD_ENDED;
}

static struct sim_adopted *
find_adopted(struct sim_adopted *list, int32_t pid)
{
	for (unsigned i = 0; i < SIM_ADOPTED; i++)
		if (list[i].pid == pid)
			return &list[i];
	return NULL;
}

static struct sim_adopted *
adopted_slot(struct sim_adopted *list)
{
	struct sim_adopted *best = find_adopted(list, 0);

	if (best != NULL)
		return best;
	best = list;
	for (unsigned i = 1; i < SIM_ADOPTED; i++)
		if (list[i].since_ns < best->since_ns)
			best = &list[i];
	return best;
}

/* NULL: pid is no child of this process, or was reaped. */
static const struct sim_adopted *
sim_adopt(struct sim_kernel *k, int32_t pid)
{
	struct sim_adopted *a = find_adopted(k->table.adopted, pid);
	enum child child = child_state(pid);

	if (child == CHILD_NONE) {
		if (a != NULL && pid != 0)
			a->pid = 0;
		return NULL;
	}
	if (a == NULL || (child == CHILD_LIVES && a->until_ns != SIM_NEVER)) {
		a = a != NULL ? a : adopted_slot(k->table.adopted);
		if (a >= k->table.adopted + k->table.nadopted)
			k->table.nadopted =
				(unsigned)(a - k->table.adopted) + 1;
		a->pid = pid;
		a->since_ns = k->s->time.now_ns;
		a->until_ns = SIM_NEVER;
	}
	if (child == CHILD_ENDED && a->until_ns == SIM_NEVER)
		a->until_ns = k->s->time.now_ns;
	return a;
}

static bool
sim_adopt_known(const struct sim_kernel *k, int32_t pid)
{
	for (unsigned i = 0; pid != 0 && i < k->table.nadopted; i++)
		if (k->table.adopted[i].pid == pid)
			return true;
	return false;
}

static void
kind_counts(const struct sim_kernel *k, unsigned kind, int64_t ns,
	    struct sim_count *out)
{
	uint64_t mhz = k->m->kind[kind].mhz[SIM_STEPS - 1];
	uint64_t kernel_ns = (uint64_t)ns / KERNEL_PART;
	uint64_t user_ns = (uint64_t)ns - kernel_ns;
	uint64_t user = user_ns * mhz / 1000, kernel = kernel_ns * mhz / 1000;
	const uint32_t *rate = k->rates.inst[kind].q20;

	out->cycles += user + kernel;
	out->instructions += work_scale(user, rate[WORK_COMPUTE]) +
			     work_scale(kernel, rate[WORK_KERNEL]);
	out->user_ns += user_ns;
	out->kernel_ns += kernel_ns;
	out->energy_nj +=
		(user + kernel) *
		sim_procs_energy(k->m->kind[kind].class, SIM_STEPS - 1) / 1000;
}

static void
sim_adopt_counts(const struct sim_kernel *k, const struct sim_adopted *a,
		 struct sim_count out[SIM_MAX_KINDS])
{
	int64_t end = a->until_ns < k->s->time.now_ns ? a->until_ns
						      : k->s->time.now_ns;
	int64_t ns = end - a->since_ns, part = ns % TURN_NS;
	int64_t slow = ns / TURN_NS * (TURN_NS - FAST_NS) +
		       (part > FAST_NS ? part - FAST_NS : 0);

	memset(out, 0, SIM_MAX_KINDS * sizeof *out);
	kind_counts(k, 0, ns - slow, &out[0]);
	kind_counts(k, k->m->nkinds - 1, slow, &out[k->m->nkinds - 1]);
}

#define SLEEPER_PID 20000
#define COMM_BYTES 15 /* MAXCOMLEN without the NUL */

enum { STATUS_RUN = 2, STATUS_SLEEP = 3, STATUS_ZOMBIE = 5 };

struct proc {
	enum { PROC_SLOT, PROC_ZOMBIE, PROC_SLEEPER, PROC_ADOPTED } is;
	unsigned slot;
	unsigned sleeper; /* for PROC_SLEEPER; 0: launchd */
	const struct sim_adopted *adopted;
};

static unsigned
count_sleepers(const struct sim_kernel *k)
{
	unsigned n = k->table.nslots, want = k->s->procs.want;

	return want > n ? want - n : 1;
}

static bool
is_of_slot(const struct sim_kernel *k, int32_t pid, unsigned slot,
	   struct proc *out)
{
	const struct sim_slot *s = &k->s->procs.slot[slot];

	out->slot = slot;
	out->is = PROC_SLOT;
	if (!s->there || s->now.pid == pid)
		return s->there;
	out->is = PROC_ZOMBIE;
	return s->before.pid == pid && sim_slot_zombie(s, k->s->procs.done_ns);
}

static bool
find_machine_proc(const struct sim_kernel *k, int32_t pid, struct proc *out)
{
	*out = (struct proc){ .is = PROC_SLEEPER };
	if (pid > SLEEPER_PID) {
		out->sleeper = (unsigned)(pid - SLEEPER_PID);
		if (out->sleeper < count_sleepers(k))
			return true;
	}
	if (is_of_slot(k, pid, sim_slot_of(pid), out))
		return true;
	for (unsigned i = 0; i < k->table.nslots; i++)
		if (is_of_slot(k, pid, k->table.there[i], out))
			return true;
	*out = (struct proc){ .is = PROC_SLEEPER };
	return pid == 1;
}

/* The pid of a real child may also be in the table. A caller that has listed
 * the table gets the table's process, unless the child is already adopted; any
 * other caller gets its child. */
static bool
find_proc(struct sim_kernel *k, int32_t pid, struct proc *out)
{
	bool ours = find_machine_proc(k, pid, out);

	if (!k->table.adopts ||
	    (ours && k->table.listed && !sim_adopt_known(k, pid)))
		return ours;
	const struct sim_adopted *a = sim_adopt(k, pid);
	if (a == NULL)
		return ours;
	*out = (struct proc){ .is = PROC_ADOPTED, .adopted = a };
	return true;
}

static void
advance_for_list(struct sim_kernel *k)
{
	sim_kernel_enter(k);
	if (!sim_procs_fresh(k))
		sim_procs_advance(k);
}

static uint32_t
proc_uid(const struct sim_caller *who, const struct proc *p)
{
	switch (p->is) {
	case PROC_SLOT:
	case PROC_ZOMBIE:
		return sim_slot_uid(p->slot);
	case PROC_SLEEPER:
		return p->sleeper % 2 == 0 ? 0 : 501;
	case PROC_ADOPTED:
		break;
	}
	return who->euid;
}

static bool
is_denied(const struct sim_kernel *k, const struct sim_caller *who, int32_t pid,
	  const struct proc *p)
{
	uint32_t me = who->euid == 0 && sim_fault_now(k, SIM_FAULT_EPERM)
			      ? 501
			      : who->euid;

	for (const struct sim_fault *f = NULL;
	     (f = sim_fault_next(k, SIM_FAULT_DENIED, f)) != NULL;)
		if (f->arg == pid && sim_fault_in(f, k->s->time.now_ns))
			return true;
	return p->is != PROC_ADOPTED && me != 0 && me != proc_uid(who, p);
}

/* Newest process first; of equal ages, the higher slot first */
static unsigned
slots_by_age(const struct sim_kernel *k, uint8_t order[SIM_SLOTS])
{
	const struct sim_slot *s = k->s->procs.slot;
	unsigned n = 0;

	for (unsigned i = k->table.nslots; i-- > 1;) {
		unsigned slot = k->table.there[i], at = n;

		for (; at > 0 &&
		       s[order[at - 1]].now.born_ns < s[slot].now.born_ns;
		     at--)
			order[at] = order[at - 1];
		order[at] = (uint8_t)slot;
		n++;
	}
	return n;
}

void
sim_proc_list(struct sim_kernel *k, int32_t *pid, int max, int *n)
{
	uint8_t order[SIM_SLOTS];
	const struct sim_slot *s = k->s->procs.slot;

	*n = 0;
	sim_kernel_enter(k);
	sim_procs_advance(k);
	k->table.listed = true;
	k->s->procs.calls = 0;
	unsigned slots = slots_by_age(k, order);
	for (unsigned i = 0; i < slots && *n < max; i++)
		pid[(*n)++] = s[order[i]].now.pid;
	for (unsigned i = count_sleepers(k); i-- > 0 && *n < max;)
		pid[(*n)++] = i == 0 ? 1 : (int32_t)(SLEEPER_PID + i);
	if (*n < max)
		pid[(*n)++] = 0;
	for (unsigned i = 0; i < k->table.nslots && *n < max; i++)
		if (sim_slot_zombie(&s[k->table.there[i]], k->s->procs.done_ns))
			pid[(*n)++] = s[k->table.there[i]].before.pid;
}

static void
reads_add(const struct sim_kernel *k, unsigned cpu, struct sim_count *to)
{
	to->cycles += k->s->kpc.answers[cpu] * SIM_READ_CYCLES;
	to->instructions += k->s->kpc.answers[cpu] * SIM_READ_INSTRUCTIONS;
}

static void
life_counts(const struct sim_kernel *k, const struct proc *p,
	    struct sim_count out[SIM_MAX_KINDS])
{
	const struct sim_slot *s = &k->s->procs.slot[p->slot];

	if (p->is == PROC_ZOMBIE)
		memcpy(out, s->dead, sizeof s->dead);
	else
		sim_slot_life(s, out);
	for (unsigned cpu = 0; p->slot == 0 && cpu < k->ncpus; cpu++)
		reads_add(k, cpu, &out[k->work.cpu[cpu].kind]);
}

/* Sleepers are older than the simulation and sleep forever. */
static void
sleeper_counts(const struct sim_kernel *k, unsigned i,
	       struct sim_count out[SIM_MAX_KINDS])
{
	uint64_t ns = work_draw(k->s->seed, 11, i, 0) % 60000000000;

	memset(out, 0, SIM_MAX_KINDS * sizeof *out);
	out[k->m->nkinds - 1] = (struct sim_count){
		.cycles = 2 * ns,
		.instructions = 3 * ns,
		.user_ns = ns - ns / 4,
		.kernel_ns = ns / 4,
		.energy_nj = k->m->cputype == 7 ? 0 : ns / 10,
	};
}

static void
proc_counts(const struct sim_kernel *k, const struct proc *p,
	    struct sim_count out[SIM_MAX_KINDS])
{
	if (p->is == PROC_SLEEPER)
		sleeper_counts(k, p->sleeper, out);
	else if (p->is == PROC_ADOPTED)
		sim_adopt_counts(k, p->adopted, out);
	else
		life_counts(k, p, out);
	for (unsigned q = 0; k->pmu == NULL && q < SIM_MAX_KINDS; q++)
		out[q].cycles = out[q].instructions = out[q].energy_nj = 0;
}

static bool
before_13(const struct sim_kernel *k)
{
	return k->s->os < SIM_OS(13, 0) ||
	       sim_fault_now(k, SIM_FAULT_OLDOS) != NULL;
}

/* Rounds each kind separately, so that no sum decreases. */
static void
usage_add(const struct sim_kernel *k, unsigned kind, const struct sim_count *c,
	  struct host_usage *out)
{
	uint64_t user = sim_ticks(k, c->user_ns),
		 system = sim_ticks(k, c->kernel_ns);

	out->cycles += c->cycles;
	out->instructions += c->instructions;
	out->user_time += user;
	out->system_time += system;
	if (before_13(k))
		return;
	out->energy_nj += c->energy_nj;
	if (strcmp(k->m->kind[kind].letter, "P") != 0)
		return;
	out->pcycles += c->cycles;
	out->pinstructions += c->instructions;
	out->user_ptime += user;
	out->system_ptime += system;
	out->penergy_nj += c->energy_nj;
}

static int64_t
sleeper_born(const struct sim_kernel *k, unsigned i)
{
	return i == 0 ? SIM_SECOND_NS
		      : 2 * SIM_SECOND_NS +
				(int64_t)(work_draw(k->s->seed, 12, i, 0) %
					  900) *
					SIM_SECOND_NS;
}

/* *end: when the process ended; 0: it has not ended. */
static int64_t
proc_born(const struct sim_kernel *k, const struct proc *p, int64_t *end)
{
	const struct sim_slot *s = &k->s->procs.slot[p->slot];

	*end = 0;
	if (p->is == PROC_SLEEPER)
		return sleeper_born(k, p->sleeper);
	if (p->is == PROC_ADOPTED) {
		if (p->adopted->until_ns != SIM_NEVER)
			*end = p->adopted->until_ns;
		return p->adopted->since_ns;
	}
	if (p->is == PROC_SLOT)
		return s->now.born_ns;
	*end = s->before.ends_ns;
	return s->before.born_ns;
}

static void
proc_name(const struct sim_kernel *k, const struct proc *p, char *out,
	  size_t size)
{
	const struct sim_slot *s = &k->s->procs.slot[p->slot];
	struct buf b = buf_over(out, size);

	if (p->is == PROC_ADOPTED)
		buf_str(&b, "command");
	else if (p->is == PROC_SLEEPER && p->sleeper == 0)
		buf_str(&b, "launchd");
	else if (p->is == PROC_SLEEPER)
		buf_str(&b, "agent-");
	else if (p->is == PROC_SLOT)
		buf_str(&b, sim_life_name(k, p->slot, &s->now,
					  k->s->procs.done_ns));
	else
		buf_str(&b, sim_life_name(k, p->slot, &s->before,
					  s->before.ends_ns));
	if (p->is == PROC_SLEEPER && p->sleeper > 0)
		buf_u64(&b, p->sleeper);
	buf_cstr(&b);
}

static void
program_uuid(const char *name, uint8_t uuid[16])
{
	uint64_t of = 0;

	for (; *name != '\0'; name++)
		of = (of ^ (unsigned char)*name) * 0x100000001b3ull;
	const uint64_t half[2] = { work_draw(of, 0, 0, 0),
				   work_draw(of, 0, 0, 1) };

	memcpy(uuid, half, sizeof half);
}

/* The parent of a job's process is the next slot's process if that is older,
 * else launchd. */
static int32_t
proc_parent(const struct sim_kernel *k, const struct sim_caller *who,
	    const struct proc *p)
{
	const struct sim_slot *s = &k->s->procs.slot[p->slot];

	if (p->is == PROC_ADOPTED)
		return who->pid;
	if (p->is == PROC_SLEEPER)
		return p->sleeper == 0 ? 0 : 1;
	if (p->slot == 0)
		return 0;
	if (p->is == PROC_ZOMBIE || p->slot + 1 >= SIM_SLOT_PROGRAM ||
	    !s[1].there || s[1].now.born_ns >= s->now.born_ns)
		return 1;
	return s[1].now.pid;
}

int
sim_proc_usage(struct sim_kernel *k, const struct sim_caller *who, int32_t pid,
	       struct host_usage *out)
{
	struct sim_count counts[SIM_MAX_KINDS];
	struct proc p;
	char name[64];
	int64_t end;

	advance_for_list(k);
	if (++k->s->procs.calls % 3 == 0 &&
	    sim_fault_now(k, SIM_FAULT_VANISH) != NULL)
		return ESRCH;
	if (!find_proc(k, pid, &p))
		return ESRCH;
	if (is_denied(k, who, pid, &p))
		return EPERM;
	memset(out, 0, sizeof *out);
	proc_name(k, &p, name, sizeof name);
	program_uuid(name, out->uuid);
	out->start_abstime = sim_ticks(k, (uint64_t)proc_born(k, &p, &end));
	out->exit_abstime = sim_ticks(k, (uint64_t)end);
	out->flavor = before_13(k) ? 4 : 6;
	proc_counts(k, &p, counts);
	for (unsigned q = 0; q < k->m->nkinds; q++)
		usage_add(k, q, &counts[q], out);
	return 0;
}

int
sim_proc_short(struct sim_kernel *k, const struct sim_caller *who, int32_t pid,
	       struct host_proc *out)
{
	struct proc p;
	int64_t end;

	advance_for_list(k);
	if (!find_proc(k, pid, &p))
		return ESRCH;
	memset(out, 0, sizeof *out);
	(void)proc_born(k, &p, &end);
	out->pid = pid;
	out->ppid = proc_parent(k, who, &p);
	out->uid = proc_uid(who, &p);
	out->status = end != 0               ? STATUS_ZOMBIE
		      : p.is == PROC_SLEEPER ? STATUS_SLEEP
					     : STATUS_RUN;
	proc_name(k, &p, out->name, sizeof out->name);
	memset(out->name + COMM_BYTES, 0, sizeof out->name - COMM_BYTES);
	return 0;
}

enum { PATH_BYTES = 192 };

static bool
program_path(struct sim_kernel *k, int32_t pid, struct proc *p, char *path)
{
	static const struct sim_caller nobody;
	char name[64];
	int64_t end;

	advance_for_list(k);
	if (pid == 0 || !find_proc(k, pid, p))
		return false;
	(void)proc_born(k, p, &end);
	if (end != 0)
		return false;
	proc_name(k, p, name, sizeof name);
	if (p->is == PROC_ADOPTED || proc_uid(&nobody, p) != 0)
		snprintf(path, PATH_BYTES, "/Applications/%s.app/%s", name,
			 name);
	else
		snprintf(path, PATH_BYTES, "/usr/libexec/%s", name);
	return true;
}

/* As on a Mac, EINVAL for every process that the caller may not read. */
int
sim_proc_args(struct sim_kernel *k, const struct sim_caller *who, int32_t pid,
	      char *out, int size, int *n)
{
	char text[PATH_BYTES + 32];
	struct proc p;

	if (!program_path(k, pid, &p, text) || is_denied(k, who, pid, &p))
		return EINVAL;
	int len = (int)strlen(text) + 1;
	if (p.is == PROC_SLOT)
		len += 1 + snprintf(text + len, sizeof text - (size_t)len,
				    "--job=%u", p.slot);
	*n = len < size ? len : size;
	memcpy(out, text, (size_t)*n);
	return 0;
}

int
sim_proc_path(struct sim_kernel *k, int32_t pid, char *out, int size)
{
	char path[PATH_BYTES];
	struct proc p;

	if (!program_path(k, pid, &p, path))
		return ESRCH;
	if (size < 0 || strlen(path) >= (size_t)size)
		return ENOMEM;
	memcpy(out, path, strlen(path) + 1);
	return 0;
}

enum { THREADS = SIM_MAX_CPUS };

static uint64_t
thread_id(const struct sim_kernel *k, const struct proc *p, int32_t pid,
	  unsigned i)
{
	const struct sim_slot *s = &k->s->procs.slot[p->slot];
	uint64_t first = sim_thread_id(p->slot, s->now.k, 0);
	unsigned n = sim_slot_threads(k, p->slot);

	if (p->is == PROC_SLEEPER || p->is == PROC_ADOPTED)
		return i > 0 ? 0 : (UINT64_C(1) << 45) + (uint64_t)pid;
	if (p->slot >= SIM_SLOT_PROGRAM)
		return i < k->ncpus && k->s->program[i] ==
					       1 + p->slot - SIM_SLOT_PROGRAM
			       ? first + i
			       : 0;
	if (p->slot == 0)
		return i < k->ncpus ? first + i : 0;
	return i < n && !sim_thread_ended(k, p->slot, i, k->s->procs.done_ns)
		       ? first + i
		       : 0;
}

static int
threads_find(struct sim_kernel *k, const struct sim_caller *who, int32_t pid,
	     struct proc *p)
{
	int64_t end;

	advance_for_list(k);
	if (!find_proc(k, pid, p))
		return ESRCH;
	(void)proc_born(k, p, &end);
	if (end != 0)
		return ESRCH;
	return is_denied(k, who, pid, p) ? EPERM : 0;
}

int
sim_thread_list(struct sim_kernel *k, const struct sim_caller *who, int32_t pid,
		uint64_t *id, int max, int *n)
{
	struct proc p;
	int code = threads_find(k, who, pid, &p);

	*n = 0;
	for (unsigned i = 0; code == 0 && i < THREADS && *n < max; i++) {
		uint64_t it = thread_id(k, &p, pid, i);
		if (it != 0)
			id[(*n)++] = it;
	}
	return code;
}

static void
thread_sums(const struct sim_kernel *k, const struct proc *p, unsigned i,
	    struct sim_count out[SIM_LEVELS])
{
	const struct sim_procs *procs = &k->s->procs;
	struct sim_count counts[SIM_MAX_KINDS];

	memset(out, 0, SIM_LEVELS * sizeof *out);
	if (p->is == PROC_SLEEPER || p->is == PROC_ADOPTED) {
		/* These processes have counts only on the fastest and the
		 * slowest kind. */
		unsigned last = k->m->nkinds - 1;
		proc_counts(k, p, counts);
		out[0] = counts[0];
		if (last > 0)
			out[sim_procs_level(k, last)] = counts[last];
	} else if (p->slot == 0 || p->slot >= SIM_SLOT_PROGRAM) {
		struct sim_count *to =
			&out[sim_procs_level(k, k->work.cpu[i].kind)];
		*to = p->slot == 0 ? procs->kernel_thread[i]
				   : procs->program_thread[i];
		if (p->slot == 0)
			reads_add(k, i, to);
	} else {
		memcpy(out, procs->slot[p->slot].thread[i],
		       SIM_LEVELS * sizeof *out);
	}
}

static bool
thread_is_on_cpu(const struct sim_kernel *k, const struct proc *p, uint64_t id)
{
	int64_t at = k->s->procs.done_ns;
	struct sim_traced t;

	for (unsigned cpu = 0; p->is == PROC_SLOT && cpu < k->ncpus; cpu++) {
		sim_traced_owner(k, cpu, k->s->procs.local_ns[cpu], at, &t);
		if (sim_online(k, cpu, at) && t.thread == id)
			return true;
	}
	return p->is == PROC_ADOPTED;
}

static void
thread_fill(const struct sim_kernel *k, const struct proc *p, unsigned i,
	    struct host_thread *out)
{
	struct sim_count sums[SIM_LEVELS];
	bool counts = k->pmu != NULL;

	thread_sums(k, p, i, sums);
	out->running = thread_is_on_cpu(k, p, out->id);
	if (i > 0)
		snprintf(out->name, sizeof out->name, "worker %u", i);
	out->levels = k->m->nkinds > 1 ? 2 : 1;
	for (unsigned l = 0; l < out->levels; l++) {
		out->level[l].cycles = counts ? sums[l].cycles : 0;
		out->level[l].instructions = counts ? sums[l].instructions : 0;
		out->level[l].energy_nj = counts ? sums[l].energy_nj : 0;
		out->level[l].user_time = sim_ticks(k, sums[l].user_ns);
		out->level[l].system_time = sim_ticks(k, sums[l].kernel_ns);
	}
}

int
sim_thread_counts(struct sim_kernel *k, const struct sim_caller *who,
		  int32_t pid, uint64_t id, struct host_thread *out)
{
	struct proc p;
	int code = threads_find(k, who, pid, &p);

	if (code != 0)
		return code;
	if (before_13(k))
		return EINVAL;
	for (unsigned i = 0; i < THREADS; i++) {
		if (id == 0 || thread_id(k, &p, pid, i) != id)
			continue;
		memset(out, 0, sizeof *out);
		out->id = id;
		thread_fill(k, &p, i, out);
		return 0;
	}
	return ESRCH;
}
