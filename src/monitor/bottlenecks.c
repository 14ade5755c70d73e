#include "monitor/headline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/metric.h"
#include "model/shares.h"

struct bottleneck_seen {
	float value[MEASURE_COUNT];
	uint32_t interval[MEASURE_COUNT]; /* 0: never measured */
};

struct bottleneck_group {
	unsigned off, idle, known, unknown;
	double cycles, slots; /* lost per second; cycles in 10^9 */
};

static const char *const see_name[SEE_COUNT] = { "topdown",  "basic",
						 "branch",   "branchkind",
						 "frontend", "l1d",
						 "ldsrc",    "os" };

static bool
counts_slots(const struct catalog *catalog)
{
	int slots = metric_find("retiring_pct");

	return slots >= 0 &&
	       metric_possible(&metric_table[slots], catalog, NULL);
}

bool
bottlenecks_init(struct bottlenecks *v, const struct topology *t,
		 const struct catalog *catalog, unsigned nscopes, struct err *e)
{
	v->topology = t;
	v->nscopes = nscopes;
	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		v->metric[m] = metric_find(bottleneck_measure_metric[m]);
	for (unsigned p = 0; p < SEE_COUNT; p++) {
		int preset = preset_find(see_name[p]);
		struct eventset set;

		v->see[p] = -1;
		if (catalog != NULL && preset >= 0 &&
		    (p != SEE_TOPDOWN || counts_slots(catalog)) &&
		    preset_derive(&preset_table[preset], catalog, DOMAIN_ALL,
				  &set, NULL))
			v->see[p] = (int8_t)preset;
	}
	v->arm_slots = catalog != NULL &&
		       catalog_find(catalog, "SLOT_STALLED") != NULL;
	v->ipc = metric_find("ipc");
	v->lost = metric_find("lost_pct");
	v->bottleneck = calloc(nscopes, sizeof *v->bottleneck);
	v->seen = calloc(nscopes, sizeof *v->seen);
	v->past = calloc(t->ncpus + t->nclusters, sizeof *v->past);
	v->speed = calloc(t->nclusters + 1, sizeof *v->speed);
	v->group = calloc(nscopes - t->ncpus, sizeof *v->group);
	if (v->bottleneck == NULL || v->seen == NULL || v->past == NULL ||
	    v->speed == NULL || v->group == NULL)
		return err_set(e, ERR_FAIL, "out of memory for bottlenecks");
	bottlenecks_restart(v);
	return true;
}

void
bottlenecks_done(struct bottlenecks *v)
{
	free(v->bottleneck);
	free(v->seen);
	free(v->past);
	free(v->speed);
	free(v->group);
}

void
bottlenecks_restart(struct bottlenecks *v)
{
	const struct topology *t = v->topology;

	memset(v->seen, 0, v->nscopes * sizeof *v->seen);
	memset(v->past, 0, (t->ncpus + t->nclusters) * sizeof *v->past);
	memset(v->speed, 0, (t->nclusters + 1) * sizeof *v->speed);
	memset(v->second, 0, sizeof v->second);
	memset(v->counted, 0, sizeof v->counted);
	v->turns = (struct bottleneck_turns){ .interval = 0 };
	v->now = 0;
	v->judged_s = -INFINITY;
	v->headline = (struct headline){ .scope = v->nscopes, .by = -1 };
}

static uint32_t
set_name_hash(const char *name)
{
	uint32_t h = 2166136261;

	for (; *name != '\0'; name++)
		h = (h ^ (uint8_t)*name) * 16777619;
	return h;
}

static void
list_measures(struct bottlenecks *v, const uint64_t *counted)
{
	if (memcmp(v->counted, counted, sizeof v->counted) == 0)
		return;
	memcpy(v->counted, counted, sizeof v->counted);
	v->nmeasures = 0;
	for (unsigned m = 0; m < MEASURE_COUNT; m++) {
		int i = v->metric[m];

		if (i >= 0 && (counted[i / 64] >> (unsigned)i % 64 & 1) != 0)
			v->measure[v->nmeasures++] = (uint8_t)m;
	}
}

