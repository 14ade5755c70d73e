#include "ui/view/keys.h"

#include "ui/draw/keycode.h"
#include "ui/view/replay.h"

#include <stddef.h>
#include <string.h>

/* clang-format off */
const struct key key_table[] = {
	{ { '?', 'h', KEY_FUNCTION_1 }, "?", "help", "every key, column and letter (also h, F1)", ACTION_HELP, 1 },
	{ { ' ', 'p' }, "space", "pause", "freeze the view; counting and recording go on (also p)", ACTION_PAUSE, 2 },
	{ { '+', '-' }, "+/-", "interval", "longer, shorter interval: 0.1, 0.2, 0.5, 1, 2, 5, 10 s", ACTION_INTERVAL, 5 },
	{ { 'd' }, "d", NULL, "ask for the interval: 1, 0.5, 250ms, 2s", ACTION_DELAY, 0 },
	{ { '1', '2', '3', '4', '5', '6', '7', '8', '9' }, "1-9", "preset", "count another preset, a set of events", ACTION_PRESET, 3 },
	{ { '0' }, "0", NULL, "list of all presets, with the questions they answer", ACTION_PRESETS, 0 },
	{ { '[' }, "[", NULL, "previous preset", ACTION_PRESET_PREVIOUS, 0 },
	{ { ']' }, "]", NULL, "next preset", ACTION_PRESET_NEXT, 0 },
	{ { 'e' }, "e", "pick", "choose the events one by one", ACTION_PICK, 7 },
	{ { KEY_TAB }, "Tab", "view", "next view: overview, cores, history, bottlenecks, events, detail", ACTION_VIEW_NEXT, 4 },
	{ { KEY_BACK_TAB }, "S-Tab", NULL, "previous view", ACTION_VIEW_PREVIOUS, 0 },
	{ { 'O' }, "O", "overview", "view: clusters, cores, charts, all at once", ACTION_VIEW, 12 },
	{ { 'C' }, "C", "cores", "view: the list of cores alone", ACTION_VIEW, 12 },
	{ { 'H' }, "H", "history", "view: charts of the past", ACTION_VIEW, 12 },
	{ { 'B' }, "B", "bottlenecks", "view: what the issue slots are lost to", ACTION_VIEW, 12 },
	{ { 'E' }, "E", "events", "view: what is counted, trust and own cost", ACTION_VIEW, 12 },
	{ { 'D' }, "D", "detail", "view: all that is known of the selected row", ACTION_VIEW, 12 },
	{ { 's', KEY_FUNCTION_6 }, "s", "sort", "sort cores by the next column (also F6)", ACTION_SORT, 8 },
	{ { 'S' }, "S", NULL, "sort cores by the column before", ACTION_SORT_PREVIOUS, 0 },
	{ { 'r' }, "r", NULL, "reverse the order", ACTION_REVERSE, 0 },
	{ { '/' }, "/", "filter", "show some cores only: P0, E, 4-7, die1, ipc<1, busy>=50; blanks mean and", ACTION_FILTER, 9 },
	{ { KEY_FUNCTION_3, KEY_FUNCTION_4, '\\' }, "F3", NULL, "filter, too (also F4, \\)", ACTION_FILTER, 0 },
	{ { 'g' }, "g", "group", "divide cores by cluster, kind, die, or not, with a row for each", ACTION_GROUP, 13 },
	{ { 'P' }, "P", NULL, "pin the selected row on top (letter p), or let it go", ACTION_PIN, 0 },
	{ { 'l' }, "l", NULL, "layout of the overview: boxes, or more rows without them", ACTION_DENSE, 0 },
	{ { 'm' }, "m", "mark", "put a mark into the recording", ACTION_MARK, 10 },
	{ { 'c' }, "c", "record", "start or stop the recording to CSV", ACTION_RECORD, 6 },
	{ { 'T' }, "T", "theme", "list of themes, each tried at once; Enter keeps, Esc goes back", ACTION_THEME, 11 },
	{ { 'M' }, "M", "metric", "next metric in the chart", ACTION_CHART, 14 },
	{ { 'z' }, "z", NULL, "time in the chart: a frame a dot, 1, 5, 15 minutes, 1 hour, all", ACTION_SPAN, 0 },
	{ { 'i' }, "i", "IPC", "give the counters back (IPC only), or take them", ACTION_IPC, 15 },
	{ { 'R' }, "R", "rotate", "let the presets take turns, or stop that", ACTION_ROTATE, 16 },
	{ { 'x' }, "x", NULL, "program the counters again after another tool took them", ACTION_RETRY, 0 },
	{ { 'W' }, "W", NULL, "save theme, interval, preset, view, order, filter, groups, pins in ktoprc", ACTION_SAVE, 0 },
	{ { KEY_RETURN }, "Enter", NULL, "go to the preset that explains the worst bottleneck", ACTION_ENTER, 0 },
	{ { KEY_UP_ARROW, 'k' }, "up", NULL, "previous row (also k)", ACTION_UP, 0 },
	{ { KEY_DOWN_ARROW, 'j' }, "down", NULL, "next row (also j)", ACTION_DOWN, 0 },
	{ { KEY_PAGE_UP }, "PgUp", NULL, "a page up", ACTION_PAGE_UP, 0 },
	{ { KEY_PAGE_DOWN }, "PgDn", NULL, "a page down", ACTION_PAGE_DOWN, 0 },
	{ { KEY_TO_HOME }, "Home", NULL, "first row", ACTION_HOME, 0 },
	{ { KEY_TO_END, 'G' }, "End", NULL, "last row (also G)", ACTION_END, 0 },
	{ { KEY_LEFT_ARROW }, "left", NULL, "paused: the whole screen one frame back in time", ACTION_BACK, 0 },
	{ { KEY_RIGHT_ARROW }, "right", NULL, "paused: one frame forth in time", ACTION_FORTH, 0 },
	{ { '<', ',' }, "<", NULL, "paused: a minute back, as far as the last hour", ACTION_MINUTE_BACK, 0 },
	{ { '>', '.' }, ">", NULL, "paused: a minute forth", ACTION_MINUTE_FORTH, 0 },
	{ { KEY_ESCAPE }, "Esc", NULL, "close what lies over the screen, clear the filter, then the cursor", ACTION_CLOSE, 0 },
	{ { KEY_CTRL_L }, "^L", NULL, "draw everything again", ACTION_REDRAW, 0 },
	{ { KEY_CTRL_Z }, "^Z", NULL, "stop ktop; the counters are given back till fg", ACTION_SUSPEND, 0 },
	{ { 'q', KEY_FUNCTION_10, KEY_CTRL_C }, "q", "quit", "leave, counters given back (also F10, ^C; in a prompt or list ^C closes that)", ACTION_QUIT, 0 },
};
/* clang-format on */
const unsigned key_count = sizeof key_table / sizeof *key_table;

