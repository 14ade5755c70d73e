#include "recording/inner.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/formula.h"
#include "base/utf8.h"
#include "model/event.h"
#include "model/process.h"

enum { UNREAD = COLUMN_FIELDS };

static_assert(UNREAD <= UINT8_MAX, "a field's id is a byte");

static void
row_complain(struct row_reader *r, const char *why, const char *s, size_t n)
{
	if (r->bad != NULL)
		return;
	r->bad = why;
	r->bad_column = r->column;
	utf8_plain(r->bad_text, sizeof r->bad_text, s, n);
}

static void
list_unknown_word(char *list, size_t size, const char *s, size_t n)
{
	char word[32];
	size_t len = strlen(list), more;

	utf8_plain(word, sizeof word, s, n);
	more = strlen(word);
	if (more == 0 || strstr(list, word) != NULL || len + more + 6 > size)
		return;
	snprintf(list + len, size - len, "%s%s", len > 0 ? ", " : "", word);
}

static bool
text_equals(const char *word, const char *s, size_t n)
{
	return strlen(word) == n && memcmp(word, s, n) == 0;
}

/* Index of the name, or -1. before: the slot's index in the last row. */
static int
event_name_number(struct row_reader *r, unsigned before, const char *s,
		  size_t n)
{
	char name[EVENT_NAME_SIZE];

	if (before < r->nnames && text_equals(r->name[before], s, n))
		return (int)before;
	for (unsigned i = 0; i < r->nnames; i++)
		if (text_equals(r->name[i], s, n))
			return (int)i;
	utf8_plain(name, sizeof name, s, n);
	if (!text_equals(name, s, n))
		row_complain(r, "is not an event name", s, n);
	else if (r->nnames == RECORDING_NAMES_MAX)
		row_complain(r, "is more event names than ktop reads", s, n);
	else if ((r->name[r->nnames] = strdup(name)) == NULL)
		row_complain(r, "does not fit into memory", s, n);
	else
		r->nnames++;
	return r->bad != NULL ? -1 : (int)r->nnames - 1;
}

static void
row_take_event_name(struct row_reader *r, unsigned slot, const char *s,
		    size_t n)
{
	size_t guard = formula_guard(s, n);
	int number = n > 0 ? event_name_number(r, r->row.slot[slot], s + guard,
					       n - guard)
			   : -1;

	if (number < 0)
		return;
	r->row.slot[slot] = (unsigned)number;
	r->row.slots |= 1u << slot;
}

static void
row_take_type(struct row_reader *r, const char *s, size_t n)
{
	r->row.type = column_row_find(s, n);
	if (r->row.type == COLUMN_ROWS)
		list_unknown_word(r->unknown_rows, sizeof r->unknown_rows, s,
				  n);
}

static bool
schema_matches(const char *schema, const char *s, size_t n)
{
	size_t len = strlen(schema);

	/* Minor versions of the schema only add columns. */
	return n >= len && memcmp(s, schema, len) == 0 &&
	       (n == len || s[len] == '.');
}

static void
row_take_schema(struct row_reader *r, const char *s, size_t n)
{
	if (schema_matches(COLUMN_SCHEMA_TEXT, s, n) ||
	    schema_matches(COLUMN_SCHEMA_BEFORE, s, n))
		return;
	row_complain(
		r,
		n > 5 && memcmp(s, "ktop/", 5) == 0
			? "is a schema that this ktop does not know; it reads " COLUMN_SCHEMA_BEFORE
			  " and " COLUMN_SCHEMA_TEXT
			: "is not the schema " COLUMN_SCHEMA_TEXT,
		s, n);
}

