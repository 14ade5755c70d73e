#include "monitor/monitor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/plural.h"
#include "model/bound.h"
#include "model/zero_events.h"
#include "model/track.h"
#include "monitor/processes.h"
#include "monitor/bottlenecks.h"
#include "monitor/power.h"

struct last_value {
	double value, elapsed_s;
};

struct monitor {
	struct monitor_options options;
	const struct topology *topology;
	const struct metric *metric[METRIC_MAX];
	unsigned nmetrics;
	unsigned ipc;
	struct bounds bounds;

	struct tracks tracks;
	struct zero_events zeros;
	struct span *span;       /* [nscopes] */
	struct frame_core *core; /* [ncores]; NULL without SMT */
	struct scope *scope;
	double *value;
	double *reached; /* [nkinds] */
	uint8_t *state;
	/* [nscopes * nmetrics]: last known values of metrics that are not
	 * counted now */
	struct last_value *last;
	double before_s;
	struct history *history;
	struct bottlenecks bottlenecks;
	struct power_join power;
	struct processes *processes; /* NULL: never read */
	bool processes_due;
	unsigned processes_missed;
	uint64_t counted[METRIC_WORDS];

	struct eventset set; /* a copy, as the source may change its set */
	struct eventset frame_set;
	enum domain domain;
	struct stamp first,
		before; /* stamps of the first reading and the last frame */
	bool started, fed, rebound, swapped, stolen_before, gap, late;
	bool other_period;
	bool redefined;
	struct frame frame;
};

/* Unless the machine slept, awake and elapsed time differ by less than this. */
static const int64_t sleep_ns = 100000000;

static void
monitor_bind_metrics(struct monitor *m)
{
	bounds_make(&m->bounds, m->metric, m->nmetrics, &m->set,
		    m->options.catalog, m->domain);
	memset(m->counted, 0, sizeof m->counted);
	for (unsigned i = 0; i < m->bounds.n; i++) {
		unsigned metric = m->bounds.bound[i].index;

		m->counted[metric / 64] |= (uint64_t)1 << metric % 64;
	}
	m->rebound = true;
}

static void
frame_put_value(struct monitor *m, unsigned scope, unsigned metric,
		double value, uint8_t state)
{
	size_t at = (size_t)scope * m->nmetrics + metric;

	if (isnan(value) && m->fed && !isnan(m->value[at]))
		m->last[at] = (struct last_value){ m->value[at], m->before_s };
	m->value[at] = value;
	m->state[at] = state;
}

/* Changes the shown event set in the first frame of the new set: the last frame
 * of the old set keeps its values. A metric that is not bound keeps the state
 * written here. lost% is judged, not counted, so it has no last value. */
static void
frame_show_set(struct monitor *m)
{
	if (!m->rebound)
		return;
	m->rebound = false;
	m->frame_set = m->set;
	for (unsigned s = 0; s < m->frame.nscopes; s++) {
		if (m->bottlenecks.lost >= 0)
			m->value[(size_t)s * m->nmetrics +
				 (unsigned)m->bottlenecks.lost] = NAN;
		for (unsigned i = 0; i < m->nmetrics; i++)
			frame_put_value(m, s, i, NAN,
					(uint8_t)m->bounds.why[i]);
	}
}

static bool
monitor_follow_set(struct monitor *m, const struct sample *s)
{
	static const struct eventset none;
	const struct eventset *set = s->set == NULL ? &none : s->set;

	bool same = m->started && eventset_same(&m->set, set) &&
		    m->domain == s->domain;

	if (same && !m->redefined)
		return false;
	m->redefined = false;
	m->set = *set;
	m->domain = s->domain;
	m->tracks.nslots = set->len;
	m->tracks.own = eventset_own(set);
	zero_events_reset(&m->zeros, &m->set);
	monitor_bind_metrics(m);
	return !same;
}

