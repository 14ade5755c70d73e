/* Public interface of the simulated Mac. There is one simulation, as the
 * frameworks have no context argument. All functions are thread-safe. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/err.h"
#include "kperf/api.h"
#include "kperf/host.h"

#include <stdbool.h>
#include <stdint.h>

/* Boots the machine of a spec such as "m1,seed=1,clock=step", or joins its
 * state file. False and *e: already started, bad spec (ERR_USAGE), other
 * error. */
bool sim_start(const char *spec, struct err *e);

#define SIM_EXPORT __attribute__((visibility("default")))

bool sim_is_on(void);

/* Later sysctls fail with ENOENT until sim_start. */
void sim_stop(void);

/* The structs are static. sim_start fills that of sim_host. */
const struct kperf_api *sim_kperf(void);
const struct kperfdata_api *sim_kperfdata(void);
const struct host_api *sim_host(void);

const char *sim_machine_name(unsigned i);

/* Adds a fault such as "steal@3s-6s", with times from now. Needs clock=step and
 * no state file. False and *e: ERR_USAGE. */
bool sim_fault(const char *text, struct err *e);

/* Sets the thread of the process table whose counters the caller reads as its
 * own; 0: none (default). */
void sim_set_thread(uint64_t id);

uint64_t sim_reads(unsigned cpu);

/* Total of an event (name or number, "0x8c") at an awake time, by
 * docs/SIMULATION.md, without the cost of reads. kernel_too: all modes, else
 * user mode. UINT64_MAX: unknown. Every database also has slots.retiring,
 * .bad-spec, .frontend and .backend: the exact use of issue slots. */
uint64_t sim_total(unsigned cpu, const char *event, bool kernel_too,
		   int64_t awake_ns);

#endif
