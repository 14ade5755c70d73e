/* A kernel that says no, and CPUs that come and go: vectors 23 to 36 and 47. */
#include "source/fake_perf.h"

enum { P_TYPE = 4, E_TYPE = 10 };

static int
deny(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return *(int *)f->arg;
}

/* ---- permission ---- */

UNIT(v26_to_v29_what_to_do)
{
	static const struct {
		int code;
		const char *level, *caps; /* NULL: no such file; CapEff */
		const char *says[3];
	} rows[] = {
		{ EACCES,
		  "2\n",
		  "0",
		  { "perf_event_paranoid is 2", "root", "cap_perfmon" } },
		{ EACCES,
		  "3\n",
		  "4000000000",
		  { "is 3", "CAP_SYS_ADMIN",
		    "sysctl kernel.perf_event_paranoid=2" } },
		{ EACCES, "4\n", "0", { "is 4", "CAP_SYS_ADMIN", "root" } },
		{ EACCES, "-1\n", "0", { "is -1", "SELinux", "security" } },
		{ EPERM, "-1\n", "0", { "container", "seccomp", "PERFMON" } },
		{ ENOSYS, NULL, "0", { "built without perf events", "", "" } },
		{ ENOSYS, "2\n", "0", { "blocked by a sandbox", "", "" } },
		{ EBUSY, "2\n", "0", { "another program", "quit it", "" } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[256], status[64];
		int code = rows[i].code;
		struct rig r;

		rig_prepare(&r, "alderlake-12900k");
		snprintf(path, sizeof(path), "mkdir -p %s/proc/self %s%s",
			 r.root, r.root, "/proc/sys/kernel");
		assert_int_equal(system(path), 0);
		snprintf(path, sizeof(path),
			 "rm -f %s/proc/sys/kernel/perf_event_paranoid",
			 r.root);
		assert_int_equal(system(path), 0);
		if (rows[i].level != NULL)
			rig_write(&r, "/proc/sys/kernel/perf_event_paranoid",
				  rows[i].level);
		snprintf(status, sizeof(status), "Name:\tktop\nCapEff:\t%s\n",
			 rows[i].caps);
		rig_write(&r, "/proc/self/status", status);
		r.f->refuse = deny;
		r.f->arg = &code;
		rig_open(&r);
		assert_int_equal(r.s->info.mode, SOURCE_BUSY_ONLY);
		/* What ktop ends with where nothing was ever counted. */
		assert_int_equal(r.s->info.why.code, code == EBUSY ? ERR_TAKEN
						     : rows[i].level == NULL
							     ? ERR_NO_PMU
							     : ERR_PERM);
		for (int k = 0; k < 3; k++)
			if (strstr(r.s->info.why.text, rows[i].says[k]) == NULL)
				fail_msg("%s: not \"%s\"", r.s->info.why.text,
					 rows[i].says[k]);
		/* Utilisation goes on: nothing else is there to show. */
		assert_null(r.s->info.catalog);
		rig_read(&r);
		r.f->now_ns += 1000000000;
		r.ticks[0][0] += 50;
		r.ticks[0][1] += 50;
		rig_stat(&r);
		rig_read(&r);
		assert_true(near(span_busy_pct(&r.frame->span[0]), 50));
		assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_UNSUPPORTED);
		rig_close(&r);
	}
}

/* ---- no PMU ---- */

static int
software_only(struct fake *f, const struct perf_event_attr *attr, int cpu,
	      int leader)
{
	return attr->type == PERF_TYPE_SOFTWARE ? 0 : ENOENT;
}

/* As kernel 6.12: clocks that lead and are on at once starve their group. */
static bool
only_when_disabled(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	assert_int_equal(e->attr.config, PERF_COUNT_SW_CONTEXT_SWITCHES);
	assert_true(e->attr.disabled);
	for (int i = 1; i < e->nmembers; i++)
		assert_false(f->event[e->member[i]].attr.disabled);
	return false;
}

