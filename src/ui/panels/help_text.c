/* What the help says of columns, events, letters and words. */
#include "model/metric.h"
#include "model/verdict.h"
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <ctype.h>
#include <string.h>

enum { MARGIN = 2 };

/* Case makes no difference. NULL: it is not among the first n bytes. */
static const char *
find_text(const char *text, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t at = 0; len > 0 && at + len <= n; at++) {
		size_t k = 0;

		while (k < len && tolower((unsigned char)text[at + k]) ==
					  tolower((unsigned char)word[k]))
			k++;
		if (k == len)
			return text + at;
	}
	return NULL;
}

static void
look_at(struct page *p, int line, const char *text, size_t n)
{
	if (find_text(text, n, p->find) == NULL ||
	    (p->hits > 0 && p->last.line == line))
		return;
	p->last = (struct page_hit){ line, ++p->hits };
	if (p->hits == 1)
		p->first = p->last;
	if (line < p->from)
		p->before = p->last;
	if (line > p->from && p->after.rank == 0)
		p->after = p->last;
}

void
page_part(struct page *p)
{
	struct help *h = p->part_of;

	if (h->nparts < HELP_PARTS)
		h->part[h->nparts++] = p->line + (p->line > 0);
}

void
page_blank(struct page *p)
{
	p->line++;
}

void
page_put(struct page *p, int x, int w, enum role role, const char *text)
{
	look_at(p, p->line, text, strlen(text));
	if (p->c != NULL)
		canvas_textn(p->c, MARGIN + x, p->line - p->top, w, role, text);
}

void
page_heading(struct page *p, const char *text)
{
	if (p->line > 0)
		p->line++;
	page_put(p, 0, p->w, ROLE_TITLE, text);
	p->line++;
}

/* As canvas_wrap breaks it. */
static void
look_at_lines(struct page *p, int w, const char *text)
{
	int line = p->line;

	while (p->find[0] != '\0' && *text != '\0') {
		size_t n = canvas_wrap_cut(text, w);

		look_at(p, line++, text, n);
		text += n;
		text += strspn(text, " ");
	}
}

void
page_entry(struct page *p, int indent, enum role role, const char *word,
	   const char *text)
{
	int y = p->line - p->top, w = p->w - indent;
	int rows = p->c != NULL ? p->c->window.h : 0;

	page_put(p, 0, indent - 1, role, word);
	look_at_lines(p, w, text);
	/* All rows of it, so that those above the window are counted, too. */
	p->line += canvas_wrap(p->c,
			       (struct rect){ MARGIN + indent, y, w,
					      p->c != NULL ? rows - y : 0 },
			       role == ROLE_DIM ? ROLE_DIM : ROLE_TEXT, text);
}

/* One byte a cell: what is no ASCII is nothing that can be typed. */
static void
row_text(struct canvas *c, int y, char *text, int n)
{
	for (int x = 0; x < n; x++) {
		const struct cell *cell = canvas_at(c, x, y);
		unsigned char g =
			cell != NULL ? (unsigned char)cell->glyph[0] : 0;

		text[x] = g >= ' ' && g < 0x7f ? (char)g : 1;
	}
}

void
page_show_found(struct page *p, int at)
{
	char text[CANVAS_MAX_SIDE];
	int w = p->c->window.w, len = (int)strlen(p->find);

	for (int y = 0; y < p->c->window.h && len > 0; y++) {
		const char *from = text, *found;

		row_text(p->c, y, text, w);
		while ((found = find_text(from, (size_t)(text + w - from),
					  p->find)) != NULL) {
			canvas_shade(
				p->c,
				(struct rect){ (int)(found - text), y, len, 1 },
				y + p->top == at ? ROLE_TAB : ROLE_SELECTED);
			from = found + len;
		}
	}
}

static void
number_short(struct buf *b, double v)
{
	buf_decimal(b, v, 4);
}

static const char *const domain_words[] = {
	[DOMAIN_NONE] = "not counted now", [DOMAIN_ALL] = "all modes",
	[DOMAIN_USER] = "user mode only",  [DOMAIN_KERNEL] = "kernel only",
	[DOMAIN_MIXED] = "modes differ",
};

