/* Where frames go besides the screen: recordings, batch text, exports. */
#ifndef OUT_SINK_H
#define OUT_SINK_H

#include "base/err.h"
#include "model/frame.h"
#include "out/outputs.h"
#include "out/target.h"

#include <stdbool.h>
#include <stdint.h>

/* What a sink needs to know once; borrowed for the sink's life. */
struct sink_about {
	const char *source, *model, *chip, *os;
	bool simulated;
	const struct topology *topology;
	const struct metric *const *metric; /* [nmetrics] */
	unsigned nmetrics;
	uint64_t run_id;
	uint32_t rows;         /* 1 << enum scope_level: levels to write */
	bool force;            /* an existing file may be replaced */
	bool append;           /* an existing recording is gone on with */
	uint64_t rotate_bytes; /* segments of about this size; 0: one file */
	int64_t rotate_ns;     /* or of this time; 0: any */
	/* Rows of processes in a frame, at most, busiest first; those of the
	   others are one row. 0: none. */
	unsigned processes;
	const char *labels; /* "host=a,build=b", columns at the end; NULL */
	/*
	 * Of text: the rows of cores that are shown of a frame, in their order,
	 * borrowed until the next call. NULL, or false: all as they come.
	 */
	bool (*choose)(void *arg, const struct frame *f, const unsigned **row,
		       unsigned *n);
	void *choose_arg;
	/*
	 * Of text: a metric of a process's own events in the frame that was
	 * made last; NAN where it has none. *few: of few events. NULL: nobody
	 * knows.
	 */
	double (*traced)(const void *arg, const struct span *s, unsigned metric,
			 bool *few);
	const void *traced_arg;
};

struct sink;

struct sink_ops {
	const char *name;
	bool records; /* rows of every frame, also to standard output */
	/* target: a path, or "-" for standard output. */
	struct sink *(*open)(const char *target, const struct sink_about *a,
			     struct err *e);
	/*
	 * One frame, one write(2). False when it was lost: *e says why (once;
	 * e->text is empty when it was said before), and the next may succeed.
	 */
	bool (*frame)(struct sink *s, const struct frame *f, struct err *e);
	/*
	 * The machine has other CPUs from the next frame on: `a` is what was
	 * given to open, with another topology; `was` is the one before. False:
	 * *e, and the sink is of no use any more. NULL: frames say all it
	 * needs.
	 */
	bool (*machine)(struct sink *s, const struct sink_about *a,
			const struct topology *was, struct err *e);
	/*
	 * A mark or other note after a frame: f is that frame, but stamp and
	 * elapsed_s are the mark's own. NULL: the sink has none.
	 */
	bool (*mark)(struct sink *s, const struct frame *f, const char *text,
		     struct err *e);
	/* How many frames were given up that waited for a slow reader. */
	uint64_t (*close)(struct sink *s);
	/*
	 * Instead of close, where there was no frame yet: takes back what open
	 * made. NULL: it makes nothing.
	 */
	void (*discard)(struct sink *s);
};

enum { SINK_NOTICE_SIZE = 256 };

struct sink {
	const struct sink_ops *ops;
	/* What a person should know though all went well; who says it empties
	   it. Looked at after open and each frame. */
	char notice[SINK_NOTICE_SIZE];
	struct target target; /* of a page of its own alone what was lost */
};

/* Frames lost so far, and whether the far side is gone for good. */
void sink_get_losses(const struct sink *s, uint64_t *lost, bool *dead);

/*
 * Descriptor to wait on for writing, then flush, before more frames find room;
 * -1 when nothing is held back. A caller that can wait (a stepped clock) loses
 * no frame so.
 */
int sink_waiting_fd(const struct sink *s);
bool sink_flush(struct sink *s, struct err *e);

#define SINK(constant, name, help) extern const struct sink_ops sink_##name;
OUTPUT_TABLE(SINK)
#undef SINK
extern const struct sink_ops sink_text;

extern const struct sink_ops *const sink_table[OUTPUTS_ALL];

#endif
