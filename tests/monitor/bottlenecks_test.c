/* Bottlenecks over time: calm words, groups, cycles lost, what stands out. */
#include "model/rig.h"
#include "model/bottleneck.h"

#include <cmocka.h>

/* A second of a CPU at 2 GHz: instructions per 1000 cycles, then events. */
struct nature {
	unsigned inst, user, stall, bubble; /* of 1000 cycles */
	unsigned branch, load;              /* of 1000 instructions */
};

static const struct nature computing = { 4200, 970, 150, 30, 1, 2 };
static const struct nature waiting = { 400, 960, 800, 40, 1, 40 };
static const struct nature guessing = { 2000, 950, 200, 100, 9, 4 };
static const struct nature starving = { 1400, 950, 120, 400, 1, 3 };
static const struct nature several = { 1300, 950, 380, 150, 3, 9 };
static const struct nature serving = { 1000, 300, 300, 100, 3, 6 };

static void
does_at(struct rig *r, unsigned cpu, const struct nature *n, uint64_t all)
{
	uint64_t cycles = all / 1000 * n->user;
	uint64_t inst = cycles / 1000 * n->inst;

	rig_run(r, cpu, all, all / 1000 * n->inst);
	rig_count(r, cpu, "CORE_ACTIVE_CYCLE", cycles);
	rig_count(r, cpu, "INST_ALL", inst);
	rig_count(r, cpu, "MAP_STALL", cycles / 1000 * n->stall);
	rig_count(r, cpu, "MAP_DISPATCH_BUBBLE", cycles / 1000 * n->bubble);
	rig_count(r, cpu, "BRANCH_MISPRED_NONSPEC", inst / 1000 * n->branch);
	rig_count(r, cpu, "L1D_CACHE_MISS_LD_NONSPEC", inst / 1000 * n->load);
}

static void
does(struct rig *r, unsigned cpu, const struct nature *n)
{
	does_at(r, cpu, n, 2000000000);
}

/* The frame of a second; NULL is a CPU that does nothing. */
static const struct frame *
second(struct rig *r, const struct nature *a, const struct nature *b,
       const struct nature *c, const struct nature *d)
{
	const struct nature *n[RIG_CPUS] = { a, b, c, d };

	rig_pass(r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		if (n[i] != NULL)
			does(r, i, n[i]);
		else
			rig_run(r, i, 1000, 500);
	return rig_feed(r);
}

static void
says(const struct frame *f, unsigned scope, const char *word)
{
	assert_string_equal(bottleneck_words[f->bottleneck[scope].word].word,
			    word);
}

static bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-6;
}

UNIT(each_nature_has_its_word)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	const struct frame *f =
		second(&r, &waiting, &serving, &computing, &guessing);

	says(f, 0, "memory");
	says(f, 1, "kernel");
	says(f, 2, "none");
	says(f, 3, "bad-spec");
	rig_close(&r);
	rig_open(&r, "a14", "basic", false);
	f = second(&r, NULL, NULL, &starving, &several);
	says(f, 0, "idle");
	says(f, RIG_E, "idle");
	says(f, 2, "frontend");
	says(f, 3, "mixed");
	rig_close(&r);
}

UNIT(a_word_stays_until_another_has_held)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	/* The first frames say each what they show. */
	f = second(&r, NULL, NULL, NULL, &starving);
	says(f, 3, "frontend");
	for (unsigned i = 0; i < 3; i++) {
		f = second(&r, NULL, NULL, NULL, &waiting);
		says(f, 3, "memory");
	}
	for (unsigned i = 0; i < 2; i++) {
		f = second(&r, NULL, NULL, NULL, &starving);
		says(f, 3, "memory");
		/* and says how old what it rests on is */
		assert_true(near((double)f->bottleneck[3].age_s, i + 1));
	}
	f = second(&r, NULL, NULL, NULL, &waiting); /* the two are forgotten */
	for (unsigned i = 0; i < 2; i++)
		f = second(&r, NULL, NULL, NULL, &starving);
	says(f, 3, "memory");
	f = second(&r, NULL, NULL, NULL, &starving);
	says(f, 3, "frontend");
	assert_true(near((double)f->bottleneck[3].age_s, 0));
	f = second(&r, NULL, NULL, NULL, NULL); /* idle is said at once */
	says(f, 3, "idle");
	rig_close(&r);
}

