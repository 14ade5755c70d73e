/* Errors as values: a code that is also an exit status, and one sentence. */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

/* The values are ktop's exit codes; keep them in step with ktop(1). */
enum err_code {
	ERR_NONE = 0,
	ERR_FAIL = 1,  /* anything at run time that has no code of its own */
	ERR_USAGE = 2, /* an option, key, name or value ktop does not know */
	ERR_PERM = 3,  /* no permission for the counters or a file */
	ERR_TAKEN =
		4, /* the counters belong to another task or kernel client */
	ERR_NO_PMU = 5, /* this machine has no counters ktop can reach */
	ERR_FORMAT = 6  /* a recording that cannot be read */
};

struct err {
	enum err_code code;
	char text[512]; /* a sentence without a full stop at its end */
};

/*
 * Fills *e (NULL is allowed: the caller does not care) and returns false, so
 * that a failing function can end in `return err_set(...)`. A longer text is
 * cut. The arguments may point into e->text itself.
 */
bool err_set(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same of a function that returns a pointer: NULL. */
void *err_null(struct err *e, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * Prints "ktop: ", the text and a line end to standard error: the one way for
 * a sentence with names in it. Whatever a name holds, it is one line, and no
 * terminal takes any of it for a command. A terminal that takes nothing for
 * half a second gets nothing.
 */
void err_print(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints it so, at the end of a command; the exit code for it. */
int err_fail(const struct err *e);

/* Puts "prefix: " before the text that e holds; returns false. */
bool err_prefix(struct err *e, const char *prefix);

#endif
