#include "source/perf/machine.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS_MAX = 32 };

struct kind { /* CPUs with the same PMU, part, type and capacity */
	int pmu;
	uint32_t part;
	bool low_power;
	int type;
	int64_t pace; /* capacity of its first CPU's cluster; 0: unknown */
	int64_t speed;
	int size;                         /* index in arm_cores, -1: unknown */
	int rank;                         /* lower is faster */
	char letter[TOPOLOGY_LABEL_SIZE]; /* "": the only kind */
};

struct plan {
	const struct cores *c;
	unsigned nkinds;
	struct kind kind[KINDS_MAX];
	unsigned *kind_of; /* [len], borrowed */
};

/* Capacities of kinds differ by more than this %, favoured cores by 1 to 3. */
enum { PACE_DIFFERS = 8 };

static const char *
kind_pmu_name(const struct plan *p, const struct kind *kind)
{
	return kind->pmu >= 0 ? p->c->pmu[kind->pmu] : "";
}

static bool
has_prefix(const char *s, const char *with)
{
	return strncmp(s, with, strlen(with)) == 0;
}

static bool
cores_have_l3(const struct cores *c)
{
	for (unsigned i = 0; i < c->len; i++)
		if (c->core[i].l3 >= 0)
			return true;
	return false;
}

/* As in hwloc: Atom cores without an L3 are low-power cores. */
static bool
core_is_low_power(const struct cores *c, const struct core *core,
		  bool l3_exists)
{
	const char *pmu = core->pmu >= 0 ? c->pmu[core->pmu] : "";

	return strcmp(pmu, "cpu_lowpower") == 0 ||
	       (strcmp(pmu, "cpu_atom") == 0 && core->l3 < 0 && l3_exists);
}

/* Mean capacity of the core's cluster, so favoured cores form no kind. */
static int64_t
core_cluster_capacity(const struct cores *c, const struct core *core)
{
	int64_t sum = 0, n = 0;

	if (core->part == 0 || core->cluster_id < 0)
		return 0;
	for (unsigned i = 0; i < c->len; i++) {
		const struct core *other = &c->core[i];

		if (other->cluster_id != core->cluster_id ||
		    other->package != core->package ||
		    other->part != core->part || other->pmu != core->pmu ||
		    other->speed[CORE_CAPACITY] <= 0)
			continue;
		sum += other->speed[CORE_CAPACITY];
		n++;
	}
	return n > 0 ? sum / n : 0;
}

/* Clusters of the same core with different clocks (Oryon) are two kinds. */
static bool
same_capacity(int64_t a, int64_t b)
{
	int64_t more = a > b ? a : b, less = a > b ? b : a;

	return less == 0 || (more - less) * 100 <= more * PACE_DIFFERS;
}

static void
plan_find_kinds(struct plan *p)
{
	bool l3_exists = cores_have_l3(p->c);

	for (unsigned i = 0; i < p->c->len; i++) {
		const struct core *core = &p->c->core[i];
		bool low = core_is_low_power(p->c, core, l3_exists);
		int64_t pace = core_cluster_capacity(p->c, core);
		unsigned k;

		for (k = 0; k < p->nkinds; k++)
			if (p->kind[k].pmu == core->pmu &&
			    p->kind[k].part == core->part &&
			    p->kind[k].low_power == low &&
			    p->kind[k].type == core->type &&
			    same_capacity(p->kind[k].pace, pace))
				break;
		if (k == p->nkinds && k < KINDS_MAX)
			p->kind[p->nkinds++] = (struct kind){
				.pmu = core->pmu,
				.part = core->part,
				.low_power = low,
				.type = core->type,
				.pace = pace,
			};
		p->kind_of[i] = k < KINDS_MAX ? k : KINDS_MAX - 1;
	}
}

static int
compare_int64(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int64_t
kind_median_speed(const struct plan *p, unsigned k, enum core_speed by,
		  int64_t *of)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->c->len; i++)
		if (p->kind_of[i] == k && p->c->core[i].speed[by] > 0)
			of[n++] = p->c->core[i].speed[by];
	if (n == 0)
		return 0;
	qsort(of, n, sizeof *of, compare_int64);
	return of[n / 2];
}

/* Uses medians, as capacities vary within a kind. Units differ, so the first
 * measure that every kind has is used. */
