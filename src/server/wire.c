#include "server/wire.h"

#include <stdlib.h>
#include <string.h>

/* Only the part of the struct before its first pointer or buffer is sent. */
#define INFO_SIZE offsetof(struct source_info, topology)
#define SAMPLE_SIZE offsetof(struct sample, set)
#define READING_SIZE offsetof(struct process_reading, room)
#define TRACED_SIZE offsetof(struct process_traced, row)

#define TIME_MOST_NS ((int64_t)1 << 62)

void
wire_clear_text_tail(char *text, size_t size)
{
	size_t n = strnlen(text, size - 1);

	memset(text + n, 0, size - n);
}

bool
wire_are_bools(const void *from, size_t n)
{
	const unsigned char *at = from;

	for (size_t i = 0; i < n; i++)
		if (at[i] > 1)
			return false;
	return true;
}

void
wire_put(struct wire_out *w, const void *from, size_t n)
{
	if (n > w->size - w->len) {
		size_t size = (w->len + n) * 2;
		unsigned char *at = realloc(w->at, size);

		if (at == NULL) {
			w->bad = true;
			return;
		}
		w->at = at;
		w->size = size;
	}
	if (n > 0)
		memcpy(w->at + w->len, from, n);
	w->len += n;
}

static void
wire_put_u32(struct wire_out *w, uint32_t v)
{
	wire_put(w, &v, sizeof v);
}

void
wire_begin(struct wire_out *w)
{
	const struct wire_head later = { 0, 0, 0 };

	w->len = 0;
	w->bad = false;
	wire_put(w, &later, sizeof later);
}

void
wire_end(struct wire_out *w, unsigned op, unsigned tag)
{
	struct wire_head h = { (uint32_t)(w->len - sizeof h), (uint16_t)op,
			       (uint16_t)tag };

	if (!w->bad)
		memcpy(w->at, &h, sizeof h);
}

void
wire_get(struct wire_in *r, void *to, size_t n)
{
	if (r->bad || r->left < n) {
		r->bad = true;
		memset(to, 0, n);
		return;
	}
	if (n > 0)
		memcpy(to, r->at, n);
	r->at += n;
	r->left -= n;
}

static uint32_t
wire_get_u32(struct wire_in *r, uint32_t most)
{
	uint32_t v;

	wire_get(r, &v, sizeof v);
	r->bad = r->bad || v > most;
	return r->bad ? 0 : v;
}

bool
wire_done(const struct wire_in *r)
{
	return !r->bad && r->left == 0;
}

void
wire_put_text(struct wire_out *w, const char *text)
{
	const char there = text != NULL;

	wire_put(w, &there, 1);
	if (text != NULL)
		wire_put(w, text, strlen(text) + 1);
}

const char *
wire_get_text(struct wire_in *r, size_t size)
{
	const char *text = (const char *)r->at + 1;
	size_t n;
	uint8_t there;

	wire_get(r, &there, 1);
	r->bad = r->bad || there > 1;
	if (r->bad || there == 0)
		return NULL;
	n = strnlen(text, r->left);
	r->bad = n >= r->left || n >= size;
	if (r->bad)
		return NULL;
	r->at += n + 1;
	r->left -= n + 1;
	return text;
}

enum { PATHS = 5 };

static void
list_option_paths(struct source_options *o, const char **out[PATHS])
{
	out[0] = &o->kperf_path;
	out[1] = &o->kperfdata_path;
	out[2] = &o->sim;
	out[3] = &o->root;
	out[4] = &o->events;
}

struct open_request {
	int64_t period_ns;
	uint8_t ipc, user_only, lazy, mux, unused[4];
};

bool
wire_put_open(struct wire_out *w, const struct source_options *o,
	      const char *name, struct err *e)
{
	const struct open_request q = { o->period_ns, o->ipc, o->user_only,
					o->lazy,      o->mux, { 0 } };
	struct source_options from = *o;
	const char **path[PATHS];

	wire_put_text(w, name);
	list_option_paths(&from, path);
	for (unsigned i = 0; i < PATHS; i++) {
		if (*path[i] != NULL && strlen(*path[i]) >= WIRE_TEXT_MAX)
			return err_set(
				e, ERR_USAGE,
				"an option is longer than %d bytes; shorten it",
				WIRE_TEXT_MAX - 1);
		wire_put_text(w, *path[i]);
	}
	wire_put(w, &q, sizeof q);
	return true;
}

