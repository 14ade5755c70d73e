#include "ui/panel.h"
#include "ui/value.h"

#include <math.h>
#include <string.h>

/*
 * Apple's four words, and from which share on they are worth a word
 * (RecountDT.framework, bottleneck.json: delivery .20, discarded .10,
 * processing .40).
 */
/* clang-format off */
static const struct share {
	const char *word;
	enum role role;
	double noteworthy; /* percent; 0: never a bottleneck */
	const char *see;   /* presets that say more */
	const char *text;
} share_table[4] = {
	{ "Useful",     ROLE_TD_USEFUL,     0,  NULL,       "slots whose work counted" },
	{ "Discarded",  ROLE_TD_DISCARDED,  10, "branch",   "work thrown away, mostly after wrong guesses of branches" },
	{ "Delivery",   ROLE_TD_DELIVERY,   20, "frontend", "empty slots: instructions did not arrive in time" },
	{ "Processing", ROLE_TD_PROCESSING, 40, "stalls",   "slots held up: data, units or buffers were not ready" },
};
/* clang-format on */

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

/* How far a share is over its mark: 1 is at it. */
static double
weight(unsigned i, double pct)
{
	return share_table[i].noteworthy > 0 ? pct / share_table[i].noteworthy
					     : 0;
}

/* The largest share that is over its mark, but `not`; 4: none is. */
static unsigned
largest(const struct shares *s, unsigned not )
{
	unsigned found = 4;

	for (unsigned i = 0; i < 4; i++)
		if (i != not &&weight(i, s->pct[i]) >= 1 &&
		    (found == 4 || s->pct[i] > s->pct[found]))
			found = i;
	return found;
}

/* The cluster with a share furthest over its mark, and its largest cause. */
static bool
worst(const struct view *v, unsigned *cluster, unsigned *share)
{
	double most = 1;
	bool found = false;

	for (unsigned k = 0; k < v->f->topology->nclusters; k++) {
		struct shares s;

		/* In its own view Enter follows the cursor. */
		if (v->kind == VIEW_BOTTLENECKS && v->cursor_on &&
		    k != v->cursor)
			continue;
		if (!shares_of(v, frame_scope_cluster(v->f, k), &s))
			continue;
		for (unsigned i = 0; i < 4; i++)
			if (weight(i, s.pct[i]) >= most) {
				most = weight(i, s.pct[i]);
				*cluster = k;
				*share = largest(&s, 4);
				found = true;
			}
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
 * Of another set: bars are hatched and their numbers as dim as the label, or
 * letters are small where they stand for colours.
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
			memcpy(cell->glyph, "▒", sizeof "▒");
		else if (!letters)
			cell->role = ROLE_DIM;
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

	/* Of another set: dim, and its age stands in the title. */
	canvas_text(c, 2, y, s.age_s > 0 ? ROLE_DIM : view_cluster_role(t, k),
		    t->cluster[k].label);
	if (known) {
		canvas_stack(c, x, y, c->window.w - x - 2, s.pct, role, 4);
		if (s.age_s > 0)
			dim_bar(c, x, y, c->window.w - x - 2);
		if (s.age_s > *age_s)
			*age_s = s.age_s;
		return;
	}
	if (t->kind[t->cluster[k].kind].width == 0)
		s.state = VALUE_UNSUPPORTED;
	canvas_text(c, x, y, ROLE_DIM,
		    s.state == VALUE_UNSUPPORTED
			    ? (v->s->mode == UI_MODE_BUSY
				       ? "no counters"
				       : "n/a: slots per cycle unknown")
		    : s.state == VALUE_IDLE  ? "idle"
		    : s.state == VALUE_OFF   ? "off"
		    : s.state == VALUE_STALE ? "stale"
					     : "not measured yet");
}

/* Nothing to show of any cluster, and nothing in its way but the key. */
static bool
never_measured(const struct view *v)
{
	const struct topology *t = v->f->topology;
	struct shares s;

	for (unsigned k = 0; k < t->nclusters; k++)
		if (shares_of(v, frame_scope_cluster(v->f, k), &s) ||
		    s.state != VALUE_NOT_COUNTED)
			return false;
	return true;
}

/* Said once, not on a line of each cluster. */
static int
draw_never(struct canvas *c, const struct view *v)
{
	int preset = preset_find("topdown"), w = c->window.w - 4;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "Not measured yet: ");
	if (preset >= 0 && view_key(v, preset) != 0) {
		buf_char(&b, view_key(v, preset));
		buf_char(&b, ' ');
	}
	buf_str(&b, "topdown counts it.");
	int lines = canvas_wrap(c, (struct rect){ 2, 1, w, c->window.h - 2 },
				ROLE_DIM, buf_cstr(&b));

	if (preset >= 0)
		view_hit(v, c, 2, 1, w, KEY_GO_PRESET + preset);
	return lines;
}

static void
draw_words(struct canvas *c, int y)
{
	int x = 2;

	for (unsigned i = 0; i < 4; i++) {
		if (x + 12 > c->window.w - 1)
			break;
		canvas_put(c, x, y, share_table[i].role,
			   c->letters || c->glyphs == CANVAS_ASCII
				   ? (const char *[4]){ "U", "X", "D", "P" }[i]
				   : " ");
		x += 2;
		x += canvas_text(c, x, y, ROLE_DIM, share_table[i].word) + 1;
	}
}

