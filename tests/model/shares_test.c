/* Intervals of slot shares, and the word of every point of a box. */
#include "model/shares.h"

#include <math.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/metric.h"

static struct share_counts
nothing_counted(unsigned width, bool small)
{
	struct share_counts c = { .width = width, .small = small };

	for (int m = 0; m < MEASURE_COUNT; m++)
		c.m[m] = NAN;
	return c;
}

static struct shares
point(double retiring, double bad_spec, double frontend, double backend)
{
	const double v[] = { retiring, bad_spec, frontend, backend };
	struct shares s = { .open = false };

	for (int i = 0; i < SHARE_COUNT; i++)
		s.of[i].low = s.of[i].middle = s.of[i].high = (float)v[i];
	return s;
}

static void
is_word(const struct shares *s, enum bottleneck_word word)
{
	assert_string_equal(bottleneck_words[shares_word(s)].word,
			    bottleneck_words[word].word);
}

static void
is_range(const struct shares *s, enum slot_share share, double low, double high)
{
	assert_float_equal(s->of[share].low, low, 1e-4);
	assert_float_equal(s->of[share].high, high, 1e-4);
}

UNIT(exact_shares_have_one_word)
{
	static const struct {
		double at[SHARE_COUNT];
		enum bottleneck_word word;
	} row[] = {
		{ { 0.50, 0.10, 0.02, 0.38 }, BOTTLENECK_NONE },
		{ { 0.49, 0.10, 0.03, 0.38 }, BOTTLENECK_BACKEND },
		{ { 0.15, 0.40, 0.20, 0.25 }, BOTTLENECK_BAD_SPEC },
		{ { 0.15, 0.25, 0.40, 0.20 }, BOTTLENECK_FRONTEND },
		/* A lead of less than ten points over another cause. */
		{ { 0.20, 0.10, 0.31, 0.39 }, BOTTLENECK_MIXED },
		{ { 0.45, 0.20, 0.15, 0.20 }, BOTTLENECK_MIXED },
		/* No cause reaches its mark; the first three are N2, V2 and
		   AmpereOne by their vendors' formulas. */
		{ { 0.478, 0.058, 0.176, 0.288 }, BOTTLENECK_NONE },
		{ { 0.415, 0.113, 0.208, 0.264 }, BOTTLENECK_NONE },
		{ { 0.40, 0.05, 0.25, 0.30 }, BOTTLENECK_NONE },
		{ { 0.15, 0.25, 0.20, 0.40 }, BOTTLENECK_BACKEND },
		/* Slots that the formula leaves over: the other thread's. */
		{ { 0.20, 0.05, 0.05, 0.40 }, BOTTLENECK_BACKEND },
		{ { 0.20, 0.05, 0.05, 0.05 }, BOTTLENECK_NONE },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		const double *at = row[i].at;
		struct shares s = point(at[0], at[1], at[2], at[3]);

		is_word(&s, row[i].word);
		assert_int_equal(shares_estimate(&s), row[i].word);
	}
}

UNIT(measures_are_metrics_and_constants_have_a_source)
{
	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		assert_true(metric_find(bottleneck_measure_metric[m]) >= 0);
	for (unsigned c = 0; c < CONSTANT_COUNT; c++) {
		assert_true(share_constants[c].source[0] != 0);
		assert_non_null(share_constants[c].measured_by);
	}
}

UNIT(nothing_is_judged_without_the_back_end)
{
	struct share_counts c = nothing_counted(8, false);
	struct shares s;

	c.m[MEASURE_USER_IPC] = 2;
	c.m[MEASURE_STARVE] = 20;
	c.m[MEASURE_BRANCH] = 30;
	assert_false(shares_of(&c, &s));
	c.m[MEASURE_STALL] = 20;
	assert_true(shares_of(&c, &s));
}

