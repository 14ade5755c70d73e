/*
 * ktop and another tool on one machine, their calls interleaved in every order,
 * and the kernel's own state looked at after each call. What a reading does not
 * flag is true; whoever leaves takes along only what it brought; when both
 * have left the machine is as it was before.
 */
#include "sim/neighbour.h"

#include <errno.h>
#include <stdlib.h>

#include "source/kperf/state.h"
#include "source/mac_calls.h"

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { KTOP_MOVES = 5, TOOL_MOVES = 5, FIXED = 2 };

/* m1 has the kernel of macOS 26.4 and before, the others the newer one. */
static const char *const machines[] = { "m1", "m1,os=26.6", "m6", "m6,pm=0" };

/* What the other tool calls, one letter each; '!': its process is killed. */
static const char *const tools[] = {
	"FCNSU", /* force, words, counting; counting off, force off */
	"CFNSU", /* the older order: words first */
	"FCN!",  /* ends in the midst */
	"FNSU",  /* never writes words */
};

static char story[64]; /* the calls so far, ktop's in small letters */
static const char *machine;
static bool eager; /* ktop reads after every call */
static bool tool_here, tool_died, tool_left_words;

#define WRONG(what) \
	fail_msg("%s, %s%s: %s", machine, story, eager ? " eager" : "", what)

/* Does ktop's set count, and nothing else? The hardware's words say. */
static bool
ktop_s_counts(void)
{
	const struct eventset *set = source->info.set;
	uint64_t want[SIM_PMCS] = { 0 };
	struct sim_kernel *k = sim_lock();
	bool same = (k->s->kpc.run_classes & 3) == 3;

	for (unsigned i = 0; set != NULL && i < set->len; i++)
		want[set->slot[i].counter - FIXED] = set->slot[i].event->number;
	for (unsigned i = 0; i < SIM_PMCS; i++)
		same = same && (k->s->kpc.live[i] & 0xffff) == want[i];
	if (sim_cpc(k))
		same = same && k->s->kpc.applied;
	sim_unlock();
	return same && set != NULL && set->len > 0;
}

/* Started by the other tool: the words that ktop left to wait for that. */
static bool
ktop_s_wait_no_more(void)
{
	const struct kperf_words *w = &kperf_of(source)->changes.words_next;
	struct sim_kernel *k = sim_lock();
	bool same = sim_cpc(k) && k->s->kpc.applied && w->len != 0;

	for (unsigned i = 0; i < w->len; i++)
		same = same &&
		       (k->s->kpc.live[i] & 0xffff) == (w->word[i] & 0xffff);
	sim_unlock();
	return same;
}

static struct {
	bool good;
	const struct eventset *set;
	uint64_t count[SIM_MAX_CPUS][2], truth[SIM_MAX_CPUS][2];
} before;

/* A reading, against the kernel's state and the work that was done. */
static void
look_at_reading(void)
{
	bool good = source->info.mode == SOURCE_FULL &&
		    (sample->flags & SAMPLE_TAKEN_OVER) == 0;

	if (good && !ktop_s_counts())
		WRONG("a reading of somebody else's set is not flagged");
	if (good && source->info.notice[0] != '\0')
		WRONG(source->info.notice);
	for (unsigned c = 0; good && c < sample->ncpus; c++)
		for (unsigned i = 0; i < 2; i++) {
			const char *name = sample->set->slot[i].event->name;
			unsigned cpu =
				(unsigned)source->info.topology->cpu[c].id;
			uint64_t count = sample->cpu[c].slot[i].count;
			uint64_t truth = sim_total(cpu, name, false,
						   sample->stamp.awake_ns);

			if (before.good &&
			    (sample->flags & SAMPLE_BASELINE) == 0 &&
			    count - before.count[c][i] !=
				    truth - before.truth[c][i])
				WRONG("counts are not what was done");
			before.count[c][i] = count;
			before.truth[c][i] = truth;
		}
	before.good = good;
}

static void
ktop_reads(void)
{
	step_ms(100);
	read_now();
	look_at_reading();
}

