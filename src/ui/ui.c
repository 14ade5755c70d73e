#include "ui/ui.h"

#include "ui/keys.h"
#include "ui/panel.h"
#include "ui/still.h"
#include "ui/theme_walk.h"
#include "ui/replay.h"
#include "ui/tty.h"
#include "ui/view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 600, MESSAGE_DRAWS = 4 };

struct ui {
	struct tty *tty;
	struct canvas *canvas;
	struct view *view;
	struct theme theme;
	unsigned theme_at; /* in theme_names, of the key T */
	const char *sort;  /* wanted at the start; NULL: done */
	struct still still;
	struct still then; /* the same with the values of an earlier frame */
	bool freeze;       /* the next draw keeps its frame */
	char message[MESSAGE_SIZE];
	unsigned message_draws;  /* how often it is still shown */
	char told[MESSAGE_SIZE]; /* the application's last message */
	int64_t period_ns;
	int preset;
	uint32_t preset_possible;
	bool replay;
	struct replay_typing go_to;
};

static unsigned
past_values(const void *self, unsigned scope, unsigned metric, unsigned n,
	    float *out)
{
	return monitor_history(self, scope, metric, n, out);
}

static unsigned
past_times(const void *self, unsigned n, float *out)
{
	return monitor_history_times(self, n, out);
}

static double
past_last(const void *self, unsigned scope, unsigned metric, double *age_s)
{
	return monitor_last(self, scope, metric, age_s);
}

struct ui *
ui_open(const struct ui_options *o, struct err *e)
{
	struct ui *u = calloc(1, sizeof *u);

	if (u == NULL) {
		err_set(e, ERR_FAIL, "screen: out of memory");
		return NULL;
	}
	u->preset = -1;
	if (!theme_walk_start(&u->theme, &u->theme_at, o->theme, e) ||
	    (u->view = view_new(e)) == NULL ||
	    (u->tty = tty_open(o->color, o->glyphs, o->mouse, e)) == NULL ||
	    (u->canvas = canvas_new(tty_glyphs(u->tty), e)) == NULL) {
		ui_close(u);
		return NULL;
	}
	int w, h;

	if (o->view < VIEW_COUNT)
		u->view->kind = (enum layout_view)o->view;
	u->sort = o->sort;
	tty_size(u->tty, &w, &h);
	if (!canvas_resize(u->canvas, w, h, e)) {
		ui_close(u);
		return NULL;
	}
	return u;
}

void
ui_close(struct ui *u)
{
	if (u == NULL)
		return;
	tty_close(u->tty);
	canvas_free(u->canvas);
	view_free(u->view);
	still_free(&u->still);
	still_free(&u->then);
	free(u);
}

void
ui_rescue(void)
{
	tty_rescue();
}

void
ui_suspend(struct ui *u)
{
	tty_suspend(u->tty);
}

void
ui_resume(struct ui *u)
{
	tty_resume(u->tty);
	ui_resized(u);
}

int
ui_input_fd(const struct ui *u)
{
	return tty_input_fd(u->tty);
}

int
ui_output_fd(const struct ui *u)
{
	return tty_output_fd(u->tty);
}

bool
ui_flush(struct ui *u)
{
	return tty_flush(u->tty);
}

void
ui_resized(struct ui *u)
{
	int w, h;

	if (!tty_resized(u->tty))
		return;
	tty_size(u->tty, &w, &h);
	(void)canvas_resize(u->canvas, w, h, NULL);
}

bool
ui_paused(const struct ui *u)
{
	return u->view->paused;
}

/* messages */

static void
say(struct ui *u, const char *text)
{
	struct buf b = buf_over(u->message, sizeof u->message);

	buf_str(&b, text);
	buf_cstr(&b);
	u->message_draws = MESSAGE_DRAWS;
}

/* The application's message counts once, however often it is handed over. */
static void
hear(struct ui *u, const char *text)
{
	struct buf b = buf_over(u->told, sizeof u->told);

	if (text == NULL)
		text = "";
	if (strncmp(u->told, text, sizeof u->told - 1) == 0)
		return;
	buf_str(&b, text);
	buf_cstr(&b);
	if (text[0] != 0)
		say(u, text);
}

