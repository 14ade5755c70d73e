/* Batch text (-b): tables of the machine and of its busiest processes. */
#include "out/sink.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cells.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "model/process.h"
#include "model/bottleneck_say.h"
#include "out/format.h"
#include "out/busiest.h"

enum {
	TEXT_ALWAYS = 4,
	TEXT_COLUMNS_MAX = TEXT_ALWAYS + PRESET_METRICS + EVENTSET_MAX,
	NAME_MIN = 6,
	KIND_MIN = 4,
	BOTTLENECK_MIN = 8,
	USER_MIN = 8,
	CELL_MIN = 5,
	CELL_MAX = 24,
	LINE_MAX_SIZE = 1024,
	/* Maximum size of names, quality and cells in bytes. */
	ROW_SIZE = 160 + TEXT_COLUMNS_MAX * CELL_MAX,
	PROCESS_SIZE = 640 + (PROCESS_METRICS + TEXT_COLUMNS_MAX) * CELL_MAX
};

struct text {
	struct sink sink; /* must be first */
	const struct sink_about *about;
	size_t name_width, kind_width, bottleneck_width, busy_width;
	size_t pid_width, user_width;
	size_t width[METRIC_MAX], process_width[PROCESS_METRICS];
	size_t rate_width[METRIC_MAX];
	bool widened; /* a column grew while the frame was written */
	struct process_pick pick;
	uint32_t shown; /* 1 << enum process_metric that any frame had */
	const struct frame *f;
	struct buf b;
	unsigned n, metric[TEXT_COLUMNS_MAX]; /* indices in about->metric */
	uint64_t rates; /* 1 << column with values of processes */
};
static_assert(TEXT_COLUMNS_MAX <= 64, "a bit for each column");

static struct text *
text_from_sink(struct sink *s)
{
	return (struct text *)(void *)s;
}

static void
text_add_column(struct text *t, int metric)
{
	for (unsigned i = 0; i < t->n; i++)
		if ((int)t->metric[i] == metric)
			return;
	if (metric >= 0 && t->n < TEXT_COLUMNS_MAX)
		t->metric[t->n++] = (unsigned)metric;
}

static bool
frame_any_other_state(const struct frame *f, unsigned metric, unsigned states)
{
	for (unsigned i = 0; i < f->nscopes; i++)
		if ((states >> frame_state(f, i, metric) & 1) == 0)
			return true;
	return false;
}

static bool
metric_is_supported(const struct frame *f, unsigned metric)
{
	return frame_any_other_state(f, metric,
				     1u << VALUE_UNSUPPORTED | 1u << VALUE_OFF);
}

static bool
metric_is_counted(const struct frame *f, unsigned metric)
{
	return frame_any_other_state(f, metric,
				     1u << VALUE_UNSUPPORTED | 1u << VALUE_OFF |
					     1u << VALUE_NOT_COUNTED);
}

/* Does the rate show an event that no other column shows? */
static bool
rate_adds_events(const struct metric *m, const struct eventset *set,
		 uint32_t shown)
{
	uint32_t slots = metric_slots(m, set);

	return metric_of_set(m, set) && (slots == 0 || (slots & ~shown) != 0);
}

/* For a set of the user: metrics that its events allow, then rates of other
 * events, even if unmeasured. The rates always fit. */
static void
text_choose_for_events(struct text *t)
{
	enum { ROOM = TEXT_COLUMNS_MAX - EVENTSET_MAX };
	const struct sink_about *a = t->about;
	uint32_t shown = 0;

	for (unsigned i = 0; i < metric_count && i < a->nmetrics; i++)
		if (metric_is_counted(t->f, i) && !a->metric[i]->judged &&
		    t->n < ROOM)
			text_add_column(t, (int)i);
	for (unsigned i = 0; i < t->n; i++)
		shown |= frame_slots_shown(t->f, t->metric[i],
					   a->metric[t->metric[i]]);
	for (unsigned i = 0; i < a->nmetrics; i++)
		if (rate_adds_events(a->metric[i], t->f->set, shown))
			text_add_column(t, (int)i);
}

