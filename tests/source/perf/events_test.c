/* Which events each machine counts for ktop's names: vectors 34, 37 to 46. */
#include "source/fake_perf.h"

#include "base/parse.h"

static const char *const machines[] = {
	"alderlake-12900k", "asahi-m1",       "dgx-gb10",
	"meteorlake-185h",  "neoverse-n1-80", "qemu-virt-biglittle",
	"raptorlake-1370p", "rk3588",         "vm-2cpu-nopmu",
	"zen4-7950x",       "power9-smt8",
};
enum { MACHINES = sizeof(machines) / sizeof(machines[0]) };

static void
native_is(const struct rig *r, const char *name, const char *native)
{
	assert_string_equal(rig_event(r, name)->native, native);
}

static bool
lacks(const struct rig *r, const char *name)
{
	return catalog_find(r->s->info.catalog, name) == NULL;
}

static unsigned
slots_of(const struct rig *r, const char *preset)
{
	struct eventset set;

	if (!preset_derive(&preset_table[preset_find(preset)],
			   r->s->info.catalog, DOMAIN_ALL, &set, NULL))
		return 0;
	return set.len;
}

/* ---- the language ---- */

/* Words of --events: what is opened for them, or what is wrong with them. */
UNIT(v37_v38_terms)
{
	static const struct {
		const char *word, *odd; /* odd: the alias of that name */
		uint64_t config;
		const char *says;
	} rows[] = {
		{ "cpu/event=0x120,umask=0x01/", NULL, 0x100000120, NULL },
		{ "cpu/event=0x12000/", NULL, 0, "does not fit" },
		{ "cpu/event=1,wonder=2/", NULL, 0, "wonder" },
		{ "cpu/event=1,umask=1,event=2/", NULL, 0,
		  "event is given twice" },
		{ "cpu//", NULL, 0, "" },
		{ "cpu/,/", NULL, 0, "" },
		{ "cpu/event=/", NULL, 0, "" },
		{ "cpu/event=x/", NULL, 0, "" },
		{ "cpu/../type=1/", NULL, 0, "" },
		{ "../type", NULL, 0, "" },
		{ "odd", "event=0x27,umask=0x01\n", 0x127, NULL },
		{ "cpu/event=0xc2/u", NULL, 0xc2, NULL },
		{ "cpu/event=0xc2/:k", NULL, 0xc2, NULL },
		{ "cpu/event=0xc2/:p", NULL, 0, "is not a mode" },
		{ "cpu/event=0xc2/x", NULL, 0, "is not a mode" },
		{ "INST_BRANCH:", NULL, 0, "is not a mode" },
		{ "INST_BRANCH:u:k", NULL, 0, "is not a mode" },
		{ "page-faults:u", NULL, 0, "have no modes" },
		{ "SW_PAGE_FAULTS:u", NULL, 0, "have no modes" },
		{ "nothing:u", NULL, 0, "perf list" },
		{ "iTLB-store-misses", NULL, 0, "perf list" },
		{ "odd", "event=1,wonder=?\n", 0, "" },
		{ "odd", "long", 0, "" },
		/* Next to an alias, its unit. */
		{ "odd.scale", "2e-3\n", 0, "" },
	};
	char lengthy[256 + 8] = "";

	/* Cut anywhere it would still be an event. */
	memset(lengthy, ' ', sizeof(lengthy) - 1);
	memcpy(lengthy, "event=0x", 8);
	memset(lengthy + 8, '0', sizeof(lengthy) - 10);
	lengthy[sizeof(lengthy) - 2] = '7';
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned at[EVENTSET_MAX] = { 0 };
		const char *odd = rows[i].odd;
		char path[64];
		struct rig r;

		rig_prepare(&r, "zen4-7950x");
		snprintf(path, sizeof(path), "/sys/devices/cpu/events/%s",
			 strchr(rows[i].word, '/') == NULL ? rows[i].word
							   : "x");
		if (odd != NULL)
			rig_write(&r, path,
				  strcmp(odd, "long") == 0 ? lengthy : odd);
		r.o.events = rows[i].word;
		r.s = perf_open_with(&r.o, &r.f->ops, &r.e);
		if ((r.s == NULL) != (rows[i].says != NULL) ||
		    (r.s == NULL && strstr(r.e.text, rows[i].says) == NULL))
			fail_msg("%s: %s", rows[i].word, r.e.text);
		if (r.s != NULL) {
			r.s->ops->close(r.s);
			rig_open(&r);
			rig_events(&r, rows[i].word, at);
			assert_non_null(fake_find(r.f, 0, 4, rows[i].config));
		}
		rig_close(&r);
	}
}

