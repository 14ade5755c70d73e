/* --events: every way to name an event of one's own, and those that are none.
 */
#include "model/metric.h"
#include "source/fake_perf.h"

UNIT(events_by_name)
{
	static const struct {
		const char *machine, *word, *native;
	} rows[] = {
		{ "alderlake-12900k", "r01c4",
		  "cpu_core/config=0x1c4/ cpu_atom/config=0x1c4/" },
		{ "alderlake-12900k", "cpu_atom/event=0x72,umask=0/",
		  "cpu_atom/event=0x72,umask=0/" },
		{ "alderlake-12900k", "cpu_core/config=0x1b7,config1=0x10/",
		  "cpu_core/config=0x1b7,config1=0x10/" },
		{ "alderlake-12900k", "mem-loads-aux",
		  "cpu_core/event=0x03,umask=0x82/" },
		{ "zen4-7950x", "ref-cycles", "cpu/event=0x120,umask=0x01/" },
		{ "rk3588", "bus_cycles",
		  "armv8_cortex_a76/event=0x001d/ "
		  "armv8_cortex_a55/event=0x001d/" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rig r;

		rig_prepare(&r, rows[i].machine);
		r.o.events = rows[i].word;
		rig_open(&r);
		assert_string_equal(rig_event(&r, rows[i].word)->native,
				    rows[i].native);
		assert_int_not_equal(rig_event(&r, rows[i].word)->counters, 0);
		rig_close(&r);
	}
}

UNIT(events_that_nobody_has)
{
	static const char *const bad[] = {
		"wonder",
		"r",
		"rxyz",
		"uncore_imc_0/event=1/",
		"",
		",",
		"INST_ALL,,INST_ALL",
		"cpu_core/wonder=1/",
		"cpu_core/event=0x1ff/",
		"cpu_core/event=1",
		"/",
		"r11111111111111111111",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rig r;

		rig_prepare(&r, "alderlake-12900k");
		r.o.events = bad[i];
		if (perf_open_with(&r.o, &r.f->ops, &r.e) != NULL)
			fail_msg("\"%s\" passed", bad[i]);
		assert_int_equal(r.e.code, ERR_USAGE);
		assert_non_null(strstr(r.e.text, "--events"));
		fake_free(r.f);
		tree_remove(r.root);
	}
}

/* Where nothing can count, that is the reason: not the name. */
UNIT(events_without_a_pmu)
{
	static const char *const word[] = { "rc0c1", "INST_ALL",
					    "cpu/event=0xc0/", "cycles" };

	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		struct rig r;

		rig_prepare(&r, "vm-2cpu-nopmu");
		r.o.events = word[i];
		assert_null(perf_open_with(&r.o, &r.f->ops, &r.e));
		assert_int_equal(r.e.code, ERR_USAGE);
		assert_non_null(strstr(r.e.text, word[i]));
		assert_non_null(strstr(r.e.text, "machine has no core PMU"));
		assert_null(strstr(r.e.text, "rNNNN"));
		fake_free(r.f);
		tree_remove(r.root);
	}
}

/* The kernel's own events need no PMU and no counter, by name or number. */
UNIT(events_of_the_kernel)
{
	static const struct {
		const char *words, *name;
		uint64_t config;
	} rows[] = {
		{ "software/config=3/", "SW_CONTEXT_SWITCHES", 3 },
		{ "software/config=0x3/", "SW_CONTEXT_SWITCHES", 3 },
		{ "context-switches", "SW_CONTEXT_SWITCHES", 3 },
		{ "software/config=0/", "software/config=0/", 0 },
	};
	static const char *const bad[] = {
		"software/config=99/", "software/wonder/", "software//",
		"context-switches,software/config=3/"
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct event *e;
		struct eventset set = { .name = "custom" };
		struct rig r;

		rig_prepare(&r, "alderlake-12900k");
		r.o.events = rows[i].words;
		rig_open(&r);
		e = rig_event(&r, rows[i].words);
		assert_string_equal(e->name, rows[i].name);
		assert_true(slots_place(r.s->info.catalog, &e, 1, &set, &r.e));
		assert_true(r.s->ops->program(r.s, &set, &r.e));
		for (int cpu = 0; cpu < 24; cpu++)
			assert_non_null(fake_find(r.f, cpu, PERF_TYPE_SOFTWARE,
						  rows[i].config));
		rig_close(&r);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rig r;

		rig_prepare(&r, "alderlake-12900k");
		r.o.events = bad[i];
		assert_null(perf_open_with(&r.o, &r.f->ops, &r.e));
		assert_int_equal(r.e.code, ERR_USAGE);
		fake_free(r.f);
		tree_remove(r.root);
	}
}