/* M1: stalled cycles are the back end's; the rest lies between bounds. */
UNIT(overview_of_m1)
{
	struct share_counts c = nothing_counted(8, false);
	struct shares s;

	c.m[MEASURE_USER_IPC] = 1.6f; /* 0.19 to 0.224 of 8 slots */
	c.m[MEASURE_IPC] = 7;         /* of other modes */
	c.m[MEASURE_STALL] = 10;
	c.m[MEASURE_STARVE] = 8;
	c.m[MEASURE_REWIND] = 25; /* 0.25 to 0.75 */
	c.m[MEASURE_BRANCH] = 25; /* 0.32 to 1 */
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0.19, 0.224);
	is_range(&s, SHARE_BACKEND, 0.1, 0.1);
	is_range(&s, SHARE_BAD_SPEC, 0.32, 0.63);
	is_range(&s, SHARE_FRONTEND, 0.08, 0.39);
	is_word(&s, BOTTLENECK_UNKNOWN);
	assert_int_equal(shares_estimate(&s), BOTTLENECK_BAD_SPEC);
	assert_float_equal(s.of[SHARE_BAD_SPEC].middle, 0.475, 1e-4);
	assert_true(shares_admit(&s, BOTTLENECK_BAD_SPEC));
	/* It would lead bad speculation, of 0.32 at least, by too little. */
	assert_false(shares_admit(&s, BOTTLENECK_FRONTEND));
	assert_true(shares_admit(&s, BOTTLENECK_MIXED));
	assert_false(shares_admit(&s, BOTTLENECK_BACKEND));
	assert_false(shares_admit(&s, BOTTLENECK_NONE));
	c.m[MEASURE_REWIND] = 37; /* 0.37 to 1 */
	c.m[MEASURE_STARVE] = 12;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_FRONTEND, 0.12, 0.34);
	is_range(&s, SHARE_BAD_SPEC, 0.37, 0.59);
	c.m[MEASURE_STALL] = 60;
	c.m[MEASURE_REWIND] = 5;
	c.m[MEASURE_BRANCH] = 3;
	assert_true(shares_of(&c, &s));
	is_word(&s, BOTTLENECK_BACKEND);
}

/* M4 counts the slots of both ends: what is left tells of mispredictions. */
UNIT(overview_of_m4)
{
	struct share_counts c = nothing_counted(10, false);
	struct shares s;

	c.m[MEASURE_USER_IPC] = 1.5f;
	c.m[MEASURE_STALL] = 12;
	c.m[MEASURE_STARVE] = 8;
	c.m[MEASURE_EMPTY_SLOTS] = 1;
	c.m[MEASURE_BRANCH] = 30; /* 0.36 to 1 */
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0.1425, 0.168);
	is_range(&s, SHARE_FRONTEND, 0.1, 0.1);
	is_range(&s, SHARE_BACKEND, 0.12, 0.12);
	is_range(&s, SHARE_BAD_SPEC, 0.612, 0.6375);
	assert_float_equal(s.of[SHARE_BAD_SPEC].middle, 0.624, 1e-4);
	is_word(&s, BOTTLENECK_BAD_SPEC);
}

UNIT(other_modes_say_nothing_of_user_slots)
{
	struct share_counts c = nothing_counted(8, false);
	struct shares s;

	c.m[MEASURE_IPC] = 6;
	c.m[MEASURE_STALL] = 20;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0, 0.8);
	is_word(&s, BOTTLENECK_UNKNOWN);
	c.all_modes = true;
	assert_true(shares_of(&c, &s));
	is_word(&s, BOTTLENECK_NONE);
}

/* Arm's slot events on M5 and M6 take rewinding for the front end. */
UNIT(arm_slots_of_a_mac)
{
	struct share_counts c = nothing_counted(0, false);
	struct shares s;

	c.arm_slots = true;
	c.m[MEASURE_USEFUL] = 20;
	c.m[MEASURE_DISCARDED] = 20;
	c.m[MEASURE_DELIVERY] = 40;
	c.m[MEASURE_PROCESSING] = 20;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0.2, 0.2);
	is_range(&s, SHARE_BAD_SPEC, 0.2, 0.44);
	is_range(&s, SHARE_FRONTEND, 0.16, 0.4);
	is_word(&s, BOTTLENECK_UNKNOWN);
	assert_int_equal(shares_estimate(&s), BOTTLENECK_BAD_SPEC);
	c.arm_slots = false; /* a vendor's own formula */
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_FRONTEND, 0.4, 0.4);
}

