#include "commands/stat.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"

enum {
	LABEL = 3,
	VALUE_END = 26,
	UNIT = 27,
	HALF_END = 38,
	RANGE = 42,
	BESIDE = 59,
	PART_END = 71,
	PART_WIDTH = 13,
	LINE = 400
};

struct scale {
	double by;
	const char *unit;
};

static struct scale
unit_scale(const char *unit, double v)
{
	static const struct {
		const char *unit;
		double last;
		struct scale step[5];
	} table[] = {
		{ "s", 1e-6, { { 1, "s" }, { 1e-3, "ms" }, { 0, "us" } } },
		{ "J", 1e-6, { { 1, "J" }, { 1e-3, "mJ" }, { 0, "uJ" } } },
		{ "count",
		  1,
		  { { 1e12, "T" },
		    { 1e9, "G" },
		    { 1e6, "M" },
		    { 1e3, "k" },
		    { 0, "" } } },
		{ "bytes",
		  1,
		  { { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 0, "B" } } },
	};

	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		const struct scale *s = table[i].step;

		if (strcmp(unit, table[i].unit) != 0)
			continue;
		while (s->by > 0 && !(fabs(v) >= s->by) &&
		       (table[i].last >= 1 || fabs(v) > 0))
			s++;
		return s->by > 0 ? *s
				 : (struct scale){ table[i].last, s->unit };
	}
	return (struct scale){ 1, strcmp(unit, "1") == 0 ? "" : unit };
}

static int
decimals_of(const char *unit, double v, struct scale s)
{
	if (strcmp(unit, "count") != 0 || s.by > 1)
		return 3;
	return v > floor(v) ? 1 : 0;
}

static void
put_right(struct buf *b, const char *text, size_t end)
{
	buf_printf(b, "%*s", end > b->len ? (int)(end - b->len) : 0, text);
}

void
stat_put_like(struct buf *b, const char *unit, double v, double like)
{
	struct scale s = unit_scale(unit, like);

	if (v < s.by / 1000)
		s = unit_scale(unit, v);
	buf_printf(b, "%s%s%s", FIXED(v / s.by, decimals_of(unit, v, s)),
		   s.unit[0] != '\0' ? " " : "", s.unit);
}

static void
text_print_line(struct stat_job *j, struct buf *b)
{
	fprintf(j->text.out, "%s\n", buf_cstr(b));
	b->len = 0;
}

static double
mean_of(const struct stat_command *c, unsigned value, int part)
{
	struct stat_series s;

	value_describe(&c->values, value, part, &s);
	return s.mean;
}

static void
put_series(struct buf *b, const struct value_texts *t,
	   const struct stat_series *s)
{
	struct scale by = unit_scale(t->unit, s->mean);
	int decimals = decimals_of(t->unit, s->mean, by);
	double pct = 100 * s->half / s->mean;
	char text[FIXED_SIZE + 2];

	buf_printf(b, "%*s%s", LABEL, "", t->label);
	put_right(b, FIXED(s->mean / by.by, decimals), VALUE_END);
	if (by.unit[0] != '\0') {
		buf_pad(b, 0, UNIT);
		buf_str(b, by.unit);
	}
	if (s->n < 2)
		return;
	if (s->mean > 0) {
		snprintf(text, sizeof text, "%s %%",
			 FIXED(pct, pct < 1    ? 2
				    : pct < 10 ? 1
					       : 0));
		put_right(b, text, HALF_END);
	}
	buf_pad(b, 0, RANGE);
	buf_printf(b, "%s .. %s", FIXED(s->min / by.by, decimals),
		   FIXED(s->max / by.by, decimals));
}

