#include "ui/view/replay.h"

#include <stddef.h>
#include <string.h>

#include "ui/draw/keycode.h"

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
