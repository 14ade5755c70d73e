/* The report of ktop stat, of runs that are made up. */
#include "commands/stat.h"

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS = 5 };

static struct options o;
static struct counter counter;
static struct stat_job job;
static char *text;
static size_t size;

/* `slow` times the cycles, on `spread` from run to run. */
static void
add_runs(struct stat_command *c, double slow, double spread)
{
	for (int i = 0; i < RUNS; i++) {
		double by = 1 + spread * (i - 2);
		struct stat_run run = {
			.elapsed_s = 1.116 * slow * by,
			.has_use = true,
			.user_s = 1.06 * slow * by,
			.system_s = 0.048,
			.faults = 512,
			.switches = 30,
			.max_rss_bytes = 4200000,
			.counted = true,
		};
		struct process_totals *t = &run.end.total;

		run.end.known = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
				PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY;
		run.end.cpu_s = run.user_s + run.system_s;
		t->cycles = (uint64_t)(3779e6 * slow * by);
		t->instructions = 12021000000;
		t->energy_nj = (uint64_t)(3546e6 * slow * by);
		t->part[0].cycles = t->cycles - 61000000;
		t->part[1].cycles = 61000000;
		t->part[0].instructions = t->instructions - 62900000;
		t->part[1].instructions = 62900000;
		t->part[1].cpu_ns = 30000000;
		run.end.event[0] = 5e6 * slow * slow;
		run.end.event[1] = 70;
		t->part[0].cpu_ns = (uint64_t)(1e9 * run.end.cpu_s) - 30000000;
		value_set_add(&c->values, &counter, &run);
	}
}

static void
add_command(const char *name, double slow, double spread)
{
	static char *argv[] = { NULL };
	struct stat_command *c = &job.command[job.n];

	c->argv = argv;
	c->letter[0] = (char)('A' + job.n++);
	job.group = job.n;
	strcpy(c->name, name);
	assert_true(value_set_init(&c->values, RUNS));
	add_runs(c, slow, spread);
}

static const char *
report(void)
{
	free(text);
	job.text.out = open_memstream(&text, &size);
	stat_claims(&job);
	stat_text(&job);
	(void)fclose(job.text.out);
	return text;
}

static int
begin(void **state)
{
	job = (struct stat_job){
		.o = &o, .counter = &counter, .seed = 7, .runs = RUNS
	};
	o = (struct options){ .stat.warmups = 1 };
	counter =
		(struct counter){ .domain = DOMAIN_ALL,
				  .text = "",
				  .parts = { .n = 2, .label = { "P", "E" } } };
	return 0;
}

static int
end(void **state)
{
	for (unsigned i = 0; i < job.n; i++)
		value_set_free(&job.command[i].values);
	free(text);
	text = NULL;
	return 0;
}

static void
has(const char *wanted)
{
	if (strstr(text, wanted) == NULL)
		fail_msg("no line\n%s\nin\n%s", wanted, text);
}

UNIT_IN(one_command_has_its_values_and_parts, begin, end)
{
	add_command("./a.out", 1, 0.002);
	(void)report();
	has("./a.out takes 1.116 s, at 3.18 instructions a cycle; 97 % of its time on P cores.\n");
	has("\n5 runs after 1 warm-up; all modes and threads of its process.\n");
	has("                     mean      +- 95 %    min .. max         on P cores   on E cores\n");
	has("   elapsed           1.116 s    0.39 %    1.112 .. 1.120\n");
	has("   CPU time          1.108 s    0.38 %    1.104 .. 1.112         97.3 %        2.7 %\n");
	has("   cycles            3.779 G    0.39 %    3.764 .. 3.794        3.718 G      0.061 G\n");
	has("   instructions     12.021 G    0.00 %    12.021 .. 12.021     11.958 G      0.063 G\n");
	has("   IPC               3.181      0.39 %    3.168 .. 3.194          3.216        1.031\n");
	has("   energy (est.)     3.546 J    0.39 %    3.532 .. 3.560   0.29 nJ an instruction\n");
	has("   user 1.060 s, system 48.000 ms, page faults 512, from disk 0, switches 30, max RSS 4.200 MB, CPUs used 0.99\n");
	has("   clock             3.411 GHz  0.02 %    3.410 .. 3.411          3.449        2.033\n");
	assert_null(strstr(text, "Hint"));
	assert_null(strstr(text, "Counts only its own"));
}

