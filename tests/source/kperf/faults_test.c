/* The kperf source when others interfere: thefts, refusals, lost rows. */
#include "process/crash.h"
#include "source/kperf/kperf.h"

#include "source/mac.h"

UNIT_IN(a_theft_is_noticed_and_ends, NULL, stop)
{
	unsigned clean = 0, stolen = 0;

	start("m1,clock=step,fault=steal@3s-6s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	for (int i = 1; i <= 100; i++) {
		int64_t t;

		step_ms(100);
		t = awake_ns() - start_ns;
		read_now();
		assert_int_equal(delivered(), 8);
		if (sample->flags & SAMPLE_TAKEN_OVER) {
			stolen++;
			assert_true(t > 2900000000 && t < 6100000000);
		} else {
			clean++;
			/* Within one frame of its beginning. */
			assert_true(t < 3100000000 || t >= 6000000000);
		}
		if (t > 3200000000 && t < 5900000000)
			assert_non_null(
				strstr(source->info.notice, "another tool"));
		if (t < 2900000000 || t > 6300000000)
			assert_string_equal(source->info.notice, "");
	}
	assert_true(stolen >= 29 && clean >= 60);
}

UNIT_IN(a_key_takes_them_back_at_once, NULL, stop)
{
	start("m1,clock=step,fault=steal@1s-9s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	step_ms(1100);
	read_now();
	read_now();
	assert_true(sample->flags & SAMPLE_TAKEN_OVER);
	program_ok("INST_ALL INST_BRANCH");
	read_now();
	assert_int_equal(sample->flags, SAMPLE_BASELINE);
	assert_string_equal(source->info.notice, "");
	step_ms(100);
	read_now();
	assert_int_equal(sample->flags, 0);
}

/* What a translated process is told; the machine beneath is the same. */
static int
translated_sysctl(const char *name, void *old, size_t *old_size,
		  const void *fresh, size_t fresh_size)
{
	const int32_t yes = 1;

	if (strcmp(name, "sysctl.proc_translated") != 0)
		return sim_host()->sysctl(name, old, old_size, fresh,
					  fresh_size);
	memcpy(old, &yes, sizeof(yes));
	*old_size = sizeof(yes);
	return 0;
}

UNIT_IN(a_translated_run_is_refused, NULL, stop)
{
	struct source_options o = { .sim = NULL };
	struct err e = { ERR_NONE, "" };
	int force = -1;

	assert_true(sim_start("m1,clock=step", NULL));
	struct host_api host = *sim_host();
	host.sysctl = translated_sysctl;
	assert_null(kperf_open_with(sim_kperf(), sim_kperfdata(), &host, "sim",
				    &o, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_non_null(strstr(e.text, "Rosetta"));
	assert_non_null(strstr(e.text, "arch -arm64"));
	/* before anything was touched */
	OK(sim_kperf()->kpc_force_all_ctrs_get(&force));
	assert_int_equal(force, 0);
	sim_stop();
}

UNIT_IN(a_thief_keeps_what_it_set, NULL, stop)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t words[KPC_MAX_COUNTERS], after[KPC_MAX_COUNTERS];

	/* Not through the registry: the simulation must outlive the source. */
	assert_true(sim_start("m1,clock=step", NULL));
	for (int steal = 0; steal < 2; steal++) {
		struct source_options o = { .sim = NULL };
		struct source *s = kperf_open_with(sim_kperf(), sim_kperfdata(),
						   sim_host(), "sim", &o, NULL);
		const struct event *want;
		struct eventset set;
		int force;

		assert_non_null(s);
		memset(&set, 0, sizeof(set));
		want = catalog_find(s->info.catalog, "INST_ALL");
		assert_true(slots_place(s->info.catalog, &want, 1, &set, NULL));
		assert_true(kperf_program(s, &set, NULL));
		memset(words, 0, sizeof(words));
		words[3] = 0x8d;
		if (steal) {
			OK(k->kpc_set_counting(0));
			OK(k->kpc_set_config(2, words));
			OK(k->kpc_set_counting(2));
		}
		kperf_close(s);
		OK(k->kpc_force_all_ctrs_get(&force));
		assert_int_equal(force, 0);
		memset(after, 0, sizeof(after));
		OK(k->kpc_force_all_ctrs_set(1));
		OK(k->kpc_get_config(2, after));
		assert_int_equal(after[3] & 0xffff, steal ? 0x8d : 0);
		assert_int_equal(k->kpc_get_counting() & 2, steal ? 2 : 0);
		OK(k->kpc_force_all_ctrs_set(0));
	}
	sim_stop();
}

UNIT_IN(an_outage_leaves_busy_rows_and_ends, NULL, stop)
{
	start("m1,clock=step,fault=busy@1s-2s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(500);
	read_now();
	assert_int_equal(sample->flags, 0);
	step_ms(1000);
	read_now();
	assert_int_equal(delivered(), 0);
	assert_true(sample->cpu[0].busy_known);
	assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(source->info.why.code, ERR_TAKEN);
	assert_non_null(strstr(source->info.notice, "EBUSY"));
	step_ms(1000);
	read_now();
	assert_int_equal(source->info.mode, SOURCE_FULL);
	assert_int_equal(delivered(), 8);
	step_ms(100);
	read_now();
	step_ms(100);
	read_now();
	assert_int_equal(sample->flags, 0);
	assert_string_equal(source->info.notice, "");
}

UNIT_IN(taken_counters_leave_ipc_mode, NULL, stop)
{
	struct err e = { ERR_NONE, "" };

	start("m1,clock=step,fault=taken@1ms");
	step_ms(2);
	assert_int_equal(source->info.mode, SOURCE_IPC);
	assert_false(program("INST_ALL", &e));
	assert_int_equal(e.code, ERR_TAKEN);
	assert_int_equal(source->info.mode, SOURCE_IPC);
	assert_string_equal(source->info.why.text, e.text);
	step_ms(100);
	read_now();
	assert_int_equal(delivered(), 8);
	assert_int_equal(sample->set->len, 0);
}

UNIT_IN(refused_events_are_left_out_and_named, NULL, stop)
{
	start("m1,clock=step,fault=refuse:0xcb@0s,fault=refuse:0x02@1s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE BRANCH_MISPRED_NONSPEC");
	assert_int_equal(source->info.mode, SOURCE_FULL);
	assert_string_equal(source->info.notice,
			    "macOS refuses BRANCH_MISPRED_NONSPEC; the metrics "
			    "that need it are omitted");
	assert_int_equal(source->info.set->len, 3);
	assert_int_equal(source->info.set->ndropped, 1);
	assert_string_equal(source->info.set->dropped[0].event,
			    "BRANCH_MISPRED_NONSPEC");
	assert_int_equal(eventset_uncounted(source->info.set), 1);
	read_now();
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(sample->cpu[4].slot[i].supported,
				 strcmp(sample->set->slot[i].event->name,
					"BRANCH_MISPRED_NONSPEC") != 0);
	step_ms(1500);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE BRANCH_MISPRED_NONSPEC");
	assert_string_equal(source->info.notice,
			    "macOS refuses CORE_ACTIVE_CYCLE and "
			    "BRANCH_MISPRED_NONSPEC; the metrics that need "
			    "them are omitted");
	program_ok("INST_ALL");
	assert_string_equal(source->info.notice, "");
	assert_int_equal(source->info.set->ndropped, 0);
}

UNIT_IN(where_all_are_refused_the_old_set_runs, NULL, stop)
{
	struct err e = { ERR_NONE, "" };

	start("m1,clock=step,fault=refuse:*@1s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(1000);
	assert_false(program("INST_ALL BRANCH_MISPRED_NONSPEC", &e));
	assert_int_equal(e.code, ERR_PERM);
	assert_non_null(strstr(e.text, "macOS refuses all 2 events"));
	assert_int_equal(source->info.mode, SOURCE_FULL);
	assert_int_equal(source->info.set->len, 2);
	read_now();
	uint64_t before = sample->cpu[4].fixed[0].count;
	step_ms(1000);
	read_now();
	assert_true(sample->cpu[4].fixed[0].count > before);
	stop(NULL);
	start("m1,clock=step,fault=refuse:*@0s");
	assert_false(program("INST_ALL BRANCH_MISPRED_NONSPEC", &e));
	assert_int_equal(source->info.mode, SOURCE_IPC);
	assert_string_equal(source->info.why.text, e.text);
	assert_non_null(strstr(e.text, "ktop doctor"));
}

UNIT_IN(without_root_there_is_busy_time, NULL, stop)
{
	struct err e = { ERR_NONE, "" };

	start("m1,clock=step,euid=501");
	assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(source->info.why.code, ERR_PERM);
	assert_non_null(strstr(source->info.why.text, "sudo"));
	assert_non_null(source->info.catalog);
	assert_false(program("INST_ALL", &e));
	assert_int_equal(e.code, ERR_PERM);
	step_ms(100);
	read_now();
	assert_int_equal(delivered(), 0);
	assert_true(sample->cpu[7].busy_known);
	assert_string_equal(source->info.notice, "");
}

UNIT_IN(root_lost_in_mid_run_is_said, NULL, stop)
{
	start("m1,clock=step,fault=eperm@1s-2s");
	program_ok("INST_ALL");
	read_now();
	step_ms(1500);
	read_now();
	assert_int_equal(delivered(), 0);
	assert_non_null(strstr(source->info.notice, "root"));
	assert_int_equal(source->info.why.code, ERR_PERM);
	step_ms(1000);
	read_now();
	assert_int_equal(delivered(), 8);
	assert_int_equal(source->info.mode, SOURCE_FULL);
}

/* Four CPUs down: their rows stay old, the last four rows never come. */
UNIT_IN(rows_that_do_not_come_are_missing, NULL, stop)
{
	start("m2max,clock=step,fault=off:P0@1s-3s");
	step_ms(500);
	read_now();
	assert_int_equal(delivered(), 12);
	step_ms(1500);
	read_now();
	for (unsigned i = 0; i < 12; i++)
		assert_int_equal(sample->cpu[i].state,
				 i < 8 ? CPU_DELIVERED : CPU_MISSING);
	step_ms(2000);
	read_now();
	assert_int_equal(delivered(), 12);
}

/* What the crash handler calls. */
UNIT_IN(the_rescue_puts_everything_back, NULL, stop)
{
	const struct kperf_api *k = sim_kperf();
	int force = -1;

	start("m1,clock=step");
	assert_null((void *)(uintptr_t)crash_get_rescue(CRASH_COUNTERS));
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	assert_non_null((void *)(uintptr_t)crash_get_rescue(CRASH_COUNTERS));
	crash_get_rescue(CRASH_COUNTERS)();
	OK(k->kpc_force_all_ctrs_get(&force));
	assert_int_equal(force, 0);
	OK(k->kpc_get_counting());
	assert_null((void *)(uintptr_t)crash_get_rescue(CRASH_COUNTERS));
}

/* Busy time and counts are of one moment, also where every call is slow. */
UNIT_IN(busy_time_is_read_beside_the_rows, NULL, stop)
{
	start("m1,clock=step,fault=slow:300ms@1s-9s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	for (int i = 0; i < 5; i++) {
		step_ms(1000);
		read_now();
		for (unsigned c = 0; c < sample->ncpus; c++) {
			int64_t ns = (int64_t)sample->cpu[c].total * 10000000;

			/* Each share of 10 ms ticks is cut by itself. */
			assert_true(sample->stamp.awake_ns - ns >= 0);
			assert_true(sample->stamp.awake_ns - ns < 40000000);
		}
	}
}

/*
 * As many rows at the end are withheld as CPUs are off, wherever those are:
 * with a middle cluster down from the start the last one works, unseen.
 */
UNIT_IN(rows_withheld_from_the_start_are_not_of_cpus_that_are_off, NULL, stop)
{
	start("m2max,os=15.5,clock=step,fault=off:P0@0s-60s");
	for (int set = 0; set < 2; set++) {
		if (set == 1)
			program_ok("INST_ALL CORE_ACTIVE_CYCLE");
		for (int i = 0; i < 3; i++) {
			read_now();
			for (unsigned c = 0; c < 12; c++)
				assert_int_equal(sample->cpu[c].state,
						 c < 8 ? CPU_DELIVERED
						       : CPU_MISSING);
			step_ms(1000);
		}
	}
}
