/* A server whose answers hold times that no clock says is a broken one. */
#include "server/liar.h"

#define S ((int64_t)1000 * 1000 * 1000)
#define YEAR_NS (365 * 24 * 3600 * S)

enum where {
	NOWHERE,
	CLOCK_AWAKE, /* stepped: now; else ahead of the system's clock */
	CLOCK_ELAPSED,
	CLOCK_WALL,
	CLOCK_ALL,
	CLOCK_FARTHEST, /* as far as a server lets itself be stepped */
	READ_AWAKE,
	READ_ELAPSED,
	READ_WALL,
	COST,
	APART
};

struct liar {
	bool stepped;
	const struct lie *lie; /* one a reading, from the second on */
	unsigned nlies, reads, opens;
	struct source *s;
	struct sample *sample;
	struct wire_out out;
};

struct lie {
	enum where where;
	int64_t time;
	bool believed;
};

static void
put_state(struct liar *l, const struct lie *lie)
{
	struct wire_clock c;

	wire_clock_of(l->s->info.clock, &c);
	if (!l->stepped)
		c = (struct wire_clock){ .stepped = 0 };
	if (lie->where == CLOCK_AWAKE || lie->where == CLOCK_ALL)
		c.at.awake_ns = lie->time;
	if (lie->where == CLOCK_ELAPSED || lie->where == CLOCK_ALL)
		c.at.elapsed_ns = lie->time;
	if (lie->where == CLOCK_WALL || lie->where == CLOCK_ALL)
		c.at.wall_ns = lie->time;
	if (lie->where == CLOCK_FARTHEST) {
		c.at.awake_ns = c.at.elapsed_ns = (int64_t)1 << 61;
		c.at.wall_ns = ((int64_t)1 << 61) + 100 * YEAR_NS;
	}
	wire_put_state(&l->out, &l->s->info, &c);
}

static void
put_sample(struct liar *l, const struct lie *lie)
{
	struct sample *s = l->sample;

	clock_now(l->s->info.clock, &s->stamp);
	s->cost_ns = 1000;
	s->apart_ns = 0;
	switch (lie->where) {
	case READ_AWAKE:
		s->stamp.awake_ns = lie->time;
		break;
	case READ_ELAPSED:
		s->stamp.elapsed_ns = lie->time;
		break;
	case READ_WALL:
		s->stamp.wall_ns = lie->time;
		break;
	case COST:
		s->cost_ns = lie->time;
		break;
	case APART:
		s->apart_ns = lie->time;
		break;
	default:
		break;
	}
	wire_put_sample(&l->out, s, l->s->info.set->len);
}

static void
answer(void *self, int fd, const struct wire_head *h, struct wire_in *in)
{
	static const struct lie none = { NOWHERE, 0, true };
	struct liar *l = self;
	const struct lie *lie = &none;

	if (h->op == WIRE_READ && l->reads++ > 0 && l->reads - 2 < l->nlies)
		lie = &l->lie[l->reads - 2];
	if (h->op == WIRE_OPEN && l->opens++ > 0)
		lie = l->lie; /* renewed */
	liar_begin(&l->out, h, &l->s->info);
	put_state(l, lie);
	if (h->op == WIRE_READ)
		put_sample(l, lie);
	liar_send(fd, &l->out, h);
}

struct reader {
	struct source_options o;
	struct source *s;
	struct sample *sample;
	pid_t pid;
	struct err e;
};

static void
begin(struct reader *f, bool stepped, const struct lie *lie, unsigned n)
{
	static struct liar l;

	*f = (struct reader){ .o.sim = "m1" };
	f->pid = far_fork(&f->o.server);
	if (f->pid == 0) {
		l = (struct liar){ .stepped = stepped, .lie = lie, .nlies = n };
		l.s = liar_open_as(stepped ? "m1,clock=step" : "m1", &l.sample);
		liar_serve(f->o.server, answer, &l);
	}
	f->s = remote_open(&f->o, NULL, &f->e);
	assert_non_null(f->s);
	f->sample = sample_new(f->s->info.topology->ncpus, &f->e);
	assert_int_equal(f->s->ops->read(f->s, f->sample, &f->e), SOURCE_OK);
}

static void
end(struct reader *f)
{
	f->s->ops->close(f->s);
	sample_free(f->sample);
	(void)close(f->o.server);
	assert_int_equal(waitpid(f->pid, NULL, 0), f->pid);
}

/* Each is a reading; the first that is not believed ends the source. */
static void
check(struct reader *f, const struct lie *lie, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		struct stamp before, now;
		bool ok;

		clock_now(f->s->info.clock, &before);
		ok = f->s->ops->read(f->s, f->sample, &f->e) == SOURCE_OK;
		if (ok != lie[i].believed || f->s->info.lost == ok)
			fail_msg("%d %lld: %s", (int)lie[i].where,
				 (long long)lie[i].time,
				 ok ? "believed" : f->e.text);
		if (ok)
			continue;
		/* What was refused has left nothing. */
		assert_non_null(strstr(f->e.text, "counter server"));
		clock_now(f->s->info.clock, &now);
		assert_true(now.awake_ns - before.awake_ns < 60 * S);
		if (f->s->info.clock->stepped)
			assert_memory_equal(&now, &before, sizeof now);
	}
}

