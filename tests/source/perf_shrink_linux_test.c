/*
 * Counters that others hold: a group that would take turns with them is made
 * smaller, and grows again when it may (linux: 1.3, 1.8).
 */
#include "source/fake_perf.h"

#define SECOND UINT64_C(1000000000)

/* How many counters a group takes: the kernel's own events take none. */
static int
counters(const struct fake *f, const struct fake_event *leader)
{
	int n = 0;

	for (int k = 0; k < leader->nmembers; k++)
		n += f->event[leader->member[k]].attr.type !=
		     PERF_TYPE_SOFTWARE;
	return n;
}

/*
 * A second with `others` of six counters held: groups that need more than what
 * is left run half of the time. Counts stand still while they do not run.
 */
static void
second(struct rig *r, int others)
{
	struct fake *f = r->f;

	f->now_ns += (int64_t)SECOND;
	for (int i = 0; i < FAKE_FDS; i++) {
		struct fake_event *e = &f->event[i];
		uint64_t run = SECOND;

		if (!e->used || e->leader != i)
			continue;
		if (counters(f, e) > 6 - others)
			run /= 2;
		e->en += SECOND;
		e->run += run;
		for (int k = 0; k < e->nmembers; k++)
			f->event[e->member[k]].value += run;
	}
	rig_read(r);
}

static unsigned
members(struct rig *r, int cpu)
{
	return (unsigned)counters(r->f, fake_leader(r->f, cpu));
}

static void
start(struct rig *r)
{
	rig_prepare(r, "zen4-7950x");
	rig_open(r);
	assert_true(rig_program(r, "overview"));
	second(r, 0);
	assert_string_equal(r->s->info.notice, "");
}

static void
shrinks_on_the_second_tick(void **state)
{
	unsigned full;
	struct rig r;

	(void)state;
	start(&r);
	full = members(&r, 0);
	assert_true(full >= 4);
	second(&r, 6 - (int)full + 1); /* one too few for all of it */
	assert_int_equal(members(&r, 0), full);
	assert_true(r.frame->tally[0].quality & QUALITY_MUX);
	second(&r, 6 - (int)full + 1);
	for (int cpu = 0; cpu < 32; cpu++)
		assert_int_equal(members(&r, cpu), full - 1);
	second(&r, 6 - (int)full + 1);
	second(&r, 6 - (int)full + 1);
	assert_int_equal(members(&r, 0), full - 1); /* that was enough */
	assert_int_equal(r.frame->tally[0].quality & QUALITY_MUX, 0);
	assert_non_null(strstr(r.s->info.notice, "not counted"));
	assert_non_null(strstr(r.s->info.notice, "NMI watchdog"));
	/* The reason stands with the set, and n/a where the value would be. */
	const struct eventset *set = r.s->info.set;
	const char *gone = set->dropped[set->ndropped - 1].event;
	unsigned slot = 0;

	assert_non_null(strstr(r.s->info.notice, gone));
	while (strcmp(set->slot[slot].event->name, gone) != 0)
		slot++;
	assert_false(r.frame->tally[0].slot_known[slot]);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	/* It is the last of the preset that goes, not the first. */
	assert_true(near(rig_value(&r, 0, "branch_mpki"), 1000));
	rig_close(&r);
}

static void
down_to_the_pair(void **state)
{
	struct rig r;

	(void)state;
	start(&r);
	for (int i = 0; i < 20; i++)
		second(&r, 5);
	assert_int_equal(members(&r, 0), 2);
	/* Nothing more to give up: they take turns, and that is said. */
	assert_true(r.frame->tally[0].quality & QUALITY_MUX);
	assert_non_null(strstr(r.s->info.notice, "profiler"));
	rig_close(&r);
}

static void
grows_again(void **state)
{
	unsigned full, opens, dropped;
	struct rig r;

	(void)state;
	start(&r);
	dropped = r.s->info.set->ndropped;
	full = members(&r, 0);
	for (int i = 0; i < 4; i++)
		second(&r, 6 - (int)full + 2);
	for (int i = 0; i < 4; i++)
		second(&r, 0);
	assert_int_equal(members(&r, 0), full - 2);
	for (int i = 0; i < 40; i++)
		second(&r, 0);
	assert_int_equal(members(&r, 0), full - 1); /* one at a time */
	for (int i = 0; i < 40; i++)
		second(&r, 0);
	assert_int_equal(members(&r, 0), full);
	assert_string_equal(r.s->info.notice, "");
	assert_int_equal(r.s->info.set->ndropped, dropped);
	second(&r, 0);
	opens = r.f->opens;
	for (int i = 0; i < 700; i++)
		second(&r, 0);
	assert_int_equal(r.f->opens, opens); /* and it stays */
	rig_close(&r);
}

