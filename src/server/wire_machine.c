#include "server/wire.h"

#include <stdlib.h>
#include <string.h>

struct wire_machine {
	uint32_t nkinds, nclusters, ncpus, ncores, smt;
};

void
wire_put_topology(struct wire_out *w, const struct topology *t)
{
	const struct wire_machine m = { t->nkinds, t->nclusters, t->ncpus,
					t->ncores, t->smt };

	wire_put(w, &m, sizeof m);
	for (unsigned i = 0; i < t->nkinds; i++) {
		struct topology_kind k = t->kind[i];

		SEAL(k.name);
		SEAL(k.letter);
		SEAL(k.pmu);
		wire_put(w, &k, sizeof k);
	}
	for (unsigned i = 0; i < t->nclusters; i++) {
		struct topology_cluster c = t->cluster[i];

		SEAL(c.label);
		wire_put(w, &c, sizeof c);
	}
	wire_put(w, t->cpu, t->ncpus * sizeof *t->cpu);
}

static bool
topology_is_valid(const struct topology *t)
{
	for (unsigned i = 0; i < t->nkinds; i++) {
		const struct topology_kind *k = &t->kind[i];

		if (!ENDS(k->name) || !ENDS(k->letter) || !ENDS(k->pmu) ||
		    k->ncpus > t->ncpus ||
		    !wire_are_bools(&k->width_certain, 1))
			return false;
	}
	for (unsigned i = 0; i < t->nclusters; i++) {
		const struct topology_cluster *c = &t->cluster[i];

		if (!ENDS(c->label) || c->kind >= t->nkinds ||
		    c->ncpus > t->ncpus || c->ncores > t->ncpus ||
		    c->die < -1 || c->package < -1)
			return false;
	}
	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct topology_cpu *c = &t->cpu[i];

		if (c->id < (i > 0 ? c[-1].id + 1 : 0) || c->id == INT32_MAX ||
		    c->kind >= t->nkinds || c->cluster >= t->nclusters ||
		    c->core >= t->ncores || c->die < -1 || c->package < -1 ||
		    !wire_are_bools(&c->off, 1))
			return false;
	}
	return true;
}

struct topology *
wire_get_topology(struct wire_in *r, struct err *e)
{
	struct wire_machine m;
	struct topology *t;

	wire_get(r, &m, sizeof m);
	if (r->bad || m.ncpus == 0 || m.ncpus > WIRE_CPUS_MAX ||
	    m.nkinds == 0 || m.nkinds > m.ncpus || m.nclusters == 0 ||
	    m.nclusters > m.ncpus || m.ncores == 0 || m.ncores > m.ncpus ||
	    m.smt > 1) {
		wire_set_malformed(r, e);
		return NULL;
	}
	t = topology_new(m.nkinds, m.nclusters, m.ncpus, e);
	if (t == NULL)
		return NULL;
	t->ncores = m.ncores;
	t->smt = m.smt == 1;
	wire_get(r, t->kind, t->nkinds * sizeof *t->kind);
	wire_get(r, t->cluster, t->nclusters * sizeof *t->cluster);
	wire_get(r, t->cpu, t->ncpus * sizeof *t->cpu);
	if (!r->bad && topology_is_valid(t))
		return t;
	topology_free(t);
	wire_set_malformed(r, e);
	return NULL;
}

enum { STRINGS = 5 };

static void
list_event_strings(struct event *ev, const char **out[STRINGS])
{
	out[0] = &ev->name;
	out[1] = &ev->alias;
	out[2] = &ev->text;
	out[3] = &ev->native;
	out[4] = &ev->less;
}

/* On the wire struct wire_events is followed by the catalog's name and the
 * events. An event is its strings, then struct wire_event. */
struct wire_events {
	uint32_t there, len, config_counters;
};
struct wire_event {
	uint32_t number, counters;
	uint8_t fixed, narrow, unlike, unused;
};

void
wire_put_catalog(struct wire_out *w, const struct catalog *c)
{
	static const struct catalog none;
	const struct wire_events head = { c != NULL, c != NULL ? c->len : 0,
					  c != NULL ? c->config_counters : 0 };
	const char **string[STRINGS];

	c = c != NULL ? c : &none;
	wire_put(w, &head, sizeof head);
	wire_put_text(w, c->name);
	for (unsigned i = 0; i < c->len; i++) {
		struct event ev = c->event[i];
		const struct wire_event out = { ev.number, ev.counters,
						ev.fixed,  ev.narrow,
						ev.unlike, 0 };

		list_event_strings(&ev, string);
		for (unsigned k = 0; k < STRINGS; k++)
			wire_put_text(w, *string[k]);
		wire_put(w, &out, sizeof out);
	}
}

static void
wire_get_event(struct wire_in *r, struct event *ev)
{
	const char **string[STRINGS];
	struct wire_event in;

	list_event_strings(ev, string);
	for (unsigned k = 0; k < STRINGS; k++)
		*string[k] = wire_get_text(r, UINT16_MAX);
	wire_get(r, &in, sizeof in);
	r->bad = r->bad || ev->name == NULL || !wire_are_bools(&in.fixed, 3);
	ev->number = in.number;
	ev->counters = in.counters;
	ev->fixed = in.fixed == 1;
	ev->narrow = in.narrow == 1;
	ev->unlike = in.unlike == 1;
}

bool
wire_get_catalog(struct wire_in *r, struct wire_catalog *c, struct err *e)
{
	struct catalog *to = &c->catalog;
	struct wire_events head;
	struct wire_in in;

	memset(c, 0, sizeof *c);
	wire_get(r, &head, sizeof head);
	r->bad = r->bad || head.there > 1 || head.len > WIRE_EVENTS_MAX;
	/* The catalog's strings point into this copy of the reply. */
	c->bytes = malloc(r->left + 1);
	c->event = calloc(r->bad ? 1 : head.len + 1u, sizeof *c->event);
	if (c->bytes == NULL || c->event == NULL) {
		wire_free_catalog(c);
		return err_set(e, ERR_FAIL, "events: out of memory");
	}
	in = (struct wire_in){ c->bytes, r->left, r->bad };
	if (!r->bad)
		memcpy(c->bytes, r->at, r->left);
	*to = (struct catalog){ wire_get_text(&in, UINT16_MAX), c->event,
				head.len, head.config_counters };
	for (unsigned i = 0; i < head.len && !in.bad; i++) {
		wire_get_event(&in, &c->event[i]);
		if (!in.bad && i > 0 &&
		    strcmp(c->event[i - 1].name, c->event[i].name) >= 0)
			in.bad = true;
	}
	if (in.bad || (to->name != NULL) != (head.there == 1)) {
		wire_free_catalog(c);
		wire_set_malformed(r, e);
		return false;
	}
	r->at += r->left - in.left;
	r->left = in.left;
	return true;
}

void
wire_free_catalog(struct wire_catalog *c)
{
	free(c->event);
	free(c->bytes);
	memset(c, 0, sizeof *c);
}
