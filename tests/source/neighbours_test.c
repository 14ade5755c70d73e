/*
 * What other root processes may do to the counters while ktop has them, one
 * after the other: each is seen by the next reading, said with a remedy, left
 * alone where it is theirs, and got over when they leave.
 */
#include "sim/neighbour.h"

#include <errno.h>

#include "source/mac_calls.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

/* The calls that change something, counted. */
static unsigned changes;

static int
set_counting(uint32_t classes)
{
	changes++;
	return sim_kperf()->kpc_set_counting(classes);
}

static int
set_config(uint32_t classes, uint64_t *words)
{
	changes++;
	return sim_kperf()->kpc_set_config(classes, words);
}

static int
set_thread_counting(uint32_t classes)
{
	changes++;
	return sim_kperf()->kpc_set_thread_counting(classes);
}

static int
force_set(int on)
{
	changes++;
	return sim_kperf()->kpc_force_all_ctrs_set(on);
}

static void
open_mac(const char *spec, bool ipc)
{
	boot_with_calls(spec);
	kpc.kpc_set_counting = set_counting;
	kpc.kpc_set_config = set_config;
	kpc.kpc_set_thread_counting = set_thread_counting;
	kpc.kpc_force_all_ctrs_set = force_set;
	changes = 0;
	open_booted(ipc);
}

/* The acts. */

static void
takes(void)
{
	assert_int_equal(neighbour_takes(), 0);
}

static void
one_word(void)
{
	assert_int_equal(neighbour_words(3), 0);
}

static void
stops(void)
{
	assert_int_equal(neighbour_set32("kpc.counting", 0), 0);
}

static void
fixed_only(void)
{
	assert_int_equal(neighbour_set32("kpc.counting", 1), 0);
}

static void
asks_for_force(void)
{
	assert_int_equal(neighbour_set32("kpc.force_all_ctrs", 1), EACCES);
	assert_int_equal(neighbour_set32("kpc.force_all_ctrs", 0), EACCES);
}

static void
samples(void)
{
	assert_int_equal(neighbour_samples(77), 0);
}

/* Whose handler lets anybody release (its source is closed). */
static void
releases_force(void)
{
	struct sim_kernel *k = sim_lock();
	struct sim_holder holder = k->s->force_by;

	assert_int_equal(sim_force_set(k, &holder, false), 0);
	sim_unlock();
}

static void
releases_and_takes(void)
{
	releases_force();
	assert_int_equal(neighbour_set32("kpc.force_all_ctrs", 1), 0);
	takes();
}

static void
leaves(void)
{
	stops();
}

static void
leaves_with_force(void)
{
	stops();
	assert_int_equal(neighbour_set32("kpc.force_all_ctrs", 0), 0);
}

static void
stays(void)
{
}

static const struct {
	const char *name;
	void (*act)(void), (*end)(void);
	bool seen;    /* by the next reading */
	bool by_self; /* over without their leaving */
	bool theirs;  /* the set-up that stands when ktop ends in the midst */
} cases[] = {
	{ "takes the counters", takes, leaves, true, false, true },
	{ "writes one word", one_word, leaves, true, false, true },
	{ "stops all counting", stops, stays, true, true, true },
	{ "counts the fixed pair only", fixed_only, stays, true, true, true },
	{ "asks for force", asks_for_force, stays, false, true, false },
	{ "samples by periods and threads", samples, stays, false, true,
	  false },
	{ "releases force", releases_force, stays, true, true, false },
	{ "releases force and takes all", releases_and_takes, leaves_with_force,
	  true, false, true },
};

static void
begin(const char *spec)
{
	open_mac(spec, false);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(100);
	read_now();
	assert_int_equal(sample->flags, 0);
}

static void
is_well(const char *name, uint64_t before)
{
	step_ms(100);
	read_now();
	if (sample->flags != 0 || source->info.mode != SOURCE_FULL)
		fail_msg("%s: flags %#x", name, sample->flags);
	assert_string_equal(source->info.notice, "");
	assert_true(sample->cpu[4].slot[0].count > before);
}

/* Seen, said, survived, got over. */
static void
seen_and_got_over(void **state)
{
	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		begin("m1,clock=step");
		cases[i].act();
		step_ms(100);
		read_now();
		assert_int_equal(delivered(), 8);
		assert_int_equal((sample->flags & SAMPLE_STOLEN) != 0,
				 cases[i].seen);
		assert_int_equal(source->info.notice[0] != '\0', cases[i].seen);
		if (cases[i].seen)
			assert_non_null(strstr(source->info.notice,
					       "ktop takes them back when"));
		for (int n = 0; n < 3 && !cases[i].by_self; n++) {
			char said[200];

			strcpy(said, source->info.notice);
			step_ms(100);
			read_now();
			assert_true(sample->flags & SAMPLE_STOLEN);
			assert_string_equal(source->info.notice, said);
		}
		cases[i].end();
		/* One reading to set them right, which counts from there. */
		step_ms(100);
		read_now();
		is_well(cases[i].name, sample->cpu[4].slot[0].count);
		shut(state);
	}
}

