/* The simulated kperfdata: placing events, words and map. */
#include "sim/kpep.h"

#include "base/bits.h"
#include "pmu/pmu.h"
#include "sim/kpep_fixture.h"

UNIT_IN(test_empty_config, setup, NULL)
{
	struct fixture f = open_db("a14", true);
	uint32_t classes = 99;
	size_t n = 99;

	OK(k->kpep_config_events_count(f.config, &n));
	assert_int_equal(n, 0);
	OK(k->kpep_config_kpc_classes(f.config, &classes));
	assert_int_equal(classes, 0);
	OK(k->kpep_config_kpc_count(f.config, &n));
	assert_int_equal(n, 0);
	/* Force a second time. */
	assert_int_equal(k->kpep_config_force_counters(f.config),
			 KPEP_INVALID_ARGUMENT);
	close_db(&f);
}

UNIT_IN(test_unforced, setup, NULL)
{
	struct fixture f = open_db("a14", false);
	uint64_t word[8];
	size_t n, map[5];
	uint32_t err = 0;

	assert_int_equal(add(&f, "FIXED_CYCLES", NULL), KPEP_FORCE_NEEDED);
	assert_int_equal(add(&f, "INST_ALL", NULL), KPEP_FORCE_NEEDED);
	assert_int_equal(add(&f, "INST_BRANCH", NULL), KPEP_FORCE_NEEDED);
	/* Counters 2, 3, 4, 8, 9 are left. */
	OK(add(&f, "CORE_ACTIVE_CYCLE", NULL));
	OK(add(&f, "MAP_STALL", NULL));
	OK(add(&f, "MAP_REWIND", NULL));
	OK(add(&f, "FETCH_RESTART", NULL));
	OK(add(&f, "L1D_TLB_FILL", NULL));
	assert_int_equal(add(&f, "L1I_TLB_FILL", &err), KPEP_CONFLICT);
	assert_int_equal(err, 0x1f);
	OK(k->kpep_config_kpc_count(f.config, &n));
	assert_int_equal(n, 5);
	OK(k->kpep_config_kpc(f.config, word, 5 * sizeof(*word)));
	assert_int_equal(word[0], 0x02);
	assert_int_equal(word[3], 0xde);
	assert_int_equal(word[4], 0x05);
	/* A row of such a read has five counters. */
	OK(k->kpep_config_kpc_map(f.config, map, sizeof(map)));
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(map[i], i);
	close_db(&f);
	/* On an M4 INST_ALL can also sit on 2 to 4. */
	f = open_db("as4", false);
	OK(add(&f, "INST_ALL", NULL));
	assert_int_equal(add(&f, "INST_LDST", NULL), KPEP_FORCE_NEEDED);
	close_db(&f);
}

UNIT_IN(test_fixed_events, setup, NULL)
{
	struct fixture f = open_db("a14", true);
	uint32_t classes, err = 0;
	size_t n, map[3];

	OK(add(&f, "FIXED_INSTRUCTIONS", NULL));
	assert_int_equal(add(&f, "Instructions", &err), KPEP_CONFLICT);
	assert_int_equal(err, 1);
	OK(add(&f, "Cycles", NULL));
	OK(k->kpep_config_kpc_classes(f.config, &classes));
	assert_int_equal(classes, KPC_CLASS_FIXED_MASK);
	OK(k->kpep_config_kpc_count(f.config, &n));
	assert_int_equal(n, 0);
	OK(k->kpep_config_kpc_map(f.config, map, 2 * sizeof(n)));
	assert_int_equal(map[0], 1);
	assert_int_equal(map[1], 0);
	/* With the fixed class the map is the absolute counter. */
	OK(add(&f, "INST_ALL", NULL));
	OK(k->kpep_config_kpc_classes(f.config, &classes));
	assert_int_equal(classes, 3);
	OK(k->kpep_config_kpc_map(f.config, map, sizeof(map)));
	assert_int_equal(map[2], 7);
	assert_int_equal(k->kpep_config_kpc_map(f.config, map, sizeof(map) - 1),
			 KPEP_BUFFER_TOO_SMALL);
	/* A class goes with its last event. */
	OK(k->kpep_config_remove_event(f.config, 0));
	OK(k->kpep_config_remove_event(f.config, 0));
	OK(k->kpep_config_kpc_classes(f.config, &classes));
	assert_int_equal(classes, KPC_CLASS_CONFIGURABLE_MASK);
	close_db(&f);
}

