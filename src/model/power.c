#include "model/power.h"
#include "model/columns.h"

const struct power_mark power_mark_table[] = { { POWER_AT_LEAST, "at-least" },
					       { POWER_AT_MOST, "at-most" },
					       { POWER_OWN_CLOCK, "own-clock" },
					       { POWER_DOUBTFUL,
						 "sum-differs" },
					       { POWER_SCALED, "scaled" } };
const unsigned power_marks =
	sizeof power_mark_table / sizeof power_mark_table[0];

const char *const power_pressure_word[POWER_PRESSURES] = {
	"", "nominal", "moderate", "heavy", "trapping", "sleeping"
};

/* clang-format off */
#define RATE(its, of) { .name = its, .unit = of, .decimals = 2 }

const struct power_total_row power_total_table[POWER_TOTALS] = {
	{ "CPU", RATE("power_w", UNIT_WATTS), COLUMN_POWER_W, "energy_j", "",
	  "energy_joules", "Energy of the cluster, or of all CPUs" },
	{ "DRAM", RATE("dram_w", UNIT_WATTS), COLUMN_DRAM_W, "dram_j", "memory ",
	  "memory_energy_joules", "Energy of the memory" },
	{ "GPU", RATE("gpu_w", UNIT_WATTS), COLUMN_GPU_W, "gpu_j", "GPU ",
	  "gpu_energy_joules", "Energy of the GPU" },
	{ "ANE", RATE("ane_w", UNIT_WATTS), COLUMN_ANE_W, "ane_j", "neural engine ",
	  "ane_energy_joules", "Energy of the neural engine" },
	{ "package", RATE("package_w", UNIT_WATTS), COLUMN_PACKAGE_W, "package_j", "packages ",
	  "package_energy_joules", "Energy of CPUs and GPU in packages" },
	{ "platform", RATE("platform_w", UNIT_WATTS), COLUMN_PLATFORM_W, "platform_j", "platform ",
	  "platform_energy_joules", "Energy of all with the packages" },
	{ "DRAM", RATE("dram_gbs", UNIT_GBS), COLUMN_DRAM_GBS, "dram_gb", "",
	  "memory_bytes", "Bytes read and written, or a bound of it" },
	{ "read", RATE("dram_read_gbs", UNIT_GBS), COLUMN_DRAM_READ_GBS, "dram_read_gb", "",
	  "memory_read_bytes", "Bytes read from memory" },
	{ "write", RATE("dram_write_gbs", UNIT_GBS), COLUMN_DRAM_WRITE_GBS, "dram_write_gb", "",
	  "memory_written_bytes", "Bytes written to memory" },
};
/* clang-format on */

double
frame_power_value(const struct frame_power *p, enum power_value what,
		  unsigned rail)
{
	if (what == POWER_VALUE_WATTS)
		return frame_power_energy(p, rail)->watts;
	if (rail >= p->nrows)
		return NAN;
	const struct power_row *r = &p->row[rail];

	return what == POWER_VALUE_NJ        ? r->nj_instruction
	       : what == POWER_VALUE_TRAFFIC ? r->traffic.both
					     : r->clock_ghz;
}

static bool
power_total_add(struct power_total *to, bool fresh, double per_s, double span_s,
		uint8_t marks, double since_s)
{
	double amount = per_s * span_s;

	if (!fresh || !(amount >= 0) || !isfinite(amount) ||
	    !power_span_is_within(span_s, since_s))
		return false;
	to->amount += amount;
	to->span_s += span_s;
	to->marks |= marks;
	return true;
}

void
power_sums_add_rail(struct power_sums *s, const struct frame_power *p,
		    unsigned rail, double since_s)
{
	const struct power_energy *e = frame_power_energy(p, rail);
	bool known = power_total_add(&s->of[POWER_TOTAL_CPUS], e->fresh,
				     e->watts, e->span_s, e->marks, since_s);

	if (rail >= p->nrows)
		return;
	const struct power_row *r = &p->row[rail];
	const struct power_traffic *t = &r->traffic;
	const double rate[] = { t->both, t->read, t->write };

	if (known && r->nj_instruction > 0) {
		double joules = e->watts * e->span_s;

		s->their_joules += joules;
		s->instructions += joules * 1e9 / r->nj_instruction;
	}
	for (unsigned k = 0; k < 3; k++)
		(void)power_total_add(&s->of[POWER_TOTAL_TRAFFIC + k], t->fresh,
				      rate[k], t->span_s, t->marks, since_s);
}

void
power_sums_add(struct power_sums *rows, const struct frame_power *p,
	       double since_s)
{
	for (unsigned i = 0; i < p->nrows; i++)
		power_sums_add_rail(&rows[i], p, i, since_s);
	for (unsigned i = 0; i < POWER_WHOLES; i++) {
		const struct power_energy *e = &p->whole[i];

		(void)power_total_add(
			&rows[p->nrows - 1].of[POWER_TOTAL_WHOLES + i],
			e->fresh, e->watts, e->span_s, e->marks, since_s);
	}
}
