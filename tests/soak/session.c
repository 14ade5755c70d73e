#include "soak/soak.h"

#include "model/metric.h"
#include "sim/inside.h"
#include "sim/sim.h"
#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int64_t
soak_now_ns(void)
{
	struct stamp now;

	clock_now(&sim_host()->clock, &now);
	return now.awake_ns;
}

bool
soak_fail(struct soak *s, const char *what)
{
	if (s->wrong[0] == '\0')
		snprintf(s->wrong, sizeof(s->wrong), "%s", what);
	return false;
}

/* From macOS 26.5 on words are a set-up only while they count. */
static bool
tells_stopped_words(void)
{
	bool older = !sim_cpc(sim_lock());

	sim_unlock();
	return older;
}

void
soak_look(struct set_up *u)
{
	struct sim_kernel *k = sim_lock();

	memset(u, 0, sizeof(*u));
	if (k == NULL)
		return;
	u->force = k->s->kpc.force &&
		   k->s->kpc.force_by.pid == sim_caller_now().pid;
	u->counting = k->s->kpc.run_classes;
	u->threads = k->s->threads.classes;
	if (!sim_cpc(k))
		memcpy(u->word, k->s->kpc.word, sizeof(u->word));
	else if (k->s->kpc.applied)
		memcpy(u->word, k->s->kpc.live, sizeof(u->word));
	memcpy(u->period, k->s->kpc.period, sizeof(u->period));
	memcpy(u->actionid, k->s->kpc.actionid, sizeof(u->actionid));
	sim_unlock();
}

/* Reading, as app/sampling.c does it. */

bool
soak_sample(struct soak *s)
{
	struct err e = { ERR_NONE, "" };
	const struct frame *f;

	if (kperf_read(s->source, s->sample, &e) != SOURCE_OK)
		return soak_fail(s, e.text);
	f = monitor_feed(s->monitor, s->sample);
	if (f == NULL)
		return true;
	s->frame = f;
	s->taken_over += (f->quality & QUALITY_TAKEN_OVER) != 0;
	s->gaps += (f->quality & QUALITY_GAP) != 0;
	if (!ledger_take(&s->ledger, f))
		return soak_fail(s, s->ledger.wrong);
	return true;
}

/* No two readings are of one instant: calls take their time. */
static void
a_moment_later(void)
{
	sim_host()->clock.step(NULL, soak_now_ns() + MOMENT_NS);
}

/* As cut_frame in app/loop.c: a frame is cut where the set changes, unless it
 * is fresh. */
static bool
finish_frame(struct soak *s)
{
	if (s->frame == NULL ||
	    soak_now_ns() - s->frame->stamp.awake_ns < SECOND / 1000)
		return true;
	return soak_sample(s);
}

bool
soak_calm(const struct soak *s)
{
	return !s->thief && soak_now_ns() >= (s->over_s + CALM_TICKS) * SECOND;
}

static bool
not_given_back(struct soak *s, const char *what, const struct set_up *now,
	       const struct set_up *before)
{
	const struct set_up *f = &s->found;

	snprintf(s->wrong, sizeof(s->wrong),
		 "%s: force %u, counting %u, words %#" PRIx64 " %#" PRIx64
		 " ...; found %u, %u, %#" PRIx64 " %#" PRIx64
		 " ...; before %u, %u, %#" PRIx64 " %#" PRIx64 " ...",
		 what, now->force, now->counting, now->word[0], now->word[1],
		 f->force, f->counting, f->word[0], f->word[1], before->force,
		 before->counting, before->word[0], before->word[1]);
	return false;
}

/*
 * What a neighbour has set since is the neighbour's, and stands; where the
 * kernel refuses us nothing can be put back. `before`: as it was at the end.
 */
static bool
given_back(struct soak *s, const struct set_up *before, bool words_ours,
	   bool counting_ours)
{
	struct set_up now, *want = &s->found;
	bool refused = !soak_calm(s), stopped;

	soak_look(&now);
	counting_ours = counting_ours && words_ours;
	if (now.force != 0)
		return not_given_back(s, "force outlived its task", &now,
				      before);
	if ((!words_ours &&
	     memcmp(now.word, before->word, sizeof(now.word)) != 0) ||
	    (!counting_ours && now.counting != before->counting) ||
	    now.threads != before->threads ||
	    memcmp(now.period, before->period, sizeof(now.period)) != 0 ||
	    memcmp(now.actionid, before->actionid, sizeof(now.actionid)) != 0)
		return not_given_back(s, "a neighbour's set-up was undone",
				      &now, before);
	/* A neighbour that stopped what ktop counted meant that to last. */
	stopped = s->thefts != s->found_thefts && (now.counting & 2) == 0;
	if (refused ||
	    ((!words_ours || (stopped && !tells_stopped_words()) ||
	      memcmp(now.word, want->word, sizeof(now.word)) == 0) &&
	     (!counting_ours || stopped || now.counting == want->counting)))
		return true;
	return not_given_back(s, "the counters are not as they were found",
			      &now, before);
}

