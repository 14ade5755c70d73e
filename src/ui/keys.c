/* The table of keys and their actions. */
#include "ui/keys.h"

#include "base/parse.h"
#include "ui/panels/panel.h"
#include "ui/theme/theme.h"
#include "ui/ui.h"
#include "ui/ui_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

void
ui_show_message(struct ui *u, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vsnprintf(u->message, sizeof u->message, fmt, args);
	va_end(args);
	u->message_draws = MESSAGE_DRAWS;
}

static struct ui_request
request_make(enum ui_request_kind kind, int64_t arg)
{
	return (struct ui_request){ .kind = kind, .arg = arg };
}

enum { DELAY_MIN_NS = 10 * 1000 * 1000, PRESET_SAID = 160, KEYS_AT_ONCE = 256 };

static const struct ui_request nothing = { .kind = UI_NONE };

static const char recorded[] =
	"this is a recording: its events cannot be changed";

static bool
refuse_interval(struct ui *u)
{
	if (u->replay)
		ui_show_message(
			u,
			"a recording has its own intervals; [ and ] change its pace");
	return u->replay;
}

/* Stores the period, since more keys may arrive before the next draw. */
static struct ui_request
ask_period(struct ui *u, int64_t ms)
{
	u->period_ns = ms * 1000000;
	return request_make(UI_INTERVAL, ms);
}

static struct ui_request
ask_interval(struct ui *u, int arg, int code)
{
	static const int64_t ms[] = { 100, 200, 500, 1000, 2000, 5000, 10000 };
	enum { N = sizeof ms / sizeof *ms };
	int64_t now = u->period_ns / 1000000;
	bool longer = code == '+';

	(void)arg;
	if (refuse_interval(u))
		return nothing;
	for (int i = 0; i < N; i++) {
		int k = longer ? i : N - 1 - i;

		if (longer ? ms[k] > now : ms[k] < now)
			return ask_period(u, ms[k]);
	}
	return nothing;
}

static bool
preset_countable(const struct ui *u, int preset)
{
	return preset >= 0 && preset < (int)view_presets(u->view) &&
	       (u->preset_possible >> preset & 1) != 0;
}

static struct ui_request
ask_preset(struct ui *u, int preset)
{
	if (preset_countable(u, preset)) {
		/* A paused screen would not show the change. */
		if (u->view->when.paused)
			ui_show_message(
				u,
				"now counting %s; press space to end the pause",
				view_preset(u->view, preset)->name);
		return request_make(UI_PRESET, preset);
	}
	if (preset >= 0 && preset < (int)view_presets(u->view))
		ui_show_message(
			u, "%s",
			u->replay ? recorded
				  : "this machine has no event of that preset");
	return nothing;
}

static struct ui_request
ask_key(struct ui *u, int arg, int code)
{
	(void)arg;
	for (unsigned i = 0; i < view_presets(u->view); i++)
		if (view_preset_key(u->view, (int)i) == code)
			return ask_preset(u, (int)i);
	return nothing;
}

static struct ui_request
ask_save(struct ui *u, int arg, int code)
{
	const struct view *v = u->view;
	struct ui_request r = request_make(UI_SAVE, 0);

	(void)arg;
	(void)code;
	/* Do not save a guessed theme: it may not fit other terminals. */
	r.chosen.theme = u->themes.guessed ? THEME_AUTO : u->themes.spec;
	struct buf pins = buf_over(r.chosen.pin, sizeof r.chosen.pin);
	const struct rows *rows = view_rows_now(v);

	view_pins_text(v, &pins);
	snprintf(r.chosen.filter, sizeof r.chosen.filter, "%s",
		 rows->filter[0] != 0 ? rows->filter : "none");
	r.chosen.process_pins = v->procs->npins > 0;
	r.chosen.reverse = rows->reverse;
	r.chosen.view = layout_view_name[v->kind];
	r.chosen.group = view_group_name[v->cores.group];
	r.chosen.sort = view_sort_name(v);
	return r;
}

static void
key_pause(struct ui *u, int arg)
{
	struct view *v = u->view;

	(void)arg;
	/* Pause at once: arrow keys may arrive before the next draw. */
	v->when.paused = u->freeze = !v->when.paused;
	v->when.scrub = 0;
}