/* Some words of quality apply to both CPUs and processes. */
static void
row_take_quality(struct row_reader *r, const char *s, size_t n)
{
	struct process_read *p = &r->row.process;
	char words[128];
	int unknown;

	utf8_plain(words, sizeof words, s, n);
	r->row.at.counts.quality = quality_parse(words, &unknown);
	p->flags = 0;
	p->access = PROCESS_COUNTED;
	for (const char *w = words; *w != '\0';) {
		size_t len = strcspn(w, ";");
		char one[33];
		int bad = 0;

		utf8_plain(one, sizeof one, w, len);
		if (!process_word_parse(w, len, &p->flags, &p->access) ||
		    r->row.type == ROW_OF_CPU)
			(void)quality_parse(one, &bad);
		if (bad)
			list_unknown_word(r->unknown_words,
					  sizeof r->unknown_words, one,
					  strlen(one));
		w += len + (w[len] == ';');
	}
}

static void
row_take_domain(struct row_reader *r, const char *s, size_t n)
{
	for (int d = DOMAIN_NONE; d <= DOMAIN_MIXED; d++)
		if (text_equals(domain_name[d], s, n)) {
			r->row.domain = (enum domain)d;
			return;
		}
	row_complain(r, "is none of all, user, kernel, mixed", s, n);
}

static void
row_take_state(struct row_reader *r, const char *s, size_t n)
{
	uint8_t *state = &r->row.process.state;

	*state = PROCESS_STATE_UNKNOWN;
	if (n > 0 && !process_state_parse(s, n, state))
		list_unknown_word(r->unknown_words, sizeof r->unknown_words, s,
				  n);
}

#define PLACE(field)                                                        \
	{                                                                   \
		offsetof(struct row, field), sizeof((struct row *)0)->field \
	}
static const struct {
	size_t at, size;
} place[COLUMN_FIELDS] = {
	[COLUMN_RUN] = PLACE(run),
	[COLUMN_SOURCE] = PLACE(machine.source),
	[COLUMN_MODEL] = PLACE(machine.model),
	[COLUMN_CHIP] = PLACE(machine.chip),
	[COLUMN_CLUSTER] = PLACE(at.cluster),
	[COLUMN_KIND] = PLACE(at.kind),
	[COLUMN_PRESET] = PLACE(preset),
	[COLUMN_NOTE] = PLACE(note),
	[COLUMN_PROCESS] = PLACE(process.name),
	[COLUMN_USER] = PLACE(process.user),
	[COLUMN_POWER_FLAGS] = PLACE(power_flags),
	[COLUMN_THERMAL_PRESSURE] = PLACE(thermal_pressure),
};
#undef PLACE

/* Omits the apostrophe that guards against spreadsheet formulas. */
static void
row_take_text(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	size_t guard = formula_guard(s, n);

	utf8_plain((char *)&r->row + place[id].at, place[id].size, s + guard,
		   n - guard);
}

/* A negative number is valid only in columns with a unit, outside CPU rows. */
static bool
row_parse_integer(struct row_reader *r, const struct column *c, const char *s,
		  size_t n)
{
	uint64_t *v = &r->record.v[c->id].count;
	bool minus = s[0] == '-';

	if (minus && (c->unit[0] == '\0' || r->row.type == ROW_OF_CPU))
		return false;
	r->negative = r->negative || minus;
	return recording_parse_difference(s, n, v) &&
	       (c->limit == 0 || *v <= c->limit);
}

static const char *
row_parse_number(struct row_reader *r, const struct column *c, const char *s,
		 size_t n)
{
	struct record *to = &r->record;
	double *v = &to->v[c->id].real;

	switch (c->type) {
	case COLUMN_TIME:
		return recording_parse_time(s, n, &to->v[c->id].ns)
			       ? NULL
			       : "is not a time as 2026-11-20T14:03:22.118Z";
	case COLUMN_SECONDS:
		return recording_parse_seconds(s, n, &to->v[c->id].ns)
			       ? NULL
			       : "is not a number of seconds";
	case COLUMN_INTEGER:
		return row_parse_integer(r, c, s, n) ? NULL
						     : "is not a whole number";
	case COLUMN_REAL:
		if (!recording_parse_real(s, n, v) || *v < 0)
			return "is not a positive number";
		return c->unit[0] != '%' || *v <= 100.5 ? NULL
							: "is not a percentage";
	case COLUMN_TEXT:
	case COLUMN_WORDS:
		break;
	}
	return NULL;
}