UNIT_IN(test_greedy_and_its_conflicts, setup, NULL)
{
	struct fixture f = open_db("a14", true);
	struct kpep_event *event[8];
	uint32_t err = 0xdead;
	size_t n, map[6];

	/* Free ones take 2 3 4 and then 5, 6, 7 from those who need them. */
	OK(add(&f, "CORE_ACTIVE_CYCLE", &err));
	OK(add(&f, "MAP_STALL", &err));
	OK(add(&f, "MAP_REWIND", &err));
	OK(add(&f, "INST_BRANCH", &err));   /* 5 */
	OK(add(&f, "FETCH_RESTART", &err)); /* 6 */
	OK(add(&f, "MAP_STALL", &err));     /* twice: 7 */
	assert_int_equal(add(&f, "INST_ALL", &err), KPEP_CONFLICT);
	assert_int_equal(err, 1u << 5);
	assert_int_equal(add(&f, "BRANCH_MISPRED_NONSPEC", &err),
			 KPEP_CONFLICT);
	assert_int_equal(err, 1u << 3 | 1u << 4 | 1u << 5);
	assert_int_equal(add(&f, "INST_ALL", NULL), KPEP_CONFLICT);
	/* A failure has changed nothing. */
	OK(k->kpep_config_events_count(f.config, &n));
	assert_int_equal(n, 6);
	/* Taking out what sat on 7 makes room; later ones move up. */
	assert_int_equal(k->kpep_config_remove_event(f.config, 6),
			 KPEP_EVENT_NOT_FOUND);
	OK(k->kpep_config_remove_event(f.config, 5));
	OK(k->kpep_config_remove_event(f.config, 0));
	OK(add(&f, "INST_ALL", NULL));
	OK(add(&f, "L1I_TLB_FILL", NULL));
	OK(k->kpep_config_events(f.config, event, sizeof(event)));
	assert_ptr_equal(event[0], find(f.db, "MAP_STALL"));
	assert_ptr_equal(event[4], find(f.db, "INST_ALL"));
	assert_int_equal(k->kpep_config_events(f.config, event, 40),
			 KPEP_BUFFER_TOO_SMALL);
	/* Without the fixed class it counts from counter 2. */
	OK(k->kpep_config_kpc_map(f.config, map, sizeof(map)));
	assert_int_equal(map[0], 3 - 2);
	assert_int_equal(map[4], 7 - 2);
	assert_int_equal(map[5], 2 - 2); /* the place that came free */
	close_db(&f);
}

UNIT_IN(test_words, setup, NULL)
{
	struct fixture f = open_db("as4", true);
	uint64_t word[8],
		want[8] = { 0x08, 0x11 | 0x20000, 0, 0, 0, 0x89b, 0, 0 };
	struct kpep_event *event = find(f.db, "CORE_ACTIVE_CYCLE");
	size_t n;

	OK(add(&f, "INST_LDST", NULL)); /* 7 alone */
	OK(add(&f, "INST_ALL", NULL));  /* 2 */
	OK(k->kpep_config_add_event(f.config, &event, 1,
				    NULL)); /* 3, user only */
	OK(add(&f, "FIXED_CYCLES", NULL));
	OK(k->kpep_config_kpc_count(f.config, &n));
	assert_int_equal(n, 8);
	assert_int_equal(k->kpep_config_kpc(f.config, word, sizeof(word) - 1),
			 KPEP_BUFFER_TOO_SMALL);
	OK(k->kpep_config_kpc(f.config, word, sizeof(word)));
	assert_memory_equal(word, want, sizeof(want));
	close_db(&f);
}

/* The set of the overview on every chip: where each event must end up. */
UNIT_IN(test_overview_on_every_chip, setup, NULL)
{
	static const char *const old[] = { "CORE_ACTIVE_CYCLE",
					   "L1I_CACHE_MISS_DEMAND",
					   "L2_TLB_MISS_DATA",
					   "BRANCH_MISPRED_NONSPEC",
					   "L1D_CACHE_MISS_LD_NONSPEC",
					   "INST_ALL",
					   "MAP_STALL",
					   "MAP_DISPATCH_BUBBLE" };
	static const char *const new[] = { "INST_ALL",
					   "BRANCH_MISPRED_NONSPEC",
					   "L1D_CACHE_MISS_LD_NONSPEC",
					   "CORE_ACTIVE_CYCLE",
					   "L1I_CACHE_MISS_DEMAND",
					   "L2_TLB_MISS_DATA",
					   "MAP_STALL",
					   "MAP_DISPATCH_BUBBLE" };

	for (size_t i = 0; i < NAPPLE; i++) {
		struct fixture f = open_db(apple[i], true);
		const char *const *want = i < 6 ? old : new;
		uint64_t word[8];

		OK(add(&f, "INST_ALL", NULL));
		OK(add(&f, "BRANCH_MISPRED_NONSPEC", NULL));
		OK(add(&f, "L1D_CACHE_MISS_LD_NONSPEC", NULL));
		OK(add(&f, "CORE_ACTIVE_CYCLE", NULL));
		OK(add(&f, "L1I_CACHE_MISS_DEMAND", NULL));
		OK(add(&f, "L2_TLB_MISS_DATA", NULL));
		OK(add(&f, "MAP_STALL", NULL));
		OK(add(&f, "MAP_DISPATCH_BUBBLE", NULL));
		OK(k->kpep_config_kpc(f.config, word, sizeof(word)));
		for (size_t c = 0; c < 8; c++)
			assert_int_equal(
				word[c],
				pmu_event_find(pmu_by_db(apple[i]), want[c])
					->number);
		close_db(&f);
	}
}

