/* kperf.* and ktrace.*: limits, errors, and who owns tracing. */
#include "sim/world.h"

#define M "m1,os=15.5,clock=step"

static int32_t
state_of(struct world *w, const char *what)
{
	char name[40] = "ktrace.";

	strcat(name, what);
	return (int32_t)value32(w, &w->user, name);
}

static void
owned(struct world *w, int32_t pid, int state, int mask)
{
	assert_int_equal(state_of(w, "owning_pid"), pid);
	assert_int_equal(state_of(w, "state"), state);
	assert_int_equal(state_of(w, "active_mask"), mask);
}

/* Sets without owning: with something to read back. */
static int
set_and_get(struct world *w, const struct sim_caller *who, const char *name,
	    uint32_t value)
{
	uint32_t old;
	size_t size = sizeof(old);

	return sim_kernel_sysctl(&w->k, who, name, &old, &size, &value,
				 sizeof(value));
}

static int
pair_set(struct world *w, const char *name, uint64_t id, uint64_t value)
{
	uint64_t pair[2] = { id, value };

	return sim_kernel_sysctl(&w->k, &w->a, name, NULL, NULL, pair,
				 sizeof(pair));
}

/* The length that comes back is 0, though both words do. */
static int
pair_get(struct world *w, const char *name, uint64_t id, uint64_t *value)
{
	uint64_t pair[2] = { id, 0xdead };
	size_t size = sizeof(pair);
	int code = sim_kernel_sysctl(&w->k, &w->a, name, pair, &size, pair,
				     sizeof(pair));

	*value = pair[1];
	assert_int_equal(size, code == 0 ? 0 : sizeof(pair));
	return code;
}

static uint64_t
pair_value(struct world *w, const char *name, uint64_t id)
{
	uint64_t value;

	assert_int_equal(pair_get(w, name, id, &value), 0);
	return value;
}

UNIT(actions)
{
	struct world *w = world_new(M);
	const struct sim_caller *a = &w->a;
	const char *samplers = "kperf.action.samplers";
	uint64_t v;
	size_t size = sizeof(v);

	assert_int_equal(set32(w, a, "kperf.sampling", 1), ECANCELED);
	assert_int_equal(set32(w, a, "kperf.action.count", 0), 0);
	assert_int_equal(set32(w, a, "kperf.sampling", 1), ECANCELED);
	assert_int_equal(set32(w, a, "kperf.action.count", 32), 0);
	assert_int_equal(set32(w, a, "kperf.action.count", 16), EINVAL);
	assert_int_equal(set32(w, a, "kperf.action.count", 32), 0);
	assert_int_equal(set32(w, a, "kperf.action.count", 33), EINVAL);
	assert_int_equal(pair_set(w, samplers, 1, 0x30), EINVAL);
	assert_int_equal(pair_set(w, samplers, 0, 1), EINVAL);
	assert_int_equal(pair_set(w, samplers, 33, 1), EINVAL);
	assert_int_equal(pair_value(w, samplers, 0), 0);
	assert_int_equal(pair_get(w, samplers, 33, &v), EINVAL);
	assert_int_equal(pair_set(w, samplers, 1, 0x10), 0);
	assert_int_equal(pair_value(w, samplers, 1), 0x10);
	assert_int_equal(
		sim_kernel_sysctl(&w->k, a, samplers, &v, &size, NULL, 0),
		EFAULT);
	/* no such process, and a port that names no task */
	assert_int_equal(pair_set(w, "kperf.action.filter_by_pid", 1, 999999),
			 0);
	assert_int_equal(pair_value(w, "kperf.action.filter_by_pid", 1),
			 999999);
	assert_int_equal(pair_set(w, "kperf.action.filter_by_task", 1, 4711),
			 0);
	assert_int_equal(
		(int64_t)pair_value(w, "kperf.action.filter_by_pid", 1), -1);
	assert_int_equal(pair_set(w, "kperf.action.userdata", 2, 77), 0);
	assert_int_equal(pair_value(w, "kperf.action.userdata", 2), 77);
	world_free(w);
}

