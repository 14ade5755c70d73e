/* Bottlenecks over time: words of an interval, rotation, red, the first line.
 */
#include "model/rig.h"
#include "model/bottleneck.h"

#include <cmocka.h>

/* A second of a CPU at 2 GHz: instructions per 1000 cycles, then events. */
struct program {
	unsigned inst, user, stall, bubble, rewind; /* of 1000 cycles */
	unsigned branch, load;                      /* of 1000 instructions */
};

/* Of cores eight wide. */
static const struct program computing = { 4200, 970, 150, 30, 10, 1, 2 };
static const struct program waiting = { 400, 960, 800, 40, 5, 1, 40 };
static const struct program executing = { 1600, 960, 600, 40, 5, 1, 2 };
static const struct program guessing = { 1600, 950, 150, 100, 270, 24, 4 };
static const struct program starving = { 1000, 950, 120, 600, 5, 1, 3 };
static const struct program serving = { 1000, 300, 800, 100, 5, 3, 6 };

static void
does_at(struct rig *r, unsigned cpu, const struct program *n, uint64_t all)
{
	uint64_t cycles = all / 1000 * n->user;
	uint64_t inst = cycles / 1000 * n->inst;
	const struct {
		const char *event;
		uint64_t count;
	} event[] = {
		{ "CORE_ACTIVE_CYCLE", cycles },
		{ "INST_ALL", inst },
		{ "MAP_STALL", cycles / 1000 * n->stall },
		{ "MAP_DISPATCH_BUBBLE", cycles / 1000 * n->bubble },
		{ "MAP_REWIND", cycles / 1000 * n->rewind },
		{ "BRANCH_MISPRED_NONSPEC", inst / 1000 * n->branch },
		{ "L1D_CACHE_MISS_LD_NONSPEC", inst / 1000 * n->load },
	};

	rig_run(r, cpu, all, all / 1000 * n->inst);
	for (unsigned i = 0; i < sizeof event / sizeof *event; i++)
		if (eventset_find(&r->set, event[i].event) >= 0)
			rig_count(r, cpu, event[i].event, event[i].count);
}

static void
does(struct rig *r, unsigned cpu, const struct program *n)
{
	if (n != NULL)
		does_at(r, cpu, n, 2000000000);
	else
		rig_run(r, cpu, 1000, 500);
}

/* The frame of a second of the two P cores; NULL: one that does nothing. */
static const struct frame *
second(struct rig *r, const struct program *a, const struct program *b)
{
	rig_pass(r, 1000, 0);
	does(r, 0, NULL);
	does(r, 1, NULL);
	does(r, 2, a);
	does(r, 3, b);
	return rig_feed(r);
}

static void
change_to(struct rig *r, const char *preset)
{
	rig_set(r, preset);
	r->s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(r));
	r->s->flags = 0;
}

static void
is_word(const struct frame *f, unsigned scope, enum bottleneck_word word)
{
	assert_string_equal(bottleneck_words[f->bottleneck[scope].word].word,
			    bottleneck_words[word].word);
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-5;
}

UNIT(each_program_has_its_word)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	const struct frame *f = second(&r, &waiting, &serving);

	is_word(f, 0, BOTTLENECK_IDLE);
	is_word(f, RIG_E, BOTTLENECK_IDLE);
	is_word(f, 2, BOTTLENECK_MEMORY);
	is_word(f, 3, BOTTLENECK_KERNEL);
	assert_true(f->bottleneck[RIG_ALL].cannot); /* the machine has none */
	f = second(&r, &computing, &starving);
	is_word(f, 2, BOTTLENECK_NONE);
	is_word(f, 3, BOTTLENECK_FRONTEND);
	f = second(&r, &executing, &guessing);
	is_word(f, 2, BOTTLENECK_BACKEND);
	is_word(f, 3, BOTTLENECK_UNKNOWN); /* or front end, as far as known */
	assert_int_equal(f->bottleneck[3].estimate, BOTTLENECK_BAD_SPEC);
	assert_false(f->bottleneck[3].flagged);
	assert_string_equal(preset_table[f->bottleneck[3].see].name, "topdown");
	rig_close(&r);
}

