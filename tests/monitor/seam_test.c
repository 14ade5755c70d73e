/*
 * Sample in, frame out, and nothing between: rows of groups where CPUs did not
 * deliver, slots that cannot be believed, sets that change, shares at their
 * limits.
 */
#include "model/near.h"

#define SECOND UINT64_C(1000000000)

static const unsigned busy_of[RIG_CPUS] = { 10, 30, 60, 100 };

static void
set_busy(struct rig *r, bool known)
{
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		r->s->cpu[i].busy_known = known;
		r->s->cpu[i].busy += busy_of[i];
		r->s->cpu[i].total += 100;
	}
}

/* CPU i retires i + 1 instructions a cycle. */
static void
uneven_work(struct rig *r)
{
	rig_pass(r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(r, i, SECOND, SECOND * (i + 1));
}

struct group {
	unsigned cpus; /* 1 << each */
	unsigned row[2];
	unsigned nrows;
};
static const struct group groups[] = {
	{ 3, { RIG_E, RIG_KIND_E }, 2 },
	{ 12, { RIG_P, RIG_KIND_P }, 2 },
	{ 15, { RIG_ALL }, 1 },
};

/* A way not to deliver, and what a row of nothing else says then. */
struct absence {
	enum cpu_state cpu;
	bool stale; /* of a source whose rows may be old */
	bool busy;  /* the system tells its busy time all the same */
	uint32_t quality;
	enum value_state state;
};
static const struct absence absences[] = {
	{ CPU_OFF, false, false, QUALITY_OFF, VALUE_OFF },
	{ CPU_OFF, true, false, QUALITY_OFF, VALUE_OFF },
	{ CPU_DENIED, false, true, QUALITY_DENIED, VALUE_DENIED },
	{ CPU_SKIPPED, false, true, QUALITY_IDLE, VALUE_IDLE },
	{ CPU_MISSING, false, true, QUALITY_STALE, VALUE_STALE },
	/* The kernel withholds the rows of the CPUs that are off. */
	{ CPU_MISSING, true, false, QUALITY_OFF, VALUE_OFF },
};

static double
mean_busy(unsigned cpus)
{
	unsigned sum = 0, n = 0;

	for (unsigned i = 0; i < RIG_CPUS; i++)
		if ((cpus >> i & 1) != 0) {
			sum += busy_of[i];
			n++;
		}
	return n > 0 ? (double)sum / n : NAN;
}

static void
check_group(const struct frame *f, unsigned row, const struct group *g,
	    unsigned gone, const struct absence *a)
{
	const struct span *t = &f->span[row];
	unsigned here = g->cpus & ~gone, n = 0, work = 0;
	double busy = mean_busy(a->busy ? g->cpus : here);

	for (unsigned i = 0; i < RIG_CPUS; i++)
		if ((here >> i & 1) != 0) {
			n++;
			work += i + 1;
		}
	assert_int_equal(t->n_ok, n);
	assert_true(isnan(busy) ? isnan(span_busy_pct(t))
				: near(span_busy_pct(t), busy));
	assert_true(near(span_interval_s(t), 1));
	assert_int_equal(t->quality, n == 0 ? a->quality : 0);
	assert_int_equal(span_has_fixed(t), n > 0);
	assert_int_equal(rig_state(f, row, "ipc"), n > 0 ? VALUE_OK : a->state);
	assert_int_equal(rig_state(f, row, "gips"),
			 n > 0 ? VALUE_OK : a->state);
	if (n == 0) {
		assert_true(isnan(rig_value(f, row, "ipc")));
		assert_true(isnan(rig_value(f, row, "ghz")));
		return;
	}
	assert_true(near(rig_value(f, row, "ipc"), (double)work / n));
	assert_true(near(rig_value(f, row, "gips"), work));
	/* Cycles over the busy time of those same CPUs. */
	assert_true(near(rig_value(f, row, "ghz"), 100 / mean_busy(here)));
}

/* Every set of CPUs that do not deliver, in every way, and back. */
UNIT(test_groups_are_of_those_that_delivered)
{
	for (unsigned k = 0; k < sizeof absences / sizeof *absences; k++)
		for (unsigned gone = 0; gone < 15; gone++) {
			const struct absence *a = &absences[k];
			struct rig r;

			rig_open(&r, "a14", NULL, a->stale);
			set_busy(&r, true);
			uneven_work(&r);
			assert_non_null(rig_feed(&r));
			uneven_work(&r);
			set_busy(&r, true);
			for (unsigned i = 0; i < RIG_CPUS; i++)
				if ((gone >> i & 1) != 0)
					r.s->cpu[i].state = a->cpu;
			const struct frame *f = rig_feed(&r);

			for (unsigned g = 0; g < 3; g++)
				for (unsigned i = 0; i < groups[g].nrows; i++)
					check_group(f, groups[g].row[i],
						    &groups[g], gone, a);
			rig_close(&r);
		}
}

/* ---- slots that cannot be believed ---- */

/* Ways in which one slot of CPU 2 goes wrong for one reading. */
static void
jumps(struct reading *x)
{
	x->count += UINT64_C(1) << 60;
}

static void
falls(struct reading *x)
{
	x->count -= 15000;
}

static void
is_asked_backwards(struct reading *x)
{
	x->enabled_ns -= 2 * SECOND;
}

static void
is_asked_for_years(struct reading *x)
{
	x->enabled_ns += UINT64_C(1) << 60;
	x->running_ns += UINT64_C(1) << 60;
}

static void
runs_backwards(struct reading *x)
{
	x->running_ns -= 2 * SECOND;
}

static void
stands(struct reading *x)
{
	x->running_ns -= SECOND;
}

static void
never_asked(struct reading *x)
{
	x->running_ns -= SECOND;
	x->enabled_ns -= SECOND;
}

static const struct {
	void (*wrong)(struct reading *x);
	bool clock; /* of a source that tells the time of each */
	uint32_t quality;
} unbelievable[] = {
	{ jumps, false, QUALITY_LOST },
	{ jumps, true, QUALITY_LOST },
	{ falls, false, QUALITY_LOST },
	{ falls, true, QUALITY_LOST },
	{ is_asked_backwards, true, QUALITY_LOST },
	{ is_asked_for_years, true, QUALITY_LOST },
	{ runs_backwards, true, QUALITY_LOST },
	{ stands, true, QUALITY_MUX },
	{ never_asked, true, 0 },
};

/* A table walk is a count by itself: a rate, and a share of INST_ALL. */
static const char walk[] = "MMU_TABLE_WALK_DATA";

static void
slots_work(struct rig *r, bool clock)
{
	rig_work(r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		for (unsigned k = 0; k < FIXED_COUNT && clock; k++) {
			r->s->cpu[i].fixed[k].enabled_ns += SECOND;
			r->s->cpu[i].fixed[k].running_ns += SECOND;
		}
		for (unsigned k = 0; k < r->set.len; k++) {
			r->s->cpu[i].slot[k].count += 5000;
			if (clock) {
				r->s->cpu[i].slot[k].enabled_ns += SECOND;
				r->s->cpu[i].slot[k].running_ns += SECOND;
			}
		}
	}
}

static void
check_one_slot(const struct frame *f, unsigned slot, uint32_t quality, bool ok)
{
	assert_int_equal(f->span[2].quality, ok ? 0 : quality);
	assert_int_equal(span_has_slot(&f->span[2], slot), ok);
	assert_true(isnan(rig_value(f, 2, "walk_d_per_s")) == !ok);
	assert_true(span_has_slot(&f->span[2], slot > 0 ? 0 : 1));
	assert_int_equal(f->span[2].cycles, 2 * SECOND);
	/* The row above has its other CPU's alone. */
	assert_true(
		near(rig_value(f, RIG_P, "walk_d_per_s"), ok ? 10000 : 5000));
	assert_int_equal(span_has_slot(&f->span[RIG_P], slot), ok);
	assert_int_equal(f->span[RIG_P].quality, ok ? 0 : quality);
	assert_true(near(rig_value(f, 3, "walk_d_per_s"), 5000));
	assert_true(near(rig_value(f, RIG_E, "walk_d_per_s"), 10000));
}

UNIT(test_a_slot_that_cannot_be_believed)
{
	for (unsigned i = 0; i < sizeof unbelievable / sizeof *unbelievable;
	     i++) {
		bool clock = unbelievable[i].clock;
		uint32_t quality = unbelievable[i].quality;
		struct rig r;

		rig_open(&r, "a14", "dtlb", false);
		unsigned slot = rig_slot(&r, walk);
		struct reading *x = &r.s->cpu[2].slot[slot];

		for (int n = 0; n < 3; n++) {
			slots_work(&r, clock);
			check_one_slot(rig_feed(&r), slot, 0, true);
		}
		slots_work(&r, clock);
		unbelievable[i].wrong(x);
		check_one_slot(rig_feed(&r), slot, quality, false);
		/* What it says now is the baseline of what comes next. */
		slots_work(&r, clock);
		check_one_slot(rig_feed(&r), slot, 0, true);
		rig_close(&r);
	}
}

/* The pair's clock is the row's: a row of years is none, and then a reset. */
UNIT(test_a_row_of_years)
{
	struct rig r;

	rig_open(&r, "a14", "dtlb", false);
	slots_work(&r, true);
	assert_non_null(rig_feed(&r));
	slots_work(&r, true);
	for (unsigned k = 0; k < FIXED_COUNT; k++)
		is_asked_for_years(&r.s->cpu[2].fixed[k]);
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[2].quality, QUALITY_STALE);
	assert_true(isnan(rig_value(f, 2, "gips")));
	assert_true(near(span_interval_s(&f->span[RIG_ALL]), 1));
	slots_work(&r, true);
	f = rig_feed(&r);
	assert_int_equal(f->span[2].quality & QUALITY_LOST, QUALITY_LOST);
	assert_false(span_has_fixed(&f->span[2]));
	slots_work(&r, true);
	f = rig_feed(&r);
	assert_int_equal(f->span[2].quality, 0);
	assert_true(near(rig_value(f, 2, "gips"), 3));
	rig_close(&r);
}

