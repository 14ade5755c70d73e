/* Lines of a page in Prometheus' text format. */
#ifndef OUT_PAGE_TEXT_H
#define OUT_PAGE_TEXT_H

#include "base/buf.h"

#include <stdint.h>

enum {
	PAGE_HEAD_MAX = 640, /* HELP, TYPE and UNIT of a family */
	PAGE_VALUE_MAX = 48, /* a value and what surrounds it */
	PAGE_NAME_MAX = 96   /* of a family */
};

struct page_family {
	const char *about; /* "cpu", "cluster", "process" */
	const char *name, *suffix, *type, *unit, *text;
	unsigned from, to; /* rows */
};

/* One more of b's labels; backslash, quote and line feed are escaped. */
void page_label(struct buf *b, const char *name, const char *value);

void page_name(struct buf *b, const struct page_family *m);
void page_head(struct buf *b, const struct page_family *m);

/* A sample up to its closing brace; then one of the two ends it. */
void page_begin(struct buf *b, const struct page_family *m, const char *labels);
void page_real(struct buf *b, double v);
void page_count(struct buf *b, uint64_t v);

#endif
