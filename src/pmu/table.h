/* Short hands for the tables of this room; nobody else includes it. */
#ifndef PMU_TABLE_H
#define PMU_TABLE_H

#include "pmu/pmu.h"

#include <stddef.h>

/* clang-format off */
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Counters of Apple silicon: 0 and 1 are fixed, 2 to 9 configurable. */
#define ANY  0x3fcu
#define C7   0x080u
#define C5_7 0x0e0u
#define C2_7 0x0fcu

#define EV(name, number, counters, text) { name, number, 0, counters, NULL, NULL, text, -1 }
#define FIXED(index, name, alias, fallback, text) \
	{ name, 0, 0, 1u << (index), alias, fallback, text, index }

#define APPLE_COUNTERS \
	.fixed_counters = 0x3, .config_counters = ANY, .power_counters = 0xe0
/* clang-format on */

#endif
