/*
 * The terminal's end, on a pseudo terminal: a child draws, the parent is the
 * terminal. (Whole sessions with all ways to leave are tested in tests/pty.)
 */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 600 /* posix_openpt */
#endif
#include "process/crash.h"
#include "../says.h"
#include "ui/draw/canvas.h"
#include "ui/draw/keycode.h"
#include "ui/theme/theme.h"
#include "ui/term/tty.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

enum { OUTPUT_SIZE = 1 << 20 };

struct pty {
	int master, slave, report; /* report: what the child tells */
	pid_t child;
	struct termios before;
	char output[OUTPUT_SIZE];
	size_t len;
};

/* Runs draw on a terminal of 80x24; what it returns comes as exit code. */
static struct pty *
pty_open(int (*draw)(int report), const char *term, const char *colorterm)
{
	struct pty *p = calloc(1, sizeof *p);
	struct winsize ws = { .ws_col = 80, .ws_row = 24 };
	int ends[2];

	assert_non_null(p);
	p->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(p->master >= 0);
	assert_int_equal(grantpt(p->master), 0);
	assert_int_equal(unlockpt(p->master), 0);
	p->slave = open(ptsname(p->master), O_RDWR | O_NOCTTY);
	assert_true(p->slave >= 0);
	ioctl(p->slave, TIOCSWINSZ, &ws);
	assert_int_equal(tcgetattr(p->slave, &p->before), 0);
	assert_int_equal(pipe(ends), 0);
	p->report = ends[0];
	fflush(NULL);
	p->child = fork();
	if (p->child == 0) {
		setsid();
		dup2(p->slave, 0);
		dup2(p->slave, 1);
		setenv("TERM", term, 1);
		setenv("COLORTERM", colorterm, 1);
		unsetenv("NO_COLOR");
		alarm(120);
		_exit(draw(ends[1]));
	}
	close(ends[1]);
	return p;
}

/* The terminal reads until `what` has come, for at most a minute. */
static bool
pty_expect(struct pty *p, const char *what)
{
	for (int i = 0; i < 6000; i++) {
		struct timeval wait = { .tv_usec = 10000 };
		fd_set set;

		p->output[p->len] = 0;
		for (size_t at = 0; at < p->len; at++)
			if (strncmp(p->output + at, what, strlen(what)) == 0)
				return true;
		FD_ZERO(&set);
		FD_SET(p->master, &set);
		if (select(p->master + 1, &set, NULL, NULL, &wait) <= 0)
			continue;
		ssize_t n = read(p->master, p->output + p->len,
				 OUTPUT_SIZE - 1 - p->len);

		if (n > 0)
			p->len += (size_t)n;
	}
	return false;
}