static int
about_metric_index(const struct sink_about *a, const char *name)
{
	for (unsigned i = 0; i < a->nmetrics; i++)
		if (strcmp(a->metric[i]->name, name) == 0)
			return (int)i;
	return -1;
}

/* True: no row has counts of cycles. */
static bool
text_lacks_pmu(const struct text *t)
{
	int ipc = about_metric_index(t->about, "ipc");

	return ipc >= 0 && !metric_is_supported(t->f, (unsigned)ipc);
}

/* Chooses columns that the machine supports. Refused events are shown as n/a;
 * without a PMU the preset's columns stay. */
static void
text_choose_columns(struct text *t)
{
	static const char *const always[TEXT_ALWAYS] = { "ghz", "ipc", "gips",
							 "lost_pct" };
	const struct sink_about *a = t->about;
	const struct eventset *set = t->f->set;
	int preset = set->len > 0 ? preset_find(set->name) : -1;
	bool no_pmu = text_lacks_pmu(t);

	t->n = 0;
	for (unsigned i = 0; i < TEXT_ALWAYS; i++)
		text_add_column(t, about_metric_index(a, always[i]));
	if (preset < 0 && set->len > 0)
		text_choose_for_events(t);
	for (unsigned i = 0; preset >= 0 && i < PRESET_METRICS; i++) {
		const char *name = preset_table[preset].metrics[i];
		int m = name != NULL ? about_metric_index(a, name) : -1;

		if (m >= 0 && (metric_is_supported(t->f, (unsigned)m) ||
			       metric_refused(a->metric[m], set) ||
			       (no_pmu && !a->metric[m]->optional)))
			text_add_column(t, m);
	}
}

static void
text_widen(struct text *t, size_t *width, size_t least)
{
	if (least <= *width)
		return;
	*width = least;
	t->widened = true;
}

static void
text_put_left(struct text *t, const char *s, size_t *width)
{
	size_t cells = cells_wide(s);

	text_widen(t, width, cells);
	buf_str(&t->b, s);
	buf_blanks(&t->b, *width - cells);
}

static void
text_put_right(struct text *t, const char *s, size_t *width)
{
	size_t cells = cells_wide(s);

	text_widen(t, width, cells);
	buf_blanks(&t->b, 1 + *width - cells);
	buf_str(&t->b, s);
}

static void
text_put_number(struct text *t, const char *mark, double v, int decimals,
		size_t *width)
{
	char cell[CELL_MAX];
	struct buf b = buf_over(cell, sizeof cell);

	if (isnan(v)) {
		buf_char(&b, '-');
	} else {
		buf_str(&b, mark);
		buf_fixed(&b, v, decimals);
	}
	text_put_right(t, buf_cstr(&b), width);
}

static void
text_put_title(struct text *t)
{
	const struct sink_about *a = t->about;
	const struct frame *f = t->f;
	struct buf *b = &t->b;
	char words[128];

	buf_printf(b, "ktop  %s%s  %s  sample %llu  ", a->model,
		   a->simulated ? " (sim)" : "",
		   f->set->len > 0     ? f->set->name
		   : text_lacks_pmu(t) ? "busy time only"
				       : "no events",
		   (unsigned long long)f->seq);
	format_time(b, f->stamp.wall_ns);
	buf_str(b, "  ");
	buf_fixed(b, f->interval_s, 3);
	buf_str(b, " s");
	if (f->set->len > 0 && f->domain != DOMAIN_ALL)
		buf_printf(b, "  events: %s", domain_name[f->domain]);
	buf_printf(b, "%s%s%s\n", a->topology->smt ? "  per thread" : "",
		   f->quality != 0 ? "  " : "",
		   quality_words(f->quality, words, sizeof words));
}

static void
text_put_sentence(struct text *t)
{
	static const struct bottleneck_style style = {
		.room = SENTENCE_SIZE - 1, .paper = true
	};
	struct bottleneck_sentence s;

	bottleneck_headline(t->f, &style, &s);
	if (s.text[0] != '\0')
		buf_printf(&t->b, "%s%s\n", s.flagged ? "! " : "", s.text);
}

