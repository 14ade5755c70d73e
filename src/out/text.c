/* Batch text (-b): an aligned table a frame, made for people and for less. */
#include "out/sink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "model/verdict_say.h"
#include "out/format.h"
#include "out/target.h"
#include "out/text_process.h"

enum {
	/* always shown, of a preset, of events */
	TEXT_ALWAYS = 4,
	TEXT_COLUMNS_MAX = TEXT_ALWAYS + PRESET_METRICS + EVENTSET_MAX
};

/* Indices in sink_about.metric. */
struct text_columns {
	unsigned n, metric[TEXT_COLUMNS_MAX];
};

/* Those that every table begins with, and of the preset that was last. */
struct text_always {
	unsigned n, metric[TEXT_ALWAYS];
	int ipc;    /* -1: there is none */
	int preset; /* -1: not asked for yet */
	unsigned nusual, usual[PRESET_METRICS];
};

/* ---- the columns of a table ---- */

static int
metric_index(const struct sink_about *a, const char *name)
{
	for (unsigned i = 0; i < a->nmetrics; i++)
		if (strcmp(a->metric[i]->name, name) == 0)
			return (int)i;
	return -1;
}

static void
add_column(struct text_columns *c, unsigned metric)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->metric[i] == metric)
			return;
	if (c->n < TEXT_COLUMNS_MAX)
		c->metric[c->n++] = metric;
}

/* Can any row of this frame ever show it? */
static bool
supported(const struct frame *f, unsigned metric)
{
	for (unsigned i = 0; i < f->nscopes; i++)
		if (frame_state(f, i, metric) != VALUE_UNSUPPORTED &&
		    frame_state(f, i, metric) != VALUE_OFF)
			return true;
	return false;
}

static bool
counted_now(const struct frame *f, unsigned metric)
{
	for (unsigned i = 0; i < f->nscopes; i++) {
		enum value_state s = frame_state(f, i, metric);

		if (s != VALUE_UNSUPPORTED && s != VALUE_NOT_COUNTED &&
		    s != VALUE_OFF)
			return true;
	}
	return false;
}

/* Is it the rate of an event that no other column says anything of? */
static bool
is_left(const struct metric *m, const struct eventset *set, uint32_t told)
{
	uint32_t slots = metric_slots(m, set);

	return metric_of_set(m, set) && (slots == 0 || (slots & ~told) != 0);
}

/*
 * A set that is no built-in preset: what its events allow to say, own metrics
 * first; then the rate of each event that is left, also where it cannot be
 * measured, which always finds room.
 */
static void
choose_own(const struct sink_about *a, const struct frame *f,
	   struct text_columns *c)
{
	enum { ROOM = TEXT_COLUMNS_MAX - EVENTSET_MAX };
	uint32_t told = 0;

	for (unsigned i = metric_count; i < a->nmetrics; i++)
		if (!a->metric[i]->event && counted_now(f, i) && c->n < ROOM)
			add_column(c, i);
	for (unsigned i = 0; i < metric_count && i < a->nmetrics; i++)
		if (counted_now(f, i) && !a->metric[i]->judged && c->n < ROOM)
			add_column(c, i);
	for (unsigned i = 0; i < c->n; i++)
		told |= frame_slots_told(f, c->metric[i],
					 a->metric[c->metric[i]]);
	for (unsigned i = 0; i < a->nmetrics; i++)
		if (is_left(a->metric[i], f->set, told))
			add_column(c, i);
}

/* Is there not a row whose cycles could be counted? */
static bool
text_without_pmu(const struct text_always *t, const struct frame *f)
{
	return t->ipc >= 0 && !supported(f, (unsigned)t->ipc);
}

static void
text_always_find(struct text_always *t, const struct sink_about *a)
{
	static const char *const name[TEXT_ALWAYS] = { "ghz", "ipc", "gips",
						       "impact" };

	t->n = 0;
	t->ipc = metric_index(a, "ipc");
	t->preset = -1;
	for (unsigned i = 0; i < TEXT_ALWAYS; i++) {
		int m = metric_index(a, name[i]);

		if (m >= 0)
			t->metric[t->n++] = (unsigned)m;
	}
}

