/* The CPUs of a Linux machine, from sysfs or from a copy of it. */
#ifndef SOURCE_PERF_TOPOLOGY_H
#define SOURCE_PERF_TOPOLOGY_H

#include "base/err.h"
#include "model/topology.h"

/*
 * CPUs on line now. A kind is a core PMU with one sort of core; clusters are
 * the kernel's, or the CPUs that share an L3, or packages, split by kind.
 * root: NULL, or a folder with sys/ and proc/ in it.
 */
struct topology *topology_linux(const char *root, struct err *e);

#endif
