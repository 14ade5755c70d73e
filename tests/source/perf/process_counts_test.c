/* Counters of processes: on two kinds of cores, refused, short, in threads. */
#include "source/perf_processes.h"

#include <errno.h>

/* The two PMUs of the machine. */
enum { MS = 1000000, P = 4, E = 10 };

/* clang-format off */
static const struct made_up init = { 1, 0, "init", 'S', 0, 1, 30, 10, 5, 400 * MS };
static const struct made_up busy = { 90, 1, "busy", 'R', 1000, 1, 100, 0, 90, 1000 * MS };
/* clang-format on */

struct scene {
	struct rig r;
	struct process_reading out;
	struct process_request w;
	struct made_up busy;
	/* Refused: of that thread and PMU (0: all), and with the kernel's mode
	   alone. */
	int32_t tid;
	uint32_t type;
	int code;
	bool in_kernel;
	int late; /* readings that fail */
};

static int
refuse(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	const struct scene *s = f->arg;

	if (cpu < FAKE_TASK || (s->tid != 0 && cpu != FAKE_TASK + s->tid) ||
	    (s->type != 0 && attr->type != s->type) ||
	    (s->in_kernel && attr->exclude_kernel))
		return 0;
	return s->code;
}

static bool
fail_to_read(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	struct scene *s = f->arg;

	if (e->cpu < FAKE_TASK || s->late == 0)
		return false;
	s->late--;
	errno = ECHILD;
	*n = -1;
	return true;
}

static int
begin(void **state)
{
	struct scene *s = calloc(1, sizeof *s);

	assert_non_null(s);
	rig_prepare(&s->r, "alderlake-12900k");
	made_up_write(&s->r, &init, "/proc/self");
	made_up_put(&s->r, &init);
	made_up_put(&s->r, &busy);
	s->busy = busy;
	s->w = (struct process_request){ .top = 4, .opened = -1 };
	assert_true(process_reading_init(&s->out, 8));
	s->r.f->arg = s;
	s->r.f->refuse = refuse;
	s->r.f->on_read = fail_to_read;
	rig_open(&s->r);
	*state = s;
	return 0;
}

static int
end(void **state)
{
	struct scene *s = *state;

	process_reading_free(&s->out);
	rig_close(&s->r); /* nothing leaks */
	free(s);
	return 0;
}

static struct fake_event *
leader(struct scene *s, int tid, uint32_t type)
{
	struct fake *f = s->r.f;

	for (struct fake_event *e = fake_first_on(f, FAKE_TASK + tid);
	     e != NULL; e = fake_next_on(e))
		if (fake_leads(f, e) && e->attr.type == type)
			return e;
	return NULL;
}

/* A thread counts on one kind of core. */
static void
counts(struct scene *s, int tid, uint32_t type, uint64_t cycles,
       uint64_t instructions, unsigned enabled_ms, unsigned running_ms)
{
	struct fake_event *l = leader(s, tid, type);

	assert_non_null(l);
	assert_true(l->enabled);
	assert_int_equal(l->nmembers, 2);
	l->value += cycles;
	s->r.f->event[l->member[1]].value += instructions;
	l->en += (uint64_t)enabled_ms * MS;
	l->run += (uint64_t)running_ms * MS;
}

/* A second passes, of which `busy` runs so much. */
static const struct process_read *
look(struct scene *s, unsigned ran_ms)
{
	s->busy.ran_ns += (unsigned long long)ran_ms * MS;
	s->busy.user += ran_ms / 10;
	made_up_put(&s->r, &s->busy);
	s->r.f->now_ns += 1000 * MS;
	if (!s->r.s->ops->processes(s->r.s, &s->w, &s->out, &s->r.e))
		fail_msg("%s", s->r.e.text);
	return row_of(&s->out, 90);
}

