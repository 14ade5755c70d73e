/* Energy, traffic and clocks of the past are those of their moments. */
#include "model/rig.h"

#include "monitor/power.h"

#include <cmocka.h>

enum { FRAMES = 12, ROWS = RIG_ALL + 1, POWER_ROWS = 3 };

/* What each frame said. */
struct told {
	bool has;
	struct power_row row[POWER_ROWS];
	struct power_energy dram;
};

struct then {
	struct span span[ROWS];
	double value[ROWS * METRIC_MAX];
	uint8_t state[ROWS * METRIC_MAX];
	struct frame_power power;
	struct power_row row[POWER_ROWS];
	struct frame f;
};

static const struct power_source source = {
	.nrails = 4,
	.rail = { { .what = POWER_CLUSTER, .letter = 'P', .die = -1 },
		  { .what = POWER_CLUSTER, .letter = 'E', .die = -1 },
		  { .what = POWER_DRAM },
		  { .what = POWER_TRAFFIC } },
};

/* Joules (bytes, with their seconds) of a span that ends with the frame. */
static void
tell(struct rig *r, unsigned rail, double seconds, double amount)
{
	int64_t end = r->s->stamp.awake_ns;
	struct power_update update = { (uint16_t)rail,
				       { .begin_ns =
						 end - (int64_t)(seconds * 1e9),
					 .end_ns = end,
					 .amount = amount,
					 .weight = seconds } };

	power_join_add(monitor_power(r->m), &update, 1);
}

/* P uses 1, 2, 3 ... W; DRAM speaks every other second of two. */
static void
run(struct rig *r, struct told told[FRAMES], struct frame *last)
{
	rig_open(r, "a14", NULL, false);
	power_join_source(monitor_power(r->m), &source);
	for (unsigned i = 0; i < FRAMES; i++) {
		rig_work(r);
		if (i >= 2) {
			tell(r, 0, 1, i);
			tell(r, 1, 1, 0.5);
			tell(r, 3, 1, 1e9 * i);
		}
		if (i >= 2 && i % 2 == 1)
			tell(r, 2, 2, 4);
		const struct frame *f = rig_feed(r);

		assert_non_null(f);
		assert_non_null(f->power);
		assert_int_equal(f->power->nrows, POWER_ROWS);
		told[i].has = true;
		memcpy(told[i].row, f->power->row, sizeof told[i].row);
		told[i].dram = f->power->whole[POWER_RAIL_DRAM];
		*last = *f;
	}
}

static struct history_rows
rows_of(struct then *t)
{
	return (struct history_rows){ .span = t->span,
				      .value = t->value,
				      .state = t->state,
				      .power = &t->power,
				      .power_row = t->row };
}

static bool
same(double a, double b)
{
	return isnan(a) ? isnan(b) : fabs(a - b) < 1e-9;
}

static void
check_row(const struct power_row *is, const struct power_row *was)
{
	assert_true(same(is->energy.watts, was->energy.watts));
	assert_true(same(is->energy.span_s, was->energy.span_s));
	assert_int_equal(is->energy.fresh, was->energy.fresh);
	assert_true(same(is->nj_instruction, was->nj_instruction));
	assert_true(same(is->traffic.both, was->traffic.both));
}

UNIT(test_a_frame_of_the_past_has_its_own_power)
{
	static struct then then;
	struct told told[FRAMES];
	struct frame last;
	struct rig r;

	run(&r, told, &last);
	assert_true(isnan(told[1].row[0].energy.watts)); /* nothing yet */
	for (unsigned back = 0; back < FRAMES; back++) {
		const struct told *was = &told[FRAMES - 1 - back];
		struct history_rows rows = rows_of(&then);

		then.f = last;
		assert_true(
			history_then(monitor_past(r.m), back, &then.f, &rows));
		assert_ptr_equal(then.f.power, &then.power);
		for (unsigned i = 0; i < POWER_ROWS; i++)
			check_row(&then.f.power->row[i], &was->row[i]);
		assert_true(same(then.f.power->whole[POWER_RAIL_DRAM].watts,
				 was->dram.watts));
	}
	/* Who has no room for it gets none, and never the present's. */
	struct history_rows none = rows_of(&then);

	none.power = NULL;
	then.f = last;
	assert_true(history_then(monitor_past(r.m), 3, &then.f, &none));
	assert_null(then.f.power);
	rig_close(&r);
}

