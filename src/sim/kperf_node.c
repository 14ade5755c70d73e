/* Sysctls kperf.* and ktrace.*, as in bsd/kern/kperfbsd.c and osfmk/kperf. */
#include "sim/inside.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* As kern_ktrace.c: kperf and kdebug have one common owner. */

enum { TAILSPIN = 333, EVICTOR = 668 };

static bool
is_owner(const struct sim_req *r)
{
	const struct sim_state *s = r->k->s;

	return s->ktrace.owner.pid == r->who->pid &&
	       s->ktrace.owner.born == r->who->born && !s->ktrace.dead;
}

static bool
is_background(const struct sim_req *r)
{
	const struct sim_holder *h = &r->k->s->ktrace.background;

	return h->pid != 0 && h->pid == r->who->pid && h->born == r->who->born;
}

bool
sim_ktrace_allows(const struct sim_req *r)
{
	return r->root || is_owner(r);
}

static void
forget_owner(struct sim_state *s)
{
	memset(&s->ktrace.owner, 0, sizeof s->ktrace.owner);
	s->ktrace.dead = false;
}

/* The owner's pid; 0: none. Forgets an owner that has ended, but not the
 * settings of tracing. */
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

	if (s->ktrace.owner.pid == who->pid &&
	    s->ktrace.owner.born == who->born)
		s->ktrace.dead = true;
}

static void
kperf_state_reset(struct sim_state *s)
{
	/* A reset keeps the numbers of actions and timers. */
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
		kperf_state_reset(k->s);
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

/* A takeover from the background tool first resets all subsystems. */
static void
set_owner(struct sim_kernel *k, struct sim_holder to, const char *name,
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
	if (to.pid != 0)
		snprintf(s->ktrace.by, sizeof s->ktrace.by, "%s", name);
}

int
sim_ktrace_configure(struct sim_req *r, unsigned bit)
{
	struct sim_state *s = r->k->s;

	if (!is_owner(r)) {
		if (is_background(r) && s->ktrace.state == SIM_KTRACE_FG)
			return EBUSY;
		if (sim_ktrace_owner(r->k) != 0 &&
		    (s->ktrace.state != SIM_KTRACE_BG || is_background(r)))
			return EBUSY;
		if (!r->root)
			return EPERM;
		set_owner(r->k, sim_holder_of(r->who), r->who->name,
			  is_background(r) ? SIM_KTRACE_BG : SIM_KTRACE_FG);
	}
	s->ktrace.mask |= (uint8_t)bit;
	return 0;
}

static void
other_tool_begins(struct sim_kernel *k, const struct sim_fault *f)
{
	struct sim_state *s = k->s;
	struct sim_holder it = { .born = 1 };
	bool evicts = f->kind == SIM_FAULT_EVICT;

	if (sim_ktrace_owner(k) != 0 && !evicts)
		return;
	it.pid = f->kind == SIM_FAULT_KTRACE ? (int32_t)f->arg
		 : evicts                    ? EVICTOR
					     : TAILSPIN;
	if (f->kind == SIM_FAULT_TAILSPIN)
		s->ktrace.background = it;
	set_owner(k, it,
		  evicts                          ? "Instruments"
		  : f->kind == SIM_FAULT_TAILSPIN ? "tailspind"
						  : "fs_usage",
		  f->kind == SIM_FAULT_TAILSPIN ? SIM_KTRACE_BG
						: SIM_KTRACE_FG);
	s->ktrace.mask = SIM_KTRACE_KPERF | SIM_KTRACE_KDEBUG;
	s->ktrace.keep = evicts;
}

static void
other_tool_ends(struct sim_kernel *k, const struct sim_fault *f)
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
		other_tool_begins(k, f);
	else
		other_tool_ends(k, f);
}

