#include "analysis/digest_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/recorded.h"
#include "model/term.h"

/* A CPU under one set. */
struct sum_cpu {
	struct recorded_cpu counts;
	struct account_busy busy; /* ns */
};

struct sum_set {
	struct eventset set;
	enum domain domain;
	int64_t interval_ns; /* of its frames */
	struct sum_cpu *cpu; /* [ncpus] */
};

struct digest_sums {
	unsigned ncpus, nsets;
	struct sum_set set[DIGEST_SETS_MAX];
};

struct digest_sums *
digest_sums_new(unsigned ncpus, struct err *e)
{
	struct digest_sums *x = calloc(1, sizeof *x);

	if (x == NULL)
		(void)err_set(e, ERR_FAIL, "out of memory for a summary");
	else
		x->ncpus = ncpus;
	return x;
}

void
digest_sums_free(struct digest_sums *x)
{
	for (unsigned i = 0; x != NULL && i < x->nsets; i++)
		free(x->set[i].cpu);
	free(x);
}

static bool
counts_same(const struct sum_set *a, const struct sample *s)
{
	if (a->domain != s->domain || a->set.len != s->set->len)
		return false;
	for (unsigned i = 0; i < a->set.len; i++)
		if (a->set.slot[i].event != s->set->slot[i].event)
			return false;
	return true;
}

static struct sum_set *
set_of(struct digest_sums *x, const struct sample *s, struct err *e)
{
	for (unsigned i = 0; i < x->nsets; i++)
		if (counts_same(&x->set[i], s))
			return &x->set[i];
	if (x->nsets == DIGEST_SETS_MAX) {
		(void)err_set(
			e, ERR_FAIL,
			"the recording has more than %d event sets; take a part of it (--from, --to)",
			DIGEST_SETS_MAX);
		return NULL;
	}
	struct sum_set *set = &x->set[x->nsets];

	set->set = *s->set;
	set->domain = s->domain;
	set->cpu = calloc(x->ncpus, sizeof *set->cpu);
	if (set->cpu == NULL) {
		(void)err_set(e, ERR_FAIL, "out of memory for a summary");
		return NULL;
	}
	x->nsets++;
	return set;
}

static void
add_cpu(struct sum_cpu *sum, const struct recorded_cpu *c, int64_t frame_ns,
	unsigned nslots)
{
	struct recorded_cpu *to = &sum->counts;
	bool slots = c->event_ns > 0;

	if (!c->there)
		return;
	to->there = true;
	if (!isnan(c->busy_share))
		account_busy_add(&sum->busy, (double)c->interval_ns,
				 c->busy_share * (double)c->interval_ns,
				 c->fixed_known, (double)frame_ns);
	if (!c->fixed_known && !slots)
		return;
	to->interval_ns += c->interval_ns;
	to->fixed_known = to->fixed_known || c->fixed_known;
	for (unsigned i = 0; c->fixed_known && i < FIXED_COUNT; i++)
		to->fixed[i] += c->fixed[i];
	if (!slots)
		return;
	/* One frame that does not say leaves the sum without them, too. */
	to->pair_known = c->pair_known && (to->pair_known || to->event_ns == 0);
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		to->pair[i] += c->pair_known ? c->pair[i] : 0;
	to->event_ns += c->event_ns;
	for (unsigned i = 0; i < nslots; i++) {
		to->slot_known[i] = to->slot_known[i] || c->slot_known[i];
		to->slot[i] += c->slot_known[i] ? c->slot[i] : 0;
	}
}

bool
digest_sums_add(struct digest_sums *x, const struct sample *s, struct err *e)
{
	struct sum_set *set = set_of(x, s, e);

	if (set == NULL)
		return false;
	set->interval_ns += s->recorded->interval_ns;
	for (unsigned i = 0; i < x->ncpus; i++)
		add_cpu(&set->cpu[i], &s->recorded->cpu[i],
			s->recorded->interval_ns, s->set->len);
	return true;
}

/* ---- what it comes to ---- */

/* A frame as long as all that were added to `from`. */
static void
lay_out(struct recorded_cpu *out, const struct sum_cpu *from, unsigned ncpus)
{
	for (unsigned i = 0; i < ncpus; i++) {
		out[i] = from[i].counts;
		out[i].busy_share = NAN;
		if (from[i].busy.seen > 0)
			out[i].busy_share =
				from[i].busy.busy / from[i].busy.seen;
		if (!out[i].fixed_known && out[i].event_ns == 0)
			out[i].quality = QUALITY_STALE;
	}
}

