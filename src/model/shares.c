#include "model/shares.h"

#include <math.h>

/* clang-format off */
#define OURS "chosen; shared by all event sets"
const struct share_constant_row share_constants[CONSTANT_COUNT] = {
	[CONSTANT_UOPS] = { "uops", 0.95, 1.04, 1.12, "micro-operations per instruction", "assumed: fused pairs save, loads of pairs and write-back add", "" },
	[CONSTANT_MISS] = { "mispredict-p", 8, 14, 25, "cycles", "assumed: published measurements of M1's P core are 13 to 14", "" },
	[CONSTANT_MISS_SMALL] = { "mispredict-e", 6, 10, 20, "cycles", "assumed: less than on a P core", "" },
	[CONSTANT_REWIND] = { "rewind", 1, 1.9, 3, "x the cycles that rewind", "assumed: micro-operations discarded come on top", "" },
	[CONSTANT_ARM_DISCARDED] = { "arm-discarded", 1, 1.9, 2.2, "x the slots discarded", "assumed: rewinding itself is not among them", "" },
	[CONSTANT_ARM_DELIVERY] = { "arm-delivery", 0, 0.9, 1.2, "x the slots discarded", "assumed: rewinding counts as the front end's", "" },
	[CONSTANT_RECOVERY_FRONT] = { "recovery-front", 0, 1, 4, "cycles", "Arm's formulas: 1 of N2 and V2, 4 of V1 (pmu-events); of others 0", "" },
	[CONSTANT_RECOVERY_BACK] = { "recovery-back", 0, 2, 3, "cycles", "Arm's formulas: 3 of N2 and V2 (pmu-events); of others 0", "" },
	[CONSTANT_WIDTH] = { "width-p", 8, 10, 12, "slots a cycle", "assumed where unknown: M1 has 8, M4 has 10", "" },
	[CONSTANT_WIDTH_SMALL] = { "width-e", 4, 5, 6, "slots a cycle", "assumed where unknown: M1 has 4, M4 has 5", "" },
	[CONSTANT_NONE] = { "none", 0, 0.50, 0, "of slots retiring", OURS, "" },
	[CONSTANT_BAD_SPEC] = { "bad-spec", 0, 0.20, 0, "of slots", "twice what Apple calls noteworthy (bottleneck.json, M1)", "" },
	[CONSTANT_FRONTEND] = { "frontend", 0, 0.35, 0, "of slots", OURS, "" },
	[CONSTANT_BACKEND] = { "backend", 0, 0.35, 0, "of slots", OURS, "" },
	[CONSTANT_LEAD] = { "lead", 0, 0.10, 0, "of slots", OURS, "" },
	[CONSTANT_L1D_LOAD] = { "l1d-load", 0, 15, 0, "MPKI", OURS, "" },
	[CONSTANT_L1D_FILL] = { "l1d-fill", 0, 20, 0, "MPKI", OURS, "" },
	[CONSTANT_L1I] = { "l1i", 0, 10, 0, "MPKI", OURS, "" },
	[CONSTANT_BEYOND] = { "beyond", 0, 2, 0, "MPKI", OURS, "" },
	[CONSTANT_LOAD_WAIT] = { "load-wait", 0, 0.5, 0, "of the back end's share", OURS, "" },
	[CONSTANT_IDLE] = { "idle", 0, 5, 0, "% busy", OURS, "" },
	[CONSTANT_KERNEL] = { "kernel", 0, 50, 0, "% of cycles in user mode", OURS, "" },
	[CONSTANT_FLAG] = { "flag", 0, 0.05, 0, "of the machine's slots in use", OURS, "" },
	[CONSTANT_FLAG_CORE] = { "flag-core", 0, 0.5, 0, "of a core's slots, busy over half of the time", OURS, "" },
};
/* clang-format on */

static double
constant_value(enum share_constant c)
{
	return share_constants[c].middle;
}

/* As fmin and fmax, but inlined. If a is NAN, the result is b. */
static double
min_of(double a, double b)
{
	return a < b ? a : b;
}

static double
max_of(double a, double b)
{
	return a > b ? a : b;
}

struct share_bound {
	double low, middle, high;
};

static const struct share_bound anything = { 0, NAN, 1 };

static struct share_bound
bound_exactly(double v)
{
	v = min_of(max_of(v, 0), 1);
	return (struct share_bound){ v, v, v };
}

