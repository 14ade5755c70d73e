/* libkperf-sampler: samplers of threads, alone and together. */
#include "sim/sampler_mac.h"

#include <pthread.h>
#include <time.h>

/*
 * The simulated kernel's thread computes without a pause on the fastest kind
 * at its highest clock (docs/SIMULATION.md): cycles follow from the time.
 */
static uint64_t
cycles_in(const char *machine, int64_t from_ns, int64_t to_ns, int64_t born_ns)
{
	const struct sim_machine *m = sim_machine_find(machine);
	uint64_t mhz = m->kind[0].mhz[SIM_STEPS - 1];

	return (uint64_t)(to_ns - born_ns) * mhz / 1000 -
	       (uint64_t)(from_ns - born_ns) * mhz / 1000;
}

static void
assert_near(uint64_t n, uint64_t want, uint64_t off)
{
	assert_in_range(n, want - off - 1, want + off + 1);
}

UNIT_IN(exact_counts_in_the_callers_order, NULL, stop)
{
	/* Two events of which the second counts what the first does. */
	static const char *const mixed[] = { "INST_BRANCH", "INST_ALL",
					     "Instructions", "Cycles",
					     "CORE_ACTIVE_CYCLE" };
	struct machine_state before;
	uint64_t a[LEN(mixed)], b[LEN(mixed)], d[LEN(mixed)];
	int64_t born, from;

	boot("m1,clock=step");
	look(&before);
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, mixed, LEN(mixed));
	born = now_ns();
	thread_start(t);
	step_ns(3 * MS);
	from = now_ns();
	thread_read(t, a);
	step_ns(17 * MS + 333);
	thread_read(t, b);
	for (unsigned i = 0; i < LEN(mixed); i++)
		d[i] = b[i] - a[i];
	assert_int_equal(d[3], cycles_in("m1", from, now_ns(), born));
	assert_int_equal(d[4], d[3]); /* a thread computes in user mode */
	assert_int_equal(d[1], d[2]);
	/* 4.2 instructions a cycle, 13 in 100 of them branches; 2^-20 parts
	 * of a cycle is how fine the simulation's rates are. */
	assert_near(d[2], d[3] * 42 / 10, d[3] >> 20);
	assert_near(d[0], d[2] * 13 / 100, d[3] >> 20);
	assert_string_equal(kps_thread_event(t, 2)->name, "FIXED_INSTRUCTIONS");
	assert_null(kps_thread_event(t, LEN(mixed)));
	assert_true(kps_thread_stop(t, NULL));
	kps_thread_free(t);
	kps_sampler_free(s);
	assert_as_before(&before);
}

