#include "source/remote.h"

#include "source/server_wire.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_ROOM = 65536, NOISE_NS = 1000000 };

struct remote {
	struct source source; /* first */
	int fd;
	uint16_t tag;
	bool gone;
	struct clock clock;
	struct wire_clock at;
	struct topology *topology;
	struct wire_catalog events;
	struct eventset set;
	unsigned char *in; /* [size] */
	size_t size;
};

static struct remote *
remote_of(struct source *s)
{
	return (struct remote *)(void *)s;
}

/*
 * Its terminal may be another job's by now; giving it back must not stop a
 * process that nobody waits for any more.
 */
static bool
lost(struct remote *r, struct err *e)
{
	r->gone = r->source.info.lost = true;
	(void)signal(SIGTTOU, SIG_IGN);
	return err_set(e, ERR_FAIL,
		       "the counter server has ended; if it was killed, the "
		       "counters may still be on: sudo ktop repair");
}

static bool
send_all(struct remote *r, const unsigned char *at, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(r->fd, at, n, 0);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return false;
		at += sent;
		n -= (size_t)sent;
	}
	return true;
}

static bool
receive(struct remote *r, unsigned char *at, size_t n)
{
	while (n > 0) {
		ssize_t got = recv(r->fd, at, n, 0);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		at += got;
		n -= (size_t)got;
	}
	return true;
}

static bool
make_room(struct remote *r, size_t size)
{
	unsigned char *in;

	if (size <= r->size)
		return true;
	in = realloc(r->in, size);
	if (in == NULL)
		return false;
	r->in = in;
	r->size = size;
	return true;
}

static struct wire_out
begin(unsigned char *at, size_t size)
{
	return (struct wire_out){ at, WIRE_HEAD, size };
}

/* Sends what w holds and waits for the answer, which *in then reads. */
static bool
ask(struct remote *r, enum wire_op op, struct wire_out *w, struct wire_in *in,
    struct err *e)
{
	struct wire_head h = { .op = (uint16_t)op, .tag = ++r->tag };
	unsigned char head[WIRE_HEAD];
	size_t len = w->len;

	if (r->gone)
		return lost(r, e);
	if (len > w->size)
		return err_set(e, ERR_USAGE,
			       "an option is too long for the counter server");
	h.size = (uint32_t)(len - WIRE_HEAD);
	w->len = 0;
	wire_put_head(w, &h);
	if (!send_all(r, w->at, len) || !receive(r, head, sizeof(head)))
		return lost(r, e);
	wire_get_head(head, &h);
	if (h.op != op || h.tag != r->tag || h.size > WIRE_REPLY_MAX ||
	    !make_room(r, h.size) || !receive(r, r->in, h.size))
		return lost(r, e);
	*in = (struct wire_in){ r->in, h.size, false };
	return true;
}

/* False and *e: the call failed there. */
static bool
get_status(struct wire_in *in, enum source_status *status, struct err *e)
{
	struct err why;

	*status = (enum source_status)wire_get_to(in, SOURCE_ERROR);
	wire_get_err(in, &why);
	if (in->bad)
		*status = SOURCE_ERROR;
	if (*status == SOURCE_ERROR && e != NULL)
		*e = why;
	return *status == SOURCE_OK;
}

static int64_t
settle(int64_t old, int64_t new)
{
	/* Two clocks read one after the other are never quite as before. */
	return new - old < NOISE_NS &&old - new < NOISE_NS ? old : new;
}

static void
set_clock(struct remote *r, const struct wire_clock *c)
{
	if (c->stepped) {
		r->at = *c;
		return;
	}
	r->at.at.awake_ns = settle(r->at.at.awake_ns, c->at.awake_ns);
	r->at.at.elapsed_ns = settle(r->at.at.elapsed_ns, c->at.elapsed_ns);
	r->at.at.wall_ns = settle(r->at.at.wall_ns, c->at.wall_ns);
}

static bool
same_slots(const struct eventset *a, const struct eventset *b)
{
	if (a->len != b->len || strcmp(a->name, b->name) != 0)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->slot[i].event != b->slot[i].event ||
		    a->slot[i].counter != b->slot[i].counter)
			return false;
	return true;
}

/* What comes with every answer of an open source. */
static bool
get_state(struct remote *r, struct wire_in *in)
{
	struct wire_clock clock;
	struct eventset set;

	wire_get_clock(in, &clock);
	wire_get_state(in, &r->source.info, &set);
	if (in->bad || clock.stepped != r->clock.stepped)
		return false;
	set_clock(r, &clock);
	/* Ours also knows which events were left out, and why. */
	if (!same_slots(&set, &r->set))
		r->set = set;
	return true;
}

static void
remote_now(void *self, struct stamp *out)
{
	const struct remote *r = self;

	if (r->clock.stepped) {
		*out = r->at.at;
		return;
	}
	clock_now(clock_system(), out);
	out->awake_ns += r->at.at.awake_ns;
	out->elapsed_ns += r->at.at.elapsed_ns;
	out->wall_ns += r->at.at.wall_ns;
}

static void
remote_step(void *self, int64_t until_ns)
{
	struct remote *r = self;
	unsigned char room[64];
	struct wire_out w = begin(room, sizeof(room));
	enum source_status status;
	struct wire_in in;

	wire_put_i64(&w, until_ns);
	if (ask(r, WIRE_STEP, &w, &in, NULL) &&
	    get_status(&in, &status, NULL) && get_state(r, &in))
		return;
	/* The next reading says what is wrong; till then time goes on. */
	r->gone = r->source.info.lost = true;
	if (until_ns > r->at.at.awake_ns)
		r->at.at.awake_ns = until_ns;
}

