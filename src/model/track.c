#include "model/track.h"

#include <math.h>
#include <string.h>

/* Limits above any core: 10 GHz, 16 events per cycle. The slack is for rows
 * that are read microseconds apart. */
enum { CYCLES_PER_NS_MAX = 10, EVENTS_PER_CYCLE_MAX = 16 };
#define SLACK_NS 1e5
#define AHEAD_NS 6e10
#define WORD_END (UINT64_C(1) << 20) /* above config words (kperf/abi.h) */

static const double clocks_differ = 0.001;
/* A count gives no rate if it covers a smaller share of the interval. */
static const double glance_share = 0.1;

static bool
went_backwards(uint64_t now, uint64_t before)
{
	return now - before > UINT64_C(1) << 63;
}

static double
most_in(int64_t ns, int per_ns)
{
	return ((double)ns + SLACK_NS) * per_ns;
}

static bool
exceeds(uint64_t count, int64_t ns, int per_ns)
{
	return (double)count > most_in(ns, per_ns);
}

static bool
has_pair(const struct reading *fixed)
{
	return fixed[FIXED_CYCLES].supported &&
	       fixed[FIXED_INSTRUCTIONS].supported;
}

static bool
counts_any_slot(const struct tracks *t, const struct cpu_sample *c)
{
	for (unsigned i = 0; i < t->nslots; i++)
		if (c->slot[i].supported)
			return true;
	return false;
}

static bool
ahead_of_time(const struct reading *now, const struct reading *before,
	      int64_t ns)
{
	return (double)(now->enabled_ns - before->enabled_ns) >
	       (double)ns + AHEAD_NS;
}

static bool
reading_backwards(const struct reading *now, const struct reading *before)
{
	return went_backwards(now->count, before->count) ||
	       went_backwards(now->enabled_ns, before->enabled_ns) ||
	       went_backwards(now->running_ns, before->running_ns);
}

/* Is `now` possible after `before`? If rows may be stale, both counters must
 * have changed, as the interrupt that reads them runs on their CPU. */
static bool
can_follow(const struct reading *now, const struct reading *before, int64_t ns,
	   bool may_be_stale)
{
	uint64_t cycles = now[FIXED_CYCLES].count - before[FIXED_CYCLES].count;
	uint64_t work = now[FIXED_INSTRUCTIONS].count -
			before[FIXED_INSTRUCTIONS].count;

	for (int i = 0; i < FIXED_COUNT; i++)
		if (reading_backwards(&now[i], &before[i]) ||
		    ahead_of_time(&now[i], &before[i], ns))
			return false;
	if (!may_be_stale)
		return true;
	return cycles > 0 && work > 0 &&
	       !exceeds(cycles, ns, CYCLES_PER_NS_MAX) &&
	       !exceeds(work, ns, CYCLES_PER_NS_MAX * EVENTS_PER_CYCLE_MAX);
}

static bool
same_fixed(const struct reading *a, const struct reading *b)
{
	return a[FIXED_CYCLES].count == b[FIXED_CYCLES].count &&
	       a[FIXED_INSTRUCTIONS].count == b[FIXED_INSTRUCTIONS].count;
}

/* The kernel has one row buffer for all requests (xnu kern_kpc.c, 86-107), so
 * an unwritten row may contain config words or zeros. Totals are larger. */
static bool
is_no_total(const struct reading *fixed)
{
	return fixed[FIXED_CYCLES].count < WORD_END &&
	       fixed[FIXED_INSTRUCTIONS].count < WORD_END;
}

/* Until judge_rows has seen all rows, ROW_OFF means that the row made no
 * progress. */
