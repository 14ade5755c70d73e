/* Which thread has a CPU, and the counts of threads: osfmk/kern/kpc_thread.c.
 */
#ifndef SIM_TRACED_H
#define SIM_TRACED_H

#include "sim/inside.h"

struct sim_traced {
	unsigned at; /* in sim_pet's threads */
	uint64_t thread;
	int32_t pid;
	bool user; /* it can have a buffer */
	bool idle; /* nothing but the idle thread */
};

/*
 * Whose a CPU's own time is, all of its grain: the idle thread of work that is
 * nobody's. at_ns: now, for who lives.
 */
void sim_traced_owner(const struct sim_kernel *k, unsigned cpu, int64_t own_ns,
		      int64_t at_ns, struct sim_traced *out);
/* A thread of the process that lives in a slot. */
void sim_traced_thread(const struct sim_kernel *k, unsigned slot,
		       unsigned thread, struct sim_traced *out);
void sim_traced_idle(unsigned cpu, struct sim_traced *out);

/* What the CPU counted since its last switch is the thread's. */
void sim_traced_switch(struct sim_kernel *k, unsigned cpu, unsigned at,
		       int64_t at_ns);
/* A buffer of zeros. */
void sim_traced_give(struct sim_kernel *k, unsigned at);
/* A sample's values, and how many. */
unsigned sim_traced_values(const struct sim_kernel *k, unsigned at,
			   uint64_t out[32]);

/* kpc.thread_counters of a caller that is one of the table's threads. */
int sim_traced_own(struct sim_req *r);

/* Around a change of the counters nothing is lost or counted twice. */
void sim_traced_keep(struct sim_kernel *k);
void sim_traced_go_on(struct sim_kernel *k);

#endif
