#include "commands/stat.h"

#include <math.h>
#include <string.h>

/* A row of the report. NAN: an empty field. */
struct row {
	const char *row;
	const struct stat_command *command;
	const char *outcome, *against;
	struct value_texts is;
	double run, time_s, value, low, high, min, max, n, outliers, df;
};

static const struct row empty = {
	.outcome = "",
	.against = "",
	.is = { .part = "" },
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

static const char *const outcome_text[] = {
	[STAT_UNKNOWN] = "unknown", [STAT_FEW] = "too few runs",
	[STAT_UNCLEAR] = "unclear", [STAT_SAME] = "same",
	[STAT_MORE] = "more",       [STAT_LESS] = "less",
};

/* Prints whole numbers exactly, other values with nine digits. */
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
	if (strcmp(r->is.name, "max_rss") == 0)
		return "at most ktop's own, as a child starts as a copy of ktop";
	if (r->command->values.times_exceed &&
	    (strcmp(r->is.name, "user") == 0 ||
	     strcmp(r->is.name, "system") == 0))
		return value_times_why;
	if (strcmp(r->is.name, "machine_energy") == 0)
		return j->power.no_joules != NULL ? j->power.no_joules : "";
	if (strcmp(r->is.name, "machine_traffic") == 0)
		return j->power.no_bytes != NULL ? j->power.no_bytes : "";
	return j->counter->why;
}

static void
rows_report(const struct stat_job *j, struct report *out, const struct row *r)
{
	report_text(out, "row", r->row);
	report_text(out, "command", r->command->letter);
	report_text(out, "words", r->command->name);
	report_number(out, "run", r->run);
	report_number(out, "time_s", r->time_s);
	report_text(out, "metric", r->is.name);
	report_text(out, "part", r->is.part);
	report_text(out, "unit", r->is.unit);
	report_text(out, "modes", domain_name[r->is.domain]);
	report_value(out, "value", r->value);
	report_number(out, "low", r->low);
	report_number(out, "high", r->high);
	report_value(out, "min", r->min);
	report_value(out, "max", r->max);
	report_number(out, "n", r->n);
	report_number(out, "outliers", r->outliers);
	report_text(out, "against", r->against);
	report_number(out, "df", r->df);
	report_text(out, "outcome", r->outcome);
	report_text(out, "simulated", j->counter->simulated ? "yes" : "no");
	report_text(out, "why", isnan(r->value) ? why_none(j, r) : "");
	report_end(out);
}

/* False: there is no such value. */
static bool
rows_begin(const struct stat_job *j, const char *row, unsigned c,
	   unsigned value, struct row *r)
{
	*r = empty;
	r->row = row;
	r->command = &j->command[c];
	r->n = r->command->values.n;
	return value_texts(j->counter, value, &r->is);
}

static void
rows_report_runs(const struct stat_job *j, struct report *out, unsigned c,
		 unsigned value)
{
	struct row r;

	if (!rows_begin(j, "run", c, value, &r))
		return;
	r.n = NAN;
	r.outcome = j->stopped != 0 && j->partial ? "interrupted" : "";
	for (unsigned i = 0; i < r.command->values.n; i++) {
		r.run = i + 1;
		r.value = value_runs(&r.command->values, value)[i];
		rows_report(j, out, &r);
	}
}

static void
rows_report_mean(const struct stat_job *j, struct report *out, unsigned c,
		 unsigned value, int part)
{
	struct stat_series s;
	struct row r;

	if (!rows_begin(j, "mean", c, value, &r))
		return;
	if (part >= 0)
		r.is.part = j->counter->parts.label[part];
	value_describe(&r.command->values, value, part, &s);
	r.value = s.mean;
	r.low = s.mean - s.half;
	r.high = s.mean + s.half;
	r.min = s.min;
	r.max = s.max;
	r.outliers = s.outliers;
	rows_report(j, out, &r);
}