static enum row_state
judge_delivered(const struct tracks *t, struct track *k,
		const struct cpu_sample *c, const struct sample *s)
{
	bool stale = t->rows_may_be_stale;
	int64_t now_ns = s->stamp.awake_ns, ns = now_ns - k->awake_ns;

	if (!has_pair(c->fixed)) {
		if (!counts_any_slot(t, c))
			return ROW_NONE;
		return k->have ? ROW_GOOD : ROW_FIRST;
	}
	if (!k->have)
		return stale && is_no_total(c->fixed) ? ROW_OFF : ROW_FIRST;
	if (!has_pair(k->fixed))
		return ROW_GOOD;
	/* A stale row equals the last accepted one, or that of the event
	 * change. */
	if (stale && (same_fixed(c->fixed, k->fixed) || is_no_total(c->fixed) ||
		      (k->swapped && same_fixed(c->fixed, k->swap_fixed)))) {
		k->pending = false;
		return ROW_OFF;
	}
	/* An invalid row that does not change must not become a baseline. */
	bool stood = k->pending && same_fixed(c->fixed, k->pending_fixed);

	if (!stood && can_follow(c->fixed, k->fixed, ns, stale)) {
		k->pending = false;
		return ROW_GOOD;
	}
	if (k->pending && !stood &&
	    can_follow(c->fixed, k->pending_fixed, now_ns - k->pending_awake_ns,
		       stale)) {
		k->pending = false;
		return ROW_RESET;
	}
	if (!stood)
		k->pending_awake_ns = now_ns;
	k->pending = true;
	memcpy(k->pending_fixed, c->fixed, sizeof k->pending_fixed);
	/* If the row is plausible for a longer time, the CPU is on: in a long
	 * reading the time of a row is uncertain. */
	if (!stood &&
	    can_follow(c->fixed, k->fixed, ns + k->cost_ns + s->cost_ns, stale))
		return ROW_STALE;
	return stale ? ROW_OFF : ROW_STALE;
}

static void
judge_rows(struct tracks *t, const struct sample *s)
{
	unsigned missing = 0, silent = 0;

	for (unsigned i = 0; i < t->ncpus; i++) {
		struct track *k = &t->cpu[i];

		switch (s->cpu[i].state) {
		case CPU_DELIVERED:
			k->state = judge_delivered(t, k, &s->cpu[i], s);
			silent += k->state == ROW_OFF;
			break;
		case CPU_MISSING:
			missing++;
			break;
		case CPU_OFF:
			k->state = ROW_OFF;
			break;
		case CPU_SKIPPED:
			k->state = ROW_SKIPPED;
			break;
		case CPU_DENIED:
			k->state = ROW_DENIED;
			break;
		}
	}
	/* The CPUs of missing rows are off if no CPU was silent ("Rows" in
	 * monitor/monitor.h). Sources without stale rows report CPU_OFF. If all
	 * rows are missing, the kernel refused, as at least one CPU is on. */
	bool off = t->rows_may_be_stale && silent == 0 && missing < t->ncpus;

	for (unsigned i = 0; i < s->ncpus; i++)
		if (s->cpu[i].state == CPU_MISSING)
			t->cpu[i].state = off ? ROW_OFF : ROW_STALE;
}

/* Counted time of the last event, kept because most events have the same. */
struct coverage {
	double ns;
	uint64_t enabled, running;
	double covered_ns; /* 0: not counted */
	bool muxed;
	bool known;
};

static double
covered_ns(uint64_t enabled, uint64_t running, double ns, bool *muxed)
{
	if (enabled == 0 || running == 0) {
		*muxed = enabled != 0;
		return 0;
	}
	/* If the counter's clock differs, the counter was opened later (the CPU
	 * was off line), or the CPU answered late: then the counter's clock is
	 * used. */
	if (fabs((double)enabled - ns) > clocks_differ * ns)
		ns = (double)enabled;
	if (running >= enabled - enabled / 1000)
		return ns;
	*muxed = true;
	return ns * ((double)running / (double)enabled);
}

