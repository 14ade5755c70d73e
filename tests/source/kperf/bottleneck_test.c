/*
 * Bottlenecks on every simulated Mac, against the slots that its cores really
 * lose: pure work, blends of all kinds of work, four event sets at the same
 * moments, and physics drawn from the seed. The limits are those of the model:
 * docs/DECISIONS.md.
 */
#include "monitor/monitor.h"
#include "source/mac.h"

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { FRAMES = 30, ROWS = 64, CPUS = 40 };

static const char *const presets[] = { "basic", "topdown", "stalls", "l1d" };
enum { BASIC, TOPDOWN, STALLS, L1D, PRESETS };

/* Machines that count alike. */
enum family { BEFORE_15, M1_TO_M3, M4_SINCE_15, M4_SINCE_26, M5_ON, FAMILIES };
static const char *const family_name[] = { "M1 to M3, macOS 14", "M1 to M3",
					   "M4, macOS 15", "M4, macOS 26",
					   "M5 and M6" };

/* Pure work: programs, and the word of their slots. */
static const struct {
	const char *name;
	enum bottleneck_word word;
} programs[] = { { "compute", BOTTLENECK_NONE },
		 { "memory", BOTTLENECK_BACKEND },
		 { "branchy", BOTTLENECK_BAD_SPEC },
		 { "frontend", BOTTLENECK_FRONTEND },
		 { "mixed", BOTTLENECK_BACKEND } };
enum { COMPUTE, MEMORY, BRANCHY, STARVED, MIXED, PROGRAMS };

/* What became of a row's slots in one frame. */
struct truth {
	bool known;
	double share[SHARE_COUNT];
	enum bottleneck_word word;
	bool clear;
};

struct said {
	bool judged;
	struct shares box;
	enum bottleneck_word word, estimate;
	bool flagged;
};

static struct {
	struct truth truth[FRAMES][ROWS];
	struct said said[PRESETS][FRAMES][ROWS];
	unsigned nrows, ncpus;
	enum family family;
	int program[CPUS]; /* of the row, if it is a CPU of pure work; else -1
			    */
} run;

struct part {
	unsigned of, all;
};

/* What is counted over all machines of a family. */
static struct tally {
	struct part inside[PRESETS][SHARE_COUNT], covered[PRESETS];
	struct part right[PRESETS], unknown[PRESETS], unknown_clear[PRESETS];
	struct part estimate_wrong, contradicts, contradicts_inside;
	struct part flagged_wrong, named_wrong;
	struct part pure[PRESETS][PROGRAMS], definite[PRESETS][PROGRAMS];
	struct part compute_flagged;
} tally[FAMILIES];

static void
add(struct part *p, bool of)
{
	p->all++;
	p->of += of;
}

/* The word of exact shares, by the rule itself. */
static enum bottleneck_word
word_of(const double *share, bool *clear)
{
	static const double mark[] = { 1, 0.20, 0.35, 0.35 };
	static const enum bottleneck_word cause[] = { BOTTLENECK_NONE,
						      BOTTLENECK_BAD_SPEC,
						      BOTTLENECK_FRONTEND,
						      BOTTLENECK_BACKEND };
	int top = SHARE_BAD_SPEC;
	double next = 0;
	bool reached = false;

	for (int i = SHARE_FRONTEND; i < SHARE_COUNT; i++)
		if (share[i] > share[top])
			top = i;
	for (int i = SHARE_BAD_SPEC; i < SHARE_COUNT; i++) {
		if (i != top && share[i] > next)
			next = share[i];
		reached = reached || share[i] >= mark[i];
	}
	*clear = share[SHARE_RETIRING] < 0.45 && share[top] >= mark[top] &&
		 share[top] >= next + 0.2;
	if (share[SHARE_RETIRING] >= 0.5 || !reached)
		return BOTTLENECK_NONE;
	return share[top] >= mark[top] && share[top] >= next + 0.1
		       ? cause[top]
		       : BOTTLENECK_MIXED;
}

/* Slots of each share, and cycles: all, and of user mode. */
enum { CYCLES = SHARE_COUNT, USER_CYCLES, TOTALS };
static uint64_t total[FRAMES + 1][CPUS][TOTALS];