static uint32_t
frame_quality(struct monitor *m, const struct sample *s)
{
	int64_t awake = s->stamp.awake_ns - m->before.awake_ns;
	int64_t elapsed = s->stamp.elapsed_ns - m->before.elapsed_ns;
	uint32_t q = 0;

	if (m->gap || elapsed - awake > sleep_ns)
		q |= QUALITY_GAP;
	else if (!m->other_period && m->options.period_ns > 0 &&
		 awake >= m->options.period_ns + m->options.period_ns / 2)
		q |= QUALITY_LATE;
	if (m->late)
		q |= QUALITY_LATE;
	if (m->swapped)
		q |= QUALITY_SWAP;
	if (m->stolen_before || (s->flags & SAMPLE_TAKEN_OVER) != 0)
		q |= QUALITY_TAKEN_OVER;
	return q;
}

static void
frame_evaluate(struct monitor *m)
{
	const struct topology *t = m->topology;
	struct members who = { .topology = t,
			       .cpus = m->span,
			       .kinds = m->span + t->ncpus + t->nclusters,
			       .no_stand_in = m->options.no_stand_in };
	for (unsigned s = 0; s < m->frame.nscopes; s++) {
		who.level = m->scope[s].level;
		who.index = m->scope[s].index;
		for (unsigned i = 0; i < m->bounds.n; i++) {
			const struct bound *b = &m->bounds.bound[i];
			enum value_state state;
			unsigned marks;
			double v = bound_value(b, &m->span[s], &who, &state,
					       &marks);

			frame_put_value(m, s, b->index, v,
					(uint8_t)(state | marks));
		}
	}
}

static void
monitor_note_best_ipc(struct monitor *m)
{
	for (unsigned i = 0; i < m->topology->ncpus; i++) {
		double *best = &m->reached[m->topology->cpu[i].kind];
		double v = frame_value(&m->frame, i, m->ipc);

		if (frame_state(&m->frame, i, m->ipc) == VALUE_OK && v > *best)
			*best = v;
	}
}

static void
monitor_push_history(struct monitor *m)
{
	struct frame *f = &m->frame;

	if (m->history != NULL)
		history_push(m->history, f);
	m->fed = true;
}

static void
frame_note_health(struct monitor *m, const struct sample *s,
		  unsigned stale_rows)
{
	struct frame_health *h = &m->frame.health;

	h->read_ns = s->cost_ns;
	h->stolen_frames += (s->flags & SAMPLE_TAKEN_OVER) != 0;
	h->stale_rows += stale_rows;
}

static void
monitor_end_processes_wait(struct monitor *m)
{
	m->processes_missed += m->processes_due;
	m->processes_due = false;
}

/* One missing reading may be a failure; two mean that none are requested. */
static void
monitor_await_processes(struct monitor *m)
{
	m->frame.processes = NULL;
	monitor_end_processes_wait(m);
	if (m->processes != NULL && m->processes_missed > 1)
		processes_gap(m->processes);
	m->processes_due = true;
}

static void
frame_make(struct monitor *m, const struct sample *s)
{
	struct frame *f = &m->frame;

	monitor_await_processes(m);
	m->before_s = f->elapsed_s;
	f->stamp = s->stamp;
	f->elapsed_s =
		(double)(s->stamp.elapsed_ns - m->first.elapsed_ns) * 1e-9;
	f->interval_s = (double)(s->stamp.awake_ns - m->before.awake_ns) * 1e-9;
	f->domain = m->domain;
	frame_show_set(m);
	frame_sum_groups(f, m->span, m->core);
	frame_evaluate(m);
	monitor_note_best_ipc(m);
	if (s->recorded != NULL)
		power_join_recorded(&m->power, s->recorded->power,
				    s->recorded->npower, f->elapsed_s);
	power_join_frame(&m->power, f);
	bottlenecks_take(&m->bottlenecks, f, m->counted, m->value, m->state);
	monitor_push_history(m);
}

static const struct frame *
monitor_start(struct monitor *m, const struct sample *s)
{
	m->started = true;
	m->first = m->before = s->stamp;
	m->processes_due = true;
	m->stolen_before = (s->flags & SAMPLE_TAKEN_OVER) != 0;
	tracks_start(&m->tracks, s);
	return NULL;
}

/* Bottlenecks depend on earlier frames of the same run. */
static void
monitor_forget_judged(struct monitor *m)
{
	bottlenecks_restart(&m->bottlenecks);
	for (unsigned k = 0; k < m->topology->nkinds; k++)
		m->reached[k] = 0;
}

static void
monitor_forget_processes(struct monitor *m)
{
	m->frame.processes = NULL;
	m->processes_due = false;
	m->processes_missed = 0;
	if (m->processes != NULL)
		processes_clear(m->processes);
}