static inline double
take_source(struct span *d, unsigned source, const struct reading *now,
	    const struct reading *before, struct coverage *of)
{
	uint64_t enabled = now->enabled_ns - before->enabled_ns;
	uint64_t running = now->running_ns - before->running_ns;

	d->count[source] = now->count - before->count;
	double ns = of->ns;

	if (now->enabled_ns != 0 || before->enabled_ns != 0) {
		if (!of->known || enabled != of->enabled ||
		    running != of->running) {
			of->known = true;
			of->enabled = enabled;
			of->running = running;
			of->muxed = false;
			of->covered_ns = covered_ns(enabled, running, of->ns,
						    &of->muxed);
		}
		ns = of->covered_ns;
		if (of->muxed) {
			d->quality |= QUALITY_MUX;
			if (!(of->covered_ns > 0))
				d->held |= 1u << source;
		}
	}
	d->missed_ns[source] = (float)(d->cpu_ns - ns);
	if (ns > 0)
		d->have_any |= 1u << source;
	return ns;
}

static void
take_slots(const struct tracks *t, const struct track *k,
	   const struct cpu_sample *c, int64_t now_ns, struct span *d)
{
	int64_t ns = now_ns - k->slots_awake_ns;
	struct coverage of = { .ns = (double)ns };
	double most = most_in(ns, CYCLES_PER_NS_MAX * EVENTS_PER_CYCLE_MAX);
	unsigned known = 0;
	double own_ns = 0;

	for (unsigned i = 0; i < t->nslots; i++) {
		d->held |= (uint32_t)c->slot[i].held << i;
		if (!c->slot[i].supported || !k->have_slots ||
		    !k->slot[i].supported || ns <= 0)
			continue;
		if (reading_backwards(&c->slot[i], &k->slot[i]) ||
		    ahead_of_time(&c->slot[i], &k->slot[i], ns) ||
		    (double)(c->slot[i].count - k->slot[i].count) > most) {
			d->quality |= QUALITY_LOST;
			continue;
		}
		double own = take_source(d, i, &c->slot[i], &k->slot[i], &of);

		if ((d->have_any & 1u << i) == 0)
			continue;
		if ((t->own >> i & 1) != 0) {
			own_ns = own;
		} else {
			d->event_ns += own;
			known++;
		}
	}
	if (known == 0 && own_ns > 0) {
		d->event_ns = own_ns;
		known = 1;
	}
	if (known == 0)
		return;
	d->event_ns /= known;
	d->have_any |= 1u << TERM_EVENT_NS;
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		if (c->fixed[i].supported && k->slot_fixed[i].supported &&
		    !reading_backwards(&c->fixed[i], &k->slot_fixed[i]))
			take_source(d, TERM_SLOT_CYCLES + i, &c->fixed[i],
				    &k->slot_fixed[i], &of);
}

/* If the counter's clock differs (the CPU was off line or answered late), it
 * gives the time of the fixed counts. */
static double
fixed_ns(const struct track *k, const struct cpu_sample *c, double ns)
{
	const struct reading *now = &c->fixed[FIXED_CYCLES];
	double enabled =
		(double)(now->enabled_ns - k->fixed[FIXED_CYCLES].enabled_ns);

	return has_pair(c->fixed) && has_pair(k->fixed) && enabled > 0 &&
			       fabs(enabled - ns) > clocks_differ * ns
		       ? enabled
		       : ns;
}

/* Counters that were opened microseconds ago give no rates: the row becomes a
 * baseline. After an event change this does not apply. */
static bool
is_barely_counted(const struct track *k, const struct cpu_sample *c, double ns)
{
	return !k->swapped && has_pair(c->fixed) && has_pair(k->fixed) &&
	       c->fixed[FIXED_CYCLES].enabled_ns != 0 &&
	       (double)(c->fixed[FIXED_CYCLES].enabled_ns -
			k->fixed[FIXED_CYCLES].enabled_ns) < glance_share * ns;
}

