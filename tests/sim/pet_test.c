/*
 * Sampling by a timer: lightweight PET. What the samples must say is what the
 * process table says of the same threads, to the unit.
 */
#include "sim/sampling.h"

#define M "m1,os=15.5,clock=step"

/* Of all levels, as proc_pidinfo has it; false: it ended at this moment. */
static bool
table_says(struct world *w, int32_t pid, uint64_t tid, uint64_t *cycles,
	   uint64_t *instructions)
{
	struct host_thread t;
	int code = sim_thread_counts(&w->k, &w->a, pid, tid, &t);

	*cycles = *instructions = 0;
	if (code == ESRCH)
		return false;
	assert_int_equal(code, 0);
	for (unsigned i = 0; i < t.levels; i++) {
		*cycles += t.level[i].cycles;
		*instructions += t.level[i].instructions;
	}
	return true;
}

/*
 * A sample of every thread, then one more of each: what it has more is what
 * the process table has more at the same moments.
 */
static void
agrees_with(const char *spec, uint64_t word, int seconds)
{
	enum { THREADS = 600 };
	static struct {
		uint64_t tid, cycles, inst, at_cycles, at_inst;
		int32_t pid;
	} first[THREADS];
	struct world *w = world_new(spec);
	struct tape *t = tape_new();
	unsigned known = 0, compared = 0;

	count_threads_of(w, word);
	set_up(w, 0x11, -1, 10 * MS);
	go(w);
	for (int step = 0; step < seconds * 100; step++) {
		struct sample s;
		size_t at = 0;

		wait_ms(w, 10);
		t->n = kd_read(w, &w->a, t->r, MOST);
		while (sample_at(t, &at, &s)) {
			const struct sim_record *ti = &t->r[at - 4];
			uint64_t cycles, inst;
			unsigned i = 0;

			/* of this very moment only the table can tell */
			if (s.ticks != (uint64_t)w->state.time.awake_ns * 3 /
					       125 ||
			    s.cycles == 0)
				continue;
			assert_int_equal(ti->debugid, TI_DATA);
			assert_int_equal(ti->arg[1], s.thread);
			if (!table_says(w, (int32_t)ti->arg[0], s.thread,
					&cycles, &inst))
				continue;
			while (i < known && first[i].tid != s.thread)
				i++;
			if (i == known && known < THREADS) {
				first[known].tid = s.thread;
				first[known].pid = (int32_t)ti->arg[0];
				first[known].cycles = s.cycles;
				first[known].inst = s.instructions;
				first[known].at_cycles = cycles;
				first[known++].at_inst = inst;
				continue;
			}
			assert_int_equal(s.cycles - first[i].cycles,
					 cycles - first[i].at_cycles);
			assert_int_equal(s.instructions - first[i].inst,
					 inst - first[i].at_inst);
			compared++;
		}
	}
	assert_true(known > 5 && compared > 50);
}

UNIT(agrees_with_the_table)
{
	agrees_with(M, 0x20002, 4);
	agrees_with("m2max,os=15.5,clock=step,seed=3", 0x20002, 3);
	agrees_with("m1,os=14.5,clock=step,work=P:memory", 0x60002, 3);
	agrees_with("m4,os=26.4,clock=step,fault=off:P@1s-2s", 0, 3);
	/* CPUs that nap by themselves, threads that end, other seeds. */
	static const char *const machines[] = {
		"m1max,seed=7", "m2max,seed=2",   "m3",  "m3ultra,seed=5",
		"m5max,seed=3", "m5ultra,rest=1", "neo", "m6,work=E:phases",
	};
	for (unsigned i = 0; getenv("KTOP_LONG") != NULL && i < 8; i++) {
		char spec[64] = "";

		strcat(strcat(spec, machines[i]), ",clock=step");
		agrees_with(spec, 0, 40);
	}
}

