/* Metrics of processes by what a trace counts: as those of a core. */
#include "monitor/processes_kit.h"

#include <cmocka.h>

static void
open_traced(struct kit *k)
{
	memset(k, 0, sizeof *k);
	rig_open(&k->rig, "a14", "branch", false);
	assert_true(process_reading_init(&k->r, 8));
	(void)kit_add(k, 7, -5);
	k->r.domain = DOMAIN_ALL;
	k->r.traced.state = PROCESS_TRACING_ON;
	k->r.traced.slots = (1u << k->rig.set.len) - 1;
	kit_tick(k);
	rig_work(&k->rig);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned j = 0; j < k->rig.set.len; j++)
			k->rig.s->cpu[i].slot[j].count +=
				UINT64_C(1000000) * (j + 1) * (i + 1);
}

/* The table of the last frame, with what the reading has now. */
static void
read_again(struct kit *k)
{
	static struct processes *p;

	processes_free(p);
	p = processes_new(k->rig.t, false, NULL);
	assert_non_null(p);
	k->t = processes_feed(p, &k->r, k->f);
	assert_non_null(k->t);
}

/* The events of process 7 in the last frame, which counted c. */
static const struct span *
events_of(struct kit *k, const struct process_counts *c)
{
	k->r.traced.row[0] = *c;
	k->r.traced.row[0].pid = 7;
	k->r.traced.n = 1;
	read_again(k);
	assert_non_null(kit_row(k, 7)->events);
	return kit_row(k, 7)->events;
}

/* A process that had all that a core counted has that core's numbers. */
UNIT(as_a_core)
{
	unsigned known = 0;
	struct kit k;

	open_traced(&k);
	kit_tick(&k);
	const struct span *core = &k.f->span[2];
	struct process_counts c = { .cycles = core->cycles,
				    .instructions = core->instructions };

	memcpy(c.slot, core->slot, sizeof c.slot);
	const struct span *of = events_of(&k, &c);

	for (unsigned i = 0; i < k.f->nmetrics; i++) {
		double v = frame_value(k.f, 2, i);
		bool few = true;

		if (!monitor_traces(k.rig.m, i)) {
			assert_true(
				isnan(monitor_traced(k.rig.m, of, i, &few)));
			continue;
		}
		if (isnan(v))
			continue;
		assert_near(monitor_traced(k.rig.m, of, i, &few), v, 1e-9);
		assert_false(few);
		known++;
	}
	assert_true(known >= 3);
	/* Of a slot that is left out nothing is said; of few events, that. */
	int metric = metric_find("branch_mpki");
	bool few = false;

	assert_true(metric >= 0 && monitor_traces(k.rig.m, (unsigned)metric));
	memset(c.slot, 0, sizeof c.slot);
	of = events_of(&k, &c);
	assert_true(isnan(monitor_traced(k.rig.m, of, (unsigned)metric, &few)));
	for (unsigned i = 0; i < k.rig.set.len; i++)
		c.slot[i] = 1000;
	of = events_of(&k, &c);
	assert_true(monitor_traced(k.rig.m, of, (unsigned)metric, &few) > 0);
	assert_true(few);
	kit_close(&k);
}

/* Its word is that of a core which did the same all the time. */
UNIT(word_of_a_core)
{
	struct kit k;

	memset(&k, 0, sizeof k);
	rig_open(&k.rig, "a14", "basic", false);
	assert_true(process_reading_init(&k.r, 8));
	(void)kit_add(&k, 7, -5);
	k.r.domain = DOMAIN_ALL;
	k.r.traced.state = PROCESS_TRACING_ON;
	k.r.traced.slots = (1u << k.rig.set.len) - 1;
	kit_tick(&k);
	for (unsigned n = 0; n < 5; n++) {
		rig_work(&k.rig);
		for (unsigned i = 0; i < RIG_CPUS; i++) {
			rig_count(&k.rig, i, "INST_ALL", 3000000000);
			rig_count(&k.rig, i, "CORE_ACTIVE_CYCLE", 2000000000);
			rig_count(&k.rig, i, "BRANCH_MISPRED_NONSPEC",
				  i == 2 ? 120000000 : 300000);
			rig_count(&k.rig, i, "MAP_STALL", 200000000);
			rig_count(&k.rig, i, "MAP_DISPATCH_BUBBLE", 100000000);
			rig_count(&k.rig, i, "MAP_REWIND", 600000000);
		}
		kit_tick(&k);
	}
	for (unsigned i = 2; i < RIG_CPUS; i++) {
		const struct span *core = &k.f->span[i];
		struct process_counts c = { .cycles = core->cycles,
					    .instructions =
						    core->instructions };

		memcpy(c.slot, core->slot, sizeof c.slot);
		assert_int_equal(
			monitor_traced_word(k.rig.m, events_of(&k, &c),
					    k.f->topology->cpu[i].kind),
			k.f->bottleneck[i].word);
		assert_true(i != 2 ||
			    k.f->bottleneck[i].word == BOTTLENECK_BAD_SPEC);
		c.cycles = 1000;
		assert_int_equal(
			monitor_traced_word(k.rig.m, events_of(&k, &c), 0),
			BOTTLENECK_UNKNOWN);
	}
	kit_close(&k);
}

