#include "kperf/inside.h"
#include "kperf/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct kps_thread {
	struct kps_group group;
};

struct kps_cpus {
	struct kps_group group;
	unsigned cpus;
	uint64_t *row;
	uint64_t (*last)[2]; /* fixed counters of the last reading */
};

/* clang-format off */
#define STOP(which) \
bool \
which##_stop(struct which *it, struct kps_error *e) \
{ \
	return kps_group_stop(&it->group, e); \
}

KPS_LIFE(kps_thread)
KPS_LIFE(kps_cpus)
STOP(kps_thread)
STOP(kps_cpus)
KPS_GET(unsigned, kps_cpus_count, kps_cpus, it->cpus)
/* clang-format on */

struct kps_thread *
kps_thread_new(struct kps_sampler *s, const char *const *names, unsigned n,
	       struct kps_error *e)
{
	struct kps_thread *t = kps_new(sizeof *t, "a thread sampler", e);

	if (t == NULL)
		return NULL;
	t->group.threads = t->group.bound = true;
	if (kps_group_init(&t->group, s, names, n, e))
		return t;
	free(t);
	return NULL;
}

void
kps_thread_free(struct kps_thread *t)
{
	if (t == NULL)
		return;
	kps_group_done(&t->group);
	free(t);
}

bool
kps_thread_start(struct kps_thread *t, struct kps_error *e)
{
	return kps_group_start(&t->group, e);
}

bool
kps_thread_sample(struct kps_thread *t, uint64_t *values, struct kps_error *e)
{
	uint64_t row[KPC_MAX_COUNTERS];
	struct kps_group *g = &t->group;

	if (!kps_group_ready(g, e))
		return false;
	errno = 0;
	int rc = g->sampler->kperf.kpc_get_thread_counters(0, KPC_MAX_COUNTERS,
							   row);
	if (rc != 0)
		return kps_fail_errno(e, "kpc_get_thread_counters",
				      kperf_result_errno(rc),
				      KPS_READ_COUNTERS);
	for (unsigned i = 0; i < g->n; i++)
		values[i] = row[g->column[i]];
	return true;
}

static void
destroy_cpus(struct kps_cpus *c)
{
	if (c == NULL)
		return;
	free(c->row);
	free(c->last);
	free(c);
}

struct kps_cpus *
kps_cpus_new(struct kps_sampler *s, const char *const *names, unsigned n,
	     struct kps_error *e)
{
	struct kps_cpus *c;

	if (s->cpus == 0) {
		kps_fail(
			e, KPS_USAGE, NULL,
			"the number of CPUs of a reading is unknown; set it in the options");
		return NULL;
	}
	c = calloc(1, sizeof *c);
	if (c != NULL) {
		c->cpus = s->cpus;
		c->row = calloc((size_t)c->cpus + 1,
				KPC_MAX_COUNTERS * sizeof *c->row);
		c->last = calloc(c->cpus, sizeof *c->last);
	}
	if (c == NULL || c->row == NULL || c->last == NULL)
		kps_fail_memory(e, "a CPU sampler");
	else if (kps_group_init(&c->group, s, names, n, e))
		return c;
	destroy_cpus(c);
	return NULL;
}

void
kps_cpus_free(struct kps_cpus *c)
{
	if (c == NULL)
		return;
	kps_group_done(&c->group);
	destroy_cpus(c);
}

/* True: the CPU answered. The row of an off CPU is unwritten or stale; only a
 * new value shows that the CPU ran the interrupt (xnu kern_kpc.c). */
static bool
row_fresh(struct kps_cpus *c, unsigned cpu)
{
	const uint64_t *row = &c->row[(size_t)cpu * c->group.stride];
	uint64_t *last = c->last[cpu];

	if (!kperf_row_written(row, 0, 1) ||
	    (row[0] == last[0] && row[1] == last[1]))
		return false;
	memcpy(last, row, sizeof c->last[0]);
	return true;
}

static bool
read_cpu_rows(struct kps_cpus *c, struct kps_error *e)
{
	const struct kps_group *g = &c->group;
	const struct kperf_api *k = &g->sampler->kperf;
	uint32_t stride = kperf_counters_per_row(k, KPERF_BOTH);

	if (stride == 0)
		return kps_fail_errno(e, "kpc_get_counter_count", errno,
				      KPS_READ_COUNTERS);
	if (stride != g->stride)
		return kps_fail_status(e, KPS_REPROGRAMMED,
				       "kpc_get_counter_count");
	int why = kperf_rows_read(k, KPERF_BOTH, c->row,
				  (size_t)c->cpus * stride);
	return why == 0 || kps_fail_errno(e, "kpc_get_cpu_counters", why,
					  KPS_READ_COUNTERS);
}

bool
kps_cpus_start(struct kps_cpus *c, struct kps_error *e)
{
	bool ran = kps_cpus_running(c);

	if (!kps_group_start(&c->group, e))
		return false;
	/* Record stale rows of off CPUs, so that they do not count as answers
	 * later. */
	if (!ran && read_cpu_rows(c, NULL))
		for (unsigned cpu = 0; cpu < c->cpus; cpu++)
			(void)row_fresh(c, cpu);
	return true;
}

bool
kps_cpus_sample(struct kps_cpus *c, uint64_t *values, bool *delivered,
		struct kps_error *e)
{
	struct kps_group *g = &c->group;

	if (!kps_group_ready(g, e) || !read_cpu_rows(c, e))
		return false;
	for (unsigned cpu = 0; cpu < c->cpus; cpu++) {
		const uint64_t *row = &c->row[(size_t)cpu * g->stride];
		bool there = row_fresh(c, cpu);

		if (delivered != NULL)
			delivered[cpu] = there;
		for (unsigned i = 0; there && i < g->n; i++)
			values[(size_t)cpu * g->n + i] = row[g->column[i]];
	}
	return true;
}
