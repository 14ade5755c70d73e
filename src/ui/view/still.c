#include "ui/view/still.h"

#include <stdlib.h>
#include <string.h>

void
still_free(struct still *s)
{
	free(s->span);
	free(s->value);
	free(s->state);
	free(s->verdict);
}

static bool
still_room(struct still *s, const struct frame *f)
{
	size_t values = (size_t)f->nscopes * f->nmetrics;

	if (f->nscopes <= s->nscopes && f->nmetrics <= s->nmetrics)
		return true;
	free(s->span);
	free(s->value);
	free(s->state);
	free(s->verdict);
	s->span = calloc(f->nscopes, sizeof *s->span);
	s->value = calloc(values, sizeof *s->value);
	s->state = calloc(values, sizeof *s->state);
	s->verdict = calloc(f->nscopes, sizeof *s->verdict);
	s->nscopes = f->nscopes;
	s->nmetrics = f->nmetrics;
	if (s->span != NULL && s->value != NULL && s->state != NULL &&
	    s->verdict != NULL)
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
	memcpy(s->span, f->span, f->nscopes * sizeof *s->span);
	memcpy(s->value, f->value, values * sizeof *s->value);
	memcpy(s->state, f->state, values);
	if (f->verdict != NULL)
		memcpy(s->verdict, f->verdict, f->nscopes * sizeof *s->verdict);
	s->f.set = &s->set;
	s->f.span = s->span;
	s->f.value = s->value;
	s->f.state = s->state;
	s->f.verdict = f->verdict != NULL ? s->verdict : NULL;
	s->f.processes = NULL; /* the monitor's past has them */
	return true;
}

bool
still_then(struct still *then, const struct frame *now, const struct monitor *m,
	   unsigned back)
{
	struct history_rows rows;

	if (!still_room(then, now))
		return false;
	rows = (struct history_rows){ then->span, then->value, then->state,
				      then->verdict };
	then->f = *now;
	return history_then(monitor_past(m), back, &then->f, &rows);
}
