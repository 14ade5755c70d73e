/* Each event alone, and the words in force. */
#include "source/kperf/examine.h"

#include "base/report.h"
#include "model/slots.h"

#include <inttypes.h>
#include <string.h>

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
	report_ranges(b, v->counters);
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
examine_in_force(struct examine *x)
{
	const struct kperf_source *s = kperf_of(x->s);
	char text[1024];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = 0; i < s->set.len; i++)
		if ((s->left_out >> i & 1) != 0)
			buf_printf(&b, "%s%s", b.len > 0 ? ", " : "",
				   s->set.slot[i].event->name);
	if (b.len > 0)
		report_line(x->out, "  not",
			    "%s: EPERM, macOS does not allow it", buf_cstr(&b));
	kperf_examine_words(x->out, "  wrote", &s->words);
	kperf_examine_words(x->out, "  read", &s->held.words_are);
}

/* ---- taking ---- */

static bool
examine_take(struct examine *x, struct err *e)
{
	struct kperf_source *s = kperf_of(x->s);

	s->examined = kperf_acquire(s, e);
	return s->examined;
}

static bool
examine_give_back(struct examine *x, struct err *e)
{
	struct kperf_source *s = kperf_of(x->s);

	s->examined = false;
	x->found.kernel.latent = s->held.latent;
	if (s->mode == SOURCE_FULL && kperf_program(x->s, NULL, NULL))
		return true;
	/* Also what a taking that failed has taken. */
	return kperf_give_back(s, e);
}

/* The database by its name; what else is asked, the frameworks answer. */
static void
examine_questions(struct examine *x)
{
	const struct kperf_source *s = kperf_of(x->s);
	const char *name = s->events.name;

	if (s->events.db == NULL)
		report_line(x->out, "database", "none");
	else if (s->pmu == NULL)
		report_line(
			x->out, "database",
			"%s: ktop has no table for it and uses Apple's own: names and counters are right, slot widths are not known",
			name);
	else
		report_line(
			x->out, "database", "%s, %s", name,
			strcmp(name, s->pmu->db) == 0
				? "as ktop's table calls it"
				: "under another name than in ktop's table");
}

const struct source_examine kperf_examine = {
	.events =
		"each alone: counters it may use -> the one taken, word, mode",
	.presets = "words and events in counter order; ",
	.busy = "host_processor_info",
	.own =
		(const struct examine_section[]){
			{ "database", kperf_examine_database },
			{ "kernel", kperf_examine_kernel },
			{ "reads", kperf_examine_reads },
			{ "loops", kperf_examine_loops },
			{ "tracing", kperf_examine_tracing },
			{ "questions", examine_questions },
			{ NULL, NULL },
		},
	.event = examine_event,
	.take = examine_take,
	.give_back = examine_give_back,
	.own_counters = true,
	.in_force = examine_in_force,
	.read = kperf_examine_read,
};
