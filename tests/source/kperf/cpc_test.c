/*
 * The kperf source on the kernel of macOS 26.5 and later: words can be told
 * only while they count, sums begin at zero, and force says yes to everybody.
 */
#include "sim/neighbour.h"

#include "source/mac_calls.h"

#define NEW "m5max,os=26.6,clock=step"
#define SET "INST_ALL CORE_ACTIVE_CYCLE"

struct left {
	uint32_t force, counting;
	uint64_t word[SIM_PMCS];
};

/* The kernel's own state, whatever it tells. */
static struct left
look_inside(void)
{
	struct left l = { .force = 0 };
	struct sim_kernel *k = sim_lock();

	l.force = k->s->kpc.force;
	l.counting = sim_counting(k);
	if (k->s->kpc.applied)
		memcpy(l.word, k->s->kpc.live, sizeof(l.word));
	sim_unlock();
	return l;
}

static void
clean_reading(void)
{
	uint64_t before = sample->cpu[12].slot[0].count;

	step_ms(1000);
	read_now();
	assert_int_equal(sample->flags, 0);
	assert_true(sample->cpu[12].slot[0].count > before);
	assert_string_equal(source->info.notice, "");
}

static void
open_new(const char *spec)
{
	boot_with_calls(spec);
	open_booted(false);
}

static void
leave_and_check(void)
{
	stop(NULL);
	struct left l = look_inside();
	assert_int_equal(l.force, 0);
	assert_int_equal(l.counting, 0);
}

UNIT_IN(the_same_words_twice_are_ours, NULL, shut)
{
	open_new(NEW);
	for (int i = 0; i < 3; i++) {
		program_ok(SET);
		read_now();
		assert_int_equal(sample->flags, SAMPLE_BASELINE);
		clean_reading();
		clean_reading();
	}
	leave_and_check();
}

UNIT_IN(a_refused_preset_is_rolled_back, NULL, shut)
{
	struct err e = { ERR_NONE, "" };

	open_new(NEW ",fault=refuse:INST_BRANCH@0s");
	program_ok(SET);
	read_now();
	for (int i = 0; i < 2; i++) {
		assert_false(program("INST_BRANCH", &e));
		read_now();
		assert_int_equal(sample->flags, SAMPLE_BASELINE);
		clean_reading();
		clean_reading();
	}
	leave_and_check();
}

UNIT_IN(a_neighbour_that_only_stops, NULL, shut)
{
	open_new(NEW);
	program_ok(SET);
	read_now();
	for (int i = 0; i < 2; i++) {
		clean_reading();
		OK(neighbour_set32("kpc.counting", (uint32_t)i));
		step_ms(1000);
		read_now();
		assert_true(sample->flags & SAMPLE_TAKEN_OVER);
		step_ms(1000);
		read_now(); /* takes them back */
		assert_int_equal(sample->flags, 0);
		clean_reading();
	}
	leave_and_check();
}

UNIT_IN(a_thief_is_seen_and_keeps_what_it_set, NULL, shut)
{
	struct left theirs, after;

	open_new(NEW);
	program_ok(SET);
	read_now();
	clean_reading();
	OK(neighbour_takes());
	theirs = look_inside();
	step_ms(1000);
	read_now();
	assert_true(sample->flags & SAMPLE_TAKEN_OVER);
	assert_non_null(strstr(source->info.notice, "another tool"));
	stop(NULL);
	after = look_inside();
	assert_int_equal(after.counting & 3, 3);
	assert_memory_equal(after.word, theirs.word, sizeof(after.word));
}

/* Words that wait for the next start are nobody's, and cannot be seen. */
UNIT_IN(words_that_do_not_count_are_no_theft, NULL, shut)
{
	open_new(NEW);
	program_ok(SET);
	read_now();
	OK(neighbour_words(-1));
	clean_reading();
	clean_reading();
	leave_and_check();
}

