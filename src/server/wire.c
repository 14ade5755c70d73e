#include "server/wire_fields.h"

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

	wire_put(w, &b, sizeof b);
}

void
wire_put_u16(struct wire_out *w, unsigned v)
{
	uint16_t n = (uint16_t)v;

	wire_put(w, &n, sizeof n);
}

void
wire_put_u32(struct wire_out *w, uint32_t v)
{
	wire_put(w, &v, sizeof v);
}

void
wire_put_i64(struct wire_out *w, int64_t v)
{
	wire_put(w, &v, sizeof v);
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
take_bytes(struct wire_in *r, void *out, size_t n)
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

	take_bytes(r, &v, sizeof v);
	return v;
}

unsigned
wire_get_u16(struct wire_in *r)
{
	uint16_t v;

	take_bytes(r, &v, sizeof v);
	return v;
}

uint32_t
wire_get_u32(struct wire_in *r)
{
	uint32_t v;

	take_bytes(r, &v, sizeof v);
	return v;
}

int64_t
wire_get_i64(struct wire_in *r)
{
	int64_t v;

	take_bytes(r, &v, sizeof v);
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
	struct wire_in r = { .at = from, .left = WIRE_HEAD };

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
	wire_get_text(r, e->text, sizeof e->text);
}

/* A string of the payload's in the arena, or NULL for none. */
static const char *
get_string(struct wire_in *r, size_t max)
{
	char *at = r->arena;
	size_t room = at != NULL ? (size_t)(r->arena_end - at) : 0;

	if (room == 0) {
		r->bad = true;
		return NULL;
	}
	if (!wire_get_text(r, at, max < room ? max : room))
		return NULL;
	r->arena = at + strlen(at) + 1;
	return at;
}

static int
get_int(struct wire_in *r)
{
	int64_t v = wire_get_i64(r);

	if (v >= -1 && v <= INT32_MAX)
		return (int)v;
	r->bad = true;
	return -1;
}

static unsigned
get_below(struct wire_in *r, unsigned end)
{
	uint32_t v = wire_get_u32(r);

	if (v < end)
		return v;
	r->bad = true;
	return 0;
}

static uint32_t
get_bits(struct wire_in *r, uint32_t allowed)
{
	uint32_t v = wire_get_u32(r);

	if ((v & ~allowed) == 0)
		return v;
	r->bad = true;
	return 0;
}

void
wire_put_fields(struct wire_out *w, const struct wire_field *field, unsigned n,
		const void *from)
{
	for (unsigned i = 0; i < n; i++) {
		const void *at = (const char *)from + field[i].at;

		switch (field[i].type) {
		case WIRE_TEXT:
			wire_put_text(w, at);
			break;
		case WIRE_STRING:
			wire_put_text(w, *(const char *const *)at);
			break;
		case WIRE_FLAG:
			wire_put_u8(w, *(const bool *)at);
			break;
		case WIRE_ENUM:
			wire_put_u8(w, *(const unsigned *)at);
			break;
		case WIRE_UINT:
		case WIRE_BELOW:
		case WIRE_BITS:
			wire_put_u32(w, *(const uint32_t *)at);
			break;
		case WIRE_SMALL:
			wire_put_u8(w, *(const uint8_t *)at);
			break;
		case WIRE_INT:
			wire_put_i64(w, *(const int *)at);
			break;
		case WIRE_U64:
		case WIRE_I64:
			wire_put(w, at, sizeof(uint64_t));
			break;
		}
	}
}

void
wire_get_fields(struct wire_in *r, const struct wire_field *field, unsigned n,
		const unsigned *limit, void *to)
{
	for (unsigned i = 0; i < n && !r->bad; i++) {
		void *at = (char *)to + field[i].at;

		switch (field[i].type) {
		case WIRE_TEXT:
			wire_get_text(r, at, field[i].max);
			break;
		case WIRE_STRING:
			*(const char **)at = get_string(r, field[i].max);
			break;
		case WIRE_FLAG:
			*(bool *)at = wire_get_flag(r);
			break;
		case WIRE_ENUM:
			*(unsigned *)at = wire_get_to(r, field[i].max);
			break;
		case WIRE_UINT:
			*(uint32_t *)at = wire_get_u32(r);
			break;
		case WIRE_BELOW:
			*(unsigned *)at = get_below(r, limit[field[i].max]);
			break;
		case WIRE_SMALL:
			*(uint8_t *)at = (uint8_t)wire_get_to(r, field[i].max);
			break;
		case WIRE_BITS:
			*(uint32_t *)at = get_bits(r, field[i].max);
			break;
		case WIRE_INT:
			*(int *)at = get_int(r);
			break;
		case WIRE_U64:
		case WIRE_I64:
			take_bytes(r, at, sizeof(uint64_t));
			break;
		}
	}
}

#define OF struct source_options
#define PATH(name) FIELD(WIRE_STRING, name, WIRE_TEXT_MAX)
static const struct wire_field open_fields[] = {
	PATH(kperf_path), PATH(kperfdata_path), PATH(sim),
	PATH(root),       PATH(events),         FLAG(ipc),
	FLAG(user_only),  FLAG(lazy),           FLAG(mux),
	I64(period_ns)
};
#undef OF

void
wire_put_open(struct wire_out *w, const struct source_options *o,
	      const char *name)
{
	wire_put_text(w, name);
	PUT(w, open_fields, o);
}

void
wire_get_open(struct wire_in *r, struct wire_open *o)
{
	memset(&o->options, 0, sizeof o->options);
	wire_get_text(r, o->name, sizeof o->name);
	r->arena = o->text;
	r->arena_end = o->text + sizeof o->text;
	GET(r, open_fields, NULL, &o->options);
	if (o->options.period_ns < 0)
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
	memset(set, 0, sizeof *set);
	wire_get_text(r, set->name, sizeof set->name);
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

#define OF struct wire_clock
static const struct wire_field clock_fields[] = {
	FLAG(stepped), I64(at.awake_ns), I64(at.elapsed_ns), I64(at.wall_ns)
};
#undef OF

void
wire_put_clock(struct wire_out *w, const struct wire_clock *c)
{
	PUT(w, clock_fields, c);
}

void
wire_get_clock(struct wire_in *r, struct wire_clock *c)
{
	memset(c, 0, sizeof *c);
	GET(r, clock_fields, NULL, c);
}
