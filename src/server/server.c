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
	const struct source_guard *guard;
	struct source *source;
	struct sample *sample;
	struct process_reading processes;
	struct power_source *power;
	struct power_reading energy[POWER_RAILS];
	int64_t energy_ns; /* time of the last reading; 0: none */
	struct eventset
		paused; /* event set that server_resume programs; len 0: none */
	bool broken;
	size_t have;
	unsigned char in[WIRE_HEAD + WIRE_REQUEST_MAX];
	struct wire_out out;
	size_t sent, due;
};

/* Frequent energy readings reveal what other programs compute (PLATYPUS,
 * CVE-2020-8694), so a request within this time of the last reading gets that
 * reading again. */
enum { ENERGY_NS = 500 * 1000 * 1000 };

/* Limit of a stepped clock, 73 years: sums of times stay in range. */
#define STEP_MOST_NS ((int64_t)1 << 61)

struct server *
server_new(int fd, const struct source_guard *guard)
{
	struct server *s = calloc(1, sizeof *s);

	if (s == NULL)
		return NULL;
	s->fd = fd;
	s->guard = guard;
	return s;
}

static void
server_close_power(struct server *s)
{
	if (s->power != NULL)
		s->power->ops->close(s->power);
	s->power = NULL;
}

static bool
server_end_source(struct server *s, struct err *e)
{
	server_close_power(s);
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
	bool ok = s == NULL || server_end_source(s, e);

	if (s != NULL) {
		process_reading_free(&s->processes);
		free(s->out.at);
	}
	free(s);
	return ok;
}

