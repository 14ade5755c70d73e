/*
 * Which events the presets take on each family of cores, as words of
 * perf_event_attr: the codes are the vendors' (kernel: pmu-events), the pages
 * those that fit beside cycles and instructions with the NMI watchdog on.
 */
#include "source/fake_perf.h"

enum { MINE_MAX = 8 };

struct page {
	const char *machine, *preset;
	unsigned cpu;
	uint64_t has[MINE_MAX]; /* configs; 0 ends: cycles are never 0 */
	uint64_t lacks[2];
};

/* clang-format off */
static const struct page pages[] = {
	/* P cores, and Gracemont: no event for loads that miss L1D. */
	{ "alderlake-12900k", "basic", 0, { 0xc0, 0x3c, 0xc5, 0x8d1, 0x400, 0x8000, 0x8200, 0x8300 }, { 0x40d1, 0x280 } },
	{ "alderlake-12900k", "basic", 16, { 0xc0, 0x3c, 0xc5, 0x71, 0x74, 0xc2 }, { 0x40d1 } },
	{ "alderlake-12900k", "branch", 0, { 0xc4, 0xc5 }, { 0 } },
	{ "alderlake-12900k", "l1d", 0, { 0x8d1, 0x81d0, 0x3f24 }, { 0 } },
	{ "alderlake-12900k", "dtlb", 0, { 0xe12 }, { 0xe08 } },
	{ "alderlake-12900k", "dtlb", 16, { 0xe08 }, { 0xe12 } },
	{ "alderlake-12900k", "frontend", 0, { 0xe11 }, { 0xe85 } },
	{ "alderlake-12900k", "frontend", 16, { 0xe85, 0x280 }, { 0xe11 } },
	{ "alderlake-12900k", "topdown", 0, { 0x400, 0x8000, 0x8200, 0x8300, 0x10ad }, { 0x8100 } },
	{ "alderlake-12900k", "topdown", 16, { 0x71, 0x74, 0xc2 }, { 0x8000, 0x73 } },
	/* Crestmont, on LP-E cores too; L2 misses there are of loads. */
	{ "meteorlake-185h", "basic", 12, { 0xc5, 0x412e, 0x40d1, 0x71, 0x72, 0x73, 0x74 }, { 0x8d1, 0x3f24 } },
	{ "meteorlake-185h", "topdown", 0, { 0x400, 0x8000, 0x8100, 0x8200, 0x8300, 0x10ad }, { 0 } },
	{ "meteorlake-185h", "topdown", 20, { 0x72, 0x73, 0x71, 0x74 }, { 0x400 } },
	/* Skymont on E, Crestmont on the third PMU. */
	{ "arrowlake-285h", "basic", 6, { 0xc5, 0x412e, 0x40d1, 0x2c2, 0x73, 0x19c, 0x2a4 }, { 0x80d1 } },
	{ "arrowlake-285h", "topdown", 6, { 0x2c2, 0x73, 0x19c, 0x2a4 }, { 0x72, 0x71 } },
	{ "arrowlake-285h", "topdown", 14, { 0x72, 0x73, 0x71, 0x74 }, { 0x2c2, 0x19c } },
	{ "lunarlake-258v", "topdown", 4, { 0x2c2, 0x73, 0x19c, 0x2a4 }, { 0x72 } },
	{ "xeon-6430-2s-snc2", "basic", 0, { 0xc5, 0x8d1, 0x412e, 0x400, 0x8000, 0x8200, 0x8300, 0x10ad }, { 0 } },
	/* With two threads a core its slots would take five counters of four. */
	{ "skylake-6148-2s", "basic", 0, { 0xc5, 0x8d1 }, { 0x10ad } },
	{ "xeon-6430-2s-snc2", "dtlb", 0, { 0xe12 }, { 0xe08 } },
	{ "sierraforest-288", "basic", 0, { 0xc5, 0x412e, 0x40d1, 0x71, 0x72, 0x73, 0x74 }, { 0x8d1 } },
	/* AMD: event numbers of 12 bits are dealt out to 0-7 and 32-35. */
	{ "zen4-7950x", "basic", 0, { 0x76, 0xc0, 0xc3, 0x1000001a0, 0x100001ea0 }, { 0xf045 } },
	{ "zen4-7950x", "branch", 0, { 0xc2, 0xc3 }, { 0 } },
	{ "zen4-7950x", "l1d", 0, { 0xff44, 0x729, 0x964 }, { 0x40 } },
	{ "zen4-7950x", "dtlb", 0, { 0xf045, 0xff45 }, { 0 } },
	{ "zen4-7950x", "frontend", 0, { 0x10000188e, 0xf85 }, { 0xff85 } },
	/* One counter more than the watchdog leaves: it is tried. */
	{ "zen4-7950x", "topdown", 0, { 0xc1, 0x1000001a0, 0x100001ea0, 0x7aa }, { 0 } },
	{ "zen4-7950x", "ldsrc", 0, { 0x964, 0x4844, 0xf960 }, { 0xf160 } },
	{ "zen5-strix-point", "ldsrc", 0, { 0x964, 0x4844, 0xf160 }, { 0xf960 } },
	{ "zen5-strix-point", "topdown", 0, { 0xc1, 0x1000001a0, 0x100001ea0, 0x7aa }, { 0 } },
	{ "epyc-7763-2s-nps4", "l1d", 0, { 0xff44, 0x729, 0x964 }, { 0xc860, 0x40 } },
	{ "epyc-7763-2s-nps4", "frontend", 0, { 0x10000188e, 0xff85 }, { 0xf85, 0x81 } },
	/* ARM: retired mispredicts where they are listed, then not the others. */
	{ "neoverse-n1-80", "basic", 0, { 0x11, 0x08, 0x22, 0x03, 0x37, 0x23, 0x24 }, { 0x10 } },
	{ "rpi5", "basic", 0, { 0x11, 0x08, 0x22, 0x03, 0x23, 0x24 }, { 0x10 } },
	{ "graviton4-2s", "basic", 0, { 0x11, 0x08, 0x22, 0x03, 0x3a, 0x3d, 0x3e }, { 0x23, 0x24 } },
	{ "cobalt100-128", "basic", 0, { 0x11, 0x08, 0x22, 0x03, 0x3a, 0x3d, 0x3e }, { 0x23, 0x24 } },
	/* Its front end has what the others leave. */
	{ "ampereone-96", "basic", 0, { 0x11, 0x08, 0x22, 0x03, 0x3a, 0x3b, 0x3d }, { 0x3e } },
	{ "dgx-gb10", "basic", 5, { 0x11, 0x08, 0x22, 0x03, 0x3a, 0x3d, 0x3e }, { 0x23, 0x24 } },
	{ "neoverse-n1-80", "dtlb", 0, { 0x34, 0x25, 0x05 }, { 0 } },
	{ "neoverse-n1-80", "frontend", 0, { 0x01, 0x35, 0x02 }, { 0 } },
	{ "neoverse-n1-80", "stalls", 0, { 0x23, 0x24 }, { 0 } },
	{ "tensor-g1", "basic", 0, { 0x11, 0x08, 0x10, 0x03 }, { 0x22 } },
	{ "tensor-g1", "basic", 6, { 0x11, 0x08, 0x22, 0x03 }, { 0x10 } },
	/* Apple. */
	{ "asahi-m1", "basic", 0, { 0x02, 0x8c, 0xcb, 0xdb, 0x75 }, { 0x412e } },
	{ "asahi-m2max", "branch", 4, { 0x02, 0x8c, 0xcb, 0x8d }, { 0 } },
	{ "asahi-m2max", "frontend", 0, { 0xdb, 0xd4, 0xde }, { 0 } },
};
/* clang-format on */

