/* Events that a kernel is known to refuse. */
#include "app/state.h"

#include <string.h>

#include <cmocka.h>

/* Selectors of the M1: 0x51 is in its database, and not on the list. */
static const struct event made_up[] = {
	{ .name = "CORE_ACTIVE_CYCLE", .number = 0x02, .counters = 0x3fc },
	{ .name = "FIXED_CYCLES", .number = 0, .fixed = true },
	{ .name = "INST_ALL", .number = 0x8c, .counters = 0x80 },
	{ .name = "SCHEDULE_EMPTY", .number = 0x51, .counters = 0x3fc },
};
static const struct catalog m1 = { "a14", made_up, 4, 0x3fc };
static const struct catalog same_again = { "a14", made_up, 4, 0x3fc };
static const struct catalog linux_pmu = { "cpu_core", made_up, 4, 0x3fc };

static uint64_t
bits(const struct catalog *c, const char *os)
{
	struct refused r = { .catalog = NULL };

	refused_init(&r, c, os);
	return r.bit[0];
}

UNIT(test_the_list_holds_from_14_4_to_15)
{
	assert_int_equal(bits(&m1, "macOS 14.4"), 1u << 3);
	assert_int_equal(bits(&m1, "macOS 15.4"), 1u << 3);
	assert_int_equal(bits(&m1, "macOS 15.7.1"), 1u << 3);
	assert_int_equal(bits(&m1, "macOS 14.3"), 0);
	assert_int_equal(bits(&m1, "macOS 26.0"), 0); /* not public */
	assert_int_equal(bits(&m1, "Linux 6.1"), 0);
	assert_int_equal(bits(&m1, ""), 0);
	assert_int_equal(bits(&m1, NULL), 0);
	assert_int_equal(bits(&linux_pmu, "macOS 15.4"), 0);
	assert_int_equal(bits(NULL, "macOS 15.4"), 0);
}

UNIT(test_refusals_are_remembered)
{
	struct refused r = { .catalog = NULL };
	struct eventset set = { .len = 0 };
	struct err e = { ERR_NONE, "" };

	refused_init(&r, &m1, "macOS 26.0");
	eventset_drop(&set, "INST_ALL", "macOS refuses it (EPERM)");
	eventset_drop(&set, "SCHEDULE_EMPTY", "no counter is left");
	eventset_drop(&set, "NOTHING", "macOS refuses it (EPERM)");
	refused_learn(&r, &set);
	assert_int_equal(r.bit[0], 1u << 2);
	refused_init(&r, &m1, "macOS 26.0"); /* each drawing: they stay */
	assert_int_equal(r.bit[0], 1u << 2);
	refused_init(&r, &same_again, "macOS 26.0");
	assert_int_equal(r.bit[0], 0);
	set.len = 2;
	set.slot[0].event = &made_up[0];
	set.slot[1].event = &made_up[3];
	refused_learn_all(&r, &set, NULL);
	refused_learn_all(&r, &set, &e);
	(void)err_set(&e, ERR_FAIL, "macOS refuses all 2 events");
	refused_learn_all(&r, &set, &e);
	assert_int_equal(r.bit[0], 0);
	(void)err_set(&e, ERR_PERM, "macOS refuses all 2 events");
	refused_learn_all(&r, &set, &e);
	assert_int_equal(r.bit[0], 1u << 0 | 1u << 3);
}

/* A preset of such events is marked; one that counts after all is not. */
UNIT(test_a_set_that_is_refused_whole)
{
	struct refused r = { .catalog = NULL };
	struct eventset set = { .len = 2 }, fixed = { .len = 1 };
	struct err e = { ERR_PERM, "macOS refuses all 2 events of this set" };

	set.slot[0].event = &made_up[0];
	set.slot[1].event = &made_up[2];
	fixed.slot[0].event = &made_up[1];
	refused_init(&r, &m1, "macOS 27.0");
	assert_false(refused_all(&r, &set));
	refused_learn_all(&r, &set, &e);
	assert_true(refused_all(&r, &set));
	assert_false(refused_all(&r, &fixed));
	set.len = 1;
	refused_learn(&r, &set); /* counts now */
	set.len = 2;
	assert_false(refused_all(&r, &set));
	assert_int_equal(r.bit[0], 1u << 2);
}
