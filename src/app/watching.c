#include "app/watching.h"

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "ui/view/layout.h"

/*
 * Who takes what belongs to all tools gets something for it. What only the
 * config file asks for has no effect then.
 */
static bool
check_tracing(struct app *a, struct err *e)
{
	struct err why;

	if (!a->look.trace)
		return true;
	if (a->source->info.ends)
		err_set(&why, ERR_USAGE,
			"--trace-processes: a recording has the events of processes that were counted then, and no others; drop it");
	else if (!a->screen.wanted && a->o->out.processes == 0)
		err_set(&why, ERR_USAGE,
			"--trace-processes counts events of the processes that an output has: add --processes");
	else
		return true;
	if (option_line(a->o, "trace-processes") == 0) {
		*e = why;
		return false;
	}
	a->look.trace = false;
	return true;
}

bool
watching_check(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	struct err why;

	if (!check_tracing(a, e))
		return false;
	if (a->o->out.processes == 0 || i->processes)
		return true;
	if (i->ends)
		err_set(&why, ERR_USAGE,
			"--processes: this recording has no processes; one that was made with --processes has");
	else
		err_set(&why, ERR_NO_PMU,
			"--processes: the source %s does not tell of processes; drop it, or try --sim m1",
			i->source);
	if (option_line(a->o, "processes") == 0) {
		*e = why;
		return false;
	}
	news_add(&a->news, "%s", why.text);
	return true;
}

void
watching_close(struct app *a)
{
	process_reading_free(&a->watching.reading);
}

/* Is there an output that has room for them? */
static bool
is_written(const struct app *a)
{
	if (a->o->out.processes == 0)
		return false;
	for (unsigned i = 0; i < OUTPUTS_ALL; i++)
		if (a->outlets.outlet[i].sink != NULL)
			return true;
	/* The first reading comes before any of them is open. */
	return a->frame == NULL;
}

/* Before it is open, the first view tells what it will want. */
static bool
is_shown(const struct app *a, struct process_wish *w)
{
	const struct process_wish none = *w;

	if (a->screen.ui == NULL)
		return a->screen.wanted && a->look.view == VIEW_PROCESSES;
	if (ui_wish(a->screen.ui, w))
		return true;
	*w = none;
	return false;
}

/* What the screen and the outputs want to know, both in one. */
static bool
wish(const struct app *a, struct process_wish *w)
{
	bool written = is_written(a), shown;
	/* It may be stopped before they are asked for: no frame would come. */
	bool replayed = a->source->info.ends && a->screen.wanted;

	*w = (struct process_wish){ .top = PROCESS_TOP, .opened = -1 };
	shown = is_shown(a, w);
	if (!shown || (written && a->o->out.processes > w->top))
		w->top = a->o->out.processes;
	w->first = w->first || written;
	if (written && a->look.trace)
		w->trace = a->screen.ui == NULL || ui_traces(a->screen.ui);
	return shown || written || replayed;
}

bool
watching_begins(struct app *a)
{
	struct process_wish w = { .opened = -1 };
	struct watching *what = &a->watching;
	bool before = what->shown;
	int32_t opened = what->opened;

	what->shown = a->source->info.processes && is_shown(a, &w);
	what->opened = what->shown ? w.opened : -1;
	bool begins =
		what->shown &&
		(!before || (what->opened >= 0 && what->opened != opened));

	if (begins)
		what->hurried = false;
	return begins;
}

static bool
has_numbers(const struct process_row *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (row[i].known != 0)
			return true;
	return false;
}

bool
watching_hurries(struct app *a)
{
	const struct process_table *t =
		a->frame != NULL ? a->frame->processes : NULL;
	bool first =
		t != NULL &&
		((t->n > 0 && !has_numbers(t->row, t->n)) ||
		 (t->nthreads > 0 && !has_numbers(t->thread, t->nthreads)));

	if (!first || a->watching.hurried || !a->screen.wanted)
		return false;
	a->watching.hurried = true;
	return true;
}