static void
take_good(const struct tracks *t, const struct track *k,
	  const struct cpu_sample *c, int64_t now_ns, int64_t before_ns,
	  bool slots_ok, struct span *d)
{
	double since = (double)(now_ns - k->awake_ns);

	d->cpu_ns = fixed_ns(k, c, since);
	if (since > 0) {
		d->have_any |= 1u << TERM_WALL_NS | 1u << TERM_CPU_NS;
		struct coverage of = { .ns = since };

		for (unsigned i = 0; i < FIXED_COUNT; i++) {
			uint32_t held = c->fixed[i].held;

			d->held |= held << (TERM_CYCLES + i) |
				   held << (TERM_SLOT_CYCLES + i);
			if (!c->fixed[i].supported || !k->fixed[i].supported ||
			    reading_backwards(&c->fixed[i], &k->fixed[i]))
				continue;
			take_source(d, TERM_CYCLES + i, &c->fixed[i],
				    &k->fixed[i], &of);
		}
	}
	if (k->awake_ns < before_ns)
		d->quality |= QUALITY_CATCHUP;
	if (slots_ok)
		take_slots(t, k, c, now_ns, d);
}

static void
learn_cannot(const struct tracks *t, struct track *k,
	     const struct cpu_sample *c)
{
	k->cannot_known = true;
	k->cannot = 0;
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		if (!c->fixed[i].supported)
			k->cannot |= 1u << (TERM_CYCLES + i) |
				     1u << (TERM_SLOT_CYCLES + i);
	for (unsigned i = 0; i < t->nslots; i++)
		if (!c->slot[i].supported)
			k->cannot |= 1u << i;
}

static void
rebase_slots(const struct tracks *t, struct track *k,
	     const struct cpu_sample *c, int64_t now_ns)
{
	memcpy(k->slot, c->slot, t->nslots * sizeof k->slot[0]);
	memcpy(k->slot_fixed, c->fixed, sizeof k->slot_fixed);
	k->slots_awake_ns = now_ns;
	k->have_slots = true;
}

static void
rebase(struct track *k, const struct cpu_sample *c, const struct sample *s)
{
	memcpy(k->fixed, c->fixed, sizeof k->fixed);
	k->awake_ns = s->stamp.awake_ns;
	k->cost_ns = s->cost_ns;
	k->have = true;
	k->swapped = false;
	k->ticks.busy = c->busy;
	k->ticks.total = c->total;
	k->ticks.apart_ns = s->apart_ns;
}

void
tracks_start(struct tracks *t, const struct sample *s)
{
	for (unsigned i = 0; i < t->ncpus; i++) {
		struct track *k = &t->cpu[i];
		const struct cpu_sample *c = &s->cpu[i];

		*k = (struct track){ .ticks = { .known = c->busy_known,
						.busy = c->busy,
						.total = c->total,
						.apart_ns = s->apart_ns,
						.busy_last = c->busy,
						.total_last = c->total,
						.apart_last_ns =
							s->apart_ns } };
		if (c->state != CPU_DELIVERED ||
		    judge_delivered(t, k, c, s) == ROW_OFF)
			continue;
		rebase(k, c, s);
		if ((s->flags & SAMPLE_TAKEN_OVER) != 0)
			continue;
		rebase_slots(t, k, c, s->stamp.awake_ns);
		learn_cannot(t, k, c);
	}
}

void
tracks_drop_slots(struct tracks *t)
{
	for (unsigned i = 0; i < t->ncpus; i++)
		t->cpu[i].have_slots = t->cpu[i].cannot_known = false;
}

void
tracks_swap(struct tracks *t, const struct sample *s)
{
	tracks_drop_slots(t);
	for (unsigned i = 0; i < t->ncpus; i++) {
		struct track *k = &t->cpu[i];
		const struct cpu_sample *c = &s->cpu[i];
		int64_t ns = s->stamp.awake_ns - k->awake_ns;

		if (c->state != CPU_DELIVERED ||
		    (t->rows_may_be_stale && !k->have))
			continue;
		bool moved = !has_pair(c->fixed) || !k->have ||
			     can_follow(c->fixed, k->fixed, ns,
					t->rows_may_be_stale && ns > 0);

		if (!moved || (t->rows_may_be_stale && k->swapped &&
			       same_fixed(c->fixed, k->swap_fixed)))
			continue;
		k->swapped = true;
		memcpy(k->swap_fixed, c->fixed, sizeof k->swap_fixed);
		if ((s->flags & SAMPLE_TAKEN_OVER) != 0)
			continue;
		rebase_slots(t, k, c, s->stamp.awake_ns);
		learn_cannot(t, k, c);
	}
}