/* A stopped client must not block the server: the rest is sent later. */
static void
server_send_pending(struct server *s)
{
	while (s->sent < s->due) {
		ssize_t n = send(s->fd, s->out.at + s->sent, s->due - s->sent,
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

static void
reply_begin(struct server *s, enum source_status status, const struct err *e)
{
	wire_begin(&s->out);
	wire_put_status(&s->out, status, e);
}

static void
reply_put_state(struct server *s)
{
	struct wire_clock clock;

	if (s->source == NULL)
		return;
	wire_clock_of(s->source->info.clock, &clock);
	wire_put_state(&s->out, &s->source->info, &clock);
}

static bool
reply_send(struct server *s, const struct wire_head *to)
{
	wire_end(&s->out, to->op, to->tag);
	if (s->out.bad || s->out.len - sizeof *to > WIRE_REPLY_MAX)
		return false;
	s->sent = 0;
	s->due = s->out.len;
	server_send_pending(s);
	return true;
}

static bool
reply_result(struct server *s, const struct wire_head *h, bool done,
	     const struct err *e)
{
	reply_begin(s, done ? SOURCE_OK : SOURCE_ERROR, e);
	reply_put_state(s);
	return reply_send(s, h);
}

static const struct source_ops *
find_named_source(const char *name, struct err *e)
{
	const struct source_ops *ops = name != NULL ? source_find(name) : NULL;

	if (ops == NULL)
		err_set(e, ERR_USAGE,
			"the counter server has no source with this name");
	return ops;
}

bool
source_needs_root(const struct source_options *o, const char *name)
{
	bool named = o->kperf_path != NULL || o->kperfdata_path != NULL;

	return o->sim == NULL && o->root == NULL &&
	       (name == NULL || strcmp(name, "sim") != 0) &&
	       (!named || host_system() != NULL);
}

static bool
guard_allows_open(const struct server *s, const struct wire_open *o,
		  struct err *e)
{
	return s->guard == NULL ||
	       s->guard->before(s->guard->self,
				source_needs_root(&o->options, o->name), e);
}

static struct source *
open_requested_source(const struct server *s, const struct wire_open *o,
		      struct err *e)
{
	const struct source_ops *ops = NULL;

	if (!guard_allows_open(s, o, e))
		return NULL;
	if (o->name == NULL)
		return source_open(&o->options, e);
	ops = find_named_source(o->name, e);
	return ops != NULL ? ops->open(&o->options, e) : NULL;
}

static bool
server_make_sample(struct server *s, struct err *e)
{
	unsigned ncpus = s->source->info.topology->ncpus;
	const struct catalog *c = s->source->info.catalog;

	if (ncpus > WIRE_CPUS_MAX || (c != NULL && c->len > WIRE_EVENTS_MAX))
		return err_set(
			e, ERR_FAIL,
			"this machine has too many CPUs or events for the counter server; please report this");
	s->sample = sample_new(ncpus, e);
	return s->sample != NULL;
}

static bool
renew_open_source(struct server *s, const struct wire_open *o, struct err *e)
{
	struct source *now = NULL;

	if (!guard_allows_open(s, o, e))
		return false;
	now = s->source->ops->renew(s->source, &o->options, e);
	if (now == NULL)
		return false;
	s->source = now;
	s->paused.len = 0;
	sample_free(s->sample);
	s->sample = NULL;
	return true;
}

/* Handlers return false if the request is malformed or cannot be answered. */
static bool
handle_open(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_FAIL, "the counter server is out of memory" };
	struct wire_open o;

	wire_get_open(in, &o);
	if (!wire_done(in) ||
	    (s->source != NULL && s->source->ops->renew == NULL))
		return false;
	bool ok = s->source == NULL || renew_open_source(s, &o, &e);

	if (ok && s->source == NULL) {
		s->source = open_requested_source(s, &o, &e);
		ok = s->source != NULL;
	}
	if (ok && !server_make_sample(s, &e)) {
		(void)server_end_source(s, NULL);
		ok = false;
	}
	if (!ok)
		return reply_result(s, h, false, &e);
	reply_begin(s, SOURCE_OK, NULL);
	wire_put_topology(&s->out, s->source->info.topology);
	wire_put_catalog(&s->out, s->source->info.catalog);
	reply_put_state(s);
	bool sent = reply_send(s, h);

	if (s->guard != NULL)
		s->guard->opened(s->guard->self, &s->source->info);
	return sent;
}

static bool
handle_probe(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	const struct source_ops *ops;
	struct err e = { ERR_NONE, "" };
	struct wire_open o;

	wire_get_open(in, &o);
	if (!wire_done(in) || s->source != NULL)
		return false;
	bool ok = guard_allows_open(s, &o, &e);

	ops = ok ? find_named_source(o.name, &e) : NULL;
	return reply_result(s, h, ops != NULL && ops->probe(&o.options, &e),
			    &e);
}

static bool
set_is_placed(const struct eventset *set, const struct catalog *c)
{
	uint32_t used = 0;

	for (unsigned i = 0; i < set->len; i++) {
		uint32_t bit = (uint32_t)1 << set->slot[i].counter;

		if ((set->slot[i].event->counters & c->config_counters & bit &
		     ~used) == 0)
			return false;
		used |= bit;
		for (unsigned j = 0; j < i; j++)
			if (set->slot[j].event == set->slot[i].event)
				return false;
	}
	return true;
}

static bool
handle_program(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_FAIL, "" };
	const struct catalog *c = s->source->info.catalog;
	struct eventset set;
	bool there = wire_get_set(in, &set, c);

	if (!wire_done(in) || (there && !set_is_placed(&set, c)))
		return false;
	s->paused.len = 0;
	bool ok = s->source->ops->program(s->source, there ? &set : NULL, &e);

	return reply_result(s, h, ok, &e);
}

static bool
handle_read(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_FAIL, "" };
	enum source_status status;
	uint32_t recording;

	wire_get(in, &recording, sizeof recording);
	if (!wire_done(in) || recording > 1)
		return false;
	s->source->recording = recording == 1;
	server_resume(s);
	status = s->source->ops->read(s->source, s->sample, &e);
	reply_begin(s, status, &e);
	reply_put_state(s);
	if (status == SOURCE_OK)
		wire_put_sample(&s->out, s->sample, s->source->info.set->len);
	return reply_send(s, h);
}

static bool
handle_processes(struct server *s, const struct wire_head *h,
		 struct wire_in *in)
{
	const struct source_ops *ops = s->source->ops;
	struct err e = { ERR_FAIL, "" };
	struct wire_wish wish;

	wire_get_process_request(in, &wish);
	if (!wire_done(in) || ops->processes == NULL ||
	    !s->source->info.processes)
		return false;
	if (!ops->processes(s->source, &wish.wish, &s->processes, &e))
		return reply_result(s, h, false, &e);
	reply_begin(s, SOURCE_OK, NULL);
	reply_put_state(s);
	wire_put_processes(&s->out, &s->processes);
	return reply_send(s, h);
}

