#include "source/perf/perf.h"
#include "source/perf/state.h"

#include "base/plural.h"
#include "base/utf8.h"
#include "source/table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	LAZY_MAX = 9, /* an idle CPU is read at every tenth reading */
	HINT_AFTER = 3
};

static const int64_t second_ns = 1000000000, back_off_max_ns = 30000000000;

static void
cpu_back_off(struct perf_cpu *c, int64_t now_ns)
{
	if (c->back_off_ns == 0)
		c->back_off_ns = second_ns;
	c->retry_ns = now_ns + c->back_off_ns;
	if (c->back_off_ns < back_off_max_ns)
		c->back_off_ns *= 2;
	if (c->back_off_ns > back_off_max_ns)
		c->back_off_ns = back_off_max_ns;
}

static void
cpu_reopen_group(struct perf_source *s, unsigned i, int64_t now_ns)
{
	const struct topology_cpu *t = &s->topology->cpu[i];
	struct perf_cpu *c = &s->cpu[i];
	int code;

	if (s->plan[t->kind].len == 0 || now_ns < c->retry_ns)
		return;
	code = group_open(&c->group, &s->port, &s->plan[t->kind], t->id);
	cpu_back_off(c, now_ns);
	if (code == ENODEV)
		c->off = true;
	c->denied = code == EACCES || code == EPERM;
	c->none = code == ENOENT || code == EOPNOTSUPP;
}

/* Software events stay open until the PMU counts again. */
static void
cpu_retry_pmu(struct perf_source *s, unsigned i, int64_t now_ns)
{
	const struct topology_cpu *t = &s->topology->cpu[i];
	struct perf_cpu *c = &s->cpu[i];
	struct group_plan one = { .len = 1 };
	struct group trial = { .open = false };

	if (now_ns < c->retry_ns)
		return;
	one.member[0].code = s->catalog.kind[t->kind].cycles;
	one.member[0].what = FIXED_CYCLES;
	if (c->back_off_ns != 0 &&
	    group_open(&trial, &s->port, &one, t->id) == 0) {
		group_close(&trial, &s->port);
		group_close(&c->group, &s->port);
		cpu_reopen_group(s, i, now_ns);
		perf_note_without_pmu(s);
		return;
	}
	cpu_back_off(c, now_ns);
}

static bool
cpu_came_online(const struct perf_source *s, unsigned i, bool on)
{
	return on && s->topology->cpu[i].off;
}

static void
follow_online_list(struct perf_source *s)
{
	unsigned known = 0;

	s->newcomers = 0;
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		struct perf_cpu *c = &s->cpu[i];
		bool on =
			hotplug_cpu_online(&s->places, s->topology->cpu[i].id);

		known += on;
		if (cpu_came_online(s, i, on)) {
			/* The CPU stays off until the source is renewed. */
			s->newcomers++;
			continue;
		}
		if (!on)
			group_close(&c->group, &s->port);
		else if (c->off)
			c->retry_ns = c->back_off_ns = 0;
		c->off = !on;
	}
	if (s->places.online.len > known)
		s->newcomers += s->places.online.len - known;
}

static bool
any_cpu_without_pmu(const struct perf_source *s)
{
	bool with = false, without = false;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		unsigned kind = s->topology->cpu[i].kind;

		if (s->topology->kind[kind].pmu[0] != '\0')
			with = true;
		else if (!s->cpu[i].off)
			without = true;
	}
	return with && without;
}

static bool
has_lost_counters(const struct perf_source *s)
{
	return s->counted && !s->counts && !s->short_of_files;
}

static void
follow_hotplug(struct perf_source *s, int64_t now_ns)
{
	uint32_t changed = hotplug_changed(&s->places, now_ns), pmus;

	if (changed == HOTPLUG_NOT_ASKED)
		return;
	if ((changed & HOTPLUG_ONLINE) != 0)
		follow_online_list(s);
	/* A changed PMU list matters only if a CPU may have gained a PMU. */
	pmus = changed & ~(uint32_t)(HOTPLUG_ONLINE | HOTPLUG_PRESENT);
	s->source.info.outdated =
		s->newcomers > 0 || (changed & HOTPLUG_PRESENT) != 0 ||
		(pmus != 0 && any_cpu_without_pmu(s)) || has_lost_counters(s);
}

