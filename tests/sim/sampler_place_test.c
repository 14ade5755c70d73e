/*
 * libkperf-sampler: names, databases and placement on all twelve databases of
 * Apple silicon, in both layouts; placement against exhaustive search.
 */
#include "pmu/pmu.h"
#include "sim/kpep.h"
#include "sim/sampler_mac.h"

#include <stdlib.h>

static const struct {
	const char *db;
	enum kps_chip chip;
} all[] = {
	{ "a14", KPS_CHIP_M1 },   { "a15", KPS_CHIP_M2 },
	{ "a16", KPS_CHIP_M3 },   { "as1", KPS_CHIP_M3 },
	{ "as2", KPS_CHIP_M3 },   { "as3", KPS_CHIP_M3 },
	{ "as4", KPS_CHIP_M4 },   { "as4-1", KPS_CHIP_M4 },
	{ "as4-2", KPS_CHIP_M4 }, { "as5", KPS_CHIP_M5 },
	{ "as5-1", KPS_CHIP_M5 }, { "as5-2", KPS_CHIP_M5 },
};

static uint64_t seed = 7;

static unsigned
draw(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % below);
}

static struct kps_database *
open_db(const char *name)
{
	struct kps_error e;
	struct kps_database *d = kps_database_new(sim_kperfdata(), name, &e);

	if (d == NULL)
		fail_msg("%s: %s", name, e.text);
	return d;
}

static void
same_or_both_null(const char *a, const char *b)
{
	if (a == NULL || b == NULL)
		assert_true(a == b);
	else
		assert_string_equal(a, b);
}

static void
check_database(const char *name, enum kps_chip chip, unsigned layout)
{
	struct kps_database *d = open_db(name);
	const struct pmu *p = pmu_by_db(name);
	unsigned n = 0;

	assert_string_equal(kps_database_name(d), name);
	assert_string_equal(kps_database_marketing_name(d), p->marketing);
	assert_true(strncmp(kps_database_cpu_id(d), "cpu_100000c_", 12) == 0);
	assert_int_equal(kps_chip_of(kps_database_name(d)), chip);
	assert_int_equal(kps_database_architecture(d), KPEP_ARCH_ARM64);
	assert_int_equal(kps_database_event_layout(d), layout);
	assert_int_equal(kps_database_counters(d, KPC_CLASS_FIXED), 2);
	assert_int_equal(kps_database_counters(d, KPC_CLASS_CONFIGURABLE), 8);
	assert_int_equal(kps_database_counters(d, KPC_CLASS_POWER), 3);
	assert_int_equal(kps_database_counter_bits(d, KPC_CLASS_FIXED), 0x3);
	assert_int_equal(kps_database_counter_bits(d, KPC_CLASS_CONFIGURABLE),
			 0x3fc);
	assert_int_equal(kps_database_counter_bits(d, KPC_CLASS_POWER), 0xe0);
	assert_int_equal(kps_database_counters(d, KPC_CLASS_RAWPMU), 0);
	for (const struct kps_event *e; (e = kps_database_event(d, n)) != NULL;
	     n++) {
		const struct pmu_event *q = pmu_event_find(p, e->name);

		assert_non_null(q);
		assert_string_equal(e->name, q->name);
		assert_int_equal(e->counters, q->counters);
		assert_int_equal(e->fixed, q->fixed >= 0);
		if (e->fixed)
			assert_int_equal(e->number, -1);
		else
			assert_int_equal(e->number, layout == 48
							    ? q->number & 0xff
							    : q->number);
		same_or_both_null(e->alias, q->alias);
		same_or_both_null(e->fallback, q->fallback);
		same_or_both_null(e->description, q->text);
		assert_null(e->errata);
		assert_ptr_equal(kps_database_find(d, e->name), e);
		if (n > 0)
			assert_true(strcmp(kps_database_event(d, n - 1)->name,
					   e->name) < 0);
	}
	assert_int_equal(n, p->nevents);
	assert_string_equal(kps_database_fixed_event(d, 0)->name,
			    "FIXED_CYCLES");
	assert_string_equal(kps_database_fixed_event(d, 1)->name,
			    "FIXED_INSTRUCTIONS");
	assert_null(kps_database_fixed_event(d, 2));
	assert_string_equal(kps_database_find(d, "Cycles")->name,
			    "FIXED_CYCLES");
	assert_null(kps_database_find(d, "NO_SUCH_EVENT"));
	assert_null(kps_database_find(d, NULL));
	kps_database_free(d);
}

UNIT(twelve_databases_in_two_layouts)
{
	for (unsigned i = 0; i < LEN(all); i++) {
		sim_kpep_set_machine("a14", SIM_KPEP_56, true);
		check_database(all[i].db, all[i].chip, 56);
		sim_kpep_set_machine("a14", SIM_KPEP_48, true);
		check_database(all[i].db, all[i].chip, 48);
	}
	sim_kpep_set_machine("a14", SIM_KPEP_56, true);
}

