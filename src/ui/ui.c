#include "ui/ui.h"

#include "monitor/processes.h"
#include "ui/keys.h"
#include "ui/picture.h"
#include "ui/theme/theme.h"
#include "ui/ui_parts.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned
past_of_process(const struct monitor *self, int32_t pid, uint64_t start,
		enum process_metric metric, unsigned n, float *out)
{
	const struct processes *all = monitor_processes(self);

	return all != NULL ? processes_past(all, pid, start, metric, n, out)
			   : 0;
}

static const struct process_table *
past_table(const struct monitor *self, uint64_t seq)
{
	const struct processes *all = monitor_processes(self);

	return all != NULL ? processes_at(all, seq) : NULL;
}

static unsigned
past_words(const struct monitor *self, unsigned scope, unsigned n, uint8_t *out)
{
	return history_words(monitor_past(self), scope, n, out);
}

static unsigned
past_gaps(const struct monitor *self, unsigned n, double least_s,
	  struct history_gap *out, unsigned most)
{
	return history_gaps(monitor_past(self), n, least_s, out, most);
}

static double
past_last(const struct monitor *self, unsigned back, unsigned scope,
	  unsigned metric, double *age_s)
{
	if (back > 0)
		return history_last(monitor_past(self), back, scope, metric,
				    age_s);
	return monitor_last(self, scope, metric, age_s);
}

static void
still_free(struct still *s)
{
	free(s->span);
	free(s->value);
	free(s->state);
	free(s->bottleneck);
	free(s->power_row);
}

static bool
still_reserve(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (f->nscopes <= s->nscopes && f->nmetrics <= s->nmetrics)
		return true;
	still_free(s);
	s->span = calloc(f->nscopes, sizeof *s->span);
	s->value = calloc(values, sizeof *s->value);
	s->state = calloc(values, sizeof *s->state);
	s->bottleneck = calloc(f->nscopes, sizeof *s->bottleneck);
	s->power_row = calloc(f->nscopes, sizeof *s->power_row);
	s->nscopes = f->nscopes;
	s->nmetrics = f->nmetrics;
	if (s->span != NULL && s->value != NULL && s->state != NULL &&
	    s->bottleneck != NULL && s->power_row != NULL)
		return true;
	s->nscopes = s->nmetrics = 0;
	return false;
}

/* Copies power values, since the next frame reuses their arrays. */
static void
still_copy_power(struct still *s, const struct frame *f)
{
	s->f.power = NULL;
	if (f->power == NULL)
		return;
	s->power = *f->power;
	memcpy(s->power_row, f->power->row,
	       f->power->nrows * sizeof *s->power_row);
	s->power.row = s->power_row;
	s->f.power = &s->power;
}

static bool
still_copy_frame(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (!still_reserve(s, f))
		return false;
	s->f = *f;
	s->set = *f->set;
	memcpy(s->span, f->span, f->nscopes * sizeof *s->span);
	memcpy(s->value, f->value, values * sizeof *s->value);
	memcpy(s->state, f->state, values);
	if (f->bottleneck != NULL)
		memcpy(s->bottleneck, f->bottleneck,
		       f->nscopes * sizeof *s->bottleneck);
	s->f.set = &s->set;
	s->f.span = s->span;
	s->f.value = s->value;
	s->f.state = s->state;
	s->f.bottleneck = f->bottleneck != NULL ? s->bottleneck : NULL;
	if (f->headline != NULL)
		s->headline = *f->headline;
	s->f.headline = f->headline != NULL ? &s->headline : NULL;
	s->f.processes = NULL; /* processes are read from the history */
	still_copy_power(s, f);
	return true;
}

static struct history_rows
still_rows(struct still *s)
{
	return (struct history_rows){
		.span = s->span,
		.value = s->value,
		.state = s->state,
		.bottleneck = s->bottleneck,
		.headline = &s->headline,
		.power = &s->power,
		.power_row = s->power_row,
	};
}