/* What the counters said since the totals before. */
static struct process_totals
since(const struct process_totals *was, const struct process_read *row)
{
	struct process_totals d = row->total;

	d.cycles -= was->cycles;
	d.instructions -= was->instructions;
	for (int i = 0; i < 2; i++) {
		d.part[i].cycles -= was->part[i].cycles;
		d.part[i].instructions -= was->part[i].instructions;
		d.part[i].cpu_ns -= was->part[i].cpu_ns;
	}
	return d;
}

/* Nobody looks any more: nothing is counted that costs. */
UNIT_IN(let_go, begin, end)
{
	struct scene *s = *state;

	look(s, 100);
	assert_non_null(leader(s, 90, P));
	struct made_up late = busy;

	s->w.top = 0;
	late.pid = 95;
	made_up_put(&s->r, &late);
	assert_int_equal(look(s, 100)->access, PROCESS_NOT_TRACKED);
	assert_int_equal(row_of(&s->out, 95)->access, PROCESS_NOT_TRACKED);
	assert_null(leader(s, 90, P));
	assert_null(leader(s, 90, E));
	s->w.top = 4;
	assert_int_equal(look(s, 100)->access, PROCESS_COUNTED);
	assert_non_null(leader(s, 90, P));
}

static const uint32_t all_known = PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS |
				  PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES;

/* While it is on one kind, the other's group waits: that is no sharing. */
UNIT_IN(two_kinds, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row = look(s, 100);
	struct process_totals d, was;

	assert_int_equal(row->access, PROCESS_COUNTED);
	assert_int_equal(row->known, all_known);
	assert_int_equal(row->total.cycles, 0);
	assert_int_equal(s->out.parts.n, 2);
	assert_string_equal(s->out.parts.label[0], "P");
	assert_string_equal(s->out.parts.label[1], "E");
	assert_int_equal(s->out.parts.kind[1], 1);
	assert_int_equal(s->out.domain, DOMAIN_ALL);
	assert_true(leader(s, 90, P)->attr.inherit);
	assert_true(leader(s, 90, P)->attr.inherit_thread);
	was = row->total;
	counts(s, 90, P, 3000, 6000, 100, 30);
	counts(s, 90, E, 7000, 3500, 100, 70);
	row = look(s, 100);
	d = since(&was, row);
	assert_int_equal(row->flags, 0);
	assert_int_equal(d.part[0].cycles, 3000);
	assert_int_equal(d.part[0].instructions, 6000);
	assert_int_equal(d.part[0].cpu_ns, 30 * MS);
	assert_int_equal(d.part[1].cycles, 7000);
	assert_int_equal(d.part[1].cpu_ns, 70 * MS);
	assert_int_equal(d.cycles, 10000);
	assert_int_equal(d.instructions, 9500);
	/* Both together lack a fifth: others held the counters. */
	was = row->total;
	counts(s, 90, P, 3000, 6000, 100, 30);
	counts(s, 90, E, 5000, 2500, 100, 50);
	row = look(s, 100);
	d = since(&was, row);
	assert_int_equal(row->flags, PROCESS_SCALED);
	assert_int_equal(d.part[0].cycles, 3750);
	assert_int_equal(d.part[1].cycles, 6250);
	assert_int_equal(d.part[1].cpu_ns, 62500000);
	assert_int_equal(d.cycles, 10000);
	/* One kind alone. */
	was = row->total;
	counts(s, 90, P, 0, 0, 100, 0);
	counts(s, 90, E, 5000, 2500, 100, 100);
	row = look(s, 100);
	d = since(&was, row);
	assert_int_equal(row->flags, 0);
	assert_int_equal(d.part[0].cycles, 0);
	assert_int_equal(d.part[1].cycles, 5000);
	/* Not a moment: nothing is known of it. */
	was = row->total;
	counts(s, 90, P, 0, 0, 100, 0);
	counts(s, 90, E, 0, 0, 100, 0);
	row = look(s, 100);
	d = since(&was, row);
	assert_int_equal(row->flags, PROCESS_PARTIAL);
	assert_int_equal(d.cycles, 0);
	assert_int_equal(row->access, PROCESS_IN_USE);
	assert_int_equal(row->known, PROCESS_HAS_TIMES);
	/* They came back: what it had while it waited is not made up. */
	counts(s, 90, P, 100, 100, 100, 100);
	counts(s, 90, E, 0, 0, 100, 0);
	row = look(s, 100);
	assert_int_equal(row->access, PROCESS_COUNTED);
	assert_int_equal(row->known, all_known);
}

