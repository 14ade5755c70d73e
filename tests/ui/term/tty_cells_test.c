/* Changed cells as bytes: exact ones, and what a terminal makes of them. */
#include "ui/term/tty_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { W = 30, H = 9, CELLS = W * H };

#define WIDE "計"

static const struct tty_look look[] = {
	{ .ground = 0 },
	{ .ground = 0, .attrs = 1, .attr = "1", .fg = "31" },
	{ .ground = 0, .fg = "38;5;200" },
	{ .ground = 3, .fg = "32", .bg = "44" },
	{ .ground = 3, .attrs = 1, .attr = "1", .fg = "32", .bg = "44" },
	{ .ground = -1, .attrs = 7, .attr = "7", .fg = "32" },
};
enum { LOOKS = sizeof look / sizeof *look };

static const struct tty_ways all_ways = { true, true, true, true, true,
					  true, true, true, true };
static const struct tty_ways no_ways;

static const struct tty_steps *
steps_of(const struct tty_ways *ways)
{
	static struct tty_steps steps;

	tty_steps_make(&steps, ways);
	return &steps;
}

static struct tty_pens *
pens_of(void)
{
	static struct tty_pens pens;

	pens = (struct tty_pens){ .at = { { 0 } } };
	return &pens;
}

/* A terminal that knows just what may be sent to it. */
struct term {
	char glyph[CELLS][4];
	char attr[CELLS][8], fg[CELLS][20], bg[CELLS][20];
	int x, y;
	bool wrapping; /* behind the last column */
	char now_attr[8], now_fg[20], now_bg[20];
};

static int
number(const char **p, int otherwise)
{
	char *end;
	long v = strtol(*p, &end, 10);

	if (end == *p)
		return otherwise;
	*p = end;
	return (int)v;
}

static void
color(const char **p, char *to)
{
	size_t n = strcspn(*p, ";m");

	if (n == 2 && (*p)[1] == '8') { /* 38;5;N */
		n += 3;
		n += strcspn(*p + n, ";m");
	}
	assert_true(n < 20);
	memcpy(to, *p, n);
	to[n] = 0;
	*p += n;
}

static void
graphics(struct term *t, const char *p)
{
	for (; *p != 'm'; p += *p == ';') {
		if (*p == '0' || *p == ';') {
			t->now_attr[0] = t->now_fg[0] = t->now_bg[0] = 0;
			p += *p == '0';
		} else if (strncmp(p, "39", 2) == 0) {
			t->now_fg[0] = 0;
			p += 2;
		} else if (strncmp(p, "49", 2) == 0) {
			t->now_bg[0] = 0;
			p += 2;
		} else if (*p == '3') {
			color(&p, t->now_fg);
		} else if (*p == '4') {
			color(&p, t->now_bg);
		} else {
			t->now_attr[0] = *p++;
			t->now_attr[1] = 0;
		}
	}
	if (p[-1] == '[')
		t->now_attr[0] = t->now_fg[0] = t->now_bg[0] = 0;
}

static void
copy_cell(struct term *t, int to, int from)
{
	memcpy(t->glyph[to], t->glyph[from], 4);
	memcpy(t->attr[to], t->attr[from], sizeof t->attr[0]);
	memcpy(t->fg[to], t->fg[from], sizeof t->fg[0]);
	memcpy(t->bg[to], t->bg[from], sizeof t->bg[0]);
}

static void
blank_cell(struct term *t, int at)
{
	memcpy(t->glyph[at], " \0\0", 4);
	t->attr[at][0] = t->fg[at][0] = 0;
	strcpy(t->bg[at], t->now_bg); /* as terminals with "bce" do */
}

static const char *
control(struct term *t, const char *p)
{
	const char *from = p, *end = p + strspn(p, "0123456789;");
	int n = number(&p, 1), row = t->y * W;

	/* Nobody knows where a cursor is that waits to wrap. */
	assert_true(!t->wrapping || *end == 'H' || *end == 'm');
	switch (*end) {
	case 'A':
		t->y -= n;
		break;
	case 'B':
		t->y += n;
		break;
	case 'C':
		t->x += n;
		break;
	case 'D':
		t->x -= n;
		break;
	case 'G':
		t->x = n - 1;
		break;
	case 'd':
		t->y = n - 1;
		break;
	case 'P':
		for (int x = t->x; x < W - 1; x++)
			copy_cell(t, row + x, row + x + 1);
		blank_cell(t, row + W - 1);
		break;
	case '@':
		for (int x = W - 1; x > t->x; x--)
			copy_cell(t, row + x, row + x - 1);
		blank_cell(t, row + t->x);
		break;
	case 'H':
		t->y = n - 1;
		p += *p == ';';
		t->x = number(&p, 1) - 1;
		t->wrapping = false;
		break;
	case 'm':
		graphics(t, from);
		break;
	default:
		fail_msg("ESC [ %.8s", from);
	}
	assert_in_range(t->x, 0, W - 1);
	assert_in_range(t->y, 0, H - 1);
	return end + 1;
}

