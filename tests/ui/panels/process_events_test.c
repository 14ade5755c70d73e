/* Events of processes by counters of their own (Linux): asked for, and shown.
 */
#include "ui/process_screen.h"

/* Does v ask first? And what is then on the screen. */
static bool
key_says(struct table *k, bool replay, bool asks, const char *text)
{
	char said[200];
	struct buf b = buf_over(said, sizeof said);
	struct process_list *l = k->s.view->procs;
	bool asked = processes_trace_key(l, replay, &b);

	if (asked)
		processes_trace_question(l, &b);
	return asked == asks && says(buf_cstr(&b), text);
}

static struct process_traced traced;
static const struct span seen = { .cycles = 5000000 };

static void
open_with(struct table *k, uint8_t state)
{
	table_open(k, 160, 40);
	process_traced_reset(&traced);
	traced.state = state;
	traced.own = true;
	traced.files = 312;
	k->p.t.traced = &traced;
	screen_draw(&k->s);
}

/* On Linux v switches; what is not possible is said, and nothing is wanted. */
UNIT(test_v_switches_counters_of_their_own)
{
	struct table k;

	open_with(&k, PROCESS_TRACING_OFF);
	assert_true(key_says(&k, true, false,
			     "no events of processes were recorded"));
	assert_false(k.s.view->procs->tracer.wanted);
	assert_true(key_says(&k, false, false, "events per process: on"));
	assert_true(k.s.view->procs->tracer.wanted);
	assert_true(key_says(&k, false, false, "events per process: off"));
	assert_false(k.s.view->procs->tracer.wanted);
	screen_close(&k.s);
	/* Before the first table nobody knows what is here. */
	open_with(&k, PROCESS_TRACING_NONE);
	k.s.view->procs->tracer.known = false;
	assert_true(key_says(&k, false, false, "for the first time"));
	screen_close(&k.s);
	open_with(&k, PROCESS_TRACING_NONE);
	assert_true(key_says(&k, false, false, "this system has neither"));
	assert_false(k.s.view->procs->tracer.wanted);
	screen_close(&k.s);
}

/* On a Mac other programs lose what they trace: first a question. */
UNIT(test_v_asks_before_it_traces_the_kernel)
{
	TABLE_BY(k, open_with, PROCESS_TRACING_OFF);
	struct process_list *l = k.s.view->procs;
	char said[200];
	struct buf b = buf_over(said, sizeof said);

	l->tracer.own = false;
	assert_true(key_says(&k, false, true,
			     "Instruments cannot record meanwhile). y/n"));
	assert_false(l->tracer.wanted);
	processes_trace_answer(l, false, &b);
	assert_false(l->tracer.wanted);
	processes_trace_answer(l, true, &b);
	assert_true(l->tracer.wanted);
	/* Switching it off asks nothing. */
	assert_true(key_says(&k, false, false, "events per process: off"));
	l->tracer.owner = 77;
	assert_true(key_says(&k, false, true, "Process 77 traces the kernel"));
}

UNIT(test_the_last_line_has_its_share_and_cost)
{
	TABLE_BY(k, open_with, PROCESS_TRACING_ON);
	traced.cycles = k.p.t.cores.d.cycles / 2;
	k.p.t.cores.known |= PROCESS_HAS_COUNTS;
	assert_says(screen_draw(&k.s), "own events 50.0%, 312 descriptors");
	assert_silent(k.s.text, "gaps");
}

static enum bottleneck_word
guesses_wrong(const struct monitor *self, const struct span *s, unsigned kind)
{
	return BOTTLENECK_BAD_SPEC;
}

/* What its own events say is no guess by the cores it ran on. */
UNIT(test_the_head_says_what_its_own_events_do)
{
	TABLE_BY(k, open_with, PROCESS_TRACING_OFF);
	k.s.view->procs->past.word = guesses_wrong;
	assert_silent(screen_draw(&k.s), "bad speculation");
	traced.state = PROCESS_TRACING_ON;
	row_of(&k, 4411)->events = &seen;
	assert_says(screen_draw(&k.s),
		    "! kvstored (4411): bad speculation: IPC ");
	assert_says(k.s.text, " of all cycles. Press 3.");
	assert_silent(k.s.text, "Probable cause");
}

