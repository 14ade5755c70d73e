#include "server/server.h"

#include "source/all/sources.h"
#include "source/kperf/host.h"
#include "server/wire.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct server {
	int fd;
	const struct server_guard *guard;
	struct source *source; /* NULL: none is open */
	struct sample *sample;
	struct process_reading processes;
	struct eventset paused; /* to be taken again; len 0: nothing */
	bool broken;            /* the other side is to be left */
	size_t have;
	unsigned char in[WIRE_HEAD + WIRE_REQUEST_MAX];
	unsigned char *out; /* [size], of every reply once a source is open */
	size_t size;
	size_t sent, due; /* bytes of the last reply: gone, and in all */
};

enum { SMALL = 4096 }; /* replies without a source: a sentence */

/* How far a stepped clock goes, about 73 years; sums of times stay in range. */
#define STEP_MOST_NS ((int64_t)1 << 61)

struct server *
server_new(int fd, const struct server_guard *guard)
{
	struct server *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->fd = fd;
	s->guard = guard;
	s->size = SMALL;
	s->out = malloc(s->size);
	if (s->out != NULL)
		return s;
	free(s);
	return NULL;
}

static bool
close_source(struct server *s, struct err *e)
{
	bool ok = source_end(s->source, e);

	s->source = NULL;
	sample_free(s->sample);
	s->sample = NULL;
	s->paused.len = 0;
	return ok;
}

bool
server_free(struct server *s, struct err *e)
{
	bool ok = s == NULL || close_source(s, e);

	if (s != NULL) {
		process_reading_free(&s->processes);
		free(s->out);
	}
	free(s);
	return ok;
}

/* A reader that is stopped must not hold us: what it does not take waits. */
static void
send_some(struct server *s)
{
	while (s->sent < s->due) {
		ssize_t n = send(s->fd, s->out + s->sent, s->due - s->sent,
				 MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			s->broken = n == 0 ||
				    (errno != EAGAIN && errno != EWOULDBLOCK);
			return;
		}
		s->sent += (size_t)n;
	}
}

bool
server_is_sending(const struct server *s)
{
	return s->sent < s->due && !s->broken;
}

/* The payload has been put behind the room for its head. */
static void
reply(struct server *s, struct wire_out *w, const struct wire_head *to)
{
	struct wire_head h = { .op = to->op, .tag = to->tag };
	size_t len = w->len;

	if (len > w->size || len - WIRE_HEAD > WIRE_REPLY_MAX) {
		s->broken = true;
		return;
	}
	h.size = (uint32_t)(len - WIRE_HEAD);
	w->len = 0;
	wire_put_head(w, &h);
	s->sent = 0;
	s->due = len;
	send_some(s);
}

static struct wire_out
begin(unsigned char *at, size_t size)
{
	return (struct wire_out){ at, WIRE_HEAD, size };
}

static void
put_status(struct wire_out *w, enum source_status status, const struct err *e)
{
	static const struct err none = { ERR_NONE, "" };

	wire_put_u8(w, (unsigned)status);
	wire_put_err(w, status == SOURCE_ERROR ? e : &none);
}

/* What every reply ends with while a source is open. */
static void
put_state(struct wire_out *w, const struct source *s)
{
	wire_put_clock_of(w, s->info.clock);
	wire_put_state(w, &s->info);
}

static void
refuse(struct server *s, const struct wire_head *h, const struct err *e)
{
	struct wire_out w = begin(s->out, s->size);

	put_status(&w, SOURCE_ERROR, e);
	if (s->source != NULL)
		put_state(&w, s->source);
	reply(s, &w, h);
}

static const struct source_ops *
find_source(const char *name, struct err *e)
{
	const struct source_ops *ops = source_find(name);

	if (ops == NULL)
		err_set(e, ERR_USAGE, "the counter server has no such source");
	return ops;
}

bool
server_needs_powers(const struct source_options *o, const char *name)
{
	bool named = o->kperf_path != NULL || o->kperfdata_path != NULL;

	return o->sim == NULL && o->root == NULL &&
	       (name == NULL || strcmp(name, "sim") != 0) &&
	       (!named || host_system() != NULL);
}

static bool
ask_guard(const struct server *s, const struct wire_open *o, struct err *e)
{
	return s->guard == NULL ||
	       s->guard->before(s->guard->self,
				server_needs_powers(&o->options, o->name), e);
}

static struct source *
open_source(const struct server *s, const struct wire_open *o, struct err *e)
{
	const struct source_ops *ops = NULL;

	if (!ask_guard(s, o, e))
		return NULL;
	if (o->name[0] == '\0')
		return source_open(&o->options, e);
	ops = find_source(o->name, e);
	return ops != NULL ? ops->open(&o->options, e) : NULL;
}

