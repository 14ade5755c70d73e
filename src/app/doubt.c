#include "app/doubt.h"

#include <stdio.h>

#include "base/plural.h"
#include "model/quality.h"

bool
doubt_sentence(const struct frame *f, char *out, size_t size)
{
	unsigned n = 0, of = f->topology->ncpus;

	if ((f->tally[frame_scope_all(f)].quality & QUALITY_APPROX) == 0)
		return false;
	for (unsigned i = 0; i < of; i++)
		n += (f->tally[i].quality & QUALITY_APPROX) != 0;
	(void)snprintf(out, size,
		       "the counts of %u of %u %s cannot be true, as those of "
		       "some virtual PMUs: what is made of them is ? in tables "
		       "and empty in recordings; count on the host instead, or "
		       "if this is no virtual machine report what ktop doctor "
		       "prints",
		       n, of, plural(of, "CPU", "CPUs"));
	return true;
}
