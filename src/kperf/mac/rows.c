#include "kperf/inside.h"

#include <sys/sysctl.h>

/* libkperf copies hw.ncpu rows whatever happens: room for the largest. */
unsigned
kps_rows_os(void)
{
	static const char *const name[] = { "hw.ncpu", "hw.logicalcpu_max",
					    "hw.physicalcpu_max" };
	int most = 0;

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		int n = 0;
		size_t size = sizeof n;

		if (sysctlbyname(name[i], &n, &size, NULL, 0) == 0 && n > most)
			most = n;
	}
	return (unsigned)most;
}
