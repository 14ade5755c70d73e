/* What keys and clicks ask for. */
#include "base/parse.h"
#include "ui/view/keys.h"
#include "ui/panels/panel.h"
#include "ui/theme/theme_walk.h"
#include "ui/ui.h"
#include "ui/ui_parts.h"

#include <string.h>

static struct ui_request
ask(enum ui_request_kind kind, int64_t arg)
{
	return (struct ui_request){ .kind = kind, .arg = arg };
}

enum { DELAY_MIN_NS = 10 * 1000 * 1000, PRESET_SAID = 160 };

static const struct ui_request nothing = { .kind = UI_NONE };

static const char recorded[] = "a recording has what was counted then";

/* What paces a recording is no interval. */
static bool
refuse_interval(struct ui *u)
{
	if (u->replay)
		ui_say(u, "a recording has its own intervals; < and > change "
			  "its pace");
	return u->replay;
}

static struct ui_request
ask_interval(struct ui *u, bool longer)
{
	static const int64_t ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	enum { N = sizeof ms / sizeof *ms };
	int64_t now = u->period_ns / 1000000;

	if (refuse_interval(u))
		return nothing;
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

/* A paused screen keeps its picture: there it is said what is counted. */
static struct ui_request
ask_possible(struct ui *u, int preset)
{
	char text[PRESET_SAID];
	struct buf b = buf_over(text, sizeof text);

	if (u->view->paused) {
		buf_str(&b, "counted from now on: ");
		buf_str(&b, view_preset(u->view, preset)->name);
		buf_str(&b, "; Space ends the pause and shows it");
		ui_say(u, buf_cstr(&b));
	}
	return ask(UI_PRESET, preset);
}

static struct ui_request
ask_preset(struct ui *u, int preset)
{
	if (possible(u, preset))
		return ask_possible(u, preset);
	if (preset >= 0 && preset < (int)view_presets(u->view))
		ui_say(u, u->replay
				  ? recorded
				  : "this machine has no event of that preset");
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
		/* By its own key it is tried again. */
		if (possible(u, k) && (u->preset_refused >> k & 1) == 0)
			return ask_possible(u, k);
	}
	if (u->replay)
		ui_say(u, recorded);
	return nothing;
}

static struct ui_request
ask_save(const struct ui *u)
{
	const struct view *v = u->view;
	struct ui_request r = ask(UI_SAVE, 0);

	/* A guess is for this terminal: the next one may be another. */
	r.chosen.theme = u->themes.guessed ? THEME_AUTO : u->themes.spec;
	struct buf pins = buf_over(r.chosen.pin, sizeof r.chosen.pin);

	struct buf filter = buf_over(r.chosen.filter, sizeof r.chosen.filter);

	view_pins_text(v, &pins);
	buf_str(&filter, v->filter[0] != 0 ? v->filter : "none");
	(void)buf_cstr(&filter);
	r.chosen.reverse = v->reverse;
	r.chosen.view = layout_view_name[v->kind];
	r.chosen.group = view_group_name[v->group];
	r.chosen.sort = v->sort == SORT_CPU ? "cpu"
			: v->sort == COLUMN_BUSY
				? "busy"
				: view_metric(v, v->sort)->name;
	return r;
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
	if (u->replay)
		ui_say(u, recorded);
	else
		ui_say(u,
		       v->slots_known
			       ? "Enter goes to what loses most issue slots: nothing stands out now"
			       : "Enter goes to what loses most issue slots: press 2 (topdown) first");
	return nothing;
}

static void
delay_say(struct ui *u)
{
	char text[UI_REPLAY_TYPED + 48];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "interval (1, 0.5, 250ms): ");
	buf_str(&b, u->delay.text);
	buf_char(&b, '_');
	ui_say(u, buf_cstr(&b));
}

/* A key of the interval that is typed: Enter takes it, Esc drops it. */
static struct ui_request
delay_key(struct ui *u, int key)
{
	size_t n = strlen(u->delay.text);
	int64_t ns;

	if (key == KEY_ESCAPE || key == KEY_CTRL_C || key == KEY_RETURN) {
		u->delay.on = false;
		if (key != KEY_RETURN || n == 0)
			return nothing;
		if (parse_duration(u->delay.text, &ns) && ns >= DELAY_MIN_NS)
			return ask(UI_INTERVAL, ns / 1000000);
		ui_say(u, "that is no interval; 1, 0.5, 250ms and 2s are");
		return nothing;
	}
	if (key == KEY_ERASE) {
		u->delay.text[n > 0 ? n - 1 : 0] = '\0';
	} else if (key > ' ' && key < 127 && n + 1 < sizeof u->delay.text) {
		u->delay.text[n] = (char)key;
		u->delay.text[n + 1] = '\0';
	}
	delay_say(u);
	return nothing;
}

