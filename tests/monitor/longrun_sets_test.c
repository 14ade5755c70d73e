/* The whole run where not all is counted all the time. */
#include "model/longrun_kit.h"

#include <math.h>

/* Two presets, turn about: of both all, and what both count from both. */
UNIT(test_sets_that_take_turns)
{
	static const char *const preset[] = { "branch", "l1d" };
	struct rig r;
	uint64_t seed = 5, misses = 0, branch_work = 0, work = 0, cycles = 0;

	rig_open(&r, "a14", "branch", false);
	for (unsigned n = 0; n < 5000; n++) {
		bool branch = n % 2 == 0;
		uint64_t c = 1000000000 + next(&seed) % 1000000000;

		rig_set(&r, preset[n % 2]);
		r.s->flags = SAMPLE_BASELINE;
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		rig_pass(&r, 1000, 0);
		rig_run(&r, 3, c, 2 * c);
		rig_count(&r, 3, "INST_ALL", c);
		if (branch)
			rig_count(&r, 3, "BRANCH_MISPRED_NONSPEC", c / 64);
		assert_non_null(rig_feed(&r));
		misses += branch ? c / 64 : 0;
		branch_work += branch ? c : 0;
		work += 2 * c;
		cycles += c;
	}
	near(one(&r, "branch_mpki", 3),
	     1000.0 * (double)misses / (double)branch_work);
	near(one(&r, "ipc", 3), (double)work / (double)cycles);
	near(one(&r, "gips", 3), (double)work / 5000 / 1e9);
	assert_true(history_run_has(run_of(&r), 1e12,
				    &metric_table[metric_find("l1d_ld_mpki")]));
	assert_false(history_run_has(
		run_of(&r), 1e12, &metric_table[metric_find("walk_d_mpki")]));
	rig_close(&r);
}

/* The same events on other slots are the same events. */
UNIT(test_slots_may_change_places)
{
	struct rig r;
	uint64_t misses = 0, work = 0;

	rig_open(&r, "a14", "branch", false);
	for (unsigned n = 0; n < 3000; n++) {
		struct slot first = r.set.slot[0];
		uint64_t m = 1000000 + n * 1000;

		for (unsigned k = 0; k + 1 < r.set.len; k++)
			r.set.slot[k] = r.set.slot[k + 1];
		r.set.slot[r.set.len - 1] = first;
		r.s->flags = SAMPLE_BASELINE;
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		rig_work(&r);
		rig_count(&r, 2, "INST_ALL", 300000000);
		rig_count(&r, 2, "BRANCH_MISPRED_NONSPEC", m);
		assert_non_null(rig_feed(&r));
		misses += m;
		work += 300000000;
	}
	near(one(&r, "branch_mpki", 2), 1000 * (double)misses / (double)work);
	rig_close(&r);
}

/* Cycles of frames without a busy time do not make the clock faster. */
UNIT(test_busy_time_that_is_sometimes_unknown)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	for (unsigned n = 0; n < 2000; n++) {
		rig_work(&r);
		r.s->cpu[2].busy_known = n / 10 % 2 == 0;
		r.s->cpu[2].busy += 80;
		r.s->cpu[2].total += 100;
		assert_non_null(rig_feed(&r));
	}
	near(one(&r, "ghz", 2), 2.5);
	assert_true(isnan(one(&r, "ghz", 3)));
	near(one(&r, "ipc", 2), 1.5);
	rig_close(&r);
}

/* Efficiency cores lack an event: the machine's is the others'. */
UNIT(test_an_event_that_one_kind_lacks)
{
	struct rig r;

	rig_open(&r, "a14", "branch", false);
	for (unsigned k = 0; k < r.set.len; k++)
		for (unsigned i = 0; i < 2; i++)
			r.s->cpu[i].slot[k].supported =
				strcmp(r.set.slot[k].event->name,
				       "BRANCH_MISPRED_NONSPEC") != 0;
	for (unsigned n = 0; n < 2000; n++) {
		rig_work(&r);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			rig_count(&r, i, "INST_ALL", 100000000);
			rig_count(&r, i, "BRANCH_MISPRED_NONSPEC", 2000000);
		}
		assert_non_null(rig_feed(&r));
	}
	near(one(&r, "branch_mpki", RIG_P), 20);
	near(one(&r, "branch_mpki", RIG_ALL), 20);
	assert_true(isnan(one(&r, "branch_mpki", RIG_E)));
	assert_true(isnan(one(&r, "branch_mpki", 0)));
	near(one(&r, "branch_mpki", 3), 20);
	rig_close(&r);
}

/* Counts that come late are of the time before, too. */
UNIT(test_a_cluster_that_delivers_every_other_frame)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	for (unsigned n = 0; n < 2000; n++) {
		rig_work(&r);
		for (unsigned i = 2; i < RIG_CPUS; i++)
			r.s->cpu[i].state =
				n % 2 == 0 ? CPU_MISSING : CPU_DELIVERED;
		assert_non_null(rig_feed(&r));
	}
	near(one(&r, "gips", 2), 3);
	near(one(&r, "gips", RIG_P), 6);
	near(one(&r, "gips", RIG_E), 6);
	rig_close(&r);
}

