#include "model/bottleneck_say.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"
#include "model/bottleneck.h"

/* ---- the sentence grows part by part ---- */

struct speech {
	struct bottleneck_sentence *s;
	struct buf b;
};

static struct speech
speech_begin(struct bottleneck_sentence *s)
{
	s->nparts = 0;
	return (struct speech){ s, buf_over(s->text, sizeof s->text) };
}

/* What was written since the last part is one of that kind. */
static void
part_ends(struct speech *p, enum bottleneck_part part)
{
	struct bottleneck_sentence *s = p->s;

	if (s->nparts > 0 && s->part[s->nparts - 1].part == part)
		s->nparts--;
	if (s->nparts == SENTENCE_PARTS)
		return;
	s->part[s->nparts].part = part;
	s->part[s->nparts++].end = (unsigned)p->b.len;
}

static void
speak(struct speech *p, enum bottleneck_part part, const char *text)
{
	if (text[0] == 0)
		return;
	buf_str(&p->b, text);
	part_ends(p, part);
}

/* Cells: labels alone may have bytes that go on a character. */
static unsigned
cells(const struct bottleneck_sentence *s)
{
	unsigned n = 0;

	for (const char *c = s->text; *c != 0; c++)
		n += ((unsigned char)*c & 0xc0) != 0x80;
	return n;
}

/* ---- words ---- */

enum { LONG, BRIEF, WORD_FORMS, TERSE = WORD_FORMS };

/* What the numbers of the evidence count. */
static const char *const evidence_text[MEASURE_COUNT][WORD_FORMS] = {
	[MEASURE_BRANCH] = { " mispredictions per 1000 instructions",
			     " mispredicted/1000 instr." },
	[MEASURE_BRANCH_ANY] = { " wrong guesses per 1000 instructions",
				 " wrong guesses/1000 instr." },
	[MEASURE_L1D_LOAD] = { " L1D misses per 1000 instructions",
			       " L1D misses/1000 instr." },
	[MEASURE_L1D_FILL] = { " L1D fills per 1000 instructions",
			       " L1D fills/1000 instr." },
	[MEASURE_LLC] = { " last-level misses per 1000 instructions",
			  " LLC misses/1000 instr." },
	[MEASURE_DRAM] = { " fills from memory per 1000 instructions",
			   " DRAM fills/1000 instr." },
	[MEASURE_MEMSYS] = { " loads from memory per 1000 instructions",
			     " DRAM loads/1000 instr." },
	[MEASURE_LOAD_WAIT] = { "% of its cycles wait for loads",
				"% wait for loads" },
	[MEASURE_L1I] = { " L1I misses per 1000 instructions",
			  " L1I misses/1000 instr." },
	[MEASURE_L1ITLB] = { " L1I TLB misses per 1000 instructions",
			     " L1I TLB misses/1000 instr." },
};

const char *
bottleneck_shows(enum bottleneck_word word)
{
	static const char *const text[BOTTLENECK_COUNT] = {
		[BOTTLENECK_KERNEL] = "switches and faults",
		[BOTTLENECK_MEMORY] = "caches",
		[BOTTLENECK_BAD_SPEC] = "branches",
		[BOTTLENECK_FRONTEND] = "the front end",
		[BOTTLENECK_MIXED] = "which",
	};

	return text[word] != NULL ? text[word] : "";
}

static char
key_of(const struct bottleneck_voice *voice, int preset)
{
	return voice->key != NULL ? voice->key(voice->self, preset)
				  : preset_table[preset].key;
}

void
bottleneck_say_key(const struct bottleneck_voice *voice, int preset,
		   struct buf *b)
{
	if (preset < 0)
		return;
	if (voice->paper) {
		buf_str(b, "--preset ");
		buf_str(b, preset_table[preset].name);
	} else if (key_of(voice, preset) != 0) {
		buf_char(b, key_of(voice, preset));
	} else {
		buf_str(b, "0 then ");
		buf_str(b, preset_table[preset].name);
	}
}

static void
speak_key(struct speech *p, const struct bottleneck_voice *voice, int preset)
{
	bottleneck_say_key(voice, preset, &p->b);
	part_ends(p, PART_KEY);
}

/* "P1", "cpu 7", "all cores". */
static void
speak_where(struct speech *p, const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct topology *t = f->topology;

	switch (s->level) {
	case SCOPE_CORE:
		buf_str(&p->b, "cpu ");
		buf_i64(&p->b, t->cpu[s->index].id);
		break;
	case SCOPE_CLUSTER:
		buf_str(&p->b, t->cluster[s->index].label);
		break;
	case SCOPE_KIND:
		buf_str(&p->b, t->kind[s->index].name);
		break;
	case SCOPE_ALL:
		buf_str(&p->b, "The machine");
		break;
	}
	part_ends(p, PART_WHERE);
}

