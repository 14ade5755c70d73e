#include "app/named.h"

#include <stdio.h>
#include <time.h>

#include "app/state.h"

bool
named_by_time(const struct app *a, const char *ending, unsigned n,
	      char name[NAMED_SIZE])
{
	char at[32], number[16] = "";
	struct stamp now;
	struct tm tm;

	clock_now(a->clock, &now);
	time_t wall = (time_t)(now.wall_ns / 1000000000);

	if (localtime_r(&wall, &tm) == NULL ||
	    strftime(at, sizeof at, "ktop-%Y%m%d-%H%M%S", &tm) == 0)
		return false;
	if (n > 1)
		snprintf(number, sizeof number, "-%u", n);
	snprintf(name, NAMED_SIZE, "%s%s%s", at, number, ending);
	return true;
}
