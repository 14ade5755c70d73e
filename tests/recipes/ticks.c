/* A line a frame: its number and the machine's instructions per cycle. */
#include "out/sink.h"

#include "base/buf.h"

#include <stdlib.h>

enum { LINE = 64 };

static bool
ticks_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct target *t = &s->target;

	if (!target_flush(t, e)) {
		target_drop(t);
		return false;
	}
	const struct span *all = &f->span[frame_scope_all(f)];
	struct buf b = buf_over(t->at, t->size);

	buf_printf(&b, "%llu", (unsigned long long)f->seq);
	if (span_has_fixed(all) && all->cycles > 0)
		buf_printf(&b, " %.2f",
			   (double)all->instructions / (double)all->cycles);
	buf_char(&b, '\n');
	return target_send(t, b.len, e);
}

static uint64_t
ticks_close(struct sink *s)
{
	uint64_t given_up = s != NULL ? target_close(&s->target) : 0;

	free(s);
	return given_up;
}

static struct sink *
ticks_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct sink *s = calloc(1, sizeof *s);

	if (s == NULL) {
		err_set(e, ERR_FAIL, "out of memory for --ticks");
		return NULL;
	}
	s->ops = &sink_ticks;
	if (target_open(&s->target, target,
			a->force ? TARGET_REPLACE : TARGET_NEW, LINE, e))
		return s;
	free(s);
	return NULL;
}

const struct sink_ops sink_ticks = {
	.name = "ticks",
	.open = ticks_open,
	.frame = ticks_frame,
	.close = ticks_close,
};
