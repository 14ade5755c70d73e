/* Makes frames from readings; handles failed readings. */
#include "app/state.h"
#include "base/plural.h"
#include "model/zero_events.h"
#include "model/quality.h"
#include "model/sample.h"
#include "options/user.h"
#include "recording/replay.h"
#include "ui/view/layout.h"

#include <stdio.h>
#include <string.h>

/* Reports impossible counts once, unless a screen shows them. */
static void
note_impossible(struct app *a)
{
	const struct frame *f = a->frame;
	unsigned n = 0, of = f->topology->ncpus;

	if (a->screen.wanted || a->sampling.impossible_reported ||
	    (f->span[frame_scope_all(f)].quality & QUALITY_APPROX) == 0)
		return;
	for (unsigned i = 0; i < of; i++)
		n += (f->span[i].quality & QUALITY_APPROX) != 0;
	a->sampling.impossible_reported = true;
	messages_add(
		&a->messages,
		"the counts of %u of %u %s are impossible, as on some virtual machines: values calculated from them are ? in tables and empty in recordings; count on the host, or, if this is no virtual machine, send the report of ktop doctor",
		n, of, plural(of, "CPU", "CPUs"));
}

static const char *
zero_event_consequence(const char *event, enum domain domain)
{
	if (strcmp(event, "INST_ALL") != 0 &&
	    strcmp(event, "CORE_ACTIVE_CYCLE") != 0)
		return "the metrics that need it are n/a";
	return domain == DOMAIN_ALL
		       ? "rates are divided by the fixed counter instead, other metrics that need it are n/a"
		       : "rates are divided by the count of all modes instead and marked ^, other metrics that need it are n/a";
}

static void
note_zero_events(struct app *a)
{
	const struct eventset *set = a->frame->set;
	struct reported_zeros *reported = &a->sampling.reported_zeros;

	for (unsigned i = 0; i < set->ndropped; i++) {
		const char *event = set->dropped[i].event;
		unsigned k = 0;

		while (k < reported->n && reported->event[k] != event)
			k++;
		if (strncmp(set->dropped[i].why, zero_events_reason,
			    strlen(zero_events_reason)) != 0 ||
		    k < reported->n || reported->n == REPORTED_ZEROS_MAX)
			continue;
		reported->event[reported->n++] = event;
		messages_add(
			&a->messages,
			"event %s %s, though programs run; %s: please send the report of ktop doctor",
			event, set->dropped[i].why,
			zero_event_consequence(event, a->frame->domain));
	}
}

/* False and *e: --trace-processes does not apply; in the config file it is then
 * ignored. */
