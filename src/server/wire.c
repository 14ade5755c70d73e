#include "server/wire.h"

#include <string.h>

void
wire_put(struct wire_out *w, const void *from, size_t n)
{
	if (w->len <= w->size && n <= w->size - w->len && n > 0)
		memcpy(w->at + w->len, from, n);
	w->len += n;
}

void
wire_put_u8(struct wire_out *w, unsigned v)
{
	unsigned char b = (unsigned char)v;

	wire_put(w, &b, sizeof(b));
}

void
wire_put_u16(struct wire_out *w, unsigned v)
{
	uint16_t n = (uint16_t)v;

	wire_put(w, &n, sizeof(n));
}

void
wire_put_u32(struct wire_out *w, uint32_t v)
{
	wire_put(w, &v, sizeof(v));
}

void
wire_put_u64(struct wire_out *w, uint64_t v)
{
	wire_put(w, &v, sizeof(v));
}

void
wire_put_i64(struct wire_out *w, int64_t v)
{
	wire_put(w, &v, sizeof(v));
}

void
wire_put_text(struct wire_out *w, const char *text)
{
	size_t n = text != NULL ? strlen(text) : 0;

	if (n > UINT16_MAX - 1)
		n = UINT16_MAX - 1;
	/* 0 is NULL, else the length and one. */
	wire_put_u16(w, text != NULL ? (unsigned)n + 1 : 0);
	wire_put(w, text, n);
}

static void
take(struct wire_in *r, void *out, size_t n)
{
	memset(out, 0, n);
	if (r->bad || r->left < n) {
		r->bad = true;
		return;
	}
	memcpy(out, r->at, n);
	r->at += n;
	r->left -= n;
}

unsigned
wire_get_u8(struct wire_in *r)
{
	unsigned char v;

	take(r, &v, sizeof(v));
	return v;
}

unsigned
wire_get_u16(struct wire_in *r)
{
	uint16_t v;

	take(r, &v, sizeof(v));
	return v;
}

uint32_t
wire_get_u32(struct wire_in *r)
{
	uint32_t v;

	take(r, &v, sizeof(v));
	return v;
}

uint64_t
wire_get_u64(struct wire_in *r)
{
	uint64_t v;

	take(r, &v, sizeof(v));
	return v;
}

int64_t
wire_get_i64(struct wire_in *r)
{
	int64_t v;

	take(r, &v, sizeof(v));
	return v;
}

unsigned
wire_get_to(struct wire_in *r, unsigned max)
{
	unsigned v = wire_get_u8(r);

	if (v <= max)
		return v;
	r->bad = true;
	return 0;
}

bool
wire_get_flag(struct wire_in *r)
{
	return wire_get_to(r, 1) == 1;
}

bool
wire_get_text(struct wire_in *r, char *out, size_t size)
{
	size_t n = wire_get_u16(r);

	out[0] = '\0';
	if (n == 0)
		return false;
	n--;
	if (r->bad || n >= size || n > r->left ||
	    memchr(r->at, '\0', n) != NULL) {
		r->bad = true;
		return false;
	}
	memcpy(out, r->at, n);
	out[n] = '\0';
	r->at += n;
	r->left -= n;
	return true;
}

bool
wire_done(const struct wire_in *r)
{
	return !r->bad && r->left == 0;
}

void
wire_put_head(struct wire_out *w, const struct wire_head *h)
{
	wire_put_u32(w, h->size);
	wire_put_u16(w, h->op);
	wire_put_u16(w, h->tag);
}

void
wire_get_head(const unsigned char *from, struct wire_head *h)
{
	struct wire_in r = { from, WIRE_HEAD, false };

	h->size = wire_get_u32(&r);
	h->op = (uint16_t)wire_get_u16(&r);
	h->tag = (uint16_t)wire_get_u16(&r);
}

void
wire_put_err(struct wire_out *w, const struct err *e)
{
	wire_put_u8(w, (unsigned)e->code);
	wire_put_text(w, e->text);
}

