#include "monitor/inner.h"

#include "base/plural.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* tolerance for the rounded time of a frame's end, in seconds */
static const double instant_s = 1e-6;

static void *
history_new_array(struct history *h, size_t n, size_t size)
{
	void *p = calloc(n, size);

	h->failed = h->failed || p == NULL;
	h->array[h->narrays++] = p;
	return p;
}

static void
history_make_columns(struct history *h)
{
	size_t cells = (size_t)h->nscopes * h->frames;
	struct range *range = history_new_array(
		h, (size_t)HISTORY_COLUMNS * h->nscopes, sizeof *range);
	float *value =
		history_new_array(h, HISTORY_COLUMNS * cells, sizeof *value);
	struct bound *bound = history_new_array(
		h, (size_t)HISTORY_COLUMNS * HISTORY_SETS, sizeof *bound);

	h->cache = history_new_array(h, 1, sizeof *h->cache);
	for (size_t i = 0; !h->failed && i < HISTORY_COLUMNS; i++)
		h->cache->column[i] =
			(struct column){ .range = range + i * h->nscopes,
					 .value = value + i * cells,
					 .bound = bound + i * HISTORY_SETS };
	if (!h->failed)
		h->cache->all_set = HISTORY_SETS;
}

struct history *
history_new(const struct history_of *of, struct err *e)
{
	struct history *h = calloc(1, sizeof *h);
	const struct topology *t = of->topology;
	size_t cells;

	if (h != NULL) {
		h->of = *of;
		h->nscopes = t->ncpus + t->nclusters + t->nkinds + 1;
		h->frames = sums_fitting(
			HISTORY_BYTES,
			(sizeof *h->span + sizeof *h->said) * h->nscopes +
				sizeof *h->power_row * (t->nclusters + 1),
			HISTORY_FRAMES_MIN, HISTORY_FRAMES);
		cells = (size_t)h->frames * h->nscopes;
		h->nsets = 1;
		h->judged = -1;
		for (unsigned i = 0; i < of->nmetrics; i++)
			if (of->metric[i]->judged)
				h->judged = (int)i;
		h->entry = history_new_array(h, h->frames, sizeof *h->entry);
		h->span = history_new_array(h, cells, sizeof *h->span);
		h->said = history_new_array(h, cells, sizeof *h->said);
		h->power = history_new_array(h, h->frames, sizeof *h->power);
		h->power_row = history_new_array(
			h, (size_t)h->frames * (t->nclusters + 1),
			sizeof *h->power_row);
		h->set = history_new_array(h, HISTORY_SETS, sizeof *h->set);
		history_make_columns(h);
		h->failed |= !sums_make(&h->run, t->ncpus, h->nscopes);
	}
	if (h != NULL && !h->failed)
		return h;
	history_free(h);
	return err_null(e, ERR_FAIL, "out of memory for the history of %u %s",
			t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
}

void
history_free(struct history *h)
{
	if (h == NULL)
		return;
	for (unsigned i = 0; i < h->narrays; i++)
		free(h->array[i]);
	sums_free(&h->run);
	free(h);
}

static void
column_set_metric(const struct history *h, struct column *c,
		  const struct metric *metric)
{
	c->metric = metric;
	memset(c->range, 0, h->nscopes * sizeof *c->range);
	memset(c->tried, 0, sizeof c->tried);
}

void
history_clear(struct history *h)
{
	h->pushed = 0;
	memset(h->since, 0, sizeof h->since);
	for (unsigned i = 0; i < HISTORY_COLUMNS; i++)
		column_set_metric(h, &h->cache->column[i], NULL);
}

void
history_redefined(struct history *h, unsigned metric)
{
	h->since[metric] = h->pushed;
	h->cache->all_set = HISTORY_SETS;
	for (struct column *c = h->cache->column;
	     c < h->cache->column + HISTORY_COLUMNS; c++)
		if (c->metric == h->of.metric[metric])
			column_set_metric(h, c, NULL);
}

bool
history_means(const struct history *h, unsigned back, unsigned metric)
{
	return h->since[metric] + back < h->pushed || h->since[metric] == 0;
}

static struct span *
history_spans(const struct history *h, uint64_t frame)
{
	return &h->span[frame % h->frames * h->nscopes];
}

static struct said *
history_said(const struct history *h, uint64_t frame)
{
	return &h->said[frame % h->frames * h->nscopes];
}

static unsigned
history_kept(const struct history *h, unsigned n)
{
	uint64_t have = h->pushed < h->frames ? h->pushed : h->frames;

	return have < n ? (unsigned)have : n;
}

static unsigned
history_set_number(struct history *h, const struct frame *f)
{
	for (unsigned i = h->nsets; i-- > 1;)
		if (h->set[i].domain == f->domain &&
		    eventset_same(&h->set[i].events, f->set))
			return i;
	if (h->nsets == HISTORY_SETS)
		return 0;
	h->set[h->nsets] = (struct known_set){ *f->set, f->domain };
	return h->nsets++;
}

void
history_push(struct history *h, const struct frame *f)
{
	unsigned set = history_set_number(h, f);
	struct said *said = history_said(h, h->pushed);

	*history_entry(h, h->pushed) =
		(struct entry){ .seq = f->seq,
				.stamp = f->stamp,
				.elapsed_s = f->elapsed_s,
				.interval_s = f->interval_s,
				.quality = f->quality,
				.set = set,
				.judged = f->bottleneck != NULL };
	if (f->headline != NULL)
		history_entry(h, h->pushed)->headline = *f->headline;
	history_push_power(h, f->power);
	memcpy(history_spans(h, h->pushed), f->span,
	       h->nscopes * sizeof *f->span);
	for (unsigned s = 0; f->bottleneck != NULL && s < h->nscopes; s++) {
		const struct bottleneck *b = &f->bottleneck[s];

		said[s] = (struct said){ .impact = (float)b->impact,
					 .lost_pct = b->lost_pct,
					 .word = b->word,
					 .estimate = b->estimate,
					 .cannot = b->cannot,
					 .flagged = b->flagged,
					 .lost_about = b->lost_about };
		if (h->judged >= 0)
			said[s].judged =
				f->state[s * f->nmetrics + (unsigned)h->judged];
	}
	h->pushed++;
	sums_add(&h->run, f, f->set->len > 0 ? set : 0);
}

struct column *
history_column(const struct history *h, const struct metric *metric)
{
	struct column *column = h->cache->column, *oldest = column;

	for (struct column *c = column; c < column + HISTORY_COLUMNS; c++) {
		if (c->metric == metric) {
			oldest = c;
			break;
		}
		if (c->used < oldest->used)
			oldest = c;
	}
	if (oldest->metric != metric)
		column_set_metric(h, oldest, metric);
	oldest->used = ++h->cache->reads;
	return oldest;
}

const struct bound *
history_bound(const struct history *h, struct column *c, unsigned set)
{
	const struct known_set *s = &h->set[set];
	enum value_state ignore;

	if (c->tried[set] == UNTRIED)
		c->tried[set] =
			bound_make(&c->bound[set], c->metric, 0, &s->events,
				   h->of.catalog, s->domain, &ignore)
				? BOUND
				: UNBOUND;
	return c->tried[set] == BOUND ? &c->bound[set] : NULL;
}

struct members
history_members(const struct history *h, const struct span *rows,
		unsigned scope)
{
	const struct topology *t = h->of.topology;
	struct scope s = scope_at(t, scope);

	return (struct members){ .topology = t,
				 .cpus = rows,
				 .kinds = rows + t->ncpus + t->nclusters,
				 .level = s.level,
				 .index = s.index,
				 .no_stand_in = h->of.no_stand_in };
}

static double
judged_value(const struct history *h, uint64_t frame, unsigned scope)
{
	const struct said *s = &history_said(h, frame)[scope];

	return history_entry(h, frame)->judged &&
			       (s->judged & VALUE_STATE_MASK) == VALUE_OK
		       ? s->lost_pct
		       : NAN;
}

static double
history_value_at(const struct history *h, struct column *c, unsigned metric,
		 uint64_t frame, unsigned scope)
{
	const struct entry *e = history_entry(h, frame);
	const struct span *rows = history_spans(h, frame);
	enum value_state ignore;
	unsigned marks;

	if ((e->quality & QUALITY_GAP) != 0)
		return NAN;
	if (metric == HISTORY_BUSY)
		return span_busy_pct(&rows[scope]);
	if (frame < h->since[metric])
		return NAN;
	if (c->metric->judged)
		return judged_value(h, frame, scope);
	const struct bound *b = history_bound(h, c, e->set);
	struct members who = history_members(h, rows, scope);

	return b == NULL ? NAN
			 : bound_value(b, &rows[scope], &who, &ignore, &marks);
}

unsigned
history_read(const struct history *h, unsigned scope, unsigned metric,
	     unsigned n, float *out)
{
	if (scope >= h->nscopes ||
	    (metric >= h->of.nmetrics && metric != HISTORY_BUSY))
		return 0;
	n = history_kept(h, n);
	uint64_t first = h->pushed - n;

	if (metric == HISTORY_BUSY) {
		for (unsigned i = 0; i < n; i++)
			out[i] = (float)history_value_at(h, NULL, metric,
							 first + i, scope);
		return n;
	}
	struct column *c = history_column(h, h->of.metric[metric]);
	struct range *r = &c->range[scope];
	float *value = c->value + (size_t)scope * h->frames;

	if (r->from > first || r->to < first)
		r->from = r->to = first;
	for (; r->to < h->pushed; r->to++)
		value[r->to % h->frames] =
			(float)history_value_at(h, c, metric, r->to, scope);
	unsigned at = (unsigned)(first % h->frames);
	unsigned part = n < h->frames - at ? n : h->frames - at;

	memcpy(out, value + at, part * sizeof *out);
	memcpy(out + part, value, (n - part) * sizeof *out);
	return n;
}

double
history_last(const struct history *h, unsigned back, unsigned scope,
	     unsigned metric, double *age_s)
{
	*age_s = NAN;
	if (scope >= h->nscopes || metric >= h->of.nmetrics ||
	    back >= history_kept(h, UINT32_MAX))
		return NAN;
	uint64_t now = h->pushed - 1 - back;
	uint64_t first = h->pushed - history_kept(h, UINT32_MAX);
	struct column *c = history_column(h, h->of.metric[metric]);

	for (uint64_t i = now + 1; i-- > first;) {
		double v = history_value_at(h, c, metric, i, scope);

		if (isnan(v))
			continue;
		*age_s = history_entry(h, now)->elapsed_s -
			 history_entry(h, i)->elapsed_s;
		return v;
	}
	return NAN;
}

unsigned
history_words(const struct history *h, unsigned scope, unsigned n, uint8_t *out)
{
	if (scope >= h->nscopes)
		return 0;
	n = history_kept(h, n);
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = h->pushed - n + i;
		const struct entry *e = history_entry(h, frame);

		out[i] = e->judged && (e->quality & QUALITY_GAP) == 0
				 ? history_said(h, frame)[scope].word
				 : BOTTLENECK_COUNT;
	}
	return n;
}

