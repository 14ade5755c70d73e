/* The list of cores: order, filter, groups, pins, the cursor, the mouse. */
#include "ui/screen.h"

#include "ui/view/keys.h"
#include "model/spans.h"

static void
set_filter(struct screen *s, const char *text)
{
	memcpy(s->view->list.filter, text, strlen(text) + 1);
	screen_draw(s);
}

UNIT(test_filters)
{
	static const struct {
		const char *text;
		unsigned n;
	} row[] = { { "", 12 },      { "P", 8 },        { "p1", 4 },
		    { "E", 4 },      { "7", 1 },        { "effi", 4 },
		    { "zz", 0 },     { "4-7", 4 },      { "4-", 1 },
		    { "0,4-7", 5 },  { "E,P1", 8 },     { "P 6-9", 4 },
		    { "die0", 6 },   { "die1 E", 0 },   { "die0-1", 12 },
		    { "ipc<", 12 },  { "ipc<1e9", 11 }, /* one idles */
		    { "ipc>1e9", 0 } };

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_BRAILLE);
	for (unsigned i = 0; i < 12; i++)
		s.fake.t->cpu[i].die = i < 6 ? 0 : 1;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		set_filter(&s, row[i].text);
		if (s.view->list.nmatch != row[i].n ||
		    s.view->cores.norder != row[i].n)
			fail_msg("\"%s\" leaves %u", row[i].text,
				 s.view->list.nmatch);
	}
}

/* A list that the filter empties says so, whatever its rows are. */
UNIT(test_a_filter_without_a_hit_says_so)
{
	static const struct {
		const char *machine;
		int w, h;
		const char *text;
	} row[] = {
		{ "m3ultra", 80, 24,
		  "no cluster matches the filter zz; Esc clears it" },
		{ "m2max", 120, 40,
		  "no core matches the filter zz; Esc clears it" },
		{ "m2max", 80, 24,
		  "no core matches the filter zz; Esc clears it" },
		{ "m2max", 40, 24, "no match; Esc clears it" },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		SCREEN(s, screen_open, row[i].machine, row[i].w, row[i].h,
		       CANVAS_BRAILLE);
		assert_silent(screen_draw(&s), "match");
		set_filter(&s, "zz");
		if (!says(s.text, row[i].text))
			fail_msg("%s at %dx%d says nothing:\n%s",
				 row[i].machine, row[i].w, row[i].h, s.text);
	}
}

/* As the line says in which they are typed: blanks mean and, commas or. */
UNIT(test_a_comma_means_or_wherever_it_stands)
{
	static const char *const text[] = { "busy<=76,0-2", "0-2,busy<=76",
					    "0-2 , busy<=76", "0-2, busy<=76" };
	unsigned n = 0;

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_BRAILLE);
	for (unsigned cpu = 0; cpu < 12; cpu++)
		n += cpu <= 2 || span_busy_pct(&s.fake.f.span[cpu]) <= 76;
	assert_true(n > 3 && n < 12);
	for (unsigned i = 0; i < sizeof text / sizeof *text; i++) {
		set_filter(&s, text[i]);
		assert_null(view_filter_wrong(s.view, &s.view->list));
		assert_int_equal(s.view->list.nmatch, n);
	}
	set_filter(&s, "0-2,busy<=76 1");
	assert_int_equal(s.view->list.nmatch, 1);
	set_filter(&s, "0-2,busy");
	assert_says(screen_draw(&s), "filter: 0-2,busy");
	set_filter(&s, "0-2,busy<");
	assert_silent(screen_draw(&s), "filter: 0-2,busy<");
}

