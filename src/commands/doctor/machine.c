/* What a Mac says of itself: its versions, and where its CPUs are. */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <string.h>

#include "base/plural.h"
#include "source/kperf/host.h"

enum { TEXT_SIZE = 256, NODES_MAX = 256, LEVELS_MAX = 8 };

static void
text_line(const struct doctor *d, const char *key, const char *name)
{
	char text[TEXT_SIZE];

	report_line(d->x.out, key, "%s",
		    host_text(d->host, name, text, sizeof text) ? text : "-");
}

static void
number_line(const struct doctor *d, const char *key, const char *name, bool hex)
{
	uint64_t v;

	if (!host_number(d->host, name, &v))
		report_line(d->x.out, key, "-");
	else
		report_line(d->x.out, key, hex ? "0x%llx" : "%llu",
			    (unsigned long long)v);
}

/* kern.version ends in "...:xnu-11417.121.6~2/RELEASE_ARM64_T8103". */
static void
kernel_line(const struct doctor *d)
{
	char release[TEXT_SIZE], version[TEXT_SIZE];
	const char *xnu = NULL;

	host_text(d->host, "kern.osrelease", release, sizeof release);
	if (host_text(d->host, "kern.version", version, sizeof version))
		xnu = strstr(version, "xnu");
	report_line(d->x.out, "kernel", "Darwin %s%s%s", release,
		    xnu != NULL ? " " : "", xnu != NULL ? xnu : "");
}

void
doctor_mac_versions(const struct doctor *d)
{
	char version[TEXT_SIZE], build[TEXT_SIZE], cpu[64];

	report_line(d->x.out, "source", "%s%s%s",
		    d->kpc != NULL ? d->name : "-",
		    d->host->simulated ? ", " : "",
		    d->host->simulated ? d->host->text : "");
	host_text(d->host, "kern.osproductversion", version, sizeof version);
	host_text(d->host, "kern.osversion", build, sizeof build);
	report_line(d->x.out, "macos", "%s build %s",
		    version[0] != '\0' ? version : "-",
		    build[0] != '\0' ? build : "-");
	kernel_line(d);
	text_line(d, "hw.model", "hw.model");
	text_line(d, "brand", "machdep.cpu.brand_string");
	if (d->kpc == NULL || d->kpc->kpc_cpu_string(cpu, sizeof cpu) < 0)
		snprintf(cpu, sizeof cpu, "-");
	report_line(d->x.out, "cpu string", "%s", cpu);
	number_line(d, "hw.cputype", "hw.cputype", true);
	number_line(d, "hw.cpusubtype", "hw.cpusubtype", true);
	number_line(d, "hw.cpufamily", "hw.cpufamily", true);
	number_line(d, "translated", "sysctl.proc_translated", false);
	number_line(d, "virtual", "kern.hv_vmm_present", false);
	number_line(d, "kern.cpc.secure", "kern.cpc.secure", false);
	/* The boot flag itself is in no sysctl; what follows from it is. */
	report_line(d->x.out, "debug-enabled",
		    "no sysctl shows it; the mode of the events below does");
}

/* "ncpu=8 activecpu=8", of those that there are. */
static void
put_numbers(const struct doctor *d, struct buf *b, const char *before,
	    const char *shown, const char *const *field)
{
	char name[64];
	uint64_t v;

	for (; *field != NULL; field++) {
		snprintf(name, sizeof name, "%s.%s", before, *field);
		if (host_number(d->host, name, &v))
			buf_printf(b, "%s%s%s=%llu", b->len > 0 ? " " : "",
				   shown, *field, (unsigned long long)v);
	}
}

