/*
 * A giving back that the kernel refuses stays owed: it is finished when the
 * kernel lets ktop, and what is ktop's is never taken for what it found.
 */
#include "sim/neighbour.h"

#include <errno.h>

#include "source/mac_calls.h"

/* Of the newer kernel, too, which tells words only while they count. */
static const char *const machines[] = { "m1", "m1,os=26.6", "m6,os=27" };
static const char *machine;

static bool
newer(void)
{
	return strcmp(machine, "m1") != 0;
}

/* A word of this chip's: retired instructions, in user mode. */
static uint64_t
trace(void)
{
	return 0x20000 | (strncmp(machine, "m6", 2) == 0 ? 0x8 : 0x8c);
}

static void
open_mac(const char *fault)
{
	char spec[120];

	snprintf(spec, sizeof(spec), "%s,clock=step%s", machine, fault);
	boot_with_calls(spec);
	open_booted(false);
}

static bool
forced(void)
{
	bool on = sim_lock()->s->kpc.force;

	sim_unlock();
	return on;
}

static struct machine_state found;
static uint32_t counting; /* what is found so */

/* All words, also those that need force to be seen. */
static void
look_at_all(struct machine_state *now)
{
	look(now);
	struct sim_kernel *k = sim_lock();
	if (!sim_cpc(k))
		memcpy(now->word, k->s->kpc.word, SIM_PMCS * sizeof(uint64_t));
	else if (k->s->kpc.applied)
		memcpy(now->word, k->s->kpc.live, SIM_PMCS * sizeof(uint64_t));
	sim_unlock();
}

static void
is_as_found(void)
{
	struct machine_state now;

	look_at_all(&now);
	assert_memory_equal(&now, &found, sizeof(now));
}

/*
 * Counters released while the kernel refuses everything: words, counting and
 * force are ktop's all the same, not something it finds, and go back with the
 * next reading, the next release, or the end.
 */
static void
release_in_an_outage(const char *fault)
{
	char text[80];
	struct err e;

	snprintf(text, sizeof(text), ",fault=%s@1s-3s", fault);
	open_mac(text);
	leave_traces(counting, 0, trace());
	look_at_all(&found);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(1100);
	assert_false(source->ops->program(source, NULL, &e));
	assert_non_null(strstr(e.text, "tries again at every reading"));
	assert_true(forced());
}

static void
a_release_that_failed(void)
{
	static const char *const fault[] = { "eperm", "busy" };
	enum { BY_READING, BY_RELEASE, BY_END, WAYS };
	struct err e;

	/* From macOS 26.5 on nobody in the kernel makes it busy. */
	for (unsigned i = 0; i < (newer() ? 1 : 2) * WAYS; i++) {
		release_in_an_outage(fault[i / WAYS]);
		if (i % WAYS != BY_RELEASE) { /* in the midst of it */
			step_ms(1000);
			read_now();
			assert_true(forced());
			assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
		}
		step_ms(2000);
		if (i % WAYS == BY_READING) {
			read_now();
			assert_string_equal(source->info.notice, "");
			is_as_found();
		}
		if (i % WAYS == BY_RELEASE) {
			program_ok("INST_ALL INST_BRANCH");
			assert_true(source->ops->program(source, NULL, &e));
			is_as_found();
		}
		close_source();
		is_as_found();
		shut(NULL);
	}
}

/* Who took them in the meantime keeps them. */
static void
a_release_that_failed_and_a_thief(void)
{
	struct machine_state now, theirs;

	release_in_an_outage("eperm");
	step_ms(3000);
	OK(neighbour_takes());
	look_at_all(&theirs);
	read_now();
	look_at_all(&now);
	assert_false(forced());
	assert_int_equal(now.counting & 3, theirs.counting & 3);
	assert_memory_equal(now.word, theirs.word, sizeof(now.word));
	assert_string_equal(source->info.notice, "");
}

/* A preset that the outage refuses changes nothing that is owed. */
static void
a_preset_before_the_release(void)
{
	struct err e;

	open_mac(newer() ? ",fault=eperm@1s-3s" : ",fault=busy@1s-3s");
	leave_traces(counting, 0, trace());
	look_at_all(&found);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(1100);
	assert_false(program("INST_ALL INST_BRANCH", &e));
	assert_false(source->ops->program(source, NULL, &e));
	step_ms(3000);
	read_now();
	is_as_found();
}