UNIT(every_name_is_an_event_where_it_says_so)
{
	unsigned names = 0, on[KPS_CHIP_M5 + 1] = { 0 };

	for (unsigned i = 0; i < LEN(all); i++) {
		struct kps_database *d = open_db(all[i].db);

		names = 0;
		for (const char *s; (s = kps_name_at(names)) != NULL; names++) {
			const char *event = kps_name_on(s, all[i].chip);
			const struct kps_event *e = kps_database_find(d, s);

			if (event == NULL) {
				assert_null(e);
				continue;
			}
			/* a16 and as1 differ in none of the named events */
			assert_non_null(e);
			assert_string_equal(e->name, event);
			assert_string_equal(e->agnostic, s);
			assert_int_equal(e->unit, kps_name_unit(s));
			on[all[i].chip]++;
			if (names > 0)
				assert_true(strcmp(kps_name_at(names - 1), s) <
					    0);
		}
		kps_database_free(d);
	}
	assert_int_equal(names, 136);
	assert_int_equal(on[KPS_CHIP_M1], 60);
	assert_null(kps_name_on("InstAll", KPS_CHIP_UNKNOWN));
	assert_null(kps_name_on("NoSuch", KPS_CHIP_M1));
	assert_null(kps_name_on(NULL, KPS_CHIP_M1));
	assert_null(kps_name_on("ArmStall", KPS_CHIP_M3));
	/* The one that was renamed, and the one that the M2 does not have. */
	assert_string_equal(kps_name_on("ScheduleUop", KPS_CHIP_M1),
			    "SCHEDULE_UOP");
	assert_null(kps_name_on("ScheduleUop", KPS_CHIP_M2));
	assert_string_equal(kps_name_on("ScheduleUop", KPS_CHIP_M4),
			    "SCHEDULE_UOP_ANY");
	assert_int_equal(kps_name_unit("BranchMispredNonspec"),
			 KPS_UNIT_BRANCH_MISSES);
	assert_int_equal(kps_name_unit("L1DTlbMiss"), KPS_UNIT_TLB_MISSES);
}

static bool
search(const struct kps_event *const *e, unsigned n, uint32_t taken)
{
	if (n == 0)
		return true;
	for (unsigned c = 0; c < 10; c++)
		if ((e[0]->counters & ~taken) >> c & 1 &&
		    search(e + 1, n - 1, taken | 1u << c))
			return true;
	return false;
}

static bool
check_set(const struct kps_database *d, const struct kps_event *const *set,
	  unsigned n)
{
	const char *names[KPS_EVENTS_MAX] = { NULL };
	unsigned counter[KPS_EVENTS_MAX];
	struct kps_error e;
	uint32_t taken = 0;

	for (unsigned i = 0; i < n; i++)
		names[i] = set[i]->name;
	bool ok = kps_place(d, names, n, counter, &e);
	assert_int_equal(ok, search(set, n, 0));
	if (!ok) {
		unsigned named = 0;

		assert_int_equal(e.code, KPS_CONFLICT);
		for (unsigned i = 0; i < n; i++)
			named += strstr(e.text, names[i]) != NULL;
		assert_true(named >= 2);
		assert_non_null(strstr(e.text, "need counter"));
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		assert_true(set[i]->counters >> counter[i] & 1);
		assert_false(taken >> counter[i] & 1);
		taken |= 1u << counter[i];
	}
	return true;
}

/* Draws from the events with few counters more often. */
static bool
check_random(const struct kps_database *d, unsigned len)
{
	const struct kps_event *set[10];
	unsigned n = 1 + draw(10);

	for (unsigned i = 0; i < n;) {
		const struct kps_event *e = kps_database_event(d, draw(len));
		bool again = e->counters == 0x3fc && draw(3) != 0;

		for (unsigned j = 0; j < i; j++)
			again |= set[j] == e;
		if (!again)
			set[i++] = e;
	}
	return check_set(d, set, n);
}

UNIT(placement_finds_what_there_is)
{
	unsigned tries = getenv("KTOP_LONG") != NULL ? 1500 : 400;

	for (unsigned i = 0; i < LEN(all); i++) {
		struct kps_database *d = open_db(all[i].db);
		unsigned len = 0, yes = 0;

		while (kps_database_event(d, len) != NULL)
			len++;
		for (unsigned n = 0; n < tries; n++)
			yes += check_random(d, len);
		assert_true(yes > tries / 15 && yes < tries - tries / 15);
		kps_database_free(d);
	}
}

