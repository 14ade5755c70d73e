/* libkperf-sampler: every thread of other processes, next to their table. */
#include "sim/sampler_mac.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Before macOS 15 configurable counters have all modes, as fixed ones. */
#define M1 "m1,clock=step,os=14.3"
#define PERIOD (10 * MS)

static const char *const names[] = { "Cycles", "Instructions", "INST_ALL" };

enum { CYCLES, INSTRUCTIONS, INST_ALL, THREADS = 512 };
enum { READ_COST = 900 }; /* instructions */

/* What was summed up of a thread since its first sample of some moment. */
struct book {
	uint64_t thread, cycles, instructions, inst_all;
	uint64_t table_cycles, table_instructions;
	unsigned checks;
	bool open;
};

static struct book book[THREADS];
static unsigned books, readings;

static struct kps_sampler *
sampler_of(const char *spec)
{
	struct kps_error e;

	boot(spec);
	struct kps_options o = in_process();
	o.system = sim_host()->system;
	struct kps_sampler *s = kps_sampler_new(&o, &e);
	if (s == NULL)
		fail_msg("%s", e.text);
	books = readings = 0;
	return s;
}

static struct kps_processes *
processes_new(struct kps_sampler *s, int pid)
{
	struct kps_processes_options o = { .pid = pid, .period_ns = PERIOD };
	struct kps_error e;
	struct kps_processes *p = kps_processes_new(s, names, 3, &o, &e);

	if (p == NULL)
		fail_msg("%s", e.text);
	return p;
}

/* Ticks early in slices of 10 ms find threads that are on. */
static void
start_at_tick(struct kps_processes *p)
{
	struct kps_error e;

	step_ns(11 * MS - now_ns() % (10 * MS));
	if (!kps_processes_start(p, &e))
		fail_msg("%s", e.text);
}

static void
read_now(struct kps_processes *p)
{
	struct kps_error e;

	readings++;
	if (!kps_processes_read(p, &e))
		fail_msg("%s", e.text);
}

static struct book *
book_of(uint64_t thread)
{
	for (unsigned i = 0; i < books; i++)
		if (book[i].thread == thread)
			return &book[i];
	assert_true(books < THREADS);
	book[books] = (struct book){ .thread = thread };
	return &book[books++];
}

static bool
table_of(const struct kps_sampled *row, uint64_t *cycles, uint64_t *inst)
{
	struct host_thread h;

	*cycles = *inst = 0;
	if (sim_host()->thread_counts(row->pid, row->thread, &h) != 0)
		return false;
	for (unsigned i = 0; i < h.levels; i++) {
		*cycles += h.level[i].cycles;
		*inst += h.level[i].instructions;
	}
	return true;
}

/* Only where the last sample is of this very moment the table compares. */
static void
compare(const struct kps_sampled *row)
{
	struct book *b = book_of(row->thread);
	uint64_t cycles, inst;

	b->cycles += row->values[CYCLES];
	b->instructions += row->values[INSTRUCTIONS];
	b->inst_all += row->values[INST_ALL];
	if (row->ticks != sim_kperf()->kperf_ns_to_ticks((uint64_t)now_ns()) ||
	    !table_of(row, &cycles, &inst))
		return;
	if (b->open) {
		assert_int_equal(b->cycles, cycles - b->table_cycles);
		assert_int_equal(b->instructions, inst - b->table_instructions);
		/* Reading the CPUs is work too, which no table has. */
		assert_int_equal((b->inst_all - b->instructions) % READ_COST,
				 0);
		assert_true(b->inst_all - b->instructions <=
			    readings * READ_COST);
		b->checks++;
	} else {
		*b = (struct book){ .thread = row->thread,
				    .table_cycles = cycles,
				    .table_instructions = inst,
				    .open = true };
	}
}