static bool
plan_find_speeds(struct plan *p)
{
	int64_t *of = calloc(p->c->len, sizeof *of);
	bool all = false;

	if (of == NULL)
		return false;
	for (int by = 0; by < CORE_SPEEDS && !all; by++) {
		all = true;
		for (unsigned k = 0; k < p->nkinds; k++) {
			p->kind[k].speed = kind_median_speed(
				p, k, (enum core_speed)by, of);
			all = all && p->kind[k].speed > 0;
		}
	}
	for (unsigned k = 0; k < p->nkinds && !all; k++)
		p->kind[k].speed = 0;
	free(of);
	return true;
}

/* ARM cores by implementer and part (MIDR), smallest first. width: operations
 * renamed per cycle (Arm's Software Optimization Guides, "dispatch
 * constraints"), or issue width of in-order cores; 0: not published. caps/slots
 * overrides it. */
/* clang-format off */
static const struct { unsigned part; const char *name; unsigned width; } arm_cores[] = {
	{ 0x41d04, "A35", 2 },  { 0x41d02, "A34", 2 },  { 0x41d03, "A53", 2 },  { 0x41d05, "A55", 2 },
	{ 0x41d46, "A510", 3 }, { 0x41d80, "A520", 3 }, { 0x41d88, "A520AE", 3 }, { 0x41d8f, "A320", 0 },
	{ 0x41d8a, "C1-Nano", 0 }, { 0x41d06, "A65", 0 }, { 0x41d43, "A65AE", 0 },
	{ 0x41d07, "A57", 3 },  { 0x41d08, "A72", 3 },  { 0x41d09, "A73", 2 },  { 0x41d0a, "A75", 3 },
	{ 0x41d0b, "A76", 4 },  { 0x41d0e, "A76AE", 4 }, { 0x41d0d, "A77", 6 }, { 0x41d41, "A78", 6 },
	{ 0x41d42, "A78AE", 6 }, { 0x41d4b, "A78C", 6 }, { 0x41d47, "A710", 5 }, { 0x41d4d, "A715", 5 },
	{ 0x41d81, "A720", 5 }, { 0x41d89, "A720AE", 5 }, { 0x41d87, "A725", 5 }, { 0x41d8b, "C1-Pro", 0 },
	{ 0x41d0c, "N1", 4 },   { 0x41d49, "N2", 5 },   { 0x41d8e, "N3", 5 },   { 0x41d40, "V1", 8 },
	{ 0x41d4f, "V2", 8 },   { 0x41d83, "V3AE", 10 }, { 0x41d84, "V3", 10 },
	{ 0x41d44, "X1", 8 },   { 0x41d4c, "X1C", 8 },  { 0x41d48, "X2", 8 },   { 0x41d4e, "X3", 8 },
	{ 0x41d82, "X4", 10 },   { 0x41d85, "X925", 10 }, { 0x41d90, "C1-Premium", 0 }, { 0x41d8c, "C1-Ultra", 0 },
	{ 0x51001, "Oryon", 8 },
};
/* clang-format on */
enum { ARM_CORES = sizeof arm_cores / sizeof arm_cores[0] };

/* "armv8_cortex_a76" gives "A76". False: the PMU's name has no core name. */
static bool
arm_name_from_pmu(const char *pmu, char *out, size_t size)
{
	const char *at = strstr(pmu, "_cortex_");
	size_t n = 0;

	if (at != NULL)
		at += strlen("_cortex_");
	else if ((at = strstr(pmu, "_neoverse_")) != NULL)
		at += strlen("_neoverse_");
	else
		return false;
	for (; at[n] != '\0' && n + 1 < size; n++)
		out[n] = (char)toupper((unsigned char)at[n]);
	out[n] = '\0';
	return n > 0;
}

static int
arm_core_find(const struct plan *p, const struct kind *kind)
{
	char name[TOPOLOGY_LABEL_SIZE] = "";

	if (kind->part == 0)
		(void)arm_name_from_pmu(kind_pmu_name(p, kind), name,
					sizeof name);
	for (int i = 0; i < ARM_CORES; i++) {
		if (kind->part != 0 &&
		    (kind->part >> 24 << 12 | (kind->part >> 4 & 0xfff)) ==
			    arm_cores[i].part)
			return i;
		if (strcmp(name, arm_cores[i].name) == 0)
			return i;
	}
	return -1;
}

static bool
kind_is_faster(const struct plan *p, unsigned a, unsigned b)
{
	const struct kind *x = &p->kind[a], *y = &p->kind[b];

	if (x->speed != y->speed)
		return x->speed > y->speed;
	if (x->size != y->size)
		return x->size > y->size;
	return a < b;
}

static void
kind_set_letter(struct kind *kind, const char *letter)
{
	snprintf(kind->letter, sizeof kind->letter, "%s", letter);
}