/* Half of the time by its own clock: that time's rate, and a mark. */
UNIT(test_a_slot_with_a_clock_of_its_own)
{
	static const struct {
		uint64_t enabled, running;
		double rate;
		uint32_t quality;
	} row[] = {
		{ SECOND / 2, SECOND / 2, 10000, 0 }, /* opened in between */
		{ SECOND, SECOND / 2, 10000, QUALITY_MUX },
		{ SECOND / 2, SECOND / 4, 20000, QUALITY_MUX },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct rig r;

		rig_open(&r, "a14", "dtlb", false);
		unsigned slot = rig_slot(&r, walk);
		unsigned rate = (unsigned)metric_find("walk_d_per_s");
		struct reading *x = &r.s->cpu[2].slot[slot];

		slots_work(&r, true);
		assert_non_null(rig_feed(&r));
		slots_work(&r, true);
		x->enabled_ns -= SECOND - row[i].enabled;
		x->running_ns -= SECOND - row[i].running;
		const struct frame *f = rig_feed(&r);

		assert_true(near(rig_value(f, 2, "walk_d_per_s"), row[i].rate));
		assert_int_equal(frame_marks(f, 2, rate), VALUE_SCALED);
		assert_int_equal(f->span[2].quality, row[i].quality);
		assert_int_equal(f->span[2].slot[slot], 5000);
		double group = rig_value(f, RIG_P, "walk_d_per_s");

		/* More than the counts alone, no more than both rates. */
		assert_true(group > 10000 && group <= row[i].rate + 5000);
		assert_int_equal(frame_marks(f, RIG_P, rate), VALUE_SCALED);
		assert_int_equal(frame_marks(f, 3, rate), 0);
		rig_close(&r);
	}
}

