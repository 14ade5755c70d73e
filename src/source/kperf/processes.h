/* What the processes of a Mac have used, by its host functions. */
#ifndef SOURCE_KPERF_PROCESSES_H
#define SOURCE_KPERF_PROCESSES_H

#include <stdint.h>
#include "base/err.h"
#include "kperf/host.h"
#include "model/process.h"
#include "model/topology.h"

#include <stdbool.h>

struct kperf_processes;

/* Can they be read here at all? */
bool kperf_processes_offered(const struct host_api *host);

/*
 * The host is borrowed; of the topology the kinds of core are taken, to split
 * by. NULL when memory is short.
 */
struct kperf_processes *kperf_processes_new(const struct host_api *host,
					    const struct topology *t);
void kperf_processes_free(struct kperf_processes *p);

/*
 * See source_ops.processes; rows come by pid. The clock is the source's.
 * Allocates only where there are more processes than ever before.
 */
bool kperf_processes_read(struct kperf_processes *p, const struct clock *c,
			  const struct process_wish *w,
			  struct process_reading *out, struct err *e);

/* Names that are remembered; where there are more, they are asked again. */
enum { KPERF_USERS = 64 };

/* The system is asked once for a user: it may have to ask a network. */
struct kperf_users {
	unsigned n, next;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": it has none */
	} user[KPERF_USERS];
};

/* What is known of an identity besides its counts. */
struct kperf_who {
	struct host_proc brief; /* as last told; name "": never */
	bool named;             /* its full name has been asked for */
};

/*
 * Asks for what anybody may know, and where the program is another one
 * (`fresh`) for its name. False: the process is gone.
 */
bool kperf_who_ask(const struct host_api *host, struct kperf_users *users,
		   bool fresh, struct kperf_who *who, struct process_read *r);

#endif
