/* What is behind a number, and why there is none: in words, on the screen. */
#include "ui/screen.h"

#include "ui/view/value.h"

static void
has(struct screen *s, const char *text)
{
	if (strstr(screen_draw(s), text) == NULL)
		fail_msg("no \"%s\" on the screen:\n%s", text, s->text);
}

/* As a Linux machine tells its events: each with what the PMU calls it. */
static struct event native_event[sizeof fake_event / sizeof *fake_event];
static struct catalog native_catalog;

static void
make_linux(struct screen *s)
{
	memcpy(native_event, fake_event, sizeof fake_event);
	for (unsigned i = 0; i < sizeof fake_event / sizeof *fake_event; i++)
		if (strcmp(native_event[i].name, "BRANCH_MISPRED_NONSPEC") == 0)
			native_event[i].native =
				"cpu_core/event=0xc5/ cpu_atom/event=0xc5/";
	native_catalog = fake_catalog;
	native_catalog.event = native_event;
	s->fake.status.catalog = &native_catalog;
	for (unsigned i = 0; i < s->fake.set.len; i++)
		s->fake.set.slot[i].event = &native_event[fake_order[i]];
	s->fake.set.ndropped = 1;
	s->fake.set.dropped[0].event = "L2_MISS";
	snprintf(s->fake.set.dropped[0].why, sizeof s->fake.set.dropped[0].why,
		 "refused (EINVAL): no counter is left for it");
}

UNIT(test_help_names_the_events_of_this_machine)
{
	SCREEN(s, screen_open, "m1", 120, 400, CANVAS_BRAILLE);
	make_linux(&s);
	s.view->over.which = OVERLAY_HELP;
	has(&s, "BRANCH_MISPRED_NONSPEC is cpu_core/event=0xc5/ "
		"cpu_atom/event=0xc5/");
	has(&s, "Events counted now");
	has(&s, "Requested, but not counted");
	has(&s, "L2_MISS: refused (EINVAL): no counter is left for it");
}

UNIT(test_events_view_names_them_too)
{
	SCREEN(s, screen_open, "m1", 120, 50, CANVAS_BRAILLE);
	make_linux(&s);
	s.view->kind = VIEW_EVENTS;
	has(&s, "cpu_core/event=0xc5/ cpu_atom/event=0xc5/");
	has(&s, "not counted: L2_MISS: refused (EINVAL)");
}

/* Only what needs no counter has a number from 16 on. */
UNIT(test_no_counter_is_made_up)
{
	SCREEN(s, screen_open, "m1", 120, 50, CANVAS_BRAILLE);
	s.fake.set.len = 1;
	s.fake.set.slot[0].counter = EVENT_FREE_FIRST;
	s.view->kind = VIEW_EVENTS;
	has(&s, "     -   CORE_ACTIVE_CYCLE");
	has(&s, "user   none ");
}

/* Also where the screen is small, while some row says so. */
UNIT(test_stale_is_explained)
{
	SCREEN(s, screen_open, "m2max", 80, 24, CANVAS_BRAILLE);
	assert_silent(screen_draw(&s), " counters ");
	fake_row(&s.fake, 5, QUALITY_STALE);
	has(&s,
	    " counters in use by ktop; stale: no reading, its counts follow later");
	fake_row(&s.fake, 5, QUALITY_OFF);
	assert_silent(screen_draw(&s), " counters ");
	/* That all is well, and what asking costs, is in the view of events. */
	s.fake.status.own_cpu_pct = 0.1;
	s.fake.status.interrupts_per_read = 12;
	has(&s, "cost 0.1% of a core");
	assert_silent(s.text, "IPIs");
	s.view->kind = VIEW_EVENTS;
	has(&s, "in use by ktop, verified");
	has(&s, "0.1% of a core, 12 IPIs/sample");
}