/* "BRANCH_MISPRED_NONSPEC is cpu_core/event=0xc5/": the machine's own word. */
static void
page_native(struct buf *b, const struct event *e)
{
	if (e->native == NULL && e->number == 0)
		return;
	if (b->len > 0)
		buf_str(b, ", ");
	buf_printf(b, "%s is ", e->name);
	if (e->native != NULL)
		buf_str(b, e->native);
	else
		buf_printf(b, "0x%x", (unsigned)e->number);
}

/* The event that a fixed counter stands for; NULL on machines with slots. */
static const struct event *
fixed_event(const struct catalog *c, const char *term)
{
	int source = term_pseudo(term, (unsigned)strlen(term));
	const struct event *e = NULL;

	if (source == TERM_CYCLES)
		e = catalog_find(c, "CORE_ACTIVE_CYCLE");
	else if (source == TERM_INSTRUCTIONS)
		e = catalog_find(c, "INST_ALL");
	return e != NULL && e->fixed ? e : NULL;
}

/* What each event of a metric is on this machine, each once. */
static void
metric_events(struct page *p, const struct catalog *c, const struct metric *m)
{
	const struct event *seen[2 * METRIC_TERMS * TERM_SUM_MAX];
	char text[1400];
	struct buf b = buf_over(text, sizeof text);
	unsigned n = 0;

	for (unsigned i = 0; c != NULL && i < 2 * METRIC_TERMS; i++) {
		const char *term = i < METRIC_TERMS
					   ? m->num[i].event
					   : m->den[i - METRIC_TERMS].event;
		struct term_events found;

		if (term == NULL || !term_resolve(term, c, &found))
			continue;
		if (found.n == 0 && fixed_event(c, term) != NULL)
			found.event[found.n++] = fixed_event(c, term);
		for (unsigned k = 0; k < found.n; k++) {
			unsigned at = 0;

			while (at < n && seen[at] != found.event[k])
				at++;
			if (at < n)
				continue;
			seen[n++] = found.event[k];
			page_native(&b, found.event[k]);
		}
	}
	if (b.len > 0)
		page_entry(p, 9, ROLE_DIM, "", buf_cstr(&b));
}

static void
page_column(struct page *p, const struct view *v, int metric)
{
	const struct metric *m = view_metric(v, metric);
	char text[400], formula[256], says[VALUE_SAYS_SIZE];
	struct buf b = buf_over(text, sizeof text);
	bool fixed = m->unit == UNIT_GHZ || m->unit == UNIT_GIPS ||
		     metric == v->metric.ipc;

	page_entry(p, 9, ROLE_STRONG, m->label, value_says(m, says));
	buf_str(&b, "= ");
	buf_str(&b, metric_formula(m, v->s->catalog, formula, sizeof formula));
	page_entry(p, 9, ROLE_DIM, "", buf_cstr(&b));
	metric_events(p, v->s->catalog, m);
	b.len = 0;
	buf_printf(&b, "%s; %s", metric_unit_name[m->unit],
		   fixed          ? "all modes"
		   : v->f != NULL ? domain_words[v->f->domain]
				  : "");
	if (m->bad > m->good || m->bad < m->good) {
		buf_str(&b, "; good ");
		number_short(&b, m->good);
		buf_str(&b, ", bad ");
		number_short(&b, m->bad);
		if (m->of_width)
			buf_str(&b,
				" for a core 8 wide, others by their width and what they reach");
	}
	if (m->see != NULL)
		buf_printf(&b, "; more: preset %s", m->see);
	page_entry(p, 9, ROLE_DIM, "", buf_cstr(&b));
}

static void
page_busy_or_column(struct page *p, const struct view *v, int metric)
{
	if (metric != COLUMN_BUSY) {
		page_column(p, v, metric);
		return;
	}
	page_entry(
		p, 9, ROLE_STRONG, "busy%",
		"share of the interval the CPU was not idle, by the system's own accounting; IPC alone says nothing about a core that sleeps. ~ below 250 ms: the system counts in ticks of 10 ms");
}

