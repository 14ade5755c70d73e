/* The list of what rows can be sorted by. */
#include "ui/panels/panel.h"
#include "ui/view/value.h"

enum { LABEL_X = 5, TEXT_X = 16, LIST_W = 84 };

static void
draw_choice(struct canvas *c, const struct view *v, int y, unsigned i)
{
	int sort = view_sort_choice(v, i);
	bool now = sort == v->sort, ascii = c->glyphs == CANVAS_ASCII;
	const char *label = view_sort_word(v, sort);
	char says[VALUE_SAYS_SIZE], text[8];
	struct buf b = buf_over(text, sizeof text);

	if (now) {
		canvas_text(c, 1, y, ROLE_GOOD, ascii ? ">" : "▸");
		panel_arrow(v, &b, ascii);
		canvas_text(c, 3, y, ROLE_KEY, buf_cstr(&b));
	}
	canvas_textn(c, LABEL_X, y, TEXT_X - LABEL_X - 1,
		     now ? ROLE_KEY : ROLE_STRONG, label);
	panel_cut(
		c, TEXT_X, y, c->window.w - TEXT_X - 2, ROLE_TEXT,
		sort == SORT_CPU ? "The system's number, or name"
		: sort == SORT_WORST
			? "The lowest IPC first, of those over 5% busy; l does it, too"
			: value_says(view_metric(v, sort), says));
	view_hit(v, c, 1, y, c->window.w - 2, KEY_GO_SORT + (int)i);
}

void
panel_sort_draw(struct canvas *c, struct view *v)
{
	int n = (int)view_sort_choices(v), top = 0;
	int h = n + 2 < c->h - 2 ? n + 2 : c->h - 2;
	struct rect r = panel_overlay(c, LIST_W, h, "sort by",
				      v->reverse ? "the other way round" : "");
	int rows = r.h - 2;

	if (v->sort_at >= n)
		v->sort_at = n - 1;
	if (v->sort_at >= rows)
		top = v->sort_at - rows + 1;
	for (int i = 0; i < rows && top + i < n; i++) {
		draw_choice(c, v, 1 + i, (unsigned)(top + i));
		if (top + i == v->sort_at)
			canvas_shade(c, (struct rect){ 1, 1 + i, r.w - 2, 1 },
				     ROLE_SELECTED);
	}
}
