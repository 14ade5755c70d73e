#include "out/text_process.h"

#include <math.h>
#include <string.h>

#include "base/cells.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "model/process_word.h"

enum {
	PID_MIN = 6,
	USER_MIN = 8,
	CELL_MIN = 5,
	CELL_MAX = 24,
	LABEL_MAX = 32,
	ROW_MAX = 640 + TEXT_RATES * (CELL_MAX + 1)
};

/* In their order; those of parts only where cores are of several kinds. */
static const enum process_metric column[] = { PROCESS_CPU,   PROCESS_P_TIME,
					      PROCESS_IPC,   PROCESS_IPC_0,
					      PROCESS_IPC_1, PROCESS_GIPS,
					      PROCESS_GHZ,   PROCESS_WATTS };
enum { COLUMNS = sizeof column / sizeof *column };

/* What is there from the first frame on, whether it is known or not. */
static const uint32_t always = 1u << PROCESS_CPU | 1u << PROCESS_IPC |
			       1u << PROCESS_GIPS | 1u << PROCESS_GHZ;
static const uint32_t of_parts =
	1u << PROCESS_P_TIME | 1u << PROCESS_IPC_0 | 1u << PROCESS_IPC_1;

bool
text_process_init(struct text_process *t, unsigned n)
{
	*t = (struct text_process){ .pid_width = PID_MIN,
				    .user_width = USER_MIN };
	return process_pick_init(&t->pick, n);
}

void
text_process_done(struct text_process *t)
{
	process_pick_free(&t->pick);
}

size_t
text_process_size(unsigned n)
{
	/* With a line of counts, titles, (rest) and the others. */
	return n > 0 ? ((size_t)n + 4) * ROW_MAX : 0;
}

static void
widen(size_t *width, size_t least)
{
	if (*width < least)
		*width = least;
}

static void
put_right(struct buf *b, const char *s, size_t len, size_t width)
{
	buf_char(b, ' ');
	for (size_t i = len; i < width; i++)
		buf_char(b, ' ');
	buf_bytes(b, s, len);
}

/* The kinds by their letters: S where the fastest is called that. */
static void
label_of(struct buf *b, const struct process_parts *parts,
	 enum process_metric m)
{
	if (m == PROCESS_P_TIME) {
		buf_str(b, parts->label[0]);
		buf_str(b, " t%");
	} else if (m == PROCESS_IPC_0 || m == PROCESS_IPC_1) {
		buf_str(b, "IPC ");
		buf_str(b, parts->label[m == PROCESS_IPC_1]);
	} else {
		buf_str(b, process_metrics[m].label);
	}
}

static void
put_value(struct buf *b, const struct process_row *r, enum process_metric m)
{
	if (isnan(r->value[m]))
		buf_char(b, '-');
	else
		buf_fixed(b, r->value[m], process_metrics[m].decimals);
}

static const char *
user_of(const struct process_row *r, char user[PROCESS_USER_SIZE])
{
	utf8_plain(user, PROCESS_USER_SIZE, r->user, strlen(r->user));
	return user[0] != '\0' ? user : "-";
}

/* ---- rates of its own events ---- */

/* "-": it has none, or nobody saw it. */
static void
put_rate(struct buf *b, const struct text_process_columns *c,
	 const struct process_events *e, unsigned metric)
{
	const struct sink_about *a = c->about;
	bool few = false;
	double v = e->known ? a->traced(a->traced_arg, &e->counts, metric, &few)
			    : NAN;

	if (isnan(v)) {
		buf_char(b, '-');
		return;
	}
	buf_str(b, few ? "*" : "");
	buf_fixed(b, v, a->metric[metric]->decimals);
}

static void
events_at(const struct text_process *t, const struct process_table *of,
	  const struct process_row *row, struct process_events *out)
{
	if (row == &t->pick.others)
		*out = t->others;
	else if (row == &of->rest) /* of no process: it has no rate */
		*out = (struct process_events){ .slots = 0 };
	else
		process_events_of(of, row, out);
}

