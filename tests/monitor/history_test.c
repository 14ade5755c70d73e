/*
 * A frame of the past says what it said when it was the newest: values, states,
 * counts, bottlenecks; through sets that change, CPUs that are missing or idle,
 * gaps, and another beginning.
 */
#include "model/rig.h"
#include "monitor/draw.h"

#include <stdlib.h>

#include <cmocka.h>

enum { FRAMES = 1500, CLEARED = 260, ROWS = RIG_ALL + 1 };

struct said { /* by a frame, when it was the newest */
	struct frame f;
	char set[32];
	struct span span[ROWS];
	struct bottleneck bottleneck[ROWS];
	struct headline headline;
	double *value; /* [ROWS * nmetrics] */
	uint8_t *state;
};

struct bench {
	struct rig r;
	struct said *said; /* [FRAMES] */
	unsigned frames, cleared;
	size_t cells;
	uint64_t seed;
};

static void
draw_sample(struct bench *b)
{
	static const char *const preset[] = { "basic", "branch", "l1d",
					      "topdown" };
	struct rig *r = &b->r;

	if (drawn(&b->seed, 40) == 0) {
		rig_set(r, preset[drawn(&b->seed, 4)]);
		r->s->flags = SAMPLE_BASELINE;
		(void)rig_feed(r);
		r->s->flags = 0;
	}
	rig_pass(r, 800 + drawn(&b->seed, 400),
		 drawn(&b->seed, 60) == 0 ? 5000 : 0);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		struct cpu_sample *c = &r->s->cpu[i];
		unsigned cycles = drawn(&b->seed, 9) == 0
					  ? 5000
					  : 1 + drawn(&b->seed, 1u << 30) * 2;

		c->state = drawn(&b->seed, 15) == 0  ? CPU_MISSING
			   : drawn(&b->seed, 9) == 0 ? CPU_OFF
						     : CPU_DELIVERED;
		c->busy_known = drawn(&b->seed, 9) != 0;
		c->busy += drawn(&b->seed, 101);
		c->total += 100;
		rig_run(r, i, cycles, cycles / (1 + drawn(&b->seed, 4)));
		for (unsigned k = 0; k < r->set.len; k++)
			c->slot[k].count += cycles / (2 + drawn(&b->seed, 9));
		c->slot[1].supported = drawn(&b->seed, 9) != 0;
	}
}

static void
feed(struct bench *b)
{
	struct said *s = &b->said[b->frames++];

	draw_sample(b);
	const struct frame *f = rig_feed(&b->r);

	assert_non_null(f);
	b->cells = (size_t)f->nscopes * f->nmetrics;
	s->f = *f;
	strcpy(s->set, f->set->name);
	memcpy(s->span, f->span, sizeof s->span);
	memcpy(s->bottleneck, f->bottleneck, sizeof s->bottleneck);
	s->headline = *f->headline;
	s->value = calloc(b->cells, sizeof *s->value);
	s->state = calloc(b->cells, 1);
	memcpy(s->value, f->value, b->cells * sizeof *s->value);
	memcpy(s->state, f->state, b->cells);
}

static bool
same(double a, double b)
{
	return isnan(a) ? isnan(b) : !(a < b) && !(a > b) && !isnan(b);
}

static void
check_bottleneck(const struct bottleneck *is, const struct bottleneck *was)
{
	assert_int_equal(is->word, was->word);
	assert_int_equal(is->flagged, was->flagged);
	assert_int_equal(is->estimate, was->estimate);
	assert_int_equal(is->cannot, was->cannot);
	assert_true(
		same((double)(float)is->impact, (double)(float)was->impact));
	assert_true(same(is->lost_pct, was->lost_pct));
	assert_true(isnan(is->share)); /* is not kept */
}

static void
check_then(struct bench *b, unsigned back)
{
	const struct said *was = &b->said[b->frames - 1 - back];
	struct span span[ROWS];
	struct bottleneck bottleneck[ROWS];
	double *value = calloc(b->cells, sizeof *value);
	uint8_t *state = calloc(b->cells, 1);
	struct headline headline;
	struct history_rows rows = { .span = span,
				     .value = value,
				     .state = state,
				     .bottleneck = bottleneck,
				     .headline = &headline };
	struct frame f = b->said[b->frames - 1].f;

	assert_true(history_then(monitor_past(b->r.m), back, &f, &rows));
	assert_true(f.seq == was->f.seq);
	assert_true(same(f.elapsed_s, was->f.elapsed_s));
	assert_true(same(f.interval_s, was->f.interval_s));
	assert_true(f.stamp.wall_ns == was->f.stamp.wall_ns);
	assert_int_equal(f.quality, was->f.quality);
	assert_int_equal(f.domain, was->f.domain);
	assert_string_equal(f.set->name, was->set);
	assert_memory_equal(f.span, was->span, sizeof was->span);
	for (unsigned i = 0; i < ROWS; i++)
		check_bottleneck(&f.bottleneck[i], &was->bottleneck[i]);
	assert_int_equal(headline.scope, was->headline.scope);
	assert_int_equal(headline.is.word, was->headline.is.word);
	for (size_t i = 0; i < b->cells; i++) {
		assert_int_equal(state[i], was->state[i]);
		assert_true(same(value[i], was->value[i]));
	}
	free(value);
	free(state);
}

