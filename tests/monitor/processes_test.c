/* What processes did, from readings made up: every way they come and go. */
#include "monitor/processes_kit.h"

#include <cmocka.h>

UNIT(test_sums)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 900 * M, 1800 * M);
	kit_run(&k, kit_find(&k, 20), 1, 100 * M, 100 * M);
	kit_run(&k, kit_find(&k, 10), 1, 500 * M, 250 * M);
	rig_run(&k.rig, 1, 7, 3); /* in nobody */
	kit_tick(&k);
	assert_int_equal(k.t->n, 3);
	assert_int_equal(k.t->row[0].pid, 10);
	assert_int_equal(k.t->row[2].pid, 30);
	const struct process_row *row = kit_row(&k, 20);

	assert_int_equal(row->access, PROCESS_COUNTED);
	assert_int_equal(row->flags, 0);
	assert_true(row->d.cycles == 1000 * M);
	assert_true(row->d.part[0].instructions == 1800ull * M);
	assert_near(row->value[PROCESS_CPU], 100, 1e-9);
	assert_near(row->value[PROCESS_IPC], 1.9, 1e-9);
	assert_near(row->value[PROCESS_IPC_0], 2.0, 1e-9);
	assert_near(row->value[PROCESS_IPC_1], 1.0, 1e-9);
	assert_near(row->value[PROCESS_P_TIME], 90, 1e-9);
	assert_near(row->value[PROCESS_CYCLES_PCT],
		    100.0 * (double)(1000 * M) / (double)(1500 * M + 7), 1e-9);
	assert_true(k.t->has_rest);
	assert_true(k.t->rest.d.cycles == 7);
	assert_true(k.t->rest.d.instructions == 3);
	assert_true(isnan(k.t->rest.value[PROCESS_IPC])); /* of too few */
	assert_true(k.t->rest.d.part[0].cycles == 0);
	assert_true(k.t->rest.d.part[1].cycles == 7);
	assert_true(k.t->own.d.cycles + 7 == k.t->cores.d.cycles);
	assert_int_equal(k.t->rest.flags & PROCESS_SKEW, 0);
	assert_near(k.t->capacity_pct, 400, 0);
	kit_close(&k);
}

/* Its counters were opened when it was seen: from the next frame on. */
UNIT(test_born_uncounted)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_add(&k, 40, 0.4), 0, 300 * M, 300 * M);
	struct process_read *r = kit_find(&k, 40);
	uint64_t began = r->total.cycles;

	r->flags = PROCESS_PARTIAL;
	kit_tick(&k);
	const struct process_row *row = kit_row(&k, 40);

	assert_int_equal(row->flags, PROCESS_BORN | PROCESS_PARTIAL);
	assert_int_equal(row->access, PROCESS_NEW);
	assert_true(row->known == PROCESS_HAS_TIMES);
	assert_near(row->value[PROCESS_CPU], 30, 1e-9);
	assert_true(row->d.cycles == 0 && isnan(row->value[PROCESS_IPC]));
	kit_second(&k);
	r = kit_find(&k, 40);
	r->flags = 0;
	kit_run(&k, r, 0, 200 * M, 100 * M);
	kit_tick(&k);
	row = kit_row(&k, 40);
	assert_int_equal(row->access, PROCESS_COUNTED);
	assert_true(row->d.cycles == kit_find(&k, 40)->total.cycles - began);
	assert_near(row->value[PROCESS_IPC], 0.5, 1e-9);
	kit_close(&k);
}

UNIT(test_first_sight)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_add(&k, 40, 0.4), 0, 300 * M, 300 * M);
	kit_work(kit_add(&k, 50, -2), 0, 300 * M, 300 * M);
	kit_add(&k, 60, -2)->access = PROCESS_DENIED;
	k.r.row[k.r.n - 1].known = 0;
	k.r.started = 12;
	kit_tick(&k);
	const struct process_row *born = kit_row(&k, 40);

	assert_int_equal(born->flags, PROCESS_BORN);
	assert_int_equal(born->access, PROCESS_COUNTED);
	assert_true(born->d.cycles == 300 * M);
	assert_near(born->value[PROCESS_CPU], 30, 1e-9);
	assert_int_equal(kit_row(&k, 50)->access, PROCESS_NEW);
	assert_int_equal(kit_row(&k, 50)->known, 0);
	assert_true(isnan(kit_row(&k, 50)->value[PROCESS_CPU]));
	assert_true(kit_row(&k, 50)->d.cycles == 0);
	assert_int_equal(kit_row(&k, 60)->access, PROCESS_DENIED);
	assert_int_equal(k.t->born, 1);
	assert_true(k.t->started == UINT64_MAX);
	/* It may be read from now on: new again. */
	kit_second(&k);
	kit_find(&k, 60)->access = PROCESS_COUNTED;
	kit_find(&k, 60)->known = KIT_KNOWN;
	k.r.started = 15;
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 50)->access, PROCESS_COUNTED);
	assert_int_equal(kit_row(&k, 60)->access, PROCESS_NEW);
	assert_int_equal(kit_row(&k, 60)->known, 0);
	assert_int_equal(k.t->started, 3);
	kit_close(&k);
}