static void
text_preset_find(struct text_always *t, const struct sink_about *a, int preset)
{
	const char *const *name = preset_table[preset].metrics;

	t->preset = preset;
	t->nusual = 0;
	for (unsigned i = 0; i < PRESET_METRICS && name[i] != NULL; i++) {
		int m = metric_index(a, name[i]);

		if (m >= 0)
			t->usual[t->nusual++] = (unsigned)m;
	}
}

/*
 * Left out is what the machine's tables do not know. What an event in force
 * cannot be had for stays, as n/a, and so do a preset's usual columns where
 * there is no PMU at all.
 */
static void
text_choose(const struct sink_about *a, struct text_always *always,
	    const struct frame *f, struct text_columns *c)
{
	int preset = f->set->len > 0 ? preset_find(f->set->name) : -1;
	bool no_pmu = text_without_pmu(always, f);

	c->n = 0;
	for (unsigned i = 0; i < always->n; i++)
		add_column(c, always->metric[i]);
	if (preset < 0) {
		if (f->set->len > 0)
			choose_own(a, f, c);
		return;
	}
	if (preset != always->preset)
		text_preset_find(always, a, preset);
	for (unsigned i = 0; i < always->nusual; i++) {
		unsigned m = always->usual[i];

		if (supported(f, m) || metric_refused(a->metric[m], f->set) ||
		    (no_pmu && !a->metric[m]->optional))
			add_column(c, m);
	}
}

/* ---- a frame ---- */

enum {
	NAME_MIN = 6,         /* "cpu127" */
	KIND_MIN = 4,         /* "CCX0" */
	VERDICT_MIN = 8,      /* "branches" */
	CELL_MIN = 5,         /* "stale" */
	LINE_MAX_SIZE = 1024, /* the first line, its texts at their longest */
	HEADS_SIZE = 512,     /* longer ones are written each time */
	CELL_MAX = 24
};

/* The line above a table, which is mostly that of the frame before. */
struct text_heads {
	size_t len; /* 0: none is kept */
	struct text_columns columns;
	char line[HEADS_SIZE];
};

struct text {
	struct sink sink; /* first: the ops cast back */
	struct target target;
	const struct sink_about *about;
	struct text_always always;
	/* Of columns, each as wide as its widest cell so far. */
	size_t name_width, kind_width, verdict_width, busy_width;
	size_t width[METRIC_MAX];
	bool widened; /* some is wider since the frame's first line */
	struct text_heads heads;
	struct text_process processes;
};

static struct text *
text_of(struct sink *s)
{
	return (struct text *)(void *)s;
}

static const struct text *
text_of_const(const struct sink *s)
{
	return (const struct text *)(const void *)s;
}

/*
 * A cell that is wider than its column makes that wider: the table is then
 * written once more.
 */
static inline void
widen(struct text *t, size_t *width, size_t least)
{
	if (least <= *width)
		return;
	*width = least;
	t->widened = true;
}

static inline void
put_left(struct buf *b, struct text *t, const char *s, size_t *width)
{
	size_t from = b->len;

	buf_str(b, s);
	widen(t, width, b->len - from);
	buf_pad(b, from, *width);
}

static inline void
put_right(struct buf *b, struct text *t, const char *s, size_t len,
	  size_t *width)
{
	widen(t, width, len);
	buf_blanks(b, 1 + *width - len);
	buf_bytes(b, s, len);
}

static const char *
counted(const struct text *t, const struct frame *f)
{
	if (f->set->len > 0)
		return f->set->name;
	return text_without_pmu(&t->always, f) ? "busy time only" : "IPC mode";
}

static void
put_title(struct buf *b, const struct text *t, const struct frame *f)
{
	const struct sink_about *a = t->about;
	char words[128];

	buf_str(b, "ktop  ");
	buf_str(b, a->model);
	if (a->simulated)
		buf_str(b, " (simulated)");
	buf_str(b, "  ");
	buf_str(b, counted(t, f));
	buf_str(b, "  frame ");
	buf_u64(b, f->seq);
	buf_str(b, "  ");
	format_time(b, f->stamp.wall_ns);
	buf_str(b, "  ");
	buf_fixed(b, f->interval_s, 3);
	buf_str(b, " s");
	if (f->set->len > 0 && f->domain != DOMAIN_ALL) {
		buf_str(b, "  events: ");
		buf_str(b, domain_name[f->domain]);
	}
	if (a->topology->smt)
		buf_str(b, "  per thread");
	if (f->quality != 0)
		buf_str(b, "  ");
	buf_str(b, quality_words(f->quality, words, sizeof words));
	buf_char(b, '\n');
}

