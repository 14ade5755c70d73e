#include "out/rows.h"

#include <stdio.h>

#include "base/utf8.h"
#include "model/event.h"
#include "model/process.h"

enum {
	NUMBER_MAX = 24,
	TEXT_MAX = 256, /* a quoted field other than the note */
	DIGITS = 9,     /* significant digits of derived values */
	BESIDE_MAX = 4, /* rows: header, change, loss, marker */
	WORDS_MAX = 128
};

static void
write_text(struct buf *b, bool json, const char *text)
{
	char plain[FORMAT_FIELD_MAX + 1];
	size_t n;

	if (!json)
		format_field(b, text);
	else if ((n = format_clean(plain, text)) > 0)
		json_string(b, plain, n);
}

/* Formats KEY=VALUE,..., which the options have validated. */
static void
rows_format_labels(struct rows *w, const char *at)
{
	struct buf names = buf_over(w->label_names, sizeof w->label_names);
	struct buf values = buf_over(w->labels, sizeof w->labels);
	char value[FORMAT_FIELD_MAX];

	while (at != NULL && *at != '\0') {
		size_t key = strcspn(at, "="), len = strcspn(at, ",");

		snprintf(value, sizeof value, "%.*s", (int)(len - key - 1),
			 at + key + 1);
		buf_printf(&names, "," COLUMN_LABEL "%.*s", (int)key, at);
		if (w->json)
			buf_printf(&values,
				   ",\"" COLUMN_LABEL "%.*s\":", (int)key, at);
		else
			buf_char(&values, ',');
		write_text(&values, w->json, value);
		at += len + (at[len] == ',');
	}
	buf_cstr(&names);
	buf_cstr(&values);
}

bool
rows_init(struct rows *w, const struct sink_about *a, bool json, struct err *e)
{
	*w = (struct rows){ .about = a,
			    .json = json,
			    /* perf counts events and cycles together. */
			    .pair_in_group = strcmp(a->source, "perf") == 0,
			    .ncolumns = column_count() };
	for (unsigned i = 0; i < w->ncolumns; i++) {
		w->column[i] = column_at(i);
		snprintf(w->key[i], sizeof w->key[i],
			 "%s\"%s\":", i > 0 ? "," : "{", w->column[i].name);
	}
	/* Metrics of the user have no column. */
	for (unsigned i = 0; i < metric_count; i++) {
		w->metric[i] = UINT32_MAX;
		for (unsigned k = 0; k < a->nmetrics; k++)
			if (a->metric[k] == &metric_table[i])
				w->metric[i] = k;
	}
	w->ipc = (unsigned)metric_find("ipc");
	w->ghz = (unsigned)metric_find("ghz");
	w->gips = (unsigned)metric_find("gips");
	/* Without the letter some readers would parse a number. */
	snprintf(w->run, sizeof w->run, "r%016llx",
		 (unsigned long long)a->run_id);
	rows_format_labels(w, a->labels);
	return process_pick_init(&w->pick, a->processes) ||
	       err_set(e, ERR_FAIL, "out of memory for a recording");
}

void
rows_free(struct rows *w)
{
	process_pick_free(&w->pick);
}

size_t
rows_size(const struct rows *w)
{
	const struct topology *t = w->about->topology;
	size_t rows = (size_t)t->ncpus + 2 * t->nclusters + t->nkinds + 2;
	size_t row = 2 * FORMAT_FIELD_MAX + strlen(w->label_names) +
		     strlen(w->labels);

	if (w->about->processes > 0)
		rows += w->about->processes + 2;
	for (unsigned i = 0; i < w->ncolumns; i++) {
		const struct column *c = &w->column[i];
		bool text = c->type == COLUMN_TEXT || c->type == COLUMN_WORDS;

		row += text ? TEXT_MAX : NUMBER_MAX;
		row += w->json ? strlen(c->name) : 0;
	}
	return (rows + BESIDE_MAX) * (w->json ? JSON_GROWTH * row : row);
}

