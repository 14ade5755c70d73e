/* A terminal's input and output without curses: reads keys, queues bytes. */
#include "ui/term/tty_inner.h"

#include "base/cells.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "ui/draw/keycode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

enum {
	ESCAPE_WAIT_MS = 25,
	LEAVE_WAIT_MS = 500,
	ASK_WAIT_MS = 100,    /* wait for an answer before the first draw */
	ESCAPE_LATE_MS = 100, /* wait for the rest of an answer after ESC */
	LATE_MS = 3000,       /* an answer may arrive within this time */
	NS_OF_MS = 1000000
};

/*
 * Sequences after ESC that xterm, the Linux console, rxvt, Terminal.app and
 * tmux send, with and without application mode (ctlseqs.ms "PC-Style Function
 * Keys").
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
	{ "[17~", KEY_FUNCTION_6 }, { "[21~", KEY_FUNCTION_10 }, { "[Z", KEY_BACK_TAB },
	{ "[200~", KEY_PASTE }, { "[201~", KEY_PASTE_END },
};
/* clang-format on */

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
 * SGR mouse report "[<B;X;YM" after ESC (ctlseqs.ms "Extended coordinates"): B
 * 0 is the left button, 64 and 65 the wheel; "m" is a release.
 */
static int
mouse_key(const unsigned char *at, size_t n)
{
	unsigned button, x, y;
	char text[24] = "", end;

	memcpy(text, at, n < sizeof text ? n : sizeof text - 1);
	if (sscanf(text, "[<%4u;%4u;%4u%c", &button, &x, &y, &end) != 4 ||
	    end != 'M' || x < 1 || y < 1 || x > KEY_MOUSE_SIDE ||
	    y > KEY_MOUSE_SIDE)
		return KEY_NONE;
	int kind = button == 0    ? KEY_MOUSE_CLICK
		   : button == 64 ? KEY_MOUSE_UP
		   : button == 65 ? KEY_MOUSE_DOWN
				  : KEY_NONE;

	return kind != KEY_NONE ? kind | (int)(x - 1) << 12 | (int)(y - 1)
				: KEY_NONE;
}

static int
key_after_escape(const unsigned char *at, size_t len, size_t *used)
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

static int
key_of_letter(const unsigned char *at, size_t len, size_t *used)
{
	size_t n = utf8_length((const char *)at, len), more = 1;
	size_t whole = at[0] >= 0xf0 ? 4 : at[0] >= 0xe0 ? 3 : 2;

	if (n == 0) {
		while (more < len && (at[more] & 0xc0) == 0x80)
			more++;
		*used = at[0] >= 0xc2 && at[0] < 0xf5 && len < whole &&
					more == len
				? 0
				: 1;
		return KEY_NONE;
	}
	*used = n;
	uint32_t code = utf8_code((const char *)at, n);

	return cells_of(code) > 0 ? KEY_LETTER | (int)code : KEY_NONE;
}

int
termkeys_next(const unsigned char *at, size_t len, size_t *used)
{
	*used = 0;
	if (len == 0)
		return KEY_NONE;
	if (at[0] == KEY_ESCAPE)
		return key_after_escape(at, len, used);
	*used = 1;
	if (at[0] == '\n')
		return KEY_RETURN;
	if (at[0] == 8)
		return KEY_ERASE;
	if (at[0] >= 0x80)
		return key_of_letter(at, len, used);
	return at[0];
}

enum { REPLY_MAX = 48 };

/* Parses "rgb:R/G/B", "rgba:R/G/B/A" (xterm's answers) and "#RRGGBB". */
static bool
reply_color(const char *s, uint32_t *rgb)
{
	char part[3][5];
	bool hash = s[0] == '#' && strlen(s) == 7;
	size_t head = strncmp(s, "rgba:", 5) == 0  ? 5
		      : strncmp(s, "rgb:", 4) == 0 ? 4
						   : 0;

	if (hash ? sscanf(s, "#%2[^/]%2[^/]%2[^/]", part[0], part[1],
			  part[2]) != 3
		 : head == 0 || sscanf(s + head, "%4[^/]/%4[^/]/%4[^/]",
				       part[0], part[1], part[2]) != 3)
		return false;
	*rgb = 0;
	for (int k = 0; k < 3; k++) {
		/* A part has 1 to 4 hexadecimal digits, scaled to 0 to 255. */
		size_t n = strspn(part[k], "0123456789abcdefABCDEF");
		uint32_t most = (1u << 4 * n) - 1;

		if (n == 0 || part[k][n] != 0)
			return false;
		*rgb = *rgb << 8 |
		       ((uint32_t)strtoul(part[k], NULL, 16) * 255 + most / 2) /
			       most;
	}
	return true;
}

