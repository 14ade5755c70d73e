#include "out/csv_plan.h"

#include <stdlib.h>
#include <string.h>

#include "model/columns.h"
#include "model/event_note.h"

/* A row in the making, or a piece of one: the next field is of `column`. */
struct row {
	struct buf *b;
	const struct csv_plan *p;
	unsigned column;
};

static inline void
begin_field(struct row *r)
{
	if (r->p->json)
		json_key(r->b, &r->p->keys, r->column);
	else if (r->column > 0)
		buf_char(r->b, ',');
	r->column++;
}

/* CSV has nothing for what is not known. */
static inline void
put_nothing(struct row *r)
{
	if (r->p->json)
		buf_str(r->b, r->column == COLUMN_QUALITY + 1 ? "[]" : "null");
}

static void
nothing_up_to(struct row *r, unsigned column)
{
	if (!r->p->json) {
		for (; r->column < column; r->column++)
			buf_char(r->b, ',');
		return;
	}
	while (r->column < column) {
		begin_field(r);
		put_nothing(r);
	}
}

static void
put_text(struct row *r, const char *text)
{
	char plain[FORMAT_FIELD_MAX + 1];
	size_t n;

	begin_field(r);
	if (!r->p->json)
		format_field(r->b, text);
	else if ((n = format_clean(plain, text)) > 0)
		json_string(r->b, plain, n);
	else
		put_nothing(r);
}

static void
put_quality(struct row *r, const char *words)
{
	begin_field(r);
	if (r->p->json)
		json_words(r->b, words);
	else
		format_field(r->b, words);
}

static inline void
put_count(struct row *r, bool known, uint64_t n)
{
	begin_field(r);
	if (known)
		buf_u64(r->b, n);
	else
		put_nothing(r);
}

/* Less than 0: it has none. */
static void
put_index(struct row *r, int v)
{
	put_count(r, v >= 0, v >= 0 ? (uint64_t)v : 0);
}

/* After a number was written from there on. JSON has no infinity. */
static void
end_number(struct row *r, size_t from)
{
	struct buf *b = r->b;

	if (!r->p->json || b->full)
		return;
	if (b->len > from && b->at[b->len - 1] == 'f')
		b->len = from;
	if (b->len == from)
		put_nothing(r);
}

static void
put_seconds(struct row *r, bool known, double s)
{
	begin_field(r);
	size_t from = r->b->len;

	if (known)
		format_seconds(r->b, s);
	end_number(r, from);
}

static inline void
put_real(struct row *r, bool known, double v)
{
	enum { DIGITS = 9 }; /* significant ones of a derived value */

	begin_field(r);
	size_t from = r->b->len;

	if (known)
		format_real(r->b, v, DIGITS);
	end_number(r, from);
}

/* ---- what is made once ---- */

/* package to n_cpus of a scope. */
static void
put_place(struct row *r, const struct topology *t, enum scope_level level,
	  unsigned index, unsigned ncpus)
{
	int package = -1, die = -1, cluster = -1, kind = -1;
	bool is_core = level == SCOPE_CORE;

	if (is_core) {
		package = t->cpu[index].package;
		die = t->cpu[index].die;
		cluster = (int)t->cpu[index].cluster;
		kind = (int)t->cpu[index].kind;
	} else if (level == SCOPE_CLUSTER) {
		package = t->cluster[index].package;
		die = t->cluster[index].die;
		cluster = (int)index;
		kind = (int)t->cluster[index].kind;
	} else if (level == SCOPE_KIND) {
		kind = (int)index;
	}
	put_index(r, package);
	put_index(r, die);
	put_text(r, cluster >= 0 ? t->cluster[cluster].label : "");
	put_text(r, kind >= 0 ? t->kind[kind].name : "");
	put_index(r, kind);
	put_index(r, is_core ? (int)t->cpu[index].core : -1);
	put_index(r, is_core ? t->cpu[index].id : -1);
	put_index(r, is_core ? -1 : (int)ncpus);
}

