/* Two all-CPU readings as they come, and what a hundred of them cost. */
#include "commands/doctor/doctor.h"

#include "base/plural.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COST_READS = 100 };

int
doctor_read_rows(const struct doctor *d, uint64_t *rows, uint32_t classes,
		 uint32_t stride)
{
	size_t n = (size_t)d->k->rows * stride + 32;
	int cpu = -1, rc;

	for (size_t i = 0; i < n; i++)
		rows[i] = DOCTOR_SENTINEL;
	errno = 0;
	rc = d->kpc->kpc_get_cpu_counters(true, classes, &cpu, rows);
	return rc == 0 ? 0 : kperf_errno(rc);
}

void
doctor_pause(const struct doctor *d, int64_t ns)
{
	const struct clock *c = &d->host->clock;
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };
	struct stamp now;

	if (!c->stepped) {
		while (nanosleep(&t, &t) != 0 && errno == EINTR)
			;
		return;
	}
	clock_now(c, &now);
	c->step(c->self, now.awake_ns + ns);
}

static unsigned
written(const uint64_t *row, unsigned stride)
{
	unsigned n = 0;

	for (unsigned i = 0; i < stride; i++)
		n += row[i] != DOCTOR_SENTINEL;
	return n;
}

/* "cpu 3: 10/10 10/10 words 0x..., +n, +n": the fixed pair and its steps. */
static void
row_line(struct doctor *d, FILE *out, unsigned cpu, unsigned stride)
{
	const uint64_t *from = d->rows[0] + (size_t)cpu * stride;
	const uint64_t *to = d->rows[1] + (size_t)cpu * stride;
	bool both = written(from, 2) == 2 && written(to, 2) == 2;
	char key[24];

	(void)snprintf(key, sizeof(key), "cpu %u", cpu);
	d->found.rows++;
	if (!both) {
		report_line(out, key, "%u then %u of %u %s written",
			    written(from, stride), written(to, stride), stride,
			    plural(stride, "word", "words"));
		return;
	}
	d->found.fresh++;
	if (to[0] > from[0] && to[1] > from[1])
		d->found.moved++;
	report_line(out, key,
		    "%u then %u of %u %s; 0x%" PRIx64 " 0x%" PRIx64
		    ", %+" PRId64 " %+" PRId64,
		    written(from, stride), written(to, stride), stride,
		    plural(stride, "word", "words"), from[0], from[1],
		    (int64_t)(to[0] - from[0]), (int64_t)(to[1] - from[1]));
}

static int
by_time(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static void
cost(const struct doctor *d, FILE *out, uint32_t classes, unsigned stride)
{
	int64_t ns[COST_READS];

	for (unsigned i = 0; i < COST_READS; i++) {
		int64_t from;

		from = doctor_now_ns();
		(void)doctor_read_rows(d, d->rows[0], classes, stride);
		ns[i] = doctor_now_ns() - from;
		if (doctor_interrupted(d))
			return;
	}
	qsort(ns, COST_READS, sizeof(ns[0]), by_time);
	report_line(out, "cost of 100 reads",
		    "min %.1f median %.1f max %.1f us%s", (double)ns[0] / 1e3,
		    (double)ns[COST_READS / 2] / 1e3,
		    (double)ns[COST_READS - 1] / 1e3,
		    d->host->simulated ? " (of the simulation)" : "");
}

void
doctor_reads(struct doctor *d, FILE *out)
{
	bool all = d->k->mode == SOURCE_FULL || d->k->held.force;
	uint32_t classes = all ? KPERF_BOTH : KPC_CLASS_FIXED_MASK;
	unsigned stride = kperf_counters(d->k, classes);
	char number[24];
	int rc;

	report_section(out, "reads");
	if (stride == 0 || stride > KPC_MAX_COUNTERS) {
		report_line(out, "rows", "no counter count: %s",
			    report_errno(errno, number));
		return;
	}
	rc = doctor_read_rows(d, d->rows[0], classes, stride);
	if (rc == 0) {
		doctor_pause(d, DOCTOR_TRIAL_NS);
		rc = doctor_read_rows(d, d->rows[1], classes, stride);
	}
	if (rc != 0) {
		report_line(out, "rows", "kpc_get_cpu_counters(true, %u): %s",
			    classes, report_errno(rc, number));
		return;
	}
	(void)fprintf(out,
		      "# twice, %d ms apart, all CPUs, class mask %u: "
		      "words of each row that were\n# written, fixed 0 "
		      "and 1 of the first reading, what the second adds\n",
		      DOCTOR_TRIAL_NS / 1000000, classes);
	for (unsigned i = 0; i < d->k->rows; i++)
		row_line(d, out, i, stride);
	cost(d, out, classes, stride);
}
