#include "base/buf.h"
#include "model/metric.h"
#include "model/slots.h"
#include "model/term.h"

#include <string.h>

enum { WISH_MAX = METRIC_TERMS * 2 * TERM_SUM_MAX };

/* Events, each once, in the order they were wished for. */
struct wish {
	const struct event *event[EVENTSET_MAX + WISH_MAX];
	unsigned n;
};

static bool
wish_has(const struct wish *w, const struct event *e)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->event[i] == e)
			return true;
	return false;
}

/* Events of the terms that need a slot; false when one does not exist. */
static bool
wish_terms(struct wish *w, const struct term term[METRIC_TERMS],
	   const struct catalog *c)
{
	for (unsigned i = 0; i < METRIC_TERMS && term[i].event != NULL; i++) {
		struct term_events e;

		if (!term_resolve(term[i].event, c, &e))
			return false;
		for (unsigned j = 0; j < e.n; j++)
			if (!e.event[j]->fixed && !wish_has(w, e.event[j]))
				w->event[w->n++] = e.event[j];
	}
	return true;
}

/* Denominators first: they serve several metrics. */
static bool
wish_metric(struct wish *w, const struct metric *m, const struct catalog *c)
{
	return wish_terms(w, m->den, c) && wish_terms(w, m->num, c);
}

/* Takes all that m needs beside what is taken, or nothing. */
static void
take(struct wish *taken, const struct metric *m, const struct catalog *c)
{
	struct wish with = *taken;

	if (m->rider)
		return;
	if (wish_metric(&with, m, c) && with.n <= EVENTSET_MAX &&
	    slots_fit(c, with.event, with.n))
		*taken = with;
}

static unsigned
rank(const struct preset *p, const struct event *e)
{
	unsigned i = 0, n = sizeof p->order / sizeof p->order[0];

	while (i < n && p->order[i] != NULL &&
	       strcmp(p->order[i], e->name) != 0)
		i++;
	return i;
}

static void
sort_by_rank(const struct preset *p, struct wish *w)
{
	for (unsigned i = 1; i < w->n; i++) {
		const struct event *e = w->event[i];
		unsigned j = i, r = rank(p, e);

		for (; j > 0 && rank(p, w->event[j - 1]) > r; j--)
			w->event[j] = w->event[j - 1];
		w->event[j] = e;
	}
}

static void
drop(struct eventset *out, const char *event, const char *why)
{
	for (unsigned i = 0; i < out->ndropped; i++)
		if (strcmp(out->dropped[i].event, event) == 0)
			return;
	eventset_drop(out, event, why);
}

/* Why e found no place among those taken: "counters 5,6,7 are taken". */
static void
drop_crowded(struct eventset *out, const struct catalog *c,
	     const struct event *e)
{
	char why[80];
	struct buf b = buf_over(why, sizeof why);
	uint32_t mask = e->counters & c->config_counters, left = mask;

	if (mask == c->config_counters) {
		drop(out, e->name,
		     "all counters are taken by metrics before it");
		return;
	}
	buf_str(&b, (mask & (mask - 1)) == 0 ? "counter " : "counters ");
	for (unsigned i = 0; left != 0; i++, left >>= 1) {
		if ((left & 1) == 0)
			continue;
		buf_u64(&b, i);
		if (left > 1)
			buf_char(&b, ',');
	}
	buf_str(&b, (mask & (mask - 1)) == 0 ? " is" : " are");
	buf_str(&b, " taken by metrics before it");
	drop(out, e->name, buf_cstr(&b));
}

/* After all is taken: what of m was not, and why. */
static void
explain(struct eventset *out, const struct wish *taken, const struct metric *m,
	const struct catalog *c)
{
	const char *missing;
	struct wish need = { .n = 0 };

	if (m->rider)
		return;
	if (!metric_possible(m, c, &missing)) {
		if (m->optional)
			return;
		drop(out, missing, "not in this machine's database");
		return;
	}
	(void)wish_metric(&need, m, c);
	for (unsigned i = 0; i < need.n; i++)
		if (!wish_has(taken, need.event[i]))
			drop_crowded(out, c, need.event[i]);
}

/* The preset's metric i of the table, or NULL at the end. */
static const struct metric *
preset_metric(const struct preset *p, unsigned i)
{
	int at;

	if (i >= sizeof p->metrics / sizeof p->metrics[0] ||
	    p->metrics[i] == NULL)
		return NULL;
	at = metric_find(p->metrics[i]);
	return at < 0 ? NULL : &metric_table[at];
}

static void
take_kept(struct wish *taken, const struct preset *p, const struct catalog *c)
{
	for (unsigned i = 0; i < PRESET_KEEP && p->keep[i] != NULL; i++) {
		int at = metric_find(p->keep[i]);

		if (at >= 0)
			take(taken, &metric_table[at], c);
	}
}

static bool
comes_late(const struct metric *m, enum domain domain)
{
	return m->not_user && domain == DOMAIN_USER;
}

bool
preset_derive(const struct preset *p, const struct catalog *c,
	      enum domain domain, struct eventset *out, struct err *e)
{
	struct wish taken = { .n = 0 };
	const struct metric *m;
	struct buf name = buf_over(out->name, sizeof out->name);

	memset(out, 0, sizeof *out);
	buf_str(&name, p->name);
	(void)buf_cstr(&name);
	take_kept(&taken, p, c);
	for (unsigned i = 0; (m = preset_metric(p, i)) != NULL; i++)
		if (!comes_late(m, domain))
			take(&taken, m, c);
	for (unsigned i = 0; (m = preset_metric(p, i)) != NULL; i++)
		if (comes_late(m, domain))
			take(&taken, m, c);
	if (taken.n == 0)
		return err_set(e, ERR_NO_PMU,
			       "preset %s: database %s has none of the events "
			       "it needs; "
			       "choose another preset",
			       p->name, c->name);
	sort_by_rank(p, &taken);
	for (unsigned i = 0; (m = preset_metric(p, i)) != NULL; i++)
		explain(out, &taken, m, c);
	return slots_place(c, taken.event, taken.n, out, e);
}
