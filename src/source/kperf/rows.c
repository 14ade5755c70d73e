#include "source/kperf/kperf.h"
#include "kperf/counters.h"
#include "source/kperf/state.h"

#include <errno.h>
#include <string.h>

/* A reading takes 0.1 ms; a reading of 1 ms or more was interrupted. */
static const int64_t torn_ns = 1000000;

static void
clear_sample(const struct kperf_source *s, struct sample *out)
{
	out->flags = 0;
	out->cost_ns = out->apart_ns = 0;
	/* If words are latent, programming restarts the sums of all CPUs. */
	out->together = s->changes.latent;
	out->set = &s->set;
	out->domain = s->source.info.domain;
	for (unsigned i = 0; i < out->ncpus; i++) {
		struct cpu_sample *c = &out->cpu[i];

		memset(c, 0, sizeof *c);
		/* On a machine without counters no row is missing. */
		c->state = s->no_pmu ? CPU_DELIVERED : CPU_MISSING;
	}
}

static void
read_busy(struct kperf_source *s, struct sample *out)
{
	int n = s->host->cpu_load(s->load, (int)s->rows);

	if (n > (int)s->rows)
		n = (int)s->rows;
	for (unsigned i = 0; i < out->ncpus; i++) {
		int id = s->topology->cpu[i].id;
		struct cpu_sample *c = &out->cpu[i];

		if (id >= n)
			continue;
		c->busy = s->load[id].user + s->load[id].system +
			  s->load[id].nice;
		c->total = c->busy + s->load[id].idle;
		c->busy_known = true;
	}
}

static void
fill_cpu(const struct kperf_source *s, const uint64_t *row, bool slots,
	 struct cpu_sample *out)
{
	out->state = CPU_DELIVERED;
	for (unsigned f = 0; f < FIXED_COUNT; f++) {
		out->fixed[f].count = row[s->fixed[f]];
		out->fixed[f].supported = true;
	}
	for (unsigned i = 0; slots && i < s->set.len; i++) {
		out->slot[i].count = row[s->column[i]];
		out->slot[i].supported = (s->left_out >> i & 1) == 0;
	}
}

/* Returns the classes that can be read; 0 and errno: none. If another program
 * changes force, rows get another length, and only fixed counters are readable.
 */
static uint32_t
readable_classes(const struct kperf_source *s, uint32_t *stride)
{
	if (s->mode == SOURCE_FULL) {
		*stride = kperf_counters_per_row(s->kpc, KPERF_BOTH);
		if (*stride == 0)
			return 0;
		if (*stride == s->stride)
			return KPERF_BOTH;
	}
	*stride = kperf_counters_per_row(s->kpc, KPC_CLASS_FIXED_MASK);
	return *stride < s->nfixed ? 0 : KPC_CLASS_FIXED_MASK;
}

/* *slots: the rows have configurable counters. */
static int
read_counter_rows(struct kperf_source *s, struct sample *out, bool *slots)
{
	uint32_t stride = 0, classes = readable_classes(s, &stride);
	size_t len = (size_t)s->rows * stride + 32;
	struct stamp before;

	*slots = classes == KPERF_BOTH;
	clock_now(&s->clock, &before);
	out->stamp = before;
	if (classes == 0)
		return kperf_result_errno(-1);
	int why = kperf_rows_read(s->kpc, classes, s->row, len);
	if (why != 0)
		return why;
	clock_now(&s->clock, &out->stamp);
	out->cost_ns = out->stamp.awake_ns - before.awake_ns;
	for (unsigned i = 0; i < out->ncpus; i++) {
		size_t at = (size_t)s->topology->cpu[i].id * stride;

		if (kperf_row_written(&s->row[at], s->fixed[FIXED_CYCLES],
				      s->fixed[FIXED_INSTRUCTIONS]))
			fill_cpu(s, &s->row[at], *slots, &out->cpu[i]);
	}
	return 0;
}

/* Rows and clock are read together, since GHz is their quotient. Retries once
 * after an interruption, unless the previous reading was interrupted, too. */
static int
read_rows_and_clock(struct kperf_source *s, struct sample *out, bool *slots)
{
	bool again = false;
	struct stamp after;
	int64_t took_ns;
	int why;

	for (;;) {
		clear_sample(s, out);
		why = read_counter_rows(s, out, slots);
		read_busy(s, out);
		clock_now(&s->clock, &after);
		out->apart_ns = after.awake_ns - out->stamp.awake_ns;
		took_ns = out->apart_ns + out->cost_ns;
		if (took_ns < torn_ns || s->torn || again)
			break;
		again = true;
	}
	s->torn = took_ns >= torn_ns;
	return why;
}

