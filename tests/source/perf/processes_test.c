/* The list of processes: made-up ones, and those of this machine. */
#include "source/perf_processes.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

enum { MS = 1000000 };

static const struct made_up init = { 1, 0,  "init", 'S', 0,
				     1, 30, 10,     5,   400 * MS };
static const struct made_up kthreadd = {
	2, 0, "kthreadd", 'S', 0, 1, 0, 0, 5, 1
};
static const struct made_up java = { 70, 1,   "java", 'S', 1000,
				     40, 100, 50,     90,  7 };

struct scene {
	struct rig r;
	struct process_reading out;
};

/* A virtual machine without a PMU: only the kernel's own events. */
static int
no_pmu(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return attr->type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
}

static int
begin(void **state)
{
	struct scene *s = calloc(1, sizeof *s);

	assert_non_null(s);
	rig_prepare(&s->r, "vm-2cpu-nopmu");
	s->r.f->refuse = no_pmu;
	made_up_write(&s->r, &init, "/proc/self"); /* it has the clock */
	made_up_put(&s->r, &init);
	made_up_put(&s->r, &kthreadd);
	made_up_put(&s->r, &java);
	rig_write(
		&s->r, "/proc/stat",
		"cpu  1 0 0 1\ncpu0 1 0 0 1\ncpu1 0 0 0 0\nintr 7 0 0\n"
		"ctxt 8\nbtime 1700000000\nprocesses 4711\nprocs_running 2\n");
	assert_true(process_reading_init(&s->out, 1));
	*state = s;
	return 0;
}

static int
end(void **state)
{
	struct scene *s = *state;

	process_reading_free(&s->out);
	rig_close(&s->r);
	free(s);
	return 0;
}

static void
look(struct scene *s)
{
	s->r.f->now_ns += 1000 * MS;
	assert_int_equal(s->r.s->ops->read(s->r.s, s->r.sample, &s->r.e),
			 SOURCE_OK);
	read_processes(&s->r, &s->out);
}

UNIT_IN(what_proc_says, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row;

	rig_open(&s->r);
	assert_true(s->r.s->info.processes);
	look(s);
	assert_int_equal(s->out.n, 3);
	row = row_of(&s->out, 70);
	assert_non_null(row);
	assert_string_equal(row->name, "java");
	assert_int_equal(row->parent, 1);
	assert_int_equal(row->start, 90);
	assert_int_equal(row->uid, 1000);
	assert_string_equal(row->user, ""); /* nobody here knows */
	assert_int_equal(row->threads, 40);
	assert_int_equal(row->state, PROCESS_SLEEPS);
	assert_true(row->total.user_ns == 1000 * MS);
	assert_true(row->total.system_ns == 500 * MS);
	assert_true(row->started_ns == 1700000000900000000);
	assert_int_equal(row->access, PROCESS_NO_COUNTERS);
	assert_int_equal(row->known, PROCESS_HAS_TIMES);
	assert_int_equal(s->out.started, 4711);
	assert_int_equal(s->out.domain, DOMAIN_NONE);
	assert_int_equal(s->out.nthreads, 0);
}

/* Ticks are cut to 10 ms; the scheduler's clock fills them, and no more. */
UNIT_IN(time_is_finer_than_ticks, begin, end)
{
	struct scene *s = *state;
	struct made_up p = init;
	uint64_t before;

	rig_open(&s->r);
	look(s);
	before = time_of(&s->out, 1);
	assert_true(before == 400 * MS);
	p.ran_ns += 3 * MS;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == before + 3 * MS);
	p.ran_ns += 8 * MS;
	p.user += 1;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == before + 11 * MS);
	assert_true(row_of(&s->out, 1)->total.system_ns == 100 * MS);
	/* Time that only ticks tell of comes as ticks. */
	p.system += 50;
	made_up_put(&s->r, &p);
	p.ran_ns += 1;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == before + 510 * MS);
	/* A clock that is far off does not get through. */
	p.ran_ns += 9000ull * MS;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == before + 540 * MS);
	/* Totals never fall. */
	p.user = p.system = 0;
	p.ran_ns = 5;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == before + 540 * MS);
}

/* Its clock stands still: the line, which costs more, is not read. */
UNIT_IN(what_slept_is_not_looked_at, begin, end)
{
	struct scene *s = *state;
	struct made_up p = init;

	rig_open(&s->r);
	look(s);
	p.user += 7;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == 400 * MS);
	p.ran_ns += 70 * MS;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == 470 * MS);
	/* Of many threads the clock is of one only. */
	p = java;
	p.user += 7;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 70) == 1570 * MS);
}

