/* Events of processes by tracing the kernel: taken, told, given back. */
#include "source/kperf/kperf.h"

#include "kperf/trace.h"
#include "source/all/sources.h"
#include "source/kperf/state.h"
#include "source/mac.h"

static struct process_reading reading;
static struct process_request wish;

static const struct process_traced *
look_now(bool trace)
{
	struct err e;

	read_now();
	wish.trace = trace;
	if (!source->ops->processes(source, &wish, &reading, &e))
		fail_msg("%s", e.text);
	return &reading.traced;
}

static uint32_t
node(const char *name)
{
	uint32_t value = 0;
	size_t size = sizeof value;

	OK(sim_host()->sysctl(name, &value, &size, NULL, 0));
	return value;
}

static void
assert_let_go(void)
{
	assert_int_equal(node("ktrace.owning_pid"), 0);
	assert_int_equal(node("ktrace.state"), 0);
	assert_int_equal(node("kperf.sampling"), 0);
	OK(sim_kperf()->kpc_get_thread_counting());
}

static void
start_traced(const char *spec)
{
	process_reading_free(&reading);
	assert_true(process_reading_init(&reading, 0));
	wish = (struct process_request){ .top = 24, .opened = -1 };
	start(spec);
}

/* As many looks as make it likely that everybody was sampled. */
static const struct process_traced *
looks(unsigned n)
{
	const struct process_traced *t = NULL;

	for (unsigned i = 0; i < n; i++) {
		step_ms(503);
		t = look_now(true);
	}
	return t;
}

static bool
is_listed(int32_t pid)
{
	for (unsigned i = 0; i < reading.n; i++)
		if (reading.row[i].pid == pid)
			return true;
	return false;
}

static int
end(void **state)
{
	process_reading_free(&reading);
	return stop(state);
}

UNIT_IN(only_when_wished, NULL, end)
{
	start_traced("m1,clock=step");
	const struct process_traced *t = look_now(false);
	assert_int_equal(t->state, PROCESS_TRACING_OFF);
	assert_int_equal(t->owner, 0);
	assert_let_go();
	/* It counts what is counted: nothing is, here. */
	t = look_now(true);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "press i to acquire them"));
	assert_let_go();
	program_ok("INST_ALL INST_BRANCH BRANCH_MISPRED_NONSPEC");
	t = look_now(true);
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	assert_string_equal(t->why, "");
	assert_int_equal(node("kperf.sampling"), 1);
	assert_int_equal(look_now(false)->state, PROCESS_TRACING_OFF);
	assert_let_go();
}

/* Of the slots of the set, by process and of the one that is open. */
UNIT_IN(slots_by_process, NULL, end)
{
	const struct process_traced *t;
	uint64_t cycles = 0, slot = 0;
	unsigned threads = 0;

	start_traced("m1,clock=step");
	program_ok("INST_ALL INST_BRANCH BRANCH_MISPRED_NONSPEC");
	(void)looks(3);
	wish.opened = reading.traced.row[0].pid;
	for (unsigned n = 0; n < 8; n++) {
		t = looks(1);
		assert_int_equal(t->state, PROCESS_TRACING_ON);
		assert_int_equal(t->slots, 7);
		cycles = 0;
		for (unsigned i = 0; i < t->n; i++) {
			const struct process_counts *c = &t->row[i];

			assert_true(i == 0 || c->pid > c[-1].pid);
			assert_true(is_listed(c->pid) || c->pid == 0);
			assert_ptr_equal(process_traced_find(t, c->pid, 0), c);
			cycles += c->cycles;
			slot += c->slot[0];
		}
		assert_int_equal(t->cycles, cycles);
		for (unsigned i = 0; i < t->nthreads; i++) {
			const struct process_counts *c = &t->thread[i];

			assert_int_equal(c->pid, wish.opened);
			assert_ptr_equal(
				process_traced_find(t, c->pid, c->thread), c);
			threads++;
		}
		assert_null(process_traced_find(t, 99999, 0));
	}
	assert_true(slot > 1000000 && threads > 0);
	assert_int_equal(t->gaps + t->dropped + t->left_out, 0);
	assert_int_equal(t->period_ns, 50000000);
}

