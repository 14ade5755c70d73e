#include "recording/part.h"

#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/plural.h"
#include "model/quality.h"
#include "recording/inner.h"

static bool
bound_parse_time(struct part_bound *b, const char *text)
{
	b->wall = recording_parse_time(text, strlen(text), &b->ns);
	b->given = b->wall || parse_duration(text, &b->ns) ||
		   parse_clock(text, &b->ns);
	return b->given;
}

static bool
bound_parse(struct part_bound *b, const char *option, const char *text,
	    struct err *e)
{
	if (text == NULL || bound_parse_time(b, text))
		return true;
	return err_set(
		e, ERR_USAGE,
		"--%s '%s' is neither a time since the start (90, 2m, 1.5s, 1:30) nor a date (2026-11-20T14:03:22Z)",
		option, text);
}

bool
part_parse(struct part *p, const char *from, const char *to, const char *mark,
	   struct err *e)
{
	memset(p, 0, sizeof *p);
	if (!bound_parse(&p->from[0], "from", from, e) ||
	    !bound_parse(&p->to[0], "to", to, e))
		return false;
	if (mark == NULL)
		return true;
	const char *dots = strstr(mark, "..");

	if (dots == NULL || strcmp(mark, "..") == 0 ||
	    (size_t)(dots - mark) >= sizeof p->begin ||
	    strlen(dots + 2) >= sizeof p->end)
		return err_set(e, ERR_USAGE,
			       "--mark '%s' is not A..B, A.. or ..B", mark);
	memcpy(p->begin, mark, (size_t)(dots - mark));
	memcpy(p->end, dots + 2, strlen(dots + 2));
	p->marks = true;
	p->began = p->begin[0] == '\0';
	return true;
}

static bool
mark_matches(const char *want, const char *text, unsigned number)
{
	uint64_t n;

	if (strcmp(want, text) == 0)
		return true;
	return parse_u64(want, UINT32_MAX, &n) && n == number;
}

static void
part_list_mark(struct part *p, const char *text, unsigned number)
{
	char item[RECORDING_NOTE_MAX + 16];
	size_t have = strlen(p->list);
	int n = snprintf(item, sizeof item, "%s%u '%s'", have > 0 ? ", " : "",
			 number, text);

	if (p->listed + 1 != p->seen || n < 0 ||
	    have + (size_t)n >= sizeof p->list)
		return;
	memcpy(p->list + have, item, (size_t)n + 1);
	p->listed = p->seen;
}

static void
part_meet_mark(struct part *p, const char *text, unsigned number, int64_t ns)
{
	p->seen++;
	part_list_mark(p, text, number);
	if (!p->began && mark_matches(p->begin, text, number)) {
		p->began = true;
		p->begin_ns = ns;
	} else if (p->began && !p->ended && p->end[0] != '\0' &&
		   mark_matches(p->end, text, number)) {
		p->ended = true;
		p->end_ns = ns;
	}
}

static void
part_meet_frame_marks(struct part *p, const struct recording_frame *f)
{
	for (unsigned i = 0; i < f->nnotes; i++)
		if (f->note[i].kind == RECORDING_MARK)
			part_meet_mark(p, f->note[i].text, p->seen + 1,
				       f->note[i].elapsed_ns);
}

/* A name that matches no marker may be the word in `open`, or a time. An
 * integer is a marker's number, never a time. */
static void
part_resolve_name(const struct recording_index *x, char *name, const char *open,
		  struct part_bound *b)
{
	for (unsigned i = 0; i < x->nhappenings; i++)
		if (x->happening[i].what == INDEX_IS_MARK &&
		    mark_matches(name, x->happening[i].text,
				 x->happening[i].number))
			return;
	if (strcmp(name, open) == 0 ||
	    (name[strspn(name, "0123456789")] != '\0' &&
	     bound_parse_time(b, name)))
		name[0] = '\0';
}

void
part_find_marks(struct part *p, const struct recording_index *x)
{
	if (!p->marks || x == NULL || x->happenings_lost > 0)
		return;
	part_resolve_name(x, p->begin, "start", &p->from[1]);
	part_resolve_name(x, p->end, "end", &p->to[1]);
	p->began = p->begin[0] == '\0';
	p->timed = true;
	p->begin_ns = INT64_MIN;
	p->end_ns = INT64_MAX;
	for (unsigned i = 0; i < x->nhappenings; i++)
		if (x->happening[i].what == INDEX_IS_MARK)
			part_meet_mark(p, x->happening[i].text,
				       x->happening[i].number,
				       x->happening[i].ns);
}

static enum part_place
part_place_by_time(const struct part *p, const struct recording_frame *f,
		   int64_t elapsed_ns)
{
	enum part_place place = PART_IN;

	for (unsigned i = 0; i < 2; i++) {
		int64_t from = p->from[i].wall ? f->wall_ns : elapsed_ns;
		int64_t to = p->to[i].wall ? f->wall_ns : elapsed_ns;

		if (p->to[i].given && to > p->to[i].ns)
			return PART_AFTER;
		/* A frame that ends exactly at --from is before the part. */
		if (p->from[i].given && from <= p->from[i].ns)
			place = PART_BEFORE;
	}
	return place;
}

int64_t
recording_frame_interval(const struct recording_frame *f, bool *plain)
{
	int64_t least = INT64_MAX, one = -1;

	for (unsigned i = 0; i < f->ncpus; i++) {
		const struct span *c = &f->cpu[i].counts;

		if ((c->quality & QUALITY_CATCHUP) == 0)
			one = (int64_t)c->cpu_ns;
		if ((int64_t)c->cpu_ns < least)
			least = (int64_t)c->cpu_ns;
	}
	*plain = one >= 0;
	return *plain ? one : least;
}

enum part_place
part_place_frame(struct part *p, const struct recording_frame *f,
		 int64_t now_ns)
{
	bool plain;

	if (!p->begun)
		p->first_ns = now_ns - recording_frame_interval(f, &plain);
	p->begun = true;
	enum part_place place = part_place_by_time(p, f, now_ns - p->first_ns);

	if (!p->marks)
		return place;
	if (p->timed) {
		if (now_ns > p->end_ns)
			return PART_AFTER;
		return now_ns > p->begin_ns || place == PART_AFTER
			       ? place
			       : PART_BEFORE;
	}
	if (p->ended)
		return PART_AFTER;
	if (!p->began)
		place = place == PART_IN ? PART_BEFORE : place;
	part_meet_frame_marks(p, f);
	return place;
}

bool
part_check(const struct part *p, struct err *e)
{
	if (!p->marks || (p->began && (p->ended || p->end[0] == '\0')))
		return true;
	const char *want = p->began ? p->end : p->begin;
	const char *behind =
		p->began && p->begin[0] != '\0' ? " after the other" : "";

	if (p->seen == 0)
		return err_set(
			e, ERR_USAGE,
			"the recording has no marker '%s' and no other markers; press m while ktop records, or use --from and --to",
			want);
	return err_set(e, ERR_USAGE,
		       "the recording has no marker '%s'%s; it has %u %s: %s%s",
		       want, behind, p->seen,
		       plural(p->seen, "marker", "markers"), p->list,
		       p->listed < p->seen ? " ..." : "");
}
