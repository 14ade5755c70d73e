#include "monitor/bottlenecks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/metric.h"
#include "model/bottleneck.h"

enum { HOLD = 3 }; /* frames until another word is believed */

/* How old a count may be, and how far the IPC may be from what it was then. */
static const double lately_s = 60, alike = 0.25;

/* What stands out ends below a part of bottleneck_stands_out. */
static const double loud_until = 0.7;

/* So long a word is believed that nothing counted since; or HOLD frames. */
static const double believed_s = 5;

/* ---- rows whose IPC fell far below what it was up to a minute ago ---- */

/*
 * The past is kept as sums over spans; "1 minute ago" is the span around it,
 * or the oldest later one in which the row was at work.
 */
enum { SPAN_S = 5, BACK_MOST = 12, BACK_LEAST = 3, SPANS = BACK_MOST + 1 };

/* Below that part of the IPC before it is slow, until it is above the next. */
static const double slow_below = 0.5, slow_until = 0.7;

/* Then it had at least that part of the cycles a second it has now. */
static const double at_work = 0.25;

struct slower_row {
	float cycles[SPANS], instructions[SPANS]; /* [span % SPANS] */
	uint8_t times; /* frames that say otherwise than `slow` */
	bool slow, shown;
};

static bool
slower_init(struct slower *s, unsigned nrows, struct err *e)
{
	*s = (struct slower){ .nrows = nrows };
	s->row = calloc(nrows, sizeof *s->row);
	return s->row != NULL ||
	       err_set(e, ERR_FAIL, "out of memory for the last minute");
}

static void
slower_done(struct slower *s)
{
	free(s->row);
}

static void
slower_restart(struct slower *s)
{
	memset(s->row, 0, s->nrows * sizeof *s->row);
}

/* Empties the spans that begin. */
static void
move_on(struct slower *s, int64_t span)
{
	int64_t from = s->span + 1;

	if (span < s->span || span - s->span >= SPANS)
		from = span - SPANS + 1;
	for (; from <= span; from++)
		for (unsigned r = 0; from >= 0 && r < s->nrows; r++)
			s->row[r].cycles[from % SPANS] =
				s->row[r].instructions[from % SPANS] = 0;
	s->span = span;
}

/* Its IPC then; 0 where it did not work, or nobody looked. */
static double
ipc_before(const struct slower *s, const struct slower_row *r,
	   double cycles_per_s, int64_t *span)
{
	for (int64_t back = BACK_MOST; back >= BACK_LEAST; back--) {
		*span = s->span - back;
		if (*span < 0)
			continue;
		double cycles = (double)r->cycles[*span % SPANS];

		if (cycles > 0 &&
		    cycles / (double)SPAN_S >= at_work * cycles_per_s)
			return (double)r->instructions[*span % SPANS] / cycles;
	}
	return 0;
}

/* What it says changes when three frames in a row say otherwise. */
static void
hold(struct slower_row *r, double share)
{
	bool otherwise = r->slow ? !(share < slow_until) : share < slow_below;

	r->times = otherwise ? r->times + 1 : 0;
	if (r->times < HOLD)
		return;
	r->slow = !r->slow;
	r->times = 0;
}

static unsigned
slow_cpus(const struct frame *f, unsigned cluster,
	  const struct bottleneck *bottleneck)
{
	unsigned n = 0;

	for (unsigned c = 0; c < f->topology->ncpus; c++)
		n += f->topology->cpu[c].cluster == cluster &&
		     bottleneck[c].before_s > 0;
	return n;
}

static void
take_row(struct slower *s, const struct frame *f, unsigned scope, double mark,
	 struct bottleneck *bottleneck)
{
	struct slower_row *r = &s->row[scope];
	const struct span *t = &f->span[scope];
	struct bottleneck *out = &bottleneck[scope];
	bool was = r->shown;
	int64_t span;

	out->before_s = 0;
	r->shown = false;
	if (!span_has_fixed(t) || t->cycles == 0 || !(span_interval_s(t) > 0)) {
		r->slow = false;
		r->times = 0;
		return;
	}
	double before =
		ipc_before(s, r, (double)t->cycles / span_interval_s(t), &span);
	double ipc = (double)t->instructions / (double)t->cycles;

