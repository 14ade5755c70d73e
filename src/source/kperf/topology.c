#include "source/kperf/state.h"

#include "source/kperf/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 8, KINDS_MAX = 16, CPUS_MAX = 1024 };

enum { RANK_UNKNOWN = 5, RANK_E = 10 };

struct level {
	char name[TOPOLOGY_NAME_SIZE];
	unsigned ncpus;
};

struct kind {
	char type[8];
	unsigned ncpus;
	int level; /* N of hw.perflevelN; -1: no match */
};

struct topology_builder {
	unsigned ncpus, nnodes, nlevels, nkinds;
	struct host_cpu_node *node; /* [ncpus], indexed by logical-cpu-id */
	struct level level[LEVELS_MAX];
	struct kind kind[KINDS_MAX];
};

/* Lower ranks are faster; unknown types rank between M and E. Up to macOS 15
 * the letters are P and E; M came with M5. */
static int
type_rank(const char *type)
{
	static const char order[] = "PM";
	const char *at = type[0] == '\0' ? NULL : strchr(order, type[0]);

	if (at != NULL)
		return (int)(at - order);
	if (type[0] == 'E')
		return RANK_E;
	return type[0] == '?' ? RANK_E + 1 : RANK_UNKNOWN;
}

static void
read_levels(struct topology_builder *j, const struct host_api *host)
{
	uint64_t n = host_number_or(host, "hw.nperflevels", 0);

	for (unsigned i = 0; i < n && i < LEVELS_MAX; i++) {
		struct level *l = &j->level[j->nlevels];
		char name[64];
		uint64_t ncpus;

		snprintf(name, sizeof name, "hw.perflevel%u.logicalcpu_max", i);
		if (!host_number(host, name, &ncpus) || ncpus > CPUS_MAX)
			break;
		l->ncpus = (unsigned)ncpus;
		snprintf(name, sizeof name, "hw.perflevel%u.name", i);
		host_text(host, name, l->name, sizeof l->name);
		j->nlevels++;
	}
}

static void
clear_node(struct host_cpu_node *n)
{
	*n = (struct host_cpu_node){
		.logical_cpu_id = -1,
		.logical_cluster_id = -1,
		.die_id = -1,
		.die_cluster_id = -1,
		.cluster_core_id = -1,
	};
}

static bool
read_nodes(struct topology_builder *j, const struct host_api *host)
{
	struct host_cpu_node *raw = calloc(CPUS_MAX, sizeof *raw);
	int n, max = -1;

	if (raw == NULL)
		return false;
	n = host->cpu_nodes(raw, CPUS_MAX);
	if (n > CPUS_MAX)
		n = CPUS_MAX;
	for (int i = 0; i < n; i++)
		if (raw[i].logical_cpu_id > max &&
		    raw[i].logical_cpu_id < CPUS_MAX)
			max = raw[i].logical_cpu_id;
	if (j->ncpus == 0)
		j->ncpus = (unsigned)(max + 1);
	j->node = calloc(j->ncpus + 1, sizeof *j->node);
	if (j->node == NULL) {
		free(raw);
		return false;
	}
	for (unsigned i = 0; i < j->ncpus; i++)
		clear_node(&j->node[i]);
	for (int i = 0; i < n; i++) {
		int id = raw[i].logical_cpu_id;

		if (id < 0 || (unsigned)id >= j->ncpus ||
		    j->node[id].logical_cpu_id >= 0)
			continue;
		j->node[id] = raw[i];
		j->node[id].cluster_type[sizeof raw[i].cluster_type - 1] = 0;
		j->nnodes++;
	}
	free(raw);
	return true;
}

static unsigned
kind_index(struct topology_builder *j, const char *type)
{
	unsigned k;

	for (k = 0; k < j->nkinds; k++)
		if (strcmp(j->kind[k].type, type) == 0)
			return k;
	if (k == KINDS_MAX)
		return k - 1;
	snprintf(j->kind[k].type, sizeof j->kind[k].type, "%s", type);
	j->kind[k].level = -1;
	j->nkinds++;
	return k;
}

static int
compare_faster(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;
	int d = type_rank(x->type) - type_rank(y->type);

	return d != 0 ? d : strcmp(x->type, y->type);
}

