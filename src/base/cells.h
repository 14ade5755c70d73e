/* Widths of characters in terminal cells */
#ifndef BASE_CELLS_H
#define BASE_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 1 or 2; 0 for all other characters, such as control and combining characters
 * and characters on whose width terminals disagree. */
int cells_of(uint32_t code);

bool cells_is_modifier(uint32_t code);

/* Returns how many bytes of s fit in `room` cells, and their width in
 * *cells. */
size_t cells_fit(const char *s, unsigned room, unsigned *cells);

static inline unsigned
cells_wide(const char *s)
{
	unsigned cells;

	(void)cells_fit(s, UINT32_MAX, &cells);
	return cells;
}

#endif
