#include "out/csv_plan.h"

#include <stdlib.h>
#include <string.h>

#include "model/event_note.h"
#include "out/csv_process.h"
#include "out/csv_row.h"

/* ---- what is made once ---- */

/* package to n_cpus of a scope. */
static void
put_place(struct csv_row *r, const struct topology *t, enum scope_level level,
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
	csv_put_index(r, package);
	csv_put_index(r, die);
	csv_put_text(r, cluster >= 0 ? t->cluster[cluster].label : "");
	csv_put_text(r, kind >= 0 ? t->kind[kind].name : "");
	csv_put_index(r, kind);
	csv_put_index(r, is_core ? (int)t->cpu[index].core : -1);
	csv_put_index(r, is_core ? t->cpu[index].id : -1);
	csv_put_index(r, is_core ? -1 : (int)ncpus);
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
	struct csv_row r = { b, p, COLUMN_SOURCE };

	p->about.at = b->len;
	csv_put_text(&r, a->source);
	csv_put_text(&r, a->model);
	csv_put_text(&r, a->chip);
	p->about.len = b->len - p->about.at;
}

static void
make_place(struct csv_plan *p, const struct topology *t, enum scope_level level,
	   unsigned index, struct buf *b)
{
	struct csv_piece *place = &p->place[p->nscopes++];
	struct csv_row r = { b, p, COLUMN_CHIP + 1 };

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
	p->ncolumns = COLUMN_METRICS + p->nmetrics + 1 +
		      (a->processes > 0 ? PROCESS_COLUMNS : 0);
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
	buf_cstr(&run);
	if (json && !json_keys_init(&p->keys, p->ncolumns, e))
		return false;
	if (make_places(p, a) && csv_process_init(p, a))
		return true;
	return err_set(e, ERR_FAIL, "out of memory for a recording");
}

void
csv_plan_free(struct csv_plan *p)
{
	free(p->place);
	free(p->text);
	json_keys_free(&p->keys);
	csv_process_done(p);
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
	size_t size = (p->nscopes + CSV_BESIDE_MAX) * row_max(p);

	/* With (rest) and the others. */
	if (p->processes > 0)
		size += (size_t)(p->processes + 2) * csv_process_size(p);
	return size;
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

static void
share_moment(struct shared *sh, const struct csv_plan *p, const struct frame *f)
{
	struct buf b = buf_over(sh->moment, sizeof sh->moment);
	struct csv_row r = { &b, p, COLUMN_FRAME };
	char text[32];
	struct buf time = buf_over(text, sizeof text);

	csv_put_count(&r, true, f->seq);
	format_time(&time, f->stamp.wall_ns);
	csv_put_text(&r, buf_cstr(&time));
	csv_put_seconds(&r, true, f->elapsed_s);
	sh->moment_len = b.len;
}

static void
share_state(struct shared *sh, const struct csv_plan *p, const struct frame *f)
{
	struct buf b = buf_over(sh->state, sizeof sh->state);
	struct csv_row r = { &b, p, COLUMN_PRESET };

	csv_put_text(&r, f->set->name);
	csv_put_text(&r, f->set->len > 0 ? domain_name[f->domain] : "");
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
		struct csv_row r = { &b, p, COLUMN_SLOTS + 2 * i };

		csv_put_text(&r, name);
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
	       const struct span *t)
{
	return p->pair_in_group && f->domain == DOMAIN_ALL &&
	       span_has_pair(t) && span_event_s(t) > 0;
}

static void
put_ev_count(struct csv_row *r, const struct span *t, int slot, bool pair,
	     uint64_t fixed)
{
	if (slot >= 0 || !pair)
		csv_put_count(r, slot >= 0 && span_has_slot(t, (unsigned)slot),
			      slot >= 0 ? t->slot[slot] : 0);
	else
		csv_put_count(r, true, fixed);
}

static void
put_counts(struct csv_row *r, const struct shared *sh, const struct frame *f,
	   const struct span *t)
{
	bool pair = pair_stands_in(r->p, f, t);

	csv_put_count(r, span_has_fixed(t), t->cycles);
	csv_put_count(r, span_has_fixed(t), t->instructions);
	put_ev_count(r, t, sh->cycles, pair, t->pair_cycles);
	put_ev_count(r, t, sh->instructions, pair, t->pair_instructions);
	for (unsigned i = 0; i < f->set->len; i++) {
		csv_put_piece(r, sh->name[i], sh->name_len[i], r->column + 1);
		csv_put_count(r, span_has_slot(t, i), t->slot[i]);
	}
	csv_nothing_up_to(r, COLUMN_METRICS);
}

static void
put_verdict(struct csv_row *r, const struct frame *f, unsigned scope)
{
	csv_put_text(r, f->verdict != NULL
				? verdict_words[f->verdict[scope].word].word
				: "");
}

static void
put_metrics(struct csv_row *r, const struct frame *f, unsigned scope)
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
		csv_put_real(r, known, known ? value[m] : 0);
	}
	if (r->column == COLUMN_VERDICT)
		put_verdict(r, f, scope);
}