	r->cycles[s->span % SPANS] += (float)t->cycles;
	r->instructions[s->span % SPANS] += (float)t->instructions;
	hold(r, before > 0 ? ipc / before : 1);
	if (!r->slow || before <= 0 || out->word != BOTTLENECK_UNKNOWN)
		return;
	out->ipc_before = (float)before;
	out->before_s =
		(float)(f->elapsed_s - ((double)span + 0.5) * (double)SPAN_S);
	bool alone = f->scope[scope].level == SCOPE_CLUSTER &&
		     slow_cpus(f, f->scope[scope].index, bottleneck) < 2;

	r->shown = !alone && bottleneck_slower_by(f, scope, out) >=
				     mark * (was ? loud_until : 1);
	if (!r->shown)
		out->before_s = 0;
}

/*
 * Of rows that are BOTTLENECK_UNKNOWN: how fast they were, where that is long
 * gone for three frames, until it is not for three. Only where `mark` or more
 * of 10^9 cycles a second are spent for it; of a cluster where that is so of
 * two of its CPUs. Allocates nothing.
 */
static void
slower_take(struct slower *s, const struct frame *f, double mark,
	    struct bottleneck *bottleneck)
{
	int64_t span = (int64_t)(f->elapsed_s / (double)SPAN_S);

	if (span != s->span)
		move_on(s, span);
	for (unsigned r = 0; r < s->nrows; r++)
		take_row(s, f, r, mark, bottleneck);
}

/* ---- what is known of rows ---- */

struct seen { /* the last value of a measure */
	double at_s;
	float value, ipc;
};

struct bottleneck_past {
	struct seen seen[MEASURE_COUNT];
	struct bottleneck held; /* what is said */
	double judged_s;        /* when it was judged so */
	double counted_s;       /* when any measure was */
	double user;            /* part of its cycles that the slots count */
	uint8_t next, times;    /* another word, frames it has held */
	uint8_t frames;         /* since it was idle or unknown, up to HOLD */
	bool idle, loud;
};

/* What a group's CPUs say, by cycles a second. */
struct voices {
	double weight[BOTTLENECK_COUNT], lost[BOTTLENECK_COUNT], all;
	double stale[BOTTLENECK_COUNT], untold; /* of the weight */
	float age_s[BOTTLENECK_COUNT];          /* of the oldest */
	unsigned idle, off, unknown, nuntold;
};

bool
bottlenecks_init(struct bottlenecks *v, const struct topology *t,
		 const struct catalog *catalog, unsigned nscopes, struct err *e)
{
	v->topology = t;
	v->nscopes = nscopes;
	for (unsigned m = 0; m < MEASURE_COUNT; m++) {
		v->metric[m] = metric_find(bottleneck_measure_metric[m]);
		v->possible[m] = catalog != NULL && v->metric[m] >= 0 &&
				 metric_possible(&metric_table[v->metric[m]],
						 catalog, NULL);
	}
	v->ipc = metric_find("ipc");
	v->lost = metric_find("lost_pct");
	v->bottleneck = calloc(nscopes, sizeof *v->bottleneck);
	v->past = calloc(nscopes, sizeof *v->past);
	v->weight = calloc(t->ncpus + 1, sizeof *v->weight);
	v->voices = calloc(nscopes - t->ncpus, sizeof *v->voices);
	if (v->bottleneck == NULL || v->past == NULL || v->weight == NULL ||
	    v->voices == NULL)
		return err_set(e, ERR_FAIL, "out of memory for the bottlenecks");
	if (!slower_init(&v->slower, t->ncpus + t->nclusters, e))
		return false;
	bottlenecks_restart(v);
	return true;
}

void
bottlenecks_done(struct bottlenecks *v)
{
	free(v->bottleneck);
	free(v->past);
	free(v->weight);
	free(v->voices);
	slower_done(&v->slower);
}

void
bottlenecks_restart(struct bottlenecks *v)
{
	for (unsigned s = 0; s < v->nscopes; s++) {
		v->past[s] = (struct bottleneck_past){ .frames = 0 };
		for (unsigned m = 0; m < MEASURE_COUNT; m++)
			v->past[s].seen[m].value = NAN;
	}
	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		v->there_s[m] = -INFINITY;
	slower_restart(&v->slower);
	v->named = v->nscopes;
}

