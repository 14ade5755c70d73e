/* Cells of a terminal that a character takes; the same on every machine. */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * 1 or 2; 0 for all that acts or cannot be seen (control characters, signs that
 * turn the direction of writing, joiners), what stands on other letters, and
 * what terminals do not agree on. Such are never sent to one.
 */
int cells_of(uint32_t code);

/* Does it only dress the letter before it (a joiner, a shade of an emoji)? */
bool cells_dress(uint32_t code);

#endif