static void
text_put_heads(struct text *t)
{
	text_put_left(t, "ROW", &t->name_width);
	buf_char(&t->b, ' ');
	text_put_left(t, "KIND", &t->kind_width);
	buf_char(&t->b, ' ');
	text_put_left(t, "BOTTLENECK", &t->bottleneck_width);
	text_put_right(t, "BUSY%", &t->busy_width);
	for (unsigned i = 0; i < t->n; i++)
		text_put_right(t, t->about->metric[t->metric[i]]->label,
			       &t->width[t->metric[i]]);
	buf_str(&t->b, " QUALITY\n");
}

static const char *
value_state_word(enum value_state s)
{
	static const char *const word[] = {
		[VALUE_IDLE] = "idle",     [VALUE_OFF] = "off",
		[VALUE_STALE] = "stale",   [VALUE_UNSUPPORTED] = "n/a",
		[VALUE_IMPOSSIBLE] = "?",  [VALUE_DENIED] = "denied",
		[VALUE_IN_USE] = "in-use",
	};

	return word[s] != NULL ? word[s] : "--"; /* VALUE_NOT_COUNTED */
}

/* True: the CPU was read, but another tool had changed its events. */
static bool
events_are_taken_over(uint32_t quality)
{
	return (quality & QUALITY_TAKEN_OVER) != 0 &&
	       (quality & QUALITY_STALE) == 0;
}

static void
text_put_value(struct text *t, unsigned scope, unsigned metric)
{
	const struct frame *f = t->f;
	enum value_state state = frame_state(f, scope, metric);
	unsigned marks = frame_marks(f, scope, metric);
	size_t *width = &t->width[metric];
	double value = frame_value(f, scope, metric);
	char cell[CELL_MAX];
	struct buf v = buf_over(cell, sizeof cell);

	if (state == VALUE_STALE &&
	    events_are_taken_over(f->span[scope].quality)) {
		buf_str(&v, "taken");
	} else if (state != VALUE_OK && state != VALUE_FEW) {
		buf_str(&v, value_state_word(state));
	} else if (isnan(value)) {
		buf_char(&v, '-'); /* counted, but undefined, as 0 / 0 */
	} else {
		buf_str(&v, (marks & VALUE_SCALED) != 0 ? "~" : "");
		buf_str(&v, state == VALUE_FEW ? "*" : "");
		buf_fixed(&v, value, t->about->metric[metric]->decimals);
		buf_str(&v, (marks & VALUE_MODES) != 0    ? "^"
			    : (marks & VALUE_PART) != 0   ? "'"
			    : (marks & VALUE_UNLIKE) != 0 ? "\""
							  : "");
	}
	text_put_right(t, buf_cstr(&v), width);
}

static void
text_put_names(struct text *t, const struct scope *s)
{
	const struct topology *of = t->f->topology;
	const char *name = "all", *kind = "";
	char cpu[TOPOLOGY_NAME_SIZE];
	struct buf b = buf_over(cpu, sizeof cpu);

	switch (s->level) {
	case SCOPE_CORE:
		buf_printf(&b, "cpu%d", of->cpu[s->index].id);
		name = buf_cstr(&b);
		kind = of->cluster[of->cpu[s->index].cluster].label;
		break;
	case SCOPE_CLUSTER:
		name = of->cluster[s->index].label;
		kind = of->kind[of->cluster[s->index].kind].letter;
		break;
	case SCOPE_KIND:
		name = of->kind[s->index].name;
		kind = of->kind[s->index].letter;
		break;
	case SCOPE_ALL:
		break;
	}
	text_put_left(t, name, &t->name_width);
	buf_char(&t->b, ' ');
	text_put_left(t, kind, &t->kind_width);
	buf_char(&t->b, ' ');
}