static bool
still_copy_past(struct still *then, const struct frame *now,
		const struct monitor *m, unsigned back)
{
	struct history_rows rows;

	if (!still_reserve(then, now))
		return false;
	rows = still_rows(then);
	then->f = *now;
	return history_then(monitor_past(m), back, &then->f, &rows);
}

/* Sums the 10 s that end `back` frames before the newest. */
static bool
still_copy_window(struct still *s, const struct frame *like,
		  const struct monitor *m, unsigned back, double *deviation)
{
	enum { SPAN_S = 10 };

	if (!still_reserve(s, like))
		return false;
	struct history_rows rows = still_rows(s);

	s->f = *like;
	if (!history_window(monitor_past(m), back, SPAN_S, &s->f, &rows,
			    deviation))
		return false;
	s->set = *s->f.set;
	s->f.set = &s->set;
	return true;
}

static void
process_window_read(const struct monitor *m, const struct frame *window,
		    const struct frame *last, unsigned back,
		    struct process_window *out)
{
	const struct processes *all = monitor_processes(m);
	double n = window->interval_s / fmax(last->interval_s, 1e-3);
	uint64_t frames = n > 1 ? (uint64_t)(n + 0.5) : 1;
	uint64_t seq = last->seq - back;

	out->n = 0;
	if (all != NULL)
		processes_window(all, seq >= frames ? seq - frames + 1 : 0, seq,
				 out);
}

static void
reference_take(struct ui *u, const struct monitor *m, const struct frame *f)
{
	struct view *v = u->view;
	double *deviation = calloc((size_t)f->nscopes * (f->nmetrics + 1),
				   sizeof *deviation);

	/* Number of frames between the marker and the visible frame. */
	double period = v->when.period_s > 0 ? v->when.period_s : 1;
	double frames = (f->elapsed_s - u->reference_s) / period + 0.5;
	unsigned more = frames > 0 ? (unsigned)frames : 0;

	free(u->deviation);
	u->deviation = deviation;
	u->set_reference = false;
	v->reference.then = NULL;
	if (deviation == NULL ||
	    !still_copy_window(&u->reference, f, m, v->when.back + more,
			       deviation)) {
		ui_show_message(
			u,
			more > 0
				? "the samples before that marker are no longer in memory"
				: "there is no reference yet: press R after a sample");
		return;
	}
	process_window_read(m, &u->reference.f, f, more, &u->of_reference);
	v->reference.of = &u->of_reference;
	v->reference.then = &u->reference.f;
	v->reference.deviation = deviation;
	if (v->list.sort == SORT_NUMBER && v->metric.lost >= 0 &&
	    f->bottleneck != NULL) {
		v->list.sort = v->metric.lost;
		v->reference.sorted = true;
	}
}

static void forget_redefined(const struct still *s, const struct monitor *m,
			     unsigned back);

/* The reference is compared with the last 10 s, not with one interval. */
static void
reference_compare(struct ui *u, const struct monitor *m, const struct frame *f,
		  uint64_t newest)
{
	struct view *v = u->view;

	if (u->set_reference)
		reference_take(u, m, f);
	if (v->reference.then == NULL)
		return;
	if (v->reference.then->nscopes != f->nscopes ||
	    v->reference.then->nmetrics != f->nmetrics ||
	    !still_copy_window(&u->recent, f, m, v->when.back, NULL)) {
		v->reference.then = NULL;
		return;
	}
	forget_redefined(&u->reference, m,
			 (unsigned)(newest - u->reference.f.seq));
	process_window_read(m, &u->recent.f, f, 0, &u->of_recent);
	v->reference.of_now = &u->of_recent;
	v->reference.now = &u->recent.f;
}

static void
guess_theme(struct ui *u)
{
	uint32_t ground = 0;
	bool known = u->themes.guessed && tty_ground(u->tty, &ground);

	theme_walk_guess(&u->themes, known ? &ground : NULL);
	if (tty_unknown_terminal(u->tty, u->terminal, sizeof u->terminal))
		u->terminal_draws = TERMINAL_DRAWS;
}

