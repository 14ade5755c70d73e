/*
 * The kernel itself, counting a process of ours: its clock stands for cycles,
 * switches for instructions, so that no PMU is needed.
 */
#include "source/perf_processes.h"
#include "source/perf/state.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { MS = 1000000 };

static volatile unsigned spun;

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
	struct process_wish w;
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

static bool
may_count(void)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_SOFTWARE,
					.size = sizeof attr,
					.config = PERF_COUNT_SW_TASK_CLOCK,
					.exclude_kernel = 1,
					.exclude_guest = 1 };
	const struct perf_ops *ops = perf_ops_system();
	int fd = ops->open_task(NULL, &attr, getpid(), -1);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
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

UNIT(what_a_process_does)
{
	static struct subject x;
	struct source_options o = { .sim = NULL };
	struct task_plan *plan;

	x.s = perf_open_with(&o, perf_ops_system(), &x.e);
	if (x.s == NULL || !may_count())
		skip();
	plan = &perf_of(x.s)->processes.plan;
	plan->nparts = 1;
	plan->part[0].group.member[FIXED_CYCLES].code =
		(struct perf_code){ PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_TASK_CLOCK, 0, 0 };
	plan->part[0].group.member[FIXED_INSTRUCTIONS].code =
		(struct perf_code){ PERF_TYPE_SOFTWARE,
				    PERF_COUNT_SW_CONTEXT_SWITCHES, 0, 0 };
	start_child(&x);
	assert_true(process_reading_init(&x.out, 8));
	x.w = (struct process_wish){ .opened = -1, .pin = &x.pid, .npins = 1 };
	assert_int_equal(look(&x)->access, PROCESS_COUNTED);
	assert_int_not_equal(x.out.domain, DOMAIN_NONE);
	assert_in_range(after(&x, 's'), 25 * MS, 1000 * MS);
	/* A thread is a part of it, a process that it makes is not. */
	assert_in_range(after(&x, 't'), 17 * MS, 1000 * MS);
	if (!plan->port->no_threads)
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
	close(x.done);
	x.s->ops->close(x.s);
	process_reading_free(&x.out);
}

/* A group of the pair and a slot, with what the threads do that it makes. */
UNIT(an_event_of_it)
{
	static const struct perf_code code[] = {
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, 0 },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 0, 0 },
		{ PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0, 0 },
		{ PERF_TYPE_HW_CACHE, 0xffffff, 0, 0 }, /* there is none */
	};
	struct group_port port = { .ops = perf_ops_system() };
	static struct task_plan plan;
	struct task_set set = { .n = 0 };
	int32_t tid = getpid();
	char *page;

	plan = (struct task_plan){ .port = &port, .nparts = 1, .traced = true };
	for (unsigned i = 0; i < 4; i++) {
		struct task_part *e = &plan.part[0];

		e->group.member[i].code = code[i];
		e->group.member[i].what = i;
		e->factor[i] = 1;
		e->group.len++;
	}
	plan.part[0].slots = 3;
	if (!may_count() || task_plan_try(&plan, tid) != 0)
		skip();
	assert_int_equal(task_plan_slots(&plan), 1); /* the other is refused */
	assert_int_equal(task_set_files(&plan, 1), 3);
	assert_int_equal(task_set_open(&set, &plan, &tid, 1, true, 3), 0);
	for (unsigned i = 0; i < 50; i++) {
		page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		*(volatile char *)page = 1;
		munmap(page, 4096);
	}
	spin(5 * MS);
	assert_true(task_set_read(&set, &plan));
	assert_in_range(set.counts.slot[0], 50, 10000);
	assert_int_equal(set.counts.cycles, set.total.cycles);
	assert_in_range(set.counts.cycles, 4 * MS, 1000 * MS);
	assert_int_equal(set.counts.lost_ns, 0);
	task_set_close(&set, &plan);
	task_set_free(&set);
}
