#include "monitor/history.h"

#include "base/plural.h"
#include "model/bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	SETS = 128,  /* event sets told apart in a run; of more none is known */
	COLUMNS = 16 /* metrics whose values are kept once they are derived */
};

struct entry { /* of one frame */
	uint64_t seq;
	unsigned set;
	struct stamp stamp;
	double elapsed_s, interval_s;
	uint32_t quality;
	enum domain domain;
	bool judged; /* it had verdicts */
};

struct known_set {
	struct eventset events;
	enum domain domain;
};

/* What a frame says of a row besides its span. */
struct said {
	struct verdict verdict;
	uint8_t impact; /* state of that metric, which is no sum */
};

/* Derived values of one metric: what is drawn is read in every frame. */
struct column {
	int metric; /* -1: free */
	uint64_t used;
	struct {
		uint64_t from, to; /* frames that are derived */
	} * range;                 /* [nscopes] */
	float *value;              /* [nscopes][frames] */
	/* The metric tied to each set. */
	enum { UNTRIED, BOUND, UNBOUND } tried[SETS];
	struct bound *bound; /* [SETS] */
};

struct history {
	struct history_of of;
	unsigned nscopes, frames; /* rows; of which so many are kept */
	uint64_t pushed;          /* frames so far */
	struct entry *entry;      /* [frames], as the next */
	struct span *span;        /* [frames][nscopes] */
	struct said *said;
	struct known_set *set; /* [SETS]; 0: none */
	unsigned nsets;
	uint64_t since[METRIC_MAX]; /* frames before it: of another metric */
	int impact;                 /* the metric; -1: there is none */
	struct cache *cache;
};

struct cache {
	struct column column[COLUMNS];
	uint64_t reads;
	struct bounds then; /* all metrics, of the set below */
	unsigned then_set;  /* SETS: none */
};

/* ---- making one ---- */

/* As many as there is room for. */
static unsigned
frames_of(size_t row)
{
	size_t frames = HISTORY_BYTES / row;

	if (frames > HISTORY_FRAMES)
		frames = HISTORY_FRAMES;
	return frames < HISTORY_FRAMES_MIN ? HISTORY_FRAMES_MIN
					   : (unsigned)frames;
}

static bool
make_columns(struct history *h)
{
	for (unsigned i = 0; i < COLUMNS; i++) {
		struct column *c = &h->cache->column[i];

		c->metric = -1;
		c->range = calloc(h->nscopes, sizeof *c->range);
		c->value = calloc((size_t)h->nscopes * h->frames,
				  sizeof *c->value);
		c->bound = calloc(SETS, sizeof *c->bound);
		if (c->range == NULL || c->value == NULL || c->bound == NULL)
			return false;
	}
	return true;
}

struct history *
history_new(const struct history_of *of, struct err *e)
{
	struct history *h = calloc(1, sizeof *h);
	const struct topology *t = of->topology;

	if (h == NULL)
		goto failed;
	h->of = *of;
	h->nscopes = t->ncpus + t->nclusters + t->nkinds + 1;
	h->frames = frames_of((sizeof *h->span + sizeof *h->said) * h->nscopes);
	h->nsets = 1;
	h->impact = metric_find("impact");
	h->entry = calloc(h->frames, sizeof *h->entry);
	h->span = calloc((size_t)h->frames * h->nscopes, sizeof *h->span);
	h->said = calloc((size_t)h->frames * h->nscopes, sizeof *h->said);
	h->set = calloc(SETS, sizeof *h->set);
	h->cache = calloc(1, sizeof *h->cache);
	if (h->entry != NULL && h->span != NULL && h->said != NULL &&
	    h->set != NULL && h->cache != NULL && make_columns(h)) {
		h->cache->then_set = SETS;
		return h;
	}
failed:
	history_free(h);
	return err_null(e, ERR_FAIL, "out of memory for the history of %u %s",
			t->ncpus, plural(t->ncpus, "CPU", "CPUs"));
}

