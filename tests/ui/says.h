/* What a text says, and what not. */
#ifndef TESTS_UI_SAYS_H
#define TESTS_UI_SAYS_H

#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

static inline bool
says(const char *text, const char *part)
{
	return strstr(text, part) != NULL;
}

/* All of these, up to a NULL, and none of them. */
static inline void
say_all(const char *text, bool want, const char *const *part)
{
	for (; *part != NULL; part++)
		if (says(text, *part) != want)
			fail_msg("%s\"%s\" in\n%s", want ? "no " : "", *part,
				 text);
}
#define assert_says(text, ...) \
	say_all(text, true, (const char *const[]){ __VA_ARGS__, NULL })
#define assert_silent(text, ...) \
	say_all(text, false, (const char *const[]){ __VA_ARGS__, NULL })

#endif
