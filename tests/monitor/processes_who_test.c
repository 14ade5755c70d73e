/* Whose work it most likely is, by kind of core. */
#include "monitor/processes_kit.h"

#include <cmocka.h>

#include "model/process_rest.h"

UNIT(test_by_kind)
{
	struct process_culprit c;
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 600 * M, 900 * M);
	kit_run(&k, kit_find(&k, 10), 1, 700 * M, 350 * M);
	kit_run(&k, kit_find(&k, 10), 0, 200 * M, 50 * M);
	kit_run(&k, kit_find(&k, 30), 1, 200 * M, 900 * M);
	rig_run(&k.rig, 1, 100 * M, 1);
	kit_tick(&k);
	/* CPU 0 is of E, cluster 5 of P. */
	assert_true(processes_culprit(k.t, k.f, 0, &c));
	assert_int_equal(c.row->pid, 10);
	assert_int_equal(c.part, 1);
	assert_near(c.share_pct, 70, 1e-9);
	assert_near(c.ipc, 0.5, 1e-9);
	assert_true(processes_culprit(k.t, k.f, RIG_P, &c));
	assert_int_equal(c.row->pid, 20);
	assert_near(c.share_pct, 75, 1e-9);
	assert_near(c.ipc, 1.5, 1e-9);
	assert_true(processes_culprit(k.t, k.f, RIG_KIND_E, &c));
	assert_int_equal(c.row->pid, 10);
	assert_true(processes_culprit(k.t, k.f, RIG_ALL, &c));
	assert_int_equal(c.row->pid, 10);
	assert_int_equal(c.part, -1);
	assert_near(c.share_pct, 50, 1e-9);
	struct process_share who[2];
	const char *part;

	assert_int_equal(processes_shares(k.t, k.f, RIG_E, who, 2, &part), 2);
	assert_string_equal(part, "E");
	assert_int_equal(who[0].row->pid, 10);
	assert_near(who[0].share_pct, 70, 1e-9);
	assert_int_equal(who[1].row->pid, 30);
	assert_near(who[1].share_pct, 20, 1e-9);
	/* Nobody was there: nobody is named. */
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 5 * M, 5 * M);
	rig_run(&k.rig, 0, 100 * M, 1);
	kit_tick(&k);
	assert_false(processes_culprit(k.t, k.f, RIG_E, &c));
	kit_close(&k);
}

/* A process that runs fast is not why a core is slow. */
UNIT(test_not_of_the_fast)
{
	struct process_culprit c;
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 600 * M, 1800 * M);
	kit_run(&k, kit_find(&k, 30), 0, 100 * M, 150 * M);
	kit_run(&k, kit_find(&k, 10), 0, 300 * M, 150 * M);
	kit_tick(&k);
	assert_true(processes_culprit(k.t, k.f, RIG_P, &c));
	assert_int_equal(c.row->pid, 20);
	/* Of these cores all but one idled, and that one was slow. */
	struct span *slow = &((struct span *)(uintptr_t)k.f->span)[RIG_P];

	slow->cycles = 300 * M;
	slow->instructions = 160 * M;
	assert_true(processes_culprit(k.t, k.f, RIG_P, &c));
	assert_int_equal(c.row->pid, 10);
	slow->instructions = 40 * M;
	assert_false(processes_culprit(k.t, k.f, RIG_P, &c));
	kit_close(&k);
}

/* Where several could be it, none is named. */
UNIT(test_one_of_many)
{
	struct process_culprit c;
	struct kit k;

	kit_open_three(&k);
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 400 * M, 400 * M);
	kit_run(&k, kit_find(&k, 30), 0, 300 * M, 300 * M);
	kit_run(&k, kit_find(&k, 10), 0, 300 * M, 300 * M);
	kit_tick(&k);
	assert_false(processes_culprit(k.t, k.f, RIG_P, &c));
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 520 * M, 520 * M);
	kit_run(&k, kit_find(&k, 30), 0, 480 * M, 480 * M);
	kit_tick(&k);
	assert_true(processes_culprit(k.t, k.f, RIG_P, &c));
	assert_int_equal(c.row->pid, 20);
	kit_close(&k);
}

/* Kinds that the system does not tell apart. */
UNIT(test_not_told)
{
	struct process_culprit c;
	struct kit k;

	kit_open_three(&k);
	k.r.parts.n = 0;
	for (unsigned i = 0; i < k.r.n; i++)
		k.r.row[i].known = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS;
	kit_second(&k);
	kit_run(&k, kit_find(&k, 20), 0, 600 * M, 900 * M);
	kit_tick(&k);
	assert_false(processes_culprit(k.t, k.f, RIG_P, &c));
	assert_true(processes_culprit(k.t, k.f, RIG_ALL, &c));
	assert_int_equal(c.row->pid, 20);
	assert_near(c.share_pct, 100, 1e-9);
	/* A second part for whatever is not of the first kind. */
	k.r.parts = (struct process_parts){ .n = 2,
					    .label = { "P", "not P" },
					    .kind = { 0, -1 } };
	for (unsigned i = 0; i < k.r.n; i++)
		k.r.row[i].known = KIT_KNOWN;
	kit_second(&k);
	kit_tick(&k); /* parts come with a baseline of their own */
	kit_second(&k);
	kit_run(&k, kit_find(&k, 30), 1, 60 * M, 90 * M);
	kit_tick(&k);
	assert_true(processes_culprit(k.t, k.f, RIG_E, &c));
	assert_int_equal(c.row->pid, 30);
	assert_near(c.share_pct, 100, 1e-9);
	kit_close(&k);
}

/* Of a recording: all that have no row of their own are nobody. */
UNIT(test_others_are_nobody)
{
	const struct process_totals none = { 0 };
	struct process_culprit c;
	struct kit k;

	kit_open(&k);
	k.r.recorded = true;
	kit_add(&k, 20, -1);
	kit_add(&k, PROCESS_OTHERS_PID, -1);
	for (unsigned i = 0; i < 3; i++) {
		kit_find(&k, 20)->total = none;
		kit_find(&k, PROCESS_OTHERS_PID)->total = none;
		kit_second(&k);
		kit_run(&k, kit_find(&k, 20), 0, 600 * M, 60 * M);
		kit_run(&k, kit_find(&k, PROCESS_OTHERS_PID), 0, 500 * M,
			50 * M);
		kit_tick(&k);
	}
	assert_true(processes_culprit(k.t, k.f, RIG_P, &c));
	assert_int_equal(c.row->pid, 20);
	assert_true(kit_row(&k, 20)->flagged);
	assert_false(kit_row(&k, PROCESS_OTHERS_PID)->flagged);
	kit_second(&k);
	kit_find(&k, 20)->total = (struct process_totals){ 0 };
	kit_find(&k, PROCESS_OTHERS_PID)->total = (struct process_totals){ 0 };
	kit_run(&k, kit_find(&k, 20), 0, 300 * M, 300 * M);
	kit_run(&k, kit_find(&k, PROCESS_OTHERS_PID), 0, 400 * M, 400 * M);
	kit_tick(&k);
	assert_false(processes_culprit(k.t, k.f, RIG_P, &c));
	kit_close(&k);
}
