/* Counters of threads: where they are, that they go with the set. */
#include "source/kperf/kperf.h"

#include <errno.h>

#include "source/mac.h"

enum { ROW = 32 };

static void
look_up(struct source_threads *t)
{
	struct err e = { ERR_NONE, "" };

	if (!source->ops->threads(source, t, &e))
		fail_msg("%s", e.text);
}

static void
read_own(uint64_t *row)
{
	int rc = sim_kperf()->kpc_get_thread_counters(0, ROW, row);

	assert_int_equal(rc, 0);
}

static void
each_event_has_its_place(void **state)
{
	static const char *const machines[] = { "m1,clock=step",
						"m2max,clock=step",
						"m5max,os=26.6,clock=step" };
	struct source_threads t;
	uint64_t a[ROW], b[ROW];

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		start(machines[i]);
		program_ok("BRANCH_MISPRED_NONSPEC INST_ALL CORE_ACTIVE_CYCLE");
		read_now();
		look_up(&t);
		assert_int_equal(sim_kperf()->kpc_get_thread_counting(), 3);
		assert_int_equal(t.counters, 10);
		assert_int_equal(t.left_out, 0);
		read_own(a);
		step_ms(20);
		read_own(b);
		/* A simulated thread computes in user mode, without a pause. */
		uint64_t cycles = b[t.cycles] - a[t.cycles];
		uint64_t inst = b[t.instructions] - a[t.instructions];

		assert_true(cycles > 20u * 1000000);
		for (unsigned k = 0; k < 3; k++) {
			const char *name =
				source->info.set->slot[k].event->name;
			uint64_t n = b[t.slot[k]] - a[t.slot[k]];

			if (strcmp(name, "CORE_ACTIVE_CYCLE") == 0)
				assert_int_equal(n, cycles);
			else if (strcmp(name, "INST_ALL") == 0)
				assert_int_equal(n, inst);
			else
				assert_in_range(n, 1, inst / 20);
		}
		stop(NULL);
	}
}

static void
they_go_with_the_set(void **state)
{
	struct source_threads a, b;
	struct err e = { ERR_NONE, "" };

	(void)state;
	start("m1,clock=step");
	assert_false(source->ops->threads(source, &a, &e));
	assert_true(e.text[0] != '\0');
	program_ok("INST_ALL");
	look_up(&a);
	look_up(&b);
	assert_int_equal(a.epoch, b.epoch);
	program_ok("INST_BRANCH");
	look_up(&b);
	assert_int_not_equal(a.epoch, b.epoch);
	assert_int_equal(sim_kperf()->kpc_get_thread_counting(), 3);
	assert_true(source->ops->program(source, NULL, &e));
	assert_int_equal(sim_kperf()->kpc_get_thread_counting(), 0);
	assert_false(source->ops->threads(source, &a, &e));
	program_ok("INST_ALL");
	look_up(&a);
	source->ops->close(source);
	source = NULL;
	assert_true(sim_start("m1,clock=step", NULL));
	assert_int_equal(sim_kperf()->kpc_get_thread_counting(), 0);
	sim_stop();
}

static void
not_while_another_tool_has_them(void **state)
{
	struct source_threads a, b;
	struct err e = { ERR_NONE, "" };

	(void)state;
	start("m1,clock=step,fault=steal@1s-2s");
	program_ok("INST_ALL");
	look_up(&a);
	step_ms(1500);
	read_now();
	assert_false(source->ops->threads(source, &b, &e));
	assert_int_equal(e.code, ERR_TAKEN);
	step_ms(1000);
	program_ok("INST_ALL"); /* as the program does when they are free */
	look_up(&b);
	assert_int_not_equal(a.epoch, b.epoch);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(each_event_has_its_place, stop),
		cmocka_unit_test_teardown(they_go_with_the_set, stop),
		cmocka_unit_test_teardown(not_while_another_tool_has_them,
					  stop),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
