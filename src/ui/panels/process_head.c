#include "ui/panels/inner.h"

#include "base/plural.h"
#include "model/process_rest.h"
#include "model/shares.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void
make_count_text(const struct view *v, int w, struct buf *b)
{
	const struct process_list *l = v->procs;
	int most = w / 4;

	if (l->t == NULL)
		return;
	if (l->list.filter[0] == 0 || v->lay.boxed) {
		buf_printf(b, "%u%s", l->t->n,
			   v->when.paused
				   ? " busiest kept"
				   : plural(l->t->n, " process", " processes"));
		return;
	}
	buf_char(b, '/');
	if ((int)strlen(l->list.filter) <= most)
		buf_str(b, l->list.filter);
	else
		buf_printf(b, "%.*s..", most - 2, l->list.filter);
	buf_printf(b, ": %u of %u", l->list.nmatch, l->t->n);
}

static int
view_width(const struct key *k, bool named)
{
	return canvas_width(k->keys) + (named ? 1 + canvas_width(k->name) : 0);
}

static int
views_width(const struct view *v)
{
	int w = 1;

	for (const struct key *k = v->keys; k->code[0] != 0; k++)
		if (k->view == view_go)
			w += view_width(k, true) + 2;
	return w;
}

void
panel_views_draw(struct canvas *c, const struct view *v)
{
	int x = 1, w = c->window.w;
	char text[VIEW_FILTER_SIZE + 64];
	struct buf b = buf_over(text, sizeof text);
	bool of_processes = v->kind == VIEW_PROCESSES;
	bool filtered =
		of_processes && v->procs->list.filter[0] != 0 && !v->lay.boxed;

	if (of_processes)
		make_count_text(v, w, &b);
	int room = filtered ? w - canvas_width(buf_cstr(&b)) - 1 : w;
	/* On narrow screens the last views have only their keys. */
	int gap = views_width(v) <= room + 1 ? 2 : 1, rest = 0;

	for (const struct key *k = v->keys; k->code[0] != 0; k++)
		if (k->view == view_go)
			rest += view_width(k, k->arg == (int)v->kind) + gap;
	for (const struct key *k = v->keys; k->code[0] != 0; k++) {
		if (k->view != view_go)
			continue;
		bool on = k->arg == (int)v->kind;

		rest -= view_width(k, on) + gap;
		bool named = on || x + view_width(k, true) + gap + rest <= room;
		int need = view_width(k, named);

		if (x + need + 1 > room)
			break;
		view_hit(v, c, x, 0, need, k->code[0]);
		if (on)
			canvas_fill(c, (struct rect){ x - 1, 0, need + 2, 1 },
				    ROLE_TAB, " ");
		canvas_text(c, x, 0, on ? ROLE_TAB : ROLE_KEY, k->keys);
		if (named)
			canvas_text(c, x + canvas_width(k->keys) + 1, 0,
				    on ? ROLE_TAB : ROLE_DIM, k->name);
		x += need + gap;
	}
	int at = w - canvas_width(buf_cstr(&b)) - 1;

	if (b.len == 0 || x - 1 > at)
		return;
	canvas_text(c, at, 0, filtered ? ROLE_STRONG : ROLE_DIM, text);
	if (filtered)
		view_hit(v, c, at, 0, w - at, '/');
}

struct pen {
	struct canvas *c;
	int x, y, room;
};

__attribute__((format(printf, 3, 4))) static void
print_text(struct pen *p, enum role role, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	int n = canvas_textn(p->c, p->x, p->y, p->room, role, text);

	p->x += n;
	p->room -= n;
}

/* Prints name and pid; cuts the name so that `behind` cells remain free. */
static void
print_process_name(struct pen *p, const struct process_row *row, int behind)
{
	enum { LEAST = 8 };
	const char *name = row->name[0] != 0 ? row->name : "-";
	char text[24];
	int most = p->room - behind -
		   snprintf(text, sizeof text, " (%d)", (int)row->pid);

	if (most < LEAST || canvas_width(name) <= most) {
		print_text(p, ROLE_STRONG, "%s", name);
	} else {
		panel_cut(p->c, p->x, p->y, most, ROLE_STRONG, name);
		p->x += most;
		p->room -= most;
	}
	print_text(p, ROLE_STRONG, "%s", text);
}