/* Nothing that divides a count by one of more modes. */
static double
good_value(const struct frame *f, unsigned scope, int metric)
{
	unsigned m = (unsigned)metric;

	if (metric < 0 || frame_state(f, scope, m) > VALUE_FEW ||
	    (frame_marks(f, scope, m) & VALUE_MODES) != 0)
		return NAN;
	return frame_value(f, scope, m);
}

/* No events are: what was counted before says nothing of such a frame. */
static bool
nothing_counts(const struct frame *f)
{
	return f->set->len == 0;
}

/* Most measures are in no set of the last minute: no row has them. */
static void
note_there(struct bottlenecks *v, const struct frame *f,
	   const uint64_t *counted)
{
	bool nothing = nothing_counts(f);

	v->nlately = 0;
	for (unsigned m = 0; m < MEASURE_COUNT; m++) {
		int metric = v->metric[m];

		if (nothing)
			v->there_s[m] = -INFINITY;
		else if (metric >= 0 &&
			 (counted[metric / 64] >> (unsigned)metric % 64 & 1) !=
				 0)
			v->there_s[m] = f->elapsed_s;
		if (!(f->elapsed_s - v->there_s[m] > lately_s))
			v->lately[v->nlately++] = (uint8_t)m;
	}
}

static void
measure(const struct bottlenecks *v, const struct frame *f, unsigned scope,
	double ipc, struct bottleneck_row *row)
{
	for (unsigned m = 0; m < MEASURE_COUNT; m++)
		row->m[m] = (struct bottleneck_measured){ NAN, 0 };
	for (unsigned i = 0; i < v->nlately; i++) {
		unsigned m = v->lately[i];
		struct seen *seen = &v->past[scope].seen[m];
		double now = good_value(f, scope, v->metric[m]);
		double age = 0;

		if (!isnan(now)) {
			*seen = (struct seen){ f->elapsed_s, (float)now,
					       (float)ipc };
			v->past[scope].counted_s = f->elapsed_s;
		} else if ((age = f->elapsed_s - seen->at_s) > lately_s ||
			   !(fabs(ipc - (double)seen->ipc) <=
			     alike * (double)seen->ipc)) {
			continue;
		}
		row->m[m] =
			(struct bottleneck_measured){ seen->value, (float)age };
	}
}

/* The word that this frame alone would have. */
static void
judge_alone(const struct bottlenecks *v, const struct frame *f, unsigned scope,
	    struct bottleneck *out)
{
	struct bottleneck_past *past = &v->past[scope];
	const struct span *t = &f->span[scope];
	int kind = frame_kind(f, scope);
	double ipc = good_value(f, scope, v->ipc);
	struct bottleneck_row row = {
		.busy_pct = span_busy_rough(t) ? NAN : span_busy_pct(t),
		.ipc = ipc,
		.reach = kind >= 0 && f->reached != NULL ? f->reached[kind] : 0,
		.width = kind >= 0 ? f->topology->kind[kind].width : 0,
		.fastest = kind <= 0,
		.was_idle = past->idle,
		.possible = v->possible,
		.metric = v->metric
	};

	measure(v, f, scope, ipc, &row);
	row.user_pct = NAN;
	if (f->domain == DOMAIN_USER) {
		const struct bottleneck_measured *user =
			&row.m[MEASURE_USER_IPC];

		row.user_pct = (double)row.m[MEASURE_USER].value;
		row.ipc = (double)user->value;
		row.ipc_age_s = (double)user->age_s;
	}
	past->user = f->domain == DOMAIN_USER ? row.user_pct / 100 : 1;
	if ((t->quality & QUALITY_IDLE) != 0)
		row.busy_pct = 0;
	bottleneck_judge(&row, out);
	past->idle = out->word == BOTTLENECK_IDLE;
}

/* ---- calm: a word stays until another has held ---- */

/* Nothing was counted: no word, and none is forgotten. */
static bool
without_counts(const struct span *t, struct bottleneck *out)
{
	bool off = (t->quality & QUALITY_OFF) != 0;

	if (!off && span_has_cycles(t))
		return false;
	if (!off && (t->quality & QUALITY_IDLE) != 0)
		return false;
	*out = (struct bottleneck){ .word = off ? BOTTLENECK_OFF
						: BOTTLENECK_UNKNOWN,
				    .see = -1,
				    .evidence = -1,
				    .share = NAN,
				    .evidence_value = NAN,
				    .impact = NAN,
				    .shared = NAN };
	return true;
}

