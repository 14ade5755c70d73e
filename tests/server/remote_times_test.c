/* A server whose answers hold times that no clock says is a broken one. */
#include "server/liar.h"

enum where { NOWHERE, CLOCK_AWAKE, CLOCK_WALL, READ_AWAKE, READ_ELAPSED, COST };

struct liar {
	enum where where; /* from the second reading on: */
	int64_t time;
	unsigned reads;
	struct source *s;
	struct sample *sample;
	struct wire_out out;
};

static void
put_state(struct liar *l, enum where where)
{
	struct wire_clock c;

	wire_clock_of(l->s->info.clock, &c);
	if (where == CLOCK_AWAKE)
		c.at.awake_ns = l->time;
	if (where == CLOCK_WALL)
		c.at.wall_ns = l->time;
	wire_put_state(&l->out, &l->s->info, &c);
}

static void
put_sample(struct liar *l, enum where where)
{
	struct sample *s = l->sample;

	clock_now(l->s->info.clock, &s->stamp);
	s->cost_ns = 1000;
	if (where == READ_AWAKE)
		s->stamp.awake_ns = l->time;
	if (where == READ_ELAPSED)
		s->stamp.elapsed_ns = l->time;
	if (where == COST)
		s->cost_ns = l->time;
	wire_put_sample(&l->out, s, l->s->info.set->len);
}

static void
answer(void *self, int fd, const struct wire_head *h, struct wire_in *in)
{
	struct liar *l = self;
	enum where where = NOWHERE;

	if (h->op == WIRE_READ && l->reads++ > 0)
		where = l->where;
	liar_begin(&l->out, h, &l->s->info);
	put_state(l, where);
	if (h->op == WIRE_READ)
		put_sample(l, where);
	liar_send(fd, &l->out, h);
}

static void
lie(int fd, enum where where, int64_t time)
{
	static struct liar l;

	l.where = where;
	l.time = time;
	l.s = liar_open(&l.sample);
	liar_serve(fd, answer, &l);
}

/* Was the second reading taken for one? The first is. */
static bool
is_believed(enum where where, int64_t time)
{
	struct source_options o = { .sim = "m1" };
	struct stamp before, now;
	struct sample *sample;
	struct err e;
	pid_t pid = far_fork(&o.server);

	if (pid == 0)
		lie(o.server, where, time);
	struct source *s = remote_open(&o, NULL, &e);

	assert_non_null(s);
	sample = sample_new(s->info.topology->ncpus, &e);
	assert_int_equal(s->ops->read(s, sample, &e), SOURCE_OK);
	clock_now(s->info.clock, &before);
	bool believed = s->ops->read(s, sample, &e) == SOURCE_OK;

	assert_int_equal(s->info.lost, !believed);
	clock_now(s->info.clock, &now);
	if (!believed) {
		assert_non_null(strstr(e.text, "counter server"));
		assert_int_equal(now.awake_ns, before.awake_ns);
	}
	s->ops->close(s);
	sample_free(sample);
	(void)close(o.server);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	return believed;
}

UNIT(times_beyond_time_break_it)
{
	static const int64_t beyond[] = { INT64_MIN, INT64_MAX, -25664528261901,
					  9223371036600000000, -1 };
	enum { N = sizeof beyond / sizeof *beyond };

	assert_true(is_believed(NOWHERE, 0));
	assert_true(is_believed(CLOCK_WALL, 0));
	assert_true(is_believed(COST, 1000000000));
	for (int i = 0; i < N; i++) {
		assert_false(is_believed(CLOCK_AWAKE, beyond[i]));
		assert_false(is_believed(CLOCK_WALL, beyond[i]));
		assert_false(is_believed(READ_AWAKE, beyond[i]));
		assert_false(is_believed(READ_ELAPSED, beyond[i]));
		assert_false(is_believed(COST, beyond[i]));
	}
}

/* The first reading was later than the first nanosecond. */
UNIT(times_do_not_go_back)
{
	assert_false(is_believed(CLOCK_AWAKE, 1));
	assert_false(is_believed(READ_AWAKE, 1));
	assert_false(is_believed(READ_ELAPSED, 1));
}

UNITS_IN(far_ignore_pipes, NULL)
