/* Where the issue slots go, by cluster; below it what else stands out. */
#include "model/mark.h"
#include "model/term.h"
#include "ui/panels/panel.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* Apple's four words; their marks are those of the metrics. */
/* clang-format off */
static const struct share {
	const char *word, *metric;
	enum role role;
	const char *see; /* presets that say more; NULL: never a bottleneck */
	const char *text;
} share_table[4] = {
	{ "Useful", "td_useful_pct", ROLE_TD_USEFUL,     NULL,       "slots whose work counted" },
	{ "Discarded", "td_discarded_pct", ROLE_TD_DISCARDED,  "branch",   "work thrown away, mostly after wrong guesses of branches" },
	{ "Delivery", "td_delivery_pct", ROLE_TD_DELIVERY,   "frontend", "empty slots: instructions did not arrive in time" },
	{ "Processing", "td_processing_pct", ROLE_TD_PROCESSING, "stalls",   "slots held up: data, units or buffers were not ready" },
};
/* clang-format on */

/* Letters that still tell them: Useful, Discard, Deliver, Process. */
enum { BRIEF = 7 };
#define WIDEST_ADVICE "1st Delivery 100% (over 20%): see 6 frontend  "

struct shares {
	double pct[4];
	double age_s;
	enum value_state state;
};

static bool
shares_of(const struct view *v, unsigned scope, struct shares *out)
{
	*out = (struct shares){ .state = VALUE_NOT_COUNTED };
	for (unsigned i = 0; i < 4; i++) {
		int metric = v->topdown[i];

		if (metric < 0)
			return false;
		out->state = frame_state(v->f, scope, (unsigned)metric);
		out->pct[i] = frame_value(v->f, scope, (unsigned)metric);
		if (isnan(out->pct[i]) && v->past.self != NULL &&
		    out->state == VALUE_NOT_COUNTED)
			out->pct[i] =
				v->past.last(v->past.self, scope,
					     (unsigned)metric, &out->age_s);
		if (isnan(out->pct[i]))
			return false;
	}
	return true;
}

/* The metric's mark, in percent; it is the same for all rows. */
static struct mark
share_mark(unsigned i)
{
	const struct metric *m =
		&metric_table[metric_find(share_table[i].metric)];

	return (struct mark){ m->good, m->bad };
}

/* How far a share is over its mark: 1 is at it. */
static double
weight(unsigned i, double pct)
{
	struct mark mark = share_mark(i);

	return share_table[i].see != NULL ? mark_over(&mark, pct) : 0;
}

/* The share furthest over its mark, but `other`; 4: none is over it. */
static unsigned
furthest(const struct shares *s, unsigned other)
{
	unsigned found = 4;

	for (unsigned i = 0; i < 4; i++)
		if (i != other && weight(i, s->pct[i]) >= 1 &&
		    (found == 4 ||
		     weight(i, s->pct[i]) > weight(found, s->pct[found])))
			found = i;
	return found;
}

/* The cluster with a share furthest over its mark, and that share. */
static bool
worst(const struct view *v, unsigned *cluster, unsigned *share)
{
	double most = 0;
	bool found = false;

	for (unsigned k = 0; k < v->f->topology->nclusters; k++) {
		struct shares s;

		/* In its own view Enter follows the cursor. */
		if (v->kind == VIEW_BOTTLENECKS && v->cursor_on &&
		    k != v->cursor)
			continue;
		if (!shares_of(v, frame_scope_cluster(v->f, k), &s))
			continue;
		unsigned i = furthest(&s, 4);

		if (i == 4 || (found && weight(i, s.pct[i]) <= most))
			continue;
		most = weight(i, s.pct[i]);
		*cluster = k;
		*share = i;
		found = true;
	}
	return found;
}

int
panel_bottlenecks_preset(const struct view *v)
{
	unsigned cluster, share;

	if (v->f == NULL || !worst(v, &cluster, &share))
		return -1;
	return preset_find(share_table[share].see);
}

/*
 * Shares of another set: bars are hatched and their numbers as dim as the
 * label, or letters are small where they stand for colours.
 */
