/* Frames of recordings: shares found again, words to bottlenecks. */
#include "base/buf.h"
#include "model/track.h"

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* As the recording writes 100 * p / q: nine digits. */
static double
written(unsigned p, unsigned q)
{
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	buf_decimal(&b, 100.0 * p / q, 9);
	return strtod(buf_cstr(&b), NULL);
}

/* All ticks of an interval up to ten seconds at 100 Hz. */
UNIT(every_ratio_of_ticks_comes_back)
{
	for (unsigned q = 1; q <= 1000; q++)
		for (unsigned p = 0; p <= q; p++) {
			double got = recorded_share(written(p, q));
			double want = (double)p / q;

			if (memcmp(&got, &want, sizeof got) != 0)
				fail_msg("%u/%u gives %.17g", p, q, got);
		}
}

UNIT(other_shares_come_near)
{
	uint64_t x = 7;

	for (int i = 0; i < 100000; i++) {
		x = x * 6364136223846793005u + 1442695040888963407u;
		double share = (double)(x >> 11) * 0x1p-53;
		char text[32];
		struct buf b = buf_over(text, sizeof text);

		buf_decimal(&b, 100 * share, 9);
		double got = recorded_share(strtod(buf_cstr(&b), NULL));

		assert_true(fabs(got - share) <= 1.1e-8 * share + 1e-17);
	}
	assert_true(isnan(recorded_share(NAN)));
	assert_true(fabs(recorded_share(100) - 1) <= 0);
	assert_true(fabs(recorded_share(0)) <= 0);
}

enum {
	FIXED = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS,
	PAIR = 1u << TERM_SLOT_CYCLES | 1u << TERM_SLOT_INSTRUCTIONS
};

static struct span
take(struct span c)
{
	struct recorded r = { .interval_ns = 1000, .cpu = &c };
	struct span d;

	c.ncpus = 1;
	recorded_take(&r, 1, 2, 0, &d);
	return d;
}

UNIT(words_become_bottlenecks)
{
	struct span c = { .cpu_ns = 1000 };
	struct recorded none = { .interval_ns = 5, .cpu = &c };
	struct span d;

	recorded_take(&none, 1, 0, 0, &d);
	assert_int_equal(d.n_stale, 1); /* no row of it at all */
	d = take(c);
	assert_int_equal(d.ncpus, 1);
	assert_int_equal(d.n + d.n_stale + d.n_off + d.n_skipped, 0);
	c.quality = QUALITY_OFF;
	assert_int_equal(take(c).n_off, 1);
	c.quality = QUALITY_STALE | QUALITY_LOST;
	d = take(c);
	assert_int_equal(d.n_stale, 1);
	assert_int_equal(d.quality, QUALITY_LOST);
	c.quality = QUALITY_MUX;
	assert_int_equal(take(c).n, 1);
	c.quality = QUALITY_CATCHUP | QUALITY_SWAP;
	c.have_any = FIXED;
	c.cycles = c.instructions = 7;
	c.cpu_ns = 3000;
	d = take(c);
	assert_int_equal(d.n, 1);
	/* The frame's own words are not its rows'. */
	assert_int_equal(d.quality, QUALITY_CATCHUP);
	assert_int_equal(d.cycles, 7);
	assert_true(fabs(d.cpu_ns - 3000) <= 0);
}

UNIT(slots_are_known_or_cannot_be)
{
	struct span c = { .cpu_ns = 1000,
			  .event_ns = 400,
			  .seen_ns = 1000,
			  .seen_busy_ns = 500,
			  .have_any = FIXED | 1,
			  .slot = { 9 } };
	struct span d = take(c);

	assert_int_equal(d.have_any & 3, 1);
	assert_int_equal(d.cannot_any, 2);
	assert_true(fabs(span_ns(&d, 0) - 400) <= 0 &&
		    fabs(d.event_ns - 400) <= 0);
	assert_true(fabs(d.busy_ns - 500) <= 0);
	c.event_ns = 0; /* stolen: nothing counted, which says nothing */
	c.have_any = FIXED;
	assert_int_equal(take(c).cannot_any, 0);
}

/* The kernel's own events, of a CPU whose PMU refused to count. */
UNIT(slots_without_the_pair)
{
	struct span c = { .cpu_ns = 1000,
			  .event_ns = 1000,
			  .have_any = 3,
			  .slot = { 9, 4 } };
	struct span d = take(c);

	assert_int_equal(d.n, 1);
	assert_int_equal(d.n_known, 1);
	assert_int_equal(d.cannot_any, FIXED | PAIR);
	assert_int_equal(d.have_any & 3, 3);
}

UNIT(frame_words_are_those_of_frames)
{
	struct span c[2] = {
		{ .ncpus = 1, .quality = QUALITY_GAP | QUALITY_IDLE },
		{ .ncpus = 1, .quality = QUALITY_GAP | QUALITY_MUX },
	};
	struct recorded r = { .cpu = c };

	assert_int_equal(recorded_frame_quality(&r, 2), QUALITY_GAP);
}

/* Events may have taken the counter of the instructions: cycles alone. */
UNIT(cycles_without_instructions)
{
	struct span d = take((struct span){
		.cpu_ns = 1000,
		.event_ns = 1000,
		.have_any = 1u << TERM_CYCLES | 1u << TERM_SLOT_CYCLES | 1,
		.cycles = 3000,
		.pair_cycles = 3000,
		.slot = { 6000 } });

	assert_int_equal(d.n_ok, 1);
	assert_true(span_has_cycles(&d));
	assert_false(span_has_fixed(&d));
	assert_int_equal(d.cycles, 3000);
	assert_true(span_has(&d, 1u << TERM_CYCLES | 1u << TERM_SLOT_CYCLES));
	assert_int_equal(d.have_any & (1u << TERM_INSTRUCTIONS |
				       1u << TERM_SLOT_INSTRUCTIONS),
			 0);
	assert_int_equal(span_cannot(&d) & 1u << TERM_CYCLES, 0);
	assert_int_equal(span_cannot(&d) & 1u << TERM_INSTRUCTIONS,
			 1u << TERM_INSTRUCTIONS);
	assert_int_equal(d.doubt, 0);
}
