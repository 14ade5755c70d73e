/* Processes of a page: the busiest of late, and all together. */
#ifndef OUT_PAGE_PROCESS_H
#define OUT_PAGE_PROCESS_H

#include "base/buf.h"
#include "model/frame.h"
#include "out/process_sums.h"

#include <stddef.h>

/* Bytes of the longest such part, of n processes. */
size_t page_process_size(unsigned n);

/* The sums are those of the frame. Nothing where it has no processes. */
void page_process_put(struct buf *b, const struct process_sums *s,
		      const struct frame *f, const char *source);

#endif
