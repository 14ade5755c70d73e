/* The vectors of macOS 26.5 and later from C15 on: tools, cores, failures. */
#include "sim/cpc.h"

UNIT(force_answers_zero)
{
	struct world *w = world_new(X);
	uint64_t five[5] = { USER | B, USER | B, USER | B, USER | B, USER | B };

	assert_int_equal(force(w, &w->a, 1), 0); /* C15 */
	assert_int_equal(force(w, &w->b, 1), 0);
	assert_int_equal(force(w, &w->b, 0), 0);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 1);
	sim_kernel_exit(&w->k, &w->b);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 1);
	assert_int_equal(force(w, &w->a, 0), 0);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 0);
	world_free(w);

	w = world_new(X ",pm=0"); /* C16 */
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 1);
	assert_int_equal(counters_n(w, 3), 10);
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(force(w, &w->a, 0), 0);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 1);
	world_free(w);

	w = world_new(X); /* C17 */
	memset(w->state.kpc.buffer, 0, sizeof(w->state.kpc.buffer));
	assert_int_equal(config_set(w, &w->b, 2, five, 5), 0);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 1);
	assert_int_equal(counters_n(w, 3), 10);
	sim_kernel_exit(&w->k, &w->b);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 0);
	world_free(w);
}

UNIT(two_tools)
{
	struct world *w = run(X, USER | A);
	uint64_t found[8];

	assert_int_equal(config_words(w, &w->b, USER | B), 0); /* C18 */
	words_are(w, USER | A, 8);
	assert_int_equal(counting(w, &w->a), 3);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	words_are(w, USER | B, 8);
	from_zero(w);
	world_free(w);

	w = world_new(X); /* C19 */
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_words(w, &w->a, USER | A), 0);
	assert_int_equal(config_words(w, &w->b, USER | B), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	words_are(w, USER | B, 8);
	world_free(w);

	w = world_new(X); /* C20 */
	assert_int_equal(force(w, &w->b, 1), 0);
	assert_int_equal(config_words(w, &w->b, USER | B), 0);
	assert_int_equal(config_get(w, &w->a, 2, found, 8), 0);
	assert_int_equal(found[0] | found[7], 0);
	assert_int_equal(config_words(w, &w->a, USER | A), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	assert_int_equal(count_on(w, &w->a, 0), 0);
	assert_int_equal(config_set(w, &w->a, 2, found, 8), 0);
	sim_kernel_exit(&w->k, &w->a);
	assert_int_equal(count_on(w, &w->b, 3), 0);
	words_are(w, A, 8);
	stands_at_zero(w);
	world_free(w);
}

static void
raw_words_read(struct world *w, uint64_t want)
{
	uint64_t got[7] = { 0 };

	assert_int_equal(config_get(w, &w->a, 8, got, 7), 0);
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(got[i], want);
}

/* A wish until counting starts; then they stay, whatever the next set is. */
UNIT(raw_words_last)
{
	struct world *w = world_new(X);

	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_fill(w, &w->a, 8, 1, 7), 0);
	raw_words_read(w, 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	raw_words_read(w, 1);
	assert_int_equal(config_words(w, &w->a, USER | A), 0);
	raw_words_read(w, 1);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	raw_words_read(w, 1);
	assert_int_equal(count_on(w, &w->a, 0), 0);
	raw_words_read(w, 1);
	world_free(w);
}

UNIT(raw_words_and_giving_back)
{
	struct world *w = run(X, USER | A);
	uint64_t found[8];

	assert_int_equal(config_fill(w, &w->a, 8, 0, 7), 0); /* C21 */
	words_are(w, USER | A, 8);
	goes_on(w);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	words_are(w, A, 8);
	stands_at_zero(w);
	assert_int_equal(counting(w, &w->a), 3);
	world_free(w);

	w = world_new(X); /* C22 */
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(config_get(w, &w->a, 2, found, 8), 0);
	assert_int_equal(config_words(w, &w->a, USER | A), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	assert_int_equal(count_on(w, &w->a, 0), 0);
	assert_int_equal(config_set(w, &w->a, 2, found, 8), 0);
	words_are(w, A, 8);
	assert_int_equal(force(w, &w->a, 0), 0);
	assert_int_equal(counting(w, &w->a), 0);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 0);
	world_free(w);
}

UNIT(periods_and_failure)
{
	struct world *w = run(X, USER | A);
	uint64_t in = 2, out[8];
	size_t size = sizeof(out);

	assert_int_equal(periods(w, 2, 8, 0, 0), 0); /* C23 */
	goes_on(w);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	from_zero(w);
	world_free(w);

	w = run(X, USER | A); /* C24 */
	assert_int_equal(periods(w, 2, 8, 0, INT64_MAX), EINVAL);
	assert_int_equal(periods(w, 2, 8, 0, INT64_MAX - 1), 0);
	assert_int_equal(count_on(w, &w->a, 3), EINVAL);
	assert_int_equal(counting(w, &w->a), 3); /* which lies */
	words_are(w, A, 8);
	stands_at_zero(w);
	assert_int_equal(periods(w, 2, 8, 0, 0), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	words_are(w, USER | A, 8);
	assert_int_equal(periods(w, 2, 8, 77, 0), 0); /* C25 */
	assert_int_equal(periods(w, 1, 2, 0, 0), 0);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.period", out,
					   &size, &in, sizeof(in)),
			 0);
	for (unsigned i = 0; i < 8; i++)
		assert_int_equal(out[i], 0);
	world_free(w);
}