UNIT(test_ends)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 11, 22);
	kit_find(&k, 20)->state = PROCESS_ENDED; /* a zombie */
	rig_run(&k.rig, 2, 1000, 1000);          /* the last of 30 */
	kit_drop(&k, 30);
	kit_tick(&k);
	assert_true(kit_row(&k, 20)->d.cycles == 11);
	assert_int_equal(kit_row(&k, 20)->flags, 0);
	const struct process_row *gone = kit_row(&k, 30);

	assert_int_equal(gone->state, PROCESS_ENDED);
	assert_int_equal(gone->flags, PROCESS_PARTIAL);
	assert_int_equal(gone->known, 0);
	assert_string_equal(gone->name, "p30");
	assert_int_equal(k.t->ended, 2);
	assert_true(k.t->rest.d.cycles == 1000);
	/* One frame each, however long the zombie stays. */
	for (unsigned i = 0; i < 3; i++) {
		kit_second(&k);
		kit_tick(&k);
		assert_int_equal(k.t->n, 1);
		assert_int_equal(k.t->ended, 0);
	}
	kit_drop(&k, 20);
	kit_second(&k);
	kit_tick(&k);
	assert_int_equal(k.t->n, 1);
	assert_int_equal(k.t->ended, 0);
	kit_close(&k);
}

/* The pid comes back at once: another process, no difference to the old one. */
UNIT(test_reuse)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_drop(&k, 20);
	kit_run(&k, kit_add(&k, 20, 0.5), 0, 9, 9);
	kit_tick(&k);
	assert_int_equal(k.t->n, 4);
	assert_int_equal(k.t->row[1].pid, 20);
	assert_int_equal(k.t->row[2].pid, 20);
	unsigned old = k.t->row[1].state == PROCESS_ENDED ? 1 : 2;

	assert_int_equal(k.t->row[old].state, PROCESS_ENDED);
	assert_int_equal(k.t->row[3 - old].flags, PROCESS_BORN);
	assert_true(k.t->row[3 - old].d.cycles == 9);
	kit_close(&k);
}

UNIT(test_restarts)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_find(&k, 20)->total.cycles = 5;
	kit_find(&k, 10)->total.energy_nj -= 1; /* an estimate may */
	kit_run(&k, kit_find(&k, 10), 1, 2, 2);
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->flags, PROCESS_RESTARTED);
	assert_int_equal(kit_row(&k, 20)->access, PROCESS_NEW);
	assert_int_equal(kit_row(&k, 20)->known, 0);
	assert_true(kit_row(&k, 20)->d.cycles == 0);
	assert_true(kit_row(&k, 10)->d.cycles == 2);
	assert_int_equal(kit_row(&k, 10)->flags, 0);
	assert_int_equal(kit_row(&k, 10)->known,
			 KIT_KNOWN & ~PROCESS_HAS_ENERGY);
	kit_second(&k);
	kit_work(kit_find(&k, 20), 0, 4, 4);
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->flags, 0);
	assert_true(kit_row(&k, 20)->d.cycles == 4);
	/* Counters opened a second time: times go on. */
	kit_second(&k);
	kit_work(kit_find(&k, 20), 0, 6, 6);
	kit_find(&k, 20)->counting = 1;
	kit_find(&k, 20)->total.cycles = 1;
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->flags, 0);
	assert_int_equal(kit_row(&k, 20)->access, PROCESS_NEW);
	assert_int_equal(kit_row(&k, 20)->known, PROCESS_HAS_TIMES);
	assert_true(kit_row(&k, 20)->d.user_ns == 6);
	kit_close(&k);
}

/* A tick's rounding takes a time back; that is no other process. */
UNIT(test_rounded)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 100, 100);
	kit_find(&k, 10)->total.part[1].cpu_ns -= 42;
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 10)->flags, 0);
	assert_int_equal(kit_row(&k, 10)->known, KIT_KNOWN);
	assert_true(kit_row(&k, 10)->d.part[1].cpu_ns == 0);
	kit_second(&k);
	kit_find(&k, 10)->total.user_ns -= M;
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 10)->flags, PROCESS_RESTARTED);
	kit_close(&k);
}

