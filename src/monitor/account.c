#include "monitor/account.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
account_make_events(struct account *a)
{
	size_t cells = (size_t)a->nrows * ACCOUNT_EVENTS;

	a->event = calloc(ACCOUNT_EVENTS, sizeof *a->event);
	a->counts = calloc(cells, sizeof *a->counts);
	a->times = calloc(cells, sizeof *a->times);
	if (a->event == NULL || a->counts == NULL || a->times == NULL)
		return false;
	for (unsigned i = 0; i < ACCOUNT_EVENTS; i++) {
		a->event[i].count = a->counts + (size_t)i * a->nrows;
		a->event[i].time_s = a->times + (size_t)i * a->nrows;
	}
	return true;
}

static bool
account_make_rows(struct account *a, unsigned n)
{
	*a = (struct account){ .nrows = n };
	a->row = calloc(n, sizeof *a->row);
	return a->row != NULL;
}

bool
account_init(struct account *a, const struct topology *t)
{
	return account_make_rows(a, t->ncpus + t->nclusters) &&
	       account_make_events(a);
}

bool
account_init_rows(struct account *a, const struct topology *t)
{
	return account_make_rows(a, t->ncpus + t->nclusters + t->nkinds + 1);
}

void
account_free(struct account *a)
{
	free(a->row);
	free(a->event);
	free(a->counts);
	free(a->times);
	*a = (struct account){ 0 };
}

bool
account_move(struct account *a, const struct topology *now,
	     const struct topology *was)
{
	struct account to;

	if (!account_init(&to, now)) {
		account_free(&to);
		return false;
	}
	to.nevents = a->nevents;
	to.frames = a->frames;
	to.interval_s = a->interval_s;
	for (unsigned k = 0; k < a->nevents; k++) {
		memcpy(to.event[k].name, a->event[k].name,
		       sizeof to.event[k].name);
		to.event[k].domain = a->event[k].domain;
	}
	for (unsigned i = 0; i < to.nrows; i++) {
		unsigned from = topology_match(now, i, was);

		if (from >= a->nrows)
			continue;
		to.row[i] = a->row[from];
		for (unsigned k = 0; k < a->nevents; k++) {
			to.event[k].count[i] = a->event[k].count[from];
			to.event[k].time_s[i] = a->event[k].time_s[from];
		}
	}
	account_free(a);
	*a = to;
	return true;
}

void
account_busy_add(struct account_busy *b, double seen, double busy, bool counts,
		 double frame)
{
	if (!counts) {
		b->blank_seen += seen;
		b->blank_busy += busy;
	} else if (b->blank_seen > 0) {
		double again = fmin((seen - frame) / b->blank_seen, 1);

		if (again > 0) {
			b->seen -= again * b->blank_seen;
			b->busy -= again * b->blank_busy;
		}
		b->blank_seen = b->blank_busy = 0;
	}
	b->seen += seen;
	b->busy += busy;
	b->most = fmax(b->most, b->busy);
}

static void
busy_add_difference(struct account_busy *to, const struct account_busy *before,
		    const struct account_busy *now)
{
	to->seen += now->seen - before->seen;
	to->busy += now->busy - before->busy;
	to->most = fmax(to->most, to->busy);
}

static void
account_add_busy(struct account *a, const struct frame *f)
{
	for (unsigned i = 0; i < f->topology->ncpus; i++) {
		const struct span *c = &f->span[i];
		struct account_busy *own = &a->row[i].busy, before = *own;
		unsigned row[SCOPE_ALL + 1];
		double s = span_interval_s(c);

		if (isnan(span_busy_pct(c)))
			continue;
		double busy = isnan(span_busy_ns(c))
				      ? s * span_busy_pct(c) / 100
				      : span_busy_ns(c) / 1e9;

		account_busy_add(own, s, busy, span_has_fixed(c),
				 f->interval_s);
		scope_rows(f->topology, i, row);
		for (unsigned k = SCOPE_CORE; k <= SCOPE_ALL; k++) {
			if (row[k] >= a->nrows)
				continue;
			if (k > SCOPE_CORE)
				busy_add_difference(&a->row[row[k]].busy,
						    &before, own);
		}
	}
}

/* For a group that catches up, counts cover more time than the frame. Only the
 * time since the group's last counts is added, so that no time is counted
 * twice. */
static double
row_time_covered(const struct account_row *r, const struct span *t,
		 double frame_s, bool group)
{
	if (!group || frame_s <= 0 || span_interval_s(t) <= frame_s)
		return span_interval_s(t);
	return frame_s + fmin(span_interval_s(t) - frame_s, r->blank_s);
}