UNIT(v30_v31_without_a_pmu)
{
	struct rig r;

	rig_prepare(&r, "vm-2cpu-nopmu");
	r.f->refuse = software_only;
	r.f->on_read = only_when_disabled;
	r.f->clocks_starve = true;
	rig_open(&r);
	assert_int_equal(r.s->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(r.s->info.why.code, ERR_NO_PMU);
	assert_non_null(strstr(r.s->info.why.text, "no hardware counters"));
	assert_true(rig_program(&r, "basic"));
	rig_second(&r, 500);
	assert_true(near(rig_value(&r, 0, "ctx_per_s"), 500));
	assert_true(near(rig_value(&r, 1, "fault_per_s"), 500));
	assert_true(near(rig_value(&r, frame_scope_all(r.frame), "migr_per_s"),
			 1000));
	assert_int_equal(rig_state(&r, 0, "ipc"), VALUE_UNSUPPORTED);
	assert_true(isnan(rig_value(&r, 0, "ipc")));
	assert_false(rig_program(&r, "branch"));
	rig_close(&r);
}

/* ---- an event that only some can count ---- */

UNIT(v32_one_kind_has_it)
{
	unsigned e = 24 + 1, all;
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	assert_true(rig_program(&r, "frontend"));
	assert_int_equal(r.s->info.mode, SOURCE_FULL);
	rig_second(&r, 2000000000);
	all = frame_scope_all(r.frame);
	assert_true(near(rig_value(&r, e, "l1i_mpki"), 1000));
	assert_int_equal(rig_state(&r, 0, "l1i_mpki"), VALUE_UNSUPPORTED);
	assert_true(isnan(rig_value(&r, 0, "l1i_mpki"))); /* not 0 */
	/* The total is that of those who count it. */
	assert_true(near(rig_value(&r, all, "l1i_mpki"), 1000));
	assert_null(fake_find(r.f, 3, P_TYPE, 0x280));
	assert_non_null(fake_find(r.f, 16, E_TYPE, 0x280));
	rig_close(&r);
}

static int
no_branches(struct fake *f, const struct perf_event_attr *attr, int cpu,
	    int leader)
{
	return attr->config == 0xc5 && leader >= 0 ? EINVAL : 0;
}

UNIT(v33_a_refused_sibling)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", no_branches);
	assert_true(rig_program(&r, "basic"));
	assert_non_null(strstr(r.s->info.notice, "BRANCH_MISPRED_NONSPEC"));
	rig_second(&r, 2000000000);
	assert_int_equal(rig_state(&r, 0, "branch_mpki"), VALUE_UNSUPPORTED);
	assert_true(near(rig_value(&r, 0, "l1d_ld_mpki"), 1000));
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	rig_close(&r);
}

static int
no_slots(struct fake *f, const struct perf_event_attr *attr, int cpu,
	 int leader)
{
	return attr->type == P_TYPE && (attr->config & 0xff) == 0 ? EINVAL : 0;
}

/* Golden Cove's slots lead; where they cannot be had the cycles do. */
UNIT(v33_a_refused_leader)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", no_slots);
	assert_true(rig_program(&r, "topdown"));
	assert_int_equal(fake_leader(r.f, 0)->attr.config, 0x3c);
	assert_true(fake_leader(r.f, 0)->attr.disabled);
	rig_second(&r, 2000000000);
	assert_int_equal(rig_state(&r, 0, "retiring_pct"), VALUE_UNSUPPORTED);
	assert_true(near(rig_value(&r, 0, "ipc"), 1));
	rig_close(&r);
}

/* ---- files ---- */

UNIT(v35_v44_too_few_files)
{
	struct rig r;

	rig_prepare(&r, "neoverse-n1-80");
	r.f->soft = 64;
	r.f->hard = 256;
	rig_open(&r);
	assert_int_equal(r.s->info.mode, SOURCE_IPC);
	assert_int_equal(r.f->files, 160); /* two for each of 80 CPUs */
	assert_int_equal(r.f->raised, 1);
	assert_false(rig_program(&r, "basic"));
	assert_non_null(strstr(r.e.text, "256"));
	assert_non_null(strstr(r.e.text, "ulimit"));
	assert_int_equal(r.f->files, 160); /* the old set goes on, everywhere */
	rig_second(&r, 2000000000);
	rig_second(&r, 2000000000);
	assert_true(near(rig_value(&r, 79, "ipc"), 1));
	rig_close(&r);
}

static int
emfile_after(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	return f->files >= *(unsigned *)f->arg ? EMFILE : 0;
}

/* The limit said yes, the open says no: back to the pair on all CPUs. */
UNIT(v35_emfile_after_all)
{
	unsigned most = 200;
	struct rig r;

	rig_prepare(&r, "neoverse-n1-80");
	r.f->refuse = emfile_after;
	r.f->arg = &most;
	rig_open(&r);
	assert_false(rig_program(&r, "basic"));
	assert_int_equal(r.f->files, 160);
	assert_int_equal(r.s->info.mode, SOURCE_IPC);
	rig_close(&r);
}

static bool older_kernel_told;

