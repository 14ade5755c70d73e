/* Table of the simulated machines: kinds of cores, CPUs, clusters, dies. */
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

/* The kinds of a machine are in the order of hw.perflevelN, fastest first. */
struct sim_kind {
	const char *name;   /* hw.perflevelN.name */
	const char *letter; /* cluster-type */
	enum sim_class class;
	unsigned width;          /* micro-operations mapped per cycle */
	unsigned mhz[SIM_STEPS]; /* idle clock, then ascending clock steps */
	unsigned l1i_kib, l1d_kib, l2_kib;
};

struct sim_cluster {
	unsigned kind, ncpus, die;
};

struct sim_machine {
	const char *name;
	const char *model;
	const char *brand;
	const char *kernel; /* end of kern.version */
	const char *db;     /* database name; "": no counters */
	uint32_t cputype, cpusubtype, cpufamily;
	unsigned intel_model; /* machdep.cpu.model; 0: Apple silicon */
	unsigned smt;
	/* 2: Apple; Intel: version in CPUID 0xA; 0: no kpc */
	unsigned pmu;
	unsigned nfixed, nconfig;
	bool virtual_machine;
	bool power_down;
	unsigned os; /* default macOS (SIM_OS); 0: 26.0 */
	unsigned nkinds, nclusters;
	struct sim_kind kind[SIM_MAX_KINDS];
	struct sim_cluster cluster[SIM_MAX_CLUSTERS];
};

extern const struct sim_machine
	sim_machines[]; /* the last entry's name is NULL */

const struct sim_machine *sim_machine_find(const char *name);

unsigned sim_machine_ncpus(const struct sim_machine *m);

unsigned sim_machine_cluster(const struct sim_machine *m, unsigned cpu);

unsigned sim_machine_first(const struct sim_machine *m, unsigned cluster);

unsigned sim_machine_kind_cpus(const struct sim_machine *m, unsigned kind);

/* Mask of the CPUs "P1" (a cluster), "P" (all P clusters) or "cpu7"; 0:
 * unknown */
uint64_t sim_machine_cpus_named(const struct sim_machine *m, const char *name);

#endif