/* What the CPUs did, in ticks. */
static void
busy(struct scene *s, unsigned ticks)
{
	char text[256];

	snprintf(
		text, sizeof text,
		"cpu  0 0 0 0\ncpu0 %u 0 0 1\ncpu1 0 0 0 0\nbtime 17\nprocesses 9\n",
		ticks);
	rig_write(&s->r, "/proc/stat", text);
}

/* Who sleeps for long is looked at in turn, or when somebody must have run. */
UNIT_IN(long_sleepers, begin, end)
{
	struct scene *s = *state;
	struct made_up p = java;
	unsigned looks = 0, kept = 0;

	rig_open(&s->r);
	busy(s, 1000);
	p.pid = 71;
	made_up_put(&s->r, &p);
	p.pid = 70;
	p.threads = 1;
	made_up_put(&s->r, &p);
	for (int i = 0; i < 20; i++) {
		look(s);
		kept += (row_of(&s->out, 71)->flags & PROCESS_KEPT) != 0;
	}
	/* One of many threads sleeps too. */
	assert_in_range(kept, 8, 12);
	p.ran_ns += 70 * MS;
	p.user += 7;
	made_up_put(&s->r, &p);
	for (; looks < 9 && time_of(&s->out, 70) == 1500 * MS; looks++)
		look(s);
	assert_in_range(looks, 1, 8);
	assert_true(time_of(&s->out, 70) == 1570 * MS);
	assert_false(row_of(&s->out, 70)->flags & PROCESS_KEPT);
	assert_true(row_of(&s->out, 1)->flags & PROCESS_KEPT ||
		    row_of(&s->out, 2)->flags & PROCESS_KEPT);
	/* The CPUs were busy, and nobody that is known to be: who was it? */
	for (int i = 0; i < 21; i++)
		look(s);
	for (unsigned i = 1; i < 4; i++) {
		p.ran_ns += 100 * MS;
		p.user += 10;
		made_up_put(&s->r, &p);
		busy(s, 1000 + 10 * i);
		look(s);
		assert_true(time_of(&s->out, 70) == (1570 + 100 * i) * MS);
		for (int k = 0; k < 20; k++)
			look(s);
	}
	/* One that was not looked at ends: the listing misses it. */
	made_up_remove(&s->r, 70);
	look(s);
	assert_null(row_of(&s->out, 70));
}

/* CPUs are busy with what is not in the list: sleepers are not asked for it. */
UNIT_IN(busy_with_others, begin, end)
{
	struct scene *s = *state;
	struct made_up p = init;
	unsigned kept = 0, looks = 0;

	rig_open(&s->r);
	for (unsigned i = 0; i < 40; i++) {
		busy(s, 1000 + 100 * i);
		look(s);
		if (i >= 24)
			kept += (row_of(&s->out, 1)->flags & PROCESS_KEPT) != 0;
	}
	assert_in_range(kept, 12, 14);
	p.ran_ns += 70 * MS;
	p.user += 7;
	made_up_put(&s->r, &p);
	for (; looks < 9 && time_of(&s->out, 1) == 400 * MS; looks++)
		look(s);
	assert_in_range(looks, 1, 8);
}

/* A kernel without that clock, which is all zeros. */
UNIT_IN(without_the_clock, begin, end)
{
	struct scene *s = *state;
	struct made_up self = { .name = "self", .state = 'R', .threads = 1 };
	struct made_up p = init;

	made_up_write(&s->r, &self, "/proc/self");
	rig_open(&s->r);
	p.ran_ns = 0;
	made_up_put(&s->r, &p);
	look(s);
	p.user += 7;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(time_of(&s->out, 1) == 470 * MS);
}

UNIT_IN(begin_and_end, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 90, 70, "sh", 'R', 5, 1, 2, 0, 150, 21 * MS };

	rig_write(&s->r, "/proc/loadavg", "0.00 0.01 0.05 1/94 70\n");
	rig_open(&s->r);
	look(s);
	made_up_put(&s->r, &p);
	look(s);
	/* No pid was given: /proc was not listed. */
	assert_int_equal(s->out.n, 3);
	rig_write(&s->r, "/proc/loadavg", "0.00 0.01 0.05 1/94 90\n");
	look(s);
	assert_int_equal(s->out.n, 4);
	assert_int_equal(s->out.row[3].pid, 90);
	made_up_remove(&s->r, 90);
	look(s);
	/* What it did to its end nobody knows: there is nothing to say. */
	assert_null(row_of(&s->out, 90));
	assert_int_equal(s->out.n, 3);
}

