/* Text that a spreadsheet would evaluate, and the apostrophe against that. */
#ifndef BASE_FORMULA_H
#define BASE_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

/* Does it begin with = + - @, but for apostrophes? Such text gets one more. */
static inline bool
formula_is(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && s[i] == '\'')
		i++;
	return i < n &&
	       (s[i] == '=' || s[i] == '+' || s[i] == '-' || s[i] == '@');
}

/* Bytes to pass over when it is read: that apostrophe, or none. */
static inline size_t
formula_guard(const char *s, size_t n)
{
	return n > 0 && s[0] == '\'' && formula_is(s, n);
}

#endif
