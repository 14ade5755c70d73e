/* Groups share counters with the NMI watchdog and other profilers. If counters
 * are too few, the kernel rotates groups, with 250 interrupts per second even
 * on an idle CPU. Instead ktop leaves out the least important events and
 * regains them later. A new group gets counters at once or waits, which shows
 * whether it fits. */
#include "source/perf/state.h"

#include "base/buf.h"

#include <errno.h>
#include <stdio.h>

enum {
	SHARED_MAX = 2, /* after so many consecutive readings with shared
			   counters, events are left out */
	STAYS_AFTER = 3,
	PAUSE_MAX = 32 /* most readings between two tries */
};

static bool
slot_takes_counter(const struct perf_source *s, unsigned slot, unsigned kind)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, s->set.slot[slot].event, kind);

	return c->known && (c->how == LINUX_RAW || c->how == LINUX_GENERIC);
}

static bool
slot_is_left_out(const struct perf_source *s, unsigned slot, unsigned kind)
{
	return (s->fit[kind].left_out >> slot & 1) != 0;
}

static unsigned
rank_slots(const struct perf_source *s, unsigned kind,
	   unsigned slot[EVENTSET_MAX])
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->set.len; i++) {
		unsigned at = n, rank = perf_slot_rank(s, &s->set, kind, i);

		if (!slot_takes_counter(s, i, kind))
			continue;
		for (; at > 0 &&
		       perf_slot_rank(s, &s->set, kind, slot[at - 1]) > rank;
		     at--)
			slot[at] = slot[at - 1];
		slot[at] = i;
		n++;
	}
	return n;
}

struct fitting {
	struct perf_source *s;
	unsigned kind;
	unsigned slot[EVENTSET_MAX + 1], n;
	unsigned keep;
};

static struct fitting
fitting_start(struct perf_source *s, unsigned kind)
{
	struct fitting f = { .s = s, .kind = kind };

	f.n = f.keep = rank_slots(s, kind, f.slot);
	return f;
}

/* Slots events need each other. If a set has no other events, the instructions
 * event is dropped first where it takes a general counter. */
static struct fitting
fitting_start_with_fixed(struct perf_source *s, unsigned kind)
{
	struct fitting f = fitting_start(s, kind);
	unsigned slots = 0;

	for (unsigned i = 0; i < f.n; i++)
		slots += event_is_slots(s->set.slot[f.slot[i]].event->name);
	if (slots > 0 && slots == f.n && s->catalog.kind[kind].family->no_fixed)
		f.slot[f.n++] = FIT_INSTRUCTIONS;
	f.keep = f.n;
	return f;
}

static uint32_t
fitting_left_out(const struct fitting *f, unsigned keep)
{
	uint32_t out = 0;

	for (unsigned i = keep; i < f->n; i++)
		out |= 1u << f->slot[i];
	return out;
}

uint32_t
perf_slots_beyond(struct perf_source *s, unsigned kind, unsigned keep)
{
	const struct fitting f = fitting_start(s, kind);

	return fitting_left_out(&f, keep);
}

static bool
cpu_group_fits(const struct fitting *f, unsigned cpu, unsigned keep)
{
	struct perf_source *s = f->s;
	struct group *g = &s->cpu[cpu].group;

	perf_plan_kind(s, &s->set, f->kind, fitting_left_out(f, keep));
	group_close(g, &s->port);
	(void)group_open(g, &s->port, &s->next[f->kind],
			 s->topology->cpu[cpu].id);
	return group_runs(g, &s->port);
}

static bool
cpu_counts_kind(const struct fitting *f, unsigned cpu)
{
	return f->s->topology->cpu[cpu].kind == f->kind &&
	       f->s->cpu[cpu].group.open;
}

/* Reduces f->keep, by binary search, to the events that fit on this CPU. */
static void
fitting_shrink_to_cpu(struct fitting *f, unsigned cpu)
{
	unsigned fits = 0, most = f->keep;

	if (cpu_group_fits(f, cpu, most))
		return;
	f->s->fit[f->kind].full_cpu = cpu;
	/* Accepts 0 events untested, even if fixed counters must be rotated. */
	while (fits + 1 < most) {
		unsigned half = (fits + most) / 2;

		if (cpu_group_fits(f, cpu, half))
			fits = half;
		else
			most = half;
	}
	f->keep = fits;
}

static void
fitting_open_kind(const struct fitting *f, unsigned keep)
{
	struct perf_source *s = f->s;

	s->fit[f->kind].left_out = fitting_left_out(f, keep);
	perf_plan_kind(s, &s->set, f->kind, fitting_left_out(f, keep));
	s->plan[f->kind] = s->next[f->kind];
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		if (!cpu_counts_kind(f, i))
			continue;
		s->cpu[i].shared = s->cpu[i].not_counting = 0;
		(void)cpu_group_fits(f, i, keep);
	}
}

static void
fit_kind(struct perf_source *s, unsigned kind)
{
	struct fitting f = fitting_start_with_fixed(s, kind);

	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (cpu_counts_kind(&f, i))
			fitting_shrink_to_cpu(&f, i);
	fitting_open_kind(&f, f.keep);
}

