/* The processes of slots: when they live, what they are called. */
#ifndef SIM_SLOTS_H
#define SIM_SLOTS_H

#include "sim/kernel.h"

#include <stdbool.h>

/* A process's last thread ends so long after its birth. */
#define SIM_THREAD_NS (10 * INT64_C(1000000000))
/* So long after its birth a process execs, if it does. */
#define SIM_EXEC_NS (3 * INT64_C(1000000000))

void sim_slots_boot(struct sim_kernel *k);
/* The process that lives ends at this moment, the next one begins. */
void sim_slot_turn(struct sim_kernel *k, unsigned slot, int64_t at);

/* Threads of a job's process; slots of the kernel and natures: 0. */
unsigned sim_slot_threads(unsigned slot);
bool sim_thread_ended(const struct sim_slot *s, unsigned slot, unsigned thread,
		      int64_t at);
uint32_t sim_slot_uid(unsigned slot);
/* Borrowed for ever; `at` since a process may exec. */
const char *sim_life_name(const struct sim_kernel *k, unsigned slot,
			  const struct sim_life *life, int64_t at);
bool sim_slot_zombie(const struct sim_slot *s, int64_t at);

#endif
