/* kps_table_...: the chips that are known, with no framework at all. */
#include "kperf/sampler.h"

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct kps_table
table(const char *name)
{
	struct kps_table t;

	assert_true(kps_table_find(name, &t));
	return t;
}

UNIT(every_generation_is_there)
{
	static const char *const names[] = { "a14", "a15",   "a16",   "as1",
					     "as3", "as4",   "as4-1", "as4-2",
					     "as5", "as5-1", "as5-2" };

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		struct kps_table t = table(names[i]);

		assert_string_equal(t.database, names[i]);
		assert_int_equal(t.chip, kps_chip_of(names[i]));
		assert_int_equal(t.fixed_bits, 0x3);
		assert_int_equal(t.config_bits, 0x3fc);
		assert_int_equal(t.power_bits, 0xe0);
		assert_non_null(t.marketing_name);
	}
	assert_string_equal(table("cpu_100000c_2_1b588bb3").database, "a14");
	assert_int_equal(table("a14").counter_width, 47);
	assert_int_equal(table("a15").counter_width, 63);
}

UNIT(what_is_not_known_is_refused)
{
	struct kps_table t;
	struct kps_event v;
	unsigned n = 0;

	assert_false(kps_table_find("a99", &t));
	assert_false(kps_table_find(NULL, &t));
	assert_false(kps_table_event("a99", 0, &v));
	assert_false(kps_table_event("a14", table("a14").events, &v));
	while (kps_table_at(n, &t))
		n++;
	assert_true(n >= 13);
}

/* Each event of each table is as its name says, and has its counters. */
UNIT(every_event_can_be_counted)
{
	struct kps_table t;
	struct kps_event v;

	for (unsigned i = 0; kps_table_at(i, &t); i++) {
		unsigned fixed = 0;

		for (unsigned j = 0; j < t.events; j++) {
			assert_true(kps_table_event(t.database, j, &v));
			assert_true(v.counters != 0);
			if (v.fixed) {
				assert_int_equal(v.counters & ~t.fixed_bits, 0);
				assert_int_equal(v.number, -1);
				fixed++;
			} else {
				assert_int_equal(v.counters & ~t.config_bits,
						 0);
				assert_true(v.number > 0 || v.umask > 0);
			}
			const char *on = kps_name_on(v.agnostic, t.chip);

			if (on != NULL) /* the crates leave some out */
				assert_string_equal(on, v.name);
		}
		assert_true(fixed >= 2);
	}
}

/* The crates have the names of M1 to M5 as constants; so have we. */
UNIT(every_agnostic_name_has_its_event)
{
	for (unsigned n = 0; kps_name_at(n) != NULL; n++)
		for (enum kps_chip c = KPS_CHIP_M1; c <= KPS_CHIP_M5; c++) {
			const char *want = kps_name_on(kps_name_at(n), c);
			bool found = want == NULL;
			struct kps_table t;
			struct kps_event v;

			for (unsigned i = 0; !found && kps_table_at(i, &t); i++)
				for (unsigned j = 0;
				     t.chip == c && !found && j < t.events; j++)
					found = kps_table_event(t.database, j,
								&v) &&
						strcmp(v.name, want) == 0;
			if (!found)
				fail_msg("%s has no %s", kps_chip_name(c),
					 want);
		}
}

UNIT(an_event_in_full)
{
	struct kps_event v;

	assert_true(kps_table_event("as4", 1, &v));
	assert_string_equal(v.name, "FIXED_INSTRUCTIONS");
	assert_string_equal(v.alias, "Instructions");
	assert_string_equal(v.agnostic, "FixedInstructions");
	assert_string_equal(v.fallback, "INST_ALL");
	assert_int_equal(v.counters, 0x2);
	assert_int_equal(v.unit, KPS_UNIT_INSTRUCTIONS);
	assert_non_null(v.description);
	for (unsigned i = 0; kps_table_event("a14", i, &v); i++)
		if (strcmp(v.name, "SCHEDULE_UOP") == 0)
			break;
	assert_int_equal(v.number, 0x52);
	assert_string_equal(v.agnostic, "ScheduleUop");
}