static struct share_bound
bound_times(double v, enum share_constant c)
{
	const struct share_constant_row *k = &share_constants[c];

	return (struct share_bound){ min_of(v * k->low, 1),
				     min_of(v * k->middle, 1),
				     min_of(v * k->high, 1) };
}

/* Intersects two intervals. b is less exact: its middle is used only if a has
 * none. */
static struct share_bound
bound_both(struct share_bound a, struct share_bound b)
{
	struct share_bound o = { max_of(a.low, b.low),
				 isnan(a.middle) ? b.middle : a.middle,
				 min_of(a.high, b.high) };

	if (o.low > o.high) { /* without intersection: the gap */
		o.low = min_of(a.high, b.high);
		o.high = max_of(a.low, b.low);
	}
	return o;
}

static double
known_measure(const struct share_counts *c, enum bottleneck_measure first,
	      enum bottleneck_measure other)
{
	return (double)(isnan(c->m[first]) ? c->m[other] : c->m[first]);
}

static double
counts_ipc(const struct share_counts *c)
{
	return (double)(c->all_modes ? c->m[MEASURE_IPC]
				     : c->m[MEASURE_USER_IPC]);
}

static struct share_bound
counts_width(const struct share_counts *c)
{
	if (c->width > 0)
		return (struct share_bound){ c->width, c->width, c->width };
	if (c->whole_stalls)
		return (struct share_bound){ NAN, NAN, NAN };

	const struct share_constant_row *k =
		&share_constants[c->small ? CONSTANT_WIDTH_SMALL
					  : CONSTANT_WIDTH];

	return (struct share_bound){ k->low, k->middle, k->high };
}

static struct share_bound
bound_of_slots(struct share_bound per_cycle, struct share_bound width)
{
	if (isnan(per_cycle.low) || isnan(width.low))
		return anything;
	return (struct share_bound){ min_of(per_cycle.low / width.high, 1),
				     min_of(per_cycle.middle / width.middle, 1),
				     min_of(per_cycle.high / width.low, 1) };
}

static struct share_bound
retiring(const struct share_counts *c, struct share_bound width)
{
	double uops = (double)c->m[MEASURE_UOPS], ipc = counts_ipc(c);
	const struct share_constant_row *k = &share_constants[CONSTANT_UOPS];

	if (!isnan(c->m[MEASURE_USEFUL]))
		return bound_exactly((double)c->m[MEASURE_USEFUL] / 100);
	if (!isnan(uops))
		return bound_of_slots((struct share_bound){ uops, uops, uops },
				      width);
	return bound_of_slots((struct share_bound){ ipc * k->low,
						    ipc * k->middle,
						    ipc * k->high },
			      width);
}

static double
mispredictions_per_cycle(const struct share_counts *c)
{
	return known_measure(c, MEASURE_BRANCH, MEASURE_BRANCH_ANY) / 1000 *
	       counts_ipc(c);
}

/* Slots that an end of the pipeline left empty. On Arm some of them are
 * recovery, which is bad speculation. */
static struct share_bound
empty_slots(double slots, const struct share_counts *c,
	    struct share_bound width, enum share_constant recovery)
{
	struct share_bound b = bound_of_slots(
		(struct share_bound){ slots, slots, slots }, width);
	double missed = mispredictions_per_cycle(c);
	struct share_bound r = bound_times(missed, recovery);

	if (!c->whole_stalls)
		return b;
	if (isnan(missed))
		return (struct share_bound){ 0, b.middle, b.high };
	return (struct share_bound){ max_of(b.low - r.high, 0),
				     max_of(b.middle - r.middle, 0),
				     b.high - r.low };
}

static struct share_bound
bad_spec(const struct share_counts *c)
{
	double rewind =
		known_measure(c, MEASURE_RECOVERY, MEASURE_REWIND) / 100;
	double missed = mispredictions_per_cycle(c);
	double share = (double)c->m[MEASURE_DISCARDED] / 100;
	struct share_bound b = anything;

	if (!isnan(share))
		return c->arm_slots ? bound_times(share, CONSTANT_ARM_DISCARDED)
				    : bound_exactly(share);
	if (!isnan(rewind))
		b = bound_both(bound_times(rewind, CONSTANT_REWIND), b);
	if (!isnan(missed))
		b = bound_both(
			b, bound_times(missed, c->small ? CONSTANT_MISS_SMALL
							: CONSTANT_MISS));
	return b;
}