static bool
too_old(const struct frame *f, unsigned cpu, double then_s)
{
	double frames_s = (double)HOLD * span_interval_s(&f->span[cpu]);

	return f->elapsed_s - then_s >
	       (frames_s > believed_s ? frames_s : believed_s);
}

/*
 * Idle begins and ends at once; what becomes known is said at once, and for the
 * first few frames what each of them says. No word is held that only counts of
 * long ago speak for.
 */
static bool
at_once(const struct bottleneck_past *past, const struct bottleneck *now,
	bool old)
{
	return past->frames < HOLD || past->held.word == now->word ||
	       now->word == BOTTLENECK_IDLE || old;
}

/* A share belongs to the frames that have it, and those shortly after. */
static void
keep_word_alone(struct bottleneck *out)
{
	out->stale = true;
	out->see = -1;
	out->share = NAN;
	out->basis = BOTTLENECK_OF_NOTHING;
	out->evidence = -1;
	out->evidence_value = NAN;
}

/* Does the frame speak against the word that is kept, in what is lost? */
static bool
speaks_against(const struct bottleneck *held, const struct bottleneck *now)
{
	return held->word != now->word &&
	       (bottleneck_is_cause((enum bottleneck_word)held->word) ||
		bottleneck_is_cause((enum bottleneck_word)now->word));
}

/* When the oldest count was made that the word rests on. */
static double
rests_on(const struct bottleneck_past *past)
{
	return past->judged_s -
	       (double)fmaxf(past->held.age_s, past->held.evidence_age_s);
}

/*
 * Nothing was counted for too long that says something of its word; to do well
 * may be seen by the instructions alone.
 */
static bool
rests_on_little(const struct bottlenecks *v, const struct frame *f,
		unsigned cpu)
{
	const struct bottleneck *out = &v->bottleneck[cpu];

	return too_old(f, cpu, v->past[cpu].counted_s) &&
	       (bottleneck_loses((enum bottleneck_word)out->word) ||
		(out->word == BOTTLENECK_NONE &&
		 too_old(f, cpu, f->elapsed_s - (double)out->age_s)));
}

static void
keep_word_of_before(const struct bottlenecks *v, struct bottleneck *out)
{
	out->stale = true;
	bottleneck_see_what_tells(v->possible, out);
}

static void
judge_cpu(const struct bottlenecks *v, const struct frame *f, unsigned cpu)
{
	struct bottleneck_past *past = &v->past[cpu];
	struct bottleneck now, *out = &v->bottleneck[cpu];

	if (without_counts(&f->span[cpu], out))
		return;
	judge_alone(v, f, cpu, &now);
	past->times = now.word == past->next ? past->times + 1 : 1;
	past->next = now.word;
	bool old = nothing_counts(f) || too_old(f, cpu, rests_on(past));

	if (at_once(past, &now, old) || past->times >= HOLD) {
		past->held = now;
		past->judged_s = f->elapsed_s;
		past->times = 0;
	}
	if (past->held.word == BOTTLENECK_IDLE ||
	    past->held.word == BOTTLENECK_UNKNOWN)
		past->frames = 0;
	else if (past->frames < HOLD)
		past->frames++;
	*out = past->held;
	out->age_s += (float)(f->elapsed_s - past->judged_s);
	out->evidence_age_s += (float)(f->elapsed_s - past->judged_s);
	if (speaks_against(out, &now))
		keep_word_alone(out);
	else if (rests_on_little(v, f, cpu))
		keep_word_of_before(v, out);
}

/* ---- cycles lost ---- */

/* Cycles a second of a CPU; 0 where they are not known. */
static double
cycles_per_s(const struct span *t)
{
	return span_has_cycles(t) && span_interval_s(t) > 0
		       ? (double)t->cycles / span_interval_s(t)
		       : 0;
}