/* Arm on Linux without slot events: whole cycles bound both ends from below. */
UNIT(stalls_of_whole_cycles)
{
	struct share_counts c = nothing_counted(4, false);
	struct shares s;

	c.all_modes = c.whole_stalls = true;
	c.m[MEASURE_IPC] = 0.8f;
	c.m[MEASURE_STALL] = 60;
	c.m[MEASURE_STARVE] = 5;
	c.m[MEASURE_BRANCH] = 1;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_BACKEND, 0.6, 1 - 0.19 - 0.05 - 0.0064);
	is_word(&s, BOTTLENECK_BACKEND);
	c.m[MEASURE_STALL] = 30;
	assert_true(shares_of(&c, &s));
	is_word(&s, BOTTLENECK_UNKNOWN);
	assert_int_equal(shares_estimate(&s), BOTTLENECK_BACKEND);
	c.width = 0; /* nothing is known of what retires */
	assert_true(shares_of(&c, &s));
	assert_int_equal(shares_estimate(&s), BOTTLENECK_UNKNOWN);
}

/* Slots a cycle that nobody has published: as many as such cores have. */
UNIT(a_width_that_is_not_known)
{
	struct share_counts c = nothing_counted(0, true);
	struct shares s;

	c.m[MEASURE_UOPS] = 0.66f;
	c.m[MEASURE_STALL] = 15;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0.66 / 6, 0.66 / 4);
	c.small = false;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0.66 / 12, 0.66 / 8);
}

/* Linux, where slots of both ends are counted and not all four shares are. */
UNIT(slots_of_both_ends)
{
	struct share_counts c = nothing_counted(5, false);
	struct shares s;

	c.all_modes = c.whole_stalls = true;
	c.m[MEASURE_IPC] = 1;
	c.m[MEASURE_BLOCKED_SLOTS] = 2.5f;
	assert_true(shares_of(&c, &s)); /* mispredictions: not counted */
	is_range(&s, SHARE_BACKEND, 0, 0.5);
	c.m[MEASURE_EMPTY_SLOTS] = 0.75f;
	c.m[MEASURE_BRANCH] = 10;
	c.m[MEASURE_UOPS] = 1.1f;
	assert_true(shares_of(&c, &s));
	/* Three cycles of ten mispredictions in a thousand. */
	is_range(&s, SHARE_BACKEND, 0.47, 0.5);
	is_range(&s, SHARE_FRONTEND, 0.11, 0.15);
	is_range(&s, SHARE_RETIRING, 0.22, 0.22);
	is_range(&s, SHARE_BAD_SPEC, 0.13, 0.20);
	is_word(&s, BOTTLENECK_BACKEND);
	c.whole_stalls = false; /* of other makers they are what they say */
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_BACKEND, 0.5, 0.5);
	is_range(&s, SHARE_FRONTEND, 0.15, 0.15);
	c.m[MEASURE_BLOCKED_SLOTS] =
		NAN; /* and one end has what the others leave */
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_BACKEND, 1 - 0.22 - 0.15 - 0.25,
		 1 - 0.22 - 0.15 - 0.08);
	c.m[MEASURE_BRANCH] = NAN;
	assert_false(shares_of(&c, &s));
	c.width = 0; /* a formula of all four needs no width */
	c.m[MEASURE_USEFUL] = c.m[MEASURE_DISCARDED] = 10;
	c.m[MEASURE_DELIVERY] = 20;
	c.m[MEASURE_PROCESSING] = 60;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_BACKEND, 0.6, 0.6);
}

/* An SMT thread: what is left may be the other's, so it is no cause. */
UNIT(threads_that_share_a_core)
{
	struct share_counts c = nothing_counted(6, false);
	struct shares s;

	c.all_modes = c.shares_core = true;
	c.m[MEASURE_IPC] = 1.2f;
	c.m[MEASURE_BRANCH] = 10;
	c.m[MEASURE_EMPTY_SLOTS] = c.m[MEASURE_BLOCKED_SLOTS] = 0.9f;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_BAD_SPEC, 0.096, 0.3);
	is_range(&s, SHARE_FRONTEND, 0.15, 0.15);
	is_word(&s, BOTTLENECK_UNKNOWN);
	c.m[MEASURE_BRANCH] = 1;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_RETIRING, 0.19, 0.224);
	is_word(&s, BOTTLENECK_NONE);
	c.m[MEASURE_BLOCKED_SLOTS] = 2.4f;
	assert_true(shares_of(&c, &s));
	is_word(&s, BOTTLENECK_BACKEND);
	c.shares_core = false; /* alone these counts cannot be */
	c.m[MEASURE_BLOCKED_SLOTS] = 0.9f;
	assert_true(shares_of(&c, &s));
	is_word(&s, BOTTLENECK_UNKNOWN);
}