/* Ending in the midst of it undoes nothing of theirs. */
static void
left_to_them(void **state)
{
	struct machine_state before, now;

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		for (int noticed = 0; noticed < 2; noticed++) {
			struct sim_kernel *k;

			begin("m1,clock=step");
			cases[i].act();
			if (noticed) {
				step_ms(100);
				read_now();
			}
			/* Power shows up with the release of force. */
			look(&before);
			close_source();
			look(&now);
			k = sim_lock();
			if (k->s->force && k->s->force_by.pid != neighbour.pid)
				fail_msg("%s: force is kept", cases[i].name);
			sim_unlock();
			assert_int_equal(now.threads, before.threads);
			if (cases[i].theirs &&
			    (now.counting & 3) != (before.counting & 3))
				fail_msg("%s: counting %u became %u",
					 cases[i].name, before.counting,
					 now.counting);
			if (!cases[i].theirs && (now.counting & 3) != 0)
				fail_msg("%s: counting goes on", cases[i].name);
			shut(state);
		}
	}
}

/* IPC mode asks, and changes nothing, whatever happens. */
static void
ipc_changes_nothing(void **state)
{
	struct eventset none = { .len = 0 };
	struct err e;

	(void)state;
	for (size_t i = 0; i < LEN(cases); i++) {
		open_mac("m1,clock=step", true);
		assert_false(source->ops->program(source, &none, &e));
		read_now();
		if (cases[i].act != releases_force &&
		    cases[i].act != releases_and_takes &&
		    cases[i].act != asks_for_force)
			cases[i].act();
		for (int n = 0; n < 5; n++) {
			step_ms(100);
			read_now();
			assert_int_equal(sample->flags, 0);
			assert_int_equal(delivered(), 8);
		}
		assert_string_equal(source->info.notice, "");
		assert_true(source->ops->program(source, NULL, &e));
		close_source();
		assert_int_equal(changes, 0);
		shut(state);
	}
}

/*
 * A thief who starts between two calls of ktop's has its words latched from
 * macOS 26 on, while ktop's are read back: that must not pass for success.
 */
static int
set_config_and_be_robbed(uint32_t classes, uint64_t *words)
{
	int rc = sim_kperf()->kpc_set_config(classes, words);

	assert_int_equal(neighbour_set32("kpc.counting", 3), 0);
	return rc;
}

static void
a_start_in_between(void **state)
{
	struct err e = { ERR_NONE, "" };

	(void)state;
	open_mac("m1,clock=step", false);
	kpc.kpc_set_config = set_config_and_be_robbed;
	assert_false(program("INST_ALL CORE_ACTIVE_CYCLE", &e));
	assert_int_equal(e.code, ERR_TAKEN);
	assert_non_null(strstr(e.text, "another tool is programming them"));
	assert_int_equal(source->info.mode, SOURCE_IPC);
}

static int
set_counting_is_busy(uint32_t classes)
{
	(void)classes;
	errno = EBUSY;
	return -1;
}

/*
 * Counters that another tool stopped, and an attempt to start them again that
 * failed: stopped is how ktop left them then, and it is not enough.
 */
static void
an_attempt_that_failed(void **state)
{
	(void)state;
	begin("m1,clock=step");
	stops();
	step_ms(100);
	read_now();
	kpc.kpc_set_counting = set_counting_is_busy;
	for (int i = 0; i < 3; i++) {
		step_ms(100);
		read_now();
		assert_true(sample->flags & SAMPLE_STOLEN);
	}
	kpc.kpc_set_counting = set_counting;
	step_ms(100);
	read_now();
	is_well("an attempt that failed", sample->cpu[4].slot[0].count);
}

/* A theft just before an outage is got over after it. */
static void
recovered_after_an_outage(void **state)
{
	(void)state;
	open_mac("m1,clock=step,fault=busy@1s-3s", false);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(950);
	stops();
	read_now();
	assert_true(sample->flags & SAMPLE_STOLEN);
	for (int i = 0; i < 4; i++) {
		step_ms(500);
		read_now();
		assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
	}
	step_ms(500);
	read_now();
	is_well("busy", sample->cpu[4].slot[0].count);
}

/* Nobody is in the way any more, and the kernel refuses the set: said so. */
static void
refused_when_taking_back(void **state)
{
	(void)state;
	open_mac("m1,clock=step,fault=refuse:INST_ALL@1s-3s,"
		 "fault=refuse:CORE_ACTIVE_CYCLE@1s-3s",
		 false);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(1100);
	takes();
	read_now();
	leaves();
	step_ms(100);
	read_now();
	step_ms(100);
	read_now();
	assert_true(sample->flags & SAMPLE_STOLEN);
	assert_non_null(
		strstr(source->info.notice, "macOS refuses all 2 events"));
	step_ms(3000);
	read_now();
	is_well("refused", sample->cpu[4].slot[0].count);
}

/* What is refused of it is left out from then on, and the others count. */
static void
one_refused_when_taking_back(void **state)
{
	(void)state;
	open_mac("m1,clock=step,fault=refuse:INST_ALL@1s", false);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(1100);
	takes();
	read_now();
	leaves();
	step_ms(100);
	read_now();
	step_ms(100);
	read_now();
	assert_int_equal(sample->flags & SAMPLE_STOLEN, 0);
	assert_non_null(
		strstr(source->info.notice, "macOS refuses INST_ALL; "));
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(sample->cpu[4].slot[i].supported,
				 strcmp(sample->set->slot[i].event->name,
					"INST_ALL") != 0);
	assert_int_equal(source->info.set->ndropped, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seen_and_got_over),
		cmocka_unit_test(left_to_them),
		cmocka_unit_test(ipc_changes_nothing),
		cmocka_unit_test_teardown(a_start_in_between, shut),
		cmocka_unit_test_teardown(an_attempt_that_failed, shut),
		cmocka_unit_test_teardown(recovered_after_an_outage, shut),
		cmocka_unit_test_teardown(refused_when_taking_back, shut),
		cmocka_unit_test_teardown(one_refused_when_taking_back, shut),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
