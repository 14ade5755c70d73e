/* Compares processes with cores: shares, and (unattributed). */
#ifndef MODEL_PROCESS_REST_H
#define MODEL_PROCESS_REST_H

#include "model/frame.h"
#include "model/process.h"

/* Sets *cores to the counts of the cores, split into the same parts. */
void process_cores_of(const struct frame *f, const struct process_parts *parts,
		      struct process_row *cores);

/* Sums n rows except those marked in out (may be NULL). A field is known if it
 * is in one row, a part if it is in all. PARTIAL: some rows have only times. */
void process_own_of(const struct process_row *row, unsigned n, const bool *out,
		    struct process_row *own);

/* Subtracts the processes' counts from the cores'; unknown (PROCESS_SKEW) if
 * the processes have more. False: nothing to compare. */
bool process_rest_of(const struct process_row *cores,
		     const struct process_row *own, unsigned parts,
		     struct process_row *rest);

/* Makes negative fields unknown, then sets values. */
void process_rest_metrics(struct process_row *rest,
			  const struct process_row *cores, unsigned parts);

/* Does the row use under 15 % of its slots (by each kind's width) and over 3 %
 * of all cycles? Without kinds the narrowest width applies, so that work on
 * efficiency cores alone flags nothing. of < 1 eases the limits: hysteresis for
 * flagged rows. */
bool process_is_slow(const struct process_row *row,
		     const struct process_row *cores,
		     const struct process_parts *parts,
		     const struct topology *t, double of);

/* ---- the process that explains a row ---- */

struct process_culprit {
	const struct process_row *row;
	int part;         /* -1: the machine */
	double share_pct; /* % of the part's cycles */
	double ipc;       /* on the part; NAN: too few cycles */
};

/* Among processes with less than twice the cores' IPC, the one with most cycles
 * on the scope's kind, if it has at least half of their cycles and half of the
 * scope's. False: kinds unknown, or no such process. */
bool processes_culprit(const struct process_table *t, const struct frame *f,
		       unsigned scope, struct process_culprit *c);

/* Share of a kind's cycles. */
struct process_share {
	const struct process_row *row;
	double share_pct;
};

/* The n processes with most cycles on the scope's kind; returns the number.
 * part: the kind's label. */
unsigned processes_shares(const struct process_table *t, const struct frame *f,
			  unsigned scope, struct process_share *out, unsigned n,
			  const char **part);

#endif
