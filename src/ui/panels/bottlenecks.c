
#include "model/bottleneck_say.h"
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

enum {
	LEFT = 2,
	WORD_W = LAYOUT_BOTTLENECK_W,
	LOST_W = 5,
	KEY_W = 10, /* cells of "6 frontend" */
	BAR_LEAST = 4,
	BAR_NAME_W = 7, /* cells of "cpu 12 " */
	BAR_MOST = 40
};

struct places {
	int name, word, lost, bar, bar_w, key;
};

static struct places
loss_places_make(const struct view *v, int w)
{
	struct places p = { .name = LEFT + 2 };
	int end = w - 2;
	int core = 4 + v->lay.table.id_w, cluster = v->lay.table.label_w;
	int other = (int)sizeof "(other)" - 1;

	core = core > other ? core : other;
	p.word = p.name + (core > cluster ? core : cluster) + 1;
	p.lost = p.word + WORD_W + 1;
	p.bar = p.lost + LOST_W + 1;
	p.key = end - KEY_W;
	p.bar_w = p.key - 1 - p.bar;
	if (p.bar_w < BAR_LEAST)
		p.bar_w = 0;
	if (p.bar_w > BAR_MOST)
		p.bar_w = BAR_MOST;
	if (p.bar_w > 0)
		p.key = p.bar + p.bar_w + 1;
	if (p.key < p.bar)
		p.key = end;
	return p;
}

static void
next_preset_draw(struct canvas *c, const struct view *v, int x, int y,
		 const struct bottleneck *one)
{
	int preset = view_preset_for_bottleneck(v, one);
	char key[2] = { preset >= 0 ? view_preset_key(v, preset) : 0, 0 };
	int w = c->window.w - 2 - x;

	if (preset < 0 || w < KEY_W)
		return;
	canvas_text(c, x, y, ROLE_KEY, key[0] != 0 ? key : "0");
	canvas_textn(c, x + 2, y, w - 2, ROLE_DIM, preset_table[preset].name);
	view_hit(v, c, x, y, w, key[0] != 0 ? KEY_GO_PRESET + preset : '0');
}

static void
loss_number_draw(struct canvas *c, const struct places *p, int y, double lost,
		 double all, enum role role)
{
	char number[VALUE_TEXT_SIZE];

	value_number(lost, 1, LOST_W, number);
	canvas_right(c, p->lost, y, LOST_W, ROLE_TEXT, number);
	if (p->bar_w > 0)
		canvas_bar(c, p->bar, y, p->bar_w, lost / all, role,
			   ROLE_STEPS - 1);
}

static double
loss_pct(const struct view *v, unsigned i)
{
	return v->f->bottleneck[v->lost.at[i].scope].lost_pct;
}

static double
losses_other_pct(const struct view *v)
{
	double left = v->f->bottleneck[frame_scope_all(v->f)].lost_pct;

	for (unsigned i = 0; i < v->lost.n; i++)
		left -= loss_pct(v, i);
	return left;
}

static void
loss_line_draw(struct canvas *c, const struct view *v, const struct places *p,
	       int y, unsigned i, double most)
{
	unsigned scope = v->lost.at[i].scope;
	const struct bottleneck *one = &v->f->bottleneck[scope];
	struct value_shown shown;

	if (scope == v->lost.opens)
		canvas_put(c, LEFT, y, ROLE_KEY,
			   c->glyphs == CANVAS_ASCII ? ">" : "▸");
	(void)panel_scope_draw(c, v, p->name, y, scope);
	panel_bottleneck_draw(c, v, p->word, y, scope);
	value_show_bottleneck(v, scope, &shown);
	loss_number_draw(c, p, y, loss_pct(v, i), most, shown.role);
	next_preset_draw(c, v, p->key, y, one);
}

static const char *
losses_missing_text(const struct view *v, bool brief)
{
	if (v->metric.main != v->metric.ipc)
		return brief ? "No counters." : BOTTLENECK_NO_COUNTERS ".";
	if (v->f->bottleneck == NULL)
		return brief ? "Not judged." : "This sample was not judged.";
	if (v->f->set->len == 0)
		return brief ? "Fixed counters only."
			     : "Fixed counters only: no events are counted.";
	for (unsigned i = 0; i < v->f->topology->ncpus; i++)
		if (v->f->bottleneck[i].word == BOTTLENECK_UNKNOWN)
			return brief ? "Unknown with these events."
				     : "These events cannot show the cause.";
	return "No bottleneck.";
}

