/*
 * The process table of the simulated Mac: what the cores did, cut into grains,
 * and each given to one process. docs/SIMULATION.md has the rules; a test
 * recomputes the table from there.
 */
#ifndef SIM_PROCS_H
#define SIM_PROCS_H

#include "kperf/host.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A slot runs one process after another. Slot 0 is the kernel, then there is
 * one for each job of each kind of core, then one for each program of work.
 */
#define SIM_KIND_SLOTS 32
#define SIM_SLOT_PROGRAM (1 + SIM_MAX_KINDS * SIM_KIND_SLOTS)
#define SIM_SLOTS (SIM_SLOT_PROGRAM + 9)
#define SIM_SLOT_NOBODY SIM_SLOTS /* work that is in no process */
#define SIM_PROC_THREADS 10       /* of what is neither kernel nor program */
#define SIM_LEVELS 2              /* perflevel0, and all others */
#define SIM_ADOPTED 16

struct sim_kernel;
struct sim_caller;
struct sim_fault;

struct sim_count {
	uint64_t cycles, instructions, user_ns, kernel_ns;
	uint64_t energy_nj, energy_pj; /* the latter below 1000 */
};

/* A process of a slot, the k-th. */
struct sim_life {
	uint32_t k;
	int32_t pid;
	int64_t born_ns, ends_ns; /* SIM_NEVER: it does not end */
	int64_t gone_ns;          /* after its end: no zombie from here on */
};

struct sim_slot {
	uint8_t there; /* the machine has its job */
	struct sim_life now, before;
	/* Sums of all its processes; as the one that lives began; of the last.
	 */
	struct sim_count all[SIM_MAX_KINDS], base[SIM_MAX_KINDS];
	struct sim_count dead[SIM_MAX_KINDS];
	struct sim_count thread[SIM_PROC_THREADS][SIM_LEVELS];
};

/* Part of the kernel's state, so that it may come from a file. */
struct sim_procs {
	uint32_t want;                  /* as many processes at least */
	uint8_t rest;                   /* some work is nobody's */
	uint8_t asked;                  /* somebody wanted to see processes */
	uint32_t calls;                 /* since the last list */
	int64_t done_ns;                /* all up to here is given away */
	int64_t local_ns[SIM_MAX_CPUS]; /* the same in each CPU's own time */
	struct sim_slot slot[SIM_SLOTS + 1];
	/* The kernel and programs have a thread on each of their CPUs. */
	struct sim_count kernel_thread[SIM_MAX_CPUS];
	struct sim_count program_thread[SIM_MAX_CPUS];
};

/* A real child of the caller that is taken for a process of the machine. */
struct sim_adopted {
	int32_t pid;                /* 0: none */
	int64_t since_ns, until_ns; /* SIM_NEVER: it lives */
};

void sim_procs_boot(struct sim_kernel *k, unsigned want, bool rest);
/* Gives away what was done up to now, as far as it can be seen. */
void sim_procs_advance(struct sim_kernel *k);
/* clock=real: was it advanced a moment ago? */
bool sim_procs_fresh(const struct sim_kernel *k);
/* Before times off are forgotten; nothing is given if nobody ever asked. */
void sim_procs_flush(struct sim_kernel *k);
/* Who had, or has, a grain of a CPU's own time; at: now, for what changes. */
unsigned sim_procs_owner(const struct sim_kernel *k, unsigned cpu,
			 uint64_t grain, int64_t at);
/* A thread of its owner, a job's process. */
unsigned sim_procs_thread(const struct sim_kernel *k, unsigned cpu,
			  unsigned slot, uint64_t grain, int64_t at);
/* pJ a cycle. */
unsigned sim_procs_energy(enum sim_class class, unsigned step);
/* 0 is perflevel0. */
unsigned sim_procs_level(const struct sim_kernel *k, unsigned kind);

/* As in kperf/host.h, but they return 0 or the errno, and how many in *n. */
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