static void
write_value(struct buf *b, const struct rows *w, const struct column *c,
	    const struct record *r)
{
	if (c->id >= COLUMN_FIELDS) {
		format_real(b, r->metric[c->id - COLUMN_FIELDS], DIGITS);
		return;
	}
	if (!r->known[c->id])
		return;
	switch (c->type) {
	case COLUMN_TEXT:
		write_text(b, w->json, r->v[c->id].text);
		break;
	case COLUMN_WORDS:
		(w->json ? json_words : format_field)(b, r->v[c->id].text);
		break;
	case COLUMN_TIME:
		buf_str(b, w->json ? "\"" : "");
		format_time(b, r->v[c->id].ns);
		buf_str(b, w->json ? "\"" : "");
		break;
	case COLUMN_INTEGER:
		if (r->negative)
			buf_i64(b, (int64_t)r->v[c->id].count);
		else
			buf_u64(b, r->v[c->id].count);
		break;
	case COLUMN_REAL:
		format_real(b, r->v[c->id].real, DIGITS);
		break;
	case COLUMN_SECONDS:
		format_seconds(b, r->v[c->id].ns);
		break;
	}
}

/* JSON has no infinity or NaN: a missing value is null. */
static void
rows_write_record(struct buf *b, const struct rows *w, const struct record *r)
{
	for (unsigned i = 0; i < w->ncolumns; i++) {
		const struct column *c = &w->column[i];

		if (w->json)
			buf_str(b, w->key[i]);
		else if (i > 0)
			buf_char(b, ',');
		size_t from = b->len;

		write_value(b, w, c, r);
		if (!w->json || b->full)
			continue;
		if (b->len > from && b->at[b->len - 1] == 'f')
			b->len = from;
		if (b->len == from)
			buf_str(b, c->type == COLUMN_WORDS ? "[]" : "null");
	}
	buf_str(b, w->labels);
	buf_str(b, w->json ? "}\n" : "\n");
}

void
rows_write_header(struct buf *b, const struct rows *w)
{
	for (unsigned i = 0; i < w->ncolumns; i++) {
		buf_str(b, i > 0 ? "," : "");
		buf_str(b, w->column[i].name);
	}
	buf_str(b, w->label_names);
	buf_char(b, '\n');
}

static void
record_begin(struct record *r, const struct rows *w, const struct frame *f)
{
	memset(r->known, 0, sizeof r->known);
	r->negative = false;
	for (unsigned i = 0; i < metric_count; i++)
		r->metric[i] = NAN;
	record_text(r, COLUMN_SCHEMA, COLUMN_SCHEMA_TEXT);
	record_text(r, COLUMN_RUN, w->run);
	record_count(r, COLUMN_SAMPLE, true, f->seq);
	record_time(r, COLUMN_WALL_TIME, true, f->stamp.wall_ns);
	record_seconds(r, COLUMN_ELAPSED_S, f->elapsed_s);
	record_text(r, COLUMN_SOURCE, w->about->source);
	record_text(r, COLUMN_MODEL, w->about->model);
	record_text(r, COLUMN_CHIP, w->about->chip);
}

static void
record_fill_set(struct record *r, const struct frame *f)
{
	record_text(r, COLUMN_PRESET, f->set->name);
	record_text(r, COLUMN_DOMAIN,
		    f->set->len > 0 ? domain_name[f->domain] : "");
}

static void
record_fill_place(struct record *r, const struct topology *t,
		  const struct scope *s)
{
	const struct topology_cpu *cpu =
		s->level == SCOPE_CORE ? &t->cpu[s->index] : NULL;
	const struct topology_cluster *cluster =
		cpu != NULL                 ? &t->cluster[cpu->cluster]
		: s->level == SCOPE_CLUSTER ? &t->cluster[s->index]
					    : NULL;
	int kind = cpu != NULL              ? (int)cpu->kind
		   : cluster != NULL        ? (int)cluster->kind
		   : s->level == SCOPE_KIND ? (int)s->index
					    : -1;

	record_index(r, COLUMN_PACKAGE,
		     cpu != NULL       ? cpu->package
		     : cluster != NULL ? cluster->package
				       : -1);
	record_index(r, COLUMN_DIE,
		     cpu != NULL       ? cpu->die
		     : cluster != NULL ? cluster->die
				       : -1);
	record_text(r, COLUMN_CLUSTER, cluster != NULL ? cluster->label : "");
	record_text(r, COLUMN_KIND, kind >= 0 ? t->kind[kind].name : "");
	record_index(r, COLUMN_LEVEL, kind);
	record_index(r, COLUMN_CORE, cpu != NULL ? (int)cpu->core : -1);
	record_index(r, COLUMN_CPU, cpu != NULL ? cpu->id : -1);
	record_count(r, COLUMN_N_CPUS, cpu == NULL, s->ncpus);
}

