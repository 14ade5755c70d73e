/*
 * Every call of the frameworks and the host fails once, for each n-th call of
 * a whole run: the machine must always be left as it was found.
 */
#include "model/metric.h"
#include "process/crash.h"
#include "sim/nth_shim.h"
#include "source/kperf/kperf.h"

#include <stdio.h>
#include <stdlib.h>

static int
shim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	if (turn(name))
		return -1;
	return sim_host()->sysctl(name, old, old_size, fresh, fresh_size);
}

static int
shim_cpu_nodes(struct host_cpu_node *out, int max)
{
	return turn("cpu_nodes") ? -1 : sim_host()->cpu_nodes(out, max);
}

static int
shim_cpu_load(struct host_cpu_load *out, int max)
{
	return turn("cpu_load") ? -1 : sim_host()->cpu_load(out, max);
}

static struct host_api host;

static void
wrap_all(void)
{
	wrap();
	host = *sim_host();
	host.sysctl = shim_sysctl;
	host.cpu_nodes = shim_cpu_nodes;
	host.cpu_load = shim_cpu_load;
}

static bool
make_set(const struct source *s, const char *a, const char *b,
	 struct eventset *out)
{
	const struct catalog *c = s->info.catalog;
	const struct event *want[2];

	if (c == NULL)
		return false;
	want[0] = catalog_find(c, a);
	want[1] = catalog_find(c, b);
	return want[0] != NULL && want[1] != NULL &&
	       slots_place(c, want, 2, out, NULL);
}

/* After each call the source must say one consistent thing. */
static void
read_once(struct source *s, struct sample *sample)
{
	struct stamp now;

	assert_int_equal(kperf_read(s, sample, NULL), SOURCE_OK);
	assert_int_equal(sample->set->len, s->info.set->len);
	clock_now(s->info.clock, &now);
	s->info.clock->step(s->info.clock->self, now.awake_ns + 100000000);
}

static bool
program(struct source *s, const char *a, const char *b)
{
	unsigned len = s->info.set->len;
	struct err e = { ERR_NONE, "" };
	struct eventset set;

	memset(&set, 0, sizeof(set));
	if (!make_set(s, a, b, &set))
		return false;
	if (kperf_program(s, &set, &e))
		return true;
	/* Atomic: the old set, and a sentence. */
	assert_int_equal(s->info.set->len, len);
	assert_string_not_equal(e.text, "");
	assert_int_not_equal(e.code, ERR_NONE);
	return false;
}

/* A whole run; true when nothing in it failed. */
static bool
whole_run(void)
{
	static const struct source_options o = { .sim = NULL };
	struct source *s = kperf_open_with(&kpc, &kpep, &host, "sim", &o, NULL);

	if (s == NULL)
		return false;
	bool ok = s->info.mode == SOURCE_IPC;
	struct sample *sample = sample_new(s->info.topology->ncpus, NULL);
	assert_non_null(sample);
	ok &= program(s, "INST_ALL", "CORE_ACTIVE_CYCLE");
	for (int i = 0; i < 3; i++)
		read_once(s, sample);
	ok &= program(s, "INST_BRANCH", "BRANCH_MISPRED_NONSPEC");
	for (int i = 0; i < 4; i++)
		read_once(s, sample);
	/* Whatever failed before, this far it has recovered. */
	if (ok && shim.failed == NULL)
		assert_int_equal(sample->flags, 0);
	if (s->info.mode == SOURCE_FULL)
		assert_int_equal(sample->flags & SAMPLE_BASELINE, 0);
	ok &= kperf_program(s, NULL, NULL);
	assert_int_not_equal(s->info.mode, SOURCE_FULL);
	ok &= program(s, "INST_ALL", "INST_BRANCH");
	read_once(s, sample);
	sample_free(sample);
	kperf_close(s);
	assert_null((void *)(uintptr_t)crash_get_rescue(CRASH_COUNTERS));
	return ok;
}

static void
fail_each(const char *spec, int code, uint32_t counting, uint64_t number)
{
	bool ok = false;
	unsigned n;

	/* Every call with KTOP_LONG=1, else every 19th. */
	unsigned step = getenv("KTOP_LONG") != NULL ? 1 : 19;

	for (n = 1; !ok && n < 3000; n += step) {
		boot(spec);
		if (number != 0)
			leave_traces(counting, 0, number);
		wrap_all();
		ok = fail_nth(spec, n, code, whole_run) && shim.failed == NULL;
		sim_stop();
	}
	assert_true(ok); /* the last run met no failure at all */
	assert_true(n > 100);
	printf("  %s, errno %d: %u calls\n", spec, code, n - step);
}

UNIT(a_machine_that_nobody_touched)
{
	fail_each("m1,clock=step", EPERM, 0, 0);
	fail_each("m1,clock=step,os=15.5", EBUSY, 0, 0);
	fail_each("m1,clock=step,pm=0,lib=errno", ENOMEM, 0, 0);
	fail_each("m1,clock=step,os=26.6", EPERM, 0, 0);
}

UNIT(a_machine_with_traces_of_another_tool)
{
	fail_each("m4,clock=step", EPERM, 3, 0x08);
	fail_each("m1,clock=step,os=14.5", EBUSY, 1, 0x8c);
	fail_each("m5max,clock=step", EACCES, 0, 0x08);
	fail_each("m4,clock=step,os=26.6", EPERM, 3, 0x08);
	fail_each("m5max,clock=step,os=27", EINVAL, 0, 0x08);
}