static void
row_take_field(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	const struct column *c = column_of(id);

	if (id == COLUMN_SCHEMA) {
		row_take_schema(r, s, n);
	} else if (id == COLUMN_ROW) {
		row_take_type(r, s, n);
	} else if (id == COLUMN_DOMAIN) {
		row_take_domain(r, s, n);
	} else if (id == COLUMN_QUALITY) {
		row_take_quality(r, s, n);
	} else if (id == COLUMN_STATE) {
		row_take_state(r, s, n);
	} else if (place[id].size > 0) {
		row_take_text(r, id, s, n);
	} else if (c->type == COLUMN_TEXT) {
		row_take_event_name(r, (id - COLUMN_SLOTS) / 2, s, n);
	} else if (n > 0 || id == COLUMN_SAMPLE || id == COLUMN_WALL_TIME) {
		const char *bad = row_parse_number(r, c, s, n);

		r->record.known[id] = bad == NULL;
		if (bad != NULL)
			row_complain(r, bad, s, n);
	}
}

/* Derived columns are not read but calculated again. */
static bool
column_is_read(unsigned id)
{
	return id < COLUMN_FIELDS && id != COLUMN_N_CPUS && id != COLUMN_N_OK &&
	       id != COLUMN_COVERAGE && id != COLUMN_BOTTLENECK &&
	       id != COLUMN_BOTTLENECK_EST && id != COLUMN_LOST_PCT &&
	       id != COLUMN_LOST_CYCLES && id != COLUMN_P_SHARE &&
	       id != COLUMN_CPU_PCT;
}

bool
row_has_column(const struct row_reader *r, enum column_id id)
{
	return memchr(r->field, (int)id, r->ncolumns) != NULL;
}

static void
header_take_field(struct row_reader *r, const char *s, size_t n)
{
	char name[64];

	/* Skips the byte order mark that spreadsheets write. */
	if (r->column == 0 && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	if (r->column >= ROW_COLUMNS_MAX) {
		row_complain(r, "is more columns than ktop reads", s, n);
		return;
	}
	utf8_plain(name, sizeof name, s, n);
	int at = column_find(name);
	unsigned id = at >= 0 ? column_at((unsigned)at).id : UNREAD;

	if (at < 0 && strncmp(name, COLUMN_LABEL, strlen(COLUMN_LABEL)) != 0)
		list_unknown_word(r->unknown_columns, sizeof r->unknown_columns,
				  name, strlen(name));
	r->field[r->column] = UNREAD;
	if (!column_is_read(id))
		return;
	if (memchr(r->field, (int)id, r->column) != NULL) {
		row_complain(r, "is a column that was there before", s, n);
		return;
	}
	r->field[r->column] = (uint8_t)id;
	r->nread = r->column + 1;
}

static void
csv_take_field(void *text, size_t n, void *arg)
{
	struct row_reader *r = arg;
	const char *s = text == NULL ? "" : text;
	unsigned id = r->column < r->ncolumns ? r->field[r->column] : UNREAD;

	n = text == NULL ? 0 : n;
	if (r->header)
		header_take_field(r, s, n);
	else if (id < UNREAD && !row_is_group(r->row.type) &&
		 (id < COLUMN_PID || r->row.type != ROW_OF_CPU))
		row_take_field(r, (enum column_id)id, s, n);
	r->column++;
}

static void
csv_take_end(int end, void *arg)
{
	(void)end;
	((struct row_reader *)arg)->ended = true;
}

static bool
row_parse_line(struct row_reader *r, const char *s, size_t n)
{
	static const char newline = '\n';

	if (n > 0 && s[n - 1] == '\r')
		n--;
	r->ended = false;
	if (csv_parse(&r->parser, s, n, csv_take_field, csv_take_end, r) != n ||
	    csv_parse(&r->parser, &newline, 1, csv_take_field, csv_take_end,
		      r) != 1)
		row_complain(r, csv_strerror(csv_error(&r->parser)), "", 0);
	return r->ended || r->bad != NULL;
}

static void
row_clear_complaint(struct row_reader *r)
{
	r->column = 0;
	r->bad = NULL;
	r->bad_column = 0;
	r->bad_text[0] = '\0';
}

bool
row_header(struct row_reader *r, const char *line, size_t n)
{
	static const enum column_id needed[] = {
		COLUMN_SCHEMA,    COLUMN_ROW,       COLUMN_SAMPLE,
		COLUMN_WALL_TIME, COLUMN_ELAPSED_S, COLUMN_INTERVAL_S,
		COLUMN_CPU,       COLUMN_CYCLES,    COLUMN_INSTRUCTIONS,
	};

	row_clear_complaint(r);
	r->nread = 0;
	r->header = true;
	bool whole = row_parse_line(r, line, n);

	r->header = false;
	r->ncolumns = r->column < ROW_COLUMNS_MAX ? r->column : ROW_COLUMNS_MAX;
	if (!whole)
		row_complain(r, "has a quote that does not end", "", 0);
	r->column = ROW_COLUMNS_MAX; /* a missing column has no position */
	for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!row_has_column(r, needed[i])) {
			const char *name = column_of(needed[i])->name;

			row_complain(
				r,
				"is not among the columns: the first line of a recording names them, see ktop-csv(5)",
				name, strlen(name));
		}
	return r->bad == NULL;
}