static void
text_put_bottleneck(struct text *t, unsigned scope)
{
	const struct bottleneck *v =
		t->f->bottleneck != NULL ? &t->f->bottleneck[scope] : NULL;
	char cell[CELL_MAX];
	struct buf b = buf_over(cell, sizeof cell);

	bool unknown = v != NULL && v->word == BOTTLENECK_UNKNOWN;
	bool estimated = unknown && v->estimate != BOTTLENECK_UNKNOWN;

	if (v == NULL || (unknown && v->cannot))
		buf_str(&b, "-");
	else
		buf_printf(&b, "%s%s%s", estimated ? "~" : "",
			   bottleneck_words[estimated ? v->estimate : v->word]
				   .word,
			   v->flagged ? "!" : "");
	text_put_left(t, buf_cstr(&b), &t->bottleneck_width);
}

static void
text_put_row(struct text *t, unsigned scope)
{
	const struct scope *s = &t->f->scope[scope];
	const struct span *y = &t->f->span[scope];
	struct buf *b = &t->b;
	char words[128];

	text_put_names(t, s);
	text_put_bottleneck(t, scope);
	text_put_number(t, span_busy_rough(y) ? "~" : "", span_busy_pct(y), 1,
			&t->busy_width);
	for (unsigned i = 0; i < t->n; i++)
		text_put_value(t, scope, t->metric[i]);
	buf_char(b, ' ');
	if (s->level != SCOPE_CORE && y->n_ok != s->ncpus)
		buf_printf(b, "%u/%u ", y->n_ok, s->ncpus);
	buf_str(b, quality_words(y->quality, words, sizeof words));
	while (b->len > 0 && b->at[b->len - 1] == ' ')
		b->len--;
	buf_char(b, '\n');
}

static void
text_put_levels(struct text *t, bool cores)
{
	const struct frame *f = t->f;

	for (unsigned k = SCOPE_ALL + 1; k-- > (cores ? 0 : SCOPE_CORE + 1);)
		for (unsigned i = 0; i < f->nscopes; i++)
			if (f->scope[i].level == (enum scope_level)k &&
			    (t->about->rows & 1u << k) != 0)
				text_put_row(t, i);
}

/* Writes all rows first, so that columns also fit rows that are left out. */
static void
text_put_rows(struct text *t)
{
	const struct sink_about *a = t->about;
	const unsigned *row;
	size_t from = t->b.len;
	unsigned n;

	text_put_levels(t, true);
	if (a->choose == NULL || !a->choose(a->choose_arg, t->f, &row, &n))
		return;
	t->b.len = from;
	text_put_levels(t, false);
	for (unsigned i = 0; i < n; i++)
		text_put_row(t, row[i]);
}

static const struct {
	enum process_metric metric;
	bool of_parts; /* shown only with several kinds of core */
} column[] = {
	{ PROCESS_CPU, false },  { PROCESS_P_TIME, true },
	{ PROCESS_IPC, false },  { PROCESS_IPC_0, true },
	{ PROCESS_IPC_1, true }, { PROCESS_GIPS, false },
	{ PROCESS_GHZ, false },
};
enum { COLUMNS = sizeof column / sizeof *column };

/* Headings have the letters of kinds, because the fastest kind may be S. */
static void
text_put_process_label(struct text *t, enum process_metric m)
{
	const struct process_parts *parts = &t->f->processes->parts;
	char label[32];
	struct buf b = buf_over(label, sizeof label);

	if (m == PROCESS_P_TIME)
		buf_printf(&b, "%s%%", parts->label[0]);
	else if (m == PROCESS_IPC_0 || m == PROCESS_IPC_1)
		buf_printf(&b, "IPC %s", parts->label[m == PROCESS_IPC_1]);
	else
		buf_str(&b, process_metrics[m].label);
	text_put_right(t, buf_cstr(&b), &t->process_width[m]);
}

static void
text_put_pid(struct text *t, const char *pid)
{
	size_t n = strlen(pid);

	text_widen(t, &t->pid_width, n);
	buf_blanks(&t->b, t->pid_width - n);
	buf_str(&t->b, pid);
	buf_char(&t->b, ' ');
}

