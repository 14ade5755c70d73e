/* What ktop stat found out, as rows: one value of one run, or of all, each. */
#include "commands/stat.h"

#include <math.h>
#include <string.h>

/* All columns of a row; what is NAN or NULL is an empty field. */
struct row {
	const char *row;
	const struct stat_command *command;
	const char *metric, *part, *unit, *verdict, *against;
	double run, time_s, value, low, high, min, max, n, outliers, df;
	bool times; /* not counted but kept by the system: has no modes */
	bool event;
	enum domain domain;
};

static const struct row empty = {
	.row = "",
	.metric = "",
	.part = "",
	.unit = "",
	.verdict = "",
	.against = "",
	.run = NAN,
	.time_s = NAN,
	.value = NAN,
	.low = NAN,
	.high = NAN,
	.min = NAN,
	.max = NAN,
	.n = NAN,
	.outliers = NAN,
	.df = NAN,
};

static const char *const verdict_word[] = {
	[STAT_UNKNOWN] = "unknown", [STAT_FEW] = "too few runs",
	[STAT_UNCLEAR] = "unclear", [STAT_SAME] = "same",
	[STAT_MORE] = "more",       [STAT_LESS] = "less",
};

/* Counts to the last digit; what is not whole to nine. */
static void
report_value(struct report *out, const char *name, double v)
{
	static const double exact = 9007199254740992.0; /* 2^53 */

	if (v >= 0 && v < exact && v == floor(v))
		report_count(out, name, (uint64_t)v);
	else
		report_number(out, name, v);
}

static const char *
why_none(const struct stat_job *j, const struct row *r)
{
	const struct value_set *s = &r->command->values;

	if (strcmp(r->metric, value_texts[VALUE_RSS].name) == 0)
		return "not more than ktop's own, which a child begins with";
	if (s->times_exceed &&
	    (strcmp(r->metric, value_texts[VALUE_USER].name) == 0 ||
	     strcmp(r->metric, value_texts[VALUE_SYSTEM].name) == 0))
		return value_times_why;
	return j->counter->why;
}

static void
print_row(const struct stat_job *j, struct report *out, const struct row *r)
{
	const struct counter *c = j->counter;
	bool none = isnan(r->value);

	report_text(out, "row", r->row);
	report_text(out, "command", r->command->letter);
	report_text(out, "words", r->command->name);
	report_number(out, "run", r->run);
	report_number(out, "time_s", r->time_s);
	report_text(out, "metric", r->metric);
	report_text(out, "part", r->part);
	report_text(out, "unit", r->unit);
	report_text(out, "modes", r->times ? "" : domain_name[r->domain]);
	report_value(out, "value", r->value);
	report_number(out, "low", r->low);
	report_number(out, "high", r->high);
	report_value(out, "min", r->min);
	report_value(out, "max", r->max);
	report_number(out, "n", r->n);
	report_number(out, "outliers", r->outliers);
	report_text(out, "against", r->against);
	report_number(out, "df", r->df);
	report_text(out, "verdict", r->verdict);
	report_text(out, "simulated", c->simulated ? "yes" : "no");
	report_text(out, "why", none ? why_none(j, r) : "");
	report_end(out);
}

/* ---- which values there are ---- */

/* Names value `i` in *r; false: there is no such part or event here. */
static bool
name_value(const struct stat_job *j, unsigned i, struct row *r)
{
	const struct counter *c = j->counter;
	const struct value_texts *t;

	r->domain = c->domain;
	r->times = i < VALUE_CYCLES;
	if (i >= VALUES) {
		t = &ratio_table[i - VALUES].texts;
	} else if (i >= VALUE_EVENT) {
		r->metric = c->event[i - VALUE_EVENT];
		r->unit = "count";
		r->domain = counter_events_domain(c);
		r->event = true;
		return i - VALUE_EVENT < c->nevents;
	} else if (i >= VALUE_OF_PART_0) {
		unsigned part = (i - VALUE_OF_PART_0) / VALUE_OF_PARTS;

		t = &value_texts[VALUE_PARTED +
				 (i - VALUE_OF_PART_0) % VALUE_OF_PARTS];
		r->part = part < c->parts.n ? c->parts.label[part] : "";
		if (part >= c->parts.n)
			return false;
	} else {
		t = &value_texts[i];
	}
	r->metric = t->name;
	r->unit = t->unit;
	return true;
}

static void
print_runs(const struct stat_job *j, struct report *out,
	   const struct stat_command *c, unsigned value)
{
	struct row r = empty;

	if (value >= VALUES || !name_value(j, value, &r))
		return;
	r.row = "run";
	r.command = c;
	r.verdict = j->stopped != 0 && j->partial ? "interrupted" : "";
	for (unsigned i = 0; i < c->values.n; i++) {
		r.run = i + 1;
		r.value = value_runs(&c->values, value)[i];
		print_row(j, out, &r);
	}
}

static void
print_mean(const struct stat_job *j, struct report *out,
	   const struct stat_command *c, unsigned value, int part)
{
	struct row r = empty;
	struct stat_series s;

	if (!name_value(j, value, &r))
		return;
	if (part >= 0)
		r.part = j->counter->parts.label[part];
	if (value < VALUES)
		value_describe(&c->values, value, &s);
	else
		value_describe_ratio(&c->values, value - VALUES, part, &s);
	r.row = "mean";
	r.command = c;
	r.value = s.mean;
	r.low = s.mean - s.half;
	r.high = s.mean + s.half;
	r.min = s.min;
	r.max = s.max;
	r.n = c->values.n;
	r.outliers = s.outliers;
	print_row(j, out, &r);
}