/* The word alone: no sign, nothing lost, nothing that a headline quotes. */
static void
says_no_more_than(const struct frame *f, unsigned scope, const char *word)
{
	const struct bottleneck *v = &f->bottleneck[scope];

	says(f, scope, word);
	assert_true(v->stale);
	assert_false(v->flagged);
	assert_true(isnan(v->impact));
	assert_int_equal(rig_state(f, scope, "lost_pct"), VALUE_NOT_COUNTED);
}

/* Kept for calm, a word says nothing of a frame that is not like it. */
UNIT(a_word_that_is_kept_loses_nothing)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, NULL, NULL, &guessing);
	says(f, 3, "bad-spec");
	assert_true(f->bottleneck[3].flagged);
	for (unsigned i = 0; i < 2; i++) {
		f = second(&r, NULL, NULL, NULL, &computing);
		says_no_more_than(f, 3, "bad-spec");
		assert_true(isnan(f->bottleneck[3].share));
		assert_int_equal(f->bottleneck[3].evidence, -1);
		assert_false(f->bottleneck[RIG_P].flagged);
		assert_true(bottleneck_worst(f) == f->nscopes);
	}
	/* It goes on: what it loses is known again. */
	f = second(&r, NULL, NULL, NULL, &guessing);
	says(f, 3, "bad-spec");
	assert_true(f->bottleneck[3].flagged);
	assert_true(f->bottleneck[3].impact > 0);
	rig_close(&r);
}

/* Nor that nothing is lost, where the frame's numbers say that something is. */
UNIT(to_compute_is_not_kept_without_a_sign)
{
	const struct nature *const after[] = { &waiting, &starving, &guessing };
	const char *const word[] = { "memory", "frontend", "bad-spec" };

	for (unsigned k = 0; k < 3; k++) {
		struct rig r;
		const struct frame *f;

		rig_open(&r, "a14", "basic", false);
		for (unsigned i = 0; i < 4; i++)
			f = second(&r, NULL, NULL, NULL, &computing);
		says(f, 3, "none");
		assert_int_equal(rig_state(f, 3, "lost_pct"), VALUE_OK);
		assert_true(near(f->bottleneck[3].impact, 0));
		for (unsigned i = 0; i < 2; i++) {
			f = second(&r, NULL, NULL, NULL, after[k]);
			says_no_more_than(f, 3, "none");
		}
		/* What the kernel does is no loss of what computes. */
		f = second(&r, NULL, NULL, NULL, &serving);
		says(f, 3, "none");
		assert_false(f->bottleneck[3].stale);
		for (unsigned i = 0; i < 2; i++)
			f = second(&r, NULL, NULL, NULL, after[k]);
		f = second(&r, NULL, NULL, NULL, after[k]);
		says(f, 3, word[k]);
		assert_true(f->bottleneck[3].impact > 0);
		rig_close(&r);
	}
}

/* What is known of some of its cores has a mark. */
UNIT(a_sum_of_some_is_marked)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, NULL, &waiting, &guessing);
	unsigned lost = (unsigned)metric_find("lost_pct");

	assert_int_equal(frame_marks(f, RIG_P, lost), 0);
	f = second(&r, NULL, NULL, &waiting, &computing); /* a word kept */
	assert_true(f->bottleneck[3].stale);
	assert_int_equal(frame_marks(f, RIG_P, lost), VALUE_PART);
	assert_true(near(rig_value(f, RIG_P, "lost_pct"),
			 100 * 2 * 0.96 * 0.8 / 4));
	rig_close(&r);
}

