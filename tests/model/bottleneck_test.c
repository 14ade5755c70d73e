/* The words of bottlenecks, and what they go by. */
#include "model/bottleneck.h"

#include <string.h>

#include <cmocka.h>

#include "model/metric.h"

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
