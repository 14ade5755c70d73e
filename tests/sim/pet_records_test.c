/* Samples record by record: their lengths, idle threads, filters, what stays.
 */
#include "sim/sampling.h"

#define M "m1,os=15.5,clock=step"

static void
count_classes(struct world *w, uint32_t classes)
{
	assert_int_equal(force(w, &w->a, 1), 0);
	if (classes == 2)
		assert_int_equal(config_fill(w, &w->a, 2, 0x20002, 8), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", classes), 0);
	assert_int_equal(set32(w, &w->a, "kpc.thread_counting", classes), 0);
}

/* How many records a sample has, of threads that count, by its last one. */
static void
lengths(void **state)
{
	static const struct {
		const char *spec;
		uint32_t classes;
		unsigned records; /* 1: it begins, and nothing ends it */
	} rows[] = {
		{ M, 3, 3 },                          /* ten: 1, 0, 2 */
		{ M, 2, 2 },                          /* eight: 1, 2 */
		{ M, 1, 1 },                          /* two: 1 */
		{ "intel,os=15.5,clock=step", 3, 2 }, /* seven: 1, 2 */
	};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct world *w = world_new(rows[i].spec);
		struct tape *t = tape_new();
		unsigned n = 0;

		count_classes(w, rows[i].classes);
		set_up(w, 0x10, -1, 10 * MS);
		assert_int_equal(kd_only(w, &w->a, DATA_THREAD), 0);
		wait_ms(w, 600); /* everybody has a buffer */
		go(w);
		wait_ms(w, 300);
		t->n = kd_read(w, &w->a, t->r, MOST);
		for (size_t j = 0; j + 8 < t->n; j++) {
			const struct sim_record *r = &t->r[j];
			unsigned len = 1;

			if (r->debugid != (DATA_THREAD | 1) || r->arg[0] == 0)
				continue;
			while (r[len].cpu == r->cpu &&
			       (r[len].debugid & 1) == 0)
				len++;
			assert_int_equal(len, rows[i].records);
			assert_true(len == 1 ||
				    r[len - 1].debugid == (DATA_THREAD | 2));
			n++;
		}
		assert_true(n > 10);
		free(t);
		world_free(w);
	}
}

/* Of an idle thread: that it is one; without TH_INFO, zeros. */
static void
idle_threads(void **state)
{
	(void)state;
	for (uint32_t samplers = 0x10; samplers <= 0x11; samplers++) {
		struct world *w = world_new(M);
		struct tape *t = tape_new();
		unsigned n = 0;

		count_threads(w);
		set_up(w, samplers, -1, 10 * MS);
		wait_ms(w, 600);
		go(w);
		wait_ms(w, 300);
		t->n = kd_read(w, &w->a, t->r, MOST);
		for (size_t j = 0; j + 4 < t->n; j++) {
			const struct sim_record *r = &t->r[j];

			if (r->debugid != (GEN | 1) ||
			    r->thread < SIM_IDLE_THREAD)
				continue;
			n++;
			if (samplers == 0x11) {
				assert_int_equal(r[1].debugid, GEN | 2);
				assert_int_equal(r[1].arg[1], 1);
				continue;
			}
			assert_int_equal(r[1].debugid, DATA_THREAD | 1);
			assert_int_equal(r[3].debugid, DATA_THREAD | 2);
			for (unsigned k = 0; k < 4; k++)
				assert_int_equal(r[1].arg[k] | r[2].arg[k] |
							 r[3].arg[k],
						 0);
			assert_int_equal(r[4].debugid, GEN | 2);
		}
		assert_true(n > 5);
		free(t);
		world_free(w);
	}
}

/* Who was filtered out was not sampled: without the filter it is at once. */
static void
filtered_out(void **state)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	uint64_t pair[2] = { 1, (uint64_t)-1 };
	unsigned others = 0;

	(void)state;
	count_threads(w);
	set_up(w, 0x11, 99999, 10 * MS);
	go(w);
	wait_ms(w, 300);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++)
		assert_true(t->r[i].debugid >> 16 != TI_DATA >> 16);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a,
					   "kperf.action.filter_by_pid", NULL,
					   NULL, pair, sizeof(pair)),
			 0);
	wait_ms(w, 30);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++)
		others += t->r[i].debugid == TI_DATA;
	assert_true(others > 0);
	free(t);
	world_free(w);
}

/* A program that ends as many do: sampling off, and tracing its own still. */
static void
left_behind(void **state)
{
	struct world *w = world_new(M);
	uint64_t pair[2] = { 1, 0 };
	size_t size = sizeof(pair);

	(void)state;
	count_threads(w);
	set_up(w, 0x10, -1, 10 * MS);
	go(w);
	wait_ms(w, 50);
	assert_int_equal(kd_value(w, &w->a, ENABLE, 0), 0);
	assert_int_equal(kd_op(w, &w->a, REMOVE), 0);
	assert_int_equal(set32(w, &w->a, "kperf.sampling", 0), 0);
	sim_kernel_exit(&w->k, &w->a);
	owned(w, 100, 1, 2);
	assert_int_equal(value32(w, &w->b, "kperf.sampling"), 0);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->b,
					   "kperf.action.samplers", pair, &size,
					   pair, sizeof(pair)),
			 0);
	assert_int_equal(pair[1], 0x10);
	/* Whoever comes next is let in, and what it finds is its own to reset.
	 */
	assert_int_equal(set32(w, &w->b, "kperf.reset", 1), 0);
	owned(w, 0, 0, 0);
	world_free(w);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(idle_threads),
		cmocka_unit_test(filtered_out),
		cmocka_unit_test(left_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