/* "S  Super, the fastest kind: 2 CPUs", in the colour of its rows. */
static void
page_kinds(struct page *p, const struct view *v)
{
	const struct topology *t = v->f != NULL ? v->f->topology : NULL;

	if (t == NULL || t->nkinds < 2)
		return;
	page_heading(p, "Kinds of core");
	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct topology_kind *kind = &t->kind[k];
		char text[128];
		struct buf b = buf_over(text, sizeof text);

		buf_printf(&b, "%s%s%u%s", kind->name,
			   k == 0 ? ", the fastest kind: " : ": ", kind->ncpus,
			   kind->ncpus == 1 ? " CPU" : " CPUs");
		page_entry(p, 9, view_kind_role(k), kind->letter, buf_cstr(&b));
	}
}

static void
page_letters(struct page *p)
{
	page_heading(p, "Instead of a number");
	page_entry(
		p, 9, ROLE_STRONG, "--",
		"not counted now: not by the preset in force, or for too short a time to tell");
	page_entry(
		p, 9, ROLE_STRONG, "-",
		"nothing to divide by; or the row is idle, off or stale, as its IPC says");
	page_entry(p, 9, ROLE_STRONG, "n/a", "this machine cannot count it");
	page_entry(p, 9, ROLE_STRONG, "idle", "too few cycles to divide by");
	page_entry(p, 9, ROLE_STRONG, "off", "powered down or off line");
	page_entry(p, 9, ROLE_STRONG, "stale", "no trustworthy row came");
	page_entry(p, 9, ROLE_STRONG, "d",
		   "denied: the CPU came back and may not be counted any more");
	page_entry(
		p, 9, ROLE_STRONG, "h",
		"held: other programs, or the NMI watchdog, hold the counters it needs");
	page_entry(
		p, 9, ROLE_STRONG, "!",
		"stolen: another tool reprogrammed the counters, events are not ours");
	page_entry(
		p, 9, ROLE_STRONG, "?",
		"the counts cannot be true: a virtual PMU reads implausibly, and nothing made of them is shown");
	page_heading(p, "Marks of a number");
	page_entry(
		p, 9, ROLE_STRONG, "dim",
		"from too few events to lean on; in batch *1.3. Also what is of user mode only, where usr% is below 30");
	page_entry(
		p, 9, ROLE_STRONG, "~1.3",
		"scaled up: its counters were shared and counted a part of the time, see coverage; behind a title: approximate");
	page_entry(
		p, 9, ROLE_STRONG, "1.3'",
		"of the CPUs whose kind can count it, or of those that could be judged: the others of the row say n/a or --");
	page_entry(
		p, 9, ROLE_STRONG, "1.3\"",
		"adds up kinds whose events of this name differ; the events' texts say how");
	page_heading(p, "Letters before IPC, in the first line as words");
	for (unsigned i = 0; i < QUALITY_BITS; i++) {
		char word[32];
		struct buf b = buf_over(word, sizeof word);

		buf_printf(&b, "%c %s", quality_table[i].letter,
			   quality_table[i].word);
		page_entry(p, 10, ROLE_FLAG, buf_cstr(&b),
			   quality_table[i].text);
	}
}

void
page_columns(struct page *p, const struct view *v)
{
	page_kinds(p, v);
	if (v->kind == VIEW_PROCESSES) {
		page_processes(p, v);
		return;
	}
	page_heading(p, "Columns on this screen");
	page_busy_or_column(p, v, v->metric.main);
	for (unsigned i = 0; i < v->cols.n; i++)
		page_busy_or_column(p, v, v->cols.column[i].metric);
	page_heading(p, "Rows");
	page_entry(
		p, 9, ROLE_STRONG, "now, 3s",
		"below a title while presets take turns: when it was counted last; the numbers of another preset are dim, and of that moment");
	page_entry(p, 9, ROLE_STRONG, "3/4",
		   "CPUs that delivered, of how many");
	page_entry(
		p, 9, ROLE_STRONG, "cluster",
		"counts are summed first and divided last: a cluster's IPC is its instructions over its cycles, never a mean of ratios");
	page_entry(
		p, 9, ROLE_STRONG, "rates",
		"of a cluster, a kind or the machine: the sum of its CPUs' own, each over its own time; a CPU that was not read adds nothing");
	page_entry(
		p, 9, ROLE_STRONG, "bars",
		v->s->mode == UI_MODE_BUSY
			? "length is busy%, since there is no IPC; pale is less than 10% busy"
			: "length is IPC, pale is less than 10% busy; a cell of a trend is the median of four frames");
	page_entry(
		p, 9, ROLE_STRONG, "more",
		"cores that are idle, or powered down, for five frames: one row for all where not all rows fit; Enter lists them, Esc folds them");
	page_letters(p);
}

