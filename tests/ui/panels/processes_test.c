/* The list of processes: order, filter, pins, the cursor, words, threads. */
#include "ui/golden.h"
#include "ui/process_screen.h"

static void
shot(struct table *k, const char *name)
{
	golden_compare(name, screen_draw(&k->s));
	screen_close(&k->s);
}

UNIT(test_golden)
{
	static const struct {
		int w, h;
	} size[] = {
		{ 20, 5 }, { 40, 12 }, { 80, 24 }, { 120, 40 }, { 200, 60 }
	};
	struct table k;
	char name[64];

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		table_open(&k, size[i].w, size[i].h);
		view_sort_worst(k.s.view);
		snprintf(name, sizeof name, "processes-%dx%d", size[i].w,
			 size[i].h);
		shot(&k, name);
	}
}

/* Its share of time is another now. */
static void
set_cpu(struct table *k, int32_t pid, double pct)
{
	row_of(k, pid)->value[PROCESS_CPU] = pct;
}

UNIT(test_orders)
{
	TABLE(k, 80, 25);
	assert_string_equal(
		names(&k),
		"kvstored clang clang parse-logs rustc kernel_task mds_stores WindowServer WebContent Terminal ktop launchd sh sleeper trustd cc1");
	view_sort_set(k.s.view,
		      COLUMN_PROCESS + PROCESS_CPU); /* again: turned round */
	assert_true(strncmp(names(&k), "sleeper sh", 10) == 0);
	view_sort_set(k.s.view, SORT_NUMBER);
	assert_says(names(&k), "kernel_task launchd WindowServer");
	view_sort_set(k.s.view, SORT_NAME);
	assert_says(names(&k), "Terminal WebContent WindowServer cc1");
	view_sort_set(k.s.view, COLUMN_PROCESS + PROCESS_GIPS);
	assert_says(names(&k), "clang clang rustc");
}

/* Those that did nothing are one line, until a lists them; named, they come. */
UNIT(test_idle_processes_are_one_line)
{
	TABLE(k, 120, 40);
	set_cpu(&k, 5140, 0.01);
	row_of(&k, 5140)->value[PROCESS_CYCLES_PCT] = 0.01;
	assert_silent(names(&k), "sleeper");
	assert_says(k.s.text, "2 processes idle   a lists them");
	/* What is not known to be idle stays. */
	assert_says(k.s.text, "trustd");
	/* The cursor goes over the line, and not to it. */
	view_move(k.s.view, 1);
	view_move(k.s.view, VIEW_FAR);
	screen_draw(&k.s);
	assert_non_null(processes_selected(k.s.view->procs));
	/* A row that is selected stays where it is. */
	set_cpu(&k, processes_selected(k.s.view->procs)->pid, 0);
	screen_draw(&k.s);
	assert_non_null(processes_selected(k.s.view->procs));
	k.s.view->procs->list.cursor_on = false;
	processes_list_idle(k.s.view->procs);
	assert_says(names(&k), "sleeper");
	assert_silent(k.s.text, "processes idle");
	processes_list_idle(k.s.view->procs);
	assert_silent(names(&k), "sleeper");
	snprintf(k.s.view->procs->list.filter, VIEW_FILTER_SIZE, "sleep");
	assert_string_equal(names(&k), "sleeper");
}

/* As options have it, and as they are saved. */
UNIT(test_orders_have_names)
{
	static const char *const name[] = { "cpu",        "worst", "pid",
					    "name",       "ipc",   "ghz",
					    "cycles_pct", "gips" };

	TABLE(k, 80, 24);
	for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
		view_sort_by(k.s.view, &k.s.fake.status, name[i]);
		assert_string_equal(view_sort_name(k.s.view), name[i]);
		screen_draw(&k.s);
	}
	/* Shares of kinds of core are the machine's; others may be events'. */
	view_sort_by(k.s.view, &k.s.fake.status, "retiring_pct");
	assert_string_equal(view_sort_name(k.s.view), "gips");
	view_sort_by(k.s.view, &k.s.fake.status, "stall_pct");
	assert_string_equal(view_sort_name(k.s.view), "stall_pct");
	assert_true(strncmp(names(&k), "kernel_task launchd", 19) == 0);
}