static void
term_put(struct term *t, int at, const char *glyph, int n)
{
	memset(t->glyph[at], 0, 4);
	memcpy(t->glyph[at], glyph, (size_t)n);
	strcpy(t->attr[at], t->now_attr);
	strcpy(t->fg[at], t->now_fg);
	strcpy(t->bg[at], t->now_bg);
}

/*
 * What is left of a wide letter becomes something that nobody wants, as
 * terminals differ in what they make of it.
 */
static void
spoil(struct term *t, int at)
{
	bool rest = t->glyph[at][0] == 0;

	if (rest)
		memcpy(t->glyph[at - 1], "#\0\0", 4);
	else if (at % W < W - 1 && t->glyph[at + 1][0] == 0)
		memcpy(t->glyph[at + 1], "#\0\0", 4);
}

static void
term_letter(struct term *t, const char *p, int n)
{
	static const char rest[4] = { 0, CELL_REST };
	int at = t->y * W + t->x, cells = strncmp(p, WIDE, 3) == 0 ? 2 : 1;

	assert_in_range(t->x + cells, 1, W);
	for (int i = 0; i < cells; i++)
		spoil(t, at + i);
	term_put(t, at, p, n);
	if (cells == 2)
		term_put(t, at + 1, rest, 2);
	t->x += cells;
	t->wrapping = t->x == W;
	t->x -= t->wrapping;
}

static void
term_feed(struct term *t, const char *p)
{
	while (*p != 0) {
		unsigned char c = (unsigned char)*p;

		if (c == 033) {
			assert_int_equal(p[1], '[');
			p = control(t, p + 2);
			continue;
		}
		assert_false(t->wrapping);
		if (c == '\n' || c == '\b') {
			t->y += c == '\n';
			t->x -= c == '\b';
			assert_in_range(t->x, 0, W - 1);
			assert_in_range(t->y, 0, H - 1);
			p++;
			continue;
		}
		term_letter(t, p, c < 0x80 ? 1 : 3);
		p += c < 0x80 ? 1 : 3;
	}
}

/* What is shown, and the terminal that shows it. */
struct pair {
	struct cell shown[CELLS];
	uint8_t look_at[CELLS];
	struct term term;
	struct tty_change change[CELLS];
	struct tty_slide slide[H];
};

static void
pair_make(struct pair *p)
{
	memset(p, 0, sizeof *p);
	for (int i = 0; i < CELLS; i++) {
		p->shown[i] = (struct cell){ .glyph = " " };
		blank_cell(&p->term, i);
	}
}

/* Neighbours that look alike as one change each; how many that are. */
static int
join_changes(const struct pair *p, int n, struct tty_change *to)
{
	int joined = 0;

	for (int i = 0; i < n; i++) {
		const struct tty_change *one = &p->change[i];
		const struct cell *cell = &p->shown[one->y * W + one->x];
		struct tty_change *last = &to[joined > 0 ? joined - 1 : 0];

		if (joined > 0 && last->y == one->y &&
		    last->x + last->cells == one->x &&
		    last->look == one->look &&
		    (cell[-1].glyph[0] == ' ') == (cell->glyph[0] == ' '))
			last->cells++;
		else
			to[joined++] = *one;
	}
	return joined;
}

