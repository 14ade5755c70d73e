/* The one instance, for the layers on top of the kernel. */
#ifndef SIM_INSTANCE_H
#define SIM_INSTANCE_H

#include "sim/kernel.h"
#include "sim/spec.h"

#include <stddef.h>

/*
 * Locks the instance and notices tasks that died; NULL, with nothing locked,
 * while it is not started.
 */
struct sim_kernel *sim_lock(void);
void sim_unlock(void);

const struct sim_spec *sim_spec_now(void);

/* The calling thread, as the kernel sees it; under the lock. */
struct sim_caller sim_caller_now(void);

/* sysctlbyname for the calling thread: 0 or the errno; locks by itself. */
int sim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	       size_t fresh_size);

/* sysctl, of kdebug's numbers only; else as sim_sysctl. */
int sim_sysctl_mib(const int *mib, unsigned n, void *old, size_t *old_size,
		   const void *fresh);

/* The host's functions; the caller fills in text and clock. */

/* Start of a process in clock ticks or so; -1: there is no such process. */
int64_t sim_process_born(int32_t pid);
/* What this process's program is called; size is SIM_NAME. */
void sim_process_name(char *out, size_t size);

/* Maps the state file, made or joined; sets k->s. */
bool sim_shared_open(struct sim_kernel *k, const struct sim_spec *spec,
		     struct err *e);
void sim_shared_close(struct sim_kernel *k);
bool sim_shared_lock(struct sim_kernel *k);
void sim_shared_unlock(struct sim_kernel *k);
/* Tasks that hold something and are gone get what XNU does at their end. */
void sim_shared_reap(struct sim_kernel *k, const struct sim_caller *who);

#endif