/* Appends a value for each kind of core; of CPU time, the share. */
static void
put_parts(struct buf *b, const struct stat_job *j, const struct stat_command *c,
	  unsigned value, const char *unit)
{
	const struct process_parts *parts = &j->counter->parts;
	double all = 0;

	for (unsigned p = 0; p < parts->n; p++)
		all += mean_of(c, value, (int)p);
	for (unsigned p = 0; p < parts->n; p++) {
		double mean = mean_of(c, value, (int)p);
		char text[48];
		struct buf n = buf_over(text, sizeof text);

		if (value >= VALUES)
			buf_fixed(&n, mean, 3);
		else if (value != VALUE_CPU && !isnan(all))
			stat_put_like(&n, unit, mean, all);
		else if (all > 0)
			buf_printf(&n, "%s %%", FIXED(100 * mean / all, 1));
		if (n.len > 0)
			put_right(b, buf_cstr(&n), PART_END + p * PART_WIDTH);
	}
}

static void
put_beside(struct buf *b, const char *number, const char *unit)
{
	buf_pad(b, 0, b->len + 2 > BESIDE ? b->len + 2 : BESIDE);
	buf_printf(b, "%s %s", number, unit);
}

static void
text_print_value(struct stat_job *j, const struct stat_command *c,
		 unsigned value)
{
	char line[LINE], nj[FIXED_SIZE];
	struct buf b = buf_over(line, sizeof line);
	struct buf n = buf_over(nj, sizeof nj);
	struct value_texts t;
	struct stat_series s;

	(void)value_texts(j->counter, value, &t);
	value_describe(&c->values, value, -1, &s);
	if (isnan(s.mean))
		return;
	put_series(&b, &t, &s);
	if (value == VALUE_ENERGY) {
		buf_decimal(&n, mean_of(c, VALUE_NJ, -1), 2);
		if (n.len > 0)
			put_beside(&b, buf_cstr(&n), "nJ an instruction");
	} else if (value >= VALUE_PARTED) {
		put_parts(&b, j, c, value, t.unit);
	}
	text_print_line(j, &b);
}

/* Prints "-" and why if power was measured, but the value is unknown. */
static void
text_print_machine_power(struct stat_job *j, const struct stat_command *c,
			 unsigned value)
{
	const bool energy = value == VALUE_MACHINE_ENERGY;
	const char *why = energy ? j->power.no_joules : j->power.no_bytes;
	struct value_texts t;
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);

	if (!isnan(mean_of(c, value, -1))) {
		text_print_value(j, c, value);
		return;
	}
	if (!j->power.measured || why == NULL)
		return;
	(void)value_texts(j->counter, value, &t);
	buf_printf(&b, "%*s%s", LABEL, "", t.label);
	put_right(&b, "-", VALUE_END);
	buf_printf(&b, "  %s", why);
	text_print_line(j, &b);
}

/* Returns the mean instructions in the modes of the events; 0: unknown. */
static double
instructions_like_events(const struct stat_job *j, const struct stat_command *c)
{
	if (counter_events_domain(j->counter) == j->counter->domain)
		return mean_of(c, VALUE_INSTRUCTIONS, -1);
	for (unsigned i = 0; i < j->counter->nevents; i++)
		if (strcmp(j->counter->event[i], "INST_ALL") == 0)
			return mean_of(c, VALUE_EVENT + i, -1);
	return 0;
}

static void
text_print_event(struct stat_job *j, const struct stat_command *c,
		 unsigned event)
{
	double instructions = instructions_like_events(j, c);
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);
	struct value_texts t;
	struct stat_series s;

	(void)value_texts(j->counter, event, &t);
	value_describe(&c->values, event, -1, &s);
	if (isnan(s.mean)) {
		fprintf(j->text.out, "%*s%s: not counted\n", LABEL, "", t.name);
		return;
	}
	if (strlen(t.name) >= VALUE_END - LABEL - 8) {
		fprintf(j->text.out, "%*s%s\n", LABEL, "", t.name);
		t.label = "";
	}
	put_series(&b, &t, &s);
	if (instructions > 0)
		put_beside(&b, FIXED(1000 * s.mean / instructions, 2),
			   "per 1000 instructions");
	text_print_line(j, &b);
}