UNIT(timers)
{
	static const struct {
		const char *spec;
		uint64_t pet;
	} least[] = { { M, 24000 }, { "m1,os=13.5,clock=step", 48000 } };

	for (unsigned i = 0; i < 2; i++) {
		struct world *w = world_new(least[i].spec);
		const struct sim_caller *a = &w->a;
		const char *period = "kperf.timer.period";

		assert_int_equal(set32(w, a, "kperf.timer.count", 9), EINVAL);
		assert_int_equal(set32(w, a, "kperf.timer.count", 8), 0);
		assert_int_equal(pair_set(w, period, 8, 24000), EINVAL);
		assert_int_equal(pair_set(w, period, 1, 10), 0);
		assert_int_equal(pair_value(w, period, 1), 1200);
		assert_int_equal(pair_set(w, "kperf.timer.action", 1, 1), 0);
		assert_int_equal(set32(w, a, "kperf.timer.pet_timer", 1), 0);
		assert_int_equal(pair_value(w, period, 1), least[i].pet);
		assert_int_equal(pair_set(w, period, 1, 0), 0);
		assert_int_equal(pair_value(w, period, 1), 0);
		world_free(w);
	}
}

UNIT(pet_timer)
{
	struct world *w = world_new(M);
	const char *pet = "kperf.timer.pet_timer";

	assert_int_equal(value32(w, &w->a, pet), 999);
	assert_int_equal(set32(w, &w->a, pet, 500), 0);
	assert_int_equal(value32(w, &w->a, pet), 500);
	assert_int_equal(set32(w, &w->a, "kperf.lightweight_pet", 1), 0);
	assert_int_equal(set32(w, &w->a, "kperf.lightweight_pet", 2), 0);
	assert_int_equal(value32(w, &w->a, "kperf.lightweight_pet"), 0);
	assert_int_equal(set32(w, &w->a, "kperf.timer.count", 8), 0);
	assert_int_equal(set32(w, &w->a, "kperf.action.count", 32), 0);
	assert_int_equal(set32(w, &w->a, "kperf.reset", 1), 0);
	assert_int_equal(value32(w, &w->a, pet), 999);
	/* what only grows is not put back */
	assert_int_equal(value32(w, &w->a, "kperf.timer.count"), 8);
	assert_int_equal(value32(w, &w->a, "kperf.action.count"), 32);
	world_free(w);
}

UNIT(while_sampling)
{
	struct world *w = world_new(M);
	const struct sim_caller *a = &w->a;

	assert_int_equal(set32(w, a, "kperf.action.count", 1), 0);
	assert_int_equal(set32(w, a, "kperf.timer.count", 2), 0);
	assert_int_equal(set32(w, a, "kperf.sampling", 2), 0);
	assert_int_equal(value32(w, a, "kperf.sampling"), 1);
	assert_int_equal(set32(w, a, "kperf.sampling", 1), 0);
	assert_int_equal(pair_set(w, "kperf.timer.period", 1, 24000), EBUSY);
	assert_int_equal(pair_set(w, "kperf.timer.period", 2, 24000), EINVAL);
	assert_int_equal(pair_set(w, "kperf.timer.action", 1, 1), EBUSY);
	assert_int_equal(set32(w, a, "kperf.timer.count", 8), EBUSY);
	assert_int_equal(set32(w, a, "kperf.timer.pet_timer", 1), EBUSY);
	assert_int_equal(set32(w, a, "kperf.lightweight_pet", 1), EBUSY);
	assert_int_equal(set32(w, a, "kperf.sampling", 0), 0);
	assert_int_equal(set32(w, a, "kperf.timer.count", 8), 0);
	world_free(w);
}

UNIT(limits_for_anybody)
{
	static const struct {
		const char *spec;
		uint64_t least[4];
	} rows[] = {
		{ M, { 50000, 1000000, 1000000, 1000000 } },
		{ "m1,os=13.5,clock=step",
		  { 50000, 1000000, 2000000, 10000000 } },
		{ "intel,os=15.5,clock=step",
		  { 20000, 1000000, 1000000, 1000000 } },
	};
	static const char *const names[] = { "", "_bg", "_pet", "_bg_pet" };

	for (unsigned i = 0; i < 3; i++) {
		struct world *w = world_new(rows[i].spec);

		for (unsigned j = 0; j < 4; j++) {
			char name[64] = "kperf.limits.timer_min";
			uint64_t ns = 0;
			size_t size = sizeof(ns);

			strcat(strcat(name, names[j]), "_period_ns");
			assert_int_equal(sim_kernel_sysctl(&w->k, &w->user,
							   name, &ns, &size,
							   NULL, 0),
					 0);
			assert_int_equal(ns, rows[i].least[j]);
		}
		world_free(w);
	}
}