static bool
any_has(const struct text_process *t, const struct process_table *of,
	const struct text_process_columns *c, unsigned metric)
{
	const struct sink_about *a = c->about;
	struct process_events e = t->others;
	bool few;

	if (e.known &&
	    !isnan(a->traced(a->traced_arg, &e.counts, metric, &few)))
		return true;
	for (unsigned i = 0; i < t->pick.top.n; i++) {
		process_events_of(of, &of->row[t->pick.top.index[i]], &e);
		if (e.known &&
		    !isnan(a->traced(a->traced_arg, &e.counts, metric, &few)))
			return true;
	}
	return false;
}

/* Those of the cores' columns that some row has. */
static void
choose_rates(struct text_process *t, const struct frame *f,
	     const struct text_process_columns *c)
{
	const struct process_traced *it = f->processes->traced;

	t->nrates = 0;
	if (c->about->traced == NULL || it == NULL ||
	    it->state != PROCESS_TRACING_ON)
		return;
	struct process_events rest;

	process_pick_events(&t->pick, f, &t->others, &rest);
	for (unsigned i = 0; i < c->n && t->nrates < TEXT_RATES; i++)
		if (any_has(t, f->processes, c, c->metric[i]))
			t->rate[t->nrates++] = c->metric[i];
}

/* The rows of the table: the picked ones, the others, and (rest). */
struct rows {
	const struct text_process *t;
	const struct process_table *of;
	unsigned n;
};

static struct rows
rows_of(const struct text_process *t, const struct process_table *of)
{
	struct rows r = { t, of, t->pick.top.n };

	r.n += of->has_rest;
	r.n += t->pick.nothers > 0;
	return r;
}

static const struct process_row *
row_at(const struct rows *r, unsigned i)
{
	if (i < r->t->pick.top.n)
		return &r->of->row[r->t->pick.top.index[i]];
	return i == r->t->pick.top.n && r->t->pick.nothers > 0
		       ? &r->t->pick.others
		       : &r->of->rest;
}

static void
measure_rates(struct text_process *t, const struct rows *rows,
	      const struct text_process_columns *c)
{
	char cell[CELL_MAX];
	struct process_events e;

	for (unsigned i = 0; i < t->nrates; i++) {
		size_t *width = &t->rate_width[t->rate[i]];

		widen(width, CELL_MIN);
		widen(width, cells_wide(c->about->metric[t->rate[i]]->label));
		for (unsigned k = 0; k < rows->n; k++) {
			struct buf b = buf_over(cell, sizeof cell);

			events_at(t, rows->of, row_at(rows, k), &e);
			put_rate(&b, c, &e, t->rate[i]);
			widen(width, b.len);
		}
	}
}

static void
measure(struct text_process *t, const struct rows *rows)
{
	const struct process_parts *parts = &rows->of->parts;
	char cell[CELL_MAX], label[LABEL_MAX], user[PROCESS_USER_SIZE];

	t->shown |= always | (parts->n > 1 ? of_parts : 0);
	for (unsigned i = 0; i < rows->n; i++) {
		const struct process_row *r = row_at(rows, i);
		struct buf b = buf_over(cell, sizeof cell);

		buf_i64(&b, r->pid);
		widen(&t->pid_width, b.len);
		widen(&t->user_width, cells_wide(user_of(r, user)));
		for (unsigned c = 0; c < COLUMNS; c++) {
			b.len = 0;
			put_value(&b, r, column[c]);
			widen(&t->width[column[c]], b.len);
			if (!isnan(r->value[column[c]]))
				t->shown |= 1u << column[c];
		}
	}
	for (unsigned c = 0; c < COLUMNS; c++) {
		struct buf b = buf_over(label, sizeof label);

		label_of(&b, parts, column[c]);
		widen(&t->width[column[c]],
		      b.len > CELL_MIN ? b.len : CELL_MIN);
	}
}

static void
put_heads(struct buf *b, const struct text_process *t,
	  const struct process_table *of, const struct text_process_columns *c)
{
	size_t from = b->len;

	for (size_t i = 3; i < t->pid_width; i++)
		buf_char(b, ' ');
	buf_str(b, "PID ");
	from = b->len;
	buf_str(b, "USER");
	buf_pad(b, from, t->user_width);
	for (unsigned i = 0; i < COLUMNS; i++) {
		char label[LABEL_MAX];
		struct buf l = buf_over(label, sizeof label);

		if ((t->shown >> column[i] & 1) == 0)
			continue;
		label_of(&l, &of->parts, column[i]);
		put_right(b, l.at, l.len, t->width[column[i]]);
	}
	for (unsigned i = 0; i < t->nrates; i++) {
		const char *label = c->about->metric[t->rate[i]]->label;

		buf_blanks(b,
			   1 + t->rate_width[t->rate[i]] - cells_wide(label));
		buf_str(b, label);
	}
	buf_str(b, "  PROCESS\n");
}

