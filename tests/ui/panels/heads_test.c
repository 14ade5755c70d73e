/* How many columns a screen has, and whether what stands over them is true. */
#include "ui/screen.h"

#include "ui/panels/inner.h"
#include "model/spans.h"

#include <math.h>

/* All metrics of the set, as on a machine that has every event. */
static void
every_event(struct screen *s, int preset)
{
	s->fake.status.preset = preset;
	s->fake.status.catalog = NULL;
	memcpy(s->fake.set.name, "none such", 10);
}

static void
resize(struct screen *s, int w, int h)
{
	assert_true(picture_arrange(s->view, &s->fake.f, &s->fake.status, w, h,
				    NULL));
}

/* All sizes with KTOP_LONG=1, else every n-th, of each screen others. */
static int
every(int n)
{
	return getenv("KTOP_LONG") != NULL ? 1 : n;
}

enum { W_FROM = 60, W_TO = 250, H_FROM = 20, H_TO = 70 };

static void
check_growth(struct screen *s, const char *machine, const char *preset)
{
	static unsigned n[W_TO + 1][H_TO + 1], turn;
	int step = every(3), from = W_FROM + (int)turn++ % step;

	for (int w = from; w <= W_TO; w += step)
		for (int h = H_FROM; h <= H_TO; h++) {
			resize(s, w, h);
			n[w][h] = s->view->lay.table.ncols;
			if (w > from && n[w][h] < n[w - step][h])
				fail_msg("%s, %s: %dx%d has %u columns, %dx%d "
					 "has %u",
					 machine, preset, w - step, h,
					 n[w - step][h], w, h, n[w][h]);
			if (h > H_FROM && n[w][h] < n[w][h - 1])
				fail_msg("%s, %s: %dx%d has %u columns, %dx%d "
					 "has %u",
					 machine, preset, w, h - 1, n[w][h - 1],
					 w, h, n[w][h]);
		}
}

UNIT(test_a_larger_screen_has_no_fewer_columns)
{
	static const char *const machine[] = { "m1", "m2max", "m3ultra" };
	static const char *const preset[] = { "basic", "topdown" };

	for (unsigned m = 0; m < 3; m++)
		for (unsigned p = 0; p < 2; p++) {
			SCREEN(s, screen_open, machine[m], 80, 24,
			       CANVAS_BRAILLE);
			check_growth(&s, machine[m], "as counted");
			every_event(&s, preset_find(preset[p]));
			check_growth(&s, machine[m], preset[p]);
		}
}

/* All four shares from 80 columns on, also where cores are cells. */
UNIT(test_the_four_shares_are_there_from_80_columns)
{
	static const char *const share[] = { "retire", "bad-sp", "front",
					     "back" };
	static const char *const machine[] = { "m1", "m3ultra" };

	for (unsigned m = 0; m < 2; m++)
		for (int w = 80; w <= 200; w += w < 130 ? every(3) : 10)
			for (int h = 24; h <= 60; h += 6) {
				SCREEN(s, screen_open, machine[m], w, h,
				       CANVAS_BRAILLE);
				every_event(&s, preset_find("topdown"));
				screen_draw(&s);
				for (unsigned i = 0; i < 4; i++)
					assert_true(says(s.text, share[i]));
			}
}

/* heads */

/* Is the word so of a metric? By the table of metrics alone. */
static bool
word_is_so(const char *word, const struct metric *m)
{
	static const struct {
		const char *word;
		enum metric_unit unit, or ;
	} unit[] = {
		{ "MPKI", UNIT_MPKI, UNIT_MPKI },
		{ "1000 ld+st", UNIT_PER_KLDST, UNIT_PER_KLDST },
		{ "/1000", UNIT_MPKI, UNIT_PER_KLDST },
		{ "%", UNIT_PCT, UNIT_PCT },
		{ "10^6", UNIT_PER_MCYCLE, UNIT_PER_MCYCLE },
		{ "per s", UNIT_PER_S, UNIT_GIPS },
		{ "/s", UNIT_PER_S, UNIT_GIPS },
		{ "GHz", UNIT_GHZ, UNIT_GHZ },
	};

	for (unsigned i = 0; i < sizeof unit / sizeof *unit; i++)
		if (says(word, unit[i].word) && m->unit != unit[i].unit &&
			    m->unit != unit[i].or)
			return false;
	return true;
}

/* Of the fixed pair alone, which counts all modes whatever the slots do. */
static bool
all_modes(const struct metric *m)
{
	const struct term *term[] = { m->num, m->den };

	if (strcmp(m->name, "user_pct") == 0) /* its name tells the mode */
		return true;
	for (unsigned i = 0; i < 2; i++)
		for (unsigned k = 0; k < METRIC_TERMS; k++) {
			const char *e = term[i][k].event;

			if (e != NULL && strncmp(e, "FIXED_", 6) != 0 &&
			    strcmp(e, METRIC_BUSY_NS) != 0 &&
			    strcmp(e, METRIC_WALL_NS) != 0)
				return false;
		}
	return true;
}

