/* Placement against an exhaustive search, and what failure says. */
#include "model/metric.h"

#include "model/events_tsv.h"

#include <cmocka.h>

/* Does any assignment exist? Backtracking over every counter. */
static bool
possible(const struct catalog *c, const struct event *const *event, unsigned n,
	 uint32_t taken)
{
	if (n == 0)
		return true;
	for (unsigned bit = 0; bit < 32; bit++) {
		uint32_t b = 1u << bit;

		if ((event[0]->counters & c->config_counters & ~taken & b) &&
		    possible(c, event + 1, n - 1, taken | b))
			return true;
	}
	return false;
}

static void
check_placement(const struct catalog *c, const struct eventset *set, unsigned n)
{
	uint32_t taken = 0;

	assert_int_equal(set->len, n);
	for (unsigned i = 0; i < set->len; i++) {
		uint32_t bit = 1u << set->slot[i].counter;

		assert_int_equal(taken & bit, 0);
		taken |= bit;
		assert_int_not_equal(set->slot[i].event->counters &
					     c->config_counters & bit,
				     0);
		if (i > 0)
			assert_true(set->slot[i - 1].counter <
				    set->slot[i].counter);
	}
}

static uint32_t
next_random(uint32_t *seed)
{
	*seed = *seed * 1664525 + 1013904223;
	return *seed >> 8;
}

UNIT(test_as_good_as_searching)
{
	uint32_t seed = 7;
	unsigned fits = 0, fails = 0;
	unsigned rounds = getenv("KTOP_LONG") != NULL ? 1500 : 100;

	for (unsigned d = 0; d < TSV_DBS; d++) {
		struct tsv_catalog *t = tsv_load(tsv_db[d], TSV_ANY);
		const struct event *pick[EVENTSET_MAX];

		for (unsigned round = 0; round < rounds; round++) {
			unsigned n = 0, want = 1 + next_random(&seed) % 9;

			while (n < want) {
				const struct event *e =
					&t->event[next_random(&seed) %
						  t->catalog.len];
				bool twice = e->fixed;

				for (unsigned i = 0; i < n; i++)
					twice = twice || pick[i] == e;
				if (!twice)
					pick[n++] = e;
			}
			struct eventset set = { .len = 0 };
			struct err e;
			bool want_fit = possible(&t->catalog, pick, n, 0);

			assert_int_equal(
				slots_place(&t->catalog, pick, n, &set, &e),
				want_fit);
			assert_int_equal(slots_fit(&t->catalog, pick, n),
					 want_fit);
			if (want_fit)
				check_placement(&t->catalog, &set, n);
			fits += want_fit;
			fails += !want_fit;
		}
		free(t);
	}
	assert_true(fits > rounds && fails > rounds);
}

UNIT(test_sentences)
{
	struct tsv_catalog *t = tsv_load("a14", TSV_ANY);
	const struct catalog *c = &t->catalog;
	const struct event *pick[] = { catalog_find(c, "RETIRE_UOP"),
				       catalog_find(c, "INST_ALL"),
				       catalog_find(c, "INST_BRANCH"),
				       catalog_find(c, "INST_BARRIER") };
	struct eventset set = { .len = 0 };
	struct err e;

	assert_false(slots_place(c, pick, 2, &set, &e));
	assert_string_equal(e.text, "RETIRE_UOP and INST_ALL both need counter "
				    "7; remove an event or use a "
				    "preset");
	pick[0] = catalog_find(c, "L1D_TLB_MISS_NONSPEC");
	assert_false(slots_place(c, pick, 4, &set, &e));
	assert_string_equal(
		e.text, "INST_ALL, L1D_TLB_MISS_NONSPEC, INST_BRANCH and "
			"INST_BARRIER all "
			"need counters 5,6,7; remove an event or use a preset");
	pick[0] = pick[1];
	assert_false(slots_place(c, pick, 2, &set, &e));
	assert_string_equal(e.text,
			    "event INST_ALL is given twice; give it once");
	free(t);
}

/* Where any counter would do, names of rivals are no help. */
UNIT(test_all_are_taken)
{
	struct event any[5], *last = &any[4];
	const struct event *pick[5];
	struct catalog c = { .event = any,
			     .len = 5,
			     .config_counters = 0xf | 3u << EVENT_FREE_FIRST };
	struct eventset set = { .len = 0 };
	struct err e;

	for (unsigned i = 0; i < 5; i++) {
		static const char *const name[] = { "A", "B", "C", "D", "E" };

		any[i] = (struct event){ .name = name[i], .counters = 0xf };
		pick[i] = &any[i];
	}
	assert_true(slots_place(&c, pick, 4, &set, &e));
	assert_false(slots_place(&c, pick, 5, &set, &e));
	assert_string_equal(e.text, "all 4 counters are used, and E needs one "
				    "more; remove an event or use a preset");
	last->counters = 0x1;
	assert_true(slots_place(&c, pick + 1, 4, &set, &e));
	assert_false(slots_place(&c, pick, 5, &set, &e));
	assert_non_null(strstr(e.text, "all 4 counters are used"));
}

UNIT(test_the_only_counter)
{
	struct event two[2] = { { .name = "A", .counters = 0x1 },
				{ .name = "B", .counters = 0x1 } };
	const struct event *pick[2] = { &two[0], &two[1] };
	const struct catalog c = { .event = two,
				   .len = 2,
				   .config_counters = 0x1 };
	struct eventset set;
	struct err e;

	assert_false(slots_place(&c, pick, 2, &set, &e));
	assert_string_equal(
		e.text, "another event uses the only counter, and B needs it "
			"too; remove an event or use a preset");
}

/* Without forced counters only 2,3,4,8,9 are left: M1 loses INST_ALL. */
UNIT(test_degraded_counters)
{
	struct tsv_catalog *t = tsv_load("a14", TSV_ANY);
	const struct event *pick[] = {
		catalog_find(&t->catalog, "INST_ALL"),
		catalog_find(&t->catalog, "FIXED_CYCLES"),
		catalog_find(&t->catalog, "CORE_ACTIVE_CYCLE")
	};
	struct eventset set = { .len = 0 };
	struct err e;

	t->catalog.config_counters = 0x31c;
	assert_false(slots_place(&t->catalog, pick, 1, &set, &e));
	assert_non_null(
		strstr(e.text, "counter of this machine can count INST_ALL"));
	/* Fixed events take no slot. */
	assert_true(slots_place(&t->catalog, pick + 1, 2, &set, &e));
	assert_int_equal(set.len, 1);
	assert_int_equal(set.slot[0].counter, 2);
	free(t);
}
