#include "source/perf/cores.h"

#include "source/perf/sysfs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CPU_DIR "/sys/devices/system/cpu"
/* The one path to PMUs that holds on every architecture and kernel. */
#define PMU_DIR "/sys/bus/event_source/devices"

enum {
	PATH_SIZE = 256,
	CACHES_MAX = 8,
	CPUINFO_LINES = CPU_LIST_MAX * 64 /* an x86 has 28 to a CPU */
};

static int
cpu_number(const char *root, int id, const char *file)
{
	char path[PATH_SIZE];
	int64_t v;

	snprintf(path, sizeof path, CPU_DIR "/cpu%d/%s", id, file);
	if (!sysfs_number(root, path, &v) || v < 0 || v > INT32_MAX)
		return -1;
	return (int)v;
}

/*
 * indexK is not the level: look for the level 3 among them, past any gap, first
 * where it mostly is.
 */
static int
l3_of(const char *root, int id)
{
	static const int mostly[CACHES_MAX] = { 3, 2, 4, 1, 0, 5, 6, 7 };

	for (int i = 0; i < CACHES_MAX; i++) {
		int k = mostly[i];
		char file[64], path[PATH_SIZE];

		snprintf(file, sizeof file, "cache/index%d/level", k);
		if (cpu_number(root, id, file) != 3)
			continue;
		snprintf(path, sizeof path,
			 CPU_DIR "/cpu%d/cache/index%d/shared_cpu_list", id, k);
		return sysfs_first(root, path);
	}
	return -1;
}

static uint32_t
midr_part(uint64_t midr)
{
	return (uint32_t)midr & 0xff00fff0u;
}

static void
read_core(const char *root, struct core *c)
{
	static const char *const speeds[CORE_SPEEDS] = {
		[CORE_CAPACITY] = "cpu_capacity",
		[CORE_HIGHEST_PERF] = "acpi_cppc/highest_perf",
		[CORE_MAX_FREQ] = "cpufreq/cpuinfo_max_freq",
	};
	char path[PATH_SIZE];
	int64_t v;

	snprintf(path, sizeof path, CPU_DIR "/cpu%d/topology/core_cpus_list",
		 c->id);
	c->first = sysfs_first(root, path);
	if (c->first < 0) { /* before Linux 5.3 */
		snprintf(path, sizeof path,
			 CPU_DIR "/cpu%d/topology/thread_siblings_list", c->id);
		c->first = sysfs_first(root, path);
	}
	if (c->first < 0)
		c->first = c->id;
	c->cluster_id = cpu_number(root, c->id, "topology/cluster_id");
	if (c->cluster_id == 65535) /* the kernel's "none" on x86 */
		c->cluster_id = -1;
	c->package = cpu_number(root, c->id, "topology/physical_package_id");
	c->die = cpu_number(root, c->id, "topology/die_id");
	c->l3 = l3_of(root, c->id);
	for (int by = 0; by < CORE_SPEEDS; by++)
		c->speed[by] = cpu_number(root, c->id, speeds[by]);
	snprintf(path, sizeof path,
		 CPU_DIR "/cpu%d/regs/identification/midr_el1", c->id);
	if (sysfs_number(root, path, &v))
		c->part = midr_part((uint64_t)v);
}

/*
 * A core PMU has `cpus`; only the PMU called "cpu" means all of them. What has
 * a `cpumask` counts for others than the CPUs in it.
 */
static bool
pmu_cpus(const char *root, const char *name, struct cpu_list *out)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof path, PMU_DIR "/%.128s/cpumask", name);
	if (sysfs_exists(root, path))
		return false;
	snprintf(path, sizeof path, PMU_DIR "/%.128s/cpus", name);
	if (sysfs_list(root, path, out))
		return out->len > 0;
	if (strcmp(name, "cpu") != 0)
		return false;
	memset(out->in, 1, sizeof out->in);
	out->len = CPU_LIST_MAX;
	return true;
}

bool
cores_pmu_has(const char *root, const char *pmu, int id, struct cpu_list *list)
{
	return pmu[0] != '\0' && pmu_cpus(root, pmu, list) && list->in[id];
}

static int
not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* Names are printed: a copy of a machine may hold escapes and tabs. */
static bool
is_word(const char *name)
{
	for (; *name != '\0'; name++)
		if (*name <= ' ' || *name > '~')
			return false;
	return true;
}

static void
add_pmu(const char *root, const char *name, struct cores *c,
	struct cpu_list *list)
{
	unsigned p = c->npmus;