UNIT(v38_load_latency)
{
	unsigned at[EVENTSET_MAX] = { 0 };
	const struct fake_event *e;
	struct rig r;

	rig_prepare(&r, "alderlake-12900k");
	r.o.events = "mem-loads";
	rig_open(&r);
	rig_events(&r, "mem-loads", at);
	e = fake_find(r.f, 0, 4, 0x1cd);
	assert_non_null(e);
	assert_int_equal(e->attr.config1, 3);
	rig_close(&r);
}

static void
collect(void *arg, unsigned cpu)
{
	++*(unsigned *)arg;
}

UNIT(v39_lists)
{
	static const struct {
		const char *text;
		int n; /* -1: refused */
	} rows[] = { { "", 0 },
		     { "0", 1 },
		     { "0-3,5,7-9\n", 8 },
		     { "0-1023", 1024 },
		     { "4-2", -1 },
		     { "1,,2", -1 },
		     { "x", -1 },
		     { "0-99999999", -1 },
		     { "18446744073709551616", -1 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		unsigned n = 0;
		bool ok = parse_list(rows[i].text, 8191, collect, &n);

		assert_int_equal(ok, rows[i].n >= 0);
		assert_int_equal(n, rows[i].n >= 0 ? rows[i].n : 0);
	}
}

/* ---- families ---- */

/* Types come from sysfs, and the generic ones never name a PMU. */
static int
no_extended_type(struct fake *f, const struct perf_event_attr *attr, int cpu,
		 int leader)
{
	assert_true(attr->exclude_guest);
	assert_false(attr->inherit || attr->pinned || attr->exclude_idle);
	assert_int_equal(attr->disabled, leader < 0);
	if (attr->type == PERF_TYPE_HARDWARE ||
	    attr->type == PERF_TYPE_HW_CACHE)
		assert_int_equal(attr->config >> 32, 0);
	return 0;
}

UNIT(v40_intel_hybrid)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", no_extended_type);
	assert_non_null(fake_find(r.f, 3, 4, 0x3c));
	assert_non_null(fake_find(r.f, 18, 10, 0x3c));
	native_is(&r, "BRANCH_MISPRED_NONSPEC",
		  "cpu_core/event=0xc5/ cpu_atom/event=0xc5/");
	native_is(&r, "L1D_CACHE_MISS_LD_NONSPEC",
		  "cpu_core/event=0xd1,umask=0x08/ "
		  "cpu_atom/event=0xd1,umask=0x08/");
	native_is(&r, "L1I_CACHE_MISS_DEMAND",
		  "cpu_atom/event=0x80,umask=0x02/");
	native_is(&r, "L2_TLB_MISS_DATA",
		  "cpu_core/event=0x12,umask=0x0e/ "
		  "cpu_atom/event=0x08,umask=0x0e/");
	assert_true(rig_program(&r, "topdown"));
	/* Golden Cove's shares need the slots as leader of their group. */
	assert_int_equal(fake_leader(r.f, 0)->attr.config, 0x400);
	assert_non_null(fake_find(r.f, 0, 4, 0x8000));
	assert_int_equal(fake_leader(r.f, 16)->attr.config, 0x3c);
	assert_non_null(fake_find(r.f, 16, 10, 0xc2));
	rig_close(&r);
}