static void
pair_send(struct pair *p, const struct tty_ways *ways, int nslides, int n)
{
	static struct tty_change joined[CELLS];
	static const struct tty_ends ends = { "" };
	const struct tty_grid g = { p->shown, p->look_at,     W,        H, look,
				    *ways,    steps_of(ways), pens_of() };
	struct tty_bytes out = { .at = NULL }, same = { .at = NULL };
	int njoined = join_changes(p, n, joined);

	assert_true(tty_cells_add(&out, &g, p->slide, nslides, p->change, n,
				  &ends));
	/* Cells that come together are sent as they are one by one. */
	assert_true(tty_cells_add(&same, &g, p->slide, nslides, joined, njoined,
				  &ends));
	assert_int_equal(same.len, out.len);
	if (out.len > 0)
		assert_memory_equal(same.at, out.at, out.len);
	free(same.at);
	p->term.wrapping = true; /* wherever it was left */
	assert_true(tty_bytes_reserve(&out, 1));
	out.at[out.len] = 0;
	term_feed(&p->term, out.at);
	assert_int_equal(p->term.now_attr[0], 0);
	assert_int_equal(p->term.now_fg[0], 0);
	assert_int_equal(p->term.now_bg[0], 0);
	free(out.at);
	for (int i = 0; i < CELLS; i++) {
		const struct tty_look *l = &look[p->look_at[i]];
		bool blank = p->shown[i].glyph[0] == ' ' && l->ground >= 0;

		assert_memory_equal(p->term.glyph[i], p->shown[i].glyph, 4);
		assert_string_equal(p->term.bg[i], l->bg);
		if (blank)
			continue;
		assert_string_equal(p->term.attr[i], l->attr);
		assert_string_equal(p->term.fg[i], l->fg);
	}
}

static unsigned
dice(uint32_t *state, unsigned n)
{
	*state = *state * 1664525u + 1013904223u;
	return (*state >> 8) % n;
}

static void
set_cell(struct pair *p, int at, unsigned glyph, unsigned which)
{
	static const char *const some[] = { " ", "1", ".", "█", "7", "⠉" };

	p->shown[at] = (struct cell){ .glyph = " " };
	memcpy(p->shown[at].glyph, some[glyph], strlen(some[glyph]));
	p->look_at[at] = (uint8_t)which;
}

static int
add_change(struct pair *p, int at, int n)
{
	for (int i = n; i-- > 0;)
		if (p->change[i].y * W + p->change[i].x == at) {
			p->change[i].look = p->look_at[at];
			return n;
		}
	p->change[n] = (struct tty_change){ .y = (int16_t)(at / W),
					    .x = (int16_t)(at % W),
					    .look = p->look_at[at],
					    .cells = 1 };
	return n + 1;
}

/* Half of a wide letter is a blank, which is a change as well. */
static int
random_cell(struct pair *p, int i, int n, bool wide, uint32_t *seed)
{
	unsigned which = dice(seed, LOOKS);
	int cells = wide && i % W < W - 1 && dice(seed, 4) == 0 ? 2 : 1;

	if (cell_is_rest(&p->shown[i]))
		return n;
	bool half = i % W + cells < W && cell_is_rest(&p->shown[i + cells]);

	if (half)
		set_cell(p, i + cells, 0, which);
	set_cell(p, i, dice(seed, 6), which);
	n = add_change(p, i, n);
	if (cells == 2) {
		memcpy(p->shown[i].glyph, WIDE, 3);
		p->shown[i + 1] = (struct cell){ .glyph = { 0, CELL_REST } };
		p->look_at[i + 1] = (uint8_t)which;
		n = add_change(p, i + 1, n);
	}
	return half ? add_change(p, i + cells, n) : n;
}

/* Random cells get random looks, many frames long, by any ways. */
static void
random_frames(const struct tty_ways *ways, unsigned share, uint32_t seed)
{
	struct pair *p = malloc(sizeof *p);

	assert_non_null(p);
	pair_make(p);
	for (int frame = 0; frame < 300; frame++) {
		int n = 0, slides = 0;

		for (int y = 0; y < H && ways->slide; y++) {
			int x = (int)dice(&seed, W - 4);
			int last =
				x + 2 + (int)dice(&seed, (unsigned)(W - x - 3));
			int row = y * W;

			if (dice(&seed, 3) > 0)
				continue;
			for (int i = x; i < last; i++) {
				p->shown[row + i] = p->shown[row + i + 1];
				p->look_at[row + i] = p->look_at[row + i + 1];
			}
			set_cell(p, row + last, dice(&seed, 6),
				 dice(&seed, LOOKS));
			p->slide[slides++] = (struct tty_slide){ y, x, last };
		}
		/* Rows are moved, or have wide letters. */
		for (int i = 0; i < CELLS; i++)
			if (dice(&seed, 100) < share)
				n = random_cell(p, i, n, !ways->slide, &seed);
		pair_send(p, ways, slides, n);
	}
	free(p);
}

