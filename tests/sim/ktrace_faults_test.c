/* What others do to a tool that traces, and what a ring does by itself. */
#include "sim/tracing.h"

/* It stays when they have let go. */
static void
last_owner(struct world *w, const char *name)
{
	char by[SIM_NAME] = "?";
	size_t size = sizeof(by);

	OK(sim_kernel_sysctl(&w->k, &w->user, "ktrace.configured_by", by, &size,
			     NULL, 0));
	assert_string_equal(by, name);
	assert_int_equal(size, strlen(name) + 1);
}

UNIT(owned_by_another)
{
	struct world *w =
		world_new("m1,os=15.5,clock=step,fault=ktrace:77@1s-2s");

	owned(w, 0, 0, 0);
	last_owner(w, "");
	wait_ms(w, 1000);
	owned(w, 77, 1, 3);
	last_owner(w, "fs_usage");
	assert_int_equal(set32(w, &w->a, "kperf.sampling", 0), EBUSY);
	assert_int_equal(kd_op(w, &w->a, REMOVE), EBUSY);
	assert_int_equal(kd_info(w, &w->a).bufid, 77);
	wait_ms(w, 1000);
	owned(w, 0, 0, 0);
	OK(kd_op(w, &w->a, REMOVE));
	/* who was first keeps it */
	w = world_new("m1,os=15.5,clock=step,fault=ktrace:77@1s-2s");
	OK(set32(w, &w->a, "kperf.reset", 0));
	wait_ms(w, 1000);
	owned(w, 100, 1, 2);
	wait_ms(w, 1000);
	owned(w, 100, 1, 2);
}

UNIT(evicted)
{
	struct world *w = world_new("m1,os=15.5,clock=step,fault=evict@1s-2s");
	struct sim_record r[2];
	size_t n = sizeof(r);

	OK(set32(w, &w->a, "kperf.action.count", 1));
	OK(kd_op(w, &w->a, SETUP));
	OK(kd_value(w, &w->a, ENABLE, 1));
	assert_int_equal(kd_read(w, &w->a, r, 2), 0);
	wait_ms(w, 1000);
	assert_int_equal(kd(w, &w->a, READTR, r, &n), EBUSY);
	assert_int_equal(set32(w, &w->a, "kperf.sampling", 0), EBUSY);
	owned(w, 668, 1, 3);
	/* what it leaves is nothing of anybody's */
	wait_ms(w, 1000);
	last_owner(w, "Instruments");
	owned(w, 0, 0, 0);
	assert_int_equal(kd_info(w, &w->a).nkdbufs, 0);
	OK(kd_op(w, &w->a, SETUP));
}

UNIT(behind_everybody)
{
	struct world *w = world_new("m1,os=15.5,clock=step,fault=tailspin@0s");

	owned(w, 333, 2, 3);
	assert_int_equal(ktrace_int(w, "background_pid"), 333);
	last_owner(w, "tailspind");
	strcpy(w->a.name, "top");
	OK(set32(w, &w->a, "kperf.action.count", 1));
	owned(w, 100, 1, 2);
	OK(set32(w, &w->a, "kperf.reset", 1));
	owned(w, 0, 0, 0);
	last_owner(w, "top");
}

static void
point(struct world *w, unsigned n)
{
	struct sim_record r = { .debugid = DATA_THREAD };

	for (unsigned i = 0; i < n; i++)
		sim_kd_emit(&w->k, w->state.time.awake_ns, &r);
}

/* Newer ones stop, and only say so by what is not there. */
UNIT(full_during_a_read)
{
	static const char *const specs[] = {
		"m1,os=12.6,clock=step,fault=ring@0s-10s",
		"m1,os=15.5,clock=step,fault=ring@0s-10s",
	};

	for (unsigned newer = 0; newer < 2; newer++) {
		struct world *w = world_new(specs[newer]);
		struct sim_record r[8];

		OK(kd_op(w, &w->a, SETUP));
		OK(kd_value(w, &w->a, ENABLE, 1));
		point(w, 3);
		assert_int_equal(kd_read(w, &w->a, r, 8), 3);
		assert_int_equal(kd_info(w, &w->a).nolog, 0);
		assert_int_equal(kd_info(w, &w->a).flags & 8, 8);
		point(w, 2);
		assert_int_equal(kd_read(w, &w->a, r, 8), newer ? 1 : 3);
		assert_int_equal(r[0].debugid, 0x07020008);
		assert_int_equal(sim_kd_traced(&w->k, DATA_THREAD), !newer);
		OK(kd_value(w, &w->a, ENABLE, 1));
		point(w, 2);
		assert_true(kd_read(w, &w->a, r, 8) >= 2);
	}
}
