/*
 * The kernel itself, counting a process of ours: its clock stands for cycles,
 * switches for instructions, so that no PMU is needed.
 */
#include "source/perf_processes.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { MS = 1000000 };

static volatile unsigned spun;
static bool follows = true; /* the kernel follows a process's threads, */
static bool counts;         /* and counts any at all */

static void
stand_in(struct perf_event_attr *attr)
{
	if (attr->type != PERF_TYPE_HARDWARE)
		return;
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = attr->config == PERF_COUNT_HW_CPU_CYCLES
			       ? PERF_COUNT_SW_TASK_CLOCK
			       : PERF_COUNT_SW_CONTEXT_SWITCHES;
}

static int
open_cpu(void *self, struct perf_event_attr *attr, int cpu, int leader)
{
	stand_in(attr);
	return perf_ops_system()->open(self, attr, cpu, leader);
}

static int
open_task(void *self, struct perf_event_attr *attr, int32_t tid, int leader)
{
	stand_in(attr);
	follows = follows && (!attr->inherit || attr->inherit_thread);
	int fd = perf_ops_system()->open_task(self, attr, tid, leader);

	counts = counts || fd >= 0;
	return fd;
}

static int64_t
thread_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
spin(int64_t ns)
{
	for (int64_t until = thread_ns() + ns; thread_ns() < until;)
		spun++;
}

static void *
spin_20(void *arg)
{
	spin(20 * MS);
	return arg;
}

static void
obey(char what)
{
	pthread_t thread;
	pid_t pid;

	switch (what) {
	case 's':
		spin(30 * MS);
		break;
	case 't':
		if (pthread_create(&thread, NULL, spin_20, NULL) == 0)
			(void)pthread_join(thread, NULL);
		break;
	case 'p':
		for (unsigned i = 0; i < 50; i++) {
			char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

			*(volatile char *)page = 1;
			munmap(page, 4096);
		}
		spin(15 * MS);
		break;
	case 'f':
		pid = fork();
		if (pid == 0) {
			spin(150 * MS);
			_exit(0);
		}
		(void)waitpid(pid, NULL, 0);
		break;
	}
}

struct subject {
	struct source *s;
	struct process_reading out;
	struct process_request w;
	struct err e;
	pid_t pid;
	int go, done;
};

static void
start_child(struct subject *x)
{
	int go[2], done[2];
	char c;

	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(done), 0);
	x->pid = fork();
	if (x->pid == 0) {
		close(go[1]);
		while (read(go[0], &c, 1) == 1) {
			obey(c);
			(void)!write(done[1], &c, 1);
		}
		_exit(0);
	}
	close(go[0]);
	close(done[1]);
	x->go = go[1];
	x->done = done[0];
}

static const struct process_read *
look(struct subject *x)
{
	const struct process_read *row;

	if (!x->s->ops->processes(x->s, &x->w, &x->out, &x->e))
		fail_msg("%s", x->e.text);
	row = row_of(&x->out, x->pid);
	assert_non_null(row);
	return row;
}

static uint64_t
after(struct subject *x, char what)
{
	uint64_t before = look(x)->total.cycles;
	char c;

	assert_int_equal(write(x->go, &what, 1), 1);
	assert_int_equal(read(x->done, &c, 1), 1);
	return look(x)->total.cycles - before;
}

static void
begin(struct subject *x)
{
	struct source_options o = { .sim = NULL };
	static struct perf_ops ops;

	ops = *perf_ops_system();
	ops.open = open_cpu;
	ops.open_task = open_task;
	x->s = perf_open_with(&o, &ops, &x->e);
	if (x->s == NULL)
		skip();
	start_child(x);
	assert_true(process_reading_init(&x->out, 8));
	x->w = (struct process_request){ .opened = -1,
					 .pin = &x->pid,
					 .npins = 1 };
	look(x);
	if (!counts)
		skip();
	assert_int_equal(look(x)->access, PROCESS_COUNTED);
}

static void
end(struct subject *x)
{
	close(x->go);
	close(x->done);
	x->s->ops->close(x->s);
	process_reading_free(&x->out);
}

UNIT(what_a_process_does)
{
	static struct subject x;

	begin(&x);
	assert_int_not_equal(x.out.domain, DOMAIN_NONE);
	assert_in_range(after(&x, 's'), 25 * MS, 1000 * MS);
	/* A thread is a part of it, a process that it makes is not. */
	assert_in_range(after(&x, 't'), 17 * MS, 1000 * MS);
	if (follows)
		assert_in_range(after(&x, 'f'), 0, 100 * MS);
	/* Its threads, each alone. */
	x.w.opened = x.pid;
	x.w.opened_at = look(&x)->start;
	look(&x);
	assert_int_equal(x.out.nthreads, 1);
	assert_int_equal(x.out.thread[0].thread, x.pid);
	uint64_t before = x.out.thread[0].total.cycles;

	after(&x, 's');
	assert_in_range(x.out.thread[0].total.cycles - before, 25 * MS,
			1000 * MS);
	/* Its end: what it counted is read once more. */
	close(x.go);
	assert_int_equal(waitpid(x.pid, NULL, 0), x.pid);
	assert_int_equal(look(&x)->state, PROCESS_ENDED);
	assert_true(x.s->ops->processes(x.s, &x.w, &x.out, &x.e));
	assert_null(row_of(&x.out, x.pid));
	x.go = dup(x.done);
	end(&x);
}

/* A group of the pair and a slot. */
UNIT(an_event_of_it)
{
	static struct subject x;
	const struct process_counts *row;
	const struct event *faults;
	struct eventset set = { .len = 0 };

	begin(&x);
	if (x.s->info.catalog == NULL || x.s->info.mode == SOURCE_BUSY_ONLY)
		skip(); /* no right to count CPUs */
	faults = catalog_find(x.s->info.catalog, "SW_PAGE_FAULTS");
	assert_true(slots_place(x.s->info.catalog, &faults, 1, &set, &x.e));
	assert_true(x.s->ops->program(x.s, &set, &x.e));
	x.w.trace = true;
	look(&x);
	uint64_t cycles = after(&x, 'p');

	row = process_traced_find(&x.out.traced, x.pid, 0);
	assert_non_null(row);
	assert_int_equal(x.out.traced.slots, 1);
	assert_in_range(row->slot[0], 50, 10000);
	assert_int_equal(row->cycles, cycles);
	assert_in_range(row->cycles, 12 * MS, 1000 * MS);
	end(&x);
	assert_int_equal(waitpid(x.pid, NULL, 0), x.pid);
}
