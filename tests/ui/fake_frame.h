/*
 * Frames made up for the screen's tests: closed-form values of row and tick,
 * no monitor behind them. They only have to look like a living machine.
 */
#ifndef TESTS_UI_FAKE_FRAME_H
#define TESTS_UI_FAKE_FRAME_H

#include "model/frame.h"
#include "monitor/history.h"
#include "monitor/bottlenecks.h"
#include "model/metric.h"
#include "ui/view/view.h"
#include "model/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct fake_cluster {
	unsigned kind, ncpus;
};

struct fake_machine {
	const char *name, *model;
	unsigned nkinds;
	struct topology_kind kind[3];
	unsigned nclusters; /* 0: `repeat` clusters like the first */
	struct fake_cluster cluster[8];
	unsigned repeat;
	bool busy_only;
};

/* clang-format off */
#define FAKE_P { .name = "Performance", .letter = "P", .pmu = "a14", .width = 8, .width_certain = true }
#define FAKE_E { .name = "Efficiency", .letter = "E", .pmu = "a14", .width = 4, .width_certain = true }
static const struct fake_machine fake_machine[] = {
	{ "m1", "Apple M1", 2, { FAKE_P, FAKE_E }, 2, { { 1, 4 }, { 0, 4 } }, 0, false },
	{ "m2max", "Apple M2 Max", 2, { FAKE_P, FAKE_E }, 3, { { 1, 4 }, { 0, 4 }, { 0, 4 } }, 0, false },
	{ "m3ultra", "Apple M3 Ultra", 2, { FAKE_P, FAKE_E }, 6,
	  { { 1, 4 }, { 0, 6 }, { 0, 6 }, { 1, 4 }, { 0, 6 }, { 0, 6 } }, 0, false },
	{ "m5max", "Apple M5 Max", 2,
	  { { .name = "Super", .letter = "S", .pmu = "as5", .width = 10 },
	    { .name = "Performance", .letter = "P", .pmu = "as5-1", .width = 10 } }, 3,
	  { { 1, 6 }, { 1, 6 }, { 0, 6 } }, 0, false },
	{ "epyc", "EPYC 9754", 1, { { .name = "core" } }, 0, { { 0, 8 } }, 16, false },
	{ "vm", "virtual machine", 1, { { .name = "core" } }, 1, { { 0, 2 } }, 0, true },
};
/* clang-format on */

static const struct event fake_event[] = {
	{ .name = "BRANCH_MISPRED_NONSPEC", .counters = 0xe0 },
	{ .name = "CORE_ACTIVE_CYCLE", .counters = 0x3fc },
	{ .name = "INST_ALL", .counters = 0x80 },
	{ .name = "L1D_CACHE_MISS_LD_NONSPEC", .counters = 0xe0 },
	{ .name = "L1I_CACHE_MISS_DEMAND", .counters = 0x3fc },
	{ .name = "L2_TLB_MISS_DATA", .counters = 0x3fc },
	{ .name = "MAP_DISPATCH_BUBBLE", .counters = 0x3fc },
	{ .name = "MAP_STALL", .counters = 0x3fc },
};
static const unsigned fake_order[8] = { 1, 4, 5, 0, 3, 2, 7, 6 };
static const struct catalog fake_catalog = { "a14", fake_event, 8, 0x3fc };

/* The metrics that are not NAN. */
enum fake_name {
	FAKE_NONE,
	FAKE_IPC,
	FAKE_GHZ,
	FAKE_GIPS,
	FAKE_BRANCH,
	FAKE_L1D,
	FAKE_L2TLB,
	FAKE_STALL,
	FAKE_STARVE,
	FAKE_USER,
	FAKE_L1I,
	FAKE_USER_IPC,
	FAKE_USEFUL,
	FAKE_DISCARDED,
	FAKE_DELIVERY,
	FAKE_PROCESSING,
	FAKE_NAMES
};

static const char *const fake_names[FAKE_NAMES] = {
	[FAKE_NONE] = "",
	[FAKE_IPC] = "ipc",
	[FAKE_GHZ] = "ghz",
	[FAKE_GIPS] = "gips",
	[FAKE_BRANCH] = "branch_mpki",
	[FAKE_L1D] = "l1d_ld_mpki",
	[FAKE_L2TLB] = "l2tlb_d_mpki",
	[FAKE_STALL] = "stall_pct",
	[FAKE_STARVE] = "frontend_stall_pct",
	[FAKE_USER] = "user_pct",
	[FAKE_L1I] = "l1i_mpki",
	[FAKE_USER_IPC] = "user_ipc",
	[FAKE_USEFUL] = "retiring_pct",
	[FAKE_DISCARDED] = "bad_spec_pct",
	[FAKE_DELIVERY] = "frontend_pct",
	[FAKE_PROCESSING] = "backend_pct",
};

