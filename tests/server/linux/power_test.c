/* Energy through a counter server: what is told, how often, and lies. */
#include "power/power.h"
#include "source/far.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a machine that measures energy, in the server's process ---- */

enum lie { TRUTH, NO_NUMBER, NO_THING, NO_CLUSTER, NONE };

static enum lie lie;

static bool
fake_read(struct power_source *s, int64_t now_ns,
	  struct power_reading out[POWER_RAILS], struct err *e)
{
	static unsigned reads;

	(void)e;
	reads++;
	for (unsigned i = 0; i < s->nrails; i++)
		out[i] = (struct power_reading){ .have = i == 0,
						 .marks = POWER_SCALED,
						 .at_ns = now_ns,
						 .total = 10.0 * reads,
						 .weight = 0.5 };
	if (lie == NO_NUMBER)
		out[0].total = NAN;
	return true;
}

static void
fake_close(struct power_source *s)
{
	(void)s;
}

static struct power_source *
fake_power(struct source *s, struct err *e)
{
	static const struct power_ops ops = { fake_read, fake_close, NULL };
	static struct power_source p;

	(void)s;
	p = (struct power_source){
		.ops = &ops,
		.nrails = 2,
		.rail = { { "power", POWER_PACKAGE, 0, 1, 0, 0 },
			  { "heat", POWER_THROTTLE, 0, -1, 0, 2 } },
		.no_traffic = "there is none",
	};
	if (lie == NO_THING)
		p.rail[1].what = POWER_WHATS;
	if (lie == NO_CLUSTER)
		p.rail[1].cluster = 3;
	if (lie == NONE)
		return err_null(e, ERR_NO_PMU, "a fake without energy");
	return &p;
}

static bool
before(void *self, bool powers, struct err *e)
{
	(void)self;
	(void)powers;
	(void)e;
	return true;
}

/* The simulated Mac is Linux's source from here on, and has that energy. */
static void
opened(void *self, const struct source_info *info)
{
	static struct source_ops ops;
	struct source *s = (struct source *)((uintptr_t)info -
					     offsetof(struct source, info));

	(void)self;
	ops = *s->ops;
	ops.power = fake_power;
	ops.power_with_rights = true;
	s->ops = &ops;
}

static void
serve(int fd)
{
	static const struct source_guard guard = { NULL, before, opened };
	struct server *s = server_new(fd, &guard);
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (s != NULL && poll(&p, 1, -1) >= 0 && server_turn(s) == SERVER_ON)
		p.events = server_is_sending(s) ? POLLOUT : POLLIN;
	(void)server_free(s, NULL);
	_exit(0);
}

static struct far
begin(enum lie its)
{
	struct source_options o = { .sim = "m1,clock=step" };
	struct far f = { .source = NULL };
	struct err e = { ERR_NONE, "" };

	lie = its;
	f.pid = far_fork(&f.fd);
	if (f.pid == 0)
		serve(f.fd);
	o.server = f.fd;
	f.source = remote_open(&o, NULL, &e);
	if (f.source == NULL)
		fail_msg("%s", e.text);
	f.sample = sample_new(f.source->info.topology->ncpus, &e);
	/* By its name the screen side knows whose rights it takes. */
	snprintf(f.source->info.source, sizeof(f.source->info.source), "perf");
	return f;
}

static void
end(struct far *f)
{
	far_close(f);
	far_stop(f);
}

static void
step(struct far *f, int64_t ns)
{
	struct stamp now;

	clock_now(f->source->info.clock, &now);
	f->source->info.clock->step(f->source->info.clock->self,
				    now.awake_ns + ns);
	assert_string_equal(f->source->info.source, "sim");
}

/* ---- the tests ---- */

