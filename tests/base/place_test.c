/* Placement against an exhaustive search, on masks of every shape. */
#include "base/place.h"

#include "base/bits.h"

#include <cmocka.h>
#include <stdio.h>

static uint64_t seed = 20260101;

static uint32_t
draw(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(seed >> 33);
}

static bool
search(const uint32_t *mask, unsigned n, uint32_t taken)
{
	if (n == 0)
		return true;
	for (unsigned c = 0; c < 10; c++)
		if ((mask[0] & ~taken) >> c & 1 &&
		    search(mask + 1, n - 1, taken | 1u << c))
			return true;
	return false;
}

static bool
check(const uint32_t *mask, unsigned n)
{
	unsigned counter[PLACE_MAX];
	struct place_conflict why = { .events = 0 };
	uint32_t taken = 0, wanted = 0;
	bool ok = place_events(mask, n, counter, &why);

	assert_int_equal(ok, search(mask, n, 0));
	if (!ok) {
		/* Hall: more events than counters that any of them may use. */
		for (unsigned i = 0; i < n; i++)
			if (why.events >> i & 1)
				wanted |= mask[i];
		assert_true(why.events >> n == 0);
		assert_int_equal(wanted, why.counters);
		assert_true(bits_count(why.events) > bits_count(wanted));
		return false;
	}
	for (unsigned i = 0; i < n; i++) {
		assert_true(mask[i] >> counter[i] & 1);
		assert_false(taken >> counter[i] & 1);
		taken |= 1u << counter[i];
	}
	return true;
}

UNIT(any_masks)
{
	uint32_t mask[8];
	unsigned yes = 0, no = 0;

	for (int i = 0; i < 20000; i++) {
		unsigned n = 1 + draw() % 8;

		for (unsigned j = 0; j < n; j++)
			mask[j] = draw() & draw() & (draw() | draw()) & 0x3ff;
		if (check(mask, n))
			yes++;
		else
			no++;
	}
	assert_true(yes > 1000 && no > 1000);
}

UNIT(nested_masks_as_the_framework_does)
{
	/* Apple's shapes: 0x80 in 0xe0 in 0xfc in 0x3fc. */
	static const uint32_t mask[] = { 0x3fc, 0xe0, 0x80, 0x3fc, 0xe0 };
	unsigned counter[5];
	struct place_conflict why;

	assert_true(place_events(mask, 5, counter, &why));
	assert_int_equal(counter[2], 7);
	assert_int_equal(counter[1], 5);
	assert_int_equal(counter[4], 6);
	assert_int_equal(counter[0], 2);
	assert_int_equal(counter[3], 3);
}

UNIT(an_earlier_event_moves)
{
	/* Greedy puts the first on 0 and leaves the third without. */
	static const uint32_t mask[] = { 0x3, 0x6, 0x1 | 0x4 };
	static const uint32_t more[] = { 0x3, 0x9, 0x5, 0x1 };

	assert_true(check(mask, 3));
	assert_true(check(more, 4));
}

UNIT(nothing_and_no_counter)
{
	static const uint32_t none[] = { 0x3, 0 };

	assert_true(check(none, 0));
	assert_false(check(none, 2));
}
