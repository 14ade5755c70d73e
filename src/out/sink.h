/* Outputs of frames: recordings, batch text, exports. */
#ifndef OUT_SINK_H
#define OUT_SINK_H

#include "base/err.h"
#include "model/frame.h"
#include "out/outputs.h"
#include "out/target.h"

#include <stdbool.h>
#include <stdint.h>

/* Borrowed for the sink's life. */
struct sink_about {
	const char *source, *model, *chip, *os;
	bool simulated;
	const struct topology *topology;
	const struct metric *const *metric;
	unsigned nmetrics;
	uint64_t run_id;
	uint32_t rows; /* 1 << enum scope_level */
	bool force;
	bool append;
	uint64_t rotate_bytes; /* 0: no limit */
	int64_t rotate_ns;     /* 0: no limit */
	/* Most rows of processes per frame; 0: none. */
	unsigned processes;
	const char *labels; /* "host=a,build=b"; NULL: none */
	/* Batch text: CPU rows to show until the next call; NULL, false: all.
	 * */
	bool (*choose)(void *arg, const struct frame *f, const unsigned **row,
		       unsigned *n);
	void *choose_arg;
	/* Batch text: a process's own event metric; NAN: none. May be NULL. */
	double (*traced)(const void *arg, const struct span *s, unsigned metric,
			 bool *few);
	const void *traced_arg;
};

struct sink;

struct sink_ops {
	const char *name;
	bool records; /* complete frames, even to standard output */
	/* target: a path, or "-". */
	struct sink *(*open)(const char *target, const struct sink_about *a,
			     struct err *e);
	/* False: lost; *e is "" if reported already. The next may succeed. */
	bool (*frame)(struct sink *s, const struct frame *f, struct err *e);
	/* The topology of `a` replaces `was` from the next frame. False and *e:
	 * the sink is unusable. NULL: nothing to do. */
	bool (*machine)(struct sink *s, const struct sink_about *a,
			const struct topology *was, struct err *e);
	/* After f, with the mark's own stamp and elapsed_s. NULL: no marks. */
	bool (*mark)(struct sink *s, const struct frame *f, const char *text,
		     struct err *e);
	/* Returns frames dropped in the queue. */
	uint64_t (*close)(struct sink *s);
	/* Instead of close before any frame: undoes open. May be NULL. */
	void (*discard)(struct sink *s);
};

enum { SINK_NOTICE_SIZE = 256 };

struct sink {
	const struct sink_ops *ops;
	/* For the user, after open and each frame; the reader clears it. */
	char notice[SINK_NOTICE_SIZE];
	struct target target; /* for a page: only its losses */
};

void sink_get_losses(const struct sink *s, uint64_t *lost, bool *reader_gone);

/* Wait until it is writable, then call sink_flush; -1: nothing waits. */
int sink_waiting_fd(const struct sink *s);
bool sink_flush(struct sink *s, struct err *e);

#define SINK(constant, name, help) extern const struct sink_ops sink_##name;
OUTPUT_TABLE(SINK)
#undef SINK
extern const struct sink_ops sink_text;

extern const struct sink_ops *const sink_table[OUTPUTS_ALL];

#endif
