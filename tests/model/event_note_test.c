/* What rows say of events comes back as it was said. */
#include "model/event.h"

#include <cmocka.h>

static const struct event events[] = { { .name = "INST_ALL" },
				       { .name = "INST_ALL_MORE" },
				       { .name = "L2_MISS" } };
static const struct eventset set = {
	.len = 3,
	.slot = { { &events[0], 2 }, { &events[1], 3 }, { &events[2], 4 } }
};

UNIT(both_ways)
{
	for (uint32_t dead = 0; dead < 8; dead++)
		for (uint32_t unlike = 0; unlike < 8; unlike++) {
			char text[128];
			struct buf b = buf_over(text, sizeof text);

			event_note_put(&b, EVENT_NOTE_ZERO, &set, dead);
			event_note_put(&b, EVENT_NOTE_UNLIKE, &set, unlike);
			(void)buf_cstr(&b);
			for (unsigned i = 0; i < set.len; i++) {
				const char *name = events[i].name;

				assert_int_equal(event_note_has(text,
								EVENT_NOTE_ZERO,
								name),
						 dead >> i & 1);
				assert_int_equal(
					event_note_has(text, EVENT_NOTE_UNLIKE,
						       name),
					unlike >> i & 1);
			}
		}
}

UNIT(words)
{
	char text[64];
	struct buf b = buf_over(text, sizeof text);

	event_note_put(&b, EVENT_NOTE_ZERO, &set, 0);
	assert_int_equal(b.len, 0);
	event_note_put(&b, EVENT_NOTE_ZERO, &set, 3);
	event_note_put(&b, EVENT_NOTE_UNLIKE, &set, 4);
	assert_string_equal(buf_cstr(&b), "counts nothing: INST_ALL "
					  "INST_ALL_MORE; unlike: L2_MISS");
}

/* Notes of others: metrics of some kinds, and what people wrote. */
UNIT(other_texts)
{
	static const char *const texts[] = { "",
					     ";",
					     "; ",
					     "unlike",
					     "unlike:",
					     "unlike: ",
					     "P only: l1d_ld_mpki",
					     "L2_MISS",
					     "not unlike: L2_MISS",
					     "unlike; L2_MISS",
					     "unlike: L2_MISSES" };

	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		assert_false(
			event_note_has(texts[i], EVENT_NOTE_UNLIKE, "L2_MISS"));
	assert_true(event_note_has("P only: ipc; unlike: A L2_MISS; x",
				   EVENT_NOTE_UNLIKE, "L2_MISS"));
}