/* kperf.blessed_pid: only root writes it. A blessed owner can be replaced. */
static int
sim_ktrace_blessed(struct sim_req *r)
{
	struct sim_state *s = r->k->s;
	struct sim_holder to = { .pid = 0 };
	int32_t pid, now;
	bool set;

	if (r->fresh != NULL && !r->root)
		return EPERM;
	now = sim_ktrace_owner(r->k);
	int code = sim_req_int(r, now != 0 ? now : -1, &pid, &set);
	if (code != 0 || !set)
		return code;
	if (s->ktrace.owner.pid != 0 && !is_owner(r) && !s->ktrace.keep &&
	    !s->ktrace.blessed_preempt)
		return EBUSY;
	s->ktrace.keep = pid != -1;
	if (pid == r->who->pid)
		to = sim_holder_of(r->who);
	else if (pid != -1)
		to.pid = pid;
	set_owner(r->k, to, pid == r->who->pid ? r->who->name : "",
		  pid == -1 ? SIM_KTRACE_OFF : SIM_KTRACE_FG);
	return 0;
}

static int
background_node(struct sim_req *r)
{
	if (!r->root)
		return EPERM;
	if (r->k->s->ktrace.background.pid != 0 && !is_background(r))
		return EBUSY;
	r->k->s->ktrace.background = sim_holder_of(r->who);
	return 0;
}

/* Every process may read the values. owning_pid may be that of an ended
 * process. */
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

enum rule {
	ANY,      /* any 32-bit value */
	SWITCH,   /* 1: on; other values: off */
	AT_REST,  /* as ANY, but EBUSY while sampling */
	AS_SWITCH /* as SWITCH, but EBUSY while sampling */
};

static int
number_node(struct sim_req *r, uint32_t *value, enum rule rule)
{
	int32_t fresh;
	bool set;
	int code = sim_req_int(r, (int32_t)*value, &fresh, &set);

	if (code != 0 || !set)
		return code;
	if (rule >= AT_REST && r->k->s->kperf.sampling)
		return EBUSY;
	*value = rule == SWITCH || rule == AS_SWITCH ? fresh == 1
						     : (uint32_t)fresh;
	return 0;
}

static int
count_node(struct sim_req *r, uint32_t *value, uint32_t most, bool grows)
{
	uint32_t fresh = *value;
	int code = number_node(r, &fresh, grows ? ANY : AT_REST);

	if (code != 0)
		return code;
	if (fresh > most || (grows && fresh < *value))
		return EINVAL;
	*value = fresh;
	return 0;
}

static int
pair_in(struct sim_req *r, uint64_t *pair)
{
	if (r->fresh == NULL)
		return EFAULT;
	return sim_req_in(r, pair, 2 * sizeof *pair);
}

/* As kperfbsd.c: copies both words and returns the length 0. */
static int
pair_out(struct sim_req *r, const uint64_t *pair)
{
	int code = sim_req_out(r, pair, 2 * sizeof *pair);

	if (code == 0)
		r->old_at = 0;
	return code;
}

static int32_t *
action_value(struct sim_action *a, const char *name)
{
	return strcmp(name, "samplers") == 0   ? (int32_t *)&a->samplers
	       : strcmp(name, "userdata") == 0 ? (int32_t *)&a->userdata
	       : strcmp(name, "ucallstack_depth") == 0
		       ? (int32_t *)&a->user_depth
	       : strcmp(name, "kcallstack_depth") == 0
		       ? (int32_t *)&a->kernel_depth
	       : strcmp(name, "filter_by_pid") == 0 ? &a->pid
						    : &a->task;
}

static int
action_set(struct sim_action *a, const char *name, uint64_t value)
{
	/* PMC_THREAD and PMC_CPU share a buffer: only one is valid */
	if (strcmp(name, "samplers") == 0 && (value & 0x30) == 0x30)
		return EINVAL;
	if (strcmp(name + 1, "callstack_depth") == 0 &&
	    (value < 2 || value > 256))
		return EINVAL;
	*action_value(a, name) = (int32_t)value;
	/* The simulation has no task ports: the filter is removed. */
	if (strcmp(name, "filter_by_task") == 0)
		a->task = a->pid = -1;
	return 0;
}

static int
action_node(struct sim_req *r, const char *name)
{
	static const struct sim_action none = { .task = -1, .pid = -1 };
	struct sim_state *s = r->k->s;
	uint64_t pair[2];
	int code = pair_in(r, pair);

	if (code != 0)
		return code;
	if (pair[0] > s->kperf.action_count || (pair[0] == 0 && r->old == NULL))
		return EINVAL;
	struct sim_action *a = &s->kperf.action[pair[0]], copy = none;
	if (r->old == NULL)
		return action_set(a, name, pair[1]);
	int32_t value = *action_value(pair[0] == 0 ? &copy : a, name);
	pair[1] = strncmp(name, "filter", 6) == 0 ? (uint64_t)(int64_t)value
						  : (uint32_t)value;
	return pair_out(r, pair);
}