static void
notice_taken_over(struct kperf_source *s)
{
	kperf_notice(
		s,
		"another tool has reprogrammed the counters; ktop reacquires them when that tool stops, or when you choose a preset");
}

/* words_are and s->words differ after a failed attempt to program. */
static bool
is_set_counting(const struct kperf_source *s, uint32_t counting,
		const struct kperf_words *now)
{
	return counting == s->changes.counting_is &&
	       (counting & KPERF_BOTH) == KPERF_BOTH &&
	       kperf_words_equal(now, &s->changes.words_are) &&
	       kperf_words_same_events(now, &s->words);
}

static void
check_unchanged(struct kperf_source *s, struct sample *out, bool slots)
{
	struct kperf_words now;
	uint32_t counting;

	if (s->taken_over)
		out->flags |= SAMPLE_TAKEN_OVER;
	if (!kperf_counters_running(s->kpc, &counting) ||
	    !kperf_words_get(s->kpc, &now)) {
		out->flags |= SAMPLE_TAKEN_OVER;
		return;
	}
	if (slots && is_set_counting(s, counting, &now))
		return;
	out->flags |= SAMPLE_TAKEN_OVER;
	if (!s->taken_over && kperf_was_restarted(s, &now))
		kperf_notice(
			s,
			"another tool has stopped the counters and started them again; the event counts in between are lost");
	else if (!s->taken_over) /* else already reported */
		notice_taken_over(s);
	s->taken_over = true;
}

/* Does nothing while the other program counts with its words. */
static void
reacquire(struct kperf_source *s)
{
	struct err why = { ERR_NONE, "" };
	struct kperf_words now;
	uint32_t counting, out = 0, theirs;

	if (!kperf_counters_running(s->kpc, &counting))
		return;
	/* With latent words, fixed counters that count alone do not show
	 * another program. */
	theirs = counting & (s->changes.latent ? KPERF_SLOTS : KPERF_BOTH);
	(void)kperf_force_again(s, theirs == 0);
	if (!kperf_words_get(s->kpc, &now))
		return;
	bool words_ours = kperf_counters_words_unchanged(&s->changes, &now);
	if (!words_ours && theirs != 0)
		return;
	if (!is_set_counting(s, counting, &now) &&
	    !kperf_program_accepted(s, &s->words, &s->set, s->column, &out,
				    &why)) {
		/* No other program uses the counters, so macOS refuses ktop's
		 * words. */
		if (why.code == ERR_PERM && !s->refused) {
			kperf_notice(s, why.text);
			s->refused = true;
		}
		return;
	}
	s->taken_over = s->refused = false;
	s->uncounted = !s->flagged;
	kperf_drop_refused(s, out);
}

static void
set_outage(struct kperf_source *s, int why)
{
	struct source_info *info = &s->source.info;

	if (why == 0) {
		if (info->mode != SOURCE_BUSY_ONLY)
			return;
		info->mode = s->mode;
		info->why = s->why;
		info->interrupts_per_read = s->topology->ncpus;
		kperf_notice_refused(s);
		s->refused = false;
		if (s->taken_over)
			notice_taken_over(s);
		return;
	}
	info->mode = SOURCE_BUSY_ONLY;
	kperf_fail_call(&info->why, "reading the counters", why);
	kperf_explain_root(s, &info->why);
	if (s->delivered)
		kperf_notice(s, info->why.text);
}

enum source_status
kperf_read(struct source *base, struct sample *out, struct err *e)
{
	struct kperf_source *s = kperf_of(base);
	bool slots;

	if (!sample_fits(out, s->topology->ncpus, e))
		return SOURCE_ERROR;
	if (s->taken_over)
		reacquire(s);
	/* Retry a release that the kernel refused. */
	if (s->mode != SOURCE_FULL && kperf_counters_to_restore(&s->changes) &&
	    kperf_release(s, NULL))
		kperf_notice(s, "");
	if (s->no_pmu) {
		clear_sample(s, out);
		read_busy(s, out);
		clock_now(&s->clock, &out->stamp);
		return SOURCE_OK;
	}
	int why = read_rows_and_clock(s, out, &slots);
	set_outage(s, why);
	for (unsigned i = 0; why == EPERM && !s->delivered && i < out->ncpus;
	     i++)
		out->cpu[i].state = CPU_DENIED;
	if (s->baseline)
		out->flags |= SAMPLE_BASELINE;
	s->baseline = false;
	if (why != 0)
		return SOURCE_OK;
	s->delivered = true;
	if (s->mode == SOURCE_FULL)
		check_unchanged(s, out, slots);
	if (s->uncounted)
		out->flags |= SAMPLE_TAKEN_OVER;
	s->uncounted = false;
	s->flagged = (out->flags & SAMPLE_TAKEN_OVER) != 0;
	return SOURCE_OK;
}
