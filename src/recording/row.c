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

/* Keeps the first complaint of a row, with the field's text. */
static void
complain(struct row_reader *r, const char *why, const char *s, size_t n)
{
	if (r->bad != NULL)
		return;
	r->bad = why;
	r->bad_column = r->column;
	utf8_plain(r->bad_text, sizeof r->bad_text, s, n);
}

/* Adds a word to a list of what is not known, if there is room and need. */
static void
note_unknown(char *list, size_t size, const char *s, size_t n)
{
	char word[32];
	size_t len = strlen(list), more;

	utf8_plain(word, sizeof word, s, n);
	more = strlen(word);
	if (more == 0 || strstr(list, word) != NULL || len + more + 6 > size)
		return;
	snprintf(list + len, size - len, "%s%s", len > 0 ? ", " : "", word);
}

/* ---- event names ---- */

static bool
is_word(const char *word, const char *s, size_t n)
{
	return strlen(word) == n && memcmp(word, s, n) == 0;
}

/* Its number is mostly the one that the slot had in the row before. */
static int
name_number(struct row_reader *r, unsigned before, const char *s, size_t n)
{
	char name[EVENT_NAME_SIZE];

	if (before < r->nnames && is_word(r->name[before], s, n))
		return (int)before;
	for (unsigned i = 0; i < r->nnames; i++)
		if (is_word(r->name[i], s, n))
			return (int)i;
	utf8_plain(name, sizeof name, s, n);
	if (!is_word(name, s, n))
		complain(r, "is no event's name", s, n);
	else if (r->nnames == RECORDING_NAMES_MAX)
		complain(r, "is one event name too many", s, n);
	else if ((r->name[r->nnames] = strdup(name)) == NULL)
		complain(r, "found no memory", s, n);
	else
		r->nnames++;
	return r->bad != NULL ? -1 : (int)r->nnames - 1;
}

static void
take_name(struct row_reader *r, unsigned slot, const char *s, size_t n)
{
	size_t guard = formula_guard(s, n);
	int number =
		n > 0 ? name_number(r, r->row.slot[slot], s + guard, n - guard)
		      : -1;

	if (number < 0)
		return;
	r->row.slot[slot] = (unsigned)number;
	r->row.slots |= 1u << slot;
}

/* ---- fields of words ---- */

static void
take_type(struct row_reader *r, const char *s, size_t n)
{
	r->row.type = column_row_find(s, n);
	if (r->row.type == COLUMN_ROWS)
		note_unknown(r->unknown_rows, sizeof r->unknown_rows, s, n);
}

static bool
is_schema(const char *schema, const char *s, size_t n)
{
	size_t len = strlen(schema);

	/* What comes after a point would be a change that adds only. */
	return n >= len && memcmp(s, schema, len) == 0 &&
	       (n == len || s[len] == '.');
}

static void
take_schema(struct row_reader *r, const char *s, size_t n)
{
	if (is_schema(COLUMN_SCHEMA_TEXT, s, n) ||
	    is_schema(COLUMN_SCHEMA_BEFORE, s, n))
		return;
	complain(
		r,
		n > 5 && memcmp(s, "ktop/", 5) == 0
			? "is a schema that this ktop does not know; it reads " COLUMN_SCHEMA_BEFORE
			  " and " COLUMN_SCHEMA_TEXT
			: "is not the schema " COLUMN_SCHEMA_TEXT,
		s, n);
}

/* Words of cores and of processes: some are of both. */
static void
take_quality(struct row_reader *r, const char *s, size_t n)
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
			note_unknown(r->unknown_words, sizeof r->unknown_words,
				     one, strlen(one));
		w += len + (w[len] == ';');
	}
}

static void
take_domain(struct row_reader *r, const char *s, size_t n)
{
	for (int d = DOMAIN_NONE; d <= DOMAIN_MIXED; d++)
		if (is_word(domain_name[d], s, n)) {
			r->row.domain = (enum domain)d;
			return;
		}
	complain(r, "is none of all, user, kernel, mixed", s, n);
}

static void
take_state(struct row_reader *r, const char *s, size_t n)
{
	uint8_t *state = &r->row.process.state;

	*state = PROCESS_STATE_UNKNOWN;
	if (n > 0 && !process_state_parse(s, n, state))
		note_unknown(r->unknown_words, sizeof r->unknown_words, s, n);
}

/* ---- fields of text and numbers ---- */

/* Where a text of the table goes. */
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
};
#undef PLACE

