/* Constant tables of chips: their events, counters and names. */
#ifndef PMU_PMU_H
#define PMU_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct pmu_event {
	const char *name;
	uint16_t number;   /* 0 for fixed events */
	uint8_t umask;     /* Intel only */
	uint32_t counters; /* absolute counter bits */
	const char *alias;
	const char *fallback;
	const char *text; /* one clause; NULL on Intel */
	int fixed;        /* index of the fixed counter; -1: not fixed */
	bool narrow;      /* counts less than its name says */
	const char *as;   /* second name for metrics, or NULL */
	const char *less; /* event that metrics subtract, or NULL */
};

static inline uint16_t
pmu_selector(const struct pmu_event *e)
{
	return (uint16_t)(e->number | e->umask << 8);
}

enum { PMU_CHIPS_MAX = 4 };

/* A database of macOS, /usr/share/kpep/<db>.plist. */
struct pmu {
	const char *db;
	const char *marketing; /* kpep_db_name: "Apple A14/M1" */
	const char *generation;
	const char
		*cpu[PMU_CHIPS_MAX]; /* kpc_cpu_string of each chip, or NULL */
	bool intel;
	uint32_t fixed_counters;  /* absolute bits, like the two below */
	uint32_t config_counters; /* power_counters included */
	uint32_t power_counters;  /* the power manager's, unless forced */
	unsigned counter_bits;
	unsigned event_bits; /* bits of the event number in a config word */
	/* Issue slots: micro-operations mapped per cycle; 0: unknown. */
	unsigned map_width_p, map_width_e;
	bool exact_topdown;             /* top-down formulas are the vendor's */
	const struct pmu_event *events; /* fixed events first */
	unsigned nevents;
	/* Selectors that release kernels of macOS 14.4 to 15 accept (xnu
	 * cpc_arm64_events.c), ascending; NULL: no list is known (Intel: no
	 * restriction). */
	const uint16_t *allowed;
	unsigned nallowed;
};

/* Returns database i, Intel first, then oldest to newest; NULL past the end. */
const struct pmu *pmu_at(unsigned i);

/* The next three functions return NULL for unknown or NULL arguments. */
const struct pmu *pmu_by_db(const char *db);
/* cpu: text of kpc_cpu_string. On Intel a fourth part (_46) is ignored, on
 * Apple silicon the subtype: it is that of the system's programs (2; from macOS
 * 27 perhaps c). */
const struct pmu *pmu_by_cpu(const char *cpu);

/* Searches aliases, then names, like kpep_db_event. */
const struct pmu_event *pmu_event_find(const struct pmu *p, const char *name);

/* True: the selector is in `allowed` or 0 (count nothing), or p is Intel. */
bool pmu_allows(const struct pmu *p, uint64_t selector);

#endif