static void
weigh_cpu(const struct bottlenecks *v, const struct frame *f, unsigned cpu)
{
	struct bottleneck *out = &v->bottleneck[cpu];
	double user = v->past[cpu].user;

	v->weight[cpu] =
		out->word == BOTTLENECK_IDLE || out->word == BOTTLENECK_OFF
			? 0
			: cycles_per_s(&f->span[cpu]);
	if (out->stale) {
		out->impact = out->shared = NAN;
		return;
	}
	switch (out->word) {
	case BOTTLENECK_UNKNOWN:
	case BOTTLENECK_OFF:
		out->impact = NAN;
		break;
	case BOTTLENECK_IDLE:
	case BOTTLENECK_NONE:
		out->impact = 0;
		break;
	case BOTTLENECK_KERNEL:
		out->impact = v->weight[cpu] * (1 - user) * 1e-9;
		break;
	default:
		out->impact = v->weight[cpu] * user * (double)out->cost * 1e-9;
	}
	out->shared = out->impact;
}

/* ---- groups ---- */

static void
hear(struct voices *to, const struct bottleneck *one, double weight)
{
	to->weight[one->word] += weight;
	to->all += weight;
	to->idle += one->word == BOTTLENECK_IDLE;
	to->off += one->word == BOTTLENECK_OFF;
	to->unknown += one->word == BOTTLENECK_UNKNOWN;
	if (!isnan(one->impact)) {
		to->lost[one->word] += one->impact;
	} else if (one->word != BOTTLENECK_OFF) {
		to->untold += weight;
		to->nuntold++;
	}
	if (one->stale)
		to->stale[one->word] += weight;
	if (one->age_s > to->age_s[one->word])
		to->age_s[one->word] = one->age_s;
}

static void
hear_all(struct bottlenecks *v, const struct frame *f)
{
	const struct topology *t = f->topology;
	unsigned ngroups = f->nscopes - t->ncpus;

	memset(v->voices, 0, ngroups * sizeof *v->voices);
	for (unsigned c = 0; c < t->ncpus; c++) {
		const struct topology_cpu *cpu = &t->cpu[c];

		hear(&v->voices[cpu->cluster], &v->bottleneck[c], v->weight[c]);
		hear(&v->voices[t->nclusters + cpu->kind], &v->bottleneck[c],
		     v->weight[c]);
		hear(&v->voices[ngroups - 1], &v->bottleneck[c], v->weight[c]);
	}
}

/* The word of those that have half of the cycles; where none has, mixed. */
static enum bottleneck_word
loudest(const struct voices *v, unsigned ncpus)
{
	if (v->off == ncpus)
		return BOTTLENECK_OFF;
	if (v->all <= 0)
		return v->unknown > 0 ? BOTTLENECK_UNKNOWN : BOTTLENECK_IDLE;
	for (int w = 0; w < BOTTLENECK_COUNT; w++)
		if (v->weight[w] * 2 >= v->all)
			return (enum bottleneck_word)w;
	return BOTTLENECK_MIXED;
}

static void
judge_group(const struct bottlenecks *v, const struct frame *f, unsigned scope)
{
	const struct voices *said = &v->voices[scope - f->topology->ncpus];
	enum bottleneck_word word = loudest(said, f->scope[scope].ncpus);
	struct bottleneck own, *out = &v->bottleneck[scope];

	judge_alone(v, f, scope, &own);

	*out = own;
	out->word = (uint8_t)word;
	/* Mixed since its cores differ is no loss with a share. */
	bool differ = word == BOTTLENECK_MIXED &&
		      said->weight[BOTTLENECK_MIXED] * 2 < said->all;

	if (own.word != word || differ) {
		bool cause = bottleneck_is_cause(word) &&
			     word != BOTTLENECK_MIXED && said->lost[word] > 0;

		out->share = cause ? (float)(said->lost[word] * 1e9 / said->all)
				   : NAN;
		out->basis =
			cause ? BOTTLENECK_ESTIMATE : BOTTLENECK_OF_NOTHING;
		out->age_s = said->age_s[word];
		out->evidence = -1;
		out->see =
			(int8_t)(bottleneck_words[word].see[0] != 0
					 ? preset_find(
						   bottleneck_words[word].see)
					 : -1);
		if (word == BOTTLENECK_UNKNOWN)
			bottleneck_see_what_tells(v->possible, out);
	}
	out->impact = 0;
	for (unsigned w = 0; w < BOTTLENECK_COUNT; w++)
		out->impact += said->lost[w];
	if (said->untold >= said->all && said->nuntold > 0)
		out->impact = NAN;
	out->stale = (said->stale[word] > 0 &&
		      said->stale[word] >= said->weight[word]) ||
		     (differ && isnan(out->impact));
	out->shared = differ ? 0 : said->lost[word];
}

