#include "ui/panels/inner.h"

#include "base/buf.h"

#include <math.h>
#include <string.h>

enum { STRIP_MAX = CANVAS_MAX_SIDE };

static const enum role word_role[BOTTLENECK_COUNT] = {
	[BOTTLENECK_NONE] = ROLE_DIM,
	[BOTTLENECK_MEMORY] = ROLE_STRONG,
	[BOTTLENECK_BACKEND] = ROLE_STRONG,
	[BOTTLENECK_BAD_SPEC] = ROLE_STRONG,
	[BOTTLENECK_FRONTEND] = ROLE_STRONG,
	[BOTTLENECK_KERNEL] = ROLE_STRONG,
	[BOTTLENECK_MIXED] = ROLE_STRONG,
	[BOTTLENECK_IDLE] = ROLE_DIM,
	[BOTTLENECK_OFF] = ROLE_DIM,
	[BOTTLENECK_UNKNOWN] = ROLE_DIM,
};

int
panel_scope_draw(struct canvas *c, const struct view *v, int x, int y,
		 unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];
	const char *text = s->level == SCOPE_CLUSTER
				   ? t->cluster[s->index].label
			   : s->level == SCOPE_KIND ? t->kind[s->index].name
						    : "all";

	return canvas_text(c, x, y, view_scope_role(v, scope),
			   s->level == SCOPE_CORE
				   ? PRINTED("cpu %d", t->cpu[s->index].id)
				   : text);
}

void
panel_rule_draw(struct canvas *c, int y, const char *text)
{
	canvas_fill(c, (struct rect){ 2, y, c->window.w - 4, 1 }, ROLE_FRAME,
		    c->glyphs == CANVAS_ASCII ? "-" : "─");
	canvas_text(c, 5, y, ROLE_DIM, PRINTED(" %s ", text));
}

/* Writes up to n words to out, oldest first, and returns their number. out also
 * gets newer words, so it has STRIP_MAX entries. */
static unsigned
strip_words(const struct view *v, unsigned scope, unsigned n, uint8_t *out)
{
	if (v->past.self == NULL || v->past.words == NULL)
		return 0;
	if (n + v->when.back > STRIP_MAX)
		n = STRIP_MAX > v->when.back ? STRIP_MAX - v->when.back : 0;
	unsigned got =
		v->past.words(v->past.self, scope, n + v->when.back, out);

	return got > v->when.back ? got - v->when.back : 0;
}

static const float *
strip_times(const struct view *v, unsigned n)
{
	double period_s = (double)v->s->period_ns / 1e9;
	unsigned got = 0;

	if (v->past.self != NULL && v->past.times != NULL)
		got = v->past.times(v->past.self, n + v->when.back, v->scratch);
	if (got >= n + v->when.back)
		return v->scratch + got - v->when.back - n;
	for (unsigned i = 0; i < n; i++)
		v->scratch[i] = (float)(period_s * i);
	return v->scratch;
}

unsigned
count_strip_run(const struct view *v, unsigned scope)
{
	uint8_t word[STRIP_MAX];
	unsigned n = strip_words(v, scope, STRIP_MAX, word), run = 0;

	while (run < n && word[n - 1 - run] == word[n - 1])
		run++;
	return run;
}

static unsigned
strip_word(const struct view *v, unsigned scope)
{
	uint8_t word[STRIP_MAX];

	return strip_words(v, scope, 1, word) > 0 && word[0] < BOTTLENECK_COUNT
		       ? word[0]
		       : BOTTLENECK_UNKNOWN;
}

double
strip_since(const struct view *v, unsigned scope)
{
	unsigned run = count_strip_run(v, scope);

	if (run == 0)
		return NAN;
	const float *at = strip_times(v, run);

	return (double)(at[run - 1] - at[0]) + (double)v->s->period_ns / 1e9;
}

static const char *
strip_sign(const struct canvas *c, unsigned word, bool begins)
{
	bool ascii = c->glyphs == CANVAS_ASCII;

	if (word == BOTTLENECK_NONE && !ascii)
		return "·";
	return begins || ascii || c->letters ? bottleneck_words[word].letter
					     : "─";
}

/* Only the current bottleneck can be red, because the history has no flags. */
static void
strip_line_draw(struct canvas *c, const struct view *v, unsigned scope,
		struct rect r, double s[])
{
	uint8_t word[STRIP_MAX];
	unsigned n = strip_words(v, scope, (unsigned)r.w, word);
	bool red = v->f->bottleneck != NULL && v->f->bottleneck[scope].flagged;
	const float *at = strip_times(v, n);

	for (unsigned i = 0; i < n; i++) {
		unsigned w = word[n - 1 - i];
		bool begins = i + 1 == n || word[n - 2 - i] != w;

		if (w >= BOTTLENECK_COUNT) {
			red = false;
			continue;
		}
		s[w] += i + 1 < n ? (double)(at[n - 1 - i] - at[n - 2 - i])
				  : (double)v->s->period_ns / 1e9;
		canvas_put(c, r.x + r.w - 1 - (int)i, r.y,
			   red ? ROLE_ALARM : word_role[w],
			   red && !begins && !c->letters &&
					   c->glyphs != CANVAS_ASCII
				   ? " "
				   : strip_sign(c, w, begins));
		red = red && !begins;
	}
}