static unsigned
level_size(const struct topology *t, enum scope_level level)
{
	switch (level) {
	case SCOPE_CORE:
		return t->ncpus;
	case SCOPE_CLUSTER:
		return t->nclusters;
	case SCOPE_KIND:
		return t->nkinds;
	case SCOPE_ALL:
		break;
	}
	return 1;
}

static unsigned
level_ncpus(const struct topology *t, enum scope_level level, unsigned i)
{
	switch (level) {
	case SCOPE_CORE:
		return 1;
	case SCOPE_CLUSTER:
		return t->cluster[i].ncpus;
	case SCOPE_KIND:
		return t->kind[i].ncpus;
	case SCOPE_ALL:
		break;
	}
	return t->ncpus;
}

static void
make_about(struct csv_plan *p, const struct sink_about *a, struct buf *b)
{
	struct row r = { b, p, COLUMN_SOURCE };

	p->about.at = b->len;
	put_text(&r, a->source);
	put_text(&r, a->model);
	put_text(&r, a->chip);
	p->about.len = b->len - p->about.at;
}

static void
make_place(struct csv_plan *p, const struct topology *t, enum scope_level level,
	   unsigned index, struct buf *b)
{
	struct csv_piece *place = &p->place[p->nscopes++];
	struct row r = { b, p, COLUMN_CHIP + 1 };

	place->at = b->len;
	buf_bytes(b, p->text + p->about.at, p->about.len);
	put_place(&r, t, level, index, level_ncpus(t, level, index));
	place->len = b->len - place->at;
}

/* Bytes that such a piece of a CSV row may have in this form. */
static size_t
piece_max(const struct csv_plan *p, size_t size)
{
	return p->json ? JSON_GROWTH * size + json_keys_size(&p->keys) : size;
}

/* The scopes' order is the frame's: CPUs, clusters, kinds, the machine. */
static bool
make_places(struct csv_plan *p, const struct sink_about *a)
{
	const struct topology *t = a->topology;
	unsigned n = t->ncpus + t->nclusters + t->nkinds + 1;
	size_t size = (size_t)(n + 1) * piece_max(p, CSV_PLACE_MAX);

	p->place = calloc(n, sizeof *p->place);
	p->text = malloc(size);
	if (p->place == NULL || p->text == NULL)
		return false;
	struct buf b = buf_over(p->text, size);

	make_about(p, a, &b);
	for (unsigned k = SCOPE_CORE; k <= SCOPE_ALL; k++) {
		enum scope_level level = (enum scope_level)k;

		for (unsigned i = 0; i < level_size(t, level); i++)
			make_place(p, t, level, i, &b);
	}
	/* What is left of the allowance for the worst case goes back. */
	char *fit = realloc(p->text, b.len);

	if (fit != NULL)
		p->text = fit;
	return !b.full;
}

/* The columns are the table's metrics; the user's own come after them. */
static void
make_metrics(struct csv_plan *p, const struct sink_about *a)
{
	p->nmetrics = metric_count < METRIC_MAX ? metric_count : METRIC_MAX;
	p->ncolumns = COLUMN_METRICS + p->nmetrics + 1;
	for (unsigned i = 0; i < p->nmetrics; i++) {
		p->metric[i] = UINT32_MAX;
		for (unsigned k = 0; k < a->nmetrics; k++)
			if (a->metric[k] == &metric_table[i])
				p->metric[i] = k;
	}
}

bool
csv_plan_init(struct csv_plan *p, const struct sink_about *a, bool json,
	      struct err *e)
{
	*p = (struct csv_plan){ .json = json,
				.rows = a->rows,
				/* Linux: one group, one stretch of time. */
				.pair_in_group =
					strcmp(a->source, "perf") == 0 };
	make_metrics(p, a);
	struct buf run = buf_over(p->run, sizeof p->run);