/* Presets rotate if at least two consecutive intervals change the events. The
 * window is the time since the current events were last counted. */
static void
follow_turns(struct bottleneck_turns *t, const struct frame *f)
{
	uint32_t set = set_name_hash(f->set->name);
	uint32_t n = ++t->interval;

	t->turns = n > 1 && set != t->set[(n - 1) % BOTTLENECK_TURNS]
			   ? t->turns + 1
			   : 0;
	t->set[n % BOTTLENECK_TURNS] = set;
	t->at_s[n % BOTTLENECK_TURNS] = f->elapsed_s;
	t->window = 1;
	if (t->turns < 2)
		return;
	while (t->window < BOTTLENECK_TURNS && t->window <= t->turns &&
	       t->set[(n - t->window) % BOTTLENECK_TURNS] != set)
		t->window++;
}

/* Ratios of a user-mode count and an all-modes count cannot be compared with
 * the constants of struct shares. */
static float
value_if_good(const struct frame *f, unsigned scope, unsigned metric)
{
	if (frame_state(f, scope, metric) > VALUE_FEW ||
	    (frame_marks(f, scope, metric) & VALUE_MODES) != 0)
		return NAN;
	return (float)frame_value(f, scope, metric);
}

static unsigned
row_kind(const struct bottlenecks *v, const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];

	switch (s->level) {
	case SCOPE_CORE:
		return v->topology->cpu[s->index].kind;
	case SCOPE_CLUSTER:
		return v->topology->cluster[s->index].kind;
	case SCOPE_KIND:
	case SCOPE_ALL:
		break;
	}
	return s->index;
}

struct share_counts
bottlenecks_counts(const struct bottlenecks *v, unsigned kind,
		   enum domain domain)
{
	const struct topology_kind *k = &v->topology->kind[kind];
	struct share_counts c = {
		.width = k->width,
		.small = strcmp(k->letter, "E") == 0,
		.all_modes = domain == DOMAIN_ALL,
		/* Linux names such kinds armv8_cortex_a76 or similar. */
		.whole_stalls = strncmp(k->pmu, "arm", 3) == 0,
		.shares_core = v->topology->smt,
		.arm_slots = v->arm_slots,
	};

	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		c.m[m] = NAN;
	return c;
}

static uint32_t
measures_add_older(const struct bottlenecks *v, unsigned scope,
		   struct share_counts *c)
{
	const struct bottleneck_seen *seen = &v->seen[scope];
	uint32_t oldest = v->turns.interval;

	for (unsigned m = 0; m < MEASURE_COUNT; m++) {
		if (!isnan(c->m[m]) || seen->interval[m] == 0 ||
		    v->turns.interval - seen->interval[m] >= v->turns.window)
			continue;
		c->m[m] = seen->value[m];
		if (seen->interval[m] < oldest)
			oldest = seen->interval[m];
	}
	return oldest;
}

static void
bottleneck_set_word(const struct bottlenecks *v, const struct share_counts *c,
		    const struct shares *s, struct bottleneck *out)
{
	enum bottleneck_word word = (enum bottleneck_word)out->word;
	enum slot_share cause = share_of_word(word);
	int m = share_evidence(c, s, word);

	out->slots = *s;
	out->estimate =
		(uint8_t)(word == BOTTLENECK_UNKNOWN ? shares_estimate(s)
						     : BOTTLENECK_UNKNOWN);
	if (out->estimate == BOTTLENECK_BACKEND &&
	    share_evidence(c, s, BOTTLENECK_BACKEND) >= 0)
		out->estimate = BOTTLENECK_MEMORY;
	if (cause == SHARE_COUNT)
		return;
	if (word == BOTTLENECK_BACKEND && m >= 0)
		out->word = BOTTLENECK_MEMORY;
	out->share = share_middle(&s->of[cause]);
	out->basis = s->of[cause].high - s->of[cause].low < 0.01f
			     ? BOTTLENECK_OF_SLOTS
			     : BOTTLENECK_ESTIMATE;
	if (m >= 0) {
		out->evidence = (int16_t)v->metric[m];
		out->evidence_value = c->m[m];
	}
}

