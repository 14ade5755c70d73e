/* A file, a FIFO or standard output. One write(2) per frame from a buffer
 * allocated once. Unwritten bytes go first next time, so no frame is torn.
 * Pipes have a queue of some megabytes. */
#ifndef OUT_TARGET_H
#define OUT_TARGET_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum target_mode {                 /* for an existing regular file */
		   TARGET_NEW,     /* refuse */
		   TARGET_REPLACE, /* empty */
		   TARGET_APPEND   /* continue; see target_resume */
};

enum {
	TARGET_NOTICE_SIZE = 256,
	TARGET_QUEUE = 8 << 20, /* bytes queued for a pipe */
	TARGET_FRAMES = 4096    /* frames queued */
};

struct target {
	char *path, *name; /* name: of the segment */
	unsigned segment;
	int fd;
	int first;        /* segment 0, kept for its lock; -1 */
	int flags_before; /* to restore; -1 */
	bool owned;
	bool regular, pipe;
	bool created; /* did not exist before */
	bool reader_gone;
	int reported_errno; /* errno reported last; 0: none */
	char *at;           /* [size], next frame */
	size_t size;
	/* [out_size]: `at`, or a pipe's queue. */
	char *out;
	size_t out_size;
	size_t pos, len; /* unwritten: out[pos..len) */
	size_t last;     /* bytes of the last frame */
	size_t head;     /* at[0..head) is a header */
	uint64_t lost;
	uint64_t bytes; /* in the file */
	/* Of a queue, else NULL: frame n is written when `bytes` is end[n %
	 * TARGET_FRAMES]. */
	uint64_t *end;
	uint64_t first_frame, frames;
};

#define TARGET_NONE .fd = -1, .first = -1, .flags_before = -1

/* path "-": standard output. Regular files are locked; one that another ktop
 * writes is refused. FIFOs and devices are written in every mode, never waited
 * for: a FIFO without a reader is refused. Under sudo opened as the caller
 * (SUDO_UID, SUDO_GID). False and *e on failure. */
bool target_open(struct target *t, const char *path, enum target_mode mode,
		 size_t size, struct err *e);

/* Makes room for longer frames; the queue stays. */
bool target_grow(struct target *t, size_t size, struct err *e);

/* After TARGET_APPEND: the file must begin with `head`, and its first row have
 * this source and model. Cuts an incomplete frame (see `notice`, or "").
 * *fresh: the file has no complete head. */
struct sink_about;
bool target_resume(struct target *t, const char *head, size_t len,
		   const struct sink_about *a, bool *fresh,
		   char notice[TARGET_NOTICE_SIZE], struct err *e);

/* Call after closing another descriptor of the file. */
void target_lock_for_pid(int fd);

/* True even if the file cannot be opened. */
bool target_is_free(const char *name, struct err *e);

/* "what NAME: error". False. */
bool target_explain_errno(const struct target *t, struct err *e,
			  const char *what);

/* 0: the path, 1: out.0001.csv. Nothing may wait. False and *e: unchanged. */
bool target_open_segment(struct target *t, unsigned n, enum target_mode mode,
			 struct err *e);

/* remove false: checks only. False and *e: another ktop writes one. */
bool target_remove_segments(const char *path, bool remove, struct err *e);

struct stat;
bool target_has_segment(const char *path, unsigned n);
bool target_segment_stat(const char *path, unsigned n, struct stat *st);

/* False. */
bool target_explain_exists(const char *name, struct err *e);

bool target_was_deleted(const struct target *t);

/* Was the file truncated by another program? Empties it, as it may end within a
 * row. */
bool target_was_truncated(struct target *t);

/* False: *e, or "" if reported already. */
bool target_reopen_deleted(struct target *t, struct err *e);

/* True: ready for a frame. False: *e, or "" if reported already. */
bool target_flush(struct target *t, struct err *e);

/* Sends at[0..len); true even if a part waits. False: lost and counted. */
bool target_send(struct target *t, size_t len, struct err *e);

/* Counts a lost frame. */
void target_drop(struct target *t);

/* The descriptor to wait for; -1: nothing waits, or waiting does not help. */
int target_fd(const struct target *t);

/* Removes the file if it is still ours. */
void target_remove_created(struct target *t);

/* Cuts an incomplete frame off a file. Returns dropped frames. */
uint64_t target_close(struct target *t);

/* ---- checks before any output is opened ---- */

/* Works even for files that do not exist yet. */
bool paths_same_file(const char *a, const char *b);

/* Checks what it can without opening FIFOs and devices. False and *e as
 * target_open. */
bool path_check_writable(const char *path, enum target_mode mode,
			 struct err *e);

/* Refuses .gz and the like; *e names a pipe if `piped`. */
bool path_check_suffix(const char *path, bool piped, struct err *e);

/* All segments; 0: no file. */
uint64_t path_recorded_bytes(const char *path);

#endif