/* If the times between reading ticks and counters are a larger share of cpu_ns,
 * the busy time is unknown. */
static const double apart_share = 0.25;

/* The system's idle time may decrease by a tick: the difference is then 0. */
static uint64_t
ticks_since(uint64_t now, uint64_t before)
{
	return now - before > UINT64_C(1) << 63 ? 0 : now - before;
}

static double
busy_share(const struct cpu_sample *c, uint64_t busy, uint64_t total)
{
	uint64_t all = ticks_since(c->total, total),
		 b = ticks_since(c->busy, busy);

	if (all == 0)
		return NAN;
	return b >= all ? 1 : (double)b / (double)all;
}

/* If the ticks have not changed, as in a short interval, their baseline is
 * kept. */
static void
keep_ticks(struct track_ticks *t, const struct track_ticks *old,
	   const struct cpu_sample *c, int64_t apart_ns, enum row_state state,
	   bool moved)
{
	if (state == ROW_GOOD && c->busy_known && old->known && !moved) {
		t->busy = old->busy;
		t->total = old->total;
		t->apart_ns = old->apart_ns;
	} else if (state == ROW_NONE && moved) {
		t->busy = c->busy;
		t->total = c->total;
		t->apart_ns = apart_ns;
	}
	if (moved || !old->known) {
		t->busy_last = c->busy;
		t->total_last = c->total;
		t->apart_last_ns = apart_ns;
	}
	t->known = c->busy_known;
}

static void
take_busy(struct track *k, const struct track_ticks *old,
	  const struct cpu_sample *c, int64_t apart_ns, struct span *d)
{
	double busy = NAN;
	int64_t apart = apart_ns;

	if (c->busy_known && old->known) {
		if (k->state == ROW_GOOD || k->state == ROW_NONE) {
			busy = busy_share(c, old->busy, old->total);
			apart += old->apart_ns;
		} else if (k->state != ROW_OFF) {
			busy = busy_share(c, old->busy_last, old->total_last);
			apart += old->apart_last_ns;
		}
	}
	keep_ticks(&k->ticks, old, c, apart_ns, k->state, !isnan(busy));
	if (isnan(busy) || (double)apart > apart_share * d->cpu_ns)
		return;
	span_set_busy(d, busy * d->cpu_ns);
	d->have_any |= c->busy_fine ? SPAN_BUSY_FINE : 0;
}

static void
take_cpu(struct tracks *t, unsigned i, const struct sample *s,
	 int64_t before_ns, bool slots_ok, struct span *d)
{
	struct track *k = &t->cpu[i];
	const struct track_ticks old = k->ticks;
	const struct cpu_sample *c = &s->cpu[i];
	int64_t now_ns = s->stamp.awake_ns;

	d->cpu_ns = (double)(now_ns - before_ns);
	if (k->state == ROW_GOOD && is_barely_counted(k, c, d->cpu_ns))
		k->state = ROW_FIRST;
	if (k->state == ROW_GOOD)
		take_good(t, k, c, now_ns, before_ns, slots_ok, d);
	switch (k->state) {
	case ROW_GOOD:
		if (now_ns > k->awake_ns)
			rebase(k, c, s);
		if (!k->have_slots || now_ns > k->slots_awake_ns)
			rebase_slots(t, k, c, now_ns);
		k->have_slots = slots_ok;
		break;
	case ROW_FIRST:
	case ROW_RESET:
		rebase(k, c, s);
		rebase_slots(t, k, c, now_ns);
		k->have_slots = slots_ok;
		break;
	case ROW_NONE:
	case ROW_OFF:
	case ROW_STALE:
	case ROW_SKIPPED:
	case ROW_DENIED:
		break;
	}
	if (slots_ok && (k->state == ROW_GOOD || k->state == ROW_FIRST ||
			 k->state == ROW_RESET || k->state == ROW_NONE))
		learn_cannot(t, k, c);
	take_busy(k, &old, c, s->apart_ns, d);
	span_judge(d, k->state, slots_ok && k->cannot_known, k->cannot);
}

