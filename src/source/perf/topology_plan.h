/* Inside of topology.c: the kinds of cores, before clusters are found. */
#ifndef SOURCE_PERF_TOPOLOGY_PLAN_H
#define SOURCE_PERF_TOPOLOGY_PLAN_H

#include "model/topology.h"
#include "source/perf/cores.h"

enum { KINDS_MAX = 32 };

struct kind { /* CPUs of one PMU, part and (not) below an L3 */
	int pmu;
	uint32_t part;
	bool low_power;
	int type;
	int64_t pace;  /* of the cluster that was first of it; 0: unknown */
	int64_t speed; /* median of its CPUs */
	int size;      /* place of its core among ARM's, -1: unknown */
	int rank;      /* lower is faster */
	char letter[TOPOLOGY_LABEL_SIZE]; /* "": a kind that needs none */
};

struct plan {
	const struct cores *c;
	unsigned nkinds;
	struct kind kind[KINDS_MAX];
	unsigned *kind_of; /* [len], borrowed */
};

/*
 * Finds the kinds, names them, puts them fastest first and fills kind_of; false
 * when memory is short.
 */
bool plan_find_kinds(struct plan *p);

bool plan_any_l3(const struct cores *c);

#endif