/* Looked at often or once, the samples are the same. */
UNIT(whoever_looks)
{
	struct tape *one = tape_new(), *two = tape_new();

	for (int often = 0; often < 2; often++) {
		struct world *w = world_new(M);
		struct tape *t = often ? two : one;

		count_threads(w);
		set_up(w, 0x11, -1, 10 * MS);
		go(w);
		for (int i = 0; i < (often ? 300 : 1); i++) {
			int32_t pid[8];
			int n;
			wait_ms(w, often ? 3 : 900);
			if (often && i % 7 == 0)
				sim_proc_list(&w->k, pid, 8, &n);
			if (often && i % 3 == 0)
				t->n += kd_read(w, &w->a, t->r + t->n,
						MOST - t->n);
		}
		t->n += kd_read(w, &w->a, t->r + t->n, MOST - t->n);
	}
	assert_true(one->n > 1000);
	assert_int_equal(one->n, two->n);
	assert_memory_equal(one->r, two->r, one->n * sizeof(one->r[0]));
}

/* All that a CPU's own counters grew went to threads, or has no buffer. */
UNIT(adds_up)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	uint64_t begin[8 * 10], end[8 * 10], machine = 0, threads = 0;
	struct {
		uint64_t tid, first, last;
	} seen[64];
	unsigned n = 0;

	count_threads(w);
	set_up(w, 0x11, -1, 10 * MS);
	wait_ms(w, 1000); /* everybody has a buffer */
	go(w);
	rows(w, &w->a, 3, begin);
	for (int i = 0; i < 20; i++) {
		struct sample s;
		size_t at = 0;
		wait_ms(w, 50);
		t->n = kd_read(w, &w->a, t->r, MOST);
		while (sample_at(t, &at, &s)) {
			unsigned j = 0;
			while (j < n && seen[j].tid != s.thread)
				j++;
			assert_true(j < 64);
			if (j == n)
				seen[n].first = s.cycles,
				seen[n++].tid = s.thread;
			assert_true(s.cycles >= seen[j].first);
			seen[j].last = s.cycles;
		}
	}
	rows(w, &w->a, 3, end);
	for (unsigned c = 0; c < 8; c++)
		machine += end[c * 10] - begin[c * 10];
	for (unsigned j = 0; j < n; j++)
		threads += seen[j].last - seen[j].first;
	assert_true(threads <= machine);
	assert_true(threads > machine / 2);
}

/* The first of a tick fires the timer; each CPU that is not idle samples. */
UNIT(records_of_a_tick)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	unsigned fired = 0;

	count_threads(w);
	set_up(w, 0x11, -1, 100 * MS);
	go(w);
	wait_ms(w, 1000);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i + 7 < t->n; i++) {
		const struct sim_record *r = &t->r[i];
		if (r->debugid != 0x25030000)
			continue;
		fired++;
		assert_int_equal(r->arg[0], 1);
		assert_int_equal(r->arg[1], 1);
		assert_int_equal(r->arg[2], 2400000);
		assert_int_equal(r[1].debugid, 0x25030009);
		assert_int_equal(r[2].debugid, GEN | 1);
		assert_int_equal(r[2].arg[0], 0x11);
		assert_int_equal(r[2].arg[1], 1);
		assert_int_equal(r[3].debugid, TI_DATA);
		assert_int_equal(r[4].debugid, DATA_THREAD | 1);
		assert_int_equal(r[6].debugid, DATA_THREAD | 2);
		assert_int_equal(r[7].debugid, GEN | 2);
		assert_int_equal(r[7].arg[1], 0);
		for (unsigned j = 1; j < 8; j++)
			assert_int_equal(r[j].cpu, r->cpu);
	}
	assert_in_range(fired, 9, 10);
}

