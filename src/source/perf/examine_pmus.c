/* The PMUs of a Linux machine: those of cores, and why the others are not. */
#include "source/perf/examine.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/report.h"
#include "source/perf/state.h"

#define DEVICES "/sys/bus/event_source/devices"

enum { PATH_SIZE = 1024, TEXT_SIZE = 1024, GROUP_TRY = 34 };

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Names in a folder, one after the other; how many. -1: no such folder. */
static int
list_folder(const struct examine *x, const char *path, char *text, size_t size)
{
	char full[PATH_SIZE];
	struct dirent **list = NULL;
	struct buf b = buf_over(text, size);
	int n, found = 0;

	snprintf(full, sizeof full, "%s%s",
		 x->o->root != NULL ? x->o->root : "", path);
	n = scandir(full, &list, NULL, by_name);
	for (int i = 0; i < n; i++) {
		const char *name = list[i]->d_name;

		/* NAME.scale and the like say the unit of NAME. */
		if (strchr(name, '.') == NULL &&
		    b.len + strlen(name) + 2 < size)
			buf_printf(&b, "%s%s", b.len > 0 ? " " : "", name);
		found += strchr(name, '.') == NULL;
		free(list[i]);
	}
	free(list);
	buf_cstr(&b);
	return n < 0 ? -1 : found;
}

static int
kind_of(const struct examine *x, const char *pmu)
{
	const struct perf_source *s = perf_examined(x);

	for (unsigned k = 0; s != NULL && k < s->catalog.nkinds; k++)
		if (s->catalog.kind[k].counts &&
		    strcmp(s->catalog.kind[k].pmu.name, pmu) == 0)
			return (int)k;
	return -1;
}

/* Intel's PMUs drop the CPUs that go off line. */
static bool
is_empty_list(const struct examine *x, const char *pmu)
{
	char path[PATH_SIZE], text[16];
	int n;

	snprintf(path, sizeof path, DEVICES "/%s/cpus", pmu);
	n = sysfs_open(x->o->root, path);
	if (n < 0)
		return false;
	close(n);
	return !sysfs_text(x->o->root, path, text, sizeof text) ||
	       text[0] == '\0';
}

static void
ignored(const struct examine *x, const char *name, int64_t type)
{
	static const struct {
		const char *name, *why;
	} known[] = {
		{ "software", "used besides the cores' own: it needs no PMU" },
		{ "tracepoint", "ignored: places in the kernel, no counters" },
		{ "kprobe", "ignored: places in the kernel, no counters" },
		{ "uprobe", "ignored: places in programs, no counters" },
		{ "breakpoint", "ignored: addresses, no counters" },
		{ "msr", "ignored: clocks of other units, no core events" },
	};
	char path[PATH_SIZE], mask[128], key[300];
	const char *why = NULL;

	snprintf(key, sizeof key, "pmu %s", name);
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (strcmp(known[i].name, name) == 0)
			why = known[i].why;
	snprintf(path, sizeof path, DEVICES "/%s/cpumask", name);
	for (const char *c = name; *c != '\0'; c++)
		if (*c <= ' ' || *c > '~')
			why = "ignored: no kernel gives such a name";
	if (why == NULL && is_empty_list(x, name))
		why = "of cores that are all off line: its list cpus is empty; ktop counts them when they come on line";
	if (why != NULL)
		report_line(x->out, key, "type %" PRId64 ", %s", type, why);
	else if (sysfs_text(x->o->root, path, mask, sizeof mask))
		report_line(
			x->out, key,
			"type %" PRId64
			", cpumask %s, ignored: it counts for a package, a die or the like, not for a core",
			type, mask);
	else
		report_line(
			x->out, key,
			"type %" PRId64
			", ignored: no PMU of cores (those are cpu, cpu_*, or have a list cpus)",
			type);
}

/* ---- a PMU of cores ---- */

static int
open_member(const struct perf_source *s, const struct perf_code *code, int cpu,
	    int leader)
{
	const struct perf_ops *ops = s->port.ops;
	struct perf_event_attr attr;

	group_attr(&attr, &s->port, code, leader < 0); /* never enabled */
	group_rights(&s->port, true);

	int fd = ops->open(ops->self, &attr, cpu, leader);
	int error = errno;

	group_rights(&s->port, false);
	errno = error;
	return fd;
}