/* ---- another set, and a row that is missing at once ---- */

/* Counts of the new set, which by chance go on from those of the old one. */
static void
swap_sets(struct rig *r, const char *preset, unsigned cannot)
{
	rig_pass(r, 400, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(r, i, SECOND, SECOND);
	rig_set(r, preset);
	for (unsigned k = 0; k < r->set.len && cannot > 0; k++)
		r->s->cpu[0].slot[k].supported = false;
	r->s->flags = SAMPLE_BASELINE;
}

/* With its baseline or without, whether it could count the old set or not. */
UNIT(test_states_are_of_the_set_in_force)
{
	enum { BASE_HERE = 1, COULD = 2, CAN = 4, WAYS = 8 };

	for (unsigned way = 0; way < WAYS; way++) {
		bool here = (way & BASE_HERE) != 0, can = (way & CAN) != 0;
		struct rig r;

		rig_open(&r, "a14", "basic", false);
		for (unsigned k = 0; k < r.set.len; k++)
			r.s->cpu[0].slot[k].supported = (way & COULD) != 0;
		slots_work(&r, false);
		assert_non_null(rig_feed(&r));
		swap_sets(&r, "dtlb", !can);
		r.s->cpu[0].state = here ? CPU_DELIVERED : CPU_MISSING;
		assert_null(rig_feed(&r));
		r.s->flags = 0;
		r.s->cpu[0].state = CPU_MISSING;
		slots_work(&r, false);
		const struct frame *f = rig_feed(&r);

		assert_int_equal(f->span[0].quality, QUALITY_STALE);
		for (unsigned row = 0; row <= RIG_ALL; row++)
			assert_int_equal(rig_state(f, row, "branch_mpki"),
					 VALUE_NOT_COUNTED);
		/* What nobody has told of this set is not said of it. */
		assert_int_equal(rig_state(f, 0, "walk_d_per_s"),
				 here && !can ? VALUE_UNSUPPORTED
					      : VALUE_STALE);
		assert_int_equal(rig_state(f, 1, "walk_d_per_s"), VALUE_OK);
		assert_int_equal(rig_state(f, RIG_E, "walk_d_per_s"), VALUE_OK);
		/* It comes back: its slots have a baseline, or get one now. */
		r.s->cpu[0].state = CPU_DELIVERED;
		slots_work(&r, false);
		f = rig_feed(&r);
		assert_int_equal(f->span[0].quality, QUALITY_CATCHUP);
		assert_int_equal(span_has_slot(&f->span[0], rig_slot(&r, walk)),
				 here && can);
		if (here && can)
			assert_int_equal(f->span[0].slot[rig_slot(&r, walk)],
					 10000);
		slots_work(&r, false);
		f = rig_feed(&r);
		assert_int_equal(f->span[0].quality, 0);
		assert_int_equal(rig_state(f, 0, "walk_d_per_s"),
				 can ? VALUE_OK : VALUE_UNSUPPORTED);
		rig_close(&r);
	}
}

/* Without a baseline of its own the first reading of a set is one. */
UNIT(test_a_set_that_changes_unannounced)
{
	struct rig r;

	rig_open(&r, "a14", "basic", false);
	slots_work(&r, false);
	assert_non_null(rig_feed(&r));
	swap_sets(&r, "dtlb", 0);
	r.s->flags = 0;
	r.s->cpu[3].state = CPU_MISSING;
	const struct frame *f = rig_feed(&r);

	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < r.set.len; k++)
			assert_false(span_has_slot(&f->span[i], k));
	assert_int_equal(rig_state(f, 3, "walk_d_per_s"), VALUE_STALE);
	assert_int_equal(rig_state(f, 2, "branch_mpki"), VALUE_NOT_COUNTED);
	assert_value(f, 2, "ipc", 1);
	r.s->cpu[3].state = CPU_DELIVERED;
	slots_work(&r, false);
	f = rig_feed(&r);
	assert_true(span_has_slot(&f->span[2], rig_slot(&r, walk)));
	assert_false(span_has_slot(&f->span[3], rig_slot(&r, walk)));
	assert_int_equal(f->quality & QUALITY_SWAP, 0);
	rig_close(&r);
}

