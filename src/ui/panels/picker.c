#include "base/plural.h"
#include "model/metric.h"
#include "ui/panels/panel.h"

enum { NAME_MIN = 12, PLACES_W = 9, ABOUT = 4, CHOSEN_MOST = 5 };

static int
name_width(const struct canvas *c, const struct catalog *all)
{
	int most = c->window.w / 2 - 2, w = NAME_MIN;

	for (unsigned i = 0; i < all->len && w < most; i++)
		if (canvas_width(all->event[i].name) > w)
			w = canvas_width(all->event[i].name);
	return w < most ? w : most;
}

/* True: the event under the cursor would fit without the chosen event. */
static bool
is_in_conflict(const struct picker *p, const struct event *chosen)
{
	const struct event *event = picker_match(p, p->at);
	uint32_t all = picker_counters(p->catalog);

	return event != NULL && picker_find_conflict(p, event) != NULL &&
	       (event->counters & all) != all &&
	       picker_makes_room(p, chosen, event);
}

/* "[5]": chosen, on counter 5; "[+]": chosen, on no counter; "[ ]": not chosen;
 * "=": fixed counter; "x": refused by the system; "!": does not fit. Chosen
 * events in conflict with the "!" event have its colour. */
static enum role
draw_box(struct canvas *c, const struct picker *p, const struct eventset *set,
	 int y, const struct event *event)
{
	unsigned counter = EVENT_FREE_FIRST;

	for (unsigned i = 0; i < set->len; i++)
		if (set->slot[i].event == event)
			counter = set->slot[i].counter;
	if (picker_has(p, event)) {
		canvas_text(c, 2, y,
			    is_in_conflict(p, event) ? ROLE_WARN : ROLE_GOOD,
			    counter < EVENT_FREE_FIRST
				    ? PRINTED("[%u]", counter)
				    : "[+]");
		return ROLE_STRONG;
	}
	if (event->fixed) {
		canvas_text(c, 3, y, ROLE_GOOD, "=");
		return ROLE_TEXT;
	}
	if (picker_refused(p, event))
		canvas_text(c, 3, y, ROLE_BAD, "x");
	else if (event == picker_match(p, p->at) &&
		 !picker_fits(p, event, NULL))
		canvas_text(c, 3, y, ROLE_WARN, "!");
	else {
		canvas_text(c, 2, y, ROLE_TEXT, "[ ]");
		return ROLE_TEXT;
	}
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
		picker_format_places(p, event, places, sizeof places);
		panel_cut(c, 7 + name_w, y, PLACES_W, ROLE_DIM, places);
	}
	if (event->text != NULL)
		panel_cut(c, 8 + name_w + PLACES_W, y,
			  w - name_w - PLACES_W - 10, ROLE_DIM, event->text);
}

static void
draw_picker_head(struct canvas *c, const struct picker *p)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	char key[2] = { p->chosen.key, 0 };
	int x = 2;

	x += canvas_text(c, x, 1, p->naming ? ROLE_DIM : ROLE_KEY, "search ");
	x += canvas_text(c, x, 1, ROLE_STRONG, p->search);
	x += canvas_text(c, x, 1, ROLE_STRONG, p->naming ? " " : "_");
	if (p->naming || p->chosen.name[0] != 0) {
		x += canvas_text(c, x + 3, 1, ROLE_KEY, "save as preset: ") + 3;
		x += canvas_text(c, x, 1, ROLE_STRONG, p->chosen.name);
		x += canvas_text(c, x, 1, ROLE_STRONG, "_");
		x += canvas_text(c, x + 2, 1, ROLE_DIM, "up/down: its key ") +
		     2;
		x += canvas_text(c, x, 1, ROLE_STRONG,
				 p->chosen.key != 0 ? key : "none");
	}
	buf_printf(&b, "%u of %u%s", picker_matches(p), p->catalog->len,
		   plural(p->catalog->len, " event", " events"));
	if (c->window.w - 2 - (int)b.len > x + 2)
		canvas_right(c, 2, 1, c->window.w - 4, ROLE_DIM, buf_cstr(&b));
}

static void
put_free_counters(struct buf *b, const struct picker *p)
{
	unsigned have = picker_counters_used(p) + picker_counters_free(p);

	buf_printf(b, "%u of %u%s", picker_counters_free(p), have,
		   plural(have, " counter free", " counters free"));
}

static void
draw_none_chosen(struct canvas *c, const struct picker *p, int x, int y)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "none: ");
	put_free_counters(&b, p);
	if (p->nnow > 0)
		buf_printf(&b, "; + takes the %u%s counted now", p->nnow,
			   plural(p->nnow, " event", " events"));
	canvas_textn(c, x, y, c->window.w - x - 2, ROLE_DIM, buf_cstr(&b));
}

