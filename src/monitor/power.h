/* Joins spans of energy, traffic and clocks with the rows of frames. */
#ifndef MONITOR_POWER_H
#define MONITOR_POWER_H

#include "model/frame.h"
#include "model/power.h"
#include "power/power.h"

enum {
	POWER_PAST = 64 /* A power reading is late by fewer frames. */
};

struct power_rail_state {
	struct power_rail rail;
	unsigned row; /* index of the cluster; nclusters: the whole machine */
	/* waiting: spans that ended since the last frame, joined. last: the
	 * newest span, which may end after the next frame. Their end is 0 if
	 * there is none. */
	struct power_span waiting, last;
	struct power_span span;
	bool fresh;
};

struct power_row_state {
	/* Totals of instructions and of frames without counts: at each of the
	 * last frames, and at the end of the last span of energy. */
	struct power_at {
		int64_t at_ns;
		double instructions;
		unsigned holes;
	} past[POWER_PAST], end;
	unsigned slower;
	/* Elapsed time of the last recorded values. */
	double energy_s, traffic_s, status_s;
};

struct power_join {
	const struct topology *topology;
	unsigned nrails;
	struct power_rail_state rail[POWER_RAILS];
	struct power_row *row;         /* [nclusters + 1] */
	struct power_row_state *state; /* [nclusters + 1] */
	unsigned npast;
	bool recorded, has_source;
	double whole_s[POWER_WHOLES]; /* elapsed time of the last recorded
					 values */
	double most;                  /* highest bytes per second so far */
	char why[3][sizeof((struct power_source *)NULL)->no_energy];
	struct frame_power frame;
};

bool power_join_init(struct power_join *p, const struct topology *t,
		     struct err *e);
void power_join_done(struct power_join *p);

/* Memory bandwidth in bytes per second; NAN: use the highest traffic seen. */
void power_join_ceiling(struct power_join *p, double ceiling);

/* Takes over the source's rails; call before power_join_add. A source without
 * rails has only reasons for missing values. */
void power_join_source(struct power_join *p, const struct power_source *s);

void power_join_add(struct power_join *p, const struct power_update *update,
		    unsigned n);

void power_join_recorded(struct power_join *p, const struct recorded_power *r,
			 unsigned n, double elapsed_s);

/* f->power is valid until the next call; NULL: neither a source nor recorded
 * values. */
void power_join_frame(struct power_join *p, struct frame *f);

#endif