void
page_verdicts(struct page *p, const struct view *v)
{
	(void)v;
	page_heading(p, "Verdicts, in a word");
	for (unsigned i = 0; i < VERDICT_COUNT; i++) {
		const struct verdict_texts *w = &verdict_words[i];
		char word[16], text[240];
		struct buf b = buf_over(word, sizeof word);
		struct buf t = buf_over(text, sizeof text);

		buf_printf(&b, "%s %s", w->letter, w->word);
		if (strcmp(w->said, w->word) != 0)
			buf_printf(&t, "%s: ", w->said);
		buf_str(&t, w->text);
		if (w->see[0] != '\0')
			buf_printf(&t, " Preset %s tells more.", w->see);
		page_entry(p, 12, ROLE_STRONG, buf_cstr(&b), buf_cstr(&t));
	}
	page_heading(p, "With a verdict");
	page_entry(
		p, 11, ROLE_STRONG, "!",
		"lost to that cause: a twentieth of all cycles, or a third of one core's share");
	page_entry(
		p, 11, ROLE_STRONG, "memory ?",
		"the word of some seconds ago; nothing that is counted now speaks for it");
	page_entry(
		p, 11, ROLE_STRONG, "? see 2",
		"what is counted does not tell; the preset of that key would");
	page_entry(
		p, 11, ROLE_STRONG, "is slow",
		"under half of the IPC it had up to a minute ago, and no event that is counted tells why");
	page_entry(
		p, 11, ROLE_STRONG, "lost",
		"billions of cycles a second that go to the cause, by which the worst is found; of a cluster the sum of its cores");
	page_entry(
		p, 11, ROLE_STRONG, "cluster",
		"what the cores say that have at least half of its cycles, else mixed");
}

/* The set in force, counter by counter, and what of it is not counted. */
void
page_events(struct page *p, const struct view *v)
{
	const struct eventset *set = v->f != NULL ? v->f->set : NULL;

	page_heading(p, "Events in force");
	if (set == NULL || set->len + set->ndropped == 0) {
		page_entry(p, 9, ROLE_STRONG, "none",
			   "no preset's events are counted now");
		return;
	}
	for (unsigned i = 0; i < set->len; i++) {
		const struct event *e = set->slot[i].event;
		char word[8], text[900], native[500];
		struct buf w = buf_over(word, sizeof word);
		struct buf b = buf_over(text, sizeof text);
		struct buf own = buf_over(native, sizeof native);

		if (set->slot[i].counter < EVENT_FREE_FIRST)
			buf_u64(&w, set->slot[i].counter);
		page_native(&own, e);
		buf_printf(&b, "%s, %s", own.len > 0 ? buf_cstr(&own) : e->name,
			   domain_words[v->f->domain]);
		if (e->text != NULL)
			buf_printf(&b, ": %s", e->text);
		page_entry(p, 9, ROLE_STRONG, buf_cstr(&w), buf_cstr(&b));
	}
	if (set->ndropped == 0)
		return;
	page_heading(p, "Wanted, but not counted");
	for (unsigned i = 0; i < set->ndropped; i++) {
		char text[200];
		struct buf b = buf_over(text, sizeof text);

		buf_printf(&b, "%s: %s", set->dropped[i].event,
			   set->dropped[i].why);
		page_entry(p, 9, ROLE_WARN, "", buf_cstr(&b));
	}
}

