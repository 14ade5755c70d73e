#include "model/topology.h"

#include "base/err.h"

#include <limits.h>
#include <string.h>

struct topology *
topology_copy(const struct topology *t, struct err *e)
{
	struct topology *c = topology_new(t->nkinds, t->nclusters, t->ncpus, e);

	if (c == NULL)
		return NULL;
	c->ncores = t->ncores;
	c->smt = t->smt;
	memcpy(c->kind, t->kind, t->nkinds * sizeof *t->kind);
	memcpy(c->cluster, t->cluster, t->nclusters * sizeof *t->cluster);
	memcpy(c->cpu, t->cpu, t->ncpus * sizeof *t->cpu);
	return c;
}

unsigned
topology_match(const struct topology *t, unsigned row,
	       const struct topology *in)
{
	int at;

	if (row < t->ncpus) {
		at = topology_cpu_find(in, t->cpu[row].id);
		return at < 0 ? UINT_MAX : (unsigned)at;
	}
	row -= t->ncpus;
	if (row >= t->nclusters)
		return UINT_MAX;
	at = topology_cluster_find(in, t->cluster[row].label);
	return at < 0 ? UINT_MAX : in->ncpus + (unsigned)at;
}
