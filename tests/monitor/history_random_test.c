/*
 * What a frame of the past says is bit by bit what it said when it was the
 * newest: numbers, states, counts; through sets that change, gaps, frames that
 * are dropped, and another beginning.
 */
#include "monitor/history.h"

#include "monitor/draw.h"
#include "model/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CPUS = 3, GROUPS = 2, ROWS = CPUS + GROUPS, METRICS = 9, SETS = 3 };
enum { FRAMES = 9000, CELLS = ROWS * METRICS };

struct said { /* by a frame, when it was the newest */
	uint64_t seq;
	uint32_t quality;
	uint64_t mask;
	double value[CELLS];
	uint8_t state[CELLS];
	struct span span[ROWS];
	uint8_t word[ROWS];
};

struct bench {
	struct history h;
	struct frame f;
	struct eventset set[SETS];
	struct event event;
	struct span span[ROWS];
	double value[CELLS];
	uint8_t state[CELLS];
	struct verdict verdict[ROWS];
	uint64_t mask[HISTORY_MASK];
	struct said *said; /* [FRAMES] */
	uint64_t frames, cleared;
	unsigned quiet; /* so many frames go on like the one before */
	bool idle;
};

static uint64_t seed = 3;

static unsigned
draw(unsigned n)
{
	return drawn(&seed, n);
}

static double
draw_number(void)
{
	switch (draw(6)) {
	case 0:
		return 0;
	case 1:
		return draw(100);
	case 2:
		return -1e-30 * draw(1000);
	default:
		return draw(1u << 30) / 7.0 * pow(10, (int)draw(20) - 10);
	}
}

static void
draw_cell(struct bench *b, unsigned at)
{
	static const uint8_t why[] = { VALUE_IDLE, VALUE_OFF, VALUE_STALE,
				       VALUE_DENIED };
	static const uint8_t how[] = { VALUE_OK,
				       VALUE_OK,
				       VALUE_FEW,
				       VALUE_OK | VALUE_SCALED,
				       VALUE_OK | VALUE_PART,
				       VALUE_FEW | VALUE_UNLIKE,
				       VALUE_OK | VALUE_MODES };
	bool none = draw(5) == 0;

	b->state[at] = none ? why[draw(sizeof why)] : how[draw(sizeof how)];
	b->value[at] = none ? NAN : draw_number();
}

static void
draw_row(struct bench *b, unsigned row)
{
	struct span *t = &b->span[row];

	*t = span_make(draw(9), 1 + draw(100) * 1e-4,
		       draw(9) == 0 ? NAN : draw(1000) / 10.0);
	t->quality = draw(1 << 12);
	span_put_event(t, draw(1000) * 1e-3);
	t->cycles = (uint64_t)draw(1u << 30) * 5;
	t->instructions = draw(3);
	for (unsigned i = 0; i < b->f.set->len; i++)
		span_put_slot(t, i, draw(4) != 0, draw(1u << 30));
	b->verdict[row] = (struct verdict){ .word = (uint8_t)draw(4),
					    .see = -1,
					    .evidence = -1 };
	for (unsigned m = 0; m < METRICS; m++)
		draw_cell(b, row * METRICS + m);
}

static void
draw_frame(struct bench *b)
{
	b->f.quality = draw(60) == 0 ? QUALITY_GAP : 0;
	if (b->quiet-- == 0) { /* others are counted */
		b->quiet = draw(4) == 0 ? draw(5) : draw(300);
		b->idle = draw(3) == 0;
		b->f.set = &b->set[draw(SETS)];
		b->mask[0] = 1 + draw(1 << METRICS) / 2 * 2;
		for (unsigned row = 0; row < ROWS; row++)
			draw_row(b, row);
	}
	for (unsigned row = 0; row < ROWS && !b->idle; row++)
		draw_row(b, row);
}

static void
then(struct bench *b, unsigned back, struct said *out)
{
	struct eventset set;
	struct span span[ROWS];
	struct verdict verdict[ROWS];
	struct history_rows rows = { &set, span, out->value, out->state,
				     verdict };
	struct frame f = b->f;

	memset(out, 0, sizeof *out);
	assert_true(history_then(&b->h, back, &f, &rows));
	out->seq = f.seq;
	out->quality = f.quality;
	memcpy(out->span, span, sizeof span);
	for (unsigned i = 0; i < ROWS; i++)
		out->word[i] = verdict[i].word;
}

static void
push(struct bench *b)
{
	struct said *s = &b->said[b->frames];

	draw_frame(b);
	b->f.seq = b->frames++;
	history_push(&b->h, &b->f, b->mask);
	then(b, 0, s);
	s->mask = b->mask[0];
}

