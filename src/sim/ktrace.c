#include <errno.h>
#include <string.h>

#include "sim/inside.h"

static bool
owner(const struct sim_req *r)
{
	const struct sim_holder *h = &r->k->s->ktrace;

	return h->pid == r->who->pid && h->born == r->who->born;
}

bool
sim_ktrace_allows(const struct sim_req *r)
{
	return r->root || owner(r);
}

/* kern_ktrace.c ktrace_configure: who writes becomes the owner. */
static int
configure(struct sim_req *r)
{
	struct sim_state *s = r->k->s;

	if (owner(r))
		return 0;
	if (!r->root)
		return EPERM;
	if (s->ktrace.pid != 0)
		return EBUSY;
	s->ktrace = sim_holder_of(r->who);
	return 0;
}

static void
reset(struct sim_state *s)
{
	s->action_count = s->timer_count = 0;
	s->sampling = s->pet_timer = s->lightweight_pet = 0;
	s->pet_idle_rate = 15;
	memset(s->timer, 0, sizeof(s->timer));
	for (unsigned i = 0; i <= SIM_ACTIONS; i++)
		s->action[i] = (struct sim_action){ .task = -1, .pid = -1 };
	if (!s->ktrace_keep)
		memset(&s->ktrace, 0, sizeof(s->ktrace));
}

/* kperfbsd.c: a write with nothing to read back needs ownership. */
static int
gate(struct sim_req *r)
{
	if (r->fresh != NULL && r->old == NULL)
		return configure(r);
	return sim_ktrace_allows(r) ? 0 : EPERM;
}

/* A node that is one number of up to `most`. */
static int
number_node(struct sim_req *r, uint32_t *value, uint32_t most, bool grows)
{
	int32_t fresh;
	bool set;
	int code = sim_req_int(r, (int32_t)*value, &fresh, &set);

	if (code != 0 || !set)
		return code;
	if (fresh < 0 || (uint32_t)fresh > most ||
	    (grows && (uint32_t)fresh < *value))
		return EINVAL;
	*value = (uint32_t)fresh;
	return 0;
}

/* Nodes of {id, value}: two words in, both out again. */
static int
pair_in(struct sim_req *r, uint64_t *pair)
{
	if (r->fresh == NULL)
		return EINVAL;
	return sim_req_in(r, pair, 2 * sizeof(*pair));
}

static int
action_node(struct sim_req *r, const char *name)
{
	struct sim_state *s = r->k->s;
	uint64_t pair[2];
	int code = pair_in(r, pair);

	if (code != 0)
		return code;
	bool valid = pair[0] >= 1 && pair[0] <= s->action_count;
	if (!valid && r->old == NULL)
		return EINVAL;
	struct sim_action *a = &s->action[valid ? pair[0] : 0];
	bool samplers = strcmp(name, "samplers") == 0;
	int32_t *filter =
		strcmp(name, "filter_by_pid") == 0 ? &a->pid : &a->task;
	if (r->old != NULL) {
		pair[1] = samplers ? a->samplers : (uint64_t)*filter;
		return sim_req_out(r, pair, sizeof(pair));
	}
	/* PMC_THREAD with PMC_CPU: they would share one buffer */
	if (samplers && (pair[1] & 0x30) == 0x30)
		return EINVAL;
	if (samplers)
		a->samplers = (uint32_t)pair[1];
	else
		*filter = (int32_t)pair[1];
	return 0;
}

/* kptimer.c: 50 us, and 1 ms for the timer that samples every thread. */
static uint64_t
long_enough(const struct sim_kernel *k, uint64_t timer, uint64_t ticks)
{
	bool pet = k->s->pet_timer == timer && k->s->pet_timer != 0;
	uint64_t least = pet ? 1000000 : 50000; /* ns */

	if (k->m->cputype != 7)
		least = least * 3 / 125;
	return ticks != 0 && ticks < least ? least : ticks;
}

