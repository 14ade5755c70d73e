/* The list of what rows can be sorted by. */
#include "ui/panels/panel.h"
#include "ui/view/value.h"

enum { LABEL_X = 5, TEXT_X = 16, LIST_W = 84 };

static const char *
text_of(const struct view *v, int sort, char says[VALUE_SAYS_SIZE])
{
	bool processes = v->kind == VIEW_PROCESSES;

	switch (sort) {
	case SORT_NUMBER:
		return processes ? "The number that the system gave it"
				 : "The system's number, or name";
	case SORT_NAME:
		return "Its name, letter by letter";
	case SORT_WORST:
		return processes
			       ? "The lowest IPC first, of those over 5% CPU; l does it, too"
			       : "The lowest IPC first, of those over 5% busy; l does it, too";
	default:
		return sort >= COLUMN_PROCESS
			       ? process_metrics[sort - COLUMN_PROCESS].text
			       : value_says(view_metric(v, sort), says);
	}
}

static void
draw_choice(struct canvas *c, const struct view *v, int y, int i, int sort)
{
	const struct rows *rows = view_rows_now(v);
	bool ascii = c->glyphs == CANVAS_ASCII;
	char says[VALUE_SAYS_SIZE], label[32];
	struct buf b = buf_over(label, sizeof label);

	view_column_label(v, sort, &b);
	/* The arrow is how rows are sorted; the cursor has a sign of its own.
	 */
	if (i == v->over.sort_at)
		canvas_text(c, 1, y, ROLE_KEY, ascii ? ">" : "▸");
	if (sort == rows->sort)
		canvas_text(c, 3, y, ROLE_GOOD, view_sort_arrow(rows, ascii));
	canvas_textn(c, LABEL_X, y, TEXT_X - LABEL_X - 1, ROLE_STRONG,
		     buf_cstr(&b));
	panel_cut(c, TEXT_X, y, c->window.w - TEXT_X - 2, ROLE_TEXT,
		  text_of(v, sort, says));
	view_hit(v, c, 1, y, c->window.w - 2, KEY_GO_SORT + i);
}

/* Where it is as wide as the screen no foot of a panel stays below it. */
static void
close_below(struct canvas *c, const struct view *v, struct rect r)
{
	int below = r.y + r.h, keys = v->lay.panel[PANEL_KEYS].y;

	if (r.w < c->w || keys <= below)
		return;
	canvas_window(c, (struct rect){ 0, below, c->w, keys - below });
	canvas_fill(c, (struct rect){ 0, 0, c->w, keys - below }, ROLE_TEXT,
		    " ");
	canvas_window(c, r);
}

void
panel_sort_draw(struct canvas *c, struct view *v)
{
	static const char title[] = "sort by";
	int column[COLUMNS_OF_ROWS];
	int n = (int)view_sort_choices(v, column), top = 0;
	int h = n + 2 < c->h - 2 ? n + 2 : c->h - 2, rows = h - 2;
	int w = LIST_W < c->w ? LIST_W : c->w;
	char text[64];
	struct buf b = buf_over(text, sizeof text);

	if (v->over.sort_at >= n)
		v->over.sort_at = n - 1;
	if (v->over.sort_at >= rows)
		top = v->over.sort_at - rows + 1;
	panel_list_note(&(struct list_part){ top, rows, n }, title,
			view_rows_now(v)->reverse ? "the other way round" : "",
			w, &b);
	struct rect r = panel_overlay(c, LIST_W, h, title, buf_cstr(&b));

	close_below(c, v, r);
	for (int i = 0; i < rows && top + i < n; i++) {
		draw_choice(c, v, 1 + i, top + i, column[top + i]);
		if (top + i == v->over.sort_at)
			canvas_shade(c, (struct rect){ 1, 1 + i, r.w - 2, 1 },
				     ROLE_SELECTED);
	}
}
