/* Sets the locale; uses UTF-8 even if the user's locale is missing. */
#ifndef PROCESS_LOCALE_H
#define PROCESS_LOCALE_H

#include <stdbool.h>
#include <stddef.h>

struct locale_system {
	const char *(*variable)(const char *name);
	bool (*set)(int category, const char *name); /* false: no such locale */
};

/* Sets the environment's locale. If it is missing (macOS composes names such as
 * en_NL.UTF-8), sets LC_CTYPE from $LC_CTYPE, C.UTF-8, UTF-8 or en_US.UTF-8,
 * unless the name has another encoding. False and a sentence: none exists. */
bool locale_set(const struct locale_system *system, char *text, size_t size);

bool locale_init(char *text, size_t size);

#endif