struct ui *
ui_open(const struct ui_options *o, struct err *e)
{
	struct ui *u = calloc(1, sizeof *u);

	if (u == NULL)
		return err_null(e, ERR_FAIL, "screen: out of memory");
	u->preset = u->offered_preset = -1;
	if (!theme_walk_start(&u->themes, o->theme, e) ||
	    (u->view = view_new(e)) == NULL ||
	    (u->tty = tty_open(o->color, o->glyphs, o->mouse, e)) == NULL ||
	    (u->canvas = canvas_new(tty_state(u->tty).glyphs, e)) == NULL) {
		ui_close(u);
		return NULL;
	}
	if (o->view < VIEW_COUNT)
		u->view->kind = (enum layout_view)o->view;
	guess_theme(u);
	u->view->over.themes = &u->themes;
	u->view->keys = ui_keys;
	if (o->group < VIEW_GROUPS)
		u->view->cores.group = (enum view_group)o->group;
	u->view->procs->tracer.wanted = o->trace;
	u->sort = o->sort;
	u->pin = o->pin;
	view_rows(u->view)->reverse = o->reverse;
	if (o->filter != NULL && strcmp(o->filter, "none") != 0)
		snprintf(view_rows(u->view)->filter, VIEW_FILTER_SIZE, "%s",
			 o->filter);
	struct tty_state now = tty_state(u->tty);

	if (canvas_resize(u->canvas, now.w, now.h, e))
		return u;
	ui_close(u);
	return NULL;
}

void
ui_close(struct ui *u)
{
	if (u == NULL)
		return;
	tty_close(u->tty);
	canvas_free(u->canvas);
	view_free(u->view);
	still_free(&u->still);
	still_free(&u->then);
	still_free(&u->reference);
	still_free(&u->recent);
	free(u->deviation);
	free(u);
}

void
ui_suspend(struct ui *u)
{
	tty_suspend(u->tty);
}

void
ui_resume(struct ui *u)
{
	tty_resume(u->tty);
	u->pasting = false; /* the shell may have read the end of pasted text */
	ui_resized(u);
}

struct ui_line
ui_line(const struct ui *u)
{
	struct tty_state now = tty_state(u->tty);

	return (struct ui_line){ now.input_fd, now.output_fd, now.waits,
				 now.owes };
}

bool
ui_flush(struct ui *u)
{
	return tty_flush(u->tty);
}

void
ui_resized(struct ui *u)
{
	if (!tty_resized(u->tty))
		return;
	struct tty_state now = tty_state(u->tty);

	(void)canvas_resize(u->canvas, now.w, now.h, NULL);
}

bool
ui_paused(const struct ui *u)
{
	return u->view->when.paused;
}

static bool
shows_processes(const struct view *v)
{
	return v->kind == VIEW_PROCESSES || v->kind == VIEW_DETAIL ||
	       (v->kind == VIEW_OVERVIEW &&
		(v->lay.panel[PANEL_HEADLINE].h > 1 ||
		 v->lay.panel[PANEL_BUSIEST].h > 0));
}

bool
ui_process_request(const struct ui *u, struct process_request *w)
{
	const struct process_list *l = u->view->procs;

	w->opened = l->open.pid;
	w->opened_at = l->open.start;
	w->pin = l->pin_pid;
	w->npins = l->npins;
	w->first = u->view->kind == VIEW_PROCESSES;
	w->trace = l->tracer.wanted;
	return shows_processes(u->view);
}

bool
ui_traces(const struct ui *u)
{
	return u->view->procs->tracer.wanted;
}

/* Shows the message if it is new; each draw passes the current message. */
static void
message_take(struct ui *u, const char *text)
{
	if (text == NULL)
		text = "";
	if (strncmp(u->app_message, text, sizeof u->app_message - 1) == 0)
		return;
	snprintf(u->app_message, sizeof u->app_message, "%s", text);
	if (text[0] != 0)
		ui_show_message(u, "%s", text);
}

