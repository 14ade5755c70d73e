/* Events of a process over a run, of a source that is made up. */
#include "app/machine_counter.h"

#include <cmocka.h>
#include <string.h>

#include "source/source.h"

enum { PID = 77 };

static struct process_traced answer;
static struct process_request wish;
static bool fails;

static bool
processes(struct source *s, const struct process_request *w,
	  struct process_reading *out, struct err *e)
{
	wish = *w;
	if (fails)
		return err_set(e, ERR_FAIL, "not now");
	out->traced = answer;
	return true;
}

static const struct source_ops ops = { .processes = processes };
static struct source source = { .ops = &ops, .info.processes = true };

/* A reading in which the process had so many of all. */
static void
read_once(struct traced *t, uint8_t state, uint64_t count, uint32_t slots)
{
	answer.state = state;
	answer.slots = slots;
	answer.n = 2;
	answer.row[0] = (struct process_counts){ .pid = 5, .cycles = 1 };
	answer.row[1] = (struct process_counts){ .pid = PID,
						 .cycles = 10 * count,
						 .instructions = 20 * count,
						 .slot = { count, 2 * count } };
	traced_read(t, &source);
}

static int
begin(void **state)
{
	process_traced_reset(&answer);
	fails = false;
	source.info.processes = true;
	return 0;
}

UNIT_IN(intervals_are_summed, begin, NULL)
{
	struct traced t = { .pid = PID };

	/* The first begins it: what it says is of before. */
	read_once(&t, PROCESS_TRACING_ON, 1000, 3);
	assert_true(wish.trace);
	assert_int_equal(*wish.pin, PID);
	assert_int_equal(t.intervals, 0);
	read_once(&t, PROCESS_TRACING_ON, 7, 3);
	read_once(&t, PROCESS_TRACING_ON, 4, 3);
	assert_int_equal(t.intervals, 2);
	assert_int_equal(t.sum.cycles, 110);
	assert_int_equal(t.sum.instructions, 220);
	assert_int_equal(t.sum.slot[1], 22);
	assert_int_equal(t.slots, 3);
	/* An event that was not counted all the time is not known. */
	read_once(&t, PROCESS_TRACING_ON, 1, 1);
	assert_int_equal(t.slots, 1);
	/* While it sleeps it has no row. */
	answer.n = 1;
	traced_read(&t, &source);
	assert_int_equal(t.intervals, 4);
	assert_int_equal(t.sum.cycles, 120);
	traced_free(&t);
}

UNIT_IN(what_is_refused_is_said, begin, NULL)
{
	struct traced t = { .pid = PID }, none = { .pid = 0 };

	strcpy(answer.why, "another tool traces the kernel");
	read_once(&t, PROCESS_TRACING_REFUSED, 9, 3);
	assert_int_equal(t.intervals, 0);
	assert_string_equal(t.why, answer.why);
	/* And taken up again it begins again. */
	read_once(&t, PROCESS_TRACING_ON, 9, 3);
	assert_int_equal(t.intervals, 0);
	fails = true;
	traced_read(&t, &source);
	assert_int_equal(t.state, PROCESS_TRACING_REFUSED);
	assert_string_equal(t.why, "not now");
	fails = false;
	read_once(&t, PROCESS_TRACING_NONE, 0, 0);
	assert_int_equal(t.state, PROCESS_TRACING_REFUSED);
	source.info.processes = false;
	traced_read(&t, &source);
	assert_string_equal(t.why, "this source does not list processes");
	memset(&wish, 0, sizeof wish);
	traced_read(&none, &source);
	assert_false(wish.trace);
	traced_free(&t);
}