/* Text without the quote that keeps spreadsheets from a formula. */
static void
take_text(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	size_t guard = formula_guard(s, n);

	utf8_plain((char *)&r->row + place[id].at, place[id].size, s + guard,
		   n - guard);
}

/* Only counts, which have units, can be negative; of CPUs not even these. */
static bool
parse_integer(struct row_reader *r, const struct column *c, const char *s,
	      size_t n)
{
	uint64_t *v = &r->record.v[c->id].count;
	bool minus = s[0] == '-';

	if (minus && (c->unit[0] == '\0' || r->row.type == ROW_OF_CPU))
		return false;
	r->negative = r->negative || minus;
	return recording_difference(s, n, v) &&
	       (c->limit == 0 || *v <= c->limit);
}

/* Why it is no such number; NULL: it is. */
static const char *
parse_number(struct row_reader *r, const struct column *c, const char *s,
	     size_t n)
{
	struct record *to = &r->record;
	double *v = &to->v[c->id].real;

	switch (c->type) {
	case COLUMN_TIME:
		return recording_time(s, n, &to->v[c->id].ns)
			       ? NULL
			       : "is not a time as 2026-11-20T14:03:22.118Z";
	case COLUMN_SECONDS:
		return recording_seconds(s, n, &to->v[c->id].ns)
			       ? NULL
			       : "is not a number of seconds";
	case COLUMN_INTEGER:
		return parse_integer(r, c, s, n) ? NULL
						 : "is not a whole number";
	case COLUMN_REAL: /* of those that are read */
		if (!recording_real(s, n, v) || *v < 0)
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
take_field(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	const struct column *c = column_of(id);

	if (id == COLUMN_SCHEMA) {
		take_schema(r, s, n);
	} else if (id == COLUMN_ROW) {
		take_type(r, s, n);
	} else if (id == COLUMN_DOMAIN) {
		take_domain(r, s, n);
	} else if (id == COLUMN_QUALITY) {
		take_quality(r, s, n);
	} else if (id == COLUMN_STATE) {
		take_state(r, s, n);
	} else if (place[id].size > 0) {
		take_text(r, id, s, n);
	} else if (c->type == COLUMN_TEXT) {
		take_name(r, (id - COLUMN_SLOTS) / 2, s, n);
	} else if (n > 0 || id == COLUMN_SAMPLE || id == COLUMN_WALL_TIME) {
		const char *bad = parse_number(r, c, s, n);

		r->record.known[id] = bad == NULL;
		if (bad != NULL)
			complain(r, bad, s, n);
	}
}

/* ---- the header ---- */

/* What is derived again from others is not looked at. */
static bool
is_read(unsigned id)
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
header_field(struct row_reader *r, const char *s, size_t n)
{
	char name[64];

	/* A byte order mark, as spreadsheets put before UTF-8. */
	if (r->column == 0 && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	if (r->column >= ROW_COLUMNS_MAX) {
		complain(r, "is one column too many", s, n);
		return;
	}
	utf8_plain(name, sizeof name, s, n);
	int at = column_find(name);
	unsigned id = at >= 0 ? column_at((unsigned)at).id : UNREAD;

	if (at < 0 && strncmp(name, COLUMN_LABEL, strlen(COLUMN_LABEL)) != 0)
		note_unknown(r->unknown_columns, sizeof r->unknown_columns,
			     name, strlen(name));
	r->field[r->column] = UNREAD;
	if (!is_read(id))
		return;
	if (memchr(r->field, (int)id, r->column) != NULL) {
		complain(r, "is a column that was there before", s, n);
		return;
	}
	r->field[r->column] = (uint8_t)id;
	r->nread = r->column + 1;
}

/* ---- lines to fields ---- */

static void
parser_field(void *text, size_t n, void *arg)
{
	struct row_reader *r = arg;
	const char *s = text == NULL ? "" : text;
	unsigned id = r->column < r->ncolumns ? r->field[r->column] : UNREAD;

	n = text == NULL ? 0 : n;
	/* Of sums, which are made again, only the type is looked at. */
	if (r->header)
		header_field(r, s, n);
	else if (id < UNREAD && !row_is_group(r->row.type) &&
		 (id < COLUMN_PID || r->row.type != ROW_OF_CPU))
		take_field(r, (enum column_id)id, s, n);
	r->column++;
}

static void
parser_end(int end, void *arg)
{
	(void)end;
	((struct row_reader *)arg)->ended = true;
}

/* True when the line, with the lines before it, makes a row. */
static bool
parse(struct row_reader *r, const char *s, size_t n)
{
	static const char newline = '\n';

	if (n > 0 && s[n - 1] == '\r')
		n--;
	r->ended = false;
	if (csv_parse(&r->parser, s, n, parser_field, parser_end, r) != n ||
	    csv_parse(&r->parser, &newline, 1, parser_field, parser_end, r) !=
		    1)
		complain(r, csv_strerror(csv_error(&r->parser)), "", 0);
	return r->ended || r->bad != NULL;
}

static void
clear(struct row_reader *r)
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

	clear(r);
	r->nread = 0;
	r->header = true;
	bool whole = parse(r, line, n);

	r->header = false;
	r->ncolumns = r->column < ROW_COLUMNS_MAX ? r->column : ROW_COLUMNS_MAX;
	if (!whole)
		complain(r, "has a quote that does not end", "", 0);
	r->column = r->ncolumns;
	for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!row_has_column(r, needed[i])) {
			const char *name = column_of(needed[i])->name;

			complain(
				r,
				"is a column that a recording needs: there is none",
				name, strlen(name));
		}
	return r->bad == NULL;
}

/* ---- rows ---- */

/* Texts of columns that this file does not have stay as they are here. */
void
row_begin(struct row_reader *r)
{
	clear(r);
	if (r->parser.pstate != 0) /* an open quote, left behind by a seek */
		(void)csv_fini(&r->parser, NULL, NULL, NULL);
	r->row.type = COLUMN_ROWS;
	r->row.nslots = 0;
	r->row.slots = 0;
	r->negative = false;
	memset(r->record.known, 0, sizeof r->record.known);
}

static bool
known(const struct row_reader *r, enum column_id id)
{
	return r->record.known[id];
}

static uint64_t
count_of(const struct row_reader *r, enum column_id id, uint64_t otherwise)
{
	return known(r, id) ? r->record.v[id].count : otherwise;
}

static int
index_of(const struct row_reader *r, enum column_id id)
{
	return known(r, id) ? (int)r->record.v[id].count : -1;
}

static int64_t
ns_of(const struct row_reader *r, enum column_id id)
{
	return known(r, id) ? r->record.v[id].ns : 0;
}

/* What the note says of the row's events. */
static void
read_note(struct row_reader *r)
{
	struct row *row = &r->row;

	row->unlike = row->at.counts.dead = 0;
	for (unsigned i = 0; row->note[0] != '\0' && i < row->nslots; i++) {
		const char *name = r->name[row->slot[i]];

		if (event_note_has(row->note, EVENT_NOTE_DEAD, name))
			row->at.counts.dead |= 1u << i;
		if (event_note_has(row->note, EVENT_NOTE_UNLIKE, name))
			row->unlike |= 1u << i;
	}
}

static void
settle_cpu(struct row_reader *r)
{
	struct row *row = &r->row;
	struct recording_cpu *at = &row->at;
	struct span *c = &at->counts;

	at->package = index_of(r, COLUMN_PACKAGE);
	at->die = index_of(r, COLUMN_DIE);
	at->level = index_of(r, COLUMN_LEVEL);
	at->core = index_of(r, COLUMN_CORE);
	at->cpu = index_of(r, COLUMN_CPU);
	c->event_ns = (double)ns_of(r, COLUMN_EVENT_S);
	c->seen_ns = c->seen_busy_ns = 0;
	if (known(r, COLUMN_BUSY_PCT)) {
		c->seen_ns = c->cpu_ns;
		c->seen_busy_ns =
			c->cpu_ns *
			recorded_share(r->record.v[COLUMN_BUSY_PCT].real);
	}
	if (known(r, COLUMN_CYCLES))
		c->have_any |= 1u << TERM_CYCLES;
	if (known(r, COLUMN_INSTRUCTIONS))
		c->have_any |= 1u << TERM_INSTRUCTIONS;
	/* Elsewhere the two columns are slots, which have columns of their own.
	 */
	if (row->domain == DOMAIN_ALL &&
	    strcmp(row->machine.source, "perf") == 0) {
		if (known(r, COLUMN_EV_CYCLES))
			c->have_any |= 1u << TERM_SLOT_CYCLES;
		if (known(r, COLUMN_EV_INSTRUCTIONS))
			c->have_any |= 1u << TERM_SLOT_INSTRUCTIONS;
	}
	c->pair_cycles = count_of(r, COLUMN_EV_CYCLES, 0);
	c->pair_instructions = count_of(r, COLUMN_EV_INSTRUCTIONS, 0);
	read_note(r);
	if (row->slots >> row->nslots != 0)
		complain(r, "has an event in a slot after an empty one", "", 0);
	if (!known(r, COLUMN_CPU))
		complain(r, "is a core without a cpu", "", 0);
}

/* What is there of what the columns can tell. */
static uint32_t
known_of_process(const struct row_reader *r)
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
		if (known(r, table[i].needs[0]) && known(r, table[i].needs[1]))
			has |= table[i].known;
	return (has & PROCESS_HAS_COUNTS) != 0
		       ? has
		       : has & ~(uint32_t)PROCESS_HAS_PARTS;
}