unsigned
history_times(const struct history *h, unsigned n, float *out)
{
	n = history_kept(h, n);
	for (unsigned i = 0; i < n; i++)
		out[i] = (float)history_entry(h, h->pushed - n + i)->elapsed_s;
	return n;
}

unsigned
history_gaps(const struct history *h, unsigned n, double least_s,
	     struct history_gap *out, unsigned most)
{
	unsigned found = 0;

	n = history_kept(h, n);
	for (unsigned back = 0; back + 1 < n && found < most; back++) {
		const struct entry *e = history_entry(h, h->pushed - 1 - back);
		const struct entry *before =
			history_entry(h, h->pushed - 2 - back);
		double length = e->elapsed_s - before->elapsed_s;

		if ((e->quality & QUALITY_GAP) == 0 || length < least_s)
			continue;
		out[found++] = (struct history_gap){
			.back = back,
			.begin_s = before->elapsed_s,
			.end_s = e->elapsed_s,
			.slept = e->interval_s < length / 2,
		};
	}
	return found;
}

unsigned
history_depth(const struct history *h)
{
	return h->pushed > 0 ? history_kept(h, UINT32_MAX) - 1 : 0;
}

const struct eventset *
history_set(const struct history *h, unsigned back)
{
	if (back >= history_kept(h, UINT32_MAX))
		return NULL;
	return &h->set[history_entry(h, h->pushed - 1 - back)->set].events;
}