/* The kinds that have a metric, next to one that lacks its events. */
static void
put_kinds(struct buf *b, const struct frame *f, unsigned metric,
	  const struct metric *m)
{
	const uint32_t slots = metric_slots(m, f->set);
	unsigned n = 0;

	for (unsigned k = 0; k < f->topology->nkinds; k++) {
		unsigned scope = frame_scope_kind(f, k);

		if (frame_state(f, scope, metric) == VALUE_UNSUPPORTED ||
		    (f->span[scope].dead & slots) != 0)
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
		buf_cstr(&k);
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
put_note(struct csv_row *r, const struct shared *sh, const struct frame *f,
	 unsigned scope)
{
	char text[FORMAT_FIELD_MAX];
	struct buf note = buf_over(text, sizeof text);

	event_note_put(&note, EVENT_NOTE_DEAD, f->set, f->span[scope].dead);
	event_note_put(&note, EVENT_NOTE_UNLIKE, f->set, sh->unlike);
	if (f->scope[scope].level == SCOPE_ALL)
		note_parts(&note, r->p, f, scope);
	csv_put_text(r, note.len > 0 ? buf_cstr(&note) : "");
}

static void
write_scope(struct buf *b, const struct csv_plan *p, const struct shared *sh,
	    const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct span *t = &f->span[scope];
	const struct csv_piece *place = &p->place[scope];
	bool slots = f->set->len > 0 && span_event_s(t) > 0;
	struct csv_row r = { b, p, 0 };
	char words[128];

	csv_put_head(&r, scope_level_name[s->level]);
	csv_put_piece(&r, sh->moment, sh->moment_len, COLUMN_INTERVAL_S);
	csv_put_seconds(&r, span_interval_s(t) > 0, span_interval_s(t));
	csv_put_seconds(&r, slots, span_event_s(t));
	csv_put_piece(&r, p->text + place->at, place->len, COLUMN_N_OK);
	csv_put_count(&r, s->level != SCOPE_CORE, t->n_ok);
	csv_put_piece(&r, sh->state, sh->state_len, COLUMN_QUALITY);
	csv_put_quality(&r, quality_words(t->quality, words, sizeof words));
	csv_put_real(&r, slots, span_coverage(t));
	put_note(&r, sh, f, scope);
	csv_put_real(&r, true, span_busy_pct(t));
	put_counts(&r, sh, f, t);
	put_metrics(&r, f, scope);
	csv_nothing_up_to(&r, p->ncolumns);
	csv_end_row(&r);
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
	if (p->processes > 0) {
		const struct buf moment = { .at = sh.moment,
					    .len = sh.moment_len };

		csv_write_processes(b, p, f, &moment);
	}
}

void
csv_write_note(struct buf *b, const struct csv_plan *p, const struct frame *f,
	       const char *row, const char *note)
{
	struct shared sh;
	struct csv_row r = { b, p, 0 };

	share_moment(&sh, p, f);
	share_state(&sh, p, f);
	csv_put_head(&r, row);
	csv_put_piece(&r, sh.moment, sh.moment_len, COLUMN_INTERVAL_S);
	csv_nothing_up_to(&r, COLUMN_SOURCE);
	csv_put_piece(&r, p->text + p->about.at, p->about.len, COLUMN_CHIP + 1);
	csv_nothing_up_to(&r, COLUMN_PRESET);
	csv_put_piece(&r, sh.state, sh.state_len, COLUMN_QUALITY);
	csv_nothing_up_to(&r, COLUMN_NOTE);
	csv_put_text(&r, note);
	csv_nothing_up_to(&r, p->ncolumns);
	csv_end_row(&r);
}
