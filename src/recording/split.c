#include "recording/row.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/event_note.h"
#include "recording/digits.h"
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
	if (id < UNREAD)
		r->ncore = r->nread;
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
	else if (!group && id >= COLUMN_CYCLES && id < UNREAD)
		row_take_count(r, (enum column_id)id, s, n);
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

/* ---- commas, eight bytes at a time ---- */

/* Up to eight bytes, the first one lowest. */
static inline uint64_t
word_at(const char *s, const char *end)
{
	unsigned char b[8] = { 0 };

	if (end - s >= 8)
		memcpy(b, s, 8);
	else
		memcpy(b, s, (size_t)(end - s));
	return digits_word(b);
}

/* The high bit of each byte that is a comma. */
static inline uint64_t
commas_of(uint64_t word)
{
	uint64_t x = word ^ DIGITS_EACH(',');

	return ~(((x & DIGITS_EACH(0x7f)) + DIGITS_EACH(0x7f)) | x |
		 DIGITS_EACH(0x7f));
}

struct commas {
	const char *at, *end;
	uint64_t left; /* of the word at `at` */
};

static inline struct commas
commas_from(const char *s, const char *end)
{
	return (struct commas){ s, end, commas_of(word_at(s, end)) };
}

/* The next one, or the end. */
static inline const char *
commas_next(struct commas *c)
{
	while (c->left == 0) {
		if (c->end - c->at <= 8)
			return c->end;
		c->at += 8;
		c->left = commas_of(word_at(c->at, c->end));
	}
	const char *comma = c->at + (unsigned)__builtin_ctzll(c->left) / 8;

	c->left &= c->left - 1;
	return comma;
}

/* Sixteen bytes at once, as compilers have instructions for. */
typedef uint8_t bytes16 __attribute__((vector_size(16)));

/* All bytes of both halves added up: 255 each at most. */
static unsigned
bytes_sum(bytes16 v)
{
	const uint64_t even = UINT64_C(0x00ff00ff00ff00ff);
	uint64_t half[2];
	unsigned n = 0;

	memcpy(half, &v, sizeof half);
	for (unsigned i = 0; i < 2; i++) {
		uint64_t sums = (half[i] & even) + (half[i] >> 8 & even);

		n += (unsigned)(sums * UINT64_C(0x0001000100010001) >> 48);
	}
	return n;
}

static unsigned
commas_count(const char *s, const char *end)
{
	enum { BLOCK = 16, MOST = UINT8_MAX };
	const bytes16 comma = { ',', ',', ',', ',', ',', ',', ',', ',',
				',', ',', ',', ',', ',', ',', ',', ',' };
	unsigned n = 0;

	while (end - s >= BLOCK) {
		bytes16 each = { 0 }, text;

		for (unsigned i = 0; i < MOST && end - s >= BLOCK; i++) {
			memcpy(&text, s, sizeof text);
			each -= (bytes16)(text == comma);
			s += BLOCK;
		}
		n += bytes_sum(each);
	}
	for (; s < end; s++)
		n += *s == ',';
	return n;
}

/* ---- what is as in the row before ---- */

/* Leading columns that are the same in all rows of a frame, or nearly all. */
static unsigned
alike_columns(const struct row_reader *r)
{
	unsigned n = 0;

	while (n < r->ncolumns && n < ROW_ALIKE_COLUMNS &&
	       (r->field[n] == UNREAD || r->field[n] <= COLUMN_CHIP))
		n++;
	return n;
}

/* Bytes that the line has in common with the row before. */
static size_t
alike_bytes(const struct row_alike *a, const char *s, const char *end)
{
	size_t n = a->n > 0 ? a->end[a->n - 1] : 0, i = 0;

	if ((size_t)(end - s) < n)
		n = (size_t)(end - s);
	while (i + 8 <= n && memcmp(s + i, a->text + i, 8) == 0)
		i += 8;
	while (i < n && s[i] == a->text[i])
		i++;
	return i;
}

/* Passes over fields that are taken already; where the first other begins. */
static const char *
alike_skip(struct row_reader *r, const char *line, const char *end)
{
	struct row_alike *a = &r->alike;
	size_t same = alike_bytes(a, line, end);

	while (a->n > 0 && a->end[a->n - 1] > same)
		a->n--;
	r->column = a->n;
	for (unsigned i = 0; i < a->n; i++)
		if (r->field[i] == COLUMN_ROW) {
			r->row.type = a->type;
			r->row.whose = a->whose;
		} else if (r->field[i] == COLUMN_FRAME) {
			r->row.has_frame = a->has_frame;
		}
	return a->n > 0 ? line + a->end[a->n - 1] : line;
}