/* At most one sample a thread and period at switches; idle ones say little. */
UNIT(once_a_generation)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	uint64_t start, last[8] = { 0 };
	unsigned idle = 0;

	count_threads(w);
	set_up(w, 0x11, -1, 40 * MS);
	go(w);
	start = (uint64_t)w->state.time.awake_ns * 3 / 125;
	wait_ms(w, 39);
	/* generation 0: nobody who was never sampled, and no tick yet */
	assert_int_equal(kd_read(w, &w->a, t->r, MOST), 0);
	wait_ms(w, 961);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i + 1 < t->n; i++) {
		const struct sim_record *r = &t->r[i];
		uint64_t generation = (r->timestamp - start) / 960000;
		if (r->debugid != (GEN | 1) || r->thread < SIM_IDLE_THREAD)
			continue;
		assert_int_equal(r[1].debugid, GEN | 2);
		assert_int_equal(r[1].arg[1], 1);
		unsigned cpu = (unsigned)(r->thread - SIM_IDLE_THREAD);
		assert_true(cpu < 8 && cpu == r->cpu);
		assert_true(generation > last[cpu]);
		last[cpu] = generation;
		idle++;
	}
	assert_true(idle > 8);
}

/* With the action set after the timer was chosen, switches sample nobody. */
UNIT(the_wrong_order)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	uint64_t pair[2] = { 1, 1 };

	set_up(w, 0x10, -1, 50 * MS);
	OK(set32(w, &w->a, "kperf.timer.pet_timer", 2));
	pair[1] = 0;
	OK(sim_kernel_sysctl(&w->k, &w->a, "kperf.timer.action", NULL, NULL,
			     pair, sizeof(pair)));
	OK(set32(w, &w->a, "kperf.timer.pet_timer", 1));
	pair[1] = 1;
	OK(sim_kernel_sysctl(&w->k, &w->a, "kperf.timer.action", NULL, NULL,
			     pair, sizeof(pair)));
	go(w);
	uint64_t start = (uint64_t)w->state.time.awake_ns * 3 / 125;
	wait_ms(w, 1000);
	t->n = kd_read(w, &w->a, t->r, MOST);
	assert_true(t->n > 20);
	for (size_t i = 0; i < t->n; i++)
		assert_int_equal((t->r[i].timestamp - start) % 1200000, 0);
}

/*
 * The tick samples who is on a CPU. Then PET's own thread goes through all, and
 * what it hands in are its own counters.
 */
UNIT(traditional)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	uint64_t own[64], walked[64];
	unsigned nown = 0, nwalked = 0, ticks = 0, threads;
	int32_t pid = 0;
	int n = 0;

	count_threads(w);
	set_up(w, 0x11, -1, 10 * MS);
	go(w);
	wait_ms(w, 500);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n && pid <= 0; i++)
		if (t->r[i].debugid == TI_DATA)
			pid = (int32_t)t->r[i].arg[0];
	assert_true(pid > 0);
	OK(sim_thread_list(&w->k, &w->a, pid, own, 64, &n));
	threads = (unsigned)n;
	OK(set32(w, &w->a, "kperf.sampling", 0));
	set_up(w, 0x11, pid, 40 * MS);
	OK(set32(w, &w->a, "kperf.lightweight_pet", 0));
	go(w);
	wait_ms(w, 401);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i + 1 < t->n; i++) {
		const struct sim_record *r = &t->r[i];

		if (r->debugid == 0x25030000)
			ticks++;
		if (r->debugid != TI_DATA)
			continue;
		assert_int_equal(r->arg[0], pid);
		if (r->thread != 99) {
			assert_int_equal(r->arg[1], r->thread);
			nown++;
			continue;
		}
		walked[nwalked++ % 64] = r->arg[1];
		/* zeros, of it that reads them */
		for (int k = 1; k < 4; k++) {
			assert_int_equal(r[k].debugid & ~3u, DATA_THREAD);
			assert_int_equal(r[k].thread, 99);
			assert_int_equal(r[k].arg[0] | r[k].arg[1], 0);
			assert_int_equal(r[k].arg[2], 0);
		}
	}
	/* 10 ticks, each with all of its threads; few find one on a CPU */
	assert_int_equal(ticks, 10);
	assert_int_equal(nwalked, ticks * threads);
	assert_true(nown > 0 && nown < nwalked);
	for (unsigned i = 0; i < threads; i++)
		assert_true(walked[i] == walked[i + threads]);
}

