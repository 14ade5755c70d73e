#include "source/perf/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the only kind of online CPUs whose PMU lists the CPU, or n. */
static unsigned
offline_cpu_kind(const struct topology *t, unsigned n, const char *root, int id)
{
	unsigned found = n;

	if (n == 1 && t->kind[0].pmu[0] == '\0')
		return 0;
	for (unsigned k = 0; k < n; k++) {
		if (!pmu_has_cpu(root, t->kind[k].pmu, id))
			continue;
		if (found < n)
			return n;
		found = k;
	}
	return found;
}

static unsigned
offline_cpu_cluster(struct topology *t, unsigned n, unsigned kind)
{
	struct topology_cluster *c = &t->cluster[t->nclusters];
	unsigned found = 0, several = 0;

	for (unsigned i = 0; i < n; i++)
		if (t->cluster[i].kind == kind) {
			found = i;
			several++;
		}
	if (several == 1)
		return found;
	for (unsigned i = n; i < t->nclusters; i++)
		if (t->cluster[i].kind == kind)
			return i;
	c->kind = kind;
	c->die = c->package = -1;
	snprintf(c->label, sizeof c->label, "off");
	if (t->nclusters > n)
		snprintf(c->label, sizeof c->label, "off%u", t->nclusters - n);
	return t->nclusters++;
}

/* Sysfs does not list threads of offline CPUs: each CPU is a separate core. */
static void
topology_add_offline(struct topology *t, const struct topology *on,
		     unsigned kind, int id)
{
	struct topology_kind *k = &t->kind[on->nkinds];

	if (kind == on->nkinds) {
		t->nkinds = on->nkinds + 1;
		snprintf(k->name, sizeof k->name, "Unknown");
		snprintf(k->letter, sizeof k->letter, "?");
	}
	t->cpu[t->ncpus] = (struct topology_cpu){
		.id = id,
		.kind = kind,
		.cluster = offline_cpu_cluster(t, on->nclusters, kind),
		.core = on->ncores + t->ncores++,
		.die = -1,
		.package = -1,
		.off = true,
	};
	t->ncpus++;
}

static struct topology *
topology_merge_offline(const struct topology *on, const char *root,
		       const struct cpu_list *present, unsigned noff,
		       struct err *e)
{
	struct topology *t =
		topology_new(on->nkinds + 1, on->nclusters + on->nkinds + 1,
			     on->ncpus + noff, e);
	unsigned at = 0;

	if (t == NULL)
		return NULL;
	t->nkinds = on->nkinds;
	t->nclusters = on->nclusters;
	t->ncpus = t->ncores = 0;
	memcpy(t->kind, on->kind, on->nkinds * sizeof t->kind[0]);
	memcpy(t->cluster, on->cluster, on->nclusters * sizeof t->cluster[0]);
	for (int id = 0; id < CPU_LIST_MAX; id++)
		if (at < on->ncpus && on->cpu[at].id == id)
			t->cpu[t->ncpus++] = on->cpu[at++];
		else if (present->in[id])
			topology_add_offline(
				t, on,
				offline_cpu_kind(on, on->nkinds, root, id), id);
	topology_finish(t);
	return t;
}

/* Keeps only offline CPUs; returns their number. A container's `online` may
 * lack online CPUs. */
static unsigned
cpu_list_keep_offline(const struct topology *on, const char *root,
		      struct cpu_list *present)
{
	unsigned n = 0;

	for (int id = 0; id < CPU_LIST_MAX; id++) {
		char path[64];
		int64_t says = 0;

		if (!present->in[id])
			continue;
		present->in[id] = topology_cpu_find(on, id) < 0;
		if (!present->in[id])
			continue;
		snprintf(path, sizeof path,
			 "/sys/devices/system/cpu/cpu%d/online", id);
		(void)sysfs_number(root, path, &says);
		present->in[id] = says == 0;
		n += present->in[id];
	}
	return n;
}

struct topology *
topology_linux_present(const char *root, struct err *e)
{
	struct topology *on = topology_linux(root, e), *t;
	struct cpu_list present;
	unsigned noff;

	if (on == NULL ||
	    !sysfs_list(root, "/sys/devices/system/cpu/present", &present))
		return on;
	noff = cpu_list_keep_offline(on, root, &present);
	if (noff == 0)
		return on;
	t = topology_merge_offline(on, root, &present, noff, e);
	topology_free(on);
	return t;
}

static const int64_t pace_ns = 250000000;

/* Reads the file into p->text; returns its FNV-1a hash, or 0: unreadable. */
static uint64_t
watched_file_hash(struct hotplug_watch *p, int fd)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	ssize_t n = fd < 0 ? -1 : pread(fd, p->text, HOTPLUG_TEXT_SIZE - 1, 0);

	if (n <= 0)
		return 0;
	p->text[n] = '\0';
	for (ssize_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p->text[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void
watch_file(struct hotplug_watch *p, const char *root, const char *path)
{
	if (p->len == HOTPLUG_FILES_MAX)
		return;
	p->file[p->len].fd = sysfs_open(root, path);
	p->file[p->len].seen = watched_file_hash(p, p->file[p->len].fd);
	p->len++;
}

void
hotplug_open(struct hotplug_watch *p, const char *root,
	     const struct topology *t)
{
	char path[256];

	p->len = 0;
	p->asked_ns = INT64_MIN;
	watch_file(p, root, "/sys/devices/system/cpu/online");
	p->file[0].seen = 0; /* the first hotplug_changed reads the file */
	watch_file(p, root, "/sys/devices/system/cpu/present");
	for (unsigned k = 0; k < t->nkinds; k++) {
		if (t->kind[k].pmu[0] == '\0' ||
		    (k > 0 && strcmp(t->kind[k].pmu, t->kind[k - 1].pmu) == 0))
			continue;
		snprintf(path, sizeof path,
			 "/sys/bus/event_source/devices/%s/cpus",
			 t->kind[k].pmu);
		watch_file(p, root, path);
	}
}

void
hotplug_close(struct hotplug_watch *p)
{
	for (unsigned i = 0; i < p->len; i++)
		if (p->file[i].fd >= 0)
			close(p->file[i].fd);
	p->len = 0;
}

bool
hotplug_lists_online(const struct hotplug_watch *p)
{
	return p->len > 0 && p->file[0].fd >= 0;
}

uint32_t
hotplug_changed(struct hotplug_watch *p, int64_t now_ns)
{
	uint32_t changed = 0;
	uint64_t online;

	if (!hotplug_lists_online(p) ||
	    (p->asked_ns != INT64_MIN && now_ns - p->asked_ns < pace_ns))
		return HOTPLUG_NOT_ASKED;
	p->asked_ns = now_ns;
	online = watched_file_hash(p, p->file[0].fd);
	if (online != 0 && online != p->file[0].seen) {
		p->file[0].seen = online;
		changed = HOTPLUG_ONLINE;
		if (!cpu_list_parse(p->text, &p->online))
			p->online.len = 0;
	}
	for (unsigned i = 1; i < p->len; i++)
		if (watched_file_hash(p, p->file[i].fd) != p->file[i].seen)
			changed |= 1u << i;
	return changed;
}

bool
hotplug_cpu_online(const struct hotplug_watch *p, int id)
{
	if (p->online.len == 0 || id < 0 || id >= CPU_LIST_MAX)
		return true;
	return p->online.in[id];
}
