/*
 * Sets that do not fit: too few counters, too few files, no memory, and what
 * is said of it (linux: 1.4, 1.6, 1.7, 9).
 */
#include "source/fake_perf.h"

#include "model/metric.h"

enum { P_TYPE = 4, E_TYPE = 10, E_CPU = 16 };

static int
hardware(struct fake *f, int leader)
{
	const struct fake_event *l;
	int n = 0;

	if (leader < 0)
		return 0;
	l = fake_at(f, leader);
	for (int i = 0; i < l->nmembers; i++) {
		const struct perf_event_attr *a = &f->event[l->member[i]].attr;

		/* The slots and their shares have a counter of their own. */
		n += a->type != PERF_TYPE_SOFTWARE && (a->config & 0xff) != 0;
	}
	return n;
}

/* A PMU takes *arg events; what is more is EINVAL. */
static int
takes_few(struct fake *f, const struct perf_event_attr *attr, int cpu,
	  int leader)
{
	return attr->type != PERF_TYPE_SOFTWARE &&
			       hardware(f, leader) >= *(int *)f->arg
		       ? EINVAL
		       : 0;
}

static bool
is_dropped(const struct rig *r, const char *event, const char *where)
{
	const struct eventset *set = r->s->info.set;
	unsigned found = 0;

	for (unsigned i = 0; i < set->ndropped; i++)
		if (strcmp(set->dropped[i].event, event) == 0 &&
		    strstr(set->dropped[i].why, where) != NULL)
			found++;
	return found == 1;
}

UNIT(least_important_goes)
{
	int most = 5;
	struct rig r;

	rig_prepare(&r, "alderlake-12900k");
	r.f->refuse = takes_few;
	r.f->arg = &most;
	rig_open(&r);
	assert_true(rig_program(&r, "basic"));
	rig_second(&r, 2000000000);
	/* What comes first after IPC stays, on both kinds. */
	assert_true(near(rig_value(&r, 0, "branch_mpki"), 1000));
	assert_true(near(rig_value(&r, E_CPU, "branch_mpki"), 1000));
	assert_true(near(rig_value(&r, 0, "l1d_ld_mpki"), 1000));
	assert_int_equal(rig_state(&r, E_CPU, "l1d_ld_mpki"),
			 VALUE_UNSUPPORTED);
	/* Each that is gone is named once, with where. */
	assert_null(strstr(r.s->info.notice, "BRANCH"));
	assert_non_null(strstr(r.s->info.notice, "L1D_CACHE_MISS_LD"));
	assert_true(is_dropped(&r, "L1D_CACHE_MISS_LD_NONSPEC", "on E"));
	for (int cpu = E_CPU; cpu < 24; cpu++)
		assert_int_equal(
			hardware(r.f,
				 FAKE_FD_FIRST + fake_leader(r.f, cpu)->leader),
			most);
	rig_close(&r);
}

/* Only one kind lacks it: that is said, too. */
static int
no_branches_on_p(struct fake *f, const struct perf_event_attr *attr, int cpu,
		 int leader)
{
	return attr->type == P_TYPE && attr->config == 0xc5 && leader >= 0
		       ? ENOENT
		       : 0;
}

UNIT(lost_on_one_kind)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", no_branches_on_p);
	assert_true(rig_program(&r, "basic"));
	assert_non_null(
		strstr(r.s->info.notice, "BRANCH_MISPRED_NONSPEC on P ("));
	assert_true(is_dropped(&r, "BRANCH_MISPRED_NONSPEC", "on P"));
	rig_second(&r, 2000000000);
	assert_int_equal(rig_state(&r, 0, "branch_mpki"), VALUE_UNSUPPORTED);
	assert_true(near(rig_value(&r, E_CPU, "branch_mpki"), 1000));
	assert_true(near(rig_value(&r, 0, "l1d_ld_mpki"), 1000));
	rig_close(&r);
}

/* ---- one event in two parts ---- */

static void
program_both(struct rig *r)
{
	const struct catalog *c = r->s->info.catalog;
	const struct event *event[] = { catalog_find(c, "LOAD_BEYOND_L2"),
					catalog_find(c, "INST_BRANCH") };
	struct eventset set = { .name = "own" };

	assert_true(slots_place(c, event, 2, &set, &r->e));
	assert_true(r->s->ops->program(r->s, &set, &r->e));
	rig_read(r);
}

/* Of the last reading, as totals. */
static uint64_t
counted(const struct rig *r, int cpu, const char *name)
{
	for (unsigned i = 0; i < r->s->info.set->len; i++)
		if (strcmp(r->s->info.set->slot[i].event->name, name) == 0)
			return r->sample->cpu[cpu].slot[i].supported
				       ? r->sample->cpu[cpu].slot[i].count
				       : 0;
	return 0;
}

UNIT(two_are_one)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	program_both(&r);
	rig_second(&r, 2000000000);
	/* Loads that hit L3, and those that memory answered. */
	assert_non_null(fake_find(r.f, E_CPU, E_TYPE, 0x4d1));
	assert_non_null(fake_find(r.f, E_CPU, E_TYPE, 0x80d1));
	assert_int_equal(counted(&r, E_CPU, "LOAD_BEYOND_L2"),
			 2 * counted(&r, E_CPU, "INST_BRANCH"));
	assert_true(counted(&r, E_CPU, "INST_BRANCH") > 0);
	rig_close(&r);
}

