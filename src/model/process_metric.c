#include "model/process_metric.h"

#include <math.h>
#include <string.h>

#include "model/process.h"

#define TEXTS(constant, name, label, unit, decimals, text) \
	{ name, label, unit, decimals, text },
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

static double
cpu_ns(const struct process_row *row)
{
	return (row->known & PROCESS_HAS_TIMES) != 0
		       ? (double)row->d.user_ns + (double)row->d.system_ns
		       : NAN;
}

static double
part_time_ns(const struct process_row *row, unsigned parts)
{
	double sum = 0;

	for (unsigned i = 0; i < parts; i++)
		sum += (double)row->d.part[i].cpu_ns;
	return sum;
}

static double
over(double above, double below)
{
	return below > 0 ? above / below : NAN;
}

static double
ipc_of(const struct process_row *row, unsigned part, unsigned parts)
{
	const struct process_part *p = &row->d.part[part];

	if (part >= parts || (row->known & PROCESS_HAS_PARTS) == 0 ||
	    p->cycles < FEW_CYCLES || p->cycles * FEW_SHARE < row->d.cycles)
		return NAN;
	return over((double)p->instructions, (double)p->cycles);
}

static double
ghz_of(const struct process_row *row)
{
	double ghz = over((double)row->d.cycles, cpu_ns(row));

	return ghz >= GHZ_LEAST && ghz <= GHZ_MOST ? ghz : NAN;
}

void
process_metrics_of(struct process_row *row, const struct process_row *cores,
		   unsigned parts)
{
	const struct process_totals *d = &row->d;
	double *v = row->value, ns = row->interval_s * 1e9;
	bool counts = (row->known & PROCESS_HAS_COUNTS) != 0;
	double cycles = counts ? (double)d->cycles : NAN;
	double instructions = counts ? (double)d->instructions : NAN;
	double energy = (row->known & PROCESS_HAS_ENERGY) != 0
				? (double)d->energy_nj
				: NAN;

	for (int i = 0; i < PROCESS_METRICS; i++)
		v[i] = NAN;
	v[PROCESS_CPU] = over(100 * cpu_ns(row), ns);
	if (parts > 1 && (row->known & PROCESS_HAS_PART_TIMES) != 0)
		v[PROCESS_P_TIME] = over(100 * (double)d->part[0].cpu_ns,
					 part_time_ns(row, parts));
	if (parts > 1 && (row->known & PROCESS_HAS_PARTS) != 0)
		v[PROCESS_P_WORK] =
			over(100 * (double)d->part[0].cycles, cycles);
	if (cores != NULL && (cores->known & PROCESS_HAS_COUNTS) != 0)
		v[PROCESS_CYCLES_PCT] =
			over(100 * cycles, (double)cores->d.cycles);
	v[PROCESS_IPC] = over(instructions, cycles);
	v[PROCESS_IPC_0] = ipc_of(row, 0, parts > 1 ? parts : 0);
	v[PROCESS_IPC_1] = ipc_of(row, 1, parts > 1 ? parts : 0);
	v[PROCESS_GIPS] = over(instructions, ns);
	v[PROCESS_GHZ] = counts ? ghz_of(row) : NAN;
	v[PROCESS_WATTS] = over(energy, ns);
	v[PROCESS_NJ] = over(energy, instructions);
}
