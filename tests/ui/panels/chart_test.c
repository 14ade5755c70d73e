/* Charts: scales, times, names at the ends of lines, gaps. */
#include "ui/chart_screen.h"

#include "ui/panels/inner.h"

#include <math.h>

UNIT(test_scales_hold_all_and_are_round)
{
	static const double most[] = { 0.003, 0.07, 0.5, 1,   1.01, 3.8,  4,
				       4.01,  6,    9.9, 10,  47,   99.9, 100,
				       101,   612,  5e4, 3e9, 0 };

	for (unsigned i = 0; i < sizeof most / sizeof *most; i++)
		for (int lines = 1; lines <= 8; lines++) {
			struct chart k = { .per_y = 4 };

			chart_scale(&k, most[i], lines);
			double n = k.max / k.step;
			double power = pow(10, floor(log10(k.step) + 1e-9));
			long digit = lround(k.step / power);

			assert_true(k.max >= most[i] * (1 - 1e-9));
			assert_true(fabs(n - (double)lround(n)) < 1e-6);
			assert_true(lround(n) >= 1 && lround(n) <= lines);
			assert_true(digit == 1 || digit == 2 || digit == 5);
			/* nothing is wasted: one line less would not hold it */
			assert_true(k.max - k.step < most[i] || k.max <= 1);
		}
}

UNIT(test_rows_of_lines_are_even)
{
	for (int per_y = 1; per_y <= 4; per_y *= 2)
		for (int lines = 1; lines <= 6; lines++) {
			struct chart k = { .max = lines,
					   .step = 1,
					   .per_y = per_y,
					   .plot = { 0, 0, 10,
						     3 * lines + 1 } };

			for (int i = 0; i <= lines; i++)
				assert_int_equal(chart_row(&k, i) / per_y,
						 3 * (lines - i));
			assert_true(chart_row(&k, -100) < k.plot.h * per_y);
			assert_true(chart_row(&k, 100) >= 0);
		}
}

UNIT(test_ages_in_few_cells)
{
	static const struct {
		double s, step;
		const char *text;
	} row[] = { { 0.5, 0.5, "0.5s" },     { 2, 1, "2s" },
		    { 45, 15, "45s" },        { 60, 30, "60s" },
		    { 90, 30, "90s" },        { 60, 60, "1m" },
		    { 120, 30, "2m" },        { 150, 30, "2m30" },
		    { 3540, 60, "59m" },      { 3600, 900, "1h" },
		    { 5400, 900, "1h30" },    { 86400, 3600, "24h" },
		    { 604800, 86400, "168h" } };

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		char text[CHART_AGO_SIZE];

		chart_ago(row[i].s, row[i].step, text);
		assert_string_equal(text, row[i].text);
	}
}

/* A past of 100 frames, with a hole from 40 to 60 frames ago. */
static unsigned
with_a_hole(const struct monitor *self, unsigned scope, unsigned metric,
	    unsigned n, float *out)
{
	unsigned have = n < 100 ? n : 100;

	for (unsigned i = 0; i < have; i++) {
		unsigned ago = have - 1 - i;

		out[i] = ago >= 40 && ago < 60 ? NAN
					       : 1 + (float)(scope % 3) * 0.01F;
	}
	return have;
}

static double
last_of_it(const struct monitor *self, unsigned back, unsigned scope,
	   unsigned metric, double *age_s)
{
	*age_s = 7;
	/* besides what is counted: what another set counted before */
	return (int)metric == metric_find("walk_d_mpki") ? 1 : NAN;
}

/* Times of frames 0.5 s apart, the newest 30 of them 2 s apart. */
static unsigned
uneven_times(const struct monitor *self, unsigned n, float *out)
{
	unsigned have = n < 100 ? n : 100;

	for (unsigned i = 0; i < have; i++) {
		unsigned ago = have - 1 - i;

		out[i] = 1000 -
			 (float)(ago < 30 ? ago * 2 : 60 + (ago - 30) * 0.5);
	}
	return have;
}

static const struct past holed = { .values = with_a_hole,
				   .last = last_of_it,
				   .times = uneven_times };