void
history_free(struct history *h)
{
	if (h == NULL)
		return;
	for (unsigned i = 0; h->cache != NULL && i < COLUMNS; i++) {
		free(h->cache->column[i].range);
		free(h->cache->column[i].value);
		free(h->cache->column[i].bound);
	}
	free(h->cache);
	free(h->entry);
	free(h->span);
	free(h->said);
	free(h->set);
	free(h);
}

static void
forget_column(const struct history *h, struct column *c, int metric)
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
	for (unsigned i = 0; i < COLUMNS; i++)
		forget_column(h, &h->cache->column[i], -1);
}

void
history_redefined(struct history *h, unsigned metric)
{
	h->since[metric] = h->pushed;
	h->cache->then_set = SETS;
	for (unsigned i = 0; i < COLUMNS; i++)
		if (h->cache->column[i].metric == (int)metric)
			forget_column(h, &h->cache->column[i], -1);
}

bool
history_means(const struct history *h, unsigned back, unsigned metric)
{
	return h->since[metric] + back < h->pushed || h->since[metric] == 0;
}

/* ---- frames ---- */

static struct entry *
entry_of(const struct history *h, uint64_t frame)
{
	return &h->entry[frame % h->frames];
}

static struct span *
spans_of(const struct history *h, uint64_t frame)
{
	return &h->span[frame % h->frames * h->nscopes];
}

static struct said *
said_of(const struct history *h, uint64_t frame)
{
	return &h->said[frame % h->frames * h->nscopes];
}

/* The oldest that is kept. */
static uint64_t
first_of(const struct history *h)
{
	return h->pushed > h->frames ? h->pushed - h->frames : 0;
}

/* Those of the n newest that are kept. */
static unsigned
kept(const struct history *h, unsigned n)
{
	uint64_t have = h->pushed - first_of(h);

	return have < n ? (unsigned)have : n;
}

static unsigned
set_number(struct history *h, const struct frame *f)
{
	for (unsigned i = h->nsets; i-- > 1;)
		if (h->set[i].domain == f->domain &&
		    eventset_same(&h->set[i].events, f->set))
			return i;
	if (h->nsets == SETS)
		return 0;
	h->set[h->nsets] = (struct known_set){ *f->set, f->domain };
	return h->nsets++;
}

void
history_push(struct history *h, const struct frame *f)
{
	struct said *said = said_of(h, h->pushed);

	*entry_of(h, h->pushed) =
		(struct entry){ .seq = f->seq,
				.set = set_number(h, f),
				.stamp = f->stamp,
				.elapsed_s = f->elapsed_s,
				.interval_s = f->interval_s,
				.quality = f->quality,
				.domain = f->domain,
				.judged = f->verdict != NULL };
	memcpy(spans_of(h, h->pushed), f->span, h->nscopes * sizeof *f->span);
	for (unsigned s = 0; f->verdict != NULL && s < h->nscopes; s++) {
		said[s].verdict = f->verdict[s];
		if (h->impact >= 0 && (unsigned)h->impact < f->nmetrics)
			said[s].impact =
				f->state[s * f->nmetrics + (unsigned)h->impact];
	}
	h->pushed++;
}

/* ---- reading ---- */

static struct column *
column_of(const struct history *h, unsigned metric)
{
	struct column *column = h->cache->column, *oldest = column;

	for (struct column *c = column; c < column + COLUMNS; c++) {
		if (c->metric == (int)metric) {
			oldest = c;
			break;
		}
		if (c->used < oldest->used)
			oldest = c;
	}
	if (oldest->metric != (int)metric)
		forget_column(h, oldest, (int)metric);
	oldest->used = ++h->cache->reads;
	return oldest;
}

