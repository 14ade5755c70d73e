#include "ui/panels/help_page.h"

#include <ctype.h>
#include <string.h>

enum { MARGIN = 2 };

/* Case makes no difference. NULL: it is not among the first n bytes. */
static const char *
find_text(const char *text, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t at = 0; len > 0 && at + len <= n; at++) {
		size_t k = 0;

		while (k < len && tolower((unsigned char)text[at + k]) ==
					  tolower((unsigned char)word[k]))
			k++;
		if (k == len)
			return text + at;
	}
	return NULL;
}

static void
look_at(struct page *p, int line, const char *text, size_t n)
{
	if (find_text(text, n, p->find) == NULL ||
	    (p->hits > 0 && p->last.line == line))
		return;
	p->last = (struct page_hit){ line, ++p->hits };
	if (p->hits == 1)
		p->first = p->last;
	if (line < p->from)
		p->before = p->last;
	if (line > p->from && p->after.rank == 0)
		p->after = p->last;
}

void
page_part(struct page *p)
{
	struct help *h = p->part_of;

	if (h->nparts < HELP_PARTS)
		h->part[h->nparts++] = p->line + (p->line > 0);
}

void
page_blank(struct page *p)
{
	p->line++;
}

void
page_put(struct page *p, int x, int w, enum role role, const char *text)
{
	look_at(p, p->line, text, strlen(text));
	if (p->c != NULL)
		canvas_textn(p->c, MARGIN + x, p->line - p->top, w, role, text);
}

void
page_heading(struct page *p, const char *text)
{
	if (p->line > 0)
		p->line++;
	page_put(p, 0, p->w, ROLE_TITLE, text);
	p->line++;
}

/* As canvas_wrap breaks it. */
static void
look_at_lines(struct page *p, int w, const char *text)
{
	int line = p->line;

	while (p->find[0] != '\0' && *text != '\0') {
		size_t n = canvas_wrap_cut(text, w);

		look_at(p, line++, text, n);
		text += n;
		text += strspn(text, " ");
	}
}

void
page_entry(struct page *p, int indent, enum role role, const char *word,
	   const char *text)
{
	int y = p->line - p->top, w = p->w - indent;
	int rows = p->c != NULL ? p->c->window.h : 0;

	page_put(p, 0, indent - 1, role, word);
	look_at_lines(p, w, text);
	/* All rows of it, so that those above the window are counted, too. */
	p->line += canvas_wrap(p->c,
			       (struct rect){ MARGIN + indent, y, w,
					      p->c != NULL ? rows - y : 0 },
			       role == ROLE_DIM ? ROLE_DIM : ROLE_TEXT, text);
}

/* One byte a cell: what is no ASCII is nothing that can be typed. */
static void
row_text(struct canvas *c, int y, char *text, int n)
{
	for (int x = 0; x < n; x++) {
		const struct cell *cell = canvas_at(c, x, y);
		unsigned char g =
			cell != NULL ? (unsigned char)cell->glyph[0] : 0;

		text[x] = g >= ' ' && g < 0x7f ? (char)g : 1;
	}
}

void
page_show_found(struct page *p, int at)
{
	char text[CANVAS_MAX_SIDE];
	int w = p->c->window.w, len = (int)strlen(p->find);

	for (int y = 0; y < p->c->window.h && len > 0; y++) {
		const char *from = text, *found;

		row_text(p->c, y, text, w);
		while ((found = find_text(from, (size_t)(text + w - from),
					  p->find)) != NULL) {
			canvas_shade(
				p->c,
				(struct rect){ (int)(found - text), y, len, 1 },
				y + p->top == at ? ROLE_TAB : ROLE_SELECTED);
			from = found + len;
		}
	}
}