static void
text_print_heads(struct stat_job *j, const struct stat_command *c)
{
	const struct process_parts *parts = &j->counter->parts;
	char line[LINE], text[48];
	struct buf b = buf_over(line, sizeof line);

	if (j->n > 1)
		buf_printf(&b, "%s  %s", c->letter, c->name);
	if (b.len >= VALUE_END - 5)
		text_print_line(j, &b);
	put_right(&b, c->values.n > 1 ? "mean" : "value", VALUE_END - 1);
	if (c->values.n > 1) {
		put_right(&b, "+- 95 %", HALF_END);
		buf_pad(&b, 0, RANGE);
		buf_str(&b, "min .. max");
	}
	for (unsigned p = 0; p < parts->n; p++) {
		snprintf(text, sizeof text, "on %s cores", parts->label[p]);
		put_right(&b, text, PART_END + p * PART_WIDTH);
	}
	text_print_line(j, &b);
}

static void
text_print_tail(struct stat_job *j, const struct stat_command *c)
{
	static const unsigned shown[] = { VALUE_USER,     VALUE_SYSTEM,
					  VALUE_FAULTS,   VALUE_MAJOR,
					  VALUE_SWITCHES, VALUE_RSS,
					  VALUE_GHZ,      VALUE_CPUS };
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);

	for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++) {
		double v = mean_of(c, shown[i], -1);
		struct value_texts t;

		if (isnan(v) ||
		    (shown[i] == VALUE_GHZ && j->counter->parts.n > 1))
			continue;
		(void)value_texts(j->counter, shown[i], &t);
		buf_printf(&b, "%s%s ", b.len > 0 ? ", " : "", t.label);
		if (shown[i] < VALUES)
			stat_put_like(&b, t.unit, v, v);
		else
			buf_printf(&b, "%s%s", FIXED(v, 2),
				   shown[i] == VALUE_GHZ ? " GHz" : "");
	}
	fprintf(j->text.out, "%*s%s\n", LABEL, "", buf_cstr(&b));
	if (c->values.times_exceed)
		fprintf(j->text.out, "%*sleft out: %s\n", LABEL, "",
			value_times_why);
}

static void
text_print_coverage(struct stat_job *j, const struct stat_command *c)
{
	double all = mean_of(c, VALUE_CPU, -1);
	double seen = mean_of(c, VALUE_COUNTED, -1);
	bool whole = !(all > 0) || isnan(seen) || seen >= 0.99 * all;

	if (j->counter->tree || j->counter->simulated ||
	    (whole && c->others == 0))
		return;
	if (c->others > 0)
		fprintf(j->text.out,
			"   Includes %u %s that it started, sampled 50 times a second",
			c->others, plural(c->others, "process", "processes"));
	else
		fputs("   Counts only its own process", j->text.out);
	if (whole)
		fputs(".\n", j->text.out);
	else
		fprintf(j->text.out,
			": %.0f %% of the CPU time; the rest belongs to processes that ended between two samples.\n",
			100 * seen / all);
}

static void
text_print_code(struct stat_job *j, const struct stat_command *c)
{
	enum { BY_SIGNAL = 128, SIGNALS = 65 };

	if (c->failed > 0 && c->values.n > 1)
		fprintf(j->text.out,
			"   %u of %u runs did not end with 0: %d.\n", c->failed,
			c->values.n, c->code);
	else if (c->failed > 0 && c->code > BY_SIGNAL &&
		 c->code < BY_SIGNAL + SIGNALS)
		fprintf(j->text.out,
			"   It ended with %d, as by signal %d (%s).\n", c->code,
			c->code - BY_SIGNAL, strsignal(c->code - BY_SIGNAL));
	else if (c->failed > 0)
		fprintf(j->text.out, "   It ended with %d.\n", c->code);
}