/* Announced or not: counters that came are not subtracted from others. */
UNIT(test_a_changed_number_of_counters)
{
	struct rig r;
	unsigned before = 0;

	rig_open(&r, "a14", "basic", false);
	const struct eventset whole = r.set;

	assert_true(whole.len > 2);
	for (unsigned step = 0; step < 40; step++) {
		bool told = step % 3 == 0, same;

		/* Counters and counts go on: only their number says it. */
		rig_pass(&r, 400, 0);
		r.set.len = 1 + step * 7 % whole.len;
		same = r.set.len == before;
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			rig_run(&r, i, SECOND, SECOND);
			for (unsigned k = 0; k < EVENTSET_MAX; k++)
				r.s->cpu[i].slot[k].supported = k < r.set.len;
		}
		r.s->flags = told ? SAMPLE_BASELINE : 0;
		const struct frame *f = rig_feed(&r);

		assert_int_equal(f == NULL, told || step == 0);
		for (unsigned i = 0; f != NULL && i <= RIG_ALL; i++) {
			assert_int_equal(f->span[i].nslots, r.set.len);
			for (unsigned k = 0; k < EVENTSET_MAX; k++)
				assert_int_equal(span_has_slot(&f->span[i], k),
						 same && k < r.set.len);
		}
		r.s->flags = 0;
		rig_pass(&r, 600, 0);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			rig_run(&r, i, SECOND, SECOND);
			for (unsigned k = 0; k < r.set.len; k++)
				r.s->cpu[i].slot[k].count += 1000 * (k + 1);
		}
		f = rig_feed(&r);
		assert_int_equal(f->set->len, r.set.len);
		assert_value(f, RIG_ALL, "ipc", 1);
		for (unsigned k = 0; k < EVENTSET_MAX; k++) {
			assert_int_equal(span_has_slot(&f->span[RIG_ALL], k),
					 k < r.set.len);
			assert_int_equal(
				f->span[RIG_ALL].slot[k],
				k < r.set.len ? RIG_CPUS * 1000 * (k + 1) : 0);
		}
		before = r.set.len;
	}
	rig_close(&r);
}

