#include "model/bound_row.h"

#include <math.h>

static const uint32_t counter_bits = (1u << TERM_COUNTS) - 1;

_Static_assert(1u << TERM_SOURCES <= BOUND_ROW_AWAKE,
	       "bits that mean one thing");

static uint32_t
given(const struct sums *s)
{
	uint32_t have = s->have_all & s->have_any & (s->whole | ~counter_bits) &
			((1u << TERM_SOURCES) - 1);

	if (s->n == 0 || s->doubt != 0 ||
	    s->count[TERM_INSTRUCTIONS] < (uint64_t)BOUND_FEW_INSTRUCTIONS)
		return 0;
	if (s->n_idle != s->n_ok)
		have |= BOUND_ROW_AWAKE;
	return have;
}

void
bound_row_make(struct bound_row *r, const struct sums *s, uint32_t need)
{
	double n = s->mean_n > 0 ? s->mean_n : s->n;

	r->sums = s;
	r->gives = given(s);
	if (r->gives == 0)
		return;
	for (uint32_t left = need & r->gives & counter_bits; left != 0;
	     left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);

		r->value[i] = (double)s->count[i];
	}
	r->value[TERM_BUSY_NS] = s->busy_ns;
	r->value[TERM_WALL_NS] = s->cpu_ns / n;
	r->value[TERM_CPU_NS] = s->cpu_ns;
	r->value[TERM_EVENT_NS] = s->event_ns / n;
	r->value[TERM_NOTHING] = 0;
}

static inline double
sum(const struct bound_part *part, unsigned n, const double *value)
{
	double v = 0 + part->weight * value[part->source]; /* not -0 */

	while (--n > 0) {
		part++;
		v += part->weight * value[part->source];
	}
	return v;
}

/* v, with its state and marks. */
static inline double
marked(const struct bound_row *r, const struct bound *b,
       const struct members *who, double num, double den, double v,
       enum value_state *state, unsigned *marks)
{
	if (v > b->beyond) {
		*state = VALUE_DOUBTFUL;
		return NAN;
	}
	if (!(num < b->few_num || den < b->few_den))
		*state = VALUE_OK;
	if ((r->sums->cannot_any & b->need) != 0)
		*marks = VALUE_PART;
	else if (b->unlike && who->level == SCOPE_ALL)
		*marks = VALUE_UNLIKE;
	return v;
}

/* What bound_slow_value comes to where the row gives all that b wants. */
static inline double
short_way(const struct bound_row *r, const struct bound *b,
	  const struct members *who, enum value_state *state, unsigned *marks)
{
	double num = sum(b->num, b->nnum, r->value);
	double den = sum(b->den, b->nden, r->value);
	double v = b->metric->scale * num / den;

	*marks = 0;
	*state = VALUE_FEW;
	/* Below 0: a difference of counts that were not read at once. */
	if (!(den > 0) || !(v >= 0))
		return NAN;
	if (v > b->most)
		v = b->most;
	return marked(r, b, who, num, den, v, state, marks);
}

static inline bool
is_short(const struct bound_row *r, const struct bound *b)
{
	return (b->wants & ~r->gives) == 0;
}

double
bound_row_value(const struct bound_row *r, const struct bound *b,
		const struct members *who, enum value_state *state,
		unsigned *marks)
{
	return is_short(r, b) ? short_way(r, b, who, state, marks)
			      : bound_slow_value(b, r->sums, who, state, marks);
}

double
bound_value(const struct bound *b, const struct sums *s,
	    const struct members *who, enum value_state *state, unsigned *marks)
{
	struct bound_row r;

	bound_row_make(&r, s, b->need);
	return bound_row_value(&r, b, who, state, marks);
}

/* Nothing was counted. */
static void
put_absences(const struct sums *s, const struct bound *b, unsigned n,
	     const struct bound_cells *to)
{
	for (; n > 0; n--, b++)
		bound_cell_put(to, b->index, NAN, (uint8_t)bound_absence(b, s));
}

void
bound_row_values(const struct sums *s, const struct bound *b, unsigned n,
		 const struct members *who, uint32_t need,
		 const struct bound_cells *to)
{
	struct bound_row r;

	if (s->n == 0) {
		put_absences(s, b, n, to);
		return;
	}
	bound_row_make(&r, s, need);
	for (; n > 0; n--, b++) {
		enum value_state state;
		unsigned marks;
		double v = bound_row_value(&r, b, who, &state, &marks);

		bound_cell_put(to, b->index, v, (uint8_t)(state | marks));
	}
}
