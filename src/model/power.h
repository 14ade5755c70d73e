/* Energy, memory traffic and clocks of a frame, each with its time span. */
#ifndef MODEL_POWER_H
#define MODEL_POWER_H

#include "model/metric.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	POWER_AT_LEAST = 1,  /* traffic may exceed the highest range */
	POWER_AT_MOST = 2,   /* traffic may be below the lowest range */
	POWER_OWN_CLOCK = 4, /* timed by ktop: approximate */
	POWER_DOUBTFUL = 8,  /* clusters do not add up to the total */
	POWER_SCALED = 16    /* an estimate, as counters were shared */
};

/* Mean power over a span; NAN: unknown or too old. */
struct power_energy {
	double watts, span_s;
	uint8_t marks;
	bool fresh; /* its span ended in this frame */
};

struct power_traffic { /* bytes per second */
	double read, write, both;
	double span_s;
	uint8_t marks;
	bool fresh;
};

/* Values of a cluster, or of all CPUs of the machine. */
struct power_row {
	struct power_energy energy;
	double nj_instruction;
	struct power_traffic traffic;
	double clock_ghz; /* clock requested while active */
	/* Slower than requested in several frames, or the system reports it. */
	bool throttled, throttle_known;
	double throttled_s;
	bool status_fresh; /* clock or throttling were measured in this frame */
};

/* The system's thermal pressure. Some machines always report nominal. */
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

/* Rails that exist once per machine. */
enum {
	POWER_RAIL_DRAM,
	POWER_RAIL_GPU,
	POWER_RAIL_ANE,      /* neural engine */
	POWER_RAIL_PACKAGE,  /* contains CPUs and GPU */
	POWER_RAIL_PLATFORM, /* contains all other rails */
	POWER_WHOLES
};

struct frame_power {
	unsigned nrows;
	const struct power_row *row; /* [nclusters + 1], machine last */
	struct power_energy whole[POWER_WHOLES];
	enum power_pressure pressure;
	double ceiling; /* memory bandwidth, bytes per second; NAN: unknown */
	bool seen;      /* ceiling is the highest traffic so far */
	/* Reasons for missing values; "": not missing, or reason unknown. */
	const char *no_energy, *no_traffic, *no_clock;
};

/* Values from a recording, of the sample in which their spans ended. */
struct recorded_power {
	char cluster[16]; /* label; "": the machine */
	struct power_row row;
	struct power_energy whole[POWER_WHOLES]; /* of the machine */
	enum power_pressure pressure;
};

extern const struct power_mark {
	uint8_t mark;
	const char *word;
} power_mark_table[];
extern const unsigned power_marks;

/* Rail numbers are indices of p->row; numbers of p->whole follow. */
static inline const struct power_energy *
frame_power_energy(const struct frame_power *p, unsigned rail)
{
	return rail < p->nrows ? &p->row[rail].energy
			       : &p->whole[rail - p->nrows];
}

enum power_value {
	POWER_VALUE_WATTS,
	/* Of rows only: */
	POWER_VALUE_NJ,      /* per instruction */
	POWER_VALUE_TRAFFIC, /* bytes per second */
	POWER_VALUE_CLOCK    /* GHz requested */
};
double frame_power_value(const struct frame_power *p, enum power_value what,
			 unsigned rail);

/* ---- sums over frames, of each cluster, then of the machine ---- */

enum power_total_of {
	POWER_TOTAL_CPUS,
	POWER_TOTAL_WHOLES, /* of the machine only */
	POWER_TOTAL_TRAFFIC = POWER_TOTAL_WHOLES + POWER_WHOLES,
	POWER_TOTAL_READ,
	POWER_TOTAL_WRITTEN,
	POWER_TOTALS
};

/* Names of a quantity in all outputs. */
extern const struct power_total_row {
	const char *title;  /* on the screen */
	struct metric rate; /* W or GB/s, named as its column */
	uint16_t column;   /* the rate's column; for W the next is the span's */
	const char *sum;   /* column in ktop summary --csv */
	const char *label; /* in a sentence; "": none */
	const char *family, *text; /* in OpenMetrics */
} power_total_table[POWER_TOTALS];

struct power_total {
	double amount; /* J or bytes */
	double span_s; /* 0: nothing was published */
	uint8_t marks;
};

struct power_sums {
	struct power_total of[POWER_TOTALS];
	/* Sums over spans with known instructions. */
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
