#include "ui/view/view.h"

#include <math.h>
#include <string.h>

struct process_id
processes_id(const struct process_row *row)
{
	return (struct process_id){ row->pid, row->start, row->thread };
}

bool
processes_same(struct process_id a, struct process_id b)
{
	return a.pid == b.pid && a.start == b.start && a.thread == b.thread;
}

static const struct process_row *
row_find(const struct process_list *l, struct process_id id)
{
	return l->t != NULL ? process_find(l->t->row, l->t->n, id.pid, id.start)
			    : NULL;
}

bool
processes_pinned(const struct process_list *l, const struct process_row *row)
{
	for (unsigned i = 0; i < l->npins; i++)
		if (processes_same(l->pin[i], processes_id(row)))
			return true;
	return false;
}

const struct ended_process *
processes_find_ended(const struct process_list *l)
{
	const struct ended_process *o = &l->over;

	return l->open.pid >= 0 && o->is && l->t != NULL &&
			       l->when.seq >= o->seq &&
			       processes_same(processes_id(&o->row), l->open)
		       ? o
		       : NULL;
}

const struct process_row *
processes_opened(const struct process_list *l)
{
	const struct ended_process *over = processes_find_ended(l);

	if (over != NULL)
		return &over->row;
	return l->open.pid >= 0 ? row_find(l, l->open) : NULL;
}

const char *
processes_command(const struct process_list *l)
{
	return l->open.pid >= 0 ? l->over.command.text : "";
}

const struct process_row *
processes_row(const struct process_list *l, unsigned line)
{
	if (l->t == NULL || line >= l->n)
		return NULL;
	switch (l->line[line].kind) {
	case LINE_PROCESS:
		return &l->t->row[l->line[line].at];
	case LINE_THREAD:
		return &l->t->thread[l->line[line].at];
	case LINE_OVER:
		return &l->over.row;
	default:
		return NULL;
	}
}

const struct process_row *
processes_selected(const struct process_list *l)
{
	return l->list.cursor_on ? processes_row(l, l->list.cursor) : NULL;
}

/* Sets l->key so that rows keep the order `o`; rows not in `o` come last. */
static void
keys_frozen(struct process_list *l, const struct process_order *o,
	    const struct process_row *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		l->key[i] = PROCESS_ROWS_MAX;
	for (unsigned k = 0; k < o->n; k++) {
		unsigned i = 0;

		if (o == &l->order) {
			const struct process_row *at = row_find(l, o->id[k]);

			i = at != NULL ? (unsigned)(at - row) : n;
		} else {
			while (i < n &&
			       !processes_same(processes_id(&row[i]), o->id[k]))
				i++;
		}
		if (i < n)
			l->key[i] = k;
	}
}

/* Sorts s->at, but keeps the order of the last draw while a row is selected,
 * unless l->resort is set. Returns the number of rows above LINE_RULE. */
static unsigned
sort_rows(struct process_list *l, struct process_order *o, struct sorting *s,
	  unsigned rows)
{
	const struct process_row *row = s->process;
	bool frozen = l->list.cursor_on && !l->resort && o->n > 0;
	unsigned above = 0;

	if (o == &l->order)
		l->frozen = l->list.cursor_on && s->n > 0;
	if (frozen)
		keys_frozen(l, o, row, rows);
	else
		for (unsigned i = 0; i < s->n; i++)
			l->key[s->at[i]] = view_sort_key(
				s->v, &l->list, OF_PROCESS(&row[s->at[i]]));
	s->key = l->key;
	s->named = l->list.sort == SORT_NAME;
	s->reverse = l->list.reverse;
	view_sort_rows(s);
	while (above < s->n &&
	       (frozen ? l->key[s->at[above]] < o->above
		       : view_row_at_work(s->v,
					  OF_PROCESS(&row[s->at[above]]))))
		above++;
	o->n = 0;
	for (unsigned i = 0; l->list.cursor_on && i < s->n; i++)
		o->id[o->n++] = processes_id(&row[s->at[i]]);
	o->above = above;
	return above;
}

