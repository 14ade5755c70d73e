#include "ui/panels/inner.h"
#include "ui/view/keys.h"
#include "ui/view/replay.h"

#include <ctype.h>
#include <string.h>

enum {
	TEXT_MOST = 116, /* cells of a line that one likes to read */
	PAIR_MIN = 66,   /* of a page with two columns of keys */
	KEY_W = 9,       /* of a key and the gap behind it */
	RIGHT = 1,
	TOP = 2 /* the first line and that of the parts */
};

/* ---- the first page: the keys that people use, side by side ---- */

/* Line i of a side: the title of a part, a key of it, or blank. */
struct side_line {
	const char *title;
	const struct key *key;
};

static bool
side_line(const struct view *v, const enum key_part part[2], int i,
	  struct side_line *out)
{
	*out = (struct side_line){ NULL, NULL };
	for (int p = 0; p < 2; p++) {
		if (p > 0 && i-- == 0)
			return true;
		if (i-- == 0) {
			out->title = key_part_name[part[p]];
			return true;
		}
		for (const struct key *k = v->keys; k->code[0] != 0; k++) {
			out->key = k;
			if (v->s->replay != NULL && k->live)
				continue; /* a recording counts nothing */
			if (k->first.part == part[p] && i-- == 0)
				return true;
		}
		out->key = NULL;
	}
	return false;
}

static void
put_key(struct page *p, int x, int w, const struct key *k)
{
	const char *keys = k->first.keys != NULL ? k->first.keys : k->keys;

	page_put(p, x, KEY_W, ROLE_KEY, keys);
	page_put(p, x + KEY_W, w - KEY_W, ROLE_TEXT, k->first.text);
}

static void
put_side(struct page *p, int x, int w, const struct side_line *l)
{
	if (l->title != NULL)
		page_put(p, x, w, ROLE_TITLE, l->title);
	else if (l->key != NULL)
		put_key(p, x, w, l->key);
}

/* The last few stand below, from left to right. */
static void
put_rest(struct page *p, const struct view *v, int columns, int w)
{
	int n = 0;

	for (const struct key *k = v->keys; k->code[0] != 0; k++) {
		if (k->first.part != KEY_PART_REST)
			continue;
		put_key(p, n % columns * (w + 1), w, k);
		p->line += ++n % columns == 0;
	}
	p->line += n % columns != 0;
}

static void
put_replay_keys(struct page *p)
{
	const struct replay_key *r;

	page_heading(p, "Keys of a replay");
	for (unsigned i = 0; (r = replay_key_at(i)) != NULL; i++)
		page_entry(p, KEY_W, ROLE_KEY, r->keys, r->text);
}

static void
page_first(struct page *p, const struct view *v)
{
	static const enum key_part side[][2] = {
		{ KEY_PART_FIND, KEY_PART_VIEWS },
		{ KEY_PART_ORDER, KEY_PART_TIME },
	};
	bool pair = p->w >= PAIR_MIN, more = true;
	bool replay = v->s != NULL && v->s->replay != NULL;

	if (replay) {
		put_replay_keys(p);
		page_blank(p);
	}
	int w = pair ? (p->w - 1) / 2 : p->w;

	w = w > TEXT_MOST / 2 ? TEXT_MOST / 2 : w;
	for (int first = 0; first <= !pair; first++) {
		for (int i = 0; more; i++) {
			struct side_line left, right;
			bool l = side_line(v, side[first], i, &left);
			bool r = pair && side_line(v, side[RIGHT], i, &right);

			more = l || r;
			if (l)
				put_side(p, 0, w, &left);
			if (r)
				put_side(p, w + 1, w, &right);
			p->line += more;
		}
		more = true;
		page_blank(p);
	}
	put_rest(p, v, pair ? 2 : 1, w);
}

static void
part_keys(struct page *p, const struct view *v)
{
	const struct place_key *k;
	int place = KEY_PLACES;

	page_first(p, v);
	page_heading(p, "All keys");
	for (const struct key *key = v->keys; key->code[0] != 0; key++)
		page_entry(p, KEY_W, ROLE_KEY, key->keys, key->text);
	put_replay_keys(p);
	/* Of what lies over the screen: this page, the lists, the picker. */
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++) {
		char text[64];
		struct buf b = buf_over(text, sizeof text);

		buf_printf(&b, "Keys in %s", key_place_name[k->place]);
		if ((int)k->place != place)
			page_heading(p, buf_cstr(&b));
		place = (int)k->place;
		page_entry(p, 13, ROLE_KEY, k->keys, k->text);
	}
}

