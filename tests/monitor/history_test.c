/* What is kept of frames comes back as it was, for as long as is promised. */
#include "monitor/history.h"
#include "model/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { METRICS = 70, SETS = 5 };

struct bench {
	unsigned ncpus, nscopes;
	struct history h;
	struct frame f;
	struct eventset set[SETS];
	struct event event[4];
	struct span *span, *span_then;
	double *value, *value_then;
	uint8_t *state, *state_then;
	struct verdict *verdict, *verdict_then;
	struct eventset set_then;
	uint64_t mask[HISTORY_MASK];
	uint64_t frames;
	double slept_s; /* so far */
};

static void
bench_open(struct bench *b, unsigned ncpus, unsigned ngroups)
{
	memset(b, 0, sizeof *b);
	b->ncpus = ncpus;
	b->nscopes = ncpus + ngroups;
	assert_true(history_init(&b->h, ncpus, ngroups, METRICS, NULL));
	b->span = calloc(b->nscopes, sizeof *b->span);
	b->span_then = calloc(b->nscopes, sizeof *b->span);
	b->value = calloc((size_t)b->nscopes * METRICS, sizeof(double));
	b->value_then = calloc((size_t)b->nscopes * METRICS, sizeof(double));
	b->state = calloc(b->nscopes, METRICS);
	b->state_then = calloc(b->nscopes, METRICS);
	b->verdict = calloc(b->nscopes, sizeof *b->verdict);
	b->verdict_then = calloc(b->nscopes, sizeof *b->verdict);
	b->f = (struct frame){ .nscopes = b->nscopes,
			       .nmetrics = METRICS,
			       .span = b->span,
			       .value = b->value,
			       .state = b->state,
			       .verdict = b->verdict };
	for (unsigned i = 0; i < SETS; i++) {
		b->set[i].name[0] = (char)('a' + i);
		b->set[i].len = i % 4;
		for (unsigned k = 0; k < b->set[i].len; k++)
			b->set[i].slot[k].event = &b->event[k];
	}
}

static void
bench_close(struct bench *b)
{
	history_done(&b->h);
	free(b->span);
	free(b->span_then);
	free(b->value);
	free(b->value_then);
	free(b->state);
	free(b->state_then);
	free(b->verdict);
	free(b->verdict_then);
}

/* All of frame n follows from n: what it counts, its values, why not. */
static bool
counted(uint64_t n, unsigned metric)
{
	return metric == 0 || (metric * 7 + n / 10 % SETS) % 4 == 0;
}

static double
value_at(uint64_t n, unsigned scope, unsigned metric)
{
	return (double)(n % 1000) + scope * 0.25 + metric * 1000;
}

static uint8_t
state_at(uint64_t n, unsigned scope, unsigned metric)
{
	static const enum value_state why[] = { VALUE_OK,    VALUE_FEW,
						VALUE_IDLE,  VALUE_OFF,
						VALUE_STALE, VALUE_OK };

	if (!counted(n, metric))
		return metric % 5 == 0 ? VALUE_UNSUPPORTED : VALUE_NOT_COUNTED;
	return (uint8_t)why[(n + scope + metric) % 6];
}

static bool
known(uint8_t state)
{
	return state == VALUE_OK || state == VALUE_FEW;
}

/* Frames without verdicts come as well. */
static bool
judged(uint64_t n)
{
	return n % 31 != 7;
}

static struct verdict
verdict_at(uint64_t n, unsigned scope)
{
	return (struct verdict){ .word = (uint8_t)((n + scope) % VERDICT_COUNT),
				 .alarm = n % 3 == 0,
				 .basis = VERDICT_OF_CYCLES,
				 .share = n % 5 == 0 ? NAN : 0.25f,
				 .age_s = 8,
				 .ipc_before = 3,
				 .before_s = n % 2 == 0 ? 0 : 40,
				 .see = -1,
				 .evidence = (int16_t)(scope * 3 % 100) };
}

static void
bench_push(struct bench *b)
{
	uint64_t n = b->frames++;
	struct frame *f = &b->f;

	f->seq = n;
	f->elapsed_s = (double)n * 1.5 + b->slept_s;
	f->interval_s = 1.5;
	f->stamp.wall_ns = (int64_t)n;
	f->quality = n % 97 == 13 ? QUALITY_GAP : 0;
	f->domain = n % 2 == 0 ? DOMAIN_USER : DOMAIN_ALL;
	f->set = &b->set[n / 10 % SETS];
	f->verdict = judged(n) ? b->verdict : NULL;
	memset(b->mask, 0, sizeof b->mask);
	for (unsigned m = 0; m < METRICS; m++)
		if (counted(n, m))
			b->mask[m / 64] |= (uint64_t)1 << m % 64;
	for (unsigned s = 0; s < b->nscopes; s++) {
		struct span *t = &b->span[s];

		*t = span_make(s % 5, 1.5, s % 3 == 0 ? NAN : (double)s);
		t->quality = QUALITY_MUX | (s % 2);
		span_put_event(t, 0.75);
		t->cycles = n * 1000;
		t->instructions = s;
		b->verdict[s] = verdict_at(n, s);
		span_put_slot(t, 0, s % 3 == 0, n);
		for (unsigned m = 0; m < METRICS; m++) {
			size_t at = (size_t)s * METRICS + m;

			b->state[at] = state_at(n, s, m);
			b->value[at] =
				known(b->state[at]) ? value_at(n, s, m) : NAN;
		}
	}
	history_push(&b->h, f, b->mask);
}

