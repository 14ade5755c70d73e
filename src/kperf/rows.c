#include "kperf/rows.h"

#include "kperf/hold.h"

#include <errno.h>

/* No counter reaches it: totals since boot stay far below 2^63. */
#define SENTINEL 0xfedcba9876543210ull

int
kperf_rows_read(const struct kperf_api *k, uint32_t classes, uint64_t *row,
		size_t len)
{
	int cpu = 0, rc;

	for (size_t i = 0; i < len; i++)
		row[i] = SENTINEL;
	errno = 0;
	rc = k->kpc_get_cpu_counters(true, classes, &cpu, row);
	return rc == 0 ? 0 : kperf_hold_errno(rc);
}

bool
kperf_row_written(const uint64_t *row, unsigned a, unsigned b)
{
	return row[a] != SENTINEL && row[b] != SENTINEL;
}