static struct share_bound
frontend(const struct share_counts *c, struct share_bound width)
{
	double share = (double)c->m[MEASURE_DELIVERY] / 100;
	double slots = (double)c->m[MEASURE_EMPTY_SLOTS];
	double cycles = (double)c->m[MEASURE_STARVE] / 100;
	struct share_bound b = anything;

	if (!isnan(share) && c->arm_slots) {
		struct share_bound moved =
			bound_times((double)c->m[MEASURE_DISCARDED] / 100,
				    CONSTANT_ARM_DELIVERY);

		return (struct share_bound){ max_of(share - moved.high, 0),
					     max_of(share - moved.middle, 0),
					     share };
	}
	if (!isnan(share))
		return bound_exactly(share);
	if (!isnan(slots))
		b = empty_slots(slots, c, width, CONSTANT_RECOVERY_FRONT);
	return isnan(cycles)
		       ? b
		       : bound_both(b, (struct share_bound){ cycles, NAN, 1 });
}

static struct share_bound
backend(const struct share_counts *c, struct share_bound width)
{
	double stall =
		known_measure(c, MEASURE_PROCESSING, MEASURE_STALL) / 100;
	double slots = (double)c->m[MEASURE_BLOCKED_SLOTS];

	if (!isnan(slots) && isnan(c->m[MEASURE_PROCESSING]))
		return empty_slots(slots, c, width, CONSTANT_RECOVERY_BACK);
	if (isnan(stall))
		return anything;
	if (c->whole_stalls && isnan(c->m[MEASURE_PROCESSING]))
		return (struct share_bound){ min_of(stall, 1), NAN, 1 };
	return bound_exactly(stall);
}

static void
tighten(struct share_bound b[SHARE_COUNT], bool open)
{
	double lows = 0, highs = 0;

	for (int i = 0; i < SHARE_COUNT; i++) {
		lows += b[i].low;
		highs += b[i].high;
	}
	for (int i = 0; i < 3 * SHARE_COUNT; i++) {
		struct share_bound *a = &b[i % SHARE_COUNT], was = *a;
		double low = 1 - (highs - was.high);
		double high = 1 - (lows - was.low);

		a->low = open || was.low > low ? was.low : low;
		a->high = was.high < high ? was.high : high;
		lows += a->low - was.low;
		highs += a->high - was.high;
	}
}

/* True if no shares in these intervals add up to 1 (open: to at most 1). */
static bool
is_empty(const struct share_bound b[SHARE_COUNT], bool open)
{
	static const double off = 0.01;
	double low = 0, high = 0;

	for (int i = 0; i < SHARE_COUNT; i++) {
		low += b[i].low;
		high += b[i].high;
	}
	return low > 1 + off || (!open && high < 1 - off);
}

/* Sets unknown middles to the remainder, which front and back end split in the
 * ratio of their lower limits. If the other three are known, bad speculation is
 * the remainder, not the typical cost of its mispredictions. */
static void
fill_middles(struct share_bound b[SHARE_COUNT])
{
	double rest = 1, whole = 0;
	unsigned open = 0;

	if (!isnan(b[SHARE_RETIRING].middle + b[SHARE_FRONTEND].middle +
		   b[SHARE_BACKEND].middle))
		b[SHARE_BAD_SPEC].middle = NAN;
	for (int i = 0; i < SHARE_COUNT; i++) {
		open += isnan(b[i].middle) ? 1 : 0;
		rest -= isnan(b[i].middle) ? 0 : b[i].middle;
		whole += isnan(b[i].middle) ? b[i].low : 0;
	}
	bool ends = open == 2 && isnan(b[SHARE_FRONTEND].middle) &&
		    isnan(b[SHARE_BACKEND].middle) && whole > 0;

	for (int i = 0; i < SHARE_COUNT; i++)
		if (isnan(b[i].middle) && (open == 1 || ends))
			b[i].middle =
				open == 1 ? rest : rest * b[i].low / whole;
}

static void
put_shares(const struct share_bound b[SHARE_COUNT], struct shares *out)
{
	for (int i = 0; i < SHARE_COUNT; i++)
		out->of[i] = (struct share_range){
			(float)min_of(b[i].low, b[i].high),
			isnan(b[i].middle)
				? NAN
				: (float)min_of(max_of(b[i].middle, b[i].low),
						b[i].high),
			(float)max_of(b[i].low, b[i].high),
		};
}