/* Each has its own counts, made of its pid. */
UNIT_IN(several, begin, end)
{
	struct scene *s = *state;
	struct made_up p = busy;

	for (p.pid = 91; p.pid < 94; p.pid++)
		made_up_put(&s->r, &p);
	look(s, 100);
	p.ran_ns += 100 * MS;
	for (p.pid = 90; p.pid < 94; p.pid++) {
		made_up_put(&s->r, &p);
		counts(s, p.pid, P, (uint64_t)p.pid, 9, 100, 50);
		counts(s, p.pid, E, (uint64_t)p.pid, 9, 100, 50);
	}
	look(s, 100);
	for (int pid = 90; pid < 94; pid++)
		assert_int_equal(row_of(&s->out, pid)->total.cycles, 2 * pid);
}

/* Groups are read one after the other, and their thread goes on. */
UNIT_IN(read_at_two_moments, begin, end)
{
	struct scene *s = *state;

	look(s, 100);
	counts(s, 90, P, 1000, 1000, 100, 100);
	counts(s, 90, E, 0, 0, 104, 0);
	assert_int_equal(look(s, 100)->flags, 0);
	counts(s, 90, P, 1000, 1000, 104, 104);
	counts(s, 90, E, 0, 0, 100, 0);
	assert_int_equal(look(s, 100)->flags, 0);
	counts(s, 90, P, 500, 500, 104, 54);
	counts(s, 90, E, 500, 500, 100, 46);
	assert_int_equal(look(s, 100)->flags, 0);
	assert_int_equal(row_of(&s->out, 90)->total.cycles, 3000);
}

UNIT_IN(a_reading_that_fails, begin, end)
{
	struct scene *s = *state;
	uint32_t counting = look(s, 100)->counting;
	const struct process_read *row;

	counts(s, 90, P, 1000, 1000, 100, 100);
	counts(s, 90, E, 0, 0, 100, 0);
	s->late = 1;
	row = look(s, 100);
	assert_true(row->flags & PROCESS_KEPT);
	assert_int_equal(row->total.cycles, 0);
	counts(s, 90, P, 1000, 1000, 100, 100);
	counts(s, 90, E, 0, 0, 100, 0);
	row = look(s, 100);
	assert_int_equal(row->flags, 0);
	assert_int_equal(row->total.cycles, 2000);
	assert_int_equal(row->counting, counting);
	/* For good: it is opened again, and counts from there. */
	s->late = 6;
	for (int i = 0; i < 3; i++)
		row = look(s, 100);
	assert_int_not_equal(row->counting, counting);
	assert_int_equal(row->access, PROCESS_COUNTED);
	s->late = 0;
	counts(s, 90, P, 1000, 1000, 100, 100);
	counts(s, 90, E, 0, 0, 100, 0);
	row = look(s, 100);
	assert_int_equal(row->flags, 0);
	assert_int_equal(row->total.cycles, 1000);
}

/* Ended, not ours to count, no such event on one PMU, and on both. */
UNIT_IN(refused, begin, end)
{
	static const struct {
		int code;
		uint32_t type;
		enum process_access access;
		uint32_t flags;
	} rows[] = {
		{ ESRCH, 0, PROCESS_NOT_TRACKED, 0 },
		{ EACCES, 0, PROCESS_DENIED, 0 },
		{ EPERM, 0, PROCESS_DENIED, 0 },
		{ ENOENT, E, PROCESS_COUNTED, PROCESS_PARTIAL },
		{ EMFILE, P, PROCESS_NO_ROOM, 0 },
		{ EBUSY, 0, PROCESS_NO_COUNTERS, 0 },
		{ ENOENT, 0, PROCESS_NO_COUNTERS, 0 },
	};
	struct scene *s = *state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct process_read *row;

		s->tid = 90;
		s->type = rows[i].type;
		s->code = rows[i].code;
		look(s, 100);
		row = look(s, 10);
		if (row->access != rows[i].access)
			fail_msg("%d: %s", rows[i].code,
				 process_access_word[row->access]);
		assert_int_equal(row->flags, rows[i].flags);
		assert_true(row->known & PROCESS_HAS_TIMES);
		end((void **)&s);
		begin((void **)&s);
	}
	*state = s;
}

