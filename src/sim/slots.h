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
/* What the process that lives has, from its beginning. */
void sim_slot_life(const struct sim_slot *s,
		   struct sim_count out[SIM_MAX_KINDS]);
/* The process that lives ends at this moment, the next one begins. */
void sim_slot_turn(struct sim_kernel *k, unsigned slot, int64_t at);

/* What the machine says once and for all of its slots. */
void sim_slots_prepare(struct sim_kernel *k);
/* Lists those that are there: most of all there may be are not. After boot. */
void sim_slots_list(struct sim_kernel *k);
/* Of one job of one kind of core: its processes end, others begin. */
bool sim_slot_is_job(unsigned slot);
/* The slot whose processes get such pids; SIM_SLOTS: none. */
unsigned sim_slot_of(int32_t pid);
/* The slot that a job lends some of its grains to. */
unsigned sim_slot_other(const struct sim_kernel *k, unsigned job);
/* Which of its sources a grain of that job is to a slot: 0 is its own job. */
unsigned sim_slot_source(const struct sim_kernel *k, unsigned slot,
			 unsigned kind, unsigned job);
/* Threads of a job's process; slots of the kernel and natures: 0. */
unsigned sim_slot_threads(const struct sim_kernel *k, unsigned slot);
bool sim_thread_ended(const struct sim_kernel *k, unsigned slot,
		      unsigned thread, int64_t at);
/* An id in the life-th process of a slot. */
uint64_t sim_thread_id(unsigned slot, uint32_t life, unsigned thread);
uint32_t sim_slot_uid(unsigned slot);
/* Borrowed for ever; `at` since a process may exec. */
const char *sim_life_name(const struct sim_kernel *k, unsigned slot,
			  const struct sim_life *life, int64_t at);
bool sim_slot_zombie(const struct sim_slot *s, int64_t at);

#endif
