/* What ktop itself knows about chips: events, counters, names; const tables. */
#ifndef PMU_PMU_H
#define PMU_PMU_H

#include <stdbool.h>
#include <stdint.h>

struct pmu_event {
	const char *name;
	uint16_t number;      /* selector; 0 for fixed events */
	uint8_t umask;        /* Intel only */
	uint32_t counters;    /* absolute counter bits */
	const char *alias;    /* NULL: none */
	const char *fallback; /* event that may stand in, or NULL */
	const char *text;     /* one clause; NULL on Intel */
	int fixed;            /* its fixed counter, or -1 */
	bool narrow;          /* counts less than its name says */
	const char *as;       /* what ktop's metrics know it as, too; or NULL */
	const char *less;     /* event that metrics subtract from it, or NULL */
};

/* What tells events apart in a counter's word. */
static inline uint16_t
pmu_selector(const struct pmu_event *e)
{
	return (uint16_t)(e->number | e->umask << 8);
}

/* A chip as the system names it; several may share one database. */
struct pmu_chip {
	const char *cpu;      /* kpc_cpu_string: "cpu_100000c_2_1b588bb3" */
	uint32_t family;      /* hw.cpufamily */
	const char *codename; /* of the chip or its cores; NULL: unknown */
	const char *products; /* "M3 Max, M3 Ultra"; NULL: unknown */
};

enum { PMU_CHIPS_MAX = 4 };

/* A database of the system, /usr/share/kpep/<db>.plist. */
struct pmu {
	const char *db;                      /* "a14" */
	const char *marketing;               /* kpep_db_name: "Apple A14/M1" */
	const char *generation;              /* "M1"; "Intel" */
	struct pmu_chip chip[PMU_CHIPS_MAX]; /* unused: cpu is NULL */
	bool intel;
	uint32_t fixed_counters;  /* absolute bits, as the two below */
	uint32_t config_counters; /* power_counters among them */
	uint32_t power_counters;  /* the power manager's unless forced */
	unsigned counter_bits;    /* width in hardware */
	unsigned event_bits;      /* of the number in a config word */
	/* Micro-operations mapped per cycle: slots of top-down; 0: unknown. */
	unsigned map_width_p, map_width_e;
	bool exact_topdown; /* formulas are the vendor's, not our estimate */
	const struct pmu_event *events; /* fixed first, then by name */
	unsigned nevents;
	/*
	 * Selectors that release kernels of macOS 14.4 to 15 accept (xnu
	 * cpc_arm64_events.c), ascending; NULL: no list is known, which on
	 * Intel means that nothing is refused.
	 */
	const uint16_t *allowed;
	unsigned nallowed;
};

/* The i-th database, Intel first, newest last; NULL past the end. */
const struct pmu *pmu_at(unsigned i);

/* All of these give NULL for something unknown (and for NULL). */
const struct pmu *pmu_by_db(const char *db);
/*
 * By kpc_cpu_string or hw.cpufamily. Of the string a fourth part (Intel, _46)
 * is ignored, and the subtype on Apple silicon: it is that of the system's
 * programs, 2 or from macOS 27 on perhaps c, and says nothing of the chip.
 * *chip, unless chip is NULL, gets the row within the database.
 */
const struct pmu *pmu_by_cpu(const char *cpu, const struct pmu_chip **chip);
const struct pmu *pmu_by_family(uint32_t family, const struct pmu_chip **chip);

/* By alias, then by name, as kpep_db_event. */
const struct pmu_event *pmu_event_find(const struct pmu *p, const char *name);

/* Does the allow-list have it? 0, "count nothing", always passes. */
bool pmu_allows(const struct pmu *p, uint64_t selector);

#endif
