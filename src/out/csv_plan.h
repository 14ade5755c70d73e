/*
 * What a recording's rows are made of, in CSV or JSON lines: formatted once,
 * copied every frame.
 */
#ifndef OUT_CSV_PLAN_H
#define OUT_CSV_PLAN_H

#include "base/buf.h"
#include "out/format.h"
#include "out/json.h"
#include "out/process_pick.h"
#include "out/sink.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	CSV_HEAD_MAX = 64,    /* "ktop/1,cluster,<run>" */
	CSV_PLACE_MAX = 1024, /* source ... n_cpus, five quoted texts */
	CSV_MOMENT_MAX = 96,  /* frame, time, elapsed_s */
	CSV_NUMBER_MAX = 24,  /* a number of 64 bits and its comma */
	CSV_NAME_MAX = 2 * EVENT_NAME_SIZE + 4,
	CSV_STATE_MAX = 256, /* preset, domain, quality */
	CSV_NOTE_MAX = 2 * FORMAT_FIELD_MAX + 4,
	CSV_BESIDE_MAX = 4, /* header, swap, lost, mark besides a frame's own */
	CSV_SHARED = 3      /* metrics that rows of processes have as well */
};

struct csv_piece { /* bytes of csv_plan.text */
	size_t at, len;
};

struct csv_plan {
	bool json;             /* lines of it instead of CSV */
	struct json_keys keys; /* then */
	bool pair_in_group;    /* the fixed pair counts when the slots do */
	uint32_t rows;         /* 1 << enum scope_level */
	unsigned ncolumns, nmetrics;
	unsigned metric[METRIC_MAX]; /* table's row -> the frame's index */
	unsigned nscopes;
	struct csv_piece *place;     /* [nscopes]: source ... n_cpus */
	struct csv_piece about;      /* source, model, chip */
	unsigned processes;          /* rows of them in a frame, at most */
	struct process_pick *pick;   /* NULL: none */
	unsigned shared[CSV_SHARED]; /* columns */
	char *text;
	char run[24];
};

/* False and *e when memory is short; csv_plan_free is then still needed. */
bool csv_plan_init(struct csv_plan *p, const struct sink_about *a, bool json,
		   struct err *e);
void csv_plan_free(struct csv_plan *p);

/* Bytes of the longest frame, and of the header, that can come. */
size_t csv_plan_size(const struct csv_plan *p);

/* The header line of CSV. */
void csv_write_header(struct buf *b, const struct csv_plan *p);

/* A row for each scope of the levels asked for. */
void csv_write_frame(struct buf *b, const struct csv_plan *p,
		     const struct frame *f);

/* A row that is not counts: mark, swap, lost, and a note. */
void csv_write_note(struct buf *b, const struct csv_plan *p,
		    const struct frame *f, const char *row, const char *note);

#endif
