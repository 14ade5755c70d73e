/* The machine's CPUs as kinds, clusters and cores: plain data, built once. */
#ifndef MODEL_TOPOLOGY_H
#define MODEL_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

enum { TOPOLOGY_LABEL_SIZE = 16, TOPOLOGY_NAME_SIZE = 32 };

/* The counter server sends these as they are: no gaps (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
struct topology_kind {
	char name[TOPOLOGY_NAME_SIZE];    /* the system's: "Performance" */
	char letter[TOPOLOGY_LABEL_SIZE]; /* "P", "E", "S", "LP-E"; "" if one */
	char pmu[TOPOLOGY_NAME_SIZE];     /* database or PMU that counts it */
	unsigned ncpus;
	unsigned width;     /* micro-ops mapped per cycle; 0: unknown */
	bool width_certain; /* from the vendor; else top-down is an estimate */
	uint8_t unused[3];
};

struct topology_cluster {
	char label[TOPOLOGY_LABEL_SIZE]; /* "P0", "E", "CCX1", "CPU" */
	unsigned kind;
	unsigned ncpus, ncores;
	int die, package; /* -1: unknown */
};

struct topology_cpu {
	int id; /* the system's number; kpc: the row index */
	unsigned kind, cluster;
	unsigned core; /* physical core, counted over the machine; SMT shares */
	int die, package;
	bool off; /* off line when this was read; its place may be a guess */
	uint8_t unused[3];
};
#pragma GCC diagnostic pop

/*
 * Kinds are ordered fastest first (level 0), clusters by their first CPU,
 * CPUs by id. Indices, not ids, go through the program.
 */
struct topology {
	unsigned nkinds, nclusters, ncpus, ncores;
	struct topology_kind *kind;
	struct topology_cluster *cluster;
	struct topology_cpu *cpu;
	bool smt; /* some core has more than one CPU: rows are threads */
};

struct err;

/* Zeroed arrays of these sizes; NULL and *e when memory is short. */
struct topology *topology_new(unsigned nkinds, unsigned nclusters,
			      unsigned ncpus, struct err *e);
void topology_free(struct topology *t);

struct topology *topology_copy(const struct topology *t, struct err *e);

/*
 * Rows are the CPUs, then the clusters. Which row of `in`, an earlier or later
 * look at the same machine, is row `row` of t? UINT_MAX: none.
 */
unsigned topology_match(const struct topology *t, unsigned row,
			const struct topology *in);

/* ---- topology.c ---- */

/*
 * Derives what follows from the CPUs' kind, cluster and core and the kinds'
 * letters: counts, smt, and the labels of clusters whose label is still empty
 * (the letter, with an index where a kind has several; CPU where there is one
 * kind and one cluster).
 */
void topology_finish(struct topology *t);

/* Index of the cluster with that label, or of CPU id; -1 if there is none. */
int topology_cluster_find(const struct topology *t, const char *label);
int topology_cpu_find(const struct topology *t, int id);

#endif
