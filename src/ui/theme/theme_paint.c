#include "ui/theme/theme.h"

#include <math.h>
#include <string.h>

#define ROW(role, name, text, reads, fades) { name, text, reads, fades },
const struct role_text role_table[ROLE_COUNT] = { ROLES(ROW) };

int
role_find(const char *name)
{
	for (int i = 0; i < ROLE_COUNT; i++)
		if (strcmp(role_table[i].name, name) == 0)
			return i;
	return -1;
}

/* clang-format off */
static const struct {
	const char *name;
	uint32_t rgb;
} ansi[16] = {
	{ "black", 0x000000 }, { "red", 0xcd0000 }, { "green", 0x00cd00 }, { "yellow", 0xcdcd00 },
	{ "blue", 0x0000ee }, { "magenta", 0xcd00cd }, { "cyan", 0x00cdcd }, { "white", 0xe5e5e5 },
	{ "bright-black", 0x7f7f7f }, { "bright-red", 0xff0000 }, { "bright-green", 0x00ff00 },
	{ "bright-yellow", 0xffff00 }, { "bright-blue", 0x5c5cff }, { "bright-magenta", 0xff00ff },
	{ "bright-cyan", 0x00ffff }, { "bright-white", 0xffffff },
};
/* clang-format on */

static int
color_part(uint32_t rgb, int shift)
{
	return (int)(rgb >> shift & 0xff);
}

static long
color_distance(uint32_t a, uint32_t b)
{
	long red = color_part(a, 16) - color_part(b, 16),
	     green = color_part(a, 8) - color_part(b, 8),
	     blue = color_part(a, 0) - color_part(b, 0);

	return 2 * red * red + 4 * green * green + 3 * blue * blue;
}

/* The 6 x 6 x 6 cube and the 24 greys of xterm's 256colres.pl. */
uint32_t
theme_rgb_of_256(int i)
{
	static const uint32_t level[6] = { 0, 95, 135, 175, 215, 255 };
	unsigned n = (unsigned)i;

	if (i < 16)
		return ansi[n & 15].rgb;
	if (i >= 232) {
		uint32_t grey = 8 + (n - 232) * 10;

		return grey << 16 | grey << 8 | grey;
	}
	n -= 16;
	return level[n / 36] << 16 | level[n / 6 % 6] << 8 | level[n % 6];
}

int
theme_nearest_256(uint32_t rgb)
{
	int best = 16;

	for (int i = 17; i < 256; i++)
		if (color_distance(rgb, theme_rgb_of_256(i)) <
		    color_distance(rgb, theme_rgb_of_256(best)))
			best = i;
	return best;
}

int
theme_nearest_16(uint32_t rgb)
{
	int best = 0;

	for (int i = 1; i < 16; i++)
		if (color_distance(rgb, ansi[i].rgb) <
		    color_distance(rgb, ansi[best].rgb))
			best = i;
	return best;
}

static double
color_luminance(uint32_t rgb)
{
	static const double weight[3] = { 0.2126, 0.7152, 0.0722 };
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double v = color_part(rgb, 16 - 8 * i) / 255.0;

		v = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
		sum += weight[i] * v;
	}
	return sum;
}

double
theme_contrast(uint32_t a, uint32_t b)
{
	double la = color_luminance(a), lb = color_luminance(b);

	return la > lb ? (la + 0.05) / (lb + 0.05) : (lb + 0.05) / (la + 0.05);
}

int
theme_find_16(const char *name)
{
	for (int i = 0; i < 16; i++)
		if (strcmp(ansi[i].name, name) == 0)
			return i;
	return -1;
}

static uint32_t
rgb_mix(uint32_t a, uint32_t b, double share)
{
	uint32_t out = 0;

	for (int shift = 16; shift >= 0; shift -= 8)
		out = out << 8 | (uint32_t)lround(color_part(a, shift) +
						  (color_part(b, shift) -
						   color_part(a, shift)) *
							  share);
	return out;
}