static int
pty_wait(struct pty *p)
{
	int status;

	while (waitpid(p->child, &status, 0) < 0)
		assert_int_equal(errno, EINTR);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void
assert_as_before(struct pty *p)
{
	struct termios now;

	assert_int_equal(tcgetattr(p->slave, &now), 0);
	assert_int_equal(now.c_lflag, p->before.c_lflag);
	assert_int_equal(now.c_iflag, p->before.c_iflag);
	assert_int_equal(now.c_oflag, p->before.c_oflag);
	/* O_NONBLOCK has never been set on the shared description. */
	assert_int_equal(fcntl(p->slave, F_GETFL) & O_NONBLOCK, 0);
}

static void
pty_close(struct pty *p)
{
	close(p->master);
	close(p->slave);
	close(p->report);
	free(p);
}

/* children */

struct scene {
	struct tty *tty;
	struct canvas *canvas;
	struct theme theme;
};

static bool
scene_open(struct scene *s)
{
	if (setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		setlocale(LC_CTYPE, "en_US.UTF-8");
	theme_default(&s->theme);
	s->tty = tty_open(UI_COLOR_AUTO, UI_GLYPHS_AUTO, false, NULL);
	s->canvas = canvas_new(CANVAS_BLOCK, NULL);
	return s->tty != NULL && s->canvas != NULL &&
	       canvas_resize(s->canvas, 80, 24, NULL);
}

static void
scene_close(struct scene *s)
{
	tty_close(s->tty);
	canvas_free(s->canvas);
}

/* Draws, then writes the keys it gets to the report, until q. */
static int
draw_and_listen(int report)
{
	struct scene s;

	if (!scene_open(&s))
		return 1;
	canvas_text(s.canvas, 3, 2, ROLE_KIND0, "hello");
	if (!tty_show(s.tty, s.canvas, &s.theme))
		return 2;
	for (int key = KEY_NONE; key != 'q';) {
		fd_set set;

		key = tty_key(s.tty);
		if (key != KEY_NONE) {
			if (write(report, &key, sizeof key) != sizeof key)
				return 3;
			continue;
		}
		FD_ZERO(&set);
		FD_SET(tty_state(s.tty).input_fd, &set);
		select(tty_state(s.tty).input_fd + 1, &set, NULL, NULL, NULL);
	}
	scene_close(&s);
	return 0;
}

/* Texts of each length that base 64 ends differently. */
static int
copy(int report)
{
	struct scene s;

	(void)report;
	if (!scene_open(&s) || !tty_copy(s.tty, "perf -p 1") ||
	    !tty_copy(s.tty, "perf -p 12") || !tty_copy(s.tty, "perf -p 123"))
		return 1;
	scene_close(&s);
	return 0;
}

/* 300 frames that all differ, to a terminal that reads nothing. */
static int
draw_to_the_deaf(int report)
{
	struct scene s;
	uint64_t skipped;

	if (!scene_open(&s))
		return 1;
	for (int i = 0; i < 300; i++) {
		char g[2] = { (char)('a' + i % 26), 0 };

		canvas_fill(s.canvas, (struct rect){ 0, 0, 80, 24 }, ROLE_TEXT,
			    g);
		if (!tty_show(s.tty, s.canvas, &s.theme))
			return 2;
	}
	skipped = tty_state(s.tty).skipped;
	if (tty_state(s.tty).output_fd < 0)
		return 3;
	if (write(report, &skipped, sizeof skipped) != sizeof skipped)
		return 4;
	scene_close(&s);
	return 0;
}

static int
draw_and_crash(int report)
{
	struct scene s;

	if (!scene_open(&s))
		return 1;
	canvas_text(s.canvas, 0, 0, ROLE_TEXT, "falling");
	tty_show(s.tty, s.canvas, &s.theme);
	crash_get_rescue(CRASH_TERMINAL)();
	return 7;
}

#define FROM_HERE "<from here>"

static int
report_repaint(int report)
{
	struct scene s;

	if (!scene_open(&s))
		return 1;
	canvas_text(s.canvas, 0, 0, ROLE_TEXT, "one");
	tty_show(s.tty, s.canvas, &s.theme);
	if (write(STDOUT_FILENO, FROM_HERE, strlen(FROM_HERE)) < 0)
		return 2;
	for (int i = 0; i < 10; i++)
		tty_show(s.tty, s.canvas, &s.theme);
	canvas_text(s.canvas, 0, 23, ROLE_TEXT, "end");
	tty_show(s.tty, s.canvas, &s.theme);
	if (tty_key(s.tty) == KEY_NONE)
		sleep(1);
	_exit(0); /* without leaving: only what was drawn is sent */
}

/* tests */

UNIT(test_draws_and_gives_back)
{
	struct pty *p =
		pty_open(draw_and_listen, "xterm-256color", "truecolor");
	static const int want[] = { 3, 26, KEY_UP_ARROW, KEY_ESCAPE, 'q' };
	struct termios raw;
	int key;

	assert_true(pty_expect(p, "hello"));
	assert_true(pty_expect(p, "\033[?1049h"));
	/* kind.0 of the default theme, though curses knows 256 colours */
	assert_true(pty_expect(p, "38;2;74;154;201"));
	tcgetattr(p->slave, &raw);
	assert_int_equal(raw.c_lflag & (ICANON | ECHO | ISIG), 0);
	assert_int_equal(write(p->master, "\003\032\033[A\033", 6), 6);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(read(p->report, &key, sizeof key), sizeof key);
		assert_int_equal(key, want[i]);
	}
	assert_int_equal(write(p->master, "q", 1), 1);
	assert_true(pty_expect(p, "\033[?1049l"));
	assert_true(pty_expect(p, "\033[?12l\033[?25h"));
	assert_int_equal(pty_wait(p), 0);
	assert_as_before(p);
	pty_close(p);
}

UNIT(test_text_goes_to_the_clipboard)
{
	struct pty *p = pty_open(copy, "xterm-256color", "truecolor");

	assert_true(pty_expect(p, "\033]52;c;cGVyZiAtcCAx\033\\"));
	assert_true(pty_expect(p, "\033]52;c;cGVyZiAtcCAxMg==\033\\"));
	assert_true(pty_expect(p, "\033]52;c;cGVyZiAtcCAxMjM=\033\\"));
	assert_int_equal(pty_wait(p), 0);
	pty_close(p);
}

UNIT(test_256_colours_without_colorterm)
{
	struct pty *p = pty_open(draw_and_listen, "xterm-256color", "");

	assert_true(pty_expect(p, "hello"));
	assert_true(pty_expect(p, "38;5;68"));
	assert_int_equal(write(p->master, "q", 1), 1);
	assert_true(pty_expect(p, "\033[?1049l"));
	assert_int_equal(pty_wait(p), 0);
	pty_close(p);
}

UNIT(test_a_terminal_that_does_not_read_stops_nothing)
{
	struct pty *p = pty_open(draw_to_the_deaf, "xterm-256color", "");
	uint64_t skipped = 0;

	/* Nobody reads the master before the child is done drawing. */
	assert_int_equal(read(p->report, &skipped, sizeof skipped),
			 sizeof skipped);
	assert_true(skipped > 200);
	assert_true(pty_expect(p, "\033[?1049l"));
	assert_int_equal(pty_wait(p), 0);
	assert_as_before(p);
	pty_close(p);
}

UNIT(test_rescue)
{
	struct pty *p = pty_open(draw_and_crash, "xterm-256color", "");

	assert_true(pty_expect(p, "falling"));
	assert_true(pty_expect(p, "\033[?1049l"));
	assert_true(pty_expect(p, "\033[?12l\033[?25h"));
	assert_int_equal(pty_wait(p), 7);
	assert_as_before(p);
	pty_close(p);
}

UNIT(test_what_did_not_change_is_not_sent)
{
	struct pty *p = pty_open(report_repaint, "xterm-256color", "");
	const char *from;

	assert_true(pty_expect(p, "one"));
	assert_true(pty_expect(p, FROM_HERE));
	from = strstr(p->output, FROM_HERE) + strlen(FROM_HERE);
	assert_true(pty_expect(p, "end"));
	/* ten frames without a change and one with three cells */
	assert_true(p->output + p->len - from < 40);
	assert_int_equal(pty_wait(p), 0);
	pty_close(p);
}

static int
open_fails(int report)
{
	struct err e = { .code = ERR_NONE };
	struct tty *t = tty_open(UI_COLOR_AUTO, UI_GLYPHS_AUTO, false, &e);

	if (t != NULL)
		return 1;
	return write(report, e.text, strlen(e.text) + 1) > 0 ? (int)e.code : 1;
}

UNIT(test_unknown_terminals_are_refused_with_a_remedy)
{
	static const char *const name[] = { "no-such-terminal", "dumb", "" };

	for (unsigned i = 0; i < 3; i++) {
		struct pty *p = pty_open(open_fails, name[i], "");
		char text[600] = "";

		assert_true(read(p->report, text, sizeof text - 1) > 0);
		assert_int_equal(pty_wait(p), ERR_USAGE);
		assert_says(text, "-b");
		assert_as_before(p);
		pty_close(p);
	}
}

/* Opens, and reports what stands in and the depth, as text. */
static int
open_and_tell(int report)
{
	struct err e = { .code = ERR_NONE };
	struct tty *t = tty_open(UI_COLOR_AUTO, UI_GLYPHS_AUTO, false, &e);
	char text[200] = "itself";

	if (t == NULL)
		return 1;
	(void)tty_unknown_terminal(t, text, sizeof text);
	if (write(report, text, strlen(text) + 1) < 0)
		return 2;
	tty_close(t);
	return 0;
}

/* sudo drops TERMINFO, and with it the entries some terminals bring along. */
UNIT(test_names_known_to_be_compatible_have_a_stand_in)
{
	static const char *const name[] = { "xterm-kitty-x", "xterm-ghostty-x",
					    "wezterm-x",     "alacritty-x",
					    "foot-x",        "ghostty-x" };

	for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
		struct pty *p = pty_open(open_and_tell, name[i], "");
		char text[200] = "";

		assert_true(read(p->report, text, sizeof text - 1) > 0);
		assert_non_null(strstr(text, name[i]));
		assert_says(text, "is drawn as xterm");
		assert_true(pty_expect(p, "\033[?1049l"));
		assert_int_equal(pty_wait(p), 0);
		assert_as_before(p);
		pty_close(p);
	}
	struct pty *p = pty_open(open_and_tell, "xterm", "");
	char text[200] = "";

	assert_true(read(p->report, text, sizeof text - 1) > 0);
	assert_string_equal(text, "itself");
	assert_int_equal(pty_wait(p), 0);
	pty_close(p);
}

