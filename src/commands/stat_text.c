/* The report of ktop stat, as text. */
#include "commands/stat.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"

/* The columns at which things begin or end. */
enum {
	LABEL = 3,
	VALUE_END = 26,
	UNIT = 27,
	HALF_END = 38,
	RANGE = 42,
	PART_END = 71,
	PART_WIDTH = 13,
	LINE = 400
};

struct scale {
	double by;
	const char *unit;
};

/* So that at least one and at most three digits stand before the point. */
static struct scale
scale_of(const char *unit, double v)
{
	static const struct {
		const char *unit;
		struct scale step[6];
	} table[] = {
		{ "s", { { 1, "s" }, { 1e-3, "ms" }, { 0, "us" } } },
		{ "J", { { 1, "J" }, { 1e-3, "mJ" }, { 0, "uJ" } } },
		{ "count",
		  { { 1e12, "T" },
		    { 1e9, "G" },
		    { 1e6, "M" },
		    { 1e3, "k" },
		    { 0, "" } } },
		{ "bytes",
		  { { 1e9, "GB" }, { 1e6, "MB" }, { 1e3, "kB" }, { 0, "B" } } },
	};
	static const double last[] = { 1e-6, 1e-6, 1, 1 };
	bool whole = strcmp(unit, "count") == 0 || strcmp(unit, "bytes") == 0;

	for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
		const struct scale *s = table[i].step;

		if (strcmp(unit, table[i].unit) != 0)
			continue;
		while (s->by > 0 && !(fabs(v) >= s->by) &&
		       (whole || fabs(v) > 0))
			s++;
		return s->by > 0 ? *s : (struct scale){ last[i], s->unit };
	}
	return (struct scale){ 1, strcmp(unit, "1") == 0 ? "" : unit };
}

/* Few things are counted one by one; all else has three digits. */
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
	size_t len = strlen(text);

	buf_pad(b, 0, end > len ? end - len : 0);
	buf_str(b, text);
}

static void
put_number(struct buf *b, double v, int decimals, size_t end)
{
	char text[48];
	struct buf n = buf_over(text, sizeof text);

	buf_fixed(&n, v, decimals);
	put_right(b, buf_cstr(&n), end);
}

static void
put_percent(struct buf *b, double pct, size_t end)
{
	char text[48];
	struct buf n = buf_over(text, sizeof text);

	buf_fixed(&n, pct, pct < 1 ? 2 : pct < 10 ? 1 : 0);
	buf_str(&n, " %");
	put_right(b, buf_cstr(&n), end);
}

/* "3.718 G"; in the scale of `like`, where a digit of it is left then. */
static void
put_like(struct buf *b, const char *unit, double v, double like)
{
	struct scale s = scale_of(unit, like);

	if (v < s.by / 1000)
		s = scale_of(unit, v);
	buf_fixed(b, v / s.by, decimals_of(unit, v, s));
	if (s.unit[0] != '\0')
		buf_printf(b, " %s", s.unit);
}

static void
put_scaled(struct buf *b, const char *unit, double v)
{
	put_like(b, unit, v, v);
}

static void
print_line(struct stat_job *j, struct buf *b)
{
	fprintf(j->text.out, "%s\n", buf_cstr(b));
}

/* ---- of one command ---- */

/* Label, value, interval and range; what follows is of the parts. */
/* Where the parts begin, or two blanks behind what is longer. */
static void
to_parts(struct buf *b)
{
	enum { AT = PART_END - 12, GAP = 2 };

	buf_pad(b, 0, b->len + GAP > AT ? b->len + GAP : AT);
}

static void
put_series(struct buf *b, const struct value_texts *t,
	   const struct stat_series *s)
{
	struct scale by = scale_of(t->unit, s->mean);
	int decimals = decimals_of(t->unit, s->mean, by);

	buf_pad(b, 0, LABEL);
	buf_str(b, t->label);
	put_number(b, s->mean / by.by, decimals, VALUE_END);
	if (by.unit[0] != '\0') {
		buf_pad(b, 0, UNIT);
		buf_str(b, by.unit);
	}
	if (s->n < 2)
		return;
	if (s->mean > 0)
		put_percent(b, 100 * s->half / s->mean, HALF_END);
	buf_pad(b, 0, RANGE);
	buf_fixed(b, s->min / by.by, decimals);
	buf_str(b, " .. ");
	buf_fixed(b, s->max / by.by, decimals);
}

