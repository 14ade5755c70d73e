#include "server/remote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "power/power.h"
#include "server/remote_clock.h"
#include "server/wire.h"
#include "source/all/sources.h"
#include "source/kperf/kperf.h"

/* A stopped server must not freeze the screen: waits are limited, and a late
 * reply is read in a later call. */

struct remote_link {
	int fd;
	bool gone;
	bool has_answered;
	enum wire_op due;  /* request whose reply is still due; 0: none */
	int64_t silent_ns; /* awake time since which the server is silent; 0: it
			      answers */
	uint16_t tag;
	uint32_t payload;
	size_t have;
	unsigned char *in; /* [size] */
	size_t size;
	struct wire_out out;
};

enum remote_turn { REMOTE_ANSWERED, REMOTE_LATE, REMOTE_GONE };

enum { SECOND_NS = 1000 * 1000 * 1000, MS_NS = 1000 * 1000, SLICE_MS = 50 };

/* Limits of waits in ms, long enough for a busy machine with 1000 CPUs. */
static const int timeout_ms[WIRE_OPS] = {
	[WIRE_OPEN] = 20000,     [WIRE_PROBE] = 20000, [WIRE_PROGRAM] = 3000,
	[WIRE_READ] = 1000,      [WIRE_STEP] = 10000,  [WIRE_CLOSE] = 3000,
	[WIRE_PROCESSES] = 1000, [WIRE_POWER] = 3000,  [WIRE_ENERGY] = 1000,
};

/* SIGTTOU is ignored, so that restoring a terminal that another job owns does
 * not stop this process. */
static bool
link_set_lost(struct remote_link *l, struct err *e)
{
	l->gone = true;
	(void)signal(SIGTTOU, SIG_IGN);
	return err_set(
		e, ERR_FAIL,
		"the counter server has ended; if it was killed, the counters may still be on: sudo ktop doctor --repair");
}

static bool
link_reserve(struct remote_link *l, size_t payload)
{
	size_t size = WIRE_HEAD + payload;
	unsigned char *in;

	if (size <= l->size)
		return true;
	in = realloc(l->in, size * 2);
	if (in == NULL)
		return false;
	l->in = in;
	l->size = size * 2;
	return true;
}

static bool
link_send(struct remote_link *l, enum wire_op op, struct err *e)
{
	struct wire_out *w = &l->out;

	if (l->gone)
		return link_set_lost(l, e);
	if (w->bad || w->len > WIRE_HEAD + WIRE_REQUEST_MAX)
		return err_set(
			e, ERR_USAGE,
			"an option is too long for the counter server; shorten it");
	wire_end(w, op, ++l->tag);
	/* The server has read all earlier requests, so the socket has space for
	 * this one. */
	for (size_t at = 0; at < w->len;) {
		ssize_t n = send(l->fd, w->at + at, w->len - at, MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return link_set_lost(l, e);
		at += (size_t)n;
	}
	l->due = op;
	l->have = 0;
	return true;
}

static bool
link_read_head(struct remote_link *l)
{
	struct wire_head h;

	memcpy(&h, l->in, sizeof h);
	l->payload = h.size;
	return h.op == (uint16_t)l->due && h.tag == l->tag &&
	       h.size <= WIRE_REPLY_MAX && link_reserve(l, h.size);
}

static enum remote_turn
link_receive(struct remote_link *l)
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
		if (!body && l->have == want && !link_read_head(l))
			return REMOTE_GONE;
	}
}