/* What a comparison leaves is what the column says, by label or name. */
UNIT(test_filters_compare_columns)
{
	static const char *const spelled[] = { "br>", "BR>", "branch_mpki>",
					       "br>=" };
	unsigned metric = (unsigned)metric_find("branch_mpki");

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_BRAILLE);
	for (unsigned i = 0; i < 4; i++) {
		char text[40];
		unsigned n = 0;

		snprintf(text, sizeof text, "%s5 busy<=90", spelled[i]);
		set_filter(&s, text);
		for (unsigned cpu = 0; cpu < 12; cpu++)
			n += frame_value(&s.fake.f, cpu, metric) > 5 &&
			     span_busy_pct(&s.fake.f.span[cpu]) <= 90;
		assert_true(n > 0 && n < 12);
		assert_int_equal(s.view->list.nmatch, n);
		assert_null(view_filter_wrong(s.view, &s.view->list));
	}
	set_filter(&s, "nonsense<3");
	assert_non_null(view_filter_wrong(s.view, &s.view->list));
	assert_int_equal(s.view->list.nmatch,
			 12); /* nothing hides by mistake */
	set_filter(&s, "ipc<x");
	assert_non_null(view_filter_wrong(s.view, &s.view->list));
	s.view->line.typing = true;
	assert_true(says(screen_draw(&s),
			 view_filter_wrong(s.view, &s.view->list)));
}

UNIT(test_every_column_sorts_both_ways_with_an_arrow)
{
	unsigned seen = 0;

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	unsigned columns = sort_choices(&s);

	assert_true(columns >= s.view->lay.table.ncols + 3);
	for (unsigned i = 0; i < s.view->lay.table.ncols + 3; i++) {
		char want[40];

		view_sort_choose(s.view, (int)i);
		for (int way = 0; way < 2; way++) {
			const char *text = screen_draw(&s);
			int sort = s.view->list.sort;
			bool up = (sort == SORT_NUMBER || sort == SORT_WORST) !=
				  s.view->list.reverse;

			snprintf(want, sizeof want, "%s%s", up ? "^" : "v",
				 sort == SORT_WORST ? "IPC" : sort_label(&s));
			if (!says(text, want))
				fail_msg("no %s in:\n%s", want, text);
			view_reverse(s.view, 0);
		}
		seen += s.view->list.sort == SORT_NUMBER;
	}
	assert_int_equal(seen, 1);
}

/* A list as htop's F6: where it stands, arrows, Enter, Esc; r turns it round.
 */
UNIT(test_a_list_chooses_what_sorts)
{
	SCREEN(s, screen_open, "m2max", 80, 24, CANVAS_ASCII);
	screen_draw(&s);
	view_sort_open(s.view, 0);
	screen_draw(&s);
	assert_says(s.text, "|> ^ cpu ", "|    IPC ", "|    br ");
	view_move(s.view, -1); /* no further than the ends */
	assert_int_equal(s.view->over.sort_at, 0);
	view_move(s.view, VIEW_FAR);
	assert_int_equal(s.view->over.sort_at, (int)sort_choices(&s) - 1);
	view_move(s.view, 1 - (int)sort_choices(&s) + 1);
	view_sort_choose(s.view, s.view->over.sort_at);
	assert_int_equal(s.view->over.which, OVERLAY_NONE);
	assert_int_equal(s.view->list.sort, s.view->metric.ipc);
	/* the same one again keeps its direction, another begins with its own
	 */
	view_reverse(s.view, 0);
	view_sort_open(s.view, 0);
	assert_int_equal(s.view->over.sort_at, 1);
	assert_says(screen_draw(&s), "|> ^ IPC ");
	view_sort_choose(s.view, 1);
	assert_true(s.view->list.reverse);
	view_sort_choose(s.view, 0);
	assert_false(s.view->list.reverse);
	assert_int_equal(s.view->list.sort, SORT_NUMBER);
	view_sort_open(s.view, 0);
	view_sort_open(s.view, 0); /* its own key closes it */
	assert_int_equal(s.view->over.which, OVERLAY_NONE);
	view_sort_open(s.view, 0);
	view_close(s.view, 0);
	assert_int_equal(s.view->list.sort, SORT_NUMBER);
	/* what another preset counts stays in the list while it sorts */
	s.view->list.sort = metric_find("sme_entries_per_s");
	view_sort_open(s.view, 0);
	assert_says(screen_draw(&s), "> v SME");
}

