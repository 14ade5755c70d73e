/* CPUs that a machine has and that are off line, and those that come and go. */
#include "source/perf/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define UNKNOWN_CLUSTER "off"

struct plan {
	const char *root;
	const struct topology *on;
	struct cpu_list *present; /* those off line */
	struct cpu_list *scratch;
	unsigned noff;
	int *kind; /* [noff], by id; -1: unknown */
	bool unknown_kind;
	int *cluster; /* [nkinds + 1]: where those of a kind go */
	unsigned nclusters;
};

/* The only kind whose PMU counts that CPU, or -1. */
static int
kind_of(const struct plan *p, int id)
{
	const struct topology *t = p->on;
	int found = -1;

	if (t->nkinds == 1 && t->kind[0].pmu[0] == '\0')
		return 0; /* without PMUs all are alike */
	for (unsigned k = 0; k < t->nkinds; k++) {
		if (!cores_pmu_has(p->root, t->kind[k].pmu, id, p->scratch))
			continue;
		if (found >= 0)
			return -1;
		found = (int)k;
	}
	return found;
}

/* The only cluster of a kind, or -1. */
static int
cluster_of(const struct topology *t, unsigned kind)
{
	int found = -1;

	for (unsigned i = 0; i < t->nclusters; i++) {
		if (t->cluster[i].kind != kind)
			continue;
		if (found >= 0)
			return -1;
		found = (int)i;
	}
	return found;
}

static void
place_cpus(struct plan *p)
{
	const struct topology *t = p->on;
	unsigned n = 0;

	p->nclusters = t->nclusters;
	for (unsigned k = 0; k <= t->nkinds; k++)
		p->cluster[k] = -1;
	for (int id = 0; id < CPU_LIST_MAX; id++) {
		unsigned k;

		if (!p->present->in[id])
			continue;
		p->kind[n] = kind_of(p, id);
		p->unknown_kind = p->unknown_kind || p->kind[n] < 0;
		k = p->kind[n] < 0 ? t->nkinds : (unsigned)p->kind[n];
		if (p->cluster[k] < 0 && k < t->nkinds)
			p->cluster[k] = cluster_of(t, k);
		if (p->cluster[k] < 0)
			p->cluster[k] = (int)p->nclusters++;
		n++;
	}
}

static void
fill_groups(const struct plan *p, struct topology *t)
{
	const struct topology *on = p->on;

	memcpy(t->kind, on->kind, on->nkinds * sizeof t->kind[0]);
	memcpy(t->cluster, on->cluster, on->nclusters * sizeof t->cluster[0]);
	if (p->unknown_kind) {
		struct topology_kind *k = &t->kind[on->nkinds];

		snprintf(k->name, sizeof k->name, "Unknown");
		snprintf(k->letter, sizeof k->letter, "?");
	}
	for (unsigned i = on->nclusters; i < p->nclusters; i++) {
		struct topology_cluster *c = &t->cluster[i];

		c->die = c->package = -1;
		snprintf(c->label, sizeof c->label, "%s",
			 i == on->nclusters ? UNKNOWN_CLUSTER : "");
		if (i > on->nclusters)
			snprintf(c->label, sizeof c->label, "%s%u",
				 UNKNOWN_CLUSTER, i - on->nclusters);
	}
}

/* Both halves by id; an unknown core is taken for one of its own. */
static void
fill_cpus(const struct plan *p, struct topology *t)
{
	const struct topology *on = p->on;
	unsigned i = 0, at = 0, off = 0;

	for (int id = 0; id < CPU_LIST_MAX; id++) {
		if (at < on->ncpus && on->cpu[at].id == id) {
			t->cpu[i++] = on->cpu[at++];
		} else if (p->present->in[id]) {
			unsigned k = p->kind[off] < 0 ? on->nkinds
						      : (unsigned)p->kind[off];

			t->cpu[i++] = (struct topology_cpu){
				.id = id,
				.kind = k,
				.cluster = (unsigned)p->cluster[k],
				.core = on->ncores + off++,
				.die = -1,
				.package = -1,
				.off = true,
			};
		}
	}
}

static struct topology *
build(struct plan *p, struct err *e)
{
	const struct topology *on = p->on;
	struct topology *t;

	p->kind = calloc(p->noff, sizeof *p->kind);
	p->cluster = calloc(on->nkinds + 1, sizeof *p->cluster);
	p->scratch = calloc(1, sizeof *p->scratch);
	if (p->kind == NULL || p->cluster == NULL || p->scratch == NULL)
		return err_null(e, ERR_FAIL, "topology: out of memory");
	place_cpus(p);
	t = topology_new(on->nkinds + p->unknown_kind, p->nclusters,
			 on->ncpus + p->noff, e);
	if (t == NULL)
		return NULL;
	fill_groups(p, t);
	fill_cpus(p, t);
	topology_finish(t);
	return t;
}