UNIT(energy_comes_as_it_is_there)
{
	struct power_reading got[POWER_RAILS];
	struct err e = { ERR_NONE, "" };
	struct far f = begin(TRUTH);
	struct power_source *p = f.source->ops->power(f.source, &e);
	struct stamp now;

	if (p == NULL)
		fail_msg("%s", e.text);
	assert_int_equal(p->nrails, 2);
	assert_string_equal(p->rail[0].name, "power");
	assert_int_equal(p->rail[0].what, POWER_PACKAGE);
	assert_int_equal(p->rail[0].die, 1);
	assert_int_equal(p->rail[1].die, -1);
	assert_int_equal(p->rail[1].cluster, 2);
	assert_string_equal(p->no_energy, "");
	assert_string_equal(p->no_traffic, "there is none");
	assert_false(p->slow);
	assert_true(p->ops->read(p, 0, got, &e));
	clock_now(f.source->info.clock, &now);
	assert_true(got[0].have && !got[1].have);
	assert_int_equal(got[0].at_ns, now.awake_ns);
	assert_int_equal(got[0].marks, POWER_SCALED);
	assert_true(got[0].total == 10 && got[0].weight == 0.5);
	p->ops->close(p);
	end(&f);
}

/* More often than that it would tell what others compute. */
UNIT(energy_is_read_twice_a_second_at_most)
{
	struct power_reading got[POWER_RAILS];
	struct err e = { ERR_NONE, "" };
	struct far f = begin(TRUTH);
	struct power_source *p = f.source->ops->power(f.source, &e);

	assert_non_null(p);
	assert_true(p->ops->read(p, 0, got, &e));
	int64_t at_ns = got[0].at_ns;

	for (int i = 0; i < 4; i++) {
		step(&f, 100000000);
		assert_true(p->ops->read(p, 0, got, &e));
		assert_int_equal(got[0].at_ns, at_ns);
		assert_true(got[0].total == 10);
	}
	step(&f, 100000000);
	assert_true(p->ops->read(p, 0, got, &e));
	assert_int_equal(got[0].at_ns, at_ns + 500000000);
	assert_true(got[0].total == 20);
	/* Nor by opening it again. */
	p->ops->close(p);
	snprintf(f.source->info.source, sizeof(f.source->info.source), "perf");
	p = f.source->ops->power(f.source, &e);
	assert_non_null(p);
	assert_true(p->ops->read(p, 0, got, &e));
	assert_false(got[0].have);
	p->ops->close(p);
	end(&f);
}

UNIT(a_machine_without_energy_says_why_and_counts_on)
{
	struct err e = { ERR_NONE, "" };
	struct far f = begin(NONE);

	assert_null(f.source->ops->power(f.source, &e));
	assert_string_equal(e.text, "a fake without energy");
	assert_false(f.source->info.lost);
	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	end(&f);
}

/* Counters go on while the server is too late for its energy. */
UNIT(a_late_server_has_no_energy_for_now)
{
	struct power_reading got[POWER_RAILS];
	struct err e = { ERR_NONE, "" };
	struct far f = begin(TRUTH);
	struct power_source *p = f.source->ops->power(f.source, &e);

	assert_non_null(p);
	assert_int_equal(far_read(&f, &e), SOURCE_OK);
	far_signal(&f, SIGSTOP);
	assert_false(p->ops->read(p, 0, got, &e));
	assert_non_null(strstr(e.text, "has not answered"));
	far_signal(&f, SIGCONT);
	for (int tries = 0; far_read(&f, &e) != SOURCE_OK; tries++) {
		assert_false(f.source->info.lost);
		assert_true(tries < 6000);
		usleep(10000);
	}
	assert_true(p->ops->read(p, 0, got, &e));
	p->ops->close(p);
	end(&f);
}

UNIT(lies_about_energy_end_the_service)
{
	for (enum lie its = NO_NUMBER; its <= NO_CLUSTER; its++) {
		struct power_reading got[POWER_RAILS];
		struct err e = { ERR_NONE, "" };
		struct far f = begin(its);
		struct power_source *p = f.source->ops->power(f.source, &e);

		assert_int_equal(p != NULL, its == NO_NUMBER);
		if (p != NULL) {
			assert_false(p->ops->read(p, 0, got, &e));
			p->ops->close(p);
		}
		assert_true(f.source->info.lost);
		end(&f);
	}
}

UNITS_IN(far_ignore_pipes, NULL)