/* Fills ev_cycles and ev_instructions from slots that count them, else from the
 * fixed counters if these count all modes at the same time as the slots. */
static void
record_fill_counts(struct record *r, const struct rows *w,
		   const struct frame *f, const struct span *t)
{
	bool own = w->pair_in_group && f->domain == DOMAIN_ALL &&
		   span_event_s(t) > 0;

	record_count(r, COLUMN_CYCLES, span_has_cycles(t), t->cycles);
	record_count(r, COLUMN_INSTRUCTIONS, span_has_fixed(t),
		     t->instructions);
	record_count(r, COLUMN_EV_CYCLES,
		     own && span_has(t, 1u << TERM_SLOT_CYCLES),
		     t->pair_cycles);
	record_count(r, COLUMN_EV_INSTRUCTIONS,
		     own && span_has(t, 1u << TERM_SLOT_INSTRUCTIONS),
		     t->pair_instructions);
	for (unsigned i = 0; i < f->set->len; i++) {
		const char *name = f->set->slot[i].event->name;
		bool known = span_has_slot(t, i);

		record_text(r, COLUMN_SLOTS + 2 * i, name);
		record_count(r, COLUMN_SLOTS + 2 * i + 1, known, t->slot[i]);
		if (strcmp(name, COLUMN_CYCLES_EVENT) == 0)
			record_count(r, COLUMN_EV_CYCLES, known, t->slot[i]);
		if (strcmp(name, COLUMN_INSTRUCTIONS_EVENT) == 0)
			record_count(r, COLUMN_EV_INSTRUCTIONS, known,
				     t->slot[i]);
	}
}

static void
record_fill_metrics(struct record *r, const struct rows *w,
		    const struct frame *f, unsigned scope)
{
	for (unsigned i = 0; i < metric_count; i++) {
		unsigned m = w->metric[i];
		enum value_state s = m < f->nmetrics ? frame_state(f, scope, m)
						     : VALUE_NOT_COUNTED;

		if (s == VALUE_OK || s == VALUE_FEW)
			r->metric[i] = frame_value(f, scope, m);
	}
}

static void
record_fill_bottleneck(struct record *r, const struct frame *f, unsigned scope)
{
	const struct bottleneck *b = &f->bottleneck[scope];
	double lost = b->impact * 1e9 * span_interval_s(&f->span[scope]);

	if (b->word != BOTTLENECK_UNKNOWN || !b->cannot)
		record_text(r, COLUMN_BOTTLENECK,
			    bottleneck_words[b->word].word);
	if (b->estimate != BOTTLENECK_UNKNOWN)
		record_text(r, COLUMN_BOTTLENECK_EST,
			    bottleneck_words[b->estimate].word);
	record_real(r, COLUMN_LOST_PCT, true, b->lost_pct);
	record_count(r, COLUMN_LOST_CYCLES, lost >= 0,
		     lost >= 0 ? (uint64_t)(lost + 0.5) : 0);
}

static void
record_fill_energy(struct record *r, enum column_id watts,
		   const struct power_energy *e)
{
	record_real(r, watts, e->fresh, e->watts);
	record_seconds(r, watts + 1, e->fresh ? e->span_s : NAN);
}

/* True: this sample has a newly published value of the machine. */
static bool
record_fill_machine_power(struct record *r, const struct frame_power *p)
{
	bool fresh = false;

	for (unsigned i = 0; i < POWER_WHOLES; i++) {
		record_fill_energy(
			r, power_total_table[POWER_TOTAL_WHOLES + i].column,
			&p->whole[i]);
		fresh = fresh || p->whole[i].fresh;
	}
	return fresh;
}

