/*
 * libkperf-sampler and a program that holds the counters. From macOS 26.5 on
 * the kernel would give them to anybody: the library asks before it takes them
 * from somebody who counts, and gives them back to whoever it took them from.
 */
#include "sim/neighbour.h"
#include "sim/sampler_mac.h"

static const char *const machines[] = { "m6", "m1,os=26.6", "m6,pm=0" };

struct inside {
	uint32_t force, counting;
	uint64_t word[SIM_PMCS];
};

static struct inside
look_inside(void)
{
	struct sim_kernel *k = sim_lock();
	struct inside in = { .force = k->s->kpc.force,
			     .counting = k->s->kpc.run_classes };

	if (!sim_cpc(k) || k->s->kpc.applied)
		memcpy(in.word, k->s->kpc.live, sizeof(in.word));
	sim_unlock();
	return in;
}

static void
on(const char *machine)
{
	char spec[48];

	snprintf(spec, sizeof(spec), "%s,clock=step", machine);
	boot(spec);
}

static void
neighbour_counts(void)
{
	OK(neighbour_set32("kpc.force_all_ctrs", 1));
	OK(neighbour_takes());
}

static struct kps_sampler *
take(bool anyway, struct kps_error *e)
{
	struct kps_options o = in_process();

	o.take_anyway = anyway;
	return kps_sampler_new(&o, e);
}

UNIT_IN(who_counts_is_asked_for, NULL, stop)
{
	struct inside theirs, now;
	struct kps_error e;

	for (unsigned i = 0; i < LEN(machines); i++) {
		on(machines[i]);
		neighbour_counts();
		theirs = look_inside();
		assert_null(take(false, &e));
		assert_int_equal(e.code, KPS_HELD_BY_TASK);
		assert_string_equal(kps_status_name(e.code),
				    "KPS_HELD_BY_TASK");
		assert_non_null(strstr(e.text, "counters are in use by another "
					       "program that is counting"));
		assert_non_null(strstr(e.text, "take_anyway"));
		now = look_inside();
		assert_memory_equal(&now, &theirs, sizeof(now));
	}
}

UNIT_IN(taken_anyway_and_given_back, NULL, stop)
{
	uint64_t before[4], after[4];
	struct inside theirs, now;
	struct kps_sampler *s;
	struct kps_thread *t;
	struct kps_error e;

	for (unsigned i = 0; i < LEN(machines); i++) {
		on(machines[i]);
		neighbour_counts();
		theirs = look_inside();
		s = take(true, &e);
		assert_non_null(s);
		t = thread_new(s, four, LEN(four));
		assert_true(kps_thread_start(t, &e));
		assert_true(kps_thread_sample(t, before, &e));
		step_ns(100 * MS);
		assert_true(kps_thread_sample(t, after, &e));
		for (unsigned k = 0; k < LEN(four); k++)
			assert_true(after[k] > before[k]);
		kps_thread_free(t);
		assert_true(kps_sampler_release(s, &e));
		now = look_inside();
		assert_memory_equal(&now, &theirs, sizeof(now));
		/* Asked for once is asked for again. */
		assert_true(kps_sampler_acquire(s, &e));
		kps_sampler_free(s);
		now = look_inside();
		assert_memory_equal(&now, &theirs, sizeof(now));
	}
}

/* Who forces and counts nothing is in nobody's way. */
UNIT_IN(force_alone_is_no_claim, NULL, stop)
{
	struct kps_error e;

	for (unsigned i = 0; i < LEN(machines); i++) {
		on(machines[i]);
		OK(neighbour_set32("kpc.force_all_ctrs", 1));
		struct kps_sampler *s = take(false, &e);

		assert_non_null(s);
		kps_sampler_free(s);
		assert_int_equal(look_inside().force, 1);
	}
}

/* Up to macOS 26.4 a yes proves that the program itself has them. */
UNIT_IN(one_s_own_program_on_an_older_kernel, NULL, stop)
{
	uint64_t word[KPC_MAX_COUNTERS] = { 0 };
	struct kps_error e;

	on("m1");
	const struct kperf_api *k = sim_kperf();
	OK(k->kpc_force_all_ctrs_set(1));
	word[0] = 0x2008c;
	OK(k->kpc_set_config(2, word));
	OK(k->kpc_set_counting(3));
	struct kps_sampler *s = take(false, &e);
	assert_non_null(s);
	kps_sampler_free(s);
	assert_int_equal(look_inside().counting, 3);
	OK(k->kpc_force_all_ctrs_set(0));

	on("m1,fault=taken@1ms");
	step_ns(2 * MS);
	assert_null(take(true, &e));
	assert_int_equal(e.code, KPS_TAKEN_BY_TASK);
}
