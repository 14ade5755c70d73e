/* A made-up machine of two clusters and frames on it, for tests of outputs. */
#ifndef TESTS_OUT_FRAMES_H
#define TESTS_OUT_FRAMES_H

#include "model/frame.h"
#include "out/sink.h"
#include "model/spans.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAMES_CPUS = 8, FRAMES_SCOPES = 8 + 2 + 2 + 1 };

struct frames {
	struct topology *topology;
	struct event event[3];
	struct eventset set;
	struct scope scope[FRAMES_SCOPES];
	struct span span[FRAMES_SCOPES];
	double value[FRAMES_SCOPES * METRIC_MAX];
	uint8_t state[FRAMES_SCOPES * METRIC_MAX];
	const struct metric *metric[METRIC_MAX];
	struct sink_about about;
	struct frame frame;
};

static void
make_topology(struct frames *f)
{
	struct topology *t = topology_new(2, 2, FRAMES_CPUS, NULL);

	for (unsigned i = 0; i < FRAMES_CPUS; i++)
		t->cpu[i] = (struct topology_cpu){ .id = (int)i,
						   .kind = i < 4 ? 1 : 0,
						   .cluster = i < 4 ? 0 : 1,
						   .core = i,
						   .die = 0,
						   .package = -1 };
	(void)snprintf(t->kind[0].name, sizeof t->kind[0].name, "Performance");
	(void)snprintf(t->kind[0].letter, sizeof t->kind[0].letter, "P");
	(void)snprintf(t->kind[1].name, sizeof t->kind[1].name, "Efficiency");
	(void)snprintf(t->kind[1].letter, sizeof t->kind[1].letter, "E");
	t->cluster[0].kind = 1;
	t->cluster[0].die = t->cluster[0].package = -1;
	t->cluster[1].die = t->cluster[1].package = -1;
	topology_finish(t);
	f->topology = t;
}

static void
make_scopes(struct frames *f)
{
	for (unsigned i = 0; i < FRAMES_SCOPES; i++) {
		struct scope *s = &f->scope[i];

		s->level = i < 8    ? SCOPE_CORE
			   : i < 10 ? SCOPE_CLUSTER
			   : i < 12 ? SCOPE_KIND
				    : SCOPE_ALL;
		s->index = i < 8 ? i : i < 10 ? i - 8 : i < 12 ? i - 10 : 0;
		s->ncpus = i < 8 ? 1 : i < 12 ? 4 : 8;
	}
}

static void
make_counts(struct frames *f)
{
	int ipc = metric_find("ipc");

	for (unsigned i = 0; i < FRAMES_SCOPES; i++) {
		uint64_t n = f->scope[i].ncpus;

		struct span *s = &f->span[i];

		*s = span_make((unsigned)n, 1.0, 12.5);
		s->cycles = s->pair_cycles = n * 2000000000u;
		s->instructions = s->pair_instructions = n * 3000000000u;
		s->have_all =
			1u << TERM_SLOT_CYCLES | 1u << TERM_SLOT_INSTRUCTIONS;
		span_put_event(s, 1.0);
		span_put_slot(s, 0, true, n * 1990000000u);
		span_put_slot(s, 1, true, n * 2980000000u);
		span_put_slot(s, 2, true, n * 7u);
		for (unsigned m = 0; m < metric_count; m++) {
			f->value[i * metric_count + m] = NAN;
			f->state[i * metric_count + m] = VALUE_NOT_COUNTED;
		}
		if (ipc >= 0) {
			f->value[i * metric_count + (unsigned)ipc] = 1.5;
			f->state[i * metric_count + (unsigned)ipc] = VALUE_OK;
		}
	}
}

static void
make_set(struct frames *f)
{
	static const char *const names[] = { "CORE_ACTIVE_CYCLE", "INST_ALL",
					     "L1D_TLB_MISS" };

	(void)snprintf(f->set.name, sizeof f->set.name, "basic");
	f->set.len = 3;
	for (unsigned i = 0; i < 3; i++) {
		f->event[i].name = names[i];
		f->set.slot[i].event = &f->event[i];
	}
}

/* Frame 0: every core 2000000000 cycles, 3000000000 instructions in 1 s. */
static struct frames *
frames_new(void)
{
	struct frames *f = calloc(1, sizeof *f);

	if (f == NULL)
		return NULL;
	make_topology(f);
	make_scopes(f);
	make_counts(f);
	make_set(f);
	for (unsigned m = 0; m < metric_count; m++)
		f->metric[m] = &metric_table[m];
	f->about = (struct sink_about){ .source = "sim",
					.model = "Apple M1",
					.chip = "a14",
					.os = "macOS 26",
					.simulated = true,
					.topology = f->topology,
					.metric = f->metric,
					.nmetrics = metric_count,
					.run_id = 0x1234,
					.rows = 1u << SCOPE_CORE };
	f->frame = (struct frame){ /* 2026-11-20T14:03:22.118Z */
				   .stamp = { 0, 0, 1795183402118000000 },
				   .elapsed_s = 1.5,
				   .interval_s = 1.0,
				   .domain = DOMAIN_USER,
				   .topology = f->topology,
				   .set = &f->set,
				   .nscopes = FRAMES_SCOPES,
				   .nmetrics = metric_count,
				   .scope = f->scope,
				   .span = f->span,
				   .value = f->value,
				   .state = f->state
	};
	return f;
}

static void
frames_free(struct frames *f)
{
	topology_free(f->topology);
	free(f);
}

#endif
