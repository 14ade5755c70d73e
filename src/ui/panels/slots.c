#include "ui/panels/inner.h"

#include <math.h>
#include <string.h>

#include "model/metric.h"
#include "ui/view/value.h"

/* Apple's words for the shares: useful, discarded, delivery, processing. */
/* clang-format off */
static const struct {
	const char *word, *letter, *brief;
} share_table[4] = {
	{ "retiring", "R", "retire" },
	{ "bad-spec", "S", "bad-sp" },
	{ "frontend", "F", "front" },
	{ "backend", "B", "back" },
};
/* clang-format on */
static const enum role share_role[4] = { ROLE_TD_USEFUL, ROLE_TD_DISCARDED,
					 ROLE_TD_DELIVERY, ROLE_TD_PROCESSING };

struct slot_shares {
	double pct[4];
	double age_s;
	bool about;
	enum value_state state;
};

/* Estimates the shares from the current events. False: a share is unknown. */
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
			out->pct[i] =
				view_last_value(v, scope, metric, &out->age_s);
		if (isnan(out->pct[i]))
			return false;
	}
	return true;
}

/* Marks a bar of shares measured earlier, by hatching or lower-case letters. */
static void
slots_bar_hatch(struct canvas *c, int x, int y, int w)
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

/* If slots are counted, the machine's width need not be known. */
static bool
slots_are_possible(const struct view *v, unsigned scope)
{
	struct term_events counted;

	return view_slots(v, scope) > 0 ||
	       term_resolve("SLOT_TOTAL|SLOT_SPECULATED+SLOT_STALLED",
			    v->s->catalog, &counted);
}

static const char *
shares_missing_reason(const struct view *v, unsigned scope,
		      enum value_state state)
{
	unsigned word = v->f->bottleneck != NULL ? v->f->bottleneck[scope].word
						 : BOTTLENECK_UNKNOWN;

	if (word == BOTTLENECK_IDLE || word == BOTTLENECK_OFF)
		return bottleneck_words[word].word;
	if (v->f->scope[scope].level == SCOPE_ALL)
		return "see its clusters";
	if (!slots_are_possible(v, scope))
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
	struct slot_shares s;

	if (!slots_shares(v, scope, &s)) {
		canvas_textn(c, r.x, r.y, r.w, ROLE_DIM,
			     shares_missing_reason(v, scope, s.state));
		return false;
	}
	canvas_stack(c, r.x, r.y, r.w, s.pct, share_role, 4);
	if (s.age_s > 0)
		slots_bar_hatch(c, r.x, r.y, r.w);
	if (s.age_s > seen->age_s)
		seen->age_s = s.age_s;
	seen->about |= s.about;
	return true;
}

const char *
shares_missing_in_all(const struct view *v)
{
	const struct topology *t = v->f->topology;
	const char *why = NULL;

	for (unsigned k = 0; k < t->nclusters; k++) {
		struct slot_shares s;

		unsigned scope = frame_scope_cluster(v->f, k);

		if (slots_shares(v, scope, &s))
			return NULL;
		const char *one = shares_missing_reason(v, scope, s.state);

		if (why != NULL && strcmp(why, one) != 0)
			return NULL;
		why = one;
	}
	return why;
}

int
slots_missing_draw(struct canvas *c, const struct view *v, int y,
		   const char *why)
{
	int preset = preset_find("topdown"), w = c->window.w - 4;
	bool never = strcmp(why, "not measured yet") == 0;
	char key = preset >= 0 ? view_preset_key(v, preset) : 0;
	/* Key i acquires the counters; a preset's key does not. */
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

static int
share_word_draw(struct canvas *c, int x, int y, unsigned i, bool brief,
		bool padded)
{
	const char *word = brief ? share_table[i].brief : share_table[i].word;
	bool letters = c->letters || c->glyphs == CANVAS_ASCII;

	return canvas_text(
		c, x, y, share_role[i],
		letters  ? PRINTED("%s %s", share_table[i].letter, word)
		: padded ? PRINTED(" %s ", word)
			 : word);
}

void
slots_legend_draw(struct canvas *c, int x, int y, int w)
{
	enum { PADS = 8, GAPS = 3, BRIEF = 21 };
	bool letters = c->letters || c->glyphs == CANVAS_ASCII;
	int around = GAPS + (letters ? PADS : 0), whole = around;

	for (unsigned i = 0; i < 4; i++)
		whole += (int)strlen(share_table[i].word);
	if (around + BRIEF > w) {
		canvas_textn(c, x, y, w, ROLE_DIM, "slots");
		return;
	}
	for (unsigned i = 0; i < 4; i++)
		x += 1 +
		     share_word_draw(c, x, y, i, whole > w, whole + PADS <= w);
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