void
wire_get_open(struct wire_in *r, struct wire_open *o)
{
	const char **path[PATHS];
	struct open_request q;

	memset(o, 0, sizeof *o);
	o->name = wire_get_text(r, WIRE_NAME_MAX);
	list_option_paths(&o->options, path);
	for (unsigned i = 0; i < PATHS; i++)
		*path[i] = wire_get_text(r, WIRE_TEXT_MAX);
	wire_get(r, &q, sizeof q);
	r->bad = r->bad || q.period_ns < 0 || !wire_are_bools(&q.ipc, 4);
	o->options.ipc = q.ipc == 1;
	o->options.user_only = q.user_only == 1;
	o->options.lazy = q.lazy == 1;
	o->options.mux = q.mux == 1;
	o->options.period_ns = q.period_ns;
}

struct wire_set {
	char name[sizeof(((struct eventset *)NULL)->name)];
	uint32_t there, len;
	struct {
		uint32_t event, counter;
	} slot[EVENTSET_MAX];
};

static uint32_t
catalog_event_index(const struct catalog *c, const struct event *ev)
{
	return c != NULL && ev >= c->event && ev < c->event + c->len
		       ? (uint32_t)(ev - c->event)
		       : UINT32_MAX;
}

void
wire_put_set(struct wire_out *w, const struct eventset *set,
	     const struct catalog *c)
{
	struct wire_set q = { .there = set != NULL };

	if (set != NULL) {
		memcpy(q.name, set->name, sizeof q.name);
		SEAL(q.name);
		q.len = set->len <= EVENTSET_MAX ? set->len : EVENTSET_MAX;
	}
	for (unsigned i = 0; i < q.len; i++) {
		q.slot[i].event = catalog_event_index(c, set->slot[i].event);
		q.slot[i].counter = set->slot[i].counter;
	}
	wire_put(w, &q, sizeof q);
}

bool
wire_get_set(struct wire_in *r, struct eventset *set, const struct catalog *c)
{
	struct wire_set q;

	memset(set, 0, sizeof *set);
	wire_get(r, &q, sizeof q);
	r->bad = r->bad || q.there > 1 || !ENDS(q.name) ||
		 q.len > (q.there == 1 ? EVENTSET_MAX : 0);
	for (unsigned i = 0; !r->bad && i < q.len; i++) {
		if (c == NULL || q.slot[i].event >= c->len ||
		    q.slot[i].counter >= 32) {
			r->bad = true;
			break;
		}
		set->slot[i].event = &c->event[q.slot[i].event];
		set->slot[i].counter = q.slot[i].counter;
	}
	if (r->bad)
		return false;
	memcpy(set->name, q.name, sizeof set->name);
	set->len = q.len;
	return q.there == 1;
}

struct wish_request {
	uint64_t opened_at;
	int32_t opened;
	uint32_t top, npins;
	uint8_t first, trace, unused[2];
};

void
wire_put_process_request(struct wire_out *w, const struct process_request *wish)
{
	static const struct process_request none = { .top = PROCESS_TOP,
						     .opened = -1 };
	const struct process_request *of = wish != NULL ? wish : &none;
	const struct wish_request q = {
		.opened_at = of->opened_at,
		.opened = of->opened,
		.top = of->top < PROCESS_ROWS_MAX ? of->top : PROCESS_ROWS_MAX,
		.npins = of->npins < WIRE_PINS_MAX ? of->npins : WIRE_PINS_MAX,
		.first = of->first,
		.trace = of->trace,
	};

	wire_put(w, &q, sizeof q);
	wire_put(w, of->pin, q.npins * sizeof *of->pin);
}