static bool
counted(const struct rig *r, unsigned cpu, uint64_t config)
{
	for (struct fake_event *e = fake_first_on(r->f, (int)cpu); e != NULL;
	     e = fake_next_on(e))
		if (e->attr.type != PERF_TYPE_SOFTWARE &&
		    e->attr.config == config)
			return true;
	return false;
}

UNIT(presets_count_the_families_events)
{
	const struct page *end = pages + sizeof(pages) / sizeof(pages[0]);
	struct rig r;

	for (const struct page *p = pages; p < end; p++) {
		if (p == pages || strcmp(p->machine, p[-1].machine) != 0) {
			rig_start(&r, p->machine, NULL);
		}
		if (!rig_program(&r, p->preset))
			fail_msg("%s: no %s", p->machine, p->preset);
		for (int k = 0; k < MINE_MAX && p->has[k] != 0; k++)
			if (!counted(&r, p->cpu, p->has[k]))
				fail_msg("%s %s: CPU %u lacks %#llx",
					 p->machine, p->preset, p->cpu,
					 (unsigned long long)p->has[k]);
		for (int k = 0; k < 2 && p->lacks[k] != 0; k++)
			if (counted(&r, p->cpu, p->lacks[k]))
				fail_msg("%s %s: CPU %u counts %#llx",
					 p->machine, p->preset, p->cpu,
					 (unsigned long long)p->lacks[k]);
		if (p + 1 == end || strcmp(p->machine, p[1].machine) != 0)
			rig_close(&r);
	}
}