static int
losses_draw(struct canvas *c, const struct view *v, int y)
{
	struct places p = loss_places_make(v, c->window.w);
	int below = c->window.h - 1;

	if (v->lost.n == 0) {
		const char *why = losses_missing_text(v, false);
		int w = c->window.w - 4;

		canvas_textn(c, LEFT, y, w, ROLE_DIM,
			     canvas_width(why) <= w
				     ? why
				     : losses_missing_text(v, true));
		return y + 1;
	}
	double left = losses_other_pct(v), most = fmax(loss_pct(v, 0), left);

	for (unsigned i = 0; i < v->lost.n && y < below; i++)
		loss_line_draw(c, v, &p, y++, i, most);
	if (left >= 0.05 && y < below) {
		canvas_text(c, p.name, y, ROLE_DIM, "(other)");
		loss_number_draw(c, &p, y++, left, most, ROLE_DIM);
	}
	return y;
}

static void
losses_bars_draw(struct canvas *c, const struct view *v, int y)
{
	int below = c->window.h - 2, x = 2 + BAR_NAME_W,
	    w = c->window.w - x - 2;
	unsigned n = v->f->topology->nclusters;
	char text[80];
	struct buf b = buf_over(text, sizeof text);
	struct slots_seen seen = { 0 };
	struct bottleneck_rows rows;
	int between = y++;

	if (below < y)
		return;
	bottleneck_rows_make(v, &rows);
	for (unsigned i = 0; i < n + rows.n && y < below; i++) {
		unsigned scope = i < n ? frame_scope_cluster(v->f, i)
				       : rows.scope[i - n];

		if (i >= n && scope >= v->f->topology->ncpus)
			continue;
		(void)panel_scope_draw(c, v, 2, y, scope);
		(void)slots_bar_draw(c, v, (struct rect){ x, y++, w, 1 }, scope,
				     &seen);
	}
	slots_note(v, &seen, &b);
	panel_rule_draw(c, between, text);
	slots_legend_draw(c, x, y, w);
}

static void
losses_frame_draw(struct canvas *c, const struct view *v)
{
	unsigned all = frame_scope_all(v->f);
	double total =
		v->f->bottleneck != NULL ? v->f->bottleneck[all].lost_pct : NAN;

	const char *note = isnan(total)
				   ? "% of the machine's"
				   : PRINTED("%% of the machine's  total %s",
					     FIXED(total, 1));
	enum { AROUND = 27 }; /* cells of the title and the corners */

	panel_box(c, "lost issue slots",
		  canvas_width(note) + AROUND <= c->window.w ? note
		  : isnan(total)                             ? ""
				 : strstr(note, "total"));
}

/* Order: the headline's CPU, flagged CPUs, others; each by lost slots. */
static bool
cpu_precedes(const struct frame *f, unsigned a, unsigned b)
{
	const struct bottleneck *x = &f->bottleneck[a], *y = &f->bottleneck[b];
	unsigned worst = bottleneck_worst(f);

	if (a == worst || b == worst)
		return a == worst;
	if (x->flagged != y->flagged)
		return x->flagged;
	return !isnan(x->lost_pct) && !(y->lost_pct >= x->lost_pct);
}

static void
rows_add_cpus(const struct view *v, struct bottleneck_rows *out)
{
	unsigned from = out->n;

	for (unsigned i = 0; i < v->f->topology->ncpus; i++) {
		bool listed = false;

		for (unsigned k = 0; k < out->nlosses; k++)
			listed |= out->scope[k] == i;
		if (listed)
			continue;
		unsigned to = out->n < BOTTLENECK_ROWS ? out->n++ : out->n - 1;

		for (; to > from && cpu_precedes(v->f, i, out->scope[to - 1]);
		     to--)
			out->scope[to] = out->scope[to - 1];
		out->scope[to] = i;
	}
}

void
bottleneck_rows_make(const struct view *v, struct bottleneck_rows *out)
{
	const struct topology *t = v->f->topology;

	*out = (struct bottleneck_rows){ .n = 0 };
	for (unsigned i = 0; i < v->lost.n; i++)
		out->scope[out->n++] = v->lost.at[i].scope;
	out->nlosses = out->n;
	for (unsigned k = 0; k < t->nclusters; k++) {
		unsigned scope = frame_scope_cluster(v->f, k);
		bool listed = false;

		for (unsigned i = 0; i < out->nlosses; i++)
			listed |= out->scope[i] == scope;
		if (!listed && out->n < BOTTLENECK_ROWS / 2)
			out->scope[out->n++] = scope;
	}
	out->nclusters = out->n - out->nlosses;
	if (v->f->bottleneck != NULL)
		rows_add_cpus(v, out);
}

/* Column positions and bar width, in cells; 0: the column does not fit. */
struct view_places {
	int name, word, lost, ipc, busy, bar, bar_w, why, since, key;
};

