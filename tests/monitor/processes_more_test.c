/* Processes further: recordings, threads, the past, many of them. */
#include "monitor/processes_kit.h"

#include <cmocka.h>

UNIT(test_recorded)
{
	struct kit k;

	kit_open(&k);
	k.r.recorded = true;
	k.r.has_rest = true;
	k.r.rest.known = PROCESS_HAS_COUNTS;
	k.r.rest.total.cycles = (uint64_t)-3;
	k.r.started = 4;
	kit_work(kit_add(&k, 20, -1), 0, 700 * M, 1400 * M);
	kit_add(&k, 7, -1)->access = PROCESS_NEW;
	k.r.row[1].known = 0;
	k.r.row[0].interval_ns = 2000 * (int64_t)M;
	k.r.row[0].flags = PROCESS_CATCHUP;
	kit_second(&k);
	kit_tick(&k);
	assert_true(kit_row(&k, 20)->d.cycles == 700 * M);
	assert_int_equal(kit_row(&k, 20)->flags, PROCESS_CATCHUP);
	assert_near(kit_row(&k, 20)->value[PROCESS_CPU], 35, 1e-9);
	assert_int_equal(kit_row(&k, 7)->access, PROCESS_NEW);
	assert_true(k.t->has_rest);
	/* As older recordings have it. */
	assert_int_equal(k.t->rest.known, 0);
	assert_int_equal(k.t->rest.flags, PROCESS_SKEW);
	assert_int_equal(k.t->started, 4);
	kit_second(&k);
	kit_drop(&k, 20);
	kit_tick(&k);
	assert_int_equal(k.t->n, 1); /* nothing is concluded */
	kit_close(&k);
}

static struct process_read *
add_thread(struct kit *k, uint64_t id)
{
	struct process_read *p = &k->r.thread[k->r.nthreads++];

	*p = *kit_find(k, 20);
	p->thread = id;
	p->started_awake_ns = 0;
	p->total = (struct process_totals){ 0 };
	return p;
}

UNIT(test_threads)
{
	struct kit k;

	kit_open(&k);
	kit_add(&k, 20, -1);
	add_thread(&k, 901);
	add_thread(&k, 900);
	kit_feed_processes(&k);
	kit_second(&k);
	kit_work(&k.r.thread[0], 0, 600 * M, 600 * M);
	kit_work(&k.r.thread[1], 1, 200 * M, 100 * M);
	kit_run(&k, kit_find(&k, 20), 0, 600 * M, 600 * M);
	kit_run(&k, kit_find(&k, 20), 1, 200 * M, 100 * M);
	kit_tick(&k);
	assert_int_equal(k.t->opened, 20);
	assert_int_equal(k.t->nthreads, 2);
	assert_int_equal(k.t->thread[0].thread, 900);
	assert_near(k.t->thread[0].value[PROCESS_IPC], 0.5, 1e-9);
	assert_near(k.t->thread[1].value[PROCESS_CPU], 60, 1e-9);
	/* One ends with what it did; one begins. */
	kit_second(&k);
	k.r.nthreads = 1;
	kit_work(&k.r.thread[0], 0, 10 * M, 10 * M);
	kit_work(add_thread(&k, 902), 0, 20 * M, 20 * M);
	kit_run(&k, kit_find(&k, 20), 0, 70 * M, 70 * M);
	kit_tick(&k);
	assert_int_equal(k.t->nthreads, 4);
	assert_int_equal(k.t->thread[0].state, PROCESS_ENDED);
	assert_int_equal(k.t->thread[2].flags, PROCESS_BORN);
	assert_string_equal(k.t->thread[3].name, "(ended threads)");
	assert_true(k.t->thread[3].d.cycles == 40 * M);
	kit_second(&k);
	k.r.nthreads = 0;
	k.r.command =
		(struct process_command){ 20, 0, 7, "a\xe2\x80\xae \xff\x1b" };
	kit_tick(&k);
	assert_int_equal(k.t->command->pid, 20);
	assert_int_equal(k.t->command->start, 7);
	assert_string_equal(k.t->command->text, "a \xef\xbf\xbd");
	assert_int_equal(k.t->opened, -1);
	assert_int_equal(k.t->nthreads, 0);
	kit_close(&k);
}

