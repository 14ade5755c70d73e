/* Events of processes: in the groups of their threads, while they are wanted.
 */
#include "source/perf_processes.h"

#include <errno.h>

enum { MS = 1000000, PID = 90 };

/* clang-format off */
static const struct made_up init = { 1, 0, "init", 'S', 0, 1, 30, 10, 5, 400 * MS };
static const struct made_up busy = { PID, 1, "busy", 'R', 1000, 1, 100, 0, 90, 1000 * MS };
/* clang-format on */

struct scene {
	struct rig r;
	struct process_reading out;
	struct process_request w;
	struct made_up busy;
	int code; /* that opening for a thread gives, */
	bool all; /* of whatever; else of what is config alone */
	uint64_t config;
	int32_t only; /* of this thread alone; 0: of all */
};

static int
refuse(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	const struct scene *s = f->arg;

	if (cpu < FAKE_TASK || (s->only != 0 && cpu != FAKE_TASK + s->only))
		return 0;
	return s->all || attr->config == s->config ? s->code : 0;
}

static int
begin_on(struct scene *s, const char *machine)
{
	rig_prepare(&s->r, machine);
	made_up_write(&s->r, &init, "/proc/self");
	made_up_put(&s->r, &busy);
	s->busy = busy;
	s->w = (struct process_request){ .top = 4,
					 .opened = -1,
					 .trace = true };
	assert_true(process_reading_init(&s->out, 8));
	s->r.f->arg = s;
	s->r.f->refuse = refuse;
	rig_open(&s->r);
	return 0;
}

static int
begin(void **state)
{
	struct scene *s = calloc(1, sizeof *s);

	assert_non_null(s);
	*state = s;
	return begin_on(s, "zen4-7950x");
}

