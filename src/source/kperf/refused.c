/*
 * The kernel refuses a whole set for one event, and does not say which: each is
 * tried alone, those that are refused are left out, the others count.
 */
#include "source/kperf/state.h"

#include "base/bits.h"
#include "base/buf.h"

#include <errno.h>
#include <string.h>

/* "A", "A and B", "A, B and 2 more" */
static void
put_names(struct buf *b, const struct eventset *set, uint32_t out)
{
	enum { NAMED = 2 };
	unsigned n = bits_count(out), at = 0;

	for (unsigned i = 0; i < set->len && at < NAMED; i++) {
		if ((out >> i & 1) == 0)
			continue;
		if (at++ > 0)
			buf_str(b, n > NAMED ? ", " : " and ");
		buf_str(b, set->slot[i].event->name);
	}
	if (n > NAMED)
		buf_printf(b, " and %u more", n - NAMED);
}

static void
kperf_refused_text(const struct kperf_source *s, const struct eventset *set,
		   uint32_t out, char *text, size_t size)
{
	struct buf b = buf_over(text, size);
	unsigned n = bits_count(out);

	buf_str(&b, "macOS refuses ");
	if (n == set->len && n > 1) {
		buf_printf(
			&b,
			"all %u events of this set (database %s); %s. Please send `sudo ktop doctor`",
			n, s->events.catalog.name,
			s->mode == SOURCE_FULL && !s->stolen
				? "the set before it counts on"
				: "cycles and instructions still count (IPC mode)");
	} else {
		put_names(&b, set, out);
		if (n == set->len)
			buf_str(&b,
				", which is all of this set; another preset may count");
		else
			buf_printf(&b,
				   "; the metrics that need %s are left out",
				   n == 1 ? "it" : "them");
	}
	buf_cstr(&b);
}

static bool
kperf_find_refused(struct kperf_source *s, const struct kperf_words *w,
		   const struct eventset *set, const unsigned *column,
		   uint32_t *out)
{
	uint32_t counting;

	*out = 0;
	/* EPERM also when the process is not root any more. */
	if (!kperf_counting(s, &counting))
		return false;
	for (unsigned i = 0; i < set->len; i++) {
		int why = kperf_hold_try(s->kpc, &s->held, w,
					 column[i] - s->nfixed);

		if (why != 0 && why != EPERM)
			return false;
		if (why == EPERM)
			*out |= 1u << i;
	}
	/* All of them, for who was root until a moment ago? */
	return kperf_counting(s, &counting);
}

/* The words of a set without those that are left out. */
static void
leave_out(const struct kperf_source *s, struct kperf_words *w,
	  const struct eventset *set, const unsigned *column, uint32_t out)
{
	for (unsigned i = 0; i < set->len; i++)
		if ((out >> i & 1) != 0)
			w->word[column[i] - s->nfixed] = 0;
}

bool
kperf_engage_most(struct kperf_source *s, struct kperf_words *w,
		  const struct eventset *set, const unsigned *column,
		  uint32_t *out, struct err *e)
{
	uint32_t refused = 0, asked = 0;
	struct kperf_fault f;
	char text[200];

	*out = 0;
	for (unsigned i = 0; i < set->len; i++)
		if (w->word[column[i] - s->nfixed] != 0)
			asked |= 1u << i;
	if (kperf_engage_watched(s, w, &f))
		return true;
	kperf_fault_err(e, &f);
	/* From elsewhere EPERM is not about words. */
	if (f.kind != KPERF_FAULT_CALL || f.why != EPERM ||
	    strcmp(f.call, "kpc_set_config") != 0 ||
	    !kperf_find_refused(s, w, set, column, &refused))
		return false;
	if (refused == 0)
		return err_set(
			e, ERR_PERM,
			"macOS refuses this set of events, though it takes each of them alone; try another preset");
	if (refused == asked) {
		kperf_refused_text(s, set, (1u << set->len) - 1, text,
				   sizeof text);
		return err_set(e, ERR_PERM, "%s", text);
	}
	leave_out(s, w, set, column, refused);
	if (!kperf_engage(s, w, e))
		return false;
	*out = refused;
	return true;
}

void
kperf_say_refused(struct kperf_source *s)
{
	char text[200] = "";

	if (s->left_out != 0)
		kperf_refused_text(s, &s->set, s->left_out, text, sizeof text);
	kperf_notice(s, text);
}

void
kperf_note_refused(struct kperf_source *s, uint32_t out)
{
	for (unsigned i = 0; i < s->set.len; i++)
		if ((out & ~s->left_out) >> i & 1)
			eventset_drop(&s->set, s->set.slot[i].event->name,
				      "macOS refuses it (EPERM)");
	s->left_out |= out;
	kperf_say_refused(s);
}