struct stamp
history_stamp(const struct history *h, unsigned back)
{
	return history_entry(h, h->pushed - 1 - back)->stamp;
}

/* rows may be sums over several frames; the bottleneck metric and the metric
 * definitions are those of `frame`. */
static void
history_put_values(const struct history *h, const struct span *rows,
		   uint64_t frame, unsigned scope, double *value,
		   uint8_t *state)
{
	const struct bounds *all = &h->cache->all;
	struct members who = history_members(h, rows, scope);

	for (unsigned i = 0; i < h->of.nmetrics; i++) {
		value[i] = NAN;
		state[i] = (uint8_t)all->why[i];
	}
	for (unsigned i = 0; i < all->n; i++) {
		const struct bound *b = &all->bound[i];
		enum value_state why = VALUE_NOT_COUNTED;
		unsigned marks = 0;

		if (frame >= h->since[b->index])
			value[b->index] = bound_value(b, &rows[scope], &who,
						      &why, &marks);
		state[b->index] = (uint8_t)(why | marks);
	}
	if (h->judged < 0 || !history_entry(h, frame)->judged)
		return;
	state[h->judged] = history_said(h, frame)[scope].judged;
	value[h->judged] = judged_value(h, frame, scope);
}

static struct bottleneck
history_bottleneck_then(const struct history *h, uint64_t frame, unsigned scope)
{
	const struct said *s = &history_said(h, frame)[scope];
	struct bottleneck b =
		bottleneck_word_only((enum bottleneck_word)s->word);

	b.estimate = s->estimate;
	b.cannot = s->cannot;
	b.flagged = s->flagged;
	b.impact = (double)s->impact;
	b.lost_pct = s->lost_pct;
	b.lost_about = s->lost_about;
	return b;
}

