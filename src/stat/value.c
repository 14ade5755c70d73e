#include "stat/stat.h"

#include <math.h>
#include <stdlib.h>

/* A kind of core with fewer cycles, or a smaller share, has no ratios. */
#define PART_LEAST 0.01
#define PART_CYCLES 1e6
/* The rusage of a child includes its exec and exit. Times above this multiple
 * of the counted CPU time are not used. */
#define TIMES_MOST 1.05

const char value_times_why[] =
	"user and system, which the system counts from before the exec, come to more than the CPU time";

static const struct value_text {
	const char *name, *label, *unit;
} table[VALUE_COUNT] = {
	[VALUE_ELAPSED] = { "elapsed", "elapsed", "s" },
	[VALUE_USER] = { "user", "user", "s" },
	[VALUE_SYSTEM] = { "system", "system", "s" },
	[VALUE_FAULTS] = { "page_faults", "page faults", "count" },
	[VALUE_MAJOR] = { "major_faults", "from disk", "count" },
	[VALUE_SWITCHES] = { "context_switches", "switches", "count" },
	[VALUE_PREEMPTED] = { "involuntary_switches", "preempted", "count" },
	[VALUE_RSS] = { "max_rss", "max RSS", "bytes" },
	[VALUE_MACHINE_ENERGY] = { "machine_energy", "machine's energy", "J" },
	[VALUE_MACHINE_TRAFFIC] = { "machine_traffic", "memory traffic",
				    "bytes" },
	[VALUE_COUNTED] = { "counted_cpu_time", "counted", "s" },
	[VALUE_CPU] = { "cpu_time", "CPU time", "s" },
	[VALUE_CYCLES] = { "cycles", "cycles", "count" },
	[VALUE_INSTRUCTIONS] = { "instructions", "instructions", "count" },
	[VALUE_ENERGY] = { "energy_estimate", "energy (est.)", "J" },
};

static const struct ratio {
	struct value_text text;
	unsigned above, below;
	double factor;
} ratios[VALUES_AND_RATIOS - VALUES] = {
	{ { "ipc", "IPC", "1" }, VALUE_INSTRUCTIONS, VALUE_CYCLES, 1 },
	{ { "ghz", "clock", "GHz" }, VALUE_CYCLES, VALUE_COUNTED, 1e-9 },
	{ { "cpus_used", "CPUs used", "1" }, VALUE_CPU, VALUE_ELAPSED, 1 },
	{ { "nj_per_instruction", "nJ an instruction", "nJ" },
	  VALUE_ENERGY,
	  VALUE_INSTRUCTIONS,
	  1e9 },
};

static unsigned
value_of_part(unsigned value, int part)
{
	return part < 0 ? value
			: VALUE_COUNT + VALUE_OF_PARTS * (unsigned)part +
				  value - VALUE_PARTED;
}

bool
value_texts(const struct counter *c, unsigned value, struct value_texts *out)
{
	unsigned part = (value - VALUE_COUNT) / VALUE_OF_PARTS;
	const struct value_text *t = &table[0];

	*out = (struct value_texts){ .part = "", .domain = c->domain };
	if (value < VALUE_COUNT) {
		t = &table[value];
		if (value < VALUE_CYCLES)
			out->domain = DOMAIN_NONE;
	} else if (value >= VALUES) {
		t = &ratios[value - VALUES].text;
	} else if (value >= VALUE_EVENT) {
		unsigned i = value - VALUE_EVENT;

		out->name = out->label = c->event[i];
		out->unit = "count";
		out->domain = counter_events_domain(c);
		return i < c->nevents;
	} else if (part < c->parts.n) {
		t = &table[VALUE_PARTED +
			   (value - VALUE_COUNT) % VALUE_OF_PARTS];
		out->part = c->parts.label[part];
	} else {
		return false;
	}
	out->name = t->name;
	out->label = t->label;
	out->unit = t->unit;
	return true;
}

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
value_put(struct value_set *s, unsigned value, bool known, double v)
{
	s->v[(size_t)value * s->room + s->n] = known ? v : (double)NAN;
}

static bool
run_has_own_times(const struct counter *c, const struct stat_run *run)
{
	return !run->has_use || (c->simulated && run->counted &&
				 (run->end.known & PROCESS_HAS_TIMES) != 0);
}