void
wire_get_process_request(struct wire_in *r, struct wire_wish *wish)
{
	struct wish_request q;

	wire_get(r, &q, sizeof q);
	r->bad = r->bad || q.top > PROCESS_ROWS_MAX ||
		 q.npins > WIRE_PINS_MAX || q.opened < -1 ||
		 !wire_are_bools(&q.first, 2);
	if (r->bad)
		q.npins = 0;
	wire_get(r, wish->pin, q.npins * sizeof *wish->pin);
	for (unsigned i = 0; i < q.npins; i++)
		r->bad = r->bad || wish->pin[i] < 0;
	wish->wish = (struct process_request){ .top = q.top,
					       .opened = q.opened,
					       .opened_at = q.opened_at,
					       .first = q.first == 1,
					       .trace = q.trace == 1,
					       .pin = wish->pin,
					       .npins = r->bad ? 0 : q.npins };
}

void
wire_set_malformed(struct wire_in *r, struct err *e)
{
	r->bad = true;
	err_set(e, ERR_FAIL,
		"the counter server sent an invalid reply; please report this");
}

void
wire_put_status(struct wire_out *w, enum source_status status,
		const struct err *e)
{
	struct err out = { ERR_NONE, "" };

	if (status == SOURCE_ERROR)
		out = *e;
	SEAL(out.text);
	wire_put_u32(w, (uint32_t)status);
	wire_put(w, &out, sizeof out);
}

bool
wire_get_status(struct wire_in *r, enum source_status *status, struct err *e)
{
	struct err why;

	*status = (enum source_status)wire_get_u32(r, SOURCE_ERROR);
	wire_get(r, &why, sizeof why);
	if ((unsigned)why.code > ERR_FORMAT || !ENDS(why.text)) {
		why = (struct err){ ERR_NONE, "" };
		r->bad = true;
	}
	if (r->bad)
		*status = SOURCE_ERROR;
	if (*status == SOURCE_ERROR && e != NULL)
		*e = why;
	return *status == SOURCE_OK;
}

/* A time between two readings of the system's clock is of that clock, so its
 * offset is 0. */
static int64_t
clock_offset(int64_t before, int64_t at, int64_t after)
{
	return before <= at && at <= after ? 0 : at - before;
}

void
wire_clock_of(const struct clock *clock, struct wire_clock *out)
{
	struct stamp before, at, after;

	out->stepped = clock->stepped;
	clock_now(clock_system(), &before);
	clock_now(clock, &at);
	clock_now(clock_system(), &after);
	out->at = at;
	if (clock->stepped)
		return;
	out->at.awake_ns =
		clock_offset(before.awake_ns, at.awake_ns, after.awake_ns);
	out->at.elapsed_ns = clock_offset(before.elapsed_ns, at.elapsed_ns,
					  after.elapsed_ns);
	out->at.wall_ns =
		clock_offset(before.wall_ns, at.wall_ns, after.wall_ns);
}

struct wire_dropped {
	uint32_t event;
	char why[sizeof(((struct eventset *)NULL)->dropped[0].why)];
};

static void
wire_put_dropped(struct wire_out *w, const struct eventset *set,
		 const struct catalog *c)
{
	struct wire_dropped out[EVENTSET_MAX];
	uint32_t n = 0;

	for (unsigned i = 0; i < set->ndropped && i < EVENTSET_MAX; i++) {
		out[n].event = catalog_event_index(
			c, c != NULL ? catalog_find(c, set->dropped[i].event)
				     : NULL);
		memcpy(out[n].why, set->dropped[i].why, sizeof out[n].why);
		SEAL(out[n].why);
		n += out[n].event != UINT32_MAX;
	}
	wire_put_u32(w, n);
	wire_put(w, out, n * sizeof *out);
}

static void
wire_get_dropped(struct wire_in *r, struct eventset *set,
		 const struct catalog *c)
{
	uint32_t n = wire_get_u32(r, EVENTSET_MAX);
	struct wire_dropped in;

	for (uint32_t i = 0; i < n; i++) {
		wire_get(r, &in, sizeof in);
		if (r->bad || c == NULL || in.event >= c->len ||
		    !ENDS(in.why)) {
			r->bad = true;
			return;
		}
		set->dropped[i].event = c->event[in.event].name;
		memcpy(set->dropped[i].why, in.why, sizeof in.why);
	}
	set->ndropped = n;
}

