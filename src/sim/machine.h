/* A table of the simulated machines: kinds, CPUs, clusters, dies. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_MAX_CPUS 40
#define SIM_NEW_FAMILY 0x0ddba11eu
#define SIM_NEW_DB "as99"
#define SIM_MAX_KINDS 3
#define SIM_MAX_CLUSTERS 8
#define SIM_STEPS 4

enum sim_class {
	SIM_CLASS_FAST,
	SIM_CLASS_MID,
	SIM_CLASS_SLOW,
	SIM_CLASS_INTEL,
	SIM_CLASS_COUNT
};

/* Kinds in the order of hw.perflevelN, fastest first. */
struct sim_kind {
	const char *name;   /* hw.perflevelN.name */
	const char *letter; /* cluster-type */
	enum sim_class class;
	unsigned width;          /* uops mapped per cycle */
	unsigned mhz[SIM_STEPS]; /* idle clock, then ascending */
	unsigned l1i_kib, l1d_kib, l2_kib;
};

struct sim_cluster {
	unsigned kind, ncpus, die;
};

struct sim_machine {
	const char *name;
	const char *model;  /* hw.model */
	const char *brand;  /* machdep.cpu.brand_string */
	const char *kernel; /* the end of kern.version */
	const char *db;     /* "": no counters */
	uint32_t cputype, cpusubtype, cpufamily;
	unsigned intel_model; /* machdep.cpu.model; 0: Apple silicon */
	unsigned smt;         /* CPUs per core */
	/* PMU version: 2 Apple; Intel by CPUID 0xA; 0: no kpc in the kernel. */
	unsigned pmu;
	unsigned nfixed, nconfig;
	bool virtual_machine;
	bool power_down; /* the last cluster powers down at times */
	unsigned os;     /* first macOS, as SIM_OS; 0: all */
	unsigned nkinds, nclusters;
	struct sim_kind kind[SIM_MAX_KINDS];
	struct sim_cluster cluster[SIM_MAX_CLUSTERS];
};

extern const struct sim_machine sim_machines[]; /* ended by a NULL name */

const struct sim_machine *sim_machine_find(const char *name);

unsigned sim_machine_ncpus(const struct sim_machine *m);

unsigned sim_machine_cluster(const struct sim_machine *m, unsigned cpu);

unsigned sim_machine_first(const struct sim_machine *m, unsigned cluster);

unsigned sim_machine_kind_cpus(const struct sim_machine *m, unsigned kind);

/* "P1", "E", "P" (all P clusters), "cpu7" as a mask; 0: unknown. */
uint64_t sim_machine_cpus_named(const struct sim_machine *m, const char *name);

#endif
