#include "model/bottleneck_say.h"

#include <math.h>
#include <string.h>

#include "model/shares.h"

/* ---- a sentence is written part by part ---- */

struct writer {
	const struct frame *f;
	const struct bottleneck_style *style;
	struct bottleneck_sentence *s;
	struct buf b;
};

static void
restart(struct writer *w)
{
	w->s->nparts = 0;
	w->s->see = -1;
	w->b = buf_over(w->s->text, sizeof w->s->text);
}

static void
put(struct writer *w, enum bottleneck_part part, const char *text)
{
	struct bottleneck_sentence *s = w->s;

	if (text[0] == 0)
		return;
	buf_str(&w->b, text);
	if (s->nparts > 0 && s->part[s->nparts - 1].part == part)
		s->nparts--;
	if (s->nparts == SENTENCE_PARTS)
		return;
	s->part[s->nparts].part = part;
	s->part[s->nparts++].end = (unsigned)w->b.len;
}

/* Cells: labels alone may have bytes that go on a character. */
static bool
fits(struct writer *w)
{
	unsigned n = 0;

	for (const char *c = buf_cstr(&w->b); *c != 0; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n <= w->style->room;
}

/* ---- what to press ---- */

/* What the preset is good for. */
static const char *
goal_of(const char *preset, unsigned word)
{
	static const char *const row[][2] = {
		{ "topdown", " for top-down" },
		{ "l1d", " for caches" },
		{ "branch", " for branches" },
		{ "frontend", " for the front end" },
		{ "os", " for kernel activity" },
	};

	if (word == BOTTLENECK_BACKEND && strcmp(preset, "l1d") == 0)
		return " to see which cache level";
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if (strcmp(preset, row[i][0]) == 0)
			return row[i][1];
	return "";
}

/* ". Press 4 for caches."; a preset in force is no advice. */
static void
put_advice(struct writer *w, int see, unsigned word, bool press, bool goal)
{
	const struct bottleneck_style *style = w->style;
	const char *name = see >= 0 ? preset_table[see].name : "";

	if (press && w->f->set->len == 0 && !style->paper) {
		put(w, PART_WORDS, ". Press ");
		put(w, PART_KEY, "i");
		put(w, PART_WORDS, goal ? " to acquire the counters." : ".");
		return;
	}
	if (!press || see < 0 || w->f->set->len == 0 ||
	    strcmp(name, w->f->set->name) == 0) {
		put(w, PART_WORDS, ".");
		return;
	}
	char key = style->key != NULL ? style->key(style->self, see)
				      : preset_table[see].key;

	put(w, PART_WORDS, style->paper ? ". Use " : ". Press ");
	if (style->paper)
		put(w, PART_KEY, PRINTED("--preset %s", name));
	else
		put(w, PART_KEY, PRINTED("%c", key != 0 ? key : '0'));
	if (!style->paper && key == 0)
		put(w, PART_WORDS, PRINTED(", then %s", name));
	put(w, PART_WORDS, goal ? goal_of(name, word) : "");
	put(w, PART_WORDS, ".");
	w->s->see = see;
}

/* ---- a row with a bottleneck ---- */

enum { LEAST = 5, NAMED = 8 };

static const char *
name_of(const struct frame *f, unsigned scope, char text[PRINTED_SIZE])
{
	const struct scope *s = &f->scope[scope];
	const struct topology *t = f->topology;

	return s->level == SCOPE_CORE
		       ? buf_printed(text, "cpu %d", t->cpu[s->index].id)
	       : s->level == SCOPE_CLUSTER ? t->cluster[s->index].label
	       : s->level == SCOPE_KIND    ? t->kind[s->index].name
					   : "The machine";
}

/* Flagged clusters that have the word of this one; at most NAMED. */
static unsigned
alike(const struct frame *f, unsigned scope, unsigned word, unsigned to[NAMED])
{
	unsigned n = 0;

	for (unsigned c = 0; c < f->topology->nclusters && n < NAMED; c++) {
		unsigned at = frame_scope_cluster(f, c);

		if (at == scope || (f->bottleneck[at].flagged &&
				    f->bottleneck[at].word == word &&
				    !isnan(f->bottleneck[at].share)))
			to[n++] = at;
	}
	return n;
}

static bool
is_range(struct share_range r)
{
	return r.high - r.low > 0.005f;
}

/* "~55%", or "55%" where all is counted. */
static void
put_share(struct writer *w, const struct bottleneck *v)
{
	enum slot_share i = share_of_word((enum bottleneck_word)v->word);
	bool about = v->basis == BOTTLENECK_ESTIMATE;

	if (i < SHARE_COUNT && v->slots.of[i].high > 0)
		about = is_range(v->slots.of[i]);
	put(w, PART_NUMBER,
	    PRINTED("%s%.0f%%", about ? "~" : "", (double)v->share * 100));
}

/* "; 22 L1D-ld MPKI", "; 38% of cycles stalled in front" */
static void
put_evidence(struct writer *w, unsigned scope, const struct bottleneck *v)
{
	const struct metric *m =
		&metric_table[v->evidence < 0 ? 0 : v->evidence];
	double value = (double)v->evidence_value;

	if (isnan(value) && v->evidence >= 0 &&
	    (unsigned)v->evidence < w->f->nmetrics)
		value = frame_value(w->f, scope, (unsigned)v->evidence);
	if (v->evidence < 0 || isnan(value))
		return;
	bool mpki = m->unit == UNIT_MPKI;

	put(w, PART_WORDS, "; ");
	put(w, PART_NUMBER, FIXED(value, value < 9.95 && mpki ? 1 : 0));
	put(w, PART_WORDS,
	    mpki ? PRINTED(" %s MPKI", m->label)
	    : strcmp(m->name, "starve_pct") == 0
		    ? "% of cycles stalled in front"
		    : "% of cycles stalled on loads");
}

/* From the end clause by clause; `less` of them, up to LEAST. */
static void
write_row(struct writer *w, const struct headline *h, unsigned less)
{
	const struct bottleneck *v = &h->is;
	unsigned scope = h->scope, at[NAMED] = { scope }, n = 1;
	const char *said = bottleneck_words[v->word].said;
	char text[PRINTED_SIZE];

	if (h->by < 0 && w->f->scope[scope].level == SCOPE_CLUSTER)
		n = alike(w->f, scope, v->word, at);
	if (h->by >= 0)
		put(w, PART_WORDS,
		    PRINTED("%.0f s ago, %s: ", (double)v->age_s,
			    preset_table[h->by].name));
	for (unsigned i = 0; i < n; i++) {
		put(w, PART_WORDS, i == 0 ? "" : i + 1 < n ? ", " : " and ");
		put(w, PART_WHERE, name_of(w->f, at[i], text));
	}
	if (v->word == BOTTLENECK_BAD_SPEC)
		put(w, PART_WORDS, ": bad speculation");
	else if (n > 1 && strncmp(said, "is ", 3) == 0)
		put(w, PART_WORDS, PRINTED(" are %s", said + 3));
	else
		put(w, PART_WORDS, PRINTED(" %s", said));
	for (unsigned i = 0; i < n && less < LEAST && !isnan(v->share); i++) {
		put(w, PART_WORDS,
		    i > 0 ? (i + 1 < n ? ", " : " and ")
		    : v->word == BOTTLENECK_BAD_SPEC ? ", "
						     : ": ");
		put_share(w, at[i] == scope ? v : &w->f->bottleneck[at[i]]);
		if (i + 1 == n)
			put(w, PART_WORDS,
			    PRINTED(" of %s %s", n > 1 ? "their" : "its",
				    v->basis == BOTTLENECK_OF_CYCLES
					    ? "cycles"
					    : "slots"));
	}
	if (less < 3 && n == 1)
		put_evidence(w, scope, v);
	if (less == 0 && w->style->paper && h->since_s >= 10 && h->by < 0)
		put(w, PART_WORDS,
		    PRINTED("; for the last %.0f s", (double)h->since_s));
	put_advice(w, v->see, v->word, less < 4, less != 2);
}

/* "P1 slowed from 4.18 to 0.97 IPC 4 s ago; cause unknown with these events" */
static void
write_slowed(struct writer *w, unsigned scope, const struct bottleneck *v,
	     unsigned less)
{
	const struct span *t = &w->f->span[scope];
	bool events = w->f->set->len > 0;
	char text[PRINTED_SIZE];

	put(w, PART_WHERE, name_of(w->f, scope, text));
	put(w, PART_WORDS, less < 3 ? " slowed from " : " slowed");
	if (less < 3) {
		put(w, PART_NUMBER,
		    PRINTED("%.2f to %.2f", (double)v->ipc_before,
			    (double)t->instructions / (double)t->cycles));
		put(w, PART_WORDS,
		    PRINTED(" IPC %.0f s ago", (double)v->before_s));
	}
	if (less < 2)
		put(w, PART_WORDS, "; cause unknown");
	if (less < 1)
		put(w, PART_WORDS,
		    events ? " with these events" : " without events");
	put_advice(w, v->see, v->word, less < 2, false);
}

/* ---- no row has one ---- */

/* "P cores retire 4.5 of 8 slots a cycle"; false: not known of a busy kind. */
static bool
put_retiring(struct writer *w)
{
	const struct topology *t = w->f->topology;
	const char *before = "No bottleneck: ", *verb = " retire ";

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct bottleneck *v =
			&w->f->bottleneck[frame_scope_kind(w->f, k)];
		struct share_range r = v->slots.of[SHARE_RETIRING];
		const char *letter = t->kind[k].letter;

		if (v->word == BOTTLENECK_IDLE || v->word == BOTTLENECK_OFF)
			continue;
		if (!(r.middle > 0) || t->kind[k].width == 0)
			return false;
		put(w, PART_WORDS, before);
		put(w, PART_WORDS,
		    PRINTED("%s%scores%s", letter, letter[0] != 0 ? " " : "",
			    verb));
		put(w, PART_NUMBER,
		    PRINTED("%s%.1f", is_range(r) ? "~" : "",
			    (double)r.middle * t->kind[k].width));
		put(w, PART_WORDS,
		    PRINTED(" of %u%s", t->kind[k].width,
			    verb[1] != 0 ? " slots a cycle" : ""));
		before = ", ";
		verb = " ";
	}
	put(w, PART_WORDS, before[0] == ',' ? "." : "");
	return before[0] == ',';
}