static void
check_verdict(const struct verdict *v, uint64_t n, unsigned scope)
{
	struct verdict want = verdict_at(n, scope);

	assert_int_equal(v->word, want.word);
	assert_int_equal(v->alarm, want.alarm);
	assert_int_equal(v->basis, want.basis);
	if (want.word == VERDICT_UNKNOWN) {
		assert_true(fabsf(v->before_s - want.before_s) < 0.5f);
		return;
	}
	assert_true(isnan(want.share) ? isnan(v->share)
				      : fabsf(v->share - want.share) < 0.001f);
	assert_true(fabsf(v->age_s - want.age_s) < 0.5f);
	assert_int_equal(v->evidence, want.evidence);
}

static void
check_then(struct bench *b, unsigned back)
{
	struct history_rows rows = { &b->set_then, b->span_then, b->value_then,
				     b->state_then, b->verdict_then };
	struct frame f = b->f;
	uint64_t n = b->frames - 1 - back;

	assert_true(history_then(&b->h, back, &f, &rows));
	assert_int_equal(f.seq, n);
	assert_true(fabs(f.elapsed_s - (double)n * 1.5) < 1e-9);
	assert_int_equal(f.quality & QUALITY_GAP,
			 n % 97 == 13 ? QUALITY_GAP : 0);
	assert_int_equal(f.domain, n % 2 == 0 ? DOMAIN_USER : DOMAIN_ALL);
	assert_string_equal(f.set->name, b->set[n / 10 % SETS].name);
	assert_int_equal(f.verdict != NULL, judged(n));
	for (unsigned s = 0; s < b->nscopes; s++) {
		const struct span *t = &f.span[s];

		if (f.verdict != NULL)
			check_verdict(&f.verdict[s], n, s);
		assert_int_equal(t->quality, QUALITY_MUX | (s % 2));
		assert_int_equal(t->n_ok, s % 5);
		assert_true(isnan(span_busy_pct(t)) == (s % 3 == 0));
		assert_int_equal(t->instructions, s);
		assert_true(f.set->len == 0 ||
			    fabs(span_coverage(t) - 0.5) < 1e-6);
		assert_int_equal(span_has_slot(t, 0),
				 f.set->len > 0 && s % 3 == 0);
		for (unsigned m = 0; m < METRICS; m++) {
			uint8_t state = state_at(n, s, m);
			double v = frame_value(&f, s, m);

			/* The rest goes by what is so now. */
			if (!counted(n, m)) {
				assert_true(isnan(v));
				continue;
			}
			assert_int_equal(frame_state(&f, s, m), state);
			assert_true(known(state) ? fabs(v - value_at(n, s, m)) <
							   v * 1e-6 + 1e-6
						 : isnan(v));
		}
	}
}

UNIT(test_frames_come_back)
{
	struct bench b;

	bench_open(&b, 8, 5);
	assert_int_equal(history_depth(&b.h), 0);
	for (unsigned i = 0; i < 9000; i++) {
		bench_push(&b);
		if (i % 701 == 0 || i == 3 || i == 899 || i == 900) {
			unsigned depth = history_depth(&b.h);

			/* An hour at one a second, also when full. */
			assert_int_equal(depth, i < 900 ? i : 899);
			check_then(&b, 0);
			check_then(&b, depth / 2);
			check_then(&b, depth);
			assert_false(history_then(&b.h, depth + 1,
						  &(struct frame){ 0 },
						  &(struct history_rows){ 0 }));
		}
	}
	bench_close(&b);
}

