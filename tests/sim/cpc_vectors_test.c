/* The vectors of macOS 26.5 and later: words, counting, sums. */
#include "sim/cpc.h"

UNIT(counts)
{
	struct world *w = world_new(X);

	assert_int_equal(counters_n(w, 3), 7); /* C1 */
	assert_int_equal(configs_n(w, 2), 5);
	assert_int_equal(configs_n(w, 8), 0);
	assert_int_equal(configs_n(w, 10), 5);
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(counters_n(w, 3), 10);
	assert_int_equal(configs_n(w, 2), 8);
	assert_int_equal(configs_n(w, 8), 7);
	assert_int_equal(configs_n(w, 10), 15);
	world_free(w);
	w = world_new(X ",raw=17");
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(configs_n(w, 8), 17);
	assert_int_equal(configs_n(w, 10), 25);
	world_free(w);
}

UNIT(words_wait_for_counting)
{
	struct world *w = world_new(X);

	assert_int_equal(force(w, &w->a, 1), 0); /* C2 */
	assert_int_equal(count_on(w, &w->a, 3), 0);
	assert_int_equal(counting(w, &w->a), 3);
	words_are(w, 0, 8);
	stands_at_zero(w);
	world_free(w);

	w = world_new(X); /* C3 */
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_words(w, &w->a, USER | A), 0);
	words_are(w, 0, 8);
	assert_int_equal(counting(w, &w->a), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0); /* C4 */
	words_are(w, USER | A, 8);
	from_zero(w);
	goes_on(w);
	world_free(w);
}

UNIT(running_to_running)
{
	struct world *w = run(X, USER | A);
	uint64_t all, branches;

	look(w);
	all = column(0);
	assert_int_equal(config_words(w, &w->a, USER | B), 0); /* C5 */
	words_are(w, USER | A, 8);
	goes_on(w);
	assert_true(column(0) > all);
	assert_int_equal(count_on(w, &w->a, 3), 0); /* C6 */
	words_are(w, USER | B, 8);
	from_zero(w);
	branches = column(0);
	assert_true(branches < all);
	world_free(w);

	w = run(X, USER | A); /* C7 */
	assert_int_equal(count_on(w, &w->a, 3), 0);
	goes_on(w);
	world_free(w);
}

UNIT(stopping_begins_anew)
{
	struct world *w = run(X, USER | A);

	look(w);
	assert_int_equal(count_on(w, &w->a, 0), 0); /* C8 */
	assert_int_equal(counting(w, &w->a), 0);
	words_are(w, A, 8);
	stands_at_zero(w);
	for (unsigned c = 0; c < CPUS; c++)
		assert_true(now[c * 10] > last[c * 10]);
	assert_int_equal(count_on(w, &w->a, 3), 0); /* C9 */
	words_are(w, USER | A, 8);
	from_zero(w);
	world_free(w);

	w = run(X, USER | A); /* C10 */
	assert_int_equal(count_on(w, &w->a, 1), 0);
	assert_int_equal(counting(w, &w->a), 1);
	words_are(w, A, 8);
	stands_at_zero(w);
	world_free(w);
}

UNIT(refusals)
{
	struct world *w = run(X, USER | A);
	uint64_t words[8];

	for (unsigned i = 0; i < 8; i++) /* C11 */
		words[i] = USER | B;
	words[3] = USER | 0xfffe;
	assert_int_equal(config_set(w, &w->a, 2, words, 8), EPERM);
	words_are(w, USER | A, 8);
	goes_on(w);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	goes_on(w);
	words_are(w, USER | A, 8);
	world_free(w);

	w = run(X, USER | A); /* C13 */
	for (unsigned i = 0; i < 8; i++)
		words[i] = USER | A;
	words[1] = 0;
	words[2] = USER;
	assert_int_equal(config_set(w, &w->a, 2, words, 8), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	assert_int_equal(config_get(w, &w->a, 2, words, 8), 0);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(words[i], i == 1 || i == 2 ? 0 : USER | A);
	from_zero(w);
	assert_int_equal(column(1) + column(2), 0);
	world_free(w);

	w = world_new("m1,os=26.6,clock=step"); /* C14 */
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x2018c, 8), EPERM);
	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 8), 0);
	world_free(w);
	w = world_new("m1,os=26.4,clock=step");
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 2, 0x2018c, 8), 0);
	words_are(w, 0x2008c, 8); /* at once */
	world_free(w);
}

UNIT(modes)
{
	static const uint64_t bits[] = { 0x60000, 0x40000, 0x10000, 0 };

	for (unsigned i = 0; i < 4; i++) { /* C12 */
		struct world *w = run(X, bits[i] | A);

		words_are(w, USER | A, 8);
		goes_on(w);
		world_free(w);
	}
}
