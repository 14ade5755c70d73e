#include "base/top.h"
#include "ui/panels/inner.h"

#include <math.h>
#include <string.h>

enum { TITLE_W = 24 }; /* cells of the frame's title and corners */

static void
make_title_note(const struct view *v, int w, bool ascii, struct buf *b)
{
	const struct process_list *l = v->procs;
	unsigned last = processes_line(l, l->list.page);
	size_t whole;

	panel_note_order(v, &l->list, ascii, b);
	if (l->frozen)
		buf_str(b, ", kept while a row is chosen");
	panel_note_filter(v, &l->list, b);
	if (l->n > l->list.page)
		buf_printf(b, "   %u-%u of %u", l->list.top + 1,
			   last < l->n ? last : l->n, l->n);
	else
		buf_printf(b, "   %u of %u", l->list.nmatch, l->t->n);
	whole = b->len;
	if (l->t->capacity_pct > 0) {
		buf_str(b, "   ");
		buf_fixed(b, l->t->capacity_pct, 0);
		buf_str(b, "% = all cores");
	}
	if (canvas_width(buf_cstr(b)) > w - TITLE_W)
		b->len = whole;
	buf_cstr(b);
}

static void
draw_traced_heads(struct canvas *c, const struct view *v,
		  const struct process_columns *k, int x, int y, int end)
{
	struct view traced = *v;
	struct layout_table *t = &traced.lay.table;

	t->ncols = 0;
	for (unsigned i = 0; i < v->procs->tracer.n; i++) {
		int metric = v->procs->tracer.column[i].metric;
		const struct process_column *of = &k->at[COLUMN_TRACED + i];

		if (of->w > 0)
			t->col[t->ncols++] = (struct layout_column){
				.metric = metric,
				.w = of->w,
				.x = of->x,
				.group = (int)view_metric(v, metric)->unit
			};
	}
	if (t->ncols == 0)
		return;
	t->ipc_x = t->col[0].x;
	heads_draw(c, &traced, x, y, end);
}

/* The note is left of the headings of event columns, if it fits there. */
static void
draw_list_frame(struct canvas *c, const struct view *v,
		const struct process_columns *k, int w)
{
	enum { NOTE_X = 16 };
	int room = k->at[COLUMN_TRACED].w > 0 ? k->at[COLUMN_TRACED].x : 0;
	bool ascii = c->glyphs == CANVAS_ASCII;
	char text[160];
	struct buf b = buf_over(text, sizeof text);

	if (v->procs->t != NULL)
		make_title_note(v, room > 0 ? room : w, ascii, &b);
	int n = canvas_width(buf_cstr(&b));

	if (room == 0 || n > room - TITLE_W) {
		b = buf_over(text, sizeof text);
		if (v->procs->t != NULL)
			make_title_note(v, w, ascii, &b);
		panel_box(c, "processes", buf_cstr(&b));
		return;
	}
	panel_box(c, "processes", "");
	canvas_put(c, NOTE_X - 1, 0, ROLE_FRAME, " ");
	canvas_text(c, NOTE_X, 0, ROLE_DIM, text);
	canvas_put(c, NOTE_X + n, 0, ROLE_FRAME, " ");
	draw_traced_heads(c, v, k, 1, 0, c->window.w - 1);
}

static void
make_title_text(const struct view *v, unsigned kind,
		const struct process_column *of, struct buf *b)
{
	if (kind == COLUMN_SPARK)
		spark_title(v, process_metrics[processes_trend(v->procs)].label,
			    of->w - 2, b);
	else if (kind == COLUMN_USER || kind == COLUMN_WORD)
		buf_str(b, kind == COLUMN_USER ? "user" : "BOTTLENECK");
	else if (kind == COLUMN_PID || kind == COLUMN_NAME)
		buf_str(b, kind == COLUMN_PID ? "pid" : "name");
	else if (of->sorts != COLUMN_NONE)
		view_column_label(v, of->sorts, b);
}

