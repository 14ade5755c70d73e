/* A small machine for monitor tests: CPUs 0,1 are E, 2,3 are P; widths 4, 8. */
#ifndef TESTS_MODEL_RIG_H
#define TESTS_MODEL_RIG_H

#include "monitor/monitor.h"

#include "model/events_tsv.h"

#include <math.h>
#include <string.h>

enum {
	RIG_CPUS = 4,
	RIG_E = 4,
	RIG_P = 5,
	RIG_KIND_P = 6,
	RIG_KIND_E = 7,
	RIG_ALL = 8
};

struct rig {
	struct topology *t;
	struct tsv_catalog *events;
	struct eventset set;
	struct sample *s;
	struct monitor *m;
};

static inline void
rig_set(struct rig *r, const char *preset)
{
	struct err e;

	if (!preset_derive(&preset_table[preset_find(preset)],
			   &r->events->catalog, DOMAIN_USER, &r->set, &e))
		abort();
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < EVENTSET_MAX; k++)
			r->s->cpu[i].slot[k].supported = k < r->set.len;
}

static inline struct topology *
rig_topology(void)
{
	struct topology *t = topology_new(2, 2, RIG_CPUS, NULL);

	strcpy(t->kind[0].name, "Performance");
	strcpy(t->kind[0].letter, "P");
	strcpy(t->kind[1].name, "Efficiency");
	strcpy(t->kind[1].letter, "E");
	t->kind[0].width = 8;
	t->kind[1].width = 4;
	t->kind[0].width_certain = t->kind[1].width_certain = true;
	for (unsigned i = 0; i < RIG_CPUS; i++)
		t->cpu[i] = (struct topology_cpu){
			.id = (int)i, .core = i, .kind = i < 2, .cluster = i / 2
		};
	topology_finish(t);
	return t;
}

/* preset NULL: IPC mode. */
static inline void
rig_open(struct rig *r, const char *db, const char *preset, bool stale)
{
	struct err e;

	memset(r, 0, sizeof *r);
	r->t = rig_topology();
	r->events = tsv_load(db, TSV_ANY);
	r->s = sample_new(RIG_CPUS, &e);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < FIXED_COUNT; k++) {
			r->s->cpu[i].fixed[k].supported = true;
			r->s->cpu[i].fixed[k].count = 1000000000 * (i + 1);
		}
	if (preset != NULL)
		rig_set(r, preset);
	r->s->set = &r->set;
	r->s->domain = preset != NULL ? DOMAIN_USER : DOMAIN_NONE;
	r->m = monitor_new(
		r->t,
		&(struct monitor_options){ .period_ns = 1000000000,
					   .catalog = &r->events->catalog,
					   .rows_may_be_stale = stale },
		&e);
	if (r->m == NULL || monitor_feed(r->m, r->s) != NULL)
		abort();
}

static inline void
rig_close(struct rig *r)
{
	monitor_free(r->m);
	sample_free(r->s);
	topology_free(r->t);
	free(r->events);
}

static inline void
rig_pass(struct rig *r, int64_t awake_ms, int64_t asleep_ms)
{
	r->s->stamp.awake_ns += awake_ms * 1000000;
	r->s->stamp.elapsed_ns += (awake_ms + asleep_ms) * 1000000;
	r->s->stamp.wall_ns += (awake_ms + asleep_ms) * 1000000;
}

static inline void
rig_run(struct rig *r, unsigned cpu, uint64_t cycles, uint64_t instructions)
{
	r->s->cpu[cpu].fixed[FIXED_CYCLES].count += cycles;
	r->s->cpu[cpu].fixed[FIXED_INSTRUCTIONS].count += instructions;
}

static inline unsigned
rig_slot(const struct rig *r, const char *event)
{
	for (unsigned i = 0; i < r->set.len; i++)
		if (strcmp(r->set.slot[i].event->name, event) == 0)
			return i;
	abort();
}

static inline void
rig_count(struct rig *r, unsigned cpu, const char *event, uint64_t n)
{
	r->s->cpu[cpu].slot[rig_slot(r, event)].count += n;
}

/* A second of ordinary work on every CPU, and the frame it makes. */
static inline void
rig_work(struct rig *r)
{
	rig_pass(r, 1000, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		rig_run(r, i, 2000000000, 3000000000);
}

static inline const struct frame *
rig_feed(struct rig *r)
{
	return monitor_feed(r->m, r->s);
}

static inline double
rig_value(const struct frame *f, unsigned scope, const char *metric)
{
	return frame_value(f, scope, (unsigned)metric_find(metric));
}

static inline enum value_state
rig_state(const struct frame *f, unsigned scope, const char *metric)
{
	return frame_state(f, scope, (unsigned)metric_find(metric));
}

#endif