/* Why not, in the line of notices. */
UNIT(test_what_is_refused_is_said)
{
	TABLE_BY(k, open_with, PROCESS_TRACING_REFUSED);
	snprintf(traced.why, sizeof traced.why,
		 "perf_event_paranoid is 2: run ktop as root");
	assert_says(screen_draw(&k.s), "perf_event_paranoid is 2");
}

/* A made-up value: of clang 5120 nothing was counted. */
static double
branches_of(const struct monitor *self, const struct span *s, unsigned metric,
	    bool *few)
{
	*few = false;
	return metric == (unsigned)metric_find("branch_mpki")
		       ? (double)s->slot[0] / 10
		       : NAN;
}

static bool
is_branches(const struct monitor *self, unsigned metric)
{
	return metric == (unsigned)metric_find("branch_mpki");
}

static void
open_counted(struct table *k)
{
	static const int32_t pid[] = { 612, 1204, 3307, 4411, 5127 };
	static struct span events[sizeof pid / sizeof *pid];

	open_with(k, PROCESS_TRACING_ON);
	k->s.view->procs->past.traces = is_branches;
	k->s.view->procs->past.traced = branches_of;
	for (unsigned i = 0; i < sizeof pid / sizeof *pid; i++) {
		events[i] = (struct span){ .slot = { (unsigned)pid[i] % 100 },
					   .cycles = 5000000 };
		row_of(k, pid[i])->events = &events[i];
	}
	screen_draw(&k->s);
}

static void
stop(struct table *k, uint8_t state)
{
	traced.state = state;
	for (unsigned i = 0; i < k->p.t.n; i++)
		k->p.row[i].events = NULL;
}

/* Traced columns have unit and modes above them; a long note goes first. */
UNIT(test_the_frame_names_units_of_events)
{
	struct table k;
	const char *frame;

	open_counted(&k);
	frame = line_with(screen_draw(&k.s), "─ processes ");
	assert_says(frame, "─ MPKI ─");
	assert_says(frame, "s sort: ");
	view_sort_worst(k.s.view);
	set_filter(&k, "a filter of many words, too long for this frame");
	frame = line_with(screen_draw(&k.s), "─ processes ");
	assert_silent(frame, "MPKI");
	assert_says(frame, "too long for this frame");
	set_filter(&k, "");
	stop(&k, PROCESS_TRACING_OFF);
	assert_silent(line_with(screen_draw(&k.s), "─ processes "), "MPKI");
	screen_close(&k.s);
}

UNIT(test_without_a_frame_a_rule_names_units)
{
	TABLE(k, 80, 24);
	process_traced_reset(&traced);
	traced.state = PROCESS_TRACING_ON;
	k.p.t.traced = &traced;
	k.s.view->procs->past.traces = is_branches;
	assert_says(line_with(screen_draw(&k.s), "─ MPKI"), "──── MPKI");
	assert_true(strstr(k.s.text, "MPKI") < strstr(k.s.text, "BOTTLENECK"));
}

/* The mark of a flagged row stands at its bottleneck, in red. */
UNIT(test_a_flagged_word_is_marked)
{
	struct table k;
	char flagged[32], plain[32];
	const char *word = bottleneck_words[BOTTLENECK_BAD_SPEC].word;

	open_counted(&k);
	k.s.view->procs->past.word = guesses_wrong;
	snprintf(flagged, sizeof flagged, " %s ! ", word);
	snprintf(plain, sizeof plain, " %s  ", word);
	assert_says(line_with(screen_draw(&k.s), "   4411 "), flagged);
	assert_silent(line_with(k.s.text, "   4411 "), "0.70!");
	assert_says(line_with(k.s.text, "   3307 "), plain);
	row_of(&k, 4411)->events = NULL;
	assert_says(line_with(screen_draw(&k.s), "   4411 "), "0.70!");
	screen_close(&k.s);
}

/* Events are offered before they are counted; the table says what is missing.
 */
UNIT(test_events_can_be_chosen_before_they_are_counted)
{
	TABLE_BY(k, open_with, PROCESS_TRACING_OFF);
	int branches = metric_find("branch_mpki");
	unsigned n;

	k.s.view->procs->past.traces = is_branches;
	n = sort_choices(&k.s);
	assert_int_equal(sort_choice(&k.s, n - 1), branches);
	view_sort_choose(k.s.view, (int)n - 1);
	assert_says(screen_draw(&k.s), "not counted: press v ");
}

