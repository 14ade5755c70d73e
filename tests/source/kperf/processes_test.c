/* What the processes of a Mac have used: from host functions by hand. */
#include "source/kperf/made_processes.h"

enum { ALL_KNOWN = (PROCESS_HAS_PART_ENERGY << 1) - 1 };

UNIT_IN(totals_and_parts_are_of_one_call, set_up, tear_down)
{
	add("tool", 501)->path = "/Applications/A B.app/Contents/A tool";
	look();
	const struct process_read *r = row(FIRST_PID);
	assert_non_null(r);
	assert_int_equal(r->access, PROCESS_COUNTED);
	assert_int_equal(r->known, ALL_KNOWN);
	assert_int_equal(r->total.user_ns, 1000000);
	assert_int_equal(r->total.system_ns, 100000);
	assert_int_equal(r->total.cycles, 3000000);
	assert_int_equal(r->total.instructions, 6000000);
	assert_int_equal(r->total.energy_nj, 1000);
	assert_int_equal(r->total.part[0].cycles, 2000000);
	assert_int_equal(r->total.part[0].instructions, 5000000);
	assert_int_equal(r->total.part[0].cpu_ns, 500000);
	assert_int_equal(r->total.part[0].energy_nj, 900);
	assert_int_equal(r->total.part[1].cycles, 1000000);
	assert_int_equal(r->total.part[1].instructions, 1000000);
	assert_int_equal(r->total.part[1].cpu_ns, 600000);
	assert_int_equal(r->total.part[1].energy_nj, 100);
	assert_string_equal(r->name, "A tool");
	assert_string_equal(r->user, "ann");
	assert_int_equal(r->uid, 501);
	assert_int_equal(r->parent, 1);
	assert_string_equal(reading.parts.label[0], "P");
	assert_string_equal(reading.parts.label[1], "E");
	assert_int_equal(reading.parts.kind[1], 1);
	assert_int_equal(reading.domain, DOMAIN_ALL);
	assert_string_equal(row(0)->name, "kernel_task");
	assert_string_equal(row(0)->user, "root");
	assert_true(reading.everything);
	assert_string_equal(reading.notice, "");
}

/* 24,000,000 ticks are a second on Apple silicon. */
UNIT_IN(ticks_become_ns_without_overflow, set_up, tear_down)
{
	struct made *m = add("old", 0), *odd = add("odd", 0);

	/* A core for a hundred years, and nonsense. */
	m->usage.user_time = (uint64_t)24000000 * 3600 * 24 * 36525 + 1;
	odd->usage.user_time = UINT64_MAX;
	look();
	assert_true(row(FIRST_PID)->total.user_ns ==
		    (uint64_t)1000000000 * 3600 * 24 * 36525 + 41);
	assert_true(row(FIRST_PID + 1)->total.user_ns == UINT64_MAX);
}

UNIT_IN(a_start_is_dated, set_up, tear_down)
{
	add("a", 0);
	look();
	/* 10 s after the machine, which did not sleep. */
	assert_int_equal(row(FIRST_PID)->started_awake_ns, 10000000041);
	assert_int_equal(row(FIRST_PID)->started_ns, 1700000010000000041);
	mac.now.elapsed_ns += 5000000000;
	add("b", 0);
	look();
	assert_int_equal(row(FIRST_PID + 1)->started_ns, 0);
	assert_int_equal(row(FIRST_PID + 1)->started_awake_ns, 10000000083);
	/* What is known stays. */
	assert_int_equal(row(FIRST_PID)->started_ns, 1700000010000000041);
}

UNIT_IN(kinds_are_named_by_the_topology, set_up, tear_down)
{
	struct err e;

	made_topology.nkinds = 3;
	struct kperf_processes *p =
		kperf_processes_new(&made_host, &made_topology);
	assert_true(kperf_processes_read(p, &made_clock, NULL, &reading, &e));
	assert_int_equal(reading.parts.n, 2);
	assert_string_equal(reading.parts.label[1], "not P");
	assert_int_equal(reading.parts.kind[1], -1);
	kperf_processes_free(p);

	made_topology.nkinds = 1;
	p = kperf_processes_new(&made_host, &made_topology);
	assert_true(kperf_processes_read(p, &made_clock, NULL, &reading, &e));
	assert_int_equal(reading.parts.n, 0);
	assert_int_equal(row(0)->known &
				 (PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
				  PROCESS_HAS_PART_ENERGY),
			 0);
	kperf_processes_free(p);
}

