/* Perf events of a task, on machines and a kernel that are not there. */
#include "stat/linux/task.h"

#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "source/tree.h"

static void
exact(const struct task_value *v, unsigned n, double want, double scale)
{
	double count, factor;

	assert_true(task_sum(v, n, &count, &factor));
	assert_true(fabs(factor - scale) < 1e-9);
	assert_true(fabs(count - want) < 1e-6);
}

/* A task runs on one kind at a time: that is nothing to scale by. */
UNIT(kinds_share_the_time)
{
	struct task_value both[] = { { true, 300, 100, 30 },
				     { true, 70, 100, 70 } };
	double count, factor;

	exact(both, 2, 370, 1);
	both[1] = (struct task_value){ true, 50, 100, 50 };
	exact(both, 2, 350 * 100.0 / 80, 100.0 / 80);
	both[1] = (struct task_value){ true, 0, 100, 0 };
	exact(both, 2, 1000, 100.0 / 30);
	both[0].running = 0;
	assert_false(task_sum(both, 2, &count, &factor));
	both[0].enabled = both[1].enabled = 0;
	both[0].count = 0;
	exact(both, 2, 0, 1);
}

/* ---- a kernel that is not there ---- */

enum { EVENTS = 64 };

struct kernel {
	/* errno, 0: it does not */
	int refuse_kernel_mode, refuse_hardware, refuse_all;
	unsigned n, open, leaders, on_exec, kernel_too;
	struct perf_event_attr attr[EVENTS];
	uint64_t running_pct;
	uint64_t since; /* more of everything */
};

static int
fake_open(void *self, struct perf_event_attr *attr, int32_t task, int leader)
{
	struct kernel *k = self;

	errno = 0;
	if (k->refuse_kernel_mode != 0 && !attr->exclude_kernel)
		errno = k->refuse_kernel_mode;
	else if (k->refuse_hardware != 0 && attr->type != PERF_TYPE_SOFTWARE)
		errno = k->refuse_hardware;
	else
		errno = k->refuse_all;
	if (errno != 0)
		return -1;
	assert_true(k->n < EVENTS);
	assert_true(attr->inherit);
	/* A sibling that is off would stay so. */
	assert_int_equal(attr->disabled, leader < 0);
	k->open++;
	k->leaders += leader < 0;
	k->on_exec += attr->enable_on_exec;
	k->kernel_too += !attr->exclude_kernel;
	k->attr[k->n] = *attr;
	return 100 + (int)k->n++;
}

/* 1000 of the first, 2000 of the second ... */
static ssize_t
fake_read(void *self, int fd, void *buf, size_t size)
{
	struct kernel *k = self;
	uint64_t *v = buf;

	v[0] = 1000 * (uint64_t)(fd - 99) + k->since;
	v[1] = 1000000 + k->since;
	v[2] = k->attr[fd - 100].type == PERF_TYPE_SOFTWARE
		       ? v[1]
		       : v[1] * k->running_pct / 100;
	return (ssize_t)size;
}

static int
fake_ioctl(void *self, int fd, unsigned long request)
{
	assert_true(request == PERF_EVENT_IOC_ENABLE);
	return 0;
}

static int
fake_close(void *self, int fd)
{
	((struct kernel *)self)->open--;
	return 0;
}

static struct counter *
open_on(struct kernel *k, const char *machine, const char *events)
{
	const struct perf_ops ops = { .self = k,
				      .open_task = fake_open,
				      .read = fake_read,
				      .ioctl = fake_ioctl,
				      .close = fake_close };
	static struct perf_ops kept;
	struct err e = { ERR_NONE, "" };
	char root[64];

	kept = ops;
	assert_true(tree_unpack(machine, root, sizeof root));
	const struct options o = { .source = { .root = root,
					       .events = events } };
	struct counter *c = counter_task_open_with(&o, &kept, &e);

	tree_remove(root);
	if (c == NULL)
		fail_msg("%s: %s", machine, e.text);
	assert_int_equal(k->open, 0); /* what it looked at is closed */
	k->n = k->leaders = k->on_exec = k->kernel_too = 0;
	return c;
}

UNIT(commands_are_counted_from_their_exec_on)
{
	struct kernel k = { .running_pct = 100 };
	struct counter *c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	struct counter_reading r;

	assert_int_equal(c->domain, DOMAIN_ALL);
	assert_true(c->tree);
	assert_int_equal(c->parts.n, 0);
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_int_equal(k.open, 3);
	assert_int_equal(k.leaders, 2); /* the clock and the cycles */
	assert_int_equal(k.on_exec, 2);
	assert_int_equal(k.kernel_too, 3);
	assert_true(c->ops->read(c, &r));
	assert_true(fabs(r.cpu_s - 1e-6) < 1e-12);
	assert_int_equal(r.known, PROCESS_HAS_COUNTS);
	assert_int_equal(r.total.cycles, 2000);
	assert_int_equal(r.total.instructions, 3000);
	assert_int_equal(r.flags, 0);
	k.running_pct = 50;
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.flags, PROCESS_SCALED);
	assert_int_equal(r.total.cycles, 4000);
	c->ops->detach(c);
	assert_int_equal(k.open, 0);
	counter_close(c);
}