void
wire_put_state(struct wire_out *w, const struct source_info *info,
	       const struct wire_clock *clock)
{
	struct source_info out = *info;

	SEAL(out.source);
	SEAL(out.model);
	SEAL(out.chip);
	SEAL(out.os);
	SEAL(out.origin);
	SEAL(out.why.text);
	SEAL(out.notice);
	wire_put(w, clock, sizeof *clock);
	wire_put(w, &out, INFO_SIZE);
	wire_put_set(w, info->set, info->catalog);
	wire_put_dropped(w, info->set, info->catalog);
}

static bool
info_is_valid(const struct source_info *i)
{
	return ENDS(i->source) && ENDS(i->model) && ENDS(i->chip) &&
	       ENDS(i->os) && ENDS(i->origin) && ENDS(i->why.text) &&
	       ENDS(i->notice) && (unsigned)i->mode <= SOURCE_FULL &&
	       (unsigned)i->domain <= DOMAIN_MIXED &&
	       (unsigned)i->why.code <= ERR_FORMAT &&
	       wire_are_bools(&i->simulated,
			      (size_t)(&i->ends + 1 - &i->simulated));
}

void
wire_get_state(struct wire_in *r, struct source_info *info,
	       struct eventset *set, struct wire_clock *clock)
{
	struct source_info in = *info;

	wire_get(r, clock, sizeof *clock);
	wire_get(r, &in, INFO_SIZE);
	(void)wire_get_set(r, set, info->catalog);
	wire_get_dropped(r, set, info->catalog);
	r->bad = r->bad || clock->stepped > 1 || !info_is_valid(&in);
	if (r->bad)
		return;
	/* The client sets restores and lost. */
	in.restores = info->restores;
	in.lost = info->lost;
	*info = in;
}

static size_t
cpu_sample_size(unsigned nslots)
{
	return offsetof(struct cpu_sample, slot) +
	       nslots * sizeof(struct reading);
}

void
wire_put_sample(struct wire_out *w, const struct sample *s, unsigned nslots)
{
	wire_put(w, s, SAMPLE_SIZE);
	for (unsigned i = 0; i < s->ncpus; i++)
		wire_put(w, &s->cpu[i], cpu_sample_size(nslots));
}

static bool
cpu_sample_is_valid(const struct cpu_sample *c, unsigned nslots)
{
	if ((unsigned)c->state > CPU_DENIED ||
	    !wire_are_bools(&c->busy_known, 2))
		return false;
	for (unsigned i = 0; i < FIXED_COUNT; i++)
		if (!wire_are_bools(&c->fixed[i].supported, 2))
			return false;
	for (unsigned i = 0; i < nslots; i++)
		if (!wire_are_bools(&c->slot[i].supported, 2))
			return false;
	return true;
}

void
wire_get_sample(struct wire_in *r, struct sample *s, unsigned nslots)
{
	struct sample in;

	wire_get(r, &in, SAMPLE_SIZE);
	if (in.ncpus != s->ncpus || (unsigned)in.domain > DOMAIN_MIXED ||
	    !wire_are_bools(&in.together, 1) ||
	    (in.flags & ~(uint32_t)(SAMPLE_BASELINE | SAMPLE_TAKEN_OVER)) != 0)
		r->bad = true;
	for (unsigned i = 0; i < s->ncpus && !r->bad; i++) {
		memset(&s->cpu[i], 0, sizeof s->cpu[i]);
		wire_get(r, &s->cpu[i], cpu_sample_size(nslots));
		r->bad = r->bad || !cpu_sample_is_valid(&s->cpu[i], nslots);
	}
	if (r->bad)
		return;
	memcpy(s, &in, SAMPLE_SIZE);
	s->recorded = NULL;
}

/* Only the flags that a source sets are sent, not the monitor's. */
enum {
	ROW_FLAGS = PROCESS_PARTIAL | PROCESS_SCALED | PROCESS_KEPT,
	ROW_KNOWN = (PROCESS_HAS_PART_ENERGY << 1) - 1
};

static void
wire_put_process_rows(struct wire_out *w, struct process_read *p, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		p[i].flags &= ROW_FLAGS;
		SEAL(p[i].name);
		SEAL(p[i].user);
	}
	wire_put(w, p, n * sizeof *p);
}

