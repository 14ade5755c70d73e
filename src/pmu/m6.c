#include "pmu/events_m5.h"

/* clang-format off */
static const struct pmu_event events_m6[] = {
	EVENTS_M5,
	EV(LD_SME_MEM_ORDER_VIOL_LD_NONSPEC, 0x52f, ANY),
	EV(ST_SME_MEM_ORDER_VIOL_LD_NONSPEC, 0x521, ANY),
};

/* The number of issue slots per cycle is not published. */
const struct pmu pmu_m6[] = {
	{
		.db = "as9", .marketing = "Apple silicon",
		.cpu = {
			"cpu_100000c_2_6d0ccb0c", /* M6 */
			"cpu_100000c_2_7db56df1", /* A20 */
			"cpu_100000c_2_37652b0c",
			"cpu_100000c_2_8d264dca",
		},
		APPLE_COUNTERS,
		.generation = "M6", .counter_bits = 63, .event_bits = 16,
		.events = events_m6, .nevents = COUNT(events_m6),
	},
	{ .db = NULL },
};
/* clang-format on */