/* A recording contains the quality flags that a live reading derives. */
static const struct frame *
monitor_feed_recorded(struct monitor *m, const struct sample *s)
{
	const struct recorded *r = s->recorded;
	struct frame *f = &m->frame;

	if (m->fed && r->seq <= f->seq) {
		monitor_forget_judged(m);
		monitor_forget_processes(m);
	}
	m->started = true;
	m->before.awake_ns = s->stamp.awake_ns - r->interval_ns;
	f->seq = r->seq;
	f->quality = recorded_frame_quality(r, m->topology->ncpus);
	f->health.late_ticks += (f->quality & QUALITY_LATE) != 0;
	f->health.stolen_frames += (f->quality & QUALITY_TAKEN_OVER) != 0;
	frame_note_health(m, s,
			  recorded_take(r, m->topology->ncpus, m->set.len,
					m->tracks.own, m->span));
	frame_make(m, s);
	return f;
}

void
monitor_restart(struct monitor *m)
{
	size_t cells = (size_t)m->frame.nscopes * m->nmetrics;

	m->started = m->swapped = m->stolen_before = m->gap = m->late = false;
	zero_events_reset(&m->zeros, &m->set);
	m->first = m->before = (struct stamp){ 0, 0, 0 };
	m->frame.seq = 0;
	m->frame.health = (struct frame_health){ 0 };
	m->fed = false;
	if (m->history != NULL)
		history_clear(m->history);
	monitor_forget_judged(m);
	monitor_forget_processes(m);
	for (size_t i = 0; i < cells; i++)
		m->last[i].value = NAN;
}

const struct frame *
monitor_feed(struct monitor *m, const struct sample *s)
{
	bool stolen = (s->flags & SAMPLE_TAKEN_OVER) != 0;
	bool changed = monitor_follow_set(m, s);

	if (s->recorded != NULL)
		return monitor_feed_recorded(m, s);
	if (!m->started)
		return monitor_start(m, s);
	if ((s->flags & SAMPLE_BASELINE) != 0) {
		tracks_swap(&m->tracks, s);
		monitor_end_processes_wait(m);
		m->swapped = true;
		m->stolen_before = stolen;
		return NULL;
	}
	if (changed) { /* Without a separate baseline this reading becomes the
			  slots' baseline. */
		tracks_drop_slots(&m->tracks);
		m->swapped = true;
	}
	m->frame.seq += m->fed;
	m->frame.quality = frame_quality(m, s);
	frame_note_health(m, s,
			  tracks_take(&m->tracks, s, m->before.awake_ns,
				      !stolen, m->span));
	if (zero_events_apply(&m->zeros, m->topology, m->domain, m->span)) {
		zero_events_drop(&m->zeros, m->topology, &m->set);
		m->rebound = true;
	}
	frame_make(m, s);
	m->before = s->stamp;
	m->stolen_before = stolen;
	m->swapped = m->gap = m->late = m->other_period = false;
	return &m->frame;
}

void
monitor_late(struct monitor *m, uint64_t missed, bool late)
{
	m->late = m->late || late;
	m->frame.health.late_ticks += late;
	m->frame.health.missed_ticks += missed;
}

void
monitor_go_on(struct monitor *m, const struct monitor *from)
{
	m->first = from->first;
	m->frame.seq = from->frame.seq + from->fed;
	m->frame.health = from->frame.health;
	m->gap = true;
}

void
monitor_period(struct monitor *m, int64_t period_ns)
{
	m->options.period_ns = period_ns;
	m->other_period = true;
}

void
monitor_gap(struct monitor *m)
{
	m->gap = true;
}

void
monitor_redefined(struct monitor *m, unsigned metric)
{
	if (metric >= m->nmetrics)
		return;
	for (size_t s = 0; s < m->frame.nscopes; s++) {
		size_t at = s * m->nmetrics + metric;

		m->value[at] = m->last[at].value = NAN;
		m->state[at] = VALUE_NOT_COUNTED;
	}
	if (m->history != NULL)
		history_redefined(m->history, metric);
	m->redefined = true;
}

bool
monitor_processes_due(const struct monitor *m)
{
	return m->processes_due;
}

