#include "source/perf/topology.h"

#include "source/perf/topology_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	CLUSTERS_MAX = 16, /* more parts than that are cores, not clusters */
	PAIRS_MAX = 2,     /* of cores, as clusters of their own */
	L3_MAX = 64,       /* two sockets of EPYC have 32 */
	PACKAGES_MAX = 16,
	ROWS_MAX = L3_MAX * KINDS_MAX
};

enum partition { BY_CLUSTER_ID, BY_L3, BY_PACKAGE, BY_NOTHING };

/* The plan's kinds, split into clusters. */
struct division {
	struct plan plan;
	enum partition by;
	bool sockets; /* its parts are the packages */
	unsigned nclusters;
	unsigned *cluster_of; /* [len] */
};

/* What a CPU shares with the others of its part; -1 is a part, too. */
static int64_t
key_of(const struct core *core, enum partition by)
{
	switch (by) {
	case BY_CLUSTER_ID:
		return core->package * INT64_C(4294967296) +
		       (uint32_t)core->cluster_id;
	case BY_L3:
		return core->l3;
	case BY_PACKAGE:
		return core->package;
	case BY_NOTHING:
		break;
	}
	return 0;
}

struct part {
	int64_t key;
	unsigned kind, ncores;
};

/*
 * parts[] of at most max, of each CPU's part in of[] (NULL: not wanted); with
 * split_kinds a part is of one kind. Returns their number, max + 1: too many.
 */
static unsigned
find_parts(const struct plan *p, enum partition by, bool split_kinds,
	   struct part *parts, unsigned max, unsigned *of)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->c->len; i++) {
		const struct core *core = &p->c->core[i];
		unsigned kind = split_kinds ? p->kind_of[i] : 0, at;
		int64_t key = key_of(core, by);

		for (at = 0; at < n; at++)
			if (parts[at].key == key && parts[at].kind == kind)
				break;
		if (at == max)
			return max + 1;
		if (at == n)
			parts[n++] = (struct part){ key, kind, 0 };
		parts[at].ncores += core->first == core->id;
		if (of != NULL)
			of[i] = at;
	}
	return n;
}

static bool
cluster_ids_good(const struct plan *p, struct part *parts)
{
	bool more = false;
	unsigned n;

	for (unsigned i = 0; i < p->c->len; i++)
		if (p->c->core[i].cluster_id < 0)
			return false;
	n = find_parts(p, BY_CLUSTER_ID, false, parts, CLUSTERS_MAX, NULL);
	if (n > CLUSTERS_MAX)
		return false;
	/* Intel's P cores are a cluster each: their two threads. */
	for (unsigned i = 0; i < n; i++) {
		if (parts[i].ncores < 2)
			return false;
		more = more || parts[i].ncores > 2;
	}
	/* Many pairs of one kind share a port to the mesh, and no more. */
	return more || n <= PAIRS_MAX || p->nkinds > 1;
}

static enum partition
choose(const struct plan *p)
{
	struct part parts[L3_MAX];

	if (cluster_ids_good(p, parts))
		return BY_CLUSTER_ID;
	if (plan_any_l3(p->c) &&
	    find_parts(p, BY_L3, false, parts, L3_MAX, NULL) <= L3_MAX)
		return BY_L3;
	if (find_parts(p, BY_PACKAGE, false, parts, PACKAGES_MAX, NULL) <=
	    PACKAGES_MAX)
		return BY_PACKAGE;
	return BY_NOTHING;
}

/* Does each part of the division hold all of one package and no other? */
static bool
parts_are_packages(const struct plan *p, enum partition by)
{
	int64_t key[PACKAGES_MAX];
	int package[PACKAGES_MAX];
	unsigned n = 0;

	for (unsigned i = 0; i < p->c->len; i++) {
		const struct core *core = &p->c->core[i];
		unsigned at;

		for (at = 0; at < n; at++)
			if (key[at] == key_of(core, by) ||
			    package[at] == core->package)
				break;
		if (core->package < 0 || at == PACKAGES_MAX)
			return false;
		if (at < n && (key[at] != key_of(core, by) ||
			       package[at] != core->package))
			return false;
		key[at] = key_of(core, by);
		package[at] = core->package;
		n += at == n;
	}
	return n > 1;
}

