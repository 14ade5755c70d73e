#include "model/bottleneck_say.h"

#include <math.h>
#include <string.h>

#include "model/shares.h"

struct writer {
	const struct frame *f;
	const struct bottleneck_style *style;
	struct bottleneck_sentence *s;
	struct buf b;
};

static void
sentence_restart(struct writer *w)
{
	w->s->nparts = 0;
	w->s->see = -1;
	w->b = buf_over(w->s->text, sizeof w->s->text);
}

static void
sentence_add(struct writer *w, enum bottleneck_part part, const char *text)
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

#define WORDS(w, ...) sentence_add(w, PART_WORDS, PRINTED(__VA_ARGS__))
#define NUMBER(w, ...) sentence_add(w, PART_NUMBER, PRINTED(__VA_ARGS__))

/* Counts characters, not bytes, as cluster labels may contain UTF-8. */
static bool
sentence_fits(struct writer *w)
{
	unsigned n = 0;

	for (const char *c = buf_cstr(&w->b); *c != 0; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n <= w->style->room;
}

static const char *
preset_goal(const char *preset, unsigned word)
{
	static const char *const row[] = { "topdown",  " for top-down",
					   "branch",   " for branches",
					   "frontend", " for the front end",
					   "os",       " for kernel activity",
					   "l1d",      " for caches" };

	if (word == BOTTLENECK_BACKEND && strcmp(preset, "l1d") == 0)
		return " to see which cache level";
	for (unsigned i = 0; i < sizeof row / sizeof *row; i += 2)
		if (strcmp(preset, row[i]) == 0)
			return row[i + 1];
	return "";
}

static void
write_advice(struct writer *w, int see, unsigned word, bool press, bool goal)
{
	const struct bottleneck_style *style = w->style;
	const char *name = see >= 0 ? preset_table[see].name : "";

	if (press && w->f->set->len == 0 && !style->paper) {
		sentence_add(w, PART_WORDS, ". Press ");
		sentence_add(w, PART_KEY, "i");
		sentence_add(w, PART_WORDS,
			     goal ? " to acquire the counters." : ".");
		return;
	}
	if (!press || see < 0 || w->f->set->len == 0 ||
	    strcmp(name, w->f->set->name) == 0) {
		sentence_add(w, PART_WORDS, ".");
		return;
	}
	char key = style->key != NULL ? style->key(style->self, see)
				      : preset_table[see].key;

	WORDS(w, ". %s ", style->paper ? "Use" : "Press");
	sentence_add(w, PART_KEY,
		     style->paper ? PRINTED("--preset %s", name)
				  : PRINTED("%c", key != 0 ? key : '0'));
	if (!style->paper && key == 0)
		WORDS(w, ", then %s", name);
	WORDS(w, "%s.", goal ? preset_goal(name, word) : "");
	w->s->see = see;
}

enum { LEAST = 8, NAMED = 8 };

static const char *
row_name(const struct frame *f, unsigned scope, char text[PRINTED_SIZE])
{
	const struct scope *s = &f->scope[scope];
	const struct topology *t = f->topology;

	return s->level == SCOPE_CORE
		       ? buf_printed(text, "cpu %d", t->cpu[s->index].id)
	       : s->level == SCOPE_CLUSTER ? t->cluster[s->index].label
	       : s->level == SCOPE_KIND    ? t->kind[s->index].name
					   : "The machine";
}

static unsigned
find_alike(const struct frame *f, unsigned scope, unsigned word,
	   unsigned to[NAMED])
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

static const char *
range_sign(struct share_range r)
{
	return r.high - r.low > 0.005f ? "~" : "";
}

static void
write_share(struct writer *w, const struct bottleneck *v)
{
	NUMBER(w, "%s%.0f%%", v->basis == BOTTLENECK_ESTIMATE ? "~" : "",
	       (double)v->share * 100);
}

/* Writes "; 22 L1D-ld MPKI" or "; 38% of cycles stalled in front". */
static void
write_evidence(struct writer *w, unsigned scope, const struct bottleneck *v)
{
	if (v->evidence < 0)
		return;
	const struct metric *m = &metric_table[v->evidence];
	double value = (double)v->evidence_value;
	bool mpki = m->unit == UNIT_MPKI;

	if (isnan(value) && (unsigned)v->evidence < w->f->nmetrics)
		value = frame_value(w->f, scope, (unsigned)v->evidence);
	if (isnan(value))
		return;
	WORDS(w, "; ");
	NUMBER(w, "%s",
	       FIXED(value,
		     mpki && (value < 9.95 || v->word == BOTTLENECK_BAD_SPEC)));
	if (mpki)
		WORDS(w, " %s MPKI", m->label);
	else
		WORDS(w, "%% of cycles stalled %s",
		      strcmp(m->name, "frontend_stall_pct") == 0 ? "in front"
								 : "on loads");
}

/* Seconds. Traffic of a longer span is used only if 2 intervals are as long. */
static const double traffic_most_s = 5;

static const struct power_traffic *
known_traffic(const struct frame *f)
{
	const struct frame_power *p = f->power;

	if (p == NULL || p->seen || !(p->ceiling > 0))
		return NULL;
	const struct power_traffic *t = &frame_power_machine(p)->traffic;

	return t->both >= 0 && t->span_s <=
				       fmax(traffic_most_s, 2 * f->interval_s)
		       ? t
		       : NULL;
}

const char *
bottleneck_memory_kind(double share, unsigned marks)
{
	bool much = share > BOTTLENECK_BANDWIDTH;

	if (!(share >= 0) || (marks & (much ? POWER_AT_MOST : POWER_AT_LEAST)))
		return "";
	return much ? "bandwidth" : "latency";
}

static void
write_memory_kind(struct writer *w, const struct headline *h)
{
	const struct power_traffic *t = known_traffic(w->f);

	if (h->is.word != BOTTLENECK_MEMORY || h->by >= 0 || t == NULL)
		return;
	const char *kind = bottleneck_memory_kind(
		t->both / w->f->power->ceiling, t->marks);

	if (kind[0] != 0)
		WORDS(w, " (%s)", kind);
}

static void
write_traffic(struct writer *w, const struct headline *h)
{
	const struct power_traffic *t = known_traffic(w->f);

	if (h->is.word != BOTTLENECK_MEMORY || h->by >= 0 || t == NULL)
		return;
	WORDS(w, "; DRAM ");
	NUMBER(w, "%s%.0f",
	       (t->marks & POWER_AT_LEAST) != 0  ? ">= "
	       : (t->marks & POWER_AT_MOST) != 0 ? "<= "
						 : "",
	       t->both * 1e-9);
	WORDS(w, " of %.0f GB/s", w->f->power->ceiling * 1e-9);
}

/* A larger `less` leaves out more clauses. */
static void
write_row(struct writer *w, const struct headline *h, unsigned less)
{
	const struct bottleneck *v = &h->is;
	unsigned scope = h->scope, at[NAMED] = { scope }, n = 1;
	const char *said = bottleneck_words[v->word].said;
	bool bad = v->word == BOTTLENECK_BAD_SPEC;
	bool share = less + 1 < LEAST && !isnan(v->share);
	bool earlier = h->by >= 0 || h->window_s > 0;
	char text[PRINTED_SIZE];

	if (!earlier && w->f->scope[scope].level == SCOPE_CLUSTER)
		n = find_alike(w->f, scope, v->word, at);
	if (h->by >= 0)
		WORDS(w, "%.0f s ago, %s: ", (double)v->age_s,
		      preset_table[h->by].name);
	for (unsigned i = 0; i < n; i++) {
		WORDS(w, "%s", i == 0 ? "" : i + 1 < n ? ", " : " and ");
		sentence_add(w, PART_WHERE, row_name(w->f, at[i], text));
	}
	if (bad)
		WORDS(w, ": bad speculation");
	else if (n > 1 && strncmp(said, "is ", 3) == 0)
		WORDS(w, " are %s", said + 3);
	else
		WORDS(w, " %s", said);
	if (less < LEAST)
		write_memory_kind(w, h);
	for (unsigned i = 0; i < n && share; i++) {
		WORDS(w, "%s",
		      i + 1 == n && n > 1 ? " and "
		      : i > 0 || bad      ? ", "
					  : ": ");
		write_share(w, at[i] == scope ? v : &w->f->bottleneck[at[i]]);
	}
	if (share)
		WORDS(w, " of %s %s", n > 1 ? "their" : "its",
		      v->basis == BOTTLENECK_OF_CYCLES ? "cycles" : "slots");
	if (share && h->window_s > 0 && h->by < 0)
		WORDS(w, " in the last %.0f s", (double)h->window_s);
	if (less < 5 && n == 1)
		write_evidence(w, scope, v);
	if (less < 3)
		write_traffic(w, h);
	if (less == 0 && w->style->paper && h->since_s >= 10 && !earlier)
		WORDS(w, "; for the last %.0f s", (double)h->since_s);
	write_advice(w, v->see, v->word, less < 6, less != 2 && less != 4);
}

/* Writes "P1 slowed from 4.18 to 0.97 IPC 4 s ago; cause unknown ...". */
static void
write_slowed(struct writer *w, unsigned scope, const struct bottleneck *v,
	     unsigned less)
{
	const struct span *t = &w->f->span[scope];
	bool events = w->f->set->len > 0;
	char text[PRINTED_SIZE];

	sentence_add(w, PART_WHERE, row_name(w->f, scope, text));
	WORDS(w, " slowed%s", less < 3 ? " from " : "");
	if (less < 3) {
		NUMBER(w, "%.2f to %.2f", (double)v->ipc_before,
		       (double)t->instructions / (double)t->cycles);
		WORDS(w, " IPC %.0f s ago", (double)v->before_s);
	}
	if (less < 2)
		WORDS(w, "; cause unknown%s",
		      less > 0 ? ""
		      : events ? " with these events"
			       : " without events");
	write_advice(w, v->see, v->word, less < 2, false);
}

/* Writes "No bottleneck: P cores retire 4.5 of 8 slots a cycle." False: a share
 * or a width is unknown, or all CPUs are idle or off; the text is then
 * incomplete. */
static bool
write_retiring(struct writer *w, const char *none)
{
	const struct topology *t = w->f->topology;
	unsigned n = 0;

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct topology_kind *kind = &t->kind[k];
		const struct bottleneck *v =
			&w->f->bottleneck[frame_scope_kind(w->f, k)];
		struct share_range r = v->slots.of[SHARE_RETIRING];

		if (v->word == BOTTLENECK_IDLE || v->word == BOTTLENECK_OFF)
			continue;
		if (!(r.middle > 0) || kind->width == 0)
			return false;
		WORDS(w, "%s%s%s%scores%s ", n > 0 ? "" : none,
		      n > 0 ? ", " : ": ", kind->letter,
		      kind->letter[0] != 0 ? " " : "", n > 0 ? "" : " retire");
		NUMBER(w, "%s%.1f", range_sign(r),
		       (double)r.middle * kind->width);
		WORDS(w, " of %u%s", kind->width,
		      n++ > 0 ? "" : " slots a cycle");
	}
	WORDS(w, "%s", n > 0 ? "." : "");
	return n > 0;
}

