/* What stands out: which rows and metrics, in which order, in which room. */
#include "ui/screen.h"

#include <stdlib.h>

#include "ui/panels/hints.h"

static size_t
cell_of(const struct screen *s, unsigned scope, const char *metric)
{
	int i = metric_find(metric);

	assert_true(i >= 0);
	return scope * (size_t)s->fake.f.nmetrics + (unsigned)i;
}

static void
put(struct screen *s, unsigned scope, const char *metric, double value,
    unsigned state)
{
	s->fake.value[cell_of(s, scope, metric)] = value;
	s->fake.state[cell_of(s, scope, metric)] = (uint8_t)state;
}

/* Whatever is counted, at its good mark: nothing stands out. */
static void
all_good(struct screen *s)
{
	for (size_t i = 0; i < (size_t)s->fake.f.nscopes * metric_count; i++)
		if (s->fake.state[i] == VALUE_OK)
			s->fake.value[i] = metric_table[i % metric_count].good;
}

/* The view on an m2max: cpu 0-3 are E's, 4-7 P0's, 8-11 P1's; cpu 3 idles. */
static void
view_open(struct screen *s, int w, int h)
{
	screen_open(s, "m2max", w, h, CANVAS_ASCII);
	s->view->kind = VIEW_BOTTLENECKS;
	s->view->past.self = NULL; /* nor were shares ever counted */
	all_good(s);
}

static unsigned
cluster(const struct screen *s, unsigned k)
{
	return frame_scope_cluster(&s->fake.f, k);
}

/* The lines that say this, blanks in a row being one. */
static void
lists(struct screen *s, const char *const want[])
{
	const char *text = screen_draw(s);
	char *flat = malloc(SCREEN_SIZE), *to = flat;

	for (const char *p = text; *p != 0; p++)
		if (*p != ' ' || p[1] != ' ')
			*to++ = *p;
	*to = 0;
	const char *at = flat;

	for (unsigned i = 0; want[i] != NULL; i++) {
		const char *found = strstr(at, want[i]);

		if (found == NULL)
			fail_msg("\"%s\" is not there, or too early:\n%s",
				 want[i], text);
		at = found + 1;
	}
	free(flat);
}

static void
lists_not(struct screen *s, const char *what)
{
	if (says(screen_draw(s), what))
		fail_msg("\"%s\" is there:\n%s", what, s->text);
}

#define LISTS(s, ...) lists(s, (const char *const[]){ __VA_ARGS__, NULL })

static void
test_nothing_stands_out(void **state)
{
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	LISTS(&s, "Press 2 to see where issue slots go.", "nothing stands out");
	lists_not(&s, "Stands out now");
	/* all idle: nor does anything */
	for (unsigned i = 0; i < s.fake.f.nscopes; i++)
		fake_row(&s.fake, i, QUALITY_IDLE);
	LISTS(&s, "nothing stands out");
	screen_close(&s);
}

/* Without counters there is nothing to judge, which is not "nothing". */
static void
test_what_is_not_counted_is_not_judged(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, "vm", 80, 24, CANVAS_ASCII);
	s.view->kind = VIEW_BOTTLENECKS;
	LISTS(&s, "Issue slots: no counters");
	lists_not(&s, "stands out");
	screen_close(&s);
}

static void
some_stand_out(struct screen *s)
{
	put(s, 5, "branch_mpki", 6, VALUE_OK);
	put(s, cluster(s, 2), "stall_pct", 50, VALUE_OK);
	put(s, 0, "ipc", 0.22, VALUE_OK);
	put(s, 8, "stall_pct", 74, VALUE_OK);
	put(s, 9, "l1d_ld_mpki", 35, VALUE_OK);
	put(s, 10, "stall_pct", 46, VALUE_OK);
	put(s, cluster(s, 0), "ipc", 0.2, VALUE_OK);
	put(s, cluster(s, 1), "l1d_ld_mpki", 30, VALUE_OK);
}

/*
 * Bad before nearly bad; then clusters, cores, cores whose cluster says it;
 * then metrics as in the set, and rows.
 */
