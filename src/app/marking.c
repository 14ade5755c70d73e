/* Markers by key m, SIGUSR1, `ktop mark`, or from a recording. */
#include "app/state.h"
#include "base/buf.h"
#include "base/utf8.h"
#include "recording/index.h"
#include "recording/replay.h"

#include <stdio.h>
#include <string.h>

enum { SPOKEN_SIZE = 160 };

static const char unrecorded[] =
	"not saved: no recording is running; c starts one";

static void
marker_show(struct app *a, const struct waiting_mark *w)
{
	struct marking *m = &a->marking;
	unsigned i = 0;

	while (i < m->nshown &&
	       (m->shown[i].at.elapsed_ns != w->at.elapsed_ns ||
		m->shown[i].number != w->number))
		i++;
	if (i == UI_MARKS)
		memmove(&m->shown[0], &m->shown[1], --i * sizeof m->shown[0]);
	m->shown[i] = *w;
	m->nshown = i < m->nshown ? m->nshown : i + 1;
}

static const char *
marker_sentence(const struct waiting_mark *w, char text[SPOKEN_SIZE])
{
	struct buf b = buf_over(text, SPOKEN_SIZE);

	buf_printf(&b, "mark %u", w->number);
	if (strcmp(buf_cstr(&b), w->name) != 0)
		buf_printf(&b, " named %s", w->name);
	return buf_cstr(&b);
}

static void
marker_record_or_report(struct app *a, struct waiting_mark *w)
{
	bool taken = outlets_keep_markers(a);
	char text[SPOKEN_SIZE];

	if (taken)
		outlets_write_marker(a, &w->at, w->name);
	if (a->screen.wanted)
		marker_show(a, w);
	if (a->screen.wanted && taken)
		messages_add(&a->messages, "%s", marker_sentence(w, text));
	else if (a->screen.wanted)
		messages_add(&a->messages, "%s is %s", marker_sentence(w, text),
			     unrecorded);
	else if (!taken)
		messages_add(&a->messages,
			     "no marker set: nothing is recorded");
	w->is = false;
}

static void
marker_begin(struct app *a, struct waiting_mark *w)
{
	*w = (struct waiting_mark){ .is = true };
	clock_now(a->clock, &w->at);
	w->number = ++a->outlets.marks;
	snprintf(w->name, sizeof w->name, "mark %u", w->number);
}

static struct stamp
marker_time(const struct app *a, uint64_t seq)
{
	const struct history *past = monitor_past(a->monitor);
	uint64_t back = a->frame->seq - seq;
	unsigned depth = history_depth(past);

	return history_stamp(past, back < depth ? (unsigned)back : depth);
}

void
marking_add_by_key(struct app *a, int64_t moment)
{
	if (a->marking.key.is)
		marking_set_name(a, "");
	marker_begin(a, &a->marking.key);
	if (moment > 0)
		a->marking.key.at = marker_time(a, (uint64_t)moment - 1);
	marker_show(a, &a->marking.key);
}

void
marking_set_name(struct app *a, const char *name)
{
	struct waiting_mark *w = &a->marking.key;

	if (!w->is)
		return;
	while (*name == ' ')
		name++;
	if (*name != '\0')
		utf8_clean(w->name, sizeof w->name, name, strlen(name));
	w->named = true;
	if (a->frame != NULL)
		marker_record_or_report(a, w);
}

void
marking_add_from_outside(struct app *a)
{
	struct waiting_mark *w = &a->marking.outside;

	if (!w->is)
		marker_begin(a, w);
	if (a->frame == NULL) /* marking_write_waiting writes w */
		return;
	char left[MARKS_TEXT_SIZE];

	if (marks_take(&a->outlets.mark_file, left))
		memcpy(w->name, left, sizeof left);
	marker_record_or_report(a, w);
}

void
marking_add_recorded(struct app *a, const struct stamp *at, const char *name)
{
	outlets_write_marker(a, at, name);
	if (a->screen.wanted)
		messages_add(&a->messages, "%s", name);
}

void
marking_write_waiting(struct app *a)
{
	if (a->marking.outside.is)
		marking_add_from_outside(a);
	if (a->marking.key.is && a->marking.key.named)
		marker_record_or_report(a, &a->marking.key);
}

void
marking_write_at_end(struct app *a)
{
	if (a->frame == NULL)
		return;
	if (a->marking.outside.is)
		marking_add_from_outside(a);
	marking_set_name(a, "");
}

void
marking_report_unsaved(const struct app *a)
{
	const struct marking *m = &a->marking;
	char text[SPOKEN_SIZE];

	if (a->frame == NULL && (m->key.is || m->outside.is) &&
	    outlets_keep_markers(a))
		err_print("%s is not saved: ktop ended before the first sample",
			  marker_sentence(m->key.is ? &m->key : &m->outside,
					  text));
}

struct marker_list {
	struct ui_mark *mark;
	unsigned n;
	double now_s;
};

static void
marker_insert(struct marker_list *t, double at_s, unsigned number,
	      const char *name)
{
	unsigned at = t->n;

	if (t->n == UI_MARKS) {
		if (at_s <= t->mark[0].at_s)
			return;
		memmove(t->mark, t->mark + 1, (UI_MARKS - 1) * sizeof *t->mark);
		at = --t->n;
	}
	for (; at > 0 && t->mark[at - 1].at_s > at_s; at--)
		t->mark[at] = t->mark[at - 1];
	t->mark[at].at_s = at_s;
	t->mark[at].number = number;
	utf8_visible(t->mark[at].name, sizeof t->mark[at].name, name);
	t->n++;
}

static void
markers_insert_recorded(const struct app *a, struct marker_list *t)
{
	const struct recording_index *x =
		a->pace != NULL ? replay_index(a->source) : NULL;

	for (unsigned i = 0; x != NULL && i < x->nhappenings; i++) {
		const struct index_happening *h = &x->happening[i];
		double ago =
			(double)(replay_reading(a->source)->time_ns - h->ns) *
			1e-9;

		if (h->what != INDEX_IS_MARK)
			continue;
		if (h->frame <= replay_reading(a->source)->at)
			marker_insert(t, t->now_s - ago, h->number, h->text);
	}
}

unsigned
marking_list(struct app *a, const struct ui_mark **out)
{
	struct marking *m = &a->marking;
	struct marker_list t = { m->listed, 0, 0 };

	*out = m->listed;
	if (a->frame == NULL)
		return 0;
	t.now_s = a->frame->elapsed_s;
	markers_insert_recorded(a, &t);
	for (unsigned i = 0; i < m->nshown; i++) {
		int64_t later =
			m->shown[i].at.elapsed_ns - a->frame->stamp.elapsed_ns;

		marker_insert(&t, t.now_s + (double)later * 1e-9,
			      m->shown[i].number, m->shown[i].name);
	}
	return t.n;
}