/* Shortest periods of kptimer.c */
static uint64_t
shortest_period_ns(const struct sim_kernel *k, bool pet, bool background)
{
	bool old = k->s->os < SIM_OS(14, 0);

	if (pet)
		return (old ? (background ? 10 : 2) : 1) * UINT64_C(1000000);
	return background ? 1000000 : k->m->cputype == 7 ? 20000 : 50000;
}

static void
clamp_period(const struct sim_kernel *k, unsigned timer)
{
	struct sim_timer *t = &k->s->kperf.timer[timer];
	uint64_t least = sim_ticks(
		k, shortest_period_ns(k, k->s->kperf.pet_timer == timer,
				      k->s->ktrace.state == SIM_KTRACE_BG));

	if (t->period != 0 && t->period < least)
		t->period = least;
}

static int
timer_node(struct sim_req *r, bool period)
{
	struct sim_state *s = r->k->s;
	uint64_t pair[2];
	int code = pair_in(r, pair);

	if (code != 0)
		return code;
	if (pair[0] >= s->kperf.timer_count)
		return EINVAL;
	struct sim_timer *t = &s->kperf.timer[pair[0]];
	if (r->old != NULL) {
		pair[1] = period ? t->period : t->action;
		return pair_out(r, pair);
	}
	if (s->kperf.sampling)
		return EBUSY;
	if (period) {
		t->period = pair[1];
		clamp_period(r->k, (unsigned)pair[0]);
		return 0;
	}
	t->action = (uint32_t)pair[1];
	/* With lightweight PET, switched-in threads are sampled with the old
	 * action. */
	if (s->kperf.pet_timer == pair[0] && !s->kperf.lightweight_pet)
		s->kperf.pet_action = t->action;
	return 0;
}

static int
pet_timer_node(struct sim_req *r)
{
	struct sim_state *s = r->k->s;
	uint32_t timer = s->kperf.pet_timer;
	int code = number_node(r, &timer, AT_REST);

	if (code != 0 || r->fresh == NULL)
		return code;
	s->kperf.pet_timer = timer;
	s->kperf.pet_action = 0;
	if (timer >= s->kperf.timer_count)
		return 0;
	clamp_period(r->k, timer);
	s->kperf.pet_action = s->kperf.timer[timer].action;
	return 0;
}

static int
sampling_node(struct sim_req *r)
{
	struct sim_state *s = r->k->s;
	uint32_t on = s->kperf.sampling;
	int code = number_node(r, &on, ANY);

	if (code != 0)
		return code;
	if (r->fresh != NULL && on != 0 && s->kperf.action_count == 0)
		return ECANCELED; /* as in kperf.c */
	s->kperf.sampling = on != 0;
	return 0;
}

static int
reset_node(struct sim_req *r)
{
	uint32_t once = 0;
	int code = number_node(r, &once, ANY);

	if (code == 0 && once != 0)
		sim_ktrace_reset(r->k, SIM_KTRACE_KPERF);
	return code;
}

static int
preempt_node(struct sim_req *r)
{
	uint32_t preempt = r->k->s->ktrace.blessed_preempt;
	int code = number_node(r, &preempt, SWITCH);

	r->k->s->ktrace.blessed_preempt = preempt != 0;
	return code;
}

static int
trigger_action(struct sim_req *r)
{
	uint32_t action = r->k->s->kperf.trigger.action;
	int code = number_node(r, &action, ANY);

	if (code != 0)
		return code;
	if (action > r->k->s->kperf.action_count)
		return EINVAL;
	r->k->s->kperf.trigger.action = action;
	return 0;
}

