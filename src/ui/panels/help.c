#include "model/metric.h"
#include "model/bottleneck.h"
#include "ui/panels/panel.h"
#include "ui/view/keys.h"
#include "ui/view/value.h"

#include <string.h>
#include <strings.h>

enum {
	MARGIN = 2,
	TEXT_MOST = 116, /* longest readable line, in cells */
	PAIR_MIN = 66,   /* least width with keys in two columns */
	KEY_W = 9,       /* cells of a key and its gap */
	RIGHT = 1,
	TOP = 2 /* rows above the page: the header, the names of the parts */
};

/* A line with the search text; rank: number of the match, from 1; 0: none. */
struct page_hit {
	int line, rank;
};

struct page {
	struct canvas *c; /* NULL: nothing is drawn */
	int line;
	int top, w;           /* first visible line; width in cells */
	struct help *part_of; /* receives the parts' first lines */
	/* text to find; "": none */
	const char *find;
	int from; /* line where the search begins */
	int hits;
	struct page_hit first, last, before,
		after; /* before, after: the matches nearest to `from` */
};

static const char *
find_text(const char *text, size_t n, const char *word)
{
	size_t len = strlen(word);

	for (size_t at = 0; len > 0 && at + len <= n; at++)
		if (strncasecmp(text + at, word, len) == 0)
			return text + at;
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

static void
page_put(struct page *p, int x, int w, enum role role, const char *text)
{
	look_at(p, p->line, text, strlen(text));
	if (p->c != NULL)
		canvas_textn(p->c, MARGIN + x, p->line - p->top, w, role, text);
}

static void
page_heading(struct page *p, const char *text)
{
	if (p->line > 0)
		p->line++;
	page_put(p, 0, p->w, ROLE_TITLE, text);
	p->line++;
}

/* Searches the lines that canvas_wrap makes of the text. */
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

static void
page_entry(struct page *p, int indent, enum role role, const char *word,
	   const char *text)
{
	int y = p->line - p->top, w = p->w - indent;
	int rows = p->c != NULL ? p->c->window.h : 0;

	page_put(p, 0, indent - 1, role, word);
	look_at_lines(p, w, text);
	/* canvas_wrap also counts rows above the window. */
	p->line += canvas_wrap(p->c,
			       (struct rect){ MARGIN + indent, y, w,
					      p->c != NULL ? rows - y : 0 },
			       role == ROLE_DIM ? ROLE_DIM : ROLE_TEXT, text);
}

/* Copies a row, one byte per cell. Non-ASCII cells become 1. */
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

static void
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

/* Words and their meanings. heading NULL: none. The last row has no word. */
struct glossary {
	const char *heading;
	int indent;
	struct {
		const char *word, *text;
	} row[24];
};

/* clang-format off */
static const struct glossary rows_here = { "Rows", 9, {
	{ "now, 3s", "while presets rotate, below a column title: when the column was last counted; numbers of the other presets are dim" },
	{ "3/4", "3 of 4 CPUs were read" },
	{ "cluster", "the IPC of a cluster is its instructions divided by its cycles, not the mean of the IPCs of its CPUs" },
	{ "rates", "the rate of a cluster, a kind or the machine is the sum of the rates of its CPUs; a CPU that was not read adds nothing" },
} }, no_number = { "Instead of a number", 9, {
	{ "-", "no value (not 0): this preset does not count the event, or a reason below applies; Enter on the row shows the reason" },
	{ "idle", "too few cycles to divide by" },
	{ "off", "powered down or offline" },
	{ "n/a", "cannot be counted on this machine" },
	{ "stale", "no reliable reading in this interval" },
	{ "denied", "no permission to count this CPU since it came back online" },
	{ "in use", "another program, or the NMI watchdog, uses the counters" },
	{ "taken", "another program took over the counters" },
	{ "?", "impossible counts, as on some virtual machines: nothing is calculated from them" },
} }, marks = { "Marks of a number", 9, {
	{ "~1.3", "estimated: counted for a part of the interval (see coverage), divided by user+kernel instructions, or summed over kinds of core whose events differ. A ~ after a column title applies to the whole column" },
	{ "1.3*", "too few events to be reliable; drawn dim. A dim number without * counts user mode only, and usr% is below 30" },
	{ "1.3'", "covers only a part of the group: the CPUs that can count the event, or whose bottleneck is known" },
} }, with_bottleneck = { "With a bottleneck", 11, {
	{ "memory !", "flagged: the bottleneck costs at least 5 % of the machine's slots in use, or half of the slots of one busy core" },
	{ "~bad-spec", "an estimate: the most likely cause; never flagged" },
	{ "-", "these events cannot show the bottleneck of any row: press 2 for top-down" },
	{ "slowed", "IPC fell below half of its value of the last minute, and these events cannot show the cause" },
	{ "lost%", "lost issue slots as % of the machine's slots in use; the values of the rows add up to the machine's" },
} }, questions = { "Questions", 11, {
	{ "stall 61", "in 61% of the cycles the core's back end accepted no micro-operation; above 40% the core waits, often for data: press 7 for the causes" },
	{ "IPC idle", "the core ran less than a million cycles a second, too few for a ratio: it sleeps and is not slow" },
	{ "~", "~1.3 is an estimate, ~memory is the most likely bottleneck, GHz~ is approximate in all rows; estimates are never flagged" },
	{ "user mode", "start with --user, or add :u to an event (--events NAME:u); the line above the columns names the mode. uIPC is the IPC of user mode" },
	{ "low E IPC", "an E core is narrower than a P core: compare E cores only with each other, and compare each IPC bar with its tick, which marks the width of the core" },
} }, first_line = { "Words in the first line, and the cost of ktop", 11, {
	{ "live", "current numbers, a new sample each interval" },
	{ "FIXED", "only the fixed counters (cycles, instructions) are counted; i acquires the configurable counters" },
	{ "REC", "a recording is being written" },
	{ "ROTATE", "the presets rotate" },
	{ "PAUSED", "paused with space; -0:30 means that the sample shown is 30 s old" },
	{ "REPLAY", "a recording is replayed" },
	{ "ENDED", "the recording or simulation has ended" },
	{ "SIM", "a simulated machine: no number here was measured" },
	{ "STALE 6/8", "the worst quality of a row; 6 of 8 CPUs were read" },
	{ "TAKEN OVER", "another program reprogrammed the counters" },
	{ "WAIT", "no sample yet: the first needs two readings" },
	{ "IN USE", "another program uses the counters" },
	{ "DENIED", "no permission to count: use sudo, or CAP_PERFMON on Linux" },
	{ "NO PMU", "this machine has no counters" },
	{ "NO DATA", "the counters could not be read" },
	{ "of a core", "CPU time of ktop, in % of one CPU" },
	{ "IPIs", "IPIs/sample: interrupts that a reading sends to other CPUs" },
} }, beside_columns = { NULL, 9, {
	{ "~", "the system's estimate of the energy that the cores used for this process, without memory, GPU and display; do not compare it between machines" },
	{ "trend", "each trend starts at 0 and has its own scale; only the busiest, pinned and open processes have one" },
} }, process_rows = { "Rows of processes", 18, {
	{ "!", "slow: the process completes less than 15% of the possible instructions, and uses more than 3% of all cycles" },
	{ "(unattributed)", "counts of the cores that belong to no row, such as idle loops and denied or short-lived processes; - if counts were delayed" },
	{ "(other processes)", "in a recording: all processes that are not among the busiest" },
	{ "covers", "in the open process: its numbers cover several intervals, or an interval in which the machine slept, or its counts restarted" },
	{ "ended", "the process has ended: the row shows its last counts once, then disappears unless it is open" },
	{ "p", "pinned with key *" },
	{ "dim", "too little work for a reliable number: for IPC less than a million instructions" },
	{ "~", "after an IPC: estimated, because its counters were shared" },
	{ "'", "after an IPC: a part was not counted" },
	{ "order", "while a row is selected, the order does not change and new processes come last; Esc clears the selection" },
	{ "threads", "listed for the open process; (ended threads) is the work of threads that have ended" },
} };
/* clang-format on */

static void
page_glossary(struct page *p, const struct glossary *g)
{
	if (g->heading != NULL)
		page_heading(p, g->heading);
	for (unsigned i = 0; g->row[i].word != NULL; i++)
		page_entry(p, g->indent, ROLE_STRONG, g->row[i].word,
			   g->row[i].text);
}

static const char *const domain_words[] = {
	[DOMAIN_NONE] = "not counted now", [DOMAIN_ALL] = "user+kernel",
	[DOMAIN_USER] = "user mode only",  [DOMAIN_KERNEL] = "kernel only",
	[DOMAIN_MIXED] = "modes differ",
};

static void
page_native(struct buf *b, const struct event *e)
{
	if (e->native == NULL && e->number == 0)
		return;
	buf_printf(b, "%s%s is %s", b->len > 0 ? ", " : "", e->name,
		   e->native != NULL ? e->native
				     : PRINTED("0x%x", (unsigned)e->number));
}

/* Returns the event of the fixed counter that `term` names; NULL: none. */
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

	page_entry(p, 9, ROLE_STRONG, m->label, value_explain(m, says));
	buf_printf(&b, "= %s",
		   metric_formula(m, v->s->catalog, formula, sizeof formula));
	page_entry(p, 9, ROLE_DIM, "", buf_cstr(&b));
	metric_events(p, v->s->catalog, m);
	b.len = 0;
	buf_printf(&b, "%s; %s", metric_unit_name[m->unit],
		   fixed          ? "user+kernel"
		   : v->f != NULL ? domain_words[v->f->domain]
				  : "");
	if (m->bad > m->good || m->bad < m->good) {
		buf_str(&b, "; good ");
		buf_decimal(&b, m->good, 4);
		buf_str(&b, ", bad ");
		buf_decimal(&b, m->bad, 4);
		buf_str(&b,
			m->of_width
				? " for a core 8 wide, others by their width and what they reach"
				: "");
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
		"share of the interval in which the CPU was not idle, as the system reports it. ~ below 250 ms, because the system counts in ticks of 10 ms");
}

