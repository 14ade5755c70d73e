#include "model/power.h"

const struct power_mark power_mark_table[] = { { POWER_AT_LEAST, "at-least" },
					       { POWER_AT_MOST, "at-most" },
					       { POWER_OWN_CLOCK, "own-clock" },
					       { POWER_DOUBTFUL,
						 "sum-differs" },
					       { POWER_SCALED, "scaled" } };
const unsigned power_marks =
	sizeof power_mark_table / sizeof power_mark_table[0];

const struct power_energy *
frame_power_energy(const struct frame_power *p, unsigned rail)
{
	const struct power_energy *const whole[POWER_WHOLES] = {
		[POWER_RAIL_DRAM] = &p->dram,
		[POWER_RAIL_GPU] = &p->gpu,
		[POWER_RAIL_PACKAGE] = &p->package,
		[POWER_RAIL_PLATFORM] = &p->platform
	};

	return rail < p->nrows ? &p->row[rail].energy : whole[rail - p->nrows];
}

double
frame_power_value(const struct frame_power *p, enum power_value what,
		  unsigned rail)
{
	if (what == POWER_VALUE_WATTS)
		return frame_power_energy(p, rail)->watts;
	if (rail >= p->nrows)
		return NAN;
	const struct power_row *r = &p->row[rail];

	return what == POWER_VALUE_NJ        ? r->nj_instruction
	       : what == POWER_VALUE_TRAFFIC ? r->traffic.both
					     : r->clock_ghz;
}