/* By the list of choices, by their title, by --sort; also without a column. */
UNIT(test_processes_are_sorted_by_their_events)
{
	static const char down[] = "rustc WindowServer kvstored parse-logs "
				   "WebContent kernel_task";
	struct table k;
	int branches = metric_find("branch_mpki");
	unsigned n, titles = 0;

	open_counted(&k);
	n = sort_choices(&k.s);
	assert_int_equal(sort_choice(&k.s, n - 1), branches);
	view_sort_choose(k.s.view, (int)n - 1);
	assert_true(strncmp(names(&k), down, strlen(down)) == 0);
	assert_says(k.s.text, "↓br");
	assert_string_equal(view_sort_name(k.s.view), "branch_mpki");
	const struct view_hits *h = k.s.view->hits;

	for (unsigned i = 0; i < h->n; i++)
		titles += h->at[i].key == KEY_GO_SORT + (int)n - 1;
	assert_int_equal(titles, 1);
	view_sort_choose(k.s.view, (int)n - 1); /* as a click on it does */
	assert_true(strncmp(names(&k), "WebContent parse-logs", 21) == 0);
	view_sort_by(k.s.view, &k.s.fake.status, "ipc");
	view_sort_by(k.s.view, &k.s.fake.status, "branch_mpki");
	k.s.view->procs->list.reverse = false;
	assert_true(strncmp(names(&k), down, strlen(down)) == 0);
	/* Nobody counts them any more: the order is by pid, the choice stays.
	 */
	stop(&k, PROCESS_TRACING_OFF);
	assert_true(strncmp(names(&k), "kernel_task launchd", 19) == 0);
	assert_int_equal(sort_choice(&k.s, sort_choices(&k.s) - 1), branches);
	assert_says(k.s.text, "sort: br↓ not counted: press v ");
	/* Nor is what this preset does not count, in a small screen's foot. */
	traced.state = PROCESS_TRACING_ON;
	assert_true(canvas_resize(k.s.canvas, 80, 24, NULL));
	view_sort_by(k.s.view, &k.s.fake.status, "branch_cond_mpki");
	assert_says(screen_draw(&k.s), "sort not counted: press 3 ");
	view_sort_by(k.s.view, &k.s.fake.status, "branch_mpki");
	assert_silent(screen_draw(&k.s), "not counted");
	screen_close(&k.s);
}

/* What was not counted of a process is neither below nor above. */
UNIT(test_processes_are_filtered_by_their_events)
{
	static const struct {
		const char *text, *names;
	} row[] = {
		{ "branch_mpki>1", "kvstored rustc WindowServer" },
		{ "br<=1 ana", "parse-logs WebContent" },
		{ "br>1.1 cpu>90", "" },
		{ "branch_mpki=1.2,clang", "clang clang WindowServer" },
	};
	struct table k;

	open_counted(&k);
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		set_filter(&k, row[i].text);
		assert_null(
			view_filter_wrong(k.s.view, &k.s.view->procs->list));
		assert_string_equal(names(&k), row[i].names);
	}
	assert_says(k.s.text, "events user mode ");
	set_filter(&k, "branch_cond_mpki>1");
	assert_says(k.s.text, "cond is not counted: press 3; Esc clears");
	stop(&k, PROCESS_TRACING_OFF);
	set_filter(&k, "br>1");
	assert_says(k.s.text, "br is not counted: press v; Esc clears");
	assert_silent(k.s.text, "events user mode ");
	set_filter(&k, "branch_cond_mpki>1");
	assert_says(k.s.text, "cond is not counted: press 3, then v;");
	stop(&k, PROCESS_TRACING_NONE);
	set_filter(&k, "br>1");
	assert_says(k.s.text, "br is not measured here; Esc clears");
	k.p.t.traced = NULL;
	set_filter(&k, "br>1");
	assert_says(k.s.text, "br is not kept of the past; Esc clears");
	/* A share of kinds of core is none of a process. */
	set_filter(&k, "retiring_pct>1");
	assert_non_null(view_filter_wrong(k.s.view, &k.s.view->procs->list));
	screen_close(&k.s);
}

static bool
is_any(const struct monitor *self, unsigned metric)
{
	(void)self;
	return metric_table[metric].unit == UNIT_MPKI;
}

UNIT(test_events_stand_in_the_order_of_the_cores)
{
	TABLE_BY(k, open_with, PROCESS_TRACING_ON);
	k.s.view->procs->past.traces = is_any;
	assert_says(line_with(screen_draw(&k.s), " BOTTLENECK "),
		    "L1D-ld     L1I      br ");
}