/* ---- one row ---- */

/* How much is said; what comes later needs less room. */
static const struct form {
	unsigned words; /* LONG, BRIEF, or that with less of the unit */
	bool evidence, more, share, of;
} form_table[] = {
	{ LONG, true, true, true, true },
	{ BRIEF, true, true, true, true },
	{ TERSE, true, true, true, true },
	{ LONG, false, true, true, true },
	{ BRIEF, false, true, true, true },
	{ BRIEF, false, false, true, true },
	{ BRIEF, false, false, true, false },
	{ BRIEF, false, false, false, false },
};

enum { FORMS = sizeof form_table / sizeof *form_table };

/* The same of a row that is slower than before, for what is not counted. */
static const struct slower_form {
	unsigned words;
	const char *why;
	bool ipc, tells;
} slower_table[] = {
	{ LONG, ", the cause is not counted", true, true },
	{ BRIEF, ", cause not counted", true, true },
	{ BRIEF, "", true, true },
	{ BRIEF, "", false, true },
	{ BRIEF, "", false, false },
};

enum { SLOWER_FORMS = sizeof slower_table / sizeof *slower_table };

/* Older than what a frame or two wait for another word. */
static const float old_s = 3;

/* Behind the number that is so old, and no other. */
static void
speak_age(struct speech *p, const char *before, float age_s)
{
	if (!(age_s >= old_s))
		return;
	buf_str(&p->b, before);
	buf_u64(&p->b, (uint64_t)lroundf(age_s));
	buf_str(&p->b, " s ago");
	part_ends(p, PART_WORDS);
}

/* " of its slots", " of its cycles", and what becomes of them. */
static void
speak_of(struct speech *p, const struct bottleneck *v, const struct form *form)
{
	bool slots =
		v->basis == BOTTLENECK_OF_SLOTS || v->word == BOTTLENECK_MIXED;

	buf_str(&p->b, form->words == LONG ? " of its " : " of ");
	buf_str(&p->b, slots ? "slots" : "cycles");
	if (form->words == LONG && v->word == BOTTLENECK_FRONTEND)
		buf_str(&p->b, " get no instructions");
	else if (form->words == LONG && v->word == BOTTLENECK_MIXED)
		buf_str(&p->b, " are lost");
	part_ends(p, PART_WORDS);
}

static void
speak_share(struct speech *p, const struct bottleneck *v,
	    const struct form *form)
{
	if (!form->share || isnan(v->share))
		return;
	speak(p, PART_WORDS,
	      v->basis == BOTTLENECK_ESTIMATE ? ": about " : ": ");
	buf_u64(&p->b, (uint64_t)lroundf(v->share * 100));
	speak(p, PART_NUMBER, "%");
	if (form->of)
		speak_of(p, v, form);
	speak_age(p, " ", v->age_s);
}

/* Where the judgement brings no value, the metric of this frame has it. */
static double
evidence_value(const struct frame *f, unsigned scope, float *age_s)
{
	const struct bottleneck *v = &f->bottleneck[scope];

	*age_s = v->evidence_age_s;
	if (!isnan(v->evidence_value) || v->evidence < 0 ||
	    (unsigned)v->evidence >= f->nmetrics)
		return (double)v->evidence_value;
	*age_s = 0;
	return frame_value(f, scope, (unsigned)v->evidence);
}

static void
speak_evidence(struct speech *p, const struct frame *f, unsigned scope,
	       const struct form *form)
{
	const struct bottleneck *v = &f->bottleneck[scope];
	float age_s;
	double value = evidence_value(f, scope, &age_s);

	if (!form->evidence || v->evidence < 0 || isnan(value))
		return;
	const char *name = metric_table[v->evidence].name;

	for (unsigned m = 0; m < MEASURE_COUNT; m++) {
		const char *text =
			evidence_text[m][form->words == LONG ? LONG : BRIEF];

		if (text == NULL || strcmp(bottleneck_measure_metric[m], name))
			continue;
		speak(p, PART_WORDS, "; ");
		buf_fixed(&p->b, value, value < 9.95 ? 1 : 0);
		part_ends(p, PART_NUMBER);
		size_t n = form->words == TERSE ? strcspn(text, "0") + 3
						: strlen(text);

		buf_bytes(&p->b, text, n < strlen(text) ? n : strlen(text));
		part_ends(p, PART_WORDS);
		speak_age(p, ", ", age_s);
		return;
	}
}