/* Texts of columns that the header lacks keep their values. */
void
row_begin(struct row_reader *r)
{
	row_clear_complaint(r);
	if (r->parser.pstate != 0) /* a seek left a quote open */
		(void)csv_fini(&r->parser, NULL, NULL, NULL);
	r->row.type = COLUMN_ROWS;
	r->row.nslots = 0;
	r->row.slots = 0;
	r->negative = false;
	memset(r->record.known, 0, sizeof r->record.known);
}

static bool
field_is_known(const struct row_reader *r, enum column_id id)
{
	return r->record.known[id];
}

static uint64_t
field_count(const struct row_reader *r, enum column_id id, uint64_t otherwise)
{
	return field_is_known(r, id) ? r->record.v[id].count : otherwise;
}

static int
field_index(const struct row_reader *r, enum column_id id)
{
	return field_is_known(r, id) ? (int)r->record.v[id].count : -1;
}

static int64_t
field_ns(const struct row_reader *r, enum column_id id)
{
	return field_is_known(r, id) ? r->record.v[id].ns : 0;
}

static void
row_apply_note(struct row_reader *r)
{
	struct row *row = &r->row;

	row->unlike = row->at.counts.zero = 0;
	for (unsigned i = 0; row->note[0] != '\0' && i < row->nslots; i++) {
		const char *name = r->name[row->slot[i]];

		if (event_note_has(row->note, EVENT_NOTE_ZERO, name))
			row->at.counts.zero |= 1u << i;
		if (event_note_has(row->note, EVENT_NOTE_UNLIKE, name))
			row->unlike |= 1u << i;
	}
}

