#include "ui/panels/panel.h"
#include "ui/theme/theme.h"

#include <string.h>

enum {
	NAMES_W = 20,
	SAMPLE_W = 16,
	SAMPLE_H = 16,
	SAMPLES = (ROLE_COUNT + SAMPLE_H - 1) / SAMPLE_H,
	FULL_W = NAMES_W + SAMPLES * SAMPLE_W + 4,
	NARROW_W = NAMES_W + 4,
	ROLE_ROWS = (ROLE_COUNT + SAMPLES - 1) / SAMPLES,
	TAIL = 4,
	ABOUT = 5
};

static void
draw_frame(struct canvas *c, const struct theme_walk *w, int rows)
{
	const struct list_part part = { (int)w->top, rows, (int)w->list.n };
	int width = c->window.w;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	/* A narrow box has no space for a note, so its title shows the range of
	 * visible lines. */
	bool narrow = width < FULL_W && part.n > rows;

	if (narrow) {
		buf_str(&b, "themes ");
		panel_part(&part, &b);
	} else {
		panel_list_note(&part, "themes",
				width == FULL_W
					? "Enter keeps  w saves  Esc back"
					: "Enter",
				width, &b);
	}
	panel_box(c, narrow ? buf_cstr(&b) : "themes",
		  narrow ? "" : buf_cstr(&b));
}

static void
draw_names(struct canvas *c, const struct theme_walk *w, int rows)
{
	for (int i = 0; i < rows && w->top + (unsigned)i < w->list.n; i++) {
		unsigned k = w->top + (unsigned)i;
		const char *name = w->list.name[k];
		bool was = strcmp(name, w->before_spec) == 0;

		canvas_text(c, 2, 1 + i, ROLE_DIM, was ? "*" : " ");
		if (k == w->at && w->wrong[0] != 0)
			canvas_text(c, 2, 1 + i, ROLE_BAD, "!");
		canvas_textn(c, 4, 1 + i, NAMES_W - 4,
			     k == w->at ? ROLE_STRONG : ROLE_TEXT, name);
		if (k == w->at)
			canvas_shade(c, (struct rect){ 1, 1 + i, NAMES_W, 1 },
				     ROLE_SELECTED);
	}
}

static void
draw_roles(struct canvas *c, int x, int rows)
{
	for (int i = 0; i < ROLE_COUNT; i++) {
		int at = x + i / ROLE_ROWS * SAMPLE_W, y = 1 + i % ROLE_ROWS;
		const char *name = role_table[i].name;

		if (y > rows)
			continue;
		canvas_text(c, at, y, (enum role)i, " ");
		int w = 1 + canvas_textn(c, at + 1, y, SAMPLE_W - 3,
					 (enum role)i, name);

		canvas_text(c, at + w, y, (enum role)i, " ");
	}
}

static void
draw_gradients(struct canvas *c, int x, int y)
{
	static const double share[4] = { 42, 8, 18, 32 };
	static const enum role role[4] = { ROLE_TD_USEFUL, ROLE_TD_DISCARDED,
					   ROLE_TD_DELIVERY,
					   ROLE_TD_PROCESSING };
	enum { W = SAMPLES * SAMPLE_W - 2 };

	for (int i = 0; i < W; i++) {
		unsigned step = (unsigned)(i * (ROLE_STEPS - 1) / (W - 1));
		double up = 0.25 + 0.75 * (i % 8) / 7;

		canvas_level(c, x + i, y, up, ROLE_KIND0, step);
		canvas_level(c, x + i, y + 1, 1 - up + 0.25, ROLE_KIND1, step);
		canvas_level(c, x + i, y + 2, 1, ROLE_HEAT, step);
	}
	canvas_stack(c, x, y + 3, W, share, role, 4);
}

static void
draw_theme_about(struct canvas *c, const struct theme_walk *w, struct rect r)
{
	char text[THEME_SPEC_SIZE + 128];
	struct buf b = buf_over(text, sizeof text);

	buf_printf(&b, "%s, for %s, %s", w->theme.name,
		   w->theme.light  ? "light terminals"
		   : w->theme.dark ? "dark terminals"
				   : "any terminal",
		   w->theme.path[0] != 0 ? w->theme.path : "built in");
	canvas_wrap(c, r, w->wrong[0] != 0 ? ROLE_BAD : ROLE_DIM,
		    w->wrong[0] != 0 ? w->wrong : buf_cstr(&b));
}

/* The list is at the right edge, so that colours of the tables stay visible. */
void
panel_themes_draw(struct canvas *c, struct view *v)
{
	struct theme_walk *w = v->over.themes;
	/* Except on low screens, the first and the last line stay visible. */
	int room = c->w, around = c->h >= 8, h = c->h - 2 * around;

	if (w == NULL)
		return;
	int wide = room >= FULL_W ? FULL_W : room < NARROW_W ? room : NARROW_W;
	int want = ROLE_ROWS + TAIL + 2 + ABOUT;
	struct rect r = { room - wide, around, wide, h < want ? h : want };
	bool about = r.h >= 14;
	int rows = r.h - 2 - (about ? ABOUT : 0);

	canvas_window(c, r);
	canvas_fill(c, (struct rect){ 0, 0, r.w, r.h }, ROLE_TEXT, " ");
	if (w->at < w->top)
		w->top = w->at;
	if (rows > 0 && w->at >= w->top + (unsigned)rows)
		w->top = w->at - (unsigned)rows + 1;
	draw_frame(c, w, rows);
	draw_names(c, w, rows);
	if (about)
		draw_theme_about(
			c, w,
			(struct rect){ 2, r.h - ABOUT, r.w - 4, ABOUT - 1 });
	if (wide < FULL_W)
		return;
	draw_roles(c, NAMES_W + 2, rows);
	if (rows >= ROLE_ROWS + TAIL)
		draw_gradients(c, NAMES_W + 2, ROLE_ROWS + 1);
}

bool
panel_themes_key(struct view *v, int key)
{
	if (v->over.which != OVERLAY_THEMES || v->over.themes == NULL)
		return false;
	switch (theme_walk_key(v->over.themes, key)) {
	case THEME_WALK_OTHERS:
		return false;
	case THEME_WALK_CLOSES:
		v->over.which = OVERLAY_NONE;
		return true;
	case THEME_WALK_STAYS:
		break;
	}
	return true;
}

void
panel_themes_open(struct view *v)
{
	if (v->over.themes == NULL)
		return;
	v->over.which = OVERLAY_THEMES;
	theme_walk_open(v->over.themes);
}
