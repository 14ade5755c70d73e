/*
 * Groups that must share their counters: with the NMI watchdog, or with another
 * profiler. The kernel would let them take turns, at 250 interrupts a second on
 * every idle CPU; so as many events as fit at once are counted, the least
 * important ones are left out, and come back as soon as they fit.
 *
 * What fits is asked of the kernel: it places a group at once when that is
 * enabled, behind all that others hold, or lets it wait. A look at its times
 * then tells.
 */
#include "source/perf/state.h"

#include "base/buf.h"

#include <errno.h>
#include <stdio.h>

enum {
	SHARED_MAX = 2, /* readings with a part of the time only */
	STAYS_AFTER = 3,
	PAUSE_MAX = 32 /* readings between attempts that came to nothing */
};

/* Does the set's slot take a counter of that kind? */
static bool
takes_counter(const struct perf_source *s, unsigned slot, unsigned kind)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, s->set.slot[slot].event, kind);

	return c->known && (c->how == LINUX_RAW || c->how == LINUX_GENERIC);
}

/* Has the slot no counter on that kind, since others hold them? */
static bool
is_left_out(const struct perf_source *s, unsigned slot, unsigned kind)
{
	return (s->fit[kind].left_out >> slot & 1) != 0;
}

/* A leader is of use to all the others: it is the last to go. */
static unsigned
place_of(const struct perf_source *s, unsigned slot, unsigned kind)
{
	const struct event *e = s->set.slot[slot].event;

	return perf_catalog_code(&s->catalog, e, kind)->leader
		       ? 0
		       : 1 + perf_importance(s, &s->set, slot);
}

/* The slots that take a counter of that kind, the most important first. */
static unsigned
rank_slots(const struct perf_source *s, unsigned kind,
	   unsigned slot[EVENTSET_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->set.len; i++) {
		unsigned at = n, place = place_of(s, i, kind);

		if (!takes_counter(s, i, kind))
			continue;
		for (; at > 0 && place_of(s, slot[at - 1], kind) > place; at--)
			slot[at] = slot[at - 1];
		slot[at] = i;
		n++;
	}
	return n;
}

/* ---- trials ---- */

/* A kind whose slots are being fitted. */
struct fitting {
	struct perf_source *s;
	unsigned kind;
	unsigned slot[EVENTSET_MAX], n; /* the most important first */
	unsigned keep;                  /* of them: what fits, so far */
	unsigned tight;                 /* the CPU that says so */
};

static uint32_t
without(const struct fitting *f, unsigned keep)
{
	uint32_t out = 0;

	for (unsigned i = keep; i < f->n; i++)
		out |= 1u << f->slot[i];
	return out;
}

uint32_t
perf_beyond(const struct perf_source *s, unsigned kind, unsigned keep)
{
	struct fitting f = { .s = NULL };

	f.n = rank_slots(s, kind, f.slot);
	return without(&f, keep);
}

static bool
is_of(const struct fitting *f, unsigned cpu)
{
	return f->s->topology->cpu[cpu].kind == f->kind;
}

/* Opens the CPU's group with so many slots: do all of them run at once? */
static bool
runs_with(const struct fitting *f, unsigned cpu, unsigned keep)
{
	struct perf_source *s = f->s;
	struct group *g = &s->cpu[cpu].group;

	perf_plan_kind(s, &s->set, f->kind, without(f, keep));
	group_close(g, &s->port);
	(void)group_open(g, &s->port, &s->next[f->kind],
			 s->topology->cpu[cpu].id);
	return group_runs(g, &s->port);
}

/* As many as fit on this CPU; what fits on no other is not tried here. */
static void
fit_cpu(struct fitting *f, unsigned cpu)
{
	unsigned fits = 0, most = f->keep;

	if (runs_with(f, cpu, most))
		return;
	f->tight = cpu;
	/* The pair stays in any case, if need be by turns. */
	while (fits + 1 < most) {
		unsigned half = (fits + most) / 2;

		if (runs_with(f, cpu, half))
			fits = half;
		else
			most = half;
	}
	f->keep = fits;
}