/* Cores that are busy, in the kernel, unknown; what would tell of these. */
struct census {
	unsigned busy, kernel, unknown;
	int see;
};

static struct census
census_take(const struct frame *f)
{
	struct census n = { .see = -1 };

	for (unsigned c = 0; c < f->topology->ncpus; c++) {
		const struct bottleneck *v = &f->bottleneck[c];

		n.busy += v->word > BOTTLENECK_IDLE;
		n.kernel += v->word == BOTTLENECK_KERNEL;
		if (v->word != BOTTLENECK_UNKNOWN && !v->stale)
			continue;
		n.unknown++;
		if (v->see >= 0)
			n.see = v->see;
	}
	return n;
}

static void
write_calm(struct writer *w, unsigned less)
{
	struct census n = census_take(w->f);
	const char *cores = w->f->topology->smt ? "CPUs" : "cores";

	if (n.kernel * 2 > n.busy + n.unknown) {
		put(w, PART_WORDS,
		    PRINTED("%u of %u %s are mostly in the kernel", n.kernel,
			    n.busy + n.unknown, cores));
		n.see = preset_find("os");
	} else if (n.unknown > 0)
		put(w, PART_WORDS,
		    PRINTED("%u of %u %s: unknown bottleneck%s", n.unknown,
			    w->f->topology->ncpus, cores,
			    less > 0 ? "" : " with these events"));
	else if (less == 0 && put_retiring(w))
		return;
	else {
		restart(w);
		put(w, PART_WORDS,
		    PRINTED(less > 1 ? "No bottleneck"
				     : "No bottleneck; %s busy: %u",
			    cores, n.busy));
	}
	put_advice(w, n.see, BOTTLENECK_UNKNOWN, less < 2, less < 1);
}

