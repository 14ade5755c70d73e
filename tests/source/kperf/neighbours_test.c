/*
 * What other root processes may do to the counters while ktop has them, one
 * after the other: each is seen by the next reading, said with a remedy, left
 * alone where it is theirs, and got over when they leave.
 */
#include "sim/neighbour.h"

#include <errno.h>

#include "source/mac_calls.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

static unsigned changes; /* calls that change something */

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
	OK(neighbour_takes());
}

static void
one_word(void)
{
	OK(neighbour_words(3));
}

static void
asks_for_all(void)
{
	OK(neighbour_set32("kpc.force_all_ctrs", 1));
}

/* With the newer kernel they act from the next start on, and not before. */
static void
one_word_and_starts(void)
{
	one_word();
	OK(neighbour_set32("kpc.counting", 3));
}

static void
stops(void)
{
	OK(neighbour_set32("kpc.counting", 0));
}

static void
fixed_only(void)
{
	OK(neighbour_set32("kpc.counting", 1));
}

/* Which kernel: the one of macOS 26.5 on tells less, and refuses nobody. */
static const char *const machines[] = { "m1", "m1,os=26.6", "m6,os=27" };

static bool
newer(void)
{
	bool cpc = sim_cpc(sim_lock());

	sim_unlock();
	return cpc;
}

static void
asks_for_force(void)
{
	int answer = newer() ? 0 : EACCES;

	assert_int_equal(neighbour_set32("kpc.force_all_ctrs", 1), answer);
	assert_int_equal(neighbour_set32("kpc.force_all_ctrs", 0), answer);
}

static void
samples(void)
{
	OK(neighbour_samples(77));
}

/* Whose handler lets anybody release (its source is closed). */
static void
releases_force(void)
{
	struct sim_kernel *k = sim_lock();
	struct sim_holder holder = k->s->kpc.force_by;

	assert_int_equal(sim_force_set(k, &holder, false), 0);
	sim_unlock();
}

static void
releases_and_takes(void)
{
	releases_force();
	asks_for_all();
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
	OK(neighbour_set32("kpc.force_all_ctrs", 0));
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
	enum { ANY, OLDER, NEWER } kernel;
} cases[] = {
	/* clang-format off */
	{ "takes the counters", takes, leaves, true, false, true, ANY },
	{ "writes one word", one_word, leaves, true, false, true, OLDER },
	{ "writes one word", one_word, stays, false, true, false, NEWER },
	{ "writes one and starts", one_word_and_starts, leaves, true, false, true, ANY },
	{ "stops all counting", stops, stays, true, true, true, ANY },
	{ "counts the fixed pair only", fixed_only, stays, true, true, true, ANY },
	{ "asks for force", asks_for_force, stays, false, true, false, ANY },
	{ "samples by periods and threads", samples, stays, false, true, false, ANY },
	{ "releases force", releases_force, stays, true, true, false, ANY },
	{ "releases force and takes all", releases_and_takes, leaves_with_force, true, false, true, ANY },
	/* clang-format on */
};

static bool
is_here(unsigned i)
{
	return cases[i].kernel == ANY || (cases[i].kernel == NEWER) == newer();
}

/* A stepped machine, and what else its text has to say. */
static const char *
stepped(const char *machine, const char *more)
{
	static char spec[160];

	snprintf(spec, sizeof(spec), "%s,clock=step%s", machine, more);
	return spec;
}