static void
put_opened(struct wire_out *w, const struct source *s)
{
	put_status(w, SOURCE_OK, NULL);
	wire_put_about(w, &s->info);
	wire_put_topology(w, s->info.topology);
	wire_put_catalog(w, s->info.catalog);
	put_state(w, s);
}

/* Room for this reply and all to come, so that a tick allocates nothing. */
static bool
make_room(struct server *s, struct err *e)
{
	unsigned ncpus = s->source->info.topology->ncpus;
	const struct catalog *c = s->source->info.catalog;
	size_t size = WIRE_HEAD + wire_sample_size(ncpus);
	struct wire_out measured = begin(NULL, 0);

	if (ncpus > WIRE_CPUS_MAX || (c != NULL && c->len > WIRE_EVENTS_MAX))
		return err_set(
			e, ERR_FAIL,
			"this machine is too large for the counter server");
	put_opened(&measured, s->source);
	/* A clock's step in between may make it longer. */
	if (size < measured.len + SMALL)
		size = measured.len + SMALL;
	unsigned char *out = realloc(s->out, size);

	if (out != NULL) {
		s->out = out;
		s->size = size;
		s->sample = sample_new(ncpus, e);
	}
	return s->sample != NULL ||
	       err_set(e, ERR_FAIL, "the counter server is out of memory");
}

/*
 * The machine has other CPUs. What a source was opened with it keeps itself:
 * options of this request cannot turn it into another one.
 */
static bool
renew_source(struct server *s, const struct wire_open *o, struct err *e)
{
	struct source *now = NULL;

	if (!ask_guard(s, o, e))
		return false;
	now = s->source->ops->renew(s->source, &o->options, e);
	if (now == NULL)
		return false;
	s->source = now;
	s->paused.len = 0; /* its events are gone */
	sample_free(s->sample);
	s->sample = NULL;
	return true;
}

static void
tell_opened(struct server *s, const struct wire_head *h)
{
	struct wire_out w = begin(s->out, s->size);

	put_opened(&w, s->source);
	reply(s, &w, h);
}

static void
do_open(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_FAIL, "the counter server is out of memory" };
	struct wire_open o;

	wire_get_open(in, &o);
	if (!wire_done(in) ||
	    (s->source != NULL && s->source->ops->renew == NULL)) {
		s->broken = true;
		return;
	}
	if (s->source != NULL && !renew_source(s, &o, &e)) {
		refuse(s, h, &e);
		return;
	}
	if (s->source == NULL)
		s->source = open_source(s, &o, &e);
	if (s->source == NULL) {
		refuse(s, h, &e);
		return;
	}
	if (!make_room(s, &e)) {
		(void)close_source(s, NULL);
		refuse(s, h, &e);
		return;
	}
	tell_opened(s, h);
	if (s->guard != NULL)
		s->guard->opened(s->guard->self, &s->source->info);
}

static void
do_probe(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	const struct source_ops *ops;
	struct wire_out w = begin(s->out, s->size);
	struct err e = { ERR_NONE, "" };
	struct wire_open o;

	wire_get_open(in, &o);
	if (!wire_done(in) || s->source != NULL) {
		s->broken = true;
		return;
	}
	bool ok = ask_guard(s, &o, &e);

	ops = ok ? find_source(o.name, &e) : NULL;
	ok = ops != NULL && ops->probe(&o.options, &e);
	put_status(&w, ok ? SOURCE_OK : SOURCE_ERROR, &e);
	reply(s, &w, h);
}

/* Would a right screen side ask for this? Counters the event can sit on. */
static bool
is_placed(const struct eventset *set, const struct catalog *c)
{
	uint32_t used = 0;

	for (unsigned i = 0; i < set->len; i++) {
		uint32_t bit = (uint32_t)1 << set->slot[i].counter;

		if ((set->slot[i].event->counters & c->config_counters & bit &
		     ~used) == 0)
			return false;
		used |= bit;
	}
	return true;
}

static void
do_program(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_FAIL, "" };
	const struct catalog *c = s->source->info.catalog;
	bool there = wire_get_flag(in);
	struct eventset set;

	memset(&set, 0, sizeof set);
	if (there)
		wire_get_set(in, &set, c);
	if (!wire_done(in) || (there && !is_placed(&set, c))) {
		s->broken = true;
		return;
	}
	s->paused.len = 0;
	if (!s->source->ops->program(s->source, there ? &set : NULL, &e)) {
		refuse(s, h, &e);
		return;
	}
	struct wire_out w = begin(s->out, s->size);

	put_status(&w, SOURCE_OK, NULL);
	put_state(&w, s->source);
	reply(s, &w, h);
}

