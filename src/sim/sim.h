/*
 * The simulated Mac: the only door of this room. There is one instance, since
 * the frameworks' functions have no argument to carry it in. Every function
 * of the three structs may be called from any thread.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/err.h"
#include "kperf/api.h"
#include "kperf/host.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Boots the machine that the text describes, "m1,seed=1,clock=step", or joins
 * the one in its state file. ERR_USAGE for text that makes no sense. A second
 * start without a stop fails.
 */
bool sim_start(const char *spec, struct err *e);

/* What the shared library shows. */
#define SIM_EXPORT __attribute__((visibility("default")))

/* Has it been started? */
bool sim_is_on(void);

/* Frees everything; the calls below fail with ENOENT until the next start. */
void sim_stop(void);

/* Valid for ever; the host's text and clock are those of the last start. */
const struct kperf_api *sim_kperf(void);
const struct kperfdata_api *sim_kperfdata(void);
const struct host_api *sim_host(void);

/* The i-th machine's; NULL past the end. */
const char *sim_machine_name(unsigned i);

/*
 * One fault more, "steal@3s-6s", its times counted from now; clock=step
 * without a state file only. ERR_USAGE where it makes no sense.
 */
bool sim_fault(const char *text, struct err *e);

/*
 * Which thread of the process table the caller is from now on, by its id, when
 * it reads its own counters; 0: none, as after a start.
 */
void sim_set_thread(uint64_t id);

/* How many reads a CPU has taken part in; each costs it cycles. */
uint64_t sim_reads(unsigned cpu);

/*
 * What an event, by name or number ("0x8c"), comes to on a CPU at a moment of
 * awake time, by the formulas of docs/SIMULATION.md; the cost of reads is not
 * in it. kernel_too: in all modes, else in user mode. UINT64_MAX: no such.
 * Every database has slots.retiring, .bad-spec, .frontend and .backend: what
 * became of the slots of the map unit, which no event says so exactly.
 */
uint64_t sim_total(unsigned cpu, const char *event, bool kernel_too,
		   int64_t awake_ns);

#endif
