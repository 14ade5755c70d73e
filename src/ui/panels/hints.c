#include "ui/panels/hints.h"

#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* texts of metrics, "what it is; what follows", in little room */

enum {
	TEXT_SHORT = 30, /* with less, not even from where on it follows */
	TEXT_WHOLE = 60, /* with less, only what follows from it */
	SO_MIN = 20      /* "10% is noteworthy" does not stand alone */
};

/* "the core waits for data" of "above 40% the core waits for data". */
static const char *
without_mark(const char *so)
{
	static const struct {
		const char *head;
		unsigned words; /* behind it, that belong to it */
	} mark[] = { { "low means ", 0 },
		     { "low for its kind ", 0 },
		     { "high: ", 0 },
		     { "above ", 1 },
		     { "under ", 1 } };

	for (unsigned i = 0; i < sizeof mark / sizeof *mark; i++) {
		size_t n = strlen(mark[i].head);

		if (strncmp(so, mark[i].head, n) != 0)
			continue;
		const char *word = strchr(so + n, ' ');

		return mark[i].words == 0 ? so + n
		       : word != NULL     ? word + 1
					  : so;
	}
	return so;
}

/* The part of it to begin with. */
static const char *
begin(const char *text, int w)
{
	const char *so = strstr(text, "; ");

	if (canvas_width(text) <= w || so == NULL)
		return text;
	so += 2;
	int need = canvas_width(so);

	if (need < SO_MIN || (need > w && w >= TEXT_WHOLE))
		return text;
	return need > w && w < TEXT_SHORT ? without_mark(so) : so;
}

/* Bytes of s that fit w cells and end with a word, or with a clause; 0: none.
 */
static size_t
fit(char *s, int w, bool clause)
{
	for (size_t n = strlen(s); n > 0; n--) {
		char behind = s[n];

		if ((behind != ' ' && behind != 0) ||
		    (clause && strchr(",:;", s[n - 1]) == NULL))
			continue;
		s[n] = 0;
		int used = canvas_width(s);

		s[n] = behind;
		if (used <= w)
			return n;
	}
	return 0;
}

void
hints_text(const char *text, int w, char *out, size_t size)
{
	static const char dots[] = " ...";
	struct buf b = buf_over(out, size);

	buf_str(&b, begin(text, w));
	if (canvas_width(buf_cstr(&b)) <= w)
		return;
	/* The sign at the clause's end goes. */
	size_t n = fit(out, w + 1, true);

	if ((int)n > w / 2) {
		out[n - 1] = 0;
		return;
	}
	n = fit(out, w - (int)sizeof dots + 1, false);
	out[n] = 0;
	if (n > 0 && n + sizeof dots <= size)
		memcpy(out + n, dots, sizeof dots);
}

enum {
	VALUE_W = 6, /* "~0.58'" */
	UNIT_W = 2,
	LABEL_W = 7,
	TEXT_MIN = 16,      /* less says nothing */
	WIDE = 60,          /* cells from which on columns have air */
	HEADING_FROM = 6,   /* lines from which on one counts */
	LOOK_BACK_MAX = 64, /* CPUs; of more the past is clusters' only */
	CLASSES = 2
};

/* Rows in the order of the list. */
enum part { PART_CLUSTERS, PART_CORES, PART_CORES_AS_CLUSTER, PARTS };

static const enum role class_role[CLASSES] = { ROLE_BAD, ROLE_WARN };

struct list {
	const struct view *v;
	unsigned barred;
	bool judged;                /* there was something to look at */
	unsigned n[CLASSES][PARTS]; /* lines it would have */
	int name_w, label_w;
	int y, below;  /* the next line, and the first behind the list */
	int explained; /* metric of the line before; -1: none */
};

/* A value as the cells show it, or of another set in turn. */
struct hint {
	enum role role; /* ROLE_BAD, ROLE_WARN; ROLE_NONE: does not stand out */
	double value;
	bool aged;
};

static unsigned
metrics(const struct view *v)
{
	return v->ncolumns + 1;
}