/* Says what a key did that may not show on this screen. */
static void
say_group(struct ui *u)
{
	char text[80];
	struct buf b = buf_over(text, sizeof text);

	(void)view_act(u->view, ACTION_GROUP, -1);
	if (u->view->group == GROUP_NONE) {
		buf_str(&b, "cores are not grouped");
	} else {
		buf_str(&b, "cores are grouped by ");
		buf_str(&b, view_group_name[u->view->group]);
	}
	ui_say(u, buf_cstr(&b));
}

static void
pin(struct ui *u)
{
	(void)view_act(u->view, ACTION_PIN, -1);
	if (!u->view->cursor_on)
		ui_say(u, "choose a row first, with the arrows");
}

static void
delay_begin(struct ui *u)
{
	if (refuse_interval(u))
		return;
	u->delay = (struct replay_typing){ .on = true };
	delay_say(u);
}

/* What needs no more than the screen; false if the action is another. */
static bool
act_here(struct ui *u, enum action a, int key)
{
	switch (a) {
	case ACTION_VIEW:
		view_go(u->view, key_view(key));
		return true;
	case ACTION_GROUP:
		say_group(u);
		return true;
	case ACTION_PIN:
		pin(u);
		return true;
	case ACTION_BACK:
	case ACTION_FORTH:
	case ACTION_MINUTE_BACK:
	case ACTION_MINUTE_FORTH:
		if (u->replay) /* whose own keys they are, but not under this */
			ui_say(u, "Esc closes this first");
		else if (!u->view->paused)
			ui_say(u, "space freezes the view; then these keys go "
				  "back and forth in time");
		return view_act(u->view, a, u->preset);
	case ACTION_PAUSE:
		pause_toggle(u);
		return true;
	case ACTION_DELAY:
		delay_begin(u);
		return true;
	case ACTION_PICK:
		if (!u->replay)
			return view_act(u->view, a, u->preset);
		ui_say(u, recorded);
		return true;
	case ACTION_THEME:
		panel_themes_open(u->view);
		tty_forget(u->tty);
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
	case ACTION_INTERVAL:
		return ask_interval(u, key == '+');
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
		if (e.code != ERR_NONE && !u->view->picker.tells)
			ui_say(u, e.text);
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
		ui_say(u, buf_cstr(&b));
	}
	if (wish >= 0) {
		*r = ask(UI_REPLAY, wish);
		r->text = u->go_to.text;
	}
	return true;
}

/* Stops, and draws again, whatever is being typed. */
static bool
always(struct ui *u, int key, struct ui_request *r)
{
	if (key == KEY_CTRL_L)
		tty_forget(u->tty);
	else if (key == KEY_CTRL_Z)
		*r = ask(UI_SUSPEND, 0);
	else
		return false;
	return true;
}

/* A key of the screen itself, when nothing is typed. */
static struct ui_request
command(struct ui *u, int key)
{
	struct view *v = u->view;
	enum action a = key_action(key);

	if (a == ACTION_NONE || act_here(u, a, key))
		return nothing;
	if (v->overlay == OVERLAY_HELP && a != ACTION_QUIT)
		v->overlay = OVERLAY_NONE;
	return act(u, a, key);
}

static struct ui_request
key_request(struct ui *u, int key)
{
	struct view *v = u->view;
	struct ui_request r = nothing;

	if (key >= KEY_GO_PRESET) {
		v->overlay = OVERLAY_NONE;
		return ask_preset(u, key - KEY_GO_PRESET);
	}
	if (always(u, key, &r))
		return r;
	if (panel_themes_key(v, key)) {
		tty_forget(u->tty);
		return nothing;
	}
	if (v->overlay == OVERLAY_PICKER)
		return pick(u, key);
	if (v->typing) {
		view_type(v, key);
		return nothing;
	}
	if (u->delay.on)
		return delay_key(u, key);
	if (u->replay && v->overlay == OVERLAY_NONE &&
	    replay_request(u, key, &r))
		return r;
	return command(u, key);
}

struct ui_request
ui_input(struct ui *u, bool *redraw)
{
	for (int key; (key = tty_key(u->tty)) != KEY_NONE;) {
		*redraw = true;
		u->message_draws = 0;
		if (key >= KEY_MOUSE_CLICK)
			key = view_mouse(u->view, key);
		if (key == KEY_NONE)
			continue;
		struct ui_request r = key_request(u, key);

		if (r.kind == UI_NONE)
			continue;
		/* The answer may be the same as the last. */
		u->told[0] = '\0';
		return r;
	}
	return nothing;
}