/* Others give no record, and are not taken for sampled. */
UNIT(one_process)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	int32_t pid = 0;
	unsigned own = 0;

	count_threads(w);
	set_up(w, 0x11, -1, 10 * MS);
	go(w);
	wait_ms(w, 500);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n && pid <= 0; i++)
		if (t->r[i].debugid == TI_DATA)
			pid = (int32_t)t->r[i].arg[0];
	assert_true(pid > 0);
	OK(set32(w, &w->a, "kperf.sampling", 0));
	set_up(w, 0x11, pid, 10 * MS);
	go(w);
	wait_ms(w, 500);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++) {
		if (t->r[i].debugid != TI_DATA)
			continue;
		assert_int_equal(t->r[i].arg[0], pid);
		own++;
	}
	assert_true(own > 0);
}

/* Without a buffer: zeros, as many as one has room for. */
UNIT(without_a_buffer)
{
	static const struct {
		const char *spec;
		unsigned records;
	} rows[] = { { M, 3 }, { "intel,os=15.5,clock=step", 8 } };

	for (unsigned i = 0; i < 2; i++) {
		struct world *w = world_new(rows[i].spec);
		struct tape *t = tape_new();
		unsigned n = 0;

		set_up(w, 0x10, -1, 500 * MS);
		if (i == 1) { /* nanoseconds there */
			uint64_t pair[2] = { 1, 500 * MS };
			OK(sim_kernel_sysctl(&w->k, &w->a, "kperf.timer.period",
					     NULL, NULL, pair, sizeof(pair)));
		}
		OK(kd_only(w, &w->a, DATA_THREAD));
		go(w);
		wait_ms(w, 600);
		t->n = kd_read(w, &w->a, t->r, MOST);
		for (size_t j = 0; j < t->n; j++) {
			n += t->r[j].debugid == (DATA_THREAD | 1);
			for (unsigned k = 0; k < 4; k++)
				assert_int_equal(t->r[j].arg[k], 0);
		}
		assert_true(n > 0);
		assert_int_equal(t->n, n * rows[i].records);
	}
}

/* Fixed counters go on where configurable ones stand. */
UNIT(counting_goes_off)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	struct sample s, last[8];
	unsigned stood = 0;
	size_t at = 0;

	memset(last, 0, sizeof(last));
	count_threads(w);
	set_up(w, 0x10, -1, 10 * MS);
	OK(kd_only(w, &w->a, DATA_THREAD));
	wait_ms(w, 600);
	go(w);
	wait_ms(w, 100);
	(void)kd_read(w, &w->a, t->r, MOST);
	OK(set32(w, &w->a, "kpc.counting", 0));
	wait_ms(w, 20);
	(void)kd_read(w, &w->a, t->r, MOST);
	wait_ms(w, 100);
	t->n = kd_read(w, &w->a, t->r, MOST);
	while (sample_at(t, &at, &s)) {
		struct sample *l = &last[s.cpu];
		if (s.cycles == 0) /* an idle one between */
			continue;
		if (l->thread == s.thread) {
			assert_true(s.cycles > l->cycles);
			assert_int_equal(s.pmc, l->pmc);
			stood++;
		}
		*l = s;
	}
	assert_true(stood > 4);
}