UNIT(test_the_past_of_a_rail_is_a_line)
{
	float past[FRAMES + 4];
	struct told told[FRAMES];
	struct frame last;
	struct rig r;

	run(&r, told, &last);
	const struct history *h = monitor_past(r.m);

	for (unsigned rail = 0; rail < POWER_ROWS; rail++) {
		unsigned n = history_power(h, rail, POWER_VALUE_WATTS,
					   FRAMES + 4, past);

		assert_int_equal(n, FRAMES);
		for (unsigned i = 0; i < n; i++)
			assert_true(same(
				(double)past[i],
				(double)(float)told[i].row[rail].energy.watts));
		assert_int_equal(
			history_power(h, rail, POWER_VALUE_NJ, 3, past), 3);
		assert_true(
			same((double)past[2], (double)(float)told[FRAMES - 1]
						      .row[rail]
						      .nj_instruction));
	}
	assert_int_equal(history_power(h, POWER_ROWS + POWER_RAIL_DRAM,
				       POWER_VALUE_WATTS, 1, past),
			 1);
	assert_true(same((double)past[0], 2));
	/* A rail of the whole machine has no instructions. */
	(void)history_power(h, POWER_ROWS + POWER_RAIL_DRAM, POWER_VALUE_NJ, 1,
			    past);
	assert_true(isnan(past[0]));
	/* A frame that covers a pause has no value. */
	monitor_gap(r.m);
	rig_work(&r);
	assert_non_null(rig_feed(&r));
	(void)history_power(h, 0, POWER_VALUE_WATTS, 1, past);
	assert_true(isnan(past[0]));
	rig_close(&r);
}

/* Joules are added and divided by their seconds; nothing counts twice. */
UNIT(test_seconds_together_use_what_they_used)
{
	enum { SPAN = 4, LAST = FRAMES - 2 };
	static struct then then;
	struct told told[FRAMES];
	struct frame last;
	struct rig r;

	run(&r, told, &last);
	struct history_rows rows = rows_of(&then);

	then.f = last;
	assert_true(history_window(monitor_past(r.m), 1, SPAN, &then.f, &rows,
				   NULL));
	double joules = LAST + (LAST - 1) + (LAST - 2) + (LAST - 3),
	       span = SPAN;
	const struct power_row *p = &then.f.power->row[1];

	assert_true(same(p->energy.watts, joules / span));
	assert_true(same(p->energy.span_s, SPAN));
	/* Two CPUs of 3e9 a second. */
	assert_true(same(p->nj_instruction, joules * 1e9 / (span * 6e9)));
	assert_true(same(frame_power_machine(then.f.power)->traffic.both,
			 1e9 * joules / span));
	assert_true(same(then.f.power->whole[POWER_RAIL_DRAM].watts, 2));
	assert_true(same(then.f.power->whole[POWER_RAIL_DRAM].span_s, SPAN));

	/* Of a second a span of an hour tells nothing. */
	rig_work(&r);
	tell(&r, 0, 3600, 3600);
	last = *rig_feed(&r);
	then.f = last;
	assert_true(
		history_window(monitor_past(r.m), 0, 2, &then.f, &rows, NULL));
	assert_true(same(then.f.power->row[1].energy.watts, FRAMES - 1));
	assert_true(same(then.f.power->row[1].energy.span_s, 1));

	struct history_energy e = history_energy(monitor_past(r.m), 2, 1, SPAN);

	assert_true(same(e.joules, joules));
	assert_true(same(e.s, SPAN));
	assert_true(same(e.most_watts, LAST));
	/* A span of two seconds ends once, though two frames show it. */
	e = history_energy(monitor_past(r.m), 1, POWER_ROWS + POWER_RAIL_DRAM,
			   6);
	assert_true(same(e.joules, 12));
	assert_true(same(e.s, 6));
	/* A span that is longer tells nothing of one second. */
	e = history_energy(monitor_past(r.m), 0, POWER_ROWS + POWER_RAIL_DRAM,
			   1);
	assert_true(same(e.s, 0));
	assert_true(same(history_energy(monitor_past(r.m), FRAMES, 0, 9).s, 0));
	rig_close(&r);
}