UNIT(lost_cycles_add_up)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	const struct frame *f =
		second(&r, &serving, &computing, &waiting, &waiting);
	/* user cycles x the share of them that waits */
	double each = 2 * 0.96 * 0.8;

	assert_true(near(f->bottleneck[2].impact, each));
	assert_true(near(rig_value(f, 2, "lost_pct"), 100 * each / 8));
	assert_true(near(f->bottleneck[0].impact, 2 * 0.7)); /* the kernel's */
	assert_true(near(f->bottleneck[1].impact, 0));
	says(f, RIG_P, "memory");
	says(f, RIG_KIND_P, "memory");
	assert_true(near(rig_value(f, RIG_P, "lost_pct"), 200 * each / 8));
	assert_true(near(rig_value(f, RIG_ALL, "lost_pct"),
			 100 * (2 * each + 1.4) / 8));
	assert_true(near(f->bottleneck[RIG_P].shared, 2 * each));
	says(f, RIG_ALL, "memory"); /* half of all cycles */
	rig_close(&r);
}

UNIT(what_stands_out)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	const struct frame *f =
		second(&r, &serving, &computing, &waiting, &waiting);

	assert_true(f->bottleneck[2].flagged && f->bottleneck[3].flagged);
	assert_true(f->bottleneck[RIG_P].flagged);
	assert_false(f->bottleneck[0].flagged); /* the kernel never */
	assert_false(f->bottleneck[1].flagged);
	rig_close(&r);
	/* Cores that differ have no word in common, and lose nothing as one. */
	rig_open(&r, "a14", "basic", false);
	f = second(&r, &several, &computing, &waiting, &guessing);
	says(f, RIG_ALL, "mixed");
	assert_true(isnan(f->bottleneck[RIG_ALL].share));
	assert_false(f->bottleneck[RIG_ALL].flagged);
	rig_close(&r);
	/* One that hardly runs is not worth a sign, whatever it waits for. */
	rig_open(&r, "a14", "basic", false);
	rig_pass(&r, 1000, 0);
	for (unsigned c = 1; c < RIG_CPUS; c++)
		does(&r, c, &computing);
	does_at(&r, 0, &waiting, 200000000);
	f = rig_feed(&r);
	says(f, 0, "memory");
	assert_false(f->bottleneck[0].flagged);
	rig_close(&r);
}

/* A set that does not tell leans on what was counted shortly before. */
UNIT(lately_counted_counts)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	f = second(&r, NULL, NULL, NULL, &waiting);
	says(f, 3, "memory");
	rig_set(&r, "ldst");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_pass(&r, 1000, 0);
	rig_run(&r, 3, 2000000000, 800000000);
	f = rig_feed(&r);
	says(f, 3, "memory");
	assert_true(near((double)f->bottleneck[3].age_s, 1));
	/* Not of work that runs otherwise since then. */
	for (unsigned i = 0; i < 4; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 3, 2000000000, 3000000000);
		f = rig_feed(&r);
	}
	says(f, 3, "unknown");
	assert_true(isnan(f->bottleneck[3].impact));
	assert_int_equal(rig_state(f, 3, "lost_pct"), VALUE_NOT_COUNTED);
	assert_string_equal(preset_table[f->bottleneck[3].see].name, "topdown");
	rig_close(&r);
}

/* Seconds later it is a word with its age, and no longer what is lost now. */
UNIT(what_was_counted_long_ago_flags_nothing)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, NULL, &computing, &waiting);
	assert_true(f->bottleneck[3].flagged);
	rig_set(&r, "ldst");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	for (unsigned i = 1; i < 12; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 2, 2000000000, 8400000000);
		rig_run(&r, 3, 2000000000, 800000000);
		f = rig_feed(&r);
		says(f, 3, "memory");
		assert_true(near((double)f->bottleneck[3].age_s, i));
		assert_int_equal(f->bottleneck[3].flagged, i <= 5);
		if (i > 5)
			says_no_more_than(f, 3, "memory");
		assert_int_equal(bottleneck_worst(f) < f->nscopes, i <= 5);
	}
	/* Other work than then is not what was counted then: at once. */
	rig_pass(&r, 1000, 0);
	rig_run(&r, 3, 2000000000, 1600000000);
	f = rig_feed(&r);
	says(f, 3, "unknown");
	rig_close(&r);
}

