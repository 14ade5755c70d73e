#include "source/topology_linux.h"

#include "source/cores_linux.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KINDS_MAX = 32,
	CLUSTERS_MAX = 16, /* more parts than that are cores, not clusters */
	L3_MAX = 64,       /* two sockets of EPYC have 32 */
	PACKAGES_MAX = 16
};

struct kind { /* CPUs of one PMU, part and (not) below an L3 */
	int pmu;
	uint32_t part;
	bool low_power;
	int type;
	int64_t speed; /* median of its CPUs */
	int rank;      /* lower is faster */
	char letter[TOPOLOGY_LABEL_SIZE];
};

enum partition { BY_CLUSTER_ID, BY_L3, BY_PACKAGE, BY_NOTHING };

struct plan {
	const struct cores *c;
	unsigned nkinds, nclusters;
	struct kind kind[KINDS_MAX];
	unsigned *kind_of;    /* [len] */
	unsigned *cluster_of; /* [len] */
	enum partition by;
};

static bool
pmu_is(const struct cores *c, int pmu, const char *name)
{
	return pmu >= 0 && strcmp(c->pmu[pmu], name) == 0;
}

static bool
any_l3(const struct cores *c)
{
	for (unsigned i = 0; i < c->len; i++)
		if (c->core[i].l3 >= 0)
			return true;
	return false;
}

/* Intel: "Atom cores without an L3 are low-power cores", as hwloc has it. */
static bool
low_power(const struct cores *c, const struct core *core, bool l3_exists)
{
	return pmu_is(c, core->pmu, "cpu_lowpower") ||
	       (pmu_is(c, core->pmu, "cpu_atom") && core->l3 < 0 && l3_exists);
}

static void
find_kinds(struct plan *p)
{
	bool l3_exists = any_l3(p->c);

	for (unsigned i = 0; i < p->c->len; i++) {
		const struct core *core = &p->c->core[i];
		bool low = low_power(p->c, core, l3_exists);
		unsigned k;

		for (k = 0; k < p->nkinds; k++)
			if (p->kind[k].pmu == core->pmu &&
			    p->kind[k].part == core->part &&
			    p->kind[k].low_power == low &&
			    p->kind[k].type == core->type)
				break;
		if (k == p->nkinds && k < KINDS_MAX)
			p->kind[p->nkinds++] = (struct kind){
				.pmu = core->pmu,
				.part = core->part,
				.low_power = low,
				.type = core->type,
			};
		p->kind_of[i] = k < KINDS_MAX ? k : KINDS_MAX - 1;
	}
}

static int
by_value(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* Capacities differ inside a kind, too: five values for two kinds exist. */
static bool
find_speeds(struct plan *p)
{
	int64_t *of = calloc(p->c->len, sizeof(*of));

	if (of == NULL)
		return false;
	for (unsigned k = 0; k < p->nkinds; k++) {
		unsigned n = 0;

		for (unsigned i = 0; i < p->c->len; i++)
			if (p->kind_of[i] == k)
				of[n++] = p->c->core[i].speed;
		qsort(of, n, sizeof(*of), by_value);
		p->kind[k].speed = of[n / 2];
	}
	free(of);
	return true;
}

/* What a PMU's name says, or NULL. */
static const char *
letter_of_pmu(const char *pmu)
{
	/* clang-format off */
	static const struct { const char *part, *letter; } known[] = {
		{ "cpu_core", "P" },	{ "cpu_atom", "E" },
		{ "cpu_lowpower", "LP-E" },
		{ "apple_icestorm", "E" },  { "apple_firestorm", "P" },
		{ "apple_blizzard", "E" },  { "apple_avalanche", "P" },
		{ "apple_sawtooth", "E" },  { "apple_everest", "P" },
	};
	/* clang-format on */
	size_t len = strlen(pmu);

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strncmp(pmu, known[i].part, strlen(known[i].part)) == 0)
			return known[i].letter;
	if (strncmp(pmu, "apple_", 6) != 0 || len < 6)
		return NULL;
	if (strcmp(pmu + len - 6, "_p_pmu") == 0)
		return "P";
	if (strcmp(pmu + len - 6, "_m_pmu") == 0)
		return "M";
	return strcmp(pmu + len - 6, "_e_pmu") == 0 ? "E" : NULL;
}