static int64_t
system_awake_ns(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

static bool
link_report_late(struct remote_link *l, int waited_ms, struct err *e)
{
	int64_t now = system_awake_ns();

	if (l->silent_ns == 0)
		l->silent_ns = now - (int64_t)waited_ms * MS_NS;
	return err_set(
		e, ERR_FAIL,
		"the counter server has not answered for %lld s; ktop waits for its answer",
		(long long)((now - l->silent_ns) / SECOND_NS));
}

/* Waits in slices and counts them, so that time in which ktop is stopped does
 * not count. */
static enum remote_turn
link_wait(struct remote_link *l, int limit_ms, struct wire_in *in,
	  struct err *e)
{
	struct pollfd p = { .fd = l->fd, .events = POLLIN };
	enum remote_turn turn = REMOTE_LATE;

	if (!l->gone && limit_ms == 0)
		turn = link_receive(l);
	for (int left = limit_ms; !l->gone && turn == REMOTE_LATE && left > 0;)
		if (poll(&p, 1, SLICE_MS < left ? SLICE_MS : left) > 0)
			turn = link_receive(l);
		else
			left -= SLICE_MS;
	if (l->gone || turn == REMOTE_GONE) {
		(void)link_set_lost(l, e);
		return REMOTE_GONE;
	}
	if (turn == REMOTE_LATE) {
		(void)link_report_late(l, limit_ms, e);
		return REMOTE_LATE;
	}
	*in = (struct wire_in){ l->in + WIRE_HEAD, l->payload, false };
	l->due = (enum wire_op)0;
	l->silent_ns = 0;
	return REMOTE_ANSWERED;
}

/* *in is valid until the next call. Does not wait if a reply is already late.
 * LATE and GONE set *e. */
static enum remote_turn
link_take_answer(struct remote_link *l, struct wire_in *in, struct err *e)
{
	/* The first reading may take as long as an open. */
	bool quick = l->has_answered || l->due == WIRE_CLOSE;
	int limit_ms = timeout_ms[quick ? l->due : WIRE_OPEN];

	return link_wait(l, l->silent_ns != 0 ? 0 : limit_ms, in, e);
}

enum {
	FIRST_ROOM = 65536,
	SILENT_STEP_MS =
		100, /* wait of a stepped clock while the server is silent */
	CLOSE_WAIT_MS = 300
};

struct remote {
	struct source source; /* must be the first member */
	struct remote_link link;
	struct clock clock;
	struct remote_clock time;
	struct topology *topology;
	struct wire_catalog events;
	struct eventset set;
	unsigned ndropped; /* entries of set.dropped that this process, not the
			      server, added */
};

static struct remote *
remote_of(struct source *s)
{
	return (struct remote *)(void *)s;
}

static bool
remote_set_lost(struct remote *r, struct err *e)
{
	r->source.info.lost = true;
	return link_set_lost(&r->link, e);
}

static struct wire_out *
request_begin(struct remote *r)
{
	wire_begin(&r->link.out);
	return &r->link.out;
}

static bool
remote_take_answer(struct remote *r, struct wire_in *in, struct err *e)
{
	enum remote_turn turn = link_take_answer(&r->link, in, e);

	if (turn == REMOTE_GONE)
		r->source.info.lost = true;
	return turn == REMOTE_ANSWERED;
}

static bool
remote_send_request(struct remote *r, enum wire_op op, struct err *e)
{
	if (link_send(&r->link, op, e))
		return true;
	r->source.info.lost = r->link.gone;
	return false;
}

static bool
remote_ask(struct remote *r, enum wire_op op, struct wire_in *in, struct err *e)
{
	return remote_send_request(r, op, e) && remote_take_answer(r, in, e);
}

static void
remote_take_set(struct remote *r, const struct eventset *set)
{
	if (!eventset_same(set, &r->set)) {
		r->set = *set;
		r->ndropped = 0;
		return;
	}
	r->set.ndropped = r->ndropped;
	for (unsigned i = 0; i < set->ndropped; i++)
		if (r->set.ndropped < EVENTSET_MAX)
			r->set.dropped[r->set.ndropped++] = set->dropped[i];
}

static bool
remote_get_state(struct remote *r, struct wire_in *in)
{
	struct wire_clock clock;
	struct eventset set;

	wire_get_state(in, &r->source.info, &set, &clock);
	if (in->bad || (clock.stepped == 1) != r->clock.stepped ||
	    !remote_clock_update(&r->time, &clock))
		return false;
	remote_take_set(r, &set);
	return true;
}

/* Takes the state of a late reply, and drops its result. False and *e: the
 * reply has not arrived, or the server is gone. */
static bool
remote_take_late_answer(struct remote *r, struct err *e)
{
	enum source_status status;
	struct wire_in in;

	if (r->link.due == 0)
		return true;
	if (r->link.due == WIRE_OPEN)
		return err_set(
			e, ERR_FAIL,
			"the counter server has not yet read the changed list of CPUs");
	if (!remote_take_answer(r, &in, e))
		return false;
	(void)wire_get_status(&in, &status, NULL);
	return remote_get_state(r, &in) || remote_set_lost(r, e);
}

static void
remote_now(void *self, struct stamp *out)
{
	remote_clock_now(&((const struct remote *)self)->time, out);
}

static void
remote_step(void *self, int64_t until_ns)
{
	struct remote *r = self;
	enum source_status status;
	struct wire_in in;

	/* The clock stands still while the server is silent: wait, to avoid a
	 * busy loop. */
	if (r->link.silent_ns != 0)
		(void)poll(&(struct pollfd){ r->link.fd, POLLIN, 0 }, 1,
			   SILENT_STEP_MS);
	if (r->link.due == WIRE_READ || !remote_take_late_answer(r, NULL))
		return;
	wire_put(request_begin(r), &until_ns, sizeof until_ns);
	if (remote_ask(r, WIRE_STEP, &in, NULL)) {
		if (wire_get_status(&in, &status, NULL) &&
		    remote_get_state(r, &in))
			return;
		(void)remote_set_lost(r, NULL);
	}
	/* Let time advance even if the server is gone. */
	if (r->link.gone && until_ns > r->time.at.at.awake_ns)
		r->time.at.at.awake_ns = until_ns;
}

static bool
remote_program(struct source *s, const struct eventset *set, struct err *e)
{
	struct remote *r = remote_of(s);
	static const struct eventset none;
	struct eventset before;
	unsigned dropped = r->ndropped;
	enum source_status status;
	struct wire_in in;

	if (!remote_take_late_answer(r, e))
		return false;
	before = r->set;
	wire_put_set(request_begin(r),
		     set == NULL || s->info.catalog != NULL ? set : &none,
		     s->info.catalog);
	if (!remote_ask(r, WIRE_PROGRAM, &in, e))
		return false;
	bool ok = wire_get_status(&in, &status, e);

	if (ok && set != NULL) {
		r->set = *set;
		r->ndropped = set->ndropped;
	}
	if (!remote_get_state(r, &in) || !wire_done(&in)) {
		r->set = before;
		r->ndropped = dropped;
		return remote_set_lost(r, e);
	}
	return ok;
}

static bool
remote_ask_reading(struct remote *r, struct wire_in *in, struct err *e)
{
	const uint32_t recording = r->source.recording;

	if (r->link.due == WIRE_READ)
		return remote_take_answer(r, in, e);
	if (!remote_take_late_answer(r, e))
		return false;
	wire_put(request_begin(r), &recording, sizeof recording);
	return remote_ask(r, WIRE_READ, in, e);
}

static enum source_status
remote_read(struct source *s, struct sample *out, struct err *e)
{
	struct remote *r = remote_of(s);
	enum source_status status;
	struct wire_in in;

	if (!remote_ask_reading(r, &in, e))
		return SOURCE_ERROR;
	bool ok = wire_get_status(&in, &status, e);

	if (!remote_get_state(r, &in)) {
		(void)remote_set_lost(r, e);
		return SOURCE_ERROR;
	}
	if (ok)
		wire_get_sample(&in, out, r->set.len);
	if (ok && !remote_clock_check_reading(&r->time, &out->stamp,
					      out->cost_ns, out->apart_ns))
		in.bad = true;
	out->set = &r->set;
	r->link.has_answered = r->link.has_answered || ok;
	if (wire_done(&in))
		return status;
	(void)remote_set_lost(r, e);
	return SOURCE_ERROR;
}

static bool
remote_ask_processes(struct remote *r, const struct process_request *wish,
		     struct wire_in *in, struct err *e)
{
	if (r->link.due == WIRE_PROCESSES)
		return remote_take_answer(r, in, e);
	if (r->link.due == WIRE_READ)
		return link_report_late(&r->link, 0, e);
	if (!remote_take_late_answer(r, e))
		return false;
	wire_put_process_request(request_begin(r), wish);
	return remote_ask(r, WIRE_PROCESSES, in, e);
}

static bool
remote_processes(struct source *s, const struct process_request *wish,
		 struct process_reading *out, struct err *e)
{
	struct remote *r = remote_of(s);
	enum source_status status;
	struct wire_in in;

	if (!s->info.processes)
		return err_set(e, ERR_FAIL,
			       "processes cannot be listed on this machine");
	if (!remote_ask_processes(r, wish, &in, e))
		return false;
	bool ok = wire_get_status(&in, &status, e);

	if (!remote_get_state(r, &in))
		return remote_set_lost(r, e);
	if (!ok)
		return status == SOURCE_ERROR && wire_done(&in)
			       ? false
			       : remote_set_lost(r, e);
	ok = wire_get_processes(&in, out, s->info.topology->nkinds, e);
	if (!in.bad && !ok)
		return false;
	if (in.bad ||
	    !remote_clock_check_reading(&r->time, &out->stamp, out->cost_ns, 0))
		return remote_set_lost(r, e);
	return true;
}

struct remote_power {
	struct power_source source; /* must be the first member */
	struct remote *remote;
};

static bool
remote_ask_power(struct remote *r, enum wire_op op, struct wire_in *in,
		 struct err *e)
{
	enum source_status status;

	/* A late reading is left to remote_read. */
	if (r->link.due == WIRE_READ)
		return link_report_late(&r->link, 0, e);
	if (!remote_take_late_answer(r, e))
		return false;
	(void)request_begin(r);
	if (!remote_ask(r, op, in, e))
		return false;
	bool ok = wire_get_status(in, &status, e);

	if (!remote_get_state(r, in) || (!ok && !wire_done(in)))
		return remote_set_lost(r, e);
	return ok;
}

static bool
remote_energy(struct power_source *s, int64_t now_ns,
	      struct power_reading out[POWER_RAILS], struct err *e)
{
	struct remote_power *p = (struct remote_power *)(void *)s;
	struct wire_in in;

	(void)now_ns;
	if (!remote_ask_power(p->remote, WIRE_ENERGY, &in, e))
		return false;
	wire_get_energy(&in, out, s->nrails);
	return wire_done(&in) || remote_set_lost(p->remote, e);
}

static void
remote_power_close(struct power_source *s)
{
	free(s);
}

static const struct power_ops remote_power_ops = { .read = remote_energy,
						   .close =
							   remote_power_close };

static struct power_source *
remote_power(struct source *s, struct err *e)
{
	const struct source_ops *there = source_find(s->info.source);
	struct remote *r = remote_of(s);
	struct remote_power *p;
	struct wire_in in;

	if (there == NULL || !there->power_with_rights)
		return kperf_power(s, e);
	if (!remote_ask_power(r, WIRE_POWER, &in, e))
		return NULL;
	p = calloc(1, sizeof *p);
	if (p == NULL)
		return err_null(e, ERR_FAIL, "counters: out of memory");
	p->source.ops = &remote_power_ops;
	p->remote = r;
	wire_get_power(&in, &p->source, s->info.topology->nclusters);
	if (wire_done(&in))
		return &p->source;
	free(p);
	(void)remote_set_lost(r, e);
	return NULL;
}

static void
remote_free(struct remote *r)
{
	topology_free(r->topology);
	wire_free_catalog(&r->events);
	free(r->link.in);
	free(r->link.out.at);
	free(r);
}

bool
remote_release(struct source *s, struct err *e)
{
	struct remote *r = remote_of(s);
	struct remote_link *l = &r->link;
	enum remote_turn turn = REMOTE_ANSWERED;
	enum source_status status;
	struct wire_in in;

	if (l->gone)
		return true;
	if (l->due != 0)
		turn = link_wait(l, CLOSE_WAIT_MS, &in, e);
	(void)request_begin(r);
	if (turn == REMOTE_ANSWERED && !link_send(l, WIRE_CLOSE, e))
		return true;
	if (turn == REMOTE_ANSWERED)
		turn = link_take_answer(l, &in, e);
	l->gone = true;
	if (turn == REMOTE_ANSWERED &&
	    (wire_get_status(&in, &status, e) || !in.bad))
		return status != SOURCE_ERROR;
	return err_set(
		e, ERR_FAIL,
		"the counter server does not answer, so the counters are not restored yet: kill -CONT continues it if it was stopped; after kill -9 run sudo ktop doctor --repair");
}

static void
remote_close(struct source *s)
{
	if (s == NULL)
		return;
	(void)remote_release(s, NULL);
	remote_free(remote_of(s));
}

static bool
remote_get_opened(struct remote *r, struct wire_in *in, struct err *e)
{
	struct source_info *info = &r->source.info;
	struct wire_clock clock;
	struct eventset set;
	struct wire_in state;

	r->topology = wire_get_topology(in, e);
	if (r->topology == NULL || !wire_get_catalog(in, &r->events, e))
		return false;
	info->topology = r->topology;
	info->catalog =
		r->events.catalog.name != NULL ? &r->events.catalog : NULL;
	info->set = &r->set;
	state = *in;
	wire_get_state(&state, info, &set, &clock);
	r->clock = (struct clock){ r, clock.stepped == 1, remote_now,
				   clock.stepped == 1 ? remote_step : NULL };
	remote_clock_begin(&r->time, &clock);
	info->clock = &r->clock;
	info->watch = &r->link.fd;
	return (remote_get_state(r, in) && wire_done(in)) ||
	       remote_set_lost(r, e);
}

static struct remote *
remote_new(const struct source_options *o, struct err *e)
{
	struct remote *r = calloc(1, sizeof *r);

	if (r == NULL || !link_reserve(&r->link, FIRST_ROOM)) {
		free(r);
		return err_null(e, ERR_FAIL, "counters: out of memory");
	}
	r->link.fd = o->server;
	return r;
}

static bool
remote_send_open(struct remote *r, enum wire_op op,
		 const struct source_options *o, const char *name,
		 struct err *e)
{
	return wire_put_open(request_begin(r), o, name, e) &&
	       remote_send_request(r, op, e);
}

static bool
remote_ask_open(struct remote *r, enum wire_op op,
		const struct source_options *o, const char *name,
		struct wire_in *in, struct err *e)
{
	enum source_status status;

	return remote_send_open(r, op, o, name, e) &&
	       remote_take_answer(r, in, e) && wire_get_status(in, &status, e);
}

static bool
remote_get_renewed(struct remote *r, struct wire_in *in, struct err *e)
{
	struct topology *t = r->topology;
	struct wire_catalog events = r->events;

	r->topology = NULL;
	memset(&r->events, 0, sizeof r->events);
	memset(&r->set, 0, sizeof r->set);
	r->ndropped = 0;
	bool ok = remote_get_opened(r, in, e);

	topology_free(t);
	wire_free_catalog(&events);
	return ok || remote_set_lost(r, NULL);
}

static struct source *
remote_renew(struct source *old, const struct source_options *o, struct err *e)
{
	struct remote *r = remote_of(old);
	enum source_status status;
	struct wire_in in;

	if (r->link.due != WIRE_OPEN &&
	    (!remote_take_late_answer(r, e) ||
	     !remote_send_open(r, WIRE_OPEN, o, NULL, e)))
		return NULL;
	if (!remote_take_answer(r, &in, e))
		return NULL;
	if (wire_get_status(&in, &status, e))
		return remote_get_renewed(r, &in, e) ? old : NULL;
	if (!remote_get_state(r, &in))
		(void)remote_set_lost(r, e);
	return NULL;
}

static const struct source_ops remote_ops = {
	.name = "remote",
	.text = "a source in the counter server",
	.program = remote_program,
	.read = remote_read,
	.processes = remote_processes,
	.renew = remote_renew,
	.power = remote_power,
	.close = remote_close,
};

struct source *
remote_open(const struct source_options *o, const char *name, struct err *e)
{
	struct remote *r = remote_new(o, e);
	struct wire_in in;

	if (r == NULL)
		return NULL;
	r->source.ops = &remote_ops;
	if (remote_ask_open(r, WIRE_OPEN, o, name, &in, e) &&
	    remote_get_opened(r, &in, e))
		return &r->source;
	remote_free(r);
	return NULL;
}

bool
remote_probe(const struct source_options *o, const char *name, struct err *e)
{
	struct remote *r = remote_new(o, e);
	struct wire_in in;

	if (r == NULL)
		return false;
	bool ok = remote_ask_open(r, WIRE_PROBE, o, name, &in, e) &&
		  wire_done(&in);

	remote_free(r);
	return ok;
}
