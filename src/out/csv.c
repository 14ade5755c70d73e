/* Recordings: schema ktop/1, columns of model/columns.h. */
#include "out/sink.h"

#include <stdlib.h>
#include <string.h>

#include "out/csv_plan.h"
#include "out/target.h"

enum { SET_NAME_SIZE = sizeof(((struct eventset *)0)->name) };

struct csv {
	struct sink sink; /* first: the ops cast back */
	struct target target;
	struct csv_plan plan;
	uint64_t lost_told; /* of target.lost, by rows "lost" */
	/* The set of the frame before. */
	bool last_known;
	unsigned last_len;
	char last_name[SET_NAME_SIZE];
	const struct event *last[EVENTSET_MAX];
};

static struct csv *
csv_of(struct sink *s)
{
	return (struct csv *)(void *)s;
}

static const struct csv *
csv_of_const(const struct sink *s)
{
	return (const struct csv *)(const void *)s;
}

static const char *
set_title(const char *name, unsigned len)
{
	if (len == 0)
		return "IPC mode";
	return name[0] != '\0' ? name : "unnamed set";
}

static bool
set_is_last(const struct csv *c, const struct eventset *set)
{
	if (c->last_len != set->len || strcmp(c->last_name, set->name) != 0)
		return false;
	for (unsigned i = 0; i < set->len; i++)
		if (c->last[i] != set->slot[i].event)
			return false;
	return true;
}

static void
set_remember(struct csv *c, const struct eventset *set)
{
	c->last_known = true;
	c->last_len = set->len;
	memcpy(c->last_name, set->name, sizeof c->last_name);
	for (unsigned i = 0; i < set->len; i++)
		c->last[i] = set->slot[i].event;
}

static void
note_swap(struct buf *b, const struct csv *c, const struct frame *f)
{
	char text[128];
	struct buf note = buf_over(text, sizeof text);

	if (!c->last_known || set_is_last(c, f->set))
		return;
	buf_str(&note, set_title(c->last_name, c->last_len));
	buf_str(&note, " to ");
	buf_str(&note, set_title(f->set->name, f->set->len));
	csv_write_note(b, &c->plan, f, "swap", buf_cstr(&note));
}

static void
note_lost(struct buf *b, const struct csv *c, const struct frame *f)
{
	char text[64];
	struct buf note = buf_over(text, sizeof text);
	uint64_t n = c->target.lost - c->lost_told;

	if (n == 0)
		return;
	buf_u64(&note, n);
	buf_str(&note, n == 1 ? " frame lost" : " frames lost");
	csv_write_note(b, &c->plan, f, "lost", buf_cstr(&note));
}

static bool
csv_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct csv *c = csv_of(s);

	if (!target_flush(&c->target, e)) {
		target_drop(&c->target);
		return false;
	}
	struct buf b = buf_over(c->target.at, c->target.size);
	uint64_t lost = c->target.lost;

	note_lost(&b, c, f);
	note_swap(&b, c, f);
	csv_write_frame(&b, &c->plan, f);
	if (b.full) {
		target_drop(&c->target);
		return err_set(e, ERR_FAIL,
			       "a frame of %s is larger than "
			       "its buffer of %zu bytes",
			       c->target.name, b.size);
	}
	if (!target_send(&c->target, b.len, e))
		return false;
	c->lost_told = lost;
	set_remember(c, f->set);
	return true;
}

static bool
csv_mark(struct sink *s, const struct frame *f, const char *text, struct err *e)
{
	struct csv *c = csv_of(s);

	if (!target_flush(&c->target, e))
		return false;
	struct buf b = buf_over(c->target.at, c->target.size);

	csv_write_note(&b, &c->plan, f, "mark", text);
	return target_send(&c->target, b.len, e);
}

static void
csv_state(const struct sink *s, uint64_t *lost, bool *dead)
{
	*lost = csv_of_const(s)->target.lost;
	*dead = csv_of_const(s)->target.dead;
}

static int
csv_waiting(const struct sink *s)
{
	return target_fd(&csv_of_const(s)->target);
}

static bool
csv_flush(struct sink *s, struct err *e)
{
	return target_flush(&csv_of(s)->target, e);
}

static void
csv_close(struct sink *s)
{
	if (s == NULL)
		return;
	struct csv *c = csv_of(s);

	target_close(&c->target);
	csv_plan_free(&c->plan);
	free(c);
}

static bool
send_header(struct csv *c, struct err *e)
{
	struct buf b = buf_over(c->target.at, c->target.size);

	csv_write_header(&b, &c->plan);
	return target_send(&c->target, b.len, e);
}

static struct sink *
csv_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct csv *c = calloc(1, sizeof *c);

	if (c == NULL) {
		(void)err_set(e, ERR_FAIL, "out of memory for a recording");
		return NULL;
	}
	c->sink.ops = &sink_csv;
	c->target.fd = c->target.flags_before = -1;
	if (csv_plan_init(&c->plan, a, e) &&
	    target_open(&c->target, target, a->force, csv_plan_size(&c->plan),
			e) &&
	    send_header(c, e))
		return &c->sink;
	csv_close(&c->sink);
	return NULL;
}

const struct sink_ops sink_csv = {
	.name = "csv",
	.text = "recording, schema ktop/1",
	.open = csv_open,
	.frame = csv_frame,
	.mark = csv_mark,
	.state = csv_state,
	.waiting = csv_waiting,
	.flush = csv_flush,
	.close = csv_close,
};