static struct ui_request
ask_more_preset(struct ui *u)
{
	int more = u->view->lost.more;

	bool say = preset_countable(u, more) && u->offered_preset != more;

	u->offered_preset = say ? more : -1;
	if (more >= 0 && !say)
		return ask_preset(u, more);
	if (say)
		ui_show_message(
			u,
			"press Enter again to count preset %s, which shows more of this row",
			view_preset(u->view, more)->name);
	else
		ui_show_message(
			u, "%s",
			u->replay ? recorded
				  : "no other preset shows more of this row");
	return nothing;
}

static void
marker_compare(struct ui *u)
{
	unsigned i = (unsigned)u->view->over.marker;

	u->view->over.which = OVERLAY_NONE;
	if (i >= u->nmarkers)
		return;
	u->reference_s = u->marker_s[u->nmarkers - 1 - i];
	u->set_reference = true;
}

static struct ui_request
key_enter(struct ui *u, int arg, int code)
{
	struct view *v = u->view;

	(void)arg;
	(void)code;
	if (v->over.which == OVERLAY_PRESETS) {
		v->over.which = OVERLAY_NONE;
		return ask_preset(u, v->over.choice);
	}
	if (v->over.which == OVERLAY_MARKERS) {
		marker_compare(u);
		return nothing;
	}
	if (v->over.which == OVERLAY_SORT) {
		view_sort_choose(v, v->over.sort_at);
		return nothing;
	}
	if (v->kind == VIEW_PROCESSES) {
		processes_open_key(v->procs);
		return nothing;
	}
	if (view_unfold(v))
		return nothing;
	if (v->kind == VIEW_DETAIL)
		return ask_more_preset(u);
	if (!view_open(v))
		ui_show_message(
			u,
			"no bottleneck to open; select a row with the arrow keys");
	return nothing;
}

static void
message_trace_question(struct ui *u)
{
	char text[PRESET_SAID];
	struct buf b = buf_over(text, sizeof text);

	processes_trace_question(u->view->procs, &b);
	ui_show_message(u, "%s", buf_cstr(&b));
}

void
ui_show_prompt(struct ui *u, unsigned number)
{
	const char *text = u->prompt.text;

	if (u->prompt.of == PROMPT_NAME && number == 0)
		u->prompt.of = PROMPT_NONE;
	if (u->prompt.of == PROMPT_NAME)
		ui_show_message(u, "name of marker %u (Enter for none): %s_",
				number, text);
	else if (u->prompt.of == PROMPT_INTERVAL)
		ui_show_message(u, "interval (1, 0.5, 250ms): %s_", text);
	else if (u->prompt.of == PROMPT_GO_TO)
		ui_show_message(u, "go to: %s_", text);
	else if (u->prompt.of == PROMPT_TIME)
		ui_show_message(
			u, "time (14:02:49), or how long ago (90s, 1:30): %s_",
			text);
	else if (u->prompt.of == PROMPT_TRACE)
		message_trace_question(u);
}

/* Parses a duration, or a time of day, as seconds before the paused frame. */
static bool
time_ago_parse(const struct ui *u, const char *text, double *ago_s)
{
	const char *colon = strchr(text, ':');
	/* Before the next draw the paused frame is not yet stored. */
	int64_t wall_ns =
		u->freeze ? u->newest_wall_ns : u->still.f.stamp.wall_ns;
	time_t now = (time_t)(wall_ns / 1000000000);
	struct tm tm;
	int64_t ns;

	text += text[0] == '-';
	if (!parse_duration(text, &ns) && !parse_clock(text, &ns))
		return false;
	*ago_s = (double)ns / 1e9;
	if (colon == NULL || strchr(colon + 1, ':') == NULL)
		return true;
	if (localtime_r(&now, &tm) == NULL)
		return false;
	*ago_s = tm.tm_hour * 3600 + tm.tm_min * 60 + tm.tm_sec - *ago_s;
	*ago_s += *ago_s < 0 ? 24 * 3600 : 0;
	return true;
}

static void
time_go_back(struct ui *u, const char *text)
{
	struct view *v = u->view;
	double ago_s;

	if (text[0] == '\0')
		return;
	if (!time_ago_parse(u, text, &ago_s)) {
		ui_show_message(
			u,
			"%s is not a time; enter 14:02:49, or how long ago: 90s, 1:30",
			text);
		return;
	}
	v->when.scrub = 0;
	if (ago_s > 0)
		view_scrub(v,
			   ago_s > (double)VIEW_FAR ? -VIEW_FAR : -(int)ago_s);
}

