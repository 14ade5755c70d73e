/* CPUs that a machine has and that are off line: rows without a place yet. */
#ifndef SOURCE_PERF_PRESENT_H
#define SOURCE_PERF_PRESENT_H

#include "base/err.h"
#include "model/topology.h"

#include <stddef.h>
#include <stdint.h>

/*
 * As topology_linux, which knows the CPUs on line, with those besides them that
 * are `present` only (their `off` is set). sysfs says nothing of these but, on
 * some machines, their PMU; where kind or cluster cannot be told they are in
 * the kind "Unknown" or the cluster "off", which come last, until the topology
 * is read again with them on line.
 */
struct topology *topology_linux_present(const char *root, struct err *e);

/* The files next to `online` that a topology came from: one small pread each.
 */
enum { PLACES_MAX = 8 };

struct places {
	unsigned len; /* file[0] is `present`, then the PMUs' `cpus` */
	struct {
		int fd; /* -1: there is none */
		uint64_t seen;
	} file[PLACES_MAX];
	char *text; /* [size] */
	size_t size;
};

/* False when memory is short; missing files are no failure. */
bool places_open(struct places *p, const char *root, const struct topology *t);
void places_close(struct places *p);

/* Bit i: file i is not as it was. */
uint32_t places_changed(struct places *p);

#endif
