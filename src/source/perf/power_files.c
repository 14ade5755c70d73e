/* Energy, traffic and throttling from files of sysfs and resctrl. */
#include "source/perf/power.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POWERCAP "/sys/class/powercap"

static const struct {
	const char *name;
	enum power_what what;
} zone_table[] = { { "package", POWER_PACKAGE },
		   { "core", POWER_CPU },
		   { "uncore", POWER_GPU },
		   { "dram", POWER_DRAM },
		   { "psys", POWER_PLATFORM } };

/* Zone "intel-rapl:0:1" lies in "intel-rapl:0", named by its package. */
static int
zone_package(const struct power_linux *p, const char *name)
{
	char path[POWER_PATH], text[64];
	const char *colon = strchr(name, ':');
	size_t n = colon != NULL ? strcspn(colon + 1, ":") : 0;

	snprintf(path, sizeof path, POWERCAP "/intel-rapl:%.*s/name", (int)n,
		 colon != NULL ? colon + 1 : "");
	if (!sysfs_text(p->root, path, text, sizeof text) ||
	    strncmp(text, "package-", 8) != 0)
		return -1;
	return (int)(strtoul(text + 8, NULL, 10) & 127);
}

/* intel-rapl-mmio repeats the same packages. */
static void
zone_take(struct power_linux *p, const char *name)
{
	struct power_zone *z = &p->zone[p->nzones];
	char path[POWER_PATH], text[64];
	int64_t most = 0, now;
	int rail = -1;

	if (strncmp(name, "intel-rapl:", 11) != 0 || strlen(name) > 24 ||
	    p->nzones == POWER_ZONES)
		return;
	snprintf(path, sizeof path, POWERCAP "/%s/name", name);
	if (!sysfs_text(p->root, path, text, sizeof text))
		return;
	for (unsigned i = 0; i < sizeof zone_table / sizeof *zone_table; i++) {
		size_t n = strlen(zone_table[i].name);

		if (strncmp(text, zone_table[i].name, n) != 0 ||
		    (text[n] != '\0' && text[n] != '-'))
			continue;
		snprintf(z->path, sizeof z->path, POWERCAP "/%s/energy_uj",
			 name);
		if (!sysfs_number(p->root, z->path, &now)) {
			p->unreadable = true;
			return;
		}
		rail = power_linux_rail(p, zone_table[i].what,
					zone_package(p, name), text);
	}
	if (rail < 0)
		return;
	snprintf(path, sizeof path, POWERCAP "/%s/max_energy_range_uj", name);
	(void)sysfs_number(p->root, path, &most);
	z->rail = (unsigned)rail;
	z->most = (double)most;
	z->begun = false;
	p->nzones++;
}

bool
powercap_open(struct power_linux *p, bool *unreadable)
{
	p->unreadable = false;
	power_linux_list(p, POWERCAP, zone_take);
	*unreadable = p->unreadable;
	return p->nzones > 0;
}

static void
zone_read(struct power_linux *p, struct power_zone *z,
	  struct power_reading *out)
{
	int64_t uj;
	double now;

	if (!sysfs_number(p->root, z->path, &uj)) {
		out->have = false;
		return;
	}
	now = (double)uj;
	if (!z->begun)
		p->total[z->rail] += 0;
	else if (now >= z->last)
		p->total[z->rail] += (now - z->last) * 1e-6;
	else if (z->most > z->last)
		p->total[z->rail] += (z->most - z->last + now) * 1e-6;
	else
		power_linux_begin_again(p, z->rail);
	z->begun = true;
	z->last = now;
}

#define RESCTRL "/sys/fs/resctrl"
#define BYTES "mbm_total_bytes"

bool
resctrl_open(struct power_linux *p)
{
	char text[512];

	if (!sysfs_text(p->root, RESCTRL "/info/L3_MON/mon_features", text,
			sizeof text) ||
	    strstr(text, BYTES) == NULL)
		return false;
	p->resctrl = power_linux_rail(p, POWER_TRAFFIC, -1, "resctrl");
	return p->resctrl >= 0;
}

static uint64_t
text_hash(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h;
}

static struct power_file *
resctrl_find_file(struct power_linux *p, uint64_t name)
{
	for (unsigned i = 0; i < p->nfiles; i++)
		if (p->file[i].name == name)
			return &p->file[i];
	return NULL;
}

