#include "recording/seen.h"

#include <stdlib.h>
#include <string.h>

static bool
find(struct seen *s, const char *run)
{
	if (s->at < s->n && strcmp(s->run[s->at].run, run) == 0)
		return true;
	for (s->at = 0; s->at < s->n; s->at++)
		if (strcmp(s->run[s->at].run, run) == 0)
			return true;
	return false;
}

static bool
grow(struct seen *s)
{
	unsigned size = s->size == 0 ? 16 : 2 * s->size;
	struct seen_run *grown = realloc(s->run, size * sizeof *grown);

	if (grown == NULL)
		return false;
	s->run = grown;
	s->size = size;
	return true;
}

enum seen_status
seen_add(struct seen *s, const struct recording_frame *f, unsigned *file)
{
	if (f->run[0] == '\0')
		return SEEN_NEW;
	if (!find(s, f->run)) {
		if (s->n == s->size && !grow(s))
			return SEEN_NO_MEMORY;
		s->at = s->n++;
		memcpy(s->run[s->at].run, f->run, sizeof f->run);
	} else {
		const struct seen_run *r = &s->run[s->at];

		*file = r->file;
		if (f->number < r->frame ||
		    (f->number == r->frame && f->place.file != r->file))
			return SEEN_AGAIN;
	}
	s->run[s->at].frame = f->number;
	s->run[s->at].file = f->place.file;
	return SEEN_NEW;
}

void
seen_forget(struct seen *s)
{
	s->n = s->at = 0;
}

void
seen_free(struct seen *s)
{
	free(s->run);
	*s = (struct seen){ .n = 0 };
}