/* The first line's right half, from left to right. */
void
page_words(struct page *p, const struct view *v)
{
	(void)v;
	/* clang-format off */
	static const struct {
		const char *word, *text;
	} row[] = {
		{ "FULL", "the events of a preset are counted" },
		{ "IPC", "cycles and instructions alone; i takes the counters" },
		{ "busy%", "no counters at all: the shares of time alone" },
		{ "REC", "a recording is being written" },
		{ "ROTATE", "presets take turns" },
		{ "LIVE", "numbers of now, a new frame each interval" },
		{ "PAUSED", "frozen by space; -0:30 behind it is how far back one went" },
		{ "REPLAY", "a recording, as it was" },
		{ "ENDED", "nothing more comes" },
		{ "SIM", "a simulated machine: no number here was measured" },
		{ "OK 8/8", "all is well: 8 of 8 CPUs delivered; else the worst that is not, as above, such as STOLEN 8/8" },
		{ "WAIT", "no frame yet: it takes two readings" },
		{ "TAKEN", "another program has the counters" },
		{ "DENIED", "no right to count" },
		{ "NO PMU", "this machine has no counters" },
		{ "NO DATA", "the counters could not be read" },
		{ "of a core", "ktop's own CPU time, of one CPU's" },
		{ "IPIs/tick", "interrupts by which a reading asks the other CPUs" },
	};
	/* clang-format on */

	page_heading(p, "Words in the first line, and of ktop's cost");
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		page_entry(p, 11, ROLE_STRONG, row[i].word, row[i].text);
}

/* What the help says of the view of processes. */

static void
page_process_columns(struct page *p, const struct view *v)
{
	page_heading(p, "Columns of processes");
	for (int m = 0; m < PROCESS_METRICS; m++) {
		char label[32], text[200];
		struct buf b = buf_over(label, sizeof label);
		struct buf t = buf_over(text, sizeof text);

		if (!processes_has(v->procs, (enum process_metric)m))
			continue;
		processes_label(v->procs, (enum process_metric)m, &b);
		buf_str(&t, process_metrics[m].text);
		if (m == PROCESS_IPC_0 || m == PROCESS_IPC_1)
			buf_str(&t,
				"; blank under a million cycles there, or a hundredth of all");
		page_entry(p, 9, ROLE_STRONG, buf_cstr(&b), buf_cstr(&t));
	}
	page_entry(
		p, 9, ROLE_STRONG, "bar",
		"the share of all cores' cycles; where those are not counted, of time. Its end is a round number, the same for all rows");
	page_entry(
		p, 9, ROLE_STRONG, "~",
		"estimates of the system: the energy of a process' own time on cores, without memory, graphics and screen; not to be compared between machines");
	page_entry(
		p, 9, ROLE_STRONG, "trend",
		"each on a scale of its own, from 0; of the busiest, those pinned and the one that is open");
}

static void
page_process_rows(struct page *p)
{
	/* clang-format off */
	static const struct {
		const char *word, *text;
	} row[] = {
		{ "!", "slow, and it matters: what it does is under 15% of what its cores could, on more than 3% of all cycles" },
		{ "(rest)", "what the cores did and no row has: idle loops, those that are denied, those that ended unseen; empty where counts of an earlier frame came late" },
		{ "(others)", "of a recording: all that were not among its busiest, in one" },
		{ "ended", "what it did last; then the row goes, or stays without numbers while it is open" },
		{ "p", "pinned, with *" },
		{ "dim", "it did nothing worth a number; an IPC: from under a million instructions" },
		{ "x", "behind an IPC: not all it did was seen, or its counts began again" },
		{ "%", "its counters were shared: estimated" },
		{ "c, g", "covers several intervals; the machine slept meanwhile" },
		{ "order", "stands still while a row is chosen; new processes come behind. Esc lets it go" },
		{ "threads", "of the process that Enter opened; (ended threads) is what no thread that is there has" },
	};
	/* clang-format on */

	page_heading(p, "Rows of processes");
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		page_entry(p, 9, ROLE_STRONG, row[i].word, row[i].text);
	page_heading(p, "Instead of counts");
	for (unsigned i = 0; i < PROCESS_ACCESS_COUNT; i++)
		if (process_access_word[i][0] != 0)
			page_entry(p, 12, ROLE_FLAG, process_access_word[i],
				   process_access_text[i]);
}

void
page_processes(struct page *p, const struct view *v)
{
	page_process_columns(p, v);
	page_process_rows(p);
}
