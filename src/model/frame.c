#include "model/frame.h"

const char *const scope_level_name[] = { "core", "cluster", "kind", "all" };

uint32_t
frame_slots_told(const struct frame *f, unsigned metric, const struct metric *m)
{
	uint32_t slots = metric_slots(m, f->set);

	for (unsigned i = 0; slots != 0 && i < f->nscopes; i++) {
		if (frame_state(f, i, metric) != VALUE_UNSUPPORTED)
			continue;
		for (unsigned k = 0; k < f->set->len; k++)
			if (f->tally[i].slot_known[k])
				slots &= ~(1u << k);
	}
	return slots;
}