/* ---- top-down at its limits ---- */

/* As Linux counts slots on Arm (Neoverse V1 and N2), AMD, and elsewhere. */
#define COUNTED(event)                        \
	{                                     \
		.name = event, .counters = 63 \
	}
#define CYCLES                                             \
	{                                                  \
		.name = "CORE_ACTIVE_CYCLE", .fixed = true \
	}
#define COMMON CYCLES, COUNTED("SLOT_DELIVERY")
#define END COUNTED("SLOT_TOTAL"), COUNTED("SLOT_USEFUL")
static const struct event arm_v1[] = { COMMON, COUNTED("SLOT_PROCESSING"),
				       COUNTED("SLOT_RECOVERY"),
				       COUNTED("SLOT_SPECULATED"), END };
static const struct event arm_n2[] = { COMMON, COUNTED("SLOT_MISCOUNTED"),
				       COUNTED("SLOT_PROCESSING"),
				       COUNTED("SLOT_SPECULATED"), END };
static const struct event amd[] = { COMMON, COUNTED("SLOT_DISPATCHED"),
				    COUNTED("SLOT_PROCESSING"), END };
static const struct event rest[] = { COMMON, COUNTED("SLOT_PROCESSING"),
				     COUNTED("SLOT_REST"), END };
enum { TERMS = 6 };

/* A machine's database, or a catalog; the events that shares are made of. */
static const struct family {
	const char *db;
	const struct event *event;
	const char *name[TERMS]; /* the last: that says how many there are */
} families[] = {
	{ "a14",
	  NULL,
	  { "RETIRE_UOP", "MAP_STALL", "MAP_REWIND", "MAP_INT_UOP",
	    "MAP_DISPATCH_BUBBLE", "CORE_ACTIVE_CYCLE" } },
	{ "as4",
	  NULL,
	  { "RETIRE_UOP", "MAP_STALL_NONRECOVERY", "MAP_RECOVERY", "MAP_UOP",
	    "MAP_DISPATCH_BUBBLE_SLOT", "CORE_ACTIVE_CYCLE" } },
	{ NULL,
	  arm_v1,
	  { "SLOT_USEFUL", "SLOT_PROCESSING", "SLOT_SPECULATED",
	    "SLOT_DELIVERY", "SLOT_RECOVERY", "SLOT_TOTAL" } },
	{ NULL,
	  arm_n2,
	  { "SLOT_USEFUL", "SLOT_PROCESSING", "SLOT_SPECULATED",
	    "SLOT_DELIVERY", "SLOT_MISCOUNTED", "SLOT_TOTAL" } },
	{ NULL,
	  amd,
	  { "SLOT_USEFUL", "SLOT_PROCESSING", "SLOT_DISPATCHED",
	    "SLOT_DELIVERY", NULL, "SLOT_TOTAL" } },
	{ NULL,
	  rest,
	  { "SLOT_USEFUL", "SLOT_PROCESSING", "SLOT_REST", "SLOT_DELIVERY",
	    NULL, "SLOT_TOTAL" } },
};

static struct catalog family_catalog;

static void
open_family(struct rig *r, const struct family *y)
{
	unsigned n = 0;

	if (y->db != NULL) {
		rig_open(r, y->db, "topdown", false);
		r->t->kind[0].width = 8;
		r->t->kind[1].width = 4;
		return;
	}
	rig_open(r, "a14", NULL, false);
	for (unsigned k = 0; k < TERMS; k++)
		n += y->name[k] != NULL;
	family_catalog = (struct catalog){ "perf", y->event, n + 1, 63 };
	monitor_free(r->m);
	r->m = monitor_new(
		r->t, &(struct monitor_options){ .catalog = &family_catalog },
		NULL);
	r->set = (struct eventset){ .name = "topdown", .len = n };
	for (unsigned k = 0; k < n; k++) {
		r->set.slot[k] = (struct slot){ &y->event[k + 1], k };
		for (unsigned i = 0; i < RIG_CPUS; i++)
			r->s->cpu[i].slot[k].supported = true;
	}
	r->s->domain = DOMAIN_ALL;
	assert_null(rig_feed(r));
}