/* ---- what stands out ---- */

static double
loud_mark(const struct bottlenecks *v)
{
	double all = 0;
	unsigned n = 0;

	for (unsigned c = 0; c < v->topology->ncpus; c++) {
		all += v->weight[c];
		n += v->weight[c] > 0;
	}
	return n > 0 ? all * 1e-9 * bottleneck_stands_out(n) : INFINITY;
}

static void
flag_rows(const struct bottlenecks *v, const struct frame *f, double mark)
{
	for (unsigned s = 0; s < f->nscopes; s++) {
		struct bottleneck *out = &v->bottleneck[s];
		struct bottleneck_past *past = &v->past[s];

		past->loud =
			bottleneck_is_cause(out->word) &&
			out->shared >= mark * (past->loud ? loud_until : 1);
		out->flagged = past->loud;
	}
	/* Those of a cluster that stands out share its sign. */
	for (unsigned c = 0; c < f->topology->ncpus; c++) {
		const struct bottleneck *of =
			&v->bottleneck[frame_scope_cluster(
				f, f->topology->cpu[c].cluster)];

		if (of->flagged && of->word == v->bottleneck[c].word)
			v->bottleneck[c].flagged = true;
	}
}

/* Stays with a row while that is about the worst. */
static void
name_worst(struct bottlenecks *v, const struct frame *f)
{
	if (v->named < v->nscopes)
		v->bottleneck[v->named].named = true;
	unsigned worst = bottleneck_worst(f);

	if (v->named < v->nscopes)
		v->bottleneck[v->named].named = false;
	if (worst < v->nscopes)
		v->bottleneck[worst].named = true;
	v->named = worst;
}

/* What kept it from being judged: what kept its cycles from being counted. */
static enum value_state
why_not_judged(const struct bottlenecks *v, const struct frame *f,
	       unsigned scope)
{
	enum value_state s = v->ipc >= 0
				     ? frame_state(f, scope, (unsigned)v->ipc)
				     : VALUE_NOT_COUNTED;

	return s == VALUE_OK || s == VALUE_FEW || s == VALUE_IDLE
		       ? VALUE_NOT_COUNTED
		       : s;
}

static double
in_use(const struct bottlenecks *v)
{
	double all = 0;

	for (unsigned c = 0; c < v->topology->ncpus; c++)
		all += v->weight[c];
	return all * 1e-9;
}

static void
write_lost(const struct bottlenecks *v, const struct frame *f, unsigned scope,
	   double *value, uint8_t *state)
{
	const struct bottleneck *one = &v->bottleneck[scope];
	enum value_state why = VALUE_OK;

	if (one->word == BOTTLENECK_IDLE)
		why = VALUE_IDLE;
	else if (one->word == BOTTLENECK_OFF)
		why = VALUE_OFF;
	else if (isnan(one->lost_pct))
		why = why_not_judged(v, f, scope);
	*value = why == VALUE_OK ? one->lost_pct : NAN;
	*state = (uint8_t)why;
	if (why == VALUE_OK && f->scope[scope].level != SCOPE_CORE &&
	    v->voices[scope - f->topology->ncpus].nuntold > 0)
		*state |= VALUE_PART;
}

void
bottlenecks_take(struct bottlenecks *v, const struct frame *f,
		 const uint64_t *counted, double *value, uint8_t *state)
{
	note_there(v, f, counted);
	for (unsigned c = 0; c < f->topology->ncpus; c++) {
		judge_cpu(v, f, c);
		weigh_cpu(v, f, c);
	}
	hear_all(v, f);
	for (unsigned s = f->topology->ncpus; s < f->nscopes; s++)
		judge_group(v, f, s);
	double mark = loud_mark(v);

	flag_rows(v, f, mark);
	slower_take(&v->slower, f, mark, v->bottleneck);
	name_worst(v, f);
	for (unsigned s = 0; s < f->nscopes; s++)
		v->bottleneck[s].lost_pct =
			100 * v->bottleneck[s].impact / in_use(v);
	for (unsigned s = 0; s < f->nscopes && v->lost >= 0; s++) {
		size_t at = (size_t)s * f->nmetrics + (unsigned)v->lost;

		write_lost(v, f, s, &value[at], &state[at]);
	}
}
