/* The CPUs of a Mac: sysctls and device tree joined. Pure, on any system. */
#ifndef SOURCE_KPERF_TOPOLOGY_H
#define SOURCE_KPERF_TOPOLOGY_H

#include "base/err.h"
#include "kperf/host.h"
#include "model/topology.h"
#include "pmu/pmu.h"

/*
 * hw.perflevelN.* says which kinds there are and how they are called, the
 * device tree which CPU is in which cluster; cluster letters and levels are
 * paired by their CPU counts. Without device tree nodes: one cluster CPU, for
 * the counts alone cannot place the ids. `pmu` is our table of the chip for
 * the slot widths, NULL if it is unknown; `db` is its name, "" if unknown.
 */
struct topology *topology_apple(const struct host_api *host,
				const struct pmu *pmu, const char *db,
				struct err *e);

#endif
