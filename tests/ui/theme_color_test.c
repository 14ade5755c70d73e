/* What the shipped themes promise at every depth and for every eye. */
#include "ui/theme.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

/* What a terminal shows: the 256 are fixed, of the 16 we take xterm's. */
static uint32_t
shown(const struct theme_color *c, unsigned depth)
{
	return depth == 0   ? c->rgb
	       : depth == 1 ? theme_rgb_of_256(c->x256)
			    : theme_rgb_of_256(c->x16);
}

/* The ground that is not painted is the person's: as the theme states it, and
 * where a terminal has 16 colours only, plain black or white. */
static uint32_t
terminal_ground(const struct theme *t, unsigned depth)
{
	if (depth < 2)
		return t->background.rgb;
	return t->light ? 0xffffff : 0x000000;
}

static uint32_t
ground_of(const struct theme *t, int role, int under, unsigned depth)
{
	const struct theme_color *c = &t->style[role].bg;

	if (!c->set)
		c = &t->style[under].bg;
	if (!c->set)
		c = &t->style[ROLE_NONE].bg;
	return c->set ? shown(c, depth) : terminal_ground(t, depth);
}

static uint32_t
ink_of(const struct theme *t, int role, unsigned depth)
{
	const struct theme_color *c = &t->style[role].fg;

	if (c->set)
		return shown(c, depth);
	return t->light ? 0x000000 : 0xe5e5e5; /* the terminal's own */
}

/* Text has to be readable on every ground it can lie on. */
static unsigned
unreadable(const char *name, const struct theme *t, unsigned depth, int role,
	   int under)
{
	/* With 16 colours the ground's own ink is taken. */
	bool own = depth < 2 || under == ROLE_NONE || t->style[role].bg.set ||
		   !t->style[under].bg.set;
	uint32_t ink = ink_of(t, own ? role : under, depth),
		 ground = ground_of(t, role, under, depth);
	double have = theme_contrast(ink, ground);

	/* Reversed or not, the two are the same two. */
	if (have >= 4.5)
		return 0;
	print_message("%s, %s: %s on %s: #%06x on #%06x is %.2f, not 4.5\n",
		      name, depth_name[depth], role_table[role].name,
		      role_table[under].name, ink, ground, have);
	return 1;
}

static void
test_contrast_of_all_that_is_read_at_every_depth(void **state)
{
	static const int under[] = { ROLE_NONE, ROLE_BAR, ROLE_SELECTED };
	unsigned bad = 0;

	(void)state;
	for (unsigned i = 0; i < list.n; i++) {
		struct theme t;

		shipped(list.name[i], &t);
		for (unsigned depth = 0; depth < DEPTHS; depth++)
			for (int role = 0; role < ROLE_COUNT; role++)
				for (unsigned u = 0; u < 3; u++)
					if (role_table[role].reads)
						bad += unreadable(
							list.name[i], &t, depth,
							role, under[u]);
	}
	assert_int_equal(bad, 0);
}

static uint32_t
painted(int color, unsigned depth)
{
	return depth == 0 ? (uint32_t)color : theme_rgb_of_256(color);
}

/* Without other signs each core's level is a digit, in a step of `heat`. */
static void
test_contrast_of_levels_that_are_digits(void **state)
{
	static const enum theme_depth depth[DEPTHS] = { THEME_TRUE, THEME_256,
							THEME_16 };
	unsigned bad = 0;

	(void)state;
	for (unsigned i = 0; i < list.n * DEPTHS * ROLE_STEPS; i++) {
		unsigned d = i / ROLE_STEPS % DEPTHS, step = i % ROLE_STEPS;
		const char *name = list.name[i / ROLE_STEPS / DEPTHS];
		struct theme t;

		shipped(name, &t);
		struct theme_paint p =
			theme_paint(&t, depth[d], ROLE_HEAT, ROLE_NONE, step);
		uint32_t ground =
			p.bg < 0 ? terminal_ground(&t, d) : painted(p.bg, d);

		if (p.fg < 0 || theme_contrast(painted(p.fg, d), ground) >= 4.5)
			continue;
		print_message("%s, %s: heat %u: #%06x on #%06x\n", name,
			      depth_name[d], step, painted(p.fg, d), ground);
		bad++;
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
mark_of(const struct theme *t, int role, unsigned depth)
{
	const struct theme_style *s = &t->style[role];

	return s->bg.set ? shown(&s->bg, depth) : ink_of(t, role, depth);
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
	unsigned bad = 0;

	for (int kind = 0; kind < 4; kind++) {
		uint32_t ca = mark_of(t, a, depth), cb = mark_of(t, b, depth);
		double have = apart(ca, cb, kind);

		if (have >= least)
			continue;
		print_message("%s, %s: %s #%06x and %s #%06x are %.1f apart "
			      "for %s eyes, not %.0f\n",
			      name, depth_name[depth], role_table[a].name, ca,
			      role_table[b].name, cb, have, eye[kind], least);
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

	(void)state;
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

/* Without colours: what differs by colour elsewhere differs by attributes. */
static void
test_without_colours_attributes_tell(void **state)
{
	(void)state;
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
		cmocka_unit_test(test_contrast_of_levels_that_are_digits),
		cmocka_unit_test(test_good_and_bad_stay_apart_for_every_eye),
		cmocka_unit_test(test_without_colours_attributes_tell),
	};

	setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	theme_list_make(&list);
	return list.n < 10 ? 1 : cmocka_run_group_tests(test, NULL, NULL);
}