/* A part's share of the time, all else as it is. */
static void
put_parts(struct buf *b, const struct stat_job *j, const struct stat_command *c,
	  unsigned value, const char *unit)
{
	const struct process_parts *parts = &j->counter->parts;
	double all = 0, mean[PROCESS_PARTS];

	for (unsigned p = 0; p < parts->n; p++) {
		struct stat_series s;

		value_describe(&c->values, value_of_part(value, p), &s);
		mean[p] = s.mean;
		all += s.mean;
	}
	for (unsigned p = 0; p < parts->n && !isnan(all); p++) {
		char text[48];
		struct buf n = buf_over(text, sizeof text);

		if (value != VALUE_CPU) {
			put_like(&n, unit, mean[p], all);
		} else if (all > 0) {
			buf_fixed(&n, 100 * mean[p] / all, 1);
			buf_str(&n, " %");
		}
		put_right(b, buf_cstr(&n), PART_END + p * PART_WIDTH);
	}
}

static double
mean_of(const struct stat_command *c, unsigned value)
{
	struct stat_series s;

	value_describe(&c->values, value, &s);
	return s.mean;
}

static void
print_value(struct stat_job *j, const struct stat_command *c, unsigned value)
{
	const struct value_texts *t = &value_texts[value];
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);
	struct stat_series s, nj;

	value_describe(&c->values, value, &s);
	if (isnan(s.mean))
		return;
	put_series(&b, t, &s);
	if (value == VALUE_ENERGY) {
		value_describe_ratio(&c->values, RATIO_NJ, -1, &nj);
		if (!isnan(nj.mean)) {
			to_parts(&b);
			buf_decimal(&b, nj.mean, 2);
			buf_printf(&b, " %s",
				   ratio_table[RATIO_NJ].texts.label);
		}
	} else if (value >= VALUE_PARTED) {
		put_parts(&b, j, c, value, t->unit);
	}
	print_line(j, &b);
}

static void
print_ratio(struct stat_job *j, const struct stat_command *c, unsigned ratio)
{
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);
	struct stat_series s, part;

	value_describe_ratio(&c->values, ratio, -1, &s);
	if (isnan(s.mean))
		return;
	put_series(&b, &ratio_table[ratio].texts, &s);
	for (unsigned p = 0; p < j->counter->parts.n; p++) {
		value_describe_ratio(&c->values, ratio, (int)p, &part);
		if (!isnan(part.mean))
			put_number(&b, part.mean, 3, PART_END + p * PART_WIDTH);
	}
	print_line(j, &b);
}

/* Of the modes of events; 0: not counted in these. */
static double
instructions_like_events(const struct stat_job *j, const struct stat_command *c)
{
	if (counter_events_domain(j->counter) == j->counter->domain)
		return mean_of(c, VALUE_INSTRUCTIONS);
	for (unsigned i = 0; i < j->counter->nevents; i++)
		if (strcmp(j->counter->event[i], "INST_ALL") == 0)
			return mean_of(c, VALUE_EVENT + i);
	return 0;
}

static void
print_event(struct stat_job *j, const struct stat_command *c, unsigned event)
{
	const char *name = j->counter->event[event];
	const struct value_texts t = {
		name, strlen(name) < VALUE_END - LABEL - 8 ? name : "", "count"
	};
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);
	double instructions = instructions_like_events(j, c);
	struct stat_series s;

	value_describe(&c->values, VALUE_EVENT + event, &s);
	if (isnan(s.mean)) {
		fprintf(j->text.out, "%*s%s: not counted\n", LABEL, "", name);
		return;
	}
	if (t.label[0] == '\0')
		fprintf(j->text.out, "%*s%s\n", LABEL, "", name);
	put_series(&b, &t, &s);
	if (instructions > 0) {
		to_parts(&b);
		buf_fixed(&b, 1000 * s.mean / instructions, 2);
		buf_str(&b, " per 1000 instructions");
	}
	print_line(j, &b);
}