static void
process_line_add(struct process_list *l, enum process_line_kind kind,
		 unsigned at)
{
	if (l->n < PROCESS_LINES)
		l->line[l->n++] =
			(struct process_line){ (uint8_t)kind, (uint16_t)at };
}

static void
threads_add(const struct view *v)
{
	struct process_list *l = v->procs;
	const struct process_table *t = l->t;
	unsigned at[PROCESS_THREADS_MAX];
	struct sorting s = { .v = v, .process = t->thread, .at = at };

	if (t->opened != l->open.pid || t->opened_at != l->open.start)
		return;
	s.n = t->nthreads < PROCESS_THREADS_MAX ? t->nthreads
						: PROCESS_THREADS_MAX;
	for (unsigned i = 0; i < s.n; i++)
		at[i] = i;
	(void)sort_rows(l, &l->threads, &s, s.n);
	for (unsigned i = 0; i < s.n; i++)
		process_line_add(l, LINE_THREAD, at[i]);
}

static void
process_add(const struct view *v, const struct process_row *row)
{
	struct process_list *l = v->procs;

	if (processes_find_ended(l) != NULL &&
	    processes_same(processes_id(row), l->open))
		return;
	process_line_add(l, LINE_PROCESS, (unsigned)(row - l->t->row));
	if (processes_same(processes_id(row), l->open))
		threads_add(v);
}

static void
pins_add(const struct view *v)
{
	struct process_list *l = v->procs;

	for (unsigned i = 0; i < l->npins; i++) {
		const struct process_row *row = row_find(l, l->pin[i]);

		if (row != NULL)
			process_add(v, row);
	}
	l->list.npinned = l->n < l->list.page / 2 ? l->n : l->list.page / 2;
}

bool
processes_idle(const struct process_row *row)
{
	double cpu = row->value[PROCESS_CPU];
	double cycles = row->value[PROCESS_CYCLES_PCT];

	return row->state != PROCESS_ENDED && cpu < 0.05 && !(cycles >= 0.05);
}

/* True if the row is folded: it is idle, and neither open nor selected. stays:
 * the row is listed and must not move while a row is selected. */
static bool
is_row_folded(const struct process_list *l, const struct process_row *row,
	      bool stays)
{
	return !l->all && l->list.filter[0] == 0 && !stays &&
	       processes_idle(row) &&
	       !processes_same(processes_id(row), l->open) &&
	       !(l->list.cursor_on &&
		 processes_same(processes_id(row), l->selected));
}

static void
lines_make(const struct view *v)
{
	struct process_list *l = v->procs;
	struct sorting s = { .v = v, .at = l->row };
	unsigned all = l->t != NULL ? l->t->n : 0, above;
	bool kept = l->list.cursor_on && !l->resort && l->order.n > 0;
	struct filter filter;

	l->nidle = 0;
	l->n = l->list.npinned = l->list.nmatch = 0;
	if (l->t == NULL)
		return;
	s.process = l->t->row;
	view_filter_read(v, &l->list, &filter);
	if (all > PROCESS_ROWS_MAX)
		all = PROCESS_ROWS_MAX;
	if (kept)
		keys_frozen(l, &l->order, l->t->row, all);
	for (unsigned i = 0; i < all; i++) {
		const struct process_row *row = &l->t->row[i];
		bool match = view_filter_passes(v, &filter, OF_PROCESS(row));

		l->list.nmatch += match;
		if (!match || processes_pinned(l, row))
			continue;
		if (is_row_folded(l, row,
				  kept && l->key[i] < (double)PROCESS_ROWS_MAX))
			l->row[PROCESS_ROWS_MAX - ++l->nidle] = i;
		else
			l->row[s.n++] = i;
	}
	if (l->nidle == 1) {
		l->row[s.n++] = l->row[PROCESS_ROWS_MAX - 1];
		l->nidle = 0;
	}
	above = sort_rows(l, &l->order, &s, all);
	if (processes_find_ended(l) != NULL)
		process_line_add(l, LINE_OVER, 0);
	pins_add(v);
	for (unsigned i = 0; i < s.n; i++) {
		if (i == above && l->list.sort == SORT_WORST)
			process_line_add(l, LINE_RULE, 0);
		process_add(v, &l->t->row[l->row[i]]);
	}
	if (l->nidle > 0)
		process_line_add(l, LINE_IDLE, 0);
}