static void
test_order(void **state)
{
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	some_stand_out(&s);
	LISTS(&s, "Stands out now: 5 bad, 3 nearly bad |", "| E 0.20 IPC",
	      "| P0 30.0/k L1D-ld", "| cpu9 35.0/k L1D-ld", "| cpu8 74% stall",
	      "| cpu0 0.22 IPC", "| P1 50% stall", "| cpu5 6.0/k br",
	      "| cpu10 46% stall");
	/* how bad does not move a line */
	put(&s, 8, "stall_pct", 99, VALUE_OK);
	put(&s, 9, "l1d_ld_mpki", 30.5, VALUE_OK);
	put(&s, cluster(&s, 0), "ipc", 0.24, VALUE_OK);
	put(&s, cluster(&s, 1), "l1d_ld_mpki", 60, VALUE_OK);
	LISTS(&s, "| E 0.24 IPC", "| P0 60.0/k L1D-ld", "| cpu9 30.5/k L1D-ld",
	      "| cpu8 99% stall", "| cpu0 0.22 IPC");
	screen_close(&s);
}

/* As the cells are coloured: the last third of the way, and beyond. */
static void
test_marks_are_those_of_the_cells(void **state)
{
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	for (unsigned m = 0; m < metric_count; m++) {
		const struct metric *k = &metric_table[m];
		double third = (k->bad - k->good) / 3;

		if (k->good == k->bad ||
		    s.fake.state[8 * metric_count + m] != VALUE_OK ||
		    strcmp(k->name, "user_ipc") == 0)
			continue;
		put(&s, 8, k->name, k->bad - third * 1.1, VALUE_OK);
		LISTS(&s, "nothing stands out");
		put(&s, 8, k->name, k->bad - third * 0.9, VALUE_OK);
		LISTS(&s, "Stands out now: 1 nearly bad |", "| cpu8", k->label);
		put(&s, 8, k->name, k->bad, VALUE_OK);
		LISTS(&s, "Stands out now: 1 bad |", "| cpu8", k->label);
		put(&s, 8, k->name, k->good, VALUE_OK);
	}
	screen_close(&s);
}

static void
test_only_what_can_be_relied_on(void **state)
{
	static const unsigned no[] = { VALUE_FEW,         VALUE_IDLE,
				       VALUE_OFF,         VALUE_STALE,
				       VALUE_NOT_COUNTED, VALUE_UNSUPPORTED,
				       VALUE_DOUBTFUL,    VALUE_DENIED };
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	for (unsigned i = 0; i < sizeof no / sizeof *no; i++) {
		put(&s, 8, "stall_pct", 74, no[i]);
		lists_not(&s, "cpu8");
	}
	put(&s, 8, "stall_pct", 74, VALUE_OK | VALUE_SCALED);
	LISTS(&s, "| cpu8 ~74% stall");
	put(&s, 8, "stall_pct", 74, VALUE_OK | VALUE_PART);
	LISTS(&s, "| cpu8 74'% stall");
	put(&s, 8, "stall_pct", NAN, VALUE_OK);
	lists_not(&s, "cpu8");
	/* a row that idles, is off, came late: nothing of it */
	put(&s, 8, "stall_pct", 74, VALUE_OK);
	LISTS(&s, "| cpu8 74% stall");
	fake_row(&s.fake, 8, QUALITY_OFF);
	lists_not(&s, "cpu8");
	screen_close(&s);
}

/* uIPC says what IPC says, unless it is worse. */
static void
test_work_per_cycle_is_said_once(void **state)
{
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	put(&s, 8, "ipc", 0.9, VALUE_OK);
	put(&s, 8, "user_ipc", 1.1, VALUE_OK);
	LISTS(&s, "1 nearly bad", "| cpu8 0.90 IPC");
	lists_not(&s, "uIPC");
	put(&s, 8, "user_ipc", 0.3, VALUE_OK);
	LISTS(&s, "1 bad, 1 nearly bad", "| cpu8 0.30 uIPC", "| cpu8 0.90 IPC");
	put(&s, 8, "ipc", 0.4, VALUE_OK);
	LISTS(&s, "Stands out now: 1 bad |", "| cpu8 0.40 IPC");
	lists_not(&s, "uIPC");
	screen_close(&s);
}

/* The text stands once for lines in a row that are about the same. */
static void
test_explained_once_for_a_run(void **state)
{
	static const char text[] = "above 40% the core waits, often for data";
	struct screen s;
	unsigned n = 0;

	(void)state;
	view_open(&s, 200, 60);
	for (unsigned i = 4; i < 7; i++)
		put(&s, i, "stall_pct", 74, VALUE_OK);
	put(&s, 9, "stall_pct", 50, VALUE_OK);
	put(&s, 9, "starve_pct", 50, VALUE_OK);
	LISTS(&s, "| cpu4 74% stall Share of cycles in which mapping", text,
	      "| cpu5 74% stall |", "| cpu6 74% stall |", "| cpu9 50% starve",
	      "| cpu9 50% stall Share");
	for (const char *p = s.text; (p = strstr(p, text)) != NULL; p++)
		n++;
	assert_int_equal(n, 2);
	screen_close(&s);
}