/* Intel's metric events count in a group that `slots` leads. */
static int
behind_slots(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	bool metric = attr->type == 4 && (attr->config & 0xff) == 0 &&
		      attr->config >= 0x8000;

	return metric && (leader < 0 ||
			  fake_at(f, leader)->attr.config != 0x400)
		       ? EINVAL
		       : 0;
}

UNIT(shares_of_slots_alone_have_their_leader)
{
	/* On a P core that ktop has no codes of, too. */
	static const char *const words[] = { NULL, "topdown-retiring",
					     "topdown-retiring" };

	for (int i = 0; i < 6; i++) {
		const char *word = words[i / 2];
		unsigned at[EVENTSET_MAX] = { 0 };
		struct rig r;

		rig_prepare(&r, i < 4 ? "alderlake-12900k" : "novalake-28");
		r.f->refuse = behind_slots;
		r.o.events = word;
		r.o.mux = i % 2;
		rig_open(&r);
		rig_events(&r, word != NULL ? word : "SLOT_USEFUL", at);
		assert_string_equal(r.s->info.notice, "");
		rig_second(&r, 0);
		fake_find(r.f, 0, 4, 0x400)->value += 1000;
		fake_find(r.f, 0, 4, 0x8000)->value += 400;
		uint64_t before = r.sample->cpu[0].slot[at[0]].count;

		rig_second(&r, 0);
		assert_int_equal(r.sample->cpu[0].slot[at[0]].count - before,
				 400);
		/* Without a metric event there is no leader to pay for. */
		rig_events(&r, "INST_BRANCH", at);
		assert_null(fake_find(r.f, 0, 4, 0x400));
		rig_close(&r);
	}
}

/*
 * What the vendors' formulas make of counts of 1000 cycles (intel/perfmon and
 * the kernel's pmu-events): useful, discarded, delivery, processing.
 */
enum { VECTOR_COUNTS = 8 };
static const struct vector {
	const char *machine;
	unsigned model, cpu; /* of Intel; 0: the machine's own */
	struct {
		uint64_t config;
		unsigned count;
	} counts[VECTOR_COUNTS];
	double share[4];
} vectors[] = {
	/* Golden Cove drops 2 % of the slots; Gracemont's 0x73 is not all. */
	{ "xeon-6430-2s-snc2",
	  0,
	  0,
	  { { 0x400, 6000 },
	    { 0x8000, 2400 },
	    { 0x8100, 600 },
	    { 0x8200, 1200 },
	    { 0x8300, 1800 },
	    { 0x10ad, 120 } },
	  { 40, 12, 18, 30 } },
	{ "alderlake-12900k",
	  0,
	  16,
	  { { 0xc2, 2000 }, { 0x73, 100 }, { 0x71, 1000 }, { 0x74, 1500 } },
	  { 40, 10, 20, 30 } },
	{ "alderlake-12900k",
	  0,
	  0,
	  { { 0x400, 6000 },
	    { 0x8000, 2400 },
	    { 0x8200, 1200 },
	    { 0x8300, 1800 } },
	  { 40, 10, 20, 30 } },
	{ "meteorlake-185h",
	  0,
	  0,
	  { { 0x400, 6000 },
	    { 0x8000, 2400 },
	    { 0x8100, 600 },
	    { 0x8200, 1200 },
	    { 0x8300, 1800 },
	    { 0x10ad, 120 } },
	  { 40, 12, 18, 30 } },
	{ "meteorlake-185h",
	  0,
	  20,
	  { { 0x72, 2400 }, { 0x73, 600 }, { 0x71, 1200 }, { 0x74, 1800 } },
	  { 40, 10, 20, 30 } },
	{ "lunarlake-258v",
	  0,
	  0,
	  { { 0x400, 8000 },
	    { 0x8000, 3200 },
	    { 0x8100, 800 },
	    { 0x8200, 1600 },
	    { 0x8300, 2400 },
	    { 0x10ad, 160 } },
	  { 40, 10, 20, 30 } },
	/* Ice Lake: 5 slots more of the back end for each of 10 clears. */
	{ "xeon-6430-2s-snc2",
	  0x6a,
	  0,
	  { { 0x400, 5000 },
	    { 0x8000, 2000 },
	    { 0x8200, 1000 },
	    { 0x8300, 1500 },
	    { 0x100d, 100 },
	    { 0x104010d, 10 } },
	  { 40, 11, 18, 31 } },
	/* Skylake without SMT: issued, retired, 50 cycles of recovery. */
	{ "sierraforest-288",
	  0x55,
	  0,
	  { { 0x10e, 2200 }, { 0x2c2, 2000 }, { 0x19c, 800 }, { 0x10d, 50 } },
	  { 50, 10, 20, 20 } },
};

