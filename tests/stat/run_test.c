/* A look at a process: its counts and its time are of the same moments. */
#include "stat/stat.h"

#include <cmocka.h>
#include <math.h>

#include "process/signals.h"

enum { CALL_S = 3 };

/*
 * A process that keeps one CPU busy, counted from its attach on, on a machine
 * where each call takes long.
 */
struct busy {
	struct counter counter;
	int64_t now_s, base_s;
	unsigned reads; /* until it has ended */
};

static void
now(void *self, struct stamp *out)
{
	const struct busy *b = self;

	*out = (struct stamp){ .elapsed_ns = b->now_s * 1000000000 };
}

static void
take_base(struct busy *b)
{
	b->now_s += CALL_S;
	b->base_s = b->now_s;
	b->now_s += CALL_S;
}

static bool
attach(struct counter *c, int32_t pid, bool held, struct err *e)
{
	assert_false(held);
	take_base((struct busy *)c);
	return true;
}

static void
begin(struct counter *c)
{
	take_base((struct busy *)c);
}

static bool
read_busy(struct counter *c, struct counter_reading *out)
{
	struct busy *b = (struct busy *)c;

	b->now_s += CALL_S;
	*out = (struct counter_reading){
		.cpu_s = (double)(b->now_s - b->base_s),
		.ended = --b->reads == 0,
	};
	b->now_s += CALL_S;
	return true;
}

static int64_t
tell_machine(void *self, enum stat_moment moment)
{
	if (moment == STAT_BEGINS || moment == STAT_ENDS)
		((struct busy *)self)->now_s += 1000;
	return 0;
}

UNIT(a_thread_uses_no_more_time_than_passes)
{
	static const struct counter_ops ops = { .attach = attach,
						.begin = begin,
						.read = read_busy };

	for (unsigned reads = 1; reads <= 2; reads++) {
		struct busy b = { .counter.ops = &ops, .reads = reads };
		const struct clock clock = { .self = &b, .now = now };
		const struct stat_watch watch = { .machine = tell_machine,
						  .self = &b };
		struct stat_run run;
		struct err e = { ERR_NONE, "" };
		sigset_t none;

		b.counter.clock = &clock;
		sigemptyset(&none);
		assert_true(stat_run_process(&b.counter, 77, &none, &watch,
					     &run, &e));
		assert_true(run.counted);
		assert_true(run.end.cpu_s > 0);
		assert_true(run.elapsed_s >= run.end.cpu_s);
		/* What is between: half a call at each end. */
		assert_true(run.elapsed_s <= run.end.cpu_s + 2 * CALL_S);
	}
}

static bool
attach_interrupted(struct counter *c, int32_t pid, bool held, struct err *e)
{
	assert_true(held);
	return raise(SIGINT) == 0;
}

/* The terminal's ^C that came before there was a command to send it to. */
UNIT(a_command_is_not_run_after_an_interrupt)
{
	static const struct counter_ops ops = { .attach = attach_interrupted };
	char program[] = "false";
	char *argv[] = { program, NULL };
	struct busy b = { .counter.ops = &ops };
	const struct clock clock = { .self = &b, .now = now };
	const struct stat_watch watch = { .machine = NULL };
	struct stat_run run;
	struct err e = { ERR_NONE, "" };
	sigset_t wait;

	b.counter.clock = &clock;
	signals_open(&wait);
	assert_true(
		stat_run_command(&b.counter, argv, &wait, &watch, &run, &e));
	assert_false(run.started);
	assert_int_equal(run.stopped, SIGINT);
}
