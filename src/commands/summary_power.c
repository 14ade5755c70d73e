#include "commands/report.h"

#include <math.h>

#include "model/power.h"
#include "power/power.h"

static const char *
marks_text(const struct digest_cell *c, const char *between, char *text,
	   unsigned size)
{
	struct buf b = buf_over(text, size);

	for (unsigned i = 0; i < power_marks; i++)
		if ((c->marks & power_mark_table[i].mark) != 0)
			buf_printf(&b, "%s%s", b.len > 0 ? between : "",
				   power_mark_table[i].word);
	return buf_cstr(&b);
}

static void
summary_print_marks(FILE *out, const struct digest_cell *c)
{
	char marks[128];

	if (marks_text(c, ", ", marks, sizeof marks)[0] != '\0')
		fprintf(out, " (%s)", marks);
}

static void
summary_print_energy(FILE *out, const struct digest *d, unsigned row)
{
	bool any = false;

	for (unsigned i = 0; i < POWER_TOTAL_TRAFFIC; i++) {
		const struct digest_cell *c = digest_power_at(d, row, i);

		if (c->frames == 0)
			continue;
		fprintf(out, "%s%s%.4g J in %.4g s",
			any ? ", " : "  energy: ", power_total_table[i].label,
			c->sum, c->weight);
		summary_print_marks(out, c);
		any = true;
	}
	if (any)
		fprintf(out, "\n");
}

/* Returns the traffic in % of the memory's bandwidth; NAN: unknown. */
static double
ceiling_pct(const struct digest *d, unsigned row)
{
	return 100 * digest_power_at(d, row, POWER_TOTAL_TRAFFIC)->value * 1e9 /
	       power_ceiling(d->source->info.model);
}

static void
summary_print_traffic(FILE *out, const struct digest *d, unsigned row)
{
	const struct digest_cell *all =
		digest_power_at(d, row, POWER_TOTAL_TRAFFIC);
	const struct digest_cell *read =
		digest_power_at(d, row, POWER_TOTAL_READ);
	const struct digest_cell *written =
		digest_power_at(d, row, POWER_TOTAL_WRITTEN);

	if (all->frames == 0)
		return;
	fprintf(out, "  memory traffic: %.4g GB in %.4g s", all->sum,
		all->weight);
	if (read->frames == all->frames && written->frames == all->frames)
		fprintf(out, ", %.4g read and %.4g written", read->sum,
			written->sum);
	if (!isnan(ceiling_pct(d, row)))
		fprintf(out, ": %.1f%% of %.0f GB/s", ceiling_pct(d, row),
			power_ceiling(d->source->info.model) * 1e-9);
	summary_print_marks(out, all);
	fprintf(out, "\n");
}

void
summary_power_print(FILE *out, const struct digest *d, unsigned row)
{
	const struct digest_cell *hot =
		digest_power_at(d, row, DIGEST_POWER_THROTTLED);

	summary_print_energy(out, d, row);
	summary_print_traffic(out, d, row);
	if (hot->sum > 0)
		fprintf(out, "  throttled: %.4g s of %.4g s\n", hot->sum / 100,
			hot->weight);
}

void
summary_power_report(const struct digest *d, unsigned row,
		     void (*put)(void *self, const char *metric,
				 const char *unit, double value,
				 uint64_t frames, const char *quality),
		     void *self)
{
	const struct digest_cell *hot =
		digest_power_at(d, row, DIGEST_POWER_THROTTLED);
	char marks[128];

	for (unsigned i = 0; i < POWER_TOTALS; i++) {
		const struct digest_cell *c = digest_power_at(d, row, i);

		if (c->frames == 0)
			continue;
		marks_text(c, ";", marks, sizeof marks);
		put(self, power_total_table[i].sum,
		    i < POWER_TOTAL_TRAFFIC ? "J" : "10^9 bytes", c->sum,
		    c->frames, marks);
		if (i == POWER_TOTAL_CPUS)
			put(self, "energy_span_s", "s", c->weight, c->frames,
			    marks);
		if (i == POWER_TOTAL_TRAFFIC)
			put(self, "dram_span_s", "s", c->weight, c->frames,
			    marks);
		if (i == POWER_TOTAL_TRAFFIC && !isnan(ceiling_pct(d, row)))
			put(self, "dram_ceiling_pct", "%", ceiling_pct(d, row),
			    c->frames, marks);
	}
	if (hot->frames > 0)
		put(self, "throttled_s", "s", hot->sum / 100, hot->frames, "");
}