/* Under 5% an IPC says little: 4.9% of the time never comes before 5.1%. */
UNIT(test_the_worst_are_those_at_work)
{
	TABLE(k, 80, 26);
	view_sort_worst(k.s.view);
	set_cpu(&k, 880, 5.1);
	set_cpu(&k, 701, 4.9);
	assert_string_equal(
		names(&k),
		"kvstored kernel_task parse-logs WebContent Terminal WindowServer rustc clang clang -- mds_stores ktop launchd sh sleeper trustd cc1");
	view_sort_worst(k.s.view);
	assert_int_equal(k.s.view->procs->list.sort,
			 COLUMN_PROCESS + PROCESS_CPU);
}

UNIT(test_a_selected_row_keeps_the_order)
{
	char before[1024];

	TABLE(k, 80, 24);
	screen_draw(&k.s);
	press(&k, KEY_DOWN_ARROW);
	press(&k, KEY_DOWN_ARROW);
	snprintf(before, sizeof before, "%s", names(&k));
	assert_string_equal(processes_selected(k.s.view->procs)->name, "clang");
	set_cpu(&k, 3307, 999);
	assert_string_equal(names(&k), before);
	assert_true(k.s.view->procs->frozen);
	/* What was asked for comes at once; and without a cursor it moves. */
	view_sort_set(k.s.view, SORT_NUMBER);
	assert_string_not_equal(names(&k), before);
	assert_string_equal(processes_selected(k.s.view->procs)->name, "clang");
	view_sort_set(k.s.view, COLUMN_PROCESS + PROCESS_CPU);
	press(&k, KEY_ESCAPE);
	assert_true(strncmp(names(&k), "parse-logs", 10) == 0);
}

/* Without a frame and its title the line below tells. */
UNIT(test_it_is_said_that_the_order_is_kept)
{
	static const struct {
		int w, h;
		const char *said;
	} size[] = { { 80, 24, "order kept" },
		     { 120, 40, "kept while a row is chosen" } };
	const struct key *down = key_find(ui_keys, KEY_DOWN_ARROW);

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		TABLE(k, size[i].w, size[i].h);
		assert_false(says(screen_draw(&k.s), size[i].said));
		/* At once, not with the next screen. */
		down->view(k.s.view, down->arg);
		assert_true(says(screen_draw(&k.s), size[i].said));
		press(&k, KEY_ESCAPE);
		assert_false(says(screen_draw(&k.s), size[i].said));
	}
}

/* A row goes by who it is: its place in the table and its pid are not it. */
UNIT(test_the_cursor_follows_its_process)
{
	struct process_list *l;

	TABLE(k, 80, 24);
	l = k.s.view->procs;
	screen_draw(&k.s);
	for (int i = 0; i < 4; i++)
		press(&k, KEY_DOWN_ARROW);
	assert_int_equal(processes_selected(l)->pid, 3307);
	/* One with a smaller pid ends: all move up in the table. */
	memmove(&k.p.row[2], &k.p.row[3], (--k.p.t.n - 2) * sizeof *k.p.row);
	screen_draw(&k.s);
	assert_int_equal(processes_selected(l)->pid, 3307);
	/* The pid is another's now: the cursor stays where it was. */
	row_of(&k, 3307)->start = 77777;
	unsigned at = l->list.cursor;

	screen_draw(&k.s);
	assert_int_equal(l->list.cursor, at);
	assert_true(processes_selected(l)->start != 4307);
}