/* Rates and times are the machine's; what is not counted is nobody's. */
UNIT(not_of_processes)
{
	static const char *const none[] = { "ghz", "gips", "busy_pct", "ipc" };
	struct kit k;

	open_traced(&k);
	k.r.traced.slots = 0;
	kit_tick(&k);
	const struct process_counts c = { .pid = 7,
					  .cycles = 1000000000,
					  .instructions = 1000000000 };

	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		if (metric_find(none[i]) >= 0)
			assert_false(monitor_traces(
				k.rig.m, (unsigned)metric_find(none[i])));
	k.r.traced.row[0] = c;
	k.r.traced.n = 1;
	read_again(&k);
	assert_null(kit_row(&k, 7)->events);
	kit_close(&k);
}

/*
 * What the cores counted less all rows; what came late makes it less than
 * nothing: then it is not known. Who had no cycles was not seen.
 */
UNIT(of_the_rest)
{
	const uint32_t fixed = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
	struct kit k;

	open_traced(&k);
	(void)kit_add(&k, 8, -5);
	(void)kit_add(&k, 9, -5);
	kit_tick(&k);
	const struct span *all = &k.f->span[frame_scope_all(k.f)];

	for (unsigned late = 0; late < 2; late++) {
		for (unsigned i = 0; i < 3; i++)
			k.r.traced.row[i] = (struct process_counts){
				.pid = 7 + (int)i,
				.cycles = i == 2 ? 0 : 5000000,
				.instructions = 3000000,
				.slot = { all->slot[0] / 3 +
						  (late ? i * all->slot[0] : 0),
					  9 },
			};
		k.r.traced.n = 3;
		k.r.traced.slots = 1;
		read_again(&k);
		const struct span *rest = k.t->rest.events;

		assert_null(kit_row(&k, 9)->events);
		assert_non_null(rest);
		assert_true(span_has(rest, fixed));
		assert_int_equal(rest->cycles, all->cycles - 10000000);
		assert_int_equal(rest->instructions,
				 all->instructions - 6000000);
		assert_int_equal(span_has_slot(rest, 0), late == 0);
		assert_false(span_has_slot(rest, 1));
		if (late == 0)
			assert_int_equal(rest->slot[0],
					 all->slot[0] - 2 * (all->slot[0] / 3));
	}
	k.r.traced.n = 0;
	read_again(&k);
	assert_null(k.t->rest.events);
	kit_close(&k);
}

/* What threads that ended had of them nobody knows. */
UNIT(not_of_ended_threads)
{
	struct kit k;

	open_traced(&k);
	struct process_read *whole = kit_find(&k, 7);

	for (unsigned i = 0; i < 2; i++) {
		k.r.thread[i] = *whole;
		k.r.thread[i].thread = 900 + i;
	}
	k.r.nthreads = 2;
	kit_tick(&k);
	k.r.nthreads = 1;
	kit_second(&k);
	kit_run(&k, whole, 0, 9 * M, 9 * M);
	kit_work(&k.r.thread[0], 0, 5 * M, 5 * M);
	k.r.traced.row[0] = k.r.traced.thread[0] =
		(struct process_counts){ .pid = 7, .cycles = 9 * M };
	k.r.traced.thread[0].thread = 900;
	k.r.traced.n = k.r.traced.nthreads = 1;
	kit_tick(&k);
	assert_int_equal(k.t->nthreads, 3);
	assert_non_null(kit_row(&k, 7)->events);
	assert_non_null(k.t->thread[0].events);
	assert_null(k.t->thread[1].events);
	assert_string_equal(k.t->thread[2].name, "(ended threads)");
	assert_null(k.t->thread[2].events);
	kit_close(&k);
}
