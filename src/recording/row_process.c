#include "recording/row.h"

#include <stdint.h>

#include "model/process_word.h"
#include "recording/text.h"

/* A whole number up to `most`; false: the field is empty, or no such number. */
static bool
take_number(struct row_reader *r, uint64_t *out, uint64_t most, const char *s,
	    size_t n)
{
	if (n == 0)
		return false;
	if (recording_count(s, n, out) && *out <= most)
		return true;
	row_complain(r, "is not a whole number", s, n);
	return false;
}

static void
take_difference(struct row_reader *r, uint64_t *out, const char *s, size_t n)
{
	*out = 0;
	if (n > 0 && !recording_difference(s, n, out))
		row_complain(r, "is not a whole number", s, n);
}

static void
take_started(struct row_reader *r, const char *s, size_t n)
{
	int64_t *out = &r->row.process.started_ns;

	*out = 0;
	if (n == 0 || recording_time(s, n, out))
		return;
	row_complain(r, "is not a time as 2026-11-20T14:03:22.118Z", s, n);
}

static void
take_state(struct row_reader *r, const char *s, size_t n)
{
	uint8_t *state = &r->row.process.state;

	*state = PROCESS_STATE_UNKNOWN;
	if (n > 0 && !process_state_parse(s, n, state))
		row_note_unknown(r->unknown_words, sizeof r->unknown_words, s,
				 n);
}

static void
take_id(struct row_reader *r, enum process_column id, const char *s, size_t n)
{
	struct process_read *p = &r->row.process;
	uint64_t v = 0;
	bool given = take_number(r, &v,
				 id == PROCESS_COLUMN_START ? UINT64_MAX
				 : id == PROCESS_COLUMN_UID ||
						 id == PROCESS_COLUMN_THREADS
					 ? UINT32_MAX
					 : INT32_MAX,
				 s, n);

	if (id == PROCESS_COLUMN_START)
		p->start = v;
	else if (id == PROCESS_COLUMN_UID)
		p->uid = (uint32_t)v;
	else if (id == PROCESS_COLUMN_THREADS)
		p->threads = (unsigned)v;
	else if (id == PROCESS_COLUMN_PARENT)
		p->parent = given ? (int32_t)v : -1;
	else
		p->pid = given ? (int32_t)v : -1;
}

/* Where a count of the table goes. */
static uint64_t *
total_of(struct process_totals *t, enum process_column id)
{
	switch (id) {
	case PROCESS_COLUMN_PCYCLES:
		return &t->part[0].cycles;
	case PROCESS_COLUMN_PINSTRUCTIONS:
		return &t->part[0].instructions;
	case PROCESS_COLUMN_USER_NS:
		return &t->user_ns;
	case PROCESS_COLUMN_SYSTEM_NS:
		return &t->system_ns;
	case PROCESS_COLUMN_PTIME_NS:
		return &t->part[0].cpu_ns;
	case PROCESS_COLUMN_OTHER_NS:
		return &t->part[1].cpu_ns;
	case PROCESS_COLUMN_ENERGY_NJ:
		return &t->energy_nj;
	case PROCESS_COLUMN_PENERGY_NJ:
		return &t->part[0].energy_nj;
	default:
		return NULL;
	}
}

void
row_take_process_field(struct row_reader *r, enum process_column id,
		       const char *s, size_t n)
{
	struct process_read *p = &r->row.process;
	uint64_t *total = id == PROCESS_COLUMN_EVENT_CYCLES
				  ? &r->row.counts.cycles
			  : id == PROCESS_COLUMN_EVENT_INSTRUCTIONS
				  ? &r->row.counts.instructions
				  : total_of(&p->total, id);

	if (n > 0)
		r->row.has |= 1u << id;
	if (total != NULL)
		take_difference(r, total, s, n);
	else if (id == PROCESS_COLUMN_NAME)
		row_take_text(p->name, sizeof p->name, s, n);
	else if (id == PROCESS_COLUMN_USER)
		row_take_text(p->user, sizeof p->user, s, n);
	else if (id == PROCESS_COLUMN_STATE)
		take_state(r, s, n);
	else if (id == PROCESS_COLUMN_STARTED)
		take_started(r, s, n);
	else if (id == PROCESS_COLUMN_BEGAN)
		(void)take_number(r, &r->row.began, UINT32_MAX, s, n);
	else if (id == PROCESS_COLUMN_BEGAN_SEEN)
		(void)take_number(r, &r->row.began_seen, UINT32_MAX, s, n);
	else
		take_id(r, id, s, n);
}

