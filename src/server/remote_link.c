#include "server/remote_link.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { SECOND_NS = 1000 * 1000 * 1000, MS_NS = 1000 * 1000, SLICE_MS = 50 };

/*
 * How long a call may take, in ms, on a machine of a thousand CPUs that is
 * busy besides; a person waits for no more than a reading.
 */
static const int patience_ms[WIRE_OPS] = {
	[WIRE_OPEN] = 20000, [WIRE_PROBE] = 20000, [WIRE_PROGRAM] = 3000,
	[WIRE_READ] = 1000,  [WIRE_STEP] = 10000,  [WIRE_CLOSE] = 3000,
};

/*
 * Its terminal may be another job's by now; giving it back must not stop a
 * process that nobody waits for any more.
 */
bool
remote_link_lost(struct remote_link *l, struct err *e)
{
	l->gone = true;
	(void)signal(SIGTTOU, SIG_IGN);
	return err_set(
		e, ERR_FAIL,
		"the counter server has ended; if it was killed, the counters may still be on: sudo ktop doctor --repair");
}

bool
remote_link_room(struct remote_link *l, size_t payload)
{
	unsigned char *in;

	if (WIRE_HEAD + payload <= l->size)
		return true;
	in = realloc(l->in, WIRE_HEAD + payload);
	if (in == NULL)
		return false;
	l->in = in;
	l->size = WIRE_HEAD + payload;
	return true;
}

bool
remote_link_send(struct remote_link *l, enum wire_op op, struct wire_out *w,
		 struct err *e)
{
	struct wire_head h = { .op = (uint16_t)op, .tag = ++l->tag };
	size_t len = w->len;

	if (l->gone)
		return remote_link_lost(l, e);
	if (len > w->size)
		return err_set(e, ERR_USAGE,
			       "an option is too long for the counter server");
	h.size = (uint32_t)(len - WIRE_HEAD);
	w->len = 0;
	wire_put_head(w, &h);
	/* It has read all before: there is room for one request. */
	for (size_t at = 0; at < len;) {
		ssize_t n = send(l->fd, w->at + at, len - at, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return remote_link_lost(l, e);
		at += (size_t)n;
	}
	l->due = op;
	l->have = 0;
	return true;
}

/* The head is whole: is it the answer's? */
static bool
take_head(struct remote_link *l)
{
	struct wire_head h;

	wire_get_head(l->in, &h);
	l->payload = h.size;
	return h.op == (uint16_t)l->due && h.tag == l->tag &&
	       h.size <= WIRE_REPLY_MAX && remote_link_room(l, h.size);
}

/* What has arrived; LATE while some is missing. */
static enum remote_turn
take_some(struct remote_link *l)
{
	for (;;) {
		bool body = l->have >= WIRE_HEAD;
		size_t want = WIRE_HEAD + (body ? l->payload : 0u);

		if (body && l->have == want)
			return REMOTE_ANSWERED;
		ssize_t n = recv(l->fd, l->in + l->have, want - l->have,
				 MSG_DONTWAIT);

		if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
			return REMOTE_LATE;
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return REMOTE_GONE;
		l->have += (size_t)n;
		if (!body && l->have == WIRE_HEAD && !take_head(l))
			return REMOTE_GONE;
	}
}

static int64_t
awake_ns(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

static bool
late(struct remote_link *l, int waited_ms, struct err *e)
{
	int64_t now = awake_ns();

	if (l->silent_ns == 0)
		l->silent_ns = now - (int64_t)waited_ms * MS_NS;
	return err_set(
		e, ERR_FAIL,
		"the counter server has not answered for %lld s; its answer is taken when it comes",
		(long long)((now - l->silent_ns) / SECOND_NS));
}

/*
 * Slices count as they are, however long they took: who is stopped meanwhile
 * has not waited.
 */
enum remote_turn
remote_link_wait(struct remote_link *l, int limit_ms, struct wire_in *in,
		 struct err *e)
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	enum remote_turn turn = REMOTE_LATE;

	if (!l->gone && limit_ms == 0)
		turn = take_some(l);
	for (int left = limit_ms; !l->gone && turn == REMOTE_LATE && left > 0;)
		if (poll(&p, 1, SLICE_MS < left ? SLICE_MS : left) > 0)
			turn = take_some(l);
		else
			left -= SLICE_MS;
	if (l->gone || turn == REMOTE_GONE) {
		(void)remote_link_lost(l, e);
		return REMOTE_GONE;
	}
	if (turn == REMOTE_LATE) {
		(void)late(l, limit_ms, e);
		return REMOTE_LATE;
	}
	*in = (struct wire_in){ .at = l->in + WIRE_HEAD, .left = l->payload };
	l->due = (enum wire_op)0;
	l->silent_ns = 0;
	return REMOTE_ANSWERED;
}

/* The first time everything may take its time; nobody looks at a screen. */
static int
patience(const struct remote_link *l)
{
	if (l->silent_ns != 0)
		return 0;
	return l->warm || l->due == WIRE_CLOSE ? patience_ms[l->due]
					       : patience_ms[WIRE_OPEN];
}

enum remote_turn
remote_link_take(struct remote_link *l, struct wire_in *in, struct err *e)
{
	return remote_link_wait(l, patience(l), in, e);
}