/* A count that decreases shows a lost RMID: new base. */
static void
resctrl_take_domain(struct power_linux *p, const char *name)
{
	char path[2 * POWER_PATH];
	struct power_file *f;
	int64_t bytes;
	uint64_t key;

	if (strncmp(name, "mon_L3_", 7) != 0)
		return;
	snprintf(path, sizeof path, "%s/%.32s/" BYTES, p->folder, name);
	key = text_hash(path);
	f = resctrl_find_file(p, key);
	/* "Unavailable", "Unassigned" or "Error". */
	if (!sysfs_number(p->root, path, &bytes) || bytes < 0) {
		p->missed = true;
		return;
	}
	p->read_any = true;
	if (f != NULL && (double)bytes >= f->last) {
		p->total[p->resctrl] += (double)bytes - f->last;
	} else {
		p->missed = p->missed || p->listed;
		if (f == NULL && p->nfiles == POWER_FILES)
			return;
		f = f != NULL ? f : &p->file[p->nfiles++];
	}
	*f = (struct power_file){ key, (double)bytes, true };
}

/* mon_data of a control group includes its mon_groups. */
static void
resctrl_take_group(struct power_linux *p, const char *name)
{
	if (strlen(name) > POWER_PATH - 32)
		return;
	snprintf(p->folder, sizeof p->folder, RESCTRL "/%s/mon_data", name);
	power_linux_list(p, p->folder, resctrl_take_domain);
}

static void
resctrl_read(struct power_linux *p, int64_t now_ns, struct power_reading *out)
{
	unsigned n = 0;

	p->read_any = p->missed = false;
	for (unsigned i = 0; i < p->nfiles; i++)
		p->file[i].seen = false;
	snprintf(p->folder, sizeof p->folder, RESCTRL "/mon_data");
	power_linux_list(p, p->folder, resctrl_take_domain);
	power_linux_list(p, RESCTRL, resctrl_take_group);
	/* A file that becomes readable again gets a new base. */
	for (unsigned i = 0; i < p->nfiles; i++)
		if (p->file[i].seen)
			p->file[n++] = p->file[i];
		else
			p->missed = true;
	p->nfiles = n;
	p->listed = true;
	out->have = p->read_any;
	out->marks = p->missed ? POWER_AT_LEAST : 0;
	out->weight = (double)now_ns * 1e-9;
}

static double
throttle_count(const struct power_linux *p, int cpu, const char *what)
{
	char path[128];
	int64_t n = 0;

	snprintf(
		path, sizeof path,
		"/sys/devices/system/cpu/cpu%d/thermal_throttle/%s_throttle_count",
		cpu, what);
	return sysfs_number(p->root, path, &n) && n > 0 ? (double)n : 0;
}

void
throttle_open(struct power_linux *p)
{
	const struct topology *t = p->topology;
	char path[128];

	snprintf(
		path, sizeof path,
		"/sys/devices/system/cpu/cpu%d/thermal_throttle/core_throttle_count",
		t->cpu[0].id);
	if (!sysfs_exists(p->root, path) ||
	    p->source.nrails + t->nclusters > POWER_RAILS)
		return;
	p->throttle = (int)p->source.nrails;
	for (unsigned c = 0; c < t->nclusters; c++) {
		unsigned at = p->source.nrails++;

		p->source.rail[at] =
			(struct power_rail){ .name = "thermal_throttle",
					     .what = POWER_THROTTLE,
					     .die = -1,
					     .cluster = (int16_t)(c + 1) };
		p->total[at] = 0;
	}
}

/* Threads of a core have the same count, CPUs of a package too. */
static void
throttle_read(struct power_linux *p)
{
	const struct topology *t = p->topology;
	double *total = &p->total[p->throttle];
	unsigned cluster = UINT32_MAX, core = UINT32_MAX;

	for (unsigned c = 0; c < t->nclusters; c++)
		total[c] = 0;
	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct topology_cpu *cpu = &t->cpu[i];

		if (cpu->cluster != cluster)
			total[cpu->cluster] +=
				throttle_count(p, cpu->id, "package");
		if (cpu->core != core)
			total[cpu->cluster] +=
				throttle_count(p, cpu->id, "core");
		cluster = cpu->cluster;
		core = cpu->core;
	}
}

void
power_files_read(struct power_linux *p, int64_t now_ns,
		 struct power_reading out[POWER_RAILS])
{
	for (unsigned i = 0; i < p->nzones; i++)
		zone_read(p, &p->zone[i], &out[p->zone[i].rail]);
	if (p->resctrl >= 0)
		resctrl_read(p, now_ns, &out[p->resctrl]);
	if (p->throttle >= 0)
		throttle_read(p);
}