/* The i-th to look at: IPC, then the columns. -1: has no end that is better. */
static int
metric_at(const struct view *v, unsigned i)
{
	int metric = i == 0 ? v->ipc : v->column[i - 1].metric;

	if (metric < 0)
		return -1;
	const struct metric *m = view_metric(v, metric);

	return m->bad > m->good || m->bad < m->good ? metric : -1;
}

/* Work per cycle, in whatever unit: where one is low, the others are. */
static bool
work_per_cycle(const struct metric *m)
{
	return m->unit == UNIT_RATIO && m->good > m->bad;
}

/*
 * While sets take turns, each row keeps what the others counted, as in the
 * tables.
 */
static double
value_aged(const struct view *v, unsigned scope, unsigned metric)
{
	unsigned ncpus = v->f->topology->ncpus;
	double age, value;

	if (!v->s->rotating || v->past.self == NULL ||
	    frame_state(v->f, scope, metric) != VALUE_NOT_COUNTED ||
	    frame_state(v->f, scope, (unsigned)v->ipc) > VALUE_FEW ||
	    (scope < ncpus && ncpus > LOOK_BACK_MAX))
		return NAN;
	value = v->past.last(v->past.self, scope, metric, &age);
	return age <= 3 * v->period_s * (double)v->s->nrotate ? value : NAN;
}

static struct hint
look(const struct view *v, unsigned scope, int metric)
{
	struct hint h = { .role = ROLE_NONE };

	if (frame_state(v->f, scope, (unsigned)metric) == VALUE_OK) {
		h.value = frame_value(v->f, scope, (unsigned)metric);
	} else {
		h.value = value_aged(v, scope, (unsigned)metric);
		h.aged = true;
	}
	enum role role = value_role(v, scope, metric, h.value);

	if (!isnan(h.value) && role != ROLE_TEXT &&
	    !view_mostly_kernel(v, scope, metric))
		h.role = role;
	return h;
}

static bool
is_share(const struct view *v, int metric)
{
	for (unsigned i = 0; i < 4; i++)
		if (v->topdown[i] == metric)
			return true;
	return false;
}

/* Said already: by the bars above, or by a like metric before it. */
static bool
said(const struct list *l, unsigned scope, unsigned i, enum role role)
{
	const struct view *v = l->v;
	unsigned first = frame_scope_cluster(v->f, 0);

	if (scope >= first && scope - first < l->barred &&
	    is_share(v, metric_at(v, i)))
		return true;
	if (!work_per_cycle(view_metric(v, metric_at(v, i))))
		return false;
	for (unsigned k = 0; k < i; k++) {
		int other = metric_at(v, k);

		if (other < 0 || !work_per_cycle(view_metric(v, other)))
			continue;
		enum role before = look(v, scope, other).role;

		if (before == ROLE_BAD || before == role)
			return true;
	}
	return false;
}

static struct hint
hint_of(const struct list *l, unsigned scope, unsigned i)
{
	struct hint h = { .role = ROLE_NONE };
	int metric = metric_at(l->v, i);

	if (metric >= 0)
		h = look(l->v, scope, metric);
	if (h.role != ROLE_NONE && said(l, scope, i, h.role))
		h.role = ROLE_NONE;
	return h;
}

/* The part that a row's line belongs to. */
static enum part
part_of(const struct list *l, unsigned scope, unsigned i, enum role role)
{
	const struct topology *t = l->v->f->topology;

	if (scope >= t->ncpus)
		return PART_CLUSTERS;
	unsigned cluster = frame_scope_cluster(l->v->f, t->cpu[scope].cluster);
	enum role its = hint_of(l, cluster, i).role;

	return its == ROLE_BAD || its == role ? PART_CORES_AS_CLUSTER
					      : PART_CORES;
}

/* Has the row a number, or would it have one if it did more? */
static bool
can_be_judged(const struct view *v, unsigned scope, int metric)
{
	enum value_state state = frame_state(v->f, scope, (unsigned)metric);

	return state == VALUE_OK || state == VALUE_FEW || state == VALUE_IDLE ||
	       state == VALUE_OFF;
}

