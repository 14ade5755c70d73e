#include "stat/value.h"

#include <math.h>
#include <stdlib.h>

/* Of one part of less than this share of all cycles no ratio is made. */
#define PART_LEAST 0.01
#define PART_CYCLES 1e6
/*
 * The system's account of a child has the begin of its exec as well, and the
 * end of its exit: where that is more than this of the command's, it is no
 * account of the command.
 */
#define TIMES_MOST 1.05

const char value_times_why[] =
	"user and system, which the system counts from before the exec, come to more than the CPU time";

#define TEXTS(constant, name, label, unit) { name, label, unit },
const struct value_texts value_texts[VALUE_COUNT] = { VALUE_TABLE(TEXTS) };
#undef TEXTS
#define TEXTS(constant, name, label, unit, above, below, factor) \
	{ { name, label, unit }, above, below, factor },
const struct ratio_texts ratio_table[RATIOS] = { RATIO_TABLE(TEXTS) };
#undef TEXTS

bool
value_set_init(struct value_set *s, unsigned room)
{
	*s = (struct value_set){ .room = room };
	s->v = calloc((size_t)VALUES * room, sizeof *s->v);
	s->work = calloc((size_t)2 * room, sizeof *s->work);
	return s->v != NULL && s->work != NULL;
}

void
value_set_free(struct value_set *s)
{
	free(s->v);
	free(s->work);
	*s = (struct value_set){ .n = 0 };
}

static void
put(struct value_set *s, unsigned value, bool known, double v)
{
	s->v[(size_t)value * s->room + s->n] = known ? v : (double)NAN;
}

/* Of a simulation its own, not those of the machine that it runs on. */
static bool
has_own_times(const struct counter *c, const struct stat_run *run)
{
	return !run->has_use || (c->simulated && run->counted &&
				 (run->end.known & PROCESS_HAS_TIMES) != 0);
}

static void
add_counts(struct value_set *s, const struct counter *c,
	   const struct counter_reading *r, bool events)
{
	bool counts = (r->known & PROCESS_HAS_COUNTS) != 0;

	put(s, VALUE_CYCLES, counts, (double)r->total.cycles);
	put(s, VALUE_INSTRUCTIONS, counts, (double)r->total.instructions);
	put(s, VALUE_ENERGY, (r->known & PROCESS_HAS_ENERGY) != 0,
	    1e-9 * (double)r->total.energy_nj);
	for (unsigned p = 0; p < PROCESS_PARTS; p++) {
		const struct process_part *part = &r->total.part[p];
		bool is = p < c->parts.n;
		bool has = is && (r->known & PROCESS_HAS_PARTS) != 0;

		put(s, value_of_part(VALUE_CPU, p),
		    is && (r->known & PROCESS_HAS_PART_TIMES) != 0,
		    1e-9 * (double)part->cpu_ns);
		put(s, value_of_part(VALUE_CYCLES, p), has,
		    (double)part->cycles);
		put(s, value_of_part(VALUE_INSTRUCTIONS, p), has,
		    (double)part->instructions);
		put(s, value_of_part(VALUE_ENERGY, p),
		    is && (r->known & PROCESS_HAS_PART_ENERGY) != 0,
		    1e-9 * (double)part->energy_nj);
	}
	for (unsigned i = 0; i < COUNTER_EVENTS; i++)
		put(s, VALUE_EVENT + i, events && i < c->nevents, r->event[i]);
}

void
value_set_add(struct value_set *s, const struct counter *c,
	      const struct stat_run *run)
{
	static const struct counter_reading none = { .cpu_s = 0 };
	bool use = run->has_use, own = has_own_times(c, run);
	bool times = !own || (run->end.known & PROCESS_HAS_TIMES) != 0;
	const struct process_totals *t = &run->end.total;

	add_counts(s, c, run->counted ? &run->end : &none, run->counted);
	put(s, VALUE_ELAPSED, true, run->elapsed_s);
	/* The clock of a task and of all it starts begins with its exec. */
	bool clock = own || (c->tree && run->counted && run->end.cpu_s >= 0);

	double used_s = run->user_s + run->system_s;

	if (clock && !own && used_s > TIMES_MOST * run->end.cpu_s) {
		s->times_exceed = true;
		times = false;
	}
	put(s, VALUE_CPU, true, clock ? run->end.cpu_s : used_s);
	put(s, VALUE_COUNTED, run->counted, run->end.cpu_s);
	put(s, VALUE_USER, times,
	    own ? 1e-9 * (double)t->user_ns : run->user_s);
	put(s, VALUE_SYSTEM, times,
	    own ? 1e-9 * (double)t->system_ns : run->system_s);
	put(s, VALUE_FAULTS, use, (double)run->faults);
	put(s, VALUE_MAJOR, use, (double)run->major_faults);
	put(s, VALUE_SWITCHES, use, (double)run->switches);
	put(s, VALUE_PREEMPTED, use, (double)run->preempted);
	put(s, VALUE_RSS, use && run->max_rss_bytes > 0,
	    (double)run->max_rss_bytes);
	s->n++;
}

void
value_describe(const struct value_set *s, unsigned value,
	       struct stat_series *out)
{
	stat_describe(value_runs(s, value), s->n, s->work, out);
}

static double
sum(const double *v, unsigned n)
{
	double all = 0;

	for (unsigned i = 0; i < n; i++)
		all += v[i];
	return all;
}

void
value_describe_ratio(const struct value_set *s, unsigned ratio, int part,
		     struct stat_series *out)
{
	const struct ratio_texts *r = &ratio_table[ratio];
	unsigned above = r->above, below = r->below;

	if (part >= 0) {
		above = value_of_part(above, (unsigned)part);
		below = value_of_part(below == VALUE_COUNTED ? VALUE_CPU
							     : below,
				      (unsigned)part);
		double cycles =
			sum(value_runs(s, value_of_part(VALUE_CYCLES,
							(unsigned)part)),
			    s->n);

		if (!(cycles >= PART_CYCLES) ||
		    cycles < PART_LEAST *
				     sum(value_runs(s, VALUE_CYCLES), s->n)) {
			stat_describe(NULL, 0, NULL, out);
			return;
		}
	}
	stat_describe_ratio(value_runs(s, above), value_runs(s, below), s->n,
			    s->work, out);
	out->mean *= r->factor;
	out->min *= r->factor;
	out->max *= r->factor;
	out->s *= r->factor;
	out->half *= r->factor;
}

/* The ratio of each run, in the room for work. */
static const double *
ratios(const struct value_set *s, const struct ratio_texts *r)
{
	const double *above = value_runs(s, r->above);
	const double *below = value_runs(s, r->below);

	for (unsigned i = 0; i < s->n; i++)
		s->work[i] = above[i] / below[i];
	return s->work;
}

void
value_compare(const struct value_set *a, const struct value_set *b,
	      unsigned value, bool by_turns, struct stat_change *out)
{
	const struct ratio_texts *r =
		value < VALUES ? NULL : &ratio_table[value - VALUES];

	stat_compare(r != NULL ? ratios(a, r) : value_runs(a, value), a->n,
		     r != NULL ? ratios(b, r) : value_runs(b, value), b->n,
		     by_turns, out);
}
