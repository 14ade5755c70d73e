/*
 * Groups that must share their counters: with the NMI watchdog, or with another
 * profiler. The kernel would let them take turns, at 250 interrupts a second on
 * every idle CPU; so the least important event goes, and comes back later.
 */
#include "source/perf_state_linux.h"

#include "base/buf.h"
#include "model/metric.h"

#include <stdio.h>
#include <string.h>

enum { SHARED_MAX = 2, FITS_AFTER = 3, NOBODY = -1 };

static const int64_t grow_first_ns = 30000000000, grow_max_ns = 600000000000;

/* Does the set's slot take a counter of that kind? */
static bool
takes_counter(const struct perf_source *s, unsigned slot, unsigned kind)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, s->set.slot[slot].event, kind);

	return c->known && (c->how == LINUX_RAW || c->how == LINUX_GENERIC);
}

static bool
names(const char *formula, const char *event)
{
	size_t len = strlen(event);
	const char *at = formula;

	while ((at = strstr(at, event)) != NULL) {
		if ((at == formula || strchr(" (+|", at[-1]) != NULL) &&
		    (at[len] == '\0' || strchr(" )+|", at[len]) != NULL))
			return true;
		at += len;
	}
	return false;
}

/* Which of the metrics needs the event first; `most`: none does. */
static unsigned
first_of(const struct perf_source *s, const char *const *metric, unsigned most,
	 const char *event)
{
	for (unsigned i = 0; i < most && metric[i] != NULL; i++) {
		char text[512];
		int m = metric_find(metric[i]);

		if (m >= 0 &&
		    names(metric_formula(&metric_table[m], &s->catalog.catalog,
					 text, sizeof(text)),
			  event))
			return i;
	}
	return most;
}

unsigned
perf_importance(const struct perf_source *s, const struct eventset *set,
		unsigned slot)
{
	const char *event = set->slot[slot].event->name;
	int preset = preset_find(set->name);
	unsigned at;

	if (preset < 0) /* the person's own list is in order */
		return slot;
	at = first_of(s, preset_table[preset].keep, PRESET_KEEP, event);
	if (at < PRESET_KEEP)
		return at;
	return PRESET_KEEP +
	       first_of(s, preset_table[preset].metrics, PRESET_METRICS, event);
}

/* The least important slot that is counted, or the most that is left out. */
static int
choose(const struct perf_source *s, unsigned kind, bool left_out)
{
	unsigned best = 0;
	int at = NOBODY;

	for (unsigned i = 0; i < s->set.len; i++) {
		bool out = (s->left_out[kind] >> i & 1) != 0;
		unsigned place = perf_importance(s, &s->set, i);

		if (out != left_out || !takes_counter(s, i, kind))
			continue;
		/* A leader is of use to all the others: last. */
		if (perf_catalog_code(&s->catalog, s->set.slot[i].event, kind)
			    ->leader)
			place = 0;
		if (at == NOBODY || (left_out ? place < best : place >= best)) {
			best = place;
			at = (int)i;
		}
	}
	return at;
}

/* Is a slot left out on some kind? */
static bool
is_out(const struct perf_source *s, unsigned slot)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		if ((s->left_out[k] >> slot & 1) != 0)
			return true;
	return false;
}

static void
explain(struct perf_source *s)
{
	struct buf b = buf_over(s->crowded, sizeof(s->crowded) - 1);

	/* Rows of ours follow those that came with the set. */
	s->set.ndropped = s->dropped_before;
	for (unsigned i = 0; i < s->set.len; i++) {
		const char *name = s->set.slot[i].event->name;
		unsigned d = s->set.ndropped;

		if (!is_out(s, i))
			continue;
		buf_str(&b, b.len == 0 ? "not counted, as another profiler or "
					 "the NMI watchdog holds counters: "
				       : ", ");
		buf_str(&b, name);
		if (d == EVENTSET_MAX)
			continue;
		s->set.dropped[d].event = name;
		snprintf(s->set.dropped[d].why, sizeof(s->set.dropped[d].why),
			 "another profiler or the NMI watchdog holds counters");
		s->set.ndropped++;
	}
	(void)buf_cstr(&b);
}

static void
open_again(struct perf_source *s, int64_t now_ns)
{
	size_t size = s->catalog.nkinds * sizeof(s->left_out[0]);
	struct err e;

	perf_plan(s, &s->set, s->left_out);
	/* Else the groups before go on, and it is tried again later. */
	if (perf_adopt(s, &e)) {
		memcpy(s->fitted, s->left_out, size);
	} else {
		memcpy(s->left_out, s->fitted, size);
		s->grew = 0;
		s->grow_ns = now_ns + s->grow_wait_ns;
		for (unsigned i = 0; i < s->topology->ncpus; i++)
			s->cpu[i].shared = 0;
	}
	explain(s);
}

static bool
shares(const struct perf_source *s, unsigned kind)
{
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		if (s->topology->cpu[i].kind == kind && s->cpu[i].group.open &&
		    s->cpu[i].shared >= SHARED_MAX)
			return true;
	return false;
}

static bool
any_shares(const struct perf_source *s)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		if (shares(s, k) && choose(s, k, false) != NOBODY)
			return true;
	return false;
}

static bool
shrink(struct perf_source *s, int64_t now_ns)
{
	bool any = false;

	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		int slot = shares(s, k) ? choose(s, k, false) : NOBODY;

		if (slot == NOBODY)
			continue;
		s->left_out[k] |= 1u << slot;
		any = true;
	}
	if (!any)
		return false;
	if (s->grew > 0 && s->grow_wait_ns < grow_max_ns / 2)
		s->grow_wait_ns *= 2;
	else if (s->grew > 0)
		s->grow_wait_ns = grow_max_ns;
	s->grew = 0;
	s->grow_ns = now_ns + s->grow_wait_ns;
	return true;
}

static bool
grow(struct perf_source *s, int64_t now_ns)
{
	bool any = false, more = false;

	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		int slot = choose(s, k, true);

		if (slot == NOBODY)
			continue;
		s->left_out[k] &= ~(1u << slot);
		any = true;
		more = more || s->left_out[k] != 0;
	}
	s->grew = any ? FITS_AFTER : 0;
	s->grow_ns = more ? now_ns + s->grow_wait_ns : INT64_MAX;
	return any;
}

void
perf_fit_anew(struct perf_source *s)
{
	memset(s->left_out, 0, s->catalog.nkinds * sizeof(s->left_out[0]));
	memset(s->fitted, 0, s->catalog.nkinds * sizeof(s->fitted[0]));
	s->dropped_before = s->set.ndropped;
	s->crowded[0] = '\0';
	s->grew = 0;
	s->grow_wait_ns = grow_first_ns;
	s->grow_ns = INT64_MAX;
}

void
perf_fit(struct perf_source *s, int64_t now_ns)
{
	if (!s->counts || s->set.len == 0)
		return;
	/* Groups that are open outlive the right to open them. */
	if ((any_shares(s) || now_ns >= s->grow_ns) &&
	    perf_software_errno(s) != 0)
		return;
	if (shrink(s, now_ns)) {
		open_again(s, now_ns);
		return;
	}
	/* It fitted this time: the next wait is a short one again. */
	if (s->grew > 0 && --s->grew == 0)
		s->grow_wait_ns = grow_first_ns;
	if (now_ns >= s->grow_ns && grow(s, now_ns))
		open_again(s, now_ns);
}
