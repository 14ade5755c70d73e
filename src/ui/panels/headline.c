#include "model/bottleneck.h"
#include "model/bottleneck_say.h"
#include "ui/panels/inner.h"

#include <string.h>

enum { SIGN_W = 2 }; /* cells of "! " */

static char
headline_key(const void *self, int preset)
{
	return view_preset_key(self, preset);
}

static bool
headline_silent(const struct view *v)
{
	const struct ui_status *s = v->s;

	return v->f->bottleneck == NULL || v->metric.main != v->metric.ipc ||
	       (s->mode != UI_MODE_FULL && s->why != NULL && s->why[0] != 0);
}

static void
headline_write(const struct view *v, int w, struct bottleneck_sentence *out)
{
	struct bottleneck_style style = { .room = w > 2 ? (unsigned)w - 2 : 0,
					  .key = headline_key,
					  .self = v };
	bottleneck_headline(v->f, &style, out);
	if (out->flagged && style.room > SIGN_W) {
		style.room -= SIGN_W;
		bottleneck_headline(v->f, &style, out);
	}
}

int
panel_headline_rows(const struct view *v, int w)
{
	(void)w;
	if (v->reference.then != NULL)
		return 2;
	if (v->kind == VIEW_PROCESSES)
		return process_headline_rows(v);
	return headline_silent(v)
		       ? 0
		       : 1 + (v->kind == VIEW_OVERVIEW && v->lost.whose > 0) +
				 power_line_there(v);
}

static enum role
headline_part_role(const struct view *v, const struct bottleneck_sentence *s,
		   enum bottleneck_part part)
{
	switch (part) {
	case PART_WHERE:
		return view_scope_role(v, s->scope);
	case PART_NUMBER:
		return s->flagged ? ROLE_BAD : ROLE_STRONG;
	case PART_KEY:
		return ROLE_KEY;
	case PART_WORDS:
		break;
	}
	return ROLE_STRONG;
}

void
panel_headline_draw(struct canvas *c, const struct view *v)
{
	struct bottleneck_sentence s;
	char text[SENTENCE_SIZE];
	unsigned from = 0;
	int x = 1;

	if (v->reference.then != NULL) {
		change_headline_draw(c, v);
		return;
	}
	if (v->kind == VIEW_PROCESSES) {
		process_headline_draw(c, v);
		return;
	}
	headline_write(v, c->window.w, &s);
	if (power_line_there(v) && c->window.h > 1)
		power_line_draw(c, v, c->window.h - 1);
	if (s.flagged) {
		canvas_put(c, x, 0, ROLE_ALARM, "!");
		x += SIGN_W;
	}
	for (unsigned i = 0; i < s.nparts; i++) {
		unsigned n = s.part[i].end - from;

		memcpy(text, s.text + from, n);
		text[n] = 0;
		from += n;
		x += canvas_text(c, x, 0,
				 headline_part_role(v, &s, s.part[i].part),
				 text);
	}
	if (s.flagged && c->window.h > 1 + power_line_there(v))
		process_culprit_draw(c, v, 1, s.scope);
	if (s.see >= 0)
		view_hit(v, c, 1, 0, x - 1, KEY_GO_PRESET + s.see);
}