static bool
vector_counts(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	const struct vector *v = f->arg;

	for (int i = 0; i < e->nmembers; i++) {
		struct fake_event *m = &f->event[e->member[i]];
		uint64_t seconds = (uint64_t)(f->now_ns / 1000000000);

		if (m->attr.config == 0x3c || m->attr.config == 0xc0)
			m->value = 1000 * 1000000 * seconds;
		for (int k = 0; k < VECTOR_COUNTS; k++)
			if (v->counts[k].config != 0 &&
			    m->attr.config == v->counts[k].config)
				m->value = v->counts[k].count * 1000000ull *
					   seconds;
	}
	return false;
}

static void
of_model(const struct rig *r, unsigned model)
{
	char text[160];

	snprintf(text, sizeof(text),
		 "processor\t: 0\nvendor_id\t: GenuineIntel\n"
		 "cpu family\t: 6\nmodel\t\t: %u\nmodel name\t: X\n\n",
		 model);
	rig_write(r, "/proc/cpuinfo", text);
}

static const char *const four_shares[] = { "retiring_pct", "bad_spec_pct",
					   "frontend_pct", "backend_pct" };

UNIT(intel_formulas_by_model)
{
	for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
		struct vector v = vectors[i];
		struct rig r;

		rig_prepare(&r, v.machine);
		if (v.model != 0)
			of_model(&r, v.model);
		r.f->arg = &v;
		r.f->on_read = vector_counts;
		rig_open(&r);
		assert_true(rig_program(&r, "topdown"));
		rig_second(&r, 0);
		rig_second(&r, 0);
		for (int k = 0; k < 4; k++)
			if (!near(rig_value(&r, v.cpu, four_shares[k]),
				  v.share[k]))
				fail_msg("%zu: %s of CPU %u is %g", i,
					 four_shares[k], v.cpu,
					 rig_value(&r, v.cpu, four_shares[k]));
		rig_close(&r);
	}
}

/* Four counters a thread are too few for Skylake's formula, which is said. */
UNIT(skylake_threads_have_no_topdown)
{
	struct rig r;

	rig_start(&r, "skylake-6148-2s", NULL);
	assert_true(rig_program(&r, "topdown"));
	assert_non_null(strstr(r.s->info.notice, "five counters"));
	assert_non_null(strstr(r.s->info.notice, "switch SMT off"));
	rig_second(&r, 1000000000);
	rig_second(&r, 1000000000);
	assert_int_equal(rig_state(&r, 0, "retiring_pct"), VALUE_UNSUPPORTED);
	assert_true(rig_program(&r, "branch"));
	assert_string_equal(r.s->info.notice, "");
	rig_close(&r);
}

