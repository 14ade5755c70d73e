/* What each CPU counted since its last good row: judged, then subtracted. */
#ifndef MODEL_TRACK_H
#define MODEL_TRACK_H

#include "model/sample.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

/* A CPU's ticks by the OS, as of readings before. */
struct track_ticks {
	bool known;
	uint64_t busy, total;            /* with the fixed baseline */
	uint64_t busy_last, total_last;  /* of the last reading */
	int64_t apart_ns, apart_last_ns; /* of these two, from their counters */
};

/* A CPU between two readings. */
struct track {
	bool have; /* a good row is the baseline */
	bool have_slots;
	bool pending; /* the last row was rejected and may announce a reset */
	bool swapped; /* swap_fixed is a row read since the baseline */
	int64_t awake_ns, slots_awake_ns; /* when the baselines were read */
	int64_t cost_ns;                  /* how long the fixed one took */
	struct reading fixed[FIXED_COUNT], slot[EVENTSET_MAX];
	struct reading slot_fixed[FIXED_COUNT]; /* read with slot[] */
	bool told;            /* `cannot` is known, of the set in force */
	uint32_t cannot;      /* 1 << term_source: not supported on this CPU */
	enum row_state state; /* of its last row */
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

/* The first reading. */
void tracks_start(struct tracks *t, const struct sample *s);

/* The first reading of a new set: new baselines for the slots only. */
void tracks_swap(struct tracks *t, const struct sample *s);

/* No slot may be subtracted before the next reading has been taken. */
void tracks_drop_slots(struct tracks *t);

/*
 * out[ncpus] since each CPU's last good row; the good rows become the
 * baselines. before_ns: awake time of the frame before (older baselines are
 * catching up). slots_ok: the sample's slots count what the set says. Returns
 * how many rows were stale.
 */
unsigned tracks_take(struct tracks *t, const struct sample *s,
		     int64_t before_ns, bool slots_ok, struct span *out);

/* A frame as a recording tells it: differences already, and how they fared. */

/* What a sample of a recording carries in the place of totals. */
struct recorded_power;

struct recorded {
	uint64_t seq;        /* the frame's number in its run */
	int64_t interval_ns; /* awake, since the frame before */
	bool swapped;        /* other events than that frame's */
	/*
	 * [ncpus of the topology] as they were written: ncpus 0: the frame has
	 * no row of this CPU; have_any, counts and times; not judged.
	 */
	const struct span *cpu;
	unsigned npower;
	const struct recorded_power *power; /* [npower] */
};

/* Those of the words of a row that concern its whole frame. */
uint32_t recorded_frame_quality(const struct recorded *r, unsigned ncpus);

/*
 * out[ncpus] as tracks_take once made it, so that sums and metrics come out
 * the same, and how many rows were stale. Multiplexed slots have one time in a
 * recording, their mean.
 */
unsigned recorded_take(const struct recorded *r, unsigned ncpus,
		       unsigned nslots, uint32_t own, struct span *out);

/*
 * The share that a busy_pct of nine digits was written for. Systems count busy
 * time in ticks, a hundred a second, so it is a ratio of small numbers: the
 * simplest one that rounds to these digits.
 */
double recorded_share(double busy_pct);

#endif
