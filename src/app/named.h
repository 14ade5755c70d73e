/* Files that a key makes are named by the time. */
#ifndef APP_NAMED_H
#define APP_NAMED_H

#include <stdbool.h>

struct app;

enum { NAMED_SIZE = 64 };

/*
 * "ktop-20261120-140322.csv", by the source's clock, whose time comes again in
 * a recording that is gone back in: then with a number n from 2 on. False where
 * the clock tells no time.
 */
bool named_by_time(const struct app *a, const char *ending, unsigned n,
		   char name[NAMED_SIZE]);

#endif
