/*
 * Counters that others hold: as many events as fit at once are counted, the
 * pair always, and the others come back as soon as they may (linux: 1.3, 1.8).
 */
#include "source/fake_perf.h"

#define SECOND UINT64_C(1000000000)

enum { COUNTERS = 8, CPUS = 32 };

/* A second with so many of the counters held for good, and by turns. */
static void
second(struct rig *r, unsigned pinned, unsigned others)
{
	r->f->pinned = pinned;
	r->f->others = others;
	rig_second(r, SECOND);
}

static bool
is_software(const struct fake_event *e)
{
	return e->attr.type == PERF_TYPE_SOFTWARE;
}

/* Hardware events that are open on the CPU. */
static unsigned
members(const struct rig *r, int cpu)
{
	unsigned n = 0;

	for (struct fake_event *e = fake_first_on(r->f, cpu); e != NULL;
	     e = fake_next_on(e))
		n += !is_software(e);
	return n;
}

static void
start_with(struct rig *r, const char *preset, bool mux)
{
	rig_prepare(r, "zen4-7950x");
	/* As a Zen 3: its overview has more to lose than slots. */
	rig_write(r, "/proc/cpuinfo",
		  "processor\t: 0\nvendor_id\t: AuthenticAMD\n"
		  "cpu family\t: 25\nmodel\t\t: 33\n");
	r->f->counters = COUNTERS;
	r->o.mux = mux;
	rig_open(r);
	assert_true(rig_program(r, preset));
	second(r, 0, 0);
	assert_string_equal(r->s->info.notice, "");
}

static void
start(struct rig *r)
{
	start_with(r, "basic", false);
}

/* The metric that loses its events first, and one that keeps them longest. */
static const char *const last = "l1d_fill_mpki", *const first = "branch_mpki";

static void
only_what_fits(struct rig *r, unsigned full, unsigned held)
{
	unsigned left = COUNTERS - held, fits = left < full ? left : full;

	for (int cpu = 0; cpu < CPUS; cpu++)
		assert_int_equal(members(r, cpu), fits < 2 ? 2 : fits);
}

/* Held for good, whatever their number: one frame, and all that fits is there.
 */
UNIT(fits_in_one_frame)
{
	for (unsigned held = 1; held <= COUNTERS - 2; held++) {
		unsigned full;
		struct rig r;

		start(&r);
		full = members(&r, 0);
		assert_true(full > 4);
		second(&r, held, 0);
		only_what_fits(&r, full, held);
		second(&r, held, 0);
		only_what_fits(&r, full, held);
		assert_true(near(rig_value(&r, 0, "ipc"), 1));
		assert_int_equal(r.frame->span[0].quality & QUALITY_MUX, 0);
		if (full > COUNTERS - held) {
			assert_int_equal(rig_state(&r, 0, last), VALUE_IN_USE);
			assert_non_null(
				strstr(r.s->info.notice, "NMI watchdog"));
		}
		rig_close(&r);
	}
}

/* Others that take turns with it: the same, seen on the second frame. */
UNIT(does_not_take_turns)
{
	unsigned full;
	struct rig r;

	start(&r);
	full = members(&r, 0);
	second(&r, 0, COUNTERS - full + 1);
	assert_true(r.frame->span[0].quality & QUALITY_MUX);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	second(&r, 0, COUNTERS - full + 1);
	only_what_fits(&r, full, COUNTERS - full + 1);
	second(&r, 0, COUNTERS - full + 1);
	assert_int_equal(r.frame->span[0].quality & QUALITY_MUX, 0);
	assert_int_equal(rig_state(&r, 0, last), VALUE_IN_USE);
	/* It is the last of the preset that goes, not the first. */
	assert_true(near(rig_value(&r, 0, first), 1000));
	rig_close(&r);
}

/* The reason stands with the set, and `held` where the value would be. */
UNIT(says_what_is_held)
{
	const struct eventset *set;
	const char *gone;
	unsigned full, slot = 0;
	struct rig r;

	start(&r);
	full = members(&r, 0);
	second(&r, COUNTERS - full + 1, 0);
	second(&r, COUNTERS - full + 1, 0);
	set = r.s->info.set;
	gone = set->dropped[set->ndropped - 1].event;
	assert_non_null(strstr(r.s->info.notice, "not counted"));
	assert_non_null(strstr(r.s->info.notice, gone));
	while (strcmp(set->slot[slot].event->name, gone) != 0)
		slot++;
	for (unsigned i = 0; i < r.frame->nscopes; i++) {
		assert_false(span_has_slot(&r.frame->span[i], slot));
		assert_int_equal(rig_state(&r, i, last), VALUE_IN_USE);
	}
	rig_close(&r);
}