static const char *const share_names[] = { "retiring_pct", "bad_spec_pct",
					   "frontend_pct", "backend_pct",
					   "unaccounted_pct" };
enum { SHARES = sizeof share_names / sizeof *share_names };

static void
count_terms(struct rig *r, const struct family *y, unsigned cpu,
	    const uint64_t count[TERMS])
{
	for (unsigned k = 0; k < TERMS; k++)
		if (y->name[k] != NULL)
			rig_count(r, cpu, y->name[k], count[k]);
}

/* None below nothing, and all of them together are all. */
static void
check_shares(const struct frame *f, unsigned row)
{
	double sum = 0;

	for (unsigned i = 0; i < SHARES; i++) {
		double v = rig_value(f, row, share_names[i]);

		if (rig_state(f, row, share_names[i]) != VALUE_OK ||
		    !(v >= 0 && v <= 100 + 1e-9))
			fail_msg("row %u: %s %g %d %s", row, share_names[i], v,
				 rig_state(f, row, share_names[i]),
				 f->set->slot[0].event->name);
		sum += v;
	}
	if (!(fabs(sum - 100) < 1e-6))
		fail_msg("row %u: %g in all", row, sum);
}

/* Counts that are skewed or wrong in every way, another on each CPU. */
UNIT(test_shares_whatever_is_claimed)
{
	static const uint64_t level[] = { 1, SECOND / 8, SECOND, 10 * SECOND };
	enum { LEVELS = 4, ALL = 1024 }; /* LEVELS to the 5th */

	for (unsigned y = 0; y < sizeof families / sizeof *families; y++) {
		struct rig r;

		open_family(&r, &families[y]);
		for (unsigned at = 0; at < ALL; at++) {
			rig_work(&r);
			for (unsigned i = 0; i < RIG_CPUS; i++) {
				uint64_t count[TERMS];
				unsigned code = (at + i * 337) % ALL;

				for (unsigned k = 0; k < TERMS - 1; k++) {
					count[k] = level[code % LEVELS];
					code /= LEVELS;
				}
				count[TERMS - 1] = SECOND;
				count_terms(&r, &families[y], i, count);
			}
			const struct frame *f = rig_feed(&r);

			for (unsigned row = 0; row <= RIG_ALL; row++)
				check_shares(f, row);
		}
		rig_close(&r);
	}
}

/* What gives way where too much is claimed; of CPU 2, of 8 slots a cycle. */
UNIT(test_what_gives_way)
{
	static const struct {
		unsigned family;
		uint64_t count[TERMS];
		double share[SHARES];
	} row[] = {
		/* M1: useful work over 1 leaves no room for anything else. */
		{ 0, { 9000, 100, 50, 9000, 100, 1000 }, { 100 } },
		/* Wrong guesses and waiting give way to bubbles, as they are.
		 */
		{ 0, { 4000, 400, 100, 4000, 100, 1000 }, { 50, 8, 10, 32 } },
		/* M4: all four claim 1.6. */
		{ 1,
		  { 4000, 300, 200, 4000, 4800, 1000 },
		  { 50 / 1.6, 20 / 1.6, 60 / 1.6, 30 / 1.6 } },
		/* V1: no more recovers than was not delivered. */
		{ 2,
		  { 4000, 1000, 5000, 500, 2000, 8000 },
		  { 65, 22.5, 0, 12.5 } },
		/* N2: no more is miscounted than was counted. */
		{ 3,
		  { 4000, 1000, 5000, 500, 2000, 8000 },
		  { 70, 17.5, 0, 12.5 } },
		/* AMD: what was dispatched is less than what retired. */
		{ 4,
		  { 4000, 2000, 3000, 1000, 0, 8000 },
		  { 50, 0, 12.5, 25, 12.5 } },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		uint64_t count[TERMS];
		struct rig r;

		open_family(&r, &families[row[i].family]);
		rig_work(&r);
		for (unsigned k = 0; k < TERMS; k++)
			count[k] = row[i].count[k] * 1000000;
		count_terms(&r, &families[row[i].family], 2, count);
		const struct frame *f = rig_feed(&r);

		for (unsigned k = 0; k < SHARES; k++)
			if (!(fabs(rig_value(f, 2, share_names[k]) -
				   row[i].share[k]) < 1e-6))
				fail_msg("case %u: %s is %g", i, share_names[k],
					 rig_value(f, 2, share_names[k]));
		rig_close(&r);
	}
}
