/*
 * Where an output's bytes go: a file, a FIFO or standard output. One write(2)
 * a frame out of a buffer sized once; what the far side did not take stays in
 * the buffer and goes first next time, so that nothing is torn in the middle.
 * For the slow reader of a pipe some megabytes of frames wait.
 */
#ifndef OUT_TARGET_H
#define OUT_TARGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_mode { /* what may become of a regular file that exists */
		   TARGET_NEW,     /* it is refused */
		   TARGET_REPLACE, /* it is emptied */
		   TARGET_APPEND   /* it is gone on with; target_resume */
};

enum {
	TARGET_NOTICE_SIZE = 256,
	TARGET_QUEUE = 8 << 20, /* bytes that wait for the reader of a pipe */
	TARGET_FRAMES = 4096    /* and frames */
};

struct target {
	char *path, *name; /* as asked for; the segment being written */
	unsigned segment;
	int fd;
	int first;        /* segment 0, locked while others are written; -1 */
	int flags_before; /* of a shared descriptor, to put back; -1 */
	bool owned;       /* opened here, so closed here */
	bool regular, pipe;
	bool created; /* the name did not exist before */
	bool dead;    /* nobody reads any more, for good */
	int said;     /* errno of the trouble reported last; 0: none */
	char *at;     /* [size], the frame being built */
	size_t size;
	/* [out_size], what is written: at, or the queue of a pipe */
	char *out;
	size_t out_size;
	size_t pos, len; /* out[pos..len) waits to be written */
	size_t last;     /* bytes of the frame before */
	size_t head;     /* at[0..head) is a header, the rest a frame */
	uint64_t lost;   /* frames that found no place */
	uint64_t bytes;  /* of the file so far */
	/* Of a queue (else NULL): frames first_frame up to frames wait, and n
	   is written when `bytes` are end[n % TARGET_FRAMES]. */
	uint64_t *end;
	uint64_t first_frame, frames;
};

/* Nothing is open. */
#define TARGET_NONE .fd = -1, .first = -1, .flags_before = -1

/*
 * path "-" is standard output. A regular file is locked: one that another ktop
 * writes is refused, by its pid where that is known. What exists and is no
 * regular file, a FIFO or a device, is written to in every mode. Under sudo the
 * file is opened as the user who called it (SUDO_UID, SUDO_GID). Pipes are made
 * non-blocking; a FIFO without a reader is refused, not waited for. False and
 * *e on failure.
 */
bool target_open(struct target *t, const char *path, enum target_mode mode,
		 size_t size, struct err *e);

/* Room for longer frames; what waits goes on waiting. False and *e: none. */
bool target_grow(struct target *t, size_t size, struct err *e);

/*
 * After TARGET_APPEND: the file must begin with head[0..len), and its first row
 * be of that source and model, else it is refused. A last frame without its end
 * is cut off; `notice` then says so, else it is "". *fresh: the file is empty,
 * or has not even a whole head.
 */
struct sink_about;
bool target_resume(struct target *t, const char *head, size_t len,
		   const struct sink_about *a, bool *fresh,
		   char notice[TARGET_NOTICE_SIZE], struct err *e);

/* The process is told again, after another descriptor was closed. */
void target_lock_for_pid(int fd);

/* Does no other ktop write it? True also of what cannot be opened. */
bool target_is_free(const char *name, struct err *e);

/* "what NAME: the error"; false. */
bool target_explain_errno(const struct target *t, struct err *e,
			  const char *what);

/*
 * Goes on in segment n of a regular file: 0 is the path itself, from 1 on
 * out.csv has out.0001.csv ... False and *e: nothing changes. Only when
 * nothing waits.
 */
bool target_open_segment(struct target *t, unsigned n, enum target_mode mode,
			 struct err *e);

/*
 * Removes the further segments of an earlier recording, while the first file is
 * locked; or only asks whether that can be. False and *e: another ktop writes
 * one of them, as a recording of its own.
 */
bool target_remove_segments(const char *path, bool remove, struct err *e);

/* Whether segment n of a path is there, and what it is. */
struct stat;
bool target_has_segment(const char *path, unsigned n);
bool target_segment_stat(const char *path, unsigned n, struct stat *st);

/* The sentence for a file that exists and is to be a new one; false. */
bool target_explain_exists(const char *name, struct err *e);

/* Was the file deleted while it was written? */
bool target_was_deleted(const struct target *t);

/*
 * Is the file shorter than what was written to it? Then another program
 * truncated it, and it is emptied: what is left ends within a row.
 */
bool target_was_truncated(struct target *t);

/*
 * Makes a deleted file again under its name. False: *e says why if that is
 * new, else e->text is empty.
 */
bool target_reopen_deleted(struct target *t, struct err *e);

/*
 * Writes what still waits. True when the buffer is free for the next frame.
 * False: *e says why if that is new, else e->text is empty.
 */
bool target_flush(struct target *t, struct err *e);

/*
 * Sends at[0..len) with one write(2); true also when part of it has to wait.
 * False: *e as above, and the frame is lost and counted.
 */
bool target_send(struct target *t, size_t len, struct err *e);

/* Counts a frame that target_flush left no room for. */
void target_drop(struct target *t);

/*
 * Descriptor to wait on until it takes more; -1 when nothing waits, or what
 * waits met an error that only a later attempt can tell is over.
 */
int target_fd(const struct target *t);

/* Takes the file back, if it was made here and is still that one. */
void target_remove_created(struct target *t);

/*
 * Gives everything back. A frame that could not be finished is cut off a
 * regular file again. How many frames were given up. Safe after a failed open.
 */
uint64_t target_close(struct target *t);

/* ---- names of outputs, looked at before any of them is made ---- */

/* Do both names lead to one file, one that is there or is still to be made? */
bool paths_same_file(const char *a, const char *b);

/*
 * Would target_open take the name, as far as that can be seen from outside? A
 * FIFO or a device is not touched. False and *e: no, in target_open's words.
 */
bool path_check_writable(const char *path, enum target_mode mode,
			 struct err *e);

/* Has the name no ending of compressed text? False and *e, with the pipe where
   the output can be one. */
bool path_check_suffix(const char *path, bool piped, struct err *e);

/* Bytes of the file and its segments; 0: there is none. */
uint64_t path_recorded_bytes(const char *path);

#endif
