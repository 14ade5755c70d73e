#include "ui/ui.h"

#include "ui/keys.h"
#include "ui/panel.h"
#include "ui/tty.h"
#include "ui/view.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_SIZE = 600, MESSAGE_DRAWS = 4 };

/* The frame that stays while the view is paused, with arrays of its own. */
struct still {
	struct frame f;
	struct eventset set;
	struct tally *tally;
	double *value;
	uint8_t *state;
	unsigned nscopes, nmetrics; /* room in the arrays */
};

struct ui {
	struct tty *tty;
	struct canvas *canvas;
	struct view *view;
	struct theme theme;
	unsigned theme_at; /* in theme_names, of the key T */
	struct still still;
	bool freeze; /* the next draw keeps its frame */
	char message[MESSAGE_SIZE];
	unsigned message_draws;  /* how often it is still shown */
	char told[MESSAGE_SIZE]; /* the application's last message */
	int64_t period_ns;
	int preset;
	uint32_t preset_possible;
};

static unsigned
past_values(const void *self, unsigned scope, unsigned metric, unsigned n,
	    float *out)
{
	return monitor_history(self, scope, metric, n, out);
}

static double
past_last(const void *self, unsigned scope, unsigned metric, double *age_s)
{
	return monitor_last(self, scope, metric, age_s);
}

/*
 * COLORFGBG ("15;0", "0;default;15") is set by rxvt, konsole and others; its
 * last number is the background among the 16.
 */
static bool
terminal_is_light(void)
{
	const char *colors = getenv("COLORFGBG");
	const char *last = colors != NULL ? strrchr(colors, ';') : NULL;

	return last != NULL &&
	       (strcmp(last, ";7") == 0 || strcmp(last, ";15") == 0);
}

static bool
theme_choose(struct ui *u, const char *name, struct err *e)
{
	const char *wanted = name != NULL ? name : getenv("KTOP_THEME");

	theme_default(&u->theme);
	if (wanted == NULL || wanted[0] == 0)
		wanted = terminal_is_light() ? "light" : "default";
	for (unsigned i = 0; theme_names[i] != NULL; i++)
		if (strcmp(theme_names[i], wanted) == 0)
			u->theme_at = i;
	/* A guess must not fail where no theme file is installed. */
	return theme_load(wanted, &u->theme, e) ||
	       (name == NULL && strcmp(wanted, "light") == 0);
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
	if (!theme_choose(u, o->theme, e) || (u->view = view_new(e)) == NULL ||
	    (u->tty = tty_open(o->color, o->glyphs, e)) == NULL ||
	    (u->canvas = canvas_new(tty_glyphs(u->tty), e)) == NULL) {
		ui_close(u);
		return NULL;
	}
	int w, h;

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
	free(u->still.tally);
	free(u->still.value);
	free(u->still.state);
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

/* the frozen frame */

static bool
still_room(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (f->nscopes <= s->nscopes && f->nmetrics <= s->nmetrics)
		return true;
	free(s->tally);
	free(s->value);
	free(s->state);
	s->tally = calloc(f->nscopes, sizeof *s->tally);
	s->value = calloc(values, sizeof *s->value);
	s->state = calloc(values, sizeof *s->state);
	s->nscopes = f->nscopes;
	s->nmetrics = f->nmetrics;
	if (s->tally != NULL && s->value != NULL && s->state != NULL)
		return true;
	s->nscopes = s->nmetrics = 0;
	return false;
}

static bool
still_take(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (!still_room(s, f))
		return false;
	s->f = *f;
	s->set = *f->set;
	memcpy(s->tally, f->tally, f->nscopes * sizeof *s->tally);
	memcpy(s->value, f->value, values * sizeof *s->value);
	memcpy(s->state, f->state, values);
	s->f.set = &s->set;
	s->f.tally = s->tally;
	s->f.value = s->value;
	s->f.state = s->state;
	return true;
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
	status.skipped_refreshes += tty_skipped(u->tty);
	if (u->freeze && f != NULL) {
		v->paused = still_take(&u->still, f);
		v->scrub = 0;
		u->freeze = false;
	}
	v->back = v->scrub;
	if (v->paused && f != NULL) {
		/* The past goes on: the newest of it lies ahead of us. */
		v->back += (unsigned)(f->seq - u->still.f.seq);
		f = &u->still.f;
	}
	v->past = (struct past){ m, past_values, past_last };
	v->message = u->message_draws > 0 ? u->message : NULL;
	if (u->message_draws > 0)
		u->message_draws--;
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
	return (struct ui_request){ kind, arg };
}

static const struct ui_request nothing = { UI_NONE, 0 };

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
	return preset >= 0 && preset < (int)preset_count &&
	       (u->preset_possible >> preset & 1) != 0;
}

static struct ui_request
ask_preset(struct ui *u, int preset)
{
	if (possible(u, preset))
		return ask(UI_PRESET, preset);
	if (preset >= 0 && preset < (int)preset_count)
		say(u, "this machine has no event of that set");
	return nothing;
}

static struct ui_request
ask_key(struct ui *u, int key)
{
	for (unsigned i = 0; i < preset_count; i++)
		if (preset_table[i].key == key)
			return ask_preset(u, (int)i);
	return nothing;
}

static struct ui_request
ask_neighbour(struct ui *u, int step)
{
	int n = (int)preset_count;

	for (int i = 1; i <= n; i++) {
		int k = ((u->preset + step * i) % n + n) % n;

		if (u->preset < 0)
			k = step > 0 ? i - 1 : n - i;
		if (possible(u, k))
			return ask(UI_PRESET, k);
	}
	return nothing;
}

static void
theme_next(struct ui *u)
{
	struct err e = { .code = ERR_NONE };
	char text[128];
	struct buf b = buf_over(text, sizeof text);

	/* Themes that are not installed are passed over; bad ones are said. */
	for (unsigned tries = 0; tries < 32; tries++) {
		u->theme_at++;
		if (theme_names[u->theme_at] == NULL)
			u->theme_at = 0;
		if (theme_load(theme_names[u->theme_at], &u->theme, &e)) {
			buf_str(&b, "theme ");
			buf_str(&b, theme_names[u->theme_at]);
			say(u, buf_cstr(&b));
			break;
		}
		if (strstr(e.text, "not found") == NULL) {
			say(u, e.text);
			break;
		}
	}
	tty_forget(u->tty);
}

static void
pause_toggle(struct ui *u)
{
	struct view *v = u->view;

	if (v->paused) {
		v->paused = false;
		v->scrub = 0;
	} else {
		u->freeze = true;
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
	case ACTION_ENTER:
		return enter(u);
	default:
		return nothing;
	}
}

struct ui_request
ui_input(struct ui *u, bool *redraw)
{
	struct view *v = u->view;

	for (int key; (key = tty_key(u->tty)) != KEY_NONE;) {
		enum action a = key_action(key);

		*redraw = true;
		u->message_draws = 0;
		if (v->typing) {
			view_type(v, key);
			continue;
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
