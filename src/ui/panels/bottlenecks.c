/* Lost issue slots, worst first; below them where the slots go. */

#include "model/bottleneck_say.h"
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>

enum {
	LEFT = 2, /* of the mark before the line that Enter opens */
	WORD_W = LAYOUT_BOTTLENECK_W,
	LOST_W = 5,
	KEY_W = 10, /* "6 frontend" */
	BAR_LEAST = 4,
	BAR_MOST = 40
};

/* Where the parts of a line stand, by the width of the box. */
struct places {
	int name, word, lost, bar, bar_w, key;
};

static struct places
places_make(const struct view *v, int w)
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
		p.key = end; /* no room for it */
	return p;
}

static void
draw_name(struct canvas *c, const struct view *v, int x, int y, unsigned scope)
{
	const struct topology *t = v->f->topology;
	bool core = scope < t->ncpus;
	unsigned cluster = core ? t->cpu[scope].cluster : scope - t->ncpus;

	canvas_text(c, x, y, view_cluster_role(t, cluster),
		    core ? PRINTED("cpu %d", t->cpu[scope].id)
			 : t->cluster[cluster].label);
}

/* "4 l1d": the preset that shows more. */
static void
draw_key(struct canvas *c, const struct view *v, int x, int y,
	 const struct bottleneck *one)
{
	int tells = view_tells(v, one);
	char key[2] = { tells >= 0 ? view_key(v, tells) : 0, 0 };
	int w = c->window.w - 2 - x;

	if (tells < 0 || w < KEY_W)
		return;
	canvas_text(c, x, y, ROLE_KEY, key[0] != 0 ? key : "0");
	canvas_textn(c, x + 2, y, w - 2, ROLE_DIM, preset_table[tells].name);
	view_hit(v, c, x, y, w, key[0] != 0 ? KEY_GO_PRESET + tells : '0');
}

/* Lost slots of a row, as a number and a bar; of all of them, where is none. */
static void
draw_lost(struct canvas *c, const struct places *p, int y, double lost,
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
lost_of(const struct view *v, unsigned i)
{
	return v->f->bottleneck[v->lost.at[i].scope].lost_pct;
}

static void
draw_loss(struct canvas *c, const struct view *v, const struct places *p, int y,
	  unsigned i)
{
	unsigned scope = v->lost.at[i].scope;
	const struct bottleneck *one = &v->f->bottleneck[scope];
	struct value_shown shown;

	if (scope == v->lost.opens)
		canvas_put(c, LEFT, y, ROLE_KEY,
			   c->glyphs == CANVAS_ASCII ? ">" : "▸");
	draw_name(c, v, p->name, y, scope);
	panel_bottleneck(c, v, p->word, y, scope);
	value_show_bottleneck(v, scope, &shown);
	draw_lost(c, p, y, lost_of(v, i), lost_of(v, 0), shown.role);
	draw_key(c, v, p->key, y, one);
}

/* Why no line is there; where there is little room in half the words. */
static const char *
why_nothing(const struct view *v, bool brief)
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
draw_losses(struct canvas *c, const struct view *v, int y)
{
	struct places p = places_make(v, c->window.w);
	int below = c->window.h - 1;

	if (v->lost.n == 0) {
		const char *why = why_nothing(v, false);
		int w = c->window.w - 4;

		canvas_textn(c, LEFT, y, w, ROLE_DIM,
			     canvas_width(why) <= w ? why
						    : why_nothing(v, true));
		return y + 1;
	}
	double left = v->f->bottleneck[frame_scope_all(v->f)].lost_pct;

	for (unsigned i = 0; i < v->lost.n && y < below; i++) {
		draw_loss(c, v, &p, y++, i);
		left -= lost_of(v, i);
	}
	if (left >= 0.05 && y < below) {
		canvas_text(c, p.name, y, ROLE_DIM, "(other)");
		p.bar_w = 0; /* more than the first, it would be cut */
		draw_lost(c, &p, y++, left, left, ROLE_DIM);
	}
	return y;
}

/* What Enter does with one of the lines, and what the bars below are. */
static void
draw_between(struct canvas *c, const struct view *v, int y, const char *slots)
{
	static const char *const text[] = { "Enter opens the chosen line",
					    "Enter opens", "" };
	enum { NONE = 2 };
	int w = c->window.w - 4, n = canvas_width(slots), open = NONE;

	for (unsigned i = 0; i < v->lost.n; i++)
		if (v->lost.at[i].scope == v->lost.opens)
			open = 0;
	while (open < NONE && canvas_width(text[open]) + 2 + n > w)
		open++;
	canvas_text(c, LEFT, y, ROLE_DIM, text[open]);
	canvas_right(c, LEFT, y, w, ROLE_DIM, slots);
}

/* The clusters that fit, and the words of the colours below them. */
static int
draw_slots(struct canvas *c, const struct view *v, int y)
{
	enum { MEANINGS = 4 };
	int n = (int)v->f->topology->nclusters, below = c->window.h - 1;
	bool airy = v->kind == VIEW_BOTTLENECKS;
	int rows = below - y - 2 * airy - 1, between = y + airy;
	char text[80];
	struct buf b = buf_over(text, sizeof text);
	double age_s = 0;

	/* The words stand before the last clusters. */
	if (rows < 1)
		return y;
	rows = rows - 1 < n ? rows - 1 : n;
	y = between + 1;
	for (int k = 0; k < rows; k++)
		slots_draw(c, v, y++, (unsigned)k, &age_s);
	slots_note(v, age_s, &b);
	draw_between(c, v, between, text);
	y += airy;
	if (airy && c->window.w >= 72 && below - y >= MEANINGS)
		return slots_draw_meanings(c, y);
	return y < below ? slots_draw_words(c, y) : y;
}

/* Its lines add up to the total. */
static void
draw_frame(struct canvas *c, const struct view *v)
{
	unsigned all = frame_scope_all(v->f);
	double total =
		v->f->bottleneck != NULL ? v->f->bottleneck[all].lost_pct : NAN;

	panel_box(c, "lost issue slots",
		  isnan(total)
			  ? "% of the machine's"
			  : PRINTED("%s%% of the machine's", FIXED(total, 1)));
}

void
panel_bottlenecks_draw(struct canvas *c, const struct view *v)
{
	const char *missing = slots_missing(v);
	int below = c->window.h - 1, y;

	draw_frame(c, v);
	y = draw_losses(c, v, 1);
	if (missing == NULL) {
		(void)draw_slots(c, v, y);
		return;
	}
	y += v->kind == VIEW_BOTTLENECKS;
	if (v->lost.n > 0 && y < below)
		draw_between(c, v, y++, "");
	if (y < below)
		(void)slots_draw_missing(c, v, y, missing);
}

/* Of the view, with all lines of each part and a blank one between them. */
int
panel_bottlenecks_rows(const struct view *v, int w)
{
	enum { FRAME = 2, OTHER = 1, BETWEEN = 2, MISSING = 2, WORDS = 5 };
	int lines = FRAME + BOTTLENECK_LOSSES + OTHER + BETWEEN;

	(void)w;
	if (v->kind != VIEW_BOTTLENECKS)
		return 0;
	return lines + (slots_missing(v) != NULL
				? MISSING
				: (int)v->f->topology->nclusters + WORDS);
}
