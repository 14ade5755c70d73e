/* Table of the screen's keys, without those of lists and replays. */
#ifndef UI_KEYS_H
#define UI_KEYS_H

#include "ui/view/keys.h"

/* In the order of the help. The last key quits; an empty row follows it. */
extern const struct key ui_keys[];

#endif