static const struct bound *
bound_in(const struct history *h, struct column *c, unsigned set)
{
	enum value_state ignore;

	if (c->tried[set] == UNTRIED)
		c->tried[set] =
			bound_make(&c->bound[set], h->of.metric[c->metric],
				   (unsigned)c->metric, &h->set[set].events,
				   h->of.catalog, h->set[set].domain, &ignore)
				? BOUND
				: UNBOUND;
	return c->tried[set] == BOUND ? &c->bound[set] : NULL;
}

/* The rows that a frame of the past had. */
static struct members
members_of(const struct history *h, uint64_t frame, unsigned scope)
{
	const struct topology *t = h->of.topology;
	const struct span *span = spans_of(h, frame);
	struct scope s = scope_at(t, scope);

	return (struct members){ .topology = t,
				 .cpus = span,
				 .kinds = span + t->ncpus + t->nclusters,
				 .level = s.level,
				 .index = s.index,
				 .no_stand_in = h->of.no_stand_in };
}

static double
value_at(const struct history *h, struct column *c, uint64_t frame,
	 unsigned scope)
{
	const struct entry *e = entry_of(h, frame);
	enum value_state ignore;
	unsigned marks;

	if ((e->quality & QUALITY_GAP) != 0 || frame < h->since[c->metric])
		return NAN;
	if (c->metric == h->impact) {
		const struct said *s = &said_of(h, frame)[scope];

		return e->judged && (s->impact & VALUE_STATE_MASK) == VALUE_OK
			       ? s->verdict.impact
			       : NAN;
	}
	const struct bound *b = bound_in(h, c, e->set);
	struct members who = members_of(h, frame, scope);

	return b == NULL ? NAN
			 : bound_value(b, &spans_of(h, frame)[scope], &who,
				       &ignore, &marks);
}

static void
read_busy(const struct history *h, unsigned scope, unsigned n, float *out)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = h->pushed - n + i;
		bool gap = (entry_of(h, frame)->quality & QUALITY_GAP) != 0;

		out[i] = gap ? NAN
			     : (float)span_busy_pct(&spans_of(h, frame)[scope]);
	}
}

unsigned
history_read(const struct history *h, unsigned scope, unsigned metric,
	     unsigned n, float *out)
{
	bool busy = metric == HISTORY_BUSY;

	if (scope >= h->nscopes || (metric >= h->of.nmetrics && !busy))
		return 0;
	n = kept(h, n);
	if (busy) {
		read_busy(h, scope, n, out);
		return n;
	}
	struct column *c = column_of(h, metric);
	float *value = c->value + (size_t)scope * h->frames;
	uint64_t first = h->pushed - n, to = c->range[scope].to;

	if (c->range[scope].from > first || to < first)
		c->range[scope].from = to = first;
	for (; to < h->pushed; to++)
		value[to % h->frames] = (float)value_at(h, c, to, scope);
	c->range[scope].to = to;
	unsigned at = (unsigned)(first % h->frames);
	unsigned part = n < h->frames - at ? n : h->frames - at;

	memcpy(out, value + at, part * sizeof *out);
	memcpy(out + part, value, (n - part) * sizeof *out);
	return n;
}

unsigned
history_words(const struct history *h, unsigned scope, unsigned n, uint8_t *out)
{
	if (scope >= h->nscopes)
		return 0;
	n = kept(h, n);
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = h->pushed - n + i;
		const struct entry *e = entry_of(h, frame);

		out[i] = e->judged && (e->quality & QUALITY_GAP) == 0
				 ? said_of(h, frame)[scope].verdict.word
				 : VERDICT_COUNT;
	}
	return n;
}

unsigned
history_times(const struct history *h, unsigned n, float *out)
{
	n = kept(h, n);
	for (unsigned i = 0; i < n; i++)
		out[i] = (float)entry_of(h, h->pushed - n + i)->elapsed_s;
	return n;
}

unsigned
history_gaps(const struct history *h, unsigned n, double least_s,
	     struct history_gap *out, unsigned most)
{
	unsigned found = 0;

