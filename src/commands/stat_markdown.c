#include "commands/stat.h"

#include <math.h>
#include <string.h>

#include "base/plural.h"

enum { CELL = 600 };

static const unsigned columns[] = {
	VALUE_ELAPSED, VALUE_CPU,    VALUE_CYCLES,         VALUE_INSTRUCTIONS,
	VALUE_IPC,     VALUE_ENERGY, VALUE_MACHINE_ENERGY, VALUE_MACHINE_TRAFFIC
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static struct stat_series
series_of(const struct stat_job *j, unsigned c, unsigned value)
{
	struct stat_series s;

	value_describe(&j->command[c].values, value, -1, &s);
	return s;
}

static bool
is_known(const struct stat_job *j, unsigned value)
{
	for (unsigned i = 0; i < j->n; i++)
		if (!isnan(series_of(j, i, value).mean))
			return true;
	return false;
}

/* Prints words as Markdown code, in which "|" is escaped. */
static void
markdown_print_words(FILE *out, const char *words)
{
	const char *fence = strchr(words, '`') != NULL ? "`` " : "`";

	fputs(fence, out);
	for (; *words != '\0'; words++)
		fprintf(out, "%s%c", *words == '|' ? "\\" : "", *words);
	fputs(fence[1] == '`' ? " ``" : "`", out);
}

static void
markdown_print_value(FILE *out, const char *unit, double v, double like)
{
	char text[CELL];
	struct buf b = buf_over(text, sizeof text);

	if (!isnan(v))
		stat_put_like(&b, unit, v, like);
	fprintf(out, " %s |", buf_cstr(&b));
}

static void
markdown_print_series(const struct stat_job *j, unsigned c, unsigned value)
{
	FILE *out = j->markdown.out;
	struct stat_series s = series_of(j, c, value);
	struct value_texts t;

	(void)value_texts(j->counter, value, &t);
	markdown_print_value(out, t.unit, s.mean, s.mean);
	if (value != VALUE_ELAPSED)
		return;
	if (isnan(s.half))
		fputs("  |", out);
	else
		fprintf(out, " %s %% |", FIXED(100 * s.half / s.mean, 1));
	markdown_print_value(out, t.unit, s.min, s.mean);
	markdown_print_value(out, t.unit, s.max, s.mean);
}

static void
markdown_print_ratio(const struct stat_job *j, unsigned c)
{
	const struct stat_command *a = stat_base(j, &j->command[c]);
	FILE *out = j->markdown.out;
	struct stat_change d;

	if (a == NULL) {
		fputs(" 1 |", out);
		return;
	}
	stat_job_compare(j, c, VALUE_ELAPSED, false, &d);
	const char *bold =
		d.outcome == STAT_MORE || d.outcome == STAT_LESS ? "**" : "";

	fprintf(out, " %s%s x%s %s", bold, FIXED(d.ratio, 3), bold, a->letter);
	if (!isnan(d.low))
		fprintf(out, " (%s to %s)", FIXED(d.low, 3), FIXED(d.high, 3));
	fputs(" |", out);
}

static void
markdown_print_head(const struct stat_job *j)
{
	FILE *out = j->markdown.out;

	fputs("|  | Command |", out);
	for (unsigned i = 0; i < COLUMNS; i++) {
		struct value_texts t;

		(void)value_texts(j->counter, columns[i], &t);
		if (is_known(j, columns[i]))
			fprintf(out, " %s |%s", t.label,
				columns[i] == VALUE_ELAPSED
					? " +- 95 % | min | max |"
					: "");
	}
	fprintf(out, "%s\n|:--|:--|", j->n > 1 ? " elapsed, ratio |" : "");
	for (unsigned i = 0; i < COLUMNS; i++)
		if (is_known(j, columns[i]))
			fputs(columns[i] == VALUE_ELAPSED ? "--:|--:|--:|--:|"
							  : "--:|",
			      out);
	fputs(j->n > 1 ? ":--|\n" : "\n", out);
}

void
stat_markdown(struct stat_job *j)
{
	FILE *out = j->markdown.out;
	unsigned runs = j->command[0].values.n;

	markdown_print_head(j);
	for (unsigned c = 0; c < j->n; c++) {
		fprintf(out, "| %s | ", j->command[c].letter);
		markdown_print_words(out, j->command[c].name);
		fputs(" |", out);
		for (unsigned i = 0; i < COLUMNS; i++)
			if (is_known(j, columns[i]))
				markdown_print_series(j, c, columns[i]);
		if (j->n > 1)
			markdown_print_ratio(j, c);
		fputc('\n', out);
	}
	fprintf(out, "\n%u %s%s%s", runs, plural(runs, "run", "runs"),
		j->n > 1 ? " of each" : "", j->by_turns ? " by turns" : "");
	if (j->n > 1 && runs >= STAT_CLAIM_RUNS)
		fprintf(out,
			"; ratios with 95 %% intervals, differences in bold%s",
			j->o->stat.blocks
				? "; in blocks: a drift of the machine looks like a difference"
				: "");
	if (j->counter->simulated)
		fprintf(out, "; SIMULATED counters, %s", j->counter->text);
	fputs(".\n", out);
}
