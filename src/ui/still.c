#include "ui/still.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void
still_free(struct still *s)
{
	free(s->tally);
	free(s->value);
	free(s->state);
}

static bool
still_room(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (f->nscopes <= s->nscopes && f->nmetrics <= s->nmetrics)
		return true;
	free(s->tally);
	free(s->value);
	free(s->state);
	s->tally = calloc(f->nscopes, sizeof *s->tally);
	s->value = calloc(values, sizeof *s->value);
	s->state = calloc(values, sizeof *s->state);
	s->nscopes = f->nscopes;
	s->nmetrics = f->nmetrics;
	if (s->tally != NULL && s->value != NULL && s->state != NULL)
		return true;
	s->nscopes = s->nmetrics = 0;
	return false;
}

bool
still_take(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (!still_room(s, f))
		return false;
	s->f = *f;
	s->set = *f->set;
	memcpy(s->tally, f->tally, f->nscopes * sizeof *s->tally);
	memcpy(s->value, f->value, values * sizeof *s->value);
	memcpy(s->state, f->state, values);
	s->f.set = &s->set;
	s->f.tally = s->tally;
	s->f.value = s->value;
	s->f.state = s->state;
	return true;
}

/* A column's values `back` frames before the newest, as far as they are kept.
 */
static void
then_metric(struct still *then, const struct view *v, const struct monitor *m,
	    unsigned metric)
{
	struct frame *f = &then->f;
	unsigned want = v->back + 1;

	if (metric >= f->nmetrics || want > VIEW_SPARK_MAX)
		return;
	for (unsigned i = 0; i < f->nscopes; i++) {
		unsigned n = monitor_history(m, i, metric, want, v->scratch);
		double value = n == want ? (double)v->scratch[0] : NAN;

		then->value[i * f->nmetrics + metric] = value;
		then->state[i * f->nmetrics + metric] =
			isnan(value) ? VALUE_NOT_COUNTED : VALUE_OK;
	}
}

bool
still_then(struct still *then, const struct still *now, const struct view *v,
	   const struct monitor *m)
{
	struct frame *f = &then->f;
	float *times = v->scratch;

	if (!still_take(then, &now->f))
		return false;
	for (unsigned i = 0; i < f->nscopes * f->nmetrics; i++) {
		then->value[i] = NAN;
		then->state[i] = VALUE_NOT_COUNTED;
	}
	for (unsigned i = 0; i < f->nscopes; i++) {
		then->tally[i].quality = 0;
		then->tally[i].busy_pct = NAN;
	}
	then_metric(then, v, m, (unsigned)v->ipc);
	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric != COLUMN_BUSY)
			then_metric(then, v, m, (unsigned)v->column[i].metric);
	for (unsigned i = 0; i < 4; i++)
		if (v->topdown[i] >= 0)
			then_metric(then, v, m, (unsigned)v->topdown[i]);
	if (v->back < VIEW_SPARK_MAX &&
	    monitor_history_times(m, v->back + 1, times) == v->back + 1) {
		double ago = now->f.elapsed_s - (double)times[0];

		f->stamp.wall_ns -= (int64_t)(ago * 1e9);
		f->elapsed_s -= ago;
	}
	f->quality = 0;
	return true;
}