static void
print_heads(struct stat_job *j, const struct stat_command *c)
{
	const struct process_parts *parts = &j->counter->parts;
	char line[LINE], text[48];
	struct buf b = buf_over(line, sizeof line);

	if (j->n > 1)
		buf_printf(&b, "%s  %s", c->letter, c->name);
	else
		buf_pad(&b, 0, LABEL);
	if (b.len >= VALUE_END - 5) {
		print_line(j, &b);
		b = buf_over(line, sizeof line);
	}
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
	print_line(j, &b);
}

/* What only few look at, as means, in one line. */
static void
print_tail(struct stat_job *j, const struct stat_command *c)
{
	static const unsigned shown[] = { VALUE_USER,     VALUE_SYSTEM,
					  VALUE_FAULTS,   VALUE_MAJOR,
					  VALUE_SWITCHES, VALUE_RSS };
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);
	struct stat_series s;

	buf_pad(&b, 0, LABEL);
	for (unsigned i = 0; i < sizeof shown / sizeof *shown; i++) {
		double v = mean_of(c, shown[i]);

		if (isnan(v))
			continue;
		if (b.len > LABEL)
			buf_str(&b, ", ");
		buf_printf(&b, "%s ", value_texts[shown[i]].label);
		put_scaled(&b, value_texts[shown[i]].unit, v);
	}
	for (unsigned r = j->counter->parts.n > 1 ? RATIO_CPUS : RATIO_GHZ;
	     r <= RATIO_CPUS; r++) {
		value_describe_ratio(&c->values, r, -1, &s);
		if (isnan(s.mean))
			continue;
		buf_printf(&b, "%s%s ", b.len > LABEL ? ", " : "",
			   ratio_table[r].texts.label);
		buf_fixed(&b, s.mean, 2);
		if (r == RATIO_GHZ)
			buf_str(&b, " GHz");
	}
	print_line(j, &b);
	if (!c->values.times_exceed)
		return;
	b = buf_over(line, sizeof line);
	buf_pad(&b, 0, LABEL);
	buf_printf(&b, "left out: %s", value_times_why);
	print_line(j, &b);
}

/* Where not all that it starts is counted: whose are the counts? */
static void
print_coverage(struct stat_job *j, const struct stat_command *c)
{
	double all = mean_of(c, VALUE_CPU), seen = mean_of(c, VALUE_COUNTED);
	bool whole = !(all > 0) || isnan(seen) || seen >= 0.99 * all;

	if (j->counter->tree || j->counter->simulated ||
	    (whole && c->others == 0))
		return;
	if (c->others > 0)
		fprintf(j->text.out,
			"   Counted with it: %u %s it started, looked at 50 times a second",
			c->others, plural(c->others, "process", "processes"));
	else
		fputs("   Counted is its own process alone", j->text.out);
	if (whole)
		fputs(".\n", j->text.out);
	else
		fprintf(j->text.out,
			": %.0f %% of the CPU time; the rest is of what ended between two looks.\n",
			100 * seen / all);
}

static void
print_code(struct stat_job *j, int code)
{
	enum { BY_SIGNAL = 128, SIGNALS = 65 };

	if (code > BY_SIGNAL && code < BY_SIGNAL + SIGNALS)
		fprintf(j->text.out,
			"   It ended with %d, as by signal %d (%s).\n", code,
			code - BY_SIGNAL, strsignal(code - BY_SIGNAL));
	else
		fprintf(j->text.out, "   It ended with %d.\n", code);
}

