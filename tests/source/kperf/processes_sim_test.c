/* Processes of simulated Macs through the source: they add up to the cores. */
#include "sim/neighbour.h"

#include "source/mac.h"

enum { KINDS = 4, TICKS = 12 };

struct sums {
	uint64_t cycles[KINDS], instructions[KINDS], ns;
};

static struct process_reading reading;

static int
begin(void **state)
{
	return process_reading_init(&reading, 64) ? 0 : -1;
}

static int
end(void **state)
{
	process_reading_free(&reading);
	return stop(state);
}

static void
look_for(int32_t opened, uint64_t opened_at)
{
	const struct process_request w = { .opened = opened,
					   .opened_at = opened_at };
	struct err e = { ERR_NONE, "" };

	read_now();
	if (!source->ops->processes(source, &w, &reading, &e))
		fail_msg("%s", e.text);
}

static void
look(void)
{
	look_for(-1, 0);
}

static const struct process_read *
row(int32_t pid)
{
	for (unsigned i = 0; i < reading.n; i++)
		if (reading.row[i].pid == pid)
			return &reading.row[i];
	return NULL;
}

/* Where processes are not split by kind, all is of the first. */
static bool
is_split(void)
{
	return reading.parts.n > 0 && (row(0)->known & PROCESS_HAS_PARTS) != 0;
}

static struct sums
of_cores(void)
{
	const struct topology *t = source->info.topology;
	struct sums s = { { 0 }, { 0 }, 0 };

	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct reading *f = sample->cpu[i].fixed;
		unsigned k = is_split() ? t->cpu[i].kind : 0;

		s.cycles[k] += f[FIXED_CYCLES].count;
		s.instructions[k] += f[FIXED_INSTRUCTIONS].count;
	}
	return s;
}

/*
 * Processes that have ended take their totals along: those that are kept here
 * are of everyone that was ever seen.
 */
static struct process_read ever[1024];
static unsigned never;

static void
remember(void)
{
	for (unsigned i = 0; i < reading.n; i++) {
		const struct process_read *r = &reading.row[i];
		unsigned k = 0;

		while (k < never &&
		       (ever[k].pid != r->pid || ever[k].start != r->start))
			k++;
		assert_true(k < sizeof(ever) / sizeof(*ever));
		ever[k] = *r;
		never += k == never;
	}
}

static struct sums
of_processes(void)
{
	struct sums s = { { 0 }, { 0 }, 0 };

	for (unsigned i = 0; i < never; i++) {
		const struct process_totals *t = &ever[i].total;
		unsigned n = is_split() ? reading.parts.n : 0;

		s.ns += t->user_ns + t->system_ns;
		for (unsigned k = 0; k < n; k++) {
			s.cycles[k] += t->part[k].cycles;
			s.instructions[k] += t->part[k].instructions;
		}
		if (n == 0) {
			s.cycles[0] += t->cycles;
			s.instructions[0] += t->instructions;
		} else {
			assert_int_equal(t->cycles,
					 t->part[0].cycles + t->part[1].cycles);
		}
	}
	return s;
}

static void
compare(const struct sums *cores, const struct sums *processes)
{
	struct sums c = of_cores(), p = of_processes();

	for (unsigned k = 0; k < KINDS; k++) {
		assert_int_equal(p.cycles[k] - processes->cycles[k],
				 c.cycles[k] - cores->cycles[k]);
		assert_int_equal(p.instructions[k] - processes->instructions[k],
				 c.instructions[k] - cores->instructions[k]);
	}
	assert_true(p.ns > processes->ns);
}

static void
add_up(const char *spec)
{
	static const int64_t ms[] = { 1000, 100, 7000, 250, 3333 };
	struct sums cores, processes;
	unsigned compared = 0;

	start(spec);
	never = 0;
	look();
	assert_true(reading.everything);
	remember();
	cores = of_cores();
	processes = of_processes();
	for (unsigned i = 0; i < TICKS; i++) {
		step_ms(ms[i % 5]);
		look();
		remember();
		/* Of a core that is off its last counts are not seen. */
		if (delivered() < sample->ncpus)
			continue;
		compare(&cores, &processes);
		compared++;
	}
	assert_true(compared > TICKS / 2);
	assert_int_equal(stop(NULL), 0);
}

/* No process that ends may end unseen: they all live on as zombies. */
UNIT_IN(processes_add_up_to_the_cores, begin, end)
{
	add_up("m1,clock=step,procs=20");
	add_up("m2max,clock=step");
	add_up("m5max,clock=step,seed=3");
	add_up("intel,clock=step");
	add_up("m1,clock=step,os=12.6");
}

