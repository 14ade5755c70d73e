/* Cells of a terminal that a character takes; the same on every machine. */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * 1 or 2; 0 for all that acts or cannot be seen (control characters, signs that
 * turn the direction of writing, joiners), what stands on other letters, and
 * what terminals do not agree on. Such are never sent to one.
 */
int cells_of(uint32_t code);

/* Does it only dress the letter before it (a joiner, a shade of an emoji)? */
bool cells_is_modifier(uint32_t code);

/*
 * Bytes of s that take at most `room` cells where it is written as it is, and
 * in *cells how many they take: signs on a letter none, what terminals do not
 * agree on one.
 */
size_t cells_fit(const char *s, unsigned room, unsigned *cells);

/* Cells that all of it takes. */
static inline unsigned
cells_wide(const char *s)
{
	unsigned cells;

	(void)cells_fit(s, UINT32_MAX, &cells);
	return cells;
}

#endif