/* A machine with some counters more. */
static int
begin_many(void **state)
{
	struct scene *s = calloc(1, sizeof *s);

	assert_non_null(s);
	*state = s;
	return begin_on(s, "xeon-6430-2s-snc2");
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

/* ---- what a thread does ---- */

static struct fake_event *
leader(struct scene *s, int tid)
{
	return fake_leader(s->r.f, FAKE_TASK + tid);
}

/* Each member counts k times its place in the group: 1, 2, 3 ... */
static void
counts_of(struct scene *s, struct fake_event *l, uint64_t k, unsigned en_ms,
	  unsigned run_ms)
{
	assert_non_null(l);
	assert_true(l->enabled);
	for (int i = 0; i < l->nmembers; i++)
		s->r.f->event[l->member[i]].value += k * (unsigned)(i + 1);
	l->en += (uint64_t)en_ms * MS;
	l->run += (uint64_t)run_ms * MS;
}

static void
counts(struct scene *s, int tid, uint64_t k, unsigned en_ms, unsigned run_ms)
{
	counts_of(s, leader(s, tid), k, en_ms, run_ms);
}

/* A second passes, of which `busy` runs a tenth. */
static const struct process_traced *
look(struct scene *s)
{
	s->busy.ran_ns += 100ull * MS;
	s->busy.user += 10;
	made_up_put(&s->r, &s->busy);
	s->r.f->now_ns += 1000 * MS;
	if (!s->r.s->ops->processes(s->r.s, &s->w, &s->out, &s->r.e))
		fail_msg("%s", s->r.e.text);
	return &s->out.traced;
}

static unsigned
slots_of(const struct scene *s)
{
	return s->r.s->info.set->len;
}

/* Slots that the cores leave to processes: their set has so many. */
static unsigned
yields(const struct scene *s)
{
	const struct eventset *set = s->r.s->info.set;
	unsigned n = FIXED_COUNT;

	for (unsigned i = 0; i < set->len; i++) /* or made of the cycles */
		n += set->slot[i].event->native != NULL;
	for (struct fake_event *e = fake_first_on(s->r.f, 0); e != NULL;
	     e = fake_next_on(e))
		n--;
	return n;
}

/* ---- tests ---- */

UNIT_IN(in_one_group, begin, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;
	const struct process_counts *row;

	assert_true(rig_program(&s->r, "branch"));
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	assert_true(t->own);
	assert_int_equal(t->n, 0); /* from the next on */
	assert_int_equal(t->slots, (1u << slots_of(s)) - 1);
	assert_int_equal(leader(s, PID)->nmembers, 2 + (int)slots_of(s));
	assert_true(leader(s, PID)->attr.inherit);
	assert_true(t->files >= 2 + slots_of(s));
	counts(s, PID, 1000, 100, 100);
	look(s);
	assert_int_equal(t->n, 1);
	row = process_traced_find(t, PID, 0);
	assert_non_null(row);
	assert_int_equal(row->cycles, 1000);
	assert_int_equal(row->instructions, 2000);
	assert_int_equal(t->cycles, 1000);
	for (unsigned i = 0, sum = 0; i < slots_of(s); i++) {
		sum += (unsigned)row->slot[i];
		if (i == slots_of(s) - 1) /* each of them once */
			assert_int_equal(sum, 1000 * (3 + 2 + slots_of(s)) *
						      slots_of(s) / 2);
	}
	/* The pair is the process's own, too. */
	assert_int_equal(row_of(&s->out, PID)->total.cycles, 1000);
	/* What did nothing has no row, and each interval its own. */
	look(s);
	assert_null(process_traced_find(t, PID, 0));
	counts(s, PID, 7, 100, 100);
	assert_int_equal(process_traced_find(look(s), PID, 0)->cycles, 7);
}

/* The events of the process in the last frame. */
static const struct span *
events_in_frame(const struct scene *s, int32_t pid)
{
	const struct process_table *t = s->r.frame->processes;

	for (unsigned i = 0; i < t->n; i++)
		if (t->row[i].pid == pid)
			return t->row[i].events;
	return NULL;
}

/* What the screen makes of them: the preset's, of what was counted together. */
UNIT_IN(rates_of_a_preset, begin, end)
{
	struct scene *s = *state;
	const struct process_counts *row;
	unsigned metric = (unsigned)metric_find("branch_mpki"), slot = 0;
	double wanted;
	bool few;

	assert_true(rig_program(&s->r, "branch"));
	look(s);
	assert_true(monitor_feed_processes(s->r.m, &s->out, &s->r.e));
	counts(s, PID, 1000000, 100, 100);
	fake_second(s->r.f, 1000000000);
	rig_read(&s->r);
	look(s);
	assert_true(monitor_feed_processes(s->r.m, &s->out, &s->r.e));
	row = process_traced_find(&s->out.traced, PID, 0);
	assert_non_null(row);
	while (strcmp(s->r.s->info.set->slot[slot].event->name,
		      "BRANCH_MISPRED_NONSPEC") != 0)
		assert_true(++slot < slots_of(s));
	wanted = 1000 * (double)row->slot[slot] / (double)row->instructions;
	assert_true(wanted > 0);
	assert_true(monitor_traces(s->r.m, metric));
	assert_non_null(events_in_frame(s, PID));
	assert_true(near(
		monitor_traced(s->r.m, events_in_frame(s, PID), metric, &few),
		wanted));
}

/* The kernel let them take turns: the pair says so, events are as counted. */
UNIT_IN(nothing_is_scaled_up, begin, end)
{
	struct scene *s = *state;
	const struct process_counts *row;

	assert_true(rig_program(&s->r, "branch"));
	look(s);
	counts(s, PID, 1000, 8, 6); /* too little to tell that they are short */
	row = process_traced_find(look(s), PID, 0);
	assert_int_equal(row->cycles, 1000);
	assert_int_equal(row->instructions, 2000);
	assert_int_equal(row_of(&s->out, PID)->flags, PROCESS_SCALED);
	assert_int_equal(row_of(&s->out, PID)->total.cycles, 1333);
	assert_int_equal(yields(s), 0);
}

static void
put_thread(struct scene *s, int tid)
{
	struct made_up t = s->busy;
	char folder[128];

	t.pid = tid;
	t.name = "worker";
	snprintf(folder, sizeof folder, "%s/proc/%d/task", s->r.root, PID);
	(void)mkdir(folder, 0755);
	snprintf(folder, sizeof folder, "/proc/%d/task/%d", PID, tid);
	made_up_write(&s->r, &t, folder);
}

UNIT_IN(processes_have_theirs, begin, end)
{
	struct scene *s = *state;
	struct made_up p = busy;

	assert_true(rig_program(&s->r, "branch"));
	for (p.pid = PID + 1; p.pid < PID + 4; p.pid++)
		made_up_put(&s->r, &p);
	look(s);
	p.ran_ns += 100 * MS;
	for (p.pid = PID; p.pid < PID + 4; p.pid++) {
		made_up_put(&s->r, &p);
		counts(s, p.pid, (uint64_t)p.pid, 100, 100);
	}
	look(s);
	for (int pid = PID; pid < PID + 4; pid++) {
		const struct process_counts *row =
			process_traced_find(&s->out.traced, pid, 0);

		assert_non_null(row);
		assert_int_equal(row->cycles, pid);
		assert_int_equal(row->instructions, 2 * pid);
	}
}

/* The one that follows nobody is the thread's own. */
static struct fake_event *
own_leader(struct scene *s, int tid)
{
	for (struct fake_event *e = fake_first_on(s->r.f, FAKE_TASK + tid);
	     e != NULL; e = fake_next_on(e))
		if (fake_leads(s->r.f, e) && !e->attr.inherit)
			return e;
	return NULL;
}

UNIT_IN(threads_have_theirs, begin, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;

	assert_true(rig_program(&s->r, "branch"));
	s->busy.threads = 2;
	put_thread(s, PID);
	put_thread(s, 91);
	s->w.opened = PID;
	s->w.opened_at = busy.start;
	look(s);
	look(s);
	for (int i = 1; i <= 2; i++) {
		s->busy.ran_ns += 1;
		put_thread(s, PID);
		put_thread(s, 91);
		counts_of(s, own_leader(s, PID), 30, 50, 50);
		counts_of(s, own_leader(s, 91), 10, 50, 50);
		look(s);
		assert_int_equal(t->nthreads, 2);
		assert_int_equal(process_traced_find(t, PID, PID)->cycles, 30);
		assert_int_equal(process_traced_find(t, PID, 91)->instructions,
				 20);
	}
}

/* k again, another set, none at all, and nobody who looks. */
UNIT_IN(given_back, begin, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;
	unsigned pair, files;
	int members;

	assert_true(rig_program(&s->r, "branch"));
	s->w.trace = false;
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_OFF);
	assert_int_equal(leader(s, PID)->nmembers, 2);
	pair = s->r.f->files;
	/* Said before it is done. */
	look(s);
	files = (unsigned)t->files;
	s->w.trace = true;
	look(s);
	assert_int_equal(s->r.f->files - pair,
			 files / (2 + slots_of(s)) * slots_of(s));
	assert_int_equal(t->files, files);
	s->w.trace = false;
	look(s);
	assert_int_equal(s->r.f->files, pair);
	assert_int_equal(leader(s, PID)->nmembers, 2);
	assert_int_equal(t->n, 0);
	s->w.trace = true;
	look(s);
	members = leader(s, PID)->nmembers;
	assert_true(rig_program(&s->r, "frontend"));
	assert_null(leader(s, PID)); /* of the set before */
	look(s);
	assert_int_equal(leader(s, PID)->nmembers, 2 + (int)slots_of(s));
	assert_int_not_equal(members, 0);
	assert_true(s->r.s->ops->program(s->r.s, NULL, &s->r.e));
	assert_null(leader(s, PID));
	rig_read(&s->r);
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "press i to acquire them"));
	assert_int_equal(leader(s, PID)->nmembers, 2);
	assert_true(rig_program(&s->r, "branch"));
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	s->w = (struct process_request){ .opened = -1 };
	look(s);
	assert_null(leader(s, PID));
}

