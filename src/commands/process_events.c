#include "commands/report.h"

#include <math.h>
#include <string.h>

enum { MOST = 3 };

/* Returns the process with the next lower count; before NULL: the highest. */
static const struct digest_process *
next_most(const struct digest_processes *p, unsigned event,
	  const struct digest_process *before)
{
	const struct digest_process *best = NULL;

	for (unsigned i = 0; i < p->n; i++) {
		const struct digest_process *one = &p->row[i];
		uint64_t n = one->event[event].count;
		uint64_t than = before != NULL ? before->event[event].count : 0;

		if (n == 0 || (before != NULL &&
			       (n > than || (n == than && one <= before))))
			continue;
		if (best == NULL || n > best->event[event].count)
			best = one;
	}
	return best;
}

static void
events_print_part(FILE *out, double part)
{
	if (isnan(part))
		fprintf(out, "     -%% ");
	else
		fprintf(out, "  %4.1f%% ", 100 * part);
}

static void
events_print_event(FILE *out, const struct digest_processes *p, unsigned event,
		   int width)
{
	const struct digest_process *one = NULL;

	fprintf(out, "  %-*s", width, p->event[event]);
	for (unsigned i = 0; i < MOST; i++) {
		one = next_most(p, event, one);
		if (one == NULL)
			break;
		events_print_part(out, digest_process_part(p, one, event));
		fprintf(out, "%s (%d)", one->name, (int)one->pid);
		if (!isnan(digest_process_rate(one, event)))
			fprintf(out, " %.1f", digest_process_rate(one, event));
	}
	if (!isnan(digest_process_part(p, &p->rest, event))) {
		events_print_part(out, digest_process_part(p, &p->rest, event));
		fprintf(out, "of no process");
	}
	fprintf(out, "\n");
}

void
process_events_print(FILE *out, const struct digest_processes *p)
{
	int width = 0;

	if (p->nevents == 0)
		return;
	fprintf(out, "\nevents of processes");
	if (p->cores.counted_cycles > 0)
		fprintf(out, ", seen with %.1f%% of the cores' cycles",
			100 * (double)p->cores.event_cycles /
				(double)p->cores.counted_cycles);
	fprintf(out,
		": part of the cores' counts, and per 1000 instructions\n");
	for (unsigned i = 0; i < p->nevents; i++)
		if ((int)strlen(p->event[i]) > width)
			width = (int)strlen(p->event[i]);
	for (unsigned i = 0; i < p->nevents; i++)
		events_print_event(out, p, i, width);
	if (p->left_out_events > 0)
		fprintf(out, "  only the first %d events are listed\n",
			DIGEST_EVENTS);
}