static void
text_print_command(struct stat_job *j, const struct stat_command *c)
{
	text_print_heads(j, c);
	text_print_value(j, c, VALUE_ELAPSED);
	text_print_value(j, c, VALUE_CPU);
	text_print_value(j, c, VALUE_CYCLES);
	text_print_value(j, c, VALUE_INSTRUCTIONS);
	text_print_value(j, c, VALUE_IPC);
	if (j->counter->parts.n > 1)
		text_print_value(j, c, VALUE_GHZ);
	text_print_value(j, c, VALUE_ENERGY);
	text_print_machine_power(j, c, VALUE_MACHINE_ENERGY);
	text_print_machine_power(j, c, VALUE_MACHINE_TRAFFIC);
	for (unsigned i = 0; i < j->counter->nevents; i++)
		text_print_event(j, c, VALUE_EVENT + i);
	text_print_tail(j, c);
	text_print_coverage(j, c);
	text_print_code(j, c);
}

static const char *const outcome_text[] = {
	[STAT_UNKNOWN] = "",
	[STAT_FEW] = "too few runs for a claim",
	[STAT_UNCLEAR] = "no difference beyond 1 % shown",
	[STAT_SAME] = "no difference beyond 1 % shown",
	[STAT_MORE] = "uses more",
	[STAT_LESS] = "uses less",
};

enum { RATIO_END = 23, RATIO_RANGE = 28, OUTCOME = 47 };

static void
text_print_change(struct stat_job *j, const char *who, const char *label,
		  const struct stat_change *d)
{
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);
	bool claim = d->outcome == STAT_MORE || d->outcome == STAT_LESS;

	if (d->outcome == STAT_UNKNOWN)
		return;
	buf_printf(&b, "%*s%s", LABEL, "", label);
	if (b.len > RATIO_END - 7)
		text_print_line(j, &b);
	put_right(&b, FIXED(d->ratio, 3), RATIO_END);
	buf_str(&b, " x");
	if (!isnan(d->low)) {
		buf_pad(&b, 0, RATIO_RANGE);
		buf_printf(&b, "%s to %s", FIXED(d->low, 3), FIXED(d->high, 3));
	}
	buf_pad(&b, 0, OUTCOME);
	if (d->outcome == STAT_UNCLEAR && stat_change_alone(d))
		buf_printf(&b, "not sure among %u lines", j->nlines);
	else
		buf_printf(&b, "%s%s%s", claim ? who : "", claim ? " " : "",
			   outcome_text[d->outcome]);
	text_print_line(j, &b);
}

/* mean: prints means over corresponding pairs of all groups. */
static void
text_print_changes(struct stat_job *j, unsigned c, bool mean)
{
	unsigned value;

	for (unsigned i = 0; stat_compared(j, i, &value); i++) {
		struct value_texts t;
		struct stat_change d;

		(void)value_texts(j->counter, value, &t);
		stat_job_compare(j, c, value, mean, &d);
		text_print_change(j, mean ? "the mean" : j->command[c].letter,
				  t.label, &d);
	}
}

static void
text_print_versus(struct stat_job *j, unsigned c)
{
	const struct stat_command *a = stat_base(j, &j->command[c]);

	if (a == NULL)
		return;
	fprintf(j->text.out, "\n%s against %s                95 %%\n",
		j->command[c].letter, a->letter);
	text_print_changes(j, c, false);
}

static void
text_print_means(struct stat_job *j, unsigned c)
{
	if (j->n == j->group)
		return;
	fputs("\n", j->text.out);
	for (unsigned i = c; i < j->n; i += j->group)
		fprintf(j->text.out, "%s%s against %s", i > c ? ", " : "",
			j->command[i].letter,
			j->command[j->command[i].base].letter);
	fputs(": the geometric mean of the ratios, with 95 % for these programs\n",
	      j->text.out);
	text_print_changes(j, c, true);
}