static void
shares_from_counts(const struct bottlenecks *v, const struct frame *f,
		   unsigned scope, struct share_counts *c,
		   struct bottleneck *out)
{
	const struct share_counts own = *c;
	uint32_t oldest = v->turns.window > 1 ? measures_add_older(v, scope, c)
					      : v->turns.interval;
	double user_pct = (double)c->m[MEASURE_USER];
	struct shares s, now;

	out->age_s = (float)(f->elapsed_s -
			     v->turns.at_s[oldest % BOTTLENECK_TURNS]);
	out->cannot = !shares_of(c, &s);
	if (out->cannot)
		return;
	out->word = (uint8_t)shares_word(&s);
	if (oldest != v->turns.interval) {
		(void)shares_of(&own, &now);
		if (!shares_admit(&now, (enum bottleneck_word)out->word))
			out->word = BOTTLENECK_UNKNOWN;
	}
	bottleneck_set_word(v, c, &s, out);
	if (user_pct < share_constants[CONSTANT_KERNEL].middle) {
		out->word = BOTTLENECK_KERNEL;
		out->estimate = BOTTLENECK_UNKNOWN;
		out->share = (float)(1 - user_pct / 100);
		out->basis = BOTTLENECK_OF_CYCLES;
		out->evidence = -1;
	}
}

static bool
row_rests_now(const struct bottlenecks *v, const struct frame *f,
	      unsigned scope, enum bottleneck_word *word)
{
	const struct span *t = &f->span[scope];
	bool off = (t->quality & QUALITY_OFF) != 0;
	bool idle = (t->quality & QUALITY_IDLE) != 0 ||
		    (!span_busy_rough(t) &&
		     span_busy_pct(t) < share_constants[CONSTANT_IDLE].middle);

	if (f->scope[scope].level != SCOPE_CORE) {
		const struct bottleneck_group *g =
			&v->group[scope - v->topology->ncpus];

		off = g->off == f->scope[scope].ncpus;
		idle = g->off + g->idle == f->scope[scope].ncpus;
	}
	*word = off ? BOTTLENECK_OFF : BOTTLENECK_IDLE;
	return off || idle;
}

static void
measure_value(struct bottlenecks *v, const struct frame *f, unsigned scope,
	      struct share_counts *c)
{
	struct bottleneck_seen *seen = &v->seen[scope];

	for (unsigned i = 0; i < v->nmeasures; i++) {
		unsigned m = v->measure[i];

		c->m[m] = value_if_good(f, scope, (unsigned)v->metric[m]);
		if (isnan(c->m[m]))
			continue;
		seen->value[m] = c->m[m];
		seen->interval[m] = v->turns.interval;
	}
}

/* Cycles per second: of user mode, or of all modes, as the events are; NAN:
 * unknown. */
static double
judged_cycles(const struct frame *f, unsigned scope,
	      const struct share_counts *c)
{
	const struct span *t = &f->span[scope];

	if (!span_has_fixed(t) || !(span_interval_s(t) > 0))
		return NAN;
	return (double)t->cycles / span_interval_s(t) *
	       (c->all_modes ? 1 : (double)c->m[MEASURE_USER] / 100);
}

static double
row_width(const struct bottlenecks *v, unsigned kind)
{
	const struct topology_kind *k = &v->topology->kind[kind];

	return k->width > 0 ? k->width
	       : strcmp(k->letter, "E") == 0
		       ? share_constants[CONSTANT_WIDTH_SMALL].middle
		       : share_constants[CONSTANT_WIDTH].middle;
}

static struct past_second *
past_second_at(const struct bottlenecks *v, unsigned row)
{
	return &v->past[row].second[v->now % BOTTLENECK_SECONDS];
}

