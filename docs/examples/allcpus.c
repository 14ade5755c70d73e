/*
 * Reads every CPU for five seconds, a line each a second. As root:
 *	cc allcpus.c -o allcpus -lkperf-sampler && sudo ./allcpus
 * Two arguments are the paths of other frameworks; a third the seconds.
 */
#include <kperf-sampler/sampler.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 4

static const char *const events[N] = { "FixedCycles", "FixedInstructions",
				       "InstAll", "BranchMispredNonspec" };

struct reading {
	uint64_t *values; /* [cpu * N + event] */
	bool *delivered;
};

static bool
allocate(struct reading *r, unsigned cpus)
{
	r->values = calloc(cpus, N * sizeof(*r->values));
	r->delivered = calloc(cpus, sizeof(*r->delivered));
	return r->values != NULL && r->delivered != NULL;
}

static void
print(const struct reading *was, const struct reading *now, unsigned cpus)
{
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		uint64_t d[N];

		if (!was->delivered[cpu] || !now->delivered[cpu])
			continue; /* powered down */
		for (unsigned i = 0; i < N; i++)
			d[i] = now->values[cpu * N + i] -
			       was->values[cpu * N + i];
		/* Misses by INST_ALL: both count user mode since macOS 15. */
		printf("cpu%-3u %8.3f Gcycles  IPC %5.2f  %6.2f branch misses "
		       "per 1000\n",
		       cpu, (double)d[0] / 1e9,
		       d[0] > 0 ? (double)d[1] / (double)d[0] : 0.0,
		       d[2] > 0 ? 1000.0 * (double)d[3] / (double)d[2] : 0.0);
	}
}

static bool
watch(struct kps_cpus *c, int seconds, struct kps_error *e)
{
	unsigned cpus = kps_cpus_count(c);
	struct reading r[2] = { { NULL, NULL }, { NULL, NULL } };
	bool ok = allocate(&r[0], cpus) && allocate(&r[1], cpus) &&
		  kps_cpus_start(c, e) &&
		  kps_cpus_sample(c, r[0].values, r[0].delivered, e);

	for (int i = 1; ok && i <= seconds; i++) {
		struct reading *now = &r[i % 2], *was = &r[(i + 1) % 2];

		sleep(1);
		ok = kps_cpus_sample(c, now->values, now->delivered, e);
		if (!ok)
			break;
		printf("second %d\n", i);
		print(was, now, cpus);
	}
	for (int i = 0; i < 2; i++) {
		free(r[i].values);
		free(r[i].delivered);
	}
	return ok && kps_cpus_stop(c, e);
}

int
main(int argc, char **argv)
{
	struct kps_options o = { 0 };
	struct kps_error e = { KPS_OUT_OF_MEMORY, 0, 0, NULL, "out of memory" };
	struct kps_sampler *s;
	struct kps_cpus *c = NULL;
	bool ok;

	if (argc >= 3) {
		o.kperf_path = argv[1];
		o.kperfdata_path = argv[2];
	}
	s = kps_sampler_new(&o, &e);
	if (s != NULL)
		c = kps_cpus_new(s, events, N, &e);
	ok = c != NULL &&
	     watch(c, argc == 4 ? (int)strtol(argv[3], NULL, 10) : 5, &e);
	if (!ok)
		fprintf(stderr, "allcpus: %s\n", e.text);
	kps_cpus_free(c);
	kps_sampler_free(s);
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