/* What stands out, or why nothing does. */
static void
put_sentence(struct buf *b, const struct frame *f)
{
	static const struct verdict_voice voice = { .room = SENTENCE_SIZE - 1,
						    .paper = true };
	struct verdict_sentence s;

	verdict_headline(f, &voice, &s);
	if (s.text[0] == '\0')
		return;
	buf_str(b, s.alarm ? "! " : "");
	buf_str(b, s.text);
	buf_char(b, '\n');
}

static void
write_heads(struct buf *b, struct text *t, const struct text_columns *c)
{
	put_left(b, t, "ROW", &t->name_width);
	buf_char(b, ' ');
	put_left(b, t, "KIND", &t->kind_width);
	buf_char(b, ' ');
	put_left(b, t, "VERDICT", &t->verdict_width);
	put_right(b, t, "BUSY%", 5, &t->busy_width);
	for (unsigned i = 0; i < c->n; i++) {
		const char *label = t->about->metric[c->metric[i]]->label;
		size_t *width = &t->width[c->metric[i]];
		size_t cells = cells_wide(label);

		widen(t, width, cells);
		buf_blanks(b, 1 + *width - cells);
		buf_str(b, label);
	}
	buf_str(b, " QUALITY\n");
}

static bool
same_columns(const struct text_columns *a, const struct text_columns *b)
{
	return a->n == b->n &&
	       memcmp(a->metric, b->metric, a->n * sizeof a->metric[0]) == 0;
}

static void
put_heads(struct buf *b, struct text *t, const struct text_columns *c)
{
	struct text_heads *h = &t->heads;
	size_t from = b->len;

	if (h->len > 0 && same_columns(&h->columns, c)) {
		buf_bytes(b, h->line, h->len);
		return;
	}
	write_heads(b, t, c);
	h->len = b->len - from <= sizeof h->line ? b->len - from : 0;
	memcpy(h->line, b->at + from, h->len);
	h->columns = *c;
}

static const char *
state_word(enum value_state s)
{
	switch (s) {
	case VALUE_IDLE:
		return "idle";
	case VALUE_OFF:
		return "off";
	case VALUE_STALE:
		return "stale";
	case VALUE_UNSUPPORTED:
		return "n/a";
	case VALUE_DOUBTFUL:
		return "?";
	case VALUE_DENIED:
		return "denied";
	case VALUE_HELD:
		return "held";
	case VALUE_OK:
	case VALUE_FEW:
	case VALUE_NOT_COUNTED:
		break;
	}
	return "--";
}

/* Rows came, but another tool had reprogrammed the slots. */
static bool
is_stolen(uint32_t quality)
{
	return (quality & QUALITY_STOLEN) != 0 &&
	       (quality & QUALITY_STALE) == 0;
}

static void
put_value(struct buf *v, const struct text *t, const struct frame *f,
	  unsigned scope, unsigned metric)
{
	enum value_state state = frame_state(f, scope, metric);
	double value = frame_value(f, scope, metric);

	if (state == VALUE_STALE && is_stolen(f->span[scope].quality)) {
		buf_str(v, "stolen");
	} else if (state != VALUE_OK && state != VALUE_FEW) {
		buf_str(v, state_word(state));
	} else if (isnan(value)) {
		buf_char(v, '-'); /* counted, but there is nothing to say */
	} else {
		unsigned marks = frame_marks(f, scope, metric);

		if ((marks & VALUE_SCALED) != 0)
			buf_char(v, '~');
		if (state == VALUE_FEW)
			buf_char(v, '*');
		buf_fixed(v, value, t->about->metric[metric]->decimals);
		if ((marks & VALUE_MODES) != 0)
			buf_char(v, '^');
		else if ((marks & VALUE_PART) != 0)
			buf_char(v, '\'');
		else if ((marks & VALUE_UNLIKE) != 0)
			buf_char(v, '"');
	}
}

/* What the row is, and of which kind. */
struct names {
	char row[TOPOLOGY_NAME_SIZE];
	const char *kind;
};