/* Of a reading: threads make up their processes, row by row. */
static void
compare_all(const struct kps_processes *p)
{
	struct kps_sampled row, of;
	uint64_t whole[3] = { 0 }, parts[3] = { 0 };

	for (unsigned i = 0; kps_processes_process(p, i, &row); i++) {
		uint64_t sum = 0, samples = 0;

		for (unsigned j = 0; kps_processes_thread(p, j, &of); j++)
			if (of.pid == row.pid && of.unique == row.unique) {
				sum += of.values[CYCLES];
				samples += of.samples;
			}
		assert_int_equal(row.values[CYCLES], sum);
		assert_int_equal(row.samples, samples);
		assert_int_equal(row.thread, 0);
		for (unsigned k = 0; k < 3; k++)
			whole[k] += row.values[k];
	}
	for (unsigned j = 0; kps_processes_thread(p, j, &of); j++) {
		compare(&of);
		for (unsigned k = 0; k < 3; k++)
			parts[k] += of.values[k];
	}
	assert_memory_equal(whole, parts, sizeof(whole));
}

static void
read_for(struct kps_processes *p, unsigned times, unsigned periods)
{
	for (unsigned i = 0; i < times; i++) {
		step_ns(periods * PERIOD);
		read_now(p);
		compare_all(p);
	}
}

static unsigned
checked(void)
{
	unsigned n = 0;

	for (unsigned i = 0; i < books; i++)
		n += book[i].checks > 0;
	return n;
}

static uint64_t
machine_total(const char *event, int64_t at)
{
	uint64_t sum = 0;

	for (unsigned cpu = 0; cpu < 8; cpu++)
		sum += sim_total(cpu, event, false, at);
	return sum;
}

/* Nobody owns tracing, and nothing samples. */
static void
assert_let_go(void)
{
	static const char *const zero[] = { "ktrace.owning_pid", "ktrace.state",
					    "ktrace.active_mask",
					    "kperf.sampling" };

	for (unsigned i = 0; i < LEN(zero); i++) {
		uint32_t value = 1;
		size_t size = sizeof(value);

		OK(sim_host()->sysctl(zero[i], &value, &size, NULL, 0));
		assert_int_equal(value, 0);
	}
}

UNIT_IN(agrees_with_the_table, NULL, stop)
{
	struct machine_state before;
	struct kps_processes_quality q;
	struct kps_error e;

	boot(M1);
	look(&before);
	struct kps_sampler *s = sampler_of(M1);
	struct kps_processes *p = processes_new(s, 0);
	assert_false(kps_processes_read(p, &e));
	assert_int_equal(e.code, KPS_NOT_RUNNING);
	start_at_tick(p);
	assert_true(kps_processes_running(p));
	assert_int_equal(kps_processes_period(p), PERIOD);
	for (unsigned i = 0; i < 100; i++)
		read_for(p, 1, 1 + i % 3);
	kps_processes_quality(p, &q);
	assert_true(checked() >= 8);
	assert_int_equal(q.gaps + q.torn + q.rejected + q.forgotten, 0);
	assert_true(q.every_cpu && q.first > 0 && q.samples > 200);
	assert_string_equal(kps_processes_event(p, 2)->name, "INST_ALL");
	assert_true(kps_processes_stop(p, &e));
	assert_true(kps_processes_stop(p, &e));
	assert_let_go();
	kps_processes_free(p);
	kps_sampler_free(s);
	assert_as_before(&before);
}

/* The cores' own counters, to the unit: what is no process's is nobody's. */
UNIT_IN(adds_up, NULL, stop)
{
	struct kps_sampler *s = sampler_of("m1,clock=step,os=15.5");
	struct kps_processes *p = processes_new(s, 0);
	struct kps_processes_quality q;
	uint64_t sum = 0, before;

	start_at_tick(p);
	int64_t from = now_ns();
	before = machine_total("INST_ALL", from);
	for (unsigned i = 0; i < 100; i++) {
		struct kps_sampled row;

		step_ns((1 + i % 7) * 5 * MS);
		read_now(p);
		for (unsigned j = 0; kps_processes_process(p, j, &row); j++)
			sum += row.values[INST_ALL];
		kps_processes_quality(p, &q);
		assert_int_equal(q.attributed[INST_ALL], sum);
		assert_int_equal(q.machine[INST_ALL],
				 machine_total("INST_ALL", now_ns()) - before);
		assert_true(sum <= q.machine[INST_ALL]);
	}
	assert_true(sum > q.machine[INST_ALL] / 2);
	kps_processes_free(p);
	kps_sampler_free(s);
}