static void
take_totals(unsigned n)
{
	static const char *const names[] = { "slots.retiring", "slots.bad-spec",
					     "slots.frontend", "slots.backend",
					     "FIXED_CYCLES",   "FIXED_CYCLES" };

	for (unsigned c = 0; c < run.ncpus; c++)
		for (unsigned i = 0; i < TOTALS; i++)
			total[n][c][i] = sim_total(
				(unsigned)source->info.topology->cpu[c].id,
				names[i],
				i == CYCLES || run.family == BEFORE_15,
				sample->stamp.awake_ns);
}

/* Rows of which a CPU is off, or comes back, are left out. */
static void
find_truth(const struct frame *f, unsigned n)
{
	const struct topology *t = source->info.topology;
	static bool off[CPUS];
	double sum[ROWS][TOTALS] = { { 0 } };

	for (unsigned c = 0; c < run.ncpus; c++) {
		unsigned row[SCOPE_ALL + 1];

		bool was_off = n > 0 && off[c];

		off[c] = f->span[c].n_ok == 0;
		scope_rows(t, c, row);
		for (unsigned l = 0; l <= SCOPE_ALL; l++)
			for (unsigned i = 0; i < TOTALS; i++)
				sum[row[l]][i] +=
					off[c] || was_off
						? NAN
						: (double)(total[n + 1][c][i] -
							   total[n][c][i]);
	}
	for (unsigned r = 0; r < run.nrows; r++) {
		struct truth *x = &run.truth[n][r];
		double slots = 0;

		for (int i = 0; i < SHARE_COUNT; i++)
			slots += sum[r][i];
		/* User mode's slots are judged where it has half of the time,
		   until macOS 14 those of all modes. */
		x->known = slots > 0 &&
			   sum[r][USER_CYCLES] > 0.51 * sum[r][CYCLES];
		for (int i = 0; i < SHARE_COUNT; i++)
			x->share[i] = slots > 0 ? sum[r][i] / slots : 0;
		x->word = word_of(x->share, &x->clear);
	}
}

static void
hear(const struct frame *f, unsigned r, struct said *out)
{
	const struct bottleneck *b = &f->bottleneck[r];

	*out = (struct said){ .judged = !b->cannot &&
					!isnan(b->slots.of[SHARE_BACKEND].low),
			      .box = b->slots,
			      .word = (enum bottleneck_word)b->word,
			      .estimate = (enum bottleneck_word)b->estimate,
			      .flagged = b->flagged };
}

static enum family
family_of(const char *spec)
{
	if (strncmp(spec, "m4", 2) == 0 || strncmp(spec, "neo", 3) == 0)
		return strstr(spec, "os=15") != NULL ? M4_SINCE_15
						     : M4_SINCE_26;
	if (strstr(spec, "os=14") != NULL)
		return BEFORE_15;
	return spec[1] < '4' ? M1_TO_M3 : M5_ON;
}

/* Frames of a second, under one event set, from the simulation's start. */
static void
run_preset(const char *spec, unsigned p)
{
	struct err e = { ERR_NONE, "" };
	struct eventset set;
	struct monitor_options o = { .period_ns = 1000000000 };
	const struct frame *f;

	start(spec);
	o.catalog = source->info.catalog;
	o.rows_may_be_stale = source->info.rows_may_be_stale;
	struct monitor *m = monitor_new(source->info.topology, &o, &e);

	assert_non_null(m);
	run.ncpus = source->info.topology->ncpus;
	run.family = family_of(spec);
	read_now();
	(void)monitor_feed(m, sample);
	if (!preset_derive(&preset_table[preset_find(presets[p])], o.catalog,
			   run.family == BEFORE_15 ? DOMAIN_ALL : DOMAIN_USER,
			   &set, &e) ||
	    !source->ops->program(source, &set, &e))
		fail_msg("%s, %s: %s", spec, presets[p], e.text);
	read_now();
	(void)monitor_feed(m, sample);
	take_totals(0);
	for (unsigned n = 0; n < FRAMES; n++) {
		step_ms(1000);
		read_now();
		f = monitor_feed(m, sample);
		assert_non_null(f);
		run.nrows = f->nscopes;
		assert_true(run.nrows <= ROWS);
		take_totals(n + 1);
		find_truth(f, n);
		for (unsigned r = 0; r < run.nrows; r++)
			hear(f, r, &run.said[p][n][r]);
	}
	monitor_free(m);
	stop(NULL);
}

