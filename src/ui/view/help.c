#include "ui/view/help.h"

#include "ui/draw/keycode.h"
#include "ui/view/keys.h"

void
help_open(struct help *h)
{
	*h = (struct help){ .at = HELP_NOWHERE };
}

/* Largest value of h->top: the last part can be scrolled to the top. */
static int
last_top(const struct help *h)
{
	int last = h->lines - h->rows;

	if (h->nparts > 0 && last < h->part[h->nparts - 1])
		last = h->part[h->nparts - 1];
	return last > 0 ? last : 0;
}

void
help_scroll(struct help *h, int by)
{
	h->top += by;
	if (h->top > last_top(h))
		h->top = last_top(h);
	if (h->top < 0)
		h->top = 0;
}

int
help_part(const struct help *h)
{
	int part = 0;

	while (part + 1 < h->nparts && h->part[part + 1] <= h->top)
		part++;
	return part;
}

static void
help_go_to_part(struct help *h, int step)
{
	if (h->nparts > 0)
		h->top = h->part[(help_part(h) + step + h->nparts) % h->nparts];
}

static void
help_search_drop(struct help *h)
{
	h->typing = false;
	h->text[0] = '\0';
	h->at = HELP_NOWHERE;
}

static void
help_seek_request(struct help *h, enum help_seek where)
{
	if (h->text[0] != '\0')
		h->seek = where;
}

static void
help_type_key(struct help *h, int key)
{
	if (key == KEY_ESCAPE || key == KEY_CTRL_C) {
		help_search_drop(h);
	} else if (key == KEY_RETURN) {
		h->typing = false;
		help_seek_request(h, HELP_NEXT);
	} else {
		key_type(h->text, sizeof h->text, key);
	}
}

bool
help_key(struct help *h, int key)
{
	if (h->typing) {
		help_type_key(h, key);
		return true;
	}
	switch (key) {
	case '/':
	case KEY_FUNCTION_3:
		help_search_drop(h);
		h->typing = true;
		return true;
	case 'n':
	case 'N':
		help_seek_request(h, key == 'n' ? HELP_NEXT : HELP_PREVIOUS);
		return true;
	case KEY_TAB:
	case KEY_BACK_TAB:
		help_go_to_part(h, key == KEY_TAB ? 1 : -1);
		return true;
	case ' ':
		help_scroll(h, h->rows);
		return true;
	case KEY_ESCAPE:
		if (h->text[0] == '\0')
			return false;
		help_search_drop(h);
		return true;
	default:
		return false;
	}
}
