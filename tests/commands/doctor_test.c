/* The report over simulated Macs: what it finds, and what it leaves behind. */
#include <cmocka.h>

#include "base/report.h"
#include "commands/doctor.h"
#include "sim/inside.h"
#include "sim/sim.h"
#include "source/kperf/kperf.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { REPORT_MAX = 65536 };

struct report {
	struct host_api host;
	struct doctor d;
	struct options o;
	int code;
	char text[REPORT_MAX];
};

/* The n-th call that changes the machine fails; the rest is the simulator. */
static struct {
	int left; /* 0: never */
	unsigned calls, changes;
} fault;

static bool
fails(void)
{
	fault.calls++;
	if (fault.left == 0 || --fault.left > 0)
		return false;
	errno = EIO;
	return true;
}

static int
set_counting(uint32_t classes)
{
	fault.changes++;
	return fails() ? -1 : sim_kperf()->kpc_set_counting(classes);
}

static int
set_config(uint32_t classes, uint64_t *config)
{
	fault.changes++;
	return fails() ? -1 : sim_kperf()->kpc_set_config(classes, config);
}

static int
force_set(int value)
{
	fault.changes++;
	return fails() ? -1 : sim_kperf()->kpc_force_all_ctrs_set(value);
}

static int
get_config(uint32_t classes, uint64_t *config)
{
	return fails() ? -1 : sim_kperf()->kpc_get_config(classes, config);
}

static int
get_counters(bool all, uint32_t classes, int *cpu, uint64_t *buf)
{
	return fails() ? -1
		       : sim_kperf()->kpc_get_cpu_counters(all, classes, cpu,
							   buf);
}

static struct report *
new_report(const char *spec)
{
	struct report *r = calloc(1, sizeof(*r));
	struct err e = { ERR_NONE, "" };

	assert_non_null(r);
	if (!sim_start(spec, &e))
		fail_msg("%s", e.text);
	r->o.source.period_ns = 1000000000;
	r->d.x.out = tmpfile();
	assert_non_null(r->d.x.out);
	r->d.x.o = &r->o.source;
	r->d.x.live = true;
	r->d.o = &r->o;
	r->d.ask = kperf_examine;
	(void)sigemptyset(&r->d.stop);
	(void)sigaddset(&r->d.stop, SIGTERM);
	return r;
}

static void
read_report(struct report *r)
{
	size_t n;

	r->code = doctor_report(&r->d);
	rewind(r->d.x.out);
	n = fread(r->text, 1, sizeof(r->text) - 1, r->d.x.out);
	assert_true(n > 0 && n < sizeof(r->text) - 1);
}

static struct report *
examine(const char *spec, bool ipc)
{
	static struct kperf_api api;
	static const struct source_ops ops = { .program = kperf_program,
					       .read = kperf_read,
					       .close = kperf_close };
	struct report *r = new_report(spec);

	r->o.source.sim = spec;
	r->o.source.ipc = ipc;
	api = *sim_kperf();
	api.kpc_set_counting = set_counting;
	api.kpc_set_config = set_config;
	api.kpc_force_all_ctrs_set = force_set;
	api.kpc_get_config = get_config;
	api.kpc_get_cpu_counters = get_counters;
	r->host = *sim_host();
	/* The loops run only where the machine is real: let them think so. */
	r->host.simulated = strstr(spec, "seed=77") == NULL;
	if (!r->host.simulated)
		r->host.loop = NULL;
	fault.calls = fault.changes = 0;
	r->d.x.s = kperf_open_with(&api, sim_kperfdata(), &r->host, "sim",
				   &r->o.source, &r->d.x.why);
	assert_non_null(r->d.x.s);
	r->d.x.s->ops = &ops;
	read_report(r);
	return r;
}

