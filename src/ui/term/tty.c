/* Shows screens by terminfo. Never blocks: queues bytes that the terminal does
 * not accept. */
#include "ui/term/tty_inner.h"

#include "process/crash.h"
#include "process/terminal.h"
#include "ui/draw/keycode.h"

#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* MOUSE: SGR reports of buttons and wheel. PASTE: marks around pasted text. */
#define MOUSE_ON "\033[?1000h\033[?1006h"
#define MOUSE_OFF "\033[?1006l\033[?1000l"
#define PASTE_ON "\033[?2004h"
#define PASTE_OFF "\033[?2004l"

struct tty {
	struct tty_line line;
	struct tty_writer *writer;
	const char *as; /* replacement for an unknown terminfo entry, or NULL */
	bool up;
	bool mouse;
	bool may_be_asked; /* answers xterm's queries, reports pasted text */
	enum canvas_glyphs glyphs;
	int w, h;
	uint64_t skipped;
	bool owes;         /* the last draw was skipped */
	struct buf rescue; /* bytes that end all modes */
	char text[256];
};

static bool
term_start(struct tty *t, enum ui_color color, struct err *e)
{
	struct term_env env;

	term_env(&env);
	if (env.term == NULL || env.term[0] == 0 ||
	    strcmp(env.term, "dumb") == 0)
		return err_set(
			e, ERR_USAGE,
			"terminal type %s cannot move the cursor; set TERM, or use -b for text",
			env.term != NULL ? env.term : "");
	const char *const *as = term_stand_ins(env.term);

	t->writer = tty_writer_open(env.term, color, &env);
	for (; t->writer == NULL && *as != NULL; as++) {
		t->writer = tty_writer_open(*as, color, &env);
		t->as = *as;
	}
	if (t->writer == NULL)
		return err_set(
			e, ERR_USAGE,
			"unknown terminal type \"%s\"; set TERM (xterm-256color often works), or use -b for text",
			env.term);
	t->may_be_asked = term_may_be_asked(&env);
	return true;
}

bool
tty_unknown_terminal(const struct tty *t, char *out, size_t size)
{
	if (t->as != NULL)
		snprintf(out, size,
			 "unknown terminal \"%s\"; it is drawn as %s",
			 getenv("TERM"), t->as);
	return t->as != NULL;
}

bool
tty_ground(struct tty *t, uint32_t *rgb)
{
	if (!tty_writer_colors(t->writer) || !t->may_be_asked)
		return false;
	tty_line_ask(&t->line);
	*rgb = t->line.ground;
	return t->line.ground_known;
}

bool
tty_show(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	if (!t->up || t->line.gone)
		return !t->line.gone;
	if (t->line.queue.len > 0 && (!tty_flush(t) || t->line.queue.len > 0)) {
		t->skipped++;
		t->owes = true;
		return !t->line.gone;
	}
	t->owes = false;
	t->line.queue.lost = false;
	tty_writer_show(t->writer, c, theme, &t->line.queue);
	if (t->line.queue.lost) { /* no memory: resend everything */
		t->line.queue.len = 0;
		tty_forget(t);
	}
	return tty_flush(t);
}

static void
tty_put_base64(struct tty_bytes *out, const char *text)
{
	static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnop"
				    "qrstuvwxyz0123456789+/";

	for (size_t n = strlen(text); n > 0;) {
		size_t take = n < 3 ? n : 3;
		uint32_t bits = 0;
		char four[4] = { '=', '=', '=', '=' };

		for (size_t i = 0; i < 3; i++)
			bits = bits << 8 |
			       (i < take ? (unsigned char)text[i] : 0);
		for (size_t i = 0; i <= take; i++)
			four[i] = digit[bits >> (18 - 6 * i) & 63];
		tty_bytes_put(out, four, sizeof four);
		text += take;
		n -= take;
	}
}

bool
tty_copy(struct tty *t, const char *text)
{
	static const char begin[] = "\033]52;c;", end[] = "\033\\";

	if (!t->up || !t->may_be_asked)
		return false;
	tty_bytes_put(&t->line.queue, begin, sizeof begin - 1);
	tty_put_base64(&t->line.queue, text);
	tty_bytes_put(&t->line.queue, end, sizeof end - 1);
	return tty_flush(t) && !t->line.queue.lost;
}

void
tty_forget(struct tty *t)
{
	tty_writer_forget(t->writer);
}

