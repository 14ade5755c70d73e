/* What every view, recording and exporter sees of a tick. */
#ifndef MODEL_FRAME_H
#define MODEL_FRAME_H

#include "base/clock.h"
#include "model/event.h"
#include "model/metric.h"
#include "model/power.h"
#include "model/process.h"
#include "model/quality.h"
#include "model/sample.h"
#include "model/span.h"
#include "model/topology.h"
#include "model/bottleneck.h"

#include <stdbool.h>
#include <stdint.h>

enum scope_level { SCOPE_CORE, SCOPE_CLUSTER, SCOPE_KIND, SCOPE_ALL };

/*
 * A row: scopes are the CPUs in topology order, then the clusters, the kinds,
 * and the machine as the last. Static for the life of the monitor.
 */
struct scope {
	enum scope_level level;
	unsigned index; /* in the topology's array of that level */
	unsigned ncpus;
};

/* Of row `row` of a machine. */
struct scope scope_at(const struct topology *t, unsigned row);

/* The rows that a CPU is in, one of each level. */
void scope_rows(const struct topology *t, unsigned cpu,
		unsigned row[SCOPE_ALL + 1]);

enum value_state { /* why a value is what it is */
		   VALUE_OK,
		   VALUE_FEW,  /* from too few events to be reliable: dim */
		   VALUE_IDLE, /* row idle: no ratio */
		   VALUE_OFF,
		   VALUE_STALE,       /* no row came; also stolen */
		   VALUE_NOT_COUNTED, /* its events are not in the set in force
				       */
		   VALUE_UNSUPPORTED, /* this machine (or kind) cannot count it
				       */
		   VALUE_IMPOSSIBLE,  /* made of counts that cannot be true */
		   VALUE_DENIED,      /* the CPU may not be counted any more */
		   VALUE_IN_USE       /* others hold the counters it needs */
};

/* What else is to be known of a number, besides its value_state. */
enum {
	VALUE_STATE_MASK = 0x0f,
	VALUE_SCALED = 0x10, /* from counters that were shared: estimated */
	VALUE_PART = 0x20,   /* of a group only the CPUs that are known */
	VALUE_UNLIKE = 0x40, /* of kinds that count different things for it */
	/* Divided by a count of more modes than the one above it: the event
	   that should stand there counts nothing. */
	VALUE_MODES = 0x80
};

/* Own cost and state, for the header and the trust panel. */
struct frame_health {
	uint64_t late_ticks;   /* since the start */
	uint64_t missed_ticks; /* deadlines stepped over */
	int64_t read_ns; /* the counters' read in this frame; 0: unknown */
	uint64_t stolen_frames, stale_rows;
};

struct frame {
	uint64_t seq; /* 0, 1, 2 ... */
	struct stamp stamp;
	double elapsed_s;  /* since the first reading, through sleep */
	double interval_s; /* awake seconds since the frame before */
	uint32_t quality; /* of the frame as a whole: late, gap, swap, stolen */
	enum domain domain;
	const struct topology *topology;
	const struct eventset *set; /* in force in this interval; never NULL */
	unsigned nscopes, nmetrics;
	const struct scope *scope; /* [nscopes] */
	/* Most instructions per cycle that a CPU of each kind had so far,
	   [nkinds]; NULL: unknown. For marks. */
	const double *reached;
	const struct span *span; /* [nscopes] exact, summed over its CPUs */
	const double *value;     /* [scope * nmetrics + metric]; NAN: none */
	const uint8_t *state;    /* [scope * nmetrics + metric], value_state and
				    VALUE_SCALED ... VALUE_MODES */
	const struct bottleneck
		*bottleneck;             /* [nscopes]; NULL: none was made */
	const struct headline *headline; /* NULL: nothing was judged */
	const struct process_table *processes; /* NULL: they were not read */
	const struct frame_power *power;       /* NULL: none is measured */
	struct frame_health health;
};

static inline unsigned
frame_scope_cluster(const struct frame *f, unsigned cluster)
{
	return f->topology->ncpus + cluster;
}

static inline unsigned
frame_scope_kind(const struct frame *f, unsigned kind)
{
	return f->topology->ncpus + f->topology->nclusters + kind;
}

static inline unsigned
frame_scope_all(const struct frame *f)
{
	return f->nscopes - 1;
}

static inline double
frame_value(const struct frame *f, unsigned scope, unsigned metric)
{
	return f->value[scope * f->nmetrics + metric];
}

static inline enum value_state
frame_state(const struct frame *f, unsigned scope, unsigned metric)
{
	return (enum value_state)(f->state[scope * f->nmetrics + metric] &
				  VALUE_STATE_MASK);
}

/* Kind of all CPUs of the row; -1: it has several. */
int frame_kind(const struct frame *f, unsigned scope);

/*
 * 1 << slot of each event that the metric, m, says something of wherever it is
 * counted.
 */
uint32_t frame_slots_told(const struct frame *f, unsigned metric,
			  const struct metric *m);

/* A core of several threads in one frame. */
struct frame_core {
	unsigned first;              /* its first CPU, as index */
	bool known;                  /* all of its threads counted */
	double instructions, cycles; /* of the core, in the slots' time */
};

/*
 * The spans of all rows from those of the CPUs, which are span's first. core:
 * [ncores] to work with; NULL: no threads share any.
 */
void frame_sum_groups(const struct frame *f, struct span *span,
		      struct frame_core *core);

/* VALUE_SCALED and the other marks of a number. */
static inline unsigned
frame_marks(const struct frame *f, unsigned scope, unsigned metric)
{
	return f->state[scope * f->nmetrics + metric] &
	       ~(unsigned)VALUE_STATE_MASK;
}

#endif
