/* Events of processes by counters of their own (Linux): asked for, and shown.
 */
#include "ui/process_screen.h"

static bool
key_says(struct table *k, bool replay, const char *text)
{
	char said[200];
	struct buf b = buf_over(said, sizeof said);

	processes_trace_key(k->s.view->procs, replay, &b);
	return says(buf_cstr(&b), text);
}

static struct process_traced traced;

static void
open_with(struct table *k, uint8_t state)
{
	table_open(k, 160, 40);
	process_traced_clear(&traced);
	traced.state = state;
	traced.own = true;
	traced.files = 312;
	k->p.t.traced = &traced;
	screen_draw(&k->s);
}

/* What it takes is said before. */
static void
test_it_is_asked_for_twice(void **state)
{
	struct table k;

	(void)state;
	open_with(&k, PROCESS_TRACING_OFF);
	assert_true(key_says(&k, true, "no events of processes were recorded"));
	assert_true(key_says(&k, false, "about 312 descriptors"));
	assert_false(k.s.view->procs->tracer.wanted);
	assert_true(key_says(&k, false, "k gives them back"));
	assert_true(k.s.view->procs->tracer.wanted);
	assert_true(key_says(&k, false, "are given back"));
	assert_false(k.s.view->procs->tracer.wanted);
	screen_close(&k.s);
	/* Before the first table nobody knows what is here. */
	open_with(&k, PROCESS_TRACING_NONE);
	k.s.view->procs->tracer.told = false;
	assert_true(key_says(&k, false, "for the first time"));
	assert_false(k.s.view->procs->tracer.asked);
	screen_close(&k.s);
	open_with(&k, PROCESS_TRACING_NONE);
	assert_true(key_says(&k, false, "neither is here"));
	assert_false(k.s.view->procs->tracer.wanted);
	screen_close(&k.s);
}

static void
test_the_last_line_has_its_share_and_cost(void **state)
{
	struct table k;

	(void)state;
	open_with(&k, PROCESS_TRACING_ON);
	traced.cycles = k.p.t.cores.d.cycles / 2;
	k.p.t.cores.known |= PROCESS_HAS_COUNTS;
	assert_true(
		says(screen_draw(&k.s), "own events 50.0%, 312 descriptors"));
	assert_false(says(k.s.text, "gaps"));
	screen_close(&k.s);
}

static enum verdict_word
guesses_wrong(const void *self, const struct process_counts *c, unsigned kind)
{
	(void)self;
	(void)c;
	(void)kind;
	return VERDICT_BRANCHES;
}

/* What its own events say is no guess by the cores it ran on. */
static void
test_the_head_says_what_its_own_events_do(void **state)
{
	struct table k;

	(void)state;
	open_with(&k, PROCESS_TRACING_OFF);
	k.s.view->procs->past.word = guesses_wrong;
	assert_false(says(screen_draw(&k.s), "By its own events"));
	traced.state = PROCESS_TRACING_ON;
	traced.row[0] =
		(struct process_counts){ .pid = 4411, .cycles = 5000000 };
	traced.n = 1;
	assert_true(says(screen_draw(&k.s),
			 "   By its own events it guesses wrong."));
	assert_false(says(k.s.text, "Likely why"));
	screen_close(&k.s);
}

/* Why not, in the line of notices. */
static void
test_what_is_refused_is_said(void **state)
{
	struct table k;

	(void)state;
	open_with(&k, PROCESS_TRACING_REFUSED);
	snprintf(traced.why, sizeof traced.why,
		 "perf_event_paranoid is 2: run ktop as root");
	assert_true(says(screen_draw(&k.s), "perf_event_paranoid is 2"));
	screen_close(&k.s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_it_is_asked_for_twice),
		cmocka_unit_test(test_the_last_line_has_its_share_and_cost),
		cmocka_unit_test(test_the_head_says_what_its_own_events_do),
		cmocka_unit_test(test_what_is_refused_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
