/* Reads a Mac's sysctls through struct host_api. */
#ifndef SOURCE_KPERF_HOST_H
#define SOURCE_KPERF_HOST_H

#include "kperf/host.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads an integer of 4 or 8 bytes; false: none. */
bool host_number(const struct host_api *host, const char *name, uint64_t *out);

bool host_text(const struct host_api *host, const char *name, char *out,
	       size_t size);

uint64_t host_number_or(const struct host_api *host, const char *name,
			uint64_t otherwise);

/* The functions of this Mac (mac/host.c); NULL on Linux. */
const struct host_api *host_system(void);

#endif