static unsigned
line_selected(const struct process_list *l)
{
	unsigned i = 0;

	while (i < l->n) {
		const struct process_row *row = processes_row(l, i);

		if (row != NULL &&
		    processes_same(processes_id(row), l->selected))
			break;
		i++;
	}
	return i;
}

static bool
is_process_line(const struct process_list *l, unsigned line)
{
	return line < l->n && l->line[line].kind != LINE_RULE &&
	       l->line[line].kind != LINE_IDLE;
}

static void
cursor_skip_lines(struct process_list *l)
{
	if (l->list.cursor >= l->n || is_process_line(l, l->list.cursor))
		return;
	if (l->cursor_step < 0 && l->list.cursor > 0)
		l->list.cursor--;
	else if (is_process_line(l, l->list.cursor + 1))
		l->list.cursor++;
	else if (l->list.cursor > 0)
		l->list.cursor--;
}

static void
cursor_place(struct process_list *l)
{
	if (l->list.cursor_on && !l->list.cursor_moved) {
		unsigned at = line_selected(l);

		if (at < l->n)
			l->list.cursor = at;
	}
	if (l->list.cursor >= l->n)
		l->list.cursor = l->n > 0 ? l->n - 1 : 0;
	cursor_skip_lines(l);
	view_rows_scroll(&l->list, l->n, 0, l->list.cursor_on);
	const struct process_row *row = processes_selected(l);

	if (row != NULL)
		l->selected = processes_id(row);
	l->list.cursor_moved = false;
}

static bool
pin_toggle(struct process_list *l)
{
	const struct process_row *row = processes_selected(l);
	unsigned i = 0;

	if (!l->list.pin_key || row == NULL)
		return false;
	struct process_id id = { row->pid, row->start, 0 };

	l->list.pin_key = false;
	if (row->thread != 0)
		id = l->open;
	while (i < l->npins && !processes_same(l->pin[i], id))
		i++;
	if (i < l->npins) {
		l->npins--;
		memmove(l->pin + i, l->pin + i + 1,
			(l->npins - i) * sizeof *l->pin);
	} else if (l->npins < PROCESS_PINS) {
		l->pin[l->npins++] = id;
	}
	for (i = 0; i < l->npins; i++)
		l->pin_pid[i] = l->pin[i].pid;
	return true;
}

static const struct process_row *
process_row_to_open(struct process_list *l)
{
	const struct process_row *row = processes_selected(l);

	if (row == NULL)
		row = processes_flagged(l);
	if (row == NULL)
		row = processes_row(l, 0);
	return row;
}

static bool
open_toggle(struct process_list *l)
{
	const struct process_row *row =
		l->open_key ? process_row_to_open(l) : NULL;

	l->open_key = false;
	if (row == NULL)
		return false;
	bool opened =
		row->thread != 0 || processes_same(processes_id(row), l->open);
	struct process_id id = row->thread != 0 ? l->open : processes_id(row);

	l->open = id;
	if (opened)
		l->open.pid = -1;
	l->threads.n = 0;
	l->list.cursor_on = true;
	l->selected = id;
	return true;
}

void
processes_arrange(struct view *v, unsigned page)
{
	struct process_list *l = v->procs;

	l->list.page = page > 0 ? page : 1;
	lines_make(v);
	cursor_place(l);
	bool again = pin_toggle(l);

	again |= open_toggle(l);
	l->resort = false;
	if (!again)
		return;
	lines_make(v);
	cursor_place(l);
}

unsigned
processes_line(const struct process_list *l, unsigned i)
{
	return i < l->list.npinned ? i : l->list.top + i;
}

