/* The last line: keys, what is typed, a message, or where one is in a replay.
 */
#include "base/buf.h"
#include "ui/panels/panel.h"
#include "ui/view/keys.h"

#include <string.h>

enum { LINE_MIN = 8 };

static void
clock_text(struct buf *b, double s)
{
	/* A minute of frames that were late by a hair is a minute. */
	unsigned all = s > 0 ? (unsigned)(s + 0.5) : 0;

	if (all >= 3600)
		buf_printf(b, "%u:%02u:%02u", all / 3600, all / 60 % 60,
			   all % 60);
	else
		buf_printf(b, "%u:%02u", all / 60, all % 60);
}

static void
where_text(struct buf *b, const struct ui_replay *r)
{
	clock_text(b, r->time_s);
	buf_char(b, '/');
	clock_text(b, r->length_s);
	buf_printf(b, " frame %llu/%llu%s", (unsigned long long)r->number,
		   (unsigned long long)r->last,
		   r->ended    ? " end"
		   : r->paused ? " stopped"
			       : " x");
	if (!r->ended && !r->paused)
		buf_decimal(b, r->speed, 3);
}

static int
cell_of(const struct ui_replay *r, uint64_t frame, int w)
{
	if (r->frames < 2)
		return 0;
	return (int)((double)frame / (double)(r->frames - 1) * (w - 1) + 0.5);
}

static void
draw_line(struct canvas *c, const struct ui_replay *r, int x, int w)
{
	int here = cell_of(r, r->at, w);
	char letter[2] = { 0, 0 };

	for (int i = 0; i < w; i++)
		canvas_put(c, x + i, 0, i <= here ? ROLE_BAR : ROLE_BAR_DIM,
			   i <= here ? "=" : "-");
	for (unsigned i = 0; i < r->nmoments; i++) {
		int at = cell_of(r, r->moment[i].frame, w);

		letter[0] = r->moment[i].letter;
		if (at >= 0 && at < w)
			canvas_put(c, x + at, 0, ROLE_WARN, letter);
	}
	canvas_put(c, x + here, 0, ROLE_STRONG, "|");
}

/* A timeline of all of it, and where one is. */
static void
draw_replay(struct canvas *c, const struct view *v)
{
	const struct ui_replay *r = v->s->replay;
	int w = c->window.w, x = w >= 40 ? 1 : 0;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	where_text(&b, r);
	x += canvas_textn(c, x, 0, w, ROLE_STRONG, buf_cstr(&b)) + 1;
	if (w - x - 1 >= LINE_MIN)
		draw_line(c, r, x, w - x - 1);
}

static int
words_width(const char *keys, const char *name)
{
	return canvas_width(keys) + 1 + canvas_width(name) + 2;
}

/* Do keys go through time? */
static bool
time_stands(const struct view *v)
{
	return v->s->replay != NULL || v->when.paused;
}

/* In the detail Esc is the way back; there Enter opens nothing more. */
static const char *
key_word(const struct view *v, const struct key *k)
{
	if (v->kind != VIEW_DETAIL)
		return k->name;
	return k->code[0] == KEY_ESCAPE   ? "back"
	       : k->code[0] != KEY_RETURN ? k->name
	       : v->s->replay == NULL     ? "more"
					  : NULL;
}

/* Has it a word for this line, and a use for what is on the screen? */
static bool
in_line(const struct view *v, const struct key *k)
{
	if (key_word(v, k) == NULL ||
	    (time_stands(v) && replay_key_find(k->code[0]) != NULL))
		return false;
	return v->s->replay == NULL || !k->live;
}

enum { RANKS = 32 };

/* Cells that the keys of each rank take. */
static void
rank_widths(const struct view *v, int need[RANKS])
{
	for (int r = 0; r < RANKS; r++)
		need[r] = 0;
	for (const struct key *k = v->keys; k->code[0] != 0; k++)
		if (in_line(v, k) && k->rank >= 0 && k->rank < RANKS)
			need[k->rank] += words_width(k->keys, key_word(v, k));
}

static const char *
time_keys(const struct replay_key *k)
{
	return k->line != NULL ? k->line : k->keys;
}

/* Its word for this line; NULL: it has none, or the live program has no such
 * key. */
static const char *
time_name(const struct view *v, const struct replay_key *k)
{
	const struct ui_replay *r = v->s->replay;

	if (r == NULL && key_find(v->keys, k->code[0]) == NULL)
		return NULL;
	if (k->wish == UI_REPLAY_PAUSE && (r == NULL || r->paused))
		return "go on";
	return k->name;
}

