/*
 * A stop and start by somebody else, which leaves words and counting as they
 * were, and makes all sums begin at 0. Where words act with the next start,
 * whoever starts (macOS 26.5 on), others than ours are left to wait for it: in
 * force, they tell of it, also where no sum has fallen.
 */
#include "source/kperf/state.h"

/* The same with one place that reads differently; false: there is none. */
static bool
to_wait(const struct kperf_words *w, struct kperf_words *out)
{
	const uint64_t event = KPC_CONFIG_EVENT_16;
	unsigned first = 0, at;

	while (first < w->len && (w->word[first] & event) == 0)
		first++;
	if (first == w->len)
		return false;
	*out = *w;
	/* A place that counts nothing, if there is one. */
	for (at = 0; at < w->len && (w->word[at] & event) != 0; at++)
		;
	if (at == w->len)
		at = first == 0 ? w->len - 1 : 0;
	out->word[at] = w->word[first];
	return !kperf_words_same_events(w, out);
}

/*
 * Noted before they are written: ours to give back, should they come into
 * force. What is refused changes nothing. False: they act at once.
 */
static bool
let_wait(struct kperf_source *s, const struct kperf_words *w)
{
	struct kperf_words waits, copy, now;

	if (s->kpc->kpc_get_config_count(KPERF_SLOTS) != w->len ||
	    !to_wait(w, &waits))
		return true;
	s->held.words_next = copy = waits;
	if (s->kpc->kpc_set_config(KPERF_SLOTS, copy.word) != 0) {
		s->held.words_next.len = 0;
		return true;
	}
	return !kperf_get_words(s, &now) ||
	       !kperf_words_same_events(&now, &waits);
}

bool
kperf_engage_watched(struct kperf_source *s, const struct kperf_words *w,
		     struct kperf_fault *f)
{
	s->epoch++;
	if (!kperf_hold_engage(s->kpc, &s->found, &s->held, w, f))
		return false;
	if (!s->held.latent || s->at_once || let_wait(s, w))
		return true;
	s->at_once = true; /* then it is of no use */
	return kperf_hold_engage(s->kpc, &s->found, &s->held, w, f);
}

bool
kperf_started_again(const struct kperf_source *s, const struct kperf_words *now)
{
	return s->held.latent && s->held.words_next.len != 0 &&
	       kperf_words_same_events(now, &s->held.words_next);
}
