/* The page that sink openmetrics writes: sums since the start, and gauges. */
#ifndef OUT_OPENMETRICS_H
#define OUT_OPENMETRICS_H

#include "base/buf.h"
#include "out/sink.h"
#include "monitor/account.h"
#include "out/process_sums.h"

#include <stdbool.h>
#include <stddef.h>

#define OPENMETRICS_BEGINS "# HELP ktop_"

enum { OPENMETRICS_LABELS = 256 }; /* bytes of a row's labels */

struct openmetrics_page {
	const struct sink_about *about;
	struct account account;
	char (*labels)[OPENMETRICS_LABELS]; /* [account.nrows], no braces */
	struct process_sums processes;      /* where they are asked for */
};

/* False when memory is short; *a is borrowed. */
bool openmetrics_page_init(struct openmetrics_page *p,
			   const struct sink_about *a);
void openmetrics_page_free(struct openmetrics_page *p);

/* Bytes of the longest page. */
size_t openmetrics_size(const struct openmetrics_page *p);

/* Counts one more frame. */
void openmetrics_page_add(struct openmetrics_page *p, const struct frame *f);

/* The page as of a frame that was counted. */
void openmetrics_write(struct buf *b, const struct openmetrics_page *p,
		       const struct frame *f);

#endif
