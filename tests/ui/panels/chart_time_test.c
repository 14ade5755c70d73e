/* Marks, sleep and ages on the charts' axis of time. */
#include "ui/chart_screen.h"

#include <math.h>

/* A hundred frames, a second apart; before the newest 20 the machine slept. */
enum { FRAMES = 100, ASLEEP = 20, SLEPT_S = 3600, NOW_S = 5000 };

static double
time_of(unsigned back)
{
	return (double)NOW_S - (double)back -
	       (back > ASLEEP ? (double)SLEPT_S : 0);
}

static unsigned
values(const struct monitor *self, unsigned scope, unsigned metric, unsigned n,
       float *out)
{
	unsigned have = n < FRAMES ? n : FRAMES;

	for (unsigned i = 0; i < have; i++)
		out[i] = have - 1 - i == ASLEEP ? NAN
			 : have - 1 - i == 60   ? 3
						: 1 + (float)(scope % 2);
	return have;
}

static double
last(const struct monitor *self, unsigned back, unsigned scope, unsigned metric,
     double *age_s)
{
	*age_s = NAN;
	return NAN;
}

static unsigned
times(const struct monitor *self, unsigned n, float *out)
{
	unsigned have = n < FRAMES ? n : FRAMES;

	for (unsigned i = 0; i < have; i++)
		out[i] = (float)time_of(have - 1 - i);
	return have;
}

static bool slept = true;

static unsigned
gaps(const struct monitor *self, unsigned n, double least_s,
     struct history_gap *out, unsigned most)
{
	if (n <= ASLEEP || least_s > (double)SLEPT_S || most == 0)
		return 0;
	out[0] = (struct history_gap){ .back = ASLEEP,
				       .begin_s = time_of(ASLEEP + 1),
				       .end_s = time_of(ASLEEP),
				       .slept = slept };
	return 1;
}

static const struct past past = {
	.values = values, .last = last, .times = times, .gaps = gaps
};

static const struct ui_mark mark[] = {
	{ .at_s = NOW_S - 40 - SLEPT_S, .number = 1, .name = "mark 1" },
	{ .at_s = NOW_S - 10, .number = 2, .name = "index v2" },
};

static void
open_chart(struct screen *s, enum canvas_glyphs glyphs)
{
	chart_open(s, glyphs, &past);
	s->fake.f.elapsed_s = NOW_S;
	s->fake.status.mark = mark;
	s->fake.status.nmarks = 2;
	screen_draw(s);
}

/* The row of the first chart with the curve of E. */
static const char *
curve(struct screen *s)
{
	static char line[1000];

	for (int y = 4; y < 21; y++) {
		const char *from = line_of(s->text, y);

		(void)snprintf(line, sizeof line, "%.*s",
			       (int)strcspn(from, "\n"), from);
		if (strstr(line, "EEE") != NULL)
			return line;
	}
	fail_msg("no curve in\n%s", s->text);
	return line;
}

/* In ASCII a frame is a cell. */
UNIT(a_sleep_is_three_columns_with_its_length)
{
	struct screen s;
	unsigned letters = 0;

	open_chart(&s, CANVAS_ASCII);
	const char *line = curve(&s);
	const char *edge = strchr(line, ':');

	assert_non_null(edge);
	assert_int_equal(edge[1], ' ');
	assert_int_equal(edge[2], ':');
	for (const char *at = edge + 3; *at == 'E'; at++)
		letters++;
	/* Nor is the mark in front of the curve. */
	assert_int_equal(letters, ASLEEP);
	assert_int_equal(edge[-1], 'E');
	assert_says(s.text, "slept 60 min");
	screen_close(&s);
	slept = false;
	open_chart(&s, CANVAS_ASCII);
	assert_says(s.text, "no data for 60 min");
	slept = true;
	screen_close(&s);
}

/* Two rows of the plot show lines: a curve would lie over them. */
UNIT(marks_stand_at_their_time_with_their_names)
{
	SCREEN(s, open_chart, CANVAS_ASCII);
	const char *now = strstr(s.text, " now ");
	const char *top = strstr(s.text, "|2 index v2");

	assert_non_null(now);
	assert_non_null(top);
	while (now[-1] != '\n')
		now--;
	const char *begin = top;

	while (begin[-1] != '\n')
		begin--;
	/* Ten frames, each a cell, left of the last. */
	assert_int_equal(strstr(now, "now") + 2 - now - (top - begin), 10);
	/* What is before the sleep is left of it, by its columns more. */
	const char *plain = strstr(begin, "|1");

	assert_true(plain != NULL && plain < top);
	assert_int_equal(top - plain, 30 + 2);
	assert_silent(s.text, "mark 1");
}

UNIT(what_is_not_there_yet_has_no_line)
{
	SCREEN(s, open_chart, CANVAS_ASCII);
	s.view->when.paused = true;
	s.view->when.back = 15; /* the second mark came later */
	screen_draw(&s);
	assert_says(s.text, "|1");
	assert_silent(s.text, "index v2");
}

/* Names side by side do not run into each other. */
UNIT(near_marks_keep_their_numbers)
{
	struct ui_mark near[] = { mark[1], mark[1] };

	near[0].at_s -= 4;
	near[0].number = 7;
	SCREEN(s, open_chart, CANVAS_ASCII);
	s.fake.status.mark = near;
	s.view->past.gaps = NULL; /* the first has room on its left */
	screen_draw(&s);
	assert_says(s.text, "7 index v2|   |2 index v2");
}

/* What a newer mark's words take is no room for an older one's. */
UNIT(words_of_marks_do_not_overwrite_each_other)
{
	static const struct {
		double apart_s; /* of the last two */
		const char *text;
	} row[] = { { 16, "1 zero| |2 alpha  3 beta|" },
		    { 12, "1 zero| |2 al 3 beta|" },
		    { 8, "1 zero| | 3 beta|" },
		    { 4, "1 zero| |2 a|3" } };
	struct ui_mark all[] = {
		{ .number = 1, .name = "zero" },
		{ .number = 2, .name = "alpha" },
		{ .at_s = NOW_S - 1, .number = 3, .name = "beta" },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		all[1].at_s = all[2].at_s - row[i].apart_s;
		all[0].at_s = all[1].at_s - 2;
		SCREEN(s, open_chart, CANVAS_ASCII);
		s.fake.status.mark = all;
		s.fake.status.nmarks = 3;
		s.view->past.gaps = NULL;
		screen_draw(&s);
		if (!says(s.text, row[i].text))
			fail_msg("no %s in\n%s", row[i].text, s.text);
	}
}

/* Words left of a sleep are as old as what stands above them. */
UNIT(ages_beyond_a_sleep_are_whole)
{
	SCREEN(s, open_chart, CANVAS_ASCII);
	assert_says(s.text, "-1h0");
	assert_true(says(s.text, "-15s") || says(s.text, "-10s"));
	assert_silent(s.text, "-30s");
}