/* The last marker in the FRAMES intervals until since_s ago; NULL: none. */
static const struct ui_mark *
find_marker_before(const struct view *v, double since_s)
{
	enum { FRAMES = 4 };
	double began = v->f->elapsed_s - since_s;

	for (unsigned i = v->s->nmarks; i-- > 0;)
		if (v->s->mark[i].at_s <= began &&
		    v->s->mark[i].at_s >
			    began - (double)FRAMES * v->when.period_s)
			return &v->s->mark[i];
	return NULL;
}

struct fall {
	double from, since_s;
};

/* Returns the median of up to MIDDLE_OF newest known values; NAN: too few. */
static double
median_of(const float *value, unsigned n)
{
	enum { MIDDLE_OF = 9, LEAST = 3 };
	float last[MIDDLE_OF];
	unsigned known = 0;

	for (unsigned i = n; i-- > 0 && known < MIDDLE_OF;)
		if (!isnan(value[i]))
			last[known++] = value[i];
	return known >= LEAST ? (double)chart_nth(last, known, known / 2) : NAN;
}

static bool
ipc_fell(const struct view *v, const struct process_row *row, struct fall *out)
{
	enum { KEPT = 600, LEAST = 2 };
	static const double as_now = 1.4, before = 1.6;
	unsigned n = view_read_past(v, OF_PROCESS(row),
				    COLUMN_PROCESS + PROCESS_IPC, KEPT),
		 same = 0;
	double now = row->value[PROCESS_IPC];

	while (same < n && !((double)v->scratch[n - 1 - same] > now * as_now))
		same++;
	if (same < LEAST || same >= n)
		return false;
	out->from = median_of(v->scratch, n - same);
	out->since_s = same * v->when.period_s;
	return out->from > now * before;
}

/* p->c NULL: prints nothing. False: IPC has not fallen. */
static bool
print_ipc_fall(struct pen *p, const struct view *v,
	       const struct process_row *row)
{
	struct fall fall;

	if (!ipc_fell(v, row, &fall))
		return false;
	const struct ui_mark *mark = find_marker_before(v, fall.since_s);

	if (p->c == NULL)
		return true;
	print_text(p, ROLE_TEXT, "IPC fell from %s to %s", FIXED(fall.from, 2),
		   FIXED(row->value[PROCESS_IPC], 2));
	if (mark != NULL)
		print_text(p, ROLE_TEXT, " at marker %s", mark->name);
	print_text(p, ROLE_TEXT, ", %.0f s ago. ", fall.since_s);
	return true;
}

static void
print_own_evidence(struct pen *p, const struct view *v,
		   const struct process_row *row, enum bottleneck_word own)
{
	enum slot_share cause = share_of_word(own);
	int metric =
		cause == SHARE_BACKEND    ? v->metric.measure[MEASURE_L1D_LOAD]
		: cause == SHARE_BAD_SPEC ? v->metric.measure[MEASURE_BRANCH]
					  : -1;
	bool few = true;
	double value =
		metric >= 0 ? processes_event_rate(v->procs, row, metric, &few)
			    : (double)NAN;

	if (isnan(value) || few)
		return;
	print_text(p, ROLE_STRONG, "; ");
	print_text(p, ROLE_BAD, "%s", FIXED(value, value < 9.95 ? 1 : 0));
	print_text(p, ROLE_STRONG, " %s MPKI", view_label(v, metric));
}

static void
print_preset_key(struct pen *p, const struct view *v, enum bottleneck_word own)
{
	int see = preset_find(bottleneck_words[own].see);
	int from = p->x;

	if (see < 0 || v->s->replay != NULL || see == v->s->preset ||
	    (v->s->preset_possible >> see & 1) == 0 ||
	    view_preset_key(v, see) == 0)
		return;
	print_text(p, ROLE_STRONG, " Press ");
	print_text(p, ROLE_KEY, "%c", view_preset_key(v, see));
	print_text(p, ROLE_STRONG, ".");
	view_hit(v, p->c, from, p->y, p->x - from, view_preset_key(v, see));
}