static void
value_set_add_counts(struct value_set *s, const struct counter *c,
		     const struct counter_reading *r, bool events)
{
	bool counts = (r->known & PROCESS_HAS_COUNTS) != 0;

	value_put(s, VALUE_CYCLES, counts, (double)r->total.cycles);
	value_put(s, VALUE_INSTRUCTIONS, counts, (double)r->total.instructions);
	value_put(s, VALUE_ENERGY, (r->known & PROCESS_HAS_ENERGY) != 0,
		  1e-9 * (double)r->total.energy_nj);
	for (int p = 0; p < PROCESS_PARTS; p++) {
		const struct process_part *part = &r->total.part[p];
		bool is = (unsigned)p < c->parts.n;
		bool has = is && (r->known & PROCESS_HAS_PARTS) != 0;

		value_put(s, value_of_part(VALUE_CPU, p),
			  is && (r->known & PROCESS_HAS_PART_TIMES) != 0,
			  1e-9 * (double)part->cpu_ns);
		value_put(s, value_of_part(VALUE_CYCLES, p), has,
			  (double)part->cycles);
		value_put(s, value_of_part(VALUE_INSTRUCTIONS, p), has,
			  (double)part->instructions);
		value_put(s, value_of_part(VALUE_ENERGY, p),
			  is && (r->known & PROCESS_HAS_PART_ENERGY) != 0,
			  1e-9 * (double)part->energy_nj);
	}
	for (unsigned i = 0; i < COUNTER_EVENTS; i++)
		value_put(s, VALUE_EVENT + i, events && i < c->nevents,
			  r->event[i]);
}

void
value_set_add(struct value_set *s, const struct counter *c,
	      const struct stat_run *run)
{
	static const struct counter_reading none = { .cpu_s = 0 };
	bool use = run->has_use, own = run_has_own_times(c, run);
	bool times = !own || (run->end.known & PROCESS_HAS_TIMES) != 0;
	const struct process_totals *t = &run->end.total;

	value_set_add_counts(s, c, run->counted ? &run->end : &none,
			     run->counted);
	value_put(s, VALUE_ELAPSED, true, run->elapsed_s);
	/* A task's clock begins at its exec. */
	bool clock = own || (c->tree && run->counted && run->end.cpu_s >= 0);

	double used_s = run->user_s + run->system_s;

	if (clock && !own && used_s > TIMES_MOST * run->end.cpu_s) {
		s->times_exceed = true;
		times = false;
	}
	value_put(s, VALUE_CPU, true, clock ? run->end.cpu_s : used_s);
	value_put(s, VALUE_COUNTED, run->counted, run->end.cpu_s);
	value_put(s, VALUE_USER, times,
		  own ? 1e-9 * (double)t->user_ns : run->user_s);
	value_put(s, VALUE_SYSTEM, times,
		  own ? 1e-9 * (double)t->system_ns : run->system_s);
	value_put(s, VALUE_FAULTS, use, (double)run->faults);
	value_put(s, VALUE_MAJOR, use, (double)run->major_faults);
	value_put(s, VALUE_SWITCHES, use, (double)run->switches);
	value_put(s, VALUE_PREEMPTED, use, (double)run->preempted);
	value_put(s, VALUE_RSS, use && run->max_rss_bytes > 0,
		  (double)run->max_rss_bytes);
	value_put(s, VALUE_MACHINE_ENERGY, true, run->machine_joules);
	value_put(s, VALUE_MACHINE_TRAFFIC, true, run->machine_bytes);
	s->n++;
}

static double
values_sum(const double *v, unsigned n)
{
	double all = 0;

	for (unsigned i = 0; i < n; i++)
		all += v[i];
	return all;
}

static bool
part_has_few_cycles(const struct value_set *s, int part)
{
	double cycles = values_sum(
		value_runs(s, value_of_part(VALUE_CYCLES, part)), s->n);

	return !(cycles >= PART_CYCLES) ||
	       cycles < PART_LEAST *
				values_sum(value_runs(s, VALUE_CYCLES), s->n);
}

void
value_describe(const struct value_set *s, unsigned value, int part,
	       struct stat_series *out)
{
	if (value < VALUES) {
		stat_describe(value_runs(s, value_of_part(value, part)), s->n,
			      s->work, out);
		return;
	}
	const struct ratio *r = &ratios[value - VALUES];
	unsigned below = r->below;

	if (part >= 0 && part_has_few_cycles(s, part)) {
		stat_describe(NULL, 0, NULL, out);
		return;
	}
	if (part >= 0 && below == VALUE_COUNTED)
		below = VALUE_CPU;
	stat_describe_ratio(value_runs(s, value_of_part(r->above, part)),
			    value_runs(s, value_of_part(below, part)), s->n,
			    s->work, out);
	out->mean *= r->factor;
	out->min *= r->factor;
	out->max *= r->factor;
	out->s *= r->factor;
	out->half *= r->factor;
}

static const double *
value_of_runs(const struct value_set *s, unsigned value)
{
	if (value < VALUES)
		return value_runs(s, value);
	const double *above = value_runs(s, ratios[value - VALUES].above);
	const double *below = value_runs(s, ratios[value - VALUES].below);

	for (unsigned i = 0; i < s->n; i++)
		s->work[i] = above[i] / below[i];
	return s->work;
}

void
value_compare(const struct value_set *a, const struct value_set *b,
	      unsigned value, bool by_turns, struct stat_change *out)
{
	stat_compare(value_of_runs(a, value), a->n, value_of_runs(b, value),
		     b->n, by_turns, out);
}