/* Ending: what is ktop's goes, what is the other's stays. */
static void
ktop_ends(void)
{
	bool ours = ktop_s_counts() || ktop_s_wait_no_more();
	struct sim_state was = *sim_lock()->s, is;

	sim_unlock();
	close_source();
	is = *sim_lock()->s;
	sim_unlock();
	if (is.kpc.force && is.kpc.force_by.pid != neighbour.pid)
		WRONG("ktop has gone and keeps force");
	if (!ours &&
	    ((is.kpc.run_classes & 3) != (was.kpc.run_classes & 3) ||
	     memcmp(is.kpc.live, was.kpc.live, sizeof(is.kpc.live)) != 0))
		WRONG("ktop undid what another tool had set");
}

static void
ktop_moves(char move)
{
	struct err e;

	switch (move) {
	case 'p':
		(void)program("INST_ALL CORE_ACTIVE_CYCLE", &e);
		break;
	case 'x':
		(void)program("INST_BRANCH INST_ALL", &e);
		break;
	case 'e':
		ktop_ends();
		return;
	}
	ktop_reads();
}

static void
tool_ends(void)
{
	sim_kernel_exit(sim_lock(), &neighbour);
	sim_unlock();
	tool_here = false;
	tool_died = true;
}

static void
tool_moves(char move)
{
	int why = 0;

	if (!tool_here)
		return;
	switch (move) {
	case 'F':
		why = neighbour_set32("kpc.force_all_ctrs", 1);
		break;
	case 'C':
		why = neighbour_words(-1);
		tool_left_words = why == 0;
		break;
	case 'N':
		why = neighbour_set32("kpc.counting", 3);
		break;
	case 'S':
		why = neighbour_set32("kpc.counting", 0);
		break;
	case 'U':
		why = neighbour_set32("kpc.force_all_ctrs", 0);
		break;
	case '!':
		tool_ends();
		break;
	}
	if (why != 0) /* it says so, and ends */
		tool_ends();
}

static void
one_order(const char *tool, unsigned order, unsigned moves)
{
	static const char ktop[] = "prxre";
	char spec[48];
	unsigned k = 0, t = 0;

	snprintf(spec, sizeof(spec), "%s,clock=step", machine);
	boot_with_calls(spec);
	open_booted(false);
	memset(story, 0, sizeof(story));
	before.good = false;
	tool_here = true;
	tool_died = tool_left_words = false;
	for (unsigned i = 0; i < moves; i++) {
		char move = order >> i & 1 ? ktop[k++] : tool[t++];

		story[i] = move;
		if (move >= 'a')
			ktop_moves(move);
		else
			tool_moves(move);
		if (eager && source != NULL)
			ktop_reads();
	}
}

/* Both have left. */
static void
is_as_before(void)
{
	struct sim_state *s = sim_lock()->s;
	uint32_t counting = s->kpc.run_classes;
	bool force = s->kpc.force;

	sim_unlock();
	if (force)
		WRONG("force is held and nobody is there");
	/* A tool that ended in the midst may leave its own words counting. */
	if (counting != 0 && !(tool_died && tool_left_words))
		WRONG("the machine is left counting");
}

static unsigned
ones(unsigned x)
{
	unsigned n = 0;

	for (; x != 0; x &= x - 1)
		n++;
	return n;
}

UNIT_IN(all_orders, NULL, shut)
{
	/* All with KTOP_LONG=1, else every 17th, on each machine others. */
	unsigned n = 0, step = getenv("KTOP_LONG") != NULL ? 1 : 17;

	for (unsigned m = 0; m < LEN(machines) * LEN(tools) * 2; m++) {
		unsigned turn = m / 2 / LEN(tools) + m % 2;
		const char *tool = tools[m / 2 % LEN(tools)];
		unsigned moves = KTOP_MOVES + (unsigned)strlen(tool);

		machine = machines[m / 2 / LEN(tools)];
		eager = m % 2 != 0;
		for (unsigned order = 0; order < 1u << moves; order++) {
			if (ones(order) != KTOP_MOVES || turn++ % step != 0)
				continue;
			one_order(tool, order, moves);
			is_as_before();
			shut(state);
			n++;
		}
	}
	print_message("%u orders\n", n);
}
