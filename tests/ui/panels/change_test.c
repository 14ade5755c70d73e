/* The reference: columns and order are of the change from it. */
#include "ui/process_screen.h"

struct compared {
	struct screen s;
	struct frame then, now;
	double *value[2], *deviation;
};

static void
compared_open(struct compared *k, int w, int h)
{
	screen_open(&k->s, "m2max", w, h, CANVAS_BRAILLE);
	const struct frame *f = &k->s.fake.f;
	size_t n = (size_t)f->nscopes * f->nmetrics;

	k->deviation = calloc(n + f->nscopes, sizeof *k->deviation);
	k->then = k->now = *f;
	for (unsigned i = 0; i < 2; i++) {
		k->value[i] = malloc(n * sizeof *k->value[i]);
		memcpy(k->value[i], f->value, n * sizeof *k->value[i]);
	}
	k->then.value = k->value[0];
	k->now.value = k->value[1];
	k->then.stamp.wall_ns = f->stamp.wall_ns - 60000000000;
	k->s.view->reference = (struct view_reference){
		.then = &k->then, .now = &k->now, .deviation = k->deviation
	};
}

static void
compared_close(struct compared *k)
{
	free(k->value[0]);
	free(k->value[1]);
	free(k->deviation);
	screen_close(&k->s);
}

static void
change(struct compared *k, unsigned scope, const char *metric, double then,
       double now, double deviation)
{
	unsigned m = (unsigned)metric_find(metric), n = k->now.nmetrics;

	k->value[0][scope * n + m] = then;
	k->value[1][scope * n + m] = now;
	k->deviation[scope * (n + 1) + m] = deviation;
}

/* Noise: under 3 %, or under two deviations. */
UNIT(test_what_is_noise)
{
	static const struct {
		double then, now, deviation;
		enum view_change kind;
	} row[] = {
		{ 2, 1, 0, CHANGE_REAL },      { 2, 1, 0.49, CHANGE_REAL },
		{ 2, 1, 0.51, CHANGE_NOISE },  { 2, 1.95, 0, CHANGE_NOISE },
		{ 2, 2.07, 0, CHANGE_REAL },   { 0, 0.1, 0, CHANGE_REAL },
		{ NAN, 1, 0, CHANGE_UNKNOWN }, { 1, NAN, 0, CHANGE_UNKNOWN },
	};
	struct compared k;
	double by;

	compared_open(&k, 120, 40);
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		change(&k, 5, "ipc", row[i].then, row[i].now, row[i].deviation);
		assert_int_equal(
			view_change(k.s.view, 5, metric_find("ipc"), &by),
			row[i].kind);
		if (row[i].kind != CHANGE_UNKNOWN)
			assert_true(fabs(by - (row[i].now - row[i].then)) <
				    1e-9);
	}
	compared_close(&k);
}

/* Each column has the change; what rounds to nothing is 0; unknown is -. */
UNIT(test_columns_are_changes)
{
	struct compared k;

	compared_open(&k, 120, 40);
	change(&k, 5, "ipc", 4.18, 1.23, 0.1);
	change(&k, 5, "l1d_ld_mpki", 7.1, 22.3, 0.1);
	change(&k, 5, "branch_mpki", NAN, 2, 0);
	const char *row = line_with(screen_draw(&k.s), "   5 P0 ");

	assert_says(row, " -2.95 ", " +15.2 ", " - ");
	assert_says(line_with(k.s.text, "   6 P0 "), " 0 ");
	assert_says(k.s.text, " CHANGE SINCE ");
	/* What grew most comes first, and what shrank most last. */
	change(&k, 6, "ipc", 1, 1.5, 0);
	view_sort_set(k.s.view, k.s.view->metric.ipc);
	screen_draw(&k.s);
	assert_int_equal(k.s.view->cores.order[0], 6);
	view_reverse(k.s.view, 0);
	screen_draw(&k.s);
	assert_int_equal(k.s.view->cores.order[0], 5);
	/* Esc ends it, and nothing else. */
	k.s.view->kind = VIEW_CORES;
	view_close(k.s.view, 0);
	assert_int_equal(k.s.view->kind, VIEW_CORES);
	assert_silent(screen_draw(&k.s), "CHANGE SINCE", "-2.95");
	compared_close(&k);
}

