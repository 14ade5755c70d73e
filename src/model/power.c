#include "model/power.h"

const struct power_mark power_mark_table[] = { { POWER_AT_LEAST, "at-least" },
					       { POWER_AT_MOST, "at-most" },
					       { POWER_OWN_CLOCK, "own-clock" },
					       { POWER_DOUBTFUL,
						 "sum-differs" },
					       { POWER_SCALED, "scaled" } };
const unsigned power_marks =
	sizeof power_mark_table / sizeof power_mark_table[0];
