/* What lies over the screen: its keys in the last line, messages, the picker's
 * signs; and the words that a person looks up. */
#include "ui/screen.h"

#include "ui/view/keys.h"

static const struct {
	enum overlay overlay;
	enum key_place place;
} over[] = {
	{ OVERLAY_HELP, KEY_PLACE_HELP },
	{ OVERLAY_PRESETS, KEY_PLACE_PRESETS },
	{ OVERLAY_SORT, KEY_PLACE_SORT },
	{ OVERLAY_PICKER, KEY_PLACE_PICKER },
	{ OVERLAY_PICKER, KEY_PLACE_NAMING },
};
enum { OVERS = sizeof over / sizeof *over };

static void
lay_over(struct screen *s, unsigned i)
{
	s->view->over.which = over[i].overlay;
	s->view->over.picker =
		(struct picker){ .catalog = s->fake.status.catalog };
	s->view->over.picker.naming = over[i].place == KEY_PLACE_NAMING;
}

UNIT(test_the_last_line_has_the_keys_that_work)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	for (unsigned i = 0; i < OVERS; i++) {
		const struct place_key *k;

		lay_over(&s, i);
		const char *last = line_of(screen_draw(&s), 23);

		assert_silent(last, "pause");
		assert_int_equal(says(last, "q quit"),
				 over[i].overlay != OVERLAY_PICKER);
		for (unsigned at = 0; (k = key_of_place(at)) != NULL; at++)
			if (k->place == over[i].place &&
			    (!says(last, k->keys) || !says(last, k->name)))
				fail_msg("no \"%s %s\" in:%s", k->keys, k->name,
					 last);
	}
}

UNIT(test_the_narrowest_line_says_how_to_go_on_and_back)
{
	SCREEN(s, screen_open, "m1", 40, 12, CANVAS_BRAILLE);
	for (unsigned i = 0; i < OVERS; i++) {
		lay_over(&s, i);
		assert_true(says(line_of(screen_draw(&s), 11), "Esc "));
	}
}

/* All words of the text, one after the other, on the last rows. */
static bool
ends_with_words(const char *screen, int rows, const char *text)
{
	const char *at = line_of(screen, rows);
	char word[80];

	for (; *text != '\0'; text += strspn(text, " ")) {
		size_t n = strcspn(text, " ");

		memcpy(word, text, n);
		word[n] = '\0';
		if ((at = strstr(at, word)) == NULL)
			return false;
		at += n;
		text += n;
	}
	return true;
}

UNIT(test_a_long_message_is_whole)
{
	static const char text[] =
		"saved in /etc/somewhere/with/a/rather/long/name/ktop/ktoprc: "
		"theme, interval, preset, view, sort, filter, group and pin";
	static const int width[] = { 70, 80, 100, 200 };

	for (unsigned i = 0; i < sizeof width / sizeof *width; i++) {
		SCREEN(s, screen_open, "m1", width[i], 24, CANVAS_BRAILLE);
		s.view->line.message = text;
		screen_draw(&s);
		if (!ends_with_words(s.text, 20, text))
			fail_msg("it is cut at %d:\n%s", width[i], s.text);
		assert_true(says(line_of(s.text, 23), "q quit"));
		/* the picker takes a q for its search */
		s.view->over.which = OVERLAY_PICKER;
		s.view->over.picker =
			(struct picker){ .catalog = s.fake.status.catalog };
		screen_draw(&s);
		assert_true(ends_with_words(s.text, 20, text));
		assert_silent(s.text, "q quit");
		s.view->over.which = OVERLAY_NONE;
		s.view->line.asking = true;
		assert_silent(screen_draw(&s), "q quit");
	}
}