/* `backend` and `memory` are one word: the second says more. */
static bool
same(enum bottleneck_word a, enum bottleneck_word b)
{
	return (a == BOTTLENECK_MEMORY ? BOTTLENECK_BACKEND : a) ==
	       (b == BOTTLENECK_MEMORY ? BOTTLENECK_BACKEND : b);
}

static bool
is_named(enum bottleneck_word w)
{
	return w == BOTTLENECK_MEMORY || w == BOTTLENECK_BACKEND ||
	       w == BOTTLENECK_FRONTEND || w == BOTTLENECK_BAD_SPEC;
}

static void
look_at_pure(struct tally *t, unsigned p, unsigned r, const struct said *s)
{
	int program = run.program[r];
	enum bottleneck_word word = programs[program].word;

	add(&t->definite[p][program], same(s->word, word));
	add(&t->pure[p][program],
	    same(s->word != BOTTLENECK_UNKNOWN ? s->word : s->estimate, word));
	if (program == COMPUTE)
		add(&t->compute_flagged, s->flagged);
}

static bool
look(struct tally *t, const char *spec, unsigned p, unsigned n, unsigned r)
{
	const struct truth *x = &run.truth[n][r];
	const struct said *s = &run.said[p][n][r];
	bool inside = true;

	add(&t->covered[p], s->judged);
	if (!s->judged)
		return false;
	for (int i = 0; i < SHARE_COUNT; i++) {
		bool in = x->share[i] >= (double)s->box.of[i].low - 0.002 &&
			  x->share[i] <= (double)s->box.of[i].high + 0.002;
		add(&t->inside[p][i], in);
		inside = inside && in;
	}
	add(&t->unknown[p], s->word == BOTTLENECK_UNKNOWN);
	if (x->clear)
		add(&t->unknown_clear[p], s->word == BOTTLENECK_UNKNOWN);
	if (s->word != BOTTLENECK_UNKNOWN)
		add(&t->right[p], same(s->word, x->word));
	else if (is_named(s->estimate))
		add(&t->estimate_wrong,
		    is_named(x->word) && !same(s->estimate, x->word));
	if (is_named(s->word))
		add(&t->named_wrong, !same(s->word, x->word));
	if (s->flagged)
		add(&t->flagged_wrong, !same(s->word, x->word));
	if (r < run.ncpus && run.program[r] >= 0)
		look_at_pure(t, p, r, s);
	if (getenv("KTOP_SHOW") != NULL &&
	    ((s->word != BOTTLENECK_UNKNOWN && !same(s->word, x->word)) ||
	     (s->word == BOTTLENECK_UNKNOWN && is_named(s->estimate) &&
	      !same(s->estimate, x->word)) ||
	     !inside))
		printf("%s %s frame %u row %u: %s~%s, true %s; "
		       "%.3f<%.3f-%.3f> %.3f<%.3f-%.3f> %.3f<%.3f-%.3f> "
		       "%.3f<%.3f-%.3f>\n",
		       spec, presets[p], n, r, bottleneck_words[s->word].word,
		       bottleneck_words[s->estimate].word,
		       bottleneck_words[x->word].word, x->share[0],
		       (double)s->box.of[0].low, (double)s->box.of[0].high,
		       x->share[1], (double)s->box.of[1].low,
		       (double)s->box.of[1].high, x->share[2],
		       (double)s->box.of[2].low, (double)s->box.of[2].high,
		       x->share[3], (double)s->box.of[3].low,
		       (double)s->box.of[3].high);
	return inside;
}

