#include "model/bound.h"

#include "model/topdown.h"

#include <math.h>
#include <string.h>

#define FEW_EVENTS 100.0
#define FEW_INSTRUCTIONS 1e6
#define FEW_BUSY_NS 1e8 /* ten of the 10 ms that systems count it in */

/* Less than a tenth of the time: do not guess absolute numbers from it. */
static const double coverage_min = 0.1;

static const uint32_t fixed_bits = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
static const uint32_t slot_bits = (1u << EVENTSET_MAX) - 1;

/* Binding. */

static bool
named(const char *name, const char *at, unsigned len)
{
	return name != NULL && strlen(name) == len &&
	       memcmp(name, at, len) == 0;
}

enum { /* places in the terms of the top-down rows of metric_table.c */
       TOTAL_TERM = 3,
       DISCARDED_TERM = 2,
       BUBBLE_TERM = 4,
       BUBBLE_IS_SLOTS = 1
};

/* Machines whose fixed pair needs no slot may list it as these events. */
static int
fixed_source(const struct catalog *c, const char *at, unsigned len)
{
	const struct event *e = c == NULL ? NULL : catalog_find_n(c, at, len);

	if (e == NULL || !e->fixed)
		return -1;
	if (strcmp(e->name, "CORE_ACTIVE_CYCLE") == 0 ||
	    strcmp(e->name, METRIC_CORE_CYCLES) == 0)
		return TERM_CYCLES;
	if (strcmp(e->name, "INST_ALL") == 0)
		return TERM_INSTRUCTIONS;
	return -1;
}

static int
find_source(const struct eventset *set, const struct catalog *c, const char *at,
	    unsigned len)
{
	int pseudo = term_pseudo(at, len);

	if (pseudo >= 0)
		return pseudo;
	for (unsigned i = 0; i < set->len; i++)
		if (named(set->slot[i].event->name, at, len) ||
		    named(set->slot[i].event->alias, at, len))
			return (int)i;
	return fixed_source(c, at, len);
}

