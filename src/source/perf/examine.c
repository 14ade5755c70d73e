#include "source/perf/state.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/report.h"
#include "source/calibrate.h"

#define DEVICES "/sys/bus/event_source/devices"

enum { PATH_SIZE = 1024, TEXT_SIZE = 512 };

static struct perf_source *
examined_source(const struct examine *x)
{
	return x->s != NULL ? perf_of(x->s) : NULL;
}

static void
report_add_word(struct buf *b, const char *word)
{
	buf_printf(b, "%s%s", b->len > 0 ? " " : "", word);
}

static void
report_system(struct examine *x)
{
	const struct source_info *info = x->s != NULL ? &x->s->info : NULL;
	char text[4096];
	struct utsname u;

	/* u.nodename, the host's name, is private: do not print it. */
	if (x->live && uname(&u) == 0)
		report_line(x->out, "kernel", "%s %s %s", u.sysname, u.release,
			    u.machine);
	else if (info != NULL)
		report_line(x->out, "kernel", "%s", info->os);
	if (info != NULL) {
		report_line(x->out, "processor", "%s",
			    info->model[0] != '\0' ? info->model : "-");
		report_line(x->out, "cpus", "%u, cores %u, SMT %s",
			    info->topology->ncpus, info->topology->ncores,
			    info->topology->smt ? "yes" : "no");
	}
	if (sysfs_text(x->o->root, "/proc/cpuinfo", text, sizeof text) &&
	    strstr(text, " hypervisor") != NULL)
		report_line(x->out, "virtual machine", "yes");
	if (!x->live)
		report_line(x->out, "root",
			    "another machine's files: nothing is opened");
}

static const char *
capability_state(const struct count_permission *r, unsigned capability)
{
	return r->effective >> capability & 1   ? "yes"
	       : r->permitted >> capability & 1 ? "permitted"
						: "no";
}

static void
report_sandboxes(struct examine *x, const struct count_permission *r)
{
	static const char *const seccomp[] = { "off", "strict", "a filter" };
	static const char *const words[] = { "docker", "kubepods", "libpod",
					     "lxc", "containerd" };
	char groups[2048], lsm[256], text[TEXT_SIZE];
	struct buf b = buf_over(text, sizeof text);

	if (!sysfs_text(x->o->root, "/sys/kernel/security/lsm", lsm,
			sizeof lsm))
		snprintf(lsm, sizeof lsm, "-");
	report_line(x->out, "seccomp", "%s; security modules: %s",
		    r->seccomp >= 0 && r->seccomp < 3 ? seccomp[r->seccomp]
						      : "-",
		    lsm);
	if (sysfs_exists(x->o->root, "/.dockerenv"))
		report_add_word(&b, "/.dockerenv");
	if (sysfs_exists(x->o->root, "/run/.containerenv"))
		report_add_word(&b, "/run/.containerenv");
	if (sysfs_text(x->o->root, "/proc/self/cgroup", groups, sizeof groups))
		for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
			if (strstr(groups, words[i]) != NULL)
				report_add_word(&b, words[i]);
	report_line(
		x->out, "container", "%s, user namespace %s",
		b.len > 0 ? buf_cstr(&b) : "no signs",
		r->inner
			? "of its own: capabilities do not reach the kernel's counters"
			: "the first");
}

static void
report_rights(struct examine *x)
{
	const struct perf_source *s = examined_source(x);
	struct count_permission r;

	permission_read(x->o->root, &r);
	/* Capabilities are effective only during an open (group_rights). */
	if (s != NULL && s->had_rights)
		r.effective |= s->port.rights;
	if (!r.has_level)
		report_line(x->out, "perf_event_paranoid",
			    "- (a kernel without perf events)");
	else
		report_line(x->out, "perf_event_paranoid", "%" PRId64 " (%s)",
			    r.level,
			    r.level <= 0 ? "everybody may count on CPUs"
			    : r.level <= 2
				    ? "CAP_PERFMON or CAP_SYS_ADMIN"
				    : "CAP_SYS_ADMIN, by a distribution");
	if (!x->live)
		return;
	report_line(x->out, "capabilities",
		    "PERFMON %s, SYS_ADMIN %s: %s to count",
		    capability_state(&r, PERMISSION_PERFMON),
		    capability_state(&r, PERMISSION_SYS_ADMIN),
		    permission_may_count(&r) ? "permission" : "no permission");
	report_sandboxes(x, &r);
}

