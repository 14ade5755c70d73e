#include "ui/view/value.h"

#include <math.h>
#include <string.h>

static bool
number_fits(double v, int decimals, int w, const char *suffix, char *text)
{
	struct buf b = buf_over(text, VALUE_TEXT_SIZE);

	buf_fixed(&b, v, decimals);
	if (suffix[0] != 0)
		buf_str(&b, suffix);
	return (int)b.len <= w && !b.full && buf_cstr(&b) != NULL;
}

static void
number_cut(double v, int decimals, int w, char text[VALUE_TEXT_SIZE])
{
	static const struct {
		double scale;
		const char *suffix;
	} step[] = { { 1e3, "k" }, { 1e6, "M" }, { 1e9, "G" }, { 1e12, "T" } };

	for (int d = decimals - 1; d >= 0; d--)
		if (number_fits(v, d, w, "", text))
			return;
	/* Use the largest unit with a digit before the point: 19.3M, not
	 * 19286k. */
	for (unsigned i = sizeof step / sizeof *step; i-- > 0;)
		for (int d = 1; d >= 0; d--)
			if (fabs(v) >= step[i].scale * 0.9995 &&
			    number_fits(v / step[i].scale, d, w, step[i].suffix,
					text))
				return;
	memcpy(text, "big", 4);
}

void
value_number(double v, int decimals, int w, char text[VALUE_TEXT_SIZE])
{
	struct buf b = buf_over(text, VALUE_TEXT_SIZE);

	if (isnan(v)) {
		memcpy(text, "-", 2);
		return;
	}
	buf_fixed(&b, v, decimals);
	if ((int)b.len <= w && b.len < b.size)
		text[b.len] = '\0';
	else
		number_cut(v, decimals, w, text);
}

static void
value_show_text(struct value_shown *out, enum role role, const char *text)
{
	memcpy(out->text, text, strlen(text) + 1);
	out->role = role;
}

int
value_width(const struct metric *m, int w)
{
	return m->unit == UNIT_PER_S && w > VALUE_RATE_W ? VALUE_RATE_W : w;
}

static bool
is_share_of(const struct view *v, unsigned word, int metric)
{
	static const struct {
		unsigned word;
		enum bottleneck_measure share;
	} row[] = { { BOTTLENECK_MEMORY, MEASURE_PROCESSING },
		    { BOTTLENECK_MEMORY, MEASURE_STALL },
		    { BOTTLENECK_BACKEND, MEASURE_PROCESSING },
		    { BOTTLENECK_BACKEND, MEASURE_STALL },
		    { BOTTLENECK_BAD_SPEC, MEASURE_DISCARDED },
		    { BOTTLENECK_FRONTEND, MEASURE_DELIVERY },
		    { BOTTLENECK_FRONTEND, MEASURE_STARVE } };

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if (word == row[i].word &&
		    metric == v->metric.measure[row[i].share])
			return true;
	return false;
}

static enum role
value_role(const struct view *v, unsigned scope, int metric)
{
	const struct bottleneck *one =
		v->f->bottleneck != NULL ? &v->f->bottleneck[scope] : NULL;

	if (one == NULL)
		return ROLE_TEXT;
	if (metric == v->metric.lost)
		return one->flagged ? ROLE_STRONG
		       : bottleneck_loses((enum bottleneck_word)one->word)
			       ? ROLE_TEXT
			       : ROLE_DIM;
	return one->flagged && (one->evidence == metric ||
				is_share_of(v, one->word, metric))
		       ? ROLE_BAD
		       : ROLE_TEXT;
}

void
value_show_bottleneck(const struct view *v, unsigned scope,
		      struct value_shown *out)
{
	const struct bottleneck *one = &v->f->bottleneck[scope];
	bool unknown = one->word == BOTTLENECK_UNKNOWN;
	bool cause = bottleneck_loses((enum bottleneck_word)one->word);

	if (unknown &&
	    (one->cannot ||
	     frame_state(v->f, scope, (unsigned)v->metric.ipc) > VALUE_FEW))
		value_show_text(out, ROLE_DIM, "-");
	else if (unknown && one->estimate != BOTTLENECK_UNKNOWN)
		value_show_text(
			out, ROLE_DIM,
			PRINTED("~%s", bottleneck_words[one->estimate].word));
	else
		value_show_text(out,
				one->flagged ? ROLE_BAD
				: cause      ? ROLE_TEXT
					     : ROLE_DIM,
				bottleneck_words[one->word].word);
}

/* Shows why the value is missing, as a word, or as a letter in a narrow cell.
 * "taken": another program took over the counters. */