/* Nobody is counted: what the list says is there all the same. */
UNIT_IN(without_counters, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row;

	s->code = ENOENT;
	row = look(s, 100);
	assert_int_equal(row->access, PROCESS_NO_COUNTERS);
	assert_int_equal(row->known, PROCESS_HAS_TIMES);
	assert_int_equal(s->out.domain, DOMAIN_NONE);
	assert_int_equal(s->out.parts.n, 0);
	row = look(s, 100);
	assert_true(time_of(&s->out, 90) == 1200ull * MS);
	/* It may change: it is asked again, now and then. */
	s->code = 0;
	for (int i = 0; i < 64; i++)
		row = look(s, 100);
	assert_int_equal(row->access, PROCESS_COUNTED);
}

/* perf_event_paranoid 2 and no right: user mode, one's own processes. */
UNIT_IN(without_rights, begin, end)
{
	struct scene *s = *state;
	struct made_up kthreadd = { 2, 0, "kthreadd", 'S', 0, 1, 0, 0, 5, 1 };
	struct made_up worker = { 60, 2, "kworker", 'R', 0, 1, 5, 5, 1, MS };

	s->in_kernel = true;
	s->code = EACCES;
	made_up_put(&s->r, &kthreadd);
	made_up_put(&s->r, &worker);
	rig_write(
		&s->r, "/proc/60/stat",
		"60 (kworker) R 2 0 0 0 -1 2129984 0 0 0 0 9 9 0 0 20 0 1 0 5 0\n");
	rig_write(
		&s->r, "/proc/2/stat",
		"2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 9 9 0 0 20 0 1 0 5 0\n");
	assert_int_equal(look(s, 100)->access, PROCESS_COUNTED);
	assert_int_equal(s->out.domain, DOMAIN_USER);
	assert_false(s->out.everything);
	assert_true(leader(s, 90, P)->attr.exclude_kernel);
	assert_int_equal(row_of(&s->out, 60)->access, PROCESS_DENIED);
	assert_null(leader(s, 60, P));
	/* Another's. */
	s->in_kernel = false;
	s->tid = 1;
	made_up_put(&s->r, &init);
	s->w.pin = &init.pid;
	s->w.npins = 1;
	look(s, 100);
	assert_int_equal(row_of(&s->out, 1)->access, PROCESS_COUNTED);
	s->w.npins = 0;
}

UNIT_IN(few_files, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 0, 1, "many", 'R', 0, 1, 10, 0, 20, MS };

	for (p.pid = 300; p.pid < 320; p.pid++)
		made_up_put(&s->r, &p);
	/* The cores have theirs, a quarter is spare; each takes four. */
	s->r.f->soft = s->r.f->hard = 132;
	assert_int_equal(s->r.f->files, 48);
	s->w.top = 24;
	look(s, 100);
	assert_true(s->r.f->files <= s->r.f->hard);
	assert_non_null(
		strstr(s->out.notice, "counters for 12 of 22 processes"));
	assert_non_null(strstr(s->out.notice, "descriptor limit"));
	unsigned counted = 0, without = 0;

	for (unsigned i = 0; i < s->out.n; i++) {
		counted += s->out.row[i].access == PROCESS_COUNTED;
		without += s->out.row[i].access == PROCESS_NO_ROOM;
		assert_int_equal(s->out.row[i].state == PROCESS_ENDED, 0);
	}
	assert_int_equal(counted, 12);
	assert_int_equal(without, 10);
}

