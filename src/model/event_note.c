#include "model/event_note.h"

#include <string.h>

static const char *const head[] = {
	[EVENT_NOTE_DEAD] = "counts nothing:", [EVENT_NOTE_UNLIKE] = "unlike:"
};

void
event_note_put(struct buf *b, enum event_note note, const struct eventset *set,
	       uint32_t slots)
{
	bool begun = false;

	for (unsigned i = 0; i < set->len; i++) {
		if ((slots >> i & 1) == 0)
			continue;
		if (!begun) {
			buf_str(b, b->len > 0 ? "; " : "");
			buf_str(b, head[note]);
		}
		begun = true;
		buf_char(b, ' ');
		buf_str(b, set->slot[i].event->name);
	}
}

/* Is it among the words up to the next semicolon? */
static bool
among(const char *words, const char *name)
{
	size_t len = strlen(name);

	while (*words == ' ') {
		size_t n = strcspn(++words, " ;");

		if (n == len && memcmp(words, name, n) == 0)
			return true;
		words += n;
	}
	return false;
}

bool
event_note_has(const char *text, enum event_note note, const char *event)
{
	size_t len = strlen(head[note]);

	while (*text != '\0') {
		if (strncmp(text, head[note], len) == 0)
			return among(text + len, event);
		text += strcspn(text, ";");
		text += strspn(text, "; ");
	}
	return false;
}
