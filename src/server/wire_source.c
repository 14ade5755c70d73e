/* What an open source says about itself, and its readings, on the wire. */
#include "server/wire.h"

#include <stdlib.h>
#include <string.h>

enum {
	READING_SIZE = 2 + 3 * 8,
	CPU_SIZE = 2 + 2 * 8 + (FIXED_COUNT + EVENTSET_MAX) * READING_SIZE,
	/* err, state and clock with all their texts, and the sample's own */
	REPLY_SIZE = 4096,
	STRINGS = 5 /* of an event */
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
			      sizeof(set->dropped[i].why));
		if (r->bad || c == NULL || at >= c->len) {
			r->bad = true;
			return;
		}
		set->dropped[i].event = c->event[at].name;
	}
	set->ndropped = n;
}

void
wire_put_state(struct wire_out *w, const struct source_info *info)
{
	wire_put_u8(w, (unsigned)info->mode);
	wire_put_u8(w, (unsigned)info->domain);
	wire_put_u32(w, info->interrupts_per_read);
	wire_put_err(w, &info->why);
	wire_put_text(w, info->notice);
	wire_put_u8(w, info->outdated);
	wire_put_set(w, info->set, info->catalog);
	put_dropped(w, info->set, info->catalog);
}

void
wire_get_state(struct wire_in *r, struct source_info *info,
	       struct eventset *set)
{
	info->mode = (enum source_mode)wire_get_to(r, SOURCE_FULL);
	info->domain = (enum domain)wire_get_to(r, DOMAIN_MIXED);
	info->interrupts_per_read = wire_get_u32(r);
	wire_get_err(r, &info->why);
	wire_get_text(r, info->notice, sizeof(info->notice));
	info->outdated = wire_get_flag(r);
	wire_get_set(r, set, info->catalog);
	get_dropped(r, set, info->catalog);
}

void
wire_put_about(struct wire_out *w, const struct source_info *info)
{
	wire_put_text(w, info->source);
	wire_put_text(w, info->model);
	wire_put_text(w, info->chip);
	wire_put_text(w, info->os);
	wire_put_u8(w, info->simulated);
	wire_put_u8(w, info->rows_may_be_stale);
	wire_put_u8(w, info->ends);
	wire_put_u8(w, info->utilisation);
}

void
wire_get_about(struct wire_in *r, struct source_info *info)
{
	wire_get_text(r, info->source, sizeof(info->source));
	wire_get_text(r, info->model, sizeof(info->model));
	wire_get_text(r, info->chip, sizeof(info->chip));
	wire_get_text(r, info->os, sizeof(info->os));
	info->simulated = wire_get_flag(r);
	info->rows_may_be_stale = wire_get_flag(r);
	info->ends = wire_get_flag(r);
	info->utilisation = wire_get_flag(r);
}

void
wire_put_topology(struct wire_out *w, const struct topology *t)
{
	wire_put_u32(w, t->nkinds);
	wire_put_u32(w, t->nclusters);
	wire_put_u32(w, t->ncpus);
	wire_put_u32(w, t->ncores);
	wire_put_u8(w, t->smt);
	for (unsigned i = 0; i < t->nkinds; i++) {
		const struct topology_kind *k = &t->kind[i];

		wire_put_text(w, k->name);
		wire_put_text(w, k->letter);
		wire_put_text(w, k->pmu);
		wire_put_u32(w, k->ncpus);
		wire_put_u32(w, k->width);
		wire_put_u8(w, k->width_certain);
	}
	for (unsigned i = 0; i < t->nclusters; i++) {
		const struct topology_cluster *c = &t->cluster[i];

		wire_put_text(w, c->label);
		wire_put_u32(w, c->kind);
		wire_put_u32(w, c->ncpus);
		wire_put_u32(w, c->ncores);
		wire_put_i64(w, c->die);
		wire_put_i64(w, c->package);
	}
	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct topology_cpu *c = &t->cpu[i];

		wire_put_i64(w, c->id);
		wire_put_u32(w, c->kind);
		wire_put_u32(w, c->cluster);
		wire_put_u32(w, c->core);
		wire_put_i64(w, c->die);
		wire_put_i64(w, c->package);
		wire_put_u8(w, c->off);
	}
}

static int
get_int(struct wire_in *r)
{
	int64_t v = wire_get_i64(r);

	if (v >= -1 && v <= INT32_MAX)
		return (int)v;
	r->bad = true;
	return -1;
}

static unsigned
get_below(struct wire_in *r, unsigned end)
{
	uint32_t v = wire_get_u32(r);

	if (v < end)
		return v;
	r->bad = true;
	return 0;
}

