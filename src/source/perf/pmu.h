/* One core PMU below /sys/bus/event_source/devices, and its event language. */
#ifndef SOURCE_PERF_PMU_H
#define SOURCE_PERF_PMU_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { PMU_NAME_SIZE = 32, PMU_TEXT_SIZE = 256 };

/* What goes into perf_event_attr. */
struct perf_code {
	uint32_t type;
	uint64_t config, config1, config2;
};

struct pmu_linux {
	const char *root; /* borrowed; NULL: the system */
	char name[PMU_NAME_SIZE];
	char kernel_name[PMU_NAME_SIZE]; /* caps/pmu_name; "" */
	uint32_t type;                   /* of this boot: never kept */
	unsigned slots;                  /* caps/slots, 0: not said */
};

/* False when there is no such PMU. */
bool pmu_linux_open(struct pmu_linux *p, const char *root, const char *name);

/* "event=0xd1,umask=0x08" by the PMU's format/; *e names what is wrong. */
bool pmu_linux_terms(const struct pmu_linux *p, const char *terms,
		     struct perf_code *out, struct err *e);

/* An alias of events/; its terms go to text (PMU_TEXT_SIZE) unless NULL. */
bool pmu_linux_alias(const struct pmu_linux *p, const char *alias, char *text,
		     struct perf_code *out, struct err *e);

#endif