static void
text_put_process_heads(struct text *t)
{
	text_put_pid(t, "PID");
	text_put_left(t, "USER", &t->user_width);
	for (unsigned i = 0; i < COLUMNS; i++)
		if ((t->shown >> column[i].metric & 1) != 0)
			text_put_process_label(t, column[i].metric);
	for (unsigned i = 0; i < t->n; i++)
		if ((t->rates >> i & 1) != 0)
			text_put_right(t, t->about->metric[t->metric[i]]->label,
				       &t->rate_width[t->metric[i]]);
	buf_str(&t->b, "  PROCESS\n");
}

static void
text_put_rates(struct text *t, const struct process_row *r)
{
	const struct process_table *of = t->f->processes;
	const struct sink_about *a = t->about;
	const struct span *e = r != &of->rest ? r->events : NULL;

	if (a->traced == NULL || of->traced == NULL ||
	    of->traced->state != PROCESS_TRACING_ON)
		return;
	for (unsigned i = 0; i < t->n; i++) {
		unsigned m = t->metric[i];
		bool few = false;
		double v =
			e != NULL ? a->traced(a->traced_arg, e, m, &few) : NAN;

		if (!isnan(v) && (t->rates >> i & 1) == 0) {
			t->rates |= UINT64_C(1) << i;
			t->widened = true;
		}
		if ((t->rates >> i & 1) != 0)
			text_put_number(t, few ? "*" : "", v,
					a->metric[m]->decimals,
					&t->rate_width[m]);
	}
}

static void
text_put_process(struct text *t, const struct process_row *r)
{
	struct buf *b = &t->b;
	char pid[16] = "-", user[PROCESS_USER_SIZE], name[PROCESS_NAME_SIZE];
	char words[128];

	if (r->pid >= 0)
		snprintf(pid, sizeof pid, "%d", (int)r->pid);
	utf8_plain(user, sizeof user, r->user, strlen(r->user));
	utf8_plain(name, sizeof name, r->name, strlen(r->name));
	text_put_pid(t, pid);
	text_put_left(t, user[0] != '\0' ? user : "-", &t->user_width);
	for (unsigned i = 0; i < COLUMNS; i++) {
		enum process_metric m = column[i].metric;

		if ((t->shown >> m & 1) != 0)
			text_put_number(t, "", r->value[m],
					process_metrics[m].decimals,
					&t->process_width[m]);
	}
	text_put_rates(t, r);
	if (r == &t->pick.others)
		buf_printf(b, "  (%u%s", t->pick.nothers,
			   plural(t->pick.nothers, " other process)",
				  " other processes)"));
	else
		buf_printf(b, "  %s", name[0] != '\0' ? name : "-");
	process_words(r, words, sizeof words);
	buf_printf(b, "%s%s\n", words[0] != '\0' ? "  " : "", words);
}

static void
text_put_process_title(struct text *t)
{
	const struct process_table *of = t->f->processes;
	unsigned n = t->pick.top.n + t->pick.nothers;
	struct buf *b = &t->b;

	buf_printf(b, "%u%s", n, plural(n, " process", " processes"));
	if (of->started != UINT64_MAX && of->started > 0)
		buf_printf(b, "  seen %u new, %llu forks and threads", of->born,
			   (unsigned long long)of->started);
	if (of->domain != DOMAIN_ALL && of->domain != DOMAIN_NONE)
		buf_printf(b, "  counts: %s", domain_name[of->domain]);
	if (of->notice != NULL && of->notice[0] != '\0')
		buf_printf(b, "  %s", of->notice);
	buf_char(b, '\n');
}

static void
text_put_processes(struct text *t)
{
	const struct process_table *of = t->f->processes;

	if (of == NULL || t->about->processes == 0)
		return;
	for (unsigned i = 0; i < COLUMNS; i++)
		if (!column[i].of_parts || of->parts.n > 1)
			t->shown |= 1u << column[i].metric;
	text_put_process_title(t);
	text_put_process_heads(t);
	for (unsigned i = 0; i < t->pick.top.n; i++)
		text_put_process(t, &of->row[t->pick.top.row[i].index]);
	if (t->pick.nothers > 0)
		text_put_process(t, &t->pick.others);
	if (of->has_rest)
		text_put_process(t, &of->rest);
}