UNIT(test_filters)
{
	static const struct {
		const char *text;
		unsigned n;
	} row[] = { { "", 16 },
		    { "clang", 2 },
		    { "CLANG", 2 },
		    { "root", 3 },
		    { "4411", 1 },
		    { "5120-5127", 3 },
		    { "clang,rustc", 3 },
		    { "clang ipc<4.5", 1 },
		    { "cpu>90 ,root", 6 },
		    { ",root ipc<1,cpu>90", 1 },
		    { "ipc<1", 2 },
		    { "cpu>90", 3 },
		    { "ipce>2", 2 },
		    { "gips>15", 1 },
		    { "cycles_pct>=20", 1 },
		    { "pid<100", 2 },
		    { "zz", 0 } };

	TABLE(k, 120, 40);
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		set_filter(&k, row[i].text);
		assert_null(
			view_filter_wrong(k.s.view, &k.s.view->procs->list));
		if (k.s.view->procs->list.nmatch != row[i].n)
			fail_msg("\"%s\" leaves %u", row[i].text,
				 k.s.view->procs->list.nmatch);
	}
	assert_says(screen_draw(&k.s), "no process matches the filter");
	set_filter(&k, "nonsense<3");
	assert_non_null(view_filter_wrong(k.s.view, &k.s.view->procs->list));
	assert_int_equal(k.s.view->procs->list.nmatch, 16);
	assert_silent(screen_draw(&k.s), "filter: nonsense");
	set_filter(&k, "ipc<x");
	assert_non_null(view_filter_wrong(k.s.view, &k.s.view->procs->list));
	/* The filter of cores is another. */
	assert_string_equal(k.s.view->list.filter, "");
	set_filter(&k, "");
	press(&k, '/');
	view_type(k.s.view, 'k');
	view_type(k.s.view, 'v');
	view_type(k.s.view, KEY_RETURN);
	assert_string_equal(names(&k), "kvstored");
	press(&k, KEY_ESCAPE);
	assert_string_equal(k.s.view->procs->list.filter, "");
}

UNIT(test_pins_stay_on_top)
{
	struct process_list *l;

	TABLE(k, 80, 24);
	l = k.s.view->procs;
	screen_draw(&k.s);
	for (int i = 0; i < 11; i++)
		press(&k, KEY_DOWN_ARROW);
	assert_string_equal(processes_selected(l)->name, "ktop");
	l->list.pin_key = true;
	screen_draw(&k.s);
	assert_int_equal(l->npins, 1);
	assert_int_equal(l->pin_pid[0], 955);
	assert_true(strncmp(names(&k), "ktop kvstored", 13) == 0);
	set_filter(&k, "clang"); /* what is pinned stays */
	assert_string_equal(names(&k), "ktop clang clang");
	l->list.pin_key = true;
	screen_draw(&k.s);
	assert_int_equal(l->npins, 0);
}

/* Enter: threads below their process, and two panels of it; again: closed. */
UNIT(test_threads)
{
	struct process_list *l;

	TABLE(k, 120, 40);
	l = k.s.view->procs;
	screen_draw(&k.s);
	processes_open_key(l);
	screen_draw(&k.s);
	assert_int_equal(l->open.pid, 4411);
	assert_silent(k.s.text, "shard-0"); /* not read yet */
	fake_threads(&k.p);
	view_sort_worst(k.s.view);
	assert_says(screen_draw(&k.s), "├ shard-0");
	assert_true(strncmp(names(&k),
			    "kvstored shard-0 shard-1 compaction gc mds_stores",
			    48) == 0);
	golden_compare("processes-120x40-open", k.s.text);
	/* From a thread it is closed, too. */
	press(&k, KEY_DOWN_ARROW);
	assert_int_equal(processes_selected(l)->thread, 781207);
	processes_open_key(l);
	screen_draw(&k.s);
	assert_int_equal(l->open.pid, -1);
	assert_int_equal(processes_selected(l)->pid, 4411);
	assert_int_equal(processes_selected(l)->thread, 0);
	/* A process that ends is open no longer. */
	processes_open_key(l);
	screen_draw(&k.s);
	row_of(&k, 4411)->start++;
	screen_draw(&k.s);
	assert_int_equal(l->open.pid, -1);
}

/* Numbers of more than one interval, or of one with a break. */
UNIT(test_the_open_process_tells_what_its_numbers_cover)
{
	static const struct {
		uint32_t flags;
		const char *text;
	} row[] = {
		{ PROCESS_CATCHUP, "covers   3.0 s: several intervals in one" },
		{ PROCESS_GAP | PROCESS_CATCHUP, "covers   3.0 s awake; the" },
		{ PROCESS_RESTARTED, "covers   counts restarted: numbers" },
	};

	TABLE(k, 120, 40);
	screen_draw(&k.s);
	processes_open_key(k.s.view->procs);
	row_of(&k, 4411)->interval_s = 3;
	assert_silent(screen_draw(&k.s), "covers");
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		row_of(&k, 4411)->flags = row[i].flags;
		assert_says(screen_draw(&k.s), row[i].text);
		assert_says(k.s.text, "started  ");
	}
}