static void
print_flagged_process(struct pen *p, const struct view *v,
		      const struct process_row *row)
{
	enum { BEHIND = sizeof " is slow: IPC 0.00 with 100% of all cycles." };
	enum bottleneck_word own = processes_bottleneck(v->procs, row);
	bool cause = share_of_word(own) != SHARE_COUNT;

	canvas_put(p->c, p->x, p->y, ROLE_ALARM, "!");
	p->x += 2;
	p->room -= 2;
	print_process_name(p, row, BEHIND);
	if (own == BOTTLENECK_BAD_SPEC)
		print_text(p, ROLE_STRONG, ": bad speculation: IPC ");
	else
		print_text(p, ROLE_STRONG, " %s: IPC ",
			   cause ? bottleneck_words[own].said : "is slow");
	print_text(p, ROLE_BAD, "%s", FIXED(row->value[PROCESS_IPC], 2));
	if (cause)
		print_own_evidence(p, v, row, own);
	if (!isnan(row->value[PROCESS_CYCLES_PCT]))
		print_text(p, ROLE_STRONG, "%s %s%% of all cycles",
			   cause ? ";" : " with",
			   FIXED(row->value[PROCESS_CYCLES_PCT], 0));
	print_text(p, ROLE_STRONG, ".");
	if (cause)
		print_preset_key(p, v, own);
}

static const struct process_row *
find_busiest(const struct process_list *l)
{
	const struct process_row *most = NULL;

	for (unsigned i = 0; i < l->t->n; i++) {
		const struct process_row *row = &l->t->row[i];

		if (row->value[PROCESS_CPU] >= (double)PROCESS_BUSY_PCT &&
		    (most == NULL ||
		     row->value[PROCESS_CPU] > most->value[PROCESS_CPU]))
			most = row;
	}
	return most;
}

static const char *
find_reason_of_no_figures(const struct process_table *t)
{
	unsigned fresh = 0;

	for (unsigned i = 0; i < t->n; i++) {
		if (!isnan(t->row[i].value[PROCESS_CPU]))
			return NULL;
		fresh += t->row[i].access == PROCESS_NEW;
	}
	if (t->n == 0)
		return NULL;
	return fresh == t->n
		       ? "No figures yet: all are seen for the first time."
		       : "Of no process it is known how busy it is.";
}

static void
print_busiest_process(struct pen *p, const struct process_list *l)
{
	enum { BEHIND = sizeof ", 1000% CPU at IPC 0.00." };
	const struct process_row *most = find_busiest(l);
	const char *unknown = find_reason_of_no_figures(l->t);

	bool judged = processes_has_metric(l, PROCESS_CYCLES_PCT);

	if (unknown != NULL) {
		print_text(p, ROLE_STRONG, "%s", unknown);
		return;
	}
	const char *readable = l->t->everything ? "" : "that can be read ";

	if (most == NULL) {
		print_text(p, ROLE_STRONG, "%s process %suses 5%% of a core.",
			   judged ? "No process is slow: no" : "No", readable);
		return;
	}
	print_text(p, ROLE_STRONG, "%s busiest %sis ",
		   judged ? "No process is slow: the" : "The", readable);
	print_process_name(p, most, BEHIND);
	print_text(p, ROLE_STRONG, ", %s%% CPU",
		   FIXED(most->value[PROCESS_CPU], 0));
	if (!isnan(most->value[PROCESS_IPC]))
		print_text(p, ROLE_STRONG, " at IPC %s",
			   FIXED(most->value[PROCESS_IPC], 2));
	print_text(p, ROLE_STRONG, ".");
}

/* Has the flagged process's IPC fallen? *cause: its events show a cause. */
static bool
flagged_has_evidence(const struct view *v, bool *cause)
{
	const struct process_row *flagged = processes_flagged(v->procs);
	struct pen none = { .c = NULL };

	*cause = flagged != NULL &&
		 share_of_word(processes_bottleneck(v->procs, flagged)) !=
			 SHARE_COUNT;
	return flagged != NULL && print_ipc_fall(&none, v, flagged);
}

