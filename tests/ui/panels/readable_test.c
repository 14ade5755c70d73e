/* What is written in letters or digits has a role whose contrast counts. */
#include "ui/screen.h"

#include "ui/theme/theme.h"

#include <ctype.h>

static void
none_can_be_chosen(struct screen *s)
{
	s->fake.status.preset_possible = 0;
}

static void
nothing_counted(struct screen *s)
{
	s->fake.status.mode = UI_MODE_BUSY;
	s->fake.status.preset_possible = 0;
	s->fake.f.domain = DOMAIN_NONE;
	s->fake.set.len = 0;
}

static void
check_cells(struct screen *s, const char *what)
{
	screen_draw(s);
	for (int i = 0; i < s->canvas->w * s->canvas->h; i++) {
		const struct cell *cell = &s->canvas->cell[i];
		bool read = isalnum((unsigned char)cell->glyph[0]) != 0;

		/* A digit in a step of `heat` has a test of its own. */
		if (!read || role_table[cell->role].reads ||
		    cell->role == ROLE_HEAT)
			continue;
		fail_msg("%s, %d x %d: \"%.1s\" at %d,%d is %s:\n%s", what,
			 s->canvas->w, s->canvas->h, (const char *)cell->glyph,
			 i % s->canvas->w, i / s->canvas->w,
			 role_table[cell->role].name, s->text);
	}
}

static const struct {
	const char *name;
	void (*change)(struct screen *);
} condition[] = { { "in order", NULL },
		  { "troubled", troubled },
		  { "simulated", simulated },
		  { "none can be chosen", none_can_be_chosen },
		  { "nothing counted", nothing_counted } };

static const int size[][2] = { { 40, 12 },  { 80, 24 },  { 100, 30 },
			       { 120, 40 }, { 160, 45 }, { 200, 60 } };

static void
check_machine(const char *machine, unsigned k, unsigned n,
	      enum canvas_glyphs glyphs)
{
	SCREEN(s, screen_open, machine, size[n][0], size[n][1], glyphs);
	if (condition[k].change != NULL &&
	    (condition[k].change != troubled || s.fake.t->ncpus >= 8))
		condition[k].change(&s);
	for (int view = 0; view < VIEW_COUNT; view++) {
		s.view->kind = (enum layout_view)view;
		s.view->over.which = OVERLAY_NONE;
		check_cells(&s, condition[k].name);
	}
	s.view->over.which = OVERLAY_PRESETS;
	check_cells(&s, condition[k].name);
	s.view->over.which = OVERLAY_HELP;
	for (s.view->over.help.top = 0;
	     s.view->over.help.top < s.view->over.help.lines;
	     s.view->over.help.top += 10)
		check_cells(&s, condition[k].name);
}

UNIT(test_words_are_written_to_be_read)
{
	static const char *const machine[] = { "m1", "m3ultra", "epyc", "vm" };

	for (unsigned m = 0; m < sizeof machine / sizeof *machine; m++)
		for (unsigned k = 0; k < sizeof condition / sizeof *condition;
		     k++)
			for (unsigned n = 0; n < sizeof size / sizeof *size;
			     n++)
				check_machine(machine[m], k, n,
					      n % 2 ? CANVAS_BRAILLE
						    : CANVAS_ASCII);
}

/* Of what cannot be chosen the key is not lit. */
UNIT(test_what_cannot_be_chosen_looks_so)
{
	enum role lit, unlit;

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	lit = (enum role)s.canvas->cell[240 + 10].role;
	assert_true(s.canvas->cell[240 + 10].glyph[0] == '2');
	none_can_be_chosen(&s);
	screen_draw(&s);
	unlit = (enum role)s.canvas->cell[240 + 10].role;
	assert_int_equal(lit, ROLE_KEY);
	assert_int_equal(unlit, ROLE_DIM);
}