static void
text_prepare(struct text *t, const struct frame *f)
{
	t->f = f;
	t->rates = 0;
	text_choose_columns(t);
	if (f->processes == NULL || t->about->processes == 0)
		return;
	process_pick_choose(&t->pick, f->processes, f->interval_s);
}

static bool
text_frame(struct sink *s, const struct frame *f, struct err *e)
{
	struct text *t = text_from_sink(s);

	if (!target_flush(&t->sink.target, e)) {
		target_drop(&t->sink.target);
		return false;
	}
	text_prepare(t, f);
	do { /* write again if a column grew */
		t->b = buf_over(t->sink.target.at, t->sink.target.size);
		t->widened = false;
		text_put_title(t);
		text_put_sentence(t);
		text_put_heads(t);
		text_put_rows(t);
		text_put_processes(t);
		buf_char(&t->b, '\n');
	} while (t->widened);
	return target_send(&t->sink.target, t->b.len, e);
}

static bool
text_mark(struct sink *s, const struct frame *f, const char *words,
	  struct err *e)
{
	struct text *t = text_from_sink(s);

	if (!target_flush(&t->sink.target, e))
		return false;
	struct buf b = buf_over(t->sink.target.at, t->sink.target.size);

	buf_str(&b, "marker ");
	format_time(&b, f->stamp.wall_ns);
	buf_printf(&b, "  %s\n\n", words);
	return target_send(&t->sink.target, b.len, e);
}

static uint64_t
text_close(struct sink *s)
{
	if (s == NULL)
		return 0;
	uint64_t given_up = target_close(&s->target);

	process_pick_free(&text_from_sink(s)->pick);
	free(s);
	return given_up;
}

static size_t
text_size(const struct sink_about *a)
{
	const struct topology *t = a->topology;
	size_t rows = (size_t)t->ncpus + t->nclusters + t->nkinds + 2;

	/* Four more lines: count, titles, (unattributed), (other processes). */
	return LINE_MAX_SIZE + SENTENCE_SIZE + rows * ROW_SIZE +
	       (a->processes > 0 ? a->processes + 4 : 0) * (size_t)PROCESS_SIZE;
}

static bool
text_machine(struct sink *s, const struct sink_about *a,
	     const struct topology *was, struct err *e)
{
	(void)was;
	return target_grow(&s->target, text_size(a), e);
}

static struct sink *
text_open(const char *target, const struct sink_about *a, struct err *e)
{
	struct text *t = calloc(1, sizeof *t);

	if (t == NULL)
		return err_null(e, ERR_FAIL, "out of memory for the table");
	t->sink.ops = &sink_text;
	t->about = a;
	t->name_width = NAME_MIN;
	t->kind_width = KIND_MIN;
	t->bottleneck_width = BOTTLENECK_MIN;
	t->user_width = USER_MIN;
	t->pid_width = NAME_MIN;
	t->busy_width = CELL_MIN;
	for (unsigned i = 0; i < PROCESS_METRICS; i++)
		t->process_width[i] = CELL_MIN;
	for (unsigned i = 0; i < METRIC_MAX; i++)
		t->width[i] = t->rate_width[i] = CELL_MIN;
	if (!process_pick_init(&t->pick, a->processes))
		err_set(e, ERR_FAIL, "out of memory for the table");
	else if (target_open(&t->sink.target, target,
			     a->force ? TARGET_REPLACE : TARGET_NEW,
			     text_size(a), e))
		return &t->sink;
	process_pick_free(&t->pick);
	free(t);
	return NULL;
}

const struct sink_ops sink_text = {
	.name = "text",
	.open = text_open,
	.frame = text_frame,
	.machine = text_machine,
	.mark = text_mark,
	.close = text_close,
};