static bool
remote_program(struct source *s, const struct eventset *set, struct err *e)
{
	struct remote *r = remote_of(s);
	unsigned char room[512];
	struct wire_out w = begin(room, sizeof(room));
	struct eventset before = r->set, none = { .len = 0 };
	enum source_status status;
	struct wire_in in;

	wire_put_u8(&w, set != NULL);
	/* Without a catalog there are no events; the source says why. */
	if (set != NULL)
		wire_put_set(&w, s->info.catalog != NULL ? set : &none,
			     s->info.catalog);
	if (!ask(r, WIRE_PROGRAM, &w, &in, e))
		return false;
	bool ok = get_status(&in, &status, e);

	if (ok && set != NULL)
		r->set = *set;
	if (!get_state(r, &in) || !wire_done(&in)) {
		r->set = before;
		return lost(r, e);
	}
	return ok;
}

static enum source_status
remote_read(struct source *s, struct sample *out, struct err *e)
{
	struct remote *r = remote_of(s);
	unsigned char room[WIRE_HEAD];
	struct wire_out w = begin(room, sizeof(room));
	enum source_status status;
	struct wire_in in;

	if (!ask(r, WIRE_READ, &w, &in, e))
		return SOURCE_ERROR;
	bool ok = get_status(&in, &status, e);

	if (!get_state(r, &in)) {
		(void)lost(r, e);
		return SOURCE_ERROR;
	}
	if (ok)
		wire_get_sample(&in, out, r->set.len);
	out->set = &r->set;
	if (wire_done(&in))
		return status;
	(void)lost(r, e);
	return SOURCE_ERROR;
}

static void
remote_free(struct remote *r)
{
	topology_free(r->topology);
	wire_free_catalog(&r->events);
	free(r->in);
	free(r);
}

static void
remote_close(struct source *s)
{
	unsigned char room[WIRE_HEAD];
	struct wire_out w = begin(room, sizeof(room));
	struct wire_in in;

	if (s == NULL)
		return;
	/* Its answer comes when the machine is as it was found. */
	(void)ask(remote_of(s), WIRE_CLOSE, &w, &in, NULL);
	remote_free(remote_of(s));
}

/* Never in the table of sources: it stands for all of them. */
static const struct source_ops remote_ops = {
	.name = "remote",
	.text = "a source in the counter server",
	.program = remote_program,
	.read = remote_read,
	.close = remote_close,
};

static bool
get_opened(struct remote *r, struct wire_in *in, struct err *e)
{
	struct source_info *info = &r->source.info;
	struct wire_in clock;
	struct wire_clock c;
	bool there;

	wire_get_about(in, info);
	r->topology = wire_get_topology(in, e);
	if (r->topology == NULL || !wire_get_catalog(in, &r->events, &there, e))
		return false;
	info->topology = r->topology;
	info->catalog = there ? &r->events.catalog : NULL;
	info->set = &r->set;
	clock = *in;
	wire_get_clock(&clock, &c);
	r->clock = (struct clock){ r, c.stepped, remote_now, NULL };
	if (c.stepped)
		r->clock.step = remote_step;
	r->at = c;
	info->clock = &r->clock;
	info->watch = &r->fd;
	return (get_state(r, in) && wire_done(in)) || lost(r, e);
}

static struct remote *
connect_to(const struct source_options *o, struct err *e)
{
	struct remote *r = calloc(1, sizeof(*r));

	if (r == NULL || !make_room(r, FIRST_ROOM)) {
		free(r);
		err_set(e, ERR_FAIL, "counters: out of memory");
		return NULL;
	}
	r->source.ops = &remote_ops;
	r->fd = o->server;
	return r;
}

static bool
ask_open(struct remote *r, enum wire_op op, const struct source_options *o,
	 const char *name, struct wire_in *in, struct err *e)
{
	unsigned char room[WIRE_HEAD + WIRE_REQUEST_MAX];
	struct wire_out w = begin(room, sizeof(room));
	enum source_status status;
	const char *const text[] = { o->kperf_path, o->kperfdata_path, o->sim,
				     o->root };

	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (text[i] != NULL && strlen(text[i]) >= WIRE_TEXT_MAX)
			return err_set(e, ERR_USAGE,
				       "an option of more than %d bytes is "
				       "too long",
				       WIRE_TEXT_MAX - 1);
	wire_put_open(&w, o, name);
	return ask(r, op, &w, in, e) && get_status(in, &status, e);
}

struct source *
remote_open(const struct source_options *o, const char *name, struct err *e)
{
	struct remote *r = connect_to(o, e);
	struct wire_in in;

	if (r == NULL)
		return NULL;
	if (ask_open(r, WIRE_OPEN, o, name, &in, e) && get_opened(r, &in, e) &&
	    /* A tick allocates nothing. */
	    make_room(r, wire_sample_size(r->topology->ncpus)))
		return &r->source;
	remote_free(r);
	return NULL;
}

bool
remote_probe(const struct source_options *o, const char *name, struct err *e)
{
	struct remote *r = connect_to(o, e);
	struct wire_in in;

	if (r == NULL)
		return false;
	bool ok = ask_open(r, WIRE_PROBE, o, name, &in, e) && wire_done(&in);

	remote_free(r);
	return ok;
}
