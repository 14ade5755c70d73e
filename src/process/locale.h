/* The locale's characters, also where the person's own locale is missing. */
#ifndef PROCESS_LOCALE_H
#define PROCESS_LOCALE_H

#include <stdbool.h>
#include <stddef.h>

/* Where names of locales come from and go; the system's is setlocale(3). */
struct locale_system {
	const char *(*variable)(const char *name);
	bool (*set)(int category, const char *name); /* false: no such one */
};

/*
 * Sets the locale of the environment. macOS makes names like en_NL.UTF-8 that
 * no system knows: then the one of LC_CTYPE, else C.UTF-8, UTF-8 or
 * en_US.UTF-8 gives the characters, unless the name asks for others than
 * UTF-8. False when nothing worked, with a sentence in text.
 */
bool locale_set(const struct locale_system *system, char *text, size_t size);

/* The same on this system. */
bool locale_init(char *text, size_t size);

#endif