static void
sum_slot_shares(const struct eventset *set, struct cpu_sample *out, unsigned to)
{
	static const char *const share[] = { "SLOT_USEFUL", "SLOT_DISCARDED",
					     "SLOT_DELIVERY",
					     "SLOT_PROCESSING" };
	struct reading sum = { .supported = true };

	for (unsigned i = 0; i < sizeof share / sizeof share[0]; i++) {
		int at = eventset_find(set, share[i]);

		if (at < 0 || !out->slot[at].supported)
			return;
		sum.count += out->slot[at].count;
		sum.enabled_ns = out->slot[at].enabled_ns;
		sum.running_ns = out->slot[at].running_ns;
	}
	out->slot[to] = sum;
}

static void
cpu_take_totals(const struct perf_source *s, unsigned i, struct cpu_sample *out)
{
	const struct group *g = &s->cpu[i].group;
	unsigned kind = s->topology->cpu[i].kind;
	uint32_t left_out = s->fit[kind].left_out;

	for (unsigned f = 0; f < FIXED_COUNT; f++)
		group_total(g, f, &out->fixed[f]);
	out->fixed[FIXED_INSTRUCTIONS].held =
		(left_out >> FIT_INSTRUCTIONS & 1) != 0;
	for (unsigned n = 0; n < s->set.len; n++) {
		const struct perf_event_code *c = perf_catalog_code(
			&s->catalog, s->set.slot[n].event, kind);
		struct reading *r = &out->slot[n];

		if (!c->known || c->how == LINUX_SLOTS_SUM)
			continue;
		if (c->how == LINUX_CYCLES_TIMES || c->how == LINUX_NOTHING) {
			*r = out->fixed[FIXED_CYCLES];
			r->count *= c->factor;
		} else {
			group_total(g, GROUP_SLOT + n, r);
			if (c->factor != 0)
				r->count *= c->factor;
			r->held = (left_out >> n & 1) != 0;
		}
	}
	for (unsigned n = 0; n < s->set.len; n++) {
		const struct perf_event_code *c = perf_catalog_code(
			&s->catalog, s->set.slot[n].event, kind);

		if (c->known && c->how == LINUX_SLOTS_SUM)
			sum_slot_shares(&s->set, out, n);
	}
}

static void
cpu_note_sharing(struct perf_cpu *c)
{
	const struct group *g = &c->group;

	c->not_counting = g->running == 0 ? c->not_counting + 1 : 0;
	c->shared =
		g->running < g->enabled - g->enabled / 100 ? c->shared + 1 : 0;
}

static void
cpu_read_group(struct perf_source *s, unsigned i, int64_t now_ns,
	       struct cpu_sample *out)
{
	struct perf_cpu *c = &s->cpu[i];

	if (c->off && hotplug_lists_online(&s->places)) {
		out->state = CPU_OFF;
		return;
	}
	if (!c->group.open)
		cpu_reopen_group(s, i, now_ns);
	if (!c->group.open) {
		if (c->off)
			out->state = CPU_OFF;
		return;
	}
	switch (group_read(&c->group, &s->port)) {
	case GROUP_READ:
		if (!s->baseline)
			cpu_note_sharing(c);
		cpu_take_totals(s, i, out);
		out->state = CPU_DELIVERED;
		if (group_without_pmu(&c->group))
			cpu_retry_pmu(s, i, now_ns);
		else if (c->group.enabled > 0) /* the group's time advances */
			c->back_off_ns = c->retry_ns = 0;
		break;
	case GROUP_DEAD:
		group_close(&c->group, &s->port);
		cpu_reopen_group(s, i, now_ns);
		break;
	case GROUP_SILENT:
		break;
	}
}

/* /proc/stat shows an idle CPU: a reading would only wake it. */
static bool
cpu_may_stay_idle(struct perf_cpu *c, const struct cpu_sample *out)
{
	bool idle = out->busy_known && out->total != c->total &&
		    out->busy == c->busy;

	c->busy = out->busy;
	c->total = out->total;
	if (!idle || c->skipped >= LAZY_MAX || !c->group.open) {
		c->skipped = 0;
		return false;
	}
	c->skipped++;
	return true;
}

static bool
sharing_notice(const struct perf_source *s, char *out, size_t size)
{
	unsigned not_counting = 0, shared = 0, few;
	const char *watchdog = "";
	int64_t on = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		not_counting += s->cpu[i].not_counting >= HINT_AFTER;
		shared += s->cpu[i].shared >= HINT_AFTER;
	}
	if (shared == 0 || s->turns)
		return false;
	if (sysfs_number(s->root, "/proc/sys/kernel/nmi_watchdog", &on) && on)
		watchdog =
			", or the NMI watchdog: sysctl kernel.nmi_watchdog=0";
	few = not_counting > 0 ? not_counting : shared;
	snprintf(out, size, "%u %s %s: another profiler uses counters%s", few,
		 plural(few, "CPU", "CPUs"),
		 not_counting > 0 ? "could not count"
				  : plural(few, "counts only part-time",
					   "count only part-time"),
		 watchdog);
	return true;
}

