#include "recording/row.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_note.h"
#include "recording/text.h"

enum { UNREAD = COLUMN_METRICS };

static_assert(ROW_FIELD_PROCESS + PROCESS_COLUMNS < UINT8_MAX,
	      "a field's id is a byte");

/* ---- the header ---- */

/* What is derived again from others is not looked at. */
static int
field_of(int column)
{
	int process = column - (int)column_count();

	if (column < 0 || column == COLUMN_N_CPUS || column == COLUMN_N_OK ||
	    column == COLUMN_COVERAGE)
		return UNREAD;
	if (column < COLUMN_METRICS)
		return column;
	if (process < 0 || process == PROCESS_COLUMN_P_SHARE ||
	    process == PROCESS_COLUMN_CPU_PCT)
		return UNREAD;
	return ROW_FIELD_PROCESS + process;
}

static void
header_field(struct row_reader *r, const char *s, size_t n)
{
	char name[64];
	int id;

	/* A byte order mark, as spreadsheets put before UTF-8. */
	if (r->column == 0 && n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	if (r->column >= ROW_COLUMNS_MAX) {
		row_complain(r, "is one column too many", s, n);
		return;
	}
	recording_clean(name, sizeof name, s, n);
	id = column_find(name);
	r->field[r->column] = UNREAD;
	if (id < 0)
		row_note_unknown(r->unknown_columns, sizeof r->unknown_columns,
				 name, strlen(name));
	id = field_of(id);
	if (id == UNREAD)
		return;
	for (unsigned i = 0; i < r->column; i++)
		if (r->field[i] == id) {
			row_complain(r, "is a column that was there before", s,
				     n);
			return;
		}
	r->field[r->column] = (uint8_t)id;
	r->nread = r->column + 1;
}

/* ---- lines to fields ---- */

static void
on_field(struct row_reader *r, const char *s, size_t n)
{
	/* Of sums, which are made again, only the type is looked at. */
	bool group = r->row.type == ROW_IS_GROUP && !r->header;
	unsigned id = r->column < r->ncolumns ? r->field[r->column] : UNREAD;

	if (r->header)
		header_field(r, s, n);
	else if (!group && id < UNREAD)
		row_take_field(r, (enum column_id)id, s, n);
	else if (!group && id >= ROW_FIELD_PROCESS &&
		 r->row.type != ROW_IS_CORE)
		row_take_process_field(
			r, (enum process_column)(id - ROW_FIELD_PROCESS), s, n);
	r->column++;
}

static void
parser_field(void *s, size_t n, void *arg)
{
	on_field(arg, s == NULL ? "" : s, s == NULL ? 0 : n);
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
		row_complain(r, csv_strerror(csv_error(&r->parser)), "", 0);
	return r->ended || r->bad != NULL;
}

/* ---- rows ---- */

static void
clear(struct row_reader *r)
{
	r->column = 0;
	r->bad = NULL;
	r->bad_column = 0;
	r->bad_text[0] = '\0';
}

static bool
column_there(struct row_reader *r, enum column_id id)
{
	for (unsigned i = 0; i < r->ncolumns; i++)
		if (r->field[i] == id)
			return true;
	r->column = r->ncolumns;
	row_complain(r, "is a column that a recording needs: there is none",
		     column_at(id).name, strlen(column_at(id).name));
	return false;
}

bool
row_header(struct row_reader *r, const char *line, size_t n)
{
	static const enum column_id needed[] = {
		COLUMN_SCHEMA,    COLUMN_ROW,       COLUMN_FRAME,
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
		row_complain(r, "has a quote that does not end", "", 0);
	if (r->bad != NULL)
		return false;
	for (unsigned i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!column_there(r, needed[i]))
			return false;
	return true;
}

/* Columns that this file does not have stay as they are here. */
void
row_begin(struct row_reader *r)
{
	struct row *row = &r->row;
	struct recorded_cpu *c = &row->at.counts;

	clear(r);
	if (r->parser.pstate != 0) /* an open quote, left behind by a seek */
		(void)csv_fini(&r->parser, NULL, NULL, NULL);
	row->type = ROW_IS_OTHER;
	row->has_frame = row->has_cpu = row->has_cycles = false;
	row->has_instructions = row->negative = false;
	row->has_pair = 0;
	row->nslots = 0;
	row->slots = 0;
	row->has = 0;
	c->there = true;
	memset(c->slot_known, 0, sizeof c->slot_known);
}

/* What the note says of the row's events. */
static void
read_note(struct row_reader *r)
{
	struct row *row = &r->row;

	row->unlike = row->at.counts.dead = 0;
	for (unsigned i = 0; row->note[0] != '\0' && i < row->nslots; i++) {
		const char *name = r->names.name[row->slot[i]];

		if (event_note_has(row->note, EVENT_NOTE_DEAD, name))
			row->at.counts.dead |= 1u << i;
		if (event_note_has(row->note, EVENT_NOTE_UNLIKE, name))
			row->unlike |= 1u << i;
	}
}

/* A cut row may look whole up to a number that lost its end. */
static void
check_row(struct row_reader *r)
{
	struct row *row = &r->row;

	if (r->column != r->ncolumns) {
		r->column = r->column < r->ncolumns ? r->column : r->ncolumns;
		row_complain(
			r,
			r->column < r->ncolumns
				? "is missing: the row has fewer fields than the header"
				: "is more than the header has",
			"", 0);
	}
	row->at.counts.fixed_known = row->has_cycles && row->has_instructions;
	/* Elsewhere the two columns are slots, which have columns of their own.
	 */
	row->at.counts.pair_known = row->has_pair == (1u << FIXED_COUNT) - 1 &&
				    row->domain == DOMAIN_ALL &&
				    strcmp(row->machine.source, "perf") == 0;
	for (row->nslots = 0; (row->slots >> row->nslots & 1) != 0;)
		row->nslots++;
	if (row->type == ROW_IS_PROCESS && r->bad == NULL)
		row_check_process(r);
	if (row->type != ROW_IS_CORE || r->bad != NULL)
		return;
	read_note(r);
	if (row->slots >> row->nslots != 0)
		row_complain(r, "has an event in a slot after an empty one", "",
			     0);
	if (row->negative)
		row_complain(r, "has a negative count", "", 0);
	if (row->has_cycles != row->has_instructions)
		row_complain(r, "has cycles or instructions, but not both", "",
			     0);
	if (!row->has_cpu)
		row_complain(r, "is a core without a cpu", "", 0);
}

bool
row_take(struct row_reader *r, const char *line, size_t n)
{
	if (!parse(r, line, n))
		return false;
	check_row(r);
	return true;
}

bool
row_frame_known(const struct row_reader *r)
{
	for (unsigned i = 0; i + 1 < r->column && i < r->ncolumns; i++)
		if (r->field[i] == COLUMN_FRAME)
			return r->row.has_frame;
	return false;
}

const char *
row_column_name(const struct row_reader *r, unsigned column)
{
	if (column >= r->ncolumns || r->field[column] == UNREAD)
		return "";
	if (r->field[column] >= ROW_FIELD_PROCESS)
		return column_at(column_count() + r->field[column] -
				 ROW_FIELD_PROCESS)
			.name;
	return column_at(r->field[column]).name;
}

bool
row_has_processes(const struct row_reader *r)
{
	for (unsigned i = 0; i < r->ncolumns; i++)
		if (r->field[i] == ROW_FIELD_PROCESS + PROCESS_COLUMN_PID)
			return true;
	return false;
}

bool
row_reader_init(struct row_reader *r, struct err *e)
{
	struct recording_cpu *at = &r->row.at;

	memset(r, 0, sizeof *r);
	at->package = at->die = at->level = at->core = at->cpu = -1;
	at->counts.busy_share = NAN;
	if (csv_init(&r->parser, CSV_STRICT) != 0)
		return err_set(e, ERR_FAIL,
			       "out of memory for a recording's reader");
	return true;
}

void
row_reader_done(struct row_reader *r)
{
	csv_free(&r->parser);
	for (unsigned i = 0; i < r->names.len; i++)
		free(r->names.name[i]);
}
