/*
 * Another tool stops the counters and starts them again, with ktop's own words,
 * between two readings: right after a swap, or long after. What a frame says is
 * what was done, or it is marked and says nothing.
 */
#include "sim/neighbour.h"

#include "monitor/monitor.h"
#include "source/mac_calls.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { FRAMES = 7, FRAME_MS = 100, WHEN = 4 };

/* m1 has the kernel of macOS 26.4 and before, the others the newer one. */
static const char *const machines[] = { "m1", "m1,os=26.6", "m5max,os=26.5",
					"m6", "m6,pm=0",    "m5ultra" };
static const char *const sets[] = {
	"INST_ALL", "INST_ALL CORE_ACTIVE_CYCLE", NULL, /* all places */
};

static struct {
	const char *machine, *set;
	unsigned when;
	struct monitor *monitor;
	const struct frame *frame;
	uint64_t truth[SIM_MAX_CPUS][EVENTSET_MAX];
	unsigned marked;
} at;

#define WRONG(what)                               \
	fail_msg("%s, %s, at %u: %s", at.machine, \
		 at.set ? at.set : "all places", at.when, what)

static bool
newer(void)
{
	bool is = sim_cpc(sim_lock());

	sim_unlock();
	return is;
}

/* As many events as there are places. */
static void
program_all_places(void)
{
	const struct catalog *c = source->info.catalog;
	const struct event *want[EVENTSET_MAX];
	struct eventset set;
	struct err e;
	unsigned n = 0;

	for (unsigned i = 0; i < c->len && n < SIM_PMCS; i++) {
		struct eventset more = { .len = 0 };

		want[n] = &c->event[i];
		if (slots_place(c, want, n + 1, &more, &e)) {
			set = more;
			n++;
		}
	}
	assert_int_equal(n, SIM_PMCS);
	assert_true(source->ops->program(source, &set, &e));
}

static void
program_set(const char *names)
{
	if (names != NULL)
		program_ok(names);
	else
		program_all_places();
}

static uint64_t
truth(unsigned cpu, unsigned slot)
{
	return sim_total((unsigned)source->info.topology->cpu[cpu].id,
			 source->info.set->slot[slot].event->name, false,
			 sample->stamp.awake_ns);
}

static void
take(void)
{
	read_now();
	at.frame = monitor_feed(at.monitor, sample);
	if (at.frame != NULL)
		return;
	for (unsigned c = 0; c < sample->ncpus; c++)
		for (unsigned i = 0; i < source->info.set->len; i++)
			at.truth[c][i] = truth(c, i);
}

static const uint32_t marks = QUALITY_TAKEN_OVER | QUALITY_LOST;

/* A frame that knows a count knows the right one. */
static void
look_at(const struct frame *f)
{
	assert_non_null(f);
	at.marked += (f->span[0].quality & marks) != 0;
	for (unsigned c = 0; c < sample->ncpus; c++)
		for (unsigned i = 0; i < f->set->len; i++) {
			uint64_t now = truth(c, i), done = now - at.truth[c][i];

			at.truth[c][i] = now;
			if (!span_has_slot(&f->span[c], i) &&
			    (f->span[c].quality & marks) == 0)
				WRONG("what is not known is not marked");
			if (span_has_slot(&f->span[c], i) &&
			    f->span[c].slot[i] != done)
				WRONG("a count is not what was done");
			if (!span_has_fixed(&f->span[c]))
				WRONG("the fixed counters do not go on");
		}
}

static void
restart(void)
{
	OK(neighbour_set32("kpc.counting", 0));
	OK(neighbour_set32("kpc.counting", 3));
}

/* As a tool does it that saves what it finds: the words are what is read. */
static void
restart_with_what_it_read(void)
{
	uint64_t words[1 + SIM_PMCS] = { KPC_CLASS_CONFIGURABLE_MASK };
	struct sim_kernel *k = sim_lock();

	memcpy(words + 1, k->s->kpc.live, SIM_PMCS * sizeof(*words));
	sim_unlock();
	OK(neighbour_set32("kpc.counting", 0));
	OK(neighbour_set("kpc.config", words, sizeof(words)));
	OK(neighbour_set32("kpc.counting", 3));
}

static void
run(void (*meanwhile)(void), unsigned when)
{
	struct err e;
	char spec[64];
	bool told = false;

	at.when = when;
	snprintf(spec, sizeof(spec), "%s,seed=%u,clock=step", at.machine, when);
	boot_with_calls(spec);
	open_booted(false);
	at.monitor = monitor_new(
		source->info.topology,
		&(struct monitor_options){ .catalog = source->info.catalog,
					   .rows_may_be_stale = true },
		&e);
	assert_non_null(at.monitor);
	take();
	program_set(at.set);
	take();
	at.marked = 0;
	for (unsigned n = 0; n < FRAMES; n++) {
		step_ms(FRAME_MS * 6 / 10);
		if (n == when)
			meanwhile();
		step_ms(FRAME_MS * 4 / 10);
		take();
		look_at(at.frame);
		told = told || source->info.notice[0] != '\0';
	}
	/* It is got over. */
	assert_int_equal(at.frame->span[0].quality & marks, 0);
	assert_string_equal(source->info.notice, "");
	if (!newer() && (at.marked != 0 || told))
		WRONG("nothing was lost, and it is marked");
	monitor_free(at.monitor);
}

static void
each(void (*meanwhile)(void), unsigned from, bool seen, void **state)
{
	for (unsigned m = 0; m < LEN(machines); m++)
		for (unsigned s = 0; s < LEN(sets); s++)
			for (unsigned when = from; when < WHEN; when++) {
				at.machine = machines[m];
				at.set = sets[s];
				run(meanwhile, when);
				if (seen && newer() && at.marked == 0)
					WRONG("it is not seen");
				shut(state);
			}
}

UNIT_IN(stopped_and_started, NULL, shut)
{
	each(restart, 0, true, state);
}

/*
 * Then the words do not tell of it: the sums that fell do. Within the first
 * frame after a swap none can, and that cannot be seen.
 */
UNIT_IN(stopped_and_started_with_the_words_it_read, NULL, shut)
{
	each(restart_with_what_it_read, 1, false, state);
}

static void
nothing(void)
{
}

UNIT_IN(nothing_is_marked_for_nothing, NULL, shut)
{
	each(nothing, 0, false, state);
	assert_int_equal(at.marked, 0);
}

/* A kernel whose words act at once, against what it let us learn. */
static int acted;

static int
acts_at_once(uint32_t classes, uint64_t *words)
{
	int rc = sim_kperf()->kpc_set_config(classes, words);
	uint32_t on = sim_kperf()->kpc_get_counting();

	if (rc == 0 && (on & KPC_CLASS_CONFIGURABLE_MASK) != 0) {
		acted++;
		return sim_kperf()->kpc_set_counting(on);
	}
	return rc;
}

UNIT_IN(words_that_act_at_once_do_not_wait, NULL, shut)
{
	boot_with_calls("m6,clock=step");
	kpc.kpc_set_config = acts_at_once;
	open_booted(false);
	for (int i = 0; i < 3; i++) {
		program_set(sets[1 + i % 2]);
		read_now();
		for (int n = 0; n < 3; n++) {
			assert_int_equal(sample->flags & SAMPLE_TAKEN_OVER, 0);
			assert_string_equal(source->info.notice, "");
			step_ms(FRAME_MS);
			read_now();
		}
	}
	assert_int_equal(acted, 1); /* tried once, and never again */
}