/* A CPU at 20 GHz is not one of the row. */
UNIT(test_counts_that_cannot_be_true)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	for (unsigned n = 0; n < 500; n++) {
		rig_work(&r);
		rig_run(&r, 2, 18000000000, 0);
		assert_non_null(rig_feed(&r));
	}
	near(one(&r, "ipc", RIG_ALL), 1.5);
	near(one(&r, "gips", RIG_P), 3);
	assert_true(isnan(one(&r, "ipc", 2)));
	rig_close(&r);
}

UNIT(test_off_and_idle_are_not_zero)
{
	struct rig r;
	float out[DOTS];

	rig_open(&r, "a14", "basic", true);
	for (unsigned n = 0; n < 3000; n++) {
		rig_work(&r);
		/* CPU 1 idles; 0 is off in the second half: rows do not move */
		rig_run(&r, 1, (uint64_t)-2000000000 + 1000,
			(uint64_t)-3000000000 + 1000);
		if (n >= 1500)
			rig_run(&r, 0, (uint64_t)-2000000000,
				(uint64_t)-3000000000);
		assert_non_null(rig_feed(&r));
	}
	unsigned n = read_dots(&r, 1e12, "ipc", 1, DOTS, out);

	for (unsigned i = 0; i < n; i++)
		assert_true(isnan(out[i]));
	n = read_dots(&r, 1e12, "ipc", 0, DOTS, out);
	near((double)out[1], 1.5);
	assert_true(isnan(out[n - 2]));
	rig_close(&r);
}

/* What a frame lacks of the slots it has of the fixed pair all the same. */
UNIT(test_a_cpu_without_slots_keeps_its_work)
{
	struct rig r;
	uint64_t misses = 0;
	double work = 0;
	struct span got;

	rig_open(&r, "a14", "branch", false);
	for (unsigned n = 0; n < 2000; n++) {
		rig_work(&r);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			/* of CPU 2 the slots have no turn in every third */
			if (i == 2 && n % 3 == 1)
				continue;
			unsigned miss = i == 2 ? 4000000 : 1000000;

			rig_count(&r, i, "BRANCH_MISPRED_NONSPEC", miss);
			rig_count(&r, i, "INST_ALL", 100000000);
			misses += miss;
			work += 100000000;
		}
		for (unsigned k = 0; k < r.set.len; k++) {
			struct reading *slot = &r.s->cpu[2].slot[k];

			slot->enabled_ns += 1000000000;
			slot->running_ns += n % 3 == 1 ? 0 : 1000000000;
		}
		assert_non_null(rig_feed(&r));
	}
	got = sums_of(&r, "ipc", RIG_ALL);
	assert_true(got.count[TERM_CYCLES] ==
		    (uint64_t)2000000000 * RIG_CPUS * 2000);
	near(one(&r, "branch_mpki", 2), 40);
	near(one(&r, "branch_mpki", 3), 10);
	near(one(&r, "branch_mpki", RIG_ALL), 1000 * (double)misses / work);
	near(one(&r, "gips", RIG_P), 6);
	near(one(&r, "ipc", RIG_ALL), 1.5);
	got = sums_of(&r, "branch_mpki", RIG_ALL);
	assert_true(got.slot[rig_slot(&r, "BRANCH_MISPRED_NONSPEC")] == misses);
	rig_close(&r);
}

/*
 * Two threads a core: its cycles are what an event says, and not to be had from
 * the threads' own, which may have passed together or in turn.
 */
UNIT(test_cores_of_two_threads)
{
	static const struct event part = { .name = METRIC_CORE_CYCLES,
					   .counters = 1 };
	static const struct catalog catalog = { "smt", &part, 1, 1 };
	struct rig r;
	struct err e;

	rig_open(&r, "a14", NULL, false);
	monitor_free(r.m);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.t->cpu[i].core = i / 2;
	topology_finish(r.t);
	assert_true(r.t->smt);
	r.m = monitor_new(r.t,
			  &(struct monitor_options){ .period_ns = 1000000000,
						     .catalog = &catalog },
			  &e);
	assert_non_null(r.m);
	r.set = (struct eventset){ .name = "core", .len = 1 };
	r.set.slot[0].event = &part;
	r.s->domain = DOMAIN_ALL;
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r.s->cpu[i].slot[0].supported = true;
	assert_null(rig_feed(&r));
	for (unsigned n = 0; n < 2000; n++) {
		bool odd = n % 2 == 1;

		rig_pass(&r, 1000, 0);
		rig_run(&r, 2, odd ? 1000000000 : 2000000000, 1000000000);
		rig_run(&r, 3, odd ? 3000000000 : 1000000000, 4000000000);
		/* Half of the time they ran together. */
		r.s->cpu[2].slot[0].count += odd ? 750000000 : 1250000000;
		r.s->cpu[3].slot[0].count += odd ? 2500000000 : 750000000;
		const struct frame *f = rig_feed(&r);

		assert_non_null(f);
		near((float)rig_value(f, 3, "core_ipc"),
		     odd ? 5 / 3.25 : 5 / 2.0);
		near((float)rig_value(f, RIG_ALL, "core_ipc"),
		     odd ? 5 / 3.25 : 5 / 2.0);
	}
	/* 5 a frame, over 3.25 and 2 turn about */
	near(one(&r, "core_ipc", 2), 10 / 5.25);
	near(one(&r, "core_ipc", 3), 10 / 5.25);
	near(one(&r, "core_ipc", RIG_ALL), 10 / 5.25);
	near(one(&r, "ipc", RIG_ALL), 10.0 / 7);
	rig_close(&r);
}