static void
text_print_pair(struct stat_job *j, unsigned c)
{
	const struct stat_command *a = stat_base(j, &j->command[c]);
	struct stat_pair p = { .b = j->command[c].letter };
	char text[LINE];
	struct buf b = buf_over(text, sizeof text);

	if (a == NULL)
		return;
	p.a = a->letter;
	stat_job_compare(j, c, VALUE_ELAPSED, false, &p.elapsed);
	stat_job_compare(j, c, VALUE_CPU, false, &p.cpu);
	stat_job_compare(j, c, VALUE_CYCLES, false, &p.cycles);
	stat_job_compare(j, c, VALUE_INSTRUCTIONS, false, &p.instructions);
	stat_write_sentence(&b, &p);
	if (b.len > 0)
		text_print_line(j, &b);
}

static void
text_print_summary(struct stat_job *j, const struct stat_command *c)
{
	char text[LINE];
	struct buf b = buf_over(text, sizeof text);
	double took = mean_of(c, VALUE_ELAPSED, -1);
	double ipc = mean_of(c, VALUE_IPC, -1), all = 0;

	buf_printf(&b, "%s %s ", c->name,
		   c->argv == NULL   ? "was counted for"
		   : c->values.n > 1 ? "takes"
				     : "took");
	stat_put_like(&b, "s", took, took);
	if (!isnan(ipc))
		buf_printf(&b, ", at %s instructions a cycle", FIXED(ipc, 2));
	for (unsigned p = 0; p < j->counter->parts.n; p++)
		all += mean_of(c, VALUE_CPU, (int)p);
	if (j->counter->parts.n > 1 && all > 0)
		buf_printf(&b, "; %.0f %% of its time on %s cores",
			   100 * mean_of(c, VALUE_CPU, 0) / all,
			   j->counter->parts.label[0]);
	buf_char(&b, '.');
	text_print_line(j, &b);
}

static void
text_print_runs(struct stat_job *j)
{
	const struct counter *counter = j->counter;
	unsigned runs = j->command[0].values.n;
	uint64_t warmups = j->o->stat.warmups;
	FILE *out = j->text.out;

	for (unsigned i = 0; j->n > 1 && i < j->n; i++)
		fprintf(out, "%s%s is %s", i > 0 ? ", " : "",
			j->command[i].letter, j->command[i].name);
	fputs(j->n > 1 ? ": " : "", out);
	if (j->command[0].argv == NULL)
		fputs("Only what it did in this time", out);
	else
		fprintf(out, "%u %s%s", runs, plural(runs, "run", "runs"),
			j->n > 1 ? " of each" : "");
	if (j->by_turns)
		fprintf(out, " by turns (seed %llu)",
			(unsigned long long)j->seed);
	if (j->automatic && j->stopped == 0)
		fprintf(out, ", %s",
			runs >= STAT_AUTO_MOST ? "the most of --runs auto"
			: j->ran_s >= STAT_AUTO_S
				? "for 30 s: the times are not known to 1 %"
				: "until the times were known to 1 %");
	if (warmups > 0)
		fprintf(out, " after %llu %s", (unsigned long long)warmups,
			plural(warmups, "warm-up", "warm-ups"));
	if (counter->domain != DOMAIN_NONE)
		fprintf(out, "; %s%s",
			counter->domain == DOMAIN_USER ? "user mode only"
						       : "all modes",
			counter->tree ? ", all threads and what it starts"
				      : " and threads of its process");
	if (counter->simulated)
		fprintf(out, "; SIMULATED counters, %s", counter->text);
	fputs(".\n", out);
	if (counter->why[0] != '\0')
		fprintf(out, "%s%s.\n",
			counter->domain == DOMAIN_NONE
				? "Cycles and instructions are not counted: "
				: "",
			counter->why);
	if (j->n > 1 && j->o->stat.blocks && runs >= STAT_CLAIM_RUNS)
		fputs("Run in blocks: if the speed of the machine drifts, these differences are unreliable. With a drift of 5 %, equal commands differ in 30 % of comparisons (10 runs with a spread of 2 %); in alternating runs, in 0.3 %.\n",
		      out);
	if (j->stopped != 0)
		fprintf(out, "Interrupted: %s.\n",
			j->partial ? "this is what was counted so far"
				   : "the interrupted run is not included");
}

