/* Who may trace: kern_ktrace.c. One owner for kperf and kdebug together. */
#include "sim/ktrace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/kdebug.h"

/* Pids that faults let in. */
enum { TAILSPIN = 333, EVICTOR = 668 };

static bool
owner(const struct sim_req *r)
{
	const struct sim_state *s = r->k->s;

	return s->ktrace.owner.pid == r->who->pid && s->ktrace.owner.born == r->who->born &&
	       !s->ktrace.dead;
}

static bool
background(const struct sim_req *r)
{
	const struct sim_holder *h = &r->k->s->ktrace.background;

	return h->pid != 0 && h->pid == r->who->pid && h->born == r->who->born;
}

bool
sim_ktrace_allows(const struct sim_req *r)
{
	return r->root || owner(r);
}

static void
forget_owner(struct sim_state *s)
{
	memset(&s->ktrace.owner, 0, sizeof s->ktrace.owner);
	s->ktrace.dead = false;
}

/* A dead owner is dropped, and nothing of its is reset. */
int32_t
sim_ktrace_owner(struct sim_kernel *k)
{
	if (k->s->ktrace.dead)
		forget_owner(k->s);
	return k->s->ktrace.owner.pid;
}

void
sim_ktrace_ended(struct sim_kernel *k, const struct sim_caller *who)
{
	struct sim_state *s = k->s;

	if (s->ktrace.owner.pid == who->pid && s->ktrace.owner.born == who->born)
		s->ktrace.dead = true;
}

static void
kperf_reset(struct sim_state *s)
{
	/* The numbers of actions and timers only grow until the next boot. */
	s->kperf.sampling = s->kperf.lightweight_pet = s->kperf.pet_action = 0;
	s->kperf.pet_timer = SIM_NO_TIMER;
	s->kperf.pet_idle_rate = 15;
	memset(s->kperf.timer, 0, sizeof s->kperf.timer);
	for (unsigned i = 0; i <= SIM_ACTIONS; i++)
		s->kperf.action[i] =
			(struct sim_action){ .task = -1, .pid = -1 };
	memset(&s->kperf.trigger, 0, sizeof s->kperf.trigger);
}

static void
subsystems_reset(struct sim_kernel *k, unsigned mask)
{
	if ((mask & SIM_KTRACE_KPERF) != 0)
		kperf_reset(k->s);
	if ((mask & SIM_KTRACE_KDEBUG) != 0)
		sim_kd_reset(k);
}

void
sim_ktrace_reset(struct sim_kernel *k, unsigned bit)
{
	struct sim_state *s = k->s;

	if (s->ktrace.mask == 0 && !s->ktrace.keep)
		return;
	subsystems_reset(k, bit);
	s->ktrace.mask &= (uint8_t)~bit;
	if (s->ktrace.mask != 0 || s->ktrace.keep)
		return;
	forget_owner(s);
	s->ktrace.state = SIM_KTRACE_OFF;
}

/* Whose it becomes: of the background tool all is reset first. */
static void
hand_over(struct sim_kernel *k, struct sim_holder to, const char *name,
	  unsigned state)
{
	struct sim_state *s = k->s;

	if (s->ktrace.state == SIM_KTRACE_BG && state == SIM_KTRACE_FG) {
		subsystems_reset(k, SIM_KTRACE_KPERF | SIM_KTRACE_KDEBUG);
		s->ktrace.mask = 0;
	}
	forget_owner(s);
	s->ktrace.owner = to;
	s->ktrace.state = (uint8_t)state;
	/* It stays when whoever it was has let go, or has died. */
	if (to.pid != 0)
		snprintf(s->ktrace.by, sizeof s->ktrace.by, "%s", name);
}

/* ktrace_configure: who sets something up becomes the owner. */
int
sim_ktrace_configure(struct sim_req *r, unsigned bit)
{
	struct sim_state *s = r->k->s;

	if (!owner(r)) {
		if (background(r) && s->ktrace.state == SIM_KTRACE_FG)
			return EBUSY;
		if (sim_ktrace_owner(r->k) != 0 &&
		    (s->ktrace.state != SIM_KTRACE_BG || background(r)))
			return EBUSY;
		if (!r->root)
			return EPERM;
		hand_over(r->k, sim_holder_of(r->who), r->who->name,
			  background(r) ? SIM_KTRACE_BG : SIM_KTRACE_FG);
	}
	s->ktrace.mask |= (uint8_t)bit;
	return 0;
}