/* One that has ended but is not fetched yet: all is known, and said once. */
UNIT_IN(a_zombie, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 90, 70, "sh", 'R', 5, 1, 2, 0, 150, 21 * MS };

	made_up_put(&s->r, &p);
	rig_open(&s->r);
	look(s);
	p.state = 'Z';
	p.user = 9;
	p.ran_ns = 91 * MS;
	made_up_put(&s->r, &p);
	for (int i = 0; i < 2; i++) {
		look(s);
		assert_int_equal(row_of(&s->out, 90)->state, PROCESS_ENDED);
		assert_false(row_of(&s->out, 90)->flags & PROCESS_PARTIAL);
		assert_true(time_of(&s->out, 90) == 91 * MS);
	}
	made_up_remove(&s->r, 90);
	look(s);
	assert_null(row_of(&s->out, 90));
}

/* The pid comes back at once: another start, so another process. */
UNIT_IN(a_pid_that_comes_back, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 90, 70, "sh", 'R', 5, 3, 20, 0, 150, 21 * MS };

	made_up_put(&s->r, &p);
	rig_open(&s->r);
	look(s);
	p.start = 700;
	p.name = "vi";
	p.user = 1;
	made_up_put(&s->r, &p);
	look(s);
	assert_int_equal(s->out.n, 4);
	assert_int_equal(s->out.row[3].start, 700);
	assert_string_equal(s->out.row[3].name, "vi");
	assert_int_equal(s->out.row[3].state, PROCESS_RUNS);
	assert_true(time_of(&s->out, 90) == 10 * MS);
	look(s);
	assert_int_equal(s->out.n, 4);
	assert_int_equal(row_of(&s->out, 90)->start, 700);
}

/* exec: the process goes on under another name, maybe as another user. */
UNIT_IN(another_name, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 90, 70, "sh", 'R', 5, 1, 2, 0, 150, 21 * MS };

	made_up_put(&s->r, &p);
	rig_open(&s->r);
	look(s);
	p.name = "sudo";
	p.uid = 0;
	p.ran_ns += MS;
	made_up_put(&s->r, &p);
	look(s);
	assert_int_equal(s->out.n, 4);
	assert_string_equal(row_of(&s->out, 90)->name, "sudo");
	assert_int_equal(row_of(&s->out, 90)->uid, 0);
	assert_true(time_of(&s->out, 90) == 22 * MS);
}

UNIT_IN(what_makes_no_sense, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 90, 70, "sh", 'R', 5, 1, INT64_MAX, 0, 150, 1 };

	made_up_put(&s->r, &p);
	p.pid = 91;
	p.user = 4;
	made_up_put(&s->r, &p);
	rig_write(&s->r, "/proc/70/stat",
		  "70 (java) S 1 70 70 0 -1 4194304 19 ");
	rig_open(&s->r);
	look(s);
	assert_int_equal(s->out.n, 3);
	assert_null(row_of(&s->out, 90));
	assert_null(row_of(&s->out, 70));
	/* One that was understood before keeps its row. */
	rig_write(&s->r, "/proc/91/stat", "91 (sh) S 1 70");
	rig_write(&s->r, "/proc/91/schedstat", "77 0 0\n");
	look(s);
	assert_int_equal(row_of(&s->out, 91)->access, PROCESS_UNREADABLE);
	assert_int_equal(row_of(&s->out, 91)->known, 0);
	made_up_put(&s->r, &p);
	look(s);
	assert_int_equal(row_of(&s->out, 91)->access, PROCESS_NO_COUNTERS);
	assert_true(time_of(&s->out, 91) == 40 * MS);
}

/* Where the kernel's threads are hidden, others may be, too. */
UNIT_IN(all_or_some, begin, end)
{
	struct scene *s = *state;
	struct made_up p = kthreadd;

	rig_open(&s->r);
	look(s);
	assert_false(s->out.everything);
	rig_write(&s->r, "/proc/2/schedstat", "3 0 0\n");
	rig_write(
		&s->r, "/proc/2/stat",
		"2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5 0 0\n");
	look(s);
	assert_true(s->out.everything);
	made_up_remove(&s->r, p.pid);
	look(s);
	look(s);
	assert_false(s->out.everything);
}

/* The newest one that no listing had began after the last look. */
UNIT_IN(when_it_began, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 90, 70, "sh", 'R', 5, 1, 2, 0, 0, 21 * MS };
	int64_t at;

	rig_open(&s->r);
	look(s);
	assert_true(row_of(&s->out, 70)->started_awake_ns == 900 * MS);
	at = s->r.f->now_ns;
	p.start = (unsigned long long)at / (10 * MS) - 1;
	made_up_put(&s->r, &p);
	p.pid = 95;
	p.start -= 100;
	made_up_put(&s->r, &p);
	look(s);
	assert_true(row_of(&s->out, 90)->started_awake_ns > at);
	assert_true(row_of(&s->out, 95)->started_awake_ns < at - 900 * MS);
}

