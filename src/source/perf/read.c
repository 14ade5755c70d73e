#include "source/perf/state.h"

#include "base/plural.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
	LAZY_MAX = 9, /* an idle CPU's row is read every tenth time */
	HINT_AFTER = 3
};

static const int64_t second_ns = 1000000000, back_off_max_ns = 30000000000;

/* ---- attempts ---- */

static void
wait_longer(struct perf_cpu *c, int64_t now_ns)
{
	if (c->back_off_ns == 0)
		c->back_off_ns = second_ns;
	c->retry_ns = now_ns + c->back_off_ns;
	if (c->back_off_ns < back_off_max_ns)
		c->back_off_ns *= 2;
	if (c->back_off_ns > back_off_max_ns)
		c->back_off_ns = back_off_max_ns;
}

/* A closed group is opened again, if it is time to. */
static void
reopen(struct perf_source *s, unsigned i, int64_t now_ns)
{
	const struct topology_cpu *t = &s->topology->cpu[i];
	struct perf_cpu *c = &s->cpu[i];
	int code;

	if (s->plan[t->kind].len == 0 || now_ns < c->retry_ns)
		return;
	code = group_open(&c->group, &s->port, &s->plan[t->kind], t->id);
	wait_longer(c, now_ns);
	if (code == ENODEV)
		c->off = true;
	c->denied = code == EACCES || code == EPERM;
	c->none = code == ENOENT || code == EOPNOTSUPP;
}

/*
 * Its PMU refused, and the kernel's own events go on: does it count now? They
 * are only given up for it when it does, and the right to open them is there.
 */
static void
ask_again(struct perf_source *s, unsigned i, int64_t now_ns)
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
		reopen(s, i, now_ns);
		perf_note_without_pmu(s);
		return;
	}
	wait_longer(c, now_ns);
}

/* On line now, but not when the topology was read: sysfs said nothing of it. */
static bool
is_newcomer(const struct perf_source *s, unsigned i, bool on)
{
	return on && s->topology->cpu[i].off;
}

static void
follow_list(struct perf_source *s)
{
	unsigned known = 0;

	s->newcomers = 0;
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		struct perf_cpu *c = &s->cpu[i];
		bool on = online_has(&s->online, s->topology->cpu[i].id);

		known += on;
		if (is_newcomer(s, i, on)) {
			/* Off to us until its kind and cluster are known. */
			s->newcomers++;
			continue;
		}
		if (!on)
			group_close(&c->group, &s->port);
		else if (c->off)
			c->retry_ns = c->back_off_ns = 0;
		c->off = !on;
	}
	if (s->online.list.len > known)
		s->newcomers += s->online.list.len - known;
}

/* Is a CPU on line in none of the PMUs, on a machine that has some? */
static bool
any_unplaced(const struct perf_source *s)
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

/* They were there, until the machine was read again: worth another try. */
static bool
lost_counters(const struct perf_source *s)
{
	return s->counted && !s->counts && !s->short_of_files;
}

static void
follow_online(struct perf_source *s, int64_t now_ns)
{
	uint32_t changed;

	if (!online_due(&s->online, now_ns))
		return;
	if (online_ask(&s->online))
		follow_list(s);
	changed = places_changed(&s->places);
	/* A PMU that lost a CPU only says what `online` does, too. */
	s->source.info.outdated = s->newcomers > 0 || (changed & 1) != 0 ||
				  (changed > 1 && any_unplaced(s)) ||
				  lost_counters(s);
}

/* ---- one row ---- */

static void
take_totals(const struct perf_source *s, unsigned i, struct cpu_sample *out)
{
	const struct group *g = &s->cpu[i].group;
	unsigned kind = s->topology->cpu[i].kind;
	uint32_t left_out = s->fit[kind].left_out;

	for (unsigned f = 0; f < FIXED_COUNT; f++)
		group_total(g, f, &out->fixed[f]);
	for (unsigned n = 0; n < s->set.len; n++) {
		const struct perf_event_code *c = perf_catalog_code(
			&s->catalog, s->set.slot[n].event, kind);
		struct reading *r = &out->slot[n];

		if (!c->known)
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
}

/* Counters that others hold, too: noticed, for a hint. */
static void
watch(struct perf_cpu *c)
{
	const struct group *g = &c->group;

	c->starved = g->running == 0 ? c->starved + 1 : 0;
	c->shared =
		g->running < g->enabled - g->enabled / 100 ? c->shared + 1 : 0;
}

static void
read_cpu(struct perf_source *s, unsigned i, int64_t now_ns,
	 struct cpu_sample *out)
{
	struct perf_cpu *c = &s->cpu[i];

	if (c->off && s->online.fd >= 0) {
		out->state = CPU_OFF;
		return;
	}
	if (!c->group.open)
		reopen(s, i, now_ns);
	if (!c->group.open) {
		if (c->off)
			out->state = CPU_OFF;
		return;
	}
	switch (group_read(&c->group, &s->port)) {
	case GROUP_READ:
		if (!s->baseline)
			watch(c);
		take_totals(s, i, out);
		out->state = CPU_DELIVERED;
		if (group_without_pmu(&c->group))
			ask_again(s, i, now_ns);
		else if (c->group.enabled > 0) /* does not stand still */
			c->back_off_ns = c->retry_ns = 0;
		break;
	case GROUP_DEAD:
		group_close(&c->group, &s->port);
		reopen(s, i, now_ns);
		break;
	case GROUP_SILENT:
		s->dropped++;
		break;
	}
}

/* Idle for the whole interval by the kernel's books: let it sleep on. */
static bool
may_sleep_on(struct perf_cpu *c, const struct cpu_sample *out)
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

/* ---- what a person should know ---- */

static bool
say_hint(const struct perf_source *s, char *out, size_t size)
{
	unsigned starved = 0, shared = 0, few;
	const char *watchdog = "";
	int64_t on = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		starved += s->cpu[i].starved >= HINT_AFTER;
		shared += s->cpu[i].shared >= HINT_AFTER;
	}
	if (shared == 0 || s->turns)
		return false;
	if (sysfs_number(s->root, "/proc/sys/kernel/nmi_watchdog", &on) && on)
		watchdog =
			", or the NMI watchdog: sysctl kernel.nmi_watchdog=0";
	few = starved > 0 ? starved : shared;
	snprintf(out, size, "%u %s %s: another profiler holds counters%s", few,
		 plural(few, "CPU", "CPUs"),
		 starved > 0 ? "could not count"
			     : plural(few, "counts only part-time",
				      "count only part-time"),
		 watchdog);
	return true;
}