/* How many of the keys of time fit; those of an ending w less. */
static unsigned
time_keys_that_fit(const struct view *v, int *w)
{
	const struct replay_key *k;
	unsigned i = 0;

	for (; (k = replay_key_at(i)) != NULL; i++) {
		const char *name = time_name(v, k);
		int need = name != NULL ? words_width(time_keys(k), name) : 0;

		if (need > *w)
			break;
		*w -= need;
	}
	return i;
}

/*
 * Keys of one rank come together or not at all; quit (rank 0) always does.
 * Those of time come after the help (rank 1).
 */
static uint32_t
ranks_that_fit(const struct view *v, int w, unsigned *of_time)
{
	uint32_t fit = 0;
	int need[RANKS];

	*of_time = 0;
	w += 2; /* no gap behind the last */
	rank_widths(v, need);
	for (int r = 0; r < RANKS; r++) {
		if (need[r] <= w) {
			fit |= (uint32_t)1 << r;
			w -= need[r];
		}
		if (r == 1 && time_stands(v))
			*of_time = time_keys_that_fit(v, &w);
	}
	return fit;
}

static int
draw_words(struct canvas *c, const struct view *v, int x, int y, int code,
	   const char *keys, const char *name, bool on)
{
	view_hit(v, c, x, y, words_width(keys, name) - 2, code);
	x += canvas_text(c, x, y, ROLE_STRONG, keys) + 1;
	return x + 2 +
	       canvas_text(c, x, y, on ? ROLE_STRONG : ROLE_BAR_DIM, name);
}

static int
draw_key(struct canvas *c, const struct view *v, int x, const struct key *k)
{
	return draw_words(c, v, x, c->window.h - 1, k->code[0], k->keys,
			  key_word(v, k),
			  k->view == view_go && k->arg == (int)v->kind);
}

/* The first n of them. */
static int
draw_time_keys(struct canvas *c, const struct view *v, int x, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const struct replay_key *k = replay_key_at(i);
		const char *name = time_name(v, k);

		if (name != NULL)
			x = draw_words(c, v, x, c->window.h - 1, k->code[0],
				       time_keys(k), name, false);
	}
	return x;
}

static void
draw_keys(struct canvas *c, const struct view *v, int x)
{
	unsigned of_time;
	uint32_t ranks = ranks_that_fit(v, c->window.w - x, &of_time);

	for (const struct key *k = v->keys; k->code[0] != 0; k++) {
		if (in_line(v, k) && (ranks >> k->rank & 1) != 0)
			x = draw_key(c, v, x, k);
		if (k->rank == 1)
			x = draw_time_keys(c, v, x, of_time);
	}
}

/* The longest that fits; what is wrong goes before. */
static void
draw_filter_help(struct canvas *c, const struct view *v, int x)
{
	static const char *const of_processes[] = {
		("clang, root, 4411, 400-499, ipc<1, cpu>5; blanks mean and, commas or; Enter keeps, Esc drops"),
		"clang, root, 4411, ipc<1, cpu>5   Enter keeps, Esc drops",
		"clang, 4411, ipc<1   Enter, Esc",
	};
	static const char *const of_cores[] = {
		("P0, E,P1, 4-7, die1, Perf, ipc<1, busy>=50; blanks mean and, commas or; Enter keeps, Esc drops"),
		"P0, E, 4-7, die1, ipc<1, busy>=50   Enter keeps, Esc drops",
		"P0, 4-7, ipc<1   Enter, Esc",
	};
	bool processes = v->kind == VIEW_PROCESSES;
	const char *const *help = processes ? of_processes : of_cores;
	const char *wrong = view_filter_wrong(v, view_rows_now(v));

	if (wrong != NULL) {
		canvas_text(c, x, 0, ROLE_WARN, wrong);
		return;
	}
	for (unsigned i = 0; i < sizeof of_cores / sizeof *of_cores; i++)
		if (x + canvas_width(help[i]) < c->window.w) {
			canvas_text(c, x, 0, ROLE_BAR_DIM, help[i]);
			return;
		}
}

/* "/text_": what is typed; where it ends. */
static int
draw_typed(struct canvas *c, const char *text)
{
	int x = 1 + canvas_text(c, 1, 0, ROLE_STRONG, "/");

	x += canvas_text(c, x, 0, ROLE_STRONG, text);
	return x + canvas_text(c, x, 0, ROLE_STRONG, "_");
}