/* Writes each span once, so that readers do not add energy twice. */
static void
rows_write_power(struct buf *b, const struct rows *w,
		 const struct record *shared, const struct frame *f,
		 unsigned at)
{
	const struct frame_power *p = f->power;
	const struct power_row *row = &p->row[at];
	const struct power_energy *e = &row->energy;
	const struct power_traffic *t = &row->traffic;
	bool all = at + 1 == p->nrows;
	unsigned scope = all ? frame_scope_all(f) : frame_scope_cluster(f, at);
	unsigned marks = (e->fresh ? e->marks : 0) | (t->fresh ? t->marks : 0);
	char words[WORDS_MAX];
	struct buf flags = buf_over(words, sizeof words);
	struct record r = *shared;

	if (!(all && record_fill_machine_power(&r, p)) && !e->fresh &&
	    !t->fresh && !row->status_fresh)
		return;
	for (unsigned i = 0; i < power_marks; i++)
		if ((marks & power_mark_table[i].mark) != 0)
			buf_printf(&flags, "%s%s", flags.len > 0 ? ";" : "",
				   power_mark_table[i].word);
	record_text(&r, COLUMN_ROW, column_row_name[ROW_OF_POWER]);
	record_fill_place(&r, f->topology, &f->scope[scope]);
	record_text(&r, COLUMN_POWER_FLAGS, buf_cstr(&flags));
	record_fill_energy(&r, COLUMN_POWER_W, e);
	record_real(&r, COLUMN_NJ_PER_INSTRUCTION, e->fresh,
		    row->nj_instruction);
	record_real(&r, COLUMN_DRAM_GBS, t->fresh, t->both * 1e-9);
	record_real(&r, COLUMN_DRAM_READ_GBS, t->fresh, t->read * 1e-9);
	record_real(&r, COLUMN_DRAM_WRITE_GBS, t->fresh, t->write * 1e-9);
	record_seconds(&r, COLUMN_DRAM_GBS_SPAN_S, t->fresh ? t->span_s : NAN);
	record_real(&r, COLUMN_CLOCK_GHZ, true, row->clock_ghz);
	if (all)
		record_text(&r, COLUMN_THERMAL_PRESSURE,
			    power_pressure_word[p->pressure]);
	record_count(&r, COLUMN_THROTTLED, row->throttle_known, row->throttled);
	rows_write_record(b, w, &r);
}

static void
note_put_kinds(struct buf *b, const struct frame *f, unsigned metric,
	       const struct metric *m)
{
	const uint32_t slots = metric_slots(m, f->set);
	unsigned n = 0;

	for (unsigned k = 0; k < f->topology->nkinds; k++) {
		unsigned scope = frame_scope_kind(f, k);

		if (frame_state(f, scope, metric) == VALUE_UNSUPPORTED ||
		    (f->span[scope].zero & slots) != 0)
			continue;
		buf_str(b, n++ > 0 ? "+" : "");
		buf_str(b, f->topology->kind[k].name);
	}
}

/* Appends, for example, "P only: l1d_ld_mpki; E only: l1i_mpki". */
static void
note_put_parts(struct buf *note, const struct rows *w, const struct frame *f,
	       unsigned scope)
{
	char kinds[128], before[128] = "";

	for (unsigned i = 0; i < metric_count; i++) {
		unsigned m = w->metric[i];
		struct buf k = buf_over(kinds, sizeof kinds);

		if (m >= f->nmetrics || metric_table[i].judged ||
		    (frame_marks(f, scope, m) & VALUE_PART) == 0)
			continue;
		note_put_kinds(&k, f, m, &metric_table[i]);
		buf_cstr(&k);
		if (strcmp(kinds, before) != 0) {
			buf_printf(note, "%s%s only: %s",
				   note->len > 0 ? "; " : "", kinds,
				   metric_table[i].name);
			memcpy(before, kinds, sizeof before);
		} else {
			buf_printf(note, " %s", metric_table[i].name);
		}
	}
}