/* What is counted now is not dated by what was counted once. */
UNIT(each_number_has_its_own_age)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, NULL, NULL, &waiting);
	assert_true(near((double)f->bottleneck[3].evidence_age_s, 0));
	rig_set(&r, "stalls"); /* without misses */
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	for (unsigned i = 1; i < 9; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 3, 2000000000, 800000000);
		rig_count(&r, 3, "CORE_ACTIVE_CYCLE", 1920000000);
		rig_count(&r, 3, "MAP_STALL", 1536000000);
		f = rig_feed(&r);
		for (unsigned scope = 3; scope <= RIG_P; scope += RIG_P - 3) {
			const struct bottleneck *v = &f->bottleneck[scope];

			says(f, scope, "memory");
			assert_string_equal(metric_table[v->evidence].name,
					    "l1d_ld_mpki");
			assert_true(near((double)v->age_s, 0));
			assert_true(near((double)v->evidence_age_s, i));
		}
	}
	rig_close(&r);
}

/* Of a group, too, whose own IPC would do where most of its cores' do not. */
UNIT(an_unknown_group_says_what_would_tell)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	r.set = (struct eventset){ .len = 0 };
	r.s->domain = DOMAIN_NONE;
	for (unsigned i = 0; i < 4; i++) {
		r.s->flags = i == 0 ? SAMPLE_BASELINE : 0;
		rig_pass(&r, 1000, 0);
		rig_run(&r, 2, 980000000, 5880000000);
		rig_run(&r, 3, 1000000000, 3600000000);
		f = rig_feed(&r);
	}
	says(f, 2, "none");
	says(f, 3, "unknown");
	says(f, RIG_P, "unknown");
	assert_string_equal(preset_table[f->bottleneck[RIG_P].see].name,
			    "topdown");
	rig_close(&r);
}

/* With no events counted at all, no cause that was named before is left. */
UNIT(ipc_mode_ends_the_words)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, &serving, &several, &waiting);
	assert_true(f->bottleneck[3].flagged);
	r.set = (struct eventset){ .len = 0 };
	r.s->domain = DOMAIN_NONE;
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	rig_pass(&r, 1000, 0);
	rig_run(&r, 1, 2000000000, 2000000ull * serving.inst);
	rig_run(&r, 2, 2000000000, 2000000ull * several.inst);
	rig_run(&r, 3, 2000000000, 2000000ull * waiting.inst);
	f = rig_feed(&r);
	for (unsigned c = 1; c < RIG_CPUS; c++) {
		says(f, c, "unknown");
		assert_true(isnan(f->bottleneck[c].impact));
		assert_string_equal(preset_table[f->bottleneck[c].see].name,
				    "topdown");
	}
	says(f, RIG_P, "unknown");
	assert_false(f->bottleneck[RIG_P].flagged);
	/* Back again, the first frame says what it shows. */
	rig_set(&r, "basic");
	r.s->domain = DOMAIN_USER;
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	f = second(&r, NULL, &serving, &several, &guessing);
	says(f, 3, "bad-spec");
	rig_close(&r);
}

/* Nor is it known how well a row does by what was counted long ago. */
UNIT(to_do_well_gets_old)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, &waiting, &serving, &computing);
	rig_set(&r, "ldst");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	for (unsigned i = 1; i < 9; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 1, 2000000000, 2000000ull * waiting.inst);
		rig_run(&r, 2, 2000000000, 2000000ull * serving.inst);
		rig_run(&r, 3, 2000000000, 2000000ull * computing.inst);
		f = rig_feed(&r);
		says(f, 2, "kernel");
		says(f, 3, "none");
		for (unsigned c = 2; c < RIG_CPUS; c++) {
			assert_true(near((double)f->bottleneck[c].age_s, i));
			assert_int_equal(f->bottleneck[c].stale, i > 5);
		}
		says(f, RIG_ALL, "mixed"); /* each does something else */
		assert_int_equal(f->bottleneck[RIG_ALL].stale, i > 5);
	}
	assert_string_equal(preset_table[f->bottleneck[3].see].name, "topdown");
	rig_close(&r);
}

/* Counts are believed at once against a word that rests on none of late. */
UNIT(new_counts_win_over_an_old_word)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	for (unsigned i = 0; i < 4; i++)
		f = second(&r, NULL, NULL, NULL, &waiting);
	rig_set(&r, "ldst");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	for (unsigned i = 0; i < 9; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 3, 2000000000, 800000000);
		f = rig_feed(&r);
	}
	rig_set(&r, "basic");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	f = second(&r, NULL, NULL, NULL, &guessing);
	says(f, 3, "bad-spec");
	assert_true(f->bottleneck[3].flagged);
	rig_close(&r);
}

