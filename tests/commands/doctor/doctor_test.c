/* The report over simulated Macs: what it finds, and what it leaves behind. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "commands/doctor/doctor.h"
#include "sim/sim.h"
#include "source/kperf/kperf.h"

#include <errno.h>
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
	unsigned calls;
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
	return fails() ? -1 : sim_kperf()->kpc_set_counting(classes);
}

static int
set_config(uint32_t classes, uint64_t *config)
{
	return fails() ? -1 : sim_kperf()->kpc_set_config(classes, config);
}

static int
force_set(int value)
{
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

/* The device tree of a Mac, and what the next report has of it; NULL: none. */
static int (*tree)(const char *path, const char *key, void *out, int size);

static int
tree_of_two(const char *path, const char *key, void *out, int size)
{
	const int32_t id = 7;
	int len = -1;

	if (strcmp(path, "IODeviceTree:/arm-io/pmgr") == 0) {
		memset(out, 0x16, (size_t)size);
		len = strcmp(key, "acc-clusters") == 0      ? 6
		      : strcmp(key, "voltage-states5") == 0 ? 160
							    : -1;
	} else if (strcmp(key, "cluster-id") == 0 &&
		   strcmp(path, "IODeviceTree:/cpus/cpub") == 0) {
		memcpy(out, &id, sizeof(id));
		len = sizeof(id);
	}
	return len;
}

static struct report *
examine(const char *spec, bool ipc)
{
	static struct kperf_api api;
	struct report *r = calloc(1, sizeof(*r));
	struct err e = { ERR_NONE, "" };
	size_t n;

	assert_non_null(r);
	if (!sim_start(spec, &e))
		fail_msg("%s", e.text);
	r->o.source.sim = spec;
	r->o.source.period_ns = 1000000000;
	r->o.ipc = ipc;
	doctor_begin(&r->d, tmpfile(), &r->o, true);
	assert_non_null(r->d.x.out);
	r->d.name = "sim";
	api = *sim_kperf();
	api.kpc_set_counting = set_counting;
	api.kpc_set_config = set_config;
	api.kpc_force_all_ctrs_set = force_set;
	api.kpc_get_config = get_config;
	api.kpc_get_cpu_counters = get_counters;
	r->d.kpc = &api;
	r->d.kpep = sim_kperfdata();
	r->host = *sim_host();
	/* The loops run only where the machine is real: let them think so. */
	r->host.simulated = strstr(spec, "seed=77") == NULL;
	r->host.tree_bytes = tree;
	r->d.host = &r->host;
	(void)sigaddset(&r->d.stop, SIGTERM);
	fault.calls = 0;
	doctor_open_frameworks(&r->d);
	r->code = doctor_examine(&r->d);
	rewind(r->d.x.out);
	n = fread(r->text, 1, sizeof(r->text) - 1, r->d.x.out);
	assert_true(n > 0 && n < sizeof(r->text) - 1);
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
	doctor_leave(&r->d);
	(void)fclose(r->d.x.out);
	free(r);
	sim_stop();
}

static void
assert_line(const struct report *r, const char *line)
{
	if (strstr(r->text, line) == NULL)
		fail_msg("no \"%s\" in the report:\n%s", line, r->text);
}