/* What nobody knows gets the kernel's four, and nothing under a wrong name. */
UNIT(unknown_pmus_get_the_generic_four)
{
	static const char *const machines[] = { "power9-smt8", "visionfive2",
						"milkv-pioneer" };

	for (size_t i = 0; i < 3; i++) {
		struct rig r;

		rig_start(&r, machines[i], NULL);
		assert_true(rig_program(&r, "branch"));
		for (struct fake_event *e = fake_next(r.f, NULL); e != NULL;
		     e = fake_next(r.f, e)) {
			const struct perf_event_attr *a = &e->attr;

			if (a->type != PERF_TYPE_HARDWARE)
				continue;
			assert_true(a->config == PERF_COUNT_HW_CPU_CYCLES ||
				    a->config == PERF_COUNT_HW_INSTRUCTIONS ||
				    a->config ==
					    PERF_COUNT_HW_BRANCH_INSTRUCTIONS ||
				    a->config == PERF_COUNT_HW_BRANCH_MISSES);
		}
		rig_close(&r);
	}
}

/* The name means another cache on each family: none of ours has it. */
UNIT(no_event_is_called_cache_misses)
{
	static const char *const machines[] = { "alderlake-12900k",
						"zen4-7950x", "neoverse-n1-80",
						"asahi-m1", "power9-smt8" };

	for (size_t i = 0; i < 5; i++) {
		const struct catalog *c;
		struct rig r;

		rig_start(&r, machines[i], NULL);
		c = r.s->info.catalog;
		for (unsigned k = 0; k < c->len; k++) {
			assert_null(strstr(c->event[k].name, "cache-misses"));
			assert_null(strstr(c->event[k].name, "CACHE_MISSES"));
			if (c->event[k].native != NULL)
				assert_null(strstr(c->event[k].native,
						   "cache-misses"));
		}
		rig_close(&r);
	}
}

/* One column, two meanings: each kind's own clause is there to be read. */
UNIT(kinds_that_count_differently_say_so)
{
	const struct event *e;
	struct rig r;

	rig_start(&r, "meteorlake-185h", NULL);
	e = catalog_find(r.s->info.catalog, "L2_MISS");
	assert_non_null(e);
	assert_non_null(strstr(e->text, "requests of any kind"));
	assert_non_null(strstr(e->text, "cpu_atom: retired loads"));
	e = catalog_find(r.s->info.catalog, "BRANCH_MISPRED_NONSPEC");
	assert_non_null(e);
	assert_null(strstr(e->text, "cpu_atom"));
	rig_close(&r);
}
