#include "ui/tty_cells.h"

#include "base/buf.h"

#include <string.h>

/* Most that one cell takes: a move, a look and a glyph. */
enum { CELL_MOST = 24 + TTY_LOOK_SIZE + 4 };

/* To cell `at` from behind cell `last` (-1: from anywhere). */
static void
move(struct buf *b, int last, int at, int w)
{
	if (last >= 0 && at == last + 1 && at % w != 0)
		return;
	buf_str(b, "\033[");
	if (last >= 0 && at / w == last / w && at > last) {
		/* Behind the last column the cursor may wait: not there. */
		buf_i64(b, at - last - 1);
		buf_char(b, 'C');
		return;
	}
	buf_i64(b, at / w + 1);
	buf_char(b, ';');
	buf_i64(b, at % w + 1);
	buf_char(b, 'H');
}

static void
add_glyph(struct buf *b, const struct cell *cell)
{
	for (unsigned i = 0; i < sizeof cell->glyph && cell->glyph[i] != 0; i++)
		buf_char(b, cell->glyph[i]);
}

bool
tty_cells_add(struct tty_bytes *out, const struct cell *shown, int w,
	      const struct tty_look *look, struct tty_change *change, int n,
	      const struct tty_ends *ends)
{
	int last = -1;

	if (n == 0)
		return true;
	if (!tty_bytes_reserve(out, (size_t)n * CELL_MOST + sizeof *ends))
		return false;
	struct buf b = buf_over(out->at + out->len, out->size - out->len);

	buf_str(&b, ends->before);
	while (n > 0) {
		const struct tty_look *now = &look[change[0].look];
		int kept = 0, which = change[0].look;

		buf_bytes(&b, now->on, now->len);
		for (int i = 0; i < n; i++) {
			if (change[i].look != which) {
				change[kept++] = change[i];
				continue;
			}
			move(&b, last, change[i].at, w);
			add_glyph(&b, &shown[change[i].at]);
			last = change[i].at;
		}
		n = kept;
	}
	buf_str(&b, ends->after);
	out->len += b.len;
	return !b.full;
}
