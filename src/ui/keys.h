/* The keys of the screen; with them come those of lists and of replays. */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include "ui/view/keys.h"

/* In the order of the help; the last is that which leaves. A row without codes
 * ends it. */
extern const struct key ui_keys[];

#endif