static const char *
hint(const struct buf *b)
{
	return b->len == 0 ? "Hint: " : "; ";
}

static void
hint_command(const struct stat_job *j, const struct stat_command *c,
	     struct buf *b)
{
	const char *who = j->n > 1 ? c->letter : c->name;
	double first = value_runs(&c->values, VALUE_ELAPSED)[0];
	unsigned n = c->values.n;
	struct stat_series s;

	value_describe(&c->values, VALUE_ELAPSED, -1, &s);
	if (s.outliers > 0)
		buf_printf(
			b,
			"%s%u of the %u times of %s %s far from the others (nothing is left out)",
			hint(b), s.outliers, n, who,
			plural(s.outliers, "is", "are"));
	if (n >= STAT_CLAIM_RUNS && j->o->stat.warmups == 0 && first >= s.max) {
		double others = (s.mean * n - first) / (n - 1);

		if (others > 0 && first > 1.1 * others)
			buf_printf(
				b,
				"%sthe first run of %s took %.0f %% longer than the others: -w 1 warms it up",
				hint(b), who, 100 * (first / others - 1));
	}
	if (c->scaled)
		buf_printf(
			b,
			"%sthe counters of %s were shared with others: its counts are scaled up by the time they had",
			hint(b), who);
}

static void
text_print_hints(struct stat_job *j)
{
	char text[4 * LINE];
	struct buf b = buf_over(text, sizeof text);

	if (j->o->stat.quiet)
		return;
	for (unsigned i = 0; i < j->n; i++)
		hint_command(j, &j->command[i], &b);
	if (j->command[0].argv != NULL && j->machine != NULL &&
	    j->o->source.events != NULL && j->counter->nevents == 0)
		buf_printf(
			&b,
			"%sthese events are the whole machine's; a command's own are not counted on a Mac yet: -p PID -e EVENTS counts a running process",
			hint(&b));
	if (b.len > 0)
		fprintf(j->text.out, "\n%s.\n", buf_cstr(&b));
}

void
stat_text(struct stat_job *j)
{
	if (j->n == 1)
		text_print_summary(j, &j->command[0]);
	for (unsigned i = 1; i < j->n; i++)
		text_print_pair(j, i);
	fputs("\n", j->text.out);
	text_print_runs(j);
	for (unsigned i = 0; i < j->n; i++) {
		if (i > 0)
			fputs("\n", j->text.out);
		text_print_command(j, &j->command[i]);
	}
	for (unsigned i = 1; i < j->n; i++)
		text_print_versus(j, i);
	for (unsigned i = 1; i < j->group; i++)
		text_print_means(j, i);
	if (j->nlines > 1)
		fprintf(j->text.out,
			"\nThe differences are corrected for the number of lines (Holm): at most 5 %% of reports of %u lines contain a false one.\n",
			j->nlines);
	stat_machine_text(j);
	text_print_hints(j);
}

void
stat_text_look(struct stat_job *j, double at_s, double interval_s,
	       const struct counter_reading *d)
{
	double cycles = (double)d->total.cycles;
	double instructions = (double)d->total.instructions;
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);

	if (j->n > 1)
		buf_printf(&b, "%s ", j->now->letter);
	buf_printf(&b, "%9.3f s", at_s);
	if (!isnan(d->cpu_s))
		buf_printf(&b, "  CPU %.1f %%", 100 * d->cpu_s / interval_s);
	if ((d->known & PROCESS_HAS_COUNTS) != 0) {
		buf_str(&b, "  cycles ");
		stat_put_like(&b, "count", cycles, cycles);
		buf_str(&b, "  instructions ");
		stat_put_like(&b, "count", instructions, instructions);
		if (cycles > 0)
			buf_printf(&b, "  IPC %.2f", instructions / cycles);
	}
	text_print_line(j, &b);
}