static unsigned
kept(const struct bench *b, unsigned want)
{
	unsigned have = b->frames - b->cleared;

	have = have < HISTORY_FRAMES ? have : HISTORY_FRAMES;
	return have < want ? have : want;
}

/* What the newest n frames said, NAN in those that are gaps. */
static void
check_column(struct bench *b, unsigned row, unsigned metric, unsigned want)
{
	static float past[HISTORY_FRAMES + 9];
	unsigned n = monitor_history(b->r.m, row, metric, want, past);

	assert_int_equal(n, kept(b, want));
	for (unsigned i = 0; i < n; i++) {
		const struct said *s = &b->said[b->frames - n + i];
		double v = metric == HISTORY_BUSY
				   ? span_busy_pct(&s->span[row])
				   : s->value[row * s->f.nmetrics + metric];

		if ((s->f.quality & QUALITY_GAP) != 0)
			v = NAN;
		assert_true(same((double)past[i], (double)(float)v));
	}
}

static void
check_words(struct bench *b, unsigned row)
{
	static uint8_t word[HISTORY_FRAMES];
	unsigned n =
		history_words(monitor_past(b->r.m), row, HISTORY_FRAMES, word);

	assert_int_equal(n, kept(b, HISTORY_FRAMES));
	for (unsigned i = 0; i < n; i++) {
		const struct said *s = &b->said[b->frames - n + i];

		assert_int_equal(word[i], (s->f.quality & QUALITY_GAP) != 0
						  ? BOTTLENECK_COUNT
						  : s->bottleneck[row].word);
	}
}

/* The last value not younger than a frame, and its age as of that frame. */
static void
check_last(struct bench *b, unsigned back, unsigned row, unsigned metric)
{
	unsigned now = b->frames - 1 - back, at = now + 1;
	unsigned first = b->frames - kept(b, HISTORY_FRAMES);
	double want = NAN, age,
	       v = history_last(monitor_past(b->r.m), back, row, metric, &age);

	while (isnan(want) && at-- > first)
		if ((b->said[at].f.quality & QUALITY_GAP) == 0)
			want = b->said[at].value[row * b->said[at].f.nmetrics +
						 metric];
	assert_true(same(v, want));
	assert_true(same(age, isnan(want) ? NAN
					  : b->said[now].f.elapsed_s -
						    b->said[at].f.elapsed_s));
}

static void
check(struct bench *b)
{
	const struct history *h = monitor_past(b->r.m);
	unsigned depth = history_depth(h), nmetrics = b->said->f.nmetrics;
	static float times[HISTORY_FRAMES];

	assert_int_equal(depth, kept(b, HISTORY_FRAMES) - 1);
	check_then(b, 0);
	check_then(b, depth);
	for (unsigned i = 0; i < 6; i++)
		check_then(b, drawn(&b->seed, depth + 1));
	assert_false(history_then(h, depth + 1, &(struct frame){ 0 },
				  &(struct history_rows){ 0 }));
	/* More metrics than are kept derived, some of them twice. */
	for (unsigned m = 0; m < nmetrics; m += 1 + drawn(&b->seed, 3))
		check_column(b, drawn(&b->seed, ROWS), m,
			     m % 3 == 0 ? HISTORY_FRAMES + 5
					: 1 + drawn(&b->seed, 900));
	for (unsigned row = 0; row < ROWS; row++) {
		check_column(b, row, (unsigned)metric_find("ipc"), 100);
		check_column(b, row, HISTORY_BUSY, 5000);
		check_column(b, row, (unsigned)metric_find("lost_pct"), 5000);
		check_words(b, row);
	}
	for (unsigned m = 0; m < nmetrics; m += 7)
		check_last(b, drawn(&b->seed, depth + 1), drawn(&b->seed, ROWS),
			   m);
	unsigned n = history_times(h, 5000, times);

	assert_int_equal(n, depth + 1);
	assert_true(fabs((double)times[0] -
			 b->said[b->frames - n].f.elapsed_s) < 1e-3);
}

