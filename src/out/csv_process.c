#include "out/csv_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/process_word.h"
#include "out/csv_row.h"

enum { WORDS_MAX = 128 };

/* Metrics of cores that mean the same of a process, in order of columns. */
static const struct {
	const char *column;
	enum process_metric value;
} shared[CSV_SHARED] = { { "ipc", PROCESS_IPC },
			 { "ghz", PROCESS_GHZ },
			 { "gips", PROCESS_GIPS } };

bool
csv_process_init(struct csv_plan *p, const struct sink_about *a)
{
	for (unsigned i = 0; i < CSV_SHARED; i++)
		p->shared[i] = (unsigned)column_find(shared[i].column);
	p->processes = a->processes;
	if (a->processes == 0)
		return true;
	p->pick = calloc(1, sizeof *p->pick);
	return p->pick != NULL && process_pick_init(p->pick, a->processes);
}

void
csv_process_done(struct csv_plan *p)
{
	if (p->pick != NULL)
		process_pick_free(p->pick);
	free(p->pick);
}

size_t
csv_process_size(const struct csv_plan *p)
{
	size_t names = 2 * (PROCESS_NAME_SIZE + PROCESS_USER_SIZE) + 8;
	size_t events =
		EVENTSET_MAX * (2 * (EVENT_NAME_SIZE + 1) + CSV_NUMBER_MAX);
	size_t size = CSV_HEAD_MAX + CSV_MOMENT_MAX + CSV_STATE_MAX +
		      p->about.len + 4 * names + events +
		      PROCESS_COLUMNS * CSV_NUMBER_MAX + 8 * CSV_NUMBER_MAX +
		      p->ncolumns * sizeof "null";

	return p->json ? JSON_GROWTH * size + json_keys_size(&p->keys) : size;
}

static void
put_name(struct csv_row *r, const char *name)
{
	char plain[PROCESS_NAME_SIZE];

	utf8_plain(plain, sizeof plain, name, strlen(name));
	csv_put_text(r, plain);
}

static void
put_value(struct csv_row *r, double v)
{
	csv_put_real(r, !isnan(v), v);
}

static void
put_time(struct csv_row *r, int64_t wall_ns)
{
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	if (wall_ns != 0)
		format_time(&b, wall_ns);
	csv_put_text(r, buf_cstr(&b));
}

static void
put_metrics(struct csv_row *r, const struct process_row *row)
{
	for (unsigned i = 0; i < CSV_SHARED; i++) {
		csv_nothing_up_to(r, r->p->shared[i]);
		put_value(r, row->value[shared[i].value]);
	}
}

static uint64_t
other_ns(const struct process_row *row)
{
	uint64_t ns = 0;

	for (unsigned i = 1; i < PROCESS_PARTS; i++)
		ns += row->d.part[i].cpu_ns;
	return ns;
}

/* The columns of processes alone, in their order. */
static void
put_own(struct csv_row *r, const struct process_row *row, unsigned parts,
	bool one)
{
	const struct process_totals *d = &row->d;
	uint32_t known = row->known;

	if (parts < 2) /* all cores are of one kind */
		known &=
			~(uint32_t)(PROCESS_HAS_PARTS | PROCESS_HAS_PART_TIMES |
				    PROCESS_HAS_PART_ENERGY);
	csv_put_index(r, one ? row->pid : -1);
	csv_put_count(r, one, row->start);
	put_name(r, row->name);
	put_name(r, one ? row->user : "");
	csv_put_count(r, one, row->uid);
	csv_put_count(r, row->threads > 0, row->threads);
	csv_put_count(r, known & PROCESS_HAS_PARTS, d->part[0].cycles);
	csv_put_count(r, known & PROCESS_HAS_PARTS, d->part[0].instructions);
	csv_put_count(r, known & PROCESS_HAS_TIMES, d->user_ns);
	csv_put_count(r, known & PROCESS_HAS_TIMES, d->system_ns);
	csv_put_count(r, known & PROCESS_HAS_PART_TIMES, d->part[0].cpu_ns);
	csv_put_count(r, known & PROCESS_HAS_ENERGY, d->energy_nj);
	put_value(r, row->value[PROCESS_P_TIME]);
	csv_put_count(r, known & PROCESS_HAS_PART_TIMES, other_ns(row));
	csv_put_count(r, known & PROCESS_HAS_PART_ENERGY, d->part[0].energy_nj);
	put_value(r, row->value[PROCESS_CPU]);
	csv_put_text(r, one ? process_state_name(row->state) : "");
	csv_put_index(r, one ? row->parent : -1);
	put_time(r, one ? row->started_ns : 0);
}