bool
ui_draw(struct ui *u, const struct monitor *m, const struct frame *f,
	const struct ui_status *s)
{
	struct view *v = u->view;
	struct ui_status status = *s;

	hear(u, s->message);
	u->period_ns = s->period_ns;
	u->preset = s->preset;
	u->preset_possible = s->preset_possible;
	u->replay = s->replay != NULL;
	status.skipped_refreshes += tty_skipped(u->tty);
	if (u->freeze && f != NULL) {
		v->paused = still_take(&u->still, f);
		u->freeze = false;
	}
	v->back = v->scrub;
	if (v->paused && f != NULL) {
		/* The past goes on: the newest of it lies ahead of us. */
		v->back += (unsigned)(f->seq - u->still.f.seq);
		f = v->scrub > 0 && still_then(&u->then, &u->still, v, m)
			    ? &u->then.f
			    : &u->still.f;
	}
	v->past = (struct past){ m, past_values, past_last, past_times };
	v->message = u->message_draws > 0 ? u->message : NULL;
	if (u->message_draws > 0)
		u->message_draws--;
	if (u->sort != NULL && f != NULL) {
		view_sort_by(v, &status, u->sort);
		u->sort = NULL;
	}
	if (!view_update(v, f, &status, u->canvas->w, u->canvas->h, NULL))
		return true; /* no memory for this machine's rows: skip it */
	view_draw(v, u->canvas);
	/* The status was only lent. */
	v->s = NULL;
	v->f = NULL;
	return tty_show(u->tty, u->canvas, &u->theme);
}

/* keys */

static struct ui_request
ask(enum ui_request_kind kind, int64_t arg)
{
	return (struct ui_request){ .kind = kind, .arg = arg };
}

static const struct ui_request nothing = { .kind = UI_NONE };

static struct ui_request
ask_interval(const struct ui *u, bool longer)
{
	static const int64_t ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	enum { N = sizeof ms / sizeof *ms };
	int64_t now = u->period_ns / 1000000;

	for (int i = 0; i < N; i++) {
		int k = longer ? i : N - 1 - i;

		if (longer ? ms[k] > now : ms[k] < now)
			return ask(UI_INTERVAL, ms[k]);
	}
	return nothing;
}

static bool
possible(const struct ui *u, int preset)
{
	return preset >= 0 && preset < (int)view_presets(u->view) &&
	       (u->preset_possible >> preset & 1) != 0;
}

static struct ui_request
ask_preset(struct ui *u, int preset)
{
	if (possible(u, preset))
		return ask(UI_PRESET, preset);
	if (preset >= 0 && preset < (int)view_presets(u->view))
		say(u, u->replay ? "a recording has what was counted then"
				 : "this machine has no event of that set");
	return nothing;
}

static struct ui_request
ask_key(struct ui *u, int key)
{
	for (unsigned i = 0; i < view_presets(u->view); i++)
		if (view_key(u->view, (int)i) == key)
			return ask_preset(u, (int)i);
	return nothing;
}

static struct ui_request
ask_neighbour(struct ui *u, int step)
{
	int n = (int)view_presets(u->view);

	for (int i = 1; i <= n; i++) {
		int k = ((u->preset + step * i) % n + n) % n;

		if (u->preset < 0)
			k = step > 0 ? i - 1 : n - i;
		if (possible(u, k))
			return ask(UI_PRESET, k);
	}
	return nothing;
}

static struct ui_request
ask_save(const struct ui *u)
{
	const struct view *v = u->view;
	struct ui_request r = ask(UI_SAVE, 0);

	r.chosen.theme =
		u->theme.path[0] != 0 && theme_names[u->theme_at] == NULL
			? u->theme.path
			: theme_names[u->theme_at];
	r.chosen.view = layout_view_name[v->kind];
	r.chosen.sort = v->sort == SORT_CPU ? "cpu"
			: v->sort == COLUMN_BUSY
				? "busy"
				: view_metric(v, v->sort)->name;
	return r;
}

static void
theme_next(struct ui *u)
{
	char text[512];

	theme_walk_next(&u->theme, &u->theme_at, text, sizeof text);
	if (text[0] != 0)
		say(u, text);
	tty_forget(u->tty);
}

static void
pause_toggle(struct ui *u)
{
	struct view *v = u->view;

	if (v->paused) {
		v->paused = u->freeze = false;
		v->scrub = 0;
	} else {
		/* At once, so that arrows behind it count; kept by the draw. */
		v->paused = u->freeze = true;
		v->scrub = 0;
	}
}