/* Slots of a cluster are the sums of its CPUs', never means of their shares. */
UNIT(a_cluster_is_the_sum_of_its_cpus)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	rig_pass(&r, 1000, 0);
	does_at(&r, 2, &waiting, 2000000000);
	does_at(&r, 3, &computing, 1000000000);
	f = rig_feed(&r);
	is_word(f, RIG_P, BOTTLENECK_BACKEND);
	assert_true(near((double)f->bottleneck[RIG_P].share,
			 (1.92 * 0.8 + 0.97 * 0.15) / (1.92 + 0.97)));
	rig_close(&r);
}

UNIT(a_word_is_of_its_interval_and_the_first_line_of_the_last_seconds)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	assert_non_null((f = second(&r, &computing, &computing))->headline);
	assert_int_equal(f->headline->scope, f->nscopes);
	for (unsigned i = 0; i < 6; i++)
		f = second(&r, &waiting, &waiting);
	assert_true(f->bottleneck[RIG_P].flagged);
	assert_int_equal(f->headline->scope, RIG_P);
	assert_int_equal(f->headline->is.word, BOTTLENECK_MEMORY);
	assert_true(near((double)f->headline->is.share, 0.8));
	assert_true(f->headline->since_s > 3 && f->headline->since_s < 7);
	f = second(&r, &computing, &computing);
	is_word(f, RIG_P, BOTTLENECK_NONE);
	assert_false(f->bottleneck[RIG_P].flagged);
	/* The first line never contradicts the row's own word ... */
	assert_int_equal(f->headline->scope, f->nscopes);
	f = second(&r, &waiting, &waiting);
	is_word(f, RIG_P, BOTTLENECK_MEMORY);
	assert_int_equal(f->headline->scope, RIG_P);
	/* ... and has the row's share, not the 0.67 of the last 5 s. */
	assert_true(near((double)f->headline->is.share, 0.8));
	assert_true(near((double)f->headline->window_s, 0));
	/* A row that is unknown now: the last 5 s, and the window says so. */
	f = second(&r, &guessing, &guessing);
	is_word(f, RIG_P, BOTTLENECK_UNKNOWN);
	assert_int_equal(f->headline->scope, RIG_P);
	assert_true(near((double)f->headline->window_s, 5));
	/* Back-end bound for longer, memory bound now: it has the row's word.
	 */
	for (unsigned i = 0; i < 6; i++)
		f = second(&r, &executing, &executing);
	assert_int_equal(f->headline->is.word, BOTTLENECK_BACKEND);
	f = second(&r, &waiting, &waiting);
	is_word(f, RIG_P, BOTTLENECK_MEMORY);
	assert_int_equal(f->headline->is.word, BOTTLENECK_MEMORY);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, &computing, &computing);
	assert_int_equal(f->headline->scope, f->nscopes);
	f = second(&r, NULL, NULL); /* idle is said at once */
	is_word(f, RIG_P, BOTTLENECK_IDLE);
	rig_close(&r);
}

UNIT(events_that_judge_nothing_leave_the_first_line)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 6; i++)
		f = second(&r, &waiting, &waiting);
	change_to(&r, "branch");
	for (unsigned i = 1; i <= 4; i++) {
		f = second(&r, &waiting, &waiting);
		assert_true(f->bottleneck[2].cannot);
		is_word(f, 2, BOTTLENECK_UNKNOWN);
		assert_int_equal(f->bottleneck[2].estimate, BOTTLENECK_UNKNOWN);
		assert_int_equal(rig_state(f, 2, "lost_pct"),
				 VALUE_NOT_COUNTED);
		assert_int_equal(f->headline->scope, RIG_P);
		assert_true(near((double)f->headline->is.age_s, i));
		assert_string_equal(preset_table[f->headline->by].name,
				    "basic");
		assert_string_equal(preset_table[f->bottleneck[2].see].name,
				    "topdown");
	}
	change_to(&r, "basic");
	f = second(&r, &waiting, &waiting);
	is_word(f, 2, BOTTLENECK_MEMORY);
	assert_int_equal(f->headline->by, -1);
	assert_true(near((double)f->headline->is.age_s, 0));
	rig_close(&r);
}

