/* The process table: grains of the cores' work, each given to one process
 * (docs/SIMULATION.md; a test recomputes it). */
#ifndef SIM_PROCS_H
#define SIM_PROCS_H

#include "kperf/host.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* A slot runs one process after another. Slot 0: the kernel; then a slot per
 * job and kind; then a slot per program. */
#define SIM_KIND_SLOTS 32
#define SIM_SLOT_PROGRAM (1 + SIM_MAX_KINDS * SIM_KIND_SLOTS)
#define SIM_SLOTS (SIM_SLOT_PROGRAM + 9)
#define SIM_SLOT_NOBODY SIM_SLOTS /* work that no process does */
#define SIM_PROC_THREADS 10       /* threads of a job's process */
#define SIM_LEVELS 2              /* perflevel0, and all others */
#define SIM_ADOPTED 16

struct sim_kernel;
struct sim_caller;
struct sim_fault;

struct sim_count {
	uint64_t cycles, instructions, user_ns, kernel_ns;
	uint64_t energy_nj, energy_pj; /* energy_pj: below 1000 */
};

/* The k-th process of a slot. */
struct sim_life {
	uint32_t k;
	int32_t pid;
	int64_t born_ns, ends_ns; /* ends_ns SIM_NEVER: no end */
	int64_t gone_ns;          /* the zombie is gone */
};

struct sim_slot {
	uint8_t there; /* the machine has the job */
	struct sim_life now, before;
	/* Sums over all processes of the slot; at the start of the living one;
	 * of the last one. */
	struct sim_count all[SIM_MAX_KINDS], base[SIM_MAX_KINDS];
	struct sim_count dead[SIM_MAX_KINDS];
	struct sim_count thread[SIM_PROC_THREADS][SIM_LEVELS];
};

/* This is part of the kernel's state, which can come from a file. */
struct sim_procs {
	uint32_t want;                  /* minimum number of processes */
	uint8_t rest;                   /* some work has no process */
	uint8_t asked;                  /* some caller requested processes */
	uint32_t calls;                 /* since the last list */
	int64_t done_ns;                /* complete up to here */
	int64_t local_ns[SIM_MAX_CPUS]; /* in each CPU's own time */
	struct sim_slot slot[SIM_SLOTS + 1];
	struct sim_count kernel_thread[SIM_MAX_CPUS];
	struct sim_count program_thread[SIM_MAX_CPUS];
};

struct sim_adopted {
	int32_t pid;
	int64_t since_ns, until_ns; /* until_ns SIM_NEVER: alive */
};

void sim_procs_boot(struct sim_kernel *k, unsigned want, bool rest);
void sim_procs_advance(struct sim_kernel *k);
/* clock=real: was it advanced just before? */
bool sim_procs_fresh(const struct sim_kernel *k);
/* Call before times off are removed; does nothing if processes were never
 * requested. */
void sim_procs_flush(struct sim_kernel *k);
/* The process that has this grain of a CPU's time. at: now. */
unsigned sim_procs_owner(const struct sim_kernel *k, unsigned cpu,
			 uint64_t grain, int64_t at);
/* The thread of a job's process that has the grain. */
unsigned sim_procs_thread(const struct sim_kernel *k, unsigned cpu,
			  unsigned slot, uint64_t grain, int64_t at);
unsigned sim_procs_energy(enum sim_class class, unsigned step);
/* The level of a kind of core; 0: perflevel0. */
unsigned sim_procs_level(const struct sim_kernel *k, unsigned kind);

/* As in kperf/host.h; returns 0 or errno, and the number in *n. */
void sim_proc_list(struct sim_kernel *k, int32_t *pid, int max, int *n);
int sim_proc_usage(struct sim_kernel *k, const struct sim_caller *who,
		   int32_t pid, struct host_usage *out);
int sim_proc_short(struct sim_kernel *k, const struct sim_caller *who,
		   int32_t pid, struct host_proc *out);
int sim_proc_path(struct sim_kernel *k, int32_t pid, char *out, int size);
int sim_proc_args(struct sim_kernel *k, const struct sim_caller *who,
		  int32_t pid, char *out, int size, int *n);
int sim_thread_list(struct sim_kernel *k, const struct sim_caller *who,
		    int32_t pid, uint64_t *id, int max, int *n);
int sim_thread_counts(struct sim_kernel *k, const struct sim_caller *who,
		      int32_t pid, uint64_t id, struct host_thread *out);

#endif
