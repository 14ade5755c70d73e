#include "monitor/processes.h"

#include <math.h>
#include <string.h>

static void
totals_add(struct process_row *to, const struct process_row *row)
{
	to->known &= row->known;
	to->interval_s += row->interval_s;
	to->d.cycles += row->d.cycles;
	to->d.instructions += row->d.instructions;
	to->d.user_ns += row->d.user_ns;
	to->d.system_ns += row->d.system_ns;
	to->d.energy_nj += row->d.energy_nj;
	for (unsigned i = 0; i < PROCESS_PARTS; i++) {
		to->d.part[i].cycles += row->d.part[i].cycles;
		to->d.part[i].instructions += row->d.part[i].instructions;
		to->d.part[i].cpu_ns += row->d.part[i].cpu_ns;
		to->d.part[i].energy_nj += row->d.part[i].energy_nj;
	}
}

static struct process_row *
window_find(struct process_window *w, const struct process_row *row)
{
	unsigned i = 0;

	while (i < w->n &&
	       (w->row[i].pid != row->pid || w->row[i].start != row->start))
		i++;
	if (i == PROCESS_WINDOW_ROWS)
		return NULL;
	if (i == w->n) {
		w->n++;
		w->row[i] = (struct process_row){ .pid = row->pid,
						  .start = row->start,
						  .known = UINT32_MAX };
	}
	return &w->row[i];
}

void
processes_window(const struct processes *p, uint64_t from, uint64_t last,
		 struct process_window *out)
{
	struct process_row cores = { .known = UINT32_MAX };
	const struct process_table *t;
	unsigned parts = 0;

	out->n = 0;
	memset(out->moments, 0, sizeof out->moments);
	for (uint64_t seq = from; seq <= last; seq++) {
		if ((t = processes_at(p, seq)) == NULL)
			continue;
		totals_add(&cores, &t->cores);
		parts = t->parts.n;
		for (unsigned i = 0; i < t->n; i++) {
			const struct process_row *row = &t->row[i];
			struct process_row *to =
				row->access == PROCESS_COUNTED &&
						row->state != PROCESS_ENDED
					? window_find(out, row)
					: NULL;

			if (to == NULL)
				continue;
			totals_add(to, row);
			for (unsigned m = 0; m < PROCESS_METRICS; m++) {
				struct process_moments *k =
					&out->moments[to - out->row][m];
				double one = row->value[m];

				if (isnan(one))
					continue;
				k->n++;
				k->sum += one;
				k->squares += one * one;
			}
		}
	}
	for (unsigned i = 0; i < out->n; i++) {
		process_metrics_of(&out->row[i], &cores, parts);
		for (unsigned m = 0; m < PROCESS_METRICS; m++) {
			const struct process_moments *k = &out->moments[i][m];
			double rest = k->squares - k->sum * k->sum / k->n;

			out->deviation[i][m] =
				k->n > 1 ? sqrt(fmax(rest / (k->n - 1), 0)) : 0;
		}
	}
}