static void
say(struct perf_source *s)
{
	char *out = s->source.info.notice;
	size_t size = sizeof s->source.info.notice;
	unsigned denied = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++)
		denied += s->cpu[i].denied;
	if (denied > 0)
		snprintf(
			out, size,
			"lost permission: %u %s came back and may not be counted any more; start ktop again with the right",
			denied, plural(denied, "CPU", "CPUs"));
	else if (s->newcomers > 0)
		snprintf(out, size,
			 "%u %s off before: the machine is read again",
			 s->newcomers,
			 plural(s->newcomers, "CPU came on line that was",
				"CPUs came on line that were"));
	else if (!say_hint(s, out, size))
		snprintf(out, size, "%s",
			 s->crowded[0] != '\0' ? s->crowded : s->refused);
}

/* ---- the reading ---- */

static void
read_all(struct perf_source *s, struct sample *out, int64_t now_ns)
{
	bool wake = s->baseline || !s->lazy || s->source.recording;

	for (unsigned i = 0; i < out->ncpus; i++) {
		struct cpu_sample *c = &out->cpu[i];
		struct perf_cpu *p = &s->cpu[i];

		/* Nothing can count here: that is no lost row. */
		c->state = s->plan[s->topology->cpu[i].kind].len == 0
				   ? CPU_DELIVERED
				   : CPU_MISSING;
		if (p->off && s->online.fd >= 0)
			c->state = CPU_OFF;
		if (s->port.ops == NULL) /* nothing was ever written there */
			continue;
		memset(c->fixed, 0, sizeof c->fixed);
		memset(c->slot, 0, sizeof c->slot);
		if (!wake && may_sleep_on(p, c)) {
			c->state = CPU_SKIPPED;
			continue;
		}
		read_cpu(s, i, now_ns, c);
		if (c->state == CPU_MISSING && p->denied)
			c->state = CPU_DENIED;
		if (c->state == CPU_MISSING && p->none)
			c->state = CPU_DELIVERED;
	}
}

static void
forget_ticks(struct sample *out)
{
	for (unsigned i = 0; i < out->ncpus; i++) {
		out->cpu[i].busy_known = false;
		out->cpu[i].busy = out->cpu[i].total = 0;
	}
}

/* What came back counts from this reading on. */
static void
begin_again(const struct perf_source *s, struct sample *out)
{
	for (unsigned i = 0; i < out->ncpus; i++)
		if (out->cpu[i].state == CPU_DELIVERED && s->cpu[i].group.open)
			take_totals(s, i, &out->cpu[i]);
}

enum source_status
perf_read(struct source *base, struct sample *out, struct err *e)
{
	struct perf_source *s = perf_of(base);
	struct stamp busy, before;

	if (!sample_fits(out, s->topology->ncpus, e))
		return SOURCE_ERROR;
	out->flags = s->baseline ? SAMPLE_BASELINE : 0;
	out->domain = s->source.info.domain;
	out->set = &s->set;
	forget_ticks(out);
	clock_now(s->source.info.clock, &busy);
	proc_stat_read(&s->stat, s->topology, out);
	clock_now(s->source.info.clock, &before);
	follow_online(s, before.awake_ns);
	read_all(s, out, before.awake_ns);
	clock_now(s->source.info.clock, &out->stamp);
	out->cost_ns = out->stamp.awake_ns - before.awake_ns;
	out->apart_ns = out->stamp.awake_ns - busy.awake_ns;
	if (!s->baseline) {
		if (perf_fit(s))
			begin_again(s, out);
		say(s);
	}
	s->baseline = false;
	return SOURCE_OK;
}