static struct tty_reply
reply_find(const char *at, size_t len, const char *head, const char *of,
	   enum tty_reply_kind kind)
{
	struct tty_reply r = { .kind = TTY_REPLY_NONE };
	size_t from = strlen(head), i = from;
	char text[REPLY_MAX] = "";

	if (memcmp(at, head, len < i ? len : i) != 0)
		return r;
	while (i < len && i < REPLY_MAX && at[i] != 0 &&
	       strchr(of, at[i]) != NULL)
		i++;
	if (i == REPLY_MAX)
		return r;
	if (i >= len || (at[i] == KEY_ESCAPE && i + 1 == len)) {
		r.kind = TTY_REPLY_PART;
		return r;
	}
	if (kind == TTY_REPLY_DEVICE
		    ? at[i] != 'c'
		    : at[i] != '\a' && memcmp(at + i, "\033\\", 2) != 0)
		return r;
	memcpy(text, at + from, i - from);
	r.kind = kind;
	r.known = kind == TTY_REPLY_GROUND && reply_color(text, &r.rgb);
	r.len = i + (at[i] == KEY_ESCAPE ? 2 : 1);
	return r;
}

struct tty_reply
tty_reply_next(const unsigned char *at, size_t len)
{
	const char *s = (const char *)at;

	if (len >= 2 && s[0] == KEY_ESCAPE && s[1] == ']')
		return reply_find(s, len, "\033]11;",
				  "0123456789abcdefABCDEFrg:/#",
				  TTY_REPLY_GROUND);
	if (len >= 2 && s[0] == KEY_ESCAPE && s[1] == '[')
		return reply_find(s, len, "\033[?", "0123456789;",
				  TTY_REPLY_DEVICE);
	return (struct tty_reply){ .kind = TTY_REPLY_NONE };
}

bool
tty_bytes_reserve(struct tty_bytes *b, size_t more)
{
	if (b->len + more <= b->size)
		return true;
	size_t size = (b->len + more) * 2;
	char *grown = realloc(b->at, size);

	if (grown == NULL)
		return false;
	b->at = grown;
	b->size = size;
	return true;
}

void
tty_bytes_put(struct tty_bytes *b, const char *s, size_t n)
{
	if (!tty_bytes_reserve(b, n)) {
		b->lost = true;
		return;
	}
	memcpy(b->at + b->len, s, n);
	b->len += n;
}

bool
tty_line_flush(struct tty_line *l)
{
	while (!l->gone && l->sent < l->queue.len) {
		ssize_t n = write(l->out, l->queue.at + l->sent,
				  l->queue.len - l->sent);

		if (n > 0)
			l->sent += (size_t)n;
		else if (n < 0 && errno == EINTR)
			continue;
		else if (n < 0 && errno != EAGAIN && errno != EWOULDBLOCK)
			l->gone = true;
		/* A short write: the terminal's buffer is full. */
		if (n <= 0 || l->sent < l->queue.len)
			break;
	}
	if (l->gone || l->sent >= l->queue.len)
		l->sent = l->queue.len = 0;
	return !l->gone;
}

static int64_t
now_ns(void)
{
	struct stamp s;

	clock_now(clock_system(), &s);
	return s.awake_ns;
}

/* Uses select, since poll does not support terminals on macOS. */
static bool
tty_line_is_ready(int fd, bool output, int64_t wait_ms)
{
	struct timeval wait = { .tv_usec = (int)wait_ms * 1000 };
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, output ? NULL : &set, output ? &set : NULL, NULL,
		      &wait) > 0;
}

bool
tty_line_drain(struct tty_line *l)
{
	int64_t until = now_ns() + (int64_t)LEAVE_WAIT_MS * NS_OF_MS, left;

	while (tty_line_flush(l) && l->queue.len > 0 &&
	       (left = until - now_ns()) > 0 &&
	       tty_line_is_ready(l->out, true, left / NS_OF_MS + 1))
		;
	bool all = l->queue.len == 0;

	l->sent = l->queue.len = 0;
	return all;
}

void
tty_line_raw(struct tty_line *l)
{
	struct termios raw = l->saved;

	raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR | IGNCR | ISTRIP);
	raw.c_oflag &= ~(tcflag_t)OPOST;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
	raw.c_cc[VMIN] = 0;
	raw.c_cc[VTIME] = 0;
	/* TCSADRAIN would block on a terminal that accepts nothing. */
	tcsetattr(l->in, TCSANOW, &raw);
}