static int
draw_chosen(struct canvas *c, const struct picker *p, int y, int most)
{
	enum { INDENT = 9 };
	int x = INDENT, line = 0;

	if (y > 0)
		canvas_text(c, 2, y, ROLE_DIM, "chosen ");
	if (y > 0 && p->chosen.n == 0)
		draw_none_chosen(c, p, x, y);
	for (unsigned i = 0; i < p->chosen.n; i++) {
		const struct event *event = p->chosen.event[i];
		int w = canvas_width(event->name);

		if (x > INDENT && x + w + 2 > c->window.w) {
			if (line + 1 == most) {
				if (y > 0 && x + 2 < c->window.w)
					canvas_text(c, x, y + line, ROLE_DIM,
						    "..");
				break;
			}
			x = INDENT;
			line++;
		}
		if (y > 0)
			panel_cut(c, x, y + line, c->window.w - x - 2,
				  is_in_conflict(p, event) ? ROLE_WARN
							   : ROLE_STRONG,
				  event->name);
		x += w + 1;
	}
	return line + 1;
}

static void
draw_event_about(struct canvas *c, const struct picker *p, int y, int h,
		 int name_w)
{
	const struct event *event = picker_match(p, p->at);
	struct rect r = { 2, y, c->window.w - 4, h };
	struct err e = { .code = ERR_NONE };

	if (event == NULL)
		return;
	if (!picker_has(p, event) && !picker_fits(p, event, &e)) {
		const struct event *gone = picker_find_conflict(p, event);

		if (gone != NULL) {
			canvas_textn(
				c, r.x, r.y++, r.w, ROLE_KEY,
				PRINTED("= swaps it in for %s", gone->name));
			r.h--;
		}
		canvas_wrap(c, r, ROLE_WARN, e.text);
		return;
	}
	if (canvas_width(event->name) > name_w)
		r.y += canvas_wrap(c, r, ROLE_TEXT, event->name);
	if (event->text != NULL && r.y < y + h) {
		r.h = y + h - r.y;
		r.y += canvas_wrap(c, r, ROLE_DIM, event->text);
	}
	if (event->native != NULL && r.y < y + h) {
		int x = 2 + canvas_text(c, 2, r.y, ROLE_DIM, "here it is ");

		canvas_textn(c, x, r.y, c->window.w - x - 2, ROLE_DIM,
			     event->native);
	}
}

static void
draw_list(struct canvas *c, struct picker *p, int y, int name_w)
{
	struct eventset set = { .len = 0 };

	(void)slots_place(p->catalog, p->chosen.event, p->chosen.n, &set, NULL);
	if (p->at < p->top)
		p->top = p->at;
	if (p->at >= p->top + p->rows)
		p->top = p->at - p->rows + 1;
	for (unsigned i = 0; i < p->rows; i++) {
		const struct event *event = picker_match(p, p->top + i);
		int at = y + (int)i;

		if (event == NULL)
			break;
		draw_event(c, p, &set, at, name_w, event);
		if (p->top + i == p->at)
			canvas_shade(c,
				     (struct rect){ 1, at, c->window.w - 2, 1 },
				     ROLE_SELECTED);
	}
}

void
panel_picker_draw(struct canvas *c, struct view *v)
{
	struct picker *p = &v->over.picker;
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	if (p->catalog != v->s->catalog)
		*p = (struct picker){ .catalog = v->s->catalog };
	p->refused = v->s->refused;
	p->nrefused = v->s->nrefused;
	if (v->f != NULL)
		picker_in_force(p, v->f->set);
	if (p->catalog != NULL)
		put_free_counters(&b, p);
	struct rect r =
		panel_overlay(c, 120, c->h - 2, "choose events", buf_cstr(&b));

	if (p->catalog == NULL) {
		canvas_text(c, 2, 1, ROLE_WARN, "no events to choose here");
		return;
	}
	int name_w = name_width(c, p->catalog), y = 3;
	int room = (r.h - 4) / 2, most = room > 3 ? room - 2 : 1;
	int chosen =
		draw_chosen(c, p, 0, most < CHOSEN_MOST ? most : CHOSEN_MOST);
	int about = room - chosen < ABOUT ? room - chosen : ABOUT;
	int rows = about > 0 ? r.h - 4 - chosen - about : 0;

	draw_picker_head(c, p);
	p->describes = rows >= 1;
	if (rows < 1) {
		rows = r.h - 3;
		y = 2;
	} else {
		int at = 8 + name_w + PLACES_W;

		canvas_textn(c, 6, 2, name_w, ROLE_DIM, "event");
		canvas_textn(c, 7 + name_w, 2, PLACES_W, ROLE_DIM, "counters");
		canvas_textn(c, at, 2, c->window.w - at - 2, ROLE_DIM,
			     "what it counts");
		draw_chosen(c, p, r.h - 1 - about - chosen, chosen);
		draw_event_about(c, p, r.h - 1 - about, about, name_w);
	}
	p->rows = rows > 0 ? (unsigned)rows : 0;
	draw_list(c, p, y, name_w);
}
