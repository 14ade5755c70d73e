/* The file, FIFO or standard output that an output writes. Unwritten bytes of a
 * frame go first next time, so no frame is torn. Pipes have a queue. */
#ifndef OUT_TARGET_H
#define OUT_TARGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_mode {                 /* if a regular file exists: */
		   TARGET_NEW,     /* fail */
		   TARGET_REPLACE, /* empty it */
		   TARGET_APPEND   /* append; see target_resume */
};

enum {
	TARGET_NOTICE_SIZE = 256,
	TARGET_QUEUE = 8 << 20, /* bytes queued for a pipe */
	TARGET_FRAMES = 4096    /* maximum number of queued frames */
};

struct target {
	char *path, *name; /* name: of the open segment */
	unsigned segment;
	int fd;
	int first; /* descriptor of segment 0, kept for its lock; -1: none */
	int flags_before; /* descriptor flags to restore; -1: none */
	bool owned;
	bool regular, pipe;
	bool created;
	bool reader_gone;
	int reported_errno; /* errno reported last; 0: none */
	char *at;           /* [size]: the next frame */
	size_t size;
	/* [out_size]: the same as `at`, or the queue of a pipe. */
	char *out;
	size_t out_size;
	size_t pos, len; /* unwritten bytes: out[pos..len) */
	size_t last;     /* bytes of the frame sent last */
	size_t head;     /* at[0..head) is a header */
	uint64_t lost;
	uint64_t bytes; /* bytes in the open segment */
	/* Of a queue: frame n is written when `bytes` reaches end[n %
	 * TARGET_FRAMES]. NULL: no queue. */
	uint64_t *end;
	uint64_t first_frame, frames;
};

#define TARGET_NONE .fd = -1, .first = -1, .flags_before = -1

/* path "-": standard output. Regular files are locked; a file that another ktop
 * writes is refused. Opening FIFOs and devices never waits: a FIFO without a
 * reader is refused. Under sudo opens as the caller (SUDO_UID, SUDO_GID). False
 * and *e on failure. */
bool target_open(struct target *t, const char *path, enum target_mode mode,
		 size_t size, struct err *e);

/* Grows the buffer; the queue stays. False and *e: out of memory. */
bool target_grow(struct target *t, size_t size, struct err *e);

/* Call after TARGET_APPEND. The file must begin with `head`, and its first row
 * must have this source and model. Cuts an incomplete frame (see `notice`, else
 * ""). *fresh: the file has no complete head. */
struct sink_about;
bool target_resume(struct target *t, const char *head, size_t len,
		   const struct sink_about *a, bool *fresh,
		   char notice[TARGET_NOTICE_SIZE], struct err *e);

/* Takes the POSIX lock, which closing any descriptor of the file ends. */
void target_lock_for_pid(int fd);

/* False and *e: another program has a lock. True if opening fails. */
bool target_is_free(const char *name, struct err *e);

/* Sets *e to "what NAME: error" from errno. Returns false. */
bool target_explain_errno(const struct target *t, struct err *e,
			  const char *what);

/* 0: the path, 1: out.0001.csv. Call with all bytes written. False and *e: the
 * open segment stays. */
bool target_open_segment(struct target *t, unsigned n, enum target_mode mode,
			 struct err *e);

/* remove false: only checks. False and *e: one is locked, or not removable. */
bool target_remove_segments(const char *path, bool remove, struct err *e);

struct stat;
bool target_has_segment(const char *path, unsigned n);
bool target_segment_stat(const char *path, unsigned n, struct stat *st);

bool target_explain_exists(const char *name, struct err *e);

bool target_was_deleted(const struct target *t);

/* Empties a file that another program truncated, as it may end within a row.
 * False: not truncated. */
bool target_was_truncated(struct target *t);

/* False: *e is the error, or "" if it was reported already. */
bool target_reopen_deleted(struct target *t, struct err *e);

/* Writes waiting bytes. False: *e, or "" if reported or if bytes still wait. */
bool target_flush(struct target *t, struct err *e);

/* Sends at[0..len); a part may wait. False: lost and counted. */
bool target_send(struct target *t, size_t len, struct err *e);

void target_drop(struct target *t);

/* The descriptor to wait for; -1: no bytes wait, or waiting does not help. */
int target_fd(const struct target *t);

/* Removes the file if ktop created it and it has not been replaced. */
void target_remove_created(struct target *t);

/* Cuts an incomplete frame off a file. Returns the number of dropped frames. */
uint64_t target_close(struct target *t);

/* ---- checks before any output is opened ---- */

/* Do both paths name the same file, existing or not? Devices do not count. */
bool paths_same_file(const char *a, const char *b);

/* Opens no FIFO and no device. False and *e: why target_open would fail. */
bool path_check_writable(const char *path, enum target_mode mode,
			 struct err *e);

/* Refuses names such as a.csv.gz. piped: *e proposes a pipe. */
bool path_check_suffix(const char *path, bool piped, struct err *e);

/* Bytes of all segments; 0: no file. */
uint64_t path_recorded_bytes(const char *path);

#endif
