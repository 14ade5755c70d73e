/* What the shipped themes promise at every depth and for every eye. */
#include "ui/theme/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* All in ./themes: a file is a theme. */
static struct theme_list list;

static void
shipped(const char *name, struct theme *t)
{
	char path[128];
	struct err e = { .code = ERR_NONE };

	snprintf(path, sizeof path, "./themes/%s.theme", name);
	if (!theme_load(path, t, &e))
		fail_msg("%s", e.text);
	assert_string_equal(t->path, path);
}

/* the colours at each depth */

static const char *const depth_name[] = { "truecolor", "256", "16" };
enum { DEPTHS = 3 };

static const enum theme_depth depth_of[DEPTHS] = { THEME_TRUE, THEME_256,
						   THEME_16 };

/* What a terminal shows: the 256 are fixed, of the 16 we take xterm's. */
static uint32_t
painted(int color, unsigned depth)
{
	return depth == 0 ? (uint32_t)color : theme_rgb_of_256(color);
}

/*
 * The grounds that a theme has to be read on where it paints none: the one it
 * states, and where a terminal has 16 colours only, plain black or white; both
 * of these where it is meant for any terminal.
 */
struct ground {
	bool light;
	uint32_t rgb;
	double least; /* contrast of what is read */
};

static unsigned
grounds(const struct theme *t, unsigned depth, struct ground out[2])
{
	out[0] = (struct ground){ false, 0x000000, 3 };
	out[1] = (struct ground){ true, 0xffffff, 3 };
	if (!t->light && !t->dark)
		return 2;
	out[0] = out[t->light ? 1 : 0];
	if (depth < 2)
		out[0].rgb = t->background.rgb;
	out[0].least = 4.5;
	return 1;
}

/* The terminal's own foreground on such a ground. */
static uint32_t
own_ink(const struct ground *g)
{
	return g->light ? 0x000000 : 0xe5e5e5;
}

static unsigned
unreadable(const char *name, const struct theme *t, unsigned depth, int role,
	   int under, unsigned step)
{
	struct theme_paint p = theme_paint(t, depth_of[depth], (enum role)role,
					   (enum role)under, step);
	struct ground g[2];
	unsigned bad = 0;

	for (unsigned i = 0, n = grounds(t, depth, g); i < n; i++) {
		uint32_t ink = p.fg < 0 ? own_ink(&g[i]) : painted(p.fg, depth),
			 ground = p.bg < 0 ? g[i].rgb : painted(p.bg, depth);
		/* Reversed or not, the two are the same two. */
		double have = theme_contrast(ink, ground),
		       least = p.bg < 0 ? g[i].least : 4.5;

		/* xterm's own bright-white on its bright-black */
		if (p.bg >= 0 && depth == 2 && !t->light && !t->dark)
			least = 4;
		if (have >= least)
			continue;
		print_message("%s, %s: %s %u on %s: #%06x on #%06x is %.2f, "
			      "not %.1f\n",
			      name, depth_name[depth], role_table[role].name,
			      step, role_table[under].name, ink, ground, have,
			      least);
		bad++;
	}
	return bad;
}

/* Text has to be readable on every ground it can lie on. */
static void
test_contrast_of_all_that_is_read_at_every_depth(void **state)
{
	static const int under[] = { ROLE_NONE, ROLE_BAR, ROLE_SELECTED };
	unsigned bad = 0;

	for (unsigned i = 0; i < list.n * DEPTHS * 3; i++) {
		unsigned depth = i / 3 % DEPTHS;
		const char *name = list.name[i / 3 / DEPTHS];
		struct theme t;

		shipped(name, &t);
		for (int role = 0; role < ROLE_COUNT; role++)
			if (role_table[role].reads)
				bad += unreadable(name, &t, depth, role,
						  under[i % 3], ROLE_STEPS - 1);
	}
	assert_int_equal(bad, 0);
}

/*
 * The default theme does not know the ground: what it draws beside text, lines
 * and dots and faded colours, is seen on black and on white as well.
 */
static void
test_the_default_theme_is_seen_on_both_grounds(void **state)
{
	struct theme t;
	unsigned bad = 0;

	shipped("default", &t);
	assert_false(t.light || t.dark);
	for (unsigned depth = 0; depth < DEPTHS; depth++)
		for (int role = ROLE_NONE + 1; role < ROLE_COUNT; role++)
			for (unsigned step = 0; step < ROLE_STEPS; step++)
				bad += unreadable("default", &t, depth, role,
						  ROLE_NONE, step);
	assert_int_equal(bad, 0);
	/* what is read most is in the terminal's own colours */
	static const int own[] = { ROLE_TEXT, ROLE_STRONG, ROLE_TITLE,
				   ROLE_KEY };

	for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
		assert_false(t.style[own[i]].fg.set || t.style[own[i]].bg.set);
	assert_false(t.style[ROLE_NONE].bg.set);
}