static void
finds_everything_on_an_m1(void **state)
{
	struct report *r = examine("m1,clock=step", false);
	const struct examine_found *f = &r->d.x.found;

	(void)state;
	assert_int_equal(r->code, 0);
	/* 63 events of the database less the two fixed ones. */
	assert_int_equal(f->events, 61);
	assert_int_equal(f->refused + f->nowhere, 0);
	assert_int_equal(f->domain, DOMAIN_USER);
	assert_int_equal(f->rows, 8);
	assert_int_equal(f->moved, 8);
	assert_true(r->d.found.restored);
	/* ldsrc and sme are not of this chip, os is no Mac's. */
	assert_int_equal(f->presets, preset_count - 3);
	assert_int_equal(f->programmed, f->presets);
	for (const struct examine_section *own = kperf_examine.own;
	     own->name != NULL; own++) {
		char heading[64];

		(void)snprintf(heading, sizeof(heading), "\n== %s\n",
			       own->name);
		assert_line(r, heading);
	}
	assert_line(r, "\nINST_ALL: 7 -> 7 wrote 0x8c read 0x2008c user\n");
	assert_line(r,
		    "\nbefore: force 0, classes 0, of threads 0, words 0 0 0 ");
	assert_line(r, "\nevent layout: 56 bytes");
	assert_line(r, "\nmasks: fixed=0x3 configurable=0x3fc power=0xe0");
	assert_line(r, "\nloops: not applicable: simulated\n");
	assert_line(r, "\n== tracing\nowner before: state 0, process 0,");
	assert_line(r, "\nshortest period: 1000000 ns\n");
	assert_line(r, "a ring of 196608 records: for 8 CPUs and coproc");
	assert_line(r, "0 torn, 0 rejected; records lost 0 times\n");
	assert_line(r, "\nthreads counted: ");
	assert_line(r, "; processes 200");
	assert_line(r, "\nowner after: state 0, process 0,");
	assert_untouched();
	finish(r);
}

static void
names_what_is_refused(void **state)
{
	struct report *r = examine(
		"m1,clock=step,layout=48,lib=errno,fault=refuse:INST_ALL@0s",
		false);

	(void)state;
	assert_int_equal(r->d.x.found.refused, 1);
	assert_line(r, "\nINST_ALL: 7: wrote 0x8c refused: EPERM");
	assert_line(
		r,
		"\npreset overview: 8 events on counters 2-9, mode user\n  not: INST_ALL: EPERM, macOS does not allow it\n");
	assert_line(r, "\nevent layout: 48 bytes");
	assert_line(r, "\nevents refused: 1 of 61\n");
	assert_untouched();
	finish(r);
}

/* macOS up to 14 counts all modes for a bare event number. */
static void
reads_the_mode_back(void **state)
{
	struct report *r = examine("m1,clock=step,os=14.5", false);

	(void)state;
	assert_int_equal(r->d.x.found.domain, DOMAIN_ALL);
	assert_line(r, "\nmode: all\n");
	finish(r);
}

static void
changes_nothing_where_it_may_not(void **state)
{
	struct report *r = examine("m1,clock=step,euid=501", false);

	(void)state;
	assert_int_equal(r->code, 0);
	assert_int_equal(fault.calls, 0);
	assert_false(r->d.found.forced);
	assert_line(r, "\nbefore: only root may look at the counters");
	assert_line(r, "counters to root only");
	assert_line(r, "\nrestore: nothing was changed\n");
	finish(r);

	r = examine("m1,clock=step", true); /* --ipc */
	assert_false(r->d.found.forced);
	assert_line(r, "\nipc: works\n");
	assert_line(r, "\nfull mode: does not work: not tried: --ipc");
	assert_line(r, "\nrestore: nothing was changed\n");
	finish(r);
}

static void
says_what_a_machine_lacks(void **state)
{
	struct report *r = examine("vm,clock=step", false);

	(void)state;
	assert_line(r, "\nvirtual: 1\n");
	assert_line(r, "\nbefore: this machine has no counters (");
	assert_line(r, "\nipc: does not work: this kernel has no kpc");
	finish(r);

	r = examine("intel,clock=step", false);
	assert_line(r, "\nipc: works\n");
	assert_line(r, "\nfull mode: does not work: on Intel Macs");
	assert_untouched();
	finish(r);

	/* E's rows keep their place, the last four are not delivered. */
	r = examine("m2max,clock=step,fault=off:E@0s", false);
	assert_int_equal(r->d.x.found.rows, 12);
	assert_true(r->d.x.found.delivered < 12);
	assert_line(r, "0 then 0 of 10 words written");
	finish(r);
}