static void
count_all(struct list *l)
{
	const struct view *v = l->v;
	unsigned n = v->f->topology->ncpus + v->f->topology->nclusters;

	for (unsigned i = 0; i < metrics(v); i++) {
		int metric = metric_at(v, i);

		for (unsigned k = 0; metric >= 0 && k < n; k++) {
			enum role role = hint_of(l, k, i).role;

			if (role != ROLE_NONE)
				l->n[role != ROLE_BAD]
				    [part_of(l, k, i, role)]++;
			l->judged = l->judged || can_be_judged(v, k, metric);
		}
	}
}

/* What a number is of, behind it; the text says it in full. */
static const char *
unit_of(const struct metric *m)
{
	switch (m->unit) {
	case UNIT_PCT:
		return "%";
	case UNIT_MPKI:
	case UNIT_PER_KLDST:
		return "/k";
	case UNIT_PER_MCYCLE:
		return "/M";
	case UNIT_PER_S:
		return "/s";
	default:
		return "";
	}
}

static void
name_of(const struct topology *t, unsigned scope, struct buf *b)
{
	if (scope < t->ncpus) {
		buf_str(b, "cpu");
		buf_i64(b, t->cpu[scope].id);
	} else {
		buf_str(b, t->cluster[scope - t->ncpus].label);
	}
	buf_cstr(b);
}

/* As wide as the machine's names and the set's labels, whatever stands out. */
static void
columns_make(struct list *l)
{
	const struct view *v = l->v;
	const struct topology *t = v->f->topology;

	for (unsigned k = 0; k < t->ncpus + t->nclusters; k++) {
		char text[24];
		struct buf b = buf_over(text, sizeof text);

		name_of(t, k, &b);
		if ((int)b.len > l->name_w)
			l->name_w = (int)b.len;
	}
	for (unsigned i = 0; i < metrics(v); i++) {
		int metric = metric_at(v, i);
		int w = metric < 0
				? 0
				: canvas_width(view_metric(v, metric)->label);

		if (w > l->label_w)
			l->label_w = w < LABEL_W ? w : LABEL_W;
	}
}

/* Between columns; behind names one less, since few values are that long. */
static int
gap_of(struct rect r)
{
	return r.w >= WIDE ? 2 : 1;
}

static void
draw_name(struct canvas *c, const struct view *v, int x, int y, unsigned scope)
{
	const struct topology *t = v->f->topology;
	unsigned cluster =
		scope < t->ncpus ? t->cpu[scope].cluster : scope - t->ncpus;
	char text[24];
	struct buf b = buf_over(text, sizeof text);

	name_of(t, scope, &b);
	canvas_text(c, x, y, view_cluster_role(t, cluster), text);
}

/* "P1      62%   stall    Share of cycles ..."; the text once for a run. */
static void
draw_line(struct canvas *c, struct list *l, struct rect r, unsigned scope,
	  int metric, const struct hint *h)
{
	const struct view *v = l->v;
	const struct metric *m = view_metric(v, metric);
	int gap = gap_of(r), x = r.x + l->name_w + gap - 1;
	struct value_shown shown;

	draw_name(c, v, r.x, l->y, scope);
	if (h->aged) {
		value_number(h->value, m->decimals, value_width(m, VALUE_W),
			     shown.text);
		shown.role = ROLE_DIM;
	} else {
		value_show(v, scope, metric, VALUE_W, &shown);
	}
	canvas_right(c, x, l->y, VALUE_W, shown.role, shown.text);
	x += VALUE_W;
	canvas_text(c, x, l->y, ROLE_DIM, unit_of(m));
	x += UNIT_W + gap;
	canvas_textn(c, x, l->y, LABEL_W, ROLE_TEXT, m->label);
	x += l->label_w + gap;
	if (l->explained != metric && r.x + r.w - x >= TEXT_MIN) {
		char text[256];

		hints_text(m->text, r.x + r.w - x, text, sizeof text);
		canvas_text(c, x, l->y, ROLE_DIM, text);
	}
	l->explained = metric;
	l->y++;
}