/* Number before the word, on the line with it; -1: not there. */
static int
number_before(const char *text, const char *word)
{
	const char *at = strstr(text, word);

	if (at == NULL)
		return -1;
	while (at > text && (at[-1] == ' ' || (at[-1] >= '0' && at[-1] <= '9')))
		at--;
	return atoi(at);
}

/* Whatever the height: what is shown and what is left is all there is. */
static void
test_cut_with_the_rest_counted(void **state)
{
	(void)state;
	for (int h = 12; h <= 40; h++) {
		struct screen s;
		int shown = 0;

		view_open(&s, 80, h);
		for (unsigned i = 0; i < 12; i++)
			put(&s, i, "stall_pct", 74, VALUE_OK);
		for (unsigned i = 4; i < 12; i++)
			put(&s, i, "starve_pct", 28, VALUE_OK);
		screen_draw(&s);
		for (const char *p = s.text; (p = strstr(p, "| cpu")) != NULL;
		     p++)
			shown++;
		int more = number_before(s.text, " more");

		if (shown + (more > 0 ? more : 0) != 20 || more == 0 ||
		    more == 1 || (more > 0 && shown < h - 9))
			fail_msg("%d shown, %d more:\n%s", shown, more, s.text);
		if (h >= 14)
			LISTS(&s, "Stands out now: 12 bad, 8 nearly bad |");
		screen_close(&s);
	}
}

/* Bars above say the shares of clusters; those of cores have no bars. */
static void
test_shares_with_bars_are_not_said_again(void **state)
{
	static const char *const share[] = { "td_useful_pct",
					     "td_discarded_pct",
					     "td_delivery_pct",
					     "td_processing_pct" };
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	s.fake.status.preset = preset_find("topdown");
	memcpy(s.fake.set.name, "topdown", 8);
	s.fake.status.catalog = NULL;
	for (unsigned k = 0; k < s.fake.f.nscopes; k++)
		for (unsigned i = 0; i < 4; i++)
			put(&s, k, share[i], i == 3 ? 70 : 5, VALUE_OK);
	for (unsigned k = 0; k < s.fake.f.nscopes; k++)
		if (k != 8)
			for (unsigned i = 0; i < 4; i++)
				if (k < 12)
					put(&s, k, share[i], NAN, VALUE_IDLE);
	LISTS(&s, "1st Processing 70%", "Stands out now: 2 bad |",
	      "| cpu8 5% useful", "| cpu8 70% process");
	lists_not(&s, "P0       70%");
	screen_close(&s);
}

/* The cell before that sign on the line that begins like `line`. */
static struct cell *
cell_before(const struct screen *s, const char *sign, const char *line)
{
	size_t n = strcspn(line + 2, " ") + 2;
	const char *at = s->text;
	int y = 0;

	while (at != NULL && strncmp(at, line, n) != 0) {
		at = strchr(at, '\n');
		at += at != NULL;
		y++;
	}
	assert_non_null(at);
	canvas_window(s->canvas,
		      (struct rect){ 0, 0, s->canvas->w, s->canvas->h });
	return canvas_at(s->canvas, (int)(strstr(at, sign) - at) - 1, y);
}

/* A past of 7 seconds ago, bad for one row. */
static double
last_74(const void *self, unsigned scope, unsigned metric, double *age_s)
{
	(void)self;
	*age_s = 7;
	if (metric != (unsigned)metric_find("stall_pct"))
		return NAN;
	return scope == 8 ? 74 : 10;
}

/* Sets in turn: what the others counted stays in its place, dim as in tables.
 */
