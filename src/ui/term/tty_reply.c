#include "ui/term/tty_reply.h"

#include <string.h>

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
