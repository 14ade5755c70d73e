/* kperf.*: bsd/kern/kperfbsd.c over osfmk/kperf, what is set and its limits. */
#include <errno.h>
#include <string.h>

#include "sim/ktrace.h"

/* A write with nothing to read back needs ownership; all else a right. */
static int
gate(struct sim_req *r)
{
	if (r->fresh != NULL && r->old == NULL)
		return sim_ktrace_configure(r, SIM_KTRACE_KPERF);
	return sim_ktrace_allows(r) ? 0 : EPERM;
}

enum rule {
	ANY,      /* a number below 2^32 */
	SWITCH,   /* exactly 1 is on, all else off */
	AT_REST,  /* as ANY, but not while it samples */
	AS_SWITCH /* as SWITCH, but not while it samples */
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

/* How many there are: up to `most`; actions never become fewer. */
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

/* Nodes of {id, value}: two words in; out again only with room for them. */
static int
pair_in(struct sim_req *r, uint64_t *pair)
{
	if (r->fresh == NULL)
		return EFAULT;
	return sim_req_in(r, pair, 2 * sizeof *pair);
}

/* kperfbsd.c copies both words out, whatever the lengths say, and says 0. */
static int
pair_out(struct sim_req *r, const uint64_t *pair)
{
	int code = sim_req_out(r, pair, 2 * sizeof *pair);

	if (code == 0)
		r->old_at = 0;
	return code;
}

static uint64_t *
action_value(struct sim_action *a, const char *name, uint64_t *wide)
{
	*wide = strcmp(name, "samplers") == 0           ? a->samplers
		: strcmp(name, "userdata") == 0         ? a->userdata
		: strcmp(name, "ucallstack_depth") == 0 ? a->user_depth
							: a->kernel_depth;
	if (strcmp(name, "filter_by_pid") == 0)
		*wide = (uint64_t)(int64_t)a->pid;
	if (strcmp(name, "filter_by_task") == 0)
		*wide = (uint64_t)(int64_t)a->task;
	return wide;
}

static int
depth_set(uint32_t *depth, uint64_t value)
{
	if (value < 2 || value > 256)
		return EINVAL;
	*depth = (uint32_t)value;
	return 0;
}

static int
action_set(struct sim_action *a, const char *name, uint64_t value)
{
	if (strcmp(name, "samplers") == 0) {
		/* PMC_THREAD with PMC_CPU: they would share one buffer */
		if ((value & 0x30) == 0x30)
			return EINVAL;
		a->samplers = (uint32_t)value;
	} else if (strcmp(name, "userdata") == 0) {
		a->userdata = (uint32_t)value;
	} else if (strcmp(name, "ucallstack_depth") == 0) {
		return depth_set(&a->user_depth, value);
	} else if (strcmp(name, "kcallstack_depth") == 0) {
		return depth_set(&a->kernel_depth, value);
	} else if (strcmp(name, "filter_by_pid") == 0) {
		a->pid = (int32_t)value;
	} else {
		/* No port of the caller names a task: a filter of none. */
		a->task = a->pid = -1;
	}
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
	(void)action_value(pair[0] == 0 ? &copy : a, name, &pair[1]);
	return pair_out(r, pair);
}

/* kptimer.c: the shortest periods, of a timer and of one for every thread. */
static uint64_t
least_ns(const struct sim_kernel *k, bool pet, bool background)
{
	bool old = k->s->os < SIM_OS(14, 0);

	if (pet)
		return (old ? (background ? 10 : 2) : 1) * UINT64_C(1000000);
	return background ? 1000000 : k->m->cputype == 7 ? 20000 : 50000;
}

static void
period_fit(const struct sim_kernel *k, unsigned timer)
{
	struct sim_timer *t = &k->s->kperf.timer[timer];
	uint64_t least =
		sim_ticks(k, least_ns(k, k->s->kperf.pet_timer == timer,
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
		period_fit(r->k, (unsigned)pair[0]);
		return 0;
	}
	t->action = (uint32_t)pair[1];
	/* With lightweight sampling on, what runs in keeps the old one. */
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
	period_fit(r->k, timer);
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
		return ECANCELED; /* kperf.c: nothing to do */
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

/* kdebug_trigger.c: 16 bytes of types, four bits each, then the ids. */
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

static int
plain_node(struct sim_req *r, const char *name)
{
	struct sim_state *s = r->k->s;

	if (strcmp(name, "action.count") == 0)
		return count_node(r, &s->kperf.action_count, SIM_ACTIONS, true);
	if (strcmp(name, "timer.count") == 0)
		return count_node(r, &s->kperf.timer_count, SIM_TIMERS, false);
	if (strcmp(name, "timer.pet_timer") == 0)
		return pet_timer_node(r);
	if (strcmp(name, "sampling") == 0)
		return sampling_node(r);
	if (strcmp(name, "lightweight_pet") == 0)
		return number_node(r, &s->kperf.lightweight_pet, AS_SWITCH);
	if (strcmp(name, "pet_idle_rate") == 0)
		return number_node(r, &s->kperf.pet_idle_rate, ANY);
	if (strcmp(name, "blessed_preempt") == 0)
		return preempt_node(r);
	if (strcmp(name, "kdebug.action") == 0)
		return trigger_action(r);
	if (strcmp(name, "kdebug.filter") == 0)
		return trigger_filter(r);
	if (strcmp(name, "reset") == 0)
		return reset_node(r);
	return ENOENT;
}

/* For anybody to read. */
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
		uint64_t ns =
			least_ns(r->k, limits[i].pet, limits[i].background);
		if (strcmp(name, limits[i].name) == 0)
			return r->fresh != NULL
				       ? EPERM
				       : sim_req_out(r, &ns, sizeof ns);
	}
	return ENOENT;
}

static bool
among(const char *name, const char *const *names)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

int
sim_kperf_node(struct sim_req *r, const char *name)
{
	static const char *const plain[] = { "action.count",
					     "timer.count",
					     "timer.pet_timer",
					     "sampling",
					     "lightweight_pet",
					     "pet_idle_rate",
					     "blessed_preempt",
					     "reset",
					     "kdebug.action",
					     "kdebug.filter",
					     NULL };
	static const char *const action[] = { "action.samplers",
					      "action.userdata",
					      "action.filter_by_task",
					      "action.filter_by_pid",
					      "action.ucallstack_depth",
					      "action.kcallstack_depth",
					      NULL };
	static const char *const timer[] = { "timer.period", "timer.action",
					     NULL };
	int code;

	if (strcmp(name, "blessed_pid") == 0)
		return sim_ktrace_blessed(r);
	if (strncmp(name, "limits.", 7) == 0)
		return limit_node(r, name + 7);
	if (!among(name, plain) && !among(name, action) && !among(name, timer))
		return ENOENT;
	if ((code = gate(r)) != 0)
		return code;
	if (among(name, plain))
		return plain_node(r, name);
	return among(name, action)
		       ? action_node(r, name + strlen("action."))
		       : timer_node(r, strcmp(name, "timer.period") == 0);
}
