/* Why events cannot be counted together, in words. */
#include "kperf/inside.h"

#include "base/bits.h"
#include "base/buf.h"

unsigned
kps_nth(uint32_t mask, unsigned n)
{
	for (; n > 0 && mask != 0; n--)
		mask &= mask - 1;
	return mask != 0 ? bits_lowest(mask) : 0;
}

/* "A, B and C all need counters 5,6" */
static void
put_rivals(struct buf *b, const struct kps_slot *slot, uint32_t events,
	   uint32_t counters)
{
	bool one = (events & (events - 1)) == 0;
	bool two = !one && kps_nth(events, 2) == 0;

	for (uint32_t left = events; left != 0; left &= left - 1) {
		if (left != events)
			buf_str(b, (left & (left - 1)) == 0 ? " and " : ", ");
		buf_str(b, slot[kps_nth(left, 0)].event->name);
	}
	buf_str(b, one ? " needs " : two ? " both need " : " all need ");
	if (counters == 0)
		buf_str(b, "a counter");
	else
		place_put_counters(b, counters);
}

bool
kps_fail_conflict(struct kps_error *e, const struct kps_slot *slot,
		  const struct place_conflict *why, uint32_t held)
{
	char text[400];
	struct buf b = buf_over(text, sizeof text);
	uint32_t wanted = why->counters;

	for (uint32_t left = why->events; left != 0; left &= left - 1)
		wanted |= slot[kps_nth(left, 0)].mask;
	put_rivals(&b, slot, why->events, wanted);
	if ((wanted & held) != 0) {
		buf_str(&b, ", and other samplers that run have ");
		place_put_counters(&b, wanted & held);
		return kps_fail(e, KPS_CONFLICT, NULL, "%s; stop one of them",
				buf_cstr(&b));
	}
	return kps_fail(e, KPS_CONFLICT, NULL, "%s; drop one", buf_cstr(&b));
}