static void
page_kinds(struct page *p, const struct view *v)
{
	const struct topology *t = v->f != NULL ? v->f->topology : NULL;

	if (t == NULL || t->nkinds < 2)
		return;
	page_heading(p, "Kinds of core");
	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct topology_kind *kind = &t->kind[k];

		page_entry(p, 9, view_kind_role(k), kind->letter,
			   PRINTED("%s%s%u%s", kind->name,
				   k == 0 ? ", the fastest kind: " : ": ",
				   kind->ncpus,
				   kind->ncpus == 1 ? " CPU" : " CPUs"));
	}
}

static void
page_letters(struct page *p)
{
	page_glossary(p, &no_number);
	page_glossary(p, &marks);
	page_heading(p, "Quality of a row; the worst is in the first line");
	for (unsigned i = 0; i < QUALITY_BITS; i++)
		page_entry(p, 14, ROLE_FLAG, quality_table[i].word,
			   quality_table[i].text);
}

static void
page_processes(struct page *p, const struct view *v)
{
	page_heading(p, "Columns of processes");
	for (int m = 0; m < PROCESS_METRICS; m++) {
		char label[32], text[200];
		struct buf b = buf_over(label, sizeof label);
		struct buf t = buf_over(text, sizeof text);

		if (!processes_has_metric(v->procs, (enum process_metric)m))
			continue;
		processes_label(v->procs, (enum process_metric)m, &b);
		buf_str(&t, process_metrics[m].text);
		if (m == PROCESS_IPC_0 || m == PROCESS_IPC_1)
			buf_str(&t,
				"; blank under a million cycles or 1% of all cycles");
		page_entry(p, 9, ROLE_STRONG, buf_cstr(&b), buf_cstr(&t));
	}
	page_glossary(p, &beside_columns);
	page_glossary(p, &process_rows);
	page_heading(p, "Instead of counts");
	for (unsigned i = 0; i < PROCESS_ACCESS_COUNT; i++)
		if (process_access_word[i][0] != 0)
			page_entry(p, 12, ROLE_FLAG, process_access_word[i],
				   process_access_text[i]);
}

