/* kdebug: what is traced, the ring it goes to, and the sysctl that reads it. */
#ifndef SIM_KDEBUG_H
#define SIM_KDEBUG_H

#include "sim/inside.h"
#include "sim/ring.h"

/* bsd/sys/kdebug_private.h */
enum {
	SIM_KD_NOWRAP = 0x2,
	SIM_KD_WRAPPED = 0x8,
	SIM_KD_MAPINIT = 0x20,
	SIM_KD_LP64 = 0x100,
	SIM_KD_CONTINUOUS = 0x200,
	SIM_KD_RANGECHECK = 0x100000,
	SIM_KD_VALCHECK = 0x200000,
	SIM_KD_TYPEFILTER = 0x400000
};
#define SIM_KD_USERFLAGS 0xe02u /* those that KDEFLAGS may set */
#define SIM_KD_BUFINIT 0x80000000u

#define SIM_KD_START 1u
#define SIM_KD_END 2u
#define SIM_KD_LOST 0x07020008u

/* One call of sysctl {CTL_KERN, KERN_KDEBUG, op[, value]}. */
struct sim_kd_call {
	struct sim_req req;
	const int *mib;
	unsigned n;
	size_t out;      /* what *oldlenp becomes */
	int64_t wait_ns; /* the call takes so long */
	bool until_half; /* or less: until half of the ring is used */
};

int sim_kdebug(struct sim_kd_call *c);

/* Is there a ring in this process, and is it the one that is set up? */
bool sim_kd_ring(const struct sim_kernel *k);
/* Would anything be kept now? */
bool sim_kd_live(const struct sim_kernel *k);
/* Is an event wanted, whoever has the ring? */
bool sim_kd_traced(const struct sim_kernel *k, uint32_t debugid);
bool sim_kd_half(const struct sim_kernel *k);
void sim_kd_reset(struct sim_kernel *k);
uint64_t sim_kd_ticks(const struct sim_kernel *k, int64_t awake_ns);
/*
 * A tracepoint: through the filter, into the ring. Its timestamp comes as how
 * many ticks after the moment it is.
 */
void sim_kd_emit(struct sim_kernel *k, int64_t at_ns,
		 const struct sim_record *record);

#endif