	if (p == CORE_PMUS_MAX || strlen(name) >= CORE_PMU_NAME_SIZE ||
	    !is_word(name) || !pmu_cpus(root, name, list))
		return;
	memcpy(c->pmu[p], name, strlen(name) + 1);
	c->npmus++;
	for (unsigned i = 0; i < c->len; i++)
		if (list->in[c->core[i].id] && c->core[i].pmu < 0)
			c->core[i].pmu = (int)p;
}

static void
read_pmus(const char *root, struct cores *c, struct cpu_list *list)
{
	char path[4096];
	struct dirent **names;
	int n;

	snprintf(path, sizeof path, "%s" PMU_DIR, root != NULL ? root : "");
	n = scandir(path, &names, not_hidden, alphasort);
	for (int i = 0; i < n; i++) {
		add_pmu(root, names[i]->d_name, c, list);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static struct core *
core_find(struct cores *c, unsigned long id)
{
	for (unsigned i = 0; i < c->len; i++)
		if ((unsigned long)c->core[i].id == id)
			return &c->core[i];
	return NULL;
}

/* "key<blanks>: value": the value if the line has that key, or NULL. */
static const char *
value_of(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len) != 0)
		return NULL;
	line += len + strspn(line + len, " \t");
	return *line == ':' ? line + 1 + strspn(line + 1, " \t") : NULL;
}

/* A container may hide /proc/cpuinfo, or show its own: then sysfs tells. */
static bool
sysfs_says_amd(const char *root)
{
	char text[128];

	if (sysfs_text(root, CPU_DIR "/modalias", text, sizeof text))
		return strstr(text, "ven0002") != NULL; /* X86_VENDOR_AMD */
	/* Event numbers of 12 bits in two pieces are AMD's alone. */
	return sysfs_text(root, PMU_DIR "/cpu/format/event", text,
			  sizeof text) &&
	       strcmp(text, "config:0-7,32-35") == 0;
}

/* Vendor, and the part of ARM cores where sysfs has no MIDR (32-bit, old). */
static bool
read_cpuinfo(const char *root, struct cores *c)
{
	struct core *at = NULL;
	uint32_t implementer = 0, part = 0;
	char line[1024];
	bool vendor = false;
	unsigned parts = 0;
	FILE *fp;
	int fd;

	fd = sysfs_open(root, "/proc/cpuinfo");
	if (fd < 0)
		return false;
	fp = fdopen(fd, "r");
	if (fp == NULL) {
		close(fd);
		return false;
	}
	for (int n = 0; n < CPUINFO_LINES && fgets(line, sizeof line, fp);
	     n++) {
		const char *v;

		if ((v = value_of(line, "processor")) != NULL)
			at = core_find(c, strtoul(v, NULL, 10));
		else if ((v = value_of(line, "vendor_id")) != NULL) {
			vendor = true;
			c->amd |= strstr(v, "AMD") != NULL ||
				  strstr(v, "Hygon") != NULL;
		} else if ((v = value_of(line, "CPU implementer")) != NULL)
			implementer = (uint32_t)strtoul(v, NULL, 0);
		else if ((v = value_of(line, "CPU part")) != NULL &&
			 at != NULL) {
			parts++;
			part = implementer << 24 | (uint32_t)strtoul(v, NULL, 0)
							   << 4;
			if (at->part == 0)
				at->part = part;
		}
	}
	fclose(fp);
	/* 32-bit kernels say it once for all, behind the last. */
	for (unsigned i = 0; parts == 1 && i < c->len; i++)
		if (c->core[i].part == 0)
			c->core[i].part = part;
	return vendor;
}

/*
 * A core whose MIDR cannot be read is what all others of its PMU are, where
 * those agree: a missing file makes no kind.
 */
static void
lend_parts(struct cores *c)
{
	for (unsigned p = 0; p < c->npmus; p++) {
		uint32_t part = 0;
		bool one = true;

		for (unsigned i = 0; i < c->len; i++) {
			const struct core *core = &c->core[i];

			if (core->pmu != (int)p || core->part == 0)
				continue;
			one = one && (part == 0 || part == core->part);
			part = core->part;
		}
		for (unsigned i = 0; one && i < c->len; i++)
			if (c->core[i].pmu == (int)p)
				c->core[i].part = part;
	}
}