/* Lowest first; those that hardly work say nothing by it, and come last. */
UNIT(test_worst_ipc_first)
{
	double before = 0;
	unsigned n = 0;

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	for (unsigned i = 0; i < s.fake.t->ncpus; i += 3)
		span_put_busy(&s.fake.span[i], 4.9);
	view_sort_worst(s.view);
	assert_says(screen_draw(&s), "s sort: worst IPC^");
	assert_says(s.text, " ^IPC ");
	for (unsigned i = 0; i < s.view->cores.norder; i++) {
		unsigned cpu = s.view->cores.order[i];
		double ipc = frame_value(&s.fake.f, cpu, 0);

		if (isnan(ipc) || span_busy_pct(&s.fake.span[cpu]) < 5)
			break;
		assert_true(ipc >= before);
		before = ipc;
		n++;
	}
	assert_int_equal(n, 8);
	assert_string_equal(view_sort_name(s.view), "worst");
	view_sort_worst(s.view);
	assert_int_equal(s.view->list.sort, SORT_NUMBER);
	view_sort_by(s.view, &s.fake.status, "worst");
	assert_int_equal(s.view->list.sort, SORT_WORST);
}

UNIT(test_pins_stay_on_top)
{
	char text[100];
	struct buf b = buf_over(text, sizeof text);

	SCREEN(s, screen_open, "m3ultra", 80, 24, CANVAS_ASCII);
	s.view->kind = VIEW_CORES;
	s.view->list.cursor_on = true;
	s.view->list.cursor = 9;
	screen_draw(&s);
	s.view->list.pin_key = s.view->list.cursor_on;
	screen_draw(&s);
	assert_int_equal(s.view->cores.npins, 1);
	s.view->f = &s.fake.f;
	assert_false(view_pins_parse(s.view, "no,99,"));
	assert_int_equal(s.view->cores.npins, 0);
	s.view->f = &s.fake.f;
	assert_true(view_pins_parse(s.view, "none"));
	assert_true(view_pins_parse(s.view, "31, P1,17"));
	view_pins_text(s.view, &b);
	assert_string_equal(text, "31,P1,17");
	for (int sort = 0; sort < 2; sort++) {
		s.view->list.sort =
			sort == 0 ? SORT_NUMBER : s.view->metric.ipc;
		for (unsigned at = 0; at < 32; at += 5) {
			s.view->list.cursor = at;
			s.view->list.cursor_moved = true;
			const char *screen = screen_draw(&s);

			assert_int_equal(s.view->list.npinned, 2);
			assert_int_equal(s.view->cores.order[0], 31);
			assert_int_equal(s.view->cores.order[1], 17);
			assert_int_equal(s.view->list.cursor, at);
			assert_says(screen, "p 31 P3", "p 17 E1");
		}
	}
	/* also when the filter leaves them out */
	set_filter(&s, "E1");
	assert_int_equal(s.view->cores.norder, 5);
	/* and what is pinned can be let go again */
	s.view->list.cursor = 1;
	s.view->list.cursor_moved = true;
	screen_draw(&s);
	s.view->list.pin_key = s.view->list.cursor_on;
	screen_draw(&s);
	assert_int_equal(s.view->cores.npins, 2);
	assert_false(view_pinned(s.view, 17));
	/* On another machine names count, not numbers: core 31 is gone. */
	struct screen other;

	screen_open(&other, "m2max", 80, 24, CANVAS_ASCII);
	s.fake.status.machines = 1;
	assert_true(picture_arrange(s.view, &other.fake.f, &s.fake.status, 80,
				    24, NULL));
	assert_int_equal(s.view->cores.npins, 1);
	assert_int_equal(s.view->cores.pin[0],
			 frame_scope_cluster(&other.fake.f, 2));
	screen_close(&other);
}