static void
name_row(const struct topology *t, const struct scope *s, struct names *out)
{
	struct buf b = buf_over(out->row, sizeof out->row);

	out->kind = "";
	switch (s->level) {
	case SCOPE_CORE:
		buf_str(&b, "cpu");
		buf_i64(&b, t->cpu[s->index].id);
		out->kind = t->cluster[t->cpu[s->index].cluster].label;
		break;
	case SCOPE_CLUSTER:
		buf_str(&b, t->cluster[s->index].label);
		out->kind = t->kind[t->cluster[s->index].kind].letter;
		break;
	case SCOPE_KIND:
		buf_str(&b, t->kind[s->index].name);
		out->kind = t->kind[s->index].letter;
		break;
	case SCOPE_ALL:
		buf_str(&b, "all");
		break;
	}
	buf_cstr(&b);
}

static void
put_busy(struct buf *b, const struct span *y)
{
	if (isnan(span_busy_pct(y))) {
		buf_char(b, '-');
		return;
	}
	buf_str(b, span_busy_rough(y) ? "~" : "");
	buf_fixed(b, span_busy_pct(y), 1);
}

/* With a sign where enough is lost to stand out, or where it is of before. */
static const char *
verdict_cell(const struct frame *f, unsigned scope, char *cell, size_t size)
{
	struct buf b = buf_over(cell, size);

	if (f->verdict == NULL) {
		buf_char(&b, '-');
	} else {
		buf_str(&b, verdict_words[f->verdict[scope].word].word);
		buf_str(&b, f->verdict[scope].alarm   ? "!"
			    : f->verdict[scope].stale ? "?"
						      : "");
	}
	return buf_cstr(&b);
}

/* A plain value, as most are, or what stands for one. */
static inline void
put_cell(struct buf *b, struct text *t, const struct frame *f, unsigned scope,
	 unsigned metric)
{
	size_t *width = &t->width[metric];
	char cell[CELL_MAX];
	struct buf v = buf_over(cell, sizeof cell);

	if (frame_state(f, scope, metric) == VALUE_OK &&
	    frame_marks(f, scope, metric) == 0) {
		double value = frame_value(f, scope, metric);
		int decimals = t->about->metric[metric]->decimals;

		if (buf_fixed_right(b, value, decimals, 1 + *width))
			return;
	}
	put_value(&v, t, f, scope, metric);
	put_right(b, t, v.at, v.len, width);
}

static void
put_row(struct buf *b, struct text *t, const struct frame *f,
	const struct text_columns *c, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct span *y = &f->span[scope];
	struct names names;
	char cell[CELL_MAX], words[128];
	struct buf v = buf_over(cell, sizeof cell);

	name_row(f->topology, s, &names);
	put_left(b, t, names.row, &t->name_width);
	buf_char(b, ' ');
	put_left(b, t, names.kind, &t->kind_width);
	buf_char(b, ' ');
	put_left(b, t, verdict_cell(f, scope, cell, sizeof cell),
		 &t->verdict_width);
	put_busy(&v, y);
	put_right(b, t, v.at, v.len, &t->busy_width);
	for (unsigned i = 0; i < c->n; i++)
		put_cell(b, t, f, scope, c->metric[i]);
	buf_char(b, ' ');
	if (s->level != SCOPE_CORE && y->n_ok != s->ncpus) {
		buf_u64(b, y->n_ok);
		buf_char(b, '/');
		buf_u64(b, s->ncpus);
		buf_char(b, ' ');
	}
	if (y->quality != 0)
		buf_str(b, quality_words(y->quality, words, sizeof words));
	while (b->len > 0 && b->at[b->len - 1] == ' ')
		b->len--;
	buf_char(b, '\n');
}

static bool
is_shown(const struct text *t, const struct scope *s)
{
	return (t->about->rows & 1u << s->level) != 0;
}

static void
least_widths(struct text *t, const struct text_columns *c)
{
	widen(t, &t->name_width, NAME_MIN);
	widen(t, &t->kind_width, KIND_MIN);
	widen(t, &t->verdict_width, VERDICT_MIN);
	widen(t, &t->busy_width, CELL_MIN);
	for (unsigned i = 0; i < c->n; i++)
		widen(t, &t->width[c->metric[i]], CELL_MIN);
}

/* Widest first: the machine, kinds, clusters, then cores, if `cores`. */
static void
put_levels(struct buf *b, struct text *t, const struct frame *f,
	   const struct text_columns *c, bool cores)
{
	for (unsigned k = SCOPE_ALL + 1; k-- > (cores ? 0 : SCOPE_CORE + 1);)
		for (unsigned i = 0; i < f->nscopes; i++)
			if (f->scope[i].level == (enum scope_level)k &&
			    is_shown(t, &f->scope[i]))
				put_row(b, t, f, c, i);
}