/* " 4 shows caches": not where that is counted already. */
static bool
is_counted(const struct frame *f, int preset)
{
	return strcmp(preset_table[preset].name, f->set->name) == 0;
}

static void
speak_more(struct speech *p, const struct frame *f, const struct bottleneck *v,
	   const struct bottleneck_voice *voice, const struct form *form)
{
	if (!form->more || v->see < 0 || is_counted(f, v->see))
		return;
	/* A shortened word has its point already. */
	bool ended = p->b.len > 0 && p->b.at[p->b.len - 1] == '.';

	speak(p, PART_WORDS, ended ? " " : ". ");
	speak_key(p, voice, v->see);
	if (v->word == BOTTLENECK_UNKNOWN || v->stale) {
		speak(p, PART_WORDS, " tells");
		return;
	}
	speak(p, PART_WORDS, " shows ");
	speak(p, PART_WORDS, bottleneck_shows((enum bottleneck_word)v->word));
}

/* Cores of one cluster that do different things: that is all there is. */
static bool
differ(const struct frame *f, unsigned scope)
{
	const struct bottleneck *v = &f->bottleneck[scope];

	return v->word == BOTTLENECK_MIXED && isnan(v->share) &&
	       f->scope[scope].level != SCOPE_CORE;
}

/* ---- slower than before, and nobody counted why ---- */

static void
speak_ipc(struct speech *p, double ipc, int decimals)
{
	buf_fixed(&p->b, ipc, decimals);
	part_ends(p, PART_NUMBER);
}

/* "1 minute ago 4.3" */
static void
speak_before(struct speech *p, const struct bottleneck *v, unsigned words)
{
	unsigned step = 5, s = (unsigned)lroundf(v->before_s / (float)step);

	buf_str(&p->b, ", ");
	if (s * step >= 60) {
		buf_str(&p->b, words == LONG ? "1 minute" : "1 min");
	} else {
		buf_u64(&p->b, s * step);
		buf_str(&p->b, " s");
	}
	speak(p, PART_WORDS, " ago ");
	speak_ipc(p, (double)v->ipc_before, v->ipc_before < 0.95f ? 2 : 1);
}

/* What is not counted is told by a preset, or where none is by having one. */
static void
speak_who_tells(struct speech *p, const struct frame *f,
		const struct bottleneck *v,
		const struct bottleneck_voice *voice,
		const struct slower_form *form)
{
	const char *end = form->words == LONG ? "." : "";

	if (f->set->len == 0 && !voice->paper) {
		speak(p, PART_WORDS, ". ");
		speak(p, PART_KEY, "i");
		speak(p, PART_WORDS,
		      form->words == LONG ? " takes the counters" : " counts");
	} else if (f->set->len > 0 && v->see >= 0 && !is_counted(f, v->see)) {
		speak(p, PART_WORDS, ". ");
		speak_key(p, voice, v->see);
		speak(p, PART_WORDS, " tells");
	}
	speak(p, PART_WORDS, end);
}

static void
say_slower_in_form(const struct frame *f, unsigned scope,
		   const struct bottleneck_voice *voice,
		   const struct slower_form *form,
		   struct bottleneck_sentence *out)
{
	const struct bottleneck *v = &f->bottleneck[scope];
	const struct span *t = &f->span[scope];
	struct speech p = speech_begin(out);

	speak_where(&p, f, scope);
	speak(&p, PART_WORDS, " is slow");
	if (form->ipc) {
		speak(&p, PART_WORDS, " (IPC ");
		speak_ipc(&p, (double)t->instructions / (double)t->cycles, 2);
		speak_before(&p, v, form->words);
		speak(&p, PART_WORDS, ")");
	}
	speak(&p, PART_WORDS, form->why);
	if (form->tells)
		speak_who_tells(&p, f, v, voice, form);
	buf_cstr(&p.b);
}

static void
say_slower(const struct frame *f, unsigned scope,
	   const struct bottleneck_voice *voice,
	   struct bottleneck_sentence *out)
{
	for (unsigned i = 0; i < SLOWER_FORMS; i++) {
		say_slower_in_form(f, scope, voice, &slower_table[i], out);
		if (cells(out) <= voice->room)
			return;
	}
}

static void
say_in_form(const struct frame *f, unsigned scope,
	    const struct bottleneck_voice *voice, const struct form *form,
	    struct bottleneck_sentence *out)
{
	const struct bottleneck *v = &f->bottleneck[scope];
	struct speech p = speech_begin(out);