/* Another preset says no less of a core that goes on as it was. */
UNIT(what_does_well_is_not_forgotten)
{
	static const char *const preset[] = { "l1d", "branch", "dtlb" };

	for (unsigned p = 0; p < sizeof preset / sizeof *preset; p++) {
		struct rig r;
		const struct frame *f;

		rig_open(&r, "a14", "basic", false);
		f = second(&r, NULL, NULL, &several, &computing);
		says(f, 2, "mixed");
		rig_set(&r, preset[p]);
		r.s->flags = SAMPLE_BASELINE;
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		for (unsigned i = 0; i < 6; i++) {
			rig_pass(&r, 1000, 0);
			rig_run(&r, 2, 2000000000, 2000000ull * several.inst);
			rig_run(&r, 3, 2000000000, 2000000ull * computing.inst);
			for (unsigned c = 2; c < 4; c++)
				rig_count(&r, c, "INST_ALL", 2000000000);
			f = rig_feed(&r);
			says(f, 2, "mixed");
			says(f, 3, "none");
			assert_true(
				near((double)f->bottleneck[3].age_s, i + 1));
		}
		rig_close(&r);
	}
}

/* Nor is the kernel forgotten by a set without cycles of user mode. */
UNIT(the_kernels_part_counts_on)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", "basic", false);
	f = second(&r, NULL, NULL, NULL, &serving);
	says(f, 3, "kernel");
	rig_set(&r, "l1d");
	r.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&r));
	r.s->flags = 0;
	for (unsigned i = 0; i < 6; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 3, 2000000000, 2000000000);
		rig_count(&r, 3, "INST_ALL", 600000000);
		f = rig_feed(&r);
		says(f, 3, "kernel");
		assert_true(near(f->bottleneck[3].impact, 2 * 0.7));
	}
	rig_close(&r);
}

UNIT(without_events_little_is_said)
{
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	rig_pass(&r, 1000, 0);
	rig_run(&r, 2, 2000000000, 9000000000);
	rig_run(&r, 3, 2000000000, 1000000000);
	const struct frame *f = rig_feed(&r);

	says(f, 2, "none"); /* its instructions say so */
	says(f, 3, "unknown");
	assert_false(f->bottleneck[3].flagged);
	assert_int_equal(rig_state(f, 3, "lost_pct"), VALUE_NOT_COUNTED);
	rig_close(&r);
}

/* A second of CPUs 2 and 3 without events. */
static const struct frame *
unjudged_second(struct rig *r, unsigned ipc_2, unsigned ipc_3)
{
	rig_pass(r, 1000, 0);
	rig_run(r, 2, 2000000000, 20000000ull * ipc_2);
	rig_run(r, 3, 2000000000, 20000000ull * ipc_3);
	return rig_feed(r);
}

static bool
is_slow(const struct frame *f, unsigned scope)
{
	return f->bottleneck[scope].before_s > 0;
}

/* IPC 5.0, then 1.0, and nothing counts what slots are lost to. */
UNIT(what_becomes_slow_says_what_it_was)
{
	struct rig r;
	const struct frame *f = NULL;
	unsigned before = 0;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < 70; i++)
		f = unjudged_second(&r, 500, 500);
	says(f, 3, "none");
	assert_false(is_slow(f, 3));
	for (unsigned i = 0; i < 100; i++) {
		f = unjudged_second(&r, 500, 100);
		bool slow = is_slow(f, 3);

		before += slow;
		if (i < 2)
			assert_false(slow);
		if (i >= 2 && i < 50)
			assert_true(slow);
		assert_false(is_slow(f, 2) || is_slow(f, RIG_P));
		if (!slow)
			continue;
		says(f, 3, "unknown");
		assert_false(f->bottleneck[3].flagged);
		/* (of a span in which both were it is between them) */
		assert_true(f->bottleneck[3].ipc_before > 1.6f);
		if (i < 50)
			assert_true(fabsf(f->bottleneck[3].ipc_before - 5) <
				    0.01f);
		assert_true(fabsf(f->bottleneck[3].before_s - 60) <= 3);
	}
	/* What it was a minute ago is what it is: nothing has changed. */
	assert_false(is_slow(f, 3));
	assert_in_range(before, 50, 66);
	rig_close(&r);
}

