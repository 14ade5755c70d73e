/* Interface of outputs: recordings, batch text, exports. */
#ifndef OUT_SINK_H
#define OUT_SINK_H

#include "base/err.h"
#include "model/frame.h"
#include "out/outputs.h"
#include "out/target.h"

#include <stdbool.h>
#include <stdint.h>

/* A sink borrows this struct, and all that it points to, until close or until
 * ops->machine passes another. */
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
	uint64_t rotate_bytes;
	int64_t rotate_ns; /* 0: no limit, as in rotate_bytes */
	/* Maximum of process rows per frame; 0: none. */
	unsigned processes;
	const char *labels; /* "host=a,build=b"; NULL: none */
	/* For batch text: sets the CPU rows. NULL or false: all rows. */
	bool (*choose)(void *arg, const struct frame *f, const unsigned **row,
		       unsigned *n);
	void *choose_arg;
	/* For batch text: a process's event metric; NAN: none. May be NULL. */
	double (*traced)(const void *arg, const struct span *s, unsigned metric,
			 bool *few);
	const void *traced_arg;
};

struct sink;

struct sink_ops {
	const char *name;
	bool records; /* is a recording; "-" then records to standard output */
	/* target: a path; "-": standard output. NULL and *e on failure. */
	struct sink *(*open)(const char *target, const struct sink_about *a,
			     struct err *e);
	/* False: the frame is lost; *e is "" if reported already. */
	bool (*frame)(struct sink *s, const struct frame *f, struct err *e);
	/* Replaces topology `was` by that of `a` before the next frame. False
	 * and *e: the sink is unusable. NULL: nothing to do. */
	bool (*machine)(struct sink *s, const struct sink_about *a,
			const struct topology *was, struct err *e);
	/* f: the last frame, with the marker's times. NULL: no markers. */
	bool (*mark)(struct sink *s, const struct frame *f, const char *text,
		     struct err *e);
	/* Returns the number of frames that were dropped. */
	uint64_t (*close)(struct sink *s);
	/* Closes, and removes a file that open created. May be NULL. */
	void (*discard)(struct sink *s);
};

enum { SINK_NOTICE_SIZE = 256 };

struct sink {
	const struct sink_ops *ops;
	/* For the user, after open or a frame; the reader clears it. */
	char notice[SINK_NOTICE_SIZE];
	struct target target; /* openmetrics uses only `lost` */
};

void sink_get_losses(const struct sink *s, uint64_t *lost, bool *reader_gone);

/* Call sink_flush when the descriptor is writable. -1: do not wait. */
int sink_waiting_fd(const struct sink *s);
bool sink_flush(struct sink *s, struct err *e);

#define SINK(constant, name, help) extern const struct sink_ops sink_##name;
OUTPUT_TABLE(SINK)
#undef SINK
extern const struct sink_ops sink_text;

extern const struct sink_ops *const sink_table[OUTPUTS_ALL];

#endif