const char *const key_place_name[] = {
	[KEY_PLACE_HELP] = "the help",
	[KEY_PLACE_PRESETS] = "the list of presets",
	[KEY_PLACE_PICKER] = "the picker",
	[KEY_PLACE_NAMING] = "the picker, while a name is typed",
	[KEY_PLACE_THEMES] = "the list of themes",
};

/* Of each place the first two are the last to go where there is no room. */
/* clang-format off */
static const struct place_key place_table[] = {
	{ KEY_PLACE_HELP, KEY_ESCAPE, "Esc", "close", "close it (also ?)" },
	{ KEY_PLACE_HELP, KEY_DOWN_ARROW, "arrows", "scroll", "scroll by a line" },
	{ KEY_PLACE_HELP, KEY_PAGE_DOWN, "PgUp/PgDn", "page", "by a page; Home and End go to the ends" },
	{ KEY_PLACE_HELP, 'q', "q", "quit", "leave ktop" },
	{ KEY_PLACE_PRESETS, KEY_RETURN, "Enter", "count it", "count the preset under the cursor" },
	{ KEY_PLACE_PRESETS, KEY_ESCAPE, "Esc", "close", "close it (also 0)" },
	{ KEY_PLACE_PRESETS, KEY_DOWN_ARROW, "arrows", "choose", "choose one" },
	{ KEY_PLACE_PRESETS, 'q', "q", "quit", "leave ktop" },
	{ KEY_PLACE_PICKER, KEY_RETURN, "Enter", "count", "count the chosen events" },
	{ KEY_PLACE_PICKER, KEY_ESCAPE, "Esc", "close", "empty the search, then close (^C closes at once)" },
	{ KEY_PLACE_PICKER, ' ', "space", "choose", "choose the event under the cursor, or let it go" },
	{ KEY_PLACE_PICKER, KEY_TAB, "Tab", "name", "give a name, by which they are kept as a preset" },
	{ KEY_PLACE_PICKER, KEY_NONE, "letters", "search", "search names, aliases and meanings" },
	{ KEY_PLACE_NAMING, KEY_RETURN, "Enter", "keep and count", "keep them as a preset of this name and count it" },
	{ KEY_PLACE_NAMING, KEY_ESCAPE, "Esc", "back", "no name; back to the search" },
	{ KEY_PLACE_NAMING, KEY_UP_ARROW, "up/down", "its key", "the digit that is to choose it" },
	{ KEY_PLACE_NAMING, KEY_NONE, "a-z 0-9 - _", "name", "type the name" },
	{ KEY_PLACE_THEMES, KEY_RETURN, "Enter", "keep", "keep it till ktop ends" },
	{ KEY_PLACE_THEMES, KEY_ESCAPE, "Esc", "back", "back to the theme there was" },
	{ KEY_PLACE_THEMES, 'W', "W", "save", "keep it in ktoprc, with the rest" },
	{ KEY_PLACE_THEMES, KEY_DOWN_ARROW, "arrows", "try", "try another (also T, space, PgUp, PgDn)" },
	{ KEY_PLACE_THEMES, 'q', "q", "quit", "leave ktop" },
};
/* clang-format on */