/* Processes that begin and end say so; what is theirs begins at zero. */
UNIT(births_and_deaths)
{
	struct world *w = world_new("m1,os=12.6,clock=step");
	struct tape *t = tape_new();
	unsigned begun = 0, ended = 0;

	count_threads(w);
	OK(kd_op(w, &w->a, SETUP));
	OK(kd_only(w, &w->a, DATA_THREAD));
	set_up(w, 0x10, -1, 1000 * MS);
	OK(kd_only(w, &w->a, DATA_THREAD));
	go(w);
	for (int i = 0; i < 50; i++) {
		wait_ms(w, 5000);
		t->n = kd_read(w, &w->a, t->r, MOST);
		for (size_t j = 0; j < t->n; j++) {
			const struct sim_record *r = &t->r[j];
			uint64_t id[64];
			int n = 0, found = 0;

			ended += r->debugid == 0x07000010;
			if (r->debugid != 0x07000004)
				continue;
			begun++;
			OK(sim_thread_list(&w->k, &w->a, (int32_t)r->arg[1], id,
					   64, &n));
			while (found < n && id[found] != r->arg[0])
				found++;
			assert_true(found < n);
		}
	}
	assert_true(begun > 1 && ended > 1);
}

/* Samples in a row by a CPU, whatever others say between. */
struct join {
	uint64_t thread, value[12];
	unsigned n;
};

/* How many are whole, and the sum of all their counts. */
static unsigned
joined(const struct tape *t, bool by_cpu, uint64_t *sum)
{
	struct join on[SIM_MAX_CPUS] = { 0 };
	unsigned whole = 0;

	*sum = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct sim_record *r = &t->r[i];
		struct join *j = &on[by_cpu ? r->cpu : 0];

		if (r->debugid & 1)
			*j = (struct join){ .thread = r->thread };
		if (j->thread != r->thread)
			j->n = 0;
		for (unsigned k = 0; k < 4 && j->n < 12; k++)
			j->value[j->n++] = r->arg[k];
		if ((r->debugid & 2) == 0 || j->n < 12)
			continue;
		whole++;
		*sum += j->value[0] + j->value[1] + j->value[9];
	}
	return whole;
}

/* Timers fire on all CPUs at once: who joins by neighbours loses some. */
UNIT(records_that_mix)
{
	static const char *const specs[] = { M, M ",skew=1" };
	uint64_t sum[2], other;
	unsigned whole[2];

	for (unsigned skew = 0; skew < 2; skew++) {
		struct world *w = world_new(specs[skew]);
		struct tape *t = tape_new();

		count_threads(w);
		set_up(w, 0x10, -1, 10 * MS);
		OK(kd_only(w, &w->a, DATA_THREAD));
		go(w);
		for (unsigned i = 0; i < 60; i++) {
			wait_ms(w, 10); /* at a tick, in the middle of it */
			t->n += kd_read(w, &w->a, t->r + t->n, MOST - t->n);
		}
		wait_ms(w, 1);
		t->n += kd_read(w, &w->a, t->r + t->n, MOST - t->n);
		for (size_t i = 1; i < t->n; i++)
			assert_true(t->r[i].timestamp >= t->r[i - 1].timestamp);
		whole[skew] = joined(t, true, &sum[skew]);
		if (skew)
			assert_true(joined(t, false, &other) < whole[skew]);
		else
			assert_int_equal(joined(t, false, &other), whole[skew]);
	}
	assert_true(whole[0] > 300);
	assert_int_equal(whole[0], whole[1]);
	assert_int_equal(sum[0], sum[1]);
}

/*
 * Two processes at one state file: the ring is in the first one. The other may
 * look at what it likes, but where it changes what counts, samples are lost,
 * and that is said.
 */
UNIT(another_process)
{
	struct tape *one = tape_new(), *two = tape_new();

	for (unsigned n = 0; n < 3; n++) {
		struct world *w = world_new(M);
		struct tape *t = n == 1 ? two : one;
		struct sim_kernel k;
		struct err e;

		assert_true(sim_kernel_init(&k, &w->state, true, &w->spec, &e));
		w->k.shared = k.shared = true;
		count_threads(w);
		set_up(w, 0x11, -1, 10 * MS);
		go(w);
		t->n = 0;
		for (unsigned i = 0; i < 50; i++) {
			uint32_t counting = 3;
			int32_t pid[8];
			int got;

			wait_ms(w, 7);
			if (n > 0)
				sim_proc_list(&k, pid, 8, &got);
			if (n == 2 && i == 25)
				OK(sim_kernel_sysctl(&k, &w->b, "kpc.counting",
						     NULL, NULL, &counting, 4));
			if (i % 3 == 2)
				t->n += kd_read(w, &w->a, t->r + t->n,
						MOST - t->n);
		}
		unsigned lost = 0;
		for (size_t i = 0; i < t->n; i++)
			lost += t->r[i].debugid == SIM_KD_LOST;
		assert_int_equal(lost, n == 2);
		if (n == 1) {
			assert_int_equal(one->n, two->n);
			assert_memory_equal(one->r, two->r,
					    one->n * sizeof(one->r[0]));
		}
		sim_kernel_free(&k);
	}
	assert_true(one->n > 500);
}