static void
dim_bar(struct canvas *c, int x, int y, int w)
{
	bool letters = c->letters || c->glyphs == CANVAS_ASCII;

	for (int i = 0; i < w; i++) {
		struct cell *cell = canvas_at(c, x + i, y);

		if (cell == NULL)
			continue;
		if (letters && cell->glyph[0] >= 'A')
			cell->glyph[0] |= 'a' - 'A';
		else if (!letters && cell->glyph[0] == ' ')
			memcpy(cell->glyph, "░", sizeof "░");
		else if (!letters)
			cell->role = ROLE_DIM;
	}
}

/* Why there are no shares of the cluster. */
static const char *
why_not(const struct view *v, unsigned k, enum value_state state)
{
	const struct topology *t = v->f->topology;
	struct term_events counted; /* slots that are need no width */

	if (t->kind[t->cluster[k].kind].width == 0 &&
	    !term_resolve("SLOT_TOTAL|SLOT_SPECULATED+SLOT_STALLED",
			  v->s->catalog, &counted))
		state = VALUE_UNSUPPORTED;
	switch (state) {
	case VALUE_UNSUPPORTED:
		return v->s->mode == UI_MODE_BUSY
			       ? "no counters"
			       : "n/a (slots per cycle unknown)";
	case VALUE_IDLE:
		return "idle";
	case VALUE_OFF:
		return "off";
	case VALUE_STALE:
		return "stale";
	default:
		return "not measured yet";
	}
}

static void
draw_row(struct canvas *c, const struct view *v, int y, unsigned k,
	 double *age_s)
{
	static const enum role role[4] = { ROLE_TD_USEFUL, ROLE_TD_DISCARDED,
					   ROLE_TD_DELIVERY,
					   ROLE_TD_PROCESSING };
	const struct topology *t = v->f->topology;
	int x = 2 + v->lay.table.label_w + 2;
	struct shares s;

	bool known = shares_of(v, frame_scope_cluster(v->f, k), &s);

	/* Shares of another set are dim; their age stands in the title. */
	canvas_text(c, 2, y, s.age_s > 0 ? ROLE_DIM : view_cluster_role(t, k),
		    t->cluster[k].label);
	if (!known) {
		canvas_textn(c, x, y, c->window.w - x - 2, ROLE_DIM,
			     why_not(v, k, s.state));
		return;
	}
	canvas_stack(c, x, y, c->window.w - x - 2, s.pct, role, 4);
	if (s.age_s > 0)
		dim_bar(c, x, y, c->window.w - x - 2);
	if (s.age_s > *age_s)
		*age_s = s.age_s;
}

/* Why no cluster has shares, where it is the same for all; else NULL. */
static const char *
why_none(const struct view *v)
{
	const struct topology *t = v->f->topology;
	const char *why = NULL;

	for (unsigned k = 0; k < t->nclusters; k++) {
		struct shares s;

		if (shares_of(v, frame_scope_cluster(v->f, k), &s))
			return NULL;
		const char *one = why_not(v, k, s.state);

		if (why != NULL && strcmp(why, one) != 0)
			return NULL;
		why = one;
	}
	return why;
}

/* Said once, not on a line of each cluster; with the key that helps. */
static int
draw_none(struct canvas *c, const struct view *v, const char *why)
{
	int preset = preset_find("topdown"), w = c->window.w - 4;
	bool never = strcmp(why, "not measured yet") == 0;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	if (!never)
		buf_printf(&b, "Issue slots: %s", why);
	else if (preset >= 0 && view_key(v, preset) != 0)
		buf_printf(&b, "Press %c to see where issue slots go.",
			   view_key(v, preset));
	else
		buf_str(&b, "Preset topdown shows where issue slots go.");
	int lines = canvas_wrap(c, (struct rect){ 2, 1, w, c->window.h - 2 },
				ROLE_DIM, buf_cstr(&b));

	if (never && preset >= 0)
		view_hit(v, c, 2, 1, w, KEY_GO_PRESET + preset);
	return 1 + lines;
}

static const char *
sign_of(const struct canvas *c, unsigned i)
{
	static const char *const letter[4] = { "U", "X", "D", "P" };

	return c->letters || c->glyphs == CANVAS_ASCII ? letter[i] : " ";
}

