/* Calculates each CPU's differences since its last good row. */
#ifndef MODEL_TRACK_H
#define MODEL_TRACK_H

#include "model/sample.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

/* OS ticks of earlier readings. */
struct track_ticks {
	bool known;
	uint64_t busy, total;           /* at the fixed counters' baseline */
	uint64_t busy_last, total_last; /* at the last reading */
	int64_t apart_ns,
		apart_last_ns; /* time between reading ticks and counters */
};

struct track {
	bool have; /* baseline is valid */
	bool have_slots;
	bool pending; /* last row was rejected, perhaps a reset */
	bool swapped; /* swap_fixed is newer than the baseline */
	int64_t awake_ns, slots_awake_ns; /* times of the baselines */
	int64_t cost_ns;                  /* duration of the reading */
	struct reading fixed[FIXED_COUNT], slot[EVENTSET_MAX];
	struct reading slot_fixed[FIXED_COUNT]; /* read together with slot[] */
	bool cannot_known;    /* `cannot` is known for this set */
	uint32_t cannot;      /* bits of terms that this CPU does not support */
	enum row_state state; /* of the last row */
	int64_t pending_awake_ns;
	struct reading pending_fixed[FIXED_COUNT], swap_fixed[FIXED_COUNT];
	struct track_ticks ticks;
};

struct tracks {
	unsigned ncpus, nslots;
	uint32_t own; /* bits of events, by eventset_own() */
	bool rows_may_be_stale;
	struct track *cpu; /* [ncpus] */
};

void tracks_start(struct tracks *t, const struct sample *s);

/* Sets new baselines of events, at the first reading of a new set. */
void tracks_swap(struct tracks *t, const struct sample *s);

/* At the next reading, events only get new baselines. */
void tracks_drop_slots(struct tracks *t);

/* Fills out[ncpus] with differences since each CPU's last good row; good rows
 * become baselines. before_ns: time of the previous frame; CPUs with older
 * baselines catch up. slots_ok: the counters count the set. Returns the number
 * of stale rows. */
unsigned tracks_take(struct tracks *t, const struct sample *s,
		     int64_t before_ns, bool slots_ok, struct span *out);

/* ---- recordings ---- */

/* A sample of a recording: differences instead of totals. */
struct recorded_power;

struct recorded {
	uint64_t seq;        /* sequence number in its run */
	int64_t interval_ns; /* time awake */
	bool swapped;        /* the events changed */
	/* [ncpus]: have_any, counts and times as recorded, before span_judge;
	 * if cpu[i].ncpus is 0, the CPU has no row. */
	const struct span *cpu;
	unsigned npower;
	const struct recorded_power *power; /* [npower] */
};

/* Quality flags of the whole frame. */
uint32_t recorded_frame_quality(const struct recorded *r, unsigned ncpus);

/* As tracks_take, for a recording; returns the number of stale rows.
 * Multiplexed events get their mean time. */
unsigned recorded_take(const struct recorded *r, unsigned ncpus,
		       unsigned nslots, uint32_t own, struct span *out);

/* The busy share of a recorded busy_pct, which has nine digits: the simplest
 * ratio that rounds to it, as busy time is in ticks. */
double recorded_share(double busy_pct);

#endif