static void
trace_answer(struct ui *u, bool yes)
{
	char text[PRESET_SAID];
	struct buf b = buf_over(text, sizeof text);

	u->prompt.of = PROMPT_NONE;
	processes_trace_answer(u->view->procs, yes, &b);
	ui_show_message(u, "%s", buf_cstr(&b));
}

static struct ui_request
prompt_key(struct ui *u, int key)
{
	bool dropped = key == KEY_ESCAPE || key == KEY_CTRL_C;
	bool name = u->prompt.of == PROMPT_NAME;
	bool place = u->prompt.of == PROMPT_GO_TO;
	bool time = u->prompt.of == PROMPT_TIME;
	struct ui_request r = { .text = u->prompt.text };
	int64_t ns;

	if (u->prompt.of == PROMPT_TRACE) {
		trace_answer(u, key == 'y');
		return nothing;
	}
	if (!dropped && key != KEY_RETURN) {
		if (key != ' ' || name)
			key_type(u->prompt.text, sizeof u->prompt.text, key);
		return nothing;
	}
	u->prompt.of = PROMPT_NONE;
	if (dropped)
		u->prompt.text[0] = '\0';
	if (time) {
		time_go_back(u, u->prompt.text);
		return nothing;
	}
	r.kind = name ? UI_MARK_NAME : UI_REPLAY;
	r.arg = name ? 0 : UI_REPLAY_GO;
	if (name || (place && u->prompt.text[0] != '\0'))
		return r;
	if (u->prompt.text[0] == '\0')
		return nothing;
	if (parse_duration(u->prompt.text, &ns) && ns >= DELAY_MIN_NS)
		return ask_period(u, ns / 1000000);
	ui_show_message(u, "enter an interval such as 1, 0.5, 250ms or 2s");
	return nothing;
}

static void
prompt_begin(struct ui *u, int of)
{
	if (of == PROMPT_INTERVAL && refuse_interval(u))
		return;
	u->prompt.of = (enum prompt_of)of;
	u->prompt.text[0] = '\0';
}

/* Requests the marker at once; the next keys type its name. */
static struct ui_request
ask_mark(struct ui *u, int arg, int code)
{
	(void)arg;
	(void)code;
	if (u->replay && !u->takes_marks) {
		ui_show_message(
			u,
			"a replay shows the markers of its recording; n goes to the next");
		return nothing;
	}
	prompt_begin(u, PROMPT_NAME);
	if (!u->view->when.paused || u->freeze)
		return request_make(UI_MARK, 0);
	int64_t shown = (int64_t)u->still.f.seq - (int64_t)u->view->when.scrub;

	return request_make(UI_MARK, 1 + (shown > 0 ? shown : 0));
}

static void
key_group_next(struct ui *u, int arg)
{
	(void)arg;
	view_group_next(u->view);
	if (u->view->cores.group == GROUP_NONE)
		ui_show_message(u, "cores are not grouped");
	else
		ui_show_message(u, "cores are grouped by %s",
				view_group_name[u->view->cores.group]);
}

static void
key_sort_worst(struct ui *u, int arg)
{
	(void)arg;
	view_sort_worst(u->view);
	if (u->view->kind != VIEW_PROCESSES &&
	    u->view->metric.main != u->view->metric.ipc &&
	    u->view->list.sort != SORT_NUMBER)
		ui_show_message(
			u,
			"IPC is not counted, so rows cannot be sorted by it");
}

static void
key_pin(struct ui *u, int arg)
{
	struct rows *rows = view_rows(u->view);

	(void)arg;
	rows->pin_key = rows->cursor_on;
	if (!rows->cursor_on)
		ui_show_message(u, "select a row first, with the arrow keys");
}

static void
key_scrub(struct ui *u, int seconds)
{
	if (!u->view->when.paused)
		ui_show_message(
			u,
			"first press space to pause; then this key moves through time");
	view_scrub(u->view, seconds);
}