/* The cluster whose lost slots changed most is named, and what with it. */
UNIT(test_the_headline_says_what_changed_most)
{
	struct compared k;

	compared_open(&k, 120, 40);
	assert_says(screen_draw(&k.s),
		    "No cluster changed beyond the noise since ");
	unsigned p1 = frame_scope_cluster(&k.now, 2);

	change(&k, p1 - 1, "ipc", 2, 1, 0); /* its lost slots did not */
	change(&k, p1, "ipc", 4.18, 1.23, 0.1);
	change(&k, p1, "lost_pct", 14, 29, 1);
	change(&k, p1, "l1d_ld_mpki", 7.1, 22.3, 0.1);
	assert_says(
		screen_draw(&k.s),
		"P1 changed most: IPC 4.18 to 1.23 (-71%); lost slots 14% to 29% of the machine's.",
		"With it: L1D-ld 7.1 to 22.3.");
	/* By lost slots; where none changed, by IPC. */
	change(&k, p1, "lost_pct", 14, 14.1, 1);
	change(&k, p1, "ipc", 4.18, 4.18, 0);
	assert_says(screen_draw(&k.s),
		    "P0 changed most: IPC 2.00 to 1.00 (-50%).");
	compared_close(&k);
}

/* The word of before stands beside one that changed, and bars go both ways. */
UNIT(test_words_and_bars_of_before)
{
	static const struct {
		int w, h;
	} size[] = { { 80, 24 }, { 120, 40 } };

	for (unsigned i = 0; i < 2; i++) {
		struct compared k;
		static struct bottleneck then[64];

		compared_open(&k, size[i].w, size[i].h);
		assert_true(k.now.nscopes <= 64);
		memcpy(then, k.s.fake.f.bottleneck,
		       k.now.nscopes * sizeof *then);
		k.then.bottleneck = then;
		const char *was = i == 0 ? "" : "was ";

		assert_says(screen_draw(&k.s),
			    i == 0 ? " IPC was " : "less more");
		unsigned now = then[5].word;

		then[5].word = now == BOTTLENECK_KERNEL ? BOTTLENECK_NONE
							: BOTTLENECK_KERNEL;
		screen_draw(&k.s);
		assert_says(
			line_with(k.s.text, "   5 P0 "),
			PRINTED("%s%s", was,
				now == BOTTLENECK_KERNEL ? "none" : "kernel"));
		if (i > 0)
			assert_silent(line_with(k.s.text, "   6 P0 "), was);
		change(&k, 6, "lost_pct", 2, 12, 0.1);
		change(&k, 7, "lost_pct", 12, 7, 0.1);
		screen_draw(&k.s);
		assert_says(line_with(k.s.text, "   6 P0 "), "│██");
		assert_says(line_with(k.s.text, "   7 P0 "), "█│");
		assert_silent(line_with(k.s.text, "   4 P0 "), "█");
		compared_close(&k);
	}
}

/* Processes too, by their own sums; what the reference lacks is unknown. */
UNIT(test_processes_are_compared)
{
	static struct process_window then, now;
	struct compared c;
	TABLE(k, 120, 40);

	compared_open(&c, 120, 40);
	for (unsigned i = 0; i < k.p.t.n; i++) {
		then.row[i] = now.row[i] = k.p.row[i];
		then.n = now.n = i + 1;
		if (k.p.row[i].pid == 4411)
			now.row[i].value[PROCESS_IPC] += 1.25;
		if (k.p.row[i].pid == 3307)
			now.row[i].value[PROCESS_IPC] -= 0.5;
		if (k.p.row[i].pid == 612)
			then.row[i].pid = 99999;
	}
	k.s.view->reference = c.s.view->reference;
	k.s.view->reference.of = &then;
	k.s.view->reference.of_now = &now;
	const char *text = screen_draw(&k.s);

	assert_says(line_with(text, "   4411 "), " +1.25 ");
	assert_says(line_with(text, "   3307 "), " -0.50 ");
	assert_says(line_with(text, "    701 "), " 0 ");
	assert_silent(line_with(text, "    612 "), "51.9", "2.52");
	assert_silent(text, "cyc%");
	view_sort_set(k.s.view, COLUMN_PROCESS + PROCESS_IPC);
	assert_true(strncmp(names(&k), "kvstored ", 9) == 0);
	compared_close(&c);
}
