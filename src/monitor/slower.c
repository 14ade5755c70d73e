#include "monitor/slower.h"

#include <stdlib.h>
#include <string.h>

#include "model/verdict_rank.h"

/*
 * The past is kept as sums over spans; "1 minute ago" is the span around it,
 * or the oldest later one in which the row was at work.
 */
enum {
	SPAN_S = 5,
	BACK_MOST = 12,
	BACK_LEAST = 3,
	SPANS = BACK_MOST + 1,
	HOLD = 3 /* frames until it is believed */
};

/* Below that part of the IPC before it is slow, until it is above the next. */
static const double slow_below = 0.5, slow_until = 0.7;

/* Then it had at least that part of the cycles a second it has now. */
static const double at_work = 0.25;

/* What stands out ends below a part of the mark, as an alarm does. */
static const double loud_until = 0.7;

struct slower_row {
	float cycles[SPANS], instructions[SPANS]; /* [span % SPANS] */
	uint8_t times; /* frames that say otherwise than `slow` */
	bool slow, shown;
};

bool
slower_init(struct slower *s, unsigned nrows, struct err *e)
{
	*s = (struct slower){ .nrows = nrows };
	s->row = calloc(nrows, sizeof *s->row);
	return s->row != NULL ||
	       err_set(e, ERR_FAIL, "out of memory for the last minute");
}

void
slower_done(struct slower *s)
{
	free(s->row);
}

void
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
	  const struct verdict *verdict)
{
	unsigned n = 0;

	for (unsigned c = 0; c < f->topology->ncpus; c++)
		n += f->topology->cpu[c].cluster == cluster &&
		     verdict[c].before_s > 0;
	return n;
}

static void
take_row(struct slower *s, const struct frame *f, unsigned scope, double mark,
	 struct verdict *verdict)
{
	struct slower_row *r = &s->row[scope];
	const struct span *t = &f->span[scope];
	struct verdict *out = &verdict[scope];
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
	if (!r->slow || before <= 0 || out->word != VERDICT_UNKNOWN)
		return;
	out->ipc_before = (float)before;
	out->before_s =
		(float)(f->elapsed_s - ((double)span + 0.5) * (double)SPAN_S);
	bool alone = f->scope[scope].level == SCOPE_CLUSTER &&
		     slow_cpus(f, f->scope[scope].index, verdict) < 2;

	r->shown = !alone && verdict_slower_by(f, scope, out) >=
				     mark * (was ? loud_until : 1);
	if (!r->shown)
		out->before_s = 0;
}

void
slower_take(struct slower *s, const struct frame *f, double mark,
	    struct verdict *verdict)
{
	int64_t span = (int64_t)(f->elapsed_s / (double)SPAN_S);

	if (span != s->span)
		move_on(s, span);
	for (unsigned r = 0; r < s->nrows; r++)
		take_row(s, f, r, mark, verdict);
}