UNIT_IN(more_than_there_is_room_for, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 0, 1, "many", 'S', 0, 1, 1, 0, 150, 1 };
	enum { ALL = PROCESS_ROWS_MAX + 100, FIRST = 1000 };
	struct rlimit real;

	/* Files that are kept are real ones. */
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &real), 0);
	s->r.f->soft = s->r.f->hard = real.rlim_cur;
	for (int i = 0; i < ALL; i++) {
		p.pid = FIRST + i;
		made_up_put(&s->r, &p);
	}
	rig_open(&s->r);
	look(s);
	assert_int_equal(s->out.n + s->out.left_out, ALL + 3);
	look(s);
	/* The last of all runs: it comes in, and nobody goes for it. */
	assert_null(row_of(&s->out, p.pid));
	unsigned before = s->out.n;

	p.ran_ns += 5 * MS;
	made_up_put(&s->r, &p);
	look(s);
	assert_non_null(row_of(&s->out, p.pid));
	assert_int_equal(s->out.n, before + 1);
	assert_true(s->out.n <= PROCESS_ROWS_MAX);
}

/* ---- this machine ---- */

static volatile unsigned spun;

static int64_t
cpu_ns(void)
{
	struct rusage u;

	(void)getrusage(RUSAGE_SELF, &u);
	return (u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000000 +
	       (u.ru_utime.tv_usec + u.ru_stime.tv_usec) * 1000;
}

/* Runs for so long, and says so. */
static void
spin(int64_t ns)
{
	for (int64_t until = cpu_ns() + ns; cpu_ns() < until;)
		spun++;
}

UNIT(a_child_of_ours)
{
	struct source_options o = { .sim = NULL };
	struct process_reading out;
	/* Asked for by name: a machine may have more than there are rows. */
	int32_t mine[2] = { getpid(), getpid() };
	struct process_request w = { .opened = -1, .pin = mine, .npins = 2 };
	struct err e;
	struct source *s = perf_open_with(&o, perf_ops_system(), &e);
	int go[2], done[2];
	uint64_t before;
	char c;
	pid_t pid;

	if (s == NULL)
		skip();
	assert_true(s->info.processes);
	assert_true(process_reading_init(&out, 8));
	assert_true(s->ops->processes(s, &w, &out, &e));
	assert_non_null(row_of(&out, getpid()));
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(done), 0);
	pid = fork();
	if (pid == 0) {
		close(go[1]);
		while (read(go[0], &c, 1) == 1) {
			spin(30 * MS);
			(void)!write(done[1], &c, 1);
		}
		_exit(0);
	}
	close(go[0]);
	mine[1] = pid;
	assert_true(s->ops->processes(s, &w, &out, &e));
	before = time_of(&out, pid);
	assert_int_equal(row_of(&out, pid)->parent, getpid());
	assert_int_equal(row_of(&out, pid)->uid, geteuid());
	assert_true(row_of(&out, pid)->started_awake_ns > 0);
	assert_true(write(go[1], "x", 1) == 1 && read(done[0], &c, 1) == 1);
	assert_true(s->ops->processes(s, &w, &out, &e));
	assert_true(time_of(&out, pid) >= before + 25 * MS);
	assert_true(time_of(&out, pid) < before + 2000ull * MS);
	close(go[1]);
	siginfo_t info;

	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_true(s->ops->processes(s, &w, &out, &e));
	assert_int_equal(row_of(&out, pid)->state, PROCESS_ENDED);
	assert_true(time_of(&out, pid) >= before + 25 * MS);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_true(s->ops->processes(s, &w, &out, &e));
	assert_null(row_of(&out, pid));
	close(done[0]);
	close(done[1]);
	s->ops->close(s);
	process_reading_free(&out);
}

/* The folder's owner, also of one that nobody may look into. */
UNIT(whose_it_is)
{
	const uid_t nobody = 65534;
	struct source_options o = { .sim = NULL };
	struct process_reading out;
	int32_t mine[2] = { getpid(), 0 };
	struct process_request w = { .opened = -1, .pin = mine, .npins = 2 };
	struct source *s;
	struct err e;
	int done[2];
	char c;

	if (geteuid() != 0)
		skip();
	assert_int_equal(pipe(done), 0);
	pid_t pid = fork();

	if (pid == 0) {
		/* Another user may not read what root's program has. */
		_exit(setuid(nobody) != 0 || write(done[1], "x", 1) != 1 ||
		      pause() != 0);
	}
	assert_int_equal(read(done[0], &c, 1), 1);
	mine[1] = pid;
	s = perf_open_with(&o, perf_ops_system(), &e);
	assert_non_null(s);
	assert_true(process_reading_init(&out, 8));
	assert_true(s->ops->processes(s, &w, &out, &e));
	assert_int_equal(row_of(&out, pid)->uid, nobody);
	assert_int_equal(row_of(&out, getpid())->uid, 0);
	s->ops->close(s);
	process_reading_free(&out);
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(done[0]);
	close(done[1]);
}