/* What a CPU did at a tick, kept for the next that asks. */
enum { FAKE_TICKS = 256 };
struct fake_now {
	double after; /* the tick that follows; 0: nothing is kept */
	double ipc, wave;
};

struct fake {
	const struct fake_machine *machine;
	enum fake_name *name; /* of each metric */
	struct fake_now *now; /* [CPUs][FAKE_TICKS] */
	struct topology *t;
	struct eventset set;
	struct frame f;
	struct scope *scope;
	struct span *span;
	double *value;
	uint8_t *state;
	struct bottlenecks bottlenecks;
	struct headline headline;
	struct ui_status status;
};

/* Between -1 and 1, smooth in time, different for each row. */
static inline double
fake_wave(unsigned row, double tick)
{
	return 0.6 * sin(tick / 7 + row * 1.7) +
	       0.4 * sin(tick / 2.3 + row * 3.1);
}

static inline double
fake_ipc(const struct fake *k, unsigned cpu, double tick)
{
	bool fast = k->t->cpu[cpu].kind == 0;
	double v =
		(fast ? 2.8 : 0.9) + fake_wave(cpu, tick) * (fast ? 1.5 : 0.4);

	return cpu % 4 == 3 ? v * 0.3 + 0.1 : v;
}

/* The slot metrics of overview and topdown; NAN for others. */
static inline double
fake_other(enum fake_name name, double ipc, double wave)
{
	double bad = ipc > 0 ? 1.6 / (ipc + 0.3) : 0;

	/* clang-format off */
	switch (name) {
	case FAKE_BRANCH: return 0.4 + 2.4 * bad * (1.3 + wave);
	case FAKE_L1D: return 3 + 9 * bad * (1.2 + wave);
	case FAKE_L2TLB: return 0.2 + 0.7 * bad;
	case FAKE_STALL: return 12 + 34 * bad;
	case FAKE_STARVE: return 6 + 2 * bad + 3 * wave;
	case FAKE_USER: return 88 + 9 * wave;
	case FAKE_L1I: return 0.8 + bad;
	case FAKE_USER_IPC: return ipc * 1.08;
	case FAKE_USEFUL: return 60 / (1 + bad);
	case FAKE_DISCARDED: return 4 + 3 * bad;
	case FAKE_DELIVERY: return 12 + 4 * wave;
	case FAKE_PROCESSING: return 84 - 60 / (1 + bad) - 3 * bad - 4 * wave;
	default: return NAN;
	}
	/* clang-format on */
}

static inline double
fake_metric_of_cpu(const struct fake *k, unsigned cpu, unsigned metric,
		   double tick)
{
	struct fake_now *now =
		&k->now[cpu * FAKE_TICKS + (unsigned)tick % FAKE_TICKS];
	double ghz = k->t->cpu[cpu].kind == 0 ? 3.2 : 2.0;

	if (k->machine->busy_only)
		return NAN;
	if (now->after != tick + 1)
		*now = (struct fake_now){ tick + 1, fake_ipc(k, cpu, tick),
					  fake_wave(cpu + 5, tick) };
	switch (k->name[metric]) {
	case FAKE_IPC:
		return now->ipc;
	case FAKE_GHZ:
		return ghz + now->wave / 20;
	case FAKE_GIPS:
		return now->ipc * ghz * (0.75 + now->wave / 5);
	default:
		return fake_other(k->name[metric], now->ipc, now->wave);
	}
}

static inline bool
fake_in_scope(const struct fake *k, const struct scope *s, unsigned cpu)
{
	const struct topology_cpu *c = &k->t->cpu[cpu];

	return s->level == SCOPE_ALL ||
	       (s->level == SCOPE_KIND && c->kind == s->index) ||
	       (s->level == SCOPE_CLUSTER && c->cluster == s->index) ||
	       (s->level == SCOPE_CORE && cpu == s->index);
}

static inline double
fake_metric(const struct fake *k, unsigned scope, unsigned metric, double tick)
{
	double total = 0;
	unsigned n = 0;

	if (tick < 0 || k->name[metric] == FAKE_NONE)
		return NAN;
	for (unsigned i = 0; i < k->t->ncpus; i++)
		if (fake_in_scope(k, &k->scope[scope], i)) {
			total += fake_metric_of_cpu(k, i, metric, tick);
			n++;
		}
	return k->name[metric] == FAKE_GIPS ? total : total / n;
}

static unsigned
fake_values(const struct monitor *self, unsigned scope, unsigned metric,
	    unsigned n, float *out)
{
	const struct fake *k = (const void *)self;

	for (unsigned i = 0; metric == HISTORY_BUSY && i < n; i++)
		out[i] = (float)(50 +
				 40 * fake_wave(scope, (double)k->f.seq -
							       (n - 1 - i)));
	for (unsigned i = 0; metric != HISTORY_BUSY && i < n; i++)
		out[i] = (float)fake_metric(k, scope, metric,
					    (double)k->f.seq - (n - 1 - i));
	return n;
}