const struct place_key *
key_of_place(unsigned i)
{
	return i < sizeof place_table / sizeof *place_table ? &place_table[i]
							    : NULL;
}

enum action
key_action(int code)
{
	for (unsigned i = 0; i < key_count; i++)
		for (unsigned k = 0; k < KEY_CODES && key_table[i].code[k] != 0;
		     k++)
			if (key_table[i].code[k] == code)
				return key_table[i].action;
	return ACTION_NONE;
}

int
key_view(int code)
{
	/* In the order of enum layout_view. */
	static const char letter[] = "OCHBED";

	for (int i = 0; letter[i] != 0; i++)
		if (letter[i] == code)
			return i;
	return -1;
}

/* Only while a recording is replayed; all other keys are as ever. */
/* clang-format off */
static const struct {
	int code[2];
	const char *keys, *text;
	enum ui_replay_wish wish;
} table[] = {
	{ { ' ', 'p' }, "space", "stop, go on (also p)", UI_REPLAY_PAUSE },
	{ { KEY_LEFT_ARROW }, "left", "a frame back", UI_REPLAY_BACK },
	{ { KEY_RIGHT_ARROW }, "right", "a frame forth", UI_REPLAY_FORTH },
	{ { KEY_PAGE_UP }, "PgUp", "a minute back", UI_REPLAY_MINUTE_BACK },
	{ { KEY_PAGE_DOWN }, "PgDn", "a minute forth", UI_REPLAY_MINUTE_FORTH },
	{ { KEY_TO_HOME }, "Home", "first frame", UI_REPLAY_FIRST },
	{ { KEY_TO_END }, "End", "last frame", UI_REPLAY_LAST },
	{ { '<' }, "<", "slower", UI_REPLAY_SLOWER },
	{ { '>' }, ">", "faster", UI_REPLAY_FASTER },
	{ { 'n', 't' }, "n", "next mark or change of state (also t)", UI_REPLAY_NEXT },
	{ { 'N', 'T' }, "N", "the mark or change of state before (also T)", UI_REPLAY_PREVIOUS },
	{ { ':', 'b' }, ":", "go to a frame (120) or a time (90s, 1:30); also b", UI_REPLAY_GO },
};
/* clang-format on */

const char *
replay_key_text(unsigned i, const char **keys)
{
	if (i >= sizeof table / sizeof table[0])
		return NULL;
	*keys = table[i].keys;
	return table[i].text;
}

static void
type(struct replay_typing *t, int key, int *wish)
{
	size_t n = strlen(t->text);

	if (key == KEY_RETURN) {
		t->on = false;
		*wish = n > 0 ? UI_REPLAY_GO : -1;
	} else if (key == KEY_ESCAPE || key == KEY_CTRL_C) {
		t->on = false;
	} else if (key == KEY_ERASE) {
		t->text[n > 0 ? n - 1 : 0] = '\0';
	} else if (key > ' ' && key < 127 && n + 1 < sizeof t->text) {
		t->text[n] = (char)key;
		t->text[n + 1] = '\0';
	}
}

bool
replay_key(struct replay_typing *t, int key, int *wish)
{
	*wish = -1;
	if (t->on) {
		type(t, key, wish);
		return true;
	}
	for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
		if (key != table[i].code[0] &&
		    (table[i].code[1] == 0 || key != table[i].code[1]))
			continue;
		if (table[i].wish == UI_REPLAY_GO) {
			t->on = true;
			t->text[0] = '\0';
		} else {
			*wish = (int)table[i].wish;
		}
		return true;
	}
	return false;
}