static void
rows_write_scope(struct buf *b, const struct rows *w,
		 const struct record *shared, const struct frame *f,
		 unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct span *t = &f->span[scope];
	bool slots = f->set->len > 0 && span_event_s(t) > 0;
	char words[WORDS_MAX], text[FORMAT_FIELD_MAX];
	struct buf note = buf_over(text, sizeof text);
	struct record r = *shared;
	uint32_t unlike = 0;

	for (unsigned i = 0; i < f->set->len; i++)
		unlike |= (uint32_t)f->set->slot[i].event->unlike << i;
	event_note_put(&note, EVENT_NOTE_ZERO, f->set, t->zero);
	event_note_put(&note, EVENT_NOTE_UNLIKE, f->set, unlike);
	if (s->level == SCOPE_ALL)
		note_put_parts(&note, w, f, scope);
	record_text(&r, COLUMN_ROW, column_row_name[s->level]);
	record_seconds(&r, COLUMN_INTERVAL_S,
		       t->wall_ns > 0 ? span_interval_s(t) : NAN);
	record_seconds(&r, COLUMN_EVENT_S, slots ? span_event_s(t) : NAN);
	record_fill_place(&r, f->topology, s);
	record_count(&r, COLUMN_N_OK, s->level != SCOPE_CORE, t->n_ok);
	record_fill_set(&r, f);
	record_text(&r, COLUMN_QUALITY,
		    quality_words(t->quality, words, sizeof words));
	record_real(&r, COLUMN_COVERAGE, slots, span_coverage(t));
	record_text(&r, COLUMN_NOTE, buf_cstr(&note));
	record_real(&r, COLUMN_BUSY_PCT, true, span_busy_pct(t));
	record_fill_counts(&r, w, f, t);
	record_fill_metrics(&r, w, f, scope);
	if (f->bottleneck != NULL)
		record_fill_bottleneck(&r, f, scope);
	rows_write_record(b, w, &r);
}

static uint64_t
process_other_kinds_ns(const struct process_totals *d)
{
	uint64_t ns = 0;

	for (unsigned i = 1; i < PROCESS_PARTS; i++)
		ns += d->part[i].cpu_ns;
	return ns;
}

static void
record_fill_identity(struct record *r, const struct process_row *row)
{
	record_index(r, COLUMN_PID, row->pid);
	record_count(r, COLUMN_START, true, row->start);
	record_count(r, COLUMN_UID, true, row->uid);
	record_text(r, COLUMN_STATE, process_state_name(row->state));
	record_index(r, COLUMN_PARENT, row->parent);
	record_time(r, COLUMN_STARTED, row->started_ns != 0, row->started_ns);
}

void
rows_fill_totals(struct record *r, uint32_t known,
		 const struct process_totals *d, unsigned parts)
{
	const struct process_part *p = &d->part[0];
	bool counts = (known & PROCESS_HAS_COUNTS) != 0;
	bool times = (known & PROCESS_HAS_TIMES) != 0;
	uint32_t of_parts = parts > 1 ? known : 0;
	bool part = (of_parts & PROCESS_HAS_PARTS) != 0;
	bool part_ns = (of_parts & PROCESS_HAS_PART_TIMES) != 0;

	record_count(r, COLUMN_CYCLES, counts, d->cycles);
	record_count(r, COLUMN_INSTRUCTIONS, counts, d->instructions);
	record_count(r, COLUMN_PCYCLES, part, p->cycles);
	record_count(r, COLUMN_PINSTRUCTIONS, part, p->instructions);
	record_count(r, COLUMN_USER_NS, times, d->user_ns);
	record_count(r, COLUMN_SYSTEM_NS, times, d->system_ns);
	record_count(r, COLUMN_PTIME_NS, part_ns, p->cpu_ns);
	record_count(r, COLUMN_OTHER_NS, part_ns, process_other_kinds_ns(d));
	record_count(r, COLUMN_ENERGY_NJ, (known & PROCESS_HAS_ENERGY) != 0,
		     d->energy_nj);
	record_count(r, COLUMN_PENERGY_NJ,
		     (of_parts & PROCESS_HAS_PART_ENERGY) != 0, p->energy_nj);
}

static void
record_fill_process(struct record *r, const struct rows *w,
		    const struct process_row *row, unsigned parts)
{
	record_seconds(r, COLUMN_INTERVAL_S,
		       row->interval_s > 0 ? row->interval_s : NAN);
	record_count(r, COLUMN_THREADS, row->threads > 0, row->threads);
	rows_fill_totals(r, row->known, &row->d, parts);
	record_real(r, COLUMN_P_SHARE, true, row->value[PROCESS_P_TIME]);
	record_real(r, COLUMN_CPU_PCT, true, row->value[PROCESS_CPU]);
	/* IPC, GHz and Gi/s use the columns of CPUs. */
	r->metric[w->ipc] = row->value[PROCESS_IPC];
	r->metric[w->ghz] = row->value[PROCESS_GHZ];
	r->metric[w->gips] = row->value[PROCESS_GIPS];
}