/* Is it the same sentence, if perhaps of other numbers? */
static bool
says_the_same(const char *a, const char *b)
{
	static const char digits[] = "0123456789";

	for (;; a++, b++) {
		size_t na = strspn(a, digits), nb = strspn(b, digits);

		a += na;
		b += nb;
		if ((na > 0) != (nb > 0) || *a != *b)
			return false;
		if (*a == '\0')
			return true;
	}
}

/* How many processes it is about changes all the time. */
static void
tell_once(struct app *a, char *told, size_t size, const char *text)
{
	if (says_the_same(told, text))
		return;
	snprintf(told, size, "%s", text);
	news_add(&a->news, "%s", text);
}

/* One that went back is likely to do so again, and is flagged each time. */
static void
note_restarts(struct app *a, const struct process_table *t)
{
	struct watching *w = &a->watching;

	for (unsigned i = 0; i < t->n && !w->restart_told; i++) {
		const struct process_row *row = &t->row[i];

		if ((row->flags & PROCESS_RESTARTED) == 0)
			continue;
		w->restart_told = true;
		news_add(
			&a->news,
			"the counts of process %d (%s) went back; it counts as a new one",
			(int)row->pid, row->name);
	}
}

static bool
has_counts(const struct process_reading *r)
{
	for (unsigned i = 0; i < r->n; i++)
		if ((r->row[i].known & PROCESS_HAS_COUNTS) != 0)
			return true;
	return false;
}

/* The screen shows it next to the rows. */
static void
note_notice(struct app *a)
{
	struct watching *w = &a->watching;

	if (a->screen.wanted)
		return;
	w->reading.notice[sizeof w->reading.notice - 1] = '\0';
	if (w->reading.notice[0] != '\0')
		tell_once(a, w->notice, sizeof w->notice, w->reading.notice);
}

/* By an option nobody was asked before: it is said with the first reading. */
static void
note_tracing(struct app *a)
{
	struct watching *w = &a->watching;
	const struct process_traced *t = &w->reading.traced;
	const char *text = "";

	switch ((enum process_tracing)t->state) {
	case PROCESS_TRACING_ON:
		text = t->own ? "events of processes: they have counters of their own"
			      : "events of processes: the kernel is traced, other tools that do so (Instruments, fs_usage) must wait";
		break;
	case PROCESS_TRACING_REFUSED:
		text = a->screen.wanted ? "" : t->why; /* which shows it */
		break;
	case PROCESS_TRACING_NONE:
		text = "events of processes: this source can neither trace the kernel nor give processes counters of their own";
		break;
	case PROCESS_TRACING_OFF:
		break;
	}
	if (text[0] != '\0')
		tell_once(a, w->tracing, sizeof w->tracing, text);
}

/* Counters of processes cost at each switch between them (Linux). */
static void
let_go(struct app *a)
{
	const struct process_wish none = { .opened = -1 };
	struct err e;

	(void)a->source->ops->processes(a->source, &none, &a->watching.reading,
					&e);
}

void
watching_take(struct app *a, const struct frame *f)
{
	struct watching *w = &a->watching;
	struct process_wish what;
	struct err e = { ERR_NONE, "" };

	if (!a->source->info.processes || !monitor_processes_due(a->monitor))
		return;
	bool before = w->wished;

	w->wished = wish(a, &what);
	if (!w->wished) {
		if (before)
			let_go(a);
		return;
	}
	if (!a->source->ops->processes(a->source, &what, &w->reading, &e) ||
	    !monitor_feed_processes(a->monitor, &w->reading, &e)) {
		tell_once(a, w->told, sizeof w->told, e.text);
		return;
	}
	w->counted = w->counted || has_counts(&w->reading);
	monitor_keep_processes(a->monitor, &what);
	note_notice(a);
	if (a->look.trace && what.trace)
		note_tracing(a);
	if (f != NULL && f->processes != NULL)
		note_restarts(a, f->processes);
}
