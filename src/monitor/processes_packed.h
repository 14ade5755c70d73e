/* The kept rows of a frame as words, and those in few bytes. */
#ifndef MONITOR_PROCESSES_PACKED_H
#define MONITOR_PROCESSES_PACKED_H

#include "monitor/packed.h"
#include "monitor/processes.h"

enum {
	PROCESSES_ROW_WORDS = 32, /* by fours, and some are not used */
	PROCESSES_SUMS = 3,       /* rest, own, cores */
	PROCESSES_SUM_WORDS = 16, /* besides a row's: name, user, values */
	PROCESSES_TABLE_WORDS = 20,
	PROCESSES_TEXTS = PROCESS_NAME_SIZE + PROCESS_USER_SIZE,
	/* What a frame takes at most. */
	PROCESSES_PACKED_ROOM =
		(1 + 2 * PROCESSES_SUMS + PROCESSES_KEPT) * PACKED_ROOM +
		PROCESSES_KEPT * (2 + PROCESSES_TEXTS)
};

/* Values of rows are not in it: they are made again. */
struct processes_rows {
	unsigned n;
	uint64_t table[PROCESSES_TABLE_WORDS];
	uint64_t sum[PROCESSES_SUMS][PROCESSES_ROW_WORDS];
	uint64_t more[PROCESSES_SUMS][PROCESSES_SUM_WORDS];
	uint64_t row[PROCESSES_KEPT][PROCESSES_ROW_WORDS];
	const char *name[PROCESSES_KEPT], *user[PROCESSES_KEPT]; /* others' */
};

/*
 * The n rows of the table with these indices, in its order. whole: see
 * processes_past_push.
 */
void processes_rows_of(struct processes_rows *r, const struct process_table *t,
		       bool whole, const unsigned *row, unsigned n);

/*
 * like: rows of another frame, or such with nothing but zeros. to has
 * PROCESSES_PACKED_ROOM bytes; returns how many there are of them.
 */
size_t processes_rows_pack(const struct processes_rows *r,
			   const struct processes_rows *like, uint8_t *to);
/* Texts are those of the bytes, or of like. */
void processes_rows_unpack(const uint8_t *from,
			   const struct processes_rows *like,
			   struct processes_rows *r);

/*
 * The table as it was, but for what is not of its frame alone: threads, the
 * notice, the command line, what a trace counted. row has PROCESSES_KEPT; texts
 * are r's.
 */
void processes_rows_table(const struct processes_rows *r,
			  struct process_row *row, struct process_table *t);

#endif