UNIT(slow_is_said_after_three_frames_and_so_ends)
{
	struct rig r;
	const struct frame *f = NULL;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < 20; i++)
		f = unjudged_second(&r, 500, 500);
	/* Not for what comes and goes. */
	for (unsigned i = 0; i < 12; i++) {
		f = unjudged_second(&r, 500, i % 3 == 2 ? 500 : 100);
		assert_false(is_slow(f, 3));
	}
	rig_close(&r);
	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < 20; i++)
		f = unjudged_second(&r, 500, 500);
	for (unsigned i = 0; i < 3; i++)
		f = unjudged_second(&r, 100, 100);
	/* Two of a cluster are the cluster. */
	assert_true(is_slow(f, 2) && is_slow(f, 3) && is_slow(f, RIG_P));
	/* An age as young as the run is. */
	assert_in_range((unsigned)f->bottleneck[3].before_s, 15, 23);
	for (unsigned i = 0; i < 9; i++) {
		/* between the two marks, and above both now and then */
		f = unjudged_second(&r, 100, i % 3 == 2 ? 360 : 300);
		assert_true(is_slow(f, 3));
	}
	(void)unjudged_second(&r, 100, 300);
	for (unsigned i = 0; i < 3; i++) {
		assert_true(is_slow(f, 3));
		f = unjudged_second(&r, 100, 360);
	}
	assert_false(is_slow(f, 3) || is_slow(f, RIG_P));
	assert_true(is_slow(f, 2));
	rig_close(&r);
}

/* Nobody looked for that long, or it hardly ran: no IPC to hold it against. */
UNIT(without_a_past_nothing_is_slow)
{
	struct rig r;
	const struct frame *f = NULL;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < 20; i++) {
		rig_pass(&r, 1000, 0);
		rig_run(&r, 3, 100000000, 500000000);
		f = rig_feed(&r);
	}
	for (unsigned i = 0; i < 5; i++)
		f = unjudged_second(&r, 500, 100);
	assert_false(is_slow(f, 3));
	rig_close(&r);
	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < 20; i++)
		f = unjudged_second(&r, 500, 500);
	rig_pass(&r, 0, 3600000);
	for (unsigned i = 0; i < 5; i++)
		f = unjudged_second(&r, 500, 100);
	assert_false(is_slow(f, 3));
	rig_close(&r);
}

/* Two that lose about the same: one of them is named, as long as it does. */
UNIT(the_headline_stays_with_a_row)
{
	struct rig r;
	const struct frame *f;
	struct nature more = waiting, less = waiting;

	more.stall += 40;
	less.stall -= 40;
	rig_open(&r, "a14", "basic", false);
	f = second(&r, NULL, &more, &less, &computing);
	assert_int_equal(bottleneck_worst(f), 1);
	for (unsigned i = 0; i < 12; i++) {
		f = second(&r, NULL, i % 2 ? &more : &less,
			   i % 2 ? &less : &more, &computing);
		assert_int_equal(bottleneck_worst(f), 1);
		assert_true(f->bottleneck[1].named && !f->bottleneck[2].named);
	}
	f = second(&r, NULL, &computing, &waiting, &computing);
	f = second(&r, NULL, NULL, &waiting, &computing);
	assert_int_equal(bottleneck_worst(f), 2);
	rig_close(&r);
}

/* An empty cell says the same as those next to it. */
UNIT(no_counts_are_no_bottleneck)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	second(&r, &waiting, &waiting, &waiting, &waiting);
	r.s->cpu[0].state = CPU_MISSING;
	r.s->cpu[1].state = CPU_OFF;
	const struct frame *f =
		second(&r, &waiting, &waiting, &waiting, &waiting);

	says(f, 0, "unknown");
	assert_int_equal(rig_state(f, 0, "lost_pct"), VALUE_STALE);
	says(f, 1, "off");
	assert_int_equal(rig_state(f, 1, "lost_pct"), VALUE_OFF);
	rig_close(&r);
}
