/* What can be counted: each event alone, then each preset. */
#include "commands/doctor/doctor.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "model/metric.h"
#include "model/slots.h"

enum { LINE_SIZE = 1024 };

/* "2-9", "5-7" */
static void
counters_text(uint32_t counters, char *text, size_t size)
{
	size_t at = 0;

	text[0] = '\0';
	for (unsigned i = 0; i < 32 && at < size; i++) {
		unsigned first = i;

		if ((counters >> i & 1) == 0)
			continue;
		while (i < 31 && (counters >> (i + 1) & 1) != 0)
			i++;
		at += (size_t)snprintf(text + at, size - at, "%s%u",
				       at > 0 ? "," : "", first);
		if (i > first && at < size)
			at += (size_t)snprintf(text + at, size - at, "-%u", i);
	}
}

/*
 * Programs the set the way ktop does: counting 0, words, counting, words read
 * back. What stays in the counters is put back at the end of it all.
 */
static bool
engage(struct doctor *d, const struct eventset *set, struct kperf_words *w,
       unsigned *column, uint32_t *left_out, struct err *e)
{
	int64_t from;
	bool ok;

	if (!kperf_words_build(d->k, set, w, column, e))
		return false;
	from = doctor_now_ns();
	ok = kperf_engage_most(d->k, w, set, column, left_out, e);
	from = doctor_now_ns() - from;
	if (from > d->found.slowest_swap_ns)
		d->found.slowest_swap_ns = from;
	return ok;
}

/* The readings above worked: EPERM is about the event (the allow-list). */
static const char *
refusal(const struct err *e)
{
	return e->code == ERR_PERM ? "EPERM, macOS does not allow it" : e->text;
}

/* All of them in one list: what a report is read for first. */
static void
note_refused(struct doctor *d, const struct event *v, const struct err *e)
{
	char *list = d->found.refused_names;
	size_t at = strlen(list), size = sizeof(d->found.refused_names);
	size_t more = strlen(v->name) + sizeof(", 0xffff EPERM");

	if (at + more >= size)
		return;
	d->found.refused_listed++;
	(void)snprintf(list + at, size - at, "%s%s 0x%" PRIx32 "%s",
		       at > 0 ? ", " : "", v->name, v->number,
		       e->code == ERR_PERM ? " EPERM" : "");
}

static void
event_failed(struct doctor *d, FILE *out, const struct event *v,
	     const struct err *e)
{
	char counters[64];

	d->found.refused++;
	note_refused(d, v, e);
	counters_text(v->counters, counters, sizeof(counters));
	report_line(out, v->name, "%s: wrote 0x%" PRIx32 " refused: %s",
		    counters, v->number, refusal(e));
}

static void
event_alone(struct doctor *d, FILE *out, const struct event *v)
{
	const struct event *one[1] = { v };
	unsigned column[EVENTSET_MAX] = { 0 }, at;
	struct eventset set = { .len = 0 };
	struct err e = { ERR_NONE, "" };
	struct kperf_words w;
	char counters[64];
	uint64_t back;
	uint32_t left_out;
	enum domain domain;

	d->found.events++;
	if (!slots_place(&d->k->events.catalog, one, 1, &set, &e) ||
	    set.len != 1) {
		d->found.misplaced++;
		report_line(out, v->name, "not placed: %s", e.text);
		return;
	}
	if (!engage(d, &set, &w, column, &left_out, &e)) {
		event_failed(d, out, v, &e);
		return;
	}
	at = column[0] - d->k->nfixed;
	back = d->k->held.words_are.word[at];
	domain = kperf_words_domain(&d->k->held.words_are);
	if (d->found.domain == DOMAIN_NONE)
		d->found.domain = domain;
	else if (domain != d->found.domain)
		d->found.domain = DOMAIN_MIXED;
	counters_text(v->counters, counters, sizeof(counters));
	(void)fprintf(
		out, "%s: %s -> %u wrote 0x%" PRIx64 " read 0x%" PRIx64 " %s\n",
		v->name, counters, set.slot[0].counter, w.word[at], back,
		domain != DOMAIN_NONE ? domain_name[domain] : "none");
}