/* Not even the pair finds counters: that is held, too, and nothing is lost. */
UNIT(nothing_is_left)
{
	uint64_t ctx;
	unsigned slot = 0;
	struct rig r;

	start(&r);
	while (strcmp(r.s->info.set->slot[slot].event->name,
		      "SW_CONTEXT_SWITCHES") != 0)
		slot++;
	ctx = r.sample->cpu[0].slot[slot].count;
	for (int i = 0; i < 5; i++) {
		second(&r, COUNTERS - 1, 0);
		assert_int_equal(members(&r, 0), 2);
		assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_IN_USE);
		assert_true(isnan(rig_value(&r, 0, "ipc")));
		/* The kernel's own events need no counter. */
		assert_true(near(rig_value(&r, 0, "ctx_per_s"), SECOND));
	}
	assert_int_equal(r.sample->cpu[0].slot[slot].count, ctx + 5 * SECOND);
	assert_non_null(strstr(r.s->info.notice, "profiler"));
	for (int i = 0; i < 2; i++)
		second(&r, 0, 0);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	rig_close(&r);
}

/* Within two frames of the moment the others are gone, and it stays so. */
UNIT(comes_back)
{
	unsigned full, opens, dropped;
	struct rig r;

	for (unsigned held = 1; held <= COUNTERS; held++) {
		start(&r);
		dropped = r.s->info.set->ndropped;
		full = members(&r, 0);
		for (int i = 0; i < 3; i++)
			second(&r, held, 0);
		second(&r, 0, 0);
		assert_int_equal(members(&r, 0), full);
		second(&r, 0, 0);
		assert_true(near(rig_value(&r, 0, last), 1000));
		assert_true(near(rig_value(&r, 0, first), 1000));
		assert_string_equal(r.s->info.notice, "");
		assert_int_equal(r.s->info.set->ndropped, dropped);
		for (int i = 0; i < 3; i++)
			second(&r, 0, 0);
		opens = r.f->opens;
		for (int i = 0; i < 100; i++)
			second(&r, 0, 0);
		assert_int_equal(r.f->opens, opens);
		rig_close(&r);
	}
}

/* Counters that are lent out one by one come back one by one. */
UNIT(follows_the_others)
{
	unsigned full;
	struct rig r;

	start(&r);
	full = members(&r, 0);
	for (unsigned held = 0; held <= COUNTERS - 2; held++)
		for (int i = 0; i < 3; i++) {
			second(&r, held, 0);
			only_what_fits(&r, full, held);
		}
	for (unsigned held = COUNTERS - 2; held-- > 0;)
		for (int i = 0; i < 8; i++)
			second(&r, held, 0);
	assert_int_equal(members(&r, 0), full);
	rig_close(&r);
}

/* Totals go on: a frame's counts are those of the time they were counted in. */
UNIT(nothing_is_invented)
{
	uint64_t dice = 1;
	struct rig r;

	start(&r);
	for (int i = 0; i < 400; i++) {
		dice = dice * 6364136223846793005u + 1442695040888963407u;
		second(&r, (unsigned)(dice >> 40) % (COUNTERS - 1),
		       (unsigned)(dice >> 50) % 4);
		if (r.frame == NULL)
			continue;
		for (unsigned s = 0; s < r.frame->nscopes; s++) {
			double ipc = rig_value(&r, s, "ipc");
			double br = rig_value(&r, s, first);

			assert_true(isnan(ipc) || near(ipc, 1));
			assert_true(isnan(br) || fabs(br - 1000) < 1);
		}
	}
	rig_close(&r);
}

/* A new set is tried whole, and at once without what does not fit. */
UNIT(a_new_set_starts_whole)
{
	unsigned full;
	struct rig r;

	start(&r);
	full = members(&r, 0);
	for (int i = 0; i < 4; i++)
		second(&r, COUNTERS - full + 1, 0);
	assert_int_equal(members(&r, 0), full - 1);
	r.f->pinned = 0;
	assert_true(rig_program(&r, "branch"));
	second(&r, 0, 0);
	assert_true(near(rig_value(&r, 0, first), 1000));
	assert_string_equal(r.s->info.notice, "");
	r.f->pinned = COUNTERS - 3;
	assert_true(rig_program(&r, "basic"));
	assert_int_equal(members(&r, 0), 3);
	second(&r, COUNTERS - 3, 0);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	assert_int_equal(r.frame->span[0].quality & QUALITY_MUX, 0);
	rig_close(&r);
}