int
perf_try_open(const struct perf_source *s, const struct perf_code *code,
	      int cpu)
{
	int fd = open_member(s, code, cpu, -1);

	if (fd < 0)
		return errno;
	s->port.ops->close(s->port.ops->self, fd);
	return 0;
}

int
perf_cpu_of(const struct perf_source *s, unsigned kind)
{
	const struct topology *t = s->topology;

	for (unsigned i = 0; i < t->ncpus; i++)
		if (t->cpu[i].kind == kind && !s->cpu[i].off)
			return t->cpu[i].id;
	return -1;
}

/*
 * A group of the pair and more and more cycles, until the driver takes no
 * more. It looks at an empty PMU: what the watchdog holds is not in it.
 */
static unsigned
grow(const struct perf_source *s, const struct perf_kind *k, int cpu,
     int *refusal)
{
	const struct perf_ops *ops = s->port.ops;
	int fd[GROUP_TRY];
	unsigned n = 0;

	*refusal = 0;
	while (n < GROUP_TRY) {
		fd[n] = open_member(s, n == 1 ? &k->instructions : &k->cycles,
				    cpu, n > 0 ? fd[0] : -1);
		if (fd[n] < 0) {
			*refusal = errno;
			break;
		}
		n++;
	}
	for (unsigned i = n; i-- > 0;)
		ops->close(ops->self, fd[i]);
	return n;
}

static void
trial(const struct examine *x, unsigned kind, int cpu)
{
	const struct perf_source *s = perf_of(x->s);
	const struct perf_kind *k = &s->catalog.kind[kind];
	int cycles = perf_try_open(s, &k->cycles, cpu);
	int instructions = perf_try_open(s, &k->instructions, cpu), refusal;
	char a[24], b[24];
	unsigned n;

	report_line(x->out, "  open", "cpu %d: cycles %s, instructions %s", cpu,
		    report_outcome(cycles, a), report_outcome(instructions, b));
	if (cycles != 0 || instructions != 0)
		return;
	n = grow(s, k, cpu, &refusal);
	if (n == GROUP_TRY)
		report_line(
			x->out, "  counters",
			"%u at once, and more: the driver does not say where it ends; ktop's table: %u besides the pair",
			n, k->family->counters);
	else
		report_line(
			x->out, "  counters",
			"%u at once by trial, the next is refused (%s); ktop's table: %u besides the pair",
			n, report_errno(refusal, a), k->family->counters);
}

static void
core_pmu(const struct examine *x, const char *name, int64_t type, unsigned kind)
{
	const struct perf_kind *k = &perf_of(x->s)->catalog.kind[kind];
	char path[PATH_SIZE], cpus[256], text[TEXT_SIZE], key[300];
	int n, cpu = perf_cpu_of(perf_of(x->s), kind);

	snprintf(key, sizeof key, "pmu %s", name);
	snprintf(path, sizeof path, DEVICES "/%s/cpus", name);
	if (!sysfs_text(x->o->root, path, cpus, sizeof cpus))
		snprintf(cpus, sizeof cpus, "all");
	report_line(x->out, key,
		    "type %" PRId64 ", cpus %s, cores of family %s%s%s", type,
		    cpus, k->family->name,
		    k->pmu.kernel_name[0] != '\0' ? ", caps/pmu_name " : "",
		    k->pmu.kernel_name);
	if (k->pmu.slots != 0)
		report_line(x->out, "  slots", "%u a cycle", k->pmu.slots);
	snprintf(path, sizeof path, DEVICES "/%s/format", name);
	n = list_folder(x, path, text, sizeof text);
	report_line(x->out, "  format", "%s", n > 0 ? text : "none");
	snprintf(path, sizeof path, DEVICES "/%s/events", name);
	n = list_folder(x, path, text, sizeof text);
	report_line(x->out, "  events", "%d: %s", n > 0 ? n : 0,
		    n > 0 ? text : "none");
	if (x->live && cpu >= 0)
		trial(x, kind, cpu);
}