static void
draw_titles(struct canvas *c, const struct view *v,
	    const struct process_columns *k, int x, int y)
{
	const struct rows *list = &v->procs->list;
	int column[COLUMNS_OF_ROWS];
	bool here = v->kind == VIEW_PROCESSES;
	unsigned n = here ? view_sort_choices(v, column) : 0;

	for (unsigned i = 0; i < COLUMN_KINDS; i++) {
		const struct process_column *of = &k->at[i];
		int at = x + of->x, w = of->w;
		bool sorted = here && (list->sort == SORT_WORST
					       ? i == COLUMN_IPC
					       : list->sort == of->sorts);
		enum role role = sorted ? ROLE_KEY : ROLE_DIM;
		int gap = i == COLUMN_WORD ? 2 : 1;
		char text[48];
		struct buf b = buf_over(text, sizeof text);

		if (w == 0)
			continue;
		if (sorted)
			buf_str(&b, view_sort_arrow(list,
						    c->glyphs == CANVAS_ASCII));
		make_title_text(v, i, of, &b);
		buf_cstr(&b);
		if (i == COLUMN_WORD || i == COLUMN_USER || i == COLUMN_NAME)
			canvas_textn(c, at + gap, y, w - gap, role, text);
		else
			canvas_right(c, at, y, w - (i == COLUMN_IPC), role,
				     text);
		for (unsigned choice = 0; choice < n; choice++)
			if (column[choice] == of->sorts)
				view_hit(v, c, at + 1, y, w - 1,
					 KEY_GO_SORT + (int)choice);
	}
}

enum { WORD_W = 6 };

/* A normal reason is a dim word without explanation. */
static void
draw_access_reason(struct canvas *c, const struct process_list *l,
		   const struct process_columns *k,
		   const struct process_row *row, int x, int y)
{
	bool timed = !isnan(row->value[PROCESS_CPU]);
	int at = x + k->at[COLUMN_CPU].x + 1, end = x + k->end;
	bool plain = row->access == PROCESS_NOT_TRACKED ||
		     row->access == PROCESS_NO_COUNTERS;

	if (plain && (l->known & PROCESS_HAS_COUNTS) == 0)
		return;
	at += timed ? k->at[COLUMN_CPU].w + 1 : 0;
	int n = canvas_textn(c, at, y, end - at, plain ? ROLE_DIM : ROLE_FLAG,
			     process_access_word[row->access]);

	at += n > WORD_W ? n : WORD_W;
	if (plain || end - at < 24)
		return;
	panel_cut(c, at + 2, y, end - at - 2, ROLE_DIM,
		  process_access_text[row->access]);
}

static void
draw_pid(struct canvas *c, const struct process_list *l,
	 const struct process_columns *k, const struct process_row *row, int x,
	 int y)
{
	bool ascii = c->glyphs == CANVAS_ASCII, thread = row->thread != 0;
	int w = k->at[COLUMN_PID].w;

	if (l->open.pid >= 0 && processes_same(processes_id(row), l->open))
		canvas_text(c, x, y, ROLE_KEY, ascii ? "v" : "▾");
	else if (!thread && processes_pinned(l, row))
		canvas_text(c, x, y, ROLE_KEY, "p");
	if (w == 0)
		return;
	canvas_right(c, x + 1, y, w - 1, thread ? ROLE_DIM : ROLE_TEXT,
		     thread ? PRINTED("%llu", (unsigned long long)row->thread)
		     : row->pid < 0 ? "-"
				    : PRINTED("%d", (int)row->pid));
}

static void
draw_name(struct canvas *c, const struct process_columns *k,
	  const struct process_row *row, int x, int y, bool last, bool dim)
{
	static const char over[] = " ended";
	bool ascii = c->glyphs == CANVAS_ASCII;
	bool ended = row->state == PROCESS_ENDED;
	int at = x + k->at[COLUMN_NAME].x + 1, w = k->at[COLUMN_NAME].w - 1;
	int said = ended && w > 12 ? (int)strlen(over) : 0;
	enum role role = dim ? ROLE_DIM : ROLE_STRONG;
	const char *name = row->name[0] != 0  ? row->name
			   : row->thread != 0 ? "thread"
					      : "-";

	if (row->thread != 0) {
		canvas_text(c, at, y, ROLE_FRAME,
			    ascii  ? (last ? "`" : "|")
			    : last ? "└"
				   : "├");
		at += 2;
		w -= 2;
		role = dim ? ROLE_DIM : ROLE_TEXT;
	}
	int n = canvas_width(name);

	panel_cut(c, at, y, w - said, role, name);
	if (said > 0)
		canvas_text(c, at + (n < w - said ? n : w - said), y, ROLE_FLAG,
			    over);
}

