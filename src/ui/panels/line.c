#include "ui/panels/inner.h"

void
line_add(struct line *l, bool right, int rank, int gap, enum role role,
	 const char *text)
{
	if (l->len == LINE_ITEMS || text == NULL || text[0] == 0)
		return;
	struct line_item *it = &l->item[l->len++];
	struct buf b = buf_over(it->text, sizeof it->text);

	*it = (struct line_item){
		.role = role, .rank = rank, .gap = gap, .right = right
	};
	buf_str(&b, text);
	it->w = canvas_width(buf_cstr(&b)) + gap;
}

void
line_key(struct line *l, int rank, int code, const char *keys, const char *name,
	 bool on)
{
	unsigned before = l->len;

	line_add(l, false, rank, LINE_KEY_GAP, ROLE_STRONG, keys);
	if (l->len == before)
		return;
	l->item[before].name = name;
	l->item[before].name_role = on ? ROLE_STRONG : ROLE_BAR_DIM;
	l->item[before].code = code;
	l->item[before].w += 1 + canvas_width(name);
}

void
line_fit(struct line *l, int w)
{
	for (int rank = 0; rank < LINE_RANKS; rank++) {
		int need = 0;

		for (unsigned i = 0; i < l->len; i++)
			if (l->item[i].rank == rank)
				need += l->item[i].w;
		if (need == 0 || (rank > 0 && need > w))
			continue;
		w -= need;
		for (unsigned i = 0; i < l->len; i++)
			l->item[i].shown |= l->item[i].rank == rank;
	}
}

void
line_draw(const struct line *l, struct canvas *c, const struct view *v,
	  int left, int y)
{
	int right = c->window.w;

	for (unsigned i = 0; i < l->len; i++)
		if (l->item[i].shown && l->item[i].right)
			right -= l->item[i].w;
	for (unsigned i = 0; i < l->len; i++) {
		const struct line_item *it = &l->item[i];
		int *at = it->right ? &right : &left, x = *at + it->gap;

		if (!it->shown)
			continue;
		if (it->code != KEY_NONE)
			view_hit(v, c, x, y, it->w - it->gap, it->code);
		x += canvas_text(c, x, y, it->role, it->text);
		if (it->name != NULL)
			canvas_text(c, x + 1, y, it->name_role, it->name);
		*at += it->w;
	}
}