static int
denied_later(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	return f->arg != NULL ? EACCES : 0;
}

/* Groups that are open are kept where none could be opened again. */
UNIT(not_without_the_right)
{
	unsigned full;
	struct rig r;

	rig_prepare(&r, "zen4-7950x");
	r.f->counters = COUNTERS;
	r.f->refuse = denied_later;
	rig_open(&r);
	assert_true(rig_program(&r, "basic"));
	second(&r, 0, 0);
	full = members(&r, 0);
	r.f->arg = &r;
	for (int i = 0; i < 5; i++)
		second(&r, 0, COUNTERS - full + 1);
	assert_int_equal(members(&r, 0), full);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	rig_close(&r);
}

/* Only the kind that is short of counters gives any up. */
UNIT(one_kind_alone)
{
	unsigned p, e;
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	assert_true(rig_program(&r, "basic"));
	rig_second(&r, SECOND);
	p = members(&r, 0);
	e = members(&r, 16);
	r.f->counters = COUNTERS;
	r.f->from = 16;
	for (int i = 0; i < 4; i++)
		second(&r, COUNTERS - e + 1, 0);
	assert_int_equal(members(&r, 0), p);
	for (int cpu = 16; cpu < 24; cpu++)
		assert_int_equal(members(&r, cpu), e - 1);
	rig_close(&r);
}

static int
hardware_is_busy(struct fake *f, const struct perf_event_attr *attr, int cpu,
		 int leader)
{
	return attr->type != PERF_TYPE_SOFTWARE ? EBUSY : 0;
}

/*
 * A kernel that opens nothing when it is time to grow: what is open counts on,
 * what is left out is not forgotten, and comes back once it may.
 */
UNIT(grows_once_it_may)
{
	unsigned full;
	struct rig r;

	start(&r);
	full = members(&r, 0);
	for (int i = 0; i < 4; i++)
		second(&r, COUNTERS - full + 2, 0);
	assert_int_equal(members(&r, 0), full - 2);
	r.f->refuse = hardware_is_busy;
	for (int i = 0; i < 100; i++) {
		second(&r, 0, 0);
		assert_int_equal(members(&r, 0), full - 2);
		assert_true(near(rig_value(&r, 0, "ipc"), 1));
		assert_non_null(strstr(r.s->info.notice, "not counted"));
	}
	assert_false(rig_program(&r, "branch"));
	second(&r, 0, 0);
	assert_int_equal(members(&r, 0), full - 2);
	r.f->refuse = NULL;
	for (int i = 0; i < 40; i++)
		second(&r, 0, 0);
	assert_int_equal(members(&r, 0), full);
	assert_string_equal(r.s->info.notice, "");
	rig_close(&r);
}

/* --mux: nothing is left out, every number says what it is made of. */
UNIT(takes_turns_if_asked)
{
	unsigned full, at = (unsigned)metric_find("branch_mpki");
	struct rig r;

	start_with(&r, "basic", true);
	full = members(&r, 0);
	for (int i = 0; i < 5; i++)
		second(&r, COUNTERS - 3, 0);
	assert_int_equal(members(&r, 0), full);
	assert_string_equal(r.s->info.notice, "");
	assert_true(r.frame->span[0].quality & QUALITY_MUX);
	/* Of the counters alone: the kernel's own events are always counted. */
	assert_true(span_coverage(&r.frame->span[0]) > 0.1);
	assert_true(span_coverage(&r.frame->span[0]) < 0.75);
	assert_true(near(rig_value(&r, 0, "ctx_per_s"), SECOND));
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	assert_true(fabs(rig_value(&r, 0, first) - 1000) < 1);
	assert_true(fabs(rig_value(&r, 0, last) - 1000) < 1);
	assert_true(frame_marks(r.frame, 0, at) & VALUE_SCALED);
	for (int i = 0; i < 2; i++)
		second(&r, 0, 0);
	assert_int_equal(frame_marks(r.frame, 0, at), 0);
	rig_close(&r);
}
