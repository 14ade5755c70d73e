/* Times in a server's answers: what no clock says is not believed. */
#include "server/remote_clock.h"

#include <cmocka.h>

#define S ((int64_t)1000 * 1000 * 1000)
#define YEAR_NS (365 * 24 * 3600 * S)

static struct wire_clock
stepped(int64_t awake, int64_t elapsed, int64_t wall)
{
	return (struct wire_clock){ true, { awake, elapsed, wall } };
}

static struct wire_clock
ahead(int64_t awake, int64_t elapsed, int64_t wall)
{
	return (struct wire_clock){ false, { awake, elapsed, wall } };
}

/* What a man in the middle made of them, and the ends of the range. */
static const int64_t nonsense[] = {
	INT64_MIN,           INT64_MIN + 1,        INT64_MAX,
	INT64_MAX - 1,       -9223372036854775807, INT64_MAX - 25664528261901,
	9223371036600000000, -25664528261901,      -1,
};
enum { NONSENSE = sizeof nonsense / sizeof *nonsense };

UNIT(a_stepped_clock_stays_in_time)
{
	const struct wire_clock start = stepped(5 * S, 6 * S, 7 * S);
	struct remote_clock r;
	struct wire_clock c;
	struct stamp now;

	remote_clock_begin(&r, &start);
	assert_true(remote_clock_set(&r, &start));
	for (unsigned i = 0; i < NONSENSE; i++) {
		c = stepped(nonsense[i], 6 * S, 7 * S);
		assert_false(remote_clock_set(&r, &c));
		c = stepped(5 * S, nonsense[i], 7 * S);
		assert_false(remote_clock_set(&r, &c));
		c = stepped(5 * S, 6 * S, nonsense[i]);
		assert_false(remote_clock_set(&r, &c));
	}
	/* What was refused has left nothing. */
	remote_clock_now(&r, &now);
	assert_memory_equal(&now, &start.at, sizeof now);
	/* Back is no way for the two that never jump. */
	c = stepped(5 * S - 1, 6 * S, 7 * S);
	assert_false(remote_clock_set(&r, &c));
	c = stepped(5 * S, 6 * S - 1, 7 * S);
	assert_false(remote_clock_set(&r, &c));
	c = stepped(5 * S, 6 * S, 3 * S);
	assert_true(remote_clock_set(&r, &c));
	/* As far as a server lets itself be stepped, in any year of ours. */
	c = stepped((int64_t)1 << 61, (int64_t)1 << 61,
		    ((int64_t)1 << 61) + 100 * YEAR_NS);
	assert_true(remote_clock_set(&r, &c));
}

UNIT(a_running_clock_stays_near)
{
	struct remote_clock r;
	struct wire_clock c = ahead(0, 0, 0);
	struct stamp before, now, system;

	remote_clock_begin(&r, &c);
	assert_true(remote_clock_set(&r, &c));
	remote_clock_now(&r, &before);
	for (unsigned i = 0; i < NONSENSE - 1; i++) {
		/* -25664528261901: more than seven hours back. */
		c = ahead(nonsense[i], 0, 0);
		assert_false(remote_clock_set(&r, &c));
		c = ahead(0, nonsense[i], 0);
		assert_false(remote_clock_set(&r, &c));
	}
	c = ahead(0, 0, INT64_MIN);
	assert_false(remote_clock_set(&r, &c));
	c = ahead(0, 0, INT64_MAX);
	assert_false(remote_clock_set(&r, &c));
	remote_clock_now(&r, &now);
	assert_true(now.awake_ns - before.awake_ns < 60 * S);
	/* Its noise is not followed; what it sleeps, or steps, is. */
	c = ahead(999999, 0, -999999);
	assert_true(remote_clock_set(&r, &c));
	assert_int_equal(r.at.at.awake_ns, 0);
	assert_int_equal(r.at.at.wall_ns, 0);
	c = ahead(0, YEAR_NS, -YEAR_NS);
	assert_true(remote_clock_set(&r, &c));
	remote_clock_now(&r, &now);
	clock_now(clock_system(), &system);
	assert_true(now.elapsed_ns - system.elapsed_ns > YEAR_NS - S);
	assert_true(now.wall_ns - system.wall_ns < S - YEAR_NS);
	/* And the little that a server's stop between two clocks makes. */
	c = ahead(0, YEAR_NS - 60 * S, 0);
	assert_true(remote_clock_set(&r, &c));
	c = ahead(0, YEAR_NS - 7200 * S, 0);
	assert_false(remote_clock_set(&r, &c));
}

/* A first answer of nonsense leaves a clock that can be read all the same. */
UNIT(a_first_answer_may_be_wrong)
{
	struct remote_clock r;
	struct stamp now, system;

	for (unsigned i = 0; i < NONSENSE; i++)
		for (int step = 0; step < 2; step++) {
			struct wire_clock c = { step == 1,
						{ nonsense[i], nonsense[i],
						  nonsense[i] } };

			remote_clock_begin(&r, &c);
			/* Seven hours back are a time where one ran longer. */
			if (i < NONSENSE - 2 || step == 1)
				assert_false(remote_clock_set(&r, &c));
			remote_clock_now(&r, &now);
			clock_now(clock_system(), &system);
			if (step == 1)
				assert_int_equal(now.awake_ns, 0);
			else
				assert_true(system.awake_ns - now.awake_ns <
					    8 * 3600 * S);
		}
}

UNIT(readings_go_forward)
{
	const struct wire_clock c = ahead(0, 0, 0);
	struct remote_clock r;
	struct stamp at = { 100 * S, 200 * S, 300 * S };

	remote_clock_begin(&r, &c);
	assert_true(remote_clock_read(&r, &at, 0, 0));
	assert_true(remote_clock_read(&r, &at, 5 * S, 0));
	assert_false(remote_clock_read(&r, &at, -1, 0));
	assert_false(remote_clock_read(&r, &at, INT64_MAX, 0));
	assert_true(remote_clock_read(&r, &at, 0, 5 * S));
	assert_false(remote_clock_read(&r, &at, 0, -1));
	assert_false(remote_clock_read(&r, &at, 0, INT64_MAX));
	for (unsigned i = 0; i < NONSENSE; i++) {
		struct stamp bad = at;

		bad.awake_ns = nonsense[i];
		assert_false(remote_clock_read(&r, &bad, 0, 0));
		bad = at;
		bad.elapsed_ns = nonsense[i];
		assert_false(remote_clock_read(&r, &bad, 0, 0));
		bad = at;
		bad.wall_ns = nonsense[i];
		assert_false(remote_clock_read(&r, &bad, 0, 0));
	}
	at.awake_ns -= 1;
	assert_false(remote_clock_read(&r, &at, 0, 0));
	at = (struct stamp){ 101 * S, 201 * S, 0 };
	assert_true(remote_clock_read(&r, &at, 0, 0));
	at.elapsed_ns -= 1;
	assert_false(remote_clock_read(&r, &at, 0, 0));
}
