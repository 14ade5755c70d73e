/* Which machine the rows of a recording are of. */
#ifndef OUT_ORIGIN_H
#define OUT_ORIGIN_H

#include <stdbool.h>
#include <stddef.h>

enum { ORIGIN_SIZE = 128 };

/* "Apple M1 (kperf)" of a model and a source. */
void origin_name(char out[ORIGIN_SIZE], const char *model, const char *source);

/*
 * The same of a row of CSV or JSON at the begin of `row`, ended by a 0. False:
 * not all of it is there.
 */
bool origin_of_row(char out[ORIGIN_SIZE], const char *row);

#endif