static const struct frame *
feed(struct monitor *m, const struct eventset *set, enum domain domain,
     int64_t interval_ns, const struct recorded_cpu *cpu)
{
	struct recorded r = { .interval_ns = interval_ns, .cpu = cpu };
	struct sample s = {
		.stamp = { interval_ns, interval_ns, 0 },
		.domain = domain,
		.set = set,
		.recorded = &r,
	};

	return monitor_feed(m, &s);
}

/* The slot whose event all of the metric's denominator is, or -1. */
static int
divisor(const struct metric *m, const struct eventset *set)
{
	const char *text = m->den[0].event;
	struct term_names names;

	if (text == NULL || m->den[1].event != NULL)
		return -1;
	while (term_next(&text, &names)) {
		if (names.n != 1)
			return -1;
		for (unsigned i = 0; i < set->len; i++) {
			const char *name = set->slot[i].event->name;

			if (strlen(name) == names.len[0] &&
			    memcmp(name, names.at[0], names.len[0]) == 0)
				return (int)i;
		}
	}
	return -1;
}

static double
weight_of(const struct metric *m, const struct frame *f, unsigned row)
{
	const struct tally *t = &f->tally[row];
	int slot = divisor(m, f->set);

	if (slot >= 0 && t->slot_known[slot])
		return (double)t->slot[slot];
	return t->event_s > 0 ? t->event_s : t->interval_s;
}

/* Does only the fixed pair make it? Then every set counted it. */
bool
digest_is_fixed(const struct metric *m)
{
	for (unsigned i = 0; i < METRIC_TERMS; i++) {
		const char *num = m->num[i].event, *den = m->den[i].event;

		if (num != NULL && term_pseudo(num, (unsigned)strlen(num)) < 0)
			return false;
		if (den != NULL && term_pseudo(den, (unsigned)strlen(den)) < 0)
			return false;
	}
	return true;
}

static void
take_set(struct digest *d, const struct frame *f)
{
	for (unsigned r = 0; r < f->nscopes; r++)
		for (unsigned m = 0; m < f->nmetrics; m++) {
			struct digest_cell *c = digest_at(d, r, m);
			double v = frame_value(f, r, m);

			if (isnan(v) || digest_is_fixed(d->metric[m]) ||
			    d->metric[m]->core)
				continue;
			double w = weight_of(d->metric[m], f, r);

			c->sum += w * v;
			c->weight += w;
			c->value = c->weight > 0 ? c->sum / c->weight : NAN;
		}
}

static void
take_fixed(struct digest *d, const struct frame *f)
{
	for (unsigned r = 0; r < f->nscopes; r++)
		for (unsigned m = 0; m < f->nmetrics; m++)
			/* A verdict is of a moment: sums have none. */
			if (digest_is_fixed(d->metric[m]) &&
			    !d->metric[m]->judged)
				digest_at(d, r, m)->value =
					frame_value(f, r, m);
}

/* The fixed pair alone, whatever the slots counted meanwhile. */
static void
add_sum(struct sum_cpu *all, const struct sum_cpu *part)
{
	all->counts.there = true;
	all->counts.interval_ns += part->counts.interval_ns;
	all->counts.fixed_known =
		all->counts.fixed_known || part->counts.fixed_known;
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		all->counts.fixed[i] += part->counts.fixed[i];
	all->busy.seen += part->busy.seen;
	all->busy.busy += part->busy.busy;
}

bool
digest_sums_value(struct digest_sums *x, struct digest *d, struct monitor *m,
		  struct err *e)
{
	static const struct eventset none;
	struct sum_cpu *all = calloc(x->ncpus, sizeof *all);
	struct recorded_cpu *cpu = calloc(x->ncpus, sizeof *cpu);
	int64_t interval_ns = 0;

	for (unsigned i = 0; all != NULL && cpu != NULL && i < x->nsets; i++) {
		struct sum_set *set = &x->set[i];

		lay_out(cpu, set->cpu, x->ncpus);
		take_set(d, feed(m, &set->set, set->domain, set->interval_ns,
				 cpu));
		interval_ns += set->interval_ns;
		for (unsigned c = 0; c < x->ncpus; c++)
			add_sum(&all[c], &set->cpu[c]);
	}
	if (all != NULL && cpu != NULL) {
		lay_out(cpu, all, x->ncpus);
		take_fixed(d, feed(m, &none, DOMAIN_NONE, interval_ns, cpu));
	} else {
		(void)err_set(e, ERR_FAIL, "out of memory for a summary");
	}
	free(all);
	free(cpu);
	return interval_ns > 0;
}