static void
levels(const struct doctor *d)
{
	static const char *const field[] = {
		"logicalcpu_max", "logicalcpu",  "physicalcpu_max",
		"physicalcpu",    "cpusperl2",   "l1icachesize",
		"l1dcachesize",   "l2cachesize", NULL,
	};
	uint64_t n = host_number_or(d->host, "hw.nperflevels", 0);

	number_line(d, "hw.nperflevels", "hw.nperflevels", false);
	for (unsigned i = 0; i < n && i < LEVELS_MAX; i++) {
		char name[64], key[32], label[64], text[512];
		struct buf b = buf_over(text, sizeof text);

		snprintf(key, sizeof key, "hw.perflevel%u", i);
		snprintf(name, sizeof name, "%s.name", key);
		host_text(d->host, name, label, sizeof label);
		buf_printf(&b, "name=%s", label);
		put_numbers(d, &b, key, "", field);
		report_line(d->x.out, key, "%s", buf_cstr(&b));
	}
}

static void
cpu_counts(const struct doctor *d)
{
	static const char *const field[] = { "ncpu", "logicalcpu_max",
					     "physicalcpu_max", "activecpu",
					     NULL };
	char text[256];
	struct buf b = buf_over(text, sizeof text);

	put_numbers(d, &b, "hw", "hw.", field);
	report_line(d->x.out, "cpus", "%s", buf_cstr(&b));
}

static void
nodes(struct doctor *d)
{
	struct host_cpu_node node[NODES_MAX];
	int n = d->host->cpu_nodes(node, NODES_MAX);

	report_line(d->x.out, "device tree cpus", "%d%s", n,
		    n > 0 ? " (cpu: type, cluster, core, die, its cluster)"
			  : "");
	if (n > NODES_MAX)
		n = NODES_MAX;
	for (int i = 0; i < n; i++) {
		char key[24];

		snprintf(key, sizeof key, "node %d", i);
		report_line(
			d->x.out, key,
			"cpu=%d type=%.8s cluster=%d core=%d die=%d die-cluster=%d",
			node[i].logical_cpu_id,
			node[i].cluster_type[0] != '\0' ? node[i].cluster_type
							: "-",
			node[i].logical_cluster_id, node[i].cluster_core_id,
			node[i].die_id, node[i].die_cluster_id);
		if (node[i].logical_cpu_id >= 0)
			d->found.nodes++;
	}
}

/* "cpu0=0 cpu1=0 ...", of a property that ktop has no use for. */
static void
cluster_ids(const struct doctor *d)
{
	char path[48], text[NODES_MAX * 12];
	struct buf b = buf_over(text, sizeof text);
	int32_t id;

	for (unsigned i = 0; i < NODES_MAX; i++) {
		snprintf(path, sizeof path, "IODeviceTree:/cpus/cpu%x", i);
		if (d->host->tree_bytes(path, "cluster-id", &id, sizeof id) >=
		    (int)sizeof id)
			buf_printf(&b, "%scpu%x=%d", b.len > 0 ? " " : "", i,
				   id);
	}
	report_line(d->x.out, "cluster-id", "%s",
		    b.len > 0 ? buf_cstr(&b) : "no node has it");
}

/* Which tables of clocks are whose: acc-clusters names them, fastest last. */
static void
clock_tables(const struct doctor *d)
{
	static const char pmgr[] = "IODeviceTree:/arm-io/pmgr";
	unsigned char byte[64];
	char key[32], text[1024];
	struct buf b = buf_over(text, sizeof text);
	int n = d->host->tree_bytes(pmgr, "acc-clusters", byte, sizeof byte);

	for (int i = 0; i < n && i < (int)sizeof byte; i++)
		buf_printf(&b, "%s%02x", i > 0 && i % 4 == 0 ? " " : "",
			   byte[i]);
	report_line(d->x.out, "acc-clusters", "%s", n > 0 ? buf_cstr(&b) : "-");
	b = buf_over(text, sizeof text);
	for (unsigned k = 0; k < 64; k++) {
		snprintf(key, sizeof key, "voltage-states%u", k);
		n = d->host->tree_bytes(pmgr, key, byte, sizeof byte);
		if (n > 0)
			buf_printf(&b, "%s%u (%d bytes)", b.len > 0 ? ", " : "",
				   k, n);
	}
	report_line(d->x.out, "voltage-states", "%s",
		    b.len > 0 ? buf_cstr(&b) : "-");
}