static void
print_command(struct stat_job *j, const struct stat_command *c)
{
	print_heads(j, c);
	print_value(j, c, VALUE_ELAPSED);
	print_value(j, c, VALUE_CPU);
	print_value(j, c, VALUE_CYCLES);
	print_value(j, c, VALUE_INSTRUCTIONS);
	print_ratio(j, c, RATIO_IPC);
	if (j->counter->parts.n > 1)
		print_ratio(j, c, RATIO_GHZ);
	print_value(j, c, VALUE_ENERGY);
	for (unsigned i = 0; i < j->counter->nevents; i++)
		print_event(j, c, i);
	print_tail(j, c);
	print_coverage(j, c);
	if (c->failed > 0 && c->values.n == 1)
		print_code(j, c->code);
	else if (c->failed > 0)
		fprintf(j->text.out,
			"   %u of %u runs did not end with 0: %d.\n", c->failed,
			c->values.n, c->code);
}

/* ---- of several ---- */

static const char *const verdict_text[] = {
	[STAT_UNKNOWN] = "",
	[STAT_FEW] = "too few runs for a claim",
	[STAT_UNCLEAR] = "no difference beyond 1 % shown",
	[STAT_SAME] = "no difference beyond 1 % shown",
	[STAT_MORE] = "uses more",
	[STAT_LESS] = "uses less",
};

enum { RATIO_END = 23, RATIO_RANGE = 28, VERDICT = 47 };

static void
print_change(struct stat_job *j, const char *who, const char *label,
	     const struct stat_change *d)
{
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);

	if (d->verdict == STAT_UNKNOWN)
		return;
	buf_pad(&b, 0, LABEL);
	buf_str(&b, label);
	if (b.len > RATIO_END - 7) { /* a long name has a line of its own */
		print_line(j, &b);
		b = buf_over(line, sizeof line);
	}
	put_number(&b, d->ratio, 3, RATIO_END);
	buf_str(&b, " x");
	if (!isnan(d->low)) {
		buf_pad(&b, 0, RATIO_RANGE);
		buf_fixed(&b, d->low, 3);
		buf_str(&b, " to ");
		buf_fixed(&b, d->high, 3);
	}
	buf_pad(&b, 0, VERDICT);
	if (d->verdict == STAT_MORE || d->verdict == STAT_LESS)
		buf_printf(&b, "%s ", who);
	buf_str(&b, verdict_text[d->verdict]);
	print_line(j, &b);
}

/* What is compared, and how it is called; false: no more. */
static bool
change_at(const struct stat_job *j, unsigned i, unsigned *value,
	  const char **label)
{
	static const unsigned shown[] = { VALUE_ELAPSED, VALUE_CPU,
					  VALUE_CYCLES,  VALUE_INSTRUCTIONS,
					  VALUE_ENERGY,  VALUE_RSS };
	unsigned n = sizeof shown / sizeof *shown;

	*value = i < n ? shown[i] : VALUE_EVENT + i - n;
	if (i < n)
		*label = value_texts[shown[i]].label;
	else if (i - n < j->counter->nevents)
		*label = j->counter->event[i - n];
	return i < n + j->counter->nevents;
}

static void
print_changes(struct stat_job *j, const struct stat_command *c)
{
	const struct stat_command *a = stat_base(j, c);
	struct stat_change d;
	const char *label;
	unsigned value;

	if (a == NULL)
		return;
	fprintf(j->text.out, "\n%s against %s                95 %%\n",
		c->letter, a->letter);
	for (unsigned i = 0; change_at(j, i, &value, &label); i++) {
		value_compare(&a->values, &c->values, value, j->by_turns, &d);
		print_change(j, c->letter, label, &d);
	}
}

/* Of the like in all groups: "B against A, D against C". */
static void
print_means(struct stat_job *j, unsigned c)
{
	struct stat_change d;
	const char *label;
	unsigned value;

	if (j->n == j->group)
		return;
	fputs("\n", j->text.out);
	for (unsigned i = c; i < j->n; i += j->group)
		fprintf(j->text.out, "%s%s against %s", i > c ? ", " : "",
			j->command[i].letter,
			j->command[j->command[i].base].letter);
	fputs(": the geometric mean of the ratios, with 95 % for these programs\n",
	      j->text.out);
	for (unsigned i = 0; change_at(j, i, &value, &label); i++) {
		stat_mean_of_groups(j, c, value, &d);
		print_change(j, "the mean", label, &d);
	}
}

