/* The rows of recordings: a loop over the columns, in CSV or JSON lines. */
#ifndef OUT_ROWS_H
#define OUT_ROWS_H

#include "model/columns.h"
#include "out/format.h"
#include "out/busiest.h"
#include "out/sink.h"

enum { LABEL_NAMES_SIZE = 512, LABELS_SIZE = 4096 };

struct rows {
	const struct sink_about *about;
	bool json;          /* lines of it instead of CSV */
	bool pair_in_group; /* the fixed pair counts when the slots do */
	unsigned ncolumns;
	struct column column[COLUMNS_MAX];
	char key[COLUMNS_MAX][48];   /* of JSON, with what stands around it */
	unsigned metric[METRIC_MAX]; /* table's row -> the frame's index */
	unsigned ipc, ghz, gips;     /* the table's rows */
	struct process_pick pick;
	char run[24];
	/* Of --label, at the end of the header, and of each row. */
	char label_names[LABEL_NAMES_SIZE], labels[LABELS_SIZE];
};

/* False and *e when memory is short; rows_free is then still needed. */
bool rows_init(struct rows *w, const struct sink_about *a, bool json,
	       struct err *e);
void rows_free(struct rows *w);

/* Bytes of the longest frame, and of the header, that can come. */
size_t rows_size(const struct rows *w);

/* The header line of CSV. */
void rows_write_header(struct buf *b, const struct rows *w);

/*
 * A row for each scope of the levels asked for; then the busiest processes,
 * what nobody had, and as the last all others: with that row the frame is known
 * to be whole.
 */
void rows_write_frame(struct buf *b, struct rows *w, const struct frame *f);

/* What processes did, in cycles, time and energy; parts: kinds of core. */
void rows_fill_totals(struct record *r, uint32_t known,
		      const struct process_totals *d, unsigned parts);

/* A row without counts: ROW_OF_MARKER and the next two, and its note. */
void rows_write_note(struct buf *b, const struct rows *w, const struct frame *f,
		     enum column_row row, const char *note);

#endif
