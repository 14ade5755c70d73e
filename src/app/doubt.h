/* What is said of counts that cannot be true. */
#ifndef APP_DOUBT_H
#define APP_DOUBT_H

#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>

enum { DOUBT_SIZE = 320, DEAD_TOLD_MAX = 32 };

/* One sentence: what, why, what next. False where nothing is in doubt. */
bool doubt_sentence(const struct frame *f, char *out, size_t size);

/* Events that were said to count nothing, borrowed; never looked into. */
struct dead_told {
	const char *event[DEAD_TOLD_MAX];
	unsigned n;
};

/*
 * The next event of the set that counts nothing and was not said yet: one
 * sentence, and noted as said. False where there is none.
 */
bool dead_sentence(const struct eventset *set, enum domain domain,
		   struct dead_told *told, char *out, size_t size);

#endif