static void
row_finish_cpu(struct row_reader *r)
{
	struct row *row = &r->row;
	struct recording_cpu *at = &row->at;
	struct span *c = &at->counts;

	at->package = field_index(r, COLUMN_PACKAGE);
	at->die = field_index(r, COLUMN_DIE);
	at->level = field_index(r, COLUMN_LEVEL);
	at->core = field_index(r, COLUMN_CORE);
	at->cpu = field_index(r, COLUMN_CPU);
	c->event_ns = (double)field_ns(r, COLUMN_EVENT_S);
	c->seen_ns = c->seen_busy_ns = 0;
	if (field_is_known(r, COLUMN_BUSY_PCT)) {
		c->seen_ns = c->cpu_ns;
		c->seen_busy_ns =
			c->cpu_ns *
			recorded_share(r->record.v[COLUMN_BUSY_PCT].real);
	}
	if (field_is_known(r, COLUMN_CYCLES))
		c->have_any |= 1u << TERM_CYCLES;
	if (field_is_known(r, COLUMN_INSTRUCTIONS))
		c->have_any |= 1u << TERM_INSTRUCTIONS;
	/* Other sources record cycles and instructions as slots. */
	if (row->domain == DOMAIN_ALL &&
	    strcmp(row->machine.source, "perf") == 0) {
		if (field_is_known(r, COLUMN_EV_CYCLES))
			c->have_any |= 1u << TERM_SLOT_CYCLES;
		if (field_is_known(r, COLUMN_EV_INSTRUCTIONS))
			c->have_any |= 1u << TERM_SLOT_INSTRUCTIONS;
	}
	c->pair_cycles = field_count(r, COLUMN_EV_CYCLES, 0);
	c->pair_instructions = field_count(r, COLUMN_EV_INSTRUCTIONS, 0);
	row_apply_note(r);
	if (row->slots >> row->nslots != 0)
		row_complain(r, "has an event in a slot after an empty one", "",
			     0);
	if (!field_is_known(r, COLUMN_CPU))
		row_complain(r, "is a core without a cpu", "", 0);
}

static uint32_t
process_known_fields(const struct row_reader *r)
{
	static const struct {
		uint32_t known;
		enum column_id needs[2];
	} table[] = {
		{ PROCESS_HAS_TIMES, { COLUMN_USER_NS, COLUMN_SYSTEM_NS } },
		{ PROCESS_HAS_COUNTS, { COLUMN_CYCLES, COLUMN_INSTRUCTIONS } },
		{ PROCESS_HAS_PARTS, { COLUMN_PCYCLES, COLUMN_PINSTRUCTIONS } },
		{ PROCESS_HAS_PART_TIMES,
		  { COLUMN_PTIME_NS, COLUMN_OTHER_NS } },
		{ PROCESS_HAS_ENERGY, { COLUMN_ENERGY_NJ, COLUMN_ENERGY_NJ } },
		{ PROCESS_HAS_PART_ENERGY,
		  { COLUMN_PENERGY_NJ, COLUMN_PENERGY_NJ } },
	};
	uint32_t has = 0;

	for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
		if (field_is_known(r, table[i].needs[0]) &&
		    field_is_known(r, table[i].needs[1]))
			has |= table[i].known;
	return (has & PROCESS_HAS_COUNTS) != 0
		       ? has
		       : has & ~(uint32_t)PROCESS_HAS_PARTS;
}

/* part[1] gets the counts outside the first kind of core. */
static void
process_finish_totals(const struct row_reader *r, struct process_totals *t)
{
	*t = (struct process_totals){
		.cycles = field_count(r, COLUMN_CYCLES, 0),
		.instructions = field_count(r, COLUMN_INSTRUCTIONS, 0),
		.user_ns = field_count(r, COLUMN_USER_NS, 0),
		.system_ns = field_count(r, COLUMN_SYSTEM_NS, 0),
		.energy_nj = field_count(r, COLUMN_ENERGY_NJ, 0),
		.part[0] = { field_count(r, COLUMN_PCYCLES, 0),
			     field_count(r, COLUMN_PINSTRUCTIONS, 0),
			     field_count(r, COLUMN_PTIME_NS, 0),
			     field_count(r, COLUMN_PENERGY_NJ, 0) },
	};
	t->part[1] = (struct process_part){
		t->cycles - t->part[0].cycles,
		t->instructions - t->part[0].instructions,
		field_count(r, COLUMN_OTHER_NS, 0),
		t->energy_nj - t->part[0].energy_nj,
	};
}

