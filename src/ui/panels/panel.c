#include "ui/panels/inner.h"
#include "ui/panels/panel.h"

#include "ui/view/value.h"

void
panel_box(struct canvas *c, const char *title, const char *note)
{
	canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h }, title,
		   note);
}

struct rect
panel_overlay(struct canvas *c, int w, int h, const char *title,
	      const char *note)
{
	struct rect r = { 0, 0, w < c->w ? w : c->w, h < c->h ? h : c->h };

	r.x = (c->w - r.w) / 2;
	r.y = (c->h - r.h) / 2;
	canvas_window(c, r);
	canvas_fill(c, (struct rect){ 0, 0, r.w, r.h }, ROLE_TEXT, " ");
	canvas_box(c, (struct rect){ 0, 0, r.w, r.h }, title, note);
	return r;
}

void
panel_part(const struct list_part *p, struct buf *b)
{
	int last = p->top + p->rows < p->n ? p->top + p->rows : p->n;

	if (p->rows < 1 || p->n <= p->rows)
		return;
	buf_printf(b, "%u-%u of %u", (unsigned)p->top + 1, (unsigned)last,
		   (unsigned)p->n);
}

void
panel_list_note(const struct list_part *p, const char *title, const char *note,
		int w, struct buf *b)
{
	enum { GAP = 3, AROUND = 11 }; /* AROUND: cells around title and note */
	int taken = canvas_width(title) + canvas_width(note) + AROUND;

	panel_part(p, b);
	if (b->len > 0 && taken + GAP + (int)b->len > w)
		return;
	if (b->len > 0 && note[0] != 0)
		buf_str(b, "   ");
	buf_str(b, note);
}

struct panel_list {
	const char *title, *brief, *note;
	int n, *at;
	bool closes_below;
	void (*draw)(struct canvas *c, const struct view *v, int y, int i);
};

/* Below a box of full width, parts of panels would remain visible. */
static void
overlay_clear_below(struct canvas *c, const struct view *v, struct rect r)
{
	int below = r.y + r.h, keys = v->lay.panel[PANEL_KEYS].y;

	if (r.w < c->w || keys <= below)
		return;
	canvas_window(c, (struct rect){ 0, below, c->w, keys - below });
	canvas_fill(c, (struct rect){ 0, 0, c->w, keys - below }, ROLE_TEXT,
		    " ");
	canvas_window(c, r);
}

static void
panel_list(struct canvas *c, const struct view *v, const struct panel_list *l)
{
	enum { LIST_W = 84, NARROW_W = 48 };
	/* The last line of the screen, with keys, stays visible. */
	int n = l->n, h = n + 2 < c->h - 2 ? n + 2 : c->h - 2, rows = h - 2;
	int w = LIST_W < c->w ? LIST_W : c->w, top = 0;
	bool brief = w < NARROW_W && n > rows;
	const char *title = brief ? l->brief : l->title;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	*l->at = *l->at >= n ? n - 1 : *l->at < 0 ? 0 : *l->at;
	if (*l->at >= rows)
		top = *l->at - rows + 1;
	panel_list_note(&(struct list_part){ top, rows, n }, title, l->note, w,
			&b);
	struct rect r = panel_overlay(c, LIST_W, h, title, buf_cstr(&b));

	if (l->closes_below)
		overlay_clear_below(c, v, r);
	for (int i = 0; i < rows && top + i < n; i++) {
		bool here = top + i == *l->at;

		if (here)
			canvas_put(c, 1, 1 + i, ROLE_KEY,
				   c->glyphs == CANVAS_ASCII ? ">" : "▸");
		l->draw(c, v, 1 + i, top + i);
		if (here)
			canvas_shade(c, (struct rect){ 1, 1 + i, r.w - 2, 1 },
				     ROLE_SELECTED);
	}
}

void
panel_cut(struct canvas *c, int x, int y, int w, enum role role, const char *s)
{
	if (canvas_width(s) <= w) {
		canvas_text(c, x, y, role, s);
		return;
	}
	if (w < 3)
		return;
	canvas_textn(c, x, y, w - 2, role, s);
	canvas_text(c, x + w - 2, y, role, "..");
}

static void
draw_preset(struct canvas *c, const struct view *v, int y, int i)
{
	const struct preset *p = view_preset(v, i);
	bool has = (v->s->preset_possible >> i & 1) != 0;
	bool refused = has && (v->s->preset_refused >> i & 1) != 0;
	bool can = has && !refused;
	char key[2] = { view_preset_key(v, i), 0 };

	if (key[0] == 0)
		key[0] = ' ';
	/* ">" is the cursor, so "=" marks the preset that is counted. */
	if (v->s->preset == i)
		canvas_put(c, 3, y, ROLE_GOOD, "=");
	canvas_text(c, 5, y, can ? ROLE_KEY : ROLE_DIM, key);
	canvas_textn(c, 7, y, 11, can ? ROLE_STRONG : ROLE_DIM, p->name);
	panel_cut(c, 18, y, c->window.w - 20, can ? ROLE_TEXT : ROLE_DIM,
		  refused ? "macOS refuses every event of it"
		  : has || v->s->replay != NULL
			  ? p->text
			  : "no event of it on this machine");
	view_hit(v, c, 1, y, c->window.w - 2, KEY_GO_PRESET + i);
}

void
panel_list_draw(struct canvas *c, struct view *v)
{
	const struct panel_list list = {
		.title = "presets: what to count",
		.brief = "presets",
		.note = v->s->replay != NULL
				? "a recording: events cannot be changed"
			: c->w >= 64 && v->s->preset >= 0
				? "= counted now   Enter counts it   Esc closes"
				: "Enter counts it   Esc closes",
		.n = (int)view_presets(v),
		.at = &v->over.choice,
		.draw = draw_preset
	};

	panel_list(c, v, &list);
}

enum { LABEL_X = 5, TEXT_X = 16 };

static const char *
column_text(const struct view *v, int sort, char says[VALUE_SAYS_SIZE])
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
			       : value_explain(view_metric(v, sort), says);
	}
}

static void
draw_column(struct canvas *c, const struct view *v, int y, int i)
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
		  column_text(v, sort, says));
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
					 .draw = draw_column };

	panel_list(c, v, &list);
}

static void
draw_marker(struct canvas *c, const struct view *v, int y, int i)
{
	const struct ui_mark *m = &v->s->mark[v->s->nmarks - 1 - (unsigned)i];
	char ago[CHART_AGO_SIZE];

	chart_ago(v->f != NULL ? v->f->elapsed_s + v->when.ago_s - m->at_s : 0,
		  1, ago);
	canvas_right(c, LABEL_X, y, 6, ROLE_TEXT, ago);
	canvas_text(c, LABEL_X + 7, y, ROLE_DIM, "ago");
	panel_cut(c, TEXT_X, y, c->window.w - TEXT_X - 2, ROLE_STRONG,
		  m->name[0] != 0 ? m->name : PRINTED("marker %u", m->number));
}

void
panel_markers_draw(struct canvas *c, struct view *v)
{
	const struct panel_list list = { .title = "markers",
					 .brief = "markers",
					 .note = "Enter compares with one",
					 .n = (int)v->s->nmarks,
					 .at = &v->over.marker,
					 .draw = draw_marker };

	if (v->s->nmarks == 0)
		v->over.which = OVERLAY_NONE;
	else
		panel_list(c, v, &list);
}