/* What the machine's own calls say when doctor has left it. */
static void
assert_untouched(void)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t word[KPC_MAX_COUNTERS] = { 0 };
	int force = -1;

	assert_int_equal(k->kpc_force_all_ctrs_get(&force), 0);
	assert_int_equal(force, 0);
	assert_int_equal(k->kpc_get_counting(), 0);
	assert_int_equal(k->kpc_get_thread_counting(), 0);
	assert_int_equal(k->kpc_force_all_ctrs_set(1), 0);
	assert_int_equal(k->kpc_get_config(2, word), 0);
	for (unsigned i = 0; i < KPC_MAX_COUNTERS; i++)
		assert_true(word[i] == 0);
	assert_int_equal(k->kpc_force_all_ctrs_set(0), 0);
}

static void
finish(struct report *r)
{
	kperf_close(r->d.x.s);
	(void)fclose(r->d.x.out);
	free(r);
	sim_stop();
}

/* Also over a line break of the report. */
static void
assert_line(const struct report *r, const char *line)
{
	char text[REPORT_MAX];
	size_t n = 0;

	for (const char *at = r->text; *at != '\0'; at++)
		if (strncmp(at, "\n  ", 3) == 0) {
			text[n++] = ' ';
			at += 2;
		} else {
			text[n++] = *at;
		}
	text[n] = '\0';
	if (strstr(text, line) == NULL)
		fail_msg("no \"%s\" in the report:\n%s", line, r->text);
}

UNIT(finds_everything_on_an_m1)
{
	struct report *r = examine("m1,clock=step", false);

	assert_int_equal(r->code, 0);
	assert_line(r, "\nsystem: macOS ");
	assert_line(r, "\nmodel: MacBookAir10,1, Apple M1, translated 0, ");
	assert_line(r, "\ncluster P: kind=Performance width=8 pmu=a14 die=0 "
		       "cores=4 cpus=4,5,6,7\n");
	assert_line(r, "cpu 4-7 are core 0-3 of cluster 1, type P");
	assert_line(
		r,
		"60 listed: 60 read, cycles by kind of core; 0 denied, 0 gone; of "
		"one 1 of 1");
	assert_line(r, "\nname: a14 (");
	assert_line(r, "\nevents: 63; counters: 2 fixed, 8 configurable, ");
	assert_line(r, "\nunknown to us: 0\nmissing: 0\ndifferent: 0\n");
	assert_line(r,
		    "\nbefore: force 0, classes 0, of threads 0, words 0 0 0 ");
	assert_line(r, "\nmay count: events\n");
	/* 63 of the database less the two fixed ones. */
	assert_line(r, "\nevents: 61 of 61 accepted, each alone; mode user\n");
	/* ldsrc and sme are not of this chip, os is no Mac's. */
	assert_int_equal(preset_count, 14);
	assert_line(r, "\npresets: 11 of 11 counted in turn\n");
	assert_line(r, "\nnot on this machine: ldsrc, sme, os\n");
	assert_line(r, "\nrows: 8 of 8 CPUs delivered, 8 moved; busy time of "
		       "8\n");
	assert_line(r, "\nkernel layer: kpc (");
	assert_line(r, "\nloop: not applicable: simulated\n");
	assert_line(r, "\ntracing's owner: state 0, process 0,");
	assert_line(r, "IPC 1.");
	assert_line(r, ", 8 of 8 events; 0 rejected, records lost 0 times\n");
	assert_line(r, "\nrestored: yes\n");
	assert_untouched();
	finish(r);
}

/* One answer of the report, up to the next. */
static bool
fits(const struct report *r, unsigned lines)
{
	unsigned n = 0;

	for (const char *at = r->text; *at != '\0'; n++) {
		size_t len = strcspn(at, "\n");

		if (len > 80)
			return false;
		at += len + 1;
	}
	return n <= lines;
}

/* The device tree numbers all clusters through, ktop by kind. */
UNIT(tells_clusters_from_their_labels)
{
	struct report *r = examine("m3ultra,clock=step", false);

	assert_line(r, "\ncluster E1: kind=Efficiency width=5 pmu=as3 die=1 "
		       "cores=4 cpus=16,17,18,19\n");
	assert_line(r, "cpu 16-19 are core 0-3 of cluster 3, type E, die 1");
	finish(r);
}

