#include "model/process_rest.h"
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>

enum { ENTRY_W = 38, LABEL_W = 9, NUMBER_W = 8, REST_H = 4, WHO_LEAST = 24 };

struct place { /* Entries go down, then to the next column. */
	struct canvas *c;
	int x, y, top, below, w;
	unsigned left_out; /* entries that did not fit */
	bool sections;
	const char *title; /* title of the section that begins; NULL: none */
};

static void
detail_next_column(struct place *p)
{
	p->y = p->top;
	p->x += p->w;
}

static bool
detail_next_place(struct place *p)
{
	if (p->y >= p->below)
		detail_next_column(p);
	if (p->x + p->w <= p->c->window.w - 1)
		return true;
	p->left_out++;
	return false;
}

static bool
detail_next_line(struct place *p)
{
	if (p->title != NULL && p->y > p->top)
		detail_next_column(p);
	if (p->title != NULL && detail_next_place(p))
		canvas_textn(p->c, p->x, p->y++, p->w - 2, ROLE_DIM, p->title);
	p->title = NULL;
	return detail_next_place(p);
}

static void
event_rate_draw(struct place *p, const char *name, bool known, uint64_t n,
		double seconds)
{
	char text[VALUE_TEXT_SIZE];

	if (!detail_next_line(p))
		return;
	canvas_textn(p->c, p->x, p->y, p->w - VALUE_RATE_W - 6, ROLE_DIM, name);
	value_number(known && seconds > 0 ? (double)n / seconds : NAN, 0,
		     VALUE_RATE_W, text);
	canvas_right(p->c, p->x + p->w - VALUE_RATE_W - 5, p->y, VALUE_RATE_W,
		     known ? ROLE_TEXT : ROLE_DIM, text);
	canvas_text(p->c, p->x + p->w - 4, p->y, ROLE_DIM, "/s");
	p->y++;
}

static void
event_rates_draw(struct place *p, const struct view *v, unsigned scope)
{
	const struct span *t = &v->f->span[scope];
	const struct eventset *set = v->f->set;

	p->title = p->sections ? "events" : NULL;
	if (v->metric.main != COLUMN_BUSY) {
		event_rate_draw(p, METRIC_FIXED_CYCLES, span_has_cycles(t),
				t->cycles, span_interval_s(t));
		event_rate_draw(p, METRIC_FIXED_INSTRUCTIONS, span_has_fixed(t),
				t->instructions, span_interval_s(t));
	}
	for (unsigned i = 0; i < set->len; i++)
		event_rate_draw(p, set->slot[i].event->name,
				span_has_slot(t, i), t->slot[i],
				span_event_s(t));
}

static void
aged_event_draw(struct place *p, const struct metric *m, const char *value,
		const char *age)
{
	enum { AGE_W = 10, RATE_W = VALUE_RATE_W + 3 };
	int x = p->x + p->w - 2 - AGE_W;

	canvas_textn(p->c, p->x, p->y, p->w - 3 - AGE_W - RATE_W, ROLE_DIM,
		     m->num[0].event);
	canvas_right(p->c, x - RATE_W, p->y, VALUE_RATE_W, ROLE_DIM, value);
	canvas_text(p->c, x - 2, p->y, ROLE_DIM, "/s");
	canvas_right(p->c, x, p->y, AGE_W, ROLE_DIM, age);
	p->y++;
}

static void
aged_metric_draw(struct place *p, const struct view *v, unsigned scope,
		 int metric)
{
	const struct metric *m = view_metric(v, metric);
	char value[VALUE_TEXT_SIZE], text[PRINTED_SIZE];
	double age_s, last;

	if (frame_state(v->f, scope, (unsigned)metric) <= VALUE_FEW)
		return;
	last = view_last_value(v, scope, metric, &age_s);
	if (isnan(last) || !detail_next_line(p))
		return;
	value_number(last, m->decimals, value_width(m, NUMBER_W), value);
	const char *age = buf_printed(text, "%s s old", FIXED(age_s, 0));

	if (m->event) {
		aged_event_draw(p, m, value, age);
		return;
	}
	canvas_textn(p->c, p->x, p->y, LABEL_W - 1, ROLE_STRONG, m->label);
	canvas_right(p->c, p->x + LABEL_W, p->y, NUMBER_W, ROLE_DIM, value);
	canvas_textn(p->c, p->x + LABEL_W + NUMBER_W + 1, p->y,
		     p->w - LABEL_W - NUMBER_W - 3, ROLE_DIM, age);
	p->y++;
}

static const char *
detail_title(const struct view *v, unsigned scope, char to[PRINTED_SIZE])
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	switch (s->level) {
	case SCOPE_CORE:
		return buf_printed(to, "cpu %d of %s", t->cpu[s->index].id,
				   t->cluster[t->cpu[s->index].cluster].label);
	case SCOPE_CLUSTER:
		return buf_printed(to, "cluster %s",
				   t->cluster[s->index].label);
	case SCOPE_KIND:
		return t->kind[s->index].name;
	case SCOPE_ALL:
		break;
	}
	return "the whole machine";
}

static void
detail_processes_text(const struct view *v, unsigned scope, int room,
		      struct buf *b)
{
	enum { FEW_PCT = 5, NAMES = 3 };
	struct process_share who[NAMES];
	const char *part;
	unsigned n = v->procs->t == NULL
			     ? 0
			     : processes_shares(v->procs->t, v->f, scope, who,
						NAMES, &part);

