#include "kperf/load.h"

#include <sys/auxv.h>

bool
kperf_privileged_os(void)
{
	return getauxval(AT_SECURE) != 0; /* file capabilities, set-id */
}
