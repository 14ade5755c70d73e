#include "model/slots.h"

#include "base/bits.h"
#include "base/place.h"

#include <string.h>

static uint32_t
places(const struct catalog *c, const struct event *e)
{
	return e->counters & c->config_counters;
}

/* By name: the same event may come from two lists of one catalog. */
static bool
same_event(const struct event *a, const struct event *b)
{
	return a == b || strcmp(a->name, b->name) == 0;
}

enum outcome { PLACED, TWICE, TOO_MANY, CROWDED };

/* Where the events that need a slot go; on failure `at` is the one at fault. */
struct attempt {
	unsigned index[PLACE_MAX], counter[PLACE_MAX], n; /* of `event` */
	uint32_t mask[PLACE_MAX];
	struct place_conflict why; /* in indices of these */
	unsigned at;
};

static enum outcome
attempt(const struct catalog *c, const struct event *const *event, unsigned n,
	struct attempt *a)
{
	*a = (struct attempt){ .n = 0 };
	for (unsigned i = 0; i < n; i++) {
		if (event[i]->fixed)
			continue;
		a->at = i;
		for (unsigned j = 0; j < a->n; j++)
			if (same_event(event[a->index[j]], event[i]))
				return TWICE;
		if (a->n == PLACE_MAX)
			return TOO_MANY;
		a->index[a->n] = i;
		a->mask[a->n++] = places(c, event[i]);
	}
	if (!place_events(a->mask, a->n, a->counter, &a->why))
		return CROWDED;
	return a->n > EVENTSET_MAX ? TOO_MANY : PLACED;
}

static void
sort_by_counter(struct slot *slot, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct slot s = slot[i];
		unsigned j = i;

		for (; j > 0 && slot[j - 1].counter > s.counter; j--)
			slot[j] = slot[j - 1];
		slot[j] = s;
	}
}

/* Counters, without the places of events that need none. */
static uint32_t
all_there_are(const struct catalog *c)
{
	return c->config_counters & ((1u << EVENT_FREE_FIRST) - 1);
}

/* Those in the way of the last one: the most constrained first. */
static unsigned
put_rivals(struct buf *b, const struct event *const *event,
	   const struct attempt *a)
{
	unsigned rivals = 0;

	for (unsigned width = 0; width <= 32; width++)
		for (unsigned i = 0; i < a->n; i++) {
			if ((a->why.events >> i & 1) == 0 || i == a->why.last ||
			    bits_count(a->mask[i]) != width)
				continue;
			buf_printf(b, "%s%s", rivals++ > 0 ? ", " : "",
				   event[a->index[i]]->name);
		}
	return rivals;
}

/* "A, B and C all need counters 5,6,7: ..." */
static bool
crowded(const struct catalog *c, const struct event *const *event,
	const struct attempt *a, struct err *err)
{
	char text[400];
	struct buf b = buf_over(text, sizeof text);
	uint32_t mask = a->mask[a->why.last] | a->why.counters;
	const char *name = event[a->index[a->why.last]]->name;
	unsigned rivals;

	if (mask == 0)
		return err_set(
			err, ERR_FAIL,
			"%s cannot be placed on any counter this machine offers; drop it",
			name);
	/* Whoever goes makes room: that is a number, not a list of names. */
	if (mask == all_there_are(c) && bits_count(mask) == 1)
		return err_set(
			err, ERR_FAIL,
			"the only counter is taken, and %s needs it too; drop one or use a preset",
			name);
	if (mask == all_there_are(c))
		return err_set(
			err, ERR_FAIL,
			"all %u counters are taken, and %s needs one more; drop one or use a preset",
			bits_count(mask), name);
	rivals = put_rivals(&b, event, a);
	buf_printf(&b, " and %s %s need ", name, rivals == 1 ? "both" : "all");
	place_put_counters(&b, mask);
	return err_set(err, ERR_FAIL, "%s; drop one or use a preset",
		       buf_cstr(&b));
}

bool
slots_place(const struct catalog *c, const struct event *const *event,
	    unsigned n, struct eventset *out, struct err *e)
{
	struct attempt a;

	switch (attempt(c, event, n, &a)) {
	case PLACED:
		break;
	case TWICE:
		return err_set(e, ERR_FAIL, "%s is wanted twice; drop one",
			       event[a.at]->name);
	case TOO_MANY:
		return err_set(
			e, ERR_FAIL,
			"%u events are more than the %d a set can hold; drop some",
			n, EVENTSET_MAX);
	case CROWDED:
		return crowded(c, event, &a, e);
	}
	for (unsigned i = 0; i < a.n; i++)
		out->slot[i] = (struct slot){ .event = event[a.index[i]],
					      .counter = a.counter[i] };
	out->len = a.n;
	sort_by_counter(out->slot, out->len);
	return true;
}

bool
slots_fit(const struct catalog *c, const struct event *const *event, unsigned n)
{
	struct attempt a;

	return attempt(c, event, n, &a) == PLACED;
}
