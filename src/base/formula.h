/* Escapes text that a spreadsheet would evaluate as a formula. */
#ifndef BASE_FORMULA_H
#define BASE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* Does the text begin with =, +, - or @ after any apostrophes? Then writers
 * put one apostrophe before the text. */
static inline bool
formula_is(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] == '\'')
		i++;
	return i < n &&
	       (s[i] == '=' || s[i] == '+' || s[i] == '-' || s[i] == '@');
}

/* Returns how many bytes a reader skips: 1 for the apostrophe that a writer
 * added, else 0. */
static inline size_t
formula_guard(const char *s, size_t n)
{
	return n > 0 && s[0] == '\'' && formula_is(s, n);
}

#endif
