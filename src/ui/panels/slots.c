/* Where the issue slots of clusters go: bars of four shares. */
#include "ui/panels/inner.h"

#include <math.h>
#include <string.h>

#include "model/metric.h"
#include "ui/view/value.h"

/* Apple's words are useful, discarded, delivery, processing. */
/* clang-format off */
static const struct {
	const char *word, *letter;
} share_table[4] = {
	{ "retiring", "R" },
	{ "bad-spec", "S" },
	{ "frontend", "F" },
	{ "backend", "B" },
};
/* clang-format on */
static const enum role share_role[4] = { ROLE_TD_USEFUL, ROLE_TD_DISCARDED,
					 ROLE_TD_DELIVERY, ROLE_TD_PROCESSING };

struct slot_shares {
	double pct[4];
	double age_s;
	bool about; /* estimated */
	enum value_state state;
};

/*
 * The likeliest shares by what is counted now. Where one is not known its part
 * of the bar would be made up: then none is.
 */
static bool
shares_estimate_now(const struct view *v, unsigned scope,
		    struct slot_shares *out)
{
	const struct bottleneck *one =
		v->f->bottleneck != NULL ? &v->f->bottleneck[scope] : NULL;

	if (one == NULL || one->word == BOTTLENECK_OFF ||
	    one->word == BOTTLENECK_IDLE || one->age_s > 0)
		return false;
	for (unsigned i = 0; i < 4; i++) {
		const struct share_range *r = &one->slots.of[i];

		if (isnan(r->middle))
			return false;
		out->pct[i] = 100 * (double)r->middle;
		out->about |= r->high - r->low >= 0.01F;
	}
	out->state = VALUE_OK;
	return out->pct[0] + out->pct[1] + out->pct[2] + out->pct[3] > 0;
}

static bool
slots_shares(const struct view *v, unsigned scope, struct slot_shares *out)
{
	*out = (struct slot_shares){ .state = VALUE_NOT_COUNTED };
	if (v->metric.topdown[0] < 0 ||
	    isnan(frame_value(v->f, scope, (unsigned)v->metric.topdown[0])))
		if (shares_estimate_now(v, scope, out))
			return true;
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

bool
slots_bar_draw(struct canvas *c, const struct view *v, struct rect r,
	       unsigned scope, struct slots_seen *seen)
{
	const struct scope *one = &v->f->scope[scope];
	const struct topology *t = v->f->topology;
	struct slot_shares s;

	if (!slots_shares(v, scope, &s)) {
		if (one->level == SCOPE_ALL || one->level == SCOPE_KIND) {
			canvas_textn(c, r.x, r.y, r.w, ROLE_DIM,
				     "see its clusters");
			return false;
		}
		unsigned k = one->level == SCOPE_CORE
				     ? t->cpu[one->index].cluster
			     : one->level == SCOPE_CLUSTER ? one->index
							   : 0;

		canvas_textn(c, r.x, r.y, r.w, ROLE_DIM,
			     why_not(v, k, s.state));
		return false;
	}
	canvas_stack(c, r.x, r.y, r.w, s.pct, share_role, 4);
	if (s.age_s > 0)
		dim_bar(c, r.x, r.y, r.w);
	if (s.age_s > seen->age_s)
		seen->age_s = s.age_s;
	seen->about |= s.about;
	return true;
}

/* Why no cluster has shares, where it is the same for all; else NULL. */
const char *
slots_missing(const struct view *v)
{
	const struct topology *t = v->f->topology;
	const char *why = NULL;

	for (unsigned k = 0; k < t->nclusters; k++) {
		struct slot_shares s;

		if (slots_shares(v, frame_scope_cluster(v->f, k), &s))
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

/* A word on the colour of its part; without colours behind its letter. */
static int
share_word_draw(struct canvas *c, int x, int y, unsigned i, int w)
{
	const char *word = share_table[i].word;

	if (!c->letters && c->glyphs != CANVAS_ASCII)
		return canvas_textn(c, x, y, w, share_role[i],
				    PRINTED(" %s ", word));
	return canvas_textn(c, x, y, w, share_role[i],
			    PRINTED("%s %s", share_table[i].letter, word));
}

void
slots_legend_draw(struct canvas *c, int x, int y, int w)
{
	int whole = 3;

	for (unsigned i = 0; i < 4; i++)
		whole += 2 + (int)strlen(share_table[i].word);
	for (int i = 0; i < 4; i++) {
		int from = whole <= w ? 0 : i * w / 4;
		int room = whole <= w ? w : (i + 1) * w / 4 - from - (i < 3);

		x += share_word_draw(c, x + from, y, (unsigned)i, room) + 1;
		x -= whole <= w ? 0 : room + 1;
	}
}

void
slots_note(const struct view *v, const struct slots_seen *seen, struct buf *b)
{
	const struct topology *t = v->f->topology;
	const char *rest = value_slots_rest(v);
	bool certain = true;

	for (unsigned k = 0; k < t->nkinds; k++)
		certain &= t->kind[k].width_certain;
	buf_printf(b, "%% of slots%s", certain && !seen->about ? "" : "~");
	if (seen->age_s > 0)
		buf_printf(b, ", %s s ago",
			   FIXED(seen->age_s, seen->age_s < 0.95 ? 1 : 0));
	if (rest != NULL)
		buf_printf(b, ", %s", rest);
	buf_cstr(b);
}