static bool
slot_fell(const struct tracks *t, const struct track *k,
	  const struct cpu_sample *c)
{
	for (unsigned i = 0; k->have_slots && i < t->nslots; i++)
		if (c->slot[i].supported && k->slot[i].supported &&
		    reading_backwards(&c->slot[i], &k->slot[i]))
			return true;
	return false;
}

/* If all counters are reset together, one decrease means that all were reset:
 * also small counts that did not decrease, and counts of silent CPUs, whose
 * next row covers the reset. */
static void
restart_together(struct tracks *t, const struct sample *s, struct span *out)
{
	bool any = false;

	for (unsigned i = 0; i < t->ncpus && !any; i++)
		any = t->cpu[i].state == ROW_GOOD &&
		      slot_fell(t, &t->cpu[i], &s->cpu[i]);
	for (unsigned i = 0; i < t->ncpus && any; i++) {
		if (t->cpu[i].state == ROW_GOOD && t->cpu[i].have_slots)
			out[i].quality |= QUALITY_LOST;
		t->cpu[i].have_slots = false;
	}
}

unsigned
tracks_take(struct tracks *t, const struct sample *s, int64_t before_ns,
	    bool slots_ok, struct span *out)
{
	unsigned stale = 0;

	if (!slots_ok)
		tracks_drop_slots(t);
	for (unsigned i = 0; i < t->ncpus; i++)
		span_clear(&out[i]);
	judge_rows(t, s);
	if (s->together)
		restart_together(t, s, out);
	for (unsigned i = 0; i < t->ncpus; i++) {
		take_cpu(t, i, s, before_ns, slots_ok, &out[i]);
		stale += t->cpu[i].state == ROW_STALE;
	}
	return stale;
}

static const uint32_t frame_words =
	QUALITY_LATE | QUALITY_GAP | QUALITY_SWAP | QUALITY_TAKEN_OVER;

/* A replay derives these flags again. */
static const uint32_t derived_words =
	QUALITY_IDLE | QUALITY_OFF | QUALITY_STALE | QUALITY_DENIED;

uint32_t
recorded_frame_quality(const struct recorded *r, unsigned ncpus)
{
	uint32_t all = r->swapped ? QUALITY_SWAP : 0;

	for (unsigned i = 0; i < ncpus; i++)
		if (r->cpu[i].ncpus > 0)
			all |= r->cpu[i].quality;
	return all & frame_words;
}

static enum row_state
recorded_state(const struct span *c, unsigned nslots)
{
	if (c->ncpus == 0)
		return ROW_STALE;
	if (span_had_cycles(c) || (c->have_any & ((1u << nslots) - 1)) != 0)
		return ROW_GOOD;
	if ((c->quality & QUALITY_OFF) != 0)
		return ROW_OFF;
	if ((c->quality & QUALITY_DENIED) != 0)
		return ROW_DENIED;
	if ((c->quality & QUALITY_IDLE) != 0)
		return ROW_SKIPPED;
	if ((c->quality & (QUALITY_STALE | QUALITY_LOST)) != 0)
		return ROW_STALE;
	return (c->quality & QUALITY_MUX) != 0 ? ROW_GOOD : ROW_NONE;
}

static void
take_known(struct span *d, unsigned source, uint64_t count, double ns)
{
	d->have_any |= 1u << source;
	d->count[source] = count;
	d->missed_ns[source] = (float)(d->cpu_ns - ns);
}