static void
test_turns_keep_their_lines(void **state)
{
	const int turns[] = { preset_find("overview"), preset_find("stalls"),
			      preset_find("branch") };
	struct screen s;
	static const char want[] = "| cpu8 74% stall";

	(void)state;
	view_open(&s, 120, 40);
	s.view->past = (struct past){ &s.fake, fake_values, last_74,
				      NULL,    NULL,        NULL };
	s.fake.status.rotating = true;
	s.fake.status.nrotate = 3;
	s.fake.status.rotate = turns;
	for (unsigned k = 0; k < s.fake.f.nscopes; k++)
		put(&s, k, "stall_pct", NAN, VALUE_NOT_COUNTED);
	LISTS(&s, "Stands out now:", want);
	struct cell *cell = cell_before(&s, "%", want);

	assert_int_equal(cell->role, ROLE_DIM);
	/* of now they are coloured */
	put(&s, 8, "stall_pct", 74, VALUE_OK);
	LISTS(&s, "Stands out now:", want);
	cell = cell_before(&s, "%", want);
	assert_int_equal(cell->role, ROLE_BAD);
	put(&s, 8, "stall_pct", NAN, VALUE_NOT_COUNTED);
	/* older than three rounds: no more */
	s.fake.status.nrotate = 2;
	lists_not(&s, "| cpu8");
	screen_close(&s);
}

/* Inside its frame, with words whole, at every size, on every machine. */
static void
test_fits_every_size(void **state)
{
	static const char *const machine[] = { "m1", "m2max", "m3ultra",
					       "m5max", "epyc" };
	bool all = getenv("KTOP_LONG") != NULL;

	(void)state;
	for (unsigned m = 0; m < sizeof machine / sizeof *machine; m++)
		for (int w = 20; w <= 220; w += all ? 7 : 17)
			for (int h = 5; h <= 62; h += all ? 3 : 5) {
				struct screen s;

				screen_open(&s, machine[m], w, h, CANVAS_ASCII);
				s.view->kind = VIEW_BOTTLENECKS;
				if (h % 2 == 0)
					s.view->past.self = NULL;
				screen_draw(&s);
				struct rect r =
					s.view->lay.panel[PANEL_BOTTLENECKS];

				canvas_window(s.canvas, r);
				for (int y = 1; y + 1 < r.h && r.h >= 4; y++) {
					const char *edge =
						canvas_at(s.canvas, r.w - 1, y)
							->glyph;
					const char *gap =
						canvas_at(s.canvas, r.w - 2, y)
							->glyph;

					if (edge[0] != '|' ||
					    (gap[0] != ' ' && gap[0] != 0))
						fail_msg("line %d:\n%s", y,
							 s.text);
				}
				screen_close(&s);
			}
}

/* A machine of 128 CPUs, its sets' numbers being of all of them. */
static void
test_many_cores(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, "epyc", 120, 40, CANVAS_ASCII);
	s.view->kind = VIEW_BOTTLENECKS;
	s.view->past.self = NULL;
	all_good(&s);
	for (unsigned i = 0; i < 128; i++)
		put(&s, i, "stall_pct", 74, VALUE_OK);
	put(&s, 127, "l1d_ld_mpki", 99, VALUE_OK);
	put(&s, cluster(&s, 15), "starve_pct", 30, VALUE_OK);
	LISTS(&s, "Stands out now: 129 bad, 1 nearly bad", "| cpu127 99.0/k",
	      "| cpu0 74% stall", "more");
	screen_close(&s);
}

/* The box of the overview: the same, without what it has no room for. */
static void
test_the_box_of_the_overview(void **state)
{
	struct screen s;

	(void)state;
	view_open(&s, 120, 40);
	s.view->kind = VIEW_OVERVIEW;
	some_stand_out(&s);
	LISTS(&s, "Press 2 to see where issue slots go.",
	      "Stands out now: 5 bad, 3 nearly bad", "E 0.20 IPC",
	      "the core mostly waits |", "P0 30.0/k L1D-ld", "and 4 more");
	screen_close(&s);
}

static void
test_the_help_says_what_it_is(void **state)
{
	struct screen s;

	(void)state;
	screen_open(&s, "m1", 100, 250, CANVAS_ASCII);
	help(&s);
	LISTS(&s, "stands out among the bottlenecks", "/k is per 1000");
	screen_close(&s);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_nothing_stands_out),
		cmocka_unit_test(test_what_is_not_counted_is_not_judged),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_marks_are_those_of_the_cells),
		cmocka_unit_test(test_only_what_can_be_relied_on),
		cmocka_unit_test(test_work_per_cycle_is_said_once),
		cmocka_unit_test(test_explained_once_for_a_run),
		cmocka_unit_test(test_cut_with_the_rest_counted),
		cmocka_unit_test(test_shares_with_bars_are_not_said_again),
		cmocka_unit_test(test_turns_keep_their_lines),
		cmocka_unit_test(test_fits_every_size),
		cmocka_unit_test(test_many_cores),
		cmocka_unit_test(test_the_box_of_the_overview),
		cmocka_unit_test(test_the_help_says_what_it_is),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
