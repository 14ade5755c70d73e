/* Rows of recordings, in CSV or JSON lines. */
#ifndef OUT_ROWS_H
#define OUT_ROWS_H

#include "model/columns.h"
#include "out/format.h"
#include "out/busiest.h"
#include "out/sink.h"

enum { LABEL_NAMES_SIZE = 512, LABELS_SIZE = 4096 };

struct rows {
	const struct sink_about *about;
	bool json;
	bool pair_in_group; /* the fixed counters count at the same time as the
			       slots */
	unsigned ncolumns;
	struct column column[COLUMNS_MAX];
	char key[COLUMNS_MAX][48];   /* JSON key with punctuation */
	unsigned metric[METRIC_MAX]; /* metric_table index to the frame's */
	unsigned ipc, ghz, gips;     /* in metric_table */
	struct process_pick pick;
	char run[24];
	/* From --label. */
	char label_names[LABEL_NAMES_SIZE], labels[LABELS_SIZE];
};

/* False and *e: out of memory; call rows_free even then. */
bool rows_init(struct rows *w, const struct sink_about *a, bool json,
	       struct err *e);
void rows_free(struct rows *w);

/* Upper bound of a frame and header. */
size_t rows_size(const struct rows *w);

void rows_write_header(struct buf *b, const struct rows *w);

/* Scopes of the requested levels, the busiest processes, (unattributed), and
 * last (other processes): without that row the frame is incomplete. */
void rows_write_frame(struct buf *b, struct rows *w, const struct frame *f);

/* parts: kinds of core. */
void rows_fill_totals(struct record *r, uint32_t known,
		      const struct process_totals *d, unsigned parts);

/* row: ROW_OF_MARKER or one of the next two. */
void rows_write_note(struct buf *b, const struct rows *w, const struct frame *f,
		     enum column_row row, const char *note);

#endif
