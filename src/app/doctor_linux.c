/* ktop doctor on Linux: what decides whether perf_event gives counters. */
#include "app/doctor.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "source/sysfs_linux.h"
#include "source/topology_linux.h"

#define DEVICES "/sys/bus/event_source/devices"
#define PARANOID "/proc/sys/kernel/perf_event_paranoid"

enum {
	PATH_SIZE = 1024,
	TEXT_SIZE = 512,
	CAP_SYS_ADMIN = 21,
	CAP_PERFMON = 38
};

struct machine {
	FILE *out;
	const char *root; /* NULL: the system */
	const struct topology *topology;
	int64_t paranoid;         /* INT64_MAX: no such file */
	bool may;                 /* root, CAP_PERFMON or CAP_SYS_ADMIN */
	int cycles, instructions; /* errno of the open on CPU 0, 0: works */
	bool stat;
};

const char *
doctor_core(bool fast)
{
	return fast ? "any core" : "any core, again";
}

/* A line of /proc/self/status as hexadecimal; 0 without it. */
static uint64_t
capabilities(void)
{
	char line[256];
	uint64_t caps = 0;
	FILE *f = fopen("/proc/self/status", "re");

	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		if (strncmp(line, "CapEff:", 7) == 0)
			caps = strtoull(line + 7, NULL, 16);
	if (f != NULL)
		(void)fclose(f);
	return caps;
}

static void
versions(struct machine *m)
{
	struct utsname u;
	uint64_t caps = capabilities();
	bool perfmon = (caps >> CAP_PERFMON & 1) != 0;
	bool admin = (caps >> CAP_SYS_ADMIN & 1) != 0;

	doctor_section(m->out, "versions");
	doctor_line(m->out, "ktop", "%s", KTOP_VERSION);
	/* Never u.nodename: that is the host's name. */
	if (uname(&u) == 0)
		doctor_line(m->out, "kernel", "%s %s %s", u.sysname, u.release,
			    u.machine);
	doctor_who(m->out);
	doctor_line(m->out, "capabilities", "CAP_PERFMON %s, CAP_SYS_ADMIN %s",
		    perfmon ? "yes" : "no", admin ? "yes" : "no");
	m->may = perfmon || admin;
	if (sysfs_number(m->root, PARANOID, &m->paranoid)) {
		doctor_line(m->out, "perf_event_paranoid", "%" PRId64,
			    m->paranoid);
	} else {
		m->paranoid = INT64_MAX;
		doctor_line(m->out, "perf_event_paranoid",
			    "- (a kernel without perf events)");
	}
	doctor_line(m->out, "macos parts",
		    "do not apply on Linux; see them with --sim m1");
}

/* 0, or the errno; the counter is closed again. */
static int
try_open(uint64_t config, int cpu)
{
	struct perf_event_attr attr;
	long fd;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = config;
	attr.disabled = 1;
	attr.exclude_guest = 1;
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1,
		     PERF_FLAG_FD_CLOEXEC);
	if (fd < 0)
		return errno;
	(void)close((int)fd);
	return 0;
}

static const char *
outcome(int error, char number[24])
{
	return error == 0 ? "ok" : doctor_errno(error, number);
}

/* Of a core PMU, named in the upper half of config (Linux 5.13 on). */
static void
pmu_opens(const struct machine *m, const char *name, uint64_t type, int cpu)
{
	char a[24], b[24], key[300];
	uint64_t high = type == PERF_TYPE_RAW ? 0 : type << 32;
	int cycles = try_open(high | PERF_COUNT_HW_CPU_CYCLES, cpu);
	int insns = try_open(high | PERF_COUNT_HW_INSTRUCTIONS, cpu);

	(void)snprintf(key, sizeof(key), "open %s", name);
	doctor_line(m->out, key, "cpu %d: cycles %s, instructions %s", cpu,
		    outcome(cycles, a), outcome(insns, b));
}

static void
pmu(const struct machine *m, const char *name)
{
	char path[PATH_SIZE], cpus[TEXT_SIZE], key[300];
	int64_t type = -1;
	int cpu;

	(void)snprintf(path, sizeof(path), DEVICES "/%s/type", name);
	(void)sysfs_number(m->root, path, &type);
	(void)snprintf(path, sizeof(path), DEVICES "/%s/cpus", name);
	cpu = sysfs_first(m->root, path);
	if (!sysfs_text(m->root, path, cpus, sizeof(cpus))) {
		(void)snprintf(path, sizeof(path), DEVICES "/%s/cpumask", name);
		(void)sysfs_text(m->root, path, cpus, sizeof(cpus));
	}
	if (type == PERF_TYPE_RAW && cpu < 0)
		cpu = 0; /* "cpu": every one */
	(void)snprintf(key, sizeof(key), "pmu %s", name);
	doctor_line(m->out, key, "type %" PRId64 "%s%s", type,
		    cpus[0] != '\0' ? ", cpus " : "", cpus);
	if (cpu >= 0 && type >= 0 && m->root == NULL)
		pmu_opens(m, name, (uint64_t)type, cpu);
}