/* Another set: nothing of the one before is taken for it. */
UNIT_IN(another_set, NULL, end)
{
	start_traced("m1,clock=step");
	program_ok("INST_ALL INST_BRANCH");
	const struct process_traced *t = looks(4);
	assert_true(t->n > 0);
	program_ok("BRANCH_MISPRED_NONSPEC");
	step_ms(503);
	t = look_now(true);
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	assert_int_equal(t->n, 0);
	t = looks(2);
	assert_true(t->n > 0);
	assert_int_equal(t->slots, 1);
	/* Far fewer than instructions: no total of before is in it. */
	for (unsigned i = 0; i < t->n; i++)
		assert_true(t->row[i].slot[0] <
			    t->row[i].instructions / 10 + 1);
	assert_int_equal(t->dropped, 0);
	/* Given back with the counters, and before them. */
	assert_true(source->ops->program(source, NULL, NULL));
	assert_let_go();
	assert_int_equal(look_now(true)->state, PROCESS_TRACING_REFUSED);
}

UNIT_IN(others_have_it, NULL, end)
{
	start_traced("m1,clock=step,fault=ktrace:77@0s-5s,fault=evict@10s-15s");
	program_ok("INST_ALL");
	step_ms(10);
	const struct process_traced *t = look_now(false);
	assert_int_equal(t->state, PROCESS_TRACING_OFF);
	assert_int_equal(t->owner, 77);
	t = look_now(true);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "process 77"));
	/* It stays refused until it is wished again. */
	step_ms(6000);
	assert_int_equal(look_now(true)->state, PROCESS_TRACING_REFUSED);
	assert_int_equal(look_now(false)->state, PROCESS_TRACING_OFF);
	assert_int_equal(look_now(true)->state, PROCESS_TRACING_ON);
	/* Within one look it is noticed who has taken it, and left to them. */
	step_ms(4500);
	t = look_now(true);
	assert_int_equal(t->state, PROCESS_TRACING_REFUSED);
	assert_non_null(strstr(t->why, "taken over kernel tracing"));
	assert_int_equal(node("ktrace.owning_pid"), 668);
	OK(sim_kperf()->kpc_get_thread_counting());
	step_ms(6000);
	assert_let_go();
	(void)look_now(false);
	t = looks(4);
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	assert_true(t->n > 0);
}

/* Samples that are rarer: the same counts, and what is asked is told. */
UNIT_IN(another_period, NULL, end)
{
	start_traced("m1,clock=step");
	program_ok("INST_ALL");
	(void)looks(2);
	struct kperf_trace t = { .kperf = sim_kperf(),
				 .system = sim_host()->system };
	struct kperf_fault f;
	uint64_t period[2] = { 0, 0 };
	size_t size = sizeof period;

	assert_true(kperf_trace_period(&t, 400000000, &f));
	assert_int_equal(t.period_ns, 400000000);
	OK(sim_host()->sysctl("kperf.timer.period", period, &size, period,
			      sizeof period));
	assert_int_equal(period[1], 9600000);
	assert_int_equal(node("kperf.sampling"), 1);
	const struct process_traced *seldom = looks(4);
	assert_true(seldom->n > 0);
	assert_int_equal(seldom->gaps, 0);
}

/* Whoever reprograms the counters: their events are nobody's here. */
UNIT_IN(stolen_counters, NULL, end)
{
	const struct process_traced *t;

	start_traced("m1,clock=step,fault=steal@3s-6s");
	program_ok("BRANCH_MISPRED_NONSPEC");
	for (unsigned i = 0; i < 20; i++) {
		t = looks(1);
		for (unsigned j = 0; j < t->n; j++)
			assert_true(t->row[j].slot[0] <
				    t->row[j].instructions / 10 + 1);
	}
	assert_int_equal(t->state, PROCESS_TRACING_ON);
	assert_true(t->n > 0);
}

UNIT_IN(closed_while_it_runs, NULL, end)
{
	static const struct source_ops ops = { .program = kperf_program,
					       .read = kperf_read,
					       .processes = kperf_processes,
					       .close = kperf_close };
	const struct source_options o = { .ipc = false };
	struct err e;

	assert_true(process_reading_init(&reading, 0));
	assert_true(sim_start("m1,clock=step", &e));
	source = kperf_open_with(sim_kperf(), sim_kperfdata(), sim_host(),
				 "sim", &o, &e);
	assert_non_null(source);
	source->ops = &ops;
	sample = sample_new(source->info.topology->ncpus, &e);
	program_ok("INST_ALL");
	(void)looks(2);
	assert_true(node("ktrace.owning_pid") != 0);
	kperf_close(source);
	source = NULL;
	assert_let_go();
	sim_stop();
}