static void
check_head(const struct view *v, const struct head *h, int w)
{
	for (unsigned i = h->first; i < h->first + h->n; i++) {
		const struct layout_column *col = &v->lay.table.col[i];
		const struct metric *m = view_metric(v, col->metric);
		bool all = says(h->text, "user+kernel");
		bool slots = !all &&
			     (says(h->text, "user") || says(h->text, "kernel"));

		if (!word_is_so(h->text, m) || (slots && all_modes(m)) ||
		    (all && !all_modes(m)))
			fail_msg("%d columns: \"%s\" over %s", w, h->text,
				 m->label);
		/* A unit that the name does not tell is told. */
		if (!all_modes(m) && h->text[0] == 0 && m->unit != UNIT_RATIO &&
		    strpbrk(m->label, "%/") == NULL)
			fail_msg("%d columns: nothing over %s", w, m->label);
		assert_true(col->x >= h->x - 1 &&
			    col->x + col->w <= h->x + h->w);
	}
}

static void
check_heads(struct screen *s, int w)
{
	struct heads heads;
	unsigned next = 0;
	int x = 0;

	heads_make(s->view, &heads);
	for (unsigned i = 0; i < heads.n; i++) {
		const struct head *h = &heads.at[i];

		assert_int_equal(h->first, next); /* each column has one */
		assert_true(h->x >= x && (int)strlen(h->text) <= h->w);
		check_head(s->view, h, w);
		next += h->n;
		x = h->x + h->w;
	}
	assert_int_equal(next, s->view->lay.table.ncols);
}

UNIT(test_heads_are_true_of_every_column)
{
	static const enum domain domain[] = { DOMAIN_USER, DOMAIN_ALL,
					      DOMAIN_KERNEL, DOMAIN_MIXED };

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	for (unsigned d = 0; d < 4; d++)
		for (int p = 0; p < (int)preset_count; p++) {
			every_event(&s, p);
			s.fake.f.domain = domain[d];
			for (int w = 48 + (int)d % every(3); w <= 250;
			     w += every(3)) {
				resize(&s, w, w / 3);
				check_heads(&s, w);
			}
		}
}

/* What was made is drawn, above the columns it is about. */
UNIT(test_heads_are_drawn_where_they_belong)
{
	static const int size[][2] = {
		{ 60, 21 }, { 80, 24 }, { 100, 30 }, { 200, 60 }
	};

	for (unsigned i = 0; i < 4; i++) {
		struct heads heads;

		SCREEN(s, screen_open, "m1", size[i][0], size[i][1],
		       CANVAS_ASCII);
		screen_draw(&s);
		struct rect r = layout_inside(&s.view->lay, PANEL_CLUSTERS);
		/* A frame has them on its own line. */
		const char *line =
			line_of(s.text, r.y - !s.view->lay.cluster_heads);

		heads_make(s.view, &heads);
		for (unsigned k = 0; k < heads.n; k++) {
			const struct head *h = &heads.at[k];
			const char *from = line + r.x + h->x;
			const char *at = strstr(from, h->text);

			assert_non_null(at);
			assert_true(at + strlen(h->text) <= from + h->w);
		}
	}
}

/* no PMU */

