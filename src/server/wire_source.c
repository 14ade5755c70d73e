/* What an open source says about itself, and its readings, on the wire. */
#include "server/wire_fields.h"

#include <stdlib.h>
#include <string.h>

enum {
	READING_SIZE = 2 + 3 * 8,
	CPU_SIZE = 2 + 2 * 8 + (FIXED_COUNT + EVENTSET_MAX) * READING_SIZE,
	/* err, state and clock with all their texts, and the sample's own */
	REPLY_SIZE = 4096
};

static bool
between(int64_t a, int64_t b, int64_t c)
{
	return a <= b && b <= c;
}

/* 0 where the source's clock is the system's. */
static int64_t
ahead(int64_t before, int64_t at, int64_t after)
{
	return between(before, at, after) ? 0 : at - before;
}

void
wire_put_clock_of(struct wire_out *w, const struct clock *clock)
{
	struct wire_clock c = { .stepped = clock->stepped };
	struct stamp before, after;

	if (c.stepped) {
		clock_now(clock, &c.at);
	} else {
		struct stamp at;

		clock_now(clock_system(), &before);
		clock_now(clock, &at);
		clock_now(clock_system(), &after);
		c.at.awake_ns =
			ahead(before.awake_ns, at.awake_ns, after.awake_ns);
		c.at.elapsed_ns = ahead(before.elapsed_ns, at.elapsed_ns,
					after.elapsed_ns);
		c.at.wall_ns = ahead(before.wall_ns, at.wall_ns, after.wall_ns);
	}
	wire_put_clock(w, &c);
}

/* Which of the catalog's events are not counted, and why. */
static void
put_dropped(struct wire_out *w, const struct eventset *set,
	    const struct catalog *c)
{
	const struct event *ev[EVENTSET_MAX] = { NULL };
	unsigned n = 0;

	for (unsigned i = 0; i < set->ndropped && i < EVENTSET_MAX; i++) {
		ev[i] = c != NULL ? catalog_find(c, set->dropped[i].event)
				  : NULL;
		n += ev[i] != NULL;
	}
	wire_put_u8(w, n);
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		if (ev[i] == NULL)
			continue;
		wire_put_u16(w, (unsigned)(ev[i] - c->event));
		wire_put_text(w, set->dropped[i].why);
	}
}

static void
get_dropped(struct wire_in *r, struct eventset *set, const struct catalog *c)
{
	unsigned n = wire_get_to(r, EVENTSET_MAX);

	for (unsigned i = 0; i < n; i++) {
		unsigned at = wire_get_u16(r);

		wire_get_text(r, set->dropped[i].why,
			      sizeof set->dropped[i].why);
		if (r->bad || c == NULL || at >= c->len) {
			r->bad = true;
			return;
		}
		set->dropped[i].event = c->event[at].name;
	}
	set->ndropped = n;
}

#define OF struct source_info
static const struct wire_field state_fields[] = { ENUM(mode, SOURCE_FULL),
						  ENUM(domain, DOMAIN_MIXED),
						  UINT(interrupts_per_read),
						  ENUM(why.code, ERR_FORMAT),
						  TEXT(why.text),
						  TEXT(notice),
						  FLAG(outdated) };

void
wire_put_state(struct wire_out *w, const struct source_info *info)
{
	PUT(w, state_fields, info);
	wire_put_set(w, info->set, info->catalog);
	put_dropped(w, info->set, info->catalog);
}

void
wire_get_state(struct wire_in *r, struct source_info *info,
	       struct eventset *set)
{
	GET(r, state_fields, NULL, info);
	wire_get_set(r, set, info->catalog);
	get_dropped(r, set, info->catalog);
}

static const struct wire_field about_fields[] = {
	TEXT(source), TEXT(model),       TEXT(chip),
	TEXT(os),     FLAG(simulated),   FLAG(rows_may_be_stale),
	FLAG(ends),   FLAG(utilisation), FLAG(processes)
};

void
wire_put_about(struct wire_out *w, const struct source_info *info)
{
	PUT(w, about_fields, info);
}

void
wire_get_about(struct wire_in *r, struct source_info *info)
{
	GET(r, about_fields, NULL, info);
}

enum limit { KINDS, CLUSTERS, CORES, CPUS_1, LIMITS };