/* Not even cycles: the machine, or its rights, let none be read. */
static bool
without_counters(const struct frame *f)
{
	unsigned all = frame_scope_all(f);
	int ipc = span_has_fixed(&f->span[all]) ? -1 : metric_find("ipc");

	if (ipc < 0 || (unsigned)ipc >= f->nmetrics)
		return false;
	enum value_state s = frame_state(f, all, (unsigned)ipc);

	return s == VALUE_UNSUPPORTED || s == VALUE_DENIED;
}

static void
write_why_not(struct writer *w, unsigned less)
{
	bool counters = !without_counters(w->f);

	put(w, PART_WORDS,
	    less > 0   ? "Bottlenecks are unknown"
	    : counters ? BOTTLENECK_NO_EVENTS
		       : BOTTLENECK_NO_COUNTERS);
	put_advice(w, -1, BOTTLENECK_UNKNOWN, less < 2 && counters, less < 1);
}

void
bottleneck_headline(const struct frame *f, const struct bottleneck_style *style,
		    struct bottleneck_sentence *out)
{
	struct writer w = { .f = f, .style = style, .s = out };
	struct headline h = { .scope = f->nscopes, .by = -1 };

	*out = (struct bottleneck_sentence){ .scope = frame_scope_all(f) };
	if (f->headline != NULL)
		h = *f->headline;
	else if (f->bottleneck != NULL)
		h.scope = bottleneck_worst(f);
	if (f->headline == NULL && h.scope < f->nscopes)
		h.is = f->bottleneck[h.scope];
	if (h.scope < f->nscopes) {
		out->scope = h.scope;
		out->flagged = h.is.flagged;
	}
	for (unsigned less = 0; f->bottleneck != NULL && less <= LEAST;
	     less++) {
		restart(&w);
		if (h.scope < f->nscopes && h.is.before_s > 0)
			write_slowed(&w, h.scope, &h.is, less);
		else if (h.scope < f->nscopes)
			write_row(&w, &h, less);
		else if (f->set->len == 0 || without_counters(f))
			write_why_not(&w, less);
		else
			write_calm(&w, less);
		if (fits(&w))
			return;
	}
}
