/* The Linux report over recorded machines with a kernel that is not there. */
#include "source/fake_perf.h"

#include "commands/doctor.h"
#include "source/perf/perf.h"
#include "source/all/sources.h"

enum { REPORT_MAX = 131072 };

struct case_of {
	struct rig r;
	struct options o;
	char *text;
};

/* Runs the report; live: the fake answers for the kernel. */
static void
report(struct case_of *c, bool live)
{
	FILE *out = tmpfile();
	struct err e = { ERR_NONE, "" };
	struct doctor d;
	size_t n;

	assert_non_null(out);
	c->o.source.root = c->r.root;
	c->o.source.period_ns = 1000000000;
	c->text = calloc(1, REPORT_MAX);
	assert_non_null(c->text);
	d = (struct doctor){
		.x = { .out = out, .o = &c->o.source, .live = live },
		.o = &c->o,
		.ask = source_find("perf")->examine
	};
	(void)sigemptyset(&d.stop);
	d.x.s = perf_open_with(&c->o.source, live ? &c->r.f->ops : NULL, &e);
	assert_non_null(d.x.s);
	assert_int_equal(doctor_report(&d), 0);
	d.x.s->ops->close(d.x.s);
	rewind(out);
	n = fread(c->text, 1, REPORT_MAX - 1, out);
	assert_true(n > 0 && n < REPORT_MAX - 1);
	(void)fclose(out);
}

static struct case_of *
prepare(const char *machine)
{
	struct case_of *c = calloc(1, sizeof(*c));

	assert_non_null(c);
	rig_prepare(&c->r, machine);
	return c;
}

static void
finish(struct case_of *c)
{
	fake_free(c->r.f); /* asserts that nothing is left open */
	tree_remove(c->r.root);
	free(c->text);
	free(c);
}

/* Also over a line break of the report. */
static void
has(const struct case_of *c, const char *words)
{
	const char *t = c->text;

	for (; *t != '\0'; t++) {
		const char *a = t, *b = words;

		while (*b != '\0' && *a != '\0') {
			if (*a == '\n' && a[1] == ' ' && *b == ' ') {
				a++;
				while (*a == ' ')
					a++;
				b++;
			} else if (*a++ != *b++) {
				b = NULL;
				break;
			}
		}
		if (b != NULL && *b == '\0')
			return;
	}
	(void)fputs(c->text, stderr);
	fail_msg("no \"%s\" in the report", words);
}

static void
has_not(const struct case_of *c, const char *words)
{
	if (strstr(c->text, words) != NULL)
		fail_msg("\"%s\" in the report:\n%s", words, c->text);
}

/* ---- refusals ---- */

static int
groups_of(struct fake *f, int leader, int n)
{
	return leader >= 0 && fake_at(f, leader)->nmembers >= n ? EINVAL : 0;
}

static int
groups_of_six(struct fake *f, const struct perf_event_attr *attr, int cpu,
	      int leader)
{
	return groups_of(f, leader, 6);
}

/* cpu_atom (type 10) does not have the event of wrong guesses. */
static int
some_missing(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	if (attr->type == 10 && attr->config == 0xc5)
		return ENOENT;
	return groups_of(f, leader, 12);
}

static int
no_right(struct fake *f, const struct perf_event_attr *attr, int cpu,
	 int leader)
{
	return EACCES;
}

static int
no_hardware(struct fake *f, const struct perf_event_attr *attr, int cpu,
	    int leader)
{
	return attr->type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
}

/* Intel's metric events want slots as the leader. */
static int
slots_lead(struct fake *f, const struct perf_event_attr *attr, int cpu,
	   int leader)
{
	if (attr->type == 4 && (attr->config & 0xff) == 0 &&
	    attr->config >= 0x8000 &&
	    (leader < 0 || fake_at(f, leader)->attr.config != 0x400))
		return EINVAL;
	return groups_of(f, leader, 12);
}

/* ---- the tests ---- */

UNIT(explains_a_hybrid)
{
	struct case_of *c = prepare("alderlake-12900k");

	c->r.f->refuse = groups_of_six;
	report(c, true);
	for (const struct examine_question *q = source_find("perf")->examine;
	     q->name != NULL; q++) {
		char heading[64];

		(void)snprintf(heading, sizeof(heading), "\n== %s\n", q->name);
		has(c, heading);
	}
	has(c, "\nprocessor: 12th Gen Intel(R) Core(TM) i9-12900K\n");
	has(c, "\npmu cpu_core: type 4, cpus 0-15, cores of family "
	       "golden-cove");
	has(c, "\npmu cpu_atom: type 10, cpus 16-23, cores of family "
	       "gracemont");
	has(c, "\ncpu_core opened: cpu 0: cycles ok, instructions ok\n");
	has(c, "\ncpu_atom opened: cpu 16: cycles ok, instructions ok\n");
	has(c, "\ncpu_core counters: 6 at once, ktop's table: 8 besides the "
	       "pair");
	has(c, "\nnmi_watchdog: 1 (may use a counter");
	/* Vector 46: never taken for cores. */
	has(c, "\nother PMUs: ");
	has(c, " power ");
	has(c, " uncore_imc_0 ");
	has(c, "\nin use by others: ");
	has(c, "\ncounted: ok\n");
	has(c, "\nmay count: events\n");
	has(c, " accepted, each alone; mode all\n");
	has(c, "\nsoftware events: ok\n");
	/* Those of E run where the test's own machine has such a CPU. */
	has(c, "\nadds P: not measured: ");
	has(c, "\nbranches P: not measured: ");
	has(c, "\nloads E: ");
	finish(c);
}

