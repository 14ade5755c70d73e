/* A kind whose PMU refuses to count still has the kernel's own events. */
#include "source/fake_perf.h"

enum { E_CPU = 16, CPUS = 24 };

static const uint64_t every = 2000000000; /* a second, of each event */

static bool
is_hardware_of_e(const struct perf_event_attr *attr, int cpu)
{
	return cpu >= E_CPU && attr->type != PERF_TYPE_SOFTWARE;
}

/* *arg: the errno of the E cores' PMU; 0: it counts. */
static int
no_pmu_on_e(struct fake *f, const struct perf_event_attr *attr, int cpu,
	    int leader)
{
	return is_hardware_of_e(attr, cpu) ? *(int *)f->arg : 0;
}

static void
begin(struct rig *r, int *code)
{
	rig_prepare(r, "alderlake-12900k");
	r->f->refuse = no_pmu_on_e;
	r->f->arg = code;
	rig_open(r);
	assert_int_equal(r->s->info.mode, SOURCE_IPC);
	assert_true(rig_program(r, "basic"));
}

static void
second(struct rig *r)
{
	rig_second(r, every);
}

UNIT(kernel_counts_on)
{
	static int code[] = { ENOENT, EOPNOTSUPP, ENXIO };

	for (size_t i = 0; i < sizeof(code) / sizeof(code[0]); i++) {
		struct rig r;
		unsigned all;

		begin(&r, &code[i]);
		second(&r);
		all = frame_scope_all(r.frame);
		assert_true(near(rig_value(&r, E_CPU, "ctx_per_s"), 2e9));
		assert_true(near(rig_value(&r, CPUS - 1, "migr_per_s"), 2e9));
		assert_true(near(rig_value(&r, 0, "fault_per_s"), 2e9));
		assert_true(near(rig_value(&r, all, "ctx_per_s"), CPUS * 2e9));
		assert_int_equal(
			frame_marks(r.frame, all,
				    (unsigned)metric_find("ctx_per_s")),
			0);
		assert_int_equal(rig_state(&r, E_CPU, "ipc"),
				 VALUE_UNSUPPORTED);
		assert_int_equal(rig_state(&r, E_CPU, "branch_mpki"),
				 VALUE_UNSUPPORTED);
		assert_true(near(rig_value(&r, all, "ipc"), 1));
		assert_int_equal(
			frame_marks(r.frame, all, (unsigned)metric_find("ipc")),
			VALUE_PART);
		rig_close(&r);
	}
}

/* What the person reads: which kind, why, and what is left. */
UNIT(it_is_said)
{
	int code = ENOENT;
	struct rig r;

	begin(&r, &code);
	second(&r);
	assert_string_equal(r.s->info.notice,
			    "no hardware counters on E (No such file or "
			    "directory): only the kernel's own events are "
			    "counted there; ktop doctor shows what was tried");
	/* Not each event by its name as well. */
	for (unsigned i = 0; i < r.s->info.set->ndropped; i++)
		assert_null(strstr(r.s->info.set->dropped[i].why, "on E"));
	rig_close(&r);
}

/* A CPU that is off line has neither. */
static int
off_line(struct fake *f, const struct perf_event_attr *attr, int cpu,
	 int leader)
{
	return cpu >= E_CPU ? *(int *)f->arg : 0;
}

UNIT(off_is_off)
{
	int code = ENODEV;
	struct rig r;

	rig_prepare(&r, "alderlake-12900k");
	r.f->refuse = off_line;
	r.f->arg = &code;
	rig_open(&r);
	assert_true(rig_program(&r, "basic"));
	second(&r);
	assert_null(fake_leader(r.f, E_CPU));
	assert_int_equal(rig_state(&r, E_CPU, "ctx_per_s"), VALUE_OFF);
	assert_string_equal(r.s->info.notice, "");
	rig_close(&r);
}

/* Files run out among the kernel's events, too: nothing is kept open. */
static int
out_of_files(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	if (is_hardware_of_e(attr, cpu))
		return ENOENT;
	return cpu >= E_CPU && attr->config == PERF_COUNT_SW_CPU_MIGRATIONS
		       ? EMFILE
		       : 0;
}

UNIT(files_run_out)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", out_of_files);
	assert_false(rig_program(&r, "basic"));
	assert_non_null(strstr(r.e.text, "EMFILE"));
	rig_close(&r);
}

/* Where no kind's PMU counts any more a set of theirs is refused. */
static int
none_any_more(struct fake *f, const struct perf_event_attr *attr, int cpu,
	      int leader)
{
	return attr->type != PERF_TYPE_SOFTWARE ? *(int *)f->arg : 0;
}

UNIT(all_of_them_refuse)
{
	int code = 0;
	struct rig r;

	rig_prepare(&r, "alderlake-12900k");
	r.f->refuse = none_any_more;
	r.f->arg = &code;
	rig_open(&r);
	code = ENOENT;
	assert_false(rig_program(&r, "basic"));
	assert_non_null(strstr(r.e.text, "no hardware counters"));
	rig_close(&r);
}

/*
 * It is tried again, later and later, and the kernel's events go on meanwhile.
 * What the PMU counts then begins when it does: no time before is in it.
 */
UNIT(it_comes_back)
{
	int code = ENOENT;
	struct rig r;
	unsigned opens, back = 0;

	begin(&r, &code);
	opens = r.f->opens;
	for (int i = 0; i < 120; i++) {
		second(&r);
		assert_true(near(rig_value(&r, E_CPU, "ctx_per_s"), 2e9));
	}
	/* One each, after 1, 2, 4, 8, 16, 30, 30 ... s. */
	assert_in_range((r.f->opens - opens) / (CPUS - E_CPU), 5, 9);
	code = 0;
	for (int i = 0; i < 40; i++) {
		second(&r);
		if (rig_state(&r, E_CPU, "gips") != VALUE_OK)
			continue;
		back++;
		assert_true(near(rig_value(&r, E_CPU, "gips"), 2));
		assert_true(near(rig_value(&r, E_CPU, "ipc"), 1));
		assert_true(near(rig_value(&r, E_CPU, "branch_mpki"), 1000));
	}
	assert_true(back > 5);
	assert_string_equal(r.s->info.notice, "");
	rig_close(&r);
}

/* Groups that are open outlive the right to open them: these, too. */
UNIT(the_right_is_lost)
{
	int code = ENOENT;
	struct rig r;

	begin(&r, &code);
	code = EACCES;
	for (int i = 0; i < 40; i++) {
		second(&r);
		assert_true(near(rig_value(&r, E_CPU, "ctx_per_s"), 2e9));
	}
	rig_close(&r);
}
