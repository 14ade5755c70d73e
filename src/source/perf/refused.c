/* What the kernel did not take of a set although the table did. */
#include "source/perf/state.h"

#include "base/buf.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NOT_ASKED = -1 };

/* NOT_ASKED, 0 where a CPU of the kind counts it, or the errno. */
static int
refusal(const struct perf_source *s, unsigned slot, unsigned kind)
{
	const struct perf_event_code *c =
		perf_catalog_code(&s->catalog, s->set.slot[slot].event, kind);
	int code = NOT_ASKED;

	if (!c->known)
		return NOT_ASKED;
	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct group *g = &s->cpu[i].group;

		if (!g->open || s->topology->cpu[i].kind != kind ||
		    (group_without_pmu(g) && c->how != LINUX_SOFTWARE))
			continue;
		code = g->refused[GROUP_SLOT + slot];
		if (code == 0)
			return 0;
	}
	return code;
}

/* 0, or the errno of a kind whose PMU counts on none of its CPUs. */
static int
pmu_refusal(const struct perf_source *s, unsigned kind)
{
	int code = 0;

	for (unsigned i = 0; i < s->topology->ncpus; i++) {
		const struct group *g = &s->cpu[i].group;

		if (!g->open || s->topology->cpu[i].kind != kind)
			continue;
		if (!group_without_pmu(g))
			return 0;
		code = g->refused[FIXED_CYCLES];
	}
	return code;
}

static const char *
name_of(const struct topology_kind *k)
{
	return k->letter[0] != '\0' ? k->letter : k->name;
}

/* Where it is refused: " on P and E"; "" is everywhere. The errno, or 0. */
static int
refused_where(const struct perf_source *s, unsigned slot, struct buf *where)
{
	bool counted = false;
	int why = 0;

	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		int code = refusal(s, slot, k);

		counted = counted || code == 0;
		if (code <= 0)
			continue;
		buf_str(where, why == 0 ? " on " : " and ");
		buf_str(where, name_of(&s->topology->kind[k]));
		why = code;
	}
	if (!counted)
		where->len = 0;
	return why;
}

static void
drop(struct perf_source *s, unsigned slot, int code, const char *where,
     struct buf *said)
{
	unsigned n = s->set.ndropped;
	const char *name = s->set.slot[slot].event->name;
	char why[sizeof s->set.dropped[0].why];

	if (code == EINVAL)
		snprintf(why, sizeof why,
			 "refused%s (EINVAL): no counter is left for it",
			 where);
	else
		snprintf(why, sizeof why, "refused%s by the kernel: %s", where,
			 strerror(code));
	buf_printf(said, "%s%s%s", said->len > 0 ? ", " : "not counted: ", name,
		   where);
	if (n == EVENTSET_MAX)
		return;
	s->set.dropped[n].event = name;
	memcpy(s->set.dropped[n].why, why, sizeof why);
	s->set.ndropped++;
}

void
perf_note_without_pmu(struct perf_source *s)
{
	struct buf said = buf_over(s->refused, sizeof s->refused - 1);
	int why = 0;

	said.len = s->refused_len;
	for (unsigned k = 0; k < s->catalog.nkinds; k++) {
		int code = pmu_refusal(s, k);

		if (code == 0)
			continue;
		buf_str(&said, why != 0       ? " and "
			       : said.len > 0 ? "; no hardware counters on "
					      : "no hardware counters on ");
		buf_str(&said, name_of(&s->topology->kind[k]));
		why = code;
	}
	if (why != 0)
		buf_printf(
			&said,
			" (%s): only the kernel's own events are counted there; ktop doctor shows what was tried",
			strerror(why));
	buf_cstr(&said);
}

void
perf_note_refusals(struct perf_source *s)
{
	struct buf said = buf_over(s->refused, sizeof s->refused - 1);
	int first = 0;

	if (!s->counts) { /* a set of the kernel's own events hides no lack */
		buf_printf(&said, "%.198s", s->source.info.why.text);
		buf_cstr(&said);
	}
	for (unsigned i = 0; i < s->set.len; i++) {
		char text[64];
		struct buf where = buf_over(text, sizeof text - 1);
		int code = refused_where(s, i, &where);

		if (code == 0)
			continue;
		first = first != 0 ? first : code;
		drop(s, i, code, buf_cstr(&where), &said);
	}
	if (first != 0 && s->counts)
		buf_printf(&said, " (%s)",
			   first == EINVAL ? "EINVAL: no counter is left"
					   : strerror(first));
	s->refused_len = said.len;
	perf_note_without_pmu(s);
}