/* Top-down was measured seven seconds ago. */
static double
fake_last(const struct monitor *self, unsigned back, unsigned scope,
	  unsigned metric, double *age_s)
{
	const struct fake *k = (const void *)self;

	*age_s = 7;
	return fake_metric(k, scope, metric, (double)k->f.seq - 7);
}

static inline void
fake_topology(struct fake *k)
{
	const struct fake_machine *m = k->machine;
	unsigned n = m->nclusters > 0 ? m->nclusters : m->repeat, cpus = 0;

	for (unsigned i = 0; i < n; i++)
		cpus += m->cluster[m->nclusters > 0 ? i : 0].ncpus;
	k->t = topology_new(m->nkinds, n, cpus, NULL);
	for (unsigned i = 0; i < m->nkinds; i++)
		k->t->kind[i] = m->kind[i];
	for (unsigned i = 0, cpu = 0; i < n; i++) {
		const struct fake_cluster *c =
			&m->cluster[m->nclusters > 0 ? i : 0];

		k->t->cluster[i].kind = c->kind;
		k->t->cluster[i].ncpus = k->t->cluster[i].ncores = c->ncpus;
		k->t->cluster[i].die = k->t->cluster[i].package = -1;
		for (unsigned j = 0; j < c->ncpus; j++, cpu++)
			k->t->cpu[cpu] = (struct topology_cpu){ .id = (int)cpu,
								.kind = c->kind,
								.cluster = i,
								.core = cpu,
								.die = -1,
								.package = -1 };
	}
	topology_finish(k->t);
}

static inline void
fake_scopes(struct fake *k)
{
	struct topology *t = k->t;
	unsigned n = 0;

	k->f.nscopes = t->ncpus + t->nclusters + t->nkinds + 1;
	k->scope = calloc(k->f.nscopes, sizeof *k->scope);
	for (unsigned i = 0; i < t->ncpus; i++)
		k->scope[n++] = (struct scope){ SCOPE_CORE, i, 1 };
	for (unsigned i = 0; i < t->nclusters; i++)
		k->scope[n++] =
			(struct scope){ SCOPE_CLUSTER, i, t->cluster[i].ncpus };
	for (unsigned i = 0; i < t->nkinds; i++)
		k->scope[n++] =
			(struct scope){ SCOPE_KIND, i, t->kind[i].ncpus };
	k->scope[n++] = (struct scope){ SCOPE_ALL, 0, t->ncpus };
}

/* A row's values and why they are not there; quality bits from the caller. */
static inline void
fake_row(struct fake *k, unsigned scope, uint32_t quality)
{
	struct span *t = &k->span[scope];
	uint64_t instructions = t->instructions;
	unsigned ncpus = k->scope[scope].ncpus;
	double tick = (double)k->f.seq;
	bool gone =
		(quality & (QUALITY_OFF | QUALITY_STALE | QUALITY_IDLE)) != 0;
	enum value_state why = (quality & QUALITY_OFF) != 0     ? VALUE_OFF
			       : (quality & QUALITY_STALE) != 0 ? VALUE_STALE
								: VALUE_IDLE;

	bool counts = (quality & (QUALITY_OFF | QUALITY_STALE)) == 0 &&
		      !k->machine->busy_only;

	*t = span_make(counts ? ncpus : 0, 1,
		       (quality & QUALITY_OFF) != 0 ? NAN
		       : (quality & QUALITY_IDLE) != 0
			       ? 0
			       : 72 + 26 * fake_wave(scope + 5, tick));
	t->quality = quality;
	t->instructions = instructions;
	span_put_event(t, 0);
	t->cycles = gone ? 0 : (uint64_t)(span_busy_pct(t) * 3e7) * ncpus;
	for (unsigned m = 0; m < metric_count; m++) {
		size_t at = (size_t)scope * metric_count + m;
		double v = fake_metric(k, scope, m, tick);
		bool topdown = k->name[m] >= FAKE_USEFUL;

		k->value[at] = v;
		k->state[at] = VALUE_OK;
		if (k->machine->busy_only)
			k->state[at] = VALUE_UNSUPPORTED;
		else if (gone)
			k->state[at] = (uint8_t)why;
		else if (isnan(v) || topdown)
			k->state[at] = VALUE_NOT_COUNTED;
		if (k->state[at] != VALUE_OK)
			k->value[at] = NAN;
	}
}

