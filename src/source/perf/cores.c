#include "source/perf/machine.h"

#include "base/parse.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static ssize_t
fd_read_whole(int fd, char *out, size_t size)
{
	size_t len = 0;

	while (len < size - 1) {
		ssize_t n = read(fd, out + len, size - 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

int
sysfs_open(const char *root, const char *path)
{
	char full[4096];
	struct stat st;
	int fd;

	if (snprintf(full, sizeof full, "%s%s", root != NULL ? root : "",
		     path) >= (int)sizeof full)
		return -1;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

bool
sysfs_exists(const char *root, const char *path)
{
	int fd = sysfs_open(root, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool
sysfs_text(const char *root, const char *path, char *out, size_t size)
{
	ssize_t len;
	int fd;

	out[0] = '\0';
	fd = sysfs_open(root, path);
	if (fd < 0)
		return false;
	len = fd_read_whole(fd, out, size);
	close(fd);
	if (len < 0)
		len = 0;
	out[len] = '\0';
	if (len > 0 && out[len - 1] == '\n')
		out[len - 1] = '\0';
	return len > 0;
}

bool
sysfs_number(const char *root, const char *path, int64_t *out)
{
	char text[64];
	const char *digits = text;
	uint64_t v;

	if (!sysfs_text(root, path, text, sizeof text))
		return false;
	if (*digits == '-')
		digits++;
	if (!parse_u64(digits, INT64_MAX, &v))
		return false;
	*out = digits == text ? (int64_t)v : -(int64_t)v;
	return true;
}

static void
cpu_list_add(void *arg, unsigned cpu)
{
	struct cpu_list *list = arg;

	list->len += !list->in[cpu];
	list->in[cpu] = true;
}

bool
cpu_list_parse(const char *text, struct cpu_list *out)
{
	memset(out, 0, sizeof *out);
	return parse_list(text, CPU_LIST_MAX - 1, cpu_list_add, out);
}

bool
sysfs_list(const char *root, const char *path, struct cpu_list *out)
{
	char text[CPU_LIST_MAX * 6];

	memset(out, 0, sizeof *out);
	/* An empty line is a valid list; a list that was cut is not. */
	return sysfs_text(root, path, text, sizeof text) &&
	       strlen(text) < sizeof text - 1 && cpu_list_parse(text, out);
}

static int
sysfs_list_first(const char *root, const char *path)
{
	char text[16];
	uint64_t first;

	if (!sysfs_text(root, path, text, sizeof text))
		return -1;
	text[strcspn(text, ",-")] = '\0';
	return parse_u64(text, CPU_LIST_MAX - 1, &first) ? (int)first : -1;
}

/* cpu_read_core_type moves the thread to CPU `id` for CPUID, and back. */
#if defined(__x86_64__) || defined(__i386__)

#include <cpuid.h>
#include <limits.h>
#include <sys/syscall.h>

/* AMD's extended topology; level 0 is the core. */
#define LEAF 0x80000026u

enum { MASK_CPUS = 8192, WORD_BITS = (int)(sizeof(unsigned long) * CHAR_BIT) };

struct mask {
	unsigned long word[MASK_CPUS / WORD_BITS];
};

static int
cpuid_read_core_type(void)
{
	unsigned a, b, c, d;

	if ((unsigned)__get_cpuid_max(0x80000000u, NULL) < LEAF)
		return CORE_TYPE_ALIKE;
	__cpuid_count(LEAF, 0, a, b, c, d);
	/* EAX bit 30: the machine has several types of cores. */
	if ((a >> 30 & 1) == 0 || (b >> 28) > 2)
		return CORE_TYPE_ALIKE;
	return (int)(b >> 28) + CORE_TYPE_CLASSIC;
}

static int
cpu_read_core_type(int id)
{
	struct mask before, there;
	int type = CORE_TYPE_ALIKE;
	long size;

	memset(&before, 0, sizeof before);
	memset(&there, 0, sizeof there);
	size = syscall(SYS_sched_getaffinity, 0, sizeof before, &before);
	if (id < 0 || id >= (int)MASK_CPUS || size <= 0)
		return CORE_TYPE_ALIKE;
	there.word[id / WORD_BITS] = 1ul << (id % WORD_BITS);
	/* Fails if the CPU is not in ktop's cpuset. */
	if (syscall(SYS_sched_setaffinity, 0, sizeof there, &there) == 0)
		type = cpuid_read_core_type();
	(void)syscall(SYS_sched_setaffinity, 0, (size_t)size, &before);
	return type;
}

#else

static int
cpu_read_core_type(int id)
{
	(void)id;
	return CORE_TYPE_ALIKE;
}

#endif

#define CPU_DIR "/sys/devices/system/cpu"
/* This path exists on every architecture and kernel. */
#define PMU_DIR "/sys/bus/event_source/devices"

enum {
	PATH_SIZE = 256,
	CACHES_MAX = 8,
	CPUINFO_LINES = CPU_LIST_MAX * 64 /* x86 has 28 lines per CPU */
};

static int
cpu_read_number(const char *root, int id, const char *file)
{
	char path[PATH_SIZE];
	int64_t v;

	snprintf(path, sizeof path, CPU_DIR "/cpu%d/%s", id, file);
	if (!sysfs_number(root, path, &v) || v < 0 || v > INT32_MAX)
		return -1;
	return (int)v;
}

/* An index is not a level and may be missing: tries likely indexes first. */
static int
core_find_l3(const char *root, int id)
{
	static const int mostly[CACHES_MAX] = { 3, 2, 4, 1, 0, 5, 6, 7 };

	for (int i = 0; i < CACHES_MAX; i++) {
		int k = mostly[i];
		char file[64], path[PATH_SIZE];

		snprintf(file, sizeof file, "cache/index%d/level", k);
		if (cpu_read_number(root, id, file) != 3)
			continue;
		snprintf(path, sizeof path,
			 CPU_DIR "/cpu%d/cache/index%d/shared_cpu_list", id, k);
		return sysfs_list_first(root, path);
	}
	return -1;
}

static uint32_t
midr_core_part(uint64_t midr)
{
	return (uint32_t)midr & 0xff00fff0u;
}

static void
core_read_sysfs(const char *root, struct core *c)
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
	c->first = sysfs_list_first(root, path);
	if (c->first < 0) { /* missing before Linux 5.3 */
		snprintf(path, sizeof path,
			 CPU_DIR "/cpu%d/topology/thread_siblings_list", c->id);
		c->first = sysfs_list_first(root, path);
	}
	if (c->first < 0)
		c->first = c->id;
	c->cluster_id = cpu_read_number(root, c->id, "topology/cluster_id");
	if (c->cluster_id == 65535) /* the kernel's value for "none" on x86 */
		c->cluster_id = -1;
	c->package =
		cpu_read_number(root, c->id, "topology/physical_package_id");
	c->die = cpu_read_number(root, c->id, "topology/die_id");
	c->l3 = core_find_l3(root, c->id);
	for (int by = 0; by < CORE_SPEEDS; by++)
		c->speed[by] = cpu_read_number(root, c->id, speeds[by]);
	snprintf(path, sizeof path,
		 CPU_DIR "/cpu%d/regs/identification/midr_el1", c->id);
	if (sysfs_number(root, path, &v))
		c->part = midr_core_part((uint64_t)v);
}

/* A core PMU has a file `cpus`; only the PMU "cpu" has none: it counts on all
 * CPUs. A PMU with a file `cpumask` is not a core PMU. */
static bool
pmu_read_cpus(const char *root, const char *name, struct cpu_list *out)
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
pmu_has_cpu(const char *root, const char *pmu, int id)
{
	struct cpu_list list;

	return pmu[0] != '\0' && pmu_read_cpus(root, pmu, &list) && list.in[id];
}

static int
dirent_is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

/* PMU names are printed: names of a copied tree may contain escapes. */
static bool
is_printable_word(const char *name)
{
	for (; *name != '\0'; name++)
		if (*name <= ' ' || *name > '~')
			return false;
	return true;
}

static void
cores_add_pmu(const char *root, const char *name, struct cores *c)
{
	unsigned p = c->npmus;
	struct cpu_list list;

	if (p == CORE_PMUS_MAX || strlen(name) >= CORE_PMU_NAME_SIZE ||
	    !is_printable_word(name) || !pmu_read_cpus(root, name, &list))
		return;
	memcpy(c->pmu[p], name, strlen(name) + 1);
	c->npmus++;
	for (unsigned i = 0; i < c->len; i++)
		if (list.in[c->core[i].id] && c->core[i].pmu < 0)
			c->core[i].pmu = (int)p;
}

static void
cores_read_pmus(const char *root, struct cores *c)
{
	char path[4096];
	struct dirent **names;
	int n;

	snprintf(path, sizeof path, "%s" PMU_DIR, root != NULL ? root : "");
	n = scandir(path, &names, dirent_is_visible, alphasort);
	for (int i = 0; i < n; i++) {
		cores_add_pmu(root, names[i]->d_name, c);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static struct core *
cores_find(struct cores *c, unsigned long id)
{
	for (unsigned i = 0; i < c->len; i++)
		if ((unsigned long)c->core[i].id == id)
			return &c->core[i];
	return NULL;
}

const char *
cpuinfo_value(const char *text, const char *key)
{
	const char *at = text;
	size_t len = strlen(key);

	for (; at != NULL; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, len) != 0)
			continue;
		const char *colon = at + len + strspn(at + len, " \t");

		if (*colon == ':')
			return colon + 1 + strspn(colon + 1, " \t");
	}
	return NULL;
}

/* For containers that hide or fake /proc/cpuinfo. */
static bool
sysfs_shows_amd(const char *root)
{
	char text[128];

	if (sysfs_text(root, CPU_DIR "/modalias", text, sizeof text))
		return strstr(text, "ven0002") != NULL; /* X86_VENDOR_AMD */
	/* Only AMD's event numbers have 12 bits in two pieces. */
	return sysfs_text(root, PMU_DIR "/cpu/format/event", text,
			  sizeof text) &&
	       strcmp(text, "config:0-7,32-35") == 0;
}

static bool
cores_read_cpuinfo(const char *root, struct cores *c)
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

		if ((v = cpuinfo_value(line, "processor")) != NULL)
			at = cores_find(c, strtoul(v, NULL, 10));
		else if ((v = cpuinfo_value(line, "vendor_id")) != NULL) {
			vendor = true;
			c->amd |= strstr(v, "AMD") != NULL ||
				  strstr(v, "Hygon") != NULL;
		} else if ((v = cpuinfo_value(line, "CPU implementer")) != NULL)
			implementer = (uint32_t)strtoul(v, NULL, 0);
		else if ((v = cpuinfo_value(line, "CPU part")) != NULL &&
			 at != NULL) {
			parts++;
			part = implementer << 24 | (uint32_t)strtoul(v, NULL, 0)
							   << 4;
			if (at->part == 0)
				at->part = part;
		}
	}
	fclose(fp);
	/* 32-bit kernels list the part once, at the end. */
	for (unsigned i = 0; parts == 1 && i < c->len; i++)
		if (c->core[i].part == 0)
			c->core[i].part = part;
	return vendor;
}

static void
cores_fill_parts(struct cores *c)
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

/* If a core's first thread is offline or hidden, the next one is its first. */
static void
cores_find_first_threads(struct cores *c)
{
	int at[CPU_LIST_MAX] = { 0 };

	for (unsigned i = 0; i < c->len; i++) {
		struct core *core = &c->core[i];

		if (at[core->first] == 0)
			at[core->first] = core->id + 1;
		core->first = at[core->first] - 1;
	}
}

/* Linux 6.9 and later have this file, which any CPU may read. */
static int
debugfs_core_type(const char *root, int id)
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
cores_read_types(const char *root, struct cores *c)
{
	for (unsigned i = 0; c->amd && i < c->len; i++) {
		c->core[i].type = debugfs_core_type(root, c->core[i].id);
		if (c->core[i].type == CORE_TYPE_ALIKE && root == NULL)
			c->core[i].type = cpu_read_core_type(c->core[i].id);
	}
}

static bool
explain_no_cpus(const char *root, struct err *e)
{
	char text[64] = "";
	struct stat st;
	const char *in = root != NULL ? root : "";

	if (root != NULL && stat(root, &st) == 0 && !S_ISDIR(st.st_mode))
		return err_set(
			e, ERR_FAIL,
			"cannot read a machine below %.200s (sys/devices/system/cpu/online): it is not a folder",
			in);
	if (root != NULL && stat(root, &st) != 0)
		return err_set(
			e, ERR_FAIL,
			"cannot read a machine below %.200s (sys/devices/system/cpu/online): %s",
			in, strerror(errno));
	if (!sysfs_text(root, CPU_DIR "/online", text, sizeof text))
		return err_set(
			e, ERR_FAIL,
			"%.200s" CPU_DIR "/online does not list any CPU; %s",
			in,
			root != NULL
				? "a folder for --root must have copies of /sys and /proc"
				: "is sysfs mounted?");
	for (char *p = text; *p != '\0'; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	return err_set(
		e, ERR_FAIL,
		"%.200s" CPU_DIR
		"/online is not a list of CPUs like 0-3,8 below %d: \"%.40s\"",
		in, CPU_LIST_MAX, text);
}

bool
cores_check_online(const char *root, struct err *e)
{
	struct cpu_list list;

	return (sysfs_list(root, CPU_DIR "/online", &list) && list.len > 0) ||
	       explain_no_cpus(root, e);
}

bool
cores_read(const char *root, struct cores *out, struct err *e)
{
	struct cpu_list list;

	memset(out, 0, sizeof *out);
	if (!sysfs_list(root, CPU_DIR "/online", &list) || list.len == 0)
		return explain_no_cpus(root, e);
	out->core = calloc(list.len, sizeof *out->core);
	if (out->core == NULL)
		return err_set(e, ERR_FAIL, "topology: out of memory");
	for (int id = 0; id < CPU_LIST_MAX; id++) {
		if (!list.in[id])
			continue;
		out->core[out->len] = (struct core){ .id = id, .pmu = -1 };
		core_read_sysfs(root, &out->core[out->len++]);
	}
	cores_read_pmus(root, out);
	if (!cores_read_cpuinfo(root, out))
		out->amd = sysfs_shows_amd(root);
	cores_fill_parts(out);
	cores_read_types(root, out);
	cores_find_first_threads(out);
	return true;
}

void
cores_free(struct cores *c)
{
	free(c->core);
	memset(c, 0, sizeof *c);
}