/* Clears values of the user's metrics that were redefined after the frame. */
static void
forget_redefined(const struct still *s, const struct monitor *m, unsigned back)
{
	const struct frame *f = &s->f;

	for (unsigned i = metric_count; i < f->nmetrics; i++) {
		if (history_means(monitor_past(m), back, i))
			continue;
		for (size_t k = 0; k < f->nscopes; k++) {
			s->value[k * f->nmetrics + i] = NAN;
			s->state[k * f->nmetrics + i] = VALUE_NOT_COUNTED;
		}
	}
}

static const struct frame *
frame_paused(struct ui *u, const struct monitor *m, const struct frame *f)
{
	struct view *v = u->view;
	const struct frame *now = &u->still.f;
	/* The history grows while the view is paused. */
	unsigned since = (unsigned)(f->seq - now->seq);
	unsigned depth = history_depth(monitor_past(m));

	if (v->when.scrub > 0 && v->when.scrub + since > depth)
		v->when.scrub = depth > since ? depth - since : 0;
	v->when.oldest = v->when.scrub > 0 && v->when.scrub + since >= depth;
	v->when.back = v->when.scrub + since;
	forget_redefined(&u->still, m, since);
	if (v->when.scrub == 0 ||
	    !still_copy_past(&u->then, now, m, v->when.back))
		return now;
	v->when.ago_s = now->elapsed_s - u->then.f.elapsed_s;
	return &u->then.f;
}

static int
frame_preset(const struct frame *f, const struct ui_status *s)
{
	return f->set->len > 0 ? preset_find_any(f->set->name, s->user_preset,
						 s->nuser_presets)
			       : -1;
}

static void
status_of_past(const struct ui *u, const struct frame *f, struct ui_status *s)
{
	if (u->view->when.scrub == 0 || s->mode == UI_MODE_BUSY)
		return;
	s->mode = f->set->len > 0 ? UI_MODE_FULL : UI_MODE_IPC;
	s->why = s->notice = "";
	s->preset = frame_preset(f, s);
}

static void
status_turns(struct ui *u, const struct monitor *m, struct ui_status *s)
{
	turns_find(monitor_past(m), u->view->when.back, s->user_preset,
		   s->nuser_presets, &u->turns);
	struct buf b = buf_over(u->turns_text, sizeof u->turns_text);

	for (unsigned i = 0; i < u->turns.n; i++) {
		int preset = u->turns.preset[i];

		buf_printf(&b, "%s%s", i > 0 ? ", " : "",
			   preset < (int)preset_count
				   ? preset_table[preset].name
				   : s->user_preset[preset - (int)preset_count]
					     .name);
	}
	s->rotation = buf_cstr(&b);
	s->rotating = u->turns.n > 0;
	s->rotate = u->turns.preset;
	s->nrotate = u->turns.n;
}

/* Shows the process view first if counting is not permitted. */
static void
first_view_choose(struct ui *u, const struct ui_status *s)
{
	struct view *v = u->view;

	if (!u->begun && v->kind == VIEW_OVERVIEW && s->processes &&
	    s->mode == UI_MODE_BUSY && s->why_code == ERR_PERM)
		view_go(v, VIEW_PROCESSES);
	u->begun = true;
}

/* Applies --sort and --pin, which need a frame and the presets. */
static void
options_apply(struct ui *u, const struct frame *f, const struct ui_status *s)
{
	if (f == NULL)
		return;
	/* A key may have changed the order before the first frame. */
	if (u->sort != NULL && u->view->list.sort == SORT_NUMBER &&
	    u->view->procs->list.sort == COLUMN_PROCESS + PROCESS_CPU)
		view_sort_by(u->view, s, u->sort);
	if (u->pin != NULL) {
		u->view->f = f;
		if (!view_pins_parse(u->view, u->pin))
			ui_show_message(
				u,
				"--pin names a row that this machine does not have");
	}
	u->sort = u->pin = NULL;
}

static void
message_process_ended(struct ui *u)
{
	char text[PROCESS_NAME_SIZE + 48];
	struct buf b = buf_over(text, sizeof text);

	if (!processes_describe_ended(u->view->procs, &b) ||
	    u->view->line.asking)
		return;
	ui_show_message(u, "%s", buf_cstr(&b));
	u->view->line.message = u->message;
}

