/* A line a frame: its number and the machine's instructions per cycle. */
#include "out/sink.h"
#include "out/target.h"

#include "base/buf.h"

#include <stdlib.h>

enum { LINE = 64 };

struct ticks {
	struct sink sink;
	struct target target;
};

static struct ticks *
ticks_of(struct sink *s)
{
	return (struct ticks *)s;
}

static bool
ticks_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct target *t = &ticks_of(s)->target;

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

static void
ticks_state(const struct sink *s, uint64_t *lost, bool *dead)
{
	const struct target *t = &((const struct ticks *)s)->target;

	*lost = t->lost;
	*dead = t->dead;
}

static int
ticks_waiting(const struct sink *s)
{
	return target_fd(&((const struct ticks *)s)->target);
}

static bool
ticks_flush(struct sink *s, struct err *e)
{
	return target_flush(&ticks_of(s)->target, e);
}

static uint64_t
ticks_close(struct sink *s)
{
	uint64_t given_up = s != NULL ? target_close(&ticks_of(s)->target) : 0;

	free(s);
	return given_up;
}

static struct sink *
ticks_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct ticks *t = calloc(1, sizeof *t);

	if (t == NULL) {
		err_set(e, ERR_FAIL, "out of memory for --ticks");
		return NULL;
	}
	t->sink.ops = &sink_ticks;
	if (target_open(&t->target, target,
			a->force ? TARGET_REPLACE : TARGET_NEW, LINE, e))
		return &t->sink;
	free(t);
	return NULL;
}

const struct sink_ops sink_ticks = {
	.name = "ticks",
	.open = ticks_open,
	.frame = ticks_frame,
	.state = ticks_state,
	.waiting = ticks_waiting,
	.flush = ticks_flush,
	.close = ticks_close,
};