#undef OF
#define OF struct topology
static const struct wire_field topology_fields[] = {
	UINT(nkinds), UINT(nclusters), UINT(ncpus), UINT(ncores), FLAG(smt)
};
#undef OF
#define OF struct topology_kind
static const struct wire_field kind_fields[] = {
	TEXT(name),           TEXT(letter), TEXT(pmu),
	BELOW(ncpus, CPUS_1), UINT(width),  FLAG(width_certain)
};
#undef OF
#define OF struct topology_cluster
static const struct wire_field cluster_fields[] = {
	TEXT(label),           BELOW(kind, KINDS), BELOW(ncpus, CPUS_1),
	BELOW(ncores, CPUS_1), INT(die),           INT(package)
};
#undef OF
#define OF struct topology_cpu
static const struct wire_field cpu_fields[] = { INT(id),
						BELOW(kind, KINDS),
						BELOW(cluster, CLUSTERS),
						BELOW(core, CORES),
						INT(die),
						INT(package),
						FLAG(off) };

void
wire_put_topology(struct wire_out *w, const struct topology *t)
{
	PUT(w, topology_fields, t);
	for (unsigned i = 0; i < t->nkinds; i++)
		PUT(w, kind_fields, &t->kind[i]);
	for (unsigned i = 0; i < t->nclusters; i++)
		PUT(w, cluster_fields, &t->cluster[i]);
	for (unsigned i = 0; i < t->ncpus; i++)
		PUT(w, cpu_fields, &t->cpu[i]);
}

static void
get_parts(struct wire_in *r, struct topology *t)
{
	const unsigned limit[LIMITS] = { [KINDS] = t->nkinds,
					 [CLUSTERS] = t->nclusters,
					 [CORES] = t->ncores,
					 [CPUS_1] = t->ncpus + 1 };

	for (unsigned i = 0; i < t->nkinds && !r->bad; i++)
		GET(r, kind_fields, limit, &t->kind[i]);
	for (unsigned i = 0; i < t->nclusters && !r->bad; i++)
		GET(r, cluster_fields, limit, &t->cluster[i]);
	for (unsigned i = 0; i < t->ncpus && !r->bad; i++) {
		GET(r, cpu_fields, limit, &t->cpu[i]);
		/* Ids rise, from 0 or more. */
		if (t->cpu[i].id < 0 ||
		    (i > 0 && t->cpu[i].id <= t->cpu[i - 1].id))
			r->bad = true;
	}
}

static void
malformed(struct err *e)
{
	err_set(e, ERR_FAIL,
		"the counter server's answer makes no sense; please report this");
}

struct topology *
wire_get_topology(struct wire_in *r, struct err *e)
{
	struct topology head = { .ncpus = 0 }, *t;

	GET(r, topology_fields, NULL, &head);
	if (r->bad || head.ncpus == 0 || head.ncpus > WIRE_CPUS_MAX ||
	    head.nkinds == 0 || head.nkinds > head.ncpus ||
	    head.nclusters == 0 || head.nclusters > head.ncpus ||
	    head.ncores == 0 || head.ncores > head.ncpus) {
		r->bad = true;
		malformed(e);
		return NULL;
	}
	t = topology_new(head.nkinds, head.nclusters, head.ncpus, e);
	if (t == NULL)
		return NULL;
	t->ncores = head.ncores;
	t->smt = head.smt;
	get_parts(r, t);
	if (!r->bad)
		return t;
	topology_free(t);
	malformed(e);
	return NULL;
}

#undef OF
#define OF struct event
static const struct wire_field event_fields[] = {
	STRING(name),   STRING(alias), STRING(fallback), STRING(text),
	STRING(native), STRING(less),  UINT(number),     UINT(counters),
	FLAG(fixed),    FLAG(narrow),  FLAG(unlike)
};
enum { STRINGS = 6 };

#undef OF
#define OF struct catalog
static const struct wire_field catalog_fields[] = { STRING(name), UINT(len),
						    UINT(config_counters) };

void
wire_put_catalog(struct wire_out *w, const struct catalog *c)
{
	wire_put_u8(w, c != NULL);
	if (c == NULL)
		return;
	PUT(w, catalog_fields, c);
	for (unsigned i = 0; i < c->len; i++)
		PUT(w, event_fields, &c->event[i]);
}