/* Without other signs each core's level is a digit, in a step of `heat`. */
static void
test_contrast_of_levels_that_are_digits(void **state)
{
	unsigned bad = 0;

	for (unsigned i = 0; i < list.n * DEPTHS * ROLE_STEPS; i++) {
		const char *name = list.name[i / ROLE_STEPS / DEPTHS];
		struct theme t;

		shipped(name, &t);
		bad += unreadable(name, &t, i / ROLE_STEPS % DEPTHS, ROLE_HEAT,
				  ROLE_NONE, i % ROLE_STEPS);
	}
	assert_int_equal(bad, 0);
}

/* colour vision: Machado, Oliveira, Fernandes 2009, severity 1 */

static const double vision[4][3][3] = {
	{ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	{ { 0.152286, 1.052583, -0.204868 },
	  { 0.114503, 0.786281, 0.099216 },
	  { -0.003882, -0.048116, 1.051998 } },
	{ { 0.367322, 0.860646, -0.227968 },
	  { 0.280085, 0.672501, 0.047413 },
	  { -0.011820, 0.042940, 0.968881 } },
	{ { 1.255528, -0.076749, -0.178779 },
	  { -0.078411, 0.930809, 0.147602 },
	  { 0.004733, 0.691367, 0.303900 } },
};

static double
linear(uint32_t rgb, int i)
{
	double v = (rgb >> (16 - 8 * i) & 255) / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double
lab_f(double t)
{
	return t > 0.008856 ? cbrt(t) : 7.787 * t + 16.0 / 116;
}

/* CIE L*a*b* of what somebody with that vision sees. */
static void
seen(uint32_t rgb, int kind, double lab[3])
{
	double l[3];

	for (int i = 0; i < 3; i++) {
		l[i] = 0;
		for (int j = 0; j < 3; j++)
			l[i] += vision[kind][i][j] * linear(rgb, j);
		l[i] = l[i] < 0 ? 0 : l[i] > 1 ? 1 : l[i];
	}
	double x = lab_f((0.4124 * l[0] + 0.3576 * l[1] + 0.1805 * l[2]) /
			 0.9505),
	       y = lab_f(0.2126 * l[0] + 0.7152 * l[1] + 0.0722 * l[2]),
	       z = lab_f((0.0193 * l[0] + 0.1192 * l[1] + 0.9505 * l[2]) /
			 1.089);

	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

/* What a role is known by: the ground where it paints one, else the ink. */
static uint32_t
mark_of(const struct theme *t, int role, unsigned depth, const struct ground *g)
{
	struct theme_paint p = theme_paint(t, depth_of[depth], (enum role)role,
					   (enum role)role, ROLE_STEPS - 1);

	if (t->style[role].bg.set)
		return painted(p.bg, depth);
	return p.fg < 0 ? own_ink(g) : painted(p.fg, depth);
}

static double
apart(uint32_t a, uint32_t b, int kind)
{
	double la[3], lb[3], sum = 0;

	seen(a, kind, la);
	seen(b, kind, lb);
	for (int i = 0; i < 3; i++)
		sum += (la[i] - lb[i]) * (la[i] - lb[i]);
	return sqrt(sum);
}

static unsigned
too_near(const char *name, const struct theme *t, unsigned depth, int a, int b,
	 double least)
{
	static const char *const eye[] = { "any", "protan", "deutan",
					   "tritan" };
	struct ground g[2];
	unsigned bad = 0, n = grounds(t, depth, g);

	for (unsigned i = 0; i < 4 * n; i++) {
		uint32_t ca = mark_of(t, a, depth, &g[i / 4]),
			 cb = mark_of(t, b, depth, &g[i / 4]);
		double have = apart(ca, cb, (int)i % 4);

		if (have >= least)
			continue;
		print_message("%s, %s: %s #%06x and %s #%06x are %.1f apart "
			      "for %s eyes, not %.0f\n",
			      name, depth_name[depth], role_table[a].name, ca,
			      role_table[b].name, cb, have, eye[i % 4], least);
		bad++;
	}
	return bad;
}

static void
test_good_and_bad_stay_apart_for_every_eye(void **state)
{
	static const struct {
		int a, b;
		double least;
	} pair[] = {
		{ ROLE_GOOD, ROLE_BAD, 20 },
		{ ROLE_TEXT, ROLE_BAD, 20 },
		{ ROLE_TEXT, ROLE_WARN, 12 },
		{ ROLE_BADGE_OK, ROLE_BADGE_BAD, 20 },
		{ ROLE_KIND0, ROLE_KIND1, 20 },
		{ ROLE_TD_USEFUL, ROLE_TD_DISCARDED, 10 },
		{ ROLE_TD_DISCARDED, ROLE_TD_DELIVERY, 10 },
		{ ROLE_TD_DELIVERY, ROLE_TD_PROCESSING, 10 },
	};
	unsigned bad = 0;

	for (unsigned i = 0; i < list.n; i++) {
		struct theme t;

		shipped(list.name[i], &t);
		/* Attributes alone tell these apart there. */
		if (strcmp(list.name[i], "mono") == 0)
			continue;
		for (unsigned depth = 0; depth < DEPTHS; depth++)
			for (unsigned k = 0; k < sizeof pair / sizeof *pair;
			     k++)
				bad += too_near(list.name[i], &t, depth,
						pair[k].a, pair[k].b,
						pair[k].least);
	}
	assert_int_equal(bad, 0);
}

/* 0 to 360; -1 of a grey, which has none. */
static double
hue_of(uint32_t rgb)
{
	double c[3] = { rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255 };
	double most = fmax(c[0], fmax(c[1], c[2]));
	double least = fmin(c[0], fmin(c[1], c[2])), by = most - least;

	if (by < 24)
		return -1;
	if (c[0] >= c[1] && c[0] >= c[2])
		return fmod(60 * (c[1] - c[2]) / by + 360, 360);
	return c[1] >= c[2] ? 120 + 60 * (c[2] - c[0]) / by
			    : 240 + 60 * (c[0] - c[1]) / by;
}

/* What warns never looks like a kind of core, or one of its clusters. */
static void
test_warnings_have_hues_of_their_own(void **state)
{
	static const int warns[] = { ROLE_WARN, ROLE_BAD, ROLE_ALARM };
	struct ground none[2] = { { 0 } };
	unsigned near = 0;

	for (unsigned i = 0; i < list.n; i++)
		for (unsigned w = 0; w < sizeof warns / sizeof *warns; w++)
			for (int kind = ROLE_KIND0; kind <= ROLE_KIND2_ALT;
			     kind++) {
				struct theme t;

				shipped(list.name[i], &t);
				double a =
					hue_of(mark_of(&t, warns[w], 0, none));
				double b = hue_of(mark_of(&t, kind, 0, none));
				double d = fabs(a - b);

				if (a < 0 || b < 0 || fmin(d, 360 - d) >= 15)
					continue;
				print_message("%s: %s and %s\n", list.name[i],
					      role_table[warns[w]].name,
					      role_table[kind].name);
				near++;
			}
	assert_int_equal(near, 0);
}

/* Without colours: what differs by colour elsewhere differs by attributes. */
static void
test_without_colours_attributes_tell(void **state)
{
	for (unsigned i = 0; i < list.n; i++) {
		struct theme t;
		const struct theme_style *s = t.style;

		shipped(list.name[i], &t);
		assert_int_not_equal(s[ROLE_BAD].mono, s[ROLE_WARN].mono);
		assert_int_not_equal(s[ROLE_BAD].mono, s[ROLE_TEXT].mono);
		assert_int_not_equal(s[ROLE_WARN].mono, s[ROLE_TEXT].mono);
		assert_int_not_equal(s[ROLE_BADGE_BAD].mono,
				     s[ROLE_BADGE_OK].mono);
		assert_true((s[ROLE_SELECTED].mono & THEME_REVERSE) != 0);
		assert_true((s[ROLE_TAB].mono & THEME_REVERSE) != 0);
		for (int role = 0; role < ROLE_COUNT; role++)
			if (strcmp(list.name[i], "mono") == 0)
				assert_false(s[role].fg.set || s[role].bg.set);
	}
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(
			test_contrast_of_all_that_is_read_at_every_depth),
		cmocka_unit_test(
			test_the_default_theme_is_seen_on_both_grounds),
		cmocka_unit_test(test_contrast_of_levels_that_are_digits),
		cmocka_unit_test(test_good_and_bad_stay_apart_for_every_eye),
		cmocka_unit_test(test_warnings_have_hues_of_their_own),
		cmocka_unit_test(test_without_colours_attributes_tell),
	};

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	theme_list_make(&list);
	return list.n < 10 ? 1 : cmocka_run_group_tests(test, NULL, NULL);
}
