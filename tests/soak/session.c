#include "soak/soak.h"

#include "model/metric.h"
#include "sim/inside.h"
#include "sim/instance.h"
#include "sim/sim.h"
#include "source/kperf.h"
#include "source/kperf_state.h"

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

void
soak_look(struct set_up *u)
{
	struct sim_kernel *k = sim_lock();

	memset(u, 0, sizeof(*u));
	if (k == NULL)
		return;
	u->force = k->s->force;
	u->counting = k->s->run_classes;
	u->threads = k->s->thread_classes;
	memcpy(u->word, k->s->word, sizeof(u->word));
	memcpy(u->period, k->s->period, sizeof(u->period));
	memcpy(u->actionid, k->s->actionid, sizeof(u->actionid));
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
	s->stolen += (f->quality & QUALITY_STOLEN) != 0;
	s->gaps += (f->quality & QUALITY_GAP) != 0;
	if (!ledger_take(&s->ledger, f))
		return soak_fail(s, s->ledger.wrong);
	return true;
}

/* As app/swap.c: a frame is cut where the set changes, unless it is fresh. */
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

	if (first)
		soak_look(&before);
	if (!kperf_program(s->source, &set, &e))
		return !soak_calm(s) || s->refuses || soak_fail(s, e.text);
	if (first) {
		s->found = before;
		/* Another's is refused: it has gone, or it was ours. */
		s->found.force = 0;
	}
	s->swaps++;
	return soak_sample(s);
}

bool
soak_release(struct soak *s)
{
	struct err e = { ERR_NONE, "" };

	if (!finish_frame(s))
		return false;
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
		while (!sim_online(k, c, k->s->awake_ns)) {
			sim_kernel_step(k, k->s->awake_ns + SECOND);
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
	s->sessions++;
	if (!soak_sample(s))
		return false;
	ledger_start(&s->ledger, s->source->info.topology);
	s->grid_ns = soak_now_ns();
	s->grid_ticks = s->missed = 0;
	ticker_start(&s->ticker, s->grid_ns, SECOND);
	return soak_take_preset(s);
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

	soak_look(&now);
	if (!soak_calm(s) && !s->thief)
		return now.force == 0 ||
		       soak_fail(s, "force outlived its task");
	want->threads = before->threads;
	memcpy(want->period, before->period, sizeof(want->period));
	memcpy(want->actionid, before->actionid, sizeof(want->actionid));
	if (!words_ours)
		memcpy(want->word, before->word, sizeof(want->word));
	if (!words_ours || !counting_ours)
		want->counting = before->counting;
	if (memcmp(&now, want, sizeof(now)) == 0)
		return true;
	snprintf(s->wrong, sizeof(s->wrong),
		 "%s: force %u, counting %u, words %#" PRIx64 " %#" PRIx64
		 " ..., and were to be %u, %u, %#" PRIx64 " %#" PRIx64
		 " ...; before %u, %u, %#" PRIx64 " %#" PRIx64 " ...",
		 s->thief || !words_ours
			 ? "a neighbour's set-up was undone"
			 : "the counters are not as they were found",
		 now.force, now.counting, now.word[0], now.word[1], want->force,
		 want->counting, want->word[0], want->word[1], before->force,
		 before->counting, before->word[0], before->word[1]);
	return false;
}

bool
soak_end(struct soak *s)
{
	const struct kperf_source *k = kperf_of(s->source);
	struct kperf_words words;
	struct set_up before;
	struct sim_caller who = sim_caller_now();
	bool ours = k->held.words && kperf_get_words(k, &words) &&
		    kperf_words_equal(&words, &k->held.words_are);

	soak_look(&before);
	bool counts = k->held.counting && before.counting == KPERF_BOTH;

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