/* Of 1000 cycles: what the vendors' formulas make of it (kernel pmu-events). */
static const struct arm_vector {
	uint32_t midr;
	unsigned slots;
	double front, back; /* % of slots */
	unsigned retired, spec, missed;
	double share[4]; /* useful, discarded, delivery, processing */
} arm_vectors[] = {
	/* N2 r0p3 and later, V2, AmpereOne, N2 r0p0 and Cobalt 100 with a slot
	   a cycle too many, V1; V3 and N3 with cycles that recover. */
	{ 0x410fd493, 5, 18, 30, 920, 1000, 4, { 47.84, 5.76, 17.6, 28.8 } },
	{ 0x411fd490, 5, 18, 30, 920, 1000, 4, { 47.84, 5.76, 17.6, 28.8 } },
	{ 0x410fd4f0, 8, 22, 30, 865, 1000, 12, { 41.52, 11.28, 20.8, 26.4 } },
	{ 0xc00fac34, 4, 20, 30, 1600, 1800, 9, { 40, 5, 25, 30 } },
	{ 0x410fd490, 5, 38, 30, 920, 1000, 4, { 47.84, 5.76, 17.6, 28.8 } },
	{ 0x410fd492, 5, 38, 30, 920, 1000, 4, { 47.84, 5.76, 17.6, 28.8 } },
	{ 0x6d0fd490, 5, 38, 30, 920, 1000, 4, { 47.84, 5.76, 17.6, 28.8 } },
	{ 0x411fd401, 8, 18, 30, 920, 1000, 4, { 47.84, 5.76, 16.4, 30 } },
	{ 0x410fd841, 10, 18, 30, 920, 1000, 16, { 47.84, 5.76, 16.4, 30 } },
	{ 0x410fd8e0, 5, 18, 30, 920, 1000, 16, { 47.84, 5.76, 16.4, 30 } },
};

static bool
arm_counts(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	const struct arm_vector *v = f->arg;
	const double slots = 1000.0 * v->slots / 100;
	const struct {
		uint64_t config;
		double count;
	} rows[] = {
		{ 0x11, 1000 },
		{ 0x3a, v->retired },
		{ 0x3b, v->spec },
		{ 0x3e, v->front * slots },
		{ 0x3d, v->back * slots },
		{ 0x10, v->missed },
		{ 0x8162, v->missed }, /* cycles */
		{ 0x08, 1000 },
	};

	for (int i = 0; i < e->nmembers; i++)
		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
			struct fake_event *m = &f->event[e->member[i]];

			if (m->attr.config == rows[k].config)
				m->value =
					(uint64_t)(rows[k].count * 1e6 + 0.5) *
					(uint64_t)(f->now_ns / 1000000000);
		}
	return false;
}

UNIT(arm_formulas_by_model_and_revision)
{
	for (size_t i = 0; i < sizeof(arm_vectors) / sizeof(*arm_vectors);
	     i++) {
		struct arm_vector v = arm_vectors[i];
		struct rig r;

		rig_prepare(&r, "dgx-gb10");
		for (int cpu = 0; cpu < 20; cpu++) {
			char path[96], text[32];

			snprintf(path, sizeof(path),
				 "/sys/devices/system/cpu/cpu%d/regs/"
				 "identification/midr_el1",
				 cpu);
			snprintf(text, sizeof(text), "%#x\n", v.midr);
			rig_write(&r, path, text);
		}
		for (int k = 0; k < 2; k++) {
			char path[64], text[16];

			snprintf(path, sizeof(path),
				 "/sys/devices/armv8_pmuv3_%d/caps/slots", k);
			snprintf(text, sizeof(text), "%#x\n", v.slots);
			rig_write(&r, path, text);
		}
		r.f->arg = &v;
		r.f->on_read = arm_counts;
		rig_open(&r);
		assert_true(rig_program(&r, "topdown"));
		for (int k = 0; k < 2; k++) {
			rig_second(&r, 0);
		}
		for (int k = 0; k < 4; k++)
			if (!(fabs(rig_value(&r, 0, four_shares[k]) -
				   v.share[k]) < 1e-6))
				fail_msg("%#x: %s is %g", v.midr,
					 four_shares[k],
					 rig_value(&r, 0, four_shares[k]));
		rig_close(&r);
	}
}

