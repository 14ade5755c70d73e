#include "pmu/events_m4.h"

/* clang-format off */
static const struct pmu_event events_m4[] = {
	EVENTS_M4,
	EV(ARM_STALL_SLOT, 0x3f, ANY),
	EV(ARM_STALL_SLOT_BACKEND, 0x3d, ANY),
	EV(ARM_STALL_SLOT_FRONTEND, 0x3e, ANY),
	EV(LD_BLOCKED_BY_SME_LDST, 0x52c, ANY),
	EV(MAP_UOP, 0x3b, ANY),
	EV(MMU_VIRTUAL_MEMORY_FAULT_NONSPEC, 0x40d, ANY),
	EV(RETIRE_UOP, 0x3a, C2_7),
	EV(ST_BARRIER_BLOCKED_BY_SME_LDST, 0x52e, ANY),
	EV(ST_MEMORY_ORDER_VIOLATION_NONSPEC, 0x8c4, C5_7),
	EV(ST_MEM_ORDER_VIOL_LD_NONSPEC, 0x8c4, C5_7),
};

/* Allow-list in xnu cpc_arm64_events.c (macOS 15.4) for chips of the family. */
static const uint16_t allowed_m4[] = {
	0x08, 0x11, 0x21, 0x22, 0x3a, 0x3b, 0x182, 0x183, 0x1d4, 0x1d6,
	0x1de, 0x26c, 0x270, 0x275, 0x276, 0x27c, 0x27d, 0x27e, 0x404, 0x405,
	0x407, 0x408, 0x40a, 0x40b, 0x40d, 0x5a0, 0x5a1, 0x5a2, 0x5a3, 0x5a6,
	0x5a7, 0x5a8, 0x5b1, 0x5b2, 0x5b3, 0x5b4, 0x5e5, 0x5e6, 0x884, 0x88e,
	0x88f, 0x890, 0x893, 0x894, 0x895, 0x896, 0x897, 0x898, 0x899, 0x89a,
	0x89b, 0x89c, 0x8bf, 0x8c0, 0x8c1, 0x8c4, 0x8c5, 0x8c6, 0x8c8, 0x8ca,
	0x4006,
};

#define M4 \
	APPLE_COUNTERS, \
	.generation = "M4", .counter_bits = 63, .event_bits = 16, \
	.events = events_m4, .nevents = COUNT(events_m4), \
	.allowed = allowed_m4, .nallowed = COUNT(allowed_m4)

const struct pmu pmu_m4[] = {
	{
		.db = "as4", .marketing = "Apple silicon",
		.cpu = { "cpu_100000c_2_6f5129ac" }, /* M4 */
		.map_width_p = 10, .map_width_e = 5,
		M4
	},
	{
		.db = "as4-1", .marketing = "Apple silicon",
		.cpu = { "cpu_100000c_2_17d5b93a" }, /* M4 Pro, M4 Max */
		.map_width_p = 10, .map_width_e = 5,
		M4
	},
	{
		.db = "as4-2", .marketing = "Apple silicon",
		.cpu = {
			"cpu_100000c_2_204526d0", /* A18 */
			"cpu_100000c_2_75d4acb9", /* A18 Pro */
		},
		.map_width_p = 10, .map_width_e = 5,
		M4
	},
	{ .db = NULL },
};
/* clang-format on */