UNIT(resets)
{
	struct world *w = world_new(M);

	owned(w, 0, 0, 0);
	assert_int_equal(get32(w, &w->user, "kperf.sampling", &(uint32_t){ 0 }),
			 EPERM);
	assert_int_equal(set32(w, &w->user, "kperf.sampling", 0), EPERM);
	assert_int_equal(set32(w, &w->a, "kperf.reset", 1), 0);
	owned(w, 0, 0, 0);
	assert_int_equal(set32(w, &w->a, "kperf.reset", 0), 0);
	owned(w, 100, 1, 2);
	/* who owns it is nobody's secret, and not for anybody to say */
	assert_int_equal(set32(w, &w->a, "ktrace.owning_pid", 5), EPERM);
	assert_int_equal(get32(w, &w->a, "ktrace.nonsense", &(uint32_t){ 0 }),
			 ENOENT);
	/* of a living owner everybody hears the same */
	assert_int_equal(set32(w, &w->user, "kperf.sampling", 0), EBUSY);
	assert_int_equal(set32(w, &w->b, "kperf.sampling", 0), EBUSY);
	assert_int_equal(set_and_get(w, &w->b, "kperf.pet_idle_rate", 7), 0);
	assert_int_equal(value32(w, &w->a, "kperf.pet_idle_rate"), 7);
	owned(w, 100, 1, 2);
	assert_int_equal(set32(w, &w->a, "kperf.reset", 1), 0);
	owned(w, 0, 0, 0);
	world_free(w);
}

UNIT(an_owner_dies)
{
	struct world *w = world_new(M);

	assert_int_equal(set32(w, &w->a, "kperf.action.count", 1), 0);
	assert_int_equal(set32(w, &w->a, "kperf.sampling", 1), 0);
	sim_kernel_exit(&w->k, &w->a);
	owned(w, 100, 1, 2);
	assert_int_equal(value32(w, &w->b, "kperf.sampling"), 1);
	assert_int_equal(set32(w, &w->user, "kperf.sampling", 0), EPERM);
	assert_int_equal(set32(w, &w->b, "kperf.pet_idle_rate", 7), 0);
	owned(w, 200, 1, 2);
	assert_int_equal(value32(w, &w->b, "kperf.sampling"), 1);
	world_free(w);
}

UNIT(the_tool_behind)
{
	struct world *w = world_new(M);
	struct sim_caller bg = { .pid = 50, .born = 3, .task = 9 };

	assert_int_equal(set32(w, &w->user, "ktrace.init_background", 1),
			 EPERM);
	assert_int_equal(set32(w, &bg, "ktrace.init_background", 1), 0);
	assert_int_equal(set32(w, &w->b, "ktrace.init_background", 1), EBUSY);
	assert_int_equal(state_of(w, "background_pid"), 50);
	assert_int_equal(set32(w, &bg, "kperf.action.count", 4), 0);
	assert_int_equal(set32(w, &bg, "kperf.sampling", 1), 0);
	owned(w, 50, 2, 2);
	assert_int_equal(set32(w, &w->user, "kperf.sampling", 0), EPERM);
	/* whoever is not in the background goes before it */
	assert_int_equal(set32(w, &w->a, "kperf.action.count", 32), 0);
	owned(w, 100, 1, 2);
	assert_int_equal(value32(w, &w->a, "kperf.sampling"), 0);
	assert_int_equal(set32(w, &bg, "kperf.sampling", 1), EBUSY);
	/* and leaves it locked out by dying */
	sim_kernel_exit(&w->k, &w->a);
	assert_int_equal(set32(w, &bg, "kperf.sampling", 1), EBUSY);
	assert_int_equal(set32(w, &w->b, "kperf.reset", 1), 0);
	owned(w, 0, 0, 0);
	assert_int_equal(set32(w, &bg, "kperf.sampling", 1), 0);
	owned(w, 50, 2, 2);
	world_free(w);
}

UNIT(taken_by_blessing)
{
	struct world *w = world_new(M);

	assert_int_equal(set32(w, &w->a, "kperf.action.count", 1), 0);
	assert_int_equal(set32(w, &w->b, "kperf.blessed_pid", 200), EBUSY);
	assert_int_equal(set_and_get(w, &w->b, "kperf.blessed_preempt", 1), 0);
	assert_int_equal(set32(w, &w->b, "kperf.blessed_pid", 200), 0);
	assert_int_equal(set32(w, &w->a, "kperf.sampling", 1), EBUSY);
	world_free(w);
}
