#include "recording/replay_processes.h"

#include <string.h>

#include "base/buf.h"

static bool
grow(struct process_reading *r, unsigned n, struct err *e)
{
	if (process_reading_grow(r, n))
		return true;
	return err_set(e, ERR_FAIL, "out of memory for %u processes", n);
}

static const char *
name_of(const struct topology_kind *k)
{
	return k->letter[0] != '\0' ? k->letter : k->name;
}

/* The fastest kind, and all others: a recording tells no more. */
static void
set_parts(struct process_parts *parts, const struct topology *t)
{
	*parts = (struct process_parts){ .n = 0 };
	if (t->nkinds < 2)
		return;
	struct buf first = buf_over(parts->label[0], sizeof parts->label[0]);
	struct buf other = buf_over(parts->label[1], sizeof parts->label[1]);
	bool two = t->nkinds == 2;

	parts->n = 2;
	parts->kind[0] = 0;
	parts->kind[1] = two ? 1 : -1;
	buf_str(&first, name_of(&t->kind[0]));
	buf_str(&other, two ? "" : "not ");
	buf_str(&other, name_of(&t->kind[two ? 1 : 0]));
	buf_cstr(&first);
	buf_cstr(&other);
}

/* As the processes' rows have them: not what else was traced. */
static void
take_counted(struct process_traced *to, const struct recording_frame *f)
{
	process_traced_clear(to);
	if (f->counted_slots == 0)
		return;
	to->state = PROCESS_TRACING_ON;
	to->recorded = true;
	to->slots = f->counted_slots;
	for (unsigned i = 0; i < f->ncounted; i++) {
		to->cycles += f->counted[i].cycles;
		if (to->n < PROCESS_TRACED_MAX)
			to->row[to->n++] = f->counted[i];
		else
			to->left_out++;
	}
	process_traced_sort(to);
}

bool
replay_processes_take(struct process_reading *to,
		      const struct recording_frame *f, const struct topology *t,
		      struct err *e)
{
	to->n = 0;
	to->recorded = f->processes;
	take_counted(&to->traced, f);
	if (!f->processes)
		return true;
	if (!grow(to, f->nprocesses, e))
		return false;
	if (f->nprocesses > 0)
		memcpy(to->row, f->process, f->nprocesses * sizeof *to->row);
	to->n = f->nprocesses;
	for (unsigned i = 0; i < to->n; i++)
		if (to->row[i].pid == PROCESS_OTHERS_PID)
			memcpy(to->row[i].name, PROCESS_OTHERS_NAME,
			       sizeof PROCESS_OTHERS_NAME);
	to->stamp.wall_ns = f->wall_ns;
	to->domain = f->process_domain;
	to->has_rest = to->everything = f->has_rest;
	to->rest = f->rest;
	to->started = f->began;
	to->born = f->began_seen;
	set_parts(&to->parts, t);
	return true;
}

bool
replay_processes_copy(struct process_reading *out,
		      const struct process_reading *from, struct err *e)
{
	if (!from->recorded)
		return err_set(e, ERR_FAIL,
			       "the recording has no processes here");
	if (!grow(out, from->n, e))
		return false;
	struct process_read *row = out->row;
	unsigned room = out->room;

	*out = *from;
	out->row = row;
	out->room = room;
	if (from->n > 0)
		memcpy(row, from->row, from->n * sizeof *row);
	return true;
}