static void
test_a_terminal_shows_what_was_meant(void **state)
{
	(void)state;
	for (unsigned share = 1; share < 100; share += 12) {
		random_frames(&all_ways, share, share);
		random_frames(&no_ways, share, share);
	}
	/* each way by itself */
	for (size_t i = 0; i < sizeof(struct tty_ways); i++) {
		struct tty_ways one = no_ways;

		memcpy((char *)&one + i, &(bool){ true }, 1);
		random_frames(&one, 10, (uint32_t)i);
	}
}

static void
is(const char *wanted, int n, ...)
{
	static struct pair p;
	struct tty_bytes out = { .at = NULL };
	const struct tty_ends ends = { "$" };
	va_list args;

	pair_make(&p);
	va_start(args, n);
	for (int i = 0; i < n; i++) {
		int at = va_arg(args, int);
		int which = va_arg(args, int);

		p.shown[at].glyph[0] = (char)('a' + i);
		p.look_at[at] = (uint8_t)which;
		p.change[i] = (struct tty_change){ .y = (int16_t)(at / W),
						   .x = (int16_t)(at % W),
						   .look = (int16_t)which,
						   .cells = 1 };
	}
	va_end(args);
	const struct tty_grid g = {
		p.shown,  p.look_at,           W,        H, look,
		all_ways, steps_of(&all_ways), pens_of()
	};

	assert_true(tty_cells_add(&out, &g, NULL, 0, p.change, n, &ends));
	char *text = calloc(1, out.len + 1);

	assert_non_null(text);
	if (out.len > 0)
		memcpy(text, out.at, out.len);
	assert_string_equal(text, wanted);
	free(text);
	free(out.at);
}

/* The canvas ends at CANVAS_MAX_SIDE; what is behind it is not touched. */
static void
test_a_terminal_may_be_wider_than_a_canvas(void **state)
{
	enum { WIDE_W = 2 * CANVAS_MAX_SIDE, LAST = CANVAS_MAX_SIDE - 1 };
	static struct cell shown[WIDE_W];
	static uint8_t look_at[WIDE_W];
	struct tty_bytes out = { .at = NULL };
	struct tty_change change = { .x = LAST, .cells = 1 };
	const struct tty_ends ends = { "$" };
	const struct tty_grid g = { shown,
				    look_at,
				    WIDE_W,
				    1,
				    look,
				    all_ways,
				    steps_of(&all_ways),
				    pens_of() };
	const char wanted[] = "\033[1;1000Ha$";

	(void)state;
	shown[LAST].glyph[0] = 'a';
	assert_true(tty_cells_add(&out, &g, NULL, 0, &change, 1, &ends));
	assert_int_equal(out.len, sizeof wanted - 1);
	assert_memory_equal(out.at, wanted, out.len);
	free(out.at);
}

/* Changes of the pen are kept from screen to screen, not beyond their looks. */
static void
test_kept_pens_are_those_of_the_looks(void **state)
{
	struct tty_look own[] = { { .ground = 0 },
				  { .ground = 0, .fg = "31" },
				  { .ground = 0, .fg = "32" } };
	const char *const wanted[] = { "\033[31m\033[1Ha\033[32mb\033[m$",
				       "\033[31m\033[1Ha\033[32mb\033[m$",
				       "\033[36m\033[1Ha\033[32mb\033[m$" };
	static struct cell shown[CELLS];
	static uint8_t look_at[CELLS];
	struct tty_pens *pens = pens_of();
	const struct tty_grid g = {
		shown, look_at, W, H, own, all_ways, steps_of(&all_ways), pens
	};
	const struct tty_ends ends = { "$" };

	(void)state;
	shown[0].glyph[0] = 'a';
	shown[1].glyph[0] = 'b';
	for (unsigned i = 0; i < 3; i++) {
		struct tty_bytes out = { .at = NULL };
		struct tty_change change[2] = {
			{ .look = 1, .cells = 1 },
			{ .x = 1, .look = 2, .cells = 1 }
		};

		if (i == 2) { /* another theme */
			own[1] = (struct tty_look){ .ground = 0, .fg = "36" };
			pens_of();
		}
		assert_true(tty_cells_add(&out, &g, NULL, 0, change, 2, &ends));
		assert_int_equal(out.len, strlen(wanted[i]));
		assert_memory_equal(out.at, wanted[i], out.len);
		free(out.at);
	}
}