/* What is there of what the columns can tell. */
static uint32_t
known_of(const struct row *row)
{
	static const struct {
		uint32_t known, needs;
	} table[] = {
		{ PROCESS_HAS_TIMES, 1u << PROCESS_COLUMN_USER_NS |
					     1u << PROCESS_COLUMN_SYSTEM_NS },
		{ PROCESS_HAS_PARTS,
		  1u << PROCESS_COLUMN_PCYCLES |
			  1u << PROCESS_COLUMN_PINSTRUCTIONS },
		{ PROCESS_HAS_PART_TIMES,
		  1u << PROCESS_COLUMN_PTIME_NS |
			  1u << PROCESS_COLUMN_OTHER_NS },
		{ PROCESS_HAS_ENERGY, 1u << PROCESS_COLUMN_ENERGY_NJ },
		{ PROCESS_HAS_PART_ENERGY, 1u << PROCESS_COLUMN_PENERGY_NJ },
	};
	uint32_t known = 0;

	for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
		if ((row->has & table[i].needs) == table[i].needs)
			known |= table[i].known;
	if (row->has_cycles && row->has_instructions)
		known |= PROCESS_HAS_COUNTS;
	else
		known &= ~(uint32_t)PROCESS_HAS_PARTS;
	return known;
}

/* What was not on the first kind of core was on the others. */
static void
fill_parts(struct process_totals *t)
{
	t->part[1].cycles = t->cycles - t->part[0].cycles;
	t->part[1].instructions = t->instructions - t->part[0].instructions;
	t->part[1].energy_nj = t->energy_nj - t->part[0].energy_nj;
}

/* Both columns are needed: rates are of their instructions. */
static void
check_events(struct row *row)
{
	const uint32_t needs = 1u << PROCESS_COLUMN_EVENT_CYCLES |
			       1u << PROCESS_COLUMN_EVENT_INSTRUCTIONS;
	struct process_counts *c = &row->counts;

	row->counted = 0;
	if ((row->has & needs) != needs)
		return;
	c->pid = row->process.pid;
	c->thread = 0;
	for (unsigned i = 0; i < row->nslots; i++) {
		if (!row->at.counts.slot_known[i])
			continue;
		row->counted |= 1u << i;
		c->slot[i] = row->at.counts.slot[i];
	}
}

void
row_check_process(struct row_reader *r)
{
	struct row *row = &r->row;
	struct process_read *p = &row->process;

	if (row->negative && row->whose != ROW_OF_REST)
		row_complain(r, "has a negative count", "", 0);
	if (row->has_cycles != row->has_instructions)
		row_complain(r, "has cycles or instructions, but not both", "",
			     0);
	if (row->whose == ROW_OF_PROCESS &&
	    (row->has & 1u << PROCESS_COLUMN_PID) == 0)
		row_complain(r, "is a process without a pid", "", 0);
	if (row->whose != ROW_OF_PROCESS) {
		p->pid = p->parent = -1;
		p->start = 0;
		p->uid = 0;
	}
	if ((row->has & 1u << PROCESS_COLUMN_BEGAN) == 0)
		row->began = UINT64_MAX;
	if ((row->has & 1u << PROCESS_COLUMN_BEGAN_SEEN) == 0)
		row->began_seen = 0;
	check_events(row);
	p->flags = row->flags;
	p->access = row->access;
	p->known = known_of(row);
	p->interval_ns = row->at.counts.interval_ns;
	p->total.cycles = row->at.counts.fixed[FIXED_CYCLES];
	p->total.instructions = row->at.counts.fixed[FIXED_INSTRUCTIONS];
	fill_parts(&p->total);
}
