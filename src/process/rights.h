/* Capabilities (Linux; none on a Mac). linux/rights.c and mac/rights.c. */
#ifndef PROCESS_RIGHTS_H
#define PROCESS_RIGHTS_H

#include "base/err.h"

#include <stdbool.h>

/* Has the process a capability, permitted or inheritable? */
bool rights_any(void);

/* Empties the bounding set except for `keep` (-1: nothing): programs executed
 * later gain no other. Needs CAP_SETPCAP: call before leaving root. */
void rights_drop_bounding(int keep);

/* Empties all sets for good, the bounding set if still permitted. */
bool rights_drop_all(struct err *e);

/* Drops CAP_SETPCAP only. */
void rights_drop_setpcap(void);

#endif
