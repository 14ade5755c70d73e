/* What stands on the screen of processes for what was chosen there. */
#include "ui/golden.h"
#include "ui/process_screen.h"

static void
type(struct table *k, const char *text)
{
	for (; *text != 0; text++)
		view_type(k->s.view, *text);
}

/* One that means nothing is not kept: the line says why, for cores too. */
UNIT(test_a_wrong_filter_is_not_taken)
{
	static const char *const wrong[] = { "core=9", "ipc>>3", "ipc<" };

	TABLE(k, 80, 24);
	for (unsigned i = 0; i < 6; i++) {
		k.s.view->kind = i < 3 ? VIEW_PROCESSES : VIEW_CORES;
		press(&k, '/');
		view_type(k.s.view, KEY_CTRL_U);
		type(&k, wrong[i % 3]);
		view_type(k.s.view, KEY_RETURN);
		assert_true(k.s.view->line.typing);
		assert_true(says(screen_draw(&k.s),
				 i % 3 == 0 ? "no column has that name"
					    : "<, > and = compare numbers"));
		view_type(k.s.view, KEY_ESCAPE);
		assert_false(k.s.view->line.typing);
		assert_string_equal(view_rows(k.s.view)->filter, "");
	}
}

/* What is on stands there to be changed; Esc leaves it as it was. */
UNIT(test_a_filter_is_changed)
{
	TABLE(k, 80, 24);
	set_filter(&k, "clang");
	press(&k, '/');
	assert_says(k.s.text, "/clang_");
	type(&k, "x");
	view_type(k.s.view, KEY_ESCAPE);
	assert_string_equal(names(&k), "clang clang");
	press(&k, '/');
	type(&k, " ipc<4.5");
	view_type(k.s.view, KEY_RETURN);
	assert_string_equal(names(&k), "clang");
	press(&k, '/');
	view_type(k.s.view, KEY_CTRL_U);
	view_type(k.s.view, KEY_RETURN);
	assert_string_equal(k.s.view->procs->list.filter, "");
}

/* Where the list has no title it is said above it that rows are missing. */
UNIT(test_a_filter_is_said)
{
	static const int size[][2] = { { 80, 24 }, { 60, 15 }, { 40, 12 } };
	struct table k;

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		table_open(&k, size[i][0], size[i][1]);
		assert_silent(screen_draw(&k.s), " of 16");
		set_filter(&k, "root");
		assert_says(k.s.text, " P processes ", "/root: 3 of 16\n");
		set_filter(&k, "clang,rustc,kvstored,kernel_task,sleeper");
		assert_says(k.s.text, "..: 6 of 16\n");
		screen_close(&k.s);
	}
	table_open(&k, 120, 40); /* in the title */
	set_filter(&k, "root");
	assert_says(k.s.text, "filter: root   3 of 16", " 16 processes\n");
	screen_close(&k.s);
}

/* What sorts is always to be seen, with its arrow. */
UNIT(test_the_column_that_sorts_is_shown)
{
	static const int size[][2] = {
		{ 40, 12 }, { 60, 15 }, { 80, 24 }, { 120, 40 }
	};

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		TABLE(k, size[i][0], size[i][1]);
		screen_draw(&k.s);
		struct process_list *l = k.s.view->procs;

		assert_silent(k.s.text, "P wk%");
		for (unsigned c = 0; c < sort_choices(&k.s); c++) {
			int by = sort_choice(&k.s, c);
			char title[40];
			struct buf b = buf_over(title, sizeof title);

			l->list.sort = by;
			l->list.reverse = false;
			buf_str(&b, view_sort_arrow(&l->list, false));
			if (by == SORT_WORST)
				buf_str(&b, "IPC");
			else
				view_column_label(k.s.view, by, &b);
			screen_draw(&k.s);
			if (!says(k.s.text, buf_cstr(&b)))
				fail_msg("no %s at %d", title, size[i][0]);
		}
	}
}

static const char *
rest_line(struct table *k)
{
	return strstr(screen_draw(&k->s), "(unattributed)");
}