/* Each group has a row of its sums before it, and all cores are there once. */
UNIT(test_groups)
{
	static const struct {
		enum view_group group;
		unsigned headings;
	} row[] = { { GROUP_NONE, 0 },
		    { GROUP_CLUSTER, 6 },
		    { GROUP_KIND, 2 },
		    { GROUP_DIE, 2 } };
	struct screen s;

	screen_open(&s, "m3ultra", 120, 60, CANVAS_ASCII);
	for (unsigned i = 0; i < 32; i++)
		s.fake.t->cpu[i].die = i < 16 ? 0 : 1;
	s.view->kind = VIEW_CORES;
	for (unsigned g = 0; g < 4; g++)
		for (int sort = 0; sort < 2; sort++) {
			unsigned seen[32] = { 0 }, headings = 0;
			double before = 0;

			s.view->cores.group = row[g].group;
			s.view->list.sort =
				sort == 0 ? SORT_NUMBER : s.view->metric.ipc;
			screen_draw(&s);
			for (unsigned i = 0; i < s.view->cores.norder; i++) {
				unsigned at = s.view->cores.order[i];

				if (at >= 32) {
					headings++;
					before = INFINITY;
					continue;
				}
				seen[at]++;
				double ipc = frame_value(&s.fake.f, at, 0);

				if (sort == 1 && g > 0 && !isnan(ipc)) {
					assert_true(ipc <= before);
					before = ipc;
				}
			}
			assert_int_equal(headings, row[g].headings);
			for (unsigned i = 0; i < 32; i++)
				assert_int_equal(seen[i], 1);
		}
	s.view->cores.group = GROUP_CLUSTER;
	s.view->list.sort = SORT_NUMBER;
	s.view->list.cursor_on = s.view->list.cursor_moved = true;
	s.view->list.cursor = 0;
	screen_draw(&s); /* a heading is its cluster */
	assert_int_equal(view_selected(s.view),
			 frame_scope_cluster(&s.fake.f, 0));
	s.view->cores.group = GROUP_DIE;
	assert_says(screen_draw(&s), "die 1, 16 cores");
	s.view->cores.listed = false;
	screen_draw(&s); /* a die is none: the machine */
	assert_int_equal(view_selected(s.view), frame_scope_all(&s.fake.f));
	screen_close(&s);
	/* a machine of one die and one kind has nothing to divide by those */
	screen_open(&s, "epyc", 120, 40, CANVAS_ASCII);
	screen_draw(&s);
	view_group_next(s.view);
	assert_int_equal(s.view->cores.group, GROUP_CLUSTER);
	view_group_next(s.view);
	assert_int_equal(s.view->cores.group, GROUP_NONE);
	screen_close(&s);
}

/* The selected core keeps the cursor when others overtake it. */
UNIT(test_the_cursor_stays_with_its_core)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	s.view->list.sort = s.view->metric.ipc;
	s.view->list.cursor_on = true;
	s.view->list.cursor = 4;
	screen_draw(&s);
	unsigned core = s.view->cores.order[4], moved = 0;

	for (unsigned i = 0; i < 20; i++) {
		fake_tick(&s.fake, 120 + i * 3);
		screen_draw(&s);
		assert_int_equal(s.view->cores.order[s.view->list.cursor],
				 core);
		assert_int_equal(view_selected(s.view), core);
		moved += s.view->list.cursor != 4;
	}
	assert_true(moved > 0);
}