static void
value_show_missing(struct value_shown *out, enum value_state state,
		   uint32_t quality, int w)
{
	static const struct {
		const char *word, *letter;
	} row[] = {
		[VALUE_OK] = { "", "" },
		[VALUE_FEW] = { "", "" },
		[VALUE_IDLE] = { "idle", "i" },
		[VALUE_OFF] = { "off", "off" },
		[VALUE_STALE] = { "stale", "s" },
		[VALUE_NOT_COUNTED] = { "--", "--" },
		[VALUE_UNSUPPORTED] = { "n/a", "n/a" },
		[VALUE_IMPOSSIBLE] = { "?", "?" },
		[VALUE_DENIED] = { "denied", "d" },
		[VALUE_IN_USE] = { "in use", "u" },
	};
	const char *word = row[state].word, *letter = row[state].letter;

	if (state == VALUE_STALE &&
	    (quality & (QUALITY_TAKEN_OVER | QUALITY_STALE)) ==
		    QUALITY_TAKEN_OVER) {
		word = "taken";
		letter = "!";
	}
	value_show_text(out, ROLE_DIM, (int)strlen(word) <= w ? word : letter);
}

/* Formats busy%; "~37" if the interval has few ticks of the system's clock. */
static void
value_show_busy(const struct span *t, int w, struct value_shown *out)
{
	bool few = span_busy_rough(t) && w > 3;

	out->text[0] = '~';
	value_number(span_busy_pct(t), 0, w - few, out->text + few);
	out->role = isnan(span_busy_pct(t)) ? ROLE_DIM : ROLE_TEXT;
}

/* "~1.3": VALUE_ESTIMATED; "1.3'": of some CPUs only; "1.3*": few events */
static void
value_show_number(double value, unsigned marks, bool few, int decimals, int w,
		  struct value_shown *out)
{
	enum { DIGITS_MIN = 3 };

	if (marks == 0 && !few) {
		value_number(value, decimals, w, out->text);
		return;
	}
	bool scaled = (marks & VALUE_ESTIMATED) != 0 && w > DIGITS_MIN;
	const char *sign = (marks & VALUE_PART) != 0 ? "'" : few ? "*" : "";
	bool part = sign[0] != '\0' && w - scaled > DIGITS_MIN;

	char number[VALUE_TEXT_SIZE];
	struct buf b = buf_over(out->text, sizeof out->text);

	value_number(value, decimals, w - scaled - part, number);
	scaled = scaled && number[0] != '-';
	buf_str(&b, scaled ? "~" : "");
	buf_str(&b, number);
	buf_str(&b, part && number[0] != '-' ? sign : "");
	buf_cstr(&b);
}

void
value_row_take(const struct view *v, unsigned scope, struct value_row *out)
{
	const struct frame *f = v->f;

	out->scope = scope;
	out->value = f->value + (size_t)scope * f->nmetrics;
	out->state = f->state + (size_t)scope * f->nmetrics;
	out->ipc = frame_state(f, scope, (unsigned)v->metric.ipc);
	out->kernel = view_row_kernel(v, scope);
}

/* Shows "-" if the IPC column shows why the value is missing. */
static void
value_show_silent(const struct view *v, const struct value_row *row,
		  enum value_state state, int w, struct value_shown *out)
{
	bool silent = row->ipc == VALUE_IDLE || row->ipc == VALUE_OFF ||
		      row->ipc == VALUE_STALE || row->ipc == VALUE_DENIED ||
		      row->ipc == VALUE_IN_USE;

	if (silent && (state == row->ipc || state == VALUE_NOT_COUNTED))
		value_show_text(out, ROLE_DIM, "-");
	else
		value_show_missing(out, state, v->f->span[row->scope].quality,
				   w);
}

void
value_change(double change, int decimals, int w, char text[VALUE_TEXT_SIZE])
{
	char number[VALUE_TEXT_SIZE];
	struct buf b = buf_over(text, VALUE_TEXT_SIZE);

	value_number(fabs(change), decimals, w - 1, number);
	if (strspn(number, "0.") == strlen(number))
		buf_str(&b, "0");
	else
		buf_printf(&b, "%s%s",
			   isnan(change) ? ""
			   : change < 0  ? "-"
					 : "+",
			   number);
	buf_cstr(&b);
}

static void
value_show_change(const struct view *v, unsigned scope, int metric, int w,
		  struct value_shown *out)
{
	double change;
	enum view_change kind = view_change(v, scope, metric, &change);
	int decimals =
		metric == COLUMN_BUSY ? 0 : view_metric(v, metric)->decimals;