bool
history_then(const struct history *h, unsigned back, struct frame *f,
	     const struct history_rows *rows)
{
	if (back >= history_kept(h, UINT32_MAX) || f->nscopes != h->nscopes ||
	    f->nmetrics != h->of.nmetrics)
		return false;
	uint64_t frame = h->pushed - 1 - back;
	const struct entry *e = history_entry(h, frame);
	const struct known_set *set = &h->set[e->set];

	if (h->cache->all_set != e->set)
		bounds_make(&h->cache->all, h->of.metric, h->of.nmetrics,
			    &set->events, h->of.catalog, set->domain);
	h->cache->all_set = e->set;
	if (rows->headline != NULL)
		*rows->headline = e->headline;
	memcpy(rows->span, history_spans(h, frame),
	       h->nscopes * sizeof *rows->span);
	for (unsigned s = 0; s < h->nscopes; s++) {
		history_put_values(h, rows->span, frame, s,
				   rows->value + (size_t)s * f->nmetrics,
				   rows->state + (size_t)s * f->nmetrics);
		if (rows->bottleneck != NULL)
			rows->bottleneck[s] =
				history_bottleneck_then(h, frame, s);
	}
	f->seq = e->seq;
	f->stamp = e->stamp;
	f->elapsed_s = e->elapsed_s;
	f->interval_s = e->interval_s;
	f->quality = e->quality;
	f->domain = set->domain;
	f->set = &set->events;
	f->span = rows->span;
	f->value = rows->value;
	f->state = rows->state;
	f->bottleneck = e->judged ? rows->bottleneck : NULL;
	f->headline = e->judged ? rows->headline : NULL;
	f->power =
		history_power_then(h, frame, frame, rows) ? rows->power : NULL;
	return true;
}

struct window {
	uint64_t from, last;
	double wall_ns;
};

static bool
window_has_frame(const struct history *h, const struct window *w,
		 uint64_t frame)
{
	const struct entry *e = history_entry(h, frame);
	const struct span *all = &history_spans(h, frame)[h->nscopes - 1];
	const struct span *last = &history_spans(h, w->last)[h->nscopes - 1];

	/* In the first interval after an event change no events are counted. */
	return (e->quality & QUALITY_GAP) == 0 &&
	       e->set == history_entry(h, w->last)->set &&
	       (last->have_any & ~all->have_any) == 0;
}