static void
put_thread(struct scene *s, int tid, unsigned long long ran_ms)
{
	struct made_up t = s->busy;
	char folder[128];

	t.pid = tid;
	t.name = "worker";
	t.user = ran_ms / 10;
	t.ran_ns = ran_ms * MS;
	snprintf(folder, sizeof folder, "%s/proc/90/task", s->r.root);
	(void)mkdir(folder, 0755);
	snprintf(folder, sizeof folder, "/proc/90/task/%d", tid);
	made_up_write(&s->r, &t, folder);
}

/* All that are there are opened; what they make is counted through them. */
UNIT_IN(threads, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row;
	unsigned opens;

	s->busy.threads = 2;
	made_up_put(&s->r, &s->busy);
	put_thread(s, 90, 0);
	put_thread(s, 91, 0);
	look(s, 100);
	assert_non_null(leader(s, 90, P));
	assert_non_null(leader(s, 91, E));
	opens = s->r.f->opens;
	put_thread(s, 92, 0);
	s->busy.threads = 3;
	for (int i = 0; i < 3; i++) {
		counts(s, 90, P, 100, 100, 50, 50);
		counts(s, 90, E, 0, 0, 50, 0);
		counts(s, 91, P, 10, 10, 50, 50);
		row = look(s, 100);
		assert_int_equal(row->total.cycles, (i + 1) * 110);
		assert_int_equal(row->flags, 0);
	}
	assert_int_equal(s->r.f->opens, opens);
	assert_null(leader(s, 92, P));
}

/* A thread slipped through: the ticks say more than the counters. */
UNIT_IN(threads_left_out, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row;
	unsigned opens, again = 0;

	s->busy.threads = 2;
	put_thread(s, 90, 0);
	uint32_t counting = look(s, 100)->counting;

	opens = s->r.f->opens;
	put_thread(s, 91, 0);
	for (int i = 0; i < 6; i++) {
		counts(s, 90, P, 100, 100, 600, 600);
		counts(s, 90, E, 0, 0, 600, 0);
		row = look(s, 1000);
		again += row->counting != counting;
		counting = row->counting;
	}
	assert_int_equal(again, 1);
	assert_non_null(leader(s, 91, P));
	/* The probe takes some of its own at the start only. */
	assert_int_equal(s->r.f->opens - opens, 8);
}

static int
follows_nobody(struct fake *f, const struct perf_event_attr *attr, int cpu,
	       int leader)
{
	return attr->inherit_thread ? EINVAL : 0;
}

/* What ran while they were opened is nobody's fault. */
UNIT_IN(slow_to_open, begin, end)
{
	struct scene *s = *state;
	uint32_t counting = look(s, 1000)->counting;

	counts(s, 90, P, 600, 600, 600, 600);
	counts(s, 90, E, 0, 0, 600, 0);
	assert_int_equal(look(s, 1000)->counting, counting);
	for (int i = 0; i < 3; i++) {
		counts(s, 90, P, 600, 600, 990, 990);
		counts(s, 90, E, 0, 0, 990, 0);
		assert_int_equal(look(s, 1000)->counting, counting);
	}
}

/* Before 5.13 a kernel follows no threads: each is opened as it comes. */
UNIT_IN(an_old_kernel, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row;

	s->r.f->refuse = follows_nobody;
	s->busy.threads = 2;
	put_thread(s, 90, 0);
	put_thread(s, 91, 0);
	row = look(s, 100);
	assert_int_equal(row->access, PROCESS_COUNTED);
	assert_false(leader(s, 91, P)->attr.inherit);
	assert_false(leader(s, 91, P)->attr.inherit_thread);
	assert_null(leader(s, 92, P));
	uint32_t counting = row->counting;

	put_thread(s, 92, 0);
	s->busy.threads = 3;
	counts(s, 90, P, 10, 10, 60, 60);
	counts(s, 90, E, 0, 0, 60, 0);
	counts(s, 91, P, 20, 10, 60, 60);
	counts(s, 91, E, 0, 0, 60, 0);
	row = look(s, 100);
	assert_int_equal(row->total.cycles, 30);
	counts(s, 92, P, 500, 10, 100, 100);
	counts(s, 92, E, 0, 0, 100, 0);
	row = look(s, 100);
	assert_int_equal(row->total.cycles, 530);
	/* One ends: what it counted stays. */
	made_up_remove_folder(&s->r, "/proc/90/task/91");
	s->busy.threads = 2;
	row = look(s, 10);
	assert_null(leader(s, 91, P));
	row = look(s, 10);
	assert_int_equal(row->total.cycles, 530);
	assert_int_equal(row->counting, counting);
}

