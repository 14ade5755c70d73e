#include "ui/panels/kept.h"

#include <string.h>

static struct cell *
first_cell(const struct canvas *c)
{
	return &c->cell[c->window.y * c->w + c->window.x];
}

static bool
same_rect(const struct rect *a, const struct rect *b)
{
	return a->x == b->x && a->y == b->y && a->w == b->w && a->h == b->h;
}

bool
kept_show(struct canvas *c, const struct view *v, enum kept_which which,
	  const void *key, size_t n)
{
	const struct kept_line *k = &v->kept->line[which];
	struct view_hits *h = v->hits;

	if (k->n != n || !same_rect(&k->window, &c->window) ||
	    k->glyphs != c->glyphs || memcmp(k->key, key, n) != 0 ||
	    h->n + k->nhits > VIEW_HITS)
		return false;
	memcpy(first_cell(c), k->cell, (size_t)k->window.w * sizeof *k->cell);
	memcpy(h->at + h->n, k->hit, k->nhits * sizeof *k->hit);
	h->n += k->nhits;
	return true;
}

void
kept_take(const struct canvas *c, const struct view *v, enum kept_which which,
	  const void *key, size_t n, unsigned hits)
{
	struct kept_line *k = &v->kept->line[which];
	const struct view_hits *h = v->hits;

	k->n = 0;
	/* Wide letters are the whole canvas's: they may be of this line. */
	if (c->window.h != 1 || n > KEPT_KEY || h->n == VIEW_HITS ||
	    h->n - hits > KEPT_HITS || c->wide)
		return;
	k->n = n;
	memcpy(k->key, key, n);
	k->window = c->window;
	k->glyphs = c->glyphs;
	k->nhits = h->n - hits;
	memcpy(k->hit, h->at + hits, k->nhits * sizeof *k->hit);
	memcpy(k->cell, first_cell(c), (size_t)k->window.w * sizeof *k->cell);
}