/* A thread's last counts: it samples itself where it ends. */
UNIT(the_last_words)
{
	struct world *w = world_new(M);
	struct tape *t = tape_new();
	struct {
		uint8_t type[16];
		uint32_t id;
	} filter = { { 4 }, 0x07000010 };
	uint8_t types[8192] = { 0 };
	size_t size = sizeof(types);
	unsigned ended = 0, counted = 0;

	types[(37 << 8 | 6) / 8] = 1 << 6;
	assert_int_equal(set32(w, &w->a, "kperf.kdebug.action", 1), EINVAL);
	set_up(w, 0x10, -1, 10 * MS);
	OK(sim_kernel_sysctl(&w->k, &w->a, "kperf.kdebug.filter", NULL, NULL,
			     &filter, 20));
	OK(set32(w, &w->a, "kperf.kdebug.action", 1));
	OK(kd(w, &w->a, SET_TYPEFILTER, types, &size));
	count_threads(w);
	OK(kd_value(w, &w->a, ENABLE, 1));
	for (int i = 0; i < 25; i++) { /* kperf.sampling stays off */
		wait_ms(w, 9000);
		t->n += kd_read(w, &w->a, t->r + t->n, MOST - t->n);
	}
	for (size_t i = 0; i + 3 < t->n; i++) {
		const struct sim_record *r = &t->r[i];

		if (r->debugid != 0x07000010)
			continue;
		ended++;
		assert_int_equal(r[1].debugid, DATA_THREAD | 1);
		assert_int_equal(r[3].debugid, DATA_THREAD | 2);
		for (unsigned j = 1; j < 4; j++)
			assert_int_equal(r[j].thread, r->thread);
		counted += r[1].arg[0] != 0;
	}
	assert_true(ended > 3 && counted > 3);
	OK(set32(w, &w->a, "kperf.reset", 1));
	assert_int_equal(value32(w, &w->a, "kperf.kdebug.action"), 0);
}

/* One sample in three lacks its end, and the next one begins as ever. */
UNIT(records_that_lack)
{
	struct world *w = world_new("m1,os=15.5,clock=step,fault=drop:3@0s");
	struct tape *t = tape_new();
	unsigned begun = 0, ended = 0;

	count_threads(w);
	set_up(w, 0x10, -1, 10 * MS);
	OK(kd_only(w, &w->a, DATA_THREAD));
	go(w);
	wait_ms(w, 500);
	t->n = kd_read(w, &w->a, t->r, MOST);
	for (size_t i = 0; i < t->n; i++) {
		begun += t->r[i].debugid == (DATA_THREAD | 1);
		ended += t->r[i].debugid == (DATA_THREAD | 2);
	}
	assert_true(begun > 100);
	assert_int_equal(ended, begun - begun / 3);
}

/* A virtual machine has no counters to sample, and samples all the same. */
UNIT(a_guest)
{
	struct world *w = world_new("vm,os=15.5,clock=step");
	struct tape *t = tape_new();

	set_up(w, 0x11, -1, 10 * MS);
	go(w);
	wait_ms(w, 200);
	t->n = kd_read(w, &w->a, t->r, MOST);
	assert_true(t->n > 10);
	for (size_t i = 0; i < t->n; i++)
		assert_true(t->r[i].debugid >> 16 != 0x2506);
}
