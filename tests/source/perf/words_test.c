/* Words of --events: perf's names, and modes. */
#include "source/fake_perf.h"

/* What perf list calls hardware and hardware cache events. */
UNIT(perf_names)
{
	static const struct {
		const char *machine, *word;
		int cpu;
		uint32_t type;
		uint64_t config;
	} rows[] = {
		{ "alderlake-12900k", "L1-dcache-load-misses", 0, 3, 0x10000 },
		{ "alderlake-12900k", "L1-dcache-load-misses", 20, 3, 0x10000 },
		{ "alderlake-12900k", "LLC-load-misses", 0, 3, 0x10002 },
		{ "alderlake-12900k", "llc-loads", 0, 3, 2 },
		{ "zen4-7950x", "dTLB-store-misses", 3, 3, 0x10103 },
		{ "zen4-7950x", "L1-dcache-prefetches", 3, 3, 0x200 },
		{ "zen4-7950x", "L1-icache-loads", 3, 3, 1 },
		{ "neoverse-n1-80", "iTLB-load-misses", 0, 3, 0x10004 },
		{ "neoverse-n1-80", "branch-loads", 0, 3, 5 },
		{ "neoverse-n1-80", "node-stores", 0, 3, 0x106 },
		{ "neoverse-n1-80", "branches", 0, 0, 4 },
		{ "neoverse-n1-80", "branch-misses", 0, 0, 5 },
		{ "neoverse-n1-80", "cache-references", 0, 0, 2 },
		{ "neoverse-n1-80", "ref-cycles", 0, 0, 9 },
		{ "neoverse-n1-80", "idle-cycles-backend", 0, 0, 8 },
		/* The PMU's own alias comes first. */
		{ "alderlake-12900k", "branch-misses", 0, 4, 0xc5 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned at[EVENTSET_MAX] = { 0 };
		struct rig r;

		rig_prepare(&r, rows[i].machine);
		r.o.events = rows[i].word;
		rig_open(&r);
		rig_events(&r, rows[i].word, at);
		if (fake_find(r.f, rows[i].cpu, rows[i].type, rows[i].config) ==
		    NULL)
			fail_msg("%s on %s", rows[i].word, rows[i].machine);
		rig_close(&r);
	}
}

/* Whatever counts an event, its suffix says in which modes. */
UNIT(modes_of_events)
{
	static const struct {
		const char *word;
		uint32_t type;
		uint64_t config;
		bool no_user, no_kernel;
	} rows[] = {
		{ "INST_BRANCH:u", 4, 0xc2, false, true },
		{ "INST_BRANCH:k", 4, 0xc2, true, false },
		{ "INST_BRANCH:uk", 4, 0xc2, false, false },
		{ "INST_BRANCH:ku", 4, 0xc2, false, false },
		{ "branches:u", 0, 4, false, true },
		{ "L1-dcache-loads:k", 3, 0, true, false },
		{ "r1c1:u", 4, 0x1c1, false, true },
		{ "cpu/event=0x44,umask=0x48/k", 4, 0x4844, true, false },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned at[EVENTSET_MAX] = { 0 };
		const struct fake_event *e;
		struct rig r;

		rig_prepare(&r, "zen4-7950x");
		r.o.events = rows[i].word;
		rig_open(&r);
		rig_events(&r, rows[i].word, at);
		e = fake_find(r.f, 0, rows[i].type, rows[i].config);
		if (e == NULL)
			fail_msg("%s", rows[i].word);
		assert_int_equal(e->attr.exclude_user, rows[i].no_user);
		assert_int_equal(e->attr.exclude_kernel, rows[i].no_kernel);
		/* Those beside it count as ever. */
		e = fake_find(r.f, 0, 4, 0x76);
		assert_false(e->attr.exclude_user || e->attr.exclude_kernel);
		rig_close(&r);
	}
}

/* The pair's own events, too, and the sum of what they count in each mode. */
UNIT(modes_of_the_pair)
{
	unsigned at[EVENTSET_MAX] = { 0 };
	struct rig r;

	rig_prepare(&r, "zen4-7950x");
	r.o.events = "INST_ALL:k";
	rig_open(&r);
	rig_events(&r, "INST_ALL:k", at);
	rig_second(&r, 0);
	for (struct fake_event *e = fake_first_on(r.f, 0); e != NULL;
	     e = fake_next_on(e))
		if (e->attr.config == 0xc0)
			e->value += e->attr.exclude_user ? 200 : 700;
	uint64_t before = r.sample->cpu[0].slot[at[0]].count;
	uint64_t pair = r.sample->cpu[0].fixed[FIXED_INSTRUCTIONS].count;

	rig_second(&r, 0);
	assert_int_equal(r.sample->cpu[0].slot[at[0]].count - before, 200);
	assert_int_equal(
		r.sample->cpu[0].fixed[FIXED_INSTRUCTIONS].count - pair, 700);
	rig_close(&r);
}

/* Without a PMU and without the right both are said, in every order. */
static int
no_right(struct fake *f, const struct perf_event_attr *attr, int cpu,
	 int leader)
{
	return EACCES;
}

UNIT(neither_pmu_nor_right)
{
	char command[128];
	struct rig r;

	rig_prepare(&r, "vm-2cpu-nopmu");
	rig_write(&r, "/proc/sys/kernel/perf_event_paranoid", "2\n");
	snprintf(command, sizeof(command), "mkdir -p %s/proc/self", r.root);
	assert_int_equal(system(command), 0);
	rig_write(&r, "/proc/self/status", "CapEff:\t0\n");
	r.f->refuse = no_right;
	r.s = perf_open_with(&r.o, &r.f->ops, &r.e);
	assert_non_null(r.s);
	assert_int_equal(r.s->info.why.code, ERR_NO_PMU);
	assert_non_null(strstr(r.s->info.why.text, "no hardware counters"));
	assert_non_null(strstr(r.s->info.why.text, "perf_event_paranoid is 2"));
	r.s->ops->close(r.s);
	r.o.events = "INST_ALL";
	r.s = perf_open_with(&r.o, &r.f->ops, &r.e);
	assert_null(r.s);
	assert_non_null(strstr(r.e.text, "machine has no core PMU"));
	assert_non_null(strstr(r.e.text, "perf_event_paranoid is 2"));
	/* With the right there is one reason. */
	rig_write(&r, "/proc/self/status",
		  "CapEff:\t4000000000\nCapPrm:\t4000000000\n");
	assert_null(perf_open_with(&r.o, &r.f->ops, &r.e));
	assert_null(strstr(r.e.text, "perf_event_paranoid"));
	r.o.events = NULL;
	r.f->refuse = NULL;
	rig_open(&r);
	rig_close(&r);
}