/* As kdebug_trigger.c: 16 bytes of types, four bits each, then ids. */
static int
trigger_filter(struct sim_req *r)
{
	struct sim_trigger *t = &r->k->s->kperf.trigger;
	struct sim_trigger fresh = { .action = t->action };
	int code;

	if (r->old != NULL) {
		code = sim_req_out(r, t->type, sizeof t->type);
		return code != 0
			       ? code
			       : sim_req_out(r, t->id, t->n * sizeof t->id[0]);
	}
	if (r->fresh_size < sizeof t->type)
		return EINVAL;
	fresh.n =
		(uint32_t)((r->fresh_size - sizeof t->type) / sizeof t->id[0]);
	if (fresh.n > SIM_TRIGGERS)
		return EINVAL;
	(void)sim_req_in(r, fresh.type, sizeof fresh.type);
	(void)sim_req_in(r, fresh.id, fresh.n * sizeof fresh.id[0]);
	*t = fresh;
	return 0;
}

/* clang-format off */
#define NODE(node, call) \
static int \
node(struct sim_req *r) \
{ \
	struct sim_state *s = r->k->s; \
	return call; \
}

NODE(action_count, count_node(r, &s->kperf.action_count, SIM_ACTIONS, true))
NODE(timer_count, count_node(r, &s->kperf.timer_count, SIM_TIMERS, false))
NODE(lightweight_pet, number_node(r, &s->kperf.lightweight_pet, AS_SWITCH))
NODE(pet_idle_rate, number_node(r, &s->kperf.pet_idle_rate, ANY))

static const struct {
	const char *name;
	int (*answer)(struct sim_req *r);
} plain[] = {
	{ "action.count", action_count }, { "timer.count", timer_count },
	{ "timer.pet_timer", pet_timer_node }, { "sampling", sampling_node },
	{ "lightweight_pet", lightweight_pet }, { "pet_idle_rate", pet_idle_rate },
	{ "blessed_preempt", preempt_node }, { "kdebug.action", trigger_action },
	{ "kdebug.filter", trigger_filter }, { "reset", reset_node },
};
/* clang-format on */

static int
of_action_or_timer(struct sim_req *r, const char *name)
{
	return strncmp(name, "timer.", 6) == 0
		       ? timer_node(r, strcmp(name, "timer.period") == 0)
		       : action_node(r, name + strlen("action."));
}

static int
limit_node(struct sim_req *r, const char *name)
{
	static const struct {
		const char *name;
		bool pet, background;
	} limits[] = {
		{ "timer_min_period_ns", false, false },
		{ "timer_min_bg_period_ns", false, true },
		{ "timer_min_pet_period_ns", true, false },
		{ "timer_min_bg_pet_period_ns", true, true },
	};

	for (unsigned i = 0; i < sizeof limits / sizeof *limits; i++) {
		uint64_t ns = shortest_period_ns(r->k, limits[i].pet,
						 limits[i].background);
		if (strcmp(name, limits[i].name) == 0)
			return r->fresh != NULL
				       ? EPERM
				       : sim_req_out(r, &ns, sizeof ns);
	}
	return ENOENT;
}

int
sim_kperf_node(struct sim_req *r, const char *name)
{
	static const char *const pairs[] = {
		"action.samplers",
		"action.userdata",
		"action.filter_by_task",
		"action.filter_by_pid",
		"action.ucallstack_depth",
		"action.kcallstack_depth",
		"timer.period",
		"timer.action",
	};
	enum { PLAIN = sizeof plain / sizeof *plain };
	enum { PAIRS = sizeof pairs / sizeof *pairs };
	unsigned i = 0, pair = 0;

	if (strcmp(name, "blessed_pid") == 0)
		return sim_ktrace_blessed(r);
	if (strncmp(name, "limits.", 7) == 0)
		return limit_node(r, name + 7);
	while (i < PLAIN && strcmp(name, plain[i].name) != 0)
		i++;
	while (pair < PAIRS && strcmp(name, pairs[pair]) != 0)
		pair++;
	if (i == PLAIN && pair == PAIRS)
		return ENOENT;
	/* A call that only writes makes the caller the owner. Other calls
	 * require root or ownership. */
	int code = r->fresh != NULL && r->old == NULL
			   ? sim_ktrace_configure(r, SIM_KTRACE_KPERF)
		   : sim_ktrace_allows(r) ? 0
					  : EPERM;
	if (code != 0)
		return code;
	return i < PLAIN ? plain[i].answer(r) : of_action_or_timer(r, name);
}