static unsigned
count_of(const char *text, const char *part)
{
	unsigned n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

/* Events of the kernel are counted all the same. */
static void
kernel_events(struct screen *s)
{
	static const struct event event = { .name = "SW_CONTEXT_SWITCHES",
					    .counters = 0 };
	unsigned ctx = (unsigned)metric_find("ctx_per_s");

	s->fake.set.len = 1;
	s->fake.set.slot[0] = (struct slot){ &event, EVENT_FREE_FIRST };
	s->fake.f.domain = DOMAIN_ALL;
	s->fake.status.preset = 0;
	for (unsigned i = 0; i < s->fake.f.nscopes; i++) {
		s->fake.state[i * metric_count + ctx] = VALUE_OK;
		s->fake.value[i * metric_count + ctx] = 1234;
		s->fake.span[i].n_ok = 0;
	}
}

UNIT(test_without_a_pmu_what_is_counted_shows)
{
	static const int size[][2] = {
		{ 60, 21 }, { 80, 24 }, { 100, 30 }, { 120, 40 }, { 200, 60 }
	};

	for (unsigned i = 0; i < 5; i++) {
		SCREEN(s, screen_open, "vm", size[i][0], size[i][1],
		       CANVAS_ASCII);
		kernel_events(&s);
		screen_draw(&s);
		struct rect r = layout_inside(&s.view->lay, PANEL_CLUSTERS);
		const char *titles =
			line_of(s.text, r.y + s.view->lay.cluster_heads);
		char head[300];

		/* Its heads, each of them once. */
		snprintf(head, sizeof head, "%.*s", (int)strcspn(titles, "\n"),
			 titles);
		assert_true(count_of(head, "busy%") <= 2); /* and the trend's */
		assert_says(head, "ctx/s");
		assert_silent(head, "IPC", "GHz");
		assert_true(count_of(s.text, "user+kernel") <= 2);
		assert_says(s.text, "1234");
		assert_silent(s.text, "FIXED_");
		/* Of a second chart the past is not made up here. */
		assert_true(s.view->lay.panel[PANEL_CHART2].h > 0 ||
			    !says(s.text, "not counted"));
		assert_silent(s.text, "0/2");
		assert_int_equal(s.view->chart.metric, COLUMN_BUSY);
		for (int kind = 0; kind < VIEW_COUNT; kind++) {
			s.view->kind = (enum layout_view)kind;
			assert_silent(screen_draw(&s), "FIXED_");
		}
	}
}

/* The chart and the trends are of the busy share; the past has it. */
UNIT(test_without_a_pmu_the_chart_is_of_busy_time)
{
	SCREEN(s, screen_open, "vm", 120, 40, CANVAS_ASCII);
	kernel_events(&s);
	screen_draw(&s);
	assert_says(s.text, "+- busy%: ", " 100 ", "busy%, last");
	assert_true(s.view->lay.panel[PANEL_CHART].h > 0);
	/* With counters again it is IPC's again, if nobody chose. */
	s.fake.status.mode = UI_MODE_FULL;
	screen_draw(&s);
	assert_int_equal(s.view->chart.metric, s.view->metric.ipc);
	/* M: IPC, then the first column, which is busy%. */
	view_chart_next(s.view, 0);
	screen_draw(&s);
	assert_int_equal(s.view->chart.metric, COLUMN_BUSY);
	assert_says(s.text, "+- busy%: ");
}

/* detail */

UNIT(test_detail_leaves_no_rows_empty_above_a_list_that_is_cut)
{
	struct screen s;

	screen_open(&s, "m3ultra", 200, 60, CANVAS_BRAILLE);
	s.view->kind = VIEW_DETAIL;
	screen_draw(&s);
	assert_true(layout_rows(&s.view->lay, PANEL_CORES) >= 32);
	assert_says(s.text, "32 of 32");
	assert_silent(s.text, "more on a larger");
	screen_close(&s);
	/* A heading stands over something. */
	screen_open(&s, "m2max", 200, 60, CANVAS_BRAILLE);
	s.view->kind = VIEW_DETAIL;
	screen_draw(&s);
	assert_says(s.text, "of other sets");
	s.view->past = (struct past){
		(const void *)NULL, NULL, NULL, NULL, NULL, NULL
	};
	assert_silent(screen_draw(&s), "of other sets");
	assert_says(s.text, " metric ", " before ");
	screen_close(&s);
}

/* Slots are not what each preset counts; and no word is cut. */
UNIT(test_detail_says_how_long_events_counted)
{
	static const struct {
		int w;
		const char *text;
	} at[] = { { 80, "   events counted 100% of the time  " },
		   { 45, "   events counted 100%  " },
		   { 36, "   events 100%  " } };

	for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
		SCREEN(s, screen_open, "m1", at[i].w, 24, CANVAS_ASCII);
		for (unsigned c = 0; c < s.fake.f.nscopes; c++) {
			struct span *t = &s.fake.span[c];

			span_put_event(t, span_interval_s(t));
			t->quality = 0;
		}
		s.view->kind = VIEW_DETAIL;
		screen_draw(&s);
		if (!says(s.text, at[i].text))
			fail_msg("%d: %s", at[i].w, s.text);
		assert_silent(s.text, "slots counted");
	}
}

/* What the line of a fact has no room for goes whole. */
UNIT(test_facts_are_cut_at_words)
{
	SCREEN(s, screen_open, "m1", 42, 12, CANVAS_ASCII);
	s.fake.status.own_cpu_pct = 0.1;
	s.fake.status.interrupts_per_read = 12;
	s.view->kind = VIEW_EVENTS;
	assert_says(screen_draw(&s), "cost     0.1% of a core  ");
	assert_silent(s.text, "12 IPIs");
	assert_true(canvas_resize(s.canvas, 43, 12, NULL));
	assert_says(screen_draw(&s), "0.1% of a core, 12 IPIs/sample |");
}

/* Few cells: words go whole. */
UNIT(test_trust_is_cut_at_words)
{
	SCREEN(s, screen_open, "m1", 30, 8, CANVAS_ASCII);
	fake_row(&s.fake, 5, QUALITY_STALE);
	for (int w = 20; w <= 60; w++) {
		assert_true(canvas_resize(s.canvas, w, 8, NULL));
		screen_draw(&s);
		const struct rect *r = &s.view->lay.panel[PANEL_QUALITY];

		if (r->h == 0)
			continue;
		const char *line = line_of(s.text, r->y);
		int n = (int)strcspn(line, "\n");

		assert_true(n >= 14 && (strncmp(line + n - 14, "in use by ktop",
						14) == 0 ||
					says(line, "in use by ktop  ")));
		if (w == 25) /* what is cut leaves room for the label */
			assert_says(line, "counters in use by ktop");
	}
}