/* Its threads, and nobody else's. */
UNIT_IN(one_process, NULL, stop)
{
	struct kps_sampler *s = sampler_of(M1);
	struct kps_processes *p = processes_new(s, 0);
	struct kps_sampled row;
	unsigned seen = 0;
	uint64_t most = 0;
	int pid = 0;

	start_at_tick(p);
	read_for(p, 30, 1);
	for (unsigned i = 0; kps_processes_process(p, i, &row); i++)
		if (row.samples > most) {
			most = row.samples;
			pid = row.pid;
		}
	kps_processes_free(p); /* stops it */
	assert_let_go();
	assert_true(pid > 0);
	books = 0;
	p = processes_new(s, pid);
	start_at_tick(p);
	for (unsigned i = 0; i < 60; i++) {
		read_for(p, 1, 1);
		for (unsigned j = 0; kps_processes_thread(p, j, &row); j++) {
			assert_int_equal(row.pid, pid);
			seen++;
		}
	}
	assert_true(seen > 0);
	kps_processes_free(p);
	kps_sampler_free(s);
}

/* Whatever is lost of the records, of the counts nothing is. */
UNIT_IN(lost_records, NULL, stop)
{
	static const struct {
		const char *spec;
		bool gaps, torn;
	} rows[] = {
		{ M1 ",fault=drop:3@0s", false, true },
		{ M1 ",fault=ring@1s-1.1s", true, false },
		{ "m1,clock=step,os=12.6,fault=ring@1s-1.1s", true, false },
	};

	for (unsigned i = 0; i < LEN(rows); i++) {
		struct kps_sampler *s = sampler_of(rows[i].spec);
		struct kps_processes *p = processes_new(s, 0);
		struct kps_processes_quality q;

		start_at_tick(p);
		read_for(p, 150, 1);
		kps_processes_quality(p, &q);
		assert_true((q.gaps > 0) == rows[i].gaps);
		assert_true((q.torn > 0) == rows[i].torn);
		assert_int_equal(q.rejected, 0);
		/* macOS 12 tells no counts of threads. */
		assert_true(i == 2 || checked() >= 8);
		kps_processes_free(p);
		kps_sampler_free(s);
	}
}

/* Timers fire on all CPUs at once, and their records mix in the ring. */
UNIT_IN(mixed_records, NULL, stop)
{
	static const char *const specs[] = { M1, M1 ",skew=1" };
	struct kps_processes_quality q[2];

	for (unsigned i = 0; i < 2; i++) {
		struct kps_sampler *s = sampler_of(specs[i]);
		struct kps_processes *p = processes_new(s, 0);

		start_at_tick(p);
		step_ns(5 * MS); /* no tick is at a reading */
		for (unsigned j = 0; j < 100; j++) {
			step_ns(PERIOD);
			read_now(p);
		}
		kps_processes_quality(p, &q[i]);
		kps_processes_free(p);
		kps_sampler_free(s);
	}
	assert_true(q[0].samples > 300);
	assert_memory_equal(&q[0], &q[1], sizeof(q[0]));
}

/* A reader that comes late finds the ring overwritten. */
UNIT_IN(late, NULL, stop)
{
	struct kps_sampler *s = sampler_of(M1);
	struct kps_processes *p = processes_new(s, 0);
	struct kps_processes_quality q;

	start_at_tick(p);
	read_for(p, 20, 1);
	step_ns(100000 * MS); /* its 196,608 records are 50 s */
	read_now(p);
	compare_all(p);
	read_for(p, 20, 1);
	kps_processes_quality(p, &q);
	assert_true(q.gaps > 0);
	assert_true(checked() >= 8);
	assert_int_equal(q.machine[INST_ALL] >= q.attributed[INST_ALL], 1);
	kps_processes_free(p);
	kps_sampler_free(s);
}