/* Reports the ground that the terminal answers, or -1. */
static int
ask_and_tell(int report)
{
	struct scene s;
	uint32_t rgb = 0;
	int64_t told = -1;

	if (!scene_open(&s))
		return 1;
	if (tty_ground(s.tty, &rgb))
		told = rgb;
	if (write(report, &told, sizeof told) != sizeof told)
		return 2;
	scene_close(&s);
	return 0;
}

static int64_t
ground_of(const char *term, const char *answer)
{
	struct pty *p = pty_open(ask_and_tell, term, "");
	int64_t told;

	if (answer != NULL) {
		assert_true(pty_expect(p, "\033]11;?\033\\\033[c"));
		assert_true(write(p->master, answer, strlen(answer)) > 0);
	}
	assert_int_equal(read(p->report, &told, sizeof told), sizeof told);
	assert_true(pty_expect(p, "\033")); /* the question comes first */
	assert_int_equal(pty_wait(p), 0);
	p->output[p->len] = 0;
	if (answer == NULL)
		assert_silent(p->output, "]11;");
	assert_as_before(p);
	pty_close(p);
	return told;
}

/* The answer may come too late on a busy machine: then it is not known. */
UNIT(test_the_ground_is_asked_for_where_it_may_be)
{
	int64_t told = ground_of("xterm-256color",
				 "\033]11;rgb:fdfd/f6f6/e3e3\033\\\033[?1c");

	assert_true(told == 0xfdf6e3 || told == -1);
	assert_int_equal(ground_of("xterm-256color", "\033[?62;4c"), -1);
	assert_int_equal(ground_of("linux", NULL), -1);
	assert_int_equal(ground_of("vt100", NULL), -1);
}
