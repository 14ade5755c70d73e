/* What is said of counts that cannot be true, where no screen shows it. */
#ifndef APP_DOUBT_H
#define APP_DOUBT_H

#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>

enum { DOUBT_SIZE = 320 };

/* One sentence: what, why, what next. False where nothing is in doubt. */
bool doubt_sentence(const struct frame *f, char *out, size_t size);

#endif