enum { WHY_W = 19, SINCE_W = 8, BAR_WANTED = 24 };

static struct view_places
view_places_make(int w)
{
	struct view_places p = { .name = LEFT + 2 };
	int end = w - 2, x = p.name + 8;

	p.word = x;
	p.lost = p.word + WORD_W + 1;
	x = p.lost + LOST_W + 1;
	if (w >= 76) {
		p.ipc = x;
		x += 6;
	}
	if (w >= 90) {
		p.busy = x;
		x += 6;
	}
	p.bar = x + 1;
	if (end - KEY_W - 1 > p.bar)
		p.key = end -= KEY_W;
	if (end - SINCE_W - 1 - p.bar >= BAR_WANTED)
		p.since = end -= SINCE_W;
	if (end - WHY_W - 1 - p.bar >= BAR_WANTED)
		p.why = end -= WHY_W;
	p.bar_w = end - 2 - p.bar;
	if (p.bar_w < BAR_LEAST)
		p.bar_w = 0;
	return p;
}

static void
table_titles_draw(struct canvas *c, const struct view_places *p)
{
	canvas_text(c, p->word, 1, ROLE_DIM, "BOTTLENECK");
	canvas_right(c, p->lost, 1, LOST_W, ROLE_DIM, "lost%");
	if (p->ipc > 0)
		canvas_right(c, p->ipc, 1, 5, ROLE_DIM, "IPC");
	if (p->busy > 0)
		canvas_right(c, p->busy, 1, 5, ROLE_DIM, "busy%");
	if (p->bar_w > 0)
		slots_legend_draw(c, p->bar, 1, p->bar_w);
	if (p->why > 0)
		canvas_text(c, p->why, 1, ROLE_DIM, "evidence");
	if (p->since > 0)
		canvas_text(c, p->since, 1, ROLE_DIM, "for");
	if (p->key > 0)
		canvas_text(c, p->key, 1, ROLE_DIM, "press");
}

static void
bottleneck_evidence_draw(struct canvas *c, const struct view *v, int x, int y,
			 const struct bottleneck *one)
{
	char number[VALUE_TEXT_SIZE];

	if (one->evidence < 0 || isnan(one->evidence_value))
		return;
	const struct metric *m = view_metric(v, one->evidence);

	value_number((double)one->evidence_value, m->decimals, 6, number);
	const char *unit = m->unit == UNIT_MPKI    ? " MPKI"
			   : m->unit == UNIT_RATIO ? ""
						   : metric_unit_name[m->unit];
	int at = x + canvas_text(c, x, y, one->flagged ? ROLE_BAD : ROLE_TEXT,
				 number);

	canvas_textn(c, at + 1, y, WHY_W - 1 - (at + 1 - x), ROLE_DIM,
		     PRINTED("%s%s", m->label, unit));
}

static void
bottleneck_since_draw(struct canvas *c, const struct view *v, int x, int y,
		      unsigned scope)
{
	double s = strip_since(v, scope);

	if (isnan(s))
		return;
	canvas_text(c, x, y, ROLE_DIM,
		    s < 119.5 ? PRINTED("%s s", FIXED(s, s < 9.95 ? 1 : 0))
			      : PRINTED("%s min", FIXED(s / 60, 0)));
}

static void
bottleneck_row_draw(struct canvas *c, const struct view *v,
		    const struct view_places *p, int y, unsigned scope,
		    struct slots_seen *seen)
{
	const struct bottleneck *one = &v->f->bottleneck[scope];
	struct value_shown ipc, busy;
	char number[VALUE_TEXT_SIZE];

	(void)panel_scope_draw(c, v, p->name, y, scope);
	panel_bottleneck_draw(c, v, p->word, y, scope);
	value_number(one->lost_pct, 1, LOST_W, number);
	canvas_right(c, p->lost, y, LOST_W,
		     isnan(one->lost_pct) ? ROLE_DIM : ROLE_TEXT, number);
	if (p->ipc > 0) {
		value_show(v, scope, v->metric.ipc, 5, &ipc);
		canvas_right(c, p->ipc, y, 5, ipc.role, ipc.text);
	}
	if (p->busy > 0) {
		value_show(v, scope, COLUMN_BUSY, 5, &busy);
		canvas_right(c, p->busy, y, 5, busy.role, busy.text);
	}
	if (p->bar_w > 0)
		(void)slots_bar_draw(c, v,
				     (struct rect){ p->bar, y, p->bar_w, 1 },
				     scope, seen);
	if (p->why > 0)
		bottleneck_evidence_draw(c, v, p->why, y, one);
	if (p->since > 0)
		bottleneck_since_draw(c, v, p->since, y, scope);
	if (p->key > 0)
		next_preset_draw(c, v, p->key, y, one);
}