/* What is less than the noise is no number; what is unknown says why. */
UNIT(test_a_small_rest_is_blank)
{
	TABLE(k, 120, 40);
	assert_true(strstr(rest_line(&k), "0.93") != NULL);
	k.p.t.rest.value[PROCESS_CYCLES_PCT] = -0.04;
	k.p.t.rest.value[PROCESS_GIPS] = -0.01;
	k.p.t.rest.value[PROCESS_IPC] = 213.6;
	rest_line(&k);
	for (const char *p = rest_line(&k); *p != '\n'; p++)
		assert_false(*p >= '0' && *p <= '9' && p[1] == '.');
	assert_says(rest_line(&k), "idle, 1 denied");
	k.p.t.rest.flags = PROCESS_SKEW;
	assert_says(rest_line(&k), "unknown: delayed counts");
}

/* One reason stands once; where it is cut, dots follow its last word. */
UNIT(test_why_there_are_no_counters)
{
	static const int size[][2] = { { 60, 15 }, { 120, 40 } };

	for (unsigned i = 0; i < sizeof size / sizeof *size; i++) {
		TABLE(k, size[i][0], size[i][1]);
		for (unsigned r = 0; r < k.p.t.n; r++) {
			k.p.row[r].known = PROCESS_HAS_TIMES;
			k.p.row[r].access = PROCESS_NO_COUNTERS;
			k.p.row[r].flagged = false;
		}
		k.p.t.has_rest = false;
		k.s.fake.status.mode = UI_MODE_BUSY;
		k.s.fake.status.why =
			"no hardware counters (a virtual machine without a PMU?): only busy time is shown";
		screen_draw(&k.s);
		assert_says(k.s.text, "(a virtual machine");
		assert_silent(k.s.text, "  ...");
		assert_true(says(k.s.text, " ...\n") == (size[i][0] < 80));
		assert_silent(k.s.text, "processes without IPC");
	}
}

/* What is open and ends says so in its row, then once that it did. */
UNIT(test_what_is_open_ends)
{
	char text[128];
	struct process_list *l;

	TABLE(k, 120, 40);
	l = k.s.view->procs;
	screen_draw(&k.s);
	processes_open_key(l);
	screen_draw(&k.s);
	assert_int_equal(l->open.pid, 4411);
	struct process_command command = { 4411, 0, 5411,
					   "/opt/kv/kvstored -x" };

	k.p.t.command = &command;
	assert_says(screen_draw(&k.s), "command  /opt/kv/kvstored -x");
	k.p.row[10].state = PROCESS_ENDED;
	assert_string_equal(k.p.row[10].name, "kvstored");
	assert_says(screen_draw(&k.s), "kvstored ended at 14:05:22");
	struct buf b = buf_over(text, sizeof text);

	assert_true(processes_describe_ended(l, &b));
	assert_string_equal(buf_cstr(&b),
			    "kvstored (4411) ended; it stays open until Esc");
	assert_false(processes_describe_ended(l, &b));
	/* It is in no table any more, and a process with its pid is another. */
	k.p.row[10].state = PROCESS_RUNS;
	k.p.row[10].start++;
	k.p.t.command = NULL;
	k.s.fake.f.stamp.wall_ns += 65000000000;
	k.s.fake.f.seq += 40;
	screen_draw(&k.s);
	golden_compare("processes-120x40-over", k.s.text);
	assert_false(processes_describe_ended(l, &b));
	/* Before its end it was there, and has numbers. */
	k.p.row[10].start--;
	k.s.fake.f.seq -= 41;
	assert_silent(screen_draw(&k.s), "kvstored ended");
	assert_says(k.s.text, "kvstored by kind of core");
	k.s.fake.f.seq += 41;
	assert_true(processes_close(l));
	assert_silent(screen_draw(&k.s), "kvstored ended");
	/* One that is not in a table, and was not seen to end, did not. */
	processes_move_cursor(l, 1);
	processes_open_key(l);
	screen_draw(&k.s);
	assert_true(l->open.pid >= 0);
	k.p.t.n = 0;
	screen_draw(&k.s);
	assert_int_equal(l->open.pid, -1);
	assert_false(processes_describe_ended(l, &b));
}

UNIT(test_of_no_rows_no_order_is_kept)
{
	TABLE(k, 80, 24);
	press(&k, KEY_DOWN_ARROW);
	assert_says(screen_draw(&k.s), "order kept");
	set_filter(&k, "nobody");
	assert_silent(screen_draw(&k.s), "order kept");
}
