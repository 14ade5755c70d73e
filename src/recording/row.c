#include "recording/row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/formula.h"
#include "model/process_word.h"
#include "recording/text.h"

void
row_complain(struct row_reader *r, const char *why, const char *s, size_t n)
{
	if (r->bad != NULL)
		return;
	r->bad = why;
	r->bad_column = r->column;
	recording_clean(r->bad_text, sizeof r->bad_text, s, n);
}

/* Adds a word to a list of what is not known, if there is room and need. */
void
row_note_unknown(char *list, size_t size, const char *s, size_t n)
{
	char word[32];
	size_t len = strlen(list), more;

	recording_clean(word, sizeof word, s, n);
	more = strlen(word);
	if (more == 0 || strstr(list, word) != NULL || len + more + 6 > size)
		return;
	if (len > 0) {
		memcpy(list + len, ", ", 2);
		len += 2;
	}
	memcpy(list + len, word, more + 1);
}

/* ---- event names ---- */

static int
name_number(struct row_reader *r, const char *s, size_t n)
{
	struct row_names *t = &r->names;
	uint32_t h = 2166136261u;
	char name[EVENT_NAME_SIZE];

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 16777619u;
	for (h %= ROW_NAMES_HASH; t->hash[h] != 0;
	     h = (h + 1) % ROW_NAMES_HASH) {
		const char *have = t->name[t->hash[h] - 1];

		if (strlen(have) == n && memcmp(have, s, n) == 0)
			return t->hash[h] - 1;
	}
	recording_clean(name, sizeof name, s, n);
	if (strlen(name) != n) {
		row_complain(r, "is no event's name", s, n);
		return -1;
	}
	if (t->len == RECORDING_NAMES_MAX) {
		row_complain(r, "is one event name too many", s, n);
		return -1;
	}
	t->name[t->len] = strdup(name);
	if (t->name[t->len] == NULL) {
		row_complain(r, "found no memory", s, n);
		return -1;
	}
	t->hash[h] = (uint16_t)++t->len;
	return (int)t->len - 1;
}

/* ---- fields ---- */

static enum row_type
type_of(const char *s, size_t n)
{
	static const struct {
		const char *word;
		enum row_type type;
	} types[] = {
		{ "core", ROW_IS_CORE },      { "cluster", ROW_IS_GROUP },
		{ "kind", ROW_IS_GROUP },     { "all", ROW_IS_GROUP },
		{ "mark", ROW_IS_MARK },      { "swap", ROW_IS_SWAP },
		{ "lost", ROW_IS_LOST },      { "process", ROW_IS_PROCESS },
		{ "others", ROW_IS_PROCESS }, { "rest", ROW_IS_PROCESS },
	};

	for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++)
		if (strlen(types[i].word) == n &&
		    memcmp(types[i].word, s, n) == 0)
			return types[i].type;
	return ROW_IS_OTHER;
}

static void
take_schema(struct row_reader *r, const char *s, size_t n)
{
	size_t len = strlen(COLUMN_SCHEMA_TEXT);

	/* What comes after a point would be a change that adds only. */
	if (n >= len && memcmp(s, COLUMN_SCHEMA_TEXT, len) == 0 &&
	    (n == len || s[len] == '.'))
		return;
	if (n > 5 && memcmp(s, "ktop/", 5) == 0)
		row_complain(
			r,
			"is a schema that this ktop does not know; it reads " COLUMN_SCHEMA_TEXT,
			s, n);
	else
		row_complain(r, "is not the schema " COLUMN_SCHEMA_TEXT, s, n);
}

static void
take_type(struct row_reader *r, const char *s, size_t n)
{
	r->row.type = type_of(s, n);
	r->row.whose = n > 0 && s[0] == 'o'   ? ROW_OF_OTHERS
		       : n > 0 && s[0] == 'r' ? ROW_OF_REST
					      : ROW_OF_PROCESS;
	if (r->row.type == ROW_IS_OTHER)
		row_note_unknown(r->unknown_rows, sizeof r->unknown_rows, s, n);
}

/* Words of cores and of processes: some are of both. */
static void
take_quality(struct row_reader *r, const char *s, size_t n)
{
	char words[128];
	int unknown;

	recording_clean(words, sizeof words, s, n);
	r->row.at.counts.quality = quality_parse(words, &unknown);
	r->row.flags = 0;
	r->row.access = PROCESS_COUNTED;
	for (const char *w = words; *w != '\0';) {
		size_t len = strcspn(w, ";");
		char one[33];
		int bad = 0;

		recording_clean(one, sizeof one, w, len);
		if (!process_word_parse(w, len, &r->row.flags,
					&r->row.access) ||
		    r->row.type == ROW_IS_CORE)
			(void)quality_parse(one, &bad);
		if (bad)
			row_note_unknown(r->unknown_words,
					 sizeof r->unknown_words, one,
					 strlen(one));
		w += len + (w[len] == ';');
	}
}

static void
take_domain(struct row_reader *r, const char *s, size_t n)
{
	for (int d = DOMAIN_NONE; d <= DOMAIN_MIXED; d++)
		if (strlen(domain_name[d]) == n &&
		    memcmp(domain_name[d], s, n) == 0) {
			r->row.domain = (enum domain)d;
			return;
		}
	row_complain(r, "is none of all, user, kernel, mixed", s, n);
}

static void
take_busy(struct row_reader *r, const char *s, size_t n)
{
	double pct;

	if (n == 0) {
		r->row.at.counts.busy_share = NAN;
		return;
	}
	if (!recording_real(s, n, &pct) || pct < 0 || pct > 100.5)
		row_complain(r, "is not a percentage", s, n);
	else
		r->row.at.counts.busy_share = recorded_share(pct);
}