	/* A letter first: readers that guess types take it for text. */
	buf_printf(&run, "r%016llx", (unsigned long long)a->run_id);
	(void)buf_cstr(&run);
	if (json && !json_keys_init(&p->keys, p->ncolumns, e))
		return false;
	if (make_places(p, a))
		return true;
	return err_set(e, ERR_FAIL, "out of memory for a recording");
}

void
csv_plan_free(struct csv_plan *p)
{
	free(p->place);
	free(p->text);
	json_keys_free(&p->keys);
	*p = (struct csv_plan){ 0 };
}

static size_t
row_max(const struct csv_plan *p)
{
	size_t place = p->about.len;

	for (unsigned i = 0; i < p->nscopes; i++)
		if (p->place[i].len > place)
			place = p->place[i].len;
	return place +
	       piece_max(p, CSV_HEAD_MAX + CSV_MOMENT_MAX + CSV_STATE_MAX +
				    CSV_NOTE_MAX + EVENTSET_MAX * CSV_NAME_MAX +
				    (size_t)p->ncolumns * CSV_NUMBER_MAX);
}

size_t
csv_plan_size(const struct csv_plan *p)
{
	/* More rows than any choice of levels has. */
	return (p->nscopes + CSV_BESIDE_MAX) * row_max(p);
}

/* ---- a frame ---- */

enum { /* bytes in JSON, with their keys, which has more of them */
       MOMENT_MAX = 2 * CSV_MOMENT_MAX,
       STATE_MAX = JSON_GROWTH * CSV_STATE_MAX,
       NAME_MAX_SIZE = JSON_GROWTH * EVENT_NAME_SIZE + 32
};

/* Parts of rows that are the same all over a frame. */
struct shared {
	char moment[MOMENT_MAX], state[STATE_MAX];
	char name[EVENTSET_MAX][NAME_MAX_SIZE];
	size_t moment_len, state_len, name_len[EVENTSET_MAX];
	int cycles, instructions; /* slots of the two denominators, or -1 */
	uint32_t unlike; /* 1 << slot of events that kinds count unlike */
};

/* A piece that stands in for the columns up to `column`. */
static void
put_piece(struct row *r, const char *text, size_t len, unsigned column)
{
	buf_bytes(r->b, text, len);
	r->column = column;
}

static void
put_head(struct row *r, const char *row)
{
	put_text(r, COLUMN_SCHEMA_TEXT);
	put_text(r, row);
	put_text(r, r->p->run);
}

static void
share_moment(struct shared *sh, const struct csv_plan *p, const struct frame *f)
{
	struct buf b = buf_over(sh->moment, sizeof sh->moment);
	struct row r = { &b, p, COLUMN_FRAME };
	char text[32];
	struct buf time = buf_over(text, sizeof text);

	put_count(&r, true, f->seq);
	format_time(&time, f->stamp.wall_ns);
	put_text(&r, buf_cstr(&time));
	put_seconds(&r, true, f->elapsed_s);
	sh->moment_len = b.len;
}

static void
share_state(struct shared *sh, const struct csv_plan *p, const struct frame *f)
{
	struct buf b = buf_over(sh->state, sizeof sh->state);
	struct row r = { &b, p, COLUMN_PRESET };

	put_text(&r, f->set->name);
	put_text(&r, f->set->len > 0 ? domain_name[f->domain] : "");
	sh->state_len = b.len;
}

static void
share(struct shared *sh, const struct csv_plan *p, const struct frame *f)
{
	share_moment(sh, p, f);
	share_state(sh, p, f);
	sh->cycles = sh->instructions = -1;
	sh->unlike = 0;
	for (unsigned i = 0; i < f->set->len; i++) {
		const char *name = f->set->slot[i].event->name;
		struct buf b = buf_over(sh->name[i], sizeof sh->name[i]);
		struct row r = { &b, p, COLUMN_SLOTS + 2 * i };

		put_text(&r, name);
		sh->name_len[i] = b.len;
		if (f->set->slot[i].event->unlike)
			sh->unlike |= 1u << i;
		if (strcmp(name, COLUMN_CYCLES_EVENT) == 0)
			sh->cycles = (int)i;
		else if (strcmp(name, COLUMN_INSTRUCTIONS_EVENT) == 0)
			sh->instructions = (int)i;
	}
}