/*
 * They never count while the cores have all counters: the cores keep the pair,
 * and what still does not fit goes, the least important first.
 */
UNIT_IN(the_cores_yield, begin_many, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;
	unsigned files, slots;

	assert_true(rig_program(&s->r, "basic"));
	files = s->r.f->files;
	look(s);
	counts(s, PID, 0, 100, 0);
	look(s);
	assert_int_equal(t->n, 0); /* nothing is known, and not 0 */
	assert_int_not_equal(yields(s), 0);
	assert_int_equal(fake_leader(s->r.f, 0)->nmembers, 2);
	fake_second(s->r.f, 1000000000);
	rig_read(&s->r);
	assert_non_null(strstr(s->r.s->info.notice,
			       "while processes use the counters"));
	assert_int_equal(rig_state(&s->r, 0, "branch_mpki"), VALUE_IN_USE);
	assert_int_equal(rig_state(&s->r, 0, "ipc"), VALUE_OK);
	look(s);
	slots = t->slots;
	assert_int_not_equal(slots, 0);
	/* Somebody else holds one, too. */
	counts(s, PID, 0, 100, 0);
	look(s);
	look(s);
	assert_int_equal(t->slots & slots, t->slots);
	assert_int_not_equal(t->slots, slots);
	counts(s, PID, 100, 100, 100);
	assert_int_equal(look(s)->n, 1);
	/* Back with all that there was. */
	s->w.trace = false;
	s->w.top = 0;
	look(s);
	assert_int_equal(yields(s), 0);
	assert_int_equal(s->r.f->files, files);
	fake_second(s->r.f, 1000000000);
	rig_read(&s->r);
	fake_second(s->r.f, 1000000000);
	rig_read(&s->r);
	assert_int_equal(rig_state(&s->r, 0, "branch_mpki"), VALUE_OK);
	assert_string_equal(s->r.s->info.notice, "");
}