static int
draw_words(struct canvas *c, int y)
{
	int x = 2, whole = 3; /* margins, less the blank after the last */

	for (unsigned i = 0; i < 4; i++)
		whole += 3 + (int)strlen(share_table[i].word);
	for (unsigned i = 0; i < 4; i++) {
		int letters = whole <= c->window.w
				      ? (int)strlen(share_table[i].word)
				      : BRIEF;

		if (x + 2 + (letters < BRIEF ? letters : BRIEF) >
		    c->window.w - 2)
			break;
		canvas_put(c, x, y, share_table[i].role, sign_of(c, i));
		x += 2;
		x += canvas_textn(c, x, y, letters, ROLE_DIM,
				  share_table[i].word);
		x++;
	}
	return y + 1;
}

/* The same with what they mean, a line each, where there is room for it. */
static int
draw_meanings(struct canvas *c, int y)
{
	for (unsigned i = 0; i < 4; i++, y++) {
		canvas_put(c, 2, y, share_table[i].role, sign_of(c, i));
		canvas_text(c, 4, y, ROLE_TEXT, share_table[i].word);
		canvas_text(c, 15, y, ROLE_DIM, share_table[i].text);
	}
	return y;
}

static int
draw_advice(struct canvas *c, int y, int x, const char *rank, unsigned i,
	    double pct)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	int preset = preset_find(share_table[i].see);
	bool roomy = c->window.w - x >= (int)sizeof WIDEST_ADVICE;

	buf_str(&b, rank);
	buf_str(&b, share_table[i].word);
	buf_char(&b, ' ');
	buf_fixed(&b, pct, 0);
	buf_char(&b, '%');
	/* Shares are noteworthy from different sizes on. */
	if (roomy) {
		buf_str(&b, " (over ");
		buf_fixed(&b, share_mark(i).bad, 0);
		buf_str(&b, "%)");
	}
	if (preset >= 0) {
		buf_str(&b, ": see ");
		if (preset_table[preset].key != 0) {
			buf_char(&b, preset_table[preset].key);
			buf_char(&b, ' ');
		}
		buf_str(&b, preset_table[preset].name);
	}
	return canvas_textn(c, x, y, c->window.w - x - 2,
			    rank[0] == '1' ? ROLE_TEXT : ROLE_DIM,
			    buf_cstr(&b));
}

/* The two worst causes of a cluster, side by side or below each other. */
static int
draw_causes(struct canvas *c, const struct shares *s, int x, int y, int rows)
{
	unsigned first = furthest(s, 4), second = furthest(s, first);

	if (first == 4) {
		if (rows > 0)
			canvas_textn(c, x, y, c->window.w - x - 2, ROLE_DIM,
				     "nothing stands out");
		return rows > 0;
	}
	int used = 0;

	if (used < rows)
		draw_advice(c, y + used++, x, "1st ", first, s->pct[first]);
	if (second < 4 && used < rows)
		draw_advice(c, y + used++, x, "2nd ", second, s->pct[second]);
	return used;
}

static int
draw_worst(struct canvas *c, const struct view *v, int y)
{
	const struct topology *t = v->f->topology;
	int x = 2 + v->lay.table.label_w + 2;
	unsigned k, first;
	struct shares s;

	if (y >= c->window.h - 1 || !worst(v, &k, &first))
		return y;
	shares_of(v, frame_scope_cluster(v->f, k), &s);
	canvas_text(c, 2, y, view_cluster_role(t, k), t->cluster[k].label);
	y += draw_causes(c, &s, x, y, c->window.h - 1 - y);
	if (y < c->window.h - 1)
		canvas_textn(c, x, y++, c->window.w - x - 2, ROLE_DIM,
			     "Enter goes there");
	return y;
}

struct plan {          /* of the view, from how many lines there are */
	int each;      /* lines of a cluster; 1: its bar alone */
	bool meanings; /* of the four words, a line each */
	bool airy;     /* a blank line between parts */
};

/* What stands out gets some lines before the rest gets air. */
static struct plan
plan_make(const struct canvas *c, const struct view *v)
{
	enum { HINTS = 7, HINTS_MIN = 4 };
	static const struct plan plan[] = { { 4, true, true },
					    { 3, true, false },
					    { 3, false, false } };
	int n = (int)v->f->topology->nclusters, rows = c->window.h - 2;

	for (unsigned i = 0; v->kind == VIEW_BOTTLENECKS && i < 3; i++) {
		int foot = (plan[i].meanings ? 4 : 1) + plan[i].airy + 1;

		if (plan[i].meanings && c->window.w < 72)
			continue;
		if (n * plan[i].each + foot + (i < 2 ? HINTS : HINTS_MIN) <=
		    rows)
			return plan[i];
	}
	return (struct plan){ 1, false, false };
}