static void
strip_times_draw(struct canvas *c, const struct view *v, int right, int y,
		 unsigned n)
{
	enum { EVERY = 20 };
	const float *at = strip_times(v, n);

	canvas_right(c, 0, y, right + 1, ROLE_DIM,
		     v->when.scrub > 0 ? "then" : "now");
	for (unsigned back = EVERY; back < n; back += EVERY) {
		char text[CHART_AGO_SIZE + 1] = "-";
		double ago = (double)(at[n - 1] - at[n - 1 - back]);

		chart_ago(ago, v->s->period_ns < 1000000000 ? 0.1 : 1,
			  text + 1);
		canvas_right(c, right - (int)back - 9, y, 10, ROLE_DIM, text);
	}
}

static void
strip_meanings_draw(struct canvas *c, struct rect r, const double sum[],
		    bool times)
{
	bool listed[BOTTLENECK_COUNT] = { false };
	int x = r.x;

	for (unsigned k = 0; k < BOTTLENECK_COUNT; k++) {
		unsigned most = BOTTLENECK_COUNT;

		for (unsigned w = 0; w < BOTTLENECK_COUNT; w++)
			if (!listed[w] && sum[w] > 0 &&
			    (most == BOTTLENECK_COUNT || sum[w] > sum[most]))
				most = w;
		if (most == BOTTLENECK_COUNT)
			return;
		listed[most] = true;
		const char *word = bottleneck_words[most].word;
		const char *text =
			!times ? word
			       : PRINTED("%s %s s", word,
					 FIXED(sum[most],
					       sum[most] < 9.95 ? 1 : 0));

		if (x + 2 + canvas_width(text) > r.x + r.w)
			return;
		canvas_put(c, x, r.y, word_role[most],
			   strip_sign(c, most, true));
		x += 2 + canvas_text(c, x + 2, r.y, ROLE_TEXT, text) + 3;
	}
}

static void
strips_note_draw(struct canvas *c, const struct view *v, const unsigned *scope,
		 unsigned n, struct rect r)
{
	double since_s = n > 1 ? strip_since(v, scope[0]) : NAN;
	const struct topology *t = v->f->topology;
	bool red = false;
	int w = 0;

	for (unsigned i = 0; i < n && v->f->bottleneck != NULL; i++)
		red |= v->f->bottleneck[scope[i]].flagged;
	if (!isnan(since_s) && v->f->bottleneck != NULL &&
	    scope[0] >= t->ncpus && scope[0] < t->ncpus + t->nclusters) {
		const char *text = PRINTED(
			"%s: %s %s s", t->cluster[scope[0] - t->ncpus].label,
			bottleneck_words[strip_word(v, scope[0])].word,
			FIXED(since_s, since_s < 9.95 ? 1 : 0));

		w = canvas_width(text) + 3;
		canvas_right(c, r.x, r.y, r.w, ROLE_TEXT, text);
	}
	if (red)
		canvas_right(c, r.x, r.y, r.w - w,
			     c->letters ? ROLE_ALARM : ROLE_BAD,
			     c->letters ? " flagged " : "red: flagged");
}

void
strips_draw(struct canvas *c, const struct view *v, const unsigned *scope,
	    unsigned n, struct rect r)
{
	enum { NAME_W = 8 };
	int x = r.x + NAME_W, w = r.w - NAME_W;
	double sum[BOTTLENECK_COUNT] = { 0 };
	uint8_t word[STRIP_MAX];
	unsigned most = 0, rows = r.h > 2 ? (unsigned)r.h - 2 : 0;

	rows = rows < n ? rows : n;
	for (unsigned i = 0; i < rows; i++) {
		unsigned has = strip_words(v, scope[i], (unsigned)w, word);

		panel_scope_draw(c, v, r.x, r.y + (int)i, scope[i]);
		strip_line_draw(c, v, scope[i],
				(struct rect){ x, r.y + (int)i, w, 1 }, sum);
		most = has > most ? has : most;
	}
	if (most == 0) {
		canvas_textn(c, x, r.y, w, ROLE_DIM, "no bottleneck yet");
		return;
	}
	strip_times_draw(c, v, x + w - 1, r.y + (int)rows, most);
	strip_meanings_draw(c,
			    (struct rect){ x, r.y + (int)rows + 1, w - 38, 1 },
			    sum, n == 1);
	strips_note_draw(c, v, scope, rows,
			 (struct rect){ x, r.y + (int)rows + 1, w, 1 });
}

const char *
strips_cell(const struct view *v, char to[PRINTED_SIZE])
{
	double s = (double)v->s->period_ns / 1e9;

	return buf_printed(
		to, "%s s a cell",
		FIXED(s, fabs(s - (double)lround(s)) < 0.01            ? 0
			 : fabs(10 * s - (double)lround(10 * s)) < 0.1 ? 1
								       : 2));
}