	for (unsigned i = 0; i < n && who[i].share_pct >= (double)FEW_PCT;
	     i++) {
		const char *one =
			PRINTED("%s%s%s %s%%", i > 0 ? ", " : part,
				i > 0 ? "" : " cycles: ", who[i].row->name,
				FIXED(who[i].share_pct, 0));

		if (i > 0 &&
		    canvas_width(buf_cstr(b)) + canvas_width(one) > room)
			break;
		buf_str(b, one);
	}
	buf_cstr(b);
}

static void
events_coverage_add(const struct span *t, int w, struct buf *b)
{
	static const char *const words[][2] = {
		{ "counted ", " of the time" },
		{ "counted ", "" },
		{ "", "" },
	};
	enum { FORMS = sizeof words / sizeof *words };
	size_t before = b->len;

	for (unsigned i = 0; i < FORMS && !isnan(span_coverage(t)); i++) {
		buf_printf(b, "   events %s%s%%%s", words[i][0],
			   FIXED(span_coverage(t) * 100, 0), words[i][1]);
		if ((int)b->len <= w)
			return;
		b->len = before;
	}
}

static void
row_quality_draw(struct canvas *c, const struct view *v, unsigned scope, int y)
{
	const struct span *t = &v->f->span[scope];
	char text[160];
	struct buf b = buf_over(text, sizeof text);
	int w = c->window.w - 4;

	for (unsigned i = 0; i < QUALITY_BITS; i++) {
		if ((t->quality & 1u << i) == 0)
			continue;
		buf_printf(&b, "%s%s", b.len > 0 ? ", " : "",
			   quality_table[i].word);
	}
	buf_printf(&b, "%s   busy %s%s", b.len == 0 ? "ok" : "",
		   FIXED(span_busy_pct(t), 1),
		   isnan(span_busy_pct(t)) ? "-" : "%");
	if (v->metric.main != COLUMN_BUSY && v->f->set->len > 0)
		events_coverage_add(t, w, &b);
	int x = 2 + canvas_textn(c, 2, y, w,
				 t->quality == 0 ? ROLE_TEXT : ROLE_WARN,
				 buf_cstr(&b));

	b = buf_over(text, sizeof text);
	int room = c->window.w - x - 5;

	detail_processes_text(v, scope, room, &b);
	if (b.len > 0 && x + 3 + WHO_LEAST < c->window.w)
		panel_cut(c, x + 3, y, room, ROLE_DIM, text);
}

static void
aged_metrics_draw(struct place *p, const struct view *v, unsigned scope)
{
	unsigned n = metric_count + v->user.nmetrics;

	p->title = p->sections ? "of other sets, as they were last" : NULL;
	for (unsigned i = 0; i < v->f->nmetrics && i < n; i++)
		aged_metric_draw(p, v, scope, (int)i);
}

static void
power_details_draw(struct place *p, const struct view *v, unsigned scope)
{
	struct power_detail at[POWER_DETAILS];
	unsigned n = power_details(v, scope, at);
	char text[VALUE_TEXT_SIZE];

	p->title = p->sections ? "power" : NULL;
	for (unsigned i = 0; i < n && detail_next_line(p); i++) {
		value_number(at[i].value, at[i].decimals, NUMBER_W, text);
		canvas_textn(p->c, p->x, p->y, LABEL_W - 1, ROLE_STRONG,
			     at[i].label);
		canvas_right(p->c, p->x + LABEL_W, p->y, NUMBER_W,
			     at[i].bad ? ROLE_BAD : ROLE_TEXT, text);
		canvas_textn(p->c, p->x + LABEL_W + NUMBER_W + 1, p->y,
			     p->w - LABEL_W - NUMBER_W - 3, ROLE_DIM,
			     at[i].unit);
		p->y++;
	}
	p->title = NULL;
}

static void
detail_box_draw(struct canvas *c, const struct view *v, const char *title,
		unsigned left_out)
{
	const char *set = v->s->mode == UI_MODE_FULL ? v->f->set->name : "";

	panel_box(c, title,
		  left_out > 0 ? PRINTED("%u more on a larger screen   %s",
					 left_out, set)
			       : set);
}

int
panel_detail_rows(const struct view *v, int w)
{
	/* AROUND: rows of the box and of the data quality */
	enum { AROUND = 3, FIXED_EVENTS = 2, FEW_CPUS = 12 };
	int sections = 2 + FIXED_EVENTS + (int)v->f->set->len;

	if (v->kind != VIEW_DETAIL)
		return 0;
	return AROUND + zoom_rows(v, w - 4) +
	       (v->f->topology->ncpus <= FEW_CPUS ? sections : 0);
}

void
panel_detail_draw(struct canvas *c, const struct view *v)
{
	unsigned scope = view_selected(v);
	char text[PRINTED_SIZE];
	const char *title = detail_title(v, scope, text);
	int w = c->window.w - 4, columns = w / ENTRY_W > 0 ? w / ENTRY_W : 1;
	struct place p = { .c = c,
			   .x = 2,
			   .y = 2,
			   .top = 2,
			   .below = c->window.h - 1,
			   .w = w / columns };

	row_quality_draw(c, v, scope, 1);
	p.y = 2 +
	      zoom_draw(c, v, scope, (struct rect){ 2, 2, w, c->window.h - 3 });
	p.top = ++p.y;
	if (p.below - p.top < REST_H) {
		bottleneck_meanings_draw(c, p.top - 1, p.below);
		detail_box_draw(c, v, title, 0);
		return;
	}
	p.sections = columns >= 3;
	power_details_draw(&p, v, scope);
	event_rates_draw(&p, v, scope);
	aged_metrics_draw(&p, v, scope);
	detail_box_draw(c, v, title, p.left_out);
}
