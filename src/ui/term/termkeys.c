#include "ui/term/termkeys.h"

#include "ui/draw/keycode.h"

#include <string.h>

/*
 * Behind ESC: what xterm, the Linux console, rxvt, Terminal.app and tmux send
 * with and without application mode (ctlseqs.ms "PC-Style Function Keys").
 */
/* clang-format off */
static const struct {
	const char *bytes;
	int key;
} sequence[] = {
	{ "[A", KEY_UP_ARROW }, { "OA", KEY_UP_ARROW },
	{ "[B", KEY_DOWN_ARROW }, { "OB", KEY_DOWN_ARROW },
	{ "[C", KEY_RIGHT_ARROW }, { "OC", KEY_RIGHT_ARROW },
	{ "[D", KEY_LEFT_ARROW }, { "OD", KEY_LEFT_ARROW },
	{ "[5~", KEY_PAGE_UP }, { "[6~", KEY_PAGE_DOWN },
	{ "[H", KEY_TO_HOME }, { "OH", KEY_TO_HOME }, { "[1~", KEY_TO_HOME }, { "[7~", KEY_TO_HOME },
	{ "[F", KEY_TO_END }, { "OF", KEY_TO_END }, { "[4~", KEY_TO_END }, { "[8~", KEY_TO_END },
	{ "OP", KEY_FUNCTION_1 }, { "[11~", KEY_FUNCTION_1 }, { "[[A", KEY_FUNCTION_1 },
	{ "OR", KEY_FUNCTION_3 }, { "[13~", KEY_FUNCTION_3 }, { "[[C", KEY_FUNCTION_3 },
	{ "OS", KEY_FUNCTION_4 }, { "[14~", KEY_FUNCTION_4 }, { "[[D", KEY_FUNCTION_4 },
	{ "[17~", KEY_FUNCTION_6 },
	{ "[21~", KEY_FUNCTION_10 },
	{ "[Z", KEY_BACK_TAB },
};
/* clang-format on */

/* Bytes of the control sequence at `at` (behind ESC); 0: it is not whole. */
static size_t
sequence_length(const unsigned char *at, size_t len)
{
	size_t i = 1;

	if (at[0] == 'O')
		return len >= 2 ? 2 : 0;
	if (at[0] != '[')
		return 1;
	if (len >= 2 && at[1] == '[') /* the Linux console's F1 to F5 */
		return len >= 3 ? 3 : 0;
	while (i < len && at[i] >= 0x20 && at[i] < 0x40)
		i++;
	return i < len ? i + 1 : 0;
}

/*
 * SGR mouse report "[<B;X;YM" behind ESC (ctlseqs.ms "Extended coordinates"):
 * B 0 is the left button, 64 and 65 the wheel; "m" is a release.
 */
static int
mouse_key(const unsigned char *at, size_t n)
{
	unsigned v[3] = { 0, 0, 0 }, k = 0;

	for (size_t i = 2; i + 1 < n; i++) {
		if (at[i] == ';' && k < 2)
			k++;
		else if (at[i] >= '0' && at[i] <= '9' && v[k] < 10000)
			v[k] = v[k] * 10 + (at[i] - '0');
		else
			return KEY_NONE;
	}
	int kind = v[0] == 0    ? KEY_MOUSE_CLICK
		   : v[0] == 64 ? KEY_MOUSE_UP
		   : v[0] == 65 ? KEY_MOUSE_DOWN
				: 0;

	if (k != 2 || kind == 0 || at[n - 1] != 'M' || v[1] < 1 || v[2] < 1 ||
	    v[1] > KEY_MOUSE_SIDE || v[2] > KEY_MOUSE_SIDE)
		return KEY_NONE;
	return kind | (int)(v[1] - 1) << 12 | (int)(v[2] - 1);
}

static int
escape_next(const unsigned char *at, size_t len, size_t *used)
{
	size_t n = len > 1 ? sequence_length(at + 1, len - 1) : 0;

	*used = n > 0 ? n + 1 : 0;
	if (n > 2 && at[1] == '[' && at[2] == '<')
		return mouse_key(at + 1, n);
	for (size_t i = 0; n > 0 && i < sizeof sequence / sizeof *sequence; i++)
		if (strlen(sequence[i].bytes) == n &&
		    memcmp(sequence[i].bytes, at + 1, n) == 0)
			return sequence[i].key;
	return KEY_NONE;
}

int
termkeys_next(const unsigned char *at, size_t len, size_t *used)
{
	*used = 0;
	if (len == 0)
		return KEY_NONE;
	if (at[0] == KEY_ESCAPE)
		return escape_next(at, len, used);
	*used = 1;
	if (at[0] == '\n')
		return KEY_RETURN;
	if (at[0] == 8)
		return KEY_ERASE;
	if (at[0] == 0 || at[0] >= 0x80)
		return KEY_NONE;
	return at[0];
}