/* Is the flagged process the culprit for *worst, the largest flagged loss? */
static bool
flagged_is_probable_cause(const struct view *v, struct bottleneck_loss *worst)
{
	const struct process_row *flagged = processes_flagged(v->procs);
	struct process_culprit who;

	return flagged != NULL && v->f->bottleneck != NULL &&
	       v->metric.main == v->metric.ipc &&
	       bottleneck_losses(v->f, true, worst, 1) > 0 &&
	       v->f->bottleneck[worst->scope].word != BOTTLENECK_MIXED &&
	       v->f->scope[worst->scope].level <= SCOPE_CLUSTER &&
	       processes_culprit(v->procs->t, v->f, worst->scope, &who) &&
	       who.row == flagged;
}

static void
print_tracing_key(struct pen *p, const struct view *v)
{
	int from = p->x;

	if (v->procs->tracer.state == PROCESS_TRACING_NONE)
		print_text(
			p, ROLE_DIM,
			"A process has cycles, instructions, energy; no misses.");
	if (v->procs->tracer.state != PROCESS_TRACING_OFF)
		return;
	print_text(p, ROLE_KEY, "v");
	print_text(p, ROLE_DIM, " counts events per process.");
	view_hit(v, p->c, from, p->y, p->x - from, 'v');
}

static void
print_probable_cause(struct pen *p, const struct view *v)
{
	struct bottleneck_loss worst;

	if (!flagged_is_probable_cause(v, &worst))
		return;
	const struct bottleneck *one = &v->f->bottleneck[worst.scope];
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[worst.scope];
	enum role role = view_scope_role(v, worst.scope);

	print_text(p, ROLE_DIM, "Probable cause: ");
	if (s->level == SCOPE_CORE)
		print_text(p, role, "cpu %d", t->cpu[s->index].id);
	else
		print_text(p, role, "%s", t->cluster[s->index].label);
	print_text(p, ROLE_TEXT, " %s. ", bottleneck_words[one->word].said);
	if (p->room >= 61)
		print_tracing_key(p, v);
}

int
process_headline_rows(const struct view *v)
{
	struct bottleneck_loss worst;

	if (v->procs->t == NULL)
		return 0;
	bool cause;

	return 1 + (flagged_has_evidence(v, &cause) ||
		    (!cause && flagged_is_probable_cause(v, &worst)));
}

void
process_headline_draw(struct canvas *c, const struct view *v)
{
	const struct process_list *l = v->procs;
	struct pen p = { c, 1, 0, c->window.w - 2 };

	if (l->t == NULL)
		return;
	const struct process_row *flagged = processes_flagged(l);

	if (flagged != NULL)
		print_flagged_process(&p, v, flagged);
	else
		print_busiest_process(&p, l);
	if (c->window.h < 2)
		return;
	p = (struct pen){ c, 3, 1, c->window.w - 4 };
	bool cause;

	if (flagged_has_evidence(v, &cause))
		(void)print_ipc_fall(&p, v, flagged);
	if (!cause)
		print_probable_cause(&p, v);
}

static void
print_headline_age(struct pen *p, const struct view *v)
{
	double since =
		v->f->headline != NULL ? (double)v->f->headline->since_s : NAN;
	const struct ui_mark *mark = find_marker_before(v, since);
	char ago[CHART_AGO_SIZE];

	if (!(since >= 2 * v->when.period_s) || p->room < 30)
		return;
	chart_ago(since, 1, ago);
	if (since < 99.5)
		print_text(p, ROLE_DIM, "For the last %.0f s", since);
	else
		print_text(p, ROLE_DIM, "For the last %s", ago);
	if (mark != NULL) {
		print_text(p, ROLE_DIM, ", since marker ");
		print_text(p, ROLE_STRONG, "%s", mark->name);
	}
	print_text(p, ROLE_DIM, ".");
}

