#include "monitor/history.h"

#include "base/plural.h"
#include "model/verdict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RING_CPU, RING_GROUP };

/* A row's words: its metrics in the mask's order, then these, then slots. */
enum row_word {
	WORD_BUSY,
	WORD_INTERVAL,
	WORD_EVENT,
	WORD_CYCLES,
	WORD_INSTRUCTIONS,
	WORD_QUALITY,
	WORD_KNOWN,   /* slots, | n_ok << 16 */
	WORD_VERDICT, /* as bits */
	WORD_SLOT
};

/* words as values */

static uint32_t
bits_of(float v)
{
	uint32_t bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

static float
float_of(uint32_t bits)
{
	float v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/*
 * A value and its state in one word: NAN carries the state in its payload, and
 * the five lowest bits of a number (four millionths of it) say VALUE_FEW and
 * the marks.
 */
static uint32_t
word_of(double v, uint8_t state)
{
	if (isnan(v))
		return 0x7fc00000u | state;
	if (state == VALUE_OK) /* most are */
		return bits_of((float)v) & ~31u;
	return (bits_of((float)v) & ~31u) |
	       ((state & VALUE_STATE_MASK) == VALUE_FEW) |
	       ((state & VALUE_SCALED) != 0 ? 2u : 0) |
	       ((state & VALUE_PART) != 0 ? 4u : 0) |
	       ((state & VALUE_UNLIKE) != 0 ? 8u : 0) |
	       ((state & VALUE_MODES) != 0 ? 16u : 0);
}

static double
value_of(uint32_t word, uint8_t *state)
{
	float v = float_of(word);

	if (isnan(v)) {
		*state = (uint8_t)(word & 15);
		return NAN;
	}
	*state = (word & 1) != 0 ? VALUE_FEW : VALUE_OK;
	*state |= (word & 2) != 0 ? VALUE_SCALED : 0;
	*state |= (word & 4) != 0 ? VALUE_PART : 0;
	*state |= (word & 8) != 0 ? VALUE_UNLIKE : 0;
	*state = (uint8_t)(*state | (word & 16) / 16 * VALUE_MODES);
	return (double)float_of(word & ~31u);
}

/* masks of metrics */

static bool
mask_has(const uint64_t *mask, unsigned metric)
{
	return (mask[metric / 64] >> metric % 64 & 1) != 0;
}

/* How many metrics of the mask stand before this one. */
static unsigned
mask_rank(const uint64_t *mask, unsigned metric)
{
	unsigned n = 0;

	for (unsigned i = 0; i < metric / 64; i++)
		n += (unsigned)__builtin_popcountll(mask[i]);
	if (metric % 64 != 0)
		n += (unsigned)__builtin_popcountll(mask[metric / 64]
						    << (64 - metric % 64));
	return n;
}

/* How many it has: a word each. */
static unsigned
mask_words(const uint64_t *mask)
{
	return mask_rank(mask, METRIC_MAX);
}

/* rings */

static struct history_entry *
entry_of(const struct history *h, uint64_t frame)
{
	return &h->entry[frame % HISTORY_FRAMES];
}

/* HISTORY_FRAMES of rows as wide as that, or what there is room for. */
static bool
ring_init(struct history_ring *r, unsigned rows, size_t room)
{
	size_t row = (size_t)rows * HISTORY_ROW_WORDS;

	r->rows = rows;
	r->size = row * HISTORY_FRAMES;
	if (r->size > room / sizeof *r->word)
		r->size = room / sizeof *r->word;
	if (r->size < row * HISTORY_FRAMES_MIN)
		r->size = row * HISTORY_FRAMES_MIN;
	r->word = calloc(r->size, sizeof *r->word);
	return r->word != NULL;
}

bool
history_init(struct history *h, unsigned ncpus, unsigned ngroups,
	     unsigned nmetrics, struct err *e)
{
	*h = (struct history){ .ncpus = ncpus,
			       .ngroups = ngroups,
			       .nmetrics = nmetrics,
			       .impact = metric_find("impact") };
	h->entry = calloc(HISTORY_FRAMES, sizeof *h->entry);
	h->set = calloc(HISTORY_SETS, sizeof *h->set);
	if (h->entry != NULL && h->set != NULL &&
	    ring_init(&h->ring[RING_GROUP], ngroups, HISTORY_BYTES / 4) &&
	    ring_init(&h->ring[RING_CPU], ncpus, HISTORY_BYTES / 4 * 3))
		return true;
	history_done(h);
	return err_set(e, ERR_FAIL, "out of memory for the history of %u %s",
		       ncpus, plural(ncpus, "CPU", "CPUs"));
}

void
history_done(struct history *h)
{
	free(h->entry);
	free(h->set);
	free(h->ring[0].word);
	free(h->ring[1].word);
	*h = (struct history){ .nmetrics = 0 };
}

void
history_clear(struct history *h)
{
	h->pushed = h->nsets = 0;
	memset(h->since, 0, sizeof h->since);
	for (unsigned i = 0; i < 2; i++)
		h->ring[i].head = h->ring[i].first = 0;
}

void
history_redefined(struct history *h, unsigned metric)
{
	h->since[metric] = h->pushed;
}

bool
history_means(const struct history *h, unsigned back, unsigned metric)
{
	return h->since[metric] + back < h->pushed || h->since[metric] == 0;
}

/* Room for `len` words, for which the oldest frames go; NULL: never fits. */
static uint32_t *
ring_take(struct history *h, unsigned which, size_t len, size_t *at)
{
	struct history_ring *r = &h->ring[which];

	if (len > r->size)
		return NULL;
	if (r->head + len > r->size) {
		/* What lies behind the head is the oldest there is. */
		while (r->first < h->pushed &&
		       entry_of(h, r->first)->at[which] >= r->head)
			r->first++;
		r->head = 0;
	}
	while (r->first < h->pushed) {
		const struct history_entry *e = entry_of(h, r->first);

		if (e->len[which] > 0 &&
		    (e->at[which] >= r->head + len ||
		     e->at[which] + e->len[which] <= r->head))
			break;
		r->first++;
	}
	*at = r->head;
	r->head += len;
	return r->word + *at;
}

/* writing */

static void
put_row(uint32_t *to, const struct frame *f, unsigned scope,
	const uint64_t *mask)
{
	const struct span *t = &f->span[scope];
	uint32_t known = 0;

	for (unsigned w = 0; w < HISTORY_MASK; w++)
		for (uint64_t bits = mask[w]; bits != 0; bits &= bits - 1) {
			unsigned m = w * 64 + (unsigned)__builtin_ctzll(bits);

			*to++ = word_of(frame_value(f, scope, m),
					f->state[scope * f->nmetrics + m]);
		}
	for (unsigned i = 0; i < f->set->len; i++) {
		known |= (uint32_t)span_has_slot(t, i) << i;
		to[WORD_SLOT + i] = bits_of((float)t->slot[i]);
	}
	to[WORD_BUSY] = bits_of((float)span_busy_pct(t));
	to[WORD_INTERVAL] = bits_of((float)span_interval_s(t));
	to[WORD_EVENT] = bits_of((float)span_event_s(t));
	to[WORD_CYCLES] = bits_of((float)t->cycles);
	to[WORD_INSTRUCTIONS] = bits_of((float)t->instructions);
	to[WORD_QUALITY] = t->quality;
	to[WORD_KNOWN] = known | (uint32_t)t->n_ok << 16;
	to[WORD_VERDICT] =
		verdict_bits(f->verdict != NULL ? &f->verdict[scope] : NULL);
}

static uint64_t
set_number(struct history *h, const struct eventset *set)
{
	uint64_t oldest = h->nsets > HISTORY_SETS ? h->nsets - HISTORY_SETS : 0;

	for (uint64_t i = h->nsets; i-- > oldest;) {
		const struct eventset *s = &h->set[i % HISTORY_SETS];
		bool same =
			s->len == set->len && strcmp(s->name, set->name) == 0;

		for (unsigned k = 0; same && k < set->len; k++)
			same = s->slot[k].event == set->slot[k].event &&
			       s->slot[k].counter == set->slot[k].counter;
		if (same)
			return i;
	}
	h->set[h->nsets % HISTORY_SETS] = *set;
	return h->nsets++;
}

static unsigned
row_words(const uint64_t *mask, const struct eventset *set)
{
	return mask_words(mask) + WORD_SLOT + set->len;
}

void
history_push(struct history *h, const struct frame *f,
	     const uint64_t mask[HISTORY_MASK])
{
	const unsigned first[2] = { 0, h->ncpus };
	const unsigned rows[2] = { h->ncpus, h->ngroups };
	unsigned words = row_words(mask, f->set);
	struct history_entry e = { .seq = f->seq,
				   .set = set_number(h, f->set),
				   .stamp = f->stamp,
				   .elapsed_s = f->elapsed_s,
				   .interval_s = f->interval_s,
				   .quality = f->quality,
				   .domain = f->domain };

	memcpy(e.mask, mask, sizeof e.mask);
	for (unsigned i = 0; i < 2; i++) {
		/* The frame's entry is about to be overwritten. */
		if (h->pushed - h->ring[i].first == HISTORY_FRAMES)
			h->ring[i].first++;
		size_t len = (size_t)rows[i] * words;
		uint32_t *to = ring_take(h, i, len, &e.at[i]);

		e.len[i] = to != NULL ? len : 0;
		for (unsigned s = 0; to != NULL && s < rows[i]; s++)
			put_row(to + (size_t)s * words, f, first[i] + s, mask);
	}
	const struct history_entry *last = entry_of(h, h->pushed - 1);
	bool same = h->pushed > 0 &&
		    memcmp(last->mask, e.mask, sizeof e.mask) == 0 &&
		    memcmp(last->len, e.len, sizeof e.len) == 0;

	e.layout = same ? last->layout : ++h->layouts;
	*entry_of(h, h->pushed) = e;
	h->pushed++;
}

/* reading */

static unsigned
ring_of(const struct history *h, unsigned scope)
{
	return scope < h->ncpus ? RING_CPU : RING_GROUP;
}

/* Of the rows in the ring. */
static unsigned
row_in_ring(const struct history *h, unsigned scope)
{
	return scope < h->ncpus ? scope : scope - h->ncpus;
}

/* The row's words; NULL: not kept. */
static const uint32_t *
row_of(const struct history *h, uint64_t frame, unsigned scope)
{
	const struct history_entry *e = entry_of(h, frame);
	unsigned which = ring_of(h, scope);
	const struct history_ring *r = &h->ring[which];

	if (frame < r->first || e->len[which] == 0)
		return NULL;
	return r->word + e->at[which] +
	       (size_t)row_in_ring(h, scope) * (e->len[which] / r->rows);
}

/* Of a frame that is no gap. */
static const uint32_t *
row_read(const struct history *h, uint64_t frame, unsigned scope)
{
	return (entry_of(h, frame)->quality & QUALITY_GAP) != 0
		       ? NULL
		       : row_of(h, frame, scope);
}

static double
value_in(const struct history *h, uint64_t frame, unsigned scope,
	 unsigned metric)
{
	const uint64_t *mask = entry_of(h, frame)->mask;
	const uint32_t *row = row_read(h, frame, scope);
	uint8_t state;

	if (row == NULL || !mask_has(mask, metric) || frame < h->since[metric])
		return NAN;
	return value_of(row[mask_rank(mask, metric)], &state);
}

/* Those of the n frames wanted that the ring still has. */
static unsigned
kept(const struct history *h, uint64_t first, unsigned n)
{
	uint64_t have = h->pushed - first;

	return have < n ? (unsigned)have : n;
}

unsigned
history_read(const struct history *h, unsigned scope, unsigned metric,
	     unsigned n, float *out)
{
	bool busy = metric == HISTORY_BUSY, has = false;
	size_t word = 0; /* in the frame's */
	unsigned layout = 0;

	if (scope >= h->ncpus + h->ngroups || (metric >= h->nmetrics && !busy))
		return 0;
	unsigned which = ring_of(h, scope), row = row_in_ring(h, scope);
	const struct history_ring *r = &h->ring[which];
	uint64_t since = busy ? 0 : h->since[metric];

	n = kept(h, r->first, n);
	uint64_t frame = h->pushed - n;
	const struct history_entry *e = entry_of(h, frame);

	for (unsigned i = 0; i < n; i++, frame++) {
		if (e->layout != layout) {
			layout = e->layout;
			has = e->len[which] > 0 &&
			      (busy || mask_has(e->mask, metric));
			word = row * (e->len[which] / r->rows) +
			       (busy ? mask_words(e->mask) + WORD_BUSY
				     : mask_rank(e->mask, metric));
		}
		if (!has || (e->quality & QUALITY_GAP) != 0 || frame < since)
			out[i] = NAN;
		else
			out[i] = float_of(r->word[e->at[which] + word] &
					  (busy ? ~0u : ~31u));
		if (++e == h->entry + HISTORY_FRAMES)
			e = h->entry;
	}
	return n;
}

unsigned
history_words(const struct history *h, unsigned scope, unsigned n, uint8_t *out)
{
	if (scope >= h->ncpus + h->ngroups)
		return 0;
	n = kept(h, h->ring[ring_of(h, scope)].first, n);
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = h->pushed - n + i;
		const uint32_t *row = row_read(h, frame, scope);

		out[i] = row == NULL ? VERDICT_COUNT
				     : verdict_bits_word(
					       row[mask_words(entry_of(h, frame)
								      ->mask) +
						   WORD_VERDICT]);
	}
	return n;
}

unsigned
history_times(const struct history *h, unsigned n, float *out)
{
	n = kept(h, h->ring[RING_GROUP].first, n);
	for (unsigned i = 0; i < n; i++)
		out[i] = (float)entry_of(h, h->pushed - n + i)->elapsed_s;
	return n;
}

unsigned
history_gaps(const struct history *h, unsigned n, double least_s,
	     struct history_gap *out, unsigned most)
{
	unsigned found = 0;

	n = kept(h, h->ring[RING_GROUP].first, n);
	for (unsigned back = 0; back + 1 < n && found < most; back++) {
		const struct history_entry *e =
			entry_of(h, h->pushed - 1 - back);
		const struct history_entry *before =
			entry_of(h, h->pushed - 2 - back);
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
	if (scope >= h->ncpus + h->ngroups || metric >= h->nmetrics ||
	    back >= h->pushed)
		return NAN;
	uint64_t now = h->pushed - 1 - back;
	uint64_t first = h->ring[ring_of(h, scope)].first;

	for (uint64_t i = now + 1; i-- > first;) {
		double v = value_in(h, i, scope, metric);

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
	uint64_t cpu = h->ring[RING_CPU].first,
		 group = h->ring[RING_GROUP].first,
		 first = cpu > group ? cpu : group;

	return h->pushed > first ? (unsigned)(h->pushed - 1 - first) : 0;
}

const struct eventset *
history_set(const struct history *h, unsigned back)
{
	if (back >= h->pushed || back >= HISTORY_FRAMES)
		return NULL;
	uint64_t set = entry_of(h, h->pushed - 1 - back)->set;

	return set + HISTORY_SETS >= h->nsets ? &h->set[set % HISTORY_SETS]
					      : NULL;
}

static void
take_span(const uint32_t *from, unsigned nslots, struct span *s)
{
	double interval_ns = (double)float_of(from[WORD_INTERVAL]) * 1e9;
	double busy = (double)float_of(from[WORD_BUSY]) / 100;
	unsigned n_ok = from[WORD_KNOWN] >> 16, n = n_ok > 0 ? n_ok : 1;

	*s = (struct span){
		.quality = from[WORD_QUALITY],
		.n = n,
		.n_ok = n_ok,
		.nslots = nslots,
		.wall_ns = interval_ns,
		.cpu_ns = interval_ns * n_ok,
		.event_ns = (double)float_of(from[WORD_EVENT]) * 1e9 * n,
		.have_all = from[WORD_KNOWN] & 0xffff,
		.cycles = (uint64_t)float_of(from[WORD_CYCLES]),
		.instructions = (uint64_t)float_of(from[WORD_INSTRUCTIONS]),
	};
	if (!isnan(busy)) {
		s->seen_ns = interval_ns;
		s->seen_busy_ns = busy * interval_ns;
	}
	for (unsigned i = 0; i < nslots; i++)
		s->slot[i] = (uint64_t)float_of(from[WORD_SLOT + i]);
}

/* False: it had no verdict, or none is wanted. */
static bool
take_row(const struct history *h, uint64_t frame, const struct frame *f,
	 unsigned scope, const struct history_rows *rows)
{
	const struct history_entry *e = entry_of(h, frame);
	const uint32_t *from = row_of(h, frame, scope);
	size_t at = (size_t)scope * f->nmetrics;

	for (unsigned m = 0; m < f->nmetrics; m++, at++) {
		bool has = m < METRIC_MAX && mask_has(e->mask, m);

		if (has)
			rows->value[at] = value_of(*from++, &rows->state[at]);
		if (has && frame >= h->since[m])
			continue;
		rows->value[at] = NAN;
		if (f->state[at] == VALUE_UNSUPPORTED)
			rows->state[at] = VALUE_UNSUPPORTED;
		else
			rows->state[at] = VALUE_NOT_COUNTED;
	}
	take_span(from, rows->set->len, &rows->span[scope]);
	return rows->verdict != NULL &&
	       verdict_of_bits(from[WORD_VERDICT], &rows->verdict[scope]);
}

/* What it lost is a metric, if that was counted. */
static double
impact_then(const struct history *h, const struct frame *f, unsigned scope,
	    const struct history_rows *rows)
{
	const struct verdict *v = &rows->verdict[scope];

	if (v->word == VERDICT_IDLE || v->word == VERDICT_COMPUTES)
		return 0;
	if (h->impact < 0 || (unsigned)h->impact >= f->nmetrics)
		return NAN;
	return rows->value[(size_t)scope * f->nmetrics + (unsigned)h->impact];
}

/* A group's share of it is of its CPUs that say the same. */
static void
take_impacts(const struct history *h, const struct frame *f,
	     const struct history_rows *rows)
{
	const struct topology *t = f->topology;

	for (unsigned s = 0; s < f->nscopes; s++) {
		struct verdict *v = &rows->verdict[s];

		v->impact = impact_then(h, f, s, rows);
		v->shared = s < h->ncpus ? v->impact : 0;
	}
	for (unsigned c = 0; t != NULL && c < h->ncpus; c++) {
		const struct verdict *one = &rows->verdict[c];
		const unsigned group[] = {
			frame_scope_cluster(f, t->cpu[c].cluster),
			frame_scope_kind(f, t->cpu[c].kind), frame_scope_all(f)
		};

		for (unsigned i = 0; i < sizeof group / sizeof *group; i++)
			if (rows->verdict[group[i]].word == one->word &&
			    !isnan(one->impact))
				rows->verdict[group[i]].shared += one->impact;
	}
}

struct stamp
history_stamp(const struct history *h, unsigned back)
{
	return entry_of(h, h->pushed - 1 - back)->stamp;
}

bool
history_then(const struct history *h, unsigned back, struct frame *f,
	     const struct history_rows *rows)
{
	if (back > history_depth(h) || h->pushed == 0 ||
	    f->nscopes != h->ncpus + h->ngroups || f->nmetrics != h->nmetrics)
		return false;
	uint64_t frame = h->pushed - 1 - back;
	const struct history_entry *e = entry_of(h, frame);
	const struct eventset *set = history_set(h, back);
	bool judged = true;

	*rows->set = set != NULL ? *set : (struct eventset){ .len = 0 };
	for (unsigned s = 0; s < f->nscopes; s++)
		judged &= take_row(h, frame, f, s, rows);
	if (judged)
		take_impacts(h, f, rows);
	f->seq = e->seq;
	f->stamp = e->stamp;
	f->elapsed_s = e->elapsed_s;
	f->interval_s = e->interval_s;
	f->quality = e->quality;
	f->domain = e->domain;
	f->set = rows->set;
	f->span = rows->span;
	f->value = rows->value;
	f->state = rows->state;
	f->verdict = judged ? rows->verdict : NULL;
	return true;
}