static void
perf_update_notice(struct perf_source *s)
{
	char *out = s->source.info.notice;
	size_t size = sizeof s->source.info.notice;
	unsigned denied = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++)
		denied += s->cpu[i].denied;
	if (denied > 0)
		snprintf(
			out, size,
			"lost permission: %u %s came back online and may not be counted; restart ktop with the permission",
			denied, plural(denied, "CPU", "CPUs"));
	else if (s->newcomers > 0)
		snprintf(out, size,
			 "%u %s offline before: the topology is read again",
			 s->newcomers,
			 plural(s->newcomers, "CPU came online that was",
				"CPUs came online that were"));
	else if (!sharing_notice(s, out, size))
		snprintf(out, size, "%s",
			 s->left_out_notice[0] != '\0' ? s->left_out_notice
						       : s->refused);
}

static void
perf_read_cpus(struct perf_source *s, struct sample *out, int64_t now_ns)
{
	bool wake = s->baseline || !s->lazy || s->source.recording;

	for (unsigned i = 0; i < out->ncpus; i++) {
		struct cpu_sample *c = &out->cpu[i];
		struct perf_cpu *p = &s->cpu[i];

		/* Without a plan, no counts can be missing. */
		c->state = s->plan[s->topology->cpu[i].kind].len == 0
				   ? CPU_DELIVERED
				   : CPU_MISSING;
		if (p->off && hotplug_lists_online(&s->places))
			c->state = CPU_OFF;
		if (s->port.ops == NULL)
			continue;
		perf_clocks_fill(s, i, now_ns, c);
		memset(c->fixed, 0, sizeof c->fixed);
		memset(c->slot, 0, sizeof c->slot);
		if (!wake && cpu_may_stay_idle(p, c)) {
			c->state = CPU_SKIPPED;
			continue;
		}
		cpu_read_group(s, i, now_ns, c);
		if (c->state == CPU_MISSING && p->denied)
			c->state = CPU_DENIED;
		if (c->state == CPU_MISSING && p->none)
			c->state = CPU_DELIVERED;
	}
}

static void
sample_clear_ticks(struct sample *out)
{
	for (unsigned i = 0; i < out->ncpus; i++) {
		out->cpu[i].busy_known = out->cpu[i].busy_fine = false;
		out->cpu[i].busy = out->cpu[i].total = 0;
	}
}

/* Events that were regained count from this reading on. */
static void
restart_baseline(const struct perf_source *s, struct sample *out)
{
	for (unsigned i = 0; i < out->ncpus; i++)
		if (out->cpu[i].state == CPU_DELIVERED && s->cpu[i].group.open)
			cpu_take_totals(s, i, &out->cpu[i]);
}

static enum source_status
perf_read(struct source *base, struct sample *out, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct stamp busy, before;

	if (!sample_fits(out, s->topology->ncpus, e))
		return SOURCE_ERROR;
	out->flags = s->baseline ? SAMPLE_BASELINE : 0;
	out->domain = s->source.info.domain;
	out->set = &s->set;
	sample_clear_ticks(out);
	clock_now(s->source.info.clock, &busy);
	proc_stat_read(&s->stat, s->topology, out);
	clock_now(s->source.info.clock, &before);
	follow_hotplug(s, before.awake_ns);
	perf_read_cpus(s, out, before.awake_ns);
	clock_now(s->source.info.clock, &out->stamp);
	out->cost_ns = out->stamp.awake_ns - before.awake_ns;
	out->apart_ns = out->stamp.awake_ns - busy.awake_ns;
	if (!s->baseline) {
		if (perf_fit(s))
			restart_baseline(s, out);
		perf_update_notice(s);
	}
	s->baseline = false;
	return SOURCE_OK;
}

static void
read_model_name(struct perf_source *s)
{
	char line[4096];
	const char *name = NULL;
	size_t size = sizeof s->source.info.model;
	char *out = s->source.info.model;

	if (sysfs_text(s->root, "/proc/cpuinfo", line, sizeof line))
		name = cpuinfo_value(line, "model name");
	if (name != NULL) {
		utf8_clean(out, size, name, strcspn(name, "\n"));
	} else if (sysfs_text(s->root, "/proc/device-tree/model", line,
			      sizeof line)) {
		utf8_clean(out, size, line, strlen(line));
	}
}