static void
record_fill_process_events(struct record *r, const struct eventset *set,
			   const struct process_row *row)
{
	const uint32_t fixed = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
	const struct span *e = row->events;

	if (e == NULL)
		return;
	bool known = span_has(e, fixed);
	bool any = (e->have_all & ((1u << EVENTSET_MAX) - 1)) != 0;

	for (unsigned i = 0; i < set->len && any; i++) {
		record_text(r, COLUMN_SLOTS + 2 * i, set->slot[i].event->name);
		record_count(r, COLUMN_SLOTS + 2 * i + 1, span_has_slot(e, i),
			     e->slot[i]);
	}
	record_real(r, COLUMN_COVERAGE,
		    known && (row->known & PROCESS_HAS_COUNTS) != 0 &&
			    (int64_t)row->d.cycles > 0,
		    (double)e->cycles / (double)row->d.cycles);
	record_count(r, COLUMN_EVENT_CYCLES, known, e->cycles);
	record_count(r, COLUMN_EVENT_INSTRUCTIONS, known, e->instructions);
}

static void
rows_write_process(struct buf *b, const struct rows *w,
		   const struct record *shared, const struct frame *f,
		   const struct process_row *row)
{
	const struct process_table *t = f->processes;
	bool rest = row == &t->rest, others = row == &w->pick.others;
	bool one = !rest && !others;
	bool began = others && t->started != UINT64_MAX;
	char words[WORDS_MAX], name[PROCESS_NAME_SIZE], user[PROCESS_USER_SIZE];
	struct record r = *shared;

	utf8_plain(name, sizeof name, row->name, strlen(row->name));
	utf8_plain(user, sizeof user, row->user, strlen(row->user));
	r.negative = rest;
	record_text(&r, COLUMN_ROW,
		    column_row_name[rest     ? ROW_OF_NOBODY
				    : others ? ROW_OF_OTHERS
					     : ROW_OF_PROCESS]);
	record_text(&r, COLUMN_DOMAIN, domain_name[t->domain]);
	record_text(&r, COLUMN_QUALITY,
		    process_words(row, words, sizeof words));
	record_text(&r, COLUMN_PROCESS, name);
	record_text(&r, COLUMN_USER, one ? user : "");
	if (one)
		record_fill_identity(&r, row);
	record_fill_process(&r, w, row, t->parts.n);
	record_fill_process_events(&r, f->set, row);
	record_count(&r, COLUMN_BEGAN, began, t->started);
	record_count(&r, COLUMN_BEGAN_SEEN, began, t->born);
	rows_write_record(b, w, &r);
}

static void
rows_write_processes(struct buf *b, struct rows *w, const struct record *shared,
		     const struct frame *f)
{
	const struct process_table *t = f->processes;
	struct process_pick *p = &w->pick;

	process_pick_choose(p, t, f->interval_s);
	for (unsigned i = 0; i < p->top.n; i++)
		rows_write_process(b, w, shared, f,
				   &t->row[p->top.row[i].index]);
	if (t->has_rest)
		rows_write_process(b, w, shared, f, &t->rest);
	rows_write_process(b, w, shared, f, &p->others);
}

void
rows_write_frame(struct buf *b, struct rows *w, const struct frame *f)
{
	struct record shared;

	record_begin(&shared, w, f);
	for (unsigned i = 0; i < f->nscopes; i++)
		if ((w->about->rows & 1u << f->scope[i].level) != 0)
			rows_write_scope(b, w, &shared, f, i);
	for (unsigned i = 0; f->power != NULL && i < f->power->nrows; i++)
		rows_write_power(b, w, &shared, f, i);
	if (w->about->processes > 0 && f->processes != NULL)
		rows_write_processes(b, w, &shared, f);
}

void
rows_write_note(struct buf *b, const struct rows *w, const struct frame *f,
		enum column_row row, const char *note)
{
	struct record r;

	record_begin(&r, w, f);
	record_fill_set(&r, f);
	record_text(&r, COLUMN_ROW, column_row_name[row]);
	record_text(&r, COLUMN_NOTE, note);
	rows_write_record(b, w, &r);
}
