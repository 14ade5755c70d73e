/*
 * What a process may besides its user and groups: capabilities, on Linux. A Mac
 * has no such thing. Files linux/rights.c and mac/rights.c.
 */
#ifndef PROCESS_RIGHTS_H
#define PROCESS_RIGHTS_H

#include "base/err.h"

#include <stdbool.h>

/* Does it hold one, or could it pass one on? */
bool rights_any(void);

/*
 * What no program started from here on can ever have again. Needs CAP_SETPCAP:
 * before a user id that is not root's.
 */
void rights_drop_bounding(void);

/* Empties all sets, that of rights_drop_bounding where it still may; for good.
 */
bool rights_drop_all(struct err *e);

/* What is held stays: gives CAP_SETPCAP up, the right to bound. */
void rights_drop_setpcap(void);

#endif