static void
fill_source_info(struct perf_source *s)
{
	struct source_info *info = &s->source.info;
	char release[48], name[48] = "";

	snprintf(info->source, sizeof info->source, "perf");
	read_model_name(s);
	if (sysfs_text(s->root, "/proc/sys/kernel/osrelease", release,
		       sizeof release))
		utf8_clean(name, sizeof name, release, strlen(release));
	snprintf(info->os, sizeof info->os, "Linux%s%s",
		 name[0] != '\0' ? " " : "", name);
	if (s->topology->nkinds == 1)
		snprintf(info->chip, sizeof info->chip, "%s",
			 s->topology->kind[0].pmu);
	info->mode = SOURCE_BUSY_ONLY;
	info->utilisation = true;
	info->topology = s->topology;
	info->catalog = &s->catalog.catalog;
	info->set = &s->set;
	info->clock = clock_system();
}

static bool
perf_probe(const struct source_options *o, struct err *e)
{
	return cores_check_online(o->root, e);
}

static void
perf_close(struct source *base)
{
	struct perf_source *s;

	if (base == NULL)
		return;
	s = perf_of(base);
	for (unsigned i = 0; s->cpu != NULL && i < s->topology->ncpus; i++)
		group_close(&s->cpu[i].group, &s->port);
	if (s->cpu != NULL)
		perf_clocks_close(s);
	if (s->had_rights)
		group_rights(&s->port, true);
	perf_processes_close(s);
	proc_stat_close(&s->stat);
	hotplug_close(&s->places);
	perf_catalog_free(&s->catalog);
	free(s->cpu);
	free(s->plan);
	free(s->next);
	free(s->fit);
	free(s->root);
	topology_free(s->topology);
	free(s);
}

static bool
perf_allocate(struct perf_source *s, struct err *e)
{
	unsigned n = s->topology->ncpus, kinds = s->topology->nkinds;

	s->cpu = calloc(n, sizeof *s->cpu);
	s->plan = calloc(kinds, sizeof *s->plan);
	s->next = calloc(kinds, sizeof *s->next);
	s->fit = calloc(kinds, sizeof *s->fit);
	if (s->cpu == NULL || s->plan == NULL || s->next == NULL ||
	    s->fit == NULL || !proc_stat_open(&s->stat, s->root, n))
		return err_set(e, ERR_FAIL, "perf: out of memory");
	hotplug_open(&s->places, s->root, s->topology);
	for (unsigned i = 0; i < n; i++)
		s->cpu[i].off = s->topology->cpu[i].off;
	return true;
}

/* True: sysfs lists PMUs, but no core PMU. A permission would not help. */
static bool
kernel_lists_no_core_pmu(const struct perf_source *s)
{
	int64_t type;

	for (unsigned k = 0; k < s->catalog.nkinds; k++)
		if (s->catalog.kind[k].counts)
			return false;
	return sysfs_number(
		s->root, "/sys/bus/event_source/devices/software/type", &type);
}

/* Opens the fixed counters. If they are refused, tries software events. */
static void
perf_start_counting(struct perf_source *s)
{
	struct source_info *info = &s->source.info;
	struct err e = { ERR_NONE, "" };
	bool absent;
	int code;

	s->counts = true;
	perf_plan(s, NULL);
	if (perf_open_plan(s, &e)) {
		info->mode = SOURCE_IPC;
		err_set(&info->why, ERR_NONE,
			"cycles and instructions only: no events were chosen");
		return;
	}
	info->why = e;
	absent = errno_means_no_pmu(s->hardware) || kernel_lists_no_core_pmu(s);
	s->counts = false;
	perf_plan(s, NULL);
	memcpy(s->plan, s->next, s->catalog.nkinds * sizeof s->plan[0]);
	code = s->short_of_files ? EMFILE : perf_try_open(s, false);
	if (code == 0)
		return;
	info->catalog = NULL;
	if (absent)
		(void)permission_explain(s->root, ENOENT, &info->why);
	/* A missing PMU does not explain why software events are refused. */
	if (absent && !errno_means_no_pmu(code) && !s->short_of_files) {
		(void)permission_explain(s->root, code, &e);
		err_set(&info->why, ERR_NO_PMU,
			"%.200s; software events are refused: %.300s",
			info->why.text, e.text);
	}
}

