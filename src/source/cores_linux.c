#include "source/cores_linux.h"

#include "source/sysfs_linux.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPU_DIR "/sys/devices/system/cpu"
/* The one path to PMUs that holds on every architecture and kernel. */
#define PMU_DIR "/sys/bus/event_source/devices"

enum { PATH_SIZE = 256 };

static int
cpu_number(const char *root, int id, const char *file)
{
	char path[PATH_SIZE];
	int64_t v;

	snprintf(path, sizeof(path), CPU_DIR "/cpu%d/%s", id, file);
	if (!sysfs_number(root, path, &v) || v < 0 || v > INT32_MAX)
		return -1;
	return (int)v;
}

/* indexK is not the level: look for the level 3 among them. */
static int
l3_of(const char *root, int id)
{
	for (int k = 0; k < 16; k++) {
		char file[64], path[PATH_SIZE];
		int level;

		snprintf(file, sizeof(file), "cache/index%d/level", k);
		level = cpu_number(root, id, file);
		if (level < 0)
			return -1;
		if (level != 3)
			continue;
		snprintf(path, sizeof(path),
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
	char path[PATH_SIZE];
	int64_t v;

	snprintf(path, sizeof(path), CPU_DIR "/cpu%d/topology/core_cpus_list",
		 c->id);
	c->first = sysfs_first(root, path);
	if (c->first < 0) { /* before Linux 5.3 */
		snprintf(path, sizeof(path),
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
	c->speed = cpu_number(root, c->id, "cpu_capacity");
	if (c->speed < 0)
		c->speed = cpu_number(root, c->id, "cpufreq/cpuinfo_max_freq");
	snprintf(path, sizeof(path),
		 CPU_DIR "/cpu%d/regs/identification/midr_el1", c->id);
	if (sysfs_number(root, path, &v))
		c->part = midr_part((uint64_t)v);
}

/* A core PMU has `cpus`; only the PMU called "cpu" means all of them. */
static bool
pmu_cpus(const char *root, const char *name, struct cpu_list *out)
{
	char path[PATH_SIZE];

	snprintf(path, sizeof(path), PMU_DIR "/%.128s/cpus", name);
	if (sysfs_list(root, path, out))
		return out->len > 0;
	if (strcmp(name, "cpu") != 0)
		return false;
	memset(out->in, 1, sizeof(out->in));
	out->len = CPU_LIST_MAX;
	return true;
}

static int
not_hidden(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static void
add_pmu(const char *root, const char *name, struct cores *c,
	struct cpu_list *list)
{
	unsigned p = c->npmus;

	if (p == CORE_PMUS_MAX || strlen(name) >= CORE_PMU_NAME_SIZE ||
	    !pmu_cpus(root, name, list))
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

	snprintf(path, sizeof(path), "%s" PMU_DIR, root != NULL ? root : "");
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

/* Vendor, and the part of ARM cores where sysfs has no MIDR (32-bit, old). */
static void
read_cpuinfo(const char *root, struct cores *c)
{
	struct core *at = NULL;
	uint32_t implementer = 0;
	char line[1024];
	FILE *fp;
	int fd;

	fd = sysfs_open(root, "/proc/cpuinfo");
	if (fd < 0)
		return;
	fp = fdopen(fd, "r");
	if (fp == NULL) {
		close(fd);
		return;
	}
	while (fgets(line, sizeof(line), fp) != NULL) {
		const char *v;

		if ((v = value_of(line, "processor")) != NULL)
			at = core_find(c, strtoul(v, NULL, 10));
		else if ((v = value_of(line, "vendor_id")) != NULL)
			c->amd |= strstr(v, "AMD") != NULL ||
				  strstr(v, "Hygon") != NULL;
		else if ((v = value_of(line, "CPU implementer")) != NULL)
			implementer = (uint32_t)strtoul(v, NULL, 0);
		else if ((v = value_of(line, "CPU part")) != NULL &&
			 at != NULL && at->part == 0)
			at->part = implementer << 24 |
				   (uint32_t)strtoul(v, NULL, 0) << 4;
	}
	fclose(fp);
}

/* Where debugfs is to be read: the same without moving there (Linux 6.9). */
static int
type_of_debugfs(const char *root, int id)
{
	char path[PATH_SIZE], text[1024];
	const char *at;

	snprintf(path, sizeof(path), "/sys/kernel/debug/x86/topo/cpus/%d", id);
	if (!sysfs_text(root, path, text, sizeof(text)) ||
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

bool
cores_read(const char *root, struct cores *out, struct err *e)
{
	struct cpu_list *list = calloc(1, sizeof(*list));

	memset(out, 0, sizeof(*out));
	if (list == NULL)
		return err_set(e, ERR_FAIL, "topology: out of memory");
	if (!sysfs_list(root, CPU_DIR "/online", list) || list->len == 0) {
		free(list);
		return err_set(e, ERR_FAIL,
			       "%s" CPU_DIR "/online does not list any CPU; "
			       "is sysfs mounted?",
			       root != NULL ? root : "");
	}
	out->core = calloc(list->len, sizeof(*out->core));
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
	read_cpuinfo(root, out);
	read_types(root, out);
	free(list);
	return true;
}

void
cores_free(struct cores *c)
{
	free(c->core);
	memset(c, 0, sizeof(*c));
}