/* overview and branch take turns: the second does not count stalls. */
UNIT(a_rotation_uses_the_newest_counts_of_each_event)
{
	struct rig r;
	const struct frame *f = NULL;
	struct program faster = computing;

	faster.inst = 5000;
	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++) {
		f = second(&r, &waiting, &waiting);
		is_word(f, 2, BOTTLENECK_MEMORY);
		change_to(&r, "branch");
		f = second(&r, &waiting, &waiting);
		/* At first nobody knows that the events rotate. */
		assert_int_equal(f->bottleneck[2].cannot, i == 0);
		if (i > 0) {
			is_word(f, 2, BOTTLENECK_MEMORY);
			assert_true(near((double)f->bottleneck[2].age_s, 1));
		}
		change_to(&r, "basic");
	}
	f = second(&r, &waiting, &waiting);
	change_to(&r, "branch");
	/* It retires too much for slots that wait, as they did before. */
	f = second(&r, &faster, &waiting);
	is_word(f, 2, BOTTLENECK_UNKNOWN);
	is_word(f, 3, BOTTLENECK_MEMORY);
	rig_close(&r);
}

UNIT(lost_slots_add_up)
{
	struct rig r;
	const struct frame *f;
	double sum;

	rig_open(&r, "a14", "basic", false);
	f = second(&r, &waiting, &computing);
	/* Slots of user mode that do not retire; 1.04 micro-operations. */
	double lost = 1.92 * (1 - 0.4 * 1.04 / 8);

	assert_true(near(f->bottleneck[2].impact, lost));
	assert_float_equal((float)rig_value(f, 2, "lost_pct"),
			   (float)(100 * lost / 4), 0.001);
	assert_true(f->bottleneck[3].lost_about);
	sum = rig_value(f, 2, "lost_pct") + rig_value(f, 3, "lost_pct");
	assert_true(near(rig_value(f, RIG_P, "lost_pct"), sum));
	assert_true(near(rig_value(f, RIG_KIND_P, "lost_pct"), sum));
	assert_true(near(rig_value(f, RIG_ALL, "lost_pct"), sum));
	assert_int_equal(rig_state(f, 0, "lost_pct"), VALUE_IDLE);
	assert_int_equal(
		frame_marks(f, RIG_P, (unsigned)metric_find("lost_pct")), 0);
	r.s->cpu[3].state = CPU_MISSING;
	f = second(&r, &waiting, &computing);
	assert_int_equal(
		frame_marks(f, RIG_P, (unsigned)metric_find("lost_pct")),
		VALUE_PART);
	rig_close(&r);
}

UNIT(red_is_for_a_cause_that_costs_much)
{
	struct rig r;
	const struct frame *f;
	struct program mixed = { 1600, 960, 360, 350, 5, 1, 3 };

	rig_open(&r, "a14", "basic", false);
	f = second(&r, &serving, &mixed);
	assert_false(f->bottleneck[2].flagged); /* the kernel never */
	assert_int_equal(f->bottleneck[3].word, BOTTLENECK_MIXED);
	assert_false(f->bottleneck[3].flagged);
	assert_false(f->bottleneck[2].flagged);
	/* A few of the machine's slots, and less than half of the core's. */
	for (unsigned share = 30; share <= 80; share += 50) {
		struct program a_little = { 400, 960, 0, 40, 5, 1, 40 };

		a_little.stall = 10 * (share + 10);
		a_little.inst = share == 30 ? 3000 : 400;
		rig_pass(&r, 1000, 0);
		does_at(&r, 2, &a_little, 100000000);
		does_at(&r, 3, &computing, 2000000000);
		f = rig_feed(&r);
		assert_int_equal(f->bottleneck[2].flagged, share == 80);
	}
	rig_close(&r);
}

UNIT(no_events_and_no_counts)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", NULL, false);
	rig_pass(&r, 1000, 0);
	rig_run(&r, 2, 2000000000, 9000000000);
	f = rig_feed(&r);
	assert_true(f->bottleneck[2].cannot);
	assert_int_equal(rig_state(f, 2, "lost_pct"), VALUE_NOT_COUNTED);
	rig_close(&r);
	rig_open(&r, "a14", "basic", false);
	(void)second(&r, &waiting, &waiting);
	r.s->cpu[2].state = CPU_MISSING;
	r.s->cpu[3].state = CPU_OFF;
	f = second(&r, &waiting, &waiting);
	is_word(f, 2, BOTTLENECK_UNKNOWN);
	assert_int_equal(rig_state(f, 2, "lost_pct"), VALUE_STALE);
	is_word(f, 3, BOTTLENECK_OFF);
	assert_int_equal(rig_state(f, 3, "lost_pct"), VALUE_OFF);
	rig_close(&r);
}

