#include "ui/term/termkeys.h"

#include "base/cells.h"
#include "base/utf8.h"
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
	{ "[200~", KEY_PASTE }, { "[201~", KEY_PASTE_END },
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

/* A letter that a screen can show; bytes that are none are passed over. */
static int
letter_next(const unsigned char *at, size_t len, size_t *used)
{
	size_t n = utf8_length((const char *)at, len);
	size_t whole = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;
	uint32_t code = at[0] & (0x7fu >> whole);

	for (size_t i = 1; i < (n > 0 ? n : len); i++)
		if ((at[i] & 0xc0) != 0x80)
			return KEY_NONE;
		else
			code = code << 6 | (at[i] & 0x3fu);
	if (n == 0) {
		*used = at[0] >= 0xc2 && at[0] < 0xf5 && len < whole ? 0 : 1;
		return KEY_NONE;
	}
	*used = n;
	return cells_of(code) > 0 ? KEY_LETTER | (int)code : KEY_NONE;
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
	if (at[0] >= 0x80)
		return letter_next(at, len, used);
	return at[0]; /* 0 is KEY_NONE */
}

enum { ESC = 27, BEL = 7, GROUND_MAX = 48, DEVICE_MAX = 48 };

static int
hex(unsigned char c)
{
	return c >= '0' && c <= '9'   ? c - '0'
	       : c >= 'a' && c <= 'f' ? c - 'a' + 10
	       : c >= 'A' && c <= 'F' ? c - 'A' + 10
				      : -1;
}

/* One to four hexadecimal digits are a share of the most they can say. */
static size_t
channel(const unsigned char *at, size_t len, uint32_t *out)
{
	uint32_t v = 0, most = 0;
	size_t n = 0;

	for (; n < len && n < 4 && hex(at[n]) >= 0; n++) {
		v = v * 16 + (uint32_t)hex(at[n]);
		most = most * 16 + 15;
	}
	*out = most > 0 ? (v * 255 + most / 2) / most : 0;
	return n;
}

/* "rgb:R/G/B", "rgba:R/G/B/A" (XParseColor's, as xterm answers), "#RRGGBB". */
static bool
color(const unsigned char *at, size_t len, uint32_t *rgb)
{
	bool hash = len == 7 && at[0] == '#';
	size_t i = hash ? 1 : 4;

	if (!hash && (len < 9 || memcmp(at, "rgb", 3) != 0))
		return false;
	if (!hash && at[3] == 'a')
		i++;
	if (!hash && at[i - 1] != ':')
		return false;
	*rgb = 0;
	for (int k = 0; k < 3; k++) {
		uint32_t v;

		if (k > 0 && !hash && (i >= len || at[i++] != '/'))
			return false;
		size_t n = channel(at + i, hash ? 2 : len - i, &v);

		if (n == 0 || (hash && n != 2))
			return false;
		*rgb = *rgb << 8 | v;
		i += n;
	}
	return true;
}

/* "ESC ] 1 1 ; COLOUR" up to BEL or ESC \. */
static struct tty_reply
ground(const unsigned char *at, size_t len)
{
	static const char head[] = "\033]11;";
	const struct tty_reply none = { .kind = TTY_REPLY_NONE },
			       part = { .kind = TTY_REPLY_PART };
	enum { HEAD = sizeof head - 1 };
	struct tty_reply r = { .kind = TTY_REPLY_GROUND };
	size_t i;

	for (i = 0; i < HEAD; i++)
		if (i == len || at[i] != (unsigned char)head[i])
			return i == len ? part : none;
	while (i < len && i < GROUND_MAX && at[i] != BEL && at[i] != ESC) {
		if (hex(at[i]) < 0 && strchr("rgba:/#", at[i]) == NULL)
			return none;
		i++;
	}
	if (i == GROUND_MAX)
		return none;
	if (i == len || (at[i] == ESC && i + 1 == len))
		return part;
	if (at[i] == ESC && at[i + 1] != '\\')
		return none;
	r.known = color(at + HEAD, i - HEAD, &r.rgb);
	r.len = i + (at[i] == ESC ? 2 : 1);
	return r;
}

/* "ESC [ ? NUMBERS c" */
static struct tty_reply
device(const unsigned char *at, size_t len)
{
	size_t i = 3;

	if (len > 2 && at[2] != '?')
		return (struct tty_reply){ .kind = TTY_REPLY_NONE };
	while (i < len && i < DEVICE_MAX &&
	       ((at[i] >= '0' && at[i] <= '9') || at[i] == ';'))
		i++;
	if (i >= len)
		return (struct tty_reply){ .kind = TTY_REPLY_PART };
	if (at[i] != 'c')
		return (struct tty_reply){ .kind = TTY_REPLY_NONE };
	return (struct tty_reply){ .kind = TTY_REPLY_DEVICE, .len = i + 1 };
}

struct tty_reply
tty_reply_next(const unsigned char *at, size_t len)
{
	if (len >= 2 && at[0] == ESC && at[1] == ']')
		return ground(at, len);
	if (len >= 2 && at[0] == ESC && at[1] == '[')
		return device(at, len);
	return (struct tty_reply){ .kind = TTY_REPLY_NONE };
}
