/* Charts of the whole run: sums where single frames are no longer kept. */
#include "ui/chart_screen.h"

#include "monitor/history.h"
#include "ui/panels/inner.h"

#include <math.h>

enum { RUN_FRAMES = 10000 };

/* Frames 1 s apart of the run's end: the last 100, of 10000. */
static unsigned
last_times(const struct monitor *self, unsigned n, float *out)
{
	const struct screen *s = (const void *)self;
	unsigned have = n < 100 ? n : 100;

	for (unsigned i = 0; i < have; i++)
		out[i] = (float)s->fake.f.elapsed_s - (float)(have - 1 - i);
	return have;
}

/* And what they were. */
static unsigned
last_values(const struct monitor *self, unsigned scope, unsigned metric,
	    unsigned n, float *out)
{
	unsigned have = n < 100 ? n : 100;

	for (unsigned i = 0; i < have; i++)
		out[i] = 1;
	return have;
}

static double
nothing_of_it(const struct monitor *self, unsigned back, unsigned scope,
	      unsigned metric, double *age_s)
{
	*age_s = NAN;
	return NAN;
}

static const struct past last_frames = { .values = last_values,
					 .last = nothing_of_it,
					 .times = last_times };

/*
 * A run of 10000 s: all rows at IPC 1, but 3 from 2000 to 5000 s, and asleep
 * from 6000 to 8000. Only its first thousand frames counted misses.
 */
static struct history *
long_run(struct screen *s)
{
	struct fake *k = &s->fake;
	struct history *l =
		history_new(&(struct history_of){ .topology = k->t,
						  .catalog = &fake_catalog },
			    NULL);
	struct span *span = calloc(k->f.nscopes, sizeof *span);
	struct eventset set = k->set;
	struct frame f = k->f;

	assert_non_null(l);
	assert_non_null(span);
	f.span = span;
	f.interval_s = 1;
	for (unsigned n = 1; n <= RUN_FRAMES; n++) {
		set.len = n <= 1000 ? k->set.len : 0;
		f.set = &set;
		f.domain = set.len > 0 ? DOMAIN_USER : DOMAIN_NONE;
		f.elapsed_s = n;
		if (n > 6000 && n <= 8000)
			continue;
		for (unsigned i = 0; i < k->f.nscopes; i++) {
			struct span *d = &span[i];

			span_clear(d);
			d->cpu_ns = d->event_ns = 1e9;
			for (unsigned c = 0; c <= TERM_INSTRUCTIONS; c++) {
				d->count[c] = 1000000000;
				if (c < set.len || c >= TERM_CYCLES)
					d->have_any |= 1u << c;
			}
			d->have_any |= 1u << TERM_WALL_NS | 1u << TERM_CPU_NS;
			if (n > 2000 && n <= 5000)
				d->instructions *= 3;
			span_judge(d, ROW_GOOD, false, 0);
			span_close(d, 0, 1e9);
		}
		history_push(l, &f);
	}
	free(span);
	k->f.elapsed_s = RUN_FRAMES;
	s->view->run = l;
	return l;
}

/* IPC mode now. */
static void
fake_uncount(struct screen *s)
{
	struct fake *k = &s->fake;

	for (unsigned i = 0; i < k->f.nscopes * metric_count; i++) {
		k->value[i] = NAN;
		k->state[i] = VALUE_NOT_COUNTED;
	}
	k->status.mode = UI_MODE_IPC;
	k->status.preset = -1;
}

/* Columns of the upper chart with a letter of a line in rows from y to end. */
static unsigned
columns_with_lines(const char *text, int y, int end, int from, int to)
{
	unsigned columns = 0;

	for (int x = from; x < to; x++) {
		bool seen = false;

		for (int row = y; row < end; row++) {
			char at = line_of(text, row)[x];

			seen |= at == 'E' || at == 'P';
		}
		columns += seen;
	}
	return columns;
}

UNIT(test_the_whole_run_in_sums)
{
	enum { FIRST = 7, LAST = 107 };

	SCREEN(s, chart_open, CANVAS_ASCII, &last_frames);
	struct history *l = long_run(&s);
	const char *text = screen_draw(&s);

	/* a second a cell, and five: the frames are there */
	assert_says(text, "z 1 s a cell");
	s.view->chart.cell_s = 5;
	assert_says(screen_draw(&s), "z 5 s a cell");
	s.view->chart.cell_s = VIEW_CELL_ALL;
	text = screen_draw(&s);
	/* 667 buckets of 15 s, seven in each of 96 cells */
	assert_says(text, "whole run, 105 s a cell");
	assert_silent(text, "medians");
	assert_says(text, "-2h30", "now");
	/* a fifth asleep is a gap; three tenths are high */
	unsigned drawn = columns_with_lines(text, 4, 20, FIRST, LAST);
	unsigned high = columns_with_lines(text, 4, 7, FIRST, LAST);

	assert_in_range(drawn, 75, 78);
	assert_in_range(high, 27, 31);
	history_free(l);
}

/* How much of the upper chart has dots of a line. */
static unsigned
cells_with_dots(const char *text)
{
	unsigned cells = 0;

	for (int y = 4; y < 19; y++)
		for (const char *at = line_of(text, y); *at != '\n'; at++)
			cells += (unsigned char)at[0] == 0xe2 &&
				 (unsigned char)at[1] >= 0xa0 &&
				 (unsigned char)at[1] <= 0xa3;
	return cells;
}

/* Dots of the run are whole: none of the last is still to come. */
UNIT(test_sums_fill_any_width)
{
	SCREEN(s, chart_open, CANVAS_BRAILLE, &last_frames);
	struct history *l = long_run(&s);

	for (unsigned cell_s = 8; cell_s < 20; cell_s++) {
		s.view->chart.cell_s = cell_s;
		const char *text = screen_draw(&s);

		assert_says(text, PRINTED("z %u s a cell", cell_s));
		/* awake for these 1900 s: IPC 1 from end to end */
		assert_true(cells_with_dots(text) >= 98);
	}
	history_free(l);
}

UNIT(test_gone_back_it_ends_there)
{
	enum { FIRST = 7, LAST = 107 };

	SCREEN(s, chart_open, CANVAS_ASCII, &last_frames);
	struct history *l = long_run(&s);

	s.view->chart.cell_s = VIEW_CELL_ALL;
	s.view->when.scrub = 1;
	s.view->when.paused = true;
	s.fake.f.elapsed_s = 4000;
	const char *text = screen_draw(&s);

	/* high to the end, no gap, the later past is not there yet */
	assert_true(says(text, "-60m") || says(text, "-1h"));
	assert_silent(text, "-2h");
	assert_says(text, "then");
	assert_says(text, "whole run, 45 s a cell");
	assert_in_range(columns_with_lines(text, 4, 20, FIRST, LAST), 88, 90);
	assert_true(columns_with_lines(text, 4, 7, FIRST + 60, LAST) >= 39);
	history_free(l);
}

UNIT(test_M_finds_what_the_run_counted)
{
	SCREEN(s, chart_open, CANVAS_BRAILLE, &last_frames);
	struct history *l = long_run(&s);

	s.view->cols.n = 0;
	s.view->chart.cell_s = VIEW_CELL_ALL;
	s.fake.set.len = 0;
	fake_uncount(&s);
	assert_true(chart_is_offered(&s, metric_find("l1d_ld_mpki")));
	history_free(l);
}