static void
pmu(const struct examine *x, const char *name)
{
	char path[PATH_SIZE];
	int64_t type = -1;
	int kind = kind_of(x, name);

	snprintf(path, sizeof path, DEVICES "/%s/type", name);
	(void)sysfs_number(x->o->root, path, &type);
	if (kind >= 0)
		core_pmu(x, name, type, (unsigned)kind);
	else
		ignored(x, name, type);
}

/* Why there is no pair of cycles and instructions. */
static void
explain(const struct examine *x, int cycles, int instructions, int software)
{
	struct err e = { ERR_NONE, "" }, more = { ERR_NONE, "" };
	char number[24];

	if (perf_of(x->s)->counts) {
		if (instructions != 0)
			report_line(x->out, "no IPC",
				    "cycles count, instructions do not (%s)",
				    report_errno(instructions, number));
		return;
	}
	(void)denied_explain(x->o->root, cycles, &e);
	err_prefix(&e, report_errno(cycles, number));
	report_line(x->out, "no IPC", "%s", e.text);
	/* Without a PMU the kernel's own events are what there could be. */
	if (!denied_is_absent(cycles) || software == 0)
		return;
	(void)denied_explain(x->o->root, software, &more);
	report_line(x->out, "software events give", "%s: %s",
		    report_errno(software, number), more.text);
}

/* Those that the kernel counts itself; ktop uses three. Errno of the first. */
static int
software(const struct examine *x, int cpu)
{
	enum { LAST = PERF_COUNT_SW_CGROUP_SWITCHES };
	int error = 0, switches = 0;
	unsigned open = 0;
	char number[24];

	for (unsigned i = 0; i <= LAST; i++) {
		const struct perf_code code = { .type = PERF_TYPE_SOFTWARE,
						.config = i };
		int code_error = perf_try_open(perf_of(x->s), &code, cpu);

		open += code_error == 0;
		error = code_error != 0 ? code_error : error;
		if (i == PERF_COUNT_SW_CONTEXT_SWITCHES)
			switches = code_error;
	}
	report_line(
		x->out, "software events",
		"%u of %u open on cpu %d%s%s; ktop uses context-switches, cpu-migrations and page-faults",
		open, LAST + 1, cpu, error != 0 ? ", the others give " : "",
		error != 0 ? report_errno(error, number) : "");
	return switches;
}

/* Where there is no PMU of cores the kernel is asked all the same. */
static void
any_pmu(const struct examine *x)
{
	const struct perf_code code[] = {
		{ .type = PERF_TYPE_HARDWARE,
		  .config = PERF_COUNT_HW_CPU_CYCLES },
		{ .type = PERF_TYPE_HARDWARE,
		  .config = PERF_COUNT_HW_INSTRUCTIONS },
	};
	const struct perf_source *s = perf_of(x->s);
	int cpu = perf_cpu_of(s, 0);
	int cycles = perf_try_open(s, &code[0], cpu);
	int instructions = perf_try_open(s, &code[1], cpu);
	char a[24], b[24];

	report_line(x->out, "open any", "cpu %d: cycles %s, instructions %s",
		    cpu, report_outcome(cycles, a),
		    report_outcome(instructions, b));
	explain(x, cycles, instructions, software(x, cpu));
}

static void
watchdog(const struct examine *x)
{
	int64_t on;

	if (!sysfs_number(x->o->root, "/proc/sys/kernel/nmi_watchdog", &on))
		report_line(x->out, "nmi_watchdog", "not said");
	else
		report_line(
			x->out, "nmi_watchdog", "%" PRId64 " (%s)", on,
			on == 0 ? "it holds no counter"
				: "it may hold a counter of each CPU; if counters are short: sysctl kernel.nmi_watchdog=0");
}

void
perf_examine_pmus(struct examine *x)
{
	struct dirent **list = NULL;
	char path[PATH_SIZE];
	int n;

	snprintf(path, sizeof path, "%s" DEVICES,
		 x->o->root != NULL ? x->o->root : "");
	n = scandir(path, &list, NULL, by_name);
	for (int i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.')
			pmu(x, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	if (n < 0)
		report_line(x->out, "pmus", "no " DEVICES);
	watchdog(x);
	if (x->live && x->s != NULL)
		any_pmu(x);
	else if (!x->live)
		report_line(x->out, "open",
			    "not tried: --root is another machine");
}
