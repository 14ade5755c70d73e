#include "kperf/system.h"

const struct kperf_system *
kperf_system_os(void)
{
	return NULL; /* no ktrace here */
}