static void
take_slot(struct row_reader *r, unsigned i, const char *s, size_t n)
{
	unsigned slot = i / 2;
	struct recorded_cpu *c = &r->row.at.counts;

	if (n == 0)
		return;
	if (i % 2 == 1) {
		c->slot_known[slot] = recording_count(s, n, &c->slot[slot]);
		if (!c->slot_known[slot])
			row_complain(r, "is not a whole number", s, n);
		return;
	}
	size_t guard = formula_guard(s, n);

	s += guard;
	n -= guard;
	int number = name_number(r, s, n);

	if (number < 0)
		return;
	r->row.slot[slot] = (unsigned)number;
	r->row.slots |= 1u << slot;
}

static void
take_ns(struct row_reader *r, int64_t *out, const char *s, size_t n)
{
	*out = 0;
	if (n > 0 && !recording_seconds(s, n, out))
		row_complain(r, "is not a number of seconds", s, n);
}

static void
take_place(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	struct recording_cpu *at = &r->row.at;
	int *out = id == COLUMN_PACKAGE ? &at->package
		   : id == COLUMN_DIE   ? &at->die
		   : id == COLUMN_LEVEL ? &at->level
		   : id == COLUMN_CORE  ? &at->core
					: &at->cpu;

	*out = -1;
	if (n > 0 && !recording_small(s, n, out))
		row_complain(r, "is not a small whole number", s, n);
	if (id == COLUMN_CPU)
		r->row.has_cpu = at->cpu >= 0;
}

static void
take_fixed(struct row_reader *r, unsigned which, const char *s, size_t n)
{
	bool *has = which == FIXED_CYCLES ? &r->row.has_cycles
					  : &r->row.has_instructions;
	uint64_t *out = &r->row.at.counts.fixed[which];

	*has = n > 0;
	r->row.negative = r->row.negative || (n > 0 && s[0] == '-');
	if (n > 0 && (!recording_difference(s, n, out) ||
		      (s[0] == '-' && r->row.type == ROW_IS_CORE)))
		row_complain(r, "is not a whole number", s, n);
}

static void
take_pair(struct row_reader *r, unsigned which, const char *s, size_t n)
{
	if (n > 0 && recording_count(s, n, &r->row.at.counts.pair[which]))
		r->row.has_pair |= 1u << which;
}

static void
take_count(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	if (id == COLUMN_CYCLES || id == COLUMN_INSTRUCTIONS)
		take_fixed(r, (unsigned)(id - COLUMN_CYCLES), s, n);
	else if (id == COLUMN_EV_CYCLES || id == COLUMN_EV_INSTRUCTIONS)
		take_pair(r, (unsigned)(id - COLUMN_EV_CYCLES), s, n);
	else if (id >= COLUMN_SLOTS && id < COLUMN_METRICS)
		take_slot(r, (unsigned)(id - COLUMN_SLOTS), s, n);
}

void
row_take_text(char *out, size_t size, const char *s, size_t n)
{
	size_t guard = formula_guard(s, n);

	recording_clean(out, size, s + guard, n - guard);
}
#define TEXT(field) row_take_text(field, sizeof(field), s, n)

void
row_take_field(struct row_reader *r, enum column_id id, const char *s, size_t n)
{
	struct row *row = &r->row;
	struct recording_cpu *at = &row->at;

	switch (id) {
	case COLUMN_SCHEMA:
		take_schema(r, s, n);
		break;
	case COLUMN_ROW:
		take_type(r, s, n);
		break;
	case COLUMN_RUN:
		TEXT(row->run);
		break;
	case COLUMN_FRAME:
		row->has_frame = recording_count(s, n, &row->frame);
		if (!row->has_frame)
			row_complain(r, "is not a frame's number", s, n);
		break;
	case COLUMN_WALL_TIME:
		if (!recording_time(s, n, &row->wall_ns))
			row_complain(
				r, "is not a time as 2026-11-20T14:03:22.118Z",
				s, n);
		break;
	case COLUMN_ELAPSED_S:
		take_ns(r, &row->elapsed_ns, s, n);
		break;
	case COLUMN_INTERVAL_S:
		take_ns(r, &at->counts.interval_ns, s, n);
		break;
	case COLUMN_EVENT_S:
		take_ns(r, &at->counts.event_ns, s, n);
		break;
	case COLUMN_SOURCE:
		TEXT(row->machine.source);
		break;
	case COLUMN_MODEL:
		TEXT(row->machine.model);
		break;
	case COLUMN_CHIP:
		TEXT(row->machine.chip);
		break;
	case COLUMN_CLUSTER:
		TEXT(at->cluster);
		break;
	case COLUMN_KIND:
		TEXT(at->kind);
		break;
	case COLUMN_PACKAGE:
	case COLUMN_DIE:
	case COLUMN_LEVEL:
	case COLUMN_CORE:
	case COLUMN_CPU:
		take_place(r, id, s, n);
		break;
	case COLUMN_PRESET:
		TEXT(row->preset);
		break;
	case COLUMN_DOMAIN:
		take_domain(r, s, n);
		break;
	case COLUMN_QUALITY:
		take_quality(r, s, n);
		break;
	case COLUMN_NOTE:
		TEXT(row->note);
		break;
	case COLUMN_BUSY_PCT:
		take_busy(r, s, n);
		break;
	default:
		take_count(r, id, s, n);
		break;
	}
}