static int
older_kernel(struct fake *f, const struct perf_event_attr *attr, int cpu,
	     int leader)
{
	if (attr->size <= 112)
		return 0;
	/* The kernel writes its own size where ours was. */
	memcpy((char *)(uintptr_t)attr + offsetof(struct perf_event_attr, size),
	       &(uint32_t){ 112 }, sizeof(uint32_t));
	older_kernel_told = true;
	return E2BIG;
}

UNIT(v36_an_older_kernel)
{
	struct rig r;

	rig_start(&r, "rk3588", older_kernel);
	assert_int_equal(r.s->info.mode, SOURCE_IPC);
	assert_true(older_kernel_told);
	assert_int_equal(fake_leader(r.f, 0)->attr.size, 112);
	assert_int_equal(r.f->opens, 8 * 2 + 1); /* asked once only */
	rig_close(&r);
}

/* ---- hotplug ---- */

static int
offline(struct fake *f, const struct perf_event_attr *attr, int cpu, int leader)
{
	return f->arg != NULL && cpu >= *(int *)f->arg ? ENODEV : 0;
}

UNIT(v23_hotplug)
{
	int first_off = 4;
	struct rig r;

	rig_start(&r, "rk3588", offline);
	rig_second(&r, 2000000000);
	r.f->arg = &first_off;
	rig_write(&r, "/sys/devices/system/cpu/online", "0-3\n");
	rig_second(&r, 2000000000);
	assert_int_equal(r.f->files, 8); /* two each of four */
	assert_true(r.frame->span[5].quality & QUALITY_OFF);
	assert_int_equal(rig_state(&r, 5, "ipc"), VALUE_OFF);
	assert_int_equal(r.frame->span[frame_scope_all(r.frame)].n_ok, 4);
	r.f->arg = NULL;
	rig_write(&r, "/sys/devices/system/cpu/online", "0-7\n");
	rig_second(&r, 2000000000);
	rig_second(&r, 2000000000);
	rig_second(&r, 2000000000);
	assert_int_equal(r.f->files, 16);
	assert_true(near(rig_value(&r, 5, "gips"), 2));
	assert_int_equal(r.frame->span[frame_scope_all(r.frame)].n_ok, 8);
	rig_close(&r);
}

UNIT(v24_off_at_the_start)
{
	int first_off = 5;
	struct rig r;

	rig_prepare(&r, "rk3588");
	r.f->refuse = offline;
	r.f->arg = &first_off;
	rig_open(&r);
	assert_int_equal(r.s->info.mode, SOURCE_IPC);
	rig_read(&r);
	rig_second(&r, 2000000000);
	assert_true(near(rig_value(&r, 4, "gips"), 2));
	assert_true(isnan(rig_value(&r, 6, "gips")));
	rig_close(&r);
}

/* A CPU that the topology of the start does not have is at least told of. */
UNIT(v25_a_newcomer)
{
	struct rig r;

	rig_prepare(&r, "rk3588");
	rig_write(&r, "/sys/devices/system/cpu/online", "0-5\n");
	rig_open(&r);
	assert_int_equal(r.s->info.topology->ncpus, 6);
	rig_read(&r);
	fake_second(r.f, 1);
	rig_write(&r, "/sys/devices/system/cpu/online", "0-7\n");
	rig_read(&r);
	assert_non_null(strstr(r.s->info.notice, "2 CPUs came online"));
	assert_true(r.s->info.outdated);
	rig_close(&r);
}

static int
late_denial(struct fake *f, const struct perf_event_attr *attr, int cpu,
	    int leader)
{
	return f->arg != NULL ? EACCES : 0;
}

UNIT(v47_lost_permission)
{
	struct rig r;
	unsigned opens;

	rig_start(&r, "rk3588", late_denial);
	rig_second(&r, 2000000000);
	r.f->arg = &r;
	fake_leader(r.f, 5)->torn = true;
	rig_second(&r, 2000000000);
	assert_non_null(
		strstr(r.s->info.notice,
		       "lost permission: 1 CPU came back online and may"));
	assert_int_equal(rig_state(&r, 5, "ipc"), VALUE_DENIED);
	assert_true(near(rig_value(&r, 4, "gips"), 2)); /* the rest goes on */
	opens = r.f->opens;
	for (int i = 0; i < 60; i++) {
		rig_second(&r, 2000000000);
	}
	/* After 1, 2, 4, 8, 16, 30 s ...: no spin. */
	assert_true(r.f->opens - opens >= 4 && r.f->opens - opens <= 7);
	r.f->arg = NULL;
	for (int i = 0; i < 33; i++) {
		rig_second(&r, 2000000000);
	}
	assert_null(strstr(r.s->info.notice, "lost permission"));
	assert_true(near(rig_value(&r, 5, "gips"), 2));
	rig_close(&r);
}
