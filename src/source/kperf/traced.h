/* Events of processes by tracing the kernel: taken on request, given back. */
#ifndef SOURCE_KPERF_TRACED_H
#define SOURCE_KPERF_TRACED_H

#include "model/process_traced.h"

#include <stdbool.h>
#include <stdint.h>

struct kperf_source;
struct kperf_traced;
struct process_wish;

/*
 * Takes or lets go as it is wished, and what is new. The first time takes
 * memory. What is refused stays so until it is not wished any more.
 */
void kperf_traced_read(struct kperf_source *s, const struct process_wish *w,
		       struct process_traced *out);

/* Before the counters go; also in a crash. False: not all could be put back. */
bool kperf_traced_stop(struct kperf_source *s);
void kperf_traced_free(struct kperf_source *s);

#endif
