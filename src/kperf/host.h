/*
 * What a Mac answers besides the two frameworks: sysctls, the device tree's CPU
 * nodes, CPU load, the clock. A real Mac fills this struct from the system
 * (source/kperf/mac/host.c), the simulator from its kernel (sim/sim.c); the
 * simulator's shared library exports it as the symbol "ktop_host".
 */
#ifndef KPERF_HOST_H
#define KPERF_HOST_H

#include "base/clock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HOST_VERSION 1
#define HOST_SYMBOL "ktop_host"

/* One child of IODeviceTree:/cpus. A value that the node lacks is -1. */
struct host_cpu_node {
	int32_t logical_cpu_id; /* kpc row index; -1: XNU does not use it */
	int32_t logical_cluster_id;
	int32_t die_id, die_cluster_id, cluster_core_id;
	char cluster_type[8]; /* "E", "P", "M"; empty when absent */
};

/* host_processor_info(PROCESSOR_CPU_LOAD_INFO): ticks since boot. */
struct host_cpu_load {
	uint64_t user, system, idle, nice;
};

struct host_api {
	uint32_t version; /* HOST_VERSION */
	bool simulated;
	const char *text;   /* "simulated Apple M1, seed 1"; a real Mac: "" */
	struct clock clock; /* its `self` is passed by the caller as is */
	/* As sysctlbyname(3): 0, or -1 with errno. `fresh` is the new value. */
	int (*sysctl)(const char *name, void *old, size_t *old_size,
		      const void *fresh, size_t fresh_size);
	/* Both fill at most max entries and return how many exist, or -1. */
	int (*cpu_nodes)(struct host_cpu_node *out, int max);
	int (*cpu_load)(struct host_cpu_load *out, int max);
	/*
	 * Bytes of a property of a node of the device tree, as many as fit, and
	 * how many there are; -1: no such thing. Not where `simulated` is set,
	 * or NULL.
	 */
	int (*tree_bytes)(const char *path, const char *key, void *out,
			  int size);
};

#endif
