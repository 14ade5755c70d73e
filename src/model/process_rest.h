/* All processes of a frame against all of its cores: shares, and (rest). */
#ifndef MODEL_PROCESS_REST_H
#define MODEL_PROCESS_REST_H

#include "model/frame.h"
#include "model/process.h"

/* What the cores themselves counted, by the same parts. */
void process_cores_of(const struct frame *f, const struct process_parts *parts,
		      struct process_row *cores);

/*
 * The sum of n rows, but for those left out (NULL: none): what is known of one
 * is in it; parts only where those of all are known. PARTIAL: some have times
 * and no counts.
 */
void process_own_of(const struct process_row *row, unsigned n, const bool *out,
		    struct process_row *own);

/*
 * What the cores counted and no process has. Where processes have more than the
 * cores it is unknown, and the row says PROCESS_SKEW. False: there is nothing
 * to compare.
 */
bool process_rest_of(const struct process_row *cores,
		     const struct process_row *own, unsigned parts,
		     struct process_row *rest);

/* Its values; what is negative is made unknown first. */
void process_rest_metrics(struct process_row *rest,
			  const struct process_row *cores, unsigned parts);

/*
 * Is the row flagged? Its instructions fill less than 15 % of the slots of
 * its cycles, those of each kind by that kind's width, and it has more than 3 %
 * of all cycles. Where kinds are not told apart the narrowest counts, so that
 * nothing is accused of running on small cores. Below 1 `of` makes the marks
 * easier to pass: a flagged row already ends there.
 */
bool process_is_slow(const struct process_row *row,
		     const struct process_row *cores,
		     const struct process_parts *parts,
		     const struct topology *t, double of);

/* ---- Which process most likely owns what a row of the machine did ---- */

struct process_culprit {
	const struct process_row *row; /* of the table */
	int part;                      /* of the table; -1: the whole machine */
	double share_pct; /* of the cycles of all cores of that part */
	double ipc;       /* its own there; NAN: too few cycles */
};

/*
 * Of the processes whose IPC is not twice that of the scope's cores, the one
 * with the most cycles on the kind of core that the scope is of, if it has at
 * least half of theirs, and half as many as the scope itself: one of many is
 * nobody in particular.
 * False where the system does not tell kinds apart, or nobody has cycles there.
 */
bool processes_culprit(const struct process_table *t, const struct frame *f,
		       unsigned scope, struct process_culprit *c);

/* What a process had of all cycles on a kind of core. */
struct process_share {
	const struct process_row *row;
	double share_pct;
};

/*
 * The n processes with most cycles on the kind of core that the scope is of,
 * the most first; how many there are. part: what that kind is called.
 */
unsigned processes_shares(const struct process_table *t, const struct frame *f,
			  unsigned scope, struct process_share *out, unsigned n,
			  const char **part);

#endif