/* ---- the page ---- */

static const struct {
	const char *name;
	void (*walk)(struct page *p, const struct view *v);
} part[] = {
	{ "Keys", part_keys },         { "Columns here", page_columns },
	{ "Verdicts", page_verdicts }, { "Events", page_events },
	{ "Words", page_words },
};
enum { PARTS = sizeof part / sizeof *part };

/* The page from begin to end; in *p what is found on the way. */
static void
walk(struct page *p, const struct view *v)
{
	p->line = 0;
	p->hits = 0;
	p->first = p->last = p->before = p->after =
		(struct page_hit){ HELP_NOWHERE, 0 };
	p->part_of->nparts = 0;
	for (unsigned i = 0; i < PARTS; i++) {
		page_part(p);
		part[i].walk(p, v);
	}
	p->part_of->lines = p->line;
}

/* From the last find on, or the first line shown; round the ends. */
static void
seek(struct page *p, const struct view *v, struct help *h)
{
	bool back = h->seek == HELP_PREVIOUS;
	struct page_hit to;

	p->from = h->at != HELP_NOWHERE ? h->at : h->top - !back;
	walk(p, v);
	to = back ? p->before : p->after;
	if (to.rank == 0)
		to = back ? p->last : p->first;
	h->at = to.line;
	h->rank = to.rank;
	h->hits = p->hits;
	if (to.rank > 0)
		h->top = to.line;
	h->seek = HELP_STAY;
}

/* "page 1 of 6", or how a search went. */
static void
note_text(const struct help *h, struct buf *b, enum role *role)
{
	int pages = (h->lines + h->rows - 1) / h->rows;
	int page = h->top / h->rows + 1;

	*role = ROLE_DIM;
	if (h->typing || h->text[0] == '\0') {
		buf_printf(b, "/ search   page %d of %d",
			   h->top + h->rows >= h->lines ? pages : page, pages);
		return;
	}
	if (h->hits == 0) {
		*role = ROLE_WARN;
		buf_printf(b, "no line has %s", h->text);
		return;
	}
	buf_printf(b, "/%s   %d of %d", h->text, h->rank, h->hits);
}

static void
draw_parts(struct canvas *c, const struct help *h)
{
	char text[HELP_TEXT_SIZE + 40];
	struct buf b = buf_over(text, sizeof text);
	enum role role;
	int x = 1, here = help_part(h), w = c->window.w;

	note_text(h, &b, &role);
	int note = canvas_width(buf_cstr(&b)), all = 0;

	for (int i = 0; i < (int)PARTS; i++)
		all += canvas_width(part[i].name) + 3;
	for (int i = 0; i < (int)PARTS; i++) {
		int name = canvas_width(part[i].name);

		if (i != here && all + note + 3 > w)
			continue;
		canvas_fill(c, (struct rect){ x, 0, name + 2, 1 },
			    i == here ? ROLE_TAB : ROLE_TEXT, " ");
		canvas_text(c, x + 1, 0, i == here ? ROLE_TAB : ROLE_TEXT,
			    part[i].name);
		x += name + 3;
	}
	if (x + note < w)
		canvas_text(c, w - note - 1, 0, role, text);
}

void
panel_help_draw(struct canvas *c, struct view *v)
{
	struct help *h = &v->over.help;
	struct rect r = { 0, TOP, c->w, c->h - TOP - 1 };
	struct page p = { .w = c->w - 4, .part_of = h, .find = h->text };

	p.w = p.w > TEXT_MOST ? TEXT_MOST : p.w;
	h->rows = r.h;
	if (h->typing)
		p.find = "";
	if (h->seek != HELP_STAY)
		seek(&p, v, h);
	else
		walk(&p, v);
	help_scroll(h, 0); /* not past what there is now */
	canvas_window(c, (struct rect){ 0, 1, c->w, c->h - 2 });
	canvas_fill(c, (struct rect){ 0, 0, c->w, c->h - 2 }, ROLE_TEXT, " ");
	draw_parts(c, h);
	canvas_window(c, r);
	p.c = c;
	p.top = h->top;
	walk(&p, v);
	page_show_found(&p, h->at);
}
