/* A server of a test, whose answers are not all true. */
#ifndef TESTS_SERVER_LIAR_H
#define TESTS_SERVER_LIAR_H

#include "server/wire.h"
#include "source/all/sources.h"
#include "source/far.h"

#include <stdlib.h>
#include <string.h>

/* What every answer begins with: no error, and of an open the machine. */
static inline void
liar_begin(struct wire_out *w, const struct wire_head *h,
	   const struct source_info *i)
{
	wire_begin(w);
	wire_put_status(w, SOURCE_OK, NULL);
	if (h->op != WIRE_OPEN)
		return;
	wire_put_topology(w, i->topology);
	wire_put_catalog(w, i->catalog);
}

/* The state as it is. */
static inline void
liar_state(struct wire_out *w, const struct source_info *i)
{
	struct wire_clock clock;

	wire_clock_of(i->clock, &clock);
	wire_put_state(w, i, &clock);
}

static inline void
liar_send(int fd, struct wire_out *w, const struct wire_head *h)
{
	wire_end(w, h->op, h->tag);
	if (w->bad)
		_exit(3);
	for (size_t at = 0; at < w->len;) {
		ssize_t n = write(fd, w->at + at, w->len - at);

		if (n <= 0)
			_exit(0);
		at += (size_t)n;
	}
}

/* A simulated M1, and a sample of it. */
static inline struct source *
liar_open_as(const char *sim, struct sample **sample)
{
	struct source_options o = { .sim = sim };
	struct source *s = source_open(&o, NULL);

	if (s == NULL)
		_exit(1);
	*sample = sample_new(s->info.topology->ncpus, NULL);
	return s;
}

static inline struct source *
liar_open(struct sample **sample)
{
	return liar_open_as("m1,clock=step", sample);
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
		memcpy(&h, in, sizeof h);
		if (h.size > 0 && recv(fd, in, h.size, MSG_WAITALL) < 0)
			break;
		answer(self, fd, &h,
		       &(struct wire_in){ .at = in, .left = h.size });
	}
	_exit(0);
}

#endif
