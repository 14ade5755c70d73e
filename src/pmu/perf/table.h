/* Constant tables of events of Linux PMUs. An event with an Apple event's name
 * counts the same or nearly the same, as its text documents; other events have
 * other names. */
#ifndef PMU_PERF_TABLE_H
#define PMU_PERF_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum linux_count {
	LINUX_RAW,      /* `native` on the CPU's own PMU */
	LINUX_GENERIC,  /* PERF_TYPE_HARDWARE, `config` */
	LINUX_SOFTWARE, /* PERF_TYPE_SOFTWARE, `config` */
	/* cycles x `config`; `config` 0: x the PMU's slots */
	LINUX_CYCLES_TIMES,
	LINUX_NOTHING, /* always 0: in the remainder that other events leave */
	/* The sum of the set's four slot events, since the width is unknown. */
	LINUX_SLOTS_SUM
};

enum linux_smt { LINUX_SMT_ANY, LINUX_SMT_ONLY, LINUX_SMT_NEVER };

struct linux_event {
	const char *name;
	const char *alias;  /* second canonical name, or NULL */
	const char *native; /* "event=0xd1,umask=0x08"; "@l1d_cache": a name in
			       the PMU's events/ */
	const char *text;
	uint32_t counters; /* bits of general counters; 0: any */
	const char *plus;  /* second code; the two counts are summed */
	enum linux_count how;
	unsigned config; /* LINUX_RAW: weight of an event; 0: one */
	bool free;
	bool leader;        /* must lead its group */
	bool led;           /* counts only in a group with its leader */
	const char *unless; /* left out if the PMU has this event */
	enum linux_smt smt; /* number of threads per core that it needs */
};

struct linux_pmu {
	const char *name;
	const char *cycles, *instructions; /* NULL: the generic events */
	unsigned counters;
	bool no_fixed; /* instructions take a general counter */
	/* Apple silicon: counters are numbered 2 to 9, as on macOS. */
	bool apple;
	const struct linux_event *events;
	unsigned nevents;
	const char *apple_db; /* pmu_by_db() has the events; NULL: `events` */
};

enum linux_vendor { LINUX_VENDOR_OTHER, LINUX_VENDOR_INTEL, LINUX_VENDOR_AMD };

/* Properties that identify a CPU. Strings are borrowed, "" if unknown. */
struct linux_cpu {
	const char *pmu; /* folder in event_source/devices */
	const char *pmu_name;
	enum linux_vendor vendor;
	unsigned family, model; /* x86: from /proc/cpuinfo */
	uint32_t midr;          /* Arm main ID register; 0: unknown */
};

/* Never returns NULL: unknown PMUs get the generic events. */
const struct linux_pmu *linux_pmu_find(const struct linux_cpu *cpu);

/* Returns the issue slots per cycle that the tables have, for `efficient` of
 * Apple's E cores; 0: none, as for many Arm PMUs, which have caps/slots. */
unsigned linux_width(const struct linux_pmu *family, bool efficient);

const struct linux_pmu *linux_pmu_at(unsigned i);

/* Software events, which need no counter. */
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