/* The first alternative that is counted in full; *choice: its place. */
static bool
bind_term(const struct term *t, unsigned index, const struct eventset *set,
	  const struct catalog *c, struct bound_part *part, unsigned *n,
	  uint8_t *choice)
{
	const char *text = t->event;
	struct term_names names;

	for (*choice = 0; term_next(&text, &names); ++*choice) {
		unsigned k = 0;

		for (; k < names.n && *n + k < BOUND_PARTS; k++) {
			int source =
				find_source(set, c, names.at[k], names.len[k]);

			if (source < 0)
				break;
			part[*n + k] = (struct bound_part){ (unsigned)source,
							    index, t->weight };
		}
		if (k < names.n)
			continue;
		*n += k;
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

static void
note_sources(struct bound *b)
{
	for (unsigned i = 0; i < b->nnum; i++) {
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
	if (!bind_terms(m->num, set, catalog, b->num, &b->nnum, b->choice) ||
	    !bind_terms(m->den, set, catalog, b->den, &b->nden, ignore)) {
		*why = metric_possible(m, catalog, NULL) ? VALUE_NOT_COUNTED
							 : VALUE_UNSUPPORTED;
		return false;
	}
	note_sources(b);
	return true;
}

/* Evaluation. */

/*
 * A term's count brought to the row's whole time: only where the parts of a
 * metric were counted for different times does this change a ratio.
 */
static double
part_value(const struct bound_part *p, const struct sums *s, bool scaled)
{
	double n = s->mean_n > 0 ? s->mean_n : s->n;

	switch (p->source) {
	case TERM_BUSY_NS:
		return s->busy_ns;
	case TERM_WALL_NS:
		return s->cpu_ns / n;
	case TERM_CPU_NS:
		return s->cpu_ns;
	case TERM_EVENT_NS: /* the counts beside it are scaled up to it */
		return (scaled ? s->cpu_ns : s->event_ns) / n;
	default:
		break;
	}
	double v = (double)s->count[p->source];

	if (scaled && s->ns[p->source] > 0)
		v *= s->cpu_ns / s->ns[p->source];
	return v;
}

static double
sum_parts(const struct bound_part *part, unsigned n, const struct sums *s,
	  bool scaled)
{
	double v = 0;

	for (unsigned i = 0; i < n; i++)
		v += part[i].weight * part_value(&part[i], s, scaled);
	return v;
}

/* Were all counts of the metric taken over one and the same time? */
static bool
one_time(const struct bound *b, const struct sums *s)
{
	double ns = -1;
	bool times = (b->need >> TERM_BUSY_NS) != 0;

	if (times)
		ns = s->cpu_ns;
	for (unsigned i = 0; i <= TERM_INSTRUCTIONS; i++) {
		if ((b->need & 1u << i) == 0)
			continue;
		if (ns >= 0 && fabs(s->ns[i] - ns) > 1e-6 * ns)
			return false;
		ns = ns >= 0 ? ns : s->ns[i];
	}
	return true;
}

static double
least_coverage(const struct bound *b, const struct sums *s)
{
	double least = 1;

	for (unsigned i = 0; i <= TERM_INSTRUCTIONS; i++)
		if ((b->need & 1u << i) != 0)
			least = fmin(least, s->ns[i] / s->cpu_ns);
	return least;
}

static double
ratio(const struct bound *b, const struct sums *s, enum value_state *state)
{
	const struct metric *m = b->metric;
	bool scaled = !one_time(b, s);
	double den, v;

	if (b->rate && (s->quality & (QUALITY_MUX | QUALITY_CATCHUP)) != 0 &&
	    least_coverage(b, s) < coverage_min) {
		*state = VALUE_NOT_COUNTED;
		return NAN;
	}
	if (b->need == fixed_bits && s->count[TERM_INSTRUCTIONS] == 0) {
		*state = VALUE_STALE; /* cycles without work: not believable */
		return NAN;
	}
	den = sum_parts(b->den, b->nden, s, scaled);
	if (!(den > 0)) {
		*state = VALUE_FEW;
		return NAN;
	}
	v = m->scale * sum_parts(b->num, b->nnum, s, scaled) / den;
	if (m->clamp && v > m->scale)
		v = m->scale;
	if ((b->few_of_num &&
	     sum_parts(b->num, b->nnum, s, false) < FEW_EVENTS) ||
	    (m->unit == UNIT_MPKI && den < FEW_INSTRUCTIONS) ||
	    (m->unit == UNIT_GHZ && den < FEW_BUSY_NS))
		*state = VALUE_FEW;
	return v;
}

static void
topdown_terms(const struct bound *b, const struct sums *s, bool scaled,
	      double term[METRIC_TERMS])
{
	for (int i = 0; i < METRIC_TERMS; i++)
		term[i] = NAN;
	for (unsigned i = 0; i < b->nnum; i++) {
		double v = b->num[i].weight * part_value(&b->num[i], s, scaled);
		double *t = &term[b->num[i].term];

		*t = isnan(*t) ? v : *t + v;
	}
}

/* Slots that were counted need no width, and no guess about cycles. */
static bool
counts_in_slots(const struct bound *b)
{
	return b->choice[TOTAL_TERM] == 0;
}

/* One kind's share, and the slots it is a share of. */
static double
kind_share(const struct bound *b, const struct sums *s, unsigned width,
	   double *slots)
{
	double term[METRIC_TERMS], share[TOPDOWN_SHARES];
	bool scaled = !one_time(b, s);

	topdown_terms(b, s, scaled, term);
	if (counts_in_slots(b)) {
		*slots = topdown_slot_shares(
			&(struct topdown_slots){
				.slots = term[TOTAL_TERM],
				.useful = term[0],
				.processing = term[1],
				.discarded = term[DISCARDED_TERM],
				.delivery = term[BUBBLE_TERM],
				.discards = (enum topdown_discards)
						    b->choice[DISCARDED_TERM] },
			share);
		return share[b->metric->share - 1];
	}
	*slots = topdown_shares(
		&(struct topdown_counts){
			.cycles = sum_parts(b->den, b->nden, s, scaled),
			.retired = term[0],
			.stall = term[1],
			.rewind = term[2],
			.mapped = term[3],
			.bubble = term[4],
			.bubble_slots =
				b->choice[BUBBLE_TERM] <= BUBBLE_IS_SLOTS,
			.latency = term[5],
			.width = width },
		share);
	return share[b->metric->share - 1];
}

static bool
member(const struct members *who, unsigned cpu)
{
	const struct topology_cpu *c = &who->topology->cpu[cpu];

	switch (who->level) {
	case SCOPE_CORE:
		return cpu == who->index;
	case SCOPE_CLUSTER:
		return c->cluster == who->index;
	case SCOPE_KIND:
		return c->kind == who->index;
	case SCOPE_ALL:
		return true;
	}
	return false;
}

/* The sums of those members that have all the metric needs. */
static bool
sum_able(const struct bound *b, const struct members *who, int kind,
	 struct sums *out)
{
	const struct topology *t = who->topology;

	sums_clear(out);
	for (unsigned i = 0; i < t->ncpus; i++)
		if (member(who, i) &&
		    (who->delta[i].have & b->need) == b->need &&
		    (kind < 0 || t->cpu[i].kind == (unsigned)kind))
			sums_add_delta(out, &who->delta[i]);
	return out->n > 0;
}

/* The kind that a row below the machine belongs to. */
static unsigned
kind_of(const struct members *who)
{
	switch (who->level) {
	case SCOPE_CORE:
		return who->topology->cpu[who->index].kind;
	case SCOPE_CLUSTER:
		return who->topology->cluster[who->index].kind;
	case SCOPE_KIND:
	case SCOPE_ALL:
		break;
	}
	return who->index;
}

/*
 * Each kind by its own width, then by slots. Kinds that counted nothing weigh
 * nothing; one whose width is unknown makes the machine's share unknown.
 */
static double
machine_share(const struct bound *b, const struct members *who,
	      enum value_state *state)
{
	const struct topology *t = who->topology;
	double sum = 0, all = 0;

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct sums *s = &who->kinds[k];
		struct sums able;
		double slots;

		if (s->n == 0 || (s->have_any & b->need) != b->need)
			continue;
		if ((s->have_all & b->need) != b->need) {
			if (!sum_able(b, who, (int)k, &able))
				continue;
			s = &able;
		}
		double share = kind_share(b, s, t->kind[k].width, &slots);

		if (t->kind[k].width == 0 && !counts_in_slots(b)) {
			*state = VALUE_UNSUPPORTED;
			return NAN;
		}
		if (slots > 0) {
			sum += share * slots;
			all += slots;
		}
	}
	if (!(all > 0)) {
		*state = VALUE_FEW;
		return NAN;
	}
	return b->metric->scale * sum / all;
}

static double
share_value(const struct bound *b, const struct sums *s,
	    const struct members *who, enum value_state *state)
{
	double slots;

	if (who->level == SCOPE_ALL)
		return machine_share(b, who, state);
	unsigned width = who->topology->kind[kind_of(who)].width;

	if (width == 0 && !counts_in_slots(b)) {
		*state = VALUE_UNSUPPORTED;
		return NAN;
	}
	return b->metric->scale * kind_share(b, s, width, &slots);
}

static enum value_state
absence(const struct bound *b, const struct sums *s)
{
	if (s->n_off == s->ncpus)
		return VALUE_OFF;
	if ((b->need & s->cannot_all & slot_bits) != 0)
		return VALUE_UNSUPPORTED;
	if ((s->quality & QUALITY_MUX) != 0)
		return VALUE_NOT_COUNTED;
	if (s->n_stale == 0 &&
	    (s->n == 0 || (b->need & fixed_bits & ~s->have_any) != 0))
		return VALUE_UNSUPPORTED; /* no counters here at all */
	return VALUE_STALE;
}

/* Work over cycles of the cores whose first thread is in the row. */
static double
core_value(const struct bound *b, const struct members *who,
	   enum value_state *state)
{
	const struct topology *t = who->topology;
	double work = 0, cycles = 0;

	*state = VALUE_UNSUPPORTED;
	if (who->cores == NULL)
		return NAN;
	*state = VALUE_STALE;
	unsigned from = 0, to = t->ncores;

	if (who->level == SCOPE_CORE) {
		from = t->cpu[who->index].core;
		to = from + 1;
	}
	for (unsigned i = from; i < to; i++) {
		const struct bound_core *c = &who->cores[i];

		if (!c->known ||
		    (who->level != SCOPE_CORE && !member(who, c->first)))
			continue;
		work += (double)c->work;
		cycles += (double)c->cycles_max;
	}
	if (!(cycles > 0))
		return NAN;
	*state = VALUE_OK;
	return b->metric->scale * work / cycles;
}

double
bound_value(const struct bound *b, const struct sums *s,
	    const struct members *who, enum value_state *state)
{
	struct sums able;

	*state = VALUE_OK;
	if (s->n == 0 || (s->have_any & b->need) != b->need) {
		*state = absence(b, s);
		return NAN;
	}
	if (s->n_idle == s->n_ok && s->n_ok > 0) {
		*state = VALUE_IDLE;
		return NAN;
	}
	if ((s->have_all & b->need) != b->need) {
		if (!sum_able(b, who, -1, &able)) {
			*state = absence(b, s);
			return NAN;
		}
		s = &able;
	}
	double v;

	if (b->metric->core)
		v = core_value(b, who, state);
	else if (b->metric->share != 0)
		v = share_value(b, s, who, state);
	else
		v = ratio(b, s, state);

	if (*state == VALUE_OK && s->n_ok > 0 &&
	    (double)s->count[TERM_INSTRUCTIONS] < FEW_INSTRUCTIONS)
		*state = VALUE_FEW;
	return v;
}