/* They are read one after the other: together they can have more than it. */
UNIT(test_threads_that_have_more_than_their_process)
{
	static const struct {
		uint64_t whole, thread, ended; /* cycles; of those that ended */
		bool times;                    /* they are told besides */
	} row[] = {
		{ 100 * M, 100 * M, 0, true },
		{ 100 * M, 100 * M + 1, UINT64_MAX, true },
		{ 100 * M, 130 * M, UINT64_MAX, false },
		{ 130 * M, 100 * M, 30 * M, true },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		struct kit k;

		kit_open(&k);
		kit_add(&k, 20, -1);
		add_thread(&k, 900);
		add_thread(&k, 901);
		kit_feed_processes(&k);
		kit_second(&k);
		k.r.nthreads = 1;
		kit_work(&k.r.thread[0], 0, row[i].thread, row[i].thread);
		kit_run(&k, kit_find(&k, 20), 0, row[i].whole, row[i].whole);
		/* Times are told by another clock, and fit. */
		k.r.thread[0].total.user_ns = row[i].times ? 10 * M : 900 * M;
		kit_tick(&k);

		const struct process_row *last =
			&k.t->thread[k.t->nthreads - 1];
		bool told = strcmp(last->name, "(ended threads)") == 0;

		/* Times alone, or nothing where they are too much, too. */
		assert_int_equal(told,
				 row[i].ended != UINT64_MAX || row[i].times);
		assert_int_equal(k.t->thread[0].d.cycles, row[i].thread);
		assert_int_equal(k.t->thread[1].state, PROCESS_ENDED);
		for (unsigned t = 0; t < k.t->nthreads; t++)
			assert_true(k.t->thread[t].d.cycles <= 130 * M &&
				    k.t->thread[t].d.user_ns <= 900 * M);
		if (told && row[i].ended != UINT64_MAX)
			assert_int_equal(last->d.cycles, row[i].ended);
		else if (told)
			assert_int_equal(last->known & PROCESS_HAS_COUNTS, 0);
		kit_close(&k);
	}
}

enum { ROOM = PROCESS_ROWS_MAX, ONE_MORE = ROOM + 1 };

/* A second of work of pids 1 ... ROOM + 1, listed in turns, but for one. */
static void
read_all_but(struct kit *k, int without, uint64_t seconds)
{
	k->r.n = 0;
	for (unsigned i = 0; i < ONE_MORE; i++) {
		int pid = 1 + (int)(i * 7919 % ONE_MORE);

		if (pid != without)
			kit_work(kit_add(k, pid, -1), 0,
				 seconds * 1000 * (uint64_t)pid, 1);
	}
	k->r.left_out = 1;
}

/* One more than there is room for: each row is its process's all the same. */
UNIT(test_more_than_there_is_room_for)
{
	static const int without[] = { ONE_MORE, ONE_MORE, 1, 2048, 1 };
	struct kit k;

	kit_open(&k);
	assert_false(process_reading_grow(&k.r, ONE_MORE));
	read_all_but(&k, without[0], 0);
	kit_feed_processes(&k);
	for (unsigned n = 1; n < 5; n++) {
		kit_second(&k);
		read_all_but(&k, without[n], n);
		rig_run(&k.rig, 2, UINT64_C(1000) * ROOM * ROOM, 1);
		kit_tick(&k);
		/* Who finds no room has not ended, who finds one is no child.
		 */
		assert_int_equal(k.t->n, ROOM);
		assert_int_equal(k.t->ended, 0);
		assert_int_equal(k.t->born, 0);
		for (unsigned i = 0; i < ROOM; i++) {
			const struct process_row *p = &k.t->row[i];
			bool back = p->pid == without[n - 1] &&
				    without[n] != without[n - 1];

			assert_int_equal(p->pid,
					 i + 1 + ((int)i + 1 >= without[n]));
			assert_int_equal(p->known == 0, back);
			assert_int_equal(p->access,
					 back ? PROCESS_NEW : PROCESS_COUNTED);
			if (!back)
				assert_int_equal(p->d.cycles, 1000 * p->pid);
		}
	}
	kit_close(&k);
}