static void
test_bytes(void **state)
{
	(void)state;
	is("", 0);
	is("\033[2;3Hab$", 2, W + 2, 0, W + 3, 0);
	/* one cell between is sent again, many are stepped over */
	is("\033[1Ha b$", 2, 0, 0, 2, 0);
	is("\033[1Ha\033[8Cb$", 2, 0, 0, 9, 0);
	/* down a column, then back to the next one */
	is("\033[1;6Ha\n\bc\033[1;16Hb\n\bd$", 4, 5, 0, 15, 0, W + 5, 0, W + 15,
	   0);
	/* look by look, last what takes a reset; the pen is plain at the ends
	 */
	is("\033[38;5;200m\033[1;2Hb\033[1;31m\b\ba\n\bc\033[m$", 3, 0, 1, 1, 2,
	   W, 1);
	/* a row's end is no way into the next one */
	is("\033[1;30Ha\033[2Hb$", 2, W - 1, 0, W, 0);
}

/* However wide a terminal takes it for, what is behind it is in its column. */
static void
test_behind_a_wide_letter_the_cursor_is_placed(void **state)
{
	static struct pair p;
	struct tty_bytes out = { .at = NULL };
	const struct tty_ends ends = { "$" };
	const struct tty_grid g = {
		p.shown,  p.look_at,           W,        H, look,
		all_ways, steps_of(&all_ways), pens_of()
	};

	(void)state;
	pair_make(&p);
	memcpy(p.shown[0].glyph, WIDE, 3);
	memcpy(p.shown[1].glyph, (const char[4]){ 0, CELL_REST }, 4);
	p.shown[5].glyph[0] = 'b';
	for (int i = 0; i < 3; i++)
		p.change[i] = (struct tty_change){ .x = i < 2 ? (int16_t)i : 5,
						   .cells = 1 };
	assert_true(tty_cells_add(&out, &g, NULL, 0, p.change, 3, &ends));
	assert_true(tty_bytes_reserve(&out, 1));
	out.at[out.len] = 0;
	assert_string_equal(out.at, "\033[1H" WIDE "\033[1;6Hb$");
	free(out.at);
}

static void
pen(const char *wanted, unsigned from, unsigned to, bool defaults)
{
	char text[TTY_PEN_MOST];
	struct buf b = buf_over(text, sizeof text);

	tty_pen_change(&b, &look[from], &look[to], defaults);
	assert_string_equal(buf_cstr(&b), wanted);
}

static void
test_pens_change_by_the_shortest_way(void **state)
{
	(void)state;
	pen("", 2, 2, true);
	pen("\033[1;31m", 0, 1, true);
	pen("\033[m", 1, 0, true);
	pen("\033[0;38;5;200m", 1, 2, true);
	pen("\033[1m", 3, 4, true);
	pen("\033[0;32;44m", 4, 3, true);
	pen("\033[0;38;5;200m", 3, 2, true);
	pen("\033[0;38;5;200m", 3, 2, false);
}

static void
test_parameters_of_a_description(void **state)
{
	char out[8];

	(void)state;
	assert_true(tty_pen_params("\033[1m", out, sizeof out));
	assert_string_equal(out, "1");
	assert_true(tty_pen_params("\033[38;5;9m", out, sizeof out));
	assert_string_equal(out, "38;5;9");
	/* delays, other sequences, too long, none */
	assert_false(tty_pen_params("\033[1m$<2>", out, sizeof out));
	assert_false(tty_pen_params("\033[m", out, sizeof out));
	assert_false(tty_pen_params("\033[38;5;199m", out, sizeof out));
	assert_false(tty_pen_params("\033(B", out, sizeof out));
	assert_false(tty_pen_params(NULL, out, sizeof out));
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_a_terminal_shows_what_was_meant),
		cmocka_unit_test(test_kept_pens_are_those_of_the_looks),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_a_terminal_may_be_wider_than_a_canvas),
		cmocka_unit_test(
			test_behind_a_wide_letter_the_cursor_is_placed),
		cmocka_unit_test(test_pens_change_by_the_shortest_way),
		cmocka_unit_test(test_parameters_of_a_description),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
