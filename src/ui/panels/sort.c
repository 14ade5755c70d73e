/* The list of what rows can be sorted by. */
#include "ui/panels/panel.h"
#include "ui/view/value.h"

enum { LABEL_X = 5, TEXT_X = 16 };

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
draw_choice(struct canvas *c, const struct view *v, int y, int i)
{
	int column[COLUMNS_OF_ROWS];
	int n = (int)view_sort_choices(v, column);
	int sort = column[i < n ? i : 0];
	const struct rows *rows = view_rows_now(v);
	char says[VALUE_SAYS_SIZE], label[32];
	struct buf b = buf_over(label, sizeof label);

	view_column_label(v, sort, &b);
	if (sort == rows->sort)
		canvas_text(c, 3, y, ROLE_GOOD,
			    view_sort_arrow(rows, c->glyphs == CANVAS_ASCII));
	canvas_textn(c, LABEL_X, y, TEXT_X - LABEL_X - 1, ROLE_STRONG,
		     buf_cstr(&b));
	panel_cut(c, TEXT_X, y, c->window.w - TEXT_X - 2, ROLE_TEXT,
		  text_of(v, sort, says));
	view_hit(v, c, 1, y, c->window.w - 2, KEY_GO_SORT + i);
}

void
panel_sort_draw(struct canvas *c, struct view *v)
{
	int column[COLUMNS_OF_ROWS];
	const struct panel_list list = { .title = "sort by",
					 .brief = "sort by",
					 .note = view_rows_now(v)->reverse
							 ? "the other way round"
							 : "",
					 .n = (int)view_sort_choices(v, column),
					 .at = &v->over.sort_at,
					 .closes_below = true,
					 .draw = draw_choice };

	panel_list(c, v, &list);
}