/* mean: the geometric mean over all groups. */
static void
rows_report_ratio(const struct stat_job *j, struct report *out, unsigned c,
		  unsigned value, bool mean)
{
	const struct stat_command *a = stat_base(j, &j->command[c]);
	struct stat_change d;
	struct row r;

	if (a == NULL ||
	    !rows_begin(j, mean ? "geomean" : "versus", c, value, &r))
		return;
	stat_job_compare(j, c, value, mean, &d);
	if (mean)
		r.n = j->n / j->group;
	r.is.unit = "ratio";
	r.against = a->letter;
	r.value = d.ratio;
	r.low = d.low;
	r.high = d.high;
	r.df = d.df;
	r.outcome = outcome_text[d.outcome];
	rows_report(j, out, &r);
}

struct machine_rows {
	const struct stat_job *j;
	struct report *out;
	struct row r;
};

static void
rows_report_machine_value(void *self, const struct totals_value *v)
{
	struct machine_rows *m = self;

	m->r.is = (struct value_texts){ .name = v->name,
					.unit = v->unit,
					.part = v->cluster,
					.domain = v->domain };
	m->r.value = v->value;
	rows_report(m->j, m->out, &m->r);
}

static void
rows_report_machine(const struct stat_job *j, struct report *out,
		    unsigned command)
{
	struct machine_rows m = { .j = j, .out = out };
	struct totals t = machine_counter_totals(j->machine, command);

	(void)rows_begin(j, "machine", command, 0, &m.r);
	totals_each(machine_counter_app(j->machine), &t,
		    rows_report_machine_value, &m);
}

static void
rows_report_traced(const struct stat_job *j, struct report *out)
{
	const struct traced *t = machine_counter_traced(j->machine);
	enum domain domain;
	const struct eventset *set = machine_counter_set(j->machine, &domain);
	struct row r;

	if (t == NULL || t->intervals == 0 || set == NULL)
		return;
	for (unsigned i = 0; i < 2 + set->len; i++) {
		unsigned value = i == 0 ? VALUE_CYCLES : VALUE_INSTRUCTIONS;

		(void)rows_begin(j, "traced", 0, value, &r);
		r.n = t->intervals;
		r.is.domain = i < 2 ? DOMAIN_ALL : domain;
		if (i >= 2)
			r.is.name = set->slot[i - 2].event->name;
		if (i < 2)
			r.value = (double)(i == 0 ? t->sum.cycles
						  : t->sum.instructions);
		else if ((t->slots >> (i - 2) & 1) != 0)
			r.value = (double)t->sum.slot[i - 2];
		rows_report(j, out, &r);
	}
}

void
stat_rows(struct stat_job *j, struct report *out)
{
	for (unsigned k = 0; k < j->n; k++)
		for (unsigned i = 0; i < VALUES; i++)
			rows_report_runs(j, out, k, i);
	for (unsigned k = 0; k < j->n; k++)
		for (unsigned i = 0; i < VALUES_AND_RATIOS; i++)
			rows_report_mean(j, out, k, i, -1);
	/* VALUE_CPUS needs elapsed time, which has no parts. */
	for (unsigned k = 0; k < j->n; k++)
		for (int p = 0; p < (int)j->counter->parts.n; p++)
			for (unsigned i = VALUES; i < VALUES_AND_RATIOS; i++)
				if (i != VALUE_CPUS)
					rows_report_mean(j, out, k, i, p);
	for (unsigned k = 1; k < j->n; k++)
		for (unsigned i = 0; i < VALUES_AND_RATIOS; i++)
			rows_report_ratio(j, out, k, i, false);
	for (unsigned k = 1; j->n > j->group && k < j->group; k++)
		for (unsigned i = 0; i < VALUES_AND_RATIOS; i++)
			rows_report_ratio(j, out, k, i, true);
	if (j->machine != NULL)
		rows_report_traced(j, out);
	for (unsigned k = 0; k < j->n && j->machine != NULL; k++)
		rows_report_machine(j, out, k);
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
	unsigned now = (unsigned)(j->now - j->command);

	for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
		struct row r;

		(void)rows_begin(j, "interval", now, of[i].value, &r);
		r.n = NAN;
		r.run = j->now->values.n + 1;
		r.time_s = at_s;
		r.value = of[i].v;
		rows_report(j, out, &r);
	}
}
