#include "app/renewal.h"

#include "app/run.h"
#include "app/state.h"
#include "model/sample.h"
#include "recording/replay.h"

enum { SECOND_NS = 1000 * 1000 * 1000 };

static const int64_t longest_ns = INT64_C(30) * SECOND_NS;

static bool
go_on(struct app *a, struct source *s, const struct topology *was,
      struct err *e)
{
	struct monitor *before = a->monitor;
	struct sample *sample = a->sampling.sample;

	a->source = s;
	a->frame = NULL;
	a->monitor = NULL;
	a->sampling.sample = NULL;
	a->renewal.machines++;
	bool ok = sampling_open(a, e) && outlets_machine(a, was, e) &&
		  run_machine(a, was, e);

	if (ok && !s->info.ends)
		counting_again(a);
	if (ok)
		monitor_go_on(a->monitor, before);
	sample_free(sample);
	monitor_free(before);
	return ok;
}

/* What is open goes on; a loss that cannot be made good is the end. */
static enum renewed
try_later(struct app *a, const struct err *why)
{
	struct renewal *r = &a->renewal;

	if (a->source->info.lost)
		return RENEWED_GONE;
	r->wait_ns = r->wait_ns == 0 ? SECOND_NS : 2 * r->wait_ns;
	if (r->wait_ns > longest_ns)
		r->wait_ns = longest_ns;
	/* Text output repeats nothing: it is told once. */
	if (a->screen.wanted || r->wait_ns == SECOND_NS)
		news_add(
			&a->news,
			"CPUs changed and cannot be read, trying again in %d s: %s",
			(int)(r->wait_ns / SECOND_NS), why->text);
	return RENEWED_LATER;
}

static enum renewed
renew(struct app *a, struct err *e)
{
	struct topology *was = topology_copy(a->source->info.topology, e);
	struct source *s = NULL;
	enum renewed what = RENEWED_WELL;

	if (was != NULL)
		s = a->source->ops->renew(a->source, &a->o->source, e);
	if (s == NULL) {
		what = try_later(a, e);
	} else {
		if (a->renewal.wait_ns > 0)
			news_add(&a->news, "the machine has been read again");
		a->renewal.wait_ns = 0;
		if (!go_on(a, s, was, e))
			what = RENEWED_GONE;
	}
	topology_free(was);
	return what;
}

enum renewed
renewal_of_machine(struct app *a, struct err *e)
{
	struct renewal *r = &a->renewal;
	int64_t wait = r->wait_ns > 0 ? r->wait_ns : SECOND_NS;
	struct stamp now;

	/* A paused screen keeps the old topology. */
	if (a->source->ops->renew == NULL || !a->source->info.outdated ||
	    (a->screen.ui != NULL && ui_paused(a->screen.ui)))
		return RENEWED_NOT;
	clock_now(a->clock, &now);
	if (r->opened_ns != 0 && now.awake_ns - r->opened_ns < wait)
		return RENEWED_NOT;
	r->opened_ns = now.awake_ns;
	return renew(a, e);
}

enum renewed
renewal_of_recording(struct app *a, struct err *e)
{
	return replay_outdated(a->source) ? renew(a, e) : RENEWED_NOT;
}