static void
get_kind(struct wire_in *r, struct topology_kind *k, unsigned ncpus)
{
	wire_get_text(r, k->name, sizeof(k->name));
	wire_get_text(r, k->letter, sizeof(k->letter));
	wire_get_text(r, k->pmu, sizeof(k->pmu));
	k->ncpus = get_below(r, ncpus + 1);
	k->width = wire_get_u32(r);
	k->width_certain = wire_get_flag(r);
}

static void
get_cluster(struct wire_in *r, struct topology_cluster *c,
	    const struct topology *t)
{
	wire_get_text(r, c->label, sizeof(c->label));
	c->kind = get_below(r, t->nkinds);
	c->ncpus = get_below(r, t->ncpus + 1);
	c->ncores = get_below(r, t->ncpus + 1);
	c->die = get_int(r);
	c->package = get_int(r);
}

static void
get_cpu(struct wire_in *r, struct topology_cpu *c, const struct topology *t)
{
	c->id = get_int(r);
	c->kind = get_below(r, t->nkinds);
	c->cluster = get_below(r, t->nclusters);
	c->core = get_below(r, t->ncores);
	c->die = get_int(r);
	c->package = get_int(r);
	c->off = wire_get_flag(r);
	/* Ids rise, from 0 or more. */
	if (c->id < 0 || (c > t->cpu && c->id <= c[-1].id))
		r->bad = true;
}

static void
get_parts(struct wire_in *r, struct topology *t)
{
	for (unsigned i = 0; i < t->nkinds && !r->bad; i++)
		get_kind(r, &t->kind[i], t->ncpus);
	for (unsigned i = 0; i < t->nclusters && !r->bad; i++)
		get_cluster(r, &t->cluster[i], t);
	for (unsigned i = 0; i < t->ncpus && !r->bad; i++)
		get_cpu(r, &t->cpu[i], t);
}

static void
malformed(struct err *e)
{
	err_set(e, ERR_FAIL,
		"the counter server's answer makes no sense; please report "
		"this");
}

struct topology *
wire_get_topology(struct wire_in *r, struct err *e)
{
	unsigned nkinds = wire_get_u32(r), nclusters = wire_get_u32(r),
		 ncpus = wire_get_u32(r), ncores = wire_get_u32(r);
	bool smt = wire_get_flag(r);
	struct topology *t;

	if (r->bad || ncpus == 0 || ncpus > WIRE_CPUS_MAX || nkinds == 0 ||
	    nkinds > ncpus || nclusters == 0 || nclusters > ncpus ||
	    ncores == 0 || ncores > ncpus) {
		r->bad = true;
		malformed(e);
		return NULL;
	}
	t = topology_new(nkinds, nclusters, ncpus, e);
	if (t == NULL)
		return NULL;
	t->ncores = ncores;
	t->smt = smt;
	get_parts(r, t);
	if (!r->bad)
		return t;
	topology_free(t);
	malformed(e);
	return NULL;
}

void
wire_put_catalog(struct wire_out *w, const struct catalog *c)
{
	wire_put_u8(w, c != NULL);
	if (c == NULL)
		return;
	wire_put_text(w, c->name);
	wire_put_u32(w, c->len);
	wire_put_u32(w, c->config_counters);
	for (unsigned i = 0; i < c->len; i++) {
		const struct event *ev = &c->event[i];

		wire_put_text(w, ev->name);
		wire_put_text(w, ev->alias);
		wire_put_text(w, ev->fallback);
		wire_put_text(w, ev->text);
		wire_put_text(w, ev->native);
		wire_put_u32(w, ev->number);
		wire_put_u32(w, ev->counters);
		wire_put_u8(w, ev->fixed);
		wire_put_u8(w, ev->narrow);
		wire_put_u8(w, ev->unlike);
	}
}

/* A text into the arena, or NULL for none. */
static const char *
get_string(struct wire_in *r, char **arena, char *end)
{
	char *at = *arena;

	if (at >= end) {
		r->bad = true;
		return NULL;
	}
	if (!wire_get_text(r, at, (size_t)(end - at)))
		return NULL;
	*arena = at + strlen(at) + 1;
	return at;
}

