/* Words and rows as the kernel gives them. */
#include "source/kperf/examine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/report.h"

void
kperf_examine_words(FILE *out, const char *key, const struct kperf_words *w)
{
	char text[1024];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = 0; i < w->len; i++)
		buf_printf(&b, "%s0x%" PRIx64, i > 0 ? " " : "", w->word[i]);
	report_line(out, key, "%s", w->len > 0 ? buf_cstr(&b) : "-");
}

static uint32_t
classes_of(const struct kperf_source *s, unsigned *stride)
{
	uint32_t classes = s->mode == SOURCE_FULL || s->held.force
				   ? KPERF_BOTH
				   : KPC_CLASS_FIXED_MASK;

	*stride = kperf_counters(s, classes);
	return classes;
}

int
kperf_examine_rows(const struct kperf_source *s, uint64_t *rows,
		   uint32_t classes, unsigned stride)
{
	size_t n = (size_t)s->rows * stride + 32;
	int cpu = -1, rc;

	for (size_t i = 0; i < n; i++)
		rows[i] = KPERF_SENTINEL;
	errno = 0;
	rc = s->kpc->kpc_get_cpu_counters(true, classes, &cpu, rows);
	return rc == 0 ? 0 : kperf_errno(rc);
}

static unsigned
written(const uint64_t *row, unsigned stride)
{
	unsigned n = 0;

	for (unsigned i = 0; i < stride; i++)
		n += row[i] != KPERF_SENTINEL;
	return n;
}

/* "cpu 3: 10 then 10 of 10 words; 0x..., +n, +n": the pair and its steps. */
static void
row_line(FILE *out, unsigned cpu, const uint64_t *from, const uint64_t *to,
	 unsigned stride)
{
	char key[24], text[128] = " written";
	struct buf b = buf_over(text, sizeof text);

	snprintf(key, sizeof key, "cpu %u", cpu);
	if (written(from, 2) == 2 && written(to, 2) == 2) {
		buf_printf(&b,
			   "; 0x%" PRIx64 " 0x%" PRIx64 " %+" PRId64
			   " %+" PRId64,
			   from[0], from[1], (int64_t)(to[0] - from[0]),
			   (int64_t)(to[1] - from[1]));
		buf_cstr(&b);
	}
	report_line(out, key, "%u then %u of %u %s%s", written(from, stride),
		    written(to, stride), stride,
		    plural(stride, "word", "words"), text);
}

static void
two_readings(struct examine *x, uint64_t *from, uint64_t *to)
{
	const struct kperf_source *s = kperf_of(x->s);
	unsigned stride;
	uint32_t classes = classes_of(s, &stride);
	char number[24];
	int rc;

	if (stride == 0 || stride > KPC_MAX_COUNTERS) {
		report_line(x->out, "rows", "no counter count: %s",
			    report_errno(errno, number));
		return;
	}
	rc = kperf_examine_rows(s, from, classes, stride);
	if (rc == 0) {
		clock_pause(&s->clock, KPERF_TRIAL_NS);
		rc = kperf_examine_rows(s, to, classes, stride);
	}
	if (rc != 0) {
		report_line(x->out, "rows",
			    "kpc_get_cpu_counters(true, %u): %s", classes,
			    report_errno(rc, number));
		return;
	}
	fprintf(x->out,
		"# twice, %d ms apart, classes %u: words written, fixed 0 and 1, what they add\n",
		KPERF_TRIAL_NS / 1000000, classes);
	for (size_t i = 0; i < s->rows; i++)
		row_line(x->out, (unsigned)i, from + i * stride,
			 to + i * stride, stride);
}

void
kperf_examine_reads(struct examine *x)
{
	size_t n = (size_t)kperf_of(x->s)->rows * KPC_MAX_COUNTERS + 32;
	uint64_t *rows = calloc(2 * n, sizeof *rows);

	if (rows != NULL)
		two_readings(x, rows, rows + n);
	free(rows);
}

enum source_status
kperf_examine_read(struct examine *x, unsigned n, char *key, size_t size)
{
	struct kperf_source *s = kperf_of(x->s);
	unsigned stride;
	uint32_t classes = classes_of(s, &stride);

	if (n > 0)
		return SOURCE_END;
	snprintf(key, size, "read all cpus");
	return stride > 0 && stride <= KPC_MAX_COUNTERS &&
			       kperf_examine_rows(s, s->row, classes, stride) ==
				       0
		       ? SOURCE_OK
		       : SOURCE_ERROR;
}