UNIT(test_past)
{
	struct process_request w = { .opened = -1,
				     .pin = (int32_t[]){ 7 },
				     .npins = 1 };
	float value[8];
	struct kit k;

	kit_open(&k);
	for (int pid = 1; pid <= 50; pid++)
		kit_add(&k, pid, -1);
	kit_feed_processes(&k);
	monitor_keep_processes(k.rig.m, &w);
	const struct processes *p = monitor_processes(k.rig.m);

	for (unsigned tick = 0; tick < 700; tick++) {
		kit_second(&k);
		for (int pid = 1; pid <= 50; pid++)
			kit_run(&k, kit_find(&k, pid), 0,
				(uint64_t)(pid * M + (int)tick), 2 * M);
		if (tick == 697)
			k.f = rig_feed(&k.rig); /* nobody looked */
		else
			kit_tick(&k);
	}
	uint64_t start = kit_find(&k, 50)->start;

	assert_int_equal(processes_past(p, 50, start, PROCESS_CPU, 4, value),
			 4);
	assert_near(value[0], 100.0 * (50 * M + 696) / 1e9, 1e-4);
	assert_true(isnan(value[1]));
	assert_near(value[3], 100.0 * (50 * M + 699) / 1e9, 1e-4);
	(void)processes_past(p, 7, start, PROCESS_CPU, 1, value);
	assert_true(!isnan(value[0])); /* pinned */
	(void)processes_past(p, 8, start, PROCESS_CPU, 1, value);
	assert_true(isnan(value[0])); /* not among the busiest */
	assert_null(processes_at(p, 99));
	assert_null(processes_at(p, 697));
	const struct process_table *t = processes_at(p, 100);

	assert_non_null(t);
	assert_int_equal(t->n, PROCESSES_KEPT);
	assert_int_equal(t->row[0].pid, 7);
	assert_string_equal(t->row[1].name, "p20");
	assert_true(t->row[1].d.cycles == 20ull * M + 100);
	assert_true(t->cores.d.cycles == t->own.d.cycles);
	monitor_restart(k.rig.m);
	assert_int_equal(processes_past(p, 50, start, PROCESS_CPU, 4, value),
			 0);
	kit_close(&k);
}

/* A change of events in between: still one interval, one difference. */
UNIT(test_swap)
{
	struct kit k;

	kit_open_three(&k);
	rig_pass(&k.rig, 400, 0);
	kit_run(&k, kit_find(&k, 20), 0, 40, 40);
	k.rig.s->flags = SAMPLE_BASELINE;
	assert_null(rig_feed(&k.rig));
	assert_false(monitor_processes_due(k.rig.m));
	kit_feed_processes(&k);
	k.rig.s->flags = 0;
	rig_pass(&k.rig, 600, 0);
	kit_run(&k, kit_find(&k, 20), 0, 60, 60);
	kit_tick(&k);
	assert_true(kit_row(&k, 20)->d.cycles == 100);
	assert_true(k.t->has_rest && k.t->rest.d.cycles == 0);
	kit_close(&k);
}