/* Clusters alone are a list like the cores: order, pins, cells. */
UNIT(test_a_list_of_clusters)
{
	SCREEN(s, screen_open, "epyc", 80, 24, CANVAS_ASCII);
	s.view->list.sort = s.view->metric.ipc;
	screen_draw(&s);
	assert_false(view_lists_cores(s.view));
	assert_int_equal(s.view->cores.norder, 16);
	for (unsigned i = 1; i < 16; i++)
		assert_true(
			frame_value(&s.fake.f, s.view->cores.order[i - 1], 0) >=
			frame_value(&s.fake.f, s.view->cores.order[i], 0));
	unsigned last = s.view->cores.order[15];

	s.view->list.cursor_on = s.view->list.cursor_moved = true;
	s.view->list.cursor = 15;
	screen_draw(&s);
	s.view->list.pin_key = s.view->list.cursor_on;
	screen_draw(&s);
	assert_int_equal(s.view->cores.order[0], last);
	assert_int_equal(s.view->list.npinned, 1);
}

static int
click_on(struct screen *s, const char *what)
{
	const char *text = screen_draw(s), *at = strstr(text, what);
	const char *line = at;
	int y = 0;

	if (at == NULL)
		fail_msg("no %s in:\n%s", what, text);
	while (line > text && line[-1] != '\n')
		line--;
	for (const char *p = text; p < line; p++)
		y += *p == '\n';
	return view_mouse(s->view,
			  KEY_MOUSE_CLICK | (int)(at - line) << 12 | y);
}

/* What is written on the screen with its key can be clicked. */
UNIT(test_clicks_are_keys)
{
	static const struct {
		const char *what;
		int key;
	} row[] = { { "space pause", ' ' },
		    { "pause", ' ' },
		    { "q quit", 'q' },
		    { "C cores", 'C' },
		    { "bottlenecks  E", 'B' },
		    { "3 branch", KEY_GO_PRESET + 2 },
		    { "topdown", KEY_GO_PRESET + 1 },
		    { "0 all", '0' } };

	SCREEN(s, screen_open, "m1", 200, 60, CANVAS_ASCII);
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if (click_on(&s, row[i].what) != row[i].key)
			fail_msg("click on %s", row[i].what);
	/* a row is no key */
	assert_int_equal(click_on(&s, "  5 P "), KEY_NONE);
	screen_draw(&s);
	assert_int_equal(view_selected(s.view), 5);
}

/* Every view is named in line 1, where the others have their letters. */
UNIT(test_every_view_names_itself)
{
	static const int width[] = { 40, 60, 80, 120 };

	for (unsigned w = 0; w < sizeof width / sizeof *width; w++)
		for (unsigned i = 0; i < VIEW_COUNT; i++) {
			SCREEN(s, screen_open, "m1", width[w], 24,
			       CANVAS_BRAILLE);
			s.view->kind = (enum layout_view)i;
			screen_draw(&s);
			const struct cell *line = &s.canvas->cell[width[w]];
			char named[64] = "";
			unsigned letters = 0, n = 0;

			for (int x = 0; x < width[w]; x++) {
				if (line[x].role == ROLE_TAB)
					named[n++] = line[x].glyph[0];
				letters += line[x].role == ROLE_KEY;
			}
			assert_int_equal(letters, VIEW_COUNT - 1);
			if (!says(named, layout_view_name[i]))
				fail_msg("%d: %s in %s", width[w],
					 layout_view_name[i], named);
		}
}

/* Where rows have no events, no preset looks as if it were in force. */
UNIT(test_presets_are_grey_where_they_are_not_used)
{
	SCREEN(s, screen_open, "m1", 120, 40, CANVAS_BRAILLE);
	screen_draw(&s);
	assert_int_equal(s.canvas->cell[240 + 1].role, ROLE_TAB);
	assert_says(line_of(s.text, 2), " 1 basic ");
	s.view->kind = VIEW_PROCESSES;
	screen_draw(&s);
	for (int x = 0; x < 120; x++)
		assert_true(s.canvas->cell[240 + x].role != ROLE_TAB &&
			    s.canvas->cell[240 + x].role != ROLE_KEY);
	assert_says(s.text, "not used in this view");
	s.view->procs->tracer.state = PROCESS_TRACING_ON;
	assert_silent(screen_draw(&s), "not used in this view");
	assert_int_equal(s.canvas->cell[240 + 1].role, ROLE_TAB);
}

