/*
 * Where an output's bytes go: a file, a FIFO or standard output. One write(2)
 * a frame out of a buffer sized once; what the far side did not take stays in
 * the buffer and goes first next time, so that nothing is torn in the middle.
 */
#ifndef OUT_TARGET_H
#define OUT_TARGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target {
	char *name;
	int fd;
	int flags_before; /* of a shared descriptor, to put back; -1 */
	bool owned;       /* opened here, so closed here */
	bool regular;
	bool dead; /* nobody reads any more, for good */
	int said;  /* errno of the trouble reported last; 0: none */
	char *at;  /* [size], the frame being built or finished */
	size_t size;
	size_t pos, len; /* at[pos..len) waits to be written */
	uint64_t lost;   /* frames that found no place */
};

/*
 * path "-" is standard output. A file that exists is refused unless `force`
 * or it is a FIFO or device. Under sudo the file is opened as the user who
 * called it (SUDO_UID, SUDO_GID). Pipes are made non-blocking; a FIFO without
 * a reader is refused, not waited for. False and *e on failure.
 */
bool target_open(struct target *t, const char *path, bool force, size_t size,
		 struct err *e);

/*
 * Writes what still waits. True when the buffer is free for the next frame.
 * False: *e says why if that is new, else e->text is empty.
 */
bool target_flush(struct target *t, struct err *e);

/*
 * Sends at[0..len) with one write(2); true also when part of it has to wait.
 * False: the frame is lost and counted; *e as above.
 */
bool target_send(struct target *t, size_t len, struct err *e);

/* Counts a frame that target_flush left no room for. */
void target_drop(struct target *t);

/*
 * Descriptor to wait on until it takes more; -1 when nothing waits, or what
 * waits met an error that only a later attempt can tell is over.
 */
int target_fd(const struct target *t);

/*
 * Gives everything back. A row that could not be finished is cut off a regular
 * file again. Safe after a failed open.
 */
void target_close(struct target *t);

#endif