static void
draw_ended_process(struct canvas *c, const struct process_columns *k,
		   const struct ended_process *over, int x, int y)
{
	char clock[PROCESS_CLOCK_SIZE];
	int at = x + k->at[COLUMN_NAME].x + 1;

	at += canvas_textn(c, at, y, x + k->end - at, ROLE_STRONG,
			   over->row.name[0] != 0 ? over->row.name : "-");
	panel_cut(c, at, y, x + k->end - at, ROLE_FLAG,
		  PRINTED(" ended at %s", process_clock(clock, over->wall_ns)));
}

static void
draw_row(struct canvas *c, const struct view *v,
	 const struct process_columns *k, const struct process_row *row, int x,
	 int y, bool last)
{
	const struct process_list *l = v->procs;
	bool dim = row->state == PROCESS_ENDED || processes_idle(row) ||
		   isnan(row->value[PROCESS_CPU]);

	draw_pid(c, l, k, row, x, y);
	if (k->at[COLUMN_USER].w > 0 && row->thread == 0)
		canvas_textn(c, x + k->at[COLUMN_USER].x + 1, y,
			     k->at[COLUMN_USER].w - 1, ROLE_DIM, row->user);
	if (row == &l->over.row) {
		draw_ended_process(c, k, &l->over, x, y);
		return;
	}
	draw_name(c, k, row, x, y, last, dim && row->access == PROCESS_COUNTED);
	process_values_draw(c, v, k, row, x, y, dim);
	if (row->access != PROCESS_COUNTED)
		draw_access_reason(c, l, k, row, x, y);
}

static void
draw_order_rule(struct canvas *c, const struct view *v,
		const struct process_columns *k, int x, int y)
{
	const struct process_list *l = v->procs;
	bool ascii = c->glyphs == CANVAS_ASCII;
	int at = x + 1;

	canvas_text(c, at, y, ROLE_FRAME, ascii ? "-" : "─");
	at += 2 +
	      canvas_textn(c, at + 2, y, k->end - 4, ROLE_DIM,
			   l->frozen ? "under 5% CPU when the order was made"
				     : "under 5% CPU, by CPU") +
	      1;
	canvas_fill(c, (struct rect){ at, y, x + k->end - at, 1 }, ROLE_FRAME,
		    ascii ? "-" : "─");
}

static void
draw_idle_line(struct canvas *c, const struct view *v,
	       const struct process_columns *k, int x, int y)
{
	int at = x + k->at[COLUMN_NAME].x + 1, end = x + k->end;

	view_hit(v, c, x, y, k->end, 'a');
	if (at > 2)
		canvas_text(c, at - 2, y, ROLE_DIM,
			    c->glyphs == CANVAS_ASCII ? ">" : "▸");
	at += canvas_textn(c, at, y, end - at, ROLE_DIM,
			   PRINTED("%u processes idle", v->procs->nidle));
	if (end - at < 18)
		return;
	at += canvas_text(c, at + 3, y, ROLE_KEY, "a") + 3;
	canvas_text(c, at + 1, y, ROLE_DIM, "lists them");
}

static void
draw_unattributed(struct canvas *c, const struct view *v,
		  const struct process_columns *k, int x, int y)
{
	const struct process_list *l = v->procs;
	unsigned denied = 0;
	/* A smaller share may only show that cores and processes are not read
	 * at the same time. */
	static const double noise_pct = 0.05;
	struct process_row rest = l->t->rest;
	bool noise = fabs(rest.value[PROCESS_CYCLES_PCT]) < noise_pct;
	int from = k->at[COLUMN_GHZ].w > 0 ? k->at[COLUMN_GHZ].x + 1 : k->end;

	if (k->at[COLUMN_PID].w > 0)
		canvas_right(c, x + 1, y, k->at[COLUMN_PID].w - 1, ROLE_DIM,
			     "-");
	panel_cut(c, x + k->at[COLUMN_NAME].x + 1, y, k->at[COLUMN_NAME].w - 1,
		  ROLE_TEXT, PROCESS_REST_NAME);
	rest.events = NULL;
	for (int m = 0; noise && m < PROCESS_METRICS; m++)
		rest.value[m] = NAN;
	process_values_draw(c, v, k, &rest, x, y, false);
	if (k->end - from < 10)
		return;
	for (unsigned i = 0; i < l->t->n; i++)
		denied += l->t->row[i].access == PROCESS_DENIED;
	canvas_fill(c, (struct rect){ x + from, y, k->end - from, 1 },
		    ROLE_TEXT, " ");
	panel_cut(c, x + from, y, k->end - from, ROLE_DIM,
		  (rest.flags & PROCESS_SKEW) != 0 ? "unknown: delayed counts"
		  : denied > 0
			  ? PRINTED("idle, %u denied, ended unseen", denied)
			  : "idle, ended unseen");
}