UNIT_IN(owned_by_another, NULL, stop)
{
	struct machine_state before, now;
	struct kps_sampler *s = sampler_of(M1 ",fault=ktrace:77@0s-1s");
	struct kps_processes *p = processes_new(s, 0);
	struct kps_tracer who;
	struct kps_error e;

	step_ns(MS);
	look(&before);
	assert_true(kps_tracer(s, &who, &e));
	assert_int_equal(who.pid, 77);
	assert_false(who.background);
	assert_false(kps_processes_start(p, &e));
	assert_int_equal(e.code, KPS_TRACE_OWNED);
	assert_int_equal(e.sys_errno, 16); /* EBUSY */
	assert_non_null(strstr(e.text, "pid 77"));
	look(&now);
	assert_memory_equal(&now, &before, sizeof(now));
	step_ns(1000 * MS);
	assert_true(kps_tracer(s, &who, &e));
	assert_int_equal(who.pid, 0);
	start_at_tick(p);
	assert_true(kps_tracer(s, &who, &e));
	assert_true(who.pid > 0);
	kps_processes_free(p);
	kps_sampler_free(s);
	assert_let_go();
	/* The system's own tool gives way, and is told. */
	s = sampler_of(M1 ",fault=tailspin@0s");
	step_ns(MS);
	assert_true(kps_tracer(s, &who, &e));
	assert_true(who.pid == 333 && who.background);
	p = processes_new(s, 0);
	start_at_tick(p);
	kps_processes_free(p);
	kps_sampler_free(s);
}

/* Who takes it over keeps what it has set up. */
UNIT_IN(evicted, NULL, stop)
{
	struct machine_state before;
	struct kps_tracer who;
	struct kps_error e;

	boot(M1 ",fault=evict@1s-2s");
	look(&before);
	struct kps_sampler *s = sampler_of(M1 ",fault=evict@1s-2s");
	struct kps_processes *p = processes_new(s, 0);
	start_at_tick(p);
	read_for(p, 20, 1);
	step_ns(1000 * MS);
	for (unsigned i = 0; i < 2; i++) {
		assert_false(kps_processes_read(p, &e));
		assert_int_equal(e.code, KPS_TRACE_EVICTED);
		assert_non_null(strstr(e.text, "stop and start"));
	}
	assert_true(kps_processes_stop(p, &e));
	assert_true(kps_tracer(s, &who, &e));
	assert_int_equal(who.pid, 668);
	assert_false(kps_processes_start(p, &e));
	assert_int_equal(e.code, KPS_TRACE_OWNED);
	/* Also the reader who comes when it has gone again. */
	step_ns(1000 * MS);
	assert_let_go();
	books = 0;
	start_at_tick(p);
	read_for(p, 100, 1);
	assert_true(checked() >= 8);
	kps_processes_free(p);
	kps_sampler_free(s);
	assert_as_before(&before);
	assert_let_go();
}

/* It was taken and let go between two readings: nothing is taken again. */
UNIT_IN(evicted_unseen, NULL, stop)
{
	struct kps_sampler *s = sampler_of(M1 ",fault=evict@1s-2s");
	struct kps_processes *p = processes_new(s, 0);
	struct kps_error e;

	start_at_tick(p);
	step_ns(3000 * MS);
	assert_false(kps_processes_read(p, &e));
	assert_int_equal(e.code, KPS_TRACE_EVICTED);
	assert_let_go();
	assert_true(kps_processes_stop(p, &e));
	assert_let_go();
	kps_processes_free(p);
	kps_sampler_free(s);
}

