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
	bool pair_in_group; /* slots and fixed counters count simultaneously */
	unsigned ncolumns;
	struct column column[COLUMNS_MAX];
	char key[COLUMNS_MAX][48];
	unsigned metric[METRIC_MAX];
	unsigned ipc, ghz, gips;
	struct process_pick pick;
	char run[24];
	/* From --label, as text for the header and for each row. */
	char label_names[LABEL_NAMES_SIZE], labels[LABELS_SIZE];
};

/* False and *e: out of memory; call rows_free after a failure, too. */
bool rows_init(struct rows *w, const struct sink_about *a, bool json,
	       struct err *e);
void rows_free(struct rows *w);

/* Maximum size in bytes of a frame's rows, with header and notes. */
size_t rows_size(const struct rows *w);

void rows_write_header(struct buf *b, const struct rows *w);

/* If processes are requested, (other processes) is the last row of a frame. */
void rows_write_frame(struct buf *b, struct rows *w, const struct frame *f);

/* known: PROCESS_HAS_ bits; parts: number of kinds of core. */
void rows_fill_totals(struct record *r, uint32_t known,
		      const struct process_totals *d, unsigned parts);

/* row: ROW_OF_MARKER, ROW_OF_CHANGE or ROW_OF_LOSS. */
void rows_write_note(struct buf *b, const struct rows *w, const struct frame *f,
		     enum column_row row, const char *note);

#endif