static void
look_at_frame(struct tally *t, const char *spec, unsigned n, unsigned r)
{
	bool inside[PRESETS];

	if (!run.truth[n][r].known)
		return;
	for (unsigned p = 0; p < PRESETS; p++)
		inside[p] = look(t, spec, p, n, r);
	for (unsigned p = 0; p < PRESETS; p++)
		for (unsigned q = p + 1; q < PRESETS; q++) {
			const struct said *a = &run.said[p][n][r],
					  *b = &run.said[q][n][r];
			bool differ = !same(a->word, b->word);

			if (!a->judged || !b->judged ||
			    a->word == BOTTLENECK_UNKNOWN ||
			    b->word == BOTTLENECK_UNKNOWN)
				continue;
			add(&t->contradicts, differ);
			if (inside[p] && inside[q])
				add(&t->contradicts_inside, differ);
		}
}

static void
run_presets(const char *spec)
{
	for (unsigned p = 0; p < PRESETS; p++)
		run_preset(spec, p);
	for (unsigned n = 0; n < FRAMES; n++)
		for (unsigned r = 0; r < run.nrows; r++)
			look_at_frame(&tally[run.family], spec, n, r);
}

static double
percent(struct part p)
{
	return p.all > 0 ? 100. * p.of / p.all : 0;
}

static void
print_tally(const struct tally *t, const char *name)
{
	printf("%s\n", name);
	for (unsigned p = 0; p < PRESETS; p++)
		printf("  %-8s judged %3.0f of %6u; inside %.2f %.2f %.2f %.2f; "
		       "right %.2f; unknown %2.0f, of clear %.1f\n",
		       presets[p], percent(t->covered[p]), t->covered[p].all,
		       percent(t->inside[p][0]), percent(t->inside[p][1]),
		       percent(t->inside[p][2]), percent(t->inside[p][3]),
		       percent(t->right[p]), percent(t->unknown[p]),
		       percent(t->unknown_clear[p]));
	printf("  estimates wrong %.2f of %u; named wrong %.2f; contradictions "
	       "%.3f of %u, inside %u; flagged wrong %u of %u\n",
	       percent(t->estimate_wrong), t->estimate_wrong.all,
	       percent(t->named_wrong), percent(t->contradicts),
	       t->contradicts.all, t->contradicts_inside.of,
	       t->flagged_wrong.of, t->flagged_wrong.all);
	for (unsigned i = 0; i < PROGRAMS && t->pure[0][0].all > 0; i++) {
		printf("  %-8s", programs[i].name);
		for (unsigned p = 0; p < PRESETS; p++)
			printf(" %6.2f (definite %6.2f)",
			       percent(t->pure[p][i]),
			       percent(t->definite[p][i]));
		printf(" of %u\n", t->pure[0][i].all);
	}
}

static void
run_mac(const char *name, const char *os, unsigned cpus, unsigned seed,
	bool pure, const char *more)
{
	char spec[1200];
	int n = snprintf(spec, sizeof spec, "%s,clock=step,os=%s,seed=%u%s",
			 name, os, seed, more);

	for (unsigned c = 0; c < CPUS; c++)
		run.program[c] = pure ? (int)((c + seed) % PROGRAMS) : -1;
	for (unsigned c = 0; pure && c < cpus; c++)
		n += snprintf(spec + n, sizeof spec - (size_t)n,
			      ",work=cpu%u:%s", c,
			      programs[run.program[c]].name);
	run_presets(spec);
}

/* Each machine with the systems that count on it in different ways. */
static void
each_mac(const char *more, bool pure, unsigned seeds)
{
	static const struct {
		const char *name;
		unsigned cpus;
		const char *os[3];
	} macs[] = {
		{ "m1", 8, { "14.0", "15.5", "26.0" } },
		{ "m1max", 10, { "14.0", "15.5", "26.0" } },
		{ "m2max", 12, { "14.0", "15.5", "26.0" } },
		{ "m3", 8, { "14.0", "15.5", "26.0" } },
		{ "m3ultra", 32, { "14.0", "15.5", "26.0" } },
		{ "m4", 10, { "15.5", "26.0" } },
		{ "m4max", 16, { "15.5", "26.0" } },
		{ "neo", 6, { "15.5", "26.0" } },
		{ "m5", 10, { "26.0", NULL } },
		{ "m5max", 18, { "26.0", NULL } },
		{ "m5ultra", 36, { "27", NULL } },
		{ "m6", 12, { "27", NULL } },
	};

	memset(tally, 0, sizeof tally);
	for (unsigned i = 0; i < LEN(macs); i++)
		for (unsigned s = 0; s < seeds; s++)
			for (unsigned os = 0; os < 3; os++)
				if (macs[i].os[os] != NULL)
					run_mac(macs[i].name, macs[i].os[os],
						macs[i].cpus, 100 * i + s, pure,
						more);
	for (unsigned i = 0; i < FAMILIES; i++)
		print_tally(&tally[i], family_name[i]);
}