UNIT_IN(two_are_compared_and_the_first_line_says_how, begin, end)
{
	job.by_turns = true;
	add_command("./a.out", 1, 0.002);
	add_command("./b.out", 1.224, 0.002);
	(void)report();
	assert_ptr_equal(
		strstr(text,
		       "B takes 1.22 times as long as A, for the same number of instructions: it waits more.\n"),
		text);
	has("\nA is ./a.out, B is ./b.out: 5 runs of each by turns (seed 7) after 1 warm-up; all modes and threads of its process.\n");
	has("\nA  ./a.out           mean");
	has("\nB against A                95 %\n");
	has("   elapsed        1.224 x   1.224 to 1.224     B uses more\n");
	has("   instructions   1.000 x   1.000 to 1.000     no difference beyond 1 % shown\n");
}

UNIT_IN(pairs_have_a_mean, begin, end)
{
	job.by_turns = true;
	add_command("./a.out 1", 1, 0.002);
	add_command("./b.out 1", 1.21, 0.002);
	add_command("./a.out 2", 1, 0.002);
	add_command("./b.out 2", 1, 0.002);
	job.group = 2;
	job.command[2].base = job.command[3].base = 2;
	report();
	has("B takes 1.21 times as long as A");
	has("\nD takes as long as C, within 1 %");
	has("\nD against C                95 %\n");
	has("\nB against A, D against C: the geometric mean of the ratios, with 95 % for these programs\n"
	    "   elapsed        1.100 x   1.100 to 1.100     the mean uses more\n");
	assert_null(strstr(text, "C against A"));
}

UNIT_IN(events_are_compared_as_all_else, begin, end)
{
	job.by_turns = true;
	counter.nevents = 2;
	strcpy(counter.event[0], "BR_MISS");
	strcpy(counter.event[1], "L1D_CACHE_MISS_LD_NONSPEC");
	add_command("./a.out", 1, 0.002);
	add_command("./b.out", 1.224, 0.002);
	report();
	has("   BR_MISS           5.000 M    0.00 %    5.000 .. 5.000   0.42 per 1000 instructions\n");
	has("   BR_MISS        1.498 x   1.498 to 1.498     B uses more\n");
	has("   L1D_CACHE_MISS_LD_NONSPEC\n"
	    "                  1.000 x   1.000 to 1.000     no difference beyond 1 % shown\n");
}

/* A shell that starts others is never taken for all of them. */
UNIT_IN(what_is_not_counted_is_said, begin, end)
{
	struct stat_run run = { .elapsed_s = 1,
				.has_use = true,
				.user_s = 1,
				.counted = true,
				.end = { .cpu_s = 0.25,
					 .known = PROCESS_HAS_COUNTS,
					 .total = { .cycles = 1000,
						    .instructions = 2000 } } };

	add_command("sh -c tree", 1, 0);
	job.command[0].values.n = 0;
	value_set_add(&job.command[0].values, &counter, &run);
	(void)report();
	has("   Counts only its own process: 25 % of the CPU time; the rest belongs to processes that ended between two samples.\n");
	job.command[0].others = 3;
	(void)report();
	has("   Includes 3 processes that it started, sampled 50 times a second: 25 % of the CPU time; the rest belongs to processes that ended between two samples.\n");
	/* Where children are counted there is nothing to say. */
	counter.tree = true;
	(void)report();
	assert_null(strstr(text, "Counts only its own"));
	counter.domain = DOMAIN_NONE;
	strcpy(counter.why, "for a reason");
	(void)report();
	has("Cycles and instructions are not counted: for a reason.\n");
}

UNIT_IN(hints_are_in_one_line, begin, end)
{
	struct stat_run slow = { .elapsed_s = 3, .has_use = true, .user_s = 1 };

	add_command("./a.out", 1, 0);
	for (unsigned i = RUNS - 1; i > 0; i--) /* the first is slow */
		job.command[0].values.v[i] = job.command[0].values.v[0];
	job.command[0].values.v[0] = slow.elapsed_s;
	o.stat.warmups = 0;
	(void)report();
	has("\nHint: the first run of ./a.out took 169 % longer than the others: -w 1 warms it up.\n");
	o.stat.quiet = true;
	(void)report();
	assert_null(strstr(text, "Hint"));
}
