/* Differences per CPU since its last good row. */
#ifndef MODEL_TRACK_H
#define MODEL_TRACK_H

#include "model/sample.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

/* OS ticks of earlier readings. */
struct track_ticks {
	bool known;
	uint64_t busy, total;           /* at the fixed baseline */
	uint64_t busy_last, total_last; /* at the last reading */
	int64_t apart_ns,
		apart_last_ns; /* time between reading ticks and counters */
};

struct track {
	bool have; /* baseline is valid */
	bool have_slots;
	bool pending; /* rejected row, perhaps a reset */
	bool swapped; /* swap_fixed is newer than the baseline */
	int64_t awake_ns, slots_awake_ns; /* of the baselines */
	int64_t cost_ns;                  /* duration of the reading */
	struct reading fixed[FIXED_COUNT], slot[EVENTSET_MAX];
	struct reading slot_fixed[FIXED_COUNT]; /* read with slot[] */
	bool cannot_known;    /* `cannot` is known for this set */
	uint32_t cannot;      /* bits: not supported on this CPU */
	enum row_state state; /* of the last row */
	int64_t pending_awake_ns;
	struct reading pending_fixed[FIXED_COUNT], swap_fixed[FIXED_COUNT];
	struct track_ticks ticks;
};

struct tracks {
	unsigned ncpus, nslots;
	uint32_t own; /* slots, as eventset_own() */
	bool rows_may_be_stale;
	struct track *cpu; /* [ncpus] */
};

void tracks_start(struct tracks *t, const struct sample *s);

/* First reading of a new set: new slot baselines. */
void tracks_swap(struct tracks *t, const struct sample *s);

/* At the next reading slots only get new baselines. */
void tracks_drop_slots(struct tracks *t);

/*
 * out[ncpus]: since each CPU's last good row, the new baselines. before_ns:
 * previous frame (older baselines catch up). slots_ok: slots count the set.
 * Returns stale rows.
 */
unsigned tracks_take(struct tracks *t, const struct sample *s,
		     int64_t before_ns, bool slots_ok, struct span *out);

/* ---- recordings ---- */

/* Instead of totals. */
struct recorded_power;

struct recorded {
	uint64_t seq;        /* in its run */
	int64_t interval_ns; /* awake */
	bool swapped;        /* the events changed */
	/* [ncpus], as written: ncpus 0: no row; have_any, counts, times; not
	 * judged. */
	const struct span *cpu;
	unsigned npower;
	const struct recorded_power *power; /* [npower] */
};

/* Words that concern the frame. */
uint32_t recorded_frame_quality(const struct recorded *r, unsigned ncpus);

/* As tracks_take, for a recording; returns stale rows. Multiplexed slots have
 * their mean time. */
unsigned recorded_take(const struct recorded *r, unsigned ncpus,
		       unsigned nslots, uint32_t own, struct span *out);

/* The share behind a busy_pct of nine digits: busy time is in ticks, so the
 * simplest ratio that rounds to it. */
double recorded_share(double busy_pct);

#endif