/* Where there is no room for all of it, that is to be seen. */
UNIT(test_a_message_cut_says_so)
{
	SCREEN(s, screen_open, "m1", 20, 5, CANVAS_BRAILLE);
	s.view->line.message = "this machine has no event of that preset";
	assert_true(says(line_of(screen_draw(&s), 4), " this machine"));
	assert_true(says(line_of(s.text, 4), ".."));
	s.view->line.message = "the end";
	assert_false(says(line_of(screen_draw(&s), 4), ".."));
}

UNIT(test_how_far_back_in_short_frames)
{
	static const struct {
		int64_t period_ms;
		double ago_s;
		const char *text;
	} row[] = {
		{ 200, 0.4, "PAUSED -0:00.4 " }, { 500, 12.5, "-0:12.5 " },
		{ 200, 90.4, "-1:30 " },         { 1000, 2.01, "-0:02 " },
		{ 1000, 3725, "-1:02:05 " },
	};

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.view->when.paused = true;
	s.view->when.scrub = 1;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		s.fake.status.period_ns = row[i].period_ms * 1000000;
		s.view->when.ago_s = row[i].ago_s;
		if (!says(screen_draw(&s), row[i].text))
			fail_msg("not %s:\n%s", row[i].text, s.text);
	}
}

UNIT(test_the_end_of_a_minute_is_a_minute)
{
	struct ui_replay r = { .at = 59,
			       .frames = 60,
			       .number = 1059,
			       .last = 1059,
			       .time_s = 59.9996,
			       .length_s = 59.9996,
			       .speed = 1,
			       .ended = true };

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	s.fake.status.replay = &r;
	assert_says(screen_draw(&s), "1:00/1:00 sample 1059/1059 end");
}

/* A fixed event, one of the kernel's own, and one of a long name. */
static struct event mixed_event[] = {
	{ .name = "A_NAME_OF_FIFTY_LETTERS_THAT_FITS_NO_NARROW_SCREEN",
	  .counters = 0xff },
	{ .name = "CYCLES", .counters = 0, .fixed = true },
	{ .name = "ON_FIVE", .counters = 0xe0 },
	{ .name = "ON_TOP", .counters = 0x80 },
	{ .name = "SWITCHES", .counters = 1u << EVENT_FREE_FIRST },
};
static const struct catalog mixed = { "mixed", mixed_event, 5,
				      1u << EVENT_FREE_FIRST | 0xff };

UNIT(test_the_picker_tells_its_signs_apart)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	s.fake.status.catalog = &mixed;
	s.fake.set.len = 0;
	s.view->over.which = OVERLAY_PICKER;
	s.view->over.picker = (struct picker){ .catalog = &mixed };
	screen_draw(&s);
	assert_says(s.text, "│  =  CYCLES ", "fixed",
		    "A_NAME_OF_FIFTY_LETTERS_THAT_FITS", ".. any");
	/* what is cut in the list is whole below it */
	assert_says(s.text,
		    " A_NAME_OF_FIFTY_LETTERS_THAT_FITS_NO_NARROW_"
		    "SCREEN ",
		    "none: 8 of 8 counters free ");
	for (int i = 0; i < 4; i++)
		picker_key(&s.view->over.picker, KEY_DOWN_ARROW, NULL);
	picker_key(&s.view->over.picker, ' ', NULL);
	screen_draw(&s);
	assert_says(s.text, "[+] SWITCHES", "8 of 8 counters free");
}

/* What does not fit is marked under the cursor alone, with what is in its way.
 */