/* clang-format off */
static const struct rule { int type; const char *pmu, *letter; } rules[] = {
	{ CORE_TYPE_CLASSIC, NULL, "P" },
	{ CORE_TYPE_DENSE, NULL, "E" },
	{ CORE_TYPE_LOW_POWER, NULL, "LP" },
	{ CORE_TYPE_ALIKE, "cpu_core*", "P" },
	{ CORE_TYPE_ALIKE, "cpu_atom*", "E" },
	{ CORE_TYPE_ALIKE, "cpu_lowpower*", "LP-E" },
	{ CORE_TYPE_ALIKE, "apple_icestorm*", "E" },
	{ CORE_TYPE_ALIKE, "apple_firestorm*", "P" },
	{ CORE_TYPE_ALIKE, "apple_blizzard*", "E" },
	{ CORE_TYPE_ALIKE, "apple_avalanche*", "P" },
	{ CORE_TYPE_ALIKE, "apple_sawtooth*", "E" },
	{ CORE_TYPE_ALIKE, "apple_everest*", "P" },
	{ CORE_TYPE_ALIKE, "apple_*_p_pmu", "P" },
	{ CORE_TYPE_ALIKE, "apple_*_m_pmu", "M" },
	{ CORE_TYPE_ALIKE, "apple_*_e_pmu", "E" },
};
/* clang-format on */

static const char *
kind_letter_by_rule(const struct plan *p, const struct kind *kind)
{
	for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
		const struct rule *r = &rules[i];

		if (r->pmu == NULL
			    ? r->type == kind->type
			    : fnmatch(r->pmu, kind_pmu_name(p, kind), 0) == 0)
			return kind->low_power ? "LP-E" : r->letter;
	}
	return NULL;
}

static int
letter_rank(const char *letter)
{
	static const char *const order[] = { "P", "M", "E", "LP", "LP-E" };
	int i = 0;

	while (i < 5 && strcmp(letter, order[i]) != 0)
		i++;
	return i;
}

/* Also for a single kind: without E cores online, P cores are still P. False:
 * no rule fits a kind. Expected unknown kinds are "?": AMD cores outside ktop's
 * cpuset, and Intel CPUs that came online after the PMU lists were read. */
static bool
plan_letters_by_rule(struct plan *p)
{
	bool typed = false, intel = false;

	for (unsigned k = 0; k < p->nkinds; k++) {
		typed = typed || p->kind[k].type != CORE_TYPE_ALIKE;
		intel = intel ||
			has_prefix(kind_pmu_name(p, &p->kind[k]), "cpu_");
	}
	if (typed && p->nkinds < 2)
		return false;
	for (unsigned k = 0; k < p->nkinds; k++) {
		struct kind *kind = &p->kind[k];
		const char *letter = kind_letter_by_rule(p, kind);

		if (letter == NULL && !typed && !(intel && kind->pmu < 0))
			return false;
		kind_set_letter(kind, letter != NULL ? letter : "?");
		kind->rank = letter_rank(kind->letter);
	}
	return true;
}

/* If there are four or more kinds, a kind's letter is its core's name. */
static void
kind_letter_by_core(const struct plan *p, unsigned k, char *out, size_t size)
{
	const struct kind *kind = &p->kind[k];

	if (kind->size >= 0)
		snprintf(out, size, "%s", arm_cores[kind->size].name);
	else if (kind->part != 0)
		snprintf(out, size, "%#x", kind->part >> 4 & 0xfff);
	else if (!arm_name_from_pmu(kind_pmu_name(p, kind), out, size))
		snprintf(out, size, "K%u", k);
}

static void
plan_letters_by_speed(struct plan *p)
{
	static const char *const two[] = { "P", "E" };
	static const char *const three[] = { "P", "M", "E" };

	for (unsigned k = 0; k < p->nkinds; k++) {
		struct kind *kind = &p->kind[k];
		unsigned at = 0;

		for (unsigned o = 0; o < p->nkinds; o++)
			at += o != k && kind_is_faster(p, o, k);
		kind->rank = (int)at;
		if (p->nkinds == 1)
			kind_set_letter(kind, "");
		else if (p->nkinds <= 3)
			kind_set_letter(kind,
					p->nkinds == 2 ? two[at] : three[at]);
		else
			kind_letter_by_core(p, k, kind->letter,
					    sizeof kind->letter);
	}
}