static bool
left_out_slot_fits(struct perf_source *s, unsigned kind)
{
	const struct fitting f = fitting_start_with_fixed(s, kind);
	unsigned cpu = s->fit[kind].full_cpu, kept = 0;

	while (kept < f.n && !slot_is_left_out(s, f.slot[kept], kind))
		kept++;
	if (!cpu_counts_kind(&f, cpu))
		return false;
	if (cpu_group_fits(&f, cpu, kept + 1))
		return true;
	(void)cpu_group_fits(&f, cpu, kept);
	return false;
}

static void
note_left_out_slots(struct perf_source *s)
{
	struct buf b =
		buf_over(s->left_out_notice, sizeof s->left_out_notice - 1);
	const char *why =
		s->yields
			? "processes use the counters"
			: "another profiler or the NMI watchdog uses counters";
	int64_t on;

	s->set.ndropped = s->dropped_before;
	for (unsigned i = 0; i <= FIT_INSTRUCTIONS; i++) {
		unsigned d = s->set.ndropped, k = 0;
		const char *name = i == FIT_INSTRUCTIONS ? "INST_ALL"
				   : i < s->set.len ? s->set.slot[i].event->name
						    : NULL;

		while (k < s->catalog.nkinds && !slot_is_left_out(s, i, k))
			k++;
		if (name == NULL || k == s->catalog.nkinds)
			continue;
		buf_printf(
			&b, "%s%s",
			b.len > 0 ? ", "
			: s->yields
				? "not counted on CPUs while processes use the counters: "
				: "not counted, as another profiler or the NMI watchdog uses counters: ",
			name);
		if (d == EVENTSET_MAX)
			continue;
		s->set.dropped[d].event = name;
		snprintf(s->set.dropped[d].why, sizeof s->set.dropped[d].why,
			 "%s", why);
		s->set.ndropped++;
	}
	if (b.len > 0 && !s->yields &&
	    sysfs_number(s->root, "/proc/sys/kernel/nmi_watchdog", &on) &&
	    on != 0)
		buf_str(&b, " (sysctl kernel.nmi_watchdog=0)");
	buf_cstr(&b);
}

static bool
kind_lacks_counters(const struct perf_source *s, unsigned kind)
{
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (s->topology->cpu[i].kind == kind && s->cpu[i].group.open &&
		    (s->cpu[i].shared >= SHARED_MAX ||
		     s->cpu[i].not_counting > 0))
			return true;
	return false;
}

static bool
kind_has_slots(const struct perf_source *s, unsigned kind)
{
	for (unsigned i = 0; i < s->set.len; i++)
		if (slot_takes_counter(s, i, kind) &&
		    !slot_is_left_out(s, i, kind))
			return true;
	return false;
}

static void
fit_back_off(struct perf_fit *fit)
{
	fit->pause = fit->pause >= PAUSE_MAX / 2 ? PAUSE_MAX : 2 * fit->pause;
	fit->wait = fit->pause;
	fit->stable_in = 0;
}

/* Tries an open first: without permission, closed groups stay closed. */
static bool
kind_shrink(struct perf_source *s, unsigned kind)
{
	struct perf_fit *fit = &s->fit[kind];

	if (!kind_lacks_counters(s, kind) || !kind_has_slots(s, kind) ||
	    perf_try_open(s, true) != 0)
		return false;
	fit_kind(s, kind);
	fit->wait = fit->pause;
	if (fit->stable_in > 0)
		fit_back_off(fit);
	return true;
}

static bool
kind_grow(struct perf_source *s, unsigned kind)
{
	struct perf_fit *fit = &s->fit[kind];
	uint32_t before = fit->left_out;

	if (fit->stable_in > 0 && --fit->stable_in == 0)
		fit->pause = fit->wait = 1;
	if (before == 0 || (fit->wait > 0 && --fit->wait > 0))
		return false;
	fit->wait = fit->pause;
	if (perf_try_open(s, true) != 0 || !left_out_slot_fits(s, kind))
		return false;
	fit_kind(s, kind);
	if (fit->left_out == before)
		fit_back_off(fit);
	else
		fit->stable_in = STAYS_AFTER;
	return true;
}

static void
fit_all_kinds(struct perf_source *s)
{
	s->left_out_notice[0] = '\0';
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
	note_left_out_slots(s);
}

void
perf_fit_begin(struct perf_source *s)
{
	s->yields = 0;
	s->dropped_before = s->set.ndropped;
	fit_all_kinds(s);
}

bool
perf_yield_slots(struct perf_source *s, unsigned slots)
{
	if (s->yields == slots)
		return true;
	if (!s->counts || s->set.len == 0 || s->turns ||
	    perf_try_open(s, true) != 0)
		return false;
	s->yields = slots;
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		const struct fitting f = fitting_start(s, k);

		fitting_open_kind(&f, f.n > slots ? f.n - slots : 0);
	}
	s->set.ndropped = s->dropped_before;
	if (slots > 0)
		note_left_out_slots(s);
	else
		fit_all_kinds(s);
	return true;
}

bool
perf_fit(struct perf_source *s)
{
	bool changed = false;

	if (!s->counts || s->set.len == 0 || s->turns || s->yields > 0)
		return false;
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		changed = kind_shrink(s, k) || kind_grow(s, k) || changed;
	if (changed)
		note_left_out_slots(s);
	return changed;
}
