/* Compares the counts of processes with those of the cores. */
#ifndef MODEL_PROCESS_REST_H
#define MODEL_PROCESS_REST_H

#include "model/frame.h"
#include "model/process.h"

void process_cores_of(const struct frame *f, const struct process_parts *parts,
		      struct process_row *cores);

/* Sums n rows except those marked in out (may be NULL). A total is known if any
 * row has it, a part only if all rows with the total have it. PROCESS_PARTIAL:
 * some rows with times lack counts. */
void process_own_of(const struct process_row *row, unsigned n, const bool *out,
		    struct process_row *own);

/* Sets *rest to the cores' counts minus those of the processes. If the
 * processes have more, *rest is unknown (PROCESS_SKEW). False: there are no
 * counts to compare. */
bool process_rest_of(const struct process_row *cores,
		     const struct process_row *own, unsigned parts,
		     struct process_row *rest);

void process_rest_metrics(struct process_row *rest,
			  const struct process_row *cores, unsigned parts);

/* Does the row use under 15 % of its issue slots and over 3 % of all cycles? If
 * counts are not split by kind, the narrowest width is assumed, so that work on
 * efficiency cores is not flagged. of < 1 relaxes both limits, for hysteresis.
 */
bool process_is_slow(const struct process_row *row,
		     const struct process_row *cores,
		     const struct process_parts *parts,
		     const struct topology *t, double of);

/* ---- the process that explains a row ---- */

struct process_culprit {
	const struct process_row *row;
	int part;         /* index of the part; -1: the whole machine */
	double share_pct; /* % of the part's cycles */
	double ipc;       /* on the part; NAN: unknown, or too few cycles */
};

/* Candidates are processes whose IPC is unknown or less than twice the cores'.
 * The culprit has at least half of the candidates' cycles on the scope's kind
 * of core, and half of the scope's cycles. False: no culprit is certain. */
bool processes_culprit(const struct process_table *t, const struct frame *f,
		       unsigned scope, struct process_culprit *c);

struct process_share {
	const struct process_row *row;
	double share_pct;
};

/* Lists at most n processes, those with the most cycles on the scope's kind of
 * core, and returns their number. *part: label of the kind, or "all". */
unsigned processes_shares(const struct process_table *t, const struct frame *f,
			  unsigned scope, struct process_share *out, unsigned n,
			  const char **part);

#endif