static void
next_tool_update(struct ui *u)
{
	const struct process_row *row = processes_opened(u->view->procs);
	struct buf b = buf_over(u->next_tool, sizeof u->next_tool);

	if (row != NULL && row->state != PROCESS_ENDED)
		(void)view_next_tool(u->view, row, &b);
	buf_cstr(&b);
}

bool
ui_draw(struct ui *u, const struct monitor *m, const struct frame *f,
	const struct ui_status *s)
{
	struct view *v = u->view;
	struct ui_status status = *s;

	message_take(u, s->message);
	first_view_choose(u, s);
	u->period_ns = s->period_ns;
	u->newest_wall_ns = f != NULL ? f->stamp.wall_ns : 0;
	u->preset = s->preset;
	u->preset_possible = s->preset_possible;
	u->replay = s->replay != NULL;
	u->takes_marks = s->takes_marks;
	status.skipped_refreshes += tty_state(u->tty).skipped;
	if (u->freeze && f != NULL) {
		v->when.paused = still_copy_frame(&u->still, f);
		u->freeze = false;
	}
	if (v->machines != s->machines) /* the pause was on another machine */
		v->when.paused = u->freeze = false;
	if (v->machines != s->machines)
		v->reference.then = NULL;
	v->when.back = 0;
	v->when.ago_s = 0;
	uint64_t newest = f != NULL ? f->seq : 0;
	if (v->when.paused && f != NULL) {
		f = frame_paused(u, m, f);
		status_of_past(u, f, &status);
	}
	if (f != NULL)
		reference_compare(u, m, f, newest);
	u->shown_s = f != NULL ? f->elapsed_s : 0;
	u->nmarkers = s->nmarks < UI_MARKS ? s->nmarks : UI_MARKS;
	for (unsigned i = 0; i < u->nmarkers; i++)
		u->marker_s[i] = s->mark[i].at_s;
	if (s->replay != NULL && f != NULL)
		status_turns(u, m, &status);
	/* In a rotation, s->preset is the next preset, which already counts. */
	if (status.rotating && f != NULL)
		status.preset = frame_preset(f, &status);
	v->past = (struct past){ m,         monitor_history,
				 past_last, monitor_history_times,
				 past_gaps, past_words };
	v->procs->past = (struct process_past){ m,
						past_of_process,
						past_table,
						monitor_traces,
						monitor_traced,
						monitor_traced_word };
	v->run = monitor_past(m);
	ui_show_prompt(u, s->naming);
	v->line.message = u->message_draws > 0 ? u->message : NULL;
	v->line.asking = u->prompt.of != PROMPT_NONE;
	if (u->message_draws > 0)
		u->message_draws--;
	v->line.terminal = u->terminal_draws > 0 ? u->terminal : "";
	u->terminal_draws -= u->terminal_draws > 0;
	options_apply(u, f, &status);
	if (!picture_arrange(v, f, &status, u->canvas->w, u->canvas->h, NULL))
		return true; /* out of memory: skip this draw */
	message_process_ended(u);
	next_tool_update(u);
	u->canvas->letters = !tty_state(u->tty).colors ||
			     !theme_has_colors(&u->themes.theme);
	picture_draw(v, u->canvas);
	/* The caller's s and f are valid only during this call. */
	v->s = NULL;
	v->f = NULL;
	v->procs->t = NULL;
	return tty_show(u->tty, u->canvas, &u->themes.theme);
}

void
ui_write_text(const struct ui *u, FILE *out)
{
	const struct canvas *c = u->canvas;

	for (int y = 0; y < c->h; y++) {
		char line[4 * CANVAS_MAX_SIDE + 2];
		struct buf b = buf_over(line, sizeof line);
		struct canvas row = *c;

		row.cell = &c->cell[y * c->w];
		row.h = 1;
		canvas_print(&row, &b);
		fputs(buf_cstr(&b), out);
	}
}