/* Zen 6: 2000 of 8000 slots retire, 2400 dispatched, 800 + 2000 empty, and
 * 2800 that the other thread had; with user's events SLOT_SMT is counted. */
static bool
zen6_counts(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	static const struct {
		uint64_t config, count;
	} rows[] = { { 0x76, 1000 },       { 0xc0, 1000 },
		     { 0xc1, 2000 },       { 0x7aa, 2400 },
		     { 0x1000001a0, 800 }, { 0x100001ea0, 2000 },
		     { 0x1000060a0, 2800 } };

	for (int i = 0; i < e->nmembers; i++)
		for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++) {
			struct fake_event *m = &f->event[e->member[i]];

			if (m->attr.config == rows[k].config)
				m->value = rows[k].count * 1000000 *
					   (uint64_t)(f->now_ns / 1000000000);
		}
	return false;
}

UNIT(zen6_and_smt)
{
	static const char *const words[] = { NULL, "SLOT_SMT SLOT_TOTAL" };
	static const double share[2][6] = { { 25, 5, 10, 25, 35, NAN },
					    { NAN, NAN, NAN, NAN, NAN, 35 } };
	static const char *const name[6] = {
		"retiring_pct", "bad_spec_pct",     "frontend_pct",
		"backend_pct",  "other_thread_pct", "smt_contention_pct"
	};

	for (int i = 0; i < 2; i++) {
		unsigned at[EVENTSET_MAX] = { 0 };
		struct rig r;

		rig_prepare(&r, "zen6-12");
		rig_write(&r, "/proc/sys/kernel/nmi_watchdog", "0\n");
		r.f->on_read = zen6_counts;
		rig_open(&r);
		if (words[i] == NULL)
			assert_true(rig_program(&r, "topdown"));
		else
			rig_events(&r, words[i], at);
		rig_second(&r, 0);
		rig_second(&r, 0);
		for (int k = 0; k < 6; k++) {
			double v = rig_value(&r, 0, name[k]);

			if (isnan(share[i][k]) ? !isnan(v)
					       : !near(v, share[i][k]))
				fail_msg("%s is %g", name[k], v);
		}
		rig_close(&r);
	}
}

UNIT(amd)
{
	struct rig r;

	rig_prepare(&r, "zen4-7950x");
	rig_write(&r, "/proc/sys/kernel/nmi_watchdog", "0\n");
	rig_open(&r);
	native_is(&r, "L1I_CACHE_MISS_DEMAND", "cpu/event=0x18e,umask=0x18/");
	native_is(&r, "L1D_FILL", "cpu/event=0x44,umask=0xff/");
	assert_true(lacks(&r, "L1D_CACHE_MISS_LD_NONSPEC"));
	assert_true(lacks(&r, "LLC_MISS")); /* the L3 is not the core's */
	assert_int_equal(rig_event(&r, "L1I_CACHE_MISS_DEMAND")->number,
			 0x188e);
	/* Four counters beside cycles and instructions, or three. */
	assert_int_equal(slots_of(&r, "branch"), 3);
	assert_true(r.s->info.topology->smt);
	assert_true(rig_program(&r, "basic"));
	/* Of the four, two for slots; those there are follow from the cycles.
	 */
	assert_int_equal(r.s->info.set->len, 4 + 1 + 3);
	assert_int_equal(r.s->info.topology->cpu[0].core,
			 r.s->info.topology->cpu[16].core);
	for (int cpu = 0; cpu < 32; cpu++) {
		fake_find(r.f, cpu, 4, 0x76)->value = 0;
		fake_find(r.f, cpu, 4, 0xc0)->value = 0;
	}
	rig_second(&r, 1000000000);
	fake_find(r.f, 16, 4, 0x76)->value += 1000000000;
	fake_find(r.f, 16, 4, 0xc0)->value += 3000000000;
	rig_second(&r, 1000000000);
	/* No event tells a core's cycles from its threads'. */
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	assert_int_equal(rig_state(&r, 0, "core_ipc"), VALUE_UNSUPPORTED);
	rig_close(&r);
}