static void
key_page(struct ui *u, int pages)
{
	enum { PAGE_S = 10 };
	struct view *v = u->view;
	bool list =
		v->kind != VIEW_CHART && v->kind != VIEW_EVENTS &&
		v->kind != VIEW_POWER &&
		(v->kind == VIEW_PROCESSES ? v->procs->n : v->cores.norder) >
			view_rows(v)->page;

	if (v->when.paused && v->over.which == OVERLAY_NONE && !list)
		view_scrub(v, pages * PAGE_S);
	else
		view_page_move(v, pages);
}

static void
key_go_to_time(struct ui *u, int arg)
{
	if (!u->view->when.paused)
		key_pause(u, 0);
	prompt_begin(u, arg);
}

static void
key_go_to_marker(struct ui *u, int step)
{
	struct view *v = u->view;
	double to = NAN, newest = u->shown_s + v->when.ago_s;
	double half = v->when.period_s / 2;

	for (unsigned i = 0; i < u->nmarkers; i++) {
		double at = u->marker_s[i];

		if (step < 0 ? at < u->shown_s - half && !(to >= at)
			     : at > u->shown_s + half && !(to <= at))
			to = at;
	}
	if (isnan(to)) {
		ui_show_message(
			u,
			"there is no marker %s the moment shown; press m to set one",
			step < 0 ? "before" : "after");
		return;
	}
	if (!v->when.paused)
		key_pause(u, 0);
	v->when.scrub = (unsigned)((newest - to) / v->when.period_s + 0.5);
}

static void
key_go_to_end(struct ui *u, int by)
{
	if (u->view->when.paused && u->view->over.which == OVERLAY_NONE)
		view_scrub_end(u->view, by < 0);
	else
		view_move(u->view, by);
}

static void
key_markers(struct ui *u, int arg)
{
	(void)arg;
	u->view->over.marker = 0;
	if (u->nmarkers == 0)
		ui_show_message(u,
				"there is no marker yet: press m to set one");
	else
		view_overlay(u->view, OVERLAY_MARKERS, -1);
}

static void
key_overlay(struct ui *u, int which)
{
	view_overlay(u->view, (enum overlay)which, u->preset);
}

static void
key_picker(struct ui *u, int arg)
{
	(void)arg;
	if (u->replay) {
		ui_show_message(u, "%s", recorded);
		return;
	}
	view_overlay(u->view, OVERLAY_PICKER, u->preset);
	u->view->over.picker = (struct picker){ .catalog = u->view->catalog };
}

static void
key_themes(struct ui *u, int arg)
{
	(void)arg;
	panel_themes_open(u->view);
	tty_forget(u->tty);
}

static void
trace_toggle(struct ui *u, int arg)
{
	char text[PRESET_SAID];
	struct buf b = buf_over(text, sizeof text);

	(void)arg;
	if (u->view->kind != VIEW_PROCESSES)
		view_go(u->view, VIEW_PROCESSES);
	if (processes_trace_key(u->view->procs, u->replay, &b))
		prompt_begin(u, PROMPT_TRACE);
	ui_show_message(u, "%s", buf_cstr(&b));
}

static void
key_idle(struct ui *u, int arg)
{
	(void)arg;
	if (u->view->kind != VIEW_PROCESSES)
		view_go(u->view, VIEW_PROCESSES);
	processes_list_idle(u->view->procs);
	ui_show_message(u, "idle processes are %s",
			u->view->procs->all
				? "listed; a folds them into one line"
				: "one line");
}

/* Also shows the command, since some terminals cannot copy. */
static void
key_copy(struct ui *u, int arg)
{
	(void)arg;
	if (u->view->kind != VIEW_PROCESSES || u->next_tool[0] == '\0')
		ui_show_message(
			u,
			"no process is open to copy a command for: press P, select a process, press Enter");
	else
		ui_show_message(
			u, "%s%s", u->next_tool,
			tty_copy(u->tty, u->next_tool)
				? "   (sent to the clipboard)"
				: "   (this terminal does not support copying)");
}

static void
key_reference(struct ui *u, int arg)
{
	(void)arg;
	u->set_reference = true;
	u->reference_s = INFINITY;
	ui_show_message(
		u,
		"reference: the 10 s up to the moment shown; R sets it again, Esc ends the comparison");
}

static void
key_redraw(struct ui *u, int arg)
{
	(void)arg;
	tty_forget(u->tty);
}

static struct ui_request
ask_without_argument(struct ui *u, int kind, int code)
{
	(void)u;
	(void)code;
	return request_make((enum ui_request_kind)kind, 0);
}

