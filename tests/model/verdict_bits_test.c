/* A verdict comes back from its bits as the screen shows it. */
#include "model/verdict.h"

#include <math.h>

#include <cmocka.h>

#include "model/metric.h"

static struct verdict
there_and_back(struct verdict v)
{
	struct verdict out;

	assert_true(verdict_of_bits(verdict_bits(&v), &out));
	return out;
}

UNIT(all_words_come_back)
{
	for (int w = 0; w < VERDICT_COUNT; w++) {
		struct verdict v = { .word = (uint8_t)w,
				     .basis = VERDICT_ESTIMATE,
				     .alarm = w % 2 == 0,
				     .named = w % 3 == 0,
				     .see = 3,
				     .evidence = METRIC_MAX - 1,
				     .share = 0.513f,
				     .age_s = 7.6f };
		struct verdict out = there_and_back(v);

		assert_int_equal(out.word, w);
		assert_int_equal(out.basis, VERDICT_ESTIMATE);
		assert_int_equal(out.alarm, w % 2 == 0);
		assert_int_equal(out.named, w % 3 == 0);
		if (w == VERDICT_UNKNOWN) {
			assert_int_equal(out.see, 3);
			assert_true(out.before_s <= 0 && isnan(out.share));
			continue;
		}
		assert_true(fabsf(out.share - 0.513f) < 1e-6f);
		assert_true(fabsf(out.age_s - 8) < 1e-6f);
		assert_int_equal(out.evidence, METRIC_MAX - 1);
	}
}

UNIT(what_was_faster_comes_back)
{
	struct verdict v = { .see = 3,
			     .evidence = -1,
			     .share = NAN,
			     .ipc_before = 4.286f,
			     .before_s = 59.7f };

	v = there_and_back(v);
	assert_int_equal(v.word, VERDICT_UNKNOWN);
	assert_int_equal(v.see, 3);
	assert_true(fabsf(v.ipc_before - 4.29f) < 1e-6f);
	assert_true(fabsf(v.before_s - 60) < 1e-6f);
	assert_true(isnan(v.share));
}

UNIT(what_is_stale_comes_back)
{
	struct verdict v =
		there_and_back((struct verdict){ .word = VERDICT_MEMORY,
						 .stale = true,
						 .share = 0.75f,
						 .evidence = -1,
						 .age_s = 9 });

	assert_int_equal(v.word, VERDICT_MEMORY);
	assert_true(v.stale);
	assert_true(isnan(v.share));
	v.stale = false;
	v.share = 1;
	v = there_and_back(v);
	assert_false(v.stale);
	assert_true(fabsf(v.share - 1) < 1e-6f);
}

UNIT(what_is_not_known_stays_so)
{
	struct verdict out;
	struct verdict v =
		there_and_back((struct verdict){ .word = VERDICT_MEMORY,
						 .share = NAN,
						 .evidence = -1,
						 .age_s = 4000 });

	assert_true(isnan(v.share));
	assert_int_equal(v.evidence, -1);
	assert_int_equal(v.see, preset_find("l1d"));
	assert_true(fabsf(v.age_s - 63) < 1e-6f);
	assert_false(verdict_of_bits(verdict_bits(NULL), &out));
	assert_int_equal(out.word, VERDICT_UNKNOWN);
}
