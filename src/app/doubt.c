#include "app/doubt.h"

#include <stdio.h>
#include <string.h>

#include "base/plural.h"
#include "model/dead.h"
#include "model/quality.h"

bool
doubt_sentence(const struct frame *f, char *out, size_t size)
{
	unsigned n = 0, of = f->topology->ncpus;

	if ((f->span[frame_scope_all(f)].quality & QUALITY_APPROX) == 0)
		return false;
	for (unsigned i = 0; i < of; i++)
		n += (f->span[i].quality & QUALITY_APPROX) != 0;
	snprintf(
		out, size,
		"the counts of %u of %u %s cannot be true, as those of some virtual PMUs: what is made of them is ? in tables and empty in recordings; count on the host instead, or if this is no virtual machine report what ktop doctor prints",
		n, of, plural(of, "CPU", "CPUs"));
	return true;
}

static bool
was_told(const struct dead_told *told, const char *event)
{
	for (unsigned i = 0; i < told->n; i++)
		if (told->event[i] == event)
			return true;
	return false;
}

static const char *
instead_of(const char *event, enum domain domain)
{
	if (strcmp(event, "INST_ALL") != 0 &&
	    strcmp(event, "CORE_ACTIVE_CYCLE") != 0)
		return "the metrics that need it are n/a";
	return domain == DOMAIN_ALL
		       ? "rates are divided by the fixed counter instead, what else needs it is n/a"
		       : "rates are divided by the count of all modes instead and marked ^, what else needs it is n/a";
}

bool
dead_sentence(const struct eventset *set, enum domain domain,
	      struct dead_told *told, char *out, size_t size)
{
	for (unsigned i = 0; i < set->ndropped; i++) {
		const char *event = set->dropped[i].event;

		if (strncmp(set->dropped[i].why, dead_head,
			    strlen(dead_head)) != 0 ||
		    was_told(told, event) || told->n == DEAD_TOLD_MAX)
			continue;
		told->event[told->n++] = event;
		snprintf(
			out, size,
			"%s %s, though programs run; %s: please report what ktop doctor prints",
			event, set->dropped[i].why, instead_of(event, domain));
		return true;
	}
	return false;
}