UNIT_IN(the_first_reading_is_not_stale, NULL, stop)
{
	uint64_t a[4], b[4];

	boot("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, four, 4);
	step_ns(50 * MS);
	thread_start(t);
	/* Had the kernel's first answer come through, a would be zero. */
	step_ns(10 * MS);
	thread_read(t, a);
	assert_true(a[0] > 0 && a[1] > 0 && a[2] > 0);
	thread_read(t, b);
	assert_memory_equal(a, b, sizeof(a)); /* no time, no counts */
	kps_thread_free(t);                   /* while it runs */
	kps_sampler_free(s);
}

UNIT_IN(start_and_stop_as_often_as_you_like, NULL, stop)
{
	struct machine_state before, idle, running, again;
	struct kps_error e;
	uint64_t v[4] = { 1, 2, 3, 4 };

	boot("m2max,clock=step");
	look(&before);
	struct kps_sampler *s = sampler_new();
	look(&idle);
	struct kps_thread *t = thread_new(s, four, 4);
	look(&again); /* nothing is programmed yet */
	assert_memory_equal(&again, &idle, sizeof(idle));
	assert_false(kps_thread_sample(t, v, &e));
	assert_int_equal(e.code, KPS_NOT_RUNNING);
	assert_int_equal(v[3], 4);
	assert_true(kps_thread_stop(t, &e));
	for (int i = 0; i < 3; i++) {
		assert_false(kps_thread_running(t));
		assert_true(kps_thread_start(t, &e));
		look(&running);
		assert_int_equal(running.counting, 3);
		assert_int_equal(running.threads, 3);
		assert_true(kps_thread_start(t, &e));
		look(&again);
		assert_memory_equal(&again, &running, sizeof(running));
		assert_true(kps_thread_running(t));
		assert_true(kps_thread_sample(t, v, &e));
		assert_true(kps_thread_stop(t, &e));
		look(&again);
		assert_memory_equal(&again, &idle, sizeof(idle));
		assert_false(kps_thread_sample(t, v, &e));
		assert_int_equal(e.code, KPS_NOT_RUNNING);
	}
	kps_thread_free(t);
	kps_sampler_free(s);
	assert_as_before(&before);
}

UNIT_IN(nested_samplers_restore_what_was_first, NULL, stop)
{
	struct machine_state before, held;
	struct kps_sampler *outer, *inner;

	boot("m1,clock=step");
	leave_traces(3, 1, 0x8c);
	look(&before);
	outer = sampler_new();
	inner = sampler_new();
	look(&held);
	assert_int_equal(held.force, 1);
	assert_int_equal(held.nwords, 8);
	kps_sampler_free(outer); /* the older goes first */
	look(&held);
	assert_int_equal(held.force, 1);
	assert_true(kps_sampler_release(inner, NULL));
	assert_as_before(&before);
	assert_true(kps_sampler_release(inner, NULL));
	assert_true(kps_sampler_acquire(inner, NULL));
	look(&held);
	assert_int_equal(held.force, 1);
	kps_sampler_free(inner);
	assert_as_before(&before);
}

UNIT_IN(interleaved_samplers_do_not_overwrite_each_other, NULL, stop)
{
	static const char *const one[] = { "INST_ALL", "INST_BRANCH" };
	static const char *const two[] = { "BRANCH_MISPRED_NONSPEC", "INST_ALL",
					   "L1D_TLB_MISS" };
	struct kps_sampler *s, *r;
	struct kps_thread *a, *b;
	uint64_t a0[2], a1[2], b0[3], b1[3];

	boot("m1,clock=step");
	s = sampler_new();
	r = sampler_new();
	/* Both are made before either starts. */
	a = thread_new(s, one, 2);
	b = thread_new(r, two, 3);
	thread_start(a);
	thread_read(a, a0);
	step_ns(10 * MS);
	thread_start(b);
	thread_read(b, b0);
	step_ns(10 * MS);
	thread_read(b, b1);
	assert_true(kps_thread_stop(b, NULL));
	step_ns(10 * MS);
	thread_read(a, a1);
	/* a has counted through it all, INST_ALL is shared between them. */
	assert_near(a1[0] - a0[0], (b1[1] - b0[1]) * 3, 3);
	assert_near(a1[1] - a0[1], (a1[0] - a0[0]) * 13 / 100,
		    (a1[0] - a0[0]) >> 20);
	assert_true(b1[0] > b0[0] && b1[2] > b0[2]);
	assert_true(b1[0] - b0[0] < b1[1] - b0[1]);
	kps_thread_free(a);
	kps_thread_free(b);
	kps_sampler_free(r);
	kps_sampler_free(s);
}

UNIT_IN(what_does_not_fit_beside_others_is_refused, NULL, stop)
{
	/* INST_ALL and INST_LDST have counter 7 alone on an M1. */
	static const char *const one[] = { "INST_ALL" };
	static const char *const two[] = { "FIXED_CYCLES", "INST_LDST" };
	struct kps_thread *a, *b;
	struct kps_error e;
	uint64_t v[2], w[2];

	boot("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	a = thread_new(s, one, 1);
	b = thread_new(s, two, 2);
	thread_start(a);
	thread_read(a, v);
	assert_false(kps_thread_start(b, &e));
	assert_int_equal(e.code, KPS_CONFLICT);
	assert_non_null(strstr(e.text, "INST_LDST needs counter 7"));
	assert_non_null(strstr(e.text, "other samplers that run"));
	step_ns(MS);
	thread_read(a, w);
	assert_true(w[0] > v[0]); /* undisturbed */
	assert_true(kps_thread_stop(a, &e));
	assert_true(kps_thread_start(b, &e));
	kps_thread_free(b);
	kps_thread_free(a);
	kps_sampler_free(s);
}

struct worker {
	pthread_t thread;
	struct kps_sampler *sampler; /* NULL: one of its own */
	const char *const *names;
	unsigned n;
	bool ok;
};

static void *
work(void *arg)
{
	struct worker *w = arg;
	struct kps_sampler *s = w->sampler != NULL ? w->sampler : sampler_new();
	struct kps_error e;

	w->ok = true;
	for (int i = 0; i < 40; i++) {
		struct kps_thread *t = kps_thread_new(s, w->names, w->n, &e);
		uint64_t a[4], b[4];

		if (t == NULL || !kps_thread_start(t, &e) ||
		    !kps_thread_sample(t, a, &e) ||
		    !kps_thread_sample(t, b, &e) || !kps_thread_stop(t, &e)) {
			fprintf(stderr, "%s\n", e.text);
			w->ok = false;
		}
		for (unsigned j = 0; w->ok && j < w->n; j++)
			w->ok = b[j] >= a[j];
		kps_thread_free(t);
	}
	if (w->sampler == NULL)
		kps_sampler_free(s);
	return NULL;
}

static void
begin(struct worker *w, void *(*what)(void *))
{
	OK(pthread_create(&w->thread, NULL, what, w));
}

static void
all_are_well(struct worker *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		OK(pthread_join(w[i].thread, NULL));
		assert_true(w[i].ok);
	}
}

UNIT_IN(many_threads_at_once, NULL, stop)
{
	static const char *const other[] = { "FIXED_CYCLES", "L1D_TLB_MISS",
					     "MAP_STALL" };
	struct machine_state before;
	struct worker w[6];

	boot("m1max,clock=real");
	look(&before);
	struct kps_sampler *s = sampler_new();
	memset(w, 0, sizeof(w));
	for (unsigned i = 0; i < LEN(w); i++) {
		w[i].sampler = i < 3 ? s : NULL;
		w[i].names = i % 2 == 0 ? four : other;
		w[i].n = i % 2 == 0 ? 4 : 3;
		begin(&w[i], work);
	}
	all_are_well(w, LEN(w));
	kps_sampler_free(s);
	assert_as_before(&before);
}

static void *
sample_until_released(void *arg)
{
	struct worker *w = arg;
	struct kps_thread *t = kps_thread_new(w->sampler, four, 4, NULL);
	struct kps_error e = { KPS_OK, 0, 0, NULL, "" };
	uint64_t v[4];

	w->ok = t != NULL;
	/* The others start and are stopped at any moment. */
	while (w->ok && e.code != KPS_RELEASED)
		if (kps_thread_start(t, &e))
			while (kps_thread_sample(t, v, &e))
				;
	kps_thread_free(t);
	return NULL;
}

UNIT_IN(released_under_the_feet_of_threads, NULL, stop)
{
	struct machine_state before;
	struct worker w[3];

	boot("m1,clock=real");
	look(&before);
	struct kps_sampler *s = sampler_new();
	memset(w, 0, sizeof(w));
	for (unsigned i = 0; i < LEN(w); i++) {
		w[i].sampler = s;
		begin(&w[i], sample_until_released);
	}
	nanosleep(&(struct timespec){ .tv_nsec = 50000000 }, NULL);
	assert_true(kps_sampler_release(s, NULL));
	all_are_well(w, LEN(w));
	kps_sampler_free(s);
	assert_as_before(&before);
}

static void *
use_from_elsewhere(void *arg)
{
	struct kps_error e;
	uint64_t v[4];

	assert_false(kps_thread_sample(arg, v, &e));
	assert_int_equal(e.code, KPS_WRONG_THREAD);
	assert_false(kps_thread_start(arg, &e));
	assert_int_equal(e.code, KPS_WRONG_THREAD);
	assert_true(kps_thread_stop(arg, &e));
	return NULL;
}

UNIT_IN(a_thread_sampler_is_bound_to_its_thread, NULL, stop)
{
	pthread_t other;

	boot("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, four, 4);
	thread_start(t);
	OK(pthread_create(&other, NULL, use_from_elsewhere, t));
	OK(pthread_join(other, NULL));
	assert_false(kps_thread_running(t));
	thread_start(t);
	kps_thread_free(t);
	kps_sampler_free(s);
}

static unsigned calls;

static void
burn(void *arg)
{
	int64_t *ns = arg;

	calls++;
	step_ns(*ns);
}

UNIT_IN(a_function_is_measured, NULL, stop)
{
	struct kps_measurement m;
	struct kps_error e;
	int64_t ns = 1000;

	boot("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	calls = 0;
	assert_true(kps_measure(s, "FixedCycles", burn, &ns, 100, &m, &e));
	assert_int_equal(calls, 100);
	assert_int_equal(m.total, cycles_in("m1", 0, 100000, 0));
	assert_int_equal(m.unit, KPS_UNIT_CYCLES);
	assert_int_equal(m.iterations, 100);
	assert_true(m.per_iteration * 100 == (double)m.total);
	/* Batches add up; what was made between them is not in it. */
	struct kps_measurement all = { .iterations = 0 };

	assert_true(kps_measure_add(&all, &m));
	assert_true(kps_measure(s, "FixedCycles", burn, &ns, 50, &m, &e));
	assert_true(kps_measure_add(&all, &m));
	assert_int_equal(all.iterations, 150);
	assert_int_equal(all.total, cycles_in("m1", 0, 100000, 0) + m.total);
	assert_true(all.per_iteration * 150 > (double)all.total - 1);
	calls -= 50;
	assert_false(kps_measure(s, "NoSuch", burn, &ns, 1, &m, &e));
	assert_int_equal(e.code, KPS_EVENT_UNAVAILABLE);
	kps_sampler_free(s);
	assert_true(kps_measure(NULL, "FixedCycles", burn, &ns, 10, &m, &e));
	assert_int_equal(m.unit, KPS_UNIT_SECONDS);
	assert_int_equal(calls, 110);
	assert_false(kps_measure_add(&all, &m));
	assert_int_equal(all.iterations, 150);
	assert_string_equal(kps_unit_name(m.unit), "seconds");
	assert_string_equal(kps_unit_name(all.unit), "cycles");
}