static bool
monitor_make_processes(struct monitor *m, struct err *e)
{
	if (m->processes == NULL)
		m->processes =
			processes_new(m->topology, !m->options.no_past, e);
	return m->processes != NULL;
}

bool
monitor_feed_processes(struct monitor *m, const struct process_reading *r,
		       struct err *e)
{
	bool frame = m->fed;

	if (!m->processes_due)
		return true;
	if (!monitor_make_processes(m, e))
		return false;
	m->frame.processes =
		processes_feed(m->processes, r, frame ? &m->frame : NULL);
	m->processes_due = false;
	m->processes_missed = 0;
	return !frame || m->frame.processes != NULL ||
	       err_set(e, ERR_FAIL, "out of memory for %u processes", r->n);
}

void
monitor_keep_processes(struct monitor *m, const struct process_request *w)
{
	if (m->processes != NULL)
		processes_keep(m->processes, w);
}

const struct processes *
monitor_processes(const struct monitor *m)
{
	return m != NULL ? m->processes : NULL;
}

const struct history *
monitor_past(const struct monitor *m)
{
	return m != NULL ? m->history : NULL;
}

double
monitor_last(const struct monitor *m, unsigned scope, unsigned metric,
	     double *age_s)
{
	*age_s = NAN;
	if (scope >= m->frame.nscopes || metric >= m->nmetrics)
		return NAN;
	size_t at = (size_t)scope * m->nmetrics + metric;
	struct last_value l = m->last[at];

	if (m->fed && !m->metric[metric]->judged && !isnan(m->value[at]))
		l = (struct last_value){ m->value[at], m->frame.elapsed_s };
	if (!isnan(l.value))
		*age_s = m->frame.elapsed_s - l.elapsed_s;
	return l.value;
}

unsigned
monitor_metric_count(const struct monitor *m)
{
	return m->nmetrics;
}

const struct metric *
monitor_metric(const struct monitor *m, unsigned metric)
{
	return m->metric[metric];
}

static void
monitor_make_metrics(struct monitor *m)
{
	for (unsigned i = 0; i < metric_count && m->nmetrics < METRIC_MAX; i++)
		m->metric[m->nmetrics++] = &metric_table[i];
	for (unsigned i = 0; i < m->options.nextra && m->nmetrics < METRIC_MAX;
	     i++)
		m->metric[m->nmetrics++] = &m->options.extra_metrics[i];
}

