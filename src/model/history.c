#include "model/history.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Frames of `row` bytes that fit into `room`, between the minimum and `most`.
 */
static unsigned
depth(size_t room, size_t row, unsigned most)
{
	size_t n = row > 0 ? room / row : most;

	if (n > most)
		return most;
	return n < HISTORY_FRAMES_MIN ? HISTORY_FRAMES_MIN : (unsigned)n;
}

bool
history_init(struct history *h, unsigned ncpus, unsigned ngroups,
	     unsigned nmetrics, struct err *e)
{
	size_t cpu_row = (size_t)ncpus * nmetrics * sizeof(float);
	size_t group_row = ((size_t)ngroups * nmetrics + 1) * sizeof(float);
	size_t left;

	*h = (struct history){ .ncpus = ncpus,
			       .ngroups = ngroups,
			       .nmetrics = nmetrics };
	h->cpu_frames = depth(HISTORY_BYTES / 2, cpu_row, HISTORY_CPU_FRAMES);
	left = cpu_row * h->cpu_frames;
	left = left < HISTORY_BYTES ? HISTORY_BYTES - left : 0;
	h->group_frames = depth(left, group_row, HISTORY_GROUP_FRAMES);
	h->cpu = calloc(h->cpu_frames, cpu_row);
	h->group = calloc(h->group_frames, group_row);
	h->elapsed = calloc(h->group_frames, sizeof(float));
	if (h->cpu != NULL && h->group != NULL && h->elapsed != NULL)
		return true;
	history_done(h);
	return err_set(e, ERR_FAIL, "out of memory for the history of %u CPUs",
		       ncpus);
}

void
history_done(struct history *h)
{
	free(h->cpu);
	free(h->group);
	free(h->elapsed);
	h->cpu = h->group = h->elapsed = NULL;
}

static void
put(float *at, const double *value, size_t n)
{
	if (value == NULL)
		for (size_t i = 0; i < n; i++)
			at[i] = NAN;
	else
		for (size_t i = 0; i < n; i++)
			at[i] = (float)value[i];
}

void
history_push(struct history *h, const double *value, double elapsed_s)
{
	size_t ncpu = (size_t)h->ncpus * h->nmetrics;
	size_t ngroup = (size_t)h->ngroups * h->nmetrics;

	put(h->cpu + (size_t)(h->pushed % h->cpu_frames) * ncpu, value, ncpu);
	put(h->group + (size_t)(h->pushed % h->group_frames) * ngroup,
	    value == NULL ? NULL : value + ncpu, ngroup);
	h->elapsed[h->pushed % h->group_frames] = (float)elapsed_s;
	h->pushed++;
}

/* One column of a ring of rows, oldest first. */
static unsigned
column(const struct history *h, const float *ring, unsigned frames, size_t row,
       size_t at, unsigned n, float *out)
{
	if (n > frames)
		n = frames;
	if (n > h->pushed)
		n = (unsigned)h->pushed;
	for (unsigned i = 0; i < n; i++)
		out[i] =
			ring[(size_t)((h->pushed - n + i) % frames) * row + at];
	return n;
}

unsigned
history_read(const struct history *h, unsigned scope, unsigned metric,
	     unsigned n, float *out)
{
	if (scope >= h->ncpus + h->ngroups || metric >= h->nmetrics)
		return 0;
	if (scope < h->ncpus)
		return column(h, h->cpu, h->cpu_frames,
			      (size_t)h->ncpus * h->nmetrics,
			      (size_t)scope * h->nmetrics + metric, n, out);
	return column(
		h, h->group, h->group_frames, (size_t)h->ngroups * h->nmetrics,
		(size_t)(scope - h->ncpus) * h->nmetrics + metric, n, out);
}

unsigned
history_times(const struct history *h, unsigned n, float *out)
{
	return column(h, h->elapsed, h->group_frames, 1, 0, n, out);
}