/* Where the slots count every mode the fixed pair of their time is the two. */
static bool
pair_stands_in(const struct csv_plan *p, const struct frame *f,
	       const struct tally *t)
{
	return p->pair_in_group && f->domain == DOMAIN_ALL && t->pair_known &&
	       t->event_s > 0;
}

static void
put_ev_count(struct row *r, const struct tally *t, int slot, bool pair,
	     uint64_t fixed)
{
	if (slot >= 0 || !pair)
		put_count(r, slot >= 0 && t->slot_known[slot],
			  slot >= 0 ? t->slot[slot] : 0);
	else
		put_count(r, true, fixed);
}

static void
put_counts(struct row *r, const struct shared *sh, const struct frame *f,
	   const struct tally *t)
{
	bool pair = pair_stands_in(r->p, f, t);

	put_count(r, t->fixed_known, t->cycles);
	put_count(r, t->fixed_known, t->instructions);
	put_ev_count(r, t, sh->cycles, pair, t->pair_cycles);
	put_ev_count(r, t, sh->instructions, pair, t->pair_instructions);
	for (unsigned i = 0; i < f->set->len; i++) {
		put_piece(r, sh->name[i], sh->name_len[i], r->column + 1);
		put_count(r, t->slot_known[i], t->slot[i]);
	}
	nothing_up_to(r, COLUMN_METRICS);
}

static void
put_verdict(struct row *r, const struct frame *f, unsigned scope)
{
	put_text(r, f->verdict != NULL
			    ? verdict_words[f->verdict[scope].word].word
			    : "");
}

static void
put_metrics(struct row *r, const struct frame *f, unsigned scope)
{
	const struct csv_plan *p = r->p;
	const double *value = f->value + (size_t)scope * f->nmetrics;
	const uint8_t *state = f->state + (size_t)scope * f->nmetrics;

	for (unsigned i = 0; i < p->nmetrics; i++) {
		unsigned m = p->metric[i];
		unsigned s = m < f->nmetrics ? state[m] & VALUE_STATE_MASK
					     : VALUE_NOT_COUNTED;
		bool known = s == VALUE_OK || s == VALUE_FEW;

		if (r->column == COLUMN_VERDICT)
			put_verdict(r, f, scope);
		put_real(r, known, known ? value[m] : 0);
	}
	if (r->column == COLUMN_VERDICT)
		put_verdict(r, f, scope);
}

/* The kinds that have a metric, beside one that lacks its events. */
static void
put_kinds(struct buf *b, const struct frame *f, unsigned metric,
	  const struct metric *m)
{
	const uint32_t slots = metric_slots(m, f->set);
	unsigned n = 0;

	for (unsigned k = 0; k < f->topology->nkinds; k++) {
		unsigned scope = frame_scope_kind(f, k);

		if (frame_state(f, scope, metric) == VALUE_UNSUPPORTED ||
		    (f->tally[scope].dead & slots) != 0)
			continue;
		buf_str(b, n++ > 0 ? "+" : "");
		buf_str(b, f->topology->kind[k].name);
	}
}