/* Attempts that fail come at 30, 60, 120 ... 600 s. */
static void
backs_off(void **state)
{
	unsigned full, attempts = 0, before;
	struct rig r;

	(void)state;
	start(&r);
	full = members(&r, 0);
	for (int i = 0; i < 4; i++)
		second(&r, 6 - (int)full + 1);
	before = members(&r, 0);
	for (int i = 0; i < 3600; i++) {
		unsigned now;

		second(&r, 6 - (int)full + 1);
		now = members(&r, 0);
		attempts += now > before;
		before = now;
	}
	/* 30 60 120 240 480 600 ... of an hour: about nine. */
	assert_in_range(attempts, 7, 11);
	rig_close(&r);
}

/* A new set is tried whole. */
static void
a_new_set_starts_whole(void **state)
{
	unsigned full;
	struct rig r;

	(void)state;
	start(&r);
	full = members(&r, 0);
	for (int i = 0; i < 4; i++)
		second(&r, 6 - (int)full + 1);
	assert_int_equal(members(&r, 0), full - 1);
	assert_true(rig_program(&r, "branch"));
	unsigned branch = members(&r, 0);

	for (int i = 0; i < 3; i++)
		second(&r, 0);
	assert_int_equal(members(&r, 0), branch);
	assert_string_equal(r.s->info.notice, "");
	rig_close(&r);
}

static int
denied_later(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	(void)attr, (void)cpu, (void)leader;
	return f->arg != NULL ? EACCES : 0;
}

/* Groups that are open are kept where none could be opened again. */
static void
not_without_the_right(void **state)
{
	unsigned full;
	struct rig r;

	(void)state;
	rig_prepare(&r, "zen4-7950x");
	r.f->refuse = denied_later;
	rig_open(&r);
	assert_true(rig_program(&r, "overview"));
	second(&r, 0);
	full = members(&r, 0);
	r.f->arg = &r;
	for (int i = 0; i < 5; i++)
		second(&r, 6 - (int)full + 1);
	assert_int_equal(members(&r, 0), full);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	rig_close(&r);
}

/* Only the kind that is short of counters gives any up. */
static void
one_kind_alone(void **state)
{
	unsigned p, e;
	struct rig r;

	(void)state;
	rig_prepare(&r, "alderlake-12900k");
	rig_open(&r);
	assert_true(rig_program(&r, "overview"));
	second(&r, -10);
	p = members(&r, 0);
	e = members(&r, 16);
	for (int i = 0; i < 4; i++) {
		r.f->now_ns += (int64_t)SECOND;
		for (int cpu = 0; cpu < 24; cpu++)
			fake_times(r.f, cpu, SECOND,
				   cpu < 16 || members(&r, cpu) < e
					   ? SECOND
					   : SECOND / 2);
		rig_read(&r);
	}
	assert_int_equal(members(&r, 0), p);
	assert_int_equal(members(&r, 16), e - 1);
	rig_close(&r);
}

static int
hardware_is_busy(struct fake *f, const struct perf_event_attr *attr, int cpu,
		 int leader)
{
	(void)f, (void)cpu, (void)leader;
	return attr->type != PERF_TYPE_SOFTWARE ? EBUSY : 0;
}

/*
 * A kernel that opens nothing when it is time to grow: what is open counts on,
 * what is left out is not forgotten, and comes back once it may.
 */
static void
grows_once_it_may(void **state)
{
	unsigned full;
	struct rig r;

	(void)state;
	start(&r);
	full = members(&r, 0);
	for (int i = 0; i < 4; i++)
		second(&r, 6 - (int)full + 2);
	r.f->refuse = hardware_is_busy;
	for (int i = 0; i < 300; i++) {
		second(&r, 0);
		assert_int_equal(members(&r, 0), full - 2);
		assert_true(near(rig_value(&r, 0, "ipc"), 1));
		assert_non_null(strstr(r.s->info.notice, "not counted"));
	}
	assert_false(rig_program(&r, "branch"));
	second(&r, 0);
	assert_int_equal(members(&r, 0), full - 2);
	r.f->refuse = NULL;
	for (int i = 0; i < 90; i++)
		second(&r, 0);
	assert_int_equal(members(&r, 0), full);
	assert_string_equal(r.s->info.notice, "");
	rig_close(&r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shrinks_on_the_second_tick),
		cmocka_unit_test(down_to_the_pair),
		cmocka_unit_test(grows_again),
		cmocka_unit_test(backs_off),
		cmocka_unit_test(a_new_set_starts_whole),
		cmocka_unit_test(not_without_the_right),
		cmocka_unit_test(one_kind_alone),
		cmocka_unit_test(grows_once_it_may),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
