#include "model/metric.h"

#include <string.h>

#include "base/buf.h"

int
metric_find(const char *name)
{
	for (unsigned i = 0; i < metric_count; i++)
		if (metric_table[i].name[0] == name[0] &&
		    strcmp(metric_table[i].name, name) == 0)
			return (int)i;
	return -1;
}

int
preset_find(const char *name)
{
	for (unsigned i = 0; i < preset_count; i++)
		if (preset_table[i].name[0] == name[0] &&
		    strcmp(preset_table[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool
any_narrow(const struct term_events *e)
{
	for (unsigned i = 0; i < e->n; i++)
		if (e->event[i]->narrow)
			return true;
	return false;
}

static const char *
first_missing(const struct metric *m, const struct term term[METRIC_TERMS],
	      const struct catalog *c)
{
	struct term_events have;

	for (unsigned i = 0; i < METRIC_TERMS && term[i].event != NULL; i++)
		if (!term_resolve(term[i].event, c, &have) ||
		    (m->whole && any_narrow(&have)))
			return term[i].event;
	return NULL;
}

bool
metric_possible(const struct metric *m, const struct catalog *c,
		const char **missing)
{
	const char *lack = first_missing(m, m->den, c);

	if (lack == NULL)
		lack = first_missing(m, m->num, c);
	if (missing != NULL)
		*missing = lack;
	return lack == NULL;
}

bool
metric_of_set(const struct metric *m, const struct eventset *set)
{
	const char *name = m->num[0].event;

	if (m->event && eventset_find(set, name) >= 0)
		return true;
	for (unsigned i = 0; m->event && i < set->ndropped; i++)
		if (strcmp(set->dropped[i].event, name) == 0)
			return true;
	return false;
}

/* Bits of the events of the first alternative whose events the set has. */
static uint32_t
term_slots(const char *text, const struct eventset *set)
{
	struct term_names names;

	while (term_next(&text, &names)) {
		uint32_t slots = 0;
		unsigned k = 0;

		for (; k < names.n; k++) {
			int i = eventset_find_n(set, names.at[k], names.len[k]);

			if (i >= 0)
				slots |= 1u << i;
			else if (term_pseudo(names.at[k], names.len[k]) < 0)
				break;
		}
		if (k == names.n)
			return slots;
	}
	return 0;
}

uint32_t
metric_slots(const struct metric *m, const struct eventset *set)
{
	uint32_t slots = 0;

	for (unsigned i = 0; i < METRIC_TERMS; i++) {
		if (m->num[i].event != NULL)
			slots |= term_slots(m->num[i].event, set);
		if (m->den[i].event != NULL)
			slots |= term_slots(m->den[i].event, set);
	}
	return slots;
}

static void
put_term(struct buf *b, const struct term *t, const struct catalog *c)
{
	struct term_events e;

	if (t->weight >= 0 && (t->weight < 1 || t->weight > 1)) {
		buf_decimal(b, t->weight, 6);
		buf_str(b, " x ");
	}
	if (!term_resolve(t->event, c, &e) || e.n == 0) {
		buf_str(b, t->event);
		return;
	}
	for (unsigned i = 0; i < e.n; i++) {
		if (i > 0)
			buf_str(b,
				e.event[i - 1]->less != NULL ? " - " : " + ");
		buf_str(b, e.event[i]->name);
	}
}

static void
put_sum(struct buf *b, const struct term term[METRIC_TERMS],
	const struct catalog *c, bool factor)
{
	struct term_events e;
	bool several = term[1].event != NULL ||
		       (term_resolve(term[0].event, c, &e) && e.n > 1);

	if (several && factor)
		buf_char(b, '(');
	for (unsigned i = 0; i < METRIC_TERMS && term[i].event != NULL; i++) {
		if (i > 0)
			buf_str(b, term[i].weight < 0 ? " - " : " + ");
		put_term(b, &term[i], c);
	}
	if (several && factor)
		buf_char(b, ')');
}

static bool
is_nothing(const struct term *t, const struct catalog *c)
{
	const char *last = strrchr(t->event, '|');
	struct term_events e;

	return last != NULL && strcmp(last + 1, METRIC_NOTHING) == 0 &&
	       term_resolve(t->event, c, &e) && e.n == 0;
}

static void
put_topdown(struct buf *b, const struct metric *m, const struct catalog *c)
{
	buf_str(b, "share of ");
	put_term(b, &m->den[0], c);
	buf_str(b, " x width, from ");
	for (unsigned i = 0; i < METRIC_TERMS && m->num[i].event != NULL; i++) {
		if (is_nothing(&m->num[i], c))
			continue;
		if (i > 0)
			buf_str(b, ", ");
		put_term(b, &m->num[i], c);
	}
}

const char *
metric_formula(const struct metric *m, const struct catalog *c, char *buf,
	       unsigned size)
{
	struct buf b = buf_over(buf, size);
	bool scaled = m->scale < 1 || m->scale > 1;

	if (m->judged) {
		buf_str(&b, "lost slots / the machine's slots in use");
		return buf_cstr(&b);
	}
	if (m->share != 0) {
		put_topdown(&b, m, c);
		return buf_cstr(&b);
	}
	if (scaled) {
		buf_decimal(&b, m->scale, 15);
		buf_str(&b, " x ");
	}
	put_sum(&b, m->num, c, true);
	buf_str(&b, " / ");
	put_sum(&b, m->den, c, true);
	return buf_cstr(&b);
}

bool
metric_refused(const struct metric *m, const struct eventset *set)
{
	const char *text = m->num[0].event;
	struct term_names names;

	/* All top-down shares have the same first term, so it says nothing of
	 * the optional ones. */
	if (m->user_only || m->not_user || (m->optional && m->share != 0))
		return false;
	while (text != NULL && term_next(&text, &names))
		for (unsigned k = 0; k < names.n; k++)
			if (eventset_find_n(set, names.at[k], names.len[k]) >=
			    0)
				return true;
	return false;
}

bool
term_next(const char **text, struct term_names *out)
{
	const char *s = *text;

	out->n = 0;
	if (s == NULL || *s == '\0')
		return false;
	for (;;) {
		unsigned n = (unsigned)strcspn(s, "+|");

		if (out->n < TERM_SUM_MAX) {
			out->at[out->n] = s;
			out->len[out->n++] = n;
		}
		s += n;
		if (*s != '+')
			break;
		s++;
	}
	*text = *s == '|' ? s + 1 : s;
	return true;
}

int
term_pseudo(const char *name, unsigned len)
{
	static const struct {
		const char *name;
		enum term_source source;
	} pseudo[] = { { METRIC_FIXED_CYCLES, TERM_CYCLES },
		       { METRIC_FIXED_INSTRUCTIONS, TERM_INSTRUCTIONS },
		       { METRIC_BUSY_NS, TERM_BUSY_NS },
		       { METRIC_WALL_NS, TERM_WALL_NS },
		       { METRIC_CPU_NS, TERM_CPU_NS },
		       { METRIC_EVENT_NS, TERM_EVENT_NS },
		       { METRIC_NOTHING, TERM_NOTHING } };

	for (unsigned i = 0; i < sizeof pseudo / sizeof pseudo[0]; i++)
		if (strlen(pseudo[i].name) == len &&
		    memcmp(pseudo[i].name, name, len) == 0)
			return (int)pseudo[i].source;
	return -1;
}

static bool
resolve_names(const struct term_names *names, const struct catalog *c,
	      struct term_events *out)
{
	out->n = 0;
	for (unsigned i = 0; i < names->n; i++) {
		const struct event *e;

		if (term_pseudo(names->at[i], names->len[i]) >= 0)
			continue;
		e = c == NULL ? NULL
			      : catalog_find_n(c, names->at[i], names->len[i]);
		if (e == NULL)
			return false;
		out->event[out->n++] = e;
		if (e->less == NULL)
			continue;
		e = catalog_find(c, e->less);
		if (e == NULL || out->n == TERM_SUM_MAX)
			return false;
		out->event[out->n++] = e;
	}
	return true;
}

bool
term_resolve(const char *text, const struct catalog *c, struct term_events *out)
{
	struct term_names names;

	while (term_next(&text, &names))
		if (resolve_names(&names, c, out))
			return true;
	out->n = 0;
	return false;
}
