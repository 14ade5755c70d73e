/* Presets that take turns, told from the frames of a recording. */
#include "ui/view/turns.h"

#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A frame for each word: a preset, "-" for none, "mine" for the person's. */
static struct turns
turns_of(const char *words, unsigned back)
{
	static const struct event event = { .name = "A" };
	static const struct preset mine = { .name = "mine" };
	struct topology *machine = topology_new(1, 1, 1, NULL);
	static const struct span span[4]; /* a CPU, a cluster, a kind, all */
	struct turns t;

	topology_finish(machine);
	struct history *past =
		history_new(&(struct history_of){ .topology = machine }, NULL);

	assert_non_null(past);
	for (const char *at = words; *at != '\0';) {
		struct eventset set = { .len = *at != '-' };
		size_t n = strcspn(at, " ");

		memcpy(set.name, at, n);
		set.slot[0].event = &event;
		history_push(past, &(struct frame){ .nscopes = 4,
						    .set = &set,
						    .span = span });
		at += n + (at[n] == ' ');
	}
	turns_find(past, back, &mine, 1, &t);
	history_free(past);
	topology_free(machine);
	return t;
}

UNIT(test_turns_are_found)
{
	struct turns t = turns_of("branch basic l1d branch basic", 0);

	assert_int_equal(t.n, 3);
	assert_int_equal(t.preset[0], preset_find("basic"));
	for (unsigned i = 1; i < t.n; i++)
		assert_true(t.preset[i - 1] < t.preset[i]);
	assert_int_equal(turns_of("basic branch basic", 0).n, 2);
	assert_int_equal(turns_of("basic mine basic mine", 0).n, 2);
}

UNIT(test_one_swap_is_no_turn)
{
	assert_int_equal(turns_of("basic", 0).n, 0);
	assert_int_equal(turns_of("basic basic branch branch", 0).n, 0);
	assert_int_equal(turns_of("basic branch", 0).n, 0);
	assert_int_equal(turns_of("basic - branch - basic", 0).n, 0);
	assert_int_equal(turns_of("", 0).n, 0);
}

UNIT(test_it_is_as_of_the_frame_that_is_shown)
{
	static const char words[] = "basic branch basic branch l1d l1d "
				    "l1d l1d";

	assert_int_equal(turns_of(words, 0).n, 0);
	assert_int_equal(turns_of(words, 4).n, 2);
	assert_int_equal(turns_of(words, 3).n, 3);
}