/* macOS 12 has cycles and instructions, and no part of them, nor energy. */
UNIT_IN(an_older_kernel_fills_less, set_up, tear_down)
{
	for (unsigned i = 0; i < 2; i++) {
		struct made *m = add("a", 0);

		m->usage.flavor = 4;
	}
	mac.made[0].usage.flavor = 4;
	look();
	assert_int_equal(row(FIRST_PID)->known,
			 PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS);
	assert_int_equal(row(FIRST_PID)->total.part[0].cycles, 0);
	assert_int_equal(row(FIRST_PID)->total.energy_nj, 0);
	assert_int_equal(row(FIRST_PID)->access, PROCESS_COUNTED);
}

/* A newer library over an older kernel: from here on. */
UNIT_IN(the_flavor_may_fall_back_in_the_middle, set_up, tear_down)
{
	struct made *m = add("a", 0);

	look();
	assert_int_equal(row(FIRST_PID)->known, ALL_KNOWN);
	m->usage.flavor = 4;
	look();
	assert_int_equal(row(FIRST_PID)->known,
			 PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS);
	assert_int_equal(row(FIRST_PID)->total.cycles, 3000000);
}

UNIT_IN(a_virtual_machine_counts_nothing, set_up, tear_down)
{
	add("a", 0);
	for (unsigned i = 0; i < mac.n; i++) {
		struct host_usage *u = &mac.made[i].usage;

		u->cycles = u->instructions = u->pcycles = 0;
		u->pinstructions = u->energy_nj = u->penergy_nj = 0;
	}
	look();
	assert_int_equal(row(FIRST_PID)->access, PROCESS_NO_COUNTERS);
	assert_int_equal(row(FIRST_PID)->known,
			 PROCESS_HAS_TIMES | PROCESS_HAS_PART_TIMES);
	assert_int_equal(row(FIRST_PID)->total.user_ns, 1000000);
	assert_true(reading.everything);
}

/* Nobody's energy was ever estimated: there is nobody who does. */
UNIT_IN(energy_of_zero_for_all_is_unknown, set_up, tear_down)
{
	add("a", 0);
	for (unsigned i = 0; i < mac.n; i++)
		mac.made[i].usage.energy_nj = mac.made[i].usage.penergy_nj = 0;
	look();
	assert_int_equal(row(FIRST_PID)->known &
				 (PROCESS_HAS_ENERGY | PROCESS_HAS_PART_ENERGY),
			 0);
	assert_int_equal(row(FIRST_PID)->access, PROCESS_COUNTED);
}

UNIT_IN(a_part_above_the_whole_is_no_part, set_up, tear_down)
{
	add("a", 0)->usage.pcycles = 3000001;
	look();
	assert_int_equal(row(FIRST_PID)->known & PROCESS_HAS_PARTS, 0);
	assert_int_equal(row(FIRST_PID)->known & PROCESS_HAS_COUNTS,
			 PROCESS_HAS_COUNTS);
}

UNIT_IN(anothers_process_has_a_name_and_no_counts, set_up, tear_down)
{
	struct made *m = add("theirs", 0);

	m->path = "/usr/libexec/theirs_with_a_long_name";
	m->denied = mac.made[0].denied = EPERM;
	add("mine", 501);
	look();
	assert_int_equal(reading.n, 3);
	assert_int_equal(row(FIRST_PID)->access, PROCESS_DENIED);
	assert_int_equal(row(FIRST_PID)->known, 0);
	assert_string_equal(row(FIRST_PID)->name, "theirs_with_a_long_name");
	assert_string_equal(row(FIRST_PID)->user, "root");
	assert_int_equal(row(0)->access, PROCESS_DENIED);
	assert_int_equal(row(FIRST_PID + 1)->access, PROCESS_COUNTED);
	assert_false(reading.everything);
	assert_non_null(strstr(reading.notice, "2 of 3 processes"));

	/* It becomes ours, as a process that was not known. */
	m->denied = 0;
	look();
	assert_int_equal(row(FIRST_PID)->access, PROCESS_COUNTED);
	assert_int_equal(row(FIRST_PID)->start, m->usage.start_abstime);
}

/* A sandbox, or an answer that is none: its cycles are in the rest. */
UNIT_IN(root_may_be_denied_one, set_up, tear_down)
{
	add("boxed", 0)->denied = EPERM;
	look();
	assert_true(reading.everything);
	assert_string_equal(reading.notice, "");
	mac.made[1].denied = EIO;
	look();
	assert_int_equal(row(FIRST_PID)->access, PROCESS_UNREADABLE);
	assert_true(reading.everything);
}