UNIT(test_letters_go_to_views)
{
	static const char letter[] = "OPCHWBED";

	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	for (int i = 0; letter[i] != 0; i++) {
		const struct key *k = key_find(ui_keys, letter[i]);

		assert_non_null(k);
		k->view(s.view, k->arg);
		assert_int_equal((int)s.view->kind, i);
		screen_draw(&s);
	}
}

/* From a view back to the one before, then to the overview; the cursor last. */
UNIT(test_escape_goes_back)
{
	SCREEN(s, screen_open, "m2max", 120, 40, CANVAS_ASCII);
	view_move(s.view, 1);
	screen_draw(&s);
	view_go(s.view, VIEW_CORES);
	view_go(s.view, VIEW_DETAIL);
	view_sort_open(s.view, 0);
	view_close(s.view, 0);
	assert_int_equal(s.view->kind, VIEW_DETAIL);
	view_close(s.view, 0);
	assert_int_equal(s.view->kind, VIEW_CORES);
	view_close(s.view, 0);
	assert_int_equal(s.view->kind, VIEW_OVERVIEW);
	assert_true(s.view->list.cursor_on);
	view_close(s.view, 0);
	assert_false(s.view->list.cursor_on);
}

/* No foot of a panel under it looks like a second one of the list. */
UNIT(test_the_list_of_what_sorts_is_one_box)
{
	unsigned feet = 0;

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	s.view->kind = VIEW_CHART;
	s.view->over.which = OVERLAY_SORT;
	screen_draw(&s);
	for (const char *at = s.text; (at = strstr(at, "└")) != NULL; at++)
		feet++;
	assert_int_equal(feet, 1);
}

/* Where Enter led, the line says how to leave and what Enter does there. */
UNIT(test_the_detail_says_the_way_back)
{
	SCREEN(s, screen_open, "m2max", 80, 24, CANVAS_BRAILLE);
	assert_silent(screen_draw(&s), "Esc back");
	assert_says(s.text, "Enter open");
	s.view->kind = VIEW_DETAIL;
	assert_says(screen_draw(&s), "Esc back");
	assert_says(s.text, "Enter more");
	assert_silent(s.text, "Enter open");
}

/* What is left below a list shows over time what it says of now. */
UNIT(test_no_view_is_half_empty)
{
	static const enum layout_view view[] = { VIEW_CORES, VIEW_BOTTLENECKS,
						 VIEW_EVENTS };
	struct screen s;

	screen_open(&s, "m1", 120, 40, CANVAS_ASCII);
	for (unsigned i = 0; i < 3; i++) {
		s.view->kind = view[i];
		assert_says(screen_draw(&s), "M metric");
		/* it ends where the keys begin */
		assert_true(says(line_of(s.text, 38), "+----------"));
	}
	screen_close(&s);
	screen_open(&s, "m1", 80, 24, CANVAS_ASCII);
	for (unsigned i = 1; i < 3; i++) {
		s.view->kind = view[i];
		assert_silent(screen_draw(&s), "M metric");
	}
	screen_close(&s);
}

/* What lies under the help cannot be clicked, the last line can. */
UNIT(test_an_overlay_covers_what_it_covers)
{
	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_ASCII);
	help(&s);
	screen_draw(&s);
	for (int y = 1; y < 23; y++)
		for (int x = 0; x < 80; x++)
			assert_int_equal(view_mouse(s.view, KEY_MOUSE_CLICK |
								    x << 12 |
								    y),
					 KEY_NONE);
	assert_int_equal(click_on(&s, "q quit"), 'q');
	s.view->over.which = OVERLAY_PRESETS;
	assert_int_equal(click_on(&s, "Do loads and stores"),
			 KEY_GO_PRESET + 3);
	s.view->over.which = OVERLAY_SORT;
	assert_int_equal(click_on(&s, "busy%      Share"), KEY_GO_SORT + 4);
}
