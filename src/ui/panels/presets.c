
#include "base/bits.h"
#include "base/plural.h"
#include "ui/panels/inner.h"

#include <string.h>

enum { NOTICE_SIZE = 900 };

static const char *
preset_label(const struct preset *p, bool narrow)
{
	return narrow ? p->label : p->name;
}

static int
presets_width(const struct view *v, bool narrow)
{
	int w = 0;

	for (unsigned i = 0; i < view_presets(v); i++) {
		const struct preset *p = view_preset(v, (int)i);

		if (view_preset_key(v, (int)i) != 0)
			w += canvas_width(preset_label(p, narrow)) + 4;
	}
	return w;
}

static bool
preset_used(const struct view *v)
{
	return v->kind != VIEW_POWER &&
	       (v->kind != VIEW_PROCESSES ||
		v->procs->tracer.state == PROCESS_TRACING_ON);
}

static void
draw_counter_use(struct canvas *c, const struct view *v, int from)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	const struct ui_status *s = v->s;
	enum { PICK_W = sizeof "e pick events" - 1, GAP = 3 };
	unsigned taken = 0;
	bool counts = false;

	if (s->rotating && s->rotation != NULL) {
		buf_printf(&b, "rotating: %s", s->rotation);
	} else if (!preset_used(v)) {
		buf_str(&b, "not used in this view");
	} else if (s->mode == UI_MODE_FULL && v->f != NULL &&
		   s->catalog != NULL) {
		unsigned have = bits_count(picker_counters(s->catalog));

		for (unsigned i = 0; i < v->f->set->len; i++)
			taken += v->f->set->slot[i].counter < EVENT_FREE_FIRST;
		buf_printf(&b, "%u of %u%s", taken, have,
			   plural(have, " counter", " counters"));
		counts = true;
	}
	int at = c->window.w - canvas_width(buf_cstr(&b)) - 1;

	if (counts && at - (PICK_W + GAP) > from + 1) {
		int x = at + canvas_width(text) - PICK_W;

		at -= PICK_W + GAP;
		canvas_text(c, x, 0, ROLE_KEY, "e");
		canvas_text(c, x + 2, 0, ROLE_DIM, "pick events");
		view_hit(v, c, x, 0, PICK_W, 'e');
	}
	if (at > from + 1)
		canvas_text(c, at, 0, ROLE_DIM, text);
}

static void
draw_presets(struct canvas *c, const struct view *v)
{
	int room = c->window.w, x = 1;
	bool narrow = presets_width(v, false) > room - 1;
	bool used = preset_used(v);

	for (unsigned i = 0; i < view_presets(v); i++) {
		const struct preset *p = view_preset(v, (int)i);
		bool on = used && v->s->preset == (int)i &&
			  v->s->mode == UI_MODE_FULL;
		char key[2] = { view_preset_key(v, (int)i), 0 };
		const char *label = preset_label(p, narrow);
		int key_w = key[0] != 0 ? 2 : 0;
		int w = canvas_width(label) + key_w;

		if (key[0] == 0 && !on)
			continue;
		if (x + w + (on ? 2 : 0) > room)
			break;
		uint32_t can = v->s->preset_possible & ~v->s->preset_refused;

		view_hit(v, c, x, 0, w, KEY_GO_PRESET + (int)i);
		if (on)
			canvas_fill(c, (struct rect){ x - 1, 0, w + 2, 1 },
				    ROLE_TAB, " ");
		canvas_text(c, x, 0,
			    on                     ? ROLE_TAB
			    : used && can >> i & 1 ? ROLE_KEY
						   : ROLE_DIM,
			    key);
		canvas_text(c, x + key_w, 0, on ? ROLE_TAB : ROLE_DIM, label);
		x += w + (narrow ? 1 : 2);
	}
	if (x + 5 < room && presets_width(v, narrow) < room - 8) {
		view_hit(v, c, x, 0, 5, '0');
		canvas_text(c, x, 0, used ? ROLE_KEY : ROLE_DIM, "0");
		canvas_text(c, x + 2, 0, ROLE_DIM, "all");
		x += 7;
	}
	draw_counter_use(c, v, x);
}

void
panel_presets_draw(struct canvas *c, const struct view *v)
{
	/* If the screen is too low for a line of views, the views replace the
	 * presets when the current view uses no preset. */
	if (v->lay.panel[PANEL_VIEWS].h == 0 && !preset_used(v))
		panel_views_draw(c, v);
	else
		draw_presets(c, v);
}

/* Writes the terminal's warning, then why counting is incomplete or else the
 * source's notice, then the notice of processes. */
static void
make_notice_text(const struct view *v, struct buf *b)
{
	static const char *const head[] = {
		[UI_MODE_BUSY] = "busy% only: ",
		[UI_MODE_IPC] = "fixed only: ",
		[UI_MODE_FULL] = "",
	};
	const struct ui_status *s = v->s;
	bool why = s->mode != UI_MODE_FULL && s->why != NULL && s->why[0] != 0;
	bool more = why || (s->notice != NULL && s->notice[0] != 0);

	if (v->line.terminal != NULL && v->line.terminal[0] != 0)
		buf_printf(b, "%s%s", v->line.terminal, more ? "; " : "");
	if (why)
		buf_printf(b, "%s%s", head[s->mode], s->why);
	else if (s->notice != NULL)
		buf_str(b, s->notice);
	if (v->kind == VIEW_PROCESSES)
		process_notice(v, b);
	buf_cstr(b);
}

int
panel_notice_rows(const struct view *v, int w)
{
	char text[NOTICE_SIZE];
	struct buf b = buf_over(text, sizeof text);

	make_notice_text(v, &b);
	return b.len == 0 ? 0
			  : canvas_wrap(NULL, (struct rect){ 1, 0, w - 2, 0 },
					ROLE_TEXT, text);
}

static void
draw_cut_line(struct canvas *c, const char *text)
{
	static const char dots[] = " ...";
	int w = c->window.w - 2, y = c->window.h - 1;

	for (int i = 0; i < y; i++) {
		text += canvas_wrap_cut(text, w);
		text += strspn(text, " ");
	}
	size_t n = canvas_wrap_cut(text, w - (int)strlen(dots));
	char line[NOTICE_SIZE] = "";

	memcpy(line, text, n);
	canvas_fill(c, (struct rect){ 1, y, w, 1 }, ROLE_TEXT, " ");
	canvas_text(c, 1 + canvas_text(c, 1, y, ROLE_WARN, line), y, ROLE_DIM,
		    dots);
}

void
panel_notice_draw(struct canvas *c, const struct view *v)
{
	char text[NOTICE_SIZE];
	struct buf b = buf_over(text, sizeof text);
	int w = c->window.w, h = c->window.h;

	make_notice_text(v, &b);
	if (canvas_wrap(c, (struct rect){ 1, 0, w - 2, h }, ROLE_WARN, text) >
	    h)
		draw_cut_line(c, text);
}
