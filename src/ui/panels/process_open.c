#include "base/plural.h"
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

enum { OPEN_ROWS = 9 };

int
panel_process_chart_rows(const struct view *v, int w)
{
	(void)w;
	return v->kind == VIEW_PROCESSES && processes_opened(v->procs) != NULL
		       ? OPEN_ROWS
		       : 0;
}

/* *then: a copy of *v; for an ended process, of its last interval. */
static void
make_view_until_end(const struct view *v, struct view *then)
{
	const struct ended_process *over = processes_find_ended(v->procs);

	*then = *v;
	if (over == NULL)
		return;
	then->when.back += (unsigned)(v->f->seq - over->seq);
	then->when.scrub++;
}

static void
draw_metric_over_time(struct canvas *c, const struct view *now,
		      const struct process_row *row, enum process_metric metric)
{
	struct view then;
	const struct view *v = &then;

	make_view_until_end(now, &then);
	enum { END_W = 8 };
	struct chart k = { .metric = v->metric.main, .core = -1 };
	char text[VALUE_TEXT_SIZE + 4] = "─ ";
	unsigned n;
	double most;

	k.plot = (struct rect){ 2 + CHART_LABEL_W, 1,
				c->window.w - CHART_LABEL_W - 2 - END_W - 2,
				c->window.h - 3 };
	canvas_dots(c, &k.per_x, &k.per_y);
	if (k.plot.w < 8 || k.plot.h < 2)
		return;
	k.frames = chart_frames(v, &k);
	k.ahead = chart_frames_ahead(v, &k);
	chart_gaps_find(v, &k);
	n = view_read_past(v, OF_PROCESS(row), COLUMN_PROCESS + (int)metric,
			   k.frames);
	n = chart_spread(v, &k, n, k.frames, false);
	most = chart_most(v, n, 0);
	chart_scale(&k, most > 0 ? most : 1, k.plot.h >= 6 ? 3 : 2);
	chart_scale_draw(c, &k);
	chart_times_draw(c, v, &k);
	chart_gaps_draw(c, v, &k);
	chart_markers_draw(c, v, &k, false);
	/* Drawing the axis overwrote v->scratch. */
	n = view_read_past(v, OF_PROCESS(row), COLUMN_PROCESS + (int)metric,
			   k.frames);
	n = chart_spread(v, &k, n, k.frames, false);
	(void)chart_line_draw(c, v, &k, n,
			      &(struct chart_name){ "", ROLE_STRONG, '*', 0 });
	chart_markers_draw(c, v, &k, true);
	if (n == 0)
		canvas_text(c, k.plot.x + k.plot.w / 2 - 6,
			    k.plot.y + k.plot.h / 2, ROLE_DIM,
			    processes_find_ended(v->procs) != NULL
				    ? "no past left"
				    : "no past yet");
	if (isnan(row->value[metric]))
		return;
	size_t mark = c->glyphs == CANVAS_ASCII ? 0 : strlen(text);

	value_number(row->value[metric], process_metrics[metric].decimals, 6,
		     text + mark);
	canvas_textn(c, k.plot.x + k.plot.w + 1,
		     k.plot.y + chart_row(&k, row->value[metric]) / k.per_y,
		     END_W, ROLE_STRONG, text);
}

void
panel_process_chart_draw(struct canvas *c, const struct view *v)
{
	const struct process_row *row = processes_opened(v->procs);
	enum process_metric metric = processes_trend(v->procs);
	const struct ended_process *over = processes_find_ended(v->procs);
	char ended[PROCESS_CLOCK_SIZE];

	if (row == NULL)
		return;
	panel_box(c,
		  PRINTED("%s (%d): %s", row->name[0] != 0 ? row->name : "-",
			  (int)row->pid, process_metrics[metric].label),
		  over == NULL ? ""
			       : PRINTED("ended at %s",
					 process_clock(ended, over->wall_ns)));
	draw_metric_over_time(c, v, row, metric);
}

enum {
	KIND_CPU = 11,
	KIND_CYCLES = 19,
	KIND_GINST = 27,
	KIND_IPC = 33,
	KIND_GHZ = 39,
	KIND_WATTS = 46
};