bool
shares_of(const struct share_counts *c, struct shares *out)
{
	struct share_bound width = counts_width(c);
	struct share_bound b[SHARE_COUNT] = { retiring(c, width), bad_spec(c),
					      frontend(c, width),
					      backend(c, width) };
	bool formula = !isnan(c->m[MEASURE_USEFUL]) && !c->arm_slots;

	if (!formula) { /* the vendor's formula may leave a remainder */
		if (is_empty(b, c->shares_core))
			b[SHARE_RETIRING] = b[SHARE_BAD_SPEC] =
				b[SHARE_FRONTEND] = anything;
		tighten(b, c->shares_core);
		if (!c->shares_core)
			fill_middles(b);
	}
	put_shares(b, out);
	out->open = c->shares_core;
	/* Is the back end counted, or can it be derived from the others
	 * (Skylake)? */
	return !isnan(known_measure(c, MEASURE_PROCESSING, MEASURE_STALL)) ||
	       !isnan(c->m[MEASURE_BLOCKED_SLOTS]) ||
	       !isnan((double)c->m[MEASURE_EMPTY_SLOTS] +
		      mispredictions_per_cycle(c));
}

void
shares_add(struct shares *sum, const struct shares *s, double slots)
{
	sum->open = sum->open || s->open;
	for (int i = 0; i < SHARE_COUNT; i++) {
		sum->of[i].low += s->of[i].low * (float)slots;
		sum->of[i].middle += s->of[i].middle * (float)slots;
		sum->of[i].high += s->of[i].high * (float)slots;
	}
}

void
shares_divide(struct shares *sum, double slots)
{
	for (int i = 0; i < SHARE_COUNT; i++) {
		sum->of[i].low /= (float)slots;
		sum->of[i].middle /= (float)slots;
		sum->of[i].high /= (float)slots;
	}
}

/* ---- bottleneck ---- */

static const double hair = 1e-6;

static const struct {
	enum bottleneck_word word;
	enum share_constant mark;
} cause_table[SHARE_COUNT] = {
	[SHARE_BAD_SPEC] = { BOTTLENECK_BAD_SPEC, CONSTANT_BAD_SPEC },
	[SHARE_FRONTEND] = { BOTTLENECK_FRONTEND, CONSTANT_FRONTEND },
	[SHARE_BACKEND] = { BOTTLENECK_BACKEND, CONSTANT_BACKEND },
};

enum slot_share
share_of_word(enum bottleneck_word word)
{
	if (word == BOTTLENECK_MEMORY)
		return SHARE_BACKEND;
	for (int i = SHARE_BAD_SPEC; i < SHARE_COUNT; i++)
		if (cause_table[i].word == word)
			return (enum slot_share)i;
	return SHARE_COUNT;
}

static double
low(const struct shares *s, int i)
{
	return (double)s->of[i].low;
}

static double
high(const struct shares *s, int i)
{
	return (double)s->of[i].high;
}

static double
cause_mark(int i)
{
	return constant_value(cause_table[i].mark);
}

/* The smallest lead of share i over share j, if the shares add up to 1. */
static double
least_lead(const struct shares *s, int i, int j)
{
	double others_low = 0, others_high = 0;

	for (int k = 0; k < SHARE_COUNT; k++)
		if (k != i && k != j) {
			others_low += low(s, k);
			others_high += high(s, k);
		}
	double a = low(s, i), b = high(s, j), rest = 1 - a - b;

	if (rest < others_low)
		b = max_of(b - (others_low - rest), low(s, j));
	else if (rest > others_high && !s->open)
		a = min_of(a + rest - others_high, high(s, i));
	return a - b;
}

static bool
is_always_cause(const struct shares *s, int i)
{
	bool always = high(s, SHARE_RETIRING) < constant_value(CONSTANT_NONE) &&
		      low(s, i) >= cause_mark(i);

	for (int j = SHARE_BAD_SPEC; always && j < SHARE_COUNT; j++)
		always = j == i || least_lead(s, i, j) >=
					   constant_value(CONSTANT_LEAD) - hair;
	return always;
}

/* Tests the highest value of share i: if any value meets the rule, this one
 * does. */