/* Any number of them in any order, by another way. */
UNIT(test_many)
{
	static const unsigned sizes[] = { 0, 1, 2, 511, 512, 2000, 4096 };
	struct kit k;

	for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
		kit_open(&k);
		for (unsigned i = 0; i < sizes[s]; i++)
			kit_add(&k, (int)(i * 7919 % 4099), -1);
		kit_feed_processes(&k);
		kit_second(&k);
		for (unsigned i = 0; i < sizes[s]; i++)
			kit_run(&k, &k.r.row[i], i & 1,
				(uint64_t)k.r.row[i].pid, 1);
		kit_tick(&k);
		assert_int_equal(k.t->n, sizes[s]);
		for (unsigned i = 0; i < k.t->n; i++) {
			assert_true(k.t->row[i].d.cycles ==
				    (uint64_t)k.t->row[i].pid);
			if (i > 0)
				assert_true(k.t->row[i].pid >
					    k.t->row[i - 1].pid);
		}
		assert_true(sizes[s] == 0 ||
			    (k.t->has_rest && k.t->rest.d.cycles == 0));
		kit_close(&k);
	}
}

/* Rows of all that is known, and not, over one frame and several. */
UNIT(test_still)
{
	enum { PIDS = 12 };
	struct kit k;

	kit_open(&k);
	for (int i = 0; i < PIDS; i++) {
		struct process_read *p = kit_add(&k, 10 + i, -5);

		kit_work(p, 0, 500 * M, 900 * M);
		if (i % 3 == 1)
			p->known = PROCESS_HAS_TIMES;
	}
	for (int second = 0; second < 3; second++) {
		kit_second(&k);
		for (int i = 0; i < PIDS; i++) { /* half are left to sleep */
			uint32_t *flags = &kit_find(&k, 10 + i)->flags;

			*flags =
				i >= PIDS / 2 && second == 1 ? PROCESS_KEPT : 0;
		}
		rig_run(&k.rig, 2, 100 * M, 100 * M);
		kit_tick(&k);
	}
	for (int i = 0; i < PIDS; i++) {
		const struct process_row *row = kit_row(&k, 10 + i);
		struct process_row alone = *row;

		process_metrics_of(&alone, &k.t->cores, 2);
		assert_true(row->still);
		assert_near(row->interval_s, i >= PIDS / 2 ? 2 : 1, 1e-3);
		for (unsigned v = 0; v < PROCESS_METRICS; v++)
			assert_true(isnan(row->value[v])
					    ? isnan(alone.value[v])
					    : row->value[v] == alone.value[v]);
		assert_true(isnan(row->value[PROCESS_GIPS]) == (i % 3 == 1));
	}
	kit_close(&k);
}

/* Frames as one: ratios are of the sums, also of one that came in between. */
UNIT(test_frames_as_one)
{
	static struct process_window w;
	struct kit k;
	double cycles = 0, instructions = 0, sum = 0, squares = 0;

	kit_open(&k);
	kit_add(&k, 50, -1);
	kit_feed_processes(&k);
	for (unsigned i = 1; i <= 8; i++) {
		if (i == 6)
			kit_add(&k, 60,
				(double)k.rig.s->stamp.elapsed_ns / 1e9);
		kit_second(&k);
		kit_run(&k, kit_find(&k, 50), 0, i * M, i * i * M);
		if (i >= 6)
			kit_run(&k, kit_find(&k, 60), 0, 5 * M, 10 * M);
		kit_tick(&k);
		if (i < 4)
			continue;
		cycles += i;
		instructions += i * i;
		sum += i; /* the IPC of each is i */
		squares += i * i;
	}
	const struct processes *p = monitor_processes(k.rig.m);

	processes_window(p, k.f->seq - 4, k.f->seq, &w);
	assert_int_equal(w.n, 2);
	assert_int_equal(w.row[0].pid, 50);
	assert_near(w.row[0].value[PROCESS_IPC], instructions / cycles, 1e-9);
	assert_near(w.row[0].value[PROCESS_CPU],
		    (double)(w.row[0].d.user_ns + w.row[0].d.system_ns) / 5e9 *
			    100,
		    1e-9);
	assert_near(w.deviation[0][PROCESS_IPC],
		    sqrt((squares - sum * sum / 5) / 4), 1e-9);
	assert_int_equal(w.row[1].pid, 60);
	assert_near(w.row[1].value[PROCESS_IPC], 2, 1e-9);
	processes_window(p, 5000, 5001, &w);
	assert_int_equal(w.n, 0);
	kit_close(&k);
}