static void
window_sum_row(const struct history *h, const struct window *w, unsigned scope,
	       struct span *out)
{
	const uint32_t states = QUALITY_OFF | QUALITY_STALE | QUALITY_DENIED |
				QUALITY_IDLE | QUALITY_SWAP;
	double wall_ns;

	span_clear(out);
	for (uint64_t i = w->from; i <= w->last; i++)
		if (window_has_frame(h, w, i))
			span_add(out, &history_spans(h, i)[scope]);
	wall_ns = out->n > 0 ? out->wall_ns : w->wall_ns;
	out->quality &= ~states;
	out->nslots = history_spans(h, w->last)[scope].nslots;
	span_close(out, 0, wall_ns);
	out->wall_ns = wall_ns;
}

/* lost_pct is a share of the machine's slots, so its mean is weighted by the
 * machine's cycles. */
static void
window_put_judged(const struct history *h, const struct window *w,
		  unsigned scope, double *value, uint8_t *state)
{
	double sum = 0, weight = 0;

	for (uint64_t i = w->from; i <= w->last; i++) {
		double one = judged_value(h, i, scope);
		double cycles =
			(double)history_spans(h, i)[h->nscopes - 1].cycles;

		if (!window_has_frame(h, w, i) || isnan(one))
			continue;
		sum += one * cycles;
		weight += cycles;
	}
	*value = weight > 0 ? sum / weight : NAN;
	*state = weight > 0 ? VALUE_OK : VALUE_NOT_COUNTED;
}

static double
window_deviation(const struct history *h, const struct window *w,
		 struct column *c, unsigned metric, unsigned scope)
{
	double sum = 0, squares = 0, n = 0;

	for (uint64_t i = w->from; i <= w->last; i++) {
		double one = window_has_frame(h, w, i)
				     ? history_value_at(h, c, metric, i, scope)
				     : NAN;

		if (isnan(one))
			continue;
		n++;
		sum += one;
		squares += one * one;
	}
	return n > 1 ? sqrt(fmax((squares - sum * sum / n) / (n - 1), 0)) : 0;
}

static void
window_deviations(const struct history *h, const struct window *w,
		  const struct frame *f, double *out)
{
	for (unsigned m = 0; m <= f->nmetrics; m++) {
		bool busy = m == f->nmetrics;
		struct column *c =
			busy ? NULL : history_column(h, h->of.metric[m]);

		for (unsigned s = 0; s < h->nscopes; s++)
			out[(size_t)s * (f->nmetrics + 1) + m] =
				busy || !isnan(f->value[(size_t)s *
								f->nmetrics +
							m])
					? window_deviation(
						  h, w, c,
						  busy ? HISTORY_BUSY : m, s)
					: 0;
	}
}

bool
history_window(const struct history *h, unsigned back, double span_s,
	       struct frame *f, const struct history_rows *rows,
	       double *deviation)
{
	if (!history_then(h, back, f, rows))
		return false;
	struct window w = { .last = h->pushed - 1 - back };
	uint64_t first = h->pushed - history_kept(h, UINT32_MAX);
	bool any = false;

	w.from = w.last;
	while (w.from > first && history_entry(h, w.from - 1)->elapsed_s >
					 f->elapsed_s - span_s + instant_s)
		w.from--;
	for (uint64_t i = w.from; i <= w.last; i++) {
		any |= window_has_frame(h, &w, i);
		w.wall_ns += history_entry(h, i)->interval_s * 1e9;
	}
	for (unsigned s = 0; any && s < h->nscopes; s++)
		window_sum_row(h, &w, s, &rows->span[s]);
	for (unsigned s = 0; any && s < h->nscopes; s++) {
		double *value = rows->value + (size_t)s * f->nmetrics;
		uint8_t *state = rows->state + (size_t)s * f->nmetrics;

		history_put_values(h, rows->span, w.last, s, value, state);
		if (h->judged >= 0)
			window_put_judged(h, &w, s, &value[h->judged],
					  &state[h->judged]);
	}
	f->interval_s = w.wall_ns * 1e-9;
	if (any)
		f->power = history_power_then(h, w.from, w.last, rows)
				   ? rows->power
				   : NULL;
	if (any && deviation != NULL)
		window_deviations(h, &w, f, deviation);
	return any;
}
