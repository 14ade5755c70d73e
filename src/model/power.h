/* Energy, memory traffic and clocks of a frame, each with its time span. */
#ifndef MODEL_POWER_H
#define MODEL_POWER_H

#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	POWER_AT_LEAST = 1,  /* the traffic is a lower limit */
	POWER_AT_MOST = 2,   /* the traffic is an upper limit */
	POWER_OWN_CLOCK = 4, /* timed by ktop's readings: approximate */
	POWER_DOUBTFUL = 8,  /* the clusters do not add up to the total */
	POWER_SCALED = 16
};

/* watts is the mean over the span; NAN: unknown or too old. */
struct power_energy {
	double watts, span_s;
	uint8_t marks;
	bool fresh; /* the span ended in this frame */
};

struct power_traffic { /* bytes per second */
	double read, write, both;
	double span_s;
	uint8_t marks;
	bool fresh;
};

struct power_row {
	struct power_energy energy;
	double nj_instruction;
	struct power_traffic traffic;
	double clock_ghz;
	/* throttled: slower than requested in several frames, or the system
	 * reports throttling. */
	bool throttled, throttle_known;
	double throttled_s;
	bool status_fresh; /* clock or throttling were measured in this frame */
};

enum power_pressure {
	POWER_PRESSURE_UNKNOWN,
	POWER_PRESSURE_NOMINAL,
	POWER_PRESSURE_MODERATE,
	POWER_PRESSURE_HEAVY, /* from here on the machine counts as throttled */
	POWER_PRESSURE_TRAPPING,
	POWER_PRESSURE_SLEEPING,
	POWER_PRESSURES
};
extern const char *const power_pressure_word[POWER_PRESSURES];

enum {
	POWER_RAIL_DRAM,
	POWER_RAIL_GPU,
	POWER_RAIL_ANE,
	POWER_RAIL_PACKAGE,  /* includes CPUs and GPU */
	POWER_RAIL_PLATFORM, /* includes the packages */
	POWER_WHOLES
};

struct frame_power {
	unsigned nrows;
	const struct power_row *row; /* [nclusters + 1], machine last */
	struct power_energy whole[POWER_WHOLES];
	enum power_pressure pressure;
	double ceiling; /* memory bandwidth, bytes per second; NAN: unknown */
	bool seen;      /* ceiling is only the highest traffic so far */
	/* Reasons for missing values; "": no value is missing, or the reason is
	 * unknown. */
	const char *no_energy, *no_traffic, *no_clock;
};

/* A power row of a recording. Its spans ended in the sample of the row. */
struct recorded_power {
	char cluster[16]; /* label; "": the machine */
	struct power_row row;
	struct power_energy whole[POWER_WHOLES];
	enum power_pressure pressure;
};

extern const struct power_mark {
	uint8_t mark;
	const char *word;
} power_mark_table[];
extern const unsigned power_marks;

/* rail is an index of p->row, or p->nrows + an index of p->whole. */
static inline const struct power_energy *
frame_power_energy(const struct frame_power *p, unsigned rail)
{
	return rail < p->nrows ? &p->row[rail].energy
			       : &p->whole[rail - p->nrows];
}

enum power_value {
	POWER_VALUE_WATTS,
	POWER_VALUE_NJ,
	POWER_VALUE_TRAFFIC,
	POWER_VALUE_CLOCK
};
double frame_power_value(const struct frame_power *p, enum power_value what,
			 unsigned rail);

/* ---- sums over frames, of each cluster, then of the machine ---- */

enum power_total_of {
	POWER_TOTAL_CPUS,
	POWER_TOTAL_WHOLES,
	POWER_TOTAL_TRAFFIC = POWER_TOTAL_WHOLES + POWER_WHOLES,
	POWER_TOTAL_READ,
	POWER_TOTAL_WRITTEN,
	POWER_TOTALS
};

extern const struct power_total_row {
	const char *title;
	struct metric rate; /* unit W or GB/s; named as its column */
	uint16_t column;    /* column of the rate; for W the next column has the
			       span */
	const char *sum;    /* column in ktop summary --csv */
	const char *label;
	const char *family, *text;
} power_total_table[POWER_TOTALS];

struct power_total {
	double amount; /* J or bytes */
	double span_s; /* 0: no span has ended */
	uint8_t marks;
};

struct power_sums {
	struct power_total of[POWER_TOTALS];
	/* Of the spans for which the instructions are known. */
	double instructions, their_joules;
};

/* Did the span begin at most since_s before the frame's end? The tolerance is a
 * tenth of the span. */
static inline bool
power_span_is_within(double span_s, double since_s)
{
	return span_s > 0 && span_s * 0.9 <= since_s;
}

/* Adds p to rows, [p->nrows]; skips spans that began over since_s ago. */
void power_sums_add(struct power_sums *rows, const struct frame_power *p,
		    double since_s);

/* Adds one rail; the energy of any rail goes to POWER_TOTAL_CPUS. */
void power_sums_add_rail(struct power_sums *s, const struct frame_power *p,
			 unsigned rail, double since_s);

/* NAN: no span has ended. */
static inline double
power_sums_amount(const struct power_sums *s, enum power_total_of what)
{
	return s->of[what].span_s > 0 ? s->of[what].amount : NAN;
}

/* W, or bytes per second; NAN: no span has ended. */
static inline double
power_sums_rate(const struct power_sums *s, enum power_total_of what)
{
	return power_sums_amount(s, what) / s->of[what].span_s;
}

static inline double
power_sums_nj(const struct power_sums *s)
{
	return s->instructions > 0 ? s->their_joules * 1e9 / s->instructions
				   : NAN;
}

static inline const struct power_row *
frame_power_machine(const struct frame_power *p)
{
	return &p->row[p->nrows - 1];
}

#endif