static int
no_memory_loads(struct fake *f, const struct perf_event_attr *attr, int cpu,
		int leader)
{
	return attr->type == E_TYPE && attr->config == 0x80d1 ? ENOENT : 0;
}

UNIT(half_is_none)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", no_memory_loads);
	program_both(&r);
	assert_null(fake_find(r.f, E_CPU, E_TYPE, 0x4d1));
	rig_second(&r, 2000000000);
	assert_int_equal(counted(&r, E_CPU, "LOAD_BEYOND_L2"), 0);
	assert_true(counted(&r, E_CPU, "INST_BRANCH") > 0);
	assert_non_null(strstr(r.s->info.notice, "LOAD_BEYOND_L2"));
	rig_close(&r);
}

/* ---- files ---- */

static uint64_t
ten_used(void *self)
{
	return 10;
}

/* Eight CPUs: the pair takes 16 files beside what is open. */
UNIT(the_pair_when_it_fits)
{
	struct rig r;

	rig_prepare(&r, "rk3588");
	r.f->ops.used = ten_used;
	r.f->soft = r.f->hard = 30;
	rig_open(&r);
	assert_int_equal(r.s->info.mode, SOURCE_IPC);
	assert_false(rig_program(&r, "basic"));
	assert_int_equal(r.f->files, 16);
	assert_non_null(strstr(r.e.text, "this set needs "));
	assert_non_null(strstr(r.e.text, "limit of 30 leaves 18 "));
	assert_non_null(strstr(r.e.text, "cycles and instructions only"));
	rig_read(&r);
	rig_second(&r, 2000000000);
	assert_true(near(rig_value(&r, 7, "ipc"), 1));
	rig_close(&r);
}

UNIT(not_even_the_pair)
{
	struct rig r;

	rig_prepare(&r, "rk3588");
	r.f->ops.used = ten_used;
	r.f->soft = r.f->hard = 27;
	rig_open(&r);
	assert_int_equal(r.s->info.mode, SOURCE_BUSY_ONLY);
	assert_null(r.s->info.catalog);
	assert_int_equal(r.f->files, 0);
	assert_non_null(strstr(r.s->info.why.text,
			       "cycles and instructions need 16 open files"));
	assert_non_null(strstr(r.s->info.why.text, "leaves 15 "));
	assert_non_null(strstr(r.s->info.why.text, "only busy time is shown"));
	rig_close(&r);
}

struct shortage {
	int code;
	unsigned most;
};

static int
runs_out(struct fake *f, const struct perf_event_attr *attr, int cpu,
	 int leader)
{
	const struct shortage *s = f->arg;

	return f->files >= s->most ? s->code : 0;
}

/* The system's table, or its memory: no limit of this process would help. */
UNIT(system_runs_out)
{
	static const struct {
		int code;
		const char *word;
	} rows[] = { { ENFILE, "fs.file-max" }, { ENOMEM, "memory" } };

	for (int i = 0; i < 2; i++)
		for (unsigned most = 8; most <= 16; most += 8) {
			struct shortage s = { rows[i].code, most };
			const char *text;
			struct rig r;

			rig_prepare(&r, "rk3588");
			r.f->refuse = runs_out;
			r.f->arg = &s;
			rig_open(&r);
			text = r.s->info.why.text;
			if (most == 16) {
				assert_int_equal(r.s->info.mode, SOURCE_IPC);
				assert_false(rig_program(&r, "basic"));
				assert_int_equal(r.f->files, 16);
				text = r.e.text;
			} else {
				assert_int_equal(r.f->files, 0);
				assert_non_null(strstr(text, "need 16 "));
			}
			assert_non_null(strstr(text, rows[i].word));
			assert_null(strstr(text, "ulimit"));
			rig_close(&r);
		}
}

/* ---- no PMU, and no right to the rest ---- */

static int
only_refusals(struct fake *f, const struct perf_event_attr *attr, int cpu,
	      int leader)
{
	return attr->type == PERF_TYPE_SOFTWARE ? EACCES : ENOENT;
}

UNIT(refused_beside_no_pmu)
{
	struct rig r;

	rig_prepare(&r, "vm-2cpu-nopmu");
	rig_write(&r, "/proc/sys/kernel/perf_event_paranoid", "1\n");
	r.f->refuse = only_refusals;
	rig_open(&r);
	assert_null(r.s->info.catalog);
	assert_non_null(
		strstr(r.s->info.why.text, "no hardware counters (a virtual"));
	assert_non_null(strstr(r.s->info.why.text,
			       "software events are refused: "
			       "perf_event_paranoid is 1: run ktop as root"));
	rig_close(&r);
}

static int
no_pmu(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return attr->type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
}

/* Nothing of a set of the kernel's events is of user mode. */
UNIT(user_mode_is_no_mode_of_the_kernel)
{
	struct rig r;

	rig_prepare(&r, "vm-2cpu-nopmu");
	r.f->refuse = no_pmu;
	r.o.user_only = true;
	rig_open(&r);
	assert_true(rig_program(&r, "basic"));
	assert_int_equal(r.s->info.domain, DOMAIN_ALL);
	assert_int_equal(fake_leader(r.f, 0)->attr.exclude_kernel, 0);
	rig_close(&r);
	rig_prepare(&r, "rk3588");
	r.o.user_only = true;
	rig_open(&r);
	assert_true(rig_program(&r, "basic"));
	assert_int_equal(r.s->info.domain, DOMAIN_USER);
	rig_close(&r);
}
