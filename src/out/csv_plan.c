#include "out/csv_plan.h"

#include <stdlib.h>
#include <string.h>

#include "model/columns.h"
#include "model/event_note.h"

static void
integer_or_empty(struct buf *b, int v)
{
	buf_char(b, ',');
	if (v >= 0)
		buf_i64(b, v);
}

/* "package,die,cluster,kind,level,core,cpu,n_cpus," of a scope. */
static void
place_text(struct buf *b, const struct topology *t, enum scope_level level,
	   unsigned index, unsigned ncpus)
{
	int package = -1, die = -1, cluster = -1, kind = -1;

	if (level == SCOPE_CORE) {
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
	integer_or_empty(b, package);
	integer_or_empty(b, die);
	buf_char(b, ',');
	if (cluster >= 0)
		format_field(b, t->cluster[cluster].label);
	buf_char(b, ',');
	if (kind >= 0)
		format_field(b, t->kind[kind].name);
	integer_or_empty(b, kind);
	integer_or_empty(b, level == SCOPE_CORE ? (int)t->cpu[index].core : -1);
	integer_or_empty(b, level == SCOPE_CORE ? t->cpu[index].id : -1);
	integer_or_empty(b, level == SCOPE_CORE ? -1 : (int)ncpus);
	buf_char(b, ',');
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
	p->about.at = b->len;
	format_field(b, a->source);
	buf_char(b, ',');
	format_field(b, a->model);
	buf_char(b, ',');
	format_field(b, a->chip);
	p->about.len = b->len - p->about.at;
}

static void
make_place(struct csv_plan *p, const struct topology *t, enum scope_level level,
	   unsigned index, struct buf *b)
{
	struct csv_piece *place = &p->place[p->nscopes++];

	place->at = b->len;
	buf_bytes(b, p->text + p->about.at, p->about.len);
	place_text(b, t, level, index, level_ncpus(t, level, index));
	place->len = b->len - place->at;
}

/* The scopes' order is the frame's: CPUs, clusters, kinds, the machine. */
static bool
make_places(struct csv_plan *p, const struct sink_about *a)
{
	const struct topology *t = a->topology;
	unsigned n = t->ncpus + t->nclusters + t->nkinds + 1;
	size_t size = (size_t)(n + 1) * CSV_PLACE_MAX;

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
	p->ncolumns = COLUMN_METRICS + p->nmetrics;
	for (unsigned i = 0; i < p->nmetrics; i++) {
		p->metric[i] = UINT32_MAX;
		for (unsigned k = 0; k < a->nmetrics; k++)
			if (a->metric[k] == &metric_table[i])
				p->metric[i] = k;
	}
}

bool
csv_plan_init(struct csv_plan *p, const struct sink_about *a, struct err *e)
{
	*p = (struct csv_plan){ .rows = a->rows,
				/* Linux: one group, one stretch of time. */
				.pair_in_group =
					strcmp(a->source, "perf") == 0 };
	make_metrics(p, a);
	struct buf run = buf_over(p->run, sizeof p->run);

	/* A letter first: readers that guess types take it for text. */
	buf_printf(&run, ",r%016llx,", (unsigned long long)a->run_id);
	(void)buf_cstr(&run);
	if (make_places(p, a))
		return true;
	return err_set(e, ERR_FAIL, "out of memory for a recording");
}

void
csv_plan_free(struct csv_plan *p)
{
	free(p->place);
	free(p->text);
	*p = (struct csv_plan){ 0 };
}

static size_t
row_max(const struct csv_plan *p)
{
	size_t place = p->about.len;

	for (unsigned i = 0; i < p->nscopes; i++)
		if (p->place[i].len > place)
			place = p->place[i].len;
	return CSV_HEAD_MAX + CSV_MOMENT_MAX + place + CSV_STATE_MAX +
	       CSV_NOTE_MAX + EVENTSET_MAX * CSV_NAME_MAX +
	       (size_t)p->ncolumns * CSV_NUMBER_MAX;
}

size_t
csv_plan_size(const struct csv_plan *p)
{
	/* More rows than any choice of levels has. */
	return (p->nscopes + CSV_BESIDE_MAX) * row_max(p);
}

/* ---- a frame ---- */

enum { DIGITS = 9 }; /* significant digits of a derived value */

/* Parts of rows that are the same all over a frame. */
struct shared {
	char moment[CSV_MOMENT_MAX], state[CSV_STATE_MAX];
	char name[EVENTSET_MAX][CSV_NAME_MAX];
	size_t moment_len, state_len, name_len[EVENTSET_MAX];
	int cycles, instructions; /* slots of the two denominators, or -1 */
	uint32_t unlike; /* 1 << slot of events that kinds count unlike */
};

static void
commas(struct buf *b, unsigned n)
{
	while (n-- > 0)
		buf_char(b, ',');
}

static void
head(struct buf *b, const struct csv_plan *p, const char *row)
{
	format_field(b, COLUMN_SCHEMA_TEXT);
	buf_char(b, ',');
	format_field(b, row);
	buf_str(b, p->run);
}

static void
share_moment(struct shared *sh, const struct frame *f)
{
	struct buf b = buf_over(sh->moment, sizeof sh->moment);

	buf_u64(&b, f->seq);
	buf_char(&b, ',');
	format_time(&b, f->stamp.wall_ns);
	buf_char(&b, ',');
	format_seconds(&b, f->elapsed_s);
	buf_char(&b, ',');
	sh->moment_len = b.len;
}

static void
share_state(struct shared *sh, const struct frame *f)
{
	struct buf b = buf_over(sh->state, sizeof sh->state);

	format_field(&b, f->set->name);
	buf_char(&b, ',');
	format_field(&b, f->set->len > 0 ? domain_name[f->domain] : "");
	buf_char(&b, ',');
	sh->state_len = b.len;
}

static void
share(struct shared *sh, const struct frame *f)
{
	share_moment(sh, f);
	share_state(sh, f);
	sh->cycles = sh->instructions = -1;
	sh->unlike = 0;
	for (unsigned i = 0; i < f->set->len; i++) {
		const char *name = f->set->slot[i].event->name;
		struct buf b = buf_over(sh->name[i], sizeof sh->name[i]);

		buf_char(&b, ',');
		format_field(&b, name);
		buf_char(&b, ',');
		sh->name_len[i] = b.len;
		if (f->set->slot[i].event->unlike)
			sh->unlike |= 1u << i;
		if (strcmp(name, COLUMN_CYCLES_EVENT) == 0)
			sh->cycles = (int)i;
		else if (strcmp(name, COLUMN_INSTRUCTIONS_EVENT) == 0)
			sh->instructions = (int)i;
	}
}

static void
slot_count(struct buf *b, const struct tally *t, int slot)
{
	buf_char(b, ',');
	if (slot >= 0 && t->slot_known[slot])
		buf_u64(b, t->slot[slot]);
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
ev_count(struct buf *b, const struct tally *t, int slot, bool pair,
	 uint64_t fixed)
{
	if (slot >= 0 || !pair) {
		slot_count(b, t, slot);
		return;
	}
	buf_char(b, ',');
	buf_u64(b, fixed);
}

static void
row_counts(struct buf *b, const struct csv_plan *p, const struct shared *sh,
	   const struct frame *f, const struct tally *t)
{
	bool pair = pair_stands_in(p, f, t);

	buf_char(b, ',');
	if (t->fixed_known)
		buf_u64(b, t->cycles);
	buf_char(b, ',');
	if (t->fixed_known)
		buf_u64(b, t->instructions);
	ev_count(b, t, sh->cycles, pair, t->pair_cycles);
	ev_count(b, t, sh->instructions, pair, t->pair_instructions);
	for (unsigned i = 0; i < f->set->len; i++) {
		buf_bytes(b, sh->name[i], sh->name_len[i]);
		if (t->slot_known[i])
			buf_u64(b, t->slot[i]);
	}
	commas(b, 2 * (EVENTSET_MAX - f->set->len));
}

static void
row_metrics(struct buf *b, const struct csv_plan *p, const struct frame *f,
	    unsigned scope)
{
	const double *value = f->value + (size_t)scope * f->nmetrics;
	const uint8_t *state = f->state + (size_t)scope * f->nmetrics;

	for (unsigned i = 0; i < p->nmetrics; i++) {
		unsigned m = p->metric[i];
		unsigned s = m < f->nmetrics ? state[m] & VALUE_STATE_MASK
					     : VALUE_NOT_COUNTED;

		buf_char(b, ',');
		if (s == VALUE_OK || s == VALUE_FEW)
			format_real(b, value[m], DIGITS);
	}
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

		if (m >= f->nmetrics ||
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
row_note(struct buf *b, const struct csv_plan *p, const struct shared *sh,
	 const struct frame *f, unsigned scope)
{
	char text[FORMAT_FIELD_MAX];
	struct buf note = buf_over(text, sizeof text);

	event_note_put(&note, EVENT_NOTE_DEAD, f->set, f->tally[scope].dead);
	event_note_put(&note, EVENT_NOTE_UNLIKE, f->set, sh->unlike);
	if (f->scope[scope].level == SCOPE_ALL)
		note_parts(&note, p, f, scope);
	if (note.len > 0)
		format_field(b, buf_cstr(&note));
}

static void
row_scope(struct buf *b, const struct csv_plan *p, const struct shared *sh,
	  const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct tally *t = &f->tally[scope];
	const struct csv_piece *place = &p->place[scope];
	bool slots = f->set->len > 0 && t->event_s > 0;
	char words[128];

	head(b, p, scope_level_name[s->level]);
	buf_bytes(b, sh->moment, sh->moment_len);
	if (t->interval_s > 0)
		format_seconds(b, t->interval_s);
	buf_char(b, ',');
	if (slots)
		format_seconds(b, t->event_s);
	buf_char(b, ',');
	buf_bytes(b, p->text + place->at, place->len);
	if (s->level != SCOPE_CORE)
		buf_u64(b, t->n_ok);
	buf_char(b, ',');
	buf_bytes(b, sh->state, sh->state_len);
	format_field(b, quality_words(t->quality, words, sizeof words));
	buf_char(b, ',');
	if (slots)
		format_real(b, t->coverage, DIGITS);
	buf_char(b, ',');
	row_note(b, p, sh, f, scope);
	buf_char(b, ',');
	format_real(b, t->busy_pct, DIGITS);
	row_counts(b, p, sh, f, t);
	row_metrics(b, p, f, scope);
	buf_char(b, '\n');
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

	share(&sh, f);
	for (unsigned i = 0; i < f->nscopes; i++)
		if (p->rows & 1u << f->scope[i].level)
			row_scope(b, p, &sh, f, i);
}

void
csv_write_note(struct buf *b, const struct csv_plan *p, const struct frame *f,
	       const char *row, const char *note)
{
	struct shared sh;

	share_moment(&sh, f);
	share_state(&sh, f);
	head(b, p, row);
	buf_bytes(b, sh.moment, sh.moment_len);
	commas(b, COLUMN_SOURCE - COLUMN_INTERVAL_S);
	buf_bytes(b, p->text + p->about.at, p->about.len);
	commas(b, COLUMN_PRESET - COLUMN_CHIP);
	buf_bytes(b, sh.state, sh.state_len);
	commas(b, COLUMN_NOTE - COLUMN_QUALITY);
	format_field(b, note);
	commas(b, p->ncolumns - 1 - COLUMN_NOTE);
	buf_char(b, '\n');
}
