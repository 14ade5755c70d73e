/* ktop stat --inject: what is made of what the library in a command saw. */
#include "commands/stat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 10, RUNS = 2 };

static struct options o;
static struct counter counter;
static struct stat_job job;
static struct stat_command *a;
static struct stat_run run;
static struct err e;

static int
begin(void **state)
{
	(void)state;
	o = (struct options){ .source.sim = "m1,clock=step",
			      .source.events = "INST_ALL,INST_BRANCH",
			      .inject = true,
			      .period_ns = 1000000000 };
	counter = (struct counter){ .domain = DOMAIN_ALL,
				    .events = DOMAIN_USER,
				    .nevents = 2,
				    .event = { "INST_ALL", "INST_BRANCH" } };
	job = (struct stat_job){ .o = &o, .counter = &counter, .n = 1 };
	a = &job.command[0];
	a->letter[0] = 'A';
	job.now = a;
	run = (struct stat_run){ .counted = true,
				 .end.known = PROCESS_HAS_COUNTS,
				 .end.total.cycles = 1000 };
	stat_machine_open(&job);
	assert_non_null(job.machine);
	job.inject = inject_open_with("/lib/ours.so", "/lib/kperf", NULL, &e);
	assert_true(value_set_init(&a->values, RUNS));
	return job.inject == NULL;
}

static int
end(void **state)
{
	(void)state;
	stat_inject_close(&job);
	stat_machine_close(&job);
	value_set_free(&a->values);
	return 0;
}

/* As a library writes it: each counter of each thread counted its place. */
static void
leave(uint64_t begun, uint64_t ended, uint64_t refused)
{
	struct inject_record r;
	int fd = open(getenv(INJECT_RECORD), O_RDWR);

	assert_int_equal(read(fd, &r, sizeof r), sizeof r);
	r.loaded = 1;
	r.begun = begun;
	r.ended = ended;
	r.refused = refused;
	r.error = refused > 0 ? 1 : 0;
	for (unsigned i = 0; i < r.columns; i++)
		r.sum[i] = ended * (100 + i);
	assert_int_equal(pwrite(fd, &r, sizeof r, 0), sizeof r);
	close(fd);
}

static void
pass(unsigned seconds)
{
	(void)job.watch.begin(job.watch.self);
	for (unsigned i = 0; i < seconds; i++)
		(void)job.watch.look(job.watch.self);
	job.watch.end(job.watch.self);
}

static void
said(const char *wanted)
{
	char *text = NULL;
	size_t size = 0;

	job.text.out = open_memstream(&text, &size);
	stat_inject_text(&job);
	(void)fclose(job.text.out);
	if (strstr(text, wanted) == NULL)
		fail_msg("no %s in %s", wanted, text);
	free(text);
}

static void
whole_runs_have_their_events(void **state)
{
	(void)state;
	assert_true(stat_inject_begin(&job, &e));
	assert_int_equal(job.threads.counters, 10);
	leave(2, 2, 0);
	pass(1);
	stat_inject_end(&job, a, true, &run);
	for (unsigned i = 0; i < 2; i++)
		assert_true(run.end.event[i] == 200 + 2 * job.threads.slot[i]);
	said("Its events, by a library in it (user mode): 2 threads of 1 program, each from its beginning to its end; they have 20 % of its cycles. Nothing is scaled up.");
	assert_null(getenv(INJECT_RECORD));
	/* A warm-up is not among them. */
	assert_true(stat_inject_begin(&job, &e));
	leave(1, 0, 0);
	stat_inject_end(&job, a, false, &run);
	assert_int_equal(a->seen.begun, 2);
}

static void
a_thread_that_was_lost(void **state)
{
	(void)state;
	assert_true(stat_inject_begin(&job, &e));
	leave(3, 2, 0);
	stat_inject_end(&job, a, true, &run);
	assert_true(isnan(run.end.event[0]) && isnan(run.end.event[1]));
	assert_string_equal(stat_inject_why(a),
			    "a thread was not seen to its end");
	said("3 threads of 1 program, 1 not to the end");
	said("INST_ALL");
	/* More than the system's account, as where it looks at no child. */
	run.end.total.cycles = 0;
	a->seen_of = 100;
	said("they have more cycles than the system's account of it");
}

static void
counters_that_were_refused(void **state)
{
	(void)state;
	assert_true(stat_inject_begin(&job, &e));
	leave(1, 0, 1);
	stat_inject_end(&job, a, true, &run);
	assert_true(isnan(run.end.event[0]));
	said("their own counters were refused them (Operation not permitted)");
}

static void
no_program_loaded_it(void **state)
{
	(void)state;
	assert_true(stat_inject_begin(&job, &e));
	stat_inject_end(&job, a, true, &run);
	assert_true(isnan(run.end.event[0]));
	said("Its events are not counted: no program of it loaded the library.");
}

/* Another tool's events are in the sums then, and nothing tells which part. */
static void
another_tool_came(void **state)
{
	(void)state;
	stat_machine_close(&job);
	o.source.sim = "m1,clock=step,fault=steal@4s-6s";
	stat_machine_open(&job);
	assert_true(stat_inject_begin(&job, &e));
	leave(2, 2, 0);
	pass(SECONDS);
	stat_inject_end(&job, a, true, &run);
	assert_true(isnan(run.end.event[0]));
	assert_int_equal(a->seen.begun, 0);
	said("Its events are not counted: another tool set the counters meanwhile, or they were given back.");
	/* The next run has them again. */
	assert_true(stat_inject_begin(&job, &e));
	leave(2, 2, 0);
	pass(1);
	stat_inject_end(&job, a, true, &run);
	assert_true(run.end.event[0] > 0);
	said("; not of every run: another tool");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(whole_runs_have_their_events,
						begin, end),
		cmocka_unit_test_setup_teardown(a_thread_that_was_lost, begin,
						end),
		cmocka_unit_test_setup_teardown(counters_that_were_refused,
						begin, end),
		cmocka_unit_test_setup_teardown(no_program_loaded_it, begin,
						end),
		cmocka_unit_test_setup_teardown(another_tool_came, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