static void
account_row_add_counts(struct account_row *r, const struct span *t,
		       double frame_s, bool group)
{
	double s = row_time_covered(r, t, frame_s, group);

	if (span_has_fixed(t)) {
		struct span own = *t;

		own.wall_ns = s * 1e9;
		span_add(&r->span, &own);
		r->frames++;
	}
	if (span_interval_s(t) > 0)
		r->event_s += span_event_s(t) * (s / span_interval_s(t));
	r->blank_s = span_has_fixed(t) || span_event_s(t) > 0
			     ? 0
			     : r->blank_s + frame_s;
	for (unsigned q = 0; q < QUALITY_BITS; q++)
		if ((t->quality & 1u << q) != 0)
			r->poor_s[q] += frame_s;
}

static void
account_row_add_lost(struct account_row *r, double lost)
{
	r->bottlenecks.lost += lost;
	r->bottlenecks.lost_any = true;
}

/* A bottleneck is added for the time of this frame, lost slots for the time
 * that the row's cycles cover, which is longer in a row that catches up. */
static void
account_add_bottlenecks(struct account *a, const struct frame *f)
{
	const struct topology *t = f->topology;

	for (unsigned i = 0; f->bottleneck != NULL && i < a->nrows; i++) {
		unsigned word = f->bottleneck[i].word;

		if (f->bottleneck[i].cannot && f->scope[i].level == SCOPE_ALL)
			continue;
		a->row[i].bottlenecks.time_s[word] += f->interval_s;
		a->row[i].bottlenecks.frames[word]++;
		if (f->bottleneck[i].flagged)
			a->row[i].bottlenecks.flagged_s += f->interval_s;
		if (f->bottleneck[i].shared > 0)
			a->row[i].bottlenecks.own +=
				f->bottleneck[i].shared * f->interval_s;
	}
	for (unsigned i = 0; f->bottleneck != NULL && i < t->ncpus; i++) {
		double lost =
			f->bottleneck[i].impact * span_interval_s(&f->span[i]);
		unsigned kind = t->ncpus + t->nclusters + t->cpu[i].kind;

		if (isnan(lost))
			continue;
		account_row_add_lost(&a->row[i], lost);
		account_row_add_lost(&a->row[t->ncpus + t->cpu[i].cluster],
				     lost);
		if (kind < a->nrows) {
			account_row_add_lost(&a->row[kind], lost);
			account_row_add_lost(&a->row[a->nrows - 1], lost);
		}
	}
}

static int
account_event_index(struct account *a, const char *name, enum domain domain)
{
	for (unsigned i = 0; i < a->nevents; i++)
		if (a->event[i].domain == domain &&
		    strcmp(a->event[i].name, name) == 0)
			return (int)i;
	if (a->nevents == ACCOUNT_EVENTS)
		return -1;
	struct account_event *v = &a->event[a->nevents];

	snprintf(v->name, sizeof v->name, "%s", name);
	v->domain = domain;
	return (int)a->nevents++;
}

/* Linux counts software events in all modes, as they occur in the kernel. */
static enum domain
event_domain(const char *event, enum domain of_set)
{
	return strncmp(event, "SW_", 3) == 0 ? DOMAIN_ALL : of_set;
}

static void
account_add_event(struct account *a, const struct frame *f, unsigned slot)
{
	const char *name = f->set->slot[slot].event->name;
	int at = account_event_index(a, name, event_domain(name, f->domain));

	for (unsigned i = 0; i < a->nrows && at >= 0; i++) {
		const struct span *t = &f->span[i];
		unsigned n = t->n_ok > 0 ? t->n_ok : f->scope[i].ncpus;

		if (!span_has_slot(t, slot))
			continue;
		a->event[at].count[i] += t->slot[slot];
		a->event[at].time_s[i] += span_event_s(t) * n;
	}
}

void
account_add(struct account *a, const struct frame *f)
{
	a->frames++;
	a->interval_s += f->interval_s;
	for (unsigned i = 0; i < a->nrows; i++)
		account_row_add_counts(&a->row[i], &f->span[i], f->interval_s,
				       f->scope[i].level != SCOPE_CORE);
	account_add_busy(a, f);
	account_add_bottlenecks(a, f);
	for (unsigned k = 0; a->event != NULL && k < f->set->len; k++)
		account_add_event(a, f, k);
}

static double
bottleneck_time(const struct account_row *r)
{
	double all = 0;

	for (unsigned w = 0; w < BOTTLENECK_COUNT; w++)
		all += r->bottlenecks.time_s[w];
	return all;
}

double
account_bottleneck_pct(const struct account_row *r, unsigned word)
{
	double all = bottleneck_time(r);

	return all > 0 ? 100 * r->bottlenecks.time_s[word] / all : NAN;
}

double
account_lost_pct(const struct account_row *r, const struct account_row *all)
{
	return r->bottlenecks.lost_any && all->span.cycles > 0
		       ? 1e11 * r->bottlenecks.lost / (double)all->span.cycles
		       : NAN;
}