UNIT_IN(who_is_counted, begin, end)
{
	struct scene *s = *state;
	struct made_up p[12];

	for (int i = 0; i < 12; i++) {
		p[i] = busy;
		p[i].pid = 200 + i;
		p[i].user = 1;
		p[i].ran_ns = 10 * MS;
		made_up_put(&s->r, &p[i]);
	}
	s->w.top = 2;
	look(s, 100);
	/* At first those that ran most in all. */
	assert_int_equal(row_of(&s->out, 90)->access, PROCESS_COUNTED);
	assert_int_equal(row_of(&s->out, 1)->access, PROCESS_COUNTED);
	assert_int_equal(row_of(&s->out, 200)->access, PROCESS_NOT_TRACKED);
	/* Nobody runs: nobody is out. */
	for (int i = 0; i < 9; i++)
		look(s, 0);
	assert_int_equal(row_of(&s->out, 90)->access, PROCESS_COUNTED);
	/* Below rank 2N for four looks. */
	for (int i = 0; i < 4; i++) {
		assert_int_equal(row_of(&s->out, 90)->access, PROCESS_COUNTED);
		for (int k = 0; k < 12; k++) {
			p[k].ran_ns += (unsigned)(10 + k) * 10ull * MS;
			p[k].user += 10 + (unsigned)k;
			made_up_put(&s->r, &p[k]);
		}
		look(s, 0);
	}
	assert_int_equal(row_of(&s->out, 90)->access, PROCESS_NOT_TRACKED);
	assert_false(row_of(&s->out, 90)->known & PROCESS_HAS_COUNTS);
	assert_int_equal(row_of(&s->out, 211)->access, PROCESS_COUNTED);
	assert_int_equal(row_of(&s->out, 210)->access, PROCESS_COUNTED);
	assert_int_equal(row_of(&s->out, 209)->access, PROCESS_NOT_TRACKED);
	/* Who is pinned or opened is counted, however little it does. */
	s->w.pin = &busy.pid;
	s->w.npins = 1;
	s->w.opened = 200;
	s->w.opened_at = 90;
	look(s, 0);
	assert_int_equal(row_of(&s->out, 90)->access, PROCESS_COUNTED);
	assert_int_equal(row_of(&s->out, 200)->access, PROCESS_COUNTED);
	s->w.opened = -1;
	s->w.npins = 0;
}

/* The counters of what is gone still read: its counts are known to the end. */
UNIT_IN(the_end, begin, end)
{
	struct scene *s = *state;
	const struct process_read *row;

	look(s, 100);
	counts(s, 90, P, 500, 900, 40, 40);
	counts(s, 90, E, 0, 0, 40, 0);
	made_up_remove(&s->r, 90);
	s->r.f->now_ns += 1000 * MS;
	assert_true(s->r.s->ops->processes(s->r.s, &s->w, &s->out, &s->r.e));
	row = row_of(&s->out, 90);
	assert_non_null(row);
	assert_int_equal(row->state, PROCESS_ENDED);
	assert_int_equal(row->total.cycles, 500);
	assert_int_equal(row->flags, PROCESS_PARTIAL);
	assert_false(row->known & PROCESS_HAS_TIMES);
	assert_null(leader(s, 90, P));
	assert_true(s->r.s->ops->processes(s->r.s, &s->w, &s->out, &s->r.e));
	assert_null(row_of(&s->out, 90));
}

