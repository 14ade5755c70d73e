/* Where cycles are lost, worst first; below it where the issue slots go. */

#include "ui/panels/inner.h"
#include "ui/view/value.h"

/* What is said of a row, and what its preset is called here. */
static const struct {
	const char *said, *shows;
} word_table[BOTTLENECK_COUNT] = {
	[BOTTLENECK_KERNEL] = { "in the kernel", "os" },
	[BOTTLENECK_MEMORY] = { "waits for memory", "caches" },
	[BOTTLENECK_BAD_SPEC] = { "guesses wrong", "branches" },
	[BOTTLENECK_FRONTEND] = { "starves", "front end" },
	[BOTTLENECK_MIXED] = { "mixed", "topdown" },
};

enum {
	LEFT = 2, /* of the mark before the line that Enter opens */
	SAID_W = 16,
	WORD_W = 8,
	LOST_W = 5,
	KEY_W = 11, /* "6 front end" */
	BAR_LEAST = 4,
	BAR_MOST = 40
};

/* Where the parts of a line stand, by the width of the box. */
struct places {
	int name, said, said_w, lost, bar, bar_w, key;
	bool brief;
};

static struct places
places_make(const struct view *v, int w)
{
	struct places p = { .name = LEFT + 2, .said_w = SAID_W };
	int end = w - 2;
	int core = 3 + v->lay.table.id_w, cluster = v->lay.table.label_w;

	p.said = p.name + (core > cluster ? core : cluster) + 1;
	p.brief = p.said + SAID_W + 1 + LOST_W + 1 + KEY_W > end;
	if (p.brief)
		p.said_w = WORD_W;
	p.lost = p.said + p.said_w + 1;
	p.bar = p.lost + LOST_W + 1;
	p.key = end - KEY_W;
	p.bar_w = p.key - 1 - p.bar;
	if (p.bar_w < BAR_LEAST)
		p.bar_w = 0;
	if (p.bar_w > BAR_MOST)
		p.bar_w = BAR_MOST;
	if (p.bar_w > 0)
		p.key = p.bar + p.bar_w + 1;
	if (p.key < p.bar)
		p.key = end; /* no room for it */
	return p;
}

static void
draw_name(struct canvas *c, const struct view *v, int x, int y, unsigned scope)
{
	const struct topology *t = v->f->topology;
	bool core = scope < t->ncpus;
	unsigned cluster = core ? t->cpu[scope].cluster : scope - t->ncpus;

	canvas_text(c, x, y, view_cluster_role(t, cluster),
		    core ? PRINTED("cpu%d", t->cpu[scope].id)
			 : t->cluster[cluster].label);
}

/* "4 caches": the key that counts what tells more. */
static void
draw_key(struct canvas *c, const struct view *v, int x, int y,
	 const struct bottleneck *one)
{
	int tells = view_tells(v, one);
	char key[2] = { tells >= 0 ? view_key(v, tells) : 0, 0 };
	int w = c->window.w - 2 - x;

	if (tells < 0 || w < KEY_W)
		return;
	canvas_text(c, x, y, ROLE_KEY, key[0] != 0 ? key : "0");
	canvas_textn(c, x + 2, y, w - 2, ROLE_DIM, word_table[one->word].shows);
	view_hit(v, c, x, y, w, key[0] != 0 ? KEY_GO_PRESET + tells : '0');
}

static void
draw_loss(struct canvas *c, const struct view *v, const struct places *p, int y,
	  unsigned i)
{
	const struct bottleneck_loss *loss = &v->lost.at[i];
	const struct bottleneck *one = &v->f->bottleneck[loss->scope];
	enum role role = one->flagged                     ? ROLE_BAD
			 : one->word == BOTTLENECK_KERNEL ? ROLE_DOMAIN
							  : ROLE_WARN;
	char number[VALUE_TEXT_SIZE];

	if (loss->scope == v->lost.opens)
		canvas_put(c, LEFT, y, ROLE_KEY,
			   c->glyphs == CANVAS_ASCII ? ">" : "▸");
	draw_name(c, v, p->name, y, loss->scope);
	canvas_textn(c, p->said, y, p->said_w, role,
		     p->brief ? bottleneck_words[one->word].word
			      : word_table[one->word].said);
	value_number(loss->lost, 1, LOST_W, number);
	canvas_right(c, p->lost, y, LOST_W,
		     one->flagged ? ROLE_STRONG : ROLE_TEXT, number);
	if (p->bar_w > 0)
		canvas_bar(c, p->bar, y, p->bar_w,
			   loss->lost / v->lost.at[0].lost, role,
			   ROLE_STEPS - 1);
	draw_key(c, v, p->key, y, one);
}