/* Columns are as wide as all rows need, also of cores that are left out. */
static void
put_rows(struct buf *b, struct text *t, const struct frame *f,
	 const struct text_columns *c)
{
	const struct sink_about *a = t->about;
	const unsigned *row;
	size_t from = b->len;
	unsigned n;

	put_levels(b, t, f, c, true);
	if (a->choose == NULL || !a->choose(a->choose_arg, f, &row, &n))
		return;
	b->len = from;
	put_levels(b, t, f, c, false);
	for (unsigned i = 0; i < n; i++)
		put_row(b, t, f, c, row[i]);
}

static void
put_frame(struct buf *b, struct text *t, const struct frame *f,
	  const struct text_columns *c)
{
	put_title(b, t, f);
	put_sentence(b, f);
	put_heads(b, t, c);
	put_rows(b, t, f, c);
	text_process_put(
		b, &t->processes, f,
		&(struct text_process_columns){ t->about, c->n, c->metric });
	buf_char(b, '\n');
}

static bool
text_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct text *t = text_of(s);
	struct text_columns c;
	struct buf b;

	if (!target_flush(&t->target, e)) {
		target_drop(&t->target);
		return false;
	}
	text_choose(t->about, &t->always, f, &c);
	least_widths(t, &c);
	do { /* twice where a column gets wider, and no more often */
		b = buf_over(t->target.at, t->target.size);
		t->heads.len = t->widened ? 0 : t->heads.len;
		t->widened = false;
		put_frame(&b, t, f, &c);
	} while (t->widened);
	return target_send(&t->target, b.len, e);
}

static bool
text_mark(struct sink *s, const struct frame *f, const char *words,
	  struct err *e)
{
	struct text *t = text_of(s);

	if (!target_flush(&t->target, e))
		return false;
	struct buf b = buf_over(t->target.at, t->target.size);

	buf_str(&b, "mark   ");
	format_time(&b, f->stamp.wall_ns);
	buf_str(&b, "  ");
	buf_str(&b, words);
	buf_str(&b, "\n\n");
	return target_send(&t->target, b.len, e);
}

static void
text_state(const struct sink *s, uint64_t *lost, bool *dead)
{
	*lost = text_of_const(s)->target.lost;
	*dead = text_of_const(s)->target.dead;
}

static int
text_waiting(const struct sink *s)
{
	return target_fd(&text_of_const(s)->target);
}

static bool
text_flush(struct sink *s, struct err *e)
{
	return target_flush(&text_of(s)->target, e);
}

static uint64_t
text_close(struct sink *s)
{
	if (s == NULL)
		return 0;
	uint64_t given_up = target_close(&text_of(s)->target);

	text_process_done(&text_of(s)->processes);
	free(s);
	return given_up;
}

static size_t
text_size(const struct sink_about *a)
{
	const struct topology *t = a->topology;
	size_t rows = (size_t)t->ncpus + t->nclusters + t->nkinds + 2;

	return LINE_MAX_SIZE + SENTENCE_SIZE +
	       rows * (160 + TEXT_COLUMNS_MAX * CELL_MAX) +
	       text_process_size(a->processes);
}

static bool
text_machine(struct sink *s, const struct sink_about *a,
	     const struct topology *was, struct err *e)
{
	(void)was;
	return target_grow(&text_of(s)->target, text_size(a), e);
}

static struct sink *
text_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct text *t = calloc(1, sizeof *t);

	if (t == NULL)
		return err_null(e, ERR_FAIL, "out of memory for the table");
	t->sink.ops = &sink_text;
	t->about = a;
	text_always_find(&t->always, a);
	if (!text_process_init(&t->processes, a->processes))
		err_set(e, ERR_FAIL, "out of memory for the table");
	else if (target_open(&t->target, target,
			     a->force ? TARGET_REPLACE : TARGET_NEW,
			     text_size(a), e))
		return &t->sink;
	text_process_done(&t->processes);
	free(t);
	return NULL;
}

const struct sink_ops sink_text = {
	.name = "text",
	.open = text_open,
	.frame = text_frame,
	.machine = text_machine,
	.mark = text_mark,
	.state = text_state,
	.waiting = text_waiting,
	.flush = text_flush,
	.close = text_close,
};
