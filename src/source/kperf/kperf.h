/* The source on the two private frameworks of a Mac, real or simulated. */
#ifndef SOURCE_KPERF_KPERF_H
#define SOURCE_KPERF_KPERF_H

#include "kperf/api.h"
#include "kperf/host.h"
#include "source/examine.h"
#include "source/source.h"

/*
 * Opens without changing anything: IPC mode where the counters can be read,
 * else BUSY_ONLY with the reason in info.why. All of the first three are
 * borrowed until the source is closed. `name` is what info.source says. The
 * source comes without ops: the caller sets a table made of the calls below.
 * NULL and *e only when memory is short or the host answers nonsense.
 */
struct source *kperf_open_with(const struct kperf_api *kpc,
			       const struct kperfdata_api *kpep,
			       const struct host_api *host, const char *name,
			       const struct source_options *o, struct err *e);

/* See struct source_ops. */
bool kperf_program(struct source *s, const struct eventset *set, struct err *e);
enum source_status kperf_read(struct source *s, struct sample *out,
			      struct err *e);
bool kperf_processes(struct source *s, const struct process_wish *w,
		     struct process_reading *out, struct err *e);
void kperf_close(struct source *s);

/* What such a table has under examine and repair. */
extern const struct examine_question kperf_examine[];
bool kperf_repair(struct source *s, struct err *e);

/* The system's libIOReport, for a source that is not simulated. */
struct power_source *kperf_power(struct source *s, struct err *e);

/* One pointer that the opener keeps next to the source (its libraries). */
void kperf_set_owner(struct source *s, void *owner);
void *kperf_owner(const struct source *s);

#endif
