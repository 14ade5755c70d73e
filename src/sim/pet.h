/*
 * Threads on their CPUs, what they count, and kperf's samples of them: timers
 * and lightweight PET. Who is on a CPU is what the process table says.
 */
#ifndef SIM_PET_H
#define SIM_PET_H

#include "sim/inside.h"

/* A slice of a CPU's own time: first its thread, then the idle one. */
#define SIM_SLICE_NS 10000000LL
/* With a gap longer than this there are counts, and no samples. */
#define SIM_PET_GAP_NS (10 * SIM_SECOND_NS)
/* Ids of threads that no process lists: the idle one of CPU 0, and so on. */
#define SIM_IDLE_THREAD 8193u

/* Before anything that counts, or what is sampled, changes. */
void sim_pet_settle(struct sim_kernel *k);
/* kperf.sampling went on. */
void sim_pet_start(struct sim_kernel *k);

const struct sim_watch *sim_pet_watch(void);

#endif
