#include "model/topology.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/plural.h"

struct topology *
topology_new(unsigned nkinds, unsigned nclusters, unsigned ncpus, struct err *e)
{
	struct topology *t = calloc(1, sizeof *t);

	if (t != NULL) {
		t->kind = calloc(nkinds + 1, sizeof *t->kind);
		t->cluster = calloc(nclusters + 1, sizeof *t->cluster);
		t->cpu = calloc(ncpus + 1, sizeof *t->cpu);
	}
	if (t == NULL || t->kind == NULL || t->cluster == NULL ||
	    t->cpu == NULL) {
		topology_free(t);
		return err_null(e, ERR_FAIL,
				"out of memory for a table of %u %s", ncpus,
				plural(ncpus, "CPU", "CPUs"));
	}
	t->nkinds = nkinds;
	t->nclusters = nclusters;
	t->ncpus = ncpus;
	return t;
}

void
topology_free(struct topology *t)
{
	if (t == NULL)
		return;
	free(t->kind);
	free(t->cluster);
	free(t->cpu);
	free(t);
}

static bool
first_of_core(const struct topology *t, unsigned i)
{
	for (unsigned j = 0; j < i; j++)
		if (t->cpu[j].core == t->cpu[i].core)
			return false;
	return true;
}

static void
count_members(struct topology *t)
{
	for (unsigned i = 0; i < t->nkinds; i++)
		t->kind[i].ncpus = 0;
	for (unsigned i = 0; i < t->nclusters; i++)
		t->cluster[i].ncpus = t->cluster[i].ncores = 0;
	t->ncores = 0;
	for (unsigned i = 0; i < t->ncpus; i++) {
		struct topology_cluster *cl = &t->cluster[t->cpu[i].cluster];

		t->kind[t->cpu[i].kind].ncpus++;
		cl->kind = t->cpu[i].kind;
		cl->ncpus++;
		if (first_of_core(t, i)) {
			cl->ncores++;
			t->ncores++;
		}
	}
	t->smt = t->ncores < t->ncpus;
}

static void
name_cluster(struct topology *t, unsigned i)
{
	struct topology_cluster *cl = &t->cluster[i];
	struct buf b = buf_over(cl->label, sizeof cl->label);
	const char *letter = t->kind[cl->kind].letter;
	unsigned same = 0, before = 0;

	for (unsigned j = 0; j < t->nclusters; j++) {
		same += t->cluster[j].kind == cl->kind;
		before += j < i && t->cluster[j].kind == cl->kind;
	}
	if (letter[0] == '\0' || (t->nkinds == 1 && t->nclusters == 1))
		letter = "CPU";
	buf_str(&b, letter);
	if (same > 1)
		buf_u64(&b, before);
	buf_cstr(&b);
}

void
topology_finish(struct topology *t)
{
	count_members(t);
	for (unsigned i = 0; i < t->nclusters; i++)
		if (t->cluster[i].label[0] == '\0')
			name_cluster(t, i);
}

int
topology_cluster_find(const struct topology *t, const char *label)
{
	for (unsigned i = 0; i < t->nclusters; i++)
		if (strcmp(t->cluster[i].label, label) == 0)
			return (int)i;
	return -1;
}

int
topology_cpu_find(const struct topology *t, int id)
{
	for (unsigned i = 0; i < t->ncpus; i++)
		if (t->cpu[i].id == id)
			return (int)i;
	return -1;
}

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
