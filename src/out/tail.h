/* The end of a recording, where a crash may have cut a frame. */
#ifndef OUT_TAIL_H
#define OUT_TAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { TAIL_MOST = 1 << 26 }; /* bytes that are looked at */

struct tail {
	off_t cut;     /* bytes from the end on that are no whole frame */
	unsigned rows; /* whole rows among them */
};

/*
 * Looks at the last two frames of text, CSV or JSON lines; all: it begins where
 * the recording does. False: it begins in the middle of what has to be known.
 */
bool tail_examine(const char *text, size_t n, bool all, struct tail *out);

/* The same of a file of `size` bytes. False: errno says why. */
bool tail_of(int fd, off_t size, struct tail *out);

#endif