static void
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
	page_glossary(p, &rows_here);
	page_entry(
		p, 9, ROLE_STRONG, "bars",
		v->s->mode == UI_MODE_BUSY
			? "length is busy%, because IPC is not counted; pale: less than 10% busy"
			: "length is IPC; pale: less than 10% busy; each cell of a trend is the median of four samples");
	page_entry(
		p, 9, ROLE_STRONG, "more",
		"if not all rows fit, one row for all cores that have been idle or off for five samples; Enter lists these cores, Esc hides them");
	page_letters(p);
}

static void
page_bottlenecks(struct page *p, const struct view *v)
{
	(void)v;
	page_heading(p, "Bottlenecks: the cause of most lost slots");
	for (unsigned i = 0; i < BOTTLENECK_COUNT; i++) {
		const struct bottleneck_texts *w = &bottleneck_words[i];
		page_entry(p, 12, ROLE_STRONG,
			   PRINTED("%s %s", w->letter, w->word),
			   PRINTED("%s%s%s%s", w->text,
				   w->see[0] != 0 ? " Preset " : "", w->see,
				   w->see[0] != 0 ? " shows more." : ""));
	}
	page_glossary(p, &with_bottleneck);
}

static void
page_events(struct page *p, const struct view *v)
{
	const struct eventset *set = v->f != NULL ? v->f->set : NULL;

	page_heading(p, "Events counted now");
	if (set == NULL || set->len + set->ndropped == 0) {
		page_entry(p, 9, ROLE_STRONG, "none",
			   "only the fixed counters");
		return;
	}
	for (unsigned i = 0; i < set->len; i++) {
		const struct event *e = set->slot[i].event;
		char text[900];
		struct buf b = buf_over(text, sizeof text);

		page_native(&b, e);
		buf_printf(&b, "%s, %s%s%s", b.len > 0 ? "" : e->name,
			   domain_words[v->f->domain],
			   e->text != NULL ? ": " : "",
			   e->text != NULL ? e->text : "");
		page_entry(p, 9, ROLE_STRONG,
			   set->slot[i].counter < EVENT_FREE_FIRST
				   ? PRINTED("%u", set->slot[i].counter)
				   : "",
			   buf_cstr(&b));
	}
	if (set->ndropped == 0)
		return;
	page_heading(p, "Requested, but not counted");
	for (unsigned i = 0; i < set->ndropped; i++)
		page_entry(p, 9, ROLE_WARN, "",
			   PRINTED("%s: %s", set->dropped[i].event,
				   set->dropped[i].why));
}

