#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <string.h>

/* Returns what MPKI means: misses, unless a column counts other events. */
static const char *
make_mpki_text(const struct view *v, bool brief)
{
	bool misses = true;

	for (unsigned i = 0; i < v->lay.table.ncols; i++) {
		const struct metric *m =
			view_metric(v, v->lay.table.col[i].metric);
		const char *of = m->num[0].event;

		if (m->unit == UNIT_MPKI)
			misses &= of != NULL && (strstr(of, "MISS") != NULL ||
						 strstr(of, "MISPRED") != NULL);
	}
	return !brief   ? misses ? "misses per 1000 instructions"
				 : "events per 1000 instructions"
	       : misses ? "misses per 1000 inst."
			: "events per 1000 inst.";
}

/* Returns the unit in words; NULL: the label needs none. */
static const char *
value_denominator(const struct view *v, int metric, bool brief)
{
	const struct metric *m = view_metric(v, metric);
	const char *of = m->den[0].event;
	size_t n = strlen(m->label);

	switch (m->unit) {
	case UNIT_MPKI:
		return make_mpki_text(v, brief);
	case UNIT_GIPS:
		return "10^9 instructions/s";
	case UNIT_PCT:
		return m->share > 0 ? "% of slots"
		       : of != NULL && strstr(of, "CYCLE") != NULL
			       ? "% of cycles"
		       : n > 0 && m->label[n - 1] == '%' ? NULL
							 : "%";
	case UNIT_RATIO:
	case UNIT_GHZ:
		return NULL;
	default:
		return metric_unit_name[m->unit];
	}
}

/* Returns a value's quality marks; VALUE_FEW, a state, is shown like a mark. */
static unsigned
find_cell_marks(const struct view *v, unsigned scope, int metric)
{
	unsigned state = frame_state(v->f, scope, (unsigned)metric);

	if (state > VALUE_FEW)
		return 0;
	return frame_marks(v->f, scope, (unsigned)metric) |
	       (state == VALUE_FEW ? VALUE_FEW : 0);
}

static unsigned
find_shown_marks(const struct view *v)
{
	const struct layout_table *t = &v->lay.table;
	unsigned marks = 0;

	for (unsigned s = 0; s < v->f->nscopes; s++) {
		enum scope_level level = v->f->scope[s].level;

		/* Kinds have rows only if they are headings. */
		if ((level == SCOPE_ALL && !v->lay.all) ||
		    (level == SCOPE_KIND && v->cores.group != GROUP_KIND))
			continue;
		marks |= find_cell_marks(v, s, v->metric.ipc);
		if (t->lost_w > 0)
			marks |= find_cell_marks(v, s, v->metric.lost);
		for (unsigned i = 0; i < t->ncols; i++)
			if (t->col[i].metric != COLUMN_BUSY)
				marks |=
					find_cell_marks(v, s, t->col[i].metric);
	}
	return marks;
}

static int
draw_item(struct canvas *c, int x, const char *text)
{
	if (x + canvas_width(text) + 2 > c->window.w)
		return x;
	if (x > 1)
		x += canvas_text(c, x, 0, ROLE_DIM, "; ");
	return x + canvas_text(c, x, 0, ROLE_DIM, text);
}

/* Writes all columns with the unit of column `first`: "stall, fstall: % of
 * cycles". False: an earlier column has the unit, or it needs no text. */
static bool
make_unit_text(const struct view *v, unsigned first, bool brief, struct buf *b)
{
	const struct layout_column *col = v->lay.table.col;
	const char *what = value_denominator(v, col[first].metric, brief);

	if (col[first].group == VIEW_COLUMNS_FIXED || what == NULL)
		return false;
	bool named = view_metric(v, col[first].metric)->unit == UNIT_MPKI;

	if (named)
		buf_str(b, "MPKI");
	for (unsigned i = 0; i < v->lay.table.ncols; i++) {
		const char *other = value_denominator(v, col[i].metric, brief);

		if (other == NULL || strcmp(other, what) != 0)
			continue;
		if (i < first && col[i].group != VIEW_COLUMNS_FIXED)
			return false;
		if (i >= first && !named)
			buf_printf(b, "%s%s", i > first ? ", " : "",
				   view_label(v, col[i].metric));
	}
	buf_printf(b, ": %s", what);
	return true;
}

static bool
draw_units(struct canvas *c, const struct view *v, int x, bool brief)
{
	bool all = true;

	for (unsigned i = 0; i < v->lay.table.ncols; i++) {
		char text[200];
		struct buf b = buf_over(text, sizeof text);
		int before = x;

		if (!make_unit_text(v, i, brief, &b))
			continue;
		x = draw_item(c, x, buf_cstr(&b));
		all &= x > before;
	}
	if (v->lay.table.lost_w > 0)
		(void)draw_item(c, x, "lost%: of the machine's issue slots");
	return all;
}

