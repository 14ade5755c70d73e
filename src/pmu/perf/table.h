/*
 * What Linux's perf events can count on each family of cores, in ktop's names:
 * const tables. A canonical name stands only where the meaning is that of
 * Apple's event, or documented near to it (the text then says what is counted);
 * what means something else has a name of its own.
 */
#ifndef PMU_PERF_TABLE_H
#define PMU_PERF_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum linux_count {
	LINUX_RAW,      /* `native` on the CPU's own PMU */
	LINUX_GENERIC,  /* PERF_TYPE_HARDWARE, `config` */
	LINUX_SOFTWARE, /* PERF_TYPE_SOFTWARE, `config` */
	/* Not counted but known: the cycles x `config` (0: the PMU's slots). */
	LINUX_CYCLES_TIMES,
	LINUX_NOTHING, /* always 0: a name for what other events leave */
	/* All four shares of the set's slots: for a width that nobody knows. */
	LINUX_SLOTS_SUM
};

enum linux_smt { LINUX_SMT_ANY, LINUX_SMT_ONLY, LINUX_SMT_NEVER };

struct linux_event {
	const char *name;
	const char *alias;    /* a second canonical name, or NULL */
	const char *native;   /* "event=0xd1,umask=0x08", or "@l1d_cache": that
				 alias, if the PMU's events/ list it */
	const char *text;     /* one clause: what exactly is counted */
	uint32_t counters;    /* bits of general counters; 0: any of them */
	const char *plus;     /* a second code, as native: the two are summed */
	enum linux_count how; /* LINUX_RAW: `native` */
	unsigned config;    /* LINUX_RAW: what each event counts for; 0: one */
	bool free;          /* has a counter of its own, takes no general one */
	bool leader;        /* has to lead its group */
	bool led;           /* counts only in a group that has the leader */
	const char *unless; /* as native: a PMU that has it needs this not */
	enum linux_smt smt; /* whether cores have several threads */
};

struct linux_pmu {
	const char *name;                  /* "golden-cove" */
	const char *cycles, *instructions; /* as native; NULL: generic ones */
	unsigned counters; /* general ones, less what those two need */
	bool no_fixed;     /* instructions take a general counter */
	/* Counters are numbered as Apple's, 2 to 9, not from 0. */
	bool apple;
	const struct linux_event *events;
	unsigned nevents;
	const char *apple_db; /* its events are those of pmu_by_db() */
};

enum linux_vendor { LINUX_VENDOR_OTHER, LINUX_VENDOR_INTEL, LINUX_VENDOR_AMD };

/* What decides the family; strings borrowed, "" for what is unknown. */
struct linux_cpu {
	const char *pmu;      /* folder below event_source/devices */
	const char *pmu_name; /* caps/pmu_name */
	enum linux_vendor vendor;
	unsigned family, model; /* x86: of /proc/cpuinfo */
	uint32_t midr;          /* ARM: main id; 0: unknown */
};

/* Never NULL: an unknown PMU gets the four generic events. */
const struct linux_pmu *linux_pmu_find(const struct linux_cpu *cpu);

/*
 * Issue slots a cycle of the family's cores, of Apple's of the efficient ones
 * or the others; 0: unknown. Arm's PMUs say it themselves (caps/slots).
 */
unsigned linux_width(const struct linux_pmu *family, bool efficient);

/* The i-th table, NULL past the end. */
const struct linux_pmu *linux_pmu_at(unsigned i);

/* Kernel events that need no counter: on every machine. */
extern const struct linux_pmu linux_software;

extern const struct linux_pmu linux_generic;
extern const struct linux_pmu linux_golden_cove, linux_ice_lake, linux_skylake,
	linux_redwood_cove, linux_lion_cove, linux_gracemont, linux_crestmont,
	linux_skymont, linux_darkmont, linux_intel_unknown, linux_intel_core,
	linux_intel_atom;
extern const struct linux_pmu linux_zen1, linux_zen2, linux_zen3, linux_zen4,
	linux_zen5, linux_zen6;
extern const struct linux_pmu linux_arm, linux_neoverse_n2,
	linux_neoverse_n2_r0p3, linux_neoverse_n3, linux_neoverse_v1,
	linux_neoverse_v2, linux_neoverse_v3, linux_ampereone;
extern const struct linux_pmu linux_apple_m1, linux_apple_m2,
	linux_apple_unknown;

#endif