static void
get_events(struct wire_in *r, struct wire_catalog *c, char *arena, char *end)
{
	for (unsigned i = 0; i < c->catalog.len && !r->bad; i++) {
		struct event *ev = &c->event[i];

		ev->name = get_string(r, &arena, end);
		ev->alias = get_string(r, &arena, end);
		ev->fallback = get_string(r, &arena, end);
		ev->text = get_string(r, &arena, end);
		ev->native = get_string(r, &arena, end);
		ev->number = wire_get_u32(r);
		ev->counters = wire_get_u32(r);
		ev->fixed = wire_get_flag(r);
		ev->narrow = wire_get_flag(r);
		ev->unlike = wire_get_flag(r);
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

	memset(c, 0, sizeof(*c));
	*there = wire_get_flag(r);
	if (!*there && !r->bad)
		return true;
	/* Each text is shorter here than it is on the wire. */
	c->text = malloc(size);
	if (c->text == NULL)
		return err_set(e, ERR_FAIL, "events: out of memory");
	char *arena = c->text, *end = c->text + size;

	c->catalog.name = get_string(r, &arena, end);
	c->catalog.len = wire_get_u32(r);
	c->catalog.config_counters = wire_get_u32(r);
	if (c->catalog.name == NULL || c->catalog.len > WIRE_EVENTS_MAX ||
	    c->catalog.len > r->left / (STRINGS * 2))
		r->bad = true;
	if (!r->bad)
		c->event = calloc(c->catalog.len + 1u, sizeof(*c->event));
	if (!r->bad && c->event == NULL) {
		wire_free_catalog(c);
		return err_set(e, ERR_FAIL, "events: out of memory");
	}
	if (!r->bad)
		get_events(r, c, arena, end);
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
	memset(c, 0, sizeof(*c));
}

static void
put_reading(struct wire_out *w, const struct reading *r)
{
	wire_put_u8(w, r->supported);
	wire_put_u8(w, r->held);
	wire_put_u64(w, r->count);
	wire_put_u64(w, r->enabled_ns);
	wire_put_u64(w, r->running_ns);
}

static void
get_reading(struct wire_in *in, struct reading *r)
{
	r->supported = wire_get_flag(in);
	r->held = wire_get_flag(in);
	r->count = wire_get_u64(in);
	r->enabled_ns = wire_get_u64(in);
	r->running_ns = wire_get_u64(in);
}

void
wire_put_sample(struct wire_out *w, const struct sample *s, unsigned nslots)
{
	wire_put_i64(w, s->stamp.awake_ns);
	wire_put_i64(w, s->stamp.elapsed_ns);
	wire_put_i64(w, s->stamp.wall_ns);
	wire_put_i64(w, s->cost_ns);
	wire_put_i64(w, s->apart_ns);
	wire_put_u32(w, s->flags);
	wire_put_u8(w, (unsigned)s->domain);
	wire_put_u32(w, s->ncpus);
	for (unsigned i = 0; i < s->ncpus; i++) {
		const struct cpu_sample *c = &s->cpu[i];

		wire_put_u8(w, (unsigned)c->state);
		wire_put_u8(w, c->busy_known);
		wire_put_u64(w, c->busy);
		wire_put_u64(w, c->total);
		for (unsigned k = 0; k < FIXED_COUNT; k++)
			put_reading(w, &c->fixed[k]);
		for (unsigned k = 0; k < nslots; k++)
			put_reading(w, &c->slot[k]);
	}
}

static void
get_cpu_sample(struct wire_in *r, struct cpu_sample *c, unsigned nslots)
{
	memset(c, 0, sizeof(*c));
	c->state = (enum cpu_state)wire_get_to(r, CPU_OFF);
	c->busy_known = wire_get_flag(r);
	c->busy = wire_get_u64(r);
	c->total = wire_get_u64(r);
	for (unsigned k = 0; k < FIXED_COUNT; k++)
		get_reading(r, &c->fixed[k]);
	for (unsigned k = 0; k < nslots; k++)
		get_reading(r, &c->slot[k]);
}

void
wire_get_sample(struct wire_in *r, struct sample *s, unsigned nslots)
{
	s->stamp.awake_ns = wire_get_i64(r);
	s->stamp.elapsed_ns = wire_get_i64(r);
	s->stamp.wall_ns = wire_get_i64(r);
	s->cost_ns = wire_get_i64(r);
	s->apart_ns = wire_get_i64(r);
	s->flags = wire_get_u32(r);
	s->domain = (enum domain)wire_get_to(r, DOMAIN_MIXED);
	s->recorded = NULL;
	if (wire_get_u32(r) != s->ncpus ||
	    (s->flags & ~(uint32_t)(SAMPLE_BASELINE | SAMPLE_STOLEN)) != 0)
		r->bad = true;
	for (unsigned i = 0; i < s->ncpus && !r->bad; i++)
		get_cpu_sample(r, &s->cpu[i], nslots);
}

size_t
wire_sample_size(unsigned ncpus)
{
	return REPLY_SIZE + (size_t)ncpus * CPU_SIZE;
}