static bool
shows_row_cause(const struct view *v, const struct process_row *row,
		unsigned scope)
{
	enum slot_share own =
		share_of_word(processes_bottleneck(v->procs, row));

	return own != SHARE_COUNT &&
	       own == share_of_word(
			      (enum bottleneck_word)v->f->bottleneck[scope]
				      .word);
}

void
process_culprit_draw(struct canvas *c, const struct view *v, int y,
		     unsigned scope)
{
	enum { BEHIND = sizeof ": IPC 0.00 on 100% of the cores' cycles;" };
	const struct process_table *t = v->procs->t;
	struct pen p = { c, 3, y, c->window.w - 4 };
	struct process_culprit who;

	if (t == NULL || !processes_culprit(t, v->f, scope, &who)) {
		print_headline_age(&p, v);
		return;
	}
	print_text(&p, ROLE_DIM,
		   shows_row_cause(v, who.row, scope) ? "Cause: "
						      : "Probable cause: ");
	print_process_name(&p, who.row, BEHIND);
	if (!isnan(who.ipc))
		print_text(&p, ROLE_TEXT, ", IPC %s", FIXED(who.ipc, 2));
	print_text(&p, ROLE_TEXT, ", %s%% of the %s cycles. ",
		   FIXED(who.share_pct, 0),
		   who.part >= 0
			   ? PRINTED("%s cores'", t->parts.label[who.part])
			   : "cores'");
	view_hit(v, c, 3, y, p.x - 3, 'P');
	print_headline_age(&p, v);
}

/* Returns the most common reason for missing counts; PROCESS_COUNTED: none. */
static unsigned
find_reason_of_no_counts(const struct process_table *t)
{
	unsigned n[PROCESS_ACCESS_COUNT] = { 0 }, most = PROCESS_COUNTED;

	if ((t->own.known & PROCESS_HAS_COUNTS) != 0)
		return PROCESS_COUNTED;
	for (unsigned i = 0; i < t->n; i++)
		n[t->row[i].access]++;
	for (unsigned i = 0; i < PROCESS_ACCESS_COUNT; i++)
		if (i != PROCESS_COUNTED && i != PROCESS_NEW &&
		    n[i] > (most == PROCESS_COUNTED ? 0 : n[most]))
			most = i;
	return most;
}

void
process_notice(const struct view *v, struct buf *b)
{
	const struct process_table *t = v->procs->t;
	unsigned why;

	if (t == NULL)
		return;
	why = find_reason_of_no_counts(t);
	if (why == PROCESS_NO_COUNTERS && v->s->mode == UI_MODE_BUSY &&
	    v->s->why_code != ERR_PERM && b->len > 0)
		why = PROCESS_COUNTED;
	if (why != PROCESS_COUNTED)
		buf_printf(b, "%sprocesses without IPC: %s, %s",
			   b->len > 0 ? "; " : "", process_access_word[why],
			   process_access_text[why]);
	if (t->traced != NULL && t->traced->state == PROCESS_TRACING_REFUSED)
		buf_printf(b, "%s%s", b->len > 0 ? "; " : "", t->traced->why);
	if (t->notice != NULL && t->notice[0] != 0)
		buf_printf(b, "%s%s", b->len > 0 ? "; " : "", t->notice);
}

__attribute__((format(printf, 3, 4))) static void
print_labelled_if_fits(struct pen *p, const char *what, const char *fmt, ...)
{
	char value[128];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(value, sizeof value, fmt, ap);
	va_end(ap);
	if (p->room < canvas_width(what) + 1 + canvas_width(value))
		return;
	print_text(p, ROLE_DIM, "%s ", what);
	print_text(p, ROLE_TEXT, "%s", value);
	print_text(p, ROLE_DIM, "   ");
}

static void
print_cycles_covered(struct pen *p, const struct process_table *t,
		     enum ui_mode mode)
{
	double share = t->own.value[PROCESS_CYCLES_PCT];
	bool counted = mode != UI_MODE_BUSY ||
		       (t->cores.known & PROCESS_HAS_COUNTS) != 0;

