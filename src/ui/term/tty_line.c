#include "ui/term/tty_line.h"

#include "base/clock.h"
#include "ui/draw/keycode.h"
#include "ui/term/termkeys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <unistd.h>

enum {
	ESCAPE_WAIT_MS = 25,
	LEAVE_WAIT_MS = 500,
	ASK_WAIT_MS = 100,    /* the first frame waits for an answer */
	ESCAPE_LATE_MS = 100, /* while an answer may begin with that ESC */
	LATE_MS = 3000,       /* which is until then */
	NS_OF_MS = 1000000
};

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

bool
tty_bytes_add(struct tty_bytes *b, const char *text)
{
	size_t n = strlen(text);

	if (!tty_bytes_reserve(b, n))
		return false;
	memcpy(b->at + b->len, text, n);
	b->len += n;
	return true;
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
		/* A short write means the terminal's buffer is full. */
		if (n <= 0 || l->sent < l->queue.len)
			break;
	}
	if (l->gone || l->sent >= l->queue.len)
		l->sent = l->queue.len = 0;
	return !l->gone;
}

bool
tty_line_drain(struct tty_line *l)
{
	struct timeval wait = { .tv_usec = LEAVE_WAIT_MS * 1000 };
	fd_set set;

	while (tty_line_flush(l) && l->queue.len > 0) {
		FD_ZERO(&set);
		FD_SET(l->out, &set);
		if (select(l->out + 1, NULL, &set, NULL, &wait) <= 0)
			break;
	}
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
	/* Not TCSADRAIN: a terminal that takes nothing would hold ktop here. */
	tcsetattr(l->in, TCSANOW, &raw);
}

void
tty_line_restore(struct tty_line *l)
{
	/* Drained already, or in vain. */
	tcsetattr(l->in, TCSANOW, &l->saved);
}

bool
tty_line_open(struct tty_line *l, struct err *e)
{
	l->in = STDIN_FILENO;
	l->out = -1;
	if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
		return err_set(
			e, ERR_USAGE,
			"standard input and output are no terminal; use -b for text or --csv FILE");
	if (tcgetattr(l->in, &l->saved) != 0)
		return err_set(e, ERR_FAIL, "terminal: %s", strerror(errno));
	/* An own file description: O_NONBLOCK on the shared one would change
	 * the shell's. */
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

void
tty_line_close(struct tty_line *l)
{
	if (l->out_own)
		close(l->out);
	free(l->queue.at);
}

/* Reads what is there, waiting at most that long. */
static void
input_fill(struct tty_line *l, int wait_ms)
{
	struct timeval wait = { .tv_usec = wait_ms * 1000 };
	fd_set set;

	if (l->ninput == TTY_INPUT_SIZE)
		return;
	FD_ZERO(&set);
	FD_SET(l->in, &set);
	if (select(l->in + 1, &set, NULL, NULL, &wait) <= 0)
		return;
	ssize_t n =
		read(l->in, l->input + l->ninput, TTY_INPUT_SIZE - l->ninput);

	if (n > 0)
		l->ninput += (size_t)n;
	else if (n == 0 || (errno != EINTR && errno != EAGAIN))
		l->gone = true; /* readable and empty: hung up */
}

static int64_t
now_ns(void)
{
	struct stamp s;

	clock_now(clock_system(), &s);
	return s.awake_ns;
}

static bool
awaits(struct tty_line *l)
{
	if (l->asked_until_ns != 0 && now_ns() >= l->asked_until_ns)
		l->asked_until_ns = 0;
	return l->asked_until_ns != 0;
}

static void
input_drop(struct tty_line *l, size_t at, size_t n)
{
	l->ninput -= n;
	memmove(l->input + at, l->input + at + n, l->ninput - at);
}

/* Takes what the terminal answered out of the keys around it. */
static void
take_replies(struct tty_line *l)
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
await(struct tty_line *l, int64_t until_ns)
{
	int64_t left;

	while (l->asked_until_ns != 0 && !l->gone &&
	       l->ninput < TTY_INPUT_SIZE && (left = until_ns - now_ns()) > 0) {
		input_fill(l, (int)(left / NS_OF_MS) + 1);
		take_replies(l);
	}
}

void
tty_line_ask(struct tty_line *l)
{
	int64_t now = now_ns();

	if (!tty_bytes_add(&l->queue, TTY_REPLY_ASK))
		return;
	l->asked = true;
	l->asked_until_ns = now + (int64_t)LATE_MS * NS_OF_MS;
	(void)tty_line_flush(l);
	await(l, now + (int64_t)ASK_WAIT_MS * NS_OF_MS);
}

void
tty_line_forget_answers(struct tty_line *l)
{
	await(l, now_ns() + (int64_t)ASK_WAIT_MS * NS_OF_MS);
	if (l->asked_until_ns != 0)
		(void)tcflush(l->in, TCIFLUSH);
	l->asked_until_ns = 0;
}

/* Nothing came behind these bytes: a lone ESC is a key, the rest is none. */
static int
cut_off(struct tty_line *l)
{
	bool escape = l->input[0] == KEY_ESCAPE && l->ninput <= 2;

	input_drop(l, 0, escape ? 1 : l->ninput);
	return escape ? KEY_ESCAPE : KEY_NONE;
}

/* The beginning of an answer stays until its end has come, however late. */
static bool
holds_part(const struct tty_line *l)
{
	return l->asked &&
	       tty_reply_next(l->input, l->ninput).kind == TTY_REPLY_PART &&
	       (l->ninput > 2 || l->input[1] == ']' || l->asked_until_ns != 0);
}

bool
tty_line_waits(const struct tty_line *l)
{
	return !l->gone && l->ninput > 0 && !holds_part(l);
}

int
tty_line_key(struct tty_line *l)
{
	int key = KEY_NONE;

	if (l->gone)
		return KEY_NONE;
	if (l->ninput == 0 || holds_part(l))
		input_fill(l, 0);
	take_replies(l);
	while (l->ninput > 0 && key == KEY_NONE && !holds_part(l)) {
		size_t used = 0, before = l->ninput;

		key = termkeys_next(l->input, l->ninput, &used);
		if (used > 0) {
			input_drop(l, 0, used);
			continue;
		}
		input_fill(l, awaits(l) ? ESCAPE_LATE_MS : ESCAPE_WAIT_MS);
		if (l->ninput == before)
			key = cut_off(l);
		take_replies(l);
	}
	return key;
}

enum { COLUMNS_MAX = 2000, ROWS_MAX = 1000 };

void
tty_line_size(const struct tty_line *l, int *w, int *h)
{
	struct winsize ws;

	*w = 80;
	*h = 24;
	if (ioctl(l->out, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0 &&
	    ws.ws_row > 0) {
		/* No one sees more. */
		*w = ws.ws_col < COLUMNS_MAX ? ws.ws_col : COLUMNS_MAX;
		*h = ws.ws_row < ROWS_MAX ? ws.ws_row : ROWS_MAX;
	}
}
