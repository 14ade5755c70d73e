/* What one row's numbers are judged as, case by case. */
#include "model/bottleneck.h"

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "model/metric.h"

static const bool all_possible[MEASURE_COUNT] = {
	[MEASURE_USEFUL] = true,    [MEASURE_PROCESSING] = true,
	[MEASURE_DISCARDED] = true, [MEASURE_DELIVERY] = true,
	[MEASURE_STALL] = true,     [MEASURE_STARVE] = true,
	[MEASURE_BRANCH] = true,    [MEASURE_L1D_LOAD] = true,
	[MEASURE_LOAD_WAIT] = true, [MEASURE_L1I] = true,
};

/* A busy wide core of which nothing else is known. */
static struct bottleneck_row
plain(void)
{
	static int metric[MEASURE_COUNT];
	struct bottleneck_row r = { .busy_pct = 90,
				    .user_pct = 95,
				    .ipc = 1,
				    .reach = 4,
				    .width = 8,
				    .fastest = true,
				    .possible = all_possible,
				    .metric = metric };

	for (unsigned m = 0; m < MEASURE_COUNT; m++) {
		metric[m] = metric_find(bottleneck_measure_metric[m]);
		r.m[m].value = NAN;
	}
	return r;
}

static void
slots(struct bottleneck_row *r, float useful, float discarded, float delivery,
      float processing)
{
	r->m[MEASURE_USEFUL].value = useful;
	r->m[MEASURE_DISCARDED].value = discarded;
	r->m[MEASURE_DELIVERY].value = delivery;
	r->m[MEASURE_PROCESSING].value = processing;
}

static struct bottleneck
judged(const struct bottleneck_row *r)
{
	struct bottleneck v;

	bottleneck_judge(r, &v);
	return v;
}

static void
is(const struct bottleneck_row *r, enum bottleneck_word word)
{
	assert_string_equal(bottleneck_words[judged(r).word].word,
			    bottleneck_words[word].word);
}

UNIT(words_and_their_presets)
{
	for (int i = 0; i < BOTTLENECK_COUNT; i++) {
		const struct bottleneck_texts *t = &bottleneck_words[i];

		assert_int_equal(bottleneck_find(t->word), i);
		assert_true(strlen(t->word) <= 8);
		assert_true(t->see[0] == 0 || preset_find(t->see) >= 0);
	}
	assert_int_equal(bottleneck_find("slow"), -1);
	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		assert_true(metric_find(bottleneck_measure_metric[m]) >= 0);
}

UNIT(idle_and_kernel_come_first)
{
	struct bottleneck_row r = plain();

	slots(&r, 10, 5, 5, 80);
	r.m[MEASURE_L1D_LOAD].value = 40;
	r.busy_pct = 4.9;
	is(&r, BOTTLENECK_IDLE);
	r.busy_pct = 6;
	is(&r, BOTTLENECK_MEMORY);
	r.was_idle = true; /* not at once back */
	is(&r, BOTTLENECK_IDLE);
	r.busy_pct = NAN; /* the system does not say */
	is(&r, BOTTLENECK_MEMORY);
	r.user_pct = 49;
	is(&r, BOTTLENECK_KERNEL);
	assert_float_equal(judged(&r).share, 0.51, 1e-6);
	r.user_pct = NAN; /* all modes are counted together */
	is(&r, BOTTLENECK_MEMORY);
}

UNIT(slots_name_the_cause)
{
	struct bottleneck_row r = plain();

	slots(&r, 55, 15, 10, 20);
	is(&r, BOTTLENECK_NONE);
	slots(&r, 10, 5, 5, 80);
	r.m[MEASURE_L1D_LOAD].value = 25;
	struct bottleneck v = judged(&r);

	assert_int_equal(v.word, BOTTLENECK_MEMORY);
	assert_float_equal(v.share, 0.8, 1e-6);
	assert_int_equal(v.basis, BOTTLENECK_OF_SLOTS);
	assert_string_equal(metric_table[v.evidence].name, "l1d_ld_mpki");
	assert_float_equal(v.evidence_value, 25, 1e-6);
	assert_string_equal(preset_table[v.see].name, "l1d");
	/* Held up, and not by loads. */
	r.m[MEASURE_L1D_LOAD].value = 2;
	is(&r, BOTTLENECK_MIXED);
	/* Nobody looked at loads: what would tell is named. */
	r.m[MEASURE_L1D_LOAD].value = NAN;
	v = judged(&r);
	assert_int_equal(v.word, BOTTLENECK_UNKNOWN);
	assert_string_equal(preset_table[v.see].name, "l1d");

	slots(&r, 25, 35, 20, 20);
	is(&r, BOTTLENECK_BAD_SPEC);
	r.m[MEASURE_BRANCH].value = 1; /* thrown away, not by branches */
	is(&r, BOTTLENECK_MIXED);
	r.m[MEASURE_BRANCH].value = NAN;
	slots(&r, 20, 5, 60, 15);
	r.m[MEASURE_STARVE].value = 35;
	is(&r, BOTTLENECK_FRONTEND);
	r.m[MEASURE_STARVE].value = 5; /* narrow delivery, no hole */
	is(&r, BOTTLENECK_MIXED);
}