/* Who has the counters does not matter to the fixed pair of threads. */
UNIT_IN(rows_go_on_while_the_counters_are_taken, begin, end)
{
	static const char *const machines[] = { "m1,clock=step,procs=20",
						"m1,clock=step,os=26.6" };

	for (unsigned m = 0; m < 2; m++) {
		struct err e;

		start(machines[m]);
		program_ok("INST_ALL CORE_ACTIVE_CYCLE");
		never = 0;
		look();
		remember();
		for (unsigned i = 0; i < 6; i++) {
			struct sums cores = of_cores(), all = of_processes();

			step_ms(700);
			if (i == 1)
				OK(neighbour_takes());
			if (i == 3)
				program_ok("INST_BRANCH");
			if (i == 5)
				assert_true(
					source->ops->program(source, NULL, &e));
			look();
			remember();
			assert_int_equal(sample->flags & SAMPLE_TAKEN_OVER,
					 i == 1 || i == 2 ? SAMPLE_TAKEN_OVER
							  : 0);
			assert_true(reading.everything && reading.n >= 20);
			for (unsigned k = 0; k < reading.n; k++) {
				assert_int_equal(reading.row[k].access,
						 PROCESS_COUNTED);
				assert_true((reading.row[k].known &
					     PROCESS_HAS_COUNTS) != 0);
			}
			compare(&cores, &all);
		}
		stop(state);
	}
}

UNIT_IN(who_is_not_root_sees_what_is_theirs, begin, end)
{
	unsigned mine = 0, theirs = 0;

	start("m1,clock=step,euid=501");
	assert_int_equal(source->info.mode, SOURCE_BUSY_ONLY);
	assert_true(source->info.processes);
	assert_int_equal(source->info.why.code, ERR_PERM);
	assert_non_null(
		strstr(source->info.why.text, "processes of all users"));
	look();
	step_ms(1000);
	look();
	assert_false(reading.everything);
	assert_int_equal(sample->cpu[0].state, CPU_DENIED);
	assert_true(sample->cpu[0].busy_known);
	for (unsigned i = 0; i < reading.n; i++) {
		const struct process_read *r = &reading.row[i];

		assert_true(r->name[0] != '\0');
		assert_true(r->user[0] != '\0');
		assert_int_equal(r->access, r->uid == 501 ? PROCESS_COUNTED
							  : PROCESS_DENIED);
		mine += r->uid == 501;
		theirs += r->uid != 501;
	}
	assert_true(mine > 5 && theirs > 5);
	assert_non_null(strstr(reading.notice, "are denied"));
}

UNIT_IN(machines_differ, begin, end)
{
	start("m1,clock=step,os=12.6");
	look();
	assert_int_equal(row(0)->known, PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS);
	assert_non_null(strstr(reading.notice, "macOS 13"));
	assert_int_equal(stop(state), 0);

	start("intel,clock=step");
	step_ms(1000);
	look();
	assert_int_equal(reading.parts.n, 0);
	assert_int_equal(row(0)->known, PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS);
	assert_int_equal(stop(state), 0);

	start("m5max,clock=step");
	look();
	assert_int_equal(reading.parts.n, 2);
	assert_string_equal(reading.parts.label[0],
			    source->info.topology->kind[0].letter);
	assert_string_not_equal(reading.parts.label[1], "E");
	assert_int_equal(stop(state), 0);

	start("vm,clock=step");
	step_ms(1000);
	look();
	assert_int_equal(row(0)->access, PROCESS_NO_COUNTERS);
	assert_true(row(0)->total.system_ns > 0);
	assert_int_equal(row(0)->known & PROCESS_HAS_COUNTS, 0);
}

UNIT_IN(an_older_kernel_in_the_middle, begin, end)
{
	start("m1,clock=step,fault=oldos@5s");
	look();
	assert_true(row(0)->known & PROCESS_HAS_PARTS);
	step_ms(6000);
	look();
	assert_int_equal(row(0)->known, PROCESS_HAS_TIMES | PROCESS_HAS_COUNTS);
	assert_true(row(0)->total.cycles > 0);
}

UNIT_IN(what_vanishes_has_no_row, begin, end)
{
	unsigned n;

	start("m1,clock=step,procs=60");
	look();
	n = reading.n;
	assert_int_equal(stop(state), 0);
	start("m1,clock=step,procs=60,fault=vanish@0s");
	look();
	assert_int_equal(reading.n, n - n / 3);
	assert_int_equal(reading.left_out, 0);
}

UNIT_IN(thousands_are_listed, begin, end)
{
	start("m1,clock=step,procs=2000");
	look();
	assert_true(reading.n >= 2000);
	assert_true(reading.everything);
	assert_non_null(row(1));
}

/* zsh execs after 3 s, and is the same process. */
UNIT_IN(an_exec_goes_on, begin, end)
{
	struct process_read before;

	start("m1,clock=step");
	look();
	for (unsigned i = 0; i < reading.n; i++)
		if (strcmp(reading.row[i].name, "zsh") == 0)
			before = reading.row[i];
	assert_string_equal(before.name, "zsh");
	step_ms(4000);
	look();
	assert_string_not_equal(row(before.pid)->name, "zsh");
	assert_int_equal(row(before.pid)->start, before.start);
	assert_true(row(before.pid)->total.cycles > before.total.cycles);
}

