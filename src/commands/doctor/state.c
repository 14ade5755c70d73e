/* What is set on a Mac: found before doctor takes the counters, and after. */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "kperf/trace.h"

bool
doctor_refused(struct err *e, const char *call)
{
	switch (errno) {
	case EPERM:
		return err_set(
			e, ERR_PERM,
			"only root may look at the counters (%s); start it with sudo",
			call);
	case EACCES:
	case EBUSY:
		return err_set(
			e, ERR_TAKEN,
			"another program holds the counters (%s); what is set is its own; quit it first",
			call);
	case ENOENT:
	case ENOTSUP:
		return err_set(e, ERR_NO_PMU,
			       "this machine has no counters (%s)", call);
	}
	return err_set(e, ERR_FAIL, "%s failed: %s", call, strerror(errno));
}

bool
doctor_look(const struct kperf_api *k, const struct kperf_system *system,
	    struct doctor_state *l, struct err *e)
{
	memset(l, 0, sizeof *l);
	errno = 0;
	if (k->kpc_force_all_ctrs_get(&l->force) != 0)
		return doctor_refused(e, "kpc_force_all_ctrs_get");
	if (!kperf_hold_counting(k, &l->counting))
		return doctor_refused(e, "kpc_get_counting");
	/* No configurable counters: no words, and no failure. */
	if (!kperf_words_get(k, &l->words) &&
	    (errno != 0 || k->kpc_get_config_count(KPERF_SLOTS) > 0))
		return doctor_refused(e, "kpc_get_config");
	/* A bit above the classes is a failure. */
	l->threads = k->kpc_get_thread_counting();
	if (l->threads > UINT8_MAX)
		l->threads = 0;
	l->traced = system != NULL && kperf_trace_left(system);
	return true;
}

static void
state_line(const struct doctor *d, const char *key,
	   const struct doctor_state *l, const struct err *why)
{
	char text[KPC_MAX_COUNTERS * 20];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = 0; i < l->words.len; i++)
		buf_printf(&b, " %#" PRIx64, l->words.word[i]);
	if (why->text[0] != '\0')
		report_line(d->x.out, key, "%s", why->text);
	else
		report_line(d->x.out, key,
			    "force %d, classes %" PRIu32 ", of threads %" PRIu32
			    ", words%s",
			    l->force, l->counting, l->threads, buf_cstr(&b));
}

/*
 * Config words that nothing counts are no state from macOS 26.5 on: what is
 * read of them is what the hardware was left with (kperf/hold.h, latent).
 */
static void
compare(struct doctor *d)
{
	const struct doctor_state *a = &d->before, *b = &d->after;
	bool words =
		!d->x.found.kernel.latent ||
		(a->counting & b->counting & KPC_CLASS_CONFIGURABLE_MASK) != 0;
	char text[64];
	struct buf changed = buf_over(text, sizeof text);

	if (a->force != b->force)
		buf_str(&changed, " force");
	if (a->counting != b->counting)
		buf_str(&changed, " classes");
	if (a->threads != b->threads)
		buf_str(&changed, " threads");
	if (a->traced != b->traced)
		buf_str(&changed, " tracing");
	if (words && (a->words.len != b->words.len ||
		      memcmp(a->words.word, b->words.word,
			     a->words.len * sizeof a->words.word[0]) != 0))
		buf_str(&changed, " words");
	d->found.restored =
		changed.len == 0 && d->found.restore.text[0] == '\0';
	report_line(d->x.out, "restored", "%s%s%s",
		    !d->found.restored ? "no"
		    : d->found.forced  ? "yes"
				       : "yes (nothing was taken)",
		    d->found.restore.text[0] != '\0' ? ": " : "",
		    d->found.restore.text);
	if (changed.len > 0)
		report_line(d->x.out, "changed", "%s", buf_cstr(&changed) + 1);
}

/* Who has the counters, what taking them does, and is all put back? */
void
doctor_counters(struct doctor *d)
{
	state_line(d, "before", &d->before, &d->before_why);
	if (!d->found.forced) {
		report_line(d->x.out, "force", "no: %s", d->x.found.full.text);
	} else {
		report_line(d->x.out, "force", "taken in %lld us",
			    (long long)(d->found.force_ns / 1000));
		report_line(d->x.out, "raw words", "%u%s", d->raw_words,
			    d->raw_words == 17 ? " (with event filtering)"
					       : "");
		report_line(
			d->x.out, "counter layer", "%s",
			d->x.found.kernel.latent
				? "CPC (macOS 26.5 and later): words can be told only while they count"
				: "kpc (to macOS 26.4): words act at once");
	}
	state_line(d, "after", &d->after, &d->after_why);
	compare(d);
}
