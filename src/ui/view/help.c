#include "ui/view/help.h"

#include "ui/draw/keycode.h"
#include "ui/view/keys.h"

void
help_open(struct help *h)
{
	*h = (struct help){ .at = HELP_NOWHERE };
}

/* As far as one can scroll: the last part can have the top, too. */
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
go_to_part(struct help *h, int step)
{
	if (h->nparts > 0)
		h->top = h->part[(help_part(h) + step + h->nparts) % h->nparts];
}

static void
drop_search(struct help *h)
{
	h->typing = false;
	h->text[0] = '\0';
	h->at = HELP_NOWHERE;
}

/* Without a search they mean nothing here, and nothing below either. */
static void
seek(struct help *h, enum help_seek where)
{
	if (h->text[0] != '\0')
		h->seek = where;
}

static void
type(struct help *h, int key)
{
	if (key == KEY_ESCAPE || key == KEY_CTRL_C) {
		drop_search(h);
	} else if (key == KEY_RETURN) {
		h->typing = false;
		seek(h, HELP_NEXT);
	} else {
		key_type(h->text, sizeof h->text, key);
	}
}

bool
help_key(struct help *h, int key)
{
	if (h->typing) {
		type(h, key);
		return true;
	}
	switch (key) {
	case '/':
	case KEY_FUNCTION_3:
		drop_search(h);
		h->typing = true;
		return true;
	case 'n':
	case 'N':
		seek(h, key == 'n' ? HELP_NEXT : HELP_PREVIOUS);
		return true;
	case KEY_TAB:
	case KEY_BACK_TAB:
		go_to_part(h, key == KEY_TAB ? 1 : -1);
		return true;
	case ' ':
		help_scroll(h, h->rows);
		return true;
	case KEY_ESCAPE:
		if (h->text[0] == '\0')
			return false;
		drop_search(h);
		return true;
	default:
		return false;
	}
}
