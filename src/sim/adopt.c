#include "sim/adopt.h"

#include <string.h>
#include <sys/wait.h>

#include "sim/inside.h"

/* The last 10 of every 160 ms are on the slowest kind. */
#define TURN_NS 160000000
#define FAST_NS 150000000
/* One part of so many is in kernel mode. */
#define KERNEL_PART 16

enum child { CHILD_NONE, CHILD_LIVES, CHILD_ENDED };

/* Looks without waiting for it: its end stays to be found by the caller. */
static enum child
child_look(int32_t pid)
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

/* A free place, or that of the one that began first. */
static struct sim_adopted *
place_for_one(struct sim_adopted *list)
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

const struct sim_adopted *
sim_adopt(struct sim_kernel *k, int32_t pid)
{
	struct sim_adopted *a = find_adopted(k->table.adopted, pid);
	enum child child = child_look(pid);

	if (child == CHILD_NONE) {
		if (a != NULL && pid != 0)
			a->pid = 0;
		return NULL;
	}
	/* Another child may have the pid of one that ended. */
	if (a == NULL || (child == CHILD_LIVES && a->until_ns != SIM_NEVER)) {
		a = a != NULL ? a : place_for_one(k->table.adopted);
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

bool
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

void
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