UNIT(fits_into_a_message)
{
	struct report *r = examine("m1,clock=step", false);

	assert_true(fits(r, 80));
	assert_false(fits(r, 10));
	finish(r);
	r = examine("m3ultra,clock=step", false);
	assert_true(fits(r, 100));
	finish(r);
	r = examine("m6,clock=step,fault=refuse:*@0s", false);
	assert_true(fits(r, 80));
	finish(r);
}

UNIT(names_what_is_refused)
{
	struct report *r = examine(
		"m1,clock=step,layout=48,lib=errno,fault=refuse:INST_ALL@0s",
		false);

	assert_line(r, "\nevents: 60 of 61 accepted, each alone; mode user\n"
		       "refused: INST_ALL not permitted\n");
	assert_line(r, "\npresets: 11 of 11 counted");
	assert_untouched();
	finish(r);
}

/* A chip whose database has other events than our table. */
UNIT(names_what_our_table_lacks)
{
	struct report *r = examine("m1,clock=step,chip=new", false);

	assert_line(r, "\nour table: none: this chip is new to ktop\n");
	finish(r);
}

/* macOS up to 14 counts all modes for a bare event number. */
UNIT(reads_the_mode_back)
{
	struct report *r = examine("m1,clock=step,os=14.5", false);

	assert_line(r, "; mode all\n");
	finish(r);
}

UNIT(changes_nothing_where_it_may_not)
{
	struct report *r = examine("m1,clock=step,euid=501", false);

	assert_int_equal(r->code, 0);
	assert_int_equal(fault.changes, 0);
	assert_line(r, "\nbefore: only root may use the counters (");
	assert_line(r, "\nmay count: nothing: only root may use the "
		       "counters");
	finish(r);

	r = examine("m1,clock=step", true); /* --ipc */
	assert_line(r, "\nmay count: cycles and instructions: fixed "
		       "counters only (--ipc)");
	assert_null(strstr(r->text, "\npresets:"));
	assert_line(r, "\nrestored: yes\n");
	assert_untouched();
	finish(r);
}

UNIT(says_what_a_machine_lacks)
{
	struct report *r = examine("vm,clock=step", false);

	assert_line(r, ", virtual 1,");
	assert_line(r, "\nbefore: this kernel has no counters (");
	assert_line(r, "\nmay count: nothing: this kernel has no counters");
	finish(r);

	r = examine("intel,clock=step", false);
	assert_line(r, "\nmay count: cycles and instructions: on Intel Macs");
	assert_untouched();
	finish(r);

	/* E's rows keep their place, the last four are not delivered. */
	r = examine("m2max,clock=step,fault=off:E@0s", false);
	assert_line(r, "\nrows: 8 of 12 CPUs delivered, 4 moved;");
	finish(r);
}

/* Whichever call that changes something fails: nothing stays changed. */
UNIT(restores_after_each_failure)
{
	struct report *r = examine("m1,clock=step", false);
	unsigned calls = fault.calls;
	/* Of those in the middle more with KTOP_LONG=1. */
	unsigned step = getenv("KTOP_LONG") != NULL ? 7 : 71;

	finish(r);
	assert_true(calls > 300);
	for (unsigned n = 1; n <= calls;
	     n += n < 20 || n + 20 > calls ? 1 : step) {
		fault.left = (int)n;
		r = examine("m1,clock=step", false);
		fault.left = 0;
		assert_untouched();
		finish(r);
	}
}

