/* Rows of a kernel that may deliver old ones, and frames that take long. */
#include "model/rig.h"

#include <cmocka.h>

/*
 * A row that was not written holds config words. They rise from one set to
 * the next as counters do, and are no reset, nor a baseline to begin with.
 */
UNIT(test_words)
{
	static const uint64_t words[] = { 0x200a6, 0x200b2, 0x200b4, 0x200de };
	struct rig r;

	for (int first = 0; first < 2; first++) {
		rig_open(&r, "a14", NULL, true);
		struct reading *row = r.s->cpu[0].fixed;
		uint64_t cycles = row[0].count, work = row[1].count;
		const struct frame *f;

		if (first)
			monitor_restart(r.m);
		for (int i = 0; i < 4; i++) {
			rig_work(&r);
			row[0].count = row[1].count = words[i];
			f = rig_feed(&r);
			if (f != NULL)
				assert_int_equal(f->span[0].quality,
						 QUALITY_OFF);
		}
		rig_work(&r);
		row[0].count = cycles + 2000000000;
		row[1].count = work + 3000000000;
		f = rig_feed(&r);
		assert_int_equal(f->span[0].quality,
				 first ? QUALITY_STALE : QUALITY_CATCHUP);
		if (!first)
			assert_int_equal(f->span[0].cycles, 2000000000);
		rig_close(&r);
	}
}

/*
 * The reading at a swap takes the slots only. A CPU that goes off after it
 * leaves that very row behind, newer than the baseline: no progress either.
 */
static void
swap_row_stays(uint32_t stolen)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	rig_pass(&r, 1, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 2000, 900);
	rig_set(&r, "branch");
	r.s->flags = SAMPLE_BASELINE | stolen;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	for (int k = 0; k < 3; k++) {
		rig_work(&r);
		rig_run(&r, 2, -2000000000ull, -3000000000ull);
		const struct frame *f = rig_feed(&r);

		assert_true(f->span[2].quality & QUALITY_OFF);
		assert_true(span_has_fixed(&f->span[1]));
	}
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[2].cycles, 2000002000);
	assert_int_equal(f->span[2].quality, QUALITY_CATCHUP);
	rig_close(&r);
}

UNIT(test_swap_row_stays)
{
	swap_row_stays(0);
	swap_row_stays(SAMPLE_TAKEN_OVER);
}

/* Off since one swap, over the next: no baseline for the slots of that. */
UNIT(test_old_at_the_second_swap)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	for (int n = 0; n < 2; n++) {
		rig_pass(&r, 1000, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++)
			if (n == 0 || i != 2)
				rig_run(&r, i, 2000, 900);
		rig_set(&r, n == 0 ? "branch" : "basic");
		r.s->flags = SAMPLE_BASELINE;
		assert_null(rig_feed(&r));
	}
	r.s->flags = 0;
	rig_work(&r);
	rig_count(&r, 2, "INST_ALL", 1000000);
	const struct frame *f = rig_feed(&r);

	assert_true(span_has_slot(&f->span[1], rig_slot(&r, "INST_ALL")));
	assert_true(span_has_fixed(&f->span[2]));
	assert_false(span_has_slot(&f->span[2], rig_slot(&r, "INST_ALL")));
	rig_close(&r);
}

/* Two readings of one moment lose nothing: the next row has it all. */
UNIT(test_same_moment)
{
	struct rig r;

	rig_open(&r, "a14", "basic", true);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	rig_run(&r, 1, 2000, 900);
	r.s->cpu[1].slot[0].count += 7;
	assert_false(span_has_fixed(&rig_feed(&r)->span[1]));
	rig_work(&r);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[1].cycles, 2000002000);
	assert_int_equal(f->span[1].quality, 0);
	rig_close(&r);
}

/*
 * A frame of half an interval more says late, whether the tick was or its
 * reading; not when the machine slept or another interval was asked for.
 */
UNIT(test_late)
{
	static const struct {
		int64_t ms, asleep_ms, period_ms;
		uint32_t quality;
	} cases[] = {
		{ 1000, 0, 0, 0 },
		{ 1499, 0, 0, 0 },
		{ 1500, 0, 0, QUALITY_LATE },
		{ 9000, 0, 0, QUALITY_LATE },
		{ 300, 0, 0, 0 },
		{ 4000, 60000, 0, QUALITY_GAP },
		{ 5000, 0, 2000, 0 },
		{ 2999, 0, 0, 0 },
		{ 3000, 0, 0, QUALITY_LATE },
	};
	struct rig r;

	rig_open(&r, "a14", NULL, true);
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (cases[i].period_ms > 0)
			monitor_period(r.m, cases[i].period_ms * 1000000);
		rig_pass(&r, cases[i].ms, cases[i].asleep_ms);
		for (unsigned c = 0; c < RIG_CPUS; c++)
			rig_run(&r, c, 500000000, 500000000);
		assert_int_equal(rig_feed(&r)->quality, cases[i].quality);
	}
	rig_close(&r);
}
