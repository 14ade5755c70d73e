/* Which process most likely owns what a row of the machine did. */
#ifndef MODEL_PROCESS_WHO_H
#define MODEL_PROCESS_WHO_H

#include "model/frame.h"
#include "model/process.h"

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