static void
second_remember(const struct bottlenecks *v, const struct frame *f,
		unsigned scope, const struct bottleneck *b, double slots)
{
	struct past_second *p;

	if (scope >= v->topology->ncpus + v->topology->nclusters || b->cannot ||
	    b->word == BOTTLENECK_KERNEL || !(slots > 0))
		return;
	slots *= f->interval_s * 1e-6; /* scaled for the precision of float */
	p = past_second_at(v, scope);
	shares_add(&p->slots_to, &b->slots, slots);
	p->slots += (float)slots;
	p->memory +=
		b->word == BOTTLENECK_MEMORY || b->estimate == BOTTLENECK_MEMORY
			? (float)slots
			: 0;
}

static void
row_judge(struct bottlenecks *v, const struct frame *f, unsigned scope)
{
	struct bottleneck *out = &v->bottleneck[scope];
	unsigned kind = row_kind(v, f, scope);
	enum bottleneck_word still;

	*out = bottleneck_word_only(BOTTLENECK_UNKNOWN);
	if (row_rests_now(v, f, scope, &still)) {
		*out = bottleneck_word_only(still);
		out->impact = still == BOTTLENECK_IDLE ? 0 : (double)NAN;
		return;
	}
	out->cannot = true;
	if (f->scope[scope].level == SCOPE_ALL)
		return;
	if (f->domain == DOMAIN_USER || f->domain == DOMAIN_ALL) {
		struct share_counts c = bottlenecks_counts(v, kind, f->domain);

		measure_value(v, f, scope, &c);
		shares_from_counts(v, f, scope, &c, out);
		double cycles = judged_cycles(f, scope, &c);

		out->impact = cycles * 1e-9 *
			      (1 - (double)share_middle(
					   &out->slots.of[SHARE_RETIRING]));
		double slots = 1e9 * row_width(v, kind) / v->in_use;

		out->shared = 100 * slots *
			      (out->word == BOTTLENECK_MIXED ||
					       out->word == BOTTLENECK_KERNEL
				       ? out->impact
				       : cycles * 1e-9 * (double)out->share);
		out->lost_about = out->slots.of[SHARE_RETIRING].high -
					  out->slots.of[SHARE_RETIRING].low >=
				  0.01f;
		second_remember(v, f, scope, out, cycles * row_width(v, kind));
	}
	out->see = bottlenecks_see(v, out);
}

static void
seconds_advance(struct bottlenecks *v, double elapsed_s)
{
	const struct topology *t = v->topology;
	int64_t now = (int64_t)elapsed_s;
	int64_t from =
		now - v->now > HEADLINE_SPEEDS ? now - HEADLINE_SPEEDS : v->now;

	for (int64_t s = from + 1; s <= now; s++) {
		v->second[s % BOTTLENECK_SECONDS] = 0;
		for (unsigned r = 0; r < t->ncpus + t->nclusters; r++)
			v->past[r].second[s % BOTTLENECK_SECONDS] =
				(struct past_second){ .slots = 0 };
		for (unsigned k = 0; k < t->nclusters; k++)
			v->speed[k].second[s % HEADLINE_SPEEDS] =
				(struct speed_second){ .cycles = 0 };
	}
	v->now = now;
}

static void
slots_in_use_add(struct bottlenecks *v, const struct frame *f)
{
	v->in_use = 0;
	for (unsigned c = 0; c < v->topology->ncpus; c++) {
		const struct span *t = &f->span[c];

		if (span_has_fixed(t) && span_interval_s(t) > 0)
			v->in_use += (double)t->cycles / span_interval_s(t) *
				     row_width(v, v->topology->cpu[c].kind);
	}
	v->second[v->now % BOTTLENECK_SECONDS] +=
		v->in_use * f->interval_s * 1e-6;
}

