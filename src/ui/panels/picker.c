/* The picker over the screen: events, where they fit, and why not. */
#include "base/plural.h"
#include "model/slots.h"
#include "ui/panels/panel.h"

#include <string.h>

enum { NAME_MIN = 12, PLACES_W = 9, TAIL = 4 };

/* The longest name there is, so that no search moves the columns; up to half
 * of the line. */
static int
name_width(const struct canvas *c, const struct catalog *all)
{
	int most = c->window.w / 2 - 2, w = NAME_MIN;

	for (unsigned i = 0; i < all->len; i++)
		if (canvas_width(all->event[i].name) > w)
			w = canvas_width(all->event[i].name);
	return w < most ? w : most;
}

/* "[5]": chosen, on counter 5, "[+]" on none; "[ ]": free to choose; "=":
 * always counted; "!": no counter is left; "x": the system would refuse it. */
static enum role
draw_box(struct canvas *c, const struct picker *p, const struct eventset *set,
	 int y, const struct event *event)
{
	char text[16] = "[+]";
	struct buf b = buf_over(text, sizeof text);

	if (picker_has(p, event)) {
		for (unsigned i = 0; i < set->len; i++)
			if (set->slot[i].event == event &&
			    set->slot[i].counter < EVENT_FREE_FIRST) {
				buf_char(&b, '[');
				buf_u64(&b, set->slot[i].counter);
				buf_char(&b, ']');
				(void)buf_cstr(&b);
			}
		canvas_text(c, 2, y, ROLE_GOOD, text);
		return ROLE_STRONG;
	}
	if (event->fixed) {
		canvas_text(c, 3, y, ROLE_GOOD, "=");
		return ROLE_TEXT;
	}
	if (picker_fits(p, event, NULL)) {
		canvas_text(c, 2, y, ROLE_TEXT, "[ ]");
		return ROLE_TEXT;
	}
	bool refused = picker_refused(p, event);

	canvas_text(c, 3, y, refused ? ROLE_BAD : ROLE_WARN,
		    refused ? "x" : "!");
	return ROLE_DIM;
}

static void
draw_event(struct canvas *c, const struct picker *p, const struct eventset *set,
	   int y, int name_w, const struct event *event)
{
	enum role role = draw_box(c, p, set, y, event);
	int w = c->window.w;
	char places[40];

	panel_cut(c, 6, y, name_w, role, event->name);
	if (picker_refused(p, event)) {
		canvas_text(c, 7 + name_w, y, ROLE_BAD, "refused");
	} else {
		picker_places(p, event, places, sizeof places);
		panel_cut(c, 7 + name_w, y, PLACES_W, ROLE_DIM, places);
	}
	if (event->text != NULL)
		panel_cut(c, 8 + name_w + PLACES_W, y,
			  w - name_w - PLACES_W - 10, ROLE_DIM, event->text);
}

static void
draw_head(struct canvas *c, const struct picker *p)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	char key[2] = { p->chosen.key, 0 };
	int x = 2;

	x += canvas_text(c, x, 1, p->naming ? ROLE_DIM : ROLE_KEY, "search ");
	x += canvas_text(c, x, 1, ROLE_STRONG, p->search);
	x += canvas_text(c, x, 1, ROLE_STRONG, p->naming ? " " : "_");
	if (p->naming || p->chosen.name[0] != 0) {
		x += canvas_text(c, x + 3, 1, ROLE_KEY, "keep as ") + 3;
		x += canvas_text(c, x, 1, ROLE_STRONG, p->chosen.name);
		x += canvas_text(c, x, 1, ROLE_STRONG, "_");
		x += canvas_text(c, x + 2, 1, ROLE_DIM, "arrows: key ") + 2;
		x += canvas_text(c, x, 1, ROLE_STRONG,
				 p->chosen.key != 0 ? key : "none");
	}
	unsigned have = 0;

	for (uint32_t m = picker_counters(p->catalog); m != 0; m &= m - 1)
		have++;
	buf_u64(&b, picker_taken(p));
	buf_str(&b, " of ");
	buf_u64(&b, have);
	buf_str(&b, plural(have, " counter, ", " counters, "));
	buf_u64(&b, picker_matches(p));
	buf_str(&b, " of ");
	buf_u64(&b, p->catalog->len);
	buf_str(&b, plural(p->catalog->len, " event", " events"));
	if (c->window.w - 2 - (int)b.len > x + 2)
		canvas_right(c, 2, 1, c->window.w - 4, ROLE_DIM, buf_cstr(&b));
}

