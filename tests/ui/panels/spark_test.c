/* Trends: cells that stand for several frames and only move as a whole. */
#include "ui/screen.h"

#include "ui/panels/trend.h"

#include <math.h>
#include <string.h>

enum { CELLS = 5 };

/* Frame number i has the IPC i; numbers 9 and 10 have none. */
static unsigned
numbered(const void *self, unsigned scope, unsigned metric, unsigned n,
	 float *out)
{
	const struct screen *s = self;
	unsigned have = (unsigned)s->fake.f.seq + 1;

	(void)scope;
	(void)metric;
	n = n < have ? n : have;
	for (unsigned i = 0; i < n; i++) {
		unsigned frame = have - n + i;

		out[i] = frame == 9 || frame == 10 ? NAN : (float)frame;
	}
	return n;
}

static void
test_cells_are_medians_that_begin_where_frames_say(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	s.view->past = (struct past){ &s, numbered, NULL, NULL, NULL, NULL, 0 };
	for (unsigned seq = 0; seq < 40; seq++) {
		float last[CELLS];

		s.fake.f.seq = seq;
		unsigned n = spark_values(s.view, 0, CELLS);
		unsigned cell = seq / SPARK_FRAMES;

		assert_int_equal(n, cell + 1 < CELLS ? cell + 1 : CELLS);
		memcpy(last, s.view->scratch, sizeof last);
		/* What each of the cells holds, worked out from its number. */
		for (unsigned i = 0; i < n; i++) {
			unsigned from = (cell - (n - 1 - i)) * SPARK_FRAMES;
			unsigned known = 0, has[SPARK_FRAMES];

			for (unsigned f = from;
			     f < from + SPARK_FRAMES && f <= seq; f++)
				if (f != 9 && f != 10)
					has[known++] = f;
			assert_true(known > 0);
			assert_true(last[i] == (float)has[(known - 1) / 2]);
		}
	}
	screen_close(&s);
}

static uint64_t begun; /* the first frame that the past has */

static unsigned
since_begun(const void *self, unsigned scope, unsigned metric, unsigned n,
	    float *out)
{
	const struct screen *s = self;
	unsigned have = (unsigned)(s->fake.f.seq + 1 - begun);

	(void)metric;
	n = n < have ? n : have;
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = s->fake.f.seq + 1 - n + i;

		out[i] = frame % 7 == 3 ? NAN
					: (float)(frame * 37 % 101 + scope) +
						  (float)begun;
	}
	return n;
}

/* Whatever was drawn before, a trend is what it would be without it. */
static void
test_what_is_kept_is_what_would_be_made(void **state)
{
	struct screen s;
	uint32_t r = 1;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	s.view->past = (struct past){ .self = &s, .values = since_begun };
	for (unsigned turn = 0; turn < 5000; turn++) {
		float kept[100];

		r = r * 1664525u + 1013904223u;
		unsigned scope = r >> 28 & 3, w = 1 + (r >> 20) % 99;
		struct trends none = { .metric = 0 }, was;

		s.fake.f.seq += (r >> 8) % 200 == 0 ? 150 : (r >> 10) % 3;
		if ((r >> 12) % 300 == 0) { /* it begins again */
			s.fake.f.seq = begun = (r >> 16) % 50;
			s.view->past.epoch++;
		}
		unsigned n = spark_values(s.view, scope, (int)w);

		memcpy(kept, s.view->scratch, n * sizeof *kept);
		was = *s.view->trends;
		*s.view->trends = none;
		assert_int_equal(spark_values(s.view, scope, (int)w), n);
		for (unsigned i = 0; i < n; i++)
			assert_true(
				(isnan(kept[i]) && isnan(s.view->scratch[i])) ||
				fabsf(kept[i] - s.view->scratch[i]) <= 0);
		*s.view->trends = was;
	}
	screen_close(&s);
}