static void
plan_sort_kinds(struct plan *p)
{
	struct kind sorted[KINDS_MAX];
	unsigned to[KINDS_MAX], n = p->nkinds;

	for (unsigned k = 0; k < n; k++) {
		to[k] = 0;
		for (unsigned o = 0; o < n; o++)
			to[k] += p->kind[o].rank < p->kind[k].rank ||
				 (p->kind[o].rank == p->kind[k].rank && o < k);
		sorted[to[k]] = p->kind[k];
	}
	memcpy(p->kind, sorted, n * sizeof sorted[0]);
	for (unsigned i = 0; i < p->c->len; i++)
		p->kind_of[i] = to[p->kind_of[i]];
}

static bool
plan_kinds(struct plan *p)
{
	plan_find_kinds(p);
	if (!plan_find_speeds(p))
		return false;
	for (unsigned k = 0; k < p->nkinds; k++)
		p->kind[k].size = arm_core_find(p, &p->kind[k]);
	if (!plan_letters_by_rule(p))
		plan_letters_by_speed(p);
	plan_sort_kinds(p);
	return true;
}

enum {
	CLUSTERS_MAX = 16, /* if there are more ids, each one is a core */
	PAIRS_MAX = 2,     /* most pairs of cores that are clusters */
	L3_MAX = 64,       /* two EPYC sockets have 32 */
	PACKAGES_MAX = 16,
	ROWS_MAX = L3_MAX * KINDS_MAX
};

enum partition { BY_CLUSTER_ID, BY_L3, BY_PACKAGE, BY_NOTHING };

struct division {
	struct plan plan;
	enum partition by;
	bool sockets;
	bool by_socket; /* each package is a kind */
	unsigned nclusters;
	unsigned *cluster_of; /* [len] */
};

static int64_t
core_part_key(const struct core *core, enum partition by)
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

/* Returns the number of parts, or max + 1. of[i] (or NULL): part of CPU i. */
static unsigned
plan_find_parts(const struct plan *p, enum partition by, bool split_kinds,
		struct part *parts, unsigned max, unsigned *of)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->c->len; i++) {
		const struct core *core = &p->c->core[i];
		unsigned kind = split_kinds ? p->kind_of[i] : 0, at;
		int64_t key = core_part_key(core, by);

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
cluster_ids_usable(const struct plan *p, struct part *parts)
{
	bool more = false;
	unsigned n;

	for (unsigned i = 0; i < p->c->len; i++)
		if (p->c->core[i].cluster_id < 0)
			return false;
	n = plan_find_parts(p, BY_CLUSTER_ID, false, parts, CLUSTERS_MAX, NULL);
	if (n > CLUSTERS_MAX)
		return false;
	/* On Intel, each P core is a cluster of its two threads. */
	for (unsigned i = 0; i < n; i++) {
		if (parts[i].ncores < 2)
			return false;
		more = more || parts[i].ncores > 2;
	}
	/* If a kind has many pairs, a pair only shares a port to the mesh. */
	return more || n <= PAIRS_MAX || p->nkinds > 1;
}

static enum partition
choose_partition(const struct plan *p)
{
	struct part parts[L3_MAX];

	if (cluster_ids_usable(p, parts))
		return BY_CLUSTER_ID;
	if (cores_have_l3(p->c) &&
	    plan_find_parts(p, BY_L3, false, parts, L3_MAX, NULL) <= L3_MAX)
		return BY_L3;
	if (plan_find_parts(p, BY_PACKAGE, false, parts, PACKAGES_MAX, NULL) <=
	    PACKAGES_MAX)
		return BY_PACKAGE;
	return BY_NOTHING;
}

static unsigned
plan_find_packages(const struct plan *p, struct part package[PACKAGES_MAX])
{
	unsigned n = plan_find_parts(p, BY_PACKAGE, false, package,
				     PACKAGES_MAX, NULL);

	for (unsigned i = 0; i < n && n <= PACKAGES_MAX; i++)
		if (package[i].key < 0)
			return 0;
	return n <= PACKAGES_MAX ? n : 0;
}

static bool
parts_are_inside(const struct plan *p, enum partition by)
{
	for (unsigned i = 0; i < p->c->len; i++)
		for (unsigned k = 0; k < i; k++)
			if (core_part_key(&p->c->core[i], by) ==
				    core_part_key(&p->c->core[k], by) &&
			    p->c->core[i].package != p->c->core[k].package)
				return false;
	return true;
}

static bool
parts_are_packages(const struct plan *p, enum partition by)
{
	struct part parts[L3_MAX];
	unsigned n = plan_find_packages(p, parts);

	return n > 1 && parts_are_inside(p, by) &&
	       plan_find_parts(p, by, false, parts, L3_MAX, NULL) == n;
}

/* If packages have several clusters, each package becomes a kind with a row. */
static bool
split_kind_by_socket(struct plan *p, enum partition by)
{
	struct part package[PACKAGES_MAX];
	unsigned n = plan_find_packages(p, package);

	if (p->nkinds != 1 || n < 2 || !parts_are_inside(p, by))
		return false;
	for (unsigned i = 0; i < p->c->len; i++)
		while (package[p->kind_of[i]].key != p->c->core[i].package)
			p->kind_of[i]++;
	for (unsigned k = 0; k < n; k++) {
		p->kind[k] = p->kind[0];
		snprintf(p->kind[k].letter, sizeof p->kind[k].letter, "S%u", k);
	}
	p->nkinds = n;
	return true;
}

static void
topology_name_kind(const struct plan *p, unsigned k, struct topology_kind *out)
{
	/* clang-format off */
	static const struct { const char *letter, *name; } names[] = {
		{ "P", "Performance" }, { "M", "Middle" }, { "E", "Efficiency" }, { "LP", "Low-power" },
		{ "LP-E", "Low-power efficiency" }, { "?", "Unknown" }, { "", "CPU" },
	};
	/* clang-format on */
	const struct kind *kind = &p->kind[k];
	const char *name = kind->letter;

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (strcmp(kind->letter, names[i].letter) == 0)
			name = names[i].name;
	snprintf(out->name, sizeof out->name, "%s", name);
	snprintf(out->letter, sizeof out->letter, "%s", kind->letter);
	if (kind->pmu >= 0)
		snprintf(out->pmu, sizeof out->pmu, "%s", p->c->pmu[kind->pmu]);
	out->width = kind->size >= 0 ? arm_cores[kind->size].width : 0;
	out->width_certain = out->width > 0;
}

static const char *
cluster_label_stem(const struct division *d)
{
	if (d->plan.c->amd && (d->by == BY_L3 || d->by == BY_CLUSTER_ID))
		return "CCX";
	return d->sockets ? "S" : "CPU";
}

/* A label is a letter and a number; kinds of one letter share the numbers. */
static void
topology_name_cluster(const struct division *d, struct topology *t, unsigned i)
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
		letter = same > 1 ? cluster_label_stem(d) : "CPU";
	if (d->by_socket)
		snprintf(cl->label, sizeof cl->label, "%.4s.%s%u", letter,
			 cluster_label_stem(d), before);
	else if (same > 1)
		snprintf(cl->label, sizeof cl->label, "%.11s%u", letter,
			 before);
	else
		snprintf(cl->label, sizeof cl->label, "%s", letter);
}

