/* The help on the screen: what its first page has, and searching in it. */
#include "ui/screen.h"

static void
keys_of(struct screen *s, const char *keys)
{
	for (; *keys != '\0'; keys++)
		assert_true(help_key(&s->view->over.help, *keys));
	screen_draw(s);
}

static void
open_help(struct screen *s, int w, int h)
{
	screen_open(s, "m1", w, h, CANVAS_BRAILLE);
	view_overlay(s->view, OVERLAY_HELP, -1);
	screen_draw(s);
}

/* Of the page: the first two lines and the last are not. */
static const char *
page_line(struct screen *s, int n)
{
	static char line[400];
	const char *from = line_of(s->text, 2 + n);

	(void)snprintf(line, sizeof line, "%.*s", (int)strcspn(from, "\n"),
		       from);
	return line;
}

UNIT(the_first_page_has_the_keys)
{
	static const int width[] = { 80, 120, 200 };

	for (unsigned i = 0; i < sizeof width / sizeof *width; i++) {
		SCREEN(s, open_help, width[i], 24);
		for (const struct key *k = ui_keys; k->code[0] != 0; k++)
			if (k->first.part != KEY_PART_NONE) {
				assert_in_range(strlen(k->first.text), 4, 28);
				assert_true(says(s.text, k->first.text));
			}
		assert_true(says(page_line(&s, 0), "Find out"));
		assert_true(says(page_line(&s, 0), "Order"));
		assert_says(s.text, "page 1 of ");
	}
}

UNIT(a_narrow_one_has_them_one_below_the_other)
{
	SCREEN(s, open_help, 40, 60);
	for (const struct key *k = ui_keys; k->code[0] != 0; k++)
		if (k->first.part != KEY_PART_NONE)
			assert_true(says(s.text, k->first.text));
}

UNIT(keys_come_before_columns_before_events)
{
	static const char *const name[] = { " Keys ", " Columns here ",
					    " Bottlenecks ", " Events ",
					    " Words " };
	enum { PARTS = sizeof name / sizeof *name };
	int before = -1;

	SCREEN(s, open_help, 80, 24);
	assert_int_equal(s.view->over.help.nparts, PARTS);
	for (int i = 0; i < PARTS; i++) {
		assert_true(says(line_of(s.text, 1), name[i]));
		assert_int_equal(help_part(&s.view->over.help), i);
		assert_true(s.view->over.help.top > before);
		before = s.view->over.help.top;
		keys_of(&s, "\t");
	}
	keys_of(&s, "\t");
	/* A part begins with its heading, not with a blank line. */
	assert_true(says(page_line(&s, 0), "Kinds of core"));
}

/* Every line that has it comes up once, then the first again. */
UNIT(search_finds_each_line_once)
{
	int top = -1, hits;

	SCREEN(s, open_help, 80, 24);
	keys_of(&s, "/CYCLES\r");
	hits = s.view->over.help.hits;
	assert_in_range(hits, 2, 50);
	for (int i = 1; i <= hits; i++) {
		const struct help *h = &s.view->over.help;
		char rank[32];

		assert_int_equal(h->rank, i);
		assert_true(h->at > top);
		top = h->at;
		const char *line = page_line(&s, h->at - h->top);

		if (!says(line, "cycles") && !says(line, "Cycles") &&
		    !says(line, "CYCLES"))
			fail_msg("not in: %s", line);
		(void)snprintf(rank, sizeof rank, "%d of %d", i, hits);
		assert_true(says(line_of(s.text, 1), rank));
		keys_of(&s, "n");
	}
	assert_int_equal(s.view->over.help.rank, 1);
	keys_of(&s, "N");
	assert_int_equal(s.view->over.help.rank, hits);
	keys_of(&s, "N");
	assert_int_equal(s.view->over.help.rank, hits - 1);
}

UNIT(what_is_found_is_shown_so)
{
	SCREEN(s, open_help, 80, 24);
	keys_of(&s, "/theme\r");
	const struct help *h = &s.view->over.help;
	const char *line = page_line(&s, h->at - h->top);
	int x = (int)(strstr(line, "theme") - line);

	canvas_window(s.canvas, (struct rect){ 0, 0, 80, 24 });
	for (int i = -1; i <= 5; i++)
		assert_int_equal(
			canvas_at(s.canvas, x + i, 2 + h->at - h->top)->under ==
				ROLE_TAB,
			i >= 0 && i < 5);
}

UNIT(no_hit_says_so)
{
	SCREEN(s, open_help, 80, 24);
	keys_of(&s, "/no such thing\r");
	assert_true(says(line_of(s.text, 1), "no line has no such thing"));
	assert_int_equal(s.view->over.help.top, 0);
	keys_of(&s, "n");
	assert_true(says(line_of(s.text, 1), "no line has no such thing"));
	keys_of(&s, "\033");
	assert_true(says(line_of(s.text, 1), "page 1 of "));
}

UNIT(what_is_typed_stands_in_the_last_line)
{
	SCREEN(s, open_help, 80, 24);
	keys_of(&s, "/quit");
	assert_true(says(line_of(s.text, 23), "/quit_"));
	assert_true(says(line_of(s.text, 23), "Enter finds"));
}