static void
draw_lines(struct canvas *c, const struct view *v,
	   const struct process_columns *k, int x, int y)
{
	const struct process_list *l = v->procs;

	for (unsigned i = 0; i < l->list.page; i++, y++) {
		unsigned line = processes_line(l, i);
		const struct process_row *row = processes_row(l, line);

		if (line >= l->n)
			break;
		if (row == NULL) {
			(l->line[line].kind == LINE_IDLE
				 ? draw_idle_line
				 : draw_order_rule)(c, v, k, x, y);
			continue;
		}
		draw_row(c, v, k, row, x, y,
			 line + 1 >= l->n ||
				 l->line[line + 1].kind != LINE_THREAD);
		if (l->list.cursor_on && line == l->list.cursor)
			canvas_shade(c, (struct rect){ x, y, k->end, 1 },
				     ROLE_SELECTED);
	}
}

static const char *
empty_list_reason(const struct view *v)
{
	if (!v->s->processes)
		return v->s->replay != NULL
			       ? "this recording has no processes; start with --processes to record them"
			       : "this source does not tell of processes";
	if (v->when.paused)
		return "of this moment no processes were kept";
	return "processes appear with the next sample";
}

void
panel_processes_draw(struct canvas *c, const struct view *v)
{
	const struct process_list *l = v->procs;
	bool framed = layout_framed(&v->lay, PANEL_PROCESSES);
	int x = framed, y = framed, w = c->window.w - (framed ? 3 : 0);
	struct process_columns k;

	process_columns_make(v, w, &k);
	if (framed)
		draw_list_frame(c, v, &k, w);
	if (l->t != NULL && l->n == 0 && l->list.filter[0] != 0)
		panel_no_match(c, v, x + 2, y + v->lay.process_titles,
			       "process");
	if (l->t == NULL)
		canvas_textn(c, x + 2, y + v->lay.process_titles, w - 2,
			     ROLE_DIM, empty_list_reason(v));
	if (l->t == NULL)
		return;
	y += v->lay.process_titles;
	if (v->lay.process_titles > 1) {
		canvas_fill(c, (struct rect){ 0, y - 2, w, 1 }, ROLE_FRAME,
			    "─");
		draw_traced_heads(c, v, &k, x, y - 2, w + 1);
	}
	draw_titles(c, v, &k, x, y - 1);
	draw_lines(c, v, &k, x, y);
	if (!l->t->has_rest)
		return;
	y += l->n == 0             ? 1
	     : l->n < l->list.page ? (int)l->n
				   : (int)l->list.page;
	draw_unattributed(c, v, &k, x, y);
}

enum { BUSIEST_FROM_W = 160, BUSIEST_ROWS = 5, BUSIEST_AROUND = 3 };

int
panel_busiest_rows(const struct view *v, int w)
{
	return v->s->processes && w >= BUSIEST_FROM_W
		       ? BUSIEST_ROWS + BUSIEST_AROUND
		       : 0;
}

void
panel_busiest_draw(struct canvas *c, const struct view *v)
{
	struct top_row row[BUSIEST_ROWS];
	struct top busiest = { .room = BUSIEST_ROWS, .row = row };
	const struct process_list *l = v->procs;
	struct process_columns k;
	bool framed = layout_framed(&v->lay, PANEL_BUSIEST);
	int x = framed, y = framed, end = c->window.h - framed;

	if (framed) {
		panel_box(c, "busiest processes", "P shows all");
		view_hit(v, c, 2, 0, c->window.w - 4, 'P');
	}
	if (l->t == NULL) {
		canvas_text(c, x + 1, y, ROLE_DIM, empty_list_reason(v));
		return;
	}
	process_columns_make(v, c->window.w - (framed ? 3 : 0), &k);
	if (framed)
		draw_traced_heads(c, v, &k, x, 0, c->window.w - 17);
	draw_titles(c, v, &k, x, y++);
	for (unsigned i = 0; i < l->t->n; i++)
		if (l->t->row[i].value[PROCESS_CPU] > 0)
			top_offer(&busiest, i, l->t->row[i].value[PROCESS_CPU]);
	for (unsigned i = 0; i < busiest.n && y < end; i++)
		draw_row(c, v, &k, &l->t->row[row[i].index], x, y++, false);
}