bool
tty_line_open(struct tty_line *l, struct err *e)
{
	l->in = STDIN_FILENO;
	l->out = -1;
	if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
		return err_set(
			e, ERR_USAGE,
			"standard input or output is not a terminal; use -b for text or --csv FILE");
	if (tcgetattr(l->in, &l->saved) != 0)
		return err_set(e, ERR_FAIL, "terminal: %s", strerror(errno));
	/* Open the terminal again: O_NONBLOCK on the shared file description
	 * would affect the shell. */
	const char *name = ttyname(STDOUT_FILENO);

	if (name != NULL)
		l->out = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (l->out < 0)
		l->out = open("/dev/tty",
			      O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	l->out_own = l->out >= 0;
	if (l->out < 0)
		l->out = STDOUT_FILENO;
	return true;
}

static void
input_fill(struct tty_line *l, int wait_ms)
{
	if (l->ninput == TTY_INPUT_SIZE ||
	    !tty_line_is_ready(l->in, false, wait_ms))
		return;
	ssize_t n =
		read(l->in, l->input + l->ninput, TTY_INPUT_SIZE - l->ninput);

	if (n > 0)
		l->ninput += (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		l->gone = true; /* readable without bytes: hung up */
}

static void
input_drop(struct tty_line *l, size_t at, size_t n)
{
	l->ninput -= n;
	memmove(l->input + at, l->input + at + n, l->ninput - at);
}

static void
tty_line_take_replies(struct tty_line *l)
{
	for (size_t i = 0; i < l->ninput;) {
		struct tty_reply r =
			tty_reply_next(l->input + i, l->ninput - i);

		if (r.len == 0) {
			i++;
			continue;
		}
		if (r.kind == TTY_REPLY_DEVICE)
			l->asked_until_ns = 0;
		else if (r.known) {
			l->ground = r.rgb;
			l->ground_known = true;
		}
		input_drop(l, i, r.len);
	}
}

static void
tty_line_await(struct tty_line *l, int64_t until_ns)
{
	int64_t left;

	while (l->asked_until_ns != 0 && !l->gone &&
	       l->ninput < TTY_INPUT_SIZE && (left = until_ns - now_ns()) > 0) {
		input_fill(l, (int)(left / NS_OF_MS) + 1);
		tty_line_take_replies(l);
	}
}

void
tty_line_ask(struct tty_line *l)
{
	int64_t now = now_ns();

	tty_bytes_put(&l->queue, TTY_REPLY_ASK, sizeof TTY_REPLY_ASK - 1);
	l->asked = true;
	l->asked_until_ns = now + (int64_t)LATE_MS * NS_OF_MS;
	(void)tty_line_flush(l);
	tty_line_await(l, now + (int64_t)ASK_WAIT_MS * NS_OF_MS);
}

void
tty_line_forget_answers(struct tty_line *l)
{
	tty_line_await(l, now_ns() + (int64_t)ASK_WAIT_MS * NS_OF_MS);
	if (l->asked_until_ns != 0)
		(void)tcflush(l->in, TCIFLUSH);
	l->asked_until_ns = 0;
}

static bool
tty_line_holds_part(const struct tty_line *l)
{
	return l->asked &&
	       tty_reply_next(l->input, l->ninput).kind == TTY_REPLY_PART &&
	       (l->ninput > 2 || l->input[1] == ']' || l->asked_until_ns != 0);
}

bool
tty_line_waits(const struct tty_line *l)
{
	return !l->gone && l->ninput > 0 && !tty_line_holds_part(l);
}

int
tty_line_key(struct tty_line *l)
{
	int key = KEY_NONE;

	if (l->gone)
		return KEY_NONE;
	if (l->ninput == 0 || tty_line_holds_part(l))
		input_fill(l, 0);
	tty_line_take_replies(l);
	while (l->ninput > 0 && key == KEY_NONE && !tty_line_holds_part(l)) {
		size_t used = 0, before = l->ninput;

		key = termkeys_next(l->input, l->ninput, &used);
		if (used > 0) {
			input_drop(l, 0, used);
			continue;
		}
		if (l->asked_until_ns != 0 && now_ns() >= l->asked_until_ns)
			l->asked_until_ns = 0;
		input_fill(l, l->asked_until_ns != 0 ? ESCAPE_LATE_MS
						     : ESCAPE_WAIT_MS);
		/* A lone ESC is a key; other incomplete bytes are dropped. */
		if (l->ninput == before && l->input[0] == KEY_ESCAPE &&
		    l->ninput <= 2) {
			key = KEY_ESCAPE;
			input_drop(l, 0, 1);
		} else if (l->ninput == before) {
			l->ninput = 0;
		}
		tty_line_take_replies(l);
	}
	return key;
}