/*
 * The watchdog may have one of six counters. Where it has, top-down does
 * without instructions, says so with the remedy, and has them back when it is
 * off.
 */
UNIT(zen_with_the_watchdog)
{
	static const double share[5] = { 25, 5, 10, 25, 35 };
	static const char *const name[5] = { "retiring_pct", "bad_spec_pct",
					     "frontend_pct", "backend_pct",
					     "other_thread_pct" };

	for (unsigned held = 0; held < 2; held++) {
		struct rig r;

		rig_prepare(&r, "zen6-12");
		rig_write(&r, "/proc/sys/kernel/nmi_watchdog", "1\n");
		r.f->counters = 6;
		r.f->pinned = held;
		r.f->on_read = zen6_counts;
		rig_open(&r);
		/* Others make do with what it leaves. */
		assert_int_equal(slots_of(&r, "l1d"), 3);
		assert_true(rig_program(&r, "branch"));
		assert_string_equal(r.s->info.notice, "");
		assert_true(rig_program(&r, "topdown"));
		for (int i = 0; i < 3; i++)
			rig_second(&r, 0);
		for (int k = 0; k < 5; k++)
			if (!near(rig_value(&r, 0, name[k]), share[k]))
				fail_msg("%s is %g", name[k],
					 rig_value(&r, 0, name[k]));
		assert_true(near(rig_value(&r, 0, "ghz"), 1) ||
			    isnan(rig_value(&r, 0, "ghz")));
		assert_int_equal(rig_state(&r, 0, "ipc"),
				 held ? VALUE_IN_USE : VALUE_OK);
		assert_int_equal(r.frame->span[0].n_idle, 0);
		assert_true(span_has_cycles(&r.frame->span[0]));
		assert_int_equal(span_has_fixed(&r.frame->span[0]), !held);
		if (held)
			assert_non_null(strstr(r.s->info.notice,
					       "INST_ALL (sysctl "
					       "kernel.nmi_watchdog=0)"));
		else
			assert_string_equal(r.s->info.notice, "");
		r.f->pinned = 0;
		for (int i = 0; i < 3; i++)
			rig_second(&r, 0);
		assert_true(near(rig_value(&r, 0, "ipc"), 1));
		assert_true(near(rig_value(&r, 0, "retiring_pct"), 25));
		assert_string_equal(r.s->info.notice, "");
		rig_close(&r);
	}
}

/* Apple's driver: exclude_guest, and the lowest free counter in group order. */
static int
apple_driver(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	static const uint8_t only_7[] = { 0x01, 0x96, 0x97, 0x9a, 0x9b, 0x9f };
	static const uint8_t only_5_7[] = { 0x8d, 0x8e, 0x8f, 0x90, 0x93,
					    0x94, 0x95, 0x98, 0x99, 0x9c,
					    0xbf, 0xc0, 0xc1, 0xc4, 0xc5,
					    0xc6, 0xc8, 0xca, 0xcb };
	uint32_t *taken = f->arg, mask = 0x3fc;

	if (!attr->exclude_guest)
		return EOPNOTSUPP;
	if (attr->type == PERF_TYPE_SOFTWARE)
		return 0;
	if (leader < 0)
		taken[cpu] = 0;
	for (size_t i = 0; i < sizeof(only_7); i++)
		if (attr->config == only_7[i])
			mask = 0x80;
	for (size_t i = 0; i < sizeof(only_5_7); i++)
		if (attr->config == only_5_7[i])
			mask = 0xe0;
	if (attr->config == 0x02)
		mask |= 1;
	if (attr->config == 0x8c)
		mask = 0x82;
	mask &= ~taken[cpu];
	if (mask == 0)
		return EINVAL;
	taken[cpu] |= mask & -mask;
	return 0;
}