/* A line of a column: the title of a part, a key, or blank (both NULL). */
struct side_line {
	const char *title;
	const struct key *key;
};

static bool
side_line(const struct view *v, const enum key_part part[2], int i,
	  struct side_line *out)
{
	*out = (struct side_line){ NULL, NULL };
	for (int p = 0; p < 2; p++) {
		if (p > 0 && i-- == 0)
			return true;
		if (i-- == 0) {
			out->title = key_part_name[part[p]];
			return true;
		}
		for (const struct key *k = v->keys; k->code[0] != 0; k++) {
			out->key = k;
			if (v->s->replay != NULL && k->live)
				continue; /* no function in a replay */
			if (k->first.part == part[p] && i-- == 0)
				return true;
		}
		out->key = NULL;
	}
	return false;
}

static void
put_key(struct page *p, int x, int w, const struct key *k)
{
	const char *keys = k->first.keys != NULL ? k->first.keys : k->keys;

	page_put(p, x, KEY_W, ROLE_KEY, keys);
	page_put(p, x + KEY_W, w - KEY_W, ROLE_TEXT, k->first.text);
}

static void
put_side(struct page *p, int x, int w, const struct side_line *l)
{
	if (l->title != NULL)
		page_put(p, x, w, ROLE_TITLE, l->title);
	else if (l->key != NULL)
		put_key(p, x, w, l->key);
}

static void
put_rest(struct page *p, const struct view *v, int columns, int w)
{
	int n = 0;

	for (const struct key *k = v->keys; k->code[0] != 0; k++) {
		if (k->first.part != KEY_PART_REST)
			continue;
		put_key(p, n % columns * (w + 1), w, k);
		p->line += ++n % columns == 0;
	}
	p->line += n % columns != 0;
}

static void
put_replay_keys(struct page *p)
{
	const struct replay_key *r;

	page_heading(p, "Keys of a replay");
	for (unsigned i = 0; (r = replay_key_at(i)) != NULL; i++)
		page_entry(p, KEY_W, ROLE_KEY, r->keys, r->text);
}

static void
page_first(struct page *p, const struct view *v)
{
	static const enum key_part side[][2] = {
		{ KEY_PART_FIND, KEY_PART_VIEWS },
		{ KEY_PART_ORDER, KEY_PART_TIME },
	};
	bool pair = p->w >= PAIR_MIN, more = true;
	bool replay = v->s != NULL && v->s->replay != NULL;

	if (replay) {
		put_replay_keys(p);
		p->line++;
	}
	int w = pair ? (p->w - 1) / 2 : p->w;

	w = w > TEXT_MOST / 2 ? TEXT_MOST / 2 : w;
	for (int first = 0; first <= !pair; first++) {
		for (int i = 0; more; i++) {
			struct side_line left, right;
			bool l = side_line(v, side[first], i, &left);
			bool r = pair && side_line(v, side[RIGHT], i, &right);

			more = l || r;
			if (l)
				put_side(p, 0, w, &left);
			if (r)
				put_side(p, w + 1, w, &right);
			p->line += more;
		}
		more = true;
		p->line++;
	}
	put_rest(p, v, pair ? 2 : 1, w);
}

static void
page_words(struct page *p, const struct view *v)
{
	(void)v;
	page_glossary(p, &questions);
	page_glossary(p, &first_line);
}