/* The same of what is drawn, also at another height. */
static void
test_what_is_drawn_is_what_would_be_made(void **state)
{
	static struct trends none, was;
	struct screen s;
	uint32_t r = 3;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	begun = 0;
	s.view->past = (struct past){ .self = &s, .values = since_begun };
	for (unsigned turn = 0; turn < 5000; turn++) {
		r = r * 1664525u + 1013904223u;
		unsigned scope = r >> 28 & 3, w = 1 + (r >> 20) % 99;

		if (scope == 3)
			scope = frame_scope_all(&s.fake.f);
		const struct rect at = { 5, 1, (int)w, 1 };

		s.fake.f.seq += (r >> 8) % 200 == 0 ? 150 : (r >> 10) % 3;
		if ((r >> 12) % 300 == 0) { /* it begins again */
			s.fake.f.seq = begun = (r >> 16) % 50;
			s.view->past.epoch++;
		}
		if ((r >> 12) % 50 == 1)
			s.view->main = s.view->main == s.view->ipc
					       ? COLUMN_BUSY
					       : s.view->ipc;
		if ((r >> 12) % 50 == 2)
			s.view->ipc_max = 60 + (r >> 4) % 90;
		canvas_clear(s.canvas);
		spark_draw(s.canvas, s.view, scope, at, ROLE_KIND0);
		was = *s.view->trends;
		*s.view->trends = none;
		/* As values, one line below. */
		unsigned n = spark_values(s.view, scope, at.w);

		canvas_spark(s.canvas, at.x, 2, at.w, s.view->scratch, n,
			     view_spark_max(s.view, scope), ROLE_KIND0);
		*s.view->trends = was;
		for (int x = 0; x < s.canvas->w; x++)
			assert_true(cell_word(canvas_at(s.canvas, x, 1)) ==
				    cell_word(canvas_at(s.canvas, x, 2)));
	}
	screen_close(&s);
}

/* The same of a process: of one that is not kept on every frame. */
static unsigned
process_since_begun(const void *self, int32_t pid, uint64_t start,
		    enum process_metric metric, unsigned n, float *out)
{
	n = since_begun(self, (unsigned)pid % 7 + (unsigned)start, 0, n, out);
	for (unsigned i = 0; i < n; i++)
		out[i] += (float)metric;
	return n;
}

static void
test_what_is_kept_of_processes_is_what_would_be_made(void **state)
{
	static struct trends none, was;
	struct screen s;
	uint32_t r = 7;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	begun = 0;
	s.view->procs->past = (struct process_past){
		.self = &s, .values = process_since_begun, .epoch = 1
	};
	for (unsigned turn = 0; turn < 5000; turn++) {
		float kept[100];

		r = r * 1664525u + 1013904223u;
		/* More than there is room for, and pids that are used again. */
		struct process_row row = { .pid = (int32_t)(r >> 25),
					   .start = r >> 24 & 1 };
		enum process_metric metric =
			(r >> 5) % 100 == 0 ? PROCESS_IPC : PROCESS_CPU;
		unsigned w = 1 + (r >> 16) % 99;

		s.fake.f.seq += (r >> 8) % 200 == 0 ? 150 : (r >> 10) % 3;
		if ((r >> 12) % 300 == 0) { /* it begins again */
			s.fake.f.seq = begun = (r >> 16) % 50;
			s.view->procs->past.epoch++;
		}
		unsigned n = process_spark(s.view, &row, metric, (int)w);

		memcpy(kept, s.view->scratch, n * sizeof *kept);
		was = *s.view->trends;
		*s.view->trends = none;
		assert_int_equal(process_spark(s.view, &row, metric, (int)w),
				 n);
		for (unsigned i = 0; i < n; i++)
			assert_true(
				(isnan(kept[i]) && isnan(s.view->scratch[i])) ||
				fabsf(kept[i] - s.view->scratch[i]) <= 0);
		*s.view->trends = was;
	}
	screen_close(&s);
}

static unsigned few;

static unsigned
few_values(const void *self, unsigned scope, unsigned metric, unsigned n,
	   float *out)
{
	return fake_values(self, scope, metric, n < few ? n : few, out);
}

static void
test_its_title_tells_the_time_it_covers(void **state)
{
	struct screen s;
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	s.fake.status.period_ns = 1000000000;
	spark_title(s.view, 19, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 76 s");
	b = buf_over(text, sizeof text);
	s.fake.status.period_ns = 10000000000;
	spark_title(s.view, 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 40 min");
	/* Of the frames that there are. */
	s.view->past.values = few_values;
	few = 120;
	b = buf_over(text, sizeof text);
	s.fake.status.period_ns = 500000000;
	spark_title(s.view, 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 60 s");
	few = 5;
	b = buf_over(text, sizeof text);
	spark_title(s.view, 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 3 s");
	few = 1;
	b = buf_over(text, sizeof text);
	spark_title(s.view, 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 0.5 s");
	few = 0;
	b = buf_over(text, sizeof text);
	spark_title(s.view, 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC");
	screen_close(&s);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(
			test_cells_are_medians_that_begin_where_frames_say),
		cmocka_unit_test(test_what_is_kept_is_what_would_be_made),
		cmocka_unit_test(test_what_is_drawn_is_what_would_be_made),
		cmocka_unit_test(
			test_what_is_kept_of_processes_is_what_would_be_made),
		cmocka_unit_test(test_its_title_tells_the_time_it_covers),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