/* What all CPUs of the kind can count; they do from now on. */
static void
fit_kind(struct perf_source *s, unsigned kind)
{
	struct perf_fit *fit = &s->fit[kind];
	struct fitting f = { .s = s, .kind = kind, .tight = fit->tight };

	f.n = f.keep = rank_slots(s, kind, f.slot);
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (is_of(&f, i) && s->cpu[i].group.open)
			fit_cpu(&f, i);
	fit->left_out = without(&f, f.keep);
	fit->tight = f.tight;
	perf_plan_kind(s, &s->set, kind, fit->left_out);
	s->plan[kind] = s->next[kind];
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		struct perf_cpu *c = &s->cpu[i];

		if (!is_of(&f, i))
			continue;
		c->shared = c->starved = 0;
		/* Those before the tightest were tried with more. */
		if (c->group.open)
			(void)runs_with(&f, i, f.keep);
	}
}

/* Would one of those left out find a counter now, besides all that counts? */
static bool
finds_counter(struct perf_source *s, unsigned kind)
{
	struct fitting f = { .s = s, .kind = kind };
	struct group trial = { .open = false };
	struct group_plan plan = { .len = 0 }, *all = &s->next[kind];
	unsigned cpu = s->fit[kind].tight, slot = EVENTSET_MAX;
	bool runs;
	int code;

	f.n = rank_slots(s, kind, f.slot);
	for (unsigned i = f.n; i-- > 0;)
		if (is_left_out(s, f.slot[i], kind))
			slot = f.slot[i];
	perf_plan_kind(s, &s->set, kind, 0);
	for (unsigned i = 0; i < all->len; i++)
		if (all->member[i].what == GROUP_SLOT + slot)
			plan.member[plan.len++] = all->member[i];
	if (plan.len == 0 || !s->cpu[cpu].group.open)
		return false;
	code = group_open(&trial, &s->port, &plan, s->topology->cpu[cpu].id);
	if (code != 0) /* EINVAL: it counts behind its leader only */
		return code == EINVAL;
	runs = group_runs(&trial, &s->port);
	group_close(&trial, &s->port);
	return runs;
}

/* ---- what a person is told ---- */

/* Is a slot left out on some kind? */
static bool
is_out(const struct perf_source *s, unsigned slot)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		if (is_left_out(s, slot, k))
			return true;
	return false;
}

static void
explain(struct perf_source *s)
{
	struct buf b = buf_over(s->crowded, sizeof s->crowded - 1);
	const char *why =
		s->yields
			? "processes have the counters while they are wanted"
			: "another profiler or the NMI watchdog holds counters";

	/* Rows of ours follow those that came with the set. */
	s->set.ndropped = s->dropped_before;
	for (unsigned i = 0; i < s->set.len; i++) {
		const char *name = s->set.slot[i].event->name;
		unsigned d = s->set.ndropped;

		if (!is_out(s, i))
			continue;
		buf_str(&b,
			b.len > 0 ? ", "
			: s->yields
				? "not counted of the cores, as processes have the counters: "
				: "not counted, as another profiler or the NMI watchdog holds counters: ");
		buf_str(&b, name);
		if (d == EVENTSET_MAX)
			continue;
		s->set.dropped[d].event = name;
		snprintf(s->set.dropped[d].why, sizeof s->set.dropped[d].why,
			 "%s", why);
		s->set.ndropped++;
	}
	buf_cstr(&b);
}

/* ---- when ---- */

/* The kind has too few counters for what is open, on some CPU. */
static bool
is_short(const struct perf_source *s, unsigned kind)
{
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (s->topology->cpu[i].kind == kind && s->cpu[i].group.open &&
		    (s->cpu[i].shared >= SHARED_MAX || s->cpu[i].starved > 0))
			return true;
	return false;
}