static void
draw_number_right(struct canvas *c, int end, int y, enum role role,
		  double value, int decimals)
{
	enum { W = 7 };
	char text[VALUE_TEXT_SIZE];

	if (end + 1 >= c->window.w || isnan(value))
		return;
	value_number(value, decimals, W, text);
	canvas_right(c, end - W + 1, y, W, role, text);
}

static double
known_quotient(double above, double below)
{
	return below > 0 ? above / below : NAN;
}

static void
draw_kind_numbers(struct canvas *c, const struct process_row *row,
		  const struct process_part *part, double ipc, int y,
		  enum role role)
{
	double ns = row->interval_s * 1e9;
	bool counts = (row->known & PROCESS_HAS_PARTS) != 0;
	bool times = (row->known & PROCESS_HAS_PART_TIMES) != 0;
	double cycles = counts ? (double)part->cycles : NAN;
	double cpu_ns = times ? (double)part->cpu_ns : NAN;
	double giga = (double)part->instructions / 1e9;
	bool energy = (row->known & PROCESS_HAS_PART_ENERGY) != 0;

	draw_number_right(c, KIND_CPU, y, role,
			  known_quotient(100 * cpu_ns, ns), 1);
	draw_number_right(c, KIND_CYCLES, y, role, cycles / 1e9, 2);
	draw_number_right(c, KIND_GINST, y, role, counts ? giga : NAN, 2);
	draw_number_right(c, KIND_IPC, y, role, ipc, 2);
	draw_number_right(c, KIND_GHZ, y, role, known_quotient(cycles, cpu_ns),
			  2);
	draw_number_right(
		c, KIND_WATTS, y, role,
		energy ? known_quotient((double)part->energy_nj, ns) : NAN, 2);
}

/* NAN: the part has too few cycles. */
static double
part_ipc(const struct process_row *row, unsigned part)
{
	const struct process_part *p = &row->d.part[part];

	if (part < 2)
		return row->value[part == 0 ? PROCESS_IPC_0 : PROCESS_IPC_1];
	return known_quotient((double)p->instructions, (double)p->cycles);
}

static int
draw_kinds(struct canvas *c, const struct view *v,
	   const struct process_row *row, int y)
{
	const struct process_parts *parts = &v->procs->t->parts;
	struct process_part all = { row->d.cycles, row->d.instructions,
				    row->d.user_ns + row->d.system_ns,
				    row->d.energy_nj };
	/* Totals may be known even if the parts are not. */
	struct process_row whole = *row;

	for (unsigned i = 0; parts->n > 1 && i < parts->n; i++) {
		enum role role =
			parts->kind[i] >= 0
				? view_kind_role((unsigned)parts->kind[i])
				: ROLE_TEXT;

		canvas_textn(c, 2, y, 6, role, parts->label[i]);
		draw_kind_numbers(c, row, &row->d.part[i], part_ipc(row, i),
				  y++, ROLE_TEXT);
	}
	whole.known = 0;
	if ((row->known & PROCESS_HAS_COUNTS) != 0)
		whole.known |= PROCESS_HAS_PARTS;
	if ((row->known & PROCESS_HAS_TIMES) != 0)
		whole.known |= PROCESS_HAS_PART_TIMES;
	if ((row->known & PROCESS_HAS_ENERGY) != 0)
		whole.known |= PROCESS_HAS_PART_ENERGY;
	canvas_text(c, 2, y, ROLE_STRONG,
		    c->glyphs == CANVAS_ASCII ? "all" : "Σ");
	draw_kind_numbers(c, &whole, &all, row->value[PROCESS_IPC], y++,
			  ROLE_STRONG);
	return y;
}

static void
draw_kind_titles(struct canvas *c, int y)
{
	static const struct {
		int end;
		const char *text;
	} title[] = { { KIND_CPU, "CPU%" },    { KIND_CYCLES, "Gcyc" },
		      { KIND_GINST, "Ginst" }, { KIND_IPC, "IPC" },
		      { KIND_GHZ, "GHz" },     { KIND_WATTS, "W~" } };

	for (unsigned i = 0; i < sizeof title / sizeof *title; i++)
		if (title[i].end + 1 < c->window.w)
			canvas_right(c, title[i].end - 6, y, 7, ROLE_DIM,
				     title[i].text);
}

