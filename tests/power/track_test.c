/* Readings of totals become spans: publication times, resets, clocks. */
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "power/ioreport.h"

#define MS INT64_C(1000000)
#define START (1000 * 1000 * MS)

static struct power_track track;

static bool
take(double total, int64_t at_ms, int64_t now_ms)
{
	struct power_reading r = { .have = true,
				   .total = total,
				   .at_ns =
					   at_ms < 0 ? 0 : START + at_ms * MS };

	return power_track_take(&track, &r, START + now_ms * MS);
}

static double
watts(void)
{
	return track.span.amount / power_span_s(&track.span);
}

static void
begin(void)
{
	memset(&track, 0, sizeof track);
}

UNIT(span_is_of_publication_times)
{
	begin();
	assert_false(take(10, 0, 1));
	assert_true(take(10 + 4.969, 2043, 2100));
	assert_true(fabs(watts() - 2.4322) < 5e-5);
	/* The tail belongs to what comes next. */
	assert_false(take(10 + 4.969 + 0.065, 2058, 2100));
	assert_true(fabs(watts() - 2.4322) < 5e-5);
	assert_true(take(10 + 4.969 + 4.969, 4086, 4100));
	assert_true(fabs(watts() - 2.4322) < 5e-5);
}

UNIT(nothing_new_is_no_value_and_never_0)
{
	begin();
	(void)take(5, 0, 0);
	assert_true(take(7, 1000, 1000));
	for (int s = 2; s <= 11; s++) {
		assert_false(take(7, 1000, s * 1000));
		assert_false(track.span.stale);
	}
	assert_false(take(7, 1000, 11001));
	assert_true(track.span.stale);
	/* And when it comes again it is of the whole time. */
	assert_true(take(27, 21000, 21000));
	assert_false(track.span.stale);
	assert_true(fabs(watts() - 1) < 1e-9);
}

/* A span of half an hour holds for an hour. */
UNIT(long_span_holds_longer)
{
	begin();
	(void)take(0, 0, 0);
	assert_true(take(1800, 1800000, 1800000));
	assert_false(take(1800, 1800000, 5399000));
	assert_false(track.span.stale);
	assert_false(take(1800, 1800000, 5401000));
	assert_true(track.span.stale);
}

UNIT(zero_that_was_published_is_zero)
{
	begin();
	(void)take(5, 0, 0);
	assert_true(take(5, 1000, 1000));
	assert_true(watts() == 0);
	assert_false(track.span.stale);
}

UNIT(fall_is_a_new_beginning)
{
	begin();
	(void)take(1000, 0, 0);
	assert_true(take(1001, 1000, 1000));
	assert_false(take(3, 2000, 2000));
	assert_true(take(5, 3000, 3000));
	assert_true(fabs(watts() - 2) < 1e-9);
}

/* -1: no time; the future; a time that stands while the total moves. */
UNIT(times_that_cannot_be_true_are_replaced)
{
	static const int64_t odd[] = { -1, 3600 * 1000, 500 };

	for (unsigned i = 0; i < sizeof odd / sizeof odd[0]; i++) {
		bool any = false;

		begin();
		for (int s = 1; s <= 5; s++)
			any |= take(3 * s, odd[i], s * 1000);
		assert_true(any);
		assert_true(fabs(watts() - 3) < 1e-9);
		assert_int_equal(track.span.marks, POWER_OWN_CLOCK);
	}
}

UNIT(names_match_as_a_whole)
{
	static const struct {
		const char *group, *subgroup, *name;
		int what, letter, die, nth;
	} row[] = {
		{ "Energy Model", "", "CPU Energy", POWER_CPU, 0, -1, 0 },
		{ "Energy Model", "", "DIE_1_CPU Energy", POWER_CPU, 0, 1, 0 },
		{ "Energy Model", "", "EACC_CPU", POWER_CLUSTER, 'E', -1, 0 },
		{ "Energy Model", "", "PACC_CPU", POWER_CLUSTER, 'P', -1, 0 },
		{ "Energy Model", "", "PACC1_CPU", POWER_CLUSTER, 'P', -1, 1 },
		{ "Energy Model", "", "DIE_0_PACC1_CPU", POWER_CLUSTER, 'P', 0,
		  1 },
		{ "Energy Model", "", "MCPU1", POWER_CLUSTER, 'M', -1, 1 },
		{ "Energy Model", "", "DIE_1_PCPU", POWER_CLUSTER, 'P', 1, 0 },
		{ "Energy Model", "", "DRAM0_1", POWER_DRAM, 0, -1, 1 },
		{ "Energy Model", "", "GPU Energy", POWER_GPU, 0, -1, 0 },
		{ "Energy Model", "", "ANE", POWER_ANE, 0, -1, 0 },
		{ "Energy Model", "", "ANE0_1", POWER_ANE, 0, -1, 1 },
		{ "CPU Stats", "CPU Complex Performance States", "DIE_0_ECPU",
		  POWER_CLOCK, 'E', 0, 0 },
		{ "PMP1", "DCS BW", "PACC1 RD+WR", POWER_TRAFFIC, 'P', -1, 1 },
		{ "PMP", "DRAM BW", "F3 WR", POWER_WRITE, 0, -1, 3 },
		{ "AMC Stats", "Perf Counters", "DCS RD", POWER_READ, 0, -1,
		  0 },
		/* What must not be added to a total. */
		{ "Energy Model", "", "PACC0_CPU3", -1, 0, 0, 0 },
		{ "Energy Model", "", "MCPU0_5", -1, 0, 0, 0 },
		{ "Energy Model", "", "MCPU0DTL0a", -1, 0, 0, 0 },
		{ "Energy Model", "", "PCPU0_SRAM", -1, 0, 0, 0 },
		{ "Energy Model", "", "PACC_3", -1, 0, 0, 0 },
		{ "Energy Model", "", "EACC_CPU_SRAM", -1, 0, 0, 0 },
		{ "Energy Model", "", "GPU0", -1, 0, 0, 0 },
		{ "Energy Model", "", "PCPM", -1, 0, 0, 0 },
		{ "CPU Stats", "CPU Complex Performance States", "ECPM", -1, 0,
		  0, 0 },
		{ "PMP", "AF BW", "EACC0 RD+WR", -1, 0, 0, 0 },
		{ "PMP", "DCS BW", "EACC0 RD", -1, 0, 0, 0 }
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		struct power_rail r;
		bool is = ioreport_rail(row[i].group, row[i].subgroup,
					row[i].name, &r);

		if (is != (row[i].what >= 0))
			fail_msg("%s", row[i].name);
		if (!is)
			continue;
		assert_int_equal(r.what, row[i].what);
		assert_int_equal(r.letter, row[i].letter);
		assert_int_equal(r.die, row[i].die);
		assert_int_equal(r.nth, row[i].nth);
		assert_string_equal(r.name, row[i].name);
	}
}

UNIT(units_are_joules_bytes_and_seconds)
{
	assert_true(ioreport_unit("mJ") == 1e-3);
	assert_true(ioreport_unit("uJ") == 1e-6);
	assert_true(ioreport_unit("nJ") == 1e-9);
	assert_true(ioreport_unit("24Mticks") == 1 / 24e6);
	assert_true(ioreport_unit("furlongs") == 0);
}