/* Whichever call that changes something fails: nothing stays changed. */
static void
restores_after_each_failure(void **state)
{
	struct report *r = examine("m1,clock=step", false);
	unsigned calls = fault.calls;
	/* Of those in the middle more with KTOP_LONG=1. */
	unsigned step = getenv("KTOP_LONG") != NULL ? 7 : 71;

	(void)state;
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

static void
stops_early_on_a_signal(void **state)
{
	sigset_t term, old;
	struct report *r;

	(void)state;
	(void)sigemptyset(&term);
	(void)sigaddset(&term, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &term, &old);
	(void)raise(SIGTERM);
	r = examine("m1,clock=step", false);
	assert_int_equal(r->code, 128 + SIGTERM);
	assert_int_equal(r->d.x.found.events, 0);
	assert_line(r, "\ninterrupted: by signal 15");
	assert_line(r, "\nrestored: yes\n");
	assert_untouched();
	finish(r);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

/* The simulator does not count our loop; that they run is all to be seen. */
static void
runs_loops_on_a_machine(void **state)
{
	struct report *r = examine("m1,clock=step,seed=77", false);

	(void)state;
	assert_line(r, ": cpu 4 of cluster P, 1048576 iterations\n");
	assert_line(r, "instructions expected 8388608\n");
	assert_line(r, "\n  fixed order: unclear\n");
	assert_line(r, "\n  INST_BRANCH: expected 1048576 got ");
	assert_untouched();
	finish(r);
	r = examine("m1,clock=step,seed=77,fault=dead:INST_BRANCH@0s", false);
	assert_line(r, "\n  INST_BRANCH: expected 1048576 got 0 counts nothing "
		       "here\n");
	assert_untouched();
	finish(r);
}

static void
reports_without_frameworks(void **state)
{
	struct report *r = calloc(1, sizeof(*r));
	struct err e;

	(void)state;
	assert_non_null(r);
	assert_true(sim_start("m1,clock=step", &e));
	(void)err_set(&e, ERR_NO_PMU, "cannot load /Users/zaphod/kperf");
	r->o.source.sim = "m1";
	doctor_begin(&r->d, tmpfile(), &r->o, true);
	r->d.host = sim_host();
	assert_non_null(r->d.x.out);
	assert_int_equal(doctor_without_frameworks(&r->d, &e), ERR_NO_PMU);
	rewind(r->d.x.out);
	assert_true(fread(r->text, 1, sizeof(r->text) - 1, r->d.x.out) > 0);
	assert_line(r, "\nhw.model: MacBookAir10,1\n");
	assert_line(r, "\nnode 7: cpu=7 type=P");
	assert_line(r, "\nipc: does not work: the frameworks did not load");
	assert_null(strstr(r->text, "zaphod"));
	(void)fclose(r->d.x.out);
	free(r);
	sim_stop();
}

static void
breaks_lines_at_blanks(void **state)
{
	char text[512] = "";
	FILE *f = tmpfile();

	(void)state;
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

static void
names_errnos(void **state)
{
	char number[24];

	(void)state;
	assert_string_equal(report_errno(EPERM, number), "EPERM");
	assert_string_equal(report_errno(9999, number), "errno 9999");
}

static void
tells_the_rest_of_the_tree(void **state)
{
	struct report *r;

	(void)state;
	tree = tree_of_two;
	r = examine("m6,clock=step,seed=77", false);
	tree = NULL;
	assert_line(r, "\ncluster-id: cpub=7\n");
	assert_line(r, "\nacc-clusters: 16161616 1616\n");
	assert_line(r, "\nvoltage-states: 5 (160 bytes)\n");
	finish(r);
	r = examine("m6,clock=step", false);
	assert_line(r, "only a Mac itself has them");
	finish(r);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_everything_on_an_m1),
		cmocka_unit_test(names_what_is_refused),
		cmocka_unit_test(reads_the_mode_back),
		cmocka_unit_test(changes_nothing_where_it_may_not),
		cmocka_unit_test(says_what_a_machine_lacks),
		cmocka_unit_test(restores_after_each_failure),
		cmocka_unit_test(stops_early_on_a_signal),
		cmocka_unit_test(runs_loops_on_a_machine),
		cmocka_unit_test(reports_without_frameworks),
		cmocka_unit_test(breaks_lines_at_blanks),
		cmocka_unit_test(names_errnos),
		cmocka_unit_test(tells_the_rest_of_the_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
