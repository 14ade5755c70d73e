/* Another tool stops the counters and starts them again: what is then lost. */
#include "model/rig.h"

#include <cmocka.h>

static const char event[] = "INST_ALL";

static void
work(struct rig *r, uint64_t count)
{
	rig_work(r);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_count(r, i, event, count);
}

static void
begin(struct rig *r, bool together)
{
	rig_open(r, "a14", "basic", true);
	r->s->together = together;
	work(r, 1000);
	assert_non_null(rig_feed(r));
}

/* The totals begin at 0, and a moment later stand at `now`, on each CPU. */
static void
start_again(struct rig *r, const uint64_t now[RIG_CPUS])
{
	rig_work(r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		for (unsigned k = 0; k < r->set.len; k++)
			r->s->cpu[i].slot[k].count = 0;
		rig_count(r, i, event, now[i]);
	}
}

/* Only CPU 1 has less than before; the others' counts are too low as well. */
UNIT(test_one_that_fell_tells_of_all)
{
	static const uint64_t now[] = { 1500, 400, 1200, 9000 };
	struct rig r;

	begin(&r, true);
	start_again(&r, now);
	const struct frame *f = rig_feed(&r);
	unsigned slot = rig_slot(&r, event);

	for (unsigned i = 0; i < RIG_CPUS; i++) {
		assert_false(span_has_slot(&f->span[i], slot));
		assert_int_equal(f->span[i].quality, QUALITY_LOST);
		assert_int_equal(f->span[i].cycles, 2000000000);
	}
	assert_false(span_has_slot(&f->span[RIG_ALL], slot));
	work(&r, 700);
	f = rig_feed(&r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		assert_int_equal(f->span[i].slot[slot], 700);
		assert_int_equal(f->span[i].quality, 0);
	}
	rig_close(&r);
}

/* A CPU that did not come in that frame: its next row spans the start. */
UNIT(test_silent_meanwhile)
{
	static const uint64_t now[] = { 1500, 400, 1200, 9000 };
	struct rig r;

	begin(&r, true);
	start_again(&r, now);
	r.s->cpu[3].state = CPU_MISSING;
	(void)rig_feed(&r);
	r.s->cpu[3].state = CPU_DELIVERED;
	work(&r, 700);
	const struct frame *f = rig_feed(&r);
	unsigned slot = rig_slot(&r, event);

	assert_int_equal(f->span[2].slot[slot], 700);
	assert_false(span_has_slot(&f->span[3], slot));
	assert_int_equal(f->span[3].quality, QUALITY_CATCHUP);
	assert_int_equal(f->span[3].cycles, 4000000000);
	work(&r, 50);
	f = rig_feed(&r);
	assert_int_equal(f->span[3].slot[slot], 50);
	rig_close(&r);
}

/* Where each counter stands for itself, one that was written to is alone. */
UNIT(test_each_for_itself)
{
	static const uint64_t now[] = { 1500, 400, 1200, 9000 };
	struct rig r;

	begin(&r, false);
	start_again(&r, now);
	const struct frame *f = rig_feed(&r);
	unsigned slot = rig_slot(&r, event);

	assert_int_equal(f->span[0].slot[slot], 500);
	assert_int_equal(f->span[0].quality, 0);
	assert_false(span_has_slot(&f->span[1], slot));
	assert_int_equal(f->span[1].quality, QUALITY_LOST);
	rig_close(&r);
}

/* A row that is none says nothing of the others: old, garbled, or refused. */
UNIT(test_a_bad_row_is_alone)
{
	static const uint64_t back[][2] = {
		{ 2000000000, 3000000000 },         /* no progress */
		{ 3000000000, 4000000000 },         /* less than before */
		{ 2000000000 - 1, 3000000000 + 5 }, /* only one of the two */
		{ UINT64_C(1) << 50, UINT64_C(1) << 51 }, /* beyond what is */
	};
	struct rig r;

	for (unsigned n = 0; n < sizeof back / sizeof *back; n++) {
		begin(&r, true);
		work(&r, 700);
		rig_run(&r, 1, 0 - back[n][0], 0 - back[n][1]);
		r.s->cpu[1].slot[rig_slot(&r, event)].count = 3;
		const struct frame *f = rig_feed(&r);
		unsigned slot = rig_slot(&r, event);

		assert_int_equal(f->span[0].slot[slot], 700);
		assert_int_equal(f->span[0].quality, 0);
		assert_int_equal(f->span[3].slot[slot], 700);
		assert_false(span_has_fixed(&f->span[1]));
		rig_close(&r);
	}
}

/* ktop's own swap makes them begin, too, and that is no loss. */
UNIT(test_a_swap)
{
	struct rig r;

	begin(&r, true);
	rig_set(&r, "branch");
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < r.set.len; k++)
			r.s->cpu[i].slot[k].count = i;
	rig_pass(&r, 1, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(&r, i, 2000, 900);
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	work(&r, 40);
	const struct frame *f = rig_feed(&r);

	for (unsigned i = 0; i < RIG_CPUS; i++) {
		assert_int_equal(f->span[i].slot[rig_slot(&r, event)], 40);
		assert_int_equal(f->span[i].quality & QUALITY_LOST, 0);
	}
	rig_close(&r);
}
