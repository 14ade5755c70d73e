/* The simulated machines: kinds of core, CPUs, clusters, dies; a table. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_MAX_CPUS 40
/* What no table has, for chip=new. */
#define SIM_NEW_FAMILY 0x0ddba11eu
#define SIM_NEW_DB "as99"
#define SIM_MAX_KINDS 3
#define SIM_MAX_CLUSTERS 8
#define SIM_STEPS 4

/* How fast a kind is; the profiles of work are per class, not per machine. */
enum sim_class {
	SIM_CLASS_FAST,
	SIM_CLASS_MID,
	SIM_CLASS_SLOW,
	SIM_CLASS_INTEL,
	SIM_CLASS_COUNT
};

/* In the order of hw.perflevelN, the fastest first. */
struct sim_kind {
	const char *name;   /* hw.perflevelN.name */
	const char *letter; /* cluster-type of the device tree */
	enum sim_class class;
	unsigned width;          /* uops mapped per cycle */
	unsigned mhz[SIM_STEPS]; /* idle, then rising */
	unsigned l1i_kib, l1d_kib, l2_kib;
};

/* Clusters in the order of CPU ids: their CPUs follow one another. */
struct sim_cluster {
	unsigned kind, ncpus, die;
};

struct sim_machine {
	const char *name;   /* m1 */
	const char *model;  /* hw.model */
	const char *brand;  /* machdep.cpu.brand_string */
	const char *kernel; /* last part of kern.version */
	const char *db;     /* kpep database; "" without counters */
	uint32_t cputype, cpusubtype, cpufamily;
	unsigned intel_model; /* machdep.cpu.model, 0 on Apple silicon */
	unsigned smt;         /* CPUs per core */
	/*
	 * What the CPU's own version field says: 2 Apple, Intel by CPUID 0xA;
	 * 0: the kernel is built without kpc.
	 */
	unsigned pmu;
	unsigned nfixed, nconfig;
	bool virtual_machine;
	bool power_down; /* the last cluster is switched off now and then */
	unsigned os;     /* the first macOS that it runs, as SIM_OS; 0: any */
	unsigned nkinds, nclusters;
	struct sim_kind kind[SIM_MAX_KINDS];
	struct sim_cluster cluster[SIM_MAX_CLUSTERS];
};

extern const struct sim_machine sim_machines[]; /* the name NULL ends */

/* NULL: no machine of that name. */
const struct sim_machine *sim_machine_find(const char *name);

unsigned sim_machine_ncpus(const struct sim_machine *m);

/* The cluster that a CPU belongs to; cpu is below ncpus. */
unsigned sim_machine_cluster(const struct sim_machine *m, unsigned cpu);

/* The first CPU of a cluster. */
unsigned sim_machine_first(const struct sim_machine *m, unsigned cluster);

/* CPUs of a kind. */
unsigned sim_machine_kind_cpus(const struct sim_machine *m, unsigned kind);

/*
 * CPUs called "P1", "E", "P" (every P cluster), "cpu7": a mask, 0 if the
 * machine has none of that name.
 */
uint64_t sim_machine_cpus_named(const struct sim_machine *m, const char *name);

#endif
