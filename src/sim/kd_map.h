/* The map of threads that kdebug hands out. */
#ifndef SIM_KD_MAP_H
#define SIM_KD_MAP_H

#include "sim/kdebug.h"

/* kd_threadmap */
struct sim_map_entry {
	uint64_t thread;
	int32_t pid; /* 1 for the kernel's and launchd's: look at the name */
	char command[20];
};

/* As of now, over what was there; false: no memory. */
bool sim_kd_map_make(struct sim_kernel *k, struct sim_map *m);
/* KDTHRMAP: that of KDENABLE, once. KDREADCURTHRMAP: as of now. */
int sim_kd_map_once(struct sim_kd_call *c);
int sim_kd_map_now(struct sim_kd_call *c);

#endif