const struct process_row *
processes_flagged(const struct process_list *l)
{
	const struct process_row *worst = NULL;

	for (unsigned i = 0; l->t != NULL && i < l->t->n; i++) {
		const struct process_row *row = &l->t->row[i];

		if (row->flagged &&
		    (worst == NULL || row->d.cycles > worst->d.cycles))
			worst = row;
	}
	return worst;
}

/* Copies the row and its strings, which the table owns. */
static void
over_keep_row(struct ended_process *o, const struct process_row *row)
{
	struct buf name = buf_over(o->name, sizeof o->name);
	struct buf user = buf_over(o->user, sizeof o->user);

	buf_str(&name, row->name);
	buf_str(&user, row->user);
	o->row = *row;
	o->row.name = buf_cstr(&name);
	o->row.user = buf_cstr(&user);
	o->row.state = PROCESS_ENDED;
	o->row.access = PROCESS_COUNTED;
	o->row.flagged = false;
	o->row.events = NULL;
	o->row.known = o->row.flags = 0;
	for (int m = 0; m < PROCESS_METRICS; m++)
		o->row.value[m] = NAN;
}

static void
over_keep_command(struct process_list *l)
{
	const struct process_command *c = l->t->command;

	if (c != NULL && c->pid == l->open.pid && c->start == l->open.start)
		l->over.command = *c;
	else if (l->over.command.pid != l->open.pid ||
		 l->over.command.start != l->open.start)
		l->over.command.text[0] = '\0';
}

/* Keeps the last row of the open process, which stays open after its end. */
static void
follow_open(struct process_list *l)
{
	const struct process_row *row =
		l->open.pid >= 0 ? row_find(l, l->open) : NULL;
	struct ended_process *o = &l->over;

	if (l->open.pid < 0)
		return;
	over_keep_command(l);
	if (!processes_same(processes_id(&o->row), l->open) ||
	    (row != NULL && row->state != PROCESS_ENDED &&
	     l->when.seq >= o->seq))
		o->is = false;
	if (o->is)
		return;
	if (row != NULL)
		over_keep_row(o, row);
	else if (l->when.live)
		l->open.pid = -1; /* unknown whether the process ended */
	if (row == NULL || row->state != PROCESS_ENDED)
		return;
	o->is = l->over.say = true;
	o->seq = l->when.seq;
	o->wall_ns = l->when.wall_ns;
}

bool
processes_describe_ended(struct process_list *l, struct buf *out)
{
	if (!l->over.say)
		return false;
	buf_printf(out, "%s (%d) ended; it stays open until Esc", l->over.name,
		   (int)l->over.row.pid);
	l->over.say = false;
	return true;
}

void
processes_use_table(struct process_list *l, const struct process_table *t,
		    const struct process_when *when)
{
	l->t = t;
	if (t == NULL)
		return;
	l->when = *when;
	l->parts = t->parts;
	l->cores_known = (t->cores.known & PROCESS_HAS_COUNTS) != 0;
	for (unsigned i = 0; i < t->n; i++)
		l->known |= t->row[i].known;
	l->tracer.known = true;
	if (t->traced != NULL) {
		l->tracer.state = t->traced->state;
		l->tracer.owner = t->traced->owner;
		l->tracer.own = t->traced->own;
	}
	follow_open(l);
}

void
processes_move_cursor(struct process_list *l, unsigned line)
{
	if (!is_process_line(l, line))
		return;
	l->list.cursor_on = l->list.cursor_moved = true;
	l->cursor_step = 1;
	l->list.cursor = line;
}

void
processes_open_key(struct process_list *l)
{
	l->open_key = true;
}

void
processes_list_idle(struct process_list *l)
{
	l->all = !l->all;
	l->resort = true;
}

bool
processes_close(struct process_list *l)
{
	if (l->list.filter[0] != 0)
		l->list.filter[0] = 0;
	else if (l->open.pid >= 0)
		l->open.pid = -1;
	else if (l->list.cursor_on)
		l->list.cursor_on = false;
	else
		return false;
	return true;
}