/* off, idle, stale, n/a, not counted now: never the same, never a number. */
UNIT(test_each_state_has_its_word)
{
	static const struct {
		enum value_state ipc, other;
		const char *ipc_text, *text;
	} want[] = {
		{ VALUE_OK, VALUE_NOT_COUNTED, "", "--" },
		{ VALUE_OK, VALUE_UNSUPPORTED, "", "n/a" },
		{ VALUE_OK, VALUE_STALE, "", "stale" },
		{ VALUE_OFF, VALUE_OFF, "off", "-" },
		{ VALUE_IDLE, VALUE_IDLE, "idle", "-" },
		{ VALUE_STALE, VALUE_STALE, "stale", "-" },
		{ VALUE_UNSUPPORTED, VALUE_UNSUPPORTED, "n/a", "n/a" },
		{ VALUE_NOT_COUNTED, VALUE_NOT_COUNTED, "--", "--" },
	};
	int metric = metric_find("branch_mpki");

	SCREEN(s, screen_open, "m1", 120, 50, CANVAS_BRAILLE);
	(void)screen_draw(&s);
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
		struct value_shown shown;

		s.fake.state[s.view->metric.ipc] = (uint8_t)want[i].ipc;
		s.fake.state[metric] = (uint8_t)want[i].other;
		s.fake.value[metric] = NAN;
		value_show(s.view, 0, metric, 5, &shown);
		assert_string_equal(shown.text, want[i].text);
		value_show_main(s.view, 0, &shown);
		if (want[i].ipc_text[0] != '\0')
			assert_string_equal(shown.text, want[i].ipc_text);
	}
}

/* Without a PMU the kernel's own events are shown; the others say n/a. */
UNIT(test_busy_mode_shows_what_is_counted)
{
	int ctx = metric_find("ctx_per_s");

	SCREEN(s, screen_open, "vm", 120, 40, CANVAS_BRAILLE);
	memcpy(s.fake.set.name, "os", 3);
	s.fake.set.len = 1;
	s.fake.set.slot[0] = (struct slot){ &fake_event[0], EVENT_FREE_FIRST };
	s.fake.status.preset = preset_find("os");
	s.fake.status.catalog = NULL;
	for (unsigned i = 0; i < s.fake.f.nscopes; i++) {
		s.fake.state[i * metric_count + (unsigned)ctx] = VALUE_OK;
		s.fake.value[i * metric_count + (unsigned)ctx] = 4321;
	}
	has(&s, "busy% 0     50     ctx/s");
	has(&s, "·  4321");
}

/* Why there is nothing but busy time: each reason has its own word. */
UNIT(test_a_refusal_is_not_a_missing_pmu)
{
	static const struct {
		enum err_code code;
		const char *word;
	} want[] = {
		{ ERR_NO_PMU, "   NO PMU" },
		{ ERR_TAKEN, "   IN USE" },
		{ ERR_PERM, "   DENIED" },
		{ ERR_FAIL, "   NO DATA" },
	};

	SCREEN(s, screen_open, "vm", 80, 24, CANVAS_BRAILLE);
	for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
		s.fake.status.why_code = want[i].code;
		has(&s, want[i].word);
	}
}

static void
estimate_nothing(struct screen *s)
{
	for (unsigned i = 0; i < s->fake.f.nscopes; i++)
		s->fake.bottlenecks.bottleneck[i].slots =
			bottleneck_word_only(BOTTLENECK_UNKNOWN).slots;
}

/* Bars of shares that another set counted are not as those of now. */
UNIT(test_bars_of_another_set_are_dim)
{
	unsigned useful = (unsigned)metric_find("retiring_pct");

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.view->kind = VIEW_BOTTLENECKS;
	estimate_nothing(&s);
	if (strstr(screen_draw(&s), "░░░") == NULL)
		fail_msg("nothing is dim:\n%s", s.text);
	/* Each cell has its part's colour, those of numbers, too. */
	unsigned hatched = 0;

	for (int y = 0; y < 40; y++)
		for (int x = 0; x < 120; x++) {
			const struct cell *c = &s.canvas->cell[y * 120 + x];
			bool before = x > 0 && strcmp(c[-1].glyph, "░") == 0;

			hatched += before;
			if (before && c->glyph[0] >= '0' && c->glyph[0] <= '9')
				assert_int_equal(c->role, c[-1].role);
		}
	assert_true(hatched > 50);
	for (unsigned k = 0; k < s.fake.f.nscopes; k++)
		for (unsigned i = 0; i < 4; i++) {
			size_t at = (size_t)k * metric_count +
				    (size_t)s.view->metric.topdown[i];

			s.fake.value[at] = 25;
			s.fake.state[at] = VALUE_OK;
		}
	assert_int_equal(s.view->metric.topdown[0], useful);
	if (strstr(screen_draw(&s), "░") != NULL)
		fail_msg("what is counted now is dim:\n%s", s.text);
}

UNIT(test_no_tab_moves_the_others)
{
	const char *at;
	long column[2];

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	for (int i = 0; i < 2; i++) {
		s.fake.status.preset = i;
		at = strstr(screen_draw(&s), "9 ldst");
		assert_non_null(at);
		column[i] = (long)(at - s.text);
	}
	assert_int_equal(column[0], column[1]);
}