void
panel_legend_draw(struct canvas *c, const struct view *v)
{
	static const struct {
		unsigned mark;
		const char *text;
	} row[] = { { VALUE_ESTIMATED, "~ estimated" },
		    { VALUE_FEW, "* few events" },
		    { VALUE_PART, "' of some CPUs" } };
	unsigned marks = find_shown_marks(v);
	int x = 1;

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if ((marks & row[i].mark) != 0)
			x = draw_item(c, x, row[i].text);
	if (draw_units(c, v, x, false))
		return;
	canvas_fill(c, (struct rect){ x, 0, c->window.w - x, 1 }, ROLE_TEXT,
		    " ");
	(void)draw_units(c, v, x, true);
}

static bool
has_stale_rows(const struct frame *f)
{
	for (unsigned i = 0; i < f->topology->ncpus; i++)
		if ((f->span[i].quality & QUALITY_STALE) != 0)
			return true;
	return false;
}

const char *
panel_quality_text(const struct view *v, enum role *role)
{
	const struct frame *f = v->f;
	uint32_t q = f->quality | f->span[frame_scope_all(f)].quality;

	*role = ROLE_WARN;
	if ((q & QUALITY_TAKEN_OVER) != 0) {
		*role = ROLE_BAD;
		return "reprogrammed by another tool";
	}
	if (v->s->mode == UI_MODE_BUSY)
		return f->set->len > 0 ? "out of reach: OS events only"
				       : "out of reach: busy% only";
	if (v->s->mode == UI_MODE_IPC)
		return "not in use: fixed counters only";
	if ((q & QUALITY_SWAP) != 0 && !v->s->rotating && v->s->replay == NULL)
		return "in use by ktop, events just changed";
	if (has_stale_rows(f))
		return v->s->replay != NULL
			       ? "as recorded; stale: no reading, its counts follow later"
			       : "in use by ktop; stale: no reading, its counts follow later";
	*role = ROLE_GOOD;
	if (v->s->replay != NULL)
		return "as recorded";
	if (v->s->rotating)
		return "in use by ktop, in rotation";
	return "in use by ktop, verified";
}

void
panel_cost_text(const struct view *v, struct buf *b)
{
	const struct ui_status *s = v->s;

	if (s->own_cpu_pct >= 0)
		buf_printf(b, "%s%% of a core", FIXED(s->own_cpu_pct, 1));
}

void
panel_quality_draw(struct canvas *c, const struct view *v)
{
	char text[64];
	struct buf b = buf_over(text, sizeof text);
	enum role role;
	const char *state = panel_quality_text(v, &role);
	bool quiet =
		role == ROLE_GOOD && v->s->replay == NULL && !v->s->rotating;

	if (v->kind == VIEW_PROCESSES) {
		panel_cost_text(v, &b);
		process_quality_draw(c, v, buf_cstr(&b));
		return;
	}
	int x = 1, room = c->window.w - 2, n = canvas_width(state);

	if (quiet)
		n = 0;
	if (n > room)
		n = (int)strcspn(state, ",;:");
	if (n > 0 && n + 9 <= room)
		x += canvas_text(c, x, 0, ROLE_DIM, "counters ");
	x += canvas_textn(c, x, 0, n, role == ROLE_GOOD ? ROLE_DIM : role,
			  state);
	panel_cost_text(v, &b);
	int w = canvas_width(buf_cstr(&b)) + 5;

	if (w > 5 && x + w + 3 <= c->window.w)
		canvas_text(c, c->window.w - 1 - w, 0, ROLE_DIM,
			    PRINTED("cost %s", text));
	if (quiet && v->lay.panel[PANEL_LEGEND].h == 0) {
		c->window.w -= w + 3;
		panel_legend_draw(c, v);
		c->window.w += w + 3;
	}
}

void
panel_explain_draw(struct canvas *c, const struct view *v)
{
	const struct layout_table *t = &v->lay.table;
	int w = c->window.w, below = c->window.h - 1, y = 1;
	const char *title = "columns";

	if (v->s->preset >= 0 && v->s->mode == UI_MODE_FULL) {
		title = view_preset(v, v->s->preset)->name;
		y += canvas_wrap(c, (struct rect){ 2, y, w - 4, below - y },
				 ROLE_STRONG,
				 view_preset(v, v->s->preset)->text);
	}
	for (unsigned i = 0; i < t->ncols; i++) {
		int metric = t->col[i].metric;
		struct rect r = { 11, y, w - 13, below - y };

		if (metric == COLUMN_BUSY)
			continue;
		char text[VALUE_SAYS_SIZE];
		const char *says = value_explain(view_metric(v, metric), text);
		int need = canvas_wrap(c, (struct rect){ r.x, y, r.w, 0 },
				       ROLE_DIM, says);

		if (y + need > below)
			break;
		canvas_text(c, 2, y, ROLE_TEXT, view_label(v, metric));
		y += canvas_wrap(c, r, ROLE_DIM, says);
	}
	canvas_box(c, (struct rect){ 0, 0, w, c->window.h }, title,
		   "? explains all");
}