	if (isnan(share))
		print_labelled_if_fits(
			p, t->everything ? "processes" : "your processes",
			"alone: %s",
			!counted ? "the cores are not counted"
			: t->domain != DOMAIN_ALL
				? "not counted in user+kernel"
				: "some counts are of another interval");
	else
		print_labelled_if_fits(p, "processes", "%s%% of %scycles",
				       FIXED(share, 1),
				       p->room >= 100 ? "the cores' " : "");
}

static void
print_tracing_state(struct pen *p, const struct view *v)
{
	const struct process_table *t = v->procs->t;
	const struct process_traced *it = t->traced;
	enum { PERIOD_NS = 50000000 };
	char seen[16] = "", period[40] = "";

	if (it == NULL || it->state != PROCESS_TRACING_ON)
		return;
	if ((t->cores.known & PROCESS_HAS_COUNTS) != 0 && t->cores.d.cycles > 0)
		snprintf(seen, sizeof seen, "%.1f%%%s",
			 100 * (double)it->cycles / (double)t->cores.d.cycles,
			 it->recorded ? "" : ", ");
	if (it->recorded) {
		print_labelled_if_fits(p, "events", "%s", seen);
	} else if (it->own) {
		print_labelled_if_fits(p, "own events", "%s%llu descriptors",
				       seen, (unsigned long long)it->files);
	} else {
		if (it->period_ns > PERIOD_NS)
			snprintf(period, sizeof period, ", each %llu ms only",
				 (unsigned long long)it->period_ns / 1000000);
		print_labelled_if_fits(p, "traced", "%s%llu%s, %llu rejected%s",
				       seen, (unsigned long long)it->gaps,
				       it->gaps == 1 ? " gap" : " gaps",
				       (unsigned long long)it->dropped, period);
	}
}

/* Prints a profiler's command for the open process. False: there is none. */
static bool
print_profiler_command(struct pen *p, const struct view *v)
{
	const struct process_row *row = processes_opened(v->procs);
	char line[256];
	struct buf b = buf_over(line, sizeof line);
	enum { COPY_W = 8 };

	if (row == NULL || row->state == PROCESS_ENDED ||
	    !view_next_tool(v, row, &b))
		return false;
	if (p->room > 100)
		print_text(p, ROLE_DIM, "where in its code: ");
	int w = canvas_width(buf_cstr(&b));

	w = w < p->room - COPY_W ? w : p->room - COPY_W;
	panel_cut(p->c, p->x, p->y, w, ROLE_STRONG, line);
	view_hit(v, p->c, p->x, p->y, w + COPY_W, 'y');
	p->x += w;
	print_text(p, ROLE_KEY, "  y");
	print_text(p, ROLE_DIM, " copy");
	return true;
}

void
process_quality_draw(struct canvas *c, const struct view *v, const char *cost)
{
	const struct process_list *l = v->procs;
	struct pen p = { c, 1, 0, c->window.w - 2 };
	char text[64];
	struct buf why = buf_over(text, sizeof text);

	if (l->t == NULL || print_profiler_command(&p, v))
		return;
	/* A list with a frame has these notes in its title. */
	if (!layout_framed(&v->lay, PANEL_PROCESSES)) {
		if (l->frozen)
			print_labelled_if_fits(&p, "order", "kept");
		if (view_column_missing(v, &l->list, l->list.sort, &why))
			print_labelled_if_fits(&p, "sort", "%s",
					       buf_cstr(&why));
	}
	print_tracing_state(&p, v);
	if ((l->t->own.known & PROCESS_HAS_COUNTS) != 0) {
		bool differ = l->tracer.n > 0 && v->f->domain != l->t->domain;

		print_cycles_covered(&p, l->t, v->s->mode);
		print_labelled_if_fits(&p, "counts", "%s%s%s",
				       panel_modes(l->t->domain),
				       differ ? ", events " : "",
				       differ ? panel_modes(v->f->domain) : "");
	}
	if (l->t->started != UINT64_MAX)
		print_labelled_if_fits(&p, "seen", "%u new, %llu forks+threads",
				       l->t->born,
				       (unsigned long long)l->t->started);
	if (cost[0] != 0)
		print_labelled_if_fits(&p, "cost", "%s", cost);
}
