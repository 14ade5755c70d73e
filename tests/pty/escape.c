#include "escape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
escape_mode_changed(const struct escape *e, int mode)
{
	for (unsigned i = 0; i < e->nmodes; i++)
		if (e->mode[i] == mode)
			return true;
	return false;
}

static void
mode_set(struct escape *e, int mode, bool changed)
{
	unsigned i = 0;

	while (i < e->nmodes && e->mode[i] < mode)
		i++;
	bool there = i < e->nmodes && e->mode[i] == mode;
	if (changed && !there && e->nmodes < ESCAPE_MODES) {
		memmove(&e->mode[i + 1], &e->mode[i],
			(e->nmodes - i) * sizeof(e->mode[0]));
		e->mode[i] = mode;
		e->nmodes++;
	} else if (!changed && there) {
		e->nmodes--;
		memmove(&e->mode[i], &e->mode[i + 1],
			(e->nmodes - i) * sizeof(e->mode[0]));
	}
}

/* Autowrap, cursor and its blinking are on in a terminal just opened. */
static bool
mode_default(int mode)
{
	return mode == 7 || mode == 25 || mode == 12;
}

static void
private_modes(struct escape *e)
{
	bool on = e->seq[e->len - 1] == 'h';
	const char *p = e->seq + 3;

	while (*p >= '0' && *p <= '9') {
		char *end;
		int mode = (int)strtol(p, &end, 10);

		/* 12 is set and reset by "cvvis" and "cnorm" at will. */
		if (mode != 12)
			mode_set(e, mode, on != mode_default(mode));
		p = *end == ';' ? end + 1 : end;
	}
}

static void
scroll_region(struct escape *e)
{
	int top = 1, bottom = e->rows;

	if (sscanf(e->seq + 2, "%d;%d", &top, &bottom) < 1)
		top = 1;
	e->region = top > 1 || bottom < e->rows;
}

/* Copies one parameter and its separator; returns what follows. */
static const char *
copy_param(const char *p, char **to)
{
	while (*p != ';' && *p != 'm')
		*(*to)++ = *p++;
	if (*p == ';')
		*(*to)++ = *p++;
	return p;
}

static bool
is_param(const char *p, const char *want)
{
	size_t n = strlen(want);

	return strncmp(p, want, n) == 0 && (p[n] == ';' || p[n] == 'm');
}

static const char *
copy_colour(const char *p, char **to)
{
	int more = 0;

	p = copy_param(p, to);
	if (is_param(p, "5"))
		more = 2;
	else if (is_param(p, "2"))
		more = 4;
	for (; more > 0 && *p != 'm'; more--)
		p = copy_param(p, to);
	return p;
}

static const char *
copy_as(const char *p, char **to, const char *text)
{
	size_t n = strlen(text);

	memcpy(*to, text, n);
	*to += n;
	while (*p != ';' && *p != 'm')
		p++;
	if (*p == ';')
		*(*to)++ = *p++;
	return p;
}

static void
pen(struct escape *e)
{
	char out[4 * sizeof(e->seq)], *to = out;
	const char *p = e->seq + 2;

	*to++ = '\033';
	*to++ = '[';
	while (*p != 'm') {
		if (is_param(p, "38") || is_param(p, "48") || is_param(p, "58"))
			p = copy_colour(p, &to);
		else if (is_param(p, "2"))
			p = copy_as(p, &to, "19");
		else if (is_param(p, "22"))
			p = copy_as(p, &to, "22;10");
		else
			p = copy_param(p, &to);
	}
	*to++ = 'm';
	e->out(out, (size_t)(to - out), e->user);
}

static void
reset(struct escape *e, bool hard)
{
	if (hard)
		e->nmodes = 0;
	mode_set(e, 1, false);
	mode_set(e, 6, false);
	mode_set(e, 25, false);
	e->keypad = e->region = false;
}

static void
finish(struct escape *e)
{
	char last = e->seq[e->len - 1];
	bool csi = e->seq[1] == '[';
	bool plain = csi && (e->len == 3 || e->seq[2] == ';' ||
			     (e->seq[2] >= '0' && e->seq[2] <= '9'));

	e->seq[e->len] = '\0';
	e->state = ESCAPE_GROUND;
	if (csi && e->seq[2] == '?' && (last == 'h' || last == 'l'))
		private_modes(e);
	else if (plain && last == 'r')
		scroll_region(e);
	else if (!csi && (last == '=' || last == '>') && e->len == 2)
		e->keypad = last == '=';
	else if (strcmp(e->seq, "\033c") == 0)
		reset(e, true);
	else if (strcmp(e->seq, "\033[!p") == 0)
		reset(e, false);
	if (plain && last == 'm')
		pen(e);
	else
		e->out(e->seq, e->len, e->user);
	e->len = 0;
}