static void
other_begins(struct sim_kernel *k, const struct sim_fault *f)
{
	struct sim_state *s = k->s;
	struct sim_holder it = { .born = 1 };
	bool evicts = f->kind == SIM_FAULT_EVICT;

	/* Too late where somebody has it, but for who takes it away. */
	if (sim_ktrace_owner(k) != 0 && !evicts)
		return;
	it.pid = f->kind == SIM_FAULT_KTRACE ? (int32_t)f->arg
		 : evicts                    ? EVICTOR
					     : TAILSPIN;
	if (f->kind == SIM_FAULT_TAILSPIN)
		s->ktrace.background = it;
	hand_over(k, it,
		  evicts                          ? "Instruments"
		  : f->kind == SIM_FAULT_TAILSPIN ? "tailspind"
						  : "fs_usage",
		  f->kind == SIM_FAULT_TAILSPIN ? SIM_KTRACE_BG
						: SIM_KTRACE_FG);
	s->ktrace.mask = SIM_KTRACE_KPERF | SIM_KTRACE_KDEBUG;
	s->ktrace.keep = evicts;
}

/* Whoever it was leaves nothing behind, if it has it still. */
static void
other_ends(struct sim_kernel *k, const struct sim_fault *f)
{
	struct sim_state *s = k->s;
	int32_t pid = f->kind == SIM_FAULT_KTRACE  ? (int32_t)f->arg
		      : f->kind == SIM_FAULT_EVICT ? EVICTOR
						   : TAILSPIN;

	if (f->kind == SIM_FAULT_TAILSPIN &&
	    s->ktrace.background.pid == TAILSPIN)
		memset(&s->ktrace.background, 0, sizeof s->ktrace.background);
	if (s->ktrace.owner.pid != pid || s->ktrace.owner.born != 1)
		return;
	s->ktrace.keep = false;
	sim_ktrace_reset(k, SIM_KTRACE_KPERF | SIM_KTRACE_KDEBUG);
}

void
sim_ktrace_fault(struct sim_kernel *k, const struct sim_fault *f, bool begins)
{
	if (f->kind != SIM_FAULT_KTRACE && f->kind != SIM_FAULT_EVICT &&
	    f->kind != SIM_FAULT_TAILSPIN)
		return;
	if (begins)
		other_begins(k, f);
	else
		other_ends(k, f);
}

/* Root only to write; may take the blessing from a blessed one. */
int
sim_ktrace_blessed(struct sim_req *r)
{
	struct sim_state *s = r->k->s;
	struct sim_holder to = { .pid = 0 };
	int32_t pid, now;
	bool set;
	int code;

	if (r->fresh != NULL && !r->root)
		return EPERM;
	now = sim_ktrace_owner(r->k);
	code = sim_req_int(r, now != 0 ? now : -1, &pid, &set);
	if (code != 0 || !set)
		return code;
	if (s->ktrace.owner.pid != 0 && !owner(r) && !s->ktrace.keep &&
	    !s->ktrace.blessed_preempt)
		return EBUSY;
	s->ktrace.keep = pid != -1;
	if (pid == r->who->pid)
		to = sim_holder_of(r->who);
	else if (pid != -1)
		to.pid = pid;
	hand_over(r->k, to, pid == r->who->pid ? r->who->name : "",
		  pid == -1 ? SIM_KTRACE_OFF : SIM_KTRACE_FG);
	return 0;
}

/* Only a tool of the system may be the one in the background. */
static int
background_node(struct sim_req *r)
{
	if (!r->root)
		return EPERM;
	if (r->k->s->ktrace.background.pid != 0 && !background(r))
		return EBUSY;
	r->k->s->ktrace.background = sim_holder_of(r->who);
	return 0;
}

/* ktrace.*: anybody may look, at owners that are dead too. */
int
sim_ktrace_node(struct sim_req *r, const char *name)
{
	const struct sim_state *s = r->k->s;
	int32_t value;

	if (strcmp(name, "init_background") == 0)
		return background_node(r);
	if (strcmp(name, "configured_by") == 0)
		return r->fresh != NULL ? EPERM
					: sim_req_out(r, s->ktrace.by,
						      strlen(s->ktrace.by) + 1);
	if (strcmp(name, "state") == 0)
		value = s->ktrace.state;
	else if (strcmp(name, "active_mask") == 0)
		value = s->ktrace.mask;
	else if (strcmp(name, "owning_pid") == 0)
		value = s->ktrace.owner.pid;
	else if (strcmp(name, "background_pid") == 0)
		value = s->ktrace.background.pid;
	else
		return ENOENT;
	if (r->fresh != NULL)
		return EPERM;
	return sim_req_out(r, &value, sizeof value);
}
