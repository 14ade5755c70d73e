/* The simulated Mac's public interface. One instance, as the frameworks have no
 * context argument. Thread-safe. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/err.h"
#include "kperf/api.h"
#include "kperf/host.h"

#include <stdbool.h>
#include <stdint.h>

/* Boots "m1,seed=1,clock=step", or joins its state file. ERR_USAGE: invalid
 * spec. Fails if already started. */
bool sim_start(const char *spec, struct err *e);

#define SIM_EXPORT __attribute__((visibility("default")))

bool sim_is_on(void);

/* Later calls fail with ENOENT until the next start. */
void sim_stop(void);

/* These are static; text and clock are those of the last start. */
const struct kperf_api *sim_kperf(void);
const struct kperfdata_api *sim_kperfdata(void);
const struct host_api *sim_host(void);

const char *sim_machine_name(unsigned i);

/* Adds a fault, "steal@3s-6s" from now; clock=step without a state file only.
 * ERR_USAGE: invalid. */
bool sim_fault(const char *text, struct err *e);

/* Sets the caller's thread in the process table, for its own counters; 0: none
 * (default). */
void sim_set_thread(uint64_t id);

/* Number of reads that a CPU answered; each costs cycles. */
uint64_t sim_reads(unsigned cpu);

/* An event's total (name or number, "0x8c") at an awake time, by
 * docs/SIMULATION.md, without the cost of reads. kernel_too: all modes, else
 * user. UINT64_MAX: unknown. Every database also has slots.retiring, .bad-spec,
 * .frontend and .backend: the exact use of map slots. */
uint64_t sim_total(unsigned cpu, const char *event, bool kernel_too,
		   int64_t awake_ns);

#endif