static void
row_finish_events(struct row_reader *r)
{
	struct row *row = &r->row;

	row->counted = 0;
	row->counts = (struct process_counts){
		.pid = row->process.pid,
		.cycles = field_count(r, COLUMN_EVENT_CYCLES, 0),
		.instructions = field_count(r, COLUMN_EVENT_INSTRUCTIONS, 0),
	};
	if (!field_is_known(r, COLUMN_EVENT_CYCLES) ||
	    !field_is_known(r, COLUMN_EVENT_INSTRUCTIONS))
		return;
	for (unsigned i = 0; i < row->nslots; i++) {
		if ((row->at.counts.have_any >> i & 1) == 0)
			continue;
		row->counted |= 1u << i;
		row->counts.slot[i] = row->at.counts.slot[i];
	}
}

static void
row_finish_process(struct row_reader *r)
{
	struct row *row = &r->row;
	struct process_read *p = &row->process;
	bool one = row->type == ROW_OF_PROCESS;

	p->pid = one ? field_index(r, COLUMN_PID) : -1;
	p->parent = one ? field_index(r, COLUMN_PARENT) : -1;
	p->start = one ? field_count(r, COLUMN_START, 0) : 0;
	p->uid = one ? (uint32_t)field_count(r, COLUMN_UID, 0) : 0;
	p->threads = (unsigned)field_count(r, COLUMN_THREADS, 0);
	p->started_ns = field_ns(r, COLUMN_STARTED);
	p->interval_ns = (int64_t)row->at.counts.cpu_ns;
	p->known = process_known_fields(r);
	process_finish_totals(r, &p->total);
	row_finish_events(r);
	row->began = field_count(r, COLUMN_BEGAN, UINT64_MAX);
	row->began_seen = field_count(r, COLUMN_BEGAN_SEEN, 0);
	if (one && !field_is_known(r, COLUMN_PID))
		row_complain(r, "is a process without a pid", "", 0);
}

static double
field_real(const struct row_reader *r, enum column_id id)
{
	return field_is_known(r, id) ? r->record.v[id].real : NAN;
}

static double
field_seconds(const struct row_reader *r, enum column_id id)
{
	return field_is_known(r, id) ? (double)field_ns(r, id) * 1e-9 : NAN;
}

/* Older recordings have one span for all energy, none for traffic. */
static struct power_energy
field_energy(const struct row_reader *r, enum column_id watts, uint8_t marks)
{
	enum column_id span =
		field_is_known(r, watts + 1) ? watts + 1 : COLUMN_POWER_SPAN_S;

	return (struct power_energy){ field_real(r, watts),
				      field_seconds(r, span), marks,
				      field_is_known(r, watts) };
}

static void
row_finish_power(struct row_reader *r)
{
	struct recorded_power *p = &r->row.power;
	const uint8_t bounds = POWER_AT_LEAST | POWER_AT_MOST;
	uint8_t marks = 0;

	for (unsigned i = 0; i < power_marks; i++)
		if (strstr(r->row.power_flags, power_mark_table[i].word) !=
		    NULL)
			marks |= power_mark_table[i].mark;
	*p = (struct recorded_power){
		.row = { .energy = field_energy(r, COLUMN_POWER_W,
						(uint8_t)(marks & ~bounds)),
			 .nj_instruction =
				 field_real(r, COLUMN_NJ_PER_INSTRUCTION),
			 .traffic = { field_real(r, COLUMN_DRAM_READ_GBS) * 1e9,
				      field_real(r, COLUMN_DRAM_WRITE_GBS) *
					      1e9,
				      field_real(r, COLUMN_DRAM_GBS) * 1e9,
				      field_seconds(r, COLUMN_DRAM_GBS_SPAN_S),
				      (uint8_t)(marks & ~POWER_DOUBTFUL),
				      field_is_known(r, COLUMN_DRAM_GBS) },
			 .clock_ghz = field_real(r, COLUMN_CLOCK_GHZ),
			 .throttled = field_count(r, COLUMN_THROTTLED, 0) != 0,
			 .throttle_known =
				 field_is_known(r, COLUMN_THROTTLED) },
	};
	for (unsigned i = 0; i < POWER_WHOLES; i++)
		p->whole[i] = field_energy(
			r, power_total_table[POWER_TOTAL_WHOLES + i].column, 0);
	p->row.status_fresh = p->row.throttle_known ||
			      !isnan(p->row.clock_ghz) ||
			      field_is_known(r, COLUMN_THERMAL_PRESSURE);
	for (unsigned i = 0; i < POWER_PRESSURES; i++)
		if (strcmp(r->row.thermal_pressure, power_pressure_word[i]) ==
		    0)
			p->pressure = (enum power_pressure)i;
	memcpy(p->cluster, r->row.at.cluster, sizeof p->cluster);
}

