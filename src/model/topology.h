/* The CPUs, kinds of core, clusters and cores of a machine. */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

enum { TOPOLOGY_LABEL_SIZE = 16, TOPOLOGY_NAME_SIZE = 32 };

/* No padding: the counter server sends these bytes (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
struct topology_kind {
	char name[TOPOLOGY_NAME_SIZE];    /* "Performance" */
	char letter[TOPOLOGY_LABEL_SIZE]; /* "P", "E", "S", "LP-E"; "": one kind
					   */
	char pmu[TOPOLOGY_NAME_SIZE];     /* name of the database or PMU */
	unsigned ncpus;
	unsigned width;     /* micro-ops per cycle; 0: unknown */
	bool width_certain; /* published by the vendor; otherwise top-down is an
			       estimate */
	uint8_t unused[3];
};

struct topology_cluster {
	char label[TOPOLOGY_LABEL_SIZE]; /* "P0", "E", "CCX1", "CPU" */
	unsigned kind;
	unsigned ncpus, ncores;
	int die, package; /* -1: unknown */
};

struct topology_cpu {
	int id; /* the system's number; with kpc, also the row */
	unsigned kind, cluster;
	unsigned core; /* physical core in the machine; SMT threads share it */
	int die, package;
	bool off; /* off line; its cluster may be a guess */
	uint8_t unused[3];
};
#pragma GCC diagnostic pop

/* Kinds are sorted by speed, fastest first (level 0), clusters by first CPU,
 * CPUs by id. Code uses indices, not ids. */
struct topology {
	unsigned nkinds, nclusters, ncpus, ncores;
	struct topology_kind *kind;
	struct topology_cluster *cluster;
	struct topology_cpu *cpu;
	bool smt; /* CPUs are threads of cores */
};

struct err;

/* All fields are zero; NULL and *e: out of memory. */
struct topology *topology_new(unsigned nkinds, unsigned nclusters,
			      unsigned ncpus, struct err *e);
void topology_free(struct topology *t);

struct topology *topology_copy(const struct topology *t, struct err *e);

/* The row of the same CPU or cluster in `in`, another topology of the machine;
 * UINT_MAX: none. */
unsigned topology_match(const struct topology *t, unsigned row,
			const struct topology *in);

/* Sets counts, smt and missing labels of clusters: the kind's letter, with a
 * number if the kind has several; "CPU" if there is one kind and cluster. */
void topology_finish(struct topology *t);

/* Index by label or id; -1: none. */
int topology_cluster_find(const struct topology *t, const char *label);
int topology_cpu_find(const struct topology *t, int id);

#endif