UNIT(test_columns_have_gaps)
{
	struct bench b;
	static float past[5000], times[5000];

	bench_open(&b, 8, 5);
	for (unsigned i = 0; i < 5000; i++)
		bench_push(&b);
	for (unsigned scope = 0; scope < 13; scope += 12)
		for (unsigned m = 0; m < METRICS; m += 23) {
			unsigned n = history_read(&b.h, scope, m, 5000, past);

			assert_int_equal(n, 900);
			for (unsigned i = 0; i < n; i++) {
				uint64_t at = 5000 - n + i;
				bool there = counted(at, m) && at % 97 != 13 &&
					     known(state_at(at, scope, m));

				assert_int_equal(!isnan(past[i]), there);
			}
		}
	/* The busy share, which is no metric. */
	assert_int_equal(history_read(&b.h, 7, HISTORY_BUSY, 5000, past), 900);
	for (unsigned i = 0; i < 900; i++)
		assert_int_equal(!isnan(past[i]), (4100 + i) % 97 != 13);
	assert_true(fabsf(past[899] - (float)span_busy_pct(&b.span[7])) <
		    1e-3f);
	assert_int_equal(history_read(&b.h, 13, HISTORY_BUSY, 10, past), 0);
	assert_int_equal(history_times(&b.h, 5000, times), 900);
	assert_true(fabsf(times[0] - 4100 * 1.5f) < 1e-3f);
	assert_int_equal(history_read(&b.h, 13, 0, 10, past), 0);
	assert_int_equal(history_read(&b.h, 0, METRICS, 10, past), 0);
	assert_int_equal(history_read(&b.h, 0, 0, 10, past), 10);
	bench_close(&b);
}

/* The last value not younger than a frame, and its age as of that frame. */
UNIT(test_last_as_of_then)
{
	struct bench b;

	bench_open(&b, 2, 1);
	for (unsigned i = 0; i < 400; i++)
		bench_push(&b);
	for (unsigned back = 0; back < 300; back += 17)
		for (unsigned m = 0; m < METRICS; m += 3) {
			uint64_t now = 399 - back, at = now;
			double age, v = history_last(&b.h, back, 1, m, &age);

			while (at > 0 && (!counted(at, m) || at % 97 == 13 ||
					  !known(state_at(at, 1, m))))
				at--;
			assert_true(fabs(v - value_at(at, 1, m)) < 0.1);
			assert_true(fabs(age - (double)(now - at) * 1.5) <
				    1e-9);
		}
	double age;

	assert_true(isnan(history_last(&b.h, 400, 1, 0, &age)));
	bench_close(&b);
}

/* Many CPUs: less far back, but not below what is promised. */
UNIT(test_many_cpus_are_bounded)
{
	static const struct {
		unsigned ncpus, ngroups, least;
	} row[] = { { 32, 9, 900 }, { 128, 18, 300 }, { 1024, 130, 60 } };

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct bench b;
		size_t bytes = 0;

		bench_open(&b, row[i].ncpus, row[i].ngroups);
		for (unsigned k = 0; k < 2; k++)
			bytes += b.h.ring[k].size * 4;
		assert_true(bytes <= HISTORY_BYTES);
		for (unsigned k = 0; k < row[i].least + 300; k++)
			bench_push(&b);
		assert_true(history_depth(&b.h) >= row[i].least - 1);
		check_then(&b, history_depth(&b.h));
		check_then(&b, 0);
		bench_close(&b);
	}
}

UNIT(test_forgetting)
{
	struct bench b;
	float past[4];

	bench_open(&b, 4, 3);
	for (unsigned i = 0; i < 3; i++)
		bench_push(&b);
	history_clear(&b.h);
	assert_int_equal(history_read(&b.h, 0, 0, 4, past), 0);
	b.frames = 0;
	bench_push(&b);
	assert_int_equal(history_read(&b.h, 0, 0, 4, past), 1);
	check_then(&b, 0);
	bench_close(&b);
}

/* Gaps come newest first, with what lay on both sides of them. */
UNIT(test_gaps_are_told)
{
	struct history_gap gap[4];
	struct bench b;

	bench_open(&b, 2, 2);
	while (b.frames < 13 + 97)
		bench_push(&b);
	b.slept_s = 3600; /* before the next frame, which is a gap */
	for (int i = 0; i < 21; i++)
		bench_push(&b);
	assert_int_equal(history_gaps(&b.h, 1000, 0, gap, 4), 2);
	assert_int_equal(gap[0].back, 20);
	assert_true(gap[0].slept);
	assert_true(fabs(gap[0].begin_s - 109 * 1.5) < 1e-9);
	assert_true(fabs(gap[0].end_s - (110 * 1.5 + 3600)) < 1e-9);
	assert_int_equal(gap[1].back, 20 + 97);
	assert_false(gap[1].slept);
	/* Only long ones, only among those frames, only so many. */
	assert_int_equal(history_gaps(&b.h, 1000, 4.5, gap, 4), 1);
	assert_int_equal(history_gaps(&b.h, 20, 0, gap, 4), 0);
	assert_int_equal(history_gaps(&b.h, 1000, 0, gap, 1), 1);
	bench_close(&b);
}