	speak_where(&p, f, scope);
	speak(&p, PART_WORDS, " ");
	if (differ(f, scope)) {
		speak(&p, PART_WORDS, "has cores that do different things");
	} else {
		speak(&p, PART_WORDS, bottleneck_words[v->word].said);
		speak_share(&p, v, form);
		speak_evidence(&p, f, scope, form);
		speak_more(&p, f, v, voice, form);
	}
	if (form->words == LONG)
		speak(&p, PART_WORDS, ".");
	buf_cstr(&p.b);
}

/* "P1: memory" */
static void
say_shortest(const struct frame *f, unsigned scope,
	     struct bottleneck_sentence *out)
{
	struct speech p = speech_begin(out);

	speak_where(&p, f, scope);
	speak(&p, PART_WORDS, ": ");
	speak(&p, PART_WORDS, bottleneck_words[f->bottleneck[scope].word].word);
	buf_cstr(&p.b);
}

void
bottleneck_say(const struct frame *f, unsigned scope,
	       const struct bottleneck_voice *voice,
	       struct bottleneck_sentence *out)
{
	*out = (struct bottleneck_sentence){ .scope = scope };
	if (f->bottleneck == NULL)
		return;
	out->flagged = f->bottleneck[scope].flagged;
	if (f->bottleneck[scope].before_s > 0 && f->span[scope].cycles > 0) {
		say_slower(f, scope, voice, out);
		return;
	}
	for (unsigned i = 0; i < FORMS; i++) {
		say_in_form(f, scope, voice, &form_table[i], out);
		if (cells(out) <= voice->room)
			return;
	}
	say_shortest(f, scope, out);
}

/* ---- nothing stands out ---- */

/* What one does, what several do, in the order they are said; and in brief. */
static const struct calm {
	enum bottleneck_word word;
	const char *one, *many, *brief;
} calm_table[] = {
	{ BOTTLENECK_NONE, "computes", "compute", "compute" },
	{ BOTTLENECK_MEMORY, "waits for memory", "wait for memory", "memory" },
	{ BOTTLENECK_BAD_SPEC, "guesses wrong", "guess wrong", "branches" },
	{ BOTTLENECK_FRONTEND, "starves", "starve", "starve" },
	{ BOTTLENECK_MIXED, "has mixed causes", "have mixed causes", "mixed" },
	{ BOTTLENECK_KERNEL, "is in the kernel", "are in the kernel",
	  "kernel" },
	{ BOTTLENECK_UNKNOWN, "is not judged", "are not judged", "not judged" },
	{ BOTTLENECK_IDLE, "is idle", "are idle", "idle" },
	{ BOTTLENECK_OFF, "is powered down", "are powered down", "off" },
};

enum { CALM = sizeof calm_table / sizeof *calm_table };

struct census {
	unsigned n[BOTTLENECK_COUNT];
	unsigned untold; /* not judged, and a preset would tell */
	int see;         /* which; -1: none */
};

static struct census
census_take(const struct frame *f)
{
	struct census all = { .see = -1 };

	for (unsigned c = 0; c < f->topology->ncpus; c++) {
		const struct bottleneck *v = &f->bottleneck[c];

		bool unknown = v->stale || v->word == BOTTLENECK_UNKNOWN;

		all.n[unknown ? BOTTLENECK_UNKNOWN : v->word]++;
		if (!unknown || v->see < 0 ||
		    (v->stale && is_counted(f, v->see)))
			continue;
		all.untold++;
		all.see = is_counted(f, v->see) ? -1 : v->see;
	}
	return all;
}

static void
calm_in_words(const struct frame *f, const struct census *all, unsigned words,
	      struct bottleneck_sentence *out)
{
	struct speech p = speech_begin(out);
	const char *sign = ": ";

	buf_str(&p.b, "Nothing stands out");
	for (unsigned i = 0; i < CALM; i++) {
		const struct calm *calm = &calm_table[i];
		unsigned n = all->n[calm->word];

		if (n == 0)
			continue;
		bool noun = sign[0] == ':' && words == LONG;

		buf_str(&p.b, sign);
		buf_u64(&p.b, n);
		if (noun)
			buf_str(&p.b, f->topology->smt
					      ? plural(n, " CPU", " CPUs")
					      : plural(n, " core", " cores"));
		buf_char(&p.b, ' ');
		buf_str(&p.b, words == BRIEF
				      ? calm->brief
				      : plural(n, calm->one, calm->many));
		sign = ", ";
	}
	speak(&p, PART_WORDS, words == LONG ? "." : "");
	part_ends(&p, PART_WORDS);
	buf_cstr(&p.b);
}