UNIT_IN(its_threads, begin, end)
{
	struct scene *s = *state;
	const struct process_read *t;

	s->busy.threads = 2;
	put_thread(s, 90, 10);
	put_thread(s, 91, 20);
	s->w.opened = 90;
	s->w.opened_at = 91; /* another one with that pid */
	look(s, 100);
	assert_int_equal(s->out.nthreads, 0);
	s->w.opened_at = 90;
	look(s, 100);
	assert_int_equal(s->out.nthreads, 2);
	assert_int_equal(s->out.command.pid, 90);
	assert_string_equal(s->out.command.text, "");
	t = &s->out.thread[1];
	assert_int_equal(t->pid, 90);
	assert_int_equal(t->thread, 91);
	assert_string_equal(t->name, "worker");
	assert_int_equal(t->access, PROCESS_COUNTED);
	assert_int_equal(t->known, all_known);
	assert_int_equal(t->total.user_ns, 20 * MS);
	put_thread(s, 92, 5);
	put_thread(s, 91, 27);
	look(s, 100);
	assert_int_equal(s->out.nthreads, 3);
	assert_int_equal(s->out.thread[1].total.user_ns, 27 * MS);
	s->w.opened = -1;
	look(s, 100);
	assert_int_equal(s->out.nthreads, 0);
}

static void
put_args(struct scene *s, const char *args, size_t len)
{
	char path[256];
	FILE *fp;

	snprintf(path, sizeof path, "%s/proc/90/cmdline", s->r.root);
	fp = fopen(path, "w");
	assert_non_null(fp);
	assert_int_equal(fwrite(args, 1, len, fp), len);
	assert_int_equal(fclose(fp), 0);
}

/* Read when it is opened, and when it has become another program. */
UNIT_IN(its_command, begin, end)
{
	struct scene *s = *state;

	put_args(s, "sh\0-c\0a\nb \x1b[1m", 15);
	look(s, 100);
	assert_int_equal(s->out.command.pid, -1);
	s->w.opened = 90;
	s->w.opened_at = 90;
	look(s, 100);
	assert_int_equal(s->out.command.pid, 90);
	assert_int_equal(s->out.command.start, 90);
	assert_string_equal(s->out.command.text, "sh -c a b  [1m");
	put_args(s, "a long\0x", 9);
	look(s, 100);
	assert_string_equal(s->out.command.text, "sh -c a b  [1m");
	s->busy.name = "another";
	s->busy.ran_ns += MS;
	made_up_put(&s->r, &s->busy);
	look(s, 100);
	assert_string_equal(s->out.command.text, "a long x");
	s->w.opened = -1;
	look(s, 100);
	assert_int_equal(s->out.command.pid, -1);
}

/* Another set of the cores' takes what processes had. */
UNIT_IN(cores_come_first, begin, end)
{
	struct scene *s = *state;
	struct made_up p = { 0, 1, "many", 'R', 0, 1, 10, 0, 20, MS };

	for (p.pid = 300; p.pid < 340; p.pid++)
		made_up_put(&s->r, &p);
	s->r.f->soft = s->r.f->hard = 170;
	s->w.top = 24;
	look(s, 100);
	assert_true(s->r.f->files > 48 + 70);
	assert_true(rig_program(&s->r, "branch"));
	assert_true(s->r.f->files > 48);
	assert_true(s->r.f->files <= 170);
	look(s, 100);
	assert_int_equal(row_of(&s->out, 90)->access, PROCESS_COUNTED);
	assert_true(s->r.f->files <= 170);
}

/* The limit of open files is as it was when ktop goes. */
UNIT_IN(the_limit_is_put_back, begin, end)
{
	struct scene *s = *state;

	s->r.f->soft = s->r.f->files + 10;
	s->r.f->hard = 100000;
	uint64_t before = s->r.f->soft;

	look(s, 100);
	assert_true(s->r.f->soft > before);
	s->r.s->ops->close(s->r.s);
	s->r.s = NULL;
	assert_int_equal(s->r.f->files, 0);
	assert_int_equal(s->r.f->put_back, before);
}