/* What is not known has a word or nothing, and no number. */
UNIT(test_words)
{
	const char *text;

	TABLE(k, 120, 40);
	row_of(&k, 5140)->state = PROCESS_ENDED;
	text = screen_draw(&k.s);
	assert_says(
		text, "denied  another user's process",
		"new     seen for the first time; numbers follow with the next sample",
		"sh ended", "(unattributed)", "idle, 1 denied, ended unseen");
}

/* No counters: a list by time, and one line that says why. */
UNIT(test_without_counters)
{
	TABLE(k, 80, 24);
	for (unsigned i = 0; i < k.p.t.n; i++) {
		struct process_row *row = &k.p.row[i];
		double cpu = row->value[PROCESS_CPU];

		row->known &= PROCESS_HAS_TIMES;
		row->access = PROCESS_NO_COUNTERS;
		row->flagged = false;
		for (int m = 0; m < PROCESS_METRICS; m++)
			row->value[m] = NAN;
		row->value[PROCESS_CPU] = cpu;
	}
	k.p.t.cores.known = 0;
	k.p.t.own.known &= PROCESS_HAS_TIMES;
	k.p.t.has_rest = false;
	k.p.t.parts.n = 0;
	screen_draw(&k.s);
	golden_compare("processes-80x24-times", k.s.text);
	assert_says(k.s.text, "processes without IPC: no counters");
	assert_silent(k.s.text, "0.00");
}

/* Without rights Linux counts user mode alone: that is said, twice. */
UNIT(test_user_mode)
{
	TABLE(k, 120, 40);
	k.p.t.domain = DOMAIN_USER;
	k.p.t.parts = (struct process_parts){ 2, { "S", "not S" }, { 0, -1 } };
	screen_draw(&k.s);
	assert_says(k.s.text, "counts user mode ");
	/* Columns are called as this machine's kinds are. */
	assert_says(k.s.text, "S%", "IPC S", "IPC not S");
	assert_silent(k.s.text, "IPC E");
}

/* The cores may not be counted, one's own processes may: they have an IPC. */
UNIT(test_without_the_right_to_count)
{
	TABLE(k, 120, 40);
	k.s.fake.status.mode = UI_MODE_BUSY;
	k.p.t.everything = k.p.t.has_rest = false;
	k.p.t.cores.known = 0;
	fake_derive(&k.p);
	screen_draw(&k.s);
	assert_says(k.s.text, "  IPC, ");
	assert_silent(k.s.text, "cyc%");
	assert_says(k.s.text, "your processes alone: the cores are not counted",
		    "0.70!");
	/* That no process is slow is not known. */
	for (unsigned i = 0; i < k.p.t.n; i++)
		k.p.row[i].flagged = false;
	screen_draw(&k.s);
	assert_says(
		k.s.text,
		"The busiest that can be read is kvstored (4411), 192% CPU at IPC 0.70.");
	assert_silent(k.s.text, "No process is slow");
}

/* The second line of the headline: since when, and the mark just before. */
UNIT(test_since_when)
{
	struct ui_mark mark = { .number = 2, .name = "index v2" };

	TABLE(k, 120, 40);
	k.s.view->kind = VIEW_OVERVIEW;
	screen_draw(&k.s);
	struct headline h = { .scope = bottleneck_worst(&k.s.fake.f),
			      .since_s = 42,
			      .by = -1 };

	h.is = k.s.fake.f.bottleneck[h.scope];
	k.s.fake.f.headline = &h;
	assert_says(screen_draw(&k.s), "cycles. For the last 42 s.");
	mark.at_s = k.s.fake.f.elapsed_s - 43;
	k.s.fake.status.mark = &mark;
	k.s.fake.status.nmarks = 1;
	assert_says(screen_draw(&k.s),
		    "For the last 42 s, since marker index v2.");
}

UNIT(test_a_replay_without_processes_says_how_to_get_them)
{
	struct ui_replay replay = { .frames = 1 };

	SCREEN(s, screen_open, "m1", 80, 24, CANVAS_BRAILLE);
	s.fake.status.replay = &replay;
	s.view->kind = VIEW_PROCESSES;
	assert_says(screen_draw(&s), "start with --processes to record them\n");
}

