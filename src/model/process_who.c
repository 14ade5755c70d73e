#include "model/process_who.h"

#include <math.h>
#include <stddef.h>

enum { FEW_CYCLES = 1000000 };

/* Part of the table with that kind, even if among others; -1: none. */
static int
part_of(const struct process_parts *parts, int kind)
{
	int several = -1;

	for (unsigned i = 0; i < parts->n; i++) {
		if (parts->kind[i] == kind)
			return (int)i;
		if (parts->kind[i] < 0)
			several = (int)i;
	}
	return several;
}

/* -1: the whole machine, which is of one kind. False: kinds are not told. */
static bool
part_of_scope(const struct process_table *t, const struct frame *f,
	      unsigned scope, int *part)
{
	int kind = frame_kind(f, scope);

	*part = -1;
	if (kind >= 0 && f->topology->nkinds > 1)
		*part = part_of(&t->parts, kind);
	return *part >= 0 || kind < 0 || f->topology->nkinds < 2;
}

/* Have the cores themselves counted all of the interval? */
static bool
cores_whole(const struct process_table *t)
{
	return (t->cores.flags & (PROCESS_PARTIAL | PROCESS_CATCHUP)) == 0;
}

static uint64_t
cycles_of(const struct process_row *row, int part)
{
	uint32_t need = part < 0 ? PROCESS_HAS_COUNTS : PROCESS_HAS_PARTS;

	if ((row->known & need) == 0)
		return 0;
	return part < 0 ? row->d.cycles : row->d.part[part].cycles;
}

static double
ipc_of(const struct process_row *row, int part)
{
	const struct process_part *p = &row->d.part[part < 0 ? 0 : part];
	double cycles = (double)cycles_of(row, part);

	if (part == 0 || part == 1)
		return row->value[part == 0 ? PROCESS_IPC_0 : PROCESS_IPC_1];
	if (part < 0)
		return row->value[PROCESS_IPC];
	return cycles >= 1e6 ? (double)p->instructions / cycles : NAN;
}

/*
 * Can what the row's cores did be this process' doing? Work at twice their IPC
 * is another's, however much of it there is.
 */
static bool
can_be(const struct process_row *row, int part, const struct span *cores)
{
	double ipc = ipc_of(row, part);

	if (!span_has_fixed(cores) || cores->cycles < FEW_CYCLES || isnan(ipc))
		return true;
	return ipc * (double)cores->cycles < 2 * (double)cores->instructions;
}

bool
processes_culprit(const struct process_table *t, const struct frame *f,
		  unsigned scope, struct process_culprit *c)
{
	int part;

	*c = (struct process_culprit){ .part = -1,
				       .share_pct = NAN,
				       .ipc = NAN };
	if (!part_of_scope(t, f, scope, &part))
		return false;
	uint64_t all = cycles_of(&t->cores, part), most = 0, several = 0;
	uint64_t possible = 0; /* cycles of all who can be it */

	for (unsigned i = 0; i < t->n; i++) {
		uint64_t cycles = cycles_of(&t->row[i], part);

		if (t->row[i].pid == PROCESS_OTHERS_PID) {
			several = cycles;
		} else if (can_be(&t->row[i], part, &f->span[scope])) {
			possible += cycles;
			if (cycles <= most)
				continue;
			most = cycles;
			c->row = &t->row[i];
		}
	}
	/* One of those without a row of their own may have had more. */
	if (c->row == NULL || most > all || several > most || !cores_whole(t))
		return false;
	/* It is likelier than all others together, and did enough for that. */
	if (most < possible - most || (span_has_fixed(&f->span[scope]) &&
				       most < f->span[scope].cycles / 2))
		return false;
	c->part = part;
	c->share_pct = 100 * (double)most / (double)all;
	c->ipc = ipc_of(c->row, part);
	return true;
}

unsigned
processes_shares(const struct process_table *t, const struct frame *f,
		 unsigned scope, struct process_share *out, unsigned n,
		 const char **part)
{
	unsigned found = 0;
	int at;

	*part = "";
	if (!part_of_scope(t, f, scope, &at) || !cores_whole(t))
		return 0;
	*part = at >= 0 ? t->parts.label[at] : "all";
	double all = (double)cycles_of(&t->cores, at);

	for (unsigned i = 0; i < t->n; i++) {
		double pct = 100 * (double)cycles_of(&t->row[i], at) / all;
		unsigned to = found;

		if (!(pct > 0 && pct <= 100))
			continue;
		for (; to > 0 && out[to - 1].share_pct < pct; to--)
			if (to < n)
				out[to] = out[to - 1];
		if (to < n)
			out[to] = (struct process_share){ &t->row[i], pct };
		found += found < n;
	}
	return found;
}