UNIT_IN(who_counts_under_force_is_asked_for, NULL, shut)
{
	struct err e = { ERR_NONE, "" };
	struct left theirs, now;

	open_new(NEW);
	OK(neighbour_set32("kpc.force_all_ctrs", 1));
	OK(neighbour_takes());
	theirs = look_inside();
	assert_false(program(SET, &e));
	assert_int_equal(e.code, ERR_TAKEN);
	assert_non_null(
		strstr(e.text, "counters are in use by another program"));
	assert_int_equal(source->info.mode, SOURCE_IPC);
	now = look_inside();
	assert_memory_equal(&now, &theirs, sizeof(now));
	program_ok(SET); /* once more, and it is meant so */
	read_now();
	clean_reading();
	stop(NULL);
	now = look_inside();
	assert_memory_equal(&now, &theirs, sizeof(now));
}

UNIT_IN(what_a_dead_tool_left_counting_is_given_back, NULL, shut)
{
	struct left found, now;

	open_new(NEW);
	OK(neighbour_set32("kpc.force_all_ctrs", 1));
	OK(neighbour_takes());
	struct sim_kernel *k = sim_lock();
	sim_kernel_exit(k, &neighbour);
	sim_unlock();
	found = look_inside();
	assert_int_equal(found.counting, 7);
	program_ok(SET);
	read_now();
	clean_reading();
	stop(NULL);
	now = look_inside();
	assert_memory_equal(&now, &found, sizeof(now));
}

/*
 * Who forced before ktop did, and counts nothing, takes ktop's force along when
 * it goes: the kernel knows one owner. A preset, and a reading, get it back.
 */
UNIT_IN(force_that_was_another_s_first, NULL, shut)
{
	for (int by_preset = 0; by_preset < 2; by_preset++) {
		open_new(NEW);
		OK(neighbour_set32("kpc.force_all_ctrs", 1));
		program_ok(SET);
		read_now();
		clean_reading();
		OK(neighbour_set32("kpc.force_all_ctrs", 0));
		assert_int_equal(look_inside().force, 0);
		if (by_preset)
			program_ok("INST_BRANCH INST_ALL");
		else
			step_ms(1000);
		read_now();
		step_ms(1000);
		read_now();
		clean_reading();
		assert_int_equal(look_inside().force, 1);
		leave_and_check();
		shut(NULL);
	}
}

/* Force reads 1 whoever took it: that is nobody's claim. */
UNIT_IN(without_a_power_manager, NULL, shut)
{
	open_new(NEW ",pm=0");
	program_ok(SET);
	read_now();
	clean_reading();
	leave_and_check();
}

UNIT_IN(a_set_that_cannot_be_made_is_said, NULL, shut)
{
	uint64_t in[9] = { KPC_CLASS_CONFIGURABLE_MASK };
	struct err e = { ERR_NONE, "" };

	open_new(NEW);
	OK(neighbour_set32("kpc.force_all_ctrs", 1));
	in[3] = INT64_MAX - 1;
	OK(neighbour_set("kpc.period", in, sizeof(in)));
	OK(neighbour_set32("kpc.force_all_ctrs", 0));
	assert_false(program(SET, &e));
	assert_non_null(strstr(e.text, "sampling periods"));
	assert_int_equal(source->info.mode, SOURCE_IPC);
	leave_and_check();
}

/* A core that was off at a swap has the old event's sum: no difference yet. */
UNIT_IN(a_core_that_was_off_at_a_swap, NULL, shut)
{
	open_new(NEW ",fault=off:cpu17@2s-5s");
	program_ok(SET);
	read_now();
	step_ms(3000);
	read_now();
	program_ok("INST_BRANCH CORE_ACTIVE_CYCLE");
	read_now();
	assert_int_equal(sample->cpu[17].state, CPU_MISSING);
	step_ms(4000);
	read_now();
	assert_int_equal(sample->cpu[17].state, CPU_DELIVERED);
	assert_int_equal(sample->flags, 0);
	leave_and_check();
}