/* 4.2 instructions a cycle, then 0.4, and nothing tells why. */
UNIT(a_cluster_that_slowed)
{
	struct rig r;
	const struct frame *f = NULL;

	rig_open(&r, "a14", "branch", false);
	for (unsigned i = 0; i < 14; i++)
		f = second(&r, &computing, &computing);
	assert_int_equal(f->headline->scope, f->nscopes);
	for (unsigned i = 0; i < 30; i++) {
		f = second(&r, &waiting, &waiting);
		if (i < 2) { /* three intervals in a row */
			assert_int_equal(f->headline->scope, f->nscopes);
			continue;
		}
		assert_int_equal(f->headline->scope, RIG_P);
		assert_int_equal(f->headline->is.word, BOTTLENECK_UNKNOWN);
		assert_false(f->headline->is.flagged);
		assert_true(near((double)f->headline->is.ipc_before, 4.2));
		assert_true(near((double)f->headline->is.before_s, i + 1));
	}
	f = second(&r, &computing, &computing);
	assert_int_equal(f->headline->scope, f->nscopes);
	/* One core is none of the cluster's business. */
	for (unsigned i = 0; i < 12; i++)
		f = second(&r, &computing, &computing);
	for (unsigned i = 0; i < 5; i++)
		f = second(&r, &computing, &waiting);
	assert_int_equal(f->headline->scope, f->nscopes);
	rig_close(&r);
	/* With a cause it is the cause that is said. */
	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 12; i++)
		f = second(&r, &computing, &computing);
	for (unsigned i = 0; i < 5; i++)
		f = second(&r, &waiting, &waiting);
	assert_int_equal(f->headline->is.word, BOTTLENECK_MEMORY);
	assert_true(near((double)f->headline->is.before_s, 0));
	rig_close(&r);
}

UNIT(without_a_past_nothing_slowed)
{
	struct rig r;
	const struct frame *f = NULL;

	rig_open(&r, "a14", "branch", false);
	for (unsigned i = 0; i < 14; i++)
		f = second(&r, &computing, &computing);
	rig_pass(&r, 0, 3600000);
	for (unsigned i = 0; i < 5; i++)
		f = second(&r, &waiting, &waiting);
	assert_int_equal(f->headline->scope, f->nscopes);
	rig_close(&r);
}

/* Two that lose about the same: one of them is named, as long as it does. */
UNIT(the_first_line_stays_with_a_row)
{
	struct rig r;
	const struct frame *f;
	struct program more = waiting, less = starving;

	less.bubble = 720; /* of both together there is no single cause */
	less.inst = 500;
	rig_open(&r, "a14", "basic", false);
	f = second(&r, &more, &less);
	assert_int_equal(f->headline->scope, 2);
	for (unsigned i = 0; i < 8; i++) {
		more.stall = i % 2 ? 790 : 700;
		f = second(&r, &more, &less);
		assert_int_equal(f->headline->scope, 2);
	}
	for (unsigned i = 0; i < 6; i++)
		f = second(&r, &computing, &less);
	assert_int_not_equal(f->headline->scope, 2);
	assert_int_equal(f->headline->is.word, BOTTLENECK_FRONTEND);
	rig_close(&r);
}

/* The key offered is never that of the events in force. */
UNIT(what_is_offered_is_not_in_force)
{
	static const char *const presets[] = { "basic", "l1d", "branch",
					       "topdown" };
	static const struct program *const programs[] = { &waiting, &guessing,
							  &starving };

	for (unsigned p = 0; p < 3; p++)
		for (unsigned n = 0; n < 3; n++) {
			struct rig r;

			rig_open(&r, "a14", presets[p], false);
			const struct frame *f =
				second(&r, programs[n], programs[n]);

			if (f->bottleneck[2].see >= 0)
				assert_string_not_equal(
					preset_table[f->bottleneck[2].see].name,
					presets[p]);
			rig_close(&r);
		}
}
