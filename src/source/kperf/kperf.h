/* The source on Apple's frameworks, real or simulated. */
#ifndef SOURCE_KPERF_KPERF_H
#define SOURCE_KPERF_KPERF_H

#include "kperf/api.h"
#include "kperf/host.h"
#include "source/examine.h"
#include "source/source.h"

/* Opens a source and changes nothing: SOURCE_IPC if the counters are readable,
 * else SOURCE_BUSY_ONLY with info.why. Borrows kpc, kpep and host. The caller
 * sets ops. NULL and *e: out of memory, Rosetta, or another version of *host.
 */
struct source *kperf_open_with(const struct kperf_api *kpc,
			       const struct kperfdata_api *kpep,
			       const struct host_api *host, const char *name,
			       const struct source_options *o, struct err *e);

bool kperf_program(struct source *s, const struct eventset *set, struct err *e);
enum source_status kperf_read(struct source *s, struct sample *out,
			      struct err *e);
bool kperf_processes(struct source *s, const struct process_request *w,
		     struct process_reading *out, struct err *e);
void kperf_close(struct source *s);

extern const struct examine_question kperf_examine[];
bool kperf_repair(struct source *s, struct err *e);

/* Power from libIOReport; NULL and *e on failure, and for a simulated machine.
 */
struct power_source *kperf_power(struct source *s, struct err *e);

/* The source keeps the pointer for its caller. */
void kperf_set_owner(struct source *s, void *owner);
void *kperf_owner(const struct source *s);

#endif