/* The same with what they mean, a line each, where there is room for it. */
static int
draw_meanings(struct canvas *c, int y)
{
	if (y + 6 > c->window.h || c->window.w < 72) {
		draw_words(c, y);
		return y;
	}
	for (unsigned i = 0; i < 4; i++) {
		canvas_put(c, 2, y + (int)i, share_table[i].role,
			   c->letters || c->glyphs == CANVAS_ASCII
				   ? (const char *[4]){ "U", "X", "D", "P" }[i]
				   : " ");
		canvas_text(c, 4, y + (int)i, ROLE_TEXT, share_table[i].word);
		canvas_text(c, 15, y + (int)i, ROLE_DIM, share_table[i].text);
	}
	return y + 4;
}

/* "P1  1st Processing 46%: see 7 stalls" */
static int
draw_advice(struct canvas *c, int y, int x, const char *rank, unsigned i,
	    double pct)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	int preset = preset_find(share_table[i].see);

	buf_str(&b, rank);
	buf_str(&b, share_table[i].word);
	buf_char(&b, ' ');
	buf_fixed(&b, pct, 0);
	buf_char(&b, '%');
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

/* The two largest causes of a cluster, side by side or below each other. */
static int
draw_causes(struct canvas *c, const struct shares *s, int x, int y, int rows)
{
	unsigned first = largest(s, 4), second = largest(s, first);

	if (first == 4) {
		if (rows > 0)
			canvas_text(c, x, y, ROLE_DIM, "nothing stands out");
		return rows > 0;
	}
	int used = 0;

	if (used < rows)
		draw_advice(c, y + used++, x, "1st ", first, s->pct[first]);
	if (second < 4 && used < rows)
		draw_advice(c, y + used++, x, "2nd ", second, s->pct[second]);
	return used;
}

static void
draw_worst(struct canvas *c, const struct view *v, int y)
{
	const struct topology *t = v->f->topology;
	int x = 2 + v->lay.table.label_w + 2;
	unsigned k, first;
	struct shares s;

	if (!worst(v, &k, &first))
		return;
	shares_of(v, frame_scope_cluster(v->f, k), &s);
	canvas_text(c, 2, y, view_cluster_role(t, k), t->cluster[k].label);
	y += draw_causes(c, &s, x, y, c->window.h - 1 - y);
	if (y < c->window.h - 1)
		canvas_text(c, x, y, ROLE_DIM, "Enter goes there");
}

/* The view: each cluster's bar with its causes below, as far as they fit. */
static bool
draw_all(struct canvas *c, const struct view *v, double *age_s)
{
	enum { ROWS_EACH = 4 };
	const struct topology *t = v->f->topology;
	int x = 2 + v->lay.table.label_w + 2, y = 1;

	if (v->kind != VIEW_BOTTLENECKS ||
	    (int)t->nclusters * ROWS_EACH + 3 > c->window.h)
		return false;
	for (unsigned k = 0; k < t->nclusters; k++, y += ROWS_EACH) {
		struct shares s;

		draw_row(c, v, y, k, age_s);
		if (shares_of(v, frame_scope_cluster(v->f, k), &s))
			(void)draw_causes(c, &s, x, y + 1, 2);
		if (v->cursor_on && v->cursor == k)
			canvas_shade(c, (struct rect){ 1, y, x - 1, 1 },
				     ROLE_SELECTED);
	}
	y = draw_meanings(c, y);
	if (y + 1 < c->window.h - 1)
		canvas_text(c, 2, y + 1, ROLE_DIM,
			    v->worst_preset >= 0
				    ? "Enter counts the set for the worst "
				      "cause; arrows choose a cluster"
				    : "arrows choose a cluster");
	return true;
}

static const char *
age_note(const struct view *v, double age_s, struct buf *b)
{
	const struct topology *t = v->f->topology;
	bool certain = true;

	for (unsigned k = 0; k < t->nkinds; k++)
		certain &= t->kind[k].width_certain;
	if (!certain)
		buf_str(b, "estimate");
	if (age_s > 0) {
		buf_str(b, certain ? "" : " · ");
		buf_fixed(b, age_s, age_s < 0.95 ? 1 : 0);
		buf_str(b, " s old");
	}
	return buf_cstr(b);
}

void
panel_bottlenecks_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	int rows = c->window.h - 2, y = 1;
	double age_s = 0;
	char note[48];
	struct buf b = buf_over(note, sizeof note);
	bool never = never_measured(v);
	bool done = !never && draw_all(c, v, &age_s);

	/* Some lines for the words and the advice, the rest for clusters. */
	int bars = rows - ((int)t->nclusters + 4 <= rows ? 4 : rows > 3);

	if (never)
		y += draw_never(c, v);
	for (unsigned k = 0;
	     !never && !done && k < t->nclusters && (int)k < bars; k++)
		draw_row(c, v, y++, k, &age_s);
	canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h },
		   "bottlenecks", age_note(v, age_s, &b));
	if (!done && y <= rows)
		draw_words(c, y++);
	if (!done && y <= rows)
		draw_worst(c, v, y);
}
