/* What changed most since the reference, in a sentence; and what with it. */
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdio.h>

enum { WITH_IT = 3, SENTENCE = 256 };

static double
value_then(const struct view *v, unsigned scope, int metric)
{
	const struct frame *f = v->reference.then;

	return metric == COLUMN_BUSY ? span_busy_pct(&f->span[scope])
				     : frame_value(f, scope, (unsigned)metric);
}

/* How large a change is next to the reference's value; 0: it is noise. */
static double
size_of(const struct view *v, unsigned scope, int metric)
{
	double change;

	if (metric < 0 && metric != COLUMN_BUSY)
		return 0;
	if (view_change(v, scope, metric, &change) != CHANGE_REAL)
		return 0;
	return fabs(change) / fmax(fabs(value_then(v, scope, metric)), 0.01);
}

/*
 * The cluster whose lost slots changed most; where none did, its IPC.
 * nscopes: none.
 */
static unsigned
changed_most(const struct view *v)
{
	unsigned found = v->f->nscopes;
	double most = 0, change;
	int by[] = { v->metric.lost, v->metric.main };

	for (unsigned i = 0; i < 2 && most == 0; i++)
		for (unsigned k = 0; k < v->f->topology->nclusters; k++) {
			unsigned scope = frame_scope_cluster(v->f, k);
			double size = size_of(v, scope, by[i]);

			if (size > 0 && i == 0) {
				(void)view_change(v, scope, by[i], &change);
				size = fabs(change);
			}
			if (size > most) {
				most = size;
				found = scope;
			}
		}
	return found;
}

/* "IPC 4.18 to 1.23" */
static void
add_values(const struct view *v, unsigned scope, int metric, struct buf *b)
{
	char from[VALUE_TEXT_SIZE], to[VALUE_TEXT_SIZE];
	double change, then = value_then(v, scope, metric);
	int decimals =
		metric == COLUMN_BUSY ? 0 : view_metric(v, metric)->decimals;

	(void)view_change(v, scope, metric, &change);
	value_number(then, decimals, 8, from);
	value_number(then + change, decimals, 8, to);
	buf_printf(b, "%s %s to %s", view_label(v, metric), from, to);
}

static void
say_most(const struct view *v, unsigned scope, int room, struct buf *b)
{
	const struct bottleneck *now = v->f->bottleneck,
				*then = v->reference.then->bottleneck;
	double change, ipc = value_then(v, scope, v->metric.main);

	buf_str(b, " changed most: ");
	add_values(v, scope, v->metric.main, b);
	(void)view_change(v, scope, v->metric.main, &change);
	if (ipc > 0)
		buf_printf(b, " (%+.0f%%)", 100 * change / ipc);
	size_t end = b->len;

	if (size_of(v, scope, v->metric.lost) > 0) {
		double lost = value_then(v, scope, v->metric.lost);

		(void)view_change(v, scope, v->metric.lost, &change);
		buf_printf(b, "; lost slots %.0f%% to %.0f%% of the machine's",
			   lost, lost + change);
	}
	if ((int)b->len < room)
		end = b->len;
	b->len = end;
	buf_char(b, '.');
	end = b->len;
	if (now != NULL && then != NULL && now[scope].word != then[scope].word)
		buf_printf(b, " Bottleneck: %s; before: %s.",
			   bottleneck_words[now[scope].word].word,
			   bottleneck_words[then[scope].word].word);
	if ((int)b->len >= room)
		b->len = end;
	buf_cstr(b);
}

/* Of the columns those that changed most of themselves. */
static void
say_with_it(const struct view *v, unsigned scope, struct buf *b)
{
	double below = INFINITY;

	for (unsigned n = 0; n < WITH_IT; n++) {
		double most = 0;
		int metric = v->metric.main;

		for (unsigned i = 0; i < v->cols.n; i++) {
			int one = v->cols.column[i].metric;
			double size = size_of(v, scope, one);

			if (size > most && size < below &&
			    one != v->metric.lost) {
				most = size;
				metric = one;
			}
		}
		if (!(most > 0))
			break;
		below = most;
		buf_str(b, n == 0 ? "With it: " : ", ");
		add_values(v, scope, metric, b);
	}
	if (b->len > 0)
		buf_char(b, '.');
	buf_cstr(b);
}

void
change_headline_draw(struct canvas *c, const struct view *v)
{
	char text[SENTENCE], clock[PROCESS_CLOCK_SIZE];
	struct buf b = buf_over(text, sizeof text);
	unsigned scope = changed_most(v);
	int x = 3, w = c->window.w - 4;

	if (scope >= v->f->nscopes) {
		panel_cut(
			c, x, 0, w, ROLE_STRONG,
			PRINTED("No cluster changed beyond the noise since %s.",
				process_clock(
					clock,
					v->reference.then->stamp.wall_ns)));
		return;
	}
	const struct topology *t = v->f->topology;
	int n = canvas_text(c, x, 0, view_scope_role(v, scope),
			    t->cluster[v->f->scope[scope].index].label);

	say_most(v, scope, w - n, &b);
	panel_cut(c, x + n, 0, w - n, ROLE_STRONG, text);
	if (c->window.h < 2)
		return;
	b = buf_over(text, sizeof text);
	say_with_it(v, scope, &b);
	panel_cut(c, x, 1, w, ROLE_TEXT, text);
}
