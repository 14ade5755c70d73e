/*
 * The source's contract where a call is refused, once and anywhere: while it
 * counts, takes other events, loses the counters to a neighbour, takes them
 * again and gives them back. What a row says is counted was done, what was not
 * counted says so, and the kernel is as it was found.
 */
#include "monitor/monitor.h"
#include "sim/neighbour.h"
#include "sim/nth_shim.h"
#include "source/mac_calls.h"

#include <stdlib.h>

static const uint32_t marks = QUALITY_TAKEN_OVER | QUALITY_LOST;
static const char *const machines[] = { "m1", "m1,os=26.6", "m6,os=27" };
static const char first[] = "INST_ALL CORE_ACTIVE_CYCLE",
		  second[] = "INST_BRANCH BRANCH_MISPRED_NONSPEC INST_ALL";

static struct {
	struct monitor *monitor;
	const struct frame *frame; /* NULL: the reading was a baseline */
	uint64_t truth[SIM_MAX_CPUS][EVENTSET_MAX];
	uint64_t fixed[SIM_MAX_CPUS][FIXED_COUNT];
	const char *machine;
	unsigned n; /* the call that is refused */
} at;

#define WRONG(what)                                        \
	fail_msg("%s, call %u (%s): %s", at.machine, at.n, \
		 shim.failed != NULL ? shim.failed : "none", (what))

static uint64_t
truth(unsigned cpu, unsigned slot)
{
	return sim_total((unsigned)source->info.topology->cpu[cpu].id,
			 sample->set->slot[slot].event->name, false,
			 sample->stamp.awake_ns);
}

/* What the flags of a row promise. */
static void
check_row(unsigned cpu)
{
	const struct cpu_sample *c = &sample->cpu[cpu];
	bool here = c->state == CPU_DELIVERED;
	bool counts = source->info.mode == SOURCE_FULL;

	for (unsigned k = 0; k < FIXED_COUNT; k++) {
		if (here != c->fixed[k].supported)
			WRONG("a row's fixed pair");
		if (here && c->fixed[k].count < at.fixed[cpu][k])
			WRONG("the fixed pair fell");
		if (here)
			at.fixed[cpu][k] = c->fixed[k].count;
	}
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		if (c->slot[i].supported &&
		    (!here || !counts || i >= sample->set->len))
			WRONG("a slot that nobody counts");
		if (here && counts && sample->flags == 0 &&
		    i < sample->set->len && !c->slot[i].supported)
			WRONG("a slot that is counted");
	}
}

/*
 * A frame that knows a count knows what was done; what it does not is marked,
 * or had no baseline, since the reading that should be it was refused.
 */
static void
check_counts(unsigned cpu)
{
	const struct span *t = &at.frame->span[cpu];

	for (unsigned i = 0; t->n_ok > 0 && i < at.frame->set->len; i++) {
		uint64_t now = truth(cpu, i), done = now - at.truth[cpu][i];

		if (span_has_slot(t, i) && t->slot[i] != done)
			WRONG("a count is not what was done");
		if (!span_has_slot(t, i) &&
		    (t->quality & (marks | QUALITY_SWAP | QUALITY_CATCHUP)) ==
			    0)
			WRONG("what is not known is not marked");
		at.truth[cpu][i] = now;
	}
}

static void
take(void)
{
	read_now();
	assert_int_equal(sample->set->len, source->info.set->len);
	if (delivered() == 0 && (source->info.mode != SOURCE_BUSY_ONLY ||
				 source->info.why.text[0] == '\0'))
		WRONG("nothing is counted, and it is not said");
	at.frame = monitor_feed(at.monitor, sample);
	for (unsigned c = 0; c < sample->ncpus; c++) {
		check_row(c);
		for (unsigned i = 0; at.frame == NULL && i < sample->set->len;
		     i++)
			at.truth[c][i] = truth(c, i);
		if (at.frame != NULL)
			check_counts(c);
	}
}

static void
frames(unsigned n)
{
	while (n-- > 0) {
		step_ms(100);
		take();
	}
}

/* Was one of the calls behind that one? */
static bool
refused_since(unsigned before)
{
	return shim.fail_at != 0 && shim.fail_at + shim.more > before &&
	       shim.fail_at <= shim.calls;
}

static bool
swap(const char *names)
{
	struct err e = { ERR_NONE, "" };
	bool ok = program(names, &e);

	if (!ok && e.text[0] == '\0')
		WRONG("refused without a sentence");
	unsigned before = shim.calls;

	take();
	if (ok && !refused_since(before) && sample->flags != SAMPLE_BASELINE)
		WRONG("a new set begins with a baseline, and no more");
	if (!ok && source->info.mode == SOURCE_FULL &&
	    (sample->flags & SAMPLE_BASELINE) == 0)
		WRONG("the old set stood still");
	return ok;
}