static void
open_bench(struct bench *b)
{
	*b = (struct bench){ .seed = 3 };
	rig_open(&b->r, "a14", "basic", false);
	b->said = calloc(FRAMES, sizeof *b->said);
	assert_int_equal(history_depth(monitor_past(b->r.m)), 0);
}

static void
close_bench(struct bench *b)
{
	for (unsigned i = 0; i < b->frames; i++) {
		free(b->said[i].value);
		free(b->said[i].state);
	}
	free(b->said);
	rig_close(&b->r);
}

UNIT(test_as_it_was)
{
	struct bench b;
	float past[1];
	double age;

	open_bench(&b);
	while (b.frames < FRAMES) {
		if (b.frames == CLEARED) {
			monitor_restart(b.r.m);
			b.cleared = b.frames;
			assert_null(rig_feed(&b.r));
		}
		feed(&b);
		if (b.frames % 211 == 0 || b.frames == CLEARED + 1)
			check(&b);
	}
	assert_int_equal(history_depth(monitor_past(b.r.m)),
			 HISTORY_FRAMES - 1);
	assert_int_equal(monitor_history(b.r.m, ROWS, 0, 1, past), 0);
	assert_int_equal(monitor_history(b.r.m, ROWS, HISTORY_BUSY, 1, past),
			 0);
	assert_int_equal(monitor_history(b.r.m, 0, b.said->f.nmetrics, 1, past),
			 0);
	assert_true(
		isnan(history_last(monitor_past(b.r.m), FRAMES, 1, 0, &age)));
	close_bench(&b);
}

/*
 * Some frames as one: counts are summed, ratios are of the sums; a gap and what
 * counted other events stay out. The deviation is that of the single values.
 */
UNIT(test_frames_as_one)
{
	enum {
		FED = 20,
		BACK = 3,
		LAST = FED - 1 - BACK,
		SPAN = 8,
		OTHER = 11
	};
	unsigned ipc = (unsigned)metric_find("ipc");
	unsigned br = (unsigned)metric_find("branch_mpki");
	double instructions = 0, cycles = 0, misses = 0, of = 0, sum = 0,
	       squares = 0, n = 0, one[FED];
	struct rig r;
	struct frame f;
	struct history_rows rows = { .span = NULL };

	rig_open(&r, "a14", "basic", false);
	const struct history *h = monitor_past(r.m);

	for (unsigned i = 0; i < FED; i++) {
		if (i == OTHER || i == OTHER + 1)
			rig_set(&r, i == OTHER ? "l1d" : "basic");
		rig_pass(&r, 1000, 0);
		for (unsigned cpu = 0; cpu < RIG_CPUS; cpu++) {
			uint64_t done = 1000000u * (100 + i * (cpu + 7) % 90);

			rig_run(&r, cpu, 200000000 + 7 * done, done * 9);
			for (unsigned k = 0; k < r.set.len; k++)
				r.s->cpu[cpu].slot[k].count += done / (k + 2);
		}
		const struct frame *now = rig_feed(&r);

		assert_non_null(now);
		f = *now;
		const struct span *all = &now->span[frame_scope_all(now)];

		one[i] = frame_value(now, frame_scope_all(now), ipc);
		if (i > LAST || i + SPAN <= LAST ||
		    isnan(frame_value(now, frame_scope_all(now), br)))
			continue;
		instructions += (double)all->instructions;
		cycles += (double)all->cycles;
		misses += frame_value(now, frame_scope_all(now), br) *
			  (double)all->pair_instructions;
		of += (double)all->pair_instructions;
		sum += one[i];
		squares += one[i] * one[i];
		n++;
	}
	size_t values = (size_t)f.nscopes * f.nmetrics;
	double *deviation = calloc(values + f.nscopes, sizeof *deviation);

	rows.span = calloc(f.nscopes, sizeof *rows.span);
	rows.value = calloc(values, sizeof *rows.value);
	rows.state = calloc(values, 1);
	rows.bottleneck = NULL;
	assert_true(history_window(h, BACK, SPAN, &f, &rows, deviation));
	unsigned all = frame_scope_all(&f);

	assert_true(n < (double)SPAN); /* the other set is left out */
	assert_true(fabs(frame_value(&f, all, ipc) - instructions / cycles) <
		    1e-9);
	assert_true(fabs(frame_value(&f, all, br) - misses / of) < 1e-6);
	assert_true(fabs(deviation[all * (f.nmetrics + 1) + ipc] -
			 sqrt((squares - sum * sum / n) / (n - 1))) < 1e-6);
	/* Of a single frame there is no deviation, and its values are its. */
	assert_true(history_window(h, BACK, 0.5, &f, &rows, deviation));
	assert_true(fabs(frame_value(&f, all, ipc) - one[LAST]) < 1e-9);
	assert_true(deviation[all * (f.nmetrics + 1) + ipc] == 0);
	assert_false(history_window(h, FED, SPAN, &f, &rows, NULL));
	free(deviation);
	free(rows.span);
	free(rows.value);
	free(rows.state);
	rig_close(&r);
}

