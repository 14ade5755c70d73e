/* Presets that take turns, told from the frames of a recording. */
#include "ui/view/turns.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SCOPES = 2 }; /* a CPU, the machine */

static struct history past;

/* A frame for each word: a preset, "-" for none, "mine" for the person's. */
static struct turns
turns_of(const char *words, unsigned back)
{
	static const struct event event = { .name = "A" };
	static const struct preset mine = { .name = "mine" };
	struct span span[SCOPES] = { { .n_ok = 1 }, { .n_ok = 1 } };
	double value[SCOPES] = { 1, 1 };
	uint8_t state[SCOPES] = { 0, 0 };
	uint64_t mask[HISTORY_MASK] = { 1 };
	struct turns t;

	assert_true(history_init(&past, 1, 1, 1, NULL));
	for (const char *at = words; *at != '\0';) {
		struct eventset set = { .len = *at != '-' };
		size_t n = strcspn(at, " ");

		memcpy(set.name, at, n);
		set.slot[0].event = &event;
		history_push(&past,
			     &(struct frame){ .nscopes = SCOPES,
					      .nmetrics = 1,
					      .set = &set,
					      .span = span,
					      .value = value,
					      .state = state },
			     mask);
		at += n + (at[n] == ' ');
	}
	turns_find(&past, back, &mine, 1, &t);
	history_done(&past);
	return t;
}

UNIT(test_turns_are_found)
{
	struct turns t = turns_of("branch overview l1d branch overview", 0);

	assert_int_equal(t.n, 3);
	assert_int_equal(t.preset[0], preset_find("overview"));
	for (unsigned i = 1; i < t.n; i++)
		assert_true(t.preset[i - 1] < t.preset[i]);
	assert_int_equal(turns_of("overview branch overview", 0).n, 2);
	assert_int_equal(turns_of("overview mine overview mine", 0).n, 2);
}

UNIT(test_one_swap_is_no_turn)
{
	assert_int_equal(turns_of("overview", 0).n, 0);
	assert_int_equal(turns_of("overview overview branch branch", 0).n, 0);
	assert_int_equal(turns_of("overview branch", 0).n, 0);
	assert_int_equal(turns_of("overview - branch - overview", 0).n, 0);
	assert_int_equal(turns_of("", 0).n, 0);
}

UNIT(test_it_is_as_of_the_frame_that_is_shown)
{
	static const char words[] = "overview branch overview branch l1d l1d "
				    "l1d l1d";

	assert_int_equal(turns_of(words, 0).n, 0);
	assert_int_equal(turns_of(words, 4).n, 2);
	assert_int_equal(turns_of(words, 3).n, 3);
}
