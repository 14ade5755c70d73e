/* --filter and --pin, once it is known what there is to filter and to pin. */
#ifndef APP_ROWS_CHECK_H
#define APP_ROWS_CHECK_H

#include "base/err.h"

#include <stdbool.h>

struct app;

/*
 * Do --filter and --pin mean anything? False and *e: not. What is only not on
 * this machine is told, and so is a mistake of the config file.
 */
bool rows_check(struct app *a, struct err *e);

/* Would a start in that view refuse a filter, and why? NULL: it would not. */
const char *rows_filter_wrong(const struct app *a, unsigned view,
			      const char *filter);

/* The same of a column to sort by, and of rows that stay on top. */
bool rows_sort_known(unsigned view, const char *sort);
bool rows_pins_ok(const struct app *a, const char *pins);

#endif