UNIT_IN(test_intel_exchanges_fixed_events, setup, NULL)
{
	struct fixture f = open_db("skylake", true);
	struct kpep_event *event = find(f.db, "Instructions");
	uint32_t classes;
	uint64_t word[4];
	size_t n;

	assert_int_equal(f.db->architecture, KPEP_ARCH_X86_64);
	OK(k->kpep_config_add_event(f.config, &event, 0, NULL));
	assert_ptr_equal(event, find(f.db, "INST_RETIRED.ANY_P"));
	/* No stand-in. */
	event = find(f.db, "CPU_CLK_UNHALTED.REF_TSC");
	assert_int_equal(k->kpep_config_add_event(f.config, &event, 0, NULL),
			 KPEP_EVENT_UNAVAILABLE);
	assert_ptr_equal(event, find(f.db, "CPU_CLK_UNHALTED.REF_TSC"));
	event = find(f.db, "BR_INST_RETIRED.ALL_BRANCHES");
	OK(k->kpep_config_add_event(f.config, &event, 1, NULL));
	OK(k->kpep_config_kpc_classes(f.config, &classes));
	assert_int_equal(classes, KPC_CLASS_CONFIGURABLE_MASK);
	OK(k->kpep_config_kpc_count(f.config, &n));
	assert_int_equal(n, 4);
	OK(k->kpep_config_kpc(f.config, word, sizeof(word)));
	/* Enabled, kernel and user; then user only. */
	assert_int_equal(word[0], 0x4300c0);
	assert_int_equal(word[1], 0x4100c4);
	assert_int_equal(word[2], 0);
	event = find(f.db, "BR_INST_RETIRED.NEAR_TAKEN");
	OK(k->kpep_config_add_event(f.config, &event, 0, NULL));
	OK(k->kpep_config_kpc(f.config, word, sizeof(word)));
	assert_int_equal(word[2], 0x4320c4);
	close_db(&f);
}

/* Can the masks be dealt to distinct counters at all? Every way is tried. */
static bool
can_place(const uint32_t *mask, size_t n, uint32_t taken)
{
	if (n == 0)
		return true;
	for (uint32_t m = mask[0] & ~taken; m != 0; m &= m - 1) {
		if (can_place(mask + 1, n - 1, taken | (m & (~m + 1))))
			return true;
	}
	return false;
}

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 8;
}

/* Draws n different configurable events and their masks. */
static void
draw(const struct pmu *p, uint32_t *seed, const struct pmu_event **set,
     size_t n)
{
	for (size_t i = 0; i < n;) {
		bool again = false;

		set[i] = &p->events[next_random(seed) % p->nevents];
		for (size_t j = 0; j < i; j++)
			again |= set[j] == set[i];
		if (!again && set[i]->fixed < 0)
			i++;
	}
}

/* Most constrained first; ties stay as they are. */
static void
sort_by_counters(const struct pmu_event **set, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const struct pmu_event *e = set[i];
		size_t j = i;

		for (; j > 0 && bits_count(set[j - 1]->counters) >
					bits_count(e->counters);
		     j--)
			set[j] = set[j - 1];
		set[j] = e;
	}
}

static bool
add_all(struct fixture *f, const struct pmu_event *const *set, size_t n)
{
	struct kpep_config *fresh;
	bool fits = true;

	k->kpep_config_free(f->config);
	OK(k->kpep_config_create(f->db, &fresh));
	f->config = fresh;
	OK(k->kpep_config_force_counters(fresh));
	for (size_t i = 0; i < n && fits; i++)
		fits = add(f, set[i]->name, NULL) == KPEP_OK;
	return fits;
}

UNIT_IN(test_fewest_counters_first_is_best, setup, NULL)
{
	unsigned nfit = 0, nunfit = 0, nworse = 0;
	uint32_t seed = 1;

	for (size_t d = 0; d < NAPPLE; d++) {
		const struct pmu *p = pmu_by_db(apple[d]);
		struct fixture f = open_db(apple[d], false);

		for (int round = 0; round < 300; round++) {
			const struct pmu_event *set[9];
			uint32_t mask[9];
			size_t n = 1 + next_random(&seed) % 9;
			bool possible, as_drawn, sorted;

			draw(p, &seed, set, n);
			as_drawn = add_all(&f, set, n);
			sort_by_counters(set, n);
			sorted = add_all(&f, set, n);
			for (size_t i = 0; i < n; i++)
				mask[i] = set[i]->counters;
			possible = can_place(mask, n, 0);
			assert_int_equal(sorted, possible);
			assert_true(sorted || !as_drawn);
			nfit += possible;
			nunfit += !possible;
			nworse += sorted && !as_drawn;
		}
		close_db(&f);
	}
	/* The draw was worth something. */
	assert_true(nfit > 500 && nunfit > 500 && nworse > 100);
}