/* It counts that, all of it is known, and nothing is said. */
static void
counts_well(unsigned len)
{
	frames(2);
	assert_int_equal(source->info.mode, SOURCE_FULL);
	assert_int_equal(sample->flags, 0);
	assert_string_equal(source->info.notice, "");
	assert_int_equal(sample->set->len, len);
	for (unsigned c = 0; c < sample->ncpus; c++)
		for (unsigned i = 0; i < len; i++)
			if (!span_has_slot(&at.frame->span[c], i))
				WRONG("a count is not known");
}

static void
begin(unsigned n)
{
	char spec[64];

	at.n = n;
	snprintf(spec, sizeof(spec), "%s,clock=step", at.machine);
	boot_with_calls(spec);
	wrap();
	shim.calls = shim.fail_at = 0;
	shim.failed = NULL;
	shim.code = EPERM;
	memset(at.fixed, 0, sizeof(at.fixed));
}

static void
open_it(void)
{
	open_booted(false);
	at.monitor = monitor_new(
		source->info.topology,
		&(struct monitor_options){ .catalog = source->info.catalog,
					   .rows_may_be_stale = true },
		NULL);
	assert_non_null(at.monitor);
	take();
	assert_true(swap(first));
	counts_well(2);
}

/* From the n-th call from now on, once. */
static void
refuse(void)
{
	shim.calls = 0;
	shim.fail_at = at.n;
}

/* False: the n-th call was none of these. */
static bool
end(void)
{
	bool any = shim.failed != NULL;

	monitor_free(at.monitor);
	close_source();
	sample_free(sample);
	sample = NULL;
	return any;
}

/* IPC mode; the machine is as it was, or it is said that it is not yet. */
static void
release(void)
{
	struct err e = { ERR_NONE, "" };
	unsigned before = shim.calls;
	bool ok = source->ops->program(source, NULL, &e);

	if (ok != (e.text[0] == '\0'))
		WRONG("given back or not: with a sentence");
	take();
	if ((sample->flags & SAMPLE_BASELINE) == 0)
		WRONG("what follows has a baseline");
	if (!refused_since(before) && source->info.mode != SOURCE_IPC)
		WRONG("it is IPC mode");
}

/* Counting, other events, giving back, taking again. */
static bool
alone(unsigned n)
{
	struct machine_state found;

	begin(n);
	leave_traces(1, 0, at.machine[1] == '6' ? 0x08 : 0x8c);
	look(&found);
	open_it();
	refuse();
	frames(2);
	(void)swap(second);
	frames(2);
	release();
	frames(1);
	if (!swap(first) && shim.more == 0)
		assert_as_before(&found);
	frames(2);
	shim.fail_at = 0;
	frames(1);
	assert_true(swap(second));
	counts_well(3);
	release();
	assert_as_before(&found);
	for (unsigned i = 0; i < 2; i++) { /* and the rows say so */
		frames(1);
		assert_int_equal(sample->set->len, 0);
		assert_int_equal(sample->flags, 0);
		assert_int_equal(delivered(), sample->ncpus);
	}
	bool any = end();
	assert_as_before(&found);
	return any;
}

/* Somebody takes the counters, and ktop takes them back. */
static bool
taken(unsigned n)
{
	begin(n);
	open_it();
	refuse();
	frames(1);
	OK(neighbour_takes());
	frames(1);
	if (shim.failed == NULL && (sample->flags & SAMPLE_TAKEN_OVER) == 0)
		WRONG("it is not seen");
	for (unsigned c = 0; c < sample->ncpus; c++)
		for (unsigned i = 0; i < 2; i++)
			if (span_has_slot(&at.frame->span[c], i))
				WRONG("what others count is known");
	frames(1);
	/* The refused calls were of these readings. */
	for (unsigned i = 0; i < 1 + shim.more && delivered() == 0; i++)
		frames(1);
	assert_int_equal(delivered(), sample->ncpus);
	assert_true((at.frame->span[0].quality & marks) != 0);
	(void)swap(second);
	frames(1);
	shim.fail_at = 0;
	frames(1);
	(void)swap(second);
	assert_true(swap(second));
	counts_well(3);
	bool any = end();
	return any;
}

static void
each_call(bool (*story)(unsigned n))
{
	/* Every call with KTOP_LONG=1, else every 3rd. */
	unsigned step = getenv("KTOP_LONG") != NULL ? 1 : 3;

	for (unsigned m = 0; m < 2 * sizeof(machines) / sizeof(*machines);
	     m++) {
		unsigned n = 1 + m;

		at.machine = machines[m / 2];
		shim.more = m % 2 * 9; /* once, and ten times in a row */
		while (n < 2000 && story(n))
			n += step;
		assert_in_range(n, 50, 1999);
		sim_stop();
	}
}

UNIT_IN(refused_while_alone, NULL, shut)
{
	each_call(alone);
}

UNIT_IN(refused_while_taken, NULL, shut)
{
	each_call(taken);
}