UNIT(test_the_picker_marks_the_conflict_of_one_event)
{
	static const struct event event[] = {
		{ .name = "A", .counters = 0x20 },
		{ .name = "B", .counters = 0x40 },
		{ .name = "C", .counters = 0x60 },
		{ .name = "D", .counters = 0x20 },
	};
	static const struct catalog c = { "test", event, 4, 0xff };
	struct picker *p;

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	s.fake.status.catalog = &c;
	s.fake.set.len = 2;
	s.fake.set.slot[0] = (struct slot){ &event[0], 5 };
	s.fake.set.slot[1] = (struct slot){ &event[1], 6 };
	s.view->over.which = OVERLAY_PICKER;
	p = &s.view->over.picker;
	*p = (struct picker){ .catalog = &c };
	assert_says(screen_draw(&s), "+ takes the 2 events counted now");
	picker_key(p, '+', NULL);
	screen_draw(&s);
	assert_true(says(s.text, "[5] A ") && says(s.text, "[6] B "));
	assert_true(says(s.text, "[ ] C ") && says(s.text, "[ ] D "));
	assert_says(s.text, "6 of 8 counters free");
	for (int i = 0; i < 3; i++)
		picker_key(p, KEY_DOWN_ARROW, NULL);
	screen_draw(&s);
	assert_true(says(s.text, "[ ] C ") && says(s.text, " !  D "));
	assert_says(s.text, "= swaps it in for A ");
	assert_int_equal(s.canvas->cell[4 * 80 + 3].role, ROLE_WARN);
	assert_int_equal(s.canvas->cell[5 * 80 + 3].role, ROLE_GOOD);
	picker_key(p, '=', NULL);
	screen_draw(&s);
	assert_true(says(s.text, "[ ] A ") && says(s.text, "[5] D "));
}

/* What is chosen leaves the list half of a low screen. */
UNIT(test_the_picker_lists_events_on_a_low_screen)
{
	for (int h = 10; h <= 24; h++) {
		SCREEN(s, screen_open, "m1", 60, h, CANVAS_ASCII);
		s.view->over.which = OVERLAY_PICKER;
		s.view->over.picker =
			(struct picker){ .catalog = s.fake.status.catalog };
		picker_key(&s.view->over.picker, '+', NULL);
		screen_draw(&s);
		if ((int)s.view->over.picker.rows < (h - 6) / 2)
			fail_msg("%u rows of %d:\n%s", s.view->over.picker.rows,
				 h, s.text);
	}
}

/* Names of chosen events go to the next line, each whole. */
UNIT(test_the_picker_shows_all_that_is_chosen)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	s.view->over.which = OVERLAY_PICKER;
	s.view->over.picker =
		(struct picker){ .catalog = s.fake.status.catalog };
	screen_draw(&s);
	picker_key(&s.view->over.picker, '+', NULL);
	screen_draw(&s);
	assert_int_equal(s.view->over.picker.chosen.n, s.fake.set.len);
	const char *chosen = strstr(s.text, "chosen ");

	assert_non_null(chosen);
	for (unsigned i = 0; i < s.fake.set.len; i++)
		if (!says(chosen, s.fake.set.slot[i].event->name))
			fail_msg("no %s in:\n%s",
				 s.fake.set.slot[i].event->name, s.text);
}

UNIT(test_the_presets_line_counts_counters)
{
	SCREEN(s, screen_open, "m1", 160, 45, CANVAS_BRAILLE);
	s.fake.status.catalog = &mixed;
	s.fake.set.len = 2;
	s.fake.set.slot[0] = (struct slot){ &mixed_event[2], 5 };
	s.fake.set.slot[1] = (struct slot){ &mixed_event[4], EVENT_FREE_FIRST };
	assert_says(screen_draw(&s), "1 of 8 counters   e pick events");
}

UNIT(test_the_help_has_every_word)
{
	static const char *const word[] = {
		"FIXED", "live",      "PAUSED",     "REPLAY",
		"ENDED", "STALE 6/8", "IN USE",     "NO PMU",
		"WAIT",  "IPIs ",     "ROTATE",     "REC",
		"SIM",   "NO DATA",   "TAKEN OVER", "Keys of a replay",
	};
	const struct place_key *k;

	SCREEN(s, screen_open, "m1", 120, 400, CANVAS_BRAILLE);
	help(&s);
	/* Of the page alone: the first line has some of them, too. */
	const char *page = line_of(screen_draw(&s), 1);

	for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
		if (!says(page, word[i]))
			fail_msg("no %s", word[i]);
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++)
		assert_true(says(page, k->text));
	assert_silent(page, "this page");
}

