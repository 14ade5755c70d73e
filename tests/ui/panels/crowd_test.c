/*
 * Every view of machines from 1 to 1024 cores on screens from 20x5 to 300x100:
 * nothing on a number, no number cut, and the way out is always there.
 */
#include "ui/screen.h"

#include <stdlib.h>

#include "ui/panels/inner.h"
#include "ui/view/value.h"
#include "model/spans.h"

static double
crowd_value(unsigned scope, unsigned metric, unsigned long back)
{
	static const double size[] = { 0.004, 0.71, 3.2,    47,
				       812,   9731, 104857, 3.1e7 };

	return size[(scope * 7 + metric * 3 + back) % 8] * (1 + metric % 5);
}

static unsigned
crowd_past(const struct monitor *self, unsigned scope, unsigned metric,
	   unsigned n, float *out)
{
	for (unsigned i = 0; i < n; i++)
		out[i] = i % 31 == 7 ? NAN
				     : (float)crowd_value(scope, metric, i);
	return n;
}

static double
crowd_last(const struct monitor *self, unsigned back, unsigned scope,
	   unsigned metric, double *age_s)
{
	*age_s = 754;
	return crowd_value(scope, metric, 5);
}

static void
crowd_fill(struct fake *k)
{
	for (unsigned s = 0; s < k->f.nscopes; s++) {
		struct span *t = &k->span[s];

		*t = span_make(k->scope[s].ncpus, 1, s % 101);
		t->cycles = 1000000000;
		t->quality = s % 17 == 3 ? QUALITY_MUX : 0;
		for (unsigned m = 0; m < metric_count; m++) {
			size_t at = (size_t)s * metric_count + m;
			bool topdown = k->name[m] >= FAKE_USEFUL ||
				       metric_table[m].share != 0 ||
				       strcmp(metric_table[m].name,
					      "smt_contention_pct") == 0;

			k->state[at] = (uint8_t)(topdown ? VALUE_NOT_COUNTED
						 : s % 13 == 5 ? VALUE_STALE
						 : s % 29 == 4 ? VALUE_IDLE
							       : VALUE_OK);
			k->value[at] = k->state[at] == VALUE_OK
					       ? crowd_value(s, m, 0)
					       : NAN;
		}
	}
}

static void
crowd_open(struct screen *s, unsigned ncpus, unsigned each)
{
	static struct fake_machine machine;
	struct fake *k = &s->fake;
	unsigned n = (ncpus + each - 1) / each;

	screen_open(s, "m1", 20, 5, CANVAS_BRAILLE);
	fake_close(k);
	machine = fake_machine[0];
	k->machine = &machine;
	k->t = topology_new(n > 1 ? 2 : 1, n, ncpus, NULL);
	k->t->kind[0] = (struct topology_kind)FAKE_P;
	if (n > 1)
		k->t->kind[1] = (struct topology_kind)FAKE_E;
	for (unsigned i = 0; i < ncpus; i++) {
		unsigned c = i / each;

		k->t->cpu[i] = (struct topology_cpu){ .id = (int)i,
						      .kind = n > 1 && c == 0,
						      .cluster = c,
						      .core = i,
						      .die = (int)(i / 64),
						      .package = 0 };
		k->t->cluster[c].kind = n > 1 && c == 0;
		k->t->cluster[c].ncpus = k->t->cluster[c].ncores =
			k->t->cluster[c].ncpus + 1;
	}
	topology_finish(k->t);
	k->f.topology = k->t;
	fake_scopes(k);
	fake_now_open(k);
	k->span = calloc(k->f.nscopes, sizeof *k->span);
	k->value = calloc((size_t)k->f.nscopes * metric_count, sizeof(double));
	k->state = calloc((size_t)k->f.nscopes * metric_count, 1);
	k->f.scope = k->scope;
	k->f.span = k->span;
	k->f.value = k->value;
	k->f.state = k->state;
	crowd_fill(k);
	fake_bottlenecks_open(k);
	fake_judge(k);
	s->view->past = (struct past){
		(const void *)k, crowd_past, crowd_last, NULL, NULL, NULL
	};
	simulated(s);
}

static void
cells_text(const struct canvas *c, int x, int y, int w, char *out)
{
	struct buf b = buf_over(out, 64);

	for (int i = 0; i < w; i++) {
		const struct cell *cell = &c->cell[y * c->w + x + i];

		buf_bytes(&b, cell->glyph, strnlen(cell->glyph, 4));
	}
	buf_cstr(&b);
}

/* The cells of a number hold that number and nothing else. */
static bool
number_whole(const struct screen *s, int x, int y, int w,
	     const struct value_shown *want)
{
	char have[64], text[64];

	if ((int)strlen(want->text) > w)
		return false;
	snprintf(text, sizeof text, "%*s", w, want->text);
	cells_text(s->canvas, x, y, w, have);
	return strcmp(have, text) == 0;
}

static void
row_whole(const struct screen *s, struct rect r, int y, unsigned scope)
{
	const struct layout_table *t = &s->view->lay.table;
	struct value_shown want;

	panel_main_value(s->view, scope, &want);
	if (!number_whole(s, r.x + t->ipc_x, y, 5, &want))
		fail_msg("%d x %d: IPC of scope %u:\n%s", s->canvas->w,
			 s->canvas->h, scope, s->text);
	for (unsigned i = 0; i < t->ncols; i++) {
		const struct layout_column *col = &t->col[i];

		panel_value(s->view, scope, col->metric, col->w - 1, &want);
		if (col->metric >= 0 &&
		    frame_state(&s->fake.f, scope, (unsigned)col->metric) ==
			    VALUE_NOT_COUNTED)
			continue; /* an older one stands there */
		if (!number_whole(s, r.x + col->x + 1, y, col->w - 1, &want))
			fail_msg("%d x %d: column %u of scope %u:\n%s",
				 s->canvas->w, s->canvas->h, i, scope, s->text);
	}
}