	out->role = kind == CHANGE_REAL ? ROLE_STRONG : ROLE_DIM;
	if (isnan(change)) {
		value_show_text(out, ROLE_DIM, "-");
		return;
	}
	value_change(change, decimals, w, out->text);
	if (strcmp(out->text, "0") == 0) {
		out->role = ROLE_DIM;
		return;
	}
	if (kind == CHANGE_REAL && v->f->bottleneck != NULL &&
	    v->f->bottleneck[scope].flagged &&
	    v->f->bottleneck[scope].evidence == metric)
		out->role = ROLE_BAD;
}

void
value_row_show(const struct view *v, const struct value_row *row, int metric,
	       int w, struct value_shown *out)
{
	if (v->reference.then != NULL) {
		value_show_change(v, row->scope, metric, w, out);
		return;
	}
	if (metric == COLUMN_BUSY) {
		value_show_busy(&v->f->span[row->scope], w, out);
		return;
	}
	const struct metric *m = view_metric(v, metric);
	double value = row->value[metric];
	unsigned marks = row->state[metric] & ~(unsigned)VALUE_STATE_MASK;
	enum value_state state =
		(enum value_state)(row->state[metric] & VALUE_STATE_MASK);

	if (state > VALUE_FEW) {
		value_show_silent(v, row, state, w, out);
		return;
	}
	value_show_number(value, marks, state == VALUE_FEW, m->decimals,
			  value_width(m, w), out);
	if (isnan(value) || state == VALUE_FEW ||
	    (row->kernel && view_mostly_kernel(v, row->scope, metric)))
		out->role = ROLE_DIM;
	else
		out->role = value_role(v, row->scope, metric);
}

void
value_show(const struct view *v, unsigned scope, int metric, int w,
	   struct value_shown *out)
{
	struct value_row row;

	value_row_take(v, scope, &row);
	value_row_show(v, &row, metric, w, out);
}

void
value_show_main(const struct view *v, unsigned scope, struct value_shown *out)
{
	if (v->reference.then != NULL) {
		value_show_change(v, scope, v->metric.main, 5, out);
		return;
	}
	if (v->metric.main == COLUMN_BUSY) {
		const struct span *t = &v->f->span[scope];

		value_show_busy(t, 5, out);
		if (out->role == ROLE_TEXT)
			out->role = ROLE_STRONG;
		else if ((t->quality & QUALITY_OFF) != 0)
			value_show_missing(out, VALUE_OFF, t->quality, 5);
		return;
	}
	enum value_state state =
		frame_state(v->f, scope, (unsigned)v->metric.ipc);

	if (state > VALUE_FEW) {
		value_show_missing(out, state, v->f->span[scope].quality, 5);
		return;
	}
	value_show_number(frame_value(v->f, scope, (unsigned)v->metric.ipc),
			  frame_marks(v->f, scope, (unsigned)v->metric.ipc),
			  state == VALUE_FEW,
			  view_metric(v, v->metric.ipc)->decimals, 5, out);
	out->role = state == VALUE_FEW || strcmp(out->text, "-") == 0
			    ? ROLE_DIM
			    : ROLE_STRONG;
}

const char *
value_explain(const struct metric *m, char text[VALUE_SAYS_SIZE])
{
	struct buf b = buf_over(text, VALUE_SAYS_SIZE);

	if (!m->event)
		return m->text;
	buf_str(&b, m->num[0].event);
	buf_str(&b, ": ");
	buf_str(&b, m->text);
	return buf_cstr(&b);
}

int
value_column_width(const struct view *v, int metric)
{
	int label = canvas_width(view_label(v, metric));
	int decimals = view_metric(v, metric)->decimals;
	int least = decimals == 0 ? 4 : 5;

	if (view_metric(v, metric)->approx &&
	    strchr(view_label(v, metric), '~') == NULL)
		label++;
	return 1 + (label > least ? label : least);
}

const char *
value_slots_rest(const struct view *v)
{
	int thread = view_metric_find(v, "other_thread_pct");

	for (unsigned k = 0; k < v->f->topology->nclusters; k++) {
		unsigned scope = frame_scope_cluster(v->f, k);
		double rest = 100;

		for (unsigned i = 0; i < 4; i++) {
			int metric = v->metric.topdown[i];

			rest -= metric < 0 ? NAN : view_value(v, scope, metric);
		}
		if (rest >= 2)
			return thread >= 0 && !isnan(view_value(v, scope,
								thread))
				       ? "blank: other thread"
				       : "blank: unaccounted";
	}
	return NULL;
}