/* What kps_place finds, the frameworks program: words where they belong. */
UNIT(the_framework_agrees)
{
	unsigned len = 0, made = 0;

	boot("m4,clock=step");
	struct kps_sampler *s = sampler_new();
	const struct kps_database *d = kps_sampler_database(s);
	while (kps_database_event(d, len) != NULL)
		len++;
	for (int n = 0; n < 300; n++) {
		const char *names[6];
		unsigned counter[6];
		uint64_t words[KPC_MAX_COUNTERS];
		struct kps_thread *t;

		for (unsigned i = 0; i < 6;) {
			const struct kps_event *e =
				kps_database_event(d, draw(len));
			bool again = false;

			for (unsigned j = 0; j < i; j++)
				again |= names[j] == e->name;
			if (!again)
				names[i++] = e->name;
		}
		if (!kps_place(d, names, 6, counter, NULL)) {
			assert_null(kps_thread_new(s, names, 6, NULL));
			continue;
		}
		made++;
		t = thread_new(s, names, 6);
		if (!kps_thread_start(t, NULL)) { /* not on the allow-list */
			kps_thread_free(t);
			continue;
		}
		OK(sim_kperf()->kpc_get_config(2, words));
		for (unsigned i = 0; i < 6; i++)
			if (counter[i] >= 2)
				assert_int_equal(
					words[counter[i] - 2] & 0xffff,
					kps_database_find(d, names[i])->number);
		kps_thread_free(t);
	}
	assert_true(made > 50);
	kps_sampler_free(s);
	sim_stop();
}

UNIT(what_competes_is_named)
{
	static const char *const names[] = { "INST_ALL", "MAP_STALL",
					     "INST_LDST", "Cycles" };
	static const char *const five[] = { "INST_BRANCH", "INST_BRANCH_CALL",
					    "INST_BRANCH_RET",
					    "INST_BRANCH_TAKEN" };
	static const char *const twice[] = { "Cycles", "FixedCycles" };
	static const char *const stalls[] = { "MAP_STALL", "MAP_STALL" };
	unsigned counter[2] = { 0, 0 };
	struct kps_database *d = open_db("a14");
	struct kps_error e;

	assert_false(kps_place(d, names, 4, NULL, &e));
	assert_string_equal(
		e.text, "INST_ALL and INST_LDST both need counter 7; omit one");
	assert_false(kps_place(d, five, 4, NULL, &e));
	assert_string_equal(
		e.text, "INST_BRANCH, INST_BRANCH_CALL, INST_BRANCH_RET and "
			"INST_BRANCH_TAKEN all need counters 5,6,7; omit one");
	assert_false(kps_place(d, twice, 2, NULL, &e));
	assert_int_equal(e.code, KPS_CONFLICT);
	assert_non_null(strstr(e.text, "requested twice"));
	assert_true(kps_place(d, stalls, 2, counter, &e));
	assert_int_not_equal(counter[0], counter[1]);
	assert_false(kps_place(d, names, 0, NULL, &e));
	assert_int_equal(e.code, KPS_USAGE);
	kps_database_free(d);
}

/* ---- a database that knows an event by several names ---- */

static const char *const more[] = { "Instructions", "Retired", "Cycles",
				    "Retirements", "NoSuchEvent" };

static int
more_aliases_count(struct kpep_db *db, size_t *n)
{
	(void)db;
	*n = LEN(more);
	return 0;
}

static int
more_aliases(struct kpep_db *db, const char **buf, size_t size)
{
	(void)db;
	assert_true(size >= sizeof more);
	memcpy(buf, more, sizeof more);
	return 0;
}

static int
more_event(struct kpep_db *db, const char *name, struct kpep_event **event)
{
	if (strncmp(name, "Retire", strlen("Retire")) == 0)
		name = "Instructions";
	return sim_kperfdata()->kpep_db_event(db, name, event);
}

UNIT(an_event_with_several_aliases)
{
	static const char *const want[] = { "Instructions", "Retired",
					    "Retirements" };
	struct kperfdata_api api = *sim_kperfdata();
	struct kps_error e;

	api.kpep_db_aliases_count = more_aliases_count;
	api.kpep_db_aliases = more_aliases;
	api.kpep_db_event = more_event;
	struct kps_database *d = kps_database_new(&api, "as4", &e);

	assert_non_null(d);
	const struct kps_event *v = kps_database_find(d, "FIXED_INSTRUCTIONS");

	assert_non_null(v);
	for (unsigned i = 0; i < LEN(want); i++) {
		assert_string_equal(kps_event_alias(d, v, i), want[i]);
		assert_ptr_equal(kps_database_find(d, want[i]), v);
	}
	assert_null(kps_event_alias(d, v, LEN(want)));
	assert_null(kps_event_alias(d, kps_database_find(d, "INST_ALL"), 0));
	assert_null(kps_database_find(d, "NoSuchEvent"));
	kps_database_free(d);
}
