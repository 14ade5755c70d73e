#include "pmu/perf/table.h"
#include "pmu/pmu.h"

#include <string.h>

/* Families whose SLOT_TOTAL is not a multiple of the cycles. Sources: Intel's
 * Optimization Reference Manual, allocation width; AMD's Software Optimization
 * Guides, dispatch width. */
static const struct {
	const char *family;
	unsigned width;
} table[] = {
	{ "golden-cove", 6 }, { "redwood-cove", 6 }, { "lion-cove", 8 },
	{ "ice-lake", 5 },    { "skylake", 4 },      { "zen1", 6 },
	{ "zen2", 6 },        { "zen3", 6 },
};

unsigned
linux_width(const struct linux_pmu *family, bool efficient)
{
	const struct pmu *apple =
		family->apple_db != NULL ? pmu_by_db(family->apple_db) : NULL;

	if (apple != NULL)
		return efficient ? apple->map_width_e : apple->map_width_p;
	for (unsigned i = 0; i < family->nevents; i++)
		if (family->events[i].how == LINUX_CYCLES_TIMES &&
		    strcmp(family->events[i].name, "SLOT_TOTAL") == 0)
			return family->events[i].config;
	for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++)
		if (strcmp(table[i].family, family->name) == 0)
			return table[i].width;
	return 0;
}
