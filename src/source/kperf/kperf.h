/* The source on Apple's frameworks, real or simulated. */
#ifndef SOURCE_KPERF_KPERF_H
#define SOURCE_KPERF_KPERF_H

#include "kperf/api.h"
#include "kperf/host.h"
#include "source/examine.h"
#include "source/source.h"

/* Opens a source and changes nothing: SOURCE_IPC if the counters are readable,
 * else BUSY_ONLY with info.why. Borrows kpc, kpep, host. `name`: info.source.
 * The caller sets ops. NULL and *e: out of memory, or host not supported. */
struct source *kperf_open_with(const struct kperf_api *kpc,
			       const struct kperfdata_api *kpep,
			       const struct host_api *host, const char *name,
			       const struct source_options *o, struct err *e);

/* See struct source_ops. */
bool kperf_program(struct source *s, const struct eventset *set, struct err *e);
enum source_status kperf_read(struct source *s, struct sample *out,
			      struct err *e);
bool kperf_processes(struct source *s, const struct process_request *w,
		     struct process_reading *out, struct err *e);
void kperf_close(struct source *s);

/* For source_ops.examine and .repair. */
extern const struct examine_question kperf_examine[];
bool kperf_repair(struct source *s, struct err *e);

/* Power from libIOReport; NULL and *e for a simulated machine. */
struct power_source *kperf_power(struct source *s, struct err *e);

/* A pointer that the caller keeps with the source: its loaded libraries. */
void kperf_set_owner(struct source *s, void *owner);
void *kperf_owner(const struct source *s);

#endif
