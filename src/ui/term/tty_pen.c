#include "ui/term/tty_pen.h"

#include <string.h>

static void
param(struct buf *b, bool *any, const char *text)
{
	if (text[0] == 0)
		return;
	if (*any)
		buf_char(b, ';');
	buf_str(b, text);
	*any = true;
}

/* A colour that is to be `to`; false when that takes a reset. */
static bool
recolor(struct buf *b, bool *any, const char *from, const char *to,
	const char *own)
{
	if (strcmp(from, to) == 0)
		return true;
	if (to[0] == 0 && own == NULL)
		return false;
	param(b, any, to[0] != 0 ? to : own);
	return true;
}

/* Without a reset: only when nothing has to be switched off. */
static bool
change_kept(struct buf *b, const struct tty_look *from,
	    const struct tty_look *to, bool defaults)
{
	bool any = false;

	if (strcmp(from->attr, to->attr) != 0) {
		if (from->attr[0] != 0)
			return false;
		param(b, &any, to->attr);
	}
	return recolor(b, &any, from->fg, to->fg, defaults ? "39" : NULL) &&
	       recolor(b, &any, from->bg, to->bg, defaults ? "49" : NULL);
}

void
tty_pen_change(struct buf *b, const struct tty_look *from,
	       const struct tty_look *to, bool defaults)
{
	char kept_text[TTY_PEN_MOST], reset_text[TTY_PEN_MOST];
	struct buf kept = buf_over(kept_text, sizeof kept_text);
	struct buf reset = buf_over(reset_text, sizeof reset_text);
	bool can = change_kept(&kept, from, to, defaults), any = true;

	if (can && kept.len == 0)
		return;
	/* Nothing at all means 0 as well. */
	if (to->attr[0] != 0 || to->fg[0] != 0 || to->bg[0] != 0)
		buf_char(&reset, '0');
	param(&reset, &any, to->attr);
	param(&reset, &any, to->fg);
	param(&reset, &any, to->bg);
	buf_str(b, "\033[");
	if (can && kept.len <= reset.len)
		buf_bytes(b, kept.at, kept.len);
	else
		buf_bytes(b, reset.at, reset.len);
	buf_char(b, 'm');
}

bool
tty_pen_params(const char *sequence, char *out, unsigned size)
{
	size_t n = sequence != NULL ? strlen(sequence) : 0;

	out[0] = 0;
	if (n < 4 || n - 3 >= size || strncmp(sequence, "\033[", 2) != 0 ||
	    sequence[n - 1] != 'm' ||
	    strspn(sequence + 2, "0123456789;:") != n - 3)
		return false;
	memcpy(out, sequence + 2, n - 3);
	out[n - 3] = 0;
	return true;
}