/* The field before `next` is taken; is it one of the leading ones? */
static inline void
alike_note(struct row_reader *r, const char *line, const char *next)
{
	struct row_alike *a = &r->alike;

	if (r->column == a->n + 1 && a->n < a->most &&
	    next - line < ROW_ALIKE_SIZE)
		a->end[a->n++] = (uint8_t)(next - line);
}

static void
alike_keep(struct row_reader *r, const char *line)
{
	struct row_alike *a = &r->alike;

	if (r->bad != NULL || r->row.type == ROW_IS_GROUP)
		a->n = 0;
	if (a->n > 0)
		memcpy(a->text, line, a->end[a->n - 1]);
	a->type = r->row.type;
	a->whose = r->row.whose;
	a->has_frame = r->row.has_frame;
}

/* ---- a line without quotes ---- */

static inline void
plain_field(struct row_reader *r, const char *from, const char *to)
{
	unsigned id = r->column < r->ncolumns ? r->field[r->column] : UNREAD;

	/* An empty one of these says nothing: they are cleared before. */
	if (id >= COLUMN_CYCLES && id <= UNREAD && !r->header &&
	    (id == UNREAD || (from == to && id >= COLUMN_SLOTS))) {
		r->column++;
		return;
	}
	/* Most are counts without blanks around them. */
	if (id >= COLUMN_CYCLES && id < UNREAD && !r->header && from < to &&
	    from[0] > ' ' && to[-1] > ' ' && r->row.type != ROW_IS_GROUP) {
		row_take_count(r, (enum column_id)id, from,
			       (size_t)(to - from));
		r->column++;
		return;
	}
	while (from < to && (*from == ' ' || *from == '\t'))
		from++;
	while (to > from && (to[-1] == ' ' || to[-1] == '\t'))
		to--;
	on_field(r, from, (size_t)(to - from));
}

/* ---- counts, and the events that they are of ---- */

enum { COUNT_BYTES = 16 }; /* of a line, that count_at may look at */

static const uint64_t ten_to[] = { 1,     10,     100,     1000,
				   10000, 100000, 1000000, 10000000 };

/* Of a word with `n` digits, fewer than eight, and something else behind. */
static inline uint64_t
few_digits(uint64_t word, unsigned n)
{
	return n == 0 ? 0
		      : digits_value(word << (64 - 8 * n) |
				     DIGITS_EACH(0x30) >> 8 * n);
}

/*
 * Up to fifteen digits and a comma; what is behind them, or NULL. COUNT_BYTES
 * are there.
 */
static inline const char *
count_at(const char *s, uint64_t *out)
{
	uint64_t word = word_at(s, s + 8), bad = digits_not(word), first = 0;
	const char *at = s;

	if (bad == 0) {
		first = digits_value(word);
		at += 8;
		word = word_at(at, at + 8);
		bad = digits_not(word);
		if (bad == 0)
			return NULL;
	}
	unsigned n = (unsigned)__builtin_ctzll(bad) / 8;

	at += n;
	if (at == s || *at != ',')
		return NULL;
	*out = first * ten_to[n] + few_digits(word, n);
	return at + 1;
}

static inline bool
same_text(const char *a, const char *b, size_t n)
{
	size_t i = 0;

	if (n < 8)
		return memcmp(a, b, n) == 0;
	for (; i + 8 <= n; i += 8)
		if (word_at(a + i, a + i + 8) != word_at(b + i, b + i + 8))
			return false;
	/* The last eight bytes, of which some were seen. */
	return word_at(a + n - 8, a + n) == word_at(b + n - 8, b + n);
}

/* The event that this slot had in the row before, or none; else NULL. */
static inline const char *
event_at(struct row_reader *r, unsigned slot, const char *s, const char *end)
{
	unsigned was = r->row.slot[slot];

	if (*s == ',')
		return s + 1;
	if (was >= r->names.len)
		return NULL;
	size_t n = r->names.length[was];

	/* Blanks and quotes around a name are not part of it. */
	if ((size_t)(end - s) <= n || s[n] != ',' || *s <= ' ' || *s == '\'' ||
	    s[n - 1] <= ' ' || !same_text(s, r->names.name[was], n))
		return NULL;
	r->row.slots |= 1u << slot;
	return s + n + 1;
}

/*
 * Takes fields of a core's counts as long as they are plain: digits alone, and
 * the events of the row before. Where the first other one begins.
 */