static bool
same(double a, double b)
{
	return isnan(a) ? isnan(b) : !(a < b) && !(a > b) && !isnan(b);
}

static void
check_frame(struct bench *b, unsigned back)
{
	const struct said *was = &b->said[b->frames - 1 - back];
	struct said is;

	then(b, back, &is);
	assert_true(is.seq == was->seq);
	assert_int_equal(is.quality, was->quality);
	for (unsigned i = 0; i < CELLS; i++)
		assert_true(same(is.value[i], was->value[i]));
	for (unsigned i = 0; i < CELLS; i++)
		if ((was->mask >> i % METRICS & 1) != 0)
			assert_int_equal(is.state[i], was->state[i]);
	for (unsigned row = 0; row < ROWS; row++) {
		const struct span *t = &was->span[row], *o = &is.span[row];

		assert_int_equal(is.word[row], was->word[row]);
		assert_int_equal(o->quality, t->quality);
		assert_int_equal(o->n_ok, t->n_ok);
		assert_true(same(span_interval_s(o), span_interval_s(t)));
		assert_true(same(span_event_s(o), span_event_s(t)));
		assert_true(same(span_busy_pct(o), span_busy_pct(t)));
		assert_true(o->cycles == t->cycles);
		assert_true(o->instructions == t->instructions);
		assert_memory_equal(o->slot, t->slot, sizeof t->slot);
		assert_int_equal(o->have_all, t->have_all);
	}
}

static void
check_column(struct bench *b, unsigned row, unsigned metric, unsigned want)
{
	static float past[HISTORY_FRAMES + 9];
	bool busy = metric == METRICS;
	unsigned n = history_read(&b->h, row, busy ? HISTORY_BUSY : metric,
				  want, past);
	uint64_t have = b->frames - b->cleared;

	if (have > HISTORY_FRAMES)
		have = HISTORY_FRAMES;
	assert_int_equal(n, have < want ? have : want);
	for (unsigned i = 0; i < n; i++) {
		const struct said *s = &b->said[b->frames - n + i];
		double v = busy ? span_busy_pct(&s->span[row])
				: s->value[row * METRICS + metric];

		if ((s->quality & QUALITY_GAP) != 0 ||
		    (!busy && (s->mask >> metric & 1) == 0))
			v = NAN;
		assert_true(same((double)past[i], (double)(float)v));
	}
}

static void
check_words(struct bench *b, unsigned row)
{
	static uint8_t word[HISTORY_FRAMES];
	unsigned n = history_words(&b->h, row, HISTORY_FRAMES, word);

	for (unsigned i = 0; i < n; i++) {
		const struct said *s = &b->said[b->frames - n + i];

		assert_int_equal(word[i], (s->quality & QUALITY_GAP) != 0
						  ? VERDICT_COUNT
						  : s->word[row]);
	}
}

static void
check(struct bench *b)
{
	unsigned depth = history_depth(&b->h);

	for (unsigned i = 0; i < 40; i++)
		check_frame(b, draw(depth + 1));
	check_frame(b, depth);
	for (unsigned i = 0; i < 12; i++)
		check_column(b, draw(ROWS), draw(METRICS + 1),
			     i < 4 ? HISTORY_FRAMES + 5 : 1 + draw(900));
	check_words(b, draw(ROWS));
}

UNIT(test_as_it_was)
{
	struct bench b = { .frames = 0 };

	b.said = calloc(FRAMES, sizeof *b.said);
	b.f = (struct frame){ .nscopes = ROWS,
			      .nmetrics = METRICS,
			      .span = b.span,
			      .value = b.value,
			      .state = b.state,
			      .verdict = b.verdict };
	for (unsigned i = 0; i < SETS; i++) {
		b.set[i].name[0] = (char)('a' + i);
		b.set[i].len = i * 4;
		for (unsigned k = 0; k < b.set[i].len; k++)
			b.set[i].slot[k].event = &b.event;
	}
	assert_true(history_init(&b.h, CPUS, GROUPS, METRICS, NULL));
	while (b.frames < FRAMES) {
		if (b.frames == 700) {
			history_clear(&b.h);
			b.cleared = b.frames;
		}
		push(&b);
		if (b.frames % 211 == 0 || b.frames == 257 + 700)
			check(&b);
	}
	assert_int_equal(history_depth(&b.h), HISTORY_FRAMES - 1);
	history_done(&b.h);
	free(b.said);
}