static int
by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static void
pmus(struct machine *m)
{
	struct dirent **list = NULL;
	char path[PATH_SIZE], number[24], number2[24];
	int n;

	doctor_section(m->out, "pmus");
	(void)snprintf(path, sizeof(path), "%s" DEVICES,
		       m->root != NULL ? m->root : "");
	n = scandir(path, &list, NULL, by_name);
	for (int i = 0; i < n; i++) {
		if (list[i]->d_name[0] != '.')
			pmu(m, list[i]->d_name);
		free(list[i]);
	}
	free(list);
	if (n < 0)
		doctor_line(m->out, "pmus", "no " DEVICES);
	if (m->root != NULL) {
		doctor_line(m->out, "open", "not tried: --root");
		return;
	}
	m->cycles = try_open(PERF_COUNT_HW_CPU_CYCLES, 0);
	m->instructions = try_open(PERF_COUNT_HW_INSTRUCTIONS, 0);
	doctor_line(m->out, "open any", "cpu 0: cycles %s, instructions %s",
		    outcome(m->cycles, number),
		    outcome(m->instructions, number2));
}

static void
clusters(const struct machine *m, const struct err *e)
{
	const struct topology *t = m->topology;

	doctor_section(m->out, "topology");
	if (t == NULL) {
		doctor_line(m->out, "topology", "%s", e->text);
		return;
	}
	doctor_line(m->out, "cpus", "%u, cores %u, smt %s", t->ncpus, t->ncores,
		    t->smt ? "yes" : "no");
	for (unsigned c = 0; c < t->nclusters; c++) {
		const struct topology_cluster *cl = &t->cluster[c];
		char key[TOPOLOGY_LABEL_SIZE + 16], text[TEXT_SIZE] = "";
		size_t at = 0;

		for (unsigned i = 0; i < t->ncpus; i++)
			if (t->cpu[i].cluster == c && at + 8 < sizeof(text))
				at += (size_t)snprintf(
					text + at, sizeof(text) - at, "%s%d",
					at > 0 ? "," : "", t->cpu[i].id);
		(void)snprintf(key, sizeof(key), "cluster %s", cl->label);
		doctor_line(m->out, key,
			    "kind=%s pmu=%s package=%d die=%d cores=%u cpus=%s",
			    t->kind[cl->kind].name, t->kind[cl->kind].pmu,
			    cl->package, cl->die, cl->ncores, text);
	}
}

static void
busy(struct machine *m)
{
	char path[PATH_SIZE], line[TEXT_SIZE];
	unsigned rows = 0;
	FILE *f;

	(void)snprintf(path, sizeof(path), "%s/proc/stat",
		       m->root != NULL ? m->root : "");
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof(line), f) != NULL)
		rows += strncmp(line, "cpu", 3) == 0 && line[3] >= '0' &&
			line[3] <= '9';
	if (f != NULL)
		(void)fclose(f);
	m->stat = rows > 0;
	doctor_line(m->out, "/proc/stat", "%u cpu rows", rows);
}

/* What each errno means here: facts of perf_event_open on CPUs. */
static const char *
remedy(const struct machine *m, int error)
{
	switch (error) {
	case EACCES:
		return m->paranoid >= 3
			       ? "perf_event_paranoid is 3 or more: run ktop "
				 "with sudo, or set it to 2 and give ktop "
				 "CAP_PERFMON"
			       : "run ktop with sudo, or setcap cap_perfmon+ep "
				 "ktop, or set kernel.perf_event_paranoid to 0";
	case EPERM:
		return "a container's seccomp profile blocks it; add the "
		       "capability PERFMON to the container";
	case ENOSYS:
		return "this kernel, or this container, has no perf events";
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "no hardware counters here, as in most virtual "
		       "machines; ktop shows busy time";
	}
	return "not known to ktop; please report it";
}

static void
verdicts(const struct machine *m)
{
	char number[24];

	doctor_section(m->out, "verdict");
	if (m->root != NULL)
		doctor_line(m->out, "ipc", "not tried: --root");
	else if (m->cycles == 0 && m->instructions == 0)
		doctor_line(m->out, "ipc", "works");
	else if (m->cycles == 0)
		doctor_line(m->out, "ipc",
			    "does not work: cycles count, instructions do "
			    "not (%s)",
			    doctor_errno(m->instructions, number));
	else
		doctor_line(m->out, "ipc", "does not work: %s: %s",
			    doctor_errno(m->cycles, number),
			    remedy(m, m->cycles));
	doctor_line(m->out, "topology", "%s",
		    m->topology != NULL ? "works" : "does not work");
	doctor_line(m->out, "busy time", "%s",
		    m->stat ? "works" : "does not work: no /proc/stat");
	doctor_line(m->out, "restore", "nothing was changed");
}

int
doctor_elsewhere(const struct options *o)
{
	struct machine m = { .out = stdout, .root = o->source.root };
	struct err e = { ERR_NONE, "" };
	struct topology *t = topology_linux(m.root, &e);

	m.topology = t;
	(void)fprintf(m.out, "ktop doctor report, format 1: no serial number, "
			     "host or user name is in it\n");
	if (o->tape != NULL)
		doctor_line(m.out, "tape",
			    "not recorded: a tape is of the frameworks of "
			    "macOS; try it with --sim m1");
	versions(&m);
	pmus(&m);
	clusters(&m, &e);
	busy(&m);
	doctor_terminal(m.out);
	verdicts(&m);
	topology_free(t);
	if (o->tape != NULL)
		return ERR_USAGE;
	return fflush(m.out) == 0 ? 0 : ERR_FAIL;
}