/* The ended thread's counts are the process's alone. */
UNIT_IN(threads_add_up_to_their_process, begin, end)
{
	const struct process_read *r = NULL;
	uint64_t cycles = 0, instructions = 0, part = 0;

	start("m1,clock=step");
	step_ms(5000);
	look();
	for (unsigned i = 0; i < reading.n; i++)
		if (reading.row[i].pid >= 100 && reading.row[i].pid < 20000)
			r = &reading.row[i];
	assert_non_null(r);
	look_for(r->pid, r->start);
	r = row(r->pid);
	assert_true(reading.nthreads > 0);
	assert_int_equal(r->threads, reading.nthreads);
	for (unsigned i = 0; i < reading.nthreads; i++) {
		cycles += reading.thread[i].total.cycles;
		instructions += reading.thread[i].total.instructions;
		part += reading.thread[i].total.part[0].cycles;
	}
	assert_int_equal(cycles, r->total.cycles);
	assert_int_equal(instructions, r->total.instructions);
	assert_int_equal(part, r->total.part[0].cycles);
}

static bool
fell(const struct process_totals *was, const struct process_totals *is)
{
	bool any = is->cycles < was->cycles || is->user_ns < was->user_ns ||
		   is->instructions < was->instructions ||
		   is->system_ns < was->system_ns ||
		   is->energy_nj < was->energy_nj;

	for (unsigned k = 0; k < PROCESS_PARTS; k++)
		any = any || is->part[k].cycles < was->part[k].cycles ||
		      is->part[k].instructions < was->part[k].instructions ||
		      is->part[k].cpu_ns < was->part[k].cpu_ns ||
		      is->part[k].energy_nj < was->part[k].energy_nj;
	return any;
}

static void
check_row(const char *spec, const struct process_read *r)
{
	const struct process_totals *t = &r->total;

	if ((r->known & PROCESS_HAS_PARTS) != 0 &&
	    (t->cycles != t->part[0].cycles + t->part[1].cycles ||
	     t->instructions !=
		     t->part[0].instructions + t->part[1].instructions))
		fail_msg("%s: parts of %d are not the whole", spec,
			 (int)r->pid);
	if ((r->known == 0) != (r->access == PROCESS_DENIED))
		fail_msg("%s: %d, access %d, known %x", spec, (int)r->pid,
			 r->access, r->known);
	for (unsigned k = 0; k < never; k++)
		if (ever[k].pid == r->pid && ever[k].start == r->start &&
		    ever[k].known == r->known && fell(&ever[k].total, t))
			fail_msg("%s: totals of %d fell", spec, (int)r->pid);
}

/* Whatever happens, what a process has done stays done. */
UNIT_IN(totals_never_fall, begin, end)
{
	static const char *const faults[] = {
		"lag:10ms@1s",      "reuse@1s",           "nozombie@1s",
		"denied:200@2s-9s", "vanish@2s-9s",       "storm:40@1s",
		"oldos@5s",         "off:P1@3s-6s",       "sleep@3s-9s",
		"eperm@2s-4s",      "denied:0@0s,rest=1", "wall:+5s@3s-6s",
	};
	char spec[128];

	for (size_t i = 0; i < sizeof(faults) / sizeof(*faults); i++) {
		snprintf(spec, sizeof(spec),
			 "m2max,clock=step,seed=%u,fault=%s", (unsigned)i + 1,
			 faults[i]);
		start(spec);
		never = 0;
		for (unsigned k = 0; k < 60; k++) {
			step_ms(k % 3 == 0 ? 77 : 1031);
			look();
			for (unsigned n = 0; n < reading.n; n++) {
				check_row(spec, &reading.row[n]);
				assert_true(n == 0 ||
					    reading.row[n - 1].pid <
						    reading.row[n].pid);
			}
			remember();
		}
		assert_int_equal(stop(NULL), 0);
	}
}

/* By its name; not of another user's. */
UNIT_IN(what_it_was_started_as, begin, end)
{
	char path[PROCESS_NAME_SIZE + 32];
	unsigned told = 0, denied = 0;

	for (int euid = 0; euid <= 501; euid += 501) {
		snprintf(path, sizeof path, "m1,clock=step,euid=%d", euid);
		start(path);
		look();
		for (unsigned i = 0; i < reading.n; i++) {
			struct process_read r = reading.row[i];

			look_for(r.pid, r.start);
			assert_int_equal(reading.command.pid, r.pid);
			snprintf(path, sizeof path, "/%s", r.name);
			if (r.pid == 0 || r.access == PROCESS_DENIED)
				assert_string_equal(reading.command.text, "");
			else
				assert_non_null(
					strstr(reading.command.text, path));
			told += reading.command.text[0] != '\0';
			denied += r.access == PROCESS_DENIED;
		}
		assert_int_equal(stop(NULL), 0);
	}
	assert_true(told > 60 && denied > 5);
}