static inline void
fake_now_open(struct fake *k)
{
	k->now = calloc((size_t)k->t->ncpus * FAKE_TICKS, sizeof *k->now);
	k->name = calloc(metric_count, sizeof *k->name);
	for (unsigned m = 0; m < metric_count; m++)
		for (unsigned i = 1; i < FAKE_NAMES; i++)
			if (strcmp(fake_names[i], metric_table[m].name) == 0)
				k->name[m] = (enum fake_name)i;
}

static inline void
fake_bottlenecks_open(struct fake *k)
{
	if (!bottlenecks_init(&k->bottlenecks, k->t,
			      k->machine->busy_only ? NULL : &fake_catalog,
			      k->f.nscopes, NULL))
		abort();
	k->f.bottleneck = k->bottlenecks.bottleneck;
}

/* The first line is of the row that loses most, but where a test has its own.
 */
static inline void
fake_headline(struct fake *k)
{
	struct bottleneck_loss worst = { .scope = k->f.nscopes };

	if (k->f.headline != NULL && k->f.headline != &k->headline)
		return;
	(void)bottleneck_losses(&k->f, true, &worst, 1);
	k->headline = (struct headline){ .scope = worst.scope, .by = -1 };
	if (worst.scope < k->f.nscopes)
		k->headline.is = k->f.bottleneck[worst.scope];
	k->f.headline = &k->headline;
}

/* After its rows have changed. */
static inline void
fake_judge(struct fake *k)
{
	uint64_t counted[METRIC_WORDS];

	memset(counted, 0xff, sizeof counted); /* what is no number was not */
	bottlenecks_restart(&k->bottlenecks);
	bottlenecks_take(&k->bottlenecks, &k->f, counted, k->value, k->state);
}

/* Frame number seq: everything in order but for core 3, which idles. */
static inline void
fake_tick(struct fake *k, uint64_t seq)
{
	struct frame *f = &k->f;

	f->seq = seq;
	f->stamp.wall_ns = (1764252202 + (int64_t)seq) * 1000000000;
	f->elapsed_s = (double)seq;
	f->interval_s = 1.0002;
	for (unsigned i = 0; i < f->nscopes; i++)
		fake_row(k, i, i == 3 && k->t->ncpus > 4 ? QUALITY_IDLE : 0);
	fake_judge(k);
}

static inline void
fake_open(struct fake *k, const char *name)
{
	struct ui_status *s = &k->status;

	memset(k, 0, sizeof *k);
	for (unsigned i = 0; i < sizeof fake_machine / sizeof *fake_machine;
	     i++)
		if (strcmp(fake_machine[i].name, name) == 0)
			k->machine = &fake_machine[i];
	fake_topology(k);
	fake_scopes(k);
	fake_now_open(k);
	k->span = calloc(k->f.nscopes, sizeof *k->span);
	k->value =
		calloc((size_t)k->f.nscopes * metric_count, sizeof *k->value);
	k->state = calloc((size_t)k->f.nscopes * metric_count, 1);
	memcpy(k->set.name, "basic", 6);
	k->set.len = k->machine->busy_only ? 0 : 8;
	for (unsigned i = 0; i < k->set.len; i++)
		k->set.slot[i] =
			(struct slot){ &fake_event[fake_order[i]], 2 + i };
	k->f.topology = k->t;
	k->f.set = &k->set;
	k->f.domain = k->machine->busy_only ? DOMAIN_NONE : DOMAIN_USER;
	k->f.scope = k->scope;
	k->f.span = k->span;
	k->f.value = k->value;
	k->f.state = k->state;
	k->f.nmetrics = metric_count;
	fake_bottlenecks_open(k);
	*s = (struct ui_status){
		.source = "kperf",
		.model = k->machine->model,
		.chip = "a14",
		.os = "macOS 26.1",
		.mode = k->machine->busy_only ? UI_MODE_BUSY : UI_MODE_FULL,
		.why = "",
		.why_code = k->machine->busy_only ? ERR_NO_PMU : ERR_NONE,
		.notice = "",
		.message = "",
		.period_ns = 1000000000,
		.preset = 0,
		.preset_possible = 0x1fff,
		.catalog = &fake_catalog,
		.own_cpu_pct = 0.3,
		.interrupts_per_read = k->t->ncpus
	};
	if (k->machine->busy_only) {
		s->why = "this virtual machine has no counters: run ktop on "
			 "the host, or try --sim m1";
		s->preset = -1;
		s->catalog = NULL;
	}
	fake_tick(k, 120);
}

static inline struct past
fake_past(const struct fake *k)
{
	return (struct past){
		(const void *)k, fake_values, fake_last, NULL, NULL, NULL
	};
}

static inline void
fake_close(struct fake *k)
{
	topology_free(k->t);
	free(k->scope);
	free(k->name);
	free(k->now);
	free(k->span);
	free(k->value);
	free(k->state);
	bottlenecks_done(&k->bottlenecks);
}

#endif