static struct theme_color
color_mix(const struct theme_color *a, const struct theme_color *b,
	  double share)
{
	struct theme_color out = share < 0.5 ? *a : *b;

	if (!a->set || !b->set || share >= 1)
		return *b;
	out.rgb = rgb_mix(a->rgb, b->rgb, share);
	/* Interpolate between displayed colours, so that the ends of the
	 * gradient are exact. */
	out.x256 = theme_nearest_256(rgb_mix(theme_rgb_of_256(a->x256),
					     theme_rgb_of_256(b->x256), share));
	return out;
}

/* The faintest step keeps this share of the role's colour. */
static const double fade_floor = 0.375;

static struct theme_color
role_color_at(const struct theme *t, enum role role, unsigned step)
{
	const struct theme_color *own = &t->style[role].fg;
	double share = (double)step / (ROLE_STEPS - 1);

	if (role == ROLE_HEAT)
		return share < 0.5
			       ? color_mix(&t->heat[0], &t->heat[1], share * 2)
			       : color_mix(&t->heat[1], &t->heat[2],
					   share * 2 - 1);
	if (!role_table[role].fades || step >= ROLE_STEPS - 1)
		return *own;
	struct theme_color c =
		color_mix(&t->fade, own, fade_floor + (1 - fade_floor) * share);

	c.x16 = own->x16;
	return c;
}

static int
color_index(const struct theme_color *c, enum theme_depth depth)
{
	if (!c->set)
		return -1;
	return depth == THEME_TRUE  ? (int)c->rgb
	       : depth == THEME_256 ? c->x256
				    : c->x16;
}

static struct theme_paint
paint_ground(const struct theme *t, enum theme_depth depth, enum role role,
	     enum role under)
{
	const struct theme_style *s = &t->style[role],
				 *below = &t->style[under];
	const struct theme_color *bg = s->bg.set ? &s->bg
				       : below->bg.set
					       ? &below->bg
					       : &t->style[ROLE_NONE].bg;

	if (depth == THEME_MONO)
		/* Reversed text on a reversed background is shown without
		 * reverse. */
		return (struct theme_paint){
			-1, -1,
			role == under ? s->mono
				      : s->mono ^ (below->mono & THEME_REVERSE)
		};
	return (struct theme_paint){
		-1, color_index(bg, depth),
		role == under ? s->attrs
			      : s->attrs ^ (below->attrs & THEME_REVERSE)
	};
}

static uint32_t
color_shown_rgb(const struct theme_color *c, enum theme_depth depth)
{
	return depth == THEME_TRUE
		       ? c->rgb
		       : theme_rgb_of_256(depth == THEME_256 ? c->x256
							     : c->x16);
}

/* Least contrast of text with a painted background. */
static const double least_contrast = 4.5;

/* The role whose text colour is used on the background of `under`: `role`,
 * unless its colour is unset, its contrast is too low, or the terminal has 16
 * colours. */
static enum role
role_of_ink(const struct theme *t, enum theme_depth depth, enum role role,
	    enum role under)
{
	const struct theme_style *s = &t->style[role],
				 *below = &t->style[under];

	if (depth == THEME_MONO || s->bg.set || role == under)
		return role;
	if (!below->bg.set || under == ROLE_NONE) {
		below = &t->style[ROLE_NONE];
		return below->bg.set && below->fg.set && !s->fg.set ? ROLE_NONE
								    : role;
	}
	if (depth == THEME_16 || !s->fg.set)
		return under;
	return role_table[role].reads &&
			       theme_contrast(
				       color_shown_rgb(&s->fg, depth),
				       color_shown_rgb(&below->bg, depth)) <
				       least_contrast
		       ? under
		       : role;
}

struct theme_paint
theme_paint(const struct theme *t, enum theme_depth depth, enum role role,
	    enum role under, unsigned step)
{
	struct theme_paint p = paint_ground(t, depth, role, under);
	enum role ink = role_of_ink(t, depth, role, under);
	struct theme_color c =
		role_color_at(t, ink, ink == role ? step : ROLE_STEPS - 1);

	p.fg = depth == THEME_MONO ? -1 : color_index(&c, depth);
	return p;
}

bool
theme_has_colors(const struct theme *t)
{
	return t->style[ROLE_TD_USEFUL].bg.set ||
	       t->style[ROLE_TD_USEFUL].fg.set;
}