static void
row_finish(struct row_reader *r)
{
	struct row *row = &r->row;
	struct span *c = &row->at.counts;
	bool process =
		row->type >= ROW_OF_PROCESS && row->type <= ROW_OF_NOBODY;

	row->frame = field_count(r, COLUMN_SAMPLE, 0);
	row->wall_ns = field_ns(r, COLUMN_WALL_TIME);
	row->elapsed_ns = field_ns(r, COLUMN_ELAPSED_S);
	c->ncpus = 1;
	c->have_any = 0;
	c->cpu_ns = (double)field_ns(r, COLUMN_INTERVAL_S);
	c->cycles = field_count(r, COLUMN_CYCLES, 0);
	c->instructions = field_count(r, COLUMN_INSTRUCTIONS, 0);
	for (row->nslots = 0; (row->slots >> row->nslots & 1) != 0;)
		row->nslots++;
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		c->have_any |=
			(uint32_t)field_is_known(r, COLUMN_SLOTS + 2 * i + 1)
			<< i;
		c->slot[i] = field_count(r, COLUMN_SLOTS + 2 * i + 1, 0);
	}
	if (r->bad == NULL && row->type == ROW_OF_POWER)
		row_finish_power(r);
	if (r->bad != NULL || (row->type != ROW_OF_CPU && !process))
		return;
	if (r->negative && row->type != ROW_OF_NOBODY)
		row_complain(r, "has a negative count", "", 0);
	if (field_is_known(r, COLUMN_CYCLES) !=
	    field_is_known(r, COLUMN_INSTRUCTIONS))
		row_complain(r, "has cycles or instructions, but not both", "",
			     0);
	if (process)
		row_finish_process(r);
	else
		row_finish_cpu(r);
}

bool
row_add_line(struct row_reader *r, const char *line, size_t n)
{
	if (!row_parse_line(r, line, n))
		return false;
	/* Reject a row with missing fields: its last number may be truncated.
	 */
	if (r->column != r->ncolumns) {
		bool fewer = r->column < r->ncolumns;

		r->column = fewer ? r->column : r->ncolumns;
		row_complain(
			r,
			fewer ? "is missing: the row has fewer fields than the header"
			      : "is more than the header has",
			"", 0);
	}
	row_finish(r);
	return true;
}

bool
row_frame_known(const struct row_reader *r)
{
	for (unsigned i = 0; i + 1 < r->column && i < r->ncolumns; i++)
		if (r->field[i] == COLUMN_SAMPLE)
			return field_is_known(r, COLUMN_SAMPLE);
	return false;
}

const char *
row_column_name(const struct row_reader *r, unsigned column)
{
	if (column >= r->ncolumns || r->field[column] == UNREAD)
		return "";
	return column_of(r->field[column])->name;
}

bool
row_reader_init(struct row_reader *r, struct err *e)
{
	memset(r, 0, sizeof *r);
	return csv_init(&r->parser, CSV_STRICT) == 0 ||
	       err_set(e, ERR_FAIL, "out of memory for a recording's reader");
}

void
row_reader_done(struct row_reader *r)
{
	csv_free(&r->parser);
	for (unsigned i = 0; i < r->nnames; i++)
		free(r->name[i]);
}