static bool
handle_power(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	const struct source_ops *ops = s->source->ops;
	struct err e = { ERR_FAIL, "" };

	if (!wire_done(in) || ops->power == NULL || !ops->power_with_rights)
		return false;
	server_close_power(s);
	memset(s->energy, 0, sizeof s->energy);
	s->power = ops->power(s->source, &e);
	if (s->power == NULL)
		return reply_result(s, h, false, &e);
	reply_begin(s, SOURCE_OK, NULL);
	reply_put_state(s);
	wire_put_power(&s->out, s->power);
	return reply_send(s, h);
}

static bool
handle_energy(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_FAIL, "" };
	struct stamp now;

	if (!wire_done(in) || s->power == NULL)
		return false;
	clock_now(s->source->info.clock, &now);
	if (s->energy_ns == 0 || now.awake_ns < s->energy_ns ||
	    now.awake_ns - s->energy_ns >= ENERGY_NS) {
		s->energy_ns = now.awake_ns;
		memset(s->energy, 0, sizeof s->energy);
		if (!s->power->ops->read(s->power, now.awake_ns, s->energy,
					 &e)) {
			memset(s->energy, 0, sizeof s->energy);
			return reply_result(s, h, false, &e);
		}
	}
	reply_begin(s, SOURCE_OK, NULL);
	reply_put_state(s);
	wire_put(&s->out, s->energy, s->power->nrails * sizeof *s->energy);
	return reply_send(s, h);
}

static bool
handle_step(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	const struct clock *c = s->source->info.clock;
	int64_t until;

	wire_get(in, &until, sizeof until);
	if (!wire_done(in) || !c->stepped || until < 0 || until > STEP_MOST_NS)
		return false;
	c->step(c->self, until);
	return reply_result(s, h, true, NULL);
}

static bool
handle_close(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	struct err e = { ERR_NONE, "" };

	if (!wire_done(in))
		return false;
	bool ok = server_end_source(s, &e);

	return reply_result(s, h, ok, &e);
}

static bool
handle_request(struct server *s, const struct wire_head *h, struct wire_in *in)
{
	static bool (*const perform[WIRE_OPS])(
		struct server *, const struct wire_head *, struct wire_in *) = {
		[WIRE_OPEN] = handle_open,
		[WIRE_PROBE] = handle_probe,
		[WIRE_PROGRAM] = handle_program,
		[WIRE_READ] = handle_read,
		[WIRE_STEP] = handle_step,
		[WIRE_CLOSE] = handle_close,
		[WIRE_PROCESSES] = handle_processes,
		[WIRE_POWER] = handle_power,
		[WIRE_ENERGY] = handle_energy,
	};

	return (s->source != NULL || h->op == WIRE_OPEN ||
		h->op == WIRE_PROBE) &&
	       perform[h->op](s, h, in);
}

static bool
receive_request(struct server *s)
{
	struct wire_head h;

	if (s->have < sizeof h)
		return true;
	memcpy(&h, s->in, sizeof h);
	if (h.op == 0 || h.op >= WIRE_OPS || h.size > WIRE_REQUEST_MAX ||
	    s->have > sizeof h + h.size)
		return false;
	if (s->have < sizeof h + h.size)
		return true;
	struct wire_in in = { .at = s->in + sizeof h, .left = h.size };

	s->have = 0;
	return handle_request(s, &h, &in);
}

enum server_turn
server_turn(struct server *s)
{
	ssize_t n;

	if (server_is_sending(s)) {
		server_send_pending(s);
		return s->broken ? SERVER_OVER : SERVER_ON;
	}
	n = recv(s->fd, s->in + s->have, sizeof s->in - s->have, MSG_DONTWAIT);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return SERVER_ON;
	if (n <= 0)
		return SERVER_OVER;
	s->have += (size_t)n;
	s->broken = !receive_request(s) || s->broken;
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
server_resume(struct server *s)
{
	/* If programming fails, each later reading tries again and reports the
	 * reason. */
	if (s->source != NULL && s->paused.len > 0 &&
	    s->source->ops->program(s->source, &s->paused, NULL))
		s->paused.len = 0;
}
