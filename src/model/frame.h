/* The results of an interval, for views, recordings and exporters. */
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

/* Rows are the CPUs in topology order, then the clusters, kinds and machine. */
struct scope {
	enum scope_level level;
	unsigned index;
	unsigned ncpus;
};

struct scope scope_at(const struct topology *t, unsigned row);

/* Sets row[level] to the row of that level which contains the CPU. */
void scope_rows(const struct topology *t, unsigned cpu,
		unsigned row[SCOPE_ALL + 1]);

enum value_state {
	VALUE_OK,
	VALUE_FEW, /* too few events to be reliable */
	VALUE_IDLE,
	VALUE_OFF,
	VALUE_STALE,
	VALUE_NOT_COUNTED, /* the set lacks events of the metric */
	VALUE_UNSUPPORTED, /* this machine or kind of core cannot count it */
	VALUE_IMPOSSIBLE,
	VALUE_DENIED, /* the kernel denies counting on this CPU */
	VALUE_IN_USE  /* another program or other events use its counters */
};

/* Marks of a value, in the same byte as its value_state. */
enum {
	VALUE_STATE_MASK = 0x0f,
	VALUE_SCALED = 0x10, /* an estimate, as counters were shared */
	VALUE_PART = 0x20,   /* some CPUs of the group are missing */
	VALUE_UNLIKE = 0x40, /* kinds of core count different things */
	/* A fixed counter, which counts more modes, replaces a denominator that
	 * counts nothing. */
	VALUE_MODES = 0x80
};

struct frame_health {
	uint64_t late_ticks;
	uint64_t missed_ticks; /* deadlines skipped since the start */
	int64_t read_ns;       /* duration of the last reading; 0: unknown */
	uint64_t stolen_frames, stale_rows;
};

struct frame {
	uint64_t seq;
	struct stamp stamp;
	double elapsed_s;  /* seconds since the first reading, sleep included */
	double interval_s; /* seconds awake since the previous frame */
	uint32_t quality;  /* flags of the whole frame: QUALITY_LATE, _GAP,
			      _SWAP, _TAKEN_OVER */
	enum domain domain;
	const struct topology *topology;
	const struct eventset *set; /* never NULL */
	unsigned nscopes, nmetrics;
	const struct scope *scope;
	/* [nkinds]: highest IPC of any CPU of the kind so far; or NULL. */
	const double *reached;
	const struct span *span; /* [nscopes] */
	const double *value;     /* [scope * nmetrics + metric]; NAN: none */
	const uint8_t *state;    /* by the same index: value_state and marks */
	const struct bottleneck *bottleneck;   /* [nscopes], or NULL */
	const struct headline *headline;       /* NULL: not judged */
	const struct process_table *processes; /* NULL: not read */
	const struct frame_power *power;       /* NULL: not measured */
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

int frame_kind(const struct frame *f, unsigned scope);

/* Bits of the metric's events, without those that are counted in any row that
 * does not support the metric. */
uint32_t frame_slots_shown(const struct frame *f, unsigned metric,
			   const struct metric *m);

struct frame_core {
	unsigned first;
	bool known; /* all its threads, except those off, were counted */
	double instructions, cycles; /* in the events' time */
};

/* span: [nscopes], CPUs first. Sums the CPUs' spans into the groups' spans, and
 * completes all with span_close. core: work space [ncores]; NULL: no SMT. */
void frame_sum_groups(const struct frame *f, struct span *span,
		      struct frame_core *core);

static inline unsigned
frame_marks(const struct frame *f, unsigned scope, unsigned metric)
{
	return f->state[scope * f->nmetrics + metric] &
	       ~(unsigned)VALUE_STATE_MASK;
}

#endif
