/*
 * Apple's cores under Linux: table of families. Numbers, names and counters of
 * the events are those of the Mac's databases (m1.c, m2.c); the driver places
 * them by the same rule as ktop, lowest free counter first
 * (apple_m1_cpu_pmu.c).
 */
#include "pmu/perf/table.h"
#include "pmu/table.h"

/* clang-format off */
#define APPLE(title, db) \
	{ .name = title, .cycles = "event=0x02", .instructions = "event=0x8c", .counters = 8, .apple = true, .apple_db = db }

const struct linux_pmu linux_apple_m1 = APPLE("apple-m1", "a14");
const struct linux_pmu linux_apple_m2 = APPLE("apple-m2", "a15");
/* M3 and later: no driver in the kernel yet; one out of it names two events. */
const struct linux_pmu linux_apple_unknown = {
	.name = "apple", .cycles = "@cycles", .instructions = "@instructions", .counters = 4,
};
/* clang-format on */