/* Gaps come newest first, with what lay on both sides of them. */
UNIT(test_gaps_are_told)
{
	struct history_gap gap[4];
	struct rig r;

	rig_open(&r, "a14", NULL, false);
	const struct history *h = monitor_past(r.m);

	for (unsigned i = 0; i < 130; i++) {
		rig_work(&r);
		if (i == 12) /* ktop itself stood still */
			monitor_gap(r.m);
		if (i == 109)
			rig_pass(&r, 0, 3600000);
		assert_non_null(rig_feed(&r));
	}
	assert_int_equal(history_gaps(h, 1000, 0, gap, 4), 2);
	assert_int_equal(gap[0].back, 20);
	assert_true(gap[0].slept);
	assert_true(fabs(gap[0].begin_s - 109) < 1e-9);
	assert_true(fabs(gap[0].end_s - 3710) < 1e-9);
	assert_int_equal(gap[1].back, 20 + 97);
	assert_false(gap[1].slept);
	/* Only long ones, only among those frames, only so many. */
	assert_int_equal(history_gaps(h, 1000, 4.5, gap, 4), 1);
	assert_int_equal(history_gaps(h, 20, 0, gap, 4), 0);
	assert_int_equal(history_gaps(h, 1000, 0, gap, 1), 1);
	rig_close(&r);
}

/* Many CPUs: less far back, but not below what is promised. */
UNIT(test_many_cpus_are_bounded)
{
	static const struct {
		unsigned ncpus, nclusters, least;
	} machine[] = { { 8, 4, 900 },
			{ 32, 8, 900 },
			{ 128, 16, 200 },
			{ 1024, 128, 60 } };

	for (unsigned i = 0; i < 4; i++) {
		unsigned ncpus = machine[i].ncpus, depth;
		struct history_plan plan;
		float ipc;
		struct topology *t =
			topology_new(1, machine[i].nclusters, ncpus, NULL);
		struct eventset none = { .len = 0 };
		struct frame f = { .topology = t, .set = &none };

		for (unsigned k = 0; k < ncpus; k++)
			t->cpu[k] = (struct topology_cpu){
				.id = (int)k,
				.core = k,
				.cluster = k / (ncpus / machine[i].nclusters),
			};
		topology_finish(t);
		f.nscopes = ncpus + machine[i].nclusters + 2;
		struct history *h = history_new(
			&(struct history_of){ .topology = t }, NULL);
		struct span *span = calloc(f.nscopes, sizeof *span);

		f.span = span;
		/* Of the machine, of which some CPUs counted. */
		span[f.nscopes - 1] = (struct span){
			.ncpus = ncpus,
			.n = ncpus,
			.n_ok = ncpus,
			.cpu_ns = 1e9 * ncpus,
			.cycles = 2000000000,
			.instructions = 3000000000,
			.have_any = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS,
		};
		f.interval_s = 1;
		for (unsigned k = 0; k < 1000; k++) {
			f.elapsed_s = k + 1;
			history_push(h, &f);
		}
		assert_true(history_run_plan(h, INFINITY, 0, 1, &plan));
		history_run_read(h, &plan, &metric_table[metric_find("ipc")],
				 f.nscopes - 1, &ipc);
		/* Where its CPUs are kept they are asked; these had nothing. */
		assert_true(ncpus <= HISTORY_RUN_CPUS
				    ? isnan(ipc)
				    : fabsf(ipc - 1.5f) < 1e-6f);
		depth = history_depth(h) + 1;
		assert_true(depth >= machine[i].least && depth <= 900);
		assert_true(depth * f.nscopes * sizeof *span <= HISTORY_BYTES ||
			    depth == HISTORY_FRAMES_MIN);
		history_free(h);
		free(span);
		topology_free(t);
	}
}