/* Nobody wants events, but the pair is to be known where processes are first.
 */
UNIT_IN(the_pair_comes_first, begin_many, end)
{
	struct scene *s = *state;
	int before;

	assert_true(rig_program(&s->r, "basic"));
	before = fake_leader(s->r.f, 0)->nmembers;
	s->w.trace = false;
	look(s);
	counts(s, PID, 0, 100, 0);
	look(s);
	assert_int_equal(row_of(&s->out, PID)->access, PROCESS_IN_USE);
	assert_int_equal(yields(s), 0); /* the cores are */
	s->w.first = true;
	counts(s, PID, 0, 100, 0);
	look(s);
	assert_int_equal(yields(s), FIXED_COUNT);
	assert_int_equal(fake_leader(s->r.f, 0)->nmembers,
			 before - FIXED_COUNT);
	counts(s, PID, 100, 100, 100);
	look(s);
	assert_int_equal(yields(s), FIXED_COUNT);
	assert_int_equal(row_of(&s->out, PID)->access, PROCESS_COUNTED);
	assert_int_equal(row_of(&s->out, PID)->total.cycles, 100);
	/* It shares them with another: that is no reason. */
	counts(s, PID, 100, 100, 50);
	look(s);
	assert_int_equal(yields(s), FIXED_COUNT);
	/* Others have them all: the cores lose nothing for nothing. */
	for (int i = 0; i < 10; i++) {
		counts(s, PID, 0, 100, 0);
		look(s);
	}
	assert_int_equal(yields(s), 0);
	assert_int_equal(fake_leader(s->r.f, 0)->nmembers, before);
	s->w.first = false;
	look(s);
	s->w.first = true;
	counts(s, PID, 0, 100, 0);
	look(s);
	assert_int_equal(yields(s), FIXED_COUNT);
	/* What was before says nothing: others came first, another set. */
	s->w.first = false;
	counts(s, PID, 0, 1000, 0);
	look(s);
	s->w.first = true;
	counts(s, PID, 100, 100, 100);
	look(s);
	assert_int_equal(yields(s), 0);
	counts(s, PID, 0, 100, 0);
	assert_true(rig_program(&s->r, "basic"));
	look(s);
	assert_int_equal(yields(s), 0);
	counts(s, PID, 0, 100, 0);
	look(s);
	assert_int_equal(yields(s), FIXED_COUNT);
	/* Nobody looks any more. */
	s->w = (struct process_request){ .opened = -1 };
	look(s);
	assert_int_equal(yields(s), 0);
	assert_int_equal(fake_leader(s->r.f, 0)->nmembers, before);
}

