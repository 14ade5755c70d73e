#include "ui/view/keys.h"

#include "ui/draw/keycode.h"

#include <stddef.h>
#include <string.h>

const char *const key_place_name[] = {
	[KEY_PLACE_HELP] = "the help",
	[KEY_PLACE_PRESETS] = "the list of presets",
	[KEY_PLACE_SORT] = "the list of sort columns",
	[KEY_PLACE_PICKER] = "the event picker",
	[KEY_PLACE_NAMING] = "the event picker, while you type a name",
	[KEY_PLACE_THEMES] = "the list of themes",
	[KEY_PLACE_MARKERS] = "the list of markers",
	[KEY_PLACE_PROCESSES] = "the processes view",
};

const char *const key_part_name[] = {
	[KEY_PART_NONE] = "",
	[KEY_PART_FIND] = "Find out",
	[KEY_PART_VIEWS] = "Views",
	[KEY_PART_ORDER] = "Order",
	[KEY_PART_TIME] = "Time and output",
	[KEY_PART_REST] = "",
};

/* On narrow screens the first two keys of each place are dropped last. */
/* clang-format off */
static const struct place_key place_table[] = {
	{ KEY_PLACE_HELP, KEY_ESCAPE, "Esc", "close", "end the search, then close the help (also ?)" },
	{ KEY_PLACE_HELP, KEY_TAB, "Tab", "next part", "next part: keys, columns, bottlenecks, events, words (S-Tab: previous part)" },
	{ KEY_PLACE_HELP, KEY_PAGE_DOWN, "PgDn", "next page", "page down (also space); PgUp: page up; arrows: one line; Home, End: first, last line" },
	{ KEY_PLACE_HELP, '/', "/", "search", "search; Enter goes to the next match" },
	{ KEY_PLACE_HELP, 'n', "n/N", "next hit", "next match, previous match" },
	{ KEY_PLACE_HELP, 'q', "q", "quit", "quit ktop" },
	{ KEY_PLACE_PRESETS, KEY_RETURN, "Enter", "count it", "count the selected preset" },
	{ KEY_PLACE_PRESETS, KEY_ESCAPE, "Esc", "close", "close the list (also 0)" },
	{ KEY_PLACE_PRESETS, KEY_DOWN_ARROW, "arrows", "choose", "select a row" },
	{ KEY_PLACE_PRESETS, 'R', "R", "rotate", "rotate the presets, or stop rotating" },
	{ KEY_PLACE_PRESETS, 'q', "q", "quit", "quit ktop" },
	{ KEY_PLACE_SORT, KEY_RETURN, "Enter", "sort", "sort by the selected column" },
	{ KEY_PLACE_SORT, KEY_ESCAPE, "Esc", "close", "close the list (also s)" },
	{ KEY_PLACE_SORT, KEY_DOWN_ARROW, "arrows", "choose", "select a row" },
	{ KEY_PLACE_SORT, KEY_NONE, "letter", "jump", "go to the next column that begins with the letter" },
	{ KEY_PLACE_SORT, 'r', "r", "reverse", "reverse the order" },
	{ KEY_PLACE_SORT, 'q', "q", "quit", "quit ktop" },
	{ KEY_PLACE_PICKER, KEY_RETURN, "Enter", "count", "count the chosen events" },
	{ KEY_PLACE_PICKER, KEY_ESCAPE, "Esc", "close", "list all events again, then close the picker (^C closes it at once)" },
	{ KEY_PLACE_PICKER, ' ', "space", "pick", "add or remove the selected event (up, down); then type the next search" },
	{ KEY_PLACE_PICKER, KEY_TAB, "Tab", "name", "name the events to save them as a preset" },
	{ KEY_PLACE_PICKER, KEY_NONE, "a-z", "find", "search names, aliases and descriptions; ^U or / clears the search" },
	{ KEY_PLACE_PICKER, '=', "=", "swap", "replace the event that uses the counter of the selected event" },
	{ KEY_PLACE_PICKER, '-', "-", "clear", "remove all events" },
	{ KEY_PLACE_PICKER, '+', "+", "now", "start from the events that are counted now" },
	{ KEY_PLACE_NAMING, KEY_RETURN, "Enter", "keep and count", "save the preset and count it" },
	{ KEY_PLACE_NAMING, KEY_ESCAPE, "Esc", "back", "back to the events" },
	{ KEY_PLACE_NAMING, KEY_UP_ARROW, "up/down", "its key", "choose the key of the preset" },
	{ KEY_PLACE_NAMING, KEY_NONE, "a-z 0-9 - _", "name", "type the name" },
	{ KEY_PLACE_THEMES, KEY_RETURN, "Enter", "keep", "use this theme until ktop ends" },
	{ KEY_PLACE_THEMES, KEY_ESCAPE, "Esc", "back", "back to the previous theme" },
	{ KEY_PLACE_THEMES, 'w', "w", "save", "save the theme and the other settings in ktoprc" },
	{ KEY_PLACE_THEMES, KEY_DOWN_ARROW, "arrows", "try", "preview another theme (also T, space, PgUp, PgDn)" },
	{ KEY_PLACE_THEMES, 'q', "q", "quit", "quit ktop" },
	{ KEY_PLACE_MARKERS, KEY_RETURN, "Enter", "compare", "compare with the 10 s before the selected marker" },
	{ KEY_PLACE_MARKERS, KEY_ESCAPE, "Esc", "close", "close the list (also L)" },
	{ KEY_PLACE_MARKERS, KEY_DOWN_ARROW, "arrows", "choose", "select a row" },
	{ KEY_PLACE_MARKERS, 'q', "q", "quit", "quit ktop" },
	{ KEY_PLACE_PROCESSES, '?', "?", "help", "help: keys, columns, words" },
	{ KEY_PLACE_PROCESSES, KEY_TAB, "Tab", "view", "next view" },
	{ KEY_PLACE_PROCESSES, KEY_RETURN, "Enter", "threads", "open the selected or the flagged process: threads, history and kinds of core; press again to close it" },
	{ KEY_PLACE_PROCESSES, 's', "s", "sort", "choose the sort column, or click a column title" },
	{ KEY_PLACE_PROCESSES, '/', "/", "filter", "filter by name, user, pid (4411, 400-499) or column (ipc<1 cpu>5)" },
	{ KEY_PLACE_PROCESSES, 'v', "v", "events per process", "start or stop counting events per process and thread (on a Mac ktop asks first)" },
	{ KEY_PLACE_PROCESSES, ' ', "space", "pause", "pause the view; left and right then go through the samples" },
	{ KEY_PLACE_PROCESSES, 'l', "l", "worst IPC", "sort processes over 5% CPU by IPC, lowest first, the others below a line; press again for CPU%" },
	{ KEY_PLACE_PROCESSES, 'a', "a", "idle", "list idle processes, or show them as one line" },
	{ KEY_PLACE_PROCESSES, 'y', "y", "copy", "copy the command that profiles the open process" },
	{ KEY_PLACE_PROCESSES, '*', "*", "pin", "pin the selected process to the top, or unpin it" },
	{ KEY_PLACE_PROCESSES, 'O', "O", "overview", "back to the overview" },
	{ KEY_PLACE_PROCESSES, 'm', "m", "mark", "set a marker" },
	{ KEY_PLACE_PROCESSES, 'q', "q", "quit", "quit ktop" },
};
/* clang-format on */