/* Ratios of each kind of core; all kinds have one elapsed time. */
static void
print_parts(const struct stat_job *j, struct report *out,
	    const struct stat_command *c)
{
	for (int p = 0; p < (int)j->counter->parts.n; p++)
		for (unsigned i = 0; i < RATIOS; i++)
			if (ratio_table[i].below != VALUE_ELAPSED)
				print_mean(j, out, c, VALUES + i, p);
}

/* B over A, by whatever it is of. */
static void
print_ratio(const struct stat_job *j, struct report *out, struct row *r,
	    const struct stat_command *a, const struct stat_change *d)
{
	r->unit = "ratio";
	r->against = a->letter;
	r->value = d->ratio;
	r->low = d->low;
	r->high = d->high;
	r->df = d->df;
	r->verdict = verdict_word[d->verdict];
	print_row(j, out, r);
}

static void
print_versus(const struct stat_job *j, struct report *out,
	     const struct stat_command *c, unsigned value)
{
	const struct stat_command *a = stat_base(j, c);
	struct row r = empty;
	struct stat_change d;

	if (a == NULL || !name_value(j, value, &r))
		return;
	value_compare(&a->values, &c->values, value, j->by_turns, &d);
	r.row = "versus";
	r.command = c;
	r.n = c->values.n;
	print_ratio(j, out, &r, a, &d);
}

/* Of all pairs like that of the first group: n of them. */
static void
print_geomean(const struct stat_job *j, struct report *out, unsigned c,
	      unsigned value)
{
	struct row r = empty;
	struct stat_change d;

	if (!name_value(j, value, &r))
		return;
	stat_mean_of_groups(j, c, value, &d);
	r.row = "geomean";
	r.command = &j->command[c];
	r.n = j->n / j->group;
	print_ratio(j, out, &r, &j->command[0], &d);
}

/* ---- the machine meanwhile ---- */

struct machine_rows {
	const struct stat_job *j;
	struct report *out;
	const struct stat_command *command;
};

static void
print_machine_value(void *self, const struct totals_value *v)
{
	const struct machine_rows *m = self;
	struct row r = empty;

	r.row = "machine";
	r.command = m->command;
	r.metric = v->name;
	r.part = v->cluster;
	r.unit = v->unit;
	r.value = v->value;
	r.times = v->domain == DOMAIN_NONE;
	r.domain = v->domain;
	r.n = m->command->values.n;
	print_row(m->j, m->out, &r);
}

/* Of a process, by tracing the kernel. */
static void
print_traced(const struct stat_job *j, struct report *out)
{
	const struct traced *t = meanwhile_traced(j->machine);
	enum domain domain;
	const struct eventset *set = meanwhile_set(j->machine, &domain);
	struct row r = empty;

	if (t == NULL || t->intervals == 0 || set == NULL)
		return;
	r.row = "traced";
	r.command = &j->command[0];
	r.unit = "count";
	r.n = t->intervals;
	r.domain = DOMAIN_ALL;
	r.metric = value_texts[VALUE_CYCLES].name;
	r.value = (double)t->sum.cycles;
	print_row(j, out, &r);
	r.metric = value_texts[VALUE_INSTRUCTIONS].name;
	r.value = (double)t->sum.instructions;
	print_row(j, out, &r);
	r.domain = domain;
	for (unsigned k = 0; k < set->len; k++) {
		r.metric = set->slot[k].event->name;
		r.value = (t->slots >> k & 1) != 0 ? (double)t->sum.slot[k]
						   : (double)NAN;
		print_row(j, out, &r);
	}
}

static void
print_machine(const struct stat_job *j, struct report *out, unsigned command)
{
	struct machine_rows m = { j, out, &j->command[command] };
	struct totals t = meanwhile_totals(j->machine, command);

	totals_each(meanwhile_app(j->machine), &t, print_machine_value, &m);
}

void
stat_rows(struct stat_job *j, struct report *out)
{
	for (unsigned k = 0; k < j->n; k++)
		for (unsigned i = 0; i < VALUES; i++)
			print_runs(j, out, &j->command[k], i);
	for (unsigned k = 0; k < j->n; k++)
		for (unsigned i = 0; i < VALUES + RATIOS; i++)
			print_mean(j, out, &j->command[k], i, -1);
	for (unsigned k = 0; k < j->n; k++)
		print_parts(j, out, &j->command[k]);
	for (unsigned k = 1; k < j->n; k++)
		for (unsigned i = 0; i < VALUES + RATIOS; i++)
			print_versus(j, out, &j->command[k], i);
	for (unsigned k = 1; j->n > j->group && k < j->group; k++)
		for (unsigned i = 0; i < VALUES + RATIOS; i++)
			print_geomean(j, out, k, i);
	if (j->machine != NULL)
		print_traced(j, out);
	for (unsigned k = 0; k < j->n && j->machine != NULL; k++)
		print_machine(j, out, k);
}

void
stat_rows_look(struct stat_job *j, struct report *out, double at_s,
	       double interval_s, const struct counter_reading *d)
{
	bool counts = (d->known & PROCESS_HAS_COUNTS) != 0;
	const struct {
		unsigned value;
		double v;
	} of[] = {
		{ VALUE_ELAPSED, interval_s },
		{ VALUE_COUNTED, d->cpu_s },
		{ VALUE_CYCLES,
		  counts ? (double)d->total.cycles : (double)NAN },
		{ VALUE_INSTRUCTIONS,
		  counts ? (double)d->total.instructions : (double)NAN },
	};

	for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
		struct row r = empty;

		(void)name_value(j, of[i].value, &r);
		r.row = "interval";
		r.command = j->now;
		r.run = j->now->values.n + 1;
		r.time_s = at_s;
		r.value = of[i].v;
		print_row(j, out, &r);
	}
}