UNIT_IN(no_counter_at_all, begin, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;

	assert_true(rig_program(&s->r, "basic"));
	for (int i = 0; i < 20 && t->state != PROCESS_TRACING_REFUSED; i++) {
		look(s);
		if (leader(s, PID) != NULL)
			counts(s, PID, 0, 100, 0);
	}
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "no counter is free"));
	assert_int_equal(yields(s), 0);
	/* It stays so until it is not wished any more. */
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_int_equal(leader(s, PID)->nmembers, 2);
	s->w.trace = false;
	look(s);
	s->w.trace = true;
	assert_int_equal(look(s)->state, PROCESS_TRACING_ON);
}

/* An event that the kernel does not take of threads; and no right to any. */
UNIT_IN(refused, begin, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;
	const struct eventset *set = s->r.s->info.set;
	unsigned all;

	assert_true(rig_program(&s->r, "branch"));
	all = (1u << slots_of(s)) - 1;
	s->config = set->slot[1].event->number;
	s->code = EINVAL;
	look(s);
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	assert_int_equal(t->slots, all & ~2u);
	assert_int_equal(row_of(&s->out, PID)->access, PROCESS_COUNTED);
	counts(s, PID, 10, 100, 100);
	assert_int_equal(process_traced_find(look(s), PID, 0)->slot[1], 0);
	s->w.trace = false;
	look(s);
	s->w.trace = true;
	s->all = true;
	s->code = EACCES;
	look(s);
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "perf_event_paranoid"));
	assert_int_equal(row_of(&s->out, PID)->access, PROCESS_DENIED);
}

/* Of one thread alone: an event that it lacks would read as 0. */
UNIT_IN(refused_of_one, begin, end)
{
	struct scene *s = *state;

	assert_true(rig_program(&s->r, "branch"));
	s->config = s->r.s->info.set->slot[1].event->number;
	s->code = EINVAL;
	s->only = PID;
	look(s);
	look(s);
	assert_int_equal(s->out.traced.state, PROCESS_TRACING_ON);
	assert_int_equal(s->out.traced.slots, (1u << slots_of(s)) - 1);
	assert_null(leader(s, PID));
	assert_int_equal(row_of(&s->out, PID)->access, PROCESS_NO_COUNTERS);
}

/* Where no core may be counted the sentence is the source's own. */
static int
refuse_all(struct fake *f, const struct perf_event_attr *attr, int cpu,
	   int leader)
{
	return attr->exclude_kernel ? 0 : EACCES;
}

UNIT_IN(without_rights, begin, end)
{
	struct scene *s = *state;
	const struct process_traced *t = &s->out.traced;

	process_reading_free(&s->out);
	rig_close(&s->r);
	memset(s, 0, sizeof *s);
	rig_prepare(&s->r, "zen4-7950x");
	made_up_put(&s->r, &busy);
	rig_write(&s->r, "/proc/sys/kernel/perf_event_paranoid", "2\n");
	s->busy = busy;
	s->w = (struct process_request){ .top = 4, .opened = -1 };
	assert_true(process_reading_init(&s->out, 8));
	s->r.f->refuse = refuse_all;
	rig_open(&s->r);
	assert_int_equal(look(s)->state, PROCESS_TRACING_OFF);
	s->w.trace = true;
	look(s);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "perf_event_paranoid is 2"));
	/* One's own have their pair all the same. */
	look(s);
	assert_int_equal(row_of(&s->out, PID)->access, PROCESS_COUNTED);
}
