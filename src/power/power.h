/*
 * Energy, memory traffic and clocks, measured beside the counters. They are
 * published when the machine likes, so each value is a span of its own with
 * begin and end, and never an interval's count.
 */
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
	POWER_PACKAGE, /* J, a socket with all that is on it */
	POWER_DRAM,    /* J */
	POWER_GPU,     /* J */
	POWER_SYSTEM,  /* J, the whole platform */
	POWER_TRAFFIC, /* bytes read and written */
	POWER_READ,    /* bytes, as the next */
	POWER_WRITE,
	POWER_CLOCK,    /* cycles requested; weight: seconds active */
	POWER_THROTTLE, /* times that it was slowed down for its heat */
	POWER_HEAT,     /* seconds times the number of its thermal pressure */
	POWER_WHATS
};

enum { POWER_RAILS = 64, POWER_NAME_SIZE = 32 };

/* What is measured, and where. */
struct power_rail {
	char name[POWER_NAME_SIZE]; /* the system's: "DIE_0_PACC1_CPU" */
	uint8_t what;               /* enum power_what */
	char letter;     /* of the cluster's kind in the device tree; 0: none */
	int8_t die;      /* of the cluster, or socket; -1: not said */
	int8_t nth;      /* of the die's clusters with that letter */
	int16_t cluster; /* its index + 1; 0: by the letter, or no cluster's */
};

/* Totals since any time; a source fills what it knows. */
struct power_reading {
	bool have;
	uint8_t marks;
	int64_t at_ns; /* when it was published; 0: not known */
	double total, weight;
};

/* The last that was published. Times are the source's awake nanoseconds. */
struct power_span {
	int64_t begin_ns, end_ns; /* end 0: none yet */
	double amount, weight;
	uint8_t marks;
	bool stale; /* nothing came for so long that it is not true any more */
};

static inline double
power_span_s(const struct power_span *s)
{
	return (double)(s->end_ns - s->begin_ns) * 1e-9;
}

/* One rail's way from readings to spans. */
struct power_track {
	bool begun, own_clock;
	double total, weight; /* at the base */
	int64_t at_ns;        /* of the base */
	struct power_span span;
};

/* True: a span has ended with this reading. */
bool power_track_take(struct power_track *t, const struct power_reading *r,
		      int64_t now_ns);

struct power_source;

struct power_ops {
	const char *name;
	/* One reading of each rail, at most once a second. */
	bool (*read)(struct power_source *s, int64_t now_ns,
		     struct power_reading out[POWER_RAILS], struct err *e);
	void (*close)(struct power_source *s);
	/* For ktop doctor: what the system offers. NULL: no more than rails. */
	void (*describe)(const struct power_source *s, FILE *out);
};

/* Every source embeds this first. */
struct power_source {
	const struct power_ops *ops;
	bool slow; /* a reading takes ms: not in the loop */
	unsigned nrails;
	struct power_rail rail[POWER_RAILS];
	/* Why there is no energy, traffic or clock; "" where there is. */
	char no_energy[200], no_traffic[200], no_clock[200];
};

/* Spans that have ended, in the order of rails; fits into one write to a pipe.
 */
struct power_news {
	uint16_t rail;
	struct power_span span;
};

/* Bytes a second of the memory of a processor by that name; NAN: unknown. */
double power_ceiling(const char *model);

/*
 * Reads once, and says what has ended: how many of out[POWER_RAILS]; 0 also
 * where the reading failed. track: [POWER_RAILS], zeros at the start.
 */
unsigned power_poll(struct power_source *s, struct power_track *track,
		    int64_t now_ns, struct power_news out[POWER_RAILS]);

#endif