/* Which keys are those of what lies over the screen; KEY_PLACES: nothing. */
#define OVERLAY_PLACE(constant, name, place) [constant] = place,
static enum key_place
place_of(const struct view *v)
{
	static const enum key_place place[] = { [OVERLAY_NONE] = KEY_PLACES,
						OVERLAYS(OVERLAY_PLACE) };

	if (v->over.which == OVERLAY_NONE && v->kind == VIEW_PROCESSES &&
	    !time_stands(v))
		return KEY_PLACE_PROCESSES;
	if (v->over.which != OVERLAY_PICKER)
		return place[v->over.which];
	return v->over.picker.naming   ? KEY_PLACE_NAMING
	       : v->over.picker.typing ? KEY_PLACE_SEARCH
				       : KEY_PLACE_PICKER;
}

/* Cells that the last key of the place takes: how to leave. */
static int
last_width(enum key_place place)
{
	const struct place_key *k;
	int w = 0;

	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++)
		if (k->place == place)
			w = words_width(k->keys, k->name);
	return w;
}

/* Those that fit; in a view the last of them always does. */
static void
draw_place(struct canvas *c, const struct view *v, int x, enum key_place place)
{
	const struct place_key *k;
	int room = c->window.w;

	if (place == KEY_PLACE_PROCESSES)
		room -= last_width(place);
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++) {
		int name_x = x + canvas_width(k->keys) + 1;
		int end = name_x + canvas_width(k->name);

		if (k->place == place && k->code == 'q')
			room = c->window.w;
		if (k->place != place || end > room)
			continue;
		if (k->code != KEY_NONE)
			view_hit(v, c, x, 0, end - x, k->code);
		canvas_text(c, x, 0, ROLE_STRONG, k->keys);
		canvas_text(c, name_x, 0, ROLE_BAR_DIM, k->name);
		x = end + 2;
	}
}

/*
 * A message, with "q quit" kept at the right end where that is what q does;
 * a longer one over as many lines as it needs, up to a third of the screen.
 */
void
panel_message_draw(struct canvas *c, const struct view *v)
{
	bool quits = !v->line.asking && v->over.which != OVERLAY_PICKER &&
		     c->w >= 40;
	int room = c->w - (quits ? 10 : 2);
	int most = c->h / 3 > 0 ? c->h / 3 : 1;
	int h = canvas_wrap(NULL, (struct rect){ 1, 0, room, 0 }, ROLE_WARN,
			    v->line.message);

	bool cut = h > most;

	if (cut)
		h = most;
	canvas_window(c, (struct rect){ 0, c->h - h, c->w, h });
	c->under = ROLE_BAR;
	canvas_fill(c, (struct rect){ 0, 0, c->w, h }, ROLE_BAR, " ");
	canvas_wrap(c, (struct rect){ 1, 0, room, h }, ROLE_WARN,
		    v->line.message);
	if (cut)
		canvas_text(c, room - 1, h - 1, ROLE_WARN, "..");
	canvas_window(c, (struct rect){ 0, c->h - 1, c->w, 1 });
	c->under = ROLE_BAR;
	if (quits)
		draw_key(c, v, c->w - 7, key_find(v->keys, 'q'));
}

int
panel_keys_rows(const struct view *v, int w)
{
	(void)w;
	return v->s->replay != NULL ? 2 : 1;
}

void
panel_keys_draw(struct canvas *c, const struct view *v)
{
	enum key_place place = place_of(v);
	struct rect r = c->window;
	int x = r.w >= 40 ? 1 : 0;

	c->under = ROLE_BAR;
	canvas_fill(c, (struct rect){ 0, 0, r.w, r.h }, ROLE_BAR, " ");
	if (r.h > 1) {
		draw_replay(c, v);
		canvas_window(c, (struct rect){ r.x, r.y + r.h - 1, r.w, 1 });
		c->under = ROLE_BAR;
	}
	if (v->line.typing) {
		draw_filter_help(c, v,
				 draw_typed(c, view_rows_now(v)->filter) + 2);
		return;
	}
	if (v->over.which == OVERLAY_HELP && v->over.help.typing) {
		canvas_text(c, draw_typed(c, v->over.help.text) + 2, 0,
			    ROLE_BAR_DIM, "Enter finds, Esc leaves it");
		return;
	}
	if (v->line.message != NULL) /* drawn last, over all there is */
		return;
	if (place != KEY_PLACES)
		draw_place(c, v, x, place);
	else if (v->s->replay != NULL && r.h == 1)
		draw_replay(c, v);
	else
		draw_keys(c, v, x);
}
