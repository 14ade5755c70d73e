#include "base/plural.h"
#include "ui/panels/panel.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

enum { ENTRY_W = 38, QUALITY_W = 40, TRUST_H = 14 };

static const char *
mode_word(enum domain d)
{
	return d == DOMAIN_NONE ? "" : domain_name[d];
}

/* Writes a counter's number; "-" for an event that needs no counter. */
static const char *
counter_text(char to[PRINTED_SIZE], unsigned counter)
{
	return counter < EVENT_FREE_FIRST ? buf_printed(to, "%u", counter)
					  : "-";
}

static void
draw_event_slot(struct canvas *c, int x, int y, const char *slot,
		const char *name, enum domain d)
{
	canvas_right(c, x, y, 2, ROLE_DIM, slot);
	canvas_textn(c, x + 3, y, ENTRY_W - 10, ROLE_TEXT, name);
	canvas_text(c, x + ENTRY_W - 6, y,
		    d == DOMAIN_ALL ? ROLE_DIM : ROLE_DOMAIN, mode_word(d));
}

static int
draw_slots(struct canvas *c, const struct view *v, int w, int h)
{
	static const char *const fixed[2] = { METRIC_FIXED_CYCLES,
					      METRIC_FIXED_INSTRUCTIONS };
	const struct eventset *set = v->f->set;
	int per_row = w / ENTRY_W > 0 ? w / ENTRY_W : 1, n = (int)set->len;
	int with_fixed =
		v->s->mode != UI_MODE_BUSY && n + 2 <= per_row * h ? 2 : 0;
	int lines = (n + with_fixed + per_row - 1) / per_row;

	if (lines > h)
		lines = h;
	if (lines <= 0)
		return 0;
	for (int i = 0; i < n + with_fixed; i++) {
		int x = 2 + i / lines * ENTRY_W, y = 1 + i % lines;
		char text[PRINTED_SIZE];

		if (i / lines >= per_row)
			break;
		if (i < with_fixed) {
			draw_event_slot(c, x, y, i == 0 ? "F0" : "F1", fixed[i],
					DOMAIN_ALL);
			continue;
		}
		const struct slot *s = &set->slot[i - with_fixed];

		draw_event_slot(c, x, y, counter_text(text, s->counter),
				s->event->name, v->f->domain);
	}
	return lines;
}

static void
make_cores_text(const struct view *v, struct buf *b)
{
	const struct frame *f = v->f;
	unsigned off = 0, stale = 0, which = 0;
	unsigned ok = f->span[frame_scope_all(f)].n_ok;

	for (unsigned i = 0; i < f->topology->ncpus; i++) {
		if ((f->span[i].quality & QUALITY_OFF) != 0) {
			off++;
			which = i;
		}
		stale += (f->span[i].quality & QUALITY_STALE) != 0;
	}
	if (v->s->mode == UI_MODE_BUSY)
		buf_str(b, "none has counters to be read");
	else if (off == 0 && stale == 0 && ok == f->topology->ncpus)
		buf_str(b, "all delivered");
	else if (off == 0 && stale == 0)
		buf_printf(b, "%u/%u delivered", ok, f->topology->ncpus);
	else if (off == 1)
		buf_printf(b, "cpu %d powered down",
			   f->topology->cpu[which].id);
	else if (off > 1)
		buf_printf(b, "%u powered down", off);
	if (stale > 0 && v->s->mode != UI_MODE_BUSY)
		buf_printf(b, "%s%u stale", off > 0 ? ", " : "", stale);
}

static void
make_recording_text(const struct view *v, struct buf *b)
{
	const struct ui_status *s = v->s;

	if (!s->recording) {
		buf_str(b, "off");
		return;
	}
	buf_printf(b, "%llu%s", (unsigned long long)s->record_frames,
		   plural(s->record_frames, " sample", " samples"));
	if (s->record_lost > 0)
		buf_printf(b, ", %llu lost",
			   (unsigned long long)s->record_lost);
	if (s->record_path != NULL)
		buf_printf(b, " to %s", s->record_path);
}

