/* Energy, memory traffic and clocks: each value has the span it covers. */
#ifndef POWER_POWER_H
#define POWER_POWER_H

#include "base/err.h"
#include "model/power.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum power_what {
	POWER_CPU,     /* J, all CPU clusters of a die */
	POWER_CLUSTER, /* J, one CPU cluster */
	POWER_WHOLE,   /* J, the first rail that exists once per machine */
	POWER_DRAM = POWER_WHOLE + POWER_RAIL_DRAM,
	POWER_GPU = POWER_WHOLE + POWER_RAIL_GPU,
	POWER_ANE = POWER_WHOLE + POWER_RAIL_ANE,
	POWER_PACKAGE = POWER_WHOLE + POWER_RAIL_PACKAGE,
	POWER_PLATFORM = POWER_WHOLE + POWER_RAIL_PLATFORM,
	POWER_TRAFFIC =
		POWER_WHOLE +
		POWER_WHOLES, /* bytes read and written; weight: seconds */
	POWER_READ,           /* bytes */
	POWER_WRITE,
	POWER_CLOCK,    /* requested cycles; weight: active seconds */
	POWER_THROTTLE, /* number of times that heat slowed the CPUs */
	POWER_HEAT,     /* level of thermal pressure times seconds */
	POWER_WHATS
};

enum { POWER_RAILS = 64, POWER_NAME_SIZE = 32 };

/* No padding, as rails and readings are sent to the unprivileged process. */
struct power_rail {
	char name[POWER_NAME_SIZE];
	uint8_t what;    /* enum power_what */
	char letter;     /* letter of the cluster in the device tree; '*': the
			    memory controller's total; 0: none */
	int8_t die;      /* number of the die or socket; -1: unknown */
	int8_t nth;      /* number among the die's clusters with that letter */
	int16_t cluster; /* cluster's index + 1; 0: found by letter, or none */
};

/* Totals since an arbitrary time. */
struct power_reading {
	int64_t at_ns; /* time of publication; 0: unknown */
	double total, weight;
	uint8_t have;
	uint8_t marks, unused[6];
};

/* Times are of the source's awake clock. */
struct power_span {
	int64_t begin_ns, end_ns; /* end 0: none yet */
	double amount, weight;
	uint8_t marks;
	bool stale;
};

static inline double
power_span_s(const struct power_span *s)
{
	return (double)(s->end_ns - s->begin_ns) * 1e-9;
}

struct power_track {
	bool begun, own_clock;
	double total, weight;
	int64_t at_ns;
	struct power_span span;
};

bool power_track_take(struct power_track *t, const struct power_reading *r,
		      int64_t now_ns);

struct power_source;

struct power_ops {
	/* Fills an entry for each rail. False and *e: nothing was read. */
	bool (*read)(struct power_source *s, int64_t now_ns,
		     struct power_reading out[POWER_RAILS], struct err *e);
	void (*close)(struct power_source *s);
	/* Prints details for ktop doctor. May be NULL. */
	void (*describe)(const struct power_source *s, FILE *out);
};

/* must be the first member of a struct of a power source */
struct power_source {
	const struct power_ops *ops;
	bool slow; /* a reading takes ms: use a thread */
	unsigned nrails;
	struct power_rail rail[POWER_RAILS];
	/* Reasons for missing values; "": none are missing. */
	char no_energy[200], no_traffic[200], no_clock[200];
};

/* must be small enough for an atomic write to a pipe */
struct power_update {
	uint16_t rail;
	struct power_span span;
};

/* Bytes per second; NAN: unknown. */
double power_ceiling(const char *model);

/* Returns the number of entries in out: spans that ended or became stale.
 * track: [POWER_RAILS], initially zero. */
unsigned power_poll(struct power_source *s, struct power_track *track,
		    int64_t now_ns, struct power_update out[POWER_RAILS]);

#endif