UNIT(power_class_starts_them_too)
{
	struct world *w = world_new(X);

	assert_int_equal(force(w, &w->a, 1), 0); /* C26 */
	assert_int_equal(config_words(w, &w->a, USER | A), 0);
	assert_int_equal(count_on(w, &w->a, 4), 0);
	assert_int_equal(counting(w, &w->a), 0);
	words_are(w, USER | A, 8);
	from_zero(w);
	assert_int_equal(count_on(w, &w->a, 0), 0);
	words_are(w, A, 8);
	world_free(w);
}

/* CPU 17 is off from 2 s to 5 s; the others begin again meanwhile. */
UNIT(cores_that_come_back)
{
	struct world *w = run(X ",fault=off:cpu17@2s-5s", USER | A);
	uint64_t before;

	wait_ms(w, 900);
	look(w);
	wait_ms(w, 200);
	before = slot(17, 0);
	assert_int_equal(count_on(w, &w->a, 0), 0); /* C27 */
	assert_int_equal(config_words(w, &w->a, USER | B), 0);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	wait_ms(w, 3000);
	look(w);
	assert_true(slot(17, 0) >= before);
	for (unsigned c = 0; c < 17; c++)
		assert_true(slot(c, 0) <= now[c * 10 + 1]);
	assert_true(column(0) > 0);
	world_free(w);

	w = run(X ",fault=off:cpu17@2s-5s", USER | A); /* C28 */
	wait_ms(w, 1500);
	assert_int_equal(count_on(w, &w->a, 0), 0);
	wait_ms(w, 3000);
	stands_at_zero(w);
	world_free(w);
}

UNIT(a_dies)
{
	struct world *w = run(X, USER | A);
	uint64_t words[8] = { 0 };

	sim_kernel_exit(&w->k, &w->a); /* C29 */
	assert_int_equal(value32(w, &w->b, "kpc.force_all_ctrs"), 0);
	assert_int_equal(counting(w, &w->b), 7);
	assert_int_equal(count32(w, &w->b, "kpc.counter_count", 3), 7);
	assert_int_equal(config_get(w, &w->b, 2, words, 5), 0);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(words[i], USER | A);
	assert_int_equal(count_on(w, &w->b, 0), 0);
	assert_int_equal(force(w, &w->b, 1), 0);
	stands_at_zero(w);
	world_free(w);

	w = run(X ",pm=0", USER | A);
	sim_kernel_exit(&w->k, &w->a);
	assert_int_equal(counting(w, &w->b), 3);
	goes_on(w);
	world_free(w);
}

UNIT(a_swap)
{
	struct world *w = run(X, USER | A);

	look(w); /* C30 */
	assert_int_equal(count_on(w, &w->a, 0), 0);
	assert_int_equal(config_words(w, &w->a, USER | B), 0);
	words_are(w, A, 8);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	words_are(w, USER | B, 8);
	look(w);
	for (unsigned c = 0; c < CPUS; c++) {
		for (unsigned i = 2; i < 10; i++)
			assert_true(now[c * 10 + i] <= last[c * 10 + i]);
		assert_true(now[c * 10] > last[c * 10]);
	}
	assert_true(last[2] == 0 || now[2] < last[2]);
	/* The same words again: the same events, other bits while stopped. */
	assert_int_equal(count_on(w, &w->a, 0), 0);
	assert_int_equal(config_words(w, &w->a, USER | B), 0);
	words_are(w, B, 8);
	assert_int_equal(count_on(w, &w->a, 3), 0);
	words_are(w, USER | B, 8);
	world_free(w);
}

/* What else is gone: nodes, and other clients of the kernel. */
UNIT(what_is_gone)
{
	struct world *w = world_new(X);
	uint32_t v;

	assert_int_equal(get32(w, &w->a, "kpc.sw_inc", &v), ENOENT);
	assert_int_equal(get32(w, &w->a, "kpc.shadow_counters", &v), ENOENT);
	w->state.kpc.cpmu_owned = true;
	assert_int_equal(counting(w, &w->a), 0);
	world_free(w);
}