static bool
may_be_cause(const struct shares *s, int i)
{
	double top = high(s, i), others = top - constant_value(CONSTANT_LEAD);
	double sum = top + min_of(high(s, SHARE_RETIRING),
				  constant_value(CONSTANT_NONE));

	if (top < cause_mark(i) ||
	    low(s, SHARE_RETIRING) >= constant_value(CONSTANT_NONE))
		return false;
	for (int j = SHARE_BAD_SPEC; j < SHARE_COUNT; j++) {
		if (j == i)
			continue;
		if (low(s, j) > others)
			return false;
		sum += min_of(high(s, j), others);
	}
	return sum >= 1 - hair || s->open;
}

static bool
is_always_none(const struct shares *s)
{
	bool below = true;

	for (int i = SHARE_BAD_SPEC; i < SHARE_COUNT; i++)
		below = below && high(s, i) < cause_mark(i);
	return below || low(s, SHARE_RETIRING) >= constant_value(CONSTANT_NONE);
}

static bool
may_be_none(const struct shares *s)
{
	double sum = high(s, SHARE_RETIRING);

	if (sum >= constant_value(CONSTANT_NONE))
		return true;
	for (int i = SHARE_BAD_SPEC; i < SHARE_COUNT; i++) {
		if (low(s, i) >= cause_mark(i))
			return false;
		sum += min_of(high(s, i), cause_mark(i));
	}
	return sum > 1 || s->open;
}

bool
shares_admit(const struct shares *s, enum bottleneck_word word)
{
	int i = (int)share_of_word(word);

	if (i != SHARE_COUNT)
		return may_be_cause(s, i);
	if (word == BOTTLENECK_NONE)
		return may_be_none(s);
	enum bottleneck_word sure = shares_word(s);

	return sure == word || sure == BOTTLENECK_UNKNOWN;
}

enum bottleneck_word
shares_word(const struct shares *s)
{
	bool other = may_be_none(s);

	if (is_always_none(s))
		return BOTTLENECK_NONE;
	for (int i = SHARE_BAD_SPEC; i < SHARE_COUNT; i++) {
		if (is_always_cause(s, i))
			return cause_table[i].word;
		other = other || may_be_cause(s, i);
	}
	return other ? BOTTLENECK_UNKNOWN : BOTTLENECK_MIXED;
}

enum bottleneck_word
shares_estimate(const struct shares *s)
{
	struct shares at = *s;

	for (int i = 0; i < SHARE_COUNT; i++) {
		if (isnan(s->of[i].middle))
			return BOTTLENECK_UNKNOWN;
		at.of[i].low = at.of[i].high = s->of[i].middle;
	}
	return shares_word(&at);
}

static bool
reaches(const struct share_counts *c, enum bottleneck_measure m,
	enum share_constant at)
{
	return (double)c->m[m] >= constant_value(at);
}

static int
memory_evidence(const struct share_counts *c, const struct shares *s)
{
	if (reaches(c, MEASURE_L1D_LOAD, CONSTANT_L1D_LOAD))
		return MEASURE_L1D_LOAD;
	if (reaches(c, MEASURE_L1D_FILL, CONSTANT_L1D_FILL))
		return MEASURE_L1D_FILL;
	for (int m = MEASURE_LLC; m <= MEASURE_MEMSYS; m++)
		if (reaches(c, (enum bottleneck_measure)m, CONSTANT_BEYOND))
			return m;
	if ((double)c->m[MEASURE_LOAD_WAIT] >=
	    100 * constant_value(CONSTANT_LOAD_WAIT) *
		    (double)s->of[SHARE_BACKEND].middle)
		return MEASURE_LOAD_WAIT;
	return -1;
}

int
share_evidence(const struct share_counts *c, const struct shares *s,
	       enum bottleneck_word word)
{
	int m = -1;

	switch (share_of_word(word)) {
	case SHARE_BACKEND:
		return memory_evidence(c, s);
	case SHARE_BAD_SPEC:
		m = isnan(c->m[MEASURE_BRANCH]) ? MEASURE_BRANCH_ANY
						: MEASURE_BRANCH;
		break;
	case SHARE_FRONTEND:
		m = reaches(c, MEASURE_L1I, CONSTANT_L1I) ? MEASURE_L1I
							  : MEASURE_STARVE;
		break;
	case SHARE_RETIRING:
	case SHARE_COUNT:
		break;
	}
	return m < 0 || isnan(c->m[m]) ? -1 : m;
}
