/* One row of a recording: a line's fields by the header's names. */
#ifndef RECORDING_ROW_H
#define RECORDING_ROW_H

#include "model/columns.h"
#include "model/process.h"
#include "recording/recording.h"

#include <csv.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	ROW_COLUMNS_MAX = 2048,
	ROW_NAMES_HASH = 2 * RECORDING_NAMES_MAX,
	ROW_NOTE_MAX = 512 /* names the events of a whole set twice */
};

enum row_type {
	ROW_IS_CORE,
	ROW_IS_GROUP, /* cluster, kind, all: sums, made again */
	ROW_IS_MARK,
	ROW_IS_SWAP,
	ROW_IS_LOST,
	ROW_IS_PROCESS,
	ROW_IS_OTHERS, /* processes without a row of their own */
	ROW_IS_REST,   /* what nobody had */
	ROW_IS_UNKNOWN
};

/* Event names by number, each once. */
struct row_names {
	unsigned len;
	char *name[RECORDING_NAMES_MAX];
	uint16_t hash[ROW_NAMES_HASH]; /* number + 1; 0: free */
};

struct row {
	enum row_type type;
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
	struct row_names names;
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

/* Begins a row; then lines of it follow until row_take says that it is whole.
 */
void row_begin(struct row_reader *r);

/*
 * The next line of a row, without its end. True when the row is whole: then
 * r->row has it, unless r->bad says why not.
 */
bool row_take(struct row_reader *r, const char *line, size_t n);

/* Has the file that column? */
bool row_has_column(const struct row_reader *r, enum column_id id);

/* Is the frame's number of a row that is cut off whole? */
bool row_frame_known(const struct row_reader *r);

/* The name of a column of the file that row_header took; "" past the last. */
const char *row_column_name(const struct row_reader *r, unsigned column);

#endif