/* ---- in words ---- */

static void
say_pair(struct stat_job *j, const struct stat_command *a,
	 const struct stat_command *c)
{
	struct stat_pair p = { .a = a->letter, .b = c->letter };
	char text[LINE];
	struct buf b = buf_over(text, sizeof text);
	const struct {
		unsigned value;
		struct stat_change *to;
	} of[] = { { VALUE_ELAPSED, &p.elapsed },
		   { VALUE_CPU, &p.cpu },
		   { VALUE_CYCLES, &p.cycles },
		   { VALUE_INSTRUCTIONS, &p.instructions } };

	for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
		value_compare(&a->values, &c->values, of[i].value, j->by_turns,
			      of[i].to);
	stat_say(&b, &p);
	if (b.len > 0)
		print_line(j, &b);
}

static void
say_one(struct stat_job *j, const struct stat_command *c)
{
	char text[LINE];
	struct buf b = buf_over(text, sizeof text);
	double part = mean_of(c, value_of_part(VALUE_CPU, 0)), all = 0;
	struct stat_series s;

	buf_printf(&b, "%s %s ", c->name,
		   c->argv == NULL   ? "was counted for"
		   : c->values.n > 1 ? "takes"
				     : "took");
	put_scaled(&b, "s", mean_of(c, VALUE_ELAPSED));
	value_describe_ratio(&c->values, RATIO_IPC, -1, &s);
	if (!isnan(s.mean)) {
		buf_str(&b, ", at ");
		buf_fixed(&b, s.mean, 2);
		buf_str(&b, " instructions a cycle");
	}
	for (unsigned p = 0; p < j->counter->parts.n; p++)
		all += mean_of(c, value_of_part(VALUE_CPU, p));
	if (j->counter->parts.n > 1 && all > 0)
		buf_printf(&b, "; %.0f %% of its time on %s cores",
			   100 * part / all, j->counter->parts.label[0]);
	buf_char(&b, '.');
	print_line(j, &b);
}

static void
say_domain(const struct stat_job *j, struct buf *b)
{
	const struct counter *c = j->counter;

	if (c->domain == DOMAIN_NONE)
		return;
	buf_str(b,
		c->domain == DOMAIN_USER ? "; user mode only" : "; all modes");
	buf_str(b, c->tree ? ", all threads and what it starts"
			   : " and threads of its process");
}

/* Who ran how often, and how it was counted. */
static void
say_runs(struct stat_job *j)
{
	unsigned runs = j->command[0].values.n;
	uint64_t warmups = j->o->warmups;
	char text[STAT_COMMANDS * STAT_NAME_SIZE + LINE];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = 0; j->n > 1 && i < j->n; i++)
		buf_printf(&b, "%s%s is %s", i > 0 ? ", " : "",
			   j->command[i].letter, j->command[i].name);
	if (j->n > 1)
		buf_str(&b, ": ");
	if (j->command[0].argv == NULL)
		buf_str(&b, "Only what it did in this time");
	else
		buf_printf(&b, "%u %s%s", runs, plural(runs, "run", "runs"),
			   j->n > 1 ? " of each" : "");
	if (j->by_turns)
		buf_printf(&b, " by turns (seed %llu)",
			   (unsigned long long)j->seed);
	if (warmups > 0)
		buf_printf(&b, " after %llu %s", (unsigned long long)warmups,
			   plural(warmups, "warm-up", "warm-ups"));
	say_domain(j, &b);
	if (j->counter->simulated)
		buf_printf(&b, "; SIMULATED counters, %s", j->counter->text);
	buf_char(&b, '.');
	print_line(j, &b);
	if (j->counter->why[0] != '\0')
		fprintf(j->text.out, "%s%s.\n",
			j->counter->domain == DOMAIN_NONE
				? "Cycles and instructions are not counted: "
				: "",
			j->counter->why);
	if (j->stopped != 0)
		fprintf(j->text.out, "Interrupted: %s.\n",
			j->partial
				? "this is what was counted so far"
				: "the run that was cut short is not among these");
}