static void
say_calm(const struct frame *f, const struct census *all, unsigned room,
	 struct bottleneck_sentence *out)
{
	for (unsigned words = LONG; words < WORD_FORMS; words++) {
		calm_in_words(f, all, words, out);
		if (cells(out) <= room)
			return;
	}
	struct speech p = speech_begin(out);

	speak(&p, PART_WORDS, "Nothing stands out");
	buf_cstr(&p.b);
}

/* ---- no cause can be named ---- */

/*
 * The first of three texts that fits; behind the longer two a key, where there
 * is one, and what it does.
 */
static void
say_why_not(const char *const text[3], const struct bottleneck_voice *voice,
	    const char *key, const char *does, struct bottleneck_sentence *out)
{
	for (unsigned i = 0; i < 3; i++) {
		struct speech p = speech_begin(out);

		speak(&p, PART_WORDS, text[i]);
		if (i < 2 && key[0] != 0) {
			speak(&p, PART_WORDS, " ");
			speak(&p, PART_KEY, key);
			speak(&p, PART_WORDS, does);
		}
		buf_cstr(&p.b);
		if (cells(out) <= voice->room)
			return;
	}
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
say_unread(const struct bottleneck_voice *voice,
	   struct bottleneck_sentence *out)
{
	static const char *const text[3] = { BOTTLENECK_NO_COUNTERS,
					     "Nothing is judged.",
					     "Not judged" };

	say_why_not(text, voice, "", "", out);
}

static void
say_uncounted(const struct bottleneck_voice *voice,
	      struct bottleneck_sentence *out)
{
	static const char *const text[3] = { BOTTLENECK_NO_EVENTS,
					     "IPC only: no cause can be named.",
					     "IPC only" };

	say_why_not(text, voice, voice->paper ? "" : "i",
		    " takes the counters.", out);
}

/* Of some the rest is judged; where it is half of them, nothing is calm. */
static void
say_untold(const struct frame *f, const struct census *all,
	   const struct bottleneck_voice *voice,
	   struct bottleneck_sentence *out)
{
	char whole[80], brief[48], key[32];
	struct buf w = buf_over(whole, sizeof whole);
	struct buf b = buf_over(brief, sizeof brief);
	struct buf k = buf_over(key, sizeof key);
	const char *text[3] = { whole, brief, "Not judged" };
	unsigned ncpus = f->topology->ncpus;
	bool many = all->untold * 2 >= ncpus;

	if (!many)
		buf_str(&w, "Nothing stands out of what is counted; ");
	buf_u64(&w, all->untold);
	if (many) {
		buf_str(&w, " of ");
		buf_u64(&w, ncpus);
		buf_str(&w, " cores cannot be judged by what is counted.");
	} else {
		buf_str(&w, plural(all->untold, " core is not judged.",
				   " cores are not judged."));
	}
	buf_cstr(&w);
	buf_u64(&b, all->untold);
	buf_str(&b, plural(all->untold, " core is not judged.",
			   " cores are not judged."));
	buf_cstr(&b);
	bottleneck_say_key(voice, all->see, &k);
	say_why_not(text, voice, buf_cstr(&k), " tells.", out);
}

/* Most of what it does, on most of the cores that do something. */
static bool
in_the_kernel(const struct frame *f, const struct census *all)
{
	const struct bottleneck *v = &f->bottleneck[frame_scope_all(f)];
	unsigned still = all->n[BOTTLENECK_IDLE] + all->n[BOTTLENECK_OFF];

	return v->word == BOTTLENECK_KERNEL && !isnan(v->share) &&
	       all->n[BOTTLENECK_KERNEL] * 2 > f->topology->ncpus - still;
}

void
bottleneck_headline(const struct frame *f, const struct bottleneck_voice *voice,
		    struct bottleneck_sentence *out)
{
	*out = (struct bottleneck_sentence){ .scope = frame_scope_all(f) };
	if (f->bottleneck == NULL)
		return;
	unsigned worst = bottleneck_worst(f);

	if (worst < f->nscopes) {
		bottleneck_say(f, worst, voice, out);
		return;
	}
	struct census all = census_take(f);

	if (without_counters(f))
		say_unread(voice, out);
	else if (f->set->len == 0)
		say_uncounted(voice, out);
	else if (all.untold > 0)
		say_untold(f, &all, voice, out);
	else if (in_the_kernel(f, &all))
		bottleneck_say(f, frame_scope_all(f), voice, out);
	else
		say_calm(f, &all, voice->room, out);
}
