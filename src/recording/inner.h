/* Functions shared by the files of this module. */
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

/* ---- lines.c: lines of segments, through one buffer ---- */

struct lines {
	const char *const *path; /* borrowed; "-": standard input */
	unsigned npaths, file;
	int fd;
	bool eof;
	char *buf; /* unread bytes: buf[at..end) */
	size_t at, end;
	int64_t base;
	uint64_t line;
	uint64_t read, reported, all; /* bytes; all: total, 0 if unknown */
	void (*tell)(void *arg, uint64_t done, uint64_t all);
	void *tell_arg;
};

enum line_status { LINE_WHOLE, LINE_CUT, LINE_NONE, LINE_BAD };

/* Opens the first segment. Call lines_done after a failure, too. */
bool lines_init(struct lines *l, const char *const *path, unsigned n,
		struct err *e);
void lines_done(struct lines *l);

const char *lines_name(const struct lines *l);
const char *lines_path_name(const char *path);

bool lines_open(struct lines *l, unsigned file, struct err *e);

/* line: number of the line at `offset`, from 1. */
bool lines_seek(struct lines *l, int64_t offset, uint64_t line, struct err *e);

/* *line is valid until the next call. LINE_CUT: no newline follows. */
enum line_status lines_next(struct lines *l, const char **line, size_t *n,
			    struct err *e);

/* Makes lines_next return the last whole line, of n bytes, again. */
void lines_unread(struct lines *l, size_t n);

/* ---- fields.c: strict parsers of s[0..n) ---- */

/* Accepts a fraction of zeros, which spreadsheets add. */
bool recording_parse_count(const char *s, size_t n, uint64_t *out);

/* The number may be negative: *out is its two's complement. */
bool recording_parse_difference(const char *s, size_t n, uint64_t *out);

/* Decimal digits after the ninth are ignored, except with an exponent. */
bool recording_parse_seconds(const char *s, size_t n, int64_t *ns);

bool recording_parse_real(const char *s, size_t n, double *out);

/* "2026-11-20T14:03:22.118Z" to ns since 1970; from 2262 on INT64_MAX. A blank
 * may replace T; "+00", "+05:30", "-0330" or nothing may replace Z. */
bool recording_parse_time(const char *s, size_t n, int64_t *ns);

/* ---- row.c: rows ---- */

enum {
	ROW_COLUMNS_MAX = 2048,
	ROW_NOTE_MAX = 512 /* enough to name all events of a set twice */
};

/* Does the row hold sums over CPUs? ktop reads only its type, and calculates
 * the sums again. */
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
	uint32_t slots; /* 1 << slot with an event */
	unsigned nslots;
	unsigned slot[EVENTSET_MAX];
	uint32_t unlike; /* 1 << slot of events that `note` calls unlike */
	char note[ROW_NOTE_MAX];
	struct recording_cpu at;
	struct recording_machine machine;
	uint64_t began, began_seen;
	struct process_read process;
	uint32_t counted; /* 1 << slot with a value in `counts` */
	struct process_counts counts;
	char power_flags[64], thermal_pressure[16];
	struct recorded_power power;
};

struct row_reader {
	/* enum column_id of each column; COLUMN_FIELDS: ignored column */
	uint8_t field[ROW_COLUMNS_MAX];
	unsigned ncolumns;
	unsigned nread;
	struct csv_parser parser;
	struct row row;
	struct record record;
	bool negative; /* a count is negative: valid only for (unattributed) */
	unsigned nnames;
	char *name[RECORDING_NAMES_MAX];
	char unknown_columns[96], unknown_words[64], unknown_rows[32];

	unsigned column;
	bool header, ended;
	unsigned bad_column;
	const char *bad; /* reason of the error; NULL: none */
	char bad_text[40];
};

bool row_reader_init(struct row_reader *r, struct err *e);
void row_reader_done(struct row_reader *r);

/* Reads a segment's header line. False: see r->bad, r->bad_column. */
bool row_header(struct row_reader *r, const char *line, size_t n);

/* Starts a row; add lines until row_add_line returns true. */
void row_begin(struct row_reader *r);

/* True: the row is complete; r->bad is NULL or the error. */
bool row_add_line(struct row_reader *r, const char *line, size_t n);

bool row_has_column(const struct row_reader *r, enum column_id id);

/* Does a cut row have its complete frame number? */
bool row_frame_known(const struct row_reader *r);

/* "": the column is ignored, or does not exist. */
const char *row_column_name(const struct row_reader *r, unsigned column);

/* ---- replay_machine.c: topology, events and processes of a recording ---- */

/* NULL and *e: a CPU occurs twice, too many kinds, or out of memory. */
struct topology *replay_topology_new(const struct recording_frame *f,
				     const char *chip, struct err *e);

enum source_mode replay_frame_mode(const struct recording_frame *f);

/* late: events whose names `catalog` lacks */
struct replay_events {
	struct catalog catalog;
	struct event *event;
	struct event *late[RECORDING_NAMES_MAX];
	unsigned nlate;
	const struct event *of[RECORDING_NAMES_MAX];
};

/* Without a table of the chip, adds the events of perf's fixed counters, unless
 * `first` counts only user mode. False and *e: out of memory. */
bool replay_events_init(struct replay_events *v, const struct recording *r,
			const struct recording_frame *first, struct err *e);
void replay_events_done(struct replay_events *v);

bool replay_make_set(struct replay_events *v, const struct recording *r,
		     const struct recording_frame *f, struct eventset *out,
		     struct err *e);

/* If the frame has no processes to->n is 0. False and *e: out of memory. */
bool replay_processes_take(struct process_reading *to,
			   const struct recording_frame *f,
			   const struct topology *t, struct err *e);

/* False and *e: no processes were recorded, or out of memory. */
bool replay_processes_copy(struct process_reading *out,
			   const struct process_reading *from, struct err *e);

#endif