static void
report_trial_group(struct examine *x, unsigned kind, const char *name)
{
	struct perf_source *s = examined_source(x);
	const struct perf_kind *k = &s->catalog.kind[kind];
	struct group_plan plan = { .len = GROUP_LEADER };
	struct group g = { .open = false };
	char key[64], a[REPORT_OUTCOME_SIZE], b[REPORT_OUTCOME_SIZE];
	unsigned cpu = 0;
	int code;

	while (cpu < s->topology->ncpus &&
	       (s->topology->cpu[cpu].kind != kind || s->cpu[cpu].off))
		cpu++;
	if (!x->live || cpu == s->topology->ncpus)
		return;
	for (unsigned i = 0; i < plan.len; i++) {
		plan.member[i].code =
			i == FIXED_INSTRUCTIONS ? k->instructions : k->cycles;
		plan.member[i].what = i;
	}
	code = group_open(&g, &s->port, &plan, s->topology->cpu[cpu].id);
	snprintf(key, sizeof key, "%s opened", name);
	report_line(x->out, key, "cpu %d: cycles %s, instructions %s",
		    s->topology->cpu[cpu].id, report_outcome(code, a),
		    code != 0
			    ? "-"
			    : report_outcome(g.refused[FIXED_INSTRUCTIONS], b));
	snprintf(key, sizeof key, "%s counters", name);
	if (code == 0)
		report_line(x->out, key,
			    "%s%u at once, ktop's table: %u besides the pair",
			    g.len == plan.len ? "at least " : "", g.len,
			    k->family->counters);
	group_close(&g, &s->port);
}

static void
report_core_pmu(struct examine *x, unsigned kind)
{
	const struct perf_kind *k = &examined_source(x)->catalog.kind[kind];
	char path[PATH_SIZE], cpus[256], key[64];
	const char *name = k->counts ? k->pmu.name : "no PMU";

	snprintf(path, sizeof path, DEVICES "/%s/cpus", name);
	if (!sysfs_text(x->o->root, path, cpus, sizeof cpus))
		snprintf(cpus, sizeof cpus, "all");
	snprintf(key, sizeof key, "pmu %s", name);
	if (k->counts)
		report_line(
			x->out, key,
			"type %u, cpus %s, cores of family %s%s%s, slots %u",
			k->pmu.type, cpus, k->family->name,
			k->pmu.kernel_name[0] != '\0' ? ", caps/pmu_name " : "",
			k->pmu.kernel_name, k->pmu.slots);
	report_trial_group(x, kind, name);
}

static bool
is_core_pmu_name(const struct perf_source *s, const char *name)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		if (s->catalog.kind[k].counts &&
		    strcmp(s->catalog.kind[k].pmu.name, name) == 0)
			return true;
	return false;
}

static void
report_other_pmus(struct examine *x)
{
	char path[PATH_SIZE], others[TEXT_SIZE], off[TEXT_SIZE], cpus[16];
	struct buf b = buf_over(others, sizeof others);
	struct buf o = buf_over(off, sizeof off);
	struct dirent **list = NULL;
	int n;

	snprintf(path, sizeof path, "%s" DEVICES,
		 x->o->root != NULL ? x->o->root : "");
	n = scandir(path, &list, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		snprintf(path, sizeof path, DEVICES "/%s/cpus", name);
		if (name[0] == '.' ||
		    is_core_pmu_name(examined_source(x), name) ||
		    (examined_source(x)->has_clocks &&
		     strcmp(name, "msr") == 0))
			;
		else if (sysfs_exists(x->o->root, path) &&
			 (!sysfs_text(x->o->root, path, cpus, sizeof cpus) ||
			  cpus[0] == '\0'))
			report_add_word(&o, name);
		else
			report_add_word(&b, name);
		free(list[i]);
	}
	free(list);
	report_line(x->out, "busy time", "%s",
		    examined_source(x)->has_clocks
			    ? "each CPU's own clocks (PMU msr: tsc, mperf)"
			    : "the system's ticks (/proc/stat)");
	report_line(x->out, "other PMUs", "%s",
		    b.len > 0 ? buf_cstr(&b) : "none");
	if (o.len > 0)
		report_line(x->out, "PMUs of cores that are off line", "%s",
			    buf_cstr(&o));
}

