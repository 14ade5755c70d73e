/* Lines that stay as they were drawn: whatever changes, they are as new ones.
 */
#include "ui/screen.h"

#include "ui/view/kept.h"
#include "ui/view/replay.h"

#include <string.h>

static uint32_t seed = 1;

static unsigned
below(unsigned n)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % n;
}

static void
change_view(struct view *v)
{
	static const enum overlay over[] = { OVERLAY_NONE, OVERLAY_HELP,
					     OVERLAY_PRESETS, OVERLAY_SORT,
					     OVERLAY_PICKER };

	switch (below(8)) {
	case 0:
		v->kind = (enum layout_view)below(VIEW_COUNT);
		break;
	case 1:
		v->overlay = over[below(8) % (sizeof over / sizeof *over)];
		break;
	case 2:
		v->paused = !v->paused;
		break;
	case 3:
		v->typing = below(4) == 0;
		break;
	case 4:
		v->help.typing = below(4) == 0;
		break;
	case 5:
		v->message = below(4) == 0 ? "said" : NULL;
		break;
	case 6:
		v->picker.naming = !v->picker.naming;
		break;
	default:
		v->picker.typing = !v->picker.typing;
	}
}

static void
change_status(struct ui_status *s)
{
	static const struct ui_replay replay = { .frames = 9, .speed = 1 };
	static const struct preset own[2] = {
		{ .key = 'x', .name = "own one", .label = "o1" },
		{ .key = '2', .name = "takes 2", .label = "t2" }
	};

	switch (below(7)) {
	case 0:
		s->preset = (int)below(preset_count + 1) - 1;
		break;
	case 1:
		s->mode = (enum ui_mode)below(UI_MODE_FULL + 1);
		break;
	case 2:
		s->preset_possible ^= 1u << below(preset_count);
		break;
	case 3:
		s->preset_refused ^= 1u << below(preset_count);
		break;
	case 4:
		s->rotating = below(4) == 0;
		s->rotation = below(2) == 0 ? "overview, branch" : "stalls";
		break;
	case 5:
		s->user_preset = own;
		s->nuser_presets = below(3);
		break;
	default:
		s->replay = below(4) == 0 ? &replay : NULL;
	}
}

static void
draw(struct screen *s, enum panel_id place, const struct frame *f)
{
	unsigned i = 0;

	while (panel_table[i]->place != place)
		i++;
	assert_true(picture_arrange(s->view, f, &s->fake.status, s->canvas->w,
				    s->canvas->h, NULL));
	canvas_clear(s->canvas);
	s->view->hits->n = 0;
	canvas_window(s->canvas, (struct rect){ 0, 2, s->canvas->w, 1 });
	panel_table[i]->draw(s->canvas, s->view);
}

static void
check(struct screen *s, enum panel_id place, const struct frame *f)
{
	static struct cell cell[200 * 40];
	static struct view_hits hits;
	size_t size =
		(size_t)s->canvas->w * (size_t)s->canvas->h * sizeof *cell;

	draw(s, place, f);
	memcpy(cell, s->canvas->cell, size);
	hits = *s->view->hits;
	s->view->kept->line[place == PANEL_KEYS ? KEPT_KEYS : KEPT_PRESETS].n =
		0;
	draw(s, place, f);
	assert_memory_equal(cell, s->canvas->cell, size);
	assert_int_equal(hits.n, s->view->hits->n);
	assert_memory_equal(hits.at, s->view->hits->at,
			    hits.n * sizeof *hits.at);
}

/* What is kept is dropped when what it says is another thing. */
static void
test_kept_lines_are_as_new_ones(void **state)
{
	static const int width[] = { 38, 60, 80, 120, 200 };
	struct eventset none = { .len = 0 };
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BRAILLE);
	const struct eventset *full = s.fake.f.set;

	for (unsigned turn = 0; turn < 4000; turn++) {
		if (below(3) > 0)
			change_view(s.view);
		else
			change_status(&s.fake.status);
		if (below(20) == 0)
			s.canvas->glyphs = (enum canvas_glyphs)below(3);
		if (below(20) == 0)
			s.fake.f.set = below(2) == 0 ? full : &none;
		if (below(20) == 0)
			canvas_resize(s.canvas, width[below(5)], 40, NULL);
		const struct frame *f = below(20) == 0 ? NULL : &s.fake.f;

		check(&s, PANEL_KEYS, f);
		check(&s, PANEL_PRESETS, f);
	}
	screen_close(&s);
}

/* What the heads of columns depend on, and what they do not. */
static void
change_table(struct screen *s)
{
	static const int width[] = { 60, 80, 100, 120, 200 };
	static const int height[] = { 24, 40, 60 };
	static const enum domain domain[] = { DOMAIN_USER, DOMAIN_ALL,
					      DOMAIN_MIXED };
	struct ui_status *status = &s->fake.status;

	switch (below(9)) {
	case 0:
		canvas_resize(s->canvas, width[below(5)], height[below(3)],
			      NULL);
		break;
	case 1:
		s->canvas->glyphs = (enum canvas_glyphs)below(3);
		break;
	case 2:
		s->canvas->letters = !s->canvas->letters;
		break;
	case 3:
		s->fake.f.domain = domain[below(3)];
		break;
	case 4:
		status->preset = (int)below(preset_count + 1) - 1;
		break;
	case 5:
		s->view->sort = (int)below(metric_count);
		s->view->kind = (enum layout_view)below(VIEW_COUNT);
		break;
	case 6:
		s->view->reverse = below(2) > 0;
		s->view->sort = below(2) > 0 ? s->view->ipc : s->view->ghz;
		break;
	case 7:
		s->view->ipc_max = 6 + 2 * below(4);
		break;
	default:
		status->mode = (enum ui_mode)below(UI_MODE_FULL + 1);
	}
}

static void
draw_whole(struct screen *s)
{
	assert_true(picture_arrange(s->view, &s->fake.f, &s->fake.status,
				    s->canvas->w, s->canvas->h, NULL));
	picture_draw(s->view, s->canvas);
}

/* The same of whole screens, whose titles are kept. */
static void
test_kept_titles_are_as_new_ones(void **state)
{
	static struct cell cell[200 * 60];
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BRAILLE);
	for (unsigned turn = 0; turn < 400; turn++) {
		change_table(&s);
		draw_whole(&s);
		size_t size = (size_t)s.canvas->w * (size_t)s.canvas->h *
			      sizeof *cell;

		memcpy(cell, s.canvas->cell, size);
		for (unsigned i = 0; i < KEPT_LINES; i++)
			s.view->kept->line[i].n = 0;
		draw_whole(&s);
		assert_memory_equal(cell, s.canvas->cell, size);
	}
	screen_close(&s);
}

/* And where nothing changes it is kept. */
static void
test_a_tick_keeps_them(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 120, 40, CANVAS_BRAILLE);
	screen_draw(&s);
	for (unsigned i = 0; i < KEPT_LINES; i++) {
		struct kept_line *k = &s.view->kept->line[i];

		assert_true(k->n > 0);
		k->cell[3].glyph[0] = '@'; /* nobody draws that */
	}
	fake_tick(&s.fake, 2);
	assert_true(says(screen_draw(&s), "@"));
	assert_true(says(line_of(s.text, 1), "@"));
	assert_true(says(line_of(s.text, 39), "@"));
	screen_close(&s);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_kept_lines_are_as_new_ones),
		cmocka_unit_test(test_kept_titles_are_as_new_ones),
		cmocka_unit_test(test_a_tick_keeps_them),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