/* Is it ours, what counts now? The kernel's state, which no fault hides. */
static void
whose(const struct soak *s, const struct set_up *now, bool *words, bool *counts)
{
	const struct kperf_source *k = kperf_of(s->source);
	const struct kperf_words *w = &k->changes.words_are;
	struct kperf_words is = { .len = SIM_PMCS };

	memcpy(is.word, now->word, sizeof(now->word));
	/* Or those that ktop left to wait for a start of somebody else's. */
	*words = k->changes.words &&
		 (kperf_words_equal(&is, w) || kperf_was_restarted(k, &is));
	*counts = k->changes.counting && now->counting == KPERF_BOTH;
}

/*
 * What was released is as it was found when all is calm again, also where the
 * kernel refused it at first; unless a thief was about, before or since.
 */
static bool
released_well(struct soak *s)
{
	struct set_up now, before = s->at_release;

	if (!s->released || s->thefts != s->release_thefts)
		return true;
	soak_look(&now);
	before.threads = now.threads;
	memcpy(before.period, now.period, sizeof(now.period));
	memcpy(before.actionid, now.actionid, sizeof(now.actionid));
	s->releases++;
	return given_back(s, &before, s->words_ours, s->counts_ours);
}

/*
 * As a person does it who is told that another program counts: once more. Where
 * no power manager shares, what an ended ktop could not put back reads so.
 */
static bool
take_anyway(struct soak *s, const struct eventset *set, struct err *e)
{
	return kperf_program(s->source, set, e) ||
	       (kperf_of(s->source)->changes.take_anyway &&
		kperf_program(s->source, set, e));
}

/* Counts a preset drawn; refusals are a trouble's work, else a fault. */
bool
soak_take_preset(struct soak *s)
{
	struct err e = { ERR_NONE, "" };
	struct eventset set;
	struct set_up before;
	const struct preset *p =
		&preset_table[dice_roll(&s->dice, preset_count)];
	const struct source_info *i = &s->source->info;

	if (i->catalog == NULL)
		return true;
	if (!preset_derive(p, i->catalog, i->domain, &set, &e))
		return true; /* this chip has nothing of it */
	if (!finish_frame(s))
		return false;
	bool first = kperf_of(s->source)->mode != SOURCE_FULL;

	if (first && soak_calm(s) && !released_well(s))
		return false;
	if (first)
		soak_look(&before);
	a_moment_later();
	if (!take_anyway(s, &set, &e)) {
		if (soak_calm(s) && !s->refuses)
			return soak_fail(s, e.text);
		return first || soak_sample(s);
	}
	if (first) {
		s->found = before;
		s->found_thefts = s->thefts;
		/* Another's is refused: it has gone, or it was ours. */
		s->found.force = 0;
	}
	s->released = false;
	s->swaps++;
	return soak_sample(s);
}

bool
soak_release(struct soak *s)
{
	struct err e = { ERR_NONE, "" };

	if (!finish_frame(s))
		return false;
	if (kperf_of(s->source)->mode == SOURCE_FULL) {
		soak_look(&s->at_release);
		whose(s, &s->at_release, &s->words_ours, &s->counts_ours);
		s->release_thefts = s->calm_thefts;
		s->released = true;
	}
	a_moment_later();
	if (!kperf_program(s->source, NULL, &e) && soak_calm(s))
		return soak_fail(s, e.text);
	monitor_gap(s->monitor);
	return soak_sample(s);
}

/* A CPU that is off has no baseline. */
static void
wait_for_all(void)
{
	struct sim_kernel *k = sim_lock();

	for (unsigned c = 0; c < k->ncpus; c++)
		while (!sim_online(k, c, k->s->time.awake_ns)) {
			sim_kernel_step(k, k->s->time.awake_ns + SECOND);
			c = 0;
		}
	sim_unlock();
}

/* One run of ktop begins: nothing is wrong with the machine. */
bool
soak_start(struct soak *s)
{
	struct source_options o = { .user_only = true };
	struct monitor_options mo = { .period_ns = SECOND,
				      .rows_may_be_stale = true };
	struct err e = { ERR_NONE, "" };

	wait_for_all();
	soak_look(&s->found);
	s->found_thefts = s->calm_thefts;
	s->source = kperf_open_with(sim_kperf(), sim_kperfdata(), sim_host(),
				    "sim", &o, &e);
	if (s->source == NULL)
		return soak_fail(s, e.text);
	mo.catalog = s->source->info.catalog;
	s->sample = sample_new(s->source->info.topology->ncpus, &e);
	s->monitor = monitor_new(s->source->info.topology, &mo, &e);
	if (s->sample == NULL || s->monitor == NULL)
		return soak_fail(s, e.text);
	s->frame = NULL;
	s->released = false;
	s->sessions++;
	if (!soak_sample(s))
		return false;
	ledger_start(&s->ledger, s->source->info.topology);
	s->grid_ns = soak_now_ns();
	s->grid_ticks = s->missed = 0;
	ticker_start(&s->ticker, s->grid_ns, SECOND);
	return soak_take_preset(s);
}

bool
soak_end(struct soak *s)
{
	struct set_up before;
	struct sim_caller who = sim_caller_now();
	bool ours, counts;

	soak_look(&before);
	whose(s, &before, &ours, &counts);
	kperf_close(s->source);
	monitor_free(s->monitor);
	sample_free(s->sample);
	s->source = NULL;
	s->monitor = NULL;
	s->sample = NULL;
	if (sim_lock() != NULL) { /* the task ends */
		sim_kernel_exit(sim_lock(), &who);
		sim_unlock();
		sim_unlock();
	}
	return given_back(s, &before, ours, counts);
}