UNIT_IN(what_is_gone_has_no_row, set_up, tear_down)
{
	struct made *a = add("a", 0), *b = add("b", 0);

	a->gone = true;
	/* Read, and gone before it could be asked who it is. */
	b->unseen = true;
	look();
	assert_int_equal(reading.n, 1);
	a->gone = b->unseen = false;
	look();
	assert_int_equal(reading.n, 3);
	/* Of one that is known the last counts are not lost. */
	b->unseen = true;
	for (unsigned i = 0; i < 8; i++) {
		work(b, 10);
		look();
		assert_int_equal(row(FIRST_PID + 1)->total.cycles,
				 b->usage.cycles);
	}
}

UNIT_IN(a_zombie_has_ended_and_keeps_its_name, set_up, tear_down)
{
	struct made *m = add("short", 0);

	m->path = "/bin/long_name_of_a_program";
	look();
	m->path = NULL;
	m->usage.exit_abstime = 300000000;
	m->brief.status = 5;
	work(m, 1000);
	for (unsigned i = 0; i < 9; i++) {
		look();
		assert_int_equal(row(FIRST_PID)->state, PROCESS_ENDED);
		assert_string_equal(row(FIRST_PID)->name,
				    "long_name_of_a_program");
		assert_int_equal(row(FIRST_PID)->total.cycles, 3100000);
	}
}

UNIT_IN(an_exec_changes_the_name_at_once, set_up, tear_down)
{
	struct made *m = add("sh", 501);
	unsigned paths;

	m->path = "/bin/sh";
	look();
	paths = mac.paths;
	for (unsigned i = 0; i < 20; i++)
		look();
	/* Asked once for each program. */
	assert_int_equal(mac.paths, paths);
	assert_int_equal(mac.names, 2);
	m->usage.uuid[3] = 1;
	m->path = "/bin/ls";
	work(m, 10);
	look();
	assert_string_equal(row(FIRST_PID)->name, "ls");
	assert_int_equal(row(FIRST_PID)->start, m->usage.start_abstime);
	assert_int_equal(row(FIRST_PID)->total.cycles, 3001000);
	assert_int_equal(mac.paths, paths + 1);
}

UNIT_IN(a_pid_comes_back_with_another_start, set_up, tear_down)
{
	struct made *m = add("one", 501);

	m->path = "/bin/one";
	look();
	m->path = "/bin/two";
	m->usage.start_abstime += 1000;
	m->usage.cycles = 7;
	look();
	assert_int_equal(reading.n, 2);
	assert_string_equal(row(FIRST_PID)->name, "two");
	assert_int_equal(row(FIRST_PID)->start, m->usage.start_abstime);
	assert_int_equal(row(FIRST_PID)->total.cycles, 7);
	assert_int_equal(row(FIRST_PID)->state, PROCESS_STATE_UNKNOWN);
}

/* A Mac calls all of them running. */
UNIT_IN(who_used_time_runs, set_up, tear_down)
{
	struct made *m = add("a", 501), *stopped = add("b", 501);

	look();
	assert_int_equal(row(FIRST_PID)->state, PROCESS_STATE_UNKNOWN);
	work(m, 1);
	stopped->brief.status = 4;
	look();
	assert_int_equal(row(FIRST_PID)->state, PROCESS_RUNS);
	for (unsigned i = 0; i < 8; i++)
		look();
	assert_int_equal(row(FIRST_PID)->state, PROCESS_SLEEPS);
	assert_int_equal(row(FIRST_PID + 1)->state, PROCESS_STOPPED);
}

UNIT_IN(the_list_grows, set_up, tear_down)
{
	while (mac.n < 2000)
		add("many", 501);
	look();
	assert_int_equal(reading.n, 2000);
	assert_true(mac.lists <= 3);
	assert_true(reading.everything);
	for (unsigned i = 1; i < reading.n; i++)
		assert_true(reading.row[i - 1].pid < reading.row[i].pid);
	mac.lists = 0;
	look();
	assert_int_equal(mac.lists, 1);
	while (mac.n < MADE_MAX)
		add("more", 501);
	mac.usages = 0;
	look();
	assert_int_equal(mac.usages, PROCESS_ROWS_MAX);
	assert_int_equal(reading.n, PROCESS_ROWS_MAX);
	assert_int_equal(reading.left_out, MADE_MAX - PROCESS_ROWS_MAX);
	assert_false(reading.everything);
	assert_non_null(strstr(reading.notice, "4096"));
}

