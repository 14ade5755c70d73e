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
 * The process with the most cycles on the kind of core that the scope is of.
 * False where the system does not tell kinds apart, or nobody has cycles there.
 */
bool processes_culprit(const struct process_table *t, const struct frame *f,
		       unsigned scope, struct process_culprit *c);

#endif