/* What was not on the first kind of core was on the others. */
static void
settle_totals(const struct row_reader *r, struct process_totals *t)
{
	*t = (struct process_totals){
		.cycles = count_of(r, COLUMN_CYCLES, 0),
		.instructions = count_of(r, COLUMN_INSTRUCTIONS, 0),
		.user_ns = count_of(r, COLUMN_USER_NS, 0),
		.system_ns = count_of(r, COLUMN_SYSTEM_NS, 0),
		.energy_nj = count_of(r, COLUMN_ENERGY_NJ, 0),
		.part[0] = { count_of(r, COLUMN_PCYCLES, 0),
			     count_of(r, COLUMN_PINSTRUCTIONS, 0),
			     count_of(r, COLUMN_PTIME_NS, 0),
			     count_of(r, COLUMN_PENERGY_NJ, 0) },
	};
	t->part[1] = (struct process_part){
		t->cycles - t->part[0].cycles,
		t->instructions - t->part[0].instructions,
		count_of(r, COLUMN_OTHER_NS, 0),
		t->energy_nj - t->part[0].energy_nj,
	};
}

/* Both columns of its events are needed: rates are of their instructions. */
static void
settle_events(struct row_reader *r)
{
	struct row *row = &r->row;

	row->counted = 0;
	row->counts = (struct process_counts){
		.pid = row->process.pid,
		.cycles = count_of(r, COLUMN_EVENT_CYCLES, 0),
		.instructions = count_of(r, COLUMN_EVENT_INSTRUCTIONS, 0),
	};
	if (!known(r, COLUMN_EVENT_CYCLES) ||
	    !known(r, COLUMN_EVENT_INSTRUCTIONS))
		return;
	for (unsigned i = 0; i < row->nslots; i++) {
		if ((row->at.counts.have_any >> i & 1) == 0)
			continue;
		row->counted |= 1u << i;
		row->counts.slot[i] = row->at.counts.slot[i];
	}
}

