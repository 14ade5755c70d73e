/*
 * libkperf-sampler: samplers made, started, stopped, released and freed in any
 * order; whoever runs counts exactly, and at the end all is as before.
 */
#include "sim/sampler_mac.h"

enum { SAMPLERS = 3, COUNTERS = 8, STEPS = 4000 };

/* INST_ALL counts what the fixed counter counts: a thread in user mode. */
static const char *const sets[][3] = {
	{ "INST_ALL", "Instructions", "Cycles" },
	{ "Cycles", "CORE_ACTIVE_CYCLE", "Instructions" },
	{ "INST_BRANCH", "Instructions", "BRANCH_MISPRED_NONSPEC" },
	{ "L1D_TLB_MISS", "MAP_STALL", "CORE_ACTIVE_CYCLE" },
	{ "INST_INT_LD", "INST_BRANCH_TAKEN", "INST_BRANCH" },
	{ "INST_LDST", "Instructions", "L1D_CACHE_MISS_LD" },
};

static struct kps_sampler *sampler[SAMPLERS];
static struct {
	struct kps_thread *thread;
	unsigned owner, set;
	uint64_t last[3];
	int64_t at_ns;
} counter[COUNTERS];

static uint64_t seed;
static unsigned counted, conflicts;

static unsigned
draw(unsigned below)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((seed >> 33) % below);
}

/* Per 1000 instructions or cycles; docs/SIMULATION.md has the rates. */
static void
check_counts(unsigned i)
{
	uint64_t now[3], d[3];
	unsigned set = counter[i].set;

	thread_read(counter[i].thread, now);
	for (unsigned j = 0; j < 3; j++) {
		assert_true(now[j] >= counter[i].last[j]);
		d[j] = now[j] - counter[i].last[j];
	}
	if (set == 0)
		assert_in_range(d[0], d[1] > 0 ? d[1] - 1 : 0, d[1] + 1);
	if (set == 1)
		assert_in_range(d[1], d[0] > 0 ? d[0] - 1 : 0, d[0] + 1);
	if (set == 2 && d[1] > 100000)
		assert_in_range(d[0] * 1000 / d[1], 129, 131);
	memcpy(counter[i].last, now, sizeof(now));
	counter[i].at_ns = now_ns();
	counted++;
}

static void
start_one(unsigned i)
{
	bool ran = kps_thread_running(counter[i].thread);
	struct kps_error e;

	if (kps_thread_start(counter[i].thread, &e)) {
		if (!ran)
			thread_read(counter[i].thread, counter[i].last);
		return;
	}
	conflicts += e.code == KPS_CONFLICT;
	assert_true(e.code == KPS_CONFLICT || e.code == KPS_RELEASED);
}

static void
make_or_drop(unsigned i)
{
	unsigned owner = draw(SAMPLERS);

	if (counter[i].thread != NULL) {
		kps_thread_free(counter[i].thread);
		counter[i].thread = NULL;
	} else if (sampler[owner] != NULL) {
		counter[i].set = draw(LEN(sets));
		counter[i].owner = owner;
		counter[i].thread =
			thread_new(sampler[owner], sets[counter[i].set], 3);
	}
}

static void
act(void)
{
	unsigned i = draw(COUNTERS), s = draw(SAMPLERS), what = draw(20);

	if (what == 0 && sampler[s] != NULL) {
		kps_sampler_free(sampler[s]);
		sampler[s] = NULL;
	} else if (what <= 2 && sampler[s] == NULL) {
		sampler[s] = sampler_new();
	} else if (what == 3 && sampler[s] != NULL) {
		assert_true(kps_sampler_release(sampler[s], NULL));
	} else if (what <= 6 && sampler[s] != NULL) {
		assert_true(kps_sampler_acquire(sampler[s], NULL));
	} else if (what <= 9) {
		make_or_drop(i);
	} else if (counter[i].thread != NULL && what <= 15) {
		start_one(i);
	} else if (counter[i].thread != NULL && what <= 17) {
		assert_true(kps_thread_stop(counter[i].thread, NULL));
	} else {
		step_ns(1000 * (1 + draw(400)));
	}
	for (unsigned n = 0; n < COUNTERS; n++)
		if (counter[n].thread != NULL &&
		    kps_thread_running(counter[n].thread))
			check_counts(n);
}

static void
any_order(const char *spec, uint32_t counting, uint64_t number)
{
	struct machine_state before;

	boot(spec);
	if (number != 0)
		leave_traces(counting, counting, number);
	look(&before);
	for (unsigned n = 0; n < STEPS; n++) {
		bool held = false;

		act();
		for (unsigned s = 0; s < SAMPLERS; s++)
			held |= sampler[s] != NULL;
		if (!held)
			assert_as_before(&before);
	}
	for (unsigned i = 0; i < COUNTERS; i++) {
		kps_thread_free(counter[i].thread);
		counter[i].thread = NULL;
	}
	for (unsigned s = 0; s < SAMPLERS; s++) {
		kps_sampler_free(sampler[s]);
		sampler[s] = NULL;
	}
	assert_as_before(&before);
	sim_stop();
}

UNIT(in_any_order)
{
	for (seed = 1; seed < 9; seed++) {
		uint64_t keep = seed;

		any_order("m1,clock=step", 0, 0);
		any_order("m2max,clock=step,os=15.5", 3, 0x8c);
		any_order("m1max,clock=step,os=14.5,lib=errno", 1, 0x02);
		seed = keep;
	}
	printf("  %u readings, %u conflicts\n", counted, conflicts);
	assert_true(counted > 10000);
	assert_true(conflicts > 50);
}