static void
recorded_good(const struct span *c, unsigned nslots, struct span *d,
	      uint32_t *cannot)
{
	/* Without counts over the events' time, the interval's are used. */
	bool pair = (c->have_any & 1u << TERM_SLOT_CYCLES) != 0;
	unsigned from = pair ? TERM_SLOT_CYCLES : TERM_CYCLES;
	uint32_t slots = c->have_any & ((1u << nslots) - 1);

	if (c->cpu_ns > 0)
		d->have_any |= 1u << TERM_WALL_NS | 1u << TERM_CPU_NS;
	for (unsigned i = 0; i < nslots; i++)
		if ((slots >> i & 1) != 0)
			take_known(d, i, c->slot[i], c->event_ns);
		/* If other events have counts, an event without one is
		 * unsupported. */
		else if ((d->quality & QUALITY_LOST) == 0 && c->event_ns > 0)
			*cannot |= 1u << i;
	if (slots != 0) {
		d->event_ns = c->event_ns;
		d->have_any |= 1u << TERM_EVENT_NS;
	}
	for (unsigned i = 0; i < FIXED_COUNT; i++) {
		bool had = (c->have_any >> (TERM_CYCLES + i) & 1) != 0;
		bool own = (c->have_any >> (TERM_SLOT_CYCLES + i) & 1) != 0;

		if (had)
			take_known(d, TERM_CYCLES + i,
				   c->count[TERM_CYCLES + i], c->cpu_ns);
		if (slots != 0 && (own || (had && !pair)))
			take_known(d, TERM_SLOT_CYCLES + i, c->count[from + i],
				   pair ? c->event_ns : c->cpu_ns);
		if (!had && c->event_ns > 0)
			*cannot |= 1u << (TERM_CYCLES + i) |
				   (own ? 0 : 1u << (TERM_SLOT_CYCLES + i));
	}
}

static enum row_state
recorded_cpu(const struct span *c, int64_t frame_ns, unsigned nslots,
	     struct span *d)
{
	enum row_state state = recorded_state(c, nslots);
	uint32_t cannot = 0;

	span_clear(d);
	d->cpu_ns = c->ncpus > 0 ? c->cpu_ns : (double)frame_ns;
	if (c->ncpus > 0)
		d->quality = c->quality & ~(frame_words | derived_words);
	if (state == ROW_GOOD) {
		recorded_good(c, nslots, d, &cannot);
		d->zero = c->zero & ~d->have_any;
	}
	if (c->ncpus > 0 && c->seen_ns > 0)
		span_set_busy(d, c->seen_busy_ns);
	span_judge(d, state, state == ROW_GOOD, cannot);
	return state;
}

unsigned
recorded_take(const struct recorded *r, unsigned ncpus, unsigned nslots,
	      uint32_t own, struct span *out)
{
	unsigned stale = 0;

	for (unsigned i = 0; i < ncpus; i++)
		stale += recorded_cpu(&r->cpu[i], r->interval_ns, nslots,
				      &out[i]) == ROW_STALE;
	/* Counts of the kernel are complete although other events were
	 * multiplexed. */
	for (unsigned i = 0; i < ncpus; i++)
		for (unsigned k = 0; k < nslots; k++)
			if ((own & out[i].have_any & 1u << k) != 0 &&
			    (out[i].quality & QUALITY_MUX) != 0)
				out[i].missed_ns[k] = 0;
	return stale;
}

/* The fraction in [low, high] with the smallest denominator (Stern-Brocot tree,
 * by continued fractions). */
static double
simplest_fraction(double low, double high)
{
	double p0 = 0, q0 = 1, p1 = 1, q1 = 0;

	for (int i = 0; i < 40; i++) {
		double whole = floor(low);

		if (whole < low && whole + 1 <= high)
			whole += 1;
		double p = whole * p1 + p0, q = whole * q1 + q0;

		if (whole >= low)
			return p / q;
		p0 = p1;
		q0 = q1;
		p1 = p;
		q1 = q;
		double next = 1 / (high - whole);

		high = 1 / (low - whole);
		low = next;
	}
	return NAN;
}

double
recorded_share(double busy_pct)
{
	if (!(busy_pct > 0) || !isfinite(busy_pct))
		return busy_pct <= 0 ? 0 : NAN;
	if (busy_pct >= 100)
		return 1;
	double half = 0.5 * pow(10, floor(log10(busy_pct)) - 8);
	double share = simplest_fraction((busy_pct - half) / 100,
					 (busy_pct + half) / 100);

	return share >= 0 && share <= 1 ? share : busy_pct / 100;
}
