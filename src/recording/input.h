/* The bytes of a recording's file. */
#ifndef RECORDING_INPUT_H
#define RECORDING_INPUT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct input {
	const char *path; /* borrowed; "-" is standard input */
	int fd;
	bool eof;
	uint64_t bytes; /* read from the file so far */
};

/* The path for messages. */
const char *input_name(const struct input *in);

/* False and *e on failure; input_close is then allowed. */
bool input_open(struct input *in, const char *path, struct err *e);
void input_close(struct input *in);

/* As read(2), which signals that end ktop end as well; -1 and *e. */
ptrdiff_t input_read(struct input *in, char *to, size_t n, struct err *e);

/* What comes next is at that offset. */
bool input_seek(struct input *in, int64_t offset, struct err *e);

#endif