UNIT(stops_early_on_a_signal)
{
	sigset_t term, old;
	struct report *r;

	(void)sigemptyset(&term);
	(void)sigaddset(&term, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &term, &old);
	(void)raise(SIGTERM);
	r = examine("m1,clock=step", false);
	assert_int_equal(r->code, 128 + SIGTERM);
	assert_line(r, "\nevents: 0 of 0 accepted");
	assert_line(r, "\ninterrupted: by signal 15");
	assert_line(r, "\nrestored: yes\n");
	assert_untouched();
	finish(r);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

/* The simulator does not count our loop; that they run is all to be seen. */
UNIT(runs_loops_on_a_machine)
{
	struct report *r = examine("m1,clock=step,seed=77", false);

	assert_line(r, ": cpu 4 of cluster P, instructions 8388608: fixed 0 ");
	assert_line(r, "order unclear;");
	assert_line(r, "INST_BRANCH ");
	assert_line(r, " of 1048576 ");
	/* Nor can it be asked for another core than its fastest. */
	assert_line(r, "\nbranches P: cpu 4, IPC ");
	assert_line(r, "\nbranches E: not measured: no try stayed on a core");
	assert_untouched();
	finish(r);
	r = examine("m1,clock=step,seed=77,fault=dead:INST_BRANCH@0s", false);
	assert_line(r, "INST_BRANCH 0 of 1048576 counts nothing here");
	assert_untouched();
	finish(r);
}

/* The number behind the name in the line of that key. */
static double
number_of(const struct report *r, const char *key, const char *name)
{
	char text[REPORT_MAX], want[80];
	size_t n = 0;

	for (const char *at = r->text; *at != '\0'; at++)
		if (strncmp(at, "\n  ", 3) == 0) {
			text[n++] = ' ';
			at += 2;
		} else {
			text[n++] = *at;
		}
	text[n] = '\0';
	snprintf(want, sizeof want, "\n%s: ", key);
	char *line = strstr(text, want), *end, *at;

	if (line == NULL)
		fail_msg("no %s in the report:\n%s", key, r->text);
	end = strchr(line + 1, '\n');
	assert_non_null(end);
	*end = '\0';
	snprintf(want, sizeof want, " %s ", name);
	at = strstr(line, want);
	if (at == NULL)
		fail_msg("no %s in: %s", name, line);
	return strtod(at + strlen(want), NULL);
}

static void
assert_close(double got, double want)
{
	if (!(fabs(got - want) <= 0.002 + 0.0002 * want))
		fail_msg("%g, not %g", got, want);
}

/* What one kind's loops say is what the simulated chip was drawn with. */
static void
check_loops(const struct report *r, const struct sim_machine *m, uint64_t seed,
	    unsigned kind, const char *letter)
{
	const struct sim_kind *k = &m->kind[kind];
	bool has_recovery =
		pmu_event_find(pmu_by_db(m->db), "MAP_RECOVERY") != NULL;
	bool arm = strcmp(m->name, "m6") == 0; /* has events of slots */
	struct work_physics p;
	struct work_rate rate;
	char adds[16], branches[16], loads[16];

	snprintf(adds, sizeof adds, "adds %s", letter);
	snprintf(branches, sizeof branches, "branches %s", letter);
	snprintf(loads, sizeof loads, "loads %s", letter);
	work_physics_draw(&p, seed, kind, k->class == SIM_CLASS_SLOW, false);
	assert_close(number_of(r, adds, "micro-operations/instruction"),
		     p.uops / 1000.0);
	work_rate_of(k, &p, "RETIRE_UOP", has_recovery, &rate);
	assert_close(number_of(r, adds, "retired slots/cycle"),
		     rate.q20[WORK_COMPUTE] / 1048576.0);
	assert_close(number_of(r, branches, "cycles/misprediction"), p.miss);
	/* Half of it rewinds, in the other half others were mapped. */
	assert_close(number_of(r, branches, "MAP_REWIND/misprediction"),
		     p.miss / 2.0);
	if (has_recovery)
		assert_close(number_of(r, branches,
				       "discarded micro-operations/"
				       "misprediction"),
			     p.miss * k->width / 2.0);
	if (arm)
		assert_close(
			number_of(r, branches, "front-end slots/misprediction"),
			p.miss * k->width / 2.0);
	work_rate_of(k, &p, "MAP_STALL", has_recovery, &rate);
	assert_close(number_of(r, loads, "MAP_STALL/cycle"),
		     rate.q20[WORK_MEMORY] / 1048576.0);
}

UNIT(calibrates_the_model)
{
	static const struct {
		const char *machine;
		unsigned nkinds;
		const char *letter[3];
	} machines[] = { { "m1", 2, { "P", "E" } },
			 { "m4", 2, { "P", "E" } },
			 { "m6", 3, { "S", "P", "E" } } };

	for (unsigned i = 0; i < 3; i++)
		for (unsigned seed = 1; seed <= 4; seed++) {
			char spec[64];
			struct report *r;

			snprintf(spec, sizeof spec, "%s,clock=step,seed=%u",
				 machines[i].machine, seed);
			r = examine(spec, false);
			for (unsigned k = 0; k < machines[i].nkinds; k++)
				check_loops(
					r,
					sim_machine_find(machines[i].machine),
					seed, k, machines[i].letter[k]);
			assert_line(r, "\nrestored: yes\n");
			finish(r);
		}
}

/* Each kind apart: where its CPUs are off, no loop can run there. */
UNIT(says_what_it_cannot_calibrate)
{
	struct report *r = examine("m1,clock=step,fault=off:P@0s", false);

	assert_line(r, "\nbranches P: not measured: no try stayed on a core");
	assert_close(number_of(r, "adds E", "IPC"), 1.85);
	finish(r);
	r = examine("m1,clock=step", true);
	assert_line(r, "\nloops for the model: not measured: no event can be "
		       "counted\n");
	finish(r);
	r = examine("m1,clock=step,euid=501", false);
	assert_line(r, "\nloops for the model: not measured: no event can be "
		       "counted\n");
	finish(r);
	r = examine("m4,clock=step,fault=refuse:BRANCH_MISPRED_NONSPEC@0s",
		    false);
	assert_line(r, "mispredictions/1000 instructions -, "
		       "cycles/misprediction -,");
	finish(r);
}

UNIT(reports_without_frameworks)
{
	struct report *r = new_report("m1,clock=step");

	r->o.source.kperf_path = "/Users/zaphod/kperf";
	(void)err_set(&r->d.x.why, ERR_NO_PMU,
		      "cannot load /Users/zaphod/kperf");
	read_report(r);
	assert_line(
		r,
		"\nsource: none: the reason names a file, and is left out\n");
	assert_line(r, "\nkperf: kperf ");
	assert_line(r, "\nmay count: not tried: see above\n");
	assert_null(strstr(r->text, "zaphod"));
	finish(r);
}

UNIT(breaks_lines_at_blanks)
{
	char text[512] = "";
	FILE *f = tmpfile();

	assert_non_null(f);
	report_line(f, "key", "%s",
		    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa bbbbbbbbbbbbbbbbbbbbbbbbbb "
		    "ccccccccccccccccc dd e");
	report_line(f, "none", "%s", "");
	rewind(f);
	assert_true(fread(text, 1, sizeof(text) - 1, f) > 0);
	/* 4 + 31 + 27 + 18 would be column 80: one too many. */
	assert_string_equal(text, "key: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa "
				  "bbbbbbbbbbbbbbbbbbbbbbbbbb\n"
				  "  ccccccccccccccccc dd e\nnone:\n");
	(void)fclose(f);
}

UNIT(names_errnos)
{
	char number[24], outcome[REPORT_OUTCOME_SIZE];

	assert_string_equal(report_outcome(0, outcome), "ok");
	assert_string_equal(report_outcome(ENOENT, outcome),
			    "not there (ENOENT)");
	assert_string_equal(report_outcome(ERANGE, outcome), "failed (ERANGE)");
	assert_string_equal(report_errno(9999, number), "errno 9999");
}