static unsigned
find_estimated(const struct frame *f)
{
	double most = 100 * share_constants[CONSTANT_FLAG].middle;
	unsigned found = f->nscopes;

	for (unsigned c = 0; c < f->topology->nclusters; c++) {
		unsigned at = frame_scope_cluster(f, c);
		const struct bottleneck *v = &f->bottleneck[at];

		if (v->word != BOTTLENECK_UNKNOWN || !(v->lost_pct >= most) ||
		    share_of_word((enum bottleneck_word)v->estimate) ==
			    SHARE_COUNT)
			continue;
		most = v->lost_pct;
		found = at;
	}
	return found;
}

/* Writes "Nothing flagged; P is probably bad speculation: ~57% of its slots."
 * False: no cluster has a large estimated loss. */
static bool
write_estimated(struct writer *w, unsigned less)
{
	unsigned scope = find_estimated(w->f);
	char text[PRINTED_SIZE];

	if (scope == w->f->nscopes)
		return false;
	const struct bottleneck *v = &w->f->bottleneck[scope];
	enum bottleneck_word word = (enum bottleneck_word)v->estimate;
	float share = v->slots.of[share_of_word(word)].middle;

	w->s->scope = scope;
	WORDS(w, "Nothing flagged");
	if (less < 4) {
		WORDS(w, "; ");
		sentence_add(w, PART_WHERE, row_name(w->f, scope, text));
		WORDS(w, " is probably %s",
		      word == BOTTLENECK_BAD_SPEC
			      ? "bad speculation"
			      : bottleneck_words[word].said + strlen("is "));
	}
	if (less < 2 && share > 0) {
		WORDS(w, ": ");
		NUMBER(w, "~%.0f%%", (double)share * 100);
		WORDS(w, " of its slots");
	}
	write_advice(w, v->see, BOTTLENECK_UNKNOWN, less < 3, less < 1);
	return true;
}

