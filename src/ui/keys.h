/* The keys of the screen, besides those of lists and replays. */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include "ui/view/keys.h"

/* In the order of the help; the last key quits. The row after it has no codes.
 * */
extern const struct key ui_keys[];

#endif
