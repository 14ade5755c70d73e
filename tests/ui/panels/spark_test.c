/* Trends: cells that stand for several frames and only move as a whole. */
#include "ui/screen.h"

#include "ui/panels/inner.h"

#include <math.h>
#include <string.h>

enum { CELLS = 5, EACH = 4 /* frames of a cell */ };

/* Frame number i has the IPC i; numbers 9 and 10 have none. */
static unsigned
numbered(const struct monitor *self, unsigned scope, unsigned metric,
	 unsigned n, float *out)
{
	const struct screen *s = (const void *)self;
	unsigned have = (unsigned)s->fake.f.seq + 1;

	n = n < have ? n : have;
	for (unsigned i = 0; i < n; i++) {
		unsigned frame = have - n + i;

		out[i] = frame == 9 || frame == 10 ? NAN : (float)frame;
	}
	return n;
}

UNIT(test_cells_are_medians_that_begin_where_frames_say)
{
	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	s.view->past = (struct past){
		(const void *)&s, numbered, NULL, NULL, NULL, NULL
	};
	s.fake.status.period_ns = 1000000000 / EACH;
	for (unsigned seq = 0; seq < 40; seq++) {
		float last[CELLS];

		s.fake.f.seq = seq;
		unsigned n = spark_values(s.view, OF_SCOPE(0),
					  s.view->metric.main, CELLS);
		unsigned cell = seq / EACH;

		assert_int_equal(n, cell + 1 < CELLS ? cell + 1 : CELLS);
		memcpy(last, s.view->scratch, sizeof last);
		/* What each of the cells holds, worked out from its number. */
		for (unsigned i = 0; i < n; i++) {
			unsigned from = (cell - (n - 1 - i)) * EACH;
			unsigned known = 0, has[EACH];

			for (unsigned f = from; f < from + EACH && f <= seq;
			     f++)
				if (f != 9 && f != 10)
					has[known++] = f;
			assert_true(known > 0);
			assert_true(last[i] == (float)has[(known - 1) / 2]);
		}
	}
}

static unsigned few;

static unsigned
few_values(const struct monitor *self, unsigned scope, unsigned metric,
	   unsigned n, float *out)
{
	return fake_values(self, scope, metric, n < few ? n : few, out);
}

UNIT(test_its_title_tells_the_time_it_covers)
{
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BLOCK);
	screen_draw(&s);
	s.fake.status.period_ns = 1000000000;
	spark_title(s.view, view_label(s.view, s.view->metric.main), 19, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 19 s");
	b = buf_over(text, sizeof text);
	s.fake.status.period_ns = 10000000000;
	spark_title(s.view, view_label(s.view, s.view->metric.main), 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 10 min");
	/* A cell is never less than a second, but of ten frames at most. */
	b = buf_over(text, sizeof text);
	s.fake.status.period_ns = 100000000;
	spark_title(s.view, view_label(s.view, s.view->metric.main), 20, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 20 s");
	b = buf_over(text, sizeof text);
	s.fake.status.period_ns = 10000000;
	spark_title(s.view, view_label(s.view, s.view->metric.main), 20, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 2 s");
	/* Of the frames that there are. */
	s.view->past.values = few_values;
	few = 120;
	b = buf_over(text, sizeof text);
	s.fake.status.period_ns = 500000000;
	spark_title(s.view, view_label(s.view, s.view->metric.main), 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 60 s");
	few = 5;
	b = buf_over(text, sizeof text);
	spark_title(s.view, view_label(s.view, s.view->metric.main), 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 3 s");
	few = 1;
	b = buf_over(text, sizeof text);
	spark_title(s.view, view_label(s.view, s.view->metric.main), 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC, last 0.5 s");
	few = 0;
	b = buf_over(text, sizeof text);
	spark_title(s.view, view_label(s.view, s.view->metric.main), 60, &b);
	assert_string_equal(buf_cstr(&b), "IPC");
}