static void
write_calm(struct writer *w, unsigned less)
{
	struct {
		unsigned busy, kernel, unknown;
		unsigned never; /* CPUs in `unknown` for which no preset can
				   show the cause */
		int see;
	} n = { .see = -1 };
	const char *cores = w->f->topology->smt ? "CPUs" : "cores";
	const char *none = "No bottleneck";

	for (unsigned c = 0; c < w->f->topology->ncpus; c++) {
		const struct bottleneck *v = &w->f->bottleneck[c];
		bool unknown = v->word == BOTTLENECK_UNKNOWN &&
			       v->estimate != BOTTLENECK_NONE;

		n.busy +=
			v->word != BOTTLENECK_IDLE && v->word != BOTTLENECK_OFF;
		n.kernel += v->word == BOTTLENECK_KERNEL;
		n.unknown += unknown;
		n.never += unknown && v->cannot && v->see < 0;
		if (unknown && v->see >= 0)
			n.see = v->see;
		if (unknown ||
		    bottleneck_is_cause((enum bottleneck_word)v->word))
			none = "No bottleneck flagged";
	}
	if (n.kernel * 2 > n.busy) {
		WORDS(w, "%u of %u %s are mostly in the kernel", n.kernel,
		      n.busy, cores);
		n.see = preset_find("os");
	} else if (write_estimated(w, less))
		return;
	else if (n.unknown > 0 && n.unknown * 2 >= n.busy)
		WORDS(w, "%u of %u %s: unknown bottleneck%s", n.unknown,
		      w->f->topology->ncpus, cores,
		      less > 0 ? ""
		      : n.never == n.unknown
			      ? "; no event of this machine counts stalls"
			      : " with these events");
	else if (less == 0 && write_retiring(w, none))
		return;
	else {
		sentence_restart(w);
		WORDS(w, "%s", none);
		if (less < 2 && n.busy == 0)
			WORDS(w, ": all %s are idle", cores);
		else if (less < 2)
			WORDS(w, "; %s busy: %u", cores, n.busy);
		n.see = -1;
	}
	write_advice(w, n.see, BOTTLENECK_UNKNOWN, less < 2, less < 1);
}