static const char *
glyph(const struct screen *s, int x, int row)
{
	const struct rect r = layout_inside(&s->view->lay, PANEL_CORES);

	return canvas_at(s->canvas, r.x + x,
			 r.y + s->view->lay.core_titles + row)
		->glyph;
}

/* A tick where a core of the kind can do no more; blank behind it. */
UNIT(test_a_bar_ends_at_the_width_of_its_kind)
{
	enum { E = 0, P = 4, WIDE = 8, NARROW = 4 };

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	screen_draw(&s);
	const struct layout_table *t = &s.view->lay.table;
	int end = t->bar_x + t->bar_w;
	int half = t->bar_x + (t->bar_w + 1) / 2;

	assert_int_equal(s.fake.f.topology->kind[1].width, NARROW);
	assert_int_equal(s.fake.f.topology->kind[0].width, WIDE);
	canvas_window(s.canvas, (struct rect){ 0, 0, 120, 40 });
	assert_string_equal(glyph(&s, half, E), "▏");
	assert_string_equal(glyph(&s, half - 1, E), "·");
	assert_string_equal(glyph(&s, half + 1, E), " ");
	assert_string_equal(glyph(&s, end, E), " ");
	assert_string_equal(glyph(&s, end, P), "▏");
	/* A scale of time has no such end. */
	s.fake.status.mode = UI_MODE_BUSY;
	screen_draw(&s);
	canvas_window(s.canvas, (struct rect){ 0, 0, 120, 40 });
	assert_string_equal(glyph(&s, t->bar_x + t->bar_w, P), " ");
}

UNIT(test_rates_have_units)
{
	struct metric rate = { .unit = UNIT_PER_S };
	struct metric other = { .unit = UNIT_PCT };
	char text[VALUE_TEXT_SIZE];

	value_number(27743492, 0, value_width(&rate, 12), text);
	assert_string_equal(text, "27.7M");
	assert_int_equal(value_width(&rate, 4), 4);
	assert_int_equal(value_width(&other, 12), 12);
}

/* Sets that take turns are swapped each frame: nothing to worry about.
 */
UNIT(test_turns_are_no_trouble)
{
	static const int turn[2] = { 0, 1 };

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.fake.f.quality = QUALITY_SWAP;
	for (unsigned i = 0; i < s.fake.f.nscopes; i++)
		s.fake.span[i].quality = QUALITY_SWAP;
	has(&s, " SWAP");
	s.fake.status.rotating = true;
	s.fake.status.rotation = "basic, topdown";
	s.fake.status.rotate = turn;
	s.fake.status.nrotate = 2;
	assert_silent(screen_draw(&s), " SWAP");
	has(&s, "ROTATE");
	has(&s, "   0.81 ");
	has(&s, "in use by ktop, in rotation");
}

/* What is counted, in which unit, stays said; ages have a line of their
 * own. */
UNIT(test_turns_leave_the_heads_alone)
{
	static const int turn[2] = { 0, 1 };
	static const enum layout_view view[] = { VIEW_OVERVIEW, VIEW_CORES };

	for (unsigned i = 0; i < 2; i++) {
		SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
		s.view->kind = view[i];
		has(&s, "MPKI (user)");
		assert_silent(s.text, " age ");
		s.fake.status.rotating = true;
		s.fake.status.rotation = "basic, topdown";
		s.fake.status.rotate = turn;
		s.fake.status.nrotate = 2;
		has(&s, "% (user)");
		int at = i == 0 ? 3 : 2;

		assert_true(says(line_of(s.text, at), " user+kernel "));
		assert_true(says(line_of(s.text, at + 1), " IPC 0 "));
		assert_true(says(line_of(s.text, at + 2), " age "));
		assert_true(says(line_of(s.text, at + 2), " now"));
	}
}

/* A list without a frame says how much of it shows. */
UNIT(test_a_part_of_a_list_says_so)
{
	SCREEN(s, screen_open, "m5max", 80, 16, CANVAS_BRAILLE);
	s.view->kind = VIEW_CORES;
	has(&s, "1-11/18");
}