static void
settle_process(struct row_reader *r)
{
	struct row *row = &r->row;
	struct process_read *p = &row->process;
	bool one = row->type == ROW_OF_PROCESS;

	p->pid = one ? index_of(r, COLUMN_PID) : -1;
	p->parent = one ? index_of(r, COLUMN_PARENT) : -1;
	p->start = one ? count_of(r, COLUMN_START, 0) : 0;
	p->uid = one ? (uint32_t)count_of(r, COLUMN_UID, 0) : 0;
	p->threads = (unsigned)count_of(r, COLUMN_THREADS, 0);
	p->started_ns = ns_of(r, COLUMN_STARTED);
	p->interval_ns = (int64_t)row->at.counts.cpu_ns;
	p->known = known_of_process(r);
	settle_totals(r, &p->total);
	settle_events(r);
	row->began = count_of(r, COLUMN_BEGAN, UINT64_MAX);
	row->began_seen = count_of(r, COLUMN_BEGAN_SEEN, 0);
	if (one && !known(r, COLUMN_PID))
		complain(r, "is a process without a pid", "", 0);
}

static double
real_of(const struct row_reader *r, enum column_id id)
{
	return known(r, id) ? r->record.v[id].real : NAN;
}

static double
seconds_of(const struct row_reader *r, enum column_id id)
{
	return known(r, id) ? (double)ns_of(r, id) * 1e-9 : NAN;
}

/* Recordings once had one span for all energy, and none of the traffic. */
static struct power_energy
energy_of(const struct row_reader *r, enum column_id id, enum column_id span,
	  uint8_t marks)
{
	return (struct power_energy){
		real_of(r, id),
		seconds_of(r, known(r, span) ? span : COLUMN_POWER_SPAN_S),
		marks, known(r, id)
	};
}

