/* Sets the locale's characters, even if the user's locale is missing. */
#ifndef PROCESS_LOCALE_H
#define PROCESS_LOCALE_H

#include <stdbool.h>
#include <stddef.h>

/* The system calls; tests replace them. */
struct locale_system {
	const char *(*variable)(const char *name);
	bool (*set)(int category, const char *name); /* false: no such locale */
};

/* Sets the environment's locale. macOS composes names such as en_NL.UTF-8: then
 * LC_CTYPE's locale, C.UTF-8, UTF-8 or en_US.UTF-8 defines characters, unless
 * the name specifies another encoding. False and a sentence: nothing worked. */
bool locale_set(const struct locale_system *system, char *text, size_t size);

/* locale_set with setlocale(3). */
bool locale_init(char *text, size_t size);

#endif