/* The help explains every column and word of the view it is called from. */
UNIT(test_help)
{
	const char *text;

	TABLE(k, 120, 240);
	k.s.view->over.which = OVERLAY_HELP;
	text = screen_draw(&k.s);
	for (int m = 0; m < PROCESS_METRICS; m++)
		assert_true(says(text, process_metrics[m].label));
	assert_says(text, "Columns of processes", "(unattributed)");
	for (unsigned i = 0; i < PROCESS_ACCESS_COUNT; i++)
		assert_true(says(text, process_access_word[i]));
	k.s.view->kind = VIEW_OVERVIEW;
	assert_silent(screen_draw(&k.s), "Columns of processes");
}

/* What stands still shows the table of its own frame, as far as it was kept. */
static const struct process_table *
fake_at(const struct monitor *self, uint64_t seq)
{
	const struct fake_processes *p = (const void *)self;

	return seq == 120 ? &p->t : NULL;
}

UNIT(test_looking_back)
{
	TABLE(k, 120, 40);
	k.s.view->procs->past.at = fake_at;
	k.s.view->when.paused = true;
	k.s.fake.f.processes = NULL;
	assert_says(screen_draw(&k.s), "kvstored (4411) is slow");
	assert_says(k.s.text, "16 busiest kept");
	k.s.fake.f.seq = 119;
	assert_says(screen_draw(&k.s), "no processes were kept");
}

UNIT(test_nothing_read)
{
	TABLE(k, 80, 24);
	k.s.fake.f.processes = NULL;
	assert_says(screen_draw(&k.s), "with the next sample");
	press(&k, KEY_DOWN_ARROW);
	processes_open_key(k.s.view->procs);
	k.s.view->procs->list.pin_key = true;
	screen_draw(&k.s);
	k.s.fake.status.processes = false;
	assert_says(screen_draw(&k.s), "does not tell of processes");
}

/* What a function that fills nothing in would find there. */
static void
litter_the_stack(void)
{
	char litter[16384];
	volatile char *at = litter;

	for (unsigned i = 0; i < sizeof litter; i++)
		at[i] = 'x';
	at[sizeof litter - 1] = '\0';
}

/* The frame around the list has a title, and nothing of its own to say. */
UNIT(test_the_frame_around_nothing)
{
	static const char title[] = "┌─ processes ─";
	const char *at;

	TABLE(k, 120, 40);
	screen_draw(&k.s);
	k.s.fake.f.processes = NULL;
	litter_the_stack();
	screen_draw(&k.s);
	at = strstr(k.s.text, title);
	assert_non_null(at);
	at += strlen(title);
	while (strncmp(at, "─", strlen("─")) == 0)
		at += strlen("─");
	assert_true(strncmp(at, "┐\n", strlen("┐\n")) == 0);
}

/* Names come from others: whatever they hold, the screen keeps its cells. */
UNIT(test_names_are_cut_in_cells)
{
	static const char *const name[] = {
		"",
		"a very long name that no column has the room for, ever",
		"\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e",
		"caf\xc3\xa9",
	};

	for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
		TABLE(k, 80, 24);
		row_of(&k, 4411)->name = name[i];
		for (const char *at = screen_draw(&k.s); *at != 0;) {
			const char *end = strchr(at, '\n');
			char line[1024];

			snprintf(line, sizeof line, "%.*s", (int)(end - at),
				 at);
			assert_true(canvas_width(line) <= 80);
			at = end + 1;
		}
		assert_says(k.s.text, "  0.70!  0.69");
	}
}

/* Counts of a trace may be late: who did nothing has none of this frame. */
UNIT(test_no_trace_of_who_did_nothing)
{
	static const struct span events = { .cycles = 5000000 };

	TABLE(k, 160, 40);
	struct process_row *row = row_of(&k, 701);

	row->events = row_of(&k, 4411)->events = &events;

	assert_non_null(processes_events(row));
	row->d.cycles = row->d.instructions = 0;
	row->value[PROCESS_IPC] = NAN;
	assert_null(processes_events(row));
	assert_non_null(processes_events(row_of(&k, 4411)));
	/* Of whom nothing is known but by the trace, that is told. */
	row->known = 0;
	assert_non_null(processes_events(row));
}

