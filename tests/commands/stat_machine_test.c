/* ktop stat: the machine's counters give way to the command's. */
#include "commands/stat.h"

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
	detached++;
}

static const struct counter_ops fake = { .attach = attach,
					 .read = read_fake,
					 .detach = detach };

static int
begin(void **state)
{
	attached = detached = 0;
	o = (struct options){ .source.sim = "m1,clock=step",
			      .period_ns = 1000000000,
			      .preset = preset_find("basic") };
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

UNIT_IN(both_fit, begin, end)
{
	struct err e;

	assert_true(stat_machine_check(&job, 0, &e));
	assert_non_null(job.machine);
	assert_int_equal(attached, 1);
	assert_int_equal(detached, 1);
	assert_string_equal(counter.why, "");
	said("The machine during the runs (preset basic");
}

/* On fewer counters than the two want, the command's are exact. */
UNIT_IN(the_machine_gives_way, begin, end)
{
	struct err e;

	reading.flags = PROCESS_SCALED;
	assert_true(stat_machine_check(&job, 0, &e));
	assert_null(job.machine);
	assert_int_equal(detached, 1);
	assert_string_equal(counter.why, "");
	said("The machine during the runs is not counted: the events of the machine and of the command");
}

/* Where one process has no counters, nothing is tried. */
UNIT_IN(no_trial_without_counters, begin, end)
{
	struct err e;

	counter.domain = DOMAIN_NONE;
	reading.known = 0;
	assert_true(stat_machine_check(&job, 0, &e));
	assert_int_equal(attached, 0);
	assert_non_null(job.machine);
}
