/* Errors as values: an exit code and a message */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum err_code {
	ERR_NONE = 0,
	ERR_FAIL = 1,  /* any other error at run time */
	ERR_USAGE = 2, /* unknown option, key, name or value */
	ERR_PERM = 3,  /* no permission for counters or a file */
	ERR_TAKEN = 4, /* counters in use by another task or kernel client */
	ERR_NO_PMU = 5,
	ERR_FORMAT = 6 /* unreadable recording */
};

struct err {
	enum err_code code;
	char text[512];
};

/* Fills *e unless e is NULL, and returns false. Cuts long text. Arguments may
 * point into e->text. */
bool err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* As err_set, but returns NULL. */
void *err_null(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints one line "ktop: TEXT" to standard error, escaped by utf8_visible.
 * Prints nothing if a terminal accepts no output for 0.5 s. */
void err_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints *e and returns its exit code; ERR_FAIL for ERR_NONE. */
int err_fail(const struct err *e);

#endif