void
wire_put_processes(struct wire_out *w, struct process_reading *p)
{
	const struct process_traced *t = &p->traced;

	SEAL(p->notice);
	SEAL(p->command.text);
	SEAL(p->traced.why);
	wire_put(w, p, READING_SIZE);
	wire_put(w, t, TRACED_SIZE);
	wire_put_process_rows(w, p->row, p->n);
	wire_put_process_rows(w, p->thread, p->nthreads);
	wire_put(w, t->row, t->n * sizeof *t->row);
	wire_put(w, t->thread, t->nthreads * sizeof *t->thread);
}

static bool
time_is_valid(int64_t t)
{
	return t >= 0 && t <= TIME_MOST_NS;
}

static bool
process_rows_are_valid(const struct process_read *p, unsigned n)
{
	for (const struct process_read *end = p + n; p < end; p++)
		if (p->pid < 0 || p->parent < -1 ||
		    !time_is_valid(p->started_ns) ||
		    !time_is_valid(p->started_awake_ns) ||
		    p->state >= PROCESS_STATE_COUNT ||
		    p->access >= PROCESS_ACCESS_COUNT ||
		    (p->flags & ~(uint32_t)ROW_FLAGS) != 0 ||
		    (p->known & ~(uint32_t)ROW_KNOWN) != 0 || !ENDS(p->name) ||
		    !ENDS(p->user))
			return false;
	return true;
}

static bool
reading_is_valid(const struct process_reading *p, unsigned nkinds)
{
	const struct process_traced *t = &p->traced;

	if (p->n > PROCESS_ROWS_MAX || p->nthreads > PROCESS_THREADS_MAX ||
	    (unsigned)p->domain > DOMAIN_MIXED || p->command.pid < -1 ||
	    !ENDS(p->command.text) || !ENDS(p->notice) ||
	    !wire_are_bools(&p->everything, 1) || p->parts.n > PROCESS_PARTS)
		return false;
	for (unsigned i = 0; i < p->parts.n; i++)
		if (!ENDS(p->parts.label[i]) || p->parts.kind[i] < -1 ||
		    p->parts.kind[i] >= (int)nkinds)
			return false;
	return t->n <= PROCESS_TRACED_MAX &&
	       t->nthreads <= PROCESS_TRACED_THREADS &&
	       t->state <= PROCESS_TRACING_REFUSED &&
	       wire_are_bools(&t->own, 1) && t->owner >= -1 &&
	       t->slots < 1u << EVENTSET_MAX && ENDS(t->why);
}

static bool
counts_are_valid(const struct process_counts *c, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (c[i].pid < 0)
			return false;
	return true;
}

static bool
wire_get_reading_head(struct wire_in *r, struct process_reading *p,
		      unsigned nkinds)
{
	wire_get(r, p, READING_SIZE);
	wire_get(r, &p->traced, TRACED_SIZE);
	p->recorded = p->has_rest = p->traced.recorded = false;
	if (!r->bad && reading_is_valid(p, nkinds))
		return true;
	memset(p, 0, READING_SIZE);
	process_traced_reset(&p->traced);
	return false;
}

static bool
wire_get_process_rows(struct wire_in *r, struct process_reading *p)
{
	struct process_traced *t = &p->traced;

	wire_get(r, p->row, p->n * sizeof *p->row);
	wire_get(r, p->thread, p->nthreads * sizeof *p->thread);
	wire_get(r, t->row, t->n * sizeof *t->row);
	wire_get(r, t->thread, t->nthreads * sizeof *t->thread);
	if (!wire_done(r) || !process_rows_are_valid(p->row, p->n) ||
	    !process_rows_are_valid(p->thread, p->nthreads) ||
	    !counts_are_valid(t->row, t->n) ||
	    !counts_are_valid(t->thread, t->nthreads))
		return false;
	process_traced_sort(t);
	return true;
}

bool
wire_get_processes(struct wire_in *r, struct process_reading *p,
		   unsigned nkinds, struct err *e)
{
	if (!wire_get_reading_head(r, p, nkinds)) {
		wire_set_malformed(r, e);
		return false;
	}
	if (!process_reading_grow(p, p->n)) {
		p->n = p->nthreads = 0;
		return err_set(e, ERR_FAIL, "processes: out of memory");
	}
	if (wire_get_process_rows(r, p))
		return true;
	p->n = p->nthreads = 0;
	process_traced_reset(&p->traced);
	wire_set_malformed(r, e);
	return false;
}
