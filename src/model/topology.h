/* CPUs, kinds, clusters and cores; constant data. */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

enum { TOPOLOGY_LABEL_SIZE = 16, TOPOLOGY_NAME_SIZE = 32 };

/* Sent as is by the counter server: no padding (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
struct topology_kind {
	char name[TOPOLOGY_NAME_SIZE];    /* "Performance" */
	char letter[TOPOLOGY_LABEL_SIZE]; /* "P", "E", "S", "LP-E"; "": one kind
					   */
	char pmu[TOPOLOGY_NAME_SIZE];     /* its database or PMU */
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
	int id; /* the system's number; with kpc, the row */
	unsigned kind, cluster;
	unsigned core; /* physical core in the machine; SMT threads share it */
	int die, package;
	bool off; /* off line; its cluster may be a guess */
	uint8_t unused[3];
};
#pragma GCC diagnostic pop

/* Kinds fastest first (level 0), clusters by first CPU, CPUs by id. Code uses
 * indices, not ids. */
struct topology {
	unsigned nkinds, nclusters, ncpus, ncores;
	struct topology_kind *kind;
	struct topology_cluster *cluster;
	struct topology_cpu *cpu;
	bool smt; /* rows are threads */
};

struct err;

/* Zeroed; NULL and *e: out of memory. */
struct topology *topology_new(unsigned nkinds, unsigned nclusters,
			      unsigned ncpus, struct err *e);
void topology_free(struct topology *t);

struct topology *topology_copy(const struct topology *t, struct err *e);

/* The same CPU or cluster row in `in`, another topology of the machine;
 * UINT_MAX: none. */
unsigned topology_match(const struct topology *t, unsigned row,
			const struct topology *in);

/* Derives counts, smt, and empty cluster labels (letter, with index if several;
 * CPU for one kind and cluster) from kinds, clusters, cores and letters. */
void topology_finish(struct topology *t);

/* Index by label or id; -1: none. */
int topology_cluster_find(const struct topology *t, const char *label);
int topology_cpu_find(const struct topology *t, int id);

#endif
