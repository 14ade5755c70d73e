/* Widths of characters in terminal cells, equal on all systems. */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 or 2; 0 for characters that ktop does not print: control, direction and
 * combining characters, joiners, and characters of disputed width. */
int cells_of(uint32_t code);

/* Is code a zero-width joiner, a variation selector or an emoji modifier? */
bool cells_is_modifier(uint32_t code);

/* Returns how many bytes of s fit in `room` cells, and their width in *cells.
 * Combining characters count 0 cells, characters of disputed width 1. */
size_t cells_fit(const char *s, unsigned room, unsigned *cells);

static inline unsigned
cells_wide(const char *s)
{
	unsigned cells;

	(void)cells_fit(s, UINT32_MAX, &cells);
	return cells;
}

#endif
