/* The kperf source against simulated Macs: modes, sets, what is counted. */
#include "source/kperf/kperf.h"

#include "model/metric.h"
#include "source/all/sources.h"
#include "source/mac.h"

UNIT_IN(ipc_mode_changes_nothing, NULL, stop)
{
	const struct kperf_api *k = sim_kperf();
	int force = -1;

	start("m1,clock=step");
	assert_int_equal(source->info.mode, SOURCE_IPC);
	assert_string_equal(source->info.chip, "a14");
	assert_string_equal(source->info.model, "Apple M1");
	assert_string_equal(source->info.source, "sim");
	assert_true(source->info.simulated);
	assert_true(source->info.rows_may_be_stale);
	step_ms(1000);
	read_now();
	assert_int_equal(delivered(), 8);
	assert_true(sample->cpu[4].fixed[FIXED_CYCLES].count > 1000000);
	assert_true(sample->cpu[4].busy_known);
	OK(k->kpc_force_all_ctrs_get(&force));
	assert_int_equal(force, 0);
	OK(k->kpc_get_counting());
}

/* The simulator's formulas say what each counter must have gained. */
UNIT_IN(slots_count_their_events, NULL, stop)
{
	static const char *const names[] = { "INST_ALL", "CORE_ACTIVE_CYCLE",
					     "INST_BRANCH" };
	uint64_t before[8][3], wall[8][3];
	unsigned slots[3];

	start("m1,clock=step");
	program_ok("CORE_ACTIVE_CYCLE INST_ALL INST_BRANCH");
	for (unsigned e = 0; e < 3; e++)
		for (unsigned i = 0; i < 3; i++)
			if (strcmp(source->info.set->slot[i].event->name,
				   names[e]) == 0)
				slots[e] = i;
	step_ms(1000);
	read_now();
	for (unsigned c = 0; c < 8; c++)
		for (unsigned e = 0; e < 3; e++) {
			before[c][e] = sample->cpu[c].slot[slots[e]].count;
			wall[c][e] = sim_total(c, names[e], false, awake_ns());
		}
	step_ms(4000);
	read_now();
	for (unsigned c = 0; c < 8; c++)
		for (unsigned e = 0; e < 3; e++) {
			uint64_t got = sample->cpu[c].slot[slots[e]].count -
				       before[c][e];
			uint64_t want =
				sim_total(c, names[e], false, awake_ns()) -
				wall[c][e];

			assert_true(want > 0);
			/* Reads cost a little, all of it in the kernel. */
			assert_int_equal(got, want);
		}
}

UNIT_IN(the_domain_is_read_back, NULL, stop)
{
	/* clang-format off */
	static const struct {
		const char *spec;
		enum domain domain;
	} cases[] = {
		{ "m1,clock=step", DOMAIN_USER },
		{ "m1,clock=step,os=15.5", DOMAIN_USER },
		{ "m1,clock=step,os=14.5", DOMAIN_ALL },
		{ "m5,clock=step", DOMAIN_USER },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		start(cases[i].spec);
		assert_int_equal(source->info.domain, DOMAIN_NONE);
		program_ok("INST_ALL CORE_ACTIVE_CYCLE");
		read_now();
		assert_int_equal(source->info.domain, cases[i].domain);
		assert_int_equal(sample->domain, cases[i].domain);
		stop(state);
	}
}

/* Every preset of every chip is placed by the framework as by us. */
UNIT_IN(every_preset_can_be_programmed, NULL, stop)
{
	static const char *const machines[] = { "m1",    "m2max", "m3",   "m4",
						"m4max", "m5",    "m5max" };

	for (size_t m = 0; m < sizeof(machines) / sizeof(machines[0]); m++) {
		unsigned programmed = 0;
		char spec[64];

		snprintf(spec, sizeof(spec), "%s,clock=step", machines[m]);
		start(spec);
		for (unsigned p = 0; p < preset_count; p++) {
			struct err e = { ERR_NONE, "" };
			struct eventset set;

			if (!preset_derive(&preset_table[p],
					   source->info.catalog, DOMAIN_USER,
					   &set, &e))
				continue;
			if (!source->ops->program(source, &set, &e))
				fail_msg("%s, %s: %s", machines[m],
					 preset_table[p].name, e.text);
			read_now();
			assert_true(sample->flags & SAMPLE_BASELINE);
			step_ms(100);
			read_now();
			assert_int_equal(sample->flags, 0);
			programmed++;
		}
		assert_true(programmed >= 9);
		stop(state);
	}
}

UNIT_IN(a_virtual_machine_has_no_counters, NULL, stop)
{
	start("vm,clock=step");
	assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(source->info.why.code, ERR_NO_PMU);
	assert_null(source->info.catalog);
	assert_string_equal(source->info.topology->cluster[0].label, "CPU");
}

