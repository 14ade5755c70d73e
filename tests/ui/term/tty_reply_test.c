/* What the terminal answers, between keys, whole and in pieces. */
#include "ui/draw/keycode.h"
#include "ui/term/tty_inner.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct tty_reply
next(const char *s)
{
	return tty_reply_next((const unsigned char *)s, strlen(s));
}

UNIT(test_grounds_as_terminals_write_them)
{
	static const struct {
		const char *text;
		uint32_t rgb;
	} row[] = {
		{ "\033]11;rgb:ffff/8080/0000\033\\", 0xff8000 },
		{ "\033]11;rgb:ff/80/00\a", 0xff8000 },
		{ "\033]11;rgb:f/0/8\a", 0xff0088 },
		{ "\033]11;rgba:1e1e/1e1e/2e2e/ffff\033\\", 0x1e1e2e },
		{ "\033]11;#fdf6e3\a", 0xfdf6e3 },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct tty_reply r = next(row[i].text);

		assert_int_equal(r.kind, TTY_REPLY_GROUND);
		assert_int_equal(r.len, strlen(row[i].text));
		assert_true(r.known);
		assert_int_equal(r.rgb, row[i].rgb);
		/* its beginnings are no keys yet */
		for (size_t n = 2; n < strlen(row[i].text); n++)
			assert_int_equal(
				tty_reply_next(
					(const unsigned char *)row[i].text, n)
					.kind,
				TTY_REPLY_PART);
	}
	/* swallowed, but it says nothing */
	struct tty_reply odd = next("\033]11;rgb:ff/80\a");

	assert_int_equal(odd.kind, TTY_REPLY_GROUND);
	assert_false(odd.known);
	assert_false(next("\033]11;\a").known);
	assert_false(next("\033]11;#12345\a").known);
}

UNIT(test_what_the_terminal_is_and_what_is_no_answer)
{
	assert_int_equal(next("\033[?1;2c").kind, TTY_REPLY_DEVICE);
	assert_int_equal(next("\033[?1;2c").len, 7);
	assert_int_equal(next("\033[?62;1;4cq").len, 10);
	assert_int_equal(next("\033[?62;").kind, TTY_REPLY_PART);
	static const char *const none[] = {
		"",          "q",        "\033",        "\033[A",
		"\033[5~",   "\033OP",   "\033]q",      "\033]12;rgb",
		"\033]11;z", "\033[?1h", "\033[<0;1;1M"
	};

	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		assert_int_equal(next(none[i]).kind, TTY_REPLY_NONE);
}

/* A line whose keys come out of a pipe, and whose output goes nowhere. */
struct typist {
	struct tty_line line;
	int keys, screen;
};

static void
typist_open(struct typist *t)
{
	int in[2], out[2];

	assert_int_equal(pipe(in), 0);
	assert_int_equal(pipe(out), 0);
	memset(t, 0, sizeof *t);
	t->line.in = in[0];
	t->line.out = out[1];
	t->keys = in[1];
	t->screen = out[0];
}

static void
type(struct typist *t, const char *s)
{
	assert_int_equal(write(t->keys, s, strlen(s)), (ssize_t)strlen(s));
}

static void
typist_close(struct typist *t)
{
	close(t->keys);
	close(t->screen);
	close(t->line.in);
	close(t->line.out);
	free(t->line.queue.at);
}

UNIT(test_the_answer_is_taken_from_between_keys)
{
	struct typist t;

	typist_open(&t);
	type(&t, "3\033]11;rgb:ffff/ffff/ffff\033\\j\033[?62;4ck");
	tty_line_ask(&t.line);
	assert_true(t.line.ground_known);
	assert_int_equal(t.line.ground, 0xffffff);
	assert_int_equal(tty_line_key(&t.line), '3');
	assert_int_equal(tty_line_key(&t.line), 'j');
	assert_int_equal(tty_line_key(&t.line), 'k');
	assert_int_equal(tty_line_key(&t.line), KEY_NONE);
	typist_close(&t);
}

/* However late, and however it is cut: no digit of it chooses a preset. */
UNIT(test_late_pieces_are_never_keys)
{
	static const char text[] = "\033]11;rgb:1111/2222/3333\033\\"
				   "\033[?62;1;4c";
	struct typist t;

	for (size_t cut = 2; cut < sizeof text - 1; cut++) {
		char head[64] = "";

		if (cut == 26) /* behind a lone ESC, which is a key */
			continue;
		typist_open(&t);
		tty_line_ask(&t.line); /* nobody answers in time */
		assert_false(t.line.ground_known);
		memcpy(head, text, cut);
		type(&t, head);
		assert_int_equal(tty_line_key(&t.line), KEY_NONE);
		type(&t, text + cut);
		type(&t, "5");
		assert_int_equal(tty_line_key(&t.line), '5');
		assert_int_equal(tty_line_key(&t.line), KEY_NONE);
		assert_int_equal(t.line.ninput, 0);
		typist_close(&t);
	}
}

UNIT(test_keys_that_look_like_its_beginning)
{
	struct typist t;

	typist_open(&t);
	tty_line_ask(&t.line);
	type(&t, "\033"); /* alone it is a key */
	assert_int_equal(tty_line_key(&t.line), KEY_ESCAPE);
	type(&t, "\033]"); /* Alt-] */
	assert_int_equal(tty_line_key(&t.line), KEY_NONE);
	type(&t, "q");
	assert_int_equal(tty_line_key(&t.line), 'q');
	type(&t, "\033[A");
	assert_int_equal(tty_line_key(&t.line), KEY_UP_ARROW);
	typist_close(&t);
	/* nobody asked: nothing is held */
	typist_open(&t);
	type(&t, "\033]1");
	assert_int_equal(tty_line_key(&t.line), '1');
	typist_close(&t);
}
