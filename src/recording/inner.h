/* What the files of this module share: lines, fields, rows, a replay's parts.
 */
#ifndef RECORDING_INNER_H
#define RECORDING_INNER_H

#include "model/columns.h"
#include "model/event.h"
#include "model/process.h"
#include "model/topology.h"
#include "recording/recording.h"
#include "source/source.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- lines of segments, through one buffer: lines.c ---- */

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
void lines_unread(struct lines *l, size_t n);

/* ---- fields: text.c ---- */

/* All of these take s[0..n), not terminated, and are strict. */

/* A whole number; ".0" behind it is what spreadsheets add. */
bool recording_parse_count(const char *s, size_t n, uint64_t *out);

/* A whole number of either sign, as the two's complement. */
bool recording_parse_difference(const char *s, size_t n, uint64_t *out);

/* Decimal seconds to ns; a tenth digit behind the point is cut off. */
bool recording_parse_seconds(const char *s, size_t n, int64_t *ns);

bool recording_parse_real(const char *s, size_t n, double *out);

/*
 * "2026-11-20T14:03:22.118Z" to ns since 1970; after 2261 the most there are.
 * As other programs write it: a blank for the T, and "+00", "+05:30", "-0330"
 * or nothing for the Z.
 */
bool recording_parse_time(const char *s, size_t n, int64_t *ns);

/* ---- rows, a line's fields by the header's names: row.c ---- */

enum {
	ROW_COLUMNS_MAX = 2048,
	ROW_NOTE_MAX = 512 /* names the events of a whole set twice */
};

/* Of sums over CPUs, which are made again, only the type is read. */
static inline bool
row_is_group(enum column_row type)
{
	return type == ROW_OF_CLUSTER || type == ROW_OF_KIND ||
	       type == ROW_OF_MACHINE;
}

struct row {
	enum column_row type; /* COLUMN_ROWS: unknown */
	char run[24];
	uint64_t frame;
	int64_t wall_ns, elapsed_ns;
	char preset[32];
	enum domain domain;
	uint32_t slots; /* 1 << slot that has an event */
	unsigned nslots;
	unsigned slot[EVENTSET_MAX];
	uint32_t unlike; /* 1 << slot, by the note */
	char note[ROW_NOTE_MAX];
	struct recording_cpu at;
	struct recording_machine machine;
	uint64_t began, began_seen;
	struct process_read process;
	uint32_t counted; /* 1 << slot of its events, in `counts` */
	struct process_counts counts;
	char power_flags[64];
	struct recorded_power power; /* of a row of that type */
};

struct row_reader {
	/* By column of this file: enum column_id; COLUMN_FIELDS: unread. */
	uint8_t field[ROW_COLUMNS_MAX];
	unsigned ncolumns;
	unsigned nread; /* columns up to the last that is read */
	struct csv_parser parser;
	struct row row;
	struct record record; /* its numbers as they stand */
	bool negative;        /* one of them; only (rest) may have it */
	unsigned nnames;      /* events, each once */
	char *name[RECORDING_NAMES_MAX];
	char unknown_columns[96], unknown_words[64], unknown_rows[32];

	/* While a line is taken apart. */
	unsigned column;
	bool header, ended;
	unsigned bad_column;
	const char *bad; /* why; NULL: fine */
	char bad_text[40];
};

bool row_reader_init(struct row_reader *r, struct err *e);
void row_reader_done(struct row_reader *r);

/*
 * A header line without its end. False: bad and bad_column say why; a second
 * call starts the next segment.
 */
bool row_header(struct row_reader *r, const char *line, size_t n);

/* Begins a row; then lines of it follow until row_add_line says that it is
 * whole.
 */
void row_begin(struct row_reader *r);

/*
 * The next line of a row, without its end. True when the row is whole: then
 * r->row has it, unless r->bad says why not.
 */
bool row_add_line(struct row_reader *r, const char *line, size_t n);

/* Has the file that column? */
bool row_has_column(const struct row_reader *r, enum column_id id);

/* Is the frame's number of a row that is cut off whole? */
bool row_frame_known(const struct row_reader *r);

/* The name of a column of the file that row_header took; "" past the last. */
const char *row_column_name(const struct row_reader *r, unsigned column);

/* ---- the machine that a recording speaks of: machine.c ---- */

/* Kinds, clusters and CPUs out of rows, those of a frame; NULL and *e. */
struct topology *replay_topology_new(const struct recording_frame *f,
				     const char *chip, struct err *e);

/* What was counted in a frame. */
enum source_mode replay_frame_mode(const struct recording_frame *f);

/*
 * Events: all that ktop knows of the chip, and those that the recording has
 * named so far. Those that it names later are known to the sets alone.
 */
struct replay_events {
	struct catalog catalog;
	struct event *event; /* catalog.event, writable */
	struct event *late[RECORDING_NAMES_MAX];
	unsigned nlate;
	const struct event *of[RECORDING_NAMES_MAX]; /* by recording_name */
};

/*
 * first: the frame that the topology was made of. On Linux the fixed pair
 * stands for the events that metrics divide by, unless user mode is counted.
 */
bool replay_events_init(struct replay_events *v, const struct recording *r,
			const struct recording_frame *first, struct err *e);
void replay_events_done(struct replay_events *v);

/* The frame's set, its counters by the rule of placement. */
bool replay_make_set(struct replay_events *v, const struct recording *r,
		     const struct recording_frame *f, struct eventset *out,
		     struct err *e);

/*
 * Takes what the frame has of them into `to`, on the machine t. False and *e:
 * memory is short. Where the frame has none to->n is 0.
 */
bool replay_processes_take(struct process_reading *to,
			   const struct recording_frame *f,
			   const struct topology *t, struct err *e);

/* As of source_ops.processes. */
bool replay_processes_copy(struct process_reading *out,
			   const struct process_reading *from, struct err *e);

#endif