UNIT_IN(intel_counts_the_fixed_pair, NULL, stop)
{
	struct eventset set = { .len = 0 };
	struct err e = { ERR_NONE, "" };

	start("intel,clock=step");
	assert_int_equal(source->info.mode, SOURCE_IPC);
	assert_null(source->info.catalog);
	step_ms(1000);
	read_now();
	for (unsigned i = 0; i < sample->ncpus; i++) {
		const struct reading *f = sample->cpu[i].fixed;
		uint64_t cycles =
			sim_total(i, "FIXED_CYCLES", true, awake_ns());

		if (cycles == UINT64_MAX)
			break; /* this chip's table has other names */
		assert_true(f[FIXED_CYCLES].count >= cycles);
	}
	assert_false(source->ops->program(source, &set, &e));
	assert_int_equal(e.code, ERR_NO_PMU);
	assert_true(source->info.topology->smt);
}

UNIT_IN(ipc_can_be_asked_for, NULL, stop)
{
	struct source_options o = { .sim = "m1,clock=step", .ipc = true };
	struct err e = { ERR_NONE, "" };

	source = source_open(&o, &e);
	assert_non_null(source);
	assert_int_equal(source->info.mode, SOURCE_IPC);
	assert_false(program("INST_ALL", &e));
	assert_int_equal(e.code, ERR_USAGE);
}

UNIT_IN(user_mode_can_be_asked_for, NULL, stop)
{
	struct source_options o = { .sim = "m1,clock=step,os=14.5",
				    .user_only = true };

	source = source_open(&o, NULL);
	assert_non_null(source);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	assert_int_equal(source->info.domain, DOMAIN_USER);
}

static int
no_database(const char *name, struct kpep_db **db)
{
	*db = NULL;
	return KPEP_DB_NOT_FOUND;
}

/* A chip newer than its macOS. */
UNIT_IN(without_a_database_there_is_ipc, NULL, stop)
{
	struct source_options o = { .sim = NULL };
	struct eventset set = { .len = 1 };
	struct err e = { ERR_NONE, "" };

	assert_true(sim_start("m1,clock=step", &e));
	struct kperfdata_api kpep = *sim_kperfdata();
	kpep.kpep_db_create = no_database;
	struct source *s =
		kperf_open_with(sim_kperf(), &kpep, sim_host(), "sim", &o, &e);
	assert_non_null(s);
	assert_int_equal(s->info.mode, SOURCE_IPC);
	assert_null(s->info.catalog);
	assert_string_equal(s->info.chip, "a14"); /* from our own table */
	assert_non_null(strstr(s->info.why.text, "database"));
	assert_false(kperf_program(s, &set, &e));
	assert_non_null(strstr(e.text, "database"));
	kperf_close(s);
	sim_stop();
}

UNIT_IN(both_event_layouts_say_the_same, NULL, stop)
{
	struct {
		char name[EVENT_NAME_SIZE];
		uint32_t number, counters;
		bool fixed;
	} seen[200];
	unsigned n = 0;

	start("m1,clock=step,layout=56");
	for (; n < source->info.catalog->len; n++) {
		const struct event *ev = &source->info.catalog->event[n];

		assert_true(n < 200);
		snprintf(seen[n].name, sizeof(seen[n].name), "%s", ev->name);
		seen[n].number = ev->number;
		seen[n].counters = ev->counters;
		seen[n].fixed = ev->fixed;
	}
	assert_true(n > 50);
	assert_int_equal(source->info.catalog->config_counters, 0x3fc);
	stop(state);
	start("m1,clock=step,layout=48");
	assert_int_equal(source->info.catalog->len, n);
	for (unsigned i = 0; i < n; i++) {
		const struct event *ev = &source->info.catalog->event[i];

		assert_string_equal(ev->name, seen[i].name);
		assert_int_equal(ev->number, seen[i].number);
		assert_int_equal(ev->counters, seen[i].counters);
		assert_int_equal(ev->fixed, seen[i].fixed);
		assert_true(ev->fixed || ev->number != 0);
	}
	assert_int_equal(catalog_find(source->info.catalog, "INST_ALL")->number,
			 0x8c);
	assert_true(catalog_find(source->info.catalog, "FIXED_CYCLES")->fixed);
}

UNIT_IN(a_set_that_the_framework_places_otherwise_is_refused, NULL, stop)
{
	const struct kperf_api *k = sim_kperf();
	struct err e = { ERR_NONE, "" };
	struct event stranger = { .name = "STRANGER" };
	struct eventset set;

	start("m1,clock=step");
	memset(&set, 0, sizeof(set));
	const struct event *want =
		catalog_find(source->info.catalog, "INST_ALL");
	assert_true(slots_place(source->info.catalog, &want, 1, &set, &e));
	assert_int_not_equal(set.slot[0].counter, 9);
	set.slot[0].counter = 9;
	assert_false(source->ops->program(source, &set, &e));
	assert_non_null(strstr(e.text, "INST_ALL"));
	set.slot[0].event = &stranger;
	assert_false(source->ops->program(source, &set, &e));
	assert_non_null(strstr(e.text, "STRANGER"));
	set.len = 0;
	assert_false(source->ops->program(source, &set, &e));
	assert_int_equal(source->info.mode, SOURCE_IPC);
	OK(k->kpc_get_counting());
}