/* Ranges that do not hold: only what is counted exactly is left. */
UNIT(contradictions_are_unknown)
{
	struct share_counts c = nothing_counted(8, false);
	struct shares s;

	c.m[MEASURE_USER_IPC] = 4;
	c.m[MEASURE_STALL] = 60;
	assert_true(shares_of(&c, &s));
	is_range(&s, SHARE_BACKEND, 0.6, 0.6);
	is_range(&s, SHARE_RETIRING, 0, 0.4);
	assert_int_equal(shares_estimate(&s), BOTTLENECK_UNKNOWN);
	is_word(&s, BOTTLENECK_BACKEND); /* so much is certain */
}

UNIT(seconds_are_judged_as_sums_of_slots)
{
	struct shares sum = { 0 }, a = point(0.1, 0, 0.1, 0.8),
		      b = point(0.9, 0, 0.1, 0);

	shares_add(&sum, &a, 300);
	shares_add(&sum, &b, 100);
	shares_divide(&sum, 400);
	is_range(&sum, SHARE_RETIRING, 0.3, 0.3);
	is_word(&sum, BOTTLENECK_BACKEND);
}

UNIT(loads_refine_the_back_end)
{
	struct share_counts c = nothing_counted(8, false);
	struct shares s = point(0.1, 0.05, 0.05, 0.8);

	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_BACKEND), -1);
	c.m[MEASURE_L1D_LOAD] = 14;
	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_BACKEND), -1);
	c.m[MEASURE_LOAD_WAIT] = 39;
	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_BACKEND), -1);
	c.m[MEASURE_LOAD_WAIT] = 41;
	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_BACKEND),
			 MEASURE_LOAD_WAIT);
	c.m[MEASURE_L1D_LOAD] = 15;
	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_BACKEND),
			 MEASURE_L1D_LOAD);
	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_FRONTEND), -1);
	c.m[MEASURE_BRANCH] = 1;
	assert_int_equal(share_evidence(&c, &s, BOTTLENECK_BAD_SPEC),
			 MEASURE_BRANCH);
}

/* ---- every point of a box ---- */

static unsigned draws = 1;

static double
draw(double from, double to)
{
	draws = draws * 1103515245 + 12345;
	return from + (to - from) * (draws >> 8 & 0xffff) / 65535;
}

/* By the sheet, for a point: another text than the model's. */
static enum bottleneck_word
word_at(const double *x)
{
	static const double least[] = { 0, 0.20, 0.35, 0.35 };
	static const enum bottleneck_word word[] = { BOTTLENECK_NONE,
						     BOTTLENECK_BAD_SPEC,
						     BOTTLENECK_FRONTEND,
						     BOTTLENECK_BACKEND };
	int top = 1, over = 0;

	if (x[0] >= 0.5)
		return BOTTLENECK_NONE;
	for (int i = 1; i < 4; i++) {
		top = x[i] > x[top] ? i : top;
		over += x[i] >= least[i];
	}
	for (int i = 1; i < 4; i++)
		if (i != top && x[top] - x[i] < 0.10)
			return over > 0 ? BOTTLENECK_MIXED : BOTTLENECK_NONE;
	if (x[top] >= least[top])
		return word[top];
	return over > 0 ? BOTTLENECK_MIXED : BOTTLENECK_NONE;
}