static void
part_keys(struct page *p, const struct view *v)
{
	const struct place_key *k;
	int place = KEY_PLACES;

	page_first(p, v);
	page_heading(p, "All keys");
	for (const struct key *key = v->keys; key->code[0] != 0; key++)
		page_entry(p, KEY_W, ROLE_KEY, key->keys, key->text);
	put_replay_keys(p);
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++) {
		char text[64];
		struct buf b = buf_over(text, sizeof text);

		buf_printf(&b, "Keys in %s", key_place_name[k->place]);
		if ((int)k->place != place)
			page_heading(p, buf_cstr(&b));
		place = (int)k->place;
		page_entry(p, 13, ROLE_KEY, k->keys, k->text);
	}
}

static const struct {
	const char *name;
	void (*walk)(struct page *p, const struct view *v);
} part[] = {
	{ "Keys", part_keys },
	{ "Columns here", page_columns },
	{ "Bottlenecks", page_bottlenecks },
	{ "Events", page_events },
	{ "Words", page_words },
};
enum { PARTS = sizeof part / sizeof *part };

/* Draws the page if p->c is set; sets the lines and matches of *p. */
static void
walk(struct page *p, const struct view *v)
{
	p->line = 0;
	p->hits = 0;
	p->first = p->last = p->before = p->after =
		(struct page_hit){ HELP_NOWHERE, 0 };
	for (unsigned i = 0; i < PARTS; i++) {
		p->part_of->part[i] = p->line + (i > 0);
		part[i].walk(p, v);
	}
	p->part_of->nparts = PARTS;
	p->part_of->lines = p->line;
}

/* Searches from the current match or first visible line, and wraps around. */
static void
seek(struct page *p, const struct view *v, struct help *h)
{
	bool back = h->seek == HELP_PREVIOUS;
	struct page_hit to;

	p->from = h->at != HELP_NOWHERE ? h->at : h->top - !back;
	walk(p, v);
	to = back ? p->before : p->after;
	if (to.rank == 0)
		to = back ? p->last : p->first;
	h->at = to.line;
	h->rank = to.rank;
	h->hits = p->hits;
	if (to.rank > 0)
		h->top = to.line;
	h->seek = HELP_STAY;
}

static void
note_text(const struct help *h, struct buf *b, enum role *role)
{
	int pages = (h->lines + h->rows - 1) / h->rows;
	int page = h->top / h->rows + 1;

	*role = ROLE_DIM;
	if (h->typing || h->text[0] == '\0') {
		buf_printf(b, "/ search   page %d of %d",
			   h->top + h->rows >= h->lines ? pages : page, pages);
		return;
	}
	if (h->hits == 0) {
		*role = ROLE_WARN;
		buf_printf(b, "no line has %s", h->text);
		return;
	}
	buf_printf(b, "/%s   %d of %d", h->text, h->rank, h->hits);
}

static void
draw_parts(struct canvas *c, const struct help *h)
{
	char text[HELP_TEXT_SIZE + 40];
	struct buf b = buf_over(text, sizeof text);
	enum role role;
	int x = 1, here = help_part(h), w = c->window.w;

	note_text(h, &b, &role);
	int note = canvas_width(buf_cstr(&b)), all = 0;

	for (int i = 0; i < (int)PARTS; i++)
		all += canvas_width(part[i].name) + 3;
	for (int i = 0; i < (int)PARTS; i++) {
		int name = canvas_width(part[i].name);

		if (i != here && all + note + 3 > w)
			continue;
		canvas_fill(c, (struct rect){ x, 0, name + 2, 1 },
			    i == here ? ROLE_TAB : ROLE_TEXT, " ");
		canvas_text(c, x + 1, 0, i == here ? ROLE_TAB : ROLE_TEXT,
			    part[i].name);
		x += name + 3;
	}
	if (x + note < w)
		canvas_text(c, w - note - 1, 0, role, text);
}

void
panel_help_draw(struct canvas *c, struct view *v)
{
	struct help *h = &v->over.help;
	struct rect r = { 0, TOP, c->w, c->h - TOP - 1 };
	struct page p = { .w = c->w - 4, .part_of = h, .find = h->text };

	p.w = p.w > TEXT_MOST ? TEXT_MOST : p.w;
	h->rows = r.h;
	if (h->typing)
		p.find = "";
	if (h->seek != HELP_STAY)
		seek(&p, v, h);
	else
		walk(&p, v);
	help_scroll(h, 0); /* the page may have fewer lines now */
	canvas_window(c, (struct rect){ 0, 1, c->w, c->h - 2 });
	canvas_fill(c, (struct rect){ 0, 0, c->w, c->h - 2 }, ROLE_TEXT, " ");
	draw_parts(c, h);
	canvas_window(c, r);
	p.c = c;
	p.top = h->top;
	walk(&p, v);
	page_show_found(&p, h->at);
}
