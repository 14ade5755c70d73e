/* Sets the locale; uses UTF-8 even if the user's locale is missing. */
#ifndef PROCESS_LOCALE_H
#define PROCESS_LOCALE_H

#include <stdbool.h>
#include <stddef.h>

struct locale_system {
	const char *(*variable)(const char *name);
	bool (*set)(int category, const char *name); /* false: no such locale */
};

/* Sets the environment's locale, with LC_NUMERIC of C. If the locale is missing
 * (macOS composes names such as en_NL.UTF-8), sets only LC_CTYPE: from the
 * environment, or to a UTF-8 locale unless the name has another encoding.
 * False, and a sentence in text: no locale could be set. */
bool locale_set(const struct locale_system *system, char *text, size_t size);

bool locale_init(char *text, size_t size);

#endif