/* "P only: l1d_ld_mpki; E only: l1i_mpki": what covers a part of the row. */
static void
note_parts(struct buf *note, const struct csv_plan *p, const struct frame *f,
	   unsigned scope)
{
	char kinds[128], before[128] = "";

	for (unsigned i = 0; i < p->nmetrics; i++) {
		unsigned m = p->metric[i];
		struct buf k = buf_over(kinds, sizeof kinds);

		if (m >= f->nmetrics || metric_table[i].judged ||
		    (frame_marks(f, scope, m) & VALUE_PART) == 0)
			continue;
		put_kinds(&k, f, m, &metric_table[i]);
		(void)buf_cstr(&k);
		if (strcmp(kinds, before) != 0) {
			buf_str(note, note->len > 0 ? "; " : "");
			buf_str(note, kinds);
			buf_str(note, " only: ");
			memcpy(before, kinds, sizeof before);
		} else {
			buf_char(note, ' ');
		}
		buf_str(note, metric_table[i].name);
	}
}

static void
put_note(struct row *r, const struct shared *sh, const struct frame *f,
	 unsigned scope)
{
	char text[FORMAT_FIELD_MAX];
	struct buf note = buf_over(text, sizeof text);

	event_note_put(&note, EVENT_NOTE_DEAD, f->set, f->tally[scope].dead);
	event_note_put(&note, EVENT_NOTE_UNLIKE, f->set, sh->unlike);
	if (f->scope[scope].level == SCOPE_ALL)
		note_parts(&note, r->p, f, scope);
	put_text(r, note.len > 0 ? buf_cstr(&note) : "");
}

static void
end_row(struct row *r)
{
	buf_str(r->b, r->p->json ? "}\n" : "\n");
}

static void
write_scope(struct buf *b, const struct csv_plan *p, const struct shared *sh,
	    const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct tally *t = &f->tally[scope];
	const struct csv_piece *place = &p->place[scope];
	bool slots = f->set->len > 0 && t->event_s > 0;
	struct row r = { b, p, 0 };
	char words[128];

	put_head(&r, scope_level_name[s->level]);
	put_piece(&r, sh->moment, sh->moment_len, COLUMN_INTERVAL_S);
	put_seconds(&r, t->interval_s > 0, t->interval_s);
	put_seconds(&r, slots, t->event_s);
	put_piece(&r, p->text + place->at, place->len, COLUMN_N_OK);
	put_count(&r, s->level != SCOPE_CORE, t->n_ok);
	put_piece(&r, sh->state, sh->state_len, COLUMN_QUALITY);
	put_quality(&r, quality_words(t->quality, words, sizeof words));
	put_real(&r, slots, t->coverage);
	put_note(&r, sh, f, scope);
	put_real(&r, true, t->busy_pct);
	put_counts(&r, sh, f, t);
	put_metrics(&r, f, scope);
	end_row(&r);
}

void
csv_write_header(struct buf *b, const struct csv_plan *p)
{
	for (unsigned i = 0; i < p->ncolumns; i++) {
		if (i > 0)
			buf_char(b, ',');
		format_field(b, column_at(i).name);
	}
	buf_char(b, '\n');
}

void
csv_write_frame(struct buf *b, const struct csv_plan *p, const struct frame *f)
{
	struct shared sh;

	share(&sh, p, f);
	for (unsigned i = 0; i < f->nscopes; i++)
		if (p->rows & 1u << f->scope[i].level)
			write_scope(b, p, &sh, f, i);
}

void
csv_write_note(struct buf *b, const struct csv_plan *p, const struct frame *f,
	       const char *row, const char *note)
{
	struct shared sh;
	struct row r = { b, p, 0 };

	share_moment(&sh, p, f);
	share_state(&sh, p, f);
	put_head(&r, row);
	put_piece(&r, sh.moment, sh.moment_len, COLUMN_INTERVAL_S);
	nothing_up_to(&r, COLUMN_SOURCE);
	put_piece(&r, p->text + p->about.at, p->about.len, COLUMN_CHIP + 1);
	nothing_up_to(&r, COLUMN_PRESET);
	put_piece(&r, sh.state, sh.state_len, COLUMN_QUALITY);
	nothing_up_to(&r, COLUMN_NOTE);
	put_text(&r, note);
	nothing_up_to(&r, p->ncolumns);
	end_row(&r);
}