bool
tty_resized(struct tty *t)
{
	struct winsize ws;
	int w = 80, h = 24;

	if (ioctl(t->line.out, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 0 &&
	    ws.ws_row > 0) {
		w = ws.ws_col < CANVAS_MAX_SIDE ? ws.ws_col : CANVAS_MAX_SIDE;
		h = ws.ws_row < CANVAS_MAX_SIDE ? ws.ws_row : CANVAS_MAX_SIDE;
	}
	/* Reserve bytes for a full screen, so that draws do not allocate. */
	if (!tty_writer_resize(t->writer, w, h) ||
	    !tty_bytes_reserve(&t->line.queue, (size_t)w * (size_t)h * 12))
		return false;
	t->w = w;
	t->h = h;
	return true;
}

/* The open terminal, which the crash handler restores. */
static struct tty *volatile rescue_tty;

static void
tty_rescue(void)
{
	struct tty *t = rescue_tty;

	if (t == NULL || !t->up)
		return;
	terminal_force(t->line.out, t->rescue.at, t->rescue.len);
	/* The shell would read a pending answer as input. TCSAFLUSH would drop
	 * the answer, too, but first waits for unread output, perhaps forever.
	 */
	if (t->line.asked_until_ns != 0)
		(void)tcflush(t->line.in, TCIFLUSH);
	tcsetattr(t->line.in, TCSANOW, &t->line.saved);
}

static void
tty_rescue_arm(struct tty *t)
{
	static const char *const end[] = { "sgr0", "op", "rmcup", "cnorm" };

	t->rescue = buf_over(t->text, sizeof t->text);
	buf_char(&t->rescue, 0x18); /* CAN: ends an incomplete sequence */
	buf_str(&t->rescue, t->mouse ? MOUSE_OFF : "");
	buf_str(&t->rescue, t->may_be_asked ? PASTE_OFF : "");
	for (unsigned i = 0; i < sizeof end / sizeof *end; i++)
		tty_capability_put(&t->rescue, tty_capability(end[i]));
	rescue_tty = t;
	crash_set_rescue(CRASH_TERMINAL, tty_rescue);
}

static void
tty_enter(struct tty *t)
{
	char text[256];
	struct buf b = buf_over(text, sizeof text);

	tty_line_raw(&t->line);
	t->up = true;
	tty_capability_put(&b, tty_capability("smcup"));
	tty_capability_put(&b, tty_capability("civis"));
	buf_str(&b, t->mouse ? MOUSE_ON : "");
	buf_str(&b, t->may_be_asked ? PASTE_ON : "");
	tty_bytes_put(&t->line.queue, text, b.len);
}

struct tty *
tty_open(enum ui_color color, enum ui_glyphs glyphs, bool mouse, struct err *e)
{
	struct tty *t = calloc(1, sizeof *t);
	struct term_env env;

	if (t == NULL)
		return err_null(e, ERR_FAIL, "terminal: out of memory");
	bool ok = tty_line_open(&t->line, e) && term_start(t, color, e);

	if (ok && !tty_resized(t))
		ok = err_set(e, ERR_FAIL, "terminal: out of memory");
	if (!ok) {
		tty_close(t);
		return NULL;
	}
	term_env(&env);
	t->glyphs = term_glyphs(
		glyphs, strcmp(nl_langinfo(CODESET), "UTF-8") == 0, &env);
	t->mouse = mouse && tty_capability("kmous") != NULL;
	tty_enter(t);
	tty_rescue_arm(t);
	return t;
}

void
tty_suspend(struct tty *t)
{
	struct tty_bytes *out = &t->line.queue;

	if (!t->up)
		return;
	/* Send queued bytes first: they may end in the middle of a sequence. */
	bool takes = tty_line_drain(&t->line);

	tty_writer_move(out, 0, t->h - 1);
	/* Without an alternate screen the prompt is on the last line. */
	if (tty_capability("rmcup") == NULL)
		tty_writer_string(out, "el");
	tty_bytes_put(out, t->rescue.at + 1, t->rescue.len - 1);
	if (takes)
		takes = tty_line_drain(&t->line);
	else
		t->line.sent = t->line.queue.len = 0;
	if (!takes)
		terminal_force(t->line.out, t->rescue.at, t->rescue.len);
	tty_line_forget_answers(&t->line);
	tcsetattr(t->line.in, TCSANOW, &t->line.saved);
	t->up = false;
}

void
tty_close(struct tty *t)
{
	if (t == NULL)
		return;
	tty_suspend(t);
	if (rescue_tty == t) {
		crash_set_rescue(CRASH_TERMINAL, NULL);
		rescue_tty = NULL;
	}
	tty_writer_close(t->writer);
	if (t->line.out_own)
		close(t->line.out);
	free(t->line.queue.at);
	free(t);
}

void
tty_resume(struct tty *t)
{
	if (t->up || t->line.gone)
		return;
	(void)tty_resized(t);
	tty_enter(t);
}

struct tty_state
tty_state(const struct tty *t)
{
	bool waiting = t->line.queue.len > 0;

	return (struct tty_state){
		.w = t->w,
		.h = t->h,
		.glyphs = t->glyphs,
		.colors = tty_writer_colors(t->writer),
		.input_fd = t->line.in,
		.output_fd = waiting ? t->line.out : -1,
		.skipped = t->skipped,
		.owes = t->owes && !waiting,
		.waits = t->up && tty_line_waits(&t->line),
	};
}

bool
tty_flush(struct tty *t)
{
	return tty_line_flush(&t->line);
}

int
tty_key(struct tty *t)
{
	return t->up ? tty_line_key(&t->line) : KEY_NONE;
}