/* It was not looked at, or its counts were missing once. */
UNIT(test_catches_up)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_find(&k, 20)->known &= ~(unsigned)PROCESS_HAS_COUNTS;
	kit_find(&k, 10)->flags = PROCESS_KEPT;
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->known, 0);
	assert_int_equal(kit_row(&k, 20)->flags, PROCESS_KEPT);
	assert_int_equal(kit_row(&k, 10)->known, 0);
	kit_second(&k);
	kit_find(&k, 20)->known = KIT_KNOWN;
	kit_find(&k, 10)->flags = 0;
	kit_work(kit_find(&k, 20), 0, 600 * M, 600 * M);
	kit_work(kit_find(&k, 10), 1, 200 * M, 200 * M);
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->flags, PROCESS_CATCHUP);
	assert_near(kit_row(&k, 20)->interval_s, 2, 1e-9);
	assert_near(kit_row(&k, 20)->value[PROCESS_CPU], 30, 1e-9);
	assert_near(kit_row(&k, 10)->value[PROCESS_CPU], 10, 1e-9);
	/* A reading failed: all of them, and there is nothing to compare. */
	kit_second(&k);
	k.f = rig_feed(&k.rig);
	assert_null(k.f->processes);
	kit_second(&k);
	kit_work(kit_find(&k, 20), 0, 100 * M, 600 * M);
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->flags, PROCESS_CATCHUP);
	assert_near(kit_row(&k, 20)->value[PROCESS_CPU], 5, 1e-9);
	assert_true(isnan(kit_row(&k, 20)->value[PROCESS_CYCLES_PCT]));
	assert_false(k.t->has_rest);
	/* Nobody wanted them for a while. */
	for (unsigned i = 0; i < 3; i++) {
		kit_second(&k);
		k.f = rig_feed(&k.rig);
	}
	kit_second(&k);
	kit_drop(&k, 10);
	kit_tick(&k);
	assert_int_equal(k.t->n, 2);
	assert_int_equal(kit_row(&k, 20)->access, PROCESS_NEW);
	kit_close(&k);
}

static void
check_unknown_rest(const struct process_table *t)
{
	assert_true(t->has_rest);
	assert_int_equal(t->rest.flags, PROCESS_SKEW);
	assert_int_equal(t->rest.known, 0);
	for (int m = 0; m < PROCESS_METRICS; m++)
		assert_true(isnan(t->rest.value[m]));
	assert_true(isnan(t->own.value[PROCESS_CYCLES_PCT]));
}

/* Counts that came late, more than the cores had: what remains is unknown. */
UNIT(test_more_than_the_cores)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_work(kit_find(&k, 20), 0, 1001 * M, 1000 * M);
	rig_run(&k.rig, 2, 1000 * M, 1000 * M);
	kit_tick(&k);
	check_unknown_rest(k.t);
	/* A little late: shares that can be are shown. */
	assert_true(isnan(kit_row(&k, 20)->value[PROCESS_CYCLES_PCT]));
	assert_near(kit_row(&k, 10)->value[PROCESS_CYCLES_PCT], 0, 1e-9);
	kit_second(&k);
	kit_work(kit_find(&k, 20), 0, 1010 * M, 1000 * M);
	rig_run(&k.rig, 2, 1000 * M, 1020 * M);
	kit_tick(&k);
	check_unknown_rest(k.t);
	/* The cores' count is not the whole: there are no shares of it. */
	assert_true(isnan(kit_row(&k, 20)->value[PROCESS_CYCLES_PCT]));
	kit_close(&k);
}

/* Without everything, or in user mode alone, the cores say nothing of it. */
UNIT(test_no_rest)
{
	struct kit k;

	kit_open_three(&k);
	k.r.everything = false;
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 1000 * M, 1000 * M);
	kit_tick(&k);
	assert_false(k.t->has_rest);
	assert_near(kit_row(&k, 20)->value[PROCESS_CYCLES_PCT], 100, 1e-9);
	k.r.everything = true;
	k.r.domain = DOMAIN_USER;
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 1000 * M, 1000 * M);
	kit_tick(&k);
	assert_false(k.t->has_rest);
	assert_int_equal(k.t->cores.known, 0);
	assert_true(isnan(kit_row(&k, 20)->value[PROCESS_CYCLES_PCT]));
	kit_close(&k);
}