static struct ui_request
enter(struct ui *u)
{
	struct view *v = u->view;

	if (v->overlay == OVERLAY_PRESETS) {
		v->overlay = OVERLAY_NONE;
		return ask_preset(u, v->choice);
	}
	if (v->worst_preset >= 0)
		return ask_preset(u, v->worst_preset);
	return nothing;
}

/* What needs no more than the screen; false if the action is another. */
static bool
act_here(struct ui *u, enum action a)
{
	switch (a) {
	case ACTION_PAUSE:
		pause_toggle(u);
		return true;
	case ACTION_THEME:
		theme_next(u);
		return true;
	case ACTION_REDRAW:
		tty_forget(u->tty);
		return true;
	default:
		return view_act(u->view, a, u->preset);
	}
}

static struct ui_request
act(struct ui *u, enum action a, int key)
{
	switch (a) {
	case ACTION_QUIT:
		return ask(UI_QUIT, 0);
	case ACTION_PRESET:
		return ask_key(u, key);
	case ACTION_PRESET_PREVIOUS:
		return ask_neighbour(u, -1);
	case ACTION_PRESET_NEXT:
		return ask_neighbour(u, 1);
	case ACTION_SLOWER:
		return ask_interval(u, true);
	case ACTION_FASTER:
		return ask_interval(u, false);
	case ACTION_MARK:
		return ask(UI_MARK, 0);
	case ACTION_RECORD:
		return ask(UI_RECORD, 0);
	case ACTION_IPC:
		return ask(UI_IPC, 0);
	case ACTION_RETRY:
		return ask(UI_RETRY, 0);
	case ACTION_ROTATE:
		return ask(UI_ROTATE, 0);
	case ACTION_SUSPEND:
		return ask(UI_SUSPEND, 0);
	case ACTION_SAVE:
		return ask_save(u);
	case ACTION_ENTER:
		return enter(u);
	default:
		return nothing;
	}
}

/* A key for the picker, which types and so has keys of its own. */
static struct ui_request
pick(struct ui *u, int key)
{
	struct err e = { .code = ERR_NONE };
	struct ui_request r = nothing;

	switch (picker_key(&u->view->picker, key, &e)) {
	case PICKER_STAYS:
		if (e.code != ERR_NONE)
			say(u, e.text);
		return nothing;
	case PICKER_CLOSES:
		u->view->overlay = OVERLAY_NONE;
		return nothing;
	case PICKER_COUNTS:
		u->view->overlay = OVERLAY_NONE;
		r.kind = UI_EVENTS;
		r.events = &u->view->picker.chosen;
		return r;
	}
	return nothing;
}

/* A key that only replays have; what is typed shows as a message. */
static bool
replay_request(struct ui *u, int key, struct ui_request *r)
{
	char text[UI_REPLAY_TYPED + 16];
	struct buf b = buf_over(text, sizeof text);
	int wish;

	*r = nothing;
	if (!replay_key(&u->go_to, key, &wish))
		return false;
	if (u->go_to.on) {
		buf_str(&b, "go to: ");
		buf_str(&b, u->go_to.text);
		buf_char(&b, '_');
		say(u, buf_cstr(&b));
	}
	if (wish >= 0) {
		*r = ask(UI_REPLAY, wish);
		r->text = u->go_to.text;
	}
	return true;
}

struct ui_request
ui_input(struct ui *u, bool *redraw)
{
	struct view *v = u->view;

	for (int key; (key = tty_key(u->tty)) != KEY_NONE;) {
		enum action a = key_action(key);

		*redraw = true;
		u->message_draws = 0;
		if (key >= KEY_MOUSE_CLICK) {
			view_mouse(v, key);
			continue;
		}
		if (v->overlay == OVERLAY_PICKER) {
			struct ui_request r = pick(u, key);

			if (r.kind != UI_NONE)
				return r;
			continue;
		}
		if (v->typing) {
			view_type(v, key);
			continue;
		}
		if (u->replay && v->overlay == OVERLAY_NONE) {
			struct ui_request r;

			if (replay_request(u, key, &r)) {
				if (r.kind != UI_NONE)
					return r;
				continue;
			}
		}
		if (a == ACTION_NONE || act_here(u, a))
			continue;
		if (v->overlay == OVERLAY_HELP && a != ACTION_QUIT)
			v->overlay = OVERLAY_NONE;
		struct ui_request r = act(u, a, key);

		if (r.kind != UI_NONE)
			return r;
	}
	return nothing;
}