static bool
check_tracing(struct app *a, struct err *e)
{
	struct err why;

	if (!a->look.trace)
		return true;
	if (a->source->info.ends)
		err_set(&why, ERR_USAGE,
			"--trace-processes does not apply to a recording; omit it");
	else if (!a->screen.wanted && a->o->out.processes == 0)
		err_set(&why, ERR_USAGE,
			"--trace-processes counts events of the recorded processes: add --processes");
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
processes_check(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	struct err why;

	if (!check_tracing(a, e))
		return false;
	if (a->o->out.processes == 0 || i->processes)
		return true;
	if (i->ends)
		err_set(&why, ERR_USAGE,
			"--processes: this recording has no processes; record with --processes");
	else
		err_set(&why, ERR_NO_PMU,
			"--processes: source %s has no processes; omit it, or try --sim m1",
			i->source);
	if (option_line(a->o, "processes") == 0) {
		*e = why;
		return false;
	}
	messages_add(&a->messages, "%s", why.text);
	return true;
}

static bool
is_written(const struct app *a)
{
	if (a->o->out.processes == 0)
		return false;
	for (unsigned i = 0; i < OUTPUTS_ALL; i++)
		if (a->outlets.outlet[i].sink != NULL)
			return true;
	/* Before the first frame the outputs are not open yet. */
	return a->frame == NULL;
}

/* Gets the screen's request; before the screen opens, its first view's. */
static bool
first_view_request(const struct app *a, struct process_request *w)
{
	const struct process_request none = *w;

	if (a->screen.ui == NULL)
		return a->screen.wanted && a->look.view == VIEW_PROCESSES;
	if (ui_process_request(a->screen.ui, w))
		return true;
	*w = none;
	return false;
}

static bool
make_request(const struct app *a, struct process_request *w)
{
	bool written = is_written(a), shown;
	/* A paused replay may show processes later. */
	bool replayed = a->source->info.ends && a->screen.wanted;

	*w = (struct process_request){ .top = PROCESS_TOP, .opened = -1 };
	shown = first_view_request(a, w);
	if (!shown || (written && a->o->out.processes > w->top))
		w->top = a->o->out.processes;
	w->first = w->first || written;
	if (written && a->look.trace)
		w->trace = a->screen.ui == NULL || ui_traces(a->screen.ui);
	return shown || written || replayed;
}

bool
process_was_opened(struct app *a)
{
	struct process_request w = { .opened = -1 };
	struct process_reader *what = &a->process_reader;
	bool before = what->shown;
	int32_t opened = what->opened;

	what->shown = a->source->info.processes && first_view_request(a, &w);
	what->opened = what->shown ? w.opened : -1;
	bool begins =
		what->shown &&
		(!before || (what->opened >= 0 && what->opened != opened));

	if (begins)
		what->early_requested = false;
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
process_sample_wanted_early(struct app *a)
{
	const struct process_table *t =
		a->frame != NULL ? a->frame->processes : NULL;
	bool first =
		t != NULL &&
		((t->n > 0 && !has_numbers(t->row, t->n)) ||
		 (t->nthreads > 0 && !has_numbers(t->thread, t->nthreads)));

	if (!first || a->process_reader.early_requested || !a->screen.wanted)
		return false;
	a->process_reader.early_requested = true;
	return true;
}

static bool
same_but_numbers(const char *a, const char *b)
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

static void
notice_once(struct app *a, char *reported, size_t size, const char *text)
{
	if (same_but_numbers(reported, text))
		return;
	snprintf(reported, size, "%s", text);
	messages_add(&a->messages, "%s", text);
}

static void
note_restarts(struct app *a, const struct process_table *t)
{
	struct process_reader *w = &a->process_reader;

	for (unsigned i = 0; i < t->n && !w->restart_reported; i++) {
		const struct process_row *row = &t->row[i];

		if ((row->flags & PROCESS_RESTARTED) == 0)
			continue;
		w->restart_reported = true;
		messages_add(
			&a->messages,
			"the counts of process %d (%s) decreased; it is treated as a new process",
			(int)row->pid, row->name);
	}
}

/* A screen shows the notice near the rows. */
static void
note_process_notice(struct app *a)
{
	struct process_reader *w = &a->process_reader;

	if (a->screen.wanted)
		return;
	w->reading.notice[sizeof w->reading.notice - 1] = '\0';
	if (w->reading.notice[0] != '\0')
		notice_once(a, w->notice, sizeof w->notice, w->reading.notice);
}

/* Reports tracing that an option started, as no question was asked. */
static void
note_tracing(struct app *a)
{
	struct process_reader *w = &a->process_reader;
	const struct process_traced *t = &w->reading.traced;
	const char *text = "";

	switch ((enum process_tracing)t->state) {
	case PROCESS_TRACING_ON:
		text = t->own ? "events per process: each process has its own counters"
			      : "events per process: kernel tracing is on; Instruments and fs_usage cannot trace meanwhile";
		break;
	case PROCESS_TRACING_REFUSED:
		text = a->screen.wanted ? "" : t->why; /* a screen shows it */
		break;
	case PROCESS_TRACING_NONE:
		text = "events per process: this source can neither trace the kernel nor count processes separately";
		break;
	case PROCESS_TRACING_OFF:
		break;
	}
	if (text[0] != '\0')
		notice_once(a, w->tracing, sizeof w->tracing, text);
}

void
process_reader_read(struct app *a, const struct frame *f)
{
	struct process_reader *w = &a->process_reader;
	struct process_request what;
	struct err e = { ERR_NONE, "" };

	if (!a->source->info.processes || !monitor_processes_due(a->monitor))
		return;
	bool before = w->was_requested;

	w->was_requested = make_request(a, &what);
	if (!w->was_requested) {
		/* Stops counting processes: it costs time at each switch
		 * (Linux). */
		what = (struct process_request){ .opened = -1 };
		if (before)
			(void)a->source->ops->processes(a->source, &what,
							&w->reading, &e);
		return;
	}
	if (!a->source->ops->processes(a->source, &what, &w->reading, &e) ||
	    !monitor_feed_processes(a->monitor, &w->reading, &e)) {
		notice_once(a, w->reported, sizeof w->reported, e.text);
		return;
	}
	for (unsigned i = 0; i < w->reading.n && !w->counted; i++)
		w->counted =
			(w->reading.row[i].known & PROCESS_HAS_COUNTS) != 0;
	monitor_keep_processes(a->monitor, &what);
	note_process_notice(a);
	if (a->look.trace && what.trace)
		note_tracing(a);
	if (f != NULL && f->processes != NULL)
		note_restarts(a, f->processes);
}

enum {
	/* A stepped clock cannot wait for a success. */
	STEPPED_FAILURES_MAX = 10000,
	MANY_CPUS = 256, /* with more CPUs the interval is at least MANY_NS */
	MANY_NS = 500 * 1000 * 1000
};

struct monitor *
sampling_monitor(const struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	const struct monitor_options mo = {
		.period_ns = a->period_ns,
		.catalog = i->catalog,
		.rows_may_be_stale = i->rows_may_be_stale,
		.extra_metrics = a->user.metric,
		.nextra = a->user.nmetrics,
		.no_past = !a->screen.wanted && a->o->cmd.exec == NULL,
	};

	return monitor_new(i->topology, &mo, e);
}

bool
sampling_open(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;

	user_add_rates(&a->user, i, a->o->source.events);
	if (a->screen.wanted || (a->text && i->ends))
		user_add_spares(&a->user);
	a->clock = i->clock;
	a->sampling.sample = sample_new(i->topology->ncpus, e);
	if (a->sampling.sample == NULL)
		return false;
	a->monitor = sampling_monitor(a, e);
	if (a->monitor == NULL)
		return false;
	for (unsigned k = 0; k < monitor_metric_count(a->monitor); k++)
		a->metric[k] = monitor_metric(a->monitor, k);
	power_feed_open(a);
	return true;
}

void
sampling_close(struct app *a)
{
	power_feed_close(a);
	monitor_free(a->monitor);
	sample_free(a->sampling.sample);
}

bool
sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->topology->ncpus <= MANY_CPUS || period_ns >= MANY_NS ||
	    a->o->out.force || i->simulated || i->ends)
		return true;
	return err_set(
		e, ERR_USAGE,
		"this interval would interrupt each of %u CPUs %.0f times a second; use -d 500ms or longer, or --force",
		i->topology->ncpus, 1e9 / (double)period_ns);
}