static void
get_events(struct wire_in *r, struct wire_catalog *c)
{
	for (unsigned i = 0; i < c->catalog.len && !r->bad; i++) {
		struct event *ev = &c->event[i];

		GET(r, event_fields, NULL, ev);
		/* catalog_find looks for names by halves: they must rise. */
		if (ev->name == NULL ||
		    (i > 0 && strcmp(ev[-1].name, ev->name) >= 0))
			r->bad = true;
	}
}

bool
wire_get_catalog(struct wire_in *r, struct wire_catalog *c, bool *there,
		 struct err *e)
{
	size_t size = r->left + 2;

	memset(c, 0, sizeof *c);
	*there = wire_get_flag(r);
	if (!*there && !r->bad)
		return true;
	/* Each text is shorter here than it is on the wire. */
	c->text = malloc(size);
	if (c->text == NULL)
		return err_set(e, ERR_FAIL, "events: out of memory");
	r->arena = c->text;
	r->arena_end = c->text + size;
	GET(r, catalog_fields, NULL, &c->catalog);
	if (c->catalog.name == NULL || c->catalog.len > WIRE_EVENTS_MAX ||
	    c->catalog.len > r->left / (STRINGS * 2))
		r->bad = true;
	if (!r->bad)
		c->event = calloc(c->catalog.len + 1u, sizeof *c->event);
	if (!r->bad && c->event == NULL) {
		wire_free_catalog(c);
		return err_set(e, ERR_FAIL, "events: out of memory");
	}
	if (!r->bad)
		get_events(r, c);
	c->catalog.event = c->event;
	if (!r->bad)
		return true;
	wire_free_catalog(c);
	malformed(e);
	return false;
}

void
wire_free_catalog(struct wire_catalog *c)
{
	free(c->event);
	free(c->text);
	memset(c, 0, sizeof *c);
}

#undef OF
#define OF struct reading
static const struct wire_field reading_fields[] = { FLAG(supported), FLAG(held),
						    U64(count), U64(enabled_ns),
						    U64(running_ns) };
#undef OF
#define OF struct cpu_sample
static const struct wire_field row_fields[] = { ENUM(state, CPU_DENIED),
						FLAG(busy_known), U64(busy),
						U64(total) };
#undef OF
#define OF struct sample
static const struct wire_field sample_fields[] = {
	I64(stamp.awake_ns), I64(stamp.elapsed_ns),
	I64(stamp.wall_ns),  I64(cost_ns),
	I64(apart_ns),       UINT(flags),
	FLAG(together),      ENUM(domain, DOMAIN_MIXED)
};

/* The readings of a CPU that travel, one after the other. */
static struct reading *
reading_of(struct cpu_sample *c, unsigned i)
{
	return i < FIXED_COUNT ? &c->fixed[i] : &c->slot[i - FIXED_COUNT];
}

void
wire_put_sample(struct wire_out *w, const struct sample *s, unsigned nslots)
{
	PUT(w, sample_fields, s);
	wire_put_u32(w, s->ncpus);
	for (unsigned i = 0; i < s->ncpus; i++) {
		PUT(w, row_fields, &s->cpu[i]);
		for (unsigned k = 0; k < FIXED_COUNT + nslots; k++)
			PUT(w, reading_fields, reading_of(&s->cpu[i], k));
	}
}

void
wire_get_sample(struct wire_in *r, struct sample *s, unsigned nslots)
{
	GET(r, sample_fields, NULL, s);
	s->recorded = NULL;
	if (wire_get_u32(r) != s->ncpus ||
	    (s->flags & ~(uint32_t)(SAMPLE_BASELINE | SAMPLE_STOLEN)) != 0)
		r->bad = true;
	for (unsigned i = 0; i < s->ncpus && !r->bad; i++) {
		memset(&s->cpu[i], 0, sizeof s->cpu[i]);
		GET(r, row_fields, NULL, &s->cpu[i]);
		for (unsigned k = 0; k < FIXED_COUNT + nslots; k++)
			GET(r, reading_fields, NULL, reading_of(&s->cpu[i], k));
	}
}

size_t
wire_sample_size(unsigned ncpus)
{
	return REPLY_SIZE + (size_t)ncpus * CPU_SIZE;
}