/* Is there anything that could be given up? */
static bool
has_slots(const struct perf_source *s, unsigned kind)
{
	for (unsigned i = 0; i < s->set.len; i++)
		if (takes_counter(s, i, kind) && !is_left_out(s, i, kind))
			return true;
	return false;
}

/* Attempts that come to nothing cost little; still, they become rarer. */
static void
wait_longer(struct perf_fit *fit)
{
	fit->pause = fit->pause >= PAUSE_MAX / 2 ? PAUSE_MAX : 2 * fit->pause;
	fit->wait = fit->pause;
	fit->grew = 0;
}

static bool
may_open(struct perf_source *s)
{
	/* Groups that are open outlive the right to open them. */
	return perf_hardware_errno(s) == 0;
}

static bool
shrink(struct perf_source *s, unsigned kind)
{
	struct perf_fit *fit = &s->fit[kind];

	if (!is_short(s, kind) || !has_slots(s, kind) || !may_open(s))
		return false;
	fit_kind(s, kind);
	fit->wait = fit->pause;
	if (fit->grew > 0) /* it did not stay for long */
		wait_longer(fit);
	return true;
}

static bool
grow(struct perf_source *s, unsigned kind)
{
	struct perf_fit *fit = &s->fit[kind];
	uint32_t before = fit->left_out;

	if (fit->grew > 0 && --fit->grew == 0)
		fit->pause = fit->wait = 1;
	if (before == 0 || (fit->wait > 0 && --fit->wait > 0))
		return false;
	fit->wait = fit->pause;
	if (!finds_counter(s, kind) || !may_open(s))
		return false;
	fit_kind(s, kind);
	if (fit->left_out == before)
		wait_longer(fit);
	else
		fit->grew = STAYS_AFTER;
	return true;
}

static void
fit_all(struct perf_source *s)
{
	s->crowded[0] = '\0';
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		s->fit[k] = (struct perf_fit){ .wait = 1, .pause = 1 };
		if (!s->counts || s->set.len == 0 || s->turns)
			continue;
		for (unsigned i = 0; i < s->topology->ncpus; i++)
			if (s->topology->cpu[i].kind == k &&
			    !group_runs(&s->cpu[i].group, &s->port)) {
				fit_kind(s, k);
				break;
			}
	}
	explain(s);
}

void
perf_fit_new_set(struct perf_source *s)
{
	s->yields = 0;
	s->dropped_before = s->set.ndropped;
	fit_all(s);
}

/* Opens what is open again, by the kind's next[]. */
static void
open_again(struct perf_source *s, unsigned kind)
{
	s->plan[kind] = s->next[kind];
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		struct perf_cpu *c = &s->cpu[i];

		if (s->topology->cpu[i].kind != kind || !c->group.open)
			continue;
		c->shared = c->starved = 0;
		group_close(&c->group, &s->port);
		(void)group_open(&c->group, &s->port, &s->plan[kind],
				 s->topology->cpu[i].id);
	}
}

/* Without the least important of the kind. */
static uint32_t
without_last(const struct perf_source *s, unsigned kind, unsigned slots)
{
	struct fitting f = { .s = NULL };

	f.n = rank_slots(s, kind, f.slot);
	return without(&f, f.n > slots ? f.n - slots : 0);
}

bool
perf_yield(struct perf_source *s, unsigned slots)
{
	if (s->yields == slots)
		return true;
	if (!s->counts || s->set.len == 0 || s->turns || !may_open(s))
		return false;
	s->yields = slots;
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		s->fit[k].left_out = without_last(s, k, slots);
		perf_plan_kind(s, &s->set, k, s->fit[k].left_out);
		open_again(s, k);
	}
	s->set.ndropped = s->dropped_before;
	if (slots > 0)
		explain(s);
	else
		fit_all(s);
	return true;
}

bool
perf_fit(struct perf_source *s)
{
	bool changed = false;

	if (!s->counts || s->set.len == 0 || s->turns || s->yields > 0)
		return false;
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		changed = shrink(s, k) || grow(s, k) || changed;
	if (changed)
		explain(s);
	return changed;
}
