#include "source/perf/power.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POWERCAP "/sys/class/powercap"

int
power_linux_rail(struct power_linux *p, enum power_what what, int package,
		 const char *name)
{
	struct power_rail *r = p->source.rail;
	unsigned n = p->source.nrails;

	for (unsigned i = 0; i < n; i++)
		if (r[i].what == what && r[i].die == package &&
		    r[i].cluster == 0)
			return (int)i;
	if (n == POWER_RAILS)
		return -1;
	r[n] = (struct power_rail){ .what = (uint8_t)what,
				    .die = (int8_t)package };
	snprintf(r[n].name, sizeof r[n].name, "%s", name);
	p->total[n] = 0;
	return (int)p->source.nrails++;
}

void
power_linux_begin_again(struct power_linux *p, unsigned rail)
{
	p->total[rail] = -(double)++p->broken;
}

void
power_linux_list(const struct power_linux *p, const char *folder,
		 void (*take)(struct power_linux *p, const char *name))
{
	char path[POWER_PATH * 2];
	const struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof path, "%s%s", p->root != NULL ? p->root : "",
		 folder);
	dir = opendir(path);
	while (dir != NULL && (d = readdir(dir)) != NULL)
		if (d->d_name[0] != '.')
			take((struct power_linux *)(uintptr_t)p, d->d_name);
	if (dir != NULL)
		closedir(dir);
}

static uint64_t
text_hash(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text != '\0'; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h;
}

enum file_change { FILE_UNREADABLE, FILE_NEW_BASE, FILE_ADDED };

/* Adds a file's growth to its rail. most: value at which the count wraps. */
static enum file_change
file_add(struct power_linux *p, const char *path, unsigned rail, double scale,
	 double most)
{
	uint64_t name = text_hash(path);
	struct power_file *f = p->file, *end = f + p->nfiles;
	int64_t now;

	/* A resctrl file may be "Unavailable", "Unassigned" or "Error". */
	if (!sysfs_number(p->root, path, &now) || now < 0)
		return FILE_UNREADABLE;
	while (f < end && f->name != name)
		f++;
	if (f == end && p->nfiles == POWER_FILES)
		return FILE_NEW_BASE;
	double grown = f < end ? (double)now - f->last : -1;

	if (f < end && grown < 0 && most > f->last)
		grown += most;
	p->nfiles += f == end;
	*f = (struct power_file){ name, (double)now, rail, true };
	if (grown < 0)
		return FILE_NEW_BASE;
	p->total[rail] += grown * scale;
	return FILE_ADDED;
}

static const struct {
	const char *name;
	enum power_what what;
} zone_table[] = { { "package", POWER_PACKAGE },
		   { "core", POWER_CPU },
		   { "uncore", POWER_GPU },
		   { "dram", POWER_DRAM },
		   { "psys", POWER_PLATFORM } };

/* Package of zone "intel-rapl:0:1", from the name of "intel-rapl:0", or -1. */
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

/* Ignores intel-rapl-mmio, which repeats the same packages. */
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

static void
resctrl_take_domain(struct power_linux *p, const char *name)
{
	char path[2 * POWER_PATH];
	enum file_change change;

	if (strncmp(name, "mon_L3_", 7) != 0)
		return;
	snprintf(path, sizeof path, "%s/%.32s/" BYTES, p->folder, name);
	change = file_add(p, path, (unsigned)p->resctrl, 1, 0);
	p->read_any = p->read_any || change != FILE_UNREADABLE;
	p->missed = p->missed || change == FILE_UNREADABLE ||
		    (change == FILE_NEW_BASE && p->listed);
}

/* A control group's mon_data includes its mon_groups, so these are not read. */
static void
resctrl_take_group(struct power_linux *p, const char *name)
{
	if (strlen(name) > POWER_PATH - 32)
		return;
	snprintf(p->folder, sizeof p->folder, RESCTRL "/%s/mon_data", name);
	power_linux_list(p, p->folder, resctrl_take_domain);
}

#define CPU_COUNT \
	"/sys/devices/system/cpu/cpu%d/thermal_throttle/%s_throttle_count"

void
throttle_open(struct power_linux *p)
{
	const struct topology *t = p->topology;
	char path[128];

	snprintf(path, sizeof path, CPU_COUNT, t->cpu[0].id, "core");
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

static void
throttle_add(struct power_linux *p, const struct topology_cpu *cpu,
	     const char *what)
{
	char path[128];

	snprintf(path, sizeof path, CPU_COUNT, cpu->id, what);
	(void)file_add(p, path, (unsigned)p->throttle + cpu->cluster, 1, 0);
}

/* CPUs of a core share a count, and so do the CPUs of a package. */
static void
throttle_read(struct power_linux *p)
{
	const struct topology *t = p->topology;

	for (unsigned i = 0; i < t->ncpus; i++) {
		if (i == 0 || t->cpu[i].cluster != t->cpu[i - 1].cluster)
			throttle_add(p, &t->cpu[i], "package");
		if (i == 0 || t->cpu[i].core != t->cpu[i - 1].core)
			throttle_add(p, &t->cpu[i], "core");
	}
}

/* Drops files that were not read: they get a new base if read again. */
static void
files_drop_unseen(struct power_linux *p)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->nfiles; i++)
		if (p->file[i].seen)
			p->file[n++] = p->file[i];
		else
			p->missed |= (int)p->file[i].rail == p->resctrl;
	p->nfiles = n;
}

void
power_files_read(struct power_linux *p, int64_t now_ns,
		 struct power_reading out[POWER_RAILS])
{
	p->read_any = p->missed = false;
	for (unsigned i = 0; i < p->nfiles; i++)
		p->file[i].seen = false;
	for (unsigned i = 0; i < p->nzones; i++) {
		const struct power_zone *z = &p->zone[i];
		enum file_change change =
			file_add(p, z->path, z->rail, 1e-6, z->most);

		if (change == FILE_UNREADABLE)
			out[z->rail].have = false;
		else if (change == FILE_NEW_BASE)
			power_linux_begin_again(p, z->rail);
	}
	if (p->throttle >= 0)
		throttle_read(p);
	if (p->resctrl >= 0) {
		snprintf(p->folder, sizeof p->folder, RESCTRL "/mon_data");
		power_linux_list(p, p->folder, resctrl_take_domain);
		power_linux_list(p, RESCTRL, resctrl_take_group);
		p->listed = true;
	}
	files_drop_unseen(p);
	if (p->resctrl >= 0) {
		out[p->resctrl].have = p->read_any;
		out[p->resctrl].marks = p->missed ? POWER_AT_LEAST : 0;
		out[p->resctrl].weight = (double)now_ns * 1e-9;
	}
}
