/* What a recording's rows say of events whose counts are not what they seem. */
#ifndef MODEL_EVENT_NOTE_H
#define MODEL_EVENT_NOTE_H

#include "base/buf.h"
#include "model/event.h"

/* "counts nothing: INST_ALL; unlike: L2_MISS LLC_MISS" */
enum event_note {
	EVENT_NOTE_DEAD,  /* taken, and counts nothing: see dead.h */
	EVENT_NOTE_UNLIKE /* kinds count different things under the name */
};

/* Appends those of the set's events; slots are 1 << slot; nothing for none. */
void event_note_put(struct buf *b, enum event_note note,
		    const struct eventset *set, uint32_t slots);

/* Does the text, perhaps among other things, say so of the event? */
bool event_note_has(const char *text, enum event_note note, const char *event);

#endif