static int
timer_node(struct sim_req *r, bool period)
{
	struct sim_state *s = r->k->s;
	uint64_t pair[2];
	int code = pair_in(r, pair);

	if (code != 0)
		return code;
	if (pair[0] >= s->timer_count)
		return EINVAL;
	struct sim_timer *t = &s->timer[pair[0]];
	if (r->old != NULL) {
		pair[1] = period ? t->period : t->action;
		return sim_req_out(r, pair, sizeof(pair));
	}
	if (s->sampling)
		return EBUSY;
	if (period)
		t->period = long_enough(r->k, pair[0], pair[1]);
	else
		t->action = (uint32_t)pair[1];
	return 0;
}

/* Root only to write; may take the blessing from a blessed one. */
static int
blessed_node(struct sim_req *r)
{
	struct sim_state *s = r->k->s;
	int32_t pid;
	bool set;
	int code;

	if (r->fresh != NULL && !r->root)
		return EPERM;
	code = sim_req_int(r, s->ktrace.pid != 0 ? s->ktrace.pid : -1, &pid,
			   &set);
	if (code != 0 || !set)
		return code;
	if (s->ktrace.pid != 0 && !owner(r) && !s->ktrace_keep &&
	    !s->blessed_preempt)
		return EBUSY;
	s->ktrace_keep = pid != -1;
	memset(&s->ktrace, 0, sizeof(s->ktrace));
	if (pid == r->who->pid)
		s->ktrace = sim_holder_of(r->who);
	else if (pid != -1)
		s->ktrace.pid = pid;
	return 0;
}

static int
plain_node(struct sim_req *r, const char *name)
{
	struct sim_state *s = r->k->s;
	uint32_t once = 0, preempt = s->blessed_preempt;
	int code;

	if (strcmp(name, "action.count") == 0)
		return number_node(r, &s->action_count, SIM_ACTIONS, true);
	if (strcmp(name, "timer.count") == 0)
		return number_node(r, &s->timer_count, SIM_TIMERS, false);
	if (strcmp(name, "timer.pet_timer") == 0)
		return number_node(r, &s->pet_timer, SIM_TIMERS, false);
	if (strcmp(name, "sampling") == 0) {
		uint32_t on = s->sampling;

		code = number_node(r, &on, 1, false);
		if (code == 0 && on != 0 && s->action_count == 0)
			return ECANCELED; /* kperf.c: nothing to do */
		if (code == 0)
			s->sampling = on;
		return code;
	}
	if (strcmp(name, "lightweight_pet") == 0)
		return number_node(r, &s->lightweight_pet, 1, false);
	if (strcmp(name, "pet_idle_rate") == 0)
		return number_node(r, &s->pet_idle_rate, 1000, false);
	if (strcmp(name, "blessed_preempt") == 0) {
		code = number_node(r, &preempt, 1, false);
		s->blessed_preempt = preempt != 0;
		return code;
	}
	if (strcmp(name, "reset") == 0) {
		code = number_node(r, &once, INT32_MAX, false);
		if (code == 0 && once == 1)
			reset(s);
		return code;
	}
	return ENOENT;
}

int
sim_ktrace(struct sim_req *r, const char *name)
{
	static const char *const names[] = {
		"action.count",         "timer.count",
		"timer.pet_timer",      "sampling",
		"lightweight_pet",      "pet_idle_rate",
		"blessed_preempt",      "reset",
		"action.samplers",      "action.filter_by_task",
		"action.filter_by_pid", "timer.period",
		"timer.action",         NULL
	};
	unsigned i = 0;
	int code;

	if (strcmp(name, "blessed_pid") == 0)
		return blessed_node(r);
	while (names[i] != NULL && strcmp(names[i], name) != 0)
		i++;
	if (names[i] == NULL)
		return ENOENT;
	if ((code = gate(r)) != 0)
		return code;
	if (i < 8)
		return plain_node(r, name);
	return strncmp(name, "action.", 7) == 0
		       ? action_node(r, name + 7)
		       : timer_node(r, strcmp(name, "timer.period") == 0);
}