UNIT_IN(a_list_that_is_refused_is_said, set_up, tear_down)
{
	struct err e = { ERR_NONE, "" };

	mac.list_errno = EPERM;
	assert_false(kperf_processes_read(processes, &made_clock, NULL,
					  &reading, &e));
	assert_non_null(strstr(e.text, "processes"));
	mac.list_errno = 0;
	look();
	assert_int_equal(reading.n, 1);
}

/* 20 us a look, 200 processes: 4 ms are more than a tick may take. */
UNIT_IN(who_sleeps_waits_its_turn_where_a_pass_takes_long, set_up, tear_down)
{
	const int32_t pin = FIRST_PID + 150;
	const struct process_request w = { .opened = -1,
					   .pin = &pin,
					   .npins = 1 };
	unsigned kept;

	while (mac.n <= 200)
		add("many", 501);
	mac.look_ns = 20000;
	for (unsigned i = 0; i < 5; i++) {
		work(&mac.made[50], 10);
		look();
	}
	for (unsigned i = 0; i < 8; i++) {
		mac.usages = 0;
		work(&mac.made[50], 10);
		look_for(&w);
		assert_int_equal(reading.n, 201);
		assert_in_range(mac.usages, 25, 29);
		assert_int_equal(row(pin)->flags, 0);
		assert_int_equal(row(FIRST_PID + 49)->flags, 0);
		assert_int_equal(row(FIRST_PID + 49)->total.cycles,
				 mac.made[50].usage.cycles);
		kept = 0;
		for (unsigned k = 0; k < reading.n; k++)
			kept += (reading.row[k].flags & PROCESS_KEPT) != 0;
		assert_int_equal(kept + mac.usages, 201);
		assert_int_equal(reading.cost_ns, 20000 * mac.usages);
		assert_non_null(strstr(reading.notice, "asleep"));
	}
	/* It wakes: seen in its turn, and from then on each time. */
	work(&mac.made[20], 10);
	for (unsigned i = 0; i < 8; i++)
		look();
	assert_int_equal(row(FIRST_PID + 19)->total.cycles,
			 mac.made[20].usage.cycles);
	work(&mac.made[20], 10);
	look();
	assert_int_equal(row(FIRST_PID + 19)->total.cycles,
			 mac.made[20].usage.cycles);
	mac.look_ns = 1000;
	look();
	look();
	for (unsigned k = 0; k < reading.n; k++)
		assert_int_equal(reading.row[k].flags, 0);
}

/* 40 us a call: asked once, and again of another program. */
UNIT_IN(its_command_is_asked_once, set_up, tear_down)
{
	static char args[400];
	struct process_request w = { .opened = -1 };
	struct made *m = add("a", 501);

	m->args = "/bin/a\0--x\0";
	w.opened_at = m->usage.start_abstime;
	look_for(&w);
	assert_int_equal(mac.args, 0);
	assert_int_equal(reading.command.pid, -1);
	w.opened = FIRST_PID;
	look_for(&w);
	look_for(&w);
	assert_int_equal(mac.args, 1);
	assert_int_equal(reading.command.pid, FIRST_PID);
	assert_true(reading.command.start == w.opened_at);
	assert_string_equal(reading.command.text, "/bin/a --x");
	/* What is longer is cut; another user's is not told. */
	w.opened = -1;
	look_for(&w);
	memset(args, 'x', sizeof args - 2);
	m->args = args;
	w.opened = FIRST_PID;
	look_for(&w);
	assert_int_equal(strlen(reading.command.text),
			 PROCESS_COMMAND_SIZE - 1);
	w.opened = -1;
	look_for(&w);
	m->args = NULL;
	w.opened = FIRST_PID;
	look_for(&w);
	assert_int_equal(mac.args, 3);
	assert_string_equal(reading.command.text, "");
}

