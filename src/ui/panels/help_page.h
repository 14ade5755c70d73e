/* A long page in a window: it is walked, never stored. */
#ifndef UI_PANELS_HELP_PAGE_H
#define UI_PANELS_HELP_PAGE_H

#include "ui/view/view.h"

/* A line that has what is searched for; rank: the how many-th of them. */
struct page_hit {
	int line, rank;
};

struct page {
	struct canvas *c; /* its window is the page's; NULL: only look */
	int line;         /* the next one */
	int top, w;       /* line of the window's first row; cells of text */
	struct help *part_of; /* is told where parts begin */
	/* A walk also looks for lines with `find` ("": none). */
	const char *find;
	int from; /* where the search stands; HELP_NOWHERE */
	int hits;
	struct page_hit first, last, before, after; /* of all, of `from` */
};

/* The next line begins a part, which Tab goes to. */
void page_part(struct page *p);

void page_blank(struct page *p);

/* A heading with a blank line before it, but at the begin of a part. */
void page_heading(struct page *p, const char *text);

/* Text in the present line, from x on, in at most w cells. */
void page_put(struct page *p, int x, int w, enum role role, const char *text);

/* A word on the left, text behind it that wraps between words. */
void page_entry(struct page *p, int indent, enum role role, const char *word,
		const char *text);

/* Shades what of the window's rows is `find`. */
void page_show_found(struct page *p, int at);

/* The parts. */
void page_columns(struct page *p, const struct view *v);
void page_processes(struct page *p, const struct view *v);
void page_verdicts(struct page *p, const struct view *v);
void page_words(struct page *p);
void page_events(struct page *p, const struct view *v);

#endif