enum { ANY_COUNT = 1 << 0, ANY_LETTER = 1 << 1 };

/* Pairs each level with the first free kind of the same CPU count, faster kinds
 * first. ANY_COUNT and ANY_LETTER admit other counts and unknown letters. True:
 * every level has a kind. */
static bool
pair_kinds(struct topology_builder *j, unsigned allowed)
{
	unsigned taken = 0;

	for (unsigned k = 0; k < j->nkinds; k++)
		j->kind[k].level = -1;
	for (unsigned l = 0; l < j->nlevels; l++) {
		for (unsigned k = 0; k < j->nkinds; k++) {
			struct kind *kind = &j->kind[k];

			if (kind->level >= 0 || kind->type[0] == '?' ||
			    (!(allowed & ANY_LETTER) &&
			     type_rank(kind->type) == RANK_UNKNOWN) ||
			    (!(allowed & ANY_COUNT) &&
			     kind->ncpus != j->level[l].ncpus))
				continue;
			kind->level = (int)l;
			taken++;
			break;
		}
	}
	return taken == j->nlevels;
}

static void
pair_best(struct topology_builder *j)
{
	/* Kinds with an unknown letter get a level only if the others do not
	 * suffice. */
	if (j->nkinds > j->nlevels && pair_kinds(j, 0))
		return;
	if (pair_kinds(j, ANY_LETTER))
		return;
	if (j->nkinds > j->nlevels && pair_kinds(j, ANY_COUNT))
		return;
	pair_kinds(j, ANY_COUNT | ANY_LETTER);
}

static int
compare_levels(const void *a, const void *b)
{
	const struct kind *x = a, *y = b;
	unsigned l = (unsigned)x->level, m = (unsigned)y->level;

	if (l != m) /* -1 sorts last */
		return l < m ? -1 : 1;
	return compare_faster(a, b);
}

static void
find_kinds(struct topology_builder *j)
{
	if (j->nnodes == 0) {
		j->kind[kind_index(j, "")].ncpus = j->ncpus;
	} else {
		for (unsigned i = 0; i < j->ncpus; i++) {
			struct host_cpu_node *n = &j->node[i];

			if (n->logical_cpu_id < 0)
				memcpy(n->cluster_type, "?", 2);
			j->kind[kind_index(j, n->cluster_type)].ncpus++;
		}
	}
	qsort(j->kind, j->nkinds, sizeof j->kind[0], compare_faster);
	/* Without letters, kinds and levels match only if there is one of
	 * each. */
	if (j->nkinds > 1 || j->kind[0].type[0] != '\0' || j->nlevels == 1)
		pair_best(j);
	qsort(j->kind, j->nkinds, sizeof j->kind[0], compare_levels);
}

/* Level names exist since macOS 13. */
static void
name_kind(const struct topology_builder *j, unsigned k,
	  struct topology_kind *out)
{
	const struct kind *kind = &j->kind[k];
	const char *name = "";

	if (kind->level >= 0)
		name = j->level[kind->level].name;
	else if (j->nlevels > 0)
		name = kind->type;
	if (name[0] == '\0' && strcmp(kind->type, "P") == 0)
		name = "Performance";
	else if (name[0] == '\0' && strcmp(kind->type, "E") == 0)
		name = "Efficiency";
	else if (name[0] == '\0')
		name = kind->type[0] != '\0' ? kind->type : "CPU";
	snprintf(out->name, sizeof out->name, "%s", name);
}

/* A kind's letter is its name's initial, or the shortest prefix that the other
 * names lack. */
static void
letter_kinds(struct topology *t)
{
	if (t->nkinds < 2)
		return;
	for (unsigned k = 0; k < t->nkinds; k++) {
		const char *name = t->kind[k].name;
		size_t len = 1;

		for (unsigned o = 0; o < t->nkinds; o++)
			while (o != k && len < strlen(name) &&
			       len < TOPOLOGY_LABEL_SIZE - 4 &&
			       strncmp(t->kind[o].name, name, len) == 0)
				len++;
		memcpy(t->kind[k].letter, name, len);
		t->kind[k].letter[len] = '\0';
	}
}