UNIT_IN(two_at_a_time, NULL, stop)
{
	static const char *const other[] = { "L1D_CACHE_MISS_LD_NONSPEC" };
	struct kps_sampler *s = sampler_of(M1);
	struct kps_processes *p = processes_new(s, 0), *q = processes_new(s, 0);
	struct kps_processes_quality quality;
	struct kps_error e;

	start_at_tick(p);
	assert_false(kps_processes_start(q, &e));
	assert_int_equal(e.code, KPS_TRACE_OWNED);
	assert_non_null(strstr(e.text, "in this program"));
	read_for(p, 30, 1);
	/* A set that changes in between: a gap, and all begin again. */
	struct kps_thread *t = thread_new(s, other, 1);
	thread_start(t);
	read_now(p);
	books = 0;
	read_for(p, 50, 1);
	kps_processes_quality(p, &quality);
	assert_int_equal(quality.gaps, 1);
	assert_int_equal(quality.rejected, 0);
	assert_true(checked() >= 8);
	assert_true(quality.attributed[INST_ALL] <= quality.machine[INST_ALL]);
	/* Under its feet: nothing is taken by a reading afterwards. */
	assert_true(kps_sampler_release(s, &e));
	assert_let_go();
	assert_false(kps_processes_read(p, &e));
	assert_int_equal(e.code, KPS_NOT_RUNNING);
	assert_let_go();
	kps_sampler_free(s); /* before its children */
	kps_processes_free(p);
	kps_processes_free(q);
	kps_thread_free(t);
}

UNIT_IN(without_rights, NULL, stop)
{
	struct kps_sampler *s = sampler_of(M1 ",fault=eperm@1s-2s");
	struct kps_processes *p = processes_new(s, 0);
	struct kps_options o = in_process();
	struct kps_tracer who;
	struct kps_error e;

	step_ns(1000 * MS);
	assert_false(kps_tracer(s, &who, &e));
	assert_int_equal(e.code, KPS_MISSING_PRIVILEGES);
	assert_false(kps_processes_start(p, &e));
	assert_int_equal(e.code, KPS_MISSING_PRIVILEGES);
	step_ns(1000 * MS);
	assert_let_go();
	kps_processes_free(p);
	kps_sampler_free(s);
	/* Functions of somebody's own, and none to trace with. */
	boot(M1);
	s = kps_sampler_new(&o, &e);
	assert_null(kps_processes_new(s, names, 3, NULL, &e));
	assert_int_equal(e.code, KPS_NO_TRACE);
	kps_sampler_free(s);
}

struct life {
	uint64_t unique, cycles, instructions;
	int pid;
	bool compared;
};

static struct life *
life_of(struct life *life, unsigned *n, const struct kps_sampled *row)
{
	for (unsigned i = 0; i < *n; i++)
		if (life[i].unique == row->unique && life[i].pid == row->pid)
			return &life[i];
	if (row->unique == 0)
		return NULL;
	assert_true(*n < 64);
	life[*n] = (struct life){ .unique = row->unique, .pid = row->pid };
	return &life[(*n)++];
}

/*
 * What began and ended meanwhile is there as a whole, for threads sample
 * themselves where they end.
 */
UNIT_IN(whole_lives, NULL, stop)
{
	struct kps_sampler *s = sampler_of(M1);
	struct kps_processes *p = processes_new(s, 0);
	struct life life[64];
	unsigned n = 0, whole = 0;

	start_at_tick(p);
	uint64_t from = sim_kperf()->kperf_ns_to_ticks((uint64_t)now_ns());
	for (unsigned i = 0; i < 500; i++) {
		struct kps_sampled row;
		struct life *l;
		struct host_usage u;

		step_ns(1000 * MS);
		read_now(p);
		for (unsigned j = 0; kps_processes_process(p, j, &row); j++) {
			l = life_of(life, &n, &row);
			if (l == NULL)
				continue;
			l->cycles += row.values[CYCLES];
			l->instructions += row.values[INSTRUCTIONS];
		}
		for (unsigned j = 0; j < n; j++) {
			l = &life[j];
			if (l->compared ||
			    sim_host()->proc_usage(l->pid, &u) != 0 ||
			    u.exit_abstime == 0 || u.start_abstime < from)
				continue;
			assert_int_equal(l->cycles, u.cycles);
			assert_int_equal(l->instructions, u.instructions);
			l->compared = true;
			whole++;
		}
	}
	assert_true(whole >= 2);
	kps_processes_free(p);
	kps_sampler_free(s);
}

