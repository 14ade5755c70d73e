/* Spans of energy and traffic add up over frames. */
#include <math.h>
#include <string.h>
#include <cmocka.h>

#include "model/power.h"

static const struct power_energy no_energy = { NAN, NAN, 0, false };
static const struct power_row no_row = {
	.energy = { NAN, NAN, 0, false },
	.nj_instruction = NAN,
	.traffic = { NAN, NAN, NAN, NAN, 0, false },
	.clock_ghz = NAN,
};

struct bench {
	struct power_row row[2]; /* a cluster, the machine */
	struct frame_power power;
	struct power_sums sums[2];
};

static void
begin(struct bench *b)
{
	memset(b, 0, sizeof *b);
	b->row[0] = b->row[1] = no_row;
	b->power = (struct frame_power){
		.nrows = 2,
		.row = b->row,
		.whole = { no_energy, no_energy, no_energy, no_energy,
			   no_energy },
	};
}

static void
add(struct bench *b, double since_s)
{
	power_sums_add(b->sums, &b->power, since_s);
}

static void
is(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-9 * fabs(wanted)))
		fail_msg("%.12g, not %.12g", value, wanted);
}

UNIT(spans_add_up_and_what_is_not_new_does_not)
{
	struct bench b;

	begin(&b);
	b.row[0].energy = (struct power_energy){ 3, 2, POWER_OWN_CLOCK, true };
	b.row[0].nj_instruction = 0.5;
	b.power.whole[POWER_RAIL_GPU] = (struct power_energy){ 1, 1, 0, true };
	add(&b, 2);
	b.row[0].energy.fresh = b.power.whole[POWER_RAIL_GPU].fresh = false;
	add(&b, 3);
	b.row[0].energy = (struct power_energy){ 5, 1, 0, true };
	b.row[0].nj_instruction = NAN;
	add(&b, 4);
	is(power_sums_amount(&b.sums[0], POWER_TOTAL_CPUS), 11);
	is(b.sums[0].of[POWER_TOTAL_CPUS].span_s, 3);
	is(power_sums_rate(&b.sums[0], POWER_TOTAL_CPUS), 11.0 / 3);
	assert_int_equal(b.sums[0].of[POWER_TOTAL_CPUS].marks, POWER_OWN_CLOCK);
	/* The span without instructions has no part in it. */
	is(power_sums_nj(&b.sums[0]), 0.5);
	/* No rail's energy is another's. */
	is(power_sums_amount(&b.sums[1], POWER_TOTAL_WHOLES + POWER_RAIL_GPU),
	   1);
	assert_true(isnan(power_sums_amount(&b.sums[1], POWER_TOTAL_CPUS)));
	assert_true(isnan(power_sums_nj(&b.sums[1])));
}

UNIT(zero_that_was_published_is_no_unknown)
{
	struct bench b;

	begin(&b);
	b.row[1].energy = (struct power_energy){ 0, 1, 0, true };
	add(&b, 1);
	assert_true(power_sums_amount(&b.sums[1], POWER_TOTAL_CPUS) == 0);
	assert_true(isnan(power_sums_amount(&b.sums[1], POWER_TOTAL_TRAFFIC)));
}

/* Half an hour's energy is none of a recording of a minute. */
UNIT(spans_from_before_are_left_out)
{
	struct bench b;

	begin(&b);
	b.row[1].energy = (struct power_energy){ 10, 1800, 0, true };
	add(&b, 60);
	assert_true(isnan(power_sums_amount(&b.sums[1], POWER_TOTAL_CPUS)));
	b.row[1].energy.span_s = 2.1; /* began a little early */
	add(&b, 2);
	is(power_sums_amount(&b.sums[1], POWER_TOTAL_CPUS), 21);
}

UNIT(traffic_has_its_own_time)
{
	struct bench b;

	begin(&b);
	b.row[1].energy = (struct power_energy){ 10, 1, 0, true };
	b.row[1].traffic = (struct power_traffic){
		NAN, NAN, 4e9, 2, POWER_AT_LEAST, true
	};
	add(&b, 2);
	is(power_sums_amount(&b.sums[1], POWER_TOTAL_TRAFFIC), 8e9);
	is(power_sums_rate(&b.sums[1], POWER_TOTAL_TRAFFIC), 4e9);
	assert_true(isnan(power_sums_amount(&b.sums[1], POWER_TOTAL_READ)));
	assert_int_equal(b.sums[1].of[POWER_TOTAL_TRAFFIC].marks,
			 POWER_AT_LEAST);
	b.row[1].traffic.span_s = NAN; /* a recording before it had one */
	add(&b, 3);
	is(power_sums_amount(&b.sums[1], POWER_TOTAL_TRAFFIC), 8e9);
}
