/* The process table: each grain of a core's work belongs to at most one process
 * (docs/SIMULATION.md; a test recalculates it). */
#ifndef SIM_PROCS_H
#define SIM_PROCS_H

#include "kperf/host.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* A slot has one process after another. Slot 0 is the kernel; then come a slot
 * for each job of each kind and a slot for each program. */
#define SIM_KIND_SLOTS 32
#define SIM_SLOT_PROGRAM (1 + SIM_MAX_KINDS * SIM_KIND_SLOTS)
#define SIM_SLOTS (SIM_SLOT_PROGRAM + 9)
#define SIM_SLOT_NOBODY SIM_SLOTS
#define SIM_PROC_THREADS 10
#define SIM_LEVELS 2
#define SIM_ADOPTED 16

struct sim_kernel;
struct sim_caller;
struct sim_fault;

struct sim_count {
	uint64_t cycles, instructions, user_ns, kernel_ns;
	uint64_t energy_nj,
		energy_pj; /* energy_pj: remainder below 1000 in sums */
};

struct sim_life {
	uint32_t k;
	int32_t pid;
	int64_t born_ns,
		ends_ns; /* ends_ns: SIM_NEVER if the process never ends */
	int64_t gone_ns;
};

struct sim_slot {
	uint8_t there;
	struct sim_life now, before;
	/* all: sums over all processes of the slot. base: `all` when the
	 * present process began. dead: sums of the previous process. */
	struct sim_count all[SIM_MAX_KINDS], base[SIM_MAX_KINDS];
	struct sim_count dead[SIM_MAX_KINDS];
	struct sim_count thread[SIM_PROC_THREADS][SIM_LEVELS];
};

struct sim_procs {
	uint32_t want; /* lowest number of processes */
	uint8_t rest;  /* some work belongs to no process */
	uint8_t asked;
	uint32_t calls;
	int64_t done_ns; /* awake time up to which work is assigned */
	int64_t local_ns[SIM_MAX_CPUS]; /* done_ns without the CPU's time off */
	struct sim_slot slot[SIM_SLOTS + 1];
	struct sim_count kernel_thread[SIM_MAX_CPUS];
	struct sim_count program_thread[SIM_MAX_CPUS];
};

struct sim_adopted {
	int32_t pid;
	int64_t since_ns,
		until_ns; /* until_ns: SIM_NEVER while the process lives */
};

void sim_procs_boot(struct sim_kernel *k, unsigned want, bool rest);
void sim_procs_advance(struct sim_kernel *k);
/* True only with clock=real, less than 5 ms after an advance */
bool sim_procs_fresh(const struct sim_kernel *k);
/* Assigns work to processes up to now, or skips the work if no caller has
 * requested processes. Call before removing periods in which CPUs are off
 * (struct sim_off). */
void sim_procs_flush(struct sim_kernel *k);
/* SIM_SLOT_NOBODY: no process owns the grain. at: awake time. */
unsigned sim_procs_owner(const struct sim_kernel *k, unsigned cpu,
			 uint64_t grain, int64_t at);
unsigned sim_procs_thread(const struct sim_kernel *k, unsigned cpu,
			  unsigned slot, uint64_t grain, int64_t at);
unsigned sim_procs_energy(enum sim_class class, unsigned step);
/* 0: perflevel0; 1: all other kinds of cores. */
unsigned sim_procs_level(const struct sim_kernel *k, unsigned kind);

/* As the calls in kperf/host.h, but return 0 or errno, and a number in *n. */
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