/* ARM Ltd's cores that phones mix four or more of; else the number. */
static void
letter_of_part(uint32_t midr, char *out, size_t size)
{
	/* clang-format off */
	static const struct { unsigned part; const char *name; } known[] = {
		{ 0xd05, "A55" },  { 0xd0b, "A76" },  { 0xd0d, "A77" },
		{ 0xd41, "A78" },  { 0xd44, "X1" },   { 0xd46, "A510" },
		{ 0xd47, "A710" }, { 0xd48, "X2" },   { 0xd4d, "A715" },
		{ 0xd4e, "X3" },   { 0xd80, "A520" }, { 0xd81, "A720" },
		{ 0xd82, "X4" },   { 0xd85, "X925" }, { 0xd87, "A725" },
	};
	/* clang-format on */
	unsigned part = midr >> 4 & 0xfff;

	snprintf(out, size, "%#x", part);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (midr >> 24 == 0x41 && known[i].part == part)
			snprintf(out, size, "%s", known[i].name);
}

/* Place among the kinds by speed, 0 the fastest. */
static unsigned
place(const struct plan *p, unsigned k)
{
	unsigned faster = 0;

	for (unsigned o = 0; o < p->nkinds; o++)
		faster += p->kind[o].speed > p->kind[k].speed ||
			  (p->kind[o].speed == p->kind[k].speed && o < k);
	return faster;
}

static int
rank_of_letter(const char *letter)
{
	static const char *const order[] = { "P", "M", "E", "LP-E" };

	for (int i = 0; i < 4; i++)
		if (strcmp(letter, order[i]) == 0)
			return i;
	return 4;
}

/* AMD's cores have one PMU; what they are they say themselves. */
static bool
letters_by_type(struct plan *p)
{
	static const char *const letters[] = {
		[CORE_TYPE_CLASSIC] = "P",
		[CORE_TYPE_DENSE] = "E",
		[CORE_TYPE_LOW_POWER] = "LP",
	};

	for (unsigned k = 0; k < p->nkinds; k++)
		if (p->kind[k].type == CORE_TYPE_ALIKE)
			return false;
	for (unsigned k = 0; k < p->nkinds; k++) {
		p->kind[k].rank = p->kind[k].type;
		snprintf(p->kind[k].letter, sizeof(p->kind[k].letter), "%s",
			 letters[p->kind[k].type]);
	}
	return true;
}

/* All kinds by their PMUs' names; false when one of them says nothing. */
static bool
letters_by_pmu(struct plan *p)
{
	for (unsigned k = 0; k < p->nkinds; k++) {
		struct kind *kind = &p->kind[k];
		const char *letter = NULL;

		if (kind->pmu >= 0)
			letter = letter_of_pmu(p->c->pmu[kind->pmu]);
		if (letter == NULL)
			return false;
		snprintf(kind->letter, sizeof(kind->letter), "%s",
			 kind->low_power ? "LP-E" : letter);
		kind->rank = rank_of_letter(kind->letter);
	}
	return true;
}

static void
letters_by_speed(struct plan *p)
{
	static const char *const two[] = { "P", "E" };
	static const char *const three[] = { "P", "M", "E" };

	for (unsigned k = 0; k < p->nkinds; k++) {
		struct kind *kind = &p->kind[k];
		unsigned at = place(p, k);

		kind->rank = (int)at;
		if (p->nkinds <= 3)
			snprintf(kind->letter, sizeof(kind->letter), "%s",
				 p->nkinds == 2 ? two[at] : three[at]);
		else
			letter_of_part(kind->part, kind->letter,
				       sizeof(kind->letter));
	}
}

/* Kinds fastest first; kind_of follows. */
static void
sort_kinds(struct plan *p)
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
	memcpy(p->kind, sorted, n * sizeof(sorted[0]));
	for (unsigned i = 0; i < p->c->len; i++)
		p->kind_of[i] = to[p->kind_of[i]];
}

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
	unsigned n;

	for (unsigned i = 0; i < p->c->len; i++)
		if (p->c->core[i].cluster_id < 0)
			return false;
	n = find_parts(p, BY_CLUSTER_ID, false, parts, CLUSTERS_MAX, NULL);
	if (n > CLUSTERS_MAX)
		return false;
	/* Intel's P cores are a cluster each: their two threads. */
	for (unsigned i = 0; i < n; i++)
		if (parts[i].ncores < 2)
			return false;
	return true;
}