/*
 * Those of the CPUs present that are off line. A container can show a shorter
 * `online` than the machine's: such CPUs are on, and not ours to show.
 */
static unsigned
keep_off(struct plan *p)
{
	unsigned n = 0;

	for (int id = 0; id < CPU_LIST_MAX; id++) {
		char path[64];
		int64_t on = 0;

		if (!p->present->in[id])
			continue;
		p->present->in[id] = topology_cpu_find(p->on, id) < 0;
		if (!p->present->in[id])
			continue;
		snprintf(path, sizeof path,
			 "/sys/devices/system/cpu/cpu%d/online", id);
		(void)sysfs_number(p->root, path, &on);
		p->present->in[id] = on == 0;
		n += p->present->in[id];
	}
	return n;
}

struct topology *
topology_linux_present(const char *root, struct err *e)
{
	struct topology *on = topology_linux(root, e), *t = on;
	struct plan p = { .root = root, .on = on };

	if (on == NULL)
		return NULL;
	p.present = calloc(1, sizeof *p.present);
	if (p.present == NULL) {
		topology_free(on);
		return err_null(e, ERR_FAIL, "topology: out of memory");
	}
	if (sysfs_list(root, "/sys/devices/system/cpu/present", p.present))
		p.noff = keep_off(&p);
	if (p.noff > 0) {
		t = build(&p, e);
		topology_free(on);
	}
	free(p.present);
	free(p.scratch);
	free(p.kind);
	free(p.cluster);
	return t;
}

/* ---- what it was read from ---- */

/* A storm of hotplug is followed at this pace. */
static const int64_t pace_ns = 250000000;

/* 0 where nothing can be read; FNV-1a of the text else, which is in p->text. */
static uint64_t
look(struct places *p, int fd)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	ssize_t n = fd < 0 ? -1 : pread(fd, p->text, PLACES_TEXT - 1, 0);

	if (n <= 0)
		return 0;
	p->text[n] = '\0';
	for (ssize_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)p->text[i]) * UINT64_C(0x100000001b3);
	return h;
}

static void
watch(struct places *p, const char *root, const char *path)
{
	if (p->len == PLACES_MAX)
		return;
	p->file[p->len].fd = sysfs_open(root, path);
	p->file[p->len].seen = look(p, p->file[p->len].fd);
	p->len++;
}

bool
places_open(struct places *p, const char *root, const struct topology *t)
{
	char path[256];

	p->len = 0;
	p->asked_ns = INT64_MIN;
	p->text = malloc(PLACES_TEXT);
	if (p->text == NULL)
		return false;
	watch(p, root, "/sys/devices/system/cpu/online");
	p->file[0].seen = 0; /* to be read when it is asked first */
	watch(p, root, "/sys/devices/system/cpu/present");
	for (unsigned k = 0; k < t->nkinds; k++) {
		if (t->kind[k].pmu[0] == '\0')
			continue;
		snprintf(path, sizeof path,
			 "/sys/bus/event_source/devices/%s/cpus",
			 t->kind[k].pmu);
		watch(p, root, path);
	}
	return true;
}

void
places_close(struct places *p)
{
	for (unsigned i = 0; i < p->len; i++)
		if (p->file[i].fd >= 0)
			close(p->file[i].fd);
	free(p->text);
	p->text = NULL;
	p->len = 0;
}

bool
places_say_online(const struct places *p)
{
	return p->len > 0 && p->file[0].fd >= 0;
}

uint32_t
places_changed(struct places *p, int64_t now_ns)
{
	uint32_t changed = 0;
	uint64_t online;

	if (!places_say_online(p) ||
	    (p->asked_ns != INT64_MIN && now_ns - p->asked_ns < pace_ns))
		return PLACES_NOT_ASKED;
	p->asked_ns = now_ns;
	online = look(p, p->file[0].fd);
	if (online != 0 && online != p->file[0].seen) {
		p->file[0].seen = online;
		changed = PLACES_ONLINE;
		if (!cpu_list_parse(p->text, &p->online))
			p->online.len = 0;
	}
	for (unsigned i = 1; i < p->len; i++)
		if (look(p, p->file[i].fd) != p->file[i].seen)
			changed |= 1u << i;
	return changed;
}

bool
places_online(const struct places *p, int id)
{
	if (p->online.len == 0 || id < 0 || id >= CPU_LIST_MAX)
		return true;
	return p->online.in[id];
}
