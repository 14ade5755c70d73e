/* A server of a test, whose answers are not all true. */
#ifndef TESTS_SERVER_LIAR_H
#define TESTS_SERVER_LIAR_H

#include "server/wire.h"
#include "source/all/sources.h"
#include "source/far.h"

#include <stdlib.h>
#include <string.h>

enum { LIAR_ROOM = 1 << 17 };

/* What every answer begins with: no error, and of an open the machine. */
static inline void
liar_begin(struct wire_out *w, const struct wire_head *h,
	   const struct source_info *i)
{
	const struct err none = { ERR_NONE, "" };

	wire_put_u8(w, SOURCE_OK);
	wire_put_err(w, &none);
	if (h->op != WIRE_OPEN)
		return;
	wire_put_about(w, i);
	wire_put_topology(w, i->topology);
	wire_put_catalog(w, i->catalog);
}

/* What w holds behind the room for its head. */
static inline void
liar_send(int fd, const struct wire_out *w, const struct wire_head *h)
{
	struct wire_out head = { w->at, 0, w->size };

	if (w->len > w->size)
		_exit(3);
	wire_put_head(&head, &(struct wire_head){
				     .size = (uint32_t)(w->len - WIRE_HEAD),
				     .op = h->op,
				     .tag = h->tag });
	for (size_t at = 0; at < w->len;) {
		ssize_t n = write(fd, w->at + at, w->len - at);

		if (n <= 0)
			_exit(0);
		at += (size_t)n;
	}
}

/* A stepped M1, and a sample of it. */
static inline struct source *
liar_open(struct sample **sample)
{
	struct source_options o = { .sim = "m1,clock=step" };
	struct source *s = source_open(&o, NULL);

	if (s == NULL)
		_exit(1);
	*sample = sample_new(s->info.topology->ncpus, NULL);
	return s;
}

static inline void
liar_serve(int fd,
	   void (*answer)(void *self, int fd, const struct wire_head *h,
			  struct wire_in *in),
	   void *self)
{
	static unsigned char in[WIRE_HEAD + WIRE_REQUEST_MAX];
	struct wire_head h;

	while (recv(fd, in, WIRE_HEAD, MSG_WAITALL) == WIRE_HEAD) {
		wire_get_head(in, &h);
		if (h.size > 0 && recv(fd, in, h.size, MSG_WAITALL) < 0)
			break;
		answer(self, fd, &h,
		       &(struct wire_in){ .at = in, .left = h.size });
	}
	_exit(0);
}

#endif