static int
bottleneck_losses_draw(struct canvas *c, const struct view *v,
		       const struct view_places *p,
		       const struct bottleneck_rows *rows,
		       struct slots_seen *seen, int below)
{
	int y = 2;
	char number[VALUE_TEXT_SIZE];
	double left = losses_other_pct(v);

	if (rows->nlosses == 0)
		canvas_textn(c, LEFT, y++, c->window.w - 4, ROLE_DIM,
			     losses_missing_text(v, c->window.w < 60));
	for (unsigned i = 0; i < rows->nlosses && y < below; i++) {
		if (rows->scope[i] == v->lost.opens)
			canvas_put(c, LEFT, y, ROLE_KEY,
				   c->glyphs == CANVAS_ASCII ? ">" : "▸");
		bottleneck_row_draw(c, v, p, y++, rows->scope[i], seen);
	}
	if (rows->nlosses > 0 && left >= 0.05 && y < below) {
		value_number(left, 1, LOST_W, number);
		canvas_text(c, p->name, y, ROLE_DIM, "(other)");
		canvas_right(c, p->lost, y++, LOST_W, ROLE_DIM, number);
	}
	return y;
}

void
bottleneck_meanings_draw(struct canvas *c, int y, int below)
{
	if (y + 1 < below)
		panel_rule_draw(c, y++, "words");
	else
		return;
	for (int i = BOTTLENECK_COUNT - 1; i >= 0 && y < below; i--, y++) {
		canvas_text(c, LEFT + 2, y, ROLE_TEXT,
			    bottleneck_words[i].word);
		panel_cut(c, LEFT + 12, y, c->window.w - LEFT - 14, ROLE_DIM,
			  bottleneck_words[i].text);
	}
}

static void
bottleneck_table_draw(struct canvas *c, const struct view *v)
{
	struct view_places p = view_places_make(c->window.w);
	int below = c->window.h - 1, y;
	char text[80];
	struct buf b = buf_over(text, sizeof text);
	struct bottleneck_rows rows;
	struct slots_seen seen = { 0 };
	const char *missing = shares_missing_in_all(v);
	unsigned all = frame_scope_all(v->f), i;

	if (missing != NULL && below > 4)
		(void)slots_missing_draw(c, v, --below, missing);
	bottleneck_rows_make(v, &rows);
	table_titles_draw(c, &p);
	y = bottleneck_losses_draw(c, v, &p, &rows, &seen, below);
	i = rows.nlosses;
	if (rows.nclusters > 0 && y + 1 < below)
		panel_rule_draw(c, y++, "clusters");
	for (; i < rows.nlosses + rows.nclusters && y < below; i++)
		bottleneck_row_draw(c, v, &p, y++, rows.scope[i], &seen);
	if (i < rows.n && y + 1 < below)
		panel_rule_draw(c, y++, "other CPUs, flagged first");
	for (; i < rows.n && y < below; i++)
		bottleneck_row_draw(c, v, &p, y++, rows.scope[i], &seen);
	bottleneck_meanings_draw(c, y, below);
	slots_note(v, &seen, &b);
	panel_box(
		c, "lost issue slots",
		PRINTED("%stotal %s   bars: %s",
			c->window.w >= 100 ? "lost%: of the machine's   " : "",
			FIXED(v->f->bottleneck[all].lost_pct, 1), text));
}

void
panel_bottlenecks_draw(struct canvas *c, const struct view *v)
{
	const char *missing = shares_missing_in_all(v);
	int below = c->window.h - 1, y;

	enum { TABLE_FROM = 100 };

	if ((v->kind == VIEW_BOTTLENECKS || c->window.w >= TABLE_FROM) &&
	    v->f->bottleneck != NULL && v->metric.main == v->metric.ipc) {
		bottleneck_table_draw(c, v);
		return;
	}
	losses_frame_draw(c, v);
	y = losses_draw(c, v, 1);
	if (missing == NULL) {
		losses_bars_draw(c, v, y);
		return;
	}
	y += v->kind == VIEW_BOTTLENECKS;
	y += v->lost.n > 0;
	if (y < below)
		(void)slots_missing_draw(c, v, y, missing);
}

void
panel_strips_draw(struct canvas *c, const struct view *v)
{
	char text[PRINTED_SIZE];
	struct bottleneck_rows rows;

	bottleneck_rows_make(v, &rows);
	panel_box(c, "bottleneck, second by second", strips_cell(v, text));
	strips_draw(c, v, rows.scope, rows.n,
		    (struct rect){ 2, 1, c->window.w - 4, c->window.h - 2 });
}
