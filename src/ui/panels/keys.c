#include "base/buf.h"
#include "ui/panels/inner.h"
#include "ui/view/keys.h"

#include <string.h>

enum { LINE_MIN = 8 };

static const char *
clock_text(char to[PRINTED_SIZE], double s)
{
	/* A time is rounded, because a frame may be slightly late. */
	unsigned all = s > 0 ? (unsigned)(s + 0.5) : 0;

	return all >= 3600 ? buf_printed(to, "%u:%02u:%02u", all / 3600,
					 all / 60 % 60, all % 60)
			   : buf_printed(to, "%u:%02u", all / 60, all % 60);
}

static void
replay_position_text(struct buf *b, const struct ui_replay *r)
{
	char at[PRINTED_SIZE], end[PRINTED_SIZE];

	buf_printf(b, "%s/%s sample %llu/%llu%s", clock_text(at, r->time_s),
		   clock_text(end, r->length_s), (unsigned long long)r->number,
		   (unsigned long long)r->last,
		   r->ended    ? " end"
		   : r->paused ? " stopped"
			       : " x");
	if (!r->ended && !r->paused)
		buf_decimal(b, r->speed, 3);
}

static int
timeline_cell(const struct ui_replay *r, uint64_t frame, int w)
{
	if (r->frames < 2)
		return 0;
	return (int)((double)frame / (double)(r->frames - 1) * (w - 1) + 0.5);
}

static void
draw_timeline(struct canvas *c, const struct ui_replay *r, int x, int w)
{
	int here = timeline_cell(r, r->at, w);
	char letter[2] = { 0, 0 };

	for (int i = 0; i < w; i++)
		canvas_put(c, x + i, 0, i <= here ? ROLE_BAR : ROLE_BAR_DIM,
			   i <= here ? "=" : "-");
	for (unsigned i = 0; i < r->nmoments; i++) {
		int at = timeline_cell(r, r->moment[i].frame, w);

		letter[0] = r->moment[i].letter;
		if (at >= 0 && at < w)
			canvas_put(c, x + at, 0, ROLE_WARN, letter);
	}
	canvas_put(c, x + here, 0, ROLE_STRONG, "|");
}

static void
draw_replay(struct canvas *c, const struct view *v)
{
	const struct ui_replay *r = v->s->replay;
	int w = c->window.w, x = w >= 40 ? 1 : 0;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	replay_position_text(&b, r);
	x += canvas_textn(c, x, 0, w, ROLE_STRONG, buf_cstr(&b)) + 1;
	if (w - x - 1 >= LINE_MIN)
		draw_timeline(c, r, x, w - x - 1);
}

static bool
is_time_stopped(const struct view *v)
{
	return v->s->replay != NULL || v->when.paused;
}

/* Returns the word beside a key; NULL: the key is not shown. */
static const char *
key_word(const struct view *v, const struct key *k)
{
	if (v->reference.then != NULL && k->code[0] == KEY_ESCAPE)
		return "end comparison";
	if (v->reference.then != NULL && k->code[0] == 'R')
		return "set reference";
	if (v->kind != VIEW_DETAIL)
		return k->name;
	return k->code[0] == KEY_ESCAPE   ? "back"
	       : k->code[0] != KEY_RETURN ? k->name
	       : v->s->replay == NULL     ? "more"
					  : NULL;
}

static bool
is_key_in_line(const struct view *v, const struct key *k)
{
	if (key_word(v, k) == NULL ||
	    (is_time_stopped(v) && replay_key_find(k->code[0]) != NULL))
		return false;
	return v->s->replay == NULL || !k->live;
}

/* Returns the word of a key that moves in time; NULL: the key is not shown. */
static const char *
time_key_word(const struct view *v, const struct replay_key *k)
{
	const struct ui_replay *r = v->s->replay;

	if (r == NULL && key_find(v->keys, k->code[0]) == NULL)
		return NULL;
	if (k->wish == UI_REPLAY_PAUSE && (r == NULL || r->paused))
		return "resume";
	return k->name;
}