UNIT(each_kind_has_a_group_of_its_own)
{
	struct kernel k = { .running_pct = 50 };
	struct counter *c = open_on(&k, "alderlake-12900k", "INST_BRANCH");
	struct counter_reading r;

	assert_int_equal(c->parts.n, 2);
	assert_string_equal(c->parts.label[0], "P");
	assert_string_equal(c->parts.label[1], "E");
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_int_equal(k.open, 7);
	assert_int_equal(k.leaders, 3);
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.flags, 0); /* half on the one, half on the other */
	assert_int_equal(r.total.cycles, 2000 + 5000);
	assert_int_equal(r.total.instructions, 3000 + 6000);
	assert_int_equal(r.total.part[0].cycles, 2000);
	assert_int_equal(r.total.part[1].instructions, 6000);
	assert_int_equal(r.total.part[0].cpu_ns, 500000);
	assert_int_equal(c->nevents, 1);
	assert_true(fabs(r.event[0] - (4000 + 7000)) < 1e-6);
	c->ops->detach(c);
	counter_close(c);
}

/* Cores of two kinds in one PMU are counted once. */
UNIT(each_pmu_is_counted_once)
{
	struct kernel k = { .running_pct = 50 };
	struct counter *c = open_on(&k, "meteorlake-185h", NULL);

	assert_int_equal(c->parts.n, 2);
	assert_string_equal(c->parts.label[0], "P");
	assert_string_equal(c->parts.label[1], "E+LP-E");
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_int_equal(k.leaders, 3); /* the clock, and cycles of two PMUs */
	c->ops->detach(c);
	counter_close(c);
}

/* Without the right to count the kernel's part, and without a PMU. */
UNIT(what_is_refused_is_said)
{
	struct kernel user = { .refuse_kernel_mode = EACCES,
			       .running_pct = 100 };
	struct kernel none = { .refuse_hardware = ENOENT };
	struct kernel all = { .refuse_kernel_mode = EACCES,
			      .refuse_hardware = EACCES };
	struct counter *c = open_on(&user, "epyc-7763-2s-nps4", NULL);
	struct counter_reading r;

	assert_int_equal(c->domain, DOMAIN_USER);
	assert_non_null(strstr(c->why, "kernel"));
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_int_equal(user.open, 3);
	assert_int_equal(user.kernel_too, 0);
	counter_close(c);
	assert_int_equal(user.open, 0);

	c = open_on(&none, "epyc-7763-2s-nps4", NULL);
	assert_int_equal(c->domain, DOMAIN_NONE);
	assert_true(c->why[0] != '\0');
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_int_equal(none.open, 1);
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.known, 0);
	assert_true(fabs(r.cpu_s - 1e-6) < 1e-12);
	counter_close(c);

	c = open_on(&all, "epyc-7763-2s-nps4", NULL);
	assert_int_equal(c->domain, DOMAIN_NONE);
	assert_true(c->ops->attach(c, 1234, true, NULL));
	counter_close(c);
}

/* In a container whose root may count nothing, sudo is no remedy. */
UNIT(nobody_may_count)
{
	struct kernel k = { .refuse_all = EPERM };
	struct err e = { ERR_NONE, "" };
	struct counter *c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	char want[500];

	assert_int_equal(c->domain, DOMAIN_NONE);
	assert_false(c->ops->attach(c, getpid(), false, &e));
	assert_int_equal(e.code, ERR_PERM);
	snprintf(want, sizeof want, "process %d cannot be counted: %s",
		 (int)getpid(), c->why);
	assert_string_equal(e.text, want);
	assert_non_null(strstr(want, "blocked (EPERM)"));
	/* Of one that may be counted others may still be refused. */
	k.refuse_all = 0;
	counter_close(c);
	c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	k.refuse_all = EACCES;
	assert_false(c->ops->attach(c, getpid(), false, &e));
	assert_non_null(strstr(e.text, "belongs to another user"));
	counter_close(c);
}

/* A machine that counts, but not this time. */
UNIT(what_failed_later_is_said_too)
{
	struct kernel k = { .running_pct = 100 };
	struct counter *c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	struct counter_reading r;

	k.refuse_hardware = EMFILE;
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.known, 0);
	assert_non_null(strstr(c->why, "not counted of every run"));
	counter_close(c);

	k = (struct kernel){ .running_pct = 0 };
	c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_true(c->ops->read(c, &r));
	assert_int_equal(r.known, 0);
	assert_non_null(strstr(c->why, "other programs use"));
	counter_close(c);
}

/* Its threads' counters are opened while it runs, one behind the other. */
UNIT(what_ran_before_the_beginning_is_not_counted)
{
	struct kernel k = { .running_pct = 100 };
	struct counter *c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	struct counter_reading r;

	assert_true(c->ops->attach(c, getpid(), false, NULL));
	unsigned threads = k.n / 3;

	c->ops->begin(c);
	assert_true(c->ops->read(c, &r));
	assert_true(fabs(r.cpu_s) < 1e-12);
	assert_int_equal(r.known, PROCESS_HAS_COUNTS);
	assert_int_equal(r.total.cycles, 0);
	k.since = 50;
	assert_true(c->ops->read(c, &r));
	assert_true(fabs(r.cpu_s - 50e-9 * threads) < 1e-12);
	assert_int_equal(r.total.cycles, 50 * threads);
	assert_int_equal(r.total.instructions, 50 * threads);
	c->ops->detach(c);
	/* The next begins with nothing taken off. */
	assert_true(c->ops->attach(c, 1234, true, NULL));
	assert_true(c->ops->read(c, &r));
	assert_true(r.total.cycles >= 1000);
	counter_close(c);
}

UNIT(processes_that_are_gone_are_named)
{
	struct kernel k = { .running_pct = 100 };
	struct counter *c = open_on(&k, "epyc-7763-2s-nps4", NULL);
	struct err e = { ERR_NONE, "" };

	assert_false(c->ops->attach(c, 999999999, false, &e));
	assert_non_null(strstr(e.text, "process 999999999 does not exist"));
	assert_int_equal(k.open, 0);
	counter_close(c);
}
