/* Totals of a process: subtracted, added up, compared. */
#ifndef MODEL_PROCESS_TOTALS_H
#define MODEL_PROCESS_TOTALS_H

#include "model/process.h"

/* All that begins again where process_read.counting is another number. */
enum {
	PROCESS_HAS_COUNTED = PROCESS_HAS_COUNTS | PROCESS_HAS_PARTS |
			      PROCESS_HAS_PART_TIMES | PROCESS_HAS_ENERGY |
			      PROCESS_HAS_PART_ENERGY
};

/* Which of the known numbers (PROCESS_HAS_...) went down? */
uint32_t process_totals_fell(const struct process_totals *before,
			     const struct process_totals *now, uint32_t known);

/*
 * *d is now less before; a time that rounding took back stood still. What is
 * not known is 0.
 */
void process_totals_since(const struct process_totals *before,
			  const struct process_totals *now, uint32_t known,
			  struct process_totals *d);

/* Adds what is known. */
void process_totals_add(struct process_totals *sum,
			const struct process_totals *add, uint32_t known);

#endif
