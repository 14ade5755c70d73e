#include "model/sample.h"

#include "base/err.h"
#include "base/plural.h"

#include <stdlib.h>

struct sample *
sample_new(unsigned ncpus, struct err *e)
{
	struct sample *s = calloc(1, sizeof *s);

	if (s != NULL)
		s->cpu = calloc(ncpus > 0 ? ncpus : 1, sizeof *s->cpu);
	if (s == NULL || s->cpu == NULL) {
		free(s);
		return err_null(e, ERR_FAIL,
				"out of memory for a reading of %u %s", ncpus,
				plural(ncpus, "CPU", "CPUs"));
	}
	s->ncpus = ncpus;
	return s;
}

void
sample_free(struct sample *s)
{
	if (s == NULL)
		return;
	free(s->cpu);
	free(s);
}

bool
sample_fits(const struct sample *s, unsigned ncpus, struct err *e)
{
	return s->ncpus == ncpus ||
	       err_set(e, ERR_FAIL,
		       "this sample has %u %s, but the machine has %u",
		       s->ncpus, plural(s->ncpus, "CPU", "CPUs"), ncpus);
}
