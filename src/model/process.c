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
	r->command.pid = -1;
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

void
process_command_make(struct process_command *c, int32_t pid, uint64_t start,
		     const char *args, size_t len)
{
	size_t n = 0;

	c->pid = pid;
	c->start = start;
	while (len > 0 && args[len - 1] == '\0')
		len--;
	for (; n < len && n < sizeof c->text - 1; n++) {
		unsigned char byte = (unsigned char)args[n];

		/* Lines of a script are words, too. */
		c->text[n] = byte < ' ' || byte == 0x7f ? ' ' : args[n];
	}
	c->text[n] = '\0';
}