/* What is behind a number is at the number. */
UNIT(test_numbers_have_their_marks)
{
	const unsigned ipc = (unsigned)metric_find("ipc");
	const unsigned l1d = (unsigned)metric_find("l1d_ld_mpki");
	struct screen s;

	screen_open(&s, "m1", 120, 40, CANVAS_BRAILLE);
	has(&s, " 5.9   0.81 ");
	assert_silent(screen_draw(&s), "scaled");
	s.fake.state[0 * metric_count + ipc] |= VALUE_SCALED;
	s.fake.state[0 * metric_count + l1d] |= VALUE_PART;
	has(&s, " 5.9  ~0.81 ");
	has(&s, "' ");
	s.fake.state[0 * metric_count + l1d] |= VALUE_MODES;
	has(&s, "~");
	assert_silent(s.text, "^");
	screen_close(&s);
	screen_open(&s, "m1", 80, 24, CANVAS_BRAILLE);
	s.fake.state[0 * metric_count + l1d] |= VALUE_MODES;
	has(&s, "\n ~ estimated; ");
	screen_close(&s);
	screen_open(&s, "m1", 120, 40, CANVAS_BRAILLE);
	s.fake.state[0 * metric_count + l1d] |= VALUE_PART;
	s.fake.state[0 * metric_count + ipc] = VALUE_IMPOSSIBLE;
	s.fake.span[0].quality = QUALITY_APPROX;
	has(&s, " 5.9      - ");
	has(&s, " DOUBT");
	s.fake.state[0 * metric_count + ipc] = VALUE_DENIED;
	s.fake.span[0].quality = QUALITY_DENIED;
	has(&s, " 5.9      - ");
	has(&s, " DENIED");
	screen_close(&s);
	screen_open(&s, "m1", 110, 24, CANVAS_BRAILLE);
	s.fake.state[0 * metric_count + ipc] |= VALUE_SCALED;
	s.fake.state[0 * metric_count + l1d] |= VALUE_PART;
	has(&s, "\n ~ estimated; ' of some CPUs; ");
	screen_close(&s);
}

/* Marks of the machine stand next to no number: it has no row. */
UNIT(test_marks_that_nobody_sees_are_not_explained)
{
	unsigned lost = (unsigned)metric_find("lost_pct");

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	unsigned all = frame_scope_all(&s.fake.f);
	unsigned e = frame_scope_cluster(&s.fake.f, 0);

	s.fake.value[all * metric_count + lost] = 1;
	s.fake.state[all * metric_count + lost] = VALUE_OK | VALUE_PART;
	assert_silent(screen_draw(&s), "1.5'");
	s.fake.state[e * metric_count + lost] = VALUE_OK | VALUE_PART;
	s.fake.value[e * metric_count + lost] = 1.5;
	has(&s, "1.5'");
	has(&s, "\n ' of some CPUs; ");
}

/* Without the counters a preset's key alone would count nothing. */
UNIT(test_the_way_to_slots_begins_with_the_counters)
{
	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	s.view->kind = VIEW_BOTTLENECKS;
	s.view->metric.topdown[0] = -1; /* never counted, nor estimated */
	estimate_nothing(&s);
	has(&s, " Press 2 to see where issue slots go.");
	s.fake.status.mode = UI_MODE_IPC;
	has(&s, " Press i, then 2 to see where issue slots go.");
}

/* Cores as cells of their cluster: idle is a dot, unknown a dash. */
UNIT(test_cells_say_why_there_is_no_number)
{
	static const uint8_t why[] = { VALUE_IDLE,   VALUE_OFF,
				       VALUE_STALE,  VALUE_DENIED,
				       VALUE_IN_USE, VALUE_IMPOSSIBLE };
	const unsigned ipc = (unsigned)metric_find("ipc");

	SCREEN(s, screen_open, "m3ultra", 130, 40, CANVAS_BRAILLE);
	for (unsigned i = 0; i < sizeof why; i++) {
		s.fake.state[(4 + i) * metric_count + ipc] = why[i];
		s.fake.value[(4 + i) * metric_count + ipc] = NAN;
	}
	has(&s, "  ·   -   -   -   -   - ");
	assert_true(canvas_resize(s.canvas, 80, 24, NULL));
	has(&s, "  ·-----\n");
}

/* Nothing is said to have come where nothing can; bars are what they
 * are. */
UNIT(test_no_pmu_claims_nothing)
{
	SCREEN(s, screen_open, "vm", 120, 50, CANVAS_BRAILLE);
	has(&s, "busy% 0 ");
	s.view->kind = VIEW_EVENTS;
	assert_silent(screen_draw(&s), "delivered");
	has(&s, "none has counters to be read");
}

/* What the kernel refused stays where it was, as n/a. */
UNIT(test_a_refused_column_stays)
{
	const unsigned br = (unsigned)metric_find("branch_mpki");

	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	for (unsigned i = 0; i < s.fake.f.nscopes; i++) {
		s.fake.state[i * metric_count + br] = VALUE_UNSUPPORTED;
		s.fake.value[i * metric_count + br] = NAN;
	}
	has(&s, "L1D-ld   L1I    br ");
	has(&s, "   17.2   2.2     - ");
}
