/* The one right to trace, and what it covers: kperf and kdebug. */
#ifndef SIM_KTRACE_H
#define SIM_KTRACE_H

#include "sim/inside.h"

/* bsd/sys/ktrace.h */
enum { SIM_KTRACE_KDEBUG = 1, SIM_KTRACE_KPERF = 2 };
enum { SIM_KTRACE_OFF, SIM_KTRACE_FG, SIM_KTRACE_BG };

/* The caller sets up a subsystem: it becomes the owner, or 0, EPERM, EBUSY. */
int sim_ktrace_configure(struct sim_req *r, unsigned bit);
/* Without any subsystem left nobody owns it. */
void sim_ktrace_reset(struct sim_kernel *k, unsigned bit);
/* Who owns it and lives; 0: nobody. */
int32_t sim_ktrace_owner(struct sim_kernel *k);
void sim_ktrace_ended(struct sim_kernel *k, const struct sim_caller *who);

/* A fault of another tool begins, or ends. */
void sim_ktrace_fault(struct sim_kernel *k, const struct sim_fault *f,
		      bool begins);

/* kperf.blessed_pid, and the nodes below ktrace. */
int sim_ktrace_blessed(struct sim_req *r);
int sim_ktrace_node(struct sim_req *r, const char *name);

#endif