static void
one(bool stepped, enum where where, int64_t time, bool believed)
{
	const struct lie lie = { where, time, believed };
	struct reader f;

	begin(&f, stepped, &lie, 1);
	check(&f, &lie, 1);
	end(&f);
}

/* What a man in the middle made of them, and the ends of the range. */
static const int64_t nonsense[] = {
	INT64_MIN,           INT64_MIN + 1,        INT64_MAX,
	INT64_MAX - 1,       -9223372036854775807, INT64_MAX - 25664528261901,
	9223371036600000000, -25664528261901,      -1,
};
enum { NONSENSE = sizeof nonsense / sizeof *nonsense };

UNIT(times_beyond_time_break_it)
{
	for (int i = 0; i < NONSENSE; i++)
		for (int w = CLOCK_AWAKE; w <= APART; w++)
			if (w != CLOCK_FARTHEST)
				one(true, (enum where)w, nonsense[i], false);
}

/* Not even by a nanosecond: the first reading was later than the first. */
UNIT(times_do_not_go_back)
{
	static const enum where where[] = { CLOCK_AWAKE, CLOCK_ELAPSED,
					    READ_AWAKE, READ_ELAPSED };

	for (unsigned i = 0; i < sizeof where / sizeof *where; i++)
		one(true, where[i], 1, false);
}

/* The wall clock may jump; what a reading takes is what it takes. */
UNIT(times_that_can_be)
{
	static const struct lie lie[] = {
		{ NOWHERE, 0, true },
		{ CLOCK_WALL, 0, true },
		{ READ_WALL, 0, true },
		{ COST, S, true },
		{ APART, 5 * S, true },
		{ CLOCK_FARTHEST, 0, true },
		/* And from there no nanosecond back. */
		{ CLOCK_ALL, ((int64_t)1 << 61) - 1, false },
	};
	struct reader f;

	begin(&f, true, lie, sizeof lie / sizeof *lie);
	check(&f, lie, sizeof lie / sizeof *lie);
	end(&f);
}

UNIT(a_running_clock_stays_near)
{
	static const struct lie lie[] = {
		{ CLOCK_AWAKE, 999999, true }, /* noise is not followed */
		{ CLOCK_WALL, -999999, true },
		{ CLOCK_WALL, -YEAR_NS, true }, /* what it steps, or sleeps */
		{ CLOCK_ELAPSED, YEAR_NS, true },
		/* The little that its stop between two clocks makes. */
		{ CLOCK_ELAPSED, YEAR_NS - 60 * S, true },
		{ CLOCK_ELAPSED, YEAR_NS - 7200 * S, false },
	};
	const unsigned n = sizeof lie / sizeof *lie;
	struct stamp now, system;
	struct reader f;

	begin(&f, false, lie, n);
	for (unsigned i = 0; i < n; i++) {
		check(&f, &lie[i], 1);
		clock_now(f.s->info.clock, &now);
		clock_now(clock_system(), &system);
		if (i < 2)
			assert_true(now.awake_ns <= system.awake_ns &&
				    system.wall_ns - now.wall_ns < 900000);
		if (i == 2)
			assert_true(now.wall_ns - system.wall_ns < S - YEAR_NS);
		if (i == 3)
			assert_true(now.elapsed_ns - system.elapsed_ns >
				    YEAR_NS - S);
	}
	end(&f);
	/* -25664528261901: more than seven hours back. */
	for (int i = 0; i < NONSENSE - 1; i++) {
		one(false, CLOCK_AWAKE, nonsense[i], false);
		one(false, CLOCK_ELAPSED, nonsense[i], false);
	}
	one(false, CLOCK_WALL, INT64_MIN, false);
	one(false, CLOCK_WALL, INT64_MAX, false);
}

/* The first answer of a source leaves a clock that can be read all the same. */
UNIT(a_first_answer_may_be_wrong)
{
	for (int i = 0; i < 2 * NONSENSE; i++) {
		const struct lie lie = { CLOCK_ALL, nonsense[i / 2], false };
		bool stepped = i % 2 == 1;
		struct stamp now, system;
		struct reader f;

		begin(&f, stepped, &lie, 0);
		/* A second back is a time where one was ahead before. */
		bool lost = f.s->ops->renew(f.s, &f.o, &f.e) == NULL;

		if (stepped || i / 2 < NONSENSE - 2)
			assert_true(lost && f.s->info.lost);
		clock_now(f.s->info.clock, &now);
		clock_now(clock_system(), &system);
		if (stepped)
			assert_int_equal(now.awake_ns, 0);
		else
			assert_true(system.awake_ns - now.awake_ns <
				    8 * 3600 * S);
		end(&f);
	}
}

UNITS_IN(far_ignore_pipes, NULL)