static const char *
make_events_text(const struct view *v)
{
	switch (v->f->domain) {
	case DOMAIN_NONE:
		return v->s->mode == UI_MODE_BUSY ? "none"
						  : "fixed counters only";
	case DOMAIN_ALL:
		return "user+kernel";
	case DOMAIN_USER:
		return "user mode only";
	case DOMAIN_KERNEL:
		return "kernel mode only";
	case DOMAIN_MIXED:
		return "modes differ by event";
	}
	return "";
}

struct facts {
	struct canvas *c;
	int x, y, below;
};

static void
cut_at_comma(struct buf *b, int room)
{
	size_t end = b->len;

	if ((int)b->len <= room || canvas_width(buf_cstr(b)) <= room)
		return;
	while (end > 0 && (b->at[end] != ',' || (int)end > room))
		end--;
	if (end > 0)
		b->len = end;
}

static void
add_fact(struct facts *at, const char *word, enum role role, struct buf *b)
{
	int room = at->c->window.w - at->x - 11;

	if (at->y >= at->below)
		return;
	canvas_text(at->c, at->x, at->y, ROLE_DIM, word);
	cut_at_comma(b, room);
	canvas_textn(at->c, at->x + 9, at->y, room, role, buf_cstr(b));
	at->y++;
	b->len = 0;
}

static void
add_fact_count(struct facts *at, const char *word, uint64_t n, const char *one,
	       const char *more)
{
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	buf_printf(&b, "%llu%s", (unsigned long long)n, plural(n, one, more));
	add_fact(at, word, ROLE_TEXT, &b);
}

static void
draw_data_quality(struct canvas *c, const struct view *v, int x, int y, int h)
{
	const struct frame_health *health = &v->f->health;
	struct facts at = { c, x, y, y + h };
	char text[160];
	struct buf b = buf_over(text, sizeof text);
	enum domain counts = v->f->domain;
	enum role role;

	buf_str(&b, panel_quality_text(v, &role));
	add_fact(&at, "counters", role, &b);
	buf_str(&b, make_events_text(v));
	add_fact(&at, "events",
		 counts == DOMAIN_NONE  ? ROLE_DIM
		 : counts == DOMAIN_ALL ? ROLE_TEXT
					: ROLE_DOMAIN,
		 &b);
	make_cores_text(v, &b);
	add_fact(&at, "cores", ROLE_TEXT, &b);
	panel_cost_text(v, &b);
	if (v->s->interrupts_per_read > 0)
		buf_printf(&b, "%s%u IPIs/sample", b.len > 0 ? ", " : "",
			   v->s->interrupts_per_read);
	add_fact(&at, "cost", ROLE_TEXT, &b);
	buf_printf(&b, "%s s, %llu late, %llu missed",
		   FIXED(v->f->interval_s, 3),
		   (unsigned long long)health->late_ticks,
		   (unsigned long long)health->missed_ticks);
	add_fact(&at, "interval", ROLE_TEXT, &b);
	make_recording_text(v, &b);
	add_fact(&at, "record", ROLE_TEXT, &b);
	add_fact_count(&at, "screen", v->s->skipped_refreshes,
		       " refresh skipped", " refreshes skipped");
	add_fact_count(&at, "takeover", health->stolen_frames, " sample",
		       " samples");
	add_fact_count(&at, "stale", health->stale_rows, " row", " rows");
}

static int
draw_dropped(struct canvas *c, const struct view *v, int y)
{
	const struct eventset *set = v->f->set;

	for (unsigned i = 0; i < set->ndropped && y < c->window.h - 1; i++)
		canvas_textn(c, 2, y++, c->window.w - 4, ROLE_WARN,
			     PRINTED("not counted: %s: %s",
				     set->dropped[i].event,
				     set->dropped[i].why));
	return y;
}

