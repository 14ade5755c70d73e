/* Busy time from each CPU's clocks (x86): MPERF advances at the TSC's rate
 * while the CPU is not halted. /proc/stat has ticks of 10 ms only. The PMU msr
 * reads both clocks without a counter. */
#include "source/perf/state.h"

#include <string.h>
#include <unistd.h>

enum { TSC = FIXED_CYCLES, MPERF = FIXED_INSTRUCTIONS, CLOCKS };

static const int64_t again_ns = 1000000000;

static bool
clocks_find_events(const struct perf_source *s, struct group_plan *out)
{
	static const char *const name[CLOCKS] = {
		[TSC] = "tsc", [MPERF] = "mperf"
	};
	struct pmu_linux msr;

	*out = (struct group_plan){ .len = CLOCKS, .excludes_nothing = true };
	if (!pmu_linux_open(&msr, s->root, "msr"))
		return false;
	for (unsigned i = 0; i < CLOCKS; i++) {
		out->member[i].what = i;
		if (!pmu_linux_alias(&msr, name[i], NULL, &out->member[i].code,
				     NULL))
			return false;
	}
	return true;
}

static bool
clocks_open_cpu(struct perf_source *s, unsigned i)
{
	struct group *g = &s->cpu[i].clocks;

	if (group_open(g, &s->port, &s->clocks, s->topology->cpu[i].id) != 0)
		return false;
	g->sleeps = true; /* the group's time can stand still: two readings may
			     be microseconds apart */
	if (g->len == CLOCKS)
		return true;
	group_close(g, &s->port);
	return false;
}

uint64_t
perf_clocks_files(const struct perf_source *s)
{
	return (uint64_t)s->topology->ncpus * CLOCKS;
}

void
perf_clocks_open(struct perf_source *s)
{
	uint64_t files = perf_clocks_files(s);
	const struct perf_ops *ops = s->port.ops;
	uint64_t most = (uint64_t)s->topology->ncpus * GROUP_MAX;
	bool any = false;

	/* lazy: reading the clocks would wake the CPU. */
	if (ops == NULL || !ops->msr || s->lazy || !s->counts ||
	    !clocks_find_events(s, &s->clocks) ||
	    ops->limit(ops->self, s->used + files + most) <
		    s->used + files + most)
		return;
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		any |= !s->cpu[i].off && clocks_open_cpu(s, i);
	s->has_clocks = any;
	s->used += any ? files : 0;
}

void
perf_clocks_close(struct perf_source *s)
{
	for (unsigned i = 0; i < s->topology->ncpus; i++)
		group_close(&s->cpu[i].clocks, &s->port);
}

static bool
clocks_add_reading(struct perf_source *s, struct perf_cpu *c)
{
	struct reading now[CLOCKS], *before = c->clock;
	double tsc, mperf, ns;
	bool first = !c->clocked;

	if (!c->clocks.open)
		return false;
	switch (group_read(&c->clocks, &s->port)) {
	case GROUP_READ:
		break;
	case GROUP_DEAD:
		group_close(&c->clocks, &s->port);
		return false;
	case GROUP_SILENT:
		return false;
	}
	for (unsigned i = 0; i < CLOCKS; i++)
		if (!group_total(&c->clocks, i, &now[i]))
			return false;
	tsc = (double)(now[TSC].count - before[TSC].count);
	mperf = (double)(now[MPERF].count - before[MPERF].count);
	ns = (double)(now[TSC].enabled_ns - before[TSC].enabled_ns);
	memcpy(before, now, sizeof now);
	c->clocked = true;
	if (first || !(tsc > 0) || !(ns > 0))
		return false;
	c->busy_ns += (uint64_t)(mperf < tsc ? ns * mperf / tsc : ns);
	c->total_ns += (uint64_t)ns;
	return true;
}

static uint64_t
ticks_grown(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

void
perf_clocks_fill(struct perf_source *s, unsigned i, int64_t now_ns,
		 struct cpu_sample *out)
{
	struct perf_cpu *c = &s->cpu[i];
	uint64_t tick_ns =
		UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t busy = out->busy * tick_ns, total = out->total * tick_ns;

	if (!s->has_clocks)
		return;
	if (!c->clocks.open && !c->off && now_ns >= c->clocks_again_ns) {
		c->clocks_again_ns = now_ns + again_ns;
		(void)clocks_open_cpu(s, i);
	}
	if (!c->ticked) {
		c->busy_ns = busy;
		c->total_ns = total;
	}
	out->busy_fine = clocks_add_reading(s, c);
	if (!out->busy_fine && c->ticked && out->busy_known) {
		c->busy_ns += ticks_grown(busy, c->tick_busy_ns);
		c->total_ns += ticks_grown(total, c->tick_total_ns);
	}
	c->ticked = c->ticked || out->busy_known || out->busy_fine;
	if (out->busy_known) {
		c->tick_busy_ns = busy;
		c->tick_total_ns = total;
	}
	out->busy_known = out->busy_known || out->busy_fine;
	out->busy = c->busy_ns;
	out->total = c->total_ns;
}
