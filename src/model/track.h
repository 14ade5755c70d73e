/* Calculates each CPU's differences since its last good row. */
#ifndef MODEL_TRACK_H
#define MODEL_TRACK_H

#include "model/sample.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

struct track_ticks {
	bool known;
	uint64_t busy, total;
	uint64_t busy_last, total_last;
	/* Time between reading ticks and counters. */
	int64_t apart_ns, apart_last_ns;
};

struct track {
	bool have;
	bool have_slots;
	bool pending; /* the last row was rejected and is in pending_fixed */
	bool swapped; /* swap_fixed is newer than the baseline */
	int64_t awake_ns, slots_awake_ns;
	int64_t cost_ns; /* duration of the reading of the baseline */
	struct reading fixed[FIXED_COUNT], slot[EVENTSET_MAX];
	struct reading slot_fixed[FIXED_COUNT]; /* read together with `slot` */
	bool cannot_known;
	uint32_t cannot; /* bits of terms that this CPU does not support */
	enum row_state state;
	int64_t pending_awake_ns;
	struct reading pending_fixed[FIXED_COUNT], swap_fixed[FIXED_COUNT];
	struct track_ticks ticks;
};

struct tracks {
	unsigned ncpus, nslots;
	uint32_t own; /* bits of the events that the kernel counts */
	bool rows_may_be_stale;
	struct track *cpu;
};

void tracks_start(struct tracks *t, const struct sample *s);

/* Call at the first reading of a new set: its counts become the baselines of
 * events. */
void tracks_swap(struct tracks *t, const struct sample *s);

/* The next reading gives new baselines of events, but no event counts. */
void tracks_drop_slots(struct tracks *t);

/* Fills out[ncpus] with the differences since each CPU's last good row; good
 * rows become baselines. before_ns is the time of the previous frame: rows with
 * older baselines have QUALITY_CATCHUP. slots_ok: the counters count the set.
 * Returns the number of stale rows. */
unsigned tracks_take(struct tracks *t, const struct sample *s,
		     int64_t before_ns, bool slots_ok, struct span *out);

/* ---- recordings ---- */

struct recorded_power;

struct recorded {
	uint64_t seq;
	int64_t interval_ns;
	bool swapped;
	/* [ncpus]: have_any, counts and times as recorded, before span_judge.
	 * cpu[i].ncpus is 0 if the CPU has no row. */
	const struct span *cpu;
	unsigned npower;
	const struct recorded_power *power; /* [npower] */
};

uint32_t recorded_frame_quality(const struct recorded *r, unsigned ncpus);

/* As tracks_take, for a recording. As recordings have no time of each event,
 * multiplexed events get their mean time. */
unsigned recorded_take(const struct recorded *r, unsigned ncpus,
		       unsigned nslots, uint32_t own, struct span *out);

/* Busy times are ratios of ticks, and a recorded busy_pct has nine digits:
 * returns the simplest ratio that rounds to it. */
double recorded_share(double busy_pct);

#endif
