#include "power/power.h"

#include <string.h>

/* GB/s as published by Apple (from SiliconScope), without chips that are sold
 * with two bandwidths. */
static const struct {
	const char *model;
	double gbs;
} ceiling_table[] = { { "Apple M1", 68 },        { "Apple M1 Pro", 200 },
		      { "Apple M1 Max", 400 },   { "Apple M1 Ultra", 800 },
		      { "Apple M2", 100 },       { "Apple M2 Pro", 200 },
		      { "Apple M2 Max", 400 },   { "Apple M2 Ultra", 800 },
		      { "Apple M3", 100 },       { "Apple M3 Pro", 150 },
		      { "Apple M3 Ultra", 800 }, { "Apple M4", 120 },
		      { "Apple M4 Pro", 273 },   { "Apple M5", 153 },
		      { "Apple M5 Pro", 307 } };

double
power_ceiling(const char *model)
{
	for (unsigned i = 0; i < sizeof ceiling_table / sizeof ceiling_table[0];
	     i++)
		if (strcmp(ceiling_table[i].model, model) == 0)
			return ceiling_table[i].gbs * 1e9;
	return NAN;
}
