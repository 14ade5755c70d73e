/*
 * Whole screens as text, compared with tests/data/screens/canvas (run in the
 * project's folder; GOLDEN_UPDATE=1 writes them).
 */
#include "ui/golden.h"
#include "ui/screen.h"

/* How long the help is goes by every key there is: no row's test. */
static void
forget_pages(char *text)
{
	char *at = strstr(text, "   page ");

	for (; at != NULL && *at != '\n'; at++)
		if (*at >= '0' && *at <= '9')
			*at = '#';
}

static void
golden(const char *machine, int w, int h, enum canvas_glyphs glyphs,
       const char *suffix, void (*change)(struct screen *))
{
	char name[128];

	SCREEN(s, screen_open, machine, w, h, glyphs);
	if (change != NULL)
		change(&s);
	snprintf(name, sizeof name, "%s-%dx%d%s", machine, w, h, suffix);
	screen_draw(&s);
	forget_pages(s.text);
	golden_compare(name, s.text);
}

/* The help after a search that went round to its only hit. */
static void
help_searched(struct screen *s)
{
	help(s);
	screen_draw(s);
	for (const char *key = "/IPIs"; *key != '\0'; key++)
		assert_true(help_key(&s->view->over.help, *key));
	assert_true(help_key(&s->view->over.help, KEY_RETURN));
	screen_draw(s);
	assert_true(help_key(&s->view->over.help, 'n'));
}

UNIT(test_golden_sizes)
{
	static const struct {
		int w, h;
	} size[] = { { 20, 5 },   { 40, 12 },  { 80, 24 }, { 80, 50 },
		     { 120, 40 }, { 160, 45 }, { 200, 60 } };
	static const char *const machine[] = { "m1", "m2max", "m3ultra",
					       "m5max", "epyc" };

	golden("m2max", 60, 15, CANVAS_BRAILLE, "", NULL);
	golden("m2max", 100, 30, CANVAS_BRAILLE, "", NULL);
	golden("m2max", 300, 100, CANVAS_BRAILLE, "", NULL);
	for (unsigned m = 0; m < sizeof machine / sizeof *machine; m++)
		for (unsigned i = 0; i < sizeof size / sizeof *size; i++)
			golden(machine[m], size[i].w, size[i].h, CANVAS_BRAILLE,
			       "", NULL);
}

static void
ipc_mode(struct screen *s)
{
	s->fake.status.mode = UI_MODE_IPC;
	s->fake.status.why = "the counters belong to another tool (EBUSY); "
			     "quit it and press i";
	s->fake.f.domain = DOMAIN_NONE;
	s->fake.set.len = 0;
	s->fake.set.name[0] = 0;
}

static void
list(struct screen *s)
{
	s->view->over.which = OVERLAY_PRESETS;
	s->view->over.choice = 3;
	s->fake.status.preset_possible &= ~(1u << 12);
}

static void
sorting(struct screen *s)
{
	s->view->list.sort = s->view->metric.ipc;
	screen_draw(s);
	view_sort_open(s->view, 0);
	view_move(s->view, 3);
}

static void
view_cores(struct screen *s)
{
	s->view->kind = VIEW_CORES;
	s->view->list.sort = s->view->metric.ipc;
	s->view->list.cursor_on = true;
	s->view->list.cursor = 30;
}

static void
view_chart(struct screen *s)
{
	s->view->kind = VIEW_CHART;
	s->view->chart.metric = metric_find("l1d_ld_mpki");
}

static void
view_events(struct screen *s)
{
	s->view->kind = VIEW_EVENTS;
}

static void
view_bottlenecks(struct screen *s)
{
	s->view->kind = VIEW_BOTTLENECKS;
	s->view->list.cursor_on = true;
	s->view->list.cursor = 1;
}

static void
view_detail(struct screen *s)
{
	s->view->kind = VIEW_DETAIL;
	s->view->list.cursor_on = true;
	s->view->list.cursor = 5;
}

static void
picker(struct screen *s)
{
	s->view->over.which = OVERLAY_PICKER;
	s->view->over.picker =
		(struct picker){ .catalog = s->fake.status.catalog };
	screen_draw(s);
	picker_key(&s->view->over.picker, 'f', NULL);
	s->view->over.picker.at = s->fake.status.catalog->len - 1;
}

static void
picker_search(struct screen *s)
{
	s->view->over.which = OVERLAY_PICKER;
	s->view->over.picker =
		(struct picker){ .catalog = s->fake.status.catalog };
	for (const char *key = "/l1d"; *key != 0; key++)
		picker_key(&s->view->over.picker, *key, NULL);
}

static void
filtered(struct screen *s)
{
	s->view->line.typing = true;
	memcpy(s->view->list.filter, "P1", 3);
}

UNIT(test_golden_states)
{
	golden("m1", 80, 24, CANVAS_BRAILLE, "-sim", simulated);
	golden("m1", 20, 5, CANVAS_BRAILLE, "-sim", simulated);
	golden("m1", 80, 24, CANVAS_ASCII, "-ascii", NULL);
	golden("m2max", 120, 40, CANVAS_ASCII, "-ascii", NULL);
	golden("m2max", 120, 40, CANVAS_BLOCK, "-block", NULL);
	golden("m1", 80, 24, CANVAS_BRAILLE, "-ipc", ipc_mode);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-ipc", ipc_mode);
	golden("vm", 80, 24, CANVAS_BRAILLE, "", NULL);
	golden("m1", 80, 24, CANVAS_BRAILLE, "-troubled", troubled);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-troubled", troubled);
	golden("m1", 80, 24, CANVAS_BRAILLE, "-help", help);
	golden("m1", 40, 12, CANVAS_ASCII, "-help", help);
	golden("m1", 120, 40, CANVAS_BRAILLE, "-help-found", help_searched);
	golden("m1", 80, 24, CANVAS_BRAILLE, "-list", list);
	golden("m1", 80, 24, CANVAS_BRAILLE, "-sort", sorting);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-sort", sorting);
	golden("m3ultra", 80, 24, CANVAS_BRAILLE, "-cores", view_cores);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-chart", view_chart);
	golden("m1", 80, 24, CANVAS_BRAILLE, "-events", view_events);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-filter", filtered);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-bottlenecks",
	       view_bottlenecks);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-detail", view_detail);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-events", view_events);
	golden("m2max", 120, 40, CANVAS_BRAILLE, "-picker", picker);
	golden("m1", 80, 24, CANVAS_ASCII, "-picker", picker_search);
	golden("m2max", 80, 24, CANVAS_BRAILLE, "-picker", picker);
	golden("epyc", 200, 60, CANVAS_BRAILLE, "-cores", view_cores);
}