static void
report_conflicts(struct examine *x)
{
	const struct perf_source *s = examined_source(x);
	unsigned open = 0, waits = 0;
	int64_t on;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		open += s->cpu[i].group.open;
		waits += !group_runs(&s->cpu[i].group, &s->port);
	}
	if (sysfs_number(x->o->root, "/proc/sys/kernel/nmi_watchdog", &on))
		report_line(x->out, "nmi_watchdog", "%" PRId64 "%s", on,
			    on == 0 ? "" : " (may use a counter of each CPU)");
	if (x->live)
		report_line(x->out, "in use by others",
			    "counters of %u of %u CPUs; left out: %s", waits,
			    open,
			    s->left_out_notice[0] != '\0' ? s->left_out_notice
							  : "nothing");
}

static bool
calibrate_move_to_kind(struct source *s, unsigned kind)
{
	enum { WORD_BITS = (int)(sizeof(unsigned long) * CHAR_BIT) };
	unsigned long mask[8192 / WORD_BITS] = { 0 };
	const struct topology *t = s->info.topology;

	for (unsigned i = 0; i < t->ncpus; i++) {
		unsigned id = (unsigned)t->cpu[i].id;

		if (t->cpu[i].kind == kind &&
		    id / WORD_BITS < sizeof mask / sizeof mask[0])
			mask[id / WORD_BITS] |= 1ul << (id % WORD_BITS);
	}
	return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask) == 0;
}

static int
calibrate_current_cpu(struct source *s)
{
	unsigned cpu;

	(void)s;
	return syscall(SYS_getcpu, &cpu, NULL, NULL) == 0 ? (int)cpu : -1;
}

static void
report_counters(struct examine *x)
{
	static const struct calibrate_cores cores = {
		.ask = calibrate_move_to_kind, .cpu = calibrate_current_cpu
	};
	struct perf_source *s = examined_source(x);
	char a[REPORT_OUTCOME_SIZE];

	if (s != NULL) {
		for (unsigned k = 0; k < s->catalog.nkinds; k++)
			report_core_pmu(x, k);
		report_other_pmus(x);
		if (x->live)
			report_line(x->out, "software events", "%s",
				    report_outcome(perf_try_open(s, false), a));
	}
	x->count(x);
	if (s != NULL)
		report_conflicts(x);
	if (s != NULL && x->live && !x->leave_off(x))
		calibrate(x, &cores);
}

static void
report_process_counters(struct examine *x)
{
	struct perf_source *s = examined_source(x);
	char text[REPORT_OUTCOME_SIZE];
	int code;

	if (s == NULL)
		return;
	report_line(x->out, "listed", "%s",
		    s->source.info.processes ? "yes" : "no: /proc has none");
	if (!x->live || s->port.ops->open_task == NULL)
		return;
	code = task_plan_try(&s->processes.plan, (int32_t)getpid());
	report_line(x->out, "counted", "%s%s", report_outcome(code, text),
		    s->processes.plan.user_only ? ", user mode only" : "");
	report_line(x->out, "open files",
		    "%" PRIu64 " for counters, the limit is %" PRIu64,
		    perf_count_files(s),
		    s->port.ops->limit(s->port.ops->self, 0));
}

const struct examine_question perf_examine[] = {
	{ "system", report_system },
	{ "rights", report_rights },
	{ "counters", report_counters },
	{ "processes", report_process_counters },
	{ NULL, NULL },
};
