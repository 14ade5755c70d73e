/*
 * Events per process: the five processes with the most cycles of each second, for five
 * seconds, with events of theirs that nothing else tells. As root:
 *	cc processes.c -o processes -lkperf-sampler && sudo ./processes
 * Two arguments are the paths of other frameworks; a third the seconds.
 */
#include <kperf-sampler/sampler.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define N 4
#define TOP 5

static const char *const events[N] = { "FixedCycles", "FixedInstructions",
				       "InstAll", "BranchMispredNonspec" };

/* The i-th largest by cycles of this reading; false: there are fewer. */
static bool
largest(const struct kps_processes *p, unsigned i, uint64_t below,
	struct kps_sampled *out)
{
	struct kps_sampled row;
	bool any = false;

	for (unsigned j = 0; kps_processes_process(p, j, &row); j++) {
		if ((i > 0 && row.values[0] >= below) || row.values[0] == 0 ||
		    (any && row.values[0] <= out->values[0]))
			continue;
		*out = row;
		any = true;
	}
	return any;
}

static void
print(const struct kps_processes *p)
{
	struct kps_sampled row;
	uint64_t below = 0;

	for (unsigned i = 0; i < TOP && largest(p, i, below, &row); i++) {
		const uint64_t *v = row.values;

		below = v[0];
		/* Misses by INST_ALL: both count user mode since macOS 15. */
		printf("%6d %8.3f Gcycles  IPC %5.2f  %6.2f branch misses "
		       "per 1000\n",
		       row.pid, (double)v[0] / 1e9, (double)v[1] / (double)v[0],
		       v[2] > 0 ? 1000.0 * (double)v[3] / (double)v[2] : 0.0);
	}
}

/* What is not in the rows is said, and never made up for. */
static void
print_quality(const struct kps_processes *p)
{
	struct kps_processes_quality q;

	kps_processes_quality(p, &q);
	printf("attributed %.1f %% of all cycles, %llu gaps, %llu rejected\n",
	       q.machine[0] > 0
		       ? 100.0 * (double)q.attributed[0] / (double)q.machine[0]
		       : 0.0,
	       (unsigned long long)q.gaps, (unsigned long long)q.rejected);
}

static bool
watch(struct kps_processes *p, int seconds, struct kps_error *e)
{
	if (!kps_processes_start(p, e))
		return false;
	for (int i = 0; i < seconds; i++) {
		(void)sleep(1);
		if (!kps_processes_read(p, e))
			return false;
		print(p);
		print_quality(p);
	}
	return kps_processes_stop(p, e);
}

int
main(int argc, char **argv)
{
	struct kps_options o = { 0 };
	struct kps_error e;
	struct kps_sampler *s;
	struct kps_processes *p = NULL;
	bool ok;

	if (argc > 2) {
		o.kperf_path = argv[1];
		o.kperfdata_path = argv[2];
	}
	s = kps_sampler_new(&o, &e);
	if (s != NULL)
		p = kps_processes_new(s, events, N, NULL, &e);
	ok = p != NULL && watch(p, argc > 3 ? atoi(argv[3]) : 5, &e);
	if (!ok)
		fprintf(stderr, "processes: %s\n", e.text);
	kps_processes_free(p);
	kps_sampler_free(s);
	return ok ? 0 : 1;
}