/* The view: each cluster's bar with its causes below. */
static int
draw_each(struct canvas *c, const struct view *v, struct plan p, double *age_s)
{
	const struct topology *t = v->f->topology;
	int x = 2 + v->lay.table.label_w + 2, y = 1;

	for (unsigned k = 0; k < t->nclusters; k++, y += p.each) {
		struct shares s;

		draw_row(c, v, y, k, age_s);
		if (shares_of(v, frame_scope_cluster(v->f, k), &s))
			(void)draw_causes(c, &s, x, y + 1, 2);
		if (v->cursor_on && v->cursor == k)
			canvas_shade(c, (struct rect){ 1, y, x - 1, 1 },
				     ROLE_SELECTED);
	}
	y = p.meanings ? draw_meanings(c, y) : draw_words(c, y);
	y += p.airy;
	canvas_textn(
		c, 2, y, c->window.w - 4, ROLE_DIM,
		v->worst_preset >= 0
			? "Enter counts the set for the worst cause; arrows choose a cluster"
			: "arrows choose a cluster");
	return y + 1;
}

/* The box, and low screens: bars, and the causes of the worst. */
static int
draw_bars(struct canvas *c, const struct view *v, double *age_s)
{
	int n = (int)v->f->topology->nclusters, rows = c->window.h - 2, y = 1;
	/* Some lines for the words and the advice, the rest for clusters. */
	int room = rows - (n + 4 <= rows ? 4 : rows > 3);

	for (unsigned k = 0; (int)k < n && (int)k < room; k++)
		draw_row(c, v, y++, k, age_s);
	if (y <= rows)
		y = draw_words(c, y);
	return draw_worst(c, v, y);
}

/* What is to be known of the bars: "shares: estimate · 7 s old". */
static const char *
shares_note(const struct view *v, double age_s, struct buf *b)
{
	const struct topology *t = v->f->topology;
	const char *rest = value_slots_rest(v);
	bool certain = true;

	for (unsigned k = 0; k < t->nkinds; k++)
		certain &= t->kind[k].width_certain;
	if (!certain || age_s > 0)
		buf_str(b, "shares: ");
	if (!certain)
		buf_str(b, "estimate");
	if (age_s > 0) {
		buf_str(b, certain ? "" : " · ");
		buf_fixed(b, age_s, age_s < 0.95 ? 1 : 0);
		buf_str(b, " s old");
	}
	if (rest != NULL && b->len > 0)
		buf_str(b, " · ");
	buf_str(b, rest != NULL ? rest : "");
	return buf_cstr(b);
}

static void
panel_bottlenecks_draw(struct canvas *c, const struct view *v)
{
	struct plan p = plan_make(c, v);
	const char *none = why_none(v);
	char note[80];
	struct buf b = buf_over(note, sizeof note);
	double age_s = 0;

	if (none != NULL)
		(void)draw_none(c, v, none);
	else if (p.each > 1)
		(void)draw_each(c, v, p, &age_s);
	else
		(void)draw_bars(c, v, &age_s);
	canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h },
		   "bottlenecks",
		   none == NULL ? shares_note(v, age_s, &b) : "");
}

/* Of the view, with all lines of each part and a blank one between them. */
static int
panel_bottlenecks_rows(const struct view *v, int w)
{
	enum { FRAME = 2, NONE = 3, EACH = 4, WORDS = 7 };
	unsigned n = v->f->topology->nclusters;

	(void)w;
	if (v->kind != VIEW_BOTTLENECKS)
		return 0;
	if (why_none(v) != NULL)
		return FRAME + NONE;
	return FRAME + (int)n * EACH + WORDS;
}

const struct panel panel_bottlenecks = {
	.place = PANEL_BOTTLENECKS,
	.draw = panel_bottlenecks_draw,
	.rows = panel_bottlenecks_rows,
	.needs_frame = true,
};