static int
draw_slot_rows(struct canvas *c, const struct view *v)
{
	enum { NAME_W = 31, RATE_W = 8, PLACES_W = 10 };
	const struct eventset *set = v->f->set;
	const struct span *t = &v->f->span[frame_scope_all(v->f)];
	struct picker places = { .catalog = v->s->catalog };
	int y = 1, x = 5, w = c->window.w;
	bool roomy = c->window.h >= 2 * (int)set->len + TRUST_H;

	canvas_text(c, 2, y, ROLE_DIM, "counter");
	canvas_text(c, 10, y, ROLE_DIM, "event");
	x = 10 + NAME_W;
	canvas_right(c, x, y, RATE_W, ROLE_DIM, "per s");
	canvas_text(c, x + RATE_W + 2, y, ROLE_DIM, "counts");
	canvas_text(c, x + RATE_W + 9, y, ROLE_DIM, "fits on");
	canvas_textn(c, x + RATE_W + 10 + PLACES_W, y,
		     w - x - RATE_W - PLACES_W - 12, ROLE_DIM,
		     "what it counts");
	y++;
	for (unsigned i = 0; i < set->len && y < c->window.h - 1; i++, y++) {
		const struct event *event = set->slot[i].event;
		char text[PRINTED_SIZE], where[40] = "";

		canvas_right(c, 2, y, 5, ROLE_DIM,
			     counter_text(text, set->slot[i].counter));
		canvas_textn(c, 10, y, NAME_W - 1, ROLE_TEXT, event->name);
		value_number(span_has_slot(t, i) && span_event_s(t) > 0
				     ? (double)t->slot[i] / span_event_s(t)
				     : NAN,
			     0, VALUE_RATE_W, text);
		canvas_right(c, x, y, RATE_W, ROLE_TEXT, text);
		canvas_text(c, x + RATE_W + 2, y,
			    v->f->domain == DOMAIN_ALL ? ROLE_DIM : ROLE_DOMAIN,
			    mode_word(v->f->domain));
		if (set->slot[i].counter >= EVENT_FREE_FIRST)
			memcpy(where, "none", 5);
		else if (places.catalog != NULL)
			picker_format_places(&places, event, where,
					     sizeof where);
		canvas_textn(c, x + RATE_W + 9, y, PLACES_W, ROLE_DIM, where);
		if (event->text != NULL)
			canvas_textn(c, x + RATE_W + 10 + PLACES_W, y,
				     w - x - RATE_W - PLACES_W - 12, ROLE_DIM,
				     event->text);
		if (event->native != NULL && roomy)
			canvas_textn(c, 12, ++y, w - 14, ROLE_DIM,
				     event->native);
	}
	return y;
}

int
panel_events_rows(const struct view *v, int w)
{
	const struct eventset *set = v->f->set;
	int natives = 0;

	(void)w;
	for (unsigned i = 0; i < set->len; i++)
		natives += set->slot[i].event->native != NULL;
	int n = 14 + natives + (int)set->len + (int)set->ndropped;

	if (natives > 0 && n < 2 * (int)set->len + TRUST_H)
		n = 2 * (int)set->len + TRUST_H;
	return n + (set->ndropped > 0);
}

void
panel_events_draw(struct canvas *c, const struct view *v)
{
	int w = c->window.w - 4, h = c->window.h - 2;
	bool both_fit = w >= ENTRY_W + QUALITY_W;
	int slots = (int)v->f->set->len + 2;

	panel_box(c, "events and data quality", v->f->set->name);
	if (v->kind == VIEW_EVENTS && w >= 70 && h >= slots + 10) {
		int y = draw_dropped(c, v, draw_slot_rows(c, v) + 1);

		draw_data_quality(c, v, 2, y + 1, c->window.h - 2 - y);
		return;
	}
	if (both_fit) {
		int quality = c->window.w - 2 - QUALITY_W;

		(void)draw_slots(c, v, quality - 2, h);
		draw_data_quality(c, v, quality, 1, h);
		draw_dropped(c, v, slots + 2);
		return;
	}
	if (slots > h - 4)
		slots = h - 4;
	if (slots > 0)
		slots = draw_slots(c, v, w, slots);
	int y = draw_dropped(c, v, slots + 1);

	draw_data_quality(c, v, 2, y + (y < h - 9), h - y + 1);
}
