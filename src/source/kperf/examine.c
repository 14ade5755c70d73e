/* Each event alone, the words in force, and rows as the kernel writes them. */
#include "source/kperf/examine.h"

#include "base/bits.h"
#include "base/plural.h"
#include "base/report.h"
#include "model/slots.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { APART_NS = 20 * 1000 * 1000 };

/* "2-9", "5-7" */
static void
put_counters(struct buf *b, uint32_t counters)
{
	size_t from = b->len;

	for (unsigned i = 0; i < 32; i++) {
		unsigned first = i;

		if ((counters >> i & 1) == 0)
			continue;
		while (i < 31 && (counters >> (i + 1) & 1) != 0)
			i++;
		buf_printf(b, "%s%u", b->len > from ? "," : "", first);
		if (i > first)
			buf_printf(b, "-%u", i);
	}
}

/*
 * Programs it the way ktop does: counting 0, words, counting, words read back.
 * What stays in the counters is put back at the end of it all.
 */
static struct examine_event
examine_event(struct examine *x, const struct event *v, struct buf *b)
{
	struct kperf_source *s = kperf_of(x->s);
	struct examine_event got = { .taken = false };
	unsigned column[EVENTSET_MAX] = { 0 };
	struct eventset set = { .len = 0 };
	struct err e = { ERR_NONE, "" };
	struct kperf_words w;
	uint32_t left_out;

	got.nowhere = !slots_place(&s->events.catalog, &v, 1, &set, &e) ||
		      set.len != 1;
	if (got.nowhere) {
		buf_printf(b, "not placed: %s", e.text);
		return got;
	}
	put_counters(b, v->counters);
	got.taken = kperf_words_build(s, &set, &w, column, &e) &&
		    kperf_engage_most(s, &w, &set, column, &left_out, &e);
	got.why = e.code;
	if (got.taken) {
		const struct kperf_words *is = &s->held.words_are;
		unsigned at = column[0] - s->nfixed;

		got.domain = kperf_words_domain(is);
		buf_printf(b,
			   " -> %u wrote 0x%" PRIx64 " read 0x%" PRIx64 " %s",
			   set.slot[0].counter, w.word[at], is->word[at],
			   got.domain != DOMAIN_NONE ? domain_name[got.domain]
						     : "none");
	} else { /* readings worked: EPERM is about the event (the allow-list)
		  */
		buf_printf(b, ": wrote 0x%" PRIx32 " refused: %s", v->number,
			   e.code == ERR_PERM ? "EPERM, macOS does not allow it"
					      : e.text);
	}
	return got;
}

static void
words_line(FILE *out, const char *key, const struct kperf_words *w)
{
	char text[1024];
	struct buf b = buf_over(text, sizeof(text));

	for (unsigned i = 0; i < w->len; i++)
		buf_printf(&b, "%s0x%" PRIx64, i > 0 ? " " : "", w->word[i]);
	report_line(out, key, "%s", buf_cstr(&b));
}

static void
examine_in_force(struct examine *x)
{
	const struct kperf_source *s = kperf_of(x->s);
	char text[1024];
	struct buf b = buf_over(text, sizeof(text));

	for (unsigned i = 0; i < s->set.len; i++)
		if ((s->left_out >> i & 1) != 0)
			buf_printf(&b, "%s%s", b.len > 0 ? ", " : "",
				   s->set.slot[i].event->name);
	if (b.len > 0)
		report_line(x->out, "  not",
			    "%s: EPERM, macOS does not allow it", buf_cstr(&b));
	words_line(x->out, "  wrote", &s->words);
	words_line(x->out, "  read", &s->held.words_are);
}

/* ---- taking ---- */

static bool
examine_take(struct source *base, struct err *e)
{
	struct kperf_source *s = kperf_of(base);

	s->examined = kperf_acquire(s, e);
	return s->examined;
}

static bool
examine_give_back(struct source *base, struct err *e)
{
	struct kperf_source *s = kperf_of(base);

	s->examined = false;
	if (s->mode == SOURCE_FULL && kperf_program(base, NULL, NULL))
		return true;
	/* Also what a taking that failed has taken. */
	return kperf_give_back(s, e);
}

/* ---- rows ---- */

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
	struct buf b = buf_over(text, sizeof(text));

	(void)snprintf(key, sizeof(key), "cpu %u", cpu);
	if (written(from, 2) == 2 && written(to, 2) == 2) {
		buf_printf(&b,
			   "; 0x%" PRIx64 " 0x%" PRIx64 " %+" PRId64
			   " %+" PRId64,
			   from[0], from[1], (int64_t)(to[0] - from[0]),
			   (int64_t)(to[1] - from[1]));
		(void)buf_cstr(&b);
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
		clock_pause(&s->clock, APART_NS);
		rc = kperf_examine_rows(s, to, classes, stride);
	}
	if (rc != 0) {
		report_line(x->out, "rows",
			    "kpc_get_cpu_counters(true, %u): %s", classes,
			    report_errno(rc, number));
		return;
	}
	(void)fprintf(
		x->out,
		"# twice, %d ms apart, classes %u: words written, fixed 0 and 1, what they add\n",
		APART_NS / 1000000, classes);
	for (size_t i = 0; i < s->rows; i++)
		row_line(x->out, (unsigned)i, from + i * stride,
			 to + i * stride, stride);
}

static void
examine_rows(struct examine *x)
{
	size_t n = (size_t)kperf_of(x->s)->rows * KPC_MAX_COUNTERS + 32;
	uint64_t *rows = calloc(2 * n, sizeof(*rows));

	if (rows != NULL)
		two_readings(x, rows, rows + n);
	free(rows);
}

static enum source_status
examine_read(struct examine *x, unsigned n, char *key, size_t size)
{
	struct kperf_source *s = kperf_of(x->s);
	unsigned stride;
	uint32_t classes = classes_of(s, &stride);

	if (n > 0)
		return SOURCE_END;
	(void)snprintf(key, size, "read all cpus");
	return stride > 0 && stride <= KPC_MAX_COUNTERS &&
			       kperf_examine_rows(s, s->row, classes, stride) ==
				       0
		       ? SOURCE_OK
		       : SOURCE_ERROR;
}

const struct source_examine kperf_examine = {
	.events =
		"each alone: counters it may use -> the one taken, word, mode",
	.presets = "words in counter order; ",
	.busy = "host_processor_info",
	.own =
		(const struct examine_section[]){
			{ "reads", examine_rows },
			{ NULL, NULL },
		},
	.event = examine_event,
	.take = examine_take,
	.give_back = examine_give_back,
	.in_force = examine_in_force,
	.read = examine_read,
};
