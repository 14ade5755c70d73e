/* Widths of characters in terminal cells; the same on every machine. */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 or 2; 0 for what is never sent to a terminal: control, direction and
 * combining characters, joiners, and characters of disputed width. */
int cells_of(uint32_t code);

/* Does it only modify the character before it (joiner, emoji modifier)? */
bool cells_is_modifier(uint32_t code);

/* Bytes of s that fit in `room` cells; *cells: their width. Combining
 * characters count 0, characters of disputed width 1. */
size_t cells_fit(const char *s, unsigned room, unsigned *cells);

static inline unsigned
cells_wide(const char *s)
{
	unsigned cells;

	(void)cells_fit(s, UINT32_MAX, &cells);
	return cells;
}

#endif
