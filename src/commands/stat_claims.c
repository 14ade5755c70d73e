/* Decides which differences are reported, with Holm's correction (1979) over
 * the lines of the report: at most 5 % of reports contain a false difference.
 * Values that only CSV and JSON rows contain are corrected separately. */
#include "commands/stat.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL 0.05
#define BAND 0.01 /* same as in stat_compare */

/* p: probability of such data if the true difference is within BAND. */
struct line {
	uint8_t *outcome;
	double p;
};

struct lines {
	unsigned n;
	struct line line[2 * STAT_COMMANDS * VALUES_AND_RATIOS];
};

static void
pairs_compare(const struct stat_job *j, unsigned c, unsigned value, bool mean,
	      struct stat_change *out)
{
	struct stat_change pair[STAT_COMMANDS];
	unsigned n = 0;

	for (unsigned i = c; i < j->n && (mean || n == 0); i += j->group)
		value_compare(&j->command[j->command[i].base].values,
			      &j->command[i].values, value, j->by_turns,
			      &pair[n++]);
	if (mean)
		stat_mean_change(pair, n, out);
	else
		*out = pair[0];
}

bool
stat_change_alone(const struct stat_change *d)
{
	return d->low > 1 + BAND || d->high < 1 - BAND;
}

static double
chance_of(const struct stat_change *d)
{
	double edge = d->ratio > 1 ? log(1 + BAND) : -log(1 - BAND);
	double beyond = fabs(log(d->ratio)) - edge;

	if (!stat_change_alone(d))
		return 1;
	return d->se > 0 ? student_tails(beyond / d->se, d->df) : 0;
}

bool
stat_compared(const struct stat_job *j, unsigned i, unsigned *value)
{
	static const unsigned shown[] = { VALUE_ELAPSED, VALUE_CPU,
					  VALUE_CYCLES,  VALUE_INSTRUCTIONS,
					  VALUE_ENERGY,  VALUE_RSS };
	unsigned n = sizeof shown / sizeof *shown;

	*value = i < n ? shown[i] : VALUE_EVENT + i - n;
	return i < n + j->counter->nevents;
}

static bool
is_compared(const struct stat_job *j, unsigned value)
{
	unsigned v;

	for (unsigned i = 0; stat_compared(j, i, &v); i++)
		if (v == value)
			return true;
	return false;
}

static void
add_line(struct stat_job *j, struct lines *l, unsigned c, unsigned value,
	 bool mean)
{
	uint8_t *outcome = &j->outcome[mean][c][value];
	struct stat_change d;

	pairs_compare(j, c, value, mean, &d);
	*outcome = (uint8_t)d.outcome;
	if (d.outcome != STAT_UNKNOWN && d.outcome != STAT_FEW)
		l->line[l->n++] = (struct line){ outcome, chance_of(&d) };
}

static int
by_chance(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return (x->p > y->p) - (x->p < y->p);
}

/* Compares the smallest p with 5 % / n, the next with 5 % / (n - 1), ... */
static void
correct(struct lines *l)
{
	unsigned i = 0;

	qsort(l->line, l->n, sizeof *l->line, by_chance);
	while (i < l->n && l->line[i].p * (l->n - i) <= LEVEL)
		i++;
	for (; i < l->n; i++)
		if (*l->line[i].outcome == STAT_MORE ||
		    *l->line[i].outcome == STAT_LESS)
			*l->line[i].outcome = STAT_UNCLEAR;
}

void
stat_claims(struct stat_job *j)
{
	static const bool families[] = { true, false };
	struct lines *l = malloc(sizeof *l);

	for (unsigned f = 0; l != NULL && f < 2; f++) {
		l->n = 0;
		for (unsigned v = 0; v < VALUES_AND_RATIOS; v++) {
			if (is_compared(j, v) != families[f])
				continue;
			for (unsigned c = 0; c < j->n; c++)
				if (stat_base(j, &j->command[c]) != NULL)
					add_line(j, l, c, v, false);
			for (unsigned c = 1; j->n > j->group && c < j->group;
			     c++)
				add_line(j, l, c, v, true);
		}
		if (families[f])
			j->nlines = l->n;
		correct(l);
	}
	free(l);
}

void
stat_job_compare(const struct stat_job *j, unsigned c, unsigned value,
		 bool mean, struct stat_change *out)
{
	pairs_compare(j, c, value, mean, out);
	/* A difference that the correction has not confirmed is unclear. */
	if (out->outcome == STAT_MORE || out->outcome == STAT_LESS)
		out->outcome = j->outcome[mean][c][value] == out->outcome
				       ? out->outcome
				       : STAT_UNCLEAR;
}
