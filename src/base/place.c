#include "base/place.h"

#include "base/bits.h"

enum { NOBODY = PLACE_MAX };

struct board {
	const uint32_t *mask;
	unsigned owner[32]; /* event index; NOBODY: free */
	uint32_t taken;
	struct place_conflict seen;
};

/* Gives the event a free counter, or a counter whose event can move to another
 * one (augmenting path). On failure, b->seen has more events than counters, and
 * its events can use no other counters (Hall's theorem). */
static bool
assign_counter(struct board *b, unsigned event)
{
	uint32_t open = b->mask[event] & ~b->taken, next;

	b->seen.events |= 1u << event;
	if (open != 0) {
		b->taken |= 1u << bits_lowest(open);
		b->owner[bits_lowest(open)] = event;
		return true;
	}
	while ((next = b->mask[event] & ~b->seen.counters) != 0) {
		unsigned at = bits_lowest(next);

		b->seen.counters |= 1u << at;
		if (assign_counter(b, b->owner[at])) {
			b->owner[at] = event;
			return true;
		}
	}
	return false;
}

bool
place_events(const uint32_t *mask, unsigned n, unsigned *counter,
	     struct place_conflict *why)
{
	struct board b = { .mask = mask };

	for (unsigned i = 0; i < 32; i++)
		b.owner[i] = NOBODY;
	for (unsigned width = 0; width <= 32; width++) {
		for (unsigned i = 0; i < n; i++) {
			if (bits_count(mask[i]) != width)
				continue;
			b.seen = (struct place_conflict){ .last = i };
			if (assign_counter(&b, i))
				continue;
			*why = b.seen;
			return false;
		}
	}
	for (unsigned c = 0; c < 32; c++)
		if (b.owner[c] != NOBODY)
			counter[b.owner[c]] = c;
	return true;
}

void
place_put_counters(struct buf *b, uint32_t mask)
{
	buf_str(b, bits_count(mask) == 1 ? "counter " : "counters ");
	for (uint32_t left = mask; left != 0; left &= left - 1)
		buf_printf(b, "%s%u", left != mask ? "," : "",
			   bits_lowest(left));
}