/* What a wrong guess costs is a matter of the IPC of the mode counted. */
UNIT(cost_without_ipc_is_unknown)
{
	struct bottleneck_row r = plain();

	r.ipc = NAN;
	r.m[MEASURE_BRANCH].value = 11;
	r.m[MEASURE_L1D_LOAD].value = 9;
	slots(&r, 15, 19, 25, 41);
	is(&r, BOTTLENECK_MIXED);
}

UNIT(two_causes_alike_are_mixed)
{
	struct bottleneck_row r = plain();

	r.m[MEASURE_L1D_LOAD].value = 25;
	r.m[MEASURE_BRANCH].value = 6;
	slots(&r, 20, 24, 8, 48); /* both at 1.2 of their marks */
	is(&r, BOTTLENECK_MIXED);
	assert_float_equal(judged(&r).share, 0.8, 1e-6);
	/* A core that reached 4 of 8 does well at 0.3 of its slots. */
	assert_float_equal(judged(&r).cost, 1 - 0.2F / 0.3F, 1e-6);
	slots(&r, 10, 22, 8, 60); /* 1.5 and 1.1 */
	is(&r, BOTTLENECK_MEMORY);
}

UNIT(cycles_tell_where_no_slots_do)
{
	struct bottleneck_row r = plain();

	is(&r, BOTTLENECK_UNKNOWN);
	assert_string_equal(preset_table[judged(&r).see].name, "topdown");
	r.ipc = 4.2; /* half of the slots at least */
	is(&r, BOTTLENECK_NONE);
	r.ipc = 0.5;
	r.m[MEASURE_STALL].value = 75;
	r.m[MEASURE_STARVE].value = 4;
	r.m[MEASURE_BRANCH].value = 1;
	r.m[MEASURE_L1D_LOAD].value = 30;
	is(&r, BOTTLENECK_MEMORY);
	assert_int_equal(judged(&r).basis, BOTTLENECK_OF_CYCLES);
	r.ipc = 2;
	r.m[MEASURE_STALL].value = 20;
	r.m[MEASURE_BRANCH].value = 8;
	is(&r, BOTTLENECK_BAD_SPEC);
	/* 8 in a thousand, two instructions a cycle, 15 cycles each */
	assert_float_equal(judged(&r).share, 0.24, 1e-6);
	assert_int_equal(judged(&r).basis, BOTTLENECK_ESTIMATE);
	r.m[MEASURE_BRANCH].value = 1;
	r.m[MEASURE_STARVE].value = 30;
	is(&r, BOTTLENECK_FRONTEND);
	r.m[MEASURE_STARVE].value = 8;
	is(&r, BOTTLENECK_MIXED);
	r.m[MEASURE_STARVE].value = NAN; /* so it may be that */
	is(&r, BOTTLENECK_UNKNOWN);
}

UNIT(younger_counts_win)
{
	struct bottleneck_row r = plain();

	slots(&r, 10, 5, 5, 80);
	for (unsigned m = 0; m < MEASURE_SHARES; m++)
		r.m[m].age_s = 8;
	r.m[MEASURE_L1D_LOAD].value = 25;
	assert_float_equal(judged(&r).age_s, 8, 1e-6);
	assert_int_equal(judged(&r).basis, BOTTLENECK_OF_SLOTS);
	r.m[MEASURE_STALL] = (struct bottleneck_measured){ 60, 0 };
	assert_int_equal(judged(&r).basis, BOTTLENECK_OF_CYCLES);
	assert_float_equal(judged(&r).age_s, 0, 1e-6);
}

/* An E core that does what E cores do is not accused of it. */
UNIT(kinds_have_their_own_reach)
{
	struct bottleneck_row r = plain();

	slots(&r, 27, 5, 34, 34);
	r.m[MEASURE_STARVE].value = 6;
	r.m[MEASURE_L1D_LOAD].value = 3;
	r.m[MEASURE_BRANCH].value = 1;
	is(&r, BOTTLENECK_MIXED);
	r.fastest = false;
	r.width = 4;
	r.reach = 1.5;
	is(&r, BOTTLENECK_NONE);
}
