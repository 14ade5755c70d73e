#include "model/bound.h"

#include "model/metric.h"

#include <math.h>
#include <string.h>

static const uint32_t fixed_bits = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS |
				   1u << TERM_SLOT_CYCLES |
				   1u << TERM_SLOT_INSTRUCTIONS;
static const uint32_t slot_bits = (1u << EVENTSET_MAX) - 1;

static int
fixed_source(const struct catalog *c, const char *at, unsigned len)
{
	const struct event *e = c == NULL ? NULL : catalog_find_n(c, at, len);

	if (e == NULL || !e->fixed)
		return -1;
	if (strcmp(e->name, "CORE_ACTIVE_CYCLE") == 0 ||
	    strcmp(e->name, METRIC_CORE_CYCLES) == 0)
		return TERM_SLOT_CYCLES;
	if (strcmp(e->name, "INST_ALL") == 0)
		return TERM_SLOT_INSTRUCTIONS;
	return -1;
}

static int
find_source(const struct eventset *set, const struct catalog *c, const char *at,
	    unsigned len)
{
	int source = term_pseudo(at, len);

	if (source < 0)
		source = eventset_find_n(set, at, len);
	return source >= 0 ? source : fixed_source(c, at, len);
}

static bool
add_part(struct bound_part *part, unsigned *n, int source, unsigned term,
	 double weight)
{
	if (source < 0 || *n == BOUND_PARTS)
		return false;
	part[(*n)++] = (struct bound_part){ (unsigned)source, term, weight, 0 };
	return true;
}

/* If the event's count includes another event (event->less), that one is
 * subtracted. */
static bool
bind_name(const char *at, unsigned len, const struct term *t, unsigned index,
	  const struct eventset *set, const struct catalog *c,
	  struct bound_part *part, unsigned *n)
{
	int source = find_source(set, c, at, len);
	const char *less = source < 0 || source >= EVENTSET_MAX
				   ? NULL
				   : set->slot[source].event->less;

	return add_part(part, n, source, index, t->weight) &&
	       (less == NULL ||
		add_part(part, n,
			 find_source(set, c, less, (unsigned)strlen(less)),
			 index, -t->weight));
}

static bool
bind_term(const struct term *t, unsigned index, const struct eventset *set,
	  const struct catalog *c, struct bound_part *part, unsigned *n,
	  uint8_t *choice)
{
	const char *text = t->event;
	struct term_names names;

	for (*choice = 0; term_next(&text, &names); ++*choice) {
		unsigned k = 0, end = *n;

		while (k < names.n && bind_name(names.at[k], names.len[k], t,
						index, set, c, part, &end))
			k++;
		if (k < names.n)
			continue;
		*n = end;
		return true;
	}
	return false;
}

static bool
bind_terms(const struct term term[METRIC_TERMS], const struct eventset *set,
	   const struct catalog *c, struct bound_part *part, unsigned *n,
	   uint8_t choice[METRIC_TERMS])
{
	*n = 0;
	for (unsigned i = 0; i < METRIC_TERMS && term[i].event != NULL; i++)
		if (!bind_term(&term[i], i, set, c, part, n, &choice[i]))
			return false;
	return *n > 0;
}

static bool
is_software(const struct eventset *set, unsigned slot)
{
	return strncmp(set->slot[slot].event->name, "SW_", 3) == 0;
}

static bool
uses_slot(const struct bound_part *part, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if ((slot_bits >> part[i].source & 1) != 0)
			return true;
	return false;
}

static void
use_whole_interval(struct bound_part *part, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (part[i].source == TERM_SLOT_CYCLES ||
		    part[i].source == TERM_SLOT_INSTRUCTIONS)
			part[i].source -= TERM_SLOT_CYCLES - TERM_CYCLES;
}

/* Without events a metric uses the fixed counts of the whole interval. With
 * events it uses those over the events' time, which is shorter after an event
 * change. */
static void
match_times(struct bound *b)
{
	if (uses_slot(b->num, b->nnum) || uses_slot(b->den, b->nden))
		return;
	use_whole_interval(b->num, b->nnum);
	use_whole_interval(b->den, b->nden);
}