/* Reports the source's notice once, unless a screen shows it. */
static void
note_notice(struct app *a)
{
	const char *notice = a->source->info.notice;
	struct sampling *s = &a->sampling;

	if (strcmp(s->reported, notice) == 0)
		return;
	snprintf(s->reported, sizeof s->reported, "%s", notice);
	if (notice[0] != '\0' && !a->screen.wanted)
		messages_add(&a->messages, "%s", notice);
}

static enum sampled
reading_failed(struct app *a, const struct err *e)
{
	struct sampling *s = &a->sampling;

	s->failed++;
	s->why = *e;
	if (!s->worked || a->source->info.lost || a->source->info.ends ||
	    (a->clock->stepped && s->failed > STEPPED_FAILURES_MAX)) {
		s->gone = true;
		return SAMPLED_GONE;
	}
	if (s->failed == 1 || a->screen.wanted)
		messages_add(&a->messages, "%s", e->text);
	return SAMPLED_FAILED;
}

static enum sampled
read_frame(struct app *a, const struct frame **f)
{
	struct sampling *s = &a->sampling;
	struct err e = { ERR_NONE, "" };

	*f = NULL;
	switch (a->source->ops->read(a->source, s->sample, &e)) {
	case SOURCE_END:
		note_notice(a);
		return SAMPLED_END;
	case SOURCE_ERROR:
		return reading_failed(a, &e);
	case SOURCE_OK:
		break;
	}
	s->worked = true;
	s->failed = 0;
	note_notice(a);
	/* A frame with a slow reading counts as late. */
	if (s->sample->cost_ns > a->period_ns / 2)
		monitor_late(a->monitor, 0, true);
	if (a->source->info.ends && s->sample->set != NULL)
		sampling_add_rates(a, s->sample->set);
	power_read_due(a, s->sample->stamp.awake_ns);
	*f = monitor_feed(a->monitor, s->sample);
	process_reader_read(a, *f);
	if (a->source->info.ends && replay_reading(a->source)->before)
		return SAMPLED_NOTHING;
	return *f != NULL ? SAMPLED_FRAME : SAMPLED_NOTHING;
}

void
sampling_add_rates(struct app *a, const struct eventset *set)
{
	unsigned changed[EVENTSET_MAX];
	unsigned n = user_rates_bind(&a->user, set, changed);

	for (unsigned i = 0; i < n; i++)
		monitor_redefined(a->monitor, changed[i]);
}

void
sampling_read_baseline(struct app *a)
{
	const struct frame *f;

	(void)read_frame(a, &f);
}

/* Was anything counted? With --require-pmu software events do not suffice. */
static void
note_counts(struct app *a)
{
	struct sampling *s = &a->sampling;
	const struct frame *f = a->frame;
	const struct span *all = &f->span[frame_scope_all(f)];
	int ipc = metric_find("ipc");

	uint32_t own = a->o->require_pmu ? eventset_own(f->set) : 0;

	s->counted = s->counted || span_has_cycles(all);
	for (unsigned i = 0; i < f->set->len && !s->counted; i++)
		s->counted = span_has_slot(all, i) && (own >> i & 1) == 0;
	if (!s->counted && ipc >= 0)
		s->in_use = frame_state(f, frame_scope_all(f), (unsigned)ipc) ==
			    VALUE_IN_USE;
}

enum sampled
sampling_read_frame(struct app *a)
{
	const struct frame *f;
	enum sampled what = read_frame(a, &f);

	if (what != SAMPLED_FRAME)
		return what;
	a->frame = f;
	a->sampling.frames++;
	note_counts(a);
	note_impossible(a);
	note_zero_events(a);
	return what;
}