/* The words of a grid of its points. */
static unsigned
words_of_grid(const struct shares *s)
{
	enum { STEPS = 24 };
	unsigned words = 0;

	for (int k = 0; k < STEPS * STEPS * STEPS; k++) {
		double x[4] = { 1 };
		int at[] = { 0, k % STEPS, k / STEPS % STEPS,
			     k / STEPS / STEPS };

		for (int i = 1; i < 4; i++) {
			double low = s->of[i].low, high = s->of[i].high;

			x[i] = low + (high - low) * at[i] / (STEPS - 1);
			x[0] -= x[i];
		}
		if (x[0] >= s->of[0].low && x[0] <= s->of[0].high)
			words |= 1u << word_at(x);
	}
	return words;
}

/* A box around a point; tightened as shares_of does it. */
static struct shares
box_drawn(void)
{
	double x[4], sum = 0, wide = draw(0, 0.3);
	struct shares s = { .open = false };

	for (int i = 0; i < 4; i++)
		sum += x[i] = -log(draw(0.001, 1));
	for (int i = 0; i < 4; i++) {
		s.of[i].low = (float)fmax(0, x[i] / sum - draw(0, wide));
		s.of[i].high = (float)fmin(1, x[i] / sum + draw(0, wide));
		s.of[i].middle = NAN;
	}
	for (int i = 0; i < 12; i++) {
		float low = 1, high = 1;

		for (int j = 0; j < 4; j++) {
			low -= j == i % 4 ? 0 : s.of[j].high;
			high -= j == i % 4 ? 0 : s.of[j].low;
		}
		s.of[i % 4].low = fmaxf(s.of[i % 4].low, low);
		s.of[i % 4].high = fminf(s.of[i % 4].high, high);
	}
	return s;
}

UNIT(a_word_is_that_of_every_point)
{
	static const enum bottleneck_word word[] = {
		BOTTLENECK_NONE, BOTTLENECK_BACKEND, BOTTLENECK_FRONTEND,
		BOTTLENECK_BAD_SPEC, BOTTLENECK_MIXED
	};
	unsigned definite = 0, several = 0, coarse = 0;

	for (int n = 0; n < 2000; n++) {
		struct shares s = box_drawn();
		unsigned seen = words_of_grid(&s);
		enum bottleneck_word said = shares_word(&s);

		if (seen == 0)
			continue;
		if (said != BOTTLENECK_UNKNOWN) {
			assert_int_equal(seen, 1u << said);
			definite++;
		} else if ((seen & (seen - 1)) != 0) {
			several++;
		} else {
			coarse++; /* the grid has no point of the other word */
		}
		for (int i = 0; i < 5; i++)
			if ((seen >> word[i] & 1) != 0)
				assert_true(shares_admit(&s, word[i]));
	}
	assert_true(definite > 500 && several > 500 && coarse < 40);
}

/* What cores of drawn physics count lies within what is said of them. */
UNIT(intervals_hold_the_truth)
{
	for (int n = 0; n < 5000; n++) {
		bool small = draw(0, 1) < 0.5, slots = draw(0, 1) < 0.5;
		double x[4], sum = 0, width = small ? 4 : 8;
		struct share_counts c = nothing_counted((unsigned)width, small);
		struct shares s;

		for (int i = 0; i < 4; i++)
			sum += x[i] = -log(draw(0.001, 1));
		for (int i = 0; i < 4; i++)
			x[i] /= sum;
		double ipc = x[0] * width / draw(0.96, 1.11);
		double cost = small ? draw(7, 15) : draw(9, 22);

		c.m[MEASURE_USER_IPC] = (float)ipc;
		c.m[MEASURE_STALL] = (float)(100 * x[3]);
		c.m[MEASURE_STARVE] = (float)(draw(15, 80) * x[2]);
		c.m[MEASURE_BRANCH] = (float)(1000 * x[1] / cost / ipc);
		if (slots)
			c.m[MEASURE_EMPTY_SLOTS] = (float)(x[2] * width);
		else
			c.m[MEASURE_REWIND] = (float)(draw(40, 90) * x[1]);
		assert_true(shares_of(&c, &s));
		for (int i = 0; i < 4; i++) {
			assert_true(s.of[i].low <= x[i] + 1e-5);
			assert_true(s.of[i].high >= x[i] - 1e-5);
		}
		enum bottleneck_word said = shares_word(&s);

		assert_true(said == BOTTLENECK_UNKNOWN || said == word_at(x));
	}
}