static unsigned
seeds(unsigned n)
{
	return getenv("KTOP_LONG") != NULL ? 10 * n : n;
}

static void
at_most(double limit, struct part p, const char *what, const char *where)
{
	if (percent(p) > limit)
		fail_msg("%s, %s: %u of %u, more than %.1f %%", where, what,
			 p.of, p.all, limit);
}

static void
at_least(double limit, struct part p, const char *what, const char *where)
{
	if (p.all == 0 || percent(p) < limit)
		fail_msg("%s, %s: %u of %u, less than %.1f %%", where, what,
			 p.of, p.all, limit);
}

/* What holds of any work while the physics are within the model's ranges. */
static void
is_true(const struct tally *t, const char *name, bool is_m5)
{
	for (unsigned p = 0; p < PRESETS; p++) {
		at_least(90, t->covered[p], presets[p], name);
		for (unsigned i = 0; i < SHARE_COUNT; i++)
			at_least(99, t->inside[p][i], "share inside", name);
		at_least(99, t->right[p], "definite word right", name);
	}
	at_most(0.5, t->contradicts, "contradictions", name);
	at_most(0, t->contradicts_inside, "contradictions inside", name);
	at_most(is_m5 ? 2 : 1, t->estimate_wrong, "estimate", name);
	at_most(0, t->flagged_wrong, "flagged", name);
	assert_true(t->flagged_wrong.all > 1000); /* it can be wrong */
}

UNIT_IN(blends, NULL, stop)
{
	each_mac(",work=blend", false, seeds(4));
	for (unsigned i = 0; i < FAMILIES; i++) {
		const struct tally *t = &tally[i];
		const char *name = family_name[i];

		is_true(t, name, i == M5_ON);
		/* Of the M5 and M6 not all widths are published. */
		at_most(i == M5_ON         ? 8
			: i == M4_SINCE_26 ? 5
					   : 25,
			t->unknown_clear[BASIC], "clear in basic", name);
		at_most(i == M5_ON ? 12 : 0, t->unknown_clear[TOPDOWN],
			"clear in topdown", name);
	}
}

UNIT_IN(pure_work, NULL, stop)
{
	each_mac("", true, seeds(4));
	for (unsigned i = 0; i < FAMILIES; i++) {
		const struct tally *t = &tally[i];
		const char *name = family_name[i];

		is_true(t, name, i == M5_ON);
		at_most(0, t->compute_flagged, "compute is flagged", name);
		assert_true(t->compute_flagged.all > 1000);
		for (unsigned p = 0; p < PRESETS; p++)
			for (unsigned k = MEMORY; k < PROGRAMS; k++)
				at_least(100, t->pure[p][k], programs[k].name,
					 name);
		for (unsigned k = MEMORY; i == M4_SINCE_26 && k < MIXED; k++) {
			at_least(100, t->definite[BASIC][k], programs[k].name,
				 name);
			at_least(100, t->definite[TOPDOWN][k], programs[k].name,
				 name);
		}
	}
}

/* Physics that no core is known to have: the ranges do not hold. */
UNIT_IN(stress, NULL, stop)
{
	each_mac(",work=blend,physics=wide", false, seeds(4));
	for (unsigned i = 0; i < FAMILIES; i++) {
		at_most(5, tally[i].named_wrong, "cause", family_name[i]);
		at_most(5, tally[i].flagged_wrong, "flagged", family_name[i]);
	}
}