void
doctor_events(struct doctor *d, FILE *out)
{
	const struct catalog *c = &d->k->events.catalog;

	report_section(out, "events");
	(void)fprintf(out,
		      "# each alone: counters it may use -> the one taken, "
		      "word, mode\n");
	for (unsigned i = 0; i < c->len && !doctor_interrupted(d); i++)
		if (!c->event[i].fixed)
			event_alone(d, out, &c->event[i]);
	report_line(out, "mode", "%s",
		    d->found.domain == DOMAIN_NONE
			    ? "none"
			    : domain_name[d->found.domain]);
	report_line(out, "events refused", "%u of %u", d->found.refused,
		    d->found.events);
}

/* Sum over the CPUs that both readings have of one place in their rows. */
static uint64_t
counted(const struct doctor *d, unsigned stride, unsigned column)
{
	uint64_t sum = 0;

	for (unsigned r = 0; r < d->k->rows; r++) {
		uint64_t from = d->rows[0][(size_t)r * stride + column];
		uint64_t to = d->rows[1][(size_t)r * stride + column];

		if (from != DOCTOR_SENTINEL && to != DOCTOR_SENTINEL &&
		    to >= from)
			sum += to - from;
	}
	return sum;
}

static void
words_line(FILE *out, const char *key, const struct kperf_words *w)
{
	char text[LINE_SIZE] = "";
	size_t at = 0;

	for (unsigned i = 0; i < w->len && at < sizeof(text); i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s0x%" PRIx64, i > 0 ? " " : "",
				       w->word[i]);
	report_line(out, key, "%s", text);
}

/* "5:INST_ALL=123", what the whole machine counted in a moment. */
static void
preset_counts(const struct doctor *d, FILE *out, const struct eventset *set,
	      const unsigned *column, uint32_t left_out)
{
	char text[LINE_SIZE] = "";
	size_t at = 0;

	if (doctor_read_rows(d, d->rows[0], KPERF_BOTH, d->k->stride) == 0) {
		doctor_pause(d, DOCTOR_TRIAL_NS);
		(void)doctor_read_rows(d, d->rows[1], KPERF_BOTH, d->k->stride);
	}
	for (unsigned i = 0; i < set->len && at < sizeof(text); i++) {
		if ((left_out >> i & 1) != 0)
			continue;
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s%u:%s=%" PRIu64, at > 0 ? " " : "",
				       set->slot[i].counter,
				       set->slot[i].event->name,
				       counted(d, d->k->stride, column[i]));
	}
	report_line(out, "  counted", "%s", text);
}

static void
preset_alone(struct doctor *d, FILE *out, const struct preset *p)
{
	unsigned column[EVENTSET_MAX] = { 0 };
	struct eventset set;
	struct err e = { ERR_NONE, "" };
	struct kperf_words w;
	uint32_t left_out = 0;
	char key[64], text[200] = "";

	(void)snprintf(key, sizeof(key), "preset %s", p->name);
	if (!preset_derive(p, d->source->info.catalog, d->found.domain, &set,
			   &e)) {
		report_line(out, key, "not on this chip: %s", e.text);
		return;
	}
	d->found.presets++;
	if (!engage(d, &set, &w, column, &left_out, &e)) {
		report_line(out, key, "refused: %s", refusal(&e));
		return;
	}
	d->found.programmed++;
	if (left_out != 0)
		kperf_refused_text(d->k, &set, left_out, text, sizeof(text));
	report_line(out, key, "%u %s%s%s%s", set.len,
		    plural(set.len, "event", "events"),
		    set.ndropped > 0 ? ", some of its metrics do not fit" : "",
		    left_out != 0 ? "; " : "", text);
	words_line(out, "  wrote", &w);
	words_line(out, "  read", &d->k->held.words_are);
	preset_counts(d, out, &set, column, left_out);
}

void
doctor_presets(struct doctor *d, FILE *out)
{
	report_section(out, "presets");
	(void)fprintf(out,
		      "# words in counter order; what all CPUs counted in "
		      "%d ms\n",
		      DOCTOR_TRIAL_NS / 1000000);
	for (unsigned i = 0; i < preset_count && !doctor_interrupted(d); i++)
		preset_alone(d, out, &preset_table[i]);
	report_line(out, "slowest swap", "%lld us",
		    (long long)(d->found.slowest_swap_ns / 1000));
}