static void
do_read(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct wire_out w = begin(s->out, s->size);
	struct err e = { ERR_FAIL, "" };
	bool recording = wire_get_flag(in);
	enum source_status status;

	if (!wire_done(in)) {
		s->broken = true;
		return;
	}
	s->source->recording = recording;
	server_go_on(s);
	status = s->source->ops->read(s->source, s->sample, &e);

	put_status(&w, status, &e);
	put_state(&w, s->source);
	if (status == SOURCE_OK)
		wire_put_sample(&w, s->sample, s->source->info.set->len);
	reply(s, &w, h);
}

/* Grows with what there is to say, and stays so. */
static bool
room_for(struct server *s, const struct process_reading *p)
{
	size_t size = WIRE_HEAD + wire_processes_size(p->n + p->nthreads);
	unsigned char *out;

	if (size <= s->size)
		return true;
	out = realloc(s->out, size);
	if (out == NULL)
		return false;
	s->out = out;
	s->size = size;
	return true;
}

static void
do_processes(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	const struct source_ops *ops = s->source->ops;
	struct err e = { ERR_FAIL, "the counter server is out of memory" };
	struct wire_wish wish;

	wire_get_wish(in, &wish);
	if (!wire_done(in) || ops->processes == NULL ||
	    !s->source->info.processes) {
		s->broken = true;
		return;
	}
	if (!ops->processes(s->source, &wish.wish, &s->processes, &e) ||
	    !room_for(s, &s->processes)) {
		refuse(s, h, &e);
		return;
	}
	struct wire_out w = begin(s->out, s->size);

	put_status(&w, SOURCE_OK, NULL);
	put_state(&w, s->source);
	wire_put_processes(&w, &s->processes);
	reply(s, &w, h);
}

static void
do_step(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	const struct clock *c = s->source->info.clock;
	struct wire_out w = begin(s->out, s->size);
	int64_t until = wire_get_i64(in);

	if (!wire_done(in) || !c->stepped || until < 0 ||
	    until > STEP_MOST_NS) {
		s->broken = true;
		return;
	}
	c->step(c->self, until);
	put_status(&w, SOURCE_OK, NULL);
	put_state(&w, s->source);
	reply(s, &w, h);
}

static void
do_close(struct server *s, const struct wire_head *h)
{
	struct wire_out w = begin(s->out, s->size);
	struct err e = { ERR_NONE, "" };
	bool ok = close_source(s, &e);

	put_status(&w, ok ? SOURCE_OK : SOURCE_ERROR, &e);
	reply(s, &w, h);
}

static void
obey(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	bool bare = h->op == WIRE_CLOSE;
	bool early = h->op == WIRE_OPEN || h->op == WIRE_PROBE;

	if ((!early && s->source == NULL) || (bare && in->left != 0)) {
		s->broken = true;
		return;
	}
	switch (h->op) {
	case WIRE_OPEN:
		do_open(s, h, in);
		break;
	case WIRE_PROBE:
		do_probe(s, h, in);
		break;
	case WIRE_PROGRAM:
		do_program(s, h, in);
		break;
	case WIRE_READ:
		do_read(s, h, in);
		break;
	case WIRE_PROCESSES:
		do_processes(s, h, in);
		break;
	case WIRE_STEP:
		do_step(s, h, in);
		break;
	case WIRE_CLOSE:
		do_close(s, h);
		break;
	default:
		s->broken = true;
	}
}

/* One request at a time: there is no reason to send a second early. */
static void
take_request(struct server *s)
{
	struct wire_head h;

	if (s->have < WIRE_HEAD)
		return;
	wire_get_head(s->in, &h);
	if (h.op == 0 || h.op >= WIRE_OPS || h.size > WIRE_REQUEST_MAX ||
	    s->have > WIRE_HEAD + h.size) {
		s->broken = true;
		return;
	}
	if (s->have < WIRE_HEAD + h.size)
		return;
	struct wire_in in = { .at = s->in + WIRE_HEAD, .left = h.size };

	obey(s, &h, &in);
	s->have = 0;
}

enum server_turn
server_turn(struct server *s)
{
	ssize_t n;

	/* One request at a time: none is due before its answer is out. */
	if (server_is_sending(s)) {
		send_some(s);
		return s->broken ? SERVER_OVER : SERVER_ON;
	}
	n = recv(s->fd, s->in + s->have, sizeof s->in - s->have, MSG_DONTWAIT);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return SERVER_ON;
	if (n <= 0)
		return SERVER_OVER;
	s->have += (size_t)n;
	take_request(s);
	return s->broken ? SERVER_MALFORMED : SERVER_ON;
}

void
server_pause(struct server *s)
{
	if (s->source == NULL || s->source->info.set->len == 0)
		return;
	s->paused = *s->source->info.set;
	(void)s->source->ops->program(s->source, NULL, NULL);
}

void
server_go_on(struct server *s)
{
	/* If it fails, readings show IPC mode and why, and try again. */
	if (s->source != NULL && s->paused.len > 0 &&
	    s->source->ops->program(s->source, &s->paused, NULL))
		s->paused.len = 0;
}