UNIT(test_names)
{
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	strcpy(kit_find(&k, 20)->name, "a\x1b]0;x\x07\xe2\x80\xae\xff");
	strcpy(kit_find(&k, 20)->user, "me\n");
	kit_run(&k, kit_find(&k, 20), 0, 5, 5); /* exec: counts go on */
	memset(kit_find(&k, 10)->name, 'x', PROCESS_NAME_SIZE);
	kit_tick(&k);
	assert_string_equal(kit_row(&k, 20)->name, "a]0;x\xef\xbf\xbd");
	assert_string_equal(kit_row(&k, 20)->user, "me");
	assert_true(kit_row(&k, 20)->d.cycles == 5);
	assert_int_equal(strlen(kit_row(&k, 10)->name), PROCESS_NAME_SIZE - 1);
	kit_second(&k);
	kit_tick(&k);
	assert_string_equal(kit_row(&k, 20)->name, "a]0;x\xef\xbf\xbd");
	kit_close(&k);
}

UNIT(test_sleep)
{
	struct kit k;

	kit_open_three(&k);
	rig_pass(&k.rig, 1000, 60000);
	kit_run(&k, kit_find(&k, 20), 0, 500 * M, 1000 * M);
	kit_tick(&k);
	assert_int_equal(kit_row(&k, 20)->flags, PROCESS_GAP);
	assert_near(kit_row(&k, 20)->value[PROCESS_CPU], 50, 1e-9);
	assert_true(k.t->rest.d.cycles == 0);
	kit_close(&k);
}

/* Slow is what fills few slots of its own cores, with cycles that matter. */
UNIT(test_flagged)
{
	struct kit k;

	kit_open_three(&k);
	for (unsigned i = 0; i < 3; i++) {
		kit_second(&k);
		/* 8 slots: 1.1 is 14 %; 4 slots: 0.7 is 17 %. */
		kit_run(&k, kit_find(&k, 20), 0, 1000 * M, 1100 * M);
		kit_run(&k, kit_find(&k, 10), 1, 1000 * M, 700 * M);
		kit_run(&k, kit_find(&k, 30), 0, 50 * M, 1 * M);
		kit_tick(&k);
		assert_true(kit_row(&k, 20)->flagged == (i == 2));
		assert_false(kit_row(&k, 10)->flagged);
		assert_false(kit_row(&k, 30)->flagged);
	}
	kit_close(&k);
}

/* One second of it, in millions of instructions of 1000 M cycles on 8 slots. */
static bool
is_flagged(struct kit *k, unsigned instructions)
{
	kit_second(k);
	kit_run(k, kit_find(k, 20), 0, 1000 * M, (uint64_t)instructions * M);
	kit_tick(k);
	return kit_row(k, 20)->flagged;
}

/* Three frames begin it; three end it, or one that is far from the mark. */
UNIT(test_a_flag_does_not_flicker)
{
	/* 1.2 is the mark, 1.71 the end of what is near it. */
	static const struct {
		unsigned instructions;
		bool flagged;
	} second[] = { { 900, false },  { 900, false },  { 1500, false },
		       { 900, false },  { 900, false },  { 900, true },
		       { 1500, true },  { 1500, true },  { 900, true },
		       { 1500, true },  { 1500, true },  { 1500, false },
		       { 900, false },  { 900, false },  { 900, true },
		       { 1800, false }, { 900, false },  { 900, false },
		       { 1800, false }, { 1800, false }, { 900, false } };
	struct kit k;

	kit_open_three(&k);
	for (unsigned i = 0; i < sizeof second / sizeof *second; i++)
		if (is_flagged(&k, second[i].instructions) != second[i].flagged)
			fail_msg("second %u", i);
	kit_close(&k);
}

/* As is_flagged(), in a second whose late counts are more than the cores'. */
static bool
is_flagged_late(struct kit *k, unsigned instructions)
{
	kit_second(k);
	kit_work(kit_find(k, 20), 0, 1000 * M, (uint64_t)instructions * M);
	kit_tick(k);
	assert_int_equal(k->t->rest.flags & PROCESS_SKEW, PROCESS_SKEW);
	return kit_row(k, 20)->flagged;
}

/* A frame that cannot be judged says nothing else; three of them end it. */
UNIT(test_a_flag_outlives_a_frame)
{
	struct kit k;

	kit_open_three(&k);
	assert_false(is_flagged_late(&k, 900));
	for (unsigned i = 0; i < 3; i++)
		assert_true(is_flagged(&k, 900) == (i == 2));
	assert_true(is_flagged_late(&k, 900));
	assert_true(is_flagged(&k, 900));
	assert_true(is_flagged_late(&k, 900));
	assert_true(is_flagged_late(&k, 900));
	assert_false(is_flagged_late(&k, 900));
	assert_false(is_flagged(&k, 900));
	kit_close(&k);
}