UNIT(test_a_gap_stays_a_gap)
{
	SCREEN(s, chart_open, CANVAS_ASCII, &holed);
	const char *text = screen_draw(&s);
	unsigned drawn = 0, holes = 0, blank = 0, before = 0;

	for (int y = 5; y < 18 && drawn == 0; y++) {
		const char *line = line_of(text, y), *end = strchr(line, '\n');

		for (const char *at = line; at < end - 12; at++) {
			bool letter = *at == 'E' || *at == 'P';

			blank = letter ? 0 : blank + 1;
			holes += letter && drawn > 0 ? before : 0;
			before = blank;
			drawn += letter;
		}
	}
	assert_int_equal(drawn, 80);
	assert_int_equal(holes, 20);
}

UNIT(test_times_stand_where_they_were)
{
	SCREEN(s, chart_open, CANVAS_ASCII, &holed);
	const char *text = screen_draw(&s), *now = strstr(text, " now ");

	assert_non_null(now);
	const char *line = now;

	while (line > text && line[-1] != '\n')
		line--;
	const char *half = strstr(line, "-30s"), *full = strstr(line, "-60s");

	/* 15 frames of 2 s each; the word's middle is the mark */
	assert_true(half != NULL && half < now);
	assert_true(full != NULL && full < half);
	assert_true(now + 3 - (half + 2) >= 14 && now + 3 - (half + 2) <= 16);
	assert_true(half - full >= 14 && half - full <= 16);
	/* before that two a second: 30 s are 60 cells; words never touch */
	const char *more = strstr(line, "-90s");

	assert_true(more == NULL || full - more >= 55);
}

UNIT(test_lines_have_names_at_their_ends)
{
	SCREEN(s, chart_open, CANVAS_BRAILLE, &holed);
	s.view->cores.listed = true;
	s.view->list.cursor_on = true;
	s.view->cores.selected = 5;
	const char *text = screen_draw(&s);

	/* all three end at nearly the same value: each has a line */
	assert_says(text, " P     1.0", " E     1.0", " cpu5  1.0");
}

/* 3000 frames at 1, every tenth at 3. */
static unsigned
with_spikes(const struct monitor *self, unsigned scope, unsigned metric,
	    unsigned n, float *out)
{
	unsigned have = n < 3000 ? n : 3000;

	for (unsigned i = 0; i < have; i++)
		out[i] = i % 10 == 0 ? 3 : 1;
	return have;
}

/* The rows of the upper chart that have a letter of a line. */
static unsigned
rows_with_lines(const char *text)
{
	unsigned rows = 0;

	for (int y = 5; y < 18; y++) {
		const char *line = line_of(text, y), *end = strchr(line, '\n');
		unsigned letters = 0;

		for (const char *at = line; at < end - 14; at++)
			letters += *at == 'E' || *at == 'P';
		rows += letters > 0;
	}
	return rows;
}

UNIT(test_a_dot_of_many_frames_is_their_median)
{
	SCREEN(s, chart_open, CANVAS_ASCII, &holed);
	s.view->past.values = with_spikes;
	s.view->past.times = NULL;
	const char *text = screen_draw(&s);

	assert_true(rows_with_lines(text) > 3); /* up to the spikes and back */
	assert_silent(text, "medians");
	s.view->chart.cell_s = 36;
	text = screen_draw(&s);
	assert_int_equal(rows_with_lines(text), 1);
	assert_says(text, "z medians of 36 s a cell");
}

/* Before the keys beside it go, and the unit alone is what stays last. */
UNIT(test_a_title_says_what_it_means_or_at_least_per_what)
{
	static const struct {
		int w;
		const char *title;
	} row[] = {
		{ 120, "br: Mispredicted retired branches per 1000 "
		       "instructions --" },
		{ 70, "br: Mispredicted retired branches per 1000 "
		      "instructions --" },
		{ 60, "br: Mispredicted retired branches /1000 instr --" },
		{ 48, "br: per 1000 instructions --" },
	};

	for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
		SCREEN(s, screen_open, "m1", row[i].w, 30, CANVAS_ASCII);
		s.view->kind = VIEW_CHART;
		s.view->chart.metric = metric_find("branch_mpki");
		s.fake.f.bottleneck = NULL; /* no evidence in a chart */
		assert_true(says(screen_draw(&s), row[i].title));
	}
}

