#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WITH_IT = 3, SENTENCE = 256 };

/* BOTH_W: cells of "less more"; WAS_W: cells of "was frontend" */
enum { BOTH_W = 9, WAS_W = 12 };

static double
reference_value(const struct view *v, unsigned scope, int metric)
{
	const struct frame *f = v->reference.then;

	return metric == COLUMN_BUSY ? span_busy_pct(&f->span[scope])
				     : frame_value(f, scope, (unsigned)metric);
}

/* Returns the relative change; 0: within the noise, or unknown. */
static double
change_size(const struct view *v, unsigned scope, int metric)
{
	double change;

	if (metric < 0 && metric != COLUMN_BUSY)
		return 0;
	if (view_change(v, scope, metric, &change) != CHANGE_REAL)
		return 0;
	return fabs(change) /
	       fmax(fabs(reference_value(v, scope, metric)), 0.01);
}

/* Returns the cluster whose lost slots changed most; if none changed, the one
 * whose main metric did; nscopes: none. */
static unsigned
cluster_changed_most(const struct view *v)
{
	unsigned found = v->f->nscopes;
	double most = 0, change;
	int by[] = { v->metric.lost, v->metric.main };

	for (unsigned i = 0; i < 2 && most == 0; i++)
		for (unsigned k = 0; k < v->f->topology->nclusters; k++) {
			unsigned scope = frame_scope_cluster(v->f, k);
			double size = change_size(v, scope, by[i]);

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

static void
change_values_add(const struct view *v, unsigned scope, int metric,
		  struct buf *b)
{
	char from[VALUE_TEXT_SIZE], to[VALUE_TEXT_SIZE];
	double change, then = reference_value(v, scope, metric);
	int decimals =
		metric == COLUMN_BUSY ? 0 : view_metric(v, metric)->decimals;

	(void)view_change(v, scope, metric, &change);
	value_number(then, decimals, 8, from);
	value_number(then + change, decimals, 8, to);
	buf_printf(b, "%s %s to %s", view_label(v, metric), from, to);
}

static void
add_bottleneck_change(struct buf *b, unsigned now, unsigned then)
{
	const char *said = strchr(bottleneck_words[now].said, ' ') + 1;
	const char *word = now == BOTTLENECK_BAD_SPEC  ? "bad speculation"
			   : now == BOTTLENECK_UNKNOWN ? "unknown"
						       : said;

	buf_printf(b, " %c%s; before: %s.", toupper((unsigned char)word[0]),
		   word + 1, bottleneck_words[then].word);
}

static void
change_most_text(const struct view *v, unsigned scope, int room, struct buf *b)
{
	const struct bottleneck *now = v->f->bottleneck,
				*then = v->reference.then->bottleneck;
	double change, ipc = reference_value(v, scope, v->metric.main);

	buf_str(b, " changed most: ");
	change_values_add(v, scope, v->metric.main, b);
	(void)view_change(v, scope, v->metric.main, &change);
	if (ipc > 0)
		buf_printf(b, " (%+.0f%%)", 100 * change / ipc);
	size_t end = b->len;

	if (change_size(v, scope, v->metric.lost) > 0) {
		double lost = reference_value(v, scope, v->metric.lost);

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
		add_bottleneck_change(b, now[scope].word, then[scope].word);
	if ((int)b->len >= room)
		b->len = end;
	buf_cstr(b);
}

static void
changes_with_it_text(const struct view *v, unsigned scope, struct buf *b)
{
	double below = INFINITY;

	for (unsigned n = 0; n < WITH_IT; n++) {
		double most = 0;
		int metric = v->metric.main;

		for (unsigned i = 0; i < v->cols.n; i++) {
			int one = v->cols.column[i].metric;
			double size = change_size(v, scope, one);

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
		change_values_add(v, scope, metric, b);
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
	unsigned scope = cluster_changed_most(v);
	int x = 3, w = c->window.w - 4;

	if (scope >= v->f->nscopes) {
		panel_cut(
			c, x, 0, w, ROLE_STRONG,
			PRINTED("No cluster changed beyond the noise since %s.",
				process_clock(
					clock,
					v->reference.then->stamp.wall_ns)));
		if (c->window.h > 1)
			panel_cut(
				c, x, 1, w, ROLE_DIM,
				"Reference and now: the last 10 s of each. Grey: within the noise.");
		return;
	}
	const struct topology *t = v->f->topology;
	int n = canvas_text(c, x, 0, view_scope_role(v, scope),
			    t->cluster[v->f->scope[scope].index].label);

	change_most_text(v, scope, w - n, &b);
	panel_cut(c, x + n, 0, w - n, ROLE_STRONG, text);
	if (c->window.h < 2)
		return;
	b = buf_over(text, sizeof text);
	changes_with_it_text(v, scope, &b);
	panel_cut(c, x, 1, w, ROLE_TEXT, text);
}

bool
change_word_draw(struct canvas *c, const struct view *v, struct rect r,
		 unsigned scope)
{
	const struct bottleneck *then = v->reference.then->bottleneck,
				*now = v->f->bottleneck;

	if (then == NULL || now == NULL || then[scope].word == now[scope].word)
		return false;
	canvas_textn(c, r.x, r.y, r.w, ROLE_DIM,
		     PRINTED("%s%s", r.w < WAS_W ? "" : "was ",
			     bottleneck_words[then[scope].word].word));
	return true;
}

static double
largest_change(const struct view *v)
{
	double most = 0, change;

	for (unsigned i = 0; i < frame_scope_kind(v->f, 0); i++)
		if (view_change(v, i, v->metric.lost, &change) == CHANGE_REAL)
			most = fmax(most, fabs(change));
	return most;
}

void
change_bar_draw(struct canvas *c, const struct view *v, struct rect r,
		unsigned scope, bool words)
{
	bool ascii = c->glyphs == CANVAS_ASCII;
	int half = (r.w - 1) / 2;
	double change;

	if (words && change_word_draw(c, v, r, scope))
		return;
	canvas_text(c, r.x + half, r.y, ROLE_FRAME, ascii ? "|" : "│");
	if (v->metric.lost < 0 ||
	    view_change(v, scope, v->metric.lost, &change) != CHANGE_REAL)
		return;
	int n = (int)lround(fabs(change) / largest_change(v) * half);
	bool bad = change > 0 && v->f->bottleneck != NULL &&
		   v->f->bottleneck[scope].flagged;

	canvas_fill(c,
		    (struct rect){ r.x + (change > 0 ? half + 1 : half - n),
				   r.y, n, 1 },
		    bad ? ROLE_BAD : ROLE_DIM, ascii ? "#" : "█");
}

void
change_bar_title(struct canvas *c, struct rect r)
{
	int half = (r.w - 1) / 2;

	if (r.w < BOTH_W) {
		canvas_textn(c, r.x, r.y, r.w, ROLE_DIM, "was");
		return;
	}
	canvas_text(c, r.x + half - 4 < r.x ? r.x : r.x + half - 4, r.y,
		    ROLE_DIM, "less");
	canvas_text(c, r.x + half + 1, r.y, ROLE_DIM, "more");
}
