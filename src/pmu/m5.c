#include "pmu/events_m5.h"

/* clang-format off */
static const struct pmu_event events_m5[] = {
	EVENTS_M5,
	EV(LD_BLOCKED_BY_SME_LDST, 0x52c, ANY),
	EV(ST_BARRIER_BLOCKED_BY_SME_LDST, 0x52e, ANY),
};

#define M5 \
	APPLE_COUNTERS, \
	.generation = "M5", .counter_bits = 63, .event_bits = 16, \
	.events = events_m5, .nevents = COUNT(events_m5)

const struct pmu pmu_m5[] = {
	{
		.db = "as5", .marketing = "Apple silicon",
		.cpu = { "cpu_100000c_2_1d5a87e8" }, /* M5 */
		.map_width_p = 10, .map_width_e = 0,
		M5
	},
	{
		.db = "as5-1", .marketing = "Apple silicon",
		.cpu = {
			"cpu_100000c_2_f76c5b1a", /* M5 Pro, M5 Max */
			"cpu_100000c_2_da9d04c3",
		},
		.map_width_p = 10, .map_width_e = 0,
		M5
	},
	{
		.db = "as5-2", .marketing = "Apple silicon",
		.cpu = {
			"cpu_100000c_2_1d7a72b", /* A19 */
			"cpu_100000c_2_ab345f09", /* A19 Pro */
		},
		.map_width_p = 10, .map_width_e = 0,
		M5
	},
	{ .db = NULL },
};
/* clang-format on */