/* ktop's table has the widths of the fastest kind and of E cores. */
static void
set_width(const struct topology_builder *j, unsigned k, const struct pmu *pmu,
	  struct topology_kind *out)
{
	if (pmu == NULL || pmu->intel || j->nnodes == 0)
		return;
	if (strcmp(j->kind[k].type, "E") == 0)
		out->width = pmu->map_width_e;
	else if (k == 0)
		out->width = pmu->map_width_p;
	out->width_certain = out->width != 0 && pmu->exact_topdown;
}

struct cluster {
	unsigned kind;
	int id, die;
};

static unsigned
cluster_index(struct cluster *found, unsigned *n, struct cluster want)
{
	for (unsigned i = 0; i < *n; i++)
		if (found[i].kind == want.kind && found[i].id == want.id &&
		    found[i].die == want.die)
			return i;
	found[*n] = want;
	return (*n)++;
}

static unsigned
find_clusters(struct topology_builder *j, struct cluster *found, unsigned *of)
{
	unsigned n = 0;

	for (unsigned i = 0; i < j->ncpus; i++) {
		const struct host_cpu_node *node = &j->node[i];
		struct cluster c = { kind_index(j, node->cluster_type),
				     node->logical_cluster_id, node->die_id };

		of[i] = cluster_index(found, &n, c);
	}
	return n;
}

static unsigned
threads_per_core(const struct topology_builder *j, const struct host_api *host)
{
	uint64_t cores = host_number_or(host, "hw.physicalcpu_max", j->ncpus);

	if (cores == 0 || cores >= j->ncpus || j->ncpus % cores != 0)
		return 1;
	return j->ncpus / (unsigned)cores;
}

static struct topology *
build_topology(struct topology_builder *j, const struct cluster *found,
	       unsigned nclusters, const unsigned *of, unsigned threads,
	       struct err *e)
{
	struct topology *t = topology_new(j->nkinds, nclusters, j->ncpus, e);

	if (t == NULL)
		return NULL;
	for (unsigned k = 0; k < j->nkinds; k++)
		name_kind(j, k, &t->kind[k]);
	letter_kinds(t);
	for (unsigned c = 0; c < nclusters; c++) {
		t->cluster[c].kind = found[c].kind;
		t->cluster[c].die = found[c].die;
		t->cluster[c].package = -1;
	}
	for (unsigned i = 0; i < j->ncpus; i++)
		t->cpu[i] = (struct topology_cpu){
			.id = (int)i,
			.kind = found[of[i]].kind,
			.cluster = of[i],
			.core = i / threads,
			.die = j->node[i].die_id,
			.package = -1,
		};
	return t;
}

static struct topology *
topology_builder(struct topology_builder *j, const struct host_api *host,
		 const struct pmu *pmu, const char *db, struct err *e)
{
	struct cluster *found = calloc(j->ncpus, sizeof *found);
	unsigned *of = calloc(j->ncpus, sizeof *of);
	struct topology *t = NULL;

	if (found == NULL || of == NULL) {
		err_set(e, ERR_FAIL, "topology: out of memory");
	} else {
		unsigned n;

		find_kinds(j);
		n = find_clusters(j, found, of);
		t = build_topology(j, found, n, of, threads_per_core(j, host),
				   e);
	}
	for (unsigned k = 0; t != NULL && k < t->nkinds; k++) {
		set_width(j, k, pmu, &t->kind[k]);
		snprintf(t->kind[k].pmu, sizeof t->kind[k].pmu, "%s", db);
	}
	if (t != NULL)
		topology_finish(t);
	free(found);
	free(of);
	return t;
}

struct topology *
topology_apple(const struct host_api *host, const struct pmu *pmu,
	       const char *db, struct err *e)
{
	struct topology_builder j = { .ncpus = 0 };
	struct topology *t = NULL;
	uint64_t n = host_number_or(host, "hw.ncpu", 0);

	if (n == 0)
		n = host_number_or(host, "hw.logicalcpu_max", 0);
	if (n <= CPUS_MAX)
		j.ncpus = (unsigned)n;
	read_levels(&j, host);
	if (!read_nodes(&j, host))
		err_set(e, ERR_FAIL, "topology: out of memory");
	else if (j.ncpus == 0)
		err_set(e, ERR_FAIL,
			"the system does not report its number of CPUs (hw.ncpu)");
	else
		t = topology_builder(&j, host, pmu, db, e);
	free(j.node);
	return t;
}