static void
begin(const char *machine)
{
	open_mac(stepped(machine, ""), false);
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
seen_and_got_over(const char *machine)
{
	for (unsigned i = 0; i < LEN(cases); i++) {
		begin(machine);
		if (!is_here(i)) {
			shut(NULL);
			continue;
		}
		cases[i].act();
		step_ms(100);
		read_now();
		assert_int_equal(delivered(), sample->ncpus);
		if (((sample->flags & SAMPLE_TAKEN_OVER) != 0) != cases[i].seen)
			fail_msg("%s, %s: flags %#x", machine, cases[i].name,
				 sample->flags);
		assert_int_equal(source->info.notice[0] != '\0', cases[i].seen);
		if (cases[i].seen)
			assert_non_null(strstr(source->info.notice,
					       "ktop reacquires them when"));
		for (int n = 0; n < 3 && !cases[i].by_self; n++) {
			char said[200];

			strcpy(said, source->info.notice);
			step_ms(100);
			read_now();
			assert_true(sample->flags & SAMPLE_TAKEN_OVER);
			assert_string_equal(source->info.notice, said);
		}
		cases[i].end();
		/* One reading to set them right, which counts from there. */
		step_ms(100);
		read_now();
		is_well(cases[i].name, sample->cpu[4].slot[0].count);
		shut(NULL);
	}
}

/* Ending in the midst of it undoes nothing of theirs. */
static void
one_left_to_them(const char *machine, unsigned i, bool noticed)
{
	struct machine_state before, now;
	const char *name = cases[i].name;

	cases[i].act();
	if (noticed) {
		step_ms(100);
		read_now();
	}
	/* Power shows up with the release of force. */
	look(&before);
	close_source();
	look(&now);
	struct sim_kernel *k = sim_lock();
	if (k->s->kpc.force && k->s->kpc.force_by.pid != neighbour.pid)
		fail_msg("%s, %s: force is kept", machine, name);
	sim_unlock();
	assert_int_equal(now.threads, before.threads);
	if (cases[i].theirs && (now.counting & 3) != (before.counting & 3))
		fail_msg("%s, %s: counting %u became %u", machine, name,
			 before.counting, now.counting);
	if (!cases[i].theirs && (now.counting & 3) != 0)
		fail_msg("%s, %s: counting goes on", machine, name);
}

static void
left_to_them(const char *machine)
{
	for (unsigned i = 0; i < 2 * LEN(cases); i++) {
		begin(machine);
		if (is_here(i / 2))
			one_left_to_them(machine, i / 2, i & 1);
		shut(NULL);
	}
}

/* IPC mode asks, and changes nothing, whatever happens. */
static void
ipc_changes_nothing(const char *machine)
{
	struct eventset none = { .len = 0 };
	struct err e;

	for (unsigned i = 0; i < LEN(cases); i++) {
		open_mac(stepped(machine, ""), true);
		assert_false(source->ops->program(source, &none, &e));
		read_now();
		if (newer()) /* who does not ask for force first is refused */
			asks_for_all();
		if (cases[i].act != releases_force &&
		    cases[i].act != releases_and_takes &&
		    cases[i].act != asks_for_force)
			cases[i].act();
		for (int n = 0; n < 5; n++) {
			step_ms(100);
			read_now();
			assert_int_equal(sample->flags, 0);
			assert_int_equal(delivered(), sample->ncpus);
		}
		assert_string_equal(source->info.notice, "");
		assert_true(source->ops->program(source, NULL, &e));
		close_source();
		assert_int_equal(changes, 0);
		shut(NULL);
	}
}

/*
 * A thief who starts between two calls of ktop's: from macOS 26 on its words
 * are latched, while ktop's are read back, and from 26.5 on ktop's words count,
 * started by somebody else. That must not pass for success.
 */
static int
set_config_and_be_robbed(uint32_t classes, uint64_t *words)
{
	int rc = sim_kperf()->kpc_set_config(classes, words);

	OK(neighbour_set32("kpc.counting", 3));
	return rc;
}

static void
a_start_in_between(const char *machine)
{
	struct err e = { ERR_NONE, "" };

	open_mac(stepped(machine, ""), false);
	kpc.kpc_set_config = set_config_and_be_robbed;
	assert_false(program("INST_ALL CORE_ACTIVE_CYCLE", &e));
	assert_int_equal(e.code, ERR_TAKEN);
	assert_non_null(strstr(e.text, "another tool is programming them"));
	assert_int_equal(source->info.mode, SOURCE_IPC);
}

static int
set_counting_is_busy(uint32_t classes)
{
	errno = EBUSY;
	return -1;
}

/*
 * Counters that another tool stopped, and an attempt to start them again that
 * failed: stopped is how ktop left them then, and it is not enough.
 */
static void
an_attempt_that_failed(const char *machine)
{
	begin(machine);
	stops();
	step_ms(100);
	read_now();
	kpc.kpc_set_counting = set_counting_is_busy;
	for (int i = 0; i < 3; i++) {
		step_ms(100);
		read_now();
		assert_true(sample->flags & SAMPLE_TAKEN_OVER);
	}
	kpc.kpc_set_counting = set_counting;
	step_ms(100);
	read_now();
	is_well("an attempt that failed", sample->cpu[4].slot[0].count);
}

/* A theft just before an outage is got over after it. */
static void
recovered_after(const char *machine, const char *fault)
{
	open_mac(stepped(machine, fault), false);
	program_ok("INST_ALL CORE_ACTIVE_CYCLE");
	read_now();
	step_ms(950);
	stops();
	read_now();
	assert_true(sample->flags & SAMPLE_TAKEN_OVER);
	for (int i = 0; i < 4; i++) {
		step_ms(500);
		read_now();
		assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
	}
	step_ms(500);
	read_now();
	is_well(fault, sample->cpu[4].slot[0].count);
}

static void
recovered_after_an_outage(const char *machine)
{
	recovered_after(machine, ",fault=eperm@1s-3s");
	if (newer()) /* where nobody in the kernel owns the counters */
		return;
	shut(NULL);
	recovered_after(machine, ",fault=busy@1s-3s");
}

/* Nobody is in the way any more, and the kernel refuses the set: said so. */
static void
refused_when_taking_back(const char *machine)
{
	open_mac(stepped(machine, ",fault=refuse:INST_ALL@1s-3s,"
				  "fault=refuse:CORE_ACTIVE_CYCLE@1s-3s"),
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
	assert_true(sample->flags & SAMPLE_TAKEN_OVER);
	assert_non_null(
		strstr(source->info.notice, "macOS refuses all 2 events"));
	step_ms(3000);
	read_now();
	is_well("refused", sample->cpu[4].slot[0].count);
}

/* What is refused of it is left out from then on, and the others count. */
static void
one_refused_when_taking_back(const char *machine)
{
	open_mac(stepped(machine, ",fault=refuse:INST_ALL@1s"), false);
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
	assert_int_equal(sample->flags & SAMPLE_TAKEN_OVER, 0);
	assert_non_null(
		strstr(source->info.notice, "macOS refuses INST_ALL; "));
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(sample->cpu[4].slot[i].supported,
				 strcmp(sample->set->slot[i].event->name,
					"INST_ALL") != 0);
	assert_int_equal(source->info.set->ndropped, 1);
}

static void
on_each(void (*test)(const char *machine))
{
	for (unsigned m = 0; m < LEN(machines); m++) {
		test(machines[m]);
		shut(NULL);
	}
}

#define TESTS(DO)                     \
	DO(seen_and_got_over)         \
	DO(left_to_them)              \
	DO(ipc_changes_nothing)       \
	DO(a_start_in_between)        \
	DO(an_attempt_that_failed)    \
	DO(recovered_after_an_outage) \
	DO(refused_when_taking_back)  \
	DO(one_refused_when_taking_back)
/* clang-format off */
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