static double
cluster_ghz(const struct frame *f, unsigned c)
{
	const struct span *s = &f->span[frame_scope_cluster(f, c)];

	return s->busy_ns > 0 ? (double)s->cycles / s->busy_ns : (double)NAN;
}

static unsigned
find_throttled(const struct frame *f)
{
	unsigned found = f->topology->nclusters;
	double least = INFINITY;

	for (unsigned c = 0; f->power != NULL && c < f->topology->nclusters;
	     c++) {
		double part = cluster_ghz(f, c) / f->power->row[c].clock_ghz;

		if (f->power->row[c].throttled &&
		    (found == f->topology->nclusters || part < least)) {
			found = c;
			least = part;
		}
	}
	return found;
}

/* Writes "P0 is throttled: 2.86 of 3.23 GHz requested (-11%) ...". */
static bool
write_throttled(struct writer *w, unsigned less)
{
	unsigned c = find_throttled(w->f);

	if (c == w->f->topology->nclusters)
		return false;
	const struct power_row *r = &w->f->power->row[c];
	double ghz = cluster_ghz(w->f, c);

	w->s->scope = frame_scope_cluster(w->f, c);
	sentence_add(w, PART_WHERE, w->f->topology->cluster[c].label);
	WORDS(w, " is throttled");
	if (less < 3 && ghz < r->clock_ghz) {
		WORDS(w, ": ");
		NUMBER(w, "%.2f", ghz);
		WORDS(w, " of %.2f GHz%s", r->clock_ghz,
		      less < 2 ? " requested" : "");
		if (less < 2)
			WORDS(w, " (%+.0f%%)", 100 * (ghz / r->clock_ghz - 1));
	}
	if (less < 1 && r->throttled_s >= 2)
		WORDS(w, " for the last %.0f s", r->throttled_s);
	WORDS(w, ".");
	return true;
}

static bool
write_why_not(struct writer *w, unsigned less)
{
	unsigned all = frame_scope_all(w->f),
		 ipc = (unsigned)metric_find("ipc");
	enum value_state s =
		ipc < w->f->nmetrics ? frame_state(w->f, all, ipc) : VALUE_OK;
	bool counters = span_has_fixed(&w->f->span[all]) ||
			(s != VALUE_UNSUPPORTED && s != VALUE_DENIED);

	if (counters && w->f->set->len > 0)
		return false;
	WORDS(w, "%s",
	      less > 0   ? "Bottlenecks are unknown"
	      : counters ? BOTTLENECK_NO_EVENTS
			 : BOTTLENECK_NO_COUNTERS);
	write_advice(w, -1, BOTTLENECK_UNKNOWN, less < 2 && counters, less < 1);
	return true;
}

void
bottleneck_headline(const struct frame *f, const struct bottleneck_style *style,
		    struct bottleneck_sentence *out)
{
	struct writer w = { .f = f, .style = style, .s = out };
	struct headline h = { .scope = f->nscopes, .by = -1 };

	*out = (struct bottleneck_sentence){ .scope = frame_scope_all(f) };
	if (f->bottleneck == NULL)
		return;
	if (f->headline != NULL)
		h = *f->headline;
	if (h.scope < f->nscopes)
		out->scope = h.scope;
	/* A bottleneck of earlier events may have ended: do not flag it. */
	out->flagged = h.scope < f->nscopes && h.is.flagged && h.by < 0;
	for (unsigned less = 0; less <= LEAST; less++) {
		sentence_restart(&w);
		if (h.scope < f->nscopes && h.is.before_s > 0)
			write_slowed(&w, h.scope, &h.is, less);
		else if (h.scope < f->nscopes)
			write_row(&w, &h, less);
		else if (!write_why_not(&w, less) && !write_throttled(&w, less))
			write_calm(&w, less);
		if (sentence_fits(&w))
			return;
	}
}