static unsigned
topology_core_index(const struct topology *t, const struct cores *c, unsigned i,
		    unsigned *next)
{
	for (unsigned j = 0; j < i; j++)
		if (c->core[j].first == c->core[i].first)
			return t->cpu[j].core;
	return (*next)++;
}

static struct topology *
topology_from_division(const struct division *d, struct err *e)
{
	const struct plan *p = &d->plan;
	const struct cores *c = p->c;
	struct topology *t = topology_new(p->nkinds, d->nclusters, c->len, e);
	unsigned ncores = 0;

	if (t == NULL)
		return NULL;
	for (unsigned k = 0; k < p->nkinds; k++)
		topology_name_kind(p, k, &t->kind[k]);
	for (unsigned i = c->len; i-- > 0;) { /* the first CPU's values stay */
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
		t->cpu[i].core = topology_core_index(t, c, i, &ncores);
	}
	for (unsigned i = 0; i < d->nclusters; i++)
		topology_name_cluster(d, t, i);
	topology_finish(t);
	return t;
}

static struct topology *
division_make_topology(struct division *d, struct err *e)
{
	struct plan *p = &d->plan;
	struct part *parts = calloc(ROWS_MAX, sizeof *parts);
	struct topology *t = NULL;

	p->kind_of = calloc(p->c->len, sizeof *p->kind_of);
	d->cluster_of = calloc(p->c->len, sizeof *d->cluster_of);
	if (parts == NULL || p->kind_of == NULL || d->cluster_of == NULL ||
	    !plan_kinds(p)) {
		err_set(e, ERR_FAIL, "topology: out of memory");
		goto out;
	}
	d->by = choose_partition(p);
	d->sockets = parts_are_packages(p, d->by);
	d->by_socket = !d->sockets && split_kind_by_socket(p, d->by);
	d->nclusters =
		plan_find_parts(p, d->by, true, parts, ROWS_MAX, d->cluster_of);
	t = topology_from_division(d, e);
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
	t = division_make_topology(&d, e);
	cores_free(&c);
	return t;
}