/* The lines of one class and part, as far as there is room. */
static void
draw_part(struct canvas *c, struct list *l, struct rect r, enum role role,
	  enum part part)
{
	const struct topology *t = l->v->f->topology;
	unsigned first = part == PART_CLUSTERS ? t->ncpus : 0;
	unsigned end =
		part == PART_CLUSTERS ? t->ncpus + t->nclusters : t->ncpus;
	unsigned left = l->n[role != ROLE_BAD][part];

	for (unsigned i = 0; i < metrics(l->v); i++)
		for (unsigned k = first; k < end; k++) {
			if (left == 0 || l->y >= l->below)
				return;
			struct hint h = hint_of(l, k, i);

			if (h.role != role || part_of(l, k, i, role) != part)
				continue;
			draw_line(c, l, r, k, metric_at(l->v, i), &h);
			left--;
		}
}

static unsigned
sum(const struct list *l, unsigned class)
{
	unsigned n = 0;

	for (unsigned p = 0; p < PARTS; p++)
		n += l->n[class][p];
	return n;
}

/* "Stands out now: 5 bad, 12 nearly bad", or the numbers alone. */
static void
draw_heading(struct canvas *c, const struct list *l, struct rect r, int y)
{
	static const char head[] = "Stands out now: ";
	static const char *const word[CLASSES] = { " bad", " nearly bad" };
	char text[CLASSES][32];
	int w = 0, x = r.x;

	for (unsigned i = 0; i < CLASSES; i++) {
		struct buf b = buf_over(text[i], sizeof text[i]);

		if (sum(l, i) > 0) {
			buf_str(&b, w > 0 ? ", " : "");
			buf_u64(&b, sum(l, i));
			buf_str(&b, word[i]);
		}
		w += canvas_width(buf_cstr(&b));
	}
	if (w + canvas_width(head) <= r.w)
		x += canvas_text(c, x, y, ROLE_STRONG, head);
	for (unsigned i = 0; i < CLASSES && w <= r.w; i++)
		x += canvas_text(c, x, y, class_role[i], text[i]);
}

static void
draw_lines(struct canvas *c, struct list *l, struct rect r, int total)
{
	bool cut = total > r.y + r.h - l->y;
	int first = l->y;
	char text[40];
	struct buf b = buf_over(text, sizeof text);

	l->below = r.y + r.h - cut;
	for (unsigned i = 0; i < CLASSES; i++)
		for (enum part p = 0; p < PARTS; p++)
			draw_part(c, l, r, class_role[i], p);
	if (!cut)
		return;
	buf_str(&b, "and ");
	buf_u64(&b, (uint64_t)(total - (l->y - first)));
	buf_str(&b, " more");
	canvas_textn(c, r.x, l->y, r.w, ROLE_DIM, buf_cstr(&b));
}

void
hints_draw(struct canvas *c, const struct view *v, struct rect r,
	   unsigned barred)
{
	struct list l = { .v = v, .barred = barred, .y = r.y, .explained = -1 };

	if (r.h < 1 || r.w < 1)
		return;
	count_all(&l);
	int total = (int)(sum(&l, 0) + sum(&l, 1));

	if (total == 0) {
		if (l.judged)
			canvas_textn(c, r.x, r.y, r.w, ROLE_DIM,
				     "nothing stands out");
		return;
	}
	columns_make(&l);
	if (r.w < l.name_w + VALUE_W + UNIT_W + 2 * gap_of(r) - 1 + l.label_w)
		return;
	if (r.h >= HEADING_FROM || (r.h == 1 && total > 1))
		draw_heading(c, &l, r, l.y++);
	if (r.h > 1 || total == 1)
		draw_lines(c, &l, r, total);
}

int
hints_lines(const struct view *v, unsigned barred)
{
	struct list l = { .v = v, .barred = barred, .explained = -1 };

	count_all(&l);
	return (int)(sum(&l, 0) + sum(&l, 1)) + 1;
}