enum { TIME_KEYS = 13 };

static int
key_rank(const struct view *v, const struct key *k)
{
	if (k->code[0] == 'R' && (v->when.paused || v->reference.then != NULL))
		return 2;
	if (k->code[0] == KEY_ESCAPE && v->reference.then != NULL)
		return 2;
	return k->rank > 1 ? k->rank + TIME_KEYS : k->rank;
}

/* Live, PgUp also goes back a minute, so the minute's key is dropped early. */
static int
time_rank(const struct view *v, const struct replay_key *k, unsigned i)
{
	bool minute = k->wish == UI_REPLAY_MINUTE_BACK && v->s->replay == NULL;

	return minute ? 2 + TIME_KEYS : 3 + (int)i;
}

/* Adds the keys of the view; those that move in time follow the help key. */
static void
add_keys(struct line *l, const struct view *v)
{

	for (const struct key *k = v->keys; k->code[0] != 0; k++) {
		const struct replay_key *r;

		if (is_key_in_line(v, k))
			line_key(l, key_rank(v, k), k->code[0], k->keys,
				 key_word(v, k),
				 k->view == view_go && k->arg == (int)v->kind);
		for (unsigned i = 0; k->rank == 1 && is_time_stopped(v) &&
				     (r = replay_key_at(i)) != NULL;
		     i++)
			if (time_key_word(v, r) != NULL)
				line_key(l, time_rank(v, r, i), r->code[0],
					 r->line != NULL ? r->line : r->keys,
					 time_key_word(v, r), false);
	}
}

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

static int
draw_typed(struct canvas *c, const char *text)
{
	int x = 1 + canvas_text(c, 1, 0, ROLE_STRONG, "/");

	x += canvas_text(c, x, 0, ROLE_STRONG, text);
	return x + canvas_text(c, x, 0, ROLE_STRONG, "_");
}

/* Returns the place whose keys are active; KEY_PLACES: the view. */
#define OVERLAY_PLACE(constant, name, place) [constant] = place,
static enum key_place
find_key_place(const struct view *v)
{
	static const enum key_place place[] = { [OVERLAY_NONE] = KEY_PLACES,
						OVERLAYS(OVERLAY_PLACE) };

	if (v->over.which == OVERLAY_NONE && v->kind == VIEW_PROCESSES &&
	    !is_time_stopped(v))
		return KEY_PLACE_PROCESSES;
	if (v->over.which != OVERLAY_PICKER)
		return place[v->over.which];
	return v->over.picker.naming ? KEY_PLACE_NAMING : KEY_PLACE_PICKER;
}

/* The key q of the process view is never dropped. */
static void
add_place_keys(struct line *l, enum key_place place)
{
	const struct place_key *k;

	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++)
		if (k->place == place)
			line_key(l,
				 k->code == 'q' && place == KEY_PLACE_PROCESSES
					 ? 0
					 : 1 + (int)l->len,
				 k->code, k->keys, k->name, false);
}

/* A long message takes up to a third of the screen. "q quit" stays visible if q
 * quits and the screen is wide enough. */
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
	if (quits) {
		struct line l = { .len = 0 };
		const struct key *k = key_find(v->keys, 'q');

		line_key(&l, 0, k->code[0], k->keys, k->name, false);
		line_fit(&l, c->w);
		line_draw(&l, c, v, c->w - 7 - LINE_KEY_GAP, 0);
	}
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
	enum key_place place = find_key_place(v);
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
	if (v->line.message != NULL)
		return;
	if (place == KEY_PLACES && v->s->replay != NULL && r.h == 1) {
		draw_replay(c, v);
		return;
	}
	struct line l = { .len = 0 };

	if (place != KEY_PLACES)
		add_place_keys(&l, place);
	else
		add_keys(&l, v);
	line_fit(&l, c->window.w - x + LINE_KEY_GAP);
	line_draw(&l, c, v, x - LINE_KEY_GAP, 0);
}