static void
rest_of_tree(const struct doctor *d)
{
	if (d->host->simulated || d->host->tree_bytes == NULL) {
		report_line(d->x.out,
			    "cluster-id, acc-clusters, voltage-states",
			    "only a Mac itself has them");
		return;
	}
	cluster_ids(d);
	clock_tables(d);
}

struct looks {
	int listed, read, denied, gone, other;
	unsigned flavor; /* of proc_pid_rusage, of the last one; 0: none */
	int32_t pid;     /* of one that was read, and has threads */
	int64_t list_ns, read_ns;
};

static void
look_at_one(const struct host_api *host, int32_t pid, struct looks *l)
{
	struct host_usage u;

	errno = 0;
	if (host->proc_usage(pid, &u) == 0) {
		l->read++;
		l->flavor = u.flavor;
		if (pid > 0 && u.exit_abstime == 0)
			l->pid = pid;
	} else if (errno == EPERM) {
		l->denied++;
	} else if (errno == ESRCH) {
		l->gone++;
	} else {
		l->other++;
	}
}

/* Flavors without a header: 28 lists a process's threads, 34 counts one. */
static void
thread_line(const struct doctor *d, const struct looks *l)
{
	enum { THREADS = 256 };
	struct host_thread t = { .levels = 0 };
	uint64_t id[THREADS];
	int n, counted = 0, why;
	char number[24];

	errno = 0;
	n = d->host->thread_list(l->pid, id, THREADS);

	for (int i = 0; i < n && i < THREADS; i++)
		counted += d->host->thread_counts(l->pid, id[i], &t) == 0;
	why = errno;
	report_line(d->x.out, "threads of one",
		    "%d listed (flavor 28), %d counted (flavor 34), %u %s%s%s",
		    n > 0 ? n : 0, counted, t.levels,
		    plural(t.levels, "level", "levels"),
		    n > 0 && counted == n ? "" : ": ",
		    n > 0 && counted == n ? "" : report_errno(why, number));
}

/* What a look at all processes costs, and which it may look at. */
static void
processes(const struct doctor *d)
{
	int32_t pid[PROCESS_ROWS_MAX];
	struct looks l = { .listed = 0 };
	int64_t from = doctor_now_ns();
	char number[24];

	if (d->host->proc_list == NULL || d->host->proc_usage == NULL)
		return;
	l.listed = d->host->proc_list(pid, PROCESS_ROWS_MAX);
	l.list_ns = doctor_now_ns() - from;
	if (l.listed <= 0) {
		report_line(d->x.out, "processes", "not listed: %s",
			    report_errno(errno, number));
		return;
	}
	from = doctor_now_ns();
	for (int i = 0; i < l.listed; i++)
		look_at_one(d->host, pid[i], &l);
	l.read_ns = doctor_now_ns() - from;
	report_line(
		d->x.out, "processes",
		"%d listed: %d read, %d denied, %d gone, %d other; flavor %u",
		l.listed, l.read, l.denied, l.gone, l.other, l.flavor);
	report_line(d->x.out, "list of processes, a look at one",
		    "%.1f us, %.2f us%s", (double)l.list_ns / 1e3,
		    (double)l.read_ns / 1e3 / l.listed,
		    d->host->simulated ? " (of the simulation)" : "");
	if (l.pid > 0 && d->host->thread_list != NULL &&
	    d->host->thread_counts != NULL)
		thread_line(d, &l);
}

void
doctor_mac_topology(struct doctor *d)
{
	struct host_cpu_load load[NODES_MAX];
	int n = d->host->cpu_load(load, NODES_MAX);

	d->x.found.busy_rows = n > 0 ? (unsigned)n : 0;
	cpu_counts(d);
	levels(d);
	nodes(d);
	rest_of_tree(d);
	processes(d);
}
