/* The bytes of a recording's file: as they are, or unpacked (pack/pack.h). */
#ifndef RECORDING_INPUT_H
#define RECORDING_INPUT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { INPUT_PLACES = 4096 };

/* How a file ended; what is not compressed cannot tell. */
enum input_end {
	INPUT_CLOSED,
	INPUT_OPEN, /* after a whole block: more was to come */
	INPUT_CUT   /* within a block, of which nothing is given */
};

struct input {
	const char *path; /* borrowed; "-" is standard input */
	int fd;
	bool begun; /* its first bytes have been looked at */
	bool eof;
	enum input_end ending; /* once eof is reached */
	uint64_t bytes;        /* read from the file so far */
	/* Of a compressed one; unpacker NULL: it is not. */
	struct unpacker *unpacker;
	char *raw; /* raw[at..end) is not unpacked yet */
	size_t at, end;
	int64_t base;   /* offset of raw[0] in the file */
	int64_t text;   /* offset in the text of what comes next */
	int64_t unread; /* of the text, to be passed over */
	/* Where frames begin: the text is unpacked again from there. */
	unsigned nplaces;
	int64_t apart; /* least text between two of them */
	struct {
		int64_t raw, text;
	} place[INPUT_PLACES];
};

/* The path for messages. */
const char *input_name(const struct input *in);

/* False and *e on failure; input_close is then allowed. */
bool input_open(struct input *in, const char *path, struct err *e);
void input_close(struct input *in);

/* As read(2), which signals that end ktop end as well; -1 and *e. */
ptrdiff_t input_read(struct input *in, char *to, size_t n, struct err *e);

/* What comes next is at that offset of the text. */
bool input_seek(struct input *in, int64_t offset, struct err *e);

#endif
