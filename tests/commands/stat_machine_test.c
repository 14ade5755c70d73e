/* ktop stat: the machine's counters give way to the command's. */
#include "commands/stat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/metric.h"

static struct options o;
static struct counter counter;
static struct counter_reading reading;
static unsigned attached, detached;
static struct stat_job job;

static bool
attach(struct counter *c, int32_t pid, bool held, struct err *e)
{
	(void)c;
	(void)pid;
	(void)held;
	(void)e;
	attached++;
	return true;
}

static bool
read_fake(struct counter *c, struct counter_reading *out)
{
	strcpy(c->why, "said while trying");
	*out = reading;
	return true;
}

static void
detach(struct counter *c)
{
	(void)c;
	detached++;
}

static const struct counter_ops fake = { .attach = attach,
					 .read = read_fake,
					 .detach = detach };

static int
begin(void **state)
{
	(void)state;
	attached = detached = 0;
	o = (struct options){ .source.sim = "m1,clock=step",
			      .period_ns = 1000000000,
			      .preset = preset_find("overview") };
	counter = (struct counter){ .ops = &fake,
				    .domain = DOMAIN_ALL,
				    .tree = true };
	reading = (struct counter_reading){ .known = PROCESS_HAS_COUNTS };
	job = (struct stat_job){ .o = &o, .counter = &counter, .n = 1 };
	stat_machine_open(&job);
	assert_non_null(job.machine);
	return 0;
}

static int
end(void **state)
{
	(void)state;
	stat_machine_close(&job);
	return 0;
}

static void
said(const char *wanted)
{
	char *text = NULL;
	size_t size = 0;

	job.text.out = open_memstream(&text, &size);
	stat_machine_text(&job);
	(void)fclose(job.text.out);
	if (strstr(text, wanted) == NULL)
		fail_msg("no %s in %s", wanted, text);
	free(text);
}

static void
both_fit(void **state)
{
	struct err e;

	(void)state;
	assert_true(stat_machine_check(&job, 0, &e));
	assert_non_null(job.machine);
	assert_int_equal(attached, 1);
	assert_int_equal(detached, 1);
	assert_string_equal(counter.why, "");
	said("The machine meanwhile (preset overview");
}

/* On fewer counters than the two want, the command's are exact. */
static void
the_machine_gives_way(void **state)
{
	struct err e;

	(void)state;
	reading.flags = PROCESS_SCALED;
	assert_true(stat_machine_check(&job, 0, &e));
	assert_null(job.machine);
	assert_int_equal(detached, 1);
	assert_string_equal(counter.why, "");
	said("The machine meanwhile is not counted: its events and the command's do not fit");
}

/* Where one process has no counters, nothing is tried. */
static void
no_trial_without_counters(void **state)
{
	struct err e;

	(void)state;
	counter.domain = DOMAIN_NONE;
	reading.known = 0;
	assert_true(stat_machine_check(&job, 0, &e));
	assert_int_equal(attached, 0);
	assert_non_null(job.machine);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(both_fit, begin, end),
		cmocka_unit_test_setup_teardown(the_machine_gives_way, begin,
						end),
		cmocka_unit_test_setup_teardown(no_trial_without_counters,
						begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