static void
put_name(struct buf *b, const struct text_process *t,
	 const struct process_row *r)
{
	char plain[PROCESS_NAME_SIZE];

	utf8_plain(plain, sizeof plain, r->name, strlen(r->name));
	if (r != &t->pick.others) {
		buf_str(b, plain[0] != '\0' ? plain : "-");
		return;
	}
	buf_char(b, '(');
	buf_u64(b, t->pick.nothers);
	buf_str(b, plural(t->pick.nothers, " other)", " others)"));
}

static void
put_rates(struct buf *b, const struct text_process *t,
	  const struct process_table *of, const struct process_row *r,
	  const struct text_process_columns *c)
{
	char cell[CELL_MAX];
	struct process_events e;

	events_at(t, of, r, &e);
	for (unsigned i = 0; i < t->nrates; i++) {
		struct buf v = buf_over(cell, sizeof cell);

		put_rate(&v, c, &e, t->rate[i]);
		put_right(b, v.at, v.len, t->rate_width[t->rate[i]]);
	}
}

static void
put_row(struct buf *b, const struct text_process *t,
	const struct process_table *of, const struct process_row *r,
	const struct text_process_columns *columns)
{
	char cell[CELL_MAX], user[PROCESS_USER_SIZE], words[128];
	struct buf v = buf_over(cell, sizeof cell);

	if (r->pid >= 0)
		buf_i64(&v, r->pid);
	else
		buf_char(&v, '-');
	for (size_t i = v.len; i < t->pid_width; i++)
		buf_char(b, ' ');
	buf_bytes(b, v.at, v.len);
	buf_char(b, ' ');
	buf_str(b, user_of(r, user));
	for (size_t i = cells_wide(user_of(r, user)); i < t->user_width; i++)
		buf_char(b, ' ');
	for (unsigned c = 0; c < COLUMNS; c++) {
		if ((t->shown >> column[c] & 1) == 0)
			continue;
		v.len = 0;
		put_value(&v, r, column[c]);
		put_right(b, v.at, v.len, t->width[column[c]]);
	}
	put_rates(b, t, of, r, columns);
	buf_str(b, "  ");
	put_name(b, t, r);
	process_words(r, words, sizeof words);
	if (words[0] != '\0')
		buf_str(b, "  ");
	buf_str(b, words);
	buf_char(b, '\n');
}

/* How many there are, of what, and what is to be known of them all. */
static void
put_counts(struct buf *b, const struct text_process *t,
	   const struct process_table *of)
{
	unsigned n = t->pick.top.n + t->pick.nothers;

	buf_u64(b, n);
	buf_str(b, plural(n, " process", " processes"));
	if (of->started != UINT64_MAX && of->started > 0) {
		buf_str(b, "  seen ");
		buf_u64(b, of->born);
		buf_str(b, " new, ");
		buf_u64(b, of->started);
		buf_str(b, " forks and threads");
	}
	if (of->domain != DOMAIN_ALL && of->domain != DOMAIN_NONE) {
		buf_str(b, "  counts: ");
		buf_str(b, domain_name[of->domain]);
	}
	if (of->notice != NULL && of->notice[0] != '\0') {
		buf_str(b, "  ");
		buf_str(b, of->notice);
	}
	buf_char(b, '\n');
}

void
text_process_put(struct buf *b, struct text_process *t, const struct frame *f,
		 const struct text_process_columns *c)
{
	const struct process_table *of = f->processes;

	if (of == NULL || t->pick.top.room == 0)
		return;
	process_pick_take(&t->pick, of, f->interval_s);
	const struct rows rows = rows_of(t, of);

	choose_rates(t, f, c);
	measure(t, &rows);
	measure_rates(t, &rows, c);
	put_counts(b, t, of);
	put_heads(b, t, of, c);
	for (unsigned i = 0; i < rows.n; i++)
		put_row(b, t, of, row_at(&rows, i), c);
}