static void
groups_sum(struct bottlenecks *v, const struct frame *f)
{
	const struct topology *t = v->topology;

	memset(v->group, 0, (f->nscopes - t->ncpus) * sizeof *v->group);
	for (unsigned c = 0; c < t->ncpus; c++) {
		const struct bottleneck *b = &v->bottleneck[c];
		double width = row_width(v, t->cpu[c].kind);
		unsigned row[SCOPE_ALL + 1];

		scope_rows(t, c, row);
		for (int level = SCOPE_CLUSTER; level <= SCOPE_ALL; level++) {
			struct bottleneck_group *g =
				&v->group[row[level] - t->ncpus];
			bool known = !isnan(b->impact);

			g->off += b->word == BOTTLENECK_OFF;
			g->idle += b->word == BOTTLENECK_IDLE;
			g->known += known;
			g->unknown += !known && b->word != BOTTLENECK_OFF;
			g->cycles += known ? b->impact : 0;
			g->slots += known ? b->impact * 1e9 * width : 0;
		}
	}
}

static enum value_state
why_not_judged(const struct bottlenecks *v, const struct frame *f,
	       unsigned scope)
{
	enum value_state s = v->ipc >= 0
				     ? frame_state(f, scope, (unsigned)v->ipc)
				     : VALUE_NOT_COUNTED;

	return s == VALUE_OK || s == VALUE_FEW || s == VALUE_IDLE
		       ? VALUE_NOT_COUNTED
		       : s;
}

static void
lost_write(struct bottlenecks *v, const struct frame *f, unsigned scope,
	   double *value, uint8_t *state)
{
	struct bottleneck *b = &v->bottleneck[scope];
	unsigned ncpus = v->topology->ncpus;
	struct bottleneck_group own = { .known = isnan(b->impact) ? 0U : 1U };
	const struct bottleneck_group *g =
		scope < ncpus ? &own : &v->group[scope - ncpus];
	enum value_state why = VALUE_OK;

	if (scope < ncpus)
		own.slots = b->impact * 1e9 *
			    row_width(v, v->topology->cpu[scope].kind);
	else
		b->impact = g->known > 0 ? g->cycles : (double)NAN;
	if (g->known > 0 && v->in_use > 0)
		b->lost_pct = 100 * g->slots / v->in_use;
	if (b->word == BOTTLENECK_IDLE)
		why = VALUE_IDLE;
	else if (b->word == BOTTLENECK_OFF)
		why = VALUE_OFF;
	else if (isnan(b->lost_pct))
		why = why_not_judged(v, f, scope);
	*value = why == VALUE_OK ? b->lost_pct : (double)NAN;
	*state = (uint8_t)why;
	if (why == VALUE_OK && g->unknown > 0)
		*state |= VALUE_PART;
}

static void
rows_flag(struct bottlenecks *v, const struct frame *f, unsigned scope)
{
	struct bottleneck *b = &v->bottleneck[scope];
	const struct span *t = &f->span[scope];

	if (share_of_word((enum bottleneck_word)b->word) == SHARE_COUNT)
		return;
	double core =
		b->shared * v->in_use * span_interval_s(t) /
		(100 * (double)t->cycles * row_width(v, row_kind(v, f, scope)));

	b->flagged = b->shared >= 100 * share_constants[CONSTANT_FLAG].middle ||
		     (f->scope[scope].level == SCOPE_CORE &&
		      !(span_busy_pct(t) <= 50) &&
		      core >= share_constants[CONSTANT_FLAG_CORE].middle);
}

void
bottlenecks_take(struct bottlenecks *v, const struct frame *f,
		 const uint64_t *counted, double *value, uint8_t *state)
{
	list_measures(v, counted);
	v->in_force = preset_find(f->set->name);
	follow_turns(&v->turns, f);
	seconds_advance(v, f->elapsed_s);
	slots_in_use_add(v, f);
	for (unsigned s = 0; s < f->nscopes; s++) {
		if (s == v->topology->ncpus)
			groups_sum(v, f);
		row_judge(v, f, s);
	}
	for (unsigned s = 0; s < f->nscopes && v->lost >= 0; s++) {
		size_t at = (size_t)s * f->nmetrics + (unsigned)v->lost;

		lost_write(v, f, s, &value[at], &state[at]);
		rows_flag(v, f, s);
	}
	for (unsigned k = 0; k < v->topology->nclusters; k++)
		headline_follow(v, f, k);
	headline_put(v, f);
}