const struct place_key *
key_of_place(unsigned i)
{
	return i < sizeof place_table / sizeof *place_table ? &place_table[i]
							    : NULL;
}

const struct key *
key_find(const struct key *keys, int code)
{
	for (; keys->code[0] != 0; keys++)
		for (unsigned k = 0; k < KEY_CODES && keys->code[k] != 0; k++)
			if (keys->code[k] == code)
				return keys;
	return NULL;
}

static void
key_type_letter(char *text, size_t size, uint32_t code)
{
	static const uint32_t lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	size_t n = code >= 0x10000 ? 4 : code >= 0x800 ? 3 : 2;
	size_t len = strlen(text);

	if (len + n >= size)
		return;
	text[len + n] = '\0';
	for (size_t i = n; i-- > 1; code >>= 6)
		text[len + i] = (char)(0x80 | (code & 0x3f));
	text[len] = (char)(lead[n] | code);
}

void
key_type(char *text, size_t size, int key)
{
	size_t n = strlen(text);

	if (key >= KEY_LETTER) {
		key_type_letter(text, size, (uint32_t)key & (KEY_LETTER - 1u));
	} else if (key == KEY_ERASE) {
		while (n > 1 && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
			n--;
		text[n > 0 ? n - 1 : 0] = '\0';
	} else if (key == KEY_CTRL_U) {
		text[0] = '\0';
	} else if (key >= ' ' && key < 127 && n + 1 < size) {
		text[n] = (char)key;
		text[n + 1] = '\0';
	}
}

/* clang-format off */
static const struct replay_key table[] = {
	{ { ' ', 'p' }, UI_REPLAY_PAUSE, "space", "stop", "pause, continue (also p)", NULL },
	{ { '<', ',' }, UI_REPLAY_MINUTE_BACK, "<", "minute", "one minute back", "< >" },
	{ { '>', '.' }, UI_REPLAY_MINUTE_FORTH, ">", NULL, "one minute forward", NULL },
	{ { 'n' }, UI_REPLAY_NEXT, "n", "jump", "next marker or change of state", "n N" },
	{ { 'N' }, UI_REPLAY_PREVIOUS, "N", NULL, "previous marker or change of state", NULL },
	{ { '[' }, UI_REPLAY_SLOWER, "[", "pace", "slower", "[ ]" },
	{ { ']' }, UI_REPLAY_FASTER, "]", NULL, "faster", NULL },
	{ { ':', 'b' }, UI_REPLAY_GO, ":", "go to", "go to a sample (120) or a time (90s, 1:30); also b", NULL },
	{ { KEY_LEFT_ARROW }, UI_REPLAY_BACK, "left", "step", "one sample back", "left right" },
	{ { KEY_RIGHT_ARROW }, UI_REPLAY_FORTH, "right", NULL, "one sample forward", NULL },
	{ { KEY_TO_HOME }, UI_REPLAY_FIRST, "Home", "ends", "first sample", "Home End" },
	{ { KEY_TO_END, 'G' }, UI_REPLAY_LAST, "End", NULL, "last sample (also G)", NULL },
};
/* clang-format on */

const struct replay_key *
replay_key_at(unsigned i)
{
	return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}

const struct replay_key *
replay_key_find(int code)
{
	for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
		if (code != 0 &&
		    (code == table[i].code[0] || code == table[i].code[1]))
			return &table[i];
	return NULL;
}