/* A pid comes back at once: two rows, and none has the other's counts. */
UNIT_IN(pids_come_back, NULL, stop)
{
	struct kps_sampler *s = sampler_of(M1 ",fault=reuse@0s");
	struct kps_processes *p = processes_new(s, 0);
	struct life life[64];
	unsigned n = 0, back = 0;

	start_at_tick(p);
	for (unsigned i = 0; i < 400; i++) {
		struct kps_sampled row;

		step_ns(1000 * MS);
		read_now(p);
		for (unsigned j = 0; kps_processes_process(p, j, &row); j++)
			(void)life_of(life, &n, &row);
	}
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = 0; j < i; j++)
			back += life[i].pid == life[j].pid;
	assert_true(back >= 2);
	kps_processes_free(p);
	kps_sampler_free(s);
}

/* Started again after every eviction; whatever it says then adds up. */
static void
read_and_check(struct kps_processes *p, unsigned *evictions)
{
	struct kps_processes_quality q;
	struct kps_sampled row;
	struct kps_error e;
	uint64_t before, sum = 0;

	kps_processes_quality(p, &q);
	before = q.attributed[CYCLES];
	if (!kps_processes_running(p)) {
		if (kps_processes_start(p, &e))
			return;
		assert_int_equal(e.code, KPS_TRACE_OWNED);
		return;
	}
	if (!kps_processes_read(p, &e)) {
		assert_int_equal(e.code, KPS_TRACE_EVICTED);
		assert_true(kps_processes_stop(p, &e));
		++*evictions;
		return;
	}
	for (unsigned i = 0; kps_processes_process(p, i, &row); i++)
		sum += row.values[CYCLES];
	kps_processes_quality(p, &q);
	assert_int_equal(q.attributed[CYCLES] - before, sum);
	assert_true(q.attributed[CYCLES] <= q.machine[CYCLES]);
	assert_int_equal(q.rejected + q.forgotten, 0);
}

/* What it left is reset, and threads stop counting when this one stops. */
UNIT_IN(after_one_that_was_killed, NULL, stop)
{
	char file[64], spec[128];
	int status;
	pid_t pid;

	snprintf(file, sizeof(file), "/tmp/ktop-killed-%ld", (long)getpid());
	snprintf(spec, sizeof(spec), "%s,state=%s", M1, file);
	(void)unlink(file); /* of one of that pid that was killed */
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		start_at_tick(processes_new(sampler_of(spec), 0));
		(void)raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	struct kps_sampler *s = sampler_of(spec);
	assert_int_equal(sim_kperf()->kpc_get_thread_counting(), 3);
	struct kps_processes *p = processes_new(s, 0);
	start_at_tick(p);
	step_ns(100 * MS);
	read_now(p);
	kps_processes_free(p);
	kps_sampler_free(s);
	OK(sim_kperf()->kpc_get_thread_counting());
	assert_let_go();
	(void)unlink(file);
}

/* Minutes of it, or with KTOP_LONG=1 a day: others come, records are lost. */
UNIT_IN(a_long_time, NULL, stop)
{
	static const char *const faults[] = { "evict@20s-30s", "ring@20s-21s",
					      "storm:200@5s-15s",
					      "off:P@20s-25s",
					      "ktrace:77@31s-33s" };
	struct kps_sampler *s = sampler_of(M1 ",fault=reuse@0s");
	struct kps_processes *p = processes_new(s, 0);
	unsigned evictions = 0, minutes = getenv("KTOP_LONG") ? 24 * 60 : 5;
	struct kps_processes_quality q;
	struct err e;

	start_at_tick(p);
	for (unsigned m = 0; m < minutes; m++) {
		if (!sim_fault(faults[m % LEN(faults)], &e))
			fail_msg("%s", e.text);
		for (unsigned i = 0; i < 12; i++) {
			step_ns(5000 * MS);
			read_and_check(p, &evictions);
		}
	}
	kps_processes_quality(p, &q);
	assert_int_equal(evictions, minutes / LEN(faults));
	assert_true(kps_processes_running(p));
	assert_true(q.samples > 1000 && q.attributed[CYCLES] > 0);
	kps_processes_free(p);
	kps_sampler_free(s);
	assert_let_go();
}