/* Why no line is there; where there is little room in half the words. */
static const char *
why_nothing(const struct view *v, bool brief)
{
	if (v->metric.main != v->metric.ipc)
		return brief ? "Nothing is judged."
			     : "Without counters nothing is judged.";
	if (v->f->bottleneck == NULL)
		return brief ? "Not judged." : "This frame was not judged.";
	if (v->f->set->len == 0)
		return brief ? "IPC only." : "IPC only: no events are counted.";
	for (unsigned i = 0; i < v->f->topology->ncpus; i++)
		if (v->f->bottleneck[i].word == BOTTLENECK_UNKNOWN ||
		    v->f->bottleneck[i].stale)
			return brief ? "What is counted does not tell."
				     : "What is counted does not tell where cycles are lost.";
	return brief ? "None to a named cause."
		     : "No cycles are lost to a cause with a name.";
}

static int
draw_losses(struct canvas *c, const struct view *v, int y)
{
	struct places p = places_make(v, c->window.w);
	int below = c->window.h - 1;

	if (v->lost.n == 0) {
		const char *why = why_nothing(v, false);
		int w = c->window.w - 4;

		canvas_textn(c, LEFT, y, w, ROLE_DIM,
			     canvas_width(why) <= w ? why
						    : why_nothing(v, true));
		return y + 1;
	}
	for (unsigned i = 0; i < v->lost.n && y < below; i++)
		draw_loss(c, v, &p, y++, i);
	return y;
}

/* What Enter does with one of the lines, and what the bars below are. */
static void
draw_between(struct canvas *c, const struct view *v, int y, const char *slots)
{
	static const char *const text[] = { "Enter opens the chosen line",
					    "Enter opens", "" };
	enum { NONE = 2 };
	int w = c->window.w - 4, n = canvas_width(slots), open = NONE;

	for (unsigned i = 0; i < v->lost.n; i++)
		if (v->lost.at[i].scope == v->lost.opens)
			open = 0;
	while (open < NONE && canvas_width(text[open]) + 2 + n > w)
		open++;
	canvas_text(c, LEFT, y, ROLE_DIM, text[open]);
	canvas_right(c, LEFT, y, w, ROLE_DIM, slots);
}

/* The clusters that fit, and the words of the colours below them. */
static int
draw_slots(struct canvas *c, const struct view *v, int y)
{
	enum { MEANINGS = 4 };
	int n = (int)v->f->topology->nclusters, below = c->window.h - 1;
	bool airy = v->kind == VIEW_BOTTLENECKS;
	int rows = below - y - 2 * airy - 1, between = y + airy;
	char text[80];
	struct buf b = buf_over(text, sizeof text);
	double age_s = 0;

	/* The words stand before the last clusters. */
	if (rows < 1)
		return y;
	rows = rows - 1 < n ? rows - 1 : n;
	y = between + 1;
	for (int k = 0; k < rows; k++)
		slots_draw(c, v, y++, (unsigned)k, &age_s);
	slots_note(v, age_s, &b);
	draw_between(c, v, between, text);
	y += airy;
	if (airy && c->window.w >= 72 && below - y >= MEANINGS)
		return slots_draw_meanings(c, y);
	return y < below ? slots_draw_words(c, y) : y;
}

void
panel_bottlenecks_draw(struct canvas *c, const struct view *v)
{
	const char *missing = slots_missing(v);
	int below = c->window.h - 1, y;

	panel_box(c, "where cycles are lost", "G cycles a second");
	y = draw_losses(c, v, 1);
	if (missing == NULL) {
		(void)draw_slots(c, v, y);
		return;
	}
	y += v->kind == VIEW_BOTTLENECKS;
	if (v->lost.n > 0 && y < below)
		draw_between(c, v, y++, "");
	if (y < below)
		(void)slots_draw_missing(c, v, y, missing);
}

/* Of the view, with all lines of each part and a blank one between them. */
int
panel_bottlenecks_rows(const struct view *v, int w)
{
	enum { FRAME = 2, BETWEEN = 2, MISSING = 2, WORDS = 5 };
	int lines = FRAME + BOTTLENECK_LOSSES + BETWEEN;

	(void)w;
	if (v->kind != VIEW_BOTTLENECKS)
		return 0;
	return lines + (slots_missing(v) != NULL
				? MISSING
				: (int)v->f->topology->nclusters + WORDS);
}