/* Above the list; y 0: no room. */
static void
draw_titles(struct canvas *c, int y, int name_w)
{
	int w = c->window.w;

	if (y == 0)
		return;
	canvas_textn(c, 6, y, name_w, ROLE_DIM, "event");
	canvas_textn(c, 7 + name_w, y, PLACES_W, ROLE_DIM, "counters");
	canvas_textn(c, 8 + name_w + PLACES_W, y, w - name_w - PLACES_W - 10,
		     ROLE_DIM, "what it counts");
}

/* What is chosen, and what stands in the way of the event under the cursor. */
static void
draw_tail(struct canvas *c, const struct picker *p, int y, int name_w)
{
	const struct event *event = picker_match(p, p->at);
	struct rect r = { 2, y + 1, c->window.w - 4, TAIL - 1 };
	struct err e = { .code = ERR_NONE };
	int x = 2 + canvas_text(c, 2, y, ROLE_DIM, "chosen ");

	for (unsigned i = 0; i < p->chosen.n; i++) {
		const char *name = p->chosen.event[i]->name;

		if (x + canvas_width(name) + 4 > c->window.w) {
			canvas_text(c, x, y, ROLE_DIM, "..");
			break;
		}
		x += canvas_text(c, x, y, ROLE_STRONG, name) + 1;
	}
	if (event == NULL)
		return;
	if (!picker_has(p, event) && !picker_fits(p, event, &e)) {
		canvas_wrap(c, r, ROLE_WARN, e.text);
		return;
	}
	if (canvas_width(event->name) > name_w)
		r.y += canvas_wrap(c, r, ROLE_TEXT, event->name);
	if (event->text != NULL && r.y < y + TAIL) {
		r.h = y + TAIL - r.y;
		r.y += canvas_wrap(c, r, ROLE_DIM, event->text);
	}
	if (event->native != NULL && r.y < y + TAIL) {
		x = 2 + canvas_text(c, 2, r.y, ROLE_DIM, "here it is ");
		canvas_textn(c, x, r.y, c->window.w - x - 2, ROLE_DIM,
			     event->native);
	}
}

void
panel_picker_draw(struct canvas *c, struct view *v)
{
	struct picker *p = &v->picker;
	struct rect r = panel_overlay(
		c, 120, c->h - 2, "choose events",
		p->naming
			? "Enter keeps and counts"
			: "Space chooses  Enter counts  Tab names  Esc closes");
	int rows = r.h - 4 - TAIL, y = 3;
	struct eventset set = { .len = 0 };

	if (p->catalog != v->s->catalog) /* the machine is another now */
		picker_open(p, v->s->catalog);
	p->refused = v->s->refused;
	p->nrefused = v->s->nrefused;
	if (p->catalog == NULL) {
		canvas_text(c, 2, 1, ROLE_WARN, "no events to choose here");
		return;
	}
	if (p->fresh && v->f != NULL)
		picker_start_from(p, v->f->set);
	(void)slots_place(p->catalog, p->chosen.event, p->chosen.n, &set, NULL);
	draw_head(c, p);
	int name_w = name_width(c, p->catalog);

	p->tells = rows >= 1;
	draw_titles(c, rows < 1 ? 0 : 2, name_w);
	if (rows < 1) {
		rows = r.h - 3;
		y = 2;
	} else {
		draw_tail(c, p, r.h - 1 - TAIL, name_w);
	}
	p->rows = rows > 0 ? (unsigned)rows : 0;
	if (p->at < p->top)
		p->top = p->at;
	if (p->at >= p->top + p->rows)
		p->top = p->at - p->rows + 1;
	for (unsigned i = 0; i < p->rows; i++) {
		const struct event *event = picker_match(p, p->top + i);

		if (event == NULL)
			break;
		draw_event(c, p, &set, y + (int)i, name_w, event);
		if (p->top + i == p->at)
			canvas_shade(c,
				     (struct rect){ 1, y + (int)i, r.w - 2, 1 },
				     ROLE_SELECTED);
	}
}