static void
set_needs(struct bound *b, const struct eventset *set)
{
	for (unsigned i = 0; i < b->nnum; i++) {
		if (b->num[i].source == TERM_NOTHING)
			continue;
		b->need |= 1u << b->num[i].source;
		b->few_of_num =
			b->few_of_num || b->num[i].source < EVENTSET_MAX;
	}
	for (unsigned i = 0; i < b->nden; i++) {
		b->need |= 1u << b->den[i].source;
		b->rate = b->rate || b->den[i].source == TERM_WALL_NS ||
			  b->den[i].source == TERM_CPU_NS ||
			  b->den[i].source == TERM_EVENT_NS;
	}
	b->hardware = (b->need & fixed_bits) != 0;
	for (unsigned i = 0; i < set->len; i++) {
		if ((b->need & 1u << i) == 0)
			continue;
		b->hardware = b->hardware || !is_software(set, i);
		b->unlike = b->unlike || set->slot[i].event->unlike;
		b->other_thread =
			b->other_thread || strcmp(set->slot[i].event->name,
						  "SLOT_OTHER_THREAD") == 0;
	}
}

static unsigned
fixed_equivalent(const struct eventset *set, unsigned source)
{
	const struct event *e =
		source < EVENTSET_MAX ? set->slot[source].event : NULL;

	if (e == NULL || e->narrow)
		return 0;
	if (strcmp(e->name, "CORE_ACTIVE_CYCLE") == 0)
		return TERM_SLOT_CYCLES;
	return strcmp(e->name, "INST_ALL") == 0 ? TERM_SLOT_INSTRUCTIONS : 0;
}

/* A fixed counter may replace a denominator event that counts nothing, unless
 * the numerator has this event, the metric needs user-mode counts, or a
 * top-down share would mix modes. */
static void
set_stand_ins(struct bound *b, const struct eventset *set, enum domain domain)
{
	uint32_t num = 0;

	b->other_modes = domain != DOMAIN_ALL;
	if (b->metric->user_only || (b->other_modes && b->metric->share != 0))
		return;
	for (unsigned i = 0; i < b->nnum; i++)
		num |= 1u << b->num[i].source;
	for (unsigned i = 0; i < b->nden; i++) {
		struct bound_part *p = &b->den[i];

		p->stand_in = fixed_equivalent(set, p->source);
		if (p->stand_in != 0 && (num >> p->source & 1) == 0)
			b->may_stand_in |= 1u << p->source;
	}
}

bool
bound_make(struct bound *b, const struct metric *m, unsigned index,
	   const struct eventset *set, const struct catalog *catalog,
	   enum domain domain, enum value_state *why)
{
	uint8_t ignore[METRIC_TERMS];

	memset(b, 0, sizeof *b);
	b->metric = m;
	b->index = index;
	if ((m->user_only && domain != DOMAIN_USER && domain != DOMAIN_NONE) ||
	    (m->not_user && domain == DOMAIN_USER)) {
		*why = VALUE_UNSUPPORTED;
		return false;
	}
	if (m->judged) {
		*why = VALUE_UNSUPPORTED;
		return false;
	}
	if ((m->whole && !metric_possible(m, catalog, NULL)) ||
	    !bind_terms(m->num, set, catalog, b->num, &b->nnum, b->choice) ||
	    !bind_terms(m->den, set, catalog, b->den, &b->nden, ignore)) {
		*why = metric_possible(m, catalog, NULL) ? VALUE_NOT_COUNTED
							 : VALUE_UNSUPPORTED;
		return false;
	}
	match_times(b);
	set_needs(b, set);
	set_stand_ins(b, set, domain);
	return true;
}

void
bounds_make(struct bounds *b, const struct metric *const *metric,
	    unsigned nmetrics, const struct eventset *set,
	    const struct catalog *catalog, enum domain domain)
{
	b->n = 0;
	for (unsigned i = 0; i < nmetrics; i++) {
		b->why[i] = VALUE_OK;
		b->n += bound_make(&b->bound[b->n], metric[i], i, set, catalog,
				   domain, &b->why[i]);
	}
}

bool
bound_is_impossible(const struct bound *b, uint32_t doubt)
{
	return (b->hardware && (doubt & SPAN_IMPOSSIBLE_COUNTS) != 0) ||
	       ((b->need & 1u << TERM_BUSY_NS) != 0 && doubt != 0);
}
