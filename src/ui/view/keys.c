#include "ui/view/keys.h"

#include "ui/draw/keycode.h"

#include <stddef.h>
#include <string.h>

const char *const key_place_name[] = {
	[KEY_PLACE_HELP] = "the help",
	[KEY_PLACE_PRESETS] = "the list of presets",
	[KEY_PLACE_SORT] = "the list of what sorts",
	[KEY_PLACE_PICKER] = "the picker",
	[KEY_PLACE_NAMING] = "the picker, while a name is typed",
	[KEY_PLACE_THEMES] = "the list of themes",
	[KEY_PLACE_PROCESSES] = "the view of processes",
};

const char *const key_part_name[] = {
	[KEY_PART_NONE] = "",
	[KEY_PART_FIND] = "Find out",
	[KEY_PART_VIEWS] = "Views",
	[KEY_PART_ORDER] = "Order",
	[KEY_PART_TIME] = "Time and output",
	[KEY_PART_REST] = "",
};

/* The first two of each place go last where there is no room. */
/* clang-format off */
static const struct place_key place_table[] = {
	{ KEY_PLACE_HELP, KEY_ESCAPE, "Esc", "close", "leave the search, then close it (also ?)" },
	{ KEY_PLACE_HELP, KEY_TAB, "Tab", "next part", "next part: keys, columns, bottlenecks, events, words; S-Tab: the one before" },
	{ KEY_PLACE_HELP, KEY_PAGE_DOWN, "PgDn", "next page", "a page down (also space), PgUp: up; arrows by a line, Home and End to the ends" },
	{ KEY_PLACE_HELP, '/', "/", "search", "search: Enter jumps to the next line that has it" },
	{ KEY_PLACE_HELP, 'n', "n/N", "next hit", "the next line that has it, or the one before" },
	{ KEY_PLACE_HELP, 'q', "q", "quit", "leave ktop" },
	{ KEY_PLACE_PRESETS, KEY_RETURN, "Enter", "count it", "count the preset under the cursor" },
	{ KEY_PLACE_PRESETS, KEY_ESCAPE, "Esc", "close", "close it (also 0)" },
	{ KEY_PLACE_PRESETS, KEY_DOWN_ARROW, "arrows", "choose", "choose one" },
	{ KEY_PLACE_PRESETS, 'R', "R", "rotate", "let the presets take turns, or stop that" },
	{ KEY_PLACE_PRESETS, 'q', "q", "quit", "leave ktop" },
	{ KEY_PLACE_SORT, KEY_RETURN, "Enter", "sort", "sort by what is under the cursor" },
	{ KEY_PLACE_SORT, KEY_ESCAPE, "Esc", "close", "close it (also s)" },
	{ KEY_PLACE_SORT, KEY_DOWN_ARROW, "arrows", "choose", "choose one" },
	{ KEY_PLACE_SORT, 'r', "r", "reverse", "the other way round" },
	{ KEY_PLACE_SORT, 'q', "q", "quit", "leave ktop" },
	{ KEY_PLACE_PICKER, KEY_RETURN, "Enter", "count", "count the chosen events" },
	{ KEY_PLACE_PICKER, KEY_ESCAPE, "Esc", "close", "list all events again, then close (^C closes at once)" },
	{ KEY_PLACE_PICKER, ' ', "space", "pick", "choose the event under the cursor (up, down), or drop it; then type the next search" },
	{ KEY_PLACE_PICKER, KEY_TAB, "Tab", "name", "give a name, by which they are kept as a preset" },
	{ KEY_PLACE_PICKER, KEY_NONE, "a-z", "find", "search names, aliases and meanings; ^U or / begins again" },
	{ KEY_PLACE_PICKER, '=', "=", "swap", "put the event under the cursor in the place of the one in its way" },
	{ KEY_PLACE_PICKER, '-', "-", "clear", "clear: no event is chosen, all counters are free" },
	{ KEY_PLACE_PICKER, '+', "+", "now", "choose the events that are counted now, to change from" },
	{ KEY_PLACE_NAMING, KEY_RETURN, "Enter", "keep and count", "keep them as a preset of this name and count it" },
	{ KEY_PLACE_NAMING, KEY_ESCAPE, "Esc", "back", "no name; back to the events" },
	{ KEY_PLACE_NAMING, KEY_UP_ARROW, "up/down", "its key", "the digit that is to choose it" },
	{ KEY_PLACE_NAMING, KEY_NONE, "a-z 0-9 - _", "name", "type the name" },
	{ KEY_PLACE_THEMES, KEY_RETURN, "Enter", "keep", "keep it until ktop ends" },
	{ KEY_PLACE_THEMES, KEY_ESCAPE, "Esc", "back", "back to the theme there was" },
	{ KEY_PLACE_THEMES, 'w', "w", "save", "keep it in ktoprc, with the rest" },
	{ KEY_PLACE_THEMES, KEY_DOWN_ARROW, "arrows", "try", "try another (also T, space, PgUp, PgDn)" },
	{ KEY_PLACE_THEMES, 'q', "q", "quit", "leave ktop" },
	{ KEY_PLACE_PROCESSES, '?', "?", "help", "every key, column and letter" },
	{ KEY_PLACE_PROCESSES, ' ', "space", "pause", "freeze the view; left and right then go through the busiest of each frame" },
	{ KEY_PLACE_PROCESSES, KEY_TAB, "Tab", "view", "next view" },
	{ KEY_PLACE_PROCESSES, KEY_RETURN, "Enter", "threads", "open the chosen process, or the flagged one: its threads, its past, its kinds of core; again: close it" },
	{ KEY_PLACE_PROCESSES, 's', "s", "sort", "choose the column that sorts; a click on its title does, too" },
	{ KEY_PLACE_PROCESSES, '/', "/", "filter", "show some only: by name, user, number (4411, 400-499) or column (ipc<1 cpu>5)" },
	{ KEY_PLACE_PROCESSES, 'l', "l", "worst IPC", "the lowest IPC first of those over 5% CPU, the others below a line; again: by CPU%" },
	{ KEY_PLACE_PROCESSES, 'v', "v", "events per process", "count events per process and thread, on or off (a Mac: asks first)" },
	{ KEY_PLACE_PROCESSES, 'a', "a", "idle", "list idle processes, too, or fold them into one line" },
	{ KEY_PLACE_PROCESSES, 'y', "y", "copy", "copy the command that samples the open process in the next tool" },
	{ KEY_PLACE_PROCESSES, '*', "*", "pin", "keep the chosen process on top, or let it go" },
	{ KEY_PLACE_PROCESSES, 'O', "O", "overview", "back to clusters and cores" },
	{ KEY_PLACE_PROCESSES, 'm', "m", "mark", "mark this moment" },
	{ KEY_PLACE_PROCESSES, 'q', "q", "quit", "leave ktop" },
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

/* The letter's bytes, or nothing where they have no room. */
static void
type_letter(char *text, size_t size, uint32_t code)
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
		type_letter(text, size, (uint32_t)key & (KEY_LETTER - 1u));
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

/*
 * Only while a recording is replayed. What a key is for in the live program it
 * is for here: those of time go through the recording, all others are as ever.
 */
/* clang-format off */
static const struct replay_key table[] = {
	{ { ' ', 'p' }, UI_REPLAY_PAUSE, "space", "stop", "stop, go on (also p)", NULL },
	{ { '<', ',' }, UI_REPLAY_MINUTE_BACK, "<", "minute", "a minute back", "< >" },
	{ { '>', '.' }, UI_REPLAY_MINUTE_FORTH, ">", NULL, "a minute forth", NULL },
	{ { 'n' }, UI_REPLAY_NEXT, "n", "mark", "next mark or change of state", "n N" },
	{ { 'N' }, UI_REPLAY_PREVIOUS, "N", NULL, "the mark or change of state before", NULL },
	{ { '[' }, UI_REPLAY_SLOWER, "[", "pace", "slower", "[ ]" },
	{ { ']' }, UI_REPLAY_FASTER, "]", NULL, "faster", NULL },
	{ { ':', 'b' }, UI_REPLAY_GO, ":", "go to", "go to a frame (120) or a time (90s, 1:30); also b", NULL },
	{ { KEY_LEFT_ARROW }, UI_REPLAY_BACK, "left", "frame", "a frame back", "left right" },
	{ { KEY_RIGHT_ARROW }, UI_REPLAY_FORTH, "right", NULL, "a frame forth", NULL },
	{ { KEY_TO_HOME }, UI_REPLAY_FIRST, "Home", "ends", "first frame", "Home End" },
	{ { KEY_TO_END, 'G' }, UI_REPLAY_LAST, "End", NULL, "last frame (also G)", NULL },
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
