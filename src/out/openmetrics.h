/* The page that sink openmetrics writes: sums since the start, and gauges. */
#ifndef OUT_OPENMETRICS_H
#define OUT_OPENMETRICS_H

#include "base/buf.h"
#include "out/sink.h"
#include "monitor/account.h"

#include <stdbool.h>
#include <stddef.h>

#define OPENMETRICS_BEGINS "# HELP ktop_"

enum { OPENMETRICS_LABELS = 256 }; /* bytes of a row's labels */

struct openmetrics_page {
	const struct sink_about *about;
	struct account account;
	char (*labels)[OPENMETRICS_LABELS]; /* [account.nrows], no braces */
};

/* False when memory is short; *a is borrowed. */
bool openmetrics_page_init(struct openmetrics_page *p,
			   const struct sink_about *a);
/* The machine of *a has other CPUs now, the sums go on. */
void openmetrics_page_free(struct openmetrics_page *p);

/* Bytes of the longest page. */
size_t openmetrics_size(const struct openmetrics_page *p);

/* The page as of a frame that was counted into `account`. */
void openmetrics_write(struct buf *b, const struct openmetrics_page *p,
		       const struct frame *f);

#endif
