/* A Mac out of a recording: "ktop-tape/1", as kperf/tape/tape.h writes it. */
#ifndef SIM_TAPE_H
#define SIM_TAPE_H

#include "base/err.h"
#include "kperf/api.h"
#include "kperf/host.h"

#include <stdbool.h>

struct sim_tape;

/*
 * Reads the file and lets its answers stand behind the functions below, one
 * tape at a time. Calls must come in the recorded order; the clock is stepped
 * and shows the recorded times. NULL and *e (ERR_FORMAT names the line).
 */
struct sim_tape *sim_tape_open(const char *path, struct err *e);

/* NULL is fine. The functions then fail with ENOENT. */
void sim_tape_close(struct sim_tape *t);

/* Valid until sim_tape_close. */
const struct kperfdata_api *sim_tape_kperfdata(const struct sim_tape *t);
const struct host_api *sim_tape_host(const struct sim_tape *t);

/*
 * Has every reading been played that comes without a swap of event sets? What
 * is left then is that swap, or the closing, or nothing.
 */
bool sim_tape_over(const struct sim_tape *t);

/*
 * Goes on where tracing of the kernel is tried, with another open source.
 * False: it is not on this tape.
 */
bool sim_tape_to_trace(struct sim_tape *t);

/*
 * True when a call came that is not on the tape at this place: *e says which,
 * and where. From then on every call fails with EIO.
 */
bool sim_tape_diverged(const struct sim_tape *t, struct err *e);

/* sim.c: the tape of --sim tape=FILE while it plays, else NULL. */
struct sim_tape *sim_tape_now(void);

#endif
