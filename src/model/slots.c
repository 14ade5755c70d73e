#include "model/slots.h"

#include "base/bits.h"
#include "base/buf.h"

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

/*
 * The greedy walk. The masks of every known Apple chip are nested, so the
 * fewest places first is as good as a full search. On failure `at` is the
 * index of the event that found no place; order[0..*done) were placed.
 */
static enum outcome
walk(const struct catalog *c, const struct event *const *event, unsigned n,
     struct slot out[EVENTSET_MAX], unsigned *done, unsigned *at)
{
	uint32_t taken = 0;

	*done = *at = 0;
	for (unsigned width = 0; width <= 32; width++) {
		for (unsigned i = 0; i < n; i++) {
			uint32_t mask = places(c, event[i]), open;

			if (event[i]->fixed || bits_count(mask) != width)
				continue;
			*at = i;
			for (unsigned j = 0; j < *done; j++)
				if (same_event(out[j].event, event[i]))
					return TWICE;
			open = mask & ~taken;
			if (open == 0)
				return CROWDED;
			if (*done == EVENTSET_MAX)
				return TOO_MANY;
			out[*done].event = event[i];
			out[*done].counter = bits_lowest(open);
			taken |= 1u << out[(*done)++].counter;
		}
	}
	return PLACED;
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

static void
put_counters(struct buf *b, uint32_t mask)
{
	buf_str(b, bits_count(mask) == 1 ? "counter " : "counters ");
	while (mask != 0) {
		unsigned bit = bits_lowest(mask);

		buf_u64(b, bit);
		mask &= mask - 1;
		if (mask != 0)
			buf_char(b, ',');
	}
}

/* Counters, without the places of events that need none. */
static uint32_t
all_there_are(const struct catalog *c)
{
	return c->config_counters & ((1u << EVENT_FREE_FIRST) - 1);
}

/* "A, B and C all need counters 5,6,7: ..." */
static bool
crowded(const struct catalog *c, const struct event *e, const struct slot *slot,
	unsigned n, struct err *err)
{
	char text[400];
	struct buf b = buf_over(text, sizeof text);
	uint32_t mask = places(c, e);
	unsigned rivals = 0;

	if (mask == 0)
		return err_set(
			err, ERR_FAIL,
			"%s cannot be placed on any counter this machine offers; drop it",
			e->name);
	/* Whoever goes makes room: that is a number, not a list of names. */
	if (mask == all_there_are(c) && bits_count(mask) == 1)
		return err_set(
			err, ERR_FAIL,
			"the only counter is taken, and %s needs it too; drop one or use a preset",
			e->name);
	if (mask == all_there_are(c))
		return err_set(
			err, ERR_FAIL,
			"all %u counters are taken, and %s needs one more; drop one or use a preset",
			bits_count(mask), e->name);
	for (unsigned i = 0; i < n; i++) {
		if ((mask & 1u << slot[i].counter) == 0)
			continue;
		if (rivals++ > 0)
			buf_str(&b, ", ");
		buf_str(&b, slot[i].event->name);
	}
	buf_str(&b, " and ");
	buf_str(&b, e->name);
	buf_str(&b, rivals == 1 ? " both need " : " all need ");
	put_counters(&b, mask);
	return err_set(err, ERR_FAIL, "%s; drop one or use a preset",
		       buf_cstr(&b));
}

bool
slots_place(const struct catalog *c, const struct event *const *event,
	    unsigned n, struct eventset *out, struct err *e)
{
	struct slot slot[EVENTSET_MAX];
	unsigned done, at;

	switch (walk(c, event, n, slot, &done, &at)) {
	case PLACED:
		break;
	case TWICE:
		return err_set(e, ERR_FAIL, "%s is wanted twice; drop one",
			       event[at]->name);
	case TOO_MANY:
		return err_set(
			e, ERR_FAIL,
			"%u events are more than the %d a set can hold; drop some",
			n, EVENTSET_MAX);
	case CROWDED:
		return crowded(c, event[at], slot, done, e);
	}
	sort_by_counter(slot, done);
	memcpy(out->slot, slot, done * sizeof slot[0]);
	out->len = done;
	return true;
}

bool
slots_fit(const struct catalog *c, const struct event *const *event, unsigned n)
{
	struct slot slot[EVENTSET_MAX];
	unsigned done, at;

	return walk(c, event, n, slot, &done, &at) == PLACED;
}
