/* A counter server that does not answer: stopped, or hung in the kernel. */
#include "base/clock.h"
#include "model/metric.h"
#include "source/far.h"

#include <string.h>

static int64_t
now_ms(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns / 1000000;
}

static struct eventset
set_of(const struct source *s, const char *event)
{
	const struct event *want = catalog_find(s->info.catalog, event);
	struct eventset set = { .len = 0 };
	struct err e;

	assert_non_null(want);
	assert_true(slots_place(s->info.catalog, &want, 1, &set, &e));
	return set;
}

/* A server that was silent answers: soon, where the machine has time. */
static void
goes_on(struct far *f)
{
	struct err e = { ERR_NONE, "" };

	for (int i = 0; far_read(f, &e) != SOURCE_OK; i++) {
		assert_true(i < 3000);
		(void)poll(NULL, 0, 20);
	}
}

/* Stopped, or hung in the kernel: late is not dead, and nothing is lost. */
UNIT(a_silent_server_is_late_and_then_goes_on)
{
	struct far f = far_open("m1,seed=1");
	struct source *s = f.source;
	struct eventset set = set_of(s, "INST_ALL");
	struct eventset other = set_of(s, "CORE_ACTIVE_CYCLE");
	struct err e = { ERR_NONE, "" };
	struct pollfd p = { .fd = *s->info.watch, .events = POLLIN };

	assert_true(s->ops->program(s, &set, &e));
	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	uint64_t cycles = f.sample->cpu[0].fixed[0].count;

	far_signal(&f, SIGSTOP);
	int64_t began = now_ms();

	assert_int_equal(far_read(&f, &e), SOURCE_ERROR);
	assert_true(now_ms() - began >= 900);
	assert_non_null(strstr(e.text, "has not answered"));
	assert_false(s->info.lost);
	/* From now on nobody waits for it: keys must work. */
	began = now_ms();
	for (int i = 0; i < 60; i++)
		assert_int_equal(far_read(&f, &e), SOURCE_ERROR);
	assert_false(s->ops->program(s, &other, &e));
	/* It would be a second each. */
	assert_true(now_ms() - began < 30000);
	assert_string_equal(s->info.set->slot[0].event->name, "INST_ALL");

	far_signal(&f, SIGCONT);
	assert_int_equal(poll(&p, 1, 60000), 1);
	goes_on(&f);
	assert_true(f.sample->cpu[0].fixed[0].count > cycles);
	assert_true(s->ops->program(s, &other, &e));
	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	assert_true((f.sample->flags & SAMPLE_BASELINE) != 0);
	assert_true(remote_release(s, &e));
	far_close(&f);
	far_stop(&f);
}

/* A set that was given up waiting for is what counts when it comes. */
UNIT(a_late_set_is_told_when_it_comes)
{
	struct far f = far_open("m1,seed=1");
	struct source *s = f.source;
	struct eventset set = set_of(s, "INST_ALL");
	struct err e = { ERR_NONE, "" };

	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	far_signal(&f, SIGSTOP);
	assert_false(s->ops->program(s, &set, &e));
	assert_non_null(strstr(e.text, "has not answered"));
	assert_int_equal(s->info.set->len, 0);
	far_signal(&f, SIGCONT);
	goes_on(&f);
	assert_int_equal(s->info.set->len, 1);
	assert_int_equal(s->info.mode, SOURCE_FULL);
	assert_true((f.sample->flags & SAMPLE_BASELINE) != 0);
	far_close(&f);
	far_stop(&f);
}

/* Stepped time waits: a frame that nobody read would be a hole. */
UNIT(a_stepped_clock_waits_for_a_silent_server)
{
	struct far f = far_open("m1,clock=step");
	const struct clock *clock = f.source->info.clock;
	struct err e = { ERR_NONE, "" };
	struct stamp before, after;

	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	far_signal(&f, SIGSTOP);
	assert_int_equal(far_read(&f, &e), SOURCE_ERROR);
	clock_now(clock, &before);
	clock->step(clock->self, before.awake_ns + 1000);
	clock_now(clock, &after);
	assert_int_equal(after.awake_ns, before.awake_ns);
	assert_false(f.source->info.lost);
	far_signal(&f, SIGCONT);
	goes_on(&f);
	clock->step(clock->self, before.awake_ns + 1000);
	clock_now(clock, &after);
	assert_int_equal(after.awake_ns, before.awake_ns + 1000);
	far_close(&f);
	far_stop(&f);
}

/* A slow machine's first reading is waited for: it would be a failed start. */
UNIT(the_first_reading_may_take_its_time)
{
	struct far f = far_open("m1,seed=1");
	struct err e = { ERR_NONE, "" };

	far_signal(&f, SIGSTOP);
	pid_t later = fork();

	if (later == 0) {
		(void)poll(NULL, 0, 1500);
		_exit(kill(f.pid, SIGCONT) != 0);
	}
	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	assert_int_equal(waitpid(later, NULL, 0), later);
	far_close(&f);
	far_stop(&f);
}

/* Leaving does not wait for ever, and says who puts the counters back. */
UNIT(leaving_a_silent_server_says_so)
{
	struct far f = far_open("m1,seed=1");
	struct err e = { ERR_NONE, "" };

	far_signal(&f, SIGSTOP);
	int64_t began = now_ms();

	assert_false(remote_release(f.source, &e));
	assert_true(now_ms() - began >= 2900);
	assert_non_null(strstr(e.text, "kill -CONT continues it"));
	far_close(&f);
	far_signal(&f, SIGCONT);
	far_stop(&f);
}

UNITS_IN(far_ignore_pipes, NULL)