static void
tables_whole(struct screen *s)
{
	struct view *v = s->view;
	struct rect r = layout_inside(&v->lay, PANEL_CORES);
	int rows = layout_rows(&v->lay, PANEL_CORES);

	v->f = &s->fake.f;
	v->s = &s->fake.status;
	for (int i = 0; i < rows; i++) {
		unsigned at = view_line(v, (unsigned)i);

		if (at < v->cores.norder &&
		    (v->cores.order[at] & VIEW_DIE) == 0)
			row_whole(s, r, r.y + v->lay.core_titles + i,
				  v->cores.order[at]);
	}
	r = layout_inside(&v->lay, PANEL_CLUSTERS);
	rows = layout_rows(&v->lay, PANEL_CLUSTERS);
	for (int i = 0; i < rows; i++) {
		unsigned at = view_line(v, (unsigned)i);
		unsigned n = s->fake.t->nclusters;

		if (view_lists_cores(v) && i < (int)n)
			row_whole(s, r, r.y + v->lay.cluster_titles + i,
				  frame_scope_cluster(&s->fake.f, (unsigned)i));
		else if (!view_lists_cores(v) && at < v->cores.norder)
			row_whole(s, r, r.y + v->lay.cluster_titles + i,
				  v->cores.order[at]);
	}
}

static void
draw_and_check(struct screen *s, int w, int h)
{
	char last[1400];

	assert_true(canvas_resize(s->canvas, w, h, NULL));
	const char *text = screen_draw(s);
	size_t n = strcspn(text, "\n");

	memcpy(last, text, n);
	last[n] = 0;
	if (!says(last, "ktop") || !says(last, "SIM") ||
	    !says(line_of(text, h - 1), "q quit"))
		fail_msg("%d x %d lacks its first or last line:\n%s", w, h,
			 text);
	tables_whole(s);
}

static const struct {
	unsigned ncpus, each;
	int step_w, step_h;
} crowd[] = { { 1, 1, 9, 7 },       { 2, 2, 17, 9 },     { 8, 4, 7, 5 },
	      { 18, 6, 13, 7 },     { 32, 6, 11, 6 },    { 128, 8, 17, 11 },
	      { 128, 128, 29, 13 }, { 512, 16, 53, 19 }, { 1024, 8, 59, 19 },
	      { 1024, 64, 71, 23 } };

UNIT(test_every_size_of_every_view)
{
	/* Every 18th width, of each view others; all with KTOP_LONG=1. */
	int step = getenv("KTOP_LONG") != NULL ? 1 : 18;

	for (unsigned m = 0; m < sizeof crowd / sizeof *crowd; m++) {
		unsigned turn = 0;

		SCREEN(s, crowd_open, crowd[m].ncpus, crowd[m].each);
		for (int kind = 0; kind < VIEW_COUNT; kind++)
			for (int w = 20 + kind % step * crowd[m].step_w;
			     w <= 300; w += step * crowd[m].step_w)
				for (int h = 5; h <= 100;
				     h += crowd[m].step_h) {
					s.view->kind = (enum layout_view)kind;
					s.view->cores.group = (enum view_group)(
						++turn % VIEW_GROUPS);
					s.view->list.cursor_on = turn % 3 == 0;
					s.view->list.cursor = turn * 7;
					s.view->list.cursor_moved = true;
					s.view->list.sort =
						turn % 2 == 0
							? SORT_NUMBER
							: s.view->metric.ipc;
					draw_and_check(&s, w, h);
				}
	}
}

/* Clusters that scroll: where one is, how they spread, who stands out. */
UNIT(test_many_clusters_say_the_rest)
{
	unsigned ipc = (unsigned)metric_find("ipc");

	SCREEN(s, crowd_open, 1024, 8);
	for (unsigned i = 0; i < 128; i++) {
		size_t at = (size_t)(1024 + i) * metric_count + ipc;

		s.fake.value[at] = 1 + i * 0.01;
		s.fake.state[at] = VALUE_OK;
	}
	assert_true(canvas_resize(s.canvas, 120, 40, NULL));
	const char *text = screen_draw(&s);
	char shown[32];

	snprintf(shown, sizeof shown, "1-%d of 128", s.view->list.page);
	assert_true(says(text, shown));
	assert_says(text, "IPC min 1.00, median 1.63, max 2.27", "lowest IPC");
	assert_true(canvas_resize(s.canvas, 80, 24, NULL));
	text = screen_draw(&s);
	assert_says(text, "14/128", "lowest IPC");
}

/* A thousand cores on the whole screen: rows at the end are reached. */
UNIT(test_a_thousand_cores_scroll)
{
	SCREEN(s, crowd_open, 1024, 8);
	assert_true(canvas_resize(s.canvas, 200, 60, NULL));
	s.view->kind = VIEW_CORES;
	s.view->list.cursor_on = s.view->cores.unfolded = true;
	screen_draw(&s);
	view_move(s.view, VIEW_FAR);
	assert_says(screen_draw(&s), " 1023 P126");
	assert_int_equal(view_selected(s.view), 1023);
	view_move(s.view, -VIEW_FAR);
	assert_says(screen_draw(&s), "    0 E");
	for (int pages = 0; pages < 1024 && s.view->list.cursor < 1023;
	     pages++) {
		view_page_move(s.view, 1);
		screen_draw(&s);
		assert_true(pages < 25);
	}
}
