/* Drops Linux capabilities; macOS has none. In {linux,mac}/rights.c. */
#ifndef PROCESS_RIGHTS_H
#define PROCESS_RIGHTS_H

#include "base/err.h"

#include <stdbool.h>

/* Has the process a permitted or inheritable capability? True if unknown. */
bool rights_any(void);

/* Empties the bounding set except for `keep` (-1: none), so that programs
 * executed later gain no others. Needs CAP_SETPCAP: call it as root. */
void rights_drop_bounding(int keep);

/* Empties all sets permanently; the bounding set only with CAP_SETPCAP. */
bool rights_drop_all(struct err *e);

void rights_drop_setpcap(void);

#endif