UNIT(names_each_refusal)
{
	struct case_of *c = prepare("alderlake-12900k");

	c->r.f->refuse = some_missing;
	report(c, true);
	has(c, "\nrefused: BRANCH_MISPRED_NONSPEC refused on E by the kernel");
	has(c, "\npresets: 9 of 9 counted in turn\n");
	finish(c);
}

UNIT(opens_metric_events_behind_slots)
{
	struct case_of *c = prepare("alderlake-12900k");

	c->r.f->refuse = slots_lead;
	report(c, true);
	has_not(c, "\nrefused: ");
	has(c, "\npresets: 9 of 9 counted in turn\n");
	has_not(c, "SLOT_USEFUL topdown");
	finish(c);
}

/* Intel's PMUs drop the CPUs that are off: then there is a list, but empty. */
UNIT(knows_a_pmu_whose_cores_are_off)
{
	struct case_of *c = prepare("alderlake-12900k");

	rig_write(&c->r, "/sys/bus/event_source/devices/cpu_atom/cpus", "\n");
	report(c, false);
	has(c, "\nPMUs of cores that are off line: cpu_atom\n");
	finish(c);
}

/* Of a copy of a machine that somebody made: no terminal takes a command. */
UNIT(prints_no_escape)
{
	static const char command[] =
		"cd %s/sys/bus/event_source/devices && "
		"n=$(printf 'evil\\033[2Jpmu') && mkdir \"$n\" && "
		"echo 50 >\"$n/type\" && echo 0-1 >\"$n/cpus\"";
	struct case_of *c = prepare("vm-2cpu-nopmu");
	char text[512];

	(void)snprintf(text, sizeof(text), command, c->r.root);
	assert_int_equal(system(text), 0);
	rig_write(&c->r, "/proc/cpuinfo",
		  "processor\t: 0\nmodel name\t: A\033[31mB\n");
	report(c, false);
	has(c, " evil\\x1b[2Jpmu ");
	has(c, "\nprocessor: A[31mB\n");
	assert_null(strchr(c->text, '\033'));
	finish(c);
}

/* No PMU, and no right to the kernel's own events either: both are said. */
static int
nothing_but_no(struct fake *f, const struct perf_event_attr *attr, int cpu,
	       int leader)
{
	return attr->type == PERF_TYPE_SOFTWARE ? EACCES : ENOENT;
}

UNIT(says_what_is_refused_beside_no_pmu)
{
	struct case_of *c = prepare("vm-2cpu-nopmu");

	c->r.f->refuse = nothing_but_no;
	rig_write(&c->r, "/proc/sys/kernel/perf_event_paranoid", "1\n");
	report(c, true);
	has(c,
	    "\nno PMU opened: cpu 0: cycles not there (ENOENT), instructions -\n");
	has(c, "\nsoftware events: not permitted (EACCES)\n");
	has(c, "perf_event_paranoid is 1: run ktop as root");
	finish(c);
}

UNIT(says_who_may_count)
{
	struct case_of *c = prepare("zen4-7950x");
	char path[128];

	rig_write(&c->r, "/proc/sys/kernel/perf_event_paranoid", "3\n");
	(void)snprintf(path, sizeof(path), "%s/proc/self", c->r.root);
	(void)mkdir(path, 0700);
	rig_write(&c->r, "/proc/self/status",
		  "Name:\tktop\nSeccomp:\t2\nCapPrm:\t0000004000000000\n"
		  "CapEff:\t0000004000000000\n");
	rig_write(&c->r, "/proc/self/uid_map", "0 0 4294967295\n");
	c->r.f->refuse = no_right;
	report(c, true);
	has(c, "\nperf_event_paranoid: 3 (CAP_SYS_ADMIN, by a distribution)");
	has(c, "\ncapabilities: PERFMON yes, SYS_ADMIN no: no permission "
	       "to count\n");
	has(c, "\nseccomp: a filter;");
	has(c,
	    "\ncpu opened: cpu 0: cycles not permitted (EACCES), instructions -\n");
	has(c, "\nmay count: nothing: perf_event_paranoid is 3, where "
	       "CAP_PERFMON is not enough and CAP_SYS_ADMIN is needed; "
	       "run ktop as root, or set sysctl kernel.perf_event_paranoid=2 "
	       "and run setcap cap_perfmon+ep ktop");
	has(c, "\ncounted: not permitted (EACCES), user mode only\n");
	finish(c);
}

UNIT(says_that_there_is_no_pmu)
{
	struct case_of *c = prepare("vm-2cpu-nopmu");

	c->r.f->refuse = no_hardware;
	report(c, true);
	has(c,
	    "\nno PMU opened: cpu 0: cycles not there (ENOENT), instructions -\n");
	has(c, "\nmay count: software events only: no hardware counters (a "
	       "virtual machine without a PMU?)\n");
	has(c, "\nevents: 3 of 3 accepted, each alone; mode all\n");
	has_not(c, " counters: ");
	has(c,
	    "\nloops for the model: not measured: no event can be counted\n");
	finish(c);
}

UNIT(reads_another_machine)
{
	struct case_of *c = prepare("rk3588");

	report(c, false);
	assert_int_equal(c->r.f->opens, 0);
	has(c, "\nroot: another machine's files:");
	has_not(c, "seccomp");
	has_not(c, " opened: ");
	has(c, "\nmay count: not tried: --root\n");
	has_not(c, "euid");
	has_not(c, "\nloops for the model");
	has_not(c, "\nadds");
	finish(c);
}
