/* What the processes of a Mac have used, by its host functions. */
#ifndef SOURCE_KPERF_PROCESSES_H
#define SOURCE_KPERF_PROCESSES_H

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

#endif
