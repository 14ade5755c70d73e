/*
 * Measures a function in the current thread. As root:
 *	cc measure.c -o measure -lkperf-sampler && sudo ./measure
 * Two arguments are the paths of other frameworks, as the simulated ones.
 */
#include <kperf-sampler/sampler.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define N 4

static const char *const events[N] = {
	"FixedInstructions",
	"FixedCycles",
	"BranchMispredNonspec",
	"L1DCacheMissLdNonspec",
};

static volatile uint64_t sink;

/* Sums a table in an order that neither cache nor predictor likes. */
static void
work(void)
{
	enum { LEN = 1 << 20 };
	static uint32_t table[LEN];
	uint32_t x = 1;
	uint64_t sum = 0;

	for (unsigned i = 0; i < LEN; i++) {
		x = x * 1664525u + 1013904223u;
		table[x % LEN] += x;
		if (x & 1u << 20)
			sum += table[(x >> 7) % LEN];
	}
	sink = sum;
}

int
main(int argc, char **argv)
{
	struct kps_options o = { 0 };
	struct kps_error e;
	struct kps_sampler *s;
	struct kps_thread *t = NULL;
	uint64_t before[N], after[N];
	int ok;

	if (argc == 3) {
		o.kperf_path = argv[1];
		o.kperfdata_path = argv[2];
	}
	s = kps_sampler_new(&o, &e);
	if (s != NULL)
		t = kps_thread_new(s, events, N, &e);
	ok = t != NULL && kps_thread_start(t, &e) &&
	     kps_thread_sample(t, before, &e);
	if (ok) {
		work();
		ok = kps_thread_sample(t, after, &e) && kps_thread_stop(t, &e);
	}
	if (!ok)
		fprintf(stderr, "measure: %s\n", e.text);
	for (unsigned i = 0; ok && i < N; i++)
		printf("%-28s %12" PRIu64 "\n", kps_thread_event(t, i)->name,
		       after[i] - before[i]);
	kps_thread_free(t);
	kps_sampler_free(s);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
