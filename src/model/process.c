#include "model/process.h"

#include <stdlib.h>
#include <string.h>

#define STATE(constant, word) word,
const char *const process_state_word[PROCESS_STATE_COUNT] = { PROCESS_STATES(
	STATE) };
#undef STATE

#define WORD(constant, word, text) word,
const char *const process_access_word[PROCESS_ACCESS_COUNT] = {
	PROCESS_ACCESSES(WORD)
};
#undef WORD

#define TEXT(constant, word, text) text,
const char *const process_access_text[PROCESS_ACCESS_COUNT] = {
	PROCESS_ACCESSES(TEXT)
};
#undef TEXT

bool
process_reading_init(struct process_reading *r, unsigned room)
{
	memset(r, 0, sizeof *r);
	r->started = UINT64_MAX;
	return process_reading_grow(r, room);
}

void
process_reading_free(struct process_reading *r)
{
	free(r->row);
	r->row = NULL;
	r->n = r->room = 0;
}

bool
process_reading_grow(struct process_reading *r, unsigned n)
{
	if (n <= r->room)
		return true;
	if (n > PROCESS_ROWS_MAX)
		return false;
	unsigned room =
		n + n / 2 < PROCESS_ROWS_MAX ? n + n / 2 : PROCESS_ROWS_MAX;
	struct process_read *row = realloc(r->row, room * sizeof *row);

	if (row == NULL)
		return false;
	memset(row + r->room, 0, (room - r->room) * sizeof *row);
	r->row = row;
	r->room = room;
	return true;
}
