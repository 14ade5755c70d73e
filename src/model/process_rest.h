/* Compares processes with cores: shares, and (unattributed). */
#ifndef MODEL_PROCESS_REST_H
#define MODEL_PROCESS_REST_H

#include "model/frame.h"
#include "model/process.h"

/* Sets *cores to the counts of the cores, split into the same parts. */
void process_cores_of(const struct frame *f, const struct process_parts *parts,
		      struct process_row *cores);

/* Sums n rows except those marked in out (may be NULL). A total is known if any
 * row has it, a part only if all these rows have it. PROCESS_PARTIAL: some rows
 * have only times. */
void process_own_of(const struct process_row *row, unsigned n, const bool *out,
		    struct process_row *own);

/* Subtracts the processes' counts from the cores'. If the processes have more,
 * the result is unknown (PROCESS_SKEW). False: no counts to compare. */
bool process_rest_of(const struct process_row *cores,
		     const struct process_row *own, unsigned parts,
		     struct process_row *rest);

/* Makes negative counts unknown and sets rest->value. */
void process_rest_metrics(struct process_row *rest,
			  const struct process_row *cores, unsigned parts);

/* Does the row use under 15 % of its issue slots and over 3 % of all cycles? If
 * counts are not split by kind, all cores have the narrowest width, so that
 * work on efficiency cores is not flagged. of < 1 relaxes the limits, for
 * hysteresis. */
bool process_is_slow(const struct process_row *row,
		     const struct process_row *cores,
		     const struct process_parts *parts,
		     const struct topology *t, double of);

/* ---- the process that explains a row ---- */

struct process_culprit {
	const struct process_row *row;
	int part;         /* index; -1: the whole machine */
	double share_pct; /* % of the part's cycles */
	double ipc;       /* on the part; NAN: too few cycles */
};

/* Candidates are processes with less than twice the cores' IPC. The culprit has
 * at least half of the candidates' cycles on the scope's kind of core, and half
 * of the scope's cycles. False: none, or counts are not split by kind. */
bool processes_culprit(const struct process_table *t, const struct frame *f,
		       unsigned scope, struct process_culprit *c);

/* A process's share of a kind's cycles. */
struct process_share {
	const struct process_row *row;
	double share_pct;
};

/* Lists at most n processes with the most cycles on the scope's kind of core;
 * returns their number. *part: the kind's label. */
unsigned processes_shares(const struct process_table *t, const struct frame *f,
			  unsigned scope, struct process_share *out, unsigned n,
			  const char **part);

#endif