	n = kept(h, n);
	for (unsigned back = 0; back + 1 < n && found < most; back++) {
		const struct entry *e = entry_of(h, h->pushed - 1 - back);
		const struct entry *before = entry_of(h, h->pushed - 2 - back);
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

double
history_last(const struct history *h, unsigned back, unsigned scope,
	     unsigned metric, double *age_s)
{
	*age_s = NAN;
	if (scope >= h->nscopes || metric >= h->of.nmetrics ||
	    back >= h->pushed)
		return NAN;
	uint64_t now = h->pushed - 1 - back, first = first_of(h);
	struct column *c = column_of(h, metric);

	for (uint64_t i = now + 1; i-- > first;) {
		double v = value_at(h, c, i, scope);

		if (isnan(v))
			continue;
		*age_s =
			entry_of(h, now)->elapsed_s - entry_of(h, i)->elapsed_s;
		return v;
	}
	return NAN;
}

unsigned
history_depth(const struct history *h)
{
	return h->pushed > 0 ? (unsigned)(h->pushed - 1 - first_of(h)) : 0;
}

const struct eventset *
history_set(const struct history *h, unsigned back)
{
	if (back >= kept(h, UINT32_MAX))
		return NULL;
	return &h->set[entry_of(h, h->pushed - 1 - back)->set].events;
}

struct stamp
history_stamp(const struct history *h, unsigned back)
{
	return entry_of(h, h->pushed - 1 - back)->stamp;
}

/* ---- a frame as it was ---- */

static void
put_values(const struct history *h, uint64_t frame, unsigned scope,
	   double *value, uint8_t *state)
{
	const struct said *said = &said_of(h, frame)[scope];
	const struct span *span = &spans_of(h, frame)[scope];
	struct members who = members_of(h, frame, scope);

	for (unsigned i = 0; i < h->of.nmetrics; i++) {
		value[i] = NAN;
		state[i] = (uint8_t)h->cache->then.why[i];
	}
	for (unsigned i = 0; i < h->cache->then.n; i++) {
		const struct bound *b = &h->cache->then.bound[i];
		enum value_state why = VALUE_NOT_COUNTED;
		unsigned marks = 0;

		if (frame >= h->since[b->index])
			value[b->index] =
				bound_value(b, span, &who, &why, &marks);
		state[b->index] = (uint8_t)(why | marks);
	}
	if (h->impact < 0 || !entry_of(h, frame)->judged)
		return;
	state[h->impact] = said->impact;
	if ((said->impact & VALUE_STATE_MASK) == VALUE_OK)
		value[h->impact] = said->verdict.impact;
}

bool
history_then(const struct history *h, unsigned back, struct frame *f,
	     const struct history_rows *rows)
{
	if (back >= kept(h, UINT32_MAX) || f->nscopes != h->nscopes ||
	    f->nmetrics != h->of.nmetrics)
		return false;
	uint64_t frame = h->pushed - 1 - back;
	const struct entry *e = entry_of(h, frame);

	if (h->cache->then_set != e->set)
		bounds_make(&h->cache->then, h->of.metric, h->of.nmetrics,
			    &h->set[e->set].events, h->of.catalog,
			    h->set[e->set].domain);
	h->cache->then_set = e->set;
	memcpy(rows->span, spans_of(h, frame), h->nscopes * sizeof *rows->span);
	for (unsigned s = 0; s < h->nscopes; s++) {
		put_values(h, frame, s, rows->value + (size_t)s * f->nmetrics,
			   rows->state + (size_t)s * f->nmetrics);
		if (rows->verdict != NULL)
			rows->verdict[s] = said_of(h, frame)[s].verdict;
	}
	f->seq = e->seq;
	f->stamp = e->stamp;
	f->elapsed_s = e->elapsed_s;
	f->interval_s = e->interval_s;
	f->quality = e->quality;
	f->domain = e->domain;
	f->set = &h->set[e->set].events;
	f->span = rows->span;
	f->value = rows->value;
	f->state = rows->state;
	f->verdict = e->judged ? rows->verdict : NULL;
	return true;
}
