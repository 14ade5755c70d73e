/* Processes, and what is wanted of them, on the wire. */
#include "server/wire_fields.h"

#include <string.h>

enum {
	KNOWN = (PROCESS_HAS_PART_ENERGY << 1) - 1,
	/* What only a monitor can say of a row does not travel. */
	FLAGS = PROCESS_PARTIAL | PROCESS_SCALED | PROCESS_KEPT,
	PART_SIZE = 4 * 8,
	ROW_SIZE = 160 + PROCESS_NAME_SIZE + PROCESS_USER_SIZE +
		   PROCESS_PARTS * PART_SIZE,
	/* err, state and clock with all their texts, and the reading's own */
	REPLY_SIZE = 4096,
	COUNTS_SIZE = 8 + 3 * 8 + EVENTSET_MAX * 8,
	TRACED_ROWS = PROCESS_TRACED_MAX + PROCESS_TRACED_THREADS
};

/* Moments of this clock and of a wall clock are below: centuries. */
#define TIME_MOST_NS ((int64_t)1 << 62)

#define OF struct process_wish
static const struct wire_field wish_fields[] = { UINT(top),      INT(opened),
						 U64(opened_at), FLAG(first),
						 FLAG(trace),    UINT(npins) };
#undef OF

void
wire_put_wish(struct wire_out *w, const struct process_wish *wish)
{
	struct process_wish out = { .top = PROCESS_TOP, .opened = -1 };

	if (wish != NULL)
		out = *wish;
	if (out.top > PROCESS_ROWS_MAX)
		out.top = PROCESS_ROWS_MAX;
	if (out.npins > WIRE_PINS_MAX)
		out.npins = WIRE_PINS_MAX;
	PUT(w, wish_fields, &out);
	for (unsigned i = 0; i < out.npins; i++)
		wire_put_u32(w, (uint32_t)out.pin[i]);
}

void
wire_get_wish(struct wire_in *r, struct wire_wish *wish)
{
	struct process_wish *to = &wish->wish;

	memset(to, 0, sizeof *to);
	GET(r, wish_fields, NULL, to);
	if (to->top > PROCESS_ROWS_MAX || to->npins > WIRE_PINS_MAX)
		r->bad = true;
	to->pin = wish->pin;
	for (unsigned i = 0; i < to->npins && !r->bad; i++) {
		uint32_t pid = wire_get_u32(r);

		if (pid > INT32_MAX)
			r->bad = true;
		wish->pin[i] = (int32_t)(pid & INT32_MAX);
	}
	if (r->bad)
		to->npins = 0;
}

#define OF struct process_read
static const struct wire_field row_fields[] = {
	INT(pid),
	INT(parent),
	U64(start),
	I64(started_ns),
	I64(started_awake_ns),
	UINT(uid),
	UINT(threads),
	U64(thread),
	SMALL(state, PROCESS_STATE_COUNT - 1),
	SMALL(access, PROCESS_ACCESS_COUNT - 1),
	BITS(flags, FLAGS),
	BITS(known, KNOWN),
	UINT(counting),
	TEXT(name),
	TEXT(user),
	U64(total.cycles),
	U64(total.instructions),
	U64(total.user_ns),
	U64(total.system_ns),
	U64(total.energy_nj)
};
#undef OF
#define OF struct process_part
static const struct wire_field part_fields[] = { U64(cycles), U64(instructions),
						 U64(cpu_ns), U64(energy_nj) };
#undef OF
#define OF struct process_reading
static const struct wire_field reading_fields[] = { I64(stamp.awake_ns),
						    I64(stamp.elapsed_ns),
						    I64(stamp.wall_ns),
						    I64(cost_ns),
						    ENUM(domain, DOMAIN_MIXED),
						    FLAG(everything),
						    U64(started),
						    UINT(left_out),
						    TEXT(notice),
						    INT(command.pid),
						    U64(command.start),
						    TEXT(command.text),
						    UINT(parts.n) };
#undef OF

#define OF struct process_traced
static const struct wire_field traced_fields[] = {
	SMALL(state, PROCESS_TRACING_REFUSED),
	FLAG(own),
	U64(files),
	INT(owner),
	BITS(slots, (1u << EVENTSET_MAX) - 1),
	U64(cycles),
	U64(gaps),
	U64(dropped),
	U64(period_ns),
	I64(cost_ns),
	UINT(left_out),
	UINT(n),
	UINT(nthreads),
	TEXT(why),
};
#undef OF
#define OF struct process_counts
static const struct wire_field counts_fields[] = {
	INT(pid),
	U64(thread),
	U64(cycles),
	U64(instructions),
};
#undef OF

static const struct wire_field slot_field[] = { { WIRE_U64, 0, 0 } };

static void
put_counts(struct wire_out *w, const struct process_counts *c, unsigned n,
	   uint32_t slots)
{
	for (unsigned i = 0; i < n; i++) {
		PUT(w, counts_fields, &c[i]);
		for (unsigned k = 0; k < EVENTSET_MAX; k++)
			if ((slots >> k & 1) != 0)
				PUT(w, slot_field, &c[i].slot[k]);
	}
}