/* ---- hints, in one line ---- */

static void
hint(struct buf *b)
{
	buf_str(b, b->len == 0 ? "Hint: " : "; ");
}

static void
hint_command(const struct stat_job *j, const struct stat_command *c,
	     struct buf *b)
{
	const char *who = j->n > 1 ? c->letter : c->name;
	const double *v = value_runs(&c->values, VALUE_ELAPSED);
	unsigned n = c->values.n;
	struct stat_series s;

	value_describe(&c->values, VALUE_ELAPSED, &s);
	if (s.outliers > 0) {
		hint(b);
		buf_printf(
			b,
			"%u of the %u times of %s %s far from the others (nothing is left out)",
			s.outliers, n, who, plural(s.outliers, "is", "are"));
	}
	if (n >= STAT_CLAIM_RUNS && j->o->warmups == 0 && v[0] >= s.max) {
		double others = (s.mean * n - v[0]) / (n - 1);

		if (others > 0 && v[0] > 1.1 * others) {
			hint(b);
			buf_printf(
				b,
				"the first run of %s took %.0f %% longer than the others: -w 1 warms it up",
				who, 100 * (v[0] / others - 1));
		}
	}
	if (c->scaled) {
		hint(b);
		buf_printf(
			b,
			"the counters of %s were shared with others: its counts are scaled up by the time they had",
			who);
	}
}

static void
print_hints(struct stat_job *j)
{
	char text[4 * LINE];
	struct buf b = buf_over(text, sizeof text);

	if (j->o->quiet)
		return;
	for (unsigned i = 0; i < j->n; i++)
		hint_command(j, &j->command[i], &b);
	if (j->command[0].argv != NULL && j->machine != NULL &&
	    j->o->source.events != NULL && j->counter->nevents == 0) {
		hint(&b);
		buf_str(&b,
			"these events are the whole machine's; a command's own are not counted on a Mac yet: -p PID -e EVENTS counts a running process");
	}
	if (b.len == 0)
		return;
	buf_char(&b, '.');
	fputs("\n", j->text.out);
	print_line(j, &b);
}

void
stat_text(struct stat_job *j)
{
	if (j->n == 1)
		say_one(j, &j->command[0]);
	for (unsigned i = 1; i < j->n; i++)
		if (stat_base(j, &j->command[i]) != NULL)
			say_pair(j, stat_base(j, &j->command[i]),
				 &j->command[i]);
	fputs("\n", j->text.out);
	say_runs(j);
	for (unsigned i = 0; i < j->n; i++) {
		if (i > 0)
			fputs("\n", j->text.out);
		print_command(j, &j->command[i]);
	}
	for (unsigned i = 1; i < j->n; i++)
		print_changes(j, &j->command[i]);
	for (unsigned i = 1; i < j->group; i++)
		print_means(j, i);
	stat_machine_text(j);
	print_hints(j);
}

void
stat_text_look(struct stat_job *j, double at_s, double interval_s,
	       const struct counter_reading *d)
{
	bool counts = (d->known & PROCESS_HAS_COUNTS) != 0;
	char line[LINE];
	struct buf b = buf_over(line, sizeof line);

	if (j->n > 1)
		buf_printf(&b, "%s ", j->now->letter);
	buf_printf(&b, "%9.3f s", at_s);
	if (!isnan(d->cpu_s))
		buf_printf(&b, "  CPU %.1f %%", 100 * d->cpu_s / interval_s);
	if (counts) {
		buf_str(&b, "  cycles ");
		put_scaled(&b, "count", (double)d->total.cycles);
		buf_str(&b, "  instructions ");
		put_scaled(&b, "count", (double)d->total.instructions);
	}
	if (counts && d->total.cycles > 0)
		buf_printf(&b, "  IPC %.2f",
			   (double)d->total.instructions /
				   (double)d->total.cycles);
	print_line(j, &b);
}