void
wire_get_err(struct wire_in *r, struct err *e)
{
	e->code = (enum err_code)wire_get_to(r, ERR_FORMAT);
	wire_get_text(r, e->text, sizeof(e->text));
}

void
wire_put_open(struct wire_out *w, const struct source_options *o,
	      const char *name)
{
	wire_put_text(w, name);
	wire_put_text(w, o->kperf_path);
	wire_put_text(w, o->kperfdata_path);
	wire_put_text(w, o->sim);
	wire_put_text(w, o->root);
	wire_put_text(w, o->events);
	wire_put_u8(w, o->ipc);
	wire_put_u8(w, o->user_only);
	wire_put_u8(w, o->lazy);
	wire_put_u8(w, o->mux);
	wire_put_i64(w, o->period_ns);
}

void
wire_get_open(struct wire_in *r, struct wire_open *o)
{
	struct source_options *so = &o->options;

	memset(so, 0, sizeof(*so));
	wire_get_text(r, o->name, sizeof(o->name));
	if (wire_get_text(r, o->kperf, sizeof(o->kperf)))
		so->kperf_path = o->kperf;
	if (wire_get_text(r, o->kperfdata, sizeof(o->kperfdata)))
		so->kperfdata_path = o->kperfdata;
	if (wire_get_text(r, o->sim, sizeof(o->sim)))
		so->sim = o->sim;
	if (wire_get_text(r, o->root, sizeof(o->root)))
		so->root = o->root;
	if (wire_get_text(r, o->events, sizeof(o->events)))
		so->events = o->events;
	so->ipc = wire_get_flag(r);
	so->user_only = wire_get_flag(r);
	so->lazy = wire_get_flag(r);
	so->mux = wire_get_flag(r);
	so->period_ns = wire_get_i64(r);
	if (so->period_ns < 0)
		r->bad = true;
}

static unsigned
event_index(const struct catalog *c, const struct event *ev)
{
	if (c == NULL || c->len == 0 || ev < c->event ||
	    ev >= c->event + c->len)
		return UINT16_MAX;
	return (unsigned)(ev - c->event);
}

void
wire_put_set(struct wire_out *w, const struct eventset *set,
	     const struct catalog *c)
{
	unsigned len = set->len <= EVENTSET_MAX ? set->len : EVENTSET_MAX;

	wire_put_text(w, set->name);
	wire_put_u8(w, len);
	for (unsigned i = 0; i < len; i++) {
		wire_put_u16(w, event_index(c, set->slot[i].event));
		wire_put_u8(w, set->slot[i].counter);
	}
}

void
wire_get_set(struct wire_in *r, struct eventset *set, const struct catalog *c)
{
	memset(set, 0, sizeof(*set));
	wire_get_text(r, set->name, sizeof(set->name));
	unsigned len = wire_get_to(r, EVENTSET_MAX);

	for (unsigned i = 0; i < len; i++) {
		unsigned at = wire_get_u16(r), counter = wire_get_u8(r);

		/* Counters are bits of 32 in a catalog's masks. */
		if (c == NULL || at >= c->len || counter >= 32) {
			r->bad = true;
			return;
		}
		set->slot[i].event = &c->event[at];
		set->slot[i].counter = counter;
	}
	set->len = len;
}

void
wire_put_clock(struct wire_out *w, const struct wire_clock *c)
{
	wire_put_u8(w, c->stepped);
	wire_put_i64(w, c->at.awake_ns);
	wire_put_i64(w, c->at.elapsed_ns);
	wire_put_i64(w, c->at.wall_ns);
}

void
wire_get_clock(struct wire_in *r, struct wire_clock *c)
{
	c->stepped = wire_get_flag(r);
	c->at.awake_ns = wire_get_i64(r);
	c->at.elapsed_ns = wire_get_i64(r);
	c->at.wall_ns = wire_get_i64(r);
}