/* The calls of set_config that fail, and how many more will. */
static unsigned refusals;

/* Where words that do not count are left alone nobody asks for them. */
static void
outlast_refusals(void)
{
	for (unsigned i = 0; refusals > 0 && i < 32; i++)
		read_now();
	refusals = 0;
	read_now();
}

static int
set_config_refuses(uint32_t classes, uint64_t *words)
{
	if (refusals > 0) {
		refusals--;
		errno = EPERM;
		return -1;
	}
	return sim_kperf()->kpc_set_config(classes, words);
}

/*
 * An outage that ends between two calls of the giving back: what was refused
 * before it ended is no word that macOS refuses.
 */
static void
an_outage_that_ends_in_the_midst(void)
{
	for (unsigned n = 1; n < 24; n++) {
		open_mac("");
		leave_traces(counting, 0, trace());
		look_at_all(&found);
		program_ok("INST_ALL CORE_ACTIVE_CYCLE");
		read_now();
		kpc.kpc_set_config = set_config_refuses;
		refusals = n;
		(void)source->ops->program(source, NULL, NULL);
		outlast_refusals();
		is_as_found();
		shut(NULL);
	}
}

static int
get_config_refuses(uint32_t classes, uint64_t *words)
{
	if (refusals > 0) {
		refusals--;
		errno = EPERM;
		return -1;
	}
	return sim_kperf()->kpc_get_config(classes, words);
}

/* What could not be looked at is not written over, be it a thief's. */
static void
a_thief_that_cannot_be_seen(void)
{
	struct machine_state now, theirs;

	for (unsigned n = 1; n < 12; n++) {
		open_mac("");
		program_ok("INST_ALL CORE_ACTIVE_CYCLE");
		read_now();
		OK(neighbour_takes());
		look_at_all(&theirs);
		kpc.kpc_get_config = get_config_refuses;
		refusals = n;
		(void)source->ops->program(source, NULL, NULL);
		outlast_refusals();
		look_at_all(&now);
		assert_false(forced());
		assert_int_equal(now.counting & 3, theirs.counting & 3);
		assert_memory_equal(now.word, theirs.word, sizeof(now.word));
		shut(NULL);
	}
}

/*
 * Refused, and refused again when the old set was to go on: nothing counts, up
 * to the reading in which it does again. No reading may miss that.
 */
static void
stood_still_between_two_readings(void)
{
	struct err e;
	uint64_t count;

	open_mac(",fault=refuse:*@1s-2s");
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(1100);
	read_now();
	assert_int_equal(sample->flags, 0);
	assert_false(program("INST_ALL INST_BRANCH", &e));
	step_ms(1000);
	read_now();
	count = sample->cpu[4].slot[0].count;
	assert_true(sample->flags & SAMPLE_TAKEN_OVER);
	step_ms(100);
	read_now();
	assert_int_equal(sample->flags, 0);
	assert_true(sample->cpu[4].slot[0].count > count);
}

static int
asked_a_moment_too_early(int *on)
{
	*on = 1;
	return 0;
}

/* Another's force that ends between our question and our setting is ours. */
static void
force_that_ends_in_between(void)
{
	open_mac("");
	kpc.kpc_force_all_ctrs_get = asked_a_moment_too_early;
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	assert_true(forced());
	close_source();
	assert_false(forced());
}

static void
on_each(void (*test)(void))
{
	static const uint32_t of[] = { 0, 1, 3 };

	for (unsigned m = 0; m < sizeof(machines) / sizeof(machines[0]); m++)
		for (unsigned c = 0; c < sizeof(of) / sizeof(of[0]); c++) {
			machine = machines[m];
			counting = of[c];
			test();
			shut(NULL);
		}
}

/* clang-format off */
#define TESTS(DO) \
	DO(a_release_that_failed) DO(a_release_that_failed_and_a_thief) \
	DO(a_preset_before_the_release) DO(an_outage_that_ends_in_the_midst) \
	DO(a_thief_that_cannot_be_seen) DO(stood_still_between_two_readings) \
	DO(force_that_ends_in_between)
#define EACH(test) \
	static void test##_on_each(void **state) { (void)state; on_each(test); }
#define LISTED(test) cmocka_unit_test_teardown(test##_on_each, shut),
TESTS(EACH)

int
main(void)
{
	const struct CMUnitTest tests[] = { TESTS(LISTED) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