/* The first thread of a core may be off line, or another's in a container. */
static bool
find_firsts(struct cores *c)
{
	int *at = calloc(CPU_LIST_MAX, sizeof *at); /* id plus one */

	if (at == NULL)
		return false;
	for (unsigned i = 0; i < c->len; i++) {
		struct core *core = &c->core[i];

		if (at[core->first] == 0)
			at[core->first] = core->id + 1;
		core->first = at[core->first] - 1;
	}
	free(at);
	return true;
}

/* Where debugfs is to be read: the same without moving there (Linux 6.9). */
static int
type_of_debugfs(const char *root, int id)
{
	char path[PATH_SIZE], text[1024];
	const char *at;

	snprintf(path, sizeof path, "/sys/kernel/debug/x86/topo/cpus/%d", id);
	if (!sysfs_text(root, path, text, sizeof text) ||
	    (at = strstr(text, "cpu_type:")) == NULL)
		return CORE_TYPE_ALIKE;
	at += strlen("cpu_type:");
	at += strspn(at, " \t");
	if (strncmp(at, "performance", 11) == 0)
		return CORE_TYPE_CLASSIC;
	return strncmp(at, "efficiency", 10) == 0 ? CORE_TYPE_DENSE
						  : CORE_TYPE_ALIKE;
}

static void
read_types(const char *root, struct cores *c)
{
	for (unsigned i = 0; c->amd && i < c->len; i++) {
		c->core[i].type = type_of_debugfs(root, c->core[i].id);
		if (c->core[i].type == CORE_TYPE_ALIKE && root == NULL)
			c->core[i].type = cpuid_core_type(c->core[i].id);
	}
}

/* Why no CPU was found: where, what, and what that may mean. */
static bool
no_cpus(const char *root, struct err *e)
{
	char text[64] = "";
	struct stat st;
	const char *in = root != NULL ? root : "";

	if (root != NULL && stat(root, &st) == 0 && !S_ISDIR(st.st_mode))
		return err_set(
			e, ERR_FAIL,
			"no machine below %.200s (sys/devices/system/cpu/online): it is no folder",
			in);
	if (root != NULL && stat(root, &st) != 0)
		return err_set(
			e, ERR_FAIL,
			"no machine below %.200s (sys/devices/system/cpu/online): %s",
			in, strerror(errno));
	if (!sysfs_text(root, CPU_DIR "/online", text, sizeof text))
		return err_set(
			e, ERR_FAIL,
			"%.200s" CPU_DIR "/online does not list any CPU; %s",
			in,
			root != NULL
				? "a folder for --root has copies of /sys and /proc in it"
				: "is sysfs mounted?");
	for (char *p = text; *p != '\0'; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return err_set(
		e, ERR_FAIL,
		"%.200s" CPU_DIR
		"/online is no list of CPUs like 0-3,8 below %d: \"%.40s\"",
		in, CPU_LIST_MAX, text);
}

bool
cores_there(const char *root, struct err *e)
{
	struct cpu_list *list = calloc(1, sizeof *list);

	if (list == NULL)
		return err_set(e, ERR_FAIL, "topology: out of memory");
	bool any = sysfs_list(root, CPU_DIR "/online", list) && list->len > 0;

	free(list);
	return any || no_cpus(root, e);
}

bool
cores_read(const char *root, struct cores *out, struct err *e)
{
	struct cpu_list *list = calloc(1, sizeof *list);
	bool ok;

	memset(out, 0, sizeof *out);
	if (list == NULL)
		return err_set(e, ERR_FAIL, "topology: out of memory");
	if (!sysfs_list(root, CPU_DIR "/online", list) || list->len == 0) {
		free(list);
		return no_cpus(root, e);
	}
	out->core = calloc(list->len, sizeof *out->core);
	if (out->core == NULL) {
		free(list);
		return err_set(e, ERR_FAIL, "topology: out of memory");
	}
	for (int id = 0; id < CPU_LIST_MAX; id++) {
		if (!list->in[id])
			continue;
		out->core[out->len] = (struct core){ .id = id, .pmu = -1 };
		read_core(root, &out->core[out->len++]);
	}
	read_pmus(root, out, list);
	if (!read_cpuinfo(root, out))
		out->amd = sysfs_says_amd(root);
	lend_parts(out);
	read_types(root, out);
	free(list);
	ok = find_firsts(out);
	if (!ok) {
		cores_free(out);
		err_set(e, ERR_FAIL, "topology: out of memory");
	}
	return ok;
}

void
cores_free(struct cores *c)
{
	free(c->core);
	memset(c, 0, sizeof *c);
}