/* About a frame, in the row that ends it. */
static void
put_began(struct csv_row *r, const struct process_table *t, bool ends)
{
	bool known = ends && t->started != UINT64_MAX;

	csv_put_count(r, known, t->started);
	csv_put_count(r, known, t->born);
}

/* Those that were counted of it, each with its event's name. */
static void
put_events(struct csv_row *r, const struct eventset *set,
	   const struct process_events *e)
{
	csv_nothing_up_to(r, COLUMN_SLOTS);
	for (unsigned i = 0; i < set->len && e->slots != 0; i++) {
		csv_put_text(r, set->slot[i].event->name);
		csv_put_count(r, (e->slots >> i & 1) != 0, e->counts.slot[i]);
	}
}

/* Which part of its cycles was counted with its events. */
static void
put_coverage(struct csv_row *r, const struct process_row *row,
	     const struct process_events *e)
{
	bool known = e->known && (row->known & PROCESS_HAS_COUNTS) != 0 &&
		     (int64_t)row->d.cycles > 0;

	csv_put_real(r, known,
		     known ? (double)e->counts.cycles / (double)row->d.cycles
			   : 0);
}

struct writer {
	struct buf *b;
	const struct csv_plan *p;
	const struct process_table *t;
	const struct eventset *set;
	const struct buf *moment;
};

static void
write_row(const struct writer *w, const char *type,
	  const struct process_row *row, const struct process_events *e,
	  bool one)
{
	const struct csv_plan *p = w->p;
	struct csv_row r = { w->b, p, 0 };
	bool counts = (row->known & PROCESS_HAS_COUNTS) != 0;
	char words[WORDS_MAX];

	csv_put_head(&r, type);
	csv_put_piece(&r, w->moment->at, w->moment->len, COLUMN_INTERVAL_S);
	csv_put_seconds(&r, row->interval_s > 0, row->interval_s);
	csv_nothing_up_to(&r, COLUMN_SOURCE);
	csv_put_piece(&r, p->text + p->about.at, p->about.len, COLUMN_CHIP + 1);
	csv_nothing_up_to(&r, COLUMN_DOMAIN);
	csv_put_text(&r, domain_name[w->t->domain]);
	csv_put_quality(&r, process_words(row, words, sizeof words));
	put_coverage(&r, row, e);
	csv_nothing_up_to(&r, COLUMN_CYCLES);
	csv_put_count(&r, counts, row->d.cycles);
	csv_put_count(&r, counts, row->d.instructions);
	put_events(&r, w->set, e);
	put_metrics(&r, row);
	csv_nothing_up_to(&r, p->ncolumns - PROCESS_COLUMNS);
	put_own(&r, row, w->t->parts.n, one);
	put_began(&r, w->t, row == &p->pick->others);
	csv_put_count(&r, e->known, e->counts.cycles);
	csv_put_count(&r, e->known, e->counts.instructions);
	csv_end_row(&r);
}

void
csv_write_processes(struct buf *b, const struct csv_plan *p,
		    const struct frame *f, const struct buf *moment)
{
	const struct process_table *t = f->processes;
	const struct writer w = { b, p, t, f->set, moment };
	struct process_events others, rest, one;

	if (t == NULL || p->pick == NULL)
		return;
	process_pick_take(p->pick, t, f->interval_s);
	process_pick_events(p->pick, f, &others, &rest);
	for (unsigned i = 0; i < p->pick->top.n; i++) {
		const struct process_row *row = &t->row[p->pick->top.index[i]];

		process_events_of(t, row, &one);
		write_row(&w, "process", row, &one, true);
	}
	if (t->has_rest)
		write_row(&w, "rest", &t->rest, &rest, false);
	write_row(&w, "others", &p->pick->others, &others, false);
}
