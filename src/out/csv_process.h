/* Rows of processes in a recording. */
#ifndef OUT_CSV_PROCESS_H
#define OUT_CSV_PROCESS_H

#include "out/csv_plan.h"

/* What the plan has for them. False: memory is short. */
bool csv_process_init(struct csv_plan *p, const struct sink_about *a);
void csv_process_done(struct csv_plan *p);

/* Bytes of the longest row. */
size_t csv_process_size(const struct csv_plan *p);

/*
 * The busiest, what nobody had, and as the last all others: with that row the
 * frame is known to be whole. moment: frame to elapsed_s, as of its cores.
 * Nothing where processes were not read.
 */
void csv_write_processes(struct buf *b, const struct csv_plan *p,
			 const struct frame *f, const struct buf *moment);

#endif