/* Issue width: from the PMU's caps, else its family, else arm_cores. */
static void
fill_kind_widths(struct perf_source *s)
{
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		const struct perf_kind *kind = &s->catalog.kind[k];
		struct topology_kind *t = &s->topology->kind[k];
		unsigned width = kind->pmu.slots;

		if (width == 0 && kind->counts)
			width = linux_width(kind->family,
					    strcmp(t->letter, "E") == 0);
		if (width > 0)
			t->width = width;
		t->width_certain = t->width > 0;
	}
}

static bool
perf_open_uncounted(struct perf_source *s, const struct source_options *o,
		    const struct perf_ops *ops, struct err *e)
{
	struct perf_catalog_options c = { .user_only = o->user_only,
					  .events = o->events };

	if (o->root != NULL) {
		s->root = strdup(o->root);
		if (s->root == NULL)
			return err_set(e, ERR_FAIL, "perf: out of memory");
	}
	c.root = s->root;
	s->lazy = o->lazy;
	s->user_only = o->user_only;
	s->turns = o->mux;
	s->topology = topology_linux_present(s->root, e);
	if (s->topology == NULL || !perf_allocate(s, e) ||
	    !perf_catalog_build(&s->catalog, s->topology, &c, e))
		return false;
	fill_kind_widths(s);
	fill_source_info(s);
	perf_processes_open(s);
	if (ops == NULL && s->root != NULL) {
		err_set(&s->source.info.why, ERR_NO_PMU,
			"a recorded machine (--root) has no counters");
		return true;
	}
	s->port.ops = ops != NULL ? ops : perf_ops_system();
	if (s->port.ops->clock != NULL)
		s->source.info.clock = s->port.ops->clock;
	return true;
}

static struct perf_source *
perf_prepare(const struct source_options *o, const struct perf_ops *ops,
	     struct err *e)
{
	struct perf_source *s = calloc(1, sizeof *s);

	if (s == NULL)
		return err_null(e, ERR_FAIL, "perf: out of memory");
	s->source.ops = &source_perf;
	s->stat.fd = -1;
	if (perf_open_uncounted(s, o, ops, e))
		return s;
	perf_close(&s->source);
	return NULL;
}

struct source *
perf_open_with(const struct source_options *o, const struct perf_ops *ops,
	       struct err *e)
{
	struct perf_source *s = perf_prepare(o, ops, e);
	struct count_permission rights;

	if (s == NULL)
		return NULL;
	if (s->port.ops == NULL)
		return &s->source;
	permission_read(s->root, &rights);
	s->port.rights = permission_capability(&rights);
	s->had_rights = (rights.effective & s->port.rights) != 0;
	group_rights(&s->port, false);
	if (s->port.ops->used != NULL)
		s->used = s->port.ops->used(s->port.ops->self);
	perf_start_counting(s);
	perf_clocks_open(s);
	return &s->source;
}

/* Keeps the old source if a new one could not count. */
static struct source *
perf_renew(struct source *base, const struct source_options *o, struct err *e)
{
	struct perf_source *old = perf_of(base), *s;
	struct source_options same = *o;

	same.root = old->root;
	if (!perf_could_count(old, e))
		return NULL;
	s = perf_prepare(&same, old->port.ops, e);
	if (s == NULL)
		return NULL;
	s->source.recording = base->recording;
	s->port.rights = old->port.rights;
	s->port.attr_size = old->port.attr_size;
	s->had_rights = old->had_rights;
	s->used = old->used - (old->has_clocks ? perf_clocks_files(old) : 0);
	s->power_files = old->power_files;
	s->counted = old->counted || old->counts;
	perf_processes_take_over(s, old);
	old->had_rights = false; /* the new source has the rights now */
	perf_close(base);
	if (s->port.ops != NULL) {
		perf_start_counting(s);
		perf_clocks_open(s);
	}
	return &s->source;
}

static struct source *
perf_open(const struct source_options *o, struct err *e)
{
	return perf_open_with(o, NULL, e);
}

const struct source_ops source_perf = {
	.name = "perf",
	.text = "the kernel's perf events (Linux)",
	.probe = perf_probe,
	.open = perf_open,
	.program = perf_program,
	.read = perf_read,
	.processes = perf_processes_read,
	.renew = perf_renew,
	.power = perf_power,
	.power_with_rights = true,
	.close = perf_close,
	.examine = perf_examine,
};
