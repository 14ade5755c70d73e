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
	char name[TOPOLOGY_NAME_SIZE];
	char letter[TOPOLOGY_LABEL_SIZE]; /* "P", "E", "S", "LP-E"; "": only one
					     kind */
	char pmu[TOPOLOGY_NAME_SIZE];
	unsigned ncpus;
	unsigned width;     /* micro-ops per cycle; 0: unknown */
	bool width_certain; /* false: top-down shares are estimates */
	uint8_t unused[3];
};

struct topology_cluster {
	char label[TOPOLOGY_LABEL_SIZE];
	unsigned kind;
	unsigned ncpus, ncores;
	int die, package; /* -1: unknown */
};

struct topology_cpu {
	int id; /* the system's number; with kpc also that of its row */
	unsigned kind, cluster;
	unsigned core; /* physical core; SMT threads share it */
	int die, package;
	bool off; /* off line; its cluster may then be a guess */
	uint8_t unused[3];
};
#pragma GCC diagnostic pop

/* Kinds are sorted by speed, the fastest first (level 0), clusters by their
 * first CPU, CPUs by id. */
struct topology {
	unsigned nkinds, nclusters, ncpus, ncores;
	struct topology_kind *kind;
	struct topology_cluster *cluster;
	struct topology_cpu *cpu;
	bool smt;
};

struct err;

/* The arrays are zeroed. NULL and *e: out of memory. */
struct topology *topology_new(unsigned nkinds, unsigned nclusters,
			      unsigned ncpus, struct err *e);
void topology_free(struct topology *t);

struct topology *topology_copy(const struct topology *t, struct err *e);

/* Returns the row of the same CPU or cluster in `in`, another topology of the
 * machine; UINT_MAX: none. */
unsigned topology_match(const struct topology *t, unsigned row,
			const struct topology *in);

/* Sets counts, smt and missing labels of clusters. A label is the kind's letter
 * ("CPU" if there is none or only one cluster), with a number if the kind has
 * several clusters. */
void topology_finish(struct topology *t);

/* Index of the cluster with this label, of the CPU with this id; -1: none. */
int topology_cluster_find(const struct topology *t, const char *label);
int topology_cpu_find(const struct topology *t, int id);

#endif