UNIT(v34_apple)
{
	uint32_t taken[8] = { 0 };
	struct rig r;

	rig_prepare(&r, "asahi-m1");
	r.f->refuse = apple_driver;
	r.f->arg = taken;
	rig_open(&r);
	native_is(&r, "BRANCH_MISPRED_NONSPEC",
		  "apple_firestorm_pmu/event=0xcb/ "
		  "apple_icestorm_pmu/event=0xcb/");
	for (unsigned p = 0; p < preset_count; p++) {
		const char *name = preset_table[p].name;

		if (slots_of(&r, name) == 0)
			continue;
		assert_true(rig_program(&r, name));
		assert_string_equal(r.s->info.notice, ""); /* all placed */
	}
	/* The Mac's own eight, with the pair on its fixed counters. */
	assert_true(slots_of(&r, "stalls") >= 7);
	rig_close(&r);
}

UNIT(arm_only_what_is_listed)
{
	struct rig r;

	rig_start(&r, "rk3588", NULL);
	native_is(&r, "BRANCH_MISPRED_NONSPEC",
		  "armv8_cortex_a76/br_mis_pred_retired/ "
		  "armv8_cortex_a55/br_mis_pred_retired/");
	native_is(&r, "MAP_STALL",
		  "armv8_cortex_a76/stall_backend/ "
		  "armv8_cortex_a55/stall_backend/");
	assert_true(lacks(&r, "SLOT_DELIVERY")); /* caps/slots is 0 */
	rig_close(&r);

	rig_start(&r, "dgx-gb10", NULL);
	assert_non_null(rig_event(&r, "SLOT_DELIVERY"));
	assert_true(slots_of(&r, "topdown") >= 5);
	rig_close(&r);

	/* Cycles and instructions is all that QEMU's PMU lists (45). */
	rig_start(&r, "qemu-virt-biglittle", NULL);
	assert_true(lacks(&r, "L1D_FILL"));
	assert_int_equal(slots_of(&r, "branch"), 0);
	assert_false(rig_program(&r, "l1d"));
	assert_non_null(strstr(r.e.text, "l1d"));
	rig_close(&r);
}

UNIT(v46_uncore_is_not_ours)
{
	for (size_t i = 0; i < MACHINES; i++) {
		struct rig r;

		rig_start(&r, machines[i], NULL);
		for (unsigned k = 0; k < r.s->info.topology->nkinds; k++) {
			const char *pmu = r.s->info.topology->kind[k].pmu;

			assert_null(strstr(pmu, "uncore"));
			assert_null(strstr(pmu, "cmn"));
			assert_string_not_equal(pmu, "power");
			assert_string_not_equal(pmu, "amd_l3");
		}
		rig_close(&r);
	}
}

/* Every preset that can be derived is placed on every kind of every machine. */
UNIT(sets_fit_everywhere)
{
	bool possible[METRIC_MAX] = { false };

	for (size_t i = 0; i < MACHINES; i++) {
		struct rig r;

		rig_prepare(&r, machines[i]);
		if (strcmp(machines[i], "zen4-7950x") == 0)
			rig_write(&r, "/proc/sys/kernel/nmi_watchdog", "0\n");
		rig_open(&r);
		const struct catalog *c = r.s->info.catalog;

		for (unsigned k = 1; k < c->len; k++)
			assert_true(strcmp(c->event[k - 1].name,
					   c->event[k].name) < 0);
		for (unsigned k = 0; k < c->len; k++)
			assert_non_null(c->event[k].text);
		for (unsigned m = 0; m < metric_count; m++)
			possible[m] =
				possible[m] ||
				metric_possible(&metric_table[m], c, NULL);
		for (unsigned p = 0; p < preset_count; p++)
			if (slots_of(&r, preset_table[p].name) > 0)
				assert_true(
					rig_program(&r, preset_table[p].name));
		rig_close(&r);
	}
	for (unsigned m = 0; m < metric_count; m++)
		if (metric_table[m].optional && !possible[m])
			fail_msg("%s is possible nowhere",
				 metric_table[m].name);
}
