/* The end of a recording that a crash may have left in the middle of a frame.
 */
#ifndef OUT_TARGET_TAIL_H
#define OUT_TARGET_TAIL_H

#include <stdbool.h>
#include <sys/types.h>

struct target_tail {
	off_t cut;     /* bytes from the end on that are no whole frame */
	unsigned rows; /* whole rows among them */
};

/*
 * Looks at the last two frames of a recording of `size` bytes, CSV or JSON
 * lines. False: it cannot be read, errno says why.
 */
bool target_tail(int fd, off_t size, struct target_tail *out);

#endif
