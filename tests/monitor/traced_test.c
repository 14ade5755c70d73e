/* Metrics of processes by what a trace counts: as those of a core. */
#include "monitor/processes_kit.h"

#include <cmocka.h>

static void
open_traced(struct kit *k)
{
	memset(k, 0, sizeof *k);
	rig_open(&k->rig, "a14", "branch", false);
	assert_true(process_reading_init(&k->r, 8));
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

/* A process that had all that a core counted has that core's numbers. */
UNIT(as_a_core)
{
	unsigned known = 0;
	struct kit k;

	open_traced(&k);
	kit_tick(&k);
	const struct span *core = &k.f->span[2];
	struct process_counts c = { .pid = 7,
				    .cycles = core->cycles,
				    .instructions = core->instructions };

	memcpy(c.slot, core->slot, sizeof c.slot);
	for (unsigned i = 0; i < k.f->nmetrics; i++) {
		double v = frame_value(k.f, 2, i);
		bool few = true;

		if (!monitor_traces(k.rig.m, i)) {
			assert_true(
				isnan(monitor_traced(k.rig.m, &c, i, &few)));
			continue;
		}
		if (isnan(v))
			continue;
		assert_near(monitor_traced(k.rig.m, &c, i, &few), v, 1e-9);
		assert_false(few);
		known++;
	}
	assert_true(known >= 3);
	/* Of a slot that is left out nothing is said; of few events, that. */
	int metric = metric_find("branch_mpki");
	bool few = false;

	assert_true(metric >= 0 && monitor_traces(k.rig.m, (unsigned)metric));
	memset(c.slot, 0, sizeof c.slot);
	assert_true(isnan(monitor_traced(k.rig.m, &c, (unsigned)metric, &few)));
	for (unsigned i = 0; i < k.rig.set.len; i++)
		c.slot[i] = 1000;
	assert_true(monitor_traced(k.rig.m, &c, (unsigned)metric, &few) > 0);
	assert_true(few);
	kit_close(&k);
}

/* Its word is that of a core which did the same all the time. */
UNIT(word_of_a_core)
{
	struct kit k;

	memset(&k, 0, sizeof k);
	rig_open(&k.rig, "a14", "branch", false);
	assert_true(process_reading_init(&k.r, 8));
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
			monitor_traced_word(k.rig.m, &c,
					    k.f->topology->cpu[i].kind),
			k.f->verdict[i].word);
		assert_true(i != 2 || k.f->verdict[i].word == VERDICT_BRANCHES);
		c.cycles = 1000;
		assert_int_equal(monitor_traced_word(k.rig.m, &c, 0),
				 VERDICT_UNKNOWN);
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
	struct process_counts c = { .cycles = 1000000000,
				    .instructions = 1000000000 };
	bool few;

	for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
		if (metric_find(none[i]) >= 0)
			assert_false(monitor_traces(
				k.rig.m, (unsigned)metric_find(none[i])));
	for (unsigned i = 0; i < k.f->nmetrics; i++)
		assert_true(isnan(monitor_traced(k.rig.m, &c, i, &few)));
	kit_close(&k);
}