static enum partition
choose(const struct plan *p)
{
	struct part parts[L3_MAX];

	if (cluster_ids_good(p, parts))
		return BY_CLUSTER_ID;
	if (any_l3(p->c) &&
	    find_parts(p, BY_L3, false, parts, L3_MAX, NULL) <= L3_MAX)
		return BY_L3;
	if (find_parts(p, BY_PACKAGE, false, parts, PACKAGES_MAX, NULL) <=
	    PACKAGES_MAX)
		return BY_PACKAGE;
	return BY_NOTHING;
}

static void
name_kind(const struct plan *p, unsigned k, struct topology_kind *out)
{
	/* clang-format off */
	static const struct { const char *letter, *name; } names[] = {
		{ "P", "Performance" }, { "M", "Middle" },
		{ "E", "Efficiency" }, { "LP", "Low-power" }, { "LP-E", "Low-power efficiency" },
	};
	/* clang-format on */
	const struct kind *kind = &p->kind[k];
	const char *name = kind->letter;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(kind->letter, names[i].letter) == 0)
			name = names[i].name;
	snprintf(out->name, sizeof(out->name), "%s",
		 p->nkinds == 1 ? "CPU" : name);
	if (p->nkinds > 1)
		snprintf(out->letter, sizeof(out->letter), "%s", kind->letter);
	if (kind->pmu >= 0)
		snprintf(out->pmu, sizeof(out->pmu), "%s",
			 p->c->pmu[kind->pmu]);
}

static void
name_clusters(const struct plan *p, struct topology *t)
{
	const char *stem = NULL;

	if (p->by == BY_L3 && p->c->amd)
		stem = "CCX";
	else if (p->by == BY_PACKAGE)
		stem = "S";
	/* With kinds the letters tell; the rest is topology_finish's. */
	if (stem == NULL || t->nkinds > 1 || t->nclusters == 1)
		return;
	for (unsigned c = 0; c < t->nclusters; c++)
		snprintf(t->cluster[c].label, sizeof(t->cluster[c].label),
			 "%s%u", stem, c);
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
build(const struct plan *p, struct err *e)
{
	const struct cores *c = p->c;
	struct topology *t = topology_new(p->nkinds, p->nclusters, c->len, e);
	unsigned ncores = 0;

	if (t == NULL)
		return NULL;
	for (unsigned k = 0; k < p->nkinds; k++)
		name_kind(p, k, &t->kind[k]);
	for (unsigned i = c->len; i-- > 0;) { /* the first CPU's win */
		struct topology_cluster *cl = &t->cluster[p->cluster_of[i]];

		cl->kind = p->kind_of[i];
		cl->die = c->core[i].die;
		cl->package = c->core[i].package;
	}
	for (unsigned i = 0; i < c->len; i++) {
		t->cpu[i] = (struct topology_cpu){
			.id = c->core[i].id,
			.kind = p->kind_of[i],
			.cluster = p->cluster_of[i],
			.die = c->core[i].die,
			.package = c->core[i].package,
		};
		t->cpu[i].core = core_index(t, c, i, &ncores);
	}
	name_clusters(p, t);
	topology_finish(t);
	return t;
}

static struct topology *
plan_and_build(struct plan *p, struct err *e)
{
	unsigned max = L3_MAX * KINDS_MAX;
	struct part *parts = calloc(max, sizeof(*parts));
	struct topology *t = NULL;

	p->kind_of = calloc(p->c->len, sizeof(*p->kind_of));
	p->cluster_of = calloc(p->c->len, sizeof(*p->cluster_of));
	if (parts == NULL || p->kind_of == NULL || p->cluster_of == NULL) {
		err_set(e, ERR_FAIL, "topology: out of memory");
		goto out;
	}
	find_kinds(p);
	if (!find_speeds(p)) {
		err_set(e, ERR_FAIL, "topology: out of memory");
		goto out;
	}
	if (p->nkinds > 1 && !letters_by_type(p) && !letters_by_pmu(p))
		letters_by_speed(p);
	sort_kinds(p);
	p->by = choose(p);
	p->nclusters = find_parts(p, p->by, true, parts, max, p->cluster_of);
	t = build(p, e);
out:
	free(parts);
	free(p->kind_of);
	free(p->cluster_of);
	return t;
}

struct topology *
topology_linux(const char *root, struct err *e)
{
	struct cores c;
	struct plan p = { .c = &c };
	struct topology *t;

	if (!cores_read(root, &c, e))
		return NULL;
	t = plan_and_build(&p, e);
	cores_free(&c);
	return t;
}