static bool
monitor_make_arrays(struct monitor *m, unsigned nscopes, struct err *e)
{
	const struct topology *t = m->topology;
	size_t cells = (size_t)nscopes * m->nmetrics;

	m->tracks.cpu = calloc(t->ncpus + 1, sizeof *m->tracks.cpu);
	m->span = calloc(nscopes, sizeof *m->span);
	if (t->smt)
		m->core = calloc(t->ncores, sizeof *m->core);
	m->scope = calloc(nscopes, sizeof *m->scope);
	m->value = calloc(cells, sizeof *m->value);
	m->reached = calloc(t->nkinds + 1, sizeof *m->reached);
	m->state = calloc(cells, sizeof *m->state);
	m->last = calloc(cells, sizeof *m->last);
	if (!zero_events_init(&m->zeros, t->nkinds) || m->tracks.cpu == NULL ||
	    m->span == NULL || (t->smt && m->core == NULL) ||
	    m->scope == NULL || m->value == NULL || m->reached == NULL ||
	    m->state == NULL || m->last == NULL)
		return err_set(e, ERR_FAIL,
			       "out of memory for the samples of %u %s",
			       t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
	for (size_t i = 0; i < cells; i++)
		m->value[i] = m->last[i].value = NAN;
	if (!bottlenecks_init(&m->bottlenecks, t, m->options.catalog, nscopes,
			      e))
		return false;
	if (!power_join_init(&m->power, t, e))
		return false;
	if (m->options.no_past)
		return true;
	m->history = history_new(&(struct history_of){ t, m->options.catalog,
						       m->metric, m->nmetrics,
						       m->options.no_stand_in },
				 e);
	return m->history != NULL;
}

struct monitor *
monitor_new(const struct topology *t, const struct monitor_options *o,
	    struct err *e)
{
	unsigned nscopes = t->ncpus + t->nclusters + t->nkinds + 1;
	struct monitor *m = calloc(1, sizeof *m);

	if (m == NULL)
		return err_null(e, ERR_FAIL, "out of memory for a monitor");
	m->options = *o;
	m->topology = t;
	monitor_make_metrics(m);
	m->ipc = (unsigned)metric_find("ipc");
	if (!monitor_make_arrays(m, nscopes, e)) {
		monitor_free(m);
		return NULL;
	}
	for (unsigned i = 0; i < nscopes; i++)
		m->scope[i] = scope_at(m->topology, i);
	m->tracks.ncpus = t->ncpus;
	m->tracks.rows_may_be_stale = o->rows_may_be_stale;
	m->frame = (struct frame){ .topology = t,
				   .set = &m->frame_set,
				   .nscopes = nscopes,
				   .nmetrics = m->nmetrics,
				   .scope = m->scope,
				   .span = m->span,
				   .value = m->value,
				   .reached = m->reached,
				   .state = m->state,
				   .bottleneck = m->bottlenecks.bottleneck,
				   .headline = &m->bottlenecks.headline };
	return m;
}

void
monitor_free(struct monitor *m)
{
	if (m == NULL)
		return;
	history_free(m->history);
	bottlenecks_done(&m->bottlenecks);
	power_join_done(&m->power);
	processes_free(m->processes);
	free(m->tracks.cpu);
	zero_events_free(&m->zeros);
	free(m->span);
	free(m->core);
	free(m->scope);
	free(m->value);
	free(m->reached);
	free(m->state);
	free(m->last);
	free(m);
}

struct power_join *
monitor_power(struct monitor *m)
{
	return &m->power;
}

static const struct bound *
monitor_metric_bound(const struct monitor *m, unsigned metric)
{
	for (unsigned i = 0; i < m->bounds.n; i++)
		if (m->bounds.bound[i].index == metric)
			return &m->bounds.bound[i];
	return NULL;
}

bool
monitor_traces(const struct monitor *m, unsigned metric)
{
	const struct bound *b = monitor_metric_bound(m, metric);
	const uint32_t slots = (1u << EVENTSET_MAX) - 1;

	return b != NULL && !b->rate && !b->unlike && b->metric->share == 0 &&
	       !b->metric->core && (b->need & slots) != 0 &&
	       b->need >> TERM_COUNTS == 0;
}

double
monitor_traced(const struct monitor *m, const struct span *s, unsigned metric,
	       bool *few)
{
	const struct members who = { .topology = m->topology,
				     .level = SCOPE_CORE,
				     .no_stand_in = true };
	enum value_state state = VALUE_OK;
	unsigned marks = 0;
	double v;

	if (!monitor_traces(m, metric) ||
	    (monitor_metric_bound(m, metric)->need & ~s->have_all) != 0)
		return NAN;
	v = bound_value(monitor_metric_bound(m, metric), s, &who, &state,
			&marks);
	*few = state == VALUE_FEW;
	return state == VALUE_OK || state == VALUE_FEW ? v : NAN;
}

enum { FEW_CYCLES = 1000000 };

enum bottleneck_word
monitor_traced_word(const struct monitor *m, const struct span *s,
		    unsigned kind)
{
	const struct bottlenecks *v = &m->bottlenecks;
	struct share_counts c = bottlenecks_counts(v, kind, m->frame.domain);
	struct shares slots;
	bool few;

	if (s->cycles < FEW_CYCLES)
		return BOTTLENECK_UNKNOWN;
	for (unsigned i = 0; i < MEASURE_COUNT; i++)
		if (v->metric[i] >= 0)
			c.m[i] = (float)monitor_traced(
				m, s, (unsigned)v->metric[i], &few);
	c.m[MEASURE_IPC] = (float)s->instructions / (float)s->cycles;
	if ((double)c.m[MEASURE_USER] < share_constants[CONSTANT_KERNEL].middle)
		return BOTTLENECK_KERNEL;
	if (!shares_of(&c, &slots))
		return BOTTLENECK_UNKNOWN;
	enum bottleneck_word word = shares_word(&slots);

	return word == BOTTLENECK_BACKEND &&
			       share_evidence(&c, &slots, word) >= 0
		       ? BOTTLENECK_MEMORY
		       : word;
}
