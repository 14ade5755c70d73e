/* Lines of a recording's segments, through one buffer. */
#ifndef RECORDING_LINES_H
#define RECORDING_LINES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lines {
	const char *const *path; /* borrowed; "-" is standard input */
	unsigned npaths, file;   /* file: the segment that is open */
	int fd;
	bool eof;
	char *buf; /* at..end is not taken yet */
	size_t at, end;
	int64_t base;             /* offset of buf[0] in the text */
	uint64_t line;            /* number of the last line taken */
	uint64_t read, told, all; /* bytes of all files */
	void (*tell)(void *arg, uint64_t done, uint64_t all);
	void *tell_arg;
};

enum line_status { LINE_WHOLE, LINE_CUT, LINE_NONE, LINE_BAD };

/* Opens the first; lines_done is needed also after a failure. */
bool lines_init(struct lines *l, const char *const *path, unsigned n,
		struct err *e);
void lines_done(struct lines *l);

/* The path of the open segment, or of another, for messages. */
const char *lines_name(const struct lines *l);
const char *lines_path_name(const char *path);

/* Goes to the begin of a segment. */
bool lines_open(struct lines *l, unsigned file, struct err *e);

/* Goes to the line with that number at that offset of the open segment. */
bool lines_seek(struct lines *l, int64_t offset, uint64_t line, struct err *e);

/*
 * The next line without its end, valid until the next call; cut: the file
 * ended in it.
 */
enum line_status lines_next(struct lines *l, const char **line, size_t *n,
			    struct err *e);

/* The whole line that was taken last, of n bytes, comes again. */
void lines_back(struct lines *l, size_t n);

#endif
