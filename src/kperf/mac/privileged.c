#include "kperf/load.h"

#include <unistd.h>

bool
kperf_privileged_os(void)
{
	return issetugid() != 0;
}