/* Gives up understanding what was collected; libvterm may know better. */
static void
flush(struct escape *e)
{
	e->out(e->seq, e->len, e->user);
	e->len = 0;
	e->state = ESCAPE_GROUND;
}

static void
feed_sequence(struct escape *e, char c)
{
	if (c == '\033' || e->len == sizeof(e->seq) - 1)
		flush(e);
	e->seq[e->len++] = c;
	if (c == '\033') {
		e->state = ESCAPE_START;
	} else if (e->state == ESCAPE_GROUND) {
		flush(e);
	} else if (e->state == ESCAPE_START && e->len == 2) {
		if (c == '[') {
			e->state = ESCAPE_CSI;
		} else if (strchr("]PX^_", c) != NULL) {
			e->state = ESCAPE_STRING;
		} else if (c >= 0x30 || c < 0x20) {
			finish(e);
		}
	} else if (c >= 0x40 || (e->state == ESCAPE_START && c >= 0x30)) {
		finish(e);
	} else if (c < 0x20) {
		flush(e);
	}
}

/*
 * The Linux console's palette, which libvterm takes for titles without an end:
 * ESC ] R puts it back, ESC ] P sets one colour in seven hexadecimal digits
 * (console_codes(4)). True when c belonged to one; nothing of it is shown.
 */
static bool
feed_palette(struct escape *e, char c)
{
	if (e->len == 2 && c == 'R') {
		e->len = 0;
		e->state = ESCAPE_GROUND;
		return true;
	}
	if (e->len < 2 || (e->len == 2 && c != 'P') ||
	    (e->len > 2 && e->seq[2] != 'P') || e->seq[1] != ']')
		return false;
	e->seq[e->len++] = c;
	if (e->len == 10) {
		e->len = 0;
		e->state = ESCAPE_GROUND;
	}
	return true;
}

bool
escape_ground(struct escape *e, const char *rrggbb)
{
	if (strlen(rrggbb) != 6 ||
	    strspn(rrggbb, "0123456789abcdefABCDEF") != 6)
		return false;
	memcpy(e->ground, rrggbb, 7);
	return true;
}

/* As xterm does: 16 bits a channel. */
static void
answer_ground(struct escape *e)
{
	char text[40];
	const char *g = e->ground;

	snprintf(text, sizeof(text),
		 "\033]11;rgb:%.2s%.2s/%.2s%.2s/%.2s%.2s\033\\", g, g, g + 2,
		 g + 2, g + 4, g + 4);
	e->reply(text, strlen(text), e->reply_user);
}

static bool
asks_ground(const struct escape *e)
{
	static const char ask[] = "\033]11;?";

	return e->ground[0] != '\0' && e->len > sizeof(ask) - 1 &&
	       memcmp(e->seq, ask, sizeof(ask) - 1) == 0;
}

/*
 * Titles and the like go through untouched, up to BEL or ESC \, and in as few
 * pieces as may be: libvterm 0.1 drops one that comes byte by byte.
 */
static void
feed_string(struct escape *e, char c)
{
	bool end = c == '\a' || (e->state == ESCAPE_STRING_END && c == '\\');

	if (feed_palette(e, c))
		return;
	e->seq[e->len++] = c;
	if (end && asks_ground(e)) {
		e->len = 0;
		e->state = ESCAPE_GROUND;
		answer_ground(e);
		return;
	}
	if (end || e->len == sizeof(e->seq))
		flush(e);
	if (!end)
		e->state = c == '\033' ? ESCAPE_STRING_END : ESCAPE_STRING;
}

void
escape_feed(struct escape *e, const char *bytes, size_t len)
{
	const char *end = bytes + len;

	while (bytes < end) {
		if (e->state == ESCAPE_GROUND) {
			const char *esc =
				memchr(bytes, '\033', (size_t)(end - bytes));
			size_t n = (size_t)((esc ? esc : end) - bytes);

			if (n > 0)
				e->out(bytes, n, e->user);
			bytes += n;
			if (esc == NULL)
				return;
			feed_sequence(e, *bytes++);
		} else if (e->state == ESCAPE_STRING ||
			   e->state == ESCAPE_STRING_END) {
			feed_string(e, *bytes++);
		} else {
			feed_sequence(e, *bytes++);
		}
	}
}