UNIT_IN(threads_are_those_of_the_opened_process, set_up, tear_down)
{
	struct process_request w = { .opened = FIRST_PID };

	w.opened_at = add("a", 501)->usage.start_abstime;
	mac.nthreads = 3;
	mac.thread[0] = (struct host_thread){
		.id = 7, .running = true, .name = "worker", .levels = 2
	};
	mac.thread[0].level[0].cycles = 10;
	mac.thread[0].level[0].instructions = 20;
	mac.thread[0].level[0].user_time = 24;
	mac.thread[0].level[1].cycles = 1;
	mac.thread[0].level[1].energy_nj = 5;
	mac.thread[1].id = 8; /* gone meanwhile */
	mac.thread[2] = (struct host_thread){ .id = 9, .levels = 1 };
	memset(mac.thread[2].name, 'x', sizeof(mac.thread[2].name));
	look_for(&w);
	assert_int_equal(reading.nthreads, 2);
	assert_int_equal(reading.thread[0].thread, 7);
	assert_int_equal(reading.thread[0].state, PROCESS_RUNS);
	assert_string_equal(reading.thread[0].name, "worker");
	assert_int_equal(reading.thread[0].total.cycles, 11);
	assert_int_equal(reading.thread[0].total.part[0].instructions, 20);
	assert_int_equal(reading.thread[0].total.user_ns, 1000);
	assert_int_equal(reading.thread[0].known, ALL_KNOWN);
	assert_int_equal(reading.thread[1].known & PROCESS_HAS_PARTS, 0);
	assert_int_equal(strlen(reading.thread[1].name), 63);
	assert_int_equal(row(FIRST_PID)->threads, 3);

	/* Another life of the pid is not the one that was opened. */
	w.opened_at++;
	look_for(&w);
	assert_int_equal(reading.nthreads, 0);
	w.opened_at--;
	mac.nthreads = PROCESS_THREADS_MAX + 1;
	for (unsigned i = 0; i < mac.nthreads; i++)
		mac.thread[i] = (struct host_thread){ .id = i, .levels = 2 };
	look_for(&w);
	assert_int_equal(reading.nthreads, PROCESS_THREADS_MAX);
	assert_int_equal(row(FIRST_PID)->threads, 0);
}

UNIT_IN(nonsense_in_the_list_is_no_process, set_up, tear_down)
{
	add("a", 501)->brief.pid = -5;
	add("b", 501);
	add("b", 501)->brief.pid = FIRST_PID + 1;
	look();
	assert_int_equal(reading.n, 2);
}

UNIT_IN(users_are_asked_once, set_up, tear_down)
{
	for (uint32_t i = 0; i < 3; i++)
		add("a", 77);
	look();
	look();
	assert_int_equal(mac.names, 2);
	assert_string_equal(row(FIRST_PID)->user, "");
	assert_int_equal(row(FIRST_PID)->uid, 77);
	/* More than can be remembered. */
	for (uint32_t i = 0; i < 100; i++)
		add("a", 1000 + i);
	look();
	assert_string_equal(row(FIRST_PID + 102)->user, "ann");
}

/* Some calls know no process 0; proc_pid_rusage does. */
UNIT_IN(the_kernel_is_never_gone, set_up, tear_down)
{
	mac.made[0].unseen = true;
	look();
	assert_int_equal(reading.n, 1);
	assert_string_equal(row(0)->name, "kernel_task");
	assert_true(reading.everything);
}

/* A host that lists processes and knows nothing else of them. */
UNIT_IN(little_is_enough, set_up, tear_down)
{
	static struct host_api host;
	struct err e;

	host.proc_list = made_list;
	assert_false(kperf_processes_offered(&host));
	host.proc_usage = made_usage;
	assert_true(kperf_processes_offered(&host));
	add("a", 501);
	struct kperf_processes *p = kperf_processes_new(&host, &made_topology);
	assert_true(kperf_processes_read(
		p, &made_clock,
		&(struct process_request){ .opened = FIRST_PID }, &reading,
		&e));
	assert_int_equal(reading.n, 2);
	assert_string_equal(row(0)->name, "kernel_task");
	assert_string_equal(row(FIRST_PID)->name, "");
	assert_int_equal(row(FIRST_PID)->parent, -1);
	assert_int_equal(row(FIRST_PID)->total.user_ns, 24000);
	kperf_processes_free(p);
}

/* As many as before, and not the same. */
UNIT_IN(one_may_take_anothers_place_in_the_list, set_up, tear_down)
{
	add("a", 501);
	add("b", 501);
	look();
	look();
	assert_non_null(row(FIRST_PID + 1));
	mac.made[2].brief.pid = FIRST_PID + 7;
	look();
	assert_int_equal(reading.n, 3);
	assert_non_null(row(FIRST_PID));
	assert_null(row(FIRST_PID + 1));
	assert_string_equal(row(FIRST_PID + 7)->name, "b");
}