static void
put_traced(struct wire_out *w, const struct process_traced *t)
{
	PUT(w, traced_fields, t);
	put_counts(w, t->row, t->n, t->slots);
	put_counts(w, t->thread, t->nthreads, t->slots);
}

static void
put_row(struct wire_out *w, const struct process_read *p, unsigned nparts)
{
	struct process_read row = *p;

	row.flags &= FLAGS;
	PUT(w, row_fields, &row);
	for (unsigned i = 0; i < nparts; i++)
		PUT(w, part_fields, &row.total.part[i]);
}

void
wire_put_processes(struct wire_out *w, const struct process_reading *p)
{
	put_traced(w, &p->traced);
	PUT(w, reading_fields, p);
	for (unsigned i = 0; i < p->parts.n; i++) {
		wire_put_text(w, p->parts.label[i]);
		wire_put_i64(w, p->parts.kind[i]);
	}
	wire_put_u32(w, p->n);
	wire_put_u32(w, p->nthreads);
	for (unsigned i = 0; i < p->n; i++)
		put_row(w, &p->row[i], p->parts.n);
	for (unsigned i = 0; i < p->nthreads; i++)
		put_row(w, &p->thread[i], p->parts.n);
}

static bool
is_time(int64_t t)
{
	return t >= 0 && t <= TIME_MOST_NS;
}

static void
get_row(struct wire_in *r, struct process_read *p, unsigned nparts)
{
	memset(p, 0, sizeof *p);
	GET(r, row_fields, NULL, p);
	if (p->pid < 0 || !is_time(p->started_ns) ||
	    !is_time(p->started_awake_ns))
		r->bad = true;
	for (unsigned i = 0; i < nparts; i++)
		GET(r, part_fields, NULL, &p->total.part[i]);
}

static void
get_parts(struct wire_in *r, struct process_parts *p, unsigned nkinds)
{
	for (unsigned i = 0; i < p->n && !r->bad; i++) {
		int64_t kind;

		wire_get_text(r, p->label[i], sizeof p->label[i]);
		kind = wire_get_i64(r);
		if (kind < -1 || kind >= (int64_t)nkinds)
			r->bad = true;
		p->kind[i] = r->bad ? -1 : (int)kind;
	}
}

static void
get_counts(struct wire_in *r, struct process_counts *c, unsigned n,
	   uint32_t slots)
{
	for (unsigned i = 0; i < n && !r->bad; i++) {
		memset(&c[i], 0, sizeof c[i]);
		GET(r, counts_fields, NULL, &c[i]);
		for (unsigned k = 0; k < EVENTSET_MAX; k++)
			if ((slots >> k & 1) != 0)
				GET(r, slot_field, NULL, &c[i].slot[k]);
		r->bad = r->bad || c[i].pid < 0;
	}
}

/* In order, and each once: they are looked up so. */
static void
get_traced(struct wire_in *r, struct process_traced *t)
{
	process_traced_clear(t);
	GET(r, traced_fields, NULL, t);
	if (t->n > PROCESS_TRACED_MAX || t->nthreads > PROCESS_TRACED_THREADS)
		r->bad = true;
	if (!r->bad) {
		get_counts(r, t->row, t->n, t->slots);
		get_counts(r, t->thread, t->nthreads, t->slots);
	}
	if (r->bad)
		process_traced_clear(t);
	else
		process_traced_sort(t);
}

/* All but the rows, of which *n come. */
static void
get_head(struct wire_in *r, struct process_reading *p, unsigned nkinds,
	 unsigned *n)
{
	p->n = 0;
	p->recorded = p->has_rest = false;
	memset(&p->parts, 0, sizeof p->parts);
	get_traced(r, &p->traced);
	GET(r, reading_fields, NULL, p);
	if (p->command.pid < -1)
		r->bad = true;
	if (p->parts.n > PROCESS_PARTS) {
		p->parts.n = 0;
		r->bad = true;
	}
	get_parts(r, &p->parts, nkinds);
	*n = wire_get_u32(r);
	p->nthreads = wire_get_u32(r);
	if (*n > PROCESS_ROWS_MAX || p->nthreads > PROCESS_THREADS_MAX)
		r->bad = true;
	if (r->bad)
		*n = p->nthreads = 0;
}

bool
wire_get_processes(struct wire_in *r, struct process_reading *p,
		   unsigned nkinds, struct err *e)
{
	unsigned n;

	get_head(r, p, nkinds, &n);
	if (!process_reading_grow(p, n)) {
		p->nthreads = 0;
		return err_set(e, ERR_FAIL, "processes: out of memory");
	}
	for (unsigned i = 0; i < n && !r->bad; i++)
		get_row(r, &p->row[i], p->parts.n);
	for (unsigned i = 0; i < p->nthreads && !r->bad; i++)
		get_row(r, &p->thread[i], p->parts.n);
	if (!wire_done(r)) {
		r->bad = true;
		p->nthreads = 0;
		return err_set(
			e, ERR_FAIL,
			"the counter server's processes make no sense; please report this");
	}
	p->n = n;
	return true;
}

size_t
wire_processes_size(unsigned nrows)
{
	return REPLY_SIZE + (size_t)nrows * ROW_SIZE +
	       (size_t)TRACED_ROWS * COUNTS_SIZE;
}