UNIT(test_M_also_finds_what_was_counted_before)
{
	SCREEN(s, chart_open, CANVAS_BRAILLE, &holed);
	assert_true(chart_is_offered(&s, metric_find("walk_d_mpki")));
	assert_int_equal(s.view->chart.metric, s.view->metric.ipc);
}

/* Cells of the upper chart's plot with that sign. */
static unsigned
signs_on_lines(const struct screen *s, char sign)
{
	unsigned n = 0;

	for (int y = 5; y < 18; y++)
		for (int x = 8; x < 100; x++)
			n += s->canvas->cell[y * 120 + x].glyph[0] == sign;
	return n;
}

/* Without colours a line has the letter of its kind on it, now and then. */
UNIT(test_lines_have_letters_where_colours_do_not_tell)
{
	SCREEN(s, chart_open, CANVAS_BRAILLE, &holed);
	s.view->past.values = with_spikes;
	s.view->past.times = NULL;
	screen_draw(&s);
	assert_int_equal(signs_on_lines(&s, 'E') + signs_on_lines(&s, 'P'), 0);
	s.canvas->letters = true;
	screen_draw(&s);
	assert_in_range(signs_on_lines(&s, 'E') + signs_on_lines(&s, 'P'), 3,
			20);
}

/* The second P cluster far above all others. */
static unsigned
with_one_above(const struct monitor *self, unsigned scope, unsigned metric,
	       unsigned n, float *out)
{
	const struct screen *s = (const void *)self;

	for (unsigned i = 0; i < n; i++)
		out[i] = scope == frame_scope_cluster(&s->fake.f, 2) ? 3 : 1;
	return n;
}

/* Solid with colours; without, each line has its name on it. */
UNIT(test_the_second_of_a_kind_has_a_whole_line_with_its_name)
{
	for (unsigned letters = 0; letters < 2; letters++) {
		unsigned names = 0;

		SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_BRAILLE);
		s.view->past.values = with_one_above;
		s.view->past.self = (const void *)&s;
		s.view->past.times = NULL;
		s.view->kind = VIEW_CHART;
		s.canvas->letters = letters;
		screen_draw(&s);
		for (int x = 8; x < 108; x++) {
			unsigned cells = 0;

			for (int y = 5; y < 18; y++) {
				const struct cell *at =
					&s.canvas->cell[y * 120 + x];

				cells += at->role == ROLE_KIND0_ALT;
				names += at->role == ROLE_KIND0_ALT &&
					 at[0].glyph[0] == 'P' &&
					 at[1].glyph[0] == '1';
			}
			assert_true(cells > 0);
		}
		if (letters)
			assert_in_range(names, 4, 8);
		else
			assert_int_equal(names, 0);
	}
}

/* An interval longer than a second is a cell, and z passes over less. */
UNIT(test_a_cell_is_at_least_an_interval)
{
	static const char *const cell[] = { "z 5 s a cell", "z 15 s a cell",
					    "z medians of 60 s a cell" };

	/* One dot a cell: twelve frames are a median. */
	SCREEN(s, chart_open, CANVAS_ASCII, &holed);
	s.fake.status.period_ns = 5000000000;
	for (unsigned i = 0; i < sizeof cell / sizeof *cell; i++) {
		assert_says(screen_draw(&s), cell[i]);
		view_zoom_next(s.view, 0);
	}
	assert_says(screen_draw(&s), "z whole run, ");
}

/* Two lines at one height: the flagged one is seen. */
UNIT(test_the_flagged_line_lies_on_top)
{
	for (unsigned flagged = 0; flagged < 2; flagged++) {
		unsigned cells[2] = { 0 };

		SCREEN(s, chart_open, CANVAS_ASCII, &holed);
		s.view->past.times = NULL;
		s.view->past.values = with_spikes;
		for (unsigned i = 0; i < s.fake.f.nscopes; i++)
			s.fake.bottlenecks.bottleneck[i].flagged =
				i == frame_scope_cluster(&s.fake.f, flagged);
		screen_draw(&s);
		for (unsigned i = 0; i < 2; i++)
			cells[i] = signs_on_lines(
				&s, s.fake.t->cluster[i].label[0]);
		assert_true(cells[flagged] > 0);
		assert_int_equal(cells[!flagged], 0);
	}
}