static void
name_kind(const struct plan *p, unsigned k, struct topology_kind *out)
{
	/* clang-format off */
	static const struct { const char *letter, *name; } names[] = {
		{ "P", "Performance" }, { "M", "Middle" }, { "E", "Efficiency" }, { "LP", "Low-power" },
		{ "LP-E", "Low-power efficiency" }, { "?", "Unknown" }, { "", "CPU" },
	};
	/* clang-format on */
	const struct kind *kind = &p->kind[k];
	const char *name = kind->letter;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(kind->letter, names[i].letter) == 0)
			name = names[i].name;
	snprintf(out->name, sizeof(out->name), "%s", name);
	snprintf(out->letter, sizeof(out->letter), "%s", kind->letter);
	if (kind->pmu >= 0)
		snprintf(out->pmu, sizeof(out->pmu), "%s",
			 p->c->pmu[kind->pmu]);
}

/* What clusters of cores without a letter are called. */
static const char *
stem(const struct division *d)
{
	if (d->plan.c->amd && (d->by == BY_L3 || d->by == BY_CLUSTER_ID))
		return "CCX";
	return d->sockets ? "S" : "CPU";
}

/* Letter and index; two kinds may have one letter and count on. */
static void
name_cluster(const struct division *d, struct topology *t, unsigned i)
{
	struct topology_cluster *cl = &t->cluster[i];
	const char *letter = t->kind[cl->kind].letter;
	unsigned same = 0, before = 0;

	for (unsigned j = 0; j < t->nclusters; j++) {
		bool alike =
			strcmp(t->kind[t->cluster[j].kind].letter, letter) == 0;

		same += alike;
		before += alike && j < i;
	}
	if (letter[0] == '\0')
		letter = same > 1 ? stem(d) : "CPU";
	if (same > 1)
		snprintf(cl->label, sizeof(cl->label), "%.11s%u", letter,
			 before);
	else
		snprintf(cl->label, sizeof(cl->label), "%s", letter);
}

static unsigned
core_index(const struct topology *t, const struct cores *c, unsigned i,
	   unsigned *next)
{
	for (unsigned j = 0; j < i; j++)
		if (c->core[j].first == c->core[i].first)
			return t->cpu[j].core;
	return (*next)++;
}

static struct topology *
build(const struct division *d, struct err *e)
{
	const struct plan *p = &d->plan;
	const struct cores *c = p->c;
	struct topology *t = topology_new(p->nkinds, d->nclusters, c->len, e);
	unsigned ncores = 0;

	if (t == NULL)
		return NULL;
	for (unsigned k = 0; k < p->nkinds; k++)
		name_kind(p, k, &t->kind[k]);
	for (unsigned i = c->len; i-- > 0;) { /* the first CPU's win */
		struct topology_cluster *cl = &t->cluster[d->cluster_of[i]];

		cl->kind = p->kind_of[i];
		cl->die = c->core[i].die;
		cl->package = c->core[i].package;
	}
	for (unsigned i = 0; i < c->len; i++) {
		t->cpu[i] = (struct topology_cpu){
			.id = c->core[i].id,
			.kind = p->kind_of[i],
			.cluster = d->cluster_of[i],
			.die = c->core[i].die,
			.package = c->core[i].package,
		};
		t->cpu[i].core = core_index(t, c, i, &ncores);
	}
	for (unsigned i = 0; i < d->nclusters; i++)
		name_cluster(d, t, i);
	topology_finish(t);
	return t;
}

static struct topology *
divide_and_build(struct division *d, struct err *e)
{
	struct plan *p = &d->plan;
	struct part *parts = calloc(ROWS_MAX, sizeof(*parts));
	struct topology *t = NULL;

	p->kind_of = calloc(p->c->len, sizeof(*p->kind_of));
	d->cluster_of = calloc(p->c->len, sizeof(*d->cluster_of));
	if (parts == NULL || p->kind_of == NULL || d->cluster_of == NULL ||
	    !plan_find_kinds(p)) {
		err_set(e, ERR_FAIL, "topology: out of memory");
		goto out;
	}
	d->by = choose(p);
	d->sockets = parts_are_packages(p, d->by);
	d->nclusters =
		find_parts(p, d->by, true, parts, ROWS_MAX, d->cluster_of);
	t = build(d, e);
out:
	free(parts);
	free(p->kind_of);
	free(d->cluster_of);
	return t;
}

struct topology *
topology_linux(const char *root, struct err *e)
{
	struct cores c;
	struct division d = { .plan = { .c = &c } };
	struct topology *t;

	if (!cores_read(root, &c, e))
		return NULL;
	t = divide_and_build(&d, e);
	cores_free(&c);
	return t;
}