static const char *
take_plain_counts(struct row_reader *r, const char *s, const char *end)
{
	struct row *row = &r->row;
	struct recorded_cpu *c = &row->at.counts;

	while (r->column < r->ncore && end - s >= COUNT_BYTES) {
		unsigned id = r->field[r->column], slot = id - COLUMN_SLOTS;
		const char *to = NULL;

		if (id == COLUMN_CYCLES || id == COLUMN_INSTRUCTIONS) {
			to = count_at(s, &c->fixed[id - COLUMN_CYCLES]);
			if (to != NULL && id == COLUMN_CYCLES)
				row->has_cycles = true;
			else if (to != NULL)
				row->has_instructions = true;
		} else if (id == COLUMN_EV_CYCLES ||
			   id == COLUMN_EV_INSTRUCTIONS) {
			to = count_at(s, &c->pair[id - COLUMN_EV_CYCLES]);
			if (to != NULL)
				row->has_pair |= 1u << (id - COLUMN_EV_CYCLES);
		} else if (id >= COLUMN_SLOTS && id < COLUMN_METRICS) {
			if (slot % 2 == 0)
				to = event_at(r, slot / 2, s, end);
			else if (*s == ',')
				to = s + 1;
			else if ((to = count_at(s, &c->slot[slot / 2])) != NULL)
				c->slot_known[slot / 2] = true;
		}
		if (to == NULL)
			break;
		s = to;
		r->column++;
	}
	return s;
}

static inline bool
has_plain_counts(const struct row_reader *r)
{
	return r->row.type == ROW_IS_CORE && r->bad == NULL && !r->header &&
	       r->field[r->column] >= COLUMN_CYCLES &&
	       r->field[r->column] < COLUMN_METRICS;
}

/* Is there a field that is read, of this row as far as it is known? */
static inline bool
wants_more(const struct row_reader *r)
{
	if (r->header)
		return true;
	return r->row.type == ROW_IS_CORE    ? r->column < r->ncore
	       : r->row.type == ROW_IS_GROUP ? false
					     : r->column < r->nread;
}

/*
 * What libcsv would do with a line that has no quotes, without its copies, and
 * without looking at what is not read. A test holds it against csv_parse.
 */
static void
split_plain(struct row_reader *r, const char *line, const char *end)
{
	const char *s = alike_skip(r, line, end);
	struct commas c = commas_from(s, end);
	const char *seat = NULL; /* where its columns began */
	unsigned behind = seats_until(r);

	while (wants_more(r)) {
		if (r->column == r->alike.most && seat == NULL && !r->header) {
			const char *to = seats_skip(r, s, end);

			seat = s;
			if (to != s) {
				s = to;
				c = commas_from(s, end);
				continue;
			}
		}
		if (has_plain_counts(r)) {
			const char *to = take_plain_counts(r, s, end);

			if (to != s) {
				s = to;
				c = commas_from(s, end);
				continue;
			}
		}
		const char *comma = commas_next(&c);

		plain_field(r, s, comma);
		if (comma == end) {
			alike_keep(r, line);
			return;
		}
		s = comma + 1;
		alike_note(r, line, s);
		if (seat != NULL && r->column == behind)
			seats_keep(r, seat, s);
	}
	/* The rest is only counted. */
	r->column += 1 + commas_count(s, end);
	alike_keep(r, line);
}

/* True when the line, with the lines before it, makes a row. */
static bool
split(struct row_reader *r, const char *s, size_t n)
{
	static const char newline = '\n';

	if (n > 0 && s[n - 1] == '\r')
		n--;
	/* A lone CR ends a row for libcsv. */
	if (r->column == 0 && r->parser.pstate == 0 && !r->by_libcsv &&
	    memchr(s, '"', n) == NULL && memchr(s, '\r', n) == NULL) {
		split_plain(r, s, s + n);
		return true;
	}
	r->alike.n = 0;
	r->ended = false;
	if (csv_parse(&r->parser, s, n, parser_field, parser_end, r) != n ||
	    csv_parse(&r->parser, &newline, 1, parser_field, parser_end, r) !=
		    1)
		row_complain(r, csv_strerror(csv_error(&r->parser)), "", 0);
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
	r->nread = r->ncore = 0;
	r->alike.n = r->alike.most = 0;
	r->header = true;
	bool whole = split(r, line, n);

	r->header = false;
	r->ncolumns = r->column < ROW_COLUMNS_MAX ? r->column : ROW_COLUMNS_MAX;
	if (!whole)
		row_complain(r, "has a quote that does not end", "", 0);
	r->alike.most = alike_columns(r);
	seats_columns(r);
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
	if (!split(r, line, n))
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
	if (seats_init(r))
		return true;
	csv_free(&r->parser);
	return err_set(e, ERR_FAIL, "out of memory for a recording's reader");
}

void
row_reader_done(struct row_reader *r)
{
	csv_free(&r->parser);
	free(r->seats);
	for (unsigned i = 0; i < r->names.len; i++)
		free(r->names.name[i]);
}
