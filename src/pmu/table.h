/* Macros for rows of this module's tables. */
#ifndef PMU_TABLE_H
#define PMU_TABLE_H

#include "pmu/pmu.h"
#include "pmu/texts.h"

#include <stddef.h>

/* clang-format off */
#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* Apple silicon: counters 0 and 1 are fixed, 2 to 9 configurable. */
#define ANY  0x3fcu
#define C7   0x080u
#define C5_7 0x0e0u
#define C2_7 0x0fcu

#define EV(name, number, counters) \
	{ #name, number, 0, counters, NULL, NULL, TEXT_##name, -1, false, NULL, NULL }
/* The event counts less than its name says: some metrics do not use it. */
#define EV_NARROW(name, number, counters) \
	{ #name, number, 0, counters, NULL, NULL, TEXT_##name, -1, true, NULL, NULL }
/* `as`: a second name by which metrics find the event. */
#define EV_AS(name, number, counters, as) \
	{ #name, number, 0, counters, NULL, NULL, TEXT_##name, -1, false, as, NULL }
/* `less`: an event whose count is included and which metrics subtract. */
#define EV_LESS(name, number, counters, less) \
	{ #name, number, 0, counters, NULL, NULL, TEXT_##name, -1, false, NULL, less }
#define FIXED(index, name, alias, fallback, text) \
	{ name, 0, 0, 1u << (index), alias, fallback, text, index, false, NULL, NULL }

#define APPLE_FIXED \
	FIXED(0, "FIXED_CYCLES", "Cycles", NULL, \
	      "core clock cycles, fixed counter 0"), \
	FIXED(1, "FIXED_INSTRUCTIONS", "Instructions", "INST_ALL", \
	      "instructions retired, fixed counter 1")

#define APPLE_COUNTERS \
	.fixed_counters = 0x3, .config_counters = ANY, .power_counters = 0xe0
/* clang-format on */

#endif
