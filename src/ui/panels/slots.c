/* Where the issue slots of clusters go: bars of four shares. */
#include "ui/panels/inner.h"

#include <math.h>
#include <string.h>

#include "model/metric.h"
#include "ui/view/value.h"

/* Apple's words are useful, discarded, delivery, processing. */
/* clang-format off */
static const struct {
	const char *word, *letter, *text;
} share_table[4] = {
	{ "retiring", "R", "slots whose micro-operation retired" },
	{ "bad-spec", "S", "work discarded, mostly after branch mispredictions" },
	{ "frontend", "F", "empty slots: instructions were not delivered in time" },
	{ "backend", "B", "slots that wait for data, units or buffers" },
};
/* clang-format on */
static const enum role share_role[4] = { ROLE_TD_USEFUL, ROLE_TD_DISCARDED,
					 ROLE_TD_DELIVERY, ROLE_TD_PROCESSING };

enum { BRIEF = 5 }; /* cells that still tell the words */

struct slot_shares {
	double pct[4];
	double age_s;
	enum value_state state;
};

static bool
shares_of(const struct view *v, unsigned scope, struct slot_shares *out)
{
	*out = (struct slot_shares){ .state = VALUE_NOT_COUNTED };
	for (unsigned i = 0; i < 4; i++) {
		int metric = v->metric.topdown[i];

		if (metric < 0)
			return false;
		out->state = frame_state(v->f, scope, (unsigned)metric);
		out->pct[i] = frame_value(v->f, scope, (unsigned)metric);
		if (isnan(out->pct[i]) && out->state == VALUE_NOT_COUNTED)
			out->pct[i] = view_last(v, scope, metric, &out->age_s);
		if (isnan(out->pct[i]))
			return false;
	}
	return true;
}

/*
 * Shares of another set: bars are hatched, or letters are small where they
 * stand for colours. Numbers stay on the colour of their part.
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

void
slots_draw(struct canvas *c, const struct view *v, int y, unsigned k,
	   double *age_s)
{
	const struct topology *t = v->f->topology;
	int x = 2 + v->lay.table.label_w + 2;
	struct slot_shares s;
	bool known = shares_of(v, frame_scope_cluster(v->f, k), &s);

	/* Shares of another set are dim; their age stands in the title. */
	canvas_text(c, 2, y, s.age_s > 0 ? ROLE_DIM : view_cluster_role(t, k),
		    t->cluster[k].label);
	if (!known) {
		canvas_textn(c, x, y, c->window.w - x - 2, ROLE_DIM,
			     why_not(v, k, s.state));
		return;
	}
	canvas_stack(c, x, y, c->window.w - x - 2, s.pct, share_role, 4);
	if (s.age_s > 0)
		dim_bar(c, x, y, c->window.w - x - 2);
	if (s.age_s > *age_s)
		*age_s = s.age_s;
}

/* Why no cluster has shares, where it is the same for all; else NULL. */
const char *
slots_missing(const struct view *v)
{
	const struct topology *t = v->f->topology;
	const char *why = NULL;

	for (unsigned k = 0; k < t->nclusters; k++) {
		struct slot_shares s;

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
int
slots_draw_missing(struct canvas *c, const struct view *v, int y,
		   const char *why)
{
	int preset = preset_find("topdown"), w = c->window.w - 4;
	bool never = strcmp(why, "not measured yet") == 0;
	char key = preset >= 0 ? view_key(v, preset) : 0;
	/* A preset's key alone takes no counters. */
	const char *text =
		!never ? PRINTED("Issue slots: %s", why)
		: key != 0
			? PRINTED("Press %s%c to see where issue slots go.",
				  v->s->mode == UI_MODE_IPC ? "i, then " : "",
				  key)
			: "Preset topdown shows where issue slots go.";
	int lines =
		canvas_wrap(c, (struct rect){ 2, y, w, c->window.h - 1 - y },
			    ROLE_DIM, text);

	if (never && preset >= 0)
		view_hit(v, c, 2, y, w, KEY_GO_PRESET + preset);
	return y + lines;
}

static void
draw_sign(struct canvas *c, int x, int y, unsigned i)
{
	canvas_put(c, x, y, share_role[i],
		   c->letters || c->glyphs == CANVAS_ASCII
			   ? share_table[i].letter
			   : " ");
}

int
slots_draw_words(struct canvas *c, int y)
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
		draw_sign(c, x, y, i);
		x += 3 + canvas_textn(c, x + 2, y, letters, ROLE_DIM,
				      share_table[i].word);
	}
	return y + 1;
}

/* The same with what they mean, a line each, where there is room for it. */
int
slots_draw_meanings(struct canvas *c, int y)
{
	for (unsigned i = 0; i < 4; i++, y++) {
		draw_sign(c, 2, y, i);
		canvas_text(c, 4, y, ROLE_TEXT, share_table[i].word);
		canvas_text(c, 15, y, ROLE_DIM, share_table[i].text);
	}
	return y;
}

void
slots_note(const struct view *v, double age_s, struct buf *b)
{
	const struct topology *t = v->f->topology;
	const char *rest = value_slots_rest(v);
	bool certain = true;

	for (unsigned k = 0; k < t->nkinds; k++)
		certain &= t->kind[k].width_certain;
	buf_printf(b, "slots%s", certain ? "" : ", estimate");
	if (age_s > 0)
		buf_printf(b, ", %s s ago", FIXED(age_s, age_s < 0.95 ? 1 : 0));
	if (rest != NULL)
		buf_printf(b, ", %s", rest);
	buf_cstr(b);
}