static void
settle_power(struct row_reader *r)
{
	struct recorded_power *p = &r->row.power;
	uint8_t marks = 0;

	for (unsigned i = 0; i < power_marks; i++)
		if (strstr(r->row.power_flags, power_mark_table[i].word) !=
		    NULL)
			marks |= power_mark_table[i].mark;
	*p = (struct recorded_power){
		.row = { .energy = energy_of(r, COLUMN_POWER_W,
					     COLUMN_POWER_SPAN_S, marks),
			 .nj_instruction =
				 real_of(r, COLUMN_NJ_PER_INSTRUCTION),
			 .traffic = { real_of(r, COLUMN_DRAM_READ_GBS) * 1e9,
				      real_of(r, COLUMN_DRAM_WRITE_GBS) * 1e9,
				      real_of(r, COLUMN_DRAM_GBS) * 1e9,
				      seconds_of(r, COLUMN_DRAM_GBS_SPAN_S),
				      marks, known(r, COLUMN_DRAM_GBS) },
			 .clock_ghz = real_of(r, COLUMN_CLOCK_GHZ),
			 .throttled = count_of(r, COLUMN_THROTTLED, 0) != 0,
			 .throttle_known = known(r, COLUMN_THROTTLED) },
		.dram = energy_of(r, COLUMN_DRAM_W, COLUMN_DRAM_W_SPAN_S, 0),
		.gpu = energy_of(r, COLUMN_GPU_W, COLUMN_GPU_W_SPAN_S, 0),
		.package = energy_of(r, COLUMN_PACKAGE_W,
				     COLUMN_PACKAGE_W_SPAN_S, 0),
		.platform = energy_of(r, COLUMN_PLATFORM_W,
				      COLUMN_PLATFORM_W_SPAN_S, 0),
	};
	memcpy(p->cluster, r->row.at.cluster, sizeof p->cluster);
}

/* What all types have, and then their own. */
static void
settle(struct row_reader *r)
{
	struct row *row = &r->row;
	struct span *c = &row->at.counts;
	bool process =
		row->type >= ROW_OF_PROCESS && row->type <= ROW_OF_NOBODY;

	row->frame = count_of(r, COLUMN_SAMPLE, 0);
	row->wall_ns = ns_of(r, COLUMN_WALL_TIME);
	row->elapsed_ns = ns_of(r, COLUMN_ELAPSED_S);
	c->ncpus = 1;
	c->have_any = 0;
	c->cpu_ns = (double)ns_of(r, COLUMN_INTERVAL_S);
	c->cycles = count_of(r, COLUMN_CYCLES, 0);
	c->instructions = count_of(r, COLUMN_INSTRUCTIONS, 0);
	for (row->nslots = 0; (row->slots >> row->nslots & 1) != 0;)
		row->nslots++;
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		c->have_any |= (uint32_t)known(r, COLUMN_SLOTS + 2 * i + 1)
			       << i;
		c->slot[i] = count_of(r, COLUMN_SLOTS + 2 * i + 1, 0);
	}
	if (r->bad == NULL && row->type == ROW_OF_POWER)
		settle_power(r);
	if (r->bad != NULL || (row->type != ROW_OF_CPU && !process))
		return;
	if (r->negative && row->type != ROW_OF_NOBODY)
		complain(r, "has a negative count", "", 0);
	if (known(r, COLUMN_CYCLES) != known(r, COLUMN_INSTRUCTIONS))
		complain(r, "has cycles or instructions, but not both", "", 0);
	if (process)
		settle_process(r);
	else
		settle_cpu(r);
}

bool
row_take(struct row_reader *r, const char *line, size_t n)
{
	if (!parse(r, line, n))
		return false;
	/* A cut row may look whole up to a number that lost its end. */
	if (r->column != r->ncolumns) {
		bool fewer = r->column < r->ncolumns;

		r->column = fewer ? r->column : r->ncolumns;
		complain(
			r,
			fewer ? "is missing: the row has fewer fields than the header"
			      : "is more than the header has",
			"", 0);
	}
	settle(r);
	return true;
}

bool
row_frame_known(const struct row_reader *r)
{
	for (unsigned i = 0; i + 1 < r->column && i < r->ncolumns; i++)
		if (r->field[i] == COLUMN_SAMPLE)
			return known(r, COLUMN_SAMPLE);
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