/* Between draws the table may be gone: keys and clicks do without it. */
UNIT(test_keys_need_no_table)
{
	static const int key[] = {
		KEY_DOWN_ARROW, KEY_PAGE_DOWN, 'l',         's',
		KEY_DOWN_ARROW, 's',           'r',         '/',
		KEY_ESCAPE,     KEY_TO_HOME,   KEY_UP_ARROW
	};

	TABLE(k, 120, 40);
	screen_draw(&k.s);
	unsigned choices = sort_choices(&k.s);

	k.s.view->procs->t = NULL;
	assert_int_equal(sort_choices(&k.s), choices);
	for (unsigned i = 0; i < sizeof key / sizeof *key; i++) {
		const struct key *row = key_find(ui_keys, key[i]);

		if (row->view != NULL)
			row->view(k.s.view, row->arg);
	}
	for (int y = 0; y < 40; y++)
		(void)view_mouse(k.s.view, KEY_MOUSE_CLICK | 12 << 12 | y);
	view_sort_choose(k.s.view, 1);
	assert_true(k.s.view->procs->list.cursor_on);
	screen_draw(&k.s);
}

UNIT(test_titles_sort)
{
	const struct view_hits *h;

	TABLE(k, 120, 40);
	screen_draw(&k.s);
	h = k.s.view->hits;
	for (unsigned i = 0; i < h->n; i++) {
		int at = h->at[i].key - KEY_GO_SORT;

		if (at < 0)
			continue;
		int by = sort_choice(&k.s, (unsigned)at);

		view_sort_choose(k.s.view, at);
		assert_int_equal(k.s.view->procs->list.sort, by);
	}
	view_sort_open(k.s.view, 0);
	screen_draw(&k.s);
	golden_compare("processes-120x40-sort", k.s.text);
}

/* The overview says whose it most likely is; and nothing that it cannot. */
UNIT(test_whose)
{
	TABLE(k, 120, 40);
	k.s.view->kind = VIEW_OVERVIEW;
	screen_draw(&k.s);
	golden_compare("processes-120x40-whose", k.s.text);
	assert_true(
		says(line_of(k.s.text, 3), "Probable cause: kvstored (4411)"));
	assert_true(says(line_of(k.s.text, 3), "IPC 0.69, 29% of the P"));
	/* Nobody known: the line stays, and is empty. */
	k.s.fake.f.processes = NULL;
	screen_draw(&k.s);
	assert_true(line_of(k.s.text, 4)[0] == '\n');
	assert_true(says(line_of(k.s.text, 4), "clusters"));
	/* A source without processes has no such line. */
	k.s.fake.status.processes = false;
	screen_draw(&k.s);
	assert_true(says(line_of(k.s.text, 3), "clusters"));
}

UNIT(test_the_busiest_in_the_overview)
{
	static const struct {
		int w, h;
	} size[] = { { 200, 60 }, { 160, 45 }, { 160, 30 } };
	struct table k;
	char name[64];

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		table_open(&k, size[i].w, size[i].h);
		k.s.view->kind = VIEW_OVERVIEW;
		snprintf(name, sizeof name, "processes-%dx%d-overview",
			 size[i].w, size[i].h);
		shot(&k, name);
	}
	table_open(&k, 159, 60);
	k.s.view->kind = VIEW_OVERVIEW;
	assert_silent(screen_draw(&k.s), "busiest processes");
	screen_close(&k.s);
	/* Their titles sort nothing: the cores stand above them. */
	table_open(&k, 200, 60);
	k.s.view->kind = VIEW_OVERVIEW;
	assert_says(screen_draw(&k.s), "busiest processes");
	for (unsigned i = 0; i < k.s.view->hits->n; i++)
		assert_true(k.s.view->hits->at[i].key < KEY_GO_SORT);
	screen_close(&k.s);
}

/* The zoom of a row: who ran on its kind of core. */
UNIT(test_who_in_the_zoom)
{
	TABLE(k, 120, 40);
	k.s.view->kind = VIEW_DETAIL;
	k.s.view->list.cursor_on = true;
	k.s.view->list.cursor = 5;
	assert_says(screen_draw(&k.s), "P cycles: kvstored 29%, clang 15%");
	/* No name is cut where room is short. */
	assert_true(canvas_resize(k.s.canvas, 80, 24, NULL));
	assert_says(screen_draw(&k.s), "P cycles: kvstored 29%  ");
}
