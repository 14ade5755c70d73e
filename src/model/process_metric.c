#include "model/process_metric.h"

#include <math.h>
#include <string.h>

#include "model/process.h"

#define TEXTS(constant, name, label, unit, decimals, text, needs, formula) \
	{ name, label, unit, decimals, text, needs },
const struct process_metric_texts process_metrics[PROCESS_METRICS] = {
	PROCESS_METRIC_TABLE(TEXTS)
};
#undef TEXTS

int
process_metric_find(const char *name)
{
	for (int i = 0; i < PROCESS_METRICS; i++)
		if (strcmp(process_metrics[i].name, name) == 0)
			return i;
	return -1;
}

enum { FEW_CYCLES = 1000000, FEW_SHARE = 100 };
/* Beyond these a row's cycles and its time are not of one moment. */
#define GHZ_LEAST 0.1
#define GHZ_MOST 10.0

/* What formulas are made of; NAN where it is not known. */
struct operands {
	const struct process_row *row;
	unsigned parts; /* 0: it is not split */
	double wall_ns; /* awake, that the row covers */
	double cpu_ns, user_ns, system_ns;
	double cycles, instructions, energy_nj;
	double all_cycles; /* the cores' */
};

static double
known(const struct process_row *row, uint32_t has, uint64_t value)
{
	return (row->known & has) != 0 ? (double)value : NAN;
}

static double
over(double above, double below)
{
	return below > 0 ? above / below : NAN;
}

/* More than all is none: counts of an earlier frame came late. */
static double
share(double of, double all)
{
	return of <= all ? 100 * over(of, all) : NAN;
}

static double
part_time(const struct operands *o)
{
	double sum = 0;

	if (o->parts == 0 || (o->row->known & PROCESS_HAS_PART_TIMES) == 0)
		return NAN;
	for (unsigned i = 0; i < o->parts; i++)
		sum += (double)o->row->d.part[i].cpu_ns;
	return over(100 * (double)o->row->d.part[0].cpu_ns, sum);
}

static double
part_work(const struct operands *o)
{
	if (o->parts == 0 || (o->row->known & PROCESS_HAS_PARTS) == 0)
		return NAN;
	return over(100 * (double)o->row->d.part[0].cycles, o->cycles);
}

static double
part_ipc(const struct operands *o, unsigned part)
{
	const struct process_row *row = o->row;
	const struct process_part *p = &row->d.part[part];

	if (part >= o->parts || (row->known & PROCESS_HAS_PARTS) == 0 ||
	    p->cycles < FEW_CYCLES || p->cycles * FEW_SHARE < row->d.cycles)
		return NAN;
	return over((double)p->instructions, (double)p->cycles);
}

static double
clock_rate(const struct operands *o)
{
	double ghz = over(o->cycles, o->cpu_ns);

	return ghz >= GHZ_LEAST && ghz <= GHZ_MOST ? ghz : NAN;
}

static void
operands_of(const struct process_row *row, const struct process_row *cores,
	    unsigned parts, struct operands *o)
{
	const struct process_totals *d = &row->d;

	*o = (struct operands){
		.row = row,
		.parts = parts > 1 ? parts : 0,
		.wall_ns = row->interval_s * 1e9,
		.user_ns = known(row, PROCESS_HAS_TIMES, d->user_ns),
		.system_ns = known(row, PROCESS_HAS_TIMES, d->system_ns),
		.cycles = known(row, PROCESS_HAS_COUNTS, d->cycles),
		.instructions = known(row, PROCESS_HAS_COUNTS, d->instructions),
		.energy_nj = known(row, PROCESS_HAS_ENERGY, d->energy_nj),
		.all_cycles = cores != NULL ? known(cores, PROCESS_HAS_COUNTS,
						    cores->d.cycles)
					    : NAN,
	};
	o->cpu_ns = o->user_ns + o->system_ns;
}

void
process_metrics_of(struct process_row *row, const struct process_row *cores,
		   unsigned parts)
{
	struct operands all;
	const struct operands *o = &all;

	operands_of(row, cores, parts, &all);
#define VALUE(constant, name, label, unit, decimals, text, needs, formula) \
	row->value[constant] = formula;
	PROCESS_METRIC_TABLE(VALUE)
#undef VALUE
}