/* Text of a key on the help's first page. */
#define FIRST(where, ...) \
	.first = { .part = KEY_PART_##where, .text = __VA_ARGS__ }

/* clang-format off */
const struct key ui_keys[] = {
	{ { '?', 'h', KEY_FUNCTION_1 }, "?", "help", "help: keys, columns, words (also h, F1)", 1, .screen = key_overlay, .arg = OVERLAY_HELP },
	{ { ' ', 'p' }, "space", "pause", "pause the view; counting and recording continue (also p)", 2, .screen = key_pause, FIRST(TIME, "pause; then left, right") },
	{ { '+', '-' }, "+/-", "interval", "increase, reduce the interval: 0.1, 0.2, 0.5, 1, 2, 5, 10 s", 16, .ask = ask_interval, .live = true, FIRST(TIME, "increase, reduce interval") },
	{ { 'd' }, "d", NULL, "enter the interval: 1, 0.5, 250ms, 2s", 0, .screen = prompt_begin, .arg = PROMPT_INTERVAL, .live = true },
	{ { '1', '2', '3', '4', '5', '6', '7', '8', '9' }, "1-9", "preset", "count another preset (a set of events); also reacquires the counters after a takeover", 3, .ask = ask_key, .live = true, FIRST(FIND, "count another preset") },
	{ { '0' }, "0", NULL, "list of presets and the questions they answer; press R in the list to rotate presets", 0, .screen = key_overlay, .arg = OVERLAY_PRESETS, FIRST(FIND, "list the presets") },
	{ { 'e' }, "e", "pick", "choose single events", 6, .screen = key_picker, .live = true, FIRST(FIND, "choose single events") },
	{ { KEY_TAB }, "Tab", "view", "next view: overview, processes, cores, history, power, bottlenecks, events, detail", 4, .view = view_go_by, .arg = 1 },
	{ { KEY_BACK_TAB }, "S-Tab", NULL, "previous view", 0, .view = view_go_by, .arg = -1 },
	{ { 'O' }, "O", "overview", "view: clusters, cores and charts", 12, .view = view_go, .arg = VIEW_OVERVIEW, FIRST(VIEWS, "overview") },
	{ { 'P' }, "P", "processes", "view: processes; Enter shows the threads of a process", 8, .view = view_go, .arg = VIEW_PROCESSES, FIRST(VIEWS, "processes and threads") },
	{ { 'C' }, "C", "cores", "view: cores only", 12, .view = view_go, .arg = VIEW_CORES, FIRST(VIEWS, "cores only") },
	{ { 'H' }, "H", "history", "view: charts of metrics over time", 12, .view = view_go, .arg = VIEW_CHART, FIRST(VIEWS, "charts over time") },
	{ { 'W' }, "W", "power", "view: power by rail, memory traffic and clocks over time", 12, .view = view_go, .arg = VIEW_POWER, FIRST(VIEWS, "power, traffic, clocks") },
	{ { 'B' }, "B", "bottlenecks", "view: lost issue slots, worst first", 12, .view = view_go, .arg = VIEW_BOTTLENECKS, FIRST(VIEWS, "lost issue slots") },
	{ { 'E' }, "E", "events", "view: events, data quality and the CPU time of ktop", 12, .view = view_go, .arg = VIEW_EVENTS, FIRST(VIEWS, "events and data quality") },
	{ { 'D' }, "D", "detail", "view: bottleneck and metrics of the selected row over time", 12, .view = view_go, .arg = VIEW_DETAIL, FIRST(VIEWS, "details of the selected row") },
	{ { KEY_RETURN }, "Enter", "open", "open the selected row, or the row that loses most slots; press again to count the preset that shows more", 5, .ask = key_enter, FIRST(FIND, "open the row; then: preset") },
	{ { 's', KEY_FUNCTION_6 }, "s", "sort", "choose the sort column (also F6)", 9, .view = view_sort_open, FIRST(ORDER, "choose the sort column") },
	{ { 'r', 'S' }, "r", NULL, "reverse the order (also S)", 0, .view = view_reverse, FIRST(ORDER, "reverse the order") },
	{ { '/' }, "/", "filter", "filter: P0, E, 4-7, die1, ipc<1, busy>=50; processes: clang, root, 4411; space means and, comma or", 9, .view = view_filter, FIRST(ORDER, "filter: P0  4-7  ipc<1") },
	{ { KEY_FUNCTION_3, KEY_FUNCTION_4, '\\' }, "F3", NULL, "filter rows (also F4, \\)", 0, .view = view_filter },
	{ { 'g' }, "g", "group", "group cores by cluster, kind, die or none, with a row for each group", 13, .screen = key_group_next, FIRST(ORDER, "group by cluster or kind") },
	{ { '*' }, "*", NULL, "pin the selected row to the top (marked p), or unpin it", 0, .screen = key_pin, FIRST(ORDER, "pin the row to the top") },
	{ { 'v' }, "v", NULL, "start or stop counting events per process; on a Mac ktop asks first, because this takes over kernel tracing", 0, .screen = trace_toggle, FIRST(FIND, "events per process") },
	{ { 'y' }, "y", NULL, "copy the command that profiles the open process: perf record or xctrace", 0, .screen = key_copy },
	{ { 'a' }, "a", NULL, "list idle processes, or show only their number", 0, .screen = key_idle },
	{ { 'l' }, "l", NULL, "sort by IPC, lowest first, of rows over 5% busy; press again to sort by number (processes: by CPU%)", 0, .screen = key_sort_worst, FIRST(ORDER, "worst IPC over 5% busy") },
	{ { 'm' }, "m", "mark", "set a marker at the moment shown, then enter its name; Enter or Esc for none", 7, .ask = ask_mark, FIRST(TIME, "set and name a marker") },
	{ { 'R' }, "R", "reference", "compare with the last 10 s before the moment shown: columns and order show the change; Esc ends", 13, .screen = key_reference, FIRST(TIME, "compare with this moment") },
	{ { 'c' }, "c", "record", "start or stop recording to CSV", 10, .ask = ask_without_argument, .arg = UI_RECORD, FIRST(TIME, "record to CSV, or stop") },
	{ { 'T' }, "T", "theme", "list of themes with a preview; Enter selects, Esc cancels", 11, .screen = key_themes, FIRST(TIME, "theme") },
	{ { 'M' }, "M", "metric", "next metric in the chart", 14, .view = view_chart_next, FIRST(TIME, "metric in the chart") },
	{ { 'z' }, "z", NULL, "next time span of the chart: 1, 5, 15, 60 s per cell, or the whole run", 0, .view = view_zoom_next, FIRST(TIME, "time span of the chart") },
	{ { 'i' }, "i", "IPC", "release the configurable counters (fixed counters only), or reacquire them", 15, .ask = ask_without_argument, .arg = UI_IPC, .live = true, FIRST(REST, "release, reacquire counters") },
	{ { 'A' }, "A", NULL, "save the screen as text in a file that is named after the time", 0, .ask = ask_without_argument, .arg = UI_SHOT, FIRST(TIME, "save the screen as text") },
	{ { 'w' }, "w", NULL, "save theme, interval, preset, view, order, filter, groups and pins in ktoprc", 0, .ask = ask_save, FIRST(REST, "save settings in ktoprc") },
	{ { KEY_UP_ARROW, 'k' }, "up", NULL, "previous row (also k)", 0, .view = view_move, .arg = -1, FIRST(FIND, "select a row", .keys = "up down") },
	{ { KEY_DOWN_ARROW, 'j' }, "down", NULL, "next row (also j)", 0, .view = view_move, .arg = 1 },
	{ { KEY_PAGE_UP }, "PgUp", NULL, "page up; while paused with all rows shown: 10 seconds back", 0, .screen = key_page, .arg = -1 },
	{ { KEY_PAGE_DOWN }, "PgDn", NULL, "page down; while paused with all rows shown: 10 seconds forward", 0, .screen = key_page, .arg = 1 },
	{ { 'n' }, "n", NULL, "pause and go to the next marker", 0, .screen = key_go_to_marker, .arg = 1 },
	{ { 'N' }, "N", NULL, "go to the previous marker; R then compares with it", 0, .screen = key_go_to_marker, .arg = -1 },
	{ { 'L' }, "L", NULL, "list of markers; press Enter in the list to compare with the 10 s before a marker", 0, .screen = key_markers },
	{ { ':', 'b' }, ":", NULL, "pause and go to a time: 14:02:49, or 90s or 1:30 ago (also b)", 0, .screen = key_go_to_time, .arg = PROMPT_TIME },
	{ { KEY_TO_HOME }, "Home", NULL, "first row; while paused: the oldest sample", 0, .screen = key_go_to_end, .arg = -VIEW_FAR },
	{ { KEY_TO_END, 'G' }, "End", NULL, "last row; while paused: the newest sample (also G)", 0, .screen = key_go_to_end, .arg = VIEW_FAR },
	{ { KEY_LEFT_ARROW }, "left", NULL, "while paused: one sample back", 0, .screen = key_scrub, .arg = -1 },
	{ { KEY_RIGHT_ARROW }, "right", NULL, "while paused: one sample forward", 0, .screen = key_scrub, .arg = 1 },
	{ { '<', ',' }, "<", NULL, "while paused: one minute back, at most 15", 0, .screen = key_scrub, .arg = -60 },
	{ { '>', '.' }, ">", NULL, "while paused: one minute forward", 0, .screen = key_scrub, .arg = 60 },
	{ { KEY_ESCAPE }, "Esc", NULL, "close a list or prompt, clear the filter, go to the previous view, clear the selection", 2, .view = view_close, FIRST(FIND, "close, or go back") },
	{ { KEY_CTRL_L }, "^L", NULL, "redraw the screen", 0, .screen = key_redraw },
	{ { KEY_CTRL_Z }, "^Z", NULL, "suspend ktop and release the counters until fg", 0, .ask = ask_without_argument, .arg = UI_SUSPEND, FIRST(REST, "suspend") },
	{ { 'q', KEY_FUNCTION_10, KEY_CTRL_C }, "q", "quit", "quit and release the counters (also F10, ^C; in a prompt or list ^C only closes the prompt or list)", 0, .ask = ask_without_argument, .arg = UI_QUIT, FIRST(REST, "quit, release the counters") },
	{ { 0 }, .keys = NULL },
};
/* clang-format on */

static struct ui_request
picker_input(struct ui *u, int key)
{
	struct err e = { .code = ERR_NONE };
	struct ui_request r = nothing;

	enum picker_end end = picker_key(&u->view->over.picker, key, &e);

	if (end == PICKER_SAYS || (end == PICKER_STAYS && e.code != ERR_NONE &&
				   !u->view->over.picker.describes))
		ui_show_message(u, "%s", e.text);
	if (end == PICKER_CLOSES || end == PICKER_COUNTS)
		u->view->over.which = OVERLAY_NONE;
	if (end == PICKER_COUNTS) {
		r.kind = UI_EVENTS;
		r.events = &u->view->over.picker.chosen;
	}
	return r;
}

static bool
key_always(struct ui *u, int key, struct ui_request *r)
{
	if (key == KEY_CTRL_L)
		tty_forget(u->tty);
	else if (key == KEY_CTRL_Z)
		*r = request_make(UI_SUSPEND, 0);
	else
		return false;
	return true;
}

static struct ui_request
key_run(struct ui *u, int code)
{
	const struct key *k = key_find(ui_keys, code);

	if (k == NULL) {
		if (code > ' ' && code < KEY_ERASE)
			ui_show_message(u, "no key %c; ? lists the keys", code);
	} else if (k->view != NULL)
		k->view(u->view, k->arg);
	else if (k->screen != NULL)
		k->screen(u, k->arg);
	else
		return k->ask(u, k->arg, code);
	return nothing;
}

static bool
is_code_listed(const int *codes, int code)
{
	while (*codes != 0 && *codes != code)
		codes++;
	return *codes != 0;
}

static bool
is_for_overlay(enum overlay overlay, int code)
{
	/* clang-format off */
	static const int all[] = { 'q', KEY_FUNCTION_10, KEY_CTRL_C, '?', 'h', KEY_FUNCTION_1,
		KEY_ESCAPE, KEY_UP_ARROW, 'k', KEY_DOWN_ARROW, 'j', KEY_PAGE_UP,
		KEY_PAGE_DOWN, KEY_TO_HOME, KEY_TO_END, 'G', 0 };
	static const int list[] = { KEY_RETURN, '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 0 };
	static const int markers[] = { KEY_RETURN, 'L', 0 };
	static const int sort[] = { KEY_RETURN, 's', KEY_FUNCTION_6, 'r', 'S', 0 };
	/* clang-format on */

	return overlay == OVERLAY_NONE || overlay == OVERLAY_THEMES ||
	       is_code_listed(all, code) ||
	       (overlay == OVERLAY_PRESETS && is_code_listed(list, code)) ||
	       (overlay == OVERLAY_MARKERS && is_code_listed(markers, code)) ||
	       (overlay == OVERLAY_SORT && is_code_listed(sort, code));
}

static bool
key_is_typed(const struct ui *u, int key)
{
	const struct view *v = u->view;
	const struct picker *p = &v->over.picker;
	bool letter = (key >= ' ' && key < KEY_ERASE) || key >= KEY_LETTER;

	if (v->over.which == OVERLAY_PICKER) /* space selects while searching */
		return letter && (p->naming || key != ' ');
	if (v->over.which == OVERLAY_HELP)
		return letter && v->over.help.typing;
	return letter && (v->line.typing || u->prompt.of != PROMPT_NONE);
}

static struct ui_request
key_request(struct ui *u, int key)
{
	struct view *v = u->view;
	struct ui_request r = nothing;
	const struct replay_key *of_replay;

	if (key >= KEY_LETTER) { /* only filters take non-ASCII letters */
		if (v->line.typing)
			view_type(v, key);
		return nothing;
	}
	if (key >= KEY_GO_SORT) {
		view_sort_choose(v, key - KEY_GO_SORT);
		return nothing;
	}
	if (key >= KEY_GO_PRESET) {
		v->over.which = OVERLAY_NONE;
		return ask_preset(u, key - KEY_GO_PRESET);
	}
	if (key_always(u, key, &r))
		return r;
	if (panel_themes_key(v, key)) {
		tty_forget(u->tty);
		return nothing;
	}
	if (v->over.which == OVERLAY_PICKER)
		return picker_input(u, key);
	if (v->over.which == OVERLAY_HELP && help_key(&v->over.help, key))
		return nothing;
	if (v->line.typing) {
		view_type(v, key);
		return nothing;
	}
	if (v->over.which == OVERLAY_PRESETS && key == 'R') {
		v->over.which = OVERLAY_NONE;
		return request_make(UI_ROTATE, 0);
	}
	if (u->prompt.of != PROMPT_NONE)
		return prompt_key(u, key);
	/* A key that the help lists closes the help, then acts. */
	if (v->over.which == OVERLAY_HELP &&
	    !is_for_overlay(OVERLAY_HELP, key) &&
	    key_find(ui_keys, key) != NULL)
		v->over.which = OVERLAY_NONE;
	if (u->replay && v->over.which == OVERLAY_NONE &&
	    (of_replay = replay_key_find(key)) != NULL) {
		if (of_replay->wish != UI_REPLAY_GO)
			return request_make(UI_REPLAY, of_replay->wish);
		prompt_begin(u, PROMPT_GO_TO);
		return nothing;
	}
	if (v->over.which == OVERLAY_SORT && key > ' ' && key < 127 &&
	    !is_for_overlay(OVERLAY_SORT, key)) {
		view_sort_jump(v, key);
		return nothing;
	}
	if (!is_for_overlay(v->over.which, key)) {
		if (key_find(ui_keys, key) != NULL)
			ui_show_message(u, "first close the list with Esc");
		return nothing;
	}
	return key_run(u, key);
}

/* Pasted text outside a prompt must not act as keys. */
static bool
is_pasted(struct ui *u, int key)
{
	if (key == KEY_PASTE || key == KEY_PASTE_END) {
		u->pasting = key == KEY_PASTE;
		return true;
	}
	return u->pasting && !key_is_typed(u, key);
}

struct ui_request
ui_input(struct ui *u, bool *screen_redraw)
{
	int key;

	for (int n = 0; n < KEYS_AT_ONCE && (key = tty_key(u->tty)) != KEY_NONE;
	     n++) {
		if (is_pasted(u, key))
			continue;
		*screen_redraw = true;
		u->message_draws = 0;
		if (key != KEY_RETURN)
			u->offered_preset = -1;
		if (key >= KEY_MOUSE_CLICK && key < KEY_LETTER)
			key = view_mouse(u->view, key);
		if (key == KEY_NONE)
			continue;
		struct ui_request r = key_request(u, key);

		if (r.kind == UI_NONE)
			continue;
		/* Show the next message even if it repeats the last one. */
		u->app_message[0] = '\0';
		return r;
	}
	return nothing;
}