static const struct process_row *
find_process_of_pid(const struct process_table *t, int32_t pid)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->row[i].pid == pid)
			return &t->row[i];
	return NULL;
}

static void
make_time_text(int64_t then_ns, int64_t now_ns, struct buf *b)
{
	static const struct {
		int64_t below, unit;
		const char *word;
	} age[] = { { 120, 1, "s" },
		    { 120 * 60, 60, "min" },
		    { INT64_C(48) * 3600, 3600, "h" },
		    { INT64_MAX, 86400, "days" } };
	char text[PROCESS_CLOCK_SIZE];
	int64_t s = (now_ns - then_ns) / 1000000000;
	unsigned i = 0;

	buf_str(b, process_clock(text, then_ns));
	if (text[0] == 0 || s < 0)
		return;
	while (s >= age[i].below)
		i++;
	buf_printf(b, ", %d %s ago", (int)(s / age[i].unit), age[i].word);
}

static void
make_start_text(const struct view *v, const struct process_row *row,
		struct buf *b)
{
	const struct process_row *parent =
		find_process_of_pid(v->procs->t, row->parent);

	make_time_text(row->started_ns, v->f->stamp.wall_ns, b);
	if (b->len == 0)
		buf_str(b, "unknown");
	if (row->parent < 0 || row->parent == row->pid)
		return;
	if (parent != NULL)
		buf_printf(b, ", by %s", parent->name);
	else
		buf_printf(b, ", by %d", (int)row->parent);
}

/* False: the numbers cover one whole interval. */
static bool
make_interval_text(const struct process_row *row, struct buf *b)
{
	const char *what = (row->flags & PROCESS_GAP) != 0
				   ? " awake; the machine or ktop slept"
				   : ": several intervals in one";

	if ((row->flags & PROCESS_RESTARTED) != 0)
		buf_str(b, "counts restarted: numbers follow next");
	else if ((row->flags & (PROCESS_GAP | PROCESS_CATCHUP)) != 0)
		buf_printf(b, "%s s%s", FIXED(row->interval_s, 1), what);
	return b->len > 0;
}

static void
draw_labelled_line(struct canvas *c, int y, const char *what, const char *text)
{
	enum { WHAT_W = 9 };

	if (y >= c->window.h - 1)
		return;
	canvas_text(c, 2, y, ROLE_DIM, what);
	panel_cut(c, 2 + WHAT_W, y, c->window.w - 4 - WHAT_W, ROLE_TEXT, text);
}

void
panel_process_kinds_draw(struct canvas *c, const struct view *v)
{
	const struct process_row *row = processes_opened(v->procs);
	const struct ended_process *over = processes_find_ended(v->procs);
	char text[PROCESS_NAME_SIZE + 96];
	struct buf b = buf_over(text, sizeof text);
	int y = 1;

	if (row == NULL)
		return;
	panel_box(c,
		  PRINTED("%s%s", row->name,
			  v->procs->t->parts.n > 1 ? " by kind of core"
						   : " in all"),
		  over != NULL ? "ended" : "last sample");
	if (over == NULL) {
		draw_kind_titles(c, y++);
		y = draw_kinds(c, v, row, y);
	}
	/* This line is first, because a low box cuts later lines. */
	if (over == NULL && make_interval_text(row, &b))
		draw_labelled_line(c, y++, "covers", buf_cstr(&b));
	b = buf_over(text, sizeof text);
	make_start_text(v, row, &b);
	draw_labelled_line(c, y++, "started", buf_cstr(&b));
	if (over != NULL) {
		b = buf_over(text, sizeof text);
		make_time_text(over->wall_ns, v->f->stamp.wall_ns, &b);
		draw_labelled_line(c, y++, "ended", buf_cstr(&b));
	}
	if (processes_command(v->procs)[0] != '\0')
		draw_labelled_line(c, y++, "command",
				   processes_command(v->procs));
	b = buf_over(text, sizeof text);
	buf_str(&b, row->user[0] != 0 ? row->user : "-");
	if (row->threads > 0)
		buf_printf(&b, ", %u%s", row->threads,
			   plural(row->threads, " thread", " threads"));
	draw_labelled_line(c, y, "user", buf_cstr(&b));
}