/* Below its timeline; what no recording has a use for is not there. */
UNIT(test_a_replays_own_keys_stand_in_the_last_line)
{
	struct ui_replay r = { .frames = 60, .last = 59, .speed = 1 };
	struct screen s;

	screen_open(&s, "m1", 120, 40, CANVAS_ASCII);
	s.fake.status.replay = &r;
	screen_draw(&s);
	assert_true(says(line_of(s.text, 38), " sample 0/59 x1 |---"));
	const char *last = line_of(s.text, 39);

	assert_says(last, " ? help  space stop  < > minute  n N jump  [ ] "
			  "pace  : go to  left right step  Home End "
			  "ends  ");
	assert_true(says(last, "Tab view") && says(last, "q quit"));
	assert_false(says(last, "preset") || says(last, "pick"));
	s.view->over.which = OVERLAY_SORT;
	screen_draw(&s);
	assert_true(says(line_of(s.text, 38), " sample 0/59 x1 |---"));
	assert_true(says(line_of(s.text, 39), "Enter sort"));
	screen_close(&s);
	screen_open(&s, "m1", 80, 24, CANVAS_ASCII);
	s.fake.status.replay = &r;
	last = line_of(screen_draw(&s), 23);
	assert_says(last, " ? help  space stop  < > minute  n N jump",
		    "  q quit");
	screen_close(&s);
	/* So do those of the live program while it is paused. */
	screen_open(&s, "m1", 80, 24, CANVAS_ASCII);
	s.view->when.paused = true;
	last = line_of(screen_draw(&s), 23);
	assert_says(
		last,
		" ? help  space resume  n N jump  : go to  left right step  "
		"R reference  q quit");
	assert_false(says(last, "  m mark") || says(last, "pause"));
	screen_close(&s);
	/* A low screen says where one is, and no more. */
	screen_open(&s, "m1", 80, 11, CANVAS_ASCII);
	s.fake.status.replay = &r;
	assert_true(says(line_of(screen_draw(&s), 10), " sample 0/59 x1 |---"));
	screen_close(&s);
}

UNIT(test_a_replays_list_of_presets_claims_nothing)
{
	struct ui_replay r = { .frames = 60, .last = 59, .speed = 1 };

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.fake.status.replay = &r;
	s.fake.status.preset_possible = 0;
	s.view->over.which = OVERLAY_PRESETS;
	screen_draw(&s);
	assert_silent(s.text, "on this machine");
	assert_says(s.text, "events cannot be changed");
}

/* Nor does its help offer what counts. */
UNIT(test_a_replays_help_has_its_keys_only)
{
	struct ui_replay r = { .frames = 60, .last = 59, .speed = 1 };

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.view->over.which = OVERLAY_HELP;
	assert_says(screen_draw(&s), "count another preset");
	assert_says(s.text, "choose single events");
	s.fake.status.replay = &r;
	screen_draw(&s);
	assert_silent(s.text, "count another preset", "choose single events");
	assert_says(s.text, "next marker or change of state",
		    "list the presets");
}

/* One sign is the cursor's, in every list; what is counted has another. */
UNIT(test_the_list_of_presets_marks_what_is_counted)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	s.fake.status.preset = 1;
	s.view->over.which = OVERLAY_PRESETS;
	s.view->over.choice = 3;
	screen_draw(&s);
	assert_says(s.text, "|  = 2 topdown ", "|>   4 l1d ", "= counted now");
	s.view->over.choice = 1;
	screen_draw(&s);
	assert_says(s.text, "|> = 2 topdown ");
	/* Events named by hand are none of them. */
	s.fake.status.preset = -1;
	screen_draw(&s);
	assert_says(s.text, "|>   2 topdown ");
	assert_silent(s.text, "= counted now");
}
